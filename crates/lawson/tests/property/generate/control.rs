//! Operations that call computations, and tuples.

use super::Generator;
use lawson::hlo::attrs::FusionKind;
use lawson::hlo::{ArrayShape, Attrs, InstrId, Opcode, Shape};

impl Generator<'_> {
    pub(super) fn while_loop(&mut self) -> Option<InstrId> {
        if self.library.loops.is_empty() {
            return None;
        }
        let chosen = self.rng.pick(&self.library.loops);
        let mut state: Vec<InstrId> = Vec::new();
        for (i, shape) in chosen.state.iter().enumerate() {
            // The counter starts at a known number, or at one that is only known when it runs.
            let id = if i == 0 && !self.rng.one_in(4) {
                let start = self.rng.between(-1, 2);
                self.literal(shape.clone(), [start])
            } else if i == 0 {
                self.small(shape)
            } else {
                self.like(shape)
            };
            state.push(id);
        }
        let state = self.b.add(Opcode::Tuple, &state, Attrs::None);
        let attrs = Attrs::While { condition: chosen.condition, body: chosen.body };
        let result = self.b.add(Opcode::While, &[state], attrs);
        // Not every part of the result is used.
        for i in 0..chosen.state.len() {
            if !self.rng.one_in(4) {
                let part = self.element(result, i);
                self.pool.push(part);
            }
        }
        None
    }

    /// An integer between -3 and 3.
    fn small(&mut self, shape: &ArrayShape) -> InstrId {
        let x = self.like(shape);
        let four = self.b.splat(shape, lawson::hlo::Scalar::Signed(4));
        self.b.binary(Opcode::Remainder, x, four)
    }

    pub(super) fn conditional(&mut self) -> Option<InstrId> {
        if self.library.branches.is_empty() {
            return None;
        }
        let chosen = self.rng.pick(&self.library.branches);
        let predicated = chosen.branches.len() == 2 && self.rng.one_in(2);
        let selector = if predicated {
            self.scalar(lawson::hlo::DType::Pred)
        } else {
            let shape = ArrayShape::new(lawson::hlo::DType::S32, []);
            self.small(&shape)
        };
        let mut operands = vec![selector];
        for shape in &chosen.arguments {
            operands.push(self.argument(shape));
        }
        let attrs = Attrs::Conditional { branches: chosen.branches.clone(), predicated };
        let result = self.b.add(Opcode::Conditional, &operands, attrs);
        self.take_apart(result);
        None
    }

    fn argument(&mut self, shape: &Shape) -> InstrId {
        match shape {
            Shape::Tuple(parts) => {
                let parts: Vec<InstrId> = parts.iter().map(|p| self.argument(p)).collect();
                self.b.add(Opcode::Tuple, &parts, Attrs::None)
            }
            other => self.like(other.expect_array()),
        }
    }

    /// call or fusion.
    pub(super) fn call(&mut self) -> Option<InstrId> {
        if self.library.functions.is_empty() {
            return None;
        }
        let (comp, parameters) = self.rng.pick(&self.library.functions);
        let operands: Vec<InstrId> = parameters.iter().map(|p| self.like(p)).collect();
        let result = if self.rng.one_in(4) {
            self.b.add(Opcode::Fusion, &operands, Attrs::Fusion { kind: FusionKind::Loop, calls: comp })
        } else {
            self.b.add(Opcode::Call, &operands, Attrs::Call { to_apply: comp, is_composite: false })
        };
        self.take_apart(result);
        None
    }

    /// Into a tuple, perhaps through a barrier, and out again; or random bits.
    pub(super) fn tuple(&mut self, x: InstrId) -> Option<InstrId> {
        if self.rng.one_in(4) {
            return self.random_bits();
        }
        let y = self.value();
        let mut both = self.b.add(Opcode::Tuple, &[x, y], Attrs::None);
        if self.rng.one_in(2) {
            both = self.b.add(Opcode::OptimizationBarrier, &[both], Attrs::None);
        }
        let which = self.rng.below(2);
        Some(self.element(both, which))
    }

    fn random_bits(&mut self) -> Option<InstrId> {
        use lawson::hlo::DType::*;
        let algorithm = self.rng.pick(&["rng_three_fry", "rng_philox", "rng_default"]);
        let state =
            ArrayShape::new(U64, [if algorithm == "rng_three_fry" { 2 } else { self.rng.pick(&[2, 3]) }]);
        let dtype = self.rng.pick(&[U32, U32, U64, U8, S32, U16]);
        let bits = ArrayShape::new(dtype, self.dims());
        let seed = self.like(&state);
        let shape = Shape::Tuple(vec![Shape::Array(state), Shape::Array(bits)]);
        let attrs = Attrs::RngBitGenerator(algorithm.into());
        let both = self.b.add_shaped(Opcode::RngBitGenerator, shape, &[seed], attrs);
        self.take_apart(both);
        None
    }
}
