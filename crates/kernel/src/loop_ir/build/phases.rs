//! Phases of the kernel that is built: where they begin and end, and who shares their tasks.

use super::CodeBuilder;
use super::interval::Interval;
use crate::loop_ir::{Elem, Phase, Type, V};

impl CodeBuilder {
    /// Adds a phase of `tasks` tasks; `body` gets the task index.
    pub fn phase(&mut self, tasks: i64, body: impl FnOnce(&mut Self, V)) {
        let task = self.open_phase(tasks);
        body(self, task);
        self.close_phase(task);
    }

    /// Opens a phase of so many tasks; gives the task index.
    pub fn open_phase(&mut self, tasks: i64) -> V {
        let task = self.fresh(Type::scalar(Elem::I64));
        self.ranges[task.0 as usize] = Interval::below(0, tasks);
        self.tasks = tasks;
        self.open();
        task
    }

    /// Closes the open phase.
    pub fn close_phase(&mut self, task: V) {
        let tasks = self.tasks;
        let body = self.close(Vec::new()).stmts;
        self.kernel.phases.push(Phase { tasks, task, warps: 1, by_barriers: false, halves: false, body });
    }

    /// So many warps share each task of the phase that was closed last.
    pub fn share_tasks(&mut self, warps: u32) {
        self.kernel.phases.last_mut().expect("no phase was closed").warps = warps;
    }

    /// Each vector of the phases from number `first` on is two.
    pub fn halve_vectors(&mut self, first: usize) {
        self.kernel.phases[first..].iter_mut().for_each(|p| p.halves = true);
    }

    pub fn phases(&self) -> usize {
        self.kernel.phases.len()
    }

    /// Barriers alone order what the threads of a task do in the phase that was closed last.
    pub fn order_by_barriers(&mut self) {
        self.kernel.phases.last_mut().expect("no phase was closed").by_barriers = true;
    }
}
