//! A thread pool for parallel loops of a few microseconds.
//!
//! The caller works too. Each thread owns a contiguous part of the tasks, so that successive loops over the same data
//! find it in the same caches, and takes from the others' parts when its own is done. Workers spin for a while after
//! a loop, then park. One loop runs at a time: whoever finds the pool taken runs alone on its own thread.

use crate::float_env::{Denormals, FloatEnv};
use std::any::Any;
use std::cell::UnsafeCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

/// How long a worker spins before it parks: longer than what runs between two loops of one program, shorter than
/// anyone notices.
const SPIN: Duration = Duration::from_micros(60);

/// The same between loops of one routine, where one thread has work of its own, as the panels of a matrix are. Longer than most of
/// that takes, since to wake a parked worker takes as long as a short panel.
const SPIN_AWAKE: Duration = Duration::from_millis(1);

/// Parts of a thread's tasks that another thread can take over.
const CHUNKS_PER_THREAD: i64 = 8;

/// LLVM recurses deeply, and workers compile as well.
const STACK: usize = 16 << 20;

/// What a loop runs: tasks of this range, on the thread of this index.
type Body<'a> = dyn Fn(Range<i64>, usize) + Sync + 'a;

pub struct ThreadPool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    taken: Mutex<()>,
}

/// The right to run loops, until dropped; see [`ThreadPool::session`].
pub struct Session<'p> {
    pool: &'p ThreadPool,
    team: Option<MutexGuard<'p, ()>>,
    denormals: Denormals,
}

struct Shared {
    /// Counts loops; workers watch it.
    round: Padded<AtomicU64>,
    /// Chunks of the current loop that have run.
    done: Padded<AtomicI64>,
    /// One for each thread, the caller's first.
    slots: Box<[Slot]>,
    stop: AtomicBool,
    /// Whether a routine runs, whose next loop comes soon: workers wait for it awake.
    awake: AtomicBool,
    job: UnsafeCell<Job>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A thread's part of the current loop.
#[repr(align(128))]
#[derive(Default)]
struct Slot {
    /// Chunks of this part that nobody has claimed; may fall below 0.
    left: AtomicI64,
    parked: AtomicBool,
    thread: OnceLock<Thread>,
}

#[repr(align(128))]
#[derive(Default)]
struct Padded<T>(T);

struct Job {
    body: *const Body<'static>,
    tasks: i64,
    chunks: i64,
}

// SAFETY: `job` is written by the session's thread alone, while no chunk of an earlier loop is unfinished; a worker
// reads it only after it has claimed a chunk of the current loop, which stays unfinished until the worker counts it
// done. The claim (a read-modify-write of `left`) acquires what the session's thread released by storing `left`.
unsafe impl Sync for Shared {}
// SAFETY: as above; the pointer in `job` is to a `Sync` closure.
unsafe impl Send for Shared {}

impl ThreadPool {
    /// A pool of `threads` threads, the caller's included; 0 means as many as this process may use.
    pub fn new(threads: usize) -> ThreadPool {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            n => n,
        };
        let nothing: &'static Body<'static> = &|_, _| {};
        let shared = Arc::new(Shared {
            round: Padded::default(),
            done: Padded::default(),
            slots: (0..threads).map(|_| Slot::default()).collect(),
            stop: AtomicBool::new(false),
            awake: AtomicBool::new(false),
            job: UnsafeCell::new(Job { body: nothing, tasks: 0, chunks: 0 }),
            panic: Mutex::new(None),
        });
        // A system that refuses more threads gets by with those it granted: parts without a thread are taken over.
        let start = |index: usize| {
            let shared = shared.clone();
            let named = std::thread::Builder::new().name(format!("lawson-{index}")).stack_size(STACK);
            named.spawn(move || shared.work(index)).ok()
        };
        let workers: Vec<JoinHandle<()>> = (1..threads).map_while(start).collect();
        for (slot, worker) in shared.slots[1..].iter().zip(&workers) {
            let _ = slot.thread.set(worker.thread().clone());
        }
        ThreadPool { shared, workers, taken: Mutex::new(()) }
    }

    pub fn threads(&self) -> usize {
        self.shared.slots.len()
    }

    /// Takes the pool; where another session has it, loops of this one run on the calling thread alone.
    pub fn session(&self) -> Session<'_> {
        let team = match self.taken.try_lock() {
            Ok(guard) => Some(guard),
            Err(std::sync::TryLockError::Poisoned(p)) => Some(p.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        };
        Session { pool: self, team, denormals: Denormals::Keep }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.round.0.fetch_add(1, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            let _ = worker.join();
        }
    }
}

