//! If-equations whose conditions vary (MLS §8.3.4): as many equations as each branch has, each of them one thing or another.

use rhei_equations::{Balance, Equation, ExprId, Family, Node, Origin};
use rhei_flat::{Builtin, EquationKind, Expr, ExprKind, Scalar};
use rhei_source::Span;

use crate::balance::balanced;
use crate::element::{Elements, Indices, is_discrete, not_supported};
use crate::mistake::{BalancePlace, Mistake};

/// A scalar equation on its way.
#[derive(Clone, Copy)]
pub(crate) struct Sides {
    lhs: ExprId,
    rhs: ExprId,
    is_discrete: bool,
    balance: Option<Balance>,
}

impl Sides {
    pub(crate) fn equation(self, family: Option<Family>, origin: Origin) -> Equation {
        let Sides { lhs, rhs, is_discrete, balance } = self;
        Equation { lhs, rhs, is_discrete, balance, family, origin }
    }
}

impl Elements<'_> {
    /// An if-equation as equations that always hold.
    pub(crate) fn if_equation(
        &mut self,
        branches: &[(Expr, Vec<rhei_flat::Equation>)],
        otherwise: &[rhei_flat::Equation],
        origin: &Origin,
        span: Span,
        initial: bool,
    ) -> Result<(), Mistake> {
        for sides in self.either(branches, otherwise, (span, initial))? {
            self.push(sides.equation(None, origin.clone()), initial);
        }
        Ok(())
    }

    fn either(
        &mut self,
        branches: &[(Expr, Vec<rhei_flat::Equation>)],
        otherwise: &[rhei_flat::Equation],
        (span, initial): (Span, bool),
    ) -> Result<Vec<Sides>, Mistake> {
        let Some(((condition, equations), rest)) = branches.split_first() else {
            return self.sides(otherwise, initial);
        };
        let condition = self.condition(condition)?;
        match self.out.pool.node(condition) {
            Node::Truth(true) => return self.sides(equations, initial),
            Node::Truth(false) => return self.either(rest, otherwise, (span, initial)),
            _ => {}
        }
        self.guards.push(condition);
        let then = self.sides(equations, initial);
        self.guards.pop();
        let then = then?;
        let negated = self.out.pool.not(condition);
        self.guards.push(negated);
        let other = self.either(rest, otherwise, (span, initial));
        self.guards.pop();
        let other = other?;
        if then.len() != other.len() {
            return Err(not_supported(
                "an if-equation whose branches have different numbers of equations",
                span,
            ));
        }
        self.paired(condition, then, other, span)
    }

    /// One equation for each pair: those for the same variable together, the others in their order.
    fn paired(
        &mut self,
        condition: ExprId,
        then: Vec<Sides>,
        mut other: Vec<Sides>,
        span: Span,
    ) -> Result<Vec<Sides>, Mistake> {
        let mut paired = Vec::new();
        let mut alone = Vec::new();
        for sides in then {
            if let Some(own) = sides.balance {
                let same = |other: &Sides| other.balance.is_some_and(|other| other.variable == own.variable);
                let Some(place) = other.iter().position(same) else {
                    return Err(Mistake::BalancePosition { place: BalancePlace::Branch, span });
                };
                let other = other.remove(place);
                let rhs = self.out.pool.if_else(condition, sides.rhs, other.rhs);
                let factor = other
                    .balance
                    .map_or(own.factor, |other| self.out.pool.if_else(condition, own.factor, other.factor));
                paired.push(Sides { rhs, balance: Some(Balance { factor, ..own }), ..sides });
                continue;
            }
            let is_variable = matches!(self.out.pool.node(sides.lhs), Node::Variable(_));
            match other.iter().position(|other| is_variable && other.lhs == sides.lhs) {
                Some(place) => {
                    let other = other.remove(place);
                    let rhs = self.out.pool.if_else(condition, sides.rhs, other.rhs);
                    paired.push(Sides { rhs, ..sides });
                }
                None => alone.push(sides),
            }
        }
        if other.iter().any(|other| other.balance.is_some()) {
            return Err(Mistake::BalancePosition { place: BalancePlace::Branch, span });
        }
        let zero = self.out.pool.number(0.0);
        for (sides, other) in alone.into_iter().zip(other) {
            if sides.is_discrete || other.is_discrete {
                let what = "an if-equation whose branches determine different truth values or whole numbers";
                return Err(not_supported(what, span));
            }
            let (a, b) = (self.out.pool.sub(sides.lhs, sides.rhs), self.out.pool.sub(other.lhs, other.rhs));
            let rhs = self.out.pool.if_else(condition, a, b);
            paired.push(Sides { lhs: zero, rhs, is_discrete: false, balance: None });
        }
        Ok(paired)
    }

    /// The scalar equations of a branch.
    fn sides(&mut self, equations: &[rhei_flat::Equation], initial: bool) -> Result<Vec<Sides>, Mistake> {
        let mut all = Vec::new();
        for equation in equations {
            match &equation.kind {
                EquationKind::Equal(lhs, rhs) => {
                    let origin = Origin { span: Some(equation.span), ..Origin::default() };
                    self.equal_sides(lhs, rhs, (&origin, initial), &mut all)?;
                }
                EquationKind::For(iteration, body) => {
                    for index in 0..self.sizes(&iteration.range)?[0] {
                        let value = self.element(&iteration.range, &[index])?;
                        self.iterators.push((iteration.iterator, value));
                        let inner = self.sides(body, initial);
                        self.iterators.pop();
                        all.extend(inner?);
                    }
                }
                EquationKind::If(branches, otherwise) => {
                    all.extend(self.either(branches, otherwise, (equation.span, initial))?);
                }
                EquationKind::Results(targets, call) => {
                    all.extend(self.result_sides(targets, call)?);
                }
                EquationKind::Call(call) => self.effect(call, equation.span)?,
                EquationKind::When(_) => {
                    return Err(not_supported("a `when` inside an if-equation", equation.span));
                }
            }
        }
        Ok(all)
    }

    fn equal_sides(
        &mut self,
        lhs: &Expr,
        rhs: &Expr,
        (origin, initial): (&Origin, bool),
        all: &mut Vec<Sides>,
    ) -> Result<(), Mistake> {
        if let Scalar::Record(id) = lhs.ty.scalar {
            for place in 0..self.flat.tables.record(id).fields.len() as u32 {
                let (lhs, rhs) = (self.field_of(lhs, place), self.field_of(rhs, place));
                self.equal_sides(&lhs, &rhs, (origin, initial), all)?;
            }
            return Ok(());
        }
        for indices in Indices::of(&self.sizes(lhs)?) {
            all.push(self.sides_at(lhs, rhs, &indices, origin, initial)?);
        }
        Ok(())
    }

    /// One element of an equation; a `balance` in it becomes a mark.
    pub(crate) fn sides_at(
        &mut self,
        lhs: &Expr,
        rhs: &Expr,
        indices: &[usize],
        origin: &Origin,
        initial: bool,
    ) -> Result<Sides, Mistake> {
        for (side, other) in [(lhs, rhs), (rhs, lhs)] {
            let Some(balanced) = balanced(side) else { continue };
            if initial {
                return Err(Mistake::BalancePosition { place: BalancePlace::Initial, span: side.span });
            }
            let balance = Some(self.balance_mark(&balanced, indices, origin)?);
            let (lhs, rhs) = (self.out.pool.number(0.0), self.element_or_each(other, indices)?);
            return Ok(Sides { lhs, rhs, is_discrete: false, balance });
        }
        let is_discrete = is_discrete(lhs, rhs);
        let (lhs, rhs) = (self.element(lhs, indices)?, self.element_or_each(rhs, indices)?);
        Ok(Sides { lhs, rhs, is_discrete, balance: None })
    }

    /// `(a, , c) = f(x)` taken apart.
    pub(crate) fn result_sides(
        &mut self,
        targets: &[Option<Expr>],
        call: &Expr,
    ) -> Result<Vec<Sides>, Mistake> {
        let outputs = self.outputs(call)?;
        let mut all = Vec::new();
        for (target, output) in targets.iter().zip(outputs) {
            if let Some(target) = target {
                self.result_side(target, &output, &mut all)?;
            }
        }
        Ok(all)
    }

    /// All results of a call.
    pub(crate) fn outputs(&mut self, call: &Expr) -> Result<Vec<crate::data::Data>, Mistake> {
        match &call.kind {
            ExprKind::Apply(function, arguments) => self.apply(*function, arguments, call),
            ExprKind::Call(Builtin::SpatialDistribution, arguments) => self.transported(arguments, call),
            _ => Err(not_supported("several results of this", call.span)),
        }
    }

    fn result_side(
        &mut self,
        target: &Expr,
        output: &crate::data::Data,
        all: &mut Vec<Sides>,
    ) -> Result<(), Mistake> {
        let refused = || not_supported("this result on the left", target.span);
        if let Scalar::Record(id) = target.ty.scalar {
            for place in 0..self.flat.tables.record(id).fields.len() as u32 {
                let field = self.field_of(target, place);
                self.result_side(&field, output.field(place).ok_or_else(refused)?, all)?;
            }
            return Ok(());
        }
        for indices in Indices::of(&self.sizes(target)?) {
            let lhs = self.element(target, &indices)?;
            let rhs = output.at(&indices).ok_or_else(refused)?;
            all.push(Sides { lhs, rhs, is_discrete: is_discrete(target, target), balance: None });
        }
        Ok(())
    }

    /// A field of a record, or of every record of an array.
    pub(crate) fn field_of(&self, e: &Expr, place: u32) -> Expr {
        let ty = self.field_type(e, place);
        let kind = match &e.kind {
            ExprKind::Record(_, fields) => return fields[place as usize].clone(),
            ExprKind::Comprehension(body, iterations) => {
                ExprKind::Comprehension(Box::new(self.field_of(body, place)), iterations.clone())
            }
            _ => ExprKind::Field(Box::new(e.clone()), place),
        };
        Expr { kind, ty, span: e.span }
    }
}
