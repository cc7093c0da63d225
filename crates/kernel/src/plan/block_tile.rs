//! The tile of a product that all warps of a block share, for their threads or for their matrix units.
//!
//! Both operands are copied to arrays of the task, a few elements of k at a time and the next ones while these are
//! multiplied, so each is read once for each tile. The threads form a square; each has rows and columns that lie as far apart
//! as the square is wide, so that neighbours read and store neighbours.

use super::Axes;
use super::contract::ContractSchedule;
use super::dependence::point_dependence;
use super::gather::{as_product, step_along};
use super::matrices::{LEAST_SIDE, Matrices};
use super::register_tile::times;
use super::team::BlockTile;
use crate::region::{Kind, Region, Stage};
use crate::target::{Target, WARP};

/// Elements of k that are copied at once.
const BLOCK: i64 = 16;
/// Tiles that are considered: rows or columns.
const SIDES: [i64; 3] = [128, 64, LEAST_SIDE];
/// Bytes of an accumulator.
const WORD: usize = 4;
/// Products that a multiprocessor does at a time, and words that it copies from beyond its shared memory in the time of 32.
const LANES: i64 = 128;
const COPIED: i64 = 8;
/// Points of the tile of a thread at least: below, it reads more than it multiplies.
const LEAST_POINTS: i64 = 8;
/// Operations of all copies of what is computed of the results, at most.
const MOST_UNROLLED: i64 = 2048;

/// The schedule of a product as tiles of blocks, with its loops, where the device has such, both operands have an axis of their own
/// that is long enough, and what is computed of each result, so many operations, can be written out for all of a thread's.
/// Matrix units have all axes of the rows, and all of the columns, as one: windows of an image are gathered.
pub(super) fn of_blocks(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    s: &ContractSchedule,
    epilogue: i64,
    target: &Target,
) -> Option<(Axes, ContractSchedule)> {
    let (Some(row), Some(lane), Kind::Contract { lhs, rhs, .. }) = (s.row, s.lane, &stage.kind) else {
        return None;
    };
    let length = stage.inner_points();
    let of_rows = if s.vector_is_rhs { *lhs } else { *rhs };
    let of_columns = if s.vector_is_rhs { *rhs } else { *lhs };
    let words = stage.results[0].accumulator().size() == WORD;
    let warps = target.team() as i64;
    let units = target.gpu.is_some_and(|g| g.matrix_units);
    let matrices = units.then(|| Matrices::of(region, stage, [of_rows, of_columns], warps)).flatten();
    let block = matrices.map_or(BLOCK, |m| m.block());
    if target.team() == 1 || !words || length < block || point_dependence(region, axes, of_rows, lane) {
        return None;
    }
    let (axes, [row, lane]) = match matrices {
        Some(_) => as_product(region, axes, [of_rows, of_columns], [row, lane]),
        None if axes.inner_extents().len() == 1 => (axes.clone(), [row, lane]),
        None => return None,
    };
    let matrices = matrices.map(|m| m.with_windows(region, &axes));
    let (height, columns) = (axes.extents[row], axes.extents[lane]);
    let square = (warps * WARP).isqrt();
    let outer = axes.space_extents().iter().product::<i64>() / (height * columns).max(1);
    let sides = SIDES.into_iter().flat_map(|rows| SIDES.map(|columns| (rows, columns)));
    let fits = |&(rows, wide): &(i64, i64)| {
        let each = rows * wide / (warps * WARP);
        let tile = [rows, wide];
        let whole = matrices.is_none_or(|m| m.divides(tile) && m.leaves_registers(&axes, tile, warps * WARP));
        whole && rows <= height && wide <= columns && each >= LEAST_POINTS && each * epilogue <= MOST_UNROLLED
    };
    let time = |&(rows, wide): &(i64, i64)| {
        let tiles = outer * times(height, rows) * times(columns, wide);
        // For an element of k, or a word of them, a multiprocessor multiplies what lies in each of its lanes, and its warps read
        // what they multiply.
        let (multiplied, read) = match matrices {
            None => (rows * wide / LANES, warps * (rows + wide) / square),
            Some(m) => {
                let multiplied = rows * wide * m.in_word() / (LANES * m.speed());
                (multiplied, warps * (rows / m.warps[0] + wide / m.warps[1]) / WARP)
            }
        };
        times(tiles, target.tasks() / warps) * (multiplied.max(read) + (rows + wide) / COPIED)
    };
    let (rows, wide) = sides.filter(fits).min_by_key(time)?;
    let k = axes.extents.len() - 1;
    let apart = |id, along| step_along(region, &axes, id, along).unwrap_or(i64::MAX);
    let along_k = [(of_rows, row), (of_columns, lane)].map(|(id, own)| apart(id, k) < apart(id, own));
    let matrices = matrices.map(|m| m.in_pieces(region, &axes, [row, lane], [rows, wide], warps * WARP));
    let team = BlockTile { rows: square, columns: warps * WARP / square, along_k, matrices };
    let schedule = ContractSchedule {
        lane: Some(lane),
        lanes: team.threads() as u32,
        tile: (wide / team.columns) as u32,
        row: Some(row),
        rows: rows / team.rows,
        rows_per_task: rows,
        columns_per_task: wide,
        block,
        pack: true,
        packed_once: false,
        ahead: true,
        lanes_ahead: team.threads() as u32,
        ahead_along_rows: !along_k[0],
        ahead_once: None,
        turned: Vec::new(),
        near: Vec::new(),
        next_rows: None,
        words: None,
        over: None,
        team: Some(team),
        ..s.clone()
    };
    Some((axes, schedule))
}