impl<'p> Session<'p> {
    /// Tasks that workers run take denormals so; the caller's own thread stays as the caller has set it.
    pub fn with_denormals(self, denormals: Denormals) -> Session<'p> {
        Session { denormals, ..self }
    }

    /// Threads that may run a loop's tasks; their indices are below this.
    pub fn threads(&self) -> usize {
        if self.team.is_some() { self.pool.threads() } else { 1 }
    }

    /// Runs what begins several loops with other work between them, for which workers wait awake.
    pub fn with_workers_awake<R>(&mut self, routine: impl FnOnce(&mut Session<'p>) -> R) -> R {
        let _awake = Awake::new(self.team.is_some().then_some(&self.pool.shared.awake));
        routine(self)
    }

    /// Runs tasks `0..tasks`, in any order, each once. Returns when all have ended; a panic of one is passed on.
    pub fn run(&mut self, tasks: i64, body: &Body<'_>) {
        if tasks <= 1 || self.threads() == 1 {
            if tasks > 0 {
                body(0..tasks, 0);
            }
            return;
        }
        match self.denormals {
            // The environment in which workers live.
            Denormals::Keep => self.pool.shared.run(tasks, body),
            other => self.pool.shared.run(tasks, &|range, thread| {
                let _env = FloatEnv::enter(other);
                body(range, thread);
            }),
        }
    }
}

/// Set until dropped, also when a routine panics.
struct Awake<'p>(Option<&'p AtomicBool>);

impl<'p> Awake<'p> {
    fn new(flag: Option<&'p AtomicBool>) -> Awake<'p> {
        flag.inspect(|flag| flag.store(true, Ordering::Relaxed));
        Awake(flag)
    }
}

impl Drop for Awake<'_> {
    fn drop(&mut self) {
        self.0.inspect(|flag| flag.store(false, Ordering::Relaxed));
    }
}

