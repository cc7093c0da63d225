//! Arrays that are there, and those that a queued run will make.
//!
//! Whoever holds the last one to hold an array owns its memory, whichever of the two it was: so a donated argument becomes a result
//! although the run that makes it had not begun when it was given up.

use crate::abi::failure::{Code, Failure};
use crate::event::Signal;
use std::sync::{Arc, OnceLock};

/// An array, shared with others who hold it.
#[derive(Clone)]
pub enum Array {
    There(Arc<lawson::Buffer>),
    Coming(Arc<Coming>),
}

/// The place of an array that comes.
pub struct Coming {
    /// Of the run that makes it. It is set when the run has let go of the place.
    signal: Arc<Signal>,
    place: OnceLock<Arc<lawson::Buffer>>,
}

impl Coming {
    /// One that comes with the signal.
    pub fn with(signal: &Arc<Signal>) -> Arc<Coming> {
        Arc::new(Coming { signal: signal.clone(), place: OnceLock::new() })
    }

    /// It is here. The signal is to be set next.
    pub fn put(&self, array: lawson::Buffer) {
        self.place.get_or_init(|| Arc::new(array));
    }
}

impl Array {
    pub fn is_there(&self) -> bool {
        matches!(self, Array::There(_))
    }

    /// The same; one that has come is there.
    pub fn settled(self) -> Array {
        match self {
            Array::Coming(coming) if coming.signal.outcome() == Some(Ok(())) => match take(coming) {
                Ok(array) => Array::There(array),
                Err(coming) => Array::Coming(coming),
            },
            other => other,
        }
    }

    /// What comes when it does; nothing where it is there.
    pub fn signal(&self) -> Option<&Arc<Signal>> {
        match self {
            Array::There(_) => None,
            Array::Coming(coming) => Some(&coming.signal),
        }
    }

    /// The array, when it is there.
    ///
    /// # Errors
    /// That of the run that was to make it.
    pub fn wait(self) -> Result<Arc<lawson::Buffer>, Failure> {
        match self {
            Array::There(array) => Ok(array),
            Array::Coming(coming) => {
                coming.signal.wait()?;
                let nothing = |_| Failure::new(Code::Internal, "[internal] a run has left out a result");
                take(coming).map_err(nothing)
            }
        }
    }
}

/// What came, with the place where nobody else holds that.
fn take(coming: Arc<Coming>) -> Result<Arc<lawson::Buffer>, Arc<Coming>> {
    match Arc::try_unwrap(coming) {
        Ok(Coming { signal, place }) => {
            place.into_inner().ok_or_else(|| Arc::new(Coming { signal, place: OnceLock::new() }))
        }
        Err(shared) => shared.place.get().cloned().ok_or(shared),
    }
}
