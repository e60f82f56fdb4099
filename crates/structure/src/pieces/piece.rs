//! The analysed piece of a mode, in the numbering of the whole model.
//!
//! In: some pieces after the passes, as a model of their own. Out: each [`Piece`] for itself, so that it can be put together
//! with others. Variables added by index reduction are numbered behind those of the model, the same ones in all modes. Added
//! equations are counted in each piece, beginning after those of the model.

use std::ops::Range;

use rhei_equations::{Copied, EqId, Equation, Equations, ExprId, Kind, Pool, VarId, Variable};
use rhei_solvable::{
    Assignment, Assumed, Assumption, Block, Cause, Change, Choice, Factors, ImpulseRow, Jacobian, Loop,
    Manifold, Reason, Residual, Role, Settle, State, StateSet,
};
use rustc_hash::FxHashMap;

use super::extract::Extract;
use crate::Analysed;

/// A piece of a mode, ready to be put together with others.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Its equations, as the passes have left them.
    pub(super) rows: Vec<(EqId, Equation)>,
    /// Those that index reduction and state sets have added.
    pub(super) added: Vec<Equation>,
    /// Its variables, those that were added among them, with their attributes and roles.
    pub(super) variables: Vec<(VarId, Attributes, Choice)>,
    pub(super) states: Vec<State>,
    pub(super) sets: Vec<StateSet>,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) jumping: Vec<VarId>,
    /// Jumps are those of the variables of this piece, by place in `jumping`; so are they below.
    pub(super) impulses: Vec<ImpulseRow>,
    pub(super) nonlinear: Vec<(VarId, EqId)>,
    pub(super) following: Vec<(VarId, ImpulseRow)>,
    pub(super) proportions: Vec<(usize, ExprId)>,
    /// Variables that may be infinite for an instant.
    pub(super) infinite: Vec<VarId>,
    /// In the order in which they can be solved.
    pub(super) components: Vec<Component>,
}

/// Equations that need each other, and how they are solved.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) rows: Vec<EqId>,
    /// Each with the unknowns that it is computed from, those that are discrete among them.
    pub(super) blocks: Vec<(Block, Vec<VarId>)>,
}

/// Attributes of a variable that the passes may change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes {
    pub(super) start: Option<ExprId>,
    pub(super) min: Option<ExprId>,
    pub(super) max: Option<ExprId>,
    pub(super) nominal: Option<ExprId>,
}

/// Variables that were added, in all modes together.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// Numbered from that of the variables of the model on.
    pub(super) variables: Vec<Variable>,
    derivatives: FxHashMap<VarId, VarId>,
    sets: FxHashMap<Vec<VarId>, usize>,
    of_sets: FxHashMap<(usize, OfSet), VarId>,
}

/// Purpose of a variable of a state set, by the places of the state and the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum OfSet {
    State(usize),
    Factor(usize, usize),
    Start(usize, usize),
    ReferenceOfStart(usize),
    Reference(usize),
}

/// The way from the numbers of an extract to those of the whole.
pub(super) struct Back<'a> {
    pub(super) of: &'a Equations,
    pub(super) extract: &'a Extract,
    pub(super) analysed: &'a Analysed,
    /// The pool of all modes.
    pub(super) pool: &'a mut Pool,
    pub(super) added: &'a mut Added,
    /// Of the variables and equations of the whole model.
    pub(super) n_variables: usize,
    pub(super) n_equations: usize,
    copied: Copied,
    /// By variable of the extract.
    whole: Vec<VarId>,
    /// The piece of each variable of the extract that varies.
    piece_of: Vec<Option<usize>>,
    /// By equation of the extract that was added: its piece, and its place there.
    places: Vec<(usize, usize)>,
}

/// An equation was added of which it cannot be said to which piece it belongs.
#[derive(Debug)]
pub(super) struct NoPiece;

