//! Algebraic simplification: small rules, each with a name, applied until none has anything to say.
//!
//! The rules stand in tables by topic, one file to each; `// run: simplify` file tests exercise every one.
//! No rule changes a value beyond the numerics mode it names, and every rewrite consumes fuel.
//! Together the rules bring programs to a canonical form that later passes rely on:
//!
//! - constants of equal elements are broadcast scalars;
//! - operands of `broadcast` have no unit dimensions, and keep their order;
//! - operations on broadcasts (reshapes) of one shape are broadcasts (reshapes) of the operation;
//! - chains of reshapes, transposes, slices and converts are one of each, or none.

mod arith;
mod bits;
mod broadcast;
mod concatenate;
mod contraction;
mod control;
mod convert;
mod dynamic;
mod floor;
mod indexed;
mod list;
mod pad;
mod power;
mod query;
mod range;
mod reduce;
mod reshape;
mod select;
mod sink;
mod slice;
mod sort;
mod transpose;
mod tuple;
mod windows;

use crate::options::Numerics;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use lawson_hlo::builder::{Builder, rewrite_owned};
use lawson_hlo::{CompId, InstrId, Instruction, Module, Opcode};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::OnceLock;

/// One rewrite.
pub struct Rule {
    pub name: &'static str,
    /// Before → after, in short.
    pub what: &'static str,
    pub on: On,
    /// The strictest mode in which the rule keeps its promise.
    pub mode: Numerics,
    /// The replacement of an instruction whose operands are already simplified.
    pub apply: fn(&mut Builder<'_>, &Instruction) -> Option<InstrId>,
}

/// The instructions a rule looks at.
pub enum On {
    Opcodes(&'static [Opcode]),
    /// Every operation that works element by element.
    Elementwise,
}

impl On {
    fn covers(&self, opcode: Opcode) -> bool {
        match self {
            On::Opcodes(list) => list.contains(&opcode),
            On::Elementwise => opcode.is_elementwise(),
        }
    }
}

type Apply = fn(&mut Builder<'_>, &Instruction) -> Option<InstrId>;

/// A rule that never changes a value.
const fn exact(name: &'static str, what: &'static str, on: &'static [Opcode], apply: Apply) -> Rule {
    Rule { name, what, on: On::Opcodes(on), mode: Numerics::Strict, apply }
}

const fn in_mode(mode: Numerics, rule: Rule) -> Rule {
    Rule { mode, ..rule }
}

/// The rules, in the order they are tried on an instruction.
pub const RULES: &[&[Rule]] = &[
    sink::RULES,
    arith::RULES,
    power::RULES,
    bits::RULES,
    select::RULES,
    floor::RULES,
    convert::RULES,
    range::RULES,
    reshape::RULES,
    broadcast::RULES,
    transpose::RULES,
    slice::RULES,
    dynamic::RULES,
    concatenate::RULES,
    pad::RULES,
    reduce::RULES,
    contraction::RULES,
    sort::RULES,
    indexed::RULES,
    windows::RULES,
    tuple::RULES,
    control::RULES,
];

/// All rules one after another.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().flatten()
}

/// Walks over the whole module in one run; the group around this pass goes on to the fixed point.
const MAX_WALKS: usize = 4;
/// A replacement is itself looked at, at most so often.
const MAX_CHAIN: usize = 32;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let table = rules_by_opcode(cx.options.numerics);
    let mut changed = Changed::No;
    // Of each computation, whether the last walk changed it.
    let mut was = vec![true; module.computations.len()];
    for _ in 0..MAX_WALKS {
        let (mut is, mut number) = (vec![false; was.len()], 0);
        if !each_computation(module, |new, comp, _| {
            let called = comp.instrs.iter().flat_map(|i| i.attrs.called());
            let again = was[number] || called.map(CompId::index).any(|c| was[c] || is[c]);
            let (comp, changed) = match again {
                true => {
                    rewrite_owned(new.module, comp, |b, _, i, operands| simplify(cx, table, b, i, operands))
                }
                false => (comp, false),
            };
            is[number] = changed;
            number += 1;
            (comp, changed)
        }) {
            break;
        }
        was = is;
        changed = Changed::Yes;
    }
    changed
}

type Table = FxHashMap<Opcode, Vec<&'static Rule>>;

/// Made once for each mode: it takes longer than the passes over a small module.
fn rules_by_opcode(numerics: Numerics) -> &'static Table {
    static TABLES: [OnceLock<Table>; 3] = [const { OnceLock::new() }; 3];
    TABLES[numerics as usize].get_or_init(|| {
        let of = |op: Opcode| rules().filter(|r| r.mode <= numerics && r.on.covers(op)).collect::<Vec<_>>();
        Opcode::ALL.iter().map(|&op| (op, of(op))).filter(|(_, rules)| !rules.is_empty()).collect()
    })
}

/// Applies rules to one instruction, and then to what they made of it, until none applies.
fn simplify(
    cx: &mut PassContext,
    table: &Table,
    b: &mut Builder<'_>,
    instr: &Instruction,
    operands: &[InstrId],
) -> Option<InstrId> {
    table.get(&instr.opcode)?;
    // Most instructions stay, and while nothing before them has changed, their operands have the same numbers.
    let mut current = Cow::Borrowed(instr);
    if instr.operands != operands {
        current.to_mut().operands = operands.to_vec();
    }
    let mut result = None;
    for _ in 0..MAX_CHAIN {
        let start = b.len();
        let Some(new) = step(cx, table, b, &current) else { break };
        result = Some(new);
        if new.index() < start {
            break;
        }
        current = Cow::Owned(b.get(new).clone());
    }
    result
}

fn step(cx: &mut PassContext, table: &Table, b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    // Bounded dynamic shapes have a size the rules do not see.
    let dynamic = |b: &Builder<'_>, id: InstrId| b.shape(id).as_array().is_some_and(|a| a.is_dynamic());
    if instr.operands.iter().any(|&o| dynamic(b, o)) {
        return None;
    }
    for rule in table.get(&instr.opcode)? {
        let start = b.len();
        cx.worked(1 + instr.operands.len());
        let Some(new) = (rule.apply)(b, instr) else {
            b.truncate(start);
            continue;
        };
        debug_assert!(b.shape(new).same(&instr.shape), "{} changes a shape", rule.name);
        if !cx.fuel("simplify") {
            b.truncate(start);
            return None;
        }
        cx.fired(rule.name);
        return Some(new);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_names_are_distinct() {
        let mut names: Vec<_> = rules().map(|r| r.name).collect();
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n);
    }
}
