//! Buffers of a program: copies that nothing needs go, those of loops become exchanges, temporaries share an arena by
//! liveness.

mod arena;
mod coalesce;
mod donate;
mod in_place;
mod interference;
mod pack;
mod swap;
mod touches;
mod walk;

pub use donate::Wanted;
pub use in_place::{InPlace, before_launches};

use lawson_hlo::Module;
use lawson_kernel::program::Program;

/// The program on its way through [`PASSES`].
pub(crate) struct Assignment<'a> {
    program: Program,
    wanted: Wanted,
    rewrite: &'a mut dyn FnMut(&mut Program, &[InPlace]),
}

/// A pass over a program, by its name in [`crate::pipeline::PROGRAM`].
type ProgramPass = (&'static str, fn(&mut Assignment));

/// What [`assign`] runs, in order; [`crate::pipeline::PROGRAM`] says why in this order.
pub(crate) const PASSES: &[ProgramPass] = &[
    ("in-place", |a| a.in_place()),
    ("coalesce-copies", |a| coalesce::run(&mut a.program)),
    ("swap", |a| swap::run(&mut a.program)),
    ("donation", |a| a.donations()),
    ("arena", |a| arena::place(&mut a.program)),
];

/// Runs the passes over a program that has been scheduled. `rewrite` makes launches work in place as far as their kernels can,
/// which then begin with a copy.
pub fn assign(
    program: Program,
    module: &Module,
    rewrite: &mut dyn FnMut(&mut Program, &[InPlace]),
) -> Program {
    let mut assignment = Assignment { program, wanted: Wanted::of(module), rewrite };
    for (_, run) in PASSES {
        run(&mut assignment);
    }
    assignment.program
}

impl Assignment<'_> {
    /// Lets launches of loops make states in their place.
    fn in_place(&mut self) {
        let found = in_place::of_states(&mut self.program);
        (self.rewrite)(&mut self.program, &found);
    }

    /// Finds which arguments may become results.
    fn donations(&mut self) {
        let meetings = donate::meetings(&self.program, &self.wanted);
        (self.rewrite)(&mut self.program, &meetings);
        self.program.donations = donate::allowed(&self.program, &self.wanted);
    }
}
