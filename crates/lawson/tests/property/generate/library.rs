//! The computations a random module can call, made before its entry.

use super::{ALL, Generator, Kind, Style};
use crate::random::Rng;
use lawson::hlo::attrs::{CompareOrder, Direction};
use lawson::hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Module, Opcode, Shape};

#[derive(Default)]
pub struct Library {
    /// (x, y) → z, all of one type.
    pub reducers: Vec<(CompId, DType)>,
    /// Reducers of two arrays.
    pub pairs: Vec<(CompId, [DType; 2])>,
    pub comparators: Vec<Function>,
    pub maps: Vec<Function>,
    pub loops: Vec<Loop>,
    pub branches: Vec<Branches>,
    pub functions: Vec<(CompId, Vec<ArrayShape>)>,
}

/// A computation on scalars.
#[derive(Clone)]
pub struct Function {
    pub comp: CompId,
    pub parameters: Vec<DType>,
}

#[derive(Clone)]
pub struct Loop {
    pub condition: CompId,
    pub body: CompId,
    /// The first part is the counter.
    pub state: Vec<ArrayShape>,
}

#[derive(Clone)]
pub struct Branches {
    pub branches: Vec<CompId>,
    pub arguments: Vec<Shape>,
}

impl Library {
    pub fn generate(module: &mut Module, style: &Style, rng: &mut Rng) -> Library {
        let mut maker = Maker { module, style, rng, library: Library::default() };
        let mut dtypes = style.dtypes.clone();
        dtypes.push(maker.rng.pick(ALL));
        for &d in &dtypes {
            maker.reducers(d);
            maker.comparators(d);
            maker.map(d);
        }
        for _ in 0..2 {
            if style.kinds.contains(&Kind::Call) {
                maker.function();
            }
            if style.kinds.contains(&Kind::Conditional) {
                maker.branches();
            }
            if style.kinds.contains(&Kind::While) {
                maker.while_loop();
            }
        }
        maker.library
    }
}

struct Maker<'m> {
    module: &'m mut Module,
    style: &'m Style,
    rng: &'m mut Rng,
    library: Library,
}

