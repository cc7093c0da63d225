//! Arrays that loops both read and write: what is read is read before it is replaced.

use super::{Carried, Element, LoopStage, Nesting, Node, NodeId, Place, Region, Source};
use rustc_hash::FxHashSet;

/// A read of an array that loops write.
struct Read {
    load: NodeId,
    place: Place,
    after: Carried,
}

impl Region {
    /// Whether trips read a result that they write: each lane must then run once, and no more.
    pub fn updates_results(&self, loop_stage: &LoopStage) -> bool {
        reads(self, loop_stage).iter().any(|r| matches!(r.place, Place::Output(_)))
    }

    /// Whether an array that loops write is read by them.
    pub fn reads(&self, written: Place) -> bool {
        let read = |n: &Node| matches!(n, Node::Load { source: Source::Written { place, .. }, .. } if *place == written);
        self.nodes.iter().any(read)
    }

    /// Whether a loop within another writes what trips of that one read, so that its place among them matters.
    pub fn writes_within(&self, loop_stage: &LoopStage) -> bool {
        let read: FxHashSet<Place> = reads(self, loop_stage).iter().map(|r| r.place).collect();
        self.loops.iter().any(|l| l.before.iter().chain(&l.stores).any(|e| read.contains(&e.to)))
    }

    /// A read of an array that may come after the array has changed, if there is one. Nodes are evaluated in their order, a loop
    /// within where the first of its last values stands.
    pub fn late_read(&self, loop_stage: &LoopStage) -> Option<NodeId> {
        let reads = reads(self, loop_stage);
        if reads.is_empty() || self.loops.is_empty() {
            return None;
        }
        let runs = self.runs(loop_stage);
        let nesting = Nesting::new(self, loop_stage);
        let written = self.written_by_loops(loop_stage);
        let is_late = |read: &&Read| {
            let trip = match read.after {
                Carried { of, last: false, .. } => of as usize,
                Carried { of, last: true, .. } => self.around(of as usize),
            };
            // What runs in the same trip and changes the array, but for what ran before the version that is read.
            let changes = (1..=self.loops.len()).filter(|&y| {
                let ran = read.after.last && runs[y] <= runs[read.after.of as usize];
                self.around(y) == trip && y != trip && !ran && written[y].contains(&read.place)
            });
            let mut at = nesting.innermost(read.load).unwrap_or(trip);
            let mut stands = Some(read.load);
            let mut child = None;
            while at != trip && at != 0 {
                (stands, child) = (runs[at], Some(at));
                at = self.around(at);
            }
            changes.into_iter().any(|y| child == Some(y) || runs[y].is_some_and(|run| stands >= Some(run)))
        };
        reads.iter().find(is_late).map(|r| r.load)
    }

    /// For each loop the node where it runs in a trip of the one around it; `None` of the stage's own, and of those that do not.
    pub fn runs(&self, loop_stage: &LoopStage) -> Vec<Option<NodeId>> {
        let mut runs = vec![None; self.loops.len() + 1];
        for id in self.reachable(&loop_stage.roots()) {
            if let Node::Carry(Carried { of, last: true, .. }) = *self.node(id) {
                runs[of as usize].get_or_insert(id);
            }
        }
        runs
    }

    /// The loop around one of [`Region::loops`], both by number.
    fn around(&self, n: usize) -> usize {
        self.loops[n - 1].around as usize
    }

    /// What each loop writes, or a loop within it.
    fn written_by_loops(&self, loop_stage: &LoopStage) -> Vec<FxHashSet<Place>> {
        let own = |l: &LoopStage| l.elements().map(|e: &Element| e.to).collect::<FxHashSet<_>>();
        let mut all: Vec<FxHashSet<Place>> = loop_stage.all(self).map(own).collect();
        for n in (1..all.len()).rev() {
            let within = all[n].clone();
            all[self.around(n)].extend(within);
        }
        all
    }
}

fn reads(region: &Region, loop_stage: &LoopStage) -> Vec<Read> {
    let all = region.reachable(&loop_stage.roots()).into_iter();
    let read = |load: NodeId| match *region.node(load) {
        Node::Load { source: Source::Written { place, after }, .. } => match *region.node(after) {
            Node::Carry(after) => Some(Read { load, place, after }),
            _ => None,
        },
        _ => None,
    };
    all.filter_map(read).collect()
}
