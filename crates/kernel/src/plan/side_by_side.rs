//! Maps whose threads have several neighbouring elements, for accesses of 16 bytes: on a graphics processor, where every
//! access of the map then begins at a multiple of what a thread has, and nothing moves between lanes.

use super::Axes;
use super::map_schedule::is_aligned;
use crate::region::{Kind, Node, NodeId, Region, Stage, roots_of};
use crate::target::Target;
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, Atom, linearize};

/// Bytes of the widest access of a thread.
const WIDEST: i64 = 16;
/// Most elements of a thread; of bytes those of a word, which LLVM takes apart else.
const MOST: i64 = 8;
const MOST_BYTES: i64 = 4;
/// Vectors of a row of which the last may be accessed one by one.
const FEW_LAST: i64 = 16;
/// Points of so much work do not wait for memory.
const LONG: i64 = 64;

/// Elements of a thread, a power of two, where lanes of the map lie along this loop axis.
pub(super) fn elements(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, cost): (usize, i64),
    target: &Target,
) -> i64 {
    let Kind::Map { values } = &stage.kind else { return 1 };
    if target.gpu.is_none() || cost > LONG || lane + 1 != axes.extents.len() {
        return 1;
    }
    let nodes = region.live(&roots_of(stage), &|value, lo, hi| axes.holds(value, lo, hi));
    let types = || nodes.iter().chain(values).map(|&id| region.dtype(id));
    let loads = nodes.iter().filter(|&&id| matches!(region.node(id), Node::Load { .. }));
    let sizes = loads.map(|&id| region.dtype(id)).chain(stage.results.iter().copied()).map(size);
    if !types().all(is_word) {
        return 1;
    }
    let size = sizes.max().unwrap_or(WIDEST);
    let mut each = (WIDEST / size).clamp(1, if size == 1 { MOST_BYTES } else { MOST });
    let fits = |each: i64| {
        let columns = axes.extents[lane];
        let lanes = each * target.lanes() as i64;
        // Elements of the last vector of a row are accessed one by one, unless it is whole.
        let whole = columns % lanes == 0 || columns >= FEW_LAST * lanes;
        columns % each == 0
            && whole
            && nodes.iter().all(|&id| reads_in_line(region, id, axes, (lane, each)))
            && is_aligned(&position(stage), axes, lane, each as u32)
    };
    while each > 1 && !fits(each) {
        each /= 2;
    }
    each
}

/// Whether lanes compute all that a stage needs by themselves.
pub(super) fn are_words(region: &Region, stage: &Stage) -> bool {
    region.reachable(&roots_of(stage)).into_iter().all(|id| is_word(region.dtype(id)))
}

fn size(dtype: DType) -> i64 {
    dtype.size() as i64
}

/// Whether lanes compute it by themselves: products in prime fields exchange halves of words.
fn is_word(dtype: DType) -> bool {
    dtype.is_pred() || dtype.is_integer() || dtype.is_float()
}

/// Loads of whole vectors that begin at such multiples, or of the same element for all lanes.
fn reads_in_line(region: &Region, id: NodeId, axes: &Axes, (lane, each): (usize, i64)) -> bool {
    match region.node(id) {
        Node::Load { offset, mask, .. } => {
            let translated = axes.translate(offset);
            let plain = translated.terms.iter().all(|(a, _)| matches!(a, Atom::Axis(_)));
            let same = translated.coefficient(lane) == Some(0);
            let is_whole = mask.is_none_or(|m| axes.always_holds(region, m));
            plain && is_whole && (same || is_aligned(offset, axes, lane, each as u32))
        }
        _ => true,
    }
}

/// Where a result of a map is stored.
fn position(stage: &Stage) -> Affine {
    let index: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
    linearize(&index, &stage.space)
}
