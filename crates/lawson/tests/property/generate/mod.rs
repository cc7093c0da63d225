//! Random modules: well formed by construction, within a budget of elements and operations.
//!
//! A module is made in two steps. First its small computations: reducers, comparators, scalar functions, loop bodies,
//! branches ([`library`]). Then its entry, by one operation after another on values made before. Each module draws from
//! a random part of the operations, so that a part that is rare among all is frequent in some. No value depends on
//! what has no meaning, such as the bits of a NaN.

mod control;
mod elementwise;
mod indexed;
mod library;
mod movement;
mod pattern;
mod reduction;
mod routine;

use crate::inputs::{self, Spread};
use crate::prune::prune;
use crate::random::Rng;
use lawson::hlo::builder::Builder;
use lawson::hlo::module::Header;
use lawson::hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Literal, Module, Opcode, Origin, Scalar, Shape,
};
use library::Library;

/// What a module is made of.
#[derive(Clone)]
pub struct Style {
    /// Element types, the first ones most frequent.
    dtypes: Vec<DType>,
    /// Extents of dimensions.
    extents: Vec<i64>,
    /// Largest number of elements of one array.
    max_elements: i64,
    /// Operations, by [`Kind`].
    kinds: Vec<Kind>,
    instructions: usize,
    /// See [`is_smooth`].
    smooth: bool,
}

/// Groups of operations that are drawn together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Elementwise,
    Convert,
    Bits,
    Reshape,
    Broadcast,
    Transpose,
    Slice,
    Concatenate,
    Pad,
    DynamicSlice,
    Gather,
    Scatter,
    Sort,
    Reduce,
    Window,
    Dot,
    Convolution,
    Map,
    While,
    Conditional,
    Call,
    Tuple,
    Pattern,
    Routine,
}

const KINDS: &[Kind] = &[
    Kind::Elementwise,
    Kind::Convert,
    Kind::Bits,
    Kind::Reshape,
    Kind::Broadcast,
    Kind::Transpose,
    Kind::Slice,
    Kind::Concatenate,
    Kind::Pad,
    Kind::DynamicSlice,
    Kind::Gather,
    Kind::Scatter,
    Kind::Sort,
    Kind::Reduce,
    Kind::Reduce,
    Kind::Window,
    Kind::Dot,
    Kind::Convolution,
    Kind::Map,
    Kind::While,
    Kind::Conditional,
    Kind::Call,
    Kind::Tuple,
    Kind::Pattern,
    Kind::Pattern,
    Kind::Routine,
];

/// Types that most modules use, and all that there are.
const COMMON: &[DType] =
    &[DType::F32, DType::F32, DType::F32, DType::S32, DType::F64, DType::Bf16, DType::Pred];
pub const ALL: &[DType] = &[
    DType::Pred,
    DType::S4,
    DType::S8,
    DType::S16,
    DType::S32,
    DType::S64,
    DType::U4,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::F16,
    DType::Bf16,
    DType::F32,
    DType::F64,
];

/// Operations whose results change little when their operands do.
const SMOOTH: &[Kind] = &[
    Kind::Elementwise,
    Kind::Elementwise,
    Kind::Reshape,
    Kind::Broadcast,
    Kind::Transpose,
    Kind::Slice,
    Kind::Concatenate,
    Kind::Pad,
    Kind::DynamicSlice,
    Kind::Gather,
    Kind::Scatter,
    Kind::Reduce,
    Kind::Reduce,
    Kind::Window,
    Kind::Dot,
    Kind::Convolution,
    Kind::Map,
    Kind::While,
    Kind::Conditional,
    Kind::Call,
    Kind::Tuple,
    Kind::Pattern,
    Kind::Pattern,
    Kind::Pattern,
];

/// Modules of these seeds have no steps (comparisons, roundings) and no poles in floats, and their reducers are
/// associative, so that a different order of a reduction shows as a small error and no more.
pub fn is_smooth(seed: u64) -> bool {
    seed % 5 == 4
}

/// The module of a seed.
pub fn module(seed: u64) -> Module {
    let mut rng = Rng::new(seed);
    let mut style = Style::random(&mut rng);
    if is_smooth(seed) {
        style.make_smooth(&mut rng);
    }
    let mut module = Module {
        name: format!("random_{seed}").into(),
        computations: Vec::new(),
        entry: CompId(0),
        header: Header::default(),
        sources: vec![Default::default()],
    };
    let library = Library::generate(&mut module, &style, &mut rng);
    let entry = entry(&module, &style, &library, rng);
    module.computations.push(entry);
    module.entry = CompId(module.computations.len() as u32 - 1);
    prune(&module)
}

