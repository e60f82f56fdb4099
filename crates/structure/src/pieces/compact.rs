//! A mode with a pool of its own: kept for long, it must not hold the expressions of all other modes.

use rhei_equations::{Copied, Dae, ExprId, Pool};
use rhei_solvable::{Block, ImpulseRow, Solvable};

/// A pool with the expressions of one mode only, to which its equations and their solved form refer from now on. `all` is that of all
/// modes, to which they referred, and has grown from `common`.
pub(super) fn compact(all: &Pool, equations: &mut Dae, solvable: &mut Solvable, common: &Pool) -> Pool {
    let mut own = Compact { from: all, pool: common.clone(), copied: Copied::beyond(common.len()) };
    for equation in &mut equations.equations {
        own.all([&mut equation.lhs, &mut equation.rhs]);
    }
    for variable in &mut equations.variables {
        let attributes = [&mut variable.start, &mut variable.min, &mut variable.max, &mut variable.nominal];
        own.all(attributes.into_iter().flatten());
    }
    for set in &mut solvable.sets {
        own.all(set.jacobian.iter_mut().flatten().map(|(_, e)| e));
        own.all(&mut set.manifold.residuals);
        own.all(set.manifold.jacobian.iter_mut().flatten().map(|(_, e)| e));
    }
    for assumption in &mut solvable.assumptions {
        own.all(assumption.jacobian.iter_mut().flatten().map(|(_, e)| e));
    }
    let impulses = &mut solvable.impulses;
    impulses.rows.iter_mut().for_each(|row| own.impulses(row));
    impulses.following.iter_mut().for_each(|(_, row)| own.impulses(row));
    own.all(impulses.proportions.iter_mut().map(|(_, e)| e));
    solvable.continuous.iter_mut().for_each(|block| own.block(block));
    solvable.event.iter_mut().for_each(|block| own.block(block));
    own.pool
}

struct Compact<'a> {
    from: &'a Pool,
    pool: Pool,
    copied: Copied,
}

impl Compact<'_> {
    fn all<'a>(&mut self, all: impl IntoIterator<Item = &'a mut ExprId>) {
        let Compact { from, pool, copied } = self;
        all.into_iter().for_each(|e| *e = pool.copy(from, *e, copied, |v| v));
    }

    fn impulses(&mut self, row: &mut ImpulseRow) {
        self.all(row.jumps.iter_mut().map(|(_, e)| e));
        self.all(row.impulses.iter_mut().map(|(_, e)| e));
    }

    fn block(&mut self, block: &mut Block) {
        match block {
            Block::Assign(assignment) => self.all([&mut assignment.value]),
            Block::Solve(torn) => {
                self.all(torn.following.iter_mut().map(|assignment| &mut assignment.value));
                self.all(torn.residuals.iter_mut().map(|residual| &mut residual.value));
                self.all(&mut torn.balance);
            }
            Block::Settle(settle) => settle.blocks.iter_mut().for_each(|block| self.block(block)),
        }
    }
}
