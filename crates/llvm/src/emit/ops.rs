//! Operations: each to the LLVM instruction or intrinsic that has exactly its meaning.
//!
//! Only intrinsics that select to instructions on every target are used, never one that could call a library.

use super::Emitter;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMIntPredicate::*;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::LLVMRealPredicate::*;
use lawson_kernel::loop_ir::{Bin, Cast, Cmp, Elem, Op, Type, Un, V};

impl Emitter<'_> {
    /// The value of `op`, which defines `v`.
    pub(super) fn op(&mut self, v: V, op: &Op) -> Value {
        let ir = self.ir;
        if self.warp.is_some()
            && let Some(value) = self.across(v, op)
        {
            return value;
        }
        match op {
            Op::Const { ty, bits } => self.constant(self.held(*ty), *bits),
            Op::Iota(ty) => {
                let elem = ir.elem(ty.elem);
                let lanes: Vec<Value> = (0..ty.lanes).map(|i| ir.const_int(elem, i as u64)).collect();
                ir.const_lanes(&lanes)
            }
            Op::Splat { scalar, .. } if self.is_wide(*scalar) => {
                self.each_word([self.get(*scalar)], |[word]| ir.splat(word, self.ty(v).lanes))
            }
            Op::Splat { scalar, .. } => ir.splat(self.get(*scalar), self.ty(v).lanes),
            // `fence` says why.
            Op::Bin(op @ (Bin::SMax | Bin::SMin | Bin::UMax | Bin::UMin), a, b) => {
                self.hidden(self.bin(*op, *a, *b), self.ty(v))
            }
            Op::Bin(op, a, b) => self.bin(*op, *a, *b),
            Op::WithCarry(op, a, b, carry) => self.with_carry(*op, *a, *b, *carry),
            Op::Un(op, a) => self.un(*op, self.get(*a)),
            Op::Fma(a, b, c) => {
                let args = [self.get(*a), self.get(*b), self.get(*c)];
                ir.intrinsic("llvm.fma", &[ir.type_of(args[0])], &args)
            }
            Op::Scale(scale) => self.scale(self.ty(v), scale),
            Op::Cmp(op, a, b) => match self.compared_halves(*op, *a, *b) {
                Some(compared) => compared,
                None => self.cmp(*op, self.get(*a), self.get(*b)),
            },
            Op::Select(mask, a, b) if self.is_wide(*a) => {
                let mask = self.get(*mask);
                self.each_word([self.get(*a), self.get(*b)], |[a, b]| ir.select(mask, a, b))
            }
            Op::Select(mask, a, b) => ir.select(self.get(*mask), self.get(*a), self.get(*b)),
            Op::Cast { op, value, .. } => self.cast(*op, *value, self.ty(v)),
            Op::Load { buf, offset, ty, mask } => self.load(*buf, *offset, *ty, *mask),
            Op::Extract(a, lane) => self.each_part([*a], |[a]| self.lane(a, *lane)),
            Op::Shuffle { a, b, lanes } => match self.lanes_in_turns(*a, *b, lanes) {
                Some(merged) => merged,
                None => {
                    let shuffled = self.each_part([*a, *b], |[a, b]| self.shuffle(a, b, lanes));
                    self.fenced(shuffled, self.ty(v))
                }
            },
            Op::Pack(parts) if self.is_wide(parts[0]) => {
                let parts: Vec<[Value; 4]> = parts.iter().map(|&p| self.words(self.get(p))).collect();
                self.joined(std::array::from_fn(|n| self.pack(parts.iter().map(|words| words[n]).collect())))
            }
            Op::Pack(parts) => self.pack(parts.iter().map(|&p| self.get(p)).collect()),
            Op::Word(number, word) => ir.member(self.get(*number), *word),
            Op::Join(words) => self.joined(words.map(|w| self.get(w))),
            Op::Madd52(half, a, b, c) => self.madd52(*half, [*a, *b, *c]),
            Op::DotBytes(a, b, c) => self.dot_bytes([*a, *b, *c]),
            Op::DotBf16(a, b, c) => self.dot_bf16([*a, *b, *c]),
            Op::Regroup { value, .. } => ir.cast(LLVMBitCast, self.get(*value), ir.ty(self.kernel.ty(v))),
            Op::Any(mask) if self.kernel.ty(*mask).lanes == 1 => self.get(*mask),
            Op::Any(mask) => {
                let mask = self.get(*mask);
                ir.intrinsic("llvm.vector.reduce.or", &[ir.type_of(mask)], &[mask])
            }
            Op::First(mask) => self.first(*mask),
            Op::Table { table, index } => self.table_lookup(*table, *index),
        }
    }

    /// The mask as the bits of an integer, of which the zeros below the lowest one are counted.
    fn first(&self, mask: V) -> Value {
        let (ir, lanes) = (self.ir, self.kernel.ty(mask).lanes);
        let bits = ir.int(lanes);
        let mask = ir.cast(LLVMBitCast, self.get(mask), bits);
        let zeros = ir.intrinsic("llvm.cttz", &[bits], &[mask, ir.const_int(ir.int(1), 0)]);
        match lanes {
            64 => zeros,
            _ => ir.cast(LLVMZExt, zeros, ir.int(64)),
        }
    }

    pub(super) fn constant(&self, ty: Type, bits: u64) -> Value {
        let ir = self.ir;
        let int = ir.const_int(ir.elem(ty.elem.as_int()), bits);
        let one = if ty.elem.is_float() { ir.const_bits(int, ir.elem(ty.elem)) } else { int };
        ir.const_lanes(&vec![one; ty.lanes as usize])
    }

    fn bin(&self, op: Bin, left: V, right: V) -> Value {
        if matches!(op, Bin::SDiv | Bin::UDiv | Bin::SRem | Bin::URem)
            && let Some(value) = self.division(op, left, right)
        {
            return value;
        }
        let (a, b) = (self.get(left), self.get(right));
        let (op, b) = self.without_all_ones(op, b, self.ty(right));
        let opcode = match op {
            Bin::Add => LLVMAdd,
            Bin::Sub => LLVMSub,
            Bin::Mul => LLVMMul,
            Bin::SMulHi | Bin::UMulHi => return self.high_word(op, left, right),
            Bin::SMulWide | Bin::UMulWide => return self.wide_product(op, left, right),
            Bin::SDiv => LLVMSDiv,
            Bin::UDiv => LLVMUDiv,
            Bin::SRem => LLVMSRem,
            Bin::URem => LLVMURem,
            Bin::And => LLVMAnd,
            Bin::Or => LLVMOr,
            Bin::Xor => LLVMXor,
            Bin::Shl => LLVMShl,
            Bin::LShr => LLVMLShr,
            Bin::AShr => LLVMAShr,
            Bin::FAdd => LLVMFAdd,
            Bin::FSub => LLVMFSub,
            Bin::FMul => LLVMFMul,
            Bin::FDiv => LLVMFDiv,
            Bin::SMin => return self.overloaded("llvm.smin", &[a, b]),
            Bin::SMax => return self.overloaded("llvm.smax", &[a, b]),
            Bin::UMin => return self.overloaded("llvm.umin", &[a, b]),
            Bin::UMax => return self.overloaded("llvm.umax", &[a, b]),
        };
        self.ir.bin(opcode, a, b)
    }

    pub(super) fn un(&self, op: Un, a: Value) -> Value {
        match op {
            Un::FNeg => self.ir.fneg(a),
            Un::Not => self.ir.not(a),
            Un::FAbs => self.overloaded("llvm.fabs", &[a]),
            Un::Sqrt => self.overloaded("llvm.sqrt", &[a]),
            Un::Rint => self.overloaded("llvm.roundeven", &[a]),
            Un::Floor => self.overloaded("llvm.floor", &[a]),
            Un::Ceil => self.overloaded("llvm.ceil", &[a]),
            Un::FTrunc => self.overloaded("llvm.trunc", &[a]),
            Un::Popcnt => self.overloaded("llvm.ctpop", &[a]),
            // The flag makes the result for 0 defined: the width.
            Un::Clz => {
                let defined = self.ir.const_int(self.ir.int(1), 0);
                self.ir.intrinsic("llvm.ctlz", &[self.ir.type_of(a)], &[a, defined])
            }
        }
    }

    /// An intrinsic with one overloaded type, that of its first operand.
    fn overloaded(&self, name: &str, args: &[Value]) -> Value {
        self.ir.intrinsic(name, &[self.ir.type_of(args[0])], args)
    }

    pub(super) fn cmp(&self, op: Cmp, a: Value, b: Value) -> Value {
        let ir = self.ir;
        match op {
            Cmp::Eq => ir.icmp(LLVMIntEQ, a, b),
            Cmp::Ne => ir.icmp(LLVMIntNE, a, b),
            Cmp::Slt => ir.icmp(LLVMIntSLT, a, b),
            Cmp::Sle => ir.icmp(LLVMIntSLE, a, b),
            Cmp::Ult => ir.icmp(LLVMIntULT, a, b),
            Cmp::Ule => ir.icmp(LLVMIntULE, a, b),
            Cmp::FEq => ir.fcmp(LLVMRealOEQ, a, b),
            Cmp::FNe => ir.fcmp(LLVMRealUNE, a, b),
            Cmp::FLt => ir.fcmp(LLVMRealOLT, a, b),
            Cmp::FLe => ir.fcmp(LLVMRealOLE, a, b),
        }
    }

    fn cast(&self, op: Cast, value: V, to: Type) -> Value {
        let ir = self.ir;
        let (from, target) = (self.get(value), ir.ty(to));
        let opcode = match op {
            Cast::Zext => LLVMZExt,
            Cast::Sext => LLVMSExt,
            Cast::Trunc => LLVMTrunc,
            Cast::Bits => LLVMBitCast,
            Cast::Widen => LLVMFPExt,
            Cast::Narrow => LLVMFPTrunc,
            Cast::FloatToSigned => LLVMFPToSI,
            Cast::FloatToUnsigned => LLVMFPToUI,
            Cast::SignedToFloat => LLVMSIToFP,
            Cast::UnsignedToFloat => LLVMUIToFP,
            Cast::HalfToFloat => {
                let half = ir.cast(LLVMBitCast, from, ir.lanes(ir.half(), to.lanes));
                return ir.cast(LLVMFPExt, half, target);
            }
            Cast::FloatToHalf => {
                let conversion = || ir.cast(LLVMFPTrunc, from, ir.lanes(ir.half(), to.lanes));
                let half = self.rounded_half(value).unwrap_or_else(conversion);
                return ir.cast(LLVMBitCast, half, target);
            }
        };
        ir.cast(opcode, from, target)
    }

    fn is_wide(&self, v: V) -> bool {
        self.kernel.ty(v).elem == Elem::I256
    }

    /// What `f` makes of these values, of which it also gets the lanes; of numbers of several words, of each word.
    fn each_part<const N: usize>(&self, values: [V; N], f: impl Fn([(Value, u32); N]) -> Value) -> Value {
        let lanes = self.kernel.ty(values[0]).lanes;
        let operands = values.map(|v| self.get(v));
        if self.is_wide(values[0]) {
            self.each_word(operands, |words| f(words.map(|w| (w, lanes))))
        } else {
            f(operands.map(|v| (v, lanes)))
        }
    }

    fn lane(&self, (vector, lanes): (Value, u32), lane: u32) -> Value {
        if lanes == 1 { vector } else { self.ir.extract(vector, lane) }
    }

    fn shuffle(&self, a: (Value, u32), b: (Value, u32), lanes: &[u32]) -> Value {
        let n = a.1;
        if n == 1 || lanes.len() == 1 {
            let pick = |&l: &u32| if l < n { self.lane(a, l) } else { self.lane(b, l - n) };
            return self.pack(lanes.iter().map(pick).collect());
        }
        self.ir.shuffle(a.0, b.0, lanes)
    }

    fn pack(&self, parts: Vec<Value>) -> Value {
        let ir = self.ir;
        if let [one] = parts[..] {
            return one;
        }
        let none = ir.poison(ir.lanes(ir.type_of(parts[0]), parts.len() as u32));
        parts.iter().enumerate().fold(none, |vector, (i, &part)| ir.insert(vector, i as u32, part))
    }
}
