//! What plans need to know of a machine: vectors, caches, bandwidths, rates. Values, no probing.
//!
//! A graphics processor is described beside the processors: plans for it are made, priced and printed anywhere. A task of a
//! plan is done by a warp there, and a vector is spread over its threads. Several warps are a block, whose shared memory is divided
//! among them: there rows rest. All warps of a block may share a task.

use crate::rates::Rates;
use lawson_hlo::DType;
use std::borrow::Cow;

/// A device, as the cost model sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    pub name: String,
    /// Bytes of a vector register; of a warp, whose every lane has four.
    pub vector_bytes: u32,
    /// Whether vectors of 512 bits multiply integers of 52 bits (AVX-512 IFMA).
    pub ifma: bool,
    /// Whether vectors multiply bytes and add four products to each lane (AVX-512 VNNI).
    pub byte_dots: bool,
    /// Whether vectors multiply pairs of BF16 and add both products to each lane (AVX-512 BF16), in the time of one product of
    /// f32: on Zen 4, while Intel's processors take four times as long.
    pub bf16_dots: bool,
    /// Whether it has registers of tiles of matrices of bytes and of BF16, which are multiplied (Intel AMX).
    pub tiles: bool,
    /// Whether the machine takes a vector for two halves (Zen 4): loops that wait for memory move more of them by halves.
    pub half_vectors: bool,
    /// Vector registers; of a thread on a graphics processor.
    pub registers: u32,
    /// Bytes of one core's first and second level caches, and of the last level.
    pub l1: i64,
    pub l2: i64,
    pub llc: i64,
    /// Memory bandwidth of one thread and of all, in GB/s (each array counted once).
    pub bandwidth_1t: f64,
    pub bandwidth: f64,
    /// Bandwidth of one thread where the working set is in its second-level cache, in GB/s.
    pub l2_bandwidth: f64,
    /// Bandwidth where the working set is in the last-level cache, of one thread and of all, in GB/s.
    pub llc_bandwidth_1t: f64,
    pub llc_bandwidth: f64,
    /// How many times as long as reading it writing a byte takes: of memory, of the second-level cache, of the last level.
    pub writing: f64,
    pub l2_writing: f64,
    pub llc_writing: f64,
    /// f32 operations of one thread per second, fused multiply-adds counted once, in G; of a whole graphics processor.
    pub gops: f64,
    /// What operations weigh.
    pub rates: Rates,
    /// Operations that the code of one kernel may have: beyond, it no longer stays in the instruction cache.
    pub code: i64,
    /// Rows of a product's task, which share a packed operand: enough of them that packing is a small part of the work, and
    /// few enough that other operations may wait in the cache for their rows.
    pub product_rows: i64,
    /// Cost of one launch, in µs.
    pub launch_us: f64,
    /// `None` for a processor.
    pub gpu: Option<Gpu>,
}

/// What a graphics processor has beside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gpu {
    /// Multiprocessors.
    pub sms: i64,
    /// Most threads that a multiprocessor holds.
    pub sm_threads: i64,
    /// 32-bit registers of a multiprocessor.
    pub sm_registers: i64,
    /// Shared memory of a multiprocessor and of one block, in bytes.
    pub sm_shared: i64,
    pub block_shared: i64,
    /// Warps that may share a task: those of a block.
    pub team: u32,
    /// Whether warps multiply matrices of floats of 16 bits, of TF32 and of bytes.
    pub matrix_units: bool,
}

/// Operations of one task: about 5 µs of vector work, many times what handing it out takes.
const CPU_TASK: i64 = 1 << 18;
/// 32 for each thread of a warp.
const GPU_TASK: i64 = 1 << 10;
/// Warps that a multiprocessor executes at the same time: one for each of its schedulers.
const SCHEDULERS: i64 = 4;
/// Tasks of one kernel that keep a processor busy.
const CPU_TASKS: i64 = 8;
/// Tasks of less work than usual, that keep its cores busy to the end.
const SOME_TASKS: i64 = 32;
const LEAST_TASKS: i64 = 4;
/// From this share of its threads on a multiprocessor hides the latency of memory and units, as each thread has several
/// operations under way.
const ENOUGH: f64 = 0.25;
/// Registers of a thread for its task: the number and the count of tasks, where it is in them, and the addresses of two
/// arrays, each of 64 bits, as NVIDIA's assembler allocates them for kernels of one element.
const TASK_REGISTERS: i64 = 12;
/// Registers are handed out in such pieces.
const REGISTERS: i64 = 8;
/// Shared memory that each block takes for itself.
const RESERVED: i64 = 1 << 10;

