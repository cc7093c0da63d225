//! How long things take: the one model that fusion decides by and that reports quote.
//!
//! A kernel takes the longer of moving its bytes and doing its operations, plus a launch. Bytes move at the rate of the
//! cache level that holds the working set; operations have their weights from [`crate::rates`], values that do not fit
//! in registers are work too, and a graphics processor that holds few threads of a kernel is slower. All figures come
//! from the [`Target`]; nothing is measured here.

pub mod figures;
mod library;
mod pressure;

pub use library::library;

use crate::target::Target;
use figures::Waits;

/// Time until loads of a graphics processor have an answer while it is busy: of memory, measured on an H200 with kernels whose threads
/// load one word at a time, and of its cache.
const MEMORY_ANSWERS_US: f64 = 0.6;
const CACHE_ANSWERS_US: f64 = 0.3;

/// The share of the shorter of moving and computing that a processor does not do beside the longer: lines come late where a row
/// begins, and stages of a kernel do the one or the other. Fitted to the kernels of the benchmark.
const EXPOSED: f64 = 0.3;

/// Of the size of a cache, the bytes moved in turn of which none is found there again; of one size less all are. Measured by copies.
const LOST_AT: f64 = 1.75;

/// Bytes, operations and needs of one kernel.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    pub bytes_read: i64,
    pub bytes_written: i64,
    /// What lines of a processor's caches bring beside `bytes_read`: part of the times that are predicted, and not of those that
    /// passes compare.
    pub bytes_beside: i64,
    /// Arithmetic operations: more of them together than apart means that something is computed again.
    pub flops: i64,
    /// Operations on elements, weighed by [`crate::rates`].
    pub work: f64,
    /// The part of `work` that is spilling: storing and reloading values for which there are no registers.
    pub spills: f64,
    /// The part of `work` that a processor does while other units of a core do the rest: known to the times that are predicted, and not
    /// to those that passes compare, as the next.
    pub at_once: f64,
    /// Lines of a processor's memory come in another order than that in which they lie.
    pub out_of_line: bool,
    /// Registers needed at once, in vectors.
    pub live: i64,
    /// Bytes that stages keep for each other in a task.
    pub shared: i64,
    /// Points that can be computed side by side; 0 where it is not known.
    pub points: i64,
    /// Tasks that the work can be divided into at most; 0 where it can be divided at will.
    pub tasks: i64,
    /// How often threads of a graphics processor wait for memory; none where it is not known.
    pub waits: Waits,
}

/// Bytes that a launch moves from or to one array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    pub bytes: i64,
    pub is_written: bool,
    /// Bytes that are moved from one use of the array to the next, which decide from which cache level it comes.
    pub reach: i64,
}

impl Cost {
    pub fn bytes(&self) -> i64 {
        self.bytes_read + self.bytes_written
    }

    /// The same on a machine with enough registers.
    pub fn unspilled(&self) -> Cost {
        Cost { work: self.work - self.spills, spills: 0.0, live: 0, ..*self }
    }

    /// Time of one launch, in µs.
    pub fn us(&self, target: &Target) -> f64 {
        self.us_among(self.bytes(), target)
    }

    /// Time of one launch, in µs, when `working_set` bytes are in use: they decide which cache level the bytes come from.
    /// To compare two ways to compute the same thing, give both the same working set. Otherwise several small kernels
    /// would each seem to run from a cache that holds only the data of one of them.
    ///
    /// The time is that on one thread, for bytes and for work alike, so that the ratio of the two is right.
    pub fn us_among(&self, working_set: i64, target: &Target) -> f64 {
        let moving = bytes_us(self.bytes(), working_set, target);
        let working = work_us(self.work, target);
        launch_us(self.work, target) + moving.max(working) / self.speed(target)
    }

    /// Time of one launch on so many threads, in µs, if nothing else runs between two of them.
    pub fn us_on(&self, threads: usize, target: &Target) -> f64 {
        self.us_moving(&self.alone(), threads, target)
    }

