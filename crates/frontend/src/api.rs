//! What users name. The crate `lawson` gives all of it on under these names, and examples use them so.

pub use crate::array::{Array, Element, ElementError};
pub use crate::control::{
    Bound, ScanOptions, cond, fori_loop, scan, scan_length, scan_with, switch, while_loop,
};
pub use crate::grad::{
    Argnum, checkpoint, custom_jvp, custom_vjp, eval_shape, grad, grad_argnums, grad_aux, hessian, jacfwd,
    jacrev, jvp, linearize, stop_gradient, value_and_grad, value_and_grad_argnums, value_and_grad_aux, vjp,
};
pub use crate::host::{HostArray, HostArrayMut, HostError};
pub use crate::tensor::{AsTensor, Ellipsis, NewAxis, Step, concatenate, einsum, stack, where_};
pub use crate::vmap::{BatchAxes, vmap, vmap_axes};
pub use crate::{DType, Tensor, Tree};
pub use crate::{linalg, nn, optim, random, tensor, tree};
