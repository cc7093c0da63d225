//! Every elementwise operation on every type: its expansion in Loop IR, evaluated on 1, 4 and 16 lanes, gives the bits
//! of the reference interpreter; and the two support the same operations.

mod common;

use common::{Rng, corners, difference, hex, literal, random};
use lawson_hlo::dtype::{Field, Prime, Storage};
use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::math::field::Arithmetic;
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, DType, Literal, Module, Opcode, Value, text};
use lawson_kernel::loop_ir::{self, Access, Bin, CodeBuilder, Elem, Kernel, Op, Stmt, Type, V};
use lawson_kernel::lower::scalar::{self, ProductSum};
use lawson_kernel::refusal::Refusal;

const TYPES: [DType; 17] = [
    DType::Pred,
    DType::S1,
    DType::S2,
    DType::S4,
    DType::S8,
    DType::S16,
    DType::S32,
    DType::S64,
    DType::U1,
    DType::U2,
    DType::U4,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::F16,
    DType::Bf16,
];
const FLOATS: [DType; 4] = [DType::F16, DType::Bf16, DType::F32, DType::F64];

fn fields() -> impl Iterator<Item = DType> + Clone {
    DType::ALL.iter().copied().filter(|d| d.field().is_some() || d.wide_field().is_some())
}

fn types() -> impl Iterator<Item = DType> + Clone {
    TYPES.into_iter().chain([DType::F32, DType::F64])
}

