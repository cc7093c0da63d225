//! Which updates may be computed in the memory of the array that they update.

use super::{Kind, Node, NodeId, Region, Source, Stage, Symbol, all_roots_of};
use lawson_hlo::Opcode;
use lawson_hlo::index::{Affine, Atom, linearize};
use rustc_hash::FxHashSet;

/// Whether output `output`, which starts as a copy of input `input`, may be that very memory: the region reads
/// nothing else of the input than each element where it is about to be replaced, once.
pub fn in_place(region: &Region, output: u32, input: u32) -> bool {
    let (stage, result) = region.output_sources[output as usize];
    let made = &region.stages[stage as usize];
    let loads =
        |id: &NodeId| matches!(region.node(*id), Node::Load { source: Source::Input(i), .. } if *i == input);
    let (offsets, unique) = match (&made.kind, made.stored_as(result as usize)) {
        (Kind::Update { offset, unique, .. }, _) => (vec![offset.clone()], *unique),
        (Kind::Map { .. }, _) => (vec![position(made)], true),
        // What it starts from is read after the elements.
        (Kind::Reduce { inits, .. }, Some(stored)) if !region.reachable(inits).iter().any(loads) => {
            (stored.parts.iter().map(|(position, _)| position.clone()).collect(), true)
        }
        // It reads what it has written of the output, and nothing of the input.
        (Kind::Loop(_), _) => (Vec::new(), false),
        // A point reads all that it replaces before it writes.
        (Kind::Pieces(_), Some(stored)) => {
            (stored.parts.iter().map(|(position, _)| position.clone()).collect(), true)
        }
        _ => return false,
    };
    region.stages.iter().enumerate().all(|(n, s)| {
        reads(region, s).into_iter().all(|id| match region.node(id) {
            Node::Load { source: Source::Input(i), offset: read, .. } if *i == input => {
                unique
                    && n as u32 == stage
                    && offsets.iter().any(|o| read == o || is_same_where_written(region, s, read, o))
            }
            _ => true,
        })
    })
}

/// Whether a place that is read is the one that is written, wherever anything is. Outside of the array a gather reads at the
/// nearest index inside, and a scatter writes nothing: `x.at[i].set(f(x[i]))` works in place.
fn is_same_where_written(region: &Region, stage: &Stage, read: &Affine, written: &Affine) -> bool {
    let mut symbols = Vec::new();
    written.visit(&mut |atom| {
        if let Atom::Symbol(s) = atom {
            symbols.push(*s);
        }
    });
    let known = |s: u32| &region.symbols[s as usize];
    let symbol = |s: u32| {
        let same = symbols.iter().find(|&&w| is_clamped(region, known(s), known(w)));
        Affine::symbol(same.copied().unwrap_or(s))
    };
    let ranges: Vec<(i64, i64)> = stage.space.iter().map(|n| (0, (n - 1).max(0))).collect();
    read.substitute(&region.space_of(&ranges), &|a| Affine::axis(a as usize), &symbol) == *written
}

/// Whether one symbol has the other's value where that is in its range, and else the nearest in the range.
fn is_clamped(region: &Region, clamped: &Symbol, free: &Symbol) -> bool {
    let own = |id: NodeId| match *region.node(id) {
        Node::Convert { x, .. } => x,
        _ => id,
    };
    let (lo, hi) = (i128::from(free.range.0), i128::from(free.range.1));
    let limited = |id: NodeId, by: Opcode, keeps: &dyn Fn(i128) -> bool| match *region.node(id) {
        Node::Binary { opcode, x, y, .. } if opcode == by && region.integer(y).is_some_and(keeps) => x,
        _ => id,
    };
    let below = limited(own(clamped.node), Opcode::Minimum, &|top| top >= hi);
    let between = limited(below, Opcode::Maximum, &|bottom| bottom <= lo);
    clamped.range == free.range && (between == free.node || between == own(free.node))
}

/// Where the results of a map go.
fn position(stage: &Stage) -> Affine {
    let point: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
    linearize(&point, &stage.space)
}

/// The inputs whose memory their results take over, with the results: (output, input).
pub fn shared(region: &Region) -> Vec<(u32, u32)> {
    if !region.parts.is_empty() {
        return Vec::new();
    }
    let mut taken = FxHashSet::default();
    let once = region.aliases.iter().filter(|&&(_, input)| taken.insert(input));
    once.copied().filter(|&(output, input)| in_place(region, output, input)).collect()
}

/// Whether a stage reads the array that it updates in place, so that no element may be computed twice.
pub fn reads_its_target(region: &Region, stage: u32) -> bool {
    let nodes = reads(region, &region.stages[stage as usize]);
    let loads = |input: u32| {
        let of_input = |id: &NodeId| matches!(region.node(*id), Node::Load { source: Source::Input(i), .. } if *i == input);
        nodes.iter().any(of_input)
    };
    shared(region).into_iter().any(|(o, input)| region.output_sources[o as usize].0 == stage && loads(input))
}

/// Everything a stage evaluates, positions included.
fn reads(region: &Region, stage: &Stage) -> Vec<NodeId> {
    region.reachable(&all_roots_of(region, stage))
}
