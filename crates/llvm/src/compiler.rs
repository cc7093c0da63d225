//! Kernels to objects: one LLVM module for each call, one target machine for each compiler.

use crate::Error;
use crate::blocks::Blocks;
use crate::emit;
use crate::passes::Passes;
use crate::target::{TargetSpec, initialize};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::targets::{CodeModel, FileType, RelocMode, Target, TargetMachine, TargetTriple};
use lawson_kernel::loop_ir::{Kernel, Phase, verify};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::rc::Rc;

/// How much work code generation does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Effort {
    /// A third of the compile time; the code runs up to 1.5 times as long.
    Fast,
    #[default]
    Full,
}

/// Compiles kernels for one target, on one thread at a time.
pub struct Compiler {
    spec: TargetSpec,
    machine: Rc<TargetMachine>,
    /// Made for the first object.
    passes: RefCell<Option<Passes>>,
}

// SAFETY: LLVM's target machines and passes belong to no thread, and nothing else has a share in this machine; not being `Sync`,
// all of it is used by one thread at a time.
unsafe impl Send for Compiler {}

impl Compiler {
    pub fn new(spec: &TargetSpec, effort: Effort) -> Result<Compiler, Error> {
        initialize()?;
        let unknown = || Error::Target { triple: spec.triple.clone(), cpu: spec.cpu.clone() };
        let triple = TargetTriple::create(&spec.triple);
        if spec.is_unknown_gpu() {
            return Err(unknown());
        }
        let target = Target::from_triple(&triple).map_err(|_| unknown())?;
        let level = match effort {
            Effort::Fast => OptimizationLevel::None,
            Effort::Full => OptimizationLevel::Default,
        };
        let machine = target
            .create_target_machine(
                &triple,
                &spec.cpu,
                &spec.features,
                level,
                RelocMode::PIC,
                CodeModel::Small,
            )
            .ok_or_else(unknown)?;
        Ok(Compiler { spec: spec.clone(), machine: Rc::new(machine), passes: RefCell::default() })
    }

    pub fn spec(&self) -> &TargetSpec {
        &self.spec
    }

    pub(crate) fn machine(&self) -> &TargetMachine {
        &self.machine
    }

    /// The bytes of one object with the code of all `kernels`, whose names differ; for a graphics processor PTX, which the
    /// driver makes code of.
    ///
    /// A module costs about 1 ms beside its instructions, and the first one of a compiler 2 ms, so kernels are best compiled
    /// together.
    pub fn compile(&self, kernels: &[&Kernel]) -> Result<Vec<u8>, Error> {
        if self.spec.is_gpu() {
            return self.text(kernels);
        }
        // A fresh context: types and constants are never freed within one.
        let context = Context::create();
        let module = self.module(&context, kernels)?;
        let mut passes = self.passes.borrow_mut();
        if passes.is_none() {
            *passes = Passes::new(self.machine.clone());
        }
        let passes = passes.as_mut().ok_or_else(|| Error::NoObjects { cpu: self.spec.cpu.clone() })?;
        Ok(passes.object(&module))
    }

    /// The LLVM IR of a kernel.
    pub fn ir_text(&self, kernel: &Kernel) -> Result<String, Error> {
        let context = Context::create();
        Ok(self.module(&context, &[kernel])?.print_to_string().to_string_lossy().into_owned())
    }

    /// The assembly of a kernel.
    pub fn asm_text(&self, kernel: &Kernel) -> Result<String, Error> {
        Ok(String::from_utf8_lossy(&self.text(&[kernel])?).into_owned())
    }

    fn text(&self, kernels: &[&Kernel]) -> Result<Vec<u8>, Error> {
        let context = Context::create();
        let module = self.module(&context, kernels)?;
        let text = self.machine.write_to_memory_buffer(&module, FileType::Assembly);
        Ok(text.map_err(|e| invalid(kernels, e))?.as_slice().to_vec())
    }

    fn module<'c>(&self, context: &'c Context, kernels: &[&Kernel]) -> Result<Module<'c>, Error> {
        let mut names = FxHashSet::default();
        if let Some(k) = kernels.iter().find(|k| !names.insert(&k.name)) {
            return Err(Error::DuplicateName(k.name.clone()));
        }
        for kernel in kernels {
            verify(kernel)
                .map_err(|errors| Error::Illegal { name: kernel.name.clone(), message: errors.join("; ") })?;
        }
        let module = context.create_module("lawson");
        module.set_triple(&self.machine.get_triple());
        module.set_data_layout(&self.machine.get_target_data().get_data_layout());
        for kernel in kernels {
            let arrays = || Error::Arrays { name: kernel.name.clone(), arrays: kernel.buffers.len() };
            let blocks = |p| Blocks::of(kernel, p).ok_or_else(arrays);
            let phases = kernel.phases.iter().filter(|_| self.spec.is_gpu());
            let blocks = phases.map(blocks).collect::<Result<Vec<_>, _>>()?;
            let tiles = kernel.phases.iter().any(Phase::has_tile_products);
            if kernel.needs_matrix_units() && !self.spec.has_matrix_units() || tiles && self.spec.is_gpu() {
                return Err(Error::Matrices { name: kernel.name.clone(), cpu: self.spec.cpu.clone() });
            }
            emit::kernel(context, &module, &self.spec, kernel, &blocks);
        }
        // Costs under 1 % of code generation, and turns a crash inside LLVM into an error.
        module.verify().map_err(|e| invalid(kernels, e))?;
        Ok(module)
    }
}

fn invalid(kernels: &[&Kernel], message: inkwell::support::LLVMString) -> Error {
    let names: Vec<&str> = kernels.iter().map(|k| k.name.as_str()).collect();
    Error::Invalid { kernels: names.join(", "), message: message.to_string_lossy().into_owned() }
}
