//! A bar for the steps of a run, on standard error where that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how many steps are done, the time that is left, and a few words such as the loss.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of `steps` steps.
    pub fn new(steps: usize) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {eta} left")
            .expect("the template is well-formed");
        bar.set_style(style);
        Progress(bar)
    }

    /// A bar that nobody sees, for tests.
    pub fn hidden() -> Progress {
        Progress(ProgressBar::hidden())
    }

    /// One more step is done.
    pub fn step(&self, message: impl Into<String>) {
        self.0.set_message(message.into());
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
