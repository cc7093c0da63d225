//! Every operation on elements of prime fields as compiled code of each vector level that this machine has, alone and
//! fused with others: the elements that the interpreter computes.

mod common;

use common::run_kernel;
use lawson_cpu::{CompileOptions, Effort, TargetSpec};
use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::{DType, Literal, Module, Value};
use lawson_kernel::cost::figures;
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::target::Target;
use lawson_kernel::{lower, plan};

/// A processor and a machine to plan for.
struct Level {
    code: TargetSpec,
    plan: Target,
}

/// The machine's own, vectors of 256 bits, and what every x86-64 has; elsewhere the machine's own alone.
fn levels() -> Vec<Level> {
    let host = TargetSpec::host().unwrap();
    let named = |name: &str| TargetSpec { triple: host.triple.clone(), ..TargetSpec::named(name).unwrap() };
    if !host.is_x86() {
        return vec![Level { code: host, plan: Target::neon() }];
    }
    let least = TargetSpec { cpu: "x86-64".into(), lanes_hint: 4, ..named("haswell") };
    vec![
        Level { code: host.clone(), plan: Target::zen4() },
        Level { code: named("haswell"), plan: Target::haswell() },
        Level { code: least, plan: Target::neon() },
    ]
}

fn fields() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied().filter(|d| d.field().is_some())
}

/// Elements of the lengths that leave a vector over; storage at the borders of the field and between them.
fn storage(field: DType, n: usize, seed: u64) -> Vec<u8> {
    let p = field.field().unwrap().prime.modulus();
    let edges = [0, 1, p - 1, p - 2, p / 2, p / 2 + 1];
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    let words = (0..n).map(|_| match next() >> 60 {
        k if k < 6 => edges[k as usize],
        _ => next() % p,
    });
    words.flat_map(|w| w.to_le_bytes()[..field.size()].to_vec()).collect()
}

fn arguments(module: &Module) -> Vec<Literal> {
    let entry = module.entry();
    let shapes = entry.parameters().into_iter().filter_map(|id| entry[id].shape.as_array());
    shapes
        .enumerate()
        .map(|(k, shape)| {
            let n = shape.elements() as usize;
            let bytes = match shape.dtype {
                DType::U32 => (0..n as u32).flat_map(|i| (i * i % 37).to_le_bytes()).collect(),
                DType::S32 => (0..n as i32).flat_map(|i| (i * 0x4f_1bbc - (1 << 30)).to_le_bytes()).collect(),
                field => storage(field, n, k as u64 + 1),
            };
            Literal::new(shape.clone(), bytes)
        })
        .collect()
}

/// The kernel of a module on every level.
fn agree(text: &str) {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let entry = module.entry();
    let args = arguments(&module);
    let values: Vec<Value> = args.iter().cloned().map(Value::Array).collect();
    let expected = evaluate(&module, &values, &Options::default()).unwrap();
    let parameters = entry.parameters();
    let region =
        build(&module, "k", Cut { computation: entry, inputs: &parameters, roots: &[entry.root] }).unwrap();
    let inputs: Vec<Vec<u8>> = args.iter().map(|a| a.bytes().to_vec()).collect();
    for level in levels() {
        let plan = plan::plan(&region, &level.plan, figures::work).unwrap();
        let kernel = lower::lower(&region, &plan, "k").unwrap();
        let options = CompileOptions { target: level.code, effort: Effort::Full };
        let found = run_kernel(kernel, &options, &inputs);
        for (o, (expected, found)) in expected.leaves().into_iter().zip(&found).enumerate() {
            let size = expected.dtype().size();
            let at = expected.bytes().chunks(size).zip(found.chunks(size)).position(|(e, f)| e != f);
            assert_eq!(at, None, "result {o} on {}:\n{text}", options.target.cpu);
        }
    }
}

