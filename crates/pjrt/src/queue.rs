//! The queue of a client: work that waits for its turn, on one thread, in the order in which it was given.
//!
//! There is one for all devices, since they are one processor, which one program at a time keeps busy. What a piece of work reads was
//! given before it, so it is there when its turn comes: nothing in the queue waits for anything in it. And nothing in it calls
//! Python, so a caller that waits for it may hold whatever Python's threads wait for.
//!
//! The thread starts with the first work, and ends when the client has and all is done.

use crate::process::Process;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

/// How much may wait: whoever gives more waits first, so that a program that gives work without end, and reads no result, has the
/// arguments of so many runs in memory and no more.
pub const MOST: usize = 32;

/// As that of the pool's threads: routines of the host recurse.
const STACK: usize = 16 << 20;

thread_local! {
    static IS_QUEUE: Cell<bool> = const { Cell::new(false) };
}

/// Does what may wait for others, who may wait for the queue: beside it, where this is its thread.
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

type Work = Box<dyn FnOnce() + Send>;

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
    /// Does the work when all that was given before is done. Waits where too much is waiting already.
    pub fn give(&self, work: impl FnOnce() + Send + 'static) {
        let mut work: Work = Box::new(work);
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
            work();
        } else if state.waiting.len() < MOST || IS_QUEUE.get() {
            // The queue's own thread, in a caller's function, would wait for itself.
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
        IS_QUEUE.set(true);
        let mut state = self.state();
        loop {
            if let Some(work) = state.waiting.pop_front() {
                state.is_working = true;
                drop(state);
                work();
                state = self.state();
                state.is_working = false;
                if state.waiting.len() <= MOST / 2 {
                    self.room.notify_all();
                }
            } else {
                self.idle.notify_all();
                if state.is_closed {
                    return;
                }
                state = self.given.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
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

    #[test]
    fn work_is_done_in_its_order_and_so_much_may_wait() {
        let queue = Queue::default();
        let (open, gate) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        let (say, said) = mpsc::channel();
        queue.give(move || {
            begin.send(()).expect("somebody listens");
            gate.recv().expect("the gate opens");
        });
        begun.recv().expect("it begins");
        for n in 0..MOST {
            let say = say.clone();
            assert!(queue.offer(Box::new(move || say.send(n).expect("somebody listens"))).is_ok());
        }
        let refused = queue.offer(Box::new(|| {})).expect_err("too much waits");
        open.send(()).expect("the gate is there");
        queue.give(refused);
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
            queue.give(move || say.send(n).expect("somebody listens"));
        }
        drop((queue, say));
        assert!(said.iter().eq(0..3));
    }

    #[test]
    fn what_may_wait_is_done_beside_the_queue() {
        let name = |beside: bool| {
            let (say, said) = mpsc::channel();
            let queue = Queue::default();
            let tell =
                move || say.send(std::thread::current().name().map(String::from)).expect("somebody listens");
            queue.give(move || if beside { super::beside(tell) } else { tell() });
            said.recv().expect("a name").expect("a name")
        };
        assert_eq!((name(false), name(true)), ("lawson-queue".into(), "lawson-beside".into()));
    }
}
