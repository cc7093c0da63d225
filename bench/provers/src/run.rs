//! What is compiled for one thread, with its arguments.

use lawson::frontend::tensor::plonky3::Plonky3Element;
use lawson::hlo::Module;
use lawson::options::FusionSpec;
use lawson::{Buffer, Client, Error, Executable, Options, Tensor};

/// A compiled module with its arguments and the results of the last run.
pub struct Run {
    executable: Executable,
    arguments: Vec<Buffer>,
    results: Vec<Buffer>,
}

impl Run {
    /// A module compiled for one thread.
    ///
    /// # Errors
    /// Those of compiling.
    pub fn new(module: &Module, arguments: &[&Tensor], fused: bool) -> Result<Run, Error> {
        let fusion = if fused { FusionSpec::default() } else { FusionSpec::OFF };
        Run::with(module, arguments, Options { fusion, ..Options::default() })
    }

    /// The same, planned for a machine of this name.
    ///
    /// # Errors
    /// Those of compiling.
    pub fn planned_for(target: &str, module: &Module, arguments: &[&Tensor]) -> Result<Run, Error> {
        Run::with(module, arguments, Options { target: Some(target.into()), ..Options::default() })
    }

    fn with(module: &Module, arguments: &[&Tensor], options: Options) -> Result<Run, Error> {
        let client = Client::cpu();
        let executable = client.compile(module, &Options { threads: 1, ..options })?;
        Run::of(client, executable, arguments)
    }

    /// What is compiled, with its arguments.
    ///
    /// # Errors
    /// An argument carries an error.
    pub fn of(client: Client, executable: Executable, arguments: &[&Tensor]) -> Result<Run, Error> {
        let buffer = |t: &&Tensor| client.buffer_from_bytes(t.shape()?, t.array()?.bytes());
        let arguments = arguments.iter().map(buffer).collect::<Result<_, Error>>()?;
        Ok(Run { executable, arguments, results: Vec::new() })
    }

    /// Runs once.
    ///
    /// # Errors
    /// Those of running; so it is with what follows.
    pub fn run(&mut self) -> Result<(), Error> {
        // The results of the run before give their memory back first.
        self.results.clear();
        self.results = self.executable.run(&self.arguments)?;
        Ok(())
    }

    /// The first result as it lies in memory.
    pub fn bytes(&self) -> Vec<u8> {
        self.results[0].bytes().to_vec()
    }

    /// The first result as a tensor.
    pub fn tensor(&self) -> Tensor {
        Tensor::from_literal(self.results[0].to_literal())
    }

    /// All elements of the results.
    pub fn elements<F: Plonky3Element>(&self) -> Result<Vec<F>, Error> {
        let of = |b: &Buffer| Ok(Tensor::from_literal(b.to_literal()).to_plonky3::<F>()?);
        Ok(self.results.iter().map(of).collect::<Result<Vec<_>, Error>>()?.concat())
    }
}
