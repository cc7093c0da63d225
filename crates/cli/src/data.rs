//! From arguments to a module and its inputs: what `run`, `bench`, `explain` and `opt` share.

use crate::args::{DataArgs, ModuleArgs};
use lawson::hlo::{Literal, Module};
use lawson::load::{self, Loaded};
use lawson::repro::{self, MODULE, Repro};
use lawson::{
    Argument, Buffer, Client, Donation, Error, Executable, Options, Parameter, memory, npz, output,
    random_inputs,
};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Reads and verifies the module; from here on a bug is about it.
pub fn module(args: &ModuleArgs) -> Result<Loaded, Error> {
    let loaded = load::file(&args.module)?;
    repro::arm(Repro { module: loaded.text.clone(), command: replay(&args.module) });
    Ok(loaded)
}

/// The arguments of this process with the module's path replaced and other files made absolute.
fn replay(module: &Path) -> Vec<OsString> {
    let mut found = false;
    let absolute = |word: &OsStr| match std::path::absolute(word) {
        Ok(path) if word.as_bytes().contains(&b'.') && path.is_file() => path.into_os_string(),
        _ => word.into(),
    };
    std::env::args_os()
        .skip(1)
        .map(|word| {
            if !found && Path::new(&word) == module {
                found = true;
                return MODULE.into();
            }
            let bytes = word.as_bytes();
            match bytes.iter().position(|&b| b == b'=') {
                Some(at) if bytes.starts_with(b"--") => {
                    let (flag, value) = bytes.split_at(at + 1);
                    let mut word = OsStr::from_bytes(flag).to_os_string();
                    word.push(absolute(OsStr::from_bytes(value)));
                    word
                }
                _ => absolute(&word),
            }
        })
        .collect()
}

/// Refuses an output that is one of the files a command reads.
pub fn check_output(flag: &str, path: &Path, args: &ModuleArgs, expect: Option<&Path>) -> Result<(), Error> {
    let target = args.common.target.as_deref().map(Path::new);
    let inputs = [
        ("the module", Some(&*args.module)),
        ("the file of --inputs", args.data.inputs.as_deref()),
        ("the file of --expect", expect),
        ("the file of --target", target),
    ];
    let inputs: Vec<(&str, &Path)> = inputs.into_iter().filter_map(|(what, p)| Some((what, p?))).collect();
    output::refuse_input(flag, path, &inputs)
}

/// The entry's arguments on the device of the client.
pub fn arguments(
    module: &Module,
    data: &DataArgs,
    options: &Options,
    client: &Client,
) -> Result<Vec<Buffer>, Error> {
    literals(module, data, options)?.iter().map(|l| client.buffer_from_literal(l)).collect()
}

/// Arguments for one run: copies that are given up where the module's header says so, and nowhere else.
pub fn lend<'a>(
    client: &Client,
    executable: &Executable,
    inputs: &'a [Buffer],
) -> Result<Vec<Argument<'a>>, Error> {
    let argument = |(input, parameter): (&'a Buffer, &Parameter)| match parameter.donation {
        Donation::NotAsked => Ok(Argument::Borrowed(input)),
        Donation::NoResult | Donation::Result(_) => {
            client.buffer_from_bytes(input.shape(), input.host()?).map(Argument::Donated)
        }
    };
    inputs.iter().zip(executable.parameters()).map(argument).collect()
}

/// The array leaves of the entry's arguments, read or drawn. Memory is checked before anything is allocated.
pub fn literals(module: &Module, data: &DataArgs, options: &Options) -> Result<Vec<Literal>, Error> {
    memory::check_interface(module, options.max_memory)?;
    let shapes = load::parameter_leaves(module);
    match &data.inputs {
        Some(path) => npz::read(path, "arg", &shapes),
        None => Ok(random_inputs::literals(data.random.unwrap_or(0), &shapes)),
    }
}
