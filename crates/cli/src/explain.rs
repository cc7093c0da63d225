//! `lawson explain`: what was fused, and why. Plans only, unless it is to be measured.

use crate::args::ExplainArgs;
use crate::progress::{COMPILING, RUNNING, Spinner};
use crate::{data, term};
use lawson::explain::{Explanation, dot, explain, explain_compiled, html, json, measure, text, unexplained};
use lawson::load::Loaded;
use lawson::options::option_error;
use lawson::{Client, Device, Error, Options, output};

pub fn run(args: &ExplainArgs) -> Result<(), Error> {
    let options = args.tune.of(args.module.common.predicting()?);
    if let Some(path) = &args.html {
        data::check_output("--html", path, &args.module, None)?;
    }
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    if args.limit.time_limit.is_some() && !args.measure {
        return Err(option_error("--time-limit: nothing is run without --measure"));
    }
    let device = args.module.common.device;
    if device == Device::Interpreter {
        return Err(unexplained(device));
    }
    // A graphics processor has to be there, since plans are for it; the host may be planned for as any other machine.
    let client = args.module.common.client()?;
    let options = if device.is_cuda() { client.options_for(&options)? } else { options };
    let explanation = if args.measure {
        measured(args, &client, &loaded, &options)?
    } else {
        if args.module.data.inputs.is_some() {
            // The plan does not depend on them, but wrong ones are told as everywhere.
            data::literals(&loaded.module, &args.module.data, &options)?;
        }
        planned(&client, &loaded, &options)?
    };
    if let Some(path) = &args.html {
        output::write(path, |sink| sink.write_all(html::render(&explanation).as_bytes()))?;
    }
    match (args.json, args.dot, &args.html) {
        (true, ..) => term::print(&format!("{}\n", json::render(&explanation))),
        (_, true, _) => term::print(&dot::render(&explanation)),
        (.., None) => {
            let shown = if args.all { text::Shown::All } else { text::Shown::Most };
            term::print(&text::render(&explanation, shown))
        }
        (.., Some(_)) => Ok(()),
    }
}

/// The plan, which is made of what measurements say where they are asked for.
fn planned(client: &Client, loaded: &Loaded, options: &Options) -> Result<Explanation, Error> {
    if options.tune.is_none() {
        return explain(loaded, options);
    }
    let spinner = Spinner::start(COMPILING);
    let executable = spinner.watching(client, COMPILING).compile(&loaded.module, options)?;
    spinner.stop();
    explain_compiled(loaded, &executable)?.ok_or_else(|| unexplained(client.device()))
}

fn measured(
    args: &ExplainArgs,
    client: &Client,
    loaded: &Loaded,
    options: &Options,
) -> Result<Explanation, Error> {
    let inputs = data::literals(&loaded.module, &args.module.data, options)?;
    let spinner = Spinner::start(RUNNING);
    let explanation =
        measure(&spinner.watching(client, RUNNING), loaded, &inputs, options, &args.limit.options());
    spinner.stop();
    explanation
}
