//! What plans need to know of a machine: vector width, caches, bandwidths. Values, no probing.

/// A device, as the cost model sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    pub name: String,
    /// Bytes of a vector register.
    pub vector_bytes: u32,
    /// Vector registers.
    pub registers: u32,
    /// Bytes of one core's first and second level caches, and of the last level.
    pub l1: i64,
    pub l2: i64,
    pub llc: i64,
    /// Memory bandwidth of one thread and of all, in GB/s (each array counted once).
    pub bandwidth_1t: f64,
    pub bandwidth: f64,
    /// Bandwidth where the working set is in the last-level cache, all threads, in GB/s.
    pub llc_bandwidth: f64,
    /// f32 operations of one thread per second, fused multiply-adds counted once, in G.
    pub gops: f64,
    /// Cost of one launch, in µs.
    pub launch_us: f64,
}

impl Target {
    /// AVX-512 on AMD Zen 4: the pinned target of tests.
    pub fn zen4() -> Target {
        Target {
            name: "zen4".into(),
            vector_bytes: 64,
            registers: 32,
            l1: 32 << 10,
            l2: 1 << 20,
            llc: 32 << 20,
            bandwidth_1t: 47.0,
            bandwidth: 53.0,
            llc_bandwidth: 179.0,
            gops: 59.0,
            launch_us: 1.5,
        }
    }

    /// AVX2 and FMA: the least Lawson runs on.
    pub fn haswell() -> Target {
        Target {
            name: "haswell".into(),
            vector_bytes: 32,
            registers: 16,
            l2: 256 << 10,
            llc: 8 << 20,
            ..Target::zen4()
        }
    }

    /// 128-bit NEON.
    pub fn neon() -> Target {
        Target { name: "neon".into(), vector_bytes: 16, registers: 32, ..Target::zen4() }
    }

    /// Lanes of the loops: as many as a vector of f32 holds.
    pub fn lanes(&self) -> u32 {
        self.vector_bytes / 4
    }
}
