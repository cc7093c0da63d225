//! The rules a program must keep for its execution to be memory-safe, checked once when it is loaded.
//!
//! Beside them the runtime relies on kernels staying within their buffers, which lowering guarantees.

use lawson_kernel::loop_ir::{Access, Buffer};
use lawson_kernel::program::{BufId, Donation, Place, Program, Step};
use rustc_hash::FxHashSet;

/// Bytes of each argument and result. An argument no buffer names may have any size.
#[derive(Debug, PartialEq)]
pub struct Interface {
    pub inputs: Vec<Option<usize>>,
    pub outputs: Vec<usize>,
}

/// Checks the program; a message says what is wrong.
pub fn check(program: &Program) -> Result<Interface, String> {
    let mut names = FxHashSet::default();
    if let Some(k) = program.kernels.iter().find(|k| !names.insert(&k.name)) {
        return Err(format!("two kernels are called {}", k.name));
    }
    let interface = places(program)?;
    steps(program, &program.steps)?;
    donations(program, &interface)?;
    Ok(interface)
}

/// Each names an input and an output of one size, and no other does.
fn donations(program: &Program, interface: &Interface) -> Result<(), String> {
    let (mut inputs, mut outputs) = (FxHashSet::default(), FxHashSet::default());
    for &Donation { input, output } in &program.donations {
        let from = interface.inputs.get(input).copied().flatten();
        let to = interface.outputs.get(output).copied();
        if from.is_none() || from != to {
            return Err(format!("input {input} is donated to output {output}: {from:?} bytes, {to:?} bytes"));
        }
        if !inputs.insert(input) || !outputs.insert(output) {
            return Err(format!("input {input} or output {output} is donated twice"));
        }
    }
    Ok(())
}

fn places(program: &Program) -> Result<Interface, String> {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (i, slot) in program.buffers.iter().enumerate() {
        let bytes =
            usize::try_from(slot.bytes).map_err(|_| format!("buffer {i} has {} bytes", slot.bytes))?;
        match &slot.place {
            Place::Input(n) => set(&mut inputs, *n, bytes).map_err(|e| format!("input {n}: {e}"))?,
            Place::Output(n) => set(&mut outputs, *n, bytes).map_err(|e| format!("output {n}: {e}"))?,
            Place::Constant(literal) if literal.bytes().len() != bytes => {
                return Err(format!("constant {i} has {} bytes, not {bytes}", literal.bytes().len()));
            }
            Place::Constant(_) => {}
            Place::Arena(at) => {
                let fits =
                    *at >= 0 && at.checked_add(slot.bytes).is_some_and(|end| end <= program.arena_bytes);
                if !fits || at % 64 != 0 {
                    return Err(format!(
                        "buffer {i} lies at {at} of an arena of {} bytes",
                        program.arena_bytes
                    ));
                }
            }
        }
    }
    let gap = |n: usize| format!("no buffer is output {n}");
    let outputs =
        outputs.iter().enumerate().map(|(n, o)| o.ok_or_else(|| gap(n))).collect::<Result<_, _>>()?;
    Ok(Interface { inputs, outputs })
}

/// Notes the size of leaf `n`, the same each time it is named.
fn set(leaves: &mut Vec<Option<usize>>, n: usize, bytes: usize) -> Result<(), String> {
    if leaves.len() <= n {
        leaves.resize(n + 1, None);
    }
    match leaves[n].replace(bytes) {
        Some(other) if other != bytes => Err(format!("both {other} and {bytes} bytes")),
        _ => Ok(()),
    }
}

fn steps(program: &Program, list: &[Step]) -> Result<(), String> {
    list.iter().try_for_each(|s| step(program, s))
}

