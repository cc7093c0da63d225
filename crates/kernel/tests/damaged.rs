//! Verifiers of regions and plans reject what is damaged by hand: one case for each rule.

use lawson_hlo::index::Affine;
use lawson_hlo::{DType, Module, Opcode};
use lawson_kernel::cost::figures;
use lawson_kernel::loop_ir::Factor;
use lawson_kernel::plan::{self, Plan, ReduceShape, Schedule, SelectAndScatterSchedule};
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::region::{
    self, ArgExtreme, Array, Carried, FoldOrder, Kind, Node, NodeId, Part, ProductOrder, Region, Source,
    Stored, Symbol,
};
use lawson_kernel::target::Target;

const ADD: &str = "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\
                   less {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
                   ROOT c = pred[] compare(a, b), direction=LT\n}\n";

fn region(entry: &str) -> Region {
    region_with("", entry)
}

fn region_with(computations: &str, entry: &str) -> Region {
    let module = format!("HloModule m\n{ADD}{computations}ENTRY e {{\n{entry}\n}}\n");
    let module = Module::parse(&module).expect("valid");
    let comp = module.entry();
    let cut = Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] };
    build(&module, "r", cut).expect("a region")
}

fn map() -> Region {
    region(
        "  x = f32[4,8] parameter(0)\n  y = f32[4,8] parameter(1)\n  p = pred[4,8] compare(x, y), direction=LT\n  \
         s = f32[4,8] select(p, x, y)\n  ROOT z = f32[4,8] add(s, y)",
    )
}

fn inverse() -> Region {
    region("  x = babybear[128] parameter(0)\n  ROOT z = babybear[128] inverse(x)")
}

/// A sum of rows, then a map over it.
fn sums() -> Region {
    region(
        "  x = f32[64,512] parameter(0)\n  i = f32[] constant(0)\n  \
         s = f32[64] reduce(x, i), dimensions={1}, to_apply=add\n  ROOT z = f32[64] negate(s)",
    )
}

/// A reduction of everything, and a map over all that reads it: two groups.
fn dependent() -> Region {
    region(
        "  x = f32[4096] parameter(0)\n  i = f32[] constant(0)\n  \
         s = f32[] reduce(x, i), dimensions={0}, to_apply=add\n  b = f32[4096] broadcast(s), dimensions={}\n  \
         ROOT z = f32[4096] divide(x, b)",
    )
}

fn softmax() -> Region {
    region(
        "  x = f32[64,512] parameter(0)\n  i = f32[] constant(0)\n  e = f32[64,512] exponential(x)\n  \
         s = f32[64] reduce(e, i), dimensions={1}, to_apply=add\n  \
         b = f32[64,512] broadcast(s), dimensions={0}\n  ROOT z = f32[64,512] divide(e, b)",
    )
}

fn dot() -> Region {
    region(
        "  x = f32[32,16] parameter(0)\n  y = f32[16,64] parameter(1)\n  \
         ROOT z = f32[32,64] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
    )
}

fn distances() -> Region {
    let region = region(
        "  x = f32[32,16] parameter(0)\n  y = f32[64,16] parameter(1)\n  \
         a = f32[32,64,16] broadcast(x), dimensions={0,2}\n  b = f32[32,64,16] broadcast(y), dimensions={1,2}\n  \
         d = f32[32,64,16] subtract(a, b)\n  s = f32[32,64,16] abs(d)\n  i = f32[] constant(0)\n  \
         ROOT z = f32[32,64] reduce(s, i), dimensions={2}, to_apply=add",
    );
    region::as_products(&region, &Target::zen4()).expect("a product")
}

fn sorted() -> Region {
    region("  x = f32[4,8] parameter(0)\n  ROOT z = f32[4,8] sort(x), dimensions={1}, to_apply=less")
}

