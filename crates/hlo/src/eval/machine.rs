//! The machine: runs computations instruction by instruction.

use super::bitcast::{bitcast, bitcast_convert};
use super::elementwise::ScalarOp;
use super::error::{EvalError, Reason, Result};
use super::limits::Limits;
use super::{
    Options, batch_norm, contraction, control, convolution, dynamic, gather_scatter, library, movement, ntt,
    parts, random, reduce, scan, sort, unseen, window,
};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::literal::{Literal, Value};
use crate::module::{Computation, Module};
use crate::opcode::{Class, Opcode};
use crate::scalar::Scalar;
use crate::shape::{ArrayShape, Shape};

/// Runs a computation on arguments from outside.
pub fn run(module: &Module, comp: CompId, args: &[Value], options: &Options) -> Result<Value> {
    let parameters = module[comp].parameter_shapes();
    let wrong = |message: String| Err(EvalError::new(Reason::Arguments, message));
    if args.len() != parameters.len() {
        let name = &module[comp].name;
        return wrong(format!("{name} takes {} arguments, not {}", parameters.len(), args.len()));
    }
    for (n, (arg, shape)) in args.iter().zip(parameters).enumerate() {
        if !arg.shape().same(shape) {
            return wrong(format!("argument {n} is {}, not {}", arg.shape(), shape.without_layout()));
        }
    }
    control::with_stack(module, [comp], || Machine::new(module, options).computation(comp, args.to_vec()))
}

/// The state of an evaluation.
pub struct Machine<'a> {
    pub module: &'a Module,
    pub options: &'a Options,
    pub limits: Limits,
    /// Element operations done so far.
    operations: u64,
}

