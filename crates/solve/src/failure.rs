//! Diagnostics of failed evaluations, in the modeller's words.

pub mod landing;

use rhei_equations::{EqId, Equation, ExprId, Leaf, Node, Notation, Split, VarId, Whole, number};
use rhei_evaluate::Failure as FailedCall;
use rhei_flat::Function;
use rhei_kernel::Fault;
use rhei_model::CompiledModel;
use rhei_numerics::projection::Began;
use rhei_solvable::{Cause, StateSet, Surplus};
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::evaluate::{NoValue, Unsolved, Why};
use crate::freed::DependentCondition;
use crate::groups::{End, NoEquilibrium};

/// A time with ten digits: more would be rounding, or the accuracy of an event's location.
pub fn instant(t: f64) -> String {
    number(format!("{t:.9e}").parse().unwrap_or(t))
}

/// A failed evaluation.
pub fn of_no_value(model: &CompiledModel, why: &NoValue, t: f64) -> Diagnostic {
    match why {
        NoValue::Fault(fault) => of_fault(model, fault, t),
        NoValue::Unsolved(unsolved) => of_unsolved(model, unsolved, t),
        NoValue::NoEquilibrium(unrested) => of_no_equilibrium(model, unrested, t),
        NoValue::Contradicted { condition, lhs, rhs } => of_contradiction(model, condition, *lhs, *rhs),
        NoValue::NotStarted(why) => {
            let inner = of_no_value(model, why, t);
            Diagnostic { id: "initial-no-solution", ..inner }
        }
        NoValue::Exhausted(why) => {
            let inner = of_no_value(model, why, t);
            let note = "every way to a solution was given as much work as a start may take; better start values shorten the search";
            Diagnostic { id: "initial-search-too-long", ..inner }.with_note(note)
        }
        NoValue::Unsettled(held) => {
            let message = format!(
                "no value of {} fits the equations at t = {}: each one that is tried leads to another",
                names(model, held),
                instant(t)
            );
            at_declarations(Diagnostic::error("conditions-unsettled", message), model, held)
                .with_note("a condition decides here about what it is itself computed from; a hysteresis (with `pre`) may be missing")
        }
    }
}

/// Contradicting conditions at the start.
fn of_contradiction(model: &CompiledModel, condition: &Surplus, lhs: f64, rhs: f64) -> Diagnostic {
    let is_of_start = |cause: &Cause| !matches!(cause, Cause::Equation(_));
    let (rivals, equations): (Vec<Cause>, Vec<Cause>) = condition.rivals.iter().partition(|c| is_of_start(c));
    let conditions: Vec<Cause> = rivals.into_iter().chain([condition.because]).collect();
    let sides = format!("{} and {}", number(lhs + 0.0), number(rhs + 0.0));
    let said = cause_texts(model, &conditions);
    let message = match (conditions.as_slice(), equations.as_slice()) {
        ([_], [_, ..]) => {
            let equations = cause_texts(model, &equations);
            format!("{said} contradicts {equations}: without it its sides are {sides}")
        }
        (_, []) => {
            format!(
                "these initial conditions contradict each other: {said}; without the last one its sides are {sides}"
            )
        }
        _ => {
            let equations = cause_texts(model, &equations);
            format!(
                "these initial conditions contradict each other: {said}; with {equations}, and without the last one, its sides are {sides}"
            )
        }
    };
    let conditions: Vec<Cause> = equations.into_iter().chain(conditions).collect();
    let mut diagnostic = Diagnostic::error("inconsistent-initial", message);
    for (span, text) in conditions.iter().rev().take(NAMED).filter_map(|cause| written(model, *cause)) {
        if diagnostic.labels.iter().all(|label| label.span != span) {
            diagnostic = diagnostic.at(span, text);
        }
    }
    diagnostic.with_note("take one of them away, or its `fixed = true`")
}

/// Conditions and equations as they are written.
fn cause_texts(model: &CompiledModel, causes: &[Cause]) -> String {
    let texts: Vec<String> =
        causes.iter().take(NAMED).map(|cause| format!("`{}`", condition_text(model, *cause))).collect();
    let more = causes.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", texts.join(", "))
}