fn update() -> Region {
    region(
        "  x = f32[8,16] parameter(0)\n  u = f32[1,16] parameter(1)\n  i = s32[] parameter(2)\n  \
         z = s32[] constant(0)\n  ROOT r = f32[8,16] dynamic-update-slice(x, u, i, z)",
    )
}

fn scattered() -> Region {
    region(
        "  x = f32[8,32] parameter(0)\n  i = s32[5,1] parameter(1)\n  u = f32[5,32] parameter(2)\n  \
         ROOT r = f32[8,32] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, \
         scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
    )
}

/// A loop that stacks its state, and one that reads the rows.
fn following() -> Region {
    let state = "(s32[], f32[16], f32[4,16])";
    let computations = format!(
        "more {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  t = s32[] constant(4)\n  \
         ROOT r = pred[] compare(i, t), direction=LT\n}}\n\
         first {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = f32[16] get-tuple-element(p), index=1\n  s = f32[4,16] get-tuple-element(p), index=2\n  \
         n = s32[] constant(1)\n  j = s32[] add(i, n)\n  z = s32[] constant(0)\n  u = f32[1,16] reshape(x)\n  \
         d = f32[4,16] dynamic-update-slice(s, u, i, z)\n  y = f32[16] negate(x)\n  \
         ROOT r = {state} tuple(j, y, d)\n}}\n\
         second {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = f32[16] get-tuple-element(p), index=1\n  s = f32[4,16] get-tuple-element(p), index=2\n  \
         n = s32[] constant(1)\n  j = s32[] add(i, n)\n  z = s32[] constant(0)\n  \
         v = f32[1,16] dynamic-slice(s, i, z), dynamic_slice_sizes={{1,16}}\n  u = f32[16] reshape(v)\n  \
         y = f32[16] add(x, u)\n  ROOT r = {state} tuple(j, y, s)\n}}\n"
    );
    let four = "backend_config={\"known_trip_count\":{\"n\":\"4\"}}";
    region_with(
        &computations,
        &format!(
            "  x = f32[16] parameter(0)\n  z = s32[] constant(0)\n  f = f32[] constant(0)\n  \
             o = f32[4,16] broadcast(f), dimensions={{}}\n  t = {state} tuple(z, x, o)\n  \
             w = {state} while(t), condition=more, body=first, {four}\n  y = f32[16] get-tuple-element(w), index=1\n  \
             s = f32[4,16] get-tuple-element(w), index=2\n  u = {state} tuple(z, y, s)\n  \
             v = {state} while(u), condition=more, body=second, {four}\n  \
             ROOT r = f32[16] get-tuple-element(v), index=1"
        ),
    )
}

/// A loop in a loop, both of which change elements of an array that the outer one reads before and after.
fn updating() -> Region {
    let state = "(s32[], f32[40])";
    let computations = format!(
        "few {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  t = s32[] constant(4)\n  \
         ROOT r = pred[] compare(i, t), direction=LT\n}}\n\
         inner {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = f32[40] get-tuple-element(p), index=1\n  n = s32[] constant(1)\n  j = s32[] add(i, n)\n  \
         a = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={{1}}\n  b = f32[1] negate(a)\n  \
         y = f32[40] dynamic-update-slice(x, b, j)\n  ROOT r = {state} tuple(j, y)\n}}\n\
         outer {{\n  p = {state} parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  \
         x = f32[40] get-tuple-element(p), index=1\n  n = s32[] constant(1)\n  j = s32[] add(i, n)\n  \
         z = s32[] constant(0)\n  a = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={{1}}\n  \
         t = {state} tuple(z, x)\n  w = {state} while(t), condition=few, body=inner\n  \
         v = f32[40] get-tuple-element(w), index=1\n  \
         b = f32[1] dynamic-slice(v, j), dynamic_slice_sizes={{1}}\n  c = f32[1] add(a, b)\n  \
         y = f32[40] dynamic-update-slice(v, c, j)\n  ROOT r = {state} tuple(j, y)\n}}\n"
    );
    region_with(
        &computations,
        &format!(
            "  x = f32[40] parameter(0)\n  z = s32[] constant(0)\n  t = {state} tuple(z, x)\n  \
             w = {state} while(t), condition=few, body=outer\n  ROOT y = f32[40] get-tuple-element(w), index=1"
        ),
    )
}

