//! What reads, verifies and prints, but has no meaning on any device of Lawson. Each refusal names its cause.
//!
//! Custom calls are left to the caller, who knows which functions are registered.

use super::{Fault, Faults, Place};
use crate::alone::alone;
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::instruction::Instruction;
use crate::math::composite;
use crate::module::{Computation, Module};
use crate::opcode::{Class, Opcode};
use crate::shape::Shape;

/// Checks every instruction that the entry can reach, in a verified module.
pub fn supported(module: &Module) -> Result<(), Vec<Fault>> {
    let mut faults = Faults::new(module);
    let reached = reachable(module);
    for (id, comp) in module.iter().filter(|(id, _)| reached[id.index()]) {
        for instr in &comp.instrs {
            if let Some(message) = refusal(module, comp, instr) {
                faults.at(Place { id, comp }, instr, message);
            }
        }
    }
    faults.into_result()
}

/// Which computations the entry calls, directly or not. Callees have smaller numbers, so one walk down is enough.
fn reachable(module: &Module) -> Vec<bool> {
    let mut reached = vec![false; module.computations.len()];
    if let Some(entry) = reached.get_mut(module.entry.index()) {
        *entry = true;
    }
    for (id, comp) in module.iter().rev() {
        if reached[id.index()] {
            for callee in comp.instrs.iter().flat_map(|i| i.attrs.called()) {
                reached[callee.index()] = true;
            }
        }
    }
    reached
}

/// Why an instruction cannot run, if it cannot.
fn refusal(module: &Module, comp: &Computation, instr: &Instruction) -> Option<String> {
    if instr.opcode.class() == Class::Communication {
        let operands: Vec<&Shape> = instr.operands.iter().map(|&o| &comp[o].shape).collect();
        if alone(module, instr, &operands).is_none() {
            return Some(format!(
                "`{}` is not supported between several devices or with the host",
                instr.opcode
            ));
        }
    } else if !runs(instr.opcode) {
        return Some(format!("`{}` is not supported", instr.opcode));
    }
    if instr.attrs == Attrs::Constant(None) {
        return Some("a constant whose value the text left out ({...}) cannot run".into());
    }
    if let Some(part) = unsupported_part(&instr.shape) {
        return Some(format!("{part} is not supported: `{}` gives {}", instr.opcode, instr.shape));
    }
    if let Some(dtype) = composite_without_meaning(comp, instr) {
        return Some(format!("`{}` of elements of type {dtype} is not supported", instr.opcode));
    }
    if casts_pred(comp, instr) {
        return Some(format!("`{}` between pred and another type is not supported", instr.opcode));
    }
    mixed_precision(module, comp, instr)
}

/// The bits of a pred other than 0 and 1 have no meaning, so nothing is cast to or from it.
fn casts_pred(comp: &Computation, instr: &Instruction) -> bool {
    if !matches!(instr.opcode, Opcode::Bitcast | Opcode::BitcastConvert) {
        return false;
    }
    let is_pred = |s: &Shape| s.as_array().is_some_and(|a| a.dtype.is_pred());
    instr.operands.iter().any(|&o| is_pred(&comp[o].shape) != is_pred(&instr.shape))
}

/// Whether an operation has a meaning on Lawson's devices, leaving element types and the number of devices aside.
pub fn runs(opcode: Opcode) -> bool {
    use Opcode::*;
    let without_meaning = matches!(
        opcode,
        DynamicReshape
            | RaggedDot
            | Rng
            | RngGetAndUpdateState
            | ScaledDot
            | SetDimensionSize
            | StochasticConvert
    );
    !without_meaning
}

