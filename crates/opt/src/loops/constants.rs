//! Sinks constants into loops: an element of the state that starts as a constant and is passed on unchanged is
//! read as that constant in condition and body. The element itself is then dead.
//!
//! ```text
//! body { p = (s32[], f32[]) parameter(0)         body.1 { p = (s32[], f32[]) parameter(0)
//!        c = f32[] get-tuple-element(p), …   →            c = f32[] constant(2)
//!        y = f32[] multiply(x, c)                         y = f32[] multiply(x, c)
//! ```
//!
//! A table stays outside: what trips look up in it is data, which a kernel reads from memory.

use super::{element_read, next_values, parts};
use crate::make;
use crate::pass::{Changed, PassContext};
use crate::rebuild::{Rebuild, each_computation};
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Value};

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    let changed = each_computation(module, |new, mut comp, _| {
        let mut changed = false;
        for i in 0..comp.instrs.len() {
            if let Some(attrs) = sink(cx, new, &comp, &comp.instrs[i]) {
                comp.instrs[i].attrs = attrs;
                changed = true;
            }
        }
        (comp, changed)
    });
    changed.into()
}

/// The computations of a loop with the constants inside, if there are such.
fn sink(
    cx: &mut PassContext,
    new: &mut Rebuild<'_>,
    comp: &Computation,
    instr: &Instruction,
) -> Option<Attrs> {
    let (condition, body) = parts(instr)?;
    let init = comp.operand(instr, 0);
    if init.opcode != Opcode::Tuple {
        return None;
    }
    let next = next_values(new.module, body)?;
    let constants: Vec<Option<Recipe>> = (init.operands.iter().zip(next).enumerate())
        .map(|(i, (&start, &next))| {
            let unchanged = element_read(&new.module[body], next) == Some(i);
            recipe(comp, start)
                .filter(|_| unchanged && !(is_table(&comp[start]) && is_looked_up(new.module, body, i)))
        })
        .collect();
    let used = [condition, body].iter().any(|&c| reads_any(&new.module[c], &constants));
    if !used || !cx.fuel("loop-constants") {
        return None;
    }
    let condition = with_constants(new.module, condition, &constants);
    let body = with_constants(new.module, body, &constants);
    Some(Attrs::While { condition: new.add(condition), body: new.add(body) })
}

/// Whether a constant has several values.
fn is_table(instr: &Instruction) -> bool {
    matches!(&instr.attrs, Attrs::Constant(Some(Value::Array(literal))) if literal.splat_value().is_none())
}

/// Whether a body looks up elements of an array of its state at places that only trips know, or a loop within it does.
fn is_looked_up(module: &Module, body: CompId, element: usize) -> bool {
    let comp = &module[body];
    let reads = |id: InstrId| element_read(comp, id) == Some(element);
    comp.instrs.iter().any(|instr| match instr.opcode {
        Opcode::DynamicSlice | Opcode::Gather => reads(instr.operands[0]),
        Opcode::While => {
            let state = comp.operand(instr, 0);
            let passed = state.operands.iter().position(|&o| state.opcode == Opcode::Tuple && reads(o));
            let inner = parts(instr).map(|(_, body)| body);
            inner.zip(passed).is_some_and(|(body, n)| is_looked_up(module, body, n))
        }
        _ => false,
    })
}

/// How to make a constant anew: the instructions, each the operand of the next.
type Recipe = Vec<Instruction>;

fn recipe(comp: &Computation, id: InstrId) -> Option<Recipe> {
    let instr = &comp[id];
    match instr.opcode {
        Opcode::Constant | Opcode::Iota => Some(vec![instr.clone()]),
        Opcode::Broadcast => {
            let mut steps = recipe(comp, instr.operands[0])?;
            steps.push(instr.clone());
            Some(steps)
        }
        _ => None,
    }
}

/// Whether something other than the root tuple reads a sinkable element.
fn reads_any(comp: &Computation, constants: &[Option<Recipe>]) -> bool {
    let sinkable = |id: InstrId| element_read(comp, id).is_some_and(|i| constants[i].is_some());
    comp.iter().any(|(id, instr)| {
        let root_tuple = id == comp.root && instr.opcode == Opcode::Tuple;
        !root_tuple && instr.operands.iter().any(|&o| sinkable(o))
    })
}

fn with_constants(module: &Module, comp: CompId, constants: &[Option<Recipe>]) -> Computation {
    let old = &module[comp];
    let is_body = old.root().opcode == Opcode::Tuple;
    let (new, _) = rewrite(module, old, |b, id, _, operands| {
        if is_body && id == old.root {
            return Some(root_tuple(b, operands, constants));
        }
        let recipe = constants[element_read(old, id)?].as_ref()?;
        recipe.iter().fold(None, |below: Option<InstrId>, step| {
            let operands = below.into_iter().collect();
            let origin = b.origin.union(&step.origin);
            Some(b.push(Instruction { operands, origin, ..step.clone() }))
        })
    });
    new
}

/// The root of a body, which goes on passing the elements themselves.
fn root_tuple(b: &mut Builder<'_>, operands: &[InstrId], constants: &[Option<Recipe>]) -> InstrId {
    let mut parts = operands.to_vec();
    for (i, part) in parts.iter_mut().enumerate().filter(|(i, _)| constants[*i].is_some()) {
        let mut all = (0..b.len() as u32).map(InstrId);
        let parameter = all.find(|&p| b.get(p).opcode == Opcode::Parameter);
        *part = make::element(b, parameter.expect("a body has one parameter"), i);
    }
    make::tuple(b, &parts)
}
