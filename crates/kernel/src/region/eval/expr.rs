//! Expressions at a point of a stage's space.

use super::memory::{Fault, Memory, Words};
use crate::region::{Function, Node, NodeId, Place, Region, Source};
use lawson_hlo::eval::EvalError;
use lawson_hlo::eval::scalar::{Value, ValueOp, ZERO, of_bits, value};
use lawson_hlo::index::{Affine, Atom};
use lawson_hlo::{Attrs, DType, Opcode};

/// The operation of each node that has one.
pub struct Operations {
    of: Vec<Option<ValueOp>>,
    /// The values of constants.
    constants: Vec<Option<Value>>,
    /// From indices, which are s64, to the types of [`Node::Index`].
    of_index: Vec<Option<ValueOp>>,
}

impl Operations {
    pub fn new(region: &Region) -> Result<Operations, Fault> {
        let (mut of, mut of_index, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for (n, (node, &dtype)) in region.nodes.iter().zip(&region.types).enumerate() {
            of.push(operation(region, node, dtype).transpose().map_err(|e| format!("%{n}: {e}"))?);
            constants.push(match node {
                Node::Constant { bits } => Some(of_bits(dtype, *bits)),
                _ => None,
            });
            let index = matches!(node, Node::Index(_)).then(|| convert(DType::S64, dtype));
            of_index.push(index.transpose().map_err(|e| format!("%{n}: {e}"))?);
        }
        Ok(Operations { of, constants, of_index })
    }
}

/// The conversion between two types.
pub fn convert(from: DType, to: DType) -> Result<ValueOp, EvalError> {
    ValueOp::new(Opcode::Convert, &Attrs::None, &[from], to)
}

fn operation(region: &Region, node: &Node, to: DType) -> Option<Result<ValueOp, EvalError>> {
    Some(match *node {
        Node::Unary { opcode, dtype, .. } => ValueOp::new(opcode, &Attrs::None, &[dtype], to),
        Node::Binary { opcode, dtype, y, .. } => {
            // The exponent of a power in a field has a type of its own.
            let second = if dtype.is_field() { region.dtype(y) } else { dtype };
            ValueOp::new(opcode, &Attrs::None, &[dtype, second], to)
        }
        Node::Compare { direction, order, dtype, .. } => {
            ValueOp::new(Opcode::Compare, &Attrs::Compare { direction, order }, &[dtype; 2], to)
        }
        Node::Select { mask, x, y } => {
            let operands = [mask, x, y].map(|id| region.dtype(id));
            ValueOp::new(Opcode::Select, &Attrs::None, &operands, to)
        }
        Node::Fma { .. } => ValueOp::fma(to),
        Node::Convert { from, .. } => convert(from, to),
        Node::Bits { from, .. } => ValueOp::new(Opcode::BitcastConvert, &Attrs::None, &[from], to),
        Node::ReducePrecision { exponent_bits, mantissa_bits, .. } => {
            let attrs = Attrs::ReducePrecision { exponent_bits, mantissa_bits };
            ValueOp::new(Opcode::ReducePrecision, &attrs, &[to], to)
        }
        Node::Constant { .. }
        | Node::Index(_)
        | Node::InRange { .. }
        | Node::Load { .. }
        | Node::Argument(_)
        | Node::Carry(_) => return None,
    })
}

/// A point of a stage with what is known there.
pub struct Point<'r> {
    pub region: &'r Region,
    operations: &'r Operations,
    /// Indices along the axes of the stage, inner ones last.
    pub at: Vec<i64>,
    /// The values of nodes, where they are known.
    values: Vec<Option<Value>>,
}

