//! Where the lanes of a branch meet again: at the block that every way out of it goes through.

use crate::program::{Function, NOWHERE, Op};

/// Fills `meet` of every branch with the start of the nearest block that post-dominates it.
pub fn find_meets(f: &mut Function) {
    let starts = starts(f);
    let block_of = |at: u32| starts.partition_point(|&s| s <= at) - 1;
    let exit = starts.len();
    let mut next: Vec<Vec<usize>> = Vec::with_capacity(exit);
    for (i, _) in starts.iter().enumerate() {
        let last = starts.get(i + 1).map_or(f.code.len(), |&s| s as usize) - 1;
        let inst = &f.code[last];
        let mut to = Vec::new();
        match inst.op {
            Op::Branch { target } => to.push(block_of(target)),
            Op::Return | Op::Exit | Op::Trap => to.push(exit),
            _ => to.push(i + 1),
        }
        let guarded = inst.guard.is_some() && !matches!(to.as_slice(), [n] if *n == i + 1);
        if guarded {
            // The last instruction of a function is a return without a guard.
            to.push(i + 1);
        }
        next.push(to);
    }
    next.push(Vec::new());
    let above = post_dominators(&next, exit);
    for (i, _) in starts.iter().enumerate() {
        let last = starts.get(i + 1).map_or(f.code.len(), |&s| s as usize) - 1;
        let meet = above[i].filter(|&m| m != exit).map_or(NOWHERE, |m| starts[m]);
        f.code[last].meet = meet;
    }
}

/// The first instructions of blocks, in order.
fn starts(f: &Function) -> Vec<u32> {
    let mut is_start = vec![false; f.code.len() + 1];
    is_start[0] = true;
    for (i, inst) in f.code.iter().enumerate() {
        match inst.op {
            Op::Branch { target } => {
                is_start[target as usize] = true;
                is_start[i + 1] = true;
            }
            Op::Return | Op::Exit | Op::Trap => is_start[i + 1] = true,
            _ => {}
        }
    }
    (0..f.code.len() as u32).filter(|&i| is_start[i as usize]).collect()
}

/// The nearest post-dominator of each node that reaches the exit, by the iteration of Cooper, Harvey and Kennedy.
fn post_dominators(next: &[Vec<usize>], exit: usize) -> Vec<Option<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (i, to) in next.iter().enumerate() {
        to.iter().for_each(|&n| before[n].push(i));
    }
    let order = finishing_order(&before, exit);
    let mut rank = vec![usize::MAX; next.len()];
    order.iter().enumerate().for_each(|(r, &n)| rank[n] = r);
    let mut above: Vec<Option<usize>> = vec![None; next.len()];
    above[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &n in order.iter().rev().filter(|&&n| n != exit) {
            let mut found = None;
            for &s in next[n].iter().filter(|&&s| above[s].is_some()) {
                found = Some(found.map_or(s, |f| common(f, s, &above, &rank)));
            }
            if found.is_some() && found != above[n] {
                above[n] = found;
                changed = true;
            }
        }
    }
    above[exit] = None;
    above
}

/// The nearest node above two; those that are nearer to the exit have higher ranks.
fn common(mut a: usize, mut b: usize, above: &[Option<usize>], rank: &[usize]) -> usize {
    while a != b {
        let lower = if rank[a] < rank[b] { &mut a } else { &mut b };
        *lower = above[*lower].unwrap_or(*lower);
    }
    a
}

/// The nodes that reach the exit, each after those that come before it in the program.
fn finishing_order(before: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let mut seen = vec![false; before.len()];
    let mut order = Vec::new();
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((n, i)) = stack.pop() {
        match before[n].get(i) {
            Some(&p) => {
                stack.push((n, i + 1));
                if !seen[p] {
                    seen[p] = true;
                    stack.push((p, 0));
                }
            }
            None => order.push(n),
        }
    }
    order
}