/// Threads of a warp.
pub const WARP: i64 = 32;
/// Warps of a block: enough to hide latencies, few enough for each thread to have all registers.
const BLOCK_WARPS: i64 = 8;
/// Bytes of shared memory that a block has without asking for more.
pub const BLOCK_SHARED: i64 = 48 << 10;

/// Bytes that a launch may ask for, on every processor with matrix units.
pub const ASKED_SHARED: i64 = 96 << 10;

/// Warps of a block, on a graphics processor, whose tasks have so many bytes of arrays each; `None` where shared memory has
/// no room for those of one.
pub fn block_warps(bytes: i64) -> Option<i64> {
    match bytes {
        ..=0 => Some(BLOCK_WARPS),
        _ => Some(BLOCK_WARPS.min(BLOCK_SHARED / bytes)).filter(|&warps| warps > 0),
    }
}

/// Bytes of a cache line, on every machine that is described here.
pub const LINE: i64 = 64;

impl Target {
    /// AVX-512 on AMD Zen 4: the pinned target of tests.
    pub fn zen4() -> Target {
        Target {
            name: "zen4".into(),
            vector_bytes: 64,
            ifma: true,
            byte_dots: true,
            bf16_dots: true,
            tiles: false,
            half_vectors: true,
            registers: 32,
            l1: 32 << 10,
            l2: 1 << 20,
            llc: 32 << 20,
            bandwidth_1t: 47.0,
            bandwidth: 53.0,
            l2_bandwidth: 180.0,
            llc_bandwidth_1t: 158.7,
            llc_bandwidth: 179.0,
            writing: 1.0,
            l2_writing: 1.0,
            llc_writing: 1.0,
            gops: 59.0,
            rates: Rates::CPU,
            code: 8192,
            product_rows: 128,
            launch_us: 1.5,
            gpu: None,
        }
    }

    /// Intel's processors with AMX, since Sapphire Rapids.
    pub fn sapphire_rapids() -> Target {
        Target {
            name: "sapphire-rapids".into(),
            bf16_dots: false,
            tiles: true,
            half_vectors: false,
            l1: 48 << 10,
            l2: 2 << 20,
            ..Target::zen4()
        }
    }

    /// AVX2 and FMA: the least Lawson runs on.
    pub fn haswell() -> Target {
        Target {
            name: "haswell".into(),
            vector_bytes: 32,
            ifma: false,
            byte_dots: false,
            bf16_dots: false,
            tiles: false,
            half_vectors: false,
            registers: 16,
            l2: 256 << 10,
            llc: 8 << 20,
            rates: Rates { rotate: 3, ..Rates::CPU },
            ..Target::zen4()
        }
    }

    /// 128-bit NEON.
    pub fn neon() -> Target {
        Target {
            name: "neon".into(),
            vector_bytes: 16,
            ifma: false,
            byte_dots: false,
            bf16_dots: false,
            tiles: false,
            half_vectors: false,
            registers: 32,
            rates: Rates { rotate: 2, ..Rates::CPU },
            ..Target::zen4()
        }
    }

    /// The multiprocessors of NVIDIA H100.
    pub const H100: Gpu = Gpu {
        sms: 132,
        sm_threads: 2048,
        sm_registers: 65536,
        sm_shared: 228 << 10,
        block_shared: 227 << 10,
        team: BLOCK_WARPS as u32,
        matrix_units: true,
    };

    /// NVIDIA H100 with HBM3.
    pub fn h100() -> Target {
        Target {
            name: "h100".into(),
            vector_bytes: 128,
            ifma: false,
            byte_dots: false,
            bf16_dots: false,
            tiles: false,
            half_vectors: false,
            registers: 255,
            l1: 227 << 10,
            l2: 227 << 10,
            llc: 50 << 20,
            bandwidth_1t: 3000.0,
            bandwidth: 3000.0,
            l2_bandwidth: 5500.0,
            llc_bandwidth_1t: 5500.0,
            llc_bandwidth: 5500.0,
            writing: 1.0,
            l2_writing: 1.0,
            llc_writing: 1.0,
            gops: 33_000.0,
            rates: Rates::GPU,
            code: 8192,
            product_rows: 128,
            launch_us: 4.0,
            gpu: Some(Target::H100),
        }
    }

