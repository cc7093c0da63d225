//! A commitment to polynomials that can be opened at a point: columns of values on the roots of unity are extended to a
//! larger coset, committed to, and at a random point ζ outside of it the prover says what all of them are. If he is right,
//! (p(x) − p(ζ))/(x − ζ) is a polynomial for each, and so is a random combination of them, which FRI proves.
//!
//! [`open`] and [`check`] do so for several commitments, each at points of its own, as part of a larger protocol with one
//! transcript; [`prove`] and [`verify`] for one alone.

use super::fri::{self, Parameters};
use super::merkle::{self, Opening, Tree};
use super::transcript::Transcript;
use super::{BASE, EXTENSION, coset_shift, root_of_unity};
use crate::progress::Progress;
use lawson::tensor::concatenate;
use lawson::{Error, Tensor, jit};

/// What the prover says of one commitment.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The root of the extended columns' tree.
    pub root: Tensor,
    /// What the polynomials are at ζ, and that they are.
    pub opened: Opened,
}

/// What polynomials are at points, and what shows it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// For each commitment and each of its points the values of all polynomials.
    pub values: Vec<Vec<Tensor>>,
    /// That the combination is a polynomial.
    pub low_degree: fri::Proof,
    /// For each commitment and each place that FRI opens the values of all polynomials at x and at −x.
    pub openings: Vec<Vec<[Opening; 2]>>,
}

/// Columns that a prover has committed to.
pub struct Committed {
    /// Values `[c, n]` on the roots of unity.
    columns: Tensor,
    extended: Tensor,
    tree: Tree,
}

impl Committed {
    /// Commits to the low-degree extension of columns `[c, n]` of values on the roots of unity of order n.
    ///
    /// # Errors
    /// Those of compiling and running.
    pub fn new(columns: &Tensor, blowup: u32) -> Result<Committed, Error> {
        let extended = jit(move |columns: &Tensor| extend(columns, blowup)).call(columns)?;
        let tree = merkle::commit(&extended)?;
        Ok(Committed { columns: columns.clone(), extended, tree })
    }

    /// The root of the tree, as elements of the field.
    pub fn root(&self) -> Tensor {
        self.tree.root_elements()
    }

    /// Values `[c, n·2^blowup]` on the coset of a generator.
    pub fn extended(&self) -> &Tensor {
        &self.extended
    }
}

/// A commitment as a verifier knows it.
pub struct Known<'a> {
    /// What [`Committed::root`] was.
    pub root: &'a Tensor,
    /// How many polynomials there are.
    pub columns: usize,
    /// The points at which they are opened.
    pub points: Vec<Tensor>,
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

/// What is combined so far, and one more quotient of so many columns.
fn and(combined: Option<Tensor>, alpha: &Tensor, columns: i64, quotient: Tensor) -> Tensor {
    match combined {
        Some(combined) => combined * alpha.pow(columns) + quotient,
        None => quotient,
    }
}

/// Opens commitments, each at its points. What was said before is in the transcript, the roots too.
///
/// # Errors
/// Those of compiling and running.
pub fn open(
    committed: &[(&Committed, Vec<Tensor>)],
    of: Parameters,
    transcript: &mut Transcript,
    progress: &Progress,
) -> Result<Opened, Error> {
    let evaluate = jit(evaluate);
    let mut values: Vec<Vec<Tensor>> = Vec::new();
    for (one, points) in committed {
        transcript.sizes(&[one.columns.dims()[0] as usize, points.len()])?;
        let at = |point: &Tensor| evaluate.call(&one.columns, point);
        let found = points.iter().map(at).collect::<Result<Vec<_>, _>>()?;
        found.iter().try_for_each(|v| transcript.observe(v))?;
        values.push(found);
    }
    let alpha = transcript.challenge()?;
    let divide = jit(|extended: &Tensor, values: &Tensor, zeta: &Tensor, alpha: &Tensor| {
        let points = Tensor::roots_of_unity(extended.dims()[1], BASE) * coset_shift();
        quotient(extended, &points, values, zeta, alpha)
    });
    let mut combined: Option<Tensor> = None;
    for ((one, points), values) in committed.iter().zip(&values) {
        for (point, values) in points.iter().zip(values) {
            let quotient = divide.call(&one.extended, values, point, &alpha)?;
            combined = Some(and(combined, &alpha, values.dims()[0], quotient));
        }
    }
    let combined = combined.expect("a commitment that is opened");
    let half = combined.dims()[0] as usize / 2;
    let (low_degree, places) = fri::prove(combined, of, transcript, progress)?;
    let both = |tree: &Tree| places.iter().map(|&i| [tree.open(i), tree.open(i + half)]).collect();
    let openings = committed.iter().map(|(one, _)| both(&one.tree)).collect();
    Ok(Opened { values, low_degree, openings })
}

