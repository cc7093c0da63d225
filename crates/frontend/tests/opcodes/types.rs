//! Operations whose result is of another type than their operands: tangents are of the type of their values, which
//! [`derive`] looks at, and the derivatives compute.

use crate::cases::{Case, Input::*};
use crate::derive;
use crate::evaluate::{complex, evaluate};
use crate::random::Random;
use lawson_hlo::Literal;
use lawson_hlo::Opcode::{self, *};

const ADD: &str = "sum { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b) }
wide { a = f32[] parameter(0)\n b = bf16[] parameter(1)\n c = f32[] convert(b)\n ROOT r = f32[] add(a, c) }
most { a = f32[] parameter(0)\n b = bf16[] parameter(1)\n c = f32[] convert(b)\n ROOT r = f32[] maximum(a, c) }
all { a = f32[] parameter(0)\n b = bf16[] parameter(1)\n c = f32[] convert(b)\n ROOT r = f32[] multiply(a, c) }";

/// Results like those of the derivatives of the same in one type, up to the precision of bf16.
#[test]
fn tangents_have_the_types_of_their_values() {
    let cases = [
        (
            Dot,
            "a = LOW[2,3] parameter(0)\nb = LOW[3,2] parameter(1)\n\
             ROOT y = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        ),
        (
            Convolution,
            "a = LOW[1,4,2] parameter(0)\nb = LOW[2,2,3] parameter(1)\n\
             ROOT y = f32[1,3,3] convolution(a, b), window={size=2}, dim_labels=b0f_0io->b0f",
        ),
        (
            Reduce,
            "a = LOW[3,4] parameter(0)\nc = f32[] parameter(1)\n\
             ROOT y = f32[3] reduce(a, c), dimensions={1}, to_apply=WIDE",
        ),
        (
            Reduce,
            "a = LOW[3,4] parameter(0)\nc = f32[] parameter(1)\n\
             ROOT y = f32[3] reduce(a, c), dimensions={1}, to_apply=MOST",
        ),
        (
            Reduce,
            "a = LOW[3,4] parameter(0)\nc = f32[] parameter(1)\n\
             ROOT y = f32[3] reduce(a, c), dimensions={1}, to_apply=ALL",
        ),
        (
            ReduceWindow,
            "a = LOW[6] parameter(0)\nc = f32[] constant(-inf)\n\
             ROOT y = f32[3] reduce-window(a, c), window={size=2 stride=2}, to_apply=MOST",
        ),
        (
            ReduceWindow,
            "a = LOW[6] parameter(0)\nc = f32[] parameter(1)\n\
             ROOT y = f32[6] reduce-window(a, c), window={size=6 pad=5_0}, to_apply=WIDE",
        ),
        (
            Scatter,
            "a = f32[4] parameter(0)\ni = s32[2,1] constant({{1}, {3}})\nu = LOW[2] parameter(1)\n\
             ROOT y = f32[4] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, \
             scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=WIDE",
        ),
        (Convert, "a = LOW[4] parameter(0)\nb = LOW[4] multiply(a, a)\nROOT y = f32[4] convert(b)"),
    ];
    for (opcode, text) in cases {
        let (low, plain) = (gradients(opcode, text, "bf16"), gradients(opcode, text, "f32"));
        for (a, b) in low.iter().zip(&plain) {
            for (a, b) in complex(a).into_iter().zip(complex(b)) {
                assert!((a.0 - b.0).abs() <= 0.05 * (1.0 + b.0.abs()), "{a:?}, not {b:?}, in\n{text}");
            }
        }
    }
}

/// The tangents and the cotangents that a module computes where LOW is this type.
fn gradients(opcode: Opcode, text: &str, low: &str) -> Vec<Literal> {
    let computations = if low == "f32" { ADD.replace("bf16", "f32") } else { ADD.to_string() };
    let text = text.replace("LOW", low).replace("WIDE", "wide").replace("MOST", "most").replace("ALL", "all");
    let parameters = text.matches("parameter(").count();
    let case = Case::new(opcode, &text, &vec![Between(-1.0, 1.0); parameters]).with(&computations);
    let module = case.module();
    let mut found = Vec::new();
    for made in [derive::jvp(&module), derive::vjp(&module)] {
        let made = made.unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut random = Random::new(5);
        let arguments: Vec<Literal> =
            derive::parameters(&made).iter().map(|s| random.between(s, -1.0, 1.0)).collect();
        found.extend(evaluate(&made, &arguments));
    }
    found
}
