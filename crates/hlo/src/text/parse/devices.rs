//! Values that name devices: shardings, groups, pairs.
//!
//! Only the grammar is checked here; whether devices repeat or fit the array is the verifier's business, which asks
//! passes too.

use super::mesh;
use super::values::{key, one_of, pairs, sizes};
use crate::devices::{DeviceArray, DeviceGroups, DeviceOrder};
use crate::sharding::{ArraySharding, ShardGroup, Sharding, ShardingKind, Subgroup, Tiling};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};

/// `{replicated}`, or for a tuple `{{replicated}, {maximal device=0}}`.
pub(super) fn sharding(cur: &mut Cursor<'_>) -> Parsed<Sharding> {
    let mut inside = cur.clone();
    inside.expect(b'{', "to begin the sharding")?;
    match inside.peek() {
        Some(b'{' | b'}') => Ok(Sharding::Tuple(cur.braced("to begin the shardings", array_sharding)?)),
        _ => Ok(Sharding::Single(array_sharding(cur)?)),
    }
}

const KINDS: [(&str, ShardingKind); 4] = [
    ("replicated", ShardingKind::Replicated),
    ("manual", ShardingKind::Manual),
    ("unknown", ShardingKind::Unknown),
    ("unreduced", ShardingKind::Unreduced),
];

/// What the text of one sharding says, in any order.
#[derive(Default)]
struct Parts {
    kind: Option<ShardingKind>,
    is_maximal: bool,
    device: Option<i64>,
    devices: Option<DeviceArray>,
    subgroups: Option<Vec<Subgroup>>,
    group: Option<ShardGroup>,
    metadata: Vec<Vec<(String, String)>>,
}

fn array_sharding(cur: &mut Cursor<'_>) -> Parsed<ArraySharding> {
    cur.blank();
    let start = cur.pos;
    cur.expect(b'{', "to begin a sharding")?;
    if matches!(cur.peek_word(), Some("mesh" | "maximal_mesh")) {
        return mesh::sharding(cur);
    }
    let mut parts = Parts::default();
    while !cur.eat(b'}') {
        cur.blank();
        let at = cur.pos;
        if !part(cur, &mut parts)? {
            return Err(Fault::new(at..cur.pos, "a second word of that kind"));
        }
    }
    let Parts { group, metadata, .. } = &mut parts;
    let (group, metadata) = (group.take(), std::mem::take(metadata));
    match kind(parts) {
        Ok(kind) => Ok(ArraySharding { kind, group, metadata }),
        Err(message) => Err(Fault::new(start..cur.pos, message)),
    }
}

/// Reads a word of a sharding; false where there was one of that kind already.
fn part(cur: &mut Cursor<'_>, parts: &mut Parts) -> Parsed<bool> {
    const EXPECTED: &str = "replicated, manual, unknown, unreduced, maximal, device=, devices=, last_tile_dims=, \
                            last_tile_dim_replicate, shard_as, shard_like or metadata=";
    let word = cur.peek_word().unwrap_or("");
    if let Some((_, kind)) = KINDS.into_iter().find(|(name, _)| *name == word) {
        cur.word();
        return Ok(parts.kind.replace(kind).is_none());
    }
    match word {
        "maximal" => {
            cur.word();
            Ok(!std::mem::replace(&mut parts.is_maximal, true))
        }
        "last_tile_dim_replicate" => {
            cur.word();
            Ok(parts.subgroups.replace(vec![Subgroup::Replicated]).is_none())
        }
        "shard_as" => {
            cur.word();
            Ok(parts.group.replace(ShardGroup::As(cur.int("the number of a group")?)).is_none())
        }
        "shard_like" => {
            cur.word();
            Ok(parts.group.replace(ShardGroup::Like(cur.int("the number of a group")?)).is_none())
        }
        "device" => {
            key(cur)?;
            Ok(parts.device.replace(cur.int("a device")?).is_none())
        }
        "devices" => {
            key(cur)?;
            Ok(parts.devices.replace(device_array(cur)?).is_none())
        }
        "last_tile_dims" => {
            key(cur)?;
            let subgroups = cur.braced("to begin the kinds of the last dimensions", subgroup)?;
            Ok(parts.subgroups.replace(subgroups).is_none())
        }
        "metadata" => {
            key(cur)?;
            let first = parts.metadata.is_empty();
            parts.metadata = metadata(cur)?;
            Ok(first)
        }
        _ => Err(cur.unexpected(EXPECTED)),
    }
}

/// The one kind that the parts make.
fn kind(parts: Parts) -> Result<ShardingKind, String> {
    let plain = parts.device.is_none() && parts.devices.is_none() && parts.subgroups.is_none();
    match parts {
        Parts { kind: Some(kind), is_maximal: false, .. } if plain => Ok(kind),
        Parts {
            kind: None, is_maximal: true, device: Some(device), devices: None, subgroups: None, ..
        } => Ok(ShardingKind::Maximal { device }),
        Parts { kind: None, is_maximal: false, device: None, devices: Some(devices), subgroups, .. } => {
            Ok(ShardingKind::Tiled(Tiling { devices, subgroups: subgroups.unwrap_or_default() }))
        }
        _ => Err(
            "a sharding is one of {replicated}, {manual}, {unknown}, {unreduced}, {maximal device=0} and \
                  {devices=[2,1]0,1}"
                .into(),
        ),
    }
}

