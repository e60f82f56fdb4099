//! Pieces put together to a mode of the whole model.

use rhei_equations::{Dae, EqId, Equations, Kind, Pool, VarId, Variable};
use rhei_solvable::{
    Assignment, Block, Cause, Choice, ImpulseRow, Impulses, Loop, Mode, Reason, Residual, Role, Settle,
    Solvable,
};

use super::compact::compact;
use super::discrete::Discrete;
use super::piece::{Component, Piece};

/// The part that is the same in all modes.
#[derive(Debug)]
pub(super) struct Frame {
    /// The expressions of the model, and of the part that is the same in all modes.
    pub(super) pool: Pool,
    /// How parameters are computed.
    pub(super) parameters: Vec<Block>,
    pub(super) unfixed: Vec<VarId>,
    /// Roles of variables that no piece determines.
    pub(super) roles: Vec<Choice>,
    pub(super) discrete: Discrete,
}

/// The mode made of pieces, which stand in the order in which they can be solved; `None` if its event system cannot be solved.
/// How many equations had to be looked at anew for the events is added to `looked_at`.
pub(super) fn join(
    of: &Dae,
    frame: &Frame,
    added: &[Variable],
    pieces: &[&Piece],
    mode: Mode,
    pool: &mut Pool,
    looked_at: &mut u64,
) -> Option<(Equations, Solvable)> {
    let mut roles = frame.roles.clone();
    let mut equations = equations(of, added, pieces, &mut roles);
    let (mut states, mut of_sets) = (Vec::new(), Vec::new());
    let (mut sets, mut assumptions) = (Vec::new(), Vec::new());
    let mut impulses = Jumps::default();
    let mut nodes: Vec<Component> = Vec::new();
    let mut begin = 0;
    for piece in pieces {
        let shift = Shift { n: of.equations.len(), by: begin };
        begin += piece.added.len();
        let in_set = |v: VarId| piece.sets.iter().any(|set| set.states.contains(&v));
        for state in &piece.states {
            if in_set(state.variable) { &mut of_sets } else { &mut states }.push(*state);
        }
        sets.extend(piece.sets.iter().cloned().map(|mut set| {
            set.equations.iter_mut().for_each(|e| *e = shift.id(*e));
            set
        }));
        assumptions.extend(piece.assumptions.iter().cloned().map(|mut assumption| {
            assumption.equations.iter_mut().for_each(|e| *e = shift.id(*e));
            assumption
        }));
        impulses.add(piece);
        nodes.extend(piece.components.iter().map(|component| shift.component(component)));
    }
    states.sort_by_key(|state| state.variable);
    states.append(&mut of_sets);
    let n = equations.variables.len();
    let event = frame.discrete.event_blocks(&nodes, &equations, pool, looked_at)?;
    let blocks: Vec<(Block, Vec<VarId>)> = nodes.into_iter().flat_map(|node| node.blocks).collect();
    let mut needed = vec![false; n];
    states.iter().for_each(|state| needed[state.derivative.index()] = true);
    let (continuous, dynamic) = dynamic_first(blocks, needed);
    let mut solvable = Solvable {
        mode,
        states,
        sets,
        assumptions,
        parameters: frame.parameters.clone(),
        unfixed: frame.unfixed.clone(),
        aliases: Vec::new(),
        initial: Vec::new(),
        surplus: Vec::new(),
        on_the_way: None,
        written: None,
        freed: None,
        continuous,
        dynamic,
        event,
        discrete: frame.discrete.blocks(),
        impulses: impulses.finish(),
        roles,
        tick: Vec::new(),
        first_tick: Vec::new(),
        first_tick_written: Vec::new(),
    };
    let pool = compact(pool, &mut equations, &mut solvable, &frame.pool);
    Some((Equations { pool, dae: equations }, solvable))
}

/// The equations of the mode, and the roles of its variables.
fn equations(of: &Dae, added: &[Variable], pieces: &[&Piece], roles: &mut Vec<Choice>) -> Dae {
    let mut variables = of.variables.clone();
    let n = variables.len();
    let unused = Choice { role: Role::Parameter, select: Default::default(), reason: Reason::Unchanging };
    for variable in added {
        // variables added in other modes keep their numbers
        let mut nothing = Variable::new(format!("{}, which is not there", variable.name), Kind::Given);
        nothing.is_hidden = true;
        variables.push(nothing);
        roles.push(unused.clone());
    }
    let mut all = of.equations.clone();
    let mut further = Vec::new();
    let (mut begin, mut first_set) = (0, 0);
    for piece in pieces {
        let shift = Shift { n: of.equations.len(), by: begin };
        begin += piece.added.len();
        for (e, equation) in &piece.rows {
            all[e.index()].clone_from(equation);
        }
        further.extend(piece.added.iter().cloned());
        for (v, attributes, choice) in &piece.variables {
            if let Some(place) = v.index().checked_sub(n) {
                variables[v.index()].clone_from(&added[place]);
            }
            let variable = &mut variables[v.index()];
            (variable.start, variable.nominal) = (attributes.start, attributes.nominal);
            (variable.min, variable.max) = (attributes.min, attributes.max);
            roles[v.index()] = shift.choice(choice, first_set);
        }
        first_set += piece.sets.len();
    }
    all.append(&mut further);
    Dae {
        name: of.name.clone(),
        variables,
        equations: all,
        initial: of.initial.clone(),
        events: of.events.clone(),
        clocks: of.clocks.clone(),
        guards: of.guards.clone(),
        asserts: of.asserts.clone(),
        limits: of.limits.clone(),
        functions: of.functions.clone(),
        experiment: of.experiment.clone(),
    }
}

