//! The rows that all stages of a region share.
//!
//! An axis of a stage's space is a row axis when every stage has one such axis and whoever reads another stage's
//! result reads that of its own row. Found from the offsets and masks of loads, wherever in the array the axis lies.

use super::loads::Loads;
use crate::refusal::Refusal;
use crate::region::{Kind, Region};
use lawson_hlo::index::{Affine, Space, delinearize};

/// Row axes, in the order of the stage with the most axes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommonRows {
    pub extents: Vec<i64>,
    /// For each stage, its axis for each row axis.
    pub axes: Vec<Vec<usize>>,
}

/// The row axes of a region.
///
/// # Errors
/// The stages of which one reads the other across rows.
pub(super) fn common_rows(region: &Region, loads: &Loads<'_>) -> Result<CommonRows, Refusal> {
    let mut classes = Classes::new(region);
    let mut across = None;
    // Products whose operands are put together of pieces would share rows too, and were measured to lose by it.
    let maps = region.stages.iter().all(|s| matches!(s.kind, Kind::Map { .. }));
    for (consumer, stage) in region.stages.iter().enumerate() {
        let space = region.space_of(&stage.ranges());
        for (load, (producer, _), offset) in loads.results_by_load(consumer) {
            let producer = producer as usize;
            let space = if maps { loads.space_of(load, &space) } else { space.clone() };
            if !classes.read(region, (producer, consumer), (offset, &space)) {
                across.get_or_insert((producer, consumer));
            }
        }
    }
    classes.link_siblings(region, loads);
    let rows = classes.rows(region);
    if rows.extents.is_empty() {
        let (producer, consumer) = across.unwrap_or((0, region.stages.len() - 1));
        let opcode = |s: usize| region.stages[s].opcode;
        return Err(Refusal::OtherRows { producer: opcode(producer), consumer: opcode(consumer) });
    }
    Ok(rows)
}

/// Axes of all stages, joined where one is read along the other.
struct Classes {
    /// Where the axes of each stage begin.
    first: Vec<usize>,
    parent: Vec<usize>,
    /// Axes that somebody reads otherwise than point by point.
    broken: Vec<bool>,
}

impl Classes {
    fn new(region: &Region) -> Classes {
        let mut first = Vec::new();
        let mut count = 0;
        for stage in &region.stages {
            first.push(count);
            count += stage.space.len();
        }
        Classes { first, parent: (0..count).collect(), broken: vec![false; count] }
    }

    fn root(&mut self, mut axis: usize) -> usize {
        while self.parent[axis] != axis {
            self.parent[axis] = self.parent[self.parent[axis]];
            axis = self.parent[axis];
        }
        axis
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
        let broken = self.broken[a] || self.broken[b];
        self.broken[a.min(b)] = broken;
    }

    /// Takes one read into account; gives whether it is point by point on some axis.
    fn read(
        &mut self,
        region: &Region,
        (producer, consumer): (usize, usize),
        (offset, space): (&Affine, &Space),
    ) -> bool {
        let (from, to) = (&region.stages[producer], &region.stages[consumer]);
        let index = delinearize(offset, &from.space, space);
        let mut some = false;
        for (d, component) in index.iter().enumerate().filter(|(d, _)| from.space[*d] > 1) {
            let own = self.first[producer] + d;
            let same =
                (0..to.space.len()).find(|&a| *component == Affine::axis(a) && to.space[a] == from.space[d]);
            match same {
                Some(a) => {
                    self.unite(own, self.first[consumer] + a);
                    some = true;
                }
                None => {
                    let root = self.root(own);
                    self.broken[root] = true;
                }
            }
        }
        some
    }

    /// Stages that read none of each other share rows where they step through an input alike.
    fn link_siblings(&mut self, region: &Region, loads: &Loads<'_>) {
        for b in 1..region.stages.len() {
            for a in 0..b {
                if self.are_linked(region, a, b) {
                    continue;
                }
                for (input, _, x) in loads.inputs(a) {
                    for (_, _, y) in loads.inputs(b).filter(|(n, ..)| *n == input) {
                        self.link(region, (a, x), (b, y));
                    }
                }
            }
        }
    }

    fn are_linked(&mut self, region: &Region, a: usize, b: usize) -> bool {
        let axes = |s: usize| 0..region.stages[s].space.len();
        axes(a).any(|i| axes(b).any(|j| self.root(self.first[a] + i) == self.root(self.first[b] + j)))
    }

    fn link(&mut self, region: &Region, (a, x): (usize, &Affine), (b, y): (usize, &Affine)) {
        let (one, other) = (&region.stages[a].space, &region.stages[b].space);
        for (i, extent) in one.iter().enumerate() {
            let step = x.coefficient(i).filter(|&k| k != 0);
            let alike = |&j: &usize| other[j] == *extent && step.is_some() && y.coefficient(j) == step;
            if let Some(j) = (0..other.len()).find(alike) {
                self.unite(self.first[a] + i, self.first[b] + j);
            }
        }
    }

    /// The classes with one axis of every stage.
    fn rows(&mut self, region: &Region) -> CommonRows {
        let stages = region.stages.len();
        let widest = (0..stages).max_by_key(|&s| region.stages[s].space.len()).unwrap_or(0);
        let mut rows = CommonRows { extents: Vec::new(), axes: vec![Vec::new(); stages] };
        for axis in 0..region.stages.get(widest).map_or(0, |s| s.space.len()) {
            let extent = region.stages[widest].space[axis];
            let class = self.root(self.first[widest] + axis);
            let members: Vec<Vec<usize>> = (0..stages)
                .map(|s| {
                    let axes = 0..region.stages[s].space.len();
                    axes.filter(|&a| self.root(self.first[s] + a) == class).collect()
                })
                .collect();
            if extent > 1 && !self.broken[class] && members.iter().all(|m| m.len() == 1) {
                rows.extents.push(extent);
                rows.axes.iter_mut().zip(&members).for_each(|(axes, m)| axes.push(m[0]));
            }
        }
        rows
    }
}
