//! Processes: a fork has memory and none of the threads.

use crate::abi::failure::{Code, Failure};

/// A process in which there are threads that others wait for.
#[derive(Clone, Copy)]
pub struct Process(u32);

impl Process {
    pub fn this() -> Process {
        Process(std::process::id())
    }

    pub fn is_this(self) -> bool {
        self.0 == std::process::id()
    }

    /// Refuses to go on in a process that was forked from it.
    ///
    /// # Errors
    /// This process is another one.
    pub fn check(self) -> Result<(), Failure> {
        if self.is_this() {
            return Ok(());
        }
        let message = "[unsupported] this process was forked after JAX had begun to use Lawson, and has none of its threads; \
                       start it by `multiprocessing.get_context(\"spawn\")`";
        Err(Failure::new(Code::FailedPrecondition, message))
    }
}
