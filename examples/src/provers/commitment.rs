//! A commitment to polynomials that can be opened at a point: columns of values on the roots of unity are extended to a
//! larger coset, committed to, and at a random point ζ outside of it the prover says what all of them are. If he is right,
//! (p(x) − p(ζ))/(x − ζ) is a polynomial for each, and so is a random combination of them, which FRI proves.

use super::fri::{self, Parameters};
use super::merkle::{self, Opening};
use super::transcript::Transcript;
use super::{BASE, EXTENSION, coset_shift, root_of_unity};
use crate::progress::Progress;
use lawson::tensor::concatenate;
use lawson::{Error, Tensor, jit};

/// What the prover says.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The root of the extended columns' tree.
    pub root: Tensor,
    /// What the polynomials are at ζ.
    pub values: Tensor,
    /// That the combination is a polynomial.
    pub low_degree: fri::Proof,
    /// For each place that FRI opens the values of all polynomials at x and at −x.
    pub openings: Vec<[Opening; 2]>,
}

/// The low-degree extension of columns `[c, n]` of values on the roots of unity: values `[c, n·2^blowup]` on the coset of a
/// generator.
pub fn extend(columns: &Tensor, blowup: u32) -> Tensor {
    let n = columns.dims()[1];
    columns.intt().pad([(0, 0), (0, (n << blowup) - n)], 0).ntt_coset(coset_shift())
}

/// As [`extend`], in the order that puts x beside −x, and points with the same square beside each other.
pub fn extend_bit_reversed(columns: &Tensor, blowup: u32) -> Tensor {
    extend(columns, blowup).bit_reverse(1)
}

/// What polynomials `[c]`, by their columns `[c, n]` of values on the roots of unity, are at a point.
pub fn evaluate(columns: &Tensor, point: &Tensor) -> Tensor {
    columns.intt().evaluate(point)
}

/// Σ αᵏ·(pₖ(x) − pₖ(ζ)) / (x − ζ) where the polynomials have these values `[c, m]` at points x `[m]`.
fn quotient(columns: &Tensor, points: &Tensor, values: &Tensor, zeta: &Tensor, alpha: &Tensor) -> Tensor {
    let powers = alpha.powers(columns.dims()[0]);
    (powers.dot(columns) - powers.dot(values)) / (points - zeta)
}

/// Commits to columns `[c, n]` of values on the roots of unity of order n and opens them at a random point.
///
/// # Errors
/// Those of compiling and running.
pub fn prove(columns: &Tensor, of: Parameters, progress: &Progress) -> Result<Proof, Error> {
    let mut transcript = Transcript::new("commitment")?;
    let extended = jit(|columns: &Tensor| extend(columns, of.blowup)).call(columns)?;
    let tree = merkle::commit(&extended)?;
    transcript.observe(&tree.root_elements())?;
    let zeta = transcript.challenge()?;
    let values = jit(evaluate).call(columns, &zeta)?;
    transcript.observe(&values)?;
    let alpha = transcript.challenge()?;
    let combine = |extended: &Tensor, values: &Tensor, zeta: &Tensor, alpha: &Tensor| {
        let points = Tensor::roots_of_unity(extended.dims()[1], BASE) * coset_shift();
        quotient(extended, &points, values, zeta, alpha)
    };
    let combined = jit(combine).call(&extended, &values, &zeta, &alpha)?;
    let size = combined.dims()[0] as usize;
    let (low_degree, places) = fri::prove(combined, of, &mut transcript, progress)?;
    let openings = places.iter().map(|&i| [tree.open(i), tree.open(i + size / 2)]).collect();
    Ok(Proof { root: tree.root_elements(), values, low_degree, openings })
}

/// Checks a proof for `columns` polynomials with 2^digits coefficients. Gives ζ, or `None` where the proof is wrong.
///
/// # Errors
/// Those of compiling and running.
pub fn verify(proof: &Proof, columns: usize, digits: u32, of: Parameters) -> Result<Option<Tensor>, Error> {
    let mut transcript = Transcript::new("commitment")?;
    transcript.observe(&proof.root)?;
    let zeta = transcript.challenge()?;
    transcript.observe(&proof.values)?;
    let alpha = transcript.challenge()?;
    let digits = digits + of.blowup;
    let said = proof.values.shape()?;
    if said.dims != [columns as i64] || said.dtype != EXTENSION || proof.openings.len() != of.queries {
        return Ok(None);
    }
    let Some(checked) = fri::verify(&proof.low_degree, digits, of, &mut transcript)? else {
        return Ok(None);
    };
    let root = proof.root.values()?;
    let (size, queries) = (1usize << digits, of.queries as i64);
    let generator = root_of_unity(size as u64, 1);
    let indices: Vec<u32> = checked.places.iter().map(|&i| i as u32).collect();
    let here = generator.pow(Tensor::new(&indices, [queries])) * coset_shift();
    for (side, (points, wanted)) in
        [(&here, &checked.here), (&-&here, &checked.there)].into_iter().enumerate()
    {
        let mut rows = Vec::new();
        for (&place, both) in checked.places.iter().zip(&proof.openings) {
            let opening = &both[side];
            if opening.column.len() != columns || !merkle::check(&root, place + side * size / 2, opening)? {
                return Ok(None);
            }
            rows.push(Tensor::from_values(BASE, &opening.column, [columns as i64, 1]));
        }
        let found = quotient(&concatenate(&rows, 1), points, &proof.values, &zeta, &alpha);
        if found.values()? != wanted.values()? {
            return Ok(None);
        }
    }
    Ok(Some(zeta))
}