impl<'a> Machine<'a> {
    pub fn new(module: &'a Module, options: &'a Options) -> Machine<'a> {
        Machine { module, options, limits: Limits { max_bytes: options.max_bytes }, operations: 0 }
    }

    /// Lets `f` run computations of another module on this machine's account.
    pub fn inside<T>(&mut self, module: &Module, f: impl FnOnce(&mut Machine) -> Result<T>) -> Result<T> {
        let mut inner = Machine { module, ..*self };
        let result = f(&mut inner);
        self.operations = inner.operations;
        result
    }

    /// Counts element operations against the limit.
    pub fn charge(&mut self, operations: u64) -> Result<()> {
        self.operations = self.operations.saturating_add(operations);
        match self.options.max_operations {
            Some(limit) if self.operations > limit => {
                Err(EvalError::new(Reason::Limit, format!("more than {limit} element operations")))
            }
            _ => Ok(()),
        }
    }

    /// Runs a computation of the module on arguments that fit its parameters.
    pub fn computation(&mut self, comp: CompId, args: Vec<Value>) -> Result<Value> {
        let module = self.module;
        let comp = &module[comp];
        let mut args: Vec<Option<Value>> = args.into_iter().map(Some).collect();
        let mut uses = use_counts(comp);
        let mut values: Vec<Option<Value>> = vec![None; comp.instrs.len()];
        for (id, instr) in comp.iter() {
            let value = match (&instr.attrs, instr.opcode, &instr.operands[..]) {
                (&Attrs::Parameter(n), ..) => args
                    .get_mut(n)
                    .and_then(Option::take)
                    .ok_or_else(|| EvalError::malformed("a parameter without an argument")),
                (_, Opcode::While, &[state]) if !unseen::is_seen(module, comp, id) => {
                    uses[state.index()] -= 1;
                    let state = values[state.index()].clone();
                    state.ok_or_else(|| EvalError::malformed("an operand comes after its user"))
                }
                // Looks into the tuple, which need not be copied for it.
                (&Attrs::TupleIndex(n), Opcode::GetTupleElement, [tuple]) if uses[tuple.index()] > 1 => {
                    uses[tuple.index()] -= 1;
                    match &values[tuple.index()] {
                        Some(Value::Tuple(parts)) if n < parts.len() => Ok(parts[n].clone()),
                        _ => Err(EvalError::malformed("no such tuple element")),
                    }
                }
                _ => {
                    let take = |o: &crate::InstrId| {
                        let uses = &mut uses[o.index()];
                        *uses -= 1;
                        if *uses == 0 { values[o.index()].take() } else { values[o.index()].clone() }
                    };
                    let operands: Option<Vec<Value>> = instr.operands.iter().map(take).collect();
                    operands.ok_or_else(|| EvalError::malformed("an operand comes after its user")).and_then(
                        |operands| match (instr.opcode, &operands[..]) {
                            (Opcode::Bitcast, [x]) => {
                                self.bitcast(x, &comp.operand(instr, 0).shape, &instr.shape)
                            }
                            _ => self.instruction(instr, operands),
                        },
                    )
                }
            };
            let value = value.map_err(|e| e.at(&instr.name))?;
            if uses[id.index()] > 0 {
                values[id.index()] = Some(value);
            }
        }
        values[comp.root.index()].take().ok_or_else(|| EvalError::malformed("the root has no value"))
    }

    /// Whether the evaluation may go on.
    pub fn go_on(&self) -> Result<()> {
        match &self.options.interrupt {
            Some(interrupt) if interrupt() => Err(EvalError::new(Reason::Interrupted, "interrupted")),
            _ => Ok(()),
        }
    }

    /// Evaluates one instruction on its operands.
    pub fn instruction(&mut self, instr: &Instruction, mut operands: Vec<Value>) -> Result<Value> {
        let opcode = instr.opcode;
        self.go_on()?;
        self.charge(work(instr, &operands))?;
        match opcode.class() {
            Class::Control => return control::control(self, instr, operands),
            Class::Structure => return control::structure(instr, operands),
            Class::Communication => return control::communication(self, instr, operands),
            Class::Library => return library::library(self, instr, &operands),
            _ => {}
        }
        let shape = &instr.shape;
        match (opcode, &instr.attrs) {
            (Opcode::Constant, Attrs::Constant(Some(value))) => return Ok(value.clone()),
            // Of a value of any shape: tuples and tokens too.
            (Opcode::Copy, _) if operands.len() == 1 => return Ok(operands.swap_remove(0)),
            (Opcode::DynamicUpdateSlice, _) => return update_slice(operands),
            (Opcode::Map, &Attrs::Map { to_apply, .. }) => {
                return control::map(self, operands, to_apply, shape);
            }
            (Opcode::Scan, &Attrs::Scan { dim, to_apply, num_carries, is_reverse, .. }) => {
                return scan::scan(self, operands, (dim, num_carries, is_reverse), to_apply, shape);
            }
            _ => {}
        }
        let arrays: Option<Vec<&Literal>> = operands.iter().map(Value::as_array).collect();
        let arrays = arrays.ok_or_else(|| EvalError::malformed("an operand is not an array"))?;
        if let Some(value) = parts::instruction(self, instr, &arrays)? {
            return Ok(value);
        }
        match shape {
            Shape::Array(shape) => {
                if shape.is_dynamic() {
                    return Err(EvalError::unsupported(format!(
                        "the dynamic shape {shape} is not supported"
                    )));
                }
                if let Some(array) = self.array_result(instr, &arrays, shape)? {
                    return Ok(Value::Array(array));
                }
                self.any_result(instr, &arrays)
            }
            _ => self.any_result(instr, &arrays),
        }
    }

    /// The one operation that reads memory as it lies, and so asks for the layout its operand was given.
    fn bitcast(&mut self, x: &Value, operand: &Shape, result: &Shape) -> Result<Value> {
        let (Value::Array(x), Shape::Array(operand), Shape::Array(result)) = (x, operand, result) else {
            return Err(EvalError::malformed("bitcast of what is no array"));
        };
        self.charge(x.elements() as u64)?;
        Ok(Value::Array(bitcast(self.limits, x, operand, result)?))
    }

    /// Operations whose result is one array; `None` for the others.
    fn array_result(
        &mut self,
        instr: &Instruction,
        xs: &[&Literal],
        shape: &ArrayShape,
    ) -> Result<Option<Literal>> {
        use Opcode::*;
        let limits = self.limits;
        Ok(Some(match (instr.opcode, &instr.attrs, xs) {
            (Iota, &Attrs::Iota(dim), []) => iota(self, dim, shape)?,
            (Broadcast, Attrs::Dims(dims), [x]) => movement::broadcast(limits, x, dims, shape)?,
            (Broadcast, Attrs::None, [x]) => movement::broadcast(limits, x, &[], shape)?,
            (Transpose, Attrs::Dims(dims), [x]) => movement::transpose(limits, x, dims, shape)?,
            (Reverse, Attrs::Dims(dims), [x]) => movement::reverse(limits, x, dims, shape)?,
            (BitReverse, Attrs::Dims(dims), [x]) => movement::bit_reverse(limits, x, dims, shape)?,
            (Ntt, Attrs::Ntt(ntt), [x]) => ntt::transform(self, x, *ntt)?,
            (Slice, Attrs::Slice(dims), [x]) => movement::slice(limits, x, dims, shape)?,
            (Pad, Attrs::Pad(dims), [x, value]) => movement::pad(limits, x, value, dims, shape)?,
            (Concatenate, Attrs::Dims(dims), [_, ..]) => {
                let dim = dims.first().copied().unwrap_or(0);
                movement::concatenate(limits, xs, dim, shape)?
            }
            (Reshape, _, [x]) => movement::reshape(x, shape)?,
            (Bitcast, _, [x]) => bitcast(limits, x, x.shape(), shape)?,
            (BitcastConvert, _, [x]) => bitcast_convert(limits, x, shape)?,
            (DynamicSlice, _, [x, starts @ ..]) => dynamic::slice(limits, x, starts, shape)?,
            (GetDimensionSize, Attrs::Dims(dims), [x]) => {
                let size = dims.first().and_then(|&d| x.dims().get(d)).copied().unwrap_or(0);
                Literal::scalar(shape.dtype, Scalar::Signed(size))
            }
            (Gather, Attrs::Gather(dims), [x, indices]) => {
                gather_scatter::gather(self, x, indices, dims, shape)?
            }
            (Dot, Attrs::Dot(dims), [a, b]) => contraction::dot(self, a, b, dims, shape)?,
            (Convolution, Attrs::Convolution(dims), [x, kernel]) => {
                convolution::convolution(self, x, kernel, dims, shape)?
            }
            (SelectAndScatter, Attrs::SelectAndScatter { window, select, scatter }, &[x, source, init]) => {
                window::select_and_scatter(self, [x, source, init], window, *select, *scatter, shape)?
            }
            (opcode, attrs, _) if opcode.is_elementwise() => {
                let types: Vec<DType> = xs.iter().map(|x| x.dtype()).collect();
                ScalarOp::new(opcode, attrs, &types, shape.dtype)?.apply_arrays(limits, xs, shape)?
            }
            _ => return Ok(None),
        }))
    }

    /// Operations whose result may be a tuple.
    pub fn any_result(&mut self, instr: &Instruction, xs: &[&Literal]) -> Result<Value> {
        use Opcode::*;
        let shape = &instr.shape;
        match (instr.opcode, &instr.attrs, xs) {
            (Reduce, Attrs::Reduce { dims, to_apply }, _) => reduce::reduce(self, xs, dims, *to_apply, shape),
            (ReduceWindow, Attrs::ReduceWindow { window, to_apply }, _) => {
                window::reduce_window(self, xs, window, *to_apply, shape)
            }
            (Sort, &Attrs::Sort { dim, to_apply, .. }, [_, ..]) => sort::sort(self, xs, dim, to_apply, shape),
            (TopK, &Attrs::TopK { k, largest }, [x]) => sort::topk(self, x, k, largest),
            (Scatter, Attrs::Scatter(dims), _) => gather_scatter::scatter(self, xs, dims, shape),
            (RngBitGenerator, Attrs::RngBitGenerator(algorithm), [state]) => {
                random::rng_bit_generator(self, algorithm, state, shape)
            }
            (
                opcode @ (BatchNormTraining | BatchNormInference | BatchNormGrad),
                &Attrs::BatchNorm { epsilon_bits, feature_index },
                _,
            ) => batch_norm::batch_norm(self, opcode, xs, (epsilon_bits, feature_index)),
            (opcode, ..) => Err(unsupported(opcode)),
        }
    }

    /// The array converted to another type.
    pub fn convert(&self, x: &Literal, dtype: DType) -> Result<Literal> {
        if x.dtype() == dtype {
            return Ok(x.clone());
        }
        let shape = x.shape().with_dtype(dtype);
        if x.dtype().composite().is_some() || dtype.composite().is_some() {
            return parts::elementwise(self, (Opcode::Convert, &Attrs::None), &[x], &shape);
        }
        let op = ScalarOp::new(Opcode::Convert, &Attrs::None, &[x.dtype()], dtype)?;
        op.apply_arrays(self.limits, &[x], &shape)
    }
}

