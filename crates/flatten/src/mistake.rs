//! Errors in connections, in the modeller's words.

use rhei_evaluate::Failure;
use rhei_source::{Diagnostic, Span, not_supported_yet, subscript_out_of_bounds};

/// A mistake with its place.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are what the message says of them
pub enum Mistake {
    /// The two sides do not have the same parts, types or sizes.
    Mismatch {
        left: String,
        right: String,
        why: String,
        span: Span,
    },
    /// `flow` or `stream` on one side only.
    FlowWithPotential {
        left: String,
        left_is: &'static str,
        right: String,
        right_is: &'static str,
        span: Span,
    },
    NotAConnector {
        name: String,
        span: Span,
    },
    /// Two names with the quantities they are declared with.
    Quantities {
        left: (String, String),
        right: (String, String),
        span: Span,
    },
    /// A connection set with more than one source of its signal.
    Causality {
        sources: Vec<(String, &'static str, Span)>,
        span: Span,
    },
    /// Both sides are new in an expandable connector.
    Undeclared {
        left: String,
        right: String,
        span: Span,
    },
    /// Two connectors of outer elements, tied together.
    OuterConnectors {
        first: String,
        second: String,
        span: Span,
    },
    /// A protected connector that only a new member of an expandable connector is connected to.
    ProtectedWithNew {
        name: String,
        span: Span,
    },
    /// A member is new, and so is the component that it is named in.
    UndeclaredAround {
        member: String,
        around: String,
        span: Span,
    },
    /// More or fewer subscripts than another connection has for the same new member.
    MemberDimensions {
        name: String,
        dimensions: usize,
        found: usize,
        span: Span,
    },
    /// A member that other connections name element by element, connected as a whole.
    SizelessMember {
        name: String,
        span: Span,
    },
    /// A subscript that would make an array too large.
    TooManyElements {
        most: usize,
        span: Span,
    },
    /// Connected expandable connectors that grow without end.
    EndlessExpansion {
        name: String,
        span: Span,
    },
    SubscriptOutOfBounds {
        array: String,
        subscript: i64,
        size: usize,
        span: Span,
    },
    /// A connector that is too deep inside the components of the model.
    TooDeep {
        name: String,
        span: Span,
    },
    /// Only inputs are connected to a member of expandable connectors.
    NoSource {
        name: String,
        span: Span,
    },
    /// A member of an expandable connector is used, and nothing is connected to it.
    AbsentMember {
        name: String,
        span: Span,
    },
    /// `flow` or `stream` of something else than a part of a connector.
    OutsideConnector {
        name: String,
        prefix: &'static str,
        span: Span,
    },
    FlowInExpandable {
        name: String,
        span: Span,
    },
    /// A connector declared as a parameter or constant.
    UnvaryingConnector {
        name: String,
        span: Span,
    },
    /// A connector with streams has exactly one flow.
    StreamFlows {
        class: String,
        flows: usize,
        span: Span,
    },
    /// As many flows as potentials are wanted.
    Unbalanced {
        class: String,
        potentials: usize,
        flows: usize,
        span: Span,
    },
    /// A component with too many or too few equations of its own.
    LocallyUnbalanced {
        component: String,
        class: String,
        equations: usize,
        unknowns: usize,
        /// The unknowns concerned, with their declarations.
        named: Vec<(String, Span)>,
        /// The equations concerned.
        places: Vec<Span>,
        span: Span,
    },
    /// The same for the whole model.
    WholeUnbalanced {
        class: String,
        equations: usize,
        unknowns: usize,
        named: Vec<(String, Span)>,
        places: Vec<Span>,
    },
    /// `Connections.root` and its kin where there are no equations that always hold.
    Misplaced {
        operator: &'static str,
        span: Span,
    },
    NotAStream {
        operator: &'static str,
        span: Span,
    },
    StreamWithoutFlow {
        name: String,
        span: Span,
    },
    /// `Connections.*` or `cardinality` of something else than a part of a connector.
    NotInConnector {
        operator: &'static str,
        span: Span,
    },
    /// `rooted` of a node that is not the first end of one branch.
    RootedWithoutBranch {
        name: String,
        span: Span,
    },
    /// A flow of an overdetermined type or record, or a flow in one.
    OverdeterminedFlow {
        name: String,
        span: Span,
    },
    /// Two definite roots that nothing can part.
    RootsTogether {
        first: String,
        first_span: Span,
        second: String,
        second_span: Span,
    },
    /// Branches that nothing can open.
    BranchCycle {
        span: Span,
    },
    /// A connection graph without a root.
    NoRoot {
        name: String,
        span: Span,
    },
    Evaluation(Box<Failure>),
    NotSupported {
        construct: String,
        span: Span,
    },
}

impl Mistake {
    /// Whether there is no flat model with it.
    pub(crate) fn refuses(&self) -> bool {
        !matches!(self, Mistake::NoRoot { .. })
    }
}

impl From<Mistake> for Diagnostic {
    fn from(mistake: Mistake) -> Diagnostic {
        match mistake {
            Mistake::Mismatch { left, right, why, span } => {
                let message = format!("`{left}` and `{right}` cannot be connected: {why}");
                Diagnostic::error("connect-mismatch", message).at(span, "connected here")
            }
            Mistake::FlowWithPotential { left, left_is, right, right_is, span } => {
                let message = format!(
                    "`{left}` and `{right}` cannot be connected: one is a {left_is} variable, the other a {right_is} variable"
                );
                Diagnostic::error("connect-flow-with-potential", message).at(span, "connected here")
            }
            Mistake::NotAConnector { name, span } => {
                Diagnostic::error("not-a-connector", format!("`{name}` is not a connector"))
                    .at(span, "connected here")
            }
            Mistake::Quantities { left, right, span } => {
                let message = format!(
                    "`{}` and `{}` cannot be connected: the quantity of one is \"{}\", of the other \"{}\"",
                    left.0, right.0, left.1, right.1
                );
                Diagnostic::error("connect-quantity", message).at(span, "connected here")
            }
            Mistake::Causality { sources, span } => {
                let names: Vec<String> =
                    sources.iter().map(|(name, what, _)| format!("{what} `{name}`")).collect();
                let message = format!("a signal has more than one source: {}", names.join(" and "));
                let diagnostic = Diagnostic::error("connect-causality", message).at(span, "connected here");
                let diagnostic = sources
                    .into_iter()
                    .fold(diagnostic, |diagnostic, (_, what, span)| diagnostic.at(span, what));
                diagnostic.with_note("connect each input to one output only")
            }
            Mistake::Undeclared { left, right, span } => {
                let message = format!("neither `{left}` nor `{right}` is declared");
                Diagnostic::error("connect-undeclared", message).at(span, "connected here").with_note(
                    "one side of a connection to an expandable connector must be declared: it gives the type",
                )
            }
            Mistake::OuterConnectors { first, second, span } => {
                let message = format!(
                    "`{first}` and `{second}` both belong to outer elements and cannot be connected here"
                );
                Diagnostic::error("connect-outer", message)
                    .at(span, "connected here")
                    .with_note("connect them where the inner elements are declared")
            }
            Mistake::ProtectedWithNew { name, span } => {
                let message = format!(
                    "the direction of `{name}` is not known: only a protected connector is connected to it"
                );
                Diagnostic::error("connect-no-source", message)
                    .at(span, "connected here")
                    .with_note("declare it in the expandable connector, or connect it to a component")
            }
            Mistake::UndeclaredAround { member, around, span } => {
                let message = format!("`{member}` cannot be added: `{around}` is not declared");
                Diagnostic::error("connect-undeclared", message)
                    .at(span, "connected here")
                    .with_note("a connection adds one member to an expandable connector that is declared")
            }
            Mistake::MemberDimensions { name, dimensions, found, span } => {
                let some = |n: usize, thing: &str| match n {
                    0 => format!("no {thing}s"),
                    1 => format!("one {thing}"),
                    n => format!("{n} {thing}s"),
                };
                let message = format!(
                    "`{name}` has {} by another connection, and {} here",
                    some(dimensions, "dimension"),
                    some(found, "subscript")
                );
                Diagnostic::error("connect-mismatch", message).at(span, "connected here")
            }
            Mistake::SizelessMember { name, span } => {
                let message =
                    format!("`{name}` has no size: connections to single elements of it make it an array");
                Diagnostic::error("sizeless-member", message).at(span, "meant as a whole here").with_note(
                    "name the elements by subscripts, or declare its size in the expandable connector",
                )
            }
            Mistake::TooManyElements { most, span } => {
                let message =
                    format!("a member of an expandable connector cannot have more than {most} elements");
                Diagnostic::error("too-many-elements", message).at(span, "so many here")
            }
            Mistake::EndlessExpansion { name, span } => {
                let message = format!("the expandable connector `{name}` would contain itself without end");
                Diagnostic::error("connect-mismatch", message).at(span, "connected here")
            }
            Mistake::SubscriptOutOfBounds { array, subscript, size, span } => {
                subscript_out_of_bounds(&array, subscript, size, span)
            }
            Mistake::TooDeep { name, span } => {
                let message = format!(
                    "`{name}` is neither a connector of this model nor one of its components' connectors"
                );
                Diagnostic::error("connect-too-deep", message)
                    .at(span, "connected here")
                    .with_note("lead it out through connectors of the components around it")
            }
            Mistake::NoSource { name, span } => {
                let message = format!("`{name}` has no source: only inputs are connected to it");
                Diagnostic::error("connect-no-source", message).at(span, "connected here")
            }
            Mistake::AbsentMember { name, span } => {
                let message = format!(
                    "`{name}` is used, and nothing is connected to this member of an expandable connector"
                );
                Diagnostic::error("absent-member", message).at(span, "declared here")
            }
            Mistake::OutsideConnector { name, prefix, span } => {
                let message =
                    format!("`{name}` is declared with `{prefix}`, which is for parts of connectors only");
                Diagnostic::error("flow-outside-connector", message).at(span, "declared here")
            }
            Mistake::FlowInExpandable { name, span } => {
                let message = format!(
                    "`{name}` is a flow, and an expandable connector can only have flows inside of connectors"
                );
                Diagnostic::error("flow-in-expandable", message).at(span, "declared here")
            }
            Mistake::UnvaryingConnector { name, span } => {
                let message = format!("`{name}` is a connector and cannot be a parameter or constant");
                Diagnostic::error("unvarying-connector", message).at(span, "declared here")
            }
            Mistake::StreamFlows { class, flows, span } => {
                let message = format!(
                    "the connector `{class}` has streams, and beside them {}: one Real scalar must carry them",
                    match flows {
                        0 => "no flow".into(),
                        1 => "a flow that is not of type Real".into(),
                        n => format!("{n} flows"),
                    }
                );
                Diagnostic::error("stream-without-flow", message).at(span, "used here")
            }
            Mistake::Unbalanced { class, potentials, flows, span } => {
                let message = format!(
                    "the connector `{class}` has {}, not as many flows as potentials",
                    counted(flows, potentials)
                );
                let diagnostic = Diagnostic::error("unbalanced-connector", message).at(span, "used here");
                if flows == 0 {
                    diagnostic.with_note("for a signal, declare it with `input` or `output`")
                } else {
                    diagnostic
                }
            }
            Mistake::LocallyUnbalanced { component, class, equations, unknowns, named, places, span } => {
                let used = Some((span, format!("used for `{component}`")));
                unbalanced(&class, [equations, unknowns], &named, &places, used).with_note(
                    "flows and inputs of its connectors are given from outside, all else it must determine itself",
                )
            }
            Mistake::WholeUnbalanced { class, equations, unknowns, named, places } => {
                unbalanced(&class, [equations, unknowns], &named, &places, None)
            }
            Mistake::Misplaced { operator, span } => {
                let message =
                    format!("`{operator}` can only stand among equations, not in algorithms or `when`");
                Diagnostic::error("connections-misplaced", message).at(span, "here")
            }
            Mistake::NotAStream { operator, span } => {
                let message = format!("`{operator}` is for stream variables of connectors only");
                Diagnostic::error("not-a-stream", message).at(span, "here")
            }
            Mistake::StreamWithoutFlow { name, span } => {
                let message = format!("no flow variable carries the stream variable `{name}`");
                Diagnostic::error("stream-without-flow", message)
                    .at(span, "declared here")
                    .with_note("a connector with stream variables has exactly one flow variable")
            }
            Mistake::NotInConnector { operator, span } => {
                let message = format!("`{operator}` is for connectors and their parts only");
                Diagnostic::error("not-a-connector", message).at(span, "here")
            }
            Mistake::RootedWithoutBranch { name, span } => {
                let message = format!(
                    "`{name}` is not the first end of one `Connections.branch`: `rooted` asks which end of it is closer to the root"
                );
                Diagnostic::error("rooted-without-branch", message).at(span, "asked here")
            }
            Mistake::OverdeterminedFlow { name, span } => {
                let message =
                    format!("`{name}` has an `equalityConstraint`, which is for potentials, and is a flow");
                Diagnostic::error("overdetermined-flow", message).at(span, "declared here")
            }
            Mistake::RootsTogether { first, first_span, second, second_span } => {
                let message =
                    format!("`{first}` and `{second}` are both roots, and branches tie them together");
                Diagnostic::error("overconstrained-roots", message)
                    .at(second_span, "a root")
                    .at(first_span, "a root already")
                    .with_note("make one of them a `Connections.potentialRoot`")
            }
            Mistake::BranchCycle { span } => Diagnostic::error(
                "overconstrained-cycle",
                "this branch closes a circle of branches that no connection can open",
            )
            .at(span, "here"),
            Mistake::NoRoot { name, span } => {
                let message =
                    format!("nothing `{name}` is connected to is a root: it is taken for one itself");
                Diagnostic::warning("overconstrained-no-root", message).at(span, "connected here")
            }
            Mistake::Evaluation(failure) => failure.into_diagnostic(),
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
        }
    }
}

/// So many unknowns or equations are named in one message; the rest is counted.
const NAMED: usize = 6;

fn unbalanced(
    class: &str,
    [equations, unknowns]: [usize; 2],
    named: &[(String, Span)],
    places: &[Span],
    used: Option<(Span, String)>,
) -> Diagnostic {
    let some = |n: usize, thing: &str| format!("{n} {thing}{}", if n == 1 { "" } else { "s" });
    let mut names: Vec<String> = named.iter().take(NAMED).map(|(name, _)| format!("`{name}`")).collect();
    if named.len() > NAMED {
        names.push(format!("{} more", named.len() - NAMED));
    }
    let names = names.join(", ");
    let too_few = equations < unknowns;
    let about = match (too_few, names.is_empty()) {
        (_, true) => String::new(),
        (true, false) => format!(": {} missing for {names}", some(unknowns - equations, "equation")),
        (false, false) => format!(": {} too many for {names}", some(equations - unknowns, "equation")),
    };
    let message =
        format!("`{class}` has {} for {}{about}", some(equations, "equation"), some(unknowns, "unknown"));
    let id = if too_few { "too-few-equations" } else { "too-many-equations" };
    let mut diagnostic = Diagnostic::error(id, message);
    if let Some((span, used)) = used {
        diagnostic = diagnostic.at(span, used);
    }
    if too_few {
        for (name, declared) in named.iter().take(NAMED) {
            diagnostic = diagnostic.at(*declared, format!("`{name}`"));
        }
    } else {
        for place in places.iter().take(NAMED) {
            diagnostic = diagnostic.at(*place, "one of them must go");
        }
    }
    diagnostic
}

fn counted(flows: usize, potentials: usize) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{flows} flow{} and {potentials} potential{}", plural(flows), plural(potentials))
}

impl From<Failure> for Mistake {
    fn from(failure: Failure) -> Mistake {
        Mistake::Evaluation(Box::new(failure))
    }
}
