//! Random modules of small arrays: extents of one, neutral constants and repeated operands are frequent, so that most
//! rules meet each other.

use super::values::Rng;
use lawson_hlo::attrs::{CompareOrder, Direction, PadDim, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::module::Header;
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Literal, Module, Opcode, Origin, Scalar, Shape};
use lawson_opt::make;

const INSTRUCTIONS: usize = 30;

/// A module whose entry returns its last few values.
pub fn random(seed: u64) -> Module {
    let mut module = Module {
        name: "random".into(),
        computations: Vec::new(),
        entry: CompId(0),
        header: Header::default(),
        sources: vec![Default::default()],
    };
    for (op, dtype) in [(Opcode::Add, DType::F32), (Opcode::Maximum, DType::F32), (Opcode::Add, DType::S32)] {
        let comp = make::scalar_binary(&module, op, dtype, &Origin::single(0));
        module.computations.push(comp);
    }
    let mut b = Builder::new(&module);
    b.origin = Origin::single(0);
    let mut cx = Generator { b, rng: Rng::new(seed), pool: Vec::new(), parameters: 0 };
    for dtype in [DType::F32, DType::F32, DType::S32, DType::Pred] {
        let dims = cx.dims();
        cx.parameter(ArrayShape::new(dtype, dims));
    }
    while cx.b.len() < INSTRUCTIONS {
        if let Some(id) = cx.instruction() {
            cx.pool.push(id);
        }
    }
    let outputs: Vec<InstrId> = cx.pool.iter().rev().take(6).copied().collect();
    let root = make::tuple(&mut cx.b, &outputs);
    let entry = cx.b.finish("main", root);
    module.computations.push(entry);
    module.entry = CompId(module.computations.len() as u32 - 1);
    module
}

struct Generator<'m> {
    b: Builder<'m>,
    rng: Rng,
    pool: Vec<InstrId>,
    parameters: usize,
}

