//! Schedules: the loops of one stage, for each kind of stage.

use super::Axes;
use super::contract::ContractSchedule;
use super::loop_schedule::LoopSchedule;
use super::map_schedule::MapSchedule;
use super::reduce::{ReduceSchedule, Shape as ReduceShape};
use super::select_and_scatter::SelectAndScatterSchedule;
use super::simple::ScanSchedule;
use super::sort::SortSchedule;
use super::sort_method::SortMethod;
use super::update::UpdateSchedule;
#[cfg(doc)]
use crate::target::Target;

/// A stage with its loops, and a map computed where its results are made.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub stage: u32,
    pub epilogue: Option<u32>,
    pub axes: Axes,
    pub schedule: Schedule,
    /// Whether each vector is two, where the machine has such ([`Target::half_vectors`]). It changes no value.
    pub halves: bool,
}

impl Group {
    /// The stages computed in it.
    pub fn stages(&self) -> impl Iterator<Item = u32> {
        [Some(self.stage), self.epilogue].into_iter().flatten()
    }
}

/// A stage with its loops, as a group of its own or in the rows of a nest.
#[derive(Clone, Copy, Debug)]
pub struct Scheduled<'p> {
    pub stage: u32,
    pub epilogue: Option<u32>,
    pub axes: &'p Axes,
    pub schedule: &'p Schedule,
    /// The loop axis along which the lanes lie.
    pub lane: Option<usize>,
    pub lanes: u32,
}

impl Scheduled<'_> {
    /// The stages computed in it.
    pub fn stages(&self) -> impl Iterator<Item = u32> + use<> {
        [Some(self.stage), self.epilogue].into_iter().flatten()
    }
}

/// The loops of a group.
#[derive(Clone, PartialEq, Debug)]
pub enum Schedule {
    Map(MapSchedule),
    Reduce(ReduceSchedule),
    Contract(ContractSchedule),
    Update(UpdateSchedule),
    Scan(ScanSchedule),
    Sort(SortSchedule),
    SelectAndScatter(SelectAndScatterSchedule),
    Loop(LoopSchedule),
}

impl Schedule {
    /// Lanes of its vectors; 1 for scalar code.
    pub fn lanes(&self) -> u32 {
        match self {
            Schedule::Map(s) => s.lanes,
            Schedule::Reduce(s) => s.lanes,
            Schedule::Contract(s) => s.lanes,
            Schedule::Update(s) => s.lanes,
            Schedule::Scan(s) => s.lanes,
            Schedule::Loop(s) => s.lanes,
            Schedule::Sort(s) => s.lanes,
            Schedule::SelectAndScatter(s) => s.lanes,
        }
    }

    /// The loop axis along which they lie.
    pub(super) fn lane(&self, axes: &Axes) -> Option<usize> {
        match self {
            Schedule::Map(s) => s.lane,
            Schedule::Reduce(s) => match s.shape {
                ReduceShape::AcrossLanes => axes.extents.len().checked_sub(1),
                ReduceShape::LaneWise { lane, .. } => lane,
            },
            Schedule::Contract(s) => s.lane,
            Schedule::Update(s) => s.lane,
            Schedule::Scan(s) => s.lane,
            Schedule::Loop(s) => s.lane,
            Schedule::Sort(s) => match s.method {
                SortMethod::Merge => None,
                SortMethod::Select | SortMethod::Threshold { .. } | SortMethod::Vectors(_) => {
                    axes.extents.len().checked_sub(1)
                }
                SortMethod::SelectInLanes(lane)
                | SortMethod::SortInLanes(lane, _)
                | SortMethod::Turned(lane, _) => Some(lane),
            },
            Schedule::SelectAndScatter(s) => s.lane,
        }
    }
}