impl<'a> Back<'a> {
    /// `piece_of` says to which piece a variable of the model `of` belongs.
    pub(super) fn new(
        of: &'a Equations,
        extract: &'a Extract,
        analysed: &'a Analysed,
        pool: &'a mut Pool,
        added: &'a mut Added,
        piece_of: impl Fn(VarId) -> Option<usize>,
    ) -> Result<Self, NoPiece> {
        let whole = extract.variables.clone();
        let piece_of = whole.iter().map(|&v| piece_of(v)).collect();
        let copied = Copied::default();
        let places = Vec::new();
        let (n_variables, n_equations) = (of.variables.len(), of.equations.len());
        let mut back = Back {
            of,
            extract,
            analysed,
            pool,
            added,
            n_variables,
            n_equations,
            copied,
            whole,
            piece_of,
            places,
        };
        back.number_variables()?;
        back.number_equations()?;
        Ok(back)
    }

    /// Numbers for the added variables.
    fn number_variables(&mut self) -> Result<(), NoPiece> {
        let mut of_sets: FxHashMap<VarId, (usize, usize, OfSet)> = FxHashMap::default();
        for (place, set) in self.analysed.sets.iter().enumerate() {
            let candidates: Vec<VarId> = set.candidates.iter().map(|v| self.whole_of_candidate(*v)).collect();
            let next = self.added.sets.len() + 1;
            let number = *self.added.sets.entry(candidates).or_insert(next);
            for (i, &v) in set.states.iter().enumerate() {
                of_sets.insert(v, (place, number, OfSet::State(i)));
                of_sets.insert(set.references[i], (place, number, OfSet::Reference(i)));
                for &(j, v) in &set.factors[i] {
                    of_sets.insert(v, (place, number, OfSet::Factor(i, j)));
                }
            }
            for (i, assumed) in set.starts.iter().enumerate() {
                of_sets.insert(assumed.reference, (place, number, OfSet::ReferenceOfStart(i)));
                for &(j, v) in &assumed.factors {
                    of_sets.insert(v, (place, number, OfSet::Start(i, j)));
                }
            }
        }
        let all = &self.analysed.equations.variables;
        for (place, variable) in all.iter().enumerate().skip(self.whole.len()) {
            let v = VarId(place as u32);
            let (number, piece) = match (variable.kind, of_sets.get(&v)) {
                (Kind::Derivative { of }, _) => {
                    (self.derivative(self.whole[of.index()], variable), self.piece_of[of.index()])
                }
                (_, Some(&(set, number, what))) => {
                    let piece = self.piece_of[self.analysed.sets[set].candidates[0].index()];
                    (self.of_set(number, what, variable), piece)
                }
                _ => return Err(NoPiece),
            };
            self.whole.push(number);
            self.piece_of.push(piece);
        }
        Ok(())
    }

    /// A candidate may be a derivative that was added, and is numbered before the variables of its set.
    fn whole_of_candidate(&mut self, v: VarId) -> VarId {
        if let Some(&whole) = self.extract.variables.get(v.index()) {
            return whole;
        }
        let variable = self.analysed.equations.variable(v).clone();
        let Kind::Derivative { of } = variable.kind else { return v };
        let of = self.whole_of_candidate(of);
        self.derivative(of, &variable)
    }

    fn push(&mut self, variable: Variable) -> VarId {
        self.added.variables.push(variable);
        VarId((self.n_variables + self.added.variables.len() - 1) as u32)
    }

    fn derivative(&mut self, of: VarId, variable: &Variable) -> VarId {
        if let Some(&known) = self.added.derivatives.get(&of) {
            return known;
        }
        let mut made = variable.clone();
        made.kind = Kind::Derivative { of };
        if let Some(of) = of.index().checked_sub(self.n_variables) {
            // sets have other numbers here
            made.name = format!("der({})", self.added.variables[of].name).into();
        }
        let number = self.push(made);
        self.added.derivatives.insert(of, number);
        number
    }

