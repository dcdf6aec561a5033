//! Progress bars on stderr, for runs that take their time.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use motifnet::progress::{Progress, Unit};

/// A run shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);
/// Nor does a stage shorter than this, for it would only flicker.
const FLICKER: Duration = Duration::from_millis(300);
const TICK: Duration = Duration::from_millis(100);

/// Shows how far long work is and how long it will take, on a terminal only.
pub(crate) struct Bars {
    stage: Arc<Mutex<Option<Stage>>>,
    done: Arc<AtomicU64>,
    /// Draws now and then; none where nothing is drawn.
    drawer: Option<Drawer>,
}

struct Drawer {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

struct Stage {
    name: String,
    /// What the work says beside how far it is.
    said: String,
    total: Option<u64>,
    unit: Unit,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Bars {
    /// Begins the time of a run. With `quiet`, or where stderr is no terminal, nothing is shown.
    pub(crate) fn new(quiet: bool) -> Self {
        let stage = Arc::default();
        let done = Arc::default();
        let shown = !quiet && io::stderr().is_terminal();
        let drawer = if shown { Drawer::start(&stage, &done) } else { None };
        Self { stage, done, drawer }
    }

    /// Whether anything is drawn.
    pub(crate) fn are_drawn(&self) -> bool {
        self.drawer.is_some()
    }

    /// Who prints beside the bars.
    pub(crate) fn printer(&self) -> Printer {
        Printer { stage: Arc::clone(&self.stage) }
    }
}

/// Prints beside the bars.
pub(crate) struct Printer {
    stage: Arc<Mutex<Option<Stage>>>,
}

impl Printer {
    /// Prints a line to stderr, clear of any bar.
    pub(crate) fn print(&self, line: &str) {
        let stage = lock(&self.stage);
        let print = || {
            // Talk is lost where stderr is closed; results are not.
            let _ = writeln!(io::stderr().lock(), "{line}");
        };
        match stage.as_ref().and_then(|stage| stage.bar.as_ref()) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.end();
        if let Some(Drawer { stop, thread }) = self.drawer.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

impl Progress for Bars {
    fn begin(&self, stage: &str, total: Option<u64>, unit: Unit) {
        self.done.store(0, Ordering::Relaxed);
        let (name, said) = (stage.to_owned(), String::new());
        let start = Instant::now();
        *lock(&self.stage) = Some(Stage { name, said, total, unit, start, bar: None });
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn say(&self, text: &str) {
        if self.drawer.is_some()
            && let Some(stage) = &mut *lock(&self.stage)
        {
            stage.said = format!("  {text}");
        }
    }

    fn end(&self) {
        if let Some(Stage { bar: Some(bar), .. }) = lock(&self.stage).take() {
            bar.finish_and_clear();
        }
    }
}

impl Drawer {
    /// A bar less is no reason to stop: without a thread to draw it there is none.
    fn start(stage: &Arc<Mutex<Option<Stage>>>, done: &Arc<AtomicU64>) -> Option<Self> {
        let (stop, stopped) = mpsc::channel();
        let (stage, done) = (Arc::clone(stage), Arc::clone(done));
        let run_start = Instant::now();
        let draw = move || {
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if run_start.elapsed() >= PATIENCE
                    && let Some(stage) = &mut *lock(&stage)
                {
                    stage.draw(done.load(Ordering::Relaxed));
                }
            }
        };
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(draw).ok()?;
        Some(Self { stop, thread })
    }
}

impl Stage {
    fn draw(&mut self, done: u64) {
        if self.start.elapsed() < FLICKER {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(self.total, ProgressDrawTarget::stderr())
                .with_style(style(self.total, self.unit))
                .with_elapsed(self.start.elapsed());
            bar.set_position(done);
            bar
        });
        bar.set_message(format!("{}{}", self.name, self.said));
        bar.set_position(done);
        bar.tick();
    }
}

fn style(total: Option<u64>, unit: Unit) -> ProgressStyle {
    let style = ProgressStyle::with_template(template(total, unit));
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", write_time_left)
}

/// Before the first step is done, nobody knows.
fn write_time_left(state: &ProgressState, text: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        // A bar that cannot be formatted is left as it is.
        let _ = write!(text, "{:#} left", HumanDuration(state.eta()));
    }
}

fn template(total: Option<u64>, unit: Unit) -> &'static str {
    match (total, unit) {
        (None, _) => "{spinner} {msg}  {elapsed}",
        (Some(_), Unit::Bytes) => {
            "{msg}  {bar:30}  {decimal_bytes} of {decimal_total_bytes}  {left}"
        }
        (Some(_), Unit::Steps) => "{msg}  {bar:30}  {percent} %  {left}",
        (Some(_), Unit::Items) => "{msg}  {bar:30}  {pos} of {len}  {left}",
    }
}

/// A drawing thread that panicked leaves a stage that is still good.
fn lock(stage: &Mutex<Option<Stage>>) -> MutexGuard<'_, Option<Stage>> {
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_come_and_go_without_a_terminal() {
        let bars = Bars::new(true);
        bars.begin("counting", Some(10), Unit::Steps);
        bars.advance(4);
        assert_eq!(bars.done.load(Ordering::Relaxed), 4);
        bars.end();
        assert!(lock(&bars.stage).is_none());
    }

    #[test]
    fn every_template_is_well_formed() {
        for total in [None, Some(3)] {
            for unit in [Unit::Bytes, Unit::Steps, Unit::Items] {
                assert!(ProgressStyle::with_template(template(total, unit)).is_ok());
            }
        }
    }
}
