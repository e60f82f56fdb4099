//! Balances in place of other equations: of a model, the one that advice proposes.

use crate::{Balance, Binary, EqId, Equation, Equations, ExprId, Kind, Node, StateSelect, VarId};

/// A balance in place of an equation.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBalance {
    /// The equation that it takes the place of.
    pub equation: EqId,
    /// The variable that is balanced.
    pub variable: VarId,
    /// The derivative of the variable, which nothing else speaks of.
    pub derivative: Option<VarId>,
    /// The factor of `balance(variable)`, if it has one.
    pub factor: Option<ExprId>,
    /// The flow, and what is subtracted from it.
    pub flow: (ExprId, Option<ExprId>),
}

impl Equations {
    /// The balance that an equation `der(x) = f` or `c*der(x) = f`, either way round, becomes if `x` is balanced: with a factor that does not
    /// vary.
    pub fn balance_of_state(&self, equation: EqId, variable: VarId, derivative: VarId) -> Option<NewBalance> {
        let Equation { lhs, rhs, is_discrete: false, balance: None, .. } = self.equations[equation.index()]
        else {
            return None;
        };
        [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(side, flow)| {
            let factor = self.factor_of(side, derivative)?;
            Some(NewBalance { equation, variable, derivative: Some(derivative), factor, flow: (flow, None) })
        })
    }

    /// The factor of a derivative that is a whole side, none where that is one.
    fn factor_of(&self, side: ExprId, derivative: VarId) -> Option<Option<ExprId>> {
        let is_derivative = |e: ExprId| self.pool.node(e) == Node::Variable(derivative);
        let is_steady =
            |e: ExprId| self.pool.variables_of(e).iter().all(|v| self.variable(*v).is_parameter());
        match self.pool.node(side) {
            Node::Variable(v) if v == derivative => Some(None),
            Node::Binary(Binary::Mul, a, b) if is_derivative(a) && is_steady(b) => Some(Some(b)),
            Node::Binary(Binary::Mul, a, b) if is_derivative(b) && is_steady(a) => Some(Some(a)),
            _ => None,
        }
    }

    /// The same equations with balances. What is balanced is no state: its start value is a guess.
    pub fn with_balances(&self, new: &[NewBalance]) -> Equations {
        let mut made = self.clone();
        for NewBalance { equation, variable, derivative, factor, flow } in new {
            let zero = made.pool.number(0.0);
            let one = made.pool.number(1.0);
            let rhs = match flow {
                (plus, Some(minus)) => made.pool.sub(*plus, *minus),
                (plus, None) => *plus,
            };
            let balance = Some(Balance { variable: *variable, factor: factor.unwrap_or(one) });
            let own = &mut made.equations[equation.index()];
            (own.lhs, own.rhs, own.balance, own.family) = (zero, rhs, balance, None);
            if let Some(derivative) = derivative {
                let own = &mut made.variables[derivative.index()];
                (own.kind, own.is_hidden) = (Kind::Given, true);
            }
            let variable = &mut made.variables[variable.index()];
            (variable.fixed, variable.select) = (false, StateSelect::Default);
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use crate::{EqId, VarId, read};

    #[test]
    fn a_state_becomes_a_balance() {
        let model = read(
            "model M\n  parameter c\n  unknown x(start = 1, fixed)\n  derivative der(x)\nequation\n  1 - x = c*der(x)\n",
        )
        .unwrap();
        let (x, derivative) = (VarId(1), VarId(2));
        let new = model.balance_of_state(EqId(0), x, derivative).unwrap();
        let made = model.with_balances(&[new]);
        let balance = made.equations[0].balance.unwrap();
        assert_eq!(balance.variable, x);
        assert_eq!(made.notation().expression(balance.factor), "c");
        assert_eq!(made.notation().expression(made.equations[0].rhs), "1 - x");
        assert!(!made.variable(x).fixed);
    }
}