fn planned(region: &Region) -> Plan {
    plan::plan(region, &Target::zen4(), figures::work).expect("a plan")
}

/// The damaged region is rejected for this reason; the whole one is not.
#[track_caller]
fn bad_region(fault: &str, mut region: Region, damage: impl FnOnce(&mut Region)) {
    assert_eq!(region::verify(&region), Ok(()), "{region}");
    damage(&mut region);
    let faults = region::verify(&region).expect_err(fault);
    assert!(faults.iter().any(|f| f.contains(fault)), "{fault}: {faults:#?}");
}

#[track_caller]
fn bad_plan(fault: &str, region: Region, damage: impl FnOnce(&mut Plan)) {
    let mut plan = planned(&region);
    assert_eq!(plan::verify(&region, &plan), Ok(()), "{plan}");
    damage(&mut plan);
    let faults = plan::verify(&region, &plan).expect_err(fault);
    assert!(faults.iter().any(|f| f.contains(fault)), "{fault}: {faults:#?}");
}

fn position(region: &Region, of: impl Fn(&Node) -> bool) -> usize {
    region.nodes.iter().position(of).expect("such a node")
}

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

#[test]
fn what_a_plan_computes() {
    bad_plan("it is computed 0 times", map(), |p| p.groups.clear());
    bad_plan("it is computed 2 times", map(), |p| p.groups.push(p.groups[0].clone()));
    bad_plan("there is no stage 4", map(), |p| p.groups[0].epilogue = Some(4));
    bad_plan("not the loops of a map", map(), |p| {
        let (lane, lanes, rows_per_task, once) = (None, 1, None, false);
        p.groups[0].schedule =
            Schedule::SelectAndScatter(SelectAndScatterSchedule { lane, lanes, rows_per_task, once });
    });
    bad_plan("exclude each other", softmax(), |p| p.groups = planned(&map()).groups);
    let apart = || {
        let (mut region, other) = (map(), map());
        region.stages.extend(other.stages);
        region.outputs.push(Array { name: "second".into(), ..region.outputs[0].clone() });
        region.output_sources.push((1, 0));
        region
    };
    bad_plan("cannot be computed where", apart(), |p| {
        let groups = planned(&map()).groups;
        (p.nest, p.groups) = (None, groups);
        p.groups[0].epilogue = Some(1);
    });
}

