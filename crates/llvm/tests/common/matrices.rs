//! Products of matrices by the units of a warp: each thread loads its words and sums, and stores what comes out.

use lawson_kernel::loop_ir::{Access, Bin, Cmp, CodeBuilder, Elem, Factor, Kernel, Op, Type};

/// All pairs of types that are multiplied.
pub const PAIRS: [[Factor; 2]; 7] = [
    [Factor::F16, Factor::F16],
    [Factor::Bf16, Factor::Bf16],
    [Factor::Tf32, Factor::Tf32],
    [Factor::S8, Factor::S8],
    [Factor::S8, Factor::U8],
    [Factor::U8, Factor::S8],
    [Factor::U8, Factor::U8],
];
const TASKS: i64 = 3;

/// Tasks of so many warps, each of which adds two products.
pub fn kernel(factors: [Factor; 2], warps: u32) -> Kernel {
    let [left, right] = factors.map(Factor::name);
    let mut b = CodeBuilder::new(format!("product_of_{left}_and_{right}"));
    let threads = 32 * warps;
    let each = i64::from(threads);
    let words = b.buffer("words", Elem::I32, TASKS * 6 * each, Access::Read);
    let sums = b.buffer("sums", factors[0].sum(), TASKS * 4 * each, Access::Read);
    let out = b.buffer("out", factors[0].sum(), TASKS * 4 * each, Access::Write);
    b.phase(TASKS, |b, task| {
        let mut at = |parts: i64, n: i64| {
            let (size, skipped) = (b.i64(parts * each), b.i64(n * each));
            let first = b.mul(task, size);
            b.add(first, skipped)
        };
        let of_words: [_; 6] = std::array::from_fn(|n| at(6, n as i64));
        let of_sums: [_; 4] = std::array::from_fn(|n| at(4, n as i64));
        let words = of_words.map(|at| b.load(words, at, threads, None));
        let sums = of_sums.map(|at| b.load(sums, at, threads, None));
        let [left @ .., c, d] = words;
        let once = b.matrix_product(factors, left, [c, d], sums);
        let twice = b.matrix_product(factors, left, [d, c], once);
        of_sums.into_iter().zip(twice).for_each(|(at, v)| b.store(out, at, v, None));
    });
    b.share_tasks(warps);
    b.finish()
}

/// Tasks of so many warps, each of which loads four matrices for itself, as they lie or transposed, from halves that its threads
/// have copied.
pub fn loads(transposed: bool, warps: u32) -> Kernel {
    let mut b = CodeBuilder::new(format!("matrices_{transposed}"));
    let threads = 32 * warps;
    let each = i64::from(threads);
    let x = b.buffer("x", Elem::I16, TASKS * 8 * each, Access::Read);
    let out = b.buffer("out", Elem::I32, TASKS * 4 * each, Access::Write);
    let own = b.local("own", Elem::I16, 16 * each);
    b.phase(TASKS, |b, task| {
        let thread = b.op(Op::Iota(Type::vector(Elem::I64, threads)));
        let eight = b.i64(8);
        let many = b.widen_to(eight, threads);
        let own_row = b.mul(thread, many);
        let size = b.i64(8 * each);
        let skipped = b.mul(task, size);
        let skipped = b.widen_to(skipped, threads);
        let from = b.add(own_row, skipped);
        // All but the rows of two threads, which are zeros.
        let two = b.i64(2);
        let two = b.widen_to(two, threads);
        let reads = b.cmp(Cmp::Sle, two, thread);
        b.copy_async((own, own_row), (x, from), Some(reads));
        b.group_copies();
        // Another copy, which is not waited for before the rows are loaded.
        let beyond = b.i64(8 * each);
        let beyond = b.widen_to(beyond, threads);
        let to = b.add(own_row, beyond);
        b.copy_async((own, to), (x, from), None);
        b.group_copies();
        b.await_copies(Some(1));
        b.barrier();
        // The rows of the warp in another order.
        let five = b.i64(5);
        let five = b.widen_to(five, threads);
        let other = b.bin(Bin::Xor, thread, five);
        let row = b.mul(other, many);
        let words = b.load_matrices(own, row, transposed);
        for (n, word) in (0..).zip(words) {
            let (four, n) = (b.i64(4 * each), b.i64(n * each));
            let first = b.mul(task, four);
            let at = b.add(first, n);
            b.store(out, at, word, None);
        }
        b.await_copies(None);
    });
    b.share_tasks(warps);
    b.order_by_barriers();
    b.finish()
}

/// A word of factors, all small whole numbers that the seed gives, so that their products have exact sums.
pub fn word(factor: Factor, seed: u32) -> u32 {
    let small = |n: u32| (seed.wrapping_mul(0x9e37_79b9) >> (8 * n) & 15) as i8 - 8;
    let halves = |bits: fn(f32) -> u16| {
        let [low, high] = [0, 1].map(|n| u32::from(bits(f32::from(small(n)))));
        low | high << 16
    };
    match factor {
        Factor::F16 => halves(|x| half::f16::from_f32(x).to_bits()),
        Factor::Bf16 => halves(|x| half::bf16::from_f32(x).to_bits()),
        // What is ignored is set too.
        Factor::Tf32 => f32::from(small(0)).to_bits() | seed & 0x1fff,
        Factor::S8 | Factor::U8 => u32::from_le_bytes([0, 1, 2, 3].map(|n| small(n).wrapping_mul(9) as u8)),
    }
}
