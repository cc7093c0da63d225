//! From a module to a program: which kernels run in which order on which buffers.
//!
//! Every array leaf of every host-level value is a buffer; operations that only rename bytes (reshape, tuple,
//! get-tuple-element) make none. Loops carry their state in buffers of their own, and an update in place works on
//! a copy of its operand: [`crate::buffers`] then removes the copies that nothing needs and places the rest.

mod control;
mod in_place;
mod kernels;

use crate::buffers;
use crate::effects::{Effects, is_copied_together};
use crate::live::Live;
use crate::options::Numerics;
use crate::parts::Parts;
use crate::pass::{Diagnostic, DiagnosticKind};
use crate::planning::Plans;
use kernels::Kernels;
use lawson_hlo::literal::Value;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::cost::figures::Figures;
use lawson_kernel::program::{BufId, BufferSlot, Place, Program, Step};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;

/// What a kernel of a program stands for, for reports: the instruction it was made from and how often it may run.
#[derive(Clone, Debug)]
pub struct LaunchSite {
    pub computation: CompId,
    pub instruction: InstrId,
    /// Position in [`Program::kernels`].
    pub kernel: usize,
    /// Launches in one run; `None` when a trip count is unknown.
    pub launches: Option<u64>,
    /// Work of one launch.
    pub figures: Figures,
}

/// A program with what reports need to know of it.
#[derive(Debug)]
pub struct Scheduled {
    pub program: Program,
    /// In program order.
    pub sites: Vec<LaunchSite>,
}

/// What is made of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// The program.
    Program,
    /// What its kernels cost: the program has no steps.
    Figures,
}

/// Schedules the entry of a verified module whose calls are inlined.
///
/// # Errors
/// What no kernel and no host step can do, by name and place.
pub fn schedule(module: &Module, target: &Target, numerics: Numerics) -> Result<Scheduled, Diagnostic> {
    schedule_planned(module, (target, numerics), Plans::default(), Depth::Program)
}

/// The same with plans that a pass has made, for this target and these numerics.
///
/// # Errors
/// As [`schedule`].
pub fn schedule_planned(
    module: &Module,
    (target, numerics): (&Target, Numerics),
    plans: Plans,
    depth: Depth,
) -> Result<Scheduled, Diagnostic> {
    let mut cx = Scheduler {
        module,
        target,
        numerics,
        effects: Effects::of(module),
        kernels: Kernels::new(plans),
        slots: Vec::new(),
        sites: Vec::new(),
        times: Some(1),
    };
    let entry = module.entry();
    let mut arguments = Vec::new();
    let mut leaf = 0;
    for shape in entry.parameter_shapes() {
        let mut leaves = Vec::new();
        for array in shape.leaves() {
            leaves.push(cx.slot(array.bytes(), Place::Input(leaf)));
            leaf += 1;
        }
        arguments.push(leaves);
    }
    let mut steps = Vec::new();
    let results = cx.computation(module.entry, &arguments, &mut steps)?;
    for (n, &from) in results.iter().enumerate() {
        let to = cx.slot(cx.slots[from.index()].bytes, Place::Output(n));
        steps.push(Step::Copy { from, to });
    }
    let kernels = cx.kernels.finish();
    let mut sites = cx.sites;
    let program = match depth {
        Depth::Program => {
            let program = Program { kernels, buffers: cx.slots, steps, ..Program::default() };
            buffers::assign(program, module, &mut |program, wanted| {
                in_place::rewrite(program, wanted, &mut sites);
            })
        }
        Depth::Figures => Program { kernels, ..Program::default() },
    };
    Ok(Scheduled { program, sites })
}

struct Scheduler<'a> {
    module: &'a Module,
    target: &'a Target,
    numerics: Numerics,
    effects: Effects,
    kernels: Kernels,
    slots: Vec<BufferSlot>,
    sites: Vec<LaunchSite>,
    /// How often the steps being appended run.
    times: Option<u64>,
}

/// Buffers of the array leaves of a value.
type Leaves = Vec<BufId>;

