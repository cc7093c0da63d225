//! What operations weigh: each by the time that more of it adds to a kernel, in units of one operation on f32.

use super::probe::{Group, Probe, zeros};
use super::rounded;
use crate::error::Error;
use crate::random_inputs;
use lawson_hlo::{ArrayShape, Literal};
use lawson_kernel::rates::Rates;
use lawson_kernel::target::Target;

/// Elements of the arrays that operations are timed on: near enough that only the operations count.
const ELEMENTS: usize = 1 << 12;
/// Operations of a chain, and terms of a sum: of two kernels, whose times are compared.
const STEPS: [usize; 2] = [8, 40];
const TERMS: [usize; 2] = [2, 18];
/// Operations of a term: that which it is for, and two additions.
const ADDITIONS: f64 = 2.0;
/// Rows and columns of a matrix that is multiplied or turned, and rows of the other operand.
const SIDE: i64 = 256;
const ROWS: [i64; 2] = [24, 96];
/// Elements from one slice to the next: those of a vector of 512 bits.
const APART: usize = 16;
/// Elements of a table that stays in the first-level cache, and how many are looked up in it.
const TABLE: usize = 1 << 11;
const NEAR: usize = 1 << 14;
/// How many times as much as the second-level cache holds another table has, and how many elements are looked up in that.
const FAR_TABLE: i64 = 4;
const FAR: usize = 1 << 17;

/// A weight and the operation that it is of, applied to `v`, which differs from term to term, and `y`, the same in all. A term of
/// `load` is a slice of an array as it is.
struct Term {
    name: &'static str,
    dtype: &'static str,
    line: &'static str,
}

const fn term(name: &'static str, dtype: &'static str, line: &'static str) -> Term {
    Term { name, dtype, line }
}

/// The first is what the others are compared with; it has three operations that need not wait for each other.
const PLAIN: Term = term("plain", "f32", "add(v, y)");
const ROUNDED: Term = term("half", "bf16", "add(v, y)");
const FUNCTIONS: [Term; 15] = [
    term("divide", "f32", "divide(v, y)"),
    term("square_root", "f32", "sqrt(v)"),
    term("cube_root", "f32", "cbrt(v)"),
    term("exponential", "f32", "exponential(v)"),
    term("logarithm", "f32", "log(v)"),
    term("tanh", "f32", "tanh(v)"),
    term("erf", "f32", "erf(v)"),
    term("sine", "f32", "sine(v)"),
    term("tangent", "f32", "tan(v)"),
    term("arc_tangent", "f32", "atan2(v, y)"),
    term("power", "f32", "power(v, y)"),
    term("remainder", "f32", "remainder(v, y)"),
    term("integer_divide", "s32", "divide(v, y)"),
    term("constant_divide", "s32", "divide(v, sevens)"),
    term("load", "f32", "slice(v)"),
];
const WIDE: Term = term("wide", "f64", "exponential(v)");

/// The terms that are timed, in this order.
fn terms() -> Vec<&'static Term> {
    [&PLAIN, &WIDE, &ROUNDED].into_iter().chain(&FUNCTIONS).collect()
}

/// The kernels to time: pairs, of which the second does more than the first.
pub fn prepare(target: &Target) -> Result<Group, Error> {
    let mut probes = Vec::new();
    let mut pair = |texts: [String; 2], literal: &dyn Fn(&ArrayShape) -> Literal| -> Result<(), Error> {
        for text in texts {
            probes.push(Probe::on(text, 1, literal)?);
        }
        Ok(())
    };
    pair(STEPS.map(chain), &zeros)?;
    for term in terms() {
        pair(TERMS.map(|terms| sum(term, terms)), &zeros)?;
    }
    pair(ROWS.map(product), &zeros)?;
    pair([turned(false), turned(true)], &zeros)?;
    for (table, places) in [(TABLE, NEAR), ((target.l2 / 4 * FAR_TABLE).max(1 << 16) as usize, FAR)] {
        let anywhere = |shape: &ArrayShape| anywhere(shape, table);
        pair([false, true].map(|looked_up| lookup(looked_up, table, places)), &anywhere)?;
    }
    pair([false, true].map(sorted), &|shape| random_inputs::nth(0, shape))?;
    pair([false, true].map(transformed), &zeros)?;
    Ok(Group::new(probes))
}