#[cfg(test)]
mod tests {
    use crate::loop_ir::Factor;
    use crate::plan::{Schedule, plan_stages, verify};
    use crate::region::Region;
    use crate::region::build::{Cut, build};
    use crate::region::{ProductOrder, with_product_order};
    use crate::target::Target;
    use lawson_hlo::Module;

    fn product(rows: i64, columns: i64, k: i64, dtype: &str) -> Region {
        region(&format!(
            "x = {dtype}[{rows},{k}] parameter(0)\n  y = {dtype}[{k},{columns}] parameter(1)\n  \
             ROOT r = {dtype}[{rows},{columns}] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        ))
    }

    /// A convolution of images of 28 × 28 with a window of 3 × 3.
    fn convolution(dtype: &str, [features, results]: [i64; 2], stride: i64) -> Region {
        let of = (28 + stride - 1) / stride;
        region(&format!(
            "x = {dtype}[8,28,28,{features}] parameter(0)\n  y = {dtype}[3,3,{features},{results}] parameter(1)\n  \
             ROOT r = {dtype}[8,{of},{of},{results}] convolution(x, y), dim_labels=b01f_01io->b01f, \
             window={{size=3x3 stride={stride}x{stride} pad=1_1x1_1}}"
        ))
    }

    fn region(entry: &str) -> Region {
        let module = Module::parse(&format!("HloModule m\nENTRY e {{\n  {entry}\n}}\n"));
        let module = module.expect("valid");
        let comp = module.entry();
        build(&module, "r", Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] })
            .expect("a region")
    }

    #[test]
    fn tiles_are_as_large_as_leaves_work_for_all() {
        let plan =
            |region: &Region, target: &Target| plan_stages(region, target).expect("a plan").to_string();
        let h100 = Target::h100();
        let large = plan(&product(4096, 4096, 4096, "f32"), &h100);
        assert!(
            large.contains("tiles of 128 rows x 128 columns by 8 warps, 8 x 8 of each thread"),
            "{large}"
        );
        let small = plan(&product(256, 512, 512, "f32"), &h100);
        assert!(small.contains("tiles of 64 rows x 32 columns by 8 warps"), "{small}");
        for (rows, columns, k, dtype) in
            [(10, 512, 512, "f32"), (256, 512, 10, "f32"), (256, 512, 512, "f64")]
        {
            let other = plan(&product(rows, columns, k, dtype), &h100);
            assert!(!other.contains("tiles of"), "{other}");
        }
        assert!(!plan(&product(4096, 4096, 4096, "f32"), &Target::zen4()).contains("tiles of"));
        assert!(!plan(&product(4096, 4096, 4096, "f32"), &h100.without_teams()).contains("tiles of"));
    }

