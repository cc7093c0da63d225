//! Memory limits: what the machine has, what a module needs, checked before anything is allocated. And what the pool
//! of memory that runs take theirs from holds.

use crate::error::{Error, ErrorCode};
use lawson_hlo::{CompId, InstrId, Module, Opcode, Shape};
use lawson_kernel::program::{Place, Program};

pub use lawson_cpu::memory::{Stats, stats as pool};

/// 80 % of the memory this process may use: the machine's, or its control group's where that is less.
pub fn default_limit() -> u64 {
    total().map_or(8 << 30, |t| t / 5 * 4)
}

/// The memory this process may use, in bytes, if the system tells.
pub fn total() -> Option<u64> {
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group =
        number("/sys/fs/cgroup/memory.max").or_else(|| number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    });
    [group, machine].into_iter().flatten().min()
}

/// Refuses a module whose arguments and results alone are over the limit.
pub fn check_interface(module: &Module, limit: u64) -> Result<(), Error> {
    let parameters: u64 =
        module.entry().parameter_shapes().into_iter().map(bytes).fold(0, u64::saturating_add);
    let needed = parameters.saturating_add(bytes(&module.entry().root().shape));
    check("its inputs and outputs need", needed, limit)
}

/// Refuses a module that would need more than the limit when each instruction makes its own array.
pub fn check_unfused(module: &Module, limit: u64) -> Result<(), Error> {
    check("running it unfused needs about", unfused_peak(module), limit)
}

/// Refuses a program whose buffers need more than the limit.
pub fn check_program(program: &Program, limit: u64) -> Result<(), Error> {
    let outside = program.buffers.iter().filter(|b| !matches!(b.place, Place::Arena(_)));
    let needed = outside.map(|b| b.bytes as u64).fold(program.arena_bytes as u64, u64::saturating_add);
    check("running it needs", needed, limit)
}

fn check(what: &str, needed: u64, limit: u64) -> Result<(), Error> {
    if needed <= limit {
        return Ok(());
    }
    let message = format!("{what} {}, more than the limit of {} (--max-memory)", human(needed), human(limit));
    Err(Error::new(ErrorCode::Limit, message))
}

/// The largest number of bytes alive at once, arguments included, when every instruction makes its own array and
/// each is freed after its last use.
pub fn unfused_peak(module: &Module) -> u64 {
    let mut peaks: Vec<u64> = Vec::with_capacity(module.computations.len());
    for (id, _) in module.iter() {
        let peak = computation_peak(module, id, &peaks);
        peaks.push(peak);
    }
    let arguments: u64 =
        module.entry().parameter_shapes().into_iter().map(bytes).fold(0, u64::saturating_add);
    peaks[module.entry.index()].saturating_add(arguments)
}

/// The peak of one computation without its parameters; `peaks` are those of its callees.
fn computation_peak(module: &Module, id: CompId, peaks: &[u64]) -> u64 {
    let comp = &module[id];
    // An alias keeps its operands alive as long as itself, so walk from the end.
    let mut last: Vec<usize> = (0..comp.instrs.len()).collect();
    last[comp.root.index()] = comp.instrs.len();
    for (i, instr) in comp.iter().rev() {
        let until = if is_alias(instr.opcode) { last[i.index()] } else { i.index() };
        for operand in &instr.operands {
            last[operand.index()] = last[operand.index()].max(until);
        }
    }
    let mut freed: Vec<Vec<InstrId>> = vec![Vec::new(); comp.instrs.len() + 1];
    comp.iter().for_each(|(i, _)| freed[last[i.index()]].push(i));
    let own = |i: InstrId| if is_alias(comp[i].opcode) { 0 } else { bytes(&comp[i].shape) };
    let (mut live, mut peak) = (0u64, 0u64);
    for (i, instr) in comp.iter() {
        live = live.saturating_add(own(i));
        let inside = instr.attrs.called().iter().map(|c| peaks[c.index()]).max().unwrap_or(0);
        peak = peak.max(live.saturating_add(inside));
        freed[i.index()].iter().for_each(|&dead| live = live.saturating_sub(own(dead)));
    }
    peak
}

/// Instructions that make no array of their own. Literals are the module's.
fn is_alias(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Parameter
            | Constant
            | Tuple
            | GetTupleElement
            | OptimizationBarrier
            | AddDependency
            | AfterAll
            | Bitcast
            | Reshape
    )
}

/// The bytes of all arrays of a shape.
pub fn bytes(shape: &Shape) -> u64 {
    let size = |a: &lawson_hlo::ArrayShape| {
        a.checked_elements().map_or(u64::MAX, |n| (n as u64).saturating_mul(a.dtype.size() as u64))
    };
    shape.leaves().into_iter().map(size).fold(0, u64::saturating_add)
}

/// `1.5 GiB`.
pub fn human(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn module(text: &str) -> Module {
        load::text_of("m".into(), text.into()).expect("a module").module
    }

    #[test]
    fn a_chain_keeps_two_arrays_alive() {
        let m = module(
            "HloModule m\nENTRY e {\n  a = f32[256] parameter(0)\n  b = f32[256] negate(a)\n  c = f32[256] negate(b)\n  d = f32[256] negate(c)\n  ROOT t = (f32[256]) tuple(d)\n}\n",
        );
        assert_eq!(unfused_peak(&m), 1024 + 2 * 1024);
    }

    #[test]
    fn a_loop_adds_what_its_body_needs() {
        let m = module(
            "HloModule m\nc {\n  p = f32[4] parameter(0)\n  ROOT k = pred[] constant(false)\n}\nb {\n  p = f32[4] parameter(0)\n  q = f32[4,4] broadcast(p), dimensions={0}\n  r = f32[4,4] negate(q)\n  s = f32[1,4] slice(r), slice={[0:1], [0:4]}\n  ROOT t = f32[4] reshape(s)\n}\nENTRY e {\n  a = f32[4] parameter(0)\n  ROOT w = f32[4] while(a), condition=c, body=b\n}\n",
        );
        // Argument, result, and in the body two arrays of 64 bytes at once.
        assert_eq!(unfused_peak(&m), 16 + 16 + 128);
    }

    #[test]
    fn limits_are_checked_without_allocating() {
        let m = module("HloModule m\nENTRY e {\n  ROOT i = f32[1099511627776] iota(), iota_dimension=0\n}\n");
        let e = check_interface(&m, 1 << 30).expect_err("too large");
        assert_eq!(e.code, ErrorCode::Limit);
        assert!(e.message.contains("4.0 TiB") && e.message.contains("1.0 GiB"), "{e}");
        assert!(check_interface(&m, u64::MAX).is_ok());
    }

    #[test]
    fn the_machine_has_memory() {
        assert!(default_limit() > 1 << 20);
        assert_eq!(human(1536 << 20), "1.5 GiB");
        assert_eq!(human(17), "17 B");
    }
}
