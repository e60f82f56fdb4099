//! Strategies to solve a loop, in order. They come with every request for an evaluation: nothing of them is remembered
//! between two of these.
//!
//! A search begins with some guesses ([`Begin`]), and continues from each in several ways ([`Way`]), until one of them finds a
//! solution. Between events it stays near ([`NEARBY`]), since an integrator can make its step shorter; at events, and without an
//! integrator, any solution will do ([`ANYWHERE`]); a start tries more and more ([`AT_START`]).

use std::cell::RefCell;

use crate::guesses::Trust;
use crate::least_change::SingularStart;
use crate::work_budget::WorkBudget;

/// The beginning of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Guesses for which the variables that follow come close to their start values (`guesses`).
    Fitted,
    /// The values of the unknowns as they are.
    Last,
    /// Values beside these, if the loop is singular at them.
    Beside,
    /// The equilibrium of a flow along the residuals (`flows`).
    AlongFlow,
}

/// The continuation of a search from its guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By Newton's method, with the variables that follow kept within their ranges.
    WithinRanges,
    /// By Newton's method.
    Newton,
    /// The same from the nearest other point (`starting_points`): most often the last one that was accepted.
    NearestOther,
    /// By full corrections: the branch of solutions that was followed may have ended, and another one be a leap away.
    Leaps,
    /// From further inside, if the search was held at a bound it began beside.
    FurtherInside,
    /// From all other points, further and further away.
    AllOthers,
}

/// Strategies, in order.
#[derive(Debug, PartialEq, Eq)]
pub struct Strategies {
    /// The beginnings; [`Begin::Last`] is always among them.
    pub begins: &'static [Begin],
    /// The continuations from each; [`Way::Newton`] is always among them.
    pub ways: &'static [Way],
    /// Whether exponentials that overflow at a guess are continued along their tangents.
    pub continues_exponentials: bool,
}

const NEAR: &[Way] = &[Way::WithinRanges, Way::Newton, Way::NearestOther, Way::Leaps, Way::FurtherInside];
const FAR: &[Way] =
    &[Way::WithinRanges, Way::Newton, Way::NearestOther, Way::Leaps, Way::FurtherInside, Way::AllOthers];

/// For evaluations within steps, which an integrator can shorten.
pub static NEARBY: Strategies =
    Strategies { begins: &[Begin::Last], ways: NEAR, continues_exponentials: false };

/// For events, and without an integrator: any solution will do.
pub static ANYWHERE: Strategies =
    Strategies { begins: &[Begin::Last], ways: FAR, continues_exponentials: false };

const FROM_START_VALUES: &[Begin] = &[Begin::Fitted, Begin::Last, Begin::Beside];
const ALONG_FLOWS: &[Begin] = &[Begin::Fitted, Begin::Last, Begin::Beside, Begin::AlongFlow];

/// For the start, tried in turn while a loop has no solution: first near, then along flows, the continuation of balances, at last
/// anywhere.
pub static AT_START: [Strategies; 3] = [
    Strategies { begins: FROM_START_VALUES, ways: NEAR, continues_exponentials: true },
    Strategies { begins: ALONG_FLOWS, ways: NEAR, continues_exponentials: true },
    Strategies { begins: ALONG_FLOWS, ways: FAR, continues_exponentials: true },
];

/// The strategies and bounds that come with every request for values.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The strategies for a loop.
    pub strategies: &'static Strategies,
    /// At the start, how much the start value of each variable is trusted.
    pub(crate) trust: Option<&'a [Trust]>,
    /// The bound on its work, if there is one.
    pub(crate) budget: Option<&'a WorkBudget>,
    /// The singular loops of the start, if it has some.
    pub(crate) singular: Option<&'a RefCell<SingularStart>>,
}

impl<'a> Search<'a> {
    /// After the start: loops begin with their last solution.
    pub fn with(strategies: &'static Strategies) -> Search<'static> {
        Search { strategies, trust: None, budget: None, singular: None }
    }

    /// At the start: loops are solved for the first time.
    pub(crate) fn at_start(trust: &'a [Trust], budget: &'a WorkBudget) -> Search<'a> {
        Search { strategies: &AT_START[0], trust: Some(trust), budget: Some(budget), singular: None }
    }

    /// Whether loops are solved for the first time.
    pub(crate) fn is_start(&self) -> bool {
        self.trust.is_some()
    }

    /// Whether the bound on its work is exhausted.
    pub(crate) fn is_given_up(&self) -> bool {
        self.budget.is_some_and(WorkBudget::is_spent)
    }
}

impl Strategies {
    /// Whether a solution is searched for anywhere.
    pub(crate) fn reach_anywhere(&self) -> bool {
        self.ways.contains(&Way::AllOthers)
    }
}
