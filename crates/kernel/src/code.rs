//! All programs of a model in one mode.

use rhei_equations::{Equations, ExprId, VarId};
use rhei_solvable::{Block, Solvable};

use crate::assemble::{Assembler, Layout};
use crate::program::{Program, Slot, Violation};

/// What runs: programs over one array of values, in which variables stand first, by their ids.
#[derive(Debug)]
pub struct Code {
    /// Computes constants and parameters.
    pub parameters: Program,
    /// Computes the start values of unknowns, from parameters.
    pub starts: Program,
    /// Computes the nominal values that are given, from parameters.
    pub nominals: Program,
    /// Computes every unknown at the start.
    pub initial: Program,
    /// Computes the derivatives of the states.
    pub dynamic: Program,
    /// Computes what is left, once `dynamic` has run.
    pub watched: Program,
    nominal_slots: Vec<(VarId, Slot)>,
    layout: Layout,
}

/// The programs of a model.
pub fn compile(equations: &Equations, solvable: &Solvable) -> Code {
    let mut layout = Layout::new(equations.variables.len());
    let mut program = |blocks: &[Block]| {
        let mut assembler = Assembler::new(&solvable.pool, &mut layout);
        for Block::Assign { target, value, .. } in blocks {
            assembler.assign(*target, *value);
        }
        assembler.finish()
    };
    let (dynamic, watched) = solvable.continuous.split_at(solvable.dynamic);
    let mut initial = program(&solvable.initial);
    let (mut dynamic, mut watched) = (program(dynamic), program(watched));

    let mut parameters = Assembler::new(&solvable.pool, &mut layout);
    for Block::Assign { target, value, .. } in &solvable.parameters {
        parameters.assign_settable(*target, *value);
    }
    let mut parameters = parameters.finish();
    let mut starts = Assembler::new(&solvable.pool, &mut layout);
    for (v, variable) in equations.iter_variables().filter(|(_, variable)| variable.is_unknown()) {
        if let Some(start) = variable.start {
            starts.assign(v, start);
        }
    }
    let mut starts = starts.finish();
    let given: Vec<(VarId, ExprId)> =
        equations.iter_variables().filter_map(|(v, variable)| Some((v, variable.nominal?))).collect();
    let mut assembler = Assembler::new(&solvable.pool, &mut layout);
    let slots: Vec<(VarId, Slot)> = given.into_iter().map(|(v, e)| (v, assembler.value(e))).collect();
    let mut nominals = assembler.finish();

    for program in [&mut parameters, &mut starts, &mut nominals, &mut initial, &mut dynamic, &mut watched] {
        layout.place(program);
    }
    let nominal_slots = slots.into_iter().map(|(v, slot)| (v, layout.placed(slot))).collect();
    let code = Code { parameters, starts, nominals, initial, dynamic, watched, nominal_slots, layout };
    debug_assert_eq!(code.verify(), Ok(()));
    code
}

impl Code {
    /// The values before anything is computed.
    pub fn new_values(&self) -> Vec<f64> {
        self.layout.initial_values()
    }

    /// Where the time is.
    pub fn time(&self) -> Slot {
        self.layout.time()
    }

    /// The nominal values that are given, once [`Code::nominals`] has run.
    pub fn given_nominals(&self) -> &[(VarId, Slot)] {
        &self.nominal_slots
    }

    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self) -> Result<(), Violation> {
        [&self.parameters, &self.starts, &self.nominals, &self.initial, &self.dynamic, &self.watched]
            .into_iter()
            .try_for_each(|program| program.verify(self.layout.n_slots(), self.layout.first_temporary()))
    }
}
