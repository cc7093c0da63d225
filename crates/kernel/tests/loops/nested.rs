//! Loops within loops: they stay loops within the kernel, and agree with the interpreter to the bit.

use super::*;

/// A loop within a loop within the entry; `p`, `q`, … are the states, outermost first.
pub struct Nest<'a> {
    /// For each loop, outermost first: its state, condition, body. Each body but the last holds `while(NAME)` of the
    /// next, named `inner`.
    pub loops: &'a [(&'a [&'a str], &'a str, &'a str)],
    pub entry: &'a str,
    pub after: &'a str,
}

impl Nest<'_> {
    pub fn text(&self) -> String {
        let mut text = format!("HloModule m\n{FUNCTIONS}");
        for (n, (state, condition, body)) in self.loops.iter().enumerate().rev() {
            let whole = format!("({})", state.join(", "));
            let letter = ["p", "q", "r", "s"][n];
            let read = |from: &str, name: &str, state: &[&str]| -> String {
                let line = |(k, t): (usize, &&str)| {
                    format!("  {name}{k} = {t} get-tuple-element({from}), index={k}\n")
                };
                state.iter().enumerate().map(line).collect()
            };
            let elements = read(letter, letter, state);
            let body =
                body.replace("WHILE", &format!("while(i), condition=condition{0}, body=body{0}", n + 1));
            let body = match self.loops.get(n + 1) {
                // What follows the line of the loop reads its results.
                Some((inner, ..)) => {
                    let (before, after) = body.split_once("AFTER\n").expect("results of the loop are read");
                    format!("{before}{}{after}", read("w", "w", inner))
                }
                None => body,
            };
            text += &format!(
                "condition{n} {{\n  {letter} = {whole} parameter(0)\n{elements}{condition}\n}}\n\
                 body{n} {{\n  {letter} = {whole} parameter(0)\n{elements}{body}\n}}\n"
            );
        }
        let state = self.loops[0].0;
        let results = (0..state.len()).zip(state);
        let results: String =
            results.map(|(k, t)| format!("  w{k} = {t} get-tuple-element(w), index={k}\n")).collect();
        let whole = format!("({})", state.join(", "));
        text + &format!(
            "ENTRY e {{\n{}\n  w = {whole} while(i), condition=condition0, body=body0\n{results}{}\n}}\n",
            self.entry, self.after
        )
    }

    /// The plan, as text.
    #[track_caller]
    fn agrees(&self) -> String {
        let text = self.text();
        agrees(&text);
        plan_of_module(&text)
    }

    #[track_caller]
    fn refusal(&self) -> &'static str {
        region_of_module(&self.text()).expect_err("no kernel").name()
    }
}

/// The text with a note of how often each loop runs.
fn counted_trips(text: String, trips: &[i64]) -> String {
    trips.iter().enumerate().fold(text, |text, (n, trips)| {
        let noted = format!("body=body{n}, backend_config={{\"known_trip_count\":{{\"n\":\"{trips}\"}}}}\n");
        text.replace(&format!("body=body{n}\n"), &noted)
    })
}

/// `0 < LIMIT` of the first element of a state.
fn below(letter: &str, limit: i64) -> String {
    format!("  limit = s32[] constant({limit})\n  ROOT c = pred[] compare({letter}0, limit), direction=LT")
}

const ENTRY: &str = "  zero = s32[] constant(0)\n  a = f32[37] parameter(0)\n  b = f32[37] parameter(1)\n  \
     i = (s32[], f32[37], f32[37]) tuple(zero, a, b)";
const PAIR: &[&str] = &["s32[]", "f32[37]", "f32[37]"];

/// Takes a step of the outer loop, with a loop inside that starts from its state.
const AROUND: &str = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
     x = f32[37] sine(p1)\n  i = (s32[], f32[37], f32[37]) tuple(zero, x, p2)\n  \
     w = (s32[], f32[37], f32[37]) WHILE\nAFTER\n  y = f32[37] subtract(w1, p1)\n  \
     ROOT t = (s32[], f32[37], f32[37]) tuple(next, y, p2)";

const WITHIN: &str = "  one = s32[] constant(1)\n  next = s32[] add(q0, one)\n  n = f32[] convert(q0)\n  \
     nb = f32[37] broadcast(n), dimensions={}\n  s = f32[37] multiply(q1, q2)\n  x = f32[37] add(s, nb)\n  \
     y = f32[37] cosine(x)\n  ROOT t = (s32[], f32[37], f32[37]) tuple(next, y, q2)";