/// `n` elements, a multiple of 64, of one instruction applied to parameters of these types.
fn module(call: &str, attrs: &str, operands: &[DType], result: DType, n: usize) -> Module {
    let mut lines = String::new();
    for (i, d) in operands.iter().enumerate() {
        lines += &format!("  p{i} = {d}[{n}] parameter({i})\n");
    }
    let args: Vec<String> = (0..operands.len()).map(|i| format!("p{i}")).collect();
    let root = format!("  ROOT r = {result}[{n}] {call}({}){attrs}\n", args.join(", "));
    let text = format!("HloModule m\n\nENTRY e {{\n{lines}{root}}}\n");
    text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The module's root as a kernel that handles `lanes` elements at a time.
fn lower(module: &Module, lanes: u32) -> Result<Kernel, Refusal> {
    let entry = module.entry();
    let root = entry.root();
    let shape = root.shape.as_array().unwrap();
    let operands: Vec<DType> =
        root.operands.iter().map(|&id| entry[id].shape.as_array().unwrap().dtype).collect();
    let mut b = CodeBuilder::new(root.opcode.name());
    let n = shape.elements();
    let array = |b: &mut CodeBuilder, name: String, d: DType, access: Access| {
        b.buffer(name, scalar::mem_elem(d), n, access)
    };
    let inputs: Vec<_> =
        operands.iter().enumerate().map(|(i, &d)| array(&mut b, format!("p{i}"), d, Access::Read)).collect();
    let output = array(&mut b, "r".to_string(), shape.dtype, Access::Write);
    let mut result = Ok(());
    b.phase(1, |b, _| {
        let (lo, hi) = (b.i64(0), b.i64(n));
        b.for_loop(lo, hi, lanes as i64, &[], |b, at, _| {
            let mut args = Vec::new();
            for (&buf, &d) in inputs.iter().zip(&operands) {
                let raw = b.load(buf, at, lanes, None);
                args.push(scalar::from_memory(b, raw, d));
            }
            match operation(b, root.opcode, &root.attrs, &operands, shape.dtype, &args) {
                Ok(v) => {
                    let raw = scalar::to_memory(b, v, shape.dtype);
                    b.store(output, at, raw, None);
                }
                Err(refusal) => result = Err(refusal),
            }
            Vec::new()
        });
    });
    result.map(|()| b.finish())
}

fn operation(
    b: &mut CodeBuilder,
    opcode: Opcode,
    attrs: &Attrs,
    operands: &[DType],
    result: DType,
    v: &[V],
) -> Result<V, Refusal> {
    let dtype = operands[0];
    match (opcode, attrs) {
        (Opcode::Compare, &Attrs::Compare { direction, order }) => {
            scalar::compare(b, direction, order, dtype, v[0], v[1])
        }
        (Opcode::Convert, _) => scalar::convert(b, dtype, result, v[0]),
        (Opcode::BitcastConvert, _) => scalar::bits(b, dtype, result, v[0]),
        (Opcode::ReducePrecision, &Attrs::ReducePrecision { exponent_bits, mantissa_bits }) => {
            scalar::reduce_precision(b, dtype, exponent_bits, mantissa_bits, v[0])
        }
        _ if v.len() == 1 => scalar::unary(b, opcode, dtype, v[0]),
        _ => scalar::binary(b, opcode, dtype, v[0], v[1]),
    }
}

/// Both sides agree, to the bit or in refusing. Gives whether the operation exists.
#[track_caller]
fn agree(call: &str, attrs: &str, result: DType, operands: &[Vec<u64>], dtypes: &[DType]) -> bool {
    let n = operands[0].len().next_multiple_of(64);
    let padded = |bits: &Vec<u64>| bits.iter().copied().cycle().take(n).collect::<Vec<u64>>();
    let args: Vec<Literal> =
        operands.iter().zip(dtypes).map(|(bits, &d)| literal(d, &[n as i64], padded(bits))).collect();
    let module = module(call, attrs, dtypes, result, n);
    let values: Vec<Value> = args.iter().cloned().map(Value::Array).collect();
    let what = format!("{call}{attrs} of {dtypes:?} to {result}");
    let reference = evaluate(&module, &values, &Options::default());
    for lanes in [1, 4, 16] {
        let kernel = lower(&module, lanes);
        let (reference, kernel) = match (&reference, kernel) {
            (Ok(reference), Ok(kernel)) => (reference, kernel),
            (Err(_), Err(_)) => return false,
            (Ok(_), Err(refusal)) => panic!("{what}: only the interpreter supports it: {refusal}"),
            (Err(error), Ok(_)) => panic!("{what}: only code generation supports it: {error}"),
        };
        let mut buffers: Vec<Vec<u8>> = args.iter().map(|a| a.bytes().to_vec()).collect();
        buffers.push(Vec::new());
        if let Err(error) = loop_ir::evaluate(&kernel, &mut buffers) {
            panic!("{what}: {error}\n{kernel}");
        }
        let (expected, found) = (reference.expect_array(), buffers.last().unwrap());
        if let Some(i) = difference(expected, found) {
            let operands: Vec<String> = args.iter().map(|a| hex(a.bytes(), a.dtype().size(), i)).collect();
            let [e, f] = [expected.bytes(), found].map(|b| hex(b, result.size(), i));
            panic!("{what} on {lanes} lanes: of {operands:?} expected {e}, found {f}");
        }
    }
    true
}

/// Corners and so many random values.
fn singles(rng: &mut Rng, dtype: DType, n: usize) -> Vec<u64> {
    let mut bits = corners(dtype);
    bits.extend((0..n).map(|_| random(rng, dtype)));
    bits
}

/// All pairs of corners, and so many random pairs.
fn pairs(rng: &mut Rng, dtype: DType, n: usize) -> [Vec<u64>; 2] {
    let corners = corners(dtype);
    let mut both = [Vec::new(), Vec::new()];
    for &x in &corners {
        for &y in &corners {
            both[0].push(x);
            both[1].push(y);
        }
    }
    for _ in 0..n {
        both[0].push(random(rng, dtype));
        both[1].push(random(rng, dtype));
    }
    both
}

#[test]
fn unary_operations() {
    let mut rng = Rng(1);
    let mut supported = 0;
    for &opcode in Opcode::ALL.iter().filter(|o| o.class() == Class::Unary) {
        if matches!(opcode, Opcode::Convert | Opcode::ReducePrecision) {
            continue;
        }
        for dtype in types() {
            let result = if opcode == Opcode::IsFinite { DType::Pred } else { dtype };
            let x = singles(&mut rng, dtype, 300);
            supported += agree(opcode.name(), "", result, &[x], &[dtype]) as u32;
        }
    }
    assert!(supported > 200, "{supported}");
}

#[test]
fn every_byte_and_every_half() {
    for op in ["negate", "abs", "sign", "not", "popcnt", "count-leading-zeros"] {
        for dtype in [DType::S8, DType::U8] {
            assert!(agree(op, "", dtype, &[(0..256).collect()], &[dtype]));
        }
    }
    for op in ["round-nearest-afz", "round-nearest-even", "floor", "sqrt", "sign", "exponential"] {
        for dtype in [DType::F16, DType::Bf16] {
            assert!(agree(op, "", dtype, &[(0..1 << 16).step_by(5).collect()], &[dtype]));
        }
    }
}

#[test]
fn binary_operations() {
    let mut rng = Rng(2);
    let mut supported = 0;
    for &opcode in Opcode::ALL.iter().filter(|o| o.class() == Class::Binary) {
        if matches!(opcode, Opcode::Compare | Opcode::Complex | Opcode::StochasticConvert) {
            continue;
        }
        for dtype in types() {
            let xy = pairs(&mut rng, dtype, 300);
            supported += agree(opcode.name(), "", dtype, &xy, &[dtype, dtype]) as u32;
        }
    }
    assert!(supported > 200, "{supported}");
}

#[test]
fn remainders_of_huge_quotients() {
    let mut rng = Rng(3);
    for dtype in FLOATS {
        let mut xy = [Vec::new(), Vec::new()];
        for _ in 0..500 {
            // Any exponents: quotients of up to 2^2000, and denormals on both sides.
            xy.iter_mut().for_each(|v| v.push(rng.next()));
        }
        for _ in 0..200 {
            xy[0].push(rng.next());
            xy[1].push(rng.below(1 << 5));
        }
        assert!(agree("remainder", "", dtype, &xy, &[dtype, dtype]));
    }
}

#[test]
fn comparisons() {
    let mut rng = Rng(4);
    for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"] {
        for dtype in types() {
            let xy = pairs(&mut rng, dtype, 200);
            let attrs = format!(", direction={direction}");
            assert!(agree("compare", &attrs, DType::Pred, &xy, &[dtype, dtype]));
            if dtype.is_float() {
                let attrs = format!("{attrs}, type=TOTALORDER");
                assert!(agree("compare", &attrs, DType::Pred, &xy, &[dtype, dtype]));
            }
        }
    }
}

