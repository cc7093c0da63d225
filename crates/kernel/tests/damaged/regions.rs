//! Regions.

use crate::{bad_plan, bad_region, distances, dot, following, map, position, sorted, sums, update, updating};
use lawson_hlo::DType;
use lawson_hlo::index::Affine;
use lawson_kernel::plan::Schedule;
use lawson_kernel::region::{
    Carried, FoldOrder, Kind, Node, NodeId, Part, ProductOrder, Region, Source, Stored, Symbol,
};

#[test]
fn nodes() {
    bad_region("nodes have", map(), |r| r.types.truncate(2));
    bad_region("does not come before it", map(), |r| {
        let at = position(r, |n| matches!(n, Node::Select { .. }));
        r.nodes[at] = Node::Select { mask: NodeId(2), x: NodeId(0), y: NodeId(at as u32) };
    });
    bad_region("there is no s7", map(), |r| r.nodes[0] = Node::Index(Affine::symbol(7)));
    bad_region("is no s64", map(), |r| r.symbols.push(Symbol { node: NodeId(0), range: (0, 1) }));
    bad_region("carried by no loop", map(), |r| {
        r.nodes[0] = Node::Carry(Carried { of: 1, at: 0, last: false })
    });
    bad_region("an array that is not there", map(), |r| {
        r.nodes[0] = Node::Load { source: Source::Input(9), offset: Affine::constant(0), mask: None }
    });
}

#[test]
fn types() {
    bad_region("is f32, not pred", map(), |r| {
        let at = position(r, |n| matches!(n, Node::Select { .. }));
        r.nodes[at] = Node::Select { mask: NodeId(0), x: NodeId(0), y: NodeId(1) };
    });
    bad_region("it is f64, not f32", map(), |r| {
        let at = position(r, |n| matches!(n, Node::Binary { .. }));
        r.types[at] = DType::F64;
    });
    bad_region("it is s32, not pred", map(), |r| {
        let at = position(r, |n| matches!(n, Node::Compare { .. }));
        r.types[at] = DType::S32;
    });
    bad_region("it is s32, not f32", map(), |r| r.types[0] = DType::S32);
    bad_region("differ in width", map(), |r| {
        let at = position(r, |n| matches!(n, Node::Binary { .. }));
        (r.nodes[at], r.types[at]) = (Node::Bits { from: DType::F32, x: NodeId(0) }, DType::S64);
    });
}

#[test]
fn arrays() {
    bad_region("it has -1 elements", map(), |r| r.inputs[0].elements = -1);
    bad_region("have 0 sources", map(), |r| r.output_sources.clear());
    bad_region("no stage makes it", map(), |r| r.output_sources[0] = (0, 5));
    bad_region("makes f32, not f64", map(), |r| r.outputs[0].dtype = DType::F64);
    bad_region("makes 32 elements, not 31", map(), |r| r.outputs[0].elements = 31);
    bad_region("cannot start as in2", update(), |r| r.aliases[0].1 = 2);
}

#[test]
fn stages() {
    bad_region("less than no points", map(), |r| r.stages[0].space[0] = -1);
    bad_region("32 elements for 36 points", map(), |r| r.stages[0].space = vec![4, 9]);
    bad_region("it has no results", map(), |r| r.stages[0].results.clear());
    bad_region("a node that is not there", map(), |r| {
        r.stages[0].kind = Kind::Map { values: vec![NodeId(99)] }
    });
    bad_region("instead of", map(), |r| r.stages[0].results = vec![DType::F64]);
    bad_region("it has no axis d5", map(), |r| {
        let at = position(r, |n| matches!(n, Node::Load { .. }));
        r.nodes[at] = Node::Load { source: Source::Input(0), offset: Affine::axis(5), mask: None };
    });
    bad_region("which is later", sums(), |r| {
        let at = position(r, |n| matches!(n, Node::Load { .. }));
        r.nodes[at] = Node::Load {
            source: Source::Stage { stage: 1, output: 0 },
            offset: Affine::constant(0),
            mask: None,
        };
    });
    bad_region("outside of a function", map(), |r| r.nodes[0] = Node::Argument(0));
}

