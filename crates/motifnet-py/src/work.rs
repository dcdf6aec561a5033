//! Long work: the interpreter is free meanwhile, progress is told, and Ctrl-C is heard.
//!
//! Python hears signals on its main thread only, and only when that runs. So the work goes to a thread
//! of its own, and the calling thread wakes up every now and then to look for signals and to tell how
//! far the work is. To stop, it sets a flag that the work meets where it reports progress.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use motifnet::progress::{Progress, Stop, Unit};
use motifnet::train::{EpochRecord, Observed, Observer, TrainState};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often the calling thread looks up.
const TICK: Duration = Duration::from_millis(50);
/// As large as that of a main thread.
const STACK: usize = 8 << 20;

/// The threads that work is done on; rayon's own choice if there is none.
static POOL: RwLock<Option<Arc<ThreadPool>>> = RwLock::new(None);

/// Sets the number of threads for all that follows; without a number one for each core.
#[pyfunction]
#[pyo3(signature = (threads=None))]
pub(crate) fn set_threads(threads: Option<usize>) -> PyResult<()> {
    let pool = match threads {
        None => None,
        Some(0) => {
            return Err(PyValueError::new_err(
                "0 threads can do nothing; give a number from 1 on, or None for one each core",
            ));
        }
        Some(threads) => {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            Some(Arc::new(pool.map_err(|error| PyValueError::new_err(error.to_string()))?))
        }
    };
    *POOL.write().unwrap_or_else(PoisonError::into_inner) = pool;
    Ok(())
}

/// What unwinds work that is to stop.
struct Stopped;

/// What the work tells the calling thread, and the other way round.
#[derive(Default)]
pub(crate) struct Relay {
    stop: AtomicBool,
    done: AtomicU64,
    stage: Mutex<Stage>,
}

#[derive(Clone, Default)]
struct Stage {
    name: String,
    total: Option<u64>,
    text: String,
}

impl Relay {
    fn stage(&self) -> std::sync::MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the work if it is to stop. The library has no word for that, but all its work on a call
    /// is local to it, so unwinding leaves nothing half done; rayon hands it on from thread to thread,
    /// and no panic is told.
    fn check(&self) {
        if self.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }

    fn tell(&self, py: Python<'_>, told: &Py<PyAny>) -> PyResult<()> {
        let Stage { name, total, text } = self.stage().clone();
        if !name.is_empty() {
            told.call1(py, (name, self.done.load(Ordering::Relaxed), total, text))?;
        }
        Ok(())
    }
}

impl Progress for Relay {
    fn begin(&self, stage: &str, total: Option<u64>, _: Unit) {
        self.check();
        self.done.store(0, Ordering::Relaxed);
        *self.stage() = Stage { name: stage.to_owned(), total, text: String::new() };
    }

    fn advance(&self, amount: u64) {
        self.check();
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn say(&self, text: &str) {
        self.stage().text = text.to_owned();
    }

    fn end(&self) {
        self.check();
    }
}

/// Tells a relay of every epoch, and keeps them.
pub(crate) struct Watcher<'a> {
    relay: &'a Relay,
    pub(crate) history: Vec<EpochRecord>,
}

impl<'a> Watcher<'a> {
    /// Watches a training of at most so many `epochs`.
    pub(crate) fn new(relay: &'a Relay, stage: &str, epochs: usize) -> Self {
        relay.begin(stage, Some(epochs as u64), Unit::Steps);
        Self { relay, history: Vec::new() }
    }
}

impl Observer for Watcher<'_> {
    fn epoch(&mut self, record: &EpochRecord, _: &TrainState) -> Observed {
        self.history.push(*record);
        self.relay.done.store(record.epoch as u64, Ordering::Relaxed);
        self.relay.stage().text =
            format!("loss {:.3}, validation {:.3}", record.train_loss, record.val_loss);
        Ok(match self.relay.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn stop(&self) -> Stop<'_> {
        Stop::when(&self.relay.stop)
    }
}

/// Does `work` without holding the interpreter; `told` is called with stage, done, total and text.
///
/// # Errors
/// What a signal raises (`KeyboardInterrupt`), or what `told` raises; the work has stopped then.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    told: Option<&Py<PyAny>>,
    work: impl FnOnce(&Relay) -> T + Send,
) -> PyResult<T> {
    let relay = Relay::default();
    let pool = POOL.read().unwrap_or_else(PoisonError::into_inner).clone();
    let told = told.map(|told| told.clone_ref(py));
    py.detach(|| {
        thread::scope(|scope| {
            // Nothing is ever sent: the channel closes when the work is over, however it ends.
            let (open, closed) = channel::<()>();
            let relay = &relay;
            let worker =
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                    let _open = open;
                    match pool {
                        Some(pool) => pool.install(|| work(relay)),
                        None => work(relay),
                    }
                })?;
            let mut failure = None;
            while closed.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if failure.is_some() {
                    continue;
                }
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    told.as_ref().map_or(Ok(()), |told| relay.tell(py, told))
                });
                if let Err(error) = heard {
                    relay.stop.store(true, Ordering::Relaxed);
                    failure = Some(error);
                }
            }
            let outcome = worker.join();
            match (failure, outcome) {
                // Threads that the library starts itself do not hand on what they unwind with.
                (Some(error), _) => Err(error),
                (None, Err(payload)) => resume_unwind(payload),
                (None, Ok(value)) => {
                    if let Some(told) = &told {
                        Python::attach(|py| relay.tell(py, told))?;
                    }
                    Ok(value)
                }
            }
        })
    })
}
