//! `lawson explain`: what was fused, and why. Plans only, unless it is to be measured.

use crate::args::ExplainArgs;
use crate::progress::Spinner;
use crate::{data, term};
use lawson::explain::{Explanation, dot, explain, html, json, measure, text, unexplained};
use lawson::load::Loaded;
use lawson::{Device, Error, Options};

pub fn run(args: &ExplainArgs) -> Result<(), Error> {
    let options = args.module.common.options();
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    let device = args.module.common.device();
    if device != Device::Cpu {
        return Err(unexplained(device));
    }
    let explanation = if args.measure {
        measured(args, &loaded, &options)?
    } else {
        if args.module.data.inputs.is_some() {
            // The plan does not depend on them, but wrong ones are told as everywhere.
            data::literals(&loaded.module, &args.module.data, &options)?;
        }
        explain(&loaded, &options)?
    };
    if let Some(path) = &args.html {
        std::fs::write(path, html::render(&explanation)).map_err(|e| Error::file(path, "write", e))?;
    }
    match (args.json, args.dot, &args.html) {
        (true, ..) => term::print(&format!("{}\n", json::render(&explanation))),
        (_, true, _) => term::print(&dot::render(&explanation)),
        (.., None) => term::print(&text::render(&explanation)),
        (.., Some(_)) => Ok(()),
    }
}

fn measured(args: &ExplainArgs, loaded: &Loaded, options: &Options) -> Result<Explanation, Error> {
    let inputs = data::literals(&loaded.module, &args.module.data, options)?;
    let spinner = Spinner::start("measuring");
    let explanation = measure(loaded, &inputs, options);
    spinner.stop();
    explanation
}
