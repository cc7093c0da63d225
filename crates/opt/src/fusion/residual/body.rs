//! A kernel of the graph as a fused computation.

use super::bits;
use super::graph::{Graph, Kernel, Source, ValueId};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Opcode, Shape};
use rustc_hash::FxHashMap;

/// The computation that takes what the kernel reads and gives what it writes, in these orders. `or` combines words of
/// bits.
pub fn body(graph: &Graph<'_>, kernel: &Kernel, or: Option<CompId>) -> Computation {
    let mut b = Builder::with_capacity(graph.module, kernel.reads.len() + kernel.values.len() + 1);
    let mut made: FxHashMap<ValueId, InstrId> = FxHashMap::default();
    for (n, &read) in kernel.reads.iter().enumerate() {
        let like = graph.instr(read);
        let parameter = Instruction::new(
            like.name.clone(),
            Opcode::Parameter,
            like.shape.clone(),
            Vec::new(),
            Attrs::Parameter(n),
            like.origin.clone(),
        );
        made.insert(read, b.push(parameter));
    }
    for &(mask, bits) in &kernel.unpacked {
        let unpacked = bits::unpack(&mut b, made[&bits], graph.instr(mask));
        made.insert(mask, unpacked);
    }
    // What is computed in another way stands behind what uses it, by its number.
    let instead: FxHashMap<ValueId, ValueId> = kernel.instead.iter().copied().collect();
    let mut stack: Vec<ValueId> = kernel.outputs.iter().rev().copied().collect();
    while let Some(&v) = stack.last() {
        let source = instead.get(&v).copied().unwrap_or(v);
        if made.contains_key(&v) {
            stack.pop();
            continue;
        }
        let value = graph.value(source);
        let waits = stack.len();
        stack.extend(value.operands.iter().rev().filter(|o| !made.contains_key(*o)));
        if stack.len() > waits {
            continue;
        }
        let like = graph.instr(source);
        if let (Source::Bits(_), Some(or)) = (&value.source, or) {
            let packed = bits::pack(&mut b, made[&value.operands[0]], like, or);
            made.insert(v, packed);
            continue;
        }
        let operands: Vec<InstrId> = value.operands.iter().map(|o| made[o]).collect();
        let mut copy = like.clone();
        if matches!(value.source, Source::View(_)) {
            (copy.opcode, copy.attrs) = (Opcode::Reshape, Attrs::None);
        }
        copy.operands = operands;
        made.insert(v, b.push(copy));
    }
    let root = match kernel.outputs[..] {
        [one] => made[&one],
        _ => {
            let results: Vec<InstrId> = kernel.outputs.iter().map(|o| made[o]).collect();
            let shape = Shape::Tuple(results.iter().map(|&r| b.shape(r).clone()).collect());
            b.origin = graph.instr(kernel.outputs[0]).origin.clone();
            b.add_shaped(Opcode::Tuple, shape, &results, Attrs::None)
        }
    };
    b.finish("fused", root)
}
