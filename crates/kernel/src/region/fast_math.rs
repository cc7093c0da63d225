//! What `--numerics fast` permits inside a kernel: the same region with fewer roundings.
//!
//! Everything that leaves a stage keeps its type, as does what a loop carries, what is compared, and what is read as
//! bits; so equal values stay equal, and memory holds what the program says. In between:
//!
//! - `contract`: `x · y + z` and `x · y - z` are one fused multiply-add, where nothing else reads the product. A
//!   difference of two products stays as it is: it may be exactly zero, and one of them unrounded would make it a
//!   little less, under a square root a NaN. A product of pairs that rounds before it adds (`semirings`) is one of multiply-adds.
//! - `excess-precision`: arithmetic on f16 and bf16 goes on in f32 from one operation to the next, and a conversion to
//!   the narrow type and back is none; but for the factors of products that units multiply, which are narrow.

use super::{Function, Kind, LoopStage, Node, NodeId, ProductOrder, Region, Stage};
use lawson_hlo::{DType, Opcode, Scalar};
use rustc_hash::FxHashMap;

/// The rules: names, and before → after.
pub const RULES: &[(&str, &str)] = &[
    (
        "contract",
        "x · y + z → fma(x, y, z), if nothing else reads the product; likewise -, but for two products",
    ),
    ("excess-precision", "f16 and bf16 stay f32 from one operation to the next; convert there and back → x"),
];

/// The region as `fast` computes it. The same stages, reads and results.
pub fn relax(region: &Region) -> Region {
    let mut roots = Vec::new();
    let mut new = region.clone();
    new.stages.iter_mut().for_each(|stage| contract(region, stage));
    each_root(&mut new, &mut |root| roots.push(*root));
    (new.nodes, new.types) = (Vec::new(), Vec::new());
    new.interned.clear();
    let order = region.reachable(&roots);
    let products = products(region, &order, &roots);
    let mut cx = Relaxer { old: region, new, known: FxHashMap::default() };
    let mut absorbed = vec![false; region.nodes.len()];
    products.values().for_each(|p| absorbed[p.product.0 as usize] = true);
    for &id in order.iter().filter(|id| !absorbed[id.0 as usize]) {
        let node = match products.get(&id) {
            Some(sum) => cx.fma(id, sum),
            None => cx.node(id),
        };
        cx.known.insert(id, node);
    }
    let factors = region.stages.iter().flat_map(narrow_factors);
    let factors: FxHashMap<NodeId, NodeId> = factors.map(|r| (r, cx.rounded(r))).collect();
    let own: FxHashMap<NodeId, NodeId> =
        roots.iter().map(|&r| (r, factors.get(&r).copied().unwrap_or_else(|| cx.own(r)))).collect();
    let mut new = cx.new;
    each_root(&mut new, &mut |root| *root = own[root]);
    new.parts.iter_mut().for_each(|p| p.region = relax(&p.region));
    new
}

/// Lets a product that rounds before it adds be one of fused multiply-adds.
fn contract(region: &Region, stage: &mut Stage) {
    if let Kind::Contract { semiring, .. } = &mut stage.kind
        && semiring.as_ref().is_some_and(|s| s.adds_products(region))
    {
        *semiring = None;
    }
}

/// The operands of a product of matrices of a narrow type.
fn narrow_factors(stage: &Stage) -> impl Iterator<Item = NodeId> + use<> {
    let operands = match stage.kind {
        Kind::Contract { lhs, rhs, order: ProductOrder::Free, .. } => Some([lhs, rhs]),
        _ => None,
    };
    operands.into_iter().flatten()
}

/// A sum of a product and something else.
struct Sum {
    product: NodeId,
    other: NodeId,
    /// The product is taken away.
    minus_product: bool,
    /// The other is.
    minus_other: bool,
}

