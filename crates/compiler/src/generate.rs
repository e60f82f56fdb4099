//! Code generation: the last pass, for a model as for each of its modes. Solved blocks become programs, and the pattern of the
//! Jacobian is determined.

use rhei_equations::Equations;
use rhei_kernel::{Code, compile};
use rhei_model::{CompiledModel, CompiledPart, JacobianPlan};
use rhei_solvable::{Solvable, Ticking};

/// Number of equations from which on the pattern of the Jacobian is determined on a thread of its own: for
/// smaller models the thread costs more than it saves.
const LARGE: usize = 10_000;

/// A model that can run.
pub(crate) fn generate(equations: Equations, solvable: Solvable) -> CompiledModel {
    let (code, jacobian) = code_and_jacobian(&equations, &solvable);
    CompiledModel::new(equations, solvable, code, jacobian)
}

/// A clocked partition that can run.
pub(crate) fn generate_part(ticking: Ticking) -> CompiledPart {
    let Ticking { equations, solvable, schedule } = ticking;
    CompiledPart::new(generate(equations, solvable), schedule)
}

/// The code of a model and the pattern of its Jacobian; for large models both at the same time.
fn code_and_jacobian(equations: &Equations, solvable: &Solvable) -> (Code, JacobianPlan) {
    let find_pattern = || JacobianPlan::new(equations, solvable);
    if equations.equations.len() < LARGE {
        return (compile(equations, solvable), find_pattern());
    }
    std::thread::scope(|scope| {
        let finding = std::thread::Builder::new().spawn_scoped(scope, find_pattern);
        let code = compile(equations, solvable);
        match finding.map(|thread| thread.join()) {
            Ok(Ok(found)) => (code, found),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => (code, find_pattern()), // no thread available
        }
    })
}
