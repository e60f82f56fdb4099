//! Instructions that calculate: every operation is that of the interpreter, in its order.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use rhei_elementary::{Algebra, Binary, Code, Elementary, Rounding, is_multiplied_out, multiply_out};
use rhei_evaluate::translated::{LARGEST_WHOLE, Op, Slot};
use rhei_flat::Builtin;

use super::frame::Frame;
use super::{Body, Unfit};
use crate::machine::helpers::Helper;
use crate::machine::translate::comparison;

impl Body<'_, '_> {
    /// An instruction after which the next one follows.
    pub(super) fn calculate(&mut self, frame: &Frame, op: Op) -> Result<(), Unfit> {
        let (to, value) = match op {
            Op::Add(to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                let sum = self.builder.ins().fadd(a, b);
                (to, self.result_of(&[a, b], sum))
            }
            Op::Subtract(to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                let difference = self.builder.ins().fsub(a, b);
                (to, self.result_of(&[a, b], difference))
            }
            Op::Multiply(to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                let product = self.builder.ins().fmul(a, b);
                (to, self.result_of(&[a, b], product))
            }
            Op::Divide(to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                (to, self.quotient(a, b))
            }
            Op::Power(to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                (to, self.power(a, b))
            }
            Op::Negate(to, a) => {
                let a = self.read(frame, a);
                let negated = self.builder.ins().fneg(a);
                (to, self.result_of(&[a], negated))
            }
            Op::Whole(a) => {
                let number = self.read(frame, a);
                let (size, most) = (self.builder.ins().fabs(number), self.number(LARGEST_WHOLE));
                let fails = self.builder.ins().fcmp(FloatCC::UnorderedOrGreaterThanOrEqual, size, most);
                self.fail_if(fails);
                let zero = self.number(0.0);
                let whole = self.builder.ins().fadd(number, zero);
                (a, self.is_seen(whole))
            }
            Op::Function(function, to, a) => {
                let a = self.read(frame, a);
                (to, self.elementary(function, a))
            }
            Op::OfTwo(function, to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                (to, self.of_two(function, a, b))
            }
            Op::Quotient(function, to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                (to, self.whole_quotient(function, a, b))
            }
            Op::Min(to, a, b) | Op::Max(to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                self.require(a);
                self.require(b);
                let op = if matches!(op, Op::Min(..)) { Binary::Min } else { Binary::Max };
                let chosen = self.binary(op, a, b);
                (to, self.is_seen(chosen))
            }
            Op::Compare(relation, to, a, b) => {
                let [a, b] = self.both(frame, a, b);
                self.require(a);
                self.require(b);
                let holds = self.builder.ins().fcmp(comparison(relation), a, b);
                (to, self.number_of_truth(holds))
            }
            Op::Not(to, a) => {
                let a = self.read(frame, a);
                let (truth, one) = (self.truth(a), self.builder.ins().iconst(types::I8, 1));
                let other = self.builder.ins().bxor(truth, one);
                (to, self.number_of_truth(other))
            }
            Op::Offset(to, index, size, stride) => {
                let [before, index] = self.both(frame, to, index);
                let [one, size, stride] = [1.0, f64::from(size), f64::from(stride)].map(|x| self.number(x));
                let is_below = self.builder.ins().fcmp(FloatCC::UnorderedOrLessThan, index, one);
                let is_above = self.builder.ins().fcmp(FloatCC::GreaterThan, index, size);
                self.fail_if(is_below);
                self.fail_if(is_above);
                let place = self.builder.ins().fsub(index, one);
                let place = self.builder.ins().fmul(place, stride);
                let sum = self.builder.ins().fadd(before, place);
                (to, self.is_seen(sum))
            }
            Op::Copy(to, from, n) => {
                let numbers: Vec<Value> = (from..from + n).map(|slot| self.read(frame, slot)).collect();
                return self.put(frame, to, &numbers);
            }
            Op::Load(to, base, offset, n, most) => {
                let address = self.choose(frame, base, offset, most)?;
                let numbers: Vec<Value> = (0..n as i32)
                    .map(|i| self.builder.ins().load(types::F64, MemFlagsData::trusted(), address, i * 8))
                    .collect();
                return self.put(frame, to, &numbers);
            }
            Op::Store(base, offset, from, n, most) => {
                let numbers: Vec<Value> = (from..from + n).map(|slot| self.read(frame, slot)).collect();
                numbers.iter().for_each(|&number| self.require(number));
                let address = self.choose(frame, base, offset, most)?;
                for (i, &number) in (0..).zip(&numbers) {
                    self.builder.ins().store(MemFlagsData::trusted(), number, address, i * 8);
                }
                return self.count(n as usize);
            }
            Op::Call(_) | Op::Jump(_) | Op::JumpIf(..) | Op::JumpUnless(..) | Op::Turn | Op::GiveUp => {
                return Err(Unfit); // not calculations
            }
        };
        self.write(frame, to, value)
    }

