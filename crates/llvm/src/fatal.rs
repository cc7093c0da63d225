//! LLVM's fatal errors end the process. This turns them into a report and exit code 3, a bug of ours.

use crate::{Compiler, Effort, TargetSpec};
use inkwell::context::Context;
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::FileType;
use std::ffi::{CStr, c_char};
use std::io::Write;
use std::sync::OnceLock;

/// What a fatal error calls before the process ends, with LLVM's message.
pub type Callback = Box<dyn Fn(&str) + Send + Sync>;

static CALLBACK: OnceLock<Callback> = OnceLock::new();

/// Registers what to do before the process ends, such as writing a repro. Only the first call counts.
///
/// The callback runs on the thread whose compilation failed; it must not compile anything.
pub fn on_fatal_error(callback: Callback) {
    let _ = CALLBACK.set(callback);
}

/// Installs the handler; LLVM keeps one for the process.
pub(crate) fn install() {
    // SAFETY: `handler` has the C signature LLVM expects, and never returns.
    unsafe { LLVMInstallFatalErrorHandler(Some(handler)) }
}

extern "C" fn handler(reason: *const c_char) {
    // SAFETY: LLVM passes a C string that lives during the call.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    eprintln!("lawson: internal error in code generation: {reason}");
    if let Some(callback) = CALLBACK.get() {
        callback(&reason);
    }
    let _ = std::io::stdout().flush();
    // Not `std::process::exit`: other threads may be inside LLVM, whose global destructors must not run under them.
    // SAFETY: ends the process; nothing runs after.
    unsafe { libc::_exit(3) }
}

/// Makes LLVM fail, which ends the process, by an intrinsic that the target has no instruction for: so that tests see
/// what happens then.
///
/// # Panics
/// LLVM does not fail.
pub fn provoke() -> ! {
    let target = TargetSpec::named("haswell").expect("a known name");
    let compiler = Compiler::new(&target, Effort::Full).expect("a known target");
    let context = Context::create();
    let ir = "declare float @llvm.aarch64.neon.fmaxv.f32.v4f32(<4 x float>)
        define float @f(<4 x float> %a) {
          %r = call float @llvm.aarch64.neon.fmaxv.f32.v4f32(<4 x float> %a)
          ret float %r
        }";
    let text = MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "f");
    let module = context.create_module_from_ir(text).expect("well formed");
    let _ = compiler.machine().write_to_memory_buffer(&module, FileType::Object);
    unreachable!("LLVM selects an instruction of another processor")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const CHILD: &str = "LAWSON_TEST_FATAL";

    #[test]
    fn a_fatal_error_calls_back_and_exits_with_3() {
        if std::env::var_os(CHILD).is_some() {
            on_fatal_error(Box::new(|message| eprintln!("a repro of {message}")));
            provoke();
        }
        let me = std::env::current_exe().unwrap();
        let name = "fatal::tests::a_fatal_error_calls_back_and_exits_with_3";
        let child = Command::new(me).args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let err = String::from_utf8_lossy(&child.stderr);
        assert_eq!(child.status.code(), Some(3), "{err}");
        assert!(err.contains("internal error in code generation") && err.contains("a repro of"), "{err}");
    }
}
