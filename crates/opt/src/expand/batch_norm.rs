//! Batch normalisation becomes means, variances and elementwise operations over the feature dimension.
//!
//! ```text
//! t = (f32[8,4], f32[4], f32[4]) batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=1
//! →
//! mean = sum(x) / n        d = x - mean        var = sum(d · d) / n
//! t = tuple(d · rsqrt(var + epsilon) · scale + offset, mean, var)
//! ```
//!
//! Inference takes mean and variance as operands. The gradient, of g: with d = x − mean and
//! r = rsqrt(var + ε), offset' = sum(g), t = sum(g · d), scale' = t · r and
//! x' = (scale · r / n) · ((n · g − offset') − d · (t / (var + ε))).
//! f16 and bf16 are computed in f32 and rounded once, at the end.

use super::{Expander, Purpose};
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Literal, Module, Opcode, Scalar,
};

pub const EXPANDER: Expander =
    Expander { name: "batch-norm", purpose: Purpose::Support, applies, helpers, expand };

fn applies(_: &Module, _: &Computation, instr: &Instruction) -> bool {
    use Opcode::*;
    matches!(instr.opcode, BatchNormTraining | BatchNormInference | BatchNormGrad)
}

fn helpers(new: &mut Rebuild<'_>, comp: &Computation, instr: &Instruction) -> Vec<CompId> {
    if instr.opcode == Opcode::BatchNormInference {
        return Vec::new();
    }
    let dtype = comp.operand(instr, 0).shape.expect_array().dtype.accumulator();
    let add = make::scalar_binary(new.module, Opcode::Add, dtype, &instr.origin);
    vec![new.add(add)]
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let Attrs::BatchNorm { epsilon_bits, feature_index } = instr.attrs else {
        unreachable!("checked by applies")
    };
    let own = b.array(operands[0]).dtype;
    let dtype = own.accumulator();
    let wide: Vec<InstrId> = operands.iter().map(|&x| b.convert(x, dtype)).collect();
    let shape = b.array(wide[0]).clone();
    let features = ArrayShape::new(dtype, [shape.dims[feature_index]]);
    let n = shape.elements() as f64 / features.dims[0] as f64;
    let epsilon = f32::from_bits(epsilon_bits) as f64;
    let mut calc = Calc { b, shape, features, feature_index, epsilon, n, add: helpers.first().copied() };
    let results = match (instr.opcode, &wide[..]) {
        (Opcode::BatchNormTraining, &[x, scale, offset]) => calc.training(x, scale, offset),
        (Opcode::BatchNormInference, &[x, scale, offset, mean, var]) => {
            let d = calc.centred(x, mean);
            vec![calc.normalised(d, var, scale, offset)]
        }
        (_, &[x, scale, mean, var, g]) => calc.gradient(x, scale, mean, var, g),
        _ => unreachable!("the verifier counts operands"),
    };
    let results: Vec<InstrId> = results.into_iter().map(|r| b.convert(r, own)).collect();
    match results[..] {
        [one] => one,
        _ => make::tuple(b, &results),
    }
}

/// Arithmetic on arrays of the operand's shape and on feature vectors.
struct Calc<'b, 'm> {
    b: &'b mut Builder<'m>,
    shape: ArrayShape,
    features: ArrayShape,
    feature_index: usize,
    epsilon: f64,
    /// Elements for each feature.
    n: f64,
    /// The reducer of sums.
    add: Option<CompId>,
}

impl Calc<'_, '_> {
    fn training(&mut self, x: InstrId, scale: InstrId, offset: InstrId) -> Vec<InstrId> {
        let sum = self.sum(x);
        let mean = self.over_n(sum);
        let d = self.centred(x, mean);
        let squares = self.b.binary(Opcode::Multiply, d, d);
        let sum = self.sum(squares);
        let var = self.over_n(sum);
        vec![self.normalised(d, var, scale, offset), mean, var]
    }

    fn gradient(
        &mut self,
        x: InstrId,
        scale: InstrId,
        mean: InstrId,
        var: InstrId,
        g: InstrId,
    ) -> Vec<InstrId> {
        let d = self.centred(x, mean);
        let shifted = self.shifted(var);
        let r = self.b.unary(Opcode::Rsqrt, shifted);
        let sum = self.sum(g);
        let products = self.b.binary(Opcode::Multiply, g, d);
        let t = self.sum(products);
        let factor = self.b.binary(Opcode::Multiply, scale, r);
        let factor = self.over_n(factor);
        let n = self.b.splat(&self.shape, Scalar::Float(self.n));
        let scaled = self.b.binary(Opcode::Multiply, n, g);
        let spread_sum = self.spread(sum);
        let centred = self.b.binary(Opcode::Subtract, scaled, spread_sum);
        let slope = self.b.binary(Opcode::Divide, t, shifted);
        let slope = self.spread(slope);
        let along = self.b.binary(Opcode::Multiply, d, slope);
        let rest = self.b.binary(Opcode::Subtract, centred, along);
        let factor = self.spread(factor);
        let dx = self.b.binary(Opcode::Multiply, factor, rest);
        vec![dx, self.b.binary(Opcode::Multiply, t, r), sum]
    }

    fn centred(&mut self, x: InstrId, mean: InstrId) -> InstrId {
        let mean = self.spread(mean);
        self.b.binary(Opcode::Subtract, x, mean)
    }

    fn normalised(&mut self, d: InstrId, var: InstrId, scale: InstrId, offset: InstrId) -> InstrId {
        let shifted = self.shifted(var);
        let r = self.b.unary(Opcode::Rsqrt, shifted);
        let (r, scale, offset) = (self.spread(r), self.spread(scale), self.spread(offset));
        let y = self.b.binary(Opcode::Multiply, d, r);
        let y = self.b.binary(Opcode::Multiply, y, scale);
        self.b.binary(Opcode::Add, y, offset)
    }

    /// The variance, away from zero.
    fn shifted(&mut self, var: InstrId) -> InstrId {
        let epsilon = self.b.splat(&self.features, Scalar::Float(self.epsilon));
        self.b.binary(Opcode::Add, var, epsilon)
    }

    fn over_n(&mut self, x: InstrId) -> InstrId {
        let n = self.b.splat(&self.features, Scalar::Float(self.n));
        self.b.binary(Opcode::Divide, x, n)
    }

    /// A feature vector over the whole shape.
    fn spread(&mut self, x: InstrId) -> InstrId {
        self.b.broadcast(x, &self.shape.dims, &[self.feature_index])
    }

    /// The sum for each feature.
    fn sum(&mut self, x: InstrId) -> InstrId {
        let zero = self.b.constant(Literal::scalar(self.dtype(), Scalar::Float(0.0)));
        let dims = (0..self.shape.rank()).filter(|&d| d != self.feature_index).collect();
        let add = self.add.expect("a helper of training and gradient");
        make::reduce(self.b, x, zero, dims, add)
    }

    fn dtype(&self) -> DType {
        self.shape.dtype
    }
}
