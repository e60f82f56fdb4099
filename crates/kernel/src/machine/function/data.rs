//! Values in a function while it is translated, and where its components are.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::Variable;
use rhei_flat::{Expr, ExprKind, Local, LocalId, Scalar};

use super::{Body, MOST_ELEMENTS, Unfit};

/// What numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Real,
    /// Integers, and enumerations by their numbers.
    Whole,
    Truth,
}

impl Kind {
    pub(super) fn of(scalar: Scalar) -> Result<Kind, Unfit> {
        match scalar {
            Scalar::Real => Ok(Kind::Real),
            Scalar::Integer | Scalar::Enumeration(_) => Ok(Kind::Whole),
            Scalar::Boolean => Ok(Kind::Truth),
            _ => Err(Unfit),
        }
    }
}

/// A value: one number, or the elements of an array row by row.
#[derive(Clone, Debug)]
pub(super) struct Datum {
    pub(super) kind: Kind,
    pub(super) sizes: Vec<usize>,
    pub(super) elements: Vec<Value>,
}

impl Datum {
    pub(super) fn scalar(kind: Kind, value: Value) -> Datum {
        Datum { kind, sizes: Vec::new(), elements: vec![value] }
    }
}

/// Where a component is.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    Scalar { kind: Kind, variable: Variable },
    Array { kind: Kind, sizes: Vec<usize>, frame: StackSlot },
}

impl Storage {
    pub(super) fn sizes(&self) -> &[usize] {
        match self {
            Storage::Scalar { .. } => &[],
            Storage::Array { sizes, .. } => sizes,
        }
    }
}

/// What stands where nothing is assigned: not a number, and a whole number that nobody needs.
const UNASSIGNED: i64 = i64::MIN;

impl Body<'_, '_> {
    /// Makes room for a component.
    pub(super) fn declare(
        &mut self,
        id: LocalId,
        kind: Kind,
        sizes: Vec<usize>,
        is_assigned: bool,
    ) -> Result<(), Unfit> {
        let count: usize = sizes.iter().product();
        if count > MOST_ELEMENTS {
            return Err(Unfit);
        }
        let storage = if sizes.is_empty() {
            let variable = self.builder.declare_var(Self::machine_type(kind));
            Storage::Scalar { kind, variable }
        } else {
            let frame = self.frame(count);
            Storage::Array { kind, sizes: sizes.clone(), frame }
        };
        let scope = self.scopes.last_mut().ok_or(Unfit)?;
        scope.components[id.0 as usize] = Some(storage);
        if is_assigned {
            scope.assigned.insert(id);
        } else {
            let nothing = self.nothing(kind);
            self.put(id, &Datum { kind, sizes, elements: vec![nothing; count] })?;
            self.scopes.last_mut().ok_or(Unfit)?.assigned.remove(&id);
        }
        Ok(())
    }

