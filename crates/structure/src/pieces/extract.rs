//! Some equations of a mode as a model of their own, with numbers of its own for equations and variables. They are in the same
//! order as in the whole model, so that whatever is decided by the order is decided in the same way.

use rhei_equations::{
    Copied, Dae, EqId, Equation, Equations, Events, ExprId, Guard, Kind, Origin, Pool, VarId,
};
use rustc_hash::FxHashMap;

/// An equation of the model as it is in a mode: its sides in the pool of all modes.
pub(super) type Sides = (EqId, ExprId, ExprId);

/// Equations as a model of their own.
pub(super) struct Extract {
    pub(super) equations: Equations,
    /// Its variables as the whole model numbers them, ascending.
    pub(super) variables: Vec<VarId>,
    /// Its equations as the whole model numbers them, ascending.
    pub(super) rows: Vec<EqId>,
}

impl Extract {
    /// The equations `rows`, which are ascending, of the model `of`; `derivatives` are those of its variables. Variables that
    /// satisfy `is_known` are given.
    pub(super) fn new(
        of: &Dae,
        derivatives: &[Option<VarId>],
        pool: &Pool,
        rows: &[Sides],
        is_known: impl Fn(VarId) -> bool,
    ) -> Extract {
        let variables = variables(of, derivatives, pool, rows);
        let places: FxHashMap<VarId, VarId> =
            variables.iter().enumerate().map(|(place, &v)| (v, VarId(place as u32))).collect();
        let mut own = Pool::default();
        let mut copied = Copied::default();
        let mut copy = |e: ExprId| own.copy(pool, e, &mut copied, |v| places[&v]);
        let equations = rows.iter().map(|&(e, lhs, rhs)| {
            let (lhs, rhs) = (copy(lhs), copy(rhs));
            Equation { lhs, rhs, ..of.equations[e.index()].clone() }
        });
        let equations = equations.collect();
        let made = variables.iter().map(|&v| {
            let mut variable = of.variable(v).clone();
            variable.kind = match variable.kind {
                Kind::Unknown | Kind::Derivative { .. } if is_known(v) => Kind::Given,
                Kind::Derivative { of } => Kind::Derivative { of: places[&of] },
                // discrete variables are known between events
                Kind::Unknown if variable.is_discrete => Kind::Given,
                Kind::Pre { .. } => Kind::Given,
                kind => kind,
            };
            let attributes = [&mut variable.binding, &mut variable.start, &mut variable.min]
                .into_iter()
                .chain([&mut variable.max, &mut variable.nominal]);
            attributes.for_each(|attribute| *attribute = attribute.map(&mut copy));
            variable
        });
        let made = made.collect();
        let place = |v: Option<VarId>| v.and_then(|v| places.get(&v).copied());
        let reinits = of.events.reinits.iter().filter_map(|reinit| {
            let target = place(Some(reinit.target))?;
            // only its target matters
            Some(rhei_equations::Reinit { target, value: ExprId(0), active: ExprId(0), ..reinit.clone() })
        });
        let events = Events {
            reinits: reinits.collect(),
            initial: place(of.events.initial),
            homotopy: place(of.events.homotopy),
            ..Events::default()
        };
        let mut clocks = rhei_equations::Clocks::default();
        clocks.conversions.extend(of.clocks.conversions.iter().filter_map(|conversion| {
            let result = place(Some(conversion.result))?;
            Some(rhei_equations::Conversion { result, argument: result, ..conversion.clone() })
        }));
        // it is one mode of several: a variable missing here may be in another
        let guards = vec![Guard { condition: own.truth(true), origin: Origin::default() }];
        let dae = Dae {
            name: of.name.clone(),
            variables: made,
            equations,
            events,
            clocks,
            guards,
            functions: of.functions.clone(),
            ..Dae::default()
        };
        let equations = Equations { pool: own, dae };
        let rows = rows.iter().map(|&(e, ..)| e).collect();
        Extract { equations, variables, rows }
    }
}

/// All variables in these equations and in their attributes, with all their derivatives.
fn variables(of: &Dae, derivatives: &[Option<VarId>], pool: &Pool, rows: &[Sides]) -> Vec<VarId> {
    let sides: Vec<ExprId> = rows.iter().flat_map(|&(_, lhs, rhs)| [lhs, rhs]).collect();
    let mut is_in = rustc_hash::FxHashSet::default();
    let mut open = Vec::new();
    let mut attributes = sides;
    loop {
        for e in pool.below(&attributes) {
            if let rhei_equations::Node::Variable(v) = pool.node(e) {
                open.push(v);
            }
        }
        attributes.clear();
        while let Some(v) = open.pop() {
            if !is_in.insert(v) {
                continue;
            }
            let variable = of.variable(v);
            open.extend(derivatives[v.index()]);
            if let Kind::Derivative { of } = variable.kind {
                open.push(of);
            }
            attributes.extend(variable.attributes().chain(variable.binding));
        }
        if attributes.is_empty() {
            break;
        }
    }
    let mut variables: Vec<VarId> = is_in.into_iter().collect();
    variables.sort_unstable();
    variables
}