#[test]
fn kinds() {
    bad_region("a function of", sums(), |r| {
        let Kind::Reduce { combiner, .. } = &mut r.stages[0].kind else { panic!("a reduction") };
        combiner.arguments.pop();
    });
    bad_region("is not the function's argument", sums(), |r| {
        let at = position(r, |n| *n == Node::Argument(1));
        r.nodes[at] = Node::Argument(7);
    });
    bad_region("does not allow gaps", sums(), |r| {
        let mask = r.add(Node::Constant { bits: [1, 0, 0, 0] }, DType::Pred);
        let Kind::Reduce { mask: m, order, .. } = &mut r.stages[0].kind else { panic!("a reduction") };
        (*m, *order) = (Some(mask), FoldOrder::MinorReduced);
    });
    bad_region("2 values for 1 results", sums(), |r| {
        let Kind::Reduce { values, .. } = &mut r.stages[0].kind else { panic!("a reduction") };
        values.push(values[0]);
    });
    let stored = |r: &mut Region, elements: i64, value: NodeId| {
        let parts = vec![(Affine::axis(0), value)];
        let Kind::Reduce { stored, .. } = &mut r.stages[0].kind else { panic!("a reduction") };
        stored.push(Stored { elements, parts });
        r.stages[0].results.push(DType::F32);
    };
    bad_region("1 elements stored at each of", sums(), |r| stored(r, 7, NodeId(0)));
    bad_region("instead of", sums(), |r| {
        let mask = r.add(Node::Constant { bits: [1, 0, 0, 0] }, DType::Pred);
        stored(r, 64 * 512, mask);
    });
    bad_region("windows that store on the way", sums(), |r| {
        stored(r, 64 * 512, NodeId(0));
        let Kind::Reduce { order, .. } = &mut r.stages[0].kind else { panic!("a reduction") };
        *order = FoldOrder::Sequential;
    });
    bad_region("it reads what stage 0 stores on the way", sums(), |r| {
        stored(r, 64 * 512, NodeId(0));
        for node in &mut r.nodes {
            if let Node::Load { source: Source::Stage { output, .. }, .. } = node {
                *output = 1;
            }
        }
    });
    bad_region("instead of", dot(), |r| {
        let Kind::Contract { accumulator, .. } = &mut r.stages[0].kind else { panic!("a dot") };
        *accumulator = DType::F64;
    });
    bad_region("only for multiply-adds of f32", distances(), |r| {
        let Kind::Contract { order, .. } = &mut r.stages[0].kind else { panic!("a product") };
        *order = ProductOrder::Free;
    });
    bad_region("may not be regrouped", distances(), |r| {
        let Kind::Contract { semiring: Some(semiring), .. } = &mut r.stages[0].kind else {
            panic!("a product")
        };
        semiring.add = semiring.multiply.clone();
    });
    bad_region("a contraction of 2 results", dot(), |r| r.stages[0].results.push(DType::F32));
    bad_region("2 inner axes", sorted(), |r| r.stages[0].inner.push(1));
    bad_region("instead of [Pred]", sorted(), |r| {
        let Kind::Sort { less, .. } = &mut r.stages[0].kind else { panic!("a sort") };
        less.results = vec![NodeId(0)];
    });
    bad_region("the first 999 of", sorted(), |r| {
        let Kind::Sort { kept, .. } = &mut r.stages[0].kind else { panic!("a sort") };
        *kept = 999;
    });
}

#[test]
fn parts() {
    let of_parts = || {
        let part = map();
        Region::of_parts("all", part.inputs.clone(), vec![Part { region: part, inputs: vec![0, 1] }])
    };
    bad_region("inputs are not those", of_parts(), |r| r.parts[0].inputs = vec![0]);
    bad_region("outputs are not those", of_parts(), |r| r.outputs[0].elements = 3);
    bad_region("1 outputs are of none", of_parts(), |r| r.outputs.push(r.outputs[0].clone()));
    bad_region("stages beside them", of_parts(), |r| r.stages = map().stages);
    bad_region("part 0: stage 0", of_parts(), |r| r.parts[0].region.stages[0].space[0] = 5);
    bad_plan("it is computed 0 times", of_parts(), |p| {
        p.segments.as_mut().expect("segments").bodies.clear();
    });
    bad_plan("there is no part 8", of_parts(), |p| {
        p.segments.as_mut().expect("segments").bodies[0].parts.push(8);
    });
    bad_plan("the work of 2 parts", of_parts(), |p| p.segments.as_mut().expect("segments").work.push(1));
    bad_plan("body 0: stage 0: 0 rows", of_parts(), |p| {
        let body = &mut p.segments.as_mut().expect("segments").bodies[0];
        let Schedule::Map(map) = &mut body.plan.groups[0].schedule else { panic!("a map") };
        map.rows_per_task = 0;
    });
    bad_plan("needs memory or phases of its own", of_parts(), |p| {
        p.segments.as_mut().expect("segments").bodies[0].plan.scratch.push((0, 0));
    });
    bad_plan("a region of 1 parts", of_parts(), |p| p.segments = None);
}

#[test]
fn following_loops() {
    bad_region("a loop without an end", following(), |r| r.loops[1].condition = None);
    bad_region("%0 cannot be written to own0", following(), |r| {
        let store = r.loops[0].stores.first_mut().expect("a row");
        store.value = NodeId(0);
        r.types[0] = DType::S32;
    });
    bad_region("an array that is not there", following(), |r| r.private.clear());
    bad_region("does not come before it", following(), |r| {
        let at = position(r, |n| matches!(n, Node::Load { source: Source::Written { .. }, .. }));
        if let Node::Load { source: Source::Written { after, .. }, .. } = &mut r.nodes[at] {
            *after = NodeId(at as u32);
        }
    });
    // What is read after a loop within as it was before.
    bad_region("reads what has changed meanwhile", updating(), |r| {
        let last = |n: &Node| {
            matches!(n, Node::Load { source: Source::Written { after, .. }, .. }
            if matches!(r.node(*after), Node::Carry(Carried { last: true, .. })))
        };
        let at = position(r, last);
        let start = position(r, |n| matches!(n, Node::Carry(Carried { of: 0, last: false, .. })));
        if let Node::Load { source: Source::Written { after, .. }, .. } = &mut r.nodes[at] {
            *after = NodeId(start as u32);
        }
    });
    bad_plan("1 loops are known, not 3", following(), |p| {
        let Schedule::Loop(s) = &mut p.groups[0].schedule else { panic!("a loop") };
        s.prefetch.truncate(1);
    });
}
