//! Operations that read and write where indices say: gather, scatter, sort.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let mut all = gathers();
    all.extend(scatters());
    all.extend(sorts());
    all
}

fn gathers() -> Vec<Case> {
    // The last index lies outside: it is clamped.
    let rows = "x = f64[5,3] parameter(0)\ni = s32[4,1] parameter(1)\n\
                ROOT y = f64[4,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, \
                index_vector_dim=1, slice_sizes={1,3}";
    let windows = "x = f64[5,4] parameter(0)\ni = s32[2,3] parameter(1)\n\
                   ROOT y = f64[2,3,2] gather(x, i), offset_dims={0,2}, collapsed_slice_dims={}, \
                   start_index_map={1,0}, index_vector_dim=0, slice_sizes={2,2}";
    let batched = "x = f64[3,5] parameter(0)\ni = s64[2,3,1] parameter(1)\n\
                   ROOT y = f64[2,3] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, \
                   operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}";
    let x = Between(-1.0, 1.0);
    let twice = "x = f64[5,3] parameter(0)\ni = u8[2,1] parameter(1)\n\
                 a = f64[2,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, \
                 index_vector_dim=1, slice_sizes={1,3}\ns = f64[2,3] slice(x), slice={[0:2],[0:3]}\n\
                 ROOT y = f64[2,3] multiply(a, s)";
    vec![
        Case::new(Gather, rows, &[x.clone(), Exactly(vec![1, 4, 1, 9])]),
        Case::new(Gather, windows, &[x.clone(), Exactly(vec![0, 1, -2, 3, 2, 4])]),
        Case::new(Gather, batched, &[x.clone(), Exactly(vec![0, 1, 2, 3, 4, 7])]),
        Case::new(Gather, twice, &[x, Exactly(vec![1, 200])]),
    ]
}

fn scatters() -> Vec<Case> {
    let scatter = |apply: &str, unique: bool| {
        format!(
            "x = f64[5,3] parameter(0)\ni = s32[4,1] parameter(1)\nu = f64[4,3] parameter(2)\n\
             ROOT y = f64[5,3] scatter(x, i, u), update_window_dims={{1}}, inserted_window_dims={{0}}, \
             scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, unique_indices={unique}, to_apply={apply}"
        )
    };
    // An index outside drops its update.
    let repeated = Exactly(vec![1, 7, 1, 3]);
    let unique = Exactly(vec![4, 7, 1, 3]);
    let (x, u) = (Between(-1.0, 1.0), Between(0.3, 1.0));
    let windows = "x = f64[5,4] parameter(0)\ni = s32[2,3] parameter(1)\nu = f64[2,3,2] parameter(2)\n\
                   ROOT y = f64[5,4] scatter(x, i, u), update_window_dims={0,2}, inserted_window_dims={}, \
                   scatter_dims_to_operand_dims={1,0}, index_vector_dim=0, to_apply=add";
    let batched = "x = f64[3,5] parameter(0)\ni = s32[3,2,1] parameter(1)\nu = f64[3,2] parameter(2)\n\
                   ROOT y = f64[3,5] scatter(x, i, u), update_window_dims={}, inserted_window_dims={1}, \
                   input_batching_dims={0}, scatter_indices_batching_dims={0}, \
                   scatter_dims_to_operand_dims={1}, index_vector_dim=2, to_apply=second";
    let variadic = "x = f64[5] parameter(0)\nz = f64[5] parameter(1)\ni = s32[3,1] parameter(2)\n\
                    u = f64[3] parameter(3)\nv = f64[3] parameter(4)\n\
                    ROOT y = (f64[5], f64[5]) scatter(x, z, i, u, v), update_window_dims={}, \
                    inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both";
    let both = "both { a = f64[] parameter(0)\n b = f64[] parameter(1)\n c = f64[] parameter(2)\n
                d = f64[] parameter(3)\n s = f64[] add(a, c)\n t = f64[] add(d, b)\n
                ROOT r = (f64[], f64[]) tuple(s, t) }";
    let inputs = |i: &super::Input| vec![x.clone(), i.clone(), u.clone()];
    let three = [0, 1, 1, 3, 4, 9].to_vec();
    vec![
        Case::new(Scatter, &scatter("add", false), &inputs(&repeated)),
        Case::new(Scatter, &scatter("second", false), &inputs(&repeated)),
        Case::new(Scatter, &scatter("second", true), &inputs(&unique)),
        Case::new(Scatter, &scatter("mul", true), &inputs(&unique)),
        Case::new(Scatter, &scatter("max", false), &[Distinct, repeated.clone(), Distinct]),
        Case::new(Scatter, &scatter("min", false), &[Distinct, repeated.clone(), Distinct]),
        Case::new(Scatter, windows, &inputs(&Exactly(vec![0, 1, 2, 3, 2, 4]))),
        Case::new(Scatter, batched, &inputs(&Exactly(three))),
        Case::new(Scatter, variadic, &[x.clone(), x.clone(), Exactly(vec![1, 1, 8]), u.clone(), u.clone()])
            .with(both),
    ]
}

fn sorts() -> Vec<Case> {
    let one = "x = f64[4,3] parameter(0)\nROOT y = f64[4,3] sort(x), dimensions={0}, to_apply=lt";
    let pairs = "x = f64[2,5] parameter(0)\nz = f64[2,5] parameter(1)\ni = s32[2,5] iota(), iota_dimension=1\n\
                 ROOT y = (f64[2,5], s32[2,5], f64[2,5]) sort(x, i, z), dimensions={1}, is_stable=true, to_apply=by";
    let by = "by { a = f64[] parameter(0)\n b = f64[] parameter(1)\n c = s32[] parameter(2)\n d = s32[] parameter(3)\n
              e = f64[] parameter(4)\n f = f64[] parameter(5)\n
              ROOT r = pred[] compare(a, b), direction=GT }";
    let topk = "x = f64[2,5] parameter(0)\nROOT y = (f64[2,3], s32[2,3]) topk(x), k=3, largest=true";
    vec![
        Case::new(Sort, one, &[Distinct]),
        Case::new(Sort, pairs, &[Distinct, Between(-1.0, 1.0)]).with(by),
        Case::new(TopK, topk, &[Distinct]),
    ]
}
