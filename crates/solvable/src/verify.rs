//! The invariants of [`Solvable`], checked.

use rhei_equations::{Equations, ExprId, Kind, VarId};
use rhei_source::Violation;

use crate::{Block, Solvable};

impl Solvable {
    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self, equations: &Equations) -> Result<(), Violation> {
        let n = equations.variables.len();
        if self.roles.len() != n {
            return Err(Violation(format!("{} roles for {n} variables", self.roles.len())));
        }
        let is_unknown: Vec<bool> = equations.variables.iter().map(|v| v.is_unknown()).collect();
        let is_parameter: Vec<bool> = is_unknown.iter().map(|unknown| !unknown).collect();

        let mut is_state = vec![false; n];
        for state in &self.states {
            let name = &equations.variable(state.variable).name;
            if std::mem::replace(&mut is_state[state.variable.index()], true) {
                return Err(Violation(format!("{name} is a state twice")));
            }
            if equations.variable(state.derivative).kind != (Kind::Derivative { of: state.variable }) {
                return Err(Violation(format!("the state {name} has no derivative")));
            }
        }
        let is_computed: Vec<bool> = (0..n).map(|i| is_unknown[i] && !is_state[i]).collect();
        let known: Vec<bool> = (0..n).map(|i| is_parameter[i] || is_state[i]).collect();

        self.verify_order(equations, "parameters", &self.parameters, vec![false; n], &is_parameter)?;
        self.verify_order(equations, "initial", &self.initial, is_parameter, &is_unknown)?;
        self.verify_order(equations, "continuous", &self.continuous, known, &is_computed)?;

        let dynamic = &self.continuous[..self.dynamic.min(self.continuous.len())];
        for state in &self.states {
            let computed =
                dynamic.iter().any(|block| block.targets().any(|target| target == state.derivative))
                    || is_state[state.derivative.index()];
            if !computed {
                let name = &equations.variable(state.derivative).name;
                return Err(Violation(format!("{name} is not computed by the dynamic blocks")));
            }
        }
        Ok(())
    }

    /// Whether `blocks` compute what they should, once each, from what is known by then.
    fn verify_order(
        &self,
        equations: &Equations,
        title: &str,
        blocks: &[Block],
        mut known: Vec<bool>,
        wanted: &[bool],
    ) -> Result<(), Violation> {
        let name = |i: usize| &equations.variables[i].name;
        let mut computed = vec![false; known.len()];
        let mut compute = |target: VarId, known: &mut [bool]| {
            if std::mem::replace(&mut computed[target.index()], true) {
                return Err(Violation(format!("{title}: {} is computed twice", name(target.index()))));
            }
            known[target.index()] = true;
            Ok(())
        };
        let check = |value: ExprId, what: &str, known: &[bool]| {
            let unknown = self.pool.variables_of(value).into_iter().find(|v| !known[v.index()]);
            match unknown {
                Some(v) => Err(Violation(format!(
                    "{title}: {what} is computed from {}, which is not known yet",
                    name(v.index())
                ))),
                None => Ok(()),
            }
        };
        for block in blocks {
            match block {
                Block::Assign(assignment) => {
                    check(assignment.value, name(assignment.target.index()), &known)?;
                    compute(assignment.target, &mut known)?;
                }
                Block::Solve(torn) => {
                    if torn.guessed.len() != torn.residuals.len() {
                        let (n, m) = (torn.guessed.len(), torn.residuals.len());
                        return Err(Violation(format!("{title}: {n} guesses and {m} residuals")));
                    }
                    torn.guessed.iter().try_for_each(|v| compute(*v, &mut known))?;
                    for assignment in &torn.following {
                        check(assignment.value, name(assignment.target.index()), &known)?;
                        compute(assignment.target, &mut known)?;
                    }
                    for residual in &torn.residuals {
                        check(residual.value, "a residual", &known)?;
                    }
                }
            }
        }
        match (0..known.len()).find(|&i| computed[i] != wanted[i]) {
            Some(i) if wanted[i] => Err(Violation(format!("{title}: {} is not computed", name(i)))),
            Some(i) => Err(Violation(format!("{title}: {} should not be computed", name(i)))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::{EqId, StateSelect, read};

    use super::*;
    use crate::{Assignment, Cause, Choice, Mode, Reason, Role, State};

    /// x' = y, y = -x, with the blocks of `continuous` in the given order of targets.
    fn violation(order: &[u32]) -> Option<String> {
        let model = read(
            "model M\n  unknown x\n  derivative der(x)\n  unknown y\nequation\n  der(x) = y\n  y = -x\n",
        )
        .unwrap();
        let rhs = |target: u32| if target == 1 { model.equations[0].rhs } else { model.equations[1].rhs };
        let assign = |&target: &u32| {
            let because = Cause::Equation(EqId(0));
            Block::Assign(Assignment { target: VarId(target), value: rhs(target), because })
        };
        let choice =
            Choice { role: Role::Algebraic, select: StateSelect::Default, reason: Reason::NotDifferentiated };
        let mut pool = model.pool.clone();
        let one = pool.number(1.0);
        let start =
            Block::Assign(Assignment { target: VarId(0), value: one, because: Cause::Start(VarId(0)) });
        let solvable = Solvable {
            mode: Mode::default(),
            pool,
            states: vec![State { variable: VarId(0), derivative: VarId(1) }],
            parameters: vec![],
            initial: std::iter::once(start).chain([2, 1].iter().map(assign)).collect(),
            continuous: order.iter().map(assign).collect(),
            dynamic: 2,
            roles: vec![choice; 3],
        };
        solvable.verify(&model).err().map(|violation| violation.to_string())
    }

    #[test]
    fn order_and_completeness_are_checked() {
        assert_eq!(violation(&[2, 1]), None);
        assert_eq!(
            violation(&[1, 2]).unwrap(),
            "continuous: der(x) is computed from y, which is not known yet"
        );
        assert_eq!(violation(&[2, 1, 2]).unwrap(), "continuous: y is computed twice");
        assert_eq!(violation(&[2]).unwrap(), "continuous: der(x) is not computed");
    }
}
