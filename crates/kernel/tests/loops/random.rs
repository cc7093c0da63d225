//! Random bodies of loops, with what a lane combines of its own components, and loops within loops, among them.

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
    let mut inner = String::new();
    for n in 0..4 + rng.below(10) {
        if rng.below(8) == 0 {
            let from = [pick(rng, &vectors), pick(rng, &vectors), pick(rng, &matrices)];
            let from = [&from[0][..], &from[1], &from[2]];
            body += &within(rng, &mut inner, &format!("n{n}"), (lanes, components), from, 2);
            vectors.push(format!("n{n}"));
            matrices.push(format!("n{n}_m"));
            continue;
        }
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
    let text =
        Loop { state: &state, condition: COUNTED, body: &body, entry: &entry, after: &after, trips }.text();
    text.replacen("\ncondition {", &format!("\n{inner}condition {{"), 1)
}

/// A loop in a body, which starts from two vectors and a matrix there: the text of the body that makes the vector
/// `name` and the matrix `name_m`. Its computations, and those of loops within it, are added to `texts`.
fn within(
    rng: &mut Rng,
    texts: &mut String,
    name: &str,
    (lanes, components): (i64, i64),
    [x, y, m]: [&str; 3],
    depth: u32,
) -> String {
    let (v, matrix) = (format!("f32[{lanes}]"), format!("f32[{components},{lanes}]"));
    // What counts: one number for all lanes, or one for each, which they leave by.
    let by_lanes = rng.below(3) == 0;
    let count = if by_lanes { format!("s32[{lanes}]") } else { "s32[]".to_string() };
    let state = format!("({count}, {v}, {v}, {matrix})");
    let elements: String = [&count, &v, &v, &matrix]
        .iter()
        .enumerate()
        .map(|(k, t)| format!("  p{k} = {t} get-tuple-element(p), index={k}\n"))
        .collect();
    let limit = rng.below(6);
    let head = |of: &str| format!("{name}_{of} {{\n  p = {state} parameter(0)\n{elements}");
    let go = match by_lanes {
        false => format!("  k = s32[] constant({limit})\n  go = pred[] compare(p0, k), direction=LT\n"),
        true => format!(
            "  k = s32[] constant({limit})\n  kb = {count} broadcast(k), dimensions={{}}\n  \
             few = pred[{lanes}] compare(p0, kb), direction=LT\n  five = f32[] constant(5)\n  \
             fb = {v} broadcast(five), dimensions={{}}\n  small = pred[{lanes}] compare(p1, fb), direction=LT\n  \
             go = pred[{lanes}] and(few, small)\n"
        ),
    };
    let some = match by_lanes {
        false => "  ROOT r = pred[] copy(go)\n".to_string(),
        true => "  no = pred[] constant(false)\n  \
                 ROOT r = pred[] reduce(go, no), dimensions={0}, to_apply=any\n"
            .to_string(),
    };
    let condition = format!("{}{go}{some}}}\n", head("condition"));
    let mut body = format!("{}{go}", head("body"));
    let (mut a, mut b) = (["p1", "p2"][rng.below(2) as usize].to_string(), "p3".to_string());
    let unary = ["cosine", "tanh", "abs", "negate"][rng.below(4) as usize];
    let binary = ["add", "subtract", "multiply", "minimum"][rng.below(4) as usize];
    body += &format!("  x1 = {v} {unary}({a})\n  x2 = {v} {binary}(x1, p1)\n");
    a = "x2".into();
    if depth > 0 && rng.below(3) == 0 {
        let inner = format!("{name}_{depth}");
        body += &within(rng, texts, &inner, (lanes, components), [&a, "p2", "p3"], depth - 1);
        (a, b) = (inner.clone(), format!("{inner}_m"));
    }
    body += &format!("  s = {matrix} broadcast({a}), dimensions={{1}}\n  m1 = {matrix} {binary}(s, {b})\n");
    body += &match by_lanes {
        false => format!(
            "  one = s32[] constant(1)\n  n = s32[] add(p0, one)\n  f = f32[] convert(p0)\n  \
             fb = {v} broadcast(f), dimensions={{}}\n  y = {v} add({a}, fb)\n  \
             ROOT t = {state} tuple(n, y, p2, m1)\n}}\n"
        ),
        true => format!(
            "  one = {count} convert(go)\n  n = {count} add(p0, one)\n  y = {v} select(go, {a}, p1)\n  \
             gm = pred[{components},{lanes}] broadcast(go), dimensions={{1}}\n  \
             m2 = {matrix} select(gm, m1, p3)\n  ROOT t = {state} tuple(n, y, p2, m2)\n}}\n"
        ),
    };
    *texts += &format!("{condition}{body}");
    let zero = match by_lanes {
        false => format!("  {name}_z = s32[] constant(0)\n"),
        true => format!(
            "  {name}_o = s32[] constant(0)\n  {name}_z = {count} broadcast({name}_o), dimensions={{}}\n"
        ),
    };
    format!(
        "{zero}  {name}_i = {state} tuple({name}_z, {x}, {y}, {m})\n  \
         {name}_w = {state} while({name}_i), condition={name}_condition, body={name}_body\n  \
         {name} = {v} get-tuple-element({name}_w), index=1\n  \
         {name}_m = {matrix} get-tuple-element({name}_w), index=3\n"
    )
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
