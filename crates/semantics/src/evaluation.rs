//! Values that are needed before the run: sizes, conditions, constants.

use std::cell::RefCell;

use rhei_evaluate::{Budget, Environment, Failure, Value, Work};
use rhei_external::{Externals, is_pure};
use rhei_flat::{Expr, ExprKind, Function, Iteration, IteratorId, Scalar, Tables, Type, VarId, Variability};
use rhei_source::{Diagnostic, Span};
use rhei_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::mistake::Mistake;

/// The sizes of a value; none for a scalar.
pub(crate) fn sizes(value: &Value) -> Vec<usize> {
    value.sizes().to_vec()
}

/// One dimension in the declaration of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenSize {
    Known(usize),
    /// `:`, to be taken from the value.
    Colon,
    /// It was said why it is not known: whatever follows from it is not said.
    Wrong,
}

impl WrittenSize {
    pub(crate) fn known(self) -> Option<usize> {
        match self {
            WrittenSize::Known(size) => Some(size),
            WrittenSize::Colon | WrittenSize::Wrong => None,
        }
    }
}

/// Source of a variable's value in an evaluation.
enum Source {
    /// It was evaluated before.
    Known,
    /// This, of elements of this type.
    Binding(Expr, Scalar),
    Nowhere,
}

/// Environment of an evaluation: variables by their values so far.
struct EvaluationEnvironment<'a, 'l> {
    context: &'a Context<'l>,
    sources: &'a FxHashMap<VarId, Source>,
    under: RefCell<FxHashSet<VarId>>,
    iterators: &'a FxHashMap<IteratorId, i64>,
}

impl EvaluationEnvironment<'_, '_> {
    /// How a variable is called, for messages.
    fn name(&self, v: VarId) -> String {
        self.context.path_name(self.context.variable_component(v))
    }
}

impl Environment for EvaluationEnvironment<'_, '_> {
    fn tables(&self) -> &Tables {
        &self.context.tables
    }

    fn variable(&self, v: VarId, span: Span, budget: &mut Budget) -> Result<Value, Failure> {
        let source = self.sources.get(&v);
        if !matches!(source, None | Some(Source::Nowhere))
            && let Some(value) = self.context.evaluated.borrow().get(&v)
        {
            return Ok(value.clone());
        }
        let Some(Source::Binding(binding, scalar)) = source else {
            return Err(Failure::NotConstant { what: self.name(v).into(), span });
        };
        if !self.under.borrow_mut().insert(v) {
            let message = format!("the value of `{}` depends on itself", self.name(v));
            let diagnostic = Diagnostic::error("cyclic-binding", message).at(span, "used here");
            return Err(Failure::Reported(Box::new(diagnostic)));
        }
        let value = rhei_evaluate::evaluate(binding, self, budget);
        self.under.borrow_mut().remove(&v);
        let value = value?.conform(*scalar, self.tables());
        self.context.evaluated.borrow_mut().insert(v, value.clone());
        Ok(value)
    }

    /// Tables and files are for the run; the result of a function of its inputs alone (a fitted polynomial) is a value
    /// as any other.
    fn external(&self, function: &Function, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        match &function.external {
            Some(external) if is_pure(&external.name) => Externals::default().call(function, arguments, self),
            _ => Err(Failure::External { name: function.name.clone(), span: function.span }),
        }
    }

    fn iterator(&self, iterator: IteratorId) -> Option<Value> {
        self.iterators.get(&iterator).map(|&i| Value::Integer(i))
    }
}

impl<'l> Context<'l> {
    /// The value of an expression. `structural`: parameters may be used, and can then no longer be changed.
    pub(crate) fn evaluate(&mut self, e: &Expr, structural: bool) -> Result<Value, Mistake> {
        // every binding that may be needed, typed before anything is evaluated
        let mut sources: FxHashMap<VarId, Source> = FxHashMap::default();
        let mut open: Vec<VarId> = Vec::new();
        let mut iterators: Vec<IteratorId> = Vec::new();
        collect(e, &mut open, &mut iterators);
        while let Some(v) = open.pop() {
            if sources.contains_key(&v) {
                continue;
            }
            let component = self.variable_component(v);
            let usable = match self.component(component).variability {
                Variability::Constant => true,
                Variability::Parameter => structural,
                _ => false,
            };
            let source = if !usable {
                Source::Nowhere
            } else if self.evaluated.borrow().contains_key(&v) {
                Source::Known
            } else {
                match self.value_or_start(component)? {
                    Some(value) => {
                        let size = collect(&value, &mut open, &mut iterators);
                        self.work(size, Some(e.span));
                        let class = self.component(component).class;
                        Source::Binding(value, self.scalar_of(class).unwrap_or(Scalar::Real))
                    }
                    None => Source::Nowhere,
                }
            };
            sources.insert(v, source);
        }
        let value = self.evaluate_for_all(e, &sources, iterators)?;
        if structural {
            for &v in sources.keys() {
                let component = self.variable_component(v);
                self.component_mut(component).structural = true;
            }
        }
        Ok(value)
    }

