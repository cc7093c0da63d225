//! The rules of a program, checked in linear time: what a runtime may rely on to execute it without further question.
//!
//! Beside them a runtime relies on kernels staying within their buffers, which lowering guarantees.

use super::{BufId, Code, Donation, LibraryKernel, NamedKernel, Place, Program, Step};
use crate::loop_ir::{Access, Buffer};
use rustc_hash::FxHashSet;

/// Temporaries begin at multiples of so many bytes: a cache line, and the widest vector.
pub const ALIGN: i64 = 64;

/// Bytes of each argument and result. An argument that no buffer names may have any size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    pub inputs: Vec<Option<i64>>,
    pub outputs: Vec<i64>,
}

/// Checks every rule; gives the sizes of arguments and results.
///
/// # Errors
/// Each rule that is broken, with its place.
pub fn verify(program: &Program) -> Result<Interface, Vec<String>> {
    let mut v = Verifier { program, faults: Vec::new() };
    v.kernels();
    let interface = v.places();
    v.donations(&interface);
    v.steps(&program.steps, "steps");
    if v.faults.is_empty() { Ok(interface) } else { Err(v.faults) }
}

type Checked<T = ()> = Result<T, String>;

struct Verifier<'p> {
    program: &'p Program,
    faults: Vec<String>,
}

