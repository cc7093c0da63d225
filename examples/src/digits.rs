//! Handwritten digits, told apart by a small convolutional network.
//!
//! An epoch is one compiled function: it shuffles the images, then a `scan` takes a step of Adam for each batch.

use crate::progress::Progress;
use lawson::nn::{self, init};
use lawson::optim::{Adam, AdamState, apply_updates};
use lawson::tensor::convolve::{Padding, conv2d};
use lawson::tensor::pool::max_pool;
use lawson::{DType, Error, Tensor, Tree, jit, random, scan, value_and_grad};

/// The images to learn from.
pub const TRAINING: i64 = 1437;
/// Those that are kept for the test.
pub const TEST: i64 = 360;

/// What a training depends on.
#[derive(Clone, Debug)]
pub struct Config {
    pub epochs: usize,
    /// Images in a batch.
    pub batch: i64,
    pub learning_rate: f64,
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config { epochs: 30, batch: 32, learning_rate: 2e-3, seed: 0 }
    }
}

/// What came of it, epoch by epoch.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The mean loss of the batches.
    pub loss: Vec<f32>,
    /// The part of the test images that is recognised.
    pub accuracy: Vec<f32>,
}

/// Images `f32[n, 8, 8, 1]`, from 0 to 1, and the digits that they show, `s32[n]`.
#[derive(Clone, Tree)]
struct Digits {
    images: Tensor,
    labels: Tensor,
}

impl Digits {
    /// The images to learn from and those for the test: the last ones in the random order of key 0, whatever the seed of a
    /// training.
    fn load() -> (Digits, Digits) {
        let text = include_str!("../data/digits.csv");
        let table: Vec<f32> = text.split([',', '\n']).filter_map(|field| field.parse().ok()).collect();
        let rows = Tensor::new(&table, [TRAINING + TEST, 8 * 8 + 1]);
        let rows = random::shuffle(&random::key(0), &rows, 0);
        let part = |rows: Tensor| Digits {
            images: rows.index((.., ..64)).reshape([-1, 8, 8, 1]) / 16.0,
            labels: rows.index((.., 64)).astype(DType::S32),
        };
        (part(rows.index(..TRAINING)), part(rows.index(TRAINING..)))
    }
}

/// Weights and bias of each layer.
#[derive(Clone, Tree)]
struct Network {
    convolutions: [(Tensor, Tensor); 2],
    dense: (Tensor, Tensor),
}

impl Network {
    fn new(key: &Tensor) -> Network {
        let [a, b, c] = random::split_array(key);
        let layer = |key: &Tensor, dims: &[i64]| {
            let bias = Tensor::zeros(&dims[dims.len() - 1..], DType::F32);
            (init::he_normal(key, dims, DType::F32), bias)
        };
        Network {
            convolutions: [layer(&a, &[3, 3, 1, 16]), layer(&b, &[3, 3, 16, 32])],
            dense: layer(&c, &[2 * 2 * 32, 10]),
        }
    }

    /// A number for each digit, the largest for the likeliest: `[n, 8, 8, 1]` gives `[n, 10]`.
    fn logits(&self, images: &Tensor) -> Tensor {
        let mut x = images.clone();
        for (w, b) in &self.convolutions {
            x = nn::relu(&(conv2d(&x, w, [1, 1], Padding::Same) + b));
            x = max_pool(&x, &[2, 2], &[], &Padding::Valid);
        }
        nn::linear(&x.reshape([-1, 2 * 2 * 32]), &self.dense.0, Some(&self.dense.1))
    }

    fn loss(&self, digits: &Digits) -> Tensor {
        nn::softmax_cross_entropy_with_integer_labels(&self.logits(&digits.images), &digits.labels).mean()
    }

    fn accuracy(&self, digits: &Digits) -> Tensor {
        let found = self.logits(&digits.images).argmax_axis(-1);
        found.equal(&digits.labels).astype(DType::F32).mean()
    }
}

/// What goes from one step of training to the next.
#[derive(Clone, Tree)]
struct State {
    network: Network,
    adam: AdamState<Network>,
}

impl State {
    fn new(key: &Tensor) -> State {
        let network = Network::new(key);
        State { adam: Adam::default().init(&network), network }
    }

    /// One step by a batch, and the loss before it.
    fn step(&self, batch: &Digits, learning_rate: f64) -> (State, Tensor) {
        let (loss, slopes) = value_and_grad(Network::loss)(&self.network, batch);
        let (updates, adam) = Adam::default().update(&slopes, &self.adam, learning_rate);
        (State { network: apply_updates(&self.network, &updates), adam }, loss)
    }
}

/// Trains a network, and tests it after each epoch.
///
/// # Errors
/// Those of compiling and running.
pub fn train(config: &Config, progress: &Progress) -> Result<History, Error> {
    let (training, test) = Digits::load();
    let batch = config.batch.clamp(1, TRAINING);
    let batches = TRAINING / batch;

    let epoch = jit(|state: &State, digits: &Digits, key: &Tensor| {
        let order = random::permutation(key, TRAINING).index(..batches * batch);
        let order = order.reshape([batches, batch]);
        let shuffled =
            Digits { images: digits.images.take(&order, 0), labels: digits.labels.take(&order, 0) };
        let (state, losses) =
            scan(|state: &State, batch| state.step(batch, config.learning_rate), state, &shuffled);
        (state, losses.mean())
    });
    let accuracy = jit(|state: &State, digits: &Digits| state.network.accuracy(digits));

    let key = random::key(config.seed);
    let mut state = jit(State::new).call(&key)?;
    let mut history = History::default();
    for number in 1..=config.epochs {
        let loss;
        (state, loss) = epoch.call(&state, &training, &random::fold_in(&key, number as u64))?;
        history.loss.push(loss.item()?);
        history.accuracy.push(accuracy.call(&state, &test)?.item()?);
        progress.step(format!("accuracy {:.1} %", 100.0 * history.accuracy[number - 1]));
    }
    Ok(history)
}
