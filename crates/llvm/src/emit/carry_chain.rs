//! Words with carries between them.
//!
//! NVIDIA's processors have instructions that take the carry from a flag and leave theirs there. The flag is no value of LLVM, so
//! a chain is one piece of assembly (PTX ISA 8.5, "Extended-Precision Integer Arithmetic"). The halves of one product that follow
//! each other become one instruction. Elsewhere words are computed in twice their width.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use lawson_kernel::loop_ir::{CarryChain, Elem, Link, Type, V};
use std::fmt::Write;

impl Emitter<'_> {
    pub(super) fn carry_chain(&mut self, chain: &CarryChain) {
        let ty = self.ty(chain.results[0]);
        let words = match self.spec.is_gpu() {
            true => self.in_flag(chain, ty.lanes),
            false => self.in_double_width(chain, ty),
        };
        self.set_all(&chain.results, &words);
    }

    /// The words, each thread computing its lanes one after the other.
    fn in_flag(&self, chain: &CarryChain, lanes: u32) -> Vec<Value> {
        let ir = self.ir;
        let lane = |v: V, lane: u32| if lanes == 1 { self.get(v) } else { ir.extract(self.get(v), lane) };
        let of_lane = |n: u32| self.in_flag_of_lane(chain, |v| lane(v, n));
        if lanes == 1 {
            return of_lane(0);
        }
        let none = ir.poison(ir.lanes(ir.int(CarryChain::BITS), lanes));
        (0..lanes).fold(vec![none; chain.results.len()], |words, n| {
            let with_lane = |(word, value)| ir.insert(word, n, value);
            words.into_iter().zip(of_lane(n)).map(with_lane).collect()
        })
    }

    fn in_flag_of_lane(&self, chain: &CarryChain, value: impl Fn(V) -> Value) -> Vec<Value> {
        let (ir, count) = (self.ir, chain.links.len());
        let mut operands: Vec<V> = chain.links.iter().flat_map(|link| link.operands()).collect();
        operands.sort_unstable();
        operands.dedup();
        let place = |v: V| count + operands.binary_search(&v).unwrap_or(0);
        let mut text = String::new();
        for (n, link) in chain.links.iter().enumerate() {
            let (name, half) = match link {
                Link::Add(..) => ("add", ""),
                Link::Sub(..) => ("sub", ""),
                Link::Low(..) => ("mad", ".lo"),
                Link::High(..) => ("mad", ".hi"),
            };
            let (takes, leaves) = (if n > 0 { "c" } else { "" }, if n + 1 < count { ".cc" } else { "" });
            let operands: String =
                link.operands().fold(String::new(), |list, v| format!("{list}, ${}", place(v)));
            let _ = writeln!(text, "{name}{takes}{half}{leaves}.u32 ${n}{operands};");
        }
        // Words are written before all operands are read.
        let constraints = [vec!["=&r"; count], vec!["r"; operands.len()]].concat().join(",");
        let word = ir.int(CarryChain::BITS);
        let result = if count == 1 { word } else { ir.structure(&vec![word; count]) };
        let values: Vec<Value> = operands.iter().map(|&v| value(v)).collect();
        let made = ir.assembly(&text, &constraints, result, &values);
        match count {
            1 => vec![made],
            _ => (0..count as u32).map(|n| ir.member(made, n)).collect(),
        }
    }

    fn in_double_width(&self, chain: &CarryChain, ty: Type) -> Vec<Value> {
        let (ir, double) = (self.ir, ty.with_elem(Elem::I64));
        let (bits, mask) =
            (self.constant(double, CarryChain::BITS.into()), self.constant(double, u32::MAX.into()));
        let wide = |v: V| ir.cast(LLVMZExt, self.get(v), ir.ty(double));
        let mut carry = self.constant(double, 0);
        let word = |link: &Link| {
            let plus_carry = |x: Value, y: Value| ir.bin(LLVMAdd, ir.bin(LLVMAdd, x, y), carry);
            let exact = match *link {
                Link::Add(a, b) => plus_carry(wide(a), wide(b)),
                Link::Sub(a, b) => ir.bin(LLVMSub, ir.bin(LLVMSub, wide(a), wide(b)), carry),
                Link::Low(a, b, c) => {
                    plus_carry(ir.bin(LLVMAnd, ir.bin(LLVMMul, wide(a), wide(b)), mask), wide(c))
                }
                Link::High(a, b, c) => {
                    plus_carry(ir.bin(LLVMLShr, ir.bin(LLVMMul, wide(a), wide(b)), bits), wide(c))
                }
            };
            // One bit: of a borrow all upper ones are set.
            carry = ir.bin(LLVMAnd, ir.bin(LLVMLShr, exact, bits), self.constant(double, 1));
            ir.cast(LLVMTrunc, exact, ir.ty(ty))
        };
        chain.links.iter().map(word).collect()
    }
}