    #[test]
    fn units_multiply_what_the_order_of_sums_allows() {
        let ordered = |dtype: &str, order| {
            let region = product(512, 520, 72, dtype);
            let region = with_product_order(&region, order).unwrap_or(region);
            plan_stages(&region, &Target::a100()).expect("a plan").to_string()
        };
        let bf16 = ordered("bf16", ProductOrder::Free);
        assert!(bf16.contains("by matrix units of bf16, k in blocks of 32, both in pieces"), "{bf16}");
        let tf32 = ordered("f32", ProductOrder::FreeTf32);
        assert!(tf32.contains("by matrix units of tf32, k in blocks of 16"), "{tf32}");
        for (dtype, order) in
            [("bf16", ProductOrder::Sequential), ("f32", ProductOrder::Free), ("f64", ProductOrder::FreeTf32)]
        {
            let other = ordered(dtype, order);
            assert!(!other.contains("matrix units"), "{dtype}: {other}");
        }
    }

    #[test]
    fn convolutions_are_products_of_windows() {
        let plan = |region: Region, order| {
            let region = with_product_order(&region, order).unwrap_or(region);
            plan_stages(&region, &Target::a100()).expect("a plan").to_string()
        };
        let free = |features, stride| plan(convolution("bf16", features, stride), ProductOrder::Free);
        let whole = free([64, 128], 1);
        assert!(whole.contains("loops 6272 x 128 over 3 x 3 x 64"), "{whole}");
        assert!(whole.contains("rows from windows, both in pieces"), "{whole}");
        let strided = free([64, 128], 2);
        assert!(strided.contains("loops 1568 x 128 over 3 x 3 x 64"), "{strided}");
        // Of 12 channels pieces of 8 would lie in two places of a window.
        let narrow = free([12, 128], 1);
        assert!(narrow.contains("rows from windows, columns in pieces"), "{narrow}");
        let tf32 = plan(convolution("f32", [64, 128], 1), ProductOrder::FreeTf32);
        assert!(tf32.contains("matrix units of tf32, k in blocks of 16, rows from windows"), "{tf32}");
        for (features, order) in [([64, 128], ProductOrder::Sequential), ([64, 24], ProductOrder::Free)] {
            let other = plan(convolution("bf16", features, 1), order);
            assert!(!other.contains("matrix units"), "{other}");
        }
    }

    #[test]
    fn a_tile_that_does_not_fit_its_units_is_refused() {
        let region = product(512, 520, 72, "bf16");
        let region = with_product_order(&region, ProductOrder::Free).expect("a product of halves");
        for damage in 0..3 {
            let mut plan = plan_stages(&region, &Target::h100()).expect("a plan");
            assert_eq!(verify(&region, &plan), Ok(()));
            let Schedule::Contract(s) = &mut plan.groups[0].schedule else { panic!("{plan}") };
            let matrices = s.team.as_mut().and_then(|t| t.matrices.as_mut()).expect("units");
            match damage {
                0 => matrices.warps = [8, 4],
                1 => matrices.factors = [Factor::S8; 2],
                _ => s.block = 16,
            }
            let errors = verify(&region, &plan).expect_err("it is damaged");
            assert!(errors.iter().any(|e| e.contains("not one of a block")), "{errors:?}");
        }
    }

    #[test]
    fn a_tile_that_does_not_fit_its_threads_is_refused() {
        let region = product(256, 256, 64, "f32");
        for damage in 0..3 {
            let mut plan = plan_stages(&region, &Target::h100()).expect("a plan");
            assert_eq!(verify(&region, &plan), Ok(()));
            let Schedule::Contract(s) = &mut plan.groups[0].schedule else { panic!("{plan}") };
            match damage {
                0 => s.rows += 1,
                1 => s.lanes /= 2,
                _ => s.block = 24,
            }
            let errors = verify(&region, &plan).expect_err("it is damaged");
            assert!(errors.iter().any(|e| e.contains("not one of a block")), "{errors:?}");
        }
    }
}