    fn of_set(&mut self, set: usize, what: OfSet, variable: &Variable) -> VarId {
        if let Some(&known) = self.added.of_sets.get(&(set, what)) {
            return known;
        }
        let mut made = variable.clone();
        made.name = match what {
            OfSet::State(i) => format!("state {} of set {set}", i + 1),
            OfSet::Factor(i, j) => format!("factor {} of state {} of set {set}", j + 1, i + 1),
            OfSet::Start(i, j) => format!("factor {} of start {} of set {set}", j + 1, i + 1),
            OfSet::ReferenceOfStart(i) => format!("reference of start {} of set {set}", i + 1),
            OfSet::Reference(i) => format!("reference of state {} of set {set}", i + 1),
        }
        .into();
        let number = self.push(made);
        self.added.of_sets.insert((set, what), number);
        number
    }

    /// Places for the equations that were added.
    fn number_equations(&mut self) -> Result<(), NoPiece> {
        let Analysed { equations, .. } = self.analysed;
        let mut count: FxHashMap<usize, usize> = FxHashMap::default();
        for equation in &equations.equations[self.extract.rows.len()..] {
            let variables =
                [equation.lhs, equation.rhs].map(|side| equations.pool.variables_of(side)).concat();
            // settled unknowns come first, and are in no piece but their own
            let pieces = variables.iter().filter_map(|v| self.piece_of[v.index()]);
            let piece = pieces.max().ok_or(NoPiece)?;
            let count = count.entry(piece).or_default();
            self.places.push((piece, *count));
            *count += 1;
        }
        Ok(())
    }

    pub(super) fn variable(&self, v: VarId) -> VarId {
        self.whole[v.index()]
    }

    fn variables(&self, all: &[VarId]) -> Vec<VarId> {
        all.iter().map(|&v| self.variable(v)).collect()
    }

    pub(super) fn expression(&mut self, e: ExprId) -> ExprId {
        let Back { pool, copied, whole, analysed, .. } = self;
        pool.copy(&analysed.equations.pool, e, copied, |v| whole[v.index()])
    }

    fn jacobian(&mut self, rows: &Jacobian) -> Jacobian {
        rows.iter().map(|row| row.iter().map(|&(place, e)| (place, self.expression(e))).collect()).collect()
    }

    fn assumed(&self, assumed: &Assumed) -> Assumed {
        let factors = assumed.factors.iter().map(|&(place, v)| (place, self.variable(v))).collect();
        Assumed { factors, reference: self.variable(assumed.reference) }
    }

    fn factors(&self, factors: &[Vec<(usize, VarId)>]) -> Vec<Vec<(usize, VarId)>> {
        let of_row =
            |row: &Vec<(usize, VarId)>| row.iter().map(|&(place, v)| (place, self.variable(v))).collect();
        factors.iter().map(of_row).collect()
    }

    pub(super) fn id(&self, e: EqId) -> EqId {
        match e.index().checked_sub(self.extract.rows.len()) {
            None => self.extract.rows[e.index()],
            Some(place) => EqId((self.n_equations + self.places[place].1) as u32),
        }
    }

    fn ids(&self, all: &[EqId]) -> Vec<EqId> {
        all.iter().map(|&e| self.id(e)).collect()
    }

    fn cause(&self, cause: Cause) -> Cause {
        match cause {
            Cause::Equation(e) => Cause::Equation(self.id(e)),
            other => other,
        }
    }

