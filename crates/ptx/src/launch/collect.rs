//! What the lanes of a warp do together: shuffles, votes, reductions, matrices.
//!
//! All lanes of a mask have to be there, each with the same mask; a lane that reads from one outside of it is a fault too.

use super::access::lanes;
use super::block::Block;
use super::traffic::Touched;
use super::warp::Warp;
use super::{Machine, Step, stop};
use crate::fault::FaultKind;
use crate::matrix::Matrix;
use crate::program::{Address, Lane, Pred, Row, ShuffleMode, Space, Strength, Vote};

/// The groups of lanes that the masks make.
pub fn groups(warp: &mut Warp, mask: Row, active: u32) -> Step<Vec<u32>> {
    let masks = warp.frame().rows[mask as usize];
    let mut found = Vec::new();
    let mut left = active;
    while left != 0 {
        let lane = left.trailing_zeros();
        let wanted = masks[lane as usize] as u32;
        let same =
            lanes(wanted & active).fold(0, |s, l| s | u32::from(masks[l as usize] as u32 == wanted) << l);
        if same != wanted || wanted >> lane & 1 == 0 {
            return stop(lane, FaultKind::MissingLanes { wanted, present: same });
        }
        found.push(wanted);
        left &= !wanted;
    }
    Ok(found)
}

pub struct Shuffle {
    pub mode: ShuffleMode,
    pub to: Option<Row>,
    pub valid: Option<Pred>,
    pub a: Row,
    pub b: Row,
    pub c: Row,
}

pub fn shuffle(warp: &mut Warp, s: &Shuffle, mask: Row, active: u32) -> Step<()> {
    let groups = groups(warp, mask, active)?;
    let frame = warp.frame();
    let [a, b, c] = [s.a, s.b, s.c].map(|row| frame.rows[row as usize]);
    for group in groups {
        for lane in lanes(group) {
            let l = lane as usize;
            let (by, clamp, segment) = (b[l] as u32 & 31, c[l] as u32 & 31, c[l] as u32 >> 8 & 31);
            let most = lane & segment | clamp & !segment & 31;
            let (from, valid) = match s.mode {
                ShuffleMode::Up => (lane as i32 - by as i32, lane as i32 - by as i32 >= most as i32),
                ShuffleMode::Down => ((lane + by) as i32, lane + by <= most),
                ShuffleMode::Butterfly => ((lane ^ by) as i32, lane ^ by <= most),
                ShuffleMode::Index => {
                    let from = lane & segment | by & !segment & 31;
                    (from as i32, from <= most)
                }
            };
            let from = if valid { from as usize } else { l };
            if group >> from & 1 == 0 {
                return stop(lane, FaultKind::MissingLanes { wanted: 1 << from, present: group });
            }
            if let Some(to) = s.to {
                frame.rows[to as usize][l] = a[from];
            }
            if let Some(p) = s.valid {
                let bits = &mut frame.preds[p as usize];
                *bits = *bits & !(1 << lane) | u32::from(valid) << lane;
            }
        }
    }
    Ok(())
}

pub struct Ballot {
    pub mode: Vote,
    pub to: Option<Row>,
    pub to_pred: Option<Pred>,
    pub votes: u32,
}

pub fn vote(warp: &mut Warp, v: &Ballot, mask: Row, active: u32) -> Step<()> {
    for group in groups(warp, mask, active)? {
        let votes = v.votes & group;
        let frame = warp.frame();
        if let Some(to) = v.to {
            lanes(group).for_each(|l| frame.rows[to as usize][l as usize] = votes.into());
        }
        if let Some(p) = v.to_pred {
            let holds = match v.mode {
                Vote::All => votes == group,
                Vote::Any => votes != 0,
                Vote::Uniform => votes == group || votes == 0,
                Vote::Ballot => false,
            };
            let bits = &mut frame.preds[p as usize];
            *bits = *bits & !group | if holds { group } else { 0 };
        }
    }
    Ok(())
}

pub fn matching(
    warp: &mut Warp,
    all: bool,
    (to, valid): (Row, Option<Pred>),
    a: Row,
    mask: Row,
    active: u32,
) -> Step<()> {
    for group in groups(warp, mask, active)? {
        let frame = warp.frame();
        let a = frame.rows[a as usize];
        for lane in lanes(group) {
            let value = a[lane as usize];
            let same = lanes(group).fold(0, |s, l| s | u32::from(a[l as usize] == value) << l);
            let found = if all && same != group { 0 } else { same };
            frame.rows[to as usize][lane as usize] = found.into();
            if let Some(p) = valid {
                let bits = &mut frame.preds[p as usize];
                *bits = *bits & !(1 << lane) | u32::from(same == group) << lane;
            }
        }
    }
    Ok(())
}

pub fn reduce(warp: &mut Warp, f: Lane, (to, a): (Row, Row), mask: Row, active: u32) -> Step<()> {
    for group in groups(warp, mask, active)? {
        let frame = warp.frame();
        let a = frame.rows[a as usize];
        let values = lanes(group).map(|l| a[l as usize]);
        let total = values.reduce(|x, y| f(x, y, 0, 0) & 0xffff_ffff).unwrap_or(0);
        lanes(group).for_each(|l| frame.rows[to as usize][l as usize] = total);
    }
    Ok(())
}

/// All lanes of a warp have to be there.
fn whole(active: u32) -> Step<()> {
    if active == u32::MAX {
        return Ok(());
    }
    stop(active.trailing_zeros(), FaultKind::MissingLanes { wanted: u32::MAX, present: active })
}

pub fn multiply(warp: &mut Warp, m: &Matrix, active: u32) -> Step<()> {
    whole(active)?;
    let frame = warp.frame();
    let results = m.product(|row, lane| frame.rows[row as usize][lane]);
    for (&to, row) in m.to.iter().zip(results) {
        frame.rows[to as usize] = row;
    }
    Ok(())
}

impl<'a> Machine<'a> {
    /// `ldmatrix`: eight lanes have the addresses of the rows of one matrix of 8×8 halves.
    #[expect(clippy::too_many_arguments, reason = "an access is all of this")]
    pub(super) fn load_matrix(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        from: &Address,
        to: &[Row],
        transposed: bool,
        active: u32,
        line: u32,
    ) -> Step<()> {
        whole(active)?;
        let addresses = super::access::addresses(warp, from);
        for (n, &to) in to.iter().enumerate() {
            let mut rows = [[0u8; 16]; 8];
            let mut touched = Touched::default();
            for (r, row) in rows.iter_mut().enumerate() {
                let lane = (8 * n + r) as u32;
                let place = self.place(block, warp, Space::Shared, addresses[lane as usize], 16, lane)?;
                self.read(block, warp, place, row, Strength::default(), lane, line)?;
                touched.add(lane, place);
            }
            self.count_access(block, &touched, 16, false);
            let half =
                |i: usize, j: usize| u64::from(u16::from_le_bytes([rows[i][2 * j], rows[i][2 * j + 1]]));
            let frame = warp.frame();
            for lane in 0..32 {
                let (i, j) = (lane / 4, lane % 4 * 2);
                let (low, high) =
                    if transposed { (half(j, i), half(j + 1, i)) } else { (half(i, j), half(i, j + 1)) };
                frame.rows[to as usize][lane] = low | high << 16;
            }
        }
        Ok(())
    }
}
