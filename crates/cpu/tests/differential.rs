//! Random kernels give what Loop IR means, for any vector width, code generation effort and feature level.

mod common;

use common::run_kernel;
use lawson_cpu::{CompileOptions, Effort, TargetSpec};
use lawson_kernel::loop_ir::{
    self, Access, Bin, Cast, Cmp, CodeBuilder, Elem, Half, Kernel, Link, Op, Type, Un, V, WithCarry,
};

/// Elements of each array: two tasks of 64.
const N: i64 = 128;
const ELEMS: [Elem; 6] = [Elem::I8, Elem::I16, Elem::I32, Elem::I64, Elem::F32, Elem::F64];
const SEEDS: std::ops::Range<u64> = 1..13;

#[test]
fn widths_efforts_and_feature_levels_agree() {
    for seed in SEEDS {
        agree(&inputs(seed), |lanes| kernel(seed, lanes));
    }
}

#[test]
fn high_words_and_carries_agree_on_extreme_values() {
    agree(&extremes(), wide_kernel);
}

#[test]
fn quotients_agree_around_multiples_of_the_divisor() {
    agree(&around_multiples(), quotients);
}

/// Compiled for any number of lanes, effort and feature level, the kernel gives the values of the evaluator.
fn agree(inputs: &[Vec<u8>], kernel: impl Fn(u32) -> Kernel) {
    let host = TargetSpec::host().unwrap();
    let mut variants = vec![(1, Effort::Full, host.clone()), (16, Effort::Full, host.clone())];
    variants.push((64, Effort::Fast, host.clone()));
    if host.is_x86() {
        let avx2 = TargetSpec::named("haswell").unwrap();
        variants.push((8, Effort::Full, TargetSpec { triple: host.triple, ..avx2 }));
    }
    let expected = evaluated(&kernel(4), inputs);
    for (lanes, effort, target) in variants {
        let kernel = kernel(lanes);
        let name = format!("{}: {lanes} lanes, {effort:?}, {}", kernel.name, target.cpu);
        let found = run(kernel, CompileOptions { target, effort }, inputs);
        assert_eq!(expected.len(), found.len(), "{name}");
        for (i, (a, b)) in expected.iter().zip(&found).enumerate() {
            assert_eq!(a, b, "value {i}, {name}");
        }
    }
}

/// All outputs by the evaluator of Loop IR, with every NaN the same.
fn evaluated(kernel: &Kernel, inputs: &[Vec<u8>]) -> Vec<Vec<u64>> {
    let mut buffers = inputs.to_vec();
    buffers.resize(kernel.buffers.len(), Vec::new());
    loop_ir::evaluate(kernel, &mut buffers).unwrap();
    let outputs = kernel.buffers.iter().zip(&buffers).skip(inputs.len());
    outputs.map(|(b, bytes)| words(bytes, b.elem)).collect()
}

/// All outputs by compiled code, with every NaN the same.
fn run(kernel: Kernel, options: CompileOptions, inputs: &[Vec<u8>]) -> Vec<Vec<u64>> {
    let elems: Vec<Elem> = kernel.buffers.iter().map(|b| b.elem).collect();
    let outputs = run_kernel(kernel, &options, inputs);
    outputs.iter().zip(&elems[inputs.len()..]).map(|(bytes, &elem)| words(bytes, elem)).collect()
}

