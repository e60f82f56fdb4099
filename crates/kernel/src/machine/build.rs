//! Functions of Cranelift to memory that can be executed.

use std::sync::{Arc, OnceLock};

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable, Flags};
use cranelift_codegen::{Context, ir};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use rayon::prelude::*;
use rhei_evaluate::translated::Translated;
use rhei_flat::Scalar;

use super::families::{Item, Plan};
use super::function;
use super::translate::{Task, Unfit, signature, translate};
use crate::program::Program;

/// The effort of optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Little: for short runs.
    Fast,
    /// More, for long ones.
    Optimising,
}

/// Approximate number of instructions in one function: Cranelift takes more time an instruction for long functions.
const INSTRUCTIONS: usize = 1000;
/// Least number of functions that is worth several threads.
const WORTH_THREADS: usize = 4;

/// Cranelift for this machine; none if it does not support it.
fn isa(effort: Effort) -> Option<Arc<dyn TargetIsa>> {
    static KNOWN: [OnceLock<Option<Arc<dyn TargetIsa>>>; 2] = [OnceLock::new(), OnceLock::new()];
    let make = || {
        let mut flags = settings::builder();
        let (opt_level, allocator) = match effort {
            Effort::Fast => ("none", "single_pass"),
            Effort::Optimising => ("speed", "backtracking"),
        };
        let verify = if cfg!(debug_assertions) { "true" } else { "false" };
        let chosen = [
            ("opt_level", opt_level),
            ("regalloc_algorithm", allocator),
            ("enable_verifier", verify),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("unwind_info", "false"),
        ];
        for (name, value) in chosen {
            flags.set(name, value).ok()?;
        }
        cranelift_native::builder().ok()?.finish(Flags::new(flags)).ok()
    };
    KNOWN[effort as usize].get_or_init(make).clone()
}

/// Whether floor, ceil and trunc are instructions.
fn rounds() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    return true;
}

/// Whether there are instructions for two numbers at once, and Cranelift uses them.
fn has_pairs() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}

/// The functions of a plan, in a module of their own.
pub(crate) fn build(
    program: &Program,
    plan: &Plan,
    values: &[f64],
    with_changes: bool,
    effort: Effort,
) -> Result<(JITModule, Vec<FuncId>), Unfit> {
    let isa = isa(effort).ok_or(Unfit)?;
    let target = isa.frontend_config();
    let task = Task { program, plan, values, with_changes, rounds: rounds(), has_pairs: has_pairs(), target };
    let parts = parts(plan);
    let compile = |context: &mut (Context, FunctionBuilderContext), part: &&[Item]| {
        compile(&task, part, &*isa, &mut context.0, &mut context.1)
    };
    let contexts = || (Context::new(), FunctionBuilderContext::new());
    let compiled: Vec<Result<Bytes, Unfit>> = if parts.len() < WORTH_THREADS {
        let mut context = contexts();
        parts.iter().map(|part| compile(&mut context, part)).collect()
    } else {
        parts.par_iter().map_init(contexts, compile).collect()
    };
    link(&isa, compiled, &signature(&target))
}

/// Functions in a module of their own, ready to be called.
fn link(
    isa: &Arc<dyn TargetIsa>,
    compiled: Vec<Result<Bytes, Unfit>>,
    signature: &ir::Signature,
) -> Result<(JITModule, Vec<FuncId>), Unfit> {
    let mut module = JITModule::new(JITBuilder::with_isa(isa.clone(), default_libcall_names()));
    let defined = define(&mut module, compiled, signature);
    match defined.and_then(|ids| module.finalize_definitions().map(|()| ids).map_err(|_| Unfit)) {
        Ok(ids) => Ok((module, ids)),
        Err(unfit) => {
            // SAFETY: no address of the module is known to anybody
            unsafe { module.free_memory() };
            Err(unfit)
        }
    }
}

/// The routines of a function of the model, in a module of their own: the function itself first, then those it calls.
pub(crate) fn build_function(
    translated: &Translated,
    plan: &function::Plan,
    operands: &[Scalar],
) -> Result<(JITModule, Vec<FuncId>), Unfit> {
    let isa = isa(Effort::Optimising).ok_or(Unfit)?;
    let target = isa.frontend_config();
    let compile = |context: &mut (Context, FunctionBuilderContext), routine: &usize| {
        context.0.clear();
        let made =
            function::translate(translated, plan, *routine, operands, target, rounds(), &mut context.1);
        context.0.func = made.inspect_err(|_| context.1 = FunctionBuilderContext::new())?;
        emit(&*isa, &mut context.0)
    };
    let contexts = || (Context::new(), FunctionBuilderContext::new());
    let compiled: Vec<Result<Bytes, Unfit>> = if plan.called.len() < WORTH_THREADS {
        let mut context = contexts();
        plan.called.iter().map(|routine| compile(&mut context, routine)).collect()
    } else {
        plan.called.par_iter().map_init(contexts, compile).collect()
    };
    link(&isa, compiled, &function::signature(&target))
}

/// The items of a plan, in parts that are one function each.
fn parts(plan: &Plan) -> Vec<&[Item]> {
    let mut parts = Vec::new();
    let (mut begin, mut length) = (0, 0);
    for (i, item) in plan.items.iter().enumerate() {
        length += item.n_instructions();
        if length >= INSTRUCTIONS {
            parts.push(&plan.items[begin..=i]);
            (begin, length) = (i + 1, 0);
        }
    }
    if begin < plan.items.len() {
        parts.push(&plan.items[begin..]);
    }
    parts
}

/// The bytes of a function, and how they are to be aligned.
struct Bytes {
    bytes: Vec<u8>,
    alignment: u64,
}

fn compile(
    task: &Task<'_>,
    items: &[Item],
    isa: &dyn TargetIsa,
    context: &mut Context,
    builder: &mut FunctionBuilderContext,
) -> Result<Bytes, Unfit> {
    context.clear();
    context.func = translate(task, items, builder).inspect_err(|_| {
        // it holds a function that was begun
        *builder = FunctionBuilderContext::new();
    })?;
    emit(isa, context)
}

/// The function of a context as bytes.
fn emit(isa: &dyn TargetIsa, context: &mut Context) -> Result<Bytes, Unfit> {
    let compiled = context.compile(isa, &mut ControlPlane::default()).map_err(|_| Unfit)?;
    // helpers come through a table: there is nothing to be linked
    if !compiled.buffer.relocs().is_empty() {
        return Err(Unfit);
    }
    let alignment = u64::from(compiled.buffer.alignment);
    Ok(Bytes { bytes: compiled.code_buffer().to_vec(), alignment })
}

fn define(
    module: &mut dyn Module,
    compiled: Vec<Result<Bytes, Unfit>>,
    signature: &ir::Signature,
) -> Result<Vec<FuncId>, Unfit> {
    let mut ids = Vec::with_capacity(compiled.len());
    for function in compiled {
        let Bytes { bytes, alignment } = function?;
        let id = module.declare_anonymous_function(signature).map_err(|_| Unfit)?;
        module.define_function_bytes(id, alignment, &bytes, &[]).map_err(|_| Unfit)?;
        ids.push(id);
    }
    Ok(ids)
}