#[test]
fn conversions() {
    let mut rng = Rng(5);
    for from in types() {
        for to in types() {
            let x = singles(&mut rng, from, 500);
            assert!(agree("convert", "", to, &[x], &[from]));
        }
    }
}

#[test]
fn narrowing_floats_round_once() {
    let mut rng = Rng(6);
    for to in [DType::F16, DType::Bf16, DType::F32] {
        let mut bits = Vec::new();
        for _ in 0..2000 {
            // Two neighbours in the narrow type, their middle, and what is just beside it.
            let low = rng.next() & if to == DType::F32 { 0x7fff_ffff } else { 0x7fff };
            let value = |b: u64| match to {
                DType::F16 => half::f16::from_bits(b as u16).to_f64(),
                DType::Bf16 => half::bf16::from_bits(b as u16).to_f64(),
                _ => f32::from_bits(b as u32) as f64,
            };
            let middle = (value(low) + value(low + 1)) / 2.0;
            let sign = rng.next() << 63;
            bits.extend([0, 1, -1].map(|d| middle.to_bits().wrapping_add_signed(d) | sign));
        }
        assert!(agree("convert", "", to, &[bits.clone()], &[DType::F64]));
        if to != DType::F32 {
            let single: Vec<u64> =
                bits.iter().map(|&b| (f64::from_bits(b) as f32).to_bits() as u64).collect();
            assert!(agree("convert", "", to, &[single], &[DType::F32]));
        }
    }
}

