//! Native code on the processor this runs on.

use super::{Backend, Needs, ended, limits, places};
use crate::buffer::Buffer;
use crate::error::Error;
use crate::run::{Argument, Counters, Outcome, RunOptions};
use lawson_cpu as cpu;
use lawson_hlo::ArrayShape;
use std::sync::Arc;

impl Backend for cpu::Executable {
    fn run(
        &self,
        arguments: &mut [Argument<'_>],
        shapes: &[Arc<ArrayShape>],
        options: &RunOptions,
    ) -> Result<Outcome, Error> {
        let arguments = arguments.iter_mut().map(Argument::for_cpu);
        let done = self.run_with(arguments, &limits(options)).map_err(|e| ended(&e, options))?;
        Ok(outcome(done, shapes))
    }

    fn run_into(
        &self,
        arguments: &mut [Argument<'_>],
        outputs: &mut [Buffer],
        options: &RunOptions,
    ) -> Result<Counters, Error> {
        let mut places = places(outputs, Buffer::bytes_mut)?;
        let arguments = arguments.iter_mut().map(Argument::for_cpu);
        let done = cpu::Executable::run_into(self, arguments, &mut places, &limits(options));
        Ok(Counters::of(&done.map_err(|e| ended(&e, options))?))
    }

    fn trace(&self, arguments: &[&Buffer], options: &RunOptions) -> Result<Option<Vec<cpu::Span>>, Error> {
        let arguments = arguments.iter().map(|b| cpu::Argument::Borrowed(b.bytes()));
        let traced = cpu::Executable::run_traced(self, arguments, &limits(options));
        Ok(Some(traced.map_err(|e| ended(&e, options))?.1))
    }

    fn run_traced(
        &self,
        arguments: &mut [Argument<'_>],
        shapes: &[Arc<ArrayShape>],
        options: &RunOptions,
    ) -> Result<(Outcome, Vec<cpu::Span>), Error> {
        let arguments = arguments.iter_mut().map(Argument::for_cpu);
        let traced = cpu::Executable::run_traced(self, arguments, &limits(options));
        let (done, spans) = traced.map_err(|e| ended(&e, options))?;
        Ok((outcome(done, shapes), spans))
    }

    fn needs(&self) -> Needs {
        let (temporaries, code) = (self.temp_bytes() as u64, self.code_bytes() as u64);
        Needs { temporaries, code, codes: self.codes() }
    }
}

fn outcome(done: cpu::Outcome, shapes: &[Arc<ArrayShape>]) -> Outcome {
    let outputs = shapes.iter().cloned().zip(done.outputs);
    let outputs = outputs.map(|(shape, memory)| Buffer::of_pool(shape, memory));
    Outcome { outputs: outputs.collect(), counters: Counters::of(&done.counters) }
}