#[test]
fn a_loop_of_known_trips_stays_inside() {
    for trips in [0, 1, 100] {
        let (outer, inner) = (below("p", 5), below("q", trips));
        let loops = [(PAIR, &outer[..], AROUND), (PAIR, &inner[..], WITHIN)];
        let after = "  ROOT r = (f32[37], s32[]) tuple(w1, w0)";
        let plan = Nest { loops: &loops, entry: ENTRY, after }.agrees();
        assert!(plan.contains("1 loops within"), "{plan}");
    }
}

/// The trips of the inner loop are those of the outer one so far; what it counts is used.
#[test]
fn trips_may_be_counted_by_the_loop_around() {
    let around = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
         i = (s32[], f32[37], s32[]) tuple(zero, p1, p0)\n  w = (s32[], f32[37], s32[]) WHILE\nAFTER\n  \
         n = f32[] convert(w0)\n  nb = f32[37] broadcast(n), dimensions={}\n  y = f32[37] add(w1, nb)\n  \
         ROOT t = (s32[], f32[37], f32[37]) tuple(next, y, p2)";
    let within = "  one = s32[] constant(1)\n  next = s32[] add(q0, one)\n  y = f32[37] cosine(q1)\n  \
         ROOT t = (s32[], f32[37], s32[]) tuple(next, y, q2)";
    let state = ["s32[]", "f32[37]", "s32[]"];
    let condition = "  ROOT c = pred[] compare(q0, q2), direction=LT";
    let outer = below("p", 9);
    let loops = [(PAIR, &outer[..], around), (&state[..], condition, within)];
    Nest { loops: &loops, entry: ENTRY, after: "  ROOT r = f32[37] copy(w1)" }.agrees();
}

const COUNT: &str = "
  half = f32[] constant(0.5)
  hb = f32[37] broadcast(half), dimensions={}
  size = f32[37] abs(q1)
  go = pred[37] compare(size, hb), direction=GT";
const UNTIL: &str =
    "  no = pred[] constant(false)\n  ROOT r = pred[] reduce(go, no), dimensions={0}, to_apply=any";

/// Each lane halves its value as often as it takes, in every trip.
#[test]
fn lanes_may_leave_the_inner_loop_one_by_one() {
    let around = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
         zb = s32[37] broadcast(zero), dimensions={}\n  i = (s32[37], f32[37]) tuple(zb, p1)\n  \
         w = (s32[37], f32[37]) WHILE\nAFTER\n  n = f32[37] convert(w0)\n  m = f32[37] add(w1, n)\n  \
         y = f32[37] add(m, p2)\n  ROOT t = (s32[], f32[37], f32[37]) tuple(next, y, p2)";
    let within = |y: &str| {
        format!(
            "{COUNT}\n  less = f32[37] multiply(q1, hb)\n  y = f32[37] select(go, less, {y})\n  \
             k = s32[37] convert(go)\n  n = s32[37] add(q0, k)\n  ROOT t = (s32[37], f32[37]) tuple(n, y)"
        )
    };
    let (outer, until) = (below("p", 6), format!("{COUNT}\n{UNTIL}"));
    let state = ["s32[37]", "f32[37]"];
    let nest = |within: &str| {
        let loops = [(PAIR, &outer[..], around), (&state[..], &until[..], within)];
        let nest = Nest { loops: &loops, entry: ENTRY, after: "  ROOT r = f32[37] copy(w1)" };
        match within.contains("q1)\n  k") {
            true => Ok(nest.agrees()),
            false => Err(nest.refusal()),
        }
    };
    assert!(nest(&within("q1")).is_ok_and(|plan| plan.contains("1 loops within")));
    // A lane that goes on would have other values than on the host.
    assert_eq!(nest(&within("hb")), Err("LaneNotAbsorbing"));
}

