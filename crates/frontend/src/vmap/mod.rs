//! Batching: a computation for one example becomes one for many, by a rule for each opcode ([`rules`]).
//!
//! A value either is the same for all examples, or has one element of its first dimension for each: the batch dimension
//! is always the first. What depends on no batched value is computed once. Which values are batched is known before anything
//! is made ([`flags`]), so that the states of loops and the results of branches have their shapes.

mod api;
mod axes;
mod flags;
mod paths;
pub mod rules;
mod text;

pub use crate::error::ModuleError;
pub(crate) use api::batched;
pub use api::{vmap, vmap_axes};
pub use axes::BatchAxes;
pub use flags::Batched;
pub use text::module;

use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::graph::marks;
use flags::{Carries, Flags};
use lawson_hlo::instruction::Notes;
use lawson_hlo::opcode::Class;
use lawson_hlo::{ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Opcode, Origin, Shape};
use rules::Batching;
use std::sync::Arc;

/// Makes batched values.
pub struct Batcher<'a, 'g> {
    /// Where values are made.
    pub emit: &'a mut Emit<'g>,
    /// The number of examples.
    pub size: i64,
    /// Whether derivatives may be taken of what is made.
    pub differentiable: bool,
    flags: Flags,
    /// Where the instruction comes from at which an error happened.
    failed: Option<Origin>,
}

impl<'a, 'g> Batcher<'a, 'g> {
    /// For that many examples.
    pub fn new(emit: &'a mut Emit<'g>, size: i64) -> Batcher<'a, 'g> {
        Batcher { emit, size, differentiable: true, flags: Flags::default(), failed: None }
    }

    /// The instructions of a computation on these arguments, for all examples; gives its root.
    ///
    /// # Errors
    /// An operation that cannot be batched.
    pub fn inline(
        &mut self,
        comp: CompId,
        arguments: &[InstrId],
        batched: &[Batched],
    ) -> Result<(InstrId, Batched), Fault> {
        let comp = self.emit.graph.computation(comp).clone();
        self.walk(&comp, comp.instrs.len(), comp.root, arguments, batched)
    }

    /// The first so many instructions; gives one of them.
    fn walk(
        &mut self,
        comp: &Computation,
        count: usize,
        wanted: InstrId,
        arguments: &[InstrId],
        batched: &[Batched],
    ) -> Result<(InstrId, Batched), Fault> {
        let mut values: Vec<InstrId> = Vec::with_capacity(comp.instrs.len());
        let mut flags: Vec<Batched> = Vec::with_capacity(comp.instrs.len());
        let outer = self.emit.body.origin.clone();
        for instr in &comp.instrs[..count] {
            self.emit.body.origin = instr.origin.clone();
            let operands: Vec<InstrId> = instr.operands.iter().map(|o| values[o.index()]).collect();
            let (value, flag) = match instr.attrs {
                Attrs::Parameter(n) => (arguments[n], batched[n].clone()),
                _ => {
                    let of: Vec<Batched> = instr.operands.iter().map(|o| flags[o.index()].clone()).collect();
                    let shapes = instr.operands.iter().map(|&o| &comp[o].shape).chain([&instr.shape]);
                    let made =
                        if of.iter().all(Batched::is_no) { Ok(()) } else { plain_memory(instr, shapes) };
                    let made = made.and_then(|()| self.instruction(instr, &operands, &of));
                    if made.is_err() {
                        self.failed.get_or_insert_with(|| instr.origin.clone());
                    }
                    made?
                }
            };
            values.push(value);
            flags.push(flag);
        }
        self.emit.body.origin = outer;
        Ok((values[wanted.index()], flags[wanted.index()].clone()))
    }

