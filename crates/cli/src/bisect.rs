//! `lawson bisect`: which decision of which pass changes the results.

use crate::args::BisectArgs;
use crate::progress::Spinner;
use crate::{data, term};
use lawson::bisect::{Fuel, Trial, Verdict, bisect, candidates};
use lawson::compare::{self, Tolerance};
use lawson::hlo::Literal;
use lawson::load::Loaded;
use lawson::options::option_error;
use lawson::{Buffer, Client, Device, Error, ErrorCode, Options, load, npz};
use lawson_opt::report::Report;

pub fn run(args: &BisectArgs) -> Result<(), Error> {
    let options = args.module.common.options();
    if args.module.common.device() != Device::Cpu {
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
    let spinner = Spinner::start("searching");
    let outcome = search(args, &loaded, &inputs, &options, &passes);
    spinner.stop();
    let (verdict, runs) = outcome?;
    let message = match verdict {
        Verdict::Right => return term::print(&format!("the results are right, after {runs} run\n")),
        Verdict::NotAPass => {
            format!("the results are wrong, but no pass alone makes them so ({runs} runs)")
        }
        Verdict::Found(c) => {
            term::print(&format!(
                "pass {} decision {} of {}, found in {runs} runs\n",
                c.pass, c.decision, c.of
            ))?;
            c.what.iter().try_for_each(|what| term::print(&format!("  {what}\n")))?;
            format!(
                "wrong with --fuel {0}={1}, right with --fuel {0}={2}",
                c.pass,
                c.decision,
                c.decision - 1
            )
        }
    };
    Err(Error::new(ErrorCode::Mismatch, message))
}

fn search(
    args: &BisectArgs,
    loaded: &Loaded,
    inputs: &[Literal],
    options: &Options,
    passes: &[String],
) -> Result<(Verdict, usize), Error> {
    let expected = match &args.expected.expect {
        Some(path) => npz::read(path, "out", &load::result_leaves(&loaded.module))?,
        None => Client::interpreter().execute(&loaded.module, inputs, options)?,
    };
    let tolerance = args.expected.tolerance();
    bisect(passes, &options.fuel, |fuel| trial(loaded, inputs, options, fuel, &expected, &tolerance))
}

/// Compiles and runs with that fuel. A bug that shows as an error is a wrong result too.
fn trial(
    loaded: &Loaded,
    inputs: &[Literal],
    options: &Options,
    fuel: &Fuel,
    expected: &[Literal],
    tolerance: &Tolerance,
) -> Result<Trial, Error> {
    let options = Options { fuel: fuel.clone(), ..options.clone() };
    let client = Client::cpu();
    let outcome = client.compile(&loaded.module, &options).and_then(|executable| {
        let buffers = inputs.iter().map(|l| client.buffer_from_literal(l)).collect::<Result<Vec<_>, _>>()?;
        let results: Vec<Literal> = executable.run(&buffers)?.iter().map(Buffer::to_literal).collect();
        Ok((results, executable.native().map(|n| n.planned.report.clone()).unwrap_or_default()))
    });
    match outcome {
        Ok((results, report)) => {
            let pairs = results.iter().zip(expected).enumerate();
            let right = pairs.map(|(i, (a, b))| compare::compare(i, a, b, tolerance)).all(|c| c.agrees);
            Ok(Trial { right, report })
        }
        Err(e) if e.code == ErrorCode::Internal => Ok(Trial { right: false, report: Report::default() }),
        Err(e) => Err(e),
    }
}
