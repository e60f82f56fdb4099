//! Rules about clauses of a whole model: places of `when` and `reinit`, definitions of discrete variables, branches
//! of an `if` that fit together, discrete-time expressions (MLS §3.8.5, §8.3 and §11.2).
//!
//! In: an [`Instance`] without errors in names, types and sizes. Out: the errors in its clauses. Conditions known
//! before the run have chosen their branches already. So every `if` left is decided while the model runs, unless its
//! condition holds an iterator or asks about connections.
//!
//! | file | what |
//! |---|---|
//! | `left_sides` | what is defined: references on the left, and whether two of them mean the same elements |
//! | `discrete` | variables and expressions that change at events only |
//! | `operators` | `der`, `pre` and their kin, in all expressions |
//! | `equations`, `when_equations`, `if_equations`, `reinit` | clauses among equations |
//! | `statements` | clauses among statements |

mod discrete;
mod equations;
mod if_equations;
mod left_sides;
mod mistake;
mod operators;
mod reinit;
mod statements;
mod when_equations;

use rhei_source::Diagnostic;

use crate::clauses::discrete::Discrete;
use crate::clauses::mistake::Mistake;
use rhei_instance::Instance;

/// All errors in the clauses of a model, in the order of their kinds.
pub(crate) fn check_clauses(instance: &Instance) -> Vec<Diagnostic> {
    let discrete = Discrete::of(instance);
    let mut mistakes = Mistakes::default();
    equations::check(instance, &discrete, &mut mistakes);
    statements::check(instance, &discrete, &mut mistakes);
    operators::check(instance, &discrete, &mut mistakes);
    discrete.check_declared(&mut mistakes);
    mistakes.all.into_iter().map(Diagnostic::from).collect()
}

/// Mistakes, each place reported once: a class with many instances is one text.
#[derive(Default)]
struct Mistakes {
    all: Vec<Mistake>,
}

impl Mistakes {
    fn add(&mut self, mistake: Mistake) {
        let is_known = |known: &Mistake| known.id() == mistake.id() && known.span() == mistake.span();
        if !self.all.iter().any(is_known) {
            self.all.push(mistake);
        }
    }
}