#[test]
fn loops() {
    bad_plan("its loops have 28 of 32 points", map(), |p| p.groups[0].axes.extents = vec![28]);
    bad_plan("its loops are of another stage", map(), |p| {
        p.groups[0].axes = planned(&dot()).groups[0].axes.clone()
    });
    bad_plan("of 512 inner points", sums(), |p| *p.groups[0].axes.extents.last_mut().expect("a loop") = 16);
    let of_map = |p: &mut Plan, change: fn(&mut plan::MapSchedule)| {
        let Schedule::Map(map) = &mut p.groups[0].schedule else { panic!("a map") };
        change(map);
    };
    let of_update = |p: &mut Plan, change: fn(&mut plan::UpdateSchedule)| {
        let Schedule::Update(update) = &mut p.groups[0].schedule else { panic!("an update") };
        change(update);
    };
    bad_plan("run side by side", scattered(), |p| of_update(p, |u| u.parallel = true));
    bad_plan("run side by side", scattered(), |p| of_update(p, |u| (u.lane, u.lanes) = (Some(0), 4)));
    bad_plan("3 updates are loaded together", scattered(), |p| of_update(p, |u| u.in_turn = Some(3)));
    bad_plan("parts of vectors, are found before", scattered(), |p| {
        of_update(p, |u| u.found_before = Some(3))
    });
    bad_plan("no maximum or minimum are compared", scattered(), |p| {
        of_update(p, |u| u.compared = Some(Opcode::Maximum))
    });
    bad_plan("12 lanes", map(), |p| of_map(p, |m| m.lanes = 12));
    bad_plan("lanes along no loop", map(), |p| of_map(p, |m| m.lane = None));
    bad_plan("which is not there", map(), |p| of_map(p, |m| m.lane = Some(6)));
    bad_plan("64 lanes along 32 points", map(), |p| of_map(p, |m| m.lanes = 64));
    bad_plan("0 columns", map(), |p| of_map(p, |m| m.columns_per_task = 0));
    bad_plan("is no inverse", map(), |p| of_map(p, |m| m.inverses.nodes.push(NodeId(0))));
    bad_plan("inverses of 6 vectors", inverse(), |p| of_map(p, |m| m.inverses.vectors = 6));
    bad_plan("no first of their own", sums(), |p| {
        let Schedule::Reduce(sum) = &mut p.groups[0].schedule else { panic!("a reduction") };
        let dtype = DType::F32;
        sum.by_blocks = Some(ArgExtreme { element: 0, greatest: true, dtype, is_total: false });
    });
    bad_plan("another loop than the lanes'", map(), |p| {
        of_map(p, |m| {
            let row = m.lane.expect("lanes");
            m.transpose = Some(plan::Transpose {
                row,
                loads: Vec::new(),
                rows: 16,
                columns: 16,
                turn: plan::Turn::Shuffles,
                squares: None,
                in_registers: false,
            });
        })
    });
    bad_plan("3 vectors together in tasks of", map(), |p| of_map(p, |m| m.ahead = 3));
    bad_plan("squares of 32 columns stay in registers", map(), |p| {
        of_map(p, |m| {
            m.transpose = Some(plan::Transpose {
                row: 0,
                loads: Vec::new(),
                rows: 16,
                columns: 32,
                turn: plan::Turn::Shuffles,
                squares: None,
                in_registers: true,
            });
        })
    });
    bad_plan("9 x 2 squares in 8 tasks of 2", map(), |p| {
        of_map(p, |m| {
            m.transpose = Some(plan::Transpose {
                row: 1,
                loads: Vec::new(),
                rows: 32,
                columns: 32,
                turn: plan::Turn::Stores,
                squares: Some(plan::BlockSquares { rows: 9, columns: 2, tasks: 8, per_task: 2 }),
                in_registers: false,
            });
        })
    });
    bad_plan("is split at [40]", map(), |p| {
        of_map(p, |m| {
            let parts = vec![m.clone(), m.clone()];
            let evaluated = vec![Vec::new(); 2];
            m.split = Some(plan::IndexSetSplit {
                axis: 0,
                at: vec![40],
                in_rows: false,
                work: 50,
                parts,
                evaluated,
            });
        })
    });
    bad_plan("1 loops for 2 parts", map(), |p| {
        of_map(p, |m| {
            let (parts, evaluated) = (vec![m.clone()], vec![Vec::new(); 2]);
            m.split = Some(plan::IndexSetSplit {
                axis: 0,
                at: vec![16],
                in_rows: false,
                work: 50,
                parts,
                evaluated,
            });
        })
    });
    bad_plan("results of 3 rows at once", sums(), |p| {
        let Schedule::Reduce(reduce) = &mut p.groups[0].schedule else { panic!("a reduction") };
        reduce.stored_together = 3;
    });
    bad_plan("1 chunks of 100 for 512 elements", sums(), |p| {
        let Schedule::Reduce(reduce) = &mut p.groups[0].schedule else { panic!("a reduction") };
        assert_eq!(reduce.shape, ReduceShape::AcrossLanes);
        reduce.chunk = 100;
    });
    bad_plan("lanes in order over [512]", sums(), |p| {
        let Schedule::Reduce(reduce) = &mut p.groups[0].schedule else { panic!("a reduction") };
        reduce.in_order = Some(plan::InOrder { vectors: 2, shuffled: Vec::new() });
    });
    bad_plan("these are not the loops of a contract", distances(), |p| {
        let factors = [Factor::S8; 2];
        let words = plan::Words { vector: NodeId(0), scalar: NodeId(1), factors, tiles: false };
        let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a product") };
        contract.words = Some(words);
    });
    bad_plan("along no loop", dot(), |p| {
        let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a dot") };
        contract.row = Some(9);
    });
    let over = |axis: fn(&plan::ContractSchedule) -> usize| {
        move |p: &mut Plan| {
            let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a dot") };
            contract.over = Some(plan::Over { axis: axis(contract), points: 1 });
            contract.block = 1;
        }
    };
    bad_plan("runs over points of its rows", dot(), over(|c| c.lane.expect("lanes")));
    bad_plan("with the elements of one ahead", dot(), |p| {
        let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a dot") };
        (contract.over, contract.ahead) = (Some(plan::Over { axis: 9, points: 1 }), true);
    });
}

