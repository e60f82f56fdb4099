//! Attributes of a variable hold for its aliases.
//!
//! `a = b` and `a = -b` make variables one quantity with several names. A start value, a nominal value or a range given under one
//! name holds under all of them; where a name has its own, it keeps it. Of several start values the fixed one wins, then the one
//! of highest confidence (MLS §8.6.2), then that of a state, then that declared first. A start value of lower confidence than
//! another is given up.

use std::cmp::Reverse;

use rhei_equations::{Confidence, Dae, ExprId, Kind, Pool, Scalar, VarId, Variable};
use rhei_solvable::State;

use crate::aliases::{same_but_for_sign, unknowns};

/// Gives the variables of a model the attributes of their aliases, as far as they have none of their own.
pub(crate) fn share_attributes(equations: &mut Dae, states: &[State], pool: &mut Pool) {
    let classes = classes(equations, pool);
    let mut is_state = vec![false; equations.variables.len()];
    states.iter().for_each(|state| is_state[state.variable.index()] = true);
    for class in classes {
        share(equations, &class, &is_state, pool);
    }
}

/// A variable, and whether it is the negative of the first of its class.
pub(crate) type Alias = (VarId, bool);

/// Classes of variables that are one quantity under several names.
pub(crate) fn classes(equations: &Dae, pool: &Pool) -> Vec<Vec<Alias>> {
    let n = equations.variables.len();
    let shares = |variable: &Variable| {
        variable.kind == Kind::Unknown && variable.scalar == Scalar::Real && !variable.is_discrete
    };
    let shares: Vec<bool> = equations.variables.iter().map(shares).collect();
    let (is_unknown, mut open) = (unknowns(equations), Vec::new());
    let mut ties = Vec::new();
    for equation in equations.equations.iter().filter(|equation| !equation.is_discrete) {
        if let Some((a, b, negated)) = same_but_for_sign(pool, equation, &is_unknown, &mut open)
            && shares[a.index()]
            && shares[b.index()]
        {
            ties.push((a, b, negated));
        }
    }
    let neighbours = Neighbours::new(n, &ties);
    let mut is_found = vec![false; n];
    let mut classes = Vec::new();
    for start in 0..n {
        if neighbours.of(start).is_empty() || std::mem::replace(&mut is_found[start], true) {
            continue;
        }
        let mut class = vec![(VarId(start as u32), false)];
        let mut next = 0;
        while let Some(&(v, negated)) = class.get(next) {
            next += 1;
            for &(other, turned) in neighbours.of(v.index()) {
                if !std::mem::replace(&mut is_found[other.index()], true) {
                    class.push((other, negated != turned));
                }
            }
        }
        class.sort_unstable();
        classes.push(class);
    }
    classes
}

/// By variable, those that are the same but for a sign, one list after the other.
struct Neighbours {
    entries: Vec<Alias>,
    /// End of each list.
    ends: Vec<u32>,
}

impl Neighbours {
    fn new(n: usize, ties: &[(VarId, VarId, bool)]) -> Neighbours {
        let mut ends = vec![0_u32; n];
        ties.iter().flat_map(|&(a, b, _)| [a, b]).for_each(|v| ends[v.index()] += 1);
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        let mut entries = vec![(VarId(0), false); 2 * ties.len()];
        for &(a, b, negated) in ties {
            for (one, other) in [(a, b), (b, a)] {
                let end = &mut ends[one.index()];
                entries[*end as usize] = (other, negated);
                *end += 1;
            }
        }
        Neighbours { entries, ends }
    }

    fn of(&self, v: usize) -> &[Alias] {
        let begin = if v > 0 { self.ends[v - 1] } else { 0 };
        &self.entries[begin as usize..self.ends[v] as usize]
    }
}

/// Shares the attributes within a class.
fn share(equations: &mut Dae, class: &[Alias], is_state: &[bool], pool: &mut Pool) {
    let with_start = class.iter().filter(|(v, _)| equations.variable(*v).start.is_some());
    let start = with_start.min_by_key(|(v, _)| {
        let variable = equations.variable(*v);
        (Reverse(variable.fixed), variable.start_confidence, Reverse(is_state[v.index()]), *v)
    });
    let (start, confidence) = match start {
        Some(&(v, negated)) => {
            let variable = equations.variable(v);
            (variable.start.map(|start| (start, negated)), variable.start_confidence)
        }
        None => (None, Confidence::default()),
    };
    let first = |of: &dyn Fn(VarId, bool) -> Option<(ExprId, bool)>| {
        class.iter().find_map(|&(v, negated)| of(v, negated))
    };
    let nominal = first(&|v, _| Some((equations.variable(v).nominal?, false)));
    // the least of a variable is the greatest of its negative
    let end = |v: VarId, negated: bool, least: bool| {
        let variable = equations.variable(v);
        Some((if least != negated { variable.min? } else { variable.max? }, negated))
    };
    let min = first(&|v, negated| end(v, negated, true));
    let max = first(&|v, negated| end(v, negated, false));
    for &(v, negated) in class {
        let mut give = |own: &mut Option<ExprId>, shared: Option<(ExprId, bool)>, has_sign: bool| {
            let Some((value, turned)) = shared.filter(|_| own.is_none()) else { return };
            *own = Some(if has_sign && turned != negated { pool.negate(value) } else { value });
        };
        let variable = &mut equations.variables[v.index()];
        if variable.start_confidence > confidence && !variable.fixed {
            variable.start = None;
        }
        if variable.start.is_none() {
            variable.start_confidence = confidence;
        }
        give(&mut variable.start, start, true);
        give(&mut variable.nominal, nominal, false);
        give(&mut variable.min, if negated { max } else { min }, true);
        give(&mut variable.max, if negated { min } else { max }, true);
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    #[test]
    fn attributes_go_through_signs() {
        let mut model = read(
            "model M\n  unknown a(start = 2, min = 1)\n  unknown b\n  unknown c(nominal = 5)\n  unknown d(start = 7)\n\
             equation\n  a = -b\n  0 = b - c\n  d = 2*a\n  a = time\n",
        )
        .unwrap();
        let mut pool = model.pool.clone();
        share_attributes(&mut model, &[], &mut pool);
        let number = |e: Option<ExprId>| e.and_then(|e| pool.as_number(e));
        let of = |name: &str| {
            let variable = model.variable(model.variable_named(name).unwrap());
            [variable.start, variable.min, variable.max, variable.nominal].map(number)
        };
        assert_eq!(of("a"), [Some(2.0), Some(1.0), None, Some(5.0)]);
        assert_eq!(of("b"), [Some(-2.0), None, Some(-1.0), Some(5.0)]);
        assert_eq!(of("c"), [Some(-2.0), None, Some(-1.0), Some(5.0)]);
        assert_eq!(of("d"), [Some(7.0), None, None, None], "twice is no alias");
    }
}
