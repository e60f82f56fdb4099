//! Random formulas over random pieces of time: their values at points are within the enclosure of the piece.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rhei_equations::{Binary, Elementary, Relation};

use super::*;

/// Slots: time, three polynomials of time, constants; then one for each instruction.
const POLYNOMIALS: usize = 3;
const CONSTANTS: [f64; 6] = [0.0, 1.0, 2.0, -3.0, 0.5, 1.5];
const GIVEN: usize = 1 + POLYNOMIALS + CONSTANTS.len();
const DEGREE: usize = 4;

const OPERATIONS: [Binary; 8] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Pow,
    Binary::Atan2,
    Binary::Min,
    Binary::Max,
];

#[derive(Clone, Copy, Debug)]
enum Kind {
    Binary(Binary),
    Call(Elementary),
    Negate,
    Square,
    /// `if a < b then a else c`
    Choice,
}

#[derive(Clone, Debug)]
struct Formula {
    /// With operands as shares of the slots so far.
    nodes: Vec<(Kind, [f64; 3])>,
    polynomials: [[f64; DEGREE + 1]; POLYNOMIALS],
}

fn formula() -> impl Strategy<Value = Formula> {
    let kind = prop_oneof![
        6 => (0..OPERATIONS.len()).prop_map(|k| Kind::Binary(OPERATIONS[k])),
        6 => (0..Elementary::ALL.len()).prop_map(|k| Kind::Call(Elementary::ALL[k])),
        1 => Just(Kind::Negate),
        1 => Just(Kind::Square),
        1 => Just(Kind::Choice),
    ];
    let nodes = prop::collection::vec((kind, prop::array::uniform3(0.0..1.0)), 1..9);
    let polynomials = prop::array::uniform3(prop::array::uniform5(-2.0..2.0));
    (nodes, polynomials).prop_map(|(nodes, polynomials)| Formula { nodes, polynomials })
}

fn piece() -> impl Strategy<Value = (f64, f64)> {
    (-3.0..3.0, prop_oneof![0.001..0.01, 0.01..0.1, 0.1..1.0])
        .prop_map(|(from, length)| (from, from + length))
}

impl Formula {
    fn slices(&self) -> Slices {
        let mut instructions = Vec::new();
        for (k, (kind, operands)) in self.nodes.iter().enumerate() {
            let there = GIVEN + k;
            // the newest ones often, so that formulas become deep
            let slot = |share: f64| Slot((there - 1 - (share * share * there as f64) as usize) as u32);
            let [a, b, c] = operands.map(slot);
            let to = Slot(there as u32);
            match *kind {
                Kind::Binary(op) => instructions.push(Instruction::Binary { op, to, a, b }),
                Kind::Call(function) => instructions.push(Instruction::Call { function, to, a }),
                Kind::Negate => instructions.push(Instruction::Negate { to, a }),
                Kind::Square => instructions.push(Instruction::Binary { op: Binary::Mul, to, a, b: a }),
                Kind::Choice => {
                    let at = instructions.len() as u32;
                    let truth = Slot((GIVEN + self.nodes.len()) as u32);
                    instructions.extend([
                        Instruction::Relation { relation: Relation::Less, to: truth, a, b },
                        Instruction::JumpUnless { a: truth, target: at + 4 },
                        Instruction::Copy { to, a },
                        Instruction::Jump { target: at + 5 },
                        Instruction::Copy { to, a: c },
                    ]);
                }
            }
        }
        Slices::of_instructions(instructions, GIVEN + self.nodes.len() + 1, GIVEN + self.nodes.len() - 1)
    }

    /// The Taylor coefficients of the polynomials in units of `half`, over a range of times.
    fn coefficient(&self, which: usize, order: usize, t: Range, half: f64) -> Range {
        let mut sum = Range::ZERO;
        for k in (order..=DEGREE).rev() {
            let choose = (0..order).fold(1.0, |product, i| product * (k - i) as f64 / (i + 1) as f64);
            let factor = Range::point(choose).multiply(Range::point(self.polynomials[which][k]));
            sum = sum.multiply(t).add(factor);
        }
        (0..order).fold(sum, |sum, _| sum.multiply(Range::point(half)))
    }

