//! Functions and operators of the language at given indices, and the sizes of arrays (MLS §10).

use rhei_equations::{Binary, Elementary, ExprId, Node};
use rhei_flat::{Builtin, Expr, ExprKind, Iteration, Reduction, Scalar, Subscript};
use rhei_source::Span;

use crate::element::{Elements, Indices, not_supported};
use crate::mistake::{BalancePlace, Mistake};

/// Matrices to a higher power than this are not multiplied out.
const HIGHEST_MATRIX_POWER: u32 = 16;

impl Elements<'_> {
    /// The sizes of an expression; inside a function those that its arguments lead to.
    pub(crate) fn sizes(&mut self, e: &Expr) -> Result<Vec<usize>, Mistake> {
        if let Some(known) = e.ty.known_sizes() {
            return Ok(known);
        }
        if let Some(data) = self.known_data(e) {
            return Ok(data.sizes().to_vec());
        }
        let sizes = match &e.kind {
            ExprKind::Negate(a) | ExprKind::Not(a) => self.sizes(a)?,
            ExprKind::Arithmetic(_, a, b) | ExprKind::Logic(_, a, b) => {
                if a.ty.is_scalar() {
                    self.sizes(b)?
                } else {
                    self.sizes(a)?
                }
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.condition(condition)?;
                if matches!(self.out.pool.node(condition), Node::Truth(false)) {
                    self.sizes(b)?
                } else {
                    self.sizes(a)?
                }
            }
            ExprKind::Array(elements) => {
                let mut sizes = vec![elements.len()];
                if let Some(first) = elements.first() {
                    sizes.extend(self.sizes(first)?);
                }
                sizes
            }
            ExprKind::Range(first, step, last) => {
                let first = self.whole_number(first)?;
                let last = self.whole_number(last)?;
                let step = step.as_ref().map_or(Ok(1), |step| self.whole_number(step))?;
                if step == 0 {
                    return Err(not_supported("a range that does not advance", e.span));
                }
                vec![((last - first) / step + 1).max(0) as usize]
            }
            ExprKind::Index(array, subscripts) => {
                let inner = self.sizes(array)?;
                self.sizes_of_part(&inner, subscripts)?
            }
            ExprKind::Variable(v, subscripts) => {
                let inner = crate::element::known_sizes(&self.flat.variable(*v).ty, e.span)?;
                self.sizes_of_part(&inner, subscripts)?
            }
            ExprKind::MatrixProduct(a, b) => {
                let (mut a, b) = (self.sizes(a)?, self.sizes(b)?);
                a.pop();
                a.extend(b.get(1..).unwrap_or_default());
                a
            }
            ExprKind::MatrixPower(a, _) => self.sizes(a)?,
            ExprKind::Comprehension(body, iterations) => {
                let mut sizes = Vec::new();
                for iteration in iterations.iter().rev() {
                    sizes.extend(self.sizes(&iteration.range)?);
                }
                if !body.ty.is_scalar() {
                    sizes.extend(self.sizes(body)?);
                }
                sizes
            }
            ExprKind::Call(builtin, arguments) => self.sizes_of_call(*builtin, arguments, e.span)?,
            ExprKind::Apply(function, arguments) => {
                let outputs = self.apply(*function, arguments, e)?;
                outputs.first().map(|data| data.sizes().to_vec()).unwrap_or_default()
            }
            ExprKind::Field(record, place) => match &record.kind {
                ExprKind::Apply(function, arguments) => {
                    let outputs = self.apply(*function, arguments, record)?;
                    let field = outputs.first().and_then(|data| data.field(*place));
                    field.map(|data| data.sizes().to_vec()).unwrap_or_default()
                }
                ExprKind::Record(_, fields) => self.sizes(&fields[*place as usize])?,
                _ => return Err(not_supported("an array whose size is found out during the run", e.span)),
            },
            _ => return Err(not_supported("an array whose size is found out during the run", e.span)),
        };
        debug_assert_eq!(sizes.len(), e.ty.dimensions());
        Ok(sizes)
    }

    fn sizes_of_part(&mut self, sizes: &[usize], subscripts: &[Subscript]) -> Result<Vec<usize>, Mistake> {
        let mut left = Vec::new();
        for (d, &size) in sizes.iter().enumerate() {
            match subscripts.get(d) {
                None | Some(Subscript::Whole) => left.push(size),
                Some(Subscript::Index(e)) if e.ty.is_scalar() => {}
                Some(Subscript::Index(e)) => left.extend(self.sizes(e)?),
            }
        }
        Ok(left)
    }

    fn sizes_of_call(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Vec<usize>, Mistake> {
        let count = |this: &mut Self, e: &Expr| Ok::<usize, Mistake>(this.whole_number(e)?.max(0) as usize);
        Ok(match builtin {
            Builtin::Zeros | Builtin::Ones => {
                arguments.iter().map(|e| count(self, e)).collect::<Result<_, _>>()?
            }
            Builtin::Fill => {
                let mut sizes =
                    arguments[1..].iter().map(|e| count(self, e)).collect::<Result<Vec<_>, _>>()?;
                sizes.extend(self.sizes(&arguments[0])?);
                sizes
            }
            Builtin::Identity => vec![count(self, &arguments[0])?; 2],
            Builtin::Linspace => vec![count(self, &arguments[2])?],
            Builtin::Diagonal => vec![self.sizes(&arguments[0])?[0]; 2],
            Builtin::Transpose => self.sizes(&arguments[0])?.into_iter().rev().collect(),
            Builtin::Vector => vec![self.sizes(&arguments[0])?.iter().product()],
            Builtin::Size => vec![arguments[0].ty.dimensions()],
            Builtin::OuterProduct => {
                vec![self.sizes(&arguments[0])?[0], self.sizes(&arguments[1])?[0]]
            }
            Builtin::Cat => {
                let along = (self.whole_number(&arguments[0])? - 1).max(0) as usize;
                let mut sizes = self.sizes(&arguments[1])?;
                for part in &arguments[2..] {
                    let more = self.sizes(part)?;
                    sizes[along] += more[along];
                }
                sizes
            }
            Builtin::Promote => {
                let mut sizes = self.sizes(&arguments[0])?;
                sizes.resize(count(self, &arguments[1])?, 1);
                sizes
            }
            Builtin::Array => {
                let mut sizes = vec![arguments.len()];
                sizes.extend(self.sizes(&arguments[0])?);
                sizes
            }
            _ => match arguments.iter().rfind(|argument| !argument.ty.is_scalar()) {
                Some(argument) => self.sizes(argument)?,
                None => return Err(not_supported("an array whose size is found out during the run", span)),
            },
        })
    }

    /// A whole number that must be known before the run.
    pub(crate) fn whole_number(&mut self, e: &Expr) -> Result<i64, Mistake> {
        let value = self.element(e, &[])?;
        let value = self.with_structural_values(value);
        match self.out.pool.as_whole(value) {
            Some(number) => Ok(number),
            None => Err(not_supported("a size or index that is found out during the run", e.span)),
        }
    }

    /// A sum of products (MLS §10.6.4).
    pub(crate) fn matrix_product(
        &mut self,
        a: &Expr,
        b: &Expr,
        indices: &[usize],
    ) -> Result<ExprId, Mistake> {
        let inner = *self.sizes(b)?.first().unwrap_or(&0);
        let rows = a.ty.dimensions() - 1;
        let scalar = of_both(a, b);
        let mut sum = self.out.pool.number(0.0);
        for k in 0..inner {
            let mut left = indices[..rows].to_vec();
            left.push(k);
            let mut right = vec![k];
            right.extend(&indices[rows..]);
            let (x, y) = (self.element(a, &left)?, self.element(b, &right)?);
            let product = self.combined(scalar, Binary::Mul, x, y);
            sum = self.combined(scalar, Binary::Add, sum, product);
        }
        Ok(sum)
    }

    /// A square matrix to a whole power, multiplied out.
    pub(crate) fn matrix_power(
        &mut self,
        a: &Expr,
        power: &Expr,
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let power = self.whole_number(power)?;
        let n = self.sizes(a)?[0];
        let power = u32::try_from(power).ok().filter(|&power| power <= HIGHEST_MATRIX_POWER);
        let Some(power) = power else { return Err(not_supported("this power of a matrix", span)) };
        // row `indices[0]` of the power so far
        let mut row: Vec<ExprId> = Vec::new();
        for j in 0..n {
            row.push(self.out.pool.number(if j == indices[0] { 1.0 } else { 0.0 }));
        }
        for _ in 0..power {
            let mut next = Vec::new();
            for j in 0..n {
                let mut sum = self.out.pool.number(0.0);
                for (k, &left) in row.iter().enumerate() {
                    let right = self.element(a, &[k, j])?;
                    let product = self.combined(a.ty.scalar, Binary::Mul, left, right);
                    sum = self.combined(a.ty.scalar, Binary::Add, sum, product);
                }
                next.push(sum);
            }
            row = next;
        }
        Ok(row[indices[1]])
    }

    pub(crate) fn reduction(
        &mut self,
        reduction: Reduction,
        body: &Expr,
        iterations: &[Iteration],
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let mut sizes = Vec::new();
        for iteration in iterations {
            sizes.extend(self.sizes(&iteration.range)?);
        }
        self.allow_turns(sizes.iter().copied().fold(1, usize::saturating_mul), span)?;
        let mut result = None;
        for turn in Indices::of(&sizes) {
            let known = self.iterators.len();
            for (iteration, index) in iterations.iter().zip(turn) {
                let value = self.element(&iteration.range, &[index])?;
                self.iterators.push((iteration.iterator, value));
            }
            let term = self.element(body, indices);
            self.iterators.truncate(known);
            let term = term?;
            result = Some(match result {
                None => term,
                Some(before) => self.combined(body.ty.scalar, reducing(reduction), before, term),
            });
        }
        match (result, reduction) {
            (Some(result), _) => Ok(result),
            (None, Reduction::Sum) => Ok(self.out.pool.number(0.0)),
            (None, Reduction::Product) => Ok(self.out.pool.number(1.0)),
            (None, _) => Err(not_supported("the smallest or largest of nothing", span)),
        }
    }

    pub(crate) fn call(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        indices: &[usize],
        e: &Expr,
    ) -> Result<ExprId, Mistake> {
        if let Some(done) = self.clock_operator(builtin, arguments, indices, e.span)? {
            return Ok(done);
        }
        if let Some(done) = self.event_operator(builtin, arguments, indices, e.span)? {
            return Ok(done);
        }
        if let Some(done) = self.array_function(builtin, arguments, indices, e.span)? {
            return Ok(done);
        }
        if builtin == Builtin::Balance {
            let place = match self {
                _ if !self.frames.is_empty() => BalancePlace::Function,
                _ if self.inside_when > 0 => BalancePlace::When,
                _ if !self.assigned.is_empty() => BalancePlace::Algorithm,
                _ => BalancePlace::Expression,
            };
            return Err(Mistake::BalancePosition { place, span: e.span });
        }
        let (binary, elementary) = match builtin {
            Builtin::Elementary(f) => (None, Some(f)),
            _ => (Binary::named(builtin.name()), None),
        };
        if binary.is_none() && elementary.is_none() {
            return Err(not_supported(&format!("`{}`", builtin.name()), e.span));
        }
        let values: Vec<ExprId> = arguments
            .iter()
            .map(|argument| self.element_or_each(argument, indices))
            .collect::<Result<_, _>>()?;
        match (binary, elementary, values.as_slice()) {
            (Some(op), _, &[a, b]) => Ok(self.combined(e.ty.scalar, op, a, b)),
            (_, Some(Elementary::Abs), &[a]) if e.ty.scalar == Scalar::Integer => {
                let minus = self.negated(Scalar::Integer, a);
                Ok(self.combined(Scalar::Integer, Binary::Max, a, minus))
            }
            (_, Some(f), &[a]) => Ok(self.out.pool.call(f, a)),
            _ => Err(not_supported(&format!("`{}` with these arguments", builtin.name()), e.span)),
        }
    }

    /// Functions of arrays (MLS §10.3); nothing for other functions.
    fn array_function(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        indices: &[usize],
        span: Span,
    ) -> Result<Option<ExprId>, Mistake> {
        Ok(Some(match builtin {
            Builtin::Fill => {
                self.element(&arguments[0], &indices[indices.len() - arguments[0].ty.dimensions()..])?
            }
            Builtin::Sum | Builtin::Product => self.fold(builtin, &arguments[0])?,
            Builtin::Size if arguments.len() == 2 => {
                let sizes = self.sizes(&arguments[0])?;
                let place = self.whole_number(&arguments[1])?;
                let size = sizes.get((place - 1).max(0) as usize).copied().unwrap_or(0);
                self.out.pool.number(size as f64)
            }
            Builtin::Size => {
                let size = self.sizes(&arguments[0])?[indices[0]];
                self.out.pool.number(size as f64)
            }
            Builtin::Ndims => self.out.pool.number(arguments[0].ty.dimensions() as f64),
            Builtin::Identity => {
                let one = if indices[0] == indices[1] { 1.0 } else { 0.0 };
                self.out.pool.number(one)
            }
            Builtin::Diagonal if indices[0] == indices[1] => self.element(&arguments[0], &indices[..1])?,
            Builtin::Diagonal => self.out.pool.number(0.0),
            Builtin::Transpose => {
                let mut swapped = indices.to_vec();
                swapped.swap(0, 1);
                self.element(&arguments[0], &swapped)?
            }
            Builtin::Symmetric => {
                let (i, j) = (indices[0].min(indices[1]), indices[0].max(indices[1]));
                self.element(&arguments[0], &[i, j])?
            }
            Builtin::Promote | Builtin::Matrix => {
                let dimensions = arguments[0].ty.dimensions();
                let mut own = indices[..dimensions.min(indices.len())].to_vec();
                own.resize(dimensions, 0);
                self.element(&arguments[0], &own)?
            }
            Builtin::ScalarOf => self.element(&arguments[0], &vec![0; arguments[0].ty.dimensions()])?,
            Builtin::Vector => {
                // all dimensions but one have the size one
                let sizes = self.sizes(&arguments[0])?;
                let along = |size: &usize| if *size == 1 { 0 } else { indices[0] };
                self.element(&arguments[0], &sizes.iter().map(along).collect::<Vec<_>>())?
            }
            Builtin::Array => self.element(&arguments[indices[0]], &indices[1..])?,
            Builtin::Cat => self.concatenated(arguments, indices, span)?,
            Builtin::Zeros => self.out.pool.number(0.0),
            Builtin::Ones => self.out.pool.number(1.0),
            Builtin::Linspace => {
                let (first, last) = (self.element(&arguments[0], &[])?, self.element(&arguments[1], &[])?);
                let n = self.whole_number(&arguments[2])?;
                let share = self.out.pool.number(indices[0] as f64 / ((n - 1).max(1) as f64));
                let distance = self.out.pool.sub(last, first);
                let way = self.out.pool.mul(distance, share);
                self.out.pool.add(first, way)
            }
            Builtin::OuterProduct => {
                let a = self.element(&arguments[0], &indices[..1])?;
                let b = self.element(&arguments[1], &indices[1..])?;
                self.combined(of_both(&arguments[0], &arguments[1]), Binary::Mul, a, b)
            }
            Builtin::Cross => {
                let scalar = of_both(&arguments[0], &arguments[1]);
                let (j, k) = ((indices[0] + 1) % 3, (indices[0] + 2) % 3);
                let mut product = |x: usize, y: usize| {
                    let (a, b) = (self.element(&arguments[0], &[x])?, self.element(&arguments[1], &[y])?);
                    Ok::<ExprId, Mistake>(self.combined(scalar, Binary::Mul, a, b))
                };
                let (left, right) = (product(j, k)?, product(k, j)?);
                self.combined(scalar, Binary::Sub, left, right)
            }
            Builtin::Skew => {
                // [0, -x3, x2; x3, 0, -x1; -x2, x1, 0]
                let (i, j) = (indices[0], indices[1]);
                if i == j {
                    self.out.pool.number(0.0)
                } else {
                    let x = self.element(&arguments[0], &[3 - i - j])?;
                    if (i + 1) % 3 == j { self.negated(arguments[0].ty.scalar, x) } else { x }
                }
            }
            Builtin::Min | Builtin::Max if arguments.len() == 1 => self.extreme(builtin, &arguments[0])?,
            // the number of a literal, and back: both are numbers here
            Builtin::IntegerOf | Builtin::EnumerationOf => self.element_or_each(&arguments[0], indices)?,
            _ => return Ok(None),
        }))
    }

    /// An element of arrays put together along one dimension.
    fn concatenated(&mut self, arguments: &[Expr], indices: &[usize], span: Span) -> Result<ExprId, Mistake> {
        let along = (self.whole_number(&arguments[0])? - 1).max(0) as usize;
        let mut indices = indices.to_vec();
        for part in &arguments[1..] {
            let size = self.sizes(part)?[along];
            if indices[along] < size {
                return self.element(part, &indices);
            }
            indices[along] -= size;
        }
        Err(not_supported("`cat` of these arrays", span))
    }

    /// The sum or product of all elements of an array.
    fn fold(&mut self, builtin: Builtin, array: &Expr) -> Result<ExprId, Mistake> {
        let (op, neutral) = if builtin == Builtin::Sum { (Binary::Add, 0.0) } else { (Binary::Mul, 1.0) };
        let mut result = self.out.pool.number(neutral);
        let sizes = self.sizes(array)?;
        self.allow_turns(sizes.iter().copied().fold(1, usize::saturating_mul), array.span)?;
        for indices in Indices::of(&sizes) {
            let element = self.element(array, &indices)?;
            result = self.combined(array.ty.scalar, op, result, element);
        }
        Ok(result)
    }

    /// The smallest or largest element of an array.
    fn extreme(&mut self, builtin: Builtin, array: &Expr) -> Result<ExprId, Mistake> {
        let op = Binary::named(builtin.name()).expect("min and max have two operands");
        let mut result = None;
        for indices in Indices::of(&self.sizes(array)?) {
            let element = self.element(array, &indices)?;
            result = Some(match result {
                None => element,
                Some(before) => self.combined(array.ty.scalar, op, before, element),
            });
        }
        if let Some(result) = result {
            return Ok(result);
        }
        // of nothing: the largest or smallest number there is (MLS §10.3.4)
        let largest = if array.ty.scalar == Scalar::Integer { i32::MAX as f64 } else { f64::MAX };
        Ok(self.out.pool.number(if builtin == Builtin::Min { largest } else { -largest }))
    }
}

/// Element type of an operation on two arrays: Integer only for two Integers.
fn of_both(a: &Expr, b: &Expr) -> Scalar {
    if a.ty.scalar == Scalar::Integer { b.ty.scalar } else { a.ty.scalar }
}

fn reducing(reduction: Reduction) -> Binary {
    match reduction {
        Reduction::Sum => Binary::Add,
        Reduction::Product => Binary::Mul,
        Reduction::Min => Binary::Min,
        Reduction::Max => Binary::Max,
    }
}
