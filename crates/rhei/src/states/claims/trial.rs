//! What a sentence claims, tried with other wishes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rhei_equations::{EqId, Equation, Equations, ExprId, Kind, Origin, StateSelect, VarId, Variable};
use rhei_solvable::{Mode, Role, Solvable};
use rhei_structure::{Entry, Modes, made_solvable};

use super::Found;
use super::sentence::{Advice, Listed, Sentence};
use crate::states::change::change;
use crate::states::why::{Chosen, text, why};

/// The states of a model, and what its state sets choose from.
#[derive(Debug, PartialEq)]
struct States {
    fixed: BTreeSet<String>,
    sets: Vec<BTreeSet<String>>,
    n: usize,
}

impl States {
    fn of(equations: &Equations, solvable: &Solvable) -> States {
        let variable = |v: VarId| equations.variable(v);
        let fixed = solvable.states.iter().map(|state| variable(state.variable)).filter(|v| !v.is_hidden);
        let set = |set: &rhei_solvable::StateSet| {
            set.candidates.iter().map(|&v| variable(v).name.to_string()).collect()
        };
        States {
            fixed: fixed.map(|v| v.name.to_string()).collect(),
            sets: solvable.sets.iter().map(set).collect(),
            n: solvable.states.len(),
        }
    }

    fn is_fixed(&self, name: &str) -> bool {
        self.fixed.contains(name)
    }

    /// Whether it is a state, or may be one.
    fn has(&self, name: &str) -> bool {
        self.is_fixed(name) || self.sets.iter().any(|set| set.contains(name))
    }
}

/// A model, its choice, and the trials of what is said of it.
pub(super) struct Trials<'a> {
    /// As it was before structure.
    model: Cow<'a, Equations>,
    chosen: Option<(Equations, Solvable, States)>,
    per_kind: usize,
    tried: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

/// Models with up to so many variables that could be states are tried for what is left out of lists, too.
const FEW: usize = 14;
/// In models with up to so many equations, those that give a variable are counted.
const MANY: usize = 80;

impl<'a> Trials<'a> {
    pub(super) fn of(equations: &'a Equations, per_kind: usize) -> Self {
        let modes = Modes::of(equations);
        let model = modes.map_or(Cow::Borrowed(equations), |modes| Cow::Owned(modes.equations().clone()));
        // how it starts is no matter of the choice
        let chosen =
            made_solvable(&model, &Mode::default(), Entry::OnTheWay).0.map(|(equations, solvable)| {
                let states = States::of(&equations, &solvable);
                (equations, solvable, states)
            });
        Trials { model, chosen, per_kind, tried: BTreeMap::new(), wrong: Vec::new() }
    }

    pub(super) fn into_found(mut self, name: &str, found: &mut Found) {
        let Some((equations, solvable, states)) = self.chosen.take() else { return };
        found.n_models += 1;
        let model = Chosen { equations: &equations, solvable: &solvable };
        let about = About { model, states: &states };
        // in another order for each model, so that not only the first variables have their turn
        let n = equations.variables.len();
        let first = name.bytes().fold(7_usize, |key, byte| key.wrapping_mul(31).wrapping_add(byte.into()));
        for place in 0..n {
            let v = VarId(((first + place * odd_step(n)) % n) as u32);
            let variable = equations.variable(v);
            if variable.is_unknown() && !variable.is_hidden {
                self.variable(&about, v);
            }
        }
        self.tried.into_iter().for_each(|(kind, n)| *found.tried.entry(kind).or_default() += n);
        found.wrong.extend(self.wrong.into_iter().map(|wrong| format!("{name}: {wrong}")));
    }

    /// Counts a sentence; says whether it is to be tried.
    fn begins(&mut self, kind: &'static str) -> bool {
        let tried = self.tried.entry(kind).or_default();
        let is_one_more = *tried < self.per_kind;
        *tried += usize::from(is_one_more);
        is_one_more
    }

