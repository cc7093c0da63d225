//! A chain block by block: a `while` whose body copies the part of each array that a block reads, which then lies together in
//! cache, runs the kernels on it, and writes the block's part of each result.
//!
//! ```text
//! r = f32[n] …    →    w = (s32[], f32[c,n], f32[n]) while(zero, x, zeros), body = {
//!                        p = f32[c,b] fusion(x, i), calls=part
//!                        q = f32[b] fusion(p), calls=chain        …
//!                        r = f32[n] dynamic-update-slice(result, q, i·b)
//!                      }
//! ```

use super::find::{Chain, Piece, extents};
use super::leaf::Leaf;
use super::piece::{self, Extent, Part};
use crate::make;
use crate::pass::PassContext;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::{Direction, FusionKind, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Origin, Shape,
};
use lawson_kernel::target::Target;
use rustc_hash::{FxHashMap, FxHashSet};

/// The computations of a loop over blocks.
pub struct Blocks {
    condition: CompId,
    body: CompId,
    trips: i64,
    /// Members that others need.
    outputs: Vec<InstrId>,
}

/// Blocks are a multiple of so many vectors.
const VECTORS: i64 = 16;
/// Kernels read what blocks copy so many times, at least.
const AGAIN: i64 = 2;

impl Blocks {
    /// Whether a chain is divided.
    pub fn apply(comp: &Computation, chain: &Chain, target: &Target) -> bool {
        Plan::of(comp, chain, target).is_some()
    }

    /// Writes the loop's computations; `None` where a chain cannot be divided, or fits in cache as it is.
    pub fn new(
        cx: &PassContext,
        rebuild: &mut Rebuild<'_>,
        comp: &Computation,
        chain: &Chain,
    ) -> Option<Blocks> {
        let mut plan = Plan::of(comp, chain, &cx.options.target)?;
        let origin = origin(comp, chain);
        for source in &chain.reads {
            if let Some(part) = plan.parts.get(source) {
                let copy = copy(rebuild.module, &comp[*source], part, plan.length);
                plan.copies.insert(*source, rebuild.add(copy));
            }
        }
        let extent = Extent::Block { length: plan.length, parts: &plan.parts };
        for piece in &chain.pieces {
            let (body, reads) = piece::body(rebuild.module, comp, chain, piece, &extent);
            plan.calls.push((rebuild.add(body), reads));
        }
        let state = plan.state(comp, chain);
        let condition = condition(rebuild.module, &origin, state.clone(), plan.trips);
        let body = body(rebuild.module, comp, chain, &plan, (&origin, state));
        let (condition, body) = (rebuild.add(condition), rebuild.add(body));
        Some(Blocks { condition, body, trips: plan.trips, outputs: plan.outputs })
    }

    /// Runs the loop.
    pub fn call(&self, b: &mut Builder<'_>, comp: &Computation, chain: &Chain, map: &mut [Option<InstrId>]) {
        b.origin = origin(comp, chain);
        let mut init = vec![make::scalar(b, DType::S32, 0)];
        init.extend(chain.reads.iter().map(|r| map[r.index()].expect("what is read comes first")));
        for &output in &self.outputs {
            init.push(make::splat(b, comp[output].shape.expect_array(), 0));
        }
        let init = make::tuple(b, &init);
        let attrs = Attrs::While { condition: self.condition, body: self.body };
        let done = b.add(Opcode::While, &[init], attrs);
        make::set_trip_count(b, done, self.trips);
        for (n, &output) in self.outputs.iter().enumerate() {
            map[output.index()] = Some(make::element(b, done, 1 + chain.reads.len() + n));
        }
    }
}

/// Where the maps of a chain come from.
fn origin(comp: &Computation, chain: &Chain) -> Origin {
    Origin::union_of(chain.pieces.iter().flat_map(|p| &p.members).map(|m| &comp[*m].origin))
}

/// How a chain is divided.
struct Plan {
    /// Elements of a block.
    length: i64,
    trips: i64,
    parts: FxHashMap<InstrId, Part>,
    copies: FxHashMap<InstrId, CompId>,
    calls: Vec<(CompId, Vec<InstrId>)>,
    outputs: Vec<InstrId>,
}

