//! Which instructions are stages: values that would be repeated become stages, small reductions need not be.
//!
//! The exponentials of a softmax are summed and then divided by the sum. As part of both expressions each would be
//! evaluated twice; as a map of its own it is evaluated once, and both stages read it. What is made of a product's
//! elements, one by one, is such a value too: it costs nothing where the product is made. The forces between bodies
//! i and j need one root for all their components: a map over i and j, which the sum over j reads for each.
//!
//! The other way round a reduction of a few elements that one stage reads once is part of its expression ([`few`]).

use super::*;
use crate::rates;
use lawson_hlo::opcode::Class;
use rustc_hash::FxHashSet;

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

/// What is a stage against the opcode's habit.
#[derive(Default)]
pub(super) struct Sharing {
    /// Values that become maps of their own.
    pub maps: FxHashSet<InstrId>,
    /// Reductions that become part of an expression.
    pub inlined: FxHashSet<InstrId>,
}

impl Builder<'_> {
    /// Decides for each instruction. `needed` are those the outputs need, in order.
    pub(super) fn sharing(&self, outputs: &[Output], needed: &[InstrId]) -> Sharing {
        // Sets, since the region may be a small part of a large computation.
        let mut sharing = Sharing::default();
        let inside = |id: &InstrId| !self.inputs.contains_key(id);
        let hero = |id: InstrId| inside(&id) && is_hero(self.comp[id].opcode);
        let staged = |o| matches!(o, Opcode::Reduce | Opcode::Dot | Opcode::Convolution);
        let mut heroes = needed.iter().filter(|id| hero(**id)).map(|id| self.comp[*id].opcode).peekable();
        if heroes.peek().is_none() || !heroes.all(staged) {
            return sharing;
        }
        let elements = |id: InstrId| self.comp[id].shape.as_array().map_or(0, |s| s.elements());
        let largest = needed.iter().filter(|id| inside(id)).map(|id| elements(*id)).max().unwrap_or(0);
        let mut rests: FxHashSet<InstrId> = FxHashSet::default();
        for &id in needed.iter().filter(|id| inside(id)) {
            if hero(id) || self.comp[id].operands.iter().any(|o| rests.contains(o)) {
                rests.insert(id);
            }
        }
        // Elementwise operations on a product, in place.
        let mut of_product: FxHashSet<InstrId> = FxHashSet::default();
        for &id in needed.iter().filter(|id| inside(id) && !hero(**id)) {
            let instr = &self.comp[id];
            let product = |o: &InstrId| {
                let made = of_product.contains(o) || hero(*o) && self.comp[*o].opcode != Opcode::Reduce;
                made && self.comp[*o].shape.as_array().map(|s| &s.dims)
                    == instr.shape.as_array().map(|s| &s.dims)
            };
            let elementwise =
                matches!(instr.opcode.class(), Class::Unary | Class::Binary | Class::Elementwise);
            if elementwise && instr.operands.iter().any(product) {
                of_product.insert(id);
            }
        }
        let mut readers: FxHashMap<InstrId, Readers> = FxHashMap::default();
        for (n, (id, _)) in outputs.iter().enumerate() {
            let dims = |id: InstrId| self.comp[id].shape.as_array().map(|s| &s.dims);
            let first = outputs.iter().position(|o| dims(o.0) == dims(*id)).unwrap_or(n);
            let known = readers.entry(*id).or_default();
            *known = known.and(Readers::One(Stage::Outputs(first)));
        }
        for &id in needed.iter().rev().filter(|id| inside(id)) {
            let instr = &self.comp[id];
            let own_readers = readers.get(&id).copied().unwrap_or_default();
            let worth = rests.contains(&id) || elements(id) == largest;
            let several = own_readers == Readers::Several;
            let repeated = rests.contains(&id) && self.is_repeated(id, own_readers);
            let dear = rates::is_expensive(instr.opcode);
            let wanted = several && worth && (dear || of_product.contains(&id)) || repeated && dear;
            let shared = !hero(id) && wanted && !self.repeats;
            let inlined = hero(id) && self.is_part(id, own_readers);
            if shared {
                sharing.maps.insert(id);
            }
            if inlined {
                sharing.inlined.insert(id);
            }
            let own = shared || hero(id) && !inlined;
            for operand in &instr.operands {
                // A product reads each element of its operands many times.
                let reader = match instr.opcode {
                    Opcode::Dot | Opcode::Convolution if rests.contains(operand) => Readers::Several,
                    _ if own => Readers::One(Stage::Of(id)),
                    _ => own_readers,
                };
                let known = readers.entry(*operand).or_default();
                *known = known.and(reader);
            }
        }
        sharing
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
        self.few(id).is_some() && (self.repeats || points <= elements(id))
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
