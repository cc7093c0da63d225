//! Documents say what the code does.
//!
//! [`fusion`] and [`opcodes`] are made from the code's tables. In the others each block that begins with `$ lawson` is run: figures of
//! the cost model may move, the verdicts that the text is about must not. `cargo xtask docs` (or `BLESS=1` for these
//! tests) writes what holds today.

mod fusion;
mod opcodes;
mod source;

use std::path::{Path, PathBuf};
use std::process::Command;

const FENCE: &str = "```text\n$ lawson ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn output(command: &str) -> String {
    let args = command.split_whitespace();
    let run = Command::new(env!("CARGO_BIN_EXE_lawson")).args(args).current_dir(root()).output();
    let run = run.expect("lawson runs");
    assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

/// The edges that stay, each with its refusal.
fn verdicts(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(edge) = line.strip_prefix("  kept  ") else { continue };
        let edge = edge.split("     ").next().unwrap_or(edge);
        let told = format!("{line} {}", lines.peek().copied().unwrap_or_default());
        let refusal = told.split_whitespace().find(|w| w.ends_with(':') && w.starts_with(char::is_uppercase));
        out.push(format!("{edge} {}", refusal.unwrap_or("")));
    }
    out
}

#[test]
fn the_list_of_passes_rules_and_refusals_is_that_of_the_code() {
    is_that_of_the_code("docs/fusion.md", &fusion::text(&root()));
}

#[test]
fn the_table_of_opcodes_is_that_of_the_code() {
    is_that_of_the_code("docs/opcodes.md", &opcodes::text());
}

fn is_that_of_the_code(document: &str, text: &str) {
    let path = root().join(document);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{document} is not what the code says: cargo xtask docs");
}

#[test]
fn documents_show_what_commands_print() {
    let path = root().join("docs/why-not-fused.md");
    let text = std::fs::read_to_string(&path).expect("the tutorial");
    let mut blessed = String::new();
    let mut parts = text.split(FENCE);
    blessed += parts.next().unwrap_or_default();
    let mut shown = 0;
    for part in parts {
        let (command, rest) = part.split_once('\n').expect("a command on its line");
        let (block, after) = rest.split_once("```").expect("the end of the block");
        let now = output(command);
        if std::env::var_os("BLESS").is_none() {
            let expected = verdicts(block);
            assert!(!expected.is_empty(), "{command} shows no verdict");
            assert_eq!(expected, verdicts(&now), "{command}; BLESS=1 accepts");
        }
        blessed += &format!("{FENCE}{command}\n{now}```{after}");
        shown += 1;
    }
    assert!(shown >= 3, "{shown} commands");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, blessed).expect("written");
    }
}

#[test]
fn documents_show_the_examples() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect(path);
    let shown_in = [("README.md", "embed.rs"), ("README.md", "gradient.rs"), ("docs/fields.md", "fields.rs")];
    for (document, path) in shown_in {
        let example = read(&format!("examples/{path}"));
        let shown = read(document).contains(&format!("```rust\n{example}```\n"));
        assert!(shown, "{document} shows another program than {path}");
        let lines = example.lines().filter(|l| !l.is_empty() && !l.starts_with("//!")).count();
        assert!(lines <= 30, "it stays short: {lines} lines");
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut broken = Vec::new();
    let entries = ["", "docs"].map(|folder| std::fs::read_dir(root().join(folder)).expect("a folder"));
    for entry in entries.into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "md") {
            continue;
        }
        let folder = path.parent().expect("it stands in a folder");
        let text = std::fs::read_to_string(&path).expect("text");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let local = !file.is_empty() && !file.contains("://");
            if local && !folder.join(file).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
