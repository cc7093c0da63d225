//! `scan` becomes a `while` that reads one slice of the inputs and writes one slice of the outputs each time.
//!
//! ```text
//! s = (f32[8,4], f32[4]) scan(x, init), dimensions={0}, to_apply=f, num_carries=1
//! →
//! t = (s32[], f32[8,4], f32[8,4], f32[4]) tuple(zero, x, zeros, init)
//! w = (s32[], f32[8,4], f32[8,4], f32[4]) while(t), condition=scan_condition, body=scan_body
//! s = (f32[8,4], f32[4]) tuple(w#2, w#3)
//! ```
//!
//! The state is the counter, the inputs, the outputs so far, and the carries. A reversed scan walks from the
//! last slice to the first.

use super::{Expander, Purpose};
use crate::inline::inline_body;
use crate::make;
use crate::rebuild::Rebuild;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Shape,
};

pub const EXPANDER: Expander = Expander { name: "scan", purpose: Purpose::Support, applies, helpers, expand };

fn applies(_: &Module, _: &Computation, instr: &Instruction) -> bool {
    instr.opcode == Opcode::Scan
}

/// What both halves of the expansion need to know of a scan.
struct Facts {
    dim: usize,
    trips: i64,
    is_reverse: bool,
    to_apply: CompId,
    inputs: Vec<ArrayShape>,
    outputs: Vec<ArrayShape>,
    carries: Vec<ArrayShape>,
}

impl Facts {
    fn new(instr: &Instruction, operand_shapes: Vec<ArrayShape>) -> Facts {
        let Attrs::Scan { dim, to_apply, num_carries, is_reverse, .. } = instr.attrs else {
            unreachable!("checked by applies")
        };
        let mut inputs = operand_shapes;
        let carries = inputs.split_off(inputs.len() - num_carries);
        let mut outputs: Vec<ArrayShape> = instr.shape.leaves().into_iter().cloned().collect();
        outputs.truncate(outputs.len() - num_carries);
        Facts { dim, trips: inputs[0].dims[dim], is_reverse, to_apply, inputs, outputs, carries }
    }

    fn state(&self) -> Shape {
        let arrays = self.inputs.iter().chain(&self.outputs).chain(&self.carries);
        let counter = ArrayShape::new(DType::S32, []);
        Shape::Tuple(std::iter::once(&counter).chain(arrays).cloned().map(Shape::Array).collect())
    }
}

fn helpers(new: &mut Rebuild<'_>, comp: &Computation, instr: &Instruction) -> Vec<CompId> {
    let shapes = instr.operands.iter().map(|&o| comp[o].shape.expect_array().clone()).collect();
    let facts = Facts::new(instr, shapes);
    let condition = condition(new.module, instr, &facts);
    let body = body(new.module, instr, &facts);
    vec![new.add(condition), new.add(body)]
}

fn condition(module: &Module, instr: &Instruction, facts: &Facts) -> Computation {
    let mut b = Builder::new(module);
    b.origin = instr.origin.clone();
    let state = make::parameter(&mut b, 0, facts.state());
    let counter = make::element(&mut b, state, 0);
    let trips = make::scalar(&mut b, DType::S32, facts.trips);
    let root = make::compare(&mut b, Direction::Lt, counter, trips);
    b.finish("scan_condition", root)
}

fn body(module: &Module, instr: &Instruction, facts: &Facts) -> Computation {
    let mut b = Builder::new(module);
    b.origin = instr.origin.clone();
    let b = &mut b;
    let state = make::parameter(b, 0, facts.state());
    let state = make::elements(b, state);
    let (counter, arrays) = (state[0], &state[1..]);
    let (inputs, rest) = arrays.split_at(facts.inputs.len());
    let (outputs, carries) = rest.split_at(facts.outputs.len());
    let position = match facts.is_reverse {
        true => {
            let last = make::scalar(b, DType::S32, facts.trips - 1);
            b.binary(Opcode::Subtract, last, counter)
        }
        false => counter,
    };
    let mut arguments: Vec<InstrId> = inputs.iter().map(|&x| read(b, x, facts.dim, position)).collect();
    arguments.extend(carries);
    let result = inline_body(b, &module[facts.to_apply], &arguments);
    let results = make::one_or_elements(b, result);
    let one = make::scalar(b, DType::S32, 1);
    let mut next = vec![b.binary(Opcode::Add, counter, one)];
    next.extend(inputs);
    for (&output, &slice) in outputs.iter().zip(&results) {
        next.push(write(b, output, slice, facts.dim, position));
    }
    next.extend(&results[outputs.len()..]);
    let root = make::tuple(b, &next);
    std::mem::replace(b, Builder::new(module)).finish("scan_body", root)
}

/// The slice of `x` at `position`, without the scanned dimension.
fn read(b: &mut Builder<'_>, x: InstrId, dim: usize, position: InstrId) -> InstrId {
    let mut sizes = b.array(x).dims.clone();
    sizes[dim] = 1;
    let mut operands = vec![x];
    operands.extend(starts(b, sizes.len(), dim, position));
    let slice = b.add(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes.clone()));
    sizes.remove(dim);
    b.reshape(slice, &sizes)
}

fn write(b: &mut Builder<'_>, whole: InstrId, slice: InstrId, dim: usize, position: InstrId) -> InstrId {
    let mut dims = b.array(slice).dims.clone();
    dims.insert(dim, 1);
    let update = b.reshape(slice, &dims);
    let mut operands = vec![whole, update];
    operands.extend(starts(b, dims.len(), dim, position));
    b.add(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
}

fn starts(b: &mut Builder<'_>, rank: usize, dim: usize, position: InstrId) -> Vec<InstrId> {
    (0..rank).map(|d| if d == dim { position } else { make::scalar(b, DType::S32, 0) }).collect()
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], helpers: &[CompId]) -> InstrId {
    let facts = Facts::new(instr, operands.iter().map(|&o| b.array(o).clone()).collect());
    let (inputs, carries) = operands.split_at(facts.inputs.len());
    let mut init = vec![make::scalar(b, DType::S32, 0)];
    init.extend(inputs);
    for output in &facts.outputs {
        init.push(make::splat(b, output, 0));
    }
    init.extend(carries);
    let init = make::tuple(b, &init);
    let attrs = Attrs::While { condition: helpers[0], body: helpers[1] };
    let done = b.add(Opcode::While, &[init], attrs);
    make::set_trip_count(b, done, facts.trips);
    let first = 1 + inputs.len();
    let results: Vec<InstrId> =
        (first..first + facts.outputs.len() + carries.len()).map(|i| make::element(b, done, i)).collect();
    match instr.shape {
        Shape::Tuple(_) => make::tuple(b, &results),
        _ => results[0],
    }
}
