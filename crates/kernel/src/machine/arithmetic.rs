//! The operations of the rules, as instructions of Cranelift: on one number, or on two at once.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{BlockArg, Endianness, InstBuilder, MemFlagsData, Value, types};
use rhei_elementary::{
    Algebra, Arithmetic, Binary, Code, Elementary, Exception, Relation, Rounding, is_multiplied_out,
    multiply_out,
};

use super::helpers::Helper;
use super::translate::{Translator, comparison};

impl Algebra for Translator<'_, '_> {
    type Number = Value;

    fn constant(&mut self, value: f64) -> Value {
        let value = self.builder.ins().f64const(value);
        if self.is_pair { self.builder.ins().splat(types::F64X2, value) } else { value }
    }

    fn negate(&mut self, a: Value) -> Value {
        self.builder.ins().fneg(a)
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        match op {
            Binary::Add => self.builder.ins().fadd(a, b),
            Binary::Sub => self.builder.ins().fsub(a, b),
            Binary::Mul => self.builder.ins().fmul(a, b),
            Binary::Div => self.builder.ins().fdiv(a, b),
            Binary::Pow => match self.exponents.get(&b) {
                Some(&exponent) if is_multiplied_out(exponent) => multiply_out(self, a, exponent),
                _ => self.call_helper(Helper::Power, &[a, b]),
            },
            Binary::Atan2 => self.call_helper(Helper::Atan2, &[a, b]),
            Binary::Min => self.where_less(b, a, b, a),
            Binary::Max => self.where_less(a, b, b, a),
        }
    }

    fn call(&mut self, f: Elementary, a: Value) -> Value {
        match f.row().code {
            Code::SquareRoot => self.builder.ins().sqrt(a),
            Code::Size => self.builder.ins().fabs(a),
            Code::Round(Rounding::Down) if self.task.rounds => self.builder.ins().floor(a),
            Code::Round(Rounding::Up) if self.task.rounds => self.builder.ins().ceil(a),
            Code::Round(Rounding::ToZero) if self.task.rounds => self.builder.ins().trunc(a),
            Code::Sign => {
                let [zero, one, minus] = [0.0, 1.0, -1.0].map(|value| self.constant(value));
                let below = self.where_less(a, zero, minus, zero);
                self.where_less(zero, a, one, below)
            }
            Code::Call | Code::Round(_) => self.call_helper(Helper::Function(f), &[a]),
        }
    }
}

impl Arithmetic for Translator<'_, '_> {
    fn less_one(&mut self, a: Value) -> Value {
        let known = self.exponents.get(&a).copied();
        let one = self.constant(1.0);
        let less = self.builder.ins().fsub(a, one);
        if let Some(exponent) = known {
            self.exponents.insert(less, exponent - 1.0);
        }
        less
    }

    fn choose(&mut self, relation: Relation, sides: [Value; 2], x: Value, y: Value) -> Value {
        self.where_compared(comparison(relation), sides, x, y)
    }

    fn except(
        &mut self,
        exception: Exception<Value>,
        costly: bool,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let Exception::Unchanged(a) = exception else { return otherwise(self) };
        let zero = self.constant(0.0);
        if !costly {
            let value = otherwise(self);
            return self.where_compared(FloatCC::Equal, [a, zero], zero, value);
        }
        debug_assert!(!self.is_pair, "there is one way for both numbers");
        let is_zero = self.builder.ins().fcmp(FloatCC::Equal, a, zero);
        let (compute, join) = (self.builder.create_block(), self.builder.create_block());
        let result = self.builder.append_block_param(join, types::F64);
        self.builder.ins().brif(is_zero, join, &[BlockArg::Value(zero)], compute, &[]);
        self.builder.switch_to_block(compute);
        let value = otherwise(self);
        self.builder.ins().jump(join, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(join);
        result
    }
}

impl Translator<'_, '_> {
    /// `x` if `a < b`, else `y`.
    fn where_less(&mut self, a: Value, b: Value, x: Value, y: Value) -> Value {
        self.where_compared(FloatCC::LessThan, [a, b], x, y)
    }

    /// `x` if the comparison holds, else `y`.
    fn where_compared(&mut self, how: FloatCC, [a, b]: [Value; 2], x: Value, y: Value) -> Value {
        let holds = self.builder.ins().fcmp(how, a, b);
        if !self.is_pair {
            return self.builder.ins().select(holds, x, y);
        }
        // for each of the two all bits, or none
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        let mask = self.builder.ins().bitcast(types::F64X2, flags, holds);
        self.builder.ins().bitselect(mask, x, y)
    }
}
