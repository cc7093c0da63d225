//! Code for graphics processors, executed by the emulator of PTX: the values are those of the evaluator of Loop IR, bit for
//! bit, for every operation, type and number of lanes.

#[path = "common/cases.rs"]
mod cases;
#[path = "common/chains.rs"]
mod chains;
#[path = "common/emulate.rs"]
mod emulate;
#[path = "common/matrices.rs"]
mod matrices;
#[path = "common/occurring.rs"]
mod occurring;

use cases::{Case, Domain, cases};
use lawson_kernel::loop_ir::{
    self, Access, Bin, Buf, Cache, Cast, Cmp, CodeBuilder, Elem, Half, Kernel, Op, Stmt, Type, Un, V,
    WithCarry, legal, verify,
};
use occurring::{Occurring, Typed};

const LANES: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/// More than one block has warps for, the last one not full.
const TASKS: i64 = 11;
/// Elements that a task has of each input, and of an array that it changes.
const EACH: i64 = 512;
const OWN: i64 = 256;

#[test]
fn bytes() {
    agree(&[Elem::I8, Elem::I1]);
}

#[test]
fn halves() {
    agree(&[Elem::I16]);
}

#[test]
fn words() {
    agree(&[Elem::I32, Elem::F32]);
}

#[test]
fn long_words() {
    agree(&[Elem::I64, Elem::F64]);
}

#[test]
fn numbers_of_four_words() {
    agree(&[Elem::I256]);
}

#[test]
fn chains_of_carries() {
    LANES.into_iter().for_each(|lanes| check(&chains::kernel(lanes)));
}

#[test]
fn memory() {
    for &elem in Elem::ALL.iter().filter(|&&e| e != Elem::I1) {
        for lanes in LANES {
            check(&memory_kernel(Type { elem, lanes }));
        }
    }
}

#[test]
fn threads_wait_for_each_other() {
    for lanes in LANES {
        check(&local_kernel(lanes, 512));
        // More than shared memory has room for.
        check(&local_kernel(lanes, 20_000));
    }
    for lanes in LANES.into_iter().filter(|&n| n <= legal::MAX_MOVED) {
        check(&branches(lanes));
    }
    LANES.into_iter().for_each(|lanes| check(&barriers(lanes)));
}

#[test]
fn arrays_of_tables_and_between_phases() {
    LANES.into_iter().for_each(|lanes| check(&segments(lanes)));
}

#[test]
fn products_of_matrices() {
    for factors in matrices::PAIRS {
        for (cpu, warps) in [("sm_80", 1), ("sm_90", 4), ("sm_90", 8)] {
            let kernel = matrices::kernel(factors, warps);
            assert_eq!(verify(&kernel), Ok(()));
            let words = (0..kernel.buffers[0].len as u32).flat_map(|n| {
                // Four words of the left matrix, then two of the right one.
                let factor = factors[usize::from(n / (32 * warps) % 6 > 3)];
                matrices::word(factor, n).to_le_bytes()
            });
            let sums = (0..kernel.buffers[1].len as i32).flat_map(|n| match factors[0].sum() {
                Elem::F32 => (n as f32).to_le_bytes(),
                _ => (i32::MAX - n).to_le_bytes(),
            });
            let mut expected = vec![words.collect(), sums.collect(), Vec::new()];
            let mut found = expected.clone();
            loop_ir::evaluate(&kernel, &mut expected).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
            let counters = emulate::run(&kernel, &mut found, cpu, emulate::FEW_BLOCKS);
            counters.unwrap_or_else(|e| panic!("{}, {cpu}: {e}", kernel.name));
            assert_eq!(found[2], expected[2], "{}, {cpu}, {warps} warps", kernel.name);
        }
        for other in ["sm_75", "zen4", "neoverse"] {
            let error = emulate::code(&matrices::kernel(factors, 1), other).expect_err("it has no units");
            assert!(error.contains("multiplies matrices, which"), "{error}");
        }
    }
}

