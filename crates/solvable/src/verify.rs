//! The invariants of [`Solvable`], checked.

use rhei_equations::{Equations, ExprId, Kind, Node, VarId};
use rhei_source::Violation;

use crate::{Assignment, Block, Jacobian, Solvable, Surplus};

impl Solvable {
    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self, equations: &Equations) -> Result<(), Violation> {
        if let Some(e) = equations.pool.first_missing(self.expressions()) {
            let n = equations.pool.len();
            return Err(Violation(format!("expression {} is not among the {n} of the pool", e.0)));
        }
        let n = equations.variables.len();
        if self.roles.len() != n {
            return Err(Violation(format!("{} roles for {n} variables", self.roles.len())));
        }
        let all = |is: &dyn Fn(&rhei_equations::Variable) -> bool| -> Vec<bool> {
            equations.variables.iter().map(is).collect()
        };
        let mut is_unknown = all(&|v| v.is_unknown());
        let is_given = all(&|v| v.kind == Kind::Given);
        let is_previous = all(&|v| matches!(v.kind, Kind::Pre { .. }));
        let is_discrete = all(&|v| v.is_unknown() && v.is_discrete);
        let mut is_parameter = all(&|v| v.is_parameter());
        let every_parameter = is_parameter.clone();
        let mut is_unfixed = vec![false; n];
        for v in &self.unfixed {
            is_unfixed[v.index()] = true;
            is_parameter[v.index()] = false;
        }

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
        for set in &self.sets {
            let square = is_jacobian(&set.jacobian, set.others.len() + set.candidates.len());
            let has_factors = set.factors.iter().flatten().all(|&(place, _)| place < set.candidates.len())
                && if set.order.is_empty() {
                    set.factors.iter().all(|factors| factors.len() == set.candidates.len())
                } else {
                    set.order.len() == set.candidates.len()
                };
            let is_whole = set.states.len() == set.dimension()
                && set.factors.len() == set.dimension()
                && set.references.len() == set.dimension()
                && set.jacobian.len() == set.others.len() + set.dummies.len();
            // states of an implicit method are unknowns of the tick
            let integrated = set.states.iter().all(|v| is_state[v.index()] || !self.tick.is_empty())
                && !set.candidates.iter().any(|v| is_state[v.index()]);
            let manifold = &set.manifold;
            let confined = manifold.unknowns.starts_with(&set.candidates)
                && manifold.unknowns.len() == manifold.residuals.len() + set.dimension()
                && manifold.jacobian.len() == manifold.residuals.len()
                && manifold.eliminated <= manifold.residuals.len()
                && is_jacobian(&manifold.jacobian, manifold.unknowns.len());
            if !(square && has_factors && is_whole && integrated && confined) {
                let names: Vec<&str> =
                    set.candidates.iter().map(|v| equations.variable(*v).name.as_str()).collect();
                return Err(Violation(format!("the set of {} is not whole", names.join(", "))));
            }
        }
        for alias in &self.aliases {
            self.verify_alias(equations, alias, &is_state)?;
            is_unknown[alias.target.index()] = false;
        }
        let any = |i: usize, sets: &[&[bool]]| sets.iter().any(|set| set[i]);
        let known_at = |sets: &[&[bool]]| (0..n).map(|i| any(i, sets)).collect::<Vec<bool>>();
        let at_start = known_at(&[&is_unknown, &is_previous, &is_unfixed]);
        let computed: Vec<bool> = (0..n).map(|i| is_unknown[i] && !is_state[i]).collect();
        let continuous: Vec<bool> = (0..n).map(|i| computed[i] && !is_discrete[i]).collect();

        self.verify_order(equations, "parameters", &self.parameters, is_given.clone(), &is_parameter)?;
        let known = known_at(&[&is_parameter, &is_given]);
        if !self.initial.is_empty() {
            self.verify_order(equations, "initial", &self.initial, known, &at_start)?;
        }
        let known_at_start = known_at(&[&is_parameter, &is_given, &at_start]);
        self.verify_surplus(equations, &self.surplus, &known_at_start)?;
        if let Some(freed) = &self.freed {
            let known = known_at(&[&is_parameter, &is_given]);
            self.verify_order(equations, "freed initial", &freed.initial, known, &at_start)?;
            self.verify_surplus(equations, &freed.surplus, &known_at_start)?;
        }
        if let Some(written) = &self.written {
            let known = known_at(&[&is_parameter, &is_given]);
            self.verify_order(equations, "written initial", &written.initial, known, &at_start)?;
        }
        let known = known_at(&[&every_parameter, &is_given, &is_previous, &is_state, &is_discrete]);
        self.verify_order(equations, "continuous", &self.continuous, known, &continuous)?;
        if !self.event.is_empty() {
            let known = known_at(&[&every_parameter, &is_given, &is_previous, &is_state]);
            self.verify_order(equations, "event", &self.event, known, &computed)?;
        }

        if !self.discrete.is_empty() {
            let known: Vec<bool> = (0..n).map(|i| !is_discrete[i]).collect();
            self.verify_order(equations, "discrete", &self.discrete, known, &is_discrete)?;
        }

        let dynamic = &self.continuous[..self.dynamic.min(self.continuous.len())];
        let mut is_dynamic = is_state;
        dynamic.iter().flat_map(Block::targets).for_each(|v| is_dynamic[v.index()] = true);
        for state in &self.states {
            if !is_dynamic[state.derivative.index()] {
                let name = &equations.variable(state.derivative).name;
                return Err(Violation(format!("{name} is not computed by the dynamic blocks")));
            }
        }
        Ok(())
    }

    /// Whether `blocks` compute their unknowns, once each, from known variables.
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
        self.verify_blocks(equations, title, blocks, &mut known, &mut computed)?;
        match (0..known.len()).find(|&i| computed[i] != wanted[i]) {
            Some(i) if wanted[i] => Err(Violation(format!("{title}: {} is not computed", name(i)))),
            Some(i) => Err(Violation(format!("{title}: {} should not be computed", name(i)))),
            None => Ok(()),
        }
    }
}

