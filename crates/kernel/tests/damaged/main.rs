//! Verifiers of regions and plans reject what is damaged by hand: one case for each rule.

mod plans;
mod regions;

use lawson_hlo::Module;
use lawson_kernel::cost::figures;
use lawson_kernel::plan::{self, Plan};
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::region::{self, Node, Region};
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
