//! Derivatives of computations: forward by tangents, backward by transposing what is linear in them.
//!
//! [`linearize`] walks over a computation and makes its values again together with their tangents, by a rule for
//! each opcode ([`rules`]). Tangents are either instructions at once (forward mode), or entries of a [`tape`], whose operations
//! are linear in tangents and read values of the computation: the residuals. [`transpose`] walks back over a tape
//! and turns cotangents of results into cotangents of inputs, by a rule for each opcode that is linear. So what an opcode's
//! derivative is stands in one place, for forward and for reverse mode, and the graph that comes out is HLO like any other, of which
//! derivatives can be taken again.
//!
//! ```text
//! y = sin(x); z = y · w                 the computation
//! c = cos(x)                            what linearising adds: a residual
//! dy = dx · c; dz = dy · w              the tape
//! cy = cz · w; cx = cy · c              its transpose
//! ```

mod api;
mod constants;
mod indexed;
mod linearize;
pub mod pullback;
mod replay;
pub mod rules;
mod tape;
mod text;
mod transpose;
pub mod transposes;

pub use api::*;
pub use linearize::{Arg, Linearizer, Tan};
pub use tape::{Linear, Structured, Tangent, Tape};
pub use text::module;
pub use transpose::Transposer;
