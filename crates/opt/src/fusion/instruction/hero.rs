//! The space of a hero's kernel, and the places at which it reads its operands.

use super::place::{AxisSet, Place, Scope, axes};
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Opcode};
use lawson_kernel::region::build::cumulative_dim;

/// The loops of a kernel, as far as estimates care.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Space {
    /// Extents of the space axes, then of the inner axes.
    pub extents: Vec<i64>,
    /// How many are space axes.
    pub space: usize,
    /// The axis along which lanes run.
    pub lane: Option<usize>,
}

impl Space {
    pub fn of_map(extents: &[i64], lanes: u32) -> Space {
        Space { extents: extents.to_vec(), space: extents.len(), lane: lane_axis(extents, lanes) }
    }

    /// Lanes that work: the largest power of two that the lane axis fills.
    pub fn width(&self, lanes: u32) -> u32 {
        let extent = self.lane.map_or(1, |l| self.extents[l]);
        lawson_kernel::plan::lanes_within(extent, lanes)
    }

    /// Points of the inner axes.
    pub fn inner_points(&self) -> i64 {
        self.extents[self.space..].iter().product()
    }

    pub fn all_points(&self) -> i64 {
        self.extents.iter().product()
    }
}

/// The last axis, unless it is too short for vectors and another is longer.
fn lane_axis(extents: &[i64], lanes: u32) -> Option<usize> {
    let last = extents.len().checked_sub(1)?;
    if extents[last] >= lanes as i64 / 2 {
        return Some(last);
    }
    (0..extents.len()).max_by_key(|&k| (extents[k].min(lanes as i64), k))
}

/// The loops of a hero.
pub fn space_of(comp: &Computation, id: InstrId, lanes: u32) -> Space {
    let instr = &comp[id];
    let operand = |n: usize| &comp.operand(instr, n).shape.expect_array().dims;
    let result = || instr.shape.leaves().first().map_or(&[][..], |l| &l.dims[..]);
    let (space, inner): (Vec<i64>, Vec<i64>) = match &instr.attrs {
        Attrs::Reduce { dims, .. } => (
            result().to_vec(),
            operand(0).iter().enumerate().filter(|(d, _)| dims.contains(d)).map(|(_, &n)| n).collect(),
        ),
        Attrs::ReduceWindow { window, .. } => match cumulative_dim(window, operand(0)) {
            Some(dim) => along(operand(0), dim),
            None => (result().to_vec(), window.iter().map(|w| w.size).collect()),
        },
        Attrs::Dot(dims) => {
            (result().to_vec(), dims.lhs_contracting.iter().map(|&d| operand(0)[d]).collect())
        }
        Attrs::Convolution(dims) => {
            let mut inner: Vec<i64> = dims.window.iter().map(|w| w.size).collect();
            inner.push(operand(1)[dims.kernel_input_feature]);
            (result().to_vec(), inner)
        }
        Attrs::SelectAndScatter { window, .. } => {
            (operand(1).to_vec(), window.iter().map(|w| w.size).collect())
        }
        Attrs::Sort { dim, .. } => along(operand(0), *dim),
        Attrs::TopK { .. } => along(operand(0), operand(0).len() - 1),
        Attrs::Scatter(_) => (operand(instr.operands.len() / 2 + 1).to_vec(), Vec::new()),
        _ if instr.opcode == Opcode::DynamicUpdateSlice => (operand(1).to_vec(), Vec::new()),
        _ => (result().to_vec(), Vec::new()),
    };
    let count = space.len();
    let extents: Vec<i64> = space.iter().chain(&inner).copied().collect();
    let lane = match &instr.attrs {
        Attrs::Reduce { dims, .. } if dims.iter().any(|d| d + 1 == operand(0).len()) => {
            extents.len().checked_sub(1)
        }
        Attrs::TopK { .. } => extents.len().checked_sub(1),
        // One element after the other.
        Attrs::Sort { .. } | Attrs::SelectAndScatter { .. } => None,
        Attrs::Scatter(scatter) if !scatter.unique_indices => None,
        _ => lane_axis(&space, lanes),
    };
    Space { extents, space: count, lane }
}

/// Rows along one dimension: the others are the space.
fn along(dims: &[i64], dim: usize) -> (Vec<i64>, Vec<i64>) {
    let mut space = dims.to_vec();
    let inner = vec![space.remove(dim)];
    (space, inner)
}