impl Generator<'_> {
    fn below(&mut self, n: usize) -> usize {
        (self.rng.next() >> 33) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn dims(&mut self) -> Vec<i64> {
        (0..self.below(4)).map(|_| self.pick(&[1, 1, 2, 3, 4])).collect()
    }

    fn parameter(&mut self, shape: ArrayShape) -> InstrId {
        let id = make::parameter(&mut self.b, self.parameters, Shape::Array(shape));
        self.parameters += 1;
        self.pool.push(id);
        id
    }

    /// A value made before, preferably a late one.
    fn value(&mut self) -> InstrId {
        let n = self.pool.len();
        let back = self.below(n).min(self.below(n));
        self.pool[n - 1 - back]
    }

    fn shape(&self, id: InstrId) -> ArrayShape {
        self.b.array(id).clone()
    }

    /// A value of this shape: one made before, a broadcast, an iota or a constant.
    fn like(&mut self, shape: &ArrayShape) -> InstrId {
        let found: Vec<InstrId> =
            self.pool.iter().copied().filter(|&id| self.b.array(id).same(shape)).collect();
        match self.below(4) {
            0 | 1 if !found.is_empty() => self.pick(&found),
            2 => self.literal(shape),
            3 if shape.rank() > 0 && shape.dtype != DType::Pred => {
                let dim = self.below(shape.rank());
                make::iota(&mut self.b, shape.clone(), dim)
            }
            _ => {
                let value = self.number();
                self.b.splat(shape, value)
            }
        }
    }

    /// Numbers that rules look for.
    fn number(&mut self) -> Scalar {
        Scalar::Float(self.pick(&[0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 3.0, f64::NEG_INFINITY]))
    }

    fn literal(&mut self, shape: &ArrayShape) -> InstrId {
        let values: Vec<Scalar> = (0..shape.elements()).map(|_| self.number()).collect();
        self.b.constant(Literal::from_scalars(shape.clone(), values))
    }

    fn instruction(&mut self) -> Option<InstrId> {
        let x = self.value();
        let shape = self.shape(x);
        Some(match self.below(13) {
            0..=2 => self.arithmetic(x, &shape),
            3 => self.predicate(x, &shape),
            4 => self.reshape(x, &shape)?,
            5 => self.broadcast(x, &shape),
            6 => self.transpose(x, &shape),
            7 => self.slice(x, &shape),
            8 => self.concatenate(x, &shape)?,
            9 => self.pad(x, &shape),
            10 => self.reduce(x, &shape)?,
            11 => self.dynamic_slice(x, &shape),
            _ => self.convert(x, &shape),
        })
    }

    fn arithmetic(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        use Opcode::*;
        let y = self.like(shape);
        let (unary, binary): (&[Opcode], &[Opcode]) = match shape.dtype {
            DType::F32 => {
                (&[Negate, Abs, Exponential, Copy], &[Add, Subtract, Multiply, Divide, Maximum, Power])
            }
            DType::Pred => (&[Not], &[And, Or, Xor]),
            _ => (
                &[Negate, Not],
                &[Add, Subtract, Multiply, Divide, Minimum, And, Or, Xor, ShiftLeft, ShiftRightLogical],
            ),
        };
        if self.below(4) == 0 {
            let op = self.pick(unary);
            return self.b.unary(op, x);
        }
        let op = self.pick(binary);
        let (x, y) = if self.below(2) == 0 { (x, y) } else { (y, x) };
        self.b.binary(op, x, y)
    }

    fn predicate(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let y = self.like(shape);
        if self.below(2) == 0 {
            use Direction::*;
            let direction = self.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
            let attrs = Attrs::Compare { direction, order: CompareOrder::Default };
            return self.b.add(Opcode::Compare, &[x, y], attrs);
        }
        let p = self.like(&shape.with_dtype(DType::Pred));
        make::select(&mut self.b, p, x, y)
    }

    fn reshape(&mut self, x: InstrId, shape: &ArrayShape) -> Option<InstrId> {
        let mut dims = shape.dims.clone();
        match self.below(4) {
            0 => dims.insert(self.below(shape.rank() + 1), 1),
            1 => dims.retain(|&d| d != 1),
            2 => dims = vec![shape.elements()],
            _ => {
                let at = dims.iter().position(|&d| d == 4)?;
                dims.splice(at..at + 1, [2, 2]);
            }
        }
        Some(self.b.reshape(x, &dims))
    }

    fn broadcast(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let mut dims = shape.dims.clone();
        let mut mapping: Vec<usize> = (0..shape.rank()).collect();
        for _ in 0..self.below(3) {
            let at = self.below(dims.len() + 1);
            dims.insert(at, self.pick(&[1, 2, 3]));
            mapping.iter_mut().filter(|d| **d >= at).for_each(|d| *d += 1);
        }
        if mapping.len() > 1 && self.below(4) == 0 {
            let (i, j) = (mapping[0], mapping[1]);
            mapping.swap(0, 1);
            dims.swap(i, j);
        }
        self.b.broadcast(x, &dims, &mapping)
    }

    fn transpose(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let mut order: Vec<usize> = (0..shape.rank()).collect();
        if shape.rank() > 1 && self.below(4) > 0 {
            let by = self.below(shape.rank());
            order.rotate_left(by);
            return self.b.transpose(x, &order);
        }
        order.retain(|_| self.below(2) == 0);
        self.b.add(Opcode::Reverse, &[x], Attrs::Dims(order))
    }

    fn slice(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let ranges = shape.dims.iter().map(|&n| {
            let start = self.below(n as usize + 1) as i64;
            let limit = start + self.below((n - start) as usize + 1) as i64;
            let stride = self.pick(&[1, 1, 2]);
            // Empty results are welcome, but not often.
            match limit > start {
                true => SliceDim { start, limit, stride },
                false => SliceDim { start: 0, limit: n, stride },
            }
        });
        let ranges = ranges.collect();
        self.b.add(Opcode::Slice, &[x], Attrs::Slice(ranges))
    }

    fn concatenate(&mut self, x: InstrId, shape: &ArrayShape) -> Option<InstrId> {
        let dim = (shape.rank() > 0).then(|| self.below(shape.rank()))?;
        let y = self.like(shape);
        let mut pieces = self.pick(&[[x, y], [y, x], [x, x]]).to_vec();
        pieces.truncate(1 + self.below(2));
        Some(self.b.add(Opcode::Concatenate, &pieces, Attrs::Dims(vec![dim])))
    }

    fn pad(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let value = self.like(&ArrayShape::new(shape.dtype, []));
        let padding = shape.dims.iter().map(|_| {
            let (low, high) = (self.pick(&[0, 0, 1, -1]), self.pick(&[0, 0, 1]));
            PadDim { low, high: high.max(-low), interior: self.pick(&[0, 0, 1]) }
        });
        let padding = padding.collect();
        self.b.add(Opcode::Pad, &[x, value], Attrs::Pad(padding))
    }

    fn reduce(&mut self, x: InstrId, shape: &ArrayShape) -> Option<InstrId> {
        let to_apply = match shape.dtype {
            DType::F32 => CompId(self.below(2) as u32),
            DType::S32 => CompId(2),
            _ => return None,
        };
        let init = self.like(&ArrayShape::new(shape.dtype, []));
        let dims = (0..shape.rank()).filter(|_| self.below(2) == 0).collect();
        Some(make::reduce(&mut self.b, x, init, dims, to_apply))
    }

    fn dynamic_slice(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let sizes: Vec<i64> = shape.dims.iter().map(|&n| (n - self.below(2) as i64).max(0)).collect();
        let update = self.below(2) == 0;
        let mut operands = vec![x];
        if update {
            operands.push(self.like(&ArrayShape::new(shape.dtype, sizes.clone())));
        }
        for _ in 0..shape.rank() {
            operands.push(self.like(&ArrayShape::new(DType::S32, [])));
        }
        match update {
            true => self.b.add(Opcode::DynamicUpdateSlice, &operands, Attrs::None),
            false => self.b.add(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes)),
        }
    }

    fn convert(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        let dtypes: &[DType] = match shape.dtype {
            DType::Pred => &[DType::S32, DType::F32],
            DType::F32 => &[DType::F64, DType::S32, DType::Bf16],
            _ => &[DType::F32, DType::S8, DType::S64],
        };
        let wide = self.pick(dtypes);
        let there = self.b.convert(x, wide);
        let back = self.pick(&[shape.dtype, DType::S32, DType::F32]);
        self.b.convert(there, back)
    }
}