    /// Time of one launch on so many threads that moves these bytes, in µs: what reports predict.
    pub fn us_moving(&self, moved: &[Moved], threads: usize, target: &Target) -> f64 {
        let moving = self.memory_us(moved, threads, target);
        let working = self.work_us(threads, target);
        let exposed = match target.gpu {
            Some(_) => 0.0,
            None if self.out_of_line => 1.0,
            None => EXPOSED,
        };
        launch_us(self.work, target) + moving.max(working) + moving.min(working) * exposed
    }

    /// Its bytes where nothing else is moved between two launches.
    pub fn alone(&self) -> [Moved; 2] {
        let reach = self.bytes();
        [(self.bytes_read, false), (self.bytes_written, true)].map(|(bytes, is_written)| Moved {
            bytes,
            is_written,
            reach,
        })
    }

    /// Time to move these bytes in one launch on so many threads, in µs.
    pub fn memory_us(&self, moved: &[Moved], threads: usize, target: &Target) -> f64 {
        let threads = self.threads_of(threads, target);
        let us = |m: &Moved| {
            let of_level =
                |(rate, writing): (f64, f64)| if m.is_written { writing / rate } else { 1.0 / rate };
            m.bytes as f64 / 1e3
                * levels(m.reach, threads, target).map(|(share, level)| share * of_level(level)).sum::<f64>()
        };
        let beside = 1.0 + self.bytes_beside as f64 / self.bytes_read.max(1) as f64;
        let sides = moved.iter().map(|m| us(m) * if m.is_written { 1.0 } else { beside });
        let moving = sides.sum::<f64>() / self.speed(target);
        let (waiting, joining) = self.waiting_us(target);
        moving.max(waiting) + joining
    }

    /// Time that threads of a graphics processor wait for memory, in µs: as many at a time as it holds, and while chunks are joined.
    fn waiting_us(&self, target: &Target) -> (f64, f64) {
        let (Some(gpu), Some(occupancy)) = (target.gpu, target.occupancy(self.live, self.shared)) else {
            return (0.0, 0.0);
        };
        let held = (occupancy * (gpu.sms * gpu.sm_threads) as f64).min(self.waits.threads as f64);
        let cached = self.bytes() <= target.llc;
        let answer = if cached { CACHE_ANSWERS_US } else { MEMORY_ANSWERS_US };
        let waiting = self.waits.all as f64 / held.max(1.0) * answer;
        (waiting, self.waits.joining as f64 * CACHE_ANSWERS_US)
    }

    /// Time to do the operations of one launch on so many threads, in µs.
    pub fn work_us(&self, threads: usize, target: &Target) -> f64 {
        let threads = self.threads_of(threads, target) as f64;
        (self.work - self.at_once) / (target.gops * threads) / 1e3 / self.speed(target)
    }

    /// Threads that share the work of one launch: no more than there are tasks. The figures of a graphics processor are
    /// those of the whole device, so it counts as one thread.
    fn threads_of(&self, threads: usize, target: &Target) -> usize {
        if target.gpu.is_some() {
            return 1;
        }
        let tasks = (self.work / target.task_of(self.work as i64) as f64).ceil().max(1.0) as usize;
        let tasks = if self.tasks > 0 { tasks.min(self.tasks as usize) } else { tasks };
        threads.max(1).min(tasks)
    }

    /// The share of the device's speed that the kernel can reach.
    fn speed(&self, target: &Target) -> f64 {
        let points = if self.points == 0 { i64::MAX } else { self.points };
        target.speed(self.live, self.shared, points)
    }

    /// Whether moving bytes takes longer than computing.
    pub fn is_bound_by_memory(&self, target: &Target) -> bool {
        bytes_us(self.bytes(), self.bytes(), target) >= work_us(self.work, target)
    }
}

/// The shares of so many bytes that come from the levels of memory, with the bandwidth of each. A processor's cache does not lose all
/// lines at once when more is moved than it holds: its sets fill differently, and none gives up the oldest line for certain.
fn levels(reach: i64, threads: usize, target: &Target) -> impl Iterator<Item = (f64, (f64, f64))> {
    let l2 = target.l2.saturating_mul(threads.max(1) as i64);
    let kept = |size: i64| match target.gpu {
        Some(_) => f64::from(reach <= size),
        None => (LOST_AT - reach as f64 / size.max(1) as f64).clamp(0.0, 1.0),
    };
    let near = kept(l2);
    let cached = near.max(kept(target.llc));
    let shares = [near, cached - near, 1.0 - cached];
    let sizes = [l2, target.llc, i64::MAX];
    shares
        .into_iter()
        .zip(sizes)
        .filter(|(share, _)| *share > 0.0)
        .map(move |(share, size)| (share, bandwidth(size, threads, target)))
}

