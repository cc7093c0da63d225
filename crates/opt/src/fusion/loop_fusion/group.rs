//! The instructions of a loop kernel: the loop or several, what makes their initial values, what uses their results.

use crate::fusion::role::{Role, role};
use lawson_hlo::{Computation, InstrId, Opcode};
use lawson_kernel::refusal::Refusal;
use std::collections::BTreeSet;

/// Instructions of one computation that become one kernel.
#[derive(Clone, Debug)]
pub struct Group {
    /// The loop; of several the last.
    pub at: InstrId,
    /// All of them, in the order in which they run.
    pub loops: Vec<InstrId>,
    pub members: BTreeSet<InstrId>,
    /// What others read of it: elements of the loop's result and members of the epilogue.
    pub outputs: Vec<InstrId>,
    /// Producers of initial values that cannot be part of it.
    pub refused: Vec<(InstrId, Refusal)>,
    /// Another loop that stays on the host calls the same computations: later passes change those.
    pub shared: bool,
}

impl Group {
    /// The loop with its state and the elements read of its result.
    ///
    /// # Errors
    /// A loop whose state is not put together where it starts, or whose result is used whole.
    pub fn bare(comp: &Computation, at: InstrId) -> Result<Group, Refusal> {
        let refusal = Refusal::Host { opcode: Opcode::While };
        let state = comp[at].operands[0];
        let users = comp.users();
        let elements = &users[at.index()];
        let whole = elements.iter().any(|&u| comp[u].opcode != Opcode::GetTupleElement) || comp.root == at;
        if comp[state].opcode != Opcode::Tuple || whole || elements.is_empty() {
            return Err(refusal);
        }
        if [at, state].iter().any(|&id| is_pinned(comp, id)) {
            return Err(Refusal::ControlDependence { opcode: Opcode::While });
        }
        let members = [state, at].into_iter().chain(elements.iter().copied()).collect();
        let (loops, outputs, refused) = (vec![at], Vec::new(), Vec::new());
        let group = Group { at, loops, members, outputs, refused, shared: false };
        Ok(group.with_outputs(comp, &users))
    }

    /// The producers of what the group reads that may be part of it.
    pub fn producers(&self, comp: &Computation, earlier: &[Group]) -> Vec<InstrId> {
        let grown = self.with_prologue(comp, earlier, &[]);
        let reads: BTreeSet<InstrId> =
            self.members.iter().flat_map(|m| comp[*m].operands.iter().copied()).collect();
        reads.into_iter().filter(|id| grown.members.contains(id) && !self.members.contains(id)).collect()
    }

    /// This group with the producers of initial values that nobody else uses and no earlier loop has computed, but
    /// for those left out.
    pub fn with_prologue(&self, comp: &Computation, earlier: &[Group], left_out: &[InstrId]) -> Group {
        let users = comp.users();
        let mut members = self.members.clone();
        for n in (0..self.at.0).rev().map(InstrId) {
            let used = &users[n.index()];
            // Loops that start alike may share the state they start from.
            let shared = |u: &InstrId| {
                comp[*u].opcode == Opcode::Tuple && users[u.index()].iter().any(|v| !members.contains(v))
            };
            let inside = !used.is_empty() && used.iter().all(|u| members.contains(u) && !shared(u));
            let taken = earlier.iter().any(|g| g.members.contains(&n));
            let element = comp[n].opcode == Opcode::GetTupleElement;
            if inside && !taken && !element && !left_out.contains(&n) && n != comp.root && is_map(comp, n) {
                members.insert(n);
            }
        }
        Group { members, ..self.clone() }
    }

    /// This group with the elementwise users of results, as far as all they read is there before the loop.
    pub fn with_epilogue(&self, comp: &Computation) -> Group {
        let users = comp.users();
        let mut members = self.members.clone();
        for (id, instr) in comp.iter().skip(self.at.index() + 1) {
            let after =
                |o: &InstrId| *o > self.at && !members.contains(o) && role(comp, *o, false) != Role::Code;
            let reads = instr.operands.iter().any(|o| *o > self.at && members.contains(o));
            if reads && !instr.operands.iter().any(after) && is_map(comp, id) {
                members.insert(id);
            }
        }
        Group { members, ..self.clone() }.with_outputs(comp, &users)
    }

    /// This group and then another one as one kernel; `None` where something else must run between the two.
    pub fn then(&self, comp: &Computation, next: &Group) -> Option<Group> {
        let members: BTreeSet<InstrId> = self.members.union(&next.members).copied().collect();
        let mut rests = vec![false; comp.instrs.len()];
        for (id, instr) in comp.iter() {
            let inside = members.contains(&id);
            let below = instr.operands.iter().any(|o| rests[o.index()] || self.outputs.contains(o));
            if inside && instr.operands.iter().any(|o| rests[o.index()]) {
                return None;
            }
            rests[id.index()] = below && !inside;
        }
        let users = comp.users();
        let outputs = self.outputs.iter().chain(&next.outputs).copied();
        let read = |id: &InstrId| comp.root == *id || users[id.index()].iter().any(|u| !members.contains(u));
        let outputs = outputs.filter(read).collect();
        let loops = self.loops.iter().chain(&next.loops).copied().collect();
        let refused = self.refused.iter().chain(&next.refused).cloned().collect();
        Some(Group { at: next.at, loops, members, outputs, refused, shared: false })
    }

    fn with_outputs(mut self, comp: &Computation, users: &[Vec<InstrId>]) -> Group {
        let read = |&id: &InstrId| {
            let outside = users[id.index()].iter().any(|u| !self.members.contains(u));
            id > self.at && (outside || comp.root == id)
        };
        self.outputs = self.members.iter().copied().filter(read).collect();
        self
    }
}

fn is_map(comp: &Computation, id: InstrId) -> bool {
    matches!(role(comp, id, is_pinned(comp, id)), Role::Map | Role::Rename)
}

/// Whether control dependences hold an instruction, or others to it.
fn is_pinned(comp: &Computation, id: InstrId) -> bool {
    let before = |n: InstrId| comp[n].notes.as_ref().map_or(&[][..], |n| &n.control_predecessors);
    !before(id).is_empty() || comp.iter().any(|(other, _)| before(other).contains(&id))
}
