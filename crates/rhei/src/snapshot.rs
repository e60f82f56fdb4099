//! The state of a run at one time, to be continued from.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use rhei_results::Trajectories;

use crate::engine::{self, Stepping};
use crate::simulation::{Kept, Run};
use crate::{Model, Simulation};

/// The state of a run at one time: everything needed to continue, with its rows so far. It belongs to one thread, as its run
/// does.
///
/// A run continued from there has the same bits as the original if the integrator can be copied: with `flc-bdf`, with fixed-step
/// methods, and without states. The integrators `bdf`, `esdirk34`, `tr-bdf2` and `tsit45` cannot be copied: they restart at that
/// time, as after an event, and agree to within the tolerance. Everything else is copied: the mode, the states of state sets,
/// discrete values, clocks, delays, random numbers.
pub struct Snapshot {
    model: Model,
    state: engine::Snapshot,
    rows: Trajectories,
}

/// A snapshot of another model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherModel;

impl fmt::Display for OtherModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the snapshot is of another model")
    }
}

impl std::error::Error for OtherModel {}

impl Snapshot {
    /// The time it was taken at.
    pub fn time(&self) -> f64 {
        self.state.time()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snapshot({:?} at {})", self.model, self.time())
    }
}

impl Simulation {
    /// The present state of the run; none if it has ended.
    pub fn save(&mut self) -> Option<Snapshot> {
        let Run::UnderWay(stepping) = &mut self.run else { return None };
        let state = stepping.save()?;
        Some(Snapshot { model: self.model.clone(), state, rows: self.rows.borrow().clone() })
    }

    /// Moves to a snapshot of this model, taken of any run: parameters, inputs, times and tolerance are those of that run from
    /// then on, and so are the rows before.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), OtherModel> {
        if !Arc::ptr_eq(self.model.compiled(), snapshot.model.compiled()) {
            return Err(OtherModel);
        }
        let recording = snapshot.model.recording(|_| true);
        self.rows = Rc::new(RefCell::new(snapshot.rows.clone()));
        let kept = Kept { rows: self.rows.clone(), watch: self.watch.clone() };
        self.model = snapshot.model.clone();
        let stepping = Stepping::restored(&snapshot.state, &recording.variables, Box::new(kept));
        self.run = Run::UnderWay(Box::new(stepping));
        Ok(())
    }
}
