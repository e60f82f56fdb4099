//! Expressions in functions. Every operation is that of the interpreter of functions, in its order.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use rhei_equations::Elementary;
use rhei_flat::{Arithmetic, Builtin, Expr, ExprKind, Logic, Relation, Subscript};

use super::data::{Datum, Kind};
use super::{Body, MOST_ELEMENTS, Unfit};
use crate::machine::helpers::Helper;
use crate::rules;

impl Body<'_, '_> {
    /// The value of an expression.
    pub(super) fn datum(&mut self, e: &Expr) -> Result<Datum, Unfit> {
        self.count()?;
        let datum = self.raw_datum(e)?;
        let kind = Kind::of(e.ty.scalar)?;
        if kind == Kind::Real { self.conform(datum, kind) } else { Ok(datum) }
    }

    fn raw_datum(&mut self, e: &Expr) -> Result<Datum, Unfit> {
        match &e.kind {
            ExprKind::Real(x) => Ok(Datum::scalar(Kind::Real, self.builder.ins().f64const(*x))),
            ExprKind::Integer(i) => Ok(Datum::scalar(Kind::Whole, self.builder.ins().iconst(types::I64, *i))),
            ExprKind::Boolean(b) => {
                Ok(Datum::scalar(Kind::Truth, self.builder.ins().iconst(types::I8, i64::from(*b))))
            }
            ExprKind::Enumeration(_, number) => {
                let number = self.builder.ins().iconst(types::I64, i64::from(*number));
                Ok(Datum::scalar(Kind::Whole, number))
            }
            ExprKind::Local(id) => self.component(*id),
            ExprKind::Iterator(id) => {
                self.iterators.get(id).map(|&value| Datum::scalar(Kind::Whole, value)).ok_or(Unfit)
            }
            ExprKind::Index(base, subscripts) => self.index(base, subscripts),
            ExprKind::Negate(a) => self.negate(a),
            ExprKind::Arithmetic(op, a, b) => self.arithmetic(*op, a, b),
            ExprKind::Relation(op, a, b) => {
                let (a, b) = (self.datum(a)?, self.datum(b)?);
                self.relation(*op, &a, &b).map(|truth| Datum::scalar(Kind::Truth, truth))
            }
            ExprKind::Logic(op, a, b) => self.logic(*op, a, b),
            ExprKind::Not(a) => {
                let a = self.condition(a)?;
                let one = self.builder.ins().iconst(types::I8, 1);
                Ok(Datum::scalar(Kind::Truth, self.builder.ins().bxor(a, one)))
            }
            ExprKind::If(condition, then, otherwise) => self.choose(condition, then, otherwise, e),
            ExprKind::Call(builtin, arguments) => self.builtin(*builtin, arguments, e),
            ExprKind::Apply(function, arguments) => {
                let arguments =
                    arguments.iter().map(|a| self.argument_datum(a)).collect::<Result<_, Unfit>>()?;
                self.charge(1);
                self.call(*function, arguments)?.into_iter().next().ok_or(Unfit)
            }
            ExprKind::Array(elements) => self.array(elements, e),
            _ => Err(Unfit),
        }
    }

    /// An argument of a call, whose values are numbers.
    pub(super) fn argument_datum(&mut self, e: &Expr) -> Result<Datum, Unfit> {
        let datum = self.datum(e)?;
        self.refuse_no_numbers(&datum);
        Ok(datum)
    }

    /// A condition.
    pub(super) fn condition(&mut self, e: &Expr) -> Result<Value, Unfit> {
        match self.datum(e)? {
            Datum { kind: Kind::Truth, sizes, elements } if sizes.is_empty() => Ok(elements[0]),
            _ => Err(Unfit),
        }
    }

    fn whole(&mut self, e: &Expr) -> Result<Value, Unfit> {
        match self.datum(e)? {
            Datum { kind: Kind::Whole, sizes, elements } if sizes.is_empty() => Ok(elements[0]),
            _ => Err(Unfit),
        }
    }

    /// A whole number, for who runs through a range.
    pub(super) fn bound(&mut self, e: &Expr) -> Result<Value, Unfit> {
        self.whole(e)
    }

    // ── arithmetic ──

