//! The error function.

use super::words::Words;
use super::{Ops, Ty};

/// erf x: x + x·q(x²) up to |x| = 1, and 1 − p(|x|)⁸ with p ≈ erfc^⅛ beyond, up to where the result is ±1.
pub fn erf<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let wide = o.ty(x) == Ty::F64;
    let size = o.fabs(x);

    let x2 = o.fmul(x, x);
    let q = o.poly(x2, if wide { NEAR_F64 } else { NEAR_F32 });
    let near = o.fma(x, q, x);

    let far = o.min_c(size, if wide { 6.0 } else { 4.0 });
    let p = o.poly(far, if wide { FAR_F64 } else { FAR_F32 });
    let p2 = o.fmul(p, p);
    let p4 = o.fmul(p2, p2);
    let one = o.num(x, 1.0);
    let far = o.fnma(p4, p4, one);
    let sign = o.sign(x);
    let far = o.flip(far, sign);

    let is_near = o.less_c(size, 1.0);
    o.select(is_near, near, far)
}

// Fitted as in exp.rs.

/// erf x / x − 1 in x², error 2^-29.4 of erf.
const NEAR_F32: &[f64] = &[
    0.12837916612625122,
    -0.3761262595653534,
    0.11283578723669052,
    -0.026853354647755623,
    0.005187200848013163,
    -0.0007998474757187068,
    7.810058741597459e-05,
];

/// erfc^⅛ on [1, 4]; the error of erfc is 2^-25.9.
const FAR_F32: &[f64] = &[
    1.0008348226547241,
    -0.14506100118160248,
    -0.061425719410181046,
    -0.011374063789844513,
    0.012926089577376842,
    -0.0024697850458323956,
    0.00014985460438765585,
];

/// As above, error 2^-0.
const NEAR_F64: &[f64] = NEAR_F32;

const FAR_F64: &[f64] = FAR_F32;
