//! A network learns to balance a pole on a cart, by policy gradients. The simulation of all carts, the actions, the gradient
//! and the update are one compiled program.

use crate::progress::Progress;
use lawson::DType::F32;
use lawson::optim::{Adam, AdamState, apply_updates};
use lawson::{Error, ScanOptions, Tensor, Tree, jit, nn, random};
use lawson::{grad, scan, scan_with, stack, vmap, where_};

/// An episode that gets so far has succeeded, and ends.
pub const LIMIT: i64 = 500;
/// Episodes in each update, simulated side by side.
const EPISODES: i64 = 64;
const HIDDEN: i64 = 16;
/// How much the next step counts beside this one.
const DISCOUNT: f64 = 0.99;
const LEARNING_RATE: f64 = 0.02;

/// Where cart and pole are and how fast they move, in metres, radians and seconds.
#[derive(Clone, Tree)]
struct State {
    x: Tensor,
    speed: Tensor,
    angle: Tensor,
    spin: Tensor,
}

impl State {
    fn random(key: &Tensor) -> State {
        let [x, speed, angle, spin] =
            random::split_array(key).map(|key| random::uniform_between(&key, [], F32, -0.05, 0.05));
        State { x, speed, angle, spin }
    }

    /// A fiftieth of a second later, when the cart was pushed to the right or to the left.
    fn next(&self, right: &Tensor) -> State {
        let State { x, speed, angle, spin } = self;
        let (cart, pole, half_length) = (1.0, 0.1, 0.5);
        let mass = cart + pole;
        let force = where_(right, 10.0, -10.0);
        let (sin, cos) = (angle.sin(), angle.cos());
        let push = (force + pole * half_length * spin.square() * &sin) / mass;
        let turn = (9.8 * &sin - &cos * &push) / (half_length * (4.0 / 3.0 - pole * cos.square() / mass));
        let pull = push - pole * half_length * &turn * &cos / mass;
        let later = |value: &Tensor, slope: &Tensor| value + 0.02 * slope;
        State {
            x: later(x, speed),
            speed: later(speed, &pull),
            angle: later(angle, spin),
            spin: later(spin, &turn),
        }
    }

    /// The cart is on its track and the pole within 12 degrees.
    fn stands(&self) -> Tensor {
        self.x.abs().less_equal(2.4) & self.angle.abs().less_equal(12f64.to_radians())
    }

    fn seen(&self) -> Tensor {
        stack(&[&self.x, &self.speed, &self.angle, &self.spin], -1)
    }
}

/// A network with one hidden layer: weights and biases.
#[derive(Clone, Tree)]
struct Policy {
    hidden: (Tensor, Tensor),
    output: (Tensor, Tensor),
}

impl Policy {
    /// A network that pushes to the right as often as to the left.
    fn random(key: &Tensor) -> Policy {
        Policy {
            hidden: (nn::init::lecun_normal(key, [4, HIDDEN], F32), Tensor::zeros([HIDDEN], F32)),
            output: (Tensor::zeros([HIDDEN, 1], F32), Tensor::zeros([1], F32)),
        }
    }

    /// The logit of the probability to push to the right.
    fn logit(&self, seen: &Tensor) -> Tensor {
        let hidden = nn::linear(seen, &self.hidden.0, Some(&self.hidden.1)).tanh();
        nn::linear(&hidden, &self.output.0, Some(&self.output.1)).squeeze(-1)
    }
}

/// What happened in an episode, a row for each step.
#[derive(Clone, Tree)]
struct Episode {
    state: State,
    right: Tensor,
    /// 1 until the episode ends, then 0.
    running: Tensor,
    /// What was gained from this step on.
    gain: Tensor,
}

fn episode(policy: &Policy, key: &Tensor) -> Episode {
    let (start, actions) = random::split_pair(key);
    let step = |(state, running): &(State, Tensor), key: &Tensor| {
        let right = random::bernoulli(key, [], nn::sigmoid(&policy.logit(&state.seen())));
        let next = state.next(&right);
        let still = running * next.stands().astype(F32);
        ((next, still), (state.clone(), right, running.clone()))
    };
    let keys = random::split(&actions, LIMIT);
    let (_, (state, right, running)) = scan(step, &(State::random(&start), Tensor::ones([], F32)), &keys);
    let gain = |later: &Tensor, running: &Tensor| {
        let gain = running * (1.0 + DISCOUNT * later);
        (gain.clone(), gain)
    };
    let backward = ScanOptions { reverse: true, ..ScanOptions::default() };
    let (_, gain) = scan_with(backward, gain, &Tensor::zeros([], F32), &running);
    Episode { state, right, running, gain }
}

/// What the gradient makes smaller: how unlikely were the actions that gained more than other episodes did at the same time.
fn loss(policy: &Policy, episodes: &Episode) -> Tensor {
    let Episode { state, right, running, gain } = episodes;
    let baseline = gain.sum_keepdims(0) / running.sum_keepdims(0).maximum(1.0);
    let advantage = running * (gain - baseline);
    let surprise = nn::sigmoid_binary_cross_entropy(&policy.logit(&state.seen()), right);
    (surprise * advantage).sum() / running.sum()
}

/// What learns: the network and the state of its optimiser.
#[derive(Clone, Tree)]
pub struct Agent {
    policy: Policy,
    optimiser: AdamState<Policy>,
}

impl Agent {
    fn random(key: &Tensor) -> Agent {
        let policy = Policy::random(key);
        Agent { optimiser: Adam::default().init(&policy), policy }
    }

    /// Plays and learns: the agent after that, and the mean length of the episodes that it played before.
    fn update(&self, key: &Tensor) -> (Agent, Tensor) {
        let episodes = vmap(|key: &Tensor| episode(&self.policy, key))(&random::split(key, EPISODES));
        let gradient = grad(loss)(&self.policy, &episodes);
        let (change, optimiser) = Adam::default().update(&gradient, &self.optimiser, LEARNING_RATE);
        let policy = apply_updates(&self.policy, &change);
        (Agent { policy, optimiser }, episodes.running.sum_axes(-1).mean())
    }
}

/// The mean length of the episodes before each update.
///
/// # Errors
/// Those of compiling and running.
pub fn train(updates: usize, seed: u64, progress: &Progress) -> Result<Vec<f32>, Error> {
    let update = jit(Agent::update);
    let (start, play) = random::split_pair(&random::key(seed));
    let mut agent = jit(Agent::random).call(&start)?;
    let mut lengths = Vec::with_capacity(updates);
    for number in 0..updates {
        let length;
        (agent, length) = update.call(&agent, &random::fold_in(&play, number as u64))?;
        lengths.push(length.item()?);
        progress.step(format!("{:.0} steps", lengths[number]));
    }
    Ok(lengths)
}

/// One update as HLO text, for `lawson explain`.
///
/// # Errors
/// Those of tracing.
pub fn hlo() -> Result<String, Error> {
    let key = random::key(0);
    Ok(jit(Agent::update).lower(&Agent::random(&key), &key)?.to_string())
}