/// Fills in the rates of operations, by the times of those kernels in µs.
pub fn weigh(target: &mut Target, us: &[f64]) {
    let terms = terms();
    let mut pairs = us.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let mut next = || pairs.next().unwrap_or((0.0, 0.0));
    // Less than nothing is a disturbed measurement.
    let ns = |us: f64, count: usize| (us * 1e3 / count as f64).max(1e-4);
    let (few, many) = next();
    let waiting = ns(many - few, ELEMENTS * (STEPS[1] - STEPS[0]));
    let times: Vec<f64> = terms
        .iter()
        .map(|_| {
            let (few, many) = next();
            ns(many - few, ELEMENTS * (TERMS[1] - TERMS[0]))
        })
        .collect();
    let plain = times[0] / (1.0 + ADDITIONS);
    // What kernels compute lies between operations that all wait for each other and such that never do.
    let unit = (waiting * plain).sqrt();
    target.gops = rounded(1.0 / unit);
    for (term, time) in terms.iter().zip(&times) {
        let weight = match term.name {
            // A vector that is loaded by the addition that uses it may take no time of its own.
            "load" => ((time - plain) / unit).round().max(0.0) as i64,
            // Each of three results is rounded.
            "half" => whole((time - times[0]) / unit / (1.0 + ADDITIONS)),
            _ => whole((time - ADDITIONS * plain) / unit),
        };
        if let Some(known) = target.rates.field(term.name) {
            *known = weight;
        }
        if term.name == "exponential" {
            target.rates.wide = whole(times[1] / time);
        }
    }
    let (few, many) = next();
    let elements = (SIDE * SIDE) as usize;
    let product = ns(many - few, elements * (ROWS[1] - ROWS[0]) as usize);
    target.rates.product = whole(100.0 * product / unit);
    target.rates.pack = whole((ns(few, elements) - ROWS[0] as f64 * product) / unit);
    let (plain, turned) = next();
    target.rates.turn = whole(ns(turned - plain, elements) / unit);
    let (plain, near) = next();
    let near = ns(near - plain, NEAR).max(unit);
    target.rates.gather = whole(near / unit);
    let (plain, far) = next();
    target.rates.far = whole(ns(far - plain, FAR) / near);
    let (plain, sorted) = next();
    let known = Rates { sort: 100, ..target.rates.clone() };
    let lanes = i64::from(target.lanes());
    let expected = known.sort_in_vectors(SIDE, lanes, false) as f64 * unit;
    target.rates.sort = whole(100.0 * ns(sorted - plain, elements) / expected);
    let (plain, transformed) = next();
    // What `Call::flops` counts.
    let operations = 5 * (SIDE.ilog2() as usize + 1) * elements;
    target.rates.transform = whole(100.0 * ns(transformed - plain, operations) / unit);
}

fn whole(x: f64) -> i64 {
    x.round().max(1.0) as i64
}

/// Sums and products in turn, each of the one before, which no rule makes one.
fn chain(steps: usize) -> String {
    let shape = format!("f32[{ELEMENTS}]");
    let mut body = format!("  v0 = {shape} copy(x)\n");
    for n in 0..steps {
        let opcode = if n % 2 == 0 { "add" } else { "multiply" };
        body += &format!("  v{} = {shape} {opcode}(v{n}, y)\n", n + 1);
    }
    module("f32", ELEMENTS, &body, steps)
}

/// A sum of terms.
fn sum(term: &Term, terms: usize) -> String {
    let (dtype, shape) = (term.dtype, format!("{}[{ELEMENTS}]", term.dtype));
    let is_load = term.name == "load";
    let length = if is_load { ELEMENTS + TERMS[1] * APART } else { ELEMENTS };
    let whole = format!("{dtype}[{length}]");
    let mut body = format!("  v0 = {shape} slice(x), slice={{[0:{ELEMENTS}]}}\n");
    body +=
        &format!("  seven = {dtype}[] constant(7)\n  sevens = {shape} broadcast(seven), dimensions={{}}\n");
    for n in 1..=terms {
        if is_load {
            let (from, to) = (n * APART, n * APART + ELEMENTS);
            body += &format!("  f{n} = {shape} slice(p), slice={{[{from}:{to}]}}\n");
        } else {
            body += &format!("  c{n} = {dtype}[] constant({n})\n");
            body += &format!("  b{n} = {whole} broadcast(c{n}), dimensions={{}}\n");
            body += &format!("  a{n} = {whole} add(x, b{n})\n");
            body += &format!("  f{n} = {shape} {}\n", term.line.replace("(v", &format!("(a{n}")));
        }
        body += &format!("  v{n} = {shape} add(v{}, f{n})\n", n - 1);
    }
    module(dtype, length, &body, terms)
}

