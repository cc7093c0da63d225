//! Random programs: batched once and twice, they give what a loop over the examples gives.

use crate::examples::{compare, masks, together};
use crate::random::Random;
use lawson_frontend::graph::{Emit, Graph};
use lawson_frontend::{Fault, vmap};
use lawson_hlo::attrs::{Direction, DotDims, PadDim, SliceDim};
use lawson_hlo::builder::Body;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Module, Opcode, Shape};

const PROGRAMS: u64 = 60;
const STEPS: usize = 12;

#[test]
fn programs_are_batched_rightly() {
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        let (module, parameters) = program(&mut random);
        let mut example = || -> Vec<Literal> {
            parameters
                .iter()
                .map(|dims| random.between(&ArrayShape::new(DType::F64, &dims[..]), -1.0, 1.0))
                .collect()
        };
        let examples: Vec<Vec<Literal>> = (0..3).map(|_| example()).collect();
        let others: Vec<Vec<Literal>> = (0..3).map(|_| example()).collect();
        for mask in masks(parameters.len()) {
            compare(&module, &examples, &mask);
            let axes: Vec<Option<usize>> = mask.iter().map(|&of| of.then_some(0)).collect();
            let inner = vmap::module(&module, 3, &axes).unwrap_or_else(|e| panic!("{e}\n{module}"));
            let outer = [together(&examples, &mask), together(&others, &mask)];
            compare(&inner, &outer, &vec![true; parameters.len()]);
        }
    }
}

/// A module of a few operations one on the other, with the dimensions of its parameters.
fn program(random: &mut Random) -> (Module, Vec<Vec<i64>>) {
    let dims: Vec<Vec<i64>> = (0..3).map(|_| some_dims(random)).collect();
    let (mut graph, mut body) = (Graph::new(), Body::default());
    let mut e = Emit { graph: &mut graph, body: &mut body };
    let mut values: Vec<InstrId> = Vec::new();
    for (n, dims) in dims.iter().enumerate() {
        values.push(e.parameter(n, Shape::array(DType::F64, &dims[..])));
    }
    while values.len() < dims.len() + STEPS {
        let made = step(&mut e, &values, random).unwrap_or_else(|e| panic!("{e}"));
        values.push(made);
    }
    let last = values[values.len() - 3..].to_vec();
    let root = e.tuple(&last).unwrap_or_else(|e| panic!("{e}"));
    let entry = graph.close("main", body, root);
    (graph.finish(entry, "random"), dims)
}

fn some_dims(random: &mut Random) -> Vec<i64> {
    (0..random.below(4)).map(|_| 1 + random.below(3) as i64).collect()
}

fn step(e: &mut Emit<'_>, values: &[InstrId], random: &mut Random) -> Result<InstrId, Fault> {
    let mut pick = || values[random.below(values.len())];
    let (x, y) = (pick(), pick());
    let dims = e.dims(x)?;
    let rank = dims.len();
    match random.below(12) {
        0 => e.unary([Opcode::Sine, Opcode::Tanh, Opcode::Negate][random.below(3)], x),
        1 => {
            let y = like(e, y, &dims)?;
            e.binary([Opcode::Add, Opcode::Multiply, Opcode::Maximum][random.below(3)], x, y)
        }
        2 => {
            let mut order: Vec<usize> = (0..rank).collect();
            (1..rank).for_each(|i| order.swap(i, random.below(i + 1)));
            e.transpose(x, &order)
        }
        3 => e.reshape(x, &[dims.iter().product()]),
        4 => {
            let of: Vec<usize> = (0..rank).filter(|_| random.below(2) == 0).collect();
            e.sum(x, &of)
        }
        5 => {
            let range = |&n: &i64| SliceDim { start: i64::from(n > 1), limit: n, stride: 1 };
            e.slice(x, dims.iter().map(range).collect())
        }
        6 => {
            let value = scalar(e, y)?;
            let pad = PadDim { low: 1, high: -1, interior: 1 };
            e.op(Opcode::Pad, &[x, value], Attrs::Pad(vec![pad; rank]))
        }
        7 => {
            let y = like(e, y, &dims)?;
            if rank == 0 {
                e.add(x, y)
            } else {
                e.op(Opcode::Concatenate, &[x, y], Attrs::Dims(vec![rank - 1]))
            }
        }
        8 => {
            let (a, b) = (scalar(e, x)?, scalar(e, y)?);
            let less = e.compare(Direction::Lt, a, b)?;
            let y = like(e, y, &dims)?;
            e.select(less, x, y)
        }
        9 => {
            let (rows, y) = (e.reshape(x, &[dims.iter().product()])?, like(e, y, &[])?);
            let columns = e.broadcast(y, &[e.dims(rows)?[0], 2], &[])?;
            let contracting =
                DotDims { lhs_contracting: vec![0], rhs_contracting: vec![0], ..DotDims::default() };
            e.dot(rows, columns, contracting)
        }
        10 => {
            let start = index(e, y)?;
            let sizes: Vec<i64> = dims.iter().map(|&n| (n - 1).max(1)).collect();
            let operands: Vec<InstrId> = [x].into_iter().chain(std::iter::repeat_n(start, rank)).collect();
            e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes))
        }
        _ => {
            let start = index(e, y)?;
            let update = e.sum(x, &(0..rank).collect::<Vec<_>>())?;
            let update = e.broadcast(update, &vec![1; rank], &[])?;
            let operands: Vec<InstrId> =
                [x, update].into_iter().chain(std::iter::repeat_n(start, rank)).collect();
            e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
        }
    }
}

/// The mean size of a value.
fn scalar(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let all: Vec<usize> = (0..e.dims(x)?.len()).collect();
    let sum = e.sum(x, &all)?;
    e.unary(Opcode::Tanh, sum)
}

/// An array of those dimensions made of a value.
fn like(e: &mut Emit<'_>, x: InstrId, dims: &[i64]) -> Result<InstrId, Fault> {
    if e.dims(x)? == dims {
        return Ok(x);
    }
    let x = scalar(e, x)?;
    if dims.is_empty() { Ok(x) } else { e.broadcast(x, dims, &[]) }
}

/// A small index made of a value.
fn index(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let x = scalar(e, x)?;
    let two = e.scalar(DType::F64, 2.5);
    let x = e.mul(x, two)?;
    e.convert(x, DType::S32)
}
