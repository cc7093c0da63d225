//! `LAWSON_DUMP=folder`: files that replay what JAX ran, for reports of differences.
//!
//! Each program that is compiled leaves its module as it came, `PROCESS-NUMBER.mlir.bc`, and when it is first run its arguments,
//! the same with `.npz`, and the command that runs both, with `.sh`. Without the process a program that calls Python cannot be
//! run: it has no command.

use crate::abi::failure::Failure;
use lawson::{Error, Options, npz, output};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

const VARIABLE: &str = "LAWSON_DUMP";

/// The files of one program.
pub struct Dump {
    /// Without an ending.
    path: PathBuf,
    options: Vec<OsString>,
    /// The files of the first run are there.
    has_run: Mutex<bool>,
}

/// Writes the module of a program where the user asked for it.
///
/// # Errors
/// The file cannot be written.
pub fn begin(source: &[u8], options: &Options) -> Result<Option<Dump>, Failure> {
    static FOLDER: LazyLock<Option<OsString>> =
        LazyLock::new(|| std::env::var_os(VARIABLE).filter(|f| !f.is_empty()));
    let Some(folder) = FOLDER.as_deref().map(Path::new) else { return Ok(None) };
    std::fs::create_dir_all(folder).map_err(|e| Error::file(folder, "make the folder", e))?;
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let name = format!("{}-{:03}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let dump = Dump { path: folder.join(name), options: options.words(), has_run: Mutex::new(false) };
    output::write(&dump.file("mlir.bc"), |sink| sink.write_all(source))?;
    Ok(Some(dump))
}

impl Dump {
    /// Writes the arguments of the first run, and the command that repeats it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn inputs<'a>(
        &self,
        arguments: impl Iterator<Item = &'a lawson::Buffer>,
        calls_python: bool,
    ) -> Result<(), Failure> {
        let mut has_run = self.has_run.lock().unwrap_or_else(PoisonError::into_inner);
        if *has_run {
            return Ok(());
        }
        let literals: Vec<_> = arguments.map(lawson::Buffer::to_literal).collect();
        let (inputs, module) = (self.file("npz"), self.file("mlir.bc"));
        npz::write(&inputs, "arg", &literals.iter().collect::<Vec<_>>())?;
        if !calls_python {
            self.command(&module, &inputs)?;
        }
        *has_run = true;
        Ok(())
    }

    fn command(&self, module: &Path, inputs: &Path) -> Result<(), Failure> {
        let mut words: Vec<OsString> = vec!["lawson".into(), "run".into(), module.into()];
        words.extend(["--inputs".into(), inputs.into()]);
        words.extend(self.options.iter().cloned());
        let words: Vec<String> = words.iter().map(|w| quoted(&w.to_string_lossy())).collect();
        Ok(output::write(&self.file("sh"), |sink| writeln!(sink, "{}", words.join(" ")))?)
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.path.with_extension(ending)
    }
}

/// A word as shells take it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_of_shells() {
        assert_eq!(quoted("a/b-1.npz"), "a/b-1.npz");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
        assert_eq!(quoted(""), "''");
    }
}
