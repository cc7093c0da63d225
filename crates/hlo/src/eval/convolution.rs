//! convolution: one chain of fused multiply-adds for each result element.
//!
//! The chain starts from +0 and takes k in increasing order: window positions row-major, within each the input
//! features. Padding and the holes between dilated elements are zeros: they meet their
//! weights like any element, so an infinite weight makes NaN there.
//! With `rhs_reversal` the window position w meets the kernel element size−1−w; the order stays that of w.

use super::contraction::{accumulator, arrange, load_as, store_accumulated};
use super::elementwise::Real;
use super::error::{EvalError, Result};
use super::machine::Machine;
use super::movement::transpose;
use super::walk::Walk;
use super::word::{Class, Wide, Word, wrapping_fma};
use crate::attrs::{ConvDims, WindowDim};
use crate::literal::Literal;
use crate::math::field::Arithmetic;
use crate::shape::{ArrayShape, row_major_strides};

pub fn convolution(
    machine: &mut Machine,
    input: &Literal,
    kernel: &Literal,
    dims: &ConvDims,
    shape: &ArrayShape,
) -> Result<Literal> {
    let rank = 2 + dims.window.len();
    if input.dims().len() != rank || kernel.dims().len() != rank || shape.rank() != rank {
        return Err(EvalError::malformed("operands do not have the rank of the window"));
    }
    // Work on [batch, spatial…, feature] and [spatial…, input feature, output feature].
    let input = arrange(machine, input, &[&[dims.input_batch], &dims.input_spatial, &[dims.input_feature]])?;
    let kernel_order = [&dims.kernel_spatial[..], &[dims.kernel_input_feature, dims.kernel_output_feature]];
    let kernel = arrange(machine, kernel, &kernel_order)?;
    let output_order: Vec<usize> =
        [&[dims.output_batch], &dims.output_spatial[..], &[dims.output_feature]].concat();
    let worked: Vec<i64> = output_order.iter().map(|&d| shape.dims[d]).collect();
    let conv = Convolution {
        window: &dims.window,
        input_dims: input.dims(),
        kernel_dims: kernel.dims(),
        output_dims: &worked,
        feature_groups: dims.feature_group_count.max(1),
        batch_groups: dims.batch_group_count.max(1),
    };
    conv.check()?;
    let features = kernel.dims()[rank - 2] as u64;
    let window: i64 = kernel.dims()[..rank - 2].iter().product();
    let outputs = machine.limits.elements(shape)? as u64;
    machine.charge(outputs.saturating_mul(window as u64).saturating_mul(features))?;

    let class = accumulator(input.dtype(), kernel.dtype(), shape.dtype)?;
    let words = match class {
        Class::Float32 => conv.run(machine, &input, &kernel, class, f32::fma),
        Class::Float64 => conv.run(machine, &input, &kernel, class, f64::fma),
        Class::Pred => conv.run(machine, &input, &kernel, class, |a: bool, b, c| (a & b) | c),
        Class::Signed | Class::Unsigned => conv.run(machine, &input, &kernel, class, wrapping_fma),
        Class::Field(field) => {
            let of = Arithmetic::new(field);
            conv.run(machine, &input, &kernel, class, move |x, y, z| of.multiply_add(x, y, z))
        }
    }?;
    let result = store_accumulated(machine, words, class, &ArrayShape::new(shape.dtype, worked))?;
    let mut back = vec![0; rank];
    output_order.iter().enumerate().for_each(|(i, &d)| back[d] = i);
    transpose(machine.limits, &result, &back, shape)
}

struct Convolution<'a> {
    window: &'a [WindowDim],
    /// [batch, spatial…, feature]
    input_dims: &'a [i64],
    /// [spatial…, input feature of a group, output feature]
    kernel_dims: &'a [i64],
    /// [batch, spatial…, feature]
    output_dims: &'a [i64],
    feature_groups: i64,
    batch_groups: i64,
}

