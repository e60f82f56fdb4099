//! Every sentence about a choice of states, compared with another choice.
//!
//! A sentence is read as it is printed, and what it claims is tried: the model is given other wishes, and its states are chosen anew.
//! `x` is chosen over `y`: with `never` at `x` and `always` at `y` they change places. `y` is given by an equation from `x`: a state
//! that is added to the equation can take the place of `y`, one that is added to another equation cannot.
//!
//! Random models and a few others are tried each time; all models of the project, those in the folders that `RHEI_MODELS` names, the
//! examples of the Standard Library and generated ones by `cargo test -p rhei --lib -- --ignored --nocapture every_sentence`. That also
//! counts the kinds of sentences, and asks for ten of each. One model is compiled at a time, and one choice of its states kept.

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
    /// Models that are refused, large, or have clocks.
    left: Vec<String>,
}

impl Found {
    fn in_models(sources: Vec<Source>, per_kind: usize) -> Found {
        with_deep_stack(move || {
            let mut found = Found::default();
            for source in sources {
                let equations = match source.equations() {
                    Ok(equations) => equations,
                    Err(why) => {
                        found.left.push(format!("{} ({why})", source.name));
                        continue;
                    }
                };
                let n_before = found.wrong.len();
                Trials::of(&equations, per_kind).into_found(&source.name, &mut found);
                found.wrong[n_before..].iter().for_each(|wrong| println!("{wrong}"));
                if source.is_generated() && found.wrong.len() > n_before {
                    println!("{equations}");
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
    let found = Found::in_models((0..60).chain([353]).map(Source::random).collect(), 4);
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
    sources.extend(Source::families());
    sources.extend((0..400).map(Source::random));
    let found = Found::in_models(sources, 3);
    println!("{} models; {} left: {}", found.n_models, found.left.len(), found.left.join(", "));
    let count = |kind: &&'static str| (*kind, found.tried.get(kind).copied().unwrap_or(0));
    let counts: Vec<_> = sentence::KINDS.iter().map(count).collect();
    counts.iter().for_each(|(kind, n)| println!("{n:>6}  {kind}"));
    let unknown: Vec<_> = found.tried.keys().filter(|kind| !sentence::KINDS.contains(*kind)).collect();
    assert!(unknown.is_empty(), "no kinds of sentences: {unknown:?}");
    found.assert_true();
    assert!(found.n_models >= 300, "{} models", found.n_models);
    let rare: Vec<_> = counts.iter().filter(|(_, n)| *n < 10).collect();
    assert!(rare.is_empty(), "tried too seldom: {rare:?}");
}
