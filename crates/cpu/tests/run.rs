//! Programs end to end: compiled, loaded and run.

use lawson_cpu::{
    Argument, Buffer, CompileOptions, Compiled, Counters, CustomCalls, Effort, Error, Executable, Limits,
    TargetSpec, ThreadPool, Traced, compile_and_load,
};
use lawson_hlo::dtype::DType;
use lawson_hlo::literal::Literal;
use lawson_hlo::scalar::Scalar;
use lawson_hlo::shape::{ArrayShape, Shape};
use lawson_kernel::loop_ir::{Access, Bin, Buf, Cast, Cmp, CodeBuilder, Elem, Kernel, Op, Type, Un, V};
use lawson_kernel::program::{BufId, BufferSlot, Donation, Place, Program, Step};
use std::sync::Arc;

fn load_on(program: Program, threads: usize, effort: Effort) -> Executable {
    let options = CompileOptions { target: TargetSpec::host().unwrap(), effort };
    compile_and_load(program, &options, None, Arc::new(ThreadPool::new(threads)), &CustomCalls::new())
        .unwrap()
}

fn load(program: Program) -> Executable {
    load_on(program, 2, Effort::Full)
}

fn slot(bytes: i64, place: Place) -> BufferSlot {
    BufferSlot { bytes, place }
}

fn launch(kernel: usize, args: &[u32]) -> Step {
    Step::Launch { kernel, args: args.iter().map(|&a| BufId(a)).collect() }
}

/// Kernels of one array in and one out, each `n` elements of `elem`.
fn unary(kernel: Kernel) -> Program {
    let bytes = |i: usize| kernel.buffers[i].len * kernel.buffers[i].elem.bytes();
    Program {
        buffers: vec![slot(bytes(0), Place::Input(0)), slot(bytes(1), Place::Output(0))],
        kernels: vec![kernel.into()],
        steps: vec![launch(0, &[0, 1])],
        arena_bytes: 0,
        ..Program::default()
    }
}

fn f32s(values: impl IntoIterator<Item = f32>) -> Buffer {
    Buffer::from_slice(&values.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>()).unwrap()
}

fn to_f32s(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect()
}

/// `out[i] = f(x[i])` for `n` elements of f32 in vectors of 16, the last one masked.
fn map(name: &str, n: i64, f: impl Fn(&mut CodeBuilder, V) -> V) -> Kernel {
    let mut b = CodeBuilder::new(name);
    let x = b.buffer("x", Elem::F32, n, Access::Read);
    let out = b.buffer("out", Elem::F32, n, Access::Write);
    let tasks = (n as u64).div_ceil(1000) as i64;
    b.phase(tasks, |b, task| {
        let (each, end, sixteen) = (b.i64(1000), b.i64(n), b.i64(16));
        let lo = b.mul(task, each);
        let hi = b.add(lo, each);
        let hi = b.bin(Bin::SMin, hi, end);
        let length = b.sub(hi, lo);
        let whole = b.bin(Bin::SRem, length, sixteen);
        let whole = b.sub(hi, whole);
        b.for_loop(lo, whole, 16, &[], |b, i, _| {
            let v = b.load(x, i, 16, None);
            let r = f(b, v);
            b.store(out, i, r, None);
            Vec::new()
        });
        let partial = b.cmp(Cmp::Slt, whole, hi);
        b.if_else(
            partial,
            |b| {
                let iota = b.op(Op::Iota(Type::vector(Elem::I64, 16)));
                let (rest, at) = (b.sub(hi, whole), whole);
                let rest = b.widen_to(rest, 16);
                let mask = b.cmp(Cmp::Slt, iota, rest);
                let v = b.load(x, at, 16, Some(mask));
                let r = f(b, v);
                b.store(out, at, r, Some(mask));
                Vec::new()
            },
            |_| Vec::new(),
        );
    });
    b.finish()
}

