//! A program's kernels to PTX: equal ones once, each for itself, so that the driver makes code of those that run.

use crate::error::Error;
use lawson_cpu::{self as cpu, CodeCache, CompileOptions, ThreadPool};
use lawson_kernel::loop_ir::{Access, Kernel};
use lawson_kernel::program::Program;
use lawson_llvm::{Blocks, entry_symbol};

/// The code of a program's kernels.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    pub kernels: Vec<KernelCode>,
    /// For each kernel of the program its code, by position; a routine has none.
    pub code_of: Vec<Option<usize>>,
    /// How many of the codes were not made now: a cache had them.
    pub reused: usize,
}

/// What a launch needs to know of a kernel's code.
#[derive(Clone, Debug)]
pub struct KernelCode {
    /// That of the first kernel of the program with this code; profilers show it.
    pub name: String,
    pub ptx: String,
    pub phases: Vec<Phase>,
    /// Those of them that count as parallel regions.
    pub regions: u64,
    /// Bytes of each array that passes partial results between phases; they follow the parameters.
    pub scratch: Vec<i64>,
    /// It has loops whose trips are not counted: they look at the flag that ends a run.
    pub open_loops: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The name of its entry in the code.
    pub entry: String,
    pub tasks: i64,
    /// How the tasks lie on blocks.
    pub blocks: Blocks,
}

/// The code of all kernels: what the cache has is taken from it, and what is made now is kept there.
///
/// # Errors
/// What LLVM cannot do, or a kernel with more arrays than a launch passes.
pub fn compile(
    program: &Program,
    options: &CompileOptions,
    cache: Option<&dyn CodeCache>,
    pool: &ThreadPool,
) -> Result<Compiled, Error> {
    let cpu::Separate { kernels, objects, code_of, reused } =
        cpu::compile_separately(program, options, cache, pool)?;
    let name = |code| {
        let first = code_of.iter().position(|&c| c == Some(code));
        first.map_or_else(String::new, |kernel| program.kernels[kernel].name.clone())
    };
    let all = kernels.iter().zip(objects).enumerate();
    let kernels = all.map(|(n, (kernel, object))| KernelCode::of(kernel, object, name(n)));
    Ok(Compiled { kernels: kernels.collect::<Result<_, _>>()?, code_of, reused })
}

impl KernelCode {
    fn of(kernel: &Kernel, object: Vec<u8>, name: String) -> Result<KernelCode, Error> {
        let arrays = kernel.buffers.len();
        let text = String::from_utf8(object).map_err(|e| Error::Program(format!("{name}: {e}")))?;
        let phase = |(i, p): (usize, &lawson_kernel::loop_ir::Phase)| {
            let blocks = Blocks::of(kernel, p).ok_or_else(|| {
                Error::Program(format!("kernel {name} has {arrays} arrays, too many for a launch"))
            })?;
            Ok(Phase { entry: entry_symbol(&name, i), tasks: p.tasks, blocks })
        };
        let phases = kernel.phases.iter().enumerate().map(phase).collect::<Result<_, Error>>()?;
        let scratch = kernel.buffers.iter().filter(|b| b.access == Access::Scratch);
        Ok(KernelCode {
            // In the text kernels have names that are made of what they compute.
            ptx: text.replace(&stem(&kernel.name), &stem(&name)),
            phases,
            regions: kernel.parallel_regions(),
            scratch: scratch.map(|b| b.len * b.elem.bytes()).collect(),
            open_loops: cpu::KernelCode::of(kernel).open_loops,
            name,
        })
    }
}

/// What the names of a kernel's entries begin with.
fn stem(kernel: &str) -> String {
    let mut entry = entry_symbol(kernel, 0);
    entry.truncate(entry.len() - 1);
    entry
}
