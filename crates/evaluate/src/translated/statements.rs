//! Statements to instructions.

use rhei_flat::{Builtin, Expr, ExprKind, Iteration, Relation, Scalar, Statement, StatementKind};

use super::functions::{Operand, Translator};
use super::layout::Layout;
use super::program::Op;

impl Translator<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Option<()> {
        for statement in statements {
            self.statement(statement)?;
            self.forget_temporaries();
        }
        Some(())
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match &statement.kind {
            StatementKind::Assign(target, value) => self.assign(target, value),
            StatementKind::AssignResults(targets, call) => {
                let outputs = match &call.kind {
                    ExprKind::Apply(function, arguments) => self.call(*function, arguments)?,
                    ExprKind::ApplyLocal(local, arguments) => self.call_local(*local, arguments)?,
                    _ => return None,
                };
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.store(target, &output)?;
                    }
                }
                Some(())
            }
            StatementKind::Call(call) => self.perform(call),
            StatementKind::If(branches, otherwise) => self.branches(branches, otherwise),
            StatementKind::For(iteration, body) => self.for_loop(iteration, body),
            StatementKind::While(condition, body) => {
                let begin = self.here();
                let condition = self.truth(condition)?;
                let leave = self.jump(|to| Op::JumpUnless(condition.at, to));
                self.forget_temporaries();
                self.ops.push(Op::Turn);
                self.breaks.push(vec![leave]);
                self.statements(body)?;
                self.ops.push(Op::Jump(begin as u32));
                self.bind_breaks()
            }
            StatementKind::When(_) => None,
            StatementKind::Break => {
                let jump = self.jump(Op::Jump);
                self.breaks.last_mut()?.push(jump);
                Some(())
            }
            StatementKind::Return => {
                let jump = self.jump(Op::Jump);
                self.returns.push(jump);
                Some(())
            }
        }
    }

    /// A call for its effect; the interpreter reports an `assert` that fails.
    fn perform(&mut self, call: &Expr) -> Option<()> {
        match &call.kind {
            ExprKind::Call(Builtin::Assert, arguments) => {
                let condition = self.truth(arguments.first()?)?;
                let holds = self.jump(|to| Op::JumpIf(condition.at, to));
                self.ops.push(Op::GiveUp);
                self.bind(holds);
                Some(())
            }
            ExprKind::Apply(function, arguments) => {
                // with texts, or with effects that only the interpreter has
                let n_ops = self.ops.len();
                if self.call(*function, arguments).is_none() {
                    self.ops.truncate(n_ops);
                    self.ops.push(Op::GiveUp);
                }
                Some(())
            }
            _ => None,
        }
    }

    pub(super) fn assign(&mut self, target: &Expr, value: &Expr) -> Option<()> {
        let value = self.expression(value)?;
        if let ExprKind::Local(local) = target.kind
            && value.layout.scalar().is_some()
            && self.locals[local.0 as usize].1.scalar().is_some()
            && self.label < self.ops.len()
        {
            // the last instruction writes its result into the target directly
            let (to, is_temporary) = (self.locals[local.0 as usize].0, self.is_temporary(&value));
            if let Some(result) = self.ops.last_mut().and_then(Op::result_mut)
                && *result == value.at
                && is_temporary
            {
                *result = to;
                return Some(());
            }
        }
        self.store(target, &value)
    }

    fn branches(&mut self, branches: &[(Expr, Vec<Statement>)], otherwise: &[Statement]) -> Option<()> {
        let mut ends = Vec::new();
        for (condition, body) in branches {
            let condition = self.truth(condition)?;
            let skip = self.jump(|to| Op::JumpUnless(condition.at, to));
            self.forget_temporaries();
            self.statements(body)?;
            ends.push(self.jump(Op::Jump));
            self.bind(skip);
        }
        self.statements(otherwise)?;
        ends.into_iter().for_each(|end| self.bind(end));
        Some(())
    }

    /// A loop through whole numbers.
    fn for_loop(&mut self, iteration: &Iteration, body: &[Statement]) -> Option<()> {
        let ExprKind::Range(first, step, last) = &iteration.range.kind else { return None };
        let whole = Layout::number(Scalar::Integer);
        let place = self.temporary(&whole.sized(vec![super::functions::LOOP_SLOTS as usize]))?.at;
        let (iterator, end, by) = (place, place + 1, place + 2);
        let first = self.whole(first)?;
        self.copy(iterator, &first);
        let last = self.whole(last)?;
        self.copy(end, &last);
        let step = match step {
            Some(step) => self.static_whole(step)?,
            None => 1,
        };
        if step == 0 {
            return None;
        }
        let step_slot = self.constants(&[step as f64])?;
        self.ops.push(Op::Copy(by, step_slot, 1));
        self.iterators.push((iteration.iterator, iterator));
        self.forget_temporaries();
        let begin = self.here();
        let goes_on = self.temporary(&Layout::number(Scalar::Boolean))?;
        let relation = if step > 0 { Relation::LessEqual } else { Relation::GreaterEqual };
        self.ops.push(Op::Compare(relation, goes_on.at, iterator, end));
        let leave = self.jump(|to| Op::JumpUnless(goes_on.at, to));
        self.forget_temporaries();
        self.ops.push(Op::Turn);
        self.breaks.push(vec![leave]);
        // the iterator itself cannot be assigned to, so that it can count
        self.statements(body)?;
        self.ops.push(Op::Add(iterator, iterator, by));
        self.ops.push(Op::Jump(begin as u32));
        self.iterators.pop();
        self.bind_breaks()
    }

    fn whole(&mut self, e: &Expr) -> Option<Operand> {
        self.expression(e).filter(|operand| operand.layout.scalar() == Some(Scalar::Integer))
    }

    pub(super) fn truth(&mut self, e: &Expr) -> Option<Operand> {
        self.expression(e).filter(|operand| operand.layout.scalar() == Some(Scalar::Boolean))
    }

    /// A jump to a target that is bound later.
    pub(super) fn jump(&mut self, make: impl Fn(u32) -> Op) -> usize {
        self.ops.push(make(0));
        self.ops.len() - 1
    }

    /// Binds a jump to the next instruction.
    pub(super) fn bind(&mut self, jump: usize) {
        let here = self.here() as u32;
        if let Op::Jump(to) | Op::JumpIf(_, to) | Op::JumpUnless(_, to) = &mut self.ops[jump] {
            *to = here;
        }
    }

    /// The next instruction, marked as a target of jumps.
    fn here(&mut self) -> usize {
        self.label = self.ops.len();
        self.label
    }

    fn bind_breaks(&mut self) -> Option<()> {
        self.breaks.pop()?.into_iter().for_each(|jump| self.bind(jump));
        Some(())
    }

    pub(super) fn bind_returns(&mut self) {
        std::mem::take(&mut self.returns).into_iter().for_each(|jump| self.bind(jump));
    }
}