    fn assignment(&mut self, assignment: &Assignment) -> Assignment {
        Assignment {
            target: self.variable(assignment.target),
            value: self.expression(assignment.value),
            because: self.cause(assignment.because),
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        match block {
            Block::Assign(assignment) => Block::Assign(self.assignment(assignment)),
            Block::Solve(torn) => Block::Solve(Box::new(Loop {
                guessed: self.variables(&torn.guessed),
                following: torn.following.iter().map(|assignment| self.assignment(assignment)).collect(),
                residuals: torn
                    .residuals
                    .iter()
                    .map(|residual| Residual {
                        value: self.expression(residual.value),
                        because: self.cause(residual.because),
                    })
                    .collect(),
                balance: torn.balance.iter().map(|&e| self.expression(e)).collect(),
                factors: torn.factors.as_ref().map(|factors| {
                    let mut variables = self.variables(&factors.variables);
                    variables.sort_unstable();
                    Factors { variables, on_time: factors.on_time }
                }),
            })),
            Block::Settle(settle) => Block::Settle(Box::new(Settle {
                held: self.variables(&settle.held),
                blocks: settle.blocks.iter().map(|block| self.block(block)).collect(),
            })),
        }
    }

    fn equation(&mut self, equation: &Equation) -> Equation {
        let (lhs, rhs) = (self.expression(equation.lhs), self.expression(equation.rhs));
        Equation { lhs, rhs, ..equation.clone() }
    }

    fn set(&mut self, set: &StateSet) -> StateSet {
        StateSet {
            equations: self.ids(&set.equations),
            candidates: self.variables(&set.candidates),
            dummies: self.variables(&set.dummies),
            others: self.variables(&set.others),
            jacobian: self.jacobian(&set.jacobian),
            manifold: Manifold {
                unknowns: self.variables(&set.manifold.unknowns),
                residuals: set.manifold.residuals.iter().map(|&e| self.expression(e)).collect(),
                jacobian: self.jacobian(&set.manifold.jacobian),
                eliminated: set.manifold.eliminated,
            },
            states: self.variables(&set.states),
            order: set.order.clone(),
            factors: self.factors(&set.factors),
            starts: set.starts.iter().map(|assumed| self.assumed(assumed)).collect(),
            references: self.variables(&set.references),
            ..*set
        }
    }

    fn choice(&self, choice: &Choice, set_in_piece: &[usize]) -> Choice {
        let role = match choice.role {
            Role::Candidate { set } => Role::Candidate { set: set_in_piece[set] },
            role => role,
        };
        let reason = match &choice.reason {
            Reason::Chosen { over, change } => Reason::Chosen {
                over: over.map(|v| self.variable(v)),
                change: change.as_ref().map(|change| self.change(change)),
            },
            Reason::Deselected { by, from, change } => Reason::Deselected {
                by: by.map(|e| self.id(e)),
                from: from.map(|v| self.variable(v)),
                change: change.as_ref().map(|change| self.change(change)),
            },
            other => other.clone(),
        };
        Choice { role, reason, select: choice.select }
    }

    fn change(&self, change: &Change) -> Change {
        Change { others: change.others.map(|v| self.variable(v)), ..*change }
    }

    fn impulse_row(&mut self, row: &ImpulseRow, jumps: &[(usize, usize)]) -> ImpulseRow {
        ImpulseRow {
            equation: self.id(row.equation),
            jumps: row.jumps.iter().map(|&(place, e)| (jumps[place].1, self.expression(e))).collect(),
            impulses: row.impulses.iter().map(|&(v, e)| (self.variable(v), self.expression(e))).collect(),
        }
    }

    /// Whether an equation, as the passes have left it, holds no unknown of another one of the `islands`: where sums of equations show a
    /// constraint, they may be of several.
    fn is_within(&self, equation: &Equation, piece: usize, islands: &Range<usize>) -> bool {
        let sides = [equation.lhs, equation.rhs];
        let mut all = sides.into_iter().flat_map(|side| self.analysed.equations.pool.variables_of(side));
        all.all(|v| {
            let is_other =
                self.piece_of[v.index()].is_some_and(|other| other != piece && islands.contains(&other));
            !is_other || !self.analysed.equations.variable(v).is_unknown()
        })
    }

    /// The pieces, so many of them; `piece_of_row` says to which one an equation of the extract belongs.
    pub(super) fn pieces(
        mut self,
        (n, islands): (usize, Range<usize>),
        piece_of_row: impl Fn(EqId) -> usize,
    ) -> Option<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::new();
        pieces.resize_with(n, Piece::default);
        let analysed = self.analysed;
        let n_rows = self.extract.rows.len();
        for (place, equation) in analysed.equations.equations.iter().enumerate() {
            let made = self.equation(equation);
            let own = match place.checked_sub(n_rows) {
                None => piece_of_row(self.extract.rows[place]),
                Some(place) => self.places[place].0,
            };
            if !self.is_within(equation, own, &islands) {
                return None;
            }
            match self.extract.rows.get(place) {
                Some(&e) => pieces[own].rows.push((e, made)),
                None => pieces[own].added.push(made),
            }
        }
        let of = |back: &Self, v: VarId| back.piece_of[v.index()];
        let mut set_in_piece = Vec::new();
        for set in &analysed.sets {
            let piece = &mut pieces[of(&self, set.candidates[0])?];
            set_in_piece.push(piece.sets.len());
            piece.sets.push(self.set(set));
        }
        for (place, variable) in analysed.equations.variables.iter().enumerate() {
            let v = VarId(place as u32);
            let is_of_piece = variable.is_unknown() || place >= self.extract.variables.len();
            let Some(piece) = of(&self, v).filter(|_| is_of_piece) else { continue };
            let mut copy = |e: Option<ExprId>| e.map(|e| self.expression(e));
            let attributes = Attributes {
                start: copy(variable.start),
                min: copy(variable.min),
                max: copy(variable.max),
                nominal: copy(variable.nominal),
            };
            let choice = self.choice(&analysed.roles[place], &set_in_piece);
            pieces[piece].variables.push((self.variable(v), attributes, choice));
        }
        for state in &analysed.states {
            let (variable, derivative) = (self.variable(state.variable), self.variable(state.derivative));
            pieces[of(&self, state.variable)?].states.push(State { variable, derivative });
        }
        for assumption in &analysed.assumptions {
            let piece = of(&self, *assumption.solved_for.first()?)?;
            let made = Assumption {
                equations: self.ids(&assumption.equations),
                solved_for: self.variables(&assumption.solved_for),
                from: self.variables(&assumption.from),
                jacobian: self.jacobian(&assumption.jacobian),
            };
            pieces[piece].assumptions.push(made);
        }
        self.impulses(&mut pieces, &piece_of_row)?;
        for component in &analysed.components {
            let rows = self.ids(&component.rows);
            let mut blocks = Vec::new();
            for block in &component.blocks {
                blocks.push((self.block(block), self.uses(block)));
            }
            let piece = of(&self, *component.blocks.first()?.targets().first()?)?;
            pieces[piece].components.push(Component { rows, blocks });
        }
        Some(pieces)
    }

