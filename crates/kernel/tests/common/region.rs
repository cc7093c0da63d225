//! A module through the whole crate: region, plan, Loop IR, evaluation; against the reference interpreter.

use super::{Rng, difference, element, float_bits, hex};
use lawson_hlo::eval::{Options, evaluate};
use lawson_hlo::{ArrayShape, DType, InstrId, Literal, Module, Opcode, Value, text};
use lawson_kernel::cost::figures;
use lawson_kernel::loop_ir::{self, Access, eval};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::build::Cut;
use lawson_kernel::region::fast_math::relax;
use lawson_kernel::region::reassociate::reassociated;
use lawson_kernel::region::store_maps;
use lawson_kernel::region::{as_products, in_memory_order};
use lawson_kernel::target::Target;
use lawson_kernel::{lower, plan, region};

/// Reducers and comparators that the modules may call.
pub const FUNCTIONS: &str = "
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
mul { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] multiply(a, b) }
sub { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] subtract(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
min { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] minimum(b, a) }
ge { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GE }
lt { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT }
total { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER }
gt2 { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=GT }
second { a = f32[] parameter(0)
  ROOT b = f32[] parameter(1) }
add_bf16 { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT r = bf16[] add(a, b) }
max_bf16 { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT r = bf16[] maximum(a, b) }
add_f16 { a = f16[] parameter(0)
  b = f16[] parameter(1)
  ROOT r = f16[] add(a, b) }
add_f64 { a = f64[] parameter(0)
  b = f64[] parameter(1)
  ROOT r = f64[] add(a, b) }
add_s32 { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b) }
add_s8 { a = s8[] parameter(0)
  b = s8[] parameter(1)
  ROOT r = s8[] add(a, b) }
and { a = pred[] parameter(0)
  b = pred[] parameter(1)
  ROOT r = pred[] and(a, b) }
argmax { v = f32[] parameter(0)
  i = s32[] parameter(1)
  w = f32[] parameter(2)
  j = s32[] parameter(3)
  gt = pred[] compare(v, w), direction=GT
  nan = pred[] compare(v, v), direction=NE
  eq = pred[] compare(v, w), direction=EQ
  before = pred[] compare(i, j), direction=LT
  tie = pred[] and(eq, before)
  wins = pred[] or(gt, nan)
  wins2 = pred[] or(wins, tie)
  x = f32[] select(wins2, v, w)
  y = s32[] select(wins2, i, j)
  ROOT r = (f32[], s32[]) tuple(x, y) }
";

/// The machines a strict result must not depend on; the last has so little cache that stores bypass it.
pub fn targets() -> Vec<Target> {
    let small = Target { name: "small".into(), l1: 1 << 10, l2: 4 << 10, llc: 1 << 10, ..Target::zen4() };
    vec![Target::zen4(), Target::haswell(), Target::neon(), Target::h100(), small]
}

