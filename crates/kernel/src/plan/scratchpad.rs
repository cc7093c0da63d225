//! Inputs that a row nest brings near: the rows of a unit are read once, in the order in which they lie, and kept in a
//! tile of the task.
//!
//! Take an array whose rows run down its columns: neighbouring rows are neighbours in memory, and a single row has one
//! element in each cache line. A block of neighbouring rows uses its lines whole: it is transposed in registers on the
//! way to the tile, and the stages work along the rows of the tile. Where rows lie side by side in lanes, lines are
//! used whole anyway; but the lines of a long column evict each other before the next stage reads them, and in the tile
//! they lie together. On a graphics processor a row that several stages read is copied as it is: its caches are small.

use super::loads::Loads;
use super::map_schedule::Turn;
use super::vector::lanes_within;
use crate::region::{Node, NodeId, Region, Stage};
use crate::target::{LINE, Target};
use lawson_hlo::index::{Affine, Atom, delinearize};

/// The rows of a unit of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scratchpad {
    pub input: u32,
    /// The input as an array that all its loads step through alike, neighbouring rows last.
    pub dims: Vec<i64>,
    pub roles: Vec<Role>,
    /// The distance in the tile of neighbours along each dimension.
    pub strides: Vec<i64>,
    /// Elements of the tile.
    pub elements: i64,
    /// How blocks of rows are turned.
    pub turn: Turn,
    /// Lanes of the vectors that are copied where single rows are brought near, and how many follow each other before the first
    /// is stored.
    pub lanes: u32,
    pub vectors: i64,
}

/// What a step along a dimension of an input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// One row further along this row axis.
    Row(usize),
    /// Within the row.
    Free,
}

impl Scratchpad {
    /// The dimensions within a row, and their extents.
    pub fn free(&self) -> (Vec<usize>, Vec<i64>) {
        let free = (0..self.dims.len()).filter(|&d| self.roles[d] == Role::Free);
        free.map(|d| (d, self.dims[d])).unzip()
    }

    /// The dimension along this row axis.
    pub fn along(&self, row: usize) -> Option<usize> {
        self.roles.iter().position(|r| *r == Role::Row(row))
    }

    pub fn bytes(&self, region: &Region) -> i64 {
        self.elements.saturating_mul(region.inputs[self.input as usize].dtype.size() as i64)
    }
}

/// Bytes of neighbouring rows that are read together where there is room for their block: lines come in pairs, and
/// with every step a page is looked up.
pub(super) const REACH: i64 = 256;

