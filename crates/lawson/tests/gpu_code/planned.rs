//! A module planned for a graphics processor, with arguments and the interpreter's results.

use lawson::compile;
use lawson::hlo::{ArrayShape, Literal};
use lawson::options::Numerics;
use lawson::{Client, Options, load, random_inputs};
use lawson_kernel::program::Program;
use std::ffi::OsStr;
use std::path::Path;

/// The processor that plans and code are for.
pub const TARGET: &str = "sm_90";

pub struct Planned {
    pub program: Program,
    inputs: Vec<Literal>,
    pub expected: Vec<Literal>,
}

impl Planned {
    /// In strict numerics, of random arguments.
    pub fn of(name: &str, text: &str) -> Planned {
        Planned::for_target((name, text), TARGET.as_ref(), Numerics::Strict, random)
    }

    /// The same, for a machine that is described here, of which [`TARGET`] is the base.
    pub fn for_machine(name: &str, text: &str, machine: &Path) -> Planned {
        Planned::for_target((name, text), machine.as_ref(), Numerics::Strict, random)
    }

    pub fn with(
        named: (&str, &str),
        numerics: Numerics,
        inputs: impl Fn(&[&ArrayShape]) -> Vec<Literal>,
    ) -> Planned {
        Planned::for_target(named, TARGET.as_ref(), numerics, inputs)
    }

    pub fn for_target(
        (name, text): (&str, &str),
        target: &OsStr,
        numerics: Numerics,
        inputs: impl Fn(&[&ArrayShape]) -> Vec<Literal>,
    ) -> Planned {
        let loaded = load::text_of(name.into(), text.into()).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { target: Some(target.into()), numerics, threads: 1, ..Options::default() };
        let inputs = inputs(&load::parameter_leaves(&loaded.module));
        let expected = Client::interpreter().execute(&loaded.module, &inputs, &options);
        let expected = expected.unwrap_or_else(|e| panic!("{name}: {e}"));
        let planned = compile::plan(&loaded.module, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        Planned { program: planned.scheduled.program, inputs, expected }
    }

    pub fn bytes(&self) -> Vec<&[u8]> {
        self.inputs.iter().map(|l| l.bytes()).collect()
    }
}

pub fn random(shapes: &[&ArrayShape]) -> Vec<Literal> {
    random_inputs::literals(7, shapes)
}
