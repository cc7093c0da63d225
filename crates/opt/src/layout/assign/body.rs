//! What a kernel computes where arrays lie in other orders.
//!
//! Values are made in the order in which they are wanted: elementwise operations in that of their result, products with
//! their sides exchanged; what is left are transposes of parameters, and of what has no other order.

use super::Orders;
use super::kernels::Kernel;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Module, Opcode, Shape};
use rustc_hash::FxHashMap;

/// The computation of a kernel where arrays lie in these orders; its parameters come first.
pub fn body(module: &Module, comp: &Computation, kernel: &Kernel, orders: &Orders) -> Computation {
    let instr = &comp[kernel.instr];
    let (source, parameters, root) = match instr.attrs {
        Attrs::Fusion { calls, .. } => (&module[calls], module[calls].parameters(), module[calls].root),
        _ => (comp, kernel.operands.clone(), kernel.instr),
    };
    let mut b = Builder::new(module);
    let mut leaves = FxHashMap::default();
    for (n, (id, array)) in parameters.iter().zip(&kernel.operands).enumerate() {
        let (like, order) = (&source[*id], orders.get(array).cloned());
        let shape = order.as_ref().map_or_else(|| like.shape.clone(), |o| ordered(&like.shape, o));
        let (opcode, attrs) = (Opcode::Parameter, Attrs::Parameter(n));
        let new = Instruction::new(like.name.clone(), opcode, shape, Vec::new(), attrs, like.origin.clone());
        leaves.insert(*id, (b.push(new), order));
    }
    let mut cx = Turner { b, source, leaves, made: FxHashMap::default() };
    let order = |array: &Option<InstrId>| array.and_then(|a| orders.get(&a).cloned());
    let root = match source[root].opcode {
        Opcode::Tuple => {
            let elements = source[root].operands.iter().zip(&kernel.results);
            let elements: Vec<InstrId> = elements.map(|(&id, array)| cx.value(id, order(array))).collect();
            cx.b.add(Opcode::Tuple, &elements, Attrs::None)
        }
        _ => cx.value(root, order(&kernel.results.first().copied().flatten())),
    };
    cx.b.finish("fused", root)
}

/// The shape of an array whose dimensions stand in this order.
pub fn ordered(shape: &Shape, order: &[usize]) -> Shape {
    let array = shape.expect_array();
    Shape::array(array.dtype, order.iter().map(|&d| array.dims[d]).collect::<Vec<_>>())
}

/// The dimension that stands at each place; `None` where all stand at their own.
type Order = Option<Vec<usize>>;

struct Turner<'a, 'm> {
    b: Builder<'m>,
    source: &'a Computation,
    /// The parameters of the kernel, as they lie.
    leaves: FxHashMap<InstrId, (InstrId, Order)>,
    made: FxHashMap<(InstrId, Order), InstrId>,
}

impl Turner<'_, '_> {
    /// A value of the source in an order.
    fn value(&mut self, id: InstrId, order: Order) -> InstrId {
        let order = order.filter(|o| !o.is_sorted());
        let key = (id, order);
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let new = match (self.leaves.get(&id).cloned(), &key.1) {
            (Some((leaf, lies)), order) => self.parameter(leaf, lies, order.as_deref()),
            (None, None) => self.in_order(id),
            (None, Some(order)) => self.turned(id, order),
        };
        self.made.insert(key, new);
        new
    }

    fn parameter(&mut self, leaf: InstrId, lies: Order, order: Option<&[usize]>) -> InstrId {
        let rank = self.b.shape(leaf).as_array().map_or(0, |a| a.dims.len());
        let all = |o: Option<&[usize]>| o.map_or_else(|| (0..rank).collect::<Vec<_>>(), <[usize]>::to_vec);
        let (lies, wanted) = (all(lies.as_deref()), all(order));
        let place = |d: &usize| lies.iter().position(|l| l == d).unwrap_or(*d);
        let places: Vec<usize> = wanted.iter().map(place).collect();
        self.b.origin = self.b.get(leaf).origin.clone();
        if places.is_sorted() { leaf } else { self.b.transpose(leaf, &places) }
    }