    fn negate(&mut self, a: &Expr) -> Result<Datum, Unfit> {
        let a = self.datum(a)?;
        let mut elements = Vec::with_capacity(a.elements.len());
        for &element in &a.elements {
            elements.push(match a.kind {
                Kind::Real => self.builder.ins().fneg(element),
                Kind::Whole => {
                    let zero = self.builder.ins().iconst(types::I64, 0);
                    self.whole_operation(Arithmetic::Subtract, zero, element)
                }
                Kind::Truth => return Err(Unfit),
            });
        }
        Ok(Datum { elements, ..a })
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr) -> Result<Datum, Unfit> {
        let exponent = match op {
            Arithmetic::Power => known_number(b).filter(|x| rules::is_multiplied_out(*x)),
            _ => None,
        };
        let divisor = known_number(b).filter(|divisor| *divisor != 0.0);
        let (a, b) = (self.datum(a)?, self.datum(b)?);
        let gives_real = matches!(op, Arithmetic::Divide | Arithmetic::Power);
        if a.kind == Kind::Whole && b.kind == Kind::Whole && !gives_real {
            return self.elementwise(a, b, Kind::Whole, |body, a, b| Ok(body.whole_operation(op, a, b)));
        }
        let (a, b) = (self.conform(a, Kind::Real)?, self.conform(b, Kind::Real)?);
        self.elementwise(a, b, Kind::Real, |body, a, b| Ok(body.real_operation(op, a, b, exponent, divisor)))
    }

    fn elementwise(
        &mut self,
        a: Datum,
        b: Datum,
        kind: Kind,
        mut f: impl FnMut(&mut Self, Value, Value) -> Result<Value, Unfit>,
    ) -> Result<Datum, Unfit> {
        let sizes = if a.sizes.is_empty() { b.sizes.clone() } else { a.sizes.clone() };
        if !a.sizes.is_empty() && !b.sizes.is_empty() && a.sizes != b.sizes {
            return Err(Unfit);
        }
        let count: usize = sizes.iter().product();
        let of = |datum: &Datum, i: usize| datum.elements[if datum.sizes.is_empty() { 0 } else { i }];
        let elements = (0..count).map(|i| f(self, of(&a, i), of(&b, i))).collect::<Result<_, Unfit>>()?;
        Ok(Datum { kind, sizes, elements })
    }

    /// An operation of whole numbers; gives up where the result is too large.
    fn whole_operation(&mut self, op: Arithmetic, a: Value, b: Value) -> Value {
        let (result, overflow) = match op {
            Arithmetic::Add => self.builder.ins().sadd_overflow(a, b),
            Arithmetic::Subtract => self.builder.ins().ssub_overflow(a, b),
            _ => self.builder.ins().smul_overflow(a, b),
        };
        self.give_up_if(overflow);
        result
    }

    /// An operation of Reals; what is not a number comes through to whoever looks.
    fn real_operation(
        &mut self,
        op: Arithmetic,
        a: Value,
        b: Value,
        exponent: Option<f64>,
        divisor: Option<f64>,
    ) -> Value {
        let zero = self.builder.ins().f64const(0.0);
        match op {
            Arithmetic::Add => self.builder.ins().fadd(a, b),
            Arithmetic::Subtract => self.builder.ins().fsub(a, b),
            Arithmetic::Multiply => self.builder.ins().fmul(a, b),
            Arithmetic::Divide => {
                if divisor.is_none() {
                    let is_zero = self.builder.ins().fcmp(FloatCC::Equal, b, zero);
                    self.give_up_if(is_zero);
                }
                self.builder.ins().fdiv(a, b)
            }
            Arithmetic::Power => {
                // nothing to the power of zero is one
                self.refuse_no_number(a);
                if let Some(exponent) = exponent {
                    if exponent < 0.0 {
                        let is_zero = self.builder.ins().fcmp(FloatCC::Equal, a, zero);
                        self.give_up_if(is_zero);
                    }
                    return self.multiplied_out(a, exponent);
                }
                self.refuse_no_number(b);
                let is_zero = self.builder.ins().fcmp(FloatCC::Equal, a, zero);
                let is_below = self.builder.ins().fcmp(FloatCC::LessThan, b, zero);
                let fails = self.builder.ins().band(is_zero, is_below);
                self.give_up_if(fails);
                self.caller.call(&mut self.builder, Helper::Power, &[a, b])
            }
        }
    }

