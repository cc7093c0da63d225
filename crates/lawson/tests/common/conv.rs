//! Convolutions as text.

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
    /// How far apart the image's elements are put, which are doubled before, or as they are.
    pub spread: i64,
    pub doubled: bool,
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
    spread: 1,
    doubled: false,
};

impl Conv {
    pub fn text(&self) -> String {
        let Conv { types: (left, right, sum), image: [n, height, width], features: [i, o], .. } = *self;
        let Conv { size, stride, padding: pad, dilation, groups, channels_first, spread, .. } = *self;
        let base = |extent: i64| (extent - 1) * spread + 1;
        let of = |extent: i64| (base(extent) + 2 * pad - ((size - 1) * dilation + 1)) / stride + 1;
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
        let image = if self.doubled { "z" } else { "x" };
        format!(
            "HloModule m\nENTRY e {{\n  x = {left}[{x}] parameter(0)\n  k = {right}[{k}] parameter(1)\n  \
             b = {sum}[{o}] parameter(2)\n  z = {left}[{x}] add(x, x)\n  \
             c = {sum}[{y}] convolution({image}, k), window={{size={s}x{s} stride={stride}x{stride} \
             pad={pad}_{pad}x{pad}_{pad} lhs_dilate={spread}x{spread} rhs_dilate={dilation}x{dilation}}}, dim_labels={labels}, \
             feature_group_count={groups}\n  bb = {sum}[{y}] broadcast(b), dimensions={{{feature}}}\n  \
             ROOT s = {sum}[{y}] add(c, bb)\n}}\n"
        )
    }
}