fn words(bytes: &[u8], elem: Elem) -> Vec<u64> {
    let word = |c: &[u8]| {
        let mut w = [0; 8];
        w[..c.len()].copy_from_slice(c);
        let bits = u64::from_le_bytes(w);
        let is_nan = match elem {
            Elem::F32 => f32::from_bits(bits as u32).is_nan(),
            Elem::F64 => f64::from_bits(bits).is_nan(),
            _ => false,
        };
        if is_nan { u64::MAX } else { bits }
    };
    bytes.chunks_exact(elem.bytes() as usize).map(word).collect()
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

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

fn random(seed: u64) -> Random {
    Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Integers of all bits; floats of moderate size, with zeros, infinities, NaN and denormals among them.
fn inputs(seed: u64) -> Vec<Vec<u8>> {
    let mut r = random(seed ^ 0xabcdef);
    let mut value = |elem: Elem| {
        let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40, 0.5, -2.5, 1e30];
        let float = match r.below(4) {
            0 => r.pick(&special),
            _ => (r.next() as i64 >> 30) as f64 / 65536.0,
        };
        match elem {
            Elem::F32 => (float as f32).to_bits() as u64,
            Elem::F64 => float.to_bits(),
            _ => r.next(),
        }
    };
    let mut array = |elem: Elem| {
        (0..N).flat_map(|_| value(elem).to_le_bytes()[..elem.bytes() as usize].to_vec()).collect()
    };
    ELEMS.into_iter().map(&mut array).collect()
}

/// The same elementwise program for any number of lanes: both tasks in steps of `lanes`, a random graph of operations
/// in a loop of three trips, each value of the last trip stored.
fn kernel(seed: u64, lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new(format!("k{seed}"));
    let ins = ELEMS.map(|e| b.buffer(format!("{e:?}"), e, N, Access::Read));
    let outs = |b: &mut CodeBuilder, elem: Elem| {
        let elem = if elem == Elem::I1 { Elem::I8 } else { elem };
        b.buffer("out", elem, N, Access::Write)
    };
    static WORDS: [u64; 16] = [7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, u64::MAX];
    let table = b.table(&WORDS);
    b.phase(2, |b, task| {
        let half = b.i64(N / 2);
        let lo = b.mul(task, half);
        let hi = b.add(lo, half);
        b.for_loop(lo, hi, lanes as i64, &[], |b, at, _| {
            let loaded: Vec<V> = ins.iter().map(|&x| b.load(x, at, lanes, None)).collect();
            let mut graph = Graph { b, r: random(seed), lanes, table };
            let (zero, three) = (graph.b.i64(0), graph.b.i64(3));
            let (r, b) = (&mut graph.r, &mut *graph.b);
            let results = b.for_loop(zero, three, 1, &loaded, |b, _, carried| {
                let mut inner = Graph { b, r: Random(r.next() | 1), lanes, table };
                inner.grow(carried.to_vec())
            });
            let mut graph = Graph { b, r: Random(r.next() | 1), lanes, table };
            let tail = graph.tail(&results);
            for v in tail {
                let mut v = v;
                let elem = b.ty_of(v).elem;
                let out = outs(b, elem);
                if elem == Elem::I1 {
                    v = b.cast(Cast::Zext, v, Elem::I8);
                }
                b.store(out, at, v, None);
            }
            Vec::new()
        });
    });
    b.finish()
}

/// For each integer type every pair of eight values about the ends and the middle of its range, each with and without a
/// carry: the left values, the right values; then the carries.
fn extremes() -> Vec<Vec<u8>> {
    let mut arrays = Vec::new();
    for elem in &ELEMS[..4] {
        let (bytes, max) = (elem.bytes() as usize, u64::MAX >> (64 - elem.bits()));
        // The last two carry from the lower half of a product to the upper.
        let half = max >> (elem.bits() / 2);
        let values = [0, 1, max / 2, max / 2 + 1, max - 1, max, half, max - half];
        let array = |pick: fn(usize) -> usize| {
            (0..N as usize).flat_map(|i| values[pick(i) % 8].to_le_bytes()[..bytes].to_vec()).collect()
        };
        arrays.extend([array(|i| i), array(|i| i / 8)]);
    }
    arrays.push((0..N).map(|i| (i >= N / 2) as u8).collect());
    arrays
}

/// Every wide operation on the arrays of [`extremes`].
fn wide_kernel(lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new("wide");
    let ins: Vec<_> =
        ELEMS[..4].iter().flat_map(|&e| [e; 2]).map(|e| b.buffer("x", e, N, Access::Read)).collect();
    let carries = b.buffer("carries", Elem::I8, N, Access::Read);
    b.phase(1, |b, zero| {
        let end = b.i64(N);
        b.for_loop(zero, end, lanes as i64, &[], |b, at, _| {
            let carry = b.load(carries, at, lanes, None);
            let carry = b.cast(Cast::Trunc, carry, Elem::I1);
            for pair in ins.as_chunks::<2>().0 {
                let [x, y] = pair.map(|buf| b.load(buf, at, lanes, None));
                let mut words =
                    vec![b.bin(Bin::SMulHi, x, y), b.bin(Bin::UMulHi, x, y), b.bin(Bin::Mul, x, y)];
                if b.ty_of(x).elem == Elem::I32 {
                    words.push(b.op(Op::DotBytes(x, y, x)));
                    let sums =
                        vec![Link::Add(x, y), Link::Low(x, y, x), Link::High(x, y, y), Link::Add(x, x)];
                    words.extend(b.carry_chain(sums));
                    words.extend(b.carry_chain(vec![Link::Sub(x, y), Link::Sub(y, x), Link::Sub(x, x)]));
                }
                if b.ty_of(x).elem == Elem::I64 {
                    words.extend([b.bin(Bin::SMulWide, x, y), b.bin(Bin::UMulWide, x, y)]);
                    words.extend([Half::Low, Half::High].map(|half| b.op(Op::Madd52(half, x, y, x))));
                }
                for (word, out) in [b.add_carry(x, y, carry), b.sub_borrow(x, y, carry)] {
                    words.extend([word, b.cast(Cast::Zext, out, Elem::I8)]);
                }
                for v in words {
                    let out = b.buffer("out", b.ty_of(v).elem, N, Access::Write);
                    b.store(out, at, v, None);
                }
            }
            Vec::new()
        });
    });
    b.finish()
}

/// Divisors at which an estimate of the quotient may fail; cut to narrower types they are neither 0 nor −1.
const DIVISORS: [u64; 16] = [
    1,
    2,
    3,
    7,
    10,
    0x7f,
    (1 << 15) - 3,
    (1 << 15) + 1,
    2_013_265_921,
    (1 << 31) - 3,
    (1 << 32) + 3,
    (1 << 53) + 1,
    (1 << 63) - 5,
    (1 << 63) + 5,
    0xffff_ffff_0000_0001,
    u64::MAX - 1,
];

/// Of each type of integers, numbers next to multiples of the divisors, and the divisors.
fn around_multiples() -> Vec<Vec<u8>> {
    let mut r = random(7);
    let mut arrays = Vec::new();
    for elem in &ELEMS[..4] {
        let (bytes, max) = (elem.bytes() as usize, u64::MAX >> (64 - elem.bits()));
        let (mut dividends, mut divisors) = (Vec::new(), Vec::new());
        for i in 0..N as usize {
            let y = DIVISORS[i % DIVISORS.len()] & max;
            // The largest multiple, any other, and what is next to them; now and then all bits.
            let most = max / y;
            let times = if i % 3 == 0 { most } else { (r.next() % most).wrapping_add(1) };
            let x = if i % 11 == 0 { max } else { (times * y).wrapping_add(r.next() % 3).wrapping_sub(1) };
            dividends.extend_from_slice(&x.to_le_bytes()[..bytes]);
            divisors.extend_from_slice(&y.to_le_bytes()[..bytes]);
        }
        arrays.extend([dividends, divisors]);
    }
    arrays
}

/// Quotients and remainders of the arrays of [`around_multiples`], and by each divisor as a constant.
fn quotients(lanes: u32) -> Kernel {
    let mut b = CodeBuilder::new("quotients");
    let ins: Vec<_> =
        ELEMS[..4].iter().flat_map(|&e| [e; 2]).map(|e| b.buffer("x", e, N, Access::Read)).collect();
    b.phase(1, |b, zero| {
        let end = b.i64(N);
        b.for_loop(zero, end, lanes as i64, &[], |b, at, _| {
            for pair in ins.as_chunks::<2>().0 {
                let [x, y] = pair.map(|buf| b.load(buf, at, lanes, None));
                let ty = b.ty_of(x);
                let max = u64::MAX >> (64 - ty.elem.bits());
                let constants = DIVISORS.map(|divisor| b.constant(ty, divisor & max));
                for by in [y].into_iter().chain(constants) {
                    for op in [Bin::SDiv, Bin::UDiv, Bin::SRem, Bin::URem] {
                        let v = b.bin(op, x, by);
                        let out = b.buffer("out", ty.elem, N, Access::Write);
                        b.store(out, at, v, None);
                    }
                }
            }
            Vec::new()
        });
    });
    b.finish()
}

struct Graph<'a> {
    b: &'a mut CodeBuilder,
    r: Random,
    lanes: u32,
    table: u32,
}

