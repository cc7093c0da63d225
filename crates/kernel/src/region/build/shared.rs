//! Which instructions are stages: values that would be repeated become stages, small reductions need not be.
//!
//! The exponentials of a softmax are summed and then divided by the sum. As part of both expressions each would be
//! evaluated twice; as a map of its own it is evaluated once, and both stages read it. What is made of a product's
//! elements, one by one, is such a value too: it costs nothing where the product is made. The forces between bodies
//! i and j need one root for all their components: a map over i and j, which the sum over j reads for each. A step of a
//! stencil is read by the next step at each place around a point.
//!
//! The other way round a reduction of a few elements that one stage reads once is part of its expression (`few`).

use super::builder::{Builder, Output, SMALL, is_hero};
use crate::rates;
use crate::refusal::Refusal;
use crate::region::Kind;
use lawson_hlo::index::Affine;
use lawson_hlo::opcode::Class;
use lawson_hlo::{ArrayShape, Computation, InstrId, Opcode};
use rustc_hash::{FxHashMap, FxHashSet};

/// The stages that evaluate a value as part of their expressions.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Readers {
    #[default]
    None,
    One(Stage),
    Several,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Of(InstrId),
    /// The map of the outputs with these dimensions, by the first of them.
    Outputs(usize),
}

impl Readers {
    fn and(self, other: Readers) -> Readers {
        match (self, other) {
            (Readers::None, r) | (r, Readers::None) => r,
            (a, b) if a == b => a,
            _ => Readers::Several,
        }
    }
}

/// Slices of a value have so many times its elements, where it is read around each of its points.
const AROUND: i64 = 2;

/// What is a stage against the opcode's habit.
#[derive(Default)]
pub(super) struct Sharing {
    /// Values that become maps of their own.
    pub maps: FxHashSet<InstrId>,
    /// Reductions that become part of an expression.
    pub inlined: FxHashSet<InstrId>,
}

/// The places of instructions among some of a computation.
enum Places {
    /// By instruction, of a small computation.
    Dense(Vec<u32>),
    Sparse(FxHashMap<InstrId, u32>),
}

impl Places {
    fn new(comp: &Computation, some: &[InstrId]) -> Places {
        let places = some.iter().copied().zip(0..);
        if comp.instrs.len() > SMALL {
            return Places::Sparse(places.collect());
        }
        let mut dense = vec![0; comp.instrs.len()];
        places.for_each(|(id, n)| dense[id.index()] = n);
        Places::Dense(dense)
    }

    fn of(&self, id: &InstrId) -> usize {
        match self {
            Places::Dense(all) => all[id.index()] as usize,
            Places::Sparse(all) => all[id] as usize,
        }
    }
}