/// The blocks that the derivatives of states need, then the others; each part keeps its order.
fn dynamic_first(blocks: Vec<(Block, Vec<VarId>)>, mut needed: Vec<bool>) -> (Vec<Block>, usize) {
    let mut is_dynamic = vec![false; blocks.len()];
    // backwards: a block stands after all it needs
    for (place, (block, uses)) in blocks.iter().enumerate().rev() {
        if block.targets().iter().any(|target| needed[target.index()]) {
            is_dynamic[place] = true;
            uses.iter().for_each(|v| needed[v.index()] = true);
        }
    }
    let (mut dynamic, mut watched) = (Vec::new(), Vec::new());
    for ((block, _), is_dynamic) in blocks.into_iter().zip(is_dynamic) {
        if is_dynamic { &mut dynamic } else { &mut watched }.push(block);
    }
    let count = dynamic.len();
    dynamic.append(&mut watched);
    (dynamic, count)
}

/// Jumps and impulses of all pieces.
#[derive(Default)]
struct Jumps {
    /// Each variable that may jump with its place before they are sorted.
    jumping: Vec<(VarId, usize)>,
    all: Impulses,
}

impl Jumps {
    fn add(&mut self, piece: &Piece) {
        let first = self.jumping.len();
        self.jumping.extend(piece.jumping.iter().enumerate().map(|(place, &v)| (v, first + place)));
        let moved = |row: &ImpulseRow| {
            let mut row = row.clone();
            row.jumps.iter_mut().for_each(|(place, _)| *place += first);
            row
        };
        self.all.rows.extend(piece.impulses.iter().map(moved));
        self.all.following.extend(piece.following.iter().map(|(v, row)| (*v, moved(row))));
        self.all.nonlinear.extend(&piece.nonlinear);
        self.all.proportions.extend(piece.proportions.iter().map(|&(place, e)| (place + first, e)));
    }

    fn finish(mut self) -> Impulses {
        self.jumping.sort_unstable();
        let mut place_of = vec![0; self.jumping.len()];
        self.jumping.iter().enumerate().for_each(|(place, &(_, before))| place_of[before] = place);
        let Impulses { rows, following, nonlinear, proportions, .. } = &mut self.all;
        let in_rows = rows.iter_mut().chain(following.iter_mut().map(|(_, row)| row));
        in_rows.flat_map(|row| &mut row.jumps).for_each(|(place, _)| *place = place_of[*place]);
        proportions.iter_mut().for_each(|(place, _)| *place = place_of[*place]);
        rows.sort_by_key(|row| row.equation);
        nonlinear.sort_unstable_by_key(|&(v, e)| (v, e.0));
        let mut impulsive: Vec<VarId> = rows.iter().flat_map(|row| &row.impulses).map(|&(v, _)| v).collect();
        impulsive.sort_unstable();
        impulsive.dedup();
        self.all.impulsive = impulsive;
        self.all.jumping = self.jumping.into_iter().map(|(v, _)| v).collect();
        self.all
    }
}

/// Equations that were added have other numbers than in their piece.
#[derive(Clone, Copy)]
struct Shift {
    /// How many equations the model has.
    n: usize,
    /// How many other pieces have added.
    by: usize,
}

impl Shift {
    fn id(self, e: EqId) -> EqId {
        if e.index() < self.n { e } else { EqId(e.0 + self.by as u32) }
    }

    fn cause(self, cause: Cause) -> Cause {
        match cause {
            Cause::Equation(e) => Cause::Equation(self.id(e)),
            other => other,
        }
    }

    fn assignment(self, assignment: &Assignment) -> Assignment {
        Assignment { because: self.cause(assignment.because), ..*assignment }
    }

    fn block(self, block: &Block) -> Block {
        match block {
            Block::Assign(assignment) => Block::Assign(self.assignment(assignment)),
            Block::Solve(torn) => Block::Solve(Box::new(Loop {
                following: torn.following.iter().map(|assignment| self.assignment(assignment)).collect(),
                residuals: torn
                    .residuals
                    .iter()
                    .map(|residual| Residual { because: self.cause(residual.because), ..*residual })
                    .collect(),
                ..Loop::clone(torn)
            })),
            Block::Settle(settle) => Block::Settle(Box::new(Settle {
                held: settle.held.clone(),
                blocks: settle.blocks.iter().map(|block| self.block(block)).collect(),
            })),
        }
    }

    fn component(self, component: &Component) -> Component {
        Component {
            rows: component.rows.iter().map(|&e| self.id(e)).collect(),
            blocks: component.blocks.iter().map(|(block, uses)| (self.block(block), uses.clone())).collect(),
        }
    }

    fn choice(self, choice: &Choice, first_set: usize) -> Choice {
        let mut made = choice.clone();
        if let Role::Candidate { set } = &mut made.role {
            *set += first_set;
        }
        if let Reason::Deselected { by, .. } = &mut made.reason {
            *by = by.map(|e| self.id(e));
        }
        made
    }
}