/// A counter of all lanes ends with the last of them, which a group of lanes does not know.
#[test]
fn what_counts_for_all_lanes_stays_unknown_to_each() {
    let around = |n: &str| {
        format!(
            "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
             i = (s32[], f32[37]) tuple(zero, p1)\n  w = (s32[], f32[37]) WHILE\nAFTER\n  \
             n = f32[] convert({n})\n  nb = f32[37] broadcast(n), dimensions={{}}\n  y = f32[37] add(w1, nb)\n  \
             ROOT t = (s32[], f32[37], f32[37]) tuple(next, y, p2)"
        )
    };
    let within = format!(
        "{COUNT}\n  one = s32[] constant(1)\n  n = s32[] add(q0, one)\n  less = f32[37] multiply(q1, hb)\n  \
         y = f32[37] select(go, less, q1)\n  ROOT t = (s32[], f32[37]) tuple(n, y)"
    );
    let (outer, until) = (below("p", 6), format!("{COUNT}\n{UNTIL}"));
    let state = ["s32[]", "f32[37]"];
    for (n, refused) in [("p0", false), ("w0", true)] {
        let around = around(n);
        let loops = [(PAIR, &outer[..], &around[..]), (&state[..], &until[..], &within[..])];
        let nest = Nest { loops: &loops, entry: ENTRY, after: "  ROOT r = f32[37] copy(w1)" };
        match refused {
            true => assert_eq!(nest.refusal(), "LaneNotAbsorbing"),
            false => drop(nest.agrees()),
        }
    }
}

/// Three loops in one another write a part of one array in each trip of the innermost, and rows are read by all
/// counters.
#[test]
fn what_inner_loops_stack_goes_to_the_output() {
    let whole = "f32[3,4,5,37]";
    let table = "f32[3,5,640]";
    for width in [37, 640] {
        let sized = |s: &str| s.replace("37", &width.to_string());
        let (whole, table) = (sized(whole), table.replace("640", &width.to_string()));
        let (part, row) = (sized("f32[4,5,37]"), sized("f32[5,37]"));
        let lanes = sized("f32[37]");
        let first = ["s32[]", &lanes, &whole, &table];
        let second = ["s32[]", &lanes, &part, &table, "s32[]"];
        let third = ["s32[]", &lanes, &row, &table, "s32[]"];
        let start = "  one = s32[] constant(1)\n  zero = s32[] constant(0)\n  none = f32[] constant(0)\n";
        let outer = sized(&format!(
            "{start}  next = s32[] add(p0, one)\n  e = {part} broadcast(none), dimensions={{}}\n  \
             i = ({}) tuple(zero, p1, e, p3, p0)\n  w = ({}) WHILE\nAFTER\n  \
             u = f32[1,4,5,37] reshape(w2)\n  \
             ys = {whole} dynamic-update-slice(p2, u, p0, zero, zero, zero)\n  \
             ROOT t = ({}) tuple(next, w1, ys, p3)",
            second.join(", "),
            second.join(", "),
            first.join(", ")
        ));
        let middle = sized(&format!(
            "{start}  next = s32[] add(q0, one)\n  e = {row} broadcast(none), dimensions={{}}\n  \
             i = ({}) tuple(zero, q1, e, q3, q4)\n  w = ({}) WHILE\nAFTER\n  c = f32[37] cosine(w1)\n  \
             u = f32[1,5,37] reshape(w2)\n  ys = {part} dynamic-update-slice(q2, u, q0, zero, zero)\n  \
             ROOT t = ({}) tuple(next, c, ys, q3, q4)",
            third.join(", "),
            third.join(", "),
            second.join(", ")
        ));
        let inner = sized(&format!(
            "{start}  next = s32[] add(r0, one)\n  \
             d = f32[1,1,37] dynamic-slice(r3, r4, r0, zero), dynamic_slice_sizes={{1,1,37}}\n  \
             v = f32[37] reshape(d)\n  x = f32[37] add(r1, v)\n  y = f32[37] sine(x)\n  \
             u = f32[1,37] reshape(x)\n  ys = {row} dynamic-update-slice(r2, u, r0, zero)\n  \
             ROOT t = ({}) tuple(next, y, ys, r3, r4)",
            third.join(", ")
        ));
        let (c0, c1, c2) = (below("p", 3), below("q", 4), below("r", 5));
        let (c1, c2) = (c1.as_str(), c2.as_str());
        let entry = sized(&format!(
            "  zero = s32[] constant(0)\n  a = f32[37] parameter(0)\n  none = f32[] constant(0)\n  \
             z = {whole} broadcast(none), dimensions={{}}\n  tb = {table} parameter(1)\n  \
             i = ({}) tuple(zero, a, z, tb)",
            first.join(", ")
        ));
        let after = sized(&format!("  ROOT r = (f32[37], {whole}) tuple(w1, w2)"));
        let loops = [(&first[..], &c0[..], &outer[..]), (&second, c1, &middle), (&third, c2, &inner)];
        let text = Nest { loops: &loops, entry: &entry, after: &after }.text();
        // Without the number of trips nobody knows that every row is written.
        let text = counted_trips(text, &[3, 4, 5]);
        agrees(&text);
        let plan = plan_of_module(&text);
        assert!(plan.contains("2 loops within"), "{plan}");
        assert!(plan.contains("1 loads brought near"), "{plan}");
        let printed = region_of_module(&text).expect("a kernel").to_string();
        assert!(printed.contains("loop 2 in a trip of loop 1\n    c2.0 = "), "{printed}");
    }
}

