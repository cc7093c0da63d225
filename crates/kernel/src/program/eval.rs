//! Runs a program slowly and exactly: the meaning of its steps, its kernels evaluated as regions, as Loop IR or as routines.
//!
//! Memory starts as garbage, so that what is read before it is written shows.

use super::{BufId, Code, Donation, LibraryKernel, Place, PlannedKernel, Program, Step, verify};
use crate::loop_ir::eval::evaluate_with;
use crate::loop_ir::{Access, Kernel};
use crate::region;
use lawson_hlo::{ArrayShape, Literal};
use std::convert::Infallible;

/// What is evaluated of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// What it computes, where that is known: its region, whatever the plan.
    Region,
    /// How: its Loop IR.
    #[default]
    Code,
}

/// How kernels are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub level: Level,
    /// The tasks of each phase run from the last to the first.
    pub reverse: bool,
    /// Arguments are given up where the program says so: they are one memory with their results.
    pub donated: bool,
    /// Most statements of one launch.
    pub max_steps: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { level: Level::Code, reverse: false, donated: false, max_steps: 1 << 32 }
    }
}

/// Runs a kernel on its buffers, of which those that it does not read may have any length.
pub type Runner<'r> = dyn FnMut(&Kernel, &mut [Vec<u8>]) -> Result<(), String> + 'r;

/// The outputs of a program on the array leaves of its arguments.
///
/// # Errors
/// A rule is broken, an argument is missing or of another size, a kernel has a finding
/// ([`crate::loop_ir::eval`]), or the program calls a host function: there are none here.
pub fn evaluate(program: &Program, inputs: &[&[u8]], options: Options) -> Result<Vec<Vec<u8>>, String> {
    let Options { reverse, max_steps, .. } = options;
    evaluate_by(program, inputs, options, &mut |kernel, buffers| {
        evaluate_with(kernel, buffers, crate::loop_ir::eval::Options { reverse, max_steps })
    })
}

/// As [`evaluate`], where something else runs the code of kernels.
///
/// # Errors
/// As [`evaluate`], and those of what runs kernels.
pub fn evaluate_by(
    program: &Program,
    inputs: &[&[u8]],
    options: Options,
    runner: &mut Runner<'_>,
) -> Result<Vec<Vec<u8>>, String> {
    let interface = verify(program).map_err(|faults| faults.join("\n"))?;
    for (n, expected) in interface.inputs.iter().enumerate() {
        let found = inputs.get(n).map(|i| i.len() as i64);
        if found.is_none() || expected.is_some() && found != *expected {
            return Err(format!("input {n} has {found:?} bytes, not {expected:?}"));
        }
    }
    let mut machine = Machine {
        program,
        inputs,
        outputs: interface.outputs.iter().map(|&n| vec![0x5a; n as usize]).collect(),
        arena: vec![0xa5; program.arena_bytes as usize],
        memory: (0..program.buffers.len()).collect(),
        options,
        runner,
    };
    for d in machine.donations() {
        machine.outputs[d.output] = inputs[d.input].to_vec();
    }
    machine.steps(&program.steps)?;
    Ok(machine.outputs)
}

struct Machine<'a, 'r> {
    program: &'a Program,
    inputs: &'a [&'a [u8]],
    outputs: Vec<Vec<u8>>,
    arena: Vec<u8>,
    /// The buffer whose place each is in: swaps exchange them.
    memory: Vec<usize>,
    options: Options,
    runner: &'a mut Runner<'r>,
}

