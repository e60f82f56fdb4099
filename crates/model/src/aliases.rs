//! Recorded variables that repeat others: `y = x`, `z = -y`.

use rhei_equations::{Node, Pool, VarId};
use rhei_results::{Alias, Columns, Kind};
use rhei_solvable::{Block, Solvable};
use rustc_hash::FxHashMap;

/// Marks the columns whose variable is computed as that of a column before, or as its negative.
pub fn mark_aliases(pool: &Pool, solvable: &Solvable, columns: &mut Columns, variables: &[VarId]) {
    // Aliases of one mode need not be aliases in another.
    if !solvable.mode.guards.is_empty() {
        return;
    }
    let same = copies(pool, solvable);
    let mut first: FxHashMap<(VarId, Kind), (usize, bool)> = FxHashMap::default();
    for (index, &v) in variables.iter().enumerate() {
        let (original, negated) = same.get(&v).copied().unwrap_or((v, false));
        let known = first.entry((original, columns[index].kind)).or_insert((index, negated));
        if known.0 != index {
            columns.set_alias(index, Alias { of: known.0, negated: negated != known.1 });
        }
    }
}

/// Every variable that is a copy, with its original and whether it is the negative of that.
///
/// Blocks are in the order of evaluation: an original that is a copy itself is known by then.
fn copies(pool: &Pool, solvable: &Solvable) -> FxHashMap<VarId, (VarId, bool)> {
    let mut same = FxHashMap::default();
    let computed = solvable.continuous.iter().filter_map(|block| match block {
        Block::Assign(assignment) => Some(assignment),
        _ => None,
    });
    for assignment in computed.chain(&solvable.aliases) {
        let (of, negated) = match pool.node(assignment.value) {
            Node::Variable(v) => (v, false),
            Node::Negate(inner) => match pool.node(inner) {
                Node::Variable(v) => (v, true),
                _ => continue,
            },
            _ => continue,
        };
        let (original, original_negated) = same.get(&of).copied().unwrap_or((of, false));
        same.insert(assignment.target, (original, negated != original_negated));
    }
    same
}
