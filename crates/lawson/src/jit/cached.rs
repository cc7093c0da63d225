//! What is compiled, by the signature of the arguments.

use crate::error::Error;
use crate::executable::Executable;
use lawson_frontend::trace::Spec;
use lawson_frontend::{Array, Tensor, Tree, tree};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The signature of a call.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Key {
    structure: u64,
    leaves: Vec<Spec>,
    donated: bool,
}

impl Key {
    pub fn of<A: Tree>(args: &A, leaves: &[Tensor], donated: bool) -> Result<Key, Error> {
        let mut state = DefaultHasher::new();
        args.structure(&mut state);
        let leaves = leaves.iter().map(Tensor::spec).collect::<Result<_, _>>()?;
        Ok(Key { structure: state.finish(), leaves, donated })
    }
}

/// A function compiled for one signature.
pub(super) struct Entry<R> {
    pub executable: Executable,
    /// The structure of the result, with leaves that mean nothing.
    pub result: R,
    /// Of each leaf of the result, whether its type is weak.
    pub weak: Vec<bool>,
    pub captured: Vec<Array>,
}

impl<R: Tree> Entry<R> {
    pub fn result(&self, arrays: Vec<Array>) -> R {
        let leaves = arrays.into_iter().zip(&self.weak);
        tree::rebuild(&self.result, leaves.map(|(a, &weak)| Tensor::from_array(a).with_weak(weak)))
    }
}

pub(super) struct Cache<R>(Mutex<HashMap<Key, Arc<Entry<R>>>>);

impl<R> Default for Cache<R> {
    fn default() -> Cache<R> {
        Cache(Mutex::default())
    }
}

impl<R> Cache<R> {
    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Arc<Entry<R>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, key: &Key) -> Option<Arc<Entry<R>>> {
        self.entries().get(key).cloned()
    }

    pub fn insert(&self, key: Key, entry: Entry<R>) -> Arc<Entry<R>> {
        let entry = Arc::new(entry);
        self.entries().insert(key, entry.clone());
        entry
    }

    pub fn len(&self) -> usize {
        self.entries().len()
    }
}