impl Plan {
    fn of(comp: &Computation, chain: &Chain, target: &Target) -> Option<Plan> {
        let &[elements] = &chain.dims[..] else { return None };
        if chain.pieces.len() < 2 || target.gpu.is_some() {
            return None;
        }
        let mut parts = parts(comp, chain, elements)?;
        // Where a block begins is an s32.
        let ends = parts.values().map(|p| p.starts[p.dim] + p.shape.dims[p.dim]);
        if ends.chain([elements]).any(|end| end > i64::from(i32::MAX)) {
            return None;
        }
        let crossing = chain.pieces.iter().map(|p| p.outputs.iter().map(|o| size(comp, *o)).sum::<i64>());
        let read: i64 = parts.values().map(|p| p.shape.bytes() / p.shape.dims[p.dim].max(1)).sum();
        // What crosses stays until it is read; two kernels' results are about what is there at once.
        let each = read + 2 * crossing.max().unwrap_or(0);
        // Copies pay where kernels read the same again and again, and find it no longer in cache.
        if each * elements <= target.tile_bytes() || read_by_pieces(comp, chain) < AGAIN * read {
            return None;
        }
        let unit = VECTORS * i64::from(target.lanes());
        let lengths = std::iter::successors(Some(unit), |n| Some(2 * n));
        let length = lengths.take_while(|n| n * each <= target.tile_bytes() && elements % n == 0).last()?;
        for part in parts.values_mut() {
            part.shape.dims[part.dim] += length - elements;
        }
        let used = chain.pieces.iter().flat_map(|p| &p.outputs);
        let inside: FxHashSet<InstrId> = chain.pieces.iter().flat_map(|p| &p.members).copied().collect();
        let users = comp.users();
        let outside = |o: &&InstrId| **o == comp.root || users[o.index()].iter().any(|u| !inside.contains(u));
        let outputs = used.filter(outside).copied().collect();
        let (copies, calls) = (FxHashMap::default(), Vec::new());
        Some(Plan { length, trips: elements / length, parts, copies, calls, outputs })
    }

    fn state(&self, comp: &Computation, chain: &Chain) -> Shape {
        let arrays = chain.reads.iter().chain(&self.outputs).map(|r| comp[*r].shape.clone());
        let counter = Shape::Array(ArrayShape::new(DType::S32, []));
        Shape::Tuple(std::iter::once(counter).chain(arrays).collect())
    }
}

/// Bytes of an element of each array that a piece reads, of all pieces, without what crosses.
fn read_by_pieces(comp: &Computation, chain: &Chain) -> i64 {
    let of = |piece: &Piece| -> i64 {
        let operands = piece.members.iter().flat_map(|m| &comp[*m].operands);
        let leaf = |o: &&InstrId| matches!(chain.leaves.get(o), Some(Leaf::Part(..) | Leaf::Whole(_)));
        let read: FxHashSet<InstrId> = operands.filter(leaf).copied().collect();
        read.into_iter().map(|o| size(comp, o)).sum()
    };
    chain.pieces.iter().map(of).sum()
}

/// The dimension that blocks divide: the only one whose extent is not 1.
fn divided(dims: &[i64]) -> usize {
    dims.iter().position(|&extent| extent != 1).unwrap_or(0)
}

fn size(comp: &Computation, id: InstrId) -> i64 {
    comp[id].shape.as_array().map_or(0, |a| a.dtype.size() as i64)
}

/// The part of each array that all blocks read together; `None` where blocks do not divide it.
fn parts(comp: &Computation, chain: &Chain, elements: i64) -> Option<FxHashMap<InstrId, Part>> {
    let mut parts: FxHashMap<InstrId, Part> = FxHashMap::default();
    let mut leaves: Vec<(&InstrId, &Leaf)> = chain.leaves.iter().collect();
    leaves.sort_unstable_by_key(|(id, _)| **id);
    for (_, leaf) in leaves {
        let (source, starts, limits, dim) = match leaf {
            Leaf::Code => continue,
            Leaf::SpreadCode(source) if comp[*source].shape.expect_array().is_scalar() => continue,
            Leaf::Spread(source) | Leaf::Whole(source) if comp[*source].shape.expect_array().is_scalar() => {
                continue;
            }
            Leaf::Spread(_) | Leaf::SpreadCode(_) => return None,
            Leaf::Whole(source) if extents(&comp[*source].shape.expect_array().dims) == chain.dims => {
                let dims = &comp[*source].shape.expect_array().dims;
                (*source, vec![0; dims.len()], dims.clone(), divided(dims))
            }
            Leaf::Whole(_) => return None,
            Leaf::Part(source, ranges) => {
                let along = |r: &SliceDim| r.limit - r.start == elements && r.stride == 1;
                let dim = ranges.iter().position(along)?;
                let single = ranges.iter().enumerate().all(|(d, r)| d == dim || r.limit - r.start == 1);
                if !single {
                    return None;
                }
                let starts = ranges.iter().map(|r| r.start).collect();
                (*source, starts, ranges.iter().map(|r| r.limit).collect(), dim)
            }
        };
        let Some(known) = parts.get_mut(&source) else {
            let dims: Vec<i64> = starts.iter().zip(&limits).map(|(s, l)| l - s).collect();
            let shape = ArrayShape::new(comp[source].shape.expect_array().dtype, dims);
            parts.insert(source, Part { dim, starts, shape });
            continue;
        };
        if known.dim != dim || matches!(leaf, Leaf::Whole(_)) {
            return None;
        }
        for d in 0..starts.len() {
            let limit = limits[d].max(known.starts[d] + known.shape.dims[d]);
            known.starts[d] = known.starts[d].min(starts[d]);
            known.shape.dims[d] = limit - known.starts[d];
        }
    }
    Some(parts)
}

