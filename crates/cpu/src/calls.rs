//! Host functions that a program calls by name.

use crate::Error;
use lawson_hlo::Shape;
use lawson_kernel::program::Step;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A host function: reads arrays of these shapes, writes the array leaves of its result.
pub type CustomCall =
    Arc<dyn Fn(&[(&[u8], &Shape)], &mut [&mut [u8]], &Shape) -> Result<(), String> + Send + Sync>;

/// Host functions by `custom_call_target`.
pub type CustomCalls = BTreeMap<String, CustomCall>;

/// Adds the functions that these steps call to `used`.
///
/// # Errors
/// A name that is not known.
pub(crate) fn collect(steps: &[Step], known: &CustomCalls, used: &mut CustomCalls) -> Result<(), Error> {
    for step in steps {
        match step {
            Step::CustomCall { target, .. } => {
                let found = known.get(target).ok_or_else(|| Error::UnknownCustomCall(target.clone()))?;
                used.insert(target.clone(), found.clone());
            }
            Step::While { cond, body, .. } => {
                collect(cond, known, used)?;
                collect(body, known, used)?;
            }
            Step::Conditional { branches, .. } => {
                branches.iter().try_for_each(|b| collect(b, known, used))?;
            }
            Step::Launch { .. } | Step::Copy { .. } | Step::Swap { .. } => {}
        }
    }
    Ok(())
}
