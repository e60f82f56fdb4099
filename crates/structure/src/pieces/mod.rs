//! Modes put together of pieces, each of which is analysed once, however many modes it is a part of.
//!
//! In: the values of the guards. Out: the model in that mode, as the passes would make it of all its equations. The equations of
//! a mode fall into islands ([`cut`]) which share only unknowns that follow from known values (the potential of a node that a
//! closed switch grounds). The passes' result for an island depends on its own equations and on those of what is known in it:
//! these are its key in the cache. Forty-nine switches in a row so make a thousand islands and not 2^49 modes, and a mode that is
//! new costs what is new in it. Whatever is out of the ordinary is left to the passes for the whole.

mod compact;
mod cut;
mod discrete;
mod extract;
mod join;
mod piece;

use std::sync::Arc;

use rhei_equations::{EqId, Equations, ExprId, Kind, Pool, StateSelect, VarId, Variable};
use rhei_solvable::{Choice, Mode, Reason, Role, Solvable};
use rhei_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use self::cut::{Cut, cut};
use self::discrete::Discrete;
use self::extract::{Extract, Sides};
use self::join::{Frame, join};
use self::piece::{Added, Back, Piece};
use crate::analysed;
use crate::gauge::said_once;
use crate::guards::Modes;
use crate::order_parameters::order_parameters;

/// The pool of all modes may grow to so many times its size after the first mode; then everything is
/// forgotten.
const MOST_GROWTH: usize = 10;
/// Size of the pool that is always permitted.
const SMALL_POOL: usize = 10_000;
/// Pieces are kept until they have so many times the equations of the model.
const MOST_KEPT: usize = 30;
/// They may have so many in any case.
const FEW_KEPT: usize = 2_000;
/// Most attempts to find the islands of a mode.
const MOST_TURNS: usize = 8;

/// The columns of an equation, with the highest derivative that occurs.
type Orders = Arc<[(usize, u32)]>;

/// The cached pieces of a model's modes.
#[derive(Debug)]
pub struct Pieces {
    frame: Frame,
    derivatives: Vec<Option<VarId>>,
    /// By column of the chains, whether one equation alone may settle it.
    may_be_settled: Vec<bool>,
    /// Whether some unknown has a range or a nominal value, which its aliases share.
    has_ranges: bool,
    /// The expressions of all modes.
    pool: Pool,
    /// Incidence of an equation with these sides.
    orders: FxHashMap<(ExprId, ExprId), Orders>,
    added: Added,
    known: FxHashMap<Key, Arc<CachedPiece>>,
    /// How many equations the pieces have that are kept.
    kept: usize,
    /// Equations that settle an unknown whose derivative a piece needs, and those with unknowns that may be infinite.
    tied: FxHashSet<Sides>,
    /// Size of the pool after the first mode.
    first_size: Option<usize>,
    work: PieceWork,
}

/// Work spent on pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceWork {
    /// Equations that went through the passes.
    pub equations: u64,
    /// Pieces that did.
    pub pieces: u64,
    /// Modes that could not be taken apart.
    pub whole: u64,
}

/// Cache key of a piece: its equations, those that settle what it shares with others, and whether equations may be redundant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    rows: Vec<Sides>,
    borders: Vec<Sides>,
    /// The column that it determines, if it takes everything else as given.
    follows: Option<usize>,
    with_gauge: bool,
}

/// A cached piece with its diagnostics.
#[derive(Debug)]
struct CachedPiece {
    notes: Vec<Diagnostic>,
    /// After all passes, if it was needed.
    piece: Option<Piece>,
}

/// The model in a mode.
#[derive(Debug)]
pub enum Found {
    /// The common structure will do.
    Common,
    /// It has a structure of its own.
    Own(Box<Made>),
    /// All its equations have to be looked at together.
    Whole,
}

