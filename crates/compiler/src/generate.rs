//! Code generation: the last pass, for a model as for each of its modes. What is solved becomes programs, and where its Jacobian can
//! differ from zero is found out.

use rhei_equations::Equations;
use rhei_kernel::{Code, compile};
use rhei_model::{CompiledModel, CompiledPart, JacobianPlan};
use rhei_solvable::{Solvable, Ticking};

/// Equations from which on the pattern of the derivatives is found on a thread of its own.
const LARGE: usize = 10_000;

/// A model that can run.
pub(crate) fn generate(equations: Equations, solvable: Solvable) -> CompiledModel {
    let (code, jacobian) = code_and_jacobian(&equations, &solvable);
    CompiledModel::new(equations, solvable, code, jacobian)
}

/// A part that can tick.
pub(crate) fn generate_part(ticking: Ticking) -> CompiledPart {
    let Ticking { equations, solvable, schedule } = ticking;
    CompiledPart::new(generate(equations, solvable), schedule)
}

/// What a model computes, and what its derivatives depend on; in large models both at the same time.
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
            Err(_) => (code, find_pattern()), // no thread to be had
        }
    })
}
