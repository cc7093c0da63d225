//! From arguments to a module and its inputs: what `run`, `bench`, `explain` and `opt` share.

use crate::args::{DataArgs, ModuleArgs};
use lawson::hlo::{Module, Value};
use lawson::load::{self, Loaded};
use lawson::repro::{self, MODULE, Repro};
use lawson::{Error, ErrorCode, Options, memory, npz, random};
use std::path::Path;

/// Reads and verifies the module; from here on a bug is about it.
pub fn module(args: &ModuleArgs) -> Result<Loaded, Error> {
    let loaded = load::file(&args.module)?;
    repro::arm(Repro { module: loaded.text.clone(), command: replay(&args.module) });
    Ok(loaded)
}

/// The arguments of this process with the module's path replaced and other files made absolute.
fn replay(module: &Path) -> Vec<String> {
    let mut found = false;
    let absolute = |word: &str| match std::path::absolute(word) {
        Ok(path) if word.contains('.') && path.is_file() => path.display().to_string(),
        _ => word.to_string(),
    };
    std::env::args()
        .skip(1)
        .map(|word| {
            if !found && Path::new(&word) == module {
                found = true;
                return MODULE.to_string();
            }
            match word.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => format!("{flag}={}", absolute(value)),
                _ => absolute(&word),
            }
        })
        .collect()
}

/// The entry's arguments, read or drawn. Memory is checked before anything is allocated.
pub fn arguments(module: &Module, data: &DataArgs, options: &Options) -> Result<Vec<Value>, Error> {
    memory::check_interface(module, options.max_memory)?;
    let shapes = load::parameter_leaves(module);
    let leaves = match &data.inputs {
        Some(path) => npz::read(path, "arg", &shapes)?,
        None => random::literals(data.random.unwrap_or(0), &shapes),
    };
    load::arguments(module, leaves)
        .ok_or_else(|| Error::new(ErrorCode::Internal, "parameters have more leaves than were counted"))
}
