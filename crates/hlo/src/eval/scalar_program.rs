//! Scalar computations as straight-line code over words: what reducers, comparators and combiners run as.
//!
//! A composite element is as many words as it has parts, one after the other.

use super::elementwise::ScalarOp;
use super::error::{EvalError, Result};
use super::word::{Word, load_range};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::literal::{Literal, Value};
use crate::math::composite::{self, Operand, PartOps, part_count};
use crate::math::wide;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::{ArrayShape, Shape};

/// Straight-line code: registers hold parameters, then constants and results.
pub struct Program {
    /// Initial contents; constants stay from run to run.
    registers: Vec<Word>,
    steps: Vec<Step>,
    outputs: Vec<usize>,
    /// The arguments of an operation on several words.
    wide: Vec<Word>,
}

enum Step {
    Word {
        op: ScalarOp,
        args: [usize; 3],
        result: usize,
    },
    /// On elements of several words of one number: registers of the arguments, and the first of the result's.
    Wide {
        op: wide::Operation,
        args: Vec<usize>,
        result: usize,
        words: usize,
    },
}

/// What an instruction's value is while compiling.
#[derive(Clone)]
enum Slot {
    /// An element: the registers of its parts.
    Element(DType, Vec<usize>),
    Tuple(Vec<Slot>),
}

/// Programs longer than this (calls are inlined) are not made.
const MAX_STEPS: usize = 10_000;

impl Program {
    /// Compiles a computation all of whose values are scalars or tuples of them and which only computes
    /// elementwise; `None` for any other. With `widen`, f16 and bf16 are f32 throughout.
    pub fn compile(module: &Module, comp: CompId, widen: bool) -> Option<Program> {
        let mut compiler = Compiler { module, widen, code: Code::default() };
        let mut args = Vec::new();
        for shape in module[comp].parameter_shapes() {
            let dtype = compiler.scalar_type(shape)?;
            args.push(compiler.code.parameter(dtype));
        }
        let mut outputs = Vec::new();
        let registers = |slot: Slot| match slot {
            Slot::Element(_, registers) => Some(registers),
            Slot::Tuple(_) => None,
        };
        match compiler.computation(comp, &args)? {
            Slot::Tuple(slots) => {
                for slot in slots {
                    outputs.extend(registers(slot)?);
                }
            }
            slot => outputs.extend(registers(slot)?),
        }
        compiler.code.finish(outputs)
    }

    /// One elementwise operation, on elements of any type.
    pub fn of_operation(opcode: Opcode, attrs: &Attrs, operands: &[DType], result: DType) -> Result<Program> {
        let mut code = Code::default();
        let args: Vec<Slot> = operands.iter().map(|&d| code.parameter(d)).collect();
        let program = match code.operation(opcode, attrs, &args, result) {
            Some(Slot::Element(_, outputs)) => code.finish(outputs),
            _ => None,
        };
        program.ok_or_else(|| {
            let types = operands.iter().map(|d| d.name()).collect::<Vec<_>>().join(", ");
            EvalError::unsupported(format!("{opcode} of {types} to {result} is not supported"))
        })
    }

    /// Runs on these arguments; result `n` goes to `out[n]`.
    #[inline]
    pub fn run(&mut self, args: &[Word], out: &mut [Word]) {
        self.registers[..args.len()].copy_from_slice(args);
        for step in &self.steps {
            match step {
                Step::Word { op, args, result } => {
                    let args = args.map(|a| self.registers[a]);
                    self.registers[*result] = op.apply(args);
                }
                Step::Wide { op, args, result, words } => {
                    self.wide.clear();
                    self.wide.extend(args.iter().map(|&a| self.registers[a]));
                    op(&self.wide, &mut self.registers[*result..][..*words]);
                }
            }
        }
        for (out, &r) in out.iter_mut().zip(&self.outputs) {
            *out = self.registers[r];
        }
    }
}

struct Compiler<'m> {
    module: &'m Module,
    widen: bool,
    code: Code,
}

impl Compiler<'_> {
    fn computation(&mut self, comp: CompId, args: &[Slot]) -> Option<Slot> {
        let module = self.module;
        let comp = &module[comp];
        let mut slots: Vec<Slot> = Vec::with_capacity(comp.instrs.len());
        for instr in &comp.instrs {
            let slot = self.instruction(instr, &slots, args)?;
            slots.push(slot);
        }
        Some(slots.swap_remove(comp.root.index()))
    }

    fn instruction(&mut self, instr: &Instruction, slots: &[Slot], args: &[Slot]) -> Option<Slot> {
        let mut operands = instr.operands.iter().map(|o| slots[o.index()].clone());
        match (instr.opcode, &instr.attrs) {
            (Opcode::Parameter, &Attrs::Parameter(n)) => args.get(n).cloned(),
            (Opcode::Tuple, _) => Some(Slot::Tuple(operands.collect())),
            (Opcode::GetTupleElement, &Attrs::TupleIndex(n)) => match operands.next()? {
                Slot::Tuple(mut parts) if n < parts.len() => Some(parts.swap_remove(n)),
                _ => None,
            },
            (Opcode::Call, &Attrs::Call { to_apply: c, .. })
            | (Opcode::Fusion, &Attrs::Fusion { calls: c, .. }) => {
                let args: Vec<Slot> = operands.collect();
                self.computation(c, &args)
            }
            (Opcode::Constant, Attrs::Constant(Some(Value::Array(x)))) => {
                let dtype = self.scalar_type(&instr.shape)?;
                self.code.constant_element(dtype, x)
            }
            // Between scalars these change nothing.
            (Opcode::Reshape | Opcode::Broadcast | Opcode::Transpose | Opcode::OptimizationBarrier, _) => {
                self.scalar_type(&instr.shape)?;
                operands.next()
            }
            (opcode, attrs) => {
                let dtype = self.scalar_type(&instr.shape)?;
                let operands: Vec<Slot> = operands.collect();
                self.code.operation(opcode, attrs, &operands, dtype)
            }
        }
    }

    /// The element type of a scalar of this shape in the program; `None` for other shapes.
    fn scalar_type(&self, shape: &Shape) -> Option<DType> {
        let array = shape.as_array().filter(|a| a.dims.is_empty())?;
        Some(if self.widen { array.dtype.accumulator() } else { array.dtype })
    }
}

