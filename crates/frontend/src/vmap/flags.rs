//! Which values are batched: of a value, [`Batched`]; of the result of a computation, [`Flags`].
//!
//! [`Flags`] looks at a computation without making anything, so that loops find which part of their state depends on the
//! example before their body is made. What it says is never less than what the rules then make.

use super::paths;
use crate::graph::marks;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Scalar, Shape};
use rustc_hash::FxHashMap;

/// Whether a value is batched.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Batched {
    /// The same for all examples.
    No,
    /// An array with a batch dimension in front.
    Yes,
    /// A tuple, at least one part of which is batched.
    Tuple(Vec<Batched>),
}

impl Batched {
    /// Whether it is the same for all examples.
    pub fn is_no(&self) -> bool {
        *self == Batched::No
    }

    /// Of a tuple of parts with these.
    pub fn of_parts(parts: Vec<Batched>) -> Batched {
        if parts.iter().all(Batched::is_no) { Batched::No } else { Batched::Tuple(parts) }
    }

    /// Of a part of a tuple.
    pub fn part(&self, index: usize) -> Batched {
        match self {
            Batched::Tuple(parts) => parts.get(index).cloned().unwrap_or(Batched::No),
            _ => Batched::No,
        }
    }

    /// Of the leaves of a value of that shape, depth first. Tokens are leaves that are never batched.
    pub fn leaves(&self, shape: &Shape) -> Vec<bool> {
        match shape {
            Shape::Tuple(parts) => {
                let part = |(i, p): (usize, &Shape)| self.part(i).leaves(p);
                parts.iter().enumerate().flat_map(part).collect()
            }
            _ => vec![*self == Batched::Yes],
        }
    }

    /// What [`Batched::leaves`] takes apart.
    pub fn of_leaves(shape: &Shape, leaves: &mut dyn Iterator<Item = bool>) -> Batched {
        match shape {
            Shape::Tuple(parts) => {
                Batched::of_parts(parts.iter().map(|p| Batched::of_leaves(p, leaves)).collect())
            }
            _ if leaves.next() == Some(true) && matches!(shape, Shape::Array(_)) => Batched::Yes,
            _ => Batched::No,
        }
    }

    /// Of a value of that shape whose arrays all are.
    pub fn all(shape: &Shape) -> Batched {
        Batched::of_leaves(shape, &mut std::iter::repeat(true))
    }

    /// Batched where one of them is, of values of that shape.
    pub fn union(&self, other: &Batched, shape: &Shape) -> Batched {
        let mut either = self.leaves(shape).into_iter().zip(other.leaves(shape)).map(|(a, b)| a || b);
        Batched::of_leaves(shape, &mut either)
    }
}

/// Which results of computations are batched, by their arguments; what was found is kept.
#[derive(Default, Debug)]
pub struct Flags {
    known: FxHashMap<(CompId, Vec<Batched>), Batched>,
}

/// What a loop finds out about its state.
pub struct Carries {
    /// Of the state, before each trip and after.
    pub state: Batched,
    /// Whether some examples may go on when others are done.
    pub ends_apart: bool,
}

