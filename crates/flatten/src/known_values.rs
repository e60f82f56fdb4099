//! Values known before the run: constants, and parameters with a value.

use std::cell::{Cell, RefCell};

use rhei_evaluate::{ArrayValue, Budget, Environment, Failure, Value};
use rhei_flat::{Expr, IteratorId, Tables, VarId, Variability, Variable};
use rhei_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Evaluates expressions over the variables of an instance, and remembers the parameters it used: they shape the model.
pub(crate) struct KnownValues<'a> {
    variables: &'a [Variable],
    tables: &'a Tables,
    values: RefCell<FxHashMap<VarId, Value>>,
    /// Being evaluated: who asks now closes a circle.
    under: RefCell<FxHashSet<VarId>>,
    used: RefCell<FxHashSet<VarId>>,
    iterators: RefCell<FxHashMap<IteratorId, Value>>,
    /// Whether only values that cannot be changed any more count as known.
    fixed_only: Cell<bool>,
    /// Whether parameters that are asked for may still be changed.
    only_looking: Cell<bool>,
}

impl Environment for KnownValues<'_> {
    fn tables(&self) -> &Tables {
        self.tables
    }

    fn variable(&self, v: VarId, span: Span, budget: &mut Budget) -> Result<Value, Failure> {
        let variable = &self.variables[v.index()];
        let fixed = variable.structural || variable.variability == Variability::Constant;
        let usable = variable.variability <= Variability::Parameter && (fixed || !self.fixed_only.get());
        let binding = variable.binding.as_ref().or(variable.attributes.start.as_ref());
        let (true, Some(binding)) = (usable, binding) else {
            let what = variable.name.to_string().into();
            return Err(Failure::NotConstant { what, span });
        };
        if let Some(value) = self.values.borrow().get(&v) {
            self.note(v);
            return Ok(value.clone());
        }
        if !self.under.borrow_mut().insert(v) {
            let what = variable.name.to_string().into();
            return Err(Failure::NotConstant { what, span });
        }
        let value = rhei_evaluate::evaluate(binding, self, budget);
        self.under.borrow_mut().remove(&v);
        let value = for_all_elements(value?.conform(variable.ty.scalar, self.tables), variable);
        self.values.borrow_mut().insert(v, value.clone());
        self.note(v);
        Ok(value)
    }

    fn iterator(&self, iterator: IteratorId) -> Option<Value> {
        self.iterators.borrow().get(&iterator).cloned()
    }
}

/// A scalar that an array is declared with stands for every element.
fn for_all_elements(value: Value, variable: &Variable) -> Value {
    match variable.ty.known_sizes() {
        Some(sizes) if !sizes.is_empty() && value.sizes().is_empty() => {
            let count = sizes.iter().product();
            ArrayValue::new(variable.ty.scalar, sizes, vec![value; count]).into()
        }
        _ => value,
    }
}

impl<'a> KnownValues<'a> {
    pub(crate) fn new(variables: &'a [Variable], tables: &'a Tables) -> Self {
        KnownValues {
            variables,
            tables,
            values: RefCell::default(),
            under: RefCell::default(),
            used: RefCell::default(),
            iterators: RefCell::default(),
            fixed_only: Cell::new(false),
            only_looking: Cell::new(false),
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&self, e: &Expr) -> Result<Value, Failure> {
        rhei_evaluate::evaluate(e, self, &mut Budget::default())
    }

    /// The value if it depends on nothing that can still be changed.
    pub(crate) fn fixed_value(&self, e: &Expr) -> Option<Value> {
        self.fixed_only.set(true);
        let value = self.value(e);
        self.fixed_only.set(false);
        value.ok()
    }

    /// The value of a variable where it is known; parameters that it is made of may still be changed.
    pub(crate) fn current_value(&self, v: VarId, span: Span) -> Option<Value> {
        self.only_looking.set(true);
        let value = self.variable(v, span, &mut Budget::default()).ok();
        self.only_looking.set(false);
        value
    }

    fn note(&self, v: VarId) {
        if !self.only_looking.get() {
            self.used.borrow_mut().insert(v);
        }
    }

    /// The elements that an iterator runs through.
    pub(crate) fn range(&self, range: &Expr) -> Result<Vec<Value>, Failure> {
        Ok(self.value(range)?.elements().to_vec())
    }

    /// Sets the value of an iterator of a loop around.
    pub(crate) fn set_iterator(&self, iterator: IteratorId, value: Value) {
        self.iterators.borrow_mut().insert(iterator, value);
    }

    /// Leaves the loop.
    pub(crate) fn forget_iterator(&self, iterator: IteratorId) {
        self.iterators.borrow_mut().remove(&iterator);
    }

    /// The variables whose values shaped the model.
    pub(crate) fn into_used(self) -> FxHashSet<VarId> {
        self.used.into_inner()
    }
}
