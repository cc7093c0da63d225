//! Values recorded in text. A line is `name dtype[dims] element …`, where floats are written as their bits.

use lawson_frontend::{DType, Tensor};
use lawson_hlo::{ArrayShape, Literal, Scalar};

/// How near a tensor has to be to what was recorded. Each test uses some of these.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub enum Close {
    Equal,
    /// In steps from one float of the type to the next.
    Ulp(u64),
    Relative(f64),
    /// Of numbers below 1, as they are; of others relative to them.
    Absolute(f64),
}

/// What is recorded under that name in these lines.
#[track_caller]
pub fn recorded(lines: &str, name: &str) -> Tensor {
    let line = lines.lines().find(|line| line.split(' ').next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("nothing is recorded as {name}"));
    let mut words = line.split(' ').skip(1);
    let shape = words.next().unwrap_or_else(|| panic!("{name} has no shape"));
    let (dtype, dims) = shape.trim_end_matches(']').split_once('[').unwrap_or_else(|| panic!("{shape}"));
    let dtype = DType::from_name(dtype).unwrap_or_else(|| panic!("{dtype} is no type"));
    let dims: Vec<i64> = dims.split(',').filter(|d| !d.is_empty()).map(|d| d.parse().expect(d)).collect();
    let shape = ArrayShape::new(dtype, dims);
    let literal = if dtype.is_float() {
        let bits = words.map(|w| u64::from_str_radix(w, 16).expect(w));
        Literal::new(
            shape,
            bits.flat_map(|b| b.to_le_bytes().into_iter().take(dtype.size())).collect::<Vec<u8>>(),
        )
    } else {
        let number = |w: &str| match w.parse::<u64>() {
            Ok(u) => Scalar::Unsigned(u),
            Err(_) => Scalar::Signed(w.parse().expect(w)),
        };
        Literal::from_scalars(shape, words.map(number))
    };
    Tensor::from_literal(literal)
}

pub fn shape_of(t: &Tensor) -> String {
    t.shape().map_or_else(|e| e.to_string(), ToString::to_string)
}

/// How a tensor differs from what it is to be, if it does.
pub fn difference(found: &Tensor, wanted: &Tensor, close: Close) -> Option<String> {
    if shape_of(found) != shape_of(wanted) {
        return Some(format!("{}, not {}", shape_of(found), shape_of(wanted)));
    }
    let [found, wanted] = [found, wanted].map(|t| t.array().expect("it is concrete").to_literal());
    (0..found.elements()).find_map(|i| {
        let (a, b) = (found.get(i).as_f64(), wanted.get(i).as_f64());
        let steps = steps(&found, &wanted, i);
        let near = match close {
            Close::Equal => steps == 0,
            Close::Ulp(most) => steps <= most,
            Close::Relative(most) => steps == 0 || (a - b).abs() <= most * b.abs(),
            Close::Absolute(most) => steps == 0 || (a - b).abs() <= most * b.abs().max(1.0),
        };
        let differs =
            || format!("element {i} is {a}, not {b}: {steps} steps away, and {close:?} is asked for");
        (!near).then(differs)
    })
}

/// The number of steps between two elements, which for integers is 0 or 1: as integers, bits of floats are in order but for
/// the sign.
fn steps(a: &Literal, b: &Literal, i: usize) -> u64 {
    // Types with steps between their elements have one word.
    let ([x, ..], [y, ..]) = (a.bits(i), b.bits(i));
    if !a.dtype().is_float() {
        return u64::from(x != y);
    }
    let sign = 1u64 << (a.dtype().bits() - 1);
    let place = |bits: u64| if bits & sign != 0 { -((bits ^ sign) as i128) } else { bits as i128 };
    u64::try_from((place(x) - place(y)).unsigned_abs()).unwrap_or(u64::MAX)
}
