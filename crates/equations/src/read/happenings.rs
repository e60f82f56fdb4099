//! The lines about events and clocks. They have no places in a text and no messages: tests speak of what happens.

use super::{Reader, Token};
use crate::{
    Asked, Assert, Border, Clock, ClockId, Conversion, Crossing, Definition, Delay, EqId, Level, Measured,
    Moment, Origin, Passage, Rate, Reinit, Relation, Sample, Termination, Text, VarId,
};

impl<'a> Reader<'a> {
    /// A line of the section `event`.
    pub(super) fn event(&mut self) -> Result<(), String> {
        let origin = Origin::default();
        match self.word()? {
            "initial" => self.model.events.initial = Some(self.variable()?),
            "terminal" => self.model.events.terminal = Some(self.variable()?),
            "homotopy" => self.model.events.homotopy = Some(self.variable()?),
            "holding" => self.model.events.holding = Some(self.variable()?),
            "relation" => {
                let held = self.defined()?;
                let difference = self.sum()?;
                let relation = Relation::ALL.into_iter().find(|relation| self.accept(relation.symbol()));
                let relation = relation.ok_or("a relation was expected")?;
                self.expect_zero()?;
                self.crossing(held, Border::Zero { difference, relation })?;
            }
            "instant" => {
                let (held, at) = (self.defined()?, self.expression()?);
                self.crossing(held, Border::Time { at })?;
            }
            "floor" => {
                let (held, value) = (self.defined()?, self.expression()?);
                self.crossing(held, Border::Whole { value })?;
            }
            "sample" => {
                let (tick, start, interval) = (self.defined()?, self.expression()?, self.next_expression()?);
                self.model.events.samples.push(Sample { tick, start, interval, origin });
            }
            "delay" => {
                let (result, value, by) = (self.defined()?, self.expression()?, self.next_expression()?);
                let varies = self.accept(",");
                let most = if varies { self.expression()? } else { by };
                self.model.events.delays.push(Delay { result, value, by, most, varies, origin });
            }
            "reinit" => {
                let (target, value, active) = (self.defined()?, self.expression()?, self.next_expression()?);
                self.model.events.reinits.push(Reinit { target, value, active, origin });
            }
            "terminate" => {
                let (active, message) = (self.expression()?, Text::default());
                self.model.events.terminations.push(Termination { active, message, origin });
            }
            "assert" => {
                let (condition, message) = (self.expression()?, Text::default());
                let (mut level, mut moment) = (Level::Error, Moment::Rest);
                while self.accept(",") {
                    match self.word()? {
                        "warning" => level = Level::Warning,
                        "turn" => moment = Moment::Turn,
                        "start" => moment = Moment::Start,
                        other => return Err(format!("`{other}` is nothing that an assert can be")),
                    }
                }
                self.model.asserts.push(Assert { condition, message, level, moment, origin, within: None });
            }
            other => return Err(format!("`{other}` is no event")),
        }
        self.end()
    }

    fn crossing(&mut self, held: VarId, border: Border) -> Result<(), String> {
        self.expect(",")?;
        let nudge = self.variable()?;
        let is_followed = self.accept(",");
        if is_followed {
            self.expect("followed")?;
        }
        let crossing = Crossing { held, nudge, border, is_followed, origin: Origin::default() };
        self.model.events.crossings.push(crossing);
        Ok(())
    }

