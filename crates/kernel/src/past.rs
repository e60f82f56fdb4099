//! Programs for the past: the arguments of delays and transports, each by its name.

use rhei_equations::{Delay, Events, ExprId, Pool, Transport};

use crate::assemble::{Assembler, Layout};
use crate::program::{Program, Slot};

/// The arguments of all delays and transports. Programs may reuse each other's temporaries.
#[derive(Clone, Debug, Default)]
pub struct PastCode {
    /// Computes the inputs of all delays and transports.
    pub inputs: Program,
    /// Computes the times of delays, and the displacements of transports.
    pub asked: Program,
    /// Computes the profiles of transports at the start.
    pub profiles: Program,
    /// By `delay`.
    pub delays: Vec<DelaySlots>,
    /// By `spatialDistribution`.
    pub transports: Vec<TransportSlots>,
}

/// The arguments of a `delay`.
#[derive(Clone, Copy, Debug)]
pub struct DelaySlots {
    /// The delayed value (`inputs`).
    pub input: Slot,
    /// The maximum of the delay (`inputs`).
    pub most: Slot,
    /// The delay (`asked`).
    pub by: Slot,
}

/// The arguments of a `spatialDistribution`.
#[derive(Clone, Debug)]
pub struct TransportSlots {
    /// The inflows at both ends (`inputs`).
    pub inflows: [Slot; 2],
    /// Whether it moves from the first end to the second (`inputs`).
    pub is_forward: Slot,
    /// Its displacement (`asked`).
    pub moved: Slot,
    /// The places of the profile at the start (`profiles`).
    pub points: Vec<Slot>,
    /// The values there (`profiles`).
    pub values: Vec<Slot>,
}

/// The results of the input programs for a transport: the inflows at both ends, and whether it moves forward.
type Inflow = ([Slot; 2], Slot);

impl PastCode {
    /// For the delays and transports of a model.
    pub(crate) fn new(events: &Events, pool: &Pool, layout: &mut Layout) -> PastCode {
        let Events { delays, transports, .. } = events;
        let mut assembler = Assembler::new(pool, layout);
        let mut kept = |value: ExprId| assembler.kept(value);
        let of_delays: Vec<[Slot; 2]> =
            delays.iter().map(|delay| [delay.value, delay.most].map(&mut kept)).collect();
        let inflow = |each: &Transport| (each.inflows.map(&mut kept), kept(each.is_forward));
        let of_transports: Vec<Inflow> = transports.iter().map(inflow).collect();
        let inputs = assembler.finish();

        let mut assembler = Assembler::new(pool, layout);
        let mut kept = |value: ExprId| assembler.kept(value);
        let delay =
            |(delay, [input, most]): (&Delay, [Slot; 2])| DelaySlots { input, most, by: kept(delay.by) };
        let delays = delays.iter().zip(of_delays).map(delay).collect();
        let moved: Vec<Slot> = transports.iter().map(|each| kept(each.moved)).collect();
        let asked = assembler.finish();

        let mut assembler = Assembler::new(pool, layout);
        let mut kept = |values: &[ExprId]| values.iter().map(|&value| assembler.kept(value)).collect();
        let of_transports = transports.iter().zip(of_transports).zip(moved);
        let transports = of_transports.map(|((each, (inflows, is_forward)), moved)| {
            let (points, values) = (kept(&each.points), kept(&each.values));
            TransportSlots { inflows, is_forward, moved, points, values }
        });
        let transports = transports.collect();
        PastCode { inputs, asked, profiles: assembler.finish(), delays, transports }
    }

    /// Replaces provisional slots by final ones, once the layout is known; its programs are placed with those of the whole code.
    pub(crate) fn place_names(&mut self, layout: &Layout) {
        let place = |slot: &mut Slot| *slot = layout.placed(*slot);
        for DelaySlots { input, most, by } in &mut self.delays {
            [input, most, by].into_iter().for_each(place);
        }
        for TransportSlots { inflows, is_forward, moved, points, values } in &mut self.transports {
            inflows.iter_mut().chain([is_forward, moved]).chain(points).chain(values).for_each(place);
        }
    }
}
