//! What races found out, kept for the life of the process and in the folder that keeps code.
//!
//! An entry stands under a key of the code of all candidates (with processor, effort, LLVM and the sources of the code
//! generator) and the number of threads; what it says of them is by position. The folder checks key and sum; an entry that
//! does not fit the candidates all the same is as if it were not there.
//!
//! ```text
//! chosen 2 faster
//! 103.5
//! -
//! 88.25
//! ```

use super::race::Outcome;
use crate::code_folder::CodeFolder;
use crate::tuning::Verdict;
use lawson_cpu::{CodeCache, Key};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Entries that the process keeps; beyond, it begins anew.
const MOST: usize = 4096;

static KNOWN: LazyLock<Mutex<FxHashMap<Key, Outcome>>> = LazyLock::new(Mutex::default);

/// What is known of so many candidates.
pub fn recall(key: &Key, candidates: usize, folder: Option<&CodeFolder>) -> Option<Outcome> {
    let fits = |outcome: &Outcome| outcome.us.len() == candidates;
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
    known.or_else(|| parse(&folder?.get(key)?)).filter(fits)
}

/// Keeps what was found out, if it was.
pub fn keep(key: &Key, outcome: &Outcome, folder: Option<&CodeFolder>) {
    if outcome.verdict == Verdict::Unfinished {
        return;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(*key, outcome.clone());
    if let Some(folder) = folder {
        folder.keep(key, print(outcome).as_bytes());
    }
}

fn print(outcome: &Outcome) -> String {
    let mut out = format!("chosen {} {}\n", outcome.chosen, outcome.verdict.name());
    for us in &outcome.us {
        out += &us.map_or("-\n".into(), |us| format!("{us}\n"));
    }
    out
}

fn parse(bytes: &[u8]) -> Option<Outcome> {
    let mut lines = std::str::from_utf8(bytes).ok()?.lines();
    let mut words = lines.next()?.strip_prefix("chosen ")?.split(' ');
    let (chosen, name) = (words.next()?.parse::<usize>().ok()?, words.next()?);
    let all = [Verdict::Faster, Verdict::NoneFaster, Verdict::NotAgain];
    let verdict = all.into_iter().find(|v| v.name() == name)?;
    let time = |line: &str| match line {
        "-" => Some(None),
        _ => line.parse::<f64>().ok().filter(|us| us.is_finite() && *us >= 0.0).map(Some),
    };
    let us = lines.map(time).collect::<Option<Vec<_>>>()?;
    // Another plan is there because it was faster.
    let sound = (chosen > 0) == (verdict == Verdict::Faster) && us.get(chosen)?.is_some();
    (sound && words.next().is_none()).then_some(Outcome { us, chosen, verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        let outcome =
            Outcome { us: vec![Some(103.5), None, Some(88.25)], chosen: 2, verdict: Verdict::Faster };
        assert_eq!(print(&outcome), "chosen 2 faster\n103.5\n-\n88.25\n");
        assert_eq!(parse(print(&outcome).as_bytes()), Some(outcome));
    }

    #[test]
    fn what_is_no_entry_is_nothing() {
        for wrong in [
            "",
            "chosen 1",
            "chosen 1 faster",
            "chosen 1 faster\n5\n",
            "chosen 1 faster\n5\n-\n",
            "chosen 1 none-faster\n5\n4\n",
            "chosen 0 faster\n5\n4\n",
            "chosen 0 none-faster\nNaN\n4\n",
            "chosen 0 none-faster\n5\n-1\n",
            "chosen 0 none-faster 7\n5\n4\n",
            "chosen -1 none-faster\n5\n4\n",
            "chosen 0 quicker\n5\n4\n",
            "chosen 0 unfinished\n5\n4\n",
            "\u{7f}ELF",
        ] {
            assert_eq!(parse(wrong.as_bytes()), None, "{wrong:?}");
        }
        assert_eq!(parse(&[0xff, 0xfe]), None);
    }
}
