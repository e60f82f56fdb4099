//! What is tried to find the solution of a loop, and in which order. Whoever evaluates a model says so with every request: nothing of
//! it is remembered between two of them.
//!
//! A search begins with some guesses ([`Begin`]), and goes on from each in several ways ([`Way`]), until one of them finds a solution.
//! Between events it stays near ([`NEARBY`]), since an integrator can make its step shorter; at events, and where there is no integrator,
//! any solution will do ([`ANYWHERE`]); a start tries more and more ([`AT_START`]).

use crate::guesses::Trust;
use crate::patience::Patience;

/// What a search begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Guesses from which what follows comes close to its start values (`guesses`).
    Fitted,
    /// The values of the unknowns as they are.
    Last,
    /// Values beside these, where the loop is singular at them.
    Beside,
    /// Where a flow along the residuals comes to rest (`flows`).
    AlongFlow,
}

/// How a search goes on from its guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By Newton's method, what follows from the unknowns staying within its ranges.
    WithinRanges,
    /// By Newton's method.
    Newton,
    /// The same from the nearest other point (`elsewhere`): most often the last one that was accepted.
    NearestOther,
    /// In leaps: the branch of solutions that was followed may have ended, and another one be a leap away.
    Leaps,
    /// From further inside, where the search was held at a bound it began beside.
    FurtherInside,
    /// From all other points, further and further away.
    AllOthers,
}

/// What is tried, in order.
#[derive(Debug, PartialEq, Eq)]
pub struct Strategies {
    /// What it begins with; [`Begin::Last`] is always among them.
    pub begins: &'static [Begin],
    /// How it goes on from each; [`Way::Newton`] is always among them.
    pub ways: &'static [Way],
    /// Whether exponentials that are too large at a guess go on along their tangents.
    pub continues_exponentials: bool,
}

const NEAR: &[Way] = &[Way::WithinRanges, Way::Newton, Way::NearestOther, Way::Leaps, Way::FurtherInside];
const FAR: &[Way] =
    &[Way::WithinRanges, Way::Newton, Way::NearestOther, Way::Leaps, Way::FurtherInside, Way::AllOthers];

/// Where an integrator can make its step shorter.
pub static NEARBY: Strategies =
    Strategies { begins: &[Begin::Last], ways: NEAR, continues_exponentials: false };

/// At events, and where there is no integrator whose step could be shorter: any solution will do.
pub static ANYWHERE: Strategies =
    Strategies { begins: &[Begin::Last], ways: FAR, continues_exponentials: false };

const FROM_START_VALUES: &[Begin] = &[Begin::Fitted, Begin::Last, Begin::Beside];
const ALONG_FLOWS: &[Begin] = &[Begin::Fitted, Begin::Last, Begin::Beside, Begin::AlongFlow];

/// At the start, one after the other as long as a loop has no solution: the continuation of balances before giving up, and where no
/// way leads to a solution, any other one will do.
pub static AT_START: [Strategies; 3] = [
    Strategies { begins: FROM_START_VALUES, ways: NEAR, continues_exponentials: true },
    Strategies { begins: ALONG_FLOWS, ways: NEAR, continues_exponentials: true },
    Strategies { begins: ALONG_FLOWS, ways: FAR, continues_exponentials: true },
];

/// How values are to be found: what comes with every request for them.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// What is tried for a loop.
    pub strategies: &'static Strategies,
    /// At the start, how much the start value of each variable is trusted.
    pub(crate) trust: Option<&'a [Trust]>,
    /// How long it may take, where that is bounded.
    pub(crate) patience: Option<&'a Patience>,
}

impl<'a> Search<'a> {
    /// After the start, where loops begin with their last solution.
    pub fn with(strategies: &'static Strategies) -> Search<'static> {
        Search { strategies, trust: None, patience: None }
    }

    /// At the start, where loops are solved for the first time.
    pub(crate) fn at_start(trust: &'a [Trust], patience: &'a Patience) -> Search<'a> {
        Search { strategies: &AT_START[0], trust: Some(trust), patience: Some(patience) }
    }

    /// Whether loops are solved for the first time.
    pub(crate) fn is_start(&self) -> bool {
        self.trust.is_some()
    }

    /// Whether nothing is left of what it may take.
    pub(crate) fn is_given_up(&self) -> bool {
        self.patience.is_some_and(Patience::is_spent)
    }
}

impl Strategies {
    /// Whether a solution is looked for anywhere.
    pub(crate) fn reach_anywhere(&self) -> bool {
        self.ways.contains(&Way::AllOthers)
    }
}
