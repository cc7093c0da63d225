//! A fatal error of LLVM on purpose.

use crate::{Compiler, Effort, TargetSpec};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::FileType;

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
    use crate::fatal::on_fatal_error;
    use std::process::Command;

    const CHILD: &str = "LAWSON_TEST_FATAL";

    #[test]
    fn a_fatal_error_calls_back_and_exits_with_3() {
        if std::env::var_os(CHILD).is_some() {
            on_fatal_error(Box::new(|message| eprintln!("a repro of {message}")));
            provoke();
        }
        let me = std::env::current_exe().unwrap();
        let name = "provoke::tests::a_fatal_error_calls_back_and_exits_with_3";
        let child = Command::new(me).args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let err = String::from_utf8_lossy(&child.stderr);
        assert_eq!(child.status.code(), Some(3), "{err}");
        assert!(err.contains("internal error in code generation") && err.contains("a repro of"), "{err}");
    }
}
