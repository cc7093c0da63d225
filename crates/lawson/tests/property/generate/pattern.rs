//! Groups of operations as programs write them: what fusion plans as a whole.

use super::Generator;
use lawson::hlo::attrs::{CompareOrder, Direction, DotDims, SliceDim, WindowDim};
use lawson::hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Opcode, Scalar};

impl Generator<'_> {
    pub(super) fn pattern(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let float = if shape.dtype.is_float() { shape.dtype } else { DType::F32 };
        let x = self.b.convert(x, float);
        if shape.rank() == 0 {
            return Some(self.gelu(x));
        }
        let axis = if self.rng.one_in(2) { shape.rank() - 1 } else { self.rng.below(shape.rank()) };
        match self.rng.below(9) {
            0 => self.softmax(x, axis),
            1 => self.layer_norm(x, axis),
            2 => self.log_sum_exp(x, axis),
            3 => Some(self.gelu(x)),
            4 => self.dense(x),
            5 => self.cumulative(x, axis),
            6 => self.distances(x),
            7 => self.folded(x),
            _ if self.style.smooth => None,
            _ => self.update(x),
        }
    }

    /// The reducer that is this one operation.
    fn simple(&self, opcode: Opcode, dtype: DType) -> Option<CompId> {
        let is = |c: CompId| self.b.module[c].as_simple_binary() == Some(opcode);
        self.library.reducers.iter().find(|r| r.1 == dtype && is(r.0)).map(|r| r.0)
    }

    /// Reduces one axis and puts it back; with a reducer of the library if the right one is not there.
    fn along(&mut self, opcode: Opcode, init: f64, x: InstrId, axis: usize) -> Option<InstrId> {
        let reduced = self.reduced(opcode, init, x, axis)?;
        let shape = self.array(x);
        let kept: Vec<usize> = (0..shape.rank()).filter(|d| *d != axis).collect();
        Some(self.b.broadcast(reduced, &shape.dims, &kept))
    }

    fn reduced(&mut self, opcode: Opcode, init: f64, x: InstrId, axis: usize) -> Option<InstrId> {
        let dtype = self.array(x).dtype;
        let to_apply = self.simple(opcode, dtype).or_else(|| self.reducer(dtype))?;
        let init = self.b.splat(&ArrayShape::new(dtype, []), Scalar::Float(init));
        Some(self.b.add(Opcode::Reduce, &[x, init], Attrs::Reduce { dims: vec![axis], to_apply }))
    }

    fn softmax(&mut self, x: InstrId, axis: usize) -> Option<InstrId> {
        let max = self.along(Opcode::Maximum, f64::NEG_INFINITY, x, axis)?;
        let less = self.b.binary(Opcode::Subtract, x, max);
        let exp = self.b.unary(Opcode::Exponential, less);
        let sum = self.along(Opcode::Add, 0.0, exp, axis)?;
        Some(self.b.binary(Opcode::Divide, exp, sum))
    }

    fn layer_norm(&mut self, x: InstrId, axis: usize) -> Option<InstrId> {
        let shape = self.array(x);
        let count = self.b.splat(&shape, Scalar::Float(shape.dims[axis] as f64));
        let sum = self.along(Opcode::Add, 0.0, x, axis)?;
        let mean = self.b.binary(Opcode::Divide, sum, count);
        let centred = self.b.binary(Opcode::Subtract, x, mean);
        let square = self.b.binary(Opcode::Multiply, centred, centred);
        let sum = self.along(Opcode::Add, 0.0, square, axis)?;
        let variance = self.b.binary(Opcode::Divide, sum, count);
        let epsilon = self.b.splat(&shape, Scalar::Float(0.1));
        let variance = self.b.binary(Opcode::Add, variance, epsilon);
        let scale = self.b.unary(Opcode::Rsqrt, variance);
        let scaled = self.b.binary(Opcode::Multiply, centred, scale);
        let bias = self.like(&ArrayShape::new(shape.dtype, [shape.dims[axis]]));
        let bias = self.b.broadcast(bias, &shape.dims, &[axis]);
        Some(self.b.binary(Opcode::Add, scaled, bias))
    }

    fn log_sum_exp(&mut self, x: InstrId, axis: usize) -> Option<InstrId> {
        let max = self.along(Opcode::Maximum, f64::NEG_INFINITY, x, axis)?;
        let less = self.b.binary(Opcode::Subtract, x, max);
        let exp = self.b.unary(Opcode::Exponential, less);
        let sum = self.reduced(Opcode::Add, 0.0, exp, axis)?;
        let log = self.b.unary(Opcode::Log, sum);
        let shape = self.array(log);
        let other = self.like(&shape);
        Some(self.b.binary(Opcode::Add, log, other))
    }

    fn gelu(&mut self, x: InstrId) -> InstrId {
        let shape = self.array(x);
        let mut number = |v| self.b.splat(&shape, Scalar::Float(v));
        let (half, one, root) = (number(0.5), number(1.0), number(std::f64::consts::FRAC_1_SQRT_2));
        let scaled = self.b.binary(Opcode::Multiply, x, root);
        let erf = self.b.unary(Opcode::Erf, scaled);
        let sum = self.b.binary(Opcode::Add, erf, one);
        let product = self.b.binary(Opcode::Multiply, x, sum);
        self.b.binary(Opcode::Multiply, product, half)
    }

    /// relu(x · w + b), where x may be the result of another such layer.
    fn dense(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let k = shape.dims[shape.rank() - 1];
        let n = self.rng.pick(&[1, 2, 3, 8, 17]);
        let mut dims = shape.dims.clone();
        *dims.last_mut()? = n;
        if !self.fits(&dims) || shape.elements() * n > 100_000 {
            return None;
        }
        let w = self.like(&ArrayShape::new(shape.dtype, [k, n]));
        let attrs = DotDims {
            lhs_contracting: vec![shape.rank() - 1],
            rhs_contracting: vec![0],
            ..DotDims::default()
        };
        let product = self.b.add(Opcode::Dot, &[x, w], Attrs::Dot(Box::new(attrs)));
        let bias = self.like(&ArrayShape::new(shape.dtype, [n]));
        let bias = self.b.broadcast(bias, &dims, &[shape.rank() - 1]);
        let sum = self.b.binary(Opcode::Add, product, bias);
        let zero = self.b.splat(&ArrayShape::new(shape.dtype, dims), Scalar::Float(0.0));
        Some(self.b.binary(Opcode::Maximum, sum, zero))
    }

    /// A cumulative reduction, as a window over all that came before.
    fn cumulative(&mut self, x: InstrId, axis: usize) -> Option<InstrId> {
        let shape = self.array(x);
        let n = shape.dims[axis];
        if n == 0 || n > 300 {
            return None;
        }
        let to_apply = self.reducer(shape.dtype)?;
        let init = self.b.splat(&ArrayShape::new(shape.dtype, []), Scalar::Float(0.0));
        let mut window = vec![WindowDim::of_size(1); shape.rank()];
        window[axis] = WindowDim { size: n, pad_low: n - 1, ..WindowDim::of_size(n) };
        if self.rng.one_in(3) {
            (window[axis].pad_low, window[axis].pad_high) = (0, n - 1);
        }
        Some(self.b.add(Opcode::ReduceWindow, &[x, init], Attrs::ReduceWindow { window, to_apply }))
    }

    /// A reduction over a function of two indices.
    fn distances(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let n = shape.elements();
        let m = self.rng.pick(&[1, 3, 16, 33]);
        if !self.fits(&[n, m]) {
            return None;
        }
        let flat = self.b.reshape(x, &[n]);
        let y = self.like(&ArrayShape::new(shape.dtype, [m]));
        let (x, y) = (self.b.broadcast(flat, &[n, m], &[0]), self.b.broadcast(y, &[n, m], &[1]));
        let d = self.b.binary(Opcode::Subtract, x, y);
        let square = self.b.binary(Opcode::Multiply, d, d);
        let axis = self.rng.below(2);
        self.reduced(Opcode::Add, 0.0, square, axis)
    }

    /// Half as many elements, each made of two, and the sums of halves of them: a round of the sumcheck protocol.
    fn folded(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let n = shape.elements();
        if n == 0 || n % 4 != 0 {
            return None;
        }
        let flat = self.b.reshape(x, &[n]);
        let far = self.rng.one_in(2);
        let [low, high] = self.halves(flat, n, far);
        let half = ArrayShape::new(shape.dtype, [n / 2]);
        let at = self.scalar(shape.dtype);
        let at = self.b.broadcast(at, &half.dims, &[]);
        let difference = self.b.binary(Opcode::Subtract, high, low);
        let product = self.b.binary(Opcode::Multiply, difference, at);
        let new = self.b.binary(Opcode::Add, low, product);
        self.pool.push(new);
        if self.rng.one_in(3) {
            let rows = self.b.reshape(new, &[2, n / 4]);
            return self.reduced(Opcode::Add, 0.0, rows, 1);
        }
        let far = self.rng.one_in(2);
        let [low, high] = self.halves(new, n / 2, far);
        let sum = self.reduced(Opcode::Add, 0.0, low, 0)?;
        self.pool.push(sum);
        self.reduced(Opcode::Add, 0.0, high, 0)
    }

    /// The first half of `n` elements and the second, or every second one and those between.
    fn halves(&mut self, x: InstrId, n: i64, far: bool) -> [InstrId; 2] {
        [0, 1].map(|part| {
            let dim = match far {
                true => SliceDim { start: part * n / 2, limit: (part + 1) * n / 2, stride: 1 },
                false => SliceDim { start: part, limit: n, stride: 2 },
            };
            self.b.add(Opcode::Slice, &[x], Attrs::Slice(vec![dim]))
        })
    }

    /// Several arrays updated from the same two, as an optimiser does.
    fn update(&mut self, x: InstrId) -> Option<InstrId> {
        let shape = self.array(x);
        let (m, g) = (self.like(&shape), self.like(&shape));
        let decay = self.b.splat(&shape, Scalar::Float(0.9));
        let rate = self.scalar(shape.dtype);
        let rate = self.b.broadcast(rate, &shape.dims, &[]);
        let old = self.b.binary(Opcode::Multiply, m, decay);
        let m = self.b.binary(Opcode::Add, old, g);
        let step = self.b.binary(Opcode::Multiply, m, rate);
        let new = self.b.binary(Opcode::Subtract, x, step);
        let zero = self.b.splat(&shape, Scalar::Float(0.0));
        let attrs = Attrs::Compare { direction: Direction::Gt, order: CompareOrder::Default };
        let positive = self.b.add(Opcode::Compare, &[new, zero], attrs);
        self.pool.extend([m, positive]);
        Some(self.b.add(Opcode::Select, &[positive, new, x], Attrs::None))
    }
}
