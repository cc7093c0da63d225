//! Every legal operation, for every type, on every target: compiled once, so that LLVM's fatal errors, which would end
//! the process, cannot surprise anyone. Also: none of them calls a library.

// Where nothing runs, no operand matters.
#[allow(dead_code)]
#[path = "common/cases.rs"]
mod cases;

use cases::cases;
use lawson_kernel::loop_ir::{Access, Buf, Cache, Cast, CodeBuilder, Elem, Kernel, Op, Type, V, verify};
use lawson_llvm::{Compiler, Effort, TargetSpec};

const LANES: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 256];

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
        // Vectors of many registers take LLVM seconds for each type, and are split like each other.
        let few = lanes > 64 && !TargetSpec::named(target).unwrap().is_gpu();
        for &elem in Elem::ALL.iter().filter(|&&e| !few || matches!(e, Elem::F32 | Elem::I8)) {
            let kernel = kernel(Type { elem, lanes });
            let asm = compiler.asm_text(&kernel).unwrap();
            let calls =
                |l: &&str| matches!(l.split_whitespace().next(), Some("call" | "callq" | "bl" | "call.uni"));
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
        let mut all = Cases { b, task, ty, buffers: &buffers };
        for case in cases(ty, table) {
            all.case(&case.operands, case.op);
        }
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
        let (task, ty, buffers) = (self.task, self.ty, self.buffers);
        self.b.for_loop(lo, hi, 1, &inits, |b, _, params| {
            let mut inner = Cases { b, task, ty, buffers };
            let result = inner.b.op(op(params));
            inner.output(result);
            let same = inner.b.ty_of(result);
            params.iter().map(|&p| if inner.b.ty_of(p) == same { result } else { p }).collect()
        });
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
        for into in [Cache::First, Cache::Second] {
            self.b.prefetch(buf, self.task, into);
        }
        let value = self.input(ty);
        self.b.store_streaming(buf, self.task, value);
    }
}