    /// Inside an array of components that is one instance, the value must be the same for every element.
    fn evaluate_for_all(
        &mut self,
        e: &Expr,
        sources: &FxHashMap<VarId, Source>,
        mut iterators: Vec<IteratorId>,
    ) -> Result<Value, Mistake> {
        iterators.sort_unstable();
        iterators.dedup();
        let ranges: Vec<(IteratorId, usize)> = iterators
            .into_iter()
            .filter_map(|iterator| Some((iterator, self.iterator_size(iterator)?)))
            .collect();
        let mut found: Vec<Value> = Vec::new();
        let total: usize = ranges.iter().map(|(_, size)| *size).fold(1, usize::saturating_mul).max(1);
        for number in 0..total.min(MOST_ELEMENTS) {
            let mut rest = number;
            let mut values = FxHashMap::default();
            for &(iterator, size) in &ranges {
                values.insert(iterator, (rest % size.max(1)) as i64 + 1);
                rest /= size.max(1);
            }
            let known = EvaluationEnvironment {
                context: self,
                sources,
                under: RefCell::default(),
                iterators: &values,
            };
            let most = if self.gave_up { STEPS_AFTER_GIVING_UP } else { u64::MAX };
            let mut budget = Budget::deep().within(most.min(self.limits.steps_left));
            let before = budget.steps_left();
            let value = rhei_evaluate::evaluate(e, &known, &mut budget);
            self.limits.steps_left -= before - budget.steps_left();
            let value = match value {
                Ok(value) => value,
                Err(failure) => {
                    self.gave_up |= matches!(failure, Failure::TooMuchWork { work: Work::Steps, .. });
                    return Err(Mistake::Evaluation(Box::new(failure)));
                }
            };
            found.push(value);
        }
        let arrays = self.differing_arrays(&ranges, &found);
        if !arrays.is_empty() {
            return Err(Mistake::ElementsDiffer { arrays, span: e.span });
        }
        found.into_iter().next().ok_or(Mistake::Incomplete)
    }

    /// The arrays along which values differ; the first iterator runs fastest.
    fn differing_arrays(&self, ranges: &[(IteratorId, usize)], values: &[Value]) -> Vec<String> {
        let mut arrays = Vec::new();
        let mut stride = 1;
        for &(iterator, size) in ranges {
            let size = size.max(1);
            let differ = (0..values.len()).any(|n| values[n] != values[n - n / stride % size * stride]);
            if differ && let Some(&array) = self.iterator_arrays.get(&iterator) {
                let name = self.path_name(array);
                if !arrays.contains(&name) {
                    arrays.push(name);
                }
            }
            stride = stride.saturating_mul(size);
        }
        arrays
    }

    /// The size of the array of components that an iterator runs through.
    fn iterator_size(&self, iterator: IteratorId) -> Option<usize> {
        self.iterator_sizes.get(&iterator).copied()
    }

    /// A size: a whole number, zero or more.
    pub(crate) fn size(&mut self, subscript: ast::Subscript<'l>, scope: ClassNodeId) -> WrittenSize {
        let ast::Subscript::Index(written) = subscript else { return WrittenSize::Colon };
        // a type stands for the number of its values: Boolean, enumerations
        if let ast::Expression::Reference(reference) = written
            && let Some(size) = self.type_as_size(reference, scope)
        {
            return WrittenSize::Known(size);
        }
        let size = self.type_in(scope, written).and_then(|e| {
            if e.ty != Type::scalar(Scalar::Integer) {
                let found = self.type_name(&e.ty);
                return Err(Mistake::TypeMismatch {
                    what: "a size".into(),
                    wanted: "Integer".into(),
                    found,
                    span: e.span,
                });
            }
            let value = self.evaluate(&e, true)?;
            let value = value.as_integer().unwrap_or(-1);
            usize::try_from(value).map_err(|_| Mistake::NegativeSize { value, span: e.span })
        });
        match size {
            Ok(size) => WrittenSize::Known(size),
            Err(mistake) => {
                self.mistake(mistake.told_as_size(written.span()));
                WrittenSize::Wrong
            }
        }
    }

    fn type_as_size(&mut self, reference: ast::ComponentReference<'l>, scope: ClassNodeId) -> Option<usize> {
        let found = self.lookup_reference_class(reference, scope)?;
        match self.scalar_of(found)? {
            Scalar::Boolean => Some(2),
            Scalar::Enumeration(id) => Some(self.tables.enumeration(id).literals.len()),
            _ => None,
        }
    }

    /// Whether the condition of a component holds.
    pub(crate) fn condition_holds(&mut self, condition: ast::Expression<'l>, scope: ClassNodeId) -> bool {
        let value = self.type_in(scope, condition).and_then(|e| {
            if e.ty != Type::scalar(Scalar::Boolean) {
                let found = self.type_name(&e.ty);
                let what = "the condition of a component".into();
                return Err(Mistake::TypeMismatch { what, wanted: "Boolean".into(), found, span: e.span });
            }
            self.evaluate(&e, true)
        });
        match value {
            Ok(value) => value.as_boolean().unwrap_or(true),
            Err(mistake) => {
                self.mistake(mistake.told_as_condition(condition.span()));
                true
            }
        }
    }
}

/// A loop without end may be needed in many places: after the first time it is given up sooner.
const STEPS_AFTER_GIVING_UP: u64 = 200_000;

/// Arrays of components longer than this are looked at only so far for differences.
const MOST_ELEMENTS: usize = 10_000;

/// Variables and free iterators of an expression, and how large it is.
fn collect(e: &Expr, variables: &mut Vec<VarId>, iterators: &mut Vec<IteratorId>) -> usize {
    let mut size = 0;
    let mut bound: Vec<IteratorId> = Vec::new();
    let mut used: Vec<IteratorId> = Vec::new();
    e.walk(&mut |part| {
        size += 1;
        match &part.kind {
            ExprKind::Variable(v, _) => variables.push(*v),
            ExprKind::Iterator(iterator) => used.push(*iterator),
            ExprKind::Comprehension(_, iterations) | ExprKind::Reduction(_, _, iterations) => {
                bound.extend(iterations.iter().map(|Iteration { iterator, .. }| *iterator));
            }
            _ => {}
        }
    });
    iterators.extend(used.into_iter().filter(|iterator| !bound.contains(iterator)));
    size
}
