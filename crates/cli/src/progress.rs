//! Progress of long work: a spinner on standard error, only on a terminal, only after a moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// While a program runs, whose loops may take as long as they like.
pub const RUNNING: &str = "running; Ctrl-C ends it, --time-limit SECONDS sets a limit";

/// A spinner that is gone when stopped or dropped.
pub struct Spinner(ProgressBar);

impl Spinner {
    /// Starts one; where standard error is no terminal nothing is drawn.
    pub fn start(doing: &'static str) -> Spinner {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(doing);
        bar.enable_steady_tick(Duration::from_millis(200));
        Spinner(bar)
    }

    /// Says what goes on now.
    pub fn say(&self, doing: &'static str) {
        self.0.set_message(doing);
    }

    pub fn stop(self) {}
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
