//! Planning stays near-linear: work counters on generated modules of 1,000, 10,000 and 100,000 instructions.
//!
//! Counters are what passes looked at (`work` of a pass report), kernels planned (`plans`), and edges walked (`steps`).
//! Each may grow by a half for each instruction from one size to the next, and no more.

use lawson_hlo::Module;
use lawson_opt::report::Report;
use lawson_opt::{Options, PassContext, pipeline, schedule};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Instructions in text; the last is the root.
struct Text {
    before: String,
    lines: Vec<String>,
}

impl Text {
    fn new(parameters: &[&str]) -> Text {
        let parameter = |(n, shape): (usize, &&str)| format!("p{n} = {shape} parameter({n})");
        let before =
            "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n";
        Text { before: before.into(), lines: parameters.iter().enumerate().map(parameter).collect() }
    }

    fn add(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Ends with a tuple of values of these names and shapes.
    fn tuple(&mut self, values: &[(String, String)]) {
        let names: Vec<&str> = values.iter().map(|(name, _)| &**name).collect();
        let shapes: Vec<&str> = values.iter().map(|(_, shape)| &**shape).collect();
        self.add(format!("t = ({}) tuple({})", shapes.join(", "), names.join(", ")));
    }

    fn module(self) -> Module {
        let last = self.lines.len() - 1;
        let mut text = format!("HloModule scale\n\n{}ENTRY main {{\n", self.before);
        for (n, line) in self.lines.iter().enumerate() {
            let _ = writeln!(text, "  {}{line}", if n == last { "ROOT " } else { "" });
        }
        Module::parse(&(text + "}\n")).expect("well formed")
    }
}

/// One long chain of elementwise operations.
fn chain(n: usize) -> Module {
    let mut text = Text::new(&["f32[1024]"]);
    for i in 1..n {
        text.add(format!("p{i} = f32[1024] {}(p{})", ["negate", "tanh", "abs", "cosine"][i % 4], i - 1));
    }
    text.module()
}

/// One value that all others read.
fn fan_out(n: usize) -> Module {
    let mut text = Text::new(&["f32[64,64]"]);
    text.add("e = f32[64,64] exponential(p0)");
    let mut made = Vec::new();
    for i in 0..n / 4 {
        text.add(format!("c{i} = f32[] constant({i})"));
        text.add(format!("b{i} = f32[64,64] broadcast(c{i}), dimensions={{}}"));
        text.add(format!("u{i} = f32[64,64] multiply(e, b{i})"));
        text.add(format!("s{i} = f32[64,64] sine(u{i})"));
        made.push((format!("s{i}"), "f32[64,64]".into()));
    }
    text.tuple(&made);
    text.module()
}

/// Blocks of a product, a softmax and a residual connection.
fn layers(n: usize) -> Module {
    let mut text = Text::new(&["f32[64,128]", "f32[128,128]"]);
    text.add("zero = f32[] constant(0)");
    let mut x = "p0".to_string();
    for i in 0..n / 7 {
        text.add(format!(
            "d{i} = f32[64,128] dot({x}, p1), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"
        ));
        text.add(format!("e{i} = f32[64,128] exponential(d{i})"));
        text.add(format!("r{i} = f32[64] reduce(e{i}, zero), dimensions={{1}}, to_apply=sum"));
        text.add(format!("b{i} = f32[64,128] broadcast(r{i}), dimensions={{0}}"));
        text.add(format!("q{i} = f32[64,128] divide(e{i}, b{i})"));
        text.add(format!("t{i} = f32[64,128] tanh(q{i})"));
        text.add(format!("y{i} = f32[64,128] add(t{i}, {x})"));
        x = format!("y{i}");
    }
    text.module()
}

/// Blocks as computations that the entry calls, one after the other.
fn calls(n: usize) -> Module {
    let mut text = Text::new(&["f32[32,64]"]);
    for i in 0..n / 5 {
        let _ = write!(
            text.before,
            "block{i} {{\n  a = f32[32,64] parameter(0)\n  t = f32[32,64] tanh(a)\n  n = f32[32,64] negate(t)\n  \
             ROOT r = f32[32,64] add(n, a)\n}}\n\n"
        );
        text.add(format!("p{} = f32[32,64] call(p{i}), to_apply=block{i}", i + 1));
    }
    text.module()
}

/// A step of an optimiser over many arrays of several shapes.
fn optimiser(n: usize) -> Module {
    let shapes: Vec<String> = (0..n / 10).map(|i| format!("f32[{},{}]", 32 + i % 7, 16 + i % 5)).collect();
    let mut text = Text::new(&[]);
    for (i, s) in shapes.iter().enumerate() {
        for (k, name) in ["w", "g", "v"].iter().enumerate() {
            text.add(format!("{name}{i} = {s} parameter({})", 3 * i + k));
        }
    }
    let mut made = Vec::new();
    for (i, s) in shapes.iter().enumerate() {
        text.add(format!("c{i} = f32[] constant(0.9)"));
        text.add(format!("b{i} = {s} broadcast(c{i}), dimensions={{}}"));
        text.add(format!("m{i} = {s} multiply(v{i}, b{i})"));
        text.add(format!("a{i} = {s} add(m{i}, g{i})"));
        text.add(format!("s{i} = {s} sqrt(a{i})"));
        text.add(format!("o{i} = {s} subtract(w{i}, s{i})"));
        made.extend([(format!("o{i}"), s.clone()), (format!("a{i}"), s.clone())]);
    }
    text.tuple(&made);
    text.module()
}

/// Loops on the host, one after the other.
fn loops(n: usize) -> Module {
    let mut text = Text::new(&["f32[64,64]"]);
    let state = "(s32[], f32[64,64])";
    text.add("zero = s32[] constant(0)");
    for i in 0..n / 14 {
        let _ = write!(
            text.before,
            "cond{i} {{\n  s = {state} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             n = s32[] constant({})\n  ROOT p = pred[] compare(i, n), direction=LT\n}}\n\n\
             body{i} {{\n  s = {state} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             v = f32[64,64] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  \
             d = f32[64,64] dot(v, v), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n  \
             ROOT r = {state} tuple(j, d)\n}}\n\n",
            5 + i % 3
        );
        text.add(format!("t{i} = {state} tuple(zero, p{i})"));
        text.add(format!("w{i} = {state} while(t{i}), condition=cond{i}, body=body{i}"));
        text.add(format!("p{} = f32[64,64] get-tuple-element(w{i}), index=1", i + 1));
    }
    text.module()
}

/// One concatenation of all there is.
fn pieces(n: usize) -> Module {
    let mut text = Text::new(&["f32[64]"]);
    let count = n / 3;
    for i in 0..count {
        text.add(format!("c{i} = f32[] constant({i})"));
        text.add(format!("b{i} = f32[64] broadcast(c{i}), dimensions={{}}"));
        text.add(format!("m{i} = f32[64] multiply(p0, b{i})"));
    }
    let all: Vec<String> = (0..count).map(|i| format!("m{i}")).collect();
    text.add(format!("t = f32[{}] concatenate({}), dimensions={{0}}", 64 * count, all.join(", ")));
    text.module()
}

/// A concatenation of slices of one array from its end to its beginning.
fn reversed_slices(n: usize) -> Module {
    let mut text = Text::new(&[&format!("f32[{n}]")]);
    for i in 0..n {
        text.add(format!("s{i} = f32[1] slice(p0), slice={{[{}:{}]}}", n - 1 - i, n - i));
    }
    let all: Vec<String> = (0..n).map(|i| format!("s{i}")).collect();
    text.add(format!("t = f32[{n}] concatenate({}), dimensions={{0}}", all.join(", ")));
    text.module()
}

/// Columns put side by side.
fn columns(n: usize) -> Module {
    let names: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
    let mut text = Text::new(&vec!["f32[8,1]"; n]);
    text.add(format!("t = f32[8,{n}] concatenate({}), dimensions={{1}}", names.join(", ")));
    text.add(format!("z = f32[] constant(0)\n  r = f32[{n}] reduce(t, z), dimensions={{0}}, to_apply=sum"));
    text.module()
}

/// An array, again and again put before what `second` makes of it, so often that it has `n` times its elements.
fn doubled(n: usize, second: &str) -> Module {
    let mut text = Text::new(&["f32[2]"]);
    for level in 0..n.ilog2() as usize {
        let (short, long) = (2usize << level, 4usize << level);
        text.add(format!("q{level} = f32[{short}] {}", second.replace("$", &format!("p{level}"))));
        text.add(format!("p{} = f32[{long}] concatenate(p{level}, q{level}), dimensions={{0}}", level + 1));
    }
    text.module()
}

/// Pads of pads, each with a value of its own.
fn pads(n: usize) -> Module {
    let mut text = Text::new(&["f32[8]"]);
    for i in 0..n {
        text.add(format!("c{i} = f32[] constant({i})"));
        text.add(format!("p{} = f32[{}] pad(p{i}, c{i}), padding=0_1", i + 1, 9 + i));
    }
    text.module()
}

/// Sums of an array and itself one element further on: without a limit, as many loads as there are paths.
fn shifted_sums(n: usize) -> Module {
    let mut text = Text::new(&["f32[8]"]);
    text.add("c = f32[] constant(1)");
    for i in 0..n {
        let shape = format!("f32[{}]", 9 + i);
        text.add(format!("a{i} = {shape} pad(p{i}, c), padding=0_1"));
        text.add(format!("b{i} = {shape} pad(p{i}, c), padding=1_0"));
        text.add(format!("p{} = {shape} add(a{i}, b{i})", i + 1));
    }
    text.module()
}

/// Selects by ranges of an index.
fn ranges(n: usize) -> Module {
    let mut text = Text::new(&["f32[1000]"]);
    text.add("i = s32[1000] iota(), iota_dimension=0");
    for k in 0..n {
        text.add(format!("c{k} = s32[] constant({})", k * 7 % 1000));
        text.add(format!("b{k} = s32[1000] broadcast(c{k}), dimensions={{}}"));
        text.add(format!("m{k} = pred[1000] compare(i, b{k}), direction=LT"));
        text.add(format!("t{k} = f32[1000] {}(p{k})", ["tanh", "negate", "abs"][k % 3]));
        text.add(format!("p{} = f32[1000] select(m{k}, p{k}, t{k})", k + 1));
    }
    text.module()
}

/// An array whose rows are written one by one.
fn updates(n: usize) -> Module {
    let mut text = Text::new(&["f32[1000,16]", "f32[1,16]"]);
    text.add("zero = s32[] constant(0)");
    let mut array = "p0".to_string();
    for i in 0..n / 3 {
        text.add(format!("i{i} = s32[] constant({})", i % 1000));
        text.add(format!("m{i} = f32[1,16] {}(p1)", ["tanh", "cosine", "negate"][i % 3]));
        text.add(format!("a{i} = f32[1000,16] dynamic-update-slice({array}, m{i}, i{i}, zero)"));
        array = format!("a{i}");
    }
    text.module()
}

/// Maps of the last value and one from long before.
fn long(n: usize) -> Module {
    let mut text = Text::new(&["f32[64,128]", "f32[64,128]"]);
    let mut state = 5u64;
    for i in 2..n {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let name = ["add", "multiply", "subtract", "maximum"][i % 4];
        text.add(format!("p{i} = f32[64,128] {name}(p{}, p{})", (state >> 33) as usize % i, i - 1));
    }
    text.module()
}

type Family = (&'static str, fn(usize) -> Module);

const FAMILIES: &[Family] = &[
    ("chain", chain),
    ("fan-out", fan_out),
    ("layers", layers),
    ("calls", calls),
    ("optimiser", optimiser),
    ("loops", loops),
    ("updates", updates),
    ("long", long),
];

/// All counters of all passes, for each instruction of the input.
fn counters(module: &Module, fusion: &str) -> BTreeMap<String, f64> {
    let mut module = module.clone();
    let instructions = module.instruction_count() as f64;
    let fusion = fusion.parse().expect("a specification");
    let mut cx = PassContext::new(Options { fusion, ..Options::default() });
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).unwrap_or_else(|e| panic!("{}", e[0]));
    let mut all = of_passes(&cx.report);
    let (target, numerics) = (&cx.options.target, cx.options.numerics);
    let scheduled = schedule::schedule(&module, target, numerics).unwrap_or_else(|e| panic!("{e}"));
    all.insert("schedule kernels".into(), scheduled.program.kernels.len() as f64);
    all.insert("schedule steps".into(), scheduled.program.steps.len() as f64);
    all.values_mut().for_each(|n| *n /= instructions);
    all
}

fn of_passes(report: &Report) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    for pass in &report.passes {
        *all.entry(format!("{} work", pass.name)).or_default() += pass.work as f64;
        for rule in ["plans", "steps"] {
            if let Some(&n) = pass.rules.get(rule) {
                *all.entry(format!("{} {rule}", pass.name)).or_default() += n as f64;
            }
        }
    }
    all
}