impl Solvable {
    fn verify_alias(
        &self,
        equations: &Equations,
        alias: &Assignment,
        is_state: &[bool],
    ) -> Result<(), Violation> {
        let v = equations.variable(alias.target);
        if !v.is_unknown() || v.is_discrete || is_state[alias.target.index()] {
            return Err(Violation(format!("{} cannot be an alias", v.name)));
        }
        let of = match equations.pool.node(alias.value) {
            Node::Negate(of) => equations.pool.node(of),
            of => of,
        };
        let is_alias = |v: VarId| self.aliases.binary_search_by_key(&v, |alias| alias.target).is_ok();
        match of {
            Node::Number(_) => Ok(()),
            Node::Variable(of) if !is_alias(of) => Ok(()),
            _ => Err(Violation(format!("{} is no alias of what it is said to be", v.name))),
        }
    }

    fn verify_surplus(
        &self,
        equations: &Equations,
        surplus: &[Surplus],
        known: &[bool],
    ) -> Result<(), Violation> {
        let sides = surplus.iter().flat_map(|condition| [condition.lhs, condition.rhs]);
        let unknown = sides.flat_map(|side| equations.pool.variables_of(side)).find(|v| !known[v.index()]);
        match unknown {
            Some(v) => {
                Err(Violation(format!("surplus: {} is not known at the start", equations.variable(v).name)))
            }
            None => Ok(()),
        }
    }