/// For each sum the product it absorbs.
fn products(region: &Region, order: &[NodeId], roots: &[NodeId]) -> FxHashMap<NodeId, Sum> {
    let mut uses = vec![0u32; region.nodes.len()];
    roots.iter().for_each(|r| uses[r.0 as usize] += 1);
    order.iter().for_each(|&id| region.operands(id, &mut |o| uses[o.0 as usize] += 1));
    let is_product = |id: NodeId, of: DType| matches!(region.node(id), Node::Binary { opcode: Opcode::Multiply, dtype, .. } if *dtype == of);
    let mut found = FxHashMap::default();
    for &id in order {
        let Node::Binary { opcode: opcode @ (Opcode::Add | Opcode::Subtract), dtype, x, y } =
            *region.node(id)
        else {
            continue;
        };
        let difference = opcode == Opcode::Subtract;
        if !dtype.is_float() || difference && is_product(x, dtype) && is_product(y, dtype) {
            continue;
        }
        let free = |id: NodeId| is_product(id, dtype) && uses[id.0 as usize] == 1;
        let sum = match (free(x), free(y)) {
            (true, _) => Sum { product: x, other: y, minus_product: false, minus_other: difference },
            (_, true) => Sum { product: y, other: x, minus_product: difference, minus_other: false },
            _ => continue,
        };
        found.insert(id, sum);
    }
    found
}

struct Relaxer<'r> {
    old: &'r Region,
    new: Region,
    /// What a node became; of f16 and bf16 perhaps a value in f32.
    known: FxHashMap<NodeId, NodeId>,
}

impl Relaxer<'_> {
    /// The value in the type the program gives it.
    fn own(&mut self, id: NodeId) -> NodeId {
        let (value, to) = (self.known[&id], self.old.dtype(id));
        self.convert(value, to)
    }

    /// The value of a conversion from the type that the program gives its operand.
    fn rounded(&mut self, id: NodeId) -> NodeId {
        match *self.old.node(id) {
            Node::Convert { x, .. } => {
                let x = self.own(x);
                self.convert(x, self.old.dtype(id))
            }
            _ => self.own(id),
        }
    }

    /// Whether a value has become one of a wider type.
    fn is_wide(&self, id: NodeId) -> bool {
        self.new.dtype(self.known[&id]) != self.old.dtype(id)
    }

    /// The value in the type it is computed in.
    fn wide(&mut self, id: NodeId) -> NodeId {
        let value = self.known[&id];
        let dtype = self.new.dtype(value);
        if dtype == dtype.accumulator() || !dtype.is_float() {
            return value;
        }
        if let Node::Constant { bits } = *self.new.node(value) {
            let number = Scalar::from_bits(dtype, bits).as_f64();
            let bits = u64::from((number as f32).to_bits());
            return self.new.add(Node::Constant { bits: [bits, 0, 0, 0] }, DType::F32);
        }
        self.convert(value, dtype.accumulator())
    }

    fn convert(&mut self, x: NodeId, to: DType) -> NodeId {
        let from = self.new.dtype(x);
        if from == to { x } else { self.new.add(Node::Convert { from, x }, to) }
    }

    fn fma(&mut self, id: NodeId, sum: &Sum) -> NodeId {
        let Node::Binary { x, y, .. } = *self.old.node(sum.product) else { return self.node(id) };
        let (x, y, z) = (self.wide(x), self.wide(y), self.wide(sum.other));
        let x = if sum.minus_product { self.negate(x) } else { x };
        let z = if sum.minus_other { self.negate(z) } else { z };
        let dtype = self.new.dtype(z);
        self.new.add(Node::Fma { x, y, z }, dtype)
    }

    fn negate(&mut self, x: NodeId) -> NodeId {
        let dtype = self.new.dtype(x);
        self.new.add(Node::Unary { opcode: Opcode::Negate, dtype, x }, dtype)
    }

    fn node(&mut self, id: NodeId) -> NodeId {
        let dtype = self.old.dtype(id);
        let narrow = dtype.is_float() && dtype != dtype.accumulator();
        let wide = dtype.accumulator();
        let mut node = self.old.node(id).clone();
        match &mut node {
            Node::Unary { dtype: of, x, .. } if narrow && *of == dtype => {
                (*of, *x) = (wide, self.wide(*x));
                return self.new.add(node, wide);
            }
            Node::Binary { dtype: of, x, y, .. } if narrow && *of == dtype => {
                (*of, *x, *y) = (wide, self.wide(*x), self.wide(*y));
                return self.new.add(node, wide);
            }
            // A choice between values that are narrow needs no more.
            Node::Select { mask, x, y } if narrow && (self.is_wide(*x) || self.is_wide(*y)) => {
                (*mask, *x, *y) = (self.own(*mask), self.wide(*x), self.wide(*y));
                return self.new.add(node, wide);
            }
            // There and back, or only there: what was in f32 stays.
            Node::Convert { x, .. } if self.new.dtype(self.known[x]).is_f32() && wide.is_f32() => {
                return self.known[x];
            }
            Node::Convert { from, x } if narrow => {
                (*from, *x) = (self.old.dtype(*x), self.own(*x));
                return self.new.add(node, wide);
            }
            // What a loop is made of comes before what is known after it.
            Node::Carry(_) => {
                let mut inside = Vec::new();
                self.old.operands(id, &mut |o| inside.push(o));
                for o in inside {
                    self.own(o);
                }
            }
            _ => node.operands_mut(&mut |o| *o = self.own(*o)),
        }
        self.new.add(node, dtype)
    }
}