#[test]
fn integers_round_once() {
    let mut rng = Rng(9);
    for from in [DType::S32, DType::U32, DType::S64, DType::U64] {
        // Leading ones, then zeros, then something: ties of 8 and 11 bits that the last bits break.
        let x: Vec<u64> = (0..2000)
            .map(|_| {
                let shift = rng.below(from.bits() as u64 - 12);
                let low = if rng.below(2) == 0 { rng.below(4) } else { rng.below(1 << shift) };
                (rng.next() % 4096) << shift | low
            })
            .collect();
        for to in [DType::F16, DType::Bf16, DType::F32, DType::F64] {
            assert!(agree("convert", "", to, std::slice::from_ref(&x), &[from]));
        }
    }
}

#[test]
fn bitcasts_of_one_width() {
    let mut rng = Rng(7);
    for from in types() {
        for to in types().filter(|to| to.bits() == from.bits()) {
            let mut x = singles(&mut rng, from, 300);
            if from == DType::F16 {
                // A signalling NaN of f16 becomes quiet on its way through f32; payloads are unspecified.
                x.iter_mut().filter(|b| half::f16::from_bits(**b as u16).is_nan()).for_each(|b| *b |= 0x200);
            }
            agree("bitcast-convert", "", to, &[x], &[from]);
        }
    }
}

#[test]
fn operations_of_fields() {
    let mut rng = Rng(10);
    for field in fields() {
        for op in ["add", "subtract", "multiply", "divide", "maximum", "minimum"] {
            let xy = pairs(&mut rng, field, 300);
            assert!(agree(op, "", field, &xy, &[field, field]), "{op}");
        }
        for op in ["negate", "inverse", "copy"] {
            let x = singles(&mut rng, field, 300);
            assert!(agree(op, "", field, &[x], &[field]), "{op}");
        }
        for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"] {
            let xy = pairs(&mut rng, field, 200);
            assert!(agree("compare", &format!(", direction={direction}"), DType::Pred, &xy, &[field, field]));
        }
        for exponent in [DType::U8, DType::U32, DType::U64] {
            let exponents = singles(&mut rng, exponent, 100);
            let x = (0..exponents.len()).map(|_| random(&mut rng, field)).collect();
            assert!(agree("power", "", field, &[x, exponents], &[field, exponent]));
        }
    }
}

#[test]
fn conversions_of_fields() {
    let mut rng = Rng(11);
    for field in fields() {
        for other in types().filter(|d| d.is_integer() || d.is_pred()) {
            let (x, y) = (singles(&mut rng, other, 300), singles(&mut rng, field, 300));
            assert!(agree("convert", "", field, &[x], &[other]));
            assert!(agree("convert", "", other, &[y], &[field]));
        }
        let same = |d: &DType| d.modulus() == field.modulus();
        for other in fields().filter(same) {
            let x = singles(&mut rng, other, 300);
            assert!(agree("convert", "", field, &[x], &[other]));
        }
        for other in types().filter(|d| d.is_integer() && d.bits() == field.bits()) {
            let (x, y) = (singles(&mut rng, other, 300), singles(&mut rng, field, 300));
            assert!(agree("bitcast-convert", "", field, &[x], &[other]));
            assert!(agree("bitcast-convert", "", other, &[y], &[field]));
        }
    }
}

