//! Loops as kernels: what works lane by lane agrees with the interpreter to the bit; what does not is refused.

#[path = "../common/mod.rs"]
mod common;
mod nested;
mod random;
mod updates;

use common::region::{agree_module, region_of_module};
use lawson_kernel::cost::figures;
use lawson_kernel::lower::lower;
use lawson_kernel::plan::plan;
use lawson_kernel::target::Target;

/// A loop: the types of its state, condition and body (`p` is the state), the entry up to the initial state `i`,
/// and after the result `w`.
struct Loop<'a> {
    state: &'a [&'a str],
    condition: &'a str,
    body: &'a str,
    entry: &'a str,
    after: &'a str,
    trips: Option<i64>,
}

const FUNCTIONS: &str = "
any { a = pred[] parameter(0)
  b = pred[] parameter(1)
  ROOT r = pred[] or(a, b) }
all { a = pred[] parameter(0)
  b = pred[] parameter(1)
  ROOT r = pred[] and(a, b) }
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
largest { v = f32[] parameter(0)
  i = s32[] parameter(1)
  w = f32[] parameter(2)
  j = s32[] parameter(3)
  above = pred[] compare(w, v), direction=GT
  u = f32[] select(above, w, v)
  k = s32[] select(above, j, i)
  ROOT r = (f32[], s32[]) tuple(u, k) }
";

impl Loop<'_> {
    fn text(&self) -> String {
        let state = format!("({})", self.state.join(", "));
        let elements = |from: &str| -> String {
            let element =
                |(n, t): (usize, &&str)| format!("  {from}{n} = {t} get-tuple-element({from}), index={n}\n");
            self.state.iter().enumerate().map(element).collect()
        };
        let trips = self.trips.map_or(String::new(), |n| {
            format!(", backend_config={{\"known_trip_count\":{{\"n\":\"{n}\"}}}}")
        });
        format!(
            "HloModule m\n{FUNCTIONS}\ncondition {{\n  p = {state} parameter(0)\n{elements}{}\n}}\n\
             body {{\n  p = {state} parameter(0)\n{elements}{}\n}}\n\
             ENTRY e {{\n{}\n  w = {state} while(i), condition=condition, body=body{trips}\n{results}{}\n}}\n",
            self.condition,
            self.body,
            self.entry,
            self.after,
            elements = elements("p"),
            results = elements("w"),
        )
    }

    #[track_caller]
    fn agrees(&self) {
        agrees(&self.text());
    }

    #[track_caller]
    fn plan(&self) -> String {
        plan_of_module(&self.text())
    }

    /// The name of the refusal.
    #[track_caller]
    fn refusal(&self) -> &'static str {
        region_of_module(&self.text()).expect_err("no kernel").name()
    }
}

#[track_caller]
fn agrees(text: &str) {
    if let Err(error) = agree_module(text) {
        panic!("{error}\n{text}");
    }
}

/// The plan of a whole module, as text.
#[track_caller]
fn plan_of_module(text: &str) -> String {
    let region = region_of_module(text).expect("a kernel");
    plan(&region, &Target::zen4(), figures::work).expect("a plan").to_string()
}

/// `p0 < 7`.
const COUNTED: &str = "  seven = s32[] constant(7)\n  ROOT c = pred[] compare(p0, seven), direction=LT";

fn counted<'a>(state: &'a [&'a str], body: &'a str, entry: &'a str, after: &'a str) -> Loop<'a> {
    Loop { state, condition: COUNTED, body, entry, after, trips: Some(7) }
}

#[test]
fn carries_stay_in_their_lanes() {
    let text = "
  one = s32[] constant(1)
  next = s32[] add(p0, one)
  y = f32[37] multiply(p1, p2)
  z = f32[37] sine(y)
  ROOT t = (s32[], f32[37], f32[37]) tuple(next, z, p1)";
    counted(
        &["s32[]", "f32[37]", "f32[37]"],
        text,
        "  zero = s32[] constant(0)\n  a = f32[37] parameter(0)\n  b = f32[37] parameter(1)\n  \
         e = f32[37] add(a, b)\n  i = (s32[], f32[37], f32[37]) tuple(zero, e, b)",
        "  d = f32[37] subtract(w1, w2)\n  ROOT r = (f32[37], f32[37], s32[]) tuple(d, w1, w0)",
    )
    .agrees();
}

