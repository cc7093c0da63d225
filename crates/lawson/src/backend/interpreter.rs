//! The reference interpreter.

use super::{Backend, ended, places};
use crate::buffer::Buffer;
use crate::compile::unregistered;
use crate::error::{Error, ErrorCode};
use crate::options::Device;
use crate::run::{Argument, Counters, Outcome, RunOptions};
use lawson_cpu as cpu;
use lawson_hlo::eval::{self, Reason};
use lawson_hlo::{ArrayShape, Attrs, Literal, Module, Value};
use std::sync::Arc;
use std::time::Instant;

/// A module that is interpreted.
pub(crate) struct Interpreted {
    pub module: Arc<Module>,
    pub limits: eval::Options,
}

impl Backend for Interpreted {
    fn run(
        &self,
        arguments: &mut [Argument<'_>],
        _shapes: &[Arc<ArrayShape>],
        options: &RunOptions,
    ) -> Result<Outcome, Error> {
        let Interpreted { module, limits } = self;
        let mut leaves = arguments.iter().map(|a| a.buffer().to_literal());
        let shapes = module.entry().parameter_shapes();
        let values: Option<Vec<Value>> =
            shapes.into_iter().map(|s| Value::from_leaves(s, &mut leaves)).collect();
        let values = values.ok_or_else(|| Error::new(ErrorCode::Internal, "a parameter has no arguments"))?;
        let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let (cancel, late) = (options.cancel.clone(), move || deadline.is_some_and(|d| Instant::now() >= d));
        let interrupt = move || cancel.is_cancelled() || late();
        let limits = eval::Options { interrupt: Some(Arc::new(interrupt)), ..limits.clone() };
        let result = eval::evaluate(module, &values, &limits).map_err(|e| {
            match unknown_call(module, &e, &limits) {
                Some(target) => unregistered(module, target),
                None => eval_error(&e, options),
            }
        })?;
        let copied = |l: &Literal| Buffer::on_host(Device::Interpreter, l.shape(), l.bytes());
        let outputs = result.leaves().into_iter().map(copied).collect::<Result<_, _>>()?;
        Ok(Outcome { outputs, counters: Counters::default() })
    }

    fn run_into(
        &self,
        arguments: &mut [Argument<'_>],
        outputs: &mut [Buffer],
        options: &RunOptions,
    ) -> Result<Counters, Error> {
        let places = places(outputs, Buffer::bytes_mut)?;
        let outcome = self.run(arguments, &[], options)?;
        for (to, from) in places.into_iter().zip(&outcome.outputs) {
            to.copy_from_slice(from.bytes());
        }
        Ok(outcome.counters)
    }

    fn trace(&self, _: &[&Buffer], _: &RunOptions) -> Result<Option<Vec<cpu::Span>>, Error> {
        Ok(None)
    }
}

/// The target of the custom-call that has failed, if no function is registered for it.
fn unknown_call<'m>(module: &'m Module, e: &eval::EvalError, limits: &eval::Options) -> Option<&'m str> {
    let mut all = module.computations.iter().flat_map(|c| &c.instrs);
    all.find_map(|i| match &i.attrs {
        Attrs::CustomCall(call)
            if e.reason == Reason::Unsupported && e.instruction.as_deref() == Some(&*i.name) =>
        {
            Some(&*call.target).filter(|&target| !limits.custom_calls.contains_key(target))
        }
        _ => None,
    })
}

fn eval_error(e: &eval::EvalError, options: &RunOptions) -> Error {
    let code = match e.reason {
        Reason::Arguments => ErrorCode::Input,
        Reason::Unsupported => ErrorCode::Unsupported,
        Reason::CustomCall => ErrorCode::CustomCall,
        Reason::Limit => ErrorCode::Limit,
        Reason::Interrupted if options.cancel.is_cancelled() => {
            return ended(&cpu::Error::Cancelled, options);
        }
        Reason::Interrupted => return ended(&cpu::Error::TimedOut, options),
        Reason::Malformed => ErrorCode::Internal,
    };
    Error::new(code, e.to_string())
}
