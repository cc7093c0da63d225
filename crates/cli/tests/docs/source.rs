//! Where in the repository something stands, found in its text.

use std::fs;
use std::path::Path;

/// The path of the function that the pipeline's table names for a pass: `fusion::instruction::run`.
pub fn function_of(pipeline: &str, pass: &str) -> Option<String> {
    let after = pipeline.split(&format!("now(\"{pass}\",")).nth(1);
    // The table may be broken over lines.
    let after = after.or_else(|| {
        let quoted = format!("\"{pass}\",");
        pipeline.match_indices(&quoted).find_map(|(at, _)| {
            let before = pipeline[..at].trim_end();
            before.ends_with("now(").then(|| &pipeline[at + quoted.len()..])
        })
    })?;
    Some(after.trim_start().split(',').next()?.trim().to_owned())
}

/// The file of a module path in `crates/opt/src`, without its function.
pub fn file_of(root: &Path, function: &str) -> Option<String> {
    let module = function.rsplit_once("::")?.0.replace("::", "/");
    let candidates = [format!("crates/opt/src/{module}.rs"), format!("crates/opt/src/{module}/mod.rs")];
    candidates.into_iter().find(|p| root.join(p).is_file())
}

/// The first paragraph of a file's `//!` header.
pub fn header(root: &Path, file: &str) -> String {
    let text = fs::read_to_string(root.join(file)).unwrap_or_default();
    let lines = text.lines().map_while(|l| l.strip_prefix("//!")).map(str::trim);
    let paragraph: Vec<&str> = lines.take_while(|l| !l.is_empty()).collect();
    // Links are between Rust items; here they are only names.
    paragraph.join(" ").replace("[`", "`").replace("`]", "`")
}

/// The file below `folder` whose text has `needle`.
pub fn holds(root: &Path, folder: &str, needle: &str) -> Option<String> {
    let mut names: Vec<String> = fs::read_dir(root.join(folder))
        .ok()?
        .flatten()
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|n| n.ends_with(".rs"))
        .collect();
    names.sort();
    let paths = names.into_iter().map(|n| format!("{folder}/{n}"));
    paths.into_iter().find(|p| fs::read_to_string(root.join(p)).unwrap_or_default().contains(needle))
}

/// A link from a document in `docs/`.
pub fn link(path: &str) -> String {
    format!("[{path}](../{path})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_however_the_table_is_broken() {
        let table =
            "now(\"cse\", cse::run, \"why\"),\nnow(\n    \"loops\",\n    loops::trips::run,\n    \"why\",\n)";
        assert_eq!(function_of(table, "cse").as_deref(), Some("cse::run"));
        assert_eq!(function_of(table, "loops").as_deref(), Some("loops::trips::run"));
        assert_eq!(function_of(table, "dce"), None);
    }
}