#[test]
fn memory_between_groups() {
    let two = || {
        let region = dependent();
        assert_eq!(planned(&region).groups.len(), 2, "{}", planned(&region));
        region
    };
    bad_plan("which is not in memory", two(), |p| p.scratch.clear());
    bad_plan("which is computed later", two(), |p| p.groups.reverse());
    bad_plan("stage 1 result 0 needs no place", two(), |p| p.scratch.push((1, 0)));
    bad_plan("there is no out3", two(), |p| p.reread.push(3));
}

#[test]
fn prefetches() {
    let ask = |stage: u32, load: u32| {
        move |p: &mut Plan| {
            let into = lawson_kernel::loop_ir::Cache::First;
            p.prefetch.push(plan::PrefetchDistance { stage, load: NodeId(load), elements: 64, into });
        }
    };
    bad_plan("%2 is no load of an input", softmax(), ask(0, 2));
    bad_plan("is no load of an input", softmax(), ask(9, 0));
    bad_plan("threads of a graphics processor ask for nothing", softmax(), |p| {
        ask(0, 0)(p);
        p.lanes_are_threads = true;
    });
}

#[test]
fn reciprocals() {
    bad_plan("%0 is no division by a reciprocal", softmax(), |p| p.reciprocals.push((0, NodeId(0))));
    bad_plan("is no division by a reciprocal", softmax(), |p| {
        let (_, division) = p.reciprocals.first().copied().unwrap_or((0, NodeId(1)));
        p.reciprocals.push((9, division));
    });
}

#[test]
fn nests() {
    let nest = |change: fn(&mut plan::Nest)| move |p: &mut Plan| change(p.nest.as_mut().expect("a row nest"));
    bad_plan("0 rows of a task", softmax(), nest(|n| n.rows_per_task = 0));
    bad_plan("results of 128 rows at once", softmax(), nest(|n| n.stored_together = 128));
    bad_plan("not those of the nest", softmax(), nest(|n| n.rows[0] = 63));
    bad_plan("which is computed later", softmax(), nest(|n| n.members.reverse()));
    bad_plan("3 lanes along row 0", softmax(), nest(|n| n.lane = Some(plan::RowLanes { row: 0, lanes: 3 })));
    bad_plan(
        "4 rows of row 5",
        softmax(),
        nest(|n| n.block = Some(plan::Block { row: 5, rows: 4, lanes: 1 })),
    );
    bad_plan("it is of no result", softmax(), nest(|n| n.tiles[0].result = 9));
    bad_plan("0 elements", softmax(), nest(|n| n.tiles[0].elements = 0));
}
