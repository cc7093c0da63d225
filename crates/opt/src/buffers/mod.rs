//! Buffers of a program: copies that nothing needs go, those of loops become exchanges, temporaries share an arena by
//! liveness.

mod arena;
mod coalesce;
mod donate;
mod interference;
mod pack;
mod swap;
mod touches;
mod walk;

pub use donate::{Meeting, Wanted};

use lawson_hlo::Module;
use lawson_kernel::program::Program;

/// The program on its way through [`PASSES`].
pub(crate) struct Assignment<'a> {
    program: Program,
    wanted: Wanted,
    in_place: &'a mut dyn FnMut(&mut Program, &[Meeting]),
}

/// A pass over a program, by its name in [`crate::pipeline::PROGRAM`].
type ProgramPass = (&'static str, fn(&mut Assignment));

/// What [`assign`] runs, in order; [`crate::pipeline::PROGRAM`] says why in this order.
pub(crate) const PASSES: &[ProgramPass] = &[
    ("coalesce-copies", |a| coalesce::run(&mut a.program)),
    ("swap", |a| swap::run(&mut a.program)),
    ("donation", |a| a.donations()),
    ("arena", |a| arena::place(&mut a.program)),
];

/// Runs the passes over a program that has been scheduled. Where an argument and its result meet in one launch,
/// `in_place` may write that launch anew.
pub fn assign(
    program: Program,
    module: &Module,
    in_place: &mut dyn FnMut(&mut Program, &[Meeting]),
) -> Program {
    let mut assignment = Assignment { program, wanted: Wanted::of(module), in_place };
    for (_, run) in PASSES {
        run(&mut assignment);
    }
    assignment.program
}

impl Assignment<'_> {
    /// Finds which arguments may become results.
    fn donations(&mut self) {
        let meetings = donate::meetings(&self.program, &self.wanted);
        if !meetings.is_empty() {
            (self.in_place)(&mut self.program, &meetings);
        }
        self.program.donations = donate::allowed(&self.program, &self.wanted);
    }
}
