//! Scalar computations as straight-line code over words: what reducers, comparators and combiners run as.

use super::elementwise::ScalarOp;
use super::word::{Word, load_scalar};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::literal::Value;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::shape::Shape;

/// Straight-line code: registers hold parameters, then constants and results.
pub struct Program {
    /// Initial contents; constants stay from run to run.
    registers: Vec<Word>,
    steps: Vec<Step>,
    outputs: Vec<usize>,
}

struct Step {
    op: ScalarOp,
    args: [usize; 3],
    result: usize,
}

/// What an instruction's value is while compiling.
#[derive(Clone)]
enum Slot {
    Register(usize),
    Tuple(Vec<Slot>),
}

/// Programs longer than this (calls are inlined) are not made.
const MAX_STEPS: usize = 10_000;

impl Program {
    /// Compiles a computation all of whose values are scalars or tuples of them and which only computes
    /// elementwise; `None` for any other. With `widen`, f16 and bf16 are f32 throughout.
    pub fn compile(module: &Module, comp: CompId, widen: bool) -> Option<Program> {
        let mut compiler =
            Compiler { module, widen, registers: Vec::new(), types: Vec::new(), steps: Vec::new() };
        let mut args = Vec::new();
        for shape in module[comp].parameter_shapes() {
            args.push(compiler.register(compiler.scalar_type(shape)?, 0));
        }
        let register = |slot: Slot| match slot {
            Slot::Register(r) => Some(r),
            Slot::Tuple(_) => None,
        };
        let outputs = match compiler.computation(comp, &args)? {
            Slot::Tuple(slots) => slots.into_iter().map(register).collect::<Option<_>>()?,
            slot => vec![register(slot)?],
        };
        Some(Program { registers: compiler.registers, steps: compiler.steps, outputs })
    }

    /// Runs on these arguments; result `n` goes to `out[n]`.
    #[inline]
    pub fn run(&mut self, args: &[Word], out: &mut [Word]) {
        self.registers[..args.len()].copy_from_slice(args);
        for step in &self.steps {
            let args = step.args.map(|a| self.registers[a]);
            self.registers[step.result] = step.op.apply(args);
        }
        for (out, &r) in out.iter_mut().zip(&self.outputs) {
            *out = self.registers[r];
        }
    }
}

struct Compiler<'m> {
    module: &'m Module,
    widen: bool,
    registers: Vec<Word>,
    /// The element type of each register.
    types: Vec<DType>,
    steps: Vec<Step>,
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
                Some(self.register(self.scalar_type(&instr.shape)?, load_scalar(x)))
            }
            // Between scalars these change nothing.
            (Opcode::Reshape | Opcode::Broadcast | Opcode::Transpose | Opcode::OptimizationBarrier, _) => {
                self.scalar_type(&instr.shape)?;
                operands.next()
            }
            _ => self.step(instr, operands),
        }
    }

    fn step(&mut self, instr: &Instruction, operands: impl Iterator<Item = Slot>) -> Option<Slot> {
        let mut args = [0; 3];
        let mut types = Vec::with_capacity(3);
        for (n, slot) in operands.enumerate() {
            let Slot::Register(r) = slot else { return None };
            *args.get_mut(n)? = r;
            types.push(self.types[r]);
        }
        let dtype = self.scalar_type(&instr.shape)?;
        let op = ScalarOp::new(instr.opcode, &instr.attrs, &types, dtype).ok()?;
        if self.steps.len() == MAX_STEPS {
            return None;
        }
        let result = self.register(dtype, 0);
        self.steps.push(Step { op, args, result: self.registers.len() - 1 });
        Some(result)
    }

    fn register(&mut self, dtype: DType, word: Word) -> Slot {
        self.registers.push(word);
        self.types.push(dtype);
        Slot::Register(self.registers.len() - 1)
    }

    /// The element type of a scalar of this shape in the program; `None` for other shapes.
    fn scalar_type(&self, shape: &Shape) -> Option<DType> {
        let array = shape.as_array().filter(|a| a.dims.is_empty())?;
        Some(if self.widen { array.dtype.accumulator() } else { array.dtype })
    }
}
