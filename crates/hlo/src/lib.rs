//! The language: HLO modules, their text, their rules and their meaning.
//!
//! This crate depends on nothing else of Lawson. It does no input or output and runs no passes.
//! In reading order: [`dtype`], [`scalar`], [`shape`], [`literal`], [`opcode`], [`ids`], [`attrs`], [`instruction`],
//! [`module`], [`builder`] hold a program; [`devices`], [`mesh`] and [`sharding`] say where it runs; [`infer`] and
//! [`verify`] say which programs are well formed; [`text`] reads and prints them; [`identity`] knows neutral elements;
//! [`alone`] says what many devices are to one; [`index`] describes which element is read where; [`math`], [`library`]
//! and [`eval`] define what they mean.

pub mod alone;
pub mod attrs;
pub mod builder;
pub mod devices;
pub mod dtype;
pub mod eval;
pub mod identity;
pub mod ids;
pub mod index;
pub mod infer;
pub mod instruction;
pub mod library;
mod limits;
pub mod linalg;
pub mod literal;
pub mod math;
pub mod mesh;
pub mod module;
pub mod opcode;
pub mod scalar;
pub mod shape;
pub mod sharding;
pub mod text;
pub mod verify;

pub use attrs::Attrs;
pub use dtype::DType;
pub use ids::{CompId, InstrId};
pub use instruction::{Instruction, Origin};
pub use literal::{Literal, Value};
pub use module::{Computation, Module};
pub use opcode::Opcode;
pub use scalar::Scalar;
pub use shape::{ArrayShape, Shape};
