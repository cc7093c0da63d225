//! FRI (Ben-Sasson et al.: "Fast Reed–Solomon interactive oracle proofs of proximity", 2018): a proof that committed values
//! on a coset of the roots of unity are close to those of a polynomial of low degree. Each round halves the number of values
//! by a random combination of f(x) and f(−x), down to a constant; then some places are opened and followed through all
//! rounds.
//!
//! Values stand in the order of the powers of the root, so that x and −x are in the same place of the two halves.

use super::merkle::{self, Opening, Tree};
use super::multilinear::halves;
use super::transcript::Transcript;
use super::{BASE, EXTENSION, coset_shift, root_of_unity};
use crate::progress::Progress;
use lawson::tensor::{concatenate, where_};
use lawson::{DType, Error, ErrorCode, Tensor, jit};

/// What a verifier asks for.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// There are 2^blowup times as many values as coefficients.
    pub blowup: u32,
    /// Places that are opened: each finds values far from all polynomials with a probability of about 1 − 2^−blowup, as is conjectured.
    pub queries: usize,
}

/// What the prover says.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The roots of the values' trees, those of the first round first.
    pub roots: Vec<Tensor>,
    /// What all values are in the end.
    pub constant: Tensor,
    /// For each place that is asked for the pairs f(x), f(−x) of each round: 8 coefficients.
    pub openings: Vec<Vec<Opening>>,
}

/// The values on the squares of a coset, half as many, of a polynomial whose coefficients are even ones plus `challenge`
/// times odd ones: (f(x) + f(−x))/2 + challenge·(f(x) − f(−x))/2x. `scale` is 1/2g for the coset of g.
fn fold(values: &Tensor, challenge: &Tensor, scale: &Tensor) -> Tensor {
    let (n, [here, there]) = (values.dims()[0], halves(values));
    combine(&here, &there, challenge, &(inverse_roots(n) * scale))
}

fn combine(here: &Tensor, there: &Tensor, challenge: &Tensor, inverse: &Tensor) -> Tensor {
    (here + there) * half() + (here - there) * inverse * challenge
}

fn half() -> Tensor {
    let p = DType::field(BASE).expect("a prime field").prime.modulus();
    Tensor::from_values(BASE, &[p.div_ceil(2)], [])
}

/// 1, ω⁻¹, ω⁻², … for half of the roots of unity: since ω^(n/2) is −1, ω⁻ⁱ is −ω^(n/2 − i).
fn inverse_roots(n: i64) -> Tensor {
    -Tensor::roots_of_unity(n, BASE).index(1..=n / 2).flip(0)
}

/// Pairs f(x), f(−x) as columns of 8 elements of the base field.
fn pairs(values: &Tensor) -> Tensor {
    let [here, there] = halves(&values.coefficients()).map(|h| h.t());
    concatenate(&[here, there], 0)
}

/// 1/2g for the coset of each round: g, g², g⁴, …
fn scales(rounds: usize) -> Vec<Tensor> {
    let mut g = Tensor::full([], coset_shift(), BASE);
    let next = |_| {
        let scale = half() / &g;
        g = g.square();
        scale
    };
    (0..rounds).map(next).collect()
}

/// What a proof for 2^digits values is about.
fn sizes(transcript: &mut Transcript, digits: u32, of: Parameters) -> Result<(), Error> {
    transcript.sizes(&[digits as usize, of.blowup as usize, of.queries])
}