fn step(program: &Program, step: &Step) -> Result<(), String> {
    let slot = |b: BufId| program.buffers.get(b.index()).ok_or_else(|| format!("there is no buffer {}", b.0));
    let written = |b: BufId| match slot(b)?.place {
        Place::Input(_) | Place::Constant(_) => Err(format!("buffer {} is never written", b.0)),
        _ => Ok(()),
    };
    let at_least = |b: BufId, bytes: i64| match slot(b)?.bytes {
        n if n < bytes => Err(format!("buffer {} has {n} bytes, {bytes} are needed", b.0)),
        _ => Ok(()),
    };
    match step {
        Step::Launch { kernel, args } => launch(program, *kernel, args, &written),
        Step::Copy { from, to } => {
            written(*to)?;
            at_least(*from, slot(*to)?.bytes)
        }
        Step::Swap { a, b } => {
            written(*a)?;
            written(*b)?;
            match slot(*a)?.bytes == slot(*b)?.bytes {
                true => Ok(()),
                false => Err(format!("buffers {} and {} cannot be swapped", a.0, b.0)),
            }
        }
        Step::While { cond, pred, body, .. } => {
            at_least(*pred, 1)?;
            steps(program, cond)?;
            steps(program, body)
        }
        Step::Conditional { selector, predicated, branches } => {
            at_least(*selector, if *predicated { 1 } else { 4 })?;
            if branches.len() < 1 + *predicated as usize {
                return Err(format!("a conditional of {} branches", branches.len()));
            }
            branches.iter().try_for_each(|b| steps(program, b))
        }
        Step::CustomCall { args, results, .. } => {
            args.iter().try_for_each(|(b, _)| slot(*b).map(drop))?;
            results.iter().try_for_each(|b| written(*b))
        }
    }
}

fn launch(
    program: &Program,
    kernel: usize,
    args: &[Option<BufId>],
    written: &dyn Fn(BufId) -> Result<(), String>,
) -> Result<(), String> {
    let Some(k) = program.kernels.get(kernel) else { return Err(format!("there is no kernel {kernel}")) };
    if args.len() != k.buffers.len() {
        return Err(format!("{} takes {} buffers, {} are passed", k.name, k.buffers.len(), args.len()));
    }
    for (buffer, arg) in k.buffers.iter().zip(args) {
        let fail = |why: String| Err(format!("buffer {} of {}: {why}", buffer.name, k.name));
        let Some(arg) = arg else {
            match buffer.access {
                Access::Scratch => continue,
                _ => return fail("nothing is passed".into()),
            }
        };
        let needed = buffer.len.checked_mul(buffer.elem.bytes());
        let bytes = program.buffers.get(arg.index()).map_or(-1, |s| s.bytes);
        if needed.is_none_or(|n| bytes < n) {
            return fail(format!("{} elements do not fit {bytes} bytes", buffer.len));
        }
        if buffer.access != Access::Read
            && let Err(e) = written(*arg)
        {
            return fail(e);
        }
    }
    apart(program, kernel, args)
}

