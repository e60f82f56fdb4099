//! Values of a model at one point, from its equations: the start, loops, balances, constraints, with numbers that can be found by hand.
//! No step is made, so that a mistake here is one of solving.

mod balances;
mod constraints;
mod loops;
mod start;

use std::sync::Arc;

use rhei_equations::read;
use rhei_kernel::{Execution, compile};
use rhei_model::{CompiledModel, JacobianPlan};
use rhei_solvable::Mode;
use rhei_solve::evaluate::NoValue;
use rhei_solve::failure::of_no_value;
use rhei_solve::groups::Balancing;
use rhei_solve::start::{Given, Started, start};
use rhei_solve::work_budget::WorkBudget;
use rhei_structure::make_solvable;
use rustc_hash::FxHashMap;

fn compiled(text: &str) -> Arc<CompiledModel> {
    let equations = read(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(equations.verify(), Ok(()));
    let (made, said) = make_solvable(&equations, &Mode::default());
    let (equations, solvable) = made.unwrap_or_else(|| panic!("{said:?}"));
    let jacobian = JacobianPlan::new(&equations, &solvable);
    let code = compile(&equations, &solvable);
    Arc::new(CompiledModel::new(equations, solvable, code, jacobian))
}

fn begin(model: &Arc<CompiledModel>, set: &[(&str, f64)]) -> Result<Started, NoValue> {
    let named = |name: &str| model.equations.variable_named(name).unwrap_or_else(|| panic!("no `{name}`"));
    let set: FxHashMap<_, _> = set.iter().map(|&(name, value)| (named(name), value)).collect();
    let given = Given { set: &set, execution: Execution::Interpreted, balances: Balancing::default() };
    start(model, 0.0, given, &WorkBudget::at_start(None))
}

/// A model at its start.
struct Values {
    model: Arc<CompiledModel>,
    started: Started,
}

impl Values {
    #[track_caller]
    fn of(text: &str) -> Values {
        Values::with(text, &[])
    }

    /// With parameters that have other values.
    #[track_caller]
    fn with(text: &str, set: &[(&str, f64)]) -> Values {
        let model = compiled(text);
        let started = begin(&model, set);
        let started = started.unwrap_or_else(|why| panic!("{}", of_no_value(&model, &why, 0.0).message));
        Values { model, started }
    }

    #[track_caller]
    fn get(&self, name: &str) -> f64 {
        let v = self.model.equations.variable_named(name).unwrap_or_else(|| panic!("no `{name}`"));
        self.started.values[v.index()]
    }

    #[track_caller]
    fn assert(&self, name: &str, expected: f64, tolerance: f64) {
        let found = self.get(name);
        assert!((found - expected).abs() <= tolerance, "{name} is {found}, not {expected}");
    }

    fn said(&self) -> Vec<&str> {
        self.started.said.iter().map(|said| said.id).collect()
    }
}

/// The id of what is said where there are no values.
#[track_caller]
fn refused(text: &str) -> &'static str {
    let model = compiled(text);
    let Err(why) = begin(&model, &[]) else { panic!("it has values") };
    of_no_value(&model, &why, 0.0).id
}
