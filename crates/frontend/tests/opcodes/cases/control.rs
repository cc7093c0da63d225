//! Loops and branches; what decides is no floating-point number.

use super::{Case, Input::*};
use lawson_hlo::Opcode::*;

pub fn cases() -> Vec<Case> {
    let two = &[Between(-1.0, 1.0), Between(-1.0, 1.0)];
    let counted = "zero = s32[] constant(0)\nx = f64[2] parameter(0)\nw = f64[2] parameter(1)\n\
                   t = (s32[], f64[2], f64[2]) tuple(zero, x, w)\n\
                   l = (s32[], f64[2], f64[2]) while(t), condition=less, body=trip\n\
                   ROOT y = f64[2] get-tuple-element(l), index=1";
    let trip = "less { s = (s32[], f64[2], f64[2]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n
                three = s32[] constant(3)\n ROOT r = pred[] compare(i, three), direction=LT }
                trip { s = (s32[], f64[2], f64[2]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n
                x = f64[2] get-tuple-element(s), index=1\n w = f64[2] get-tuple-element(s), index=2\n
                one = s32[] constant(1)\n j = s32[] add(i, one)\n p = f64[2] multiply(x, w)\n z = f64[2] sine(p)\n
                ROOT t = (s32[], f64[2], f64[2]) tuple(j, z, w) }";
    let branches = "square { x = f64[2] parameter(0)\n ROOT y = f64[2] multiply(x, x) }
                    wave { x = f64[2] parameter(0)\n ROOT y = f64[2] sine(x) }";
    let either = "p = pred[] parameter(0)\na = f64[2] parameter(1)\nb = f64[2] parameter(2)\n\
                  ROOT y = f64[2] conditional(p, a, b), true_computation=square, false_computation=wave";
    let indexed = "i = s32[] parameter(0)\na = f64[2] parameter(1)\nb = f64[2] parameter(2)\n\
                   ROOT y = f64[2] conditional(i, a, b, a), branch_computations={square, wave, wave}";
    let chosen = |by: i64| [Exactly(vec![by]), Between(-1.0, 1.0), Between(-1.0, 1.0)];
    vec![
        Case::new(While, counted, two).with(trip),
        Case::new(Conditional, either, &chosen(0)).with(branches),
        Case::new(Conditional, either, &chosen(1)).with(branches),
        Case::new(Conditional, indexed, &chosen(2)).with(branches),
    ]
}
