//! The known word that a misspelt one was probably meant to be.

/// The candidate that fewest edits turn into `word`, if they are few for its length. The first of equals wins.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 40;
    let allowed = (word.len() / 3).clamp(1, 3);
    if word.len() > LONGEST {
        return None;
    }
    candidates
        .map(|c| (edits(word, c), c))
        .filter(|(n, _)| *n <= allowed)
        .min_by_key(|(n, _)| *n)
        .map(|(_, c)| c)
}

/// Bytes to insert, delete, replace, or swap with their neighbour.
fn edits(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + (a[i] != b[j]) as usize;
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["add", "multiply", "subtract", "exponential"];
        let find = |w| nearest(w, known.into_iter());
        assert_eq!(find("mutliply"), Some("multiply"));
        assert_eq!(find("exponental"), Some("exponential"));
        assert_eq!(find("ad"), Some("add"));
        assert_eq!(find("convolve"), None);
        assert_eq!(find(""), None);
    }
}
