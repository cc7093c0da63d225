//! Values that name devices as text, as XLA prints them.

use super::{braced, join, pairs};
use crate::attrs::{Collective, Peers};
use crate::devices::{DeviceArray, DeviceGroups, DeviceOrder};
use crate::mesh::{AxisRef, DimSharding, Mesh, NamedSharding, Placement};
use crate::sharding::{ArraySharding, ShardGroup, Sharding, ShardingKind, Subgroup, Tiling};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Sharding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Sharding::Single(one) => one.fmt(f),
            Sharding::Tuple(all) => write!(f, "{{{}}}", join(all, ", ")),
        }
    }
}

impl Display for ArraySharding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.kind)?;
        match self.group {
            None => {}
            Some(ShardGroup::As(n)) => write!(f, " shard_as {n}")?,
            Some(ShardGroup::Like(n)) => write!(f, " shard_like {n}")?,
        }
        let comma = if matches!(self.kind, ShardingKind::Named(_)) { "," } else { "" };
        let metadata = self.metadata.iter().map(|m| format!("{{{}}}", pairs(m, " ")));
        match self.metadata.len() {
            0 => {}
            1 => write!(f, "{comma} metadata={}", join(metadata, ""))?,
            _ => write!(f, "{comma} metadata={{{}}}", join(metadata, ", "))?,
        }
        f.write_str("}")
    }
}

impl Display for ShardingKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ShardingKind::Replicated => f.write_str("replicated"),
            ShardingKind::Manual => f.write_str("manual"),
            ShardingKind::Unknown => f.write_str("unknown"),
            ShardingKind::Unreduced => f.write_str("unreduced"),
            ShardingKind::Maximal { device } => write!(f, "maximal device={device}"),
            ShardingKind::Named(named) => named.fmt(f),
            ShardingKind::Tiled(Tiling { devices, subgroups }) => {
                write!(f, "devices={devices}")?;
                match &subgroups[..] {
                    [] => Ok(()),
                    [Subgroup::Replicated] => f.write_str(" last_tile_dim_replicate"),
                    all => write!(f, " last_tile_dims={{{}}}", join(all.iter().map(|s| s.name()), ", ")),
                }
            }
        }
    }
}

impl Display for NamedSharding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Mesh { axes, devices } = &self.mesh;
        let extents = axes.iter().zip(&devices.dims).map(|(name, n)| format!("'{name}'={n}"));
        write!(f, "mesh[{}], ", join(extents, ","))?;
        if !self.mesh.is_in_order() {
            write!(f, "device_ids=({}), ", devices.devices)?;
        }
        let axis = |a: &AxisRef| {
            let name = axes.get(a.axis).map_or("?", |name| name);
            match a.part {
                Some(part) => format!("'{name}':({}){}", part.before, part.size),
                None => format!("'{name}'"),
            }
        };
        let dimension = |d: &DimSharding| {
            let open = d.is_open.then(|| "?".to_string());
            format!("{{{}}}", join(d.axes.iter().map(axis).chain(open), ", "))
        };
        match &self.placement {
            Placement::Replicated => f.write_str("replicated"),
            Placement::Manual => f.write_str("manual"),
            Placement::Unreduced => f.write_str("unreduced"),
            Placement::Axes { dims, replicated, unreduced, manual } => {
                write!(f, "[{}]", join(dims.iter().map(dimension), ", "))?;
                for (key, list) in [("replicated", replicated), ("unreduced", unreduced), ("manual", manual)]
                {
                    if !list.is_empty() {
                        write!(f, ", {key}={{{}}}", join(list.iter().map(axis), ", "))?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl Display for DeviceArray {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let formula = if matches!(self.devices, DeviceOrder::Iota { .. }) { "<=" } else { "" };
        write!(f, "[{}]{formula}{}", join(&self.dims, ","), self.devices)
    }
}

impl Display for DeviceOrder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            DeviceOrder::Listed(list) => f.write_str(&join(list, ",")),
            DeviceOrder::Iota { reshape, transpose } => {
                write!(f, "[{}]", join(reshape, ","))?;
                // One dimension has one order, which XLA's parser does not let anybody state.
                match (reshape.len(), &transpose[..]) {
                    (1, [0]) => Ok(()),
                    _ => write!(f, "T({})", join(transpose, ",")),
                }
            }
        }
    }
}

impl Display for DeviceGroups {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            DeviceGroups::All => f.write_str("{}"),
            DeviceGroups::Listed(groups) => write!(f, "{{{}}}", join(groups.iter().map(|g| braced(g)), ",")),
            DeviceGroups::Rows(rows) => rows.fmt(f),
        }
    }
}

/// Writes `, name=value` for each attribute of a collective; `to_apply` is the name of the reducer.
pub(super) fn collective(f: &mut impl Write, c: &Collective, to_apply: Option<&str>) -> fmt::Result {
    if let Some(id) = c.channel_id {
        write!(f, ", channel_id={id}")?;
    }
    match &c.peers {
        Peers::Groups(groups) => write!(f, ", replica_groups={groups}")?,
        Peers::Pairs(all) => {
            let all = all.iter().map(|(source, target)| format!("{{{source},{target}}}"));
            write!(f, ", source_target_pairs={{{}}}", join(all, ","))?;
        }
    }
    if c.constrain_layout {
        write!(f, ", constrain_layout=true")?;
    }
    if let Some(dim) = c.dim {
        write!(f, ", dimensions={{{dim}}}")?;
    }
    if c.use_global_device_ids {
        write!(f, ", use_global_device_ids=true")?;
    }
    c.rest.iter().try_for_each(|(key, value)| write!(f, ", {key}={value}"))?;
    to_apply.map_or(Ok(()), |name| write!(f, ", to_apply={name}"))
}