/// Which inputs are worth it for units of `rows` rows along the last row axis, `lanes` side by side or one after the
/// other, in so many bytes. `axes` are the row axes of each stage.
pub(super) fn near(
    (region, loads): (&Region, &Loads<'_>),
    axes: &[Vec<usize>],
    (rows, lanes, side_by_side): (i64, u32, bool),
    mut room: i64,
    target: &Target,
) -> Vec<Scratchpad> {
    let row = axes.first().map_or(0, Vec::len) - 1;
    let mut out = Vec::new();
    let loads = by_input(region, loads, axes.len());
    // The common cases that gain nothing, told apart early: one element for each row, and rows that are far apart.
    let are_neighbours = |&(s, id): &Loading| match region.node(id) {
        Node::Load { offset, .. } => offset.terms.len() > 1 && offset.coefficient(axes[s][row]) == Some(1),
        _ => false,
    };
    for input in 0..region.inputs.len() as u32 {
        if !loads[input as usize].first().is_some_and(are_neighbours) {
            continue;
        }
        let Some((dims, roles, stages)) = steps(region, axes, &loads[input as usize], input) else {
            continue;
        };
        let turn = Turn::of(target);
        let mut near = Scratchpad {
            input,
            strides: vec![0; dims.len()],
            dims,
            roles,
            elements: 1,
            turn,
            lanes,
            vectors: 1,
        };
        let (free, extents) = near.free();
        let (Some(&inner), Some(Role::Row(last))) = (extents.last(), near.roles.last()) else { continue };
        let worth = match side_by_side {
            true => stages > 1 && extents.iter().product::<i64>().saturating_mul(LINE) > target.l1,
            false => inner >= lanes as i64,
        };
        if !worth || *last != row {
            continue;
        }
        near.elements = if side_by_side { rows } else { 1 };
        for (&d, extent) in free.iter().zip(extents).rev() {
            near.strides[d] = near.elements;
            near.elements = near.elements.saturating_mul(extent);
        }
        let step = near.strides.len() - 1;
        near.strides[step] = 1;
        if !side_by_side {
            let size = region.inputs[input as usize].dtype.size() as i64;
            near.strides[step] = match turn {
                // Rows a power of two apart would fall into the same cache sets: an odd number of lines spreads them.
                Turn::Shuffles => up_to_odd(near.elements, LINE / size),
                // As many words of banks.
                Turn::Stores => up_to_odd(near.elements, Turn::apart(size)),
            };
            near.elements = near.strides[step].saturating_mul(rows);
        }
        let bytes = near.bytes(region);
        if bytes <= room {
            room -= bytes;
            out.push(near);
        }
    }
    out
}

/// Which inputs are worth it where so many rows lie side by side in lanes and each lies in line, on a graphics processor:
/// together they are a stretch of the array, which is copied as it lies, while each lane for itself would go through one row.
pub(super) fn in_line(
    (region, loads): (&Region, &Loads<'_>),
    axes: &[Vec<usize>],
    lanes: u32,
    mut room: i64,
    target: &Target,
) -> Vec<Scratchpad> {
    let row = axes.first().map_or(0, Vec::len) - 1;
    let mut out = Vec::new();
    let loads = by_input(region, loads, axes.len());
    for input in 0..region.inputs.len() as u32 {
        let Some((dims, roles, _)) = steps(region, axes, &loads[input as usize], input) else { continue };
        let Some(along) = roles.iter().position(|r| *r == Role::Row(row)) else { continue };
        // What is within the row comes after it.
        let elements: i64 = dims[along + 1..].iter().product();
        if roles[along + 1..].iter().any(|r| *r != Role::Free) || elements < 2 {
            continue;
        }
        let before = roles[..along].iter().all(|r| matches!(r, Role::Row(_)));
        let size = region.inputs[input as usize].dtype.size() as i64;
        // Rows side by side, an element in each line. A vector has several rows of a few elements: lines that are so much
        // longer than it take them to different banks.
        let at_once = (BANKS * WORD / size.max(WORD)).min(lanes as i64);
        let line = lanes as i64 + ((at_once + elements - 1) / elements).max(1);
        let mut strides = vec![0; dims.len()];
        strides[along] = 1;
        for d in along + 1..dims.len() {
            strides[d] = line * dims[d + 1..].iter().product::<i64>();
        }
        let elements = line * elements;
        let turn = Turn::of(target);
        if before && size * elements <= room {
            room -= size * elements;
            out.push(Scratchpad { input, dims, roles, strides, elements, turn, lanes, vectors: VECTORS });
        }
    }
    out
}

/// Banks of shared memory, and the bytes of their words.
const BANKS: i64 = 32;
const WORD: i64 = 4;

/// Vectors under way at once while a row is copied.
const VECTORS: i64 = 4;

/// Which inputs are worth it for single rows, shared by so many warps, in so many bytes: those that several stages read, whose
/// rows lie in line. Every stage but the first then has them in shared memory.
pub(super) fn rows(
    (region, loads): (&Region, &Loads<'_>),
    axes: &[Vec<usize>],
    warps: u32,
    mut room: i64,
    target: &Target,
) -> Vec<Scratchpad> {
    let mut out = Vec::new();
    let loads = by_input(region, loads, axes.len());
    for input in 0..region.inputs.len() as u32 {
        let Some((dims, roles, stages)) = steps(region, axes, &loads[input as usize], input) else {
            continue;
        };
        let turn = Turn::of(target);
        let mut near = Scratchpad {
            input,
            strides: vec![0; dims.len()],
            dims,
            roles,
            elements: 1,
            turn,
            lanes: 1,
            vectors: 1,
        };
        let (free, extents) = near.free();
        let (Some(&inner), Some(Role::Free)) = (extents.last(), near.roles.last()) else { continue };
        let of_rows = near.roles.iter().any(|r| matches!(r, Role::Row(_)));
        if stages < 2 || !of_rows || inner < target.lanes() as i64 {
            continue;
        }
        near.lanes = lanes_within(inner, target.lanes() * warps);
        near.vectors = (inner / near.lanes as i64).min(VECTORS);
        for (&d, extent) in free.iter().zip(extents).rev() {
            near.strides[d] = near.elements;
            near.elements = near.elements.saturating_mul(extent);
        }
        let bytes = near.bytes(region);
        if bytes <= room {
            room -= bytes;
            out.push(near);
        }
    }
    out
}

/// The next odd multiple of so many elements.
fn up_to_odd(elements: i64, of: i64) -> i64 {
    (((elements + of - 1) / of) | 1) * of
}

/// A load and the stage that does it.
type Loading = (usize, NodeId);

/// For each input its loads in the first `stages` stages, in their order.
fn by_input(region: &Region, loads: &Loads<'_>, stages: usize) -> Vec<Vec<Loading>> {
    let mut out = vec![Vec::new(); region.inputs.len()];
    for s in 0..stages {
        for (input, id, _) in loads.inputs(s) {
            out[input as usize].push((s, id));
        }
    }
    out
}

/// How all loads of an input step through it, if they do so alike, and how many stages load it.
fn steps(
    region: &Region,
    axes: &[Vec<usize>],
    loads: &[Loading],
    input: u32,
) -> Option<(Vec<i64>, Vec<Role>, usize)> {
    let mut found: Option<(Vec<i64>, Vec<Role>)> = None;
    let (mut stages, mut last) = (0, None);
    for &(s, id) in loads {
        let Node::Load { offset, mask, .. } = region.node(id) else { continue };
        stages += (last.replace(s) != Some(s)) as usize;
        let dims = match &found {
            Some((dims, _)) => dims.clone(),
            None => dims_of(offset, region.inputs[input as usize].elements)?,
        };
        let roles = roles(region, &region.stages[s], &axes[s], offset, &dims).filter(|_| mask.is_none())?;
        if found.get_or_insert_with(|| (dims, roles.clone())).1 != roles {
            return None;
        }
    }
    found.map(|(dims, roles)| (dims, roles, stages))
}

/// The dimensions of an array of so many elements through which an offset steps axis by axis.
fn dims_of(offset: &Affine, elements: i64) -> Option<Vec<i64>> {
    let step = |(atom, k): &(Atom, i64)| matches!(atom, Atom::Axis(_)).then_some(*k).filter(|&k| k > 0);
    let mut steps = offset.terms.iter().map(step).collect::<Option<Vec<i64>>>()?;
    steps.sort_unstable_by(|a, b| b.cmp(a));
    steps.dedup();
    let whole = std::iter::once(elements).chain(steps.iter().copied());
    let dims = whole.zip(&steps).map(|(outer, &step)| (outer % step == 0).then_some(outer / step));
    dims.collect::<Option<Vec<i64>>>().filter(|_| steps.last() == Some(&1))
}

fn roles(region: &Region, stage: &Stage, rows: &[usize], offset: &Affine, dims: &[i64]) -> Option<Vec<Role>> {
    let index = delinearize(offset, dims, &region.space_of(&stage.ranges()));
    let role = |(component, &extent): (&Affine, &i64)| {
        let row = (0..rows.len()).find(|&j| *component == Affine::axis(rows[j]));
        match row {
            Some(j) => (stage.space[rows[j]] == extent).then_some(Role::Row(j)),
            None => (!rows.iter().any(|&a| component.uses_axis(a))).then_some(Role::Free),
        }
    };
    index.iter().zip(dims).map(role).collect()
}
