//! The least that a kernel can cost, of bodies that compute elements at one point each: without a region or a plan.
//!
//! Such a body reads each of its arrays once and evaluates each operation that depends on one at every point; what is the
//! same at all points is evaluated once, which counts nothing here. What it may cost more (values put aside, conversions,
//! idle lanes) only a plan knows.

use super::body::Body;
use super::host::Host;
use crate::options::Options;
use lawson_hlo::literal::Value;
use lawson_hlo::opcode::Class;
use lawson_hlo::{ArrayShape, Attrs, DType, Module, Opcode};
use lawson_kernel::cost::Cost;

/// How deep two expressions are compared.
const MAX_DEPTH: usize = 4;

/// A cost that no plan of the body is below, with the bytes of all plans; `None` where that is not plain to see.
pub fn least(body: &Body, module: &Module, host: &Host<'_>, options: &Options) -> Option<Cost> {
    let rates = &options.target.rates;
    let shapes: Option<Vec<&ArrayShape>> = body.shapes(module, host).collect();
    let (shapes, outputs) = (shapes?, body.results());
    let points = shapes[*outputs.first()? as usize];
    if !outputs.iter().all(|&o| shapes[o as usize].same_dims(points)) {
        return None;
    }
    let mut varies = vec![false; shapes.len()];
    for line in 0..shapes.len() {
        let is_array = body.operation(line, module, host).0 == Opcode::Parameter && !shapes[line].is_scalar();
        varies[line] = is_array || body.operands_of(line).iter().any(|&o| varies[o as usize]);
    }
    let mut needed = vec![false; shapes.len()];
    outputs.iter().for_each(|&o| needed[o as usize] = true);
    let bytes_written = outputs.iter().map(|&o| shapes[o as usize].bytes()).sum();
    let (mut bytes_read, mut weight) = (0, 0);
    for line in (0..shapes.len()).rev() {
        if !needed[line] {
            continue;
        }
        let (opcode, attrs) = body.operation(line, module, host);
        let shape = shapes[line];
        let at_points = shape.same_dims(points);
        if !at_points && !shape.is_scalar() {
            return None;
        }
        let operands = body.operands_of(line);
        match (opcode.class(), opcode) {
            (_, Opcode::Parameter) if at_points => {
                bytes_read += shape.bytes();
                weight += rates.load;
            }
            (_, Opcode::Parameter) => bytes_read += shape.bytes(),
            (_, Opcode::Constant) => match attrs {
                Attrs::Constant(Some(Value::Array(l))) if l.splat_value().is_some() => {}
                _ => return None,
            },
            (Class::Unary | Class::Binary, _) => {
                let of = shapes[*operands.first()? as usize];
                // Results that are exact in a narrow float are not rounded.
                let narrow = of.dtype.is_float() && of.dtype.size() < DType::F32.size();
                let dtype = if narrow { DType::F32 } else { of.dtype };
                weight += if at_points && varies[line] { rates.least(opcode, dtype) } else { 0 };
            }
            // A region chooses nothing between two equal values, and does not read by what.
            (_, Opcode::Select)
                if may_be_equal(body, (module, host), [operands[1], operands[2]], MAX_DEPTH) =>
            {
                return None;
            }
            (_, Opcode::Compare | Opcode::Select | Opcode::Clamp | Opcode::Convert | Opcode::Copy) => {}
            (_, Opcode::Broadcast) if shapes[operands[0] as usize].is_scalar() => {}
            _ => return None,
        }
        operands.iter().for_each(|&o| needed[o as usize] = true);
    }
    let points = points.elements();
    Some(Cost {
        bytes_read,
        bytes_written,
        work: points.saturating_mul(weight) as f64,
        points,
        ..Cost::default()
    })
}

/// Whether a region may compute the same value for two lines: equal lines are one already, so that such differ in what
/// moves or converts nothing.
fn may_be_equal(body: &Body, at: (&Module, &Host<'_>), lines: [u32; 2], depth: usize) -> bool {
    let operation = |line: u32| body.operation(line as usize, at.0, at.1).0;
    let quiet = |line: u32| matches!(operation(line), Opcode::Broadcast | Opcode::Convert | Opcode::Copy);
    let [x, y] = lines.map(|mut line| {
        while quiet(line) {
            line = body.operands_of(line as usize)[0];
        }
        line
    });
    match (operation(x), operation(y)) {
        _ if x == y || depth == 0 => true,
        (Opcode::Parameter, Opcode::Parameter) => false,
        // Written as a maximum and a minimum.
        (Opcode::Clamp, _) | (_, Opcode::Clamp) => true,
        (a, b) if a != b => false,
        _ => {
            let (xs, ys) = (body.operands_of(x as usize), body.operands_of(y as usize));
            xs.iter().zip(ys).all(|(&x, &y)| may_be_equal(body, at, [x, y], depth - 1))
        }
    }
}
