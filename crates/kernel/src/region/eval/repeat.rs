//! Loops at a point: each lane runs its trips by itself, to its own end.
//!
//! Lanes that a trip no longer changes may go on in compiled code; here they stop, which is the same.

use super::expr::{Operations, Point};
use super::memory::{Fault, Memory, points};
use crate::region::{Carried, Element, LoopStage, Nesting, Node, NodeId, Place, Region, Stage};
use lawson_hlo::eval::scalar::{Value, ZERO};

/// Trips of all loops after which an evaluation is given up.
const MAX_TRIPS: u64 = 1 << 32;

/// Evaluates a loop stage, which writes elements of outputs.
pub fn evaluate(
    region: &Region,
    operations: &Operations,
    (stage, loop_stage): (&Stage, &LoopStage),
    memory: &mut Memory,
) -> Result<(), Fault> {
    let mut lanes = Lanes {
        region,
        nesting: Nesting::new(region, loop_stage),
        loops: loop_stage.all(region).collect(),
        orders: loop_stage.all(region).map(|l| region.reachable(&l.step_roots())).collect(),
        trips_left: MAX_TRIPS,
    };
    let before = region.reachable(&loop_stage.roots());
    let finals: Vec<NodeId> = loop_stage.finals.iter().flat_map(Element::roots).collect();
    let finals = region.reachable(&finals);
    let mut point = Point::new(region, operations, stage.space.len() + stage.inner.len());
    for at in points(&stage.space) {
        point.move_to(&at, &[]);
        memory.enter_lane(region);
        for &id in before.iter().filter(|&&id| lanes.nesting.innermost(id).is_none()) {
            point.evaluate(memory, id)?;
        }
        let last = lanes.run(0, &mut point, memory)?;
        // The carries of the stage's loop have their last values in what is written at the end.
        lanes.forget(0, &mut point);
        loop_stage.carries.iter().zip(last).for_each(|(carry, word)| point.set(carry.node, Some(word)));
        for &id in &finals {
            point.evaluate(memory, id)?;
        }
        store(&loop_stage.finals, &point, memory)?;
    }
    Ok(())
}

/// The loops of a stage, by number: 0 is its own, `n` is [`Region::loops`]`[n - 1]`.
struct Lanes<'r> {
    region: &'r Region,
    nesting: Nesting,
    loops: Vec<&'r LoopStage>,
    /// What a trip of each evaluates, operands first.
    orders: Vec<Vec<NodeId>>,
    trips_left: u64,
}

impl Lanes<'_> {
    /// All trips of a loop at a point; gives the last values of its carries.
    fn run(&mut self, n: usize, point: &mut Point<'_>, memory: &mut Memory) -> Result<Vec<Value>, Fault> {
        let loop_stage = self.loops[n];
        let of = |ids: Vec<NodeId>, point: &Point<'_>| -> Result<Vec<Value>, Fault> {
            ids.into_iter().map(|id| point.value(id)).collect()
        };
        store(&loop_stage.before, point, memory)?;
        let mut state = of(loop_stage.carries.iter().map(|c| c.init).collect(), point)?;
        loop {
            self.trips_left = self.trips_left.checked_sub(1).ok_or("too many trips")?;
            self.forget(n, point);
            loop_stage
                .carries
                .iter()
                .zip(&state)
                .for_each(|(carry, &word)| point.set(carry.node, Some(word)));
            // What tells whether another trip follows may need loops within, which run for nothing then but store.
            for id in self
                .region
                .reachable(&loop_stage.condition.iter().chain(&loop_stage.any).copied().collect::<Vec<_>>())
            {
                self.evaluate(n, id, point, memory)?;
            }
            for id in loop_stage.condition.iter().chain(&loop_stage.any) {
                if point.value(*id)? == ZERO {
                    return Ok(state);
                }
            }
            for id in self.orders[n].clone() {
                self.evaluate(n, id, point, memory)?;
            }
            store(&loop_stage.stores, point, memory)?;
            if loop_stage.is_straight() {
                return Ok(state);
            }
            state = of(loop_stage.carries.iter().map(|c| c.next).collect(), point)?;
        }
    }

    /// Makes a node known in a trip of a loop, if it rests on no other; a last value by running the loop it is of.
    fn evaluate(
        &mut self,
        n: usize,
        id: NodeId,
        point: &mut Point<'_>,
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        if point.known(id).is_some() || !self.nesting.is_known_in(id, n) {
            return Ok(());
        }
        let Node::Carry(Carried { of, last: true, .. }) = *self.region.node(id) else {
            return point.evaluate(memory, id);
        };
        let last = self.run(of as usize, point, memory)?;
        self.forget(of as usize, point);
        for id in (0..self.region.nodes.len() as u32).map(NodeId) {
            if let Node::Carry(Carried { of: other, at, last: true }) = *self.region.node(id)
                && other == of
            {
                point.set(id, last.get(at as usize).copied());
            }
        }
        Ok(())
    }

    /// Forgets what changes from trip to trip of a loop.
    fn forget(&self, n: usize, point: &mut Point<'_>) {
        for id in (0..self.region.nodes.len() as u32).map(NodeId) {
            if self.nesting.rests_on(id, n) {
                point.set(id, None);
            }
        }
    }
}

/// Writes elements of outputs, and of what the lane has for itself, where their masks hold.
fn store(elements: &[Element], point: &Point<'_>, memory: &mut Memory) -> Result<(), Fault> {
    for e in elements {
        if let Some(mask) = e.mask
            && point.value(mask)? == ZERO
        {
            continue;
        }
        let (at, word) = (point.index(&e.offset)?, point.value(e.value)?);
        let array = match e.to {
            Place::Output(n) => memory.outputs.get_mut(n as usize),
            Place::Private(n) => memory.private.get_mut(n as usize),
        };
        let array = array.ok_or("an array that is not there")?;
        let len = array.len();
        let element = usize::try_from(at).ok().and_then(|at| array.get_mut(at));
        *element.ok_or_else(|| format!("element {at} of {len} of {} is written", e.to))? = Some(word);
    }
    Ok(())
}
