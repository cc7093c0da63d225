//! Fusion instructions: how they are named, what kind they are, and what they keep of the instructions they stand for.

use lawson_hlo::attrs::FusionKind;
use lawson_hlo::instruction::Notes;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode, Origin, Shape};
use lawson_kernel::region::build::is_hero;
use std::sync::Arc;

/// A call of a fused computation, with the name and the notes of the instruction whose place it takes.
pub fn call(
    place: &Instruction,
    shape: Shape,
    body: &Computation,
    calls: CompId,
    operands: Vec<InstrId>,
) -> Instruction {
    let attrs = Attrs::Fusion { kind: kind_of(body), calls };
    let computed = body.instrs.iter().filter(|i| !is_quiet(i.opcode));
    let origin = Origin::union_of(computed.map(|i| &i.origin));
    let origin = if origin.is_empty() { place.origin.clone() } else { origin };
    let name: Arc<str> = place.name.clone();
    let mut call = Instruction::new(name, Opcode::Fusion, shape, operands, attrs, origin);
    call.notes = place.notes.as_ref().map(|n| {
        Arc::new(Notes {
            sharding: n.sharding.clone(),
            frontend_attributes: n.frontend_attributes.clone(),
            metadata: n.metadata.clone(),
            ..Notes::default()
        })
    });
    call
}

/// Whether an instruction of a fused computation does nothing there.
fn is_quiet(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Parameter | Opcode::Constant | Opcode::Tuple)
}

fn combines(opcode: Opcode) -> bool {
    is_hero(opcode) && opcode != Opcode::DynamicUpdateSlice
}

/// What XLA calls a fusion of this kind.
fn kind_of(body: &Computation) -> FusionKind {
    match body.instrs.iter().rev().map(|i| i.opcode).find(|o| combines(*o)) {
        None => FusionKind::Loop,
        Some(Opcode::Dot | Opcode::Convolution) => FusionKind::Output,
        Some(_) => FusionKind::Input,
    }
}

/// The most operations between the first two and the last three that a name tells of.
const HEROES: usize = 4;

/// `fused_` and what it does, in order: the first two, the first that combine elements and the last three where there
/// are more. Moves are named only when there is nothing else.
pub fn name_of(body: &Computation) -> String {
    use Opcode::*;
    let quiet =
        |o: Opcode| matches!(o, Broadcast | Reshape | Copy | Convert | Slice | Iota | GetTupleElement);
    let all = || body.instrs.iter().map(|i| i.opcode).filter(|o| !is_quiet(*o));
    let mut names: Vec<Opcode> = Vec::new();
    for opcode in all().filter(|o| !quiet(*o)) {
        if names.last() != Some(&opcode) {
            names.push(opcode);
        }
    }
    if names.is_empty() {
        names = all().collect();
    }
    let count = names.len();
    let mut heroes = 0;
    let mut named = |n: usize, o: Opcode| {
        let outer = n < 2 || n + 3 >= count;
        heroes += (!outer && combines(o)) as usize;
        outer || combines(o) && heroes <= HEROES
    };
    let names = names.iter().enumerate().filter(|(n, o)| named(*n, **o)).map(|(_, o)| o);
    names.fold("fused".to_string(), |name, o| name + "_" + &o.name().replace('-', "_"))
}