/// Compiled code takes it that what a kernel writes is read through the same buffer only.
fn apart(program: &Program, kernel: usize, args: &[Option<BufId>]) -> Result<(), String> {
    let k = &program.kernels[kernel];
    let mut ranges = Vec::new();
    for (buffer, arg) in k.buffers.iter().zip(args) {
        let Some(slot) = arg.map(|a| &program.buffers[a.index()]) else { continue };
        let (memory, start) = match slot.place {
            Place::Arena(at) => ((0, 0), at),
            Place::Output(n) => ((1, n), 0),
            Place::Input(_) | Place::Constant(_) => continue,
        };
        if slot.bytes > 0 && buffer.len > 0 {
            ranges.push((memory, start, start + slot.bytes, buffer));
        }
    }
    ranges.sort_by_key(|&(memory, start, end, _)| (memory, start, end));
    let written = |b: &Buffer| b.access != Access::Read;
    // Where the ranges so far end, and the one that ends there: only read ranges overlap others.
    let mut group: Option<((i32, usize), i64, &Buffer)> = None;
    for (memory, start, end, buffer) in ranges {
        let shared = group.filter(|&(m, until, _)| m == memory && start < until);
        if let Some((_, _, other)) = shared
            && (written(buffer) || written(other))
        {
            return Err(format!("buffers {} and {} of {} share memory", other.name, buffer.name, k.name));
        }
        group = Some(match shared {
            Some(longer) if longer.1 >= end => longer,
            _ => (memory, end, buffer),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{CodeBuilder, Elem};
    use lawson_kernel::program::BufferSlot;

    fn program() -> Program {
        let mut b = CodeBuilder::new("k");
        b.buffer("x", Elem::F32, 4, Access::Read);
        b.buffer("out", Elem::F32, 4, Access::Write);
        let slot = |place| BufferSlot { bytes: 16, place };
        Program {
            kernels: vec![b.finish()],
            buffers: vec![slot(Place::Input(1)), slot(Place::Output(0)), slot(Place::Arena(64))],
            steps: vec![Step::Launch { kernel: 0, args: vec![Some(BufId(0)), Some(BufId(1))] }],
            arena_bytes: 80,
            ..Program::default()
        }
    }

    fn refused(change: impl FnOnce(&mut Program)) -> String {
        let mut p = program();
        change(&mut p);
        check(&p).unwrap_err()
    }

    #[test]
    fn a_good_program() {
        assert_eq!(check(&program()), Ok(Interface { inputs: vec![None, Some(16)], outputs: vec![16] }));
    }

    #[test]
    fn kernels_write_apart_from_what_they_read() {
        let with = |to: i64| {
            let mut p = program();
            p.arena_bytes = 256;
            p.buffers[1] = BufferSlot { bytes: 80, place: Place::Arena(64) };
            p.buffers[2] = BufferSlot { bytes: 16, place: Place::Arena(to) };
            p.steps = vec![Step::Launch { kernel: 0, args: vec![Some(BufId(1)), Some(BufId(2))] }];
            p.buffers.push(BufferSlot { bytes: 16, place: Place::Output(0) });
            check(&p)
        };
        assert!(with(0).is_ok() && with(192).is_ok());
        assert!(with(64).unwrap_err().contains("share memory"));
        assert!(with(128).unwrap_err().contains("share memory"));
    }

    #[test]
    fn bad_programs() {
        let launch = |args| move |p: &mut Program| p.steps = vec![Step::Launch { kernel: 0, args }];
        assert!(refused(launch(vec![Some(BufId(0))])).contains("1 are passed"));
        assert!(refused(launch(vec![Some(BufId(1)), Some(BufId(0))])).contains("never written"));
        assert!(refused(launch(vec![Some(BufId(9)), Some(BufId(1))])).contains("do not fit"));
        assert!(refused(launch(vec![Some(BufId(0)), None])).contains("nothing is passed"));
        assert!(
            refused(|p| p.steps = vec![Step::Launch { kernel: 1, args: vec![] }]).contains("no kernel 1")
        );
        assert!(refused(|p| p.buffers[0].bytes = 15).contains("do not fit"));
        assert!(refused(|p| p.arena_bytes = 79).contains("arena"));
        assert!(refused(|p| p.buffers[2].place = Place::Arena(32)).contains("lies at 32"));
        assert!(refused(|p| p.buffers[1].place = Place::Output(1)).contains("output 0"));
        assert!(refused(|p| p.kernels.push(p.kernels[0].clone())).contains("two kernels"));
        let donate = |input, output| Donation { input, output };
        assert!(refused(|p| p.donations = vec![donate(0, 0)]).contains("None bytes"));
        assert!(refused(|p| p.donations = vec![donate(1, 1)]).contains("donated to output 1"));
        assert!(refused(|p| p.donations = vec![donate(1, 0); 2]).contains("twice"));
        let swap = |a, b| Step::Swap { a: BufId(a), b: BufId(b) };
        assert!(refused(|p| p.steps = vec![swap(0, 2)]).contains("never written"));
        assert!(refused(|p| (p.steps, p.buffers[2].bytes) = (vec![swap(1, 2)], 8)).contains("swapped"));
        let no_branch = Step::Conditional { selector: BufId(0), predicated: true, branches: vec![vec![]] };
        assert!(refused(|p| p.steps = vec![no_branch]).contains("1 branches"));
    }
}
