//! Reductions of what is made of one element of each of two operands, as products: distances of all pairs of points, `min(a + b)` over the
//! paths of a graph, sums of rounded products. A register tile of rows and columns then loads each element of an operand for several
//! results, and no running values are halved.
//!
//! ```text
//! stage 0: reduce d0 < 500, d1 < 600 over d2 < 64     stage 0: contract d0 < 500, d1 < 600 over d2 < 64
//!   %0 = load a [64*d0 + d2]                            %0 = load a [64*d0 + d2]
//!   %1 = load b [64*d1 + d2]                       →    %1 = load b [64*d1 + d2]
//!   %2 = abs(%0 - %1)                                   -> combine products of %0 and %1 from 0
//!   -> combine %2 from 0                                  multiply(a0, a1) = abs(a0 - a1)
//! ```
//!
//! Every sum is one chain in increasing k, as sums of products are, so that the order is another one than that of reductions.

use super::reassociate::is_regrouped;
use super::{FoldOrder, Function, Kind, Node, NodeId, ProductOrder, Region, Semiring, Stage};
use crate::rates::Rates;
use crate::target::Target;
use lawson_hlo::Opcode;
use lawson_hlo::index::{Affine, Atom};
use lawson_hlo::scalar::Bits;
use rustc_hash::{FxHashMap, FxHashSet};

impl Semiring {
    /// Whether it is one of multiply-adds but for their roundings.
    pub fn adds_products(&self, region: &Region) -> bool {
        let is = |f: &Function, opcode| f.operation(region, 0).is_some_and(|(o, _)| o == opcode);
        let zero = self.add.arguments[0].is_float() && self.init == Bits::default();
        zero && is(&self.multiply, Opcode::Multiply) && is(&self.add, Opcode::Add)
    }

    /// What a pair of factors weighs.
    pub fn weight(&self, region: &Region, rates: &Rates) -> i64 {
        self.nodes(region).into_iter().map(|id| rates.node(region, id)).sum()
    }

    /// Operations of a pair.
    pub fn operations(&self, region: &Region) -> i64 {
        let made = |id: &NodeId| !matches!(region.node(*id), Node::Argument(_) | Node::Constant { .. });
        self.nodes(region).iter().filter(|id| made(id)).count() as i64
    }

    /// The nodes of both functions.
    pub fn nodes(&self, region: &Region) -> Vec<NodeId> {
        region.reachable(&[self.multiply.results[0], self.add.results[0]])
    }
}

/// Elements of a sum from which on a tile is worth packing an operand for.
const LEAST_LENGTH: i64 = 8;
/// The longest chain of additions that round.
const LONGEST_CHAIN: i64 = 1024;
/// Rows that share the loads of a column.
const LEAST_ROWS: i64 = 4;
/// Work of a pair of elements beside which their loads are little, and whose code would be long in a tile.
const LONG_PAIR: i64 = 12;

/// The region with such reductions as products, if it has any: where the order of combination is free.
pub fn as_products(region: &Region, target: &Target) -> Option<Region> {
    if target.gpu.is_some() {
        return None;
    }
    let pairs: Vec<Option<Pair>> = region.stages.iter().map(|s| Pair::of(region, s, target)).collect();
    if pairs.iter().all(Option::is_none) {
        return None;
    }
    let mut new = region.clone();
    for (n, pair) in pairs.into_iter().enumerate() {
        if let Some(pair) = pair {
            new.stages[n].kind = pair.product(&mut new);
        }
    }
    Some(new)
}

/// What a reduction combines: a function of an element of `lhs`, which does not change along the columns, and one of `rhs`, which does
/// not change along the rows.
struct Pair {
    lhs: NodeId,
    rhs: NodeId,
    value: NodeId,
    add: Function,
    init: Bits,
}

impl Pair {
    fn of(region: &Region, stage: &Stage, target: &Target) -> Option<Pair> {
        let Kind::Reduce { values, inits, combiner, order, mask: None, stored } = &stage.kind else {
            return None;
        };
        let (&[value], &[init]) = (&values[..], &inits[..]) else { return None };
        let Node::Constant { bits: init } = *region.node(init) else { return None };
        let dtype = region.dtype(value);
        let numbers = (dtype.is_float() || dtype.is_integer()) && dtype.size() >= 4;
        let (opcode, _) = combiner.operation(region, 0)?;
        let rounds = dtype.is_float() && matches!(opcode, Opcode::Add | Opcode::Multiply);
        let length = stage.inner_points();
        let fits = numbers
            && stored.is_empty()
            && *order != FoldOrder::Sequential
            && is_regrouped(region, combiner)
            && length >= LEAST_LENGTH
            && (!rounds || length <= LONGEST_CHAIN);
        let lane = stage.space.len().checked_sub(1)?;
        let lanes = target.vector_bytes as i64 / dtype.size() as i64;
        if !fits || !fills_vectors(stage.space[lane], lanes, length) {
            return None;
        }
        let rows = (0..lane).rev().filter(|&a| stage.space[a] >= LEAST_ROWS);
        let mut operands = rows.filter_map(|row| Operands::of(region, value, (row, lane), target));
        let Operands { lhs, rhs, compares } = operands.next()?;
        // Where lanes are results already, greatest and least floats gain nothing: what they need of registers, a tile has not.
        let compares = compares || dtype.is_float() && is_extreme(opcode);
        let gains = *order != FoldOrder::MinorKept || !compares;
        gains.then(|| Pair { lhs, rhs, value, add: combiner.clone(), init })
    }