/// Below this, for each instruction, a counter is next to nothing.
const LITTLE: f64 = 0.25;

/// From one size to the next no counter grows by more than a half for each instruction.
fn assert_nearly_linear((name, make): Family, fusion: &str, sizes: [usize; 2]) {
    let [small, large] = sizes.map(|n| counters(&make(n), fusion));
    for (what, &n) in &large {
        let before = small.get(what).copied().unwrap_or(0.0);
        assert!(
            n <= LITTLE.max(1.5 * before),
            "{name}, {fusion}, {sizes:?}: {what}: {before:.3} then {n:.3}"
        );
    }
}

#[test]
fn counters_grow_with_the_module() {
    for &family in FAMILIES {
        assert_nearly_linear(family, "on", [1_000, 10_000]);
    }
}

/// From where on the concatenation is too much code for a kernel with anything else, which takes a walk to find.
#[test]
fn counters_grow_with_the_pieces_of_a_concatenation() {
    assert_nearly_linear(("pieces", pieces), "on", [4_000, 20_000]);
}

/// Values in the code of all kernels together.
fn code(module: &Module) -> usize {
    let mut module = module.clone();
    let mut cx = PassContext::new(Options::default());
    pipeline::run(&mut cx, &mut module, pipeline::PIPELINE).unwrap_or_else(|e| panic!("{}", e[0]));
    let (target, numerics) = (&cx.options.target, cx.options.numerics);
    let scheduled = schedule::schedule(&module, target, numerics).unwrap_or_else(|e| panic!("{e}"));
    let kernels = scheduled.program.kernels.iter();
    kernels.map(|k| k.lowered().unwrap_or_else(|e| panic!("{e}")).types.len()).sum()
}

