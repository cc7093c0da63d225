//! Cumulative windows become scans, with the bits of the window's own folds.

use lawson_hlo::literal::{Literal, Scalar, Value};
use lawson_hlo::{ArrayShape, DType, Module, eval, text};
use lawson_kernel::cost::figures;
use lawson_kernel::loop_ir;
use lawson_kernel::lower::lower;
use lawson_kernel::plan::plan;
use lawson_kernel::region::build::{Cut, build};
use lawson_kernel::region::{Kind, Region};
use lawson_kernel::target::Target;

fn region(module: &Module) -> Region {
    let comp = module.entry();
    let inputs = comp.root().operands.clone();
    build(module, "scan", Cut { computation: comp, inputs: &inputs, roots: &[comp.root] }).expect("a region")
}

fn check(dtype: DType, dims: &[i64], window: &str, is_scan: bool) {
    let shape = ArrayShape::new(dtype, dims);
    let text = format!(
        "add {{ a = {dtype}[] parameter(0)\n b = {dtype}[] parameter(1)\n ROOT s = {dtype}[] add(a, b) }}
         ENTRY main {{ x = {shape} parameter(0)\n i = {dtype}[] parameter(1)
         ROOT w = {shape} reduce-window(x, i), window={{{window}}}, to_apply=add }}"
    );
    let module = text::parse(&text).expect("well formed");
    let region = region(&module);
    assert_eq!(matches!(region.stages[0].kind, Kind::Scan { .. }), is_scan, "{window}");
    let values = (0..shape.elements()).map(|k| Scalar::Float(((k * 37 + 11) % 101) as f64 * 0.37 - 15.0));
    let x = Literal::from_scalars(shape.clone(), values);
    let init = Literal::scalar(dtype, Scalar::Float(0.5));
    let args = [Value::Array(x.clone()), Value::Array(init.clone())];
    let expected = eval::evaluate(&module, &args, &eval::Options::default()).expect("runs");
    for target in [Target::zen4(), Target::neon()] {
        let plan = plan(&region, &target, figures::work).expect("a plan");
        let kernel = lower(&region, &plan, "scan").expect("lowers");
        loop_ir::verify::verify(&kernel).expect("well formed");
        let mut buffers = vec![x.bytes().to_vec(), init.bytes().to_vec(), vec![0; x.bytes().len()]];
        loop_ir::eval::evaluate(&kernel, &mut buffers).expect("runs");
        assert_eq!(buffers[2], expected.expect_array().bytes(), "{dtype} {dims:?}");
    }
}

#[test]
fn cumulative_sums() {
    check(DType::F32, &[100], "size=100 pad=99_0", true);
    check(DType::F32, &[7, 33], "size=1x33 pad=0_0x32_0", true);
    check(DType::F32, &[20, 37], "size=20x1 pad=19_0x0_0", true);
    check(DType::Bf16, &[40], "size=40 pad=39_0", true);
    check(DType::F64, &[1, 1, 5], "size=1x1x5 pad=0_0x0_0x4_0", true);
}

/// Down columns that are longer than the cache keeps, lines that lie side by side are fetched together.
#[test]
fn long_columns_lie_in_vectors_of_several_registers() {
    check(DType::F32, &[600, 130], "size=600x1 pad=599_0x0_0", true);
    let plan_of = |window: &str| {
        let text = format!(
            "add {{ a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }}
             ENTRY main {{ x = f32[512,512] parameter(0)\n i = f32[] parameter(1)
             ROOT w = f32[512,512] reduce-window(x, i), window={{{window}}}, to_apply=add }}"
        );
        let module = text::parse(&text).expect("well formed");
        plan(&region(&module), &Target::zen4(), figures::work).expect("a plan").to_string()
    };
    let (down, along) = (plan_of("size=512x1 pad=511_0x0_0"), plan_of("size=1x512 pad=0_0x511_0"));
    assert!(down.contains("64 lanes") && along.contains("16 lanes"), "{down}{along}");
}

#[test]
fn other_windows_stay_windows() {
    check(DType::F32, &[10], "size=10 pad=0_9", false);
    check(DType::F32, &[10], "size=3 pad=2_0", false);
}
