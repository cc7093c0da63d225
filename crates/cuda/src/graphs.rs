//! Sequences as graphs of the driver: what a run submits again at the same addresses is submitted as one.
//!
//! The first run of a sequence submits its work piece by piece, the second one records it, later ones submit the graph. Since
//! memory is handed out again, steady runs have the same addresses again and again.

use crate::device::Device;
use crate::driver::{Address, Graph, Stream};
use crate::error::Error;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// A sequence by its number, with the addresses of all it touches.
pub type Key = (usize, Box<[Address]>);

/// The graphs of an executable.
pub struct Graphs {
    device: Device,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: FxHashMap<Key, Entry>,
    /// What is recorded is submitted to it; nothing runs there.
    recording: Option<Stream>,
}

#[derive(Clone, Copy)]
enum Entry {
    /// It ran so once.
    Met,
    Ready(Graph),
    /// The driver does not record it.
    Refused,
}

/// So many are kept; then all are forgotten.
const MOST: usize = 256;

impl Graphs {
    pub fn new(device: Device) -> Graphs {
        Graphs { device, state: Mutex::default() }
    }

    /// Submits a sequence, by `submit` to a stream or as a graph; whether it was a graph.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn run(&self, key: Key, submit: &mut dyn FnMut(Stream) -> Result<(), Error>) -> Result<bool, Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let graph = match state.known.get(&key).copied() {
            None => {
                if state.known.len() >= MOST {
                    self.forget(&mut state);
                }
                state.known.insert(key, Entry::Met);
                None
            }
            Some(Entry::Met) => match self.record(&mut state, submit) {
                Ok(graph) => {
                    state.known.insert(key, Entry::Ready(graph));
                    Some(graph)
                }
                Err(e) if e.is_final() => return Err(e),
                Err(_) => {
                    state.known.insert(key, Entry::Refused);
                    None
                }
            },
            Some(Entry::Ready(graph)) => Some(graph),
            Some(Entry::Refused) => None,
        };
        // Held until it is submitted: nobody forgets the graph before.
        match graph {
            Some(graph) => self.device.checked(|d, stream| d.run_graph(stream, graph)).map(|()| true),
            None => self.device.checked(|_, stream| submit(stream)).map(|()| false),
        }
    }

    fn record(
        &self,
        state: &mut State,
        submit: &mut dyn FnMut(Stream) -> Result<(), Error>,
    ) -> Result<Graph, Error> {
        self.device.checked(|driver, _| {
            let stream = match state.recording {
                Some(stream) => stream,
                None => *state.recording.insert(driver.stream()?),
            };
            driver.begin_capture(stream)?;
            let submitted = submit(stream);
            // Also after an error: the stream has to end recording.
            let graph = driver.end_capture(stream)?;
            if let Err(e) = submitted {
                driver.end_graph(graph);
                return Err(e);
            }
            Ok(graph)
        })
    }

    fn forget(&self, state: &mut State) {
        for (_, entry) in state.known.drain() {
            if let Entry::Ready(graph) = entry {
                self.device.driver().end_graph(graph);
            }
        }
    }
}

impl Drop for Graphs {
    fn drop(&mut self) {
        // Of a device that is lost nothing is left to be ended.
        if self.device.wait().is_err() {
            return;
        }
        let mut state = std::mem::take(self.state.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.forget(&mut state);
        if let Some(stream) = state.recording {
            self.device.driver().end_stream(stream);
        }
    }
}
