//! Convolutions as implicit products, by matrix units or by threads: windows are gathered from the image where it lies.
//!
//! Sums of small whole numbers are exact, so the order of the units changes no bit.

use crate::conv::{CONV, Conv};
use crate::matrices::planned;
use crate::planned::Planned;
use crate::products::launched_as;
use lawson::options::Numerics;
use lawson_kernel::loop_ir::Kernel;

/// The kernel of the one launch that has the interpreter's bits, by matrix units.
fn launched(name: &str, text: &str, numerics: Numerics) -> Kernel {
    let planned = planned((name, text), numerics);
    let (c, kernel) = launched_as(name, &planned, i64::MAX);
    assert!(kernel.needs_matrix_units(), "{name}");
    assert_eq!(c.shared.conflicts, 0, "{name}");
    assert_eq!(c.divergent_branches, 0, "{name}");
    kernel
}

const BYTES: (&str, &str, &str) = ("s8", "s8", "s32");
const TF32: (&str, &str, &str) = ("f32", "f32", "f32");

#[test]
fn all_types_have_the_values_of_the_interpreter() {
    let f16 = ("f16", "f16", "f32");
    let cases = [
        (CONV, Numerics::Standard),
        (Conv { features: [32, 128], image: [4, 24, 24], ..CONV }, Numerics::Standard),
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
    let mut in_pieces = [0; 2];
    for (conv, numerics) in cases {
        let kernel = launched(&format!("{conv:?}"), &conv.text(), numerics);
        let code = kernel.to_string();
        let both = ["copy_async rows", "copy_async columns"].map(|copy| code.contains(copy));
        in_pieces =
            [in_pieces[0] + both.contains(&true) as i64, in_pieces[1] + !both.contains(&false) as i64];
    }
    // Of one operand at least, and of both.
    assert!(in_pieces[0] >= 4 && in_pieces[1] >= 1, "{in_pieces:?}");
}

#[test]
fn gradients_of_weights_have_the_values_of_the_interpreter() {
    // The images are what is summed, and their channels the rows.
    let text = "HloModule m\nENTRY e {\n  x = bf16[2,12,14,32] parameter(0)\n  d = bf16[2,12,14,64] parameter(1)\n  \
                ROOT w = f32[32,3,3,64] convolution(x, d), window={size=12x14 pad=1_1x1_1}, \
                dim_labels=f01b_i01o->b01f\n}\n";
    launched("gradient", text, Numerics::Standard);
}

#[test]
fn threads_multiply_them_in_the_order_of_the_interpreter() {
    let cases = [
        Conv { types: TF32, ..CONV },
        Conv { types: TF32, channels_first: true, image: [2, 17, 19], stride: 2, ..CONV },
        Conv { types: TF32, dilation: 2, padding: 2, groups: 2, features: [32, 64], ..CONV },
        Conv { types: TF32, size: 5, padding: 2, features: [3, 10], image: [1, 23, 25], ..CONV },
    ];
    for conv in cases {
        let name = format!("{conv:?}");
        let (c, kernel) = launched_as(&name, &Planned::of(&name, &conv.text()), i64::MAX);
        assert!(!kernel.needs_matrix_units() && kernel.phases[0].warps == 8, "{name}");
        let conflicts = c.shared.conflicts as f64 / (c.shared.passes - c.shared.conflicts) as f64;
        assert!(conflicts <= 0.05, "{name}: {conflicts}");
        assert_eq!(c.divergent_branches, 0, "{name}");
    }
}
