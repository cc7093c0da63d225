//! What trips write to the arrays that they update where these lie, and what is read of one that a scatter has changed.

use super::parts::Parts;
use super::points::{MAX_ELEMENTS, components, points};
use super::scopes::body;
use super::state::{Role, Storage};
use super::updated::{Change, Updated};
use crate::refusal::Refusal;
use crate::region::build::builder::Builder;
use crate::region::build::scatter_dims::operand_dims;
use crate::region::build::update::Beyond;
use crate::region::{Element, LoopStage, NodeId, symbol_nodes};
use lawson_hlo::attrs::ScatterDims;
use lawson_hlo::index::Affine;
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Opcode};

impl<'a> Builder<'a> {
    /// What is written before the first trip of a loop: the changes that the trip around makes before the loop; of an array that is
    /// this loop's alone all elements.
    pub(super) fn before(
        &mut self,
        parts: &Parts<'a>,
        (n, element): (usize, usize),
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let Some(storage) = self.storage(n, element) else { return Ok(()) };
        let Some((around, outer)) = parts.through(n, element) else {
            let init = parts.loops[n].inits[element];
            return self.within(parts.loops[n].scope, |cx| cx.starts_as(init, &storage, loop_stage));
        };
        let Some(Updated { changes, .. }) = &parts.loops[around].updated[outer] else { return Ok(()) };
        let at = changes.iter().position(|c| *c == Change::Loop { of: n, element }).unwrap_or(0);
        let written = self.within(body(around), |cx| cx.changed(since_loop(&changes[..at]), &storage))?;
        loop_stage.before.extend(written);
        Ok(())
    }

    /// What each trip writes when the loops within it have run.
    pub(super) fn updates(
        &mut self,
        parts: &Parts<'a>,
        (n, element): (usize, usize),
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        let Some(storage) = self.storage(n, element) else { return Ok(()) };
        let Some(Updated { changes, .. }) = &parts.loops[n].updated[element] else { return Ok(()) };
        let written = self.within(body(n), |cx| cx.changed(since_loop(changes), &storage))?;
        loop_stage.stores.extend(written);
        Ok(())
    }

    fn storage(&self, n: usize, element: usize) -> Option<Storage> {
        match &self.state.as_deref()?.roles[n][element] {
            Role::InMemory(storage) => Some(storage.clone()),
            Role::Invariant(_) | Role::Instances { .. } | Role::Stacked(_) => None,
        }
    }

    /// Writes all elements of the value that an array starts as, unless the output is that value already.
    fn starts_as(
        &mut self,
        init: InstrId,
        storage: &Storage,
        loop_stage: &mut LoopStage,
    ) -> Result<(), Refusal> {
        if let (Storage::Output { output, .. }, Some(&input)) = (storage, self.inputs.get(&init)) {
            self.region.aliases.push((*output, input));
            return Ok(());
        }
        let (dims, axes) = storage.dims();
        if components(dims, axes) > MAX_ELEMENTS {
            return Err(Refusal::NotInPlace { opcode: Opcode::While });
        }
        for index in points(dims, axes) {
            let value = self.value(init, &index)?;
            loop_stage.before.push(self.element(storage, &index, value, None)?);
        }
        Ok(())
    }

    /// The elements that these updates write.
    fn changed(&mut self, changes: &[Change], storage: &Storage) -> Result<Vec<Element>, Refusal> {
        let mut written = Vec::new();
        for change in changes {
            let Change::Update { at, guards } = change else { continue };
            let instr = &self.comp[*at];
            let count = written.len();
            match &instr.attrs {
                Attrs::Scatter(dims) => self.scattered(instr, dims, (storage, guards), &mut written)?,
                _ => self.sliced(instr, (storage, guards), &mut written)?,
            }
            if written.len() - count > MAX_ELEMENTS as usize {
                return Err(Refusal::NotInPlace { opcode: instr.opcode });
            }
        }
        Ok(written)
    }

    fn sliced(
        &mut self,
        instr: &Instruction,
        (storage, guards): (&Storage, &[(InstrId, bool)]),
        written: &mut Vec<Element>,
    ) -> Result<(), Refusal> {
        let update = instr.operands[1];
        let sizes = self.shape(update)?.dims.clone();
        let (dims, axes) = storage.dims();
        let starts = self.starts(&instr.operands[2..], dims, &sizes)?;
        if components(&sizes, axes) > MAX_ELEMENTS {
            return Err(Refusal::NotInPlace { opcode: instr.opcode });
        }
        for index in points(&sizes, axes) {
            let at: Vec<Affine> = starts.iter().zip(&index).map(|(s, i)| s.add(i)).collect();
            let value = self.value(update, &index)?;
            let mask = self.guarded(None, guards, &at)?;
            written.push(self.element(storage, &at, value, mask)?);
        }
        Ok(())
    }

