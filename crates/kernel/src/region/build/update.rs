//! In-place updates: scatter, and dynamic-update-slice whose result shares its operand's memory.

use super::builder::{Builder, Output};
use super::scatter_dims::windowed;
use crate::refusal::Refusal;
use crate::region::{Function, Kind, Node, NodeId, Source, Stage};
use lawson_hlo::attrs::{CompareOrder, Direction, ScatterDims};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{Attrs, Computation, DType, InstrId, Instruction, Opcode, Value};

/// Whether an instruction is the slice of an array that a dynamic-update-slice of the same array replaces.
pub fn reads_what_is_replaced(comp: &Computation, instr: &Instruction, update: &Instruction) -> bool {
    if update.opcode != Opcode::DynamicUpdateSlice || instr.operands.first() != update.operands.first() {
        return false;
    }
    let starts = &update.operands[2..];
    let same_size =
        instr.shape.as_array().map(|a| &a.dims) == comp[update.operands[1]].shape.as_array().map(|a| &a.dims);
    let at = |start: InstrId| match &comp[start].attrs {
        Attrs::Constant(Some(Value::Array(l))) => l.splat_value()?.as_i128(),
        _ => None,
    };
    same_size
        && match &instr.attrs {
            Attrs::DynamicSlice(_) => instr.operands[1..] == *starts,
            Attrs::Slice(ranges) => {
                ranges.len() == starts.len()
                    && ranges.iter().zip(starts).all(|(r, &s)| r.stride == 1 && at(s) == Some(r.start.into()))
            }
            _ => false,
        }
}

/// What the position of an update is that does not fit in its array and changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beyond {
    /// Its symbols are out of their ranges: nothing may be asked of them but under the condition.
    Unknown,
    /// The nearest one that fits.
    Nearest,
}

