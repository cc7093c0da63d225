//! Kernels on a device: loaded when they are first launched, and launched on as many blocks as keep the device busy.

use crate::compile::{KernelCode, Phase};
use crate::device::Device;
use crate::driver::{Address, Function, Launch, Module, Stream};
use crate::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel, loaded or not.
pub struct Kernel {
    device: Device,
    pub code: KernelCode,
    /// The places of its scratch arrays, and of what teams of warps have for themselves, in the scratch of a run.
    places: Vec<u64>,
    pub scratch_bytes: u64,
    loaded: Mutex<Option<(Module, Arc<[Function]>)>>,
}

/// Blocks that wait for each that runs: what is left at the end is a small part then.
const WAVES: u64 = 4;
/// What is laid out begins at multiples of it.
pub const ALIGN: u64 = 256;

impl Kernel {
    pub fn new(device: &Device, code: KernelCode) -> Kernel {
        let mut kernel = Kernel {
            device: device.clone(),
            code,
            places: Vec::new(),
            scratch_bytes: 0,
            loaded: Mutex::default(),
        };
        let arrays = kernel.code.scratch.iter().map(|&bytes| bytes.max(0) as u64);
        let teams = kernel.code.phases.iter().map(|p| p.blocks.scratch_bytes(kernel.blocks(p) as i64));
        let teams = teams.max().unwrap_or(0).max(0) as u64;
        let mut end = 0;
        let mut place = |bytes: u64| {
            let at = end;
            end = (end + bytes).next_multiple_of(ALIGN);
            at
        };
        let mut places: Vec<u64> = arrays.map(&mut place).collect();
        if teams > 0 {
            places.push(place(teams));
        }
        kernel.places = places;
        kernel.scratch_bytes = end;
        kernel
    }

    /// Blocks of a launch: each team of warps goes on until all tasks are done.
    fn blocks(&self, phase: &Phase) -> u32 {
        let (of, blocks) = (self.device.properties(), &phase.blocks);
        let resident = (of.threads / blocks.threads().max(1)).max(1) as u64;
        // Each team has scratch of its own, of which there should not be much.
        let waves = if blocks.scratch > 0 { 1 } else { WAVES };
        let most = of.multiprocessors as u64 * resident * waves;
        (blocks.grid(phase.tasks).max(1) as u64).min(most).min(i32::MAX as u64) as u32
    }

    /// Submits all phases; `words` has the flag and the arrays that are passed.
    ///
    /// # Errors
    /// The driver does not take its code, or those of launching.
    pub fn launch(&self, stream: Stream, words: &mut Vec<u64>, scratch: Address) -> Result<(), Error> {
        words.extend(self.places.iter().map(|at| scratch + at));
        let functions = self.functions()?;
        for (phase, &function) in self.code.phases.iter().zip(&*functions).filter(|(p, _)| p.tasks > 0) {
            let takes = phase.blocks.words as usize;
            if words.len() != takes {
                let (name, passed) = (&self.code.name, words.len());
                return Err(Error::Program(format!("{name} takes {takes} words, {passed} are passed")));
            }
            let (blocks, threads) = (self.blocks(phase), phase.blocks.threads());
            let (kernel, shared) = (&self.code.name, phase.blocks.asked() as u32);
            let launch = Launch { kernel, function, blocks, threads, shared, words };
            self.device.driver().launch(stream, &launch)?;
        }
        Ok(())
    }

    fn functions(&self) -> Result<Arc<[Function]>, Error> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, functions)) = &*loaded {
            return Ok(functions.clone());
        }
        let driver = self.device.driver();
        let module = driver.load(&self.code.name, &self.code.ptx)?;
        let found =
            self.code.phases.iter().map(|p| driver.function(module, &p.entry, p.blocks.asked() as u32));
        match found.collect::<Result<Arc<[Function]>, Error>>() {
            Ok(functions) => {
                *loaded = Some((module, functions.clone()));
                Ok(functions)
            }
            Err(e) => {
                driver.unload(module);
                Err(e)
            }
        }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        let loaded = self.loaded.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((module, _)) = loaded
            && self.device.wait().is_ok()
        {
            self.device.driver().unload(module);
        }
    }
}
