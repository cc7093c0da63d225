//! Work that may recurse deeply, or turn out to be a bug: it gets a large stack, and a panic becomes an error of the call.

use crate::error::{Error, ErrorCode};
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The stack of threads that plan: passes go down as deep as expressions are nested. Address space only, pages are taken
/// as they are touched.
pub const STACK_BYTES: usize = 512 << 20;

thread_local! {
    /// Whether this thread has that stack.
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Does the work on a thread with a large stack: a new one, unless this one is.
///
/// # Errors
/// Those of the work; a panic as a bug of Lawson; no thread to be had.
pub fn run<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    if IS_DEEP.get() {
        return caught(work);
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("lawson-deep".into()).stack_size(STACK_BYTES);
        let handle = thread.spawn_scoped(scope, || {
            IS_DEEP.set(true);
            caught(work)
        });
        let handle =
            handle.map_err(|e| {
                let mib = STACK_BYTES >> 20;
                let message = format!(
                    "no thread to compile on: its stack needs {mib} MiB of address space, which a limit of this process \
                     (`ulimit -v`) or of the system does not leave: {e}"
                );
                Error::new(ErrorCode::Limit, message)
            })?;
        handle.join().unwrap_or_else(|payload| Err(bug(&*payload)))
    })
}

/// Does the work here; a panic becomes an error.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // What a panic leaves half done is never looked at again: the work owns it, or it is behind a lock that is.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(bug(&*payload)))
}

fn bug(payload: &(dyn Any + Send)) -> Error {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Error::new(ErrorCode::Internal, format!("panic: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far deeper than the stack of a test's thread, which is 2 MiB.
    fn depth(n: usize) -> usize {
        let frame = std::hint::black_box([n; 64]);
        if n == 0 { 0 } else { 1 + depth(frame[n % 64] - 1) }
    }

    #[test]
    fn there_is_room() {
        assert_eq!(run(|| Ok(depth(100_000))), Ok(100_000));
        // The second is on the thread of the first.
        let names = run(|| run(|| Ok(std::thread::current().name().map(str::to_string))));
        assert_eq!(names, Ok(Some("lawson-deep".into())));
    }

    #[test]
    fn a_panic_is_an_error_of_the_call() {
        for work in
            [|| run::<()>(|| panic!("at the {}", "bottom")), || caught::<()>(|| panic!("at the bottom"))]
        {
            let error = work().expect_err("a panic");
            assert_eq!((error.code, &*error.message), (ErrorCode::Internal, "panic: at the bottom"));
        }
    }
}