impl Verifier<'_> {
    fn kernels(&mut self) {
        let mut names = FxHashSet::default();
        for kernel in &self.program.kernels {
            if !names.insert(&kernel.name) {
                self.faults.push(format!("two kernels are called {}", kernel.name));
            }
            if let Err(e) = code_matches(kernel) {
                self.faults.push(format!("kernel {}: {e}", kernel.name));
            }
        }
    }

    fn places(&mut self) -> Interface {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let arena = self.program.arena_bytes;
        if arena < 0 {
            self.faults.push(format!("an arena of {arena} bytes"));
        }
        for (i, slot) in self.program.buffers.iter().enumerate() {
            let bytes = slot.bytes;
            let fine = match &slot.place {
                _ if bytes < 0 => Err(format!("it has {bytes} bytes")),
                Place::Input(n) => note(&mut inputs, *n, bytes).map_err(|e| format!("input {n} has {e}")),
                Place::Output(n) => note(&mut outputs, *n, bytes).map_err(|e| format!("output {n} has {e}")),
                Place::Constant(literal) => match literal.bytes().len() as i64 {
                    n if n == bytes => Ok(()),
                    n => Err(format!("its constant has {n} bytes, not {bytes}")),
                },
                Place::Arena(at) => {
                    let fits = *at >= 0 && at.checked_add(bytes).is_some_and(|end| end <= arena);
                    match fits && at % ALIGN == 0 {
                        true => Ok(()),
                        false => Err(format!("it lies at {at} of an arena of {arena} bytes")),
                    }
                }
            };
            if let Err(e) = fine {
                self.faults.push(format!("buffer {i}: {e}"));
            }
        }
        for (n, output) in outputs.iter().enumerate() {
            if output.is_none() {
                self.faults.push(format!("no buffer is output {n}"));
            }
        }
        Interface { inputs, outputs: outputs.into_iter().flatten().collect() }
    }

    /// Each names an input and an output of one size, and no other does.
    fn donations(&mut self, interface: &Interface) {
        let (mut inputs, mut outputs) = (FxHashSet::default(), FxHashSet::default());
        for &Donation { input, output } in &self.program.donations {
            let from = interface.inputs.get(input).copied().flatten();
            let to = interface.outputs.get(output).copied();
            if from.is_none() || from != to {
                let sizes = [from, to].map(|n| n.map_or("no".into(), |n| n.to_string()));
                let [from, to] = sizes;
                self.faults
                    .push(format!("input {input} of {from} bytes is donated to output {output} of {to}"));
            }
            if !inputs.insert(input) || !outputs.insert(output) {
                self.faults.push(format!("input {input} or output {output} is donated twice"));
            }
        }
    }

    fn steps(&mut self, steps: &[Step], list: &str) {
        for (n, step) in steps.iter().enumerate() {
            let place = format!("{list}[{n}]");
            if let Err(e) = self.step(step) {
                self.faults.push(format!("{place}: {e}"));
            }
            for (k, inner) in step.lists().into_iter().enumerate() {
                self.steps(inner, &format!("{place}.{k}"));
            }
        }
    }

    /// Checks a step without those it holds.
    fn step(&self, step: &Step) -> Checked {
        match step {
            Step::Launch { kernel, args } => self.launch(*kernel, args),
            Step::Copy { from, to } => {
                self.written(*to)?;
                self.at_least(*from, self.bytes(*to)?)
            }
            Step::Concatenate { pieces, rows, to } => self.concatenate(pieces, *rows, *to),
            Step::Swap { a, b } => {
                self.written(*a)?;
                self.written(*b)?;
                match self.bytes(*a)? == self.bytes(*b)? {
                    true => Ok(()),
                    false => Err(format!("buffers {} and {} of different sizes are swapped", a.0, b.0)),
                }
            }
            Step::While { pred, .. } => self.at_least(*pred, 1),
            Step::Conditional { selector, predicated, branches } => {
                self.at_least(*selector, if *predicated { 1 } else { 4 })?;
                match branches.len() {
                    n if n < 1 + *predicated as usize => Err(format!("a conditional of {n} branches")),
                    _ => Ok(()),
                }
            }
            Step::CustomCall { args, results, .. } => {
                args.iter().try_for_each(|(b, shape)| {
                    let needed = shape.leaves().iter().map(|a| a.bytes()).sum();
                    self.at_least(*b, needed)
                })?;
                results.iter().try_for_each(|b| self.written(*b))
            }
        }
    }

    fn bytes(&self, b: BufId) -> Checked<i64> {
        let slot = self.program.buffers.get(b.index());
        slot.map(|s| s.bytes).ok_or_else(|| format!("there is no buffer {}", b.0))
    }

    fn written(&self, b: BufId) -> Checked {
        self.bytes(b)?;
        match self.program.buffers[b.index()].place {
            Place::Input(_) | Place::Constant(_) => Err(format!("buffer {} is never written", b.0)),
            Place::Output(_) | Place::Arena(_) => Ok(()),
        }
    }

    fn at_least(&self, b: BufId, bytes: i64) -> Checked {
        match self.bytes(b)? {
            n if n < bytes => Err(format!("buffer {} has {n} bytes, {bytes} are needed", b.0)),
            _ => Ok(()),
        }
    }

    fn launch(&self, kernel: usize, args: &[BufId]) -> Checked {
        let Some(k) = self.program.kernels.get(kernel) else {
            return Err(format!("there is no kernel {kernel}"));
        };
        if args.len() != k.parameters.len() {
            let (takes, passed) = (k.parameters.len(), args.len());
            return Err(format!("{} takes {takes} buffers, {passed} are passed", k.name));
        }
        for (parameter, &arg) in k.parameters.iter().zip(args) {
            let fits = match parameter.len.checked_mul(parameter.elem.bytes()) {
                Some(needed) => self.at_least(arg, needed),
                None => Err(format!("{} elements", parameter.len)),
            };
            let written = if parameter.access == Access::Read { Ok(()) } else { self.written(arg) };
            fits.and(written).map_err(|e| format!("buffer {} of {}: {e}", parameter.name, k.name))?;
        }
        self.apart(k, args)
    }

    /// The pieces have the rows that are read, which fill the result and lie outside its memory.
    fn concatenate(&self, pieces: &[(BufId, i64)], rows: i64, to: BufId) -> Checked {
        self.written(to)?;
        let mut filled = 0i64;
        for &(piece, width) in pieces {
            let needed = if rows.min(width) < 0 { None } else { width.checked_mul(rows) };
            let needed = needed.ok_or_else(|| format!("{rows} rows of {width} bytes"))?;
            self.at_least(piece, needed)?;
            if needed > 0 && self.share_memory(piece, to) {
                return Err(format!(
                    "buffer {} is a piece of itself: it shares memory with {}",
                    to.0, piece.0
                ));
            }
            filled = filled.saturating_add(needed);
        }
        match self.bytes(to)? == filled {
            true => Ok(()),
            false => Err(format!("pieces of {filled} bytes make buffer {}", to.0)),
        }
    }

    fn share_memory(&self, a: BufId, b: BufId) -> bool {
        let [a, b] = [a, b].map(|id| &self.program.buffers[id.index()]);
        match (&a.place, &b.place) {
            (Place::Arena(x), Place::Arena(y)) => {
                *x < y.saturating_add(b.bytes) && *y < x.saturating_add(a.bytes)
            }
            (Place::Output(x), Place::Output(y)) => x == y,
            _ => false,
        }
    }

    /// Compiled code takes it that what a kernel writes is read through the same buffer only.
    fn apart(&self, k: &NamedKernel, args: &[BufId]) -> Checked {
        let mut ranges = Vec::new();
        for (parameter, arg) in k.parameters.iter().zip(args) {
            let slot = &self.program.buffers[arg.index()];
            let (memory, start) = match slot.place {
                Place::Arena(at) => ((0, 0), at),
                Place::Output(n) => ((1, n), 0),
                Place::Input(_) | Place::Constant(_) => continue,
            };
            if slot.bytes > 0 && parameter.len > 0 {
                ranges.push((memory, start, start.saturating_add(slot.bytes), parameter));
            }
        }
        ranges.sort_by_key(|&(memory, start, end, _)| (memory, start, end));
        let written = |b: &Buffer| b.access != Access::Read;
        // Where the ranges so far end, and the one that ends there: only read ranges overlap others.
        let mut group: Option<((i32, usize), i64, &Buffer)> = None;
        for (memory, start, end, parameter) in ranges {
            let shared = group.filter(|&(m, until, _)| m == memory && start < until);
            if let Some((_, _, other)) = shared
                && (written(parameter) || written(other))
            {
                return Err(format!(
                    "buffers {} and {} of {} share memory",
                    other.name, parameter.name, k.name
                ));
            }
            group = Some(match shared {
                Some(longer) if longer.1 >= end => longer,
                _ => (memory, end, parameter),
            });
        }
        Ok(())
    }
}