    fn instruction(
        &mut self,
        instr: &Instruction,
        operands: &[InstrId],
        batched: &[Batched],
    ) -> Result<(InstrId, Batched), Fault> {
        if let Some(why) = rules::effect(self.emit.graph.module(), instr, batched) {
            return fault!("`{}` cannot be batched: {why}", instr.opcode);
        }
        let structural = matches!(instr.opcode, Opcode::Tuple | Opcode::GetTupleElement);
        if batched.iter().all(Batched::is_no) && !structural {
            return Ok((self.emit.again(instr, operands), Batched::No));
        }
        let rule = match rules::of(instr) {
            Batching::Rule(rule) => rule,
            Batching::None(why) => return fault!("`{}` cannot be batched: {why}", instr.opcode),
        };
        let outer = self.emit.body.notes.clone();
        if let Some(notes) = &instr.notes {
            self.emit.body.notes = Some(Arc::new(place_of(notes)));
        }
        let first = self.emit.body.len();
        let made = rule(self, instr, operands, batched);
        self.emit.body.notes = outer;
        let rest = instr.notes.as_ref().map_or(&[][..], |n| &n.rest);
        if !rest.is_empty() && instr.opcode.class() != Class::Control {
            for id in (first..self.emit.body.len()).map(|i| InstrId(i as u32)) {
                let new = self.emit.body.get_mut(id);
                if new.opcode == instr.opcode {
                    new.notes_mut().rest = rest.to_vec();
                }
            }
        }
        made
    }

    /// A computation for all examples, whose arguments are batched so, and whose result is batched as wanted: at least as
    /// far as it depends on the example.
    ///
    /// # Errors
    /// An operation that cannot be batched.
    pub fn computation(
        &mut self,
        comp: CompId,
        arguments: &[Batched],
        wanted: &Batched,
    ) -> Result<CompId, Fault> {
        self.made(comp, arguments, |cx, ids| {
            let (root, flag) = cx.inline(comp, ids, arguments)?;
            cx.fit(root, &flag, wanted)
        })
    }

    /// A computation named as another, with its parameters, batched so; `f` makes it.
    ///
    /// # Errors
    /// What `f` says.
    pub fn made(
        &mut self,
        like: CompId,
        arguments: &[Batched],
        f: impl FnOnce(&mut Batcher<'_, '_>, &[InstrId]) -> Result<InstrId, Fault>,
    ) -> Result<CompId, Fault> {
        let comp = self.emit.graph.computation(like);
        let name = comp.name.clone();
        let shapes: Vec<Shape> = comp.parameter_shapes().into_iter().cloned().collect();
        let shapes: Vec<Shape> =
            shapes.iter().zip(arguments).map(|(s, of)| self.batched_shape(s, of)).collect();
        let (size, differentiable) = (self.size, self.differentiable);
        let (mut flags, mut failed) = (std::mem::take(&mut self.flags), None);
        let made = self.emit.computation(&name, |e| {
            e.body.notes.iter_mut().for_each(|notes| Arc::make_mut(notes).metadata.clear());
            let ids: Vec<InstrId> = shapes.into_iter().enumerate().map(|(n, s)| e.parameter(n, s)).collect();
            let mut cx = Batcher::new(e, size);
            cx.differentiable = differentiable;
            cx.flags = std::mem::take(&mut flags);
            let root = f(&mut cx, &ids);
            (flags, failed) = (cx.flags, cx.failed);
            root
        });
        self.flags = flags;
        self.failed = self.failed.take().or(failed);
        made
    }

    /// An error with the line of the program that asked for what failed, if it is known.
    fn located(&self, error: Fault) -> Fault {
        let lines =
            self.failed.iter().flat_map(|origin| self.emit.graph.module().locations(origin)).next_back();
        lines.map_or(error.clone(), |line| Fault(format!("{} ({line})", error.0)))
    }

    /// Which results of a computation are batched.
    fn result(&mut self, comp: CompId, arguments: &[Batched]) -> Batched {
        self.flags.of(self.emit.graph.module(), comp, arguments)
    }

    fn carries(&mut self, instr: &Instruction, start: &Batched) -> Carries {
        self.flags.carries(self.emit.graph.module(), instr, start)
    }

    fn branches(&mut self, branches: &[CompId], arguments: &[Batched], shape: &Shape) -> Batched {
        self.flags.branches(self.emit.graph.module(), branches, arguments, shape)
    }

    fn custom_jvp(&mut self, called: &[CompId], operands: &[Batched], shape: &Shape) -> Batched {
        self.flags.custom_jvp(self.emit.graph.module(), called, operands, shape)
    }

