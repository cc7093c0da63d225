//! Loop IR to LLVM IR, statement by statement: one function for each phase.
//!
//! A vector of Loop IR is one of LLVM on processors; on graphics processors it is spread over the threads of a warp, which
//! is the task: `warp` says how, and has what is different there. Control flow and what works lane by lane is the same.
//!
//! Loops become rotated (guard, body, test at the end), because no later pass would do it.

mod apart;
mod carry_chain;
mod division;
mod fence;
mod half;
mod in_turns;
mod issue;
mod lookup;
mod memory;
mod offsets;
mod ops;
mod scale;
mod tiles;
mod warp;
mod wide;
mod words;

use crate::blocks::Blocks;
use crate::ir::{Ir, Meta, Space, Value};
use crate::target::TargetSpec;
use half::Halves;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntSLT};
use inkwell::llvm_sys::LLVMOpcode::{LLVMAdd, LLVMAnd};
use inkwell::module::Module;
use issue::Registers;
use lawson_kernel::loop_ir::{Block, Buf, Carried, Kernel, Phase, Stmt, Type, V};
use rustc_hash::FxHashMap;
use warp::Warp;
use warp::order::Order;
use warp::owners::Owners;

/// The symbol of a kernel's phase in the object:
/// `fn(buffers: *const *mut u8, begin: i64, end: i64, local: *mut u8)` runs tasks `begin..end`.
///
/// `buffers` has one pointer, aligned to 64 bytes, for each of the kernel's buffers; `local` is the running
/// thread's private block, see [`Kernel::shared_layout`].
pub fn phase_symbol(kernel: &str, phase: usize) -> String {
    format!("{kernel}_p{phase}")
}

/// Adds the functions of all phases of a verified kernel to the module; on a graphics processor each has blocks.
pub fn kernel<'c>(
    context: &'c Context,
    module: &Module<'c>,
    spec: &TargetSpec,
    kernel: &Kernel,
    blocks: &[Blocks],
) {
    let ir = Ir::new(context, module);
    let space = if spec.is_gpu() { Space::Device } else { Space::Generic };
    let tables = kernel
        .tables
        .iter()
        .enumerate()
        .map(|(i, t)| ir.table(&format!("{}_t{i}", kernel.name), t, space))
        .collect();
    let mut emitter = Emitter {
        ir: &ir,
        spec,
        kernel,
        tables,
        columns: kernel
            .columns
            .iter()
            .enumerate()
            .map(|(i, c)| {
                let words: Vec<u64> = c.iter().map(|&n| n as u64).collect();
                ir.table(&format!("{}_c{i}", kernel.name), &words, space)
            })
            .collect(),
        values: vec![None; kernel.types.len()],
        made: Vec::new(),
        cells: FxHashMap::default(),
        buffers: None,
        bases: FxHashMap::default(),
        alias_tags: FxHashMap::default(),
        lane_masks: in_turns::Masks::default(),
        vector_bits: spec.vector_bits(),
        streamed: false,
        branches_to_scale: false,
        halves: Halves::default(),
        stored_apart: 0,
        tiles: None,
        warp: None,
        order: Order::default(),
        owners: Owners::default(),
    };
    emitter.tiles = emitter.tile_setup(kernel);
    for (i, phase) in kernel.phases.iter().enumerate() {
        match blocks.get(i) {
            Some(blocks) => emitter.warp_phase(i, phase, blocks),
            None => emitter.phase(i, phase),
        }
    }
}

struct Emitter<'a> {
    ir: &'a Ir<'a>,
    spec: &'a TargetSpec,
    kernel: &'a Kernel,
    tables: Vec<Value>,
    /// For each column of a segment table the positions of its buffers.
    columns: Vec<Value>,
    /// Columns that the phase looks up, by the row's value.
    cells: FxHashMap<V, Vec<u32>>,
    /// The phase's parameter with the addresses of all buffers.
    buffers: Option<Value>,
    values: Vec<Option<Value>>,
    /// How the offsets of the phase are made, by value.
    made: Vec<Option<offsets::Made>>,
    /// The address of each array the phase uses.
    bases: FxHashMap<Buf, Value>,
    /// Says of an access which array it is to; distinct arrays do not overlap.
    alias_tags: FxHashMap<memory::Alias, Meta>,
    /// Masks of the even and of the odd lanes of 16, where the phase uses them.
    lane_masks: in_turns::Masks,
    /// Bits of the widest vectors of the phase.
    vector_bits: u32,
    /// The phase bypasses the caches, and must fence before it returns.
    streamed: bool,
    /// Small results of `Scale` are computed behind a branch.
    branches_to_scale: bool,
    /// Numbers of the phase that f16 represents.
    halves: Halves,
    /// Scatters of the phase that have become single stores.
    stored_apart: u32,
    /// How tile registers are set up, where the kernel uses them.
    tiles: Option<Value>,
    /// The thread that the code is of, on a graphics processor.
    warp: Option<Warp>,
    /// What the threads of a warp have accessed since they last waited.
    order: Order,
    /// Which thread has an element, of the accesses of a phase.
    owners: Owners,
}

