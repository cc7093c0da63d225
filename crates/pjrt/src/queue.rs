//! The queue of a client: work that waits for its turn, on one thread, in the order in which it was given.
//!
//! There is one for all devices, since they are one processor, which one program at a time keeps busy. What a piece of work reads was
//! given before it, so it is there when its turn comes: nothing in the queue waits for anything in it. And nothing in it calls
//! Python, so a caller that waits for it may hold whatever Python's threads wait for.
//!
//! Who waits for short work whose turn it is, and which the thread has not begun, does it: the thread would have to wake who waits. Where
//! whoever gave such work last waited for it at once, the thread lets them come first.
//!
//! The thread starts with the first work, and ends when the client has and all is done.

use crate::abi::failure::Failure;
use crate::process::Process;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How much may wait: whoever gives more waits first, so that a program that gives work without end, and reads no result, has the
/// arguments of so many runs in memory and no more.
pub const MOST: usize = 32;

/// As that of the pool's threads: routines of the host recurse.
const STACK: usize = 16 << 20;

thread_local! {
    /// Whether this thread does a queue's work now.
    static IS_QUEUE: Cell<bool> = const { Cell::new(false) };
}

/// Does what may wait for others, who may wait for the queue: beside it, where this thread does its work.
pub fn beside(work: impl FnOnce() + Send + 'static) {
    if IS_QUEUE.get() {
        // Work that no thread can be had for is never done: a caller's memory stays lent.
        drop(std::thread::Builder::new().name("lawson-beside".into()).spawn(work));
    } else {
        work();
    }
}

pub struct Queue {
    shared: Arc<Shared>,
}

/// How long the thread lets whoever gave short work come first.
const COME_FIRST: Duration = Duration::from_micros(25);

/// Whether short work of some kind was waited for at once when it was given last.
#[derive(Default)]
pub struct Habit(AtomicBool);

/// A piece of work, before it is given to a queue and after.
pub struct Turn {
    of: Arc<Shared>,
    /// Of short work, which one who waits for it may do.
    habit: Option<Arc<Habit>>,
    given_at: Instant,
    is_waited_for: AtomicBool,
}

struct Work {
    turn: Arc<Turn>,
    run: Box<dyn FnOnce() + Send>,
}

struct Shared {
    process: Process,
    state: Mutex<State>,
    /// Work has come, or there will be none.
    given: Condvar,
    /// Half of what may wait does: whoever gives work without end is not woken for each piece of it.
    room: Condvar,
    /// All is done.
    idle: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    /// Its thread, or one that waited, does a piece.
    is_working: bool,
    has_thread: bool,
    is_closed: bool,
}

impl Default for Queue {
    fn default() -> Queue {
        let (state, given, room, idle) = Default::default();
        let shared = Arc::new(Shared { process: Process::this(), state, given, room, idle });
        let mut all = all();
        all.retain(|queue| queue.strong_count() > 0);
        all.push(Arc::downgrade(&shared));
        Queue { shared }
    }
}

impl Queue {
    /// A turn for a piece of work that is given now; with the habit of its kind where it is short.
    pub fn turn(&self, habit: Option<Arc<Habit>>) -> Arc<Turn> {
        let (given_at, is_waited_for) = (Instant::now(), AtomicBool::new(false));
        Arc::new(Turn { of: self.shared.clone(), habit, given_at, is_waited_for })
    }