impl Shared {
    fn run(&self, tasks: i64, body: &Body<'_>) {
        let threads = self.slots.len() as i64;
        let chunks = tasks.min(threads * CHUNKS_PER_THREAD);
        // SAFETY: extends the borrow of `body`, which lasts until this function returns; no chunk runs after that,
        // because it waits for all of them, also when one panics.
        let body = unsafe { std::mem::transmute::<&Body<'_>, &'static Body<'static>>(body) };
        // SAFETY: all chunks of earlier loops are done, and the session is ours: nobody reads `job` now.
        unsafe { *self.job.get() = Job { body, tasks, chunks } };
        self.done.0.store(0, Ordering::Relaxed);
        for (i, slot) in self.slots.iter().enumerate() {
            slot.left.store(part(chunks, threads, i as i64).count() as i64, Ordering::Release);
        }
        self.round.0.fetch_add(1, Ordering::SeqCst);
        for slot in self.slots[1..].iter().take(chunks as usize - 1) {
            // A worker sets `parked` before its last look at `round`: one of the two sees the other.
            if slot.parked.load(Ordering::SeqCst)
                && slot.parked.swap(false, Ordering::SeqCst)
                && let Some(thread) = slot.thread.get()
            {
                thread.unpark();
            }
        }
        self.help(0);
        let mut spins = 0u32;
        while self.done.0.load(Ordering::Acquire) < chunks {
            spins += 1;
            // A worker that lost its core in the middle of a chunk may need this one.
            if spins > 4000 { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        if let Some(payload) = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take() {
            resume_unwind(payload);
        }
    }

    /// Runs chunks of the current loop until none is left: this thread's part first, then the others'.
    fn help(&self, me: usize) {
        let n = self.slots.len();
        let mut ran = 0;
        for of in (me..n).chain(0..me) {
            let slot = &self.slots[of];
            while slot.left.load(Ordering::Relaxed) > 0 {
                let left = slot.left.fetch_sub(1, Ordering::AcqRel);
                if left <= 0 {
                    break;
                }
                self.chunk(of as i64, left, me);
                ran += 1;
            }
        }
        // Once for all of them: while threads take turns to write one line, each waits for it.
        if ran > 0 {
            self.done.0.fetch_add(ran, Ordering::Release);
        }
    }

    /// Runs the chunk of part `of` that was claimed when `left` were.
    fn chunk(&self, of: i64, left: i64, me: usize) {
        // SAFETY: a claimed chunk is unfinished, so `job` does not change; see `Shared`.
        let (body, tasks, chunks) = unsafe {
            let job = &*self.job.get();
            (&*job.body, job.tasks, job.chunks)
        };
        let chunk = part(chunks, self.slots.len() as i64, of).end - left;
        let outcome = catch_unwind(AssertUnwindSafe(|| body(part(tasks, chunks, chunk), me)));
        if let Err(payload) = outcome {
            *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
        }
    }

    /// A worker's life.
    fn work(&self, me: usize) {
        let _env = FloatEnv::enter(Denormals::Keep);
        let mut seen = 0;
        loop {
            seen = self.next_round(me, seen);
            if self.stop.load(Ordering::SeqCst) {
                return;
            }
            self.help(me);
        }
    }

    /// Waits for a round after `seen`: spins, then parks.
    fn next_round(&self, me: usize, seen: u64) -> u64 {
        let start = Instant::now();
        loop {
            for _ in 0..64 {
                let round = self.round.0.load(Ordering::Acquire);
                if round != seen {
                    return round;
                }
                std::hint::spin_loop();
            }
            let most = if self.awake.load(Ordering::Relaxed) { SPIN_AWAKE } else { SPIN };
            if start.elapsed() > most {
                break;
            }
        }
        let parked = &self.slots[me].parked;
        loop {
            parked.store(true, Ordering::SeqCst);
            let round = self.round.0.load(Ordering::SeqCst);
            if round != seen {
                parked.store(false, Ordering::SeqCst);
                return round;
            }
            std::thread::park();
        }
    }
}

/// Part `i` of `0..n` in `parts` contiguous parts whose lengths differ by at most 1.
fn part(n: i64, parts: i64, i: i64) -> Range<i64> {
    let (each, more) = (n / parts, n % parts);
    let start = |i: i64| i * each + i.min(more);
    start(i)..start(i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    fn counts(pool: &ThreadPool, tasks: usize) -> Vec<u32> {
        let counts: Vec<AtomicU32> = (0..tasks).map(|_| AtomicU32::new(0)).collect();
        pool.session().run(tasks as i64, &|range, thread| {
            assert!(thread < pool.threads());
            for i in range {
                counts[i as usize].fetch_add(1, Ordering::Relaxed);
            }
        });
        counts.into_iter().map(AtomicU32::into_inner).collect()
    }

    #[test]
    fn every_task_runs_once() {
        for threads in [1, 2, 3, 8] {
            let pool = ThreadPool::new(threads);
            for tasks in [0, 1, 2, 3, 7, 64, 1000] {
                for _ in 0..20 {
                    assert!(counts(&pool, tasks).iter().all(|&c| c == 1), "{threads} threads, {tasks} tasks");
                }
            }
        }
    }

    #[test]
    fn parked_workers_wake() {
        let pool = ThreadPool::new(2);
        while !pool.shared.slots[1].parked.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        // Two tasks that wait for each other: both threads must take part.
        let barrier = std::sync::Barrier::new(2);
        pool.session().run(2, &|range, _| {
            for _ in range {
                barrier.wait();
            }
        });
    }

    #[test]
    fn workers_stay_awake_only_for_a_routine() {
        let pool = ThreadPool::new(2);
        let awake = || pool.shared.awake.load(Ordering::Relaxed);
        let mut session = pool.session();
        assert!(session.with_workers_awake(|_| awake()) && !awake());
        let broken = catch_unwind(AssertUnwindSafe(|| {
            session.with_workers_awake(|_| -> () { panic!("of a routine") })
        }));
        assert!(broken.is_err() && !awake());
        // Who has not taken the pool has no workers.
        assert!(!pool.session().with_workers_awake(|_| awake()));
    }

    #[test]
    fn a_taken_pool_leaves_the_caller_alone() {
        let pool = ThreadPool::new(2);
        let first = pool.session();
        assert_eq!(first.threads(), 2);
        let mut second = pool.session();
        assert_eq!(second.threads(), 1);
        let sum = AtomicI64::new(0);
        second.run(10, &|range, _| {
            sum.fetch_add(range.sum::<i64>(), Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 45);
        drop((first, second));
        assert_eq!(pool.session().threads(), 2);
    }

    #[test]
    fn panics_are_passed_on_and_the_pool_survives() {
        let pool = ThreadPool::new(2);
        let run = || pool.session().run(100, &|range, _| assert!(!range.contains(&77), "task 77"));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert!(counts(&pool, 50).iter().all(|&c| c == 1));
    }

    #[test]
    fn parts_cover() {
        assert_eq!((0..3).map(|i| part(7, 3, i)).collect::<Vec<_>>(), [0..3, 3..5, 5..7]);
        assert_eq!(part(1, 2, 1), 1..1);
    }
}
