//! A module planned for a graphics processor, with arguments and the interpreter's results.

use lawson::compile;
use lawson::hlo::{ArrayShape, Literal};
use lawson::options::Numerics;
use lawson::{Client, Options, load, random_inputs};
use lawson_kernel::program::Program;

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
        let inputs = |shapes: &[&ArrayShape]| random_inputs::literals(7, shapes);
        Planned::with((name, text), Numerics::Strict, inputs)
    }

    pub fn with(
        (name, text): (&str, &str),
        numerics: Numerics,
        inputs: impl Fn(&[&ArrayShape]) -> Vec<Literal>,
    ) -> Planned {
        let loaded = load::text_of(name.into(), text.into()).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { target: Some(TARGET.into()), numerics, threads: 1, ..Options::default() };
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
