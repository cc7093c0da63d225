//! Who touched a byte, and whether there is an order between two of them.
//!
//! The rules stand in the documentation of the crate. For each word a cell remembers who wrote, who read and who used
//! atomics since there was last an order; a word of which only a part is touched gets a cell for each byte.

use rustc_hash::FxHashMap;

/// In place of the number of a block or warp: several of them.
const SEVERAL: u32 = u32::MAX;

/// One thread at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Actor {
    /// Counted from 1.
    pub block: u32,
    /// The barriers that its block went through.
    pub epoch: u32,
    pub warp: u32,
    pub lane: u32,
    /// The barriers of its warp.
    pub time: u32,
    pub line: u32,
}

/// Threads that touched a byte the same way, without an order between them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agents {
    /// 0 for none.
    block: u32,
    epoch: u32,
    warp: u32,
    lanes: u32,
    time: u32,
    line: u32,
}

/// What a thread let others know by a fence and then an atomic.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    pub epoch: u32,
    pub warp: u32,
    pub lane: u32,
    pub time: u32,
}

/// What a block knows to have happened in others.
pub type Seen = FxHashMap<u32, Vec<Release>>;

/// What orders the accesses of a thread behind earlier ones.
pub struct Order<'a> {
    /// The time of the latest barrier of the whole warp.
    pub full: u32,
    /// Of pairs of lanes, if there were barriers of parts of the warp.
    pub pairs: Option<&'a [[u32; 32]; 32]>,
    pub seen: &'a Seen,
    /// Whether plain reads may meet atomics.
    pub relaxed_reads: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    Read,
    /// Through the read-only path.
    ReadConstant,
    /// Whether the bytes stay as they are.
    Write {
        same: bool,
    },
    /// An atomic or another strong access.
    Strong {
        writes: bool,
    },
}

/// The other side of a race.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    pub agents: Agents,
    pub how: &'static str,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    writers: Agents,
    readers: Agents,
    strong: Agents,
    strong_wrote: bool,
    /// It was read through the read-only path, so that nobody may write it any more.
    constant: bool,
}

#[derive(Clone, Copy, Default)]
struct Word {
    cell: Cell,
    /// The number of its bytes' cells, 0 for none.
    bytes: u32,
}

const PAGE: usize = 256;

/// The cells of an allocation, made where they are needed.
#[derive(Default)]
pub struct Shadow {
    pages: Vec<Option<Box<[Word; PAGE]>>>,
    bytes: Vec<[Cell; 4]>,
}

impl Agents {
    fn one(a: &Actor) -> Self {
        Self { block: a.block, epoch: a.epoch, warp: a.warp, lanes: 1 << a.lane, time: a.time, line: a.line }
    }

    /// Whether all of it happened before what the actor does now.
    #[inline]
    fn before(&self, a: &Actor, order: &Order) -> bool {
        if self.block != a.block {
            return self.block == 0 || self.block != SEVERAL && self.is_seen(order.seen);
        }
        if self.epoch < a.epoch {
            return true;
        }
        let others = self.lanes & !(1 << a.lane);
        if self.warp != a.warp {
            return false;
        }
        others == 0
            || order.full > self.time
            || order.pairs.is_some_and(|pairs| {
                (0..32).all(|l| others >> l & 1 == 0 || pairs[l][a.lane as usize] > self.time)
            })
    }

    fn is_seen(&self, seen: &Seen) -> bool {
        let covered = |r: &Release| {
            self.epoch < r.epoch
                || self.epoch == r.epoch
                    && self.warp == r.warp
                    && (self.lanes == 1 << r.lane || self.time < r.time)
        };
        seen.get(&self.block).is_some_and(|releases| releases.iter().any(covered))
    }

    /// Whether the actor is one of them, with nothing in between that would order others.
    fn include(&self, a: &Actor) -> bool {
        self.block == a.block
            && self.epoch == a.epoch
            && self.warp == a.warp
            && self.time == a.time
            && self.lanes >> a.lane & 1 == 1
    }