impl<'r> Point<'r> {
    pub fn new(region: &'r Region, operations: &'r Operations, axes: usize) -> Point<'r> {
        Point { region, operations, at: vec![0; axes], values: vec![None; region.nodes.len()] }
    }

    /// Moves to another point, where nothing is known; axes that are left out are at zero.
    pub fn move_to(&mut self, space: &[i64], inner: &[i64]) {
        self.at.fill(0);
        self.at.iter_mut().zip(space.iter().chain(inner)).for_each(|(at, &index)| *at = index);
        self.values.fill(None);
    }

    pub fn known(&self, id: NodeId) -> Option<Value> {
        self.values.get(id.0 as usize).copied().flatten()
    }

    pub fn set(&mut self, id: NodeId, value: Option<Value>) {
        self.values[id.0 as usize] = value;
    }

    /// The values of nodes whose operands, in this order, are known or evaluated before them.
    pub fn values(
        &mut self,
        memory: &Memory,
        order: &[NodeId],
        wanted: &[NodeId],
    ) -> Result<Vec<Value>, Fault> {
        for &id in order {
            self.evaluate(memory, id)?;
        }
        wanted.iter().map(|&id| self.value(id)).collect()
    }

    /// The results of a function.
    pub fn call(&mut self, memory: &Memory, f: &Function, arguments: &[Value]) -> Result<Vec<Value>, Fault> {
        let order = self.region.reachable(&f.results);
        for &id in &order {
            // It may have been called before.
            self.set(
                id,
                match *self.region.node(id) {
                    Node::Argument(n) => arguments.get(n as usize).copied(),
                    _ => None,
                },
            );
        }
        self.values(memory, &order, &f.results)
    }

    /// The value of a node that is known.
    pub fn value(&self, id: NodeId) -> Result<Value, Fault> {
        self.known(id).ok_or_else(|| format!("{id} is not known here"))
    }

    /// Makes a node known whose operands are.
    pub fn evaluate(&mut self, memory: &Memory, id: NodeId) -> Result<(), Fault> {
        if self.known(id).is_some() {
            return Ok(());
        }
        let n = id.0 as usize;
        let made = match (self.region.node(id), &self.operations.of[n]) {
            (Node::Constant { .. }, _) => self.operations.constants[n].unwrap_or_default(),
            (Node::Index(e), _) => {
                let index = self.index(e)?;
                match &self.operations.of_index[n] {
                    Some(converted) => converted.apply([value(index as u64), ZERO, ZERO]),
                    None => value(index as u64),
                }
            }
            (Node::InRange { value, lo, hi }, _) => {
                self::value(u64::from((*lo..*hi).contains(&self.index(value)?)))
            }
            (Node::Load { source, offset, mask }, _) => match mask.map(|m| self.value(m)).transpose()? {
                Some(ZERO) => ZERO,
                _ => self.load(memory, id, *source, offset)?,
            },
            (_, Some(operation)) => {
                let (mut arguments, mut count) = ([ZERO; 3], 0);
                let mut found = Ok(());
                self.region.operands(id, &mut |operand| match self.value(operand) {
                    Ok(word) if count < 3 => {
                        arguments[count] = word;
                        count += 1;
                    }
                    Ok(_) => {}
                    Err(e) => found = Err(e),
                });
                found?;
                operation.apply(arguments)
            }
            (_, None) => return Err(format!("{id} is not known here")),
        };
        self.set(id, Some(made));
        Ok(())
    }

    fn load(&self, memory: &Memory, id: NodeId, source: Source, offset: &Affine) -> Result<Value, Fault> {
        let array: Option<&Words> = match source {
            Source::Input(n) => memory.inputs.get(n as usize),
            Source::Stage { stage, output } => {
                memory.results.get(stage as usize).and_then(|r| r.get(output as usize))
            }
            Source::Written { place: Place::Private(n), .. } => memory.private.get(n as usize),
            Source::Written { place: Place::Output(n), .. } => memory.outputs.get(n as usize),
        };
        let array = array.ok_or_else(|| format!("{id} reads an array that is not there"))?;
        let at = self.index(offset)?;
        let element = usize::try_from(at).ok().and_then(|at| array.get(at));
        let element = element.ok_or_else(|| format!("{id} reads element {at} of {}", array.len()))?;
        element.ok_or_else(|| format!("{id} reads element {at}, which is not written yet"))
    }

    /// An index expression here.
    pub fn index(&self, e: &Affine) -> Result<i64, Fault> {
        let mut sum = e.constant as i128;
        for (atom, factor) in &e.terms {
            let term = match atom {
                Atom::Axis(a) => {
                    let axis = self.at.get(*a as usize);
                    *axis.ok_or_else(|| format!("there is no axis d{a}"))?
                }
                Atom::Symbol(s) => self.symbol(*s)?,
                Atom::Div(e, c) => self.index(e)?.div_euclid(*c),
                Atom::Mod(e, c) => self.index(e)?.rem_euclid(*c),
            };
            sum += *factor as i128 * term as i128;
        }
        i64::try_from(sum).map_err(|_| format!("the index {e} overflows"))
    }

    fn symbol(&self, s: u32) -> Result<i64, Fault> {
        let symbol = self.region.symbols.get(s as usize).ok_or_else(|| format!("there is no s{s}"))?;
        let value = self.value(symbol.node)?[0] as i64;
        let (lo, hi) = symbol.range;
        match (lo..=hi).contains(&value) {
            true => Ok(value),
            false => Err(format!("s{s} is {value}, not in {lo}..={hi}")),
        }
    }
}
