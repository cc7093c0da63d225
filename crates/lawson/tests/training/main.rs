//! Training steps written in Rust: JAX's results, and what becomes of them.

mod fused;
mod mlp;