impl Style {
    fn random(rng: &mut Rng) -> Style {
        let mut dtypes = vec![rng.pick(COMMON)];
        while rng.one_in(2) {
            let from = if rng.one_in(2) { COMMON } else { ALL };
            dtypes.push(rng.pick(from));
        }
        let small: &[i64] = &[1, 2, 3, 4, 5, 7, 8];
        let odd: &[i64] = &[1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100];
        let (extents, max_elements) = match rng.below(8) {
            0..=2 => (small, 512),
            3..=5 => (odd, 2048),
            6 => (&[0, 1, 2, 3, 17][..], 512),
            _ => (&[1, 2, 3, 255, 256, 257, 1000, 4095, 4096, 4097, 8200][..], 10_000),
        };
        // Few extents, so that shapes meet.
        let extents = (0..4).map(|_| rng.pick(extents)).collect();
        let mut kinds: Vec<Kind> = (0..2 + rng.below(6)).map(|_| rng.pick(KINDS)).collect();
        kinds.extend([Kind::Elementwise; 3]);
        if rng.one_in(4) {
            kinds = KINDS.to_vec();
        }
        let instructions = if rng.one_in(6) { 12 + rng.below(20) } else { 2 + rng.below(9) };
        Style { dtypes, extents, max_elements, kinds, instructions, smooth: false }
    }

    fn make_smooth(&mut self, rng: &mut Rng) {
        self.smooth = true;
        self.dtypes = vec![rng.pick(&[DType::F32, DType::F32, DType::F64]), DType::F32];
        self.kinds = vec![Kind::Elementwise];
        self.kinds.extend((0..4).map(|_| rng.pick(SMOOTH)));
    }

    /// The same for computations on scalars.
    fn scalar(&self) -> Style {
        let kinds = vec![Kind::Elementwise, Kind::Elementwise, Kind::Convert];
        Style { extents: Vec::new(), kinds, instructions: 3, ..self.clone() }
    }

    /// The same for the body of a loop or a branch.
    fn nested(&self) -> Style {
        Style { instructions: 1 + self.instructions / 2, ..self.clone() }
    }
}

fn entry(module: &Module, style: &Style, library: &Library, rng: Rng) -> Computation {
    let mut cx = Generator::new(module, style, library, rng);
    for _ in 0..1 + cx.rng.below(4) {
        let shape = cx.shape();
        if cx.rng.one_in(8) {
            let other = cx.shape();
            let tuple = cx.parameter(Shape::Tuple(vec![Shape::Array(shape), Shape::Array(other)]));
            cx.take_apart(tuple);
        } else {
            let id = cx.parameter(Shape::Array(shape));
            cx.pool.push(id);
        }
    }
    cx.grow();
    let root = cx.outputs();
    cx.b.finish("main", root)
}

/// Makes one computation.
struct Generator<'m> {
    b: Builder<'m>,
    style: &'m Style,
    library: &'m Library,
    rng: Rng,
    /// Arrays made so far.
    pool: Vec<InstrId>,
    parameters: usize,
}

