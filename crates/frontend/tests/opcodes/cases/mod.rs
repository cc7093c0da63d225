//! Small modules, one or more for each opcode, with the arguments on which derivatives and batches are tried.
//!
//! Floating-point numbers are f64 and c128, so that finite differences tell right from wrong. Arguments keep away from where a
//! function has a kink.

mod control;
mod elementwise;
mod indexed;
mod linalg;
mod movement;
mod reduction;
mod structure;
mod window;

use crate::random::Random;
use lawson_hlo::{ArrayShape, Literal, Module, Opcode, Scalar};

/// One module whose entry takes arrays.
pub struct Case {
    /// The opcode that it is about.
    pub opcode: Opcode,
    pub text: String,
    /// One for each parameter.
    pub inputs: Vec<Input>,
    /// How many derivatives are taken one of the other.
    pub order: usize,
}

/// How the elements of an argument are chosen.
#[derive(Clone)]
pub enum Input {
    /// At random between these; of complex numbers both parts.
    Between(f64, f64),
    /// At random, no two closer than 0.1, of either sign.
    Distinct,
    /// These; integers or truth values.
    Exactly(Vec<i64>),
    /// Positive definite matrices.
    PositiveDefinite,
    /// Matrices whose diagonal is far from zero.
    Dominant,
}

impl Case {
    pub fn new(opcode: Opcode, body: &str, inputs: &[Input]) -> Case {
        let text = format!("HloModule case\n{HELPERS}\nENTRY main {{\n{body}\n}}\n");
        Case { opcode, text, inputs: inputs.to_vec(), order: 2 }
    }

    /// With further computations before the entry.
    pub fn with(mut self, computations: &str) -> Case {
        self.text = self.text.replacen("ENTRY", &format!("{computations}\nENTRY"), 1);
        self
    }

    #[track_caller]
    pub fn module(&self) -> Module {
        let module = Module::parse(&self.text).unwrap_or_else(|e| panic!("{e}\n{}", self.text));
        if let Err(faults) = lawson_hlo::verify::verify(&module) {
            panic!("{}\n{}", faults[0], self.text);
        }
        module
    }

    /// Arguments of the entry.
    pub fn arguments(&self, random: &mut Random) -> Vec<Literal> {
        let module = self.module();
        let shapes = module[module.entry].parameter_shapes();
        assert_eq!(shapes.len(), self.inputs.len(), "inputs of\n{}", self.text);
        let arguments = shapes.iter().zip(&self.inputs);
        arguments.map(|(shape, input)| input.elements(shape.expect_array(), random)).collect()
    }
}

impl Input {
    pub fn elements(&self, shape: &ArrayShape, random: &mut Random) -> Literal {
        let n = shape.elements() as usize;
        match self {
            Input::Between(low, high) => random.between(shape, *low, *high),
            Input::Distinct => {
                let mut order: Vec<usize> = (0..n).collect();
                (1..n).rev().for_each(|i| order.swap(i, random.below(i + 1)));
                let middle = n as f64 / 2.0;
                let value = |&i: &usize| 0.2 * (i as f64 - middle) + 0.05 + 0.1 * random.unit();
                let values: Vec<f64> = order.iter().map(value).collect();
                Literal::from_scalars(shape.clone(), values.into_iter().map(Scalar::Float))
            }
            Input::Exactly(values) => {
                assert_eq!(values.len(), n, "elements of {shape}");
                Literal::from_scalars(shape.clone(), values.iter().map(|&v| Scalar::Signed(v)))
            }
            Input::PositiveDefinite | Input::Dominant => {
                let order = *shape.dims.last().expect("matrices") as usize;
                let noise = random.between(shape, -0.4, 0.4);
                let element = |(i, noise): (usize, Scalar)| {
                    let (row, column) = (i / order % order, i % order);
                    let diagonal = if row == column { order as f64 } else { 0.0 };
                    match noise {
                        // A real diagonal: a Hermitian matrix has one.
                        Scalar::Complex(re, _) if row == column => Scalar::Complex(re + diagonal, 0.0),
                        Scalar::Complex(re, im) => Scalar::Complex(re, im),
                        noise => Scalar::Float(noise.as_f64() + diagonal),
                    }
                };
                Literal::from_scalars(shape.clone(), noise.scalars().enumerate().map(element))
            }
        }
    }
}

/// Every case.
pub fn all() -> Vec<Case> {
    let topics = [
        control::cases(),
        elementwise::cases(),
        indexed::cases(),
        linalg::cases(),
        movement::cases(),
        reduction::cases(),
        structure::cases(),
        window::cases(),
    ];
    topics.into_iter().flatten().collect()
}

/// What reductions, windows, scatters and sorts call.
const HELPERS: &str = "
add { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = f64[] add(a, b) }
mul { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = f64[] multiply(a, b) }
max { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = f64[] maximum(a, b) }
min { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = f64[] minimum(a, b) }
second { a = f64[] parameter(0)\n ROOT b = f64[] parameter(1) }
ge { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = pred[] compare(a, b), direction=GE }
le { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = pred[] compare(a, b), direction=LE }
lt { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = pred[] compare(a, b), direction=LT }
gt { a = f64[] parameter(0)\n b = f64[] parameter(1)\n ROOT r = pred[] compare(a, b), direction=GT }
argmax {
  a = f64[] parameter(0)
  i = s32[] parameter(1)
  b = f64[] parameter(2)
  j = s32[] parameter(3)
  greater = pred[] compare(a, b), direction=GT
  equal = pred[] compare(a, b), direction=EQ
  before = pred[] compare(i, j), direction=LT
  first = pred[] and(equal, before)
  this = pred[] or(greater, first)
  x = f64[] select(greater, a, b)
  k = s32[] select(this, i, j)
  ROOT r = (f64[], s32[]) tuple(x, k)
}";
