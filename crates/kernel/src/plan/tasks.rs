//! How rows and columns of a loop are divided into tasks.

use crate::target::Target;

/// Of fewer tasks each makes a difference.
const FEW: i64 = 32;

/// How many of `all` rows, or columns, a task has, in whole blocks, where it has `most` at most: all tasks about the same, and of a few
/// an even number, since one of two threads would wait for the other.
pub(super) fn evenly(all: i64, most: i64, block: i64, target: &Target) -> i64 {
    if target.gpu.is_some() || all <= most || most < block {
        return most;
    }
    let tasks = (all + most - 1) / most;
    let tasks = if tasks < FEW { tasks + tasks % 2 } else { tasks };
    let each = (all + tasks - 1) / tasks;
    ((each + block - 1) / block * block).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_alike_and_of_whole_blocks() {
        let cpu = Target::zen4();
        // Of 132, 132, 132 and 4 rows the last would be done at once.
        assert_eq!(evenly(400, 132, 4, &cpu), 100);
        // Three tasks are four, so that two threads have the same.
        assert_eq!(evenly(300, 100, 1, &cpu), 75);
        assert_eq!(evenly(100, 100, 4, &cpu), 100);
        for (all, most, block) in
            [(1000, 64, 16), (65_536, 5120, 256), (77, 10, 1), (5, 4, 4), (1 << 30, 512, 256)]
        {
            let each = evenly(all, most, block, &cpu);
            assert!(each > 0 && each <= most && each % block == 0, "{all} {most} {block}: {each}");
        }
        let task = cpu.task();
        assert_eq!(cpu.task_of(task / 3), task / 3);
        assert_eq!(cpu.task_of(task), task / 8);
        assert_eq!(cpu.task_of(task * 1000), task);
    }
}