/// A sum over what an inner loop stacks needs it whole.
#[test]
fn what_inner_loops_stack_is_read_by_nobody_else() {
    let around = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
         none = f32[] constant(0)\n  e = f32[5,37] broadcast(none), dimensions={}\n  \
         i = (s32[], f32[37], f32[5,37]) tuple(zero, p1, e)\n  w = (s32[], f32[37], f32[5,37]) WHILE\nAFTER\n  \
         y = f32[37] reduce(w2, none), dimensions={0}, to_apply=sum\n  \
         ROOT t = (s32[], f32[37], f32[37]) tuple(next, y, p2)";
    let within = "  one = s32[] constant(1)\n  next = s32[] add(q0, one)\n  zero = s32[] constant(0)\n  \
         y = f32[37] cosine(q1)\n  u = f32[1,37] reshape(y)\n  \
         ys = f32[5,37] dynamic-update-slice(q2, u, q0, zero)\n  \
         ROOT t = (s32[], f32[37], f32[5,37]) tuple(next, y, ys)";
    let (outer, inner) = (below("p", 6), below("q", 5));
    let state = ["s32[]", "f32[37]", "f32[5,37]"];
    let loops = [(PAIR, &outer[..], around), (&state[..], &inner[..], within)];
    let nest = Nest { loops: &loops, entry: ENTRY, after: "  ROOT r = f32[37] copy(w1)" };
    assert_eq!(nest.refusal(), "NotInPlace");
}

/// Two selects on one mask are decided together; the second chooses between something expensive and what a loop
/// leaves that starts after the first.
#[test]
fn branches_wait_for_the_loops_their_selects_need() {
    let around = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
         half = f32[] constant(0.5)\n  hb = f32[37] broadcast(half), dimensions={}\n  \
         out = pred[37] compare(p1, hb), direction=GT\n  t = f32[37] tanh(p1)\n  e = f32[37] exponential(t)\n  \
         c = f32[37] cosine(e)\n  l = f32[37] log(e)\n  cl = f32[37] add(c, l)\n  q = f32[37] tan(cl)\n  \
         r = f32[37] erf(cl)\n  u = f32[37] power(e, r)\n  fresh = f32[37] add(u, q)\n  \
         first = f32[37] select(out, fresh, p2)\n  \
         x = f32[37] sine(p1)\n  i = (s32[], f32[37], f32[37]) tuple(zero, x, p2)\n  \
         w = (s32[], f32[37], f32[37]) WHILE\nAFTER\n  g = f32[37] sine(fresh)\n  \
         y = f32[37] select(out, g, w1)\n  ROOT t2 = (s32[], f32[37], f32[37]) tuple(next, y, first)";
    let (outer, inner) = (below("p", 5), below("q", 9));
    let loops = [(PAIR, &outer[..], around), (PAIR, &inner[..], WITHIN)];
    let after = "  ROOT r = (f32[37], f32[37]) tuple(w1, w2)";
    let plan = Nest { loops: &loops, entry: ENTRY, after }.agrees();
    assert!(plan.contains("operations only where some lane has"), "{plan}");
}

