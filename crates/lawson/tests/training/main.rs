//! Training steps written in Rust: JAX's results, and what becomes of them.

mod depth;
mod fused;
mod mlp;