impl Builder<'_> {
    /// Decides for each instruction. `needed` are those the outputs need, in order.
    pub(super) fn sharing(&self, outputs: &[Output], needed: &[InstrId]) -> Sharing {
        let mut sharing = Sharing::default();
        // By their places among these, since the region may be a small part of a large computation.
        let places = Places::new(self.comp, needed);
        let inside: Vec<bool> = needed.iter().map(|id| !self.inputs.contains_key(id)).collect();
        let opcode = |n: usize| self.comp[needed[n]].opcode;
        let hero = |n: usize| inside[n] && is_hero(opcode(n));
        let within = || (0..needed.len()).filter(|&n| inside[n]);
        let staged = |o| matches!(o, Opcode::Reduce | Opcode::Dot | Opcode::Convolution);
        let mut heroes = within().filter(|&n| hero(n)).map(opcode).peekable();
        if heroes.peek().is_none() {
            sharing.maps = self.read_around(needed, &places, &inside);
            return sharing;
        }
        if !heroes.all(staged) {
            return sharing;
        }
        let array = |n: usize| self.comp[needed[n]].shape.as_array();
        let elements: Vec<i64> =
            (0..needed.len()).map(|n| array(n).map_or(0, ArrayShape::elements)).collect();
        let largest = within().map(|n| elements[n]).max().unwrap_or(0);
        let operands = |n: usize| self.comp[needed[n]].operands.iter().map(|o| places.of(o));
        let mut rests = vec![false; needed.len()];
        for n in within() {
            rests[n] = hero(n) || operands(n).any(|o| rests[o]);
        }
        // Elementwise operations on a product, in place.
        let mut of_product = vec![false; needed.len()];
        for n in within().filter(|&n| !hero(n)) {
            let product = |o: usize| {
                let made = of_product[o] || hero(o) && opcode(o) != Opcode::Reduce;
                made && array(o).map(|s| &s.dims) == array(n).map(|s| &s.dims)
            };
            let elementwise = matches!(opcode(n).class(), Class::Unary | Class::Binary | Class::Elementwise);
            of_product[n] = elementwise && operands(n).any(product);
        }
        let mut readers = vec![Readers::None; needed.len()];
        for (n, (id, _)) in outputs.iter().enumerate() {
            let dims = |id: InstrId| self.comp[id].shape.as_array().map(|s| &s.dims);
            let first = outputs.iter().position(|o| dims(o.0) == dims(*id)).unwrap_or(n);
            let known = &mut readers[places.of(id)];
            *known = known.and(Readers::One(Stage::Outputs(first)));
        }
        for n in within().rev() {
            let (id, own_readers) = (needed[n], readers[n]);
            let worth = rests[n] || elements[n] == largest;
            let several = own_readers == Readers::Several;
            let repeated = rests[n] && self.is_repeated(id, own_readers);
            let dear = rates::is_expensive(&self.comp[needed[n]]);
            let wanted = several && worth && (dear || of_product[n]) || repeated && dear;
            let shared = !hero(n) && wanted && !self.repeats;
            let inlined = hero(n) && self.is_part(id, own_readers);
            if shared {
                sharing.maps.insert(id);
            }
            if inlined {
                sharing.inlined.insert(id);
            }
            let own = shared || hero(n) && !inlined;
            for o in operands(n) {
                // A product reads each element of its operands many times.
                let reader = match opcode(n) {
                    Opcode::Dot | Opcode::Convolution if rests[o] => Readers::Several,
                    _ if own => Readers::One(Stage::Of(id)),
                    _ => own_readers,
                };
                readers[o] = readers[o].and(reader);
            }
        }
        sharing
    }

    /// Values that are computed and of which slices overlap, so that most elements are read several times: as a step of a stencil is
    /// by the next one.
    fn read_around(&self, needed: &[InstrId], places: &Places, inside: &[bool]) -> FxHashSet<InstrId> {
        if self.repeats {
            return FxHashSet::default();
        }
        let elements = |id: InstrId| self.comp[id].shape.as_array().map_or(0, ArrayShape::elements);
        let mut sliced = vec![0i64; needed.len()];
        for (&id, _) in needed.iter().zip(inside).filter(|(_, inside)| **inside) {
            let instr = &self.comp[id];
            if instr.opcode == Opcode::Slice {
                let read = &mut sliced[places.of(&instr.operands[0])];
                *read = read.saturating_add(elements(id));
            }
        }
        let computed = |n: &usize| inside[*n] && self.comp[needed[*n]].opcode.is_elementwise();
        let around = |n: &usize| sliced[*n] > 0 && sliced[*n] >= elements(needed[*n]).saturating_mul(AROUND);
        (0..needed.len()).filter(around).filter(computed).map(|n| needed[n]).collect()
    }

    /// Whether a reduction evaluates a value again and again: for each of its results, while it changes with what is
    /// reduced.
    fn is_repeated(&self, id: InstrId, readers: Readers) -> bool {
        let Readers::One(Stage::Of(reader)) = readers else { return false };
        let instr = &self.comp[reader];
        let elements = |id: InstrId| self.comp[id].shape.as_array().map_or(0, |s| s.elements());
        instr.opcode == Opcode::Reduce
            && elements(id) > instr.shape.leaves().first().map_or(0, |l| l.elements())
            && elements(instr.operands[0]) >= elements(id).saturating_mul(2)
    }

    /// Whether a reduction of a few elements is read by one stage that has no more points than it has results, or may
    /// repeat it.
    fn is_part(&self, id: InstrId, readers: Readers) -> bool {
        let Readers::One(Stage::Of(reader)) = readers else { return false };
        let elements = |id: InstrId| self.comp[id].shape.as_array().map_or(0, |s| s.elements());
        let points = match (self.comp[reader].opcode, self.comp[reader].operands.first()) {
            (Opcode::Dot | Opcode::Convolution, _) | (_, None) => return false,
            (Opcode::Reduce, Some(&operand)) => elements(operand),
            _ => elements(reader),
        };
        self.is_few(id) && (self.repeats || points <= elements(id))
    }

    /// The map stage of an instruction.
    pub(super) fn map_of(&mut self, id: InstrId) -> Result<super::Stage, Refusal> {
        let shape = self.shape(id)?.clone();
        self.enter(&shape.dims, &[]);
        let index: Vec<Affine> = (0..shape.dims.len()).map(Affine::axis).collect();
        let value = self.value(id, &index)?;
        let instr = &self.comp[id];
        Ok(super::Stage {
            name: instr.name.to_string(),
            opcode: instr.opcode,
            elements: shape.elements(),
            space: shape.dims,
            inner: Vec::new(),
            kind: Kind::Map { values: vec![value] },
            results: vec![self.region.dtype(value)],
        })
    }
}
