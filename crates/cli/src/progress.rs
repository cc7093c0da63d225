//! Progress of long work: a spinner on standard error, or a bar while plans are measured; only on a terminal, only after a
//! moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lawson::Client;
use lawson::tune::Progress;
use std::time::Duration;

/// While a program runs, whose loops may take as long as they like.
pub const RUNNING: &str = "running; Ctrl-C ends it, --time-limit SECONDS sets a limit";

/// While code is made.
pub const COMPILING: &str = "compiling";

/// A spinner that is gone when stopped or dropped.
pub struct Spinner(ProgressBar);

const SPINNING: &str = "{spinner} {msg} {elapsed}";
const MEASURING: &str = "{spinner} measuring plans [{bar:30}] {msg} {elapsed}";
/// Steps of the bar.
const STEPS: u64 = 1000;

impl Spinner {
    /// Starts one; where standard error is no terminal nothing is drawn.
    pub fn start(doing: &'static str) -> Spinner {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        draw(&bar, SPINNING);
        bar.set_message(doing);
        bar.enable_steady_tick(Duration::from_millis(200));
        Spinner(bar)
    }

    /// Says what goes on now.
    pub fn say(&self, doing: &'static str) {
        self.0.set_message(doing);
    }

    /// The client, whose measuring of plans shows as a bar; then it says again what goes on.
    pub fn watching(&self, client: &Client, doing: &'static str) -> Client {
        let bar = self.0.clone();
        client.clone().with_progress(move |p: Progress| {
            if p.done >= 1.0 {
                draw(&bar, SPINNING);
                bar.set_message(doing);
            } else {
                draw(&bar, MEASURING);
                bar.set_length(STEPS);
                bar.set_position((p.done * STEPS as f64) as u64);
                bar.set_message(format!("kernel {} of {}", p.kernel, p.kernels));
            }
        })
    }

    pub fn stop(self) {}
}

fn draw(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