#[test]
fn maps_with_masked_tails() {
    for n in [1, 15, 16, 17, 1000, 1001, 4321] {
        let kernel = map("square", n, |b, v| b.bin(Bin::FMul, v, v));
        let x = f32s((0..n).map(|i| i as f32));
        for (threads, effort) in [(1, Effort::Full), (2, Effort::Full), (3, Effort::Fast)] {
            let exe = load_on(unary(kernel.clone()), threads, effort);
            let outcome = exe.run(&[&x]).unwrap();
            let expected: Vec<f32> = (0..n).map(|i| (i as f32) * (i as f32)).collect();
            assert_eq!(to_f32s(&outcome.outputs[0]), expected);
            assert_eq!(outcome.counters, Counters { launches: 1, phases: 1, ..Counters::default() });
        }
    }
}

#[test]
fn loops_conditions_and_locals() {
    // Collatz lengths, by a While in an If in a For, through a task-private array.
    let mut b = CodeBuilder::new("collatz");
    let x = b.buffer("x", Elem::I64, 64, Access::Read);
    let out = b.buffer("out", Elem::I64, 64, Access::Write);
    let local = b.local("kept", Elem::I64, 8);
    b.phase(8, |b, task| {
        let (zero, one, two, three, eight) = (b.i64(0), b.i64(1), b.i64(2), b.i64(3), b.i64(8));
        let at = b.mul(task, eight);
        b.for_loop(zero, eight, 1, &[], |b, i, _| {
            let from = b.add(at, i);
            let start = b.load(x, from, 1, None);
            let positive = b.cmp(Cmp::Slt, zero, start);
            let steps = b.if_else(
                positive,
                |b| {
                    let ends = b.while_loop(
                        &[start, zero],
                        |b, p| b.cmp(Cmp::Ne, p[0], one),
                        |b, p| {
                            let bit = b.bin(Bin::And, p[0], one);
                            let odd = b.cmp(Cmp::Eq, bit, one);
                            let tripled = b.mul(p[0], three);
                            let up = b.add(tripled, one);
                            let down = b.bin(Bin::SDiv, p[0], two);
                            vec![b.select(odd, up, down), b.add(p[1], one)]
                        },
                    );
                    vec![ends[1]]
                },
                |b| vec![b.i64(-1)],
            );
            b.store(local, i, steps[0], None);
            Vec::new()
        });
        let all = b.load(local, zero, 8, None);
        b.store(out, at, all, None);
    });
    let input: Vec<u8> = (0..64i64).flat_map(i64::to_le_bytes).collect();
    let exe = load(unary(b.finish()));
    assert!(exe.temp_bytes() >= 2 * 64);
    let outcome = exe.run(&[&input]).unwrap();
    let collatz = |mut n: i64| {
        let mut steps = 0;
        while n > 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    };
    let found: Vec<i64> =
        outcome.outputs[0].chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect();
    let expected: Vec<i64> = (0..64).map(|n| if n == 0 { -1 } else { collatz(n) }).collect();
    assert_eq!(found, expected);
}

#[test]
fn gathers_scatters_and_tables() {
    static TABLE: [u64; 16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];
    let mut b = CodeBuilder::new("permute");
    let x = b.buffer("x", Elem::F32, 16, Access::Read);
    let out = b.buffer("out", Elem::F32, 16, Access::Write);
    let table = b.table(&TABLE);
    b.phase(1, |b, _| {
        let iota = b.op(Op::Iota(Type::vector(Elem::I64, 16)));
        let index = b.op(Op::Table { table, index: iota });
        let gathered = b.load(x, index, 16, None);
        let fifteen = b.constant(Type::vector(Elem::I64, 16), 15);
        let reversed = b.sub(fifteen, iota);
        b.store(out, reversed, gathered, None);
        // Lanes are written in order: the last one wins. A false lane writes nothing.
        let zeros = b.constant(Type::vector(Elem::I64, 16), 0);
        let last = b.constant(Type::vector(Elem::I64, 16), 12);
        let early = b.cmp(Cmp::Slt, iota, last);
        let ids = b.cast(Cast::SignedToFloat, iota, Elem::F32);
        b.store(out, zeros, ids, Some(early));
    });
    let outcome = load(unary(b.finish())).run(&[&f32s((0..16).map(|i| i as f32 * 10.0))]).unwrap();
    let mut expected: Vec<f32> = TABLE.iter().rev().map(|&i| i as f32 * 10.0).collect();
    expected[0] = 11.0;
    assert_eq!(to_f32s(&outcome.outputs[0]), expected);
}