fn subgroup(cur: &mut Cursor<'_>) -> Parsed<Subgroup> {
    one_of(&Subgroup::ALL.map(|s| (s.name(), s)))(cur)
}

/// `{op_name="a"}`, or several `{{op_name="a"}, {op_name="b"}}`.
pub(super) fn metadata(cur: &mut Cursor<'_>) -> Parsed<Vec<Vec<(String, String)>>> {
    let mut inside = cur.clone();
    inside.expect(b'{', "to begin the metadata")?;
    match inside.peek() {
        Some(b'{') => cur.braced("to begin the metadata", pairs),
        _ => Ok(vec![pairs(cur)?]),
    }
}

/// `[2,2]0,2,1,3` or `[2,2]<=[2,2]T(1,0)`.
fn device_array(cur: &mut Cursor<'_>) -> Parsed<DeviceArray> {
    let dims = extents(cur)?;
    let is_formula = cur.eat_symbol("<=");
    if is_formula != (cur.peek() == Some(b'[')) {
        return Err(cur.unexpected("a device, or `<=` and extents"));
    }
    Ok(DeviceArray { dims, devices: device_order(cur)? })
}

/// `0,2,1,3` or `[2,2]T(1,0)`; without `T(…)` dimensions stay in order.
pub(super) fn device_order(cur: &mut Cursor<'_>) -> Parsed<DeviceOrder> {
    if cur.peek() == Some(b'[') {
        let reshape = extents(cur)?;
        let transpose = match cur.eat_word("T") {
            true => listed(cur, b'(', b')', |c| c.index("a dimension number"))?,
            false => (0..reshape.len()).collect(),
        };
        return Ok(DeviceOrder::Iota { reshape, transpose });
    }
    let mut list = vec![cur.int("a device")?];
    while cur.eat(b',') {
        list.push(cur.int("a device")?);
    }
    Ok(DeviceOrder::Listed(list))
}

fn extents(cur: &mut Cursor<'_>) -> Parsed<Vec<i64>> {
    listed(cur, b'[', b']', |c| c.int("an extent"))
}

/// One item or more between brackets.
pub(super) fn listed<T>(
    cur: &mut Cursor<'_>,
    open: u8,
    close: u8,
    mut item: impl FnMut(&mut Cursor<'_>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    cur.expect(open, "to begin the list")?;
    let mut items = vec![item(cur)?];
    while cur.eat(b',') {
        items.push(item(cur)?);
    }
    cur.expect(close, "to end the list")?;
    Ok(items)
}

/// `{}`, `{{0,1},{2,3}}` or `[2,2]<=[4]`.
pub(super) fn groups(cur: &mut Cursor<'_>) -> Parsed<DeviceGroups> {
    if cur.peek() == Some(b'[') {
        let dims = extents(cur)?;
        if !cur.eat_symbol("<=") || cur.peek() != Some(b'[') {
            return Err(cur.unexpected("`<=` and extents"));
        }
        return Ok(DeviceGroups::Rows(DeviceArray { dims, devices: device_order(cur)? }));
    }
    let groups = cur.braced("to begin the groups", sizes)?;
    Ok(if groups.is_empty() { DeviceGroups::All } else { DeviceGroups::Listed(groups) })
}

/// `{{0,1},{1,0}}`
pub(super) fn source_target_pairs(cur: &mut Cursor<'_>) -> Parsed<Vec<(i64, i64)>> {
    cur.braced("to begin the pairs", |c| {
        c.blank();
        let start = c.pos;
        match sizes(c)?[..] {
            [source, target] => Ok((source, target)),
            _ => Err(Fault::new(start..c.pos, "a source and a target stand here")),
        }
    })
}

/// `{kind="sharding", entry={…}, exit={…}}`
pub(super) fn domain(cur: &mut Cursor<'_>) -> Parsed<(Sharding, Sharding)> {
    cur.expect(b'{', "to begin the domain")?;
    keyed(cur, "kind")?;
    let start = cur.pos;
    let kind = cur.string()?;
    if kind.trim_matches(['"', '\'']) != "sharding" {
        return Err(Fault::new(start..cur.pos, format!("unknown kind {kind}")).expected("\"sharding\""));
    }
    cur.expect(b',', "after the kind")?;
    keyed(cur, "entry")?;
    let entry = sharding(cur)?;
    cur.expect(b',', "after the sharding")?;
    keyed(cur, "exit")?;
    let exit = sharding(cur)?;
    cur.expect(b'}', "to end the domain")?;
    Ok((entry, exit))
}

fn keyed(cur: &mut Cursor<'_>, wanted: &str) -> Parsed<()> {
    match key(cur)? {
        (found, _) if found == wanted => {
            cur.blank();
            Ok(())
        }
        (found, span) => {
            Err(Fault::new(span, format!("unexpected `{found}=`")).expected(format!("`{wanted}=`")))
        }
    }
}
