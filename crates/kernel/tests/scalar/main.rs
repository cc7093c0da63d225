//! Every elementwise operation on every type: its expansion in Loop IR, evaluated on 1, 4 and 16 lanes, gives the bits
//! of the reference interpreter; and the two support the same operations.

#[path = "../common/mod.rs"]
mod common;
mod fields;

use common::{Rng, corners, difference, hex, literal, random};
use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, DType, Literal, Module, Opcode, Value, text};
use lawson_kernel::loop_ir::{self, Access, CodeBuilder, Kernel, V};
use lawson_kernel::lower::scalar;
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
const SMALL: [DType; 9] = [
    DType::F4E2M1Fn,
    DType::F8E3M4,
    DType::F8E4M3,
    DType::F8E4M3B11Fnuz,
    DType::F8E4M3Fn,
    DType::F8E4M3Fnuz,
    DType::F8E5M2,
    DType::F8E5M2Fnuz,
    DType::F8E8M0Fnu,
];

fn floats() -> impl Iterator<Item = DType> + Clone {
    [DType::F16, DType::Bf16, DType::F32, DType::F64].into_iter().chain(SMALL)
}

fn types() -> impl Iterator<Item = DType> + Clone {
    TYPES.into_iter().chain([DType::F32, DType::F64]).chain(SMALL)
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
fn lower(module: &Module, lanes: u32, lanes_are_threads: bool) -> Result<Kernel, Refusal> {
    let entry = module.entry();
    let root = entry.root();
    let shape = root.shape.as_array().unwrap();
    let operands: Vec<DType> =
        root.operands.iter().map(|&id| entry[id].shape.as_array().unwrap().dtype).collect();
    let mut b = CodeBuilder::new(root.opcode.name());
    let n = shape.elements();
    b.lanes_are_threads = lanes_are_threads;
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
    for (lanes, threads) in [(1, false), (4, false), (16, false), (1, true), (16, true)] {
        let kernel = lower(&module, lanes, threads);
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
            panic!("{what} on {lanes} lanes, threads: {threads}: of {operands:?} expected {e}, found {f}");
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
fn every_code_and_every_half_in_small_floats() {
    for dtype in SMALL {
        let codes: Vec<u64> = (0..1 << dtype.bits()).collect();
        for to in [DType::F16, DType::Bf16, DType::F32, DType::F64] {
            assert!(agree("convert", "", to, std::slice::from_ref(&codes), &[dtype]));
        }
        for from in [DType::F16, DType::Bf16] {
            assert!(agree("convert", "", dtype, &[(0..1 << 16).step_by(3).collect()], &[from]));
        }
        let pairs = |f: fn(u64) -> u64| (0..1 << 16).step_by(7).map(f).collect::<Vec<u64>>();
        let xy = [pairs(|x| x & 0xff), pairs(|x| x >> 8)];
        let xy = xy.map(|x| x.into_iter().map(|code| code & ((1 << dtype.bits()) - 1)).collect());
        for op in ["add", "multiply", "divide", "maximum"] {
            assert!(agree(op, "", dtype, &xy, &[dtype, dtype]));
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
    for dtype in floats() {
        let mut xy = [Vec::new(), Vec::new()];
        let mask = u64::MAX >> (64 - dtype.bits());
        for _ in 0..500 {
            // Any exponents: quotients of up to 2^2000, and denormals on both sides.
            xy.iter_mut().for_each(|v| v.push(rng.next() & mask));
        }
        for _ in 0..200 {
            xy[0].push(rng.next() & mask);
            xy[1].push(rng.below(1 << 5) & mask);
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
        for small in SMALL {
            assert!(agree("convert", "", small, &[bits.clone()], &[DType::F64]));
        }
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
        for to in floats() {
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
fn reduced_precision() {
    let mut rng = Rng(8);
    for dtype in floats() {
        for (exponent, mantissa) in
            [(5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (11, 52), (11, 3), (2, 30), (3, 0), (1, 1), (5, 8)]
        {
            let x = singles(&mut rng, dtype, 500);
            let attrs = format!(", exponent_bits={exponent}, mantissa_bits={mantissa}");
            assert!(agree("reduce-precision", &attrs, dtype, &[x], &[dtype]));
        }
    }
}