/// A mode, put together.
#[derive(Debug)]
pub struct Made {
    /// Its equations, with those added by index reduction.
    pub equations: Equations,
    /// How they are solved.
    pub solvable: Solvable,
    /// Diagnostics for a run in this mode.
    pub notes: Vec<Diagnostic>,
}

impl Pieces {
    /// No piece yet; `None` where the modes of a model cannot be taken apart.
    pub fn new(modes: &Modes) -> Option<Pieces> {
        let of = modes.equations();
        if of.equations.iter().any(|equation| equation.balance.is_some()) {
            return None;
        }
        let mut pool = of.pool.clone();
        let mut said = Vec::new();
        let parameters = order_parameters(of, &mut pool, &mut said)?;
        let discrete = Discrete::new(of, &mut pool, &mut said)?;
        let frame = Frame {
            pool: pool.clone(),
            parameters: parameters.blocks,
            unfixed: parameters.unfixed,
            roles: of.variables.iter().map(role).collect(),
            discrete,
        };
        let chains = modes.chains();
        let is_set: FxHashSet<VarId> = of.events.reinits.iter().map(|reinit| reinit.target).collect();
        let may_be_settled = chains.members.iter().map(|members| match members.as_slice() {
            [v] => of.variable(*v).select < StateSelect::Prefer && !is_set.contains(v),
            _ => false,
        });
        let unknowns = chains.members.iter().map(|members| of.variable(members[0]));
        let has_range = |v: &Variable| v.min.is_some() || v.max.is_some() || v.nominal.is_some();
        Some(Pieces {
            frame,
            derivatives: of.derivatives(),
            may_be_settled: may_be_settled.collect(),
            has_ranges: unknowns.into_iter().any(has_range),
            pool,
            orders: FxHashMap::default(),
            added: Added::default(),
            known: FxHashMap::default(),
            kept: 0,
            tied: FxHashSet::default(),
            first_size: None,
            work: PieceWork::default(),
        })
    }

    /// Work spent on the pieces so far.
    pub fn work(&self) -> PieceWork {
        self.work
    }

    /// The model in a mode that is entered on the way. A mode on trial must be determined by itself, with a structure of its own
    /// in any case.
    pub fn enter(&mut self, modes: &Modes, guards: &[bool], mode: Mode, is_trial: bool) -> Found {
        self.forget_where_large(modes);
        let found = self.found(modes, guards, mode, is_trial).unwrap_or(Found::Whole);
        if let Found::Whole = found {
            self.work.whole += 1;
        }
        found
    }

    /// Whatever is kept would be kept for all modes: where that has become much, pieces are found anew.
    fn forget_where_large(&mut self, modes: &Modes) {
        let most = self.first_size.map_or(usize::MAX, |first| (MOST_GROWTH * first).max(SMALL_POOL));
        let most_kept = (MOST_KEPT * modes.equations().equations.len()).max(FEW_KEPT);
        if (self.pool.len() > most || self.kept > most_kept)
            && let Some(fresh) = Pieces::new(modes)
        {
            *self = Pieces { work: self.work, ..fresh };
        }
    }