impl Builder<'_> {
    /// The stage of a dynamic-update-slice in place: it is an output, its operand is an input, and nothing else of
    /// the region reads that input, but for what is replaced where it is replaced. Otherwise a
    /// dynamic-update-slice is a choice between two elements.
    pub(super) fn update_in_place(
        &mut self,
        id: InstrId,
        outputs: &[Output],
    ) -> Result<Option<Stage>, Refusal> {
        if !self.may_update_in_place(id, outputs) {
            return Ok(None);
        }
        let instr = &self.comp[id];
        let stage = self.dynamic_update_slice(instr)?;
        let Kind::Update { values, offset, .. } = &stage.kind else { return Ok(None) };
        let target = Source::Input(self.inputs[&instr.operands[0]]);
        let elsewhere = self.region.reachable(values).into_iter().any(|n| {
            matches!(self.region.node(n), Node::Load { source, offset: o, .. } if *source == target && o != offset)
        });
        Ok((!elsewhere).then_some(stage))
    }

    fn may_update_in_place(&self, id: InstrId, outputs: &[Output]) -> bool {
        let update = &self.comp[id];
        let target = update.operands[0];
        let is_output = outputs.iter().filter(|o| o.0 == id).count() == 1;
        let replaced = |i: &Instruction| outputs.len() == 1 && reads_what_is_replaced(self.comp, i, update);
        let reads = |id: &InstrId| match &self.comp[*id] {
            i if replaced(i) => 0,
            i => i.operands.iter().filter(|o| **o == target).count(),
        };
        let needed = self.needed(outputs);
        let others: usize = needed.iter().filter(|n| !self.inputs.contains_key(n)).map(reads).sum();
        let used_inside = needed.iter().any(|n| self.comp[*n].operands.contains(&id));
        is_output && self.inputs.contains_key(&target) && others == 1 && !used_inside
    }

    /// Names the input each in-place result starts as.
    ///
    /// # Errors
    /// A result that no output holds, or that does not start as an input: nobody would fill it.
    pub(super) fn alias_updates(&mut self) -> Result<(), Refusal> {
        let mut aliases = Vec::new();
        for (&id, &stage) in &self.stages {
            let made = &self.region.stages[stage as usize];
            if !matches!(made.kind, Kind::Update { .. }) {
                continue;
            }
            for result in 0..made.results.len() as u32 {
                let input = self.inputs.get(&self.comp[id].operands[result as usize]);
                let mut outputs = (0u32..).zip(&self.region.output_sources);
                match (outputs.find(|(_, source)| **source == (stage, result)), input) {
                    (Some((output, _)), Some(&input)) => aliases.push((output, input)),
                    _ => return Err(Refusal::UpdatedInPlace),
                }
            }
        }
        aliases.sort_unstable();
        self.region.aliases = aliases;
        Ok(())
    }

    pub(super) fn dynamic_update_slice(&mut self, instr: &Instruction) -> Result<Stage, Refusal> {
        let extents = self.shape(instr.operands[0])?.dims.clone();
        let update = instr.operands[1];
        let space = self.shape(update)?.dims.clone();
        self.enter(&space, &[]);
        let starts = self.starts(&instr.operands[2..], &extents, &space)?;
        let point: Vec<Affine> = (0..space.len()).map(Affine::axis).collect();
        let value = self.value(update, &point)?;
        let position: Vec<Affine> = starts.iter().zip(&point).map(|(s, i)| s.add(i)).collect();
        let offset = linearize(&position, &extents);
        let kind = Kind::Update { values: vec![value], offset, mask: None, combiner: None, unique: true };
        Ok(self.update_stage(instr, space, kind))
    }

    fn update_stage(&self, instr: &Instruction, space: Vec<i64>, kind: Kind) -> Stage {
        let leaves = instr.shape.leaves();
        Stage {
            name: instr.name.to_string(),
            opcode: instr.opcode,
            space,
            inner: Vec::new(),
            kind,
            results: leaves.iter().map(|l| l.dtype).collect(),
            elements: leaves.first().map_or(0, |l| l.elements()),
        }
    }

    pub(super) fn scatter(&mut self, instr: &Instruction, dims: &ScatterDims) -> Result<Stage, Refusal> {
        let count = instr.operands.len() / 2;
        // The results start as their operands; those must be arrays in memory.
        if !instr.operands[..count].iter().all(|o| self.inputs.contains_key(o)) {
            return Err(Refusal::NeedsWholeOperand { opcode: instr.opcode });
        }
        let extents = self.shape(instr.operands[0])?.dims.clone();
        let space = self.shape(instr.operands[count + 1])?.dims.clone();
        self.enter(&space, &[]);
        let point: Vec<Affine> = (0..space.len()).map(Affine::axis).collect();
        let (position, mask) = self.scattered_to(instr, dims, &point, Beyond::Unknown)?;
        let values: Vec<NodeId> = instr.operands[count + 1..]
            .iter()
            .map(|&u| self.value(u, &point))
            .collect::<Result<_, Refusal>>()?;
        let offset = linearize(&position, &extents);
        let function = self.function(dims.to_apply, false)?;
        let overwrites = self.overwrites(&function);
        let batch: Vec<usize> = (0..space.len()).filter(|d| !dims.update_window_dims.contains(d)).collect();
        // Those of different rows of a batch are in different rows of the operand.
        let apart = |b: usize| {
            let mut of_rows = dims.scatter_indices_batching_dims.iter();
            of_rows.any(|&r| batch[if r > dims.index_vector_dim { r - 1 } else { r }] == b)
        };
        let unique = dims.unique_indices || batch.iter().all(|&b| space[b] == 1 || apart(b));
        let combiner = (!overwrites).then_some(function);
        let kind = Kind::Update { values, offset, mask, combiner, unique };
        Ok(self.update_stage(instr, space, kind))
    }

    /// Whether a combiner returns its second half.
    pub(super) fn overwrites(&self, function: &Function) -> bool {
        let count = function.results.len();
        let results = function.results.iter().enumerate();
        results
            .into_iter()
            .all(|(n, r)| matches!(self.region.node(*r), Node::Argument(a) if *a as usize == count + n))
    }

    /// The element of its operand that a scatter changes with the element of its updates at `point`, and the condition that it
    /// changes one.
    pub(super) fn scattered_to(
        &mut self,
        instr: &Instruction,
        dims: &ScatterDims,
        point: &[Affine],
        beyond: Beyond,
    ) -> Result<(Vec<Affine>, Option<NodeId>), Refusal> {
        let count = instr.operands.len() / 2;
        let indices = instr.operands[count];
        let extents = self.shape(instr.operands[0])?.dims.clone();
        let indices_rank = self.shape(indices)?.rank();
        let space = self.shape(instr.operands[count + 1])?.dims.clone();
        let (window, batch): (Vec<_>, Vec<_>) =
            (0..space.len()).partition(|d| dims.update_window_dims.contains(d));
        let mut position = vec![Affine::constant(0); extents.len()];
        let mut sizes = vec![1; extents.len()];
        for (d, &w) in windowed(dims, extents.len()).zip(&window) {
            position[d] = point[w].clone();
            sizes[d] = space[w];
        }
        for (&d, &b) in dims.input_batching_dims.iter().zip(&dims.scatter_indices_batching_dims) {
            let b = if b > dims.index_vector_dim { b - 1 } else { b };
            position[d] = point[batch[b]].clone();
        }
        let mut mask = None;
        for (component, &d) in dims.scatter_dims_to_operand_dims.iter().enumerate() {
            let mut at = batch.iter().map(|&b| point[b].clone());
            let index: Vec<Affine> = (0..indices_rank)
                .map(|k| match k == dims.index_vector_dim {
                    true => Affine::constant(component as i64),
                    false => at.next().unwrap_or_default(),
                })
                .collect();
            let max = extents[d] - sizes[d];
            let (start, inside) = self.checked_start(indices, &index, max)?;
            let start = match beyond {
                Beyond::Unknown => start,
                Beyond::Nearest => self.clamped(indices, &index, max)?,
            };
            position[d] = position[d].add(&start);
            mask = self.and(mask, Some(inside));
        }
        Ok((position, mask))
    }

    /// A scatter index as a symbol, and the condition that the window starting there fits. The symbol's range
    /// holds only under the condition, which guards every use.
    fn checked_start(
        &mut self,
        indices: InstrId,
        index: &[Affine],
        max: i64,
    ) -> Result<(Affine, NodeId), Refusal> {
        let raw = self.value(indices, index)?;
        let wide = self.convert(raw, DType::S64);
        let (zero, top) = (self.constant(DType::S64, 0), self.constant(DType::S64, max as u64));
        let at_least = |cx: &mut Self, x, y| {
            let (direction, order) = (Direction::Ge, CompareOrder::Default);
            cx.region.add(Node::Compare { direction, order, dtype: DType::S64, x, y }, DType::Pred)
        };
        let (above, below) = (at_least(self, wide, zero), at_least(self, top, wide));
        let inside = self.binary(Opcode::And, above, below);
        Ok((self.symbol(wide, (0, max.max(0))), inside))
    }
}