#[test]
fn a_segment_table_picks_arrays_and_sizes() {
    let mut b = CodeBuilder::new("segments");
    let lengths = [5, 1, 3];
    let inputs = lengths.map(|n| b.buffer("x", Elem::F32, n, Access::Read));
    let outputs = lengths.map(|n| b.buffer("out", Elem::F32, n, Access::Write));
    let positions = |bufs: [Buf; 3]| bufs.map(|b| if let Buf::Global(i) = b { i } else { 0 }).to_vec();
    let (x, out) = (b.column(positions(inputs)), b.column(positions(outputs)));
    let sizes = b.table(lengths.map(|n| n as u64).to_vec());
    b.phase(3, |b, task| {
        let (lo, hi) = (b.i64(0), b.op(Op::Table { table: sizes, index: task }));
        b.for_loop(lo, hi, 1, &[], |b, i, _| {
            let v = b.load(Buf::Cell { column: x, row: task }, i, 1, None);
            let r = b.bin(Bin::FAdd, v, v);
            b.store(Buf::Cell { column: out, row: task }, i, r, None);
            Vec::new()
        });
    });
    let slot = |n: i64, place| BufferSlot { bytes: 4 * n, place };
    let places = lengths.iter().enumerate();
    let buffers = (places.clone().map(|(i, &n)| slot(n, Place::Input(i))))
        .chain(places.map(|(i, &n)| slot(n, Place::Output(i))));
    let program = Program {
        kernels: vec![b.finish().into()],
        buffers: buffers.collect(),
        steps: vec![Step::Launch { kernel: 0, args: (0..6).map(BufId).collect() }],
        arena_bytes: 0,
        ..Program::default()
    };
    let inputs = lengths.map(|n| f32s((0..n).map(|i| (10 * n + i) as f32)));
    let outcome = load(program).run(&[&inputs[0], &inputs[1], &inputs[2]]).unwrap();
    for (n, bytes) in lengths.iter().zip(&outcome.outputs) {
        assert_eq!(to_f32s(bytes), (0..*n).map(|i| 2.0 * (10 * n + i) as f32).collect::<Vec<_>>());
    }
}

#[test]
fn denormals_are_kept_and_rounding_is_to_even() {
    let kernel = map("halve", 16, |b, v| {
        let half = b.constant(Type::vector(Elem::F32, 16), 0.5f32.to_bits() as u64);
        let r = b.bin(Bin::FMul, v, half);
        let rounded = b.un(Un::Rint, v);
        b.bin(Bin::FAdd, r, rounded)
    });
    let mut values = [0f32; 16];
    values[0] = f32::MIN_POSITIVE;
    values[1] = 2.5;
    values[2] = 3.5;
    let outcome = load(unary(kernel)).run(&[&f32s(values)]).unwrap();
    assert_eq!(to_f32s(&outcome.outputs[0])[..3], [f32::MIN_POSITIVE / 2.0, 3.25, 5.75]);
}

/// `sum[0] = Σ x` in two phases, through scratch.
fn sum(n: i64) -> Kernel {
    let mut b = CodeBuilder::new("sum");
    let x = b.buffer("x", Elem::F32, n, Access::Read);
    let out = b.buffer("out", Elem::F32, 1, Access::Write);
    let partials = b.buffer("partials", Elem::F32, 8, Access::Scratch);
    let add = |b: &mut CodeBuilder, from: Buf, lo: V, hi: V| {
        let zero = b.constant(Type::scalar(Elem::F32), 0);
        b.for_loop(lo, hi, 1, &[zero], |b, i, acc| {
            let v = b.load(from, i, 1, None);
            vec![b.bin(Bin::FAdd, acc[0], v)]
        })[0]
    };
    b.phase(8, |b, task| {
        let each = b.i64(n / 8);
        let lo = b.mul(task, each);
        let hi = b.add(lo, each);
        let total = add(b, x, lo, hi);
        b.store(partials, task, total, None);
    });
    b.phase(1, |b, task| {
        let end = b.i64(8);
        let total = add(b, partials, task, end);
        b.store(out, task, total, None);
    });
    b.finish()
}

