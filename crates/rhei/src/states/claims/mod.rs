//! Every sentence about a choice of states, compared with another choice.
//!
//! A sentence is read as it is printed, and what it claims is tried: the model is given other wishes, and its states are chosen anew.
//! `x` is chosen over `y`: with `never` at `x` and `always` at `y` they change places. `y` is given by an equation from `x`: a state
//! that is added to the equation can take the place of `y`, one that is added to another equation cannot.
//!
//! Random models and a few others are tried each time; all models of the project, those in the folders that `RHEI_MODELS` names and the examples of the Standard
//! Library by `cargo test -p rhei --lib -- --ignored --nocapture every_sentence`, which also asks for ten of each kind of sentence.

mod models;
mod sentence;
mod trial;

use std::collections::BTreeMap;

use rhei_compiler::with_deep_stack;

use self::models::Source;
use self::trial::Trials;

/// What was found in some models.
#[derive(Default)]
struct Found {
    /// Sentences tried, by kind.
    tried: BTreeMap<&'static str, usize>,
    /// Sentences that are not so.
    wrong: Vec<String>,
    n_models: usize,
}

impl Found {
    fn in_models(sources: Vec<Source>, per_kind: usize) -> Found {
        with_deep_stack(move || {
            let mut found = Found::default();
            for source in sources {
                if let Some(equations) = source.equations() {
                    let n_before = found.wrong.len();
                    Trials::of(&equations, per_kind).into_found(&source.name, &mut found);
                    found.wrong[n_before..].iter().for_each(|wrong| println!("{wrong}"));
                }
            }
            found
        })
    }

    fn assert_true(&self) {
        let first: Vec<&str> = self.wrong.iter().take(20).map(String::as_str).collect();
        assert!(self.wrong.is_empty(), "{} of these are not so:\n{}", self.wrong.len(), first.join("\n"));
    }
}

#[test]
fn sentences_about_random_models_are_true() {
    let found = Found::in_models((0..60).map(Source::random).collect(), 4);
    found.assert_true();
    for kind in ["chosen", "given from states", "in a set", "no tie"] {
        assert!(found.tried.get(kind).is_some_and(|n| *n >= 10), "{kind}: {:?}", found.tried);
    }
}

#[test]
fn sentences_about_some_models_of_the_project_are_true() {
    let sources = models::of_project().into_iter().step_by(3).collect();
    let found = Found::in_models(sources, 2);
    assert!(found.n_models >= 20, "{} models", found.n_models);
    found.assert_true();
}

#[test]
#[ignore = "takes minutes"]
fn every_sentence_is_true() {
    let mut sources = models::of_project();
    sources.extend(models::in_named_folders());
    sources.extend(models::of_library());
    sources.extend((0..400).map(Source::random));
    let found = Found::in_models(sources, 3);
    println!("{} models", found.n_models);
    found.tried.iter().for_each(|(kind, n)| println!("{n:>6}  {kind}"));
    found.assert_true();
    assert!(found.n_models >= 300, "{} models", found.n_models);
    for kind in sentence::KINDS {
        assert!(found.tried.get(kind).is_some_and(|n| *n >= 10), "{kind}: {:?}", found.tried.get(kind));
    }
}
