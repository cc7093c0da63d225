//! Modules to objects, by passes that are made once for a target machine (`passes.cpp`).

use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target_machine::LLVMTargetMachineRef;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use std::ffi::c_char;
use std::marker::{PhantomData, PhantomPinned};
use std::ptr::NonNull;
use std::rc::Rc;

/// What `passes.cpp` has for a machine.
#[repr(C)]
struct Opaque {
    _none: [u8; 0],
    _of_one_thread: PhantomData<(*mut u8, PhantomPinned)>,
}

unsafe extern "C" {
    fn lawson_passes_new(machine: LLVMTargetMachineRef) -> *mut Opaque;
    fn lawson_passes_run(passes: *mut Opaque, module: LLVMModuleRef, bytes: *mut *const c_char) -> usize;
    fn lawson_passes_delete(passes: *mut Opaque);
}

/// The passes of a target machine.
pub(crate) struct Passes {
    of: NonNull<Opaque>,
    /// They use it until they are dropped.
    _machine: Rc<TargetMachine>,
}

impl Passes {
    /// `None` where the machine makes no objects.
    pub(crate) fn new(machine: Rc<TargetMachine>) -> Option<Passes> {
        // SAFETY: the machine is one of LLVM's, and lives at least as long as the passes.
        let of = unsafe { lawson_passes_new(machine.as_mut_ptr()) };
        Some(Passes { of: NonNull::new(of)?, _machine: machine })
    }

    /// The object of a module, which it changes.
    pub(crate) fn object(&mut self, module: &Module<'_>) -> Vec<u8> {
        let mut bytes = std::ptr::null();
        // SAFETY: the passes are used by one thread, which has them exclusively, and the module is one of LLVM's.
        let size = unsafe { lawson_passes_run(self.of.as_ptr(), module.as_mut_ptr(), &mut bytes) };
        // SAFETY: so many bytes are there until the passes run again; an object has some.
        unsafe { std::slice::from_raw_parts(bytes.cast(), size) }.to_vec()
    }
}

impl Drop for Passes {
    fn drop(&mut self) {
        // SAFETY: made by `lawson_passes_new`, and not used after this.
        unsafe { lawson_passes_delete(self.of.as_ptr()) }
    }
}
