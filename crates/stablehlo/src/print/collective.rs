//! Operations among devices.

use super::attrs;
use lawson_hlo::Opcode;
use lawson_hlo::attrs::{Collective, Peers};
use lawson_hlo::devices::DeviceGroups;

/// The name of an operation without its dialect, and its attributes; `None` for groups or operations that have no text.
pub fn attributes(opcode: Opcode, c: &Collective) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let mut named = Vec::new();
    match &c.peers {
        Peers::Groups(groups) => named.push(("replica_groups", rows(groups)?)),
        Peers::Pairs(pairs) => {
            let pairs: Vec<Vec<i64>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
            named.push(("source_target_pairs", table(&pairs)));
        }
    }
    if let Some(id) = c.channel_id {
        named.push(("channel_handle", format!("#stablehlo.channel_handle<handle = {id}, type = 1>")));
    }
    if c.use_global_device_ids {
        named.push(("use_global_device_ids", "unit".into()));
    }
    let dim = || c.dim.map(|d| attrs::int(d as i64));
    let name = match opcode {
        Opcode::AllReduce => "all_reduce",
        Opcode::AllGather => {
            named.push(("all_gather_dim", dim()?));
            "all_gather"
        }
        Opcode::ReduceScatter => {
            named.push(("scatter_dimension", dim()?));
            "reduce_scatter"
        }
        Opcode::CollectivePermute => "collective_permute",
        _ => return None,
    };
    Some((name, named))
}

/// Groups of one size, a row each.
fn rows(groups: &DeviceGroups) -> Option<String> {
    match groups {
        DeviceGroups::All => Some("dense<> : tensor<0x0xi64>".into()),
        DeviceGroups::Listed(rows) if rows.windows(2).all(|w| w[0].len() == w[1].len()) => Some(table(rows)),
        DeviceGroups::Listed(_) | DeviceGroups::Rows(_) => None,
    }
}

fn table(rows: &[Vec<i64>]) -> String {
    let width = rows.first().map_or(2, Vec::len);
    let list: Vec<String> = rows.iter().map(|r| format!("{r:?}")).collect();
    match list.is_empty() {
        true => format!("dense<> : tensor<0x{width}xi64>"),
        false => format!("dense<[{}]> : tensor<{}x{width}xi64>", list.join(", "), rows.len()),
    }
}
