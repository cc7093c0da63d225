//! Places: at which points of a kernel's space an instruction is evaluated, and which axes its index follows.
//!
//! This is the estimate by which regions grow; exact index maps are computed once, when a grown region is built.
//! A place has, for each dimension of the value, the set of kernel axes that the index on it depends on. Two uses
//! at the same place are one evaluation.

use lawson_hlo::attrs::PadDim;
use lawson_hlo::{ArrayShape, Attrs, Computation, InstrId, Instruction, Opcode};
use lawson_kernel::plan::MAX_PARTS;

/// A piece of fewer elements along the minor dimension shares its vectors with its neighbours.
const SHORTEST: i64 = 16;

/// A set of kernel axes.
pub type AxisSet = u64;

/// Which points evaluate a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Once for each point of the space: a map, or an epilogue.
    Space,
    /// For each point of the space and of the inner axes: operand `n` of the hero.
    Operand(u8),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Equal for uses that read at the same index of the same scope: one evaluation.
    pub id: u32,
    pub scope: Scope,
    /// For each dimension of the value the axes its index depends on.
    pub dims: Vec<AxisSet>,
    /// The part of the points that read an element: pieces of a concatenation share them.
    pub share: f64,
    /// The part of the points at which a map evaluates it, whose loop is split where pieces end.
    pub evaluated: f64,
    /// The index is the point itself.
    pub identity: bool,
}

impl Place {
    /// Of scalars: there is one index.
    pub const SCALAR: u32 = 0;
    pub const ROOT: u32 = 1;
    /// A place that no other use shares; a draft numbers it.
    pub const FRESH: u32 = u32::MAX;

    /// The place of the root of a map of these extents.
    pub fn root(extents: &[i64]) -> Place {
        let id = if extents.is_empty() { Place::SCALAR } else { Place::ROOT };
        Place { id, scope: Scope::Space, dims: axes(extents, 0), share: 1.0, evaluated: 1.0, identity: true }
    }

    /// All axes that the index depends on.
    pub fn varied(&self) -> AxisSet {
        self.dims.iter().fold(0, |all, d| all | d)
    }
}

/// The axes of these extents, the first of them axis `first`; an axis of one point varies nothing.
pub fn axes(extents: &[i64], first: usize) -> Vec<AxisSet> {
    extents.iter().enumerate().map(|(k, &n)| if n == 1 { 0 } else { bit(first + k) }).collect()
}

/// Axes beyond the width of the set share its last bit, which only makes the estimate coarser.
pub fn bit(axis: usize) -> AxisSet {
    1 << axis.min(63)
}

/// The place at which operand `n` is read when the map `id` is evaluated at `at`.
pub fn operand_place(comp: &Computation, id: InstrId, n: usize, at: &Place) -> Place {
    let instr = &comp[id];
    let from = comp[instr.operands[n]].shape.expect_array();
    let to = instr.shape.expect_array();
    let scalar = || vec![0; from.rank()];
    let mut share = at.share;
    let evaluated = at.evaluated * evaluated(instr, from, to);
    let mut identity = false;
    let dims = match (instr.opcode, &instr.attrs) {
        (opcode, _) if opcode.is_elementwise() => {
            identity = at.identity && from.rank() == to.rank();
            if from.rank() == to.rank() { at.dims.clone() } else { scalar() }
        }
        (Opcode::Broadcast, Attrs::Dims(dims)) => dims.iter().map(|&d| at.dims[d]).collect(),
        (Opcode::Transpose, Attrs::Dims(permutation)) => {
            let mut moved = scalar();
            permutation.iter().zip(&at.dims).for_each(|(&p, &d)| moved[p] = d);
            moved
        }
        (Opcode::Reshape, _) => reshaped(from, to, &at.dims),
        (Opcode::Concatenate, Attrs::Dims(dims)) => {
            share *= fraction(from.dims[dims[0]], to.dims[dims[0]]);
            at.dims.clone()
        }
        (Opcode::Pad, _) if n == 0 => {
            share *= fraction(from.elements(), to.elements());
            at.dims.clone()
        }
        (Opcode::DynamicUpdateSlice, _) if n == 1 => {
            share *= fraction(from.elements(), to.elements());
            at.dims.clone()
        }
        (Opcode::Slice | Opcode::Reverse, _) => at.dims.clone(),
        (Opcode::DynamicSlice | Opcode::DynamicUpdateSlice, _) if n == 0 => at.dims.clone(),
        (Opcode::BitcastConvert, _) => {
            (0..from.rank()).map(|d| at.dims.get(d).copied().unwrap_or(0)).collect()
        }
        (Opcode::Gather, Attrs::Gather(g)) => {
            let batch: Vec<AxisSet> =
                (0..to.rank()).filter(|d| !g.offset_dims.contains(d)).map(|d| at.dims[d]).collect();
            if n == 0 {
                gathered(g, from.rank(), &batch, &at.dims)
            } else {
                let mut batch = batch.into_iter();
                let index = |d| if d == g.index_vector_dim { 0 } else { batch.next().unwrap_or(0) };
                (0..from.rank()).map(index).collect()
            }
        }
        _ => scalar(),
    };
    let id = match instr.opcode.is_elementwise() && from.rank() == to.rank() {
        true => at.id,
        false if from.rank() == 0 => Place::SCALAR,
        false => Place::FRESH,
    };
    Place { id, scope: at.scope, dims, share, evaluated, identity }
}

