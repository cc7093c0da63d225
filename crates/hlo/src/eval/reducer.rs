//! The computation an operation applies to elements: reducer, comparator, combiner, mapped function.

use super::elementwise::ScalarOp;
use super::error::{EvalError, Result};
use super::machine::Machine;
use super::parts::{element_of_words, element_words};
use super::scalar_program::Program;
use super::word::{Class, Word};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::CompId;
use crate::literal::{Literal, Value};
use crate::math::composite::part_count;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::Shape;

/// A computation of scalars to scalars, applied to words.
pub struct Reducer {
    /// Types of the parameters, as the words passed are to be understood: one word for each part.
    types: Vec<DType>,
    kind: Kind,
}

enum Kind {
    Straight(Program),
    /// Evaluated as any computation, in the module given or the machine's own.
    General(Option<Box<Module>>, CompId),
}

impl Reducer {
    /// The computation as it stands.
    pub fn new(module: &Module, comp: CompId) -> Result<Reducer> {
        Reducer::make(module, comp, false)
    }

    /// The computation with f16 and bf16 replaced by f32, which sums are accumulated in. (Not where it looks at
    /// the bits of values: that has no meaning in another type.)
    pub fn widened(module: &Module, comp: CompId) -> Result<Reducer> {
        Reducer::make(module, comp, has_half(module, comp) && !looks_at_bits(module, comp))
    }

    fn make(module: &Module, comp: CompId, widen: bool) -> Result<Reducer> {
        let mut types = Vec::new();
        for shape in module[comp].parameter_shapes() {
            let Some(array) = shape.as_array().filter(|a| a.dims.is_empty()) else {
                return Err(EvalError::malformed(format!("{} takes a {shape}", module[comp].name)));
            };
            if Class::of(array.dtype.part()).is_none() {
                return Err(EvalError::unsupported(format!("{} takes a {shape}", module[comp].name)));
            }
            types.push(if widen { array.dtype.accumulator() } else { array.dtype });
        }
        let kind = match Program::compile(module, comp, widen) {
            Some(program) => Kind::Straight(program),
            None => Kind::General(widen.then(|| Box::new(widened(module))), comp),
        };
        Ok(Reducer { types, kind })
    }

    /// Applies the computation; result `n` goes to `out[n]`.
    #[inline]
    pub fn apply(&mut self, machine: &mut Machine, args: &[Word], out: &mut [Word]) -> Result<()> {
        match &mut self.kind {
            Kind::Straight(program) => {
                program.run(args, out);
                Ok(())
            }
            Kind::General(module, comp) => {
                let mut rest = args;
                let argument = |&dtype: &DType| {
                    let (words, others) = rest.split_at(part_count(dtype));
                    rest = others;
                    Value::Array(element_of_words(dtype, words))
                };
                let args = self.types.iter().map(argument).collect();
                let value = match module {
                    Some(module) => machine.inside(module, |m| m.computation(*comp, args))?,
                    None => machine.computation(*comp, args)?,
                };
                let mut words = Vec::with_capacity(out.len());
                value.leaves().into_iter().for_each(|leaf| element_words(leaf, &mut words));
                out.iter_mut().zip(words).for_each(|(out, word)| *out = word);
                Ok(())
            }
        }
    }

    /// The number of words it takes: of parameters, a composite one counting each part.
    pub fn arity(&self) -> usize {
        self.types.iter().map(|&d| part_count(d)).sum()
    }
}

fn any_instruction(module: &Module, comp: CompId, f: &impl Fn(&crate::Instruction) -> bool) -> bool {
    // Callees have smaller indices: one walk down marks what is reached.
    let mut reached = vec![false; comp.index() + 1];
    reached[comp.index()] = true;
    for c in (0..=comp.index()).rev() {
        if !reached[c] {
            continue;
        }
        for instr in &module.computations[c].instrs {
            if f(instr) {
                return true;
            }
            instr.attrs.called().iter().filter(|called| called.index() < c).for_each(|called| {
                reached[called.index()] = true;
            });
        }
    }
    false
}

fn has_half(module: &Module, comp: CompId) -> bool {
    any_instruction(module, comp, &|i| i.shape.leaves().iter().any(|a| a.dtype.accumulator() != a.dtype))
}

fn looks_at_bits(module: &Module, comp: CompId) -> bool {
    any_instruction(module, comp, &|i| matches!(i.opcode, Opcode::BitcastConvert | Opcode::Bitcast))
}

/// The module with f32 for f16 and bf16 everywhere.
fn widened(module: &Module) -> Module {
    fn shape(s: &Shape) -> Shape {
        match s {
            Shape::Array(a) => Shape::Array(a.with_dtype(a.dtype.accumulator())),
            Shape::Tuple(parts) => Shape::Tuple(parts.iter().map(shape).collect()),
            other => other.clone(),
        }
    }
    fn value(v: &Value) -> Value {
        match v {
            Value::Array(x) => {
                let wide = x.shape().with_dtype(x.dtype().accumulator());
                Value::Array(Literal::from_scalars(wide, x.scalars().collect::<Vec<Scalar>>()))
            }
            Value::Tuple(parts) => Value::Tuple(parts.iter().map(value).collect()),
            Value::Token => Value::Token,
        }
    }
    let mut module = module.clone();
    for instr in module.computations.iter_mut().flat_map(|c| &mut c.instrs) {
        if instr.shape.leaves().iter().all(|a| a.dtype.accumulator() == a.dtype) {
            continue;
        }
        instr.shape = shape(&instr.shape);
        if let Attrs::Constant(Some(v)) = &instr.attrs {
            instr.attrs = Attrs::Constant(Some(value(v)));
        }
    }
    module
}

/// The operation `a op b` on words of a type, for what needs no computation of its own.
pub fn simple(opcode: Opcode, dtype: DType) -> Result<impl Fn(Word, Word) -> Word> {
    let op = ScalarOp::new(opcode, &Attrs::None, &[dtype, dtype], dtype)?;
    Ok(move |a, b| op.apply([a, b, 0]))
}
