//! What a launch did: instructions, memory traffic in sectors, bank conflicts, divergence.

/// Families of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Integer,
    Float16,
    Float32,
    Float64,
    /// `ex2.approx` and its like.
    Approximate,
    Convert,
    Move,
    Compare,
    Control,
    Global,
    Shared,
    Local,
    /// Loads of parameters and constants.
    Constant,
    /// Accesses by generic addresses.
    Generic,
    Atomic,
    Shuffle,
    Vote,
    Barrier,
    Matrix,
    Other,
}

impl Class {
    pub const COUNT: usize = Self::Other as usize + 1;

    pub const ALL: [Self; Self::COUNT] = [
        Self::Integer,
        Self::Float16,
        Self::Float32,
        Self::Float64,
        Self::Approximate,
        Self::Convert,
        Self::Move,
        Self::Compare,
        Self::Control,
        Self::Global,
        Self::Shared,
        Self::Local,
        Self::Constant,
        Self::Generic,
        Self::Atomic,
        Self::Shuffle,
        Self::Vote,
        Self::Barrier,
        Self::Matrix,
        Self::Other,
    ];
}

/// One direction of the traffic with global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Instructions of warps.
    pub accesses: u64,
    /// Bytes that the lanes asked for, repetitions included.
    pub bytes: u64,
    /// The different sectors of 32 bytes of each warp's access, added up.
    pub sectors: u64,
    /// The different sectors of each block, added up over the blocks.
    pub block_sectors: u64,
}

/// The traffic with one allocation, or with all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub read: Flow,
    /// Atomics count here and in `read`.
    pub written: Flow,
}

/// Accesses to shared memory, atomics included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Banks {
    pub loads: u64,
    pub stores: u64,
    /// The passes that the accesses take: one for 32 lanes of at most 4 bytes, 16 of 8 or 8 of 16 (of loads by pairs of lanes for twice
    /// as many), more where different words of one bank are wanted.
    pub passes: u64,
    /// Those of the passes that conflicts added.
    pub conflicts: u64,
}

/// What one launch did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub kernel: String,
    pub blocks: u64,
    /// Of one block.
    pub threads: u64,
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    /// Instructions of warps by class, see [`Counters::of`].
    pub classes: [u64; Class::COUNT],
    pub global: Traffic,
    /// By allocation, in the order of allocating, those that were touched.
    pub allocations: Vec<(String, Traffic)>,
    pub shared: Banks,
    /// Bytes of static and dynamic shared memory of a block.
    pub shared_bytes: u64,
    /// Bytes that lanes read and wrote in local memory: arrays of threads, and what did not fit into registers.
    pub local_read: u64,
    pub local_written: u64,
    /// Conditional branches, and those whose lanes went both ways.
    pub branches: u64,
    pub divergent_branches: u64,
    /// Barriers that blocks went through, and those of warps.
    pub barriers: u64,
    pub warp_barriers: u64,
    pub shuffles: u64,
    pub votes: u64,
    /// Floating-point additions, subtractions and products of warps without a rounding mode, which an assembler may contract.
    pub contractible: u64,
}

impl Counters {
    /// The instructions of warps in a class.
    pub fn of(&self, class: Class) -> u64 {
        self.classes[class as usize]
    }

    /// The traffic with the allocation of that name.
    pub fn allocation(&self, name: &str) -> Option<&Traffic> {
        self.allocations.iter().find(|(n, _)| n == name).map(|(_, t)| t)
    }
}
