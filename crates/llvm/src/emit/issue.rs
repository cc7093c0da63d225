//! The order in which operations without control flow between them are emitted.
//!
//! Loop IR has each value right before the first that needs it, chain after chain. A processor looks ahead no further than
//! some hundred operations, and waits where most of those are links of one chain. So operations are emitted in the order in
//! which a processor that looks further would begin them: those of later chains fill the gaps of earlier ones, as long as
//! registers hold what is begun (list scheduling: Gibbons and Muchnick, "Efficient instruction scheduling for a pipelined
//! architecture", 1986). LLVM's own scheduler is off (`crate::options`).

mod item;
mod spare;

use item::{Item, Register, Work};
use lawson_kernel::loop_ir::{Bin, Buf, Cast, Kernel, Op, Scale, Stmt, Un, V};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Fewer operations on vectors are seen by a processor at once.
const SHORT: usize = 48;
/// How far operations are emitted before earlier ones: several vectors that are computed together stand one after the other.
const AHEAD: usize = 2048;
/// Instructions on vectors that begin in a cycle.
const WIDTH: usize = 2;
/// Registers for constants and what instructions need besides.
const SPARE: usize = 4;
/// Masks that are kept for later.
const MASKS: usize = 5;

/// The vector registers of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    pub count: usize,
    pub bits: u32,
}

