//! Host functions that a program calls by name.

use crate::Error;
use lawson_hlo::Shape;
use lawson_kernel::program::Step;
use lawson_kernel::program::walk::visit;
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
    let mut unknown = None;
    visit(steps, &mut |step| {
        if let Step::CustomCall { target, .. } = step {
            match known.get(target) {
                Some(found) => drop(used.insert(target.clone(), found.clone())),
                None => unknown = unknown.take().or(Some(target.clone())),
            }
        }
    });
    unknown.map_or(Ok(()), |target| Err(Error::UnknownCustomCall(target)))
}
