//! What kernels for a graphics processor move, counted by the emulator of PTX, and the bounds that hold for it.
//!
//! With `--nocapture` the counters of each canonical kernel are printed.

use crate::canonical::{self, Canonical};
use crate::emulate;
use crate::planned::{Planned, TARGET};
use lawson_kernel::loop_ir::{Access, Buffer, Kernel};
use lawson_kernel::program;
use std::path::Path;

/// The description of a device with one multiprocessor.
pub const ONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gpu_code/one_multiprocessor.json");
const SECTOR: i64 = 32;
/// The most that is moved of the least, and the most conflicts of the accesses to shared memory.
const MOVED: f64 = 1.06;
const CONFLICTS: f64 = 0.05;

/// What all launches of a module did.
#[derive(Default)]
pub struct Measured {
    kernels: usize,
    /// Tasks of each phase.
    tasks: Vec<i64>,
    /// Sectors that arrays take which are read or written.
    least: i64,
    /// Sectors of the accesses of warps; and those of each block, counted once.
    by_warps: i64,
    by_blocks: i64,
    shared: u64,
    conflicts: u64,
    branches: u64,
    divergent: u64,
    /// Warps that waited at a barrier of a warp, and blocks at one of theirs.
    waits: u64,
    barriers: u64,
    pub instructions: u64,
}

/// What a module does, whose values are the interpreter's.
fn measure(module: &Canonical) -> Measured {
    let planned = match module.fills_one {
        true => Planned::for_machine(&module.name, &module.text, Path::new(ONE)),
        false => Planned::of(&module.name, &module.text),
    };
    let (measured, found) = run(&planned, module.shared);
    for (expected, found) in planned.expected.iter().zip(&found) {
        assert!(expected.bytes() == &found[..], "{}: other values", module.name);
    }
    measured
}

/// What a module does, and its results. An operand of so many elements is shared by all rows.
pub fn run(planned: &Planned, shared_elements: i64) -> (Measured, Vec<Vec<u8>>) {
    let mut measured = Measured::default();
    let mut run = |kernel: &Kernel, buffers: &mut [Vec<u8>]| {
        measured.kernels += 1;
        measured.tasks.extend(kernel.phases.iter().map(|p| p.tasks));
        let is_shared = |b: &Buffer| b.access == Access::Read && b.len == shared_elements;
        let passed = kernel.buffers.iter().filter(|b| b.access != Access::Scratch && !is_shared(b));
        measured.least += passed.map(|b| (b.len * b.elem.bytes() + SECTOR - 1) / SECTOR).sum::<i64>();
        let shared: Vec<&str> = kernel.buffers.iter().filter(|b| is_shared(b)).map(|b| &b.name[..]).collect();
        for c in emulate::run(kernel, buffers, TARGET, i64::MAX)? {
            for (name, traffic) in &c.allocations {
                for flow in [traffic.read, traffic.written] {
                    let by_blocks = flow.block_sectors as i64;
                    let is_shared = shared.contains(&&name[..]);
                    measured.by_warps += if is_shared { by_blocks } else { flow.sectors as i64 };
                    measured.by_blocks += by_blocks;
                    measured.least += if is_shared { by_blocks } else { 0 };
                }
            }
            measured.shared += c.shared.passes - c.shared.conflicts;
            measured.conflicts += c.shared.conflicts;
            measured.branches += c.branches;
            measured.divergent += c.divergent_branches;
            measured.waits += c.warp_barriers;
            measured.barriers += c.barriers;
            measured.instructions += c.warp_instructions;
        }
        Ok(())
    };
    let found = program::evaluate_by(&planned.program, &planned.bytes(), Default::default(), &mut run);
    (measured, found.unwrap_or_else(|e| panic!("{e}")))
}

impl Measured {
    /// What was moved of the least: by warps, or where rows do not begin at sectors, by blocks.
    fn moved(&self, aligned: bool) -> f64 {
        (if aligned { self.by_warps } else { self.by_blocks }) as f64 / self.least as f64
    }

    fn row(&self, name: &str) -> String {
        let share = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        format!(
            "{name:32} {} kernels, tasks {:16} moved {:5.2} by warps {:5.2} by blocks, shared {:6} conflicts {:4.1} %, \
             divergent {:4.1} %, {:5} + {:4} waits, {:7} instructions",
            self.kernels,
            format!("{:?}", self.tasks),
            self.by_warps as f64 / self.least as f64,
            self.by_blocks as f64 / self.least as f64,
            self.shared,
            share(self.conflicts, self.shared),
            share(self.divergent, self.branches),
            self.waits,
            self.barriers,
            self.instructions,
        )
    }
}

#[test]
fn kernels_move_little_more_than_their_arrays() {
    let mut wrong = Vec::new();
    for module in canonical::all() {
        let m = measure(&module);
        println!("{}", m.row(&module.name));
        let moved = m.moved(module.aligned);
        let (most, why) = module.most.unwrap_or((MOVED, "nothing explains more"));
        if moved > most {
            wrong.push(format!("{} moves {moved:.3} of the least: {why}", module.name));
        }
        if m.conflicts as f64 > CONFLICTS * m.shared as f64 {
            wrong.push(format!("{}: {} conflicts in {} accesses", module.name, m.conflicts, m.shared));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