/// What is known of the values of a computation.
struct Values {
    leaves: Vec<Option<Leaves>>,
    parts: Parts,
}

impl Scheduler<'_> {
    fn slot(&mut self, bytes: i64, place: Place) -> BufId {
        self.slots.push(BufferSlot { bytes, place });
        BufId(self.slots.len() as u32 - 1)
    }

    /// A temporary; its place in the arena is found later.
    fn temporary(&mut self, bytes: i64) -> BufId {
        self.slot(bytes, Place::Arena(0))
    }

    fn temporaries(&mut self, shape: &Shape) -> Leaves {
        shape.leaves().iter().map(|a| self.temporary(a.bytes())).collect()
    }

    /// Appends the steps of a computation; gives the leaves of its root.
    fn computation(
        &mut self,
        id: CompId,
        arguments: &[Leaves],
        steps: &mut Vec<Step>,
    ) -> Result<Leaves, Diagnostic> {
        let comp = &self.module[id];
        let mut values = Values { leaves: vec![None; comp.instrs.len()], parts: Parts::default() };
        let live = Live::of(comp, &self.effects);
        for (n, _) in comp.iter().filter(|(n, _)| live.is_needed(*n)) {
            let leaves = match live.behind(n) {
                own if own == n => self.instruction(id, n, arguments, &mut values, steps)?,
                other => self.leaves(comp, other, &mut values)?,
            };
            values.leaves[n.index()] = Some(leaves);
        }
        self.leaves(comp, comp.root, &mut values)
    }

    /// The leaves of a value; a constant gets its memory when it is first asked for.
    fn leaves(&mut self, comp: &Computation, id: InstrId, values: &mut Values) -> Result<Leaves, Diagnostic> {
        self.made(comp, id, values).map(<[BufId]>::to_vec)
    }

    fn made<'v>(
        &mut self,
        comp: &Computation,
        id: InstrId,
        values: &'v mut Values,
    ) -> Result<&'v [BufId], Diagnostic> {
        let known = &mut values.leaves[id.index()];
        if let Attrs::Constant(Some(value)) = &comp[id].attrs
            && known.as_ref().is_some_and(|l| l.is_empty())
        {
            *known = Some(value.leaves().into_iter().map(|l| self.constant(l)).collect());
        }
        known.as_deref().ok_or_else(|| {
            Diagnostic::bug("schedule", format!("{} is used before it is made", comp[id].name))
        })
    }

    fn constant(&mut self, literal: &lawson_hlo::Literal) -> BufId {
        self.slot(literal.shape().bytes(), Place::Constant(literal.clone()))
    }

    fn instruction(
        &mut self,
        comp_id: CompId,
        id: InstrId,
        arguments: &[Leaves],
        values: &mut Values,
        steps: &mut Vec<Step>,
    ) -> Result<Leaves, Diagnostic> {
        let comp = &self.module[comp_id];
        let instr = &comp[id];
        match (instr.opcode, &instr.attrs) {
            (Opcode::Parameter, Attrs::Parameter(n)) => Ok(arguments[*n].clone()),
            (Opcode::Constant, Attrs::Constant(Some(Value::Array(_) | Value::Tuple(_)))) => Ok(Vec::new()),
            (Opcode::Tuple | Opcode::OptimizationBarrier, _) => {
                let mut all = Vec::new();
                for &o in &instr.operands {
                    all.extend(self.leaves(comp, o, values)?);
                }
                Ok(all)
            }
            (Opcode::GetTupleElement, Attrs::TupleIndex(index)) => {
                let range = values.parts.leaves(comp, instr.operands[0], *index);
                let whole = self.made(comp, instr.operands[0], values)?;
                Ok(range.map_or(whole, |r| &whole[r]).to_vec())
            }
            // The bytes stay; only their reading changes.
            (Opcode::Reshape | Opcode::Bitcast | Opcode::Copy | Opcode::AddDependency, _) => {
                self.leaves(comp, instr.operands[0], values)
            }
            (Opcode::AfterAll, _) => Ok(Vec::new()),
            (Opcode::While, Attrs::While { condition, body }) => {
                let inits = self.leaves(comp, instr.operands[0], values)?;
                self.while_loop(instr, (*condition, *body), &inits, steps)
            }
            (Opcode::Conditional, Attrs::Conditional { branches, predicated }) => {
                let mut operands = Vec::new();
                for &o in &instr.operands {
                    operands.push(self.leaves(comp, o, values)?);
                }
                self.conditional(instr, branches, *predicated, &operands, steps)
            }
            (Opcode::Call, Attrs::Call { to_apply, .. }) => {
                let mut operands = Vec::new();
                for &o in &instr.operands {
                    operands.push(self.leaves(comp, o, values)?);
                }
                self.computation(*to_apply, &operands, steps)
            }
            (Opcode::CustomCall, Attrs::CustomCall(call)) => {
                let mut args = Vec::new();
                for &o in &instr.operands {
                    for (leaf, array) in self.leaves(comp, o, values)?.into_iter().zip(comp[o].shape.leaves())
                    {
                        args.push((leaf, Shape::Array(array.clone())));
                    }
                }
                let results = self.temporaries(&instr.shape);
                steps.push(Step::CustomCall {
                    target: call.target.clone(),
                    args,
                    results: results.clone(),
                    shape: instr.shape.clone(),
                });
                Ok(results)
            }
            (Opcode::Concatenate, Attrs::Dims(dims)) if is_copied_together(instr) => {
                self.concatenate(comp, instr, dims[0], values, steps)
            }
            _ => self.kernel(comp_id, id, values, steps),
        }
    }

    /// Copies many pieces together, without code for each. A row has all that follows one index of the dimensions before
    /// the one that is concatenated.
    fn concatenate(
        &mut self,
        comp: &Computation,
        instr: &Instruction,
        dim: usize,
        values: &mut Values,
        steps: &mut Vec<Step>,
    ) -> Result<Leaves, Diagnostic> {
        let results = self.temporaries(&instr.shape);
        let rows = instr.shape.as_array().map_or(0, |s| s.dims[..dim].iter().product::<i64>());
        let mut pieces = Vec::with_capacity(instr.operands.len());
        for &o in &instr.operands {
            let bytes = comp[o].shape.as_array().map_or(0, |s| s.bytes());
            let leaves = self.made(comp, o, values)?;
            pieces.extend(leaves.iter().map(|&leaf| (leaf, bytes / rows.max(1))));
        }
        steps.extend(results.iter().map(|&to| Step::Concatenate { pieces: pieces.clone(), rows, to }));
        Ok(results)
    }

    /// Launches the kernel of an instruction.
    fn kernel(
        &mut self,
        comp_id: CompId,
        id: InstrId,
        values: &mut Values,
        steps: &mut Vec<Step>,
    ) -> Result<Leaves, Diagnostic> {
        let comp = &self.module[comp_id];
        let made = self
            .kernels
            .make(self.module, comp, id, (self.target, self.numerics))
            .map_err(|r| refused(comp, id, &r))?;
        let mut inputs = Vec::new();
        for &operand in &made.operands {
            inputs.extend(self.leaves(comp, operand, values)?);
        }
        let results = self.temporaries(&comp[id].shape);
        for &(output, input) in &made.aliases {
            steps.push(Step::Copy { from: inputs[input as usize], to: results[output as usize] });
        }
        let args = inputs.iter().chain(&results).copied().collect();
        steps.push(Step::Launch { kernel: made.kernel, args });
        self.sites.push(LaunchSite {
            computation: comp_id,
            instruction: id,
            kernel: made.kernel,
            launches: self.times,
            figures: made.figures,
        });
        Ok(results)
    }
}

fn refused(comp: &Computation, id: InstrId, refusal: &Refusal) -> Diagnostic {
    let instr: &Instruction = &comp[id];
    let message = format!("{refusal} ({} {})", instr.opcode, instr.shape);
    let diagnostic = Diagnostic::user("schedule", comp, id, message);
    debug_assert!(diagnostic.kind != DiagnosticKind::Bug);
    diagnostic
}
