//! Equations and algorithm sections of an instance, in the order of its base classes and its own text (MLS §8 and §11).

use rhei_flat::{
    Algorithm, Builtin, Equation, EquationKind, Expr, ExprKind, Iteration, Scalar, Subscript, Type,
    Variability, WhenBranch,
};
use rhei_source::Span;
use rhei_syntax::NodeRef;
use rhei_syntax::ast::{self, View};
use smol_str::SmolStr;

use crate::class::ClassNodeId;
use crate::component::ComponentId;
use crate::context::Context;
use crate::mistake::Mistake;
use crate::typing::Typing;
use rhei_instance::{Connection, Sections};

impl<'l> Context<'l> {
    /// Adds the sections of a component's class, base classes first.
    pub(crate) fn sections(&mut self, class: ClassNodeId, owner: ComponentId, into: &mut Sections) {
        for base in self.elements(class).bases() {
            self.sections(base, owner, into);
        }
        let Some(text) = self.class(class).text() else { return };
        let component: SmolStr =
            if Some(owner) == self.root { SmolStr::default() } else { self.path_name(owner).into() };
        let loops = self.loops_around(owner, text.span());
        for section in text.sections() {
            match section {
                ast::Section::Elements(_) | ast::Section::External(_) => {}
                ast::Section::Equations(section) => {
                    let mut body = Body {
                        typing: Typing::of_class(self, class),
                        component: component.clone(),
                        loops: loops.clone(),
                        inner: Vec::new(),
                        sometimes: section.is_initial().then_some("an initial equation"),
                        connections: Vec::new(),
                    };
                    body.typing.initial = section.is_initial();
                    let equations = body.equations(section.equations());
                    let connections = body.connections;
                    let wrapped = equations.into_iter().map(|equation| in_loops(equation, &loops));
                    if section.is_initial() {
                        into.initial.extend(wrapped)
                    } else {
                        into.equations.extend(wrapped)
                    }
                    into.connections.extend(connections);
                    self.section_ends.push((into.equations.len(), into.initial.len()));
                }
                ast::Section::Algorithm(section) => {
                    let mut typing = Typing::of_class(self, class);
                    typing.initial = section.is_initial();
                    let statements = typing.statements(section.statements());
                    let (component, loops, span) = (component.clone(), loops.clone(), section.span());
                    let algorithm = Algorithm { statements, component, loops, span };
                    if section.is_initial() {
                        into.initial_algorithms.push(algorithm);
                    } else {
                        into.algorithms.push(algorithm);
                    }
                }
            }
        }
    }

    /// The loops over the elements of the arrays of components around, outermost first.
    fn loops_around(&self, owner: ComponentId, span: Span) -> Vec<Iteration> {
        let mut loops = Vec::new();
        if self.outwards(owner).all(|around| self.component(around).iterators().is_empty()) {
            return loops;
        }
        for component in self.path(owner) {
            let node = self.component(component);
            for (iterator, size) in node.iterators().iter().zip(&node.sizes) {
                loops.push(Iteration { iterator: *iterator, range: Box::new(self.counting(*size, span)) });
            }
        }
        loops
    }
}

fn in_loops(equation: Equation, loops: &[Iteration]) -> Equation {
    loops.iter().rev().fold(equation, |inner, iteration| Equation {
        component: inner.component.clone(),
        span: inner.span,
        kind: EquationKind::For(iteration.clone(), vec![inner]),
    })
}

/// Types the equations of one section.
struct Body<'c, 'l> {
    typing: Typing<'c, 'l>,
    component: SmolStr,
    /// Loops over arrays of components.
    loops: Vec<Iteration>,
    /// Loops of `for` equations around.
    inner: Vec<Iteration>,
    /// The construct around by which equations hold at some times only.
    sometimes: Option<&'static str>,
    connections: Vec<Connection>,
}

