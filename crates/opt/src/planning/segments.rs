//! The form of a segment table in HLO: a fusion of kernels that know nothing of each other.
//!
//! ```text
//! segments {                                            ENTRY main {
//!   x = f32[8] parameter(0)                               …
//!   y = f32[64] parameter(1)                              s = (f32[8], f32[64]) fusion(x, y), kind=kCustom,
//!   a = f32[8] fusion(x), kind=kLoop, calls=…                 calls=segments,
//!   b = f32[64] negate(y)                                     backend_config={"lawson":{"plan":"segments"}}
//!   ROOT t = (f32[8], f32[64]) tuple(a, b)                a = f32[8] get-tuple-element(s), index=0
//! }                                                       …
//! ```
//!
//! Each element of the root is a part, a kernel in its own right; one that makes several arrays is a tuple of them.

use super::cut::kernel_cut;
use lawson_hlo::attrs::FusionKind;
use lawson_hlo::{Attrs, Computation, Instruction, Module, Opcode};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::{Array, Part, Region};

/// What the backend configuration of such a fusion says.
pub const CONFIG: &str = "{\"lawson\":{\"plan\":\"segments\"}}";

/// The computation of the parts, if the instruction is a segment table.
pub fn parts_of<'m>(module: &'m Module, instr: &Instruction) -> Option<&'m Computation> {
    let Attrs::Fusion { kind: FusionKind::Custom, calls } = instr.attrs else { return None };
    let config = instr.notes.as_ref()?.backend_config.as_ref()?;
    let same = config.chars().filter(|c| !c.is_whitespace()).eq(CONFIG.chars());
    same.then(|| &module[calls])
}

/// The region of a computation of parts; `region_of` gives that of one part.
///
/// # Errors
/// The refusal of a part, or of what is no part.
pub fn region(
    module: &Module,
    name: &str,
    body: &Computation,
    mut region_of: impl FnMut(&Computation, lawson_hlo::InstrId) -> Result<Region, Refusal>,
) -> Result<Region, Refusal> {
    let root = body.root();
    if root.opcode != Opcode::Tuple {
        return Err(Refusal::Host { opcode: root.opcode });
    }
    let mut inputs = Vec::new();
    for id in body.parameters() {
        let instr = &body[id];
        let shape = instr.shape.as_array().ok_or(Refusal::Host { opcode: Opcode::Parameter })?;
        inputs.push(Array { name: instr.name.to_string(), dtype: shape.dtype, elements: shape.elements() });
    }
    let mut parts = Vec::new();
    for &part in &root.operands {
        let region = region_of(body, part)?;
        let mut numbers = Vec::new();
        for operand in kernel_cut(module, body, part).operands {
            match body[operand].attrs {
                Attrs::Parameter(n) => numbers.push(n as u32),
                _ => return Err(Refusal::Host { opcode: body[operand].opcode }),
            }
        }
        parts.push(Part { region, inputs: numbers });
    }
    Ok(Region::of_parts(name, inputs, parts))
}
