//! Gathers and scatters at places that the program computes, or has as constants that count: every pass keeps their bits.

mod support;

use lawson_hlo::Module;
use lawson_opt::report::Report;
use lawson_opt::{Numerics, Options, PassContext, pipeline};
use std::fmt::Write;
use support::values::{Rng, same_results};

fn below(rng: &mut Rng, n: u64) -> u64 {
    rng.next() % n
}

/// A list `n` of as many indices among these rows: lines that define it.
fn list(rng: &mut Rng, (count, rows): (i64, i64)) -> String {
    if below(rng, 3) == 0 {
        return constant(rng, (count, rows));
    }
    let mut lines = format!("v0 = s32[{count}] iota(), iota_dimension=0\n");
    let steps = 1 + below(rng, 4);
    for n in 1..=steps {
        let x = format!("v{}", n - 1);
        let by = 1 + below(rng, 6) as i64;
        let (by, value) = match below(rng, 8) {
            0 | 1 => (by, format!("add({x}, b{n})")),
            2 => (by, format!("subtract({x}, b{n})")),
            3 => (rows - 1, format!("subtract(b{n}, {x})")),
            4 => (by.min(3), format!("multiply({x}, b{n})")),
            5 => (rows, format!("remainder({x}, b{n})")),
            6 => (rows - 1, format!("minimum({x}, b{n})")),
            _ => (rows, format!("select(p{n}, {x}, w{n})")),
        };
        let _ = writeln!(
            lines,
            "c{n} = s32[] constant({by})\nb{n} = s32[{count}] broadcast(c{n}), dimensions={{}}"
        );
        if value.starts_with("select") {
            let _ = writeln!(lines, "p{n} = pred[{count}] compare({x}, b{n}), direction=LT");
            let _ = writeln!(lines, "w{n} = s32[{count}] subtract({x}, b{n})");
        }
        let _ = writeln!(lines, "v{n} = s32[{count}] {value}");
    }
    lines + &format!("n = s32[{count}] copy(v{steps})\n")
}

/// Numbers that count, begin again, stop at an edge, or say nothing.
fn constant(rng: &mut Rng, (count, rows): (i64, i64)) -> String {
    let (by, step) = (below(rng, 7) as i64, 1 + below(rng, 2) as i64);
    let kind = below(rng, 4);
    let value = |n: i64| match kind {
        0 => (n * step + by) % rows,
        1 => (n - by).clamp(0, rows - 1),
        2 => (rows - 1 - n).rem_euclid(rows),
        _ => (n * n + by) % rows,
    };
    let values: Vec<String> = (0..count).map(|n| value(n).to_string()).collect();
    format!("n = s32[{count}] constant({{{}}})\n", values.join(", "))
}

/// What is read at the places of a list, and sums of what is scattered there.
fn module(rng: &mut Rng) -> Module {
    let rows = 20 + below(rng, 8) as i64;
    let count = 12 + below(rng, 20) as i64;
    let dtype = ["f32", "s32", "f16"][below(rng, 3) as usize];
    let list = list(rng, (count, rows));
    let text = format!(
        "sum {{ a = {dtype}[] parameter(0) b = {dtype}[] parameter(1) ROOT s = {dtype}[] add(a, b) }}
         ENTRY main {{
         x = {dtype}[3,{rows}] parameter(0)
         u = {dtype}[3,{count}] parameter(1)
         {list}
         g = {dtype}[3,{count}] gather(x, n), offset_dims={{0}}, collapsed_slice_dims={{1}}, start_index_map={{1}},
             index_vector_dim=1, slice_sizes={{3,1}}
         zero = {dtype}[] constant(0)
         z = {dtype}[3,{rows}] broadcast(zero), dimensions={{}}
         s = {dtype}[3,{rows}] scatter(z, n, u), update_window_dims={{0}}, inserted_window_dims={{1}},
             scatter_dims_to_operand_dims={{1}}, index_vector_dim=1, to_apply=sum
         ROOT t = ({dtype}[3,{count}], {dtype}[3,{rows}]) tuple(g, s) }}"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Sums of windows, `by` rows after each other.
fn windows(rng: &mut Rng) -> Module {
    let (count, length) = (2 + below(rng, 5) as i64, 2 + below(rng, 8) as i64);
    let (by, first) = (1 + below(rng, 9) as i64, below(rng, 4) as i64);
    let rows = first + (count - 1) * by + length + below(rng, 4) as i64;
    let dtype = ["f32", "s32", "f16"][below(rng, 3) as usize];
    let text = format!(
        "sum {{ a = {dtype}[] parameter(0) b = {dtype}[] parameter(1) ROOT s = {dtype}[] add(a, b) }}
         ENTRY main {{
         u = {dtype}[3,{count},{length}] parameter(0)
         i = s32[{count}] iota(), iota_dimension=0
         j = s32[{length}] iota(), iota_dimension=0
         c = s32[] constant({by})
         b = s32[{count}] broadcast(c), dimensions={{}}
         m = s32[{count}] multiply(i, b)
         p = s32[{count},{length}] broadcast(m), dimensions={{0}}
         q = s32[{count},{length}] broadcast(j), dimensions={{1}}
         d = s32[] constant({first})
         e = s32[{count},{length}] broadcast(d), dimensions={{}}
         o = s32[{count},{length}] add(p, e)
         n = s32[{count},{length}] add(o, q)
         zero = {dtype}[] constant(0)
         z = {dtype}[3,{rows}] broadcast(zero), dimensions={{}}
         ROOT s = {dtype}[3,{rows}] scatter(z, n, u), update_window_dims={{0}}, inserted_window_dims={{1}},
             scatter_dims_to_operand_dims={{1}}, index_vector_dim=2, to_apply=sum }}"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// What the passes report of a module whose bits they keep.
fn kept(n: usize, before: &Module) -> Report {
    let mut after = before.clone();
    let mut cx = PassContext::new(Options { numerics: Numerics::Strict, ..Options::default() });
    if let Err(e) = pipeline::run(&mut cx, &mut after, pipeline::PIPELINE) {
        panic!("module {n}: {}\n{before}", e[0]);
    }
    if let Err(e) = same_results(before, &after, Numerics::Strict) {
        panic!("module {n}: {e}\nbefore:\n{before}\nafter:\n{after}");
    }
    cx.report
}

#[test]
fn sums_of_windows_keep_their_bits() {
    let mut rng = Rng::new(9);
    let of_windows = |n: &usize| kept(*n, &windows(&mut rng)).rules().contains_key("scatter-windows");
    let sums = (0..120).filter(of_windows).count();
    assert!(sums > 80, "{sums} sums of pieces");
}

#[test]
fn lists_of_places_keep_their_bits() {
    let mut rng = Rng::new(5);
    let (mut sums, mut constants) = (0, 0);
    for n in 0..250 {
        let report = kept(n, &module(&mut rng));
        sums += report.rules().contains_key("scatter-runs") as usize;
        constants += report.passes.iter().any(|p| p.name == "progressions" && p.changed) as usize;
    }
    assert!(sums > 40 && constants > 20, "{sums} sums of pads, {constants} lists of constants");
}