/// A new order of definitions; `None` where theirs is as good.
pub fn order(kernel: &Kernel, run: &[Stmt], registers: Registers) -> Option<Vec<usize>> {
    let run: Vec<(V, &Op)> = run
        .iter()
        .map(|stmt| match stmt {
            Stmt::Let(v, op) => Some((*v, op)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let vectors = run.iter().filter(|(v, op)| Work::of(kernel, *v, op) == Work::Vector).count();
    (vectors >= SHORT).then(|| Scheduler::new(kernel, &run, registers).run())
}

struct Scheduler {
    items: Vec<Item>,
    /// Registers and masks that operations may hold.
    most: [usize; 2],
    /// When an operation can begin, as far as is known.
    ready: Vec<u32>,
    /// Of a load or a condition with time to spare, the link of the longer chain beside it that begins before it.
    after: Vec<Option<usize>>,
    /// Operands that have not begun.
    missing: Vec<usize>,
    /// Users that have not begun.
    waiting: Vec<usize>,
    begun: Vec<bool>,
    /// Those that have all operands and have not begun, but for scalars.
    can: BTreeSet<usize>,
    emitted: Vec<bool>,
    live: [usize; 2],
    order: Vec<usize>,
}

impl Scheduler {
    fn new(kernel: &Kernel, run: &[(V, &Op)], registers: Registers) -> Scheduler {
        let place: FxHashMap<V, usize> = run.iter().enumerate().map(|(n, (v, _))| (*v, n)).collect();
        let mut items: Vec<Item> = Vec::with_capacity(run.len());
        for (n, (v, op)) in run.iter().enumerate() {
            let work = Work::of(kernel, *v, op);
            let mut needs: Vec<usize> = operands(op).iter().filter_map(|o| place.get(o)).copied().collect();
            needs.sort_unstable();
            needs.dedup();
            needs.iter().for_each(|&o: &usize| items[o].users.push(n));
            let register = match work {
                Work::Scalar => Register::None,
                _ if kernel.ty(*v).elem.bits() == 1 => Register::Mask,
                _ => Register::Vector,
            };
            let (latency, users) = (latency(op, work), Vec::new());
            let ty = kernel.ty(*v);
            let size = (ty.elem.bits() * ty.lanes).div_ceil(registers.bits) as usize;
            items.push(Item { work, register, size, latency, needs, users, leaves: false });
        }
        // What nothing in the run uses is used after it.
        items.iter_mut().for_each(|i| i.leaves = i.users.is_empty());
        let missing = items.iter().map(|i| i.needs.len()).collect();
        let waiting = items.iter().map(|i| i.users.len()).collect();
        let n = items.len();
        Scheduler {
            after: spare::links(&items),
            items,
            most: [registers.count.saturating_sub(SPARE), MASKS],
            ready: vec![0; n],
            missing,
            waiting,
            begun: vec![false; n],
            can: BTreeSet::new(),
            emitted: vec![false; n],
            live: [0; 2],
            order: Vec::with_capacity(n),
        }
    }

    fn run(mut self) -> Vec<usize> {
        let first: Vec<usize> = (0..self.items.len()).filter(|&n| self.missing[n] == 0).collect();
        self.begin_scalars(first);
        let (mut oldest, mut now) = (0, 0);
        loop {
            while self.begun.get(oldest) == Some(&true) {
                oldest += 1;
            }
            if oldest == self.items.len() {
                break;
            }
            let (mut slots, mut next, mut some) = (0, u32::MAX, false);
            let mut from = oldest;
            while let Some(&n) = self.can.range(from..oldest + AHEAD).next() {
                from = n + 1;
                if n != oldest && (self.is_early(n) || !self.fits(n)) {
                    continue;
                }
                if self.ready[n] > now {
                    next = next.min(self.ready[n]);
                    continue;
                }
                if self.items[n].work == Work::Vector {
                    if slots >= WIDTH {
                        break;
                    }
                    slots += self.items[n].size;
                }
                self.begin(n, now);
                some = true;
            }
            now = if some { now + 1 } else { next.max(now + 1) };
        }
        (0..self.items.len()).for_each(|n| self.emit(n));
        self.order
    }

    /// Whether what is loaded or compared would wait in one of few registers that are left for what a longer chain gives its user.
    fn is_early(&self, n: usize) -> bool {
        let is_scarce = |kind: usize| 2 * self.live[kind] >= self.most[kind];
        self.after[n].is_some_and(|o| !self.begun[o]) && self.items[n].register.kind().is_some_and(is_scarce)
    }

    /// Whether there is a register for the result.
    fn fits(&self, n: usize) -> bool {
        let item = &self.items[n];
        let Some(kind) = item.register.kind() else { return true };
        let frees = |&o: &usize| self.waiting[o] == 1 && self.ends(o) == Some(kind);
        self.live[kind] + item.size <= self.most[kind] || item.needs.iter().any(frees)
    }

    /// The kind of register that is free again after an operation's last user.
    fn ends(&self, n: usize) -> Option<usize> {
        self.items[n].register.kind().filter(|_| !self.items[n].leaves)
    }

    fn begin(&mut self, n: usize, now: u32) {
        self.emit(n);
        self.can.remove(&n);
        if let Some(kind) = self.items[n].register.kind() {
            self.live[kind] += self.items[n].size;
        }
        let scalars = self.started(n, now);
        self.begin_scalars(scalars);
    }

    /// Of what can begin scalars do so, which takes nothing; they are emitted where they are needed.
    fn begin_scalars(&mut self, mut can: Vec<usize>) {
        while let Some(n) = can.pop() {
            if self.begun[n] {
                continue;
            }
            match self.items[n].work {
                Work::Scalar => can.extend(self.started(n, 0)),
                Work::Load | Work::Vector => _ = self.can.insert(n),
            }
        }
    }

    /// Which users can begin now.
    fn started(&mut self, n: usize, now: u32) -> Vec<usize> {
        self.begun[n] = true;
        let done = self.ready[n].max(now) + self.items[n].latency;
        for at in 0..self.items[n].needs.len() {
            let o = self.items[n].needs[at];
            self.waiting[o] -= 1;
            if let (0, Some(kind)) = (self.waiting[o], self.ends(o)) {
                self.live[kind] -= self.items[o].size;
            }
        }
        let users = self.items[n].users.clone();
        for &user in &users {
            self.missing[user] -= 1;
            self.ready[user] = self.ready[user].max(done);
        }
        users.into_iter().filter(|&user| self.missing[user] == 0).collect()
    }

    /// After the scalars that it needs.
    fn emit(&mut self, n: usize) {
        let (mut stack, mut found) = (vec![n], Vec::new());
        while let Some(n) = stack.pop() {
            if !self.emitted[n] {
                self.emitted[n] = true;
                found.push(n);
                stack.extend(&self.items[n].needs);
            }
        }
        found.sort_unstable();
        self.order.extend(found);
    }
}

/// Cycles of an operation on processors of today (uops.info), where it is one instruction.
fn latency(op: &Op, work: Work) -> u32 {
    match op {
        Op::Const { .. } | Op::Iota(_) | Op::Regroup { .. } | Op::Cast { op: Cast::Bits, .. } => 0,
        Op::Load { offset: _, .. } => 7,
        Op::Splat { .. } => 3,
        _ if work == Work::Scalar => 1,
        Op::Bin(bin, ..) => match bin {
            Bin::Mul | Bin::SMulWide | Bin::UMulWide => 5,
            Bin::SMulHi | Bin::UMulHi => 10,
            Bin::FAdd | Bin::FSub | Bin::FMul => 4,
            Bin::FDiv => 18,
            Bin::SDiv | Bin::UDiv | Bin::SRem | Bin::URem => 40,
            _ => 1,
        },
        Op::Fma(..) | Op::Scale(..) | Op::Madd52(..) | Op::Cast { .. } => 4,
        Op::DotBytes(..) => 5,
        Op::DotBf16(..) => 6,
        Op::Un(Un::Sqrt, _) => 20,
        Op::Un(Un::Rint | Un::Floor | Un::Ceil | Un::FTrunc, _) => 8,
        Op::Cmp(..) | Op::Un(Un::Popcnt, _) => 3,
        Op::Shuffle { .. } | Op::Pack(_) | Op::Extract(..) => 3,
        Op::Table { .. } => 20,
        _ => 1,
    }
}

/// The values an operation is made of.
fn operands(op: &Op) -> Vec<V> {
    match op {
        Op::Const { .. } | Op::Iota(_) => Vec::new(),
        Op::Splat { scalar: v, .. }
        | Op::Un(_, v)
        | Op::Cast { value: v, .. }
        | Op::Extract(v, _)
        | Op::Regroup { value: v, .. }
        | Op::Word(v, _)
        | Op::Any(v)
        | Op::First(v)
        | Op::Table { index: v, .. } => vec![*v],
        Op::Bin(_, a, b) | Op::Cmp(_, a, b) | Op::Shuffle { a, b, .. } => vec![*a, *b],
        Op::WithCarry(_, a, b, c)
        | Op::Fma(a, b, c)
        | Op::Select(a, b, c)
        | Op::Madd52(_, a, b, c)
        | Op::DotBytes(a, b, c)
        | Op::DotBf16(a, b, c) => vec![*a, *b, *c],
        Op::Load { buf, offset, mask, .. } => {
            let row = match buf {
                Buf::Cell { row, .. } => Some(*row),
                Buf::Global(_) | Buf::Local(_) => None,
            };
            [*offset].into_iter().chain(*mask).chain(row).collect()
        }
        Op::Scale(Scale { value, powers: [first, second], exponent, small }) => {
            vec![*value, *first, *second, *exponent, *small]
        }
        Op::Pack(all) => all.clone(),
        Op::Join(words) => words.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, Cmp, CodeBuilder, Elem, Type};

    const AVX512: Registers = Registers { count: 32, bits: 512 };

    /// So many chains of so many products, one chain after the other, and their sum.
    fn chains(count: usize, length: usize) -> Kernel {
        chains_to(count, length, |_, _, end| end)
    }

    /// The same with something at the end of each chain, made of what it begins with and of its last product.
    fn chains_to(count: usize, length: usize, last: impl Fn(&mut CodeBuilder, V, V) -> V) -> Kernel {
        let mut b = CodeBuilder::new("chains");
        let task = b.open_phase(1);
        let buf = b.buffer("x", Elem::F32, 16 * count as i64, Access::ReadWrite);
        let mut sum = None;
        for n in 0..count {
            let at = b.i64(16 * n as i64);
            let start = b.op(Op::Load { buf, offset: at, ty: Type::vector(Elem::F32, 16), mask: None });
            let end = (0..length).fold(start, |x, _| b.bin(Bin::FMul, x, start));
            let end = last(&mut b, start, end);
            sum = Some(sum.map_or(end, |s| b.bin(Bin::FAdd, s, end)));
        }
        let at = b.i64(0);
        b.store(buf, at, sum.expect("some chain"), None);
        b.close_phase(task);
        b.finish()
    }

    /// The definitions at the start of a kernel's only phase.
    fn run(kernel: &Kernel) -> &[Stmt] {
        let body = &kernel.phases[0].body;
        let end = body.iter().position(|s| !matches!(s, Stmt::Let(..))).expect("a store");
        &body[..end]
    }

    fn defined(stmt: &Stmt) -> (V, &Op) {
        let Stmt::Let(v, op) = stmt else { unreachable!("a run of definitions") };
        (*v, op)
    }

    /// Vectors that are held at once, at most, of those with elements of these bits.
    fn held(kernel: &Kernel, run: &[Stmt], order: &[usize], bits: u32) -> usize {
        let counts = |v: V| kernel.ty(v).lanes > 1 && kernel.ty(v).elem.bits() == bits;
        let mut last: FxHashMap<V, usize> = FxHashMap::default();
        for (at, &n) in order.iter().enumerate() {
            operands(defined(&run[n]).1).into_iter().for_each(|o| _ = last.insert(o, at));
        }
        let (mut live, mut most) = (0, 0);
        for (at, &n) in order.iter().enumerate() {
            let (v, op) = defined(&run[n]);
            let mut used = operands(op);
            used.dedup();
            live -= used.iter().filter(|o| counts(**o) && last[*o] == at).count();
            live += usize::from(counts(v));
            most = most.max(live);
        }
        most
    }

    #[test]
    fn each_operation_comes_once_and_after_what_it_needs() {
        let kernel = chains(9, 20);
        let order = order(&kernel, run(&kernel), AVX512).expect("a long run");
        let mut there = vec![false; kernel.types.len()];
        for &n in &order {
            let (v, op) = defined(&run(&kernel)[n]);
            let ready = operands(op).iter().all(|o| there[o.0 as usize] || kernel.phases[0].task == *o);
            assert!(ready && !there[v.0 as usize], "{n} in {order:?}");
            there[v.0 as usize] = true;
        }
        assert_eq!(order.len(), run(&kernel).len());
    }

    #[test]
    fn chains_fill_each_others_gaps_while_registers_last() {
        // A product takes four cycles, in which two begin each: eight chains keep a processor busy.
        let (kernel, length) = (chains(8, 20), 20);
        let order = order(&kernel, run(&kernel), AVX512).expect("a long run");
        let products: Vec<usize> = order
            .iter()
            .copied()
            .filter(|&n| matches!(defined(&run(&kernel)[n]).1, Op::Bin(Bin::FMul, ..)))
            .collect();
        let chain = |n: usize| products.iter().filter(|&&p| p < n).count() / length;
        let begun: Vec<usize> = products[..32].iter().map(|&n| chain(n)).collect();
        for c in 0..8 {
            assert!(begun.contains(&c), "chain {c} is not among the first: {begun:?}");
        }
    }

    #[test]
    fn no_more_is_begun_than_registers_hold() {
        let kernel = chains(40, 10);
        for count in [16, 32] {
            let order = order(&kernel, run(&kernel), Registers { count, bits: 512 }).expect("a long run");
            let held = held(&kernel, run(&kernel), &order, 32);
            assert!(held <= count, "{held} values in {count} registers");
        }
    }

    #[test]
    fn conditions_of_a_chains_end_wait_for_it() {
        let of_start = |b: &mut CodeBuilder, start: V, end: V| {
            let bound = b.constant(Type::vector(Elem::F32, 16), 1.0f32.to_bits().into());
            let is_large = b.cmp(Cmp::FLt, bound, start);
            b.select(is_large, end, start)
        };
        let kernel = chains_to(8, 20, of_start);
        let order = order(&kernel, run(&kernel), AVX512).expect("a long run");
        let held = held(&kernel, run(&kernel), &order, 1);
        assert!(held < MASKS, "{held} masks are held at once");
    }

    #[test]
    fn short_runs_stay() {
        let kernel = chains(4, 4);
        assert_eq!(order(&kernel, run(&kernel), AVX512), None);
    }
}
