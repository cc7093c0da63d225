//! Constraints between the rows of a table, proved by one quotient of polynomials: if every constraint vanishes on all rows
//! but the last, a random combination of them is divisible by the polynomial that vanishes there.
//!
//! The table has the columns of many machines (a, b, c), which go from row to row by a' = a·b·c + k, b' = a, c' = b, where k
//! is the number of the machine: a constraint of degree 3 and two of degree 1 for each, over columns of the base field.
//!
//! Each challenge is drawn from what the prover has committed to before: α, by whose powers constraints are combined, from the
//! columns, and ζ, where all is opened, from the quotient too. What the openings say is a polynomial there, FRI proves
//! ([`commitment`](super::commitment)).

use super::commitment::{Committed, Known, Opened, check, open};
use super::fri::Parameters;
use super::transcript::Transcript;
use super::{BASE, EXTENSION, coset_shift, root_of_unity};
use crate::progress::Progress;
use lawson::tensor::concatenate;
use lawson::{Error, Tensor, jit, random, scan_length};

/// The quotient has twice as many coefficients as there are rows; it is evaluated on four times as many points.
pub const BLOWUP: u32 = 2;
/// Parts of the quotient, with as many coefficients as there are rows.
const PARTS: i64 = 2;
/// Coefficients of an element of the extension.
const DEGREE: i64 = 4;

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

/// What the prover says about a table.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The roots of the trees over the columns and over the quotient's parts.
    pub roots: [Tensor; 2],
    /// The columns' polynomials at ζ and at ζ·ω, the next row, and the parts' coefficients at ζ.
    pub opened: Opened,
}

/// The columns `[8, n]` of a quotient's values on the coset: its parts' coefficients in the base field, as values on the
/// roots of unity. Of a table that satisfies the constraints all other coefficients are 0.
fn parts(quotient: &Tensor) -> Tensor {
    let rows = quotient.dims()[0] >> BLOWUP;
    let coefficients = quotient.intt_coset(coset_shift()).index(..PARTS * rows).coefficients();
    coefficients.reshape([PARTS, rows, DEGREE]).transpose([0, 2, 1]).reshape([PARTS * DEGREE, rows]).ntt()
}

/// The transcript of a proof for a table of this size.
fn transcript(machines: i64, rows: i64) -> Result<Transcript, Error> {
    let mut transcript = Transcript::new("quotient")?;
    transcript.sizes(&[machines as usize, rows as usize])?;
    Ok(transcript)
}

/// What the verifier draws: α and ζ.
fn challenges(roots: &[Tensor; 2], transcript: &mut Transcript) -> Result<[Tensor; 2], Error> {
    transcript.observe(&roots[0])?;
    let alpha = transcript.challenge()?;
    transcript.observe(&roots[1])?;
    Ok([alpha, transcript.challenge()?])
}

/// Where the columns are opened.
fn points(zeta: &Tensor, rows: i64) -> Vec<Tensor> {
    vec![zeta.clone(), zeta * root_of_unity(rows as u64, 1)]
}

/// Commits to a table `[3m, n]` and to the quotient of its constraints, and opens both.
///
/// # Errors
/// Those of compiling and running.
pub fn prove(table: &Tensor, queries: usize, progress: &Progress) -> Result<Proof, Error> {
    let mut transcript = transcript(table.dims()[0] / 3, table.dims()[1])?;
    let columns = Committed::new(table, BLOWUP)?;
    transcript.observe(&columns.root())?;
    let alpha = transcript.challenge()?;
    let values = jit(quotient).call(columns.extended(), &alpha)?;
    let quotient = Committed::new(&jit(parts).call(&values)?, BLOWUP)?;
    transcript.observe(&quotient.root())?;
    let zeta = transcript.challenge()?;
    let all = [(&columns, points(&zeta, table.dims()[1])), (&quotient, vec![zeta])];
    let opened = open(&all, Parameters { blowup: BLOWUP, queries }, &mut transcript, progress)?;
    Ok(Proof { roots: [columns.root(), quotient.root()], opened })
}

/// Whether a table with 3m columns of 2^digits rows satisfies the constraints, as a proof says: what is opened is what was
/// committed to, and the quotient times the polynomial that vanishes is the combination of the constraints at ζ, where no
/// other polynomials of that degree have a chance.
///
/// # Errors
/// Those of compiling and running.
pub fn verify(proof: &Proof, machines: i64, digits: u32, queries: usize) -> Result<bool, Error> {
    let rows = 1i64 << digits;
    let mut transcript = transcript(machines, rows)?;
    let [alpha, zeta] = challenges(&proof.roots, &mut transcript)?;
    let [columns, quotient] = &proof.roots;
    let known = [
        Known { root: columns, columns: 3 * machines as usize, points: points(&zeta, rows) },
        Known { root: quotient, columns: (PARTS * DEGREE) as usize, points: vec![zeta.clone()] },
    ];
    let of = Parameters { blowup: BLOWUP, queries };
    if !check(&proof.opened, &known, digits, of, &mut transcript)? {
        return Ok(false);
    }
    let values = &proof.opened.values;
    let failures = constraints(&values[0][0], &values[0][1]);
    let combined = (alpha.powers(failures.dims()[0]) * failures).sum();
    let last = root_of_unity(rows as u64, rows as u64 - 1);
    let vanishing = (zeta.pow(rows) - 1) / (&zeta - last);
    // Σ uᵏ·ζ^(n·part)·value, where u generates the extension.
    let u = Tensor::from_values(EXTENSION, &[0u64, 1, 0, 0], []);
    let parts = u.powers(DEGREE).dot(values[1][0].reshape([PARTS, DEGREE]).t());
    let quotient = zeta.pow(rows).powers(PARTS).dot(parts);
    Ok((quotient * vanishing).values()? == combined.values()?)
}

/// The quotient of a table of this size as HLO text, for `lawson explain`.
///
/// # Errors
/// Those of tracing.
pub fn hlo(machines: i64, rows: i64) -> Result<String, Error> {
    let extended = Tensor::zeros([3 * machines, rows << BLOWUP], BASE);
    Ok(jit(quotient).lower(&extended, &Tensor::zeros([], EXTENSION))?.to_string())
}