    /// NVIDIA A100 with 80 GB.
    pub fn a100() -> Target {
        let gpu = Gpu { sms: 108, sm_shared: 164 << 10, block_shared: 163 << 10, ..Target::H100 };
        Target {
            name: "a100".into(),
            l1: 163 << 10,
            l2: 163 << 10,
            llc: 40 << 20,
            bandwidth_1t: 1800.0,
            bandwidth: 1800.0,
            l2_bandwidth: 4000.0,
            llc_bandwidth_1t: 4000.0,
            llc_bandwidth: 4000.0,
            gops: 9700.0,
            gpu: Some(gpu),
            ..Target::h100()
        }
    }

    /// NVIDIA RTX 4060: little memory bandwidth, a large cache, f64 at a 64th of the rate.
    pub fn rtx4060() -> Target {
        let gpu =
            Gpu { sms: 24, sm_threads: 1536, sm_shared: 100 << 10, block_shared: 99 << 10, ..Target::H100 };
        Target {
            name: "rtx4060".into(),
            l1: 99 << 10,
            l2: 99 << 10,
            llc: 24 << 20,
            bandwidth_1t: 250.0,
            bandwidth: 250.0,
            l2_bandwidth: 1000.0,
            llc_bandwidth_1t: 1000.0,
            llc_bandwidth: 1000.0,
            gops: 7500.0,
            rates: Rates { wide: 64, ..Rates::GPU },
            gpu: Some(gpu),
            ..Target::h100()
        }
    }

    /// The generation of NVIDIA's processors before [`Target::a100`], with the figures of a small one.
    pub fn turing() -> Target {
        let gpu = Gpu {
            sms: 40,
            sm_threads: 1024,
            sm_shared: 64 << 10,
            block_shared: 64 << 10,
            matrix_units: false,
            ..Target::H100
        };
        Target {
            name: "turing".into(),
            l1: 64 << 10,
            l2: 64 << 10,
            llc: 4 << 20,
            gpu: Some(gpu),
            ..Target::rtx4060()
        }
    }

