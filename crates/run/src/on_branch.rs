//! Steps that stay on their branch of solutions, and well away from singular points ([`rhei_solve::regularity`]).
//!
//! A step is judged by its two ends, at no cost. One in doubt is looked at within: the loops are followed from its beginning
//! in parts. If they are still in doubt, or end elsewhere than the step, the step is undone and made again up to the last point
//! that is sure. So the run comes as near to a singular point as it may, and only there it is decided: where two branches meet,
//! nothing says which one goes on, and the run ends. Rows and event searches within a step begin between its two ends.

use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_solve::regularity::{Constraint, Judgement, Point, Regularity};
use rhei_source::Diagnostic;

use crate::constants::{BRANCH_PARTS, BRANCH_RETREAT};
use crate::failure::{of_branching, of_singular_choice, of_singular_set};
use crate::running::Running;
use crate::stop::Stop;

/// The watch over steps.
#[derive(Clone)]
pub(crate) struct OnBranch {
    /// The model in the mode that it is for.
    model: Arc<CompiledModel>,
    pub(crate) regularity: Regularity,
    /// When the last step ended, while it is under way to its rows and events.
    kept_at: Option<f64>,
    /// All values then.
    kept: Vec<f64>,
    /// Variables that are set between these, and keep what they have.
    given: Vec<usize>,
    /// Evaluations within steps in doubt.
    pub(crate) looks: u64,
}

impl OnBranch {
    pub(crate) fn new(running: &mut rhei_solve::problem::ModelProblem) -> OnBranch {
        let model = running.model.clone();
        let is_given = |v: &rhei_equations::Variable| v.is_discrete || !v.is_unknown();
        let given = model.equations.variables.iter().enumerate();
        let given = given.filter(|(_, variable)| is_given(variable)).map(|(place, _)| place).collect();
        let regularity = Regularity::new(&model, running);
        OnBranch { model, regularity, kept_at: None, kept: Vec::new(), given, looks: 0 }
    }
}

