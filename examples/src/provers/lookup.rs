//! A lookup by logarithmic derivatives (Haböck: "Multivariate lookups based on logarithmic derivatives", 2022): all values
//! fᵢ stand in a table t if Σ 1/(α − fᵢ) = Σ mⱼ/(α − tⱼ) for a random α, where mⱼ says how often tⱼ is looked up.
//!
//! The challenge is drawn from a commitment to the values and the counts, so that neither can be chosen to suit it.

use super::merkle;
use super::transcript::Transcript;
use super::{BASE, EXTENSION};
use lawson::tensor::gather::segment_sum;
use lawson::tensor::stack;
use lawson::{DType, Error, Tensor, jit};

/// What the prover says.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The root of the tree over the pairs of a value and a count.
    pub root: Tensor,
    /// How often each element of the table is looked up.
    pub multiplicities: Tensor,
    /// The running sum of 1/(α − fᵢ) − mᵢ/(α − tᵢ); it ends with 0.
    pub running: Tensor,
}

/// Looks values up in the table 0, 1, …, n − 1: shows that they are numbers of so many digits. There are n values, a power of two.
///
/// # Errors
/// Those of compiling and running.
pub fn prove(values: &Tensor) -> Result<Lookup, Error> {
    let counts = jit(multiplicities).call(values)?;
    let root = commit(values, &counts)?;
    let running = jit(running).call(values, &counts, &challenge(&root, counts.dims()[0])?)?;
    Ok(Lookup { root, multiplicities: counts, running })
}

/// The root of the tree over values and counts.
fn commit(values: &Tensor, counts: &Tensor) -> Result<Tensor, Error> {
    Ok(merkle::commit(&stack(&[values, counts], 0))?.root_elements())
}

/// α, for so many values.
fn challenge(root: &Tensor, count: i64) -> Result<Tensor, Error> {
    let mut transcript = Transcript::new("lookup")?;
    transcript.sizes(&[count as usize])?;
    transcript.observe(root)?;
    transcript.challenge()
}

/// The table.
fn table(size: i64) -> Tensor {
    Tensor::iota([size], 0, BASE)
}

/// How often each number below n is among n values; what is no such number counts for none.
fn multiplicities(values: &Tensor) -> Tensor {
    let n = values.dims()[0];
    segment_sum(&Tensor::ones([n], BASE), &values.astype(DType::S32), n)
}

fn running(values: &Tensor, multiplicities: &Tensor, alpha: &Tensor) -> Tensor {
    let inverse = |x: &Tensor| (alpha - x).reciprocal();
    let terms = inverse(values) - inverse(&table(values.dims()[0])) * multiplicities;
    terms.cumsum(0)
}

/// Whether the commitment is that to the values and the counts, and a running sum is made of the values' and the table's terms for its
/// challenge and ends with 0. Terms are checked without a division:
/// (sᵢ − sᵢ₋₁)·(α − f)·(α − t) = (α − t) − m·(α − f).
///
/// # Errors
/// Those of compiling and running.
pub fn verify(values: &Tensor, lookup: &Lookup) -> Result<bool, Error> {
    let wrong = |values: &Tensor, m: &Tensor, s: &Tensor, alpha: &Tensor| {
        let n = values.dims()[0];
        let before = s.index(..n - 1).pad([(1, 0)], 0);
        let (f, t) = (alpha - values, alpha - table(n));
        let wrong = (s - before) * &f * &t - (t - f * m);
        wrong
            .not_equal(Tensor::zeros([], EXTENSION))
            .any()
            .logical_or(s.index(-1).not_equal(Tensor::zeros([], EXTENSION)))
    };
    let Lookup { root, multiplicities, running } = lookup;
    let (count, counts, sums) = (values.shape()?, multiplicities.shape()?, running.shape()?);
    let fits = counts == count && sums.dims == count.dims && sums.dtype == EXTENSION;
    if !fits {
        return Ok(false);
    }
    if commit(values, multiplicities)?.values()? != root.values()? {
        return Ok(false);
    }
    Ok(!jit(wrong).call(values, multiplicities, running, &challenge(root, count.dims[0])?)?.item::<bool>()?)
}
