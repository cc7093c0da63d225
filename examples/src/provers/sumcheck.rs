//! The sumcheck protocol (Lund, Fortnow, Karloff, Nisan: "Algebraic methods for interactive proof systems", 1992): a proof
//! of what the product of multilinear polynomials adds up to over the hypercube, that a verifier checks in as many steps as
//! there are variables.
//!
//! In each round the prover says the sum as a polynomial of the first variable that is left, and the verifier fixes that
//! variable to a random element. Tables begin over the base field and go on over its extension. A round is one compiled
//! program: it fixes a variable in all tables and adds up the next polynomial.

use super::merkle;
use super::multilinear::{evaluate, fix, halves};
use super::poseidon2::RATE;
use super::transcript::Transcript;
use super::{BASE, EXTENSION};
use crate::progress::Progress;
use lawson::tensor::stack;
use lawson::{Error, Jit, Tensor, jit};
use std::sync::LazyLock;

/// What a proof is about: the product of tables that were committed to before. Challenges depend on it, so that no table can be
/// chosen to suit them.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The root of each table's tree.
    pub roots: Vec<Tensor>,
    /// The tables have 2^variables elements.
    pub variables: usize,
}

impl Statement {
    /// Commits to tables.
    ///
    /// # Errors
    /// Those of compiling and running.
    pub fn new(tables: &[Tensor]) -> Result<Statement, Error> {
        let root = |table: &Tensor| {
            let elements = table.dims()[0];
            Ok(merkle::commit(&table.reshape([elements.min(RATE as i64), -1]))?.root_elements())
        };
        let variables = tables[0].dims()[0].trailing_zeros() as usize;
        Ok(Statement { roots: tables.iter().map(root).collect::<Result<_, Error>>()?, variables })
    }

    /// How many tables there are.
    pub fn degree(&self) -> i64 {
        self.roots.len() as i64
    }

    /// A transcript that begins with the statement.
    fn transcript(&self) -> Result<Transcript, Error> {
        let mut transcript = Transcript::new("sumcheck")?;
        transcript.sizes(&[self.roots.len(), self.variables])?;
        self.roots.iter().try_for_each(|root| transcript.observe(root))?;
        Ok(transcript)
    }
}

/// What the prover says.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The sum.
    pub sum: Tensor,
    /// The polynomial of each round, by its values at 0, 1, …, as many as there are tables and one more.
    pub rounds: Vec<Tensor>,
    /// The values of the polynomials at the point that the rounds end with.
    pub values: Tensor,
}

/// The sum of the tables' product, as a polynomial of the first variable: its values at 0, 1, …, d for d tables.
fn polynomial(tables: &[Tensor]) -> Tensor {
    let halves: Vec<[Tensor; 2]> = tables.iter().map(halves).collect();
    let at = |n: usize| {
        let factors = halves.iter().map(|[low, high]| match n {
            0 => low.clone(),
            1 => high.clone(),
            _ => low + (high - low) * n as u64,
        });
        factors.reduce(|a, b| a * b).expect("at least one table").sum()
    };
    stack(&(0..=tables.len()).map(at).collect::<Vec<_>>(), 0)
}

/// The tables with their first variable fixed, and the polynomial of the next one; of tables of one element, these.
fn round(tables: &[Tensor], challenge: &Tensor) -> (Vec<Tensor>, Tensor) {
    let fixed: Vec<Tensor> = tables.iter().map(|t| fix(t, challenge)).collect();
    let said = match fixed[0].dims()[0] {
        1 => stack(&fixed.iter().map(|t| t.index(0)).collect::<Vec<_>>(), 0),
        _ => polynomial(&fixed),
    };
    (fixed, said)
}

type Tables = Vec<Tensor>;
type First = fn(&Tables) -> Tensor;
type Next = fn(&Tables, &Tensor) -> (Tables, Tensor);

static FIRST: LazyLock<Jit<First, (Tables,), Tensor>> = LazyLock::new(|| jit((|t| polynomial(t)) as First));
static NEXT: LazyLock<Jit<Next, (Tables, Tensor), (Tables, Tensor)>> =
    LazyLock::new(|| jit((|t, challenge| round(t, challenge)) as Next));

/// Proves what the product of the polynomials with these tables adds up to. Each has 2^k elements of the base field; the statement
/// is that about them.
///
/// # Errors
/// Those of compiling and running.
pub fn prove(tables: &[Tensor], statement: &Statement, progress: &Progress) -> Result<Proof, Error> {
    let mut transcript = statement.transcript()?;
    let mut tables = tables.to_vec();
    let mut said = FIRST.call(&tables)?.astype(EXTENSION);
    let sum = said.index(0) + said.index(1);
    transcript.observe(&sum)?;
    let mut rounds = Vec::new();
    while tables[0].dims()[0] > 1 {
        transcript.observe(&said)?;
        rounds.push(said);
        let challenge = transcript.challenge()?;
        (tables, said) = NEXT.call(&tables, &challenge)?;
        progress.step(format!("{} elements", tables[0].dims()[0]));
    }
    Ok(Proof { sum, rounds, values: said })
}

/// Checks a proof for polynomials without seeing them. Gives the point at which those committed to must have the values that the
/// proof ends with, or `None` where the proof is wrong.
///
/// # Errors
/// Those of compiling and running.
pub fn verify(proof: &Proof, statement: &Statement) -> Result<Option<Tensor>, Error> {
    let degree = statement.degree();
    if !is(&proof.sum, &[])? || !is(&proof.values, &[degree])? || proof.rounds.len() != statement.variables {
        return Ok(None);
    }
    let mut transcript = statement.transcript()?;
    transcript.observe(&proof.sum)?;
    let mut claim = proof.sum.clone();
    let mut point = Vec::new();
    for said in &proof.rounds {
        if !is(said, &[degree + 1])? || !equal(&(said.index(0) + said.index(1)), &claim)? {
            return Ok(None);
        }
        transcript.observe(said)?;
        let challenge = transcript.challenge()?;
        claim = interpolate(said, &challenge);
        point.push(challenge);
    }
    let right = equal(&proof.values.prod(), &claim)?;
    Ok(right.then(|| stack(&point, 0)))
}

/// Whether the polynomials with these tables have these values at a point: what stands for an opening of commitments to them.
///
/// # Errors
/// Those of compiling and running.
pub fn have_values(tables: &[Tensor], point: &Tensor, values: &Tensor) -> Result<bool, Error> {
    let at = jit(|tables: &Vec<Tensor>, point: &Tensor| {
        stack(&tables.iter().map(|t| evaluate(t, point)).collect::<Vec<_>>(), 0)
    });
    equal(&at.call(&tables.to_vec(), point)?, values)
}

/// The value at x of the polynomial with these values at 0, 1, …, d (Lagrange).
fn interpolate(values: &Tensor, x: &Tensor) -> Tensor {
    let points = values.dims()[0];
    let terms = (0..points).map(|i| {
        let others = (0..points).filter(|&j| j != i);
        let factor = |j: i64| (x - j) / Tensor::full([], i - j, BASE);
        others.map(factor).fold(values.index(i), |term, factor| term * factor)
    });
    terms.reduce(|a, b| a + b).expect("at least two points")
}

/// Whether these are elements of the extension with these dimensions.
fn is(x: &Tensor, dims: &[i64]) -> Result<bool, Error> {
    let shape = x.shape()?;
    Ok(shape.dims == dims && shape.dtype == EXTENSION)
}

fn equal(a: &Tensor, b: &Tensor) -> Result<bool, Error> {
    Ok(a.values()? == b.values()?)
}