/// The computation that copies the part of an array that a block reads.
fn copy(module: &Module, source: &Instruction, part: &Part, length: i64) -> Computation {
    let mut b = Builder::new(module);
    b.origin = source.origin.clone();
    let whole = make::parameter(&mut b, 0, source.shape.clone());
    let trip = make::parameter(&mut b, 1, Shape::scalar(DType::S32));
    let at = start(&mut b, trip, length, part.starts[part.dim]);
    let starts = part.starts.iter().enumerate().map(|(d, &s)| match d == part.dim {
        true => at,
        false => make::scalar(&mut b, DType::S32, s),
    });
    let operands: Vec<InstrId> = [whole].into_iter().chain(starts).collect();
    let root = b.add(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(part.shape.dims.clone()));
    b.finish("part", root)
}

/// Where the block of a trip begins.
fn start(b: &mut Builder<'_>, trip: InstrId, length: i64, first: i64) -> InstrId {
    let length = make::scalar(b, DType::S32, length);
    let at = b.binary(Opcode::Multiply, trip, length);
    let first = make::scalar(b, DType::S32, first);
    b.binary(Opcode::Add, at, first)
}

fn condition(module: &Module, origin: &Origin, state: Shape, trips: i64) -> Computation {
    let mut b = Builder::new(module);
    b.origin = origin.clone();
    let state = make::parameter(&mut b, 0, state);
    let counter = make::element(&mut b, state, 0);
    let trips = make::scalar(&mut b, DType::S32, trips);
    let root = make::compare(&mut b, Direction::Lt, counter, trips);
    b.finish("blocks_condition", root)
}

fn body(
    module: &Module,
    comp: &Computation,
    chain: &Chain,
    plan: &Plan,
    (origin, state): (&Origin, Shape),
) -> Computation {
    let mut b = Builder::new(module);
    b.origin = origin.clone();
    let state = make::parameter(&mut b, 0, state);
    let state = make::elements(&mut b, state);
    let (trip, arrays) = (state[0], &state[1..]);
    let mut map: Vec<Option<InstrId>> = vec![None; comp.instrs.len()];
    for (read, &array) in chain.reads.iter().zip(arrays) {
        map[read.index()] = Some(match (plan.parts.get(read), plan.copies.get(read)) {
            (Some(part), Some(&calls)) => {
                let attrs = Attrs::Fusion { kind: FusionKind::Loop, calls };
                b.add_shaped(Opcode::Fusion, Shape::Array(part.shape.clone()), &[array, trip], attrs)
            }
            _ => array,
        });
    }
    for (piece, (called, reads)) in chain.pieces.iter().zip(&plan.calls) {
        piece::call(&mut b, comp, piece, (*called, reads), &mut map);
    }
    b.origin = origin.clone();
    let one = make::scalar(&mut b, DType::S32, 1);
    let (at, zero) = (start(&mut b, trip, plan.length, 0), make::scalar(&mut b, DType::S32, 0));
    let mut next = vec![b.binary(Opcode::Add, trip, one)];
    next.extend(&arrays[..chain.reads.len()]);
    for (output, &array) in plan.outputs.iter().zip(&arrays[chain.reads.len()..]) {
        let block = map[output.index()].expect("a member of a piece");
        let dims = &comp[*output].shape.expect_array().dims;
        let starts = (0..dims.len()).map(|d| if d == divided(dims) { at } else { zero });
        let operands: Vec<InstrId> = [array, block].into_iter().chain(starts).collect();
        next.push(b.add(Opcode::DynamicUpdateSlice, &operands, Attrs::None));
    }
    let root = make::tuple(&mut b, &next);
    b.finish("blocks", root)
}
