//! Arrays that trips read and of which they change a few elements: they stay in memory, and agree with the interpreter to the bit.

use super::common::Rng;
use super::*;

/// The region of a module, which holds such an array.
#[track_caller]
fn in_memory(text: &str) -> String {
    agrees(text);
    let region = region_of_module(text).expect("a kernel").to_string();
    let reads = |l: &str| (l.contains(" out") || l.contains(" own")) && l.contains(" after ");
    assert!(region.lines().any(reads), "{region}");
    region
}

/// Seven trips over an array of 40 elements, of which each lane has one where there are lanes.
fn over_array(lanes: Option<i64>, body: &str) -> String {
    let of = |rest: &str| match (lanes, rest) {
        (Some(n), "") => format!("[{n}]"),
        (Some(n), rest) => format!("[{n},{rest}]"),
        (None, rest) => format!("[{rest}]"),
    };
    let [x, v, k] = [format!("f32{}", of("40")), format!("f32{}", of("")), format!("s32{}", of(""))];
    let state = ["s32[]", &x, &v, &k];
    let body = body.replace("MATRIX", &x).replace("VALUE", &v).replace("INDEX", &k);
    let entry = format!(
        "  zero = s32[] constant(0)\n  a = {x} parameter(0)\n  b = {v} parameter(1)\n  c = {k} parameter(2)\n  \
         i = (s32[], {x}, {v}, {k}) tuple(zero, a, b, c)"
    );
    // The number of trips is the same for all lanes, those beyond the last one among them.
    let after = format!("  ROOT r = ({x}, {v}, s32[]) tuple(w1, w2, w0)");
    Loop { state: &state, condition: COUNTED, body: &body, entry: &entry, after: &after, trips: Some(7) }
        .text()
}

const NEXT: &str = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n";

#[test]
fn an_element_is_read_and_replaced_in_each_trip() {
    let body = format!(
        "{NEXT}  zero = s32[] constant(0)\n  five = s32[] constant(5)\n  j = s32[] multiply(p0, five)\n  \
         r = f32[1] dynamic-slice(p1, j), dynamic_slice_sizes={{1}}\n  s = f32[] reshape(r)\n  \
         y = f32[] add(s, p2)\n  u = f32[1] reshape(y)\n  \
         x = f32[40] dynamic-update-slice(p1, u, next)\n  \
         r1 = f32[1] dynamic-slice(x, p0), dynamic_slice_sizes={{1}}\n  s1 = f32[] reshape(r1)\n  \
         u1 = f32[1] dynamic-slice(p1, next), dynamic_slice_sizes={{1}}\n  \
         x1 = f32[40] dynamic-update-slice(x, u1, j)\n  z = f32[] cosine(s1)\n  \
         ROOT t = (s32[], f32[40], f32[], s32[]) tuple(next, x1, z, p3)"
    );
    let region = in_memory(&over_array(None, &body));
    assert_eq!(region.matches("each trip out0").count(), 2, "{region}");
}

/// What each lane looks up and changes is its own; a place outside of the array changes nothing.
fn by_lanes(n: i64, combiner: &str) -> String {
    let body = format!(
        "{NEXT}  kb = s32[{n},1] reshape(p3)\n  \
         g = f32[{n},1] gather(p1, kb), offset_dims={{1}}, collapsed_slice_dims={{}}, start_index_map={{1}}, \
         operand_batching_dims={{0}}, start_indices_batching_dims={{0}}, index_vector_dim=1, slice_sizes={{1,1}}\n  \
         s = f32[{n}] reshape(g)\n  y = f32[{n}] subtract(s, p2)\n  \
         x = f32[{n},40] scatter(p1, kb, y), update_window_dims={{}}, inserted_window_dims={{1}}, \
         scatter_dims_to_operand_dims={{1}}, input_batching_dims={{0}}, scatter_indices_batching_dims={{0}}, \
         index_vector_dim=1, to_apply={combiner}\n  \
         h = f32[{n},1] gather(x, kb), offset_dims={{1}}, collapsed_slice_dims={{}}, start_index_map={{1}}, \
         operand_batching_dims={{0}}, start_indices_batching_dims={{0}}, index_vector_dim=1, slice_sizes={{1,1}}\n  \
         z = f32[{n}] reshape(h)\n  eleven = s32[] constant(11)\n  eb = s32[{n}] broadcast(eleven), dimensions={{}}\n  \
         k = s32[{n}] add(p3, eb)\n  \
         ROOT t = (s32[], f32[{n},40], f32[{n}], s32[{n}]) tuple(next, x, z, k)"
    );
    over_array(Some(n), &body)
        .replace("\nsum {", "\nsecond { a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1) }\nsum {")
}

