//! What this machine can do, measured with Lawson's own code: rates of operations, bandwidths of each level, and what
//! handing out work costs. The result is a description that `--target` reads.

mod memory;
mod operations;
mod probe;

use crate::error::Error;
use lawson_cpu::ThreadPool;
use lawson_kernel::target::Target;
use std::time::Instant;

/// This machine, whose caches `target` has already, on so many threads. `say` hears what is being done.
pub fn calibrate(mut target: Target, threads: usize, say: &dyn Fn(&'static str)) -> Result<Target, Error> {
    target.name = "calibrated".into();
    say("measuring operations");
    let mut kernels = operations::prepare(&target)?;
    kernels.turns()?;
    say("measuring bandwidths");
    memory::measure(&mut target, threads)?;
    // What disturbed the first turns may be over.
    say("measuring operations again");
    kernels.turns()?;
    operations::weigh(&mut target, &kernels.least);
    say("measuring launches");
    target.launch_us = rounded(launch_us(threads)).max(0.1);
    Ok(target)
}

fn rounded(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// The time to hand out tasks that do nothing, and to wait for them, in µs.
fn launch_us(threads: usize) -> f64 {
    const LAUNCHES: usize = 200;
    let pool = ThreadPool::new(threads);
    let mut session = pool.session();
    let mut us: Vec<f64> = Vec::with_capacity(LAUNCHES);
    for _ in 0..LAUNCHES {
        let start = Instant::now();
        session.run(4 * threads as i64, &|tasks, _| {
            std::hint::black_box(tasks);
        });
        us.push(start.elapsed().as_secs_f64() * 1e6);
    }
    us.sort_by(f64::total_cmp);
    us[LAUNCHES / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handing_out_work_takes_time() {
        assert!(launch_us(2) > 0.0);
    }
}