    /// A line of the section `clock`.
    pub(super) fn clock(&mut self) -> Result<(), String> {
        let origin = Origin::default();
        match self.word()? {
            "clock" => {
                let name = self.word()?.to_owned();
                let definition = if self.accept("=") { Some(self.definition()?) } else { None };
                self.model.clocks.push(Clock { name, definition, origin });
            }
            "same" => {
                let pair = (self.known_clock()?, self.next(Self::known_clock)?);
                self.model.clocks.same.push(pair);
            }
            "equation" => {
                let row = usize::try_from(self.integer()?).ok().and_then(|row| row.checked_sub(1));
                let row =
                    row.filter(|row| *row < self.model.equations.len()).ok_or("there is no such equation")?;
                let on = (EqId(row as u32), self.next(Self::known_clock)?);
                self.model.clocks.on.push(on);
            }
            "variable" => {
                let with = (self.variable()?, self.next(Self::known_clock)?);
                self.model.clocks.with.push(with);
            }
            "met" => {
                let met = (self.variable()?, self.next(Self::variable)?);
                self.model.clocks.met.push(met);
            }
            "remember" => {
                let v = self.variable()?;
                self.model.clocks.previous.push(v);
            }
            word @ ("interval" | "firstTick") => {
                let (result, mut of) = (self.defined()?, vec![self.variable()?]);
                while self.accept(",") {
                    of.push(self.variable()?);
                }
                let clocks = &mut self.model.clocks;
                let asked = if word == "interval" { &mut clocks.intervals } else { &mut clocks.first_ticks };
                asked.push(Asked { result, of, origin });
            }
            "measured" => {
                let (variable, value) = (self.defined()?, self.expression()?);
                self.model.clocks.measured.push(Measured { variable, value, origin });
            }
            word => {
                let (result, argument) = (self.defined()?, self.variable()?);
                let passage = match word {
                    "sample" => {
                        let is_named = self.accept(",");
                        Passage::Sample(if is_named { Some(self.known_clock()?) } else { None })
                    }
                    "hold" => Passage::Hold,
                    _ => Passage::Between(self.rate(word)?),
                };
                self.model.clocks.conversions.push(Conversion { argument, result, passage, origin });
            }
        }
        self.end()
    }

    fn definition(&mut self) -> Result<Definition, String> {
        if let Some(Token::Number(_)) = self.tokens.peek() {
            let counter = self.integer()?;
            self.expect("/")?;
            return Ok(Definition::Rational { counter, resolution: self.integer()? });
        }
        let word = self.word()?;
        self.expect("(")?;
        let definition = match word {
            "counter" => {
                let counter = self.variable()?;
                self.expect(")")?;
                self.expect("/")?;
                return Ok(Definition::Counter { counter, resolution: self.integer()? });
            }
            "interval" => Definition::Interval(self.variable()?),
            "varying" => Definition::Varying(self.variable()?),
            "event" => {
                let (condition, start_interval) = (self.variable()?, self.next(Self::variable)?);
                Definition::Event { condition, start_interval }
            }
            "solver" => {
                let from = self.known_clock()?;
                let method = if self.accept(",") { self.word()? } else { "" };
                Definition::Solver { from, method: method.to_owned() }
            }
            _ => Definition::Converted { from: self.known_clock()?, rate: self.rate(word)? },
        };
        self.expect(")")?;
        Ok(definition)
    }

    fn rate(&mut self, word: &str) -> Result<Rate, String> {
        Ok(match word {
            "subSample" => Rate::SubSample(self.next(Self::integer)?),
            "superSample" => Rate::SuperSample(self.next(Self::integer)?),
            "shiftSample" => Rate::ShiftSample {
                counter: self.next(Self::integer)?,
                resolution: self.next(Self::integer)?,
            },
            "backSample" => {
                Rate::BackSample { counter: self.next(Self::integer)?, resolution: self.next(Self::integer)? }
            }
            "noClock" => Rate::NoClock,
            other => return Err(format!("`{other}` makes no clock")),
        })
    }

    fn word(&mut self) -> Result<&'a str, String> {
        match self.tokens.next() {
            Some(Token::Name(word)) => Ok(word),
            other => Err(format!("a word was expected, not {other:?}")),
        }
    }

    fn variable(&mut self) -> Result<VarId, String> {
        let name = self.word()?;
        self.model.variable_named(name).ok_or_else(|| format!("there is no variable `{name}`"))
    }

    /// A variable that a line is about, in front of `=`.
    fn defined(&mut self) -> Result<VarId, String> {
        let v = self.variable()?;
        self.expect("=").map(|()| v)
    }

    fn known_clock(&mut self) -> Result<ClockId, String> {
        let name = self.word()?;
        let known = self.model.clocks.clocks.iter().position(|clock| clock.name == name);
        known.map(|place| ClockId(place as u32)).ok_or_else(|| format!("there is no clock `{name}`"))
    }

    fn integer(&mut self) -> Result<i64, String> {
        match self.tokens.next() {
            Some(Token::Number(value)) if value.fract() == 0.0 => Ok(value as i64),
            other => Err(format!("a whole number was expected, not {other:?}")),
        }
    }

    fn expect_zero(&mut self) -> Result<(), String> {
        if self.integer()? == 0 { Ok(()) } else { Err("a border is at 0".into()) }
    }

    fn next<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.expect(",")?;
        read(self)
    }

    fn next_expression(&mut self) -> Result<crate::ExprId, String> {
        self.next(Self::expression)
    }
}
