//! What users call: derivatives of Rust functions over trees of tensors, while a function is traced and at once.

mod argnums;
mod custom;
mod gradient;
mod half;
mod jacobian;
mod pushforward;
mod shapes;
mod vjp;

pub use argnums::{Argnum, Argnums};
pub use custom::{checkpoint, custom_jvp, custom_vjp, stop_gradient};
pub use gradient::{
    grad, grad_argnums, grad_aux, value_and_grad, value_and_grad_argnums, value_and_grad_aux,
};
pub use jacobian::{Differentiated, hessian, jacfwd, jacrev};
pub use pushforward::{jvp, linearize};
pub use shapes::eval_shape;
pub use vjp::vjp;

type Place = &'static std::panic::Location<'static>;
