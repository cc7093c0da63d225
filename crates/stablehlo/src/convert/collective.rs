//! Operations among devices. Lawson has one, on which they run if nobody else is named.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::{Collective, Peers};
use lawson_hlo::devices::DeviceGroups;
use lawson_hlo::{Attrs, InstrId, Opcode};

/// Operations in groups of devices.
pub fn grouped<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let Some(listed) = op.attr("replica_groups").and_then(lists) else {
        return Err(f.unsupported(op, "groups of devices in this form are not supported"));
    };
    let groups = if listed.is_empty() { DeviceGroups::All } else { DeviceGroups::Listed(listed) };
    let dim_name = match opcode {
        Opcode::AllGather => Some("all_gather_dim"),
        Opcode::ReduceScatter => Some("scatter_dimension"),
        Opcode::AllToAll => Some("split_dimension"),
        _ => None,
    };
    let to_apply = match op.regions.is_empty() {
        true => None,
        false => Some(f.applied(op, 0)?),
    };
    let dim = dim_name.map(|name| f.dim(op, name)).transpose()?;
    collective(f, op, opcode, (Peers::Groups(groups), dim, to_apply))
}

/// Groups as the rows of an array, where those of different sizes are filled up with -1, or as a list of lists. None is all devices.
fn lists(groups: &Attr) -> Option<Vec<Vec<i64>>> {
    match groups {
        Attr::Dense(rows) => {
            let ids = rows.ints()?;
            if ids.is_empty() {
                return Some(Vec::new());
            }
            let &[_, width] = &rows.shape.dims[..] else { return None };
            let group = |ids: &[i64]| ids.iter().copied().filter(|&d| d >= 0).collect();
            Some(ids.chunks(usize::try_from(width).ok()?).map(group).collect())
        }
        Attr::Ints(ids) if ids.is_empty() => Some(Vec::new()),
        other => other.lists(),
    }
}

/// `collective_permute`: who sends to whom.
pub fn permute<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let pairs = f.ints(op, "source_target_pairs")?;
    let pairs = pairs.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    collective(f, op, opcode, (Peers::Pairs(pairs), None, None))
}

fn collective<'p>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    opcode: Opcode,
    (peers, dim, to_apply): (Peers, Option<usize>, Option<lawson_hlo::CompId>),
) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let channel = match op.attr("channel_id").or_else(|| op.attr("channel_handle")?.get("handle")) {
        Some(Attr::Int(id)) => Some(*id).filter(|&id| id > 0),
        _ => None,
    };
    let attrs = Attrs::Collective(Box::new(Collective {
        channel_id: channel,
        peers,
        use_global_device_ids: f.flag(op, "use_global_device_ids")?,
        constrain_layout: false,
        dim,
        to_apply,
        rest: Vec::new(),
    }));
    let shape = f.results(op)?;
    f.add_shaped(op, opcode, shape, &operands, attrs)
}

/// `replica_id`, `partition_id`.
pub fn number<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    f.add(op, opcode, &[], Attrs::None)
}
