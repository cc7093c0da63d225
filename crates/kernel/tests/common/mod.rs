//! What the tests of kernels share: values worth trying, and comparison with the reference interpreter.

#![allow(dead_code, reason = "each test binary uses a part")]

pub mod region;

use half::{bf16, f16};
use lawson_hlo::dtype::{U256, WideField};
use lawson_hlo::{ArrayShape, DType, Literal};

/// SplitMix64: the same numbers in every run.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// In [−1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// One element of a type, from its raw bits: integers are cut and extended, pred is the lowest bit, storage of fields is
/// taken modulo p.
///
/// Of a field of more than 64 bits the first numbers are its corners, and others seeds of any element.
pub fn element(dtype: DType, bits: u64) -> Vec<u8> {
    if let Some(field) = dtype.wide_field() {
        let corners = wide_corners(field);
        let mut rng = Rng(bits);
        let any = U256([rng.next(), rng.next(), rng.next(), rng.next()]);
        let seed = WideField::plain(field.prime).stored(any);
        return corners.get(bits as usize).copied().unwrap_or(seed).to_bytes().to_vec();
    }
    let bits = match dtype {
        d if d.field().is_some() => bits % d.field().unwrap().prime.modulus(),
        DType::Pred => bits & 1,
        d if d.is_signed() => ((bits << (64 - d.bits())) as i64 >> (64 - d.bits())) as u64,
        d if d.is_unsigned() && d.bits() < 64 => bits & ((1 << d.bits()) - 1),
        _ => bits,
    };
    bits.to_le_bytes()[..dtype.size()].to_vec()
}

/// Storage at which carries, borrows and reductions change what they do.
fn wide_corners(field: WideField) -> Vec<U256> {
    let p = field.prime.modulus();
    let less = |n: u64| p.minus(U256::small(n)).0;
    let raw = [
        U256::ZERO,
        U256::ONE,
        U256::small(2),
        less(1),
        less(2),
        p.shifted_down(1),
        less(0).shifted_down(1).plus(U256::ONE).0,
        U256::small(u64::MAX),
        U256([0, 1, 0, 0]),
        U256([u64::MAX, u64::MAX, u64::MAX, 0]),
        U256([u64::MAX, u64::MAX, u64::MAX, 1 << 61]),
        U256([0, 0, 0, p.0[3]]),
        U256([(1 << 52) - 1, 0, 0, 0]),
    ];
    let values = [U256::ONE, U256::small(2), less(1), less(2)].map(|value| field.stored(value));
    raw.into_iter().chain(values).collect()
}

/// The float as raw bits of its type.
pub fn float_bits(dtype: DType, x: f64) -> u64 {
    match dtype {
        DType::F16 => f16::from_f64(x).to_bits() as u64,
        DType::Bf16 => bf16::from_f64(x).to_bits() as u64,
        DType::F32 => (x as f32).to_bits() as u64,
        _ => x.to_bits(),
    }
}

