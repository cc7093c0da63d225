//! What a routine costs: its work is that of a library, which is not divided within a matrix.

use super::figures::Figures;
use crate::target::Target;
use lawson_hlo::ArrayShape;
use lawson_hlo::library::{Call, GROUP, Routine};

/// Work of an operation, in hundredths, by the reference algorithm and by blocks: measured on matrices of 16 to 1000 rows.
const REFERENCE: i64 = 2000;
const BLOCKED: i64 = 600;
/// That of an operation of a transform by the reference algorithm: measured on rows of 256 to 2^20. By a library it is a rate.
const FFT_REFERENCE: i64 = 20_000;

/// Work of one launch; `exact` asks for the bits of the reference algorithm.
pub fn library(call: &Call, exact: bool, target: &Target) -> Figures {
    let bytes = |arrays: Vec<ArrayShape>| arrays.iter().fold(0i64, |n, a| n.saturating_add(a.bytes()));
    let flops = call.flops().saturating_mul(call.batch);
    let wide = if call.dtype.part().is_f64() { target.rates.wide } else { 1 };
    let weight = match call.routine {
        Routine::Fft { .. } if exact => FFT_REFERENCE,
        Routine::Fft { .. } => target.rates.transform,
        Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Linalg(_)
            if exact || call.is_small() =>
        {
            REFERENCE
        }
        Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Linalg(_) => BLOCKED,
    };
    let work = (flops as i128 * wide as i128 * weight as i128 / 100).min(i64::MAX as i128) as i64;
    // The columns of a matrix are divided over the threads.
    let groups = match call.routine {
        Routine::Fft { columns: true, .. } => (call.columns.max(0) as usize).div_ceil(GROUP) as i64,
        _ => 1,
    };
    Figures {
        bytes_read: bytes(call.operands()),
        bytes_written: bytes(call.results()),
        flops,
        work,
        points: call.batch,
        tasks: call.batch.saturating_mul(groups),
        ..Figures::default()
    }
}
