//! Parts that tick whose structure changes from tick to tick.
//!
//! In: a partition. Out: [`TickingModes`], if the guards of its continuous equations ask for more than one structure. Each
//! mode is a partition without these conditions, which is reduced and discretised as any other. The jump of the states at a
//! change of the mode is not a matter of discretisation: it is found by the equations of a rhythm as they are, states being
//! known.

use rhei_equations::{Dae, Equations, Events, ExprId, Kind, Partition, VarId, Variable};
use rustc_hash::FxHashSet;

use crate::Modes;

/// So many guards, and all their modes are looked at before the run: if one structure serves them all, there is one mode only.
const MOST_LOOKED_AT: usize = 6;

/// A clocked partition and its modes.
#[derive(Debug)]
pub struct TickingModes {
    /// With the guards, for all modes at once.
    partition: Partition,
    modes: Modes,
    /// By guard: the rhythm it ticks with.
    rhythms: Vec<Option<u32>>,
}

impl TickingModes {
    /// The modes of a part; `None` where one structure serves all.
    pub fn of(partition: &Partition) -> Option<TickingModes> {
        let modes = Modes::of(&partition.equations)?;
        let n = modes.equations().guards.len();
        let values = |bits: usize| (0..n).map(|guard| bits >> guard & 1 == 1).collect::<Vec<bool>>();
        let is_common = |bits: usize| modes.is_common(&modes.in_mode(&modes.deciding(&values(bits))));
        if n <= MOST_LOOKED_AT && (0..1 << n).all(is_common) {
            return None;
        }
        let partition = Partition { equations: modes.equations().clone(), ..partition.clone() };
        Some(TickingModes::assembled(partition, modes))
    }

    /// The modes of a part whose guards were found before; `None` where no structure is common to most of them.
    pub fn with_guards(partition: Partition) -> Option<TickingModes> {
        let modes = Modes::with_guards(partition.equations.clone())?;
        Some(TickingModes::assembled(partition, modes))
    }

    fn assembled(partition: Partition, modes: Modes) -> TickingModes {
        let equations = &partition.equations;
        let rhythm = |e: ExprId| {
            equations.pool.variables_of(e).into_iter().find_map(|v| partition.rhythm_of[v.index()])
        };
        let rhythms = equations.guards.iter().map(|guard| rhythm(guard.condition)).collect();
        TickingModes { partition, modes, rhythms }
    }

    /// The part for all modes at once.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// By guard: the rhythm it ticks with.
    pub fn rhythms(&self) -> &[Option<u32>] {
        &self.rhythms
    }

    /// The same values, with false for the guards that decide nothing.
    pub fn deciding(&self, values: &[bool]) -> Vec<bool> {
        self.modes.deciding(values)
    }

    /// The part where the guards have these values.
    pub fn in_mode(&self, values: &[bool]) -> Partition {
        Partition { equations: self.modes.in_mode(values), ..self.partition.clone() }
    }
}

/// The equations of one rhythm of a partition between ticks; all other clocked variables are given.
pub fn of_rhythm(partition: &Partition, rhythm: u32) -> Equations {
    let Partition { equations, rhythm_of, passed, .. } = partition;
    let passed: FxHashSet<VarId> = passed.iter().map(|conversion| conversion.result).collect();
    let is_own = |v: VarId| rhythm_of[v.index()] == Some(rhythm);
    let holds_own = |e: ExprId| equations.pool.variables_of(e).into_iter().any(is_own);
    let variables = equations.iter_variables().map(|(v, variable)| {
        if variable.is_parameter() || (is_own(v) && !passed.contains(&v)) {
            variable.clone()
        } else {
            Variable { kind: Kind::Given, is_discrete: true, fixed: false, ..variable.clone() }
        }
    });
    let own = equations.equations.iter().filter(|row| holds_own(row.lhs) || holds_own(row.rhs));
    let crossings = equations.events.crossings.iter().filter(|crossing| is_own(crossing.held));
    let events = Events {
        crossings: crossings.cloned().collect(),
        samples: Vec::new(),
        reinits: Vec::new(),
        terminations: Vec::new(),
        effects: Vec::new(),
        ..equations.events.clone()
    };
    let dae = Dae {
        variables: variables.collect(),
        equations: own.cloned().collect(),
        initial: Vec::new(),
        asserts: Vec::new(),
        limits: Vec::new(),
        clocks: Default::default(),
        events,
        ..equations.dae.clone()
    };
    Equations { pool: equations.pool.clone(), dae }
}
