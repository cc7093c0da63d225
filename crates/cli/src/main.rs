//! The command `lawson`: reads arguments, runs one command, ends with the contract's exit codes.
//!
//! 0 is fine, 1 a failed comparison, 2 a mistake of the user, 3 a bug of ours. Commands run on a thread with a large
//! stack, so that deep nesting in the input never overflows it.

mod args;
mod bench;
mod bisect;
mod bug;
mod data;
mod doctor;
mod emit;
mod explain;
mod machine;
mod opt;
mod progress;
mod run;
mod term;
mod transform;
mod variant;
mod version;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use lawson::Error;
use lawson::deep;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let matches = Cli::command().version(version::line()).get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(e) => e.exit(),
    };
    bug::install_hook();
    match deep::run(|| dispatch(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => fail(&e),
    }
}

fn dispatch(command: Command) -> Result<(), Error> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Bisect(args) => bisect::run(&args),
        Command::Opt(args) => opt::run(&args),
        Command::Grad(args) => transform::grad(&args),
        Command::Vmap(args) => transform::vmap(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Crash(args) => {
            let loaded = data::module(&args)?;
            panic!("asked to crash on a module of {} instructions", loaded.module.instruction_count())
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "lawson", &mut script);
            term::print(&String::from_utf8_lossy(&script))
        }
    }
}

fn fail(error: &Error) -> ExitCode {
    term::error(&error.message);
    if error.code == lawson::ErrorCode::Internal {
        bug::report(&error.message);
    }
    ExitCode::from(error.code.exit_code())
}
