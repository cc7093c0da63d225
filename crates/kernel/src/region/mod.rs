//! Regions: what a kernel computes, as stages over index spaces.
//!
//! A region is built once from HLO ([`build`]). Operations that only move elements vanish into the offsets of
//! loads; what remains are scalar expressions over the axes of a stage, and stages: maps, reductions,
//! contractions, in-place updates, sorts. Expressions are hash-consed, so the number of distinct nodes is the
//! number of operations a point of the stage costs, recomputation counted exactly.

mod arg_extreme;
mod arguments;
pub mod build;
mod clip;
mod combiner;
pub mod eval;
mod factor_axes;
pub mod fast_math;
pub mod in_place;
mod interned;
mod live;
mod loop_stage;
mod moved;
mod nesting;
mod node;
mod order;
mod products;
mod reading_order;
pub mod reassociate;
mod roots;
mod row_values;
mod semirings;
mod siblings;
mod store_maps;
mod sum_order;
mod text;
mod updates;
mod varying;
mod verify;
mod weight;

pub use arg_extreme::ArgExtreme;
pub use loop_stage::{Carry, Element, LoopStage};
pub use nesting::Nesting;
pub use node::{Carried, Function, Node, NodeId, Place, Semiring, Source};
pub use order::Order;
pub use products::{narrow, with_product_order};
pub use reading_order::in_reading_order;
pub use roots::{all_roots_of, roots_of, symbol_nodes};
pub use row_values::row_values;
pub use semirings::as_products;
pub use store_maps::store_maps;
pub use sum_order::in_memory_order;
pub use verify::verify;

use interned::Interned;
use lawson_hlo::index::{Affine, Space};
use lawson_hlo::{DType, Opcode, Scalar};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The order in which a reduction combines (docs/numerics.md).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoldOrder {
    /// The minor dimension is reduced: chunks of 4096 elements, each in 64 lanes halved.
    MinorReduced,
    /// The same in chunks of 16,384, with 256 running values, one for each thread of the warps that share a row: where sums are free.
    MinorFree,
    /// The minor dimension is kept: chunks of 256 elements, folded left to right.
    MinorKept,
    /// Init first, then every element in turn: windows.
    Sequential,
}

impl FoldOrder {
    /// The word in the text of a region.
    pub fn name(self) -> &'static str {
        match self {
            FoldOrder::MinorReduced => "minor-reduced",
            FoldOrder::MinorFree => "minor-free",
            FoldOrder::MinorKept => "minor-kept",
            FoldOrder::Sequential => "sequential",
        }
    }

    /// Elements of one chunk; chunks are joined by adjacent pairs.
    pub fn chunk(self) -> i64 {
        match self {
            FoldOrder::MinorReduced => 4096,
            FoldOrder::MinorFree => 16384,
            FoldOrder::MinorKept => 256,
            FoldOrder::Sequential => i64::MAX,
        }
    }

    /// Whether the minor dimension is reduced, in running values.
    pub fn is_minor(self) -> bool {
        matches!(self, FoldOrder::MinorReduced | FoldOrder::MinorFree)
    }

    /// The running values of a chunk of the minor dimension.
    pub fn running(self) -> i64 {
        if self == FoldOrder::MinorFree { 256 } else { lawson_hlo::eval::order::LANES as i64 }
    }
}

/// The order in which a scan combines ([`reassociate`] has the rule of those in blocks).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScanOrder {
    /// Init, then every element in turn.
    Sequential,
    /// In chunks of 1024, of groups of 16 neighbours.
    MinorBlocked,
    /// In chunks of 64, one element after the other.
    KeptBlocked,
}

/// Elements that [`ScanOrder::MinorBlocked`] combines at a time.
pub const GROUP: i64 = 16;