/// The work of a nest is that of its innermost trips.
#[test]
fn figures_count_the_trips_of_all_loops() {
    let work = |trips: i64| {
        let (outer, inner) = (below("p", 5), below("q", trips));
        let loops = [(PAIR, &outer[..], AROUND), (PAIR, &inner[..], WITHIN)];
        let text = Nest { loops: &loops, entry: ENTRY, after: "  ROOT r = f32[37] copy(w1)" }.text();
        let text = counted_trips(text, &[5, trips]);
        let (region, target) = (region_of_module(&text).expect("a kernel"), Target::zen4());
        let plan = plan(&region, &target, figures::work).expect("a plan");
        lawson_kernel::cost::figures::count(&region, &plan, &target).flops
    };
    let (few, many) = (work(10), work(1000));
    // Five trips around, three operations for each lane within: product, sum, cosine.
    assert!(many - few >= 990 * 5 * 37 * 3 && many - few <= 990 * 5 * (37 * 3 + 4), "{few} {many}");
}

#[test]
fn more_loops_than_the_limit_are_refused() {
    let loops = |n: usize| {
        let one = |k: usize| {
            format!(
                "  i{k} = (s32[], f32[37], f32[37]) tuple(zero, x{k}, p2)\n  \
                 l{k} = (s32[], f32[37], f32[37]) while(i{k}), condition=condition1, body=body1\n  \
                 x{} = f32[37] get-tuple-element(l{k}), index=1\n",
                k + 1
            )
        };
        let inner: String = (1..n).map(one).collect();
        let around = AROUND.replace("AFTER\n", &format!("AFTER\n  x1 = f32[37] copy(w1)\n{inner}"));
        let around = around.replace("subtract(w1, p1)", &format!("subtract(x{n}, p1)"));
        let (outer, within) = (below("p", 2), below("q", 3));
        let loops = [(PAIR, &outer[..], &around[..]), (PAIR, &within[..], WITHIN)];
        let nest = Nest { loops: &loops, entry: ENTRY, after: "  ROOT r = f32[37] copy(w1)" };
        if n < 16 { Ok(nest.agrees()) } else { Err(nest.refusal()) }
    };
    assert!(loops(15).is_ok_and(|plan| plan.contains("15 loops within")));
    assert_eq!(loops(16), Err("ManyLoops"));
}

/// Where roundings to f16 are left out, what a loop carries is rounded still, before anything is known of its end.
#[test]
fn fewer_roundings_keep_operands_before_their_users() {
    let half = |s: &str| s.replace("f32", "f16");
    let (outer, inner) = (below("p", 5), below("q", 9));
    let (around, within, entry) = (half(AROUND), half(WITHIN), half(ENTRY));
    let state = ["s32[]", "f16[37]", "f16[37]"];
    let loops = [(&state[..], &outer[..], &around[..]), (&state[..], &inner[..], &within[..])];
    let text = Nest { loops: &loops, entry: &entry, after: "  ROOT r = f16[37] copy(w1)" }.text();
    let relaxed = lawson_kernel::region::fast_math::relax(&region_of_module(&text).expect("a kernel"));
    for id in (0..relaxed.nodes.len() as u32).map(lawson_kernel::region::NodeId) {
        relaxed.operands(id, &mut |o| assert!(o < id, "{o} in {id}: {relaxed}"));
    }
    assert!(relaxed.loops[0].carries.iter().all(|c| relaxed.dtype(c.next) == relaxed.dtype(c.node)));
    plan(&relaxed, &Target::zen4(), figures::work).expect("a plan");
}

