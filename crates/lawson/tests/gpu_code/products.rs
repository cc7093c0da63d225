//! Products whose tiles are shared by the warps of a block: both operands are read once for each tile, without bank conflicts,
//! and a block waits once for each block of k.

use crate::emulate;
use crate::planned::{Planned, TARGET};
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::program;
use lawson_ptx::Counters;

/// A product with a bias for each column; operands lie as their dimensions say.
pub fn product(rows: i64, columns: i64, k: i64, (lhs, rhs): (bool, bool)) -> String {
    let of = |turned: bool, a: i64, b: i64| if turned { format!("{b},{a}") } else { format!("{a},{b}") };
    let (x, y) = (of(lhs, rows, k), of(rhs, k, columns));
    format!(
        "HloModule m\nENTRY e {{\n  x = f32[{x}] parameter(0)\n  y = f32[{y}] parameter(1)\n  \
         b = f32[{columns}] parameter(2)\n  d = f32[{rows},{columns}] dot(x, y), lhs_contracting_dims={{{}}}, \
         rhs_contracting_dims={{{}}}\n  bb = f32[{rows},{columns}] broadcast(b), dimensions={{1}}\n  \
         ROOT s = f32[{rows},{columns}] add(d, bb)\n}}\n",
        !lhs as u8, rhs as u8
    )
}

/// The counters of the one launch, after the values were compared, and its kernel.
fn launched(name: &str, text: &str, blocks: i64) -> (Counters, Kernel) {
    launched_as(name, &Planned::of(name, text), blocks)
}

/// As [`launched`], of a module that is planned.
pub fn launched_as(name: &str, planned: &Planned, blocks: i64) -> (Counters, Kernel) {
    let mut launches = Vec::new();
    let mut run = |kernel: &Kernel, buffers: &mut [Vec<u8>]| {
        launches
            .extend(emulate::run(kernel, buffers, TARGET, blocks)?.into_iter().map(|c| (c, kernel.clone())));
        Ok(())
    };
    let found = program::evaluate_by(&planned.program, &planned.bytes(), Default::default(), &mut run);
    let found = found.unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(planned.expected[0].bytes() == &found[0][..], "{name}: other values");
    assert_eq!(launches.len(), 1, "{name}");
    launches.remove(0)
}

/// Elements of k that are copied at once: at least, and at most.
const BLOCK: i64 = 16;
const LONGEST_BLOCK: i64 = 64;

#[test]
fn operands_are_read_once_for_each_tile() {
    let sizes = [
        (64, 96, 64),
        (72, 104, 128),
        (72, 104, 48),
        (130, 200, 35),
        (256, 10, 128),
        (12, 300, 72),
        (100, 60, 5),
        (300, 280, 200),
    ];
    let lies = [(false, false), (true, false), (false, true), (true, true)];
    for ((rows, columns, k), turned) in sizes.into_iter().flat_map(|s| lies.map(|l| (s, l))) {
        let name = format!("{rows} x {columns} over {k}, turned {turned:?}");
        let (c, kernel) = launched(&name, &product(rows, columns, k, turned), i64::MAX);
        let phase = &kernel.phases[0];
        assert_eq!((kernel.phases.len(), phase.warps), (1, 8), "{name}: {}", kernel.locals.len());
        let conflicts = c.shared.conflicts as f64 / (c.shared.passes - c.shared.conflicts) as f64;
        println!(
            "{name:40} {:3} tiles, conflicts {:4.1} %, {} barriers",
            phase.tasks,
            100.0 * conflicts,
            c.barriers
        );
        assert!(conflicts <= 0.05, "{name}: {conflicts}");
        assert_eq!(c.divergent_branches, 0, "{name}");
        // Where rows begin at multiples of a sector, a block reads the sectors of its part of an operand, and no others;
        // of a block of k that is not whole it reads the last element again.
        if (rows % 8, columns % 8, k % LONGEST_BLOCK) == (0, 0, 0) {
            for array in ["x", "y"] {
                let read = c.allocation(array).unwrap_or_else(|| panic!("{name}: {array}")).read;
                assert!(
                    read.sectors as f64 <= 1.06 * read.block_sectors as f64,
                    "{name}: {array} {} sectors, {} of blocks",
                    read.sectors,
                    read.block_sectors
                );
            }
        }
        let blocks_of_k = (k + BLOCK - 1) / BLOCK;
        assert!(c.barriers as i64 <= phase.tasks * (blocks_of_k + 1), "{name}: {} barriers", c.barriers);
    }
}

#[test]
fn a_block_has_several_tiles() {
    launched("few blocks", &product(130, 200, 35, (false, false)), emulate::FEW_BLOCKS);
}

/// What threads multiply they load 16 bytes at a time, in two passes for a warp, and so they copy what lies in line.
#[test]
fn threads_load_and_copy_by_fours() {
    let (rows, columns, k) = (1024, 1024, 32);
    for turned in [(false, false), (true, false)] {
        let (c, kernel) = launched("fours", &product(rows, columns, k, turned), i64::MAX);
        // Tiles of 64 x 128, so that each thread has four rows and twice four columns.
        let tiles = kernel.phases[0].tasks;
        assert_eq!(tiles, rows * columns / (64 * 128));
        let loads = tiles * 8 * k * 3;
        let copied = tiles * k * (64 + 128) * 4;
        assert_eq!(c.shared.loads as i64, loads);
        assert_eq!((c.shared.passes as i64, c.shared.conflicts), (2 * loads + copied / 128, 0));
        // Elements along k go to different lines.
        let stores = |side: i64, apart: bool| tiles * side * k / (32 * if apart { 1 } else { 4 });
        assert_eq!(c.shared.stores as i64, stores(64, !turned.0) + stores(128, false));
    }
}
