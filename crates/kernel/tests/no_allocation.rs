//! Evaluations take no memory: neither values nor changes, neither as machine code nor interpreted.

#![allow(unsafe_code)] // an allocator that counts is one

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::sync::Arc;

use rhei_equations::read;
use rhei_kernel::{Execution, Functions, compile};
use rhei_solvable::Mode;
use rhei_structure::make_solvable;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts how often this thread takes memory.
struct Counting;

// SAFETY: everything is left to the system's allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller's promises are those that are asked for
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn taken(work: impl FnOnce()) -> u64 {
    let before = TAKEN.get();
    work();
    TAKEN.get() - before
}

#[test]
fn evaluations_take_no_memory() {
    let n = 100;
    let mut text = String::from("model Rod\n");
    for i in 0..n {
        let _ = writeln!(text, "  unknown t{i}(start = {i}, fixed)\n  derivative der(t{i})");
    }
    text.push_str("equation\n");
    for i in 0..n {
        let (left, right) = ((i + n - 1) % n, (i + 1) % n);
        let _ = writeln!(
            text,
            "  der(t{i}) = sin(t{left}) - 2*t{i} + t{right}^2 + (if t{i} > {i} then sqrt(t{i}) else 0)"
        );
    }
    let (made, _) = make_solvable(&read(&text).unwrap(), &Mode::default());
    let (equations, solvable) = made.unwrap();
    let code = compile(&equations, &solvable);
    for execution in [Execution::Interpreted, Execution::Machine, Execution::Adaptive] {
        let functions = Functions::new(Arc::default()).with_execution(execution);
        let mut values = code.new_values();
        values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = 0.5);
        let mut changes = vec![0.0; values.len()];
        let steps = &code.dynamic.steps;
        let mut evaluate = || {
            for step in steps {
                let rhei_kernel::Step::Run(program) = step else { panic!("there are no loops") };
                program.run(&mut values, &functions).unwrap();
                changes[0] = 1.0;
                program.propagate(&mut values, &mut changes, &functions);
            }
        };
        assert!(taken(|| drop(Vec::<u8>::with_capacity(1))) > 0, "memory is counted");
        evaluate();
        assert_eq!(taken(|| (0..100).for_each(|_| evaluate())), 0, "{execution:?}");
    }
}