#[test]
fn phases_pass_partials_through_scratch() {
    let program = Program {
        kernels: vec![sum(800).into()],
        buffers: vec![slot(3200, Place::Input(0)), slot(4, Place::Output(0))],
        steps: vec![Step::Launch { kernel: 0, args: vec![BufId(0), BufId(1)] }],
        arena_bytes: 0,
        ..Program::default()
    };
    let exe = load(program);
    for _ in 0..50 {
        let outcome = exe.run(&[&f32s((0..800).map(|i| i as f32))]).unwrap();
        assert_eq!(to_f32s(&outcome.outputs[0]), [319600.0]);
        // The last phase is one task.
        assert_eq!(outcome.counters.phases, 1);
    }
}

/// `out[task]` is the sum of 64 elements of i64, which every task first copies to an array of its own.
fn sums_of_copies(tasks: i64) -> Kernel {
    let mut b = CodeBuilder::new("sums_of_copies");
    let x = b.buffer("x", Elem::I64, 64 * tasks, Access::Read);
    let out = b.buffer("out", Elem::I64, tasks, Access::Write);
    let own = b.local("own", Elem::I64, 64);
    b.phase(tasks, |b, task| {
        let (zero, end) = (b.i64(0), b.i64(64));
        let first = b.mul(task, end);
        b.for_loop(zero, end, 1, &[], |b, i, _| {
            let at = b.add(first, i);
            let value = b.load(x, at, 1, None);
            b.store(own, i, value, None);
            Vec::new()
        });
        let sum = b.for_loop(zero, end, 1, &[zero], |b, i, carried| {
            let value = b.load(own, i, 1, None);
            vec![b.add(carried[0], value)]
        });
        b.store(out, task, sum[0], None);
    });
    b.finish()
}

/// Scratch and private blocks lie within the result that a later launch writes, whatever is there.
#[test]
fn results_that_are_not_written_yet_hold_what_kernels_need() {
    let double = map("double", 5000, |b, v| b.bin(Bin::FAdd, v, v));
    let program = |donations| Program {
        kernels: vec![sum(800).into(), sums_of_copies(100).into(), double.clone().into()],
        buffers: vec![
            slot(3200, Place::Input(0)),
            slot(4, Place::Output(0)),
            slot(51200, Place::Input(1)),
            slot(800, Place::Output(1)),
            slot(20000, Place::Input(2)),
            slot(20000, Place::Output(2)),
        ],
        steps: vec![launch(0, &[0, 1]), launch(1, &[2, 3]), launch(2, &[4, 5])],
        donations,
        ..Program::default()
    };
    let first = f32s((0..800).map(|i| i as f32));
    let second: Vec<u8> = (0..6400i64).flat_map(i64::to_le_bytes).collect();
    let third = f32s((0..5000).map(|i| i as f32));
    let sums: Vec<u8> = (0..100i64).flat_map(|t| (64 * 64 * t + 2016).to_le_bytes()).collect();
    let doubled: Vec<f32> = (0..5000).map(|i| (2 * i) as f32).collect();
    let exe = load(program(vec![]));
    assert_eq!(exe.temp_bytes(), 0);
    for at in [0, 1] {
        // At 1 results have no memory of the alignment that runs need.
        let mut memory = [4, 800, 20000].map(|n: usize| f32s(std::iter::repeat_n(f32::NAN, n / 4 + 1)));
        let mut outputs: Vec<&mut [u8]> =
            memory.iter_mut().zip([4, 800, 20000]).map(|(m, n)| &mut m[at..at + n]).collect();
        let inputs = [&first[..], &second, &third].map(Argument::Borrowed);
        exe.run_into(inputs.into_iter(), &mut outputs, &Limits::default()).unwrap();
        assert_eq!(to_f32s(outputs[0]), [319600.0]);
        assert_eq!(outputs[1], sums);
        assert_eq!(to_f32s(outputs[2]), doubled);
    }
    // The memory of an argument is left alone until it becomes the result.
    let exe = load(program(vec![Donation { input: 2, output: 2 }]));
    assert!(exe.temp_bytes() > 0);
    let inputs = [Argument::Borrowed(&first), Argument::Borrowed(&second), Argument::Donated(third)];
    let outcome = exe.run_with(inputs.into_iter(), &Limits::default()).unwrap();
    assert_eq!(outcome.outputs[1][..], sums);
    assert_eq!(to_f32s(&outcome.outputs[2]), doubled);
}