impl Convolution<'_> {
    fn check(&self) -> Result<()> {
        let spatial = self.window.len();
        let groups = self.feature_groups * self.batch_groups;
        let fits = self.kernel_dims[spatial] * self.feature_groups == self.input_dims[spatial + 1]
            && self.kernel_dims[spatial + 1] == self.output_dims[spatial + 1]
            && self.output_dims[spatial + 1] % groups == 0
            && self.output_dims[0] * self.batch_groups == self.input_dims[0]
            && self.window.iter().zip(self.kernel_dims).all(|(w, &size)| w.size == size);
        if fits { Ok(()) } else { Err(EvalError::malformed("the operands do not fit the window or groups")) }
    }

    fn run<T: Wide>(
        &self,
        machine: &Machine,
        input: &Literal,
        kernel: &Literal,
        class: Class,
        fma: impl Fn(T, T, T) -> T,
    ) -> Result<Vec<Word>> {
        let input: Vec<T> = load_as(machine, input, class)?;
        let kernel: Vec<T> = load_as(machine, kernel, class)?;
        let spatial = self.window.len();
        let features = self.kernel_dims[spatial] as usize;
        let outputs = self.kernel_dims[spatial + 1] as usize;
        let groups = (self.feature_groups * self.batch_groups) as usize;
        let strides = row_major_strides(self.input_dims);
        let mut out = machine.limits.with_capacity(self.output_dims.iter().product::<i64>() as usize)?;
        let mut row = machine.limits.filled(outputs, T::default())?;
        for batch in 0..self.output_dims[0] {
            let positions = &self.output_dims[1..=spatial];
            let zeros = vec![0; spatial];
            let mut walk = Walk::new(positions, [0], [&zeros]);
            loop {
                let taps = self.taps(walk.index(), &strides);
                if walk.next().is_none() {
                    break;
                }
                row.fill(T::default());
                for (g, row) in row.chunks_mut((outputs / groups).max(1)).enumerate() {
                    let g = g as i64;
                    let in_batch =
                        if self.batch_groups > 1 { g * self.output_dims[0] + batch } else { batch };
                    let in_feature = if self.feature_groups > 1 { g as usize * features } else { 0 };
                    let base = (in_batch * strides[0]) as usize + in_feature;
                    let first = g as usize * row.len();
                    for &(at, tap) in &taps {
                        for f in 0..features {
                            let x = at.map_or(T::default(), |at| input[base + at + f]);
                            let kernel = &kernel[(tap * features + f) * outputs + first..][..row.len()];
                            row.iter_mut().zip(kernel).for_each(|(c, &w)| *c = fma(x, w, *c));
                        }
                    }
                }
                out.extend(row.iter().map(|c| c.word()));
            }
        }
        Ok(out)
    }

    /// All window positions for an output position: (input offset, `None` where there is no element; kernel position).
    fn taps(&self, position: &[i64], strides: &[i64]) -> Vec<(Option<usize>, usize)> {
        let spatial = self.window.len();
        let mut taps = Vec::new();
        let mut walk = Walk::new(&self.kernel_dims[..spatial], [0], [&vec![0; spatial]]);
        loop {
            let (mut at, mut tap, mut inside) = (0, 0, true);
            for (d, w) in self.window.iter().enumerate() {
                let k = walk.index()[d];
                match w.source(position[d], k, self.input_dims[d + 1]) {
                    Some(i) => at += i * strides[d + 1],
                    None => inside = false,
                }
                tap = tap * w.size + if w.reversal { w.size - 1 - k } else { k };
            }
            if walk.next().is_none() {
                return taps;
            }
            taps.push((inside.then_some(at as usize), tap as usize));
        }
    }
}

impl WindowDim {
    /// The element of a base of `extent` elements under window position `k` at output position `out`; `None`
    /// in padding and between dilated elements.
    pub(super) fn source(&self, out: i64, k: i64, extent: i64) -> Option<i64> {
        let at = out * self.stride + k * self.window_dilation - self.pad_low;
        (at >= 0 && at % self.base_dilation == 0 && at / self.base_dilation < extent)
            .then(|| at / self.base_dilation)
    }
}
