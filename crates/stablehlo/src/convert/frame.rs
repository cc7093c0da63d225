//! One computation under construction: the values it knows, and how operations add instructions.

use super::{Converter, ops, together};
use crate::error::{Error, Result};
use crate::ir::{Attr, Function, Op, Region, Type, ValueId};
use lawson_hlo::builder::Body;
use lawson_hlo::dtype::DType;
use lawson_hlo::infer::ShapeError;
use lawson_hlo::{ArrayShape, Attrs, CompId, InstrId, Literal, Opcode, Scalar, Shape, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The computation of a function or a region.
pub struct Frame<'c, 'p> {
    pub cx: &'c mut Converter<'p>,
    pub function: &'p Function,
    pub body: Body,
    known: FxHashMap<ValueId, Known>,
    /// The constants of the function: regions that use one have their own copy.
    pub constants: Rc<Constants<'p>>,
}

pub type Constants<'p> = FxHashMap<ValueId, &'p Op>;

#[derive(Clone, Copy)]
enum Known {
    Instr(InstrId),
    /// An element of a tuple; taken out when it is used.
    Element(InstrId, usize),
}

impl<'c, 'p> Frame<'c, 'p> {
    /// The computation of a function.
    pub fn of_function(cx: &'c mut Converter<'p>, function: &'p Function) -> Result<CompId> {
        let mut constants = Constants::default();
        collect_constants(&function.body, &mut constants);
        let mut frame = Frame::new(cx, function, Rc::new(constants));
        frame.parameters(&function.body.args, function.place)?;
        let results = frame.ops(&function.body)?;
        let fits = results.len() == function.results.len()
            && results
                .iter()
                .zip(&function.results)
                .all(|(&id, ty)| ty.shape().is_some_and(|s| s.same(frame.body.shape(id))));
        if !fits {
            let message = format!("function @{} returns other values than its type says", function.name);
            return Err(Error::malformed(function.place, message));
        }
        Ok(frame.finish(&function.name, results))
    }

    /// An empty one.
    pub fn new(
        cx: &'c mut Converter<'p>,
        function: &'p Function,
        constants: Rc<Constants<'p>>,
    ) -> Frame<'c, 'p> {
        Frame { cx, function, body: Body::default(), known: FxHashMap::default(), constants }
    }

    /// A parameter for each of these.
    pub fn parameters(&mut self, args: &[ValueId], place: crate::error::Place) -> Result<()> {
        for &arg in args {
            let shape = self.declared(arg).map_err(|why| Error::unsupported(place, why))?.clone();
            let n = self.body.len();
            let id = self.body.add_shaped(Opcode::Parameter, shape, &[], Attrs::Parameter(n));
            self.know(arg, id);
        }
        Ok(())
    }

    /// The operations of a region; gives what it returns.
    pub fn ops(&mut self, region: &'p Region) -> Result<Vec<InstrId>> {
        let Some((last, ops)) = region.ops.split_last() else {
            return Err(Error::malformed(self.function.place, "a region without operations"));
        };
        ops.iter().try_for_each(|op| self.op(op))?;
        if !matches!(&*last.name, "stablehlo.return" | "func.return" | "sdy.return") {
            return Err(Error::malformed(last.place, format!("a region ends with {}", last.name)));
        }
        last.operands.iter().map(|&v| self.value(last, v)).collect()
    }

    /// Adds one operation.
    fn op(&mut self, op: &'p Op) -> Result<()> {
        self.come_from(op);
        let id = ops::convert(self, op)?;
        let found: Vec<&Shape> = match (self.body.shape(id), op.results.len()) {
            (Shape::Tuple(parts), n) if n != 1 => parts.iter().collect(),
            (shape, _) => vec![shape],
        };
        if op.results.is_empty() {
            return Ok(());
        }
        let declared: Vec<&Shape> = op
            .results
            .iter()
            .map(|&r| self.declared(r))
            .collect::<std::result::Result<_, _>>()
            .map_err(|why| self.unsupported(op, why))?;
        if found.len() != declared.len() || found.iter().zip(&declared).any(|(a, b)| !a.same(b)) {
            let list =
                |shapes: &[&Shape]| shapes.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(", ");
            let message = format!("gives {}, and its type says {}", list(&found), list(&declared));
            return Err(self.wrong(op, message));
        }
        match op.results[..] {
            [one] => self.know(one, id),
            _ => {
                for (i, &result) in op.results.iter().enumerate() {
                    self.known.insert(result, Known::Element(id, i));
                }
            }
        }
        Ok(())
    }

    /// Instructions that follow come from here.
    fn come_from(&mut self, op: &Op) {
        let location = self.cx.program.locations.get(op.loc);
        (self.body.origin, self.body.notes) = self.cx.sources.operation(op.place, op.loc, location);
    }

    /// Closes the computation; several results are a tuple.
    pub fn finish(mut self, name: &str, results: Vec<InstrId>) -> CompId {
        let root = self.pack(&results);
        let computation = self.body.finish(name, root);
        self.cx.add(computation)
    }

    pub fn know(&mut self, value: ValueId, id: InstrId) {
        self.known.insert(value, Known::Instr(id));
    }

    /// The shape that the program states for a value, or why there is none.
    pub fn declared(&self, value: ValueId) -> std::result::Result<&'p Shape, String> {
        match self.function.type_of(value) {
            Type::Shape(shape) => Ok(shape),
            other => Err(format!("{other} is not supported")),
        }
    }

    /// The shape of the only result.
    pub fn result(&self, op: &Op) -> Result<&'p Shape> {
        match op.results[..] {
            [one] => self.declared(one).map_err(|why| self.unsupported(op, why)),
            _ => Err(self.wrong(op, format!("has {} results", op.results.len()))),
        }
    }

    /// The shape of all results together.
    pub fn results(&self, op: &Op) -> Result<Shape> {
        let shapes: std::result::Result<Vec<Shape>, String> =
            op.results.iter().map(|&r| self.declared(r).cloned()).collect();
        shapes.map(together).map_err(|why| self.unsupported(op, why))
    }

    /// The instruction of a value that `op` uses.
    pub fn value(&mut self, op: &Op, value: ValueId) -> Result<InstrId> {
        match self.known.get(&value) {
            Some(&Known::Instr(id)) => return Ok(id),
            Some(&Known::Element(tuple, index)) => {
                let Shape::Tuple(parts) = self.body.shape(tuple) else {
                    return Err(self.wrong(op, "uses a part of a value without parts"));
                };
                let shape = parts[index].clone();
                let attrs = Attrs::TupleIndex(index);
                let id = self.body.add_shaped(Opcode::GetTupleElement, shape, &[tuple], attrs);
                self.know(value, id);
                return Ok(id);
            }
            None => {}
        }
        let Some(&constant) = self.constants.get(&value) else {
            return Err(
                self.unsupported(op, "uses a value from outside of its region, which is not supported")
            );
        };
        let (origin, notes) = (self.body.origin.clone(), self.body.notes.clone());
        self.op(constant)?;
        (self.body.origin, self.body.notes) = (origin, notes);
        self.value(op, value)
    }

    /// The instructions of all operands.
    pub fn operands(&mut self, op: &Op) -> Result<Vec<InstrId>> {
        op.operands.iter().map(|&v| self.value(op, v)).collect()
    }

    /// The instructions of exactly so many operands.
    pub fn exactly<const N: usize>(&mut self, op: &Op) -> Result<[InstrId; N]> {
        let operands = self.operands(op)?;
        let n = operands.len();
        operands.try_into().map_err(|_| self.wrong(op, format!("has {n} operands, not {N}")))
    }

    /// The array shape of the first operand.
    pub fn first(&self, op: &Op, operands: &[InstrId]) -> Result<ArrayShape> {
        match operands.first() {
            Some(&first) => self.array(op, first),
            None => Err(self.wrong(op, "has no operands")),
        }
    }

    /// The array shape of an operand.
    pub fn array(&self, op: &Op, id: InstrId) -> Result<ArrayShape> {
        match self.body.shape(id) {
            Shape::Array(array) => Ok(array.clone()),
            other => Err(self.wrong(op, format!("needs an array, not {other}"))),
        }
    }

    /// Appends an instruction whose shape follows from its operands.
    pub fn add(&mut self, op: &Op, opcode: Opcode, operands: &[InstrId], attrs: Attrs) -> Result<InstrId> {
        let made = self.body.try_add(&self.cx.out, opcode, operands, attrs);
        made.map_err(|e| self.broken(op, e))
    }

    /// Appends an instruction of that shape.
    pub fn add_shaped(
        &mut self,
        op: &Op,
        opcode: Opcode,
        shape: Shape,
        operands: &[InstrId],
        attrs: Attrs,
    ) -> Result<InstrId> {
        let made = self.body.try_add_shaped(&self.cx.out, opcode, shape, operands, attrs);
        made.map_err(|e| self.broken(op, e))
    }

    /// Several instructions as one value: bare where there is one.
    pub fn pack(&mut self, parts: &[InstrId]) -> InstrId {
        if let [one] = parts {
            return *one;
        }
        let shape = Shape::Tuple(parts.iter().map(|&p| self.body.shape(p).clone()).collect());
        self.body.add_shaped(Opcode::Tuple, shape, parts, Attrs::None)
    }

    /// The elements of what [`Frame::pack`] made of so many.
    pub fn unpack(&mut self, op: &Op, value: InstrId, n: usize) -> Result<Vec<InstrId>> {
        if n == 1 {
            return Ok(vec![value]);
        }
        (0..n).map(|i| self.add(op, Opcode::GetTupleElement, &[value], Attrs::TupleIndex(i))).collect()
    }

    /// A constant of rank 0.
    pub fn scalar(&mut self, dtype: DType, value: Scalar) -> InstrId {
        let value = Value::Array(Literal::scalar(dtype, value));
        self.body.add_shaped(Opcode::Constant, Shape::scalar(dtype), &[], Attrs::Constant(Some(value)))
    }

    /// A number at each place of an array of these dimensions.
    pub fn filled(&mut self, dtype: DType, dims: &[i64], value: Scalar) -> InstrId {
        let scalar = self.scalar(dtype, value);
        if dims.is_empty() {
            return scalar;
        }
        let shape = Shape::array(dtype, dims);
        self.body.add_shaped(Opcode::Broadcast, shape, &[scalar], Attrs::Dims(Vec::new()))
    }

    /// An attribute that must be there, in a form that it must have.
    pub fn attr<T>(&self, op: &Op, name: &str, read: impl Fn(&Attr) -> Option<T>) -> Result<T> {
        match op.attr(name) {
            Some(attr) => {
                read(attr).ok_or_else(|| self.wrong(op, format!("has `{name}` in a form that is not known")))
            }
            None => Err(self.wrong(op, format!("has no `{name}`"))),
        }
    }

    /// The same, or `None` where it is not there.
    pub fn optional<T>(&self, op: &Op, name: &str, read: impl Fn(&Attr) -> Option<T>) -> Result<Option<T>> {
        match op.attr(name) {
            Some(Attr::Unit | Attr::Other(_)) | None => Ok(None),
            Some(_) => self.attr(op, name, read).map(Some),
        }
    }

    /// Numbers that count from zero: dimensions.
    pub fn dims(&self, op: &Op, name: &str) -> Result<Vec<usize>> {
        self.attr(op, name, indices)
    }

    pub fn optional_dims(&self, op: &Op, name: &str) -> Result<Vec<usize>> {
        Ok(self.optional(op, name, indices)?.unwrap_or_default())
    }

    /// One number that counts from zero.
    pub fn dim(&self, op: &Op, name: &str) -> Result<usize> {
        self.attr(op, name, |a| usize::try_from(a.int()?).ok())
    }

    pub fn ints(&self, op: &Op, name: &str) -> Result<Vec<i64>> {
        self.attr(op, name, Attr::ints)
    }

    /// A truth value: false where it is not there, true where it is there and says nothing.
    pub fn flag(&self, op: &Op, name: &str) -> Result<bool> {
        match op.attr(name) {
            Some(Attr::Other(_)) | None => Ok(false),
            Some(_) => self.attr(op, name, Attr::bool),
        }
    }

    /// An ill-formed operation.
    pub fn wrong(&self, op: &Op, message: impl std::fmt::Display) -> Error {
        let error = Error::malformed(op.place, format!("{} {message}", op.name));
        self.located(op, error)
    }

    /// An operation that Lawson cannot do.
    pub fn unsupported(&self, op: &Op, message: impl std::fmt::Display) -> Error {
        let error = Error::unsupported(op.place, format!("op {}: {message}", op.name));
        self.located(op, error)
    }

    fn broken(&self, op: &Op, error: ShapeError) -> Error {
        let error = Error::malformed(op.place, format!("{}: {error}", op.name));
        self.located(op, error)
    }

    pub fn located(&self, op: &Op, error: Error) -> Error {
        Error { origin: self.cx.program.locations.get(op.loc).place(), ..error }
    }
}

fn indices(attr: &Attr) -> Option<Vec<usize>> {
    attr.ints()?.into_iter().map(|i| usize::try_from(i).ok()).collect()
}

/// The constants of a region and of the regions in it.
fn collect_constants<'p>(region: &'p Region, constants: &mut Constants<'p>) {
    for op in &region.ops {
        if let ("stablehlo.constant", [result]) = (&*op.name, &op.results[..]) {
            constants.insert(*result, op);
        }
        op.regions.iter().for_each(|r| collect_constants(r, constants));
    }
}
