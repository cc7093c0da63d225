//! Rewrites operations that stand for others into those others, one file to each.
//!
//! Afterwards none of these opcodes is left (what a file says it leaves alone aside), so that neither planning
//! nor code generation knows them. What an expansion computes is what the reference interpreter computes for
//! the operation, to the bit; those of [`Purpose::Order`], which do not run in `strict`, add in another order. Composites
//! are split by a pass of their own, [`composites`], once that is done.
//!
//! What [`Purpose::Support`] names takes no fuel: without it there is no program.

mod batch_norm;
mod bit_reverse;
mod broadcast_dot;
mod complex_dot;
mod complex_vector;
pub mod composites;
mod conditional;
mod dilated_convolution;
mod dimension_size;
mod dots;
mod dynamic_index;
mod exchanged_dot;
mod integer_dot;
mod lexicographic_sort;
mod library;
mod map;
mod matrix_vector;
mod ntt;
mod padded_convolution;
mod random;
mod reverse_cumulative;
mod scan;
mod single_device;
mod small_dot;
mod small_linalg;
mod split_k;
mod transforms;
mod transposed_dot;
mod turned_matrix;
mod units;
mod vector_dot;
mod wide_cast;

use crate::effects::host_computations;
use crate::options::Numerics;
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{CompId, Computation, InstrId, Instruction, Module};

/// How one kind of operation is expanded.
pub struct Expander {
    pub name: &'static str,
    pub purpose: Purpose,
    /// Whether this instruction is to be expanded.
    pub applies: fn(&Module, &Computation, &Instruction) -> bool,
    /// Computations the expansion calls; they are added before the one it stands in.
    pub helpers: fn(&mut Rebuild<'_>, &Computation, &Instruction) -> Vec<CompId>,
    /// The replacement, from the operands and the helpers.
    pub expand: fn(&mut Builder<'_>, &Instruction, &[InstrId], &[CompId]) -> InstrId,
}

/// What an expansion is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Neither kernels nor the host can do the operation itself.
    Support,
    /// The host could do the operation, between kernels; within a kernel it has to be expanded all the same.
    Speed,
    /// A kernel could do the operation; where producers move into their users another form is faster.
    Form,
    /// The same, where no units multiply these matrices.
    FormOfVectors,
    /// The same, where a processor computes.
    FormOnProcessors,
    /// The same in another order of sums, where that is free.
    Order,
}

/// Every expander, in alphabetical order: the first that applies expands an instruction.
pub const EXPANDERS: &[Expander] = &[
    batch_norm::EXPANDER,
    bit_reverse::EXPANDER,
    broadcast_dot::EXPANDER,
    complex_dot::EXPANDER,
    complex_vector::EXPANDER,
    conditional::EXPANDER,
    dilated_convolution::EXPANDER,
    dimension_size::EXPANDER,
    dynamic_index::EXPANDER,
    exchanged_dot::EXPANDER,
    integer_dot::EXPANDER,
    lexicographic_sort::EXPANDER,
    library::EXPANDER,
    map::EXPANDER,
    matrix_vector::EXPANDER,
    ntt::EXPANDER,
    padded_convolution::EXPANDER,
    random::EXPANDER,
    reverse_cumulative::EXPANDER,
    scan::EXPANDER,
    single_device::EXPANDER,
    small_dot::EXPANDER,
    small_linalg::EXPANDER,
    split_k::EXPANDER,
    transforms::EXPANDER,
    transposed_dot::EXPANDER,
    turned_matrix::EXPANDER,
    vector_dot::EXPANDER,
    wide_cast::EXPANDER,
];

/// An expansion may contain what another one expands; nothing nests deeper than this.
const MAX_ROUNDS: usize = 4;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let mut changed = Changed::No;
    for _ in 0..MAX_ROUNDS {
        let host = host_computations(module);
        let mut index = 0;
        let expanded = each_computation(module, |new, comp, _| {
            index += 1;
            expand_computation(cx, new, comp, host[index - 1])
        });
        if !expanded {
            break;
        }
        changed = Changed::Yes;
    }
    changed
}

fn expand_computation(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: Computation,
    on_host: bool,
) -> (Computation, bool) {
    let mut granted = |e: &Expander, instr: &Instruction| match e.purpose {
        Purpose::Support => true,
        Purpose::Speed => !on_host || cx.fuel("expand"),
        // What is one kernel without fusion stays one.
        Purpose::Form | Purpose::FormOfVectors | Purpose::FormOnProcessors | Purpose::Order => {
            let free = match e.purpose {
                Purpose::Order => cx.options.numerics > Numerics::Strict,
                Purpose::FormOnProcessors => cx.options.target.gpu.is_none(),
                Purpose::FormOfVectors => !units::multiply(&cx.options, &comp, instr),
                Purpose::Form | Purpose::Support | Purpose::Speed => true,
            };
            on_host && free && cx.options.allows(Strategy::Instruction) && cx.fuel("expand")
        }
    };

    let mut plans: Vec<Option<(&Expander, Vec<CompId>)>> = Vec::with_capacity(comp.instrs.len());
    for instr in &comp.instrs {
        let expander = EXPANDERS.iter().find(|e| (e.applies)(new.module, &comp, instr));
        let plan = expander.filter(|e| granted(e, instr)).map(|e| (e, (e.helpers)(new, &comp, instr)));
        plans.push(plan);
    }
    plans.iter().flatten().for_each(|(e, _)| cx.fired(e.name));
    if plans.iter().all(Option::is_none) {
        return (comp, false);
    }
    rewrite(new.module, &comp, |b, id, instr, operands| {
        let (expander, helpers) = plans[id.index()].as_ref()?;
        Some((expander.expand)(b, instr, operands, helpers))
    })
}

/// For expanders that call nothing.
fn no_helpers(_: &mut Rebuild<'_>, _: &Computation, _: &Instruction) -> Vec<CompId> {
    Vec::new()
}
