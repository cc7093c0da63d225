//! `lawson grad` and `lawson vmap`: from the text of a program to that of its derivative, or of the program for many examples.

use crate::args::{GradArgs, VmapArgs};
use crate::term;
use lawson::hlo::text;
use lawson::{Error, hlo, load, output, transform};
use std::path::Path;

pub fn grad(args: &GradArgs) -> Result<(), Error> {
    let loaded = load::file(&args.module)?;
    refuse(args.output.as_deref(), &args.module)?;
    write(&transform::grad(&loaded, &args.wrt, args.value)?, args.output.as_deref())
}

pub fn vmap(args: &VmapArgs) -> Result<(), Error> {
    let loaded = load::file(&args.module)?;
    refuse(args.output.as_deref(), &args.module)?;
    let arrays = load::parameter_leaves(&loaded.module).len();
    let axes = match &args.in_axes {
        Some(axes) => axes.iter().map(|a| a.0).collect(),
        None => vec![Some(0); arrays],
    };
    write(&transform::vmap(&loaded, i64::from(args.size), &axes)?, args.output.as_deref())
}

fn refuse(output: Option<&Path>, module: &Path) -> Result<(), Error> {
    output.map_or(Ok(()), |path| output::refuse_input("--output", path, &[("the module", module)]))
}

fn write(module: &hlo::Module, output: Option<&Path>) -> Result<(), Error> {
    let text = text::print(module);
    match output {
        Some(path) => output::write(path, |sink| sink.write_all(text.as_bytes())),
        None => term::print(&text),
    }
}
