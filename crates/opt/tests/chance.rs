//! A coin instead of the cost model: every pass obeys it, and no value changes.

mod support;

use lawson_hlo::{Module, Opcode};
use lawson_kernel::target::Target;
use lawson_opt::Numerics;
use lawson_opt::schedule::schedule;
use support::run::run;
use support::values::{Rng, same_results};

/// Loops with something before and after them, and small kernels that know nothing of each other.
fn loops_and_siblings(seed: u64) -> Module {
    let mut rng = Rng::new(seed);
    let (mut functions, mut entry) = (String::new(), String::new());
    let (mut results, mut shapes) = (Vec::new(), Vec::new());
    for n in 0..2 + rng.next() % 3 {
        let shape = ["f32[40]", "f32[3,9]", "f32[17]"][rng.next() as usize % 3];
        let (state, trips) = (format!("(s32[], {shape}, {shape})"), 20 + rng.next() % 20);
        let step = ["multiply", "add", "maximum"][rng.next() as usize % 3];
        functions += &format!(
            "c{n} {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
             t = s32[] constant({trips})\n  ROOT r = pred[] compare(i, t), direction=LT\n}}\n\
             b{n} {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
             x = {shape} get-tuple-element(p), index=1\n  y = {shape} get-tuple-element(p), index=2\n  \
             one = s32[] constant(1)\n  j = s32[] add(i, one)\n  s = {shape} sine(x)\n  \
             z = {shape} {step}(s, y)\n  ROOT r = {state} tuple(j, z, y)\n}}\n"
        );
        entry += &format!(
            "  p{n} = {shape} parameter({n})\n  z{n} = s32[] constant(0)\n  n{n} = {shape} negate(p{n})\n  \
             e{n} = {shape} exponential(p{n})\n  t{n} = {state} tuple(z{n}, n{n}, e{n})\n  \
             w{n} = {state} while(t{n}), condition=c{n}, body=b{n}\n  \
             x{n} = {shape} get-tuple-element(w{n}), index=1\n  a{n} = {shape} abs(x{n})\n  \
             u{n} = {shape} cosine(p{n})\n"
        );
        for result in [format!("a{n}"), format!("u{n}")] {
            results.push(result);
            shapes.push(shape);
        }
    }
    let text = format!(
        "HloModule m\n\n{functions}\nENTRY e {{\n{entry}  ROOT r = ({}) tuple({})\n}}\n",
        shapes.join(", "),
        results.join(", ")
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn loops_and_small_siblings_obey_the_coin_and_keep_their_bits() {
    let (mut loops, mut joined) = ([0; 2], [0; 2]);
    for seed in 0..24 {
        let before = loops_and_siblings(seed);
        let (after, cx) = run(&before, &format!("chance-{seed}"));
        if let Err(e) = same_results(&before, &after, Numerics::Strict) {
            panic!("seed {seed}: {e}\nbefore:\n{before}\nafter:\n{after}");
        }
        let (again, _) = run(&before, &format!("chance-{seed}"));
        assert_eq!(after.to_string(), again.to_string(), "the coin is a function of the seed");
        let host = after.entry().instrs.iter().filter(|i| i.opcode == Opcode::While).count();
        let all = before.entry().instrs.iter().filter(|i| i.opcode == Opcode::While).count();
        loops[0] += host;
        loops[1] += all - host;
        for c in &cx.report.candidates {
            joined[c.joined as usize] += 1;
        }
    }
    assert!(loops.iter().all(|&n| n > 10), "{loops:?} loops on the host and in kernels");
    assert!(joined.iter().all(|&n| n > 10), "{joined:?} kernels by themselves and in a launch with others");
}

/// Two loops of one body, of which one is a kernel: what becomes of the body on the host is not the kernel's.
#[test]
fn loops_that_share_a_body_go_their_own_ways() {
    let text = "HloModule m\n\n\
        c {\n  p = (s32[], f32[40]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
        t = s32[] constant(30)\n  ROOT r = pred[] compare(i, t), direction=LT\n}\n\
        b {\n  p = (s32[], f32[40]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
        x = f32[40] get-tuple-element(p), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  \
        s = f32[40] sine(x)\n  y = f32[40] add(s, x)\n  ROOT r = (s32[], f32[40]) tuple(j, y)\n}\n\
        ENTRY e {\n  x = f32[40] parameter(0)\n  z = s32[] constant(0)\n  t = (s32[], f32[40]) tuple(z, x)\n  \
        w = (s32[], f32[40]) while(t), condition=c, body=b\n  y = f32[40] get-tuple-element(w), index=1\n  \
        n = f32[40] negate(y)\n  u = (s32[], f32[40]) tuple(z, n)\n  \
        v = (s32[], f32[40]) while(u), condition=c, body=b\n  \
        a = f32[40] get-tuple-element(v), index=1\n  ROOT r = (f32[40], f32[40]) tuple(y, a)\n}\n";
    let before = Module::parse(text).expect("well formed");
    let mut mixed = 0;
    for seed in 0..40 {
        let (after, _) = run(&before, &format!("chance-{seed}"));
        schedule(&after, &Target::zen4(), Numerics::Strict)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{after}"));
        same_results(&before, &after, Numerics::Strict)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{after}"));
        mixed += (after.entry().instrs.iter().filter(|i| i.opcode == Opcode::While).count() == 1) as usize;
    }
    assert!(mixed > 5, "{mixed} times one of the two is a kernel");
}