/// A kernel that ends with `v{last}`; x and y are at least one.
fn module(dtype: &str, length: usize, body: &str, last: usize) -> String {
    let shape = format!("{dtype}[{length}]");
    format!(
        "HloModule calibrate\nENTRY e {{\n  p = {shape} parameter(0)\n  q = {shape} parameter(1)\n  \
         one = {dtype}[] constant(1)\n  ones = {shape} broadcast(one), dimensions={{}}\n  \
         x = {shape} add(p, ones)\n  y = {shape} add(q, ones)\n{body}  \
         ROOT r = {dtype}[{ELEMENTS}] copy(v{last})\n}}\n"
    )
}

/// So many rows by a matrix that is copied to the shape of the register tile.
fn product(rows: i64) -> String {
    format!(
        "HloModule calibrate\nENTRY e {{\n  p = f32[{rows},{SIDE}] parameter(0)\n  \
         q = f32[{SIDE},{SIDE}] parameter(1)\n  t = f32[{SIDE},{SIDE}] transpose(q), dimensions={{1,0}}\n  \
         ROOT r = f32[{rows},{SIDE}] dot(p, t), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n"
    )
}

/// A matrix that is copied, or turned.
fn turned(turned: bool) -> String {
    let dimensions = if turned { "1,0" } else { "0,1" };
    format!(
        "HloModule calibrate\nENTRY e {{\n  p = f32[{SIDE},{SIDE}] parameter(0)\n  n = f32[{SIDE},{SIDE}] negate(p)\n  \
         ROOT r = f32[{SIDE},{SIDE}] transpose(n), dimensions={{{dimensions}}}\n}}\n"
    )
}

/// Elements of a table at places that data gives, or the places alone.
fn lookup(looked_up: bool, table: usize, places: usize) -> String {
    let result = match looked_up {
        true => {
            "gather(t, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}"
        }
        false => "convert(i)",
    };
    format!(
        "HloModule calibrate\nENTRY e {{\n  t = f32[{table}] parameter(0)\n  i = s32[{places}] parameter(1)\n  \
         ROOT r = f32[{places}] {result}\n}}\n"
    )
}

/// Rows that are copied, or sorted.
fn sorted(sorted: bool) -> String {
    let result = if sorted { "sort(n), dimensions={1}, to_apply=less" } else { "copy(n)" };
    format!(
        "HloModule calibrate\nless {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
         ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER\n}}\n\
         ENTRY e {{\n  n = f32[{SIDE},{SIDE}] parameter(0)\n  ROOT r = f32[{SIDE},{SIDE}] {result}\n}}\n"
    )
}

/// Rows that are copied, or transformed.
fn transformed(transformed: bool) -> String {
    let result = match transformed {
        true => format!("fft(p), fft_type=FFT, fft_length={{{SIDE}}}"),
        false => "copy(p)".into(),
    };
    format!(
        "HloModule calibrate\nENTRY e {{\n  p = c64[{SIDE},{SIDE}] parameter(0)\n  ROOT r = c64[{SIDE},{SIDE}] {result}\n}}\n"
    )
}

/// Zeros, and integers that are places anywhere in a table, each far from the one before.
fn anywhere(shape: &ArrayShape, table: usize) -> Literal {
    if !shape.dtype.is_integer() {
        return zeros(shape);
    }
    // Multiplicative hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4.
    let place = |n: i64| ((n as u32).wrapping_mul(2_654_435_769) as usize % table) as i32;
    let bytes: Vec<u8> = (0..shape.elements()).flat_map(|n| place(n).to_le_bytes()).collect();
    Literal::new(shape.clone(), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rate_that_is_measured_has_a_kernel() {
        // No time is asserted, only that each module runs and gives a number.
        let mut target = crate::target::host();
        let before = target.clone();
        let mut kernels = prepare(&target).expect("each compiles");
        kernels.turns().expect("each runs");
        weigh(&mut target, &kernels.least);
        assert!(target.gops > 0.0);
        assert_ne!(before, target);
        for term in FUNCTIONS {
            let least = i64::from(term.name != "load");
            assert!(target.rates.field(term.name).is_some_and(|weight| *weight >= least), "{}", term.name);
        }
    }
}
