//! Operations that move between lanes: what another thread holds is fetched by `shfl`, conditions are collected by votes.

use super::thread_map::{THREADS, ThreadMap, Wanted};
use super::{ALL, lane_of, per_thread};
use crate::blocks::WARP;
use crate::emit::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{Elem, Op, Type, V};

/// A vector as it is held: its lanes, and what each thread has of them, place by place.
struct Held {
    lanes: u32,
    places: Vec<Value>,
}

impl Emitter<'_> {
    /// The value of an operation between lanes; `None` of any other.
    pub(in crate::emit) fn across(&self, v: V, op: &Op) -> Option<Value> {
        let ty = self.kernel.ty(v);
        Some(match op {
            Op::Iota(_) => self.iota(ty),
            Op::Extract(a, lane) => self.permuted(&[*a], &[*lane]),
            Op::Shuffle { a, b, lanes } => self.permuted(&[*a, *b], lanes),
            Op::Pack(parts) => self.packed(parts),
            Op::Regroup { value, to } => self.regrouped(*value, *to),
            Op::Any(mask) => self.any_lane(*mask),
            Op::First(mask) => self.first_lane(*mask),
            _ => return None,
        })
    }

    fn iota(&self, ty: Type) -> Value {
        let ir = self.ir;
        let first = self.first_lane_held(ty.lanes);
        let place = |place: u32| {
            let number = ir.bin(LLVMAdd, first, ir.i32(place as i32));
            match ty.elem.bits() {
                32 => number,
                64 => ir.cast(LLVMZExt, number, ir.int(64)),
                _ => ir.cast(LLVMTrunc, number, ir.elem(ty.elem)),
            }
        };
        self.together((0..self.per_thread(ty.lanes)).map(place).collect())
    }

    /// The first lane that the thread holds of a vector, I32.
    pub(super) fn first_lane_held(&self, lanes: u32) -> Value {
        let (ir, each) = (self.ir, self.per_thread(lanes) as i32);
        if self.is_spread(lanes) {
            return ir.bin(LLVMMul, self.warp.expect("code of a warp").of_team, ir.i32(each));
        }
        let wanted: Wanted = std::array::from_fn(|t| Some(lane_of(lanes, t, 0) / per_thread(lanes)));
        ir.bin(LLVMMul, self.mapped(&ThreadMap::of(&wanted)), ir.i32(each))
    }

    /// These lanes of vectors, one after the other.
    fn permuted(&self, vectors: &[V], lanes: &[u32]) -> Value {
        let of = self.kernel.ty(vectors[0]);
        let held = |value: Value| Held { lanes: of.lanes, places: self.apart(value, of.lanes) };
        if of.elem != Elem::I256 {
            let vectors: Vec<Held> = vectors.iter().map(|&v| held(self.get(v))).collect();
            return self.permuted_words(&vectors, lanes);
        }
        let words: Vec<[Value; 4]> = vectors.iter().map(|&v| self.words(self.get(v))).collect();
        self.joined(std::array::from_fn(|n| {
            let vectors: Vec<Held> = words.iter().map(|words| held(words[n])).collect();
            self.permuted_words(&vectors, lanes)
        }))
    }

    fn permuted_words(&self, vectors: &[Held], lanes: &[u32]) -> Value {
        let count = lanes.len() as u32;
        let place = |place| {
            // Where each thread finds its lane: the place in a vector, and the thread that holds it.
            let source = |t: usize| {
                let lane = lanes[lane_of(count, t, place) as usize];
                let vector = &vectors[(lane / vectors[0].lanes) as usize];
                let (n, lane) = (vector.lanes, lane % vector.lanes);
                let each = per_thread(n);
                let thread = match n {
                    WARP.. => lane / each,
                    // All threads get the same.
                    _ if count == 1 => lane,
                    // Each group of so many threads holds it.
                    _ => (t as u32 & !(n - 1)) | lane,
                };
                (vector.places[(lane % each) as usize], thread)
            };
            let sources: [(Value, u32); THREADS] = std::array::from_fn(source);
            let mut distinct: Vec<Value> = Vec::new();
            for (value, _) in sources {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            let fetched = |of: Value| {
                let wanted: Wanted = sources.map(|(value, thread)| (value == of).then_some(thread));
                self.fetched(of, vectors[0].lanes, &ThreadMap::of(&wanted))
            };
            let first = fetched(distinct[0]);
            distinct[1..].iter().fold(first, |others, &value| {
                let threads = (0..THREADS).filter(|&t| sources[t].0 == value).map(|t| 1 << t).sum();
                self.ir.select(self.is_one_of(threads), fetched(value), others)
            })
        };
        self.together((0..per_thread(count)).map(place).collect())
    }

    /// The value that each thread's source holds.
    fn fetched(&self, value: Value, lanes: u32, from: &ThreadMap) -> Value {
        let ir = self.ir;
        if lanes == 1 || *from == ThreadMap::Own {
            return value;
        }
        let from = self.mapped(from);
        let fetch = |word: Value| {
            let args = [ir.i32(ALL), word, from, ir.i32(WARP as i32 - 1)];
            ir.intrinsic("llvm.nvvm.shfl.sync.idx.i32", &[], &args)
        };
        let (ty, word) = (ir.type_of(value), ir.int(32));
        match ir.bits_of(ty) {
            32 => ir.cast(LLVMBitCast, fetch(ir.cast(LLVMBitCast, value, word)), ty),
            64 => {
                let bits = ir.cast(LLVMBitCast, value, ir.int(64));
                let half = ir.i64(32);
                let [low, high] = [bits, ir.bin(LLVMLShr, bits, half)]
                    .map(|bits| ir.cast(LLVMZExt, fetch(ir.cast(LLVMTrunc, bits, word)), ir.int(64)));
                ir.cast(LLVMBitCast, ir.bin(LLVMOr, low, ir.bin(LLVMShl, high, half)), ty)
            }
            _ => ir.cast(LLVMTrunc, fetch(ir.cast(LLVMZExt, value, word)), ty),
        }
    }

    fn packed(&self, parts: &[V]) -> Value {
        let count = parts.len() as u32;
        let place = |words: &[Value], place| {
            let of_threads: [Value; THREADS] =
                std::array::from_fn(|t| words[lane_of(count, t, place) as usize]);
            self.chosen(&of_threads)
        };
        let all =
            |words: Vec<Value>| self.together((0..per_thread(count)).map(|n| place(&words, n)).collect());
        if self.kernel.ty(parts[0]).elem != Elem::I256 {
            return all(parts.iter().map(|&p| self.get(p)).collect());
        }
        let words: Vec<[Value; 4]> = parts.iter().map(|&p| self.words(self.get(p))).collect();
        self.joined(std::array::from_fn(|n| all(words.iter().map(|words| words[n]).collect())))
    }

    /// Of values that all threads hold the one of each thread, chosen by the bits of its number.
    fn chosen(&self, of_threads: &[Value]) -> Value {
        let (low, high) = of_threads.split_at(of_threads.len() / 2);
        if of_threads.iter().all(|v| *v == of_threads[0]) {
            of_threads[0]
        } else if low == high {
            self.chosen(low)
        } else {
            let ir = self.ir;
            let bit = ir.bin(LLVMAnd, self.thread(), ir.i32(low.len() as i32));
            let is_high = ir.icmp(LLVMIntNE, bit, ir.i32(0));
            ir.select(is_high, self.chosen(high), self.chosen(low))
        }
    }

    /// Two or four lanes as one, or each lane as two.
    fn regrouped(&self, value: V, to: Elem) -> Value {
        let ir = self.ir;
        let from = self.kernel.ty(value);
        let held = Held { lanes: from.lanes, places: self.apart(self.get(value), from.lanes) };
        let lanes = from.regrouped(to).lanes;
        let (narrow, wide) = (ir.int(32), ir.int(64));
        let vector = |elem| ir.lanes(elem, per_thread(lanes));
        let by =
            |amounts: &dyn Fn(u32) -> Value| self.together((0..per_thread(lanes)).map(amounts).collect());
        let parts = to.bits() / from.elem.bits();
        if parts > 1 {
            let part = |n: u32| {
                let lanes: Vec<u32> = (0..lanes).map(|lane| parts * lane + n).collect();
                let part = self.permuted_words(std::slice::from_ref(&held), &lanes);
                let part = ir.cast(LLVMZExt, part, vector(ir.elem(to)));
                let amount = by(&|_| ir.const_int(ir.elem(to), u64::from(n * from.elem.bits())));
                if n == 0 { part } else { ir.bin(LLVMShl, part, amount) }
            };
            return (1..parts).fold(part(0), |low, n| ir.bin(LLVMOr, low, part(n)));
        }
        let lanes_of: Vec<u32> = (0..lanes).map(|lane| lane / 2).collect();
        let both = self.permuted_words(&[held], &lanes_of);
        // The low half in even lanes, the high one in odd.
        let amount = by(&|place| {
            let odd: Wanted = std::array::from_fn(|t| Some(lane_of(lanes, t, place) % 2 * 16));
            // Twice 16, since a map has five bits.
            let amount = ir.bin(LLVMShl, self.mapped(&ThreadMap::of(&odd)), ir.i32(1));
            ir.cast(LLVMZExt, amount, wide)
        });
        ir.cast(LLVMTrunc, ir.bin(LLVMLShr, both, amount), vector(narrow))
    }

    fn any_lane(&self, mask: V) -> Value {
        let ir = self.ir;
        let lanes = self.kernel.ty(mask).lanes;
        if lanes == 1 {
            return self.get(mask);
        }
        let places = self.apart(self.get(mask), lanes).into_iter();
        let any = places.reduce(|a, b| ir.bin(LLVMOr, a, b)).expect("a lane");
        if self.is_spread(lanes) { self.any_thread(any) } else { self.any_of_warp(any) }
    }

    fn any_of_warp(&self, condition: Value) -> Value {
        self.ir.intrinsic("llvm.nvvm.vote.any.sync", &[], &[self.ir.i32(ALL), condition])
    }

    /// Whether the condition holds in some thread that shares the task.
    pub(in crate::emit) fn any_thread(&self, condition: Value) -> Value {
        let ir = self.ir;
        if self.warp.is_none_or(|w| w.team == 1) {
            return self.any_of_warp(condition);
        }
        let number = ir.cast(LLVMZExt, condition, ir.int(32));
        let any = ir.intrinsic("llvm.nvvm.barrier0.or", &[], &[number]);
        ir.icmp(LLVMIntNE, any, ir.i32(0))
    }

    /// Of each place the first thread whose lane is true; of these lanes the least.
    fn first_lane(&self, mask: V) -> Value {
        let ir = self.ir;
        let lanes = self.kernel.ty(mask).lanes;
        let each = per_thread(lanes) as i32;
        let none = ir.i32(lanes as i32);
        let place = |(n, condition): (i32, Value)| {
            let threads = ir.intrinsic("llvm.nvvm.vote.ballot.sync", &[], &[ir.i32(ALL), condition]);
            let zero_is_wrong = ir.const_int(ir.int(1), 1);
            let thread = ir.intrinsic("llvm.cttz", &[ir.int(32)], &[threads, zero_is_wrong]);
            let lane = ir.bin(LLVMAdd, ir.bin(LLVMMul, thread, ir.i32(each)), ir.i32(n));
            ir.select(ir.icmp(LLVMIntEQ, threads, ir.i32(0)), none, lane)
        };
        let places = (0..).zip(self.apart(self.get(mask), lanes)).map(place);
        let least = |a, b| ir.intrinsic("llvm.umin", &[ir.int(32)], &[a, b]);
        ir.cast(LLVMZExt, places.reduce(least).expect("a lane"), ir.int(64))
    }

    /// What a thread holds of a vector of words, place by place.
    pub(super) fn apart(&self, value: Value, lanes: u32) -> Vec<Value> {
        match self.per_thread(lanes) {
            1 => vec![value],
            each => (0..each).map(|place| self.ir.extract(value, place)).collect(),
        }
    }

    /// The places of a thread as what it holds.
    pub(super) fn together(&self, places: Vec<Value>) -> Value {
        let ir = self.ir;
        if let [one] = places[..] {
            return one;
        }
        let none = ir.poison(ir.lanes(ir.type_of(places[0]), places.len() as u32));
        (0..).zip(places).fold(none, |vector, (n, place)| ir.insert(vector, n, place))
    }
}
