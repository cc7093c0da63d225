//! Instructions that call computations, and tuples, tokens and barriers.

use super::error::{EvalError, Reason, Result};
use super::machine::{Machine, unsupported};
use super::reducer::Reducer;
use crate::alone::{Alone, alone};
use crate::attrs::Attrs;
use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::literal::{Literal, Value};
use crate::module::Module;
use crate::opcode::Opcode;
use crate::scalar::Scalar;
use crate::shape::Shape;

/// Computations may call each other this deep.
const MAX_NESTING: usize = 1000;
/// Nesting up to this depth runs on the caller's stack.
const SHALLOW: usize = 16;
/// Stack for one level of nesting, with room for unoptimised code.
const STACK_PER_LEVEL: usize = 128 << 10;

/// Runs `f`, which evaluates the given computations, with enough stack for how deep they nest.
pub fn with_stack<T: Send>(
    module: &Module,
    comps: impl IntoIterator<Item = CompId>,
    f: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let mut comps = comps.into_iter().peekable();
    // Folding asks for one instruction after the other, which call nothing.
    if comps.peek().is_none() {
        return f();
    }
    let depths = nesting(module);
    let depth = comps.map(|c| depths[c.index()]).max().unwrap_or(0);
    if depth > MAX_NESTING {
        let message = format!("computations nest deeper than {MAX_NESTING} levels");
        return Err(EvalError::new(Reason::Limit, message));
    }
    if depth <= SHALLOW {
        return f();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size((depth + 8) * STACK_PER_LEVEL);
        let failed = || EvalError::new(Reason::Limit, "no thread with enough stack for the nesting");
        let handle = thread.spawn_scoped(scope, f).map_err(|_| failed())?;
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// For each computation, how many levels of calls it starts, itself included. Callees come before callers.
fn nesting(module: &Module) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(module.computations.len());
    for comp in &module.computations {
        let called = comp.instrs.iter().flat_map(|i| i.attrs.called());
        // A computation that is not before its caller would call in circles.
        let below = called.map(|c| depths.get(c.index()).copied().unwrap_or(MAX_NESTING)).max();
        depths.push(1 + below.unwrap_or(0));
    }
    depths
}

/// call, fusion, while, conditional, custom-call.
pub fn control(machine: &mut Machine, instr: &Instruction, mut operands: Vec<Value>) -> Result<Value> {
    match (instr.opcode, &instr.attrs) {
        (Opcode::Call, &Attrs::Call { to_apply: callee, .. })
        | (Opcode::Fusion, &Attrs::Fusion { calls: callee, .. }) => machine.computation(callee, operands),
        (Opcode::While, &Attrs::While { condition, body }) if operands.len() == 1 => {
            let mut state = operands.remove(0);
            loop {
                // A trip may have no instruction but parameters.
                machine.go_on()?;
                let goes_on = machine.computation(condition, vec![state.clone()])?;
                machine.charge(1)?;
                if !truth(&goes_on)? {
                    return Ok(state);
                }
                state = machine.computation(body, vec![state])?;
            }
        }
        (Opcode::Conditional, Attrs::Conditional { branches, predicated }) => {
            let chosen = operands.first().map(|index| branch(index, branches.len(), *predicated));
            match chosen.transpose()?.map(|n| (branches.get(n), n + 1)) {
                Some((Some(&comp), operand)) if operand < operands.len() => {
                    machine.computation(comp, vec![operands.swap_remove(operand)])
                }
                _ => Err(EvalError::malformed("a conditional without its branch or operand")),
            }
        }
        (Opcode::CustomCall, Attrs::CustomCall(call)) => {
            let failed = |message| EvalError::new(Reason::CustomCall, message);
            let Some(function) = machine.options.custom_calls.get(&call.target) else {
                let message = format!("no function is registered for custom-call {:?}", call.target);
                return Err(EvalError::new(Reason::Unsupported, message));
            };
            let because = |why| failed(format!("custom-call {:?} failed: {why}", call.target));
            let result = function(&operands, &instr.shape).map_err(because)?;
            if !result.shape().same(&instr.shape) {
                let target = &call.target;
                return Err(failed(format!("{target} returned {}, not {}", result.shape(), instr.shape)));
            }
            Ok(result)
        }
        (opcode, _) => Err(unsupported(opcode)),
    }
}

fn truth(value: &Value) -> Result<bool> {
    match value.as_array().filter(|x| x.elements() == 1) {
        Some(x) => Ok(x.get(0).as_i128() == Some(1)),
        None => Err(EvalError::malformed("a condition is not a scalar")),
    }
}

/// Which branch an index takes: of a pred true is the first; an index out of range takes the last.
fn branch(index: &Value, count: usize, predicated: bool) -> Result<usize> {
    if predicated {
        return Ok(!truth(index)? as usize);
    }
    match index.as_array().filter(|x| x.elements() == 1).and_then(|x| x.get(0).as_i128()) {
        Some(n) if (0..count as i128).contains(&n) => Ok(n as usize),
        Some(_) => Ok(count.saturating_sub(1)),
        None => Err(EvalError::malformed("a branch index is not an integer scalar")),
    }
}

/// Tuples, tokens, barriers.
pub fn structure(instr: &Instruction, mut operands: Vec<Value>) -> Result<Value> {
    match (instr.opcode, &instr.attrs) {
        (Opcode::Tuple, _) => Ok(Value::Tuple(operands)),
        (Opcode::GetTupleElement, &Attrs::TupleIndex(n)) => match operands.pop() {
            Some(Value::Tuple(mut parts)) if n < parts.len() => Ok(parts.swap_remove(n)),
            _ => Err(EvalError::malformed("no such tuple element")),
        },
        (Opcode::AfterAll, _) => Ok(Value::Token),
        (Opcode::OptimizationBarrier, _) if operands.len() > 1 => Ok(Value::Tuple(operands)),
        (Opcode::OptimizationBarrier | Opcode::Domain | Opcode::AddDependency, _) if !operands.is_empty() => {
            Ok(operands.swap_remove(0))
        }
        (opcode, _) => Err(unsupported(opcode)),
    }
}

/// What devices tell each other, of which there is one; and what is started, which is done at once.
pub fn communication(machine: &mut Machine, instr: &Instruction, mut operands: Vec<Value>) -> Result<Value> {
    let shapes: Vec<Shape> = operands.iter().map(Value::shape).collect();
    let shapes: Vec<&Shape> = shapes.iter().collect();
    let begun = |known: Vec<Value>| {
        let Shape::Tuple(parts) = &instr.shape else { return Value::Tuple(known) };
        let rest = parts.iter().skip(known.len()).map(zero);
        Value::Tuple(known.iter().cloned().chain(rest).collect())
    };
    match alone(machine.module, instr, &shapes) {
        None => Err(unsupported(instr.opcode)),
        Some(Alone::Operands) if operands.len() == 1 => Ok(operands.swap_remove(0)),
        Some(Alone::Operands) => Ok(Value::Tuple(operands)),
        Some(Alone::Zero) => Ok(zero(&instr.shape)),
        Some(Alone::Copied) => Ok(begun(vec![operands[0].clone(), operands[0].clone()])),
        Some(Alone::Called(computation)) => {
            let result = machine.computation(computation, operands.clone())?;
            Ok(begun(vec![Value::Tuple(operands), result]))
        }
        Some(Alone::Element(n)) => match operands.swap_remove(0) {
            Value::Tuple(mut parts) if n < parts.len() => Ok(parts.swap_remove(n)),
            _ => Err(EvalError::malformed("nothing was started")),
        },
    }
}

fn zero(shape: &Shape) -> Value {
    match shape {
        Shape::Array(a) => Value::Array(Literal::splat(a.clone(), Scalar::Unsigned(0))),
        Shape::Tuple(parts) => Value::Tuple(parts.iter().map(zero).collect()),
        _ => Value::Token,
    }
}

/// map: a scalar computation for each element.
pub fn map(machine: &mut Machine, operands: Vec<Value>, to_apply: CompId, shape: &Shape) -> Result<Value> {
    let arrays: Option<Vec<_>> = operands.iter().map(Value::as_array).collect();
    let (Some(arrays), Some(shape)) = (arrays, shape.as_array()) else {
        return Err(EvalError::malformed("an operand or the result is not an array"));
    };
    let mut function = Reducer::new(machine.module, to_apply)?;
    let n = machine.limits.elements(shape)?;
    if function.arity() != arrays.len() || arrays.iter().any(|x| x.elements() != n) {
        return Err(EvalError::malformed("operands do not match the mapped computation"));
    }
    let words = arrays.iter().map(|x| machine.load(x)).collect::<Result<Vec<_>>>()?;
    let mut out = machine.limits.words(shape)?;
    let mut args = vec![0; arrays.len()];
    for (i, out) in out.iter_mut().enumerate() {
        args.iter_mut().zip(&words).for_each(|(arg, w)| *arg = w[i]);
        function.apply(machine, &args, std::slice::from_mut(out))?;
    }
    Ok(Value::Array(machine.array(shape, &out)?))
}
