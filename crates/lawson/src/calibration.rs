//! What `lawson doctor --calibrate` has measured of this machine, kept in a file for the predictions of `explain` and `bench`.
//!
//! Plans do not depend on it: they are functions of the module, the options and the target, so that two machines with the same
//! vectors have the same plans. Only the times that are told for a plan are those of the machine that was measured.

use crate::code_folder;
use crate::error::{Error, option_error};
use crate::output;
use crate::target::{self, host};
use lawson_kernel::target::Target;
use std::path::{Path, PathBuf};

/// Where the description of a machine with this processor and so many threads is kept: in the folder that `LAWSON_CACHE` names,
/// else in that of the user's caches; `None` where there is neither.
pub fn place(processor: &str, threads: usize) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable(code_folder::FOLDER)
        .or_else(|| Some(variable("XDG_CACHE_HOME")?.join("lawson")))
        .or_else(|| Some(variable("HOME")?.join(".cache/lawson")))?;
    let letters =
        processor.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let words: Vec<String> =
        letters.collect::<String>().split('-').filter(|w| !w.is_empty()).map(Into::into).collect();
    Some(folder.join(format!("machine-{}-{threads}.json", words.join("-"))))
}

/// Keeps a description there.
///
/// # Errors
/// The file cannot be written.
pub fn keep(place: &Path, measured: &Target) -> Result<(), Error> {
    if let Some(folder) = place.parent() {
        code_folder::make(folder).map_err(|e| output::unwritten(&folder.display().to_string(), &e))?;
    }
    output::write(place, |sink| sink.write_all(target::render(measured).as_bytes()))
}

/// The description that is kept there.
///
/// # Errors
/// The file is no description, or is that of a machine with other vectors.
pub fn read(place: &Path) -> Result<Target, Error> {
    let again = |e: String| {
        option_error(format!(
            "{e}\nmeasure this machine again with `lawson doctor --calibrate`, or remove {}",
            place.display()
        ))
    };
    let measured = target::machine(Some(place.as_os_str())).map_err(|e| again(e.message))?.target;
    let host = host();
    if (measured.vector_bytes, measured.gpu) != (host.vector_bytes, host.gpu) {
        return Err(again(format!(
            "{}: this machine has other vectors than the one that was measured",
            place.display()
        )));
    }
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read() {
        let folder = std::env::temp_dir().join(format!("lawson-calibration-{}", std::process::id()));
        let place = folder.join("new").join("machine.json");
        let measured = Target { name: "calibrated".into(), gops: 7.5, ..host() };
        keep(&place, &measured).expect("the folder is made");
        assert_eq!(read(&place), Ok(measured.clone()));
        let other = if measured.vector_bytes == 32 { 64 } else { 32 };
        keep(&place, &Target { vector_bytes: other, ..measured }).expect("written");
        let e = read(&place).expect_err("other vectors").to_string();
        assert!(e.contains("other vectors") && e.contains("--calibrate"), "{e}");
        std::fs::write(&place, "{").expect("written");
        let e = read(&place).expect_err("no JSON").to_string();
        assert!(e.contains("not JSON") && e.contains("remove"), "{e}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