    fn found(&mut self, modes: &Modes, guards: &[bool], mode: Mode, is_trial: bool) -> Option<Found> {
        let of = modes.equations();
        let rows = self.rows(modes, guards);
        for _ in 0..MOST_TURNS {
            let cut = self.cut(modes, &rows)?;
            let keys = keys(&rows, &cut, !is_trial);
            if !is_trial {
                self.find_gauges(modes, &rows, &cut, &keys)?;
                let has_notes = keys[..cut.n_closed()].iter().any(|key| !self.known[key].notes.is_empty());
                if !has_notes && modes.is_common_where(rows.orders.iter().map(|orders| &**orders)) {
                    return Some(Found::Common);
                }
            }
            if !self.analyse(modes, &rows, &cut, &keys, 0..cut.n_closed())? {
                continue; // again, with the equations that have to stay together
            }
            self.analyse(modes, &rows, &cut, &keys, cut.n_closed()..keys.len())?;
            if !self.only_looks_at_finite_things(&rows, &cut, &keys, modes) {
                continue;
            }
            let known: Vec<Arc<CachedPiece>> = keys.iter().map(|key| self.known[key].clone()).collect();
            let pieces: Vec<&Piece> =
                known.iter().map(|known| known.piece.as_ref()).collect::<Option<_>>()?;
            let Pieces { frame, added, pool, work, .. } = self;
            let looked_at = &mut work.equations;
            let (equations, solvable) = join(of, frame, &added.variables, &pieces, mode, pool, looked_at)?;
            debug_assert_eq!(equations.verify(), Ok(()));
            debug_assert_eq!(solvable.verify(&equations), Ok(()));
            self.first_size.get_or_insert(self.pool.len());
            let notes = known.iter().flat_map(|known| known.notes.iter().cloned()).collect();
            return Some(Found::Own(Box::new(Made { equations, solvable, notes })));
        }
        None
    }

    /// The continuous equations of a mode, with their incidence.
    fn rows(&mut self, modes: &Modes, guards: &[bool]) -> Rows {
        let (chains, of) = (modes.chains(), modes.equations());
        let mut chosen: FxHashMap<EqId, (ExprId, ExprId)> = FxHashMap::default();
        chosen.extend(modes.chosen(guards, &mut self.pool).into_iter().map(|(e, lhs, rhs)| (e, (lhs, rhs))));
        let Pieces { orders: known, pool, .. } = self;
        let (mut sides, mut orders) = (Vec::new(), Vec::new());
        for &e in &chains.equations {
            let equation = &of.equations[e.index()];
            let (lhs, rhs) = chosen.get(&e).copied().unwrap_or((equation.lhs, equation.rhs));
            let found = known.entry((lhs, rhs)).or_insert_with(|| chains.orders_of(pool, lhs, rhs).into());
            sides.push((e, lhs, rhs));
            orders.push(found.clone());
        }
        Rows { sides, orders }
    }

    fn cut(&self, modes: &Modes, rows: &Rows) -> Option<Cut> {
        let orders: Vec<&[(usize, u32)]> = rows.orders.iter().map(|orders| &**orders).collect();
        let n = modes.chains().members.len();
        // aliases share their ranges, on both sides of what is known
        let mut is_alias = vec![false; n];
        if self.has_ranges {
            let pairs = orders.iter().filter(|orders| orders.len() == 2);
            pairs.flat_map(|orders| orders.iter()).for_each(|&(column, _)| is_alias[column] = true);
        }
        let is_apart =
            |row: usize, column: usize| self.may_be_settled[column] && !self.tied.contains(&rows.sides[row]);
        cut(&orders, n, |row, column| is_apart(row, column) && !is_alias[column], is_apart)
    }

    /// Whether no following equation holds a variable that may be infinite for an instant; equations that do
    /// are kept in its piece from now on.
    fn only_looks_at_finite_things(&mut self, rows: &Rows, cut: &Cut, keys: &[Key], modes: &Modes) -> bool {
        if cut.following.is_empty() {
            return true;
        }
        let pieces = keys.iter().filter_map(|key| self.known[key].piece.as_ref());
        let infinite: FxHashSet<VarId> = pieces.flat_map(|piece| piece.infinite.iter().copied()).collect();
        let is_infinite = |column: usize| infinite.contains(&modes.chains().variable(column));
        let looks = |row: usize| rows.orders[row].iter().any(|&(column, _)| is_infinite(column));
        let tied: Vec<Sides> =
            cut.following.iter().filter(|(row, _)| looks(*row)).map(|&(row, _)| rows.sides[row]).collect();
        let is_finite = tied.is_empty();
        self.tied.extend(tied);
        is_finite
    }