/// Proves that these values `[2^(k + blowup)]` on the coset of [`coset_shift`] are those of a polynomial of degree below 2^k. What
/// was said about them before is in the transcript. Gives the places that are opened too.
///
/// # Errors
/// A polynomial of one coefficient, which is a constant that needs no proof; those of compiling and running.
pub fn prove(
    values: Tensor,
    of: Parameters,
    transcript: &mut Transcript,
    progress: &Progress,
) -> Result<(Proof, Vec<usize>), Error> {
    let (split, fold) = (jit(pairs), jit(fold));
    let digits = values.dims()[0].trailing_zeros();
    if digits <= of.blowup {
        let (all, each) = (values.dims()[0], 1i64 << of.blowup);
        let message = format!(
            "{all} values are those of {} coefficients with {each} values each: FRI needs two",
            all / each
        );
        return Err(Error::new(ErrorCode::Input, message));
    }
    sizes(transcript, digits, of)?;
    let mut committed: Vec<Tree> = Vec::new();
    let mut values = values;
    for scale in scales((digits - of.blowup) as usize) {
        let tree = merkle::commit(&split.call(&values)?)?;
        transcript.observe(&tree.root_elements())?;
        values = fold.call(&values, &transcript.challenge()?, &scale)?;
        committed.push(tree);
        progress.step(format!("{} values", values.dims()[0]));
    }
    let constant = values.index(0);
    transcript.observe(&constant)?;
    let places = (0..of.queries).map(|_| transcript.index(digits - 1)).collect::<Result<Vec<_>, _>>()?;
    let open = |&place: &usize| {
        let at = |(round, tree): (usize, &Tree)| tree.open(place % (1 << (digits - 1 - round as u32)));
        committed.iter().enumerate().map(at).collect()
    };
    let openings = places.iter().map(open).collect();
    let roots = committed.iter().map(Tree::root_elements).collect();
    Ok((Proof { roots, constant, openings }, places))
}

/// What a verifier knows after a proof that is right: where it looked, and the values f(x) and f(−x) there that have to be
/// those of the polynomial in question.
pub struct Checked {
    /// Indices of x in the coset; those of −x are half the coset further.
    pub places: Vec<usize>,
    /// f(x), one for each place.
    pub here: Tensor,
    /// f(−x).
    pub there: Tensor,
}

/// Checks a proof for 2^digits values; `None` where it is wrong.
///
/// # Errors
/// Those of compiling and running.
pub fn verify(
    proof: &Proof,
    digits: u32,
    of: Parameters,
    transcript: &mut Transcript,
) -> Result<Option<Checked>, Error> {
    let rounds = digits.saturating_sub(of.blowup) as usize;
    let constant = proof.constant.shape()?;
    if proof.roots.len() != rounds
        || proof.openings.len() != of.queries
        || !constant.dims.is_empty()
        || constant.dtype != EXTENSION
    {
        return Ok(None);
    }
    sizes(transcript, digits, of)?;
    let mut challenges = Vec::new();
    for root in &proof.roots {
        transcript.observe(root)?;
        challenges.push(transcript.challenge()?);
    }
    transcript.observe(&proof.constant)?;
    let places = (0..of.queries).map(|_| transcript.index(digits - 1)).collect::<Result<Vec<_>, _>>()?;
    let mut first = None;
    // What the round before says that the value is.
    let mut folded: Option<Tensor> = None;
    for (round, scale) in scales(rounds).iter().enumerate() {
        let depth = digits - 1 - round as u32;
        let size = 2usize << depth;
        let root = proof.roots[round].values()?;
        let mut found = Vec::new();
        for (&place, openings) in places.iter().zip(&proof.openings) {
            let Some(opening) = openings.get(round).filter(|o| o.column.len() == 8) else { return Ok(None) };
            if !merkle::check(&root, (place % (size / 2), depth), opening)? {
                return Ok(None);
            }
            found.extend_from_slice(&opening.column);
        }
        let both = Tensor::from_values(EXTENSION, &found, [of.queries as i64, 2]);
        let (here, there) = (both.index((.., 0)), both.index((.., 1)));
        let position: Vec<u32> = places.iter().map(|p| (p % size) as u32).collect();
        let position = Tensor::new(&position, [of.queries as i64]);
        if let Some(folded) = folded {
            let value = where_(position.less((size / 2) as u32), &here, &there);
            if folded.values()? != value.values()? {
                return Ok(None);
            }
        }
        let exponent = position % (size / 2) as u32;
        let inverse = root_of_unity(size as u64, size as u64 - 1).pow(exponent) * scale;
        folded = Some(combine(&here, &there, &challenges[round], &inverse));
        first.get_or_insert((here, there));
    }
    let (Some(folded), Some((here, there))) = (folded, first) else { return Ok(None) };
    let constant = proof.constant.broadcast_to([of.queries as i64]);
    let right = folded.values()? == constant.values()?;
    Ok(right.then_some(Checked { places, here, there }))
}