#[test]
fn each_lane_changes_its_own_elements() {
    for n in [2, 3, 16, 37, 70] {
        for combiner in ["sum", "second", "max"] {
            in_memory(&by_lanes(n, combiner));
        }
    }
}

/// Lanes that end one by one.
fn until_all_end(n: i64, guarded: bool) -> String {
    let guard = match guarded {
        true => format!(
            "  gm = pred[{n},40] broadcast(go), dimensions={{0}}\n  x = f32[{n},40] select(gm, x0, p1)\n"
        ),
        false => format!("  x = f32[{n},40] copy(x0)\n"),
    };
    let go = format!(
        "  k9 = s32[] constant(9)\n  kb = s32[{n}] broadcast(k9), dimensions={{}}\n  \
         few = pred[{n}] compare(p0, kb), direction=LT\n  k1 = s32[{n},1] reshape(p0)\n  \
         g = f32[{n},1] gather(p1, k1), offset_dims={{1}}, collapsed_slice_dims={{}}, start_index_map={{1}}, \
         operand_batching_dims={{0}}, start_indices_batching_dims={{0}}, index_vector_dim=1, slice_sizes={{1,1}}\n  \
         s = f32[{n}] reshape(g)\n  less = pred[{n}] compare(s, p2), direction=LT\n  go = pred[{n}] and(few, less)\n"
    );
    let condition = format!(
        "{go}  no = pred[] constant(false)\n  ROOT r = pred[] reduce(go, no), dimensions={{0}}, to_apply=any"
    );
    let body = format!(
        "{go}  o = s32[] constant(1)\n  ones = s32[{n}] broadcast(o), dimensions={{}}\n  \
         k2 = s32[{n}] add(p0, ones)\n  k = s32[{n}] select(go, k2, p0)\n  y = f32[{n}] negate(p2)\n  \
         x0 = f32[{n},40] scatter(p1, k1, y), update_window_dims={{}}, inserted_window_dims={{1}}, \
         scatter_dims_to_operand_dims={{1}}, input_batching_dims={{0}}, scatter_indices_batching_dims={{0}}, \
         index_vector_dim=1, to_apply=second\n{guard}  \
         ROOT t = (s32[{n}], f32[{n},40], f32[{n}]) tuple(k, x, p2)"
    );
    let state = [format!("s32[{n}]"), format!("f32[{n},40]"), format!("f32[{n}]")];
    let state: Vec<&str> = state.iter().map(String::as_str).collect();
    let entry = format!(
        "  zero = s32[] constant(0)\n  z = s32[{n}] broadcast(zero), dimensions={{}}\n  \
         a = f32[{n},40] parameter(0)\n  b = f32[{n}] parameter(1)\n  \
         i = (s32[{n}], f32[{n},40], f32[{n}]) tuple(z, a, b)"
    );
    let after = format!("  ROOT r = (f32[{n},40], s32[{n}]) tuple(w1, w0)");
    Loop { state: &state, condition: &condition, body: &body, entry: &entry, after: &after, trips: None }
        .text()
        .replace("\nsum {", "\nsecond { a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1) }\nsum {")
}

#[test]
fn lanes_that_have_ended_change_nothing() {
    for n in [3, 16, 37] {
        in_memory(&until_all_end(n, true));
    }
    let refused = region_of_module(&until_all_end(16, false)).expect_err("no kernel");
    assert_eq!(refused.name(), "LaneNotAbsorbing");
}