    /// Its enclosure over a piece of time; with expansions, too.
    fn enclosed(&self, from: f64, to: f64) -> (Moving, Moving, Series) {
        let slices = self.slices();
        let (middle, piece) = (0.5 * (from + to), Range { low: from, high: to });
        let half = (middle - from).max(to - middle).next_up();
        let slots = slices.slots().len();
        let mut moving = vec![Moving::constant(0.0); slots];
        let mut series = vec![Series::constant(Range::ZERO); slots];
        moving[0] = Moving { value: piece, rate: Range::point(1.0) };
        series[0] = Series::time(piece, middle, half);
        for which in 0..POLYNOMIALS {
            let at = |order: usize, t: Range| self.coefficient(which, order, t, half);
            moving[1 + which] = Moving {
                value: self.coefficient(which, 0, piece, 1.0),
                rate: self.coefficient(which, 1, piece, 1.0),
            };
            series[1 + which] = Series::polynomial(DEGREE, |k| (at(k, Range::point(middle)), at(k, piece)));
        }
        for (k, &constant) in CONSTANTS.iter().enumerate() {
            moving[1 + POLYNOMIALS + k] = Moving::constant(constant);
            series[1 + POLYNOMIALS + k] = Series::constant(Range::point(constant));
        }
        let extract = slices.extract([0]);
        let mut ranges = moving.clone();
        slices.enclose(&extract, &mut ranges);
        slices.expand(&extract, half, &mut moving, &mut series);
        (slices.watched(0, &ranges), slices.watched(0, &moving), *slices.expanded(0, &series))
    }
}

/// The polynomial with a remainder of this order at `s`, and its rate there.
fn evaluated(series: &Series, order: usize, s: Range) -> (Range, Range) {
    let coefficients: Vec<Range> = series.up_to(order).collect();
    let mut value = Range::ZERO;
    let mut rate = Range::ZERO;
    for (k, &coefficient) in coefficients.iter().enumerate().rev() {
        value = value.multiply(s).add(coefficient);
        if k > 0 {
            rate = rate.multiply(s).add(coefficient.multiply(Range::point(k as f64)));
        }
    }
    (value, rate)
}

/// The same cases in each run.
fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1966),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn meets(a: Range, b: Range) -> bool {
    a.low <= b.high && b.low <= a.high
}

proptest! {
    #![proptest_config(seeded(4000))]

    #[test]
    fn expansions_hold_every_value_and_every_rate(
        formula in formula(),
        (from, to) in piece(),
        shares in prop::collection::vec(0.0..=1.0, 6),
    ) {
        for share in shares.into_iter().chain([0.0, 0.5, 1.0]) {
            is_enclosed(&formula, (from, to), share)?;
        }
    }
}

