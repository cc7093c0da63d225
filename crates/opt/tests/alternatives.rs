//! Other plans of kernels give the same bits in `strict`: on every program of the tests, and on kernels in which each kind of
//! choice can be made.

mod support;

use lawson_hlo::{ArrayShape, Literal, Module};
use lawson_kernel::plan::{Choice, alternatives};
use lawson_kernel::program::eval::{Level, Options};
use lawson_kernel::program::{self, NamedKernel, PlannedKernel, alone};
use lawson_kernel::region::Array;
use lawson_kernel::target::Target;
use lawson_opt::Numerics;
use lawson_opt::schedule::schedule;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use support::run::run;
use support::values::{Rng, literal, same_leaves};

/// Weighed operations of a kernel beyond which it is left to the tests of compiled code.
const MAX_WORK: i64 = 1_500_000;

/// How often each kind of choice was made.
type Kinds = BTreeMap<&'static str, usize>;

fn kind(choice: Choice) -> &'static str {
    match choice {
        Choice::Tile { .. } => "tile",
        Choice::Packed(_) => "packed",
        Choice::Pass(_) => "pass",
        Choice::SharedRows(_) => "shared rows",
        Choice::LanesAlong(_) => "lanes along",
        Choice::Streaming(_) => "streaming",
        Choice::Halves(_) => "halves",
        Choice::Together(_) => "together",
        Choice::Columns(_) => "columns",
        Choice::Staged(_) => "staged",
        Choice::BlockRows(_) => "block rows",
        Choice::RowsInLanes(_) => "rows in lanes",
        Choice::Sort(_) => "sort",
    }
}

/// Evaluates the code of all plans of all small kernels of a module.
fn agree(module: &Module, target: &Target, place: &str) -> Kinds {
    let mut kinds = Kinds::new();
    let (after, _) = run(module, "on");
    let scheduled = schedule(&after, target, Numerics::Strict).unwrap_or_else(|e| panic!("{place}: {e}"));
    for (n, kernel) in scheduled.program.kernels.iter().enumerate() {
        let small = |s: &lawson_opt::schedule::LaunchSite| s.kernel == n && s.figures.work <= MAX_WORK;
        let Some(own) = kernel.source().filter(|_| scheduled.sites.iter().any(small)) else { continue };
        let others = alternatives(&own.region, &own.plan, target);
        if others.is_empty() {
            continue;
        }
        let shape = |a: &Array| ArrayShape::new(a.dtype, [a.elements]);
        let mut rng = Rng::new(7);
        let inputs: Vec<Literal> =
            own.region.inputs.iter().map(|a| literal(&shape(a), &mut rng, true)).collect();
        let inputs: Vec<&[u8]> = inputs.iter().map(Literal::bytes).collect();
        let outputs = |kernel: NamedKernel, place: &str| -> Vec<Literal> {
            let program = alone(kernel).unwrap_or_else(|| panic!("{place}: no program"));
            assert_eq!(program::verify(&program).err(), None, "{place}");
            let options = Options { level: Level::Code, ..Options::default() };
            let found = program::evaluate(&program, &inputs, options);
            let found = found.unwrap_or_else(|e| panic!("{place}: {e}"));
            own.region.outputs.iter().map(shape).zip(found).map(|(s, b)| Literal::new(s, b)).collect()
        };
        let expected = outputs(kernel.clone(), place);
        for other in others {
            let place = format!("{place}, {}: {}", kernel.name, other.choice);
            *kinds.entry(kind(other.choice)).or_default() += 1;
            let planned = PlannedKernel::new(own.region.clone(), other.plan);
            let found = outputs(NamedKernel::planned("other", Arc::new(planned)), &place);
            let (expected, found) = (expected.iter().collect::<Vec<_>>(), found.iter().collect::<Vec<_>>());
            assert_eq!(same_leaves(&expected, &found, Numerics::Strict), Ok(()), "{place}");
        }
    }
    kinds
}

#[test]
fn other_plans_of_the_programs_have_the_same_bits() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("tests/programs").map(|e| e.expect("entry").path()).collect();
    paths.sort();
    let mut evaluated = 0;
    for path in &paths {
        let module = std::fs::read_to_string(path.join("module.hlo")).expect("module.hlo");
        let module = Module::parse(&module).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for target in [Target::zen4(), Target::haswell()] {
            let place = format!("{} for {}", path.display(), target.name);
            evaluated += agree(&module, &target, &place).values().sum::<usize>();
        }
    }
    assert!(evaluated >= 40, "{evaluated} plans");
}

