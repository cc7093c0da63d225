//! Loops and branches over trees of tensors, as JAX has them.
//!
//! Each takes Rust functions, traces them once and makes one `while` or `conditional`. Tensors from outside that the
//! functions use become constants of the loop, or operands of their branch. Outside of traced functions the whole
//! runs at once, as one program.
//!
//! ```text
//! scan(f, init, xs):   state = (i, carries…, constants…, xs…, ys…)
//!   while i < N:       carries, y = f(carries, xs[i]);  ys[i] = y;  i = i + 1
//! ```
//!
//! A loop whose number of trips is known has that form, also [`fori_loop`] with bounds that are numbers: its
//! derivative can be taken backward, and it is what the compiler makes one kernel of where it can.

mod carry;
mod cond;
mod counted;
mod fori;
mod scan;
mod traced;
mod while_loop;

pub use cond::{cond, switch};
pub use fori::{Bound, fori_loop};
pub use scan::{ScanOptions, scan, scan_length, scan_with};
pub use while_loop::while_loop;
