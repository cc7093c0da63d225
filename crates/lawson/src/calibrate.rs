//! What this machine can do, measured with Lawson's own code: rates of operations, bandwidths of each level, and what
//! handing out work costs. The result is a description that `--target` reads.

use crate::bandwidth;
use crate::client::Client;
use crate::error::Error;
use crate::load;
use crate::options::{FusionBase, FusionSpec, Options};
use lawson_cpu::ThreadPool;
use lawson_hlo::Literal;
use lawson_kernel::target::Target;
use std::time::Instant;

/// Elements of the arrays that operations are timed on: near enough that only the operations count.
const ELEMENTS: usize = 1 << 14;
/// More than most last-level caches hold, and no more than this.
const LEAST_FAR: u64 = 128 << 20;
const MOST_FAR: u64 = 1 << 30;
/// Each time is the least of this many.
const RUNS: usize = 24;
const FAR_RUNS: usize = 5;

/// Functions whose weight on f32 is measured by itself.
const FUNCTIONS: [(&str, &str); 13] = [
    ("divide", "divide(v, y)"),
    ("square_root", "sqrt(v)"),
    ("cube_root", "cbrt(v)"),
    ("exponential", "exponential(v)"),
    ("logarithm", "log(v)"),
    ("tanh", "tanh(v)"),
    ("erf", "erf(v)"),
    ("sine", "sine(v)"),
    ("tangent", "tan(v)"),
    ("arc_tangent", "atan2(v, y)"),
    ("power", "power(v, y)"),
    ("remainder", "remainder(v, y)"),
    ("integer_divide", "divide(v, y)"),
];