impl Graph<'_> {
    /// Random operations on the values; returns the last value of each of `ELEMS`.
    fn grow(&mut self, mut values: Vec<V>) -> Vec<V> {
        for _ in 0..30 {
            let v = self.any(&values);
            values.push(v);
        }
        ELEMS.map(|e| self.last(&values, e)).to_vec()
    }

    /// More operations, all of whose values are returned.
    fn tail(&mut self, values: &[V]) -> Vec<V> {
        let mut values = values.to_vec();
        for _ in 0..20 {
            let v = self.any(&values);
            values.push(v);
        }
        values
    }

    fn last(&self, values: &[V], elem: Elem) -> V {
        values.iter().rev().copied().find(|&v| self.b.ty_of(v).elem == elem).expect("one of each was given")
    }

    fn constant(&mut self, elem: Elem, bits: u64) -> V {
        self.b.constant(Type { elem, lanes: self.lanes }, bits)
    }

    /// A random value of one type.
    fn some(&mut self, values: &[V], elem: Elem) -> V {
        let fit: Vec<V> = values.iter().copied().filter(|&v| self.b.ty_of(v).elem == elem).collect();
        self.r.pick(&fit)
    }

    fn any(&mut self, values: &[V]) -> V {
        let elem = self.r.pick(&ELEMS);
        let (x, y, z) = (self.some(values, elem), self.some(values, elem), self.some(values, elem));
        match self.r.below(6) {
            0 => {
                let mask = self.mask(elem, x, y);
                let (mask, z) = if self.r.below(2) == 0 { (mask, z) } else { (self.b.un(Un::Not, mask), x) };
                if self.r.below(3) == 0 { mask } else { self.b.select(mask, y, z) }
            }
            1 | 2 => self.cast(elem, x),
            3 if elem.is_float() => self.b.op(Op::Fma(x, y, z)),
            3 if self.r.below(2) == 0 => {
                let (op, carry) = (self.r.pick(WithCarry::ALL), self.mask(elem, y, z));
                self.b.op(Op::WithCarry(op, x, y, carry))
            }
            3 => self.lookup(elem, x),
            4 if elem.is_float() => {
                let op =
                    self.r.pick(&[Un::FNeg, Un::FAbs, Un::Sqrt, Un::Rint, Un::Floor, Un::Ceil, Un::FTrunc]);
                self.b.un(op, x)
            }
            4 => {
                let op = self.r.pick(&[Un::Popcnt, Un::Clz, Un::Not]);
                self.b.un(op, x)
            }
            _ if elem.is_float() => {
                let op = self.r.pick(&[Bin::FAdd, Bin::FSub, Bin::FMul, Bin::FDiv]);
                self.b.bin(op, x, y)
            }
            _ => self.int(elem, x, y),
        }
    }

    fn mask(&mut self, elem: Elem, x: V, y: V) -> V {
        let floats = [Cmp::FEq, Cmp::FNe, Cmp::FLt, Cmp::FLe];
        let ints = [Cmp::Eq, Cmp::Ne, Cmp::Slt, Cmp::Sle, Cmp::Ult, Cmp::Ule];
        let op = if elem.is_float() { self.r.pick(&floats) } else { self.r.pick(&ints) };
        self.b.cmp(op, x, y)
    }

    /// Integer arithmetic within its preconditions: small positive divisors, shifts below the width.
    fn int(&mut self, elem: Elem, x: V, y: V) -> V {
        use Bin::*;
        let op = self.r.pick(&[
            Add, Sub, Mul, SMulHi, UMulHi, SDiv, UDiv, SRem, URem, And, Or, Xor, Shl, LShr, AShr, SMin, SMax,
            UMin, UMax,
        ]);
        let y = match op {
            SDiv | UDiv | SRem | URem => {
                let (low, one) = (self.constant(elem, 0x3e), self.constant(elem, 1));
                let small = self.b.bin(And, y, low);
                self.b.bin(Or, small, one)
            }
            Shl | LShr | AShr => {
                let below = self.constant(elem, elem.bits() as u64 - 1);
                self.b.bin(And, y, below)
            }
            _ => y,
        };
        self.b.bin(op, x, y)
    }

    fn lookup(&mut self, elem: Elem, x: V) -> V {
        let below = self.constant(elem, 15);
        let index = self.b.bin(Bin::And, x, below);
        self.b.op(Op::Table { table: self.table, index })
    }

    fn cast(&mut self, from: Elem, x: V) -> V {
        let to = self.r.pick(&ELEMS);
        let signed = self.r.below(2) == 0;
        // The bits of a NaN are unspecified, and must not reach an integer.
        let x = if from.is_float() && !to.is_float() { self.number(from, x) } else { x };
        let op = match (from, to) {
            (Elem::F32, Elem::F64) => Cast::Widen,
            (Elem::F64, Elem::F32) => Cast::Narrow,
            (Elem::F32, Elem::I16) if signed => Cast::FloatToHalf,
            (Elem::I16, Elem::F32) if signed => Cast::HalfToFloat,
            _ if from == to => return x,
            (f, t) if f.is_float() && t.is_float() => return x,
            (f, t) if f.is_float() && f.bits() == t.bits() => Cast::Bits,
            (f, t) if t.is_float() && f.bits() == t.bits() => Cast::Bits,
            (f, _) if f.is_float() => {
                let x = self.in_range(f, x);
                let op = if signed { Cast::FloatToSigned } else { Cast::FloatToUnsigned };
                return self.b.cast(op, x, to);
            }
            (_, t) if t.is_float() && signed => Cast::SignedToFloat,
            (_, t) if t.is_float() => Cast::UnsignedToFloat,
            (f, t) if f.bits() > t.bits() => Cast::Trunc,
            _ if signed => Cast::Sext,
            _ => Cast::Zext,
        };
        self.b.cast(op, x, to)
    }

    /// The value where it is a number, else 1.5.
    fn number(&mut self, elem: Elem, x: V) -> V {
        let other = self.constant(elem, float_bits(elem, 1.5));
        let is_number = self.b.cmp(Cmp::FEq, x, x);
        self.b.select(is_number, x, other)
    }

    /// The value where it is in [0, 100], else 3.75.
    fn in_range(&mut self, elem: Elem, x: V) -> V {
        let bits = |f: f64| float_bits(elem, f);
        let (zero, hundred) = (self.constant(elem, bits(0.0)), self.constant(elem, bits(100.0)));
        let other = self.constant(elem, bits(3.75));
        let (above, below) = (self.b.cmp(Cmp::FLe, zero, x), self.b.cmp(Cmp::FLe, x, hundred));
        let inside = self.b.bin(Bin::And, above, below);
        self.b.select(inside, x, other)
    }
}

fn float_bits(elem: Elem, value: f64) -> u64 {
    if elem == Elem::F32 { (value as f32).to_bits() as u64 } else { value.to_bits() }
}