    fn in_order(&mut self, id: InstrId) -> InstrId {
        let instr = &self.source[id];
        if let (Opcode::Transpose, Attrs::Dims(order)) = (instr.opcode, &instr.attrs) {
            return self.value(instr.operands[0], Some(order.clone()));
        }
        let operands: Vec<InstrId> = instr.operands.iter().map(|&o| self.value(o, None)).collect();
        self.like(instr, instr.shape.clone(), operands, instr.attrs.clone())
    }

    fn turned(&mut self, id: InstrId, order: &[usize]) -> InstrId {
        let instr = &self.source[id];
        let shape = ordered(&instr.shape, order);
        let place = |d: usize| order.iter().position(|&o| o == d).unwrap_or(d);
        match (instr.opcode, &instr.attrs) {
            (Opcode::Transpose, Attrs::Dims(first)) => {
                let both = order.iter().map(|&d| first[d]).collect();
                self.value(instr.operands[0], Some(both))
            }
            (Opcode::Iota, &Attrs::Iota(dim)) => self.like(instr, shape, Vec::new(), Attrs::Iota(place(dim))),
            (Opcode::Broadcast, Attrs::Dims(dims)) => {
                let mut inner: Vec<usize> = (0..dims.len()).collect();
                inner.sort_by_key(|&d| place(dims[d]));
                let dims = inner.iter().map(|&d| place(dims[d])).collect();
                let operand = self.value(instr.operands[0], Some(inner));
                self.like(instr, shape, vec![operand], Attrs::Dims(dims))
            }
            (Opcode::Dot, Attrs::Dot(dims)) if exchanges(dims, self.source.operand(instr, 0), order) => {
                let [lhs, rhs] = [instr.operands[1], instr.operands[0]].map(|o| self.value(o, None));
                let dims = DotDims {
                    lhs_contracting: dims.rhs_contracting.clone(),
                    rhs_contracting: dims.lhs_contracting.clone(),
                    lhs_batch: dims.rhs_batch.clone(),
                    rhs_batch: dims.lhs_batch.clone(),
                };
                self.like(instr, shape, vec![lhs, rhs], Attrs::Dot(Box::new(dims)))
            }
            (opcode, _) if opcode.is_elementwise() && opcode != Opcode::Map => {
                let mut operands = Vec::new();
                for &o in &instr.operands {
                    // Bounds of clamp and predicates of select may be scalars.
                    let is_scalar = self.source[o].shape.as_array().is_some_and(|a| a.dims.is_empty());
                    operands.push(self.value(o, Some(order.to_vec()).filter(|_| !is_scalar)));
                }
                self.like(instr, shape, operands, instr.attrs.clone())
            }
            _ => {
                let whole = self.value(id, None);
                self.b.origin = instr.origin.clone();
                self.b.transpose(whole, order)
            }
        }
    }

    /// The same operation, under its name.
    fn like(&mut self, instr: &Instruction, shape: Shape, operands: Vec<InstrId>, attrs: Attrs) -> InstrId {
        let mut new = Instruction { shape, operands, attrs, ..instr.clone() };
        new.map_predecessors(|_| None);
        self.b.push(new)
    }
}

/// Whether this order of a product's dimensions is that of the product with its sides exchanged.
fn exchanges(dims: &DotDims, lhs: &Instruction, order: &[usize]) -> bool {
    let batch = dims.lhs_batch.len();
    let left = lhs.shape.expect_array().dims.len() - batch - dims.lhs_contracting.len();
    let exchanged = (0..batch).chain(batch + left..order.len()).chain(batch..batch + left);
    order.iter().copied().eq(exchanged)
}