    fn scattered(
        &mut self,
        instr: &Instruction,
        dims: &ScatterDims,
        (storage, guards): (&Storage, &[(InstrId, bool)]),
        written: &mut Vec<Element>,
    ) -> Result<(), Refusal> {
        let [operand, _, update] = instr.operands[..] else {
            return Err(Refusal::Unsupported { opcode: instr.opcode });
        };
        let sizes = self.shape(update)?.dims.clone();
        let (extents, axes) = storage.dims();
        let of_operand = operand_dims(dims, sizes.len(), extents.len());
        let axes: Vec<Option<usize>> = of_operand.iter().map(|d| d.and_then(|d| axes[d])).collect();
        if components(&sizes, &axes) > MAX_ELEMENTS {
            return Err(Refusal::NotInPlace { opcode: instr.opcode });
        }
        for point in points(&sizes, &axes) {
            let (at, fits) = self.scattered_to(instr, dims, &point, Beyond::Nearest)?;
            let mask = self.guarded(fits, guards, &at)?;
            let value = self.combined_with(dims, (operand, &at), (update, &point))?;
            written.push(self.element(storage, &at, value, mask)?);
        }
        Ok(())
    }

    /// What a scatter makes of an element of its operand and one of its updates.
    fn combined_with(
        &mut self,
        dims: &ScatterDims,
        (operand, at): (InstrId, &[Affine]),
        (update, point): (InstrId, &[Affine]),
    ) -> Result<NodeId, Refusal> {
        let combiner = self.function(dims.to_apply, false)?;
        let new = self.value(update, point)?;
        if self.overwrites(&combiner) {
            return Ok(new);
        }
        let old = self.value(operand, at)?;
        Ok(self.region.apply(&combiner, &[old, new])[0])
    }

    /// Whether all of these conditions hold at an element.
    fn guarded(
        &mut self,
        mut mask: Option<NodeId>,
        guards: &[(InstrId, bool)],
        at: &[Affine],
    ) -> Result<Option<NodeId>, Refusal> {
        for &(guard, when) in guards {
            let mut holds = self.scalar_or(guard, at)?;
            if !when {
                holds = self.not(holds);
            }
            mask = self.and(mask, Some(holds));
        }
        Ok(mask)
    }

    fn element(
        &mut self,
        storage: &Storage,
        at: &[Affine],
        value: NodeId,
        mask: Option<NodeId>,
    ) -> Result<Element, Refusal> {
        let offset = storage.offset(at).ok_or(Refusal::CrossLane { opcode: Opcode::While })?;
        let symbols = symbol_nodes(self.region, &offset);
        // Registers hold a type that a product accumulates in; memory has its own.
        let dtype = self.region.written(storage.place()).map_or(DType::Pred, |a| a.dtype);
        let value = self.convert(value, dtype);
        Ok(Element { to: storage.place(), offset, symbols, value, mask })
    }

    /// The element at `index` of what a scatter of a trip gives.
    pub(in crate::region::build) fn after_scatter(
        &mut self,
        instr: &Instruction,
        dims: &ScatterDims,
        index: &[Affine],
    ) -> Result<NodeId, Refusal> {
        let [operand, _, update] = instr.operands[..] else {
            return Err(Refusal::Unsupported { opcode: instr.opcode });
        };
        let sizes = self.shape(update)?.dims.clone();
        let of_operand = operand_dims(dims, sizes.len(), index.len());
        let is_window = |d: &usize| dims.update_window_dims.contains(d);
        // The element of the updates that would come here: along the window the first one, to begin with.
        let zero = || Affine::constant(0);
        let mut point: Vec<Affine> = (0..sizes.len())
            .map(|d| of_operand[d].filter(|_| !is_window(&d)).map_or_else(zero, |o| index[o].clone()))
            .collect();
        let (first, mut inside) = self.scattered_to(instr, dims, &point, Beyond::Nearest)?;
        for d in (0..index.len()).filter(|d| !dims.input_batching_dims.contains(d)) {
            let relative = index[d].sub(&first[d]);
            let window = (0..sizes.len()).find(|u| of_operand[*u] == Some(d) && is_window(u));
            let within = self.in_range(&relative, 0, window.map_or(1, |u| sizes[u]));
            inside = self.and(inside, within);
            if let Some(u) = window.filter(|&u| sizes[u] != 1) {
                point[u] = relative;
            }
        }
        self.piece(
            inside,
            |cx| cx.combined_with(dims, (operand, index), (update, &point)),
            |cx| cx.value(operand, index),
        )
    }
}

/// What comes after the last loop that an array goes through.
fn since_loop(changes: &[Change]) -> &[Change] {
    let first = changes.iter().rposition(|c| matches!(c, Change::Loop { .. })).map_or(0, |n| n + 1);
    &changes[first..]
}
