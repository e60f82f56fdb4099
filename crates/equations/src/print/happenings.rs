//! Events and clocks, a line each: what [`read`](crate::read()) reads back, but for what is marked as a comment.

use std::fmt;

use crate::{Border, Clock, Conversion, Definition, Equations, ExprId, Level, Moment, Passage, Rate, VarId};

impl Equations {
    /// What makes events and what they do.
    pub(super) fn write_events(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.event_lines();
        if !lines.is_empty() {
            writeln!(f, "event")?;
        }
        lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }

    fn event_lines(&self) -> Vec<String> {
        let notation = self.whole_notation();
        let text = |e: ExprId| notation.expression(e);
        let name = |v: VarId| self.variable(v).name.as_str();
        let events = &self.events;
        let mut lines = Vec::new();
        let flags = [
            ("initial", events.initial),
            ("terminal", events.terminal),
            ("homotopy", events.homotopy),
            ("holding", events.holding),
        ];
        lines.extend(flags.iter().filter_map(|(word, flag)| Some(format!("{word} {}", name((*flag)?)))));
        for crossing in &events.crossings {
            let (held, nudge) = (name(crossing.held), name(crossing.nudge));
            let border = match crossing.border {
                Border::Zero { difference, relation } => {
                    format!("relation {held} = {} {} 0", text(difference), relation.symbol())
                }
                Border::Time { at } => format!("instant {held} = {}", text(at)),
                Border::Whole { value } => format!("floor {held} = {}", text(value)),
            };
            let followed = if crossing.is_followed { ", followed" } else { "" };
            lines.push(format!("{border}, {nudge}{followed}"));
        }
        for sample in &events.samples {
            let (start, interval) = (text(sample.start), text(sample.interval));
            lines.push(format!("sample {} = {start}, {interval}", name(sample.tick)));
        }
        for delay in &events.delays {
            let most = if delay.varies { format!(", {}", text(delay.most)) } else { String::new() };
            let (value, by) = (text(delay.value), text(delay.by));
            lines.push(format!("delay {} = {value}, {by}{most}", name(delay.result)));
        }
        for transport in &events.transports {
            let [first, second] = transport.ends.map(name);
            let ([a, b], moved) = (transport.inflows.map(text), text(transport.moved));
            lines.push(format!("// {first} and {second} are what {a} and {b} have become, moved by {moved}"));
        }
        for reinit in &events.reinits {
            let (value, active) = (text(reinit.value), text(reinit.active));
            lines.push(format!("reinit {} = {value}, {active}", name(reinit.target)));
        }
        for termination in &events.terminations {
            lines.push(format!("terminate {}", text(termination.active)));
        }
        for effect in &events.effects {
            let function = &self.functions.function(effect.function).name;
            lines.push(format!("// call {function} when {}", text(effect.active)));
        }
        for assert in &self.asserts {
            let level = match assert.level {
                Level::Error => "",
                Level::Warning => ", warning",
                Level::Chosen(_) => ", chosen",
            };
            let moment = match assert.moment {
                Moment::Rest => "",
                Moment::Turn => ", turn",
                Moment::Start => ", start",
            };
            lines.push(format!("assert {}{level}{moment}", text(assert.condition)));
        }
        lines
    }

