//! States of loops that a kernel replaces element by element have one place: no second one, no exchange, and the same bits.

mod support;

use lawson_hlo::{Module, eval};
use lawson_kernel::program::walk::visit;
use lawson_kernel::program::{self, Program, Step};
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, schedule};
use std::fmt::Write;
use support::values::{Rng, arguments, same_leaves};

/// A loop of 33 trips, too many to be unrolled, over as many states of 64 × 80 numbers, which its body calls `s0`, `s1`, …, and their successors `n0`, ….
fn states(count: usize, body: &str) -> String {
    let list = |of: &str| (0..count).map(|n| format!("{of}{n}")).collect::<Vec<_>>().join(", ");
    let types = vec!["f32[64,80]"; count].join(", ");
    let mut text = format!(
        "HloModule m\nbody {{\n  p = (s32[], {types}) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
    );
    for n in 0..count {
        let _ = writeln!(text, "  s{n} = f32[64,80] get-tuple-element(p), index={}", n + 1);
    }
    let _ = write!(
        text,
        "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n{body}  ROOT t = (s32[], {types}) tuple(j, {})\n}}\n\
         condition {{\n  p = (s32[], {types}) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  limit = s32[] constant(33)\n  \
         ROOT c = pred[] compare(i, limit), direction=LT\n}}\nENTRY e {{\n",
        list("n")
    );
    for n in 0..count {
        let _ = writeln!(text, "  a{n} = f32[64,80] parameter({n})");
    }
    let _ = write!(
        text,
        "  zero = s32[] constant(0)\n  t = (s32[], {types}) tuple(zero, {})\n  \
         w = (s32[], {types}) while(t), condition=condition, body=body\n",
        list("a")
    );
    for n in 0..count {
        let _ = writeln!(text, "  r{n} = f32[64,80] get-tuple-element(w), index={}", n + 1);
    }
    let _ = write!(text, "  ROOT r = ({types}) tuple({})\n}}\n", list("r"));
    text
}

/// `to` becomes the array `from` rolled by one along its rows.
fn rolled(from: &str, to: &str) -> String {
    format!(
        "  {to}a = f32[63,80] slice({from}), slice={{[1:64],[0:80]}}\n  {to}b = f32[1,80] slice({from}), slice={{[0:1],[0:80]}}\n  \
         {to} = f32[64,80] concatenate({to}a, {to}b), dimensions={{0}}\n"
    )
}

/// The program of a text, which gives the interpreter's bits; how often it makes a state in place, and how many arrays it exchanges.
fn in_place_and_exchanged(text: &str, fusion: &str) -> (usize, usize) {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (planned, _) = support::run::run(&module, fusion);
    let target = Target::zen4();
    let program = schedule::schedule(&planned, &target, Numerics::Strict)
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
        .program;
    let args = arguments(&module, 3, false);
    let expected = eval::evaluate(&module, &args, &eval::Options::default()).expect("it runs");
    let inputs: Vec<&[u8]> = args.iter().flat_map(|a| a.leaves()).map(|l| l.bytes()).collect();
    let found = program::evaluate(&program, &inputs, program::eval::Options::default());
    let found = found.unwrap_or_else(|e| panic!("{e}\n{text}"));
    let found: Vec<_> = expected
        .leaves()
        .iter()
        .zip(found)
        .map(|(e, bytes)| lawson_hlo::Literal::new(e.shape().clone(), bytes))
        .collect();
    let found: Vec<&_> = found.iter().collect();
    same_leaves(&expected.leaves(), &found, Numerics::Strict)
        .unwrap_or_else(|e| panic!("{e}\n{text}\n{program}"));
    counts(&program)
}

fn counts(program: &Program) -> (usize, usize) {
    let (mut in_place, mut exchanged) = (0, 0);
    visit(&program.steps, &mut |step| match step {
        Step::Launch { kernel, .. } => {
            let planned = program.kernels[*kernel].source();
            in_place += planned.map_or(0, |k| k.region.aliases.len());
        }
        Step::Swap { .. } => exchanged += 1,
        _ => {}
    });
    (in_place, exchanged)
}

#[test]
fn two_fields_that_change_in_turns_have_a_place_each() {
    // The second reads the first around each point, when it has changed.
    let body = format!(
        "{}  n0 = f32[64,80] subtract(s0, x)\n{}  n1 = f32[64,80] multiply(s1, y)\n",
        rolled("s1", "x"),
        rolled("n0", "y")
    );
    assert_eq!(in_place_and_exchanged(&states(2, &body), "off"), (2, 0));
}

#[test]
fn what_is_read_around_each_point_or_afterwards_has_two_places() {
    let body = format!("{}  n0 = f32[64,80] subtract(s0, x)\n", rolled("s0", "x"));
    assert_eq!(in_place_and_exchanged(&states(1, &body), "no-loop"), (0, 1));
    let body = format!("  n0 = f32[64,80] add(s0, s1)\n{}  n1 = f32[64,80] add(s1, x)\n", rolled("s0", "x"));
    assert_eq!(in_place_and_exchanged(&states(2, &body), "off"), (1, 1));
}

#[test]
fn random_loops_keep_their_bits() {
    let mut rng = Rng::new(5);
    let mut made = (0, 0);
    for n in 0..60 {
        // Several steps as one kernel would leave no loop.
        let fusion = ["off", "no-loop"][n % 2];
        let count = 1 + (rng.next() % 3) as usize;
        let (mut known, mut body) = ((0..count).map(|n| format!("s{n}")).collect::<Vec<_>>(), String::new());
        for n in 0..count {
            let mut operand = |name: &str| {
                let of = known[rng.next() as usize % known.len()].clone();
                if !rng.next().is_multiple_of(3) {
                    return of;
                }
                body += &rolled(&of, name);
                name.to_string()
            };
            let x = operand(&format!("x{n}"));
            let own = if !rng.next().is_multiple_of(4) { format!("s{n}") } else { x.clone() };
            let operation = ["add", "subtract", "maximum"][rng.next() as usize % 3];
            let _ = writeln!(body, "  n{n} = f32[64,80] {operation}({own}, {x})");
            known.push(format!("n{n}"));
        }
        let (in_place, exchanged) = in_place_and_exchanged(&states(count, &body), fusion);
        made = (made.0 + in_place, made.1 + exchanged);
    }
    assert!(made.0 > 20 && made.1 > 20, "{made:?}");
}

/// Beside the count of trips, which could share its launch.
#[test]
fn a_large_state_has_a_launch_of_its_own() {
    let refused = |rows: i64| {
        let body = format!(
            "  n0 = f32[64,80] subtract(s0, s1)\n{}  n1 = f32[64,80] add(x, s1)\n",
            rolled("n0", "x")
        );
        let mut text = states(2, &body);
        for (of_64, rows) in [("[64,80]", rows), ("[63,80]", rows - 1)] {
            text = text.replace(of_64, &format!("[{rows},80]"));
        }
        let text = text.replace("[1:64]", &format!("[1:{rows}]"));
        let module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (_, cx) = support::run::run(&module, "only-horizontal");
        let refusals = cx.report.candidates.iter().filter_map(|c| c.refusal.as_ref());
        refusals.filter(|r| r.name() == "ReplacesState").count()
    };
    // The first kernel in place of the first state, the last of the second.
    assert_eq!((refused(64), refused(1000)), (0, 2));
}