/// A program while it is written.
#[derive(Default)]
struct Code {
    registers: Vec<Word>,
    /// The element type of each register.
    types: Vec<DType>,
    steps: Vec<Step>,
    /// An operation that words do not have was asked for.
    failed: bool,
}

impl Code {
    fn parameter(&mut self, dtype: DType) -> Slot {
        let parts = (0..part_count(dtype)).map(|_| self.register(dtype.part(), 0)).collect();
        Slot::Element(dtype, parts)
    }

    /// The one element of a literal, whose type may be narrower than `dtype`.
    fn constant_element(&mut self, dtype: DType, literal: &Literal) -> Option<Slot> {
        super::word::Class::of(dtype.part())?;
        let mut words = Vec::new();
        literal.element(0).parts().iter().for_each(|p| load_range(p, 0, 1, &mut words));
        let parts = words.into_iter().map(|w| self.register(dtype.part(), w)).collect();
        Some(Slot::Element(dtype, parts))
    }

    fn register(&mut self, dtype: DType, word: Word) -> usize {
        self.registers.push(word);
        self.types.push(dtype);
        self.registers.len() - 1
    }

    fn operation(&mut self, opcode: Opcode, attrs: &Attrs, operands: &[Slot], dtype: DType) -> Option<Slot> {
        let elements = operands.iter().map(|slot| match slot {
            Slot::Element(dtype, parts) => Some(Operand { dtype: *dtype, parts }),
            Slot::Tuple(_) => None,
        });
        let elements = elements.collect::<Option<Vec<Operand<usize>>>>()?;
        if elements.iter().map(|e| e.dtype).chain([dtype]).any(|d| d.wide_field().is_some()) {
            return self.wide(opcode, attrs, &elements, dtype);
        }
        let composite = elements.iter().map(|e| e.dtype).chain([dtype]).any(|d| d.composite().is_some());
        let parts = if composite {
            composite::elementwise(self, (opcode, attrs), &elements, dtype)?
        } else {
            let args: Vec<&usize> = elements.iter().map(|e| &e.parts[0]).collect();
            vec![self.op(opcode, attrs.clone(), &args, dtype)]
        };
        (!self.failed).then_some(Slot::Element(dtype, parts))
    }

    /// An operation on whole elements of several words.
    fn wide(
        &mut self,
        opcode: Opcode,
        attrs: &Attrs,
        operands: &[Operand<usize>],
        dtype: DType,
    ) -> Option<Slot> {
        let types: Vec<DType> = operands.iter().map(|o| o.dtype).collect();
        let op = wide::operation(opcode, attrs, &types, dtype)?;
        let args = operands.iter().flat_map(|o| o.parts).copied().collect();
        let parts: Vec<usize> = (0..part_count(dtype)).map(|_| self.register(dtype.part(), 0)).collect();
        self.failed |= self.steps.len() >= MAX_STEPS;
        self.steps.push(Step::Wide { op, args, result: parts[0], words: parts.len() });
        Some(Slot::Element(dtype, parts))
    }

    fn finish(self, outputs: Vec<usize>) -> Option<Program> {
        (!self.failed).then_some(Program {
            registers: self.registers,
            steps: self.steps,
            outputs,
            wide: Vec::new(),
        })
    }
}

impl PartOps for Code {
    type Value = usize;

    fn op(&mut self, opcode: Opcode, attrs: Attrs, operands: &[&usize], result: DType) -> usize {
        let types: Vec<DType> = operands.iter().map(|&&r| self.types[r]).collect();
        let op = ScalarOp::new(opcode, &attrs, &types, result);
        let register = self.register(result, 0);
        let mut args = [0; 3];
        match op {
            Ok(op) if operands.len() <= 3 && self.steps.len() < MAX_STEPS => {
                args.iter_mut().zip(operands).for_each(|(arg, &&r)| *arg = r);
                self.steps.push(Step::Word { op, args, result: register });
            }
            _ => self.failed = true,
        }
        register
    }

    fn constant(&mut self, dtype: DType, value: Scalar, _: &usize) -> usize {
        let mut words = Vec::new();
        load_range(&Literal::splat(ArrayShape::new(dtype, []), value), 0, 1, &mut words);
        self.register(dtype, words[0])
    }
}
