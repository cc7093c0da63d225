//! Files that are written: whole, or not at all.
//!
//! A regular file is written beside its place, under a name `.lawson-PROCESS-NUMBER.tmp`, and renamed when it is complete,
//! so that a full disk or an interruption leaves what was there. Links are followed, and a file that is replaced keeps its
//! permissions. What is no regular file (a pipe, a terminal, `/dev/stdout`) is written directly.

use crate::error::{Error, ErrorCode, option_error};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Cursor, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What content is written to.
pub trait Sink: Write + Seek {}

impl<T: Write + Seek> Sink for T {}

/// Writes a file with this content.
///
/// # Errors
/// [`ErrorCode::File`], with the path and what the system says; the file that was there is as it was.
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> Result<(), Error> {
    try_write(path, content).map_err(|e| unwritten(&path.display().to_string(), &e))
}

/// As [`write()`], with the error of the system.
///
/// # Errors
/// Those of the file system, and of `content`.
pub fn try_write(path: &Path, content: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
    let place = followed(path)?;
    match fs::metadata(&place) {
        Ok(there) if !there.is_file() => {
            // Opened first: a folder, or a device that refuses, is told before anything is computed.
            let mut target = OpenOptions::new().write(true).open(&place)?;
            let mut whole = Cursor::new(Vec::new());
            content(&mut whole)?;
            target.write_all(whole.get_ref())?;
            target.flush()
        }
        Ok(there) => {
            // Renaming needs no right to write the file itself, so that is asked for.
            drop(OpenOptions::new().write(true).open(&place)?);
            replace(&place, Some(&there), content)
        }
        Err(e) if e.kind() == ErrorKind::NotFound => replace(&place, None, content),
        Err(e) => Err(e),
    }
}

/// The error of something that cannot be written: a file, or a stream.
pub fn unwritten(what: &str, e: &io::Error) -> Error {
    let cause = match e.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "no space left on device".to_string(),
        _ => e.to_string(),
    };
    Error::new(ErrorCode::File, format!("cannot write {what}: {cause}"))
}

/// Refuses an output that is one of the inputs, under whatever name.
///
/// # Errors
/// [`ErrorCode::Option`], with both names.
pub fn refuse_input(flag: &str, path: &Path, inputs: &[(&str, &Path)]) -> Result<(), Error> {
    let identity = |path: &Path| {
        let file = fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some((file.dev(), file.ino()))
    };
    let Some(output) = identity(path) else { return Ok(()) };
    match inputs.iter().find(|(_, input)| identity(input) == Some(output)) {
        None => Ok(()),
        Some((what, input)) => Err(option_error(format!(
            "{flag} {}: this file is {what} ({}); write to another one",
            path.display(),
            input.display()
        ))),
    }
}

/// Where a path leads: a link is followed, also to a file that is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST: usize = 40;
    let mut place = path.to_path_buf();
    for _ in 0..MOST {
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => {
                // The links below /proc that stand for open files lead to no path.
                if fs::metadata(&place).is_ok_and(|target| !target.is_file()) {
                    return Ok(place);
                }
                let to = fs::read_link(&place)?;
                place = place.parent().unwrap_or(Path::new("")).join(to);
            }
            _ => return Ok(place),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Writes beside the place and renames. `there` is what is replaced.
fn replace(
    place: &Path,
    there: Option<&Metadata>,
    content: impl FnOnce(&mut dyn Sink) -> io::Result<()>,
) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let beside = place.with_file_name(format!(".lawson-{}-{number}.tmp", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = || {
        if let Some(there) = there {
            // Before the content, which nobody else may read for a moment.
            file.set_permissions(there.permissions())?;
        }
        fill(file, content)?;
        fs::rename(&beside, place)
    };
    written().inspect_err(|_| {
        // There is nothing to do about one that stays.
        let _ = fs::remove_file(&beside);
    })
}

fn fill(file: File, content: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
    let mut sink = UntilError::new(BufWriter::new(file));
    let written = content(&mut sink);
    match sink.error {
        // What made the content fail, in the words of the system.
        Some(error) => Err(error),
        None => written.and_then(|()| sink.inner.flush()),
    }
}

/// Keeps the first error. What is written after it goes nowhere and succeeds: a writer of archives finishes its work when
/// it is dropped, and complains in its own words if it cannot.
struct UntilError<W> {
    inner: W,
    error: Option<io::Error>,
    position: u64,
    end: u64,
}

impl<W: Sink> UntilError<W> {
    fn new(inner: W) -> UntilError<W> {
        UntilError { inner, error: None, position: 0, end: 0 }
    }

    /// The work, unless it failed before; then `or`.
    fn attempt<T>(&mut self, or: T, work: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.error.is_some() {
            return Ok(or);
        }
        work(&mut self.inner).map_err(|e| {
            let told = io::Error::from(e.kind());
            self.error = Some(e);
            told
        })
    }
}

impl<W: Sink> Write for UntilError<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.attempt(bytes.len(), |w| w.write(bytes))?;
        self.position = self.position.saturating_add(written as u64);
        self.end = self.end.max(self.position);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt((), W::flush)
    }
}

