//! Tasks as teams of warps: a vector of Loop IR is spread over the threads of one warp, or of all.
//!
//! - A scalar is a value that all threads hold. Conditions are scalars, so all threads go the same way.
//! - A vector of as many lanes as the team has threads, or k times as many, is spread over all of them: each holds k
//!   neighbouring lanes, in their order.
//! - Any other vector every warp holds by itself. Of L ≥ 32 lanes, its thread t holds lanes k·t … k·t + k − 1, where k is
//!   L / 32; of L < 32 lanes, lane t mod L. The first warp stores it, and of L < 32 lanes its threads 0 … L − 1.
//! - Lanes of vectors that are spread over several warps are never moved (`legal::warps`).
//!
//! What works lane by lane is emitted as for processors, on what a thread holds ([`Emitter::held`]). What moves between
//! lanes is in `lanes`, what reads and writes memory in `memory`, and when threads must wait for each other in `order`.
//! How tasks are numbered and what an entry is launched with, [`crate::blocks`] says.

mod lanes;
mod matrix;
mod memory;
pub(super) mod order;
pub(super) mod owners;
mod thread_map;

use super::Emitter;
use crate::blocks::{Blocks, WARP, entry_symbol};
use crate::ir::{Space, Value};
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use inkwell::llvm_sys::LLVMOpcode::{LLVMAdd, LLVMAnd, LLVMLShr, LLVMMul, LLVMZExt};
use lawson_kernel::loop_ir::{Phase, Stmt, Type};
use thread_map::ThreadMap;

/// What the code of a thread knows of itself.
#[derive(Clone, Copy)]
pub(super) struct Warp {
    /// The number of the thread in its warp, and among those that share the task, I32.
    thread: Value,
    of_team: Value,
    /// Warps that share the task.
    team: u32,
}

/// All threads of a warp, as the bits of a mask.
const ALL: i32 = -1;

