//! What things cost: the one model that fusion decides by and that reports quote.
//!
//! A kernel takes the longer of moving its bytes and doing its operations, plus a launch. Work is counted in
//! f32 vector operations for each element. All figures come from the [`Target`]; nothing is measured here.

use crate::plan::TASK_WORK;
use crate::target::Target;
use lawson_hlo::{DType, Opcode};

/// Bytes and operations of one kernel.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    pub bytes_read: i64,
    pub bytes_written: i64,
    /// Operations on elements, weighed by [`operation`].
    pub work: f64,
}

impl Cost {
    pub fn bytes(&self) -> i64 {
        self.bytes_read + self.bytes_written
    }

    /// Time of one launch, in µs.
    pub fn us(&self, target: &Target) -> f64 {
        self.us_among(self.bytes(), target)
    }

    /// Time of one launch, in µs, when `working_set` bytes are in use. Two ways to compute the same compare with one
    /// working set: neither makes the caches larger.
    pub fn us_among(&self, working_set: i64, target: &Target) -> f64 {
        let moving = bytes_us(self.bytes(), working_set, target);
        launch_us(self.work, target) + moving.max(self.work / target.gops / 1e3)
    }

    /// Whether moving bytes takes longer than computing.
    pub fn is_bound_by_memory(&self, target: &Target) -> bool {
        bytes_us(self.bytes(), self.bytes(), target) >= self.work / target.gops / 1e3
    }
}

/// What a launch costs apart from its work: little where it is no more than a task, which the calling thread runs
/// itself. Joining two kernels never raises the sum.
pub fn launch_us(work: f64, target: &Target) -> f64 {
    target.launch_us * (work / TASK_WORK as f64).clamp(0.125, 1.0)
}

/// Time to move bytes, in µs, when `working_set` bytes are in use: those that fit stay in the last-level cache.
///
/// Both this and the work are those of one thread, so that their ratio is right.
pub fn bytes_us(bytes: i64, working_set: i64, target: &Target) -> f64 {
    let share = target.bandwidth_1t / target.bandwidth;
    let rate = if working_set > target.llc { target.bandwidth_1t } else { target.llc_bandwidth * share };
    bytes as f64 / rate / 1e3
}

/// The work of one element of an operation, in f32 vector operations.
pub fn operation(opcode: Opcode, dtype: DType) -> i64 {
    use Opcode::*;
    let wide = if matches!(dtype, DType::F64 | DType::S64 | DType::U64) { 2 } else { 1 };
    wide * match opcode {
        Constant | Parameter | Broadcast | Reshape | Bitcast | Copy | Slice | DynamicSlice | Reverse => 0,
        Gather => 4,
        Pad | Concatenate | DynamicUpdateSlice => 2,
        Remainder if dtype.is_float() => 200,
        Divide | Remainder if dtype.is_integer() => 40,
        Divide => 4,
        opcode if opcode.is_transcendental() => 20,
        _ => 1,
    }
}

/// Whether repeating an operation is out of the question: elementary functions, divisions, reads through indices.
pub fn is_expensive(opcode: Opcode) -> bool {
    opcode.is_transcendental() || matches!(opcode, Opcode::Divide | Opcode::Remainder | Opcode::Gather)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_arrays_are_bound_by_memory_and_elementary_functions_by_work() {
        let zen4 = Target::zen4();
        let copy = Cost { bytes_read: 64 << 20, bytes_written: 64 << 20, work: (16 << 20) as f64 };
        assert!(copy.is_bound_by_memory(&zen4));
        let tanh = Cost { work: copy.work * operation(Opcode::Tanh, DType::F32) as f64, ..copy };
        assert!(!tanh.is_bound_by_memory(&zen4));
        assert!(tanh.us(&zen4) > copy.us(&zen4));
    }

    #[test]
    fn fewer_bytes_are_never_slower_among_one_working_set() {
        let zen4 = Target::zen4();
        let part = Cost { bytes_read: zen4.llc / 2, bytes_written: zen4.llc / 4, work: 0.0 };
        let whole = Cost { bytes_read: zen4.llc, bytes_written: zen4.llc / 4, work: 0.0 };
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
}