/// Four times the pieces are no more code where they are data, and not much more than four times the code where each is
/// computed in a way of its own.
#[test]
fn code_grows_no_faster_than_the_pieces() {
    let sizes = [300, 1_200];
    for (name, make) in [("slices", reversed_slices as fn(usize) -> Module), ("columns", columns)] {
        let [small, large] = sizes.map(|n| code(&make(n)));
        assert!(large <= small + small / 4, "{name}: {small} values of {sizes:?}[0], then {large}");
    }
    for (name, make) in [
        ("pieces", (|n| pieces(3 * n)) as fn(usize) -> Module),
        ("pads", pads),
        ("shifted sums", shifted_sums),
        ("ranges", ranges),
        ("updates", updates),
    ] {
        let [small, large] = sizes.map(|n| code(&make(n)));
        assert!(large <= 6 * small, "{name}: {small} values of {sizes:?}[0], then {large}");
    }
}

/// Twice the concatenations, of 128 times the pieces.
#[test]
fn code_grows_with_concatenations_and_not_with_the_pieces_of_their_pieces() {
    for second in ["negate($)", "reverse($), dimensions={0}"] {
        let [small, large] = [1 << 7, 1 << 14].map(|n| code(&doubled(n, second)));
        assert!(large <= 3 * small, "{second}: {small} values, then {large}");
    }
}