    fn variable(&mut self, about: &About<'_>, v: VarId) {
        let choice = &about.model.solvable.roles[v.index()];
        let name = &about.model.equations.variable(v).name;
        let Some(sentence) = why(about.model, v, choice) else {
            self.wrong.push(format!("`{name}`: nothing is said of it"));
            return;
        };
        let read = Sentence::read(&sentence);
        let Some(claim) = read else {
            self.wrong.push(format!("`{name}`: it is not clear what is claimed: {sentence}"));
            return;
        };
        let result = self.sentence(about, v, &claim);
        self.note(name, &sentence, result);
        if let Some(advice) = change(about.model, v, choice) {
            match Advice::read(&advice) {
                Some(claim) => {
                    let result = self.advice(about, v, &claim);
                    self.note(name, &advice, result);
                }
                None => self.wrong.push(format!("`{name}`: it is not clear what is advised: {advice}")),
            }
        }
    }

    fn note(&mut self, name: &str, sentence: &str, result: Result<(), String>) {
        if let Err(but) = result {
            let short = |text: &str| text.chars().take(300).collect::<String>();
            self.wrong.push(format!("`{name}`: {}: {}", short(sentence), short(&but)));
        }
    }
}

/// A step through `n` numbers that meets each of them.
fn odd_step(n: usize) -> usize {
    let is_prime_to = |step: &usize| {
        let (mut a, mut b) = (n, *step);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    (n / 3 + 1..).find(is_prime_to).unwrap_or(1)
}

/// What sentences are about.
struct About<'a> {
    model: Chosen<'a>,
    states: &'a States,
}

impl About<'_> {
    fn variable(&self, name: &str) -> Option<VarId> {
        self.model.equations.variable_named(name)
    }

    fn name(&self, v: VarId) -> &str {
        &self.model.equations.variable(v).name
    }

    fn role(&self, v: VarId) -> Role {
        self.model.solvable.roles[v.index()].role
    }

    /// Whether `reinit` sets it: it must be a state then.
    fn is_set(&self, v: VarId) -> bool {
        self.model.equations.events.reinits.iter().any(|reinit| reinit.target == v)
    }

    /// Variables that could be states, with those that are.
    fn eligible(&self) -> Vec<VarId> {
        let of = self.model.equations.iter_variables().map(|(v, _)| v);
        of.filter(|&v| matches!(self.role(v), Role::State | Role::Dummy | Role::Candidate { .. }))
            .filter(|&v| !self.model.equations.variable(v).is_hidden)
            .collect()
    }
}

/// The states with other wishes, or why there are none.
type Outcome = Result<States, String>;

