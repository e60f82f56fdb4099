//! The textual form: states, then the blocks in the order they are computed.

use std::fmt::{self, Display};

use rhei_equations::{Equations, Notation};

use crate::{Assignment, Block, Cause, Solvable};

/// A [`Solvable`] with the model whose variables it refers to.
pub struct Described<'a> {
    /// The solvable model.
    pub solvable: &'a Solvable,
    /// Whose names are used.
    pub equations: &'a Equations,
}

impl Described<'_> {
    fn blocks(&self, f: &mut fmt::Formatter<'_>, title: &str, blocks: &[Block]) -> fmt::Result {
        if !blocks.is_empty() {
            writeln!(f, "{title}")?;
        }
        self.indented(f, blocks, 1)
    }

    fn indented(&self, f: &mut fmt::Formatter<'_>, blocks: &[Block], depth: usize) -> fmt::Result {
        let pad = "  ".repeat(depth);
        for block in blocks {
            match block {
                Block::Assign(assignment) => writeln!(f, "{pad}{}", self.assignment(assignment))?,
                Block::Solve(torn) => {
                    let guessed: Vec<&str> =
                        torn.guessed.iter().map(|v| self.equations.variable(*v).name.as_str()).collect();
                    writeln!(f, "{pad}solve for {}", guessed.join(", "))?;
                    for assignment in &torn.following {
                        writeln!(f, "{pad}  {}", self.assignment(assignment))?;
                    }
                    for residual in &torn.residuals {
                        let value = self.notation().expression(residual.value);
                        writeln!(f, "{pad}  0 = {value}  // {}", because(residual.because))?;
                    }
                }
                Block::Settle(settle) => {
                    let held: Vec<&str> =
                        settle.held.iter().map(|v| self.equations.variable(*v).name.as_str()).collect();
                    writeln!(f, "{pad}repeat until {} settle", held.join(", "))?;
                    self.indented(f, &settle.blocks, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn notation(&self) -> Notation<'_> {
        self.equations.notation()
    }

    fn assignment(&self, assignment: &Assignment) -> String {
        let name = &self.equations.variable(assignment.target).name;
        let value = self.notation().expression(assignment.value);
        format!("{name} := {value}  // {}", because(assignment.because))
    }
}

fn because(cause: Cause) -> String {
    match cause {
        Cause::Equation(e) => format!("equation {}", e.0 + 1),
        Cause::InitialEquation(e) => format!("initial equation {}", e.0 + 1),
        Cause::Start(_) => "start".into(),
        Cause::Binding(_) => "binding".into(),
    }
}

impl Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Described { solvable, equations } = self;
        let states: Vec<&str> =
            solvable.states.iter().map(|state| equations.variable(state.variable).name.as_str()).collect();
        writeln!(f, "solvable {} in mode {}", equations.name, solvable.mode.id)?;
        writeln!(f, "states {}", if states.is_empty() { "none".into() } else { states.join(", ") })?;
        let (dynamic, watched) = solvable.continuous.split_at(solvable.dynamic);
        self.blocks(f, "parameters", &solvable.parameters)?;
        if !solvable.aliases.is_empty() {
            writeln!(f, "aliases")?;
        }
        for alias in &solvable.aliases {
            writeln!(f, "  {}", self.assignment(alias))?;
        }
        self.blocks(f, "initial", &solvable.initial)?;
        self.blocks(f, "dynamic", dynamic)?;
        self.blocks(f, "watched", watched)?;
        self.blocks(f, "event", &solvable.event)
    }
}
