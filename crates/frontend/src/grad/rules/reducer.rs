//! What computations that combine elements do: those of reductions, windows and scatters.
//!
//! Such a computation takes n accumulators, then n elements, and gives n accumulators. The derivative of the forms that
//! occur most is known; a [`Part::Selection`] can be asked for the place of what it keeps ([`with_positions`]).

use crate::error::Fault;
use crate::fault;
use crate::graph::{Emit, Graph};
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{Attrs, CompId, Computation, DType, InstrId, Instruction, Opcode, Shape};

/// What becomes of accumulator `i` and element `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Sum,
    Product,
    Greatest,
    Least,
    /// One of the two, by a predicate of anything.
    Selection,
    /// The element.
    Second,
    Other,
}

/// The parts of a computation that combines.
pub fn parts(graph: &Graph, comp: CompId) -> Vec<Part> {
    let comp = graph.computation(comp);
    let outputs = outputs(comp);
    (0..outputs.len()).map(|i| part(comp, outputs[i], i, outputs.len())).collect()
}

fn outputs(comp: &Computation) -> Vec<InstrId> {
    match comp.root().opcode {
        Opcode::Tuple => comp.root().operands.clone(),
        _ => vec![comp.root],
    }
}

fn part(comp: &Computation, output: InstrId, i: usize, n: usize) -> Part {
    let output = &comp[plain(comp, output)];
    if output.attrs == Attrs::Parameter(n + i) {
        return Part::Second;
    }
    if output.opcode == Opcode::Select && taken(comp, output, 1, i, n).is_some() {
        return Part::Selection;
    }
    match (output.opcode, taken(comp, output, 0, i, n)) {
        (Opcode::Add, Some(_)) => Part::Sum,
        (Opcode::Multiply, Some(_)) => Part::Product,
        (Opcode::Maximum, Some(_)) => Part::Greatest,
        (Opcode::Minimum, Some(_)) => Part::Least,
        _ => Part::Other,
    }
}

/// Whether two operands, from number `first` on, are accumulator and element `i`: in this order, or the other way round.
fn taken(comp: &Computation, instr: &Instruction, first: usize, i: usize, n: usize) -> Option<bool> {
    let &[a, b] = instr.operands.get(first..)? else { return None };
    let number = |id| match comp[plain(comp, id)].attrs {
        Attrs::Parameter(number) => Some(number),
        _ => None,
    };
    match (number(a)?, number(b)?) {
        (a, b) if (a, b) == (i, n + i) => Some(true),
        (a, b) if (a, b) == (n + i, i) => Some(false),
        _ => None,
    }
}

/// Behind conversions between floats.
fn plain(comp: &Computation, mut id: InstrId) -> InstrId {
    let float = |id: InstrId| comp[id].shape.as_array().is_some_and(|s| s.dtype.is_float());
    while comp[id].opcode == Opcode::Convert && float(id) && float(comp[id].operands[0]) {
        id = comp[id].operands[0];
    }
    id
}

/// The computation with one more accumulator of integers for each of these outputs: where the element came from that
/// the output keeps.
///
/// # Errors
/// An output that is not kept as it is.
pub fn with_positions(e: &mut Emit<'_>, comp: CompId, of: &[usize], dtype: DType) -> Result<CompId, Fault> {
    let old = e.graph.computation(comp).clone();
    let outputs = outputs(&old);
    let (n, k) = (outputs.len(), of.len());
    let shapes: Vec<Shape> = old.parameter_shapes().into_iter().cloned().collect();
    e.computation("select", |e| {
        let mut parameters = Vec::new();
        for half in [&shapes[..n], &shapes[n..]] {
            for shape in half.iter().cloned().chain(std::iter::repeat_n(Shape::scalar(dtype), k)) {
                parameters.push(e.parameter(parameters.len(), shape));
            }
        }
        let (before, after) = parameters.split_at(n + k);
        let arguments = [&before[..n], &after[..n]].concat();
        let mut map: Vec<InstrId> = Vec::new();
        for instr in &old.instrs {
            let operands: Vec<InstrId> = instr.operands.iter().map(|o| map[o.index()]).collect();
            map.push(match instr.attrs {
                Attrs::Parameter(number) => arguments[number],
                _ => e.again(instr, &operands),
            });
        }
        let mut results: Vec<InstrId> = outputs.iter().map(|o| map[o.index()]).collect();
        for (number, &i) in of.iter().enumerate() {
            let output = &old[plain(&old, outputs[i])];
            let (stays, in_order) = match (output.opcode, part(&old, outputs[i], i, n)) {
                (Opcode::Select, Part::Selection) => {
                    (map[output.operands[0].index()], taken(&old, output, 1, i, n) == Some(true))
                }
                (_, Part::Greatest) => (wins(e, Direction::Ge, before[i], after[i])?, true),
                (_, Part::Least) => (wins(e, Direction::Le, before[i], after[i])?, true),
                _ => return fault!("{} keeps no element as it is", old.name),
            };
            let (a, b) = (before[n + number], after[n + number]);
            results.push(if in_order { e.select(stays, a, b)? } else { e.select(stays, b, a)? });
        }
        e.tuple(&results)
    })
}

fn wins(e: &mut Emit<'_>, direction: Direction, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
    let (to, from) = (e.dtype(a)?, e.dtype(b)?);
    let wide = if to.bits() >= from.bits() { to } else { from };
    let (a, b) = (e.convert(a, wide)?, e.convert(b, wide)?);
    e.compare(direction, a, b)
}

/// A computation on pairs of element and position, which keeps what `select` says of the elements; a negative position
/// is no element, and never kept.
pub fn comparator_positions(
    e: &mut Emit<'_>,
    select: CompId,
    of: DType,
    dtype: DType,
) -> Result<CompId, Fault> {
    e.computation("select", |e| {
        let shapes = [of, dtype, of, dtype];
        let parameters: Vec<InstrId> =
            shapes.iter().enumerate().map(|(n, &d)| e.parameter(n, Shape::scalar(d))).collect();
        let &[x, at, y, to] = &parameters[..] else { unreachable!("four parameters") };
        let kept = e.inline(select, &[x, y]);
        let zero = e.scalar(dtype, 0.0);
        let order = CompareOrder::Default;
        let there = e.op(Opcode::Compare, &[at, zero], Attrs::Compare { direction: Direction::Ge, order })?;
        let kept = e.binary(Opcode::And, kept, there)?;
        let (element, position) = (e.select(kept, x, y)?, e.select(kept, at, to)?);
        e.tuple(&[element, position])
    })
}

/// The computation of this form on two scalars of a type.
pub fn comparison(e: &mut Emit<'_>, direction: Direction, dtype: DType) -> Result<CompId, Fault> {
    e.computation("compare", |e| {
        let a = e.parameter(0, Shape::scalar(dtype));
        let b = e.parameter(1, Shape::scalar(dtype));
        e.compare(direction, a, b)
    })
}
