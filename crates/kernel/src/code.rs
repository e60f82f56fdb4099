//! All programs of a model in one mode.

use rhei_equations::{Equations, ExprId, VarId};
use rhei_solvable::{Block, Solvable};
use rhei_source::Violation;

use crate::assemble::{Assembler, Layout};
use crate::program::{Program, Slot};
use crate::routine::{Iteration, Routine, Step};

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
    pub initial: Routine,
    /// Computes the derivatives of the states.
    pub dynamic: Routine,
    /// Computes what is left, once `dynamic` has run.
    pub watched: Routine,
    nominal_slots: Vec<(VarId, Slot)>,
    layout: Layout,
}

/// The programs of a model.
pub fn compile(equations: &Equations, solvable: &Solvable) -> Code {
    let mut layout = Layout::new(equations.variables.len());
    let (dynamic, watched) = solvable.continuous.split_at(solvable.dynamic);
    let mut initial = routine(&solvable.initial, solvable, &mut layout);
    let mut dynamic = routine(dynamic, solvable, &mut layout);
    let mut watched = routine(watched, solvable, &mut layout);

    let mut parameters = Assembler::new(&solvable.pool, &mut layout);
    for block in &solvable.parameters {
        if let Block::Assign(assignment) = block {
            parameters.assign_settable(assignment.target, assignment.value);
        }
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

    for program in [&mut parameters, &mut starts, &mut nominals] {
        layout.place(program);
    }
    for routine in [&mut initial, &mut dynamic, &mut watched] {
        routine.programs_mut().for_each(|program| layout.place(program));
        for step in &mut routine.steps {
            if let Step::Iterate(iteration) = step {
                iteration.residuals.iter_mut().for_each(|slot| *slot = layout.placed(*slot));
            }
        }
    }
    let nominal_slots = slots.into_iter().map(|(v, slot)| (v, layout.placed(slot))).collect();
    let code = Code { parameters, starts, nominals, initial, dynamic, watched, nominal_slots, layout };
    debug_assert_eq!(code.verify(), Ok(()));
    code
}

/// One program for formulas that follow each other, one for each loop between them.
fn routine(blocks: &[Block], solvable: &Solvable, layout: &mut Layout) -> Routine {
    let mut steps = Vec::new();
    let mut rest = blocks;
    while let Some(first) = rest.first() {
        if let Block::Solve(torn) = first {
            let mut assembler = Assembler::new(&solvable.pool, layout);
            for assignment in &torn.following {
                assembler.assign(assignment.target, assignment.value);
            }
            let residuals = torn.residuals.iter().map(|residual| assembler.result(residual.value)).collect();
            let because = torn.residuals.iter().map(|residual| residual.because).collect();
            let program = assembler.finish();
            steps.push(Step::Iterate(Iteration {
                guessed: torn.guessed.clone(),
                program,
                residuals,
                because,
            }));
            rest = &rest[1..];
            continue;
        }
        let count = rest.iter().take_while(|block| matches!(block, Block::Assign(_))).count();
        let mut assembler = Assembler::new(&solvable.pool, layout);
        for block in &rest[..count] {
            if let Block::Assign(assignment) = block {
                assembler.assign(assignment.target, assignment.value);
            }
        }
        steps.push(Step::Run(assembler.finish()));
        rest = &rest[count..];
    }
    Routine { steps }
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
        let (n_slots, temporaries) = (self.layout.n_slots(), self.layout.first_temporary());
        [&self.parameters, &self.starts, &self.nominals]
            .into_iter()
            .try_for_each(|program| program.verify(n_slots, temporaries))?;
        [&self.initial, &self.dynamic, &self.watched]
            .into_iter()
            .try_for_each(|routine| routine.verify(n_slots, temporaries))
    }
}
