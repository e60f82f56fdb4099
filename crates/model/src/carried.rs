//! The common variables of two modes. They are determined once for two modes, and kept with the one that is entered.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use rhei_equations::{Equations, VarId};
use rustc_hash::FxHashMap;

use crate::CompiledModel;

/// The common variables of two modes of a model.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Number of leading variables that both share.
    pub n_common: usize,
    /// The common ones among those that index reduction has added: in the mode that is left, and in the one that is entered.
    pub further: Vec<(VarId, VarId)>,
}

impl Carried {
    fn new(left: &Equations, entered: &Equations) -> Carried {
        let pairs = left.variables.iter().zip(&entered.variables);
        let n_common = pairs.take_while(|(a, b)| a.name == b.name).count();
        let further = left.iter_variables().skip(n_common);
        let by_name: FxHashMap<&str, VarId> =
            further.map(|(v, variable)| (variable.name.as_str(), v)).collect();
        let further = entered.iter_variables().skip(n_common);
        let further = further.filter_map(|(v, variable)| Some((*by_name.get(variable.name.as_str())?, v)));
        Carried { n_common, further: further.collect() }
    }

    /// Takes over the values of these variables.
    pub fn copy(&self, left: &[f64], entered: &mut [f64]) {
        entered[..self.n_common].copy_from_slice(&left[..self.n_common]);
        for (before, now) in &self.further {
            entered[now.index()] = left[before.index()];
        }
    }
}

/// The common variables with the modes that a mode was entered from.
#[derive(Debug, Default)]
pub(crate) struct KnownCarried(Mutex<Vec<(Weak<CompiledModel>, Arc<Carried>)>>);

impl CompiledModel {
    /// The common variables with the mode that is left for this one.
    pub fn carried_from(&self, left: &Arc<CompiledModel>) -> Arc<Carried> {
        let mut known = self.carried.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_of_left = |(of, _): &&(Weak<CompiledModel>, _)| std::ptr::eq(of.as_ptr(), Arc::as_ptr(left));
        if let Some((_, carried)) = known.iter().find(is_of_left) {
            return carried.clone();
        }
        // modes that are no longer kept are forgotten here, too
        known.retain(|(of, _)| of.strong_count() > 0);
        let carried = Arc::new(Carried::new(&left.equations, &self.equations));
        known.push((Arc::downgrade(left), carried.clone()));
        carried
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    fn with_variables(names: &[&str]) -> Equations {
        let declared: String = names.iter().map(|name| format!("  unknown {name}\n")).collect();
        read(&format!("model M\n{declared}equation\n")).unwrap()
    }

    #[test]
    fn what_was_added_in_another_order_is_found_again() {
        let left = with_variables(&["x", "y", "a", "b", "c"]);
        let entered = with_variables(&["x", "y", "b", "d", "a"]);
        let carried = Carried::new(&left, &entered);
        let further = vec![(VarId(3), VarId(2)), (VarId(2), VarId(4))];
        assert_eq!(carried, Carried { n_common: 2, further });
        let mut values = [0.0; 5];
        carried.copy(&[1.0, 2.0, 3.0, 4.0, 5.0], &mut values);
        assert_eq!(values, [1.0, 2.0, 4.0, 0.0, 3.0]);
    }
}
