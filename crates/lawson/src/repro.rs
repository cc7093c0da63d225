//! When Lawson itself is at fault: files that replay it.
//!
//! A fatal error of LLVM ends the process, and only a file can tell what was compiled. [`begin`] notes each compilation
//! while it lasts. A program that runs one module, such as the command, [`arm`]s this with the module's text and its own
//! arguments, which then stand for all. Whoever meets a bug calls [`report`], which works whatever state the rest is in.

use crate::options::{Device, Options};
use crate::output;
use lawson_hlo::Module;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

static ARMED: Mutex<Option<Repro>> = Mutex::new(None);

/// Compilations that go on now.
static IN_WORK: Mutex<Vec<Working>> = Mutex::new(Vec::new());

/// What is needed to replay a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repro {
    /// The module's text.
    pub module: String,
    /// The arguments after the program's name; `MODULE` stands for the module's path.
    pub command: Vec<OsString>,
}

/// The word in [`Repro::command`] that stands for the module's path.
pub const MODULE: &str = "MODULE";

/// From now on a bug is about this module and these flags.
pub fn arm(repro: Repro) {
    *ARMED.lock().unwrap_or_else(PoisonError::into_inner) = Some(repro);
}

struct Working {
    number: u64,
    module: Arc<Module>,
    command: Vec<OsString>,
}

/// A compilation that goes on, until dropped.
pub struct InWork(u64);

/// Notes that this module is being compiled, as [`crate::Client::compile`] does, and sees to it that a fatal error of LLVM
/// reports it.
pub fn begin(module: &Arc<Module>, device: Device, options: &Options) -> InWork {
    static HANDLER: Once = Once::new();
    // The first who registers is called: a program that has its own way of reporting does it before it compiles.
    HANDLER.call_once(|| {
        lawson_llvm::fatal::on_fatal_error(Box::new(|bug| {
            report(bug).iter().for_each(|note| eprintln!("{note}"));
        }));
    });
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut command = ["run", MODULE, "--device"].map(OsString::from).to_vec();
    command.push(device.to_string().into());
    command.extend(options.words());
    let working = Working { number, module: module.clone(), command };
    IN_WORK.lock().unwrap_or_else(PoisonError::into_inner).push(working);
    InWork(number)
}

impl Drop for InWork {
    fn drop(&mut self) {
        IN_WORK.lock().unwrap_or_else(PoisonError::into_inner).retain(|w| w.number != self.0);
    }
}

/// Writes files that replay a bug to the working directory, else to that of temporary files; returns what to tell the
/// user, in lines.
pub fn report(bug: &str) -> Vec<String> {
    let mut notes = vec!["this is a bug of Lawson, not of your program".to_string()];
    let here = std::env::current_dir().unwrap_or_default();
    match write(&here, bug).or_else(|_| write(&std::env::temp_dir(), bug)) {
        Ok(files) => notes.extend(files.iter().map(|(path, command)| {
            format!("{} holds the module; to replay it:\n  {command}", path.display())
        })),
        Err(e) => notes.push(format!("the file that replays it could not be written: {e}")),
    }
    notes
}

/// Writes the module that was being run, else all that are being compiled, with the bug's text as comments on top, to the
/// folder. Returns the files and the commands that replay them.
pub fn write(folder: &Path, bug: &str) -> io::Result<Vec<(PathBuf, String)>> {
    let process = std::process::id();
    let armed = ARMED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(repro) = armed {
        return Ok(vec![repro.write(folder.join(format!("lawson-repro-{process}.hlo")), bug)?]);
    }
    let in_work = IN_WORK.lock().unwrap_or_else(PoisonError::into_inner);
    let write = |w: &Working| {
        let repro = Repro { module: w.module.to_string(), command: w.command.clone() };
        repro.write(folder.join(format!("lawson-repro-{process}-{}.hlo", w.number)), bug)
    };
    in_work.iter().map(write).collect()
}

impl Repro {
    fn write(&self, path: PathBuf, bug: &str) -> io::Result<(PathBuf, String)> {
        let command = self.command_for(&path);
        let mut text = format!("// A bug of Lawson {}. Replay: {command}\n", env!("CARGO_PKG_VERSION"));
        bug.lines().for_each(|line| text += &format!("// {line}\n"));
        text += &self.module;
        output::try_write(&path, |sink| sink.write_all(text.as_bytes()))?;
        Ok((path, command))
    }

    fn command_for(&self, path: &Path) -> String {
        let words = self.command.iter().map(|w| quote(if w == MODULE { path.as_os_str() } else { w }));
        std::iter::once("lawson".to_string()).chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// A word of a shell command; of bytes that are no text as bash and zsh read them, `$'\xff'`.
fn quote(word: &OsStr) -> String {
    let Some(word) = word.to_str() else {
        let byte = |&b: &u8| match b {
            b'\'' | b'\\' => format!("\\{}", b as char),
            b' '..=b'~' => (b as char).to_string(),
            b => format!("\\x{b:02x}"),
        };
        return format!("$'{}'", word.as_encoded_bytes().iter().map(byte).collect::<String>());
    };
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
        let command = ["run", MODULE, "--fusion", "a b's"].map(OsString::from).to_vec();
        let repro = Repro { module: "HloModule m\n".into(), command };
        let path = std::env::temp_dir().join(format!("lawson-repro-test-{}.hlo", std::process::id()));
        let (path, command) = repro.write(path, "it broke\nbadly").expect("written");
        let text = std::fs::read_to_string(&path).expect("read");
        std::fs::remove_file(&path).expect("removed");
        assert!(text.ends_with("// it broke\n// badly\nHloModule m\n"), "{text}");
        assert_eq!(command, format!("lawson run {} --fusion 'a b'\\''s'", path.display()));
    }

    #[test]
    fn words_that_are_no_text_are_quoted_by_bytes() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quote(OsStr::from_bytes(b"it's \xff\\\xc3\xa9")), r"$'it\'s \xff\\\xc3\xa9'");
        assert_eq!(quote(OsStr::new("a/b.hlo")), "a/b.hlo");
    }
}
