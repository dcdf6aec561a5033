//! What a run shares: how results are shown, and how the user is talked to.

use std::io::{self, Write};

use motifnet::progress::Progress;

use crate::failure::Failure;
use crate::progress::Bars;
use crate::report::Report;

/// How one run shows its results (stdout) and talks (stderr).
pub(crate) struct Session {
    json: bool,
    quiet: bool,
    bars: Bars,
}

impl Session {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet, bars: Bars::new(quiet) }
    }

    /// Where long work reports to.
    pub(crate) fn progress(&self) -> &dyn Progress {
        &self.bars
    }

    /// Whether only what went wrong and what was dropped is told.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether progress is drawn, rather than told in lines.
    pub(crate) fn draws_bars(&self) -> bool {
        self.bars.are_drawn()
    }

    /// Tells what the user must know, such as what was dropped.
    pub(crate) fn note(&self, text: &str) {
        self.bars.printer().print(&format!("note: {text}"));
    }

    /// Tells what the user may like to know.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            self.bars.printer().print(text);
        }
    }

    /// As [`Session::remark`], for another thread.
    pub(crate) fn remarker(&self) -> impl Fn(&str) + Send + 'static {
        let (quiet, printer) = (self.quiet, self.bars.printer());
        move |text| {
            if !quiet {
                printer.print(text);
            }
        }
    }

    /// Prints the result of the run.
    pub(crate) fn show<R: Report>(&self, report: &R) -> Result<(), Failure> {
        let text = if self.json {
            let json = serde_json::to_string_pretty(report);
            json.map_err(Failure::run)? + "\n"
        } else {
            report.text()
        };
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::stdout)
    }
}
