//! Runs a program by evaluating the Loop IR of its kernels: slow for each element, but without code generation.
//!
//! The evaluator also finds what native code hides: accesses out of bounds, tasks of one phase that touch each
//! other's elements, results left unwritten.

use lawson_kernel::loop_ir::eval::{Options, evaluate_with};
use lawson_kernel::program::{BufId, Donation, Place, Program, Step};

/// Most statements of one launch.
const MAX_STEPS: u64 = 20_000_000;

/// The outputs of a program on the array leaves of its arguments, which are donated or not. Memory starts as garbage.
pub fn run(
    program: &Program,
    inputs: &[&[u8]],
    reverse: bool,
    donated: bool,
) -> Result<Vec<Vec<u8>>, String> {
    let outputs = program.buffers.iter().filter_map(|b| match b.place {
        Place::Output(n) => Some(n + 1),
        _ => None,
    });
    let mut machine = Machine {
        program,
        inputs,
        outputs: vec![Vec::new(); outputs.max().unwrap_or(0)],
        arena: vec![0xa5; program.arena_bytes as usize],
        memory: (0..program.buffers.len()).collect(),
        reverse,
        donations: if donated { &program.donations } else { &[] },
    };
    for b in &program.buffers {
        if let Place::Output(n) = b.place {
            machine.outputs[n] = vec![0x5a; b.bytes as usize];
        }
    }
    for d in machine.donations {
        machine.outputs[d.output] = inputs[d.input].to_vec();
    }
    machine.steps(&program.steps)?;
    Ok(machine.outputs)
}

struct Machine<'a> {
    program: &'a Program,
    inputs: &'a [&'a [u8]],
    outputs: Vec<Vec<u8>>,
    arena: Vec<u8>,
    /// The buffer whose place each is in: swaps exchange them.
    memory: Vec<usize>,
    reverse: bool,
    donations: &'a [Donation],
}

impl Machine<'_> {
    fn steps(&mut self, steps: &[Step]) -> Result<(), String> {
        steps.iter().try_for_each(|s| self.step(s))
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Launch { kernel, args } => self.launch(*kernel, args),
            Step::Copy { from, to } => {
                let bytes = self.read(*from).to_vec();
                self.write(*to, &bytes)
            }
            Step::Swap { a, b } => {
                self.memory.swap(a.index(), b.index());
                Ok(())
            }
            Step::While { cond, pred, body, .. } => {
                self.steps(cond)?;
                while self.read(*pred) != [0] {
                    self.steps(body)?;
                    self.steps(cond)?;
                }
                Ok(())
            }
            Step::Conditional { selector, predicated, branches } => {
                let bytes = self.read(*selector);
                let chosen = match <[u8; 4]>::try_from(bytes) {
                    Ok(index) if !predicated => {
                        usize::try_from(i32::from_le_bytes(index)).unwrap_or(usize::MAX)
                    }
                    _ => (bytes == [0]) as usize,
                };
                self.steps(&branches[chosen.min(branches.len() - 1)])
            }
            Step::CustomCall { target, .. } => Err(format!("custom-call {target}")),
        }
    }

    fn launch(&mut self, kernel: usize, args: &[Option<BufId>]) -> Result<(), String> {
        let kernel = &self.program.kernels[kernel];
        let mut buffers: Vec<Vec<u8>> =
            args.iter().map(|a| a.map_or(Vec::new(), |id| self.read(id).to_vec())).collect();
        let options = Options { reverse: self.reverse, max_steps: MAX_STEPS };
        evaluate_with(kernel, &mut buffers, options)?;
        for ((arg, bytes), b) in args.iter().zip(&buffers).zip(&kernel.buffers) {
            use lawson_kernel::loop_ir::Access::*;
            if let (Some(id), Write | ReadWrite) = (arg, b.access) {
                self.write(*id, bytes)?;
            }
        }
        Ok(())
    }

    fn read(&self, id: BufId) -> &[u8] {
        let slot = &self.program.buffers[self.memory[id.index()]];
        match &slot.place {
            Place::Input(n) => match self.donations.iter().find(|d| d.input == *n) {
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
            Place::Output(n) => self.outputs[n].copy_from_slice(bytes),
            Place::Arena(at) => self.arena[at as usize..at as usize + bytes.len()].copy_from_slice(bytes),
            _ => return Err(format!("buffer {} is written, but is no place to write to", id.0)),
        }
        Ok(())
    }
}
