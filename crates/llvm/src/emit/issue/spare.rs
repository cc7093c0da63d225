//! Loads and conditions with time to spare: what a chain needs at its end could be there at its beginning, and would take registers and
//! masks all the while.

use super::item::{Item, Register, Work};

/// Cycles of which nothing is made.
const LITTLE: i64 = 12;
/// Links of a chain that are looked at for one operation.
const FAR: usize = 256;

/// For each load or condition that can begin long before its user needs it, the last link of the longer chain beside it that begins
/// before it must: of four logarithms side by side the conditions would take all masks. None is part of a circle, since a link must
/// begin earlier than what it holds up.
pub fn links(items: &[Item]) -> Vec<Option<usize>> {
    let latency = |n: usize| i64::from(items[n].latency);
    // When each can begin, and when it must, for the end of its chain not to wait.
    let mut early = vec![0i64; items.len()];
    for (n, item) in items.iter().enumerate() {
        early[n] = item.needs.iter().map(|&o| early[o] + latency(o)).max().unwrap_or(0);
    }
    let mut late = early.clone();
    for (n, item) in items.iter().enumerate().rev() {
        if let Some(first) = item.users.iter().map(|&u| late[u]).min() {
            late[n] = first - latency(n);
        }
    }
    let longest = |n: usize| {
        let needs = items[n].needs.iter().copied().filter(|&o| items[o].work != Work::Scalar);
        needs.max_by_key(|&o| early[o] + latency(o))
    };
    let link = |n: usize| {
        let item = &items[n];
        let frees =
            item.needs.iter().any(|&o| items[o].register != Register::None && items[o].users.len() == 1);
        let waits = item.register == Register::Mask || item.work == Work::Load;
        if !waits || frees || late[n] - early[n] <= LITTLE {
            return None;
        }
        // Up the chain of which it is the longest side, to the first user that something else lets wait; down that, as far as needed.
        let mut own = n;
        let mut beside = None;
        for _ in 0..FAR {
            let user = items[own].users.iter().copied().min_by_key(|&u| late[u])?;
            beside = longest(user).filter(|&link| link != own);
            if beside.is_some() {
                break;
            }
            own = user;
        }
        let back = std::iter::successors(beside, |&link| longest(link));
        back.take(FAR).find(|&link| late[link] < late[n])
    };
    (0..items.len()).map(link).collect()
}
