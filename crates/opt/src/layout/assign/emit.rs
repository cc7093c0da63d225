//! Writing the computation anew, with the kernels around arrays that lie otherwise.

use super::Orders;
use super::body::{body, ordered};
use super::kernels::{Kernel, Kernels};
use crate::fusion::call::{call, name_of};
use crate::rebuild::Rebuild;
use lawson_hlo::builder::{Builder, rewrite};
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode, Value, eval};
use rustc_hash::FxHashMap;

pub fn emit(
    rebuild: &mut Rebuild<'_>,
    comp: &Computation,
    kernels: &Kernels,
    orders: &Orders,
) -> Computation {
    let knows = |k: &&Kernel| k.arrays().any(|a| orders.contains_key(&a));
    let mut calls: FxHashMap<InstrId, (&Kernel, CompId)> = FxHashMap::default();
    for kernel in kernels.all.iter().filter(knows) {
        let mut body = body(rebuild.module, comp, kernel, orders);
        body.name = name_of(&body).into();
        calls.insert(kernel.instr, (kernel, rebuild.add(body)));
    }
    // The operands of a kernel are parameters of its body, in that order; constants have gone inside.
    let mut made: FxHashMap<InstrId, InstrId> = FxHashMap::default();
    let module = &*rebuild.module;
    let (new, _) = rewrite(module, comp, |b, id, instr, operands| {
        made.extend(instr.operands.iter().copied().zip(operands.iter().copied()));
        if let (Opcode::GetTupleElement, Some(order)) = (instr.opcode, orders.get(&id)) {
            let shape = ordered(&instr.shape, order);
            return Some(b.add_shaped(instr.opcode, shape, operands, instr.attrs.clone()));
        }
        if let (Attrs::Constant(Some(value)), Some(order)) = (&instr.attrs, orders.get(&id)) {
            return Some(turned(b, instr, value, order));
        }
        let (kernel, body) = calls.get(&id)?;
        let operands = kernel.operands.iter().map(|o| made[o]).collect();
        let shape = module[*body].root().shape.clone();
        // The name is given when it takes the instruction's place.
        let call = call(instr, shape, &module[*body], *body, operands);
        Some(b.push(Instruction { name: call.opcode.name().into(), ..call }))
    });
    new
}

/// The constant with its dimensions in this order.
fn turned(b: &mut Builder<'_>, instr: &Instruction, value: &Value, order: &[usize]) -> InstrId {
    let shape = ordered(&instr.shape, order);
    let transpose = Instruction {
        opcode: Opcode::Transpose,
        shape: shape.clone(),
        attrs: Attrs::Dims(order.to_vec()),
        ..instr.clone()
    };
    let value = eval::evaluate_instruction(b.module, &transpose, std::slice::from_ref(value))
        .expect("a transpose has a value");
    b.push(Instruction { shape, attrs: Attrs::Constant(Some(value)), ..instr.clone() })
}
