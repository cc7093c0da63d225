//! Splits composites into their parts: afterwards only entry parameters, the root, and what routines take and give
//! have composite types.
//!
//! ```text
//! x = c64[8] parameter(0)                  x = c64[8] parameter(0)
//! ROOT y = c64[8] add(x, x)            →   bitcast = f32[8,2] bitcast(x)
//!                                          re = f32[8] …, the slice [:, 0]
//!                                          im = f32[8] …, the slice [:, 1]
//!                                          y.0 = f32[8] add(re, re)
//!                                          y.1 = f32[8] add(im, im)
//!                                          both = f32[8,2] concatenate(…)
//!                                          ROOT bitcast.1 = c64[8] bitcast(both)
//! ```
//!
//! Parts are arrays of their own, in tuples, loops and branches too, where they take the place of their array one after
//! the other. Computations that are called take and give parts: reducers two scalars for each complex one, comparators
//! each part of the left element with that of the right, as for any two operands of a sort. The entry keeps its interface, in which the parts of an
//! element lie side by side. What an operation does to parts is [`lawson_hlo::math::composite`]'s.

mod arithmetic;
mod body;
mod view;
mod whole;

use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use body::Splitter;
use lawson_hlo::math::composite::part_count;
use lawson_hlo::{Attrs, CompId, Computation, Module, Opcode, Shape};
use rustc_hash::FxHashMap;

pub fn run(_: &mut PassContext, module: &mut Module) -> Changed {
    if !module.computations.iter().any(has_composites) {
        return Changed::No;
    }
    let roles = roles(module);
    let mut variants = Variants::default();
    let mut next = 0;
    each_computation(module, |new, comp, _| {
        let roles = &roles[next];
        next += 1;
        if !has_composites(&comp) {
            return (comp, false);
        }
        let split = |new: &Module, role, variants: &Variants| Splitter::new(new, &comp, role, variants).run();
        let (&first, others) = roles.split_first().expect("each computation has a role");
        let mut added = Vec::new();
        for &role in others {
            let variant = split(new.module, role, &variants);
            added.push((role, new.add(variant)));
        }
        let result = split(new.module, first, &variants);
        // It comes right behind those that were added.
        let main = CompId(new.module.computations.len() as u32);
        variants.extend(added.into_iter().map(|(role, id)| ((main, role), id)));
        (result, true)
    })
    .into()
}

fn has_composites(comp: &Computation) -> bool {
    comp.instrs.iter().any(|i| is_split(&i.shape))
}

/// Whether the shape is not its own when split.
fn is_split(shape: &Shape) -> bool {
    shape.leaves().iter().any(|a| a.dtype.is_split())
}

/// Copies of computations for roles beside their first.
type Variants = FxHashMap<(CompId, Role), CompId>;

/// How a computation is called: what decides how parts are passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Role {
    /// By the user: the interface stays.
    Entry,
    /// Parts are parameters of their own, one after the other.
    Function,
    /// Of a loop or a branch: there is one parameter, a tuple where it was a composite.
    Body,
    /// Of a sort: each part of a left element is followed by that of the right one.
    Comparator,
}

impl Role {
    fn of(instr: &lawson_hlo::Instruction) -> Role {
        match instr.opcode {
            Opcode::While | Opcode::Conditional => Role::Body,
            Opcode::Sort => Role::Comparator,
            _ => Role::Function,
        }
    }
}

/// The roles of each computation, in order; one that nothing calls is a function.
fn roles(module: &Module) -> Vec<Vec<Role>> {
    let mut roles = vec![Vec::new(); module.computations.len()];
    roles[module.entry.index()].push(Role::Entry);
    for instr in module.computations.iter().flat_map(|c| &c.instrs) {
        for called in instr.attrs.called() {
            roles[called.index()].push(Role::of(instr));
        }
    }
    for of in &mut roles {
        of.sort();
        of.dedup();
        if of.is_empty() {
            of.push(Role::Function);
        }
    }
    roles
}

/// The shape with the parts of composites in place of their arrays; a composite alone is a tuple.
fn split_shape(shape: &Shape) -> Shape {
    match shape {
        Shape::Array(a) if a.dtype.is_split() => Shape::Tuple(spliced(shape)),
        Shape::Tuple(parts) => Shape::Tuple(parts.iter().flat_map(spliced).collect()),
        other => other.clone(),
    }
}

/// What stands for an element of a tuple, or for an operand.
fn spliced(shape: &Shape) -> Vec<Shape> {
    match shape {
        Shape::Array(a) if a.dtype.is_split() => {
            vec![Shape::Array(a.with_dtype(a.dtype.part())); part_count(a.dtype)]
        }
        other => vec![split_shape(other)],
    }
}

/// The attributes with each called computation in the variant for this caller.
fn with_variants(attrs: &Attrs, role: Role, variants: &Variants) -> Attrs {
    let mut attrs = attrs.clone();
    attrs.map_called(|c| variants.get(&(c, role)).copied().unwrap_or(c));
    attrs
}
