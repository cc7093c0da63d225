//! Programs made at random: operations that follow one another, each on results of those before.
//!
//! Values stay between −1 and 1 by a `tanh` now and then, so that differences stay exact.

use crate::check;
use crate::derive;
use crate::random::Random;
use lawson_frontend::Fault;
use lawson_frontend::graph::{Emit, Graph};
use lawson_hlo::attrs::{Direction, DotDims, PadDim, SliceDim, WindowDim};
use lawson_hlo::builder::Body;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Module, Opcode, Scalar, Shape};

#[test]
fn derivatives_of_programs_are_right() {
    for seed in 0..60 {
        let mut random = Random::new(1000 + seed);
        let module = program(&mut random).unwrap_or_else(|e| panic!("program {seed}: {e}"));
        let shapes = derive::parameters(&module);
        let arguments: Vec<Literal> = shapes.iter().map(|s| random.between(s, -1.0, 1.0)).collect();
        check::derivatives(&module, &arguments, 1 + usize::from(seed % 4 == 0), &mut random);
    }
}

/// A program of two arguments and ten operations, whose result is the last of them and the sum of the one before.
fn program(random: &mut Random) -> Result<Module, Fault> {
    let (mut graph, mut body) = (Graph::new(), Body::default());
    let mut e = Emit { graph: &mut graph, body: &mut body };
    let mut values =
        vec![e.parameter(0, Shape::array(DType::F64, [3, 4])), e.parameter(1, Shape::array(DType::F64, [4]))];
    for _ in 0..10 {
        let x = values[random.below(values.len())];
        let y = step(&mut e, random, &values, x)?;
        values.push(if random.below(3) == 0 { e.unary(Opcode::Tanh, y)? } else { y });
    }
    let before = values[values.len() - 2];
    let all: Vec<usize> = (0..e.array(before)?.rank()).collect();
    let sum = e.sum(before, &all)?;
    let root = e.tuple(&[values[values.len() - 1], sum])?;
    let entry = graph.close("main", body, root);
    Ok(graph.finish(entry, "program"))
}

/// An operation on `x`, and perhaps on one of the values of the same shape.
fn step(e: &mut Emit<'_>, random: &mut Random, values: &[InstrId], x: InstrId) -> Result<InstrId, Fault> {
    use Opcode::*;
    let shape = e.array(x)?.clone();
    let rank = shape.rank();
    let like: Vec<InstrId> =
        values.iter().copied().filter(|&v| e.array(v).is_ok_and(|s| s.same(&shape))).collect();
    let other = like[random.below(like.len())];
    if rank == 0 || shape.elements() == 0 {
        let dims = [3, 4];
        let x = if rank == 0 { x } else { e.sum(x, &(0..rank).collect::<Vec<_>>())? };
        return e.broadcast(x, &dims, &[]);
    }
    let dim = random.below(rank);
    let n = shape.dims[dim];
    match random.below(18) {
        0 => e.unary([Sine, Logistic, Tanh, Erf][random.below(4)], x),
        1 => e.binary([Add, Subtract, Multiply][random.below(3)], x, other),
        2 => e.binary([Maximum, Minimum][random.below(2)], x, other),
        3 => {
            let p = e.compare(Direction::Lt, x, other)?;
            let square = e.mul(x, x)?;
            e.select(p, square, other)
        }
        4 => {
            let order: Vec<usize> = (0..rank).rev().collect();
            e.transpose(x, &order)
        }
        5 => e.reshape(x, &[shape.elements()]),
        6 => e.op(Reverse, &[x], Attrs::Dims(vec![dim])),
        7 => {
            let mut ranges: Vec<SliceDim> =
                shape.dims.iter().map(|&d| SliceDim { start: 0, limit: d, stride: 1 }).collect();
            ranges[dim] = SliceDim { start: random.below(n as usize) as i64, limit: n, stride: 2 };
            e.slice(x, ranges)
        }
        8 => {
            let value = e.scalar(DType::F64, 0.5);
            let mut padding = vec![PadDim { low: 0, high: 0, interior: 0 }; rank];
            padding[dim] = PadDim { low: 1, high: -1, interior: 1 };
            e.op(Pad, &[x, value], Attrs::Pad(padding))
        }
        9 => e.op(Concatenate, &[x, other, x], Attrs::Dims(vec![dim])),
        10 => {
            let sum = e.sum(x, &[dim])?;
            let map: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
            let sums = e.broadcast(sum, &shape.dims, &map)?;
            e.mul(sums, other)
        }
        11 => e.reduce(Maximum, x, f64::NEG_INFINITY, &[dim]),
        12 => e.reduce(Multiply, x, 1.0, &[dim]),
        13 => running(e, [Add, Maximum][random.below(2)], x, dim),
        14 => {
            let to_apply = e.computation("less", |e| {
                let a = e.parameter(0, Shape::scalar(DType::F64));
                let b = e.parameter(1, Shape::scalar(DType::F64));
                e.compare(Direction::Lt, a, b)
            })?;
            e.op(Sort, &[x], Attrs::Sort { dim, is_stable: true, to_apply })
        }
        15 => {
            let contracting = vec![dim];
            let dims = DotDims {
                lhs_contracting: contracting.clone(),
                rhs_contracting: contracting,
                ..DotDims::default()
            };
            e.dot(x, other, dims)
        }
        16 => {
            let starts: Vec<InstrId> = (0..rank).map(|_| index(e, random)).collect();
            let sizes: Vec<i64> = shape.dims.iter().map(|&d| 1 + d / 2).collect();
            let read = [&[x], &starts[..]].concat();
            let slice = e.op(DynamicSlice, &read, Attrs::DynamicSlice(sizes))?;
            let starts: Vec<InstrId> = (0..rank).map(|_| index(e, random)).collect();
            e.op(DynamicUpdateSlice, &[&[other, slice], &starts[..]].concat(), Attrs::None)
        }
        _ => {
            let rows = ArrayShape::new(DType::S32, [3, 1]);
            let at = (0..3).map(|_| Scalar::Signed(random.below(4) as i64));
            let at = Literal::from_scalars(rows, at.collect::<Vec<_>>());
            let at = e.constant(at);
            let mut sizes = shape.dims.clone();
            sizes[dim] = 1;
            let dims = lawson_hlo::attrs::GatherDims {
                offset_dims: (1..rank).collect(),
                collapsed_slice_dims: vec![dim],
                start_index_map: vec![dim],
                index_vector_dim: 1,
                slice_sizes: sizes,
                ..Default::default()
            };
            e.op(Gather, &[x, at], Attrs::Gather(Box::new(dims)))
        }
    }
}

fn running(e: &mut Emit<'_>, opcode: Opcode, x: InstrId, dim: usize) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    let mut window = vec![WindowDim::of_size(1); dims.len()];
    window[dim] = WindowDim { pad_low: dims[dim] - 1, ..WindowDim::of_size(dims[dim]) };
    let init = e.scalar(DType::F64, if opcode == Opcode::Add { 0.0 } else { f64::NEG_INFINITY });
    let to_apply = e.scalar_computation(opcode, DType::F64)?;
    e.op(Opcode::ReduceWindow, &[x, init], Attrs::ReduceWindow { window, to_apply })
}

fn index(e: &mut Emit<'_>, random: &mut Random) -> InstrId {
    let at = random.below(4) as i64 - 1;
    e.constant(Literal::scalar(DType::S32, Scalar::Signed(at)))
}