    fn verify_blocks(
        &self,
        equations: &Equations,
        title: &str,
        blocks: &[Block],
        known: &mut [bool],
        computed: &mut [bool],
    ) -> Result<(), Violation> {
        let name = |i: usize| &equations.variables[i].name;
        let compute = |target: VarId, known: &mut [bool], computed: &mut [bool]| {
            if std::mem::replace(&mut computed[target.index()], true) {
                return Err(Violation(format!("{title}: {} is computed twice", name(target.index()))));
            }
            known[target.index()] = true;
            Ok(())
        };
        let check = |value: ExprId, what: &str, known: &[bool]| {
            let unknown = equations.pool.variables_of(value).into_iter().find(|v| !known[v.index()]);
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
                    check(assignment.value, name(assignment.target.index()), known)?;
                    compute(assignment.target, known, computed)?;
                }
                Block::Solve(torn) => {
                    if torn.balance.len() > torn.guessed.len() {
                        return Err(Violation("a loop balances more than it guesses".into()));
                    }
                    if torn.guessed.len() != torn.residuals.len() {
                        let (n, m) = (torn.guessed.len(), torn.residuals.len());
                        return Err(Violation(format!("{title}: {n} guesses and {m} residuals")));
                    }
                    torn.guessed.iter().try_for_each(|v| compute(*v, known, computed))?;
                    for assignment in &torn.following {
                        check(assignment.value, name(assignment.target.index()), known)?;
                        compute(assignment.target, known, computed)?;
                    }
                    for residual in &torn.residuals {
                        check(residual.value, "a residual", known)?;
                    }
                }
                Block::Settle(settle) => {
                    settle.held.iter().for_each(|v| known[v.index()] = true);
                    self.verify_blocks(equations, title, &settle.blocks, known, computed)?;
                    let missing = settle.held.iter().find(|v| !computed[v.index()]);
                    if let Some(v) = missing {
                        return Err(Violation(format!(
                            "{title}: {} is held and not computed",
                            name(v.index())
                        )));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether the rows depend on unknowns below `n`, each named once.
fn is_jacobian(rows: &Jacobian, n: usize) -> bool {
    rows.iter().all(|row| row.is_sorted_by(|a, b| a.0 < b.0) && row.last().is_none_or(|last| last.0 < n))
}

#[cfg(test)]
mod tests {
    use rhei_equations::{EqId, StateSelect, read};

    use super::*;
    use crate::{Cause, Choice, Mode, Reason, Role, State};

    /// x' = y, y = -x, with the blocks of `continuous` in the given order of targets.
    fn violation(order: &[u32]) -> Option<String> {
        let mut model = read(
            "model M\n  unknown x\n  derivative der(x)\n  unknown y\nequation\n  der(x) = y\n  y = -x\n",
        )
        .unwrap();
        let one = model.pool.number(1.0);
        let rhs = |target: u32| if target == 1 { model.equations[0].rhs } else { model.equations[1].rhs };
        let assign = |&target: &u32| {
            let because = Cause::Equation(EqId(0));
            Block::Assign(Assignment { target: VarId(target), value: rhs(target), because })
        };
        let choice =
            Choice { role: Role::Algebraic, select: StateSelect::Default, reason: Reason::NotDifferentiated };
        let start =
            Block::Assign(Assignment { target: VarId(0), value: one, because: Cause::Start(VarId(0)) });
        let solvable = Solvable {
            mode: Mode::default(),
            sets: Vec::new(),
            assumptions: Vec::new(),
            states: vec![State { variable: VarId(0), derivative: VarId(1) }],
            parameters: vec![],
            unfixed: vec![],
            aliases: vec![],
            on_the_way: None,
            freed: None,
            written: None,
            surplus: vec![],
            event: vec![],
            discrete: vec![],
            impulses: Default::default(),
            initial: std::iter::once(start).chain([2, 1].iter().map(assign)).collect(),
            continuous: order.iter().map(assign).collect(),
            dynamic: 2,
            roles: vec![choice; 3],
            tick: Vec::new(),
            first_tick: Vec::new(),
            first_tick_written: Vec::new(),
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
