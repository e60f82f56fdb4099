//! Sentences as they are printed, read again.

/// All kinds of sentences, by what is tried.
pub(super) const KINDS: &[&str] = &[
    "no tie",
    "left free",
    "chosen",
    "chosen over many",
    "chosen, perhaps over others",
    "given by equations",
    "given by equations, some written",
    "given by many equations",
    "given from states",
    "given from states, some named",
    "given from many states",
    "given by time alone",
    "in a set",
    "derivative of a state",
    "derivative",
    "not differentiated",
    "derivative has no effect",
    "at events only",
    "change: a wish elsewhere",
    "change: never here",
    "change: a wish here",
    "change: without never",
    "change: always at some of a set",
];

/// Names that are listed, and whether there are more.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Listed {
    pub(super) names: Vec<String>,
    pub(super) more: usize,
    pub(super) perhaps: bool,
}

impl Listed {
    /// Of a text such as "`a`, `b` and 3 more and perhaps others".
    fn of(text: &str) -> Listed {
        let perhaps = text.contains(" and perhaps others");
        let outside: String = text.split('`').step_by(2).collect();
        let more =
            outside.split(" and ").find_map(|part| part.trim().strip_suffix(" more")?.trim().parse().ok());
        Listed { names: quoted(text), more: more.unwrap_or(0), perhaps }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.more == 0 && !self.perhaps
    }
}

/// What is between backquotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[derive(Debug, PartialEq)]
pub(super) enum Sentence {
    NoTie,
    LeftFree,
    Chosen(Listed),
    /// Equations that are written out, whether there are more, and states.
    Given {
        by: Vec<String>,
        are_all: bool,
        from: Option<Listed>,
    },
    InSet {
        dimension: usize,
    },
    DerivativeOfState,
    Derivative,
    AtEventsOnly,
    NotDifferentiated,
    DerivativeHasNoEffect,
}

impl Sentence {
    pub(super) fn read(text: &str) -> Option<Sentence> {
        if let Some(rest) = text.strip_prefix("chosen") {
            return Some(Sentence::Chosen(Listed::of(rest.split_once(" over ")?.1)));
        }
        if let Some(rest) = text.strip_prefix("given by ") {
            return Some(given(rest));
        }
        Some(match text {
            "it is the derivative of a state" => Sentence::DerivativeOfState,
            "it is a derivative, and no state" => Sentence::Derivative,
            "it changes at events only" => Sentence::AtEventsOnly,
            "no equation depends on its derivative" => Sentence::NotDifferentiated,
            _ if text.starts_with("der(") && text.ends_with("to other states") => Sentence::NoTie,
            _ if text.starts_with("no equation depends on der(") => Sentence::DerivativeHasNoEffect,
            _ if text.starts_with("the constraints leave it free") => Sentence::LeftFree,
            _ => {
                let (_, rest) = text.split_once(" leave ").or_else(|| text.split_once(" leaves "))?;
                Sentence::InSet { dimension: rest.split(' ').next()?.parse().ok()? }
            }
        })
    }
}

fn given(text: &str) -> Sentence {
    // ` from ` outside of quotes
    let parts: Vec<&str> = text.split('`').collect();
    let at = (0..parts.len()).step_by(2).find(|&place| parts[place].contains(" from "));
    let (by, from) = match at {
        None => (text.to_owned(), None),
        Some(place) => {
            let (before, after) = parts[place].split_once(" from ").expect("it is there");
            let by = [&parts[..place], &[before]].concat().join("`");
            // the wish stands at the end, in quotes too
            let from = [&[after], &parts[place + 1..]].concat().join("`");
            let from = from.split(" (").next().unwrap_or_default().to_owned();
            (by, Some(from))
        }
    };
    let by = by.split(" (`").next().unwrap_or_default().to_owned();
    let are_all = !by.ends_with(" more") && by != "many equations together";
    let from = from.filter(|from| from != "many states").map(|from| Listed::of(&from)).or_else(|| {
        let is_many = text.contains(" from many states");
        is_many.then(|| Listed { perhaps: true, ..Listed::default() })
    });
    Sentence::Given { by: quoted(&by), are_all, from }
}

#[derive(Debug, PartialEq)]
pub(super) enum Advice {
    /// A wish at one of the listed.
    Elsewhere {
        wish: String,
        at: Listed,
    },
    NeverHere {
        instead: Listed,
    },
    Here {
        wish: String,
        instead: Listed,
    },
    WithoutNever,
    Fixed {
        at: Listed,
    },
}

impl Advice {
    pub(super) fn read(text: &str) -> Option<Advice> {
        if text.starts_with("it is `never` a state") {
            return Some(Advice::WithoutNever);
        }
        if let Some((own, instead)) = text.split_once("` makes it a state instead of ") {
            let wish = own.rsplit_once("StateSelect.")?.1.strip_suffix(')')?.to_owned();
            return Some(Advice::Here { wish, instead: Listed::of(instead) });
        }
        if let Some((_, rest)) = text.split_once("StateSelect.never)` puts ") {
            return Some(Advice::NeverHere { instead: Listed::of(rest.strip_suffix(" in its place")?) });
        }
        let rest = text.strip_prefix('`')?;
        let (wish, rest) = rest.split_once("` at ")?;
        match rest.strip_suffix(" puts that in its place") {
            Some(at) => Some(Advice::Elsewhere { wish: wish.to_owned(), at: Listed::of(at) }),
            None => Some(Advice::Fixed { at: Listed::of(rest.split_once(" throughout")?.0) }),
        }
    }
}

#[test]
fn sentences_are_read_as_they_are_printed() {
    let listed = |names: &[&str], more, perhaps| Listed {
        names: names.iter().map(|&name| name.to_owned()).collect(),
        more,
        perhaps,
    };
    let chosen = "chosen (`prefer`) over `a`, `b` and 3 more and perhaps others";
    assert_eq!(Sentence::read(chosen), Some(Sentence::Chosen(listed(&["a", "b"], 3, true))));
    let given = "given by `a = from + b`, `b = 2*c` and 2 more from `c` (`never`)";
    let by = vec!["a = from + b".to_owned(), "b = 2*c".to_owned()];
    let from = Some(listed(&["c"], 0, false));
    assert_eq!(Sentence::read(given), Some(Sentence::Given { by, are_all: false, from }));
    let advice = "`a(stateSelect = StateSelect.prefer)` makes it a state instead of one of `b`, `c`";
    let instead = listed(&["b", "c"], 0, false);
    assert_eq!(Advice::read(advice), Some(Advice::Here { wish: "prefer".into(), instead }));
}