impl ScanOrder {
    /// The word in the text of a region.
    pub fn name(self) -> &'static str {
        match self {
            ScanOrder::Sequential => "sequential",
            ScanOrder::MinorBlocked => "minor-blocked",
            ScanOrder::KeptBlocked => "kept-blocked",
        }
    }

    /// Elements of one chunk.
    pub fn chunk(self) -> i64 {
        match self {
            ScanOrder::Sequential => i64::MAX,
            ScanOrder::MinorBlocked => 1024,
            ScanOrder::KeptBlocked => 64,
        }
    }
}

/// How the sums of a product are formed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProductOrder {
    /// One chain of fused multiply-adds for each sum, in order.
    Sequential,
    /// In any order.
    Free,
    /// That, of factors that are rounded to TF32: as F32 with ten bits of the mantissa.
    FreeTf32,
}

impl ProductOrder {
    /// The words in the text of a region.
    pub fn name(self) -> &'static str {
        match self {
            ProductOrder::Sequential => "",
            ProductOrder::Free => ", in any order",
            ProductOrder::FreeTf32 => ", in any order, factors rounded to tf32",
        }
    }
}

/// What a stage does at each point of its space. Axes `0..space.len()` are the space, those after are inner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// One value for each result.
    Map { values: Vec<NodeId> },
    /// Several values for each point, each stored to a place of its own. All values of a point are evaluated before one
    /// of them is stored.
    Pieces(Vec<Stored>),
    /// Combines `values` over the inner axes, row-major; where the mask is false an element takes no part. On the way
    /// it stores arrays: its results after those of the `values`.
    Reduce {
        values: Vec<NodeId>,
        inits: Vec<NodeId>,
        combiner: Function,
        order: FoldOrder,
        mask: Option<NodeId>,
        stored: Vec<Stored>,
    },
    /// Σ lhs·rhs over the inner axes, in the accumulator type; with other operations where there is a semiring.
    Contract { lhs: NodeId, rhs: NodeId, accumulator: DType, order: ProductOrder, semiring: Option<Semiring> },
    /// For every point in row-major order: result[offset] = combine(result[offset], values), in place.
    /// The results start as copies of the inputs named in [`Region::aliases`].
    Update {
        values: Vec<NodeId>,
        offset: Affine,
        mask: Option<NodeId>,
        /// `None` overwrites.
        combiner: Option<Function>,
        /// No two points update one element, so any order gives the same result.
        unique: bool,
    },
    /// Running combination along the one inner axis, of init and the elements so far. The value after element `j` goes to
    /// `position` with the inner axis at `j`.
    Scan { values: Vec<NodeId>, inits: Vec<NodeId>, combiner: Function, order: ScanOrder, position: Affine },
    /// Sorts the one inner axis of `values` stably by a comparator on (a0, b0, a1, b1, …).
    /// Element `j` of the sorted row goes to `position` with the inner axis at `j`, for the first `kept` elements.
    Sort { values: Vec<NodeId>, less: Function, kept: i64, position: Affine },
    /// Repeats a step at each point, its state in registers.
    Loop(Box<LoopStage>),
    /// For each point, the window element chosen by `select`; there result = scatter(result, value).
    /// Results start as `init`.
    SelectAndScatter(Box<SelectAndScatter>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SelectAndScatter {
    /// The operand at the inner (window) position.
    pub operand: NodeId,
    /// The window position is inside the operand.
    pub mask: Option<NodeId>,
    /// Offset in the result of the window position.
    pub offset: Affine,
    /// The value scattered, of the space axes.
    pub value: NodeId,
    pub init: NodeId,
    pub select: Function,
    pub scatter: Function,
    /// Dimensions of the result.
    pub dims: Vec<i64>,
}

/// An output that a stage stores element by element, several at each of its points: of pieces, or of a reduction while
/// it visits its own elements. No stage reads it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stored {
    pub elements: i64,
    /// What goes where at each point: together they store each element of the array once.
    pub parts: Vec<(Affine, NodeId)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stage {
    /// The HLO instruction it stands for, and what it does.
    pub name: String,
    pub opcode: Opcode,
    /// Extents of the points; for a map, reduction or contraction also the dimensions of the results.
    pub space: Vec<i64>,
    /// Extents of the inner axes.
    pub inner: Vec<i64>,
    pub kind: Kind,
    /// Element type of each result.
    pub results: Vec<DType>,
    /// Elements of each result, of what is stored on the way excepted ([`Stage::elements_of`]).
    pub elements: i64,
}

impl Stage {
    /// All axes with their ranges.
    pub fn ranges(&self) -> Vec<(i64, i64)> {
        self.space.iter().chain(&self.inner).map(|&n| (0, (n - 1).max(0))).collect()
    }

    pub fn points(&self) -> i64 {
        self.space.iter().product()
    }

    pub fn inner_points(&self) -> i64 {
        self.inner.iter().product()
    }

    /// What pieces store, or a reduction on the way.
    pub fn stored(&self) -> &[Stored] {
        match &self.kind {
            Kind::Reduce { stored, .. } | Kind::Pieces(stored) => stored,
            _ => &[],
        }
    }

    /// The results but for those that are stored on the way.
    pub fn own_results(&self) -> &[DType] {
        &self.results[..self.results.len() - self.stored().len()]
    }

    /// What is stored on the way and is this result.
    pub fn stored_as(&self, result: usize) -> Option<&Stored> {
        result.checked_sub(self.own_results().len()).and_then(|n| self.stored().get(n))
    }

    /// Elements of one of the results.
    pub fn elements_of(&self, result: usize) -> i64 {
        self.stored_as(result).map_or(self.elements, |s| s.elements)
    }
}

/// A run-time integer used in offsets: a node of type s64 and its inclusive bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    pub node: NodeId,
    pub range: (i64, i64),
}

