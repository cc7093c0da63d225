//! Parts that know nothing of each other in one phase, by rows of a segment table.

use crate::common::Rng;
use crate::common::region::{agree_in_parts, in_parts, module, region_of_module};
use lawson_kernel::cost::figures;
use lawson_kernel::lower::lower;
use lawson_kernel::plan::{Plan, plan, segments};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;

/// The entry of these parts: each is lines with `$n` for its own number, the last of which defines `r$n`.
fn entry(parts: &[(String, &str)]) -> String {
    let mut lines = vec!["  one = f32[] parameter(0)".to_string()];
    let (mut parameters, mut shapes, mut roots) = (1, Vec::new(), Vec::new());
    for (n, (part, shape)) in parts.iter().enumerate() {
        for line in part.lines() {
            let mut line = line.replace("$n", &n.to_string());
            if line.ends_with("parameter") {
                line += &format!("({parameters})");
                parameters += 1;
            }
            lines.push(format!("  {line}"));
        }
        shapes.push(shape.to_string());
        roots.push(format!("r{n}"));
    }
    lines.push(format!("  ROOT t = ({}) tuple({})", shapes.join(", "), roots.join(", ")));
    lines.join("\n")
}

/// r = exp(x) * one + x, of any shape.
fn map(shape: &'static str) -> (String, &'static str) {
    let text = format!(
        "x$n = {shape} parameter\ns$n = {shape} broadcast(one), dimensions={{}}\ne$n = {shape} exponential(x$n)\n\
         m$n = {shape} multiply(e$n, s$n)\nr$n = {shape} add(m$n, x$n)"
    );
    (text, shape)
}

fn sum(shape: &str, dim: usize, result: &'static str) -> (String, &'static str) {
    let text = format!(
        "x$n = {shape} parameter\nz$n = f32[] constant(0)\n\
         r$n = {result} reduce(x$n, z$n), dimensions={{{dim}}}, to_apply=add"
    );
    (text, result)
}

fn planned(parts: &[(String, &str)]) -> Result<Plan, Refusal> {
    let module = module(&entry(parts)).expect("valid");
    plan(&in_parts(&module)?, &Target::zen4(), figures::work)
}

fn bodies(parts: &[(String, &str)]) -> usize {
    planned(parts).expect("a plan").segments.expect("segments").bodies.len()
}

#[test]
fn maps_of_any_size_share_their_code() {
    let sizes = ["f32[16]", "f32[17]", "f32[1000]", "f32[64,33]", "f32[2,3,40]", "f32[7000]", "f32[31]"];
    let parts: Vec<_> = sizes.map(map).into();
    assert_eq!(bodies(&parts), 1);
    assert_eq!(agree_in_parts(&entry(&parts)), Ok(()));
    // Shorter than a vector: fewer lanes.
    let short: Vec<_> = ["f32[]", "f32[1]", "f32[3]", "f32[15]", "f32[9]", "f32[2]"].map(map).into();
    assert_eq!(bodies(&short), 3);
    assert_eq!(agree_in_parts(&entry(&short)), Ok(()));
}

/// Slices of one array that every part reads in places of its own.
#[test]
fn maps_that_begin_elsewhere_share_their_code() {
    let shape = |n: i64| if n == 1 { "f32[1]" } else { "f32[20]" };
    let part = |from: i64, n: i64| {
        let (shape, twice) = (shape(n), 2 * from % 31);
        let text = format!(
            "s$n = {shape} slice(one), slice={{[{from}:{}]}}\nt$n = {shape} slice(one), slice={{[{twice}:{}]}}\n\
             e$n = {shape} exponential(s$n)\nr$n = {shape} subtract(e$n, t$n)",
            from + n,
            twice + n
        );
        (text, shape)
    };
    for n in [1, 20] {
        let parts: Vec<_> = [3, 0, 17, 5, 30].map(|from| part(from, n)).into();
        let entry = entry(&parts).replace("one = f32[]", "one = f32[50]");
        let module = module(&entry).expect("valid");
        let plan = plan(&in_parts(&module).expect("regions"), &Target::zen4(), figures::work);
        // Part 1 reads one place only.
        assert_eq!(plan.expect("a plan").segments.expect("segments").bodies.len(), 2);
        assert_eq!(agree_in_parts(&entry), Ok(()));
    }
}

#[test]
fn the_code_does_not_grow_with_the_parts() {
    let code = |n: usize| {
        let parts: Vec<_> = (0..n).map(|i| map(["f32[100]", "f32[64,8]"][i % 2])).collect();
        let module = module(&entry(&parts)).expect("valid");
        let region = in_parts(&module).expect("regions");
        let plan = plan(&region, &Target::zen4(), figures::work).expect("a plan");
        let kernel = lower(&region, &plan, "k").expect("code");
        (kernel.types.len(), kernel.phases.len())
    };
    // More than about twenty are several tasks, and where the second begins is one value more.
    let (few, many) = (code(3), code(60));
    assert_eq!([code(20), code(600)], [few, many]);
    assert_eq!([few.1, many.1, many.0 - few.0], [1; 3]);
}

