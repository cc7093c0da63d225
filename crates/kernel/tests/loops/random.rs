//! Random bodies of loops, with what a lane combines of its own components among them.

use super::common::Rng;
use super::*;

#[test]
fn random_bodies_agree() {
    for seed in 0..150 {
        let text = random(&mut Rng(seed));
        if let Err(error) = agree_module(&text) {
            panic!("seed {seed}: {error}\n{text}");
        }
    }
}

fn random(rng: &mut Rng) -> String {
    let lanes = [1, 3, 16, 40, 70][rng.below(5) as usize];
    let components = 1 + rng.below(5) as i64;
    let (v, m) = (format!("f32[{lanes}]"), format!("f32[{components},{lanes}]"));
    let table = format!("f32[7,{lanes}]");
    let weights = format!("f32[{components},{components}]");
    let state = ["s32[]".to_string(), m.clone(), v.clone(), table.clone(), v.clone(), weights.clone()];
    let mut body = format!(
        "  one = s32[] constant(1)\n  zero = s32[] constant(0)\n  next = s32[] add(p0, one)\n  \
         row = f32[1,{lanes}] dynamic-slice(p3, p0, zero), dynamic_slice_sizes={{1,{lanes}}}\n  \
         v0 = {v} reshape(row)\n  it = s32[{lanes}] iota(), iota_dimension=0\n  v1 = {v} convert(it)\n"
    );
    let mut vectors: Vec<String> = ["v0", "v1", "p2", "p4"].map(str::to_string).to_vec();
    let mut matrices = vec!["p1".to_string()];
    let pick = |rng: &mut Rng, from: &[String]| from[rng.below(from.len() as u64) as usize].clone();
    for n in 0..4 + rng.below(10) {
        if rng.below(3) == 0 {
            let (x, y, a) = (pick(rng, &matrices), pick(rng, &matrices), pick(rng, &vectors));
            let (text, matrix) = combination(rng.below(8), n, (lanes, components), [&x, &y, &a]);
            body += &text;
            if matrix {
                matrices.push(format!("n{n}"))
            } else {
                vectors.push(format!("n{n}"))
            }
            continue;
        }
        let binary = ["add", "subtract", "multiply", "maximum", "minimum", "divide"][rng.below(6) as usize];
        let unary = ["negate", "abs", "cosine", "tanh", "floor"][rng.below(5) as usize];
        let (a, b) = (pick(rng, &vectors), pick(rng, &vectors));
        let (x, y) = (pick(rng, &matrices), pick(rng, &matrices));
        let name = format!("n{n}");
        let matrix = rng.below(2) == 0;
        body += &match (rng.below(6), matrix) {
            (0 | 1, false) => format!("  {name} = {v} {binary}({a}, {b})\n"),
            (2, false) => format!("  {name} = {v} {unary}({a})\n"),
            (3, false) => format!(
                "  c{n} = pred[{lanes}] compare({a}, {b}), direction=LT\n  {name} = {v} select(c{n}, {b}, {a})\n"
            ),
            (_, false) => {
                let k = rng.below(components as u64) as i64;
                format!(
                    "  s{n} = f32[1,{lanes}] slice({x}), slice={{[{k}:{}], [0:{lanes}]}}\n  \
                     {name} = {v} reshape(s{n})\n",
                    k + 1
                )
            }
            (0 | 1, true) => format!("  {name} = {m} {binary}({x}, {y})\n"),
            (2, true) => format!("  {name} = {m} {unary}({x})\n"),
            (3, true) => format!("  {name} = {m} broadcast({a}), dimensions={{1}}\n"),
            (4, true) => format!("  {name} = {m} reverse({x}), dimensions={{0}}\n"),
            (_, true) => {
                let parts: Vec<String> = (0..components).map(|k| format!("q{n}_{k}")).collect();
                let reshapes = parts.iter().map(|q| {
                    let from = pick(rng, &vectors);
                    format!("  {q} = f32[1,{lanes}] reshape({from})\n")
                });
                let reshapes: String = reshapes.collect();
                format!("{reshapes}  {name} = {m} concatenate({}), dimensions={{0}}\n", parts.join(", "))
            }
        };
        if matrix { matrices.push(name) } else { vectors.push(name) }
    }
    // The vector always changes: a loop that changes no array has no lanes.
    vectors.retain(|v| v != "p2");
    let (new_m, new_v) = (pick(rng, &matrices), pick(rng, &vectors));
    body += &format!("  ROOT t = ({}) tuple(next, {new_m}, {new_v}, p3, p4, p5)", state.join(", "));
    let entry = format!(
        "  zero = s32[] constant(0)\n  a = {m} parameter(0)\n  b = {v} parameter(1)\n  c = {table} parameter(2)\n  \
         d = {v} parameter(3)\n  q = {weights} parameter(4)\n  e = {v} exponential(b)\n  \
         i = ({}) tuple(zero, a, e, c, d, q)",
        state.join(", ")
    );
    let after = format!("  f = {v} add(w2, w4)\n  ROOT r = ({m}, {v}, {v}) tuple(w1, w2, f)",);
    let state: Vec<&str> = state.iter().map(String::as_str).collect();
    let trips = (rng.below(2) == 0).then_some(7);
    Loop { state: &state, condition: COUNTED, body: &body, entry: &entry, after: &after, trips }.text()
}