/// Kernels with a kind of choice that each has, on machines whose caches are so small that it is one.
const CASES: &[(&str, &str)] = &[
    ("tile", PRODUCT),
    ("packed", PRODUCT),
    ("pass", PRODUCT),
    ("shared rows", PRODUCT),
    (
        "lanes along",
        "ENTRY e { x = f32[40,33] parameter(0) t = f32[33,40] transpose(x), dimensions={1,0}
         ROOT y = f32[33,40] negate(t) }",
    ),
    ("streaming", SUM),
    ("halves", SUM),
    ("together", ROWS),
    ("columns", COLUMNS),
    (
        "staged",
        "ENTRY e { x = f32[300,64] parameter(0) z = f32[] constant(0)
         t = f32[64,300] transpose(x), dimensions={1,0}
         s = f32[64] reduce(t, z), dimensions={1}, to_apply=add
         b = f32[64,300] broadcast(s), dimensions={0}
         ROOT y = f32[64,300] subtract(t, b) }",
    ),
    (
        "block rows",
        "ENTRY e { q = f32[48,32] parameter(0) k = f32[32,40] parameter(1) z = f32[] constant(0)
         s = f32[48,40] dot(q, k), lhs_contracting_dims={1}, rhs_contracting_dims={0}
         t = f32[48] reduce(s, z), dimensions={1}, to_apply=add
         b = f32[48,40] broadcast(t), dimensions={0}
         ROOT y = f32[48,40] subtract(s, b) }",
    ),
    (
        "rows in lanes",
        "ENTRY e { x = f32[8,300,64] parameter(0) z = f32[] constant(0)
         s = f32[8,64] reduce(x, z), dimensions={1}, to_apply=add
         b = f32[8,300,64] broadcast(s), dimensions={0,2}
         ROOT y = f32[8,300,64] subtract(x, b) }",
    ),
    (
        "sort",
        "less { a = f32[] parameter(0) b = f32[] parameter(1)
                ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER }
         ENTRY e { x = f32[9,300] parameter(0)
         ROOT s = f32[9,300] sort(x), dimensions={1}, to_apply=less }",
    ),
];

const PRODUCT: &str = "ENTRY e { a = f32[80,200] parameter(0) b = f32[200,40] parameter(1)
    ROOT c = f32[80,40] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
const SUM: &str =
    "ENTRY e { x = f32[64,256] parameter(0) y = f32[64,256] parameter(1) ROOT s = f32[64,256] add(x, y) }";
const ROWS: &str = "ENTRY e { x = f32[60,1000] parameter(0) z = f32[] constant(0)
    ROOT s = f32[60] reduce(x, z), dimensions={1}, to_apply=add }";
const COLUMNS: &str = "ENTRY e { x = f32[1024,70] parameter(0) z = f32[] constant(0)
    ROOT s = f32[70] reduce(x, z), dimensions={0}, to_apply=add }";

#[test]
fn every_kind_of_choice_keeps_the_bits() {
    let add = "add { p = f32[] parameter(0) q = f32[] parameter(1) ROOT r = f32[] add(p, q) }\n";
    for (kind, text) in CASES {
        let module = Module::parse(&format!("{add}{text}")).unwrap_or_else(|e| panic!("{kind}: {e}"));
        let small = Target { l1: 4 << 10, l2: 16 << 10, llc: 64 << 10, ..Target::zen4() };
        let mut found = Kinds::new();
        for target in [small, Target::haswell()] {
            for (kind, n) in agree(&module, &target, kind) {
                *found.entry(kind).or_default() += n;
            }
        }
        assert!(found.contains_key(kind), "{kind}: {found:?}");
    }
}

#[test]
fn what_has_no_choice_has_no_alternative() {
    let module = Module::parse(SUM).expect("well formed");
    let (after, _) = run(&module, "on");
    let of = |target: &Target| {
        let scheduled = schedule(&after, target, Numerics::Strict).expect("a program");
        let own = scheduled.program.kernels[0].source().expect("a plan");
        alternatives(&own.region, &own.plan, target).len()
    };
    assert_eq!((of(&Target::haswell()), of(&Target::h100())), (0, 0));
}
