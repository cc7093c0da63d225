//! A language model: a small transformer that learns two comedies by Shakespeare, character by character.
//!
//! A step of training is one compiled function: it draws a batch, goes forward and backward, clips the gradient and takes a
//! step of AdamW. Its state is given up to each call, which makes the next one in the same memory.

mod baseline;
mod model;
mod text;

use crate::progress::Progress;
use lawson::optim::{Adam, AdamState, apply_updates, clip_by_global_norm, schedule};
use lawson::{Error, Tensor, Tree, concatenate, jit, random, scan_length, value_and_grad};
pub use model::Size;
use model::Transformer;
use text::Text;

/// What a training depends on.
#[derive(Clone, Debug)]
pub struct Config {
    pub size: Size,
    pub steps: i64,
    /// Windows of text in a batch.
    pub batch: i64,
    /// The largest rate, at the end of the warm-up.
    pub learning_rate: f64,
    pub seed: u64,
    /// Characters that the model writes at the end.
    pub sample: i64,
}

impl Default for Config {
    fn default() -> Config {
        Config { size: Size::default(), steps: 1200, batch: 32, learning_rate: 3e-3, seed: 0, sample: 500 }
    }
}

/// What came of it. Losses are means of −log p(next character).
#[derive(Clone, Debug)]
pub struct Report {
    pub parameters: i64,
    /// How many characters there are.
    pub alphabet: usize,
    /// At the end of each interval of steps: its number, the mean loss of the batches in it, and that of the text that is kept
    /// for the test.
    pub curve: Vec<(i64, f32, f32)>,
    /// On the text for the test, by the frequency of characters alone.
    pub unigram: f32,
    /// As before, by the frequency of pairs.
    pub bigram: f32,
    /// How the text goes on after [`Report::prompt`], says the model.
    pub sample: String,
    pub prompt: String,
}

/// What goes from one step of training to the next.
#[derive(Clone, Tree)]
struct State {
    model: Transformer,
    adam: AdamState<Transformer>,
    key: Tensor,
}

impl State {
    fn new(key: &Tensor, size: &Size, characters: i64) -> State {
        let (key, first) = random::split_pair(key);
        let model = Transformer::new(&first, size, characters);
        State { adam: Adam::default().init(&model), model, key }
    }

    /// One step, and the loss before it.
    fn step(&self, text: &Tensor, config: &Config) -> (State, Tensor) {
        let key = random::fold_in(&self.key, &self.adam.count);
        let batch = text::windows(text, &key, config.batch, config.size.context + 1);
        let (loss, slopes) = value_and_grad(Transformer::loss)(&self.model, &batch);
        let slopes = clip_by_global_norm(&slopes, 1.0);
        let (peak, warmup) = (config.learning_rate, config.steps / 20);
        let rate =
            schedule::warmup_cosine_decay(&self.adam.count, 0.0, peak, warmup, config.steps, 0.1 * peak);
        let (updates, adam) = Adam::default().update_with_decay(&slopes, &self.adam, &self.model, rate, 0.1);
        (State { model: apply_updates(&self.model, &updates), adam, key: self.key.clone() }, loss)
    }
}

/// Trains a model, tests it twenty times on the way, and lets it write.
///
/// # Errors
/// Those of compiling and running.
pub fn train(config: &Config, progress: &Progress) -> Result<Report, Error> {
    let text = Text::load();
    let characters = text.alphabet.len() as i64;
    let test = text::consecutive(&text.test, config.size.context + 1);

    let step = jit(|state: &State, text: &Tensor| state.step(text, config));
    let test_loss = jit(|state: &State, windows: &Tensor| state.model.loss(windows));
    let init = jit(|key: &Tensor| State::new(key, &config.size, characters));

    let mut state = init.call(&random::key(config.seed))?;
    let parameters =
        lawson::tree::leaves(&state.model).iter().map(|t| t.dims().iter().product::<i64>()).sum();
    let mut curve = Vec::new();
    let (every, mut sum) = ((config.steps / 20).max(1), 0.0);
    for number in 1..=config.steps {
        let loss;
        (state, loss) = step.call_owned(state, text.training.clone())?;
        sum += loss.item::<f32>()?;
        if number % every == 0 {
            curve.push((number, sum / every as f32, test_loss.call(&state, &test)?.item()?));
            sum = 0.0;
        }
        progress.step(format!("loss {:.3}", loss.item::<f32>()?));
    }

    let prompt = text.test.index(..config.size.context);
    let write = jit(|state: &State, prompt: &Tensor| write(&state.model, prompt, &state.key, config.sample));
    let sample = write.call(&state, &prompt)?;
    Ok(Report {
        parameters,
        alphabet: text.alphabet.len(),
        curve,
        unigram: baseline::unigram(&text).item()?,
        bigram: baseline::bigram(&text).item()?,
        sample: text.decode(&sample)?,
        prompt: text.decode(&prompt)?,
    })
}

/// The next characters, one after the other, each drawn by the probabilities that the model gives after the last ones.
fn write(model: &Transformer, prompt: &Tensor, key: &Tensor, count: i64) -> Tensor {
    let next = |(window, key): &(Tensor, Tensor)| {
        let (key, now) = random::split_pair(key);
        let logits = model.logits(&window.expand_dims(0)).index((0, -1));
        let character = random::categorical(&now, &logits, -1);
        let window = concatenate(&[window.index(1..), character.expand_dims(0)], 0);
        ((window, key), character)
    };
    scan_length(next, &(prompt.clone(), key.clone()), count).1
}
