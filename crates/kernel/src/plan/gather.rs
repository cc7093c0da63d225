//! Operands of products that are gathered through an index map: convolutions as implicit products.
//!
//! All axes of the space that one operand alone has are one loop, of the rows or of the columns of the product, whatever windows
//! of an array the operand reads along them. The axes of the sum stay loops, so that an element of the sum is an index along each.

use super::Axes;
use super::dependence::Dependence;
use crate::region::{Node, NodeId, Region, Source};
use lawson_hlo::index::{Affine, Atom};

const ZERO: Node = Node::Constant { bits: [0; 4] };

/// An operand that is an array, or zero: its padding.
#[derive(Clone, Copy)]
pub struct Gathered<'r> {
    pub load: NodeId,
    pub input: u32,
    pub offset: &'r Affine,
    /// Where it is the array.
    pub mask: Option<NodeId>,
}

impl<'r> Gathered<'r> {
    pub fn of(region: &'r Region, operand: NodeId) -> Option<Gathered<'r>> {
        let (x, mask) = match *region.node(operand) {
            Node::Select { mask, x, y } if *region.node(y) == ZERO => (x, Some(mask)),
            _ => (operand, None),
        };
        match region.node(x) {
            Node::Load { source: Source::Input(input), offset, mask: guard } if *guard == mask => {
                Some(Gathered { load: x, input: *input, offset, mask })
            }
            _ => None,
        }
    }
}

/// The loop axes of a product with one for all rows and one for all columns, and which these are: `row` and `column` are among
/// them.
pub(super) fn as_product(
    region: &Region,
    axes: &Axes,
    [of_rows, of_columns]: [NodeId; 2],
    [row, column]: [usize; 2],
) -> (Axes, [usize; 2]) {
    let depends = |id: NodeId, a: usize| Dependence::default().on(region, axes, id, a);
    let own = |id: NodeId, other: NodeId, first: usize| -> Vec<usize> {
        (0..axes.space).filter(|&a| a == first || depends(id, a) && !depends(other, a)).collect()
    };
    let rows = own(of_rows, of_columns, row);
    let columns = own(of_columns, of_rows, column);
    let (by_rows, at) = axes.flattened(&rows);
    let columns: Vec<usize> = columns.into_iter().map(|a| at[a]).collect();
    let (both, then) = by_rows.flattened(&columns);
    (both, [then[at[row]], then[at[column]]])
}

/// How far apart an operand's neighbours along a loop axis lie: the nearest of its loads, in line or within windows.
pub(super) fn step_along(region: &Region, axes: &Axes, operand: NodeId, axis: usize) -> Option<i64> {
    let step = |(atom, step): &(Atom, i64)| match atom {
        Atom::Axis(a) => (*a as usize == axis).then_some(step.abs()),
        Atom::Mod(e, _) => e.coefficient(axis).filter(|n| *n != 0).map(|n| (n * step).abs()),
        Atom::Div(..) | Atom::Symbol(_) => None,
    };
    let of_load = |id: NodeId| match region.node(id) {
        Node::Load { offset, .. } => axes.translate(offset).terms.iter().filter_map(step).min(),
        _ => None,
    };
    region.reachable(&[operand]).into_iter().filter_map(of_load).min()
}