/// GB/s at which so many threads read a working set of so many bytes, from the second-level caches, the last level, or memory; and
/// how many times as long writing takes.
fn bandwidth(working_set: i64, threads: usize, target: &Target) -> (f64, f64) {
    let one = threads <= 1;
    if working_set <= target.l2.saturating_mul(threads as i64) {
        (target.l2_bandwidth * threads as f64, target.l2_writing)
    } else if working_set <= target.llc {
        (if one { target.llc_bandwidth_1t } else { target.llc_bandwidth }, target.llc_writing)
    } else {
        (if one { target.bandwidth_1t } else { target.bandwidth }, target.writing)
    }
}

/// What a launch costs apart from its work, in µs. A kernel of at most one task is run by the calling thread, which
/// wakes no others, so it costs a part of a full launch. The cost grows with the work at most in proportion, so that of
/// a joint kernel is never above the sum for two.
pub fn launch_us(work: f64, target: &Target) -> f64 {
    match target.gpu {
        Some(_) => target.launch_us,
        None => target.launch_us * (work / target.task() as f64).clamp(0.125, 1.0),
    }
}

/// Time of so much work on one thread at full speed, in µs.
pub fn work_us(work: f64, target: &Target) -> f64 {
    work / target.gops / 1e3
}

/// Time to move bytes on one thread, half of them written, in µs, when `working_set` bytes are in use.
pub fn bytes_us(bytes: i64, working_set: i64, target: &Target) -> f64 {
    let (rate, writing) = bandwidth(working_set, 1, target);
    bytes as f64 / rate / 1e3 * (1.0 + writing) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::{DType, Opcode};

    #[test]
    fn large_arrays_are_bound_by_memory_and_elementary_functions_by_work() {
        let zen4 = Target::zen4();
        let copy = Cost {
            bytes_read: 64 << 20,
            bytes_written: 64 << 20,
            work: (16 << 20) as f64,
            ..Cost::default()
        };
        assert!(copy.is_bound_by_memory(&zen4));
        let tanh = Cost { work: copy.work * zen4.rates.weight(Opcode::Tanh, DType::F32) as f64, ..copy };
        assert!(!tanh.is_bound_by_memory(&zen4));
        assert!(tanh.us(&zen4) > copy.us(&zen4));
    }

    #[test]
    fn fewer_bytes_are_never_slower_among_one_working_set() {
        let zen4 = Target::zen4();
        let part = Cost { bytes_read: zen4.llc / 2, bytes_written: zen4.llc / 4, ..Cost::default() };
        let whole = Cost { bytes_read: zen4.llc, bytes_written: zen4.llc / 4, ..Cost::default() };
        let all = 2 * part.bytes();
        assert!(whole.us(&zen4) > 2.0 * part.us(&zen4), "alone, the part stays in the cache");
        assert!(whole.us_among(all, &zen4) < 2.0 * part.us_among(all, &zen4));
    }

    #[test]
    fn a_kernel_of_one_task_is_launched_for_little() {
        let zen4 = Target::zen4();
        let small = Cost::default().us(&zen4);
        assert!(small > 0.0 && small < zen4.launch_us);
        assert_eq!(launch_us(1e9, &zen4), zen4.launch_us);
    }

    #[test]
    fn what_fits_in_cache_moves_faster() {
        let zen4 = Target::zen4();
        let small = bytes_us(1 << 20, 1 << 20, &zen4);
        assert!(small * 2.0 < bytes_us(1 << 20, 1 << 30, &zen4));
    }

    #[test]
    fn each_level_moves_faster_than_the_next() {
        let zen4 = Target::zen4();
        let read = |bytes| Cost { bytes_read: bytes, work: 1e9, ..Cost::default() };
        let per_byte = |bytes: i64| read(bytes).memory_us(&read(bytes).alone(), 2, &zen4) / bytes as f64;
        assert!(per_byte(zen4.l2) * 1.5 < per_byte(8 * zen4.l2), "two second-level caches");
        assert!(per_byte(8 * zen4.l2) * 2.0 < per_byte(2 * zen4.llc));
    }

    #[test]
    fn a_cache_loses_lines_little_by_little() {
        let zen4 = Target::zen4();
        let us = |reach: i64| {
            let moved = Moved { bytes: 1 << 20, is_written: false, reach };
            Cost { bytes_read: 1 << 20, ..Cost::default() }.memory_us(&[moved], 1, &zen4)
        };
        let times = [1, 4, 5, 6, 7, 8].map(|quarters| us(zen4.l2 / 4 * quarters));
        assert_eq!(times[0], us(zen4.l2 / 4 * 3));
        assert!(times.windows(2).take(4).all(|pair| pair[0] < pair[1]), "{times:?}");
        assert_eq!(times[4], times[5]);
    }

    #[test]
    fn a_part_of_the_shorter_side_is_seen_and_all_of_it_where_lines_are_out_of_order() {
        let zen4 = Target::zen4();
        let cost = Cost { bytes_read: 1 << 20, work: 4e6, ..Cost::default() };
        let (moving, working) = (cost.memory_us(&cost.alone(), 1, &zen4), cost.work_us(1, &zen4));
        let (longer, both) = (moving.max(working), moving + working);
        let launch = launch_us(cost.work, &zen4);
        let out_of_line = Cost { out_of_line: true, ..cost };
        assert!((longer..both).contains(&(cost.us_on(1, &zen4) - launch)));
        assert!((out_of_line.us_on(1, &zen4) - launch - both).abs() < 1e-6);
        assert_eq!(cost.us(&zen4), out_of_line.us(&zen4), "passes compare the longer side");
        let at_once = Cost { at_once: 1e6, ..cost };
        assert_eq!(at_once.work_us(1, &zen4), 0.75 * working);
        assert_eq!(at_once.us(&zen4), cost.us(&zen4));
    }

    #[test]
    fn one_task_is_the_work_of_one_thread() {
        let zen4 = Target::zen4();
        let small = Cost { work: zen4.task() as f64 / 4.0, ..Cost::default() };
        let large = Cost { work: 256.0 * small.work, ..small };
        assert_eq!(small.work_us(8, &zen4), small.work_us(1, &zen4));
        assert_eq!(large.work_us(8, &zen4) * 8.0, large.work_us(1, &zen4));
    }

    #[test]
    fn threads_that_wait_for_each_word_are_slow_where_they_are_few() {
        let h100 = Target::h100();
        let waits = |all, threads| Waits { all, threads, joining: 0 };
        let step = Cost { bytes_read: 64 << 20, bytes_written: 64 << 20, live: 8, ..Cost::default() };
        // A stencil of 16 million points, as measured on an H200: 321 µs by a thousand warps.
        let few = Cost { waits: waits(16 << 20, 997 * 32), ..step };
        let many = Cost { waits: waits(4 << 20, 37_000 * 32), ..step };
        assert!((250.0..400.0).contains(&few.us_on(1, &h100)), "{}", few.us_on(1, &h100));
        assert_eq!(many.us_on(1, &h100), step.us_on(1, &h100));
        let joined = Cost { waits: Waits { joining: 100, ..many.waits }, ..many };
        assert!(joined.us_on(1, &h100) > many.us_on(1, &h100) + 20.0);
    }

    #[test]
    fn few_threads_in_flight_are_slow_on_a_graphics_processor() {
        let h100 = Target::h100();
        let lean = Cost { bytes_read: 1 << 30, live: 8, ..Cost::default() };
        let fat = Cost { live: 400, ..lean };
        assert!(fat.us(&h100) > 1.5 * lean.us(&h100));
        assert_eq!(fat.us(&Target::zen4()), lean.us(&Target::zen4()));
        assert_eq!(lean.us_on(1, &h100), lean.us_on(64, &h100));
        let narrow = Cost { points: 2048, ..lean };
        assert!(narrow.us(&h100) > 10.0 * lean.us(&h100), "2,048 threads fill one multiprocessor of 132");
    }
}