/// This machine, whose caches `target` has already, on so many threads. `say` hears what is being done.
pub fn calibrate(mut target: Target, threads: usize, say: &dyn Fn(&'static str)) -> Result<Target, Error> {
    target.name = "calibrated".into();
    say("measuring operations");
    let unit = step_ns("f32", "add(v, y)")?;
    target.gops = rounded(1.0 / unit);
    let weight = |dtype: &str, line: &str| -> Result<f64, Error> { Ok(term_ns(dtype, line)? / unit) };
    say("measuring elementary functions");
    let plain = weight("f32", "add(v, y)")?;
    for (name, line) in FUNCTIONS {
        let dtype = if name == "integer_divide" { "s32" } else { "f32" };
        let measured = whole(weight(dtype, line)? - plain + 1.0);
        if let Some(weight) = target.rates.field(name) {
            *weight = measured;
        }
    }
    let wide = weight("f64", "exponential(v)")? / weight("f32", "exponential(v)")?;
    target.rates.wide = whole(wide);
    target.rates.half = whole(step_ns("bf16", "add(v, y)")? / unit) - 1;
    say("measuring products");
    let (product, pack) = product_ns()?;
    target.rates.product = whole(100.0 * product / unit);
    target.rates.pack = whole(pack / unit);
    say("measuring bandwidths");
    let near =
        |bytes: i64, threads: usize| bandwidth::measure(threads, bytes.max(4096) as usize).map(|b| b.copy);
    if let Some(found) = near(target.l2 / 2, 1) {
        target.l2_bandwidth = rounded(found);
    }
    if let Some(found) = near((target.llc / 2).max(target.l2 * threads as i64), threads) {
        target.llc_bandwidth = rounded(found);
    }
    let bytes = (target.llc as u64).saturating_mul(4).clamp(LEAST_FAR, MOST_FAR);
    target.bandwidth_1t = rounded(far_gbps(bytes, 1)?);
    target.bandwidth = if threads > 1 { rounded(far_gbps(bytes, threads)?) } else { target.bandwidth_1t };
    say("measuring launches");
    target.launch_us = rounded(launch_us(threads)).max(0.1);
    Ok(target)
}

fn rounded(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn whole(x: f64) -> i64 {
    x.round().max(1.0) as i64
}

/// The time that one more step of a chain takes for each element, in ns: `line` computes the next value of `v`.
fn step_ns(dtype: &str, line: &str) -> Result<f64, Error> {
    let chain = |steps: usize| {
        let mut body = String::new();
        for n in 0..steps {
            // Sums and products in turn, which no rule makes one.
            let line = if n % 2 == 0 { line.to_string() } else { line.replace("add", "multiply") };
            body += &format!("  v{} = {dtype}[{ELEMENTS}] {}\n", n + 1, line.replace('v', &format!("v{n}")));
        }
        body
    };
    let (few, many) = (8, 40);
    let spent = time_us(dtype, &chain(many), many)? - time_us(dtype, &chain(few), few)?;
    Ok(per_element(spent, many - few))
}

/// The time that one more term `line` of a sum takes for each element, in ns; the additions included.
fn term_ns(dtype: &str, line: &str) -> Result<f64, Error> {
    let sum = |terms: usize| {
        let mut body = format!("  v0 = {dtype}[{ELEMENTS}] copy(x)\n");
        for n in 1..=terms {
            let shape = format!("{dtype}[{ELEMENTS}]");
            body += &format!("  c{n} = {dtype}[] constant({n})\n");
            body += &format!("  b{n} = {shape} broadcast(c{n}), dimensions={{}}\n");
            body += &format!("  a{n} = {shape} add(x, b{n})\n");
            body += &format!("  f{n} = {shape} {}\n", line.replace("(v", &format!("(a{n}")));
            body += &format!("  v{n} = {shape} add(v{}, f{n})\n", n - 1);
        }
        body
    };
    let (few, many) = (2, 6);
    let spent = time_us(dtype, &sum(many), many)? - time_us(dtype, &sum(few), few)?;
    Ok(per_element(spent, many - few))
}

/// The time of a multiply-add of a register tile, and that of packing an element, in ns: of products of few rows and many
/// with one matrix, which each packs.
fn product_ns() -> Result<(f64, f64), Error> {
    const SIDE: i64 = 256;
    let us = |rows: i64| {
        let text = format!(
            "HloModule calibrate\nENTRY e {{\n  p = f32[{rows},{SIDE}] parameter(0)\n  \
             q = f32[{SIDE},{SIDE}] parameter(1)\n  t = f32[{SIDE},{SIDE}] transpose(q), dimensions={{1,0}}\n  \
             ROOT r = f32[{rows},{SIDE}] dot(p, t), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n"
        );
        least_us(text, 1, RUNS)
    };
    let (few, many) = (24, 96);
    let (of_few, of_many) = (us(few)?, us(many)?);
    let elements = (SIDE * SIDE) as f64;
    let product = ((of_many - of_few) * 1e3 / elements / (many - few) as f64).max(1e-4);
    Ok((product, (of_few * 1e3 / elements - few as f64 * product).max(1e-4)))
}

fn per_element(us: f64, more: usize) -> f64 {
    // Less than nothing is a disturbed measurement.
    (us * 1e3 / ELEMENTS as f64 / more as f64).max(1e-4)
}

/// The least time of a kernel on one thread that ends with `v{last}`; x and y are at least one.
fn time_us(dtype: &str, body: &str, last: usize) -> Result<f64, Error> {
    let shape = format!("{dtype}[{ELEMENTS}]");
    let text = format!(
        "HloModule calibrate\nENTRY e {{\n  p = {shape} parameter(0)\n  q = {shape} parameter(1)\n  \
         one = {dtype}[] constant(1)\n  ones = {shape} broadcast(one), dimensions={{}}\n  \
         x = {shape} add(p, ones)\n  y = {shape} add(q, ones)\n{}  ROOT r = {shape} copy(v{last})\n}}\n",
        if body.contains("v0 =") { body.to_string() } else { format!("  v0 = {shape} copy(x)\n{body}") },
    );
    least_us(text, 1, RUNS)
}

/// Bytes each counted once, read and written by a kernel on so many threads, in GB/s.
fn far_gbps(bytes: u64, threads: usize) -> Result<f64, Error> {
    let elements = bytes / 8;
    let text = format!(
        "HloModule calibrate\nENTRY e {{\n  p = f32[{elements}] parameter(0)\n  ROOT r = f32[{elements}] negate(p)\n}}\n"
    );
    Ok(bytes as f64 / least_us(text, threads, FAR_RUNS)? / 1e3)
}

/// The least time of a module on so many threads, in µs, on zeros.
fn least_us(text: String, threads: usize, runs: usize) -> Result<f64, Error> {
    let loaded = load::text_of("calibrate.hlo".into(), text)?;
    let fusion = FusionSpec { base: FusionBase::Max, ..FusionSpec::default() };
    let options = Options { threads, fusion, ..Options::default() };
    let zeros =
        |shape: &lawson_hlo::ArrayShape| Literal::new(shape.clone(), vec![0u8; shape.bytes() as usize]);
    let leaves = load::parameter_leaves(&loaded.module).into_iter().map(zeros);
    let client = Client::cpu();
    let executable = client.compile(&loaded.module, &options)?;
    let arguments = leaves.map(|l| client.buffer_from_literal(&l)).collect::<Result<Vec<_>, _>>()?;
    executable.run(&arguments)?;
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        executable.run(&arguments)?;
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(least)
}

/// The time to hand out tasks that do nothing, and to wait for them, in µs.
fn launch_us(threads: usize) -> f64 {
    const LAUNCHES: usize = 200;
    let pool = ThreadPool::new(threads);
    let mut session = pool.session();
    let mut us: Vec<f64> = Vec::with_capacity(LAUNCHES);
    for _ in 0..LAUNCHES {
        let start = Instant::now();
        session.run(4 * threads as i64, &|tasks, _| {
            std::hint::black_box(tasks);
        });
        us.push(start.elapsed().as_secs_f64() * 1e6);
    }
    us.sort_by(f64::total_cmp);
    us[LAUNCHES / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_weights_are_in_proportion() {
        // No time is asserted, only that each module runs and gives a number.
        for (dtype, line) in [("f32", "exponential(v)"), ("s32", "divide(v, y)"), ("f64", "power(v, y)")] {
            assert!(term_ns(dtype, line).expect("it runs") > 0.0, "{dtype} {line}");
        }
        assert!(step_ns("bf16", "add(v, y)").expect("it runs") > 0.0);
        assert!(far_gbps(1 << 16, 1).expect("it runs") > 0.0);
        assert!(launch_us(2) > 0.0);
    }
}
