//! The loops of sorts: whole rows by merging, or their first elements alone.
//!
//! Where few elements of each row are kept, the others are only compared with the least of those that are. Rows that
//! are short beside that lie side by side in lanes, and each element is put in its place among the first; in long rows the
//! lanes run along the row, and the elements that can be among the first are few.

use super::Axes;
use super::choice::Choice;
use super::sort_method::{SortMethod, Sorted};
use super::tasks::evenly;
use super::vector::{lane_axis, lanes_within};
use crate::region::{Kind, Node, NodeId, Order, Region, Stage};
use crate::target::Target;
use lawson_hlo::index::Affine;

/// How rows are sorted.
#[derive(Clone, PartialEq, Debug)]
pub struct SortSchedule {
    pub method: SortMethod,
    /// Lanes of its vectors.
    pub lanes: u32,
    pub rows_per_task: i64,
}

/// Most elements that are kept by selection, and most vectors that hold them.
const MOST_KEPT: i64 = 64;
const MOST_VECTORS: i64 = 8;
/// Most elements that are kept of rows in lanes.
pub const MOST_IN_LANES: i64 = 8;
/// Most elements of rows that one network sorts, and of those that shuffles turn first: of keys, and of keys with places, which
/// are twice as long. Longer networks take LLVM tens of milliseconds.
pub const MOST_COMPARED: [i64; 2] = [32, 16];
const MOST_TURNED: [i64; 2] = [16, 12];
/// Most bytes of two copies of the keys of rows that are turned.
const MOST_ROOM: i64 = 32 << 20;
/// Most elements that are put in order by comparing each with each.
const MOST_RANKED: i64 = 4096;

pub(super) fn schedule(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    target: &Target,
    choice: Option<Choice>,
) -> SortSchedule {
    let rows: i64 = axes.space_extents().iter().product();
    let (n, kept) = lengths(stage);
    let arrays = stage.results.len();
    let weight = |m: &(SortMethod, u32)| m.0.weight(&target.rates, (n, kept), arrays, m.1);
    let possible = methods(region, stage, axes, target);
    let asked = possible.iter().find(|m| choice == Some(Choice::Sort(m.0)));
    let merge = (SortMethod::Merge, 1);
    let chosen = asked.or_else(|| possible.iter().min_by_key(|m| weight(m))).copied().unwrap_or(merge);
    let row = n.saturating_mul(weight(&chosen)).max(1);
    let of_task = target.task_of(row.saturating_mul(rows));
    let rows_per_task = evenly(rows, (of_task / row).clamp(1, rows.max(1)), 1, target);
    let (method, lanes) = chosen;
    SortSchedule { method, lanes, rows_per_task }
}

/// Elements of a row, and how many of them are kept.
fn lengths(stage: &Stage) -> (i64, i64) {
    let n = stage.inner_points().max(1);
    match stage.kind {
        Kind::Sort { kept, .. } => (n, kept),
        _ => (n, n),
    }
}

/// All ways to sort the rows, with their lanes.
pub(super) fn methods(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    target: &Target,
) -> Vec<(SortMethod, u32)> {
    let (n, kept) = lengths(stage);
    let merge = (SortMethod::Merge, 1);
    let along = |method: fn(i64, i64, u32) -> Option<SortMethod>| {
        let lanes = lanes_within(n, target.lanes());
        method(n, kept, lanes).filter(|_| lanes > 1).map(|m| (m, lanes))
    };
    let selections = [along(select), along(threshold), in_lanes(axes, kept, target)];
    let selections = selections.into_iter().flatten().filter(|_| selects(region, stage));
    let networks = [network(region, stage, axes, target), in_vectors(region, stage, axes, target)];
    let on_cpu = selections.chain(networks.into_iter().flatten()).filter(|_| target.gpu.is_none());
    on_cpu.chain([merge]).collect()
}

/// A sort of keys in vectors, by an order of numbers.
fn in_vectors(region: &Region, stage: &Stage, axes: &Axes, target: &Target) -> Option<(SortMethod, u32)> {
    let sorted = sorted(region, stage)?;
    let most = target.vector_bytes / sorted.bytes();
    let side_by_side = side_by_side(region, stage, axes, target);
    let room = 2 * i64::from(target.vector_bytes) * stage.inner_points();
    let turned = |rows: &SideBySide| rows.in_memory && rows.lanes == most && room <= MOST_ROOM;
    if let Some(rows) = side_by_side.filter(turned) {
        return numbered(stage).then_some((SortMethod::Turned(rows.lane, sorted), rows.lanes));
    }
    let lanes = lanes_within(stage.inner_points(), most);
    (lanes > 1 && numbered(stage)).then_some((SortMethod::Vectors(sorted), lanes))
}

