//! When Lawson itself is at fault: a file that replays it.
//!
//! The program that runs a module [`arm`]s this with the module's text and the flags; whoever meets a bug (the panic
//! hook, LLVM's fatal error handler) calls [`write`], which works whatever state the rest is in.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static ARMED: Mutex<Option<Repro>> = Mutex::new(None);

/// What is needed to replay a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repro {
    /// The module's text.
    pub module: String,
    /// The arguments after the program's name; `MODULE` stands for the module's path.
    pub command: Vec<String>,
}

/// The word in [`Repro::command`] that stands for the module's path.
pub const MODULE: &str = "MODULE";

/// From now on a bug is about this module and these flags.
pub fn arm(repro: Repro) {
    *ARMED.lock().unwrap_or_else(PoisonError::into_inner) = Some(repro);
}

/// Writes the module that was being run, with the bug's text as comments on top, to the folder.
/// Returns the file and the command that replays it; nothing if no module was being run.
pub fn write(folder: &Path, bug: &str) -> io::Result<Option<(PathBuf, String)>> {
    let Some(repro) = ARMED.lock().unwrap_or_else(PoisonError::into_inner).clone() else {
        return Ok(None);
    };
    let path = folder.join(format!("lawson-repro-{}.hlo", std::process::id()));
    let command = repro.command_for(&path);
    let mut text = format!("// A bug of Lawson {}. Replay: {command}\n", env!("CARGO_PKG_VERSION"));
    bug.lines().for_each(|line| text += &format!("// {line}\n"));
    text += &repro.module;
    std::fs::write(&path, text)?;
    Ok(Some((path, command)))
}

impl Repro {
    fn command_for(&self, path: &Path) -> String {
        let path = path.display().to_string();
        let words = self.command.iter().map(|w| quote(if w == MODULE { &path } else { w }));
        std::iter::once("lawson".to_string()).chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// A word of a shell command.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_replays() {
        let command = ["run", MODULE, "--fusion", "a b's"].map(String::from).to_vec();
        arm(Repro { module: "HloModule m\n".into(), command });
        let folder = std::env::temp_dir();
        let (path, command) = write(&folder, "it broke\nbadly").expect("written").expect("armed");
        let text = std::fs::read_to_string(&path).expect("read");
        std::fs::remove_file(&path).expect("removed");
        assert!(text.ends_with("// it broke\n// badly\nHloModule m\n"), "{text}");
        assert_eq!(command, format!("lawson run {} --fusion 'a b'\\''s'", path.display()));
    }
}
