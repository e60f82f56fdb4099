//! Functions of the model as machine code: for calls with numbers and arrays of known sizes.
//!
//! Components that are scalars live in registers, arrays in a frame on the stack: a call takes no memory. Called functions are
//! put in place. What machine code cannot do in the ordinary way (a division by zero, a subscript out of bounds, a broken assert, a
//! component without a value, too much work) it does not do: it gives the call back, and the interpreter does all of it and says
//! what is wrong. A function that speaks of more than numbers stays with the interpreter altogether.

mod data;
mod formulas;
mod statements;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    self, AbiParam, Block, InstBuilder, MemFlagsData, Signature, Type, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use rhei_equations::Shape;
use rhei_flat::{Function, FunctionId, IteratorId, LocalId, LocalKind, Tables};
use rustc_hash::{FxHashMap, FxHashSet};

use self::data::{Datum, Kind, Storage};
use super::translate::{Caller, Unfit};

/// Steps of work, as the interpreter counts them at most: what takes more is given back to it.
const STEPS: i64 = 20_000_000;
/// Expressions and statements that are translated for one function, at most.
const MOST_NODES: usize = 20_000;
/// Elements of an array that are computed one by one, at most.
const MOST_ELEMENTS: usize = 256;

/// The type of such a function: operands, results and helpers in, whether it gave up out.
pub(super) fn signature(target: &TargetFrontendConfig) -> Signature {
    let mut signature = Signature::new(target.default_call_conv);
    signature.params.extend([AbiParam::new(target.pointer_type()); 3]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// A call of a function with arguments of these shapes, whose results are so many numbers.
pub(super) fn translate(
    tables: &Tables,
    id: FunctionId,
    arguments: &[Shape],
    n_results: usize,
    target: TargetFrontendConfig,
    rounds: bool,
    context: &mut FunctionBuilderContext,
) -> Result<ir::Function, Unfit> {
    let mut function = ir::Function::new();
    function.signature = signature(&target);
    let mut builder = FunctionBuilder::new(&mut function, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[operands, results, helpers] = builder.block_params(entry) else { return Err(Unfit) };
    let give_up = builder.create_block();
    let left = builder.declare_var(types::I64);
    let steps = builder.ins().iconst(types::I64, STEPS);
    builder.def_var(left, steps);
    let mut body = Body {
        tables,
        builder,
        caller: Caller::new(helpers, target),
        target,
        rounds,
        give_up,
        left,
        nodes: 0,
        scopes: Vec::new(),
        iterators: FxHashMap::default(),
        is_over: false,
    };
    let mut place = 0;
    let mut given = Vec::with_capacity(arguments.len());
    for shape in arguments {
        given.push(body.argument(shape, operands, &mut place)?);
    }
    let outputs = body.call(id, given)?;
    body.finish(&outputs, results, n_results)?;
    Ok(function)
}

/// The function being put in place.
struct Scope {
    id: FunctionId,
    /// By [`LocalId`]; none where it has no value yet.
    components: Vec<Option<Storage>>,
    /// Components that have a value on every way to here.
    assigned: FxHashSet<LocalId>,
    /// Where `return` goes.
    exit: Block,
    /// Where `break` goes, of the loops around.
    breaks: Vec<Block>,
}

struct Body<'a, 'f> {
    tables: &'a Tables,
    builder: FunctionBuilder<'f>,
    caller: Caller,
    target: TargetFrontendConfig,
    rounds: bool,
    give_up: Block,
    /// Steps that are left.
    left: Variable,
    nodes: usize,
    scopes: Vec<Scope>,
    iterators: FxHashMap<IteratorId, Value>,
    /// Whether no way leads to the next statement.
    is_over: bool,
}

impl<'a> Body<'a, '_> {
    /// An argument, from the numbers it is made of.
    fn argument(&mut self, shape: &Shape, operands: Value, place: &mut i32) -> Result<Datum, Unfit> {
        let Shape::Numbers { scalar, sizes } = shape else { return Err(Unfit) };
        let kind = Kind::of(*scalar)?;
        let count: usize = sizes.iter().product();
        if count > MOST_ELEMENTS {
            return Err(Unfit);
        }
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            let number = self.builder.ins().load(types::F64, MemFlagsData::trusted(), operands, *place * 8);
            *place += 1;
            self.refuse_no_number(number);
            elements.push(match kind {
                Kind::Real => number,
                Kind::Whole => self.whole_exactly(number),
                Kind::Truth => {
                    let zero = self.builder.ins().f64const(0.0);
                    self.builder.ins().fcmp(FloatCC::NotEqual, number, zero)
                }
            });
        }
        Ok(Datum { kind, sizes: sizes.clone(), elements })
    }

    /// A call: the function in place of it. All its outputs.
    fn call(&mut self, id: FunctionId, arguments: Vec<Datum>) -> Result<Vec<Datum>, Unfit> {
        let function = self.tables.function(id);
        let is_recursive = self.scopes.iter().any(|scope| scope.id == id);
        if is_recursive || function.external.is_some() || function.is_impure {
            return Err(Unfit);
        }
        let exit = self.builder.create_block();
        let components = vec![None; function.locals.len()];
        let (assigned, breaks) = (FxHashSet::default(), Vec::new());
        self.scopes.push(Scope { id, components, assigned, exit, breaks });
        self.bind_components(function, arguments)?;
        self.statements(&function.body)?;
        if !self.is_over {
            self.builder.ins().jump(exit, &[]);
        }
        self.is_over = false;
        self.builder.switch_to_block(exit);
        let scope = self.scopes.last_mut().ok_or(Unfit)?;
        // there may be ways to here on which an output was not assigned
        scope.assigned.clear();
        let outputs = function.outputs().map(|(id, _)| self.component(id)).collect();
        self.scopes.pop();
        outputs
    }

    /// Gives inputs their arguments, and other components the values they are declared with.
    fn bind_components(&mut self, function: &'a Function, arguments: Vec<Datum>) -> Result<(), Unfit> {
        let mut arguments = arguments.into_iter();
        let ids = || (0..function.locals.len() as u32).map(LocalId);
        for id in ids().filter(|&id| function.local(id).kind == LocalKind::Input) {
            let Some(argument) = arguments.next() else { break };
            let local = function.local(id);
            let kind = Kind::of(local.ty.scalar)?;
            if argument.sizes.len() != local.ty.dimensions() {
                return Err(Unfit);
            }
            let argument = self.conform(argument, kind)?;
            self.declare(id, kind, argument.sizes.clone(), true)?;
            self.put(id, &argument)?;
        }
        for id in ids() {
            if self.scopes.last().ok_or(Unfit)?.components[id.0 as usize].is_some() {
                continue;
            }
            let local = function.local(id);
            let kind = Kind::of(local.ty.scalar)?;
            match &local.binding {
                Some(binding) => {
                    let value = self.datum(binding)?;
                    let value = self.conform(value, kind)?;
                    self.refuse_no_numbers(&value);
                    let dimensions = local.ty.dimensions();
                    if value.sizes.len() != dimensions {
                        return Err(Unfit);
                    }
                    self.declare(id, kind, value.sizes.clone(), true)?;
                    self.put(id, &value)?;
                }
                None if local.kind == LocalKind::Input => return Err(Unfit),
                None => {
                    let dimensions = 0..local.ty.dimensions();
                    let sizes =
                        dimensions.map(|d| self.declared_size(local, d)).collect::<Result<_, Unfit>>()?;
                    self.declare(id, kind, sizes, false)?;
                }
            }
        }
        // sizes that inputs and bound components are declared with
        for id in ids() {
            let local = function.local(id);
            let sizes = self.scopes.last().and_then(|scope| scope.components[id.0 as usize].as_ref());
            let sizes = sizes.map(|storage| storage.sizes().to_vec()).ok_or(Unfit)?;
            for (dimension, size) in sizes.into_iter().enumerate() {
                let is_open = local.ty.sizes[dimension].known().is_none()
                    && local.sizes.get(dimension).is_none_or(|size| size.is_none());
                if !is_open && self.declared_size(local, dimension)? != size {
                    return Err(Unfit);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, outputs: &[Datum], results: Value, n_results: usize) -> Result<(), Unfit> {
        let elements: Vec<(Kind, Value)> = outputs
            .iter()
            .flat_map(|output| output.elements.iter().map(move |&element| (output.kind, element)))
            .collect();
        if elements.len() != n_results {
            return Err(Unfit);
        }
        for (place, (kind, element)) in elements.into_iter().enumerate() {
            let number = self.as_real(kind, element);
            self.builder.ins().store(MemFlagsData::trusted(), number, results, place as i32 * 8);
        }
        let fine = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().return_(&[fine]);
        self.builder.switch_to_block(self.give_up);
        let gave_up = self.builder.ins().iconst(types::I32, 1);
        self.builder.ins().return_(&[gave_up]);
        self.builder.seal_all_blocks();
        self.builder.finalize(self.target);
        Ok(())
    }

    // ── giving up ──

    /// Gives up where a condition holds.
    fn give_up_if(&mut self, condition: Value) {
        let go_on = self.builder.create_block();
        self.builder.ins().brif(condition, self.give_up, &[], go_on, &[]);
        self.builder.switch_to_block(go_on);
    }

    /// The interpreter fails where an operation makes what is not a number; here that is noticed before it could get lost.
    fn refuse_no_number(&mut self, real: Value) {
        let is_none = self.builder.ins().fcmp(FloatCC::Unordered, real, real);
        self.give_up_if(is_none);
    }

    fn refuse_no_numbers(&mut self, datum: &Datum) {
        if datum.kind == Kind::Real {
            datum.elements.iter().for_each(|&element| self.refuse_no_number(element));
        }
    }

    /// A Real that is whole, as a whole number.
    fn whole_exactly(&mut self, number: Value) -> Value {
        let whole = self.round(super::helpers::Helper::Truncate, number);
        let differs = self.builder.ins().fcmp(FloatCC::NotEqual, whole, number);
        self.give_up_if(differs);
        self.builder.ins().fcvt_to_sint_sat(types::I64, number)
    }

    /// Takes steps from what is left.
    fn charge(&mut self, steps: usize) {
        let left = self.builder.use_var(self.left);
        let left = self.builder.ins().iadd_imm_s(left, -(steps as i64));
        self.builder.def_var(self.left, left);
        let zero = self.builder.ins().iconst(types::I64, 0);
        let is_spent = self.builder.ins().icmp(IntCC::SignedLessThan, left, zero);
        self.give_up_if(is_spent);
    }

    /// Counts what is translated.
    fn count(&mut self) -> Result<(), Unfit> {
        self.nodes += 1;
        if self.nodes > MOST_NODES { Err(Unfit) } else { Ok(()) }
    }

    fn machine_type(kind: Kind) -> Type {
        match kind {
            Kind::Real => types::F64,
            Kind::Whole => types::I64,
            Kind::Truth => types::I8,
        }
    }
}