    /// A power whose exponent is known, in the order of [`rules::multiply_out`].
    fn multiplied_out(&mut self, base: Value, exponent: f64) -> Value {
        let (mut left, mut square, mut product) = (exponent.abs() as u32, base, None);
        while left > 0 {
            if left & 1 == 1 {
                product = Some(match product {
                    Some(product) => self.builder.ins().fmul(product, square),
                    None => square,
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.builder.ins().fmul(square, square);
            }
        }
        let one = self.builder.ins().f64const(1.0);
        match product {
            Some(product) if exponent < 0.0 => self.builder.ins().fdiv(one, product),
            Some(product) => product,
            None => one,
        }
    }

    // ── truth ──

    fn relation(&mut self, op: Relation, a: &Datum, b: &Datum) -> Result<Value, Unfit> {
        if !a.sizes.is_empty() || !b.sizes.is_empty() {
            return Err(Unfit);
        }
        match (a.kind, b.kind) {
            (Kind::Whole, Kind::Whole) | (Kind::Truth, Kind::Truth) => {
                let is_truth = a.kind == Kind::Truth;
                let condition = match op {
                    Relation::Equal => IntCC::Equal,
                    Relation::NotEqual => IntCC::NotEqual,
                    Relation::Less if is_truth => IntCC::UnsignedLessThan,
                    Relation::LessEqual if is_truth => IntCC::UnsignedLessThanOrEqual,
                    Relation::Greater if is_truth => IntCC::UnsignedGreaterThan,
                    Relation::GreaterEqual if is_truth => IntCC::UnsignedGreaterThanOrEqual,
                    Relation::Less => IntCC::SignedLessThan,
                    Relation::LessEqual => IntCC::SignedLessThanOrEqual,
                    Relation::Greater => IntCC::SignedGreaterThan,
                    Relation::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
                };
                Ok(self.builder.ins().icmp(condition, a.elements[0], b.elements[0]))
            }
            (Kind::Truth, _) | (_, Kind::Truth) => Err(Unfit),
            _ => {
                let [x, y] = [a, b].map(|datum| self.as_real(datum.kind, datum.elements[0]));
                self.refuse_no_number(x);
                self.refuse_no_number(y);
                let condition = match op {
                    Relation::Equal => FloatCC::Equal,
                    Relation::NotEqual => FloatCC::NotEqual,
                    Relation::Less => FloatCC::LessThan,
                    Relation::LessEqual => FloatCC::LessThanOrEqual,
                    Relation::Greater => FloatCC::GreaterThan,
                    Relation::GreaterEqual => FloatCC::GreaterThanOrEqual,
                };
                Ok(self.builder.ins().fcmp(condition, x, y))
            }
        }
    }

    /// What is decided by the first operand does not look at the second one: it may have no value.
    fn logic(&mut self, op: Logic, a: &Expr, b: &Expr) -> Result<Datum, Unfit> {
        if !a.ty.is_scalar() || !b.ty.is_scalar() {
            return Err(Unfit);
        }
        let first = self.condition(a)?;
        let (further, join) = (self.builder.create_block(), self.builder.create_block());
        let result = self.builder.append_block_param(join, types::I8);
        match op {
            Logic::Or => self.builder.ins().brif(first, join, &[BlockArg::Value(first)], further, &[]),
            Logic::And => self.builder.ins().brif(first, further, &[], join, &[BlockArg::Value(first)]),
        };
        self.builder.switch_to_block(further);
        let second = self.condition(b)?;
        self.builder.ins().jump(join, &[BlockArg::Value(second)]);
        self.builder.switch_to_block(join);
        Ok(Datum::scalar(Kind::Truth, result))
    }

    fn choose(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, e: &Expr) -> Result<Datum, Unfit> {
        let wanted = Kind::of(e.ty.scalar)?;
        let condition = self.condition(condition)?;
        let blocks = [(); 3].map(|()| self.builder.create_block());
        let [then_block, other_block, join] = blocks;
        self.builder.ins().brif(condition, then_block, &[], other_block, &[]);
        let mut result: Option<Datum> = None;
        for (block, arm) in [(then_block, then), (other_block, otherwise)] {
            self.builder.switch_to_block(block);
            let value = self.datum(arm)?;
            let value = if wanted == Kind::Real { self.conform(value, wanted)? } else { value };
            match &result {
                None => {
                    let ty = Self::machine_type(value.kind);
                    let elements =
                        value.elements.iter().map(|_| self.builder.append_block_param(join, ty)).collect();
                    result = Some(Datum { elements, ..value.clone() });
                }
                Some(result) if result.sizes != value.sizes || result.kind != value.kind => {
                    return Err(Unfit);
                }
                Some(_) => {}
            }
            let arguments: Vec<BlockArg> = value.elements.into_iter().map(BlockArg::Value).collect();
            self.builder.ins().jump(join, &arguments);
        }
        self.builder.switch_to_block(join);
        result.ok_or(Unfit)
    }

    // ── arrays ──

    fn array(&mut self, elements: &[Expr], e: &Expr) -> Result<Datum, Unfit> {
        let kind = Kind::of(e.ty.scalar)?;
        let mut all = Datum { kind, sizes: vec![elements.len()], elements: Vec::new() };
        for (i, element) in elements.iter().enumerate() {
            let element = self.datum(element)?;
            let element = self.conform(element, kind)?;
            if i == 0 {
                all.sizes.extend(&element.sizes);
            } else if all.sizes[1..] != element.sizes[..] {
                return Err(Unfit);
            }
            all.elements.extend(element.elements);
        }
        if elements.is_empty() || all.elements.len() > MOST_ELEMENTS { Err(Unfit) } else { Ok(all) }
    }

    /// One element by its subscripts, or those that known ones name.
    fn index(&mut self, base: &Expr, subscripts: &[Subscript]) -> Result<Datum, Unfit> {
        if let ExprKind::Local(id) = base.kind {
            let sizes = self.sizes_of(id)?;
            if let Some(place) = self.place(&sizes, subscripts)? {
                return self.element(id, place);
            }
        }
        let whole = self.datum(base)?;
        if let Some(places) = self.known_places(&whole.sizes, subscripts)? {
            let (sizes, places) = places;
            let elements = places.into_iter().map(|place| whole.elements[place]).collect();
            return Ok(Datum { kind: whole.kind, sizes, elements });
        }
        let Some(place) = self.place(&whole.sizes, subscripts)? else { return Err(Unfit) };
        let frame = self.frame(whole.elements.len());
        for (i, &element) in whole.elements.iter().enumerate() {
            self.store(whole.kind, element, frame, i as i32 * 8);
        }
        let element = self.element_of(whole.kind, frame, place);
        Ok(Datum::scalar(whole.kind, element))
    }

    /// The place of the one element that scalar subscripts name, from zero; nothing where they name many.
    pub(super) fn place(
        &mut self,
        sizes: &[usize],
        subscripts: &[Subscript],
    ) -> Result<Option<Value>, Unfit> {
        let is_one = |s: &Subscript| matches!(s, Subscript::Index(e) if e.ty.is_scalar());
        if subscripts.len() != sizes.len() || !subscripts.iter().all(is_one) {
            return Ok(None);
        }
        let mut place: Option<Value> = None;
        for (subscript, &size) in subscripts.iter().zip(sizes) {
            let Subscript::Index(e) = subscript else { return Ok(None) };
            let datum = self.datum(e)?;
            let index = match datum.kind {
                Kind::Whole => self.builder.ins().iadd_imm_s(datum.elements[0], -1),
                Kind::Truth => self.builder.ins().uextend(types::I64, datum.elements[0]),
                Kind::Real => return Err(Unfit),
            };
            let most = self.builder.ins().iconst(types::I64, size as i64);
            let is_outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, most);
            self.give_up_if(is_outside);
            place = Some(match place {
                Some(place) => {
                    let row = self.builder.ins().imul(place, most);
                    self.builder.ins().iadd(row, index)
                }
                None => index,
            });
        }
        Ok(place)
    }

    /// The sizes and places of what subscripts name, where they are known and name dimensions as a whole.
    #[allow(clippy::type_complexity)] // sizes and places
    pub(super) fn known_places(
        &self,
        sizes: &[usize],
        subscripts: &[Subscript],
    ) -> Result<Option<(Vec<usize>, Vec<usize>)>, Unfit> {
        let (mut left, mut places) = (Vec::new(), vec![0]);
        if subscripts.len() > sizes.len() {
            return Err(Unfit);
        }
        for (dimension, &size) in sizes.iter().enumerate() {
            let chosen: Vec<usize> = match subscripts.get(dimension) {
                None | Some(Subscript::Whole) => {
                    left.push(size);
                    (0..size).collect()
                }
                Some(Subscript::Index(e)) => match self.known_integer(e) {
                    Ok(index) if index >= 1 && index <= size as i64 => vec![index as usize - 1],
                    _ => return Ok(None),
                },
            };
            let along =
                |place: usize| chosen.iter().map(move |index| place * size + index).collect::<Vec<_>>();
            places = places.into_iter().flat_map(along).collect();
        }
        Ok(Some((left, places)))
    }

    // ── functions of the language ──

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], e: &Expr) -> Result<Datum, Unfit> {
        use Builtin as B;
        match (builtin, arguments) {
            (_, [a]) if builtin.is_elementary() => {
                let a = self.datum(a)?;
                let kind = match builtin {
                    B::Sign | B::Integer => Kind::Whole,
                    B::Abs if a.kind == Kind::Whole => Kind::Whole,
                    _ => Kind::Real,
                };
                let elements = a
                    .elements
                    .iter()
                    .map(|&x| self.elementary(builtin, a.kind, x))
                    .collect::<Result<_, Unfit>>()?;
                Ok(Datum { kind, sizes: a.sizes, elements })
            }
            (B::NoEvent | B::Homotopy, [a, ..]) | (B::Smooth, [_, a]) => self.datum(a),
            (B::Array, elements) => self.array(elements, e),
            (B::Size, [Expr { kind: ExprKind::Local(id), .. }]) => {
                let sizes = self.sizes_of(*id)?;
                let elements: Vec<Value> =
                    sizes.iter().map(|&size| self.builder.ins().iconst(types::I64, size as i64)).collect();
                Ok(Datum { kind: Kind::Whole, sizes: vec![elements.len()], elements })
            }
            (B::Size, [_, _]) => {
                let size = self.known_integer(e)?;
                Ok(Datum::scalar(Kind::Whole, self.builder.ins().iconst(types::I64, size)))
            }
            (B::Atan2 | B::Div | B::Mod | B::Rem | B::Min | B::Max, [a, b]) => {
                let (a, b) = (self.datum(a)?, self.datum(b)?);
                if !a.sizes.is_empty() || !b.sizes.is_empty() {
                    return Err(Unfit);
                }
                self.of_two(builtin, &a, &b)
            }
            (B::Sum, [a]) => {
                let a = self.datum(a)?;
                let mut elements = a.elements.into_iter();
                let mut sum = elements.next().ok_or(Unfit)?;
                for element in elements {
                    sum = match a.kind {
                        Kind::Real => self.builder.ins().fadd(sum, element),
                        Kind::Whole => self.whole_operation(Arithmetic::Add, sum, element),
                        Kind::Truth => return Err(Unfit),
                    };
                }
                Ok(Datum::scalar(a.kind, sum))
            }
            (B::Zeros | B::Ones, sizes) => {
                let value = self.builder.ins().iconst(types::I64, i64::from(builtin == B::Ones));
                self.fill(&Datum::scalar(Kind::Whole, value), sizes)
            }
            (B::Fill, [value, sizes @ ..]) => {
                let value = self.datum(value)?;
                self.fill(&value, sizes)
            }
            _ => Err(Unfit),
        }
    }

    fn fill(&mut self, value: &Datum, sizes: &[Expr]) -> Result<Datum, Unfit> {
        let known = sizes.iter().map(|size| usize::try_from(self.known_integer(size)?).map_err(|_| Unfit));
        let sizes = known.collect::<Result<Vec<usize>, Unfit>>()?;
        let count: usize = sizes.iter().product();
        if !value.sizes.is_empty() || count > MOST_ELEMENTS {
            return Err(Unfit);
        }
        Ok(Datum { kind: value.kind, sizes, elements: vec![value.elements[0]; count] })
    }

    fn elementary(&mut self, builtin: Builtin, kind: Kind, x: Value) -> Result<Value, Unfit> {
        use Builtin as B;
        if kind == Kind::Truth {
            return Err(Unfit);
        }
        if (builtin, kind) == (B::Abs, Kind::Whole) {
            let zero = self.builder.ins().iconst(types::I64, 0);
            let negated = self.whole_operation(Arithmetic::Subtract, zero, x);
            let is_below = self.builder.ins().icmp(IntCC::SignedLessThan, x, zero);
            return Ok(self.builder.ins().select(is_below, negated, x));
        }
        let x = self.as_real(kind, x);
        let zero = self.builder.ins().f64const(0.0);
        Ok(match builtin {
            B::Sign => {
                self.refuse_no_number(x);
                let above = self.builder.ins().fcmp(FloatCC::GreaterThan, x, zero);
                let below = self.builder.ins().fcmp(FloatCC::LessThan, x, zero);
                let [above, below] =
                    [above, below].map(|truth| self.builder.ins().uextend(types::I64, truth));
                self.builder.ins().isub(above, below)
            }
            B::Integer => {
                let floor = self.round(Helper::Floor, x);
                // 2^63 is the first number that does not fit; its negative does
                let limit = self.builder.ins().f64const(-(i64::MIN as f64));
                let least = self.builder.ins().f64const(i64::MIN as f64);
                let fits_above = self.builder.ins().fcmp(FloatCC::LessThan, floor, limit);
                let fits_below = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, floor, least);
                let fits = self.builder.ins().band(fits_above, fits_below);
                let one = self.builder.ins().iconst(types::I8, 1);
                let fails = self.builder.ins().bxor(fits, one);
                self.give_up_if(fails);
                self.builder.ins().fcvt_to_sint_sat(types::I64, floor)
            }
            B::Sqrt => self.builder.ins().sqrt(x),
            B::Abs => self.builder.ins().fabs(x),
            B::Floor => self.round(Helper::Floor, x),
            B::Ceil => self.round(Helper::Ceil, x),
            _ => {
                if matches!(builtin, B::Log | B::Log10) {
                    let is_zero = self.builder.ins().fcmp(FloatCC::Equal, x, zero);
                    self.give_up_if(is_zero);
                }
                let function = Elementary::named(builtin.name()).ok_or(Unfit)?;
                let helper = Helper::of(function).ok_or(Unfit)?;
                self.caller.call(&mut self.builder, helper, &[x])
            }
        })
    }

    /// Rounds to a whole number, by an instruction where there is one.
    pub(super) fn round(&mut self, helper: Helper, x: Value) -> Value {
        match helper {
            Helper::Floor if self.rounds => self.builder.ins().floor(x),
            Helper::Ceil if self.rounds => self.builder.ins().ceil(x),
            Helper::Truncate if self.rounds => self.builder.ins().trunc(x),
            _ => self.caller.call(&mut self.builder, helper, &[x]),
        }
    }

    fn of_two(&mut self, builtin: Builtin, a: &Datum, b: &Datum) -> Result<Datum, Unfit> {
        use Builtin as B;
        if a.kind == Kind::Truth || b.kind == Kind::Truth {
            return Err(Unfit);
        }
        let kind = match (a.kind, b.kind) {
            (Kind::Whole, Kind::Whole) if builtin != B::Atan2 => Kind::Whole,
            _ => Kind::Real,
        };
        if matches!(builtin, B::Min | B::Max) {
            let op = if builtin == B::Min { Relation::Less } else { Relation::Greater };
            let wins = self.relation(op, b, a)?;
            let [x, y] = [a, b].map(|datum| match kind {
                Kind::Real => self.as_real(datum.kind, datum.elements[0]),
                _ => datum.elements[0],
            });
            return Ok(Datum::scalar(kind, self.builder.ins().select(wins, y, x)));
        }
        if kind == Kind::Whole {
            let (a, b) = (a.elements[0], b.elements[0]);
            return self.whole_quotient(builtin, a, b).map(|value| Datum::scalar(kind, value));
        }
        let [a, b] = [a, b].map(|datum| self.as_real(datum.kind, datum.elements[0]));
        self.refuse_no_number(a);
        self.refuse_no_number(b);
        if builtin == B::Atan2 {
            let value = self.caller.call(&mut self.builder, Helper::Atan2, &[a, b]);
            return Ok(Datum::scalar(Kind::Real, value));
        }
        let zero = self.builder.ins().f64const(0.0);
        let is_zero = self.builder.ins().fcmp(FloatCC::Equal, b, zero);
        self.give_up_if(is_zero);
        let quotient = self.builder.ins().fdiv(a, b);
        let whole = self.round(if builtin == B::Mod { Helper::Floor } else { Helper::Truncate }, quotient);
        if builtin == B::Div {
            return Ok(Datum::scalar(Kind::Real, whole));
        }
        let product = self.builder.ins().fmul(whole, b);
        Ok(Datum::scalar(Kind::Real, self.builder.ins().fsub(a, product)))
    }

    fn whole_quotient(&mut self, builtin: Builtin, a: Value, b: Value) -> Result<Value, Unfit> {
        // a divisor of -1 may overflow, and 0 has no quotient
        let beside = self.builder.ins().iadd_imm_s(b, 1);
        let two = self.builder.ins().iconst(types::I64, 2);
        let fails = self.builder.ins().icmp(IntCC::UnsignedLessThan, beside, two);
        self.give_up_if(fails);
        Ok(match builtin {
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
        })
    }
}

/// A number that is written down.
fn known_number(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Real(x) => Some(*x),
        ExprKind::Integer(i) => Some(*i as f64),
        ExprKind::Negate(a) => known_number(a).map(|x| -x),
        _ => None,
    }
}
