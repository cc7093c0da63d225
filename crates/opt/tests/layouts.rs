//! Arrays between kernels in any order of their dimensions: whatever the coin chooses, no value changes.

mod support;

use lawson_hlo::{Module, Opcode};
use lawson_kernel::target::Target;
use lawson_opt::Numerics;
use lawson_opt::schedule::schedule;
use support::run::run;
use support::values::{Rng, same_results};

/// Maps, products, sums and moves of dimensions on arrays of two and three dimensions, each of any one before.
fn module(seed: u64) -> Module {
    let mut rng = Rng::new(seed);
    let mut below = |n: usize| (rng.next() % n as u64) as usize;
    let mut lines = String::new();
    let mut known: Vec<(String, Vec<i64>)> = Vec::new();
    for n in 0..2 {
        let dims = [vec![6, 20], vec![3, 4, 17]][below(2)].clone();
        lines += &format!("  p{n} = {} parameter({n})\n", typed(&dims));
        known.push((format!("p{n}"), dims));
    }
    lines += "  zero = f32[] constant(0)\n";
    for n in 0..12 {
        let (x, dims) = known[below(known.len())].clone();
        let (line, made) = match below(6) {
            0 => {
                let order: Vec<usize> = (0..dims.len()).rev().collect();
                let made: Vec<i64> = order.iter().map(|&d| dims[d]).collect();
                (format!("transpose({x}), dimensions={}", set(&order)), made)
            }
            1 => {
                let at = below(dims.len());
                let left: Vec<i64> = (0..dims.len()).filter(|&d| d != at).map(|d| dims[d]).collect();
                let dimensions: Vec<usize> = (0..dims.len()).filter(|&d| d != at).collect();
                lines += &format!(
                    "  s{n} = {} reduce({x}, zero), dimensions={{{at}}}, to_apply=sum\n",
                    typed(&left)
                );
                (format!("broadcast(s{n}), dimensions={}", set(&dimensions)), dims)
            }
            2 if dims.len() == 2 => {
                let at = below(2);
                let dot =
                    format!("dot({x}, {x}), lhs_contracting_dims={{{at}}}, rhs_contracting_dims={{{at}}}");
                (dot, vec![dims[1 - at]; 2])
            }
            3 => (format!("reverse({x}), dimensions={{0}}"), dims),
            _ => {
                let alike: Vec<&String> = known.iter().filter(|(_, d)| *d == dims).map(|(y, _)| y).collect();
                let y = alike[below(alike.len())];
                (format!("{}({x}, {y})", ["add", "multiply", "power"][below(3)]), dims)
            }
        };
        lines += &format!("  x{n} = {} {line}\n", typed(&made));
        known.push((format!("x{n}"), made));
    }
    let results = &known[known.len() - 3..];
    let types: Vec<String> = results.iter().map(|(_, dims)| typed(dims)).collect();
    let names: Vec<&str> = results.iter().map(|(x, _)| &x[..]).collect();
    let text = format!(
        "HloModule m\n\nsum {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}}\n\n\
         ENTRY e {{\n{lines}  ROOT r = ({}) tuple({})\n}}\n",
        types.join(", "),
        names.join(", ")
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn typed(dims: &[i64]) -> String {
    format!("f32[{}]", dims.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
}

fn set(dims: &[usize]) -> String {
    format!("{{{}}}", dims.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
}

#[test]
fn any_order_keeps_the_bits() {
    let (mut chosen, mut elements) = (0, 0);
    for seed in 0..300 {
        let before = module(seed);
        let (after, cx) = run(&before, &format!("chance-{seed}"));
        same_results(&before, &after, Numerics::Strict).unwrap_or_else(|e| panic!("{seed}: {e}\n{after}"));
        schedule(&after, &Target::zen4(), Numerics::Strict)
            .unwrap_or_else(|e| panic!("{seed}: {e}\n{after}"));
        chosen += cx.report.layouts.len();
        let is_element = |name: &str| {
            let entry = after.entry().instrs.iter();
            entry.filter(|i| i.opcode == Opcode::GetTupleElement).any(|i| &*i.name == name)
        };
        elements += cx.report.layouts.iter().filter(|l| is_element(&l.array)).count();
    }
    assert!(
        chosen > 50 && elements > 10,
        "{chosen} arrays in another order, {elements} of them beside others"
    );
}

/// A matrix of a product whose results lie in lanes is read down its columns.
#[test]
fn a_constant_lies_as_its_kernel_reads_it() {
    const ROWS: i64 = 2048;
    let rows: Vec<String> = (0..ROWS).map(|n| format!("{{ {}, {}, {} }}", n % 7, n % 5, n % 3)).collect();
    let text = format!(
        "HloModule m\n\nENTRY e {{\n  x = f32[3] parameter(0)\n  c = f32[{ROWS},3] constant({{ {} }})\n  \
         d = f32[{ROWS}] dot(c, x), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n  \
         ROOT r = f32[{ROWS}] exponential(d)\n}}\n",
        rows.join(", ")
    );
    let before = Module::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let (after, cx) = run(&before, "on");
    let [layout] = &cx.report.layouts[..] else { panic!("{:?}\n{after}", cx.report.layouts) };
    assert_eq!((&*layout.array, &layout.order[..]), ("c", &[1, 0][..]));
    assert!(layout.us_after < layout.us_before);
    let constants = after.entry().instrs.iter().filter(|i| i.opcode == Opcode::Constant);
    let shapes: Vec<&[i64]> = constants.filter_map(|i| i.shape.as_array()).map(|a| &a.dims[..]).collect();
    assert!(shapes.contains(&&[3, ROWS][..]) && !shapes.contains(&&[ROWS, 3][..]), "{shapes:?}");
    same_results(&before, &after, Numerics::Strict).unwrap_or_else(|e| panic!("{e}"));
}

/// The overlap of all pairs of boxes, in an order that data gives: the boxes in that order are read by each pair, so they are made
/// once and lie by coordinates. With the gather in the kernel of the pairs, each pair would look for its boxes again.
#[test]
fn what_all_pairs_read_is_made_once_and_lies_as_they_read_it() {
    let text = "HloModule m
        times { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] multiply(a, b) }
        ENTRY e {
          boxes = f32[256,4] parameter(0)
          order = s32[256,1] parameter(1)
          chosen = f32[256,4] gather(boxes, order), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0},
            index_vector_dim=1, slice_sizes={1,4}
          low = f32[256,2] slice(chosen), slice={[0:256], [0:2]}
          high = f32[256,2] slice(chosen), slice={[0:256], [2:4]}
          low.0 = f32[256,256,2] broadcast(low), dimensions={0,2}
          low.1 = f32[256,256,2] broadcast(low), dimensions={1,2}
          from = f32[256,256,2] maximum(low.0, low.1)
          high.0 = f32[256,256,2] broadcast(high), dimensions={0,2}
          high.1 = f32[256,256,2] broadcast(high), dimensions={1,2}
          to = f32[256,256,2] minimum(high.0, high.1)
          sides = f32[256,256,2] subtract(to, from)
          zero = f32[] constant(0)
          none = f32[256,256,2] broadcast(zero), dimensions={}
          overlap = f32[256,256,2] maximum(sides, none)
          one = f32[] constant(1)
          shared = f32[256,256] reduce(overlap, one), dimensions={2}, to_apply=times
          own.sides = f32[256,2] subtract(high, low)
          own = f32[256] reduce(own.sides, one), dimensions={1}, to_apply=times
          own.0 = f32[256,256] broadcast(own), dimensions={0}
          own.1 = f32[256,256] broadcast(own), dimensions={1}
          both = f32[256,256] add(own.0, own.1)
          all = f32[256,256] subtract(both, shared)
          ROOT r = f32[256,256] divide(shared, all)
        }";
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let (after, _) = run(&module, "on");
    assert_eq!(same_results(&module, &after, Numerics::Strict), Ok(()));
    let gathers = |c: &lawson_hlo::Computation| c.instrs.iter().any(|i| i.opcode == Opcode::Gather);
    let pairs = after.entry().root();
    let called = pairs.attrs.called();
    assert!(pairs.opcode == Opcode::Fusion && called.iter().all(|&c| !gathers(&after[c])), "{after}");
}
