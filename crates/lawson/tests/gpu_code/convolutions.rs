//! Convolutions that matrix units multiply as implicit products: windows are gathered from the image where it lies.
//!
//! Sums of small whole numbers are exact, so the order of the units changes no bit.

use crate::conv::{CONV, Conv};
use crate::matrices::small;
use crate::planned::Planned;
use crate::products::launched_as;
use lawson::options::Numerics;
use lawson_kernel::loop_ir::Kernel;
use lawson_ptx::Counters;

/// The counters of the one launch that has the interpreter's bits, by matrix units, and its kernel.
pub fn launched(conv: &Conv, numerics: Numerics) -> (Counters, Kernel) {
    let name = format!("{conv:?}");
    let planned = Planned::with((&name, &conv.text()), numerics, small);
    let (c, kernel) = launched_as(&name, &planned, i64::MAX);
    assert!(kernel.needs_matrix_units(), "{name}");
    assert_eq!(c.shared.conflicts, 0, "{name}");
    assert_eq!(c.divergent_branches, 0, "{name}");
    (c, kernel)
}

const BYTES: (&str, &str, &str) = ("s8", "s8", "s32");
const TF32: (&str, &str, &str) = ("f32", "f32", "f32");

#[test]
fn all_types_have_the_values_of_the_interpreter() {
    let f16 = ("f16", "f16", "f32");
    let cases = [
        (CONV, Numerics::Standard),
        (Conv { doubled: true, ..CONV }, Numerics::Standard),
        (Conv { types: BYTES, spread: 2, ..CONV }, Numerics::Strict),
        (
            Conv { types: ("bf16", "bf16", "bf16"), features: [64, 128], image: [1, 12, 24], ..CONV },
            Numerics::Fast,
        ),
        (Conv { types: f16, features: [24, 72], stride: 2, image: [2, 17, 19], ..CONV }, Numerics::Standard),
        (Conv { channels_first: true, image: [2, 9, 16], ..CONV }, Numerics::Standard),
        (
            Conv { types: f16, dilation: 2, padding: 2, groups: 2, features: [32, 64], ..CONV },
            Numerics::Standard,
        ),
        (Conv { types: TF32, dilation: 2, padding: 0, ..CONV }, Numerics::Fast),
        (Conv { types: TF32, channels_first: true, stride: 2, image: [2, 17, 19], ..CONV }, Numerics::Fast),
        (Conv { types: BYTES, groups: 2, features: [64, 66], ..CONV }, Numerics::Strict),
        (
            Conv {
                types: ("u8", "u8", "s32"),
                size: 7,
                stride: 2,
                padding: 3,
                features: [3, 66],
                image: [1, 23, 25],
                ..CONV
            },
            Numerics::Strict,
        ),
        (
            Conv {
                types: ("s8", "u8", "s32"),
                channels_first: true,
                features: [12, 40],
                size: 5,
                padding: 2,
                ..CONV
            },
            Numerics::Standard,
        ),
    ];
    for (conv, numerics) in cases {
        let (_, kernel) = launched(&conv, numerics);
    }
}