#[test]
fn reduced_precision() {
    let mut rng = Rng(8);
    for dtype in FLOATS {
        for (exponent, mantissa) in
            [(5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (11, 52), (11, 3), (2, 30), (3, 0), (1, 1), (5, 8)]
        {
            let x = singles(&mut rng, dtype, 500);
            let attrs = format!(", exponent_bits={exponent}, mantissa_bits={mantissa}");
            assert!(agree("reduce-precision", &attrs, dtype, &[x], &[dtype]));
        }
    }
}

/// A factor that is a sum or a difference need not be reduced before it is multiplied.
#[test]
fn factors_are_reduced_once() {
    for prime in [Prime::BabyBear, Prime::KoalaBear] {
        let (field, of) = (Field::montgomery(prime), Arithmetic::new(Field::montgomery(prime)));
        let p = prime.modulus();
        let edges = [0, 1, 2, p / 2, p - 2, p - 1];
        for opcode in [Opcode::Add, Opcode::Subtract] {
            let dtype = DType::ALL.iter().copied().find(|d| d.field() == Some(field)).expect("a type");
            let mut b = CodeBuilder::new("product");
            let n = edges.len().pow(3) as i64;
            let inputs = ["x", "y", "z"].map(|name| b.buffer(name, scalar::mem_elem(dtype), n, Access::Read));
            let output = b.buffer("r", scalar::mem_elem(dtype), n, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n));
                b.for_loop(lo, hi, 2, &[], |b, at, _| {
                    let [x, y, z] = inputs.map(|buf| b.load(buf, at, 2, None));
                    let sum = scalar::binary(b, opcode, dtype, x, y).expect("it has a meaning");
                    let product =
                        scalar::binary(b, Opcode::Multiply, dtype, sum, z).expect("it has a meaning");
                    b.store(output, at, product, None);
                    Vec::new()
                });
            });
            let kernel = b.finish();
            let all =
                || edges.iter().flat_map(|&x| edges.iter().flat_map(move |&y| edges.map(|z| (x, y, z))));
            let bytes = |f: fn((u64, u64, u64)) -> u64| -> Vec<u8> {
                all().flat_map(|t| (f(t) as u32).to_le_bytes()).collect()
            };
            let mut buffers = vec![bytes(|t| t.0), bytes(|t| t.1), bytes(|t| t.2), Vec::new()];
            loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
            let expected: Vec<u8> = all()
                .flat_map(|(x, y, z)| {
                    let sum = if opcode == Opcode::Add { of.add(x, y) } else { of.subtract(x, y) };
                    (of.multiply(sum, z) as u32).to_le_bytes()
                })
                .collect();
            assert_eq!(buffers[3], expected, "{opcode} in {prime:?}");
            assert_eq!(minima_in_use(&kernel), 1, "{opcode} in {prime:?}: {kernel}");
        }
    }
}