/// Two to the 14th copies, and as many pieces of a flat concatenation, are little code.
#[test]
fn sixteen_thousand_pieces_are_little_code() {
    for (name, module, most) in [
        ("copies", doubled(1 << 14, "copy($)"), 200),
        ("negatives", doubled(1 << 14, "negate($)"), 8_000),
        ("mirrored", doubled(1 << 14, "reverse($), dimensions={0}"), 8_000),
        ("slices", reversed_slices(1 << 14), 200),
        ("columns", columns(1 << 14), 1_000),
    ] {
        let values = code(&module);
        assert!(values <= most, "{name}: {values} values");
    }
}

/// Kernels that read many arrays are not repeated in their users, which is plain to see from what they would read.
#[test]
fn what_cannot_pay_is_refused_without_a_plan() {
    let counters = counters(&long(3_000), "on");
    assert!(counters["schedule kernels"] > 0.01, "kernels that others read: {counters:?}");
    let plans = counters.get("fusion-merger plans").copied().unwrap_or_default();
    assert!(plans < 0.02, "{plans} plans for each instruction");
}

#[test]
fn counters_grow_with_the_module_in_other_modes() {
    for fusion in ["off", "max"] {
        assert_nearly_linear(("chain", chain), fusion, [1_000, 10_000]);
    }
}

#[test]
fn a_hundred_thousand_instructions_cost_ten_times_ten_thousand() {
    for family in [("optimiser", optimiser as fn(usize) -> Module), ("calls", calls)] {
        assert_nearly_linear(family, "on", [10_000, 100_000]);
    }
}
