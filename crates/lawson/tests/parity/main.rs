//! What programs give here and what they give in JAX: compiled to native code, with the numerics that users get by default.

mod api {
    pub use lawson::hlo::DType;
    pub use lawson::{
        ScanOptions, Tensor, concatenate, cond, einsum, fori_loop, grad, hessian, nn, optim, random, scan,
        scan_with, switch, tensor, value_and_grad, vmap, vmap_axes, where_, while_loop,
    };
}

mod cases;
mod check;
#[path = "../../../frontend/tests/support/recorded.rs"]
mod recorded;

#[test]
fn compiled_programs_give_what_jax_recorded() {
    check::all(|case| lawson::jit(case.run).call(&(case.inputs)()).map_err(|e| e.to_string()));
}
