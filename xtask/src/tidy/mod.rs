//! The rules of the house that a machine can check.
//!
//! [`deps`] checks which crate may depend on which, [`imports`] that files and folders do not import in circles,
//! [`files`] each Rust file by itself, [`kinds`] that decisions by element type are complete, [`docs`] what documents
//! promise, [`examples`] that users find an example of what they call. Exceptions stand in [`allowed`], each with its reason; an exception that is no longer needed is a fault too.

mod allowed;
mod deps;
mod docs;
mod examples;
mod files;
mod imports;
mod kinds;
mod source;

use source::Source;
use std::fs;
use std::path::Path;

/// Every broken rule in the repository at `root`, as `path:line: what is wrong`.
pub fn check(root: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let mut sources = Vec::new();
    walk(root, "", &mut |path| {
        let read = || fs::read_to_string(root.join(path)).unwrap_or_default();
        if path.ends_with(".rs") {
            sources.push(Source::new(path, &read()));
        } else if path.ends_with("Cargo.toml") {
            faults.extend(deps::check(path, &read()));
        }
    });
    sources.iter().for_each(|s| faults.extend(files::check(s)));
    sources.iter().for_each(|s| faults.extend(kinds::check(s)));
    faults.extend(imports::check(&sources));
    faults.extend(examples::check(&sources));
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap_or_default();
        faults.extend(docs::check(document, &text, &sources));
    }
    faults.extend(allowed::stale(&sources));
    faults
}

/// Calls `f` with each file of the repository, in order, its path relative to the root.
fn walk(root: &Path, below: &str, f: &mut impl FnMut(&str)) {
    let Ok(entries) = fs::read_dir(root.join(below)) else { return };
    let mut names: Vec<String> = entries.flatten().filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    for name in names {
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if root.join(&path).is_dir() {
            // Build output, not a module of that name.
            let is_output = name == "target" && !below.contains("src");
            if !is_output && !name.starts_with('.') {
                walk(root, &path, f);
            }
        } else {
            f(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let faults = check(Path::new(crate::ROOT));
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }

    #[test]
    fn the_walk_finds_this_file() {
        let mut found = false;
        walk(Path::new(crate::ROOT), "", &mut |path| found |= path == "xtask/src/tidy/mod.rs");
        assert!(found);
    }
}