    /// A value with a batch dimension in front: a batched one is that already, another is repeated.
    ///
    /// # Errors
    /// It has a part that is no array.
    pub fn spread(&mut self, x: InstrId, batched: &Batched) -> Result<InstrId, Fault> {
        let all = Batched::all(self.emit.shape(x));
        self.fit(x, batched, &all)
    }

    /// A value batched as wanted, by repeating what is not.
    ///
    /// # Errors
    /// It is batched where it must not be.
    pub fn fit(&mut self, x: InstrId, batched: &Batched, wanted: &Batched) -> Result<InstrId, Fault> {
        match (batched, wanted) {
            (from, to) if from == to => Ok(x),
            (Batched::No, Batched::Yes) => self.repeat(x),
            (_, Batched::Tuple(_)) | (Batched::Tuple(_), _) => {
                let parts = self.emit.elements(x)?.into_iter().enumerate();
                let fitted = parts.map(|(i, p)| self.fit(p, &batched.part(i), &wanted.part(i)));
                let parts = fitted.collect::<Result<Vec<_>, _>>()?;
                self.emit.tuple(&parts)
            }
            _ => fault!("a value that should be the same for all examples is not: {}", self.emit.shape(x)),
        }
    }

    /// An array for each example; of a broadcast, its operand is repeated at once.
    fn repeat(&mut self, x: InstrId) -> Result<InstrId, Fault> {
        let dims = self.emit.dims(x)?;
        let all = self.with_batch(&dims);
        let instr = self.emit.instr(x);
        match &instr.attrs {
            Attrs::Dims(map) if instr.opcode == Opcode::Broadcast => {
                let map: Vec<usize> = map.iter().map(|d| d + 1).collect();
                let operand = instr.operands[0];
                self.emit.broadcast(operand, &all, &map)
            }
            _ => {
                let map: Vec<usize> = (1..all.len()).collect();
                self.emit.broadcast(x, &all, &map)
            }
        }
    }

    /// Dimensions with that of the batch in front.
    pub fn with_batch(&self, dims: &[i64]) -> Vec<i64> {
        std::iter::once(self.size).chain(dims.iter().copied()).collect()
    }

    /// The shape of a value for all examples.
    pub fn spread_shape(&self, shape: &Shape) -> Shape {
        self.batched_shape(shape, &Batched::all(shape))
    }

    /// The shape of a value that is batched so.
    pub fn batched_shape(&self, shape: &Shape, batched: &Batched) -> Shape {
        match (shape, batched) {
            (Shape::Array(a), Batched::Yes) => Shape::array(a.dtype, self.with_batch(&a.dims)),
            (Shape::Tuple(parts), _) => {
                let part = |(i, p): (usize, &Shape)| self.batched_shape(p, &batched.part(i));
                Shape::Tuple(parts.iter().enumerate().map(part).collect())
            }
            (other, _) => other.clone(),
        }
    }
}

/// What of an instruction's notes holds for everything that is made of it.
fn place_of(notes: &Notes) -> Notes {
    let kept = notes.frontend_attributes.iter().filter(|(key, _)| key != marks::LANES);
    Notes {
        frontend_attributes: kept.cloned().collect(),
        metadata: notes.metadata.clone(),
        ..Notes::default()
    }
}

/// Refuses what reads memory as it lies, where that is not row-major, and extents that are not known.
fn plain_memory<'s>(instr: &Instruction, mut shapes: impl Iterator<Item = &'s Shape>) -> Result<(), Fault> {
    let plain = |a: &&ArrayShape| a.layout.as_ref().is_none_or(|l| l.is_row_major());
    if instr.opcode == Opcode::Bitcast && !shapes.all(|s| s.leaves().iter().all(plain)) {
        return fault!("`bitcast` cannot be batched: it reads memory that is not row-major");
    }
    let dynamic = instr.shape.leaves().iter().any(|a| a.is_dynamic());
    if dynamic && matches!(rules::of(instr), Batching::Rule(_)) {
        return fault!("`{}` cannot be batched: {} has a dynamic dimension", instr.opcode, instr.shape);
    }
    Ok(())
}