/// A sort of keys of short rows side by side. Shuffles turn rows that follow each other in memory, if they are not longer than
/// registers hold.
fn network(region: &Region, stage: &Stage, axes: &Axes, target: &Target) -> Option<(SortMethod, u32)> {
    let rows = side_by_side(region, stage, axes, target)?;
    let [keys, with_places] = if rows.in_memory { MOST_COMPARED } else { MOST_TURNED };
    let most = if rows.sorted == Sorted::KeysAndPlaces { with_places } else { keys };
    (stage.inner_points() <= most).then_some((SortMethod::SortInLanes(rows.lane, rows.sorted), rows.lanes))
}

/// Rows that lanes run across.
struct SideBySide {
    lane: usize,
    lanes: u32,
    sorted: Sorted,
    /// Whether they lie side by side in memory too.
    in_memory: bool,
}

fn side_by_side(region: &Region, stage: &Stage, axes: &Axes, target: &Target) -> Option<SideBySide> {
    let sorted = sorted(region, stage)?;
    let Kind::Sort { position, .. } = &stage.kind else { return None };
    let most = target.vector_bytes / sorted.bytes();
    let lane = lane_axis(axes.space_extents(), most)?;
    let lanes = lanes_within(axes.extents[lane], most);
    let in_memory = axes.translate(position).coefficient(lane) == Some(1);
    // Without a loop along the row it has one element.
    let is_row = axes.inner_extents().len() == 1;
    (is_row && lanes > 1).then_some(SideBySide { lane, lanes, sorted, in_memory })
}

/// What is sorted in vectors by an order of numbers.
fn sorted(region: &Region, stage: &Stage) -> Option<Sorted> {
    let Kind::Sort { values, less, .. } = &stage.kind else { return None };
    let order = Order::of(region, less)?;
    let is_alone = values.len() == 1 && (order.key.is_none() || order.has_few_ties(region));
    let bytes = if order.dtype.bits() <= 32 { 4 } else { 8 };
    match is_alone {
        true => Some(Sorted::Keys(bytes)),
        false => (bytes == 4).then_some(Sorted::KeysAndPlaces),
    }
}

/// Whether places in the row are numbers of 32 bits.
fn numbered(stage: &Stage) -> bool {
    stage.inner_points() <= i64::from(i32::MAX) / 2
}

/// Selection along rows of `n`: as many parts as elements are kept must have at least two each.
fn select(n: i64, kept: i64, lanes: u32) -> Option<SortMethod> {
    let few = (1..=MOST_KEPT.min(MOST_VECTORS * lanes as i64)).contains(&kept);
    (few && 2 * parts(kept) <= n).then_some(SortMethod::Select)
}

/// Selection by counting.
fn threshold(n: i64, kept: i64, lanes: u32) -> Option<SortMethod> {
    let floor = parts(kept) <= MOST_VECTORS * lanes as i64 && 4 * parts(kept) <= n;
    (1..=MOST_RANKED).contains(&kept).then_some(SortMethod::Threshold { floor })
}

/// Parts of a row that have one element each, at least, that is as large as any not wanted.
fn parts(kept: i64) -> i64 {
    (kept.max(1) as u64).next_power_of_two() as i64
}

/// Selection in rows side by side.
fn in_lanes(axes: &Axes, kept: i64, target: &Target) -> Option<(SortMethod, u32)> {
    let lane = lane_axis(axes.space_extents(), target.lanes())?;
    let lanes = lanes_within(axes.extents[lane], target.lanes());
    let fits = lanes > 1 && (1..=MOST_IN_LANES).contains(&kept);
    fits.then_some((SortMethod::SelectInLanes(lane), lanes))
}

/// Whether the first elements of rows are all that is wanted, in an order of numbers, with their places in the row.
fn selects(region: &Region, stage: &Stage) -> bool {
    let Kind::Sort { values, less, kept, .. } = &stage.kind else { return false };
    let row = Affine::axis(stage.space.len());
    let is_place = |&id: &NodeId| {
        let dtype = region.dtype(id);
        let is_wide = dtype.is_integer() && dtype.bits() >= 32;
        is_wide && matches!(region.node(id), Node::Index(e) if *e == row)
    };
    let by_first = Order::of(region, less).is_some_and(|o| o.array == 0 && o.key.is_none());
    *kept < stage.inner_points() && by_first && numbered(stage) && values[1..].iter().all(is_place)
}

