//! Every legal operation, for every type, on every target: compiled once, so that LLVM's fatal errors, which would end
//! the process, cannot surprise anyone. Also: none of them calls a library.

use lawson_kernel::loop_ir::{
    Access, Bin, Buf, Cast, Cmp, CodeBuilder, Elem, Half, Kernel, Op, Type, Un, V, WithCarry, legal, verify,
};
use lawson_llvm::{Compiler, Effort, TargetSpec};

const LANES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

#[test]
fn avx2() {
    compile_all("haswell", Effort::Full);
}

#[test]
fn avx512() {
    compile_all("skylake-avx512", Effort::Full);
}

#[test]
fn avx512_fast() {
    compile_all("zen4", Effort::Fast);
}

#[test]
fn neon() {
    compile_all("neoverse", Effort::Full);
}

#[test]
fn turing() {
    compile_all("sm_75", Effort::Full);
}

#[test]
fn hopper() {
    compile_all("sm_90", Effort::Full);
}

#[test]
fn hopper_fast() {
    compile_all("sm_90", Effort::Fast);
}

/// One module for each number of lanes. The assembly tells of calls; emitting it selects the same instructions.
fn compile_all(target: &str, effort: Effort) {
    let compiler = Compiler::new(&TargetSpec::named(target).unwrap(), effort).unwrap();
    for lanes in LANES {
        for &elem in Elem::ALL {
            let kernel = kernel(Type { elem, lanes });
            let asm = compiler.asm_text(&kernel).unwrap();
            let calls = |l: &&str| {
                matches!(l.split_whitespace().next(), Some("call" | "callq" | "bl" | "call.uni"))
            };
            let call = asm.lines().find(calls);
            assert_eq!(call, None, "{target} {elem:?} x {lanes}");
        }
    }
}

/// All operations whose first operand has this type.
fn kernel(ty: Type) -> Kernel {
    let mut b = CodeBuilder::new(format!("{:?}x{}", ty.elem, ty.lanes));
    let buffers = Elem::ALL.iter();
    let buffers = buffers
        .map(|&e| b.buffer(format!("{e:?}"), in_memory(e), 1 << 20, Access::ReadWrite))
        .collect::<Vec<Buf>>();
    static WORDS: [u64; 256] = [1; 256];
    let table = b.table(&WORDS);
    b.phase(2, |b, task| {
        let mut all = Cases { b, task, ty, buffers: &buffers, table };
        all.values();
        all.arithmetic();
        all.casts();
        all.lanes();
        if ty.elem != Elem::I1 {
            all.memory();
        }
    });
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()));
    kernel
}

fn in_memory(elem: Elem) -> Elem {
    if elem == Elem::I1 { Elem::I8 } else { elem }
}

struct Cases<'a> {
    b: &'a mut CodeBuilder,
    task: V,
    ty: Type,
    /// One for each element type, in their order.
    buffers: &'a [Buf],
    table: u32,
}

