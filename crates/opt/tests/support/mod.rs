//! What the tests of this crate share.

#![allow(dead_code, reason = "each test binary uses a part")]

pub mod modules;
pub mod run;
pub mod values;