impl Maker<'_> {
    /// A computation whose root `f` makes.
    fn add(&mut self, name: &str, style: &Style, f: impl FnOnce(&mut Generator) -> InstrId) -> CompId {
        let rng = Rng::new(self.rng.next());
        let mut cx = Generator::new(self.module, style, &self.library, rng);
        let root = f(&mut cx);
        let id = CompId(self.module.computations.len() as u32);
        let comp = cx.b.finish(format!("{name}_{}", id.0), root);
        self.module.computations.push(comp);
        id
    }

    fn reducers(&mut self, d: DType) {
        use Opcode::*;
        let scalar = self.style.scalar();
        let ops: &[Opcode] = match d {
            DType::Pred => &[And, Or, Xor],
            d if d.is_float() && self.style.smooth => &[Add, Add, Maximum, Minimum],
            d if d.is_float() => &[Add, Add, Maximum, Minimum, Multiply],
            _ => &[Add, Maximum, Minimum, Multiply, And, Or, Xor],
        };
        for _ in 0..2 {
            let op = self.rng.pick(ops);
            let comp = self.add("reducer", &scalar, |cx| {
                let (x, y) = cx.scalars(d, d);
                if cx.rng.one_in(4) { cx.b.binary(op, y, x) } else { cx.b.binary(op, x, y) }
            });
            self.library.reducers.push((comp, d));
        }
        if self.style.smooth {
            return;
        }
        // Neither commutative nor associative, or an assignment.
        let any = self.add("any_reducer", &scalar, |cx| {
            let (x, y) = cx.scalars(d, d);
            if cx.rng.one_in(2) {
                return cx.rng.pick(&[x, y]);
            }
            let z = cx.elementwise(x);
            let y = cx.b.convert(y, cx.b.array(z).dtype);
            let sum = cx.b.binary(Add, z, y);
            cx.b.convert(sum, d)
        });
        self.library.reducers.push((any, d));
        let second = self.rng.pick(&[DType::S32, DType::S32, d]);
        let pair = self.add("pair_reducer", &scalar, |cx| cx.pair_reducer(d, second));
        self.library.pairs.push((pair, [d, second]));
    }

    fn comparators(&mut self, d: DType) {
        let direction = self.rng.pick(&[Direction::Lt, Direction::Gt]);
        let second = self.rng.pick(&self.style.dtypes);
        let values: [&[DType]; 2] = [&[], &[second]];
        for others in values {
            let parameters: Vec<DType> = [d].iter().chain(others).flat_map(|&d| [d, d]).collect();
            let comp = self.add("comparator", &self.style.scalar(), |cx| {
                let all: Vec<InstrId> = parameters.iter().map(|&d| cx.parameter(Shape::scalar(d))).collect();
                let attrs = Attrs::Compare { direction, order: CompareOrder::Default };
                cx.b.add(Opcode::Compare, &all[..2], attrs)
            });
            self.library.comparators.push(Function { comp, parameters });
        }
    }

    fn map(&mut self, d: DType) {
        let mut parameters = vec![d];
        if self.rng.one_in(2) {
            parameters.push(self.rng.pick(&self.style.dtypes));
        }
        let comp = self.add("mapped", &self.style.scalar(), |cx| {
            for &d in &parameters {
                let p = cx.parameter(Shape::scalar(d));
                cx.pool.push(p);
            }
            cx.grow();
            cx.pool[cx.pool.len() - 1]
        });
        self.library.maps.push(Function { comp, parameters });
    }

    fn function(&mut self) {
        let mut parameters = Vec::new();
        let comp = self.add("function", &self.style.nested(), |cx| {
            for _ in 0..1 + cx.rng.below(2) {
                let shape = cx.shape();
                let p = cx.parameter(Shape::Array(shape.clone()));
                cx.pool.push(p);
                parameters.push(shape);
            }
            cx.grow();
            cx.outputs()
        });
        self.library.functions.push((comp, parameters));
    }

    fn branches(&mut self) {
        let style = self.style.nested();
        let (mut branches, mut arguments) = (Vec::new(), Vec::new());
        let mut results: Option<Vec<ArrayShape>> = None;
        for _ in 0..self.rng.pick(&[1, 2, 2, 2, 3]) {
            let comp = self.add("branch", &style, |cx| {
                let shape = match cx.rng.below(3) {
                    0 => Shape::Tuple(vec![Shape::Array(cx.shape()), Shape::Array(cx.shape())]),
                    _ => Shape::Array(cx.shape()),
                };
                let p = cx.parameter(shape.clone());
                arguments.push(shape);
                cx.take_apart(p);
                cx.grow();
                let results =
                    results.get_or_insert_with(|| (0..1 + cx.rng.below(3)).map(|_| cx.shape()).collect());
                let parts: Vec<InstrId> = results.iter().map(|r| cx.like(r)).collect();
                if parts.len() == 1 { parts[0] } else { cx.b.add(Opcode::Tuple, &parts, Attrs::None) }
            });
            branches.push(comp);
        }
        self.library.branches.push(Branches { branches, arguments });
    }

    /// A loop of few trips over a counter and some arrays.
    fn while_loop(&mut self) {
        let style = self.style.nested();
        let counter = self.rng.pick(&[DType::S32, DType::S32, DType::S64]);
        let mut state = vec![ArrayShape::new(counter, [])];
        let limit = self.rng.between(0, 4);
        let step = self.rng.pick(&[1, 1, 1, 2]);
        let body = self.add("body", &style, |cx| {
            for _ in 0..cx.rng.below(4) {
                state.push(cx.shape());
            }
            let p = cx.parameter(tuple(&state));
            cx.take_apart(p);
            let i = cx.pool[0];
            cx.grow();
            let by = cx.literal(state[0].clone(), [step]);
            let next = cx.b.binary(Opcode::Add, i, by);
            let mut parts = vec![next];
            for (n, shape) in state.iter().enumerate().skip(1) {
                // Some parts stay, or change places.
                let part = match cx.rng.below(6) {
                    0 => cx.element(p, n),
                    _ => cx.like(shape),
                };
                parts.push(part);
            }
            cx.b.add(Opcode::Tuple, &parts, Attrs::None)
        });
        let condition = self.add("condition", &self.style.scalar(), |cx| {
            let p = cx.parameter(tuple(&state));
            let i = cx.element(p, 0);
            let limit = cx.literal(state[0].clone(), [limit]);
            let attrs = Attrs::Compare { direction: Direction::Lt, order: CompareOrder::Default };
            let goes_on = cx.b.add(Opcode::Compare, &[i, limit], attrs);
            let scalar = (1..state.len()).find(|&n| state[n].rank() == 0);
            match scalar {
                Some(n) if cx.rng.one_in(2) && !(cx.style.smooth && state[n].dtype.is_float()) => {
                    let x = cx.element(p, n);
                    let also = cx.b.convert(x, DType::Pred);
                    cx.b.binary(Opcode::And, goes_on, also)
                }
                _ => goes_on,
            }
        });
        self.library.loops.push(Loop { condition, body, state });
    }
}

fn tuple(state: &[ArrayShape]) -> Shape {
    Shape::Tuple(state.iter().cloned().map(Shape::Array).collect())
}

impl Generator<'_> {
    fn scalars(&mut self, a: DType, b: DType) -> (InstrId, InstrId) {
        let x = self.parameter(Shape::scalar(a));
        let y = self.parameter(Shape::scalar(b));
        self.pool.extend([x, y]);
        (x, y)
    }

    /// Keeps the larger (or smaller) of the first values with its second, or combines both apart.
    fn pair_reducer(&mut self, d: DType, second: DType) -> InstrId {
        let (x, i) = self.scalars(d, second);
        let (y, j) = self.scalars(d, second);
        let parts = if self.rng.one_in(4) {
            [self.b.binary(Opcode::Add, x, y), self.b.binary(Opcode::Maximum, i, j)]
        } else {
            let direction = self.rng.pick(&[Direction::Ge, Direction::Lt]);
            let attrs = Attrs::Compare { direction, order: CompareOrder::Default };
            let first = self.b.add(Opcode::Compare, &[x, y], attrs);
            let mut select = |a, b| self.b.add(Opcode::Select, &[first, a, b], Attrs::None);
            [select(x, y), select(i, j)]
        };
        self.b.add(Opcode::Tuple, &parts, Attrs::None)
    }
}