/// An array the region reads or makes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    pub name: String,
    pub dtype: DType,
    pub elements: i64,
}

/// One of several regions in a kernel. Its outputs follow those of the part before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub region: Region,
    /// For each of its inputs the kernel's.
    pub inputs: Vec<u32>,
}

/// What a kernel computes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    pub name: String,
    pub inputs: Vec<Array>,
    pub outputs: Vec<Array>,
    /// For each output the stage result it holds.
    pub output_sources: Vec<(u32, u32)>,
    /// Output `o` starts as a copy of input `i`, and should share its memory where that is free: (o, i).
    pub aliases: Vec<(u32, u32)>,
    pub nodes: Vec<Node>,
    pub types: Vec<DType>,
    pub symbols: Vec<Symbol>,
    pub stages: Vec<Stage>,
    /// Loops within the loop of the stage, each after the one around it.
    pub loops: Vec<LoopStage>,
    /// Arrays that each lane of the loop stage has for itself, with the elements of one lane: written by one loop, read by
    /// others after it, or updated and read from trip to trip.
    pub private: Vec<Array>,
    /// Regions that know nothing of each other, in one kernel: there are no stages then, nor output sources.
    pub parts: Vec<Part>,
    interned: Interned,
}

impl Region {
    /// An array that loops write.
    pub fn written(&self, place: Place) -> Option<&Array> {
        match place {
            Place::Output(n) => self.outputs.get(n as usize),
            Place::Private(n) => self.private.get(n as usize),
        }
    }

    /// Whether the array of this result of a stage starts as another one, of which the stage need not replace everything.
    pub fn starts_as_another(&self, result: (u32, u32)) -> bool {
        let mut outputs = self.output_sources.iter().enumerate().filter(|&(_, &source)| source == result);
        outputs.any(|(o, _)| self.aliases.iter().any(|&(output, _)| output as usize == o))
    }

    /// A hash of what the region computes, whatever it is called.
    pub fn code_hash(&self) -> u64 {
        let mut h = FxHasher::default();
        (&self.nodes, &self.types, &self.output_sources, &self.loops).hash(&mut h);
        self.private.iter().for_each(|a| (a.dtype, a.elements).hash(&mut h));
        self.stages.iter().for_each(|s| (s.opcode, &s.space, &s.inner, &s.kind).hash(&mut h));
        self.parts.iter().for_each(|p| (p.region.code_hash(), &p.inputs).hash(&mut h));
        h.finish()
    }