/// A kernel over one-element arrays of i32: `f` gets all values and returns the last buffer's.
fn scalar(name: &str, args: usize, f: impl Fn(&mut CodeBuilder, &[V]) -> V) -> Kernel {
    let mut b = CodeBuilder::new(name);
    let ins: Vec<Buf> = (0..args).map(|i| b.buffer(format!("x{i}"), Elem::I32, 1, Access::Read)).collect();
    let out = b.buffer("out", Elem::I32, 1, Access::Write);
    b.phase(1, |b, task| {
        let values: Vec<V> = ins.iter().map(|&x| b.load(x, task, 1, None)).collect();
        let r = f(b, &values);
        b.store(out, task, r, None);
    });
    b.finish()
}

fn i32_const(value: i64) -> Literal {
    Literal::scalar(DType::S32, Scalar::Signed(value))
}

#[test]
fn while_swap_and_conditional() {
    // fib: (a, b) = (b, a + b) while a < 100; then, by a selector, a copy of a or of the constant 7.
    let less = {
        let mut b = CodeBuilder::new("less");
        let x = b.buffer("x", Elem::I32, 1, Access::Read);
        let limit = b.buffer("limit", Elem::I32, 1, Access::Read);
        let out = b.buffer("out", Elem::I8, 1, Access::Write);
        b.phase(1, |b, task| {
            let (x, limit) = (b.load(x, task, 1, None), b.load(limit, task, 1, None));
            let less = b.cmp(Cmp::Slt, x, limit);
            let byte = b.cast(Cast::Zext, less, Elem::I8);
            b.store(out, task, byte, None);
        });
        b.finish()
    };
    let add = scalar("add", 2, |b, v| b.add(v[0], v[1]));
    let ids = |n: u32| BufId(n);
    let steps = vec![
        Step::Copy { from: ids(1), to: ids(3) },
        Step::Copy { from: ids(1), to: ids(4) },
        Step::While {
            cond: vec![launch(0, &[3, 2, 6])],
            pred: ids(6),
            body: vec![
                launch(1, &[3, 4, 5]),
                Step::Swap { a: ids(3), b: ids(4) },
                Step::Swap { a: ids(4), b: ids(5) },
            ],
            trips: None,
        },
        Step::Conditional {
            selector: ids(0),
            predicated: false,
            branches: vec![
                vec![Step::Copy { from: ids(3), to: ids(7) }],
                vec![Step::Copy { from: ids(8), to: ids(7) }],
            ],
        },
    ];
    let program = Program {
        kernels: vec![less.into(), add.into()],
        buffers: vec![
            slot(4, Place::Input(0)),
            slot(4, Place::Constant(i32_const(1))),
            slot(4, Place::Constant(i32_const(100))),
            slot(4, Place::Arena(0)),
            slot(4, Place::Arena(64)),
            slot(4, Place::Arena(128)),
            slot(1, Place::Arena(192)),
            slot(4, Place::Output(0)),
            slot(4, Place::Constant(i32_const(7))),
        ],
        steps,
        arena_bytes: 256,
        ..Program::default()
    };
    let exe = load(program);
    for (selector, expected) in [(0i32, 144i32), (1, 7), (2, 7), (-1, 7)] {
        let outcome = exe.run(&[&selector.to_le_bytes()]).unwrap();
        assert_eq!(outcome.outputs[0][..], expected.to_le_bytes());
        assert_eq!(outcome.counters, Counters { launches: 23, phases: 23, copies: 3, custom_calls: 0 });
    }
}