/// Checks each module, given by the lines of its entry computation; panics with all that went wrong.
#[track_caller]
pub fn all_agree(entries: &[String]) {
    let mut wrong = Vec::new();
    for entry in entries {
        if let Err(error) = agree(entry) {
            wrong.push(format!("{error}\n{entry}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), entries.len(), wrong.join("\n"));
}

/// Entries from text: separated by lines of dashes.
pub fn entries(text: &str) -> Vec<String> {
    text.split("\n---\n").map(|e| e.trim_matches('\n').to_string()).collect()
}

/// Whether the kernels of an entry computation give what the interpreter does.
pub fn agree(entry: &str) -> Result<(), String> {
    agree_as(entry, whole)
}

/// As [`agree`], with each element of the root as a part of its own.
pub fn agree_in_parts(entry: &str) -> Result<(), String> {
    agree_as(entry, in_parts)
}

/// As [`agree`], in the form of the region that planning chooses.
pub fn agree_as_planned(entry: &str) -> Result<(), String> {
    let (region, ..) = chosen(entry).map_err(|e| e.to_string())?;
    let (args, expected) = interpreted(&module(entry)?)?;
    means(&region, &args, &expected.leaves())
}

/// Whether an entry computation whose sums are in a free order means the same at all levels and on all machines; it has such on
/// this one, across so many lanes.
pub fn agree_with_free_sums(entry: &str, target: &Target, lanes: u32) -> Result<(), String> {
    let module = module(entry)?;
    let region = whole(&module).map_err(|e| e.to_string())?;
    let plan = plan::plan(&region, target, figures::work).map_err(|e| format!("plan: {e}"))?;
    let free = plan::free_sums(&region, &plan, target).ok_or_else(|| format!("no free sums: {plan}"))?;
    let args = arguments(&module);
    let means_so = region::eval::evaluate(&free, &args).map_err(|e| format!("region evaluated: {e}"))?;
    let again = plan::plan(&free, target, figures::work).map_err(|e| format!("plan: {e}"))?;
    if !again.to_string().contains(&format!("reduce across {lanes} lanes")) {
        return Err(format!("sums in other lanes: {again}"));
    }
    means(&free, &args, &means_so.iter().collect::<Vec<_>>())
}

/// How an entry computation becomes a region.
type Regions = fn(&Module) -> Result<region::Region, Refusal>;

fn whole(module: &Module) -> Result<region::Region, Refusal> {
    let entry = module.entry();
    let inputs: Vec<InstrId> = entry.parameters();
    region::build::build(module, "r", Cut { computation: entry, inputs: &inputs, roots: &[entry.root] })
}

/// The elements of the root as parts, each with the parameters it reads.
pub fn in_parts(module: &Module) -> Result<region::Region, Refusal> {
    let entry = module.entry();
    let all = entry.parameters();
    let array = |&id: &InstrId| {
        let shape = entry[id].shape.as_array().expect("arrays only");
        region::Array { name: entry[id].name.to_string(), dtype: shape.dtype, elements: shape.elements() }
    };
    let mut parts = Vec::new();
    for &root in &entry.root().operands {
        let mut reached = vec![root];
        let mut at = 0;
        while let Some(&id) = reached.get(at) {
            let new = entry[id].operands.iter().filter(|o| !reached.contains(o));
            reached.extend(new.copied().collect::<Vec<_>>());
            at += 1;
        }
        let used: Vec<InstrId> = all.iter().copied().filter(|p| reached.contains(p)).collect();
        let region =
            region::build::build(module, "part", Cut { computation: entry, inputs: &used, roots: &[root] })?;
        let position = |id: &InstrId| all.iter().position(|p| p == id).map(|i| i as u32);
        parts.push(region::Part { region, inputs: used.iter().filter_map(position).collect() });
    }
    Ok(region::Region::of_parts("r", all.iter().map(array).collect(), parts))
}

/// The entry computation with the reducers it may call.
pub fn module(entry: &str) -> Result<Module, String> {
    parsed(&format!("HloModule m\n{FUNCTIONS}\nENTRY e {{\n{entry}\n}}\n"))
}

fn parsed(text: &str) -> Result<Module, String> {
    let module = text::parse(text).map_err(|e| e.to_string())?;
    lawson_hlo::verify::verify(&module).map_err(|e| format!("{e:?}"))?;
    Ok(module)
}

fn agree_as(entry: &str, regions: Regions) -> Result<(), String> {
    agrees(&module(entry)?, regions)
}

/// A module that reduces a value of these lines, of a field, to a sum along dimensions: `x`, `y` are its parameters and `z` what the
/// sum begins with.
pub fn sum_of(field: &str, (dims, kept, reduced): (&str, &str, &str), lines: &str, value: &str) -> String {
    format!(
        "HloModule m
add {{ a = {field}[] parameter(0)
  b = {field}[] parameter(1)
  ROOT r = {field}[] add(a, b) }}
ENTRY e {{
  x = {field}[{dims}] parameter(0)
  y = {field}[{dims}] parameter(1)
  z = {field}[] constant(3)
{lines}
  ROOT r = {field}[{kept}] reduce({value}, z), dimensions={{{reduced}}}, to_apply=add
}}"
    )
}

/// The region of a whole module, given as text.
pub fn region_of_module(text: &str) -> Result<region::Region, Refusal> {
    whole(&parsed(text).expect("a valid module"))
}

/// Whether the kernel of a whole module, given as text, gives what the interpreter does.
pub fn agree_module(text: &str) -> Result<(), String> {
    agrees(&parsed(text)?, whole)
}

/// Whether the chosen kernel of an entry computation gives what the interpreter does while it computes these outputs in
/// the memory of these inputs: (output, input).
pub fn agree_in_place(entry: &str, wanted: &[(u32, u32)]) -> Result<(), String> {
    let (region, plan, _) = chosen(entry).map_err(|e| e.to_string())?;
    let (region, _) = plan::taken_over(&region, &plan, wanted).ok_or("no input is taken over")?;
    let (args, expected) = interpreted(&module(entry)?)?;
    means(&region, &args, &expected.leaves())
}

/// The arguments of a module and what the interpreter makes of them.
fn interpreted(module: &Module) -> Result<(Vec<Literal>, Value), String> {
    let args = arguments(module);
    let values: Vec<Value> = args.iter().cloned().map(Value::Array).collect();
    let expected = evaluate(module, &values, &Options::default()).map_err(|e| e.to_string())?;
    Ok((args, expected))
}

fn agrees(module: &Module, regions: Regions) -> Result<(), String> {
    let (args, expected) = interpreted(module)?;
    let expected: Vec<&Literal> = expected.leaves();
    let region = regions(module).map_err(|e| format!("region: {e}"))?;
    means(&region, &args, &expected)?;
    // What reductions can store on the way has a form of its own.
    match store_maps(&region) {
        Some(stored) => means(&stored, &args, &expected).map_err(|e| format!("stored on the way: {e}")),
        None => Ok(()),
    }
}

/// Whether a region and its kernels give these results.
fn means(region: &region::Region, args: &[Literal], expected: &[&Literal]) -> Result<(), String> {
    region::verify(region).map_err(|e| format!("region verified: {}\n{region}", e.join("\n")))?;
    let found =
        region::eval::evaluate(region, args).map_err(|e| format!("region evaluated: {e}\n{region}"))?;
    for (o, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if let Some(i) = difference(expected, found.bytes()) {
            let [e, f] = [expected.bytes(), found.bytes()].map(|b| hex(b, expected.dtype().size(), i));
            return Err(format!(
                "region evaluated: output {o}, element {i}: expected {e}, found {f}\n{region}"
            ));
        }
    }
    for target in targets() {
        for reverse in [false, true] {
            let at = |e: String| {
                format!("{}, {}: {e}", target.name, if reverse { "reversed" } else { "in order" })
            };
            let found = run(region, args, &target, reverse).map_err(at)?;
            for (o, (expected, found)) in expected.iter().zip(&found).enumerate() {
                if let Some(i) = difference(expected, found) {
                    let [e, f] = [expected.bytes(), found].map(|b| hex(b, expected.dtype().size(), i));
                    return Err(at(format!("output {o}, element {i}: expected {e}, found {f}")));
                }
            }
        }
    }
    Ok(())
}

/// Whether the kernels of an entry computation as `fast` computes it give what the interpreter does, but for `units`
/// in the last place of each type.
pub fn agree_closely(entry: &str, units: f64) -> Result<(), String> {
    let module = module(entry)?;
    let args = arguments(&module);
    let values: Vec<Value> = args.iter().cloned().map(Value::Array).collect();
    let expected = evaluate(&module, &values, &Options::default()).map_err(|e| e.to_string())?;
    for target in targets() {
        let region = relax(&whole(&module).map_err(|e| format!("region: {e}"))?);
        let found = run(&region, &args, &target, false)?;
        for (o, (expected, found)) in expected.leaves().into_iter().zip(found).enumerate() {
            let found = Literal::new(expected.shape().clone(), found);
            let unit = match expected.dtype() {
                DType::F16 => 2f64.powi(-11),
                DType::Bf16 => 2f64.powi(-8),
                DType::F32 => f64::from(f32::EPSILON) / 2.0,
                DType::F64 => f64::EPSILON / 2.0,
                _ => 0.0,
            };
            for (i, (x, y)) in expected.scalars().zip(found.scalars()).enumerate() {
                let (x, y) = (x.as_f64(), y.as_f64());
                let close = (x - y).abs() <= units * unit * x.abs().max(1.0);
                if !(close || x == y || x.is_nan() && y.is_nan()) {
                    return Err(format!("{}: output {o}, element {i}: expected {x}, found {y}", target.name));
                }
            }
        }
    }
    Ok(())
}

/// The arguments of an entry computation and its results with free orders, the bits of the region's evaluator on every
/// machine; `None` where its orders are not free.
pub fn reassociated_results(entry: &str) -> Result<Option<(Vec<Literal>, Vec<Literal>)>, String> {
    free_results(&module(entry)?, reassociated)
}

/// The same of a whole module, given as text.
pub fn reassociated_module(text: &str) -> Result<Option<(Vec<Literal>, Vec<Literal>)>, String> {
    free_results(&parsed(text)?, reassociated)
}

/// The same with sums of products in the order of memory.
pub fn results_in_memory_order(entry: &str) -> Result<Option<(Vec<Literal>, Vec<Literal>)>, String> {
    free_results(&module(entry)?, in_memory_order)
}

/// The same with reductions of pairs as products, of processors.
pub fn results_as_products(entry: &str) -> Result<Option<(Vec<Literal>, Vec<Literal>)>, String> {
    free_results(&module(entry)?, |region| as_products(region, &Target::zen4()))
}

fn free_results(
    module: &Module,
    free: fn(&region::Region) -> Option<region::Region>,
) -> Result<Option<(Vec<Literal>, Vec<Literal>)>, String> {
    let args = arguments(module);
    let Some(region) = free(&whole(module).map_err(|e| format!("region: {e}"))?) else {
        return Ok(None);
    };
    region::verify(&region).map_err(|e| format!("region verified: {}\n{region}", e.join("\n")))?;
    let expected = region::eval::evaluate(&region, &args).map_err(|e| format!("{e}\n{region}"))?;
    for target in targets() {
        for reverse in [false, true] {
            let found = run(&region, &args, &target, reverse).map_err(|e| format!("{}: {e}", target.name))?;
            for (expected, found) in expected.iter().zip(&found) {
                if let Some(i) = difference(expected, found) {
                    let [e, f] = [expected.bytes(), found].map(|b| hex(b, expected.dtype().size(), i));
                    return Err(format!("{}: element {i}: expected {e}, found {f}", target.name));
                }
            }
        }
    }
    Ok(Some((args, expected)))
}

/// The text of an entry computation's region, as it is and as `fast` computes it.
pub fn texts(entry: &str) -> [String; 2] {
    let region = whole(&module(entry).expect("valid")).expect("a region");
    [region.to_string(), relax(&region).to_string()]
}

/// Why an entry computation is not one kernel on the first target.
pub fn refusal(entry: &str) -> Option<Refusal> {
    planned(entry).1.one_kernel().err()
}

/// Parallel regions of the kernel of an entry computation on the first target, and the bytes it reads.
pub fn counted(entry: &str) -> (u64, i64) {
    let (region, plan) = planned(entry);
    let kernel = lower::lower(&region, &plan, "k").expect("a kernel");
    (kernel.parallel_regions(), figures::count(&region, &plan, &Target::zen4()).bytes_read)
}

/// The kernel of an entry computation on the first target, in the form that planning chooses: its region and plan, and
/// its figures.
pub fn chosen(entry: &str) -> Result<(region::Region, plan::Plan, figures::Figures), Refusal> {
    let module = module(entry).expect("valid");
    let (entry, target) = (module.entry(), Target::zen4());
    let inputs: Vec<InstrId> = entry.parameters();
    let cut = Cut { computation: entry, inputs: &inputs, roots: &[entry.root] };
    let region = plan::region(&module, "r", cut, &target)?;
    let plan = plan::plan(&region, &target, figures::work)?;
    plan.one_kernel()?;
    let figures = figures::count(&region, &plan, &target);
    Ok((region, plan, figures))
}

/// The weighed operations of the kernel of an entry computation on the first target.
pub fn work(entry: &str) -> i64 {
    let (region, plan) = planned(entry);
    figures::count(&region, &plan, &Target::zen4()).work
}

/// The plan of an entry computation on the first target, and its code.
pub fn plan_and_code(entry: &str) -> [String; 2] {
    let (region, plan) = planned(entry);
    let kernel = lower::lower(&region, &plan, "k").expect("a kernel");
    [plan.to_string(), kernel.to_string()]
}

/// The same in the form of the region that planning chooses.
pub fn chosen_plan_and_code(entry: &str) -> [String; 2] {
    let (region, plan, _) = chosen(entry).expect("one kernel");
    let kernel = lower::lower(&region, &plan, "k").expect("a kernel");
    [plan.to_string(), kernel.to_string()]
}

/// Lines of code that access an array at places of lanes that are found one by one.
pub fn accesses_apart(code: &str) -> usize {
    let vectors = code.lines().filter(|line| line.contains("i64x"));
    let vectors: Vec<&str> = vectors.filter_map(|line| line.split_whitespace().next()).collect();
    let accesses = code.lines().filter(|line| line.contains("load ") || line.contains("store "));
    accesses.filter(|line| vectors.iter().any(|v| line.contains(&format!("[{v}]")))).count()
}

/// The plan of an entry computation on the first target, as text.
pub fn plan_of(entry: &str) -> String {
    planned(entry).1.to_string()
}

/// The region of an entry computation.
pub fn region_of(entry: &str) -> region::Region {
    whole(&module(entry).expect("valid")).expect("a region")
}

/// The plan of a region on a machine.
pub fn plan_on(region: &region::Region, target: &Target) -> String {
    plan::plan(region, target, figures::work).expect("a plan").to_string()
}

/// The same of a region that nothing joins any more.
pub fn settled_plan_of(entry: &str) -> String {
    let (region, plan) = planned(entry);
    plan::settled(&region, plan, &Target::zen4()).to_string()
}

/// The same, with its code.
pub fn settled_plan_and_code(entry: &str) -> [String; 2] {
    let (region, plan) = planned(entry);
    let plan = plan::settled(&region, plan, &Target::zen4());
    let kernel = lower::lower(&region, &plan, "k").expect("a kernel");
    [plan.to_string(), kernel.to_string()]
}

fn planned(entry: &str) -> (region::Region, plan::Plan) {
    let region = region_of(entry);
    let plan = plan::plan(&region, &Target::zen4(), figures::work).expect("a plan");
    (region, plan)
}

/// The plan of an entry computation on a machine, whose kernel gives what the interpreter does.
pub fn agree_on(entry: &str, target: &Target) -> Result<String, String> {
    let module = module(entry)?;
    let (args, expected) = interpreted(&module)?;
    let region = whole(&module).map_err(|e| e.to_string())?;
    let found = run(&region, &args, target, false)?;
    for (o, (expected, found)) in expected.leaves().iter().zip(&found).enumerate() {
        if let Some(i) = difference(expected, found) {
            return Err(format!("output {o}, element {i} differs"));
        }
    }
    plan::plan(&region, target, figures::work).map(|plan| plan.to_string()).map_err(|e| e.to_string())
}

/// The outputs of a region.
fn run(
    region: &region::Region,
    args: &[Literal],
    target: &Target,
    reverse: bool,
) -> Result<Vec<Vec<u8>>, String> {
    let plan = plan::plan(region, target, figures::work).map_err(|e| format!("plan: {e}"))?;
    let plan = plan::settled(region, plan, target);
    plan::verify(region, &plan).map_err(|e| format!("plan verified: {}\n{region}\n{plan}", e.join("\n")))?;
    let kernel = lower::lower(region, &plan, "k").map_err(|e| format!("lower: {e}"))?;
    let mut buffers: Vec<Vec<u8>> = args.iter().map(|a| a.bytes().to_vec()).collect();
    for (o, array) in region.outputs.iter().enumerate() {
        let alias = region.aliases.iter().find(|a| a.0 == o as u32);
        buffers.push(match alias {
            Some(&(_, input)) => args[input as usize].bytes().to_vec(),
            None => vec![0xff; array.elements as usize * array.dtype.size()],
        });
    }
    buffers.resize(kernel.buffers.len(), Vec::new());
    for alias in &region.aliases {
        let buffer = &kernel.buffers[args.len() + alias.0 as usize];
        if buffer.access != Access::ReadWrite {
            return Err(format!("{} is updated in place but is {:?}", buffer.name, buffer.access));
        }
    }
    let options = eval::Options { reverse, ..eval::Options::default() };
    loop_ir::verify(&kernel).map_err(|e| format!("verify: {}\n{kernel}", e.join("\n")))?;
    if !reverse {
        let text = kernel.to_string();
        let again = loop_ir::text::parse(&text).map_err(|e| format!("text: {e}\n{text}"))?;
        if again.to_string() != text || again.phases != kernel.phases {
            return Err(format!("text reads as another kernel:\n{text}"));
        }
    }
    eval::evaluate_with(&kernel, &mut buffers, options)?;
    Ok(buffers[args.len()..args.len() + region.outputs.len()].to_vec())
}

/// Numbers with ties, zeros of both signs and few digits, so that orders matter; indices a little out of range.
fn arguments(module: &Module) -> Vec<Literal> {
    let mut rng = Rng(42);
    let entry = module.entry();
    let shapes: Vec<&ArrayShape> =
        entry.parameters().iter().filter_map(|&id| entry[id].shape.as_array()).collect();
    debug_assert!(entry.parameters().iter().all(|&id| entry[id].opcode == Opcode::Parameter));
    shapes.iter().map(|shape| random_literal(&mut rng, shape)).collect()
}

fn random_literal(rng: &mut Rng, shape: &ArrayShape) -> Literal {
    let value = |rng: &mut Rng, d: DType| match d {
        d if !d.is_float() => rng.below(16).wrapping_sub(3),
        d => match rng.below(16) {
            0 => float_bits(d, -0.0),
            1..=5 => float_bits(d, (rng.below(17) as f64 - 8.0) / 4.0),
            _ => float_bits(d, rng.unit() * 3.0),
        },
    };
    let bytes: Vec<u8> =
        (0..shape.elements()).flat_map(|_| element(shape.dtype, value(rng, shape.dtype))).collect();
    Literal::new(shape.clone(), bytes)
}
