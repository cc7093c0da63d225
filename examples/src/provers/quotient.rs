//! Constraints between the rows of a table, proved by one quotient of polynomials: if every constraint vanishes on all rows
//! but the last, a random combination of them is divisible by the polynomial that vanishes there.
//!
//! The table has the columns of many machines (a, b, c), which go from row to row by a' = a·b·c + k, b' = a, c' = b, where k
//! is the number of the machine: a constraint of degree 3 and two of degree 1 for each, over columns of the base field.
//!
//! The challenges are drawn from sums of the columns: the commitments that bind a prover to them are left out here, see
//! [`commitment`](super::commitment).

use super::commitment::{evaluate, extend};
use super::transcript::Transcript;
use super::{BASE, EXTENSION, coset_shift, root_of_unity};
use lawson::tensor::{concatenate, stack};
use lawson::{Error, Tensor, jit, random, scan_length};

/// The quotient has twice as many coefficients as there are rows; it is evaluated on four times as many points.
pub const BLOWUP: u32 = 2;

/// Elements a, b, c of all machines, `[m]` each or with more dimensions.
type Machines = (Tensor, Tensor, Tensor);

/// What machines are in the next row.
fn next((a, b, c): &Machines) -> Machines {
    (a * b * c + numbers(a), a.clone(), b.clone())
}

/// The number of each machine, along the first dimension.
fn numbers(like: &Tensor) -> Tensor {
    Tensor::iota(like.dims(), 0, BASE)
}

/// A table `[3m, n]` that satisfies the constraints, from random elements in the first row.
///
/// # Errors
/// Those of compiling and running.
pub fn table(machines: i64, rows: i64, seed: u64) -> Result<Tensor, Error> {
    let first = random::field(&random::key(seed), [3, machines], BASE);
    let run = |first: &Tensor| {
        let start = (first.index(0), first.index(1), first.index(2));
        let step = |row: &Machines| (next(row), row.clone());
        let (_, (a, b, c)) = scan_length(step, &start, rows);
        concatenate(&[a.t(), b.t(), c.t()], 0)
    };
    jit(run).call(&first)
}

/// The constraints `[3m, …]`, all 0 where the second argument is the row after the first.
fn constraints(here: &Tensor, there: &Tensor) -> Tensor {
    let machines = here.dims()[0] / 3;
    let part = |x: &Tensor, n: i64| x.index(n * machines..(n + 1) * machines);
    let (a, b, c) = next(&(part(here, 0), part(here, 1), part(here, 2)));
    concatenate(&[part(there, 0) - a, part(there, 1) - b, part(there, 2) - c], 0)
}

/// The combination by powers of `alpha` of the constraints, divided by the polynomial that vanishes on all rows but the last,
/// (xⁿ − 1)/(x − ω⁻¹): on extended columns `[3m, 4n]`, its values `[4n]` on their coset.
pub fn quotient(extended: &Tensor, alpha: &Tensor) -> Tensor {
    let (columns, points) = (extended.dims()[0], extended.dims()[1]);
    let (step, rows) = (1 << BLOWUP, points >> BLOWUP);
    // The next row is that of x·ω, a few points further.
    let failures = constraints(extended, &extended.roll(-step, 1));
    let combined = alpha.powers(columns).dot(failures);
    let last = root_of_unity(rows as u64, rows as u64 - 1);
    let x = Tensor::roots_of_unity(points, BASE) * coset_shift();
    // xⁿ has as many values as the coset is larger than the group of the rows.
    let vanishing = x.index(..step).pow(rows) - 1;
    let scale = vanishing.reciprocal().reshape([1, -1]).broadcast_to([rows, step]).reshape([-1]);
    combined * ((x - last) * scale)
}

/// What the prover says about a table, where ζ is a random point.
#[derive(Clone, Debug)]
pub struct Proof {
    /// ζ.
    pub zeta: Tensor,
    /// α, by whose powers constraints are combined.
    pub alpha: Tensor,
    /// The polynomials of the columns at ζ.
    pub here: Tensor,
    /// And at ζ·ω, the next row.
    pub there: Tensor,
    /// The quotient at ζ.
    pub quotient: Tensor,
    /// How many coefficients of the quotient are beyond its degree and not 0: none of a table that satisfies the constraints.
    pub too_high: usize,
}

/// Makes the quotient of a table `[3m, n]` and evaluates it.
///
/// # Errors
/// Those of compiling and running.
pub fn prove(table: &Tensor) -> Result<Proof, Error> {
    let mut transcript = Transcript::new("quotient")?;
    let extended = jit(|table: &Tensor| extend(table, BLOWUP)).call(table)?;
    transcript.observe(&extended.sum_axes(1))?;
    let alpha = transcript.challenge()?;
    let values = jit(quotient).call(&extended, &alpha)?;
    let coefficients = values.intt_coset(coset_shift());
    let zeta = transcript.challenge()?;
    let rows = table.dims()[1];
    let too_high = coefficients.index(2 * rows..).values()?.iter().filter(|&&c| c != 0).count();
    let next = &zeta * root_of_unity(rows as u64, 1);
    let at = jit(|table: &Tensor, points: &Tensor| {
        stack(&[evaluate(table, &points.index(0)), evaluate(table, &points.index(1))], 0)
    });
    let both = at.call(table, &stack(&[&zeta, &next], 0))?;
    Ok(Proof {
        quotient: coefficients.evaluate(&zeta),
        zeta,
        alpha,
        here: both.index(0),
        there: both.index(1),
        too_high,
    })
}

/// Whether what a proof says of a table of so many rows fits together: the quotient times the polynomial that vanishes is the
/// combination of the constraints, at ζ, where no other polynomial of that degree has a chance.
///
/// # Errors
/// Those of compiling and running.
pub fn verify(proof: &Proof, rows: i64) -> Result<bool, Error> {
    let Proof { zeta, alpha, here, there, .. } = proof;
    let failures = constraints(here, there);
    let combined = (alpha.powers(failures.dims()[0]) * failures).sum();
    let last = root_of_unity(rows as u64, rows as u64 - 1);
    let vanishing = (zeta.pow(rows) - 1) / (zeta - last);
    Ok((&proof.quotient * vanishing).values()? == combined.values()?)
}

/// The quotient of a table of this size as HLO text, for `lawson explain`.
///
/// # Errors
/// Those of tracing.
pub fn hlo(machines: i64, rows: i64) -> Result<String, Error> {
    let extended = Tensor::zeros([3 * machines, rows << BLOWUP], BASE);
    Ok(jit(quotient).lower(&extended, &Tensor::zeros([], EXTENSION))?.to_string())
}