/// Raw bits of the values at which operations on the type change what they do.
pub fn corners(dtype: DType) -> Vec<u64> {
    if dtype == DType::Pred {
        return vec![0, 1];
    }
    if let Some(field) = dtype.wide_field() {
        return (0..wide_corners(field).len() as u64).collect();
    }
    if let Some(field) = dtype.field() {
        let p = field.prime.modulus();
        let values = [0, 1, 2, 3, p - 1, p - 2, p / 2, p / 2 + 1, 1 << 27, 0xffff_ffff % p];
        let raw = [1, 2, p - 1, p - 2, p / 2, 0xffff_ffff % p, (1 << 32) % p];
        return values.iter().map(|&v| field.stored(v)).chain(raw).collect();
    }
    if dtype.bits() <= 4 {
        return (0..1 << dtype.bits()).collect();
    }
    if dtype.is_small_float() {
        return (0..256).step_by(5).chain([0x7f, 0x80, 0xff]).collect();
    }
    let top = 1u64 << (dtype.bits() - 1);
    if dtype.is_integer() {
        let edges = [top, top.wrapping_sub(1), top + 1, u64::MAX, u64::MAX - 1, dtype.bits() as u64];
        let small = [0, 1, 2, 3, 7, 8, dtype.bits() as u64 - 1, dtype.bits() as u64 + 1, 10, 0x55, 1 << 24];
        let large = [(1 << 24) + 1, (1 << 53) + 1, 0xffff_ffff, 1 << 32, 0xffff_ff00_0000_0080];
        return [&edges[..], &small, &large].concat();
    }
    let (mantissa, infinity) = match dtype {
        DType::F16 => (10, 0x7c00),
        DType::Bf16 => (7, 0x7f80),
        DType::F32 => (23, 0x7f80_0000),
        _ => (52, 0x7ff0_0000_0000_0000),
    };
    let one = float_bits(dtype, 1.0);
    // Zero, denormals, the least normal, around one, the greatest, infinity, NaN.
    let least = 1 << mantissa;
    let mut all = vec![0, 1, 2, least - 1, least, least + 1, one - 1, one, one + 1];
    all.extend([infinity - 1, infinity, infinity | 1 << (mantissa - 1)]);
    for x in
        [0.25, 0.5, 0.49999997, 1.5, 2.0, 2.5, 3.0, 3.5, 10.0, 127.0, 128.0, 255.5, 256.0, 1e-3, 88.8, 1e4]
    {
        all.push(float_bits(dtype, x));
    }
    for e in [23, 24, 31, 32, 52, 53, 63, 64, 100] {
        all.push(float_bits(dtype, 2f64.powi(e)));
    }
    let negative: Vec<u64> = all.iter().map(|b| b | top).collect();
    all.extend(negative);
    all
}

/// Random raw bits: all of them, and floats near one and small integers as well.
pub fn random(rng: &mut Rng, dtype: DType) -> u64 {
    let bits = rng.next();
    if dtype.is_small_float() {
        return bits & ((1 << dtype.bits()) - 1);
    }
    if !dtype.is_float() {
        return if bits & 1 == 0 { rng.next() } else { rng.below(64).wrapping_sub(32) };
    }
    match bits % 4 {
        0 => rng.next(),
        1 => float_bits(dtype, rng.unit() * 10.0),
        2 => float_bits(dtype, rng.unit() * 300.0),
        _ => float_bits(dtype, (rng.below(41) as f64 - 20.0) / 2.0),
    }
}

/// An array of these raw bits.
pub fn literal(dtype: DType, dims: &[i64], bits: impl IntoIterator<Item = u64>) -> Literal {
    let bytes: Vec<u8> = bits.into_iter().flat_map(|b| element(dtype, b)).collect();
    Literal::new(ArrayShape::new(dtype, dims.to_vec()), bytes)
}

/// The first element in which two arrays differ in their bits; one NaN is like another.
pub fn difference(expected: &Literal, found: &[u8]) -> Option<usize> {
    let size = expected.dtype().size();
    assert_eq!(expected.bytes().len(), found.len(), "sizes of {}", expected.shape());
    let pairs = expected.bytes().chunks(size).zip(found.chunks(size));
    let nan = |b: &[u8]| match expected.dtype() {
        DType::F16 => f16::from_le_bytes([b[0], b[1]]).is_nan(),
        DType::Bf16 => bf16::from_le_bytes([b[0], b[1]]).is_nan(),
        DType::F32 => f32::from_le_bytes(b.try_into().unwrap()).is_nan(),
        DType::F64 => f64::from_le_bytes(b.try_into().unwrap()).is_nan(),
        _ => match dtype_format(expected) {
            Some(format) => format.decode(b[0].into()).is_nan(),
            None => false,
        },
    };
    pairs.into_iter().position(|(a, b)| a != b && !(nan(a) && nan(b)))
}

/// The raw bits of element `i`, for messages.
pub fn hex(bytes: &[u8], size: usize, i: usize) -> String {
    bytes[i * size..(i + 1) * size].iter().rev().map(|b| format!("{b:02x}")).collect()
}

fn dtype_format(of: &Literal) -> Option<lawson_hlo::dtype::Format> {
    of.dtype().float().map(|float| float.format())
}
