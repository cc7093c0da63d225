//! What policies ask about the kernels of a computation while they decide which to join.

use super::Engine;
use super::clusters::ClusterId;
use super::host::{ArrayId, UnitId};
use crate::pass::PassContext;
use crate::planning::judge::operations;
use lawson_hlo::{Attrs, Computation, Instruction, Module};
use lawson_kernel::rates;
use lawson_kernel::region::build::is_hero;

impl Engine<'_, '_> {
    /// Every unit, in program order.
    pub fn units(&self) -> std::ops::Range<UnitId> {
        0..self.host.units.len() as UnitId
    }

    /// The cluster that computes a unit, if it is a kernel in one place.
    pub fn kernel(&self, unit: UnitId) -> Option<ClusterId> {
        match self.clusters.homes(unit) {
            [home] if self.is_kernel(*home) => Some(*home),
            _ => None,
        }
    }

    pub fn is_kernel(&self, cluster: ClusterId) -> bool {
        self.host.unit(cluster).kernel.is_ok()
    }

    /// Whether a kernel combines no elements.
    pub fn is_map(&self, cluster: ClusterId) -> bool {
        !self.has(cluster, |i| is_hero(i.opcode))
    }

    /// Whether a kernel has a function whose code is long.
    pub fn is_long(&self, cluster: ClusterId) -> bool {
        self.has(cluster, rates::is_long)
    }

    fn has(&self, cluster: ClusterId, wanted: impl Fn(&Instruction) -> bool) -> bool {
        self.clusters.members(cluster).iter().any(|&unit| {
            let instr = self.host.instr(unit);
            match instr.attrs {
                Attrs::Fusion { calls, .. } => self.module[calls].instrs.iter().any(&wanted),
                _ => wanted(instr),
            }
        })
    }

    /// Operations of a kernel of both.
    pub fn joint_size(&self, a: ClusterId, b: ClusterId) -> usize {
        self.sizes[a as usize] + self.sizes[b as usize]
    }

    /// Clusters that read what this one makes, in the order they run.
    pub fn consumers(&self, cluster: ClusterId) -> Vec<ClusterId> {
        let defined = self.clusters.members(cluster).iter().flat_map(|&m| &self.host.unit(m).defines);
        let mut all: Vec<ClusterId> = defined.flat_map(|&a| self.clusters.readers(&self.host, a)).collect();
        all.sort_unstable_by_key(|&c| self.clusters.rank(c));
        all.dedup();
        all
    }

    /// For each array of more than `bytes` that several kernels read, these kernels in the order they run.
    pub fn shared(&self, array: ArrayId, bytes: i64) -> Vec<ClusterId> {
        let info = self.host.array(array);
        let size = info.instr.map_or(0, |i| self.host.comp[i].shape.expect_array().bytes());
        if size <= bytes || info.users.len() < 2 {
            return Vec::new();
        }
        let mut readers = self.clusters.readers(&self.host, array);
        readers.retain(|&c| self.is_kernel(c));
        readers
    }

    /// Bytes that a kernel reads; none where it is no kernel.
    pub fn reads(&mut self, cx: &mut PassContext, cluster: ClusterId) -> i64 {
        self.quote_of(cx, cluster).map_or(0, |q| q.cost.bytes_read)
    }

    pub fn arrays(&self) -> std::ops::Range<ArrayId> {
        0..self.host.arrays.len() as ArrayId
    }

    /// The points a kernel looks at: elements of its largest operand or result.
    pub fn points(&self, cluster: ClusterId) -> i64 {
        self.clusters.members(cluster).iter().map(|&u| self.points[u as usize]).max().unwrap_or(0)
    }
}

/// Operations of the code of a unit.
pub(super) fn operations_of(module: &Module, instr: &Instruction) -> usize {
    match instr.attrs {
        Attrs::Fusion { calls, .. } => operations(&module[calls]),
        _ => 1,
    }
}

/// The points a unit looks at: elements of its largest operand or result.
pub(super) fn points_of(comp: &Computation, instr: &Instruction) -> i64 {
    let operands = instr.operands.iter().map(|o| &comp[*o].shape);
    let leaves = operands.chain([&instr.shape]).flat_map(|s| s.leaves());
    leaves.map(|l| l.elements()).max().unwrap_or(0)
}