    fn both(&mut self, frame: &Frame, a: Slot, b: Slot) -> [Value; 2] {
        [self.read(frame, a), self.read(frame, b)]
    }

    /// Writes numbers, all of which must be assigned, into adjacent slots.
    pub(super) fn put(&mut self, frame: &Frame, to: Slot, numbers: &[Value]) -> Result<(), Unfit> {
        self.count(numbers.len())?;
        for (slot, &number) in (to..).zip(numbers) {
            self.require(number);
            self.write(frame, slot, number)?;
        }
        Ok(())
    }

    /// The address of the number that an index selects. The index is clamped, so that it is in bounds.
    fn choose(&mut self, frame: &Frame, base: Slot, offset: Slot, most: u32) -> Result<Value, Unfit> {
        let offset = self.read(frame, offset);
        let offset = self.builder.ins().fcvt_to_sint_sat(types::I64, offset);
        let most = self.builder.ins().iconst(types::I64, i64::from(most));
        let is_outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, offset, most);
        self.fail_if(is_outside);
        self.settle();
        self.address(frame, base, offset)
    }

    fn fail_if_zero(&mut self, a: Value) {
        if self.known(a).is_none_or(|known| known == 0.0) {
            let zero = self.number(0.0);
            let is_zero = self.builder.ins().fcmp(FloatCC::Equal, a, zero);
            self.fail_if(is_zero);
        }
    }

    fn quotient(&mut self, a: Value, b: Value) -> Value {
        self.fail_if_zero(b);
        let quotient = self.builder.ins().fdiv(a, b);
        self.result_of(&[a, b], quotient)
    }

    fn power(&mut self, a: Value, b: Value) -> Value {
        match self.known(b) {
            Some(exponent) if is_multiplied_out(exponent) => {
                if exponent < 0.0 {
                    self.fail_if_zero(a);
                }
                let power = multiply_out(self, a, exponent);
                if exponent == 0.0 {
                    self.require(a); // nothing to the power of zero is one
                    return self.is_seen(power);
                }
                self.result_of(&[a], power)
            }
            known => {
                self.require(a);
                self.require(b);
                if known.is_none_or(|exponent| exponent < 0.0) {
                    let zero = self.number(0.0);
                    let is_zero = self.builder.ins().fcmp(FloatCC::Equal, a, zero);
                    let is_below = self.builder.ins().fcmp(FloatCC::LessThan, b, zero);
                    let fails = self.builder.ins().band(is_zero, is_below);
                    self.fail_if(fails);
                }
                let power = self.binary(Binary::Pow, a, b);
                self.result_of(&[], power)
            }
        }
    }

    fn elementary(&mut self, function: Builtin, a: Value) -> Value {
        let f = match function {
            Builtin::Elementary(f) => f,
            _ => Elementary::Floor, // `integer`
        };
        for &pole in f.row().poles {
            let distance = match pole {
                0.0 => a,
                pole => {
                    let pole = self.number(pole);
                    self.builder.ins().fsub(a, pole)
                }
            };
            self.fail_if_zero(distance);
        }
        if f.row().code == Code::Sign {
            self.require(a);
            let sign = Algebra::call(self, f, a);
            return self.is_seen(sign);
        }
        let value = Algebra::call(self, f, a);
        self.result_of(&[a], value)
    }

    /// Rounds to a whole number, by an instruction if there is one.
    pub(super) fn round(&mut self, rounding: Rounding, x: Value) -> Value {
        match rounding {
            Rounding::Down => Algebra::call(self, Elementary::Floor, x),
            Rounding::Up => Algebra::call(self, Elementary::Ceil, x),
            Rounding::ToZero => Algebra::call(self, Elementary::Truncate, x),
        }
    }

    fn of_two(&mut self, function: Builtin, a: Value, b: Value) -> Value {
        if function == Builtin::Atan2 {
            let angle = self.binary(Binary::Atan2, a, b);
            return self.result_of(&[a, b], angle);
        }
        self.fail_if_zero(b);
        let quotient = self.builder.ins().fdiv(a, b);
        let rounding = if function == Builtin::Mod { Rounding::Down } else { Rounding::ToZero };
        let whole = self.round(rounding, quotient);
        if function == Builtin::Div {
            return self.result_of(&[a, b], whole);
        }
        let product = self.builder.ins().fmul(whole, b);
        let rest = self.builder.ins().fsub(a, product);
        self.result_of(&[a, b], rest)
    }

    fn whole_quotient(&mut self, function: Builtin, a: Value, b: Value) -> Value {
        self.require(a);
        self.require(b);
        self.fail_if_zero(b);
        // before the division, which traps at zero
        self.settle();
        let [a, b] = [a, b].map(|x| self.builder.ins().fcvt_to_sint_sat(types::I64, x));
        let whole = match function {
            Builtin::Div => self.builder.ins().sdiv(a, b),
            Builtin::Rem => self.builder.ins().srem(a, b),
            _ => {
                let remainder = self.builder.ins().srem(a, b);
                let sum = self.builder.ins().iadd(remainder, b);
                let zero = self.builder.ins().iconst(types::I64, 0);
                let signs = self.builder.ins().bxor(remainder, b);
                let differ = self.builder.ins().icmp(IntCC::SignedLessThan, signs, zero);
                let is_left = self.builder.ins().icmp(IntCC::NotEqual, remainder, zero);
                let moves = self.builder.ins().band(differ, is_left);
                self.builder.ins().select(moves, sum, remainder)
            }
        };
        let number = self.builder.ins().fcvt_from_sint(types::F64, whole);
        self.is_seen(number)
    }
}

