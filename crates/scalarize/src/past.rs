//! Memory of a model: `delay` and `spatialDistribution` (MLS §3.7.4.1, §3.7.4.2). Their results are given by the run.

use rhei_equations::{
    Delay, ExprId, Kind, Origin, Scalar as ScalarType, Transport, VarId as ScalarId, Whole,
};
use rhei_flat::{Expr, Scalar};
use rhei_source::Span;

use crate::data::Data;
use crate::element::{Elements, Indices};
use crate::mistake::Mistake;

/// An Integer is remembered as two numbers of type `f64`, a multiple of this and the remainder.
const HALF_OF_INTEGER: f64 = 4_294_967_296.0; // 2^32

impl Elements<'_> {
    /// `delay(value, by)` or `delay(value, by, most)`
    pub(crate) fn delay(
        &mut self,
        arguments: &[Expr],
        indices: &[usize],
        span: Span,
    ) -> Result<ExprId, Mistake> {
        let value = self.element_or_each(&arguments[0], indices)?;
        let (by, most) = match arguments.get(2) {
            None => {
                let by = self.steady(&arguments[1], "the time of a `delay` without a maximum")?;
                (by, by)
            }
            Some(most) => {
                let by = self.element(&arguments[1], &[])?;
                (by, self.steady(most, "the maximum of `delay`")?)
            }
        };
        if self.is_steady(value) || self.out.pool.as_number(by) == Some(0.0) {
            return Ok(value);
        }
        let scalar = crate::variables::scalar(arguments[0].ty.scalar).unwrap_or(ScalarType::Real);
        if scalar != ScalarType::Integer {
            return Ok(self.delayed(value, scalar, by, most, span));
        }
        let pool = &mut self.out.pool;
        let half = pool.number(HALF_OF_INTEGER);
        let parts = [Whole::Quotient, Whole::Remainder].map(|op| pool.whole(op, value, half));
        let [high, low] = parts.map(|part| self.delayed(part, scalar, by, most, span));
        let high = self.out.pool.whole(Whole::Multiply, high, half);
        Ok(self.out.pool.whole(Whole::Add, high, low))
    }

    /// A number that is remembered.
    fn delayed(&mut self, value: ExprId, scalar: ScalarType, by: ExprId, most: ExprId, span: Span) -> ExprId {
        let known = self.out.events.delays.iter().find(|known| (known.value, known.by) == (value, by));
        let result = match known {
            Some(known) => known.result,
            None => {
                let name = format!("delay {}", self.out.events.delays.len() + 1);
                let result = self.remembered(name, span);
                // the delay of a discrete-time expression is one, too (MLS §3.8.3)
                self.out.variables[result.index()].is_discrete = !self.is_continuous(value);
                self.out.variables[result.index()].scalar = scalar;
                let origin = Origin { span: Some(span), ..Origin::default() };
                let varies = !self.is_steady(by);
                self.out.events.delays.push(Delay { result, value, by, most, varies, origin });
                result
            }
        };
        self.out.pool.variable(result)
    }

    /// Both results of a `spatialDistribution`.
    pub(crate) fn transported(&mut self, arguments: &[Expr], call: &Expr) -> Result<Vec<Data>, Mistake> {
        let sizes = self.sizes(call)?;
        let mut results = [Vec::new(), Vec::new()];
        for indices in Indices::of(&sizes) {
            let ends = self.transport(arguments, &indices, call.span)?;
            results.iter_mut().zip(ends).for_each(|(result, end)| result.push(Some(end)));
        }
        let numbers = |values| Data::Numbers { scalar: Scalar::Real, sizes: sizes.clone(), values };
        Ok(results.map(numbers).into())
    }

    /// The values at the two ends of one transported quantity.
    pub(crate) fn transport(
        &mut self,
        arguments: &[Expr],
        indices: &[usize],
        span: Span,
    ) -> Result<[ExprId; 2], Mistake> {
        let inflows = [self.element(&arguments[0], indices)?, self.element(&arguments[1], indices)?];
        let (moved, is_forward) = (self.element(&arguments[2], &[])?, self.element(&arguments[3], &[])?);
        let points = self.profile(&arguments[4], indices, "`initialPoints`")?;
        let values = self.profile(&arguments[5], indices, "`initialValues`")?;
        let transports = &self.out.events.transports;
        let is_same = |known: &&Transport| {
            (&known.inflows, known.moved, known.is_forward) == (&inflows, moved, is_forward)
                && (&known.points, &known.values) == (&points, &values)
        };
        let ends = match transports.iter().find(is_same) {
            Some(known) => known.ends,
            None => {
                let place = transports.len() + 1;
                let ends =
                    [0, 1].map(|end| self.remembered(format!("spatialDistribution {place}, at {end}"), span));
                let origin = Origin { span: Some(span), ..Origin::default() };
                let transport = Transport { ends, inflows, moved, is_forward, points, values, origin };
                self.out.events.transports.push(transport);
                ends
            }
        };
        Ok(ends.map(|end| self.out.pool.variable(end)))
    }

    /// The points or values of a profile: a vector for all, or a row of a matrix.
    fn profile(&mut self, e: &Expr, indices: &[usize], what: &str) -> Result<Vec<ExprId>, Mistake> {
        let sizes = self.sizes(e)?;
        let row = if sizes.len() > 1 { indices } else { &[] };
        let mut all = Vec::new();
        for place in 0..sizes.last().copied().unwrap_or(0) {
            let element = self.element(e, &[row, &[place]].concat())?;
            if !self.is_steady(element) {
                let what = format!("{what} of `spatialDistribution`");
                return Err(Mistake::NotSteady { what, span: e.span });
            }
            all.push(element);
        }
        Ok(all)
    }

    /// A scalar that must be the same during the whole run.
    pub(crate) fn steady(&mut self, e: &Expr, what: &str) -> Result<ExprId, Mistake> {
        let value = self.element(e, &[])?;
        if self.is_steady(value) {
            return Ok(value);
        }
        Err(Mistake::NotSteady { what: what.to_owned(), span: e.span })
    }

    /// A value that the run gives, and that may change between events.
    fn remembered(&mut self, name: String, span: Span) -> ScalarId {
        let result = self.hidden(name, Kind::Given, ScalarType::Real, span);
        self.out.variables[result.index()].is_discrete = false;
        result
    }
}
