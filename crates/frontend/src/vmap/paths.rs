//! Where the leaves of a parameter go inside of a computation.

use lawson_hlo::{Attrs, Computation, Instruction, Opcode, Shape};

/// Of each value of a computation, its leaves: numbers of those of the parameters, where they are such.
pub type Paths = Vec<Vec<Option<usize>>>;

/// The paths of a computation whose parameters have the leaves that `given` says. `through` tells which operations, besides
/// tuples, give their operand's leaf on.
pub fn of(
    comp: &Computation,
    given: &dyn Fn(usize) -> Vec<Option<usize>>,
    through: impl Fn(&Instruction) -> bool,
) -> Paths {
    let mut values: Paths = Vec::with_capacity(comp.instrs.len());
    for instr in &comp.instrs {
        let leaves = match (instr.opcode, &instr.attrs) {
            (_, Attrs::Parameter(n)) => given(*n),
            (Opcode::Tuple, _) => instr.operands.iter().flat_map(|o| values[o.index()].clone()).collect(),
            (Opcode::GetTupleElement, Attrs::TupleIndex(i)) => {
                let before: usize = match &comp[instr.operands[0]].shape {
                    Shape::Tuple(parts) => parts[..*i].iter().map(leaf_count).sum(),
                    _ => 0,
                };
                values[instr.operands[0].index()][before..before + leaf_count(&instr.shape)].to_vec()
            }
            _ if through(instr) => values[instr.operands[0].index()].clone(),
            _ => vec![None; leaf_count(&instr.shape)],
        };
        values.push(leaves);
    }
    values
}

/// The leaves of the only parameter of a computation, in order.
pub fn own(shape: &Shape) -> Vec<Option<usize>> {
    (0..leaf_count(shape)).map(Some).collect()
}

/// The number of leaves of a value; tokens are leaves too.
pub fn leaf_count(shape: &Shape) -> usize {
    match shape {
        Shape::Tuple(parts) => parts.iter().map(leaf_count).sum(),
        _ => 1,
    }
}
