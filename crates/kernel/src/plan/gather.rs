//! Operands of products that are gathered through an index map: convolutions as implicit products.
//!
//! All axes of the space that one operand alone has are one loop, of the rows or of the columns of the product, whatever windows
//! of an array the operand reads along them. The axes of the sum stay loops, so that an element of the sum is an index along each.

use super::Axes;
use super::dependence::Dependence;
use crate::region::{Node, NodeId, Region, Source};
use lawson_hlo::Opcode;
use lawson_hlo::index::{Affine, Atom};

const ZERO: Node = Node::Constant { bits: [0; 4] };

/// An operand that is an array, or zero: its padding.
pub struct Gathered {
    pub load: NodeId,
    pub input: u32,
    pub offset: Parted,
    /// What is in range where an element is the array's: from 0 to this.
    pub ranges: Vec<(Parted, i64)>,
}

/// An expression over the loop axes as a linear one, and quotients and remainders of the space alone.
pub struct Parted {
    pub linear: Affine,
    pub quotients: Affine,
}

impl Gathered {
    /// `None` for what is no array, or one without elements, or whose place depends on data, or is not linear along the axes of the sum.
    pub fn of(region: &Region, axes: &Axes, operand: NodeId) -> Option<Gathered> {
        let (load, mask) = match *region.node(operand) {
            Node::Select { mask, x, y } if *region.node(y) == ZERO => (x, Some(mask)),
            _ => (operand, None),
        };
        let Node::Load { source: Source::Input(input), offset, mask: guard } = region.node(load) else {
            return None;
        };
        let mut ranges = Vec::new();
        if let Some(mask) = mask {
            conditions(region, axes, mask, &mut ranges)?;
        }
        let offset = Parted::of(axes, &axes.translate(offset))?;
        let has_elements = region.inputs[*input as usize].elements > 0;
        (has_elements && *guard == mask).then_some(Gathered { load, input: *input, offset, ranges })
    }

    /// Whether its place is linear, and nothing of it is padding.
    pub fn is_plain(&self) -> bool {
        self.ranges.is_empty() && self.offset.quotients.terms.is_empty()
    }

    /// Whether elements along an axis are padding together.
    pub fn is_there_along(&self, axis: usize) -> bool {
        self.ranges.iter().all(|(parted, _)| parted.along(axis) == Some(0))
    }

    /// Whether it has neighbours along this axis, which are padding together, and all else in steps of so many elements.
    pub fn is_in_line(&self, along: usize, step: i64) -> bool {
        let Parted { linear, quotients } = &self.offset;
        self.offset.along(along) == Some(1)
            && self.is_there_along(along)
            && [linear, quotients].into_iter().all(|e| is_in_steps(e, along, step))
    }
}

/// Whether an expression takes steps of so many, but along this axis.
pub(super) fn is_in_steps(e: &Affine, along: usize, step: i64) -> bool {
    let own = Atom::Axis(along as u32);
    e.constant % step == 0 && e.terms.iter().all(|(atom, by)| *atom == own || by % step == 0)
}

/// The ranges of a condition that is made of such alone.
fn conditions(region: &Region, axes: &Axes, mask: NodeId, out: &mut Vec<(Parted, i64)>) -> Option<()> {
    match *region.node(mask) {
        Node::Binary { opcode: Opcode::And, x, y, .. } => {
            conditions(region, axes, x, out)?;
            conditions(region, axes, y, out)
        }
        Node::InRange { ref value, lo, hi } => {
            let value = axes.translate(value);
            if axes.within(&value, lo, hi) != Some(true) {
                out.push((Parted::of(axes, &value.add_constant(-lo))?, hi - lo));
            }
            Some(())
        }
        _ => None,
    }
}

impl Parted {
    fn of(axes: &Axes, translated: &Affine) -> Option<Parted> {
        let is_of_sum = |e: &Affine| (axes.space..axes.extents.len()).any(|a| e.uses_axis(a));
        let mut is_of_data = false;
        translated.visit(&mut |atom| is_of_data |= matches!(atom, Atom::Symbol(_)));
        let is_linear = |(atom, _): &&(Atom, i64)| matches!(atom, Atom::Axis(_));
        let (linear, quotients): (Vec<_>, Vec<_>) = translated.terms.iter().partition(is_linear);
        let owned = |constant, terms: Vec<&(Atom, i64)>| Affine {
            constant,
            terms: terms.into_iter().cloned().collect(),
        };
        let (linear, quotients) = (owned(translated.constant, linear), owned(0, quotients));
        (!is_of_data && !is_of_sum(&quotients)).then_some(Parted { linear, quotients })
    }

    /// What it grows by along an axis; `None` where that differs.
    fn along(&self, axis: usize) -> Option<i64> {
        self.linear.coefficient(axis).filter(|_| !self.quotients.uses_axis(axis))
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