impl Emitter<'_> {
    /// `fn(ptr buffers, i64 begin, i64 end, ptr local)`
    fn phase(&mut self, index: usize, phase: &Phase) {
        let ir = self.ir;
        let (ptr, i64_ty) = (ir.ptr(), ir.int(64));
        let name = phase_symbol(&self.kernel.name, index);
        self.vector_bits = self.spec.vector_bits() / if phase.halves { 2 } else { 1 };
        let width = self.vector_bits.to_string();
        let attributes = [
            ("target-cpu", self.spec.cpu.as_str()),
            ("target-features", self.spec.features.as_str()),
            ("prefer-vector-width", &width),
            ("min-legal-vector-width", &width),
        ];
        let attributes = if self.spec.is_x86() { &attributes[..] } else { &attributes[..2] };
        let params = ir.function(&name, &[ptr, i64_ty, i64_ty, ptr], attributes);
        let [buffers, begin, end, local] = params[..] else { unreachable!("four parameters") };
        (self.streamed, self.lane_masks) = (false, in_turns::Masks::default());
        self.branches_to_scale = phase.scales() <= scale::MOST_BRANCHES;
        self.halves = Halves::new(self.spec.has_half_arithmetic() && phase.rounds_to_halves());
        self.made = offsets::made(self.kernel, phase);
        self.load_bases(phase, buffers, local);
        self.set_up_tiles(phase);
        if phase.tasks == 1 {
            self.set(phase.task, ir.i64(0));
            self.stmts(&phase.body);
        } else {
            self.counted_loop(begin, end, ir.i64(1), &[], |e, task, _| {
                e.set(phase.task, task);
                e.stmts(&phase.body);
                Vec::new()
            });
        }
        self.release_tiles(phase);
        if self.streamed && self.spec.is_x86() {
            ir.intrinsic("llvm.x86.sse.sfence", &[], &[]);
        }
        ir.ret();
    }

    fn get(&self, v: V) -> Value {
        self.values[v.0 as usize].expect("verified: defined before use")
    }

    /// The type of what is held of a value.
    fn ty(&self, v: V) -> Type {
        self.held(self.kernel.ty(v))
    }

    /// Where arrays are.
    fn space(&self) -> Space {
        if self.spec.is_gpu() { Space::Device } else { Space::Generic }
    }

    fn set(&mut self, v: V, value: Value) {
        self.values[v.0 as usize] = Some(value);
        if let Some(columns) = self.cells.get(&v) {
            self.load_row(v, &columns.clone());
        }
    }

    fn set_all(&mut self, vs: &[V], values: &[Value]) {
        for (&v, &value) in vs.iter().zip(values) {
            self.set(v, value);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        let is_let = |stmt: &Stmt| matches!(stmt, Stmt::Let(..));
        for run in stmts.chunk_by(|a, b| is_let(a) && is_let(b)) {
            let registers = |count| Registers { count, bits: self.vector_bits };
            let registers = self.spec.vector_registers().map(registers);
            let order = registers.and_then(|r| issue::order(self.kernel, run, r));
            match order {
                Some(order) => order.into_iter().for_each(|n| self.stmt(&run[n])),
                None => run.iter().for_each(|stmt| self.stmt(stmt)),
            }
        }
    }

    /// The block's code, here; what it yields.
    fn block(&mut self, block: &Block) -> Vec<Value> {
        self.stmts(&block.stmts);
        block.yields.iter().map(|&v| self.get(v)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, op) => {
                let value = self.op(*v, op);
                self.set(*v, value);
                self.keep_half(*v, op);
            }
            Stmt::Store(store) => self.store(store),
            Stmt::Prefetch { buf, offset, into } => self.prefetch(*buf, *offset, *into),
            Stmt::Barrier => self.barrier(),
            Stmt::MatrixProduct(product) => self.matrix_product(product),
            Stmt::LoadMatrices { buf, offset, transposed, results } => {
                self.load_matrices(*buf, *offset, *transposed, results);
            }
            Stmt::TileProduct(product) => self.tile_product(product),
            Stmt::CarryChain(chain) => self.carry_chain(chain),
            Stmt::CopyAsync(copy) => self.copy_async(copy),
            Stmt::GroupCopies => self.group_copies(),
            Stmt::AwaitCopies(but) => self.await_copies(*but),
            Stmt::For { var, lo, hi, step, carried, body, results } => {
                let inits: Vec<Value> = carried.iter().map(|c| self.get(c.init)).collect();
                let (lo, hi, step) = (self.get(*lo), self.get(*hi), self.ir.i64(*step));
                self.enter_loop(&[&body.stmts]);
                let before = self.order.clone();
                let ends = self.counted_loop(lo, hi, step, &inits, |e, i, params| {
                    e.set(*var, i);
                    e.set_params(carried, params);
                    e.block(body)
                });
                self.order.merge(&before);
                self.set_all(results, &ends);
            }
            Stmt::If { cond, then, otherwise, results } => {
                let before = self.order.clone();
                let mut after = Order::default();
                let then = |e: &mut Self| {
                    let yields = e.block(then);
                    after = std::mem::replace(&mut e.order, before);
                    yields
                };
                let ends = self.branch(self.get(*cond), then, |e| e.block(otherwise));
                self.order.merge(&after);
                self.set_all(results, &ends);
            }
            Stmt::While { carried, cond, body, results } => self.while_loop(carried, cond, body, results),
        }
    }

    fn set_params(&mut self, carried: &[Carried], params: &[Value]) {
        for (c, &p) in carried.iter().zip(params) {
            self.set(c.param, p);
        }
    }

    /// `for i in lo..hi step s`, of a positive step: `body` gets the index and the carried values and returns the next ones.
    /// Returns the values after the last trip.
    fn counted_loop(
        &mut self,
        lo: Value,
        hi: Value,
        step: Value,
        inits: &[Value],
        body: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let ir = self.ir;
        let trips = match [lo, hi, step].map(|v| ir.as_const(v)) {
            [Some(lo), Some(hi), _] if lo >= hi => Some(0),
            [Some(lo), Some(hi), Some(step)] => Some((hi - lo - 1) / step + 1),
            _ => None,
        };
        match trips {
            Some(0) => return inits.to_vec(),
            Some(1) => return body(self, lo, inits),
            _ => {}
        }
        let (entry, head, exit) = (ir.here(), ir.block(), ir.block());
        if trips.is_some() {
            ir.br(head);
        } else {
            ir.cond_br(ir.icmp(LLVMIntSLT, lo, hi), head, exit);
        }
        ir.position(head);
        let index = ir.phi(ir.int(64), &[(lo, entry)]);
        let params: Vec<Value> = inits.iter().map(|&v| ir.phi(ir.type_of(v), &[(v, entry)])).collect();
        let nexts = body(self, index, &params);
        let next = ir.bin(LLVMAdd, index, step);
        let latch = ir.here();
        ir.cond_br(ir.icmp(LLVMIntSLT, next, hi), head, exit);
        ir.add_incoming(index, next, latch);
        for (&param, &value) in params.iter().zip(&nexts) {
            ir.add_incoming(param, value, latch);
        }
        ir.position(exit);
        if trips.is_some() {
            return nexts;
        }
        let ends = inits.iter().zip(&nexts);
        ends.map(|(&i, &n)| ir.phi(ir.type_of(n), &[(i, entry), (n, latch)])).collect()
    }

    /// Both sides return values of the same types.
    fn branch(
        &mut self,
        cond: Value,
        then: impl FnOnce(&mut Self) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let ir = self.ir;
        let (yes, no, join) = (ir.block(), ir.block(), ir.block());
        ir.cond_br(cond, yes, no);
        ir.position(yes);
        let a = then(self);
        let after_yes = ir.here();
        ir.br(join);
        ir.position(no);
        let b = otherwise(self);
        let after_no = ir.here();
        ir.br(join);
        ir.position(join);
        let both = a.iter().zip(&b);
        both.map(|(&a, &b)| ir.phi(ir.type_of(a), &[(a, after_yes), (b, after_no)])).collect()
    }

    /// A loop whose trips are not counted. It also ends when the flag of the run is set.
    fn while_loop(&mut self, carried: &[Carried], cond: &Block, body: &Block, results: &[V]) {
        let ir = self.ir;
        let stop = self.stop_flag();
        let inits: Vec<Value> = carried.iter().map(|c| self.get(c.init)).collect();
        self.enter_loop(&[&cond.stmts, &body.stmts]);
        let (entry, head, trip, exit) = (ir.here(), ir.block(), ir.block(), ir.block());
        ir.br(head);
        ir.position(head);
        let params: Vec<Value> = inits.iter().map(|&v| ir.phi(ir.type_of(v), &[(v, entry)])).collect();
        self.set_params(carried, &params);
        let again = self.block(cond);
        let left = self.order.clone();
        let goes_on = match self.warp {
            Some(_) => self.goes_on(stop),
            None => ir.icmp(LLVMIntEQ, ir.load_flag(stop), ir.const_int(ir.int(8), 0)),
        };
        ir.cond_br(ir.bin(LLVMAnd, again[0], goes_on), trip, exit);
        ir.position(trip);
        let nexts = self.block(body);
        let latch = ir.here();
        ir.br(head);
        for (&param, &value) in params.iter().zip(&nexts) {
            ir.add_incoming(param, value, latch);
        }
        ir.position(exit);
        self.order = left;
        self.set_all(results, &params);
    }
}
