//! The computation of a piece, of all elements or of a block of them.

use super::find::{Chain, Piece, extents};
use super::leaf::Leaf;
use crate::make;
use lawson_hlo::attrs::{FusionKind, SliceDim};
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Origin, Shape,
};
use rustc_hash::FxHashMap;

/// What a piece computes on.
pub enum Extent<'a> {
    Whole,
    /// So many elements, of arrays of which a block has these parts.
    Block {
        length: i64,
        parts: &'a FxHashMap<InstrId, Part>,
    },
}

/// The part of an array that a block reads.
pub struct Part {
    /// The dimension that blocks divide.
    pub dim: usize,
    /// Where the part of the first block begins.
    pub starts: Vec<i64>,
    pub shape: ArrayShape,
}

/// The computation, and the values it reads: leaves' sources, and members of other pieces.
pub fn body(
    module: &Module,
    comp: &Computation,
    chain: &Chain,
    piece: &Piece,
    extent: &Extent<'_>,
) -> (Computation, Vec<InstrId>) {
    let (map, parameters) = (FxHashMap::default(), FxHashMap::default());
    let writer = Writer { b: Builder::new(module), comp, chain, extent, map, parameters, reads: Vec::new() };
    writer.write(piece)
}

/// Calls the kernel of a piece.
pub fn call(
    b: &mut Builder<'_>,
    comp: &Computation,
    piece: &Piece,
    (called, reads): (CompId, &[InstrId]),
    map: &mut [Option<InstrId>],
) {
    let operands = reads.iter().map(|r| map[r.index()].expect("what is read comes first")).collect();
    let origin = Origin::union_of(piece.members.iter().map(|m| &comp[*m].origin));
    let (shape, last) =
        (b.module[called].root().shape.clone(), &comp[piece.members[piece.members.len() - 1]]);
    let attrs = Attrs::Fusion { kind: FusionKind::Loop, calls: called };
    let fusion = b.push(Instruction::new(last.name.clone(), Opcode::Fusion, shape, operands, attrs, origin));
    match piece.outputs[..] {
        [one] => map[one.index()] = Some(fusion),
        _ => {
            for (n, &output) in piece.outputs.iter().enumerate() {
                b.origin = comp[output].origin.clone();
                map[output.index()] = Some(make::element(b, fusion, n));
            }
        }
    }
}

struct Writer<'a> {
    b: Builder<'a>,
    comp: &'a Computation,
    chain: &'a Chain,
    extent: &'a Extent<'a>,
    map: FxHashMap<InstrId, InstrId>,
    parameters: FxHashMap<InstrId, InstrId>,
    reads: Vec<InstrId>,
}

impl Writer<'_> {
    fn write(mut self, piece: &Piece) -> (Computation, Vec<InstrId>) {
        let comp = self.comp;
        for &member in &piece.members {
            let instr = &comp[member];
            let operands: Vec<InstrId> = instr.operands.iter().map(|&o| self.operand(o)).collect();
            let mut copy = instr.clone();
            copy.operands = operands;
            copy.shape = Shape::Array(self.resized(instr.shape.expect_array()));
            let new = self.b.push(copy);
            self.map.insert(member, new);
        }
        let outputs: Vec<InstrId> = piece.outputs.iter().map(|o| self.map[o]).collect();
        let root = match outputs[..] {
            [one] => one,
            _ => make::tuple(&mut self.b, &outputs),
        };
        (self.b.finish("chain", root), self.reads)
    }

    /// The shape of a block, of an array over the elements of the chain.
    fn resized(&self, shape: &ArrayShape) -> ArrayShape {
        match self.extent {
            Extent::Block { length, .. } if extents(&shape.dims) == self.chain.dims => {
                let extent = |&extent: &i64| if extent == 1 { 1 } else { *length };
                ArrayShape::new(shape.dtype, shape.dims.iter().map(extent).collect::<Vec<_>>())
            }
            _ => shape.clone(),
        }
    }

    fn operand(&mut self, id: InstrId) -> InstrId {
        if let Some(&known) = self.map.get(&id) {
            return known;
        }
        let comp = self.comp;
        let instr = &comp[id];
        self.b.origin = instr.origin.clone();
        let new = match self.chain.leaves.get(&id) {
            None => {
                let shape = self.resized(instr.shape.expect_array());
                self.parameter(id, Shape::Array(shape))
            }
            Some(Leaf::Whole(source)) => self.source(*source),
            Some(Leaf::Code) => self.constant(instr),
            Some(&(Leaf::Spread(source) | Leaf::SpreadCode(source))) => {
                let operand = match self.chain.leaves[&id].source() {
                    Some(source) => self.source(source),
                    None => self.b.push(comp[source].clone()),
                };
                let mut copy = instr.clone();
                copy.operands = vec![operand];
                copy.shape = Shape::Array(self.resized(instr.shape.expect_array()));
                self.b.push(copy)
            }
            Some(Leaf::Part(source, ranges)) => {
                let (operand, mut ranges) = (self.source(*source), ranges.clone());
                if let Extent::Block { length, parts } = self.extent
                    && let Some(part) = parts.get(source)
                {
                    for (d, (range, start)) in ranges.iter_mut().zip(&part.starts).enumerate() {
                        let extent = if d == part.dim { *length } else { range.limit - range.start };
                        let start = range.start - start;
                        *range = SliceDim { start, limit: start + extent, stride: 1 };
                    }
                }
                let slice = self.b.add(Opcode::Slice, &[operand], Attrs::Slice(ranges));
                let dims = self.resized(instr.shape.expect_array()).dims;
                self.b.reshape(slice, &dims)
            }
        };
        self.map.insert(id, new);
        new
    }

    /// A value from outside, or the part of it that a block reads.
    fn source(&mut self, id: InstrId) -> InstrId {
        if let Some(&known) = self.parameters.get(&id) {
            return known;
        }
        let instr = &self.comp[id];
        let shape = match self.extent {
            Extent::Block { parts, .. } if parts.contains_key(&id) => Shape::Array(parts[&id].shape.clone()),
            _ => instr.shape.clone(),
        };
        self.parameter(id, shape)
    }

    fn parameter(&mut self, id: InstrId, shape: Shape) -> InstrId {
        let instr = &self.comp[id];
        let attrs = Attrs::Parameter(self.reads.len());
        self.reads.push(id);
        let (name, origin) = (instr.name.clone(), instr.origin.clone());
        let new = self.b.push(Instruction::new(name, Opcode::Parameter, shape, Vec::new(), attrs, origin));
        self.parameters.insert(id, new);
        new
    }

    fn constant(&mut self, instr: &Instruction) -> InstrId {
        let shape = instr.shape.expect_array();
        let resized = self.resized(shape);
        match &instr.attrs {
            Attrs::Constant(Some(value)) if resized != *shape => {
                let value = value.as_array().and_then(|l| l.splat_value()).expect("equal elements");
                self.b.splat(&resized, value)
            }
            _ => self.b.push(instr.clone()),
        }
    }
}
