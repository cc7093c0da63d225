//! `lawson bisect`: which decision of which pass changes the results.

use crate::args::BisectArgs;
use crate::progress::{RUNNING, Spinner};
use crate::{data, term};
use lawson::bisect::{Culprit, Trial, Verdict, bisect, candidates};
use lawson::compare::{self, Tolerance};
use lawson::hlo::Literal;
use lawson::load::Loaded;
use lawson::options::option_error;
use lawson::{Buffer, Client, Device, Error, ErrorCode, Executable, Options, RunOptions, load, npz};

pub fn run(args: &BisectArgs) -> Result<(), Error> {
    let options = args.module.common.options()?;
    if args.module.common.device != Device::Cpu {
        return Err(option_error("bisect: only --device cpu has passes to search"));
    }
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    let inputs = data::literals(&loaded.module, &args.module.data, &options)?;
    let passes = match &args.pass {
        Some(name) if !candidates().contains(name) => {
            let known = candidates().join(", ");
            return Err(option_error(format!("--pass: no pass is called `{name}`; there are {known}")));
        }
        Some(name) => vec![name.clone()],
        None => candidates(),
    };
    let spinner = Spinner::start(RUNNING);
    let outcome = search(args, &loaded, &inputs, &options, &passes);
    spinner.stop();
    let (verdict, runs) = outcome?;
    let message = match verdict {
        Verdict::Right => return term::print(&format!("the results are right, after {runs} run\n")),
        Verdict::NotAPass => format!(
            "the results are wrong even with all passes out of fuel ({runs} runs): the fault is in what takes no fuel \
             (lawson opt prints the module after each pass), in code generation, or in the tolerance"
        ),
        Verdict::NotThisPass => format!(
            "the results are wrong with and without {} ({runs} runs): leave --pass away to search all passes",
            passes.join(", ")
        ),
        Verdict::Found(c) => found(&c, runs)?,
    };
    Err(Error::new(ErrorCode::Mismatch, message))
}

/// Prints the decision; gives the message about how to see it.
fn found(c: &Culprit, runs: usize) -> Result<String, Error> {
    let of = c.of.map_or("an unknown number".to_owned(), |of| of.to_string());
    term::print(&format!("pass {} decision {} of {of}, found in {runs} runs\n", c.pass, c.decision))?;
    c.what.iter().try_for_each(|what| term::print(&format!("  {what}\n")))?;
    if !c.off.is_empty() {
        let off = c.off.join(", ");
        term::print(&format!("  several passes take part: found with these switched off: {off}\n"))?;
    }
    let off: String = c.off.iter().map(|pass| format!(" --fuel {pass}=0")).collect();
    let fuel = |n: u64| format!("--fuel {}={n}{off}", c.pass);
    Ok(format!("wrong with {}, right with {}", fuel(c.decision), fuel(c.decision - 1)))
}

fn search(
    args: &BisectArgs,
    loaded: &Loaded,
    inputs: &[Literal],
    options: &Options,
    passes: &[String],
) -> Result<(Verdict, usize), Error> {
    let limits = args.limit.options();
    // What is refused is refused before the interpreter, which is slow, is asked what is right.
    if let Err(e) = Client::cpu().compile(&loaded.module, options)
        && e.code != ErrorCode::Internal
    {
        return Err(e);
    }
    let expected = match &args.expected.expect {
        Some(path) => npz::read(path, "out", &load::result_leaves(&loaded.module))?,
        None => {
            let client = Client::interpreter();
            let executable = client.compile(&loaded.module, options)?;
            results(&client, &executable, inputs, &limits)?
        }
    };
    let tolerance = args.expected.tolerance(&loaded.module);
    bisect(passes, &options.fuel, |fuel| {
        trial(
            loaded,
            inputs,
            &Options { fuel: fuel.clone(), ..options.clone() },
            &limits,
            &expected,
            &tolerance,
        )
    })
}

/// The array leaves of the result.
fn results(
    client: &Client,
    executable: &Executable,
    inputs: &[Literal],
    limits: &RunOptions,
) -> Result<Vec<Literal>, Error> {
    let buffers = inputs.iter().map(|l| client.buffer_from_literal(l)).collect::<Result<Vec<_>, _>>()?;
    let outcome = executable.run_with(buffers, limits)?;
    Ok(outcome.outputs.iter().map(Buffer::to_literal).collect())
}

/// Compiles and runs with these options, fuel among them. A bug that shows as an error is a wrong result too.
fn trial(
    loaded: &Loaded,
    inputs: &[Literal],
    options: &Options,
    limits: &RunOptions,
    expected: &[Literal],
    tolerance: &Tolerance,
) -> Result<Trial, Error> {
    let client = Client::cpu();
    let outcome = client.compile(&loaded.module, options).and_then(|executable| {
        let results = results(&client, &executable, inputs, limits)?;
        Ok((results, executable.native().map(|n| n.planned.report.clone())))
    });
    match outcome {
        Ok((results, report)) => {
            let pairs = results.iter().zip(expected).enumerate();
            let right = pairs.map(|(i, (a, b))| compare::compare(i, a, b, tolerance)).all(|c| c.agrees);
            Ok(Trial { right, report })
        }
        Err(e) if e.code == ErrorCode::Internal => Ok(Trial { right: false, report: None }),
        Err(e) => Err(e),
    }
}
