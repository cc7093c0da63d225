//! The kernels of a computation as sets of values of one graph.
//!
//! Equal operations on equal operands are one value, whichever kernels compute it: what a backward kernel computes again
//! is recognised as what the forward half has computed. Values stand in the order of their ids, operands before users.

use super::bits::Packing;
use crate::fusion::join::host::{Host, UnitId};
use crate::numbers::{Numbers, OfComputation};
use crate::planning::cut::is_code;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Module, Opcode, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value, by its position in [`Graph::values`].
pub type ValueId = u32;
/// A kernel or another thing that the host runs, by its unit.
pub type KernelId = UnitId;

/// What computes a value.
#[derive(Clone)]
pub enum Source {
    /// An instruction of the host.
    Host(InstrId),
    /// An instruction of a called computation.
    Body(CompId, InstrId),
    /// A reshape to the shape of an instruction of the host.
    View(InstrId),
    /// A mask as bits ([`super::bits`]): the instruction gives name, shape and origin.
    Bits(Box<Instruction>),
}

pub struct Value {
    pub source: Source,
    /// Of what is made outside of kernels all that its maker reads.
    pub operands: Vec<ValueId>,
    /// Part of the backward half: [`super::phase`].
    pub backward: bool,
    /// Whether marks of the text say so wherever it is computed.
    pub marked: bool,
    /// Made outside of all kernels: a parameter, a large constant, what a loop or an opaque call returns.
    pub outside: bool,
    /// A constant of the code, or computed from such alone: no kernel reads it from memory.
    pub uniform: bool,
}

/// One thing that the host runs.
#[derive(Clone, Default)]
pub struct Kernel {
    /// What it computes, in order; nothing where it is no kernel whose operations are known.
    pub values: Vec<ValueId>,
    /// What it reads from memory, in order.
    pub reads: Vec<ValueId>,
    /// What it writes to memory.
    pub outputs: Vec<ValueId>,
    /// Masks that it takes from bits, with these bits.
    pub unpacked: Vec<(ValueId, ValueId)>,
    /// Values that it computes in another way, with the values of that way.
    pub instead: Vec<(ValueId, ValueId)>,
    /// Whether its operations are left as they are.
    pub fixed: bool,
}

pub struct Graph<'a> {
    pub module: &'a Module,
    pub host: &'a Host<'a>,
    pub values: Vec<Value>,
    /// For each unit of the host.
    pub kernels: Vec<Kernel>,
    /// The value of each array of the host.
    pub arrays: Vec<ValueId>,
    /// Values of the computation's result.
    pub kept: FxHashSet<ValueId>,
    known: FxHashMap<(u32, Vec<ValueId>), ValueId>,
    /// The bits of masks that have been asked for.
    bits: FxHashMap<(ValueId, Packing), ValueId>,
    /// The same values computed of what is available anyhow ([`super::rewrite`]).
    pub rewritten: FxHashMap<ValueId, ValueId>,
}

