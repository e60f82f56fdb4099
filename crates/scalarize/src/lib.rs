//! The flat model taken apart: arrays to elements, array equations to scalar ones, `der(e)` to derivative variables, `when`,
//! algorithm sections and functions to equations.
//!
//! In: a [`Flat`]. Out: [`Equations`], every one with its origin and, where it comes from an array equation, its family.
//!
//! | file | what it takes apart |
//! |---|---|
//! | `variables` | declarations |
//! | `element`, `arrays` | expressions, at given indices |
//! | `events` | what makes events: relations, whole numbers, `sample`, `pre` |
//! | `past` | `delay`, `spatialDistribution` |
//! | `balance` | `balance(x) = f` |
//! | `when`, `branches` | when- and if-equations |
//! | `clocks` | clocks, and values that go from one to another |
//! | `apply`, `statements`, `data` | functions and algorithm sections, executed on formulas |
//! | `effects` | asserts, ends of the run, functions that are called for their effect |
//! | `texts` | texts, messages |

mod apply;
mod arrays;
mod balance;
mod branches;
mod clocks;
mod data;
mod effects;
mod element;
mod events;
mod mistake;
mod past;
mod statements;
mod texts;
mod variables;
mod when;

use std::sync::Arc;

use rhei_equations::{Dae, Equations, Experiment, Family, Origin};
use rhei_flat::{EquationKind, Expr, ExprKind, Flat, Iteration, Scalar, Variability, Variable};
use rhei_source::Diagnostic;

use crate::balance::balanced;
use crate::effects::Here;
use crate::element::{Elements, Indices, known_sizes};
pub use crate::mistake::{BalancePlace, Mistake};
use crate::variables::Places;

/// Why a model has no scalar equations; the diagnostics hold an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// Something is balanced that cannot be, or where that has no meaning: this says more about missing and surplus equations than their
    /// count.
    BalancedInVain,
    /// Something else is wrong.
    Refused,
}

/// The scalar equations of a model, or why there are none.
pub fn scalarize(flat: &Flat) -> (Result<Equations, GaveUp>, Vec<Diagnostic>) {
    let dae = Dae {
        name: flat.name.clone(),
        experiment: experiment(flat),
        functions: Arc::new(flat.tables.clone()),
        ..Dae::default()
    };
    let mut equations = Equations { dae, ..Equations::default() };
    if let Some(mistake) = variables::too_many(flat) {
        return (Err(GaveUp::Refused), vec![mistake.into()]);
    }
    let places = Places::declare(flat, &mut equations);
    let clock_places = clocks::declare(flat, &mut equations);
    let mut pass = Pass {
        flat,
        elements: Elements::new(flat, &places, clock_places, equations),
        mistakes: balance::in_functions(flat).into_iter().collect(),
        families: 0,
    };
    pass.variables(&places);
    pass.elements.out.pool.keep_vanished();
    pass.equations();
    pass.initial();
    pass.algorithms();
    pass.elements.note_met();

    let Pass { elements, mistakes, .. } = pass;
    let Elements { out: mut equations, mut said, .. } = elements;
    if mistakes.is_empty() {
        variables::add_rests(&mut equations);
        debug_assert_eq!(equations.verify(), Ok(()));
        (Ok(equations), said)
    } else {
        let is_balance = |mistake: &Mistake| {
            matches!(mistake, Mistake::BalanceTarget { .. } | Mistake::BalancePosition { .. })
        };
        let why = if mistakes.iter().any(is_balance) { GaveUp::BalancedInVain } else { GaveUp::Refused };
        said.extend(mistakes.into_iter().map(Diagnostic::from));
        (Err(why), said)
    }
}

fn experiment(flat: &Flat) -> Experiment {
    let rhei_flat::Experiment { start_time, stop_time, tolerance, interval } = flat.experiment;
    Experiment { start_time, stop_time, tolerance, interval }
}

struct Pass<'a> {
    flat: &'a Flat,
    elements: Elements<'a>,
    mistakes: Vec<Mistake>,
    families: u32,
}