impl Emitter<'_> {
    /// The phase as an entry of a kernel that is launched on blocks.
    pub(super) fn warp_phase(&mut self, index: usize, phase: &Phase, blocks: &Blocks) {
        let ir = self.ir;
        let name = entry_symbol(&self.kernel.name, index);
        let attributes =
            [("target-cpu", self.spec.cpu.as_str()), ("target-features", self.spec.features.as_str())];
        let words = ir.function(&name, &[ir.ptr()], &attributes)[0];
        ir.kernel_of_blocks(blocks.words, blocks.threads());
        let register = |name: &str| ir.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), &[], &[]);
        let long = |x: Value| ir.cast(LLVMZExt, x, ir.int(64));
        let in_block = register("tid.x");
        let thread = ir.bin(LLVMAnd, in_block, ir.i32(WARP as i32 - 1));
        let teams =
            |blocks_before: Value| ir.bin(LLVMMul, long(blocks_before), ir.i64(blocks.teams().into()));
        let in_block_before = match blocks.teams() {
            1 => ir.i64(0),
            _ => long(ir.bin(LLVMLShr, in_block, ir.i32(WARP.trailing_zeros() as i32))),
        };
        let first = ir.bin(LLVMAdd, teams(register("ctaid.x")), in_block_before);
        let all = teams(register("nctaid.x"));
        let local_bytes = ir.i64(self.kernel.local_layout().1);
        let local = |base: Value, task_before: Value| {
            ir.address(ir.int(8), base, ir.bin(LLVMMul, task_before, local_bytes))
        };
        let local = match (blocks.shared, blocks.scratch) {
            (0, 0) => words,
            (0, _) => {
                let base = ir.address(ir.int(64), words, ir.i64(blocks.words as i64 - 1));
                local(ir.load(ir.ptr_in(Space::Device), base, 8), first)
            }
            (bytes, _) => {
                let bytes = (blocks.asked() == 0).then_some(bytes as u64);
                local(ir.shared(&format!("{name}_local"), bytes), in_block_before)
            }
        };
        self.warp = Some(Warp { thread, of_team: in_block, team: blocks.team });
        self.owners = owners::Owners::of(self.kernel, phase);
        self.order = order::Order::of(self.kernel, &self.owners, phase);
        self.load_bases(phase, ir.address(ir.int(64), words, ir.i64(1)), local);
        self.enter_loop(&[&phase.body]);
        self.counted_loop(first, ir.i64(phase.tasks), all, &[], |e, task, _| {
            e.set(phase.task, task);
            // Other threads may be at the task before, whose arrays were in the same place.
            if phase.by_barriers {
                e.barrier();
            }
            e.stmts(&phase.body);
            Vec::new()
        });
        ir.ret();
    }

    /// What a thread holds of a value; on a processor all of it.
    pub(super) fn held(&self, ty: Type) -> Type {
        match self.warp {
            Some(_) => Type { lanes: self.per_thread(ty.lanes), ..ty },
            None => ty,
        }
    }

    /// Notes what a loop accesses, where it begins.
    pub(super) fn enter_loop(&mut self, bodies: &[&[Stmt]]) {
        if self.order.enter_loop(self.kernel, &self.owners, bodies) {
            self.wait();
        }
    }

    /// Whether all warps that share the task hold a vector of so many lanes together.
    fn is_spread(&self, lanes: u32) -> bool {
        self.warp.is_some_and(|w| w.team > 1 && lanes >= w.team * WARP)
    }

    /// Lanes that a thread holds of a vector.
    fn per_thread(&self, lanes: u32) -> u32 {
        let threads = if self.is_spread(lanes) { WARP * self.warp.map_or(1, |w| w.team) } else { WARP };
        lanes.div_ceil(threads)
    }

    fn thread(&self) -> Value {
        self.warp.expect("code of a warp").thread
    }

    /// The number that the function gives for each thread, I32.
    fn mapped(&self, map: &ThreadMap) -> Value {
        let (ir, thread) = (self.ir, self.thread());
        let and = |x: Value, mask: u32| ir.bin(LLVMAnd, x, ir.i32(mask as i32));
        match map {
            ThreadMap::Own => thread,
            ThreadMap::Constant(n) => ir.i32(*n as i32),
            ThreadMap::Rotated(by) => and(ir.bin(LLVMAdd, thread, ir.i32(*by as i32)), WARP - 1),
            ThreadMap::Moved { parts, flipped } => {
                let parts = parts.iter().map(|&(by, mask)| and(self.shifted(thread, by), mask));
                self.combined(parts, *flipped)
            }
            ThreadMap::Any(bits) => {
                let bits = (0..).zip(bits).filter(|(_, threads)| **threads != 0);
                let parts = bits.map(|(bit, &threads)| self.shifted(and(self.bit_of(threads), 1), bit));
                self.combined(parts, 0)
            }
        }
    }

    /// The bits of all parts, these flipped.
    fn combined(&self, parts: impl Iterator<Item = Value>, flipped: u32) -> Value {
        use inkwell::llvm_sys::LLVMOpcode::{LLVMOr, LLVMXor};
        let ir = self.ir;
        let sum = parts.reduce(|a, b| ir.bin(LLVMOr, a, b)).unwrap_or(ir.i32(0));
        if flipped == 0 { sum } else { ir.bin(LLVMXor, sum, ir.i32(flipped as i32)) }
    }

    /// Moved to the left; to the right by a negative amount.
    fn shifted(&self, x: Value, by: i32) -> Value {
        use inkwell::llvm_sys::LLVMOpcode::LLVMShl;
        match by {
            0 => x,
            1.. => self.ir.bin(LLVMShl, x, self.ir.i32(by)),
            _ => self.ir.bin(LLVMLShr, x, self.ir.i32(-by)),
        }
    }

    /// A number whose lowest bit says whether the thread is one of these.
    fn bit_of(&self, threads: u32) -> Value {
        self.ir.bin(LLVMLShr, self.ir.i32(threads as i32), self.thread())
    }

    /// Whether the thread is one of these.
    fn is_one_of(&self, threads: u32) -> Value {
        use inkwell::llvm_sys::LLVMIntPredicate::{LLVMIntNE, LLVMIntULT};
        use inkwell::llvm_sys::LLVMOpcode::LLVMTrunc;
        let ir = self.ir;
        let first = threads.trailing_ones();
        if first < WARP && threads >> first == 0 {
            return ir.icmp(LLVMIntULT, self.thread(), ir.i32(first as i32));
        }
        let with_bit = |bit: u32| (0..WARP).filter(|t| t >> bit & 1 == 1).map(|t| 1u32 << t).sum::<u32>();
        for bit in 0..WARP.trailing_zeros() {
            let tested = || ir.bin(LLVMAnd, self.thread(), ir.i32(1 << bit));
            if threads == with_bit(bit) {
                return ir.icmp(LLVMIntNE, tested(), ir.i32(0));
            }
            if threads == !with_bit(bit) {
                return ir.icmp(LLVMIntEQ, tested(), ir.i32(0));
            }
        }
        ir.cast(LLVMTrunc, self.bit_of(threads), ir.int(1))
    }

    /// Whether the team has several warps, and this thread is of the first; `None` where there is but one.
    fn is_of_first_warp(&self) -> Option<Value> {
        use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntULT;
        let warp = self.warp.expect("code of a warp");
        (warp.team > 1).then(|| self.ir.icmp(LLVMIntULT, warp.of_team, self.ir.i32(WARP as i32)))
    }

    /// Waits until all threads that share the task are here, and sees what they have stored.
    /// All threads of the task wait here. A task of a processor has one.
    pub(super) fn barrier(&mut self) {
        if self.warp.is_some() {
            self.order.clear();
            self.wait();
        }
    }

    fn wait(&self) {
        match self.warp.expect("code of a warp").team {
            1 => self.ir.intrinsic("llvm.nvvm.bar.warp.sync", &[], &[self.ir.i32(ALL)]),
            _ => self.ir.intrinsic("llvm.nvvm.barrier0", &[], &[]),
        };
    }
}

/// Lanes that a thread holds of a vector that its warp holds.
fn per_thread(lanes: u32) -> u32 {
    lanes.div_ceil(WARP)
}

/// The lane that a thread holds in this place, of a vector of so many that its warp holds.
fn lane_of(lanes: u32, thread: usize, place: u32) -> u32 {
    if lanes < WARP { thread as u32 % lanes } else { thread as u32 * per_thread(lanes) + place }
}
