//! Runs a kernel as its launches would on a graphics processor, by the emulator of PTX.

use lawson_kernel::loop_ir::{Access, Kernel};
use lawson_llvm::{Blocks, Compiler, Effort, TargetSpec, entry_symbol};
use lawson_ptx::{Counters, Memory, Module, Options, Param};

/// Blocks of a launch: few, so that warps do several tasks.
#[allow(dead_code, reason = "not all who run kernels limit their blocks")]
pub const FEW_BLOCKS: i64 = 3;

/// Runs all phases on at most so many blocks; `buffers` are as for the evaluator of Loop IR. Gives the counters of each phase.
///
/// # Errors
/// What the emulator finds: accesses out of bounds, of unwritten memory or in no order, and instructions it does not know.
pub fn run(kernel: &Kernel, buffers: &mut [Vec<u8>], cpu: &str, most: i64) -> Result<Vec<Counters>, String> {
    launch(kernel, &code(kernel, cpu)?, buffers, most)
}

/// The PTX of a kernel.
pub fn code(kernel: &Kernel, cpu: &str) -> Result<String, String> {
    let spec = TargetSpec::named(cpu).ok_or("no such processor")?;
    let compiler = Compiler::new(&spec, Effort::Full).map_err(|e| e.to_string())?;
    compiler.asm_text(kernel).map_err(|e| e.to_string())
}

/// As [`run`], with code that was made before.
///
/// # Errors
/// As [`run`].
pub fn launch(
    kernel: &Kernel,
    text: &str,
    buffers: &mut [Vec<u8>],
    most: i64,
) -> Result<Vec<Counters>, String> {
    let module = Module::parse(text).map_err(|e| format!("{e}\n{text}"))?;
    let mut memory = Memory::new();
    let flag = memory.alloc("flag", 1);
    memory.write(flag, &[0]).map_err(|e| e.to_string())?;
    let mut words = vec![flag];
    for (b, bytes) in kernel.buffers.iter().zip(buffers.iter()) {
        let size = (b.len * b.elem.bytes()) as usize;
        let at = memory.alloc(&b.name, size);
        if matches!(b.access, Access::Read | Access::ReadWrite) {
            memory.write(at, bytes).map_err(|e| e.to_string())?;
        }
        words.push(at);
    }
    let blocks = kernel.phases.iter().map(|p| Blocks::of(kernel, p).ok_or("too many arrays"));
    let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
    let grids: Vec<i64> = blocks.iter().zip(&kernel.phases).map(|(b, p)| b.grid(p.tasks).min(most)).collect();
    let scratch = blocks.iter().zip(&grids).map(|(b, &grid)| b.scratch_bytes(grid)).max().unwrap_or(0);
    if blocks.iter().any(|b| b.scratch > 0) {
        words.push(memory.alloc("scratch", scratch as usize));
    }
    let params = [Param::Bytes(words.iter().flat_map(|w| w.to_le_bytes()).collect())];
    let mut counters = Vec::new();
    for (i, (blocks, &grid)) in blocks.iter().zip(&grids).enumerate().filter(|(_, (_, grid))| **grid > 0) {
        let dynamic_shared = blocks.asked() as u32;
        let options = Options { seed: i as u64, dynamic_shared, ..Options::default() };
        let entry = entry_symbol(&kernel.name, i);
        let (grid, block) = ([grid as u32, 1, 1], [blocks.threads(), 1, 1]);
        let launched = module.launch(&entry, grid, block, &params, &mut memory, &options);
        counters.push(launched.map_err(|fault| match std::env::var_os("LAWSON_SHOW_PTX") {
            Some(_) => format!("{fault}\n{text}"),
            None => fault.to_string(),
        })?);
    }
    for ((b, bytes), &at) in kernel.buffers.iter().zip(buffers.iter_mut()).zip(&words[1..]) {
        if matches!(b.access, Access::Write | Access::ReadWrite) {
            let size = (b.len * b.elem.bytes()) as usize;
            *bytes = memory.read(at, size).map_err(|e| format!("{}: {e}", b.name))?.to_vec();
        }
    }
    Ok(counters)
}