#[test]
fn loads_of_matrices() {
    for (transposed, (cpu, warps)) in
        [false, true].into_iter().flat_map(|t| [("sm_80", 1), ("sm_90", 8)].map(|c| (t, c)))
    {
        let kernel = matrices::loads(transposed, warps);
        assert_eq!(verify(&kernel), Ok(()));
        let read = loop_ir::text::parse(&kernel.to_string()).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        assert_eq!(read.phases, kernel.phases);
        let halves = (0..kernel.buffers[0].len).flat_map(|n| (n as u16).to_le_bytes());
        let mut expected = vec![halves.collect(), Vec::new()];
        let mut found = expected.clone();
        loop_ir::evaluate(&kernel, &mut expected).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        emulate::run(&kernel, &mut found, cpu, emulate::FEW_BLOCKS).unwrap_or_else(|e| panic!("{cpu}: {e}"));
        assert_eq!(found[1], expected[1], "{cpu}, {warps} warps, transposed: {transposed}");
        // What was not waited for is not there, be it that nothing is waited for, or for one group too few.
        for but in [None, Some(2)] {
            let mut early = kernel.clone();
            early.phases[0].body.retain_mut(|stmt| match (stmt, but) {
                (Stmt::AwaitCopies(_), None) => false,
                (Stmt::AwaitCopies(groups @ Some(_)), Some(_)) => {
                    *groups = but;
                    true
                }
                _ => true,
            });
            let error = emulate::run(&early, &mut found, cpu, emulate::FEW_BLOCKS).unwrap_err();
            assert!(error.contains("is read and was never written"), "{error}");
        }
    }
}