    /// Room for an array on the stack.
    pub(super) fn frame(&mut self, count: usize) -> StackSlot {
        let bytes = (count.max(1) * 8) as u32;
        self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3))
    }

    fn nothing(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Real => self.builder.ins().f64const(f64::NAN),
            Kind::Whole => self.builder.ins().iconst(types::I64, UNASSIGNED),
            // a truth value beside the two
            Kind::Truth => self.builder.ins().iconst(types::I8, 2),
        }
    }

    fn storage(&self, id: LocalId) -> Result<Storage, Unfit> {
        let scope = self.scopes.last().ok_or(Unfit)?;
        scope.components[id.0 as usize].clone().ok_or(Unfit)
    }

    /// The sizes of a component.
    pub(super) fn sizes_of(&self, id: LocalId) -> Result<Vec<usize>, Unfit> {
        self.storage(id).map(|storage| storage.sizes().to_vec())
    }

    /// A whole component.
    pub(super) fn component(&mut self, id: LocalId) -> Result<Datum, Unfit> {
        let storage = self.storage(id)?;
        let datum = match storage {
            Storage::Scalar { kind, variable } => Datum::scalar(kind, self.builder.use_var(variable)),
            Storage::Array { kind, sizes, frame } => {
                let count = sizes.iter().product::<usize>();
                let elements = (0..count).map(|i| self.load(kind, frame, i as i32 * 8)).collect();
                Datum { kind, sizes, elements }
            }
        };
        if !self.scopes.last().is_some_and(|scope| scope.assigned.contains(&id)) {
            datum.elements.iter().for_each(|&element| self.refuse_nothing(datum.kind, element));
        }
        Ok(datum)
    }

    /// Assigns a whole component.
    pub(super) fn put(&mut self, id: LocalId, value: &Datum) -> Result<(), Unfit> {
        match self.storage(id)? {
            Storage::Scalar { variable, .. } => self.builder.def_var(variable, value.elements[0]),
            Storage::Array { kind, sizes, frame } => {
                if sizes != value.sizes {
                    return Err(Unfit);
                }
                for (i, &element) in value.elements.iter().enumerate() {
                    self.store(kind, element, frame, i as i32 * 8);
                }
            }
        }
        self.scopes.last_mut().ok_or(Unfit)?.assigned.insert(id);
        Ok(())
    }

    /// One element of a component, by its place from zero.
    pub(super) fn element(&mut self, id: LocalId, place: Value) -> Result<Datum, Unfit> {
        let Storage::Array { kind, frame, .. } = self.storage(id)? else { return Err(Unfit) };
        let element = self.element_of(kind, frame, place);
        if !self.scopes.last().is_some_and(|scope| scope.assigned.contains(&id)) {
            self.refuse_nothing(kind, element);
        }
        Ok(Datum::scalar(kind, element))
    }

    /// The same of an array in a frame.
    pub(super) fn element_of(&mut self, kind: Kind, frame: StackSlot, place: Value) -> Value {
        let address = self.element_address(frame, place);
        let ty = if kind == Kind::Real { types::F64 } else { types::I64 };
        let element = self.builder.ins().load(ty, MemFlagsData::trusted(), address, 0);
        if kind == Kind::Truth { self.builder.ins().ireduce(types::I8, element) } else { element }
    }

    pub(super) fn put_element(&mut self, id: LocalId, place: Value, value: &Datum) -> Result<(), Unfit> {
        let Storage::Array { kind, frame, .. } = self.storage(id)? else { return Err(Unfit) };
        let address = self.element_address(frame, place);
        let wide = self.widened(kind, value.elements[0]);
        self.builder.ins().store(MemFlagsData::trusted(), wide, address, 0);
        Ok(())
    }

    fn element_address(&mut self, frame: StackSlot, place: Value) -> Value {
        let start = self.builder.ins().stack_addr(self.target.pointer_type(), frame, 0);
        let offset = self.builder.ins().ishl_imm_u(place, 3);
        self.builder.ins().iadd(start, offset)
    }

    fn load(&mut self, kind: Kind, frame: StackSlot, offset: i32) -> Value {
        let ty = if kind == Kind::Real { types::F64 } else { types::I64 };
        let element = self.builder.ins().stack_load(self.target.pointer_type(), ty, frame, offset);
        if kind == Kind::Truth { self.builder.ins().ireduce(types::I8, element) } else { element }
    }

    pub(super) fn store(&mut self, kind: Kind, element: Value, frame: StackSlot, offset: i32) {
        let wide = self.widened(kind, element);
        self.builder.ins().stack_store(self.target.pointer_type(), wide, frame, offset);
    }

    /// As it stands in a frame: eight bytes.
    fn widened(&mut self, kind: Kind, element: Value) -> Value {
        if kind == Kind::Truth { self.builder.ins().uextend(types::I64, element) } else { element }
    }

    /// Gives up where nothing is assigned.
    fn refuse_nothing(&mut self, kind: Kind, element: Value) {
        let is_nothing = match kind {
            Kind::Real => self.builder.ins().fcmp(FloatCC::Unordered, element, element),
            _ => {
                let nothing = self.nothing(kind);
                self.builder.ins().icmp(IntCC::Equal, element, nothing)
            }
        };
        self.give_up_if(is_nothing);
    }

    /// A value where one of another kind is wanted: whole numbers become Reals.
    pub(super) fn conform(&mut self, datum: Datum, kind: Kind) -> Result<Datum, Unfit> {
        match (datum.kind, kind) {
            (from, to) if from == to => Ok(datum),
            (Kind::Whole, Kind::Real) => {
                let elements = datum.elements.iter().map(|&e| self.as_real(Kind::Whole, e)).collect();
                Ok(Datum { kind, elements, ..datum })
            }
            _ => Err(Unfit),
        }
    }

    /// A number as a Real.
    pub(super) fn as_real(&mut self, kind: Kind, element: Value) -> Value {
        match kind {
            Kind::Real => element,
            Kind::Whole => self.builder.ins().fcvt_from_sint(types::F64, element),
            Kind::Truth => {
                let wide = self.builder.ins().uextend(types::I32, element);
                self.builder.ins().fcvt_from_sint(types::F64, wide)
            }
        }
    }

    /// The size that a dimension of a component is declared with; nothing fits where only the run knows it.
    pub(super) fn declared_size(&mut self, local: &Local, dimension: usize) -> Result<usize, Unfit> {
        if let Some(size) = local.ty.sizes[dimension].known() {
            return Ok(size);
        }
        let Some(Some(e)) = local.sizes.get(dimension) else { return Err(Unfit) };
        usize::try_from(self.known_integer(e)?).map_err(|_| Unfit)
    }

    /// A whole number that does not depend on values.
    pub(super) fn known_integer(&self, e: &Expr) -> Result<i64, Unfit> {
        use rhei_flat::{Arithmetic, Builtin};
        match &e.kind {
            ExprKind::Integer(i) => Ok(*i),
            ExprKind::Negate(a) => self.known_integer(a)?.checked_neg().ok_or(Unfit),
            ExprKind::Arithmetic(op, a, b) => {
                let (a, b) = (self.known_integer(a)?, self.known_integer(b)?);
                let result = match op {
                    Arithmetic::Add => a.checked_add(b),
                    Arithmetic::Subtract => a.checked_sub(b),
                    Arithmetic::Multiply => a.checked_mul(b),
                    _ => None,
                };
                result.ok_or(Unfit)
            }
            ExprKind::Call(Builtin::Size, arguments) => match arguments.as_slice() {
                [Expr { kind: ExprKind::Local(id), .. }, dimension] => {
                    let dimension = usize::try_from(self.known_integer(dimension)? - 1).map_err(|_| Unfit)?;
                    self.sizes_of(*id)?.get(dimension).map(|&size| size as i64).ok_or(Unfit)
                }
                _ => Err(Unfit),
            },
            _ => Err(Unfit),
        }
    }
}