#[test]
fn other_parts_share_code_if_they_are_equal() {
    let parts = [
        sum("f32[8,100]", 1, "f32[8]"),
        sum("f32[8,100]", 1, "f32[8]"),
        map("f32[40]"),
        sum("f32[8,101]", 1, "f32[8]"),
        sum("f32[100,8]", 0, "f32[8]"),
        map("f32[41]"),
        sum("f32[8,100]", 1, "f32[8]"),
    ];
    assert_eq!(bodies(&parts), 4);
    assert_eq!(agree_in_parts(&entry(&parts)), Ok(()));
}

#[test]
fn parts_of_every_kind() {
    let dot = "x$n = f32[12,20] parameter\ny$n = f32[20,33] parameter\n\
               r$n = f32[12,33] dot(x$n, y$n), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    let turn = "x$n = f32[40,24] parameter\nr$n = f32[24,40] transpose(x$n), dimensions={1,0}";
    let sort = "x$n = f32[6,50] parameter\nr$n = f32[6,50] sort(x$n), dimensions={1}, to_apply=lt";
    let empty = "x$n = f32[0,4] parameter\nr$n = f32[0,4] negate(x$n)";
    let bytes = "x$n = s8[300] parameter\nr$n = s8[300] add(x$n, x$n)";
    let count = "r$n = s32[70] iota(), iota_dimension=0";
    let slice =
        "x$n = f32[90] parameter\ny$n = f32[80] slice(x$n), slice={[10:90]}\nr$n = f32[80] negate(y$n)";
    let parts = [
        (dot.to_string(), "f32[12,33]"),
        (turn.to_string(), "f32[24,40]"),
        map("f32[5]"),
        (sort.to_string(), "f32[6,50]"),
        (empty.to_string(), "f32[0,4]"),
        (bytes.to_string(), "s8[300]"),
        (count.to_string(), "s32[70]"),
        (slice.to_string(), "f32[80]"),
        (turn.to_string(), "f32[24,40]"),
    ];
    assert_eq!(bodies(&parts), 8);
    assert_eq!(agree_in_parts(&entry(&parts)), Ok(()));
}

#[test]
fn several_results_of_a_part() {
    let pair = |n: i64| {
        let text = format!(
            "x$n = f32[{n}] parameter\na$n = f32[{n}] sine(x$n)\nb$n = f32[{n}] add(a$n, x$n)\n\
             r$n = (f32[{n}], f32[{n}]) tuple(a$n, b$n)"
        );
        (text, ["(f32[20], f32[20])", "(f32[50], f32[50])"][(n == 50) as usize])
    };
    let parts = [pair(20), pair(50), pair(20)];
    assert_eq!(bodies(&parts), 1);
    assert_eq!(agree_in_parts(&entry(&parts)), Ok(()));
}

#[test]
fn a_plan_says_who_shares_what() {
    let parts: Vec<_> = ["f32[20]", "f32[64]", "f32[]"].map(map).into();
    let plan = planned(&parts).expect("a plan");
    assert_eq!(plan.summary(), "3 independent computations, 2 distinct loop nests");
    let text = plan.to_string();
    let head =
        "plan\n  3 parts with 2 bodies of code\n  body 0 of parts 0, 1\n    loops 20, 64\n    map, 16 lanes";
    assert!(text.starts_with(head), "{text}");
}

#[test]
fn parts_of_several_phases_are_refused() {
    let parts = [sum("f32[1,100000]", 1, "f32[1]"), map("f32[20]")];
    assert_eq!(planned(&parts).err(), Some(Refusal::SeveralPhases));
}

#[test]
fn products_with_tiles_of_blocks_are_refused() {
    let product = "HloModule m\nENTRY e {\n  a = f32[64,64] parameter(0)\n  b = f32[64,64] parameter(1)\n  \
                   ROOT r = f32[64,64] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n";
    let region = region_of_module(product).expect("a region");
    for (target, fits) in [(Target::zen4(), Ok(())), (Target::h100(), Err(Refusal::TilesOfBlocks))] {
        let plan = plan(&region, &target, figures::work).expect("a plan");
        assert_eq!(segments::fits(&plan), fits);
    }
}

#[test]
fn random_parts_agree() {
    const SHAPES: [&str; 8] =
        ["f32[16]", "f32[3]", "f32[100]", "f32[4,40]", "f32[5000]", "f32[]", "f32[1,7]", "f32[33]"];
    let mut rng = Rng(7);
    for _ in 0..12 {
        let parts: Vec<_> = (0..1 + rng.below(12))
            .map(|_| match rng.below(5) {
                0 => sum(["f32[9,70]", "f32[9,20]"][rng.below(2) as usize], 1, "f32[9]"),
                1 => {
                    let shape = SHAPES[rng.below(8) as usize];
                    let op = ["negate", "tanh", "cosine"][rng.below(3) as usize];
                    (format!("x$n = {shape} parameter\nr$n = {shape} {op}(x$n)"), shape)
                }
                _ => map(SHAPES[rng.below(8) as usize]),
            })
            .collect();
        let entry = entry(&parts);
        assert_eq!(agree_in_parts(&entry), Ok(()), "{entry}");
    }
}