#[cfg(test)]
mod tests {
    use crate::plan::plan_stages;
    use crate::region::build::{Cut, build};
    use crate::target::Target;
    use lawson_hlo::Module;

    /// The plan of the root of a module.
    fn planned(text: &str) -> String {
        let module = Module::parse(text).expect("well formed");
        let comp = module.entry();
        let cut = Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] };
        let region = build(&module, "r", cut).expect("a region");
        plan_stages(&region, &Target::zen4()).expect("a plan").to_string()
    }

    fn top(k: i64, rows: i64, length: i64) -> String {
        planned(&format!(
            "ENTRY e {{ x = f32[{rows},{length}] parameter(0)
             ROOT t = (f32[{rows},{k}], s32[{rows},{k}]) topk(x), k={k}, largest=true }}"
        ))
    }

    #[test]
    fn what_is_kept_of_rows_decides_how_they_are_sorted() {
        for (found, expected) in [
            (top(2, 4096, 8), "selection, 16 lanes along loop 0"),
            (top(8, 4096, 1024), "selection, 16 lanes along the row"),
            (top(100, 4, 65536), "selection by counting, 16 lanes along the row"),
            (top(900, 4096, 1024), "sort of keys with places in vectors of 8 lanes"),
        ] {
            assert!(found.contains(expected), "{expected} in {found}");
        }
    }

    #[test]
    fn the_comparator_decides_what_is_sorted() {
        let sort = |body: &str| {
            planned(&format!(
                "less {{ a = f32[] parameter(0) b = f32[] parameter(1) {body} }}
                 ENTRY e {{ x = f32[64,512] parameter(0)
                 ROOT s = f32[64,512] sort(x), dimensions={{1}}, to_apply=less }}"
            ))
        };
        let keys = "sort of keys in vectors of 16 lanes";
        let total = "direction=LT, type=TOTALORDER";
        for (body, expected) in [
            (format!("ROOT c = pred[] compare(a, b), {total}"), keys),
            (
                format!("c = f32[] abs(a) d = f32[] abs(b) ROOT e = pred[] compare(c, d), {total}"),
                "sort of keys with places in vectors of 8 lanes",
            ),
            // Zeros of both signs are equal, and all NaN.
            (
                format!(
                    "z = f32[] constant(0) n = f32[] constant(nan)
                     c = pred[] compare(a, z), direction=EQ d = pred[] compare(b, z), direction=EQ
                     e = f32[] select(c, z, a) f = f32[] select(d, z, b)
                     g = pred[] compare(a, a), direction=NE h = pred[] compare(b, b), direction=NE
                     i = f32[] select(g, n, e) j = f32[] select(h, n, f)
                     ROOT k = pred[] compare(i, j), {total}"
                ),
                keys,
            ),
            // Not the same of both.
            (
                format!("c = f32[] abs(a) d = f32[] negate(b) ROOT e = pred[] compare(c, d), {total}"),
                "merging",
            ),
            // No order, where some are no numbers.
            ("ROOT c = pred[] compare(a, b), direction=LT".into(), "merging"),
        ] {
            let found = sort(&body);
            assert!(found.contains(expected), "{body}: {expected} in {found}");
        }
    }

    #[test]
    fn rows_side_by_side_are_sorted_in_lanes_if_they_are_short_and_turned_if_not() {
        let sort = |shape: &str, dimension: usize| {
            planned(&format!(
                "less {{ a = f32[] parameter(0) b = f32[] parameter(1)
                 ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER }}
                 ENTRY e {{ x = f32[{shape}] parameter(0)
                 ROOT s = f32[{shape}] sort(x), dimensions={{{dimension}}}, to_apply=less }}"
            ))
        };
        for (shape, dimension, expected) in [
            ("4096,9", 1, "sort of keys by a network, 16 lanes along loop 0"),
            ("4096,17", 1, "sort of keys in vectors of 16 lanes"),
            ("32,4096", 0, "sort of keys by a network, 16 lanes along loop 0"),
            ("33,4096", 0, "sort of keys in vectors, turned, 16 lanes along loop 0"),
            // Too few rows for the lanes, and longer ones than there is room for.
            ("33,3", 0, "sort of keys in vectors of 16 lanes"),
            ("300000,16", 0, "sort of keys in vectors of 16 lanes"),
        ] {
            let found = sort(shape, dimension);
            assert!(found.contains(expected), "{shape}: {expected} in {found}");
        }
    }
}