    /// Finds redundant equations in new pieces.
    fn find_gauges(&mut self, modes: &Modes, rows: &Rows, cut: &Cut, keys: &[Key]) -> Option<()> {
        // a following row is never redundant
        let closed = 0..cut.n_closed();
        let new: Vec<usize> = closed.filter(|&place| !self.known.contains_key(&keys[place])).collect();
        if new.is_empty() {
            return Some(());
        }
        let batch = Batch::new(rows, cut, keys, &new);
        let extract = Extract::new(modes.equations(), &self.derivatives, &self.pool, &batch.sides, |_| false);
        let mut notes: FxHashMap<usize, Vec<Diagnostic>> = FxHashMap::default();
        if let Some(gauged) = said_once(&extract.equations).ok()? {
            for (gauge, note) in gauged.gauges.iter().zip(gauged.warnings()) {
                let place = batch.place_of[&extract.rows[gauge.equation.index()]];
                notes.entry(place).or_default().push(note);
            }
        }
        for place in new {
            let notes = notes.remove(&place).unwrap_or_default();
            self.known.insert(keys[place].clone(), Arc::new(CachedPiece { notes, piece: None }));
        }
        // rows on the border have no redundancy that was not known already
        notes.is_empty().then_some(())
    }

    /// Takes all pieces through the passes. False if they turned out to need others; `None` after a mistake, or a message.
    fn analyse(
        &mut self,
        modes: &Modes,
        rows: &Rows,
        cut: &Cut,
        keys: &[Key],
        among: std::ops::Range<usize>,
    ) -> Option<bool> {
        let is_known = |key: &Key| self.known.get(key).is_some_and(|known| known.piece.is_some());
        let follows = among.start > 0;
        let new: Vec<usize> = among.filter(|&place| !is_known(&keys[place])).collect();
        if new.is_empty() {
            return Some(true);
        }
        let of = modes.equations();
        let batch = Batch::new(rows, cut, keys, &new);
        let place_of = |v: VarId| {
            let (column, _) = modes.chains().place(v)?;
            batch.place_of_column(cut, rows, column)
        };
        let mut extract = Extract::new(of, &self.derivatives, &self.pool, &batch.sides, |v| {
            // following rows take all other variables as given
            let is_own = |place: usize| place < cut.settled.len() || new.binary_search(&place).is_ok();
            follows && place_of(v).is_some_and(|place| !is_own(place))
        });
        if keys[new[0]].with_gauge
            && !follows
            && let Some(gauged) = said_once(&extract.equations).ok()?
        {
            extract.equations = gauged.equations;
        }
        let mut said = Vec::new();
        let analysed = analysed(&extract.equations, &mut said)?;
        if !said.is_empty() {
            return None;
        }
        self.work.equations += batch.sides.len() as u64;
        self.work.pieces += new.len() as u64;
        // islands would have to share the derivative of a settled unknown
        let mut is_tied = false;
        for variable in &analysed.equations.variables[extract.variables.len()..] {
            let Kind::Derivative { of } = variable.kind else { continue };
            let Some(&v) = extract.variables.get(of.index()) else { continue };
            let settled = modes.chains().place(v).and_then(|(column, _)| cut.settled_by[column]);
            if let Some(row) = settled {
                is_tied = true;
                self.tied.insert(rows.sides[row]);
            }
        }
        if is_tied {
            return Some(false);
        }
        let Pieces { pool, added, .. } = self;
        let back = Back::new(of, &extract, &analysed, pool, added, place_of).ok()?;
        let islands = cut.settled.len()..cut.n_closed();
        let mut pieces = back.pieces((keys.len(), islands), |e| batch.place_of[&e])?;
        for place in new {
            let piece = Some(std::mem::take(&mut pieces[place]));
            self.kept += keys[place].rows.len() + 1;
            let notes = self.known.get(&keys[place]).map_or_else(Vec::new, |known| known.notes.clone());
            self.known.insert(keys[place].clone(), Arc::new(CachedPiece { notes, piece }));
        }
        Some(true)
    }
}

