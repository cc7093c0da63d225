//! Maps that are too many for one kernel: cut where few values cross, computed in blocks where they are large.

mod support;

use lawson_hlo::{Attrs, Module, Opcode};
use lawson_opt::Numerics;
use support::run::run;
use support::values::{Rng, same_results};

/// Most operations of a kernel.
const LIMIT: usize = 400;

/// A sum of random products of columns of a table, of a row and the next one, of so many operations; with `apart`, a sum over
/// all rows comes between, and some results are kept on the way.
fn constraints(seed: u64, operations: usize, rows: i64, apart: bool) -> Module {
    const COLUMNS: u64 = 48;
    let mut rng = Rng::new(seed);
    let mut text = format!(
        "HloModule constraints\n\nadd {{\n  a = u32[] parameter(0)\n  b = u32[] parameter(1)\n  ROOT s = u32[] add(a, b)\n}}\n\n\
         ENTRY main {{\n  t = u32[{COLUMNS},{}] parameter(0)\n  x = u32[{rows}] parameter(1)\n  k = u32[] parameter(2)\n  \
         z = u32[] constant(0)\n  alpha = u32[{rows}] broadcast(k), dimensions={{}}\n",
        rows + 1
    );
    let mut last = "x".to_string();
    let mut kept = Vec::new();
    for n in 0..operations / 3 {
        let (column, next) = (rng.next() % COLUMNS, rng.next() % 2);
        let end = rows + next as i64;
        text += &format!(
            "  s{n} = u32[1,{rows}] slice(t), slice={{[{column}:{}], [{next}:{end}]}}\n  r{n} = u32[{rows}] reshape(s{n})\n  \
             m{n} = u32[{rows}] multiply(r{n}, {last})\n  a{n} = u32[{rows}] multiply({last}, alpha)\n  \
             c{n} = u32[{rows}] xor(m{n}, a{n})\n",
            column + 1
        );
        last = format!("c{n}");
        if apart && n == operations / 6 {
            text += &format!(
                "  sum = u32[] reduce(c{n}, z), dimensions={{0}}, to_apply=add\n  all = u32[{rows}] broadcast(sum), \
                 dimensions={{}}\n  back = u32[{rows}] add(c{n}, all)\n"
            );
            last = "back".into();
        }
        if apart && n % 100 == 7 {
            kept.push(format!("m{n}"));
        }
    }
    let shapes = vec![format!("u32[{rows}]"); kept.len() + 1].join(", ");
    kept.push(last);
    text += &format!("  ROOT out = ({shapes}) tuple({})\n}}\n", kept.join(", "));
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The operations of each kernel on the host.
fn kernels(module: &Module) -> Vec<usize> {
    let bodies = |i: &lawson_hlo::Instruction| match i.attrs {
        Attrs::Fusion { calls, .. } => Some(&module[calls]),
        _ => None,
    };
    let quiet = |o: Opcode| matches!(o, Opcode::Parameter | Opcode::Constant | Opcode::Tuple);
    let all = module.computations.iter().flat_map(|c| &c.instrs).filter_map(bodies);
    all.map(|body| body.instrs.iter().filter(|i| i.opcode.is_elementwise() && !quiet(i.opcode)).count())
        .collect()
}

fn loops(module: &Module) -> usize {
    module.computations.iter().flat_map(|c| &c.instrs).filter(|i| i.opcode == Opcode::While).count()
}

#[track_caller]
fn check(before: &Module, fusion: &str) -> Module {
    let (after, _) = run(before, fusion);
    if let Err(e) = same_results(before, &after, Numerics::Strict) {
        panic!("{e}\n{after}");
    }
    after
}

#[test]
fn long_chains_are_a_few_kernels_that_compute_nothing_twice() {
    for (seed, operations) in [(1, 600), (2, 3000)] {
        let after = check(&constraints(seed, operations, 64, false), "on");
        let kernels = kernels(&after);
        assert_eq!((kernels.iter().sum::<usize>(), loops(&after)), (operations, 0), "{after}");
        // Pieces are at least half as long as they may be, and one value crosses.
        assert!(kernels.len() <= operations.div_ceil(LIMIT / 2) && kernels.iter().all(|&n| n <= LIMIT));
        let fusions = after.entry().instrs.iter().filter(|i| matches!(i.attrs, Attrs::Fusion { .. }));
        assert!(fusions.clone().all(|f| f.shape.as_array().is_some() && f.operands.len() <= 3), "{after}");
    }
}

/// Sums of random products of many arrays, which one kernel does not take together.
#[test]
fn chains_of_many_arrays_are_cut_where_kernels_take_no_more() {
    let (arrays, mut rng) = (150, Rng::new(7));
    let mut text = String::from("HloModule many\n\nENTRY main {\n");
    (0..arrays).for_each(|n| text += &format!("  p{n} = u32[64] parameter({n})\n"));
    let mut last = "p0".to_string();
    for n in 0..450 {
        let other = match n < arrays {
            true => n,
            false => rng.next() as usize % arrays,
        };
        text += &format!("  v{n} = u32[64] {}({last}, p{other})\n", ["multiply", "add", "xor"][n % 3]);
        last = format!("v{n}");
    }
    text += &format!("  ROOT r = u32[64] negate({last})\n}}\n");
    let after = check(&Module::parse(&text).unwrap_or_else(|e| panic!("{e}")), "on");
    let kernels = kernels(&after);
    assert_eq!(kernels.iter().sum::<usize>(), 451, "{after}");
    assert!((3..12).contains(&kernels.len()), "{kernels:?}");
    let fusions = after.entry().instrs.iter().filter(|i| matches!(i.attrs, Attrs::Fusion { .. }));
    assert!(fusions.clone().all(|f| f.operands.len() < 64), "{after}");
}

/// A chain whose results become the rows of one array stores them there: its last kernel concatenates them.
#[test]
fn the_last_kernel_stores_rows_in_their_places() {
    let (n, rows) = (64, 4);
    let mut text = format!(
        "HloModule rows\n\nENTRY main {{\n  p = u32[{n}] parameter(0)\n  q = u32[{n}] parameter(1)\n"
    );
    let mut last = "p".to_string();
    for i in 0..600 {
        let opcode = ["multiply", "add", "xor"][i % 3];
        text += &format!("  v{i} = u32[{n}] {opcode}({last}, q)\n");
        last = format!("v{i}");
    }
    for row in 0..rows {
        text +=
            &format!("  w{row} = u32[{n}] add(v{}, q)\n  r{row} = u32[1,{n}] reshape(w{row})\n", 599 - row);
    }
    let all: Vec<String> = (0..rows).map(|row| format!("r{row}")).collect();
    text += &format!("  ROOT r = u32[{rows},{n}] concatenate({}), dimensions={{0}}\n}}\n", all.join(", "));
    let after = check(&Module::parse(&text).unwrap_or_else(|e| panic!("{e}")), "on");
    let Attrs::Fusion { calls, .. } = after.entry().root().attrs else { panic!("{after}") };
    let body = &after[calls];
    assert_eq!(body.root().opcode, Opcode::Concatenate, "{after}");
    assert!(body.instrs.len() > LIMIT / 2, "{after}");
}

/// A value that is to stay in registers crosses no cut; what is to be apart is computed once, in memory.
#[test]
fn wishes_hold_in_chains() {
    let marked = |text: &str, name: &str, wish: &str| {
        let line = text.lines().find(|l| l.trim().starts_with(&format!("{name} = "))).expect("a line");
        text.replace(line, &format!("{line}, frontend_attributes={{lawson.fuse=\"{wish}\"}}"))
    };
    let plain = constraints(5, 900, 64, false);
    let cut = check(&plain, "on");
    // A value that crosses, by the name that its kernel has.
    let fusions: Vec<_> = cut
        .entry()
        .instrs
        .iter()
        .filter(|i| matches!(i.attrs, Attrs::Fusion { .. }))
        .map(|i| i.name.to_string())
        .collect();
    assert!(fusions.len() > 1, "{cut}");
    let wanted = Module::parse(&marked(&plain.to_string(), &fusions[0], "must_fuse")).expect("valid");
    let after = check(&wanted, "on");
    assert!(!after.entry().instrs.iter().any(|i| *i.name == *fusions[0]), "{after}");
    let apart = Module::parse(&marked(&plain.to_string(), "alpha", "no_fuse")).expect("valid");
    let after = check(&apart, "on");
    assert!(after.entry().instrs.iter().any(|i| &*i.name == "alpha"), "{after}");
    let inner = after.computations.iter().filter(|c| c.name != after.entry().name);
    assert!(
        !inner.flat_map(|c| &c.instrs).any(|i| &*i.name == "alpha" && i.opcode == Opcode::Broadcast),
        "{after}"
    );
}

#[test]
fn large_tables_are_computed_block_by_block() {
    let before = constraints(3, 2400, 4096, false);
    let after = check(&before, "on");
    assert_eq!(loops(&after), 1, "{after}");
    // Each block is a part of the table that stays in cache.
    let part = |i: &&lawson_hlo::Instruction| i.opcode == Opcode::DynamicSlice;
    let all = after.computations.iter().flat_map(|c| &c.instrs);
    assert!(all.filter(part).all(|i| i.shape.expect_array().bytes() <= 512 << 10), "{after}");
    assert_eq!(loops(&check(&constraints(3, 300, 4096, false), "on")), 0, "one kernel needs no blocks");
    assert_eq!(loops(&check(&before, "no-instruction")), 0);
}

#[test]
fn what_comes_back_through_others_is_apart() {
    for rows in [64, 4096] {
        let after = check(&constraints(4, 3600, rows, true), "on");
        assert_eq!(loops(&after), if rows == 64 { 0 } else { 2 }, "{after}");
    }
}

#[test]
fn coins_decide_on_chains_too() {
    for seed in 0..4 {
        check(&constraints(seed, 1000, 64, true), &format!("chance-{seed}"));
    }
}
