//! `lawson opt`: passes from text to text, or to the text of kernels.

use crate::args::{EmitArg, OptArgs};
use crate::{data, emit, term};
use lawson::options::option_error;
use lawson::{Error, compile, hlo};
use lawson_opt::pipeline::{self, PIPELINE};
use lawson_opt::{Pass, PassContext, PrintAfter, Status};

pub fn run(args: &OptArgs) -> Result<(), Error> {
    let options = args.module.common.options()?;
    let loaded = data::module(&args.module)?;
    let passes = choose(&args.passes)?;
    if args.emit == Some(EmitArg::Stablehlo) {
        if args.kernel.is_some() {
            return Err(option_error("--kernel: StableHLO is printed of the whole module"));
        }
        let mut module = loaded.module;
        if !args.passes.is_empty() {
            let mut cx = PassContext::new(options.passes()?);
            pipeline::run(&mut cx, &mut module, &passes).map_err(|d| compile::diagnosed(&module, &d))?;
        }
        return term::print(&lawson::stablehlo::text_of(&module)?);
    }
    if let Some(form) = args.emit {
        loaded.check_supported()?;
        let planned = compile::plan_with(&loaded.module, &options, &passes)?;
        return term::print(&emit::text(&planned, form, args.kernel.as_deref(), &options)?);
    }
    let mut cx = PassContext::new(lawson_opt::Options {
        print_after: print_after(&args.print_after)?,
        ..options.passes()?
    });
    let mut module = loaded.module;
    let outcome = pipeline::run(&mut cx, &mut module, &passes);
    if term::log_level() > 0 {
        term::note(cx.report.to_string().trim_end());
    }
    for pass in &cx.report.passes {
        if let Some(text) = &pass.text {
            term::print(&format!("// after {}\n{}\n", pass.name, text.trim_end()))?;
        } else if !args.print_after.is_empty() && !pass.changed {
            term::print(&format!("// after {} (unchanged)\n", pass.name))?;
        }
    }
    outcome.map_err(|d| compile::diagnosed(&module, &d))?;
    if args.print_after.is_empty() { term::print(&hlo::text::print(&module)) } else { Ok(()) }
}

fn choose(names: &[String]) -> Result<Vec<Pass>, Error> {
    if names.is_empty() {
        return Ok(PIPELINE.to_vec());
    }
    names.iter().map(|name| known(name).copied()).collect()
}

fn known(name: &str) -> Result<&'static Pass, Error> {
    pipeline::find(name).ok_or_else(|| {
        let built = PIPELINE.iter().chain(pipeline::SIMPLIFICATION).filter(|p| p.status == Status::Now);
        let names: Vec<&str> = built.map(|p| p.name).collect();
        option_error(format!("no pass is called `{name}`; there are {}", names.join(", ")))
    })
}

fn print_after(names: &[String]) -> Result<PrintAfter, Error> {
    match names {
        [] => Ok(PrintAfter::Nothing),
        [all] if all == "all" => Ok(PrintAfter::All),
        names => {
            names.iter().try_for_each(|n| known(n).map(drop))?;
            Ok(PrintAfter::Passes(names.to_vec()))
        }
    }
}