    /// Does the work when all that was given before is done. Waits where too much is waiting already. A piece that is short is done
    /// by one who waits for it where the thread has not begun.
    pub fn give(&self, turn: Arc<Turn>, run: impl FnOnce() + Send + 'static) {
        let mut work = Work { turn, run: Box::new(run) };
        while let Err(refused) = self.offer(work) {
            work = refused;
            let mut state = self.shared.state();
            while state.waiting.len() > MOST / 2 {
                state = self.shared.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// The same where not too much is waiting, else the work.
    fn offer(&self, work: Work) -> Result<(), Work> {
        let mut state = self.shared.state();
        if !state.has_thread {
            let shared = self.shared.clone();
            let thread = std::thread::Builder::new().name("lawson-queue".into()).stack_size(STACK);
            state.has_thread = thread.spawn(move || shared.work()).is_ok();
        }
        if !state.has_thread {
            // The system has no thread for us: nothing waits, so this is its turn.
            drop(state);
            (work.run)();
        } else if state.waiting.len() < MOST || IS_QUEUE.get() {
            // Who does its work, in a caller's function, would wait for itself.
            state.waiting.push_back(work);
            drop(state);
            self.shared.given.notify_one();
        } else {
            return Err(work);
        }
        Ok(())
    }

    /// Waits until all that was given is done.
    pub fn finish(&self) {
        self.shared.finish();
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.shared.state().is_closed = true;
        self.shared.given.notify_one();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread's life.
    fn work(&self) {
        let mut state = self.state();
        loop {
            if !state.is_working {
                let comes_later = |work: &Work| work.turn.lets_others_come();
                if state.waiting.len() == 1 && state.waiting.front().is_some_and(comes_later) {
                    drop(state);
                    std::thread::yield_now();
                    state = self.state();
                    continue;
                }
                if let Some(work) = state.waiting.pop_front() {
                    state = self.does(work, state);
                    continue;
                }
                self.idle.notify_all();
                if state.is_closed {
                    return;
                }
            }
            state = self.given.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does a piece on this thread, without the lock meanwhile.
    fn does<'s>(&'s self, work: Work, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.is_working = true;
        drop(state);
        IS_QUEUE.set(true);
        (work.run)();
        IS_QUEUE.set(false);
        state = self.state();
        state.is_working = false;
        if state.waiting.len() <= MOST / 2 {
            self.room.notify_all();
        }
        state
    }

    fn finish(&self) {
        // A forked process has the work and not the thread.
        if !self.process.is_this() {
            return;
        }
        let mut state = self.state();
        while state.is_working || !state.waiting.is_empty() {
            state = self.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Turn {
    /// Whether somebody may be about to wait for it, who would do it.
    fn lets_others_come(&self) -> bool {
        let was_waited_for = |habit: &Arc<Habit>| habit.0.load(Ordering::Relaxed);
        self.habit.as_ref().is_some_and(was_waited_for) && self.given_at.elapsed() < COME_FIRST
    }

    /// Somebody is about to wait for it. Does the work on this thread if its turn has come, it is short, and nobody has begun.
    pub fn take(&self) {
        let shared = &self.of;
        let Some(habit) = self.habit.as_ref().filter(|_| !IS_QUEUE.get()) else { return };
        if !self.is_waited_for.swap(true, Ordering::Relaxed) {
            habit.0.store(self.given_at.elapsed() < COME_FIRST, Ordering::Relaxed);
        }
        // Of a forked process's lock nobody knows who holds it.
        if !shared.process.is_this() {
            return;
        }
        let mut state = shared.state();
        let is_next = |work: &Work| std::ptr::eq(&*work.turn, self);
        if state.is_working || !state.waiting.front().is_some_and(is_next) {
            return;
        }
        let Some(work) = state.waiting.pop_front() else { return };
        state = shared.does(work, state);
        if state.waiting.is_empty() {
            shared.idle.notify_all();
        }
        // The thread may have been woken meanwhile, and have found that somebody works.
        if state.is_closed || !state.waiting.is_empty() {
            shared.given.notify_one();
        }
    }

    /// Refuses to wait for what only another process can do.
    ///
    /// # Errors
    /// This process was forked from the queue's.
    pub fn can_come(&self) -> Result<(), Failure> {
        self.of.process.check()
    }
}

/// Waits until all queues of this process are empty: what is left when a process ends would use what it frees.
pub extern "C" fn finish_all() {
    let queues: Vec<Arc<Shared>> = all().iter().filter_map(Weak::upgrade).collect();
    queues.iter().for_each(|queue| queue.finish());
}

fn all() -> MutexGuard<'static, Vec<Weak<Shared>>> {
    static ALL: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Keeps the thread busy until something is sent.
    fn gated(queue: &Queue) -> mpsc::Sender<()> {
        let (open, gate) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        queue.give(queue.turn(None), move || {
            begin.send(()).expect("somebody listens");
            gate.recv().expect("the gate opens");
        });
        begun.recv().expect("it begins");
        open
    }

    #[test]
    fn work_is_done_in_its_order_and_so_much_may_wait() {
        let queue = Queue::default();
        let open = gated(&queue);
        let (say, said) = mpsc::channel();
        for n in 0..MOST {
            let say = say.clone();
            let run = Box::new(move || say.send(n).expect("somebody listens"));
            assert!(queue.offer(Work { turn: queue.turn(None), run }).is_ok());
        }
        let last = Work { turn: queue.turn(None), run: Box::new(|| {}) };
        let refused = queue.offer(last).expect_err("too much waits");
        open.send(()).expect("the gate is there");
        queue.give(refused.turn, refused.run);
        queue.finish();
        drop(say);
        assert!(said.iter().eq(0..MOST));
    }

    #[test]
    fn what_is_given_is_done_although_the_queue_ends() {
        let queue = Queue::default();
        let (say, said) = mpsc::channel();
        for n in 0..3 {
            let say = say.clone();
            queue.give(queue.turn(None), move || say.send(n).expect("somebody listens"));
        }
        drop((queue, say));
        assert!(said.iter().eq(0..3));
    }

    /// Gives a piece that says whether the thread of the test does it.
    fn tell(queue: &Queue, said: &mpsc::Sender<bool>, is_short: bool) -> Arc<Turn> {
        let (here, said) = (std::thread::current().id(), said.clone());
        let turn = queue.turn(is_short.then(Arc::default));
        queue.give(turn.clone(), move || {
            said.send(std::thread::current().id() == here).expect("somebody listens");
        });
        turn
    }

    #[test]
    fn who_waits_for_short_work_does_it() {
        let queue = Queue::default();
        let (say, said) = mpsc::channel();
        // As long as the thread has not woken up.
        queue.shared.state().has_thread = true;
        let [first, second, long] = [true, true, false].map(|is_short| tell(&queue, &say, is_short));
        second.take();
        assert!(said.try_recv().is_err(), "the first is next");
        first.take();
        first.take();
        second.take();
        long.take();
        assert_eq!(said.try_iter().collect::<Vec<_>>(), [true, true], "each once, and no long one");
        let shared = queue.shared.clone();
        let thread = std::thread::spawn(move || shared.work());
        assert_eq!(said.recv(), Ok(false));
        drop(queue);
        thread.join().expect("it ends with the queue");
    }

    #[test]
    fn what_has_begun_is_not_taken() {
        let queue = Queue::default();
        let open = gated(&queue);
        let (say, said) = mpsc::channel();
        tell(&queue, &say, true).take();
        assert!(said.try_recv().is_err(), "the thread works");
        open.send(()).expect("the gate is there");
        assert_eq!(said.recv(), Ok(false));
    }

    #[test]
    fn the_thread_lets_those_come_first_who_waited_at_once_before() {
        let queue = Queue::default();
        queue.shared.state().has_thread = true;
        let habit = Arc::new(Habit::default());
        let turn = || queue.turn(Some(habit.clone()));
        assert!(!turn().lets_others_come(), "nothing is known");
        let waits = turn();
        waits.take();
        let soon = waits.given_at.elapsed() < COME_FIRST;
        assert!(habit.0.load(Ordering::Relaxed) || !soon);
        habit.0.store(true, Ordering::Relaxed);
        let late = turn();
        assert!(late.lets_others_come() || late.given_at.elapsed() >= COME_FIRST);
        while late.given_at.elapsed() < COME_FIRST {}
        assert!(!late.lets_others_come());
        late.take();
        late.take();
        assert!(!habit.0.load(Ordering::Relaxed), "who waits later lets the thread begin");
    }

    #[test]
    fn what_may_wait_is_done_beside_the_queue() {
        let name = |beside: bool| {
            let (say, said) = mpsc::channel();
            let queue = Queue::default();
            let tell =
                move || say.send(std::thread::current().name().map(String::from)).expect("somebody listens");
            queue.give(queue.turn(None), move || if beside { super::beside(tell) } else { tell() });
            said.recv().expect("a name").expect("a name")
        };
        assert_eq!((name(false), name(true)), ("lawson-queue".into(), "lawson-beside".into()));
    }
}
