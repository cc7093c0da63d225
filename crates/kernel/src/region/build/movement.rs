//! Operations that move elements: each turns the index of a result element into that of an operand element.

use super::builder::Builder;
use super::position::Position;
use crate::refusal::Refusal;
use crate::region::{Node, NodeId, Symbol};
use lawson_hlo::attrs::GatherDims;
use lawson_hlo::index::{Affine, reshape};
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Opcode};

/// Most pieces that a kernel chooses among. Each has code of its own, which is run at every point whose piece is not
/// known where its loop is written, and the pieces of pieces multiply: without a limit twelve concatenations of an array
/// with itself are 4096 loads of each element.
pub const MAX_PIECES: usize = 64;

impl Builder<'_> {
    pub(super) fn movement(&mut self, id: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let comp = self.comp;
        let instr = &comp[id];
        let operand = instr.operands[0];
        let from = self.shape(operand)?.dims.clone();
        let to = self.shape(id)?.dims.clone();
        match (instr.opcode, &instr.attrs) {
            (Opcode::Broadcast, Attrs::Dims(dims)) => {
                let index: Vec<Affine> = dims.iter().map(|&d| index[d].clone()).collect();
                self.value(operand, &index)
            }
            (Opcode::Reshape | Opcode::Bitcast, _) => {
                let index = reshape(index, &to, &from, &self.space);
                self.value(operand, &index)
            }
            (Opcode::Transpose, Attrs::Dims(permutation)) => {
                let mut moved = vec![Affine::default(); index.len()];
                permutation.iter().zip(index).for_each(|(&p, i)| moved[p] = i.clone());
                self.value(operand, &moved)
            }
            (Opcode::Reverse, Attrs::Dims(dims)) => {
                let mut moved = index.to_vec();
                for &d in dims {
                    moved[d] = Affine::constant(from[d] - 1).sub(&index[d]);
                }
                self.value(operand, &moved)
            }
            (Opcode::Slice, Attrs::Slice(dims)) => {
                let moved: Vec<Affine> =
                    dims.iter().zip(index).map(|(s, i)| i.mul(s.stride).add_constant(s.start)).collect();
                self.value(operand, &moved)
            }
            (Opcode::Concatenate, Attrs::Dims(dims)) => self.concatenate(instr, dims[0], index),
            (Opcode::Pad, Attrs::Pad(dims)) => {
                let mut inside = None;
                let mut moved = Vec::new();
                for ((p, i), &extent) in dims.iter().zip(index).zip(&from) {
                    let shifted = i.add_constant(-p.low);
                    let step = p.interior + 1;
                    let on_element = self.in_range(&shifted.rem(step, &self.space), 0, 1);
                    let position = shifted.div(step, &self.space);
                    let within = self.in_range(&position, 0, extent);
                    inside = self.and(inside, on_element);
                    inside = self.and(inside, within);
                    moved.push(position);
                }
                let padding = instr.operands[1];
                self.piece(inside, |cx| cx.value(operand, &moved), |cx| cx.value(padding, &[]))
            }
            (Opcode::DynamicSlice, Attrs::DynamicSlice(sizes)) => {
                let starts = self.starts(&instr.operands[1..], &from, sizes)?;
                let moved: Vec<Affine> = starts.iter().zip(index).map(|(s, i)| s.add(i)).collect();
                self.value(operand, &moved)
            }
            (Opcode::DynamicUpdateSlice, _) => {
                let update = instr.operands[1];
                let sizes = self.shape(update)?.dims.clone();
                let starts = self.starts(&instr.operands[2..], &from, &sizes)?;
                let mut inside = None;
                let mut moved = Vec::new();
                for ((s, i), &size) in starts.iter().zip(index).zip(&sizes) {
                    let relative = i.sub(s);
                    let within = self.in_range(&relative, 0, size);
                    inside = self.and(inside, within);
                    // Of one element only the first is ever inside.
                    moved.push(if size == 1 { Affine::constant(0) } else { relative });
                }
                if sizes.contains(&0) {
                    return self.value(operand, index);
                }
                self.piece(inside, |cx| cx.value(update, &moved), |cx| cx.value(operand, index))
            }
            (Opcode::Gather, Attrs::Gather(dims)) => self.gather(instr, dims, index),
            (opcode, _) => Err(Refusal::Unsupported { opcode }),
        }
    }

    /// `then` where the condition holds, `otherwise` elsewhere; each side reads only where it is taken.
    pub(super) fn piece(
        &mut self,
        condition: Option<NodeId>,
        then: impl FnOnce(&mut Self) -> Result<NodeId, Refusal>,
        otherwise: impl FnOnce(&mut Self) -> Result<NodeId, Refusal>,
    ) -> Result<NodeId, Refusal> {
        let Some(mask) = condition else { return then(self) };
        if self.never_holds(mask) {
            return otherwise(self);
        }
        self.choose(1)?;
        let outer = self.guard;
        self.guard = self.and(outer, condition);
        let x = then(self)?;
        let not = self.not(mask);
        self.guard = self.and(outer, Some(not));
        let y = otherwise(self)?;
        self.guard = outer;
        let dtype = self.region.dtype(x);
        Ok(if x == y { x } else { self.region.add(Node::Select { mask, x, y }, dtype) })
    }

    /// Notes that so many more pieces are chosen from by an index.
    fn choose(&mut self, pieces: usize) -> Result<(), Refusal> {
        self.pieces += pieces;
        match self.pieces < MAX_PIECES {
            true => Ok(()),
            false => Err(Refusal::ManyPieces { pieces: self.pieces + 1, limit: MAX_PIECES }),
        }
    }

    /// One piece after the other, each where the ones before have ended.
    fn concatenate(&mut self, instr: &Instruction, dim: usize, index: &[Affine]) -> Result<NodeId, Refusal> {
        let (lo, hi) = index[dim].range(&self.space);
        let mut pieces = Vec::new();
        let (mut start, mut last) = (0, None);
        for &operand in &instr.operands {
            let extent = self.shape(operand)?.dims[dim];
            if extent > 0 {
                last = Some((operand, start, extent));
                pieces.extend(last.filter(|_| hi >= start && lo < start + extent));
            }
            start += extent;
        }
        // What is out of range is read nowhere, or of a lane that has no such component: any element will do.
        let Some((operand, start, extent)) = pieces.pop().or(last) else {
            // An empty result is never read; any operand gives the type.
            return self.value(instr.operands[0], index);
        };
        self.choose(pieces.len())?;
        let outer = self.guard;
        let mut found = Vec::with_capacity(pieces.len());
        for (operand, start, extent) in pieces {
            let before_end = Node::InRange { value: index[dim].clone(), lo: i64::MIN, hi: start + extent };
            let mask = self.region.add(before_end, DType::Pred);
            let moved = self.in_piece(index, dim, start, extent);
            // What is no piece before it: two tests, however many there are.
            let inside =
                self.in_range(&index[dim], if found.is_empty() { i64::MIN } else { start }, start + extent);
            self.guard = self.and(outer, inside);
            found.push((mask, self.value(operand, &moved)?));
        }
        let moved = self.in_piece(index, dim, start, extent);
        let inside = self.in_range(&index[dim], if found.is_empty() { i64::MIN } else { start }, i64::MAX);
        self.guard = self.and(outer, inside);
        let mut value = self.value(operand, &moved)?;
        self.guard = outer;
        for (mask, x) in found.into_iter().rev() {
            if x != value {
                let dtype = self.region.dtype(x);
                value = self.region.add(Node::Select { mask, x, y: value }, dtype);
            }
        }
        Ok(value)
    }

    /// The index of a concatenation as one of its piece.
    fn in_piece(&self, index: &[Affine], dim: usize, start: i64, extent: i64) -> Vec<Affine> {
        let mut moved = index.to_vec();
        // Of one element only the first is ever read: a component of a lane, whatever the index says elsewhere.
        moved[dim] = match self.in_trip() && extent == 1 {
            true => Affine::constant(0),
            false => index[dim].add_constant(-start),
        };
        moved
    }

    /// Clamped start indices of a dynamic slice, as symbols.
    pub(super) fn starts(
        &mut self,
        operands: &[InstrId],
        extents: &[i64],
        sizes: &[i64],
    ) -> Result<Vec<Affine>, Refusal> {
        let mut starts = Vec::new();
        for (d, (&extent, &size)) in extents.iter().zip(sizes).enumerate() {
            // The old form gives one vector of indices.
            let vector = operands.len() == 1 && self.shape(operands[0])?.rank() == 1;
            let (operand, index) = match vector {
                true => (operands[0], vec![Affine::constant(d as i64)]),
                false => (operands[d], Vec::new()),
            };
            starts.push(self.clamped(operand, &index, extent - size)?);
        }
        Ok(starts)
    }

    /// An integer element clamped to `0..=max`: where it follows from the axes, as that, else as a symbol.
    pub(super) fn clamped(
        &mut self,
        operand: InstrId,
        index: &[Affine],
        max: i64,
    ) -> Result<Affine, Refusal> {
        if max <= 0 {
            return Ok(Affine::constant(0));
        }
        let raw = self.value(operand, index)?;
        if let Some(known) = self.region.integer(raw) {
            return Ok(Affine::constant(known.clamp(0, max.into()) as i64));
        }
        if let Some(Position::At(index)) = self.position_of(raw, max) {
            return Ok(index);
        }
        // In the index's own type where that is a word: of 32 bits twice as many fit in a vector. Beyond s64 the clamp has to
        // come first.
        let own = self.region.dtype(raw);
        let (raw, dtype) = match own.is_u64() || own.is_u32() || own.is_s32() {
            true => (raw, own),
            false => (self.convert(raw, DType::S64), DType::S64),
        };
        let raised = if dtype.is_unsigned() {
            raw
        } else {
            let zero = self.constant(dtype, 0);
            self.binary(Opcode::Maximum, raw, zero)
        };
        let greatest = if dtype.is_u32() { i64::from(u32::MAX) } else { i64::from(i32::MAX) };
        let node = if dtype.size() == 4 && max >= greatest {
            raised
        } else {
            let top = self.constant(dtype, max as u64);
            self.binary(Opcode::Minimum, raised, top)
        };
        let node = self.convert(node, DType::S64);
        Ok(self.symbol(node, (0, max)))
    }

    /// The same, also where it follows from the axes in pieces.
    fn position_at(&mut self, operand: InstrId, index: &[Affine], max: i64) -> Result<Position, Refusal> {
        if max > 0 {
            let node = self.value(operand, index)?;
            if let Some(position) = self.position_of(node, max) {
                return Ok(position);
            }
        }
        self.clamped(operand, index, max).map(Position::At)
    }

    /// A symbol for the s64 value of a node.
    pub(super) fn symbol(&mut self, node: NodeId, range: (i64, i64)) -> Affine {
        let symbols = &mut self.region.symbols;
        let found = symbols.iter().position(|s| s.node == node && s.range == range);
        let n = found.unwrap_or_else(|| {
            symbols.push(Symbol { node, range });
            symbols.len() - 1
        });
        self.space.symbols = self.region.symbols.iter().map(|s| s.range).collect();
        Affine::symbol(n as u32)
    }

    fn gather(
        &mut self,
        instr: &Instruction,
        dims: &GatherDims,
        index: &[Affine],
    ) -> Result<NodeId, Refusal> {
        let (operand, indices) = (instr.operands[0], instr.operands[1]);
        let extents = self.shape(operand)?.dims.clone();
        let indices_rank = self.shape(indices)?.rank();
        let batch: Vec<&Affine> =
            index.iter().enumerate().filter(|(d, _)| !dims.offset_dims.contains(d)).map(|(_, i)| i).collect();
        // The position in `indices`, without the index vector dimension.
        let at = |component: usize| -> Vec<Affine> {
            let mut batch = batch.iter();
            (0..indices_rank)
                .map(|d| match d == dims.index_vector_dim {
                    true => Affine::constant(component as i64),
                    false => batch.next().map(|i| (*i).clone()).unwrap_or_default(),
                })
                .collect()
        };
        let mut moved = vec![Position::At(Affine::constant(0)); extents.len()];
        for (component, &d) in dims.start_index_map.iter().enumerate() {
            moved[d] = self.position_at(indices, &at(component), extents[d] - dims.slice_sizes[d])?;
        }
        for (&d, &b) in dims.operand_batching_dims.iter().zip(&dims.start_indices_batching_dims) {
            let position = if b > dims.index_vector_dim { b - 1 } else { b };
            moved[d] = Position::At(batch[position].clone());
        }
        let windowed = (0..extents.len())
            .filter(|d| !dims.collapsed_slice_dims.contains(d) && !dims.operand_batching_dims.contains(d));
        for (d, &o) in windowed.zip(&dims.offset_dims) {
            moved[d] = moved[d].add(&index[o]);
        }
        self.at_positions(operand, &moved)
    }
}