impl<'l> Body<'_, 'l> {
    fn equations(&mut self, equations: impl Iterator<Item = ast::Equation<'l>>) -> Vec<Equation> {
        let mut typed = Vec::new();
        for equation in equations {
            match self.equation(equation) {
                Ok(equations) => typed.extend(equations),
                Err(mistake) => self.typing.context.mistake(mistake),
            }
        }
        typed
    }

    fn made(&self, kind: EquationKind, span: Span) -> Vec<Equation> {
        vec![Equation { kind, component: self.component.clone(), span }]
    }

    fn equation(&mut self, equation: ast::Equation<'l>) -> Result<Vec<Equation>, Mistake> {
        let span = equation.span();
        match equation {
            ast::Equation::Simple(simple) => {
                let kind = self.simple(simple)?;
                Ok(self.made(kind, span))
            }
            ast::Equation::Call(call) => {
                let call = call.call().ok_or(Mistake::Incomplete)?;
                let call = self.typing.expression(ast::Expression::Call(call))?;
                if let ExprKind::Call(Builtin::Reinit, arguments) = &call.kind
                    && arguments.len() != 2
                {
                    let wanted = "a state and its new value".into();
                    let found = arguments.len();
                    return Err(Mistake::WrongArgumentCount {
                        function: "reinit".into(),
                        wanted,
                        found,
                        span,
                    });
                }
                Ok(self.made(EquationKind::Call(call), span))
            }
            ast::Equation::If(e) => self.if_equation(e),
            ast::Equation::For(e) => self.for_equation(e),
            ast::Equation::When(e) => {
                let mut branches = Vec::new();
                for branch in e.branches() {
                    let condition = self.typing.when_condition(branch.condition())?;
                    let around = self.sometimes.replace("a `when`");
                    let equations = self.equations(branch.equations());
                    self.sometimes = around;
                    branches.push(WhenBranch { condition, equations });
                }
                Ok(self.made(EquationKind::When(branches), span))
            }
            ast::Equation::Connect(e) if self.typing.context.is_left_out(self.typing.scope, e) => {
                Ok(Vec::new())
            }
            ast::Equation::Connect(e) => {
                self.connect(e)?;
                Ok(Vec::new())
            }
        }
    }

    fn simple(&mut self, equation: ast::SimpleEquation<'l>) -> Result<EquationKind, Mistake> {
        let (left, right) = (equation.left(), equation.right());
        if let Some(ast::Expression::Tuple(tuple)) = left {
            let places = tuple.places();
            if places.len() != 1 || places[0].is_none() {
                let call = self.typing.maybe(right)?;
                let mut results = Vec::new();
                for place in places {
                    results.push(place.map(|e| self.typing.expression(e)).transpose()?);
                }
                self.typing.check_results(&results, &call)?;
                return Ok(EquationKind::Results(results, call));
            }
        }
        let (left, right) = (self.typing.maybe(left)?, self.typing.maybe(right)?);
        self.typing.joined("the sides of the equation", &left, &right)?;
        Ok(EquationKind::Equal(left, right))
    }

    /// Conditions known before the run choose their branch; others are kept.
    fn if_equation(&mut self, e: ast::IfEquation<'l>) -> Result<Vec<Equation>, Mistake> {
        let mut branches: Vec<(Expr, Vec<Equation>)> = Vec::new();
        let mut otherwise = Vec::new();
        let connects = contains_connect(e.node());
        for branch in e.branches() {
            if branch.is_else() {
                otherwise = self.equations(branch.equations());
                break;
            }
            let condition = self.typing.condition(branch.condition())?;
            if connects && self.varies_with_turn(&condition) {
                return Err(Mistake::Incomplete); // typed again with the loop written out
            }
            match self.decided(&condition)? {
                Some(true) => {
                    otherwise = self.equations(branch.equations());
                    break;
                }
                Some(false) => {}
                None if connects => return Err(Mistake::ConnectCondition { span: condition.span }),
                None => {
                    let equations = self.equations(branch.equations());
                    branches.push((condition, equations));
                }
            }
        }
        if branches.is_empty() {
            return Ok(otherwise);
        }
        Ok(self.made(EquationKind::If(branches, otherwise), e.span()))
    }

    /// Whether a condition over parameters depends on an iterator of a loop around; that iterator is then noted in
    /// `choosing`.
    fn varies_with_turn(&mut self, condition: &Expr) -> bool {
        if self.typing.context.at_most(Variability::Parameter, "", condition).is_err() {
            return false;
        }
        let mut varies = false;
        condition.walk(&mut |part| {
            if let ExprKind::Iterator(iterator) = part.kind
                && self.inner.iter().any(|iteration| iteration.iterator == iterator)
            {
                self.typing.context.choosing.insert(iterator);
                varies = true;
            }
        });
        varies
    }

    fn decided(&mut self, condition: &Expr) -> Result<Option<bool>, Mistake> {
        if self.typing.context.at_most(Variability::Parameter, "", condition).is_err() {
            return Ok(None);
        }
        // iterators of `for` around: each turn may decide otherwise
        let mut varies = false;
        condition.walk(&mut |part| match &part.kind {
            ExprKind::Iterator(iterator) => {
                varies |= self.inner.iter().any(|iteration| iteration.iterator == *iterator);
            }
            ExprKind::Call(builtin, _) => {
                use rhei_flat::Builtin as B;
                varies |= matches!(
                    builtin,
                    B::Initial
                        | B::Terminal
                        | B::Sample
                        | B::Pre
                        | B::Edge
                        | B::Change
                        | B::Cardinality
                        | B::ConnectionsIsRoot
                        | B::ConnectionsRooted
                        | B::Rooted
                        | B::FirstTick
                );
            }
            _ => {}
        });
        if varies {
            return Ok(None);
        }
        match self.typing.context.evaluate(condition, true) {
            Ok(value) => Ok(value.as_boolean()),
            // a parameter whose value is found at the start, or given by code outside
            Err(Mistake::Evaluation(failure))
                if matches!(
                    *failure,
                    rhei_evaluate::Failure::NotConstant { .. } | rhei_evaluate::Failure::External { .. }
                ) =>
            {
                Ok(None)
            }
            Err(mistake) => Err(mistake),
        }
    }

    fn for_equation(&mut self, e: ast::ForEquation<'l>) -> Result<Vec<Equation>, Mistake> {
        let indices: Vec<ast::ForIndex<'l>> = e.indices().collect();
        self.for_indices(e, &indices)
    }

    /// Several iterators are nested loops, the first one outermost.
    fn for_indices(
        &mut self,
        e: ast::ForEquation<'l>,
        indices: &[ast::ForIndex<'l>],
    ) -> Result<Vec<Equation>, Mistake> {
        let Some((first, rest)) = indices.split_first() else { return Ok(self.equations(e.equations())) };
        let entered = self.typing.enter_loops(std::iter::once(*first), e.node())?;
        self.typing.know_passes(&entered);
        let iteration = entered.first().ok_or(Mistake::Incomplete)?;
        let known = self.typing.context.at_most(
            Variability::Parameter,
            "the range of a for-equation",
            &iteration.range,
        );
        let looped = known.and_then(|()| self.for_turns(e, *first, iteration, rest));
        self.typing.leave_loops(&entered);
        looped
    }

    /// A loop, written out where it chooses elements that are instances each.
    fn for_turns(
        &mut self,
        e: ast::ForEquation<'l>,
        index: ast::ForIndex<'l>,
        iteration: &Iteration,
        rest: &[ast::ForIndex<'l>],
    ) -> Result<Vec<Equation>, Mistake> {
        let written_out = (self.typing.scope, index.span());
        if !self.typing.context.unrolled.contains(&written_out) {
            let (said, connected) = (self.typing.context.mistakes.len(), self.connections.len());
            self.inner.push(iteration.clone());
            let body = self.for_indices(e, rest);
            self.inner.pop();
            if !self.typing.context.choosing.remove(&iteration.iterator) {
                let body = body?;
                if body.is_empty() {
                    return Ok(body);
                }
                return Ok(self.made(EquationKind::For(iteration.clone(), body), e.span()));
            }
            self.typing.context.mistakes.truncate(said);
            self.connections.truncate(connected);
            self.typing.context.unrolled.insert(written_out);
        }
        let mut all = Vec::new();
        for value in self.typing.turn_values(iteration)? {
            self.typing.around.turns.push((iteration.iterator, value));
            let turn = self.for_indices(e, rest);
            self.typing.around.turns.pop();
            all.extend(turn?);
        }
        Ok(all)
    }

    /// Connections; none where one side is absent (MLS §4.4.5).
    fn connect(&mut self, e: ast::ConnectEquation<'l>) -> Result<(), Mistake> {
        if let Some(around) = self.sometimes {
            return Err(Mistake::ConnectMisplaced { around, span: e.span() });
        }
        let pairs = self.typing.connected(named(e.left())?, named(e.right())?)?;
        let loops: Vec<Iteration> = self.loops.iter().chain(&self.inner).cloned().collect();
        for (left, right) in pairs {
            for subscript in left.subscripts.iter().chain(&right.subscripts).filter_map(Subscript::index) {
                let what = "a subscript of a connector";
                self.typing.context.at_most(Variability::Parameter, what, subscript)?;
            }
            let (component, loops) = (self.component.clone(), loops.clone());
            self.connections.push(Connection { left, right, loops, component, span: e.span() });
        }
        Ok(())
    }
}

/// Whether anything is connected inside.
fn contains_connect(node: NodeRef<'_>) -> bool {
    ast::ConnectEquation::cast(node).is_some() || node.children().any(contains_connect)
}

/// The reference on one side of a connection.
fn named<'l>(e: Option<ast::Expression<'l>>) -> Result<ast::ComponentReference<'l>, Mistake> {
    match e {
        Some(ast::Expression::Reference(reference)) => Ok(reference),
        Some(e) => Err(Mistake::NotAConnector { name: e.node().text().into(), span: e.span() }),
        None => Err(Mistake::Incomplete),
    }
}

/// Subscripts that say which element of all arrays around is meant.
pub(crate) fn iterators_around(
    context: &Context<'_>,
    parent: Option<ComponentId>,
    span: Span,
) -> Vec<Subscript> {
    let mut subscripts = Vec::new();
    let Some(parent) = parent else { return subscripts };
    if context.outwards(parent).all(|around| context.component(around).iterators().is_empty()) {
        return subscripts;
    }
    for around in context.path(parent) {
        for &iterator in context.component(around).iterators() {
            let kind = ExprKind::Iterator(iterator);
            subscripts.push(Subscript::Index(Expr { kind, ty: Type::scalar(Scalar::Integer), span }));
        }
    }
    subscripts
}
