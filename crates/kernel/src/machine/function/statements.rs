//! Statements of functions.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use rhei_flat::{Builtin, Expr, ExprKind, Iteration, LocalId, Statement, StatementKind};
use rustc_hash::FxHashSet;

use super::data::{Datum, Kind};
use super::{Body, Unfit};

/// Steps that the interpreter takes for one statement or expression, at most.
const STEPS_EACH: usize = 4;

impl Body<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<(), Unfit> {
        for statement in statements {
            if self.is_over {
                break;
            }
            self.statement(statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Unfit> {
        self.count()?;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.datum(value)?;
                self.assign(target, value)
            }
            StatementKind::AssignResults(targets, call) => {
                let ExprKind::Apply(function, arguments) = &call.kind else { return Err(Unfit) };
                let arguments =
                    arguments.iter().map(|a| self.argument_datum(a)).collect::<Result<_, Unfit>>()?;
                self.charge(1);
                let outputs = self.call(*function, arguments)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(target, output)?;
                    }
                }
                Ok(())
            }
            StatementKind::Call(call) => match &call.kind {
                ExprKind::Call(Builtin::Assert, arguments) => {
                    let condition = self.condition(arguments.first().ok_or(Unfit)?)?;
                    let one = self.builder.ins().iconst(types::I8, 1);
                    let fails = self.builder.ins().bxor(condition, one);
                    self.give_up_if(fails);
                    Ok(())
                }
                _ => Err(Unfit),
            },
            StatementKind::If(branches, otherwise) => self.branches(branches, otherwise),
            StatementKind::For(iteration, body) => self.for_loop(iteration, body),
            StatementKind::While(condition, body) => self.while_loop(condition, body),
            StatementKind::Break => {
                let scope = self.scopes.last().ok_or(Unfit)?;
                let target = *scope.breaks.last().ok_or(Unfit)?;
                self.builder.ins().jump(target, &[]);
                self.is_over = true;
                Ok(())
            }
            StatementKind::Return => {
                let exit = self.scopes.last().ok_or(Unfit)?.exit;
                self.builder.ins().jump(exit, &[]);
                self.is_over = true;
                Ok(())
            }
            StatementKind::When(_) => Err(Unfit),
        }
    }

    fn assign(&mut self, target: &Expr, value: Datum) -> Result<(), Unfit> {
        let value = self.conform(value, Kind::of(target.ty.scalar)?)?;
        self.refuse_no_numbers(&value);
        match &target.kind {
            ExprKind::Local(id) => {
                if self.sizes_of(*id)? != value.sizes {
                    return Err(Unfit);
                }
                self.put(*id, &value)
            }
            ExprKind::Index(base, subscripts) => {
                let ExprKind::Local(id) = base.kind else { return Err(Unfit) };
                let sizes = self.sizes_of(id)?;
                if value.sizes.is_empty()
                    && let Some(place) = self.place(&sizes, subscripts)?
                {
                    return self.put_element(id, place, &value);
                }
                let Some((sizes, places)) = self.known_places(&sizes, subscripts)? else { return Err(Unfit) };
                if sizes != value.sizes {
                    return Err(Unfit);
                }
                for (place, &element) in places.into_iter().zip(&value.elements) {
                    let place = self.builder.ins().iconst(types::I64, place as i64);
                    self.put_element(id, place, &Datum::scalar(value.kind, element))?;
                }
                Ok(())
            }
            _ => Err(Unfit),
        }
    }

    /// The components that have a value on every way to here.
    fn assigned(&mut self) -> Result<&mut FxHashSet<LocalId>, Unfit> {
        self.scopes.last_mut().map(|scope| &mut scope.assigned).ok_or(Unfit)
    }

    fn branches(
        &mut self,
        branches: &[(Expr, Vec<Statement>)],
        otherwise: &[Statement],
    ) -> Result<(), Unfit> {
        let join = self.builder.create_block();
        let before = self.assigned()?.clone();
        // what all ways that lead on have assigned; none while no way does
        let mut on_all: Option<FxHashSet<LocalId>> = None;
        let all = branches.iter().map(|(condition, body)| (Some(condition), body.as_slice()));
        for (condition, body) in all.chain([(None, otherwise)]) {
            let next = match condition {
                Some(condition) => {
                    let condition = self.condition(condition)?;
                    let (then, next) = (self.builder.create_block(), self.builder.create_block());
                    self.builder.ins().brif(condition, then, &[], next, &[]);
                    self.builder.switch_to_block(then);
                    Some(next)
                }
                None => None,
            };
            self.statements(body)?;
            if !self.is_over {
                self.builder.ins().jump(join, &[]);
                let here = self.assigned()?.clone();
                on_all = Some(match on_all {
                    Some(so_far) => so_far.intersection(&here).copied().collect(),
                    None => here,
                });
            }
            self.is_over = false;
            *self.assigned()? = before.clone();
            if let Some(next) = next {
                self.builder.switch_to_block(next);
            }
        }
        match on_all {
            Some(on_all) => {
                self.builder.switch_to_block(join);
                *self.assigned()? = on_all;
            }
            None => {
                // nothing follows, but the block wants an end
                self.builder.switch_to_block(join);
                self.builder.ins().jump(self.give_up, &[]);
                self.is_over = true;
            }
        }
        Ok(())
    }

    fn while_loop(&mut self, condition: &Expr, body: &[Statement]) -> Result<(), Unfit> {
        let [header, turn, end] = [(); 3].map(|()| self.builder.create_block());
        self.builder.ins().jump(header, &[]);
        self.builder.switch_to_block(header);
        let nodes = self.nodes;
        let condition = self.condition(condition)?;
        self.builder.ins().brif(condition, turn, &[], end, &[]);
        self.builder.switch_to_block(turn);
        self.turn(body, end, nodes)?;
        if !self.is_over {
            self.builder.ins().jump(header, &[]);
        }
        self.is_over = false;
        self.builder.switch_to_block(end);
        Ok(())
    }

    /// One turn of a loop; `nodes` were translated before it.
    fn turn(
        &mut self,
        body: &[Statement],
        end: cranelift_codegen::ir::Block,
        nodes: usize,
    ) -> Result<(), Unfit> {
        let before = self.assigned()?.clone();
        self.scopes.last_mut().ok_or(Unfit)?.breaks.push(end);
        self.statements(body)?;
        self.scopes.last_mut().ok_or(Unfit)?.breaks.pop();
        *self.assigned()? = before;
        if !self.is_over {
            self.charge((self.nodes - nodes + 1) * STEPS_EACH);
        }
        Ok(())
    }

    fn for_loop(&mut self, iteration: &Iteration, body: &[Statement]) -> Result<(), Unfit> {
        let ExprKind::Range(first, step, last) = &iteration.range.kind else { return Err(Unfit) };
        let step = step.as_ref().map_or(Ok(1), |step| self.known_integer(step))?;
        if step == 0 || iteration.range.ty.scalar == rhei_flat::Scalar::Real {
            return Err(Unfit);
        }
        let (first, last) = (self.bound(first)?, self.bound(last)?);
        let nodes = self.nodes;
        let [header, turn, end] = [(); 3].map(|()| self.builder.create_block());
        let index = self.builder.append_block_param(header, types::I64);
        self.builder.ins().jump(header, &[BlockArg::Value(first)]);
        self.builder.switch_to_block(header);
        let goes_on = if step > 0 { IntCC::SignedLessThanOrEqual } else { IntCC::SignedGreaterThanOrEqual };
        let condition = self.builder.ins().icmp(goes_on, index, last);
        self.builder.ins().brif(condition, turn, &[], end, &[]);
        self.builder.switch_to_block(turn);
        let outer = self.iterators.insert(iteration.iterator, index);
        self.turn(body, end, nodes)?;
        match outer {
            Some(outer) => self.iterators.insert(iteration.iterator, outer),
            None => self.iterators.remove(&iteration.iterator),
        };
        if !self.is_over {
            let by = self.builder.ins().iconst(types::I64, step);
            let (next, overflow) = self.builder.ins().sadd_overflow(index, by);
            self.give_up_if(overflow);
            self.builder.ins().jump(header, &[BlockArg::Value(next)]);
        }
        self.is_over = false;
        self.builder.switch_to_block(end);
        Ok(())
    }
}