impl Pass<'_> {
    /// Attributes and bindings, element by element. The binding of an unknown is an equation.
    fn variables(&mut self, places: &Places) {
        // structural parameters and constants first: they decide conditions in the values of the others
        let is_first =
            |variable: &Variable| variable.structural || variable.variability == Variability::Constant;
        let (first, others): (Vec<_>, Vec<_>) =
            self.flat.iter_variables().partition(|(_, variable)| is_first(variable));
        self.elements.at_start = true;
        for (v, variable) in first.into_iter().chain(others) {
            let Some(first) = places.first(v) else { continue };
            self.elements.here = Here::Declaration(v);
            if variables::is_held(variable) {
                let (name, span) = (variable.name.to_string(), variable.span);
                self.elements.said.push(Mistake::InputHeld { name, span }.into());
            }
            for (i, indices) in Indices::of(&variable.ty.known_sizes().unwrap_or_default()).enumerate() {
                let place = first + i;
                self.elements.indices.clone_from(&indices);
                if let Err(mistake) = self.elements.attributes(variable, &indices, place) {
                    self.mistakes.push(mistake);
                    break; // one word per declaration
                }
            }
        }
        self.elements.at_start = false;
    }

    fn equations(&mut self) {
        self.elements.out.equations.reserve(self.flat.equations.len());
        for (v, variable) in self.flat.iter_variables() {
            if let Some(binding) = &variable.binding
                && (self.elements.is_unknown(v) || variable.ty.scalar == Scalar::Clock)
            {
                let origin = Origin { span: Some(variable.span), ..Origin::default() };
                self.elements.here = Here::Declaration(v);
                if let Some(value) = binding.measured_value() {
                    // in a modification it stands elsewhere than the variable
                    let origin = Origin { span: Some(binding.span), ..origin };
                    let done = self.elements.measure(v, &value, &origin);
                    self.mistakes.extend(done.err());
                    continue;
                }
                if let Some(_balanced) = balanced(binding) {
                    let (place, span) = (BalancePlace::Declaration, binding.span);
                    self.mistakes.push(Mistake::BalancePosition { place, span });
                    continue;
                }
                let reference = Expr {
                    kind: ExprKind::Variable(v, Vec::new()),
                    ty: variable.ty.clone(),
                    span: variable.span,
                };
                self.equal(&reference, binding, origin, false);
            }
        }
        for equation in &self.flat.equations {
            self.equation(equation, false);
        }
    }

    fn initial(&mut self) {
        // relations make no events before the run (MLS §8.6)
        self.elements.without_events += 1;
        self.elements.at_start = true;
        for equation in &self.flat.initial {
            self.equation(equation, true);
        }
        self.elements.at_start = false;
        self.elements.without_events -= 1;
    }

    fn algorithms(&mut self) {
        for algorithm in &self.flat.algorithms {
            let since = self.elements.written();
            let done = self.elements.algorithm(algorithm, false);
            self.elements.vanished_since(since);
            self.mistakes.extend(done.err());
        }
        self.elements.without_events += 1;
        self.elements.at_start = true;
        for algorithm in &self.flat.initial_algorithms {
            let done = self.elements.algorithm(algorithm, true);
            self.mistakes.extend(done.err());
        }
        self.elements.at_start = false;
        self.elements.without_events -= 1;
    }

    fn equation(&mut self, equation: &rhei_flat::Equation, initial: bool) {
        let origin =
            Origin { span: Some(equation.span), component: equation.component.clone(), ..Origin::default() };
        self.elements.here = Here::Component(equation.component.clone());
        let since = self.elements.written();
        let done = match &equation.kind {
            EquationKind::Equal(lhs, rhs) => return self.equal(lhs, rhs, origin, initial),
            EquationKind::For(iteration, body) => return self.repeat(iteration, body, initial),
            EquationKind::Results(targets, call) => self.elements.result_sides(targets, call).map(|sides| {
                for side in sides {
                    self.elements.push(side.equation(None, origin.clone()), initial);
                }
            }),
            EquationKind::If(branches, otherwise) => {
                self.elements.if_equation(branches, otherwise, &origin, equation.span, initial)
            }
            EquationKind::When(branches) => match self.elements.clock_of_when(branches) {
                Ok(Some(clock)) => {
                    let first = self.elements.written();
                    let always = self.elements.out.pool.truth(true);
                    self.elements.guards.push(always);
                    self.elements.inside_clocked_when = true;
                    self.elements.tick_of_when = None;
                    branches[0].equations.iter().for_each(|equation| self.equation(equation, initial));
                    self.elements.inside_clocked_when = false;
                    self.elements.guards.pop();
                    self.elements.put_on_clock(first, clock);
                    return;
                }
                Ok(None) => self.elements.when_equation(branches, &origin, equation.span),
                Err(mistake) => Err(mistake),
            },
            EquationKind::Call(call) => self.elements.effect(call, equation.span),
        };
        self.elements.vanished_since(since);
        self.mistakes.extend(done.err());
    }

    /// The equations inside a loop, once for every value of its iterator.
    fn repeat(&mut self, iteration: &Iteration, body: &[rhei_flat::Equation], initial: bool) {
        let sizes = match known_sizes(&iteration.range.ty, iteration.range.span) {
            Ok(sizes) => sizes,
            Err(mistake) => return self.mistakes.push(mistake),
        };
        if let Err(mistake) = self.elements.allow_turns(sizes[0], iteration.range.span) {
            return self.mistakes.push(mistake);
        }
        for index in 0..sizes[0] {
            match self.elements.element(&iteration.range, &[index]) {
                Ok(value) => self.elements.iterators.push((iteration.iterator, value)),
                Err(mistake) => return self.mistakes.push(mistake),
            }
            let before = self.mistakes.len();
            for equation in body {
                self.equation(equation, initial);
            }
            self.elements.iterators.pop();
            if self.mistakes.len() > before {
                return; // the other turns have the same
            }
        }
    }

    fn equal(&mut self, lhs: &Expr, rhs: &Expr, origin: Origin, initial: bool) {
        if let Scalar::Record(id) = lhs.ty.scalar {
            for place in 0..self.flat.tables.record(id).fields.len() as u32 {
                let sides = (self.elements.field_of(lhs, place), self.elements.field_of(rhs, place));
                self.equal(&sides.0, &sides.1, origin.clone(), initial);
            }
            return;
        }
        if lhs.ty.scalar == Scalar::Clock {
            let done = self.elements.same_clocks(lhs, rhs);
            return self.mistakes.extend(done.err());
        }
        let sizes = match known_sizes(&lhs.ty, lhs.span) {
            Ok(sizes) => sizes,
            Err(mistake) => return self.mistakes.push(mistake),
        };
        let is_array = !sizes.is_empty();
        let id = self.families;
        self.families += u32::from(is_array);
        for (index, indices) in Indices::of(&sizes).enumerate() {
            self.elements.indices.clone_from(&indices);
            match self.elements.sides_at(lhs, rhs, &indices, &origin, initial) {
                Ok(sides) => {
                    let family = is_array.then_some(Family { id, index: index as u32 });
                    let equation = sides.equation(family, origin.clone());
                    let sides = [equation.lhs, equation.rhs];
                    self.elements.vanished_from(if initial { &[] } else { &sides });
                    self.elements.push(equation, initial);
                }
                Err(mistake) => {
                    self.mistakes.push(mistake);
                    break; // the other elements have the same
                }
            }
        }
    }
}