/// Sums of any number of products of the largest and other words, of either sign, with one reduction.
#[test]
fn products_are_summed_before_they_are_reduced() {
    let mut rng = Rng(11);
    for dtype in fields().filter(|&d| ProductSum::of(d).is_some()) {
        let field = dtype.field().expect("a field");
        let (p, of) = (field.prime.modulus(), Arithmetic::new(field));
        let edges = [p - 1, p - 1, p - 2, p / 2, 1, 0];
        for (products, lanes) in (1..=7).flat_map(|n| [1, 2, 16].map(|lanes| (n, lanes))) {
            let n = 32;
            let mut words = |_| -> Vec<u64> {
                (0..n).map(|i| if i == 0 { p - 1 } else { edges[rng.below(6) as usize] }).collect()
            };
            let columns: Vec<Vec<u64>> = (0..2 * products).map(&mut words).collect();
            let negative = |k: usize| k % 3 == 2;
            let mut b = CodeBuilder::new("sum");
            let inputs: Vec<_> = (0..2 * products)
                .map(|k| b.buffer(format!("p{k}"), scalar::mem_elem(dtype), n as i64, Access::Read))
                .collect();
            let output = b.buffer("r", scalar::mem_elem(dtype), n as i64, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n as i64));
                b.for_loop(lo, hi, lanes as i64, &[], |b, at, _| {
                    let mut sum = ProductSum::of(dtype).expect("a field that has them");
                    for k in 0..products {
                        let [x, y] = [2 * k, 2 * k + 1].map(|i| b.load(inputs[i], at, lanes, None));
                        sum.add(b, x, y, negative(k));
                    }
                    let total = sum.total(b).expect("products");
                    b.store(output, at, total, None);
                    Vec::new()
                });
            });
            let kernel = b.finish();
            let bytes =
                |words: &[u64]| words.iter().flat_map(|&w| (w as u32).to_le_bytes()).collect::<Vec<u8>>();
            let mut buffers: Vec<Vec<u8>> = columns.iter().map(|c| bytes(c)).chain([Vec::new()]).collect();
            loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
            let expected = (0..n).map(|i| {
                (0..products).fold(0, |sum, k| {
                    let product = of.multiply(columns[2 * k][i], columns[2 * k + 1][i]);
                    if negative(k) { of.subtract(sum, product) } else { of.add(sum, product) }
                })
            });
            let expected: Vec<u64> = expected.collect();
            assert_eq!(buffers[2 * products], bytes(&expected), "{products} products of {dtype}: {kernel}");
            let halves = if lanes == 1 { 1 } else { 2 };
            let reductions = if field.storage == Storage::Plain { 2 } else { 1 };
            let plain = usize::from(reductions == 2);
            let text = kernel.to_string();
            let found = text.matches("mulwide").count();
            assert_eq!(found, halves * (products + plain + 2 * reductions), "{text}");
        }
    }
}

/// Products, differences and sums as factors of products, squares too, of the words at the borders.
#[test]
fn chains_of_products_are_reduced_at_their_end() {
    for dtype in [DType::BabyBearMont, DType::KoalaBearMont] {
        let field = dtype.field().expect("a field");
        let (p, of) = (field.prime.modulus(), Arithmetic::new(field));
        let edges = [0, 1, 2, p / 2, p / 2 + 1, p - 2, p - 1];
        for lanes in [1, 16] {
            let n = edges.len().pow(3).next_multiple_of(lanes);
            let mut b = CodeBuilder::new("chain");
            let inputs =
                ["x", "y", "z"].map(|name| b.buffer(name, scalar::mem_elem(dtype), n as i64, Access::Read));
            let output = b.buffer("r", scalar::mem_elem(dtype), n as i64, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n as i64));
                b.for_loop(lo, hi, lanes as i64, &[], |b, at, _| {
                    let [x, y, z] = inputs.map(|buf| b.load(buf, at, lanes as u32, None));
                    let mut op = |opcode, x, y| scalar::binary(b, opcode, dtype, x, y).expect("a meaning");
                    let xy = op(Opcode::Multiply, x, y);
                    let square = op(Opcode::Multiply, xy, xy);
                    let (sum, difference) = (op(Opcode::Add, x, z), op(Opcode::Subtract, y, z));
                    let left = op(Opcode::Multiply, square, difference);
                    let right = op(Opcode::Multiply, sum, sum);
                    let all = op(Opcode::Multiply, left, right);
                    b.store(output, at, all, None);
                    Vec::new()
                });
            });
            let kernel = b.finish();
            let all: Vec<[u64; 3]> = (0..n).map(|i| [i, i / 7, i / 49].map(|i| edges[i % 7])).collect();
            let bytes = |words: Vec<u64>| -> Vec<u8> {
                words.into_iter().flat_map(|w| (w as u32).to_le_bytes()).collect()
            };
            let mut buffers: Vec<Vec<u8>> =
                (0..3).map(|k| bytes(all.iter().map(|t| t[k]).collect())).chain([Vec::new()]).collect();
            loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
            let expected = all.iter().map(|&[x, y, z]| {
                let (xy, sum) = (of.multiply(x, y), of.add(x, z));
                let left = of.multiply(of.multiply(xy, xy), of.subtract(y, z));
                of.multiply(left, of.multiply(sum, sum))
            });
            assert_eq!(buffers[3], bytes(expected.collect()), "{dtype}: {kernel}");
            if lanes > 1 {
                assert_eq!(minima_in_use(&kernel), 1, "{dtype}: {kernel}");
            }
        }
    }
}