impl Trials<'_> {
    fn with_wishes(&self, wishes: &[(VarId, StateSelect)]) -> Outcome {
        let mut other = self.model.clone().into_owned();
        for &(v, wish) in wishes {
            // what index reduction has added is not there to be wished for
            other.variables.get_mut(v.index()).ok_or("it is not in the model")?.select = wish;
        }
        chosen(&other)
    }

    /// Whether a state and a dummy can change places.
    fn can_change_places(&self, state: VarId, dummy: VarId) -> bool {
        let wishes = [(dummy, StateSelect::Always), (state, StateSelect::Never)];
        let (is, was) = (self.model.variable(dummy), self.model.variable(state));
        self.with_wishes(&wishes).is_ok_and(|after| after.is_fixed(&is.name) && !after.has(&was.name))
    }

    /// The same, and nothing else changes: they belong to one level.
    fn change_places_alone(&self, about: &About<'_>, state: VarId, dummy: VarId) -> bool {
        let wishes = [(dummy, StateSelect::Always), (state, StateSelect::Never)];
        let Ok(after) = self.with_wishes(&wishes) else { return false };
        let mut expected = about.states.fixed.clone();
        expected.remove(about.name(state));
        expected.insert(about.name(dummy).to_owned());
        after.sets.is_empty() && about.states.sets.is_empty() && after.fixed == expected
    }

    fn sentence(&mut self, about: &About<'_>, v: VarId, claim: &Sentence) -> Result<(), String> {
        use Sentence as S;
        let name = about.name(v);
        match claim {
            S::NoTie => {
                if about.is_set(v) || !self.begins("no tie") {
                    return Ok(());
                }
                if self.depends_on_derivative(v).is_none() {
                    return Err("no equation of the model holds its derivative".into());
                }
                match self.with_wishes(&[(v, StateSelect::Never)]) {
                    Err(_) => Ok(()),
                    outcome => Err(format!("with `never` there: {outcome:?}")),
                }
            }
            S::LeftFree => {
                self.begins("left free");
                about.states.is_fixed(name).then_some(()).ok_or("it is no state".into())
            }
            S::Chosen(over) => {
                let kind = match (over.perhaps, over.more) {
                    (true, _) => "chosen, perhaps over others",
                    (false, 0) => "chosen",
                    (false, _) => "chosen over many",
                };
                if about.is_set(v) || !self.begins(kind) {
                    return Ok(());
                }
                self.chosen_over(about, v, over)
            }
            S::Given { by, are_all, from } => {
                let kind = match from {
                    None => "given by time alone",
                    Some(from) if from.names.is_empty() => "given from many states",
                    Some(from) if from.is_complete() => "given from states",
                    Some(_) => "given from states, some named",
                };
                let kind_of_by = match (by.is_empty(), are_all) {
                    (true, _) => "given by many equations",
                    (false, false) => "given by equations, some written",
                    (false, true) => "given by equations",
                };
                // each is counted
                let is_tried = [self.begins(kind), self.begins(kind_of_by)].contains(&true);
                if !is_tried {
                    return Ok(());
                }
                self.given_from(about, v, from.as_ref())?;
                self.given_by(about, v, by, *are_all)
            }
            S::InSet { dimension } => {
                if !self.begins("in a set") {
                    return Ok(());
                }
                self.in_set(about, v, *dimension)
            }
            S::DerivativeOfState | S::Derivative => {
                let is_of_state = *claim == S::DerivativeOfState;
                self.begins(if is_of_state { "derivative of a state" } else { "derivative" });
                let Kind::Derivative { of } = about.model.equations.variable(v).kind else {
                    return Err("it is no derivative".into());
                };
                let agrees = about.states.is_fixed(about.name(of)) == is_of_state && !about.states.has(name);
                agrees.then_some(()).ok_or("it is the other way round".into())
            }
            S::AtEventsOnly => {
                if !self.begins("at events only") {
                    return Ok(());
                }
                self.cannot_be_demanded(v)
            }
            S::NotDifferentiated | S::DerivativeHasNoEffect => {
                let is_none = *claim == S::NotDifferentiated;
                if !self.begins(if is_none { "not differentiated" } else { "derivative has no effect" }) {
                    return Ok(());
                }
                if let Some(e) = self.depends_on_derivative(v) {
                    return Err(format!(
                        "`{}` does",
                        self.model.notation().equation(&self.model.equations[e])
                    ));
                }
                // nothing needs it as a state
                let after = self.with_wishes(&[(v, StateSelect::Never)])?;
                (after == *about.states).then_some(()).ok_or(format!("with `never` there: {after:?}"))
            }
        }
    }

    /// An equation that depends on the derivative of a variable.
    fn depends_on_derivative(&self, v: VarId) -> Option<usize> {
        let derivative = *self.model.derivatives().get(v.index())?;
        let derivative = derivative?;
        let mut pool = self.model.pool.clone();
        let mut depends = |e: ExprId| {
            let is_free = pool.partial(e, derivative).is_ok_and(|slope| pool.as_number(slope) == Some(0.0));
            !is_free
        };
        self.model.equations.iter().position(|equation| depends(equation.lhs) || depends(equation.rhs))
    }

    fn cannot_be_demanded(&self, v: VarId) -> Result<(), String> {
        let name = &self.model.variable(v).name;
        match self.with_wishes(&[(v, StateSelect::Always)]) {
            Ok(after) if after.has(name) => Err(format!("with `always` there: {after:?}")),
            _ => Ok(()),
        }
    }

    fn chosen_over(&self, about: &About<'_>, state: VarId, over: &Listed) -> Result<(), String> {
        for name in &over.names {
            let dummy = about.variable(name).ok_or("there is no such variable")?;
            if !self.can_change_places(state, dummy) {
                return Err(format!("they cannot change places: `{name}`"));
            }
        }
        let eligible = about.eligible();
        if eligible.len() > FEW || over.perhaps {
            return Ok(());
        }
        let others = eligible.into_iter().filter(|&v| about.role(v) == Role::Dummy);
        let others = others.filter(|&dummy| self.change_places_alone(about, state, dummy));
        let others: Vec<&str> =
            others.map(|v| about.name(v)).filter(|name| !over.names.iter().any(|own| own == name)).collect();
        (others.len() <= over.more).then_some(()).ok_or(format!("it can change places with {others:?}, too"))
    }

    fn given_from(&self, about: &About<'_>, dummy: VarId, from: Option<&Listed>) -> Result<(), String> {
        let Some(from) = from else { return self.cannot_be_demanded(dummy) };
        for name in &from.names {
            let state = about.variable(name).ok_or("there is no such variable")?;
            if !about.is_set(state) && !self.can_change_places(state, dummy) {
                return Err(format!("they cannot change places: `{name}`"));
            }
        }
        if from.names.is_empty() {
            let after = self.with_wishes(&[(dummy, StateSelect::Always)])?;
            let is_state = after.is_fixed(about.name(dummy));
            return is_state.then_some(()).ok_or(format!("with `always` there: {after:?}"));
        }
        let eligible = about.eligible();
        if eligible.len() > FEW || from.perhaps {
            return Ok(());
        }
        let states = eligible.into_iter().filter(|&v| about.role(v) == Role::State && !about.is_set(v));
        let states = states.filter(|&state| self.change_places_alone(about, state, dummy));
        let states: Vec<&str> =
            states.map(|v| about.name(v)).filter(|name| !from.names.iter().any(|own| own == name)).collect();
        (states.len() <= from.more).then_some(()).ok_or(format!("it can change places with {states:?}, too"))
    }

    /// A state that is added to an equation that gives a dummy can take its place; one in another equation cannot.
    fn given_by(&self, about: &About<'_>, dummy: VarId, by: &[String], are_all: bool) -> Result<(), String> {
        let texts = self.texts(about);
        for equation in by {
            // derivatives of equations are not in the model
            if let Some(&Some(e)) = texts.get(equation)
                && !self.lets_go(about, e, dummy)
            {
                return Err(format!("it is given without `{equation}`"));
            }
        }
        if by.is_empty() && texts.len() <= MANY {
            let needed =
                texts.values().flatten().filter(|&&e| self.lets_go(about, e, dummy)).take(FEW).count();
            return (needed == FEW).then_some(()).ok_or(format!("{needed} equations give it"));
        }
        let is_in_model = by.iter().all(|equation| texts.contains_key(equation));
        let is_as_written = texts.len() == self.model.equations.len();
        if !are_all || !is_in_model || !is_as_written || texts.len() > 3 * FEW {
            return Ok(());
        }
        let more = texts.iter().find(|(own, e)| {
            let is_other = |&e: &usize| !by.contains(own) && !self.model.equations[e].is_discrete;
            e.filter(is_other).is_some_and(|e| self.lets_go(about, e, dummy))
        });
        more.map_or(Ok(()), |(own, _)| Err(format!("`{own}` is needed, too")))
    }

    /// The equations of the model by their text, as far as they are chosen from as they are written; none where two have one text.
    fn texts(&self, about: &About<'_>) -> BTreeMap<String, Option<usize>> {
        let mut texts = BTreeMap::new();
        for (e, equation) in self.model.equations.iter().enumerate() {
            let own = text(about.model, EqId(e as u32));
            if own == self.model.notation().equation(equation) {
                texts.entry(own).and_modify(|place| *place = None).or_insert(Some(e));
            }
        }
        texts
    }

    /// Whether a dummy can be a state in the place of one that is added to an equation, all others being demanded.
    fn lets_go(&self, about: &About<'_>, equation: usize, dummy: VarId) -> bool {
        let mut other = self.model.clone().into_owned();
        let added = VarId(other.variables.len() as u32);
        other.variables.push(Variable::new("added", Kind::Unknown));
        other.variables.push(Variable::new("der(added)", Kind::Derivative { of: added }));
        let (state, rate) = (other.pool.variable(added), other.pool.variable(VarId(added.0 + 1)));
        let zero = other.pool.number(0.0);
        let rhs = other.equations[equation].rhs;
        other.equations[equation].rhs = other.pool.add(rhs, state);
        other.equations.push(Equation::new(rate, zero, Origin::default()));
        let solvable = about.model.solvable;
        let of_sets = solvable
            .sets
            .iter()
            .flat_map(|set| set.candidates.iter().copied().filter(|v| !set.dummies.contains(v)));
        let fixed = solvable.states.iter().map(|state| state.variable);
        for v in fixed.chain(of_sets).chain([dummy]).filter(|v| v.index() < added.index()) {
            other.variables[v.index()].select = StateSelect::Always;
        }
        other.variables[added.index()].select = StateSelect::Never;
        let name = &self.model.variable(dummy).name;
        chosen(&other).is_ok_and(|after| after.is_fixed(name) && !after.has("added"))
    }

    fn in_set(&self, about: &About<'_>, v: VarId, dimension: usize) -> Result<(), String> {
        let Role::Candidate { set } = about.role(v) else { return Err("it is in no set".into()) };
        let set = &about.model.solvable.sets[set];
        if set.candidates.len() - set.dummies.len() != dimension {
            return Err(format!("{} are free", set.candidates.len() - set.dummies.len()));
        }
        let states: Vec<VarId> =
            set.candidates.iter().copied().filter(|v| !set.dummies.contains(v)).collect();
        let wishes: Vec<_> = states.iter().map(|&v| (v, StateSelect::Always)).collect();
        let after = self.with_wishes(&wishes)?;
        let is_fixed = states.iter().all(|&v| after.is_fixed(about.name(v)));
        is_fixed.then_some(()).ok_or(format!("with `always` at {:?}: {after:?}", states.len()))
    }

    fn advice(&mut self, about: &About<'_>, v: VarId, advice: &Advice) -> Result<(), String> {
        let name = about.name(v);
        let wish = |name: &str| StateSelect::named(name).ok_or("no such wish");
        match advice {
            Advice::Elsewhere { wish: text, at } => {
                if !self.begins("change: a wish elsewhere") {
                    return Ok(());
                }
                for other in &at.names {
                    let other = about.variable(other).ok_or("there is no such variable")?;
                    let after = self.with_wishes(&[(other, wish(text)?)])?;
                    if !after.is_fixed(about.name(other)) || after.has(name) {
                        return Err(format!("with that at `{}`: {after:?}", about.name(other)));
                    }
                }
                Ok(())
            }
            Advice::NeverHere { instead } => {
                if !self.begins("change: never here") {
                    return Ok(());
                }
                let after = self.with_wishes(&[(v, StateSelect::Never)])?;
                let is_replaced =
                    !instead.is_complete() || instead.names.iter().any(|other| after.has(other));
                (!after.has(name) && is_replaced).then_some(()).ok_or(format!("{after:?}"))
            }
            Advice::Here { wish: text, instead } => {
                if !self.begins("change: a wish here") {
                    return Ok(());
                }
                let after = self.with_wishes(&[(v, wish(text)?)])?;
                let is_less = |other: &String| !after.is_fixed(other);
                let gives_way = !instead.is_complete() || instead.names.iter().any(is_less);
                (after.is_fixed(name) && gives_way && after.n == about.states.n)
                    .then_some(())
                    .ok_or(format!("{after:?}"))
            }
            Advice::WithoutNever => {
                if !self.begins("change: without never") {
                    return Ok(());
                }
                let after = self.with_wishes(&[(v, StateSelect::Always)])?;
                after.is_fixed(name).then_some(()).ok_or(format!("{after:?}"))
            }
            Advice::Fixed { at } => {
                if !at.is_complete() || !self.begins("change: always at some of a set") {
                    return Ok(());
                }
                let wishes: Option<Vec<_>> =
                    at.names.iter().map(|name| Some((about.variable(name)?, StateSelect::Always))).collect();
                let after = self.with_wishes(&wishes.ok_or("there is no such variable")?)?;
                at.names.iter().all(|name| after.is_fixed(name)).then_some(()).ok_or(format!("{after:?}"))
            }
        }
    }
}

fn chosen(model: &Equations) -> Outcome {
    let (made, said) = made_solvable(model, &Mode::default(), Entry::OnTheWay);
    let mistakes = said.iter().filter(|said| said.is_error()).map(|said| said.message.clone());
    match made {
        Some((equations, solvable)) => Ok(States::of(&equations, &solvable)),
        None => Err(mistakes.collect::<Vec<_>>().join("; ")),
    }
}
