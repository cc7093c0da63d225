//! What has no derivative says so, and why.

use crate::cases::{Case, Input::*};
use crate::derive;
use lawson_hlo::Opcode::*;

#[track_caller]
fn refused(case: &Case, why: &str) {
    let module = case.module();
    for (mode, made) in [("forward", derive::jvp(&module)), ("backward", derive::vjp(&module))] {
        match made {
            Ok(_) => panic!("{mode}: a derivative of\n{}", case.text),
            Err(e) => assert!(e.to_string().contains(why), "{mode}: {e}"),
        }
    }
}

#[test]
fn what_is_not_known_is_refused() {
    let any = Between(-1.0, 1.0);
    let one = std::slice::from_ref(&any);
    let call = "x = f64[2] parameter(0)\nROOT y = f64[2] custom-call(x), custom_call_target=\"mine\"";
    refused(&Case::new(CustomCall, call, one), "custom_vjp");
    let bits = "x = f64[2] parameter(0)\nROOT y = f32[2,2] bitcast-convert(x)";
    refused(&Case::new(BitcastConvert, bits, one), "it reads bits, not numbers");
    let rng =
        "a = f64[] parameter(0)\nb = f64[] parameter(1)\nROOT y = f64[2] rng(a, b), distribution=rng_uniform";
    refused(&Case::new(Rng, rng, &[any.clone(), any.clone()]), "between 0 and 1");
}

#[test]
fn scatters_and_windows_say_what_they_need() {
    let (any, at) = (Between(-1.0, 1.0), Exactly(vec![1, 1]));
    let inputs = [any.clone(), at, any.clone()];
    let scatter = |apply: &str| {
        format!(
            "x = f64[3] parameter(0)\ni = s32[2,1] parameter(1)\nu = f64[2] parameter(2)\n\
             ROOT y = f64[3] scatter(x, i, u), update_window_dims={{}}, inserted_window_dims={{0}}, \
             scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply={apply}"
        )
    };
    let half = "half { a = f64[] parameter(0)\n b = f64[] parameter(1)\n c = f64[] constant(0.5)\n
                d = f64[] multiply(b, c)\n ROOT r = f64[] add(a, d) }";
    refused(&Case::new(Scatter, &scatter("mul"), &inputs), "unique_indices=true");
    refused(&Case::new(Scatter, &scatter("half"), &inputs).with(half), "where it adds, replaces");
    let window = "x = f64[4] parameter(0)\nc = f64[] constant(1)\n\
                  ROOT y = f64[3] reduce-window(x, c), window={size=2}, to_apply=mul";
    refused(&Case::new(ReduceWindow, window, std::slice::from_ref(&any)), "all that came before");
    let pool = "x = f64[4] parameter(0)\ns = f64[2] parameter(1)\nc = f64[] constant(1)\n\
                ROOT y = f64[4] select-and-scatter(x, s, c), window={size=2 stride=2}, select=ge, scatter=mul";
    refused(&Case::new(SelectAndScatter, pool, &[any.clone(), any.clone()]), "where it adds");
    let map = "x = f64[2] parameter(0)\nROOT y = f64[2] map(x), dimensions={0}, to_apply=back";
    let back =
        "back { a = f64[] parameter(0)\n v = f64[1] reshape(a)\n r = f64[1] reverse(v), dimensions={0}\n
                ROOT s = f64[] reshape(r) }";
    refused(&Case::new(Map, map, &[any]).with(back), "called for each element");
}