    fn impulses(&mut self, pieces: &mut [Piece], piece_of_row: &impl Fn(EqId) -> usize) -> Option<()> {
        let impulses = &self.analysed.impulses;
        let following = impulses.following.iter().map(|(v, _)| v);
        for v in impulses.impulsive.iter().chain(following) {
            pieces[self.piece_of[v.index()]?].infinite.push(self.variable(*v));
        }
        let mut jumps = Vec::new();
        for &v in &impulses.jumping {
            let piece = self.piece_of[v.index()]?;
            jumps.push((piece, pieces[piece].jumping.len()));
            pieces[piece].jumping.push(self.variable(v));
        }
        for row in &impulses.rows {
            let row = self.impulse_row(row, &jumps);
            pieces[piece_of_row(row.equation)].impulses.push(row);
        }
        for &(v, e) in &impulses.nonlinear {
            let e = self.id(e);
            pieces[piece_of_row(e)].nonlinear.push((self.variable(v), e));
        }
        for (v, row) in &impulses.following {
            let row = self.impulse_row(row, &jumps);
            pieces[piece_of_row(row.equation)].following.push((self.variable(*v), row));
        }
        for &(place, e) in &impulses.proportions {
            let (piece, place) = jumps[place];
            let e = self.expression(e);
            pieces[piece].proportions.push((place, e));
        }
        Some(())
    }

    /// The unknowns that a block is computed from, whatever it computes itself.
    fn uses(&self, block: &Block) -> Vec<VarId> {
        let mut found: Vec<VarId> =
            block.values().into_iter().flat_map(|e| self.analysed.equations.pool.variables_of(e)).collect();
        found.sort_unstable();
        found.dedup();
        // variables known to this piece may be computed by another
        let varies = |v: &VarId| match self.of.variables.get(v.index()) {
            Some(variable) => variable.is_unknown(),
            None => true,
        };
        let mut found = self.variables(&found);
        found.retain(varies);
        found
    }
}