/// The composite type that an operation takes or gives without having a meaning on it.
fn composite_without_meaning(comp: &Computation, instr: &Instruction) -> Option<DType> {
    let operands = || instr.operands.iter().map(|&o| &comp[o].shape);
    let mut arrays = operands().chain([&instr.shape]).flat_map(Shape::leaves);
    let composite = arrays.find(|a| a.dtype.composite().is_some())?.dtype;
    let defined = match instr.opcode.class() {
        Class::Structure | Class::Communication | Class::Control => true,
        // Casts may not look into an element.
        Class::Movement => {
            let cast = matches!(instr.opcode, Opcode::Bitcast | Opcode::BitcastConvert);
            let dtype = |s: &Shape| s.as_array().map(|a| a.dtype);
            // The parts of an element of a field are a last dimension for casts.
            let others = || operands().chain([&instr.shape]).filter_map(dtype);
            let words = others().any(|d| d.wide_field().is_some()) && others().any(DType::is_split);
            let coefficients = instr.opcode == Opcode::BitcastConvert && composite.is_field() && !words;
            !cast || coefficients || operands().all(|o| dtype(o) == dtype(&instr.shape))
        }
        Class::Source => matches!(instr.opcode, Opcode::Constant | Opcode::Iota),
        Class::Reduction => {
            use Opcode::*;
            matches!(instr.opcode, Reduce | ReduceWindow | Scan | Scatter | Sort)
                || matches!(instr.opcode, Dot | Ntt) && composite.is_field()
                || matches!(instr.opcode, Dot | Convolution) && composite.is_complex()
        }
        Class::Unary | Class::Binary | Class::Elementwise => {
            let types: Option<Vec<DType>> = operands().map(|s| Some(s.as_array()?.dtype)).collect();
            let result = instr.shape.as_array().map(|a| a.dtype);
            types.zip(result).is_some_and(|(types, result)| {
                composite::has_meaning(instr.opcode, &instr.attrs, &types, result)
            })
        }
        Class::Library => composite.is_complex(),
    };
    (!defined).then_some(composite)
}

/// The name of something in the shape that no device has.
fn unsupported_part(shape: &Shape) -> Option<String> {
    match shape {
        Shape::Array(a) if a.is_dynamic() => Some("a dynamic dimension".into()),
        Shape::Array(_) | Shape::Token => None,
        Shape::Tuple(parts) => parts.iter().find_map(unsupported_part),
        Shape::Opaque => Some("an opaque value".into()),
        Shape::Buffer(_) => Some("a mutable buffer".into()),
    }
}

/// Reducers over operands of other float types than they take: well formed, but no device converts on the way.
fn mixed_precision(module: &Module, comp: &Computation, instr: &Instruction) -> Option<String> {
    use Opcode::*;
    let dtype = |s: &Shape| s.as_array().map(|a| a.dtype);
    let operand = |n: usize| instr.operands.get(n).and_then(|&o| dtype(&comp[o].shape));
    let n = instr.operands.len() / 2;
    let pairs: Vec<(Option<DType>, Option<DType>)> = match instr.opcode {
        Reduce | ReduceWindow | Scatter | SelectAndScatter => {
            let reducer = match &instr.attrs {
                Attrs::SelectAndScatter { scatter, .. } => Some(*scatter),
                attrs => attrs.called().first().copied(),
            }?;
            let params = module[reducer].parameter_shapes();
            let takes = |i: usize| params.get(i).and_then(|s| dtype(s));
            match instr.opcode {
                Scatter => (0..n)
                    .flat_map(|i| [(operand(i), takes(i)), (operand(n + 1 + i), takes(n + i))])
                    .collect(),
                SelectAndScatter => vec![(operand(2), takes(0)), (operand(1), takes(1))],
                _ => (0..n).flat_map(|i| [(operand(n + i), takes(i)), (operand(i), takes(n + i))]).collect(),
            }
        }
        _ => return None,
    };
    let (a, b) = pairs.into_iter().find(|(a, b)| a != b)?;
    let name = |d: Option<DType>| d.map_or("?", DType::name);
    Some(format!(
        "`{}` mixes {} and {}, which is not supported: convert first",
        instr.opcode,
        name(a),
        name(b)
    ))
}
