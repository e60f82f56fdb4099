//! Expressions to instructions. Arrays are calculated element by element, in the order in which the interpreter does it.

use rhei_elementary::ResultKind;
use rhei_flat::{Arithmetic, Builtin, Expr, ExprKind, FunctionId, Iteration, Logic, Reduction, Scalar};

use super::functions::{CONSTANTS, Operand, Translator};
use super::layout::{Element, LARGEST_WHOLE, Layout};
use super::program::{Op, Slot};

/// Most elements of an array, and most iterations of a reduction, that are unrolled.
const MOST_WRITTEN_OUT: usize = 256;

impl Translator<'_> {
    pub(super) fn expression(&mut self, e: &Expr) -> Option<Operand> {
        if let Some(number) = literal(e) {
            let layout = Layout::of(e.ty.scalar, Vec::new(), self.tables)?;
            return Some(Operand { at: self.constants(&[number])?, layout });
        }
        match &e.kind {
            ExprKind::Local(_) | ExprKind::Index(..) | ExprKind::Field(..) => self.read(e),
            ExprKind::Iterator(id) => {
                let (_, at) = *self.iterators.iter().rev().find(|(iterator, _)| iterator == id)?;
                Some(Operand { at, layout: Layout::number(Scalar::Integer) })
            }
            ExprKind::Negate(a) => {
                let a = self.expression(a)?;
                let negated = self.each(&a, a.layout.element.clone(), Op::Negate)?;
                self.stay_whole(&negated);
                Some(negated)
            }
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                self.arithmetic(*op, &a, &b)
            }
            ExprKind::MatrixProduct(a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                self.matrix_product(&a, &b)
            }
            ExprKind::Relation(relation, a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                a.layout.scalar().zip(b.layout.scalar())?;
                let to = self.temporary(&Layout::number(Scalar::Boolean))?;
                self.ops.push(Op::Compare(*relation, to.at, a.at, b.at));
                Some(to)
            }
            ExprKind::Logic(op, a, b) => self.logic(*op, a, b),
            ExprKind::Not(a) => {
                let a = self.truth(a)?;
                self.each(&a, a.layout.element.clone(), Op::Not)
            }
            ExprKind::If(condition, then, otherwise) => self.if_expression(e, condition, then, otherwise),
            ExprKind::Call(builtin, arguments) => self.builtin(*builtin, arguments, e),
            ExprKind::Apply(function, arguments) => {
                let first = self.call(*function, arguments)?.into_iter().next()?;
                (first.layout.sizes.len() == e.ty.dimensions()).then_some(first)
            }
            ExprKind::ApplyLocal(local, arguments) => {
                let first = self.call_local(*local, arguments)?.into_iter().next()?;
                (first.layout.sizes.len() == e.ty.dimensions()).then_some(first)
            }
            ExprKind::Function(id, given) => {
                let given = given.iter().map(|(place, e)| Some((*place, self.expression(e)?)));
                let given = given.collect::<Option<Vec<_>>>()?;
                self.function(*id, given)
            }
            ExprKind::FunctionOfLocal(local, further) => {
                let (id, mut given) = self.held(*local)?;
                let inputs = 0..self.tables.function(id).inputs().count() as u32;
                let free: Vec<u32> =
                    inputs.filter(|place| given.iter().all(|(taken, _)| taken != place)).collect();
                for (place, e) in further {
                    given.push((*free.get(*place as usize)?, self.expression(e)?));
                }
                self.function(id, given)
            }
            ExprKind::Array(elements) => self.array(elements),
            ExprKind::Reduction(reduction, body, iterations) => self.reduction(*reduction, body, iterations),
            ExprKind::Comprehension(body, iterations) => self.comprehension(body, iterations),
            ExprKind::Record(id, fields) => {
                let layout = Layout::of(Scalar::Record(*id), Vec::new(), self.tables)?;
                let fields = fields.iter().map(|field| self.expression(field)).collect::<Option<Vec<_>>>()?;
                let Element::Record(_, layouts) = &layout.element else { return None };
                let fit =
                    |(a, b): (&Operand, &Layout)| a.layout.sizes == b.sizes && a.layout.width() == b.width();
                if fields.len() != layouts.len() || !fields.iter().zip(layouts).all(fit) {
                    return None;
                }
                self.together(&fields, layout)
            }
            _ => None,
        }
    }

    /// A function as an argument, with the inputs it is given.
    fn function(&mut self, id: FunctionId, given: Vec<(u32, Operand)>) -> Option<Operand> {
        let function = self.tables.function(id);
        let layouts = given.iter().map(|(place, operand)| {
            let input = function.inputs().nth(*place as usize)?.1;
            Some((*place, operand.layout.handed_over(input.ty.scalar, self.tables)?))
        });
        let element = Element::Function(id, layouts.collect::<Option<_>>()?);
        let operands: Vec<Operand> = given.into_iter().map(|(_, operand)| operand).collect();
        self.together(&operands, Layout { element, sizes: Vec::new() })
    }

    /// Whether a value is a temporary.
    pub(super) fn is_temporary(&self, value: &Operand) -> bool {
        let is_local = |(at, layout): &(Slot, Layout)| (*at..*at + layout.width() as u32).contains(&value.at);
        value.at < CONSTANTS
            && !self.locals.iter().any(is_local)
            && !self.iterators.iter().any(|(_, at)| *at == value.at)
    }

    /// Values one after the other.
    fn together(&mut self, parts: &[Operand], layout: Layout) -> Option<Operand> {
        let to = self.temporary(&layout)?;
        let mut at = to.at;
        for part in parts {
            self.copy(at, part);
            at += part.layout.width() as u32;
        }
        Some(to)
    }

    /// An operation on every number of a value.
    fn each(&mut self, a: &Operand, element: Element, op: impl Fn(Slot, Slot) -> Op) -> Option<Operand> {
        let (Element::Number(_), Element::Number(_)) = (&a.layout.element, &element) else { return None };
        let n = a.layout.count();
        let to = self.temporary(&Layout { element, sizes: a.layout.sizes.clone() })?;
        (n <= MOST_WRITTEN_OUT).then_some(())?;
        (0..n as u32).for_each(|i| self.ops.push(op(to.at + i, a.at + i)));
        Some(to)
    }

    /// An operation on numbers in the same places; a scalar stands for every element.
    fn both(
        &mut self,
        a: &Operand,
        b: &Operand,
        scalar: Scalar,
        op: impl Fn(Slot, Slot, Slot) -> Op,
    ) -> Option<Operand> {
        let (Element::Number(_), Element::Number(_)) = (&a.layout.element, &b.layout.element) else {
            return None;
        };
        let sizes = match (a.layout.sizes.is_empty(), b.layout.sizes.is_empty()) {
            (true, _) => b.layout.sizes.clone(),
            (_, true) => a.layout.sizes.clone(),
            _ if a.layout.sizes == b.layout.sizes => a.layout.sizes.clone(),
            _ => return None,
        };
        let to = self.temporary(&Layout { element: Element::Number(scalar), sizes })?;
        let n = to.layout.count();
        (n <= MOST_WRITTEN_OUT).then_some(())?;
        let place = |of: &Operand, i: u32| if of.layout.sizes.is_empty() { of.at } else { of.at + i };
        (0..n as u32).for_each(|i| self.ops.push(op(to.at + i, place(a, i), place(b, i))));
        self.stay_whole(&to);
        Some(to)
    }

    /// Checks the results of integer operations for overflow.
    fn stay_whole(&mut self, value: &Operand) {
        if value.layout.is_whole() {
            (0..value.layout.count() as u32).for_each(|i| self.ops.push(Op::Whole(value.at + i)));
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Operand, b: &Operand) -> Option<Operand> {
        let is_number =
            |of: &Operand| matches!(of.layout.element, Element::Number(Scalar::Real | Scalar::Integer));
        if !is_number(a) || !is_number(b) {
            return None;
        }
        let both_whole = a.layout.is_whole() && b.layout.is_whole();
        let is_whole = both_whole && !matches!(op, Arithmetic::Divide | Arithmetic::Power);
        let scalar = if is_whole { Scalar::Integer } else { Scalar::Real };
        self.both(a, b, scalar, |to, a, b| match op {
            Arithmetic::Add => Op::Add(to, a, b),
            Arithmetic::Subtract => Op::Subtract(to, a, b),
            Arithmetic::Multiply => Op::Multiply(to, a, b),
            Arithmetic::Divide => Op::Divide(to, a, b),
            Arithmetic::Power => Op::Power(to, a, b),
        })
    }

    /// Sums of products, as in `linear_algebra`.
    fn matrix_product(&mut self, a: &Operand, b: &Operand) -> Option<Operand> {
        let (rows, inner) = match *a.layout.sizes {
            [inner] => (1, inner),
            [rows, inner] => (rows, inner),
            _ => return None,
        };
        let (height, columns) = match *b.layout.sizes {
            [height] => (height, 1),
            [height, columns] => (height, columns),
            _ => return None,
        };
        if inner != height || inner == 0 || rows * columns * inner > MOST_WRITTEN_OUT {
            return None;
        }
        let number = |of: &Operand, i: usize| Operand { at: of.at + i as u32, layout: of.layout.one() };
        let mut sums = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let mut sum: Option<Operand> = None;
                for k in 0..inner {
                    let factors = (number(a, row * inner + k), number(b, k * columns + column));
                    let term = self.arithmetic(Arithmetic::Multiply, &factors.0, &factors.1)?;
                    sum = Some(match sum {
                        None => term,
                        Some(sum) => self.arithmetic(Arithmetic::Add, &sum, &term)?,
                    });
                }
                sums.push(sum?);
            }
        }
        let sizes = match (a.layout.sizes.len(), b.layout.sizes.len()) {
            (1, 1) => return sums.pop(),
            (1, _) => vec![columns],
            (_, 1) => vec![rows],
            _ => vec![rows, columns],
        };
        let layout = sums.first()?.layout.sized(sizes);
        self.together(&sums, layout)
    }

    /// `and` and `or`, with short circuit.
    fn logic(&mut self, op: Logic, a: &Expr, b: &Expr) -> Option<Operand> {
        let a = self.truth(a)?;
        let to = self.temporary(&a.layout)?;
        self.copy(to.at, &a);
        let decided = match op {
            Logic::And => self.jump(|target| Op::JumpUnless(to.at, target)),
            Logic::Or => self.jump(|target| Op::JumpIf(to.at, target)),
        };
        let b = self.truth(b)?;
        self.copy(to.at, &b);
        self.bind(decided);
        Some(to)
    }

    fn if_expression(
        &mut self,
        e: &Expr,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Option<Operand> {
        let condition = self.truth(condition)?;
        let skip = self.jump(|to| Op::JumpUnless(condition.at, to));
        let then = self.expression(then)?;
        let layout = Layout::of(e.ty.scalar, then.layout.sizes.clone(), self.tables)?;
        if layout.width() != then.layout.width() {
            return None;
        }
        let to = self.temporary(&layout)?;
        self.copy(to.at, &then);
        let end = self.jump(Op::Jump);
        self.bind(skip);
        let otherwise = self.expression(otherwise)?;
        if otherwise.layout.sizes != layout.sizes || otherwise.layout.width() != layout.width() {
            return None;
        }
        self.copy(to.at, &otherwise);
        self.bind(end);
        Some(to)
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], e: &Expr) -> Option<Operand> {
        use Builtin as B;
        match (builtin, arguments) {
            (_, [a]) if builtin.is_elementary() => {
                let a = self.expression(a)?;
                let scalar = match builtin {
                    B::Elementary(f) => match f.row().result {
                        ResultKind::OfArgument if a.layout.is_whole() => Scalar::Integer,
                        ResultKind::Real | ResultKind::OfArgument => Scalar::Real,
                        ResultKind::Integer => Scalar::Integer,
                    },
                    _ => Scalar::Integer, // `integer`
                };
                let found = self.each(&a, Element::Number(scalar), |to, a| Op::Function(builtin, to, a))?;
                self.stay_whole(&found);
                Some(found)
            }
            (B::NoEvent | B::Homotopy, [a, ..]) | (B::Smooth, [_, a]) => self.expression(a),
            (B::Size, [_, _]) => {
                let size = self.static_whole(e)? as f64;
                Some(Operand { at: self.constants(&[size])?, layout: Layout::number(Scalar::Integer) })
            }
            (B::Size, [Expr { kind: ExprKind::Local(local), .. }]) => {
                let sizes = &self.locals.get(local.0 as usize)?.1.sizes;
                let numbers: Vec<f64> = sizes.iter().map(|size| *size as f64).collect();
                let layout = Layout::number(Scalar::Integer).sized(vec![numbers.len()]);
                Some(Operand { at: self.constants(&numbers)?, layout })
            }
            (B::ScalarOf, [a]) => {
                let a = self.expression(a)?;
                let layout = a.layout.sized(Vec::new());
                (a.layout.count() == 1).then_some(Operand { layout, ..a })
            }
            (B::Vector, [a]) => {
                let a = self.expression(a)?;
                let layout = a.layout.sized(vec![a.layout.count()]);
                // one dimension at most has more than one element
                let n_long = a.layout.sizes.iter().filter(|size| **size > 1).count();
                (n_long <= 1).then_some(Operand { layout, ..a })
            }
            (B::Transpose, [a]) => {
                let a = self.expression(a)?;
                let [rows, columns] = *a.layout.sizes else { return None };
                (a.layout.count() <= MOST_WRITTEN_OUT).then_some(())?;
                let width = a.layout.element_width();
                let place = |i: usize| a.at + ((i % rows) * columns + i / rows) as u32 * width as u32;
                let elements = (0..rows * columns).map(|i| Operand { at: place(i), layout: a.layout.one() });
                let elements: Vec<Operand> = elements.collect();
                self.together(&elements, a.layout.sized(vec![columns, rows]))
            }
            (B::Array, elements) => self.array(elements),
            (B::Sum | B::Product | B::Min | B::Max, [a]) => {
                let a = self.expression(a)?;
                let reduction = match builtin {
                    B::Sum => Reduction::Sum,
                    B::Product => Reduction::Product,
                    B::Min => Reduction::Min,
                    _ => Reduction::Max,
                };
                let n = a.layout.count();
                (n <= MOST_WRITTEN_OUT && !a.layout.sizes.is_empty()).then_some(())?;
                let element = |i: usize| Operand { at: a.at + i as u32, layout: a.layout.one() };
                let mut so_far = None;
                for i in 0..n {
                    so_far = Some(self.fold(reduction, so_far, element(i))?);
                }
                so_far // a reduction over nothing is left to the interpreter
            }
            (B::Min | B::Max | B::Atan2 | B::Div | B::Mod | B::Rem, [a, b]) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                self.of_two(builtin, &a, &b)
            }
            (B::Zeros | B::Ones, sizes) => self.filled(if builtin == B::Ones { 1.0 } else { 0.0 }, sizes, e),
            (B::Fill, [value, sizes @ ..]) => match literal(value) {
                Some(number) => self.filled(number, sizes, e),
                None => {
                    let sizes = self.sizes(sizes)?;
                    let value = self.expression(value)?;
                    (value.layout.sizes.is_empty() && sizes.iter().product::<usize>() <= MOST_WRITTEN_OUT)
                        .then_some(())?;
                    let layout = value.layout.sized(sizes);
                    self.together(&vec![value; layout.count()], layout)
                }
            },
            _ => None,
        }
    }

    fn of_two(&mut self, builtin: Builtin, a: &Operand, b: &Operand) -> Option<Operand> {
        let (of_a, of_b) = a.layout.scalar().zip(b.layout.scalar())?;
        let scalar = if of_a == of_b && builtin != Builtin::Atan2 { of_a } else { Scalar::Real };
        let both_whole = of_a == Scalar::Integer && of_b == Scalar::Integer;
        self.both(a, b, scalar, |to, a, b| match builtin {
            Builtin::Min => Op::Min(to, a, b),
            Builtin::Max => Op::Max(to, a, b),
            Builtin::Div | Builtin::Mod | Builtin::Rem if both_whole => Op::Quotient(builtin, to, a, b),
            _ => Op::OfTwo(builtin, to, a, b),
        })
    }

    /// Sizes known at translation.
    fn sizes(&self, sizes: &[Expr]) -> Option<Vec<usize>> {
        let size = |size: &Expr| self.static_whole(size).and_then(|size| usize::try_from(size).ok());
        sizes.iter().map(size).collect()
    }

    fn filled(&mut self, value: f64, sizes: &[Expr], e: &Expr) -> Option<Operand> {
        let layout = Layout::of(e.ty.scalar, self.sizes(sizes)?, self.tables)?;
        let numbers = vec![value; layout.width()];
        Some(Operand { at: self.constants(&numbers)?, layout })
    }

    /// `{a, b, c}`
    fn array(&mut self, elements: &[Expr]) -> Option<Operand> {
        if let Some(numbers) = elements.iter().map(literal).collect::<Option<Vec<f64>>>() {
            let scalar = elements.iter().map(|e| e.ty.scalar).reduce(|a, b| a.joined(b).unwrap_or(a))?;
            let layout = Layout::of(scalar, vec![numbers.len()], self.tables)?;
            return Some(Operand { at: self.constants(&numbers)?, layout });
        }
        let parts = elements.iter().map(|e| self.expression(e)).collect::<Option<Vec<_>>>()?;
        let first = &parts.first()?.layout;
        let all_fit =
            parts.iter().all(|p| p.layout.sizes == first.sizes && p.layout.width() == first.width());
        let element = match parts.iter().find(|part| !part.layout.is_whole()) {
            Some(part) => part.layout.element.clone(), // whole numbers among others are Reals
            None => first.element.clone(),
        };
        let sizes = std::iter::once(parts.len()).chain(first.sizes.iter().copied()).collect();
        all_fit.then_some(())?;
        self.together(&parts, Layout { element, sizes })
    }

    /// `sum(body for i in first:last)` and its kin, written out.
    fn reduction(&mut self, reduction: Reduction, body: &Expr, iterations: &[Iteration]) -> Option<Operand> {
        let mut so_far = None;
        for value in self.turns(body, iterations)? {
            so_far = Some(self.fold(reduction, so_far, value)?);
        }
        so_far
    }

    /// `{body for i in first:last}`, written out.
    fn comprehension(&mut self, body: &Expr, iterations: &[Iteration]) -> Option<Operand> {
        let parts = self.turns(body, iterations)?;
        let first = parts.first()?.layout.clone();
        let all_fit = parts.iter().all(|part| part.layout == first);
        let sizes = std::iter::once(parts.len()).chain(first.sizes.iter().copied()).collect();
        all_fit.then_some(())?;
        self.together(&parts, first.sized(sizes))
    }

    /// The values of a body for each value of its iterator.
    fn turns(&mut self, body: &Expr, iterations: &[Iteration]) -> Option<Vec<Operand>> {
        let [iteration] = iterations else { return None };
        let ExprKind::Range(first, None, last) = &iteration.range.kind else { return None };
        let (first, last) = (self.static_whole(first)?, self.static_whole(last)?);
        let n = usize::try_from(last.checked_sub(first)?.checked_add(1)?).ok()?;
        (1..=MOST_WRITTEN_OUT).contains(&n).then_some(())?;
        let mut values = Vec::with_capacity(n);
        for i in first..=last {
            let at = self.constants(&[i as f64])?;
            self.iterators.push((iteration.iterator, at));
            let value = self.expression(body);
            self.iterators.pop();
            values.push(value?);
        }
        Some(values)
    }

    fn fold(&mut self, reduction: Reduction, so_far: Option<Operand>, next: Operand) -> Option<Operand> {
        let Some(so_far) = so_far else { return Some(next) };
        match reduction {
            Reduction::Sum => self.arithmetic(Arithmetic::Add, &so_far, &next),
            Reduction::Product => self.arithmetic(Arithmetic::Multiply, &so_far, &next),
            Reduction::Min => self.of_two(Builtin::Min, &so_far, &next),
            Reduction::Max => self.of_two(Builtin::Max, &so_far, &next),
        }
    }
}

/// The number of a literal.
fn literal(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Real(x) if !x.is_nan() => Some(*x),
        ExprKind::Integer(i) if (*i as f64).abs() < LARGEST_WHOLE => Some(*i as f64),
        ExprKind::Boolean(b) => Some(f64::from(u8::from(*b))),
        ExprKind::Enumeration(_, number) => Some(f64::from(*number)),
        ExprKind::Negate(a) => match a.kind {
            ExprKind::Real(x) if !x.is_nan() => Some(-x),
            ExprKind::Integer(_) => Some(0.0 - literal(a)?),
            _ => None,
        },
        _ => None,
    }
}