#[test]
fn stacked_components_and_tables_resolve() {
    let body = "
  one = s32[] constant(1)
  zero = s32[] constant(0)
  next = s32[] add(p0, one)
  row = f32[1,20] dynamic-slice(p2, p0, zero), dynamic_slice_sizes={1,20}
  x = f32[1,20] slice(p1), slice={[0:1], [0:20]}
  y = f32[1,20] slice(p1), slice={[2:3], [0:20]}
  xy = f32[1,20] add(x, row)
  yx = f32[1,20] multiply(y, x)
  k = f32[3] constant({1, 2, 0.5})
  kb = f32[3,20] broadcast(k), dimensions={0}
  s = f32[3,20] concatenate(xy, yx, x), dimensions={0}
  ks = f32[3,20] multiply(kb, s)
  ROOT t = (s32[], f32[3,20], f32[9,20]) tuple(next, ks, p2)";
    counted(
        &["s32[]", "f32[3,20]", "f32[9,20]"],
        body,
        "  zero = s32[] constant(0)\n  a = f32[3,20] parameter(0)\n  b = f32[9,20] parameter(1)\n  \
         i = (s32[], f32[3,20], f32[9,20]) tuple(zero, a, b)",
        "  ROOT n = f32[3,20] negate(w1)",
    )
    .agrees();
}

const ESCAPE: &str = "
  two = f32[] constant(2)
  tb = f32[9,21] broadcast(two), dimensions={}
  m = f32[9,21] abs(p0)
  go = pred[9,21] compare(m, tb), direction=LT
  one = s32[] constant(1)
  ones = s32[9,21] broadcast(one), dimensions={}
  sq = f32[9,21] multiply(p0, p0)
  x = f32[9,21] add(sq, p2)";
const SOME_GO: &str = "
  two = f32[] constant(2)
  tb = f32[9,21] broadcast(two), dimensions={}
  limit = s32[] constant(20)
  lb = s32[9,21] broadcast(limit), dimensions={}
  m = f32[9,21] abs(p0)
  go = pred[9,21] compare(m, tb), direction=LT
  few = pred[9,21] compare(p1, lb), direction=LT
  both = pred[9,21] and(go, few)
  no = pred[] constant(false)
  ROOT r = pred[] reduce(both, no), dimensions={0,1}, to_apply=any";
const GRID: &[&str] = &["f32[9,21]", "s32[9,21]", "f32[9,21]"];
const GRID_STARTS: &str = "  a = f32[9,21] parameter(0)\n  c = f32[9,21] parameter(1)\n  zero = s32[] constant(0)\n  \
     z = s32[9,21] broadcast(zero), dimensions={}\n  i = (f32[9,21], s32[9,21], f32[9,21]) tuple(a, z, c)";

#[test]
fn lanes_that_have_ended_stay_as_they_are() {
    let body = format!(
        "{ESCAPE}
  limit = s32[] constant(20)
  lb = s32[9,21] broadcast(limit), dimensions={{}}
  few = pred[9,21] compare(p1, lb), direction=LT
  both = pred[9,21] and(go, few)
  step = s32[9,21] convert(both)
  n = s32[9,21] add(p1, step)
  y = f32[9,21] select(both, x, p0)
  ROOT t = (f32[9,21], s32[9,21], f32[9,21]) tuple(y, n, p2)"
    );
    let after = "  ROOT r = (s32[9,21], f32[9,21]) tuple(w1, w0)";
    let grid =
        |condition, body| Loop { state: GRID, condition, body, entry: GRID_STARTS, after, trips: None };
    grid(SOME_GO, &body).agrees();
    // A counter that goes on where the lane has ended would give other counts.
    let running = format!(
        "{ESCAPE}\n  n = s32[9,21] add(p1, ones)\n  y = f32[9,21] select(go, x, p0)\n  \
         ROOT t = (f32[9,21], s32[9,21], f32[9,21]) tuple(y, n, p2)"
    );
    assert_eq!(grid(SOME_GO, &running).refusal(), "LaneNotAbsorbing");
}