    /// What is said about clocks.
    pub(super) fn write_clocks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.clocks.is_empty() {
            return Ok(());
        }
        writeln!(f, "clock")?;
        self.clock_lines().iter().try_for_each(|line| writeln!(f, "  {line}"))
    }

    fn clock_lines(&self) -> Vec<String> {
        let notation = self.whole_notation();
        let name = |v: VarId| self.variable(v).name.as_str();
        let names = |list: &[VarId]| list.iter().map(|v| name(*v)).collect::<Vec<_>>().join(", ");
        let clocks = &self.clocks;
        let clock = |c: crate::ClockId| clocks.clocks[c.index()].name.as_str();
        let mut lines: Vec<String> = clocks.clocks.iter().map(|clock| self.clock_line(clock)).collect();
        lines.extend(clocks.same.iter().map(|(a, b)| format!("same {}, {}", clock(*a), clock(*b))));
        lines.extend(clocks.conversions.iter().map(|conversion| self.conversion_line(conversion)));
        lines.extend(clocks.on.iter().map(|(e, c)| format!("equation {}, {}", e.index() + 1, clock(*c))));
        lines.extend(clocks.with.iter().map(|(v, c)| format!("variable {}, {}", name(*v), clock(*c))));
        lines.extend(clocks.met.iter().map(|(a, b)| format!("met {}, {}", name(*a), name(*b))));
        lines.extend(clocks.previous.iter().map(|v| format!("remember {}", name(*v))));
        for (word, asked) in [("interval", &clocks.intervals), ("firstTick", &clocks.first_ticks)] {
            lines.extend(asked.iter().map(|one| format!("{word} {} = {}", name(one.result), names(&one.of))));
        }
        lines.extend(clocks.measured.iter().map(|measured| {
            format!("measured {} = {}", name(measured.variable), notation.expression(measured.value))
        }));
        lines
    }

    fn clock_line(&self, clock: &Clock) -> String {
        let name = |v: VarId| self.variable(v).name.as_str();
        let other = |c: crate::ClockId| self.clocks.clocks[c.index()].name.as_str();
        let definition = match &clock.definition {
            None => return format!("clock {}", clock.name),
            Some(Definition::Rational { counter, resolution }) => format!("{counter}/{resolution}"),
            Some(Definition::Counter { counter, resolution }) => {
                format!("counter({})/{resolution}", name(*counter))
            }
            Some(Definition::Interval(interval)) => format!("interval({})", name(*interval)),
            Some(Definition::Varying(interval)) => format!("varying({})", name(*interval)),
            Some(Definition::Event { condition, start_interval }) => {
                format!("event({}, {})", name(*condition), name(*start_interval))
            }
            Some(Definition::Converted { from, rate }) => {
                format!("{}({}{})", rate_word(*rate), other(*from), parts(*rate))
            }
            Some(Definition::Solver { from, method }) if method.is_empty() => {
                format!("solver({})", other(*from))
            }
            Some(Definition::Solver { from, method }) => format!("solver({}, {method})", other(*from)),
        };
        format!("clock {} = {definition}", clock.name)
    }

    /// A value that goes from clock to clock.
    pub(crate) fn conversion_line(&self, conversion: &Conversion) -> String {
        let name = |v: VarId| self.variable(v).name.as_str();
        let (word, rest) = match conversion.passage {
            Passage::Sample(None) => ("sample", String::new()),
            // of a part that ticks, the clocks are those of the whole model
            Passage::Sample(Some(c)) => (
                "sample",
                self.clocks.clocks.get(c.index()).map_or(String::new(), |clock| format!(", {}", clock.name)),
            ),
            Passage::Hold => ("hold", String::new()),
            Passage::Between(rate) => (rate_word(rate), parts(rate)),
        };
        format!("{word} {} = {}{rest}", name(conversion.result), name(conversion.argument))
    }
}

fn rate_word(rate: Rate) -> &'static str {
    match rate {
        Rate::SubSample(_) => "subSample",
        Rate::SuperSample(_) => "superSample",
        Rate::ShiftSample { .. } => "shiftSample",
        Rate::BackSample { .. } => "backSample",
        Rate::NoClock => "noClock",
    }
}

/// The numbers of a rate, behind what it is applied to.
fn parts(rate: Rate) -> String {
    match rate {
        Rate::SubSample(factor) | Rate::SuperSample(factor) => format!(", {factor}"),
        Rate::ShiftSample { counter, resolution } | Rate::BackSample { counter, resolution } => {
            format!(", {counter}, {resolution}")
        }
        Rate::NoClock => String::new(),
    }
}
