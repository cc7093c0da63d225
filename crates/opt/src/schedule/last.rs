//! Kernels whose results leave the program: no other kernel reads them.

use lawson_hlo::{Computation, InstrId, Opcode};
use rustc_hash::FxHashSet;

/// The instructions of a program's entry whose values only its result holds.
pub(super) fn last(entry: &Computation) -> FxHashSet<InstrId> {
    let mut read = vec![false; entry.instrs.len()];
    let mut last = FxHashSet::default();
    for (id, instr) in entry.iter().rev() {
        // Other names for the same bytes.
        let renames = matches!(
            instr.opcode,
            Opcode::Tuple | Opcode::GetTupleElement | Opcode::Bitcast | Opcode::Reshape
        );
        if !read[id.index()] && !renames {
            last.insert(id);
        }
        if read[id.index()] || !renames {
            instr.operands.iter().for_each(|o| read[o.index()] = true);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::last;
    use crate::options::Numerics;
    use lawson_hlo::Module;
    use lawson_kernel::target::Target;

    #[test]
    fn what_is_read_by_no_kernel_is_last() {
        let module = Module::parse(
            "HloModule m\nENTRY e {\n  x = f32[6] parameter(0)\n  a = f32[6] negate(x)\n  b = f32[6] exponential(a)\n  \
             c = f32[6] sqrt(x)\n  d = f32[2,3] reshape(c)\n  e = f32[2,3] negate(d)\n  t = (f32[6], f32[6]) tuple(b, c)\n  \
             g = f32[6] get-tuple-element(t), index=0\n  h = f32[2,3] reshape(g)\n  \
             ROOT r = (f32[2,3], f32[2,3], f32[6]) tuple(h, e, a)\n}\n",
        )
        .expect("valid");
        let entry = module.entry();
        let mut names: Vec<&str> = last(entry).into_iter().map(|id| &entry[id].name[..]).collect();
        names.sort_unstable();
        assert_eq!(names, ["b", "e"], "a and c are read");
    }

    #[test]
    fn stores_of_what_nothing_reads_bypass_the_caches() {
        let module = Module::parse(
            "HloModule m\nENTRY e {\n  x = f32[1048576] parameter(0)\n  a = f32[1048576] negate(x)\n  \
             ROOT b = f32[1048576] exponential(a)\n}\n",
        )
        .expect("valid");
        let plans = |target: &Target| -> Vec<bool> {
            let scheduled =
                crate::schedule::schedule(&module, target, Numerics::Standard).expect("a program");
            let kernels = scheduled.program.kernels.iter().filter_map(|k| k.source());
            kernels.map(|k| k.plan.to_string().contains("streaming stores")).collect()
        };
        assert_eq!(plans(&Target::sapphire_rapids()), [false, true]);
        assert_eq!(plans(&Target::zen4()), [false, false], "its last-level cache has room for them");
    }
}
