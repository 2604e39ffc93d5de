//! Tasks that wait for threads. While a farm is at work it may give games back, so threads wait for its end too.

use crate::runner::Task;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Tasks, and whether more may come.
#[derive(Debug)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug)]
struct Waiting {
    tasks: VecDeque<Task>,
    /// Whether somebody may still add to them.
    is_open: bool,
}

/// What a thread does next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<T> {
    /// A task of the queue.
    Task(Task),
    /// Something else, while there is none.
    Otherwise(T),
}

/// How long a thread sleeps before it looks whether it shall stop: nobody wakes it for that.
const NAP: Duration = Duration::from_millis(50);

impl Queue {
    /// These tasks; if it is open, threads wait for more until it is closed.
    pub fn new(tasks: Vec<Task>, is_open: bool) -> Self {
        Self { waiting: Mutex::new(Waiting { tasks: tasks.into(), is_open }), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task behind all others.
    pub fn add(&self, task: Task) {
        self.lock().tasks.push_back(task);
        self.changed.notify_one();
    }

    /// Closes the queue when the value is dropped, whatever becomes of its owner.
    pub fn closer(&self) -> Closer<'_> {
        Closer(self)
    }

    /// The next task, as soon as there is one, or something else to do until then; `None` if there will be no task, or if it is
    /// time to stop.
    pub fn next<T>(&self, is_stopped: impl Fn() -> bool, otherwise: impl Fn() -> Option<T>) -> Option<Next<T>> {
        let mut waiting = self.lock();
        loop {
            if is_stopped() {
                return None;
            }
            if let Some(task) = waiting.tasks.pop_front() {
                return Some(Next::Task(task));
            }
            if !waiting.is_open {
                return None;
            }
            if let Some(other) = otherwise() {
                return Some(Next::Otherwise(other));
            }
            waiting = self.changed.wait_timeout(waiting, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// See [`Queue::closer`].
pub(crate) struct Closer<'a>(&'a Queue);

impl Drop for Closer<'_> {
    fn drop(&mut self) {
        self.0.lock().is_open = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PairId;
    use std::thread;

    #[test]
    fn threads_wait_for_what_is_added_until_it_is_closed() {
        let task = |pair| Task::Pair { pair: PairId { cell: 0, pair }, games: [true, false] };
        let queue = Queue::new(vec![task(0)], true);
        let taken = thread::scope(|scope| {
            let work = || std::iter::from_fn(|| queue.next(|| false, || None::<()>)).count();
            let workers = [scope.spawn(work), scope.spawn(work)];
            let closer = queue.closer();
            (1..10).for_each(|pair| queue.add(task(pair)));
            drop(closer);
            workers.map(|worker| worker.join().unwrap())
        });
        assert_eq!(taken.iter().sum::<usize>(), 10);
        queue.add(task(10));
        let other = || Some("other");
        assert_eq!(queue.next(|| true, other), None);
        assert_eq!(queue.next(|| false, other), Some(Next::Task(task(10))));
        assert_eq!(queue.next(|| false, other), None, "it is closed");
        assert_eq!(Queue::new(Vec::new(), true).next(|| false, other), Some(Next::Otherwise("other")));
        // Nobody waits any longer for what has been told to stop, closed or not.
        assert_eq!(Queue::new(Vec::new(), true).next(|| true, || None::<()>), None);
    }
}
