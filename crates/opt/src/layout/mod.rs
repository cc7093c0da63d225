//! Layouts: those of the text are forgotten before anything else ([`forget`]); where arrays between kernels lie is
//! chosen once there are kernels ([`assign`]).

pub mod assign;
pub mod forget;