/// Start values at which the constraints of a state set are singular.
pub(crate) fn of_displaced_start(model: &CompiledModel, set: usize, began: Began) -> Diagnostic {
    let set = &model.solvable.sets[set];
    let free: Vec<VarId> =
        set.candidates.iter().copied().filter(|v| !model.equations.variable(*v).fixed).collect();
    let names = names(model, &free);
    let said = match began {
        Began::Beside => Diagnostic::note(
            "start-beside",
            format!(
                "from the start values of {names} no point on the constraints is found: the search began beside them"
            ),
        ),
        _ => Diagnostic::warning(
            "singular-start",
            format!(
                "at the start values the constraints say nothing about the direction in which {names} lie: the search for a start began above them, by about their nominal values"
            ),
        ),
    };
    at_constraints(said, model, &set.equations)
        .with_note("give start values near where the model shall start")
}

/// Start values that were assumed, and from which no start was found.
pub fn of_start_not_kept(model: &CompiledModel, kept: &[VarId]) -> Diagnostic {
    let message = format!(
        "with the start values of {} no start is found: the states that follow from them start at zero, or at the start values of their types",
        names(model, kept)
    );
    let said = Diagnostic::note("start-not-kept", message);
    said.with_note(
        "give start values to the states, or write `fixed=true` where a start value has to be kept",
    )
}

/// Loops whose start was found by following a flow.
pub(crate) fn of_followed_loop(model: &CompiledModel, guessed: &[VarId]) -> Diagnostic {
    let message = format!(
        "Newton's method finds no start for {}: it was found by following the residuals as a flow",
        names(model, guessed)
    );
    at_declarations(Diagnostic::note("start-by-continuation", message), model, guessed)
        .with_note("give start values near where the model shall start: there may be several solutions")
}

/// Guesses at which a loop of the initial problem is singular.
pub(crate) fn of_displaced_loop(model: &CompiledModel, guessed: &[VarId]) -> Diagnostic {
    let message = format!(
        "at its start value nothing says in which direction {} lies: the search for a start began above it, by about its nominal value",
        names(model, guessed)
    );
    at_declarations(Diagnostic::warning("singular-start", message), model, guessed)
        .with_note("give a start value near where the model shall start: there may be several solutions")
}

/// Loops that are singular at the start, and what they leave open.
pub(crate) fn of_singular_start(
    model: &CompiledModel,
    positions: &[VarId],
    left_open: &[VarId],
) -> Diagnostic {
    let message = format!(
        "at the start the equations for {} have a double solution, and do not determine {}: start values are used",
        names(model, positions),
        names(model, left_open)
    );
    at_declarations(Diagnostic::warning("singular-start", message), model, positions)
        .with_note("fix another variable, or start elsewhere")
}

/// A condition on the start of a state set that its constraints leave no room.
pub(crate) fn of_dependent_condition(model: &CompiledModel, dependent: &DependentCondition) -> Diagnostic {
    let set = &model.solvable.sets[dependent.set];
    let equations: Vec<EqId> =
        dependent.constraints.iter().filter_map(|&place| set.equations.get(place).copied()).collect();
    if let Cause::Start(fixed) = dependent.condition
        && set.depends_on_itself
    {
        let free: Vec<VarId> =
            set.candidates.iter().copied().filter(|v| !model.equations.variable(*v).fixed).collect();
        let message = format!(
            "{} is fixed where the constraints leave it no room to move: they do not determine {} from it there",
            names(model, &[fixed]),
            names(model, &free)
        );
        let diagnostic = Diagnostic::warning("singular-start", message);
        return at_constraints(diagnostic, model, &equations)
            .with_note("fix another variable of the constraints, or start elsewhere");
    }
    let message = format!(
        "`{}` says what the constraints say at the start, and determines nothing",
        condition_text(model, dependent.condition)
    );
    let diagnostic = Diagnostic::note("redundant-initial", message);
    let diagnostic = match written(model, dependent.condition) {
        Some((span, text)) => diagnostic.at(span, text),
        None => diagnostic,
    };
    at_constraints(diagnostic, model, &equations).with_note("what it leaves open starts at its start value")
}

/// The text of a condition at the start.
fn condition_text(model: &CompiledModel, cause: Cause) -> String {
    let notation = model.notation();
    match cause {
        Cause::Equation(EqId(i)) => notation.equation(&model.equations.equations[i as usize]),
        Cause::InitialEquation(EqId(i)) => notation.equation(&model.equations.initial[i as usize]),
        Cause::Start(v) => format!("{}(fixed=true)", model.equations.variable(v).name),
        Cause::Binding(v) => model.equations.variable(v).name.to_string(),
    }
}