/// An operation that combines the components of a lane: its text, and whether it makes all components.
fn combination(kind: u64, n: u64, (lanes, c): (i64, i64), [x, y, a]: [&String; 3]) -> (String, bool) {
    let (v, m) = (format!("f32[{lanes}]"), format!("f32[{c},{lanes}]"));
    let name = format!("n{n}");
    let start = format!("  z{n} = f32[] constant(-1.5)\n");
    let text = match kind {
        0 => format!("{start}  {name} = {v} reduce({x}, z{n}), dimensions={{0}}, to_apply=sum\n"),
        1 => format!(
            "{start}  t{n} = f32[{lanes},{c}] transpose({x}), dimensions={{1,0}}\n  \
             {name} = {v} reduce(t{n}, z{n}), dimensions={{1}}, to_apply=sum\n"
        ),
        2 => format!(
            "{start}  i{n} = s32[{c},{lanes}] iota(), iota_dimension=0\n  k{n} = s32[] constant(-1)\n  \
             b{n} = ({v}, s32[{lanes}]) reduce({x}, i{n}, z{n}, k{n}), dimensions={{0}}, to_apply=largest\n  \
             f{n} = {v} get-tuple-element(b{n}), index=0\n  g{n} = s32[{lanes}] get-tuple-element(b{n}), index=1\n  \
             h{n} = {v} convert(g{n})\n  {name} = {v} add(f{n}, h{n})\n"
        ),
        3 => format!(
            "  {name} = {v} dot({x}, {y}), lhs_batch_dims={{1}}, rhs_batch_dims={{1}}, \
             lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}\n"
        ),
        4 => format!("  {name} = {m} dot(p5, {x}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"),
        5 => format!(
            "{start}  {name} = {m} reduce-window({x}, z{n}), window={{size={c}x1 pad={}_0x0_0}}, to_apply=max\n",
            c - 1
        ),
        6 => format!(
            "  d{n} = f32[1,{lanes}] dynamic-slice({x}, p0, zero), dynamic_slice_sizes={{1,{lanes}}}\n  \
             {name} = {v} reshape(d{n})\n"
        ),
        _ => format!(
            "  u{n} = f32[1,{lanes}] reshape({a})\n  \
             {name} = {m} dynamic-update-slice({x}, u{n}, p0, zero)\n"
        ),
    };
    (text, matches!(kind, 4 | 5 | 7))
}