#[test]
fn not_all_is_any_not() {
    Loop {
        state: &["s32[33]", "s32[33]", "s32[]"],
        condition: "
  done = pred[33] compare(p0, p1), direction=GE
  yes = pred[] constant(true)
  all = pred[] reduce(done, yes), dimensions={0}, to_apply=all
  some = pred[] not(all)
  hundred = s32[] constant(100)
  early = pred[] compare(p2, hundred), direction=LT
  ROOT go = pred[] and(early, some)",
        body: "
  done = pred[33] compare(p0, p1), direction=GE
  three = s32[] constant(3)
  tb = s32[33] broadcast(three), dimensions={}
  up = s32[33] add(p0, tb)
  x = s32[33] select(done, p0, up)
  one = s32[] constant(1)
  n = s32[] add(p2, one)
  ROOT t = (s32[33], s32[33], s32[]) tuple(x, p1, n)",
        entry: "  a = s32[33] parameter(0)\n  b = s32[33] parameter(1)\n  zero = s32[] constant(0)\n  \
                i = (s32[33], s32[33], s32[]) tuple(a, b, zero)",
        after: "  ROOT r = s32[33] copy(w0)",
        trips: None,
    }
    .agrees();
}

/// Writes `x` times two into row `p0`, counting up or down.
fn scan<'a>(body: &'a str, trips: Option<i64>, after: &'a str) -> Loop<'a> {
    Loop {
        state: &["s32[]", "f32[24]", "f32[7,24]"],
        condition: COUNTED,
        body,
        entry: "  zero = s32[] constant(0)\n  a = f32[24] parameter(0)\n  ys = f32[7,24] parameter(1)\n  \
                i = (s32[], f32[24], f32[7,24]) tuple(zero, a, ys)",
        after,
        trips,
    }
}

#[test]
fn stacked_results_are_stored_in_each_trip() {
    let both = "  ROOT r = (f32[24], f32[7,24]) tuple(w1, w2)";
    for row in ["p0", "back"] {
        let body = format!(
            "  one = s32[] constant(1)\n  six = s32[] constant(6)\n  zero = s32[] constant(0)\n  \
             next = s32[] add(p0, one)\n  back = s32[] subtract(six, p0)\n  two = f32[] constant(2)\n  \
             tb = f32[24] broadcast(two), dimensions={{}}\n  x = f32[24] multiply(p1, tb)\n  \
             y = f32[1,24] reshape(x)\n  ys = f32[7,24] dynamic-update-slice(p2, y, {row}, zero)\n  \
             ROOT t = (s32[], f32[24], f32[7,24]) tuple(next, x, ys)"
        );
        scan(&body, Some(7), both).agrees();
        // Without the number of trips some rows may keep what they were.
        scan(&body, None, both).agrees();
    }
}

/// The stores of Loop IR with an offset for each lane.
fn scatters(code: &str) -> usize {
    let vectors: Vec<&str> =
        code.lines().filter(|l| l.contains(": i64x")).filter_map(|l| l.trim().split(' ').next()).collect();
    let offset = |l: &str| l.split_once('[')?.1.split_once(']').map(|(v, _)| v.to_string());
    let stores = code.lines().filter(|l| l.trim().starts_with("store"));
    stores.filter_map(offset).filter(|v| vectors.contains(&v.as_str())).count()
}

