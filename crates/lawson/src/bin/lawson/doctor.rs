//! `lawson doctor`: the machine as Lawson sees it.

use crate::args::DoctorArgs;
use crate::progress::Spinner;
use crate::{machine, term};
use lawson::{Error, memory, options};
use std::time::Instant;

/// Larger than the caches of most machines.
const BUFFER_BYTES: usize = 256 << 20;

pub fn run(args: &DoctorArgs) -> Result<(), Error> {
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.into(), value));
    row("lawson", env!("CARGO_PKG_VERSION").into());
    row("processor", machine::cpu_name());
    row("features", machine::cpu_features().join(" "));
    row("threads", format!("{} (affinity and quota respected)", options::default_threads()));
    for cache in machine::caches() {
        row(&cache.name, format!("{} shared by processors {}", cache.size, cache.shared));
    }
    let ram = memory::total().map_or("unknown".into(), memory::human);
    row("memory", format!("{ram}, limit {} (--max-memory)", memory::human(memory::default_limit())));
    row("2 MiB pages", machine::huge_pages().unwrap_or("unknown".into()));
    row("LLVM", format!("{}, {}", machine::llvm(), machine::llvm_target()));
    row("CUDA", "not in this build".into());
    if !args.quick && memory::total().is_none_or(|t| t > 4 * BUFFER_BYTES as u64) {
        let spinner = Spinner::start("measuring bandwidth");
        for threads in thread_counts() {
            let (read, copy) = (bandwidth(threads, read_once), bandwidth(threads, copy_once));
            row(
                &format!("bandwidth, {threads} thr."),
                format!("read {read:.1} GB/s, copy {copy:.1} GB/s (read + written)"),
            );
        }
        spinner.stop();
    }
    let width = rows.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
    let lines: String = rows.iter().map(|(n, v)| format!("{n:<width$}  {v}\n")).collect();
    term::print(&lines)
}

fn thread_counts() -> Vec<usize> {
    let mut counts = vec![1, options::default_threads()];
    counts.dedup();
    counts
}

/// GB/s of the best of several rounds over one large buffer, split among threads. `work` returns the bytes it moved.
fn bandwidth(threads: usize, work: fn(&mut [u64], &mut [u64]) -> usize) -> f64 {
    const ROUNDS: usize = 5;
    let words = BUFFER_BYTES / 8 / 2;
    // Written once, so that no page is the shared zero page.
    let mut from: Vec<u64> = (0..words as u64).collect();
    let mut to = from.clone();
    let share = words.div_ceil(threads);
    let mut best = 0.0f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let bytes: usize = std::thread::scope(|s| {
            let parts = from.chunks_mut(share).zip(to.chunks_mut(share));
            let workers: Vec<_> = parts.map(|(a, b)| s.spawn(move || work(a, b))).collect();
            workers.into_iter().map(|w| w.join().unwrap_or(0)).sum()
        });
        best = best.max(bytes as f64 / start.elapsed().as_secs_f64() / 1e9);
    }
    best
}

fn read_once(from: &mut [u64], to: &mut [u64]) -> usize {
    let sum = |part: &[u64]| part.iter().fold(0u64, |a, &b| a.wrapping_add(b));
    std::hint::black_box(sum(from).wrapping_add(sum(to)));
    size_of_val(from) + size_of_val(to)
}

fn copy_once(from: &mut [u64], to: &mut [u64]) -> usize {
    to.copy_from_slice(from);
    std::hint::black_box(&to);
    2 * size_of_val(from)
}
