//! Rules for each Rust file by itself.

use super::allowed;
use super::source::Source;

/// The longest a file may be without its tests.
pub const MAX_LINES: usize = 600;

/// Where text and data of users are handled: a mistake there is an error with a place, never a panic.
const USER_INPUT: &[&str] = &[
    "crates/hlo/src/text/",
    "crates/stablehlo/src/",
    "crates/lawson/src/",
    "crates/cli/src/",
    "crates/pjrt/src/",
    "crates/ptx/src/",
    "crates/routines/src/",
];

/// Crates that do no input or output and do not look at their surroundings.
const PURE: &[&str] = &[
    "crates/hlo/src/",
    "crates/frontend/src/",
    "crates/stablehlo/src/",
    "crates/kernel/src/",
    "crates/opt/src/",
    "crates/ptx/src/",
    "crates/routines/src/",
];

/// The faults of one file.
pub fn check(s: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    if !s.text.starts_with("//!") {
        faults.push(format!("{}:1: no `//!` header that says what the file guarantees", s.path));
    }
    let lines = length(s);
    if lines > MAX_LINES && !allowed::may_be_long(&s.path) {
        faults.push(format!("{}: {lines} lines without tests, more than {MAX_LINES}: split it", s.path));
    }
    for (n, line) in s.code.lines().enumerate() {
        if line.contains("#[ignore") {
            faults.push(format!("{}:{}: an ignored test", s.path, n + 1));
        }
    }
    faults.extend(unfinished(s));
    faults.extend(unsafety(s));
    faults
}

/// The lines that count against [`MAX_LINES`].
pub fn length(s: &Source) -> usize {
    if s.is_test() { 0 } else { s.lines_without_tests() }
}

pub fn has_unsafe(s: &Source) -> bool {
    s.code.lines().any(|l| has_word(l, "unsafe"))
}

/// Code left for later, and shortcuts where users' input is handled.
fn unfinished(s: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    if s.is_test() {
        return faults;
    }
    let within = |folders: &[&str]| folders.iter().any(|f| s.path.starts_with(f));
    for (n, line) in s.code_lines() {
        let mut fault = |what: &str| faults.push(format!("{}:{n}: {what}", s.path));
        if has_word(line, "todo!") || has_word(line, "unimplemented!") {
            fault("unfinished code");
        }
        if line.contains(".unwrap()") && within(USER_INPUT) {
            fault("`unwrap` where users' input is handled");
        }
        if ["std::fs", "std::env", "std::net", "std::process"].iter().any(|m| line.contains(m))
            && within(PURE)
        {
            fault("input, output or environment in a crate that does none");
        }
        if (has_word(line, "HashMap") || has_word(line, "HashSet")) && within(PURE) {
            fault("a hash map of random order: FxHashMap for looking up, BTreeMap for walking");
        }
    }
    faults
}

/// `unsafe` in listed files only, each block with its reason.
fn unsafety(s: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    let text: Vec<&str> = s.text.lines().collect();
    for (n, line) in s.code.lines().enumerate() {
        if !has_word(line, "unsafe") {
            continue;
        }
        if !allowed::may_be_unsafe(&s.path) {
            faults.push(format!("{}:{}: `unsafe` in a file that is not listed for it", s.path, n + 1));
        }
        let block = line.contains("unsafe {") || line.contains("unsafe impl");
        if block && !is_justified(&text, n) {
            faults.push(format!("{}:{}: `unsafe` without a SAFETY line", s.path, n + 1));
        }
    }
    faults
}

/// Whether the comment on or right above line `n` of the statement says SAFETY.
fn is_justified(text: &[&str], n: usize) -> bool {
    const REACH: usize = 8;
    text[n.saturating_sub(REACH)..=n].iter().any(|l| l.contains("SAFETY:"))
}

/// Whether `word` stands in the line, not as a part of a longer name.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(i, _)| {
        let before = line[..i].chars().next_back();
        let after = line[i + word.len()..].chars().next();
        !before.is_some_and(part) && (word.ends_with('!') || !after.is_some_and(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path, text))
    }

    #[test]
    fn a_clean_file_has_none() {
        let text = "//! A file.\n// unsafe todo!()\nfn f() { let _ = \"#[ignore]\"; }\n#[cfg(test)]\nmod tests {\n x.unwrap()\n}\n";
        assert_eq!(faults("crates/lawson/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn each_rule_fires() {
        let cases = [
            ("crates/hlo/src/a.rs", "fn f() {}\n".to_string(), ":1: no `//!` header"),
            ("crates/hlo/src/a.rs", format!("//! x\n{}", "\n".repeat(600)), "601 lines"),
            ("crates/opt/src/a.rs", "//! x\nfn f() { todo!() }\n".into(), ":2: unfinished"),
            ("crates/hlo/src/text/a.rs", "//! x\nlet y = x.unwrap();\n".into(), ":2: `unwrap`"),
            ("crates/lawson/tests/a.rs", "//! x\n#[ignore = \"slow\"]\n".into(), ":2: an ignored test"),
            ("crates/kernel/src/a.rs", "//! x\nuse std::env;\n".into(), ":2: input, output"),
            ("crates/opt/src/a.rs", "//! x\nuse std::collections::HashMap;\n".into(), ":2: a hash map"),
            ("crates/opt/src/a.rs", "//! x\n// SAFETY: no\nunsafe { x }\n".into(), ":3: `unsafe` in a file"),
            ("crates/llvm/src/a.rs", "//! x\nunsafe { x }\n".into(), ":2: `unsafe` without"),
        ];
        for (path, text, expected) in cases {
            let found = faults(path, &text);
            assert!(found.len() == 1 && found[0].contains(expected), "{expected}: {found:?}");
        }
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("x = unsafe { y }", "unsafe"));
        assert!(!has_word("unsafe_op_in_unsafe_fn", "unsafe"));
    }
}
