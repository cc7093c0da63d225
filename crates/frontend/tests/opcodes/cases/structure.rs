//! Tuples, calls and what has no meaning but order.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let x = &[Between(-1.0, 1.0)];
    let two = &[Between(-1.0, 1.0), Between(-1.0, 1.0)];
    let f = "f { a = f64[2] parameter(0)\n b = f64[2] parameter(1)\n s = f64[2] sine(a)\n
             ROOT r = f64[2] multiply(s, b) }";
    let ab = "a = f64[2] parameter(0)\nb = f64[2] parameter(1)\n";
    vec![
        Case::new(Parameter, "ROOT x = f64[2] parameter(0)", x),
        Case::new(Tuple, &format!("{ab}ROOT t = (f64[2], f64[2]) tuple(b, a)"), two),
        Case::new(
            GetTupleElement,
            &format!(
                "{ab}s = f64[2] sine(a)\nt = (f64[2], f64[2]) tuple(b, s)\n\
                 ROOT y = f64[2] get-tuple-element(t), index=1"
            ),
            two,
        ),
        Case::new(Call, &format!("{ab}ROOT y = f64[2] call(a, b), to_apply=f"), two).with(f),
        Case::new(Fusion, &format!("{ab}ROOT y = f64[2] fusion(a, b), kind=kLoop, calls=f"), two).with(f),
        Case::new(
            OptimizationBarrier,
            &format!(
                "{ab}t = (f64[2], f64[2]) tuple(b, a)\ns = (f64[2], f64[2]) opt-barrier(t)\n\
                 c = f64[2] get-tuple-element(s), index=0\nd = f64[2] get-tuple-element(s), index=1\n\
                 e = f64[2] multiply(c, d)\nROOT y = f64[2] opt-barrier(e)"
            ),
            two,
        ),
        Case::new(
            AddDependency,
            &format!("{ab}k = token[] after-all()\nROOT y = f64[2] add-dependency(a, k)"),
            two,
        ),
        Case::new(
            Domain,
            &format!(
                "{ab}s = f64[2] sine(a)\nROOT y = f64[2] domain(s), \
                 domain={{kind=\"sharding\", entry={{maximal device=0}}, exit={{maximal device=0}}}}"
            ),
            two,
        ),
    ]
}