#[test]
fn operations_by_themselves() {
    for field in fields() {
        let other =
            fields().find(|&d| d != field && d.field().map(|f| f.prime) == field.field().map(|f| f.prime));
        let other = other.unwrap_or(field);
        let word = if field.size() == 8 { "u64" } else { "u32" };
        let results = [
            (field, "add(x, y)"),
            (field, "subtract(x, y)"),
            (field, "multiply(x, y)"),
            (field, "multiply(x, x)"),
            (field, "negate(x)"),
            (field, "inverse(x)"),
            (field, "divide(x, y)"),
            (field, "power(x, n)"),
            (field, "maximum(x, y)"),
            (field, "minimum(x, y)"),
            (field, "clamp(x, y, z)"),
            (field, "select(below, x, y)"),
            (field, "convert(n)"),
            (field, "convert(s)"),
            (other, "convert(x)"),
        ];
        let mut text = format!(
            "HloModule m\nENTRY e {{\n  x = {field}[77] parameter(0)\n  y = {field}[77] parameter(1)\n  \
             z = {field}[77] parameter(2)\n  n = u32[77] parameter(3)\n  s = s32[77] parameter(4)\n  \
             below = pred[77] compare(x, y), direction=LT\n"
        );
        for (k, (dtype, call)) in results.iter().enumerate() {
            text += &format!("  r{k} = {dtype}[77] {call}\n");
        }
        text += &format!("  value = u32[77] convert(x)\n  stored = {word}[77] bitcast-convert(x)\n");
        let shapes: Vec<String> = results.iter().map(|(dtype, _)| format!("{dtype}[77]")).collect();
        let names: Vec<String> = (0..results.len()).map(|k| format!("r{k}")).collect();
        text += &format!(
            "  ROOT all = ({}, pred[77], u32[77], {word}[77]) tuple({}, below, value, stored)\n}}\n",
            shapes.join(", "),
            names.join(", ")
        );
        agree(&text);
    }
}

#[test]
fn operations_among_others() {
    for f in fields() {
        agree(&format!(
            "HloModule m
ENTRY e {{
  x = {f}[3,77] parameter(0)
  y = {f}[3,77] parameter(1)
  c = {f}[] parameter(2)
  n = u32[3,77] parameter(3)
  b = {f}[3,77] broadcast(c), dimensions={{}}
  sum = {f}[3,77] add(x, y)
  difference = {f}[3,77] subtract(x, y)
  product = {f}[3,77] multiply(sum, difference)
  square = {f}[3,77] multiply(y, y)
  divisor = {f}[3,77] subtract(square, x)
  quotient = {f}[3,77] divide(product, divisor)
  greater = {f}[3,77] maximum(quotient, x)
  below = pred[3,77] compare(greater, y), direction=LT
  v = {f}[3,77] multiply(greater, b)
  w = {f}[3,77] multiply(quotient, y)
  vw = {f}[3,77] add(v, w)
  p = {f}[3,77] multiply(x, b)
  vwp = {f}[3,77] subtract(vw, p)
  minus = {f}[3,77] negate(quotient)
  chosen = {f}[3,77] select(below, vwp, minus)
  power = {f}[3,77] power(vwp, n)
  ROOT r = {f}[3,77] add(chosen, power)
}}"
        ));
    }
}

#[test]
fn sums_and_products_along_axes() {
    for f in fields() {
        for (dims, kept, reduced) in [("5,150", "5", "1"), ("150,20", "20", "0"), ("4500", "", "0")] {
            // Inverses are code of their own along a row.
            let second = if dims == "5,150" { "divide(x, y)" } else { "multiply(x, x)" };
            agree(&format!(
                "HloModule m
add {{
  a = {f}[] parameter(0)
  b = {f}[] parameter(1)
  c = {f}[] parameter(2)
  d = {f}[] parameter(3)
  s = {f}[] add(a, c)
  t = {f}[] add(b, d)
  ROOT r = ({f}[], {f}[]) tuple(s, t)
}}
ENTRY e {{
  x = {f}[{dims}] parameter(0)
  y = {f}[{dims}] parameter(1)
  z = {f}[] constant(7)
  xy = {f}[{dims}] multiply(x, y)
  yy = {f}[{dims}] multiply(y, y)
  d = {f}[{dims}] subtract(xy, yy)
  q = {f}[{dims}] {second}
  qx = {f}[{dims}] multiply(q, x)
  ROOT r = ({f}[{kept}], {f}[{kept}]) reduce(d, qx, z, z), dimensions={{{reduced}}}, to_apply=add
}}"
            ));
        }
        agree(&format!(
            "HloModule m
multiply {{
  a = {f}[] parameter(0)
  b = {f}[] parameter(1)
  ROOT r = {f}[] multiply(a, b)
}}
ENTRY e {{
  x = {f}[300] parameter(0)
  z = {f}[] constant(-5)
  ROOT r = {f}[] reduce(x, z), dimensions={{0}}, to_apply=multiply
}}"
        ));
        agree(&format!(
            "HloModule m
ENTRY e {{
  x = {f}[9,33] parameter(0)
  y = {f}[33,20] parameter(1)
  ROOT r = {f}[9,20] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
}}"
        ));
    }
}