impl Running<'_> {
    /// Whether steps are judged. Groups of balances have branches, and a search, of their own.
    fn watches_branches(&self) -> bool {
        Arc::ptr_eq(&self.on_branch.model, &self.model)
            && self.integrating.makes_steps()
            && !self.has_groups()
            && !self.on_branch.regularity.is_empty(&self.model)
    }

    /// How long the next step may be.
    pub(crate) fn until_regular(&self, until: f64) -> f64 {
        if !self.watches_branches() {
            return until;
        }
        let longest = self.on_branch.regularity.longest_step(&self.model, &self.charts);
        until.min(self.time + longest.max(2.0 * self.closest(self.time)))
    }

    /// Makes a step that stays on its branch, and answers its end.
    pub(crate) fn step_on_branch(&mut self, until: f64) -> Result<f64, Stop> {
        if !Arc::ptr_eq(&self.on_branch.model, &self.problem.model) {
            self.on_branch = OnBranch::new(&mut self.problem);
        }
        if !self.watches_branches() {
            return self.step(until);
        }
        let (from, mut until) = (self.time, until);
        let is_fresh = self.integrating.is_fresh;
        self.know_beginning(from)?;
        loop {
            let to = self.step(until)?;
            self.evaluate_from(from, to)?;
            let point = self.point(to)?;
            let judgement = self.judge(&point);
            let sure = match judgement {
                Judgement::Regular => None,
                Judgement::Steep => Some(from),
                Judgement::InDoubt(_) => self.look_inside(from, to, &point)?,
            };
            let Some(sure) = sure else {
                self.take_over(point);
                return Ok(to);
            };
            if let Judgement::InDoubt(place) = judgement
                && let Some(decided) = self.decided(place, &point, from)?
            {
                self.take_over(decided);
                return Ok(to);
            }
            if judgement == Judgement::Steep && to - from <= self.closest(to) {
                self.take_over(point);
                return Ok(to);
            }
            until = if sure > from { sure } else { from + BRANCH_RETREAT * (to - from) };
            self.go_back_to(from)?;
            self.integrating.is_fresh = is_fresh;
        }
    }

    /// The point at which a step of given length begins, if it is not known: the first such step may go too far.
    fn know_beginning(&mut self, from: f64) -> Result<(), Stop> {
        let is_complete =
            |last: &Point| !last.loops.is_empty() && last.loops.iter().all(|at| at.determinant.is_some());
        let is_known = self.on_branch.regularity.last.as_ref().is_some_and(is_complete);
        if is_known || self.on_branch.regularity.loops.is_empty() || !self.options.method.is_fixed_step() {
            return Ok(());
        }
        self.current = None;
        self.evaluate(from)?;
        let point = self.point(from)?;
        self.on_branch.regularity.last = Some(point);
        Ok(())
    }

    fn judge(&self, point: &Point) -> Judgement {
        let regularity = &self.on_branch.regularity;
        let judgement = regularity.judge(&self.model, &self.charts, point);
        // nothing is known of the way before
        let is_blind = regularity.before.is_none() && self.options.method.is_fixed_step();
        match judgement {
            Judgement::Regular if is_blind && !regularity.loops.is_empty() => Judgement::InDoubt(0),
            judgement => judgement,
        }
    }

    fn point(&mut self, t: f64) -> Result<Point, Stop> {
        let point = self.on_branch.regularity.point(&mut self.problem, t);
        point.map_err(|why| Stop::NoValue(why, t))
    }

    fn take_over(&mut self, point: Point) {
        if self.problem.past.is_empty() {
            self.on_branch.kept_at = Some(point.t);
            self.on_branch.kept.clone_from(&self.problem.values);
        }
        self.on_branch.regularity.accept(&self.model, &self.charts, point);
    }

    /// Follows the loops from the beginning of a step to its end. None if they come to the same point; else the last time that is
    /// sure.
    fn look_inside(&mut self, from: f64, to: f64, end: &Point) -> Result<Option<f64>, Stop> {
        let mut sure = from;
        let mut regularity = self.on_branch.regularity.clone();
        let mut found = None;
        self.on_branch.regularity.divide(end, BRANCH_PARTS);
        for part in 1..=BRANCH_PARTS {
            let t = if part == BRANCH_PARTS {
                to
            } else {
                from + (to - from) * f64::from(part) / f64::from(BRANCH_PARTS)
            };
            self.on_branch.looks += 1;
            let point = match self.evaluate_extrapolated(t) {
                Ok(()) => self.point(t)?,
                Err(Stop::NoValue(..)) => {
                    found = Some(sure);
                    break;
                }
                Err(stop) => return Err(stop),
            };
            let judgement = self.on_branch.regularity.judge(&self.model, &self.charts, &point);
            if judgement != Judgement::Regular || (part == BRANCH_PARTS && !regularity.agree(&point, end)) {
                found = Some(sure);
                break;
            }
            self.on_branch.regularity.accept(&self.model, &self.charts, point);
            sure = t;
        }
        regularity.learn(&self.on_branch.regularity);
        self.on_branch.regularity = regularity;
        if found.is_some() {
            self.evaluate_at_loops(to, end)?;
        }
        Ok(found)
    }

    /// The end of a step whose loop in doubt is so near to a singular point that it is decided here, or the end of the run. A branch that
    /// goes on is followed; where it ends, the solution is the one that was found.
    fn decided(&mut self, place: usize, end: &Point, from: f64) -> Result<Option<Point>, Stop> {
        let is_tiny = end.t - from <= self.closest(end.t);
        if !is_tiny && !self.on_branch.regularity.is_singular(place) {
            return Ok(None);
        }
        let straight = match self.evaluate_extrapolated(end.t) {
            Ok(()) => Some(self.point(end.t)?),
            Err(Stop::NoValue(..)) => None,
            Err(stop) => return Err(stop),
        };
        let regularity = &self.on_branch.regularity;
        if regularity.branches(place, end, straight.as_ref()) {
            return Err(Stop::Broken(of_branching(&self.model, &regularity.loops[place], from)));
        }
        match straight {
            Some(straight) if regularity.goes_on(place, &straight) => Ok(Some(straight)),
            _ => {
                self.evaluate_at_loops(end.t, end)?;
                Ok(Some(end.clone()))
            }
        }
    }

    /// Lets the searches of loops begin where the last step ended, which is here.
    pub(crate) fn guess_beginning(&mut self, t: f64) {
        let is_here = |last: &&Point| last.t == t;
        let last = self.on_branch.regularity.last.as_ref().filter(|_| self.watches_branches());
        let Some(last) = last.filter(is_here) else { return };
        for (watched, at) in self.on_branch.regularity.loops.iter().zip(&last.loops) {
            let guesses = watched.guessed.iter().zip(&at.guesses);
            guesses.for_each(|(v, x)| self.problem.values[v.index()] = *x);
        }
    }

    /// Evaluates all variables, the searches of loops beginning where these were heading.
    fn evaluate_extrapolated(&mut self, t: f64) -> Result<(), Stop> {
        for place in 0..self.on_branch.regularity.loops.len() {
            if let Some(guesses) = self.on_branch.regularity.extrapolated(place, t) {
                self.guess_loop(place, &guesses);
            }
        }
        self.current = None;
        self.evaluate(t)
    }

    /// The same beginning from a known point.
    fn evaluate_at_loops(&mut self, t: f64, at: &Point) -> Result<(), Stop> {
        for (place, known) in at.loops.iter().enumerate() {
            self.guess_loop(place, &known.guesses);
        }
        self.current = None;
        self.evaluate(t)
    }

    fn guess_loop(&mut self, place: usize, guesses: &[f64]) {
        let guessed = &self.on_branch.regularity.loops[place].guessed;
        guessed.iter().zip(guesses).for_each(|(v, x)| self.problem.values[v.index()] = *x);
    }

    /// Lets the searches of loops begin between the two ends of the last step, for a time within it. Answers the guesses.
    pub(crate) fn guess_within_step(&mut self, t: f64) -> Vec<(usize, Vec<f64>)> {
        if !self.watches_branches() {
            return Vec::new();
        }
        let regularity = &self.on_branch.regularity;
        let guesses: Vec<(usize, Vec<f64>)> = (0..regularity.loops.len())
            .filter_map(|place| Some((place, regularity.interpolated(place, t)?)))
            .collect();
        guesses.iter().for_each(|(place, guesses)| self.guess_loop(*place, guesses));
        guesses
    }

    /// Whether a loop was solved far from where it was expected within a step.
    pub(crate) fn is_beside_branch(&self, expected: &[(usize, Vec<f64>)]) -> bool {
        let regularity = &self.on_branch.regularity;
        expected.iter().any(|(place, expected)| {
            let guessed = &regularity.loops[*place].guessed;
            let found: Vec<f64> = guessed.iter().map(|v| self.problem.values[v.index()]).collect();
            regularity.is_beside(*place, expected, &found)
        })
    }

    /// Evaluates all variables within the last step by following the loops from its beginning.
    pub(crate) fn evaluate_along_step(&mut self, t: f64) -> Result<(), Stop> {
        let regularity = self.on_branch.regularity.clone();
        let Some(begin) = regularity.before.clone() else { return Ok(()) };
        let from = begin.t;
        self.on_branch.regularity.begin(None);
        self.on_branch.regularity.last = Some(begin);
        let mut ended = Ok(());
        for part in 1..=BRANCH_PARTS {
            let at = if part == BRANCH_PARTS {
                t
            } else {
                from + (t - from) * f64::from(part) / f64::from(BRANCH_PARTS)
            };
            self.on_branch.looks += 1;
            ended = self.evaluate_extrapolated(at);
            let Ok(point) = ended.as_ref().map_err(|_| ()).and_then(|()| self.point(at).map_err(|_| ()))
            else {
                break;
            };
            self.on_branch.regularity.accept(&self.model, &self.charts, point);
        }
        self.on_branch.regularity = regularity;
        ended
    }

    /// The values at the end of the last step, if they are those of this time.
    pub(crate) fn recall(&mut self, t: f64) -> bool {
        if !self.watches_branches() {
            return false;
        }
        if self.on_branch.kept_at != Some(t) {
            return false;
        }
        let OnBranch { kept, given, .. } = &mut self.on_branch;
        given.iter().for_each(|&place| kept[place] = self.problem.values[place]);
        kept[self.model.code.time().index()] = t;
        self.problem.values.copy_from_slice(kept);
        true
    }

    /// Forgets the values at the end of the last step.
    pub(crate) fn forget_step(&mut self) {
        self.on_branch.kept_at = None;
    }

    /// Begins anew after an event at `t`, all variables being evaluated.
    pub(crate) fn begin_branches(&mut self, t: f64) -> Result<(), Stop> {
        self.on_branch.kept_at = None;
        if !Arc::ptr_eq(&self.on_branch.model, &self.problem.model) {
            self.on_branch = OnBranch::new(&mut self.problem);
        }
        if !self.watches_branches() {
            return Ok(());
        }
        let point = self.point(t)?;
        self.on_branch.regularity.begin(Some(point));
        Ok(())
    }

    /// The reason of a failure next to a singular point of a set or an assumption.
    pub(crate) fn near_singular(&self) -> Option<Diagnostic> {
        if !self.watches_branches() {
            return None;
        }
        let suspect = self.on_branch.regularity.suspect(&self.model, &self.charts)?;
        Some(self.of_singular(suspect, self.time))
    }

    fn of_singular(&self, constraint: Constraint, t: f64) -> Diagnostic {
        match constraint {
            Constraint::Set(set) => of_singular_set(&self.model, set, t),
            Constraint::Assumption(place) => of_singular_choice(&self.model, place, t),
        }
    }

    /// Ends the run if a choice of states, or all choices of a state set, have become singular.
    pub(crate) fn refuse_singular(&mut self, t: f64) -> Result<(), Stop> {
        if !self.watches_branches() {
            return Ok(());
        }
        match self.on_branch.regularity.singular(&self.model, &self.charts) {
            Some(singular) => Err(Stop::Broken(self.of_singular(singular, t))),
            None => Ok(()),
        }
    }
}