/// Components that lie side by side in memory, of a state and of rows that each trip writes: whole vectors are stored.
#[test]
fn components_are_stored_in_the_order_of_memory() {
    for n in [2, 3, 6, 14, 11] {
        let (state, row) = (format!("f32[41,{n}]"), format!("f32[1,41,{n}]"));
        let (column, others) = ("f32[41,1]", format!("f32[41,{}]", n - 1));
        let rows = format!("f32[7,41,{n}]");
        let body = format!(
            "  one = s32[] constant(1)\n  zero = s32[] constant(0)\n  next = s32[] add(p0, one)\n  \
             x = {column} slice(p1), slice={{[0:41], [0:1]}}\n  y = {others} slice(p1), slice={{[0:41], [1:{n}]}}\n  \
             last = {column} slice(p1), slice={{[0:41], [{last}:{n}]}}\n  z = {column} multiply(x, last)\n  \
             s = {state} concatenate(y, z), dimensions={{1}}\n  r = {row} reshape(s)\n  \
             rs = {rows} dynamic-update-slice(p2, r, p0, zero, zero)\n  \
             ROOT t = (s32[], {state}, {rows}) tuple(next, s, rs)",
            last = n - 1
        );
        let entry = format!(
            "  zero = s32[] constant(0)\n  a = {state} parameter(0)\n  b = {rows} parameter(1)\n  \
             i = (s32[], {state}, {rows}) tuple(zero, a, b)"
        );
        let after = format!("  ROOT r = ({state}, {rows}) tuple(w1, w2)");
        let states = ["s32[]", &state, &rows];
        let l = counted(&states, &body, &entry, &after);
        l.agrees();
        let region = region_of_module(&l.text()).expect("a kernel");
        let plan = plan(&region, &Target::zen4(), figures::work).expect("a plan");
        let code = lower(&region, &plan, "k").expect("code").to_string();
        // Eleven vectors would take ten shuffles each.
        assert_eq!(scatters(&code) > 0, n == 11, "{n}: {code}");
    }
}

#[test]
fn expensive_sides_of_selects_are_branches() {
    for (x, y) in [("fresh", "down"), ("down", "fresh")] {
        let body = format!(
            "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  k = f32[] constant(0.3)\n  \
             kb = f32[45] broadcast(k), dimensions={{}}\n  zero = f32[] constant(0)\n  \
             zb = f32[45] broadcast(zero), dimensions={{}}\n  down = f32[45] subtract(p1, kb)\n  \
             out = pred[45] compare(down, zb), direction=LT\n  n = f32[] convert(p0)\n  \
             nb = f32[45] broadcast(n), dimensions={{}}\n  s = f32[45] sine(nb)\n  t = f32[45] tanh(p1)\n  \
             st = f32[45] add(s, t)\n  e = f32[45] exponential(st)\n  c = f32[45] cosine(e)\n  \
             l = f32[45] log(e)\n  cl = f32[45] add(c, l)\n  q = f32[45] tan(cl)\n  r = f32[45] erf(cl)\n  \
             u = f32[45] power(e, r)\n  uq = f32[45] add(u, q)\n  fresh = f32[45] add(uq, kb)\n  \
             x = f32[45] select(out, {x}, {y})\n  ROOT t2 = (s32[], f32[45]) tuple(next, x)"
        );
        let l = counted(
            &["s32[]", "f32[45]"],
            &body,
            "  zero = s32[] constant(0)\n  a = f32[45] parameter(0)\n  i = (s32[], f32[45]) tuple(zero, a)",
            "  ROOT r = f32[45] copy(w1)",
        );
        l.agrees();
        let plan = l.plan();
        assert!(plan.contains("operations only where some lane has"), "{plan}");
    }
}