#[test]
fn large_copies_are_whole() {
    let bytes = (3 << 20) + 7i64;
    let program = Program {
        kernels: vec![],
        buffers: vec![slot(bytes, Place::Input(0)), slot(bytes, Place::Output(0))],
        steps: vec![Step::Copy { from: BufId(0), to: BufId(1) }],
        arena_bytes: 0,
        ..Program::default()
    };
    let input: Vec<u8> = (0..bytes).map(|i| (i * 31 % 251) as u8).collect();
    assert_eq!(load(program).run(&[&input]).unwrap().outputs[0][..], input[..]);
}

/// Tasks that begin and end within pieces, of one byte, a few bytes and many.
#[test]
fn concatenations_are_whole() {
    for (rows, widths) in [(1i64, [1i64, 1 << 20, 8, 4, 0, 700_001]), (70_001, [3, 4, 8, 1, 0, 16])] {
        let bytes = rows * widths.iter().sum::<i64>();
        let mut buffers: Vec<BufferSlot> =
            widths.iter().enumerate().map(|(n, w)| slot(rows * w, Place::Input(n))).collect();
        buffers.push(slot(bytes, Place::Output(0)));
        let pieces = widths.iter().enumerate().map(|(n, &w)| (BufId(n as u32), w)).collect();
        let steps = vec![Step::Concatenate { pieces, rows, to: BufId(6) }];
        let inputs: Vec<Vec<u8>> =
            widths.iter().map(|w| (0..rows * w).map(|i| ((i + w) * 31 % 251) as u8).collect()).collect();
        let mut expected = Vec::new();
        for row in 0..rows as usize {
            for (input, &w) in inputs.iter().zip(&widths) {
                expected.extend_from_slice(&input[row * w as usize..][..w as usize]);
            }
        }
        let exe = load_on(Program { buffers, steps, ..Program::default() }, 3, Effort::Full);
        let inputs: Vec<&[u8]> = inputs.iter().map(|i| &i[..]).collect();
        let outcome = exe.run(&inputs).unwrap();
        assert!(outcome.outputs[0][..] == expected[..], "{rows} rows");
        assert_eq!(outcome.counters.copies, 1);
    }
}

fn custom(target: &str) -> Program {
    let shape = Shape::Array(ArrayShape::new(DType::U8, [4]));
    let call = Step::CustomCall {
        target: target.into(),
        args: vec![(BufId(0), shape.clone())],
        results: vec![BufId(1)],
        shape,
    };
    Program {
        kernels: vec![],
        buffers: vec![slot(4, Place::Input(0)), slot(4, Place::Output(0))],
        steps: vec![call],
        arena_bytes: 0,
        ..Program::default()
    }
}

#[test]
fn custom_calls() {
    let mut calls = CustomCalls::new();
    calls.insert(
        "reverse".into(),
        Arc::new(|args, results, shape| {
            assert_eq!(args[0].1, shape);
            results[0].copy_from_slice(args[0].0);
            results[0].reverse();
            if args[0].0[0] == 0 { Err("a zero".into()) } else { Ok(()) }
        }),
    );
    let pool = Arc::new(ThreadPool::new(1));
    let exe = Executable::load(custom("reverse"), &Compiled::default(), pool.clone(), &calls).unwrap();
    assert_eq!(exe.run(&[&[1, 2, 3, 4]]).unwrap().outputs[0][..], [4, 3, 2, 1]);
    let error = exe.run(&[&[0; 4]]).unwrap_err();
    assert_eq!(error.to_string(), "custom-call \"reverse\" failed: a zero");
    let unknown = Executable::load(custom("sort"), &Compiled::default(), pool, &calls).err().unwrap();
    assert!(matches!(unknown, Error::UnknownCustomCall(t) if t == "sort"));
}

