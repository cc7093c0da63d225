//! The kernels of a computation, and the arrays that only kernels know.

use crate::effects::pinned;
use crate::fusion::limits::MAX_NODES;
use crate::fusion::role::{Role, role};
use crate::planning::cut::kernel_cut;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

/// A kernel, by its position among those of a computation.
pub type KernelId = usize;

/// An instruction of the host that is one kernel.
pub struct Kernel {
    pub instr: InstrId,
    /// The arrays behind its parameters.
    pub operands: Vec<InstrId>,
    /// The arrays it makes, by the instructions that stand for them: itself, or one for each element.
    pub results: Vec<Option<InstrId>>,
}

impl Kernel {
    /// What it reads and makes.
    pub fn arrays(&self) -> impl Iterator<Item = InstrId> + '_ {
        self.operands.iter().copied().chain(self.results.iter().flatten().copied())
    }
}

/// An array that one kernel makes, or a constant, and that kernels read, and nobody else.
pub struct Between {
    pub array: InstrId,
    /// `None` for a constant.
    pub made_by: Option<KernelId>,
    pub users: Vec<KernelId>,
}

/// Bytes of a constant that may be turned: that is done here and now, by the interpreter.
const MAX_CONSTANT: i64 = 16 << 20;

/// In program order.
#[derive(Default)]
pub struct Kernels {
    pub all: Vec<Kernel>,
    pub between: Vec<Between>,
}

impl Kernels {
    /// Whether an array is one of those between kernels.
    pub fn may_be_turned(&self, array: InstrId) -> bool {
        // In program order, as instructions are.
        self.between.binary_search_by_key(&array, |b| b.array).is_ok()
    }

    pub fn of(module: &Module, comp: &Computation) -> Kernels {
        let pinned = pinned(comp);
        let mut finder = Finder::new(comp);
        for (id, instr) in comp.iter() {
            if is_kernel(module, comp, id, pinned.contains(&id)) {
                finder.kernel(id, kernel_cut(module, comp, id).operands);
                if !has_separate_results(module, instr) {
                    finder.kept.insert(id);
                }
            } else if let Attrs::TupleIndex(index) = instr.attrs
                && let Some(&kernel) = finder.kernels.get(&instr.operands[0])
            {
                finder.element(id, kernel, index);
            } else if instr.shape.as_array().is_some_and(|a| a.bytes() <= MAX_CONSTANT)
                && matches!(instr.attrs, Attrs::Constant(Some(_)))
            {
                finder.between(id, None);
            } else {
                finder.kept.extend(&instr.operands);
            }
        }
        let Finder { mut out, kept, .. } = finder;
        let is_kept = |k: KernelId| kept.contains(&out.all[k].instr);
        let is_free = |b: &Between| !kept.contains(&b.array) && !b.made_by.is_some_and(is_kept);
        out.between.retain(|b| !b.users.is_empty() && is_free(b));
        out
    }
}

struct Finder<'a> {
    comp: &'a Computation,
    out: Kernels,
    kernels: FxHashMap<InstrId, KernelId>,
    /// The position of each array among those between kernels.
    made: FxHashMap<InstrId, usize>,
    /// What others than kernels look at.
    kept: FxHashSet<InstrId>,
}

impl<'a> Finder<'a> {
    fn new(comp: &'a Computation) -> Finder<'a> {
        Finder {
            comp,
            out: Kernels::default(),
            kernels: FxHashMap::default(),
            made: FxHashMap::default(),
            kept: FxHashSet::from_iter([comp.root]),
        }
    }

    fn kernel(&mut self, id: InstrId, operands: Vec<InstrId>) {
        let kernel = self.out.all.len();
        for operand in &operands {
            if let Some(&n) = self.made.get(operand)
                && self.out.between[n].users.last() != Some(&kernel)
            {
                self.out.between[n].users.push(kernel);
            }
        }
        let instr = &self.comp[id];
        let results = match &instr.shape {
            Shape::Tuple(elements) => vec![None; elements.len()],
            _ => vec![Some(id)],
        };
        self.out.all.push(Kernel { instr: id, operands, results });
        self.kernels.insert(id, kernel);
        if instr.shape.as_array().is_some() {
            self.between(id, Some(kernel));
        }
    }

    fn element(&mut self, id: InstrId, kernel: KernelId, index: usize) {
        match &mut self.out.all[kernel].results[index] {
            // An array of two names would lie in two ways.
            Some(other) => self.kept.extend([*other, id]),
            none => {
                *none = Some(id);
                self.between(id, Some(kernel));
            }
        }
    }

    fn between(&mut self, array: InstrId, made_by: Option<KernelId>) {
        let dims = self.comp[array].shape.as_array().map_or(&[][..], |a| &a.dims);
        // Others lie in one way only.
        if dims.iter().filter(|&&n| n > 1).count() > 1 {
            self.made.insert(array, self.out.between.len());
            self.out.between.push(Between { array, made_by, users: Vec::new() });
        }
    }
}

/// Whether each array that a kernel makes can lie by itself: one operation with several results makes them alike.
fn has_separate_results(module: &Module, instr: &Instruction) -> bool {
    let is_tuple = |calls: CompId| module[calls].root().opcode == Opcode::Tuple;
    instr.shape.as_array().is_some() || matches!(instr.attrs, Attrs::Fusion { calls, .. } if is_tuple(calls))
}

/// Whether an instruction is a kernel whose parameters and results may be turned: loops and segment tables say more
/// than their computations do, and what is larger than fusion makes is the user's.
fn is_kernel(module: &Module, comp: &Computation, id: InstrId, pinned: bool) -> bool {
    match comp[id].attrs {
        Attrs::Fusion { kind, calls } => {
            kind != FusionKind::Custom && !pinned && module[calls].instrs.len() <= MAX_NODES
        }
        _ => matches!(role(comp, id, pinned), Role::Map | Role::Hero),
    }
}