/// The role of a variable that no piece determines.
fn role(variable: &Variable) -> Choice {
    let (role, reason) = match variable.kind {
        Kind::Constant | Kind::Parameter | Kind::Pre { .. } | Kind::Given => {
            (Role::Parameter, Reason::Unchanging)
        }
        Kind::Unknown if variable.is_discrete => (Role::Discrete, Reason::AtEventsOnly),
        Kind::Unknown => (Role::Algebraic, Reason::NotDifferentiated),
        Kind::Derivative { .. } => (Role::Algebraic, Reason::Derivative),
    };
    Choice { role, reason, select: variable.select }
}

/// The continuous equations of a mode.
struct Rows {
    sides: Vec<Sides>,
    /// Columns of each, with the highest derivative.
    orders: Vec<Orders>,
}

/// Cache keys of the pieces: first those that settle something, in the order in which that can be computed, then the islands,
/// then those that follow.
fn keys(rows: &Rows, cut: &Cut, with_gauge: bool) -> Vec<Key> {
    let settled = cut.settled.iter().map(|&(row, _)| vec![row]);
    let following = cut.following.iter().map(|&(row, _)| vec![row]);
    let pieces = settled.chain(cut.islands.iter().cloned()).chain(following);
    let mut seen = vec![usize::MAX; rows.sides.len()];
    let key = |(place, own): (usize, Vec<usize>)| {
        let mut borders = Vec::new();
        let mut open = own.clone();
        own.iter().for_each(|&row| seen[row] = place);
        while let Some(row) = open.pop() {
            let settled = rows.orders[row].iter().filter_map(|&(column, _)| cut.settled_by[column]);
            for other in settled {
                if std::mem::replace(&mut seen[other], place) != place {
                    borders.push(other);
                    open.push(other);
                }
            }
        }
        borders.sort_unstable();
        let sides = |all: &[usize]| all.iter().map(|&row| rows.sides[row]).collect();
        let follows = place.checked_sub(cut.n_closed()).map(|place| cut.following[place].1);
        Key { rows: sides(&own), borders: sides(&borders), follows, with_gauge }
    };
    pieces.enumerate().map(key).collect()
}

/// Pieces that go through the passes together.
struct Batch {
    /// Their equations, and those on their borders, ascending.
    sides: Vec<Sides>,
    /// The piece that an equation belongs to.
    place_of: FxHashMap<EqId, usize>,
}

impl Batch {
    fn new(rows: &Rows, cut: &Cut, keys: &[Key], new: &[usize]) -> Batch {
        let of_new = new.iter().map(|&place| &keys[place]);
        let mut sides: Vec<Sides> =
            of_new.flat_map(|key| key.rows.iter().chain(&key.borders)).copied().collect();
        sides.sort_unstable();
        sides.dedup();
        let mut place_of: FxHashMap<EqId, usize> = FxHashMap::default();
        for (place, &(row, _)) in cut.settled.iter().enumerate() {
            place_of.insert(rows.sides[row].0, place);
        }
        for (place, &(row, _)) in cut.following.iter().enumerate() {
            place_of.insert(rows.sides[row].0, cut.n_closed() + place);
        }
        for &place in new {
            place_of.extend(keys[place].rows.iter().map(|&(e, ..)| (e, place)));
        }
        Batch { sides, place_of }
    }

    /// The piece that an unknown belongs to.
    fn place_of_column(&self, cut: &Cut, rows: &Rows, column: usize) -> Option<usize> {
        match cut.settled_by[column] {
            Some(row) => self.place_of.get(&rows.sides[row].0).copied(),
            None if cut.island_of[column] == usize::MAX => {
                let place = cut.following.iter().position(|&(_, own)| own == column);
                place.map(|place| cut.n_closed() + place)
            }
            None => Some(cut.settled.len() + cut.island_of[column]),
        }
    }
}
