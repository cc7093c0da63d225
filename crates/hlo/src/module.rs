//! Modules and computations.
//!
//! Instructions stand in a dense vector, operands before users, so one forward walk sees every value after
//! what it needs. A pass that changes a computation builds a new one ([`crate::builder`]); nothing is edited
//! through use lists.

use crate::attrs::Attrs;
use crate::ids::{CompId, InstrId};
use crate::instruction::{Instruction, Origin};
use crate::opcode::Opcode;
use crate::shape::Shape;
use std::ops::Index;
use std::sync::Arc;

/// A computation: parameters in, root out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Computation {
    /// The name, without `%`; distinct within the module.
    pub name: Arc<str>,
    /// Operands before users.
    pub instrs: Vec<Instruction>,
    pub root: InstrId,
    /// `execution_thread="…"` after the closing brace.
    pub execution_thread: Option<String>,
}

impl Index<InstrId> for Computation {
    type Output = Instruction;
    fn index(&self, id: InstrId) -> &Instruction {
        &self.instrs[id.index()]
    }
}

impl Computation {
    /// Instructions with their ids, operands before users.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (InstrId, &Instruction)> + ExactSizeIterator {
        self.instrs.iter().enumerate().map(|(i, instr)| (InstrId(i as u32), instr))
    }

    pub fn root(&self) -> &Instruction {
        &self[self.root]
    }

    /// The parameter instructions in number order (of a verified computation).
    pub fn parameters(&self) -> Vec<InstrId> {
        let mut found: Vec<(usize, InstrId)> = self
            .iter()
            .filter_map(|(id, i)| match i.attrs {
                Attrs::Parameter(n) => Some((n, id)),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id).collect()
    }

    pub fn parameter_shapes(&self) -> Vec<&Shape> {
        self.parameters().into_iter().map(|id| &self[id].shape).collect()
    }

    /// For each instruction its users in order, each once.
    pub fn users(&self) -> Vec<Vec<InstrId>> {
        let mut users: Vec<Vec<InstrId>> = vec![Vec::new(); self.instrs.len()];
        for (id, instr) in self.iter() {
            for operand in &instr.operands {
                let list = &mut users[operand.index()];
                if list.last() != Some(&id) {
                    list.push(id);
                }
            }
        }
        users
    }

    /// The operand instruction.
    pub fn operand(&self, instr: &Instruction, n: usize) -> &Instruction {
        &self[instr.operands[n]]
    }

    /// The instruction of that name.
    pub fn find(&self, name: &str) -> Option<InstrId> {
        self.iter().find(|(_, i)| &*i.name == name).map(|(id, _)| id)
    }

    /// The opcode of the root, when the computation is that one binary operation on its two scalar
    /// parameters: `add`, `maximum` …, the form of most reductions.
    pub fn as_simple_binary(&self) -> Option<Opcode> {
        let root = self.root();
        let [a, b] = root.operands[..] else { return None };
        let params = (&self[a].attrs, &self[b].attrs);
        let in_order = matches!(params, (Attrs::Parameter(0), Attrs::Parameter(1)));
        let swapped = matches!(params, (Attrs::Parameter(1), Attrs::Parameter(0)));
        use Opcode::*;
        let commutes = matches!(root.opcode, Add | Multiply | Maximum | Minimum | And | Or | Xor);
        (root.attrs == Attrs::None && commutes && (in_order || swapped)).then_some(root.opcode)
    }
}

/// One instruction of the text (or trace) a module was made from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Source {
    pub computation: Arc<str>,
    pub name: Arc<str>,
    /// Line in the HLO text, from 1; 0 when there is no text.
    pub line: u32,
    /// `source_file:source_line` of the user's program, if metadata told.
    pub location: Option<Arc<str>>,
    /// Part of the backward half of a derivative, where marks of the text tell.
    pub backward: bool,
}

/// Header attributes of a module, apart from the name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// `input_output_alias`: (output index path, parameter, parameter index path, must-alias).
    pub aliases: Vec<Alias>,
    /// `buffer_donor`: parts of parameters whose memory any result may take over.
    pub donors: Vec<Donor>,
    /// `entry_computation_layout={(…)->…}`: parameter shapes and result shape with layouts.
    pub entry_layout: Option<(Vec<Shape>, Shape)>,
    /// Every other attribute, name and value text, in order.
    pub rest: Vec<(String, String)>,
    /// The `FileNames`, `FunctionNames`, `FileLocations` and `StackFrames` tables, verbatim, if present.
    pub tables: Option<String>,
}

impl Header {
    fn count(&self, key: &str) -> Option<i64> {
        let (_, value) = self.rest.iter().find(|(k, _)| k == key)?;
        value.trim().parse().ok()
    }
}

/// One entry of `input_output_alias`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    pub output: Vec<usize>,
    pub parameter: usize,
    pub parameter_index: Vec<usize>,
    /// `must-alias`; otherwise `may-alias`.
    pub must: bool,
}

/// One entry of `buffer_donor`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Donor {
    pub parameter: usize,
    pub parameter_index: Vec<usize>,
}

/// A module: computations, one of which is the entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    pub name: Arc<str>,
    /// Callees before callers.
    pub computations: Vec<Computation>,
    pub entry: CompId,
    pub header: Header,
    /// What origins refer to.
    pub sources: Vec<Source>,
}

impl Index<CompId> for Module {
    type Output = Computation;
    fn index(&self, id: CompId) -> &Computation {
        &self.computations[id.index()]
    }
}

impl Module {
    pub fn entry(&self) -> &Computation {
        &self[self.entry]
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (CompId, &Computation)> + ExactSizeIterator {
        self.computations.iter().enumerate().map(|(i, c)| (CompId(i as u32), c))
    }

    pub fn find(&self, name: &str) -> Option<CompId> {
        self.iter().find(|(_, c)| &*c.name == name).map(|(id, _)| id)
    }

    /// The user's source lines an origin stands for, distinct, in order: `model.py:12`, else none.
    pub fn locations(&self, origin: &Origin) -> Vec<Arc<str>> {
        let mut out: Vec<Arc<str>> = Vec::new();
        for &s in origin.sources() {
            if let Some(l) = self.sources.get(s as usize).and_then(|s| s.location.clone())
                && !out.contains(&l)
            {
                out.push(l);
            }
        }
        out
    }

    /// `replica_count=` of the header, where it is stated and a number; 1 is what XLA assumes.
    pub fn replica_count(&self) -> Option<i64> {
        self.header.count("replica_count")
    }

    /// `num_partitions=` of the header, as [`Module::replica_count`].
    pub fn num_partitions(&self) -> Option<i64> {
        self.header.count("num_partitions")
    }

    /// Total number of instructions.
    pub fn instruction_count(&self) -> usize {
        self.computations.iter().map(|c| c.instrs.len()).sum()
    }
}
