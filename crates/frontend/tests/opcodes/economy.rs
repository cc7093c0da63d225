//! What backward halves read and do: no more than they need.

use crate::cases::{Case, Input::*};
use crate::derive;
use lawson_frontend::grad;
use lawson_frontend::graph::{Emit, Graph};
use lawson_hlo::builder::Body;
use lawson_hlo::{DType, Module, Opcode, Shape};

/// The types and dimensions of what the backward half of a module reads.
fn residuals(body: &str) -> Vec<String> {
    let module = Case::new(Opcode::Parameter, body, &[]).module();
    let (mut graph, mut body) = (Graph::of(module.clone()), Body::default());
    let mut e = Emit { graph: &mut graph, body: &mut body };
    let shapes = derive::parameters(&module);
    let numbered = shapes.iter().enumerate();
    let ids: Vec<_> = numbered.map(|(n, s)| e.parameter(n, Shape::Array(s.clone()))).collect();
    let vjp = grad::pullback::vjp(&mut e, module.entry, &ids, &[0]).expect("a derivative");
    vjp.residuals.iter().map(|&id| e.shape(id).to_string()).collect()
}

#[test]
fn residuals_are_results_or_truth_values() {
    let one = |op: &str| residuals(&format!("x = f64[3] parameter(0)\nROOT y = f64[3] {op}(x)"));
    assert_eq!(one("exponential"), ["f64[3]"]);
    assert_eq!(one("abs"), ["pred[3]"]);
    assert!(one("negate").is_empty());
    let maximum = "x = f64[3] parameter(0)\nc = f64[] constant(0)\nz = f64[3] broadcast(c), dimensions={}\n\
                   ROOT y = f64[3] maximum(x, z)";
    assert_eq!(residuals(maximum), ["pred[3]", "pred[3]"]);
    let sum = "x = f64[3] parameter(0)\nc = f64[] constant(0)\nROOT y = f64[] reduce(x, c), dimensions={0}, to_apply=add";
    assert!(residuals(sum).is_empty());
    let sort = "x = f64[3] parameter(0)\nROOT y = f64[3] sort(x), dimensions={0}, to_apply=lt";
    assert_eq!(residuals(sort), ["s32[3,1]"]);
}

/// How many instructions of this opcode make an array of that many elements.
fn count(module: &Module, opcode: Opcode, elements: i64) -> usize {
    let instrs = module.computations.iter().flat_map(|c| &c.instrs);
    let large = |s: &Shape| s.as_array().is_some_and(|a| a.elements() == elements && a.dtype == DType::F64);
    instrs.filter(|i| i.opcode == opcode && large(&i.shape)).count()
}

#[test]
fn what_reads_a_part_adds_to_a_part() {
    let reads = [
        "R = f64[1,4] dynamic-slice(x, N, zero), dynamic_slice_sizes={1,4}",
        "R = f64[1,4] gather(x, N), offset_dims={0,1}, collapsed_slice_dims={}, start_index_map={0,1}, \
         index_vector_dim=0, slice_sizes={1,4}",
        "R = f64[1,4] slice(x), slice={[I:I+1],[0:4]}",
    ];
    for read in reads {
        let mut body = "x = f64[100,4] parameter(0)\nzero = s32[] constant(0)\n".to_string();
        for i in 0..6 {
            let gather = read.contains("gather");
            let n =
                if gather { format!("s32[2] constant({{{i}, 0}})") } else { format!("s32[] constant({i})") };
            let rows = read.replace("I:I+1", &format!("{i}:{}", i + 1));
            let rows = rows.replace("R =", &format!("r{i} =")).replace(" N", &format!(" n{i}"));
            body += &format!("n{i} = {n}\n{rows}\ns{i} = f64[1,4] sine(r{i})\n");
        }
        body += "t = f64[1,4] add(s0, s1)\nu = f64[1,4] add(s2, s3)\nv = f64[1,4] add(s4, s5)\n\
                 w = f64[1,4] add(t, u)\nROOT y = f64[1,4] add(v, w)";
        let case = Case::new(Opcode::DynamicSlice, &body, &[Between(-1.0, 1.0)]);
        let vjp = derive::vjp(&case.module()).expect("a derivative");
        assert_eq!(count(&vjp, Opcode::Add, 400), 0, "{vjp}");
        let in_place = count(&vjp, Opcode::DynamicUpdateSlice, 400) + count(&vjp, Opcode::Scatter, 400);
        assert!(in_place >= 5, "{vjp}");
    }
}