impl Cases<'_> {
    fn buffer(&self, elem: Elem) -> Buf {
        self.buffers[Elem::ALL.iter().position(|&e| e == elem).unwrap()]
    }

    /// An unknown value of a type.
    fn input(&mut self, ty: Type) -> V {
        let from = self.buffer(ty.elem);
        let v = self.b.load(from, self.task, ty.lanes, None);
        if ty.elem == Elem::I1 { self.b.cast(Cast::Trunc, v, Elem::I1) } else { v }
    }

    /// Stores a value, so that it counts.
    fn output(&mut self, v: V) {
        let elem = self.b.ty_of(v).elem;
        let v = if elem == Elem::I1 { self.b.cast(Cast::Zext, v, Elem::I8) } else { v };
        let to = self.buffer(elem);
        self.b.store(to, self.task, v, None);
    }

    /// The operation in a loop of its own: a basic block for each case, and loop-carried values of every type.
    fn case(&mut self, inputs: &[Type], op: impl FnOnce(&[V]) -> Op) {
        let inits: Vec<V> = inputs.iter().map(|&ty| self.input(ty)).collect();
        let (lo, hi) = (self.task, self.b.i64(3));
        let (task, ty, buffers, table) = (self.task, self.ty, self.buffers, self.table);
        self.b.for_loop(lo, hi, 1, &inits, |b, _, params| {
            let mut inner = Cases { b, task, ty, buffers, table };
            let result = inner.b.op(op(params));
            inner.output(result);
            let same = inner.b.ty_of(result);
            params.iter().map(|&p| if inner.b.ty_of(p) == same { result } else { p }).collect()
        });
    }

    fn values(&mut self) {
        let ty = self.ty;
        if ty.elem != Elem::I256 {
            self.case(&[], |_| Op::Const { ty, bits: 1 });
        }
        if legal::int(ty.elem) {
            self.case(&[], |_| Op::Iota(ty));
        }
        self.case(&[Type::scalar(ty.elem)], |v| Op::Splat { scalar: v[0], lanes: ty.lanes });
        let mask = ty.with_elem(Elem::I1);
        self.case(&[mask, ty, ty], |v| Op::Select(v[0], v[1], v[2]));
        self.case(&[Type::scalar(Elem::I1), ty, ty], |v| Op::Select(v[0], v[1], v[2]));
    }

    fn arithmetic(&mut self) {
        let ty = self.ty;
        for &op in Bin::ALL.iter().filter(|&&op| legal::bin(op, ty.elem)) {
            self.case(&[ty, ty], |v| Op::Bin(op, v[0], v[1]));
        }
        let carry = ty.with_elem(Elem::I1);
        for &op in WithCarry::ALL.iter().filter(|_| legal::int(ty.elem)) {
            self.case(&[ty, ty, carry], |v| Op::WithCarry(op, v[0], v[1], v[2]));
        }
        for &op in Un::ALL.iter().filter(|&&op| legal::un(op, ty.elem)) {
            self.case(&[ty], |v| Op::Un(op, v[0]));
        }
        for &op in Cmp::ALL.iter().filter(|&&op| legal::cmp(op, ty.elem)) {
            self.case(&[ty, ty], |v| Op::Cmp(op, v[0], v[1]));
        }
        if ty.elem.is_float() {
            self.case(&[ty, ty, ty], |v| Op::Fma(v[0], v[1], v[2]));
        }
        if ty.elem == Elem::I64 {
            self.case(&[ty; 4], |v| Op::Join([v[0], v[1], v[2], v[3]]));
            for &half in Half::ALL {
                self.case(&[ty, ty, ty], |v| Op::Madd52(half, v[0], v[1], v[2]));
            }
        }
        if ty.elem == Elem::I256 {
            (0..4).for_each(|word| self.case(&[ty], |v| Op::Word(v[0], word)));
        }
    }

    fn casts(&mut self) {
        for (op, to) in legal::casts(self.ty.elem) {
            self.case(&[self.ty], |v| Op::Cast { op, value: v[0], to });
        }
        let ty = self.ty;
        for &to in Elem::ALL.iter().filter(|&&to| legal::regroup(ty, to)) {
            self.case(&[ty], |v| Op::Regroup { value: v[0], to });
        }
    }

    fn lanes(&mut self) {
        let ty = self.ty;
        let n = ty.lanes;
        self.case(&[ty], |v| Op::Extract(v[0], n - 1));
        let shuffles: [Vec<u32>; 5] = [
            (0..n).rev().collect(),
            (0..n).map(|i| i / 2 + i % 2 * n).collect(),
            (0..n).map(|i| i * 2).collect(),
            (0..n.div_ceil(2)).map(|i| i + n / 2).collect(),
            if n < 64 { (0..2 * n).collect() } else { vec![0; 64] },
        ];
        for lanes in shuffles {
            self.case(&[ty, ty], |v| Op::Shuffle { a: v[0], b: v[1], lanes });
        }
        let scalar = Type::scalar(ty.elem);
        self.case(&[scalar, scalar], |v| Op::Pack((0..n).map(|i| v[i as usize % 2]).collect()));
        if ty.elem == Elem::I1 {
            self.case(&[ty], |v| Op::Any(v[0]));
            self.case(&[ty], |v| Op::First(v[0]));
        }
        if legal::int(ty.elem) {
            let table = self.table;
            self.case(&[ty], |v| Op::Table { table, index: v[0] });
        }
    }

    fn memory(&mut self) {
        let ty = self.ty;
        let buf = self.buffer(ty.elem);
        let (mask, one) = (ty.with_elem(Elem::I1), Type::scalar(Elem::I64));
        for at in [one, ty.with_elem(Elem::I64), ty.with_elem(Elem::I32)] {
            self.case(&[at], |v| Op::Load { buf, offset: v[0], ty, mask: None });
            self.case(&[at, mask], |v| Op::Load { buf, offset: v[0], ty, mask: Some(v[1]) });
            let (at, mask, value) = (self.input(at), self.input(mask), self.input(ty));
            self.b.store(buf, at, value, None);
            self.b.store(buf, at, value, Some(mask));
        }
        self.b.prefetch(buf, self.task);
        let value = self.input(ty);
        self.b.store_streaming(buf, self.task, value);
    }
}