    fn add(&mut self, a: &Actor, order: &Order) {
        if self.before(a, order) {
            *self = Self::one(a);
            return;
        }
        if self.block != a.block {
            self.block = SEVERAL;
        }
        if self.warp != a.warp {
            self.warp = SEVERAL;
        }
        self.epoch = self.epoch.max(a.epoch);
        self.lanes |= 1 << a.lane;
        self.time = self.time.max(a.time);
        self.line = a.line;
    }

    /// The block, warp and one lane that is not the actor's, as far as they are known; and the line.
    pub fn describe(&self, a: &Actor) -> (Option<u32>, Option<u32>, u32, u32) {
        let block = (self.block != SEVERAL).then(|| self.block - 1);
        let warp = (self.warp != SEVERAL).then_some(self.warp);
        let same_warp = self.block == a.block && self.warp == a.warp;
        let others = if same_warp { self.lanes & !(1 << a.lane) } else { self.lanes };
        (block, warp, others.trailing_zeros() & 31, self.line)
    }
}

impl Cell {
    #[inline]
    fn touch(&mut self, touch: Touch, a: &Actor, order: &Order) -> Result<(), Conflict> {
        let conflict = |agents: Agents, how| Err(Conflict { agents, how });
        match touch {
            Touch::ReadConstant => {
                if self.writers.block != 0 {
                    return conflict(self.writers, "wrote what `ld.global.nc` reads");
                }
                if self.strong_wrote {
                    return conflict(self.strong, "updated what `ld.global.nc` reads");
                }
                self.constant = true;
                self.readers.add(a, order);
            }
            Touch::Write { .. } | Touch::Strong { writes: true } if self.constant => {
                return conflict(self.readers, "read by `ld.global.nc`");
            }
            Touch::Read => {
                if !self.writers.before(a, order) {
                    if self.writers.include(a) {
                        return Ok(());
                    }
                    return conflict(self.writers, "wrote");
                }
                if self.strong_wrote && !order.relaxed_reads && !self.strong.before(a, order) {
                    return conflict(self.strong, "updated");
                }
                self.readers.add(a, order);
            }
            Touch::Write { same } => {
                if !same && !self.writers.before(a, order) {
                    return conflict(self.writers, "wrote");
                }
                if !self.readers.before(a, order) {
                    return conflict(self.readers, "read");
                }
                if !self.strong.before(a, order) {
                    return conflict(self.strong, "updated");
                }
                self.writers.add(a, order);
            }
            Touch::Strong { writes } => {
                if !self.writers.before(a, order) {
                    return conflict(self.writers, "wrote");
                }
                if writes && !order.relaxed_reads && !self.readers.before(a, order) {
                    return conflict(self.readers, "read");
                }
                if self.strong.before(a, order) {
                    self.strong_wrote = false;
                }
                self.strong_wrote |= writes;
                self.strong.add(a, order);
            }
        }
        Ok(())
    }
}

impl Shadow {
    /// Notes an access to `bytes` bytes; `touch` is told the bytes of each piece, counted from the first.
    pub fn access(
        &mut self,
        start: usize,
        bytes: usize,
        a: &Actor,
        order: &Order,
        mut touch: impl FnMut(std::ops::Range<usize>) -> Touch,
    ) -> Result<(), Conflict> {
        let mut at = start;
        while at < start + bytes {
            let end = (at / 4 * 4 + 4).min(start + bytes);
            let page = at / 4 / PAGE;
            if self.pages.len() <= page {
                self.pages.resize_with(page + 1, || None);
            }
            let page = self.pages[page].get_or_insert_with(|| Box::new([Word::default(); PAGE]));
            let word = &mut page[at / 4 % PAGE];
            if word.bytes == 0 && end - at == 4 {
                word.cell.touch(touch(at - start..end - start), a, order)?;
            } else {
                if word.bytes == 0 {
                    self.bytes.push([word.cell; 4]);
                    word.bytes = self.bytes.len() as u32;
                }
                let cells = &mut self.bytes[word.bytes as usize - 1];
                for i in at..end {
                    cells[i % 4].touch(touch(i - start..i - start + 1), a, order)?;
                }
            }
            at = end;
        }
        Ok(())
    }
}