#[test]
fn random_updates_agree() {
    let mut refused = 0;
    for seed in 0..200 {
        let text = random(&mut Rng(seed));
        match agree_module(&text) {
            Ok(()) => {}
            // An array is read after a loop as it was before it, or through many changes.
            Err(error) if error.contains("is read elsewhere too") => refused += 1,
            Err(error) if error.contains("would choose among") => refused += 1,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
    assert!(refused < 20, "{refused}");
}

/// A loop that reads and changes two arrays, in places that depend on the trip, on the data, and on each other; part of it in a loop
/// within.
fn random(rng: &mut Rng) -> String {
    let lanes = [None, Some(2), Some(3), Some(16), Some(37)][rng.below(5) as usize];
    let nested = rng.below(2) == 0;
    let mut text = String::new();
    let [value, places] = ["f32", "s32"].map(|t| match lanes {
        Some(n) => format!("{t}[{n}]"),
        None => format!("{t}[]"),
    });
    let array = |extent: i64| match lanes {
        Some(n) => format!("f32[{n},{extent}]"),
        None => format!("f32[{extent}]"),
    };
    let arrays = [array(20), array(31)];
    let state = ["s32[]".to_string(), arrays[0].clone(), arrays[1].clone(), value.clone(), places.clone()];
    let whole = format!("({})", state.join(", "));
    if nested {
        let count = 1 + rng.below(3);
        let body = ended(changes(rng, lanes, "inner", count), "inner", &whole);
        text += &format!(
            "inner_condition {{\n  p = {whole} parameter(0)\n  p0 = s32[] get-tuple-element(p), index=0\n  \
             three = s32[] constant(3)\n  ROOT c = pred[] compare(p0, three), direction=LT\n}}\n\
             inner_body {{\n  p = {whole} parameter(0)\n{}{body}\n}}\n",
            read("p", &state)
        );
    }
    let mut body = String::new();
    if nested {
        // What goes into the loop may have changed before, and what comes out of it changes after.
        let count = rng.below(3);
        let (before, names) = changes(rng, lanes, "before", count);
        body += &format!(
            "{before}  nought = s32[] constant(0)\n  i = {whole} tuple(nought, {})\n  \
             w = {whole} while(i), condition=inner_condition, body=inner_body\n",
            names.join(", ")
        );
        body += &(1..5)
            .map(|k| format!("  q{k} = {} get-tuple-element(w), index={k}\n", state[k]))
            .collect::<String>();
        let count = rng.below(3);
        let after = ended(changes(rng, lanes, "after", count), "after", &whole);
        body += &after.replace("p1", "q1").replace("p2", "q2").replace("p3", "q3").replace("p4", "q4");
    } else {
        let count = 1 + rng.below(5);
        body += &ended(changes(rng, lanes, "all", count), "all", &whole);
    }
    let state: Vec<&str> = state.iter().map(String::as_str).collect();
    let entry = format!(
        "  zero = s32[] constant(0)\n  a = {} parameter(0)\n  b = {} parameter(1)\n  c = {value} parameter(2)\n  \
         d = {places} parameter(3)\n  i = {whole} tuple(zero, a, b, c, d)",
        arrays[0], arrays[1]
    );
    let after = match rng.below(2) {
        0 => format!("  ROOT r = ({}, {}, {value}) tuple(w1, w2, w3)", arrays[0], arrays[1]),
        _ => format!("  n = {value} negate(w3)\n  ROOT r = ({}, {value}) tuple(w2, n)", arrays[1]),
    };
    let trips = (rng.below(2) == 0).then_some(7);
    let text_of =
        Loop { state: &state, condition: COUNTED, body: &body, entry: &entry, after: &after, trips }.text();
    let second = "second { a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1) }\n";
    text_of.replacen("\ncondition {", &format!("\n{second}{text}condition {{"), 1)
}

fn read(from: &str, state: &[String]) -> String {
    let line = |(k, t): (usize, &String)| format!("  p{k} = {t} get-tuple-element({from}), index={k}\n");
    state.iter().enumerate().map(line).collect()
}

/// A body that ends with the next state.
fn ended((text, next): (String, [String; 4]), name: &str, state: &str) -> String {
    format!("{text}  ROOT {name}_t = {state} tuple({name}_n, {})", next.join(", "))
}

/// So many reads and changes of the arrays `p1` and `p2`; with the names of what the state is then.
fn changes(rng: &mut Rng, lanes: Option<i64>, name: &str, count: u64) -> (String, [String; 4]) {
    let extents = [20, 31];
    let (value, index) = match lanes {
        Some(n) => (format!("f32[{n}]"), format!("s32[{n}]")),
        None => ("f32[]".to_string(), "s32[]".to_string()),
    };
    let mut arrays = ["p1".to_string(), "p2".to_string()];
    let (mut y, mut k) = ("p3".to_string(), "p4".to_string());
    let mut text = format!(
        "  {name}_one = s32[] constant(1)\n  {name}_n = s32[] add(p0, {name}_one)\n  \
         {name}_three = s32[] constant(3)\n  {name}_m = s32[] multiply(p0, {name}_three)\n  {name}_0 = s32[] constant(0)\n"
    );
    for step in 0..count {
        let of = rng.below(2) as usize;
        let (n, extent) = (format!("{name}_{step}"), extents[of]);
        let whole = match lanes {
            Some(l) => format!("f32[{l},{extent}]"),
            None => format!("f32[{extent}]"),
        };
        // The array as it is, or as the trip began with it.
        let from = if rng.below(3) == 0 { format!("p{}", of + 1) } else { arrays[of].clone() };
        let trip =
            ["p0".to_string(), format!("{name}_n"), format!("{name}_m")][rng.below(3) as usize].clone();
        let by_data = lanes.is_some() && rng.below(2) == 0;
        text += &match lanes {
            Some(l) if by_data => format!(
                "  {n}_k = s32[{l},1] reshape({k})\n  \
                 {n}_g = f32[{l},1] gather({from}, {n}_k), offset_dims={{1}}, collapsed_slice_dims={{}}, \
                 start_index_map={{1}}, operand_batching_dims={{0}}, start_indices_batching_dims={{0}}, \
                 index_vector_dim=1, slice_sizes={{1,1}}\n  {n}_r = {value} reshape({n}_g)\n"
            ),
            Some(l) => format!(
                "  {n}_g = f32[{l},1] dynamic-slice({from}, {name}_0, {trip}), dynamic_slice_sizes={{{l},1}}\n  \
                 {n}_r = {value} reshape({n}_g)\n"
            ),
            None => {
                let at = if rng.below(2) == 0 { &k } else { &trip };
                format!(
                    "  {n}_g = f32[1] dynamic-slice({from}, {at}), dynamic_slice_sizes={{1}}\n  \
                     {n}_r = {value} reshape({n}_g)\n"
                )
            }
        };
        let op = ["add", "subtract", "multiply", "minimum"][rng.below(4) as usize];
        text += &format!("  {n}_y = {value} {op}({n}_r, {y})\n");
        y = format!("{n}_y");
        let next = match lanes {
            Some(l) if rng.below(2) == 0 => {
                let combiner = ["sum", "second", "max"][rng.below(3) as usize];
                text += &format!(
                    "  {n}_s = s32[{l},1] reshape({k})\n  \
                     {n}_x = {whole} scatter({}, {n}_s, {y}), update_window_dims={{}}, inserted_window_dims={{1}}, \
                     scatter_dims_to_operand_dims={{1}}, input_batching_dims={{0}}, \
                     scatter_indices_batching_dims={{0}}, index_vector_dim=1, to_apply={combiner}\n",
                    arrays[of]
                );
                format!("{n}_x")
            }
            Some(l) => {
                text += &format!(
                    "  {n}_u = f32[{l},1] reshape({y})\n  \
                     {n}_x = {whole} dynamic-update-slice({}, {n}_u, {name}_0, {trip})\n",
                    arrays[of]
                );
                format!("{n}_x")
            }
            None => {
                let at = if rng.below(2) == 0 { &k } else { &trip };
                text += &format!(
                    "  {n}_u = f32[1] reshape({y})\n  {n}_x = {whole} dynamic-update-slice({}, {n}_u, {at})\n",
                    arrays[of]
                );
                format!("{n}_x")
            }
        };
        arrays[of] = match rng.below(3) {
            0 => {
                let dims = whole.trim_start_matches("f32");
                let flag = index.replace("s32", "pred");
                let to = if lanes.is_some() { "0" } else { "" };
                text += &format!(
                    "  {n}_c = {flag} compare({y}, p3), direction=LT\n  \
                     {n}_b = pred{dims} broadcast({n}_c), dimensions={{{to}}}\n  \
                     {n}_z = {whole} select({n}_b, {next}, {})\n",
                    arrays[of]
                );
                format!("{n}_z")
            }
            _ => next,
        };
        if rng.below(2) == 0 {
            let by = [3, 7, -5][rng.below(3) as usize];
            let over = if lanes.is_some() {
                format!("{index} broadcast({n}_j)")
            } else {
                format!("{index} copy({n}_j)")
            };
            let over = if lanes.is_some() { format!("{over}, dimensions={{}}") } else { over };
            text += &format!(
                "  {n}_j = s32[] constant({by})\n  {n}_jb = {over}\n  {n}_p = {index} add({k}, {n}_jb)\n"
            );
            k = format!("{n}_p");
        }
    }
    text += &format!("  {name}_y = {value} tanh({y})\n");
    let [x1, x2] = arrays;
    (text, [x1, x2, format!("{name}_y"), k])
}

/// Registers have the elements of an array whose places are written in the program.
#[test]
fn fixed_places_are_registers() {
    let body = format!(
        "{NEXT}  three = s32[] constant(3)\n  r = f32[1] slice(p1), slice={{[7:8]}}\n  n = f32[1] cosine(r)\n  \
         x = f32[40] dynamic-update-slice(p1, n, three)\n  \
         ROOT t = (s32[], f32[40], f32[], s32[]) tuple(next, x, p2, p3)"
    );
    let text = over_array(None, &body);
    agrees(&text);
    let region = region_of_module(&text).expect("a kernel").to_string();
    assert!(!region.contains(" after "), "{region}");
}