/// Products by ±2^−n are shifts, whatever the storage.
#[test]
fn quotients_by_powers_of_two() {
    for dtype in fields() {
        // Fields of several words have no shifts.
        let Some(field) = dtype.field() else { continue };
        let (p, of) = (field.prime.modulus(), Arithmetic::new(field));
        for n in 1..32u64 {
            for sign in [1, p - 1] {
                let factor = of.multiply(of.power(of.inverse(field.stored(2)), n), field.stored(sign));
                let mut b = CodeBuilder::new("quotient");
                let input = b.buffer("x", scalar::mem_elem(dtype), 32, Access::Read);
                let output = b.buffer("r", scalar::mem_elem(dtype), 32, Access::Write);
                b.phase(1, |b, zero| {
                    let x = b.load(input, zero, 32, None);
                    let ty = b.ty_of(x);
                    let by = b.constant(ty, factor);
                    let product = scalar::binary(b, Opcode::Multiply, dtype, x, by).expect("a meaning");
                    b.store(output, zero, product, None);
                });
                let kernel = b.finish();
                let bytes = |word: u64| word.to_le_bytes()[..dtype.size()].to_vec();
                let words: Vec<u64> = (0..32)
                    .map(|i| [0, 1, 2, p / 2, p - 2, p - 1, 1 << i, p - (1 << i) % p][i % 8] % p)
                    .collect();
                let mut buffers = vec![words.iter().flat_map(|&w| bytes(w)).collect(), Vec::new()];
                loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
                let expected: Vec<u8> = words.iter().flat_map(|&w| bytes(of.multiply(w, factor))).collect();
                assert_eq!(buffers[1], expected, "{dtype} by 2^-{n}: {kernel}");
            }
        }
    }
    let mut b = CodeBuilder::new("half");
    b.phase(1, |b, _| {
        let x = b.op(Op::Iota(Type::vector(Elem::I32, 16)));
        let half = b.constant(Type::vector(Elem::I32, 16), (15 << 27 | 1) / 2 + 1);
        scalar::binary(b, Opcode::Multiply, DType::BabyBear, x, half).expect("a meaning");
    });
    assert!(!b.finish().to_string().contains("wide"));
}

/// The minima that the stored value is made of.
fn minima_in_use(kernel: &Kernel) -> usize {
    let loops = kernel.phases[0].body.iter().find_map(|s| match s {
        Stmt::For { body, .. } => Some(body),
        _ => None,
    });
    let body = loops.expect("a loop");
    let made = |v: V| {
        body.stmts.iter().find_map(|s| match s {
            Stmt::Let(found, op) if *found == v => Some(op),
            _ => None,
        })
    };
    let mut left: Vec<V> = body
        .stmts
        .iter()
        .filter_map(|s| if let Stmt::Store(store) = s { Some(store.value) } else { None })
        .collect();
    let (mut seen, mut count) = (Vec::new(), 0);
    while let Some(v) = left.pop() {
        if seen.contains(&v) {
            continue;
        }
        seen.push(v);
        match made(v) {
            Some(Op::Bin(op, x, y)) => {
                count += (*op == Bin::UMin) as usize;
                left.extend([*x, *y]);
            }
            Some(Op::Regroup { value, .. }) => left.push(*value),
            Some(Op::Shuffle { a, b, .. }) => left.extend([*a, *b]),
            _ => {}
        }
    }
    count
}