#[test]
fn rows_of_later_trips_are_brought_near() {
    for (table, index, near) in [
        ("f32[7,640]", "p0, zero", true),
        // Where the row depends on data, its place is not known ahead.
        ("f32[7,640]", "at, zero", false),
        ("f32[640,7]", "zero, p0", false),
    ] {
        let slice = if table == "f32[7,640]" { "1,640" } else { "640,1" };
        let body = format!(
            "  one = s32[] constant(1)\n  zero = s32[] constant(0)\n  next = s32[] add(p0, one)\n  \
             at = s32[] xor(p3, p0)\n  row = f32[{slice}] dynamic-slice(p2, {index}), \
             dynamic_slice_sizes={{{slice}}}\n  x = f32[640] reshape(row)\n  y = f32[640] add(p1, x)\n  \
             ROOT t = (s32[], f32[640], {table}, s32[]) tuple(next, y, p2, at)"
        );
        let entry = format!(
            "  zero = s32[] constant(0)\n  a = f32[640] parameter(0)\n  b = {table} parameter(1)\n  \
             i = (s32[], f32[640], {table}, s32[]) tuple(zero, a, b, zero)"
        );
        let state = ["s32[]", "f32[640]", table, "s32[]"];
        let l = counted(&state, &body, &entry, "  ROOT r = f32[640] copy(w1)");
        l.agrees();
        assert_eq!(l.plan().contains("1 loads brought near"), near, "{table} {index}: {}", l.plan());
    }
}

#[test]
fn scalars_and_lookups() {
    counted(
        &["s32[]", "s32[19]", "f32[8]"],
        "
  one = s32[] constant(1)
  next = s32[] add(p0, one)
  at = s32[19,1] reshape(p1)
  v = f32[19] gather(p2, at), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
  vi = s32[19] convert(v)
  k = s32[19] add(p1, vi)
  ROOT t = (s32[], s32[19], f32[8]) tuple(next, k, p2)",
        "  zero = s32[] constant(0)\n  a = s32[19] parameter(0)\n  b = f32[8] parameter(1)\n  \
         i = (s32[], s32[19], f32[8]) tuple(zero, a, b)",
        "  ROOT r = s32[19] copy(w1)",
    )
    .agrees();
    counted(
        &["s32[]", "u32[2]"],
        "
  one = s32[] constant(1)
  next = s32[] add(p0, one)
  lo = u32[1] slice(p1), slice={[0:1]}
  hi = u32[1] slice(p1), slice={[1:2]}
  mix = u32[1] xor(lo, hi)
  more = u32[1] multiply(mix, hi)
  k = u32[2] concatenate(more, mix), dimensions={0}
  ROOT t = (s32[], u32[2]) tuple(next, k)",
        "  zero = s32[] constant(0)\n  a = u32[2] parameter(0)\n  i = (s32[], u32[2]) tuple(zero, a)",
        "  ROOT r = u32[2] copy(w1)",
    )
    .agrees();
}

#[test]
fn what_mixes_lanes_is_refused() {
    let body = |x: &str| {
        format!(
            "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n{x}\n  \
             ROOT t = (s32[], f32[128]) tuple(next, x)"
        )
    };
    let refusal = |x: &str| {
        counted(
            &["s32[]", "f32[128]"],
            &body(x),
            "  zero = s32[] constant(0)\n  a = f32[128] parameter(0)\n  i = (s32[], f32[128]) tuple(zero, a)",
            "  ROOT r = f32[128] copy(w1)",
        )
        .refusal()
    };
    assert_eq!(refusal("  x = f32[128] reverse(p1), dimensions={0}"), "CrossLane");
    assert_eq!(
        refusal(
            "  a = f32[100] slice(p1), slice={[28:128]}\n  b = f32[28] slice(p1), slice={[0:28]}\n  \
             x = f32[128] concatenate(a, b), dimensions={0}"
        ),
        "CrossLane"
    );
    assert_eq!(
        refusal(
            "  z = f32[] constant(0)\n  s = f32[] reduce(p1, z), dimensions={0}, to_apply=sum\n  \
             sb = f32[128] broadcast(s), dimensions={}\n  x = f32[128] subtract(p1, sb)"
        ),
        "CrossLane"
    );
}