/// Calls `f` with every node that something other than a node names.
fn each_root(region: &mut Region, f: &mut dyn FnMut(&mut NodeId)) {
    region.symbols.iter_mut().for_each(|s| f(&mut s.node));
    region.stages.iter_mut().for_each(|s| each_root_of(s, f));
    region.loops.iter_mut().for_each(|l| each_root_of_loop(l, f));
}

fn each_root_of_loop(loop_stage: &mut LoopStage, f: &mut dyn FnMut(&mut NodeId)) {
    for carry in &mut loop_stage.carries {
        [&mut carry.node, &mut carry.init, &mut carry.next].into_iter().for_each(&mut *f);
    }
    let ends = loop_stage.condition.iter_mut().chain(&mut loop_stage.any);
    ends.chain(&mut loop_stage.within).for_each(&mut *f);
    let LoopStage { before, stores, finals, .. } = loop_stage;
    for e in before.iter_mut().chain(stores).chain(finals) {
        f(&mut e.value);
        e.mask.iter_mut().chain(&mut e.symbols).for_each(&mut *f);
    }
}

fn each_root_of(stage: &mut Stage, f: &mut dyn FnMut(&mut NodeId)) {
    fn function(called: &mut Function, f: &mut dyn FnMut(&mut NodeId)) {
        called.results.iter_mut().for_each(f);
    }
    match &mut stage.kind {
        Kind::Map { values } => values.iter_mut().for_each(f),
        Kind::Pieces(stored) => stored.iter_mut().flat_map(|s| &mut s.parts).for_each(|(_, value)| f(value)),
        Kind::Reduce { values, inits, combiner, mask, stored, .. } => {
            values.iter_mut().chain(inits).chain(mask).for_each(&mut *f);
            stored.iter_mut().flat_map(|s| &mut s.parts).for_each(|(_, value)| f(value));
            function(combiner, f);
        }
        Kind::Contract { lhs, rhs, semiring, .. } => {
            [lhs, rhs].into_iter().for_each(&mut *f);
            semiring.iter_mut().flat_map(|s| [&mut s.multiply, &mut s.add]).for_each(|g| function(g, f));
        }
        Kind::Update { values, mask, combiner, .. } => {
            values.iter_mut().chain(mask).for_each(&mut *f);
            combiner.iter_mut().for_each(|c| function(c, f));
        }
        Kind::Scan { values, inits, combiner, .. } => {
            values.iter_mut().chain(inits).for_each(&mut *f);
            function(combiner, f);
        }
        Kind::Sort { values, less, .. } => {
            values.iter_mut().for_each(&mut *f);
            function(less, f);
        }
        Kind::Loop(loop_stage) => each_root_of_loop(loop_stage, f),
        Kind::SelectAndScatter(s) => {
            [&mut s.operand, &mut s.value, &mut s.init].into_iter().chain(&mut s.mask).for_each(&mut *f);
            function(&mut s.select, f);
            function(&mut s.scatter, f);
        }
    }
}
