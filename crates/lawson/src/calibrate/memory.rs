//! How fast each level of memory is, and from how many bytes on the last-level cache no longer holds them: a virtual machine has
//! often a part of the cache that its processor names.

use super::probe::{Group, Probe, few_us};
use super::rounded;
use crate::error::Error;
use lawson_kernel::target::Target;

/// Bytes beyond which no cache is looked for, and those that memory is measured with at least and at most.
const MOST_CACHED: i64 = 512 << 20;
const LEAST_FAR: i64 = 128 << 20;
const MOST_FAR: i64 = 1 << 30;
/// Writing is known to take between a tenth and ten times the time of reading.
const WRITING: [f64; 2] = [0.1, 10.0];

/// Fills in bandwidths, and as last-level cache what acts as one.
pub fn measure(target: &mut Target, threads: usize) -> Result<(), Error> {
    let near = target.l2 / 2;
    // More than the second-level caches hold, and where that can be no more than half of the last level.
    let seconds = target.l2 * threads as i64;
    let cached = (4 * seconds).min((target.llc / 2).max(2 * seconds));
    let probes = vec![
        read(near, 1)?,
        copy(near, 1)?,
        read(cached, threads)?,
        copy(cached, threads)?,
        read(cached, 1)?,
    ];
    let mut group = Group::new(probes);
    group.turns()?;
    let us = &group.least;
    let (reading, writing) = rates(near, us[0], us[1]);
    (target.l2_bandwidth, target.l2_writing) = (rounded(reading), rounded(writing));
    let (reading, writing) = rates(cached, us[2], us[3]);
    (target.llc_bandwidth, target.llc_writing) = (rounded(reading), rounded(writing));
    target.llc_bandwidth_1t = rounded(rates(cached, us[4], us[4]).0);

    // The cache ends where reading a byte takes longer than the geometric mean of what it takes from the cache and from memory.
    let sizes: Vec<i64> = std::iter::successors(Some(2 * cached), |bytes| Some(2 * bytes))
        .take_while(|&bytes| bytes <= target.llc.min(MOST_CACHED))
        .collect();
    let far = (4 * target.llc).clamp(LEAST_FAR, MOST_FAR);
    // One thread is disturbed less.
    let of = |bytes: i64| Ok::<f64, Error>(few_us(&read(bytes, 1)?)? / bytes as f64);
    let slow = of(far)?;
    let fast = us[4] / cached as f64;
    let (mut held, mut slower) = (cached, 0);
    for bytes in sizes {
        match of(bytes)? > (slow * fast).sqrt() {
            true => slower += 1,
            false => (held, slower) = (bytes, 0),
        }
        // One that is slow, and not the next, was disturbed.
        if slower == 2 {
            break;
        }
    }
    // It ends between the last that was fast and the next.
    target.llc = target.llc.min(held / 2 * 3);

    let far = (4 * target.llc).clamp(LEAST_FAR, MOST_FAR);
    let of = |threads: usize| Ok::<_, Error>((few_us(&read(far, threads)?)?, few_us(&copy(far, threads)?)?));
    let all = of(threads)?;
    let one = if threads > 1 { of(1)? } else { all };
    let (reading, writing) = rates(far, all.0, all.1);
    (target.bandwidth, target.writing) = (rounded(reading), rounded(writing));
    target.bandwidth_1t = rounded(rates(far, one.0, one.1).0);
    Ok(())
}

/// GB/s of reading, and how many times as long writing takes, by the times of reading so many bytes and of copying half of them.
fn rates(bytes: i64, read_us: f64, copy_us: f64) -> (f64, f64) {
    let writing = (copy_us - read_us / 2.0) / (read_us / 2.0);
    (bytes as f64 / read_us / 1e3, writing.clamp(WRITING[0], WRITING[1]))
}

/// Sums so many bytes.
fn read(bytes: i64, threads: usize) -> Result<Probe, Error> {
    let elements = bytes / 4;
    let text = format!(
        "HloModule calibrate\nsum {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}}\n\
         ENTRY e {{\n  p = f32[{elements}] parameter(0)\n  z = f32[] constant(0)\n  \
         ROOT r = f32[] reduce(p, z), dimensions={{0}}, to_apply=sum\n}}\n"
    );
    Probe::new(text, threads)
}

/// Reads and writes half as many bytes each.
fn copy(bytes: i64, threads: usize) -> Result<Probe, Error> {
    let elements = bytes / 8;
    let text = format!(
        "HloModule calibrate\nENTRY e {{\n  p = f32[{elements}] parameter(0)\n  ROOT r = f32[{elements}] negate(p)\n}}\n"
    );
    Probe::new(text, threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_reading_and_copying_give_both_rates() {
        // A million bytes are read in 10 µs; half of them, and writing as many, in 20.
        let (reading, writing) = rates(1_000_000, 10.0, 20.0);
        assert!((reading - 100.0).abs() < 1e-9 && (writing - 3.0).abs() < 1e-9, "{reading} {writing}");
        assert_eq!(rates(1_000_000, 10.0, 1.0).1, WRITING[0], "disturbed");
    }

    #[test]
    fn reading_and_copying_run() {
        for probe in [read(1 << 16, 2), copy(1 << 16, 2)] {
            assert!(few_us(&probe.expect("it compiles")).expect("it runs") > 0.0);
        }
    }
}
