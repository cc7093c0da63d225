//! Lawson: a tensor compiler built around operator fusion.
//!
//! The crate users name, and the only one that reads files. There are two ways in. Array programs in Rust are functions of
//! [`Tensor`]s: [`jit()`] compiles them, [`grad`] and its like differentiate them, [`vmap`] batches them; [`random`], [`nn`]
//! and [`optim`] hold what training needs.
//!
//! ```
//! use lawson::{Tensor, grad, jit};
//!
//! fn loss(w: &Tensor, x: &Tensor, y: &Tensor) -> Tensor {
//!     (x.dot(w).tanh() - y).square().mean()
//! }
//! let step = jit(|w: &Tensor, x: &Tensor, y: &Tensor| w - 0.1 * grad(loss)(w, x, y));
//!
//! let x = Tensor::new(&[1f32, 2.0, 3.0, 4.0], [2, 2]);
//! let y = Tensor::new(&[1f32, -1.0], [2]);
//! let mut w = Tensor::zeros([2], lawson::hlo::DType::F32);
//! for _ in 0..3 {
//!     w = step.call(&w, &x, &y)?; // compiled once for each signature
//! }
//! println!("{}", step.explain(&w, &x, &y)?); // kernels, bytes, decisions
//! # Ok::<(), lawson::Error>(())
//! ```
//!
//! Programs that come as HLO text, from JAX, are modules: [`load`] reads one, a [`Client`] compiles it to an [`Executable`],
//! which runs on [`Buffer`]s. Every failure is an [`Error`] with a stable code. The example `examples/embed.rs`:
//!
#![doc = "```"]
#![doc = include_str!("../../../examples/embed.rs")]
#![doc = "```"]
//!
//! [`load`] reads modules, [`npz`] and [`random_inputs`] data, [`compare`] judges results. [`compile`] goes from a module to code,
//! [`tune`] measures plans, [`explain`] tells what was decided on the way, [`bisect`] finds the decision that is at fault, [`roofline`] and
//! [`bandwidth`] what the machine permits, [`calibrate`] describes it.

#![warn(missing_docs)]
// Headers are for readers of the source too, and name what is private.
#![allow(rustdoc::private_intra_doc_links)]

#[cfg(feature = "ndarray")]
mod arrays;
mod backend;
pub mod bandwidth;
pub mod bisect;
pub mod buffer;
pub mod calibrate;
pub mod calibration;
pub mod client;
pub mod code_folder;
pub mod compare;
pub mod compile;
pub mod deep;
pub mod devices;
pub mod dlpack;
mod eager;
pub mod error;
pub mod executable;
pub mod explain;
pub mod figures;
pub mod files;
mod host_call;
pub mod jit;
pub mod load;
pub mod memory;
pub mod npy;
pub mod npz;
pub mod options;
pub mod output;
pub mod precision;
pub mod random_inputs;
pub mod repro;
pub mod roofline;
pub mod run;
pub mod stablehlo;
mod storage;
pub mod target;
mod traffic;
pub mod transform;
pub mod tune;
mod tuning;

pub use buffer::Buffer;
pub use client::Client;
pub use code_folder::CodeFolder;
pub use error::{Error, ErrorCode};
pub use executable::{Donation, Executable, MemoryStats, Native, Parameter};
pub use figures::Figures;
pub use jit::{Jit, Lowered, jit};
/// ```
/// use lawson::{DType, Tensor, Tree, grad, jit};
///
/// #[derive(Clone, Tree)]
/// struct Layer {
///     w: Tensor,
///     bias: Option<Tensor>,
///     #[tree(fixed)]
///     steep: bool, // no tensor: a part of the structure
/// }
///
/// fn loss(layer: &Layer, x: &Tensor) -> Tensor {
///     let y = x * &layer.w * if layer.steep { 10.0 } else { 1.0 };
///     layer.bias.as_ref().map_or(y.clone(), |b| y + b).sum()
/// }
///
/// let layer = Layer { w: Tensor::ones([2], DType::F32), bias: None, steep: true };
/// let slope = jit(|layer: &Layer, x: &Tensor| grad(loss)(layer, x)).call(&layer, &Tensor::from([1f32, 2.0]))?;
/// assert_eq!(slope.w.to_vec(), Ok(vec![10f32, 20.0]));
/// # Ok::<(), lawson::Error>(())
/// ```
pub use lawson_derive::Tree;
pub use lawson_frontend as frontend;
#[doc(inline)]
pub use lawson_frontend::api::*;
pub use lawson_hlo as hlo;
pub use options::{Device, Options};
pub use run::{Argument, Cancel, Counters, Outcome, Pending, RunOptions, Transfers};