/// Adds labels at the places of equations.
pub fn at_constraints(mut diagnostic: Diagnostic, model: &CompiledModel, equations: &[EqId]) -> Diagnostic {
    for e in equations {
        if let Some((span, _)) = written(model, Cause::Equation(*e))
            && diagnostic.labels.iter().all(|label| label.span != span)
        {
            let text = model.equations.notation().equation(&model.equations.equations[e.index()]);
            diagnostic = diagnostic.at(span, text);
        }
    }
    diagnostic
}

/// `a`, `b` and so many more.
pub fn names(model: &CompiledModel, variables: &[VarId]) -> String {
    // both parts of a large Integer have one name
    let variables: Vec<VarId> =
        variables.iter().copied().filter(|v| model.equations.variable(*v).rest_of.is_none()).collect();
    let name = |v: &VarId| format!("`{}`", model.equations.variable(*v).name);
    let mut names: Vec<String> = variables.iter().take(NAMED).map(name).collect();
    if variables.len() > NAMED {
        names.push(format!("{} more", variables.len() - NAMED));
    }
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

/// Adds labels at the declarations of variables.
pub fn at_declarations(mut diagnostic: Diagnostic, model: &CompiledModel, variables: &[VarId]) -> Diagnostic {
    for v in variables.iter().take(NAMED) {
        let variable = model.equations.variable(*v);
        if let Some(span) = variable.span
            && diagnostic.labels.iter().all(|label| label.span != span)
        {
            let what =
                if variable.is_hidden { "this condition".into() } else { format!("`{}`", variable.name) };
            diagnostic = diagnostic.at(span, what);
        }
    }
    diagnostic
}

/// An operation that has no finite value.
fn of_fault(model: &CompiledModel, fault: &Fault, t: f64) -> Diagnostic {
    if let Some(failure) = &fault.call {
        if let FailedCall::AssertFailed { message, span } = &**failure {
            return of_assert_in_function(model, fault, message, *span, t);
        }
        let mut inner = (**failure).clone().into_diagnostic();
        let target = fault
            .target
            .map_or(String::new(), |v| format!(", computing `{}`", model.equations.variable(v).name));
        inner.message = format!("{} (at t = {}{target})", inner.message, instant(t));
        return inner;
    }
    let overflow = overflow(model, fault);
    let what = describe(model, fault);
    let written = fault.expression.map(|e| AsWritten::new(model, fault.target, e));
    let expression =
        written.as_ref().map_or("a guess".into(), |written| format!("`{}`", shortened(&written.text)));
    let target = written.as_ref().and_then(|written| written.target).or(fault.target);
    let place = match target {
        Some(target) => format!("in the computation of `{}`", model.equations.variable(target).name),
        None => "in the residual of a loop".into(),
    };
    let mut diagnostic = match overflow {
        Some(value) => {
            let message = format!(
                "{expression} {place} is {value} at t = {}: beyond the Integers, which end at {} and {}",
                instant(t),
                i64::MIN,
                i64::MAX
            );
            Diagnostic::error("integer-overflow", message)
        }
        None => {
            let message = format!("{what} at t = {}: {expression} {place} has no value", instant(t));
            Diagnostic::error("evaluation-failed", message)
        }
    };
    for (span, text) in fault.target.into_iter().flat_map(|target| causes(model, target)) {
        diagnostic = diagnostic.at(span, text);
    }
    let names = written.map_or_else(Vec::new, |written| written.names);
    if names.is_empty() {
        diagnostic
    } else {
        diagnostic.with_note(format!("it depends on {}", names.join(", ")))
    }
}

/// A formula shortened to a line of a message: inlined functions may make long ones.
fn shortened(formula: &str) -> String {
    match formula.char_indices().nth(LONGEST_FORMULA) {
        Some((end, _)) => format!("{}…", &formula[..end]),
        None => formula.to_owned(),
    }
}

/// A violated `assert` of a function that a formula calls: with the function, and the place and purpose of the call.
fn of_assert_in_function(
    model: &CompiledModel,
    fault: &Fault,
    message: &str,
    span: Span,
    t: f64,
) -> Diagnostic {
    let functions = &model.equations.functions;
    let is_there = |function: &&Function| {
        let mut found = function.external.as_ref().is_some_and(|external| external.span == span);
        function.walk_expressions(&mut |e| e.walk(&mut |part| found |= part.span == span));
        found
    };
    let what = match functions.functions.iter().find(is_there) {
        Some(function) => broken_in(&function.name, message, t),
        None => format!("an assertion of a function does not hold at t = {}: {message}", instant(t)),
    };
    let mut said = Diagnostic::error("assert-failed", what).at(span, "asserted here");
    let Some(target) = fault.target else { return said };
    for (span, text) in causes(model, target) {
        said = said.at(span, text);
    }
    let name = &model.equations.variable(target).name;
    let said = said.with_note(format!("`{name}` is computed there"));
    let component = equations_of(model, target).into_iter().next().map(|e| e.origin.component.clone());
    in_component(said, &component.unwrap_or_default())
}

/// A formula in the names of the equation that it comes from: solved formulas use one of several names of a quantity.
pub struct AsWritten {
    /// The formula.
    pub text: String,
    /// The variable it is computed for.
    target: Option<VarId>,
    /// The variables in it, quoted.
    names: Vec<String>,
}

impl AsWritten {
    /// A formula that is computed for this variable.
    pub fn new(model: &CompiledModel, target: Option<VarId>, e: ExprId) -> AsWritten {
        let mut pool = model.equations.pool.clone();
        let mut said: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for equation in target.into_iter().flat_map(|target| equations_of(model, target)) {
            let sides = [equation.lhs, equation.rhs].into_iter();
            for v in sides.flat_map(|side| model.equations.pool.variables_of(side)) {
                let aliases = &model.solvable.aliases;
                let Ok(place) = aliases.binary_search_by_key(&v, |alias| alias.target) else {
                    said.entry(v).or_insert_with(|| pool.variable(v));
                    continue;
                };
                let name = pool.variable(v);
                let (of, name) = match pool.node(aliases[place].value) {
                    Node::Negate(of) => (pool.node(of), pool.negate(name)),
                    of => (of, name),
                };
                if let Node::Variable(of) = of {
                    said.entry(of).or_insert(name);
                }
            }
        }
        let e = pool.substitute(e, |leaf| match leaf {
            Leaf::Variable(v) => said.get(&v).copied(),
            Leaf::Time => None,
        });
        let notation = Notation { pool: &pool, ..model.notation() };
        let name = |v: VarId| format!("`{}`", model.equations.variable(v).name);
        let target = target.map(|target| match said.get(&target).map(|&name| pool.node(name)) {
            Some(Node::Variable(name)) => name,
            _ => target,
        });
        AsWritten {
            target,
            text: notation.expression(e),
            names: pool.variables_of(e).into_iter().map(name).collect(),
        }
    }
}

/// The equations of the model that a variable is computed from.
fn equations_of(model: &CompiledModel, v: VarId) -> Vec<&Equation> {
    let of = |cause: Cause| match cause {
        Cause::Equation(e) => model.equations.equations.get(e.index()),
        Cause::InitialEquation(e) => model.equations.initial.get(e.index()),
        Cause::Start(_) | Cause::Binding(_) => None,
    };
    causes_of(model, v).into_iter().filter_map(of).collect()
}

/// Most characters of a failed formula that are shown.
const LONGEST_FORMULA: usize = 300;
/// Most unknowns or equations of a loop that are named; the rest is counted.
pub const NAMED: usize = 6;

/// Balances that do not come to rest.
fn of_no_equilibrium(model: &CompiledModel, unrested: &NoEquilibrium, t: f64) -> Diagnostic {
    let balanced = &unrested.iteration.guessed[..unrested.iteration.balance.len()];
    let name = |v: VarId| &model.equations.variable(v).name;
    let at = |values: &[f64]| {
        let shown: Vec<String> = balanced
            .iter()
            .zip(values)
            .take(NAMED)
            .map(|(v, value)| {
                format!("{} = {}", name(*v), number(format!("{value:.6e}").parse().unwrap_or(*value)))
            })
            .collect();
        let more = balanced.len().saturating_sub(NAMED);
        if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
    };
    let (what, when) = (names(model, balanced), instant(t));
    let (id, message) = match unrested.end {
        End::Unstable(_) => {
            let where_ = at(&unrested.at);
            let message = format!(
                "the balance of {what} does not stay at its equilibrium at t = {when} ({where_}): the least change grows"
            );
            ("balance-unstable", message)
        }
        End::Diverges => {
            let message = format!(
                "the balance of {what} has no equilibrium at t = {when}: it goes to infinity ({})",
                at(&unrested.at)
            );
            ("balance-no-equilibrium", message)
        }
        End::NotConverged => {
            let message = format!(
                "the balance of {what} does not settle at t = {when}: after {} evaluations it is still on its way ({})",
                unrested.calls,
                at(&unrested.at)
            );
            ("balance-no-equilibrium", message)
        }
    };
    let mut said =
        Diagnostic::error(id, message).with_note(format!("the search began at {}", at(&unrested.from)));
    said = match unrested.end {
        End::Unstable(_) => said.with_note(
            "in `balance(x) = f` the right side must be positive where `x` is too small: is its sign the wrong way round?",
        ),
        End::Diverges | End::NotConverged => said.with_note(
            "`balance(x) = f` follows `dx/dτ = f`, all else being frozen, until it comes to rest: look whether it can, and from where it starts",
        ),
    };
    let causes = unrested.iteration.because.iter().take(balanced.len());
    for (span, text) in causes.filter_map(|cause| written(model, *cause)).take(NAMED) {
        if said.labels.iter().all(|label| label.span != span) {
            said = said.at(span, text);
        }
    }
    said
}

/// A loop that has no solution from its guesses.
fn of_unsolved(model: &CompiledModel, unsolved: &Unsolved, t: f64) -> Diagnostic {
    let name = |v: VarId| &model.equations.variable(v).name;
    let guessed = &unsolved.iteration.guessed;
    let mut names: Vec<String> = guessed.iter().take(NAMED).map(|v| format!("`{}`", name(*v))).collect();
    if guessed.len() > NAMED {
        names.push(format!("{} more", guessed.len() - NAMED));
    }
    let because = &unsolved.iteration.because;
    let (detail, worst) = match &unsolved.why {
        Why::NotConverged { worst, residual, iterations } => {
            let detail =
                format!("after {iterations} iterations the marked equation is still off by {residual:.3e}");
            (detail, because.get(*worst))
        }
        Why::Held { unknown, at_max, bound } => {
            let (v, attribute) = (guessed[*unknown], if *at_max { "max" } else { "min" });
            let beyond = if *at_max { "above" } else { "below" };
            let detail =
                format!("`{}` would have to be {beyond} its `{attribute}`, {}", name(v), number(*bound));
            (detail, None)
        }
        Why::Singular { unknown } => {
            let unknown = guessed.get(*unknown).map_or(String::new(), |v| format!("`{}`", name(*v)));
            (format!("{unknown} is not determined there"), None)
        }
        Why::Fault(fault) => {
            let inner = of_fault(model, fault, t);
            return Diagnostic { id: "loop-no-solution", ..inner }.with_note(guess_note(model, unsolved));
        }
    };
    let message = format!("no solution is found for {} at t = {}: {detail}", names.join(", "), instant(t));
    let mut diagnostic = Diagnostic::error("loop-no-solution", message);
    for cause in worst.into_iter().chain(because.iter().filter(|cause| Some(*cause) != worst)).take(NAMED) {
        if let Some((span, text)) = written(model, *cause)
            && diagnostic.labels.iter().all(|label| label.span != span)
        {
            diagnostic = diagnostic.at(span, text);
        }
    }
    diagnostic
        .with_note(guess_note(model, unsolved))
        .with_note("better `start` values, or `nominal` values of the right size, may help")
}

fn guess_note(model: &CompiledModel, unsolved: &Unsolved) -> String {
    let guesses = unsolved.iteration.guessed.iter().zip(&unsolved.guesses).zip(&unsolved.nominals);
    let guesses: Vec<String> = guesses
        .take(NAMED)
        .map(|((v, guess), nominal)| {
            format!(
                "`{}` from {} (nominal {})",
                model.equations.variable(*v).name,
                number(*guess),
                number(*nominal)
            )
        })
        .collect();
    format!("the search began with {}", guesses.join(", "))
}

/// The explanation of an operation on whole numbers whose result is too large, if that is the fault.
fn overflow(model: &CompiledModel, fault: &Fault) -> Option<String> {
    let Node::Whole(op, ..) = model.equations.pool.node(fault.expression?) else { return None };
    let &[a, a_rest, b, b_rest] = fault.operands.as_slice() else { return None };
    let whole = |nearest, rest| Split { nearest, rest }.whole().map(i128::from);
    if op == Whole::OfReal {
        return (a == a.trunc() && whole(a, a_rest).is_none()).then(|| number(a));
    }
    let (a, b) = (whole(a, a_rest)?, whole(b, b_rest)?);
    let value = match op {
        Whole::Add => a + b,
        Whole::Subtract => a - b,
        Whole::Multiply => a * b,
        Whole::Quotient => a.checked_div(b)?,
        Whole::Remainder | Whole::Modulo | Whole::OfReal => return None,
    };
    Some(value.to_string())
}

/// `log of -0.3`, `division of 1 by 0`, `overflow`.
fn describe(model: &CompiledModel, fault: &Fault) -> String {
    use rhei_equations::Binary;
    let shown: Vec<String> = fault.operands.iter().map(|&x| number(x)).collect();
    let Some(expression) = fault.expression else { return "not a number".into() };
    match (model.equations.pool.node(expression), shown.as_slice()) {
        (Node::Binary(Binary::Div, ..), [a, b]) if fault.operands[1] == 0.0 => {
            format!("division of {a} by {b}")
        }
        (Node::Whole(op, ..), [a, _, b, _]) if fault.operands[2] == 0.0 => {
            format!("{} of {a} by {b}", op.name())
        }
        (Node::Whole(..), [a, _, b, _]) => {
            let fraction = if fault.operands[0].fract() != 0.0 { a } else { b };
            format!("{fraction} is no whole number")
        }
        (Node::Binary(Binary::Pow, ..), [a, b]) => format!("{a} to the power of {b}"),
        (Node::Call(f, _), [a]) => format!("{} of {a}", f.name()),
        _ => format!("overflow to {}", fault.value),
    }
}

/// The places in the text that a variable is computed from.
pub fn causes(model: &CompiledModel, v: VarId) -> Vec<(Span, String)> {
    causes_of(model, v).into_iter().filter_map(|cause| written(model, cause)).take(NAMED).collect()
}

fn causes_of(model: &CompiledModel, v: VarId) -> Vec<Cause> {
    let solvable = &model.solvable;
    let blocks = solvable.continuous.iter().chain(&solvable.initial).chain(&solvable.parameters);
    let found = blocks.into_iter().map(|block| block.causes_of(v)).find(|causes| !causes.is_empty());
    found.unwrap_or_default()
}

/// The place of a cause, with its label.
pub fn written(model: &CompiledModel, cause: Cause) -> Option<(Span, String)> {
    let of =
        |equation: &rhei_equations::Equation| Some((equation.origin.span?, "in this equation".to_owned()));
    match cause {
        Cause::Equation(EqId(i)) => of(&model.equations.equations[i as usize]),
        Cause::InitialEquation(EqId(i)) => of(&model.equations.initial[i as usize]),
        Cause::Start(v) | Cause::Binding(v) => {
            Some((model.equations.variable(v).span?, "declared here".into()))
        }
    }
}

/// The place of a cause in the text.
pub fn place_of(model: &CompiledModel, cause: Cause) -> Option<Span> {
    written(model, cause).map(|(span, _)| span)
}

/// The set that a state belongs to, if any.
pub fn set_of(model: &CompiledModel, state: usize) -> Option<&StateSet> {
    let state = model.solvable.states[state].variable;
    model.solvable.sets.iter().find(|set| set.states.contains(&state))
}

/// A state by its name, or by the candidates of its set.
pub fn state_name(model: &CompiledModel, state: usize) -> String {
    match set_of(model, state) {
        Some(set) => format!("one of {}", names(model, &set.candidates)),
        None => names(model, &[model.solvable.states[state].variable]),
    }
}

/// The message of a violated assertion of a function.
pub fn broken_in(function: &str, message: &str, t: f64) -> String {
    format!("an assertion of the function `{function}` does not hold at t = {}: {message}", instant(t))
}

/// Adds the component that a diagnostic is about, if there is one.
pub fn in_component(said: Diagnostic, component: &str) -> Diagnostic {
    if component.is_empty() { said } else { said.with_note(format!("in the component `{component}`")) }
}
