//! What a run of a computation needs.
//!
//! Tuples are seen through: who reads one element of a tuple needs the operand it is made of, and not the others.
//!
//! ```text
//! t = (f32[4], f32[4]) tuple(x, y)           the result needs x; nothing needs y
//! ROOT e = f32[4] get-tuple-element(t), index=0
//! ```

use crate::effects::{Effects, pinned};
use lawson_hlo::{Attrs, Computation, InstrId, Opcode};

/// The needs of one computation.
pub struct Live {
    needed: Vec<bool>,
    behind: Vec<InstrId>,
}

impl Live {
    /// `effects` knows the computations that are called.
    pub fn of(comp: &Computation, effects: &Effects) -> Live {
        let mut live = Live { needed: vec![false; comp.instrs.len()], behind: behind_tuples(comp) };
        live.need(comp.root);
        for (id, instr) in comp.iter().rev() {
            if instr.opcode == Opcode::Parameter || effects.has(instr) {
                live.need(id);
            }
            if live.is_needed(id) && live.behind(id) == id {
                instr.operands.iter().for_each(|&o| live.need(o));
            }
        }
        live
    }

    fn need(&mut self, id: InstrId) {
        self.needed[id.index()] = true;
        self.needed[self.behind[id.index()].index()] = true;
    }

    /// Whether the root, a side effect, or the signature needs the instruction.
    pub fn is_needed(&self, id: InstrId) -> bool {
        self.needed[id.index()]
    }

    /// What an instruction stands for: an element of a tuple for the operand of that tuple, any other for itself.
    pub fn behind(&self, id: InstrId) -> InstrId {
        self.behind[id.index()]
    }
}

fn behind_tuples(comp: &Computation) -> Vec<InstrId> {
    let pinned = pinned(comp);
    let mut behind: Vec<InstrId> = Vec::with_capacity(comp.instrs.len());
    for (id, instr) in comp.iter() {
        let seen = match instr.attrs {
            Attrs::TupleIndex(n) if !pinned.contains(&id) => {
                let whole = behind[instr.operands[0].index()];
                let apart = comp[whole].opcode == Opcode::Tuple && !pinned.contains(&whole);
                apart.then(|| behind[comp[whole].operands[n].index()])
            }
            _ => None,
        };
        behind.push(seen.unwrap_or(id));
    }
    behind
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::Module;

    #[test]
    fn one_element_of_nested_tuples_needs_no_other() {
        let text = "ENTRY main {\n  x = f32[] parameter(0)\n  a = f32[] negate(x)\n  b = f32[] cosine(x)\n  \
                    c = f32[] sine(x)\n  t = (f32[], f32[]) tuple(a, b)\n  u = ((f32[], f32[]), f32[]) tuple(t, c)\n  \
                    v = (f32[], f32[]) get-tuple-element(u), index=0\n  \
                    ROOT e = f32[] get-tuple-element(v), index=1\n}\n";
        let module = Module::parse(text).expect("well formed");
        let comp = module.entry();
        let live = Live::of(comp, &Effects::of(&module));
        let needed = |(id, _): &(InstrId, _)| live.is_needed(*id);
        let names: Vec<&str> = comp.iter().filter(needed).map(|(_, i)| &*i.name).collect();
        assert_eq!(names, ["x", "b", "e"]);
        assert_eq!(&*comp[live.behind(comp.root)].name, "b");
    }
}
