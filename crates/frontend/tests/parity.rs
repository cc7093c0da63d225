//! The cases of `crates/lawson/tests/parity` on the reference interpreter, each operation at once.

mod support;

mod api {
    pub use lawson_frontend::control::{ScanOptions, cond, fori_loop, scan, scan_with, switch, while_loop};
    pub use lawson_frontend::grad::{grad, hessian, value_and_grad};
    pub use lawson_frontend::tensor::{concatenate, einsum, where_};
    pub use lawson_frontend::vmap::{vmap, vmap_axes};
    pub use lawson_frontend::{DType, Tensor, nn, optim, random, tensor};
}

#[path = "../../lawson/tests/parity/cases/mod.rs"]
mod cases;
#[path = "../../lawson/tests/parity/check.rs"]
mod check;
#[path = "support/recorded.rs"]
mod recorded;

#[test]
fn programs_run_at_once_give_what_jax_recorded() {
    check::all(|case| {
        let found = (case.run)(&(case.inputs)());
        match found.iter().find_map(|t| t.error()) {
            Some(e) => Err(e.to_string()),
            None => Ok(found),
        }
    });
}
