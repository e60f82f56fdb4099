//! Bounds on the cost of a text: on the depth of nesting, and on size.
//!
//! No rule tells beforehand that a class contains itself, or doubles with every level. Work is counted and never timed, so that
//! the same text always ends in the same way. An exceeded bound is reported once; from then on nothing is looked at, and
//! consequences are not reported.

use rhei_source::Span;

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::mistake::Mistake;

/// Components inside components, base classes of base classes: more than this is a class that contains itself.
pub(crate) const DEEPEST_NESTING: usize = 100;

/// Functions that need each other to be read. Each takes some KiB of the stack.
const DEEPEST_CALLS: usize = 1000;

/// Expressions inside each other, also by way of the constants they name: as high as a tree of syntax may be.
const DEEPEST_EXPRESSION: usize = rhei_syntax::tree::MAX_HEIGHT;

/// Nodes, elements, modifications and expressions. The largest example of the Standard Library needs an eighth of it.
const MOST_WORK: u64 = 5_000_000;

/// Steps of all evaluations together: of one that does not end, and of as much besides. See [`Budget`](rhei_evaluate::Budget).
const MOST_STEPS: u64 = 40_000_000;

/// Elements of arrays of records that an operator of records goes through, each with an expression of its own.
const MOST_WRITTEN_OUT: usize = 2000;

/// Parts of one expression, after substitutions.
const LARGEST_EXPRESSION: usize = 500_000;

/// Scalars that a variable, and all variables of a model together, may come to.
pub(crate) const MOST_ELEMENTS: usize = 1_000_000;

/// Work done so far, and the present depth.
#[derive(Debug)]
pub(crate) struct Limits {
    depth: usize,
    calls: usize,
    expressions: usize,
    work_left: u64,
    pub(crate) steps_left: u64,
    /// The bound that was hit.
    stopped: Option<Mistake>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: 0,
            calls: 0,
            expressions: 0,
            work_left: MOST_WORK,
            steps_left: MOST_STEPS,
            stopped: None,
        }
    }
}

impl Limits {
    /// How deep classes are inside each other right now.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether there was too much, and not only something too deep.
    pub(crate) fn are_used_up(&self) -> bool {
        matches!(self.stopped, Some(Mistake::TooLarge { .. }))
    }

    /// The budget left when the same model is begun anew.
    pub(crate) fn for_another_try(&self) -> Limits {
        Limits { work_left: self.work_left, steps_left: self.steps_left, ..Limits::default() }
    }

    /// Takes out the bound that was hit.
    pub(crate) fn take_stopped(&mut self) -> Option<Mistake> {
        self.stopped.take()
    }
}

impl<'l> Context<'l> {
    /// Whether a bound was hit: then nothing more is looked at.
    pub(crate) fn is_stopped(&self) -> bool {
        self.limits.stopped.is_some()
    }

    /// Says which bound was hit; only the first counts.
    pub(crate) fn stop(&mut self, mistake: Mistake) {
        self.limits.stopped.get_or_insert(mistake);
    }

    /// Takes `amount` of the remaining work, for the text at `span`.
    pub(crate) fn work(&mut self, amount: usize, span: Option<Span>) {
        match self.limits.work_left.checked_sub(amount as u64) {
            Some(left) => self.limits.work_left = left,
            None => {
                let root = self.root.map(|root| self.class_name(self.component(root).class));
                let name = root.map_or(String::new(), |name| format!("`{name}`"));
                self.stop(Mistake::TooLarge { name, span });
            }
        }
    }

    /// Takes the work of an expression that is written out once for each of so many elements, and refuses it if that is too
    /// much. Limits on depth do not catch it.
    pub(crate) fn write_out(
        &mut self,
        what: &str,
        count: usize,
        each: usize,
        span: Span,
    ) -> Result<(), Mistake> {
        if count > MOST_WRITTEN_OUT {
            let name = what.to_owned();
            return Err(Mistake::TooManyElements { name, most: MOST_WRITTEN_OUT, span });
        }
        let size = count.saturating_mul(each);
        self.work(size, Some(span));
        if size > LARGEST_EXPRESSION {
            let name = what.to_owned();
            self.stop(Mistake::TooLarge { name, span: Some(span) });
        }
        if self.is_stopped() { Err(Mistake::Incomplete) } else { Ok(()) }
    }

    /// Goes into a class, or into a component of this name at `span`; not at all after a bound was hit.
    pub(crate) fn deeper<T>(
        &mut self,
        name: &str,
        span: Option<Span>,
        go: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.work(1, span);
        if self.limits.depth > DEEPEST_NESTING {
            self.stop(Mistake::RecursiveClass { name: name.into(), span });
        }
        if self.is_stopped() {
            return None;
        }
        self.limits.depth += 1;
        let result = go(self);
        self.limits.depth -= 1;
        Some(result)
    }

    /// Goes into a class, by its name.
    pub(crate) fn deeper_into<T>(
        &mut self,
        class: ClassNodeId,
        go: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        let span = self.class(class).text().and_then(|text| text.name()).map(|name| name.span());
        let name = self.class(class).name.clone();
        self.deeper(&name, span, go)
    }

    /// Reads a function that another one needs.
    pub(crate) fn deeper_call<T>(
        &mut self,
        span: Span,
        go: impl FnOnce(&mut Self) -> Result<T, Mistake>,
    ) -> Result<T, Mistake> {
        self.work(1, Some(span));
        if self.limits.calls >= DEEPEST_CALLS {
            self.stop(Mistake::TooDeep { what: "functions that call each other", span });
        }
        if self.is_stopped() {
            return Err(Mistake::Incomplete);
        }
        self.limits.calls += 1;
        let result = go(self);
        self.limits.calls -= 1;
        result
    }

    /// Goes into an expression.
    pub(crate) fn enter_expression(&mut self, span: Span) -> Result<(), Mistake> {
        self.work(1, Some(span));
        if self.limits.expressions >= DEEPEST_EXPRESSION {
            self.stop(Mistake::TooDeep { what: "expressions, or values that follow from each other,", span });
        }
        if self.is_stopped() {
            return Err(Mistake::Incomplete);
        }
        self.limits.expressions += 1;
        Ok(())
    }

    /// Comes back from it.
    pub(crate) fn leave_expression(&mut self) {
        self.limits.expressions -= 1;
    }
}
