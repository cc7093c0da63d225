//! A drone learns to fly over a hill: `grad` goes through the simulation, a `scan`, to the thrust at every moment.

use crate::progress::Progress;
use lawson::DType::F32;
use lawson::optim::{Adam, AdamState, apply_updates};
use lawson::{Error, Tensor, Tree, jit, nn, scan, value_and_grad};

/// Moments of a flight, of a fiftieth of a second.
const MOMENTS: i64 = 150;
const SECONDS: f64 = 0.02;
const DRAG: f64 = 0.05;
pub const GOAL: [f32; 2] = [10.0, 1.0];
/// Middle and radius of the hill, half a circle.
pub const HILL: ([f32; 2], f64) = ([5.0, 0.0], 3.0);

/// Positions and velocities, in metres and seconds: `[2]`, or of a whole flight `[moments, 2]`.
#[derive(Clone, Tree)]
pub struct Flight {
    pub position: Tensor,
    pub velocity: Tensor,
}

/// Where a thrust of `[moments, 2]` carries the drone, which hovers in the origin before.
fn fly(thrust: &Tensor) -> Flight {
    let gravity = Tensor::new(&[0f32, -9.81], [2]);
    let step = |Flight { position, velocity }: &Flight, thrust: &Tensor| {
        let speed = (velocity.square().sum() + 1e-6).sqrt();
        let velocity = velocity + SECONDS * (thrust + &gravity - DRAG * speed * velocity);
        let next = Flight { position: position + SECONDS * &velocity, velocity };
        (next.clone(), next)
    };
    let still = Tensor::zeros([2], F32);
    scan(step, &Flight { position: still.clone(), velocity: still }, thrust).1
}

/// How far the drone is from standing still at the goal in the end, how deep it flies into the hill, and how hard it works.
fn loss(thrust: &Tensor) -> Tensor {
    let Flight { position, velocity } = fly(thrust);
    let miss = (position.index(-1) - Tensor::new(&GOAL, [2])).square().sum();
    let haste = velocity.index(-1).square().sum();
    let apart = (position - Tensor::new(&HILL.0, [2])).square().sum_axes(-1).sqrt();
    let inside = nn::relu(&(HILL.1 + 0.2 - apart)).square().sum();
    miss + haste + inside + 1e-3 * thrust.square().mean()
}

/// The thrust at every moment and the state of its optimiser.
#[derive(Clone, Tree)]
struct Plan {
    thrust: Tensor,
    optimiser: AdamState<Tensor>,
}

impl Plan {
    /// The drone stays where it is.
    fn hovering() -> Plan {
        let thrust = Tensor::new(&[0f32, 9.81], [2]).broadcast_to([MOMENTS, 2]);
        Plan { optimiser: Adam::default().init(&thrust), thrust }
    }

    /// A better plan, and the loss of this one.
    fn improved(&self) -> (Plan, Tensor) {
        let (loss, gradient) = value_and_grad(loss)(&self.thrust);
        let (change, optimiser) = Adam::default().update(&gradient, &self.optimiser, 0.2);
        (Plan { thrust: apply_updates(&self.thrust, &change), optimiser }, loss)
    }
}

/// What came of the steps.
pub struct History {
    /// The loss before each step.
    pub losses: Vec<f32>,
    /// The flight before each step, and after the last one.
    pub flights: Vec<Flight>,
}

/// Improves the thrust so many times, from hovering on.
///
/// # Errors
/// Those of compiling and running.
pub fn optimise(steps: usize, progress: &Progress) -> Result<History, Error> {
    let (improve, fly) = (jit(Plan::improved), jit(fly));
    let mut plan = Plan::hovering();
    let mut history = History { losses: Vec::new(), flights: vec![fly.call(&plan.thrust)?] };
    for number in 0..steps {
        let loss;
        (plan, loss) = improve.call(&plan)?;
        history.losses.push(loss.item()?);
        history.flights.push(fly.call(&plan.thrust)?);
        progress.step(format!("loss {:.3}", history.losses[number]));
    }
    Ok(history)
}

/// One step as HLO text, for `lawson explain`.
///
/// # Errors
/// Those of tracing.
pub fn hlo() -> Result<String, Error> {
    Ok(jit(Plan::improved).lower(&Plan::hovering())?.to_string())
}
