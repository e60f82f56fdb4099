//! The invariants of [`Equations`], checked.

use crate::{Binary, Equations, ExprId, Kind, Node, Scalar};
use rhei_source::Violation;
use rustc_hash::FxHashSet;

impl Equations {
    /// Checks the invariants of the module's list; an error is the first violated one.
    pub fn verify(&self) -> Result<(), Violation> {
        self.verify_references()?;
        self.verify_variables()?;
        let sides = self.equations.iter().chain(&self.initial).map(|e| (e.lhs, e.rhs));
        for (lhs, rhs) in sides {
            for e in self.pool.below(&[lhs, rhs]) {
                self.verify_operands(e)?;
            }
            if self.is_boolean(lhs) != self.is_boolean(rhs) {
                let (lhs, rhs) = (self.notation().expression(lhs), self.notation().expression(rhs));
                return Err(Violation(format!("{lhs} = {rhs} has a Boolean side and one that is not")));
            }
        }
        self.verify_balances()
    }

    fn verify_balances(&self) -> Result<(), Violation> {
        for equation in self.equations.iter().chain(&self.initial) {
            let Some(balance) = equation.balance else { continue };
            let variable = self.variable(balance.variable);
            let is_right = variable.is_unknown() && variable.scalar == Scalar::Real && !variable.is_discrete;
            if !is_right || self.pool.as_number(equation.lhs) != Some(0.0) {
                return Err(Violation(format!("{} is no balance", self.notation().equation(equation))));
            }
        }
        Ok(())
    }

    fn verify_references(&self) -> Result<(), Violation> {
        if let Some(e) = self.pool.first_missing(self.expressions()) {
            let n = self.pool.len();
            return Err(Violation(format!("expression {} is not among the {n} of the pool", e.0)));
        }
        for id in 0..self.pool.len() {
            if let Node::Variable(v) = self.pool.node(ExprId(id as u32))
                && v.index() >= self.variables.len()
            {
                return Err(Violation(format!(
                    "an expression refers to variable {}, which is not there",
                    v.0
                )));
            }
        }
        Ok(())
    }

    fn verify_variables(&self) -> Result<(), Violation> {
        let mut names = FxHashSet::default();
        let mut differentiated = FxHashSet::default();
        for variable in &self.variables {
            let name = &variable.name;
            if !names.insert(name.as_str()) {
                return Err(Violation(format!("{name} is there twice")));
            }
            if let Kind::Derivative { of } = variable.kind {
                if of.index() >= self.variables.len() || !self.variable(of).is_unknown() {
                    return Err(Violation(format!("{name} is the derivative of what is no unknown")));
                }
                if !differentiated.insert(of) {
                    return Err(Violation(format!("{} has two derivatives", self.variable(of).name)));
                }
            }
            if variable.is_unknown() && variable.binding.is_some() {
                return Err(Violation(format!("{name} is an unknown and has a binding")));
            }
            for e in variable.attributes().chain(variable.binding) {
                let varying = self.pool.below(&[e]).into_iter().find(|&e| match self.pool.node(e) {
                    Node::Time => true,
                    Node::Variable(v) => !self.variable(v).is_parameter(),
                    _ => false,
                });
                if let Some(varying) = varying {
                    let varying = self.notation().expression(varying);
                    return Err(Violation(format!(
                        "an attribute or the binding of {name} depends on {varying}"
                    )));
                }
            }
        }
        Ok(())
    }

    fn verify_operands(&self, e: ExprId) -> Result<(), Violation> {
        let wants_boolean = |operand: ExprId, boolean: bool| {
            if self.is_boolean(operand) == boolean {
                return Ok(());
            }
            let (whole, part) = (self.notation().expression(e), self.notation().expression(operand));
            Err(Violation(format!(
                "in {whole}, {part} should {}be Boolean",
                if boolean { "" } else { "not " }
            )))
        };
        match self.pool.node(e) {
            Node::Number(_) | Node::Large(_) | Node::Truth(_) | Node::Variable(_) | Node::Time => Ok(()),
            Node::Invoke(_) | Node::Output(..) => Ok(()),
            Node::Negate(a) | Node::Call(_, a) => wants_boolean(a, false),
            Node::Binary(Binary::Min | Binary::Max, ..) | Node::Relation(..) => Ok(()),
            Node::Binary(_, a, b) | Node::Whole(_, a, b) => {
                wants_boolean(a, false).and(wants_boolean(b, false))
            }
            Node::Not(a) => wants_boolean(a, true),
            Node::And(a, b) | Node::Or(a, b) => wants_boolean(a, true).and(wants_boolean(b, true)),
            Node::If(c, a, b) => wants_boolean(c, true).and(wants_boolean(b, self.is_boolean(a))),
        }
    }

    fn is_boolean(&self, mut e: ExprId) -> bool {
        loop {
            match self.pool.node(e) {
                Node::Truth(_) | Node::Relation(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => {
                    return true;
                }
                Node::Variable(v) => return self.variable(v).scalar == Scalar::Boolean,
                Node::If(_, a, _) | Node::Binary(Binary::Min | Binary::Max, a, _) => e = a,
                Node::Output(invoked, place) => {
                    return matches!(
                        self.pool.output_of(invoked, place),
                        Some((_, rhei_flat::Scalar::Boolean))
                    );
                }
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read;

    fn violation(text: &str) -> String {
        read(text).unwrap().verify().unwrap_err().to_string()
    }

    #[test]
    fn what_a_pass_must_not_do_is_found() {
        assert_eq!(violation("model M\n  unknown x\n  unknown x\n"), "x is there twice");
        assert_eq!(
            violation("model M\n  unknown x\n  parameter p = 2*x\n"),
            "an attribute or the binding of p depends on x"
        );
        assert_eq!(violation("model M\n  unknown x = 1\n"), "x is an unknown and has a binding");
        assert_eq!(
            violation("model M\n  parameter p\n  derivative der(p)\n"),
            "der(p) is the derivative of what is no unknown"
        );
        assert_eq!(
            violation("model M\n  unknown x\nequation\n  x = x > 1\n"),
            "x = x > 1 has a Boolean side and one that is not"
        );
        assert_eq!(
            violation("model M\n  unknown x\nequation\n  x = if x then 1 else 2\n"),
            "in if x then 1 else 2, x should be Boolean"
        );
    }
    /// An expression of a pool that has grown away from that of the model.
    #[test]
    fn an_expression_of_another_pool_is_found() {
        let mut model = read("model M\n  unknown x\nequation\n  x = 1\n").unwrap();
        let mut other = model.pool.clone();
        let two = other.number(2.0);
        model.equations[0].rhs = two;
        let n = model.pool.len();
        let message = format!("expression {n} is not among the {n} of the pool");
        assert_eq!(model.verify().unwrap_err().to_string(), message);
        model.pool = other;
        assert_eq!(model.verify(), Ok(()));
    }
}