    /// `cpu` or `gpu`.
    pub fn kind(&self) -> &'static str {
        if self.gpu.is_some() { "gpu" } else { "cpu" }
    }

    /// Lanes of the loops: as many as a vector of f32 holds.
    pub fn lanes(&self) -> u32 {
        self.vector_bytes / 4
    }

    /// The machine as plans of loops over these types see it. Numbers of several words are computed in words of 64 bits with
    /// carries, one by one, or in as many lanes as multiply 52 bits; threads of a graphics processor have one each anyway.
    pub fn for_types(&self, types: &[DType]) -> Cow<'_, Target> {
        if self.gpu.is_some() || types.iter().all(|d| d.wide_field().is_none()) {
            return Cow::Borrowed(self);
        }
        let lanes = if self.ifma { 8 } else { 1 };
        Cow::Owned(Target { vector_bytes: 4 * lanes, ..self.clone() })
    }

    /// The same machine with vectors over the threads of so many warps.
    pub(crate) fn of_warps(&self, warps: u32) -> Target {
        Target { vector_bytes: self.vector_bytes * warps, ..self.clone() }
    }

    /// Warps that share a task where several do: those of a block.
    pub(crate) fn team(&self) -> u32 {
        self.gpu.map_or(1, |g| g.team)
    }

    /// The same machine where each warp has tasks of its own.
    pub(crate) fn without_teams(&self) -> Target {
        Target { gpu: self.gpu.map(|g| Gpu { team: 1, ..g }), ..self.clone() }
    }

    /// The work of one task, which one core or one warp does.
    pub fn task(&self) -> i64 {
        if self.gpu.is_some() { GPU_TASK } else { CPU_TASK }
    }

    /// The work of one task of a kernel that has so much. On a processor little work is not divided, of some each core gets a part
    /// soon, and much is handed out in pieces that take far longer than handing them out.
    pub fn task_of(&self, work: i64) -> i64 {
        match self.gpu {
            Some(_) => self.task(),
            None if work < self.undivided() => work.max(1),
            None => (work / SOME_TASKS).clamp(self.least_task(), self.task()),
        }
    }

    /// Less work than this is one task of a processor, which the calling thread runs and wakes no others.
    pub(crate) fn undivided(&self) -> i64 {
        self.task() / 2
    }

    /// The least work that is worth handing out.
    pub(crate) fn least_task(&self) -> i64 {
        self.task() / 8
    }

    /// Tasks that a kernel is divided into where more would copy or compute too much again.
    pub fn least_tasks(&self) -> i64 {
        self.gpu.map_or(LEAST_TASKS, |g| g.sms * SCHEDULERS)
    }

    /// Tasks that keep the device busy: of a graphics processor a block of warps for each multiprocessor.
    pub fn tasks(&self) -> i64 {
        self.gpu.map_or(CPU_TASKS, |g| g.sms * BLOCK_WARPS)
    }

    /// Bytes that stages may keep for each other in a task: half of the second-level cache, or the shared memory of a block,
    /// which has one warp then.
    pub fn tile_bytes(&self) -> i64 {
        self.gpu.map_or(self.l2 / 2, |g| g.block_shared.min(BLOCK_SHARED))
    }

    /// Bytes of shared memory that a block may ask for if each multiprocessor is to hold two.
    pub fn asked_shared(&self) -> i64 {
        self.gpu.map_or(0, |g| ASKED_SHARED.min(g.block_shared).min(g.sm_shared / 2 - RESERVED))
    }

    /// Vectors that one core computes together at most, to hide latencies; warps do that by themselves.
    pub fn in_flight(&self) -> i64 {
        if self.gpu.is_some() { 1 } else { 4 }
    }

    /// Accesses that a value costs which is put aside for want of registers: near, or in memory of the thread.
    pub fn spill(&self) -> i64 {
        if self.gpu.is_some() { 8 } else { 2 }
    }

    /// Registers of a thread, on a graphics processor, that holds so many live values.
    pub fn thread_registers(&self, live: i64) -> Option<i64> {
        self.gpu?;
        Some((live + TASK_REGISTERS).min(self.registers as i64))
    }

    /// The share of its threads that each multiprocessor holds of a kernel with so many live values and so many bytes
    /// of shared memory in each task; `None` for a processor.
    pub fn occupancy(&self, live: i64, shared: i64) -> Option<f64> {
        let gpu = self.gpu?;
        let registers = self.thread_registers(live)?;
        let registers = (registers + REGISTERS - 1) / REGISTERS * REGISTERS;
        // What has no room there is in device memory.
        let (warps, shared) = block_warps(shared).map_or((BLOCK_WARPS, 0), |warps| (warps, warps * shared));
        let threads = warps * WARP;
        let by_registers = gpu.sm_registers / (registers * threads).max(1);
        let by_shared = if shared > 0 { gpu.sm_shared / (shared + RESERVED) } else { i64::MAX };
        let blocks = (gpu.sm_threads / threads).min(by_registers).min(by_shared).max(1);
        Some((blocks * threads) as f64 / gpu.sm_threads as f64)
    }

    /// The share of full speed that a kernel of this occupancy reaches, whose threads have so many points to compute.
    pub fn speed(&self, live: i64, shared: i64, points: i64) -> f64 {
        let (Some(gpu), Some(occupancy)) = (self.gpu, self.occupancy(live, shared)) else { return 1.0 };
        let filled = points as f64 / (gpu.sms * gpu.sm_threads) as f64;
        (occupancy.min(filled) / ENOUGH).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_several_words_have_lanes_where_they_are_multiplied_in_lanes() {
        let of = |target: Target, dtype| target.for_types(&[DType::Pred, dtype]).lanes();
        assert_eq!(of(Target::zen4(), DType::BabyBear), 16);
        assert_eq!(of(Target::zen4(), DType::Bn254SfMont), 8);
        assert_eq!(of(Target { ifma: false, ..Target::zen4() }, DType::Bn254Sf), 1);
        assert_eq!((of(Target::haswell(), DType::Bn254Sf), of(Target::neon(), DType::Bn254Sf)), (1, 1));
        assert_eq!(of(Target::h100(), DType::Bn254Sf), Target::h100().lanes());
    }

    #[test]
    fn occupancy_falls_with_registers_and_shared_memory() {
        let h100 = Target::h100();
        assert_eq!(h100.occupancy(8, 0), Some(1.0));
        assert_eq!(h100.occupancy(42, 0), Some(0.5), "56 registers: 4 blocks of 8");
        assert_eq!(h100.occupancy(400, 0), Some(0.125), "255 registers: 1 block");
        assert_eq!(h100.occupancy(8, 6 << 10), Some(0.5), "4 blocks of 8 warps in 49 KiB");
        assert_eq!(h100.occupancy(8, 40 << 10), Some(5.0 / 64.0), "5 blocks of a warp in 41 KiB");
        assert_eq!(h100.occupancy(8, 100 << 10), Some(1.0), "in device memory");
        assert_eq!(h100.speed(400, 0, i64::MAX), 0.5);
        assert_eq!(h100.speed(8, 0, 132 * 128), 0.25, "a 16th of all threads");
        assert_eq!(Target::zen4().occupancy(400, 1 << 20), None);
        assert_eq!(Target::zen4().speed(400, 1 << 20, 1), 1.0);
    }
}
