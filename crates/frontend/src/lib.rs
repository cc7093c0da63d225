//! Array programs written in Rust, as HLO: traced, differentiated, batched.
//!
//! In reading order: [`error`] and [`graph`] say how HLO is made, step by step, where each step can fail; [`mod@array`] is
//! data and [`backend`] what runs; [`tensor`] is what users compute with, [`trace`] records it; [`tree`] and
//! [`function`] let functions take and give nested structures. [`grad`] and [`vmap`] transform computations, whether
//! they were traced or read from text. [`linalg`], [`random`], [`nn`] and [`optim`] are functions of tensors that users could have
//! written. [`api`] is what of this users name. This crate knows the language alone: no passes, no devices, no files.

#![warn(missing_docs)]
// Headers are for readers of the source too, and name what is private.
#![allow(rustdoc::private_intra_doc_links)]

pub mod api;
pub mod array;
pub mod backend;
pub mod control;
mod eager;
pub mod error;
pub mod function;
pub mod grad;
pub mod graph;
pub mod host;
pub mod linalg;
pub mod nn;
pub mod optim;
pub mod random;
pub mod tensor;
pub mod tree;
pub mod vmap;

pub use array::{Array, Element};
pub use error::{Error, Fault};
pub use graph::{Emit, Graph, marks};
pub use lawson_hlo::DType;
pub use tensor::{Tensor, trace};
pub use tree::Tree;