impl<'a> Graph<'a> {
    pub fn of(module: &'a Module, numbers: &mut Numbers, host: &'a Host<'a>) -> Graph<'a> {
        let mut graph = Graph {
            module,
            host,
            values: Vec::new(),
            kernels: Vec::with_capacity(host.units.len()),
            arrays: vec![ValueId::MAX; host.arrays.len()],
            kept: FxHashSet::default(),
            known: FxHashMap::default(),
            bits: FxHashMap::default(),
            rewritten: FxHashMap::default(),
        };
        let mut of_host = OfComputation::new(host.comp);
        for (n, array) in host.arrays.iter().enumerate().filter(|(_, a)| a.made_by.is_none()) {
            if let Some(instr) = array.instr {
                let code = is_code(&host.comp[instr]);
                graph.arrays[n] = graph.push(Source::Host(instr), Vec::new(), !code, code);
            }
        }
        for unit in 0..host.units.len() as UnitId {
            let kernel = graph.kernel(unit, (numbers, &mut of_host)).unwrap_or_else(|| graph.opaque(unit));
            graph.kernels.push(kernel);
        }
        super::rewrite::find(&mut graph);
        let kept = host.arrays.iter().enumerate().filter(|(_, a)| a.kept);
        graph.kept = kept.map(|(n, _)| graph.arrays[n]).collect();
        graph
    }

    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id as usize]
    }

    /// The instruction that a value is, whose operands are those of another computation.
    pub fn instr(&self, id: ValueId) -> &Instruction {
        match &self.value(id).source {
            Source::Host(instr) | Source::View(instr) => &self.host.comp[*instr],
            Source::Body(body, instr) => &self.module[*body][*instr],
            Source::Bits(instr) => instr,
        }
    }

    pub fn opcode(&self, id: ValueId) -> Opcode {
        match self.value(id).source {
            Source::View(_) => Opcode::Reshape,
            _ => self.instr(id).opcode,
        }
    }

    pub fn bytes(&self, id: ValueId) -> i64 {
        self.instr(id).shape.leaves().iter().map(|l| l.bytes()).sum()
    }

    pub fn elements(&self, id: ValueId) -> i64 {
        self.instr(id).shape.leaves().iter().map(|l| l.elements()).sum()
    }

    pub fn push(&mut self, source: Source, operands: Vec<ValueId>, outside: bool, uniform: bool) -> ValueId {
        let value = Value { source, operands, backward: false, marked: false, outside, uniform };
        self.values.push(value);
        self.values.len() as ValueId - 1
    }

    /// The bits of a mask that were asked for.
    pub fn known_bits(&self, mask: ValueId) -> impl Iterator<Item = ValueId> {
        [Packing::Rows, Packing::Row].into_iter().filter_map(move |p| self.bits.get(&(mask, p)).copied())
    }

    /// The bits of a mask, if it can be packed.
    pub fn bits_of(&mut self, mask: ValueId, packing: Packing) -> Option<ValueId> {
        if let Some(&known) = self.bits.get(&(mask, packing)) {
            return Some(known);
        }
        let instr = super::bits::packed(self.instr(mask), packing)?;
        let id = self.push(Source::Bits(Box::new(instr)), vec![mask], false, false);
        self.bits.insert((mask, packing), id);
        Some(id)
    }

    /// The value of an operation: a new one, or an equal one.
    pub fn find(&mut self, number: u32, operands: Vec<ValueId>, source: Source) -> ValueId {
        let next = self.values.len() as ValueId;
        let uniform = operands.iter().all(|&o| self.value(o).uniform);
        let marked = match &source {
            Source::Host(id) | Source::View(id) => is_marked(self.module, &self.host.comp[*id]),
            Source::Body(body, id) => is_marked(self.module, &self.module[*body][*id]),
            Source::Bits(instr) => is_marked(self.module, instr),
        };
        let id = *self.known.entry((number, operands.clone())).or_insert(next);
        if id == next {
            self.push(source, operands, false, uniform);
            self.values[id as usize].marked = true;
        }
        self.values[id as usize].marked &= marked;
        id
    }

    /// What the host passes as an operand, in the shape that the user knows; `None` where it is no array.
    fn operand(&mut self, operand: InstrId, numbers: &mut Numbers) -> Option<ValueId> {
        let [array] = self.host.leaves[operand.index()][..] else { return None };
        let (value, shape) = (self.arrays[array as usize], self.host.comp[operand].shape.as_array()?);
        if value == ValueId::MAX {
            return None;
        }
        if self.instr(value).shape.as_array()?.same_dims(shape) {
            return Some(value);
        }
        let number = numbers.number(Opcode::Reshape, &self.host.comp[operand].shape, &Attrs::None);
        Some(self.find(number, vec![value], Source::View(operand)))
    }

    /// The kernel of a unit, if all that it does is known.
    fn kernel(
        &mut self,
        unit: UnitId,
        (numbers, of_host): (&mut Numbers, &mut OfComputation),
    ) -> Option<Kernel> {
        let host = self.host;
        host.unit(unit).kernel.as_ref().ok()?;
        let instr = host.instr(unit);
        let operands: Vec<ValueId> =
            instr.operands.iter().map(|&o| self.operand(o, numbers)).collect::<Option<_>>()?;
        let mut made: Vec<ValueId> = Vec::new();
        let outputs = match instr.attrs {
            Attrs::Fusion { kind: FusionKind::Custom, .. } => return None,
            Attrs::Fusion { calls, .. } => {
                let (module, body) = (self.module, &self.module[calls]);
                let of_body = numbers.of_body(module, calls);
                let mut map: Vec<ValueId> = Vec::with_capacity(body.instrs.len());
                for (id, inner) in body.iter() {
                    let value = match inner.attrs {
                        Attrs::Parameter(n) => operands[n],
                        _ if id == body.root && inner.opcode == Opcode::Tuple => ValueId::MAX,
                        _ => {
                            let inputs = inner.operands.iter().map(|o| map[o.index()]).collect();
                            self.find(of_body[id.index()], inputs, Source::Body(calls, id))
                        }
                    };
                    map.push(value);
                }
                made.extend(map.iter().filter(|&&v| v != ValueId::MAX && !self.value(v).outside));
                match body.root().opcode {
                    Opcode::Tuple => body.root().operands.iter().map(|o| map[o.index()]).collect(),
                    _ => vec![map[body.root.index()]],
                }
            }
            _ => {
                let id = host.unit(unit).instr;
                let number = of_host.of(numbers, (self.module, host.comp), id);
                let value = self.find(number, operands.clone(), Source::Host(id));
                made.extend(operands.iter().filter(|&&o| self.is_view(o) || self.value(o).uniform));
                made.push(value);
                vec![value]
            }
        };
        let defines = &host.unit(unit).defines;
        let arrays = outputs.iter().all(|&o| matches!(self.instr(o).shape, Shape::Array(_)));
        if !arrays || outputs.len() != defines.len() {
            return None;
        }
        for (&array, &output) in defines.iter().zip(&outputs) {
            self.arrays[array as usize] = output;
        }
        // Operands are made by others, but what is only another view of them.
        let passed: FxHashSet<ValueId> = operands.iter().copied().filter(|&o| !self.is_view(o)).collect();
        made.extend(operands.iter().filter(|&&o| self.is_view(o)));
        made.retain(|v| self.value(*v).uniform || !passed.contains(v));
        made.sort_unstable();
        made.dedup();
        let reads = self.reads(&made);
        if outputs.iter().any(|o| made.binary_search(o).is_err()) {
            return None;
        }
        let updates =
            made.iter().any(|&v| matches!(self.opcode(v), Opcode::DynamicUpdateSlice | Opcode::Scatter));
        Some(Kernel { values: made, reads, outputs, fixed: updates, ..Kernel::default() })
    }

    fn is_view(&self, id: ValueId) -> bool {
        matches!(self.value(id).source, Source::View(_))
    }

    /// What a kernel that computes these values reads.
    pub fn reads(&self, values: &[ValueId]) -> Vec<ValueId> {
        let all = values.iter().flat_map(|&v| &self.value(v).operands);
        let mut reads: Vec<ValueId> = all.copied().filter(|o| values.binary_search(o).is_err()).collect();
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// A unit of which only what it reads and makes is known.
    fn opaque(&mut self, unit: UnitId) -> Kernel {
        let host = self.host;
        let mut reads: Vec<ValueId> = host
            .unit(unit)
            .reads
            .iter()
            .map(|&a| self.arrays[a as usize])
            .filter(|&v| v != ValueId::MAX)
            .collect();
        reads.sort_unstable();
        reads.dedup();
        let mut outputs = Vec::new();
        for &array in &host.unit(unit).defines {
            // The instruction of an array has its shape; of a tuple that nobody takes apart there is none.
            let instr = host.array(array).instr.unwrap_or(host.unit(unit).instr);
            let value = self.push(Source::Host(instr), reads.clone(), true, false);
            self.values[value as usize].marked = is_marked(self.module, host.instr(unit));
            self.arrays[array as usize] = value;
            outputs.push(value);
        }
        Kernel { reads, outputs, fixed: true, ..Kernel::default() }
    }
}

/// Whether all that an instruction comes from is marked as backward.
fn is_marked(module: &Module, instr: &Instruction) -> bool {
    let sources = instr.origin.sources();
    !sources.is_empty() && sources.iter().all(|&s| module.sources.get(s as usize).is_some_and(|s| s.backward))
}

/// A graph without the module that it was made of, which may then grow.
pub struct Detached {
    values: Vec<Value>,
    kernels: Vec<Kernel>,
    arrays: Vec<ValueId>,
    kept: FxHashSet<ValueId>,
}

impl Graph<'_> {
    pub fn detach(self) -> Detached {
        let Graph { values, kernels, arrays, kept, .. } = self;
        Detached { values, kernels, arrays, kept }
    }
}

impl Detached {
    /// The graph again, with a module that has at least what it had.
    pub fn attach<'a>(self, module: &'a Module, host: &'a Host<'a>) -> Graph<'a> {
        let Detached { values, kernels, arrays, kept } = self;
        let (known, bits, rewritten) = Default::default();
        Graph { module, host, values, kernels, arrays, kept, known, bits, rewritten }
    }
}
