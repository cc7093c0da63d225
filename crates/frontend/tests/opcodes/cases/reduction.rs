//! Reductions, dots, batch normalisation and scans.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let mut all = reduces();
    all.extend(dots());
    all.extend(batch_norms());
    all.extend(scans());
    all
}

fn reduces() -> Vec<Case> {
    let reduce = |init: &str, apply: &str| {
        format!(
            "x = f64[2,3,4] parameter(0)\nc = f64[] constant({init})\n\
             ROOT y = f64[3] reduce(x, c), dimensions={{0,2}}, to_apply={apply}"
        )
    };
    let varying = |apply: &str| {
        format!(
            "x = f64[3,5] parameter(0)\nc = f64[] parameter(1)\n\
             ROOT y = f64[3] reduce(x, c), dimensions={{1}}, to_apply={apply}"
        )
    };
    let argmax = "x = f64[3,4] parameter(0)\ni = s32[3,4] iota(), iota_dimension=1\nc = f64[] constant(-inf)\n\
                  k = s32[] constant(0)\nROOT y = (f64[3], s32[3]) reduce(x, i, c, k), dimensions={1}, to_apply=argmax";
    let sums = "x = f64[3,4] parameter(0)\nz = f64[3,4] parameter(1)\nc = f64[] constant(0)\n\
                k = f64[] constant(-inf)\n\
                ROOT y = (f64[3], f64[3]) reduce(x, z, c, k), dimensions={1}, to_apply=both";
    let both = "both { a = f64[] parameter(0)\n b = f64[] parameter(1)\n c = f64[] parameter(2)\n
                d = f64[] parameter(3)\n s = f64[] add(a, c)\n t = f64[] maximum(b, d)\n
                ROOT r = (f64[], f64[]) tuple(s, t) }";
    let general = "smooth { a = f64[] parameter(0)\n b = f64[] parameter(1)\n e = f64[] exponential(a)\n
                   f = f64[] exponential(b)\n s = f64[] add(e, f)\n ROOT r = f64[] log(s) }";
    let complex = "sum { a = c128[] parameter(0)\n b = c128[] parameter(1)\n ROOT r = c128[] add(a, b) }";
    let between = Between(-1.0, 1.0);
    let one = std::slice::from_ref(&between);
    vec![
        Case::new(Reduce, &reduce("0", "add"), one),
        Case::new(Reduce, &reduce("-inf", "max"), &[Distinct]),
        Case::new(Reduce, &reduce("inf", "min"), &[Distinct]),
        Case::new(Reduce, &reduce("1", "mul"), one),
        Case::new(Reduce, &reduce("-inf", "smooth"), one).with(general),
        Case::new(Reduce, &varying("add"), &[between.clone(), between.clone()]),
        Case::new(Reduce, &varying("mul"), &[between.clone(), between.clone()]),
        Case::new(Reduce, &varying("max"), &[Distinct, Between(-0.04, 0.04)]),
        Case::new(Reduce, argmax, &[Distinct]),
        Case::new(Reduce, sums, &[between.clone(), Distinct]).with(both),
        Case::new(
            Reduce,
            "x = c128[3,2] parameter(0)\nc = c128[] constant((0, 0))\n\
             ROOT y = c128[2] reduce(x, c), dimensions={0}, to_apply=sum",
            one,
        )
        .with(complex),
    ]
}

fn dots() -> Vec<Case> {
    let two = &[Between(-1.0, 1.0), Between(-1.0, 1.0)];
    vec![
        Case::new(
            Dot,
            "a = f64[2,3] parameter(0)\nb = f64[3,4] parameter(1)\n\
             ROOT y = f64[2,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
            two,
        ),
        Case::new(
            Dot,
            "a = f64[3,5,2,4] parameter(0)\nb = f64[4,6,3,2] parameter(1)\n\
             ROOT y = f64[2,5,6] dot(a, b), lhs_batch_dims={2}, rhs_batch_dims={3}, \
             lhs_contracting_dims={3,0}, rhs_contracting_dims={0,2}",
            two,
        ),
        Case::new(
            Dot,
            "a = f64[3,2] parameter(0)\nb = f64[2,3] parameter(1)\n\
             ROOT y = f64[] dot(a, b), lhs_contracting_dims={1,0}, rhs_contracting_dims={0,1}",
            two,
        ),
    ]
}

fn batch_norms() -> Vec<Case> {
    let training = "x = f64[4,3] parameter(0)\ns = f64[3] parameter(1)\no = f64[3] parameter(2)\n\
                    ROOT y = (f64[4,3], f64[3], f64[3]) batch-norm-training(x, s, o), epsilon=0.01, feature_index=1";
    let inference = "x = f64[4,3] parameter(0)\ns = f64[3] parameter(1)\no = f64[3] parameter(2)\n\
                     m = f64[3] parameter(3)\nv = f64[3] parameter(4)\n\
                     ROOT y = f64[4,3] batch-norm-inference(x, s, o, m, v), epsilon=0.01, feature_index=1";
    let grad = "x = f64[4,3] parameter(0)\ns = f64[3] parameter(1)\nm = f64[3] parameter(2)\n\
                v = f64[3] parameter(3)\ng = f64[4,3] parameter(4)\n\
                ROOT y = (f64[4,3], f64[3], f64[3]) batch-norm-grad(x, s, m, v, g), epsilon=0.01, feature_index=1";
    let x = Between(-1.0, 1.0);
    let variance = Between(0.5, 1.5);
    let five = |last: [super::Input; 3]| [vec![x.clone(), x.clone()], last.to_vec()].concat();
    vec![
        Case::new(BatchNormTraining, training, &[x.clone(), x.clone(), x.clone()]),
        Case::new(BatchNormInference, inference, &five([x.clone(), x.clone(), variance.clone()])),
        Case::new(BatchNormGrad, grad, &five([x.clone(), variance, x.clone()])),
    ]
}

fn scans() -> Vec<Case> {
    let scan = |reverse: bool| {
        format!(
            "x = f64[4,2] parameter(0)\nc = f64[2] parameter(1)\n\
             ROOT y = (f64[4,2], f64[2]) scan(x, c), dimensions={{0}}, is_reverse={reverse}, num_carries=1, \
             to_apply=step"
        )
    };
    let step = "step { x = f64[2] parameter(0)\n c = f64[2] parameter(1)\n s = f64[2] sine(c)\n
                m = f64[2] multiply(s, x)\n n = f64[2] add(m, x)\n ROOT r = (f64[2], f64[2]) tuple(m, n) }";
    let two = &[Between(-1.0, 1.0), Between(-1.0, 1.0)];
    vec![Case::new(Scan, &scan(false), two).with(step), Case::new(Scan, &scan(true), two).with(step)]
}
