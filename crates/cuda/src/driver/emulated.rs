//! A device that is emulated on the host: it does at once what is submitted, and watches it.
//!
//! Besides what the emulator of PTX finds (accesses out of bounds, of unwritten memory, races), reading memory that was given
//! back is found, memory runs out where the options say, and a device can be lost on purpose.

use super::{Address, Driver, Function, Graph, Launch, Module, Properties, Rows, Stream};
use crate::error::Error;
use lawson_ptx as ptx;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use lawson_ptx::{Banks, Counters, Flow, Traffic};

/// What is emulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Compute capability: decides what code is made.
    pub capability: (u32, u32),
    pub memory_bytes: u64,
    /// The device is lost at the launch after so many.
    pub lost_after: Option<u64>,
    /// The work of a stream is not said to be done before another stream wrote something: as with a loop without an end, which
    /// the host ends.
    pub endless: bool,
    /// Of the order in which blocks and warps go on.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { capability: (9, 0), memory_bytes: 4 << 30, lost_after: None, endless: false, seed: 0 }
    }
}

/// Few, so that warps do several tasks.
const MULTIPROCESSORS: u32 = 2;
const THREADS: u32 = 512;
/// Instructions of a launch, after which it is given up.
const MAX_STEPS: u64 = 1 << 28;

pub struct Emulated {
    properties: Properties,
    options: Options,
    state: Mutex<State>,
}

/// What an emulated device has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Copies to the device and to the host.
    pub uploads: u64,
    pub downloads: u64,
    /// Codes that are loaded now.
    pub modules: usize,
    /// Graphs that were submitted.
    pub graphs: u64,
    /// How often somebody asked whether a stream is done.
    pub polls: u64,
}

#[derive(Default)]
struct State {
    tally: Tally,
    /// The stream of the last copy to the device.
    last_writer: Option<Stream>,
    memory: ptx::Memory,
    /// The bytes of what is allocated.
    taken: FxHashMap<Address, usize>,
    used: u64,
    modules: FxHashMap<u64, Arc<ptx::Module>>,
    /// Entries, and the shared memory that their launches may ask for.
    functions: Vec<(Module, String, u32)>,
    graphs: FxHashMap<u64, Arc<Vec<Work>>>,
    /// What streams record that are captured.
    recorded: FxHashMap<Stream, Vec<Work>>,
    made: u64,
    launches: u64,
    /// Once somebody asked.
    counters: Option<Vec<Counters>>,
}

/// What a graph is made of.
#[derive(Clone)]
enum Work {
    Launch { kernel: String, function: Function, blocks: u32, threads: u32, shared: u32, words: Vec<u64> },
    Copy(Rows),
}

impl Emulated {
    pub fn new(options: Options) -> Emulated {
        let properties = Properties {
            name: "emulated device".into(),
            capability: options.capability,
            memory_bytes: options.memory_bytes,
            multiprocessors: MULTIPROCESSORS,
            threads: THREADS,
            driver: crate::error::OLDEST_DRIVER,
        };
        Emulated { properties, options, state: Mutex::default() }
    }

    /// What launches did since the last call. From the first one on it is kept, which takes memory.
    pub fn counters(&self) -> Vec<Counters> {
        self.state().counters.replace(Vec::new()).unwrap_or_default()
    }

    /// What crossed between the host and the device so far, and the codes that are loaded.
    pub fn tally(&self) -> Tally {
        let state = self.state();
        Tally { modules: state.modules.len(), ..state.tally }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn do_work(&self, state: &mut State, work: &Work) -> Result<(), Error> {
        match work {
            Work::Launch { kernel, function, blocks, threads, shared, words } => {
                let function = *function;
                let (blocks, threads, shared) = (*blocks, *threads, *shared);
                let launch = Launch { kernel, function, blocks, threads, shared, words };
                self.do_launch(state, &launch)
            }
            Work::Copy(rows) => do_copy(state, rows),
        }
    }

    fn do_launch(&self, state: &mut State, launch: &Launch<'_>) -> Result<(), Error> {
        if self.options.lost_after.is_some_and(|n| state.launches >= n) {
            return Err(Error::Lost { why: "it was to be lost now".into() });
        }
        state.launches += 1;
        let fault = |why: String| Error::Fault { kernel: format!("kernel {}", launch.kernel), why };
        let (module, entry, asked) = &state.functions[launch.function.number() as usize];
        if launch.shared > *asked {
            return Err(fault(format!("it asks for {} bytes of shared memory, not {asked}", launch.shared)));
        }
        let Some(module) = state.modules.get(&module.number()) else {
            return Err(fault("its module was unloaded".into()));
        };
        let params = [ptx::Param::Bytes(launch.words.iter().flat_map(|w| w.to_le_bytes()).collect())];
        let seed = self.options.seed.wrapping_add(state.launches);
        let options = ptx::Options {
            seed,
            max_steps: MAX_STEPS,
            dynamic_shared: launch.shared,
            ..ptx::Options::default()
        };
        let (grid, block) = ([launch.blocks, 1, 1], [launch.threads, 1, 1]);
        let done = module.launch(entry, grid, block, &params, &mut state.memory, &options);
        let counters = done.map_err(|f| fault(f.to_string()))?;
        if let Some(kept) = &mut state.counters {
            kept.push(Counters { kernel: launch.kernel.into(), ..counters });
        }
        Ok(())
    }

    fn submit(&self, stream: Stream, work: Work) -> Result<(), Error> {
        let mut state = self.state();
        match state.recorded.get_mut(&stream) {
            Some(recorded) => {
                recorded.push(work);
                Ok(())
            }
            None => self.do_work(&mut state, &work),
        }
    }
}

fn do_copy(state: &mut State, rows: &Rows) -> Result<(), Error> {
    for n in 0..rows.rows {
        let (from, to) = (rows.from + (n * rows.from_pitch) as u64, rows.to + (n * rows.to_pitch) as u64);
        let bytes = state.memory.read(from, rows.width).map_err(|e| unreadable("copy", &e))?.to_vec();
        state.memory.write(to, &bytes).map_err(|e| unreadable("copy", &e))?;
    }
    Ok(())
}

fn unreadable(call: &'static str, e: &ptx::MemoryError) -> Error {
    Error::Driver { call, why: e.to_string() }
}

impl Driver for Emulated {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn free_bytes(&self) -> Result<u64, Error> {
        Ok(self.options.memory_bytes - self.state().used)
    }