/// Whether the value of a formula at an instant is within the enclosure of the piece. Ranges at an instant are as narrow as
/// rounding permits.
fn is_enclosed(formula: &Formula, (from, to): (f64, f64), share: f64) -> Result<(), TestCaseError> {
    let (_, over, series) = formula.enclosed(from, to);
    let middle = 0.5 * (from + to);
    let half = (middle - from).max(to - middle).next_up();
    let t = (from + share * (to - from)).clamp(from, to);
    let (at, _, _) = formula.enclosed(t, t);
    if at.value == Range::EVERYTHING {
        return Ok(()); // no value there
    }
    prop_assert!(meets(over.value, at.value), "{t}: {at:?} in {over:?}");
    let s = Range::point(t).add(Range::point(-middle)).divide(Range::point(half));
    let is_bounded = |order: &usize| series.up_to(*order).all(|coefficient| coefficient.width().is_finite());
    for order in (1..=ORDER).filter(is_bounded) {
        let (value, rate) = evaluated(&series, order, s);
        prop_assert!(meets(value, at.value), "order {order} at {t}: {at:?} in {value:?}, {series:?}");
        let own = at.rate.multiply(Range::point(half));
        prop_assert!(meets(rate, own), "order {order} at {t}: {own:?} in {rate:?}, {series:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(seeded(300))]

    #[test]
    fn each_operation_by_itself(
        polynomials in prop::array::uniform3(prop::array::uniform5(-2.0..2.0)),
        (from, to) in piece(),
        share in 0.0..=1.0,
    ) {
        let operations = OPERATIONS.map(Kind::Binary).into_iter();
        let functions = Elementary::ALL.iter().map(|f| Kind::Call(*f));
        for kind in operations.chain(functions).chain([Kind::Negate, Kind::Square, Kind::Choice]) {
            for operands in [[1, 2], [1, TWO], [2, ONE + 2], [TWO, 1], [1, ONE + 4]] {
                let formula = Formula { polynomials, ..of_time(&[(kind, operands)]) };
                is_enclosed(&formula, (from, to), share)?;
            }
        }
    }
}

/// A formula of time alone: each instruction with the slots of its operands.
fn of_time(nodes: &[(Kind, [usize; 2])]) -> Formula {
    let shares = |there: usize, slot: usize| (((there - 1 - slot) as f64 + 0.5) / there as f64).sqrt();
    let nodes = nodes
        .iter()
        .enumerate()
        .map(|(k, (kind, [a, b]))| (*kind, [shares(GIVEN + k, *a), shares(GIVEN + k, *b), 0.5]));
    Formula { nodes: nodes.collect(), polynomials: [[0.0; DEGREE + 1]; POLYNOMIALS] }
}

const TIME: usize = 0;
const ONE: usize = 1 + POLYNOMIALS + 1;
const TWO: usize = ONE + 1;

fn width(formula: &Formula, half: f64) -> f64 {
    let (_, _, series) = formula.enclosed(0.8 - half, 0.8 + half);
    series.up_to(ORDER).map(Range::width).sum()
}

#[test]
fn remainders_fall_with_a_high_power_of_the_length() {
    // exp(sin(t))/(2 + cos(t))
    let formula = of_time(&[
        (Kind::Call(Elementary::Sin), [TIME, TIME]),
        (Kind::Call(Elementary::Exp), [GIVEN, GIVEN]),
        (Kind::Call(Elementary::Cos), [TIME, TIME]),
        (Kind::Binary(Binary::Add), [GIVEN + 2, TWO]),
        (Kind::Binary(Binary::Div), [GIVEN + 1, GIVEN + 3]),
    ]);
    for half in [0.2, 0.1, 0.05] {
        let share = width(&formula, half) / width(&formula, 0.5 * half);
        assert!(share > 2.0f64.powi(ORDER as i32), "{half}: {share}");
    }
    assert!(width(&formula, 0.05) < 1e-7);
}

#[test]
fn what_cancels_is_narrow() {
    // sin(t)^2 + cos(t)^2 - 1
    let formula = of_time(&[
        (Kind::Call(Elementary::Sin), [TIME, TIME]),
        (Kind::Call(Elementary::Cos), [TIME, TIME]),
        (Kind::Square, [GIVEN, GIVEN]),
        (Kind::Binary(Binary::Pow), [GIVEN + 1, TWO]),
        (Kind::Binary(Binary::Add), [GIVEN + 2, GIVEN + 3]),
        (Kind::Binary(Binary::Sub), [GIVEN + 4, ONE]),
    ]);
    let half = 0.03;
    let (ranges, over, _) = formula.enclosed(0.8 - half, 0.8 + half);
    assert!(ranges.value.width() > 0.1, "{ranges:?}");
    assert!(over.value.width() < 1e-9 && over.value.contains(0.0), "{over:?}");
}