pub fn unsupported(opcode: Opcode) -> EvalError {
    EvalError::unsupported(format!("{opcode} is not supported by the interpreter"))
}

/// How often each value is an operand; the root counts once more.
fn use_counts(comp: &Computation) -> Vec<u32> {
    let mut uses = vec![0; comp.instrs.len()];
    comp.instrs.iter().flat_map(|i| &i.operands).for_each(|o| uses[o.index()] += 1);
    uses[comp.root.index()] += 1;
    uses
}

/// The largest number of elements of an operand or the result, at least one.
fn work(instr: &Instruction, operands: &[Value]) -> u64 {
    if matches!(instr.opcode.class(), Class::Control | Class::Structure) {
        return 1;
    }
    let own = instr.shape.leaves().into_iter().map(|a| a.checked_elements().unwrap_or(i64::MAX)).max();
    let of_operands = operands.iter().flat_map(Value::leaves).map(|x| x.elements() as i64).max();
    own.max(of_operands).unwrap_or(1).max(1) as u64
}

fn update_slice(mut operands: Vec<Value>) -> Result<Value> {
    let malformed = || EvalError::malformed("an operand is not an array");
    if operands.len() < 2 {
        return Err(malformed());
    }
    let rest = operands.split_off(1);
    let (Some(Value::Array(x)), rest) =
        (operands.pop(), rest.iter().map(Value::as_array).collect::<Option<Vec<_>>>())
    else {
        return Err(malformed());
    };
    let rest = rest.ok_or_else(malformed)?;
    Ok(Value::Array(dynamic::update_slice(x, rest[0], &rest[1..])?))
}

/// Counts along a dimension, modulo the type.
fn iota(machine: &Machine, dim: usize, shape: &ArrayShape) -> Result<Literal> {
    let (Some(&stride), Some(&extent)) = (shape.strides().get(dim), shape.dims.get(dim)) else {
        return Err(EvalError::malformed(format!("no dimension {dim} in {shape}")));
    };
    let n = machine.limits.elements(shape)? as i64;
    let mut counts = machine.limits.with_capacity(n as usize)?;
    counts.extend((0..n).map(|i| (i / stride % extent) as u64));
    let whole = machine.array(&shape.with_dtype(DType::S64), &counts)?;
    machine.convert(&whole, shape.dtype)
}