/// What the loop around has in registers lies in an array before a loop within takes elements of it at places that it computes: in
/// lanes, or in a kernel without.
#[test]
fn registers_are_looked_up_in_an_array() {
    for (elements, lanes) in [(20, 37), (20, 0), (13, 1), (12, 5), (60, 0)] {
        let dims = if lanes == 0 { String::new() } else { format!(",{lanes}") };
        let (table, row) =
            (format!("f32[{elements}{dims}]"), format!("f32[{}]", dims.trim_start_matches(',')));
        let (start, size) = if lanes == 0 { ("", String::new()) } else { (", zero", format!(",{lanes}")) };
        let one_of = |table: &str, at: &str| {
            format!(
                "  d = f32[1{dims}] dynamic-slice({table}, {at}{start}), dynamic_slice_sizes={{1{size}}}\n  \
                 v = {row} reshape(d)\n"
            )
        };
        let state = ["s32[]", &table];
        // Each trip of the loop around makes the table anew.
        let around = format!(
            "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
             s = {table} cosine(p1)\n  none = f32[] constant(0)\n  e = {row} broadcast(none), dimensions={{}}\n  \
             i = (s32[], {row}, {table}) tuple(zero, e, s)\n  w = (s32[], {row}, {table}) WHILE\nAFTER\n  \
             b = {table} broadcast(w1), dimensions={{{}}}\n  y = {table} add(b, p1)\n  \
             ROOT t = (s32[], {table}) tuple(next, y)",
            if lanes == 0 { "" } else { "1" }
        );
        // The last place lies behind the end, where the last element is read.
        let within = format!(
            "  one = s32[] constant(1)\n  next = s32[] add(q0, one)\n  three = s32[] constant(3)\n  \
             zero = s32[] constant(0)\n  at = s32[] multiply(q0, three)\n{}  x = {row} multiply(q1, v)\n  \
             y = {row} subtract(v, x)\n  ROOT t = (s32[], {row}, {table}) tuple(next, y, q2)",
            one_of("q2", "at")
        );
        let (outer, inner) = (below("p", 4), below("q", (elements + 2) / 3 + 1));
        let inner_state = ["s32[]", &row, &table];
        let loops = [(&state[..], &outer[..], &around[..]), (&inner_state[..], &inner[..], &within[..])];
        let entry = format!(
            "  zero = s32[] constant(0)\n  a = {table} parameter(0)\n  i = (s32[], {table}) tuple(zero, a)"
        );
        let text =
            Nest { loops: &loops, entry: &entry, after: &format!("  ROOT r = {table} copy(w1)") }.text();
        agrees(&text);
        let region = region_of_module(&text).expect("a kernel");
        // A choice among few registers is a select for each.
        let arrays: Vec<i64> = region.private.iter().map(|a| a.elements).collect();
        assert_eq!(arrays, if elements > 12 { vec![elements] } else { vec![] }, "{region}");
        let selects = region.to_string().matches("select").count();
        assert_eq!(selects > 0, elements <= 12, "{region}");
    }
}

/// The same where each lane looks up another element.
#[test]
fn each_lane_looks_up_its_own_place() {
    let around = "  one = s32[] constant(1)\n  next = s32[] add(p0, one)\n  zero = s32[] constant(0)\n  \
         s = f32[20,37] cosine(p1)\n  none = f32[] constant(0)\n  e = f32[37] broadcast(none), dimensions={}\n  \
         i = (s32[], f32[37], f32[20,37], s32[37]) tuple(zero, e, s, p2)\n  \
         w = (s32[], f32[37], f32[20,37], s32[37]) WHILE\nAFTER\n  \
         b = f32[20,37] broadcast(w1), dimensions={1}\n  y = f32[20,37] add(b, p1)\n  \
         ROOT t = (s32[], f32[20,37], s32[37]) tuple(next, y, p2)";
    // Places of all lanes, some before the first element and behind the last.
    let within = "  one = s32[] constant(1)\n  next = s32[] add(q0, one)\n  \
         nb = s32[37] broadcast(q0), dimensions={}\n  at = s32[37] add(q3, nb)\n  \
         v = f32[37] gather(q2, at), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, \
         operand_batching_dims={1}, start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}\n  \
         x = f32[37] multiply(q1, v)\n  y = f32[37] subtract(v, x)\n  \
         ROOT t = (s32[], f32[37], f32[20,37], s32[37]) tuple(next, y, q2, q3)";
    let (outer, inner) = (below("p", 4), below("q", 6));
    let state = ["s32[]", "f32[20,37]", "s32[37]"];
    let inner_state = ["s32[]", "f32[37]", "f32[20,37]", "s32[37]"];
    let loops = [(&state[..], &outer[..], around), (&inner_state[..], &inner[..], within)];
    let entry = "  zero = s32[] constant(0)\n  a = f32[20,37] parameter(0)\n  b = f32[37] parameter(1)\n  \
         nine = f32[] constant(9)\n  nines = f32[37] broadcast(nine), dimensions={}\n  \
         far = f32[37] multiply(b, nines)\n  k = s32[37] convert(far)\n  \
         i = (s32[], f32[20,37], s32[37]) tuple(zero, a, k)";
    let text = Nest { loops: &loops, entry, after: "  ROOT r = f32[20,37] copy(w1)" }.text();
    agrees(&text);
    let region = region_of_module(&text).expect("a kernel");
    assert_eq!(region.private.iter().map(|a| a.elements).collect::<Vec<_>>(), [20], "{region}");
}
