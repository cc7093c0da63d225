//! Arrays that trips read and of which they change a few elements: they stay in memory, and each update replaces there what it
//! changes.
//!
//! ```text
//! x1 = dynamic-update-slice(x, v, i)                  the steps of x:  x1,
//! loop = while(…, x1, …);  x2 = element of loop                        the loop that x1 goes through,
//! x3 = select(p, scatter(x2, j, w), x2)                                the scatter, where p holds
//! ```

use lawson_hlo::InstrId;

/// What happens to an array in a trip.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::region::build) enum Change {
    /// A `dynamic-update-slice` or a `scatter`, where all these conditions are (true or false).
    Update { at: InstrId, guards: Vec<(InstrId, bool)> },
    /// A loop in the body, of which it is an element.
    Loop { of: usize, element: usize },
}

/// The changes of a trip, first to last, and the instructions of the body that are the array.
#[derive(Clone, Debug, Default)]
pub(in crate::region::build) struct Updated {
    pub changes: Vec<Change>,
    pub whole: Vec<InstrId>,
}
