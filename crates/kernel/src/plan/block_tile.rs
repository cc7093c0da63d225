//! The tile of a product that all warps of a block share, for their threads or for their matrix units.
//!
//! Both operands are copied to arrays of the task, a few elements of k at a time and the next ones while these are
//! multiplied, so each is read once for each tile. The threads form a rectangle; each has rows and columns by fours (or pairs) that lie as
//! far apart as all threads' fours are high and wide, so that neighbours read and store neighbours, each 16 bytes at once. All axes of
//! the rows, and all of the columns, are one: windows of an image are gathered.

use super::Axes;
use super::contract::ContractSchedule;
use super::dependence::point_dependence;
use super::gather::{as_product, step_along};
use super::matrices::Matrices;
use super::product_reads::is_in_line_by;
use super::register_tile::times;
use super::team::{BlockTile, GAP, MOST_TOGETHER};
use crate::region::{Kind, Region, Stage};
use crate::target::{Target, WARP, block_warps};

/// Elements of k that threads copy at once.
const BLOCKS: [i64; 3] = [16, 32, 64];
/// Tiles that are considered: rows or columns, and columns for matrix units alone, whose warps have 64 of them then as of 128 rows.
const SIDES: [i64; 5] = [128, 64, 32, 16, 8];
const WIDE: i64 = 256;
/// The side of the square of threads, where the tile has as many rows and columns.
const SQUARE: i64 = 16;
/// Elements between lines of both operands, at most.
const BETWEEN: i64 = 2 * GAP;
/// Bytes of an accumulator.
const WORD: i64 = 4;
/// Products that a multiprocessor does at a time, and words that it copies from beyond its shared memory in the time of 32.
const LANES: i64 = 128;
const COPIED: i64 = 8;
/// Cycles from loading a block of k to its being in shared memory, and until all of a block are there and have the first factors of
/// the next one, about.
const LATENCY: i64 = 700;
const MEETING: i64 = 150;
/// The part of the accesses to shared memory that multiplying does not hide.
const SHOWN: i64 = 4;
/// Registers of a thread beside its sums, its factors and what it copies, about.
const OTHERS: i64 = 32;
/// Elements that a thread copies at once, at most.
const MOST_COPIED: i64 = 16;
/// Sums of a thread from matrix units at least: below, it copies more than they multiply.
const LEAST_OF_UNITS: i64 = 8;
/// Elements of k from which on a tile is worth its barriers.
const LEAST_LENGTH: i64 = 4;
/// The part of k by which longer blocks than the shortest may go beyond its end.
const BEYOND: i64 = 4;
/// Operations of all copies of what is computed of the results, at most.
const MOST_UNROLLED: i64 = 2048;

/// A tile that is considered.
#[derive(Clone, Copy)]
struct Tile {
    rows: i64,
    columns: i64,
    /// Elements of k that are copied at once.
    block: i64,
}

impl Tile {
    /// Threads along the rows and along the columns.
    fn threads(&self, all: i64) -> [i64; 2] {
        let across = self.columns.min((all / self.rows).max(SQUARE));
        [all / across, across]
    }

    /// Bytes of shared memory, with room for two blocks of k of so many elements or words.
    fn bytes(&self, steps: i64) -> i64 {
        2 * steps * (self.rows + self.columns + BETWEEN) * WORD
    }
}