#[test]
fn arguments_are_checked() {
    let exe = load(unary(map("copy", 16, |_, v| v)));
    assert!(matches!(exe.run(&[]), Err(Error::Count { found: 0, expected: 1, .. })));
    assert!(matches!(exe.run(&[&[0; 63]]), Err(Error::Size { index: 0, found: 63, expected: 64, .. })));
    let limits = Limits::default();
    assert!(matches!(
        exe.run_into([Argument::Borrowed(&[0; 64])].into_iter(), &mut [], &limits),
        Err(Error::Count { what: "output", .. })
    ));
    let error =
        exe.run_into([Argument::Borrowed(&[0; 64])].into_iter(), &mut [&mut [0; 60]], &limits).unwrap_err();
    assert_eq!(error.to_string(), "output 0 has 60 bytes, expected 64");
}

#[test]
fn unaligned_memory_is_copied() {
    let exe = load(unary(map("double", 16, |b, v| b.bin(Bin::FAdd, v, v))));
    let mut input = Buffer::new(68).unwrap();
    input[4..].copy_from_slice(&f32s((0..16).map(|i| i as f32)));
    let mut output = Buffer::new(68).unwrap();
    exe.run_into([Argument::Borrowed(&input[4..])].into_iter(), &mut [&mut output[4..]], &Limits::default())
        .unwrap();
    assert_eq!(to_f32s(&output[4..]), (0..16).map(|i| i as f32 * 2.0).collect::<Vec<_>>());
}

#[test]
fn runs_may_be_concurrent() {
    let program = Program {
        kernels: vec![
            map("inc", 5000, |b, v| {
                let one = b.constant(Type::vector(Elem::F32, 16), 1f32.to_bits() as u64);
                b.bin(Bin::FAdd, v, one)
            })
            .into(),
            map("double", 5000, |b, v| b.bin(Bin::FAdd, v, v)).into(),
        ],
        buffers: vec![
            slot(20000, Place::Input(0)),
            slot(20000, Place::Arena(0)),
            slot(20000, Place::Output(0)),
        ],
        steps: vec![launch(0, &[0, 1]), launch(1, &[1, 2])],
        arena_bytes: 20032,
        ..Program::default()
    };
    let exe = load(program);
    std::thread::scope(|scope| {
        for t in 0..4 {
            let exe = &exe;
            scope.spawn(move || {
                let x = f32s((0..5000).map(|i| (i + t) as f32));
                for _ in 0..50 {
                    let out = exe.run(&[&x]).unwrap();
                    let expected: Vec<f32> = (0..5000).map(|i| (i + t + 1) as f32 * 2.0).collect();
                    assert_eq!(to_f32s(&out.outputs[0]), expected);
                }
            });
        }
    });
}

#[test]
fn executables_are_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Executable>();
}

#[test]
fn traces_name_each_step() {
    let program = Program {
        kernels: vec![map("double", 16, |b, v| b.bin(Bin::FAdd, v, v)).into()],
        buffers: vec![slot(64, Place::Input(0)), slot(64, Place::Arena(0)), slot(64, Place::Output(0))],
        steps: vec![launch(0, &[0, 1]), Step::Copy { from: BufId(1), to: BufId(2) }],
        arena_bytes: 64,
        ..Program::default()
    };
    let arguments = [Argument::Borrowed(&[0; 64])].into_iter();
    let (outcome, spans) = load(program).run_traced(arguments, &Limits::default()).unwrap();
    assert_eq!(outcome.outputs.len(), 1);
    let names: Vec<Traced> = spans.iter().map(|s| s.what.clone()).collect();
    assert_eq!(names, [Traced::Launch(0), Traced::Copy(64)]);
    assert!(spans[0].start + spans[0].took <= spans[1].start);
}