/// Whether the polynomials with 2^digits coefficients behind commitments have the values that are said.
///
/// # Errors
/// Those of compiling and running.
pub fn check(
    opened: &Opened,
    known: &[Known<'_>],
    digits: u32,
    of: Parameters,
    transcript: &mut Transcript,
) -> Result<bool, Error> {
    if opened.values.len() != known.len() || opened.openings.len() != known.len() {
        return Ok(false);
    }
    for (one, values) in known.iter().zip(&opened.values) {
        if values.len() != one.points.len() {
            return Ok(false);
        }
        transcript.sizes(&[one.columns, one.points.len()])?;
        for said in values {
            let shape = said.shape()?;
            if shape.dims != [one.columns as i64] || shape.dtype != EXTENSION {
                return Ok(false);
            }
            transcript.observe(said)?;
        }
    }
    let alpha = transcript.challenge()?;
    let digits = digits + of.blowup;
    let Some(checked) = fri::verify(&opened.low_degree, digits, of, transcript)? else {
        return Ok(false);
    };
    let (size, queries) = (1usize << digits, of.queries as i64);
    let generator = root_of_unity(size as u64, 1);
    let indices: Vec<u32> = checked.places.iter().map(|&i| i as u32).collect();
    let here = generator.pow(Tensor::new(&indices, [queries])) * coset_shift();
    for (side, (at, wanted)) in [(&here, &checked.here), (&-&here, &checked.there)].into_iter().enumerate() {
        let mut found: Option<Tensor> = None;
        for ((one, values), openings) in known.iter().zip(&opened.values).zip(&opened.openings) {
            let places = checked.places.iter().map(|place| place + side * size / 2);
            let Some(columns) = columns(one, places, openings, (side, digits))? else { return Ok(false) };
            for (point, values) in one.points.iter().zip(values) {
                let quotient = quotient(&columns, at, values, point, &alpha);
                found = Some(and(found, &alpha, one.columns as i64, quotient));
            }
        }
        if found.is_none_or(|f| f.values().ok() != wanted.values().ok()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The columns `[c, q]` that are opened at these places, if they are those of the commitment.
fn columns(
    one: &Known<'_>,
    places: impl Iterator<Item = usize>,
    openings: &[[Opening; 2]],
    (side, depth): (usize, u32),
) -> Result<Option<Tensor>, Error> {
    let root = one.root.values()?;
    let mut rows = Vec::new();
    for (place, both) in places.zip(openings) {
        let opening = &both[side];
        if opening.column.len() != one.columns || !merkle::check(&root, (place, depth), opening)? {
            return Ok(None);
        }
        rows.push(Tensor::from_values(BASE, &opening.column, [one.columns as i64, 1]));
    }
    Ok((!rows.is_empty()).then(|| concatenate(&rows, 1)))
}

/// Commits to columns `[c, n]` of values on the roots of unity of order n and opens them at a random point.
///
/// # Errors
/// Those of compiling and running.
pub fn prove(columns: &Tensor, of: Parameters, progress: &Progress) -> Result<Proof, Error> {
    let mut transcript = Transcript::new("commitment")?;
    let committed = Committed::new(columns, of.blowup)?;
    transcript.sizes(&[columns.dims()[0] as usize, columns.dims()[1] as usize])?;
    transcript.observe(&committed.root())?;
    let zeta = transcript.challenge()?;
    let opened = open(&[(&committed, vec![zeta])], of, &mut transcript, progress)?;
    Ok(Proof { root: committed.root(), opened })
}

/// Checks a proof for `columns` polynomials with 2^digits coefficients. Gives ζ, or `None` where the proof is wrong.
///
/// # Errors
/// Those of compiling and running.
pub fn verify(proof: &Proof, columns: usize, digits: u32, of: Parameters) -> Result<Option<Tensor>, Error> {
    let mut transcript = Transcript::new("commitment")?;
    transcript.sizes(&[columns, 1 << digits])?;
    transcript.observe(&proof.root)?;
    let zeta = transcript.challenge()?;
    let known = Known { root: &proof.root, columns, points: vec![zeta.clone()] };
    Ok(check(&proof.opened, &[known], digits, of, &mut transcript)?.then_some(zeta))
}