/// Every variant of what Loop IR is made of is executed by a test above, every operation on every type and number of lanes
/// that is legal.
#[test]
fn everything_that_is_legal_occurs() {
    let widths: Vec<u32> = (1..=legal::MAX_LANES).filter(|&n| legal::lanes(n)).collect();
    assert_eq!(LANES[..], widths[..]);
    let mut found = Occurring::default();
    for lanes in LANES {
        let of_types = Elem::ALL.iter().map(|&elem| operations(Type { elem, lanes }));
        let on_memory = Elem::ALL.iter().filter(|&&e| e != Elem::I1);
        let on_memory = on_memory.map(|&elem| memory_kernel(Type { elem, lanes }));
        let others = [local_kernel(lanes, 512), barriers(lanes), segments(lanes)];
        of_types.chain(on_memory).chain(others).for_each(|kernel| found.add(&kernel));
    }
    found.add(&branches(4));
    found.add(&chains::kernel(4));
    found.add(&matrices::kernel(matrices::PAIRS[0], 1));
    found.add(&matrices::loads(true, 1));
    // Only processors have it; their tests are in lawson-cpu.
    assert_eq!(found.missing(), ["product of tiles"]);
    let missing: Vec<Typed> = legal_operations().filter(|op| !found.typed.contains(op)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The operations on one type that the tables of Loop IR allow, on every number of lanes.
fn legal_operations() -> impl Iterator<Item = Typed> {
    let of_element = |e: Elem| {
        let mut all: Vec<(&'static str, Elem, Elem)> = Vec::new();
        all.extend(Bin::ALL.iter().filter(|&&op| legal::bin(op, e)).map(|op| (op.name(), e, e)));
        all.extend(Un::ALL.iter().filter(|&&op| legal::un(op, e)).map(|op| (op.name(), e, e)));
        all.extend(Cmp::ALL.iter().filter(|&&op| legal::cmp(op, e)).map(|op| (op.name(), e, Elem::I1)));
        all.extend(legal::casts(e).map(|(op, to)| (op.name(), e, to)));
        if legal::int(e) {
            all.extend(WithCarry::ALL.iter().map(|op| (op.name(), e, op.result(e))));
            all.push(("iota", e, e));
        }
        if e == Elem::I64 {
            all.extend(Half::ALL.iter().map(|half| (half.name(), e, e)));
        }
        all.extend(["splat", "select"].map(|name| (name, e, e)));
        all
    };
    let of_elements = Elem::ALL.iter().flat_map(move |&e| of_element(e));
    of_elements.flat_map(|(name, from, to)| LANES.map(|lanes| (name, from, to, lanes)))
}

fn agree(elems: &[Elem]) {
    for &elem in elems {
        for lanes in LANES {
            check(&operations(Type { elem, lanes }));
        }
    }
}

/// The emulator's outputs are those of the evaluator.
#[track_caller]
fn check(kernel: &Kernel) {
    assert_eq!(verify(kernel), Ok(()));
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let inputs = kernel.buffers.iter().map(|b| match b.access {
        Access::Read | Access::ReadWrite => (0..b.len).flat_map(|_| r.element(b.elem)).collect(),
        Access::Write | Access::Scratch => Vec::new(),
    });
    let inputs: Vec<Vec<u8>> = inputs.collect();
    let mut expected = inputs.clone();
    loop_ir::evaluate(kernel, &mut expected).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
    let lanes = kernel.types.iter().map(|ty| ty.lanes).max().unwrap_or(1);
    for (cpu, warps) in [("sm_75", 1), ("sm_90", 1), ("sm_90", 4), ("sm_75", 8)] {
        // Narrower vectors are like each other to a team.
        if warps > 1 && (2..64).contains(&lanes) {
            continue;
        }
        let mut kernel = kernel.clone();
        kernel.phases.iter_mut().for_each(|p| p.warps = warps);
        let kernel = &kernel;
        let mut found = inputs.clone();
        emulate::run(kernel, &mut found, cpu, emulate::FEW_BLOCKS)
            .unwrap_or_else(|e| panic!("{}, {cpu}, {warps} warps: {e}", kernel.name));
        for ((b, expected), found) in kernel.buffers.iter().zip(&expected).zip(&found) {
            let size = b.elem.bytes() as usize;
            for (i, (e, f)) in expected.chunks(size).zip(found.chunks(size)).enumerate() {
                let place = format!("{}, {cpu}, {warps} warps: {}[{i}]", kernel.name, b.name);
                assert!(same(b.elem, e, f), "{place} is {f:x?}, not {e:x?}");
            }
        }
    }
}

/// Bit for bit, with every NaN the same.
fn same(elem: Elem, a: &[u8], b: &[u8]) -> bool {
    let is_nan = |x: &[u8]| match (elem, x) {
        (Elem::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).is_nan(),
        (Elem::F64, x) => x.try_into().is_ok_and(|x| f64::from_le_bytes(x).is_nan()),
        _ => false,
    };
    a == b || is_nan(a) && is_nan(b)
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Integers of all bits, some of them extreme; floats of moderate size with special ones among them.
    fn element(&mut self, elem: Elem) -> Vec<u8> {
        let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40, 0.5, -2.5, 1e30];
        let float = match self.next() >> 60 {
            0..4 => special[(self.next() >> 11) as usize % special.len()],
            _ => (self.next() as i64 >> 30) as f64 / 65536.0,
        };
        let int = match self.next() >> 61 {
            0 => u64::MAX,
            1 => u64::MAX >> 1,
            2 => 1 << (self.next() >> 58),
            3 => self.next() >> 56,
            _ => self.next(),
        };
        match elem {
            Elem::F32 => (float as f32).to_le_bytes().to_vec(),
            Elem::F64 => float.to_le_bytes().to_vec(),
            Elem::I256 => (0..4).flat_map(|_| self.next().to_le_bytes()).collect(),
            _ => int.to_le_bytes()[..elem.bytes() as usize].to_vec(),
        }
    }
}

static WORDS: [u64; 128] = {
    let mut words = [0; 128];
    let mut i = 0;
    while i < 128 {
        words[i] = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        i += 1;
    }
    words
};

fn in_memory(elem: Elem) -> Elem {
    if elem == Elem::I1 { Elem::I8 } else { elem }
}

/// All operations on vectors of a type, each stored to an output of its own.
fn operations(ty: Type) -> Kernel {
    let mut b = CodeBuilder::new(format!("{:?}x{}", ty.elem, ty.lanes));
    let all = Elem::ALL.iter();
    let inputs: Vec<Buf> =
        all.map(|&e| b.buffer(format!("{e:?}"), in_memory(e), TASKS * EACH, Access::Read)).collect();
    let table = b.table(&WORDS);
    let cases = cases(ty, table);
    let outputs: Vec<Buf> = cases.iter().enumerate().map(|(i, case)| output(&mut b, i, case)).collect();
    b.phase(TASKS, |b, task| {
        for (case, &to) in cases.iter().zip(&outputs) {
            let operands: Vec<V> =
                (0..).zip(&case.operands).map(|(n, &ty)| input(b, &inputs, task, ty, n)).collect();
            let operands = fitted(b, case.domain, operands);
            let result = b.op((case.op)(&operands));
            put(b, to, task, result);
        }
    });
    b.finish()
}

/// The output of a case: as much as its result takes.
fn output(b: &mut CodeBuilder, number: usize, case: &Case) -> Buf {
    // The type of the result is that which the builder finds for operands of these types.
    let mut other = CodeBuilder::new("other");
    let table = other.table(&WORDS);
    debug_assert_eq!(table, 0);
    let mut ty = None;
    other.phase(1, |b, task| {
        let inputs: Vec<Buf> =
            Elem::ALL.iter().map(|&e| b.buffer("x", in_memory(e), 64, Access::Read)).collect();
        let operands: Vec<V> = case.operands.iter().map(|&ty| input(b, &inputs, task, ty, 0)).collect();
        let result = b.op((case.op)(&operands));
        ty = Some(b.ty_of(result));
    });
    let ty = ty.expect("made above");
    b.buffer(format!("case{number}"), in_memory(ty.elem), TASKS * ty.lanes as i64, Access::Write)
}

/// The operand of this number: elements of the task, not aligned.
fn input(b: &mut CodeBuilder, inputs: &[Buf], task: V, ty: Type, number: i64) -> V {
    let from = inputs[Elem::ALL.iter().position(|&e| e == ty.elem).expect("an element")];
    let (each, first) = (b.i64(EACH), b.i64(37 * number));
    let at = b.mul(task, each);
    let at = b.add(at, first);
    let v = b.load(from, at, ty.lanes, None);
    if ty.elem == Elem::I1 { b.cast(Cast::Trunc, v, Elem::I1) } else { v }
}

/// Stores the value to the task's part.
fn put(b: &mut CodeBuilder, to: Buf, task: V, v: V) {
    let ty = b.ty_of(v);
    let v = if ty.elem == Elem::I1 { b.cast(Cast::Zext, v, Elem::I8) } else { v };
    let lanes = b.i64(ty.lanes as i64);
    let at = b.mul(task, lanes);
    b.store(to, at, v, None);
}

/// The operands where the operation has a meaning for them.
fn fitted(b: &mut CodeBuilder, domain: Domain, mut operands: Vec<V>) -> Vec<V> {
    let Some(&last) = operands.last() else { return operands };
    let ty = b.ty_of(last);
    let float = |x: f64| if ty.elem == Elem::F32 { (x as f32).to_bits() as u64 } else { x.to_bits() };
    let fitted = match domain {
        Domain::Any => last,
        Domain::Divisor => {
            let (low, one) = (b.constant(ty, 0x3e), b.constant(ty, 1));
            let small = b.bin(Bin::And, last, low);
            b.bin(Bin::Or, small, one)
        }
        Domain::Amount => {
            let below = b.constant(ty, ty.elem.bits() as u64 - 1);
            b.bin(Bin::And, last, below)
        }
        Domain::Index => {
            let below = b.constant(ty, WORDS.len() as u64 - 1);
            b.bin(Bin::And, last, below)
        }
        Domain::Small => {
            let [zero, hundred, other] = [0.0, 100.0, 3.75].map(|x| b.constant(ty, float(x)));
            let (above, below) = (b.cmp(Cmp::FLe, zero, last), b.cmp(Cmp::FLe, last, hundred));
            let inside = b.bin(Bin::And, above, below);
            b.select(inside, last, other)
        }
        Domain::Number => {
            let other = b.constant(ty, float(1.5));
            let is_number = b.cmp(Cmp::FEq, last, last);
            b.select(is_number, last, other)
        }
    };
    *operands.last_mut().expect("there is one") = fitted;
    operands
}

/// Loads and stores of every kind.
fn memory_kernel(ty: Type) -> Kernel {
    let mut b = CodeBuilder::new(format!("memory_{:?}x{}", ty.elem, ty.lanes));
    let all = Elem::ALL.iter();
    let inputs: Vec<Buf> =
        all.map(|&e| b.buffer(format!("{e:?}"), in_memory(e), TASKS * EACH, Access::Read)).collect();
    let room = ty.lanes.max(64) as i64;
    let mut outputs = Vec::new();
    for i in 0..12 {
        outputs.push(b.buffer(format!("out{i}"), ty.elem, TASKS * room, Access::ReadWrite));
    }
    b.phase(TASKS, |b, task| {
        let from = inputs[Elem::ALL.iter().position(|&e| e == ty.elem).expect("an element")];
        let (each, room) = (b.i64(EACH), b.i64(room));
        let (first, to) = (b.mul(task, each), b.mul(task, room));
        let mut next = outputs.iter();
        let mask = input(b, &inputs, task, ty.with_elem(Elem::I1), 2);
        for offset in [Elem::I32, Elem::I64] {
            let scattered = |b: &mut CodeBuilder, first: V, wanted: V| {
                // Of the task's own, in any order.
                let at = ty.with_elem(offset);
                let below = b.constant(at, if ty.lanes == 1 { 63 } else { ty.lanes as u64 - 1 });
                let place = b.bin(Bin::And, wanted, below);
                let first = if offset == Elem::I32 { b.cast(Cast::Trunc, first, offset) } else { first };
                let first = b.widen_to(first, ty.lanes);
                b.bin(Bin::Add, first, place)
            };
            let wild = input(b, &inputs, task, ty.with_elem(offset), 1);
            let gather = scattered(b, first, wild);
            let three = b.constant(ty.with_elem(offset), 3);
            let order = b.op(Op::Iota(ty.with_elem(offset)));
            let order = b.bin(Bin::Xor, order, three);
            let scatter = scattered(b, to, order);
            for mask in [None, Some(mask)] {
                let v = b.load(from, gather, ty.lanes, mask);
                b.store(*next.next().expect("an output"), to, v, mask);
                b.store(*next.next().expect("an output"), scatter, v, mask);
            }
        }
        for mask in [None, Some(mask)] {
            let v = b.load(from, first, ty.lanes, mask);
            b.store(*next.next().expect("an output"), to, v, mask);
        }
        let v = b.load(from, first, ty.lanes, None);
        b.prefetch(from, first, Cache::First);
        b.store_streaming(*next.next().expect("an output"), to, v);
    });
    b.finish()
}

/// An array of the task's own is written, read by other threads, and written again; so is an output.
fn local_kernel(lanes: u32, len: i64) -> Kernel {
    let mut b = CodeBuilder::new(format!("local_{lanes}_{len}"));
    let x = b.buffer("x", Elem::I32, TASKS * OWN, Access::Read);
    let y = b.buffer("y", Elem::I32, TASKS * OWN, Access::ReadWrite);
    let own = b.local("own", Elem::I32, len);
    b.phase(TASKS, |b, task| {
        let (each, zero, step) = (b.i64(OWN), b.i64(0), lanes as i64);
        let first = b.mul(task, each);
        let last = b.i64(OWN - step);
        let three = b.i64(3);
        let ty = Type::vector(Elem::I32, lanes);
        b.for_loop(zero, three, 1, &[], |b, _, _| {
            b.for_loop(zero, each, step, &[], |b, i, _| {
                let at = b.add(first, i);
                let v = b.load(x, at, lanes, None);
                let w = b.load(y, at, lanes, None);
                let v = b.bin(Bin::Add, v, w);
                b.store(own, i, v, None);
                Vec::new()
            });
            // From the end: other threads hold what these want.
            b.for_loop(zero, each, step, &[], |b, i, _| {
                let back = b.sub(last, i);
                let order = b.op(Op::Iota(ty));
                let back32 = b.cast(Cast::Trunc, back, Elem::I32);
                let back32 = b.widen_to(back32, lanes);
                let most = b.constant(ty, lanes as u64 - 1);
                let turned = b.sub(most, order);
                let at = b.bin(Bin::Add, back32, turned);
                let v = b.load(own, at, lanes, None);
                let to = b.add(first, i);
                b.store(y, to, v, None);
                Vec::new()
            });
            // One element after the other, each of the one before.
            let one = b.i64(1);
            b.for_loop(one, each, 1, &[], |b, i, _| {
                let at = b.add(first, i);
                let before = b.sub(at, one);
                let (p, q) = (b.load(y, before, 1, None), b.load(y, at, 1, None));
                let sum = b.bin(Bin::Add, p, q);
                b.store(y, at, sum, None);
                Vec::new()
            });
            Vec::new()
        });
    });
    b.finish()
}

/// Branches and loops whose conditions depend on data, with lanes that move inside.
fn branches(lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new(format!("branches_{lanes}"));
    let x = b.buffer("x", Elem::I32, TASKS * EACH, Access::Read);
    let y = b.buffer("y", Elem::I32, TASKS * lanes as i64, Access::Write);
    let ty = Type::vector(Elem::I32, lanes);
    b.phase(TASKS, |b, task| {
        let each = b.i64(EACH);
        let first = b.mul(task, each);
        let v = b.load(x, first, lanes, None);
        let (zero, low) = (b.constant(ty, 0), b.constant(ty, 0x7fff));
        let v = b.bin(Bin::And, v, low);
        let ends = b.while_loop(
            &[v],
            |b, c| {
                let more = b.cmp(Cmp::Ne, c[0], zero);
                b.op(Op::Any(more))
            },
            |b, c| {
                let odd = b.op(Op::Extract(c[0], lanes - 1));
                let one = b.constant(Type::scalar(Elem::I32), 1);
                let odd = b.bin(Bin::And, odd, one);
                let none = b.constant(Type::scalar(Elem::I32), 0);
                let is_odd = b.cmp(Cmp::Ne, odd, none);
                let half = b.constant(ty, 1);
                let halved = b.bin(Bin::LShr, c[0], half);
                let turned: Vec<u32> = (0..lanes).map(|i| (i + 1) % lanes).collect();
                b.if_else(
                    is_odd,
                    |b| vec![b.op(Op::Shuffle { a: halved, b: halved, lanes: turned.clone() })],
                    |_| vec![halved],
                )
            },
        );
        let v = b.load(x, first, lanes, None);
        let result = b.bin(Bin::Add, ends[0], v);
        put(b, y, task, result);
    });
    b.finish()
}

/// Barriers alone order an array of the task's own, which is written and read by other threads in turns.
fn barriers(lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new(format!("barriers_{lanes}"));
    let x = b.buffer("x", Elem::I32, TASKS * EACH, Access::Read);
    let y = b.buffer("y", Elem::I32, TASKS * lanes as i64, Access::Write);
    let own = b.local("own", Elem::I32, lanes as i64);
    let ty = Type::vector(Elem::I32, lanes);
    b.phase(TASKS, |b, task| {
        let (each, zero) = (b.i64(EACH), b.i64(0));
        let first = b.mul(task, each);
        let (order, most) = (b.op(Op::Iota(ty)), b.constant(ty, lanes as u64 - 1));
        let turned = b.sub(most, order);
        let none = b.constant(ty, 0);
        let sums = b.for_loop(zero, each, lanes as i64, &[none], |b, i, sums| {
            let at = b.add(first, i);
            let v = b.load(x, at, lanes, None);
            b.store(own, zero, v, None);
            b.barrier();
            let v = b.load(own, turned, lanes, None);
            b.barrier();
            vec![b.bin(Bin::Add, sums[0], v)]
        });
        put(b, y, task, sums[0]);
    });
    b.order_by_barriers();
    b.finish()
}

/// Arrays that the row of a table picks; what one phase leaves, another task of the next reads.
fn segments(lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new(format!("segments_{lanes}"));
    let len = TASKS * lanes as i64;
    let mut column = |name: &str, access| {
        let arrays = (0..2).map(|i| match b.buffer(format!("{name}{i}"), Elem::I32, len, access) {
            Buf::Global(n) => n,
            other => panic!("{other:?} is no array of the caller"),
        });
        let arrays = arrays.collect();
        b.column(arrays)
    };
    let (x, between) = (column("x", Access::Read), column("between", Access::Scratch));
    let y = b.buffer("y", Elem::I32, len, Access::Write);
    let cell = |b: &mut CodeBuilder, column: u32, task: V| {
        let one = b.i64(1);
        Buf::Cell { column, row: b.bin(Bin::And, task, one) }
    };
    b.phase(TASKS, |b, task| {
        let each = b.i64(lanes as i64);
        let at = b.mul(task, each);
        let from = cell(b, x, task);
        let v = b.load(from, at, lanes, None);
        let v = b.bin(Bin::Add, v, v);
        let to = cell(b, between, task);
        b.store(to, at, v, None);
    });
    b.phase(TASKS, |b, task| {
        let (last, each) = (b.i64(TASKS - 1), b.i64(lanes as i64));
        let other = b.sub(last, task);
        let at = b.mul(other, each);
        let from = cell(b, between, other);
        let v = b.load(from, at, lanes, None);
        put(b, y, task, v);
    });
    b.finish()
}
