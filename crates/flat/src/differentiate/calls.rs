//! The derivative of a call: by a `derivative` annotation, else by the algorithm (MLS §12.7.1).

use super::NotDifferentiable;
use super::build::{field, zero};
use super::expression::Slope;
use super::function::{Differentiation, differentiate};
use crate::{Derivative, Expr, ExprKind, FunctionId, LocalId, Scalar, Type};

/// A call that is differentiated.
struct Call<'a> {
    arguments: &'a [Expr],
    slopes: Vec<Option<Expr>>,
    /// Inputs of the function that is called.
    inputs: Vec<(LocalId, Type)>,
}

impl Differentiation<'_> {
    /// A call whose outputs are the derivatives of those outputs of `e` that hold Reals.
    pub(super) fn derivative_call(&mut self, e: &Expr) -> Slope {
        let ExprKind::Apply(function, arguments) = &e.kind else {
            return if self.varies_in_part(e) { self.refused("what is called here", e) } else { Ok(None) };
        };
        let slopes: Vec<Option<Expr>> =
            arguments.iter().map(|argument| self.derivative(argument)).collect::<Result<_, _>>()?;
        if slopes.iter().all(Option::is_none) {
            return Ok(None);
        }
        let inputs =
            self.tables.function(*function).inputs().map(|(id, local)| (id, local.ty.clone())).collect();
        let call = Call { arguments, slopes, inputs };
        for derivative in self.tables.function(*function).derivatives.clone() {
            if let Some(further) = self.annotated_arguments(*function, &derivative, &call) {
                return Ok(Some(applied(derivative.function, arguments, further, e)));
            }
        }
        let varying: Vec<bool> = call.slopes.iter().map(Option::is_some).collect();
        let own = differentiate(self.derivatives, self.tables, *function, &varying);
        let own = own.map_err(|why| NotDifferentiable { span: e.span, ..why })?;
        let further = call.slopes.into_iter().flatten().collect();
        Ok(Some(applied(own, arguments, further, e)))
    }

    fn varies_in_part(&self, e: &Expr) -> bool {
        e.parts().into_iter().any(|part| self.varies(part))
    }

    /// Further arguments for a derivative named by an annotation; nothing if its restrictions do not hold.
    fn annotated_arguments(
        &mut self,
        function: FunctionId,
        derivative: &Derivative,
        call: &Call,
    ) -> Option<Vec<Expr>> {
        if derivative.zero.iter().any(|id| call.slope(*id).is_some()) {
            return None;
        }
        let counts = |id: &LocalId, ty: &Type| {
            self.tables.holds_reals(ty) && !derivative.zero.contains(id) && !derivative.without.contains(id)
        };
        let mut places: Vec<usize> =
            (0..call.inputs.len()).filter(|&i| counts(&call.inputs[i].0, &call.inputs[i].1)).collect();
        if derivative.order > 1 {
            places = self.highest_order(derivative, call, places)?;
        }
        let wanted: Vec<Type> =
            self.tables.function(derivative.function).inputs().map(|(_, local)| local.ty.clone()).collect();
        if wanted.len() != call.inputs.len() + places.len() || !self.outputs_fit(function, derivative) {
            return None;
        }
        let mut further = Vec::new();
        for (place, wanted) in places.into_iter().zip(&wanted[call.inputs.len()..]) {
            let slope = match &call.slopes[place] {
                Some(slope) => slope.clone(),
                None => zero(&call.arguments[place], self.tables),
            };
            further.push(self.as_derivative_record(slope, wanted)?);
        }
        Some(further)
    }

    /// A derivative of higher order takes the last derivatives only: each of the others must be that of the one before.
    fn highest_order(&self, derivative: &Derivative, call: &Call, places: Vec<usize>) -> Option<Vec<usize>> {
        let order = derivative.order as usize;
        let each = places.len().checked_div(order).filter(|each| each * order == places.len())?;
        for (before, behind) in places.iter().zip(&places[each..]) {
            if call.slopes[*before].as_ref().map(unplaced) != Some(unplaced(&call.arguments[*behind])) {
                return None;
            }
        }
        Some(places[places.len() - each..].to_vec())
    }

    /// Whether the outputs of a derivative are those of the function that hold Reals.
    fn outputs_fit(&self, function: FunctionId, derivative: &Derivative) -> bool {
        let scalars = |id: FunctionId| {
            let outputs = self.tables.function(id).outputs().map(|(_, local)| local.ty.clone());
            outputs.filter(|ty| self.tables.holds_reals(ty)).collect::<Vec<Type>>()
        };
        let (own, others) = (scalars(function), scalars(derivative.function));
        own.len() == others.len()
            && own.iter().zip(&others).all(|(a, b)| a.scalar == b.scalar && a.dimensions() == b.dimensions())
    }

    /// A derivative in the type that is wanted: a record of the Reals alone where others are left out.
    fn as_derivative_record(&self, slope: Expr, wanted: &Type) -> Option<Expr> {
        if slope.ty.scalar == wanted.scalar {
            return Some(slope);
        }
        let (Scalar::Record(own), Scalar::Record(other)) = (slope.ty.scalar, wanted.scalar) else {
            return None;
        };
        if !slope.ty.is_scalar() {
            return None;
        }
        let kept: Vec<u32> = (self.tables.record(own).fields.iter().enumerate())
            .filter(|(_, field)| self.tables.holds_reals(&field.ty))
            .map(|(place, _)| place as u32)
            .collect();
        let types = self.tables.record(other).fields.iter().map(|field| field.ty.clone());
        let types: Vec<Type> = types.collect();
        if kept.len() != types.len() {
            return None;
        }
        let fields = kept
            .into_iter()
            .zip(&types)
            .map(|(place, ty)| self.as_derivative_record(field(slope.clone(), place, self.tables), ty));
        let fields = fields.collect::<Option<Vec<Expr>>>()?;
        let span = slope.span;
        Some(Expr { kind: ExprKind::Record(other, fields), ty: Type::scalar(wanted.scalar), span })
    }
}

impl Call<'_> {
    fn slope(&self, id: LocalId) -> Option<&Expr> {
        let place = self.inputs.iter().position(|(input, _)| *input == id)?;
        self.slopes.get(place)?.as_ref()
    }
}

fn applied(function: FunctionId, arguments: &[Expr], further: Vec<Expr>, e: &Expr) -> Expr {
    let arguments = arguments.iter().cloned().chain(further).collect();
    Expr { kind: ExprKind::Apply(function, arguments), ty: e.ty.clone(), span: e.span }
}

/// The expression as if it had been written elsewhere: to compare two of them.
fn unplaced(e: &Expr) -> Expr {
    fn moved(e: Expr, to: rhei_source::Span) -> Expr {
        let e = e.map_parts(&mut |part| moved(part, to));
        Expr { span: to, ..e }
    }
    moved(e.clone(), rhei_source::Span::new(rhei_source::FileId(0), 0, 0))
}
