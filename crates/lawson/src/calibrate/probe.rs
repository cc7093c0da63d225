//! Modules that are timed, all of a group in turns: what disturbs the machine for a while meets each of them, and the least time of
//! each is what counts.

use crate::buffer::Buffer;
use crate::client::Client;
use crate::error::Error;
use crate::executable::Executable;
use crate::load;
use crate::options::{FusionBase, FusionSpec, Options};
use lawson_hlo::{ArrayShape, Literal};
use std::time::{Duration, Instant};

/// Times that all of a group take turns, and the runs of each turn.
const TURNS: usize = 12;
const RUNS: usize = 6;
/// Runs of a module that takes long: more of one that takes less than that long.
const FEW_RUNS: [usize; 2] = [5, 20];
const MANY_US: f64 = 10_000.0;
/// Turns end early after so long, but for the first two.
const LONG: Duration = Duration::from_millis(1500);

/// A module that is compiled and has its arguments.
pub struct Probe {
    executable: Executable,
    arguments: Vec<Buffer>,
}

impl Probe {
    /// Of this text on so many threads, on zeros.
    pub fn new(text: String, threads: usize) -> Result<Probe, Error> {
        Probe::on(text, threads, &zeros)
    }

    /// The same on the arrays that `literal` makes of shapes.
    pub fn on(
        text: String,
        threads: usize,
        literal: &dyn Fn(&ArrayShape) -> Literal,
    ) -> Result<Probe, Error> {
        let loaded = load::text_of("calibrate.hlo".into(), text)?;
        let fusion = FusionSpec { base: FusionBase::Max, ..FusionSpec::default() };
        let options = Options { threads, fusion, ..Options::default() };
        let client = Client::cpu();
        let executable = client.compile(&loaded.module, &options)?;
        let leaves = load::parameter_leaves(&loaded.module).into_iter().map(literal);
        let arguments = leaves.map(|l| client.buffer_from_literal(&l)).collect::<Result<Vec<_>, _>>()?;
        Ok(Probe { executable, arguments })
    }

    fn us(&self) -> Result<f64, Error> {
        let start = Instant::now();
        self.executable.run(&self.arguments)?;
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }
}

pub fn zeros(shape: &ArrayShape) -> Literal {
    Literal::new(shape.clone(), vec![0u8; shape.bytes() as usize])
}

/// Probes with the least time of a run of each so far, in µs.
pub struct Group {
    probes: Vec<Probe>,
    pub least: Vec<f64>,
}

impl Group {
    pub fn new(probes: Vec<Probe>) -> Group {
        Group { least: vec![f64::INFINITY; probes.len()], probes }
    }

    /// Lets all of them run in turns.
    pub fn turns(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        for turn in 0..TURNS {
            if turn >= 2 && start.elapsed() > LONG {
                break;
            }
            for (probe, least) in self.probes.iter().zip(&mut self.least) {
                probe.us()?;
                for _ in 0..RUNS {
                    *least = probe.us()?.min(*least);
                }
            }
        }
        Ok(())
    }
}

/// The least time of a few runs of one that takes long, in µs.
pub fn few_us(probe: &Probe) -> Result<f64, Error> {
    let first = probe.us()?;
    let runs = FEW_RUNS[usize::from(first < MANY_US)];
    (0..runs).try_fold(first, |least, _| Ok(probe.us()?.min(least)))
}