impl<'m> Generator<'m> {
    fn new(module: &'m Module, style: &'m Style, library: &'m Library, rng: Rng) -> Generator<'m> {
        let mut b = Builder::new(module);
        b.origin = Origin::single(0);
        Generator { b, style, library, rng, pool: Vec::new(), parameters: 0 }
    }

    fn parameter(&mut self, shape: Shape) -> InstrId {
        self.parameters += 1;
        self.b.add_shaped(Opcode::Parameter, shape, &[], Attrs::Parameter(self.parameters - 1))
    }

    /// Puts the arrays of a tuple, or the array, into the pool.
    fn take_apart(&mut self, id: InstrId) {
        match self.b.shape(id).clone() {
            Shape::Tuple(parts) => {
                for i in 0..parts.len() {
                    let part = self.element(id, i);
                    self.take_apart(part);
                }
            }
            Shape::Array(_) => self.pool.push(id),
            _ => {}
        }
    }

    fn element(&mut self, tuple: InstrId, i: usize) -> InstrId {
        self.b.add(Opcode::GetTupleElement, &[tuple], Attrs::TupleIndex(i))
    }

    /// Adds as many operations as the style wants.
    fn grow(&mut self) {
        if self.pool.is_empty() {
            let shape = self.shape();
            let source = self.source(&shape);
            self.pool.push(source);
        }
        for _ in 0..self.style.instructions {
            let kind = self.rng.pick(&self.style.kinds);
            let made = self.operation(kind);
            self.pool.extend(made);
        }
    }

    /// One operation on a value made before, if there is a fitting one; several results are in the pool already.
    fn operation(&mut self, kind: Kind) -> Option<InstrId> {
        let x = self.value();
        match kind {
            Kind::Elementwise => Some(self.elementwise(x)),
            Kind::Convert => Some(self.convert(x)),
            Kind::Bits => self.bits(x),
            Kind::Reshape => Some(self.reshape(x)),
            Kind::Broadcast => Some(self.broadcast(x)),
            Kind::Transpose => Some(self.transpose(x)),
            Kind::Slice => Some(self.slice(x)),
            Kind::Concatenate => self.concatenate(x),
            Kind::Pad => Some(self.pad(x)),
            Kind::DynamicSlice => Some(self.dynamic_slice(x)),
            Kind::Gather => self.gather(x),
            Kind::Scatter => self.scatter(x),
            Kind::Sort => self.sort(x),
            Kind::Reduce => self.reduce(x),
            Kind::Window => self.window(x),
            Kind::Dot => self.dot(x),
            Kind::Convolution => self.convolution(x),
            Kind::Map => self.map(x),
            Kind::While => self.while_loop(),
            Kind::Conditional => self.conditional(),
            Kind::Call => self.call(),
            Kind::Tuple => self.tuple(x),
            Kind::Pattern => self.pattern(x),
            Kind::Routine => self.routine(x),
        }
    }

    /// The root: what nothing uses, and some of what is used, as an array or a tuple.
    fn outputs(&mut self) -> InstrId {
        let mut used = vec![false; self.b.len()];
        for i in 0..self.b.len() {
            self.b.get(InstrId(i as u32)).operands.iter().for_each(|o| used[o.index()] = true);
        }
        let unused: Vec<InstrId> = self.pool.iter().copied().filter(|id| !used[id.index()]).collect();
        let mut outputs: Vec<InstrId> = unused.iter().rev().take(4).copied().collect();
        while outputs.is_empty() || self.rng.one_in(4) {
            outputs.push(self.value());
        }
        if outputs.len() == 1 && self.rng.one_in(2) {
            return outputs[0];
        }
        if self.rng.one_in(16) {
            let inner = self.b.add(Opcode::Tuple, &outputs, Attrs::None);
            return self.b.add(Opcode::Tuple, &[inner, outputs[0]], Attrs::None);
        }
        self.b.add(Opcode::Tuple, &outputs, Attrs::None)
    }

    /// An array made before, preferably a late one.
    fn value(&mut self) -> InstrId {
        let n = self.pool.len();
        let back = self.rng.below(n).min(self.rng.below(n));
        self.pool[n - 1 - back]
    }

    fn array(&self, id: InstrId) -> ArrayShape {
        self.b.array(id).clone()
    }

    fn dtype(&mut self) -> DType {
        if self.style.smooth && self.rng.one_in(8) {
            return self.rng.pick(&[DType::S32, DType::U8]);
        }
        if self.rng.one_in(8) && !self.style.smooth {
            self.rng.pick(ALL)
        } else {
            self.rng.pick(&self.style.dtypes)
        }
    }

    /// Dimensions within the budget.
    fn dims(&mut self) -> Vec<i64> {
        let mut dims = Vec::new();
        if self.style.extents.is_empty() {
            return dims;
        }
        let rank = self.rng.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 4]);
        for _ in 0..rank {
            let extent = self.rng.pick(&self.style.extents);
            dims.push(extent);
            if !self.fits(&dims) {
                dims.pop();
            }
        }
        self.rng.shuffle(&mut dims);
        dims
    }

    fn shape(&mut self) -> ArrayShape {
        let dtype = self.dtype();
        ArrayShape::new(dtype, self.dims())
    }

    /// Whether an array of these dimensions is within the budget.
    fn fits(&self, dims: &[i64]) -> bool {
        // An empty dimension makes no other one harmless.
        let elements = dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d.max(1)));
        elements.is_some_and(|n| n <= self.style.max_elements)
    }

    /// A value of this shape: one made before, one adapted, or a new one.
    fn like(&mut self, shape: &ArrayShape) -> InstrId {
        let found: Vec<InstrId> =
            self.pool.iter().copied().filter(|&id| self.b.array(id).same(shape)).collect();
        match self.rng.below(8) {
            0..=5 if !found.is_empty() => self.rng.pick(&found),
            2..=6 => self.source(shape),
            _ => {
                let x = self.value();
                self.adapt(x, shape)
            }
        }
    }

    /// A scalar of this type.
    fn scalar(&mut self, dtype: DType) -> InstrId {
        self.like(&ArrayShape::new(dtype, []))
    }

    /// A value made from nothing.
    fn source(&mut self, shape: &ArrayShape) -> InstrId {
        let d = shape.dtype;
        if self.rng.one_in(3) && shape.rank() > 0 && d != DType::Pred {
            let dim = self.rng.below(shape.rank());
            return self.b.add_shaped(Opcode::Iota, Shape::Array(shape.clone()), &[], Attrs::Iota(dim));
        }
        if self.rng.one_in(3) && shape.elements() <= 64 {
            let spread = self.spread();
            let literal = inputs::literal(shape, &mut self.rng, spread);
            return self.b.constant(literal);
        }
        let value = self.number(d);
        self.b.splat(shape, value)
    }

    /// A number that rules look for, or any.
    fn number(&mut self, dtype: DType) -> Scalar {
        if self.rng.one_in(2) {
            let one = ArrayShape::new(dtype, []);
            let spread = self.spread();
            return inputs::literal(&one, &mut self.rng, spread).get(0);
        }
        let value = self.rng.pick(&[0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 3.0]);
        match dtype {
            DType::Pred => Scalar::Pred(value > 0.0),
            d if d.is_float() => Scalar::Float(value),
            _ => Scalar::Signed(value as i64),
        }
    }

    fn spread(&self) -> Spread {
        if self.style.smooth { Spread::Tame } else { Spread::Wild }
    }

    /// The elements of `x`, converted, repeated or cut until they have this shape.
    fn adapt(&mut self, x: InstrId, shape: &ArrayShape) -> InstrId {
        if self.style.smooth && self.array(x).dtype.is_float() && !shape.dtype.is_float() {
            return self.source(shape);
        }
        let x = self.b.convert(x, shape.dtype);
        let (have, want) = (self.b.array(x).elements(), shape.elements());
        if have == 0 && want > 0 {
            return self.source(shape);
        }
        if have == want {
            return self.b.reshape(x, &shape.dims);
        }
        let dims = self.array(x).dims;
        if let Some(mapping) = embedding(&dims, &shape.dims) {
            return self.b.broadcast(x, &shape.dims, &mapping);
        }
        let mut flat = self.b.reshape(x, &[have]);
        if want > have {
            let times = (want + have - 1) / have;
            let tiled = self.b.broadcast(flat, &[times, have], &[1]);
            flat = self.b.reshape(tiled, &[times * have]);
        }
        let cut = self.cut(flat, want);
        self.b.reshape(cut, &shape.dims)
    }

    /// The first `n` elements of a vector.
    fn cut(&mut self, x: InstrId, n: i64) -> InstrId {
        if self.b.array(x).elements() == n {
            return x;
        }
        let range = lawson::hlo::attrs::SliceDim { start: 0, limit: n, stride: 1 };
        self.b.add(Opcode::Slice, &[x], Attrs::Slice(vec![range]))
    }

    fn literal(&mut self, shape: ArrayShape, values: impl IntoIterator<Item = i64>) -> InstrId {
        let values = values.into_iter().map(Scalar::Signed);
        let literal = Literal::from_scalars(shape, values);
        self.b.constant(literal)
    }
}

/// Where the dimensions of a smaller array stand among those of a larger, in order.
fn embedding(small: &[i64], large: &[i64]) -> Option<Vec<usize>> {
    let mut from = 0;
    let mut found = Vec::new();
    for d in small {
        let at = large[from..].iter().position(|l| l == d)?;
        found.push(from + at);
        from += at + 1;
    }
    Some(found)
}
