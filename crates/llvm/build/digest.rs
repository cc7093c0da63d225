//! A digest of the sources that decide what code a kernel becomes, its representation among them. Code that is kept on disk
//! is found by it, so that another version of Lawson never runs it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

pub fn of_sources() -> u64 {
    let mut digest = DefaultHasher::new();
    for folder in ["src", "../kernel/src/loop_ir"] {
        println!("cargo:rerun-if-changed={folder}");
        let mut files = Vec::new();
        collect(Path::new(folder), &mut files);
        files.sort();
        for file in files {
            file.hash(&mut digest);
            std::fs::read(&file).unwrap_or_default().hash(&mut digest);
        }
    }
    digest.finish()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
