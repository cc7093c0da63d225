//! Documents keep their word: every `path.rs::test` that ARCHITECTURE.md names exists.

use super::source::Source;

/// The faults of a document.
pub fn check(path: &str, text: &str, sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for (n, line) in text.lines().enumerate() {
        for reference in line.split('`').skip(1).step_by(2) {
            let Some((file, test)) = reference.split_once(".rs::") else { continue };
            let file = format!("{file}.rs");
            let found = sources.iter().find(|s| s.path == file);
            let Some(source) = found else {
                faults.push(format!("{path}:{}: there is no {file}", n + 1));
                continue;
            };
            let test = test.rsplit("::").next().unwrap_or(test);
            let defined = [format!("fn {test}("), format!("\"{test}\"")];
            if !defined.iter().any(|d| source.text.contains(d.as_str())) {
                faults.push(format!("{path}:{}: {file} has no test {test}", n + 1));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_followed() {
        let sources = [Source::new("a/b.rs", "//! x\n#[test]\nfn it_holds() {}\n")];
        assert!(check("D.md", "see `a/b.rs::it_holds` and `a/b.rs::tests::it_holds`", &sources).is_empty());
        assert_eq!(check("D.md", "see `a/b.rs::gone`", &sources), ["D.md:1: a/b.rs has no test gone"]);
        assert_eq!(check("D.md", "\n`a/c.rs::x`", &sources), ["D.md:2: there is no a/c.rs"]);
    }
}
