//! `lawson run`: compile, run, then write, compare or show the results.

use crate::args::RunArgs;
use crate::progress::{RUNNING, Spinner};
use crate::{data, term};
use lawson::compare::{self, Tolerance};
use lawson::hlo::Literal;
use lawson::{Buffer, Error, ErrorCode, load, npz};

/// Elements of a result that are shown.
const SHOWN: usize = 8;

pub fn run(args: &RunArgs) -> Result<(), Error> {
    let options = args.tune.of(args.module.common.options()?);
    args.expected.check()?;
    if let Some(path) = &args.output {
        data::check_output("--output", path, &args.module, args.expected.expect.as_deref())?;
    }
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    let client = args.module.common.client()?;
    let inputs = data::arguments(&loaded.module, &args.module.data, &options, &client)?;
    // Read before running, so that a wrong file is known at once.
    let expected = match &args.expected.expect {
        Some(path) => Some(npz::read(path, "out", &load::result_leaves(&loaded.module))?),
        None => None,
    };
    let spinner = Spinner::start(RUNNING);
    let limits = args.limit.options();
    let executable = spinner.watching(&client, RUNNING).compile(&loaded.module, &options);
    let outcome = executable.and_then(|e| e.run_with(data::lend(&client, &e, &inputs)?, &limits));
    spinner.stop();
    let outputs = outcome?.outputs.iter().map(Buffer::literal).collect::<Result<Vec<Literal>, Error>>()?;
    let outputs: Vec<&Literal> = outputs.iter().collect();
    if let Some(path) = &args.output {
        npz::write(path, "out", &outputs)?;
    }
    match expected {
        Some(expected) => judge(&outputs, &expected, &args.expected.tolerance(&loaded.module)),
        None if args.output.is_none() => term::print(&show(&outputs)),
        None => Ok(()),
    }
}

fn judge(outputs: &[&Literal], expected: &[Literal], tolerance: &Tolerance) -> Result<(), Error> {
    let mut wrong = 0;
    for (i, (actual, expected)) in outputs.iter().zip(expected).enumerate() {
        let comparison = compare::compare(i, actual, expected, tolerance);
        term::print(&format!("{comparison}\n"))?;
        wrong += !comparison.agrees as usize;
    }
    if wrong == 0 {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::Mismatch,
        format!("{wrong} of {} outputs differ from what is expected", outputs.len()),
    ))
}

/// Each output with its first elements.
fn show(outputs: &[&Literal]) -> String {
    let mut text = String::new();
    for (i, output) in outputs.iter().enumerate() {
        let first: Vec<String> = output.scalars().take(SHOWN).map(|s| s.to_string()).collect();
        let more = if output.elements() > SHOWN { ", …" } else { "" };
        text += &format!("out{i} {} {{{}{more}}}\n", output.shape(), first.join(", "));
    }
    text
}
