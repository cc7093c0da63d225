//! Whole programs: JAX's own modules come back, but for blank lines, as they were.

use crate::round_trip;
use std::path::Path;

fn without_blank_lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect()
}

/// Numbers are printed with the fewest digits, JAX's with up to nine: compare them as numbers.
fn same_line(a: &str, b: &str) -> bool {
    let constant = |s: &str| -> Option<(String, f32)> {
        let (head, rest) = s.split_once(" constant(")?;
        Some((head.to_string(), rest.strip_suffix(')')?.parse().ok()?))
    };
    a == b || matches!((constant(a), constant(b)), (Some(x), Some(y)) if x == y)
}

#[test]
fn the_twenty_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut programs: Vec<_> =
        std::fs::read_dir(&root).expect("tests/programs").flatten().map(|d| d.path()).collect();
    programs.sort();
    assert!(programs.len() >= 20, "{root:?}");
    for program in programs {
        let text = std::fs::read_to_string(program.join("module.hlo")).expect("module.hlo");
        let printed = round_trip(&text);
        let (given, found) = (without_blank_lines(&text), without_blank_lines(&printed));
        assert_eq!(given.len(), found.len(), "{program:?}");
        for (g, f) in given.iter().zip(&found) {
            assert!(same_line(g, f), "{program:?}\n  given   {g}\n  printed {f}");
        }
    }
}
