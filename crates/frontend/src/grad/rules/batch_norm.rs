//! Batch normalisation, by what it stands for.
//!
//! With n elements for each feature, d = x − mean and r = 1/√(variance + ε):
//!
//! ```text
//! training   mean = sum(x)/n, variance = sum(d·d)/n, d·r·scale + offset
//! inference  d·r·scale + offset
//! grad of g  offset' = sum(g), t = sum(g·d), scale' = t·r, x' = (scale·r/n)·((n·g − offset') − d·(t/(variance + ε)))
//! ```

use super::super::{Linearizer, Tan};
use super::expansion;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::BatchNorm { epsilon_bits, feature_index } = instr.attrs else {
        return fault!("`{}` lacks its attributes", instr.opcode);
    };
    let own = cx.emit.dtype(operands[0])?;
    let dtype = own.accumulator();
    let epsilon = f32::from_bits(epsilon_bits) as f64;
    expansion::inline(cx, instr.opcode.name(), operands, tangents, |e, operands| {
        let shape = e.array(operands[0])?.with_dtype(dtype);
        let features = shape.dims[feature_index];
        let n = shape.elements() as f64 / features as f64;
        let features = ArrayShape::new(dtype, [features]);
        let mut wide = Vec::new();
        for &x in operands {
            wide.push(e.convert(x, dtype)?);
        }
        let mut norm = Norm { e, shape, features, feature_index, epsilon, n };
        match (instr.opcode, &wide[..]) {
            (Opcode::BatchNormTraining, &[x, scale, offset]) => {
                let results = norm.training(x, scale, offset)?;
                norm.narrow(own, &results)
            }
            (Opcode::BatchNormInference, &[x, scale, offset, mean, variance]) => {
                let d = norm.centred(x, mean)?;
                let y = norm.normalised(d, variance, scale, offset)?;
                norm.e.convert(y, own)
            }
            (Opcode::BatchNormGrad, &[x, scale, mean, variance, g]) => {
                let results = norm.gradient([x, scale, mean, variance, g])?;
                norm.narrow(own, &results)
            }
            (opcode, _) => fault!("`{opcode}` has the wrong operands"),
        }
    })
}

/// Arithmetic on arrays of the operand's shape and on vectors of features.
struct Norm<'a, 'g> {
    e: &'a mut Emit<'g>,
    shape: ArrayShape,
    features: ArrayShape,
    feature_index: usize,
    epsilon: f64,
    /// Elements for each feature.
    n: f64,
}

impl Norm<'_, '_> {
    fn training(&mut self, x: InstrId, scale: InstrId, offset: InstrId) -> Result<[InstrId; 3], Fault> {
        let sum = self.sum(x)?;
        let mean = self.over_n(sum)?;
        let d = self.centred(x, mean)?;
        let squares = self.e.mul(d, d)?;
        let sum = self.sum(squares)?;
        let variance = self.over_n(sum)?;
        Ok([self.normalised(d, variance, scale, offset)?, mean, variance])
    }

    fn gradient(&mut self, [x, scale, mean, variance, g]: [InstrId; 5]) -> Result<[InstrId; 3], Fault> {
        let d = self.centred(x, mean)?;
        let shifted = self.shifted(variance)?;
        let r = self.e.unary(Opcode::Rsqrt, shifted)?;
        let sum = self.sum(g)?;
        let products = self.e.mul(g, d)?;
        let t = self.sum(products)?;
        let factor = self.e.mul(scale, r)?;
        let factor = self.over_n(factor)?;
        let n = self.e.splat(&self.shape, self.n)?;
        let scaled = self.e.mul(n, g)?;
        let sums = self.spread(sum)?;
        let centred = self.e.sub(scaled, sums)?;
        let slope = self.e.div(t, shifted)?;
        let slope = self.spread(slope)?;
        let along = self.e.mul(d, slope)?;
        let rest = self.e.sub(centred, along)?;
        let factor = self.spread(factor)?;
        Ok([self.e.mul(factor, rest)?, self.e.mul(t, r)?, sum])
    }

    fn normalised(
        &mut self,
        d: InstrId,
        variance: InstrId,
        scale: InstrId,
        offset: InstrId,
    ) -> Result<InstrId, Fault> {
        let shifted = self.shifted(variance)?;
        let r = self.e.unary(Opcode::Rsqrt, shifted)?;
        let (r, scale, offset) = (self.spread(r)?, self.spread(scale)?, self.spread(offset)?);
        let y = self.e.mul(d, r)?;
        let y = self.e.mul(y, scale)?;
        self.e.add(y, offset)
    }

    fn centred(&mut self, x: InstrId, mean: InstrId) -> Result<InstrId, Fault> {
        let mean = self.spread(mean)?;
        self.e.sub(x, mean)
    }

    fn shifted(&mut self, variance: InstrId) -> Result<InstrId, Fault> {
        let epsilon = self.e.splat(&self.features, self.epsilon)?;
        self.e.add(variance, epsilon)
    }

    fn over_n(&mut self, x: InstrId) -> Result<InstrId, Fault> {
        let n = self.e.splat(&self.features, self.n)?;
        self.e.div(x, n)
    }

    fn spread(&mut self, x: InstrId) -> Result<InstrId, Fault> {
        self.e.broadcast(x, &self.shape.dims, &[self.feature_index])
    }

    fn sum(&mut self, x: InstrId) -> Result<InstrId, Fault> {
        let dims: Vec<usize> = (0..self.shape.rank()).filter(|&d| d != self.feature_index).collect();
        self.e.sum(x, &dims)
    }

    /// The tuple of the results in the type of the operands.
    fn narrow(&mut self, dtype: DType, results: &[InstrId]) -> Result<InstrId, Fault> {
        let mut narrow = Vec::new();
        for &x in results {
            narrow.push(self.e.convert(x, dtype)?);
        }
        self.e.tuple(&narrow)
    }
}
