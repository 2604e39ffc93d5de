//! A run that is being played here.

use super::progress::{self, Elements, Going};
use spinney_lab::referee::Referee;
use spinney_lab::runner::{self, Found, Task};
use spinney_lab::store::{Appender, Contents, Store, write_whole};
use spinney_lab::{LabError, report};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Between two looks at the numbers, at least.
const INTERVAL: Duration = Duration::from_millis(450);

/// A run with all that is known of it.
#[derive(Debug)]
pub struct Live {
    /// Folder and plan.
    pub store: Store,
    contents: Mutex<Contents>,
    elements: Mutex<Elements>,
    stop: AtomicBool,
    started: Instant,
    /// Games played since then.
    played: AtomicU64,
    /// Games to play since then.
    missing: u64,
    news: watch::Sender<Arc<str>>,
}

impl Live {
    /// A run of which these games are to be played.
    pub fn new(store: Store, contents: Contents, tasks: &[Task]) -> Self {
        let missing = tasks.iter().map(|task| task.count(&store.plan)).sum();
        Self {
            store,
            contents: Mutex::new(contents),
            elements: Mutex::default(),
            stop: AtomicBool::new(false),
            started: Instant::now(),
            played: AtomicU64::new(0),
            missing,
            news: watch::Sender::new(Arc::from("")),
        }
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Hands what is known to `read`.
    pub fn read<T>(&self, read: impl FnOnce(&Contents) -> T) -> T {
        read(&self.contents.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells of the progress, as JSON, while it changes.
    pub fn news(&self) -> watch::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    /// The progress now, as JSON.
    pub fn progress(&self) -> String {
        let played = self.played.load(Ordering::Relaxed);
        let seconds = self.started.elapsed().as_secs_f64();
        let left = (played > 0).then(|| seconds / played as f64 * self.missing.saturating_sub(played) as f64);
        let state = if self.stop.load(Ordering::Relaxed) { "stopping" } else { "running" };
        let elements = self.elements.lock().unwrap_or_else(PoisonError::into_inner).look(&self.store);
        let going = Going { state, left, problem: None, elements };
        self.read(|contents| progress::shown(&self.store, contents, going)).to_string()
    }

    /// Plays until all is done or somebody stops it.
    pub fn play(&self, tasks: Vec<Task>, threads: usize, mut appender: Appender) -> Result<(), LabError> {
        let ended = AtomicBool::new(false);
        let referee = self.read(|contents| Referee::new(&self.store.plan, contents));
        let keep = |found: Found| {
            found.write(&mut appender)?;
            let count = found.keep(&mut self.contents.lock().unwrap_or_else(PoisonError::into_inner));
            self.played.fetch_add(count, Ordering::Relaxed);
            Ok(())
        };
        let result = thread::scope(|scope| {
            scope.spawn(|| self.tell(&ended));
            let result = runner::play_with(&self.store.plan, &referee, tasks, threads, &self.stop, &|_| {}, keep);
            ended.store(true, Ordering::Relaxed);
            result
        });
        let page = self.read(|contents| spinney_report::to_html(&report::of_store(&self.store, contents, None)));
        result.and_then(|()| write_whole(&self.store.folder.join("report.html"), page.as_bytes()))
    }

    /// Tells the news until the run has ended, if anybody listens.
    fn tell(&self, ended: &AtomicBool) {
        let (mut told, mut pause, mut last) = (None, INTERVAL, Instant::now());
        while !ended.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
            let now = Some((self.played.load(Ordering::Relaxed), self.stop.load(Ordering::Relaxed)));
            if now == told || last.elapsed() < pause || self.news.receiver_count() == 0 {
                continue;
            }
            last = Instant::now();
            self.news.send_replace(Arc::from(self.progress()));
            told = now;
            // Statistics of a long run take time; they shall not take more than a tenth of it.
            pause = INTERVAL.max(10 * last.elapsed());
        }
    }
}
