//! A Rust file, its code apart from comments and literals.

/// A Rust file.
pub struct Source {
    /// Relative to the root of the repository.
    pub path: String,
    pub text: String,
    /// The text with comments and the insides of literals blanked, line for line.
    pub code: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into(), code: blank(text) }
    }

    /// Whether the whole file is test code.
    pub fn is_test(&self) -> bool {
        let path = &self.path;
        path.contains("/tests/") || path.starts_with("tests/") || path.ends_with("/tests.rs")
    }

    /// The number of lines before the unit tests, which stand last.
    pub fn lines_without_tests(&self) -> usize {
        let total = self.code.lines().count();
        let test = |l: &str| l.trim_start().starts_with("#[cfg(test)]");
        let lines: Vec<&str> = self.code.lines().collect();
        // `#[cfg(test)] mod tests;` names a file and hides nothing.
        let starts =
            |i: usize| test(lines[i]) && lines.get(i + 1).is_some_and(|l| l.trim_end().ends_with('{'));
        (0..lines.len()).find(|&i| starts(i)).unwrap_or(total)
    }

    /// The lines of code outside the unit tests, numbered from 1.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().take(self.lines_without_tests()).enumerate().map(|(i, l)| (i + 1, l))
    }
}

/// Replaces comments and the insides of string and character literals by blanks, keeping line ends.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let end = skip(&chars, i);
        if end == i {
            out.push(chars[i]);
            i += 1;
        } else {
            out.extend(chars[i..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            i = end;
        }
    }
    out
}

/// The end of the comment or literal that starts at `i`; `i` where none does.
fn skip(chars: &[char], i: usize) -> usize {
    let at = |k: usize| chars.get(k).copied().unwrap_or('\0');
    let until = |from: usize, stop: &dyn Fn(usize) -> Option<usize>| {
        (from..chars.len()).find_map(stop).unwrap_or(chars.len())
    };
    match (at(i), at(i + 1)) {
        ('/', '/') => until(i, &|k| (at(k) == '\n').then_some(k)),
        ('/', '*') => {
            let mut depth = 0;
            let mut k = i;
            while k < chars.len() {
                match (at(k), at(k + 1)) {
                    ('/', '*') => (depth, k) = (depth + 1, k + 2),
                    ('*', '/') => (depth, k) = (depth - 1, k + 2),
                    _ => k += 1,
                }
                if depth == 0 {
                    break;
                }
            }
            k.min(chars.len())
        }
        ('"', _) => {
            let mut k = i + 1;
            while k < chars.len() && at(k) != '"' {
                k += 1 + (at(k) == '\\') as usize;
            }
            (k + 1).min(chars.len())
        }
        ('r', '"' | '#') if i == 0 || !at(i - 1).is_alphanumeric() || at(i - 1) == 'b' => {
            let hashes = (i + 1..).take_while(|&k| at(k) == '#').count();
            let open = i + 1 + hashes;
            if at(open) != '"' {
                return i;
            }
            let closes = |k: usize| at(k) == '"' && (1..=hashes).all(|h| at(k + h) == '#');
            until(open + 1, &|k| closes(k).then_some(k + 1 + hashes))
        }
        // A character, not a lifetime.
        ('\'', '\\') => until(i + 3, &|k| (at(k) == '\'').then_some(k + 1)),
        ('\'', _) if at(i + 2) == '\'' => i + 3,
        _ => i,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_left() {
        let text = "let a = \"un//safe\\\" x\"; // unsafe\nlet c = '\"'; /* a /* b */ c */ d\nr#\"x\" y\"# 'a: loop {'\\'' z}";
        let code = blank(text);
        assert_eq!(code.lines().count(), 3);
        let squeezed: Vec<String> =
            code.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(squeezed, ["let a = ;", "let c = ; d", "'a: loop { z}"]);
    }

    #[test]
    fn tests_are_not_counted() {
        let s = Source::new("a.rs", "//! x\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n}\n");
        assert_eq!(s.lines_without_tests(), 3);
        let s = Source::new("a.rs", "//! x\n#[cfg(test)]\nmod tests;\nfn f() {}\n");
        assert_eq!(s.lines_without_tests(), 4);
    }
}