#[test]
fn arrays_without_common_lanes_are_refused() {
    let refusal = counted(
        &["s32[]", "f32[128]", "f32[256]"],
        "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  x = f32[128] sine(p1)\n  \
         y = f32[256] cosine(p2)\n  ROOT t = (s32[], f32[128], f32[256]) tuple(next, x, y)",
        "  zero = s32[] constant(0)\n  a = f32[128] parameter(0)\n  b = f32[256] parameter(1)\n  \
         i = (s32[], f32[128], f32[256]) tuple(zero, a, b)",
        "  ROOT r = (f32[128], f32[256]) tuple(w1, w2)",
    )
    .refusal();
    assert_eq!(refusal, "LargeState");
}

/// Random bodies: elementwise operations on the state, an invariant and a table, in components and lanes.
#[test]
fn what_a_lane_combines_of_its_own_stays_in_it() {
    let body = "
  one = s32[] constant(1)
  next = s32[] add(p0, one)
  scores = f32[45,2] dot(p1, p2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  i = s32[45,2] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  first = s32[] constant(0)
  best = (f32[45], s32[45]) reduce(scores, i, low, first), dimensions={1}, to_apply=largest
  action = s32[45] get-tuple-element(best), index=1
  push = f32[45] convert(action)
  pushes = f32[45,4] broadcast(push), dimensions={0}
  x = f32[45,4] subtract(p1, pushes)
  ROOT t = (s32[], f32[45,4], f32[4,2]) tuple(next, x, p2)";
    let state = ["s32[]", "f32[45,4]", "f32[4,2]"];
    let entry = "  zero = s32[] constant(0)\n  a = f32[45,4] parameter(0)\n  q = f32[4,2] parameter(1)\n  \
                 i = (s32[], f32[45,4], f32[4,2]) tuple(zero, a, q)";
    let l = counted(&state, body, entry, "  ROOT r = f32[45,4] copy(w1)");
    l.agrees();
    assert!(l.plan().contains("16 lanes along loop 0"), "{}", l.plan());
}

/// What the condition is made of is known where it is false.
/// The text of seven trips of `tanh(y W)`, of so many lanes and units.
fn network(lanes: usize, units: usize) -> String {
    let (y, w) = (format!("f32[{lanes},{units}]"), format!("f32[{units},{units}]"));
    let state = ["s32[]", &y, &w];
    let body = format!(
        "  one = s32[] constant(1)
  next = s32[] add(p0, one)
  product = {y} dot(p1, p2), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  y = {y} tanh(product)
  ROOT t = (s32[], {y}, {w}) tuple(next, y, p2)"
    );
    let entry = format!(
        "  start = {y} parameter(0)
  weights = {w} parameter(1)
  zero = s32[] constant(0)
  i = (s32[], {y}, {w}) tuple(zero, start, weights)"
    );
    let after = format!("  ROOT r = {y} copy(w1)");
    counted(&state, &body, &entry, &after).text()
}

/// The weights of a network stay in memory, where each is read for all lanes: in registers they would be vectors.
#[test]
fn shared_elements_beyond_the_registers_are_loaded_anew() {
    let (few, many) = (network(45, 3), network(45, 7));
    agrees(&few);
    agrees(&many);
    let (few, many) = (plan_of_module(&few), plan_of_module(&many));
    assert!(!few.contains("loaded anew"), "{few}");
    assert!(many.contains("49 shared elements loaded anew in each trip"), "{many}");
}

#[test]
fn wide_layers_are_kernels_of_their_own() {
    let region = region_of_module(&network(45, 32)).expect("a region");
    let refusal = plan(&region, &Target::zen4(), figures::work).expect_err("no plan");
    assert_eq!(refusal.name(), "CodeSize");
    assert!(plan(&region, &Target::h100(), figures::work).is_ok(), "launches cost more there");
}

#[test]
fn a_flag_that_goes_out_ends_its_lane() {
    Loop {
        state: &["f32[33]", "pred[33]"],
        condition: "  no = pred[] constant(false)\n  ROOT r = pred[] reduce(p1, no), dimensions={0}, to_apply=any",
        body: "
  half = f32[] constant(0.5)
  hb = f32[33] broadcast(half), dimensions={}
  y = f32[33] multiply(p0, hb)
  x = f32[33] select(p1, y, p0)
  above = pred[33] compare(x, hb), direction=GT
  go = pred[33] and(p1, above)
  ROOT t = (f32[33], pred[33]) tuple(x, go)",
        entry: "  a = f32[33] parameter(0)\n  b = pred[33] parameter(1)\n  i = (f32[33], pred[33]) tuple(a, b)",
        after: "  ROOT r = (f32[33], pred[33]) tuple(w0, w1)",
        trips: None,
    }
    .agrees();
}

#[test]
fn rows_may_be_written_from_the_last_to_the_first() {
    let both = "  ROOT r = (f32[24], f32[7,24]) tuple(w1, w2)";
    let body = "  one = s32[] constant(1)\n  seven = s32[] constant(7)\n  zero = s32[] constant(0)\n  \
         next = s32[] add(p0, one)\n  left = s32[] subtract(seven, p0)\n  back = s32[] subtract(left, one)\n  \
         x = f32[24] add(p1, p1)\n  y = f32[1,24] reshape(x)\n  \
         ys = f32[7,24] dynamic-update-slice(p2, y, back, zero)\n  \
         ROOT t = (s32[], f32[24], f32[7,24]) tuple(next, x, ys)";
    let l = scan(body, Some(7), both);
    l.agrees();
    assert_eq!(region_of_module(&l.text()).expect("a kernel").aliases, [], "every row is written");
}

/// Lanes that count for themselves look up far elements, at places that are known ahead for none of them together.
#[test]
fn counters_of_lanes_are_no_counters_of_rows() {
    let l = counted(
        &["s32[]", "s32[640]", "f32[640]", "f32[700,100]"],
        "
  one = s32[] constant(1)
  next = s32[] add(p0, one)
  ones = s32[640] broadcast(one), dimensions={}
  k = s32[640] add(p1, ones)
  at = s32[640,1] reshape(p1)
  row = f32[640,1,1] gather(p3, at), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,1}
  v = f32[640] reshape(row)
  x = f32[640] add(p2, v)
  ROOT t = (s32[], s32[640], f32[640], f32[700,100]) tuple(next, k, x, p3)",
        "  zero = s32[] constant(0)\n  a = f32[640] parameter(0)\n  b = f32[700,100] parameter(1)\n  \
         n = s32[640] iota(), iota_dimension=0\n  \
         i = (s32[], s32[640], f32[640], f32[700,100]) tuple(zero, n, a, b)",
        "  ROOT r = f32[640] copy(w2)",
    );
    l.agrees();
    assert!(!l.plan().contains("brought near"), "{}", l.plan());
}

