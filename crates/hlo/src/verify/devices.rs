//! What instructions say about devices: shardings fit shapes, groups name each device once.
//!
//! The header may state how many replicas and partitions there are. A count that it leaves out, or that is 1, checks
//! nothing: it is often set by whoever runs the module, so XLA does not check it either.

use super::{Faults, Place};
use crate::attrs::{Attrs, Collective, GroupMode, Peers};
use crate::instruction::Instruction;
use crate::opcode::Opcode;
use crate::shape::Shape;
use crate::sharding::Sharding;
use rustc_hash::FxHashSet;

/// Counts of the header that are above 1.
#[derive(Clone, Copy)]
struct Counts {
    replicas: Option<i64>,
    partitions: Option<i64>,
}

pub(super) fn computation(faults: &mut Faults, place: Place) {
    let several = |n: Option<i64>| n.filter(|&n| n > 1);
    let module = faults.module;
    let counts =
        Counts { replicas: several(module.replica_count()), partitions: several(module.num_partitions()) };
    for instr in &place.comp.instrs {
        if let Err(message) = instruction(instr, counts) {
            faults.at(place, instr, format!("`{}` {message}", instr.opcode));
        }
    }
}

fn instruction(instr: &Instruction, counts: Counts) -> Result<(), String> {
    let notes = instr.notes.as_deref();
    if let Some(sharding) = notes.and_then(|n| n.sharding.as_ref()) {
        self::sharding(sharding, &instr.shape, counts).map_err(|e| format!("has a sharding that {e}"))?;
    }
    let channel = match &instr.attrs {
        Attrs::Collective(c) => c.channel_id,
        Attrs::Transfer { channel_id, .. } => *channel_id,
        _ => notes.and_then(|n| n.channel_id),
    };
    if let Some(id) = channel.filter(|&id| id < 0) {
        return Err(format!("has the channel {id}"));
    }
    match &instr.attrs {
        Attrs::Collective(c) => collective(instr.opcode, c, counts),
        Attrs::Domain(sides) => {
            let mut both = [&sides.0, &sides.1].into_iter();
            both.try_for_each(|s| sharding(s, &instr.shape, counts))
                .map_err(|e| format!("has a sharding that {e}"))
        }
        _ => Ok(()),
    }
}

/// The leaves of a sharding are those of the shape; each divides its array.
fn sharding(sharding: &Sharding, shape: &Shape, counts: Counts) -> Result<(), String> {
    let mut ranks = Vec::new();
    leaves(shape, &mut ranks);
    let stated = sharding.parts().len();
    match (sharding, shape) {
        (Sharding::Tuple(_), Shape::Array(_)) => return Err(format!("is that of a tuple, not of {shape}")),
        // A tuple without leaves may have one all the same.
        (Sharding::Tuple(_), Shape::Tuple(_)) if stated != ranks.len() && (stated, ranks.len()) != (1, 0) => {
            return Err(format!("has {stated} parts for {} of the shape", ranks.len()));
        }
        _ => {}
    }
    for (number, rank) in ranks.into_iter().enumerate() {
        if let (Some(part), Some(rank)) = (sharding.leaf(number), rank) {
            part.check(rank, counts.partitions)?;
        }
    }
    Ok(())
}

/// The rank of every leaf; none for what is no array.
fn leaves(shape: &Shape, ranks: &mut Vec<Option<usize>>) {
    match shape {
        Shape::Array(a) => ranks.push(Some(a.rank())),
        Shape::Tuple(parts) => parts.iter().for_each(|p| leaves(p, ranks)),
        Shape::Token | Shape::Opaque | Shape::Buffer(_) => ranks.push(None),
    }
}

fn collective(opcode: Opcode, c: &Collective, counts: Counts) -> Result<(), String> {
    let Some(mode) = c.group_mode(opcode) else {
        return Err("has use_global_device_ids without channel_id".into());
    };
    let expected = match mode {
        GroupMode::Replicas | GroupMode::ReplicasWithPartitions => counts.replicas,
        GroupMode::Partitions => counts.partitions,
        GroupMode::Flattened => match (counts.replicas, counts.partitions) {
            (Some(r), Some(p)) => r.checked_mul(p),
            (r, p) => r.or(p),
        },
    };
    let groups = match &c.peers {
        Peers::Pairs(all) => {
            return pairs(all, expected).map_err(|e| format!("has source_target_pairs that {e}"));
        }
        Peers::Groups(groups) => groups,
    };
    let Some(count) = groups.check().map_err(|e| format!("has replica_groups that {e}"))? else {
        return match mode {
            GroupMode::Flattened => Err("has use_global_device_ids without replica_groups".into()),
            _ => Ok(()),
        };
    };
    if let Some(n) = expected.filter(|&n| n != count) {
        return Err(format!("has replica_groups that name {count} devices of {n}"));
    }
    let may_differ = matches!(opcode, Opcode::AllReduce | Opcode::AllReduceStart);
    if !may_differ && groups.group_size().is_none() {
        return Err("has replica_groups that are not of one size".into());
    }
    Ok(())
}

/// Nobody sends twice, and nobody receives twice.
fn pairs(pairs: &[(i64, i64)], devices: Option<i64>) -> Result<(), String> {
    let (mut sources, mut targets) = (FxHashSet::default(), FxHashSet::default());
    for &(source, target) in pairs {
        for device in [source, target] {
            if device < 0 || devices.is_some_and(|n| device >= n) {
                let of = devices.map_or(String::new(), |n| format!(" of {n}"));
                return Err(format!("name device {device}{of}"));
            }
        }
        if !sources.insert(source) {
            return Err(format!("have the source {source} twice"));
        }
        if !targets.insert(target) {
            return Err(format!("have the target {target} twice"));
        }
    }
    Ok(())
}