/// Notes the size of leaf `n`, the same each time it is named.
fn note(leaves: &mut Vec<Option<i64>>, n: usize, bytes: i64) -> Checked {
    if leaves.len() <= n {
        leaves.resize(n + 1, None);
    }
    match leaves[n].replace(bytes) {
        Some(other) if other != bytes => Err(format!("both {other} and {bytes} bytes")),
        _ => Ok(()),
    }
}

/// Code that is there takes the parameters first, then scratch.
fn code_matches(kernel: &NamedKernel) -> Checked {
    if kernel.parameters.iter().any(|p| p.access == Access::Scratch) {
        return Err("a parameter is scratch memory".into());
    }
    match &kernel.code {
        // Made from the region and its plan.
        Code::Planned(_) => Ok(()),
        Code::Library(library) => library_matches(library, &kernel.parameters),
        Code::Lowered(code) => {
            let (first, rest) = code.buffers.split_at(kernel.parameters.len().min(code.buffers.len()));
            if first != kernel.parameters || rest.iter().any(|b| b.access != Access::Scratch) {
                return Err("its code has other buffers than its parameters and scratch after them".into());
            }
            if code.name != kernel.name { Err(format!("its code is called {}", code.name)) } else { Ok(()) }
        }
    }
}

/// A routine is one of floats on matrices of the sizes that its parameters have.
fn library_matches(library: &LibraryKernel, parameters: &[Buffer]) -> Checked {
    let call = &library.call;
    let shapes = || call.operands().into_iter().chain(call.results());
    if !(call.dtype.part().is_f32() || call.dtype.part().is_f64()) {
        return Err(format!("{} computes in {}", call.name(), call.dtype));
    }
    if shapes().any(|s| s.dims.iter().any(|&d| d < 0) || s.checked_elements().is_none()) {
        return Err(format!(
            "{} of {}",
            call.name(),
            shapes().next().map_or(String::new(), |s| s.to_string())
        ));
    }
    match library.parameters() == parameters {
        true => Ok(()),
        false => Err(format!("its parameters are not those of {}", call.name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{CodeBuilder, Elem, Kernel};
    use crate::program::BufferSlot;
    use lawson_hlo::library::{Call, Routine};
    use lawson_hlo::{DType, Literal, Scalar, Shape};
    use std::sync::Arc;

    fn kernel(scratch: bool) -> Kernel {
        let mut b = CodeBuilder::new("k");
        b.buffer("x", Elem::F32, 4, Access::Read);
        if scratch {
            b.buffer("s", Elem::F32, 4, Access::Scratch);
        }
        b.buffer("out", Elem::F32, 4, Access::Write);
        b.finish()
    }

    fn slot(place: Place) -> BufferSlot {
        BufferSlot { bytes: 16, place }
    }

    fn launch(args: &[u32]) -> Step {
        Step::Launch { kernel: 0, args: args.iter().map(|&a| BufId(a)).collect() }
    }

    fn program() -> Program {
        Program {
            kernels: vec![kernel(false).into()],
            buffers: vec![slot(Place::Input(1)), slot(Place::Output(0)), slot(Place::Arena(64))],
            steps: vec![launch(&[0, 1])],
            arena_bytes: 80,
            ..Program::default()
        }
    }

    #[track_caller]
    fn refused(fault: &str, change: impl FnOnce(&mut Program)) {
        let mut p = program();
        change(&mut p);
        let faults = verify(&p).expect_err(fault);
        assert!(faults.iter().any(|f| f.contains(fault)), "{fault}: {faults:?}");
    }

    #[test]
    fn a_good_program() {
        let interface = Interface { inputs: vec![None, Some(16)], outputs: vec![16] };
        assert_eq!(verify(&program()), Ok(interface));
    }

    #[test]
    fn kernels_have_names_and_parameters() {
        refused("two kernels", |p| p.kernels.push(p.kernels[0].clone()));
        refused("its code is called k", |p| p.kernels[0].name = "other".into());
        refused("other buffers", |p| p.kernels[0].parameters[0].len = 3);
        refused("other buffers", |p| p.kernels[0].code = Code::Lowered(Arc::new(kernel(true))));
        refused("scratch memory", |p| p.kernels[0].parameters[0].access = Access::Scratch);
    }

    #[test]
    fn buffers_have_places() {
        refused("it has -1 bytes", |p| p.buffers[2].bytes = -1);
        refused("an arena of -64 bytes", |p| p.arena_bytes = -64);
        refused("it lies at 64 of an arena of 79", |p| p.arena_bytes = 79);
        refused("it lies at 32", |p| p.buffers[2].place = Place::Arena(32));
        refused("no buffer is output 0", |p| p.buffers[1].place = Place::Output(1));
        let donate = |input, output| Donation { input, output };
        refused("input 0 of no bytes", |p| p.donations = vec![donate(0, 0)]);
        refused("to output 1 of no", |p| p.donations = vec![donate(1, 1)]);
        refused("donated twice", |p| p.donations = vec![donate(1, 0); 2]);
        refused("input 1 has both 16 and 8 bytes", |p| {
            p.buffers.push(BufferSlot { bytes: 8, place: Place::Input(1) })
        });
        refused("output 0 has both", |p| p.buffers.push(BufferSlot { bytes: 8, place: Place::Output(0) }));
        let four = Literal::scalar(DType::F32, Scalar::Float(1.0));
        refused("constant has 4 bytes", |p| p.buffers.push(slot(Place::Constant(four))));
    }

    #[test]
    fn routines_are_of_floats_and_have_the_parameters_of_their_call() {
        let call = Call {
            routine: Routine::Cholesky { lower: true },
            dtype: DType::F32,
            batch: 1,
            rows: 2,
            columns: 2,
            reflectors: 0,
        };
        let library = |call| NamedKernel::library("r", LibraryKernel { call, exact: true });
        let mut p = program();
        p.kernels = vec![library(call)];
        assert!(verify(&p).is_ok(), "{:?}", verify(&p));
        refused("cholesky computes in s32", |p| {
            p.kernels = vec![library(Call { dtype: DType::S32, ..call })]
        });
        let negative = Call { rows: -2, columns: -2, ..call };
        refused("cholesky of f32[1,-2,-2]", |p| p.kernels = vec![library(negative)]);
        let huge = Call { batch: i64::MAX, ..call };
        refused("cholesky of f32[9223372036854775807,2,2]", |p| p.kernels[0].code = library_code(huge));
        refused("not those of cholesky", |p| {
            p.kernels = vec![library(call)];
            p.kernels[0].parameters[0].len = 3;
        });
        refused("16 bytes, 64 are needed", |p| {
            p.kernels = vec![library(Call { rows: 4, columns: 4, ..call })]
        });
        refused("never written", |p| (p.kernels, p.steps) = (vec![library(call)], vec![launch(&[1, 0])]));
    }

    fn library_code(call: Call) -> Code {
        Code::Library(LibraryKernel { call, exact: false })
    }

    #[test]
    fn launches_pass_what_kernels_take() {
        refused("there is no kernel 1", |p| p.steps = vec![Step::Launch { kernel: 1, args: vec![] }]);
        refused("1 are passed", |p| p.steps = vec![launch(&[0])]);
        refused("there is no buffer 9", |p| p.steps = vec![launch(&[9, 1])]);
        refused("buffer 0 is never written", |p| p.steps = vec![launch(&[1, 0])]);
        refused("buffer x of k: buffer 0 has 15 bytes, 16 are needed", |p| p.buffers[0].bytes = 15);
    }

    #[test]
    fn kernels_write_apart_from_what_they_read() {
        let with = |to: i64| {
            let mut p = program();
            p.arena_bytes = 256;
            p.buffers[1] = BufferSlot { bytes: 80, place: Place::Arena(64) };
            p.buffers[2] = slot(Place::Arena(to));
            p.buffers.push(slot(Place::Output(0)));
            p.steps = vec![launch(&[1, 2])];
            verify(&p)
        };
        assert!(with(0).is_ok() && with(192).is_ok());
        assert!(with(64).unwrap_err()[0].contains("share memory"));
        assert!(with(128).unwrap_err()[0].contains("share memory"));
    }

    #[test]
    fn other_steps_fit_their_buffers() {
        let copy = |from, to| Step::Copy { from: BufId(from), to: BufId(to) };
        let swap = |a, b| Step::Swap { a: BufId(a), b: BufId(b) };
        refused("never written", |p| p.steps = vec![copy(1, 0)]);
        refused("8 bytes, 16 are needed", |p| (p.steps, p.buffers[2].bytes) = (vec![copy(2, 1)], 8));
        let concatenate = |pieces: &[(u32, i64)], rows, to| Step::Concatenate {
            pieces: pieces.iter().map(|&(b, width)| (BufId(b), width)).collect(),
            rows,
            to: BufId(to),
        };
        let good = concatenate(&[(0, 4), (2, 4)], 2, 1);
        let mut p = program();
        p.steps = vec![good];
        assert!(verify(&p).is_ok(), "{:?}", verify(&p));
        refused("never written", |p| p.steps = vec![concatenate(&[(2, 16)], 1, 0)]);
        refused("16 bytes, 24 are needed", |p| p.steps = vec![concatenate(&[(2, 8)], 3, 1)]);
        refused("2 rows of -1 bytes", |p| p.steps = vec![concatenate(&[(2, -1)], 2, 1)]);
        refused("pieces of 12 bytes", |p| p.steps = vec![concatenate(&[(0, 4), (2, 8)], 1, 1)]);
        refused("it shares memory with 2", |p| p.steps = vec![concatenate(&[(0, 8), (2, 8)], 1, 2)]);
        refused("never written", |p| p.steps = vec![swap(0, 2)]);
        refused("different sizes", |p| (p.steps, p.buffers[2].bytes) = (vec![swap(1, 2)], 8));
        let loop_stage = |pred, body| Step::While { cond: vec![], pred: BufId(pred), body, trips: None };
        refused("1 are needed", |p| (p.steps, p.buffers[2].bytes) = (vec![loop_stage(2, vec![])], 0));
        refused("steps[0].1[1]: there is no buffer 7", |p| {
            p.steps = vec![loop_stage(2, vec![copy(0, 1), copy(7, 1)])]
        });
        let conditional =
            |predicated, branches| Step::Conditional { selector: BufId(2), predicated, branches };
        refused("1 branches", |p| p.steps = vec![conditional(true, vec![vec![]])]);
        refused("4 are needed", |p| {
            (p.steps, p.buffers[2].bytes) = (vec![conditional(false, vec![vec![]])], 1)
        });
        let shape = Shape::array(DType::F32, [4]);
        let call = |arg, result| Step::CustomCall {
            target: "f".into(),
            args: vec![(BufId(arg), shape.clone())],
            results: vec![BufId(result)],
            shape: shape.clone(),
        };
        refused("never written", |p| p.steps = vec![call(1, 0)]);
        refused("16 are needed", |p| (p.steps, p.buffers[2].bytes) = (vec![call(2, 1)], 8));
    }
}
