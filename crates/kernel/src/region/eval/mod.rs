//! Evaluates a region slowly and exactly: what its stages mean, whatever plan they get. Written to be read.
//!
//! Every element is computed by the interpreter's own functions ([`lawson_hlo::eval::scalar`]), every reduction and
//! sort in its order ([`lawson_hlo::eval::order`]): the results are the interpreter's, bit for bit. Besides values it
//! finds loads and stores outside their arrays, elements that are read before they are written or never written, and
//! run-time indices outside the range they are declared to have.
//!
//! [`memory`] holds the arrays, [`expr`] evaluates expressions at a point, [`stage`] a stage over its space, [`repeat`] the loops at a point.

mod expr;
mod memory;
mod repeat;
mod stage;

use super::{Array, Region};
use expr::Operations;
use lawson_hlo::eval::scalar::{self, Value};
use lawson_hlo::{ArrayShape, Literal};
pub use memory::Fault;
use memory::{Memory, Words};

/// The outputs of a region on its inputs, each an array of one dimension.
///
/// # Errors
/// An input that is not as declared, or one of the findings above, with the stage it is found in.
pub fn evaluate(region: &Region, inputs: &[Literal]) -> Result<Vec<Literal>, Fault> {
    if inputs.len() != region.inputs.len() {
        return Err(format!("{} inputs, not {}", inputs.len(), region.inputs.len()));
    }
    for (n, (input, array)) in inputs.iter().zip(&region.inputs).enumerate() {
        if input.dtype() != array.dtype || input.elements() as i64 != array.elements {
            return Err(format!("in{n} is {}, not {array}", input.shape()));
        }
    }
    let types = region.types.iter().chain(region.inputs.iter().chain(&region.outputs).map(|a| &a.dtype));
    if let Some(dtype) = types.copied().find(|&d| !scalar::has_values(d)) {
        return Err(format!("{dtype} is not computed with"));
    }
    if !region.parts.is_empty() {
        let mut outputs = Vec::new();
        for (n, part) in region.parts.iter().enumerate() {
            let own: Vec<Literal> = part.inputs.iter().map(|&i| inputs[i as usize].clone()).collect();
            outputs.extend(evaluate(&part.region, &own).map_err(|e| format!("part {n}: {e}"))?);
        }
        return Ok(outputs);
    }
    let mut memory = Memory::new(region, inputs);
    let operations = Operations::new(region)?;
    for (n, s) in region.stages.iter().enumerate() {
        stage::evaluate(region, &operations, n, &mut memory)
            .map_err(|e| format!("stage {n} {}: {e}", s.name))?;
    }
    let outputs = memory.outputs.iter().zip(&region.outputs).enumerate();
    outputs.map(|(n, (words, array))| literal(words, array).map_err(|e| format!("out{n}: {e}"))).collect()
}

fn literal(words: &Words, array: &Array) -> Result<Literal, Fault> {
    let written: Option<Vec<Value>> = words.iter().copied().collect();
    let written = written.ok_or("an element is never written")?;
    Ok(scalar::array(ArrayShape::new(array.dtype, [array.elements]), &written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::build::{Cut, build};
    use crate::region::{Kind, Node, NodeId, Source};
    use lawson_hlo::{DType, Module, Scalar};

    fn region() -> Region {
        let text = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(x)\n}\n";
        let module = Module::parse(text).expect("valid");
        let comp = module.entry();
        let cut = Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] };
        build(&module, "r", cut).expect("a region")
    }

    fn input(n: i64) -> Literal {
        let values = (0..n).map(|i| Scalar::Float(i as f64));
        Literal::from_scalars(ArrayShape::new(DType::F32, [n]), values)
    }

    fn fault(change: impl FnOnce(&mut Region)) -> Fault {
        let mut region = region();
        change(&mut region);
        evaluate(&region, &[input(4)]).expect_err("a fault")
    }

    #[test]
    fn a_map_has_its_values() {
        let out = evaluate(&region(), &[input(4)]).expect("values");
        let values: Vec<f64> = out[0].scalars().map(Scalar::as_f64).collect();
        assert_eq!(values, [0.0, -1.0, -2.0, -3.0]);
        assert!(evaluate(&region(), &[input(3)]).is_err() && evaluate(&region(), &[]).is_err());
    }

    #[test]
    fn what_compiled_code_would_hide_is_found() {
        let twice = |region: &mut Region| {
            for node in &mut region.nodes {
                if let Node::Load { offset, .. } = node {
                    *offset = offset.mul(2);
                }
            }
        };
        assert_eq!(fault(twice), "stage 0 y: %0 reads element 4 of 4");
        let later = |region: &mut Region| {
            for node in &mut region.nodes {
                if let Node::Load { source, .. } = node {
                    *source = Source::Stage { stage: 0, output: 0 };
                }
            }
        };
        assert_eq!(fault(later), "stage 0 y: %0 reads element 0 of 0");
        let fewer = |region: &mut Region| region.outputs[0].elements = 5;
        assert_eq!(fault(fewer), "out0: an element is never written");
        let wrong = |region: &mut Region| region.stages[0].kind = Kind::Map { values: vec![NodeId(9)] };
        assert!(fault(wrong).contains("%9"));
    }
}
