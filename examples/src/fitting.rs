//! A damped oscillation is fitted to noisy measurements by the method of Levenberg and Marquardt: derivatives by `jacfwd`,
//! steps by `cholesky`, and by `vmap` a thousand fits at once, which show that the standard errors are right.

use lawson::DType::F64;
use lawson::tensor::linalg::{inv_positive_definite, solve_positive_definite};
use lawson::{Error, Tensor, Tree, jacfwd, jit, random, scan_length, vmap, where_};

pub const NAMES: [&str; 5] = ["offset", "height", "decay", "frequency", "phase"];
pub const TRUTH: [f64; 5] = [0.5, 2.0, 0.25, 3.0, 0.4];
/// Where every fit begins.
pub const START: [f64; 5] = [0.0, 1.0, 0.1, 2.8, 0.0];
/// The standard deviation of the measurements' errors.
const NOISE: f64 = 0.2;
const POINTS: i64 = 150;

/// The oscillation at these times.
fn model(parameters: &Tensor, times: &Tensor) -> Tensor {
    let [offset, height, decay, frequency, phase] = std::array::from_fn(|n| parameters.index(n));
    offset + height * (-decay * times).exp() * (frequency * times + phase).cos()
}

/// Parameters on their way to the least squares.
#[derive(Clone, Tree)]
struct Fit {
    parameters: Tensor,
    /// How much the curvature is enlarged: steps are shorter, and closer to the direction of steepest descent.
    damping: Tensor,
}

impl Fit {
    /// The next parameters, and the sum of squares before. A step that does not make it smaller is not taken.
    fn next(&self, residuals: &impl Fn(&Tensor) -> Tensor) -> (Fit, Tensor) {
        let Fit { parameters, damping } = self;
        let squares = |parameters: &Tensor| residuals(parameters).square().sum();
        let slopes = jacfwd(residuals)(parameters);
        let curvature = slopes.t().dot(&slopes);
        let damped = &curvature + (damping * curvature.diagonal(0)).diag();
        let step = solve_positive_definite(&damped, &slopes.t().dot(residuals(parameters)));
        let (here, there) = (squares(parameters), squares(&(parameters - &step)));
        let better = there.less(&here);
        let next = Fit {
            parameters: where_(&better, parameters - step, parameters),
            damping: where_(&better, damping * 0.1, damping * 10.0),
        };
        (next, here)
    }
}

/// What a fit found.
#[derive(Clone, Tree)]
pub struct Found {
    pub parameters: Tensor,
    /// Of each parameter.
    pub standard_errors: Tensor,
    /// The sum of squares before each step.
    pub squares: Tensor,
}

/// The fit to one series of measurements.
fn fit(times: &Tensor, measured: &Tensor, steps: i64) -> Found {
    let residuals = |parameters: &Tensor| model(parameters, times) - measured;
    let start = Fit { parameters: Tensor::new(&START, [5]), damping: Tensor::full([], 1e-2, F64) };
    let (Fit { parameters, .. }, squares) = scan_length(|fit: &Fit| fit.next(&residuals), &start, steps);
    let slopes = jacfwd(residuals)(&parameters);
    let variance = residuals(&parameters).square().sum() / (POINTS - 5) as f64;
    let covariance = variance * inv_positive_definite(&slopes.t().dot(&slopes));
    Found { parameters, standard_errors: covariance.diagonal(0).sqrt(), squares }
}

/// When it was measured.
pub fn times() -> Tensor {
    Tensor::linspace(0.0, 10.0, POINTS, F64)
}

/// The oscillation with these parameters, then.
pub fn curve_of(parameters: &Tensor) -> Tensor {
    model(parameters, &times())
}

/// The true oscillation with errors, `series` times measured anew: `[series, points]`.
pub fn measurements(seed: u64, series: i64) -> Tensor {
    curve_of(&Tensor::new(&TRUTH, [5])) + NOISE * random::normal(&random::key(seed), [series, POINTS], F64)
}

/// The fits to several series of measurements, all at once.
fn all(times: &Tensor, measurements: &Tensor, steps: i64) -> Found {
    vmap(|measured: &Tensor| fit(times, measured, steps))(measurements)
}

/// The fits to several series of measurements, of so many steps each.
///
/// # Errors
/// Those of compiling and running.
pub fn fits(measurements: &Tensor, steps: i64) -> Result<Found, Error> {
    jit(|times: &Tensor, measurements: &Tensor| all(times, measurements, steps)).call(&times(), measurements)
}

/// These fits as HLO text, for `lawson explain`.
///
/// # Errors
/// Those of tracing.
pub fn hlo(measurements: &Tensor, steps: i64) -> Result<String, Error> {
    let program = jit(|times: &Tensor, measurements: &Tensor| all(times, measurements, steps));
    Ok(program.lower(&times(), measurements)?.to_string())
}