impl Flags {
    /// Of the result of a computation.
    pub fn of(&mut self, module: &Module, comp: CompId, arguments: &[Batched]) -> Batched {
        let key = (comp, arguments.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let comp = &module[comp];
        let mut flags: Vec<Batched> = Vec::with_capacity(comp.instrs.len());
        for instr in &comp.instrs {
            let of: Vec<Batched> = instr.operands.iter().map(|o| flags[o.index()].clone()).collect();
            flags.push(match instr.attrs {
                Attrs::Parameter(n) => arguments[n].clone(),
                _ => self.instruction(module, instr, &of),
            });
        }
        let found = flags[comp.root.index()].clone();
        self.known.insert(key, found.clone());
        found
    }

    fn instruction(&mut self, module: &Module, instr: &Instruction, of: &[Batched]) -> Batched {
        if of.iter().all(Batched::is_no) {
            return Batched::No;
        }
        let shape = &instr.shape;
        match (instr.opcode, &instr.attrs) {
            (Opcode::Tuple, _) => Batched::of_parts(of.to_vec()),
            (Opcode::GetTupleElement, Attrs::TupleIndex(i)) => of[0].part(*i),
            (Opcode::Copy | Opcode::Domain | Opcode::AddDependency, _) => of[0].clone(),
            (Opcode::OptimizationBarrier, _) if of.len() == 1 => of[0].clone(),
            (Opcode::OptimizationBarrier, _) => Batched::of_parts(of.to_vec()),
            (Opcode::GetDimensionSize, _) => Batched::No,
            (_, Attrs::Call { to_apply: callee, .. } | Attrs::Fusion { calls: callee, .. }) => {
                self.of(module, *callee, of)
            }
            (_, Attrs::While { .. }) => self.carries(module, instr, &of[0]).state,
            (_, Attrs::Conditional { branches, .. }) => {
                if of[0] == Batched::Yes {
                    return Batched::all(shape);
                }
                self.branches(module, branches, &of[1..], shape)
            }
            (_, Attrs::CustomCall(call)) => match marks::of(instr) {
                Some(marks::CHECKPOINT) => self.of(module, call.called[0], of),
                Some(marks::CUSTOM_JVP) => self.custom_jvp(module, &call.called, of, shape),
                _ => Batched::all(shape),
            },
            _ => Batched::all(shape),
        }
    }

    /// Of the state of a loop, which starts so: batched is what the body makes batched of what is.
    pub fn carries(&mut self, module: &Module, instr: &Instruction, start: &Batched) -> Carries {
        let Attrs::While { condition, body } = instr.attrs else { unreachable!("asked of loops alone") };
        let shape = &instr.shape;
        let mut state = start.clone();
        loop {
            let after = self.of(module, body, std::slice::from_ref(&state));
            let joined = state.union(&after, shape);
            if joined == state {
                break;
            }
            state = joined;
        }
        let ends_apart = self.of(module, condition, std::slice::from_ref(&state)) == Batched::Yes;
        if ends_apart && lanes(module, instr).is_none() {
            // Examples that are done keep what they have, so everything that changes is each example's own.
            let kept = unchanged(&module[body], shape);
            let mut leaves = state.leaves(shape).into_iter().zip(kept).map(|(of, kept)| of || !kept);
            state = Batched::of_leaves(shape, &mut leaves);
        }
        Carries { state, ends_apart }
    }

    /// Of the result of a conditional whose selector is the same for all examples.
    pub fn branches(
        &mut self,
        module: &Module,
        branches: &[CompId],
        arguments: &[Batched],
        shape: &Shape,
    ) -> Batched {
        let mut found = Batched::No;
        for (&branch, argument) in branches.iter().zip(arguments) {
            let of = self.of(module, branch, std::slice::from_ref(argument));
            found = found.union(&of, shape);
        }
        found
    }

    /// Of the results of a function with tangents of its own: batched where they or their tangents are.
    pub fn custom_jvp(
        &mut self,
        module: &Module,
        called: &[CompId],
        operands: &[Batched],
        shape: &Shape,
    ) -> Batched {
        let values = self.of(module, called[0], operands);
        let parameters = module[called[1]].parameter_shapes().len();
        let both: Vec<Batched> = operands.iter().cycle().take(parameters).cloned().collect();
        let joint = self.of(module, called[1], &both).leaves(&module[called[1]].root().shape);
        let wanted = values.leaves(shape);
        let half = wanted.len();
        let at = |i: usize| joint.get(i).copied().unwrap_or(false);
        let mut leaves = (0..half).map(|i| wanted[i] || at(i) || at(half + i));
        Batched::of_leaves(shape, &mut leaves)
    }
}

/// Of a loop that batching made of one whose examples end apart ([`marks::LANES`]): the truth values, one for each lane, of
/// which its condition asks whether any is true.
pub fn lanes(module: &Module, instr: &Instruction) -> Option<InstrId> {
    let Attrs::While { condition, .. } = instr.attrs else { return None };
    instr.frontend_attribute(marks::LANES)?;
    let root = module[condition].root();
    let [lanes, init] = root.operands[..] else { return None };
    let Attrs::Reduce { dims, to_apply } = &root.attrs else { return None };
    let rank = module[condition][lanes].shape.as_array()?.rank();
    let starts_false = match &module[condition][init].attrs {
        Attrs::Constant(Some(value)) => value.as_array()?.splat_value() == Some(Scalar::Pred(false)),
        _ => false,
    };
    let any = module[*to_apply].as_simple_binary() == Some(Opcode::Or) && dims.len() == rank && starts_false;
    any.then_some(lanes)
}

/// Which leaves of its parameter, of that shape, a computation gives back as they are.
pub fn unchanged(comp: &Computation, shape: &Shape) -> Vec<bool> {
    let mut values = paths::of(comp, &|_| paths::own(shape), |_| false);
    let root = values.swap_remove(comp.root.index());
    root.into_iter().enumerate().map(|(i, leaf)| leaf == Some(i)).collect()
}
