//! Shardings by named mesh axes: what stands in their braces.

use super::devices::{device_order, listed, metadata};
use super::values::key;
use crate::mesh::{AxisPart, AxisRef, DimSharding, Mesh, NamedSharding, Placement};
use crate::sharding::{ArraySharding, ShardingKind};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};

/// `maximal_mesh[device_id=3]}`, which is `maximal device=3}`, or `mesh['x'=2], [{'x'}, {}]}`: up to the closing
/// brace. The position is at the first word.
pub(super) fn sharding(cur: &mut Cursor<'_>) -> Parsed<ArraySharding> {
    let kind = if cur.eat_word("maximal_mesh") {
        cur.expect(b'[', "after `maximal_mesh`")?;
        keyed(cur, "device_id")?;
        let device = cur.int("a device")?;
        cur.expect(b']', "after the device")?;
        ShardingKind::Maximal { device }
    } else {
        cur.eat_word("mesh");
        let mesh = mesh(cur)?;
        let placement = placement(cur, &mesh)?;
        ShardingKind::Named(Box::new(NamedSharding { mesh, placement }))
    };
    let mut sharding = ArraySharding::from(kind);
    if cur.eat(b',') {
        keyed(cur, "metadata")?;
        sharding.metadata = metadata(cur)?;
    }
    cur.expect(b'}', "to end the sharding")?;
    Ok(sharding)
}

fn keyed(cur: &mut Cursor<'_>, wanted: &str) -> Parsed<()> {
    match key(cur)? {
        (found, _) if found == wanted => Ok(()),
        (found, span) => {
            Err(Fault::new(span, format!("unexpected `{found}=`")).expected(format!("`{wanted}=`")))
        }
    }
}

/// `['x'=2,'y'=4]`, and perhaps `, device_ids=([4,2]T(1,0))` or `, device_ids=(0,2,1,3)`.
fn mesh(cur: &mut Cursor<'_>) -> Parsed<Mesh> {
    let mut axes = Vec::new();
    cur.expect(b'[', "to begin the axes")?;
    while !cur.eat(b']') {
        if !axes.is_empty() {
            cur.expect(b',', "between axes")?;
        }
        let name = name(cur)?.to_string();
        cur.expect(b'=', "after the axis")?;
        axes.push((name, cur.int("an extent")?));
    }
    let mut mesh = Mesh::in_order(axes);
    let mut ahead = cur.clone();
    if ahead.eat(b',') && ahead.eat_word("device_ids") {
        *cur = ahead;
        cur.expect(b'=', "after `device_ids`")?;
        cur.expect(b'(', "to begin the devices")?;
        mesh.devices.devices = device_order(cur)?;
        cur.expect(b')', "to end the devices")?;
    }
    cur.eat(b',');
    Ok(mesh)
}

/// A name in quotes, without them.
fn name<'t>(cur: &mut Cursor<'t>) -> Parsed<&'t str> {
    cur.blank();
    let start = cur.pos;
    let quoted = cur.string()?;
    let name = &quoted[1..quoted.len() - 1];
    if name.contains(['\'', '"', '\\']) {
        return Err(Fault::new(start..cur.pos, "the name of an axis holds no quotes and no backslashes"));
    }
    Ok(name)
}

fn placement(cur: &mut Cursor<'_>, mesh: &Mesh) -> Parsed<Placement> {
    for (word, placement) in [
        ("replicated", Placement::Replicated),
        ("manual", Placement::Manual),
        ("unreduced", Placement::Unreduced),
    ] {
        if cur.eat_word(word) {
            return Ok(placement);
        }
    }
    cur.expect(b'[', "to begin the dimensions")?;
    let mut dims = Vec::new();
    while !cur.eat(b']') {
        if !dims.is_empty() {
            cur.expect(b',', "between dimensions")?;
        }
        dims.push(dimension(cur, mesh)?);
    }
    let mut rest: [Option<Vec<AxisRef>>; 3] = Default::default();
    loop {
        let mut ahead = cur.clone();
        if !ahead.eat(b',') {
            break;
        }
        let word = ahead.peek_word().unwrap_or("");
        let Some(n) = ["replicated", "unreduced", "manual"].iter().position(|w| *w == word) else { break };
        let (_, span) = key(&mut ahead)?;
        *cur = ahead;
        let axes = cur.braced("to begin the axes", |c| axis(c, mesh))?;
        if rest[n].replace(axes).is_some() {
            return Err(Fault::new(span, format!("a second `{word}=`")));
        }
    }
    let [replicated, unreduced, manual] = rest.map(Option::unwrap_or_default);
    Ok(Placement::Axes { dims, replicated, unreduced, manual })
}

/// `{'x', 'y', ?}`
fn dimension(cur: &mut Cursor<'_>, mesh: &Mesh) -> Parsed<DimSharding> {
    let mut dim = DimSharding { axes: Vec::new(), is_open: false };
    cur.expect(b'{', "to begin the axes of a dimension")?;
    let mut first = true;
    while !cur.eat(b'}') {
        if !std::mem::take(&mut first) {
            cur.expect(b',', "between axes")?;
        }
        if cur.eat(b'?') {
            dim.is_open = true;
            cur.expect(b'}', "after `?`")?;
            break;
        }
        dim.axes.push(axis(cur, mesh)?);
    }
    Ok(dim)
}

/// `'x'` or `'x':(2)4`
fn axis(cur: &mut Cursor<'_>, mesh: &Mesh) -> Parsed<AxisRef> {
    cur.blank();
    let start = cur.pos;
    let name = name(cur)?;
    let Some(axis) = mesh.axes.iter().position(|a| a == name) else {
        return Err(Fault::new(start..cur.pos, format!("the mesh has no axis '{name}'")));
    };
    if !cur.eat(b':') {
        return Ok(AxisRef { axis, part: None });
    }
    let [before] = listed(cur, b'(', b')', |c| c.int("an extent"))?[..] else {
        return Err(Fault::new(start..cur.pos, "one number stands between these parentheses"));
    };
    Ok(AxisRef { axis, part: Some(AxisPart { before, size: cur.int("an extent")? }) })
}