impl<W: Sink> Seek for UntilError<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let nowhere = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
            SeekFrom::End(by) => self.end.saturating_add_signed(by),
        };
        self.position = self.attempt(nowhere, |w| w.seek(to))?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// An empty folder that is removed in the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("lawson-output-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).expect("a folder");
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let all = fs::read_dir(&self.0).expect("readable").flatten();
            let mut all: Vec<String> = all.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
            all.sort();
            all
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = Folder::new("failure");
        let path = folder.0.join("out");
        fs::write(&path, "old").expect("written");
        let full = |sink: &mut dyn Sink| {
            sink.write_all(b"new")?;
            Err(io::Error::from(ErrorKind::StorageFull))
        };
        let error = write(&path, full).expect_err("full");
        assert_eq!(error.message, format!("cannot write {}: no space left on device", path.display()));
        assert_eq!(fs::read_to_string(&path).expect("still there"), "old");
        assert!(write(&folder.0.join("other"), full).is_err());
        assert_eq!(folder.names(), ["out"]);
    }

    #[test]
    fn after_an_error_writing_goes_nowhere_and_succeeds() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::from(ErrorKind::StorageFull))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl Seek for Full {
            fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
                Ok(0)
            }
        }
        let mut sink = UntilError::new(Full);
        assert!(sink.write_all(b"x").is_err());
        assert!(sink.write_all(b"yz").is_ok() && sink.flush().is_ok());
        let places = [SeekFrom::Current(-1), SeekFrom::End(0), SeekFrom::Start(1)];
        assert_eq!(places.map(|to| sink.seek(to).ok()), [Some(1), Some(2), Some(1)]);
        assert_eq!(sink.error.map(|e| e.kind()), Some(ErrorKind::StorageFull));
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = Folder::new("links");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
        symlink("file", &link).expect("linked");
        let new = |sink: &mut dyn Sink| sink.write_all(b"new");
        write(&link, new).expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), "new");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        fs::remove_file(&file).expect("removed");
        write(&link, new).expect("a link to nothing makes the file");
        assert_eq!((fs::read_to_string(&file).expect("there"), folder.names().len()), ("new".into(), 2));
        symlink("circle", folder.0.join("circle")).expect("linked");
        assert!(write(&folder.0.join("circle"), new).is_err());
    }

    #[test]
    fn what_is_no_file_is_written_directly() {
        write(Path::new("/dev/null"), |sink| sink.write_all(b"gone")).expect("written");
        let folder = Folder::new("direct");
        assert!(write(&folder.0, |_| Ok(())).is_err());
        let error = write(Path::new("/dev/full"), |sink| sink.write_all(b"x")).expect_err("full");
        assert_eq!(error.message, "cannot write /dev/full: no space left on device");
    }

    #[test]
    fn an_input_is_known_by_any_name() {
        let folder = Folder::new("inputs");
        let (file, hard) = (folder.0.join("file"), folder.0.join("hard"));
        fs::write(&file, "data").expect("written");
        fs::hard_link(&file, &hard).expect("linked");
        let inputs = [("the file of --inputs", &*file)];
        let error = refuse_input("--output", &hard, &inputs).expect_err("the same file");
        assert!(error.message.contains("the file of --inputs") && error.message.contains("hard"), "{error}");
        assert!(refuse_input("--output", &folder.0.join("./file"), &inputs).is_err());
        assert_eq!(refuse_input("--output", &folder.0.join("new"), &inputs), Ok(()));
        let device = Path::new("/dev/null");
        assert_eq!(refuse_input("--output", device, &[("the module", device)]), Ok(()));
    }
}