    fn stream(&self) -> Result<Stream, Error> {
        let mut state = self.state();
        state.made += 1;
        Ok(Stream::of_number(state.made))
    }

    fn end_stream(&self, stream: Stream) {
        self.state().recorded.remove(&stream);
    }

    fn wait(&self, _stream: Stream) -> Result<(), Error> {
        Ok(())
    }

    fn is_done(&self, stream: Stream) -> Result<bool, Error> {
        let mut state = self.state();
        state.tally.polls += 1;
        Ok(!self.options.endless || state.last_writer.is_some_and(|s| s != stream))
    }

    fn allocate(&self, _stream: Stream, bytes: usize) -> Result<Address, Error> {
        let mut state = self.state();
        let total = self.options.memory_bytes;
        let (used, name) = (state.used, self.properties.name.clone());
        if bytes as u64 > total - used || bytes as u64 >= 1 << 32 {
            return Err(Error::OutOfMemory { bytes, used, total, name });
        }
        state.used += bytes as u64;
        let at = state.memory.alloc("memory", bytes);
        state.taken.insert(at, bytes);
        Ok(at)
    }

    fn free(&self, _stream: Stream, at: Address) {
        let mut state = self.state();
        let bytes = state.taken.remove(&at).unwrap_or(0);
        state.used -= bytes as u64;
        // It was allocated here, once.
        let _ = state.memory.free(at);
    }

    fn forget(&self, at: Address, bytes: usize) {
        let _ = self.state().memory.forget(at, bytes);
    }

    fn write(&self, stream: Stream, to: Address, bytes: &[u8]) -> Result<(), Error> {
        let mut state = self.state();
        state.last_writer = Some(stream);
        state.tally.uploads += 1;
        state.memory.write(to, bytes).map_err(|e| unreadable("write", &e))
    }

    fn read(&self, _stream: Stream, from: Address, bytes: &mut [u8]) -> Result<(), Error> {
        let mut state = self.state();
        state.tally.downloads += 1;
        bytes.copy_from_slice(state.memory.read(from, bytes.len()).map_err(|e| unreadable("read", &e))?);
        Ok(())
    }

    fn copy(&self, stream: Stream, rows: &Rows) -> Result<(), Error> {
        self.submit(stream, Work::Copy(*rows))
    }

    fn load(&self, kernel: &str, text: &str) -> Result<Module, Error> {
        let module = ptx::Module::parse(text)
            .map_err(|e| Error::Code { kernel: kernel.into(), why: e.to_string() })?;
        let mut state = self.state();
        state.made += 1;
        let number = state.made;
        state.modules.insert(number, Arc::new(module));
        Ok(Module::of_number(number))
    }

    fn unload(&self, module: Module) {
        self.state().modules.remove(&module.number());
    }

    fn function(&self, module: Module, entry: &str, shared: u32) -> Result<Function, Error> {
        let mut state = self.state();
        let known = state.modules.get(&module.number()).is_some_and(|m| m.entries().any(|e| e == entry));
        if !known {
            return Err(Error::Code { kernel: entry.into(), why: "it has no such entry".into() });
        }
        state.functions.push((module, entry.into(), shared));
        Ok(Function::of_number(state.functions.len() as u64 - 1))
    }

    fn launch(&self, stream: Stream, launch: &Launch<'_>) -> Result<(), Error> {
        let Launch { kernel, function, blocks, threads, shared, words } = *launch;
        let work =
            Work::Launch { kernel: kernel.into(), function, blocks, threads, shared, words: words.into() };
        self.submit(stream, work)
    }

    fn begin_capture(&self, stream: Stream) -> Result<(), Error> {
        self.state().recorded.insert(stream, Vec::new());
        Ok(())
    }

    fn end_capture(&self, stream: Stream) -> Result<Graph, Error> {
        let mut state = self.state();
        let Some(recorded) = state.recorded.remove(&stream) else {
            return Err(Error::Driver { call: "end_capture", why: "nothing is captured".into() });
        };
        state.made += 1;
        let number = state.made;
        state.graphs.insert(number, Arc::new(recorded));
        Ok(Graph::of_number(number))
    }

    fn run_graph(&self, _stream: Stream, graph: Graph) -> Result<(), Error> {
        let mut state = self.state();
        state.tally.graphs += 1;
        let Some(works) = state.graphs.get(&graph.number()).cloned() else {
            return Err(Error::Driver { call: "run_graph", why: "there is no such graph".into() });
        };
        works.iter().try_for_each(|work| self.do_work(&mut state, work))
    }

    fn end_graph(&self, graph: Graph) {
        self.state().graphs.remove(&graph.number());
    }
}
