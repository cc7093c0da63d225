//! Runs a kernel as its launches would on a graphics processor, by the emulator of PTX.

use lawson_kernel::loop_ir::{Access, Kernel};
use lawson_llvm::{Blocks, Compiler, Effort, TargetSpec, entry_symbol};
use lawson_ptx::{Counters, Memory, Module, Options, Param};

/// Blocks of a launch: few, so that warps do several tasks.
const MOST_BLOCKS: i64 = 3;

/// Runs all phases; `buffers` are as for the evaluator of Loop IR. Gives the counters of each phase.
///
/// # Errors
/// What the emulator finds: accesses out of bounds, of unwritten memory or in no order, and instructions it does not know.
pub fn run(kernel: &Kernel, buffers: &mut [Vec<u8>], cpu: &str) -> Result<Vec<Counters>, String> {
    let spec = TargetSpec::named(cpu).ok_or("no such processor")?;
    let compiler = Compiler::new(&spec, Effort::Full).map_err(|e| e.to_string())?;
    let text = compiler.asm_text(kernel).map_err(|e| e.to_string())?;
    let blocks = Blocks::of(kernel).ok_or("too many arrays")?;
    let module = Module::parse(&text).map_err(|e| format!("{e}\n{text}"))?;
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
    let most = kernel.phases.iter().map(|p| grid(&blocks, p.tasks)).max().unwrap_or(0);
    if blocks.scratch > 0 {
        words.push(memory.alloc("scratch", blocks.scratch_bytes(most) as usize));
    }
    let params = [Param::Bytes(words.iter().flat_map(|w| w.to_le_bytes()).collect())];
    let mut counters = Vec::new();
    for (i, phase) in kernel.phases.iter().enumerate().filter(|(_, p)| p.tasks > 0) {
        let grid = [grid(&blocks, phase.tasks) as u32, 1, 1];
        let options = Options { seed: i as u64, ..Options::default() };
        let entry = entry_symbol(&kernel.name, i);
        let launched = module.launch(&entry, grid, [blocks.threads(), 1, 1], &params, &mut memory, &options);
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

fn grid(blocks: &Blocks, tasks: i64) -> i64 {
    blocks.grid(tasks).min(MOST_BLOCKS)
}