/// The place at which a hero reads operand `n`; `None` where it must be memory.
pub fn hero_place(comp: &Computation, instr: &Instruction, n: usize, kernel: &Space) -> Option<Place> {
    let shape = comp.operand(instr, n).shape.expect_array();
    let rank = shape.rank();
    let all = axes(&kernel.extents, 0);
    let (space, inner) = all.split_at(kernel.space);
    let scalar = || vec![0; rank];
    let dims: Vec<AxisSet> = match &instr.attrs {
        Attrs::Reduce { dims, .. } if n < instr.operands.len() / 2 => {
            let (mut kept, mut reduced) = (space.iter(), inner.iter());
            let mut next =
                |d| if dims.contains(&d) { reduced.next() } else { kept.next() }.copied().unwrap_or(0);
            (0..rank).map(&mut next).collect()
        }
        Attrs::ReduceWindow { window, .. } if n < instr.operands.len() / 2 => {
            match cumulative_dim(window, &shape.dims) {
                Some(dim) => beside(space, dim, inner[0]),
                None => joined(space, inner),
            }
        }
        Attrs::SelectAndScatter { .. } if n == 0 => joined(space, inner),
        Attrs::SelectAndScatter { .. } if n == 1 => space.to_vec(),
        Attrs::Dot(dot) => {
            let (batch, contracting, skip) = match n {
                0 => (&dot.lhs_batch, &dot.lhs_contracting, dot.lhs_batch.len()),
                _ => {
                    let lhs = comp.operand(instr, 0).shape.expect_array().rank();
                    (&dot.rhs_batch, &dot.rhs_contracting, lhs - dot.lhs_contracting.len())
                }
            };
            let mut free = space.iter().skip(skip);
            let dim = |d: usize| {
                if let Some(k) = batch.iter().position(|&b| b == d) {
                    space[k]
                } else if let Some(k) = contracting.iter().position(|&c| c == d) {
                    inner[k]
                } else {
                    free.next().copied().unwrap_or(0)
                }
            };
            (0..rank).map(dim).collect()
        }
        Attrs::Convolution(conv) => {
            let mut dims = scalar();
            let window = conv.window.len();
            if n == 0 {
                let grouped = if conv.feature_group_count > 1 { space[conv.output_feature] } else { 0 };
                let batched = if conv.batch_group_count > 1 { space[conv.output_feature] } else { 0 };
                dims[conv.input_batch] = space[conv.output_batch] | batched;
                dims[conv.input_feature] = inner[window] | grouped;
                for k in 0..window {
                    dims[conv.input_spatial[k]] = space[conv.output_spatial[k]] | inner[k];
                }
            } else {
                dims[conv.kernel_input_feature] = inner[window];
                dims[conv.kernel_output_feature] = space[conv.output_feature];
                (0..window).for_each(|k| dims[conv.kernel_spatial[k]] = inner[k]);
            }
            dims
        }
        Attrs::Sort { dim, .. } => beside(space, *dim, inner[0]),
        Attrs::TopK { .. } => beside(space, rank - 1, inner[0]),
        Attrs::Scatter(scatter) => {
            let count = instr.operands.len() / 2;
            match n {
                n if n < count => return None,
                n if n > count => space.to_vec(),
                _ => {
                    let batch = (0..space.len()).filter(|d| !scatter.update_window_dims.contains(d));
                    let mut batch = batch.map(|d| space[d]);
                    let index = |d| if d == scatter.index_vector_dim { 0 } else { batch.next().unwrap_or(0) };
                    (0..rank).map(index).collect()
                }
            }
        }
        _ if instr.opcode == Opcode::DynamicUpdateSlice && n == 0 => return None,
        _ if instr.opcode == Opcode::DynamicUpdateSlice && n == 1 => space.to_vec(),
        _ => scalar(),
    };
    let id = if rank == 0 { Place::SCALAR } else { Place::FRESH };
    Some(Place {
        id,
        scope: Scope::Operand(n.min(255) as u8),
        dims,
        share: 1.0,
        evaluated: 1.0,
        identity: false,
    })
}

/// Window positions: each dimension follows its point and its offset.
fn joined(space: &[AxisSet], inner: &[AxisSet]) -> Vec<AxisSet> {
    space.iter().zip(inner).map(|(s, i)| s | i).collect()
}

/// The space with the inner axis put in as a dimension.
fn beside(space: &[AxisSet], dim: usize, inner: AxisSet) -> Vec<AxisSet> {
    let mut dims = space.to_vec();
    dims.insert(dim, inner);
    dims
}