    /// Whether both are the same kernel: equal but for names.
    pub fn is_code_of(&self, other: &Region) -> bool {
        let arrays = |a: &[Array], b: &[Array]| {
            a.iter().map(|a| (a.dtype, a.elements)).eq(b.iter().map(|b| (b.dtype, b.elements)))
        };
        // A stage without its name.
        let parts_of = |s: &Stage| (s.opcode, s.elements);
        let stage = |(a, b): (&Stage, &Stage)| {
            parts_of(a) == parts_of(b)
                && (&a.space, &a.inner, &a.kind, &a.results) == (&b.space, &b.inner, &b.kind, &b.results)
        };
        let part = |(a, b): (&Part, &Part)| a.inputs == b.inputs && a.region.is_code_of(&b.region);
        (&self.nodes, &self.types, &self.symbols) == (&other.nodes, &other.types, &other.symbols)
            && (&self.output_sources, &self.aliases) == (&other.output_sources, &other.aliases)
            && arrays(&self.inputs, &other.inputs)
            && arrays(&self.outputs, &other.outputs)
            && arrays(&self.private, &other.private)
            && self.loops == other.loops
            && self.stages.len() == other.stages.len()
            && self.stages.iter().zip(&other.stages).all(stage)
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(part)
    }

    /// The same arrays, with nothing computed yet: no nodes, stages, loops or parts.
    pub fn with_arrays_of(other: &Region) -> Region {
        Region {
            name: other.name.clone(),
            inputs: other.inputs.clone(),
            outputs: other.outputs.clone(),
            output_sources: other.output_sources.clone(),
            aliases: other.aliases.clone(),
            ..Region::default()
        }
    }