/// The part of a map's points at which an operand is evaluated: all, unless the loop is split where it ends.
fn evaluated(instr: &Instruction, from: &ArrayShape, to: &ArrayShape) -> f64 {
    let cut = |d: usize| {
        let long = d + 1 < to.rank() || from.dims[d] >= SHORTEST;
        if long { fraction(from.dims[d], to.dims[d]) } else { 1.0 }
    };
    match &instr.attrs {
        Attrs::Dims(dims) if instr.opcode == Opcode::Concatenate && instr.operands.len() <= MAX_PARTS => {
            cut(dims[0])
        }
        Attrs::Pad(dims) if from.rank() == dims.len() => {
            let padded = |p: &PadDim| (p.low, p.high, p.interior) != (0, 0, 0);
            let mut all = dims.iter().enumerate().filter(|(_, p)| padded(p));
            match (all.next(), all.next()) {
                (Some((d, p)), None) if p.interior == 0 => cut(d),
                _ => 1.0,
            }
        }
        _ => 1.0,
    }
}

fn fraction(part: i64, whole: i64) -> f64 {
    if whole == 0 { 1.0 } else { (part as f64 / whole as f64).min(1.0) }
}

/// Indices of the operand of a gather: some come from the offset, some from the indices.
fn gathered(
    g: &lawson_hlo::attrs::GatherDims,
    rank: usize,
    batch: &[AxisSet],
    at: &[AxisSet],
) -> Vec<AxisSet> {
    let anywhere = batch.iter().fold(0, |all, b| all | b);
    let mut moved = vec![0; rank];
    let windowed =
        (0..rank).filter(|d| !g.collapsed_slice_dims.contains(d) && !g.operand_batching_dims.contains(d));
    for (d, &o) in windowed.zip(&g.offset_dims) {
        moved[d] = at[o];
    }
    for &d in g.start_index_map.iter().chain(&g.operand_batching_dims) {
        moved[d] |= anywhere;
    }
    moved
}

/// Dimensions of a reshape in groups of equal product; within a group every index follows every axis, but a
/// dimension that stays alone keeps its own.
fn reshaped(from: &ArrayShape, to: &ArrayShape, at: &[AxisSet]) -> Vec<AxisSet> {
    let mut out = vec![0; from.rank()];
    if from.elements() == 0 {
        return out;
    }
    let (mut i, mut j) = (0, 0);
    while i < from.rank() && j < to.rank() {
        let (first_i, first_j) = (i, j);
        let (mut a, mut b) = (from.dims[i], to.dims[j]);
        while a != b {
            if a < b {
                i += 1;
                a *= from.dims[i];
            } else {
                j += 1;
                b *= to.dims[j];
            }
        }
        let all = at[first_j..=j].iter().fold(0, |all, d| all | d);
        for (axes, &n) in out.iter_mut().zip(&from.dims).take(i + 1).skip(first_i) {
            *axes = if n == 1 { 0 } else { all };
        }
        i += 1;
        j += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::{DType, Module};

    fn operand(text: &str, n: usize, at: &[AxisSet]) -> Place {
        let module = Module::parse(text).expect("valid");
        let comp = module.entry();
        let at = Place { dims: at.to_vec(), ..Place::root(&[]) };
        operand_place(comp, comp.root, n, &at)
    }

    #[test]
    fn a_broadcast_drops_axes() {
        let text = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  \
                    ROOT b = f32[3,4] broadcast(x), dimensions={1}\n}\n";
        assert_eq!(operand(text, 0, &[1, 2]).dims, [2]);
    }

    #[test]
    fn a_piece_of_a_concatenation_is_read_by_its_share() {
        let text = "HloModule m\nENTRY e {\n  x = f32[1] parameter(0)\n  y = f32[3] parameter(1)\n  \
                    ROOT c = f32[4] concatenate(x, y), dimensions={0}\n}\n";
        assert_eq!(operand(text, 0, &[1]).share, 0.25);
        assert_eq!(operand(text, 1, &[1]).share, 0.75);
        assert_eq!(operand(text, 1, &[1]).evaluated, 1.0, "shorter than a vector");
        let text = "HloModule m\nENTRY e {\n  x = f32[1,9] parameter(0)\n  y = f32[3,9] parameter(1)\n  \
                    ROOT c = f32[4,9] concatenate(x, y), dimensions={0}\n}\n";
        assert_eq!(operand(text, 1, &[1, 2]).evaluated, 0.75);
    }

    #[test]
    fn reshapes_keep_what_stays_alone() {
        let shape = |dims: &[i64]| ArrayShape::new(DType::F32, dims);
        assert_eq!(reshaped(&shape(&[6, 5]), &shape(&[2, 3, 5]), &[1, 2, 4]), [3, 4]);
        assert_eq!(reshaped(&shape(&[5]), &shape(&[5, 1]), &[1, 2]), [1]);
        assert_eq!(reshaped(&shape(&[1, 5]), &shape(&[5]), &[1]), [0, 1]);
        assert_eq!(reshaped(&shape(&[2, 3]), &shape(&[3, 2]), &[1, 2]), [3, 3]);
        assert_eq!(reshaped(&shape(&[0, 3]), &shape(&[3, 0]), &[1, 2]), [0, 0]);
    }
}