/// The steps of a Runge-Kutta method are rows that a trip fills one after the other: each element is of one row, known where the code
/// is written, so nothing is chosen by an index.
#[test]
fn rows_filled_at_known_places_are_no_pieces() {
    let mut body = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
         none = f32[] constant(0)\n  k0 = f32[9,3] broadcast(none), dimensions={}\n"
        .to_string();
    for row in 0..9 {
        let last = if row == 0 { "p1".to_string() } else { format!("s{}", row - 1) };
        body += &format!(
            "  y{row} = f32[3] cosine({last})\n  r{row} = f32[1,3] reshape(y{row})\n  at{row} = s32[] constant({row})\n  \
             k{} = f32[9,3] dynamic-update-slice(k{row}, r{row}, at{row}, zero)\n  \
             s{row} = f32[3] reduce(k{}, none), dimensions={{0}}, to_apply=sum\n",
            row + 1,
            row + 1,
        );
    }
    body += "  ROOT t = (s32[], f32[3]) tuple(next, s8)";
    let entry = "  zero = s32[] constant(0)\n  a = f32[3] parameter(0)\n  i = (s32[], f32[3]) tuple(zero, a)";
    counted(&["s32[]", "f32[3]"], &body, entry, "  ROOT r = f32[3] copy(w1)").agrees();
}