/// Operations on numbers that are there.
impl Algebra for Body<'_, '_> {
    type Number = Value;

    fn constant(&mut self, value: f64) -> Value {
        self.number(value)
    }

    fn negate(&mut self, a: Value) -> Value {
        self.builder.ins().fneg(a)
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let mut where_compared = |how: FloatCC| {
            let second = self.builder.ins().fcmp(how, b, a);
            self.builder.ins().select(second, b, a)
        };
        match op {
            Binary::Min => where_compared(FloatCC::LessThan),
            Binary::Max => where_compared(FloatCC::GreaterThan),
            Binary::Add => self.builder.ins().fadd(a, b),
            Binary::Sub => self.builder.ins().fsub(a, b),
            Binary::Mul => self.builder.ins().fmul(a, b),
            Binary::Div => self.builder.ins().fdiv(a, b),
            Binary::Pow => self.caller.call(&mut self.builder, Helper::Power, &[a, b]),
            Binary::Atan2 => self.caller.call(&mut self.builder, Helper::Atan2, &[a, b]),
        }
    }

    fn call(&mut self, f: Elementary, a: Value) -> Value {
        match f.row().code {
            Code::SquareRoot => self.builder.ins().sqrt(a),
            Code::Size => self.builder.ins().fabs(a),
            Code::Round(Rounding::Down) if self.rounds => self.builder.ins().floor(a),
            Code::Round(Rounding::Up) if self.rounds => self.builder.ins().ceil(a),
            Code::Round(Rounding::ToZero) if self.rounds => self.builder.ins().trunc(a),
            Code::Sign => {
                let [zero, one, minus] = [0.0, 1.0, -1.0].map(|x| self.number(x));
                let above = self.builder.ins().fcmp(FloatCC::GreaterThan, a, zero);
                let below = self.builder.ins().fcmp(FloatCC::LessThan, a, zero);
                let sign = self.builder.ins().select(below, minus, zero);
                self.builder.ins().select(above, one, sign)
            }
            Code::Call | Code::Round(_) => self.caller.call(&mut self.builder, Helper::Function(f), &[a]),
        }
    }
}
