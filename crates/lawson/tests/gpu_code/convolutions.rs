//! Convolutions that matrix units multiply as implicit products: windows are gathered from the image where it lies.
//!
//! Sums of small whole numbers are exact, so the order of the units changes no bit.

use crate::matrices::small;
use crate::planned::Planned;
use crate::products::launched_as;
use lawson::options::Numerics;
use lawson_kernel::loop_ir::Kernel;
use lawson_ptx::Counters;

/// A convolution in two dimensions, with a bias for each feature.
#[derive(Clone, Copy, Debug)]
pub struct Conv {
    pub types: (&'static str, &'static str, &'static str),
    /// Images, their height and width.
    pub image: [i64; 3],
    /// Of the image and of the result.
    pub features: [i64; 2],
    pub size: i64,
    pub stride: i64,
    pub padding: i64,
    pub dilation: i64,
    pub groups: i64,
    pub channels_first: bool,
}

pub const CONV: Conv = Conv {
    types: ("bf16", "bf16", "f32"),
    image: [2, 11, 13],
    features: [32, 40],
    size: 3,
    stride: 1,
    padding: 1,
    dilation: 1,
    groups: 1,
    channels_first: false,
};

impl Conv {
    pub fn text(&self) -> String {
        let Conv { types: (left, right, sum), image: [n, height, width], features: [i, o], .. } = *self;
        let Conv { size, stride, padding: pad, dilation, groups, channels_first, .. } = *self;
        let of = |extent: i64| (extent + 2 * pad - ((size - 1) * dilation + 1)) / stride + 1;
        let shape = |features: i64, height: i64, width: i64| match channels_first {
            true => format!("{n},{features},{height},{width}"),
            false => format!("{n},{height},{width},{features}"),
        };
        let (x, y) = (shape(i, height, width), shape(o, of(height), of(width)));
        let (each, s) = (i / groups, size);
        let (k, labels, feature) = match channels_first {
            true => (format!("{o},{each},{s},{s}"), "bf01_oi01->bf01", 1),
            false => (format!("{s},{s},{each},{o}"), "b01f_01io->b01f", 3),
        };
        format!(
            "HloModule m\nENTRY e {{\n  x = {left}[{x}] parameter(0)\n  k = {right}[{k}] parameter(1)\n  \
             b = {sum}[{o}] parameter(2)\n  c = {sum}[{y}] convolution(x, k), window={{size={s}x{s} stride={stride}x{stride} \
             pad={pad}_{pad}x{pad}_{pad} rhs_dilate={dilation}x{dilation}}}, dim_labels={labels}, \
             feature_group_count={groups}\n  bb = {sum}[{y}] broadcast(b), dimensions={{{feature}}}\n  \
             ROOT s = {sum}[{y}] add(c, bb)\n}}\n"
        )
    }
}

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
                features: [3, 33],
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
        println!("{conv:?} {}", kernel.to_string().matches("copy_async").count());
    }
}
