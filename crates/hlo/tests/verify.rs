//! Runs `tests/hlo/verify/*.hlo`: each line that ends in `// error: TEXT` has exactly one fault, whose message
//! holds TEXT, and no other line has any. `// run: supported` on top asks `supported` instead of `verify`.

use lawson_hlo::verify::{Fault, supported, verify};
use lawson_hlo::{Module, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `.hlo` files below a folder, sorted.
fn texts(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![repository().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.map(|e| e.expect("a readable entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "hlo") {
                let text = std::fs::read_to_string(&path).expect("UTF-8 text");
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

fn parse(path: &Path, text: &str) -> Module {
    text::parse(text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What is wrong between expected and found faults, one line each.
fn differences(text: &str, faults: &[Fault]) -> Vec<String> {
    let mut found: BTreeMap<u32, Vec<&Fault>> = BTreeMap::new();
    for fault in faults {
        found.entry(fault.line).or_default().push(fault);
    }
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let expected = line.split_once("// error: ").map(|(_, e)| e.trim());
        let here = found.remove(&number).unwrap_or_default();
        match (expected, &here[..]) {
            (None, []) => {}
            (Some(part), [fault]) if fault.message.contains(part) => {}
            (Some(part), []) => wrong.push(format!("line {number}: expected {part:?}, found no fault")),
            (_, faults) => wrong.extend(faults.iter().map(|f| format!("unexpected: {f}"))),
        }
    }
    wrong.extend(found.into_values().flatten().map(|f| format!("unexpected: {f}")));
    wrong
}

#[test]
fn faults_stand_on_their_lines() {
    let files = texts("tests/hlo/verify");
    assert!(files.len() >= 9, "found {} files", files.len());
    let mut wrong = Vec::new();
    for (path, text) in files {
        let module = parse(&path, &text);
        let outcome = if text.starts_with("// run: supported") {
            assert_eq!(verify(&module), Ok(()), "{}", path.display());
            supported(&module)
        } else {
            verify(&module)
        };
        let faults = outcome.err().unwrap_or_default();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        wrong.extend(differences(&text, &faults).into_iter().map(|w| format!("{name}: {w}")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn real_programs_are_well_formed() {
    for (path, text) in texts("tests/programs") {
        let module = parse(&path, &text);
        assert_eq!(verify(&module), Ok(()), "{}", path.display());
        assert_eq!(supported(&module), Ok(()), "{}", path.display());
    }
}

/// Numbers of the files above replaced by extreme ones, a few at a time: faults, but never a panic.
#[test]
fn extreme_numbers_never_panic() {
    const EXTREME: [&str; 7] =
        ["0", "1", "3", "-1", "4294967296", "9223372036854775807", "-9223372036854775808"];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut judged = 0;
    for (_, text) in texts("tests/hlo/verify") {
        let pieces = split_numbers(&text);
        let numbers: Vec<usize> = (0..pieces.len()).filter(|&i| is_number(pieces[i])).collect();
        for _ in 0..100 {
            let mut mutated = pieces.clone();
            for _ in 0..=random(3) {
                mutated[numbers[random(numbers.len())]] = EXTREME[random(EXTREME.len())];
            }
            if let Ok(module) = text::parse(&mutated.concat()) {
                judged += 1;
                if verify(&module).is_ok() {
                    let _ = supported(&module);
                }
            }
        }
    }
    assert!(judged > 100, "only {judged} texts were read");
}

/// The text cut where digits begin and end.
fn split_numbers(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.starts_with(|c: char| c.is_ascii_digit());
        let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_digit())
}
