//! Products of matrices in memory: by tile registers where this machine has them, and by vectors, as the evaluator has them.

mod common;

use common::run_kernel;
use lawson_cpu::{CompileOptions, Effort, TargetSpec};
use lawson_kernel::loop_ir::{self, Access, CodeBuilder, Elem, Factor, Kernel, Matrix, TileProduct};

/// All pairs of types that are multiplied.
const PAIRS: [[Factor; 2]; 5] = [
    [Factor::S8, Factor::S8],
    [Factor::S8, Factor::U8],
    [Factor::U8, Factor::S8],
    [Factor::U8, Factor::U8],
    [Factor::Bf16, Factor::Bf16],
];
const TASKS: i64 = 3;
const WORDS: i64 = 48;
/// The rows of each task's part of the left matrix begin this many words apart.
const LINE: i64 = WORDS + 5;

/// Copies the right matrix, and the left one too or not, to arrays of the task, multiplies, and stores the sums.
fn product(factors: [Factor; 2], [down, across]: [i64; 2], in_place: bool) -> Kernel {
    let mut b = CodeBuilder::new("k");
    let (rows, columns) = (16 * down, 16 * across);
    let (narrow, sum) = (if factors[0] == Factor::Bf16 { Elem::I16 } else { Elem::I8 }, factors[0].sum());
    let parts = factors[0].in_word();
    let (left_size, right_size, size) = (rows * LINE, WORDS * columns, rows * columns);
    let (elem, n) = if in_place { (narrow, parts) } else { (Elem::I32, 1) };
    let left = b.buffer("left", elem, TASKS * left_size * n, Access::Read);
    let right = b.buffer("right", Elem::I32, TASKS * right_size, Access::Read);
    let out = b.buffer("out", sum, TASKS * size, Access::Write);
    let of_task = [("left", left_size), ("right", right_size)].map(|(name, n)| b.local(name, Elem::I32, n));
    let sums = b.local("sums", sum, size);
    b.phase(TASKS, |b, task| {
        let first = |b: &mut CodeBuilder, size: i64| {
            let size = b.i64(size);
            b.mul(task, size)
        };
        let mut copy = |from, to, size: i64, back: bool| {
            let at = first(b, size);
            let (zero, end) = (b.i64(0), b.i64(size));
            b.for_loop(zero, end, 1, &[], |b, i, _| {
                let there = b.add(at, i);
                let (from_at, to_at) = if back { (i, there) } else { (there, i) };
                let x = b.load(from, from_at, 1, None);
                b.store(to, to_at, x, None);
                Vec::new()
            });
        };
        copy(right, of_task[1], right_size, false);
        if !in_place {
            copy(left, of_task[0], left_size, false);
        }
        let (zero, words) = (b.i64(0), b.i64(WORDS));
        let left = match in_place {
            true => Matrix { buf: left, offset: first(b, left_size * n), line: LINE * n },
            false => Matrix { buf: of_task[0], offset: zero, line: LINE },
        };
        b.tile_product(TileProduct {
            factors,
            tiles: [down, across],
            words,
            left,
            right: Matrix { buf: of_task[1], offset: zero, line: columns },
            sums: Matrix { buf: sums, offset: zero, line: columns },
        });
        let at = first(b, size);
        let end = b.i64(size);
        b.for_loop(zero, end, 1, &[], |b, i, _| {
            let there = b.add(at, i);
            let x = b.load(sums, i, 1, None);
            b.store(out, there, x, None);
            Vec::new()
        });
    });
    b.finish()
}

/// Bytes of all values; of BF16 whole numbers whose sums are exact.
fn inputs(kernel: &Kernel, factors: [Factor; 2]) -> Vec<Vec<u8>> {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 33
    };
    let mut array = |bytes: i64| -> Vec<u8> {
        match factors[0] {
            Factor::Bf16 => {
                let number = |n: u64| ((n % 33) as f32 - 16.0).to_bits() >> 16;
                (0..bytes / 2).flat_map(|_| (number(next()) as u16).to_le_bytes()).collect()
            }
            _ => (0..bytes).map(|_| next() as u8).collect(),
        }
    };
    kernel.buffers[..2].iter().map(|b| array(b.len * b.elem.bytes())).collect()
}

#[test]
fn products_of_tiles_are_those_of_the_evaluator() {
    let host = lawson_cpu::host(None).expect("a processor");
    let without = host.without_tiles();
    for factors in PAIRS {
        for (tiles, in_place) in [([2, 2], false), ([2, 2], true), ([1, 3], true), ([3, 1], false)] {
            let kernel = product(factors, tiles, in_place);
            let inputs = inputs(&kernel, factors);
            let mut expected = inputs.clone();
            expected.push(Vec::new());
            loop_ir::evaluate(&kernel, &mut expected).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
            let read = loop_ir::text::parse(&kernel.to_string()).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
            assert_eq!(read.phases, kernel.phases);
            for target in [&host, &without] {
                let options = CompileOptions { target: target.clone(), effort: Effort::Full };
                let found = run_kernel(kernel.clone(), &options, &inputs);
                assert!(found[0] == expected[2], "{factors:?}, {tiles:?}, in place: {in_place}");
            }
        }
    }
}

#[test]
fn code_has_tile_registers_where_there_are_some() {
    let kernel = product([Factor::U8, Factor::S8], [2, 2], true);
    for (name, has) in [("sapphire-rapids", true), ("zen4", false), ("haswell", false), ("neoverse", false)] {
        let spec = TargetSpec::named(name).expect("a name");
        let asm = lawson_llvm::Compiler::new(&spec, Effort::Full).and_then(|c| c.asm_text(&kernel));
        let asm = asm.unwrap_or_else(|e| panic!("{e}"));
        for instruction in ["ldtilecfg", "tdpbusd", "tilestored", "tilerelease"] {
            assert_eq!(asm.contains(instruction), has, "{name}: {asm}");
        }
    }
    let spec = TargetSpec::named("sm_90").expect("a name");
    let refused = lawson_llvm::Compiler::new(&spec, Effort::Full).and_then(|c| c.compile(&[&kernel]));
    assert!(
        refused.is_err_and(|e| e.to_string().contains("multiplies matrices, which sm_90 has no units for"))
    );
}