impl<'a> Machine<'a, '_> {
    /// Those in force.
    fn donations(&self) -> &'a [Donation] {
        if self.options.donated { &self.program.donations } else { &[] }
    }

    fn steps(&mut self, steps: &[Step]) -> Result<(), String> {
        steps.iter().try_for_each(|s| self.step(s))
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Launch { kernel, args } => self.launch(*kernel, args),
            Step::Copy { from, to } => {
                let bytes = self.read(*from)[..self.program.buffers[to.index()].bytes as usize].to_vec();
                self.write(*to, &bytes)
            }
            Step::Concatenate { pieces, rows, to } => {
                let mut bytes = Vec::new();
                for row in 0..*rows {
                    for &(piece, width) in pieces {
                        let start = (row * width) as usize;
                        bytes.extend_from_slice(&self.read(piece)[start..start + width as usize]);
                    }
                }
                self.write(*to, &bytes)
            }
            Step::Swap { a, b } => {
                self.memory.swap(a.index(), b.index());
                Ok(())
            }
            Step::While { cond, pred, body, .. } => {
                self.steps(cond)?;
                while self.read(*pred)[0] != 0 {
                    self.steps(body)?;
                    self.steps(cond)?;
                }
                Ok(())
            }
            Step::Conditional { selector, predicated, branches } => {
                let chosen = match (self.read(*selector), predicated) {
                    (&[a, b, c, d, ..], false) => {
                        usize::try_from(i32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX)
                    }
                    (bytes, _) => (bytes[0] == 0) as usize,
                };
                self.steps(&branches[chosen.min(branches.len() - 1)])
            }
            Step::CustomCall { target, .. } => Err(format!("custom-call {target}")),
        }
    }

    fn launch(&mut self, kernel: usize, args: &[BufId]) -> Result<(), String> {
        let program = self.program;
        let named = &program.kernels[kernel];
        let mut buffers: Vec<Vec<u8>> = args.iter().map(|&id| self.read(id).to_vec()).collect();
        for (bytes, parameter) in buffers.iter_mut().zip(&named.parameters) {
            bytes.truncate((parameter.len * parameter.elem.bytes()) as usize);
        }
        match (&named.code, self.options.level) {
            (Code::Planned(planned), Level::Region) => {
                by_region(planned, &mut buffers).map_err(|e| format!("{}: {e}", named.name))?
            }
            (Code::Library(library), _) => by_routine(library, &mut buffers),
            _ => {
                let kernel = named.lowered().map_err(|refusal| format!("{}: {refusal}", named.name))?;
                buffers.resize(kernel.buffers.len(), Vec::new());
                (self.runner)(&kernel, &mut buffers)?;
            }
        }
        for ((&id, bytes), parameter) in args.iter().zip(&buffers).zip(&named.parameters) {
            if parameter.access != Access::Read {
                self.write(id, bytes)?;
            }
        }
        Ok(())
    }

    fn read(&self, id: BufId) -> &[u8] {
        let slot = &self.program.buffers[self.memory[id.index()]];
        match &slot.place {
            Place::Input(n) => match self.donations().iter().find(|d| d.input == *n) {
                Some(d) => &self.outputs[d.output],
                None => self.inputs[*n],
            },
            Place::Output(n) => &self.outputs[*n],
            Place::Constant(literal) => literal.bytes(),
            Place::Arena(at) => &self.arena[*at as usize..(*at + slot.bytes) as usize],
        }
    }

    fn write(&mut self, id: BufId, bytes: &[u8]) -> Result<(), String> {
        match self.program.buffers[self.memory[id.index()]].place {
            Place::Output(n) => self.outputs[n][..bytes.len()].copy_from_slice(bytes),
            Place::Arena(at) => self.arena[at as usize..at as usize + bytes.len()].copy_from_slice(bytes),
            Place::Input(_) | Place::Constant(_) => {
                return Err(format!("buffer {} is written, but is no place to write to", id.0));
            }
        }
        Ok(())
    }
}

/// Evaluates a region on the buffers of its kernel.
fn by_region(planned: &PlannedKernel, buffers: &mut [Vec<u8>]) -> Result<(), String> {
    let region = &planned.region;
    let (inputs, outputs) = buffers.split_at_mut(region.inputs.len());
    // An output that starts as an input holds the copy, and may have taken its place.
    for &(output, input) in &region.aliases {
        inputs[input as usize] = outputs[output as usize].clone();
    }
    let mut literals = Vec::new();
    for (bytes, array) in inputs.iter_mut().zip(&region.inputs) {
        let shape = ArrayShape::new(array.dtype, [array.elements]);
        if bytes.len() as i64 != shape.bytes() {
            return Err(format!("{array} is passed {} bytes", bytes.len()));
        }
        literals.push(Literal::new(shape, std::mem::take(bytes)));
    }
    let results = region::eval::evaluate(region, &literals)?;
    outputs.iter_mut().zip(results).for_each(|(bytes, result)| *bytes = result.bytes().to_vec());
    Ok(())
}

/// Calls a routine on the buffers of its kernel.
fn by_routine(library: &LibraryKernel, buffers: &mut [Vec<u8>]) {
    let (inputs, outputs) = buffers.split_at_mut(library.call.operands().len());
    let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let Ok(()) = library.call.evaluate(&inputs, outputs, || Ok::<(), Infallible>(()));
}
