//! Sequences as graphs of the driver: what a run submits again at the same addresses is submitted as one.
//!
//! The first run of a sequence submits its work piece by piece, the second one records it, later ones submit the graph. Since
//! memory is handed out again, steady runs have the same addresses again and again.

use crate::device::Device;
use crate::driver::{Address, Graph, Stream};
use crate::error::Error;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A sequence by its number, with the addresses of all it touches.
pub type Key = (usize, Box<[Address]>);

/// The graphs of an executable, each with what submitting it means to a run: an `E`.
pub struct Graphs<E> {
    device: Device,
    state: Mutex<State<E>>,
}

struct State<E> {
    known: FxHashMap<Key, Entry<E>>,
    /// What is recorded is submitted to it; nothing runs there.
    recording: Option<Stream>,
}

#[derive(Clone)]
enum Entry<E> {
    /// It ran so once.
    Met,
    Ready(Graph, Arc<E>),
    /// The driver does not record it.
    Refused,
}

/// So many are kept; then all are forgotten.
const MOST: usize = 256;

/// What submits work to a stream, and says what that means to the run.
pub type Submit<'s, E> = dyn FnMut(Stream) -> Result<E, Error> + 's;

impl<E> Graphs<E> {
    pub fn new(device: Device) -> Graphs<E> {
        let state = State { known: FxHashMap::default(), recording: None };
        Graphs { device, state: Mutex::new(state) }
    }

    /// Submits a sequence, by `submit` to a stream or as a graph: what it means to the run, and whether it was a graph.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn run(&self, key: Key, submit: &mut Submit<'_, E>) -> Result<(Arc<E>, bool), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let graph = match state.known.get(&key) {
            None => {
                if state.known.len() >= MOST {
                    self.forget(&mut state);
                }
                state.known.insert(key, Entry::Met);
                None
            }
            Some(Entry::Met) => match self.record(&mut state, submit) {
                Ok((graph, effect)) => {
                    let effect = Arc::new(effect);
                    state.known.insert(key, Entry::Ready(graph, effect.clone()));
                    Some((graph, effect))
                }
                Err(e) if e.is_final() => return Err(e),
                Err(_) => {
                    state.known.insert(key, Entry::Refused);
                    None
                }
            },
            Some(Entry::Ready(graph, effect)) => Some((*graph, effect.clone())),
            Some(Entry::Refused) => None,
        };
        // Held until it is submitted: nobody forgets the graph before.
        match graph {
            Some((graph, effect)) => {
                self.device.checked(|d, stream| d.run_graph(stream, graph)).map(|()| (effect, true))
            }
            None => self.device.checked(|_, stream| submit(stream)).map(|effect| (Arc::new(effect), false)),
        }
    }

    fn record(&self, state: &mut State<E>, submit: &mut Submit<'_, E>) -> Result<(Graph, E), Error> {
        self.device.checked(|driver, _| {
            let stream = match state.recording {
                Some(stream) => stream,
                None => *state.recording.insert(driver.stream()?),
            };
            driver.begin_capture(stream)?;
            let submitted = submit(stream);
            // Also after an error: the stream has to end recording.
            let graph = driver.end_capture(stream)?;
            match submitted {
                Ok(effect) => Ok((graph, effect)),
                Err(e) => {
                    driver.end_graph(graph);
                    Err(e)
                }
            }
        })
    }

    fn forget(&self, state: &mut State<E>) {
        for (_, entry) in state.known.drain() {
            if let Entry::Ready(graph, _) = entry {
                self.device.driver().end_graph(graph);
            }
        }
    }
}

impl<E> Drop for Graphs<E> {
    fn drop(&mut self) {
        // Of a device that is lost nothing is left to be ended.
        if self.device.wait().is_err() {
            return;
        }
        let empty = State { known: FxHashMap::default(), recording: None };
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut state = std::mem::replace(state, empty);
        self.forget(&mut state);
        if let Some(stream) = state.recording {
            self.device.driver().end_stream(stream);
        }
    }
}