/// The schedule of a product as tiles of blocks, with its loops, where the device has such, both operands have an axis of their own
/// that is long enough, and what is computed of each result, so many operations, can be written out for all of a thread's.
pub(super) fn of_blocks(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    s: &ContractSchedule,
    epilogue: i64,
    target: &Target,
) -> Option<(Axes, ContractSchedule)> {
    // The zeros beyond the last element of k change no sum of products.
    let (Some(row), Some(lane), Kind::Contract { lhs, rhs, semiring: None, .. }) =
        (s.row, s.lane, &stage.kind)
    else {
        return None;
    };
    let length = stage.inner_points();
    let of_rows = if s.vector_is_rhs { *lhs } else { *rhs };
    let of_columns = if s.vector_is_rhs { *rhs } else { *lhs };
    let words = stage.results[0].accumulator().size() as i64 == WORD;
    let gpu = target.gpu?;
    if target.team() == 1 || !words || length < LEAST_LENGTH || point_dependence(region, axes, of_rows, lane)
    {
        return None;
    }
    let threads = target.team() as i64 * WARP;
    let operands = [of_rows, of_columns];
    let units = gpu.matrix_units.then(|| Matrices::of(region, stage, operands, threads / WARP)).flatten();
    let (axes, [row, lane]) = as_product(region, axes, operands, [row, lane]);
    let (height, columns) = (axes.extents[row], axes.extents[lane]);
    let outer = axes.space_extents().iter().product::<i64>() / (height * columns).max(1);
    let k = axes.extents.len() - 1;
    let apart = |id, along| step_along(region, &axes, id, along).unwrap_or(i64::MAX);
    let along_k = [(of_rows, row), (of_columns, lane)].map(|(id, own)| apart(id, k) < apart(id, own));
    let search =
        TileSearch { axes: &axes, outer, height, columns, length, along_k, epilogue, threads, target };
    let of_units = units.and_then(|m| {
        let windows = BlockTile::windows(region, &axes, m.operands);
        let in_line = m.in_line(region, &axes, [row, lane]);
        let room = (times(length, m.block()), threads, target.asked_shared());
        let pieces = |sides| m.in_pieces(in_line, sides, room);
        let busy = |t: &Tile| search.cycles_of_units(t, &pieces([t.rows, t.columns]), windows);
        let (_, tile) = search.least(&[m.block()], &[WIDE], busy)?;
        Some((tile, windows, pieces([tile.rows, tile.columns])))
    });
    let of_threads = search.least(&BLOCKS, &[], |t| search.cycles_of_threads(t));
    let (tile, windows, matrices) = match (of_units, of_threads) {
        (Some((tile, windows, m)), of_threads)
            // Units wait as long for a block of k, which is shorter: a few tiles with a long k are slower by them.
            if of_threads.is_none_or(|(cycles, _)| 4 * search.time_of_units(&tile, &m) <= 5 * cycles) =>
        {
            (tile, windows, Some(m))
        }
        (_, of_threads) => (of_threads?.1, BlockTile::windows(region, &axes, operands), None),
    };
    let sides = [tile.rows, tile.columns];
    let [down, across] = if matrices.is_some() { [SQUARE; 2] } else { tile.threads(threads) };
    let neighbours = std::array::from_fn(|d| {
        let along = if along_k[d] { k } else { [row, lane][d] };
        let enough = sides[d] * tile.block % (MOST_TOGETHER * threads) == 0;
        let in_line = || is_in_line_by(region, operands[d], &axes, along, MOST_TOGETHER);
        if enough && matrices.is_none() && windows[d].is_none() && in_line() { MOST_TOGETHER } else { 1 }
    });
    let team = BlockTile { rows: down, columns: across, along_k, windows, neighbours, matrices };
    let schedule = ContractSchedule {
        lane: Some(lane),
        lanes: team.threads() as u32,
        tile: (tile.columns / team.columns) as u32,
        row: Some(row),
        rows: tile.rows / team.rows,
        rows_per_task: tile.rows,
        columns_per_task: tile.columns,
        block: tile.block,
        pack: true,
        windows: false,
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

/// A product whose tile is looked for: so many of these rows, columns and elements of k, on so many threads for each tile.
struct TileSearch<'a> {
    axes: &'a Axes,
    outer: i64,
    height: i64,
    columns: i64,
    length: i64,
    /// Which operands lie along k.
    along_k: [bool; 2],
    /// Operations that are computed of each result.
    epilogue: i64,
    threads: i64,
    target: &'a Target,
}

impl TileSearch<'_> {
    /// The tile that takes the fewest cycles, of those for which there are any, with one of these blocks of k, and with these columns
    /// beside those of all.
    fn least(
        &self,
        blocks: &[i64],
        wide: &[i64],
        cycles: impl Fn(&Tile) -> Option<i64>,
    ) -> Option<(i64, Tile)> {
        let columns = || wide.iter().copied().chain(SIDES);
        let sides = SIDES.into_iter().flat_map(|rows| columns().map(move |columns| (rows, columns)));
        let all =
            sides.flat_map(|(rows, columns)| blocks.iter().map(move |&block| Tile { rows, columns, block }));
        let fits = |t: &Tile| t.rows <= self.height && t.columns <= self.columns && self.is_written_out(t);
        let timed = all.filter(fits).filter_map(|t| Some((cycles(&t)?, t)));
        timed.min_by_key(|(cycles, _)| *cycles)
    }

    /// Whether a thread has results, and what is computed of all of them can be written out.
    fn is_written_out(&self, t: &Tile) -> bool {
        let each = t.rows * t.columns / self.threads;
        each > 0 && each * self.epilogue <= MOST_UNROLLED
    }

    fn tiles(&self, t: &Tile) -> i64 {
        self.outer * times(self.height, t.rows) * times(self.columns, t.columns)
    }

    /// Cycles for an element of k, or a word of them, of all tiles that a multiprocessor multiplies by matrix units; `None` of tiles
    /// that do not fit these.
    fn cycles_of_units(&self, t: &Tile, m: &Matrices, windows: [Option<i64>; 2]) -> Option<i64> {
        let (warps, sides) = (self.threads / WARP, [t.rows, t.columns]);
        let whole = self.length >= t.block && m.divides(sides);
        let enough = t.rows * t.columns / self.threads >= LEAST_OF_UNITS;
        let room = match t.columns {
            WIDE => m.may_be_wide() && t.rows * 2 == WIDE,
            _ => block_warps(t.bytes(t.block / m.in_word())).is_some(),
        };
        if !(whole && enough && room && m.leaves_registers(self.axes, windows, sides, self.threads)) {
            return None;
        }
        Some(times(self.tiles(t), self.target.tasks() / warps) * self.busy_with_units(t, m))
    }

    /// Cycles for an element of k, or a word of them, of one tile.
    fn busy_with_units(&self, t: &Tile, m: &Matrices) -> i64 {
        let multiplied = t.rows * t.columns * m.in_word() / (LANES * m.speed());
        let read = self.threads / WARP * (t.rows / m.warps[0] + t.columns / m.warps[1]) / WARP;
        multiplied.max(read) + (t.rows + t.columns) / COPIED
    }

    /// Cycles of all tiles that a multiprocessor multiplies by matrix units, waiting included.
    fn time_of_units(&self, t: &Tile, m: &Matrices) -> i64 {
        let busy = t.block / m.in_word() * self.busy_with_units(t, m);
        let registers = t.rows * t.columns / self.threads + 2 * OTHERS;
        // Blocks of k that are copied further ahead are there.
        self.time(t, busy, registers, if m.stages > 2 { 0 } else { LATENCY })
    }

    /// Cycles of all tiles of a multiprocessor, each of which keeps it busy for so long for a block of k, and waits so long for it.
    ///
    /// Blocks that it holds at once hide each other's waiting; those beyond them follow.
    fn time(&self, t: &Tile, busy: i64, registers: i64, latency: i64) -> i64 {
        let Some(gpu) = self.target.gpu else { return i64::MAX };
        let all = times(self.tiles(t), gpu.sms);
        let held =
            (gpu.sm_registers / (self.threads * registers)).min(gpu.sm_shared / t.bytes(t.block).max(1));
        let held = held.clamp(1, all.max(1));
        let of_block = (held * busy).max(latency.max(busy) + MEETING);
        times(all, held) * times(self.length, t.block) * of_block
    }

    /// Cycles of all tiles that the threads of a multiprocessor multiply; `None` of tiles that they cannot copy together.
    ///
    /// It multiplies what lies in each of its lanes, and its warps read what they multiply: two of a warp's factors in one access.
    fn cycles_of_threads(&self, t: &Tile) -> Option<i64> {
        let (threads, warps) = (self.threads, self.threads / WARP);
        let [down, across] = t.threads(threads);
        let whole = down <= t.rows && [t.rows, t.columns].iter().all(|side| side * t.block % threads == 0);
        let copied = t.rows + t.columns;
        let few = copied * t.block <= MOST_COPIED * threads;
        // Little is copied beyond the end of k, where there is a choice.
        let beyond = times(self.length, t.block) * t.block - self.length;
        let least = BLOCKS[0].max(threads / t.rows.min(t.columns));
        let ends = t.block == least || BEYOND * beyond <= self.length;
        if !(whole && few && ends && block_warps(t.bytes(t.block)).is_some()) {
            return None;
        }
        let (rows, columns) = (t.rows / down, t.columns / across);
        let read = |own: i64| warps * own / BlockTile::together(own).min(2);
        let (multiplied, read) = (t.rows * t.columns / LANES, read(rows) + read(columns));
        // What lies along k is stored element by element.
        let stored = |side: i64, d: usize| if self.along_k[d] { 2 * side } else { side };
        let stored = stored(t.rows, 0) + stored(t.columns, 1);
        let busy = t.block * (multiplied.max(read) + read / SHOWN + stored / COPIED);
        let registers = rows * columns + rows + columns + copied * t.block / threads + OTHERS;
        Some(self.time(t, busy, registers, LATENCY))
    }
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
        // Few tiles wait for each block of k, so that one has more elements.
        for (rows, columns, k, tile) in [
            (256, 512, 512, "32 rows x 32 columns by 8 warps, 2 x 2 of each thread, k in blocks of 64"),
            (10, 512, 512, "8 rows x 32 columns by 8 warps, 1 x 1 of each thread, k in blocks of 64"),
            (256, 512, 10, "32 rows x 32 columns by 8 warps, 2 x 2 of each thread, k in blocks of 16"),
        ] {
            let small = plan(&product(rows, columns, k, "f32"), &h100);
            assert!(small.contains(tile), "{small}");
        }
        for (rows, columns, k, dtype) in [(256, 512, 512, "f64"), (7, 512, 512, "f32"), (256, 512, 3, "f32")]
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
        let under_way = "by matrix units of bf16, k in blocks of 32, both in pieces, 3 blocks of k under way";
        assert!(bf16.contains(under_way), "{bf16}");
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
            assert!(!other.contains("matrix units") && other.contains("of each thread"), "{other}");
        }
        let threads = plan(convolution("f32", [64, 128], 2), ProductOrder::Sequential);
        assert!(threads.contains("of each thread") && threads.contains(", rows from windows"), "{threads}");
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
