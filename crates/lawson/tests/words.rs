//! Products whose operands are multiplied in words of several factors, in vectors and by tile registers: on whole numbers, whose
//! sums are exact in any order, they have the interpreter's bits.

use lawson::hlo::{ArrayShape, DType, Literal, Module};
use lawson::options::Numerics;
use lawson::{Client, Options, compile};
use lawson_kernel::program::PlannedKernel;

/// Two products, to which a bias for each column is added.
fn product(dtype: &str, (m, k, n): (i64, i64, i64)) -> Module {
    let text = format!(
        "HloModule m\nENTRY e {{\n  x = {dtype}[2,{m},{k}] parameter(0)\n  y = {dtype}[2,{k},{n}] parameter(1)\n  \
         b = f32[{n}] parameter(2)\n  p = f32[2,{m},{n}] dot(x, y), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, \
         rhs_contracting_dims={{1}}\n  bb = f32[2,{m},{n}] broadcast(b), dimensions={{2}}\n  \
         ROOT s = f32[2,{m},{n}] add(p, bb)\n}}\n"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Whole numbers from −8 to 8.
fn numbers(shape: ArrayShape, seed: u32) -> Literal {
    let value = |n: u32| ((n.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 8) % 17) as f32 - 8.0;
    let values: Vec<f32> = (0..shape.elements() as u32).map(value).collect();
    let bytes = match shape.dtype {
        DType::Bf16 => values.iter().flat_map(|v| ((v.to_bits() >> 16) as u16).to_le_bytes()).collect(),
        _ => values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>(),
    };
    Literal::new(shape, bytes)
}

/// A text of all kernels.
fn texts(planned: &compile::Planned, text: fn(&PlannedKernel) -> String) -> String {
    planned.scheduled.program.kernels.iter().filter_map(|k| k.source()).map(text).collect()
}

#[test]
fn products_of_bf16_in_fast() {
    let sizes = [(40, 64, 48), (33, 100, 70), (100, 130, 33)];
    for (target, told) in [("sapphire-rapids", "by tile registers of bf16"), ("zen4", "in words of 2 bf16")] {
        for size in sizes {
            let module = product("bf16", size);
            let (m, k, n) = size;
            let inputs = [
                numbers(ArrayShape::new(DType::Bf16, [2, m, k]), 1),
                numbers(ArrayShape::new(DType::Bf16, [2, k, n]), 2),
                numbers(ArrayShape::new(DType::F32, [n]), 3),
            ];
            let expected = Client::interpreter().execute(&module, &inputs, &Options::default());
            let expected = expected.expect("it runs");
            for numerics in [Numerics::Fast, Numerics::Standard] {
                let options = Options { numerics, target: Some(target.into()), ..Options::default() };
                let planned = compile::plan(&module, &options).expect("a plan");
                let plans = texts(&planned, |kernel| kernel.plan.to_string());
                assert_eq!(plans.contains(told), numerics == Numerics::Fast, "{target}, {size:?}: {plans}");
                let told_in_short = texts(&planned, |kernel| kernel.plan.summary()).contains(told);
                assert_eq!(told_in_short, numerics == Numerics::Fast, "{target}, {size:?}");
                let found = Client::cpu().execute(&module, &inputs, &options).expect("it runs");
                assert!(found == expected, "{target}, {size:?}, {numerics:?}");
            }
        }
    }
}

#[test]
fn factors_are_rounded_where_units_multiply_them() {
    // What is computed before the product goes on in f32, unless several factors are multiplied at a time.
    let module = |dtype: &str, n: i64| {
        Module::parse(&format!(
            "HloModule m\nENTRY e {{\n  x = {dtype}[64,64] parameter(0)\n  y = {dtype}[64,{n}] parameter(1)\n  \
             e = {dtype}[64,64] multiply(x, x)\n  \
             ROOT p = f32[64,{n}] dot(e, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n"
        ))
        .expect("valid")
    };
    for (dtype, n, rounded) in [("bf16", 48, true), ("bf16", 8, false), ("f16", 48, false)] {
        let target = Some("sapphire-rapids".into());
        let options = Options { numerics: Numerics::Fast, target, ..Options::default() };
        let planned = compile::plan(&module(dtype, n), &options).expect("a plan");
        let regions = texts(&planned, |kernel| kernel.region.to_string());
        assert_eq!(regions.contains(&format!("= {dtype} convert")), rounded, "{dtype}, {n}: {regions}");
        assert_eq!(regions.contains("in any order"), rounded, "{dtype}, {n}: {regions}");
    }
}
