//! What communication and asynchronous execution mean on one device, the only number of devices that Lawson has:
//! what is sent to everybody arrives here, and what is started is done at once.

use crate::attrs::{Attrs, Peers};
use crate::devices::DeviceGroups;
use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::shape::Shape;

/// What an operation among devices does when there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alone {
    /// Gives its operand; of several, a tuple of them.
    Operands,
    /// Gives zero, the number of the only device.
    Zero,
    /// Gives a tuple: its operand twice, and a zero that nobody reads.
    Copied,
    /// Gives a tuple: its operands, the result of this computation on them, and what nobody reads.
    Called(CompId),
    /// Gives this element of its operand.
    Element(usize),
}

/// The meaning of an operation of [`crate::opcode::Class::Communication`] in a module for one device; `None` if it
/// has none there.
pub fn alone(module: &Module, instr: &Instruction, operands: &[&Shape]) -> Option<Alone> {
    use Opcode::*;
    let one = || operands.len() == 1;
    let parts = |s: &Shape, n: usize| matches!(s, Shape::Tuple(parts) if parts.len() > n);
    if !is_for_one_device(module) {
        return None;
    }
    match instr.opcode {
        PartitionId | ReplicaId => Some(Alone::Zero),
        AllReduce | AllReduceStart | AllReduceDone | AllGather | AllToAll | ReduceScatter
        | CollectiveBroadcast | CollectivePermute => {
            (among_one(instr) && keeps_shape(instr, operands)).then_some(Alone::Operands)
        }
        CopyStart if one() && begun(&instr.shape) => Some(Alone::Copied),
        CopyDone if one() && parts(operands[0], 1) => Some(Alone::Element(0)),
        AsyncStart if begun(&instr.shape) => callee(instr).map(Alone::Called),
        AsyncUpdate if one() && keeps_shape(instr, operands) => Some(Alone::Operands),
        AsyncDone if one() && parts(operands[0], 1) => Some(Alone::Element(1)),
        _ => None,
    }
}

/// Whether a shape is that of something under way: two parts, and then a few numbers.
fn begun(shape: &Shape) -> bool {
    const FEW: i64 = 64;
    let small = |s: &Shape| s.leaves().iter().all(|l| l.checked_elements().is_some_and(|n| n <= FEW));
    matches!(shape, Shape::Tuple(parts) if parts.len() > 1 && parts[2..].iter().all(small))
}

fn is_for_one_device(module: &Module) -> bool {
    module.replica_count().unwrap_or(1) == 1 && module.num_partitions().unwrap_or(1) == 1
}

fn keeps_shape(instr: &Instruction, operands: &[&Shape]) -> bool {
    match operands {
        [one] => instr.shape.same(one),
        all => instr.shape.same(&Shape::Tuple(all.iter().map(|s| (*s).clone()).collect())),
    }
}

/// Whether nobody but the only device takes part.
fn among_one(instr: &Instruction) -> bool {
    let Attrs::Collective(collective) = &instr.attrs else { return instr.attrs == Attrs::None };
    match &collective.peers {
        // Verified groups name each device: a group of one is that of the only device.
        Peers::Groups(DeviceGroups::All) => true,
        Peers::Groups(groups) => groups.group_count() == 1 && groups.group_size() == Some(1),
        Peers::Pairs(pairs) => pairs[..] == [(0, 0)],
    }
}

fn callee(instr: &Instruction) -> Option<CompId> {
    let Attrs::Verbatim { calls, .. } = &instr.attrs else { return None };
    match &calls[..] {
        [(name, comps)] if name == "calls" && comps.len() == 1 => Some(comps[0]),
        _ => None,
    }
}