    /// The region of parts that read these arrays.
    pub fn of_parts(name: impl Into<String>, inputs: Vec<Array>, parts: Vec<Part>) -> Region {
        let mut region = Region { name: name.into(), inputs, ..Region::default() };
        for part in &parts {
            let first = region.outputs.len() as u32;
            let aliases = part.region.aliases.iter();
            region.aliases.extend(aliases.map(|&(o, i)| (first + o, part.inputs[i as usize])));
            region.outputs.extend(part.region.outputs.iter().cloned());
        }
        region.parts = parts;
        region
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn dtype(&self, id: NodeId) -> DType {
        self.types[id.0 as usize]
    }

    /// Adds a node, or finds the equal one.
    pub fn add(&mut self, node: Node, dtype: DType) -> NodeId {
        let (hash, found) = self.interned.find(&node, |id| {
            let at = id.0 as usize;
            self.types[at] == dtype && self.nodes[at] == node
        });
        if let Some(id) = found {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.interned.insert(hash, id);
        self.nodes.push(node);
        self.types.push(dtype);
        id
    }

    /// Names the results of stages anew where they are read and where they are outputs, after stages came or went.
    fn renumber_results(&mut self, new: impl Fn((u32, u32)) -> (u32, u32)) {
        for node in &mut self.nodes {
            if let Node::Load { source: Source::Stage { stage, output }, .. } = node {
                (*stage, *output) = new((*stage, *output));
            }
        }
        self.output_sources.iter_mut().for_each(|s| *s = new(*s));
    }

    /// Finds equal nodes again after nodes were changed in place.
    fn index_nodes(&mut self) {
        self.interned.clear();
        for (n, node) in self.nodes.iter().enumerate() {
            self.interned.insert(interned::hash(node), NodeId(n as u32));
        }
    }

    /// The space of a stage: its axes and the region's symbols.
    pub fn space_of(&self, ranges: &[(i64, i64)]) -> Space {
        Space { axes: ranges.to_vec(), symbols: self.symbols.iter().map(|s| s.range).collect() }
    }

    /// The value of an integer constant.
    pub fn integer(&self, id: NodeId) -> Option<i128> {
        let Node::Constant { bits } = self.node(id) else { return None };
        self.dtype(id).integer_width()?;
        Scalar::from_bits(self.dtype(id), *bits).as_i128()
    }

    /// The value of a constant float.
    pub fn number(&self, id: NodeId) -> Option<f64> {
        let Node::Constant { bits } = self.node(id) else { return None };
        let dtype = self.dtype(id);
        dtype.is_float().then(|| Scalar::from_bits(dtype, *bits).as_f64())
    }

    /// The loads an expression is made of, in the order of the nodes.
    pub fn loads(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut all = self.reachable(roots);
        all.retain(|id| matches!(self.node(*id), Node::Load { .. }));
        all
    }

    /// The nodes an expression is made of, itself included, operands first; through symbols too.
    pub fn reachable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        // Operands have smaller positions, so that one sweep from the last root on meets them all. What an expression
        // is made of is often a small part of the nodes before it: 64 that are not are passed over at once.
        let end = roots.iter().map(|r| r.0 + 1).max().unwrap_or(0);
        let words = end.div_ceil(64) as usize;
        let (mut few, mut many) = ([0u64; 16], Vec::new());
        let seen = if words <= few.len() {
            &mut few[..words]
        } else {
            many.resize(words, 0u64);
            &mut many[..]
        };
        let place = |n: u32| (n as usize / 64, 1u64 << (n % 64));
        for root in roots {
            let (word, bit) = place(root.0);
            seen[word] |= bit;
        }
        let mut count = 0;
        for word in (0..seen.len()).rev() {
            let mut above = 0;
            loop {
                let left = seen[word] & !above;
                if left == 0 {
                    break;
                }
                let highest = 63 - left.leading_zeros();
                above |= !0 << highest;
                count += 1;
                self.operands(NodeId(word as u32 * 64 + highest), &mut |o| {
                    debug_assert!(o.0 < word as u32 * 64 + highest, "operands come first");
                    let (word, bit) = place(o.0);
                    seen[word] |= bit;
                });
            }
        }
        let mut out = Vec::with_capacity(count);
        for (word, &bits) in seen.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                out.push(NodeId(word as u32 * 64 + bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
        out
    }

    /// Calls `f` for each node this one needs.
    pub fn operands(&self, id: NodeId, f: &mut impl FnMut(NodeId)) {
        let affine = |e: &Affine, f: &mut dyn FnMut(NodeId)| {
            if self.symbols.is_empty() {
                return;
            }
            e.visit(&mut |a| {
                if let lawson_hlo::index::Atom::Symbol(s) = a {
                    f(self.symbols[*s as usize].node);
                }
            });
        };
        match self.node(id) {
            // A loop runs to its end before anything is known of it.
            Node::Carry(Carried { of, last: true, .. }) => {
                let Some(inner) = (*of as usize).checked_sub(1).and_then(|n| self.loops.get(n)) else {
                    return;
                };
                inner.carries.iter().for_each(|c| f(c.init));
                inner.ends().for_each(&mut *f);
                inner.carries.iter().for_each(|c| f(c.next));
                inner.before.iter().chain(&inner.stores).flat_map(Element::roots).for_each(&mut *f);
            }
            Node::Constant { .. } | Node::Argument(_) | Node::Carry(_) => {}
            Node::Index(e) | Node::InRange { value: e, .. } => affine(e, f),
            Node::Load { source, offset, mask } => {
                if let Source::Written { after, .. } = source {
                    f(*after);
                }
                affine(offset, f);
                mask.iter().for_each(|m| f(*m));
            }
            Node::Unary { x, .. }
            | Node::Convert { x, .. }
            | Node::Bits { x, .. }
            | Node::ReducePrecision { x, .. } => f(*x),
            Node::Binary { x, y, .. } | Node::Compare { x, y, .. } => {
                f(*x);
                f(*y);
            }
            Node::Select { mask: a, x: b, y: c } | Node::Fma { x: a, y: b, z: c } => {
                f(*a);
                f(*b);
                f(*c);
            }
        }
    }
}
