//! Operations that only move elements.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let x = &[Between(-1.0, 1.0)];
    let two = &[Between(-1.0, 1.0), Between(-1.0, 1.0)];
    vec![
        Case::new(
            Broadcast,
            "x = f64[2,3] parameter(0)\nROOT y = f64[3,4,2] broadcast(x), dimensions={2,0}",
            x,
        ),
        Case::new(Broadcast, "x = f64[] parameter(0)\nROOT y = f64[2,3] broadcast(x), dimensions={}", x),
        Case::new(Reshape, "x = f64[2,6] parameter(0)\nROOT y = f64[3,4] reshape(x)", x),
        Case::new(
            Transpose,
            "x = f64[2,3,4] parameter(0)\nROOT y = f64[4,2,3] transpose(x), dimensions={2,0,1}",
            x,
        ),
        Case::new(Slice, "x = f64[7,4] parameter(0)\nROOT y = f64[2,2] slice(x), slice={[1:6:3],[2:4]}", x),
        Case::new(Slice, "x = f64[7,4] parameter(0)\nROOT y = f64[0,4] slice(x), slice={[3:3],[0:4]}", x),
        Case::new(
            Slice,
            "x = f64[40] parameter(0)\na = f64[1] slice(x), slice={[3:4]}\nb = f64[1] slice(x), slice={[4:5]}\n\
             c = f64[1] slice(x), slice={[3:4]}\nd = f64[1] multiply(a, b)\nROOT y = f64[1] multiply(c, d)",
            x,
        ),
        Case::new(
            Pad,
            "x = f64[3,4] parameter(0)\nv = f64[] parameter(1)\nROOT y = f64[7,3] pad(x, v), padding=1_1_1x-1_0_0",
            two,
        ),
        Case::new(
            Pad,
            "x = f64[4] parameter(0)\nv = f64[] parameter(1)\nROOT y = f64[6] pad(x, v), padding=-1_-3_2",
            two,
        ),
        Case::new(
            Pad,
            "x = f64[4] parameter(0)\nv = f64[] constant(0)\nROOT y = f64[9] pad(x, v), padding=2_0_1",
            x,
        ),
        Case::new(
            Concatenate,
            "a = f64[2,3] parameter(0)\nb = f64[2,1] parameter(1)\nc = f64[2,1] constant({{1}, {2}})\n\
             ROOT y = f64[2,5] concatenate(a, c, b), dimensions={1}",
            two,
        ),
        Case::new(
            BitReverse,
            "x = f64[4,3,2] parameter(0)\nROOT y = f64[4,3,2] bit-reverse(x), dimensions={0,2}",
            x,
        ),
        Case::new(
            Reverse,
            "x = f64[2,3,2] parameter(0)\nROOT y = f64[2,3,2] reverse(x), dimensions={0,1}",
            x,
        ),
        Case::new(
            DynamicSlice,
            "x = f64[5,4] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n\
             ROOT y = f64[2,3] dynamic-slice(x, i, j), dynamic_slice_sizes={2,3}",
            &[Between(-1.0, 1.0), Exactly(vec![1]), Exactly(vec![4])],
        ),
        Case::new(
            DynamicSlice,
            "x = f64[5] parameter(0)\ni = s32[] parameter(1)\nj = s32[] parameter(2)\n\
             a = f64[2] dynamic-slice(x, i), dynamic_slice_sizes={2}\n\
             b = f64[2] dynamic-slice(x, j), dynamic_slice_sizes={2}\nROOT y = f64[2] multiply(a, b)",
            &[Between(-1.0, 1.0), Exactly(vec![1]), Exactly(vec![2])],
        ),
        Case::new(
            DynamicUpdateSlice,
            "x = f64[5,4] parameter(0)\nu = f64[2,3] parameter(1)\ni = s32[] parameter(2)\nj = s32[] parameter(3)\n\
             ROOT y = f64[5,4] dynamic-update-slice(x, u, i, j)",
            &[Between(-1.0, 1.0), Between(-1.0, 1.0), Exactly(vec![2]), Exactly(vec![3])],
        ),
        Case::new(
            DynamicUpdateSlice,
            "x = f64[4] constant({1, 2, 3, 4})\nu = f64[2] parameter(0)\ni = s32[] parameter(1)\n\
             ROOT y = f64[4] dynamic-update-slice(x, u, i)",
            &[Between(-1.0, 1.0), Exactly(vec![-3])],
        ),
    ]
}
