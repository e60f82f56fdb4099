//! Rules about clauses of a whole model: where `when` and `reinit` may stand, what defines a discrete variable, which
//! branches of an `if` fit together, what changes at events only (MLS §3.8.5, §8.3 and §11.2).
//!
//! In: an [`Instance`] that is right in itself: names, types and sizes. Out: what is wrong with its clauses. Conditions that
//! are known before the run have chosen their branches already, so every `if` that is left is decided while the model runs,
//! unless it asks for an iterator or for what is connected.
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

/// What is wrong with the clauses of a model, in the order of their kinds.
pub(crate) fn check_clauses(instance: &Instance) -> Vec<Diagnostic> {
    let discrete = Discrete::of(instance);
    let mut mistakes = Mistakes::default();
    equations::check(instance, &discrete, &mut mistakes);
    statements::check(instance, &discrete, &mut mistakes);
    operators::check(instance, &discrete, &mut mistakes);
    discrete.check_declared(&mut mistakes);
    mistakes.all.into_iter().map(Diagnostic::from).collect()
}

/// Mistakes, each place told of once: a class with many instances is one text.
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
