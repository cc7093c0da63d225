//! One instruction: opcode, shape, operands, attributes, and where it comes from.

use crate::attrs::Attrs;
use crate::ids::InstrId;
use crate::opcode::Opcode;
use crate::shape::Shape;
use crate::sharding::Sharding;
use std::sync::Arc;

/// The input instructions an instruction comes from: sorted, distinct indices into [`crate::Module::sources`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin(Arc<[u32]>);

impl Origin {
    /// The origin of the input instruction itself.
    pub fn single(source: u32) -> Origin {
        Origin(Arc::new([source]))
    }

    /// The union; cheap when one side holds the other.
    pub fn union(&self, other: &Origin) -> Origin {
        if Arc::ptr_eq(&self.0, &other.0) || self.holds(other) {
            return self.clone();
        }
        if other.holds(self) {
            return other.clone();
        }
        let mut all: Vec<u32> = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut a, mut b) = (&self.0[..], &other.0[..]);
        while let ([x, rest @ ..], [y, others @ ..]) = (a, b) {
            all.push(*x.min(y));
            if x <= y {
                a = rest;
            }
            if y <= x {
                b = others;
            }
        }
        all.extend(a.iter().chain(b));
        Origin(all.into())
    }

    /// The union of any number, in the time it takes to sort them.
    pub fn union_of<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> Origin {
        let mut all: Vec<u32> = Vec::new();
        origins.into_iter().for_each(|o| all.extend(&*o.0));
        all.sort_unstable();
        all.dedup();
        Origin(all.into())
    }

    fn holds(&self, other: &Origin) -> bool {
        other.0.len() <= self.0.len() && other.0.iter().all(|s| self.0.binary_search(s).is_ok())
    }

    pub fn sources(&self) -> &[u32] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Attributes that change no value. Printed after the meaning-bearing ones, in this order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Notes {
    /// `channel_id=` of an operation that is none of those whose meaning it is part of.
    pub channel_id: Option<i64>,
    /// `sharding={…}` of the result.
    pub sharding: Option<Sharding>,
    /// `frontend_attributes={k="v"}`: key and value text (quotes and all), in order.
    pub frontend_attributes: Vec<(String, String)>,
    /// `control-predecessors={…}`.
    pub control_predecessors: Vec<InstrId>,
    /// `metadata={op_name="…" …}`: key and value text, in order.
    pub metadata: Vec<(String, String)>,
    /// `backend_config=…`, the text of the value (a quoted string or JSON).
    pub backend_config: Option<String>,
    /// Any other attribute allowed everywhere (`operand_precision`, `result_accuracy`, `statistics` …):
    /// name and value text, in order.
    pub rest: Vec<(String, String)>,
}

impl Notes {
    pub fn is_empty(&self) -> bool {
        *self == Notes::default()
    }

    /// The value of a metadata key without its quotes.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.metadata.iter().find(|(k, _)| k == key).map(|(_, v)| v.trim_matches('"'))
    }

    /// The value of a frontend attribute without its quotes.
    pub fn frontend_attribute(&self, key: &str) -> Option<&str> {
        self.frontend_attributes.iter().find(|(k, _)| k == key).map(|(_, v)| v.trim_matches('"'))
    }
}

/// One instruction of a computation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instruction {
    /// The name, without `%`; distinct within its computation.
    pub name: Arc<str>,
    pub opcode: Opcode,
    pub shape: Shape,
    pub operands: Vec<InstrId>,
    pub attrs: Attrs,
    /// Instructions with equal notes may share them: thousands come from one line of a program.
    pub notes: Option<Arc<Notes>>,
    pub origin: Origin,
}

impl Instruction {
    pub fn new(
        name: impl Into<Arc<str>>,
        opcode: Opcode,
        shape: Shape,
        operands: Vec<InstrId>,
        attrs: Attrs,
        origin: Origin,
    ) -> Instruction {
        Instruction { name: name.into(), opcode, shape, operands, attrs, notes: None, origin }
    }

    /// The notes, to be changed for this instruction alone; made where there are none.
    pub fn notes_mut(&mut self) -> &mut Notes {
        Arc::make_mut(self.notes.get_or_insert_default())
    }

    /// Renames the control predecessors; those without a new name go.
    pub fn map_predecessors(&mut self, f: impl FnMut(InstrId) -> Option<InstrId>) {
        // Shared notes stay shared where there is nothing to change.
        if self.notes.as_ref().is_some_and(|n| !n.control_predecessors.is_empty()) {
            let predecessors = &mut self.notes_mut().control_predecessors;
            *predecessors = predecessors.iter().copied().filter_map(f).collect();
        }
    }

    /// The frontend attribute of that key, without its quotes.
    pub fn frontend_attribute(&self, key: &str) -> Option<&str> {
        self.notes.as_ref()?.frontend_attribute(key)
    }

    /// Must stay, in order, even when nothing uses the result.
    pub fn has_side_effect(&self) -> bool {
        use Opcode::*;
        match self.opcode {
            Infeed | Outfeed | Send | SendDone | Recv | RecvDone | RngGetAndUpdateState => true,
            CustomCall => matches!(&self.attrs, Attrs::CustomCall(c) if c.has_side_effect),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;

    #[test]
    fn unions_are_sorted_and_distinct() {
        let of = |sources: &[u32]| {
            sources.iter().map(|&s| Origin::single(s)).reduce(|a, b| a.union(&b)).expect("some")
        };
        assert_eq!(of(&[3, 1, 2]).sources(), [1, 2, 3]);
        assert_eq!(of(&[1, 4]).union(&of(&[2, 4, 7])).sources(), [1, 2, 4, 7]);
        assert_eq!(of(&[2]).union(&of(&[1, 2])), of(&[1, 2]));
        assert_eq!(of(&[1, 2]).union(&of(&[2])), of(&[2, 1]));
        assert_eq!(Origin::union_of([&of(&[4, 1]), &of(&[2]), &of(&[7, 4])]).sources(), [1, 2, 4, 7]);
    }
}
