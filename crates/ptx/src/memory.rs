//! Device memory: allocations far apart, each byte written or not.

use crate::program::Space;
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Range;

/// Every allocation has its own 4 GiB of addresses, so that no offset leads from one to the next.
const SLOT: u32 = 32;
const FIRST_SLOT: u64 = 0x7000;

/// Where shared and local memory are among the generic addresses.
pub const SHARED_WINDOW: u64 = 0x1000 << SLOT;
pub const LOCAL_WINDOW: u64 = 0x2000 << SLOT;
const WINDOW_BYTES: u64 = 1 << SLOT;

/// The memory of a device.
#[derive(Default)]
pub struct Memory {
    allocations: Vec<Allocation>,
    /// The allocations of the variables of modules, by the modules' numbers.
    modules: FxHashMap<u64, Vec<u64>>,
}

pub struct Allocation {
    pub name: String,
    pub data: Vec<u8>,
    /// Which bytes hold a value.
    pub written: Vec<bool>,
    pub constant: bool,
    live: bool,
}

/// What is wrong with an access from the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryError {
    OutOfBounds { pointer: u64, bytes: usize },
    Unwritten { name: String, offset: usize },
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfBounds { pointer, bytes } => {
                write!(f, "{bytes} bytes at {pointer:#x} are no part of an allocation")
            }
            Self::Unwritten { name, offset } => write!(f, "byte {offset} of {name} was never written"),
        }
    }
}

impl std::error::Error for MemoryError {}

impl Memory {
    pub fn new() -> Self {
        Self::default()
    }

    /// New memory that nothing has written yet; at most 4 GiB. The address is a multiple of 256.
    pub fn alloc(&mut self, name: &str, bytes: usize) -> u64 {
        assert!((bytes as u64) < WINDOW_BYTES, "allocations have less than 4 GiB");
        self.allocations.push(Allocation {
            name: name.into(),
            data: vec![0; bytes],
            written: vec![false; bytes],
            constant: false,
            live: true,
        });
        (FIRST_SLOT + self.allocations.len() as u64 - 1) << SLOT
    }

    /// Gives memory back: accesses are out of bounds from then on.
    pub fn free(&mut self, pointer: u64) -> Result<(), MemoryError> {
        let (allocation, range) = self.range(pointer, 0)?;
        if range.start != 0 {
            return Err(MemoryError::OutOfBounds { pointer, bytes: 0 });
        }
        let a = &mut self.allocations[allocation];
        a.live = false;
        a.data = Vec::new();
        a.written = Vec::new();
        Ok(())
    }

    pub fn write(&mut self, pointer: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (allocation, range) = self.range(pointer, bytes.len())?;
        let a = &mut self.allocations[allocation];
        a.data[range.clone()].copy_from_slice(bytes);
        a.written[range].fill(true);
        Ok(())
    }

    /// The bytes, all of which have to be written.
    pub fn read(&self, pointer: u64, bytes: usize) -> Result<&[u8], MemoryError> {
        let (allocation, range) = self.range(pointer, bytes)?;
        let a = &self.allocations[allocation];
        if let Some(at) = a.written[range.clone()].iter().position(|w| !w) {
            return Err(MemoryError::Unwritten { name: a.name.clone(), offset: range.start + at });
        }
        Ok(&a.data[range])
    }

    /// Takes the bytes for never written, as memory is that a pool hands out again.
    pub fn forget(&mut self, pointer: u64, bytes: usize) -> Result<(), MemoryError> {
        let (allocation, range) = self.range(pointer, bytes)?;
        self.allocations[allocation].written[range].fill(false);
        Ok(())
    }

    fn range(&self, pointer: u64, bytes: usize) -> Result<(usize, Range<usize>), MemoryError> {
        let found = self.locate(pointer, bytes);
        let (allocation, start) = found.ok_or(MemoryError::OutOfBounds { pointer, bytes })?;
        Ok((allocation, start..start + bytes))
    }

    /// The allocation that holds those bytes, and where in it they are.
    pub fn locate(&self, address: u64, bytes: usize) -> Option<(usize, usize)> {
        let index = (address >> SLOT).checked_sub(FIRST_SLOT)? as usize;
        let a = self.allocations.get(index).filter(|a| a.live)?;
        let start = (address & (WINDOW_BYTES - 1)) as usize;
        (start.checked_add(bytes)? <= a.data.len()).then_some((index, start))
    }

    pub fn get(&self, index: usize) -> &Allocation {
        &self.allocations[index]
    }

    pub fn get_mut(&mut self, index: usize) -> &mut Allocation {
        &mut self.allocations[index]
    }

    pub fn count(&self) -> usize {
        self.allocations.len()
    }

    /// For messages: the allocation whose addresses those are.
    pub fn describe_near(&self, address: u64) -> String {
        let index = (address >> SLOT).checked_sub(FIRST_SLOT).map(|i| i as usize);
        let offset = address & (WINDOW_BYTES - 1);
        match index.and_then(|i| self.allocations.get(i)) {
            Some(a) if a.live => format!(": byte {offset} of {}, which has {}", a.name, a.data.len()),
            Some(a) => format!(": {} was freed", a.name),
            None => String::new(),
        }
    }

    /// The addresses of a module's variables, if it was loaded.
    pub fn module(&self, number: u64) -> Option<&[u64]> {
        self.modules.get(&number).map(Vec::as_slice)
    }

    /// Remembers the addresses of a module's variables.
    pub fn add_module(&mut self, number: u64, addresses: Vec<u64>) {
        self.modules.insert(number, addresses);
    }
}

/// The space of a generic address, and the address within it.
pub fn from_generic(address: u64) -> (Space, u64) {
    if address.wrapping_sub(SHARED_WINDOW) < WINDOW_BYTES {
        (Space::Shared, address - SHARED_WINDOW)
    } else if address.wrapping_sub(LOCAL_WINDOW) < WINDOW_BYTES {
        (Space::Local, address - LOCAL_WINDOW)
    } else {
        (Space::Global, address)
    }
}
