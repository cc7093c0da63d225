//! Launches of routines: which matrices of a batch, or which of their columns, a task computes.

use super::{Run, Shared};
use crate::threads::Session;
use lawson_hlo::ArrayShape;
use lawson_hlo::library::{GROUP, Input, Output, Routine, elements};
use lawson_kernel::program::{BufId, LibraryKernel};
use lawson_routines::{Alone, Columns, Routines, Team, is_shared, whole_groups};
use std::cell::RefCell;
use std::ops::Range;

/// An operand or result of a routine: matrices of `len` elements, or of so many s32.
struct Matrices {
    base: Shared,
    len: usize,
    indices: bool,
}

impl Matrices {
    /// Where a matrix of the batch begins.
    fn at<E>(&self, n: usize) -> *mut E {
        self.base.get().cast::<E>().wrapping_add(n * self.len)
    }
}

/// Operations of the routines that one task computes together.
const ROUTINE_TASK: i64 = 1 << 16;

/// The threads of this program.
struct Threads<'t, 's>(RefCell<&'t mut Session<'s>>);

impl Team for Threads<'_, '_> {
    fn threads(&self) -> usize {
        self.0.borrow().threads()
    }

    fn run(&self, tasks: usize, body: &(dyn Fn(usize) + Sync)) {
        let range = |range: Range<i64>, _: usize| range.for_each(|n| body(n as usize));
        self.0.borrow_mut().run(tasks as i64, &range);
    }
}

impl Run<'_> {
    pub(super) fn library(&mut self, kernel: &LibraryKernel, args: &[BufId]) {
        self.counters.launches += 1;
        self.counters.phases += 1;
        match (kernel.call.dtype.part().is_f64(), kernel.call.routine) {
            (true, Routine::Fft { columns: true, .. }) => self.columns::<f64>(kernel, args),
            (false, Routine::Fft { columns: true, .. }) => self.columns::<f32>(kernel, args),
            (true, _) => self.routine::<f64>(kernel, args),
            (false, _) => self.routine::<f32>(kernel, args),
        }
    }

    /// Computes the matrices of a batch, each or several in one task.
    fn routine<T: Routines>(&mut self, kernel: &LibraryKernel, args: &[BufId]) {
        let LibraryKernel { call, exact } = *kernel;
        let place = |(&id, shape): (&BufId, ArrayShape)| Matrices {
            base: Shared(self.bases[id.index()]),
            len: elements(&shape),
            indices: shape.dtype.is_s32(),
        };
        let inputs = call.operands();
        let (read, written) = args.split_at(inputs.len());
        let read: Vec<Matrices> = read.iter().zip(inputs).map(place).collect();
        let written: Vec<Matrices> = written.iter().zip(call.results()).map(place).collect();
        let each = (ROUTINE_TASK / call.flops().max(1)).max(1) as usize;
        let each = whole_groups(&call, each) as i64;
        let run = |range: Range<i64>, team: &dyn Team| {
            let (first, end) = (range.start * each, (range.end * each).min(call.batch));
            let (first, matrices) = (first as usize, (end - first) as usize);
            let input = |m: &Matrices| {
                // SAFETY: `program::verify`, which runs on load, checks that the buffer has `call.batch` matrices of
                // `len` elements of this type, and that no result shares its memory. Buffers are aligned to more than an
                // element. Nothing writes it before all tasks have ended.
                unsafe {
                    match m.indices {
                        true => {
                            Input::Indices(std::slice::from_raw_parts(m.at::<i32>(first), matrices * m.len))
                        }
                        false => {
                            Input::Elements(std::slice::from_raw_parts(m.at::<T>(first), matrices * m.len))
                        }
                    }
                }
            };
            let output = |m: &Matrices| {
                // SAFETY: as for the operands; each result has memory of its own, and no other task has these matrices.
                // Any bytes are a float, or an integer.
                unsafe {
                    let len = matrices * m.len;
                    match m.indices {
                        true => Output::Indices(std::slice::from_raw_parts_mut(m.at::<i32>(first), len)),
                        false => Output::Elements(std::slice::from_raw_parts_mut(m.at::<T>(first), len)),
                    }
                }
            };
            let operands: Vec<Input<'_, T>> = read.iter().map(input).collect();
            let mut results: Vec<Output<'_, T>> = written.iter().map(output).collect();
            T::run_several(&call, exact, team, &operands, &mut results, matrices);
        };
        let tasks = (call.batch as u64).div_ceil(each as u64) as i64;
        // Where most threads would have no matrix of their own, all work on each in turn.
        let most_have_none = (1..=self.session.threads() as i64 / 2).contains(&tasks);
        if most_have_none && is_shared(&call) {
            let together = |session: &mut Session<'_>| run(0..tasks, &Threads(RefCell::new(session)));
            return self.session.with_workers_awake(together);
        }
        self.session.run(tasks, &|range, _| run(range, &Alone));
    }

    /// Transforms the columns of the matrices of a batch, groups of neighbours in one task.
    fn columns<T: Routines>(&mut self, kernel: &LibraryKernel, args: &[BufId]) {
        let LibraryKernel { call, exact } = *kernel;
        let &[read, written] = args else { unreachable!("a transform has an operand and a result") };
        let (read, written) = (Shared(self.bases[read.index()]), Shared(self.bases[written.index()]));
        let (of_read, of_written) = (elements(&call.operands()[0]), elements(&call.results()[0]));
        let (rows, columns) = (call.rows as usize, call.columns as usize);
        let row = of_written / rows.max(1);
        let parts = row / columns.max(1);
        let groups = columns.div_ceil(GROUP);
        let for_group = call.flops() / (groups as i64).max(1);
        let each = (ROUTINE_TASK / for_group.max(1)).max(1) as usize;
        let all = call.batch as usize * groups;
        self.session.run(all.div_ceil(each) as i64, &|range, _| {
            for group in range.start as usize * each..(range.end as usize * each).min(all) {
                let (matrix, first) = (group / groups, group % groups * GROUP);
                let range = first..(first + GROUP).min(columns);
                // SAFETY: as in `routine`, of the operand.
                let x = unsafe {
                    let base = read.get().cast::<T>().cast_const().add(matrix * of_read);
                    std::slice::from_raw_parts(base, of_read)
                };
                // SAFETY: as in `routine`, of the result; no other task has these columns of this matrix.
                let mut y = unsafe {
                    let base = written.get().cast::<T>().add(matrix * of_written);
                    Columns::new(base, (rows, row), range.start * parts..range.end * parts)
                };
                T::run_columns(&call, exact, x, range, &mut y);
            }
        });
    }
}