    fn product(self, region: &mut Region) -> Kind {
        let dtype = region.dtype(self.value);
        let mut new = FxHashMap::default();
        for (n, operand) in [(0, self.lhs), (1, self.rhs)] {
            new.insert(operand, region.add(Node::Argument(n), dtype));
        }
        let value = replaced(region, self.value, &mut new);
        Kind::Contract {
            lhs: self.lhs,
            rhs: self.rhs,
            accumulator: dtype,
            order: ProductOrder::Sequential,
            semiring: Some(Semiring {
                multiply: Function { arguments: vec![dtype; 2], results: vec![value] },
                add: self.add,
                init: self.init,
            }),
        }
    }
}

/// The operands of a value along some rows and columns.
struct Operands {
    lhs: NodeId,
    rhs: NodeId,
    /// Whether floats are compared to make an element of both.
    compares: bool,
}

impl Operands {
    fn of(region: &Region, value: NodeId, (row, lane): (usize, usize), target: &Target) -> Option<Operands> {
        let mut changes = FxHashMap::default();
        for id in region.reachable(&[value]) {
            let of = changes_along(region, id, [row, lane], &changes)?;
            changes.insert(id, of);
        }
        let (mut operands, mut weight, mut compares) = ([None, None], 0, false);
        let (mut next, mut seen) = (vec![value], FxHashSet::default());
        while let Some(id) = next.pop().filter(|_| weight <= LONG_PAIR) {
            if !seen.insert(id) {
                continue;
            }
            match changes[&id] {
                [true, true] => {
                    // What is read or counted along both is of neither operand.
                    if matches!(region.node(id), Node::Load { .. } | Node::Index(_) | Node::InRange { .. }) {
                        return None;
                    }
                    weight += target.rates.node(region, id);
                    compares |= matches!(region.node(id), Node::Binary { opcode, dtype, .. } if dtype.is_float() && is_extreme(*opcode));
                    region.operands(id, &mut |o| next.push(o));
                }
                [false, false] if matches!(region.node(id), Node::Constant { .. }) => {}
                [false, false] => return None,
                [_, of_columns] => {
                    let operand = &mut operands[of_columns as usize];
                    if operand.replace(id).is_some() {
                        return None;
                    }
                }
            }
        }
        let [Some(lhs), Some(rhs)] = operands else { return None };
        let alike = [lhs, rhs].iter().all(|&id| region.dtype(id) == region.dtype(value));
        (alike && weight <= LONG_PAIR).then_some(Operands { lhs, rhs, compares })
    }
}

/// Whether vectors of so many lanes, or half as many, have few columns twice; or else rows of so many elements are less than a vector,
/// so that halving them takes longer.
fn fills_vectors(columns: i64, lanes: i64, length: i64) -> bool {
    let half = lanes / 2;
    columns >= lanes || columns >= half && (columns % half == 0 || length <= lanes)
}

/// Along which of two axes a node changes, operands first; `None` where it depends on what is known at run time only.
fn changes_along(
    region: &Region,
    id: NodeId,
    axes: [usize; 2],
    known: &FxHashMap<NodeId, [bool; 2]>,
) -> Option<[bool; 2]> {
    let mut of = [false; 2];
    let mut is_known = true;
    if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } = region.node(id) {
        is_known = !has_symbols(e);
        of = axes.map(|a| e.uses_axis(a));
    }
    region.operands(id, &mut |o| {
        let operand = known.get(&o).copied().unwrap_or_default();
        of = [of[0] || operand[0], of[1] || operand[1]];
    });
    is_known.then_some(of)
}

fn is_extreme(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Maximum | Opcode::Minimum)
}

fn has_symbols(e: &Affine) -> bool {
    let mut found = false;
    e.visit(&mut |atom| found |= matches!(atom, Atom::Symbol(_)));
    found
}

/// The node with other nodes in the places of those in the map.
fn replaced(region: &mut Region, id: NodeId, new: &mut FxHashMap<NodeId, NodeId>) -> NodeId {
    if let Some(&known) = new.get(&id) {
        return known;
    }
    let mut node = region.node(id).clone();
    node.operands_mut(&mut |o| *o = replaced(region, *o, new));
    let dtype = region.dtype(id);
    let made = region.add(node, dtype);
    new.insert(id, made);
    made
}
