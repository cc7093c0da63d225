//! What is timed: each case with its work on both sides, checked for equal results before.

use crate::{packed, traced};
use ark_ff::{AdditiveGroup, Field as _, Fp256, MontBackend, MontConfig};
use lawson::frontend::tensor::plonky3::Plonky3Element;
use lawson::{DType, Tensor, jit, random};
use lawson_examples::provers::poseidon2::Poseidon2;
use lawson_peers::turns::Work;
use lawson_provers::Failure;
use lawson_provers::run::Run;
use p3_baby_bear::BabyBear;
use p3_dft::{Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::{Field, PackedValue, PrimeCharacteristicRing, PrimeField64, batch_multiplicative_inverse};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_mersenne_31::Mersenne31;
use p3_monty_31::dft::RecursiveDft;
use p3_symmetric::Permutation;
use std::hint::black_box;

/// Who does the work, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Lawson,
    Unfused,
    Plonky3,
    /// Plonky3 in another form.
    Other,
}

/// Lawson's time is at most so many times that of a side.
#[derive(Clone, Copy, Debug)]
pub struct Bound(pub f64, pub Side);

pub struct Case {
    pub name: String,
    /// Elements.
    pub count: f64,
    pub work: Vec<(Side, Work<'static, Failure>)>,
    pub bounds: Vec<Bound>,
}

type Make = Box<dyn FnOnce() -> Result<Case, Failure>>;

/// Every case by its name; data are made when it is its turn.
pub fn all() -> Vec<(String, Make)> {
    let equal = || vec![Bound(1.0, Side::Plonky3)];
    let mut all: Vec<(String, Make)> = Vec::new();
    let mut add = |name: String, make: Box<dyn FnOnce(String) -> Result<Case, Failure>>| {
        let given = name.clone();
        all.push((name, Box::new(move || make(given))));
    };
    for digits in [16, 20, 24] {
        let mut bounds = equal();
        if digits == 24 {
            bounds.extend([Bound(1.0 / 2.1, Side::Unfused), Bound(1.0 / 3.5, Side::Other)]);
        }
        let name = |field: &str| format!("x² − x, {field}, 2^{digits}; other: two passes");
        add(name("babybear"), Box::new(move |n| square_less::<BabyBear>(n, digits, bounds)));
        add(name("koalabear"), Box::new(move |n| square_less::<KoalaBear>(n, digits, equal())));
        add(name("mersenne31"), Box::new(move |n| square_less::<Mersenne31>(n, digits, equal())));
        add(name("goldilocks"), Box::new(move |n| square_less::<Goldilocks>(n, digits, equal())));
    }
    for digits in [16, 20, 24] {
        let bounds = || if digits == 20 { equal() } else { Vec::new() };
        let name = |what: &str| format!("{what}, babybear, 2^{digits}");
        let (a, b, c, d, e) = (bounds(), bounds(), bounds(), bounds(), bounds());
        add(name("constraint of 11 operations"), Box::new(move |n| constraint(n, digits, a)));
        add(name("fold and sums"), Box::new(move |n| fold_and_sums(n, digits, b)));
        add(name("product round"), Box::new(move |n| product_round(n, digits, c)));
        add(name("sum"), Box::new(move |n| sum(n, digits, d)));
        add(name("dot"), Box::new(move |n| dot(n, digits, e)));
        if digits < 24 {
            let f = bounds();
            add(
                name("batch inverse") + "; other: its function for arrays",
                Box::new(move |n| inverse(n, digits, f)),
            );
        }
    }
    for target in [None, Some("avx512")] {
        let (how, most) =
            if target.is_some() { ("words of 64 bits", 1.0 / 0.8) } else { ("as planned", 1.0 / 3.0) };
        let name = format!("x² − x, bn254, 2^16, {how}; other: arkworks");
        add(name, Box::new(move |n| square_less_bn254(n, target, most)));
    }
    add("ntt of 8 columns of 2^20, babybear; other: recursive".into(), Box::new(ntt));
    add("Poseidon2, babybear, width 16, 2^14 states".into(), Box::new(poseidon2));
    all
}

/// Random elements, the same in every run.
fn elements<F: Plonky3Element>(seed: u64, dims: &[i64]) -> Result<(Tensor, Vec<F>), Failure> {
    let tensor = random::field(&random::key(seed), dims, F::DTYPE);
    let elements = tensor.to_plonky3()?;
    Ok((tensor, elements))
}

/// Lawson's two sides, after one run of each that gave these elements.
fn lawson<F: Plonky3Element + PartialEq>(
    lowered: lawson::jit::Lowered,
    arguments: &[&Tensor],
    wanted: &[F],
    unfused: bool,
) -> Result<Vec<(Side, Work<'static, Failure>)>, Failure> {
    let mut sides: Vec<(Side, Work<'static, Failure>)> = Vec::new();
    for (side, fused) in
        [(Side::Lawson, true), (Side::Unfused, false)].into_iter().take(1 + usize::from(unfused))
    {
        let mut run = Run::new(lowered.module(), arguments, fused)?;
        run.run()?;
        if run.elements::<F>()?[..] != *wanted {
            return Err(format!("{side:?} gives another result").into());
        }
        sides.push((side, Box::new(move || Ok(run.run()?))));
    }
    Ok(sides)
}

fn work(mut f: impl FnMut() + 'static) -> Work<'static, Failure> {
    Box::new(move || {
        f();
        Ok(())
    })
}

fn square_less<F: Plonky3Element + PrimeField64>(
    name: String,
    digits: u32,
    bounds: Vec<Bound>,
) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (x, values) = elements::<F>(1, &[n as i64])?;
    let mut out = F::zero_vec(n);
    packed::square_less(&values, &mut out);
    let lowered = jit(traced::square_less).lower(&x)?;
    let mut work = lawson(lowered, &[&x], &out, true)?;
    let (mut other, mut squares, again) = (F::zero_vec(n), F::zero_vec(n), values.clone());
    work.push((Side::Plonky3, self::work(move || packed::square_less(&values, black_box(&mut out)))));
    let two = move || packed::square_then_less(&again, &mut squares, black_box(&mut other));
    work.push((Side::Other, self::work(two)));
    Ok(Case { name, count: n as f64, work, bounds })
}

/// The scalar field of BN254 as arkworks has it.
#[derive(MontConfig)]
#[modulus = "21888242871839275222246405745257275088548364400416034343698204186575808495617"]
#[generator = "5"]
struct Bn254;
type Bn254Scalar = Fp256<MontBackend<Bn254, 4>>;

/// With the vectors that multiply 52 bits where the processor has them, or planned for one that has none.
fn square_less_bn254(name: String, target: Option<&str>, most: f64) -> Result<Case, Failure> {
    let n = 1usize << 16;
    let x = random::field(&random::key(15), [n as i64], DType::Bn254SfMont);
    let values = x.to_arkworks::<Bn254Scalar>()?;
    let mut out = vec![Bn254Scalar::ZERO; n];
    let run = move |out: &mut [Bn254Scalar]| {
        out.iter_mut().zip(&values).for_each(|(out, x)| *out = x.square() - x);
    };
    run(&mut out);
    let lowered = jit(traced::square_less).lower(&x)?;
    let mut ours = match target {
        None => Run::new(lowered.module(), &[&x], true)?,
        Some(target) => Run::planned_for(target, lowered.module(), &[&x])?,
    };
    ours.run()?;
    if ours.tensor().to_arkworks::<Bn254Scalar>()? != out {
        return Err("arkworks gives another result".into());
    }
    let work = vec![
        (Side::Lawson, Box::new(move || Ok(ours.run()?)) as Work<'static, Failure>),
        (Side::Other, self::work(move || run(black_box(&mut out)))),
    ];
    Ok(Case { name, count: n as f64, work, bounds: vec![Bound(most, Side::Other)] })
}

fn constraint(name: String, digits: u32, bounds: Vec<Bound>) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (columns, values) = elements::<BabyBear>(2, &[4, n as i64])?;
    let (alpha, challenge) = elements::<BabyBear>(3, &[])?;
    let mut out = BabyBear::zero_vec(n);
    let run = move |out: &mut [BabyBear]| {
        let columns = std::array::from_fn(|i| &values[i * n..(i + 1) * n]);
        packed::constraint(columns, challenge[0], out);
    };
    run(&mut out);
    let lowered = jit(traced::constraint).lower(&columns, &alpha)?;
    let mut work = lawson(lowered, &[&columns, &alpha], &out, true)?;
    work.push((Side::Plonky3, self::work(move || run(black_box(&mut out)))));
    Ok(Case { name, count: n as f64, work, bounds })
}

fn fold_and_sums(name: String, digits: u32, bounds: Vec<Bound>) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (table, values) = elements::<BabyBear>(4, &[n as i64])?;
    let (r, challenge) = elements::<BabyBear>(5, &[])?;
    let mut out = BabyBear::zero_vec(n / 2);
    let sums = packed::fold_and_sums(&values, challenge[0], &mut out);
    let lowered = jit(traced::fold_and_sums).lower(&table, &r)?;
    let mut work = lawson(lowered, &[&table, &r], &[&out[..], &sums].concat(), true)?;
    let run = move || _ = black_box(packed::fold_and_sums(&values, challenge[0], black_box(&mut out)));
    work.push((Side::Plonky3, self::work(run)));
    Ok(Case { name, count: n as f64, work, bounds })
}

fn product_round(name: String, digits: u32, bounds: Vec<Bound>) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (p, of_p) = elements::<BabyBear>(6, &[n as i64])?;
    let (q, of_q) = elements::<BabyBear>(7, &[n as i64])?;
    let (r, challenge) = elements::<BabyBear>(8, &[])?;
    let (mut out_p, mut out_q) = (BabyBear::zero_vec(n / 2), BabyBear::zero_vec(n / 2));
    let sums = packed::product_round([&of_p, &of_q], challenge[0], [&mut out_p, &mut out_q]);
    let lowered = jit(traced::product_round).lower(&p, &q, &r)?;
    let mut work = lawson(lowered, &[&p, &q, &r], &[&out_p[..], &out_q, &sums].concat(), true)?;
    let run = move || {
        let out = [black_box(&mut out_p[..]), black_box(&mut out_q[..])];
        _ = black_box(packed::product_round([&of_p, &of_q], challenge[0], out));
    };
    work.push((Side::Plonky3, self::work(run)));
    Ok(Case { name, count: n as f64, work, bounds })
}

fn sum(name: String, digits: u32, bounds: Vec<Bound>) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (x, values) = elements::<BabyBear>(9, &[n as i64])?;
    let lowered = jit(|x: &Tensor| x.sum()).lower(&x)?;
    let mut work = lawson(lowered, &[&x], &[packed::sum(&values)], false)?;
    work.push((Side::Plonky3, self::work(move || _ = black_box(packed::sum(black_box(&values))))));
    Ok(Case { name, count: n as f64, work, bounds })
}

fn dot(name: String, digits: u32, bounds: Vec<Bound>) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (x, xs) = elements::<BabyBear>(10, &[n as i64])?;
    let (y, ys) = elements::<BabyBear>(11, &[n as i64])?;
    let lowered = jit(|x: &Tensor, y: &Tensor| x.dot(y)).lower(&x, &y)?;
    let mut work = lawson(lowered, &[&x, &y], &[packed::dot(&xs, &ys)], false)?;
    work.push((Side::Plonky3, self::work(move || _ = black_box(packed::dot(black_box(&xs), &ys)))));
    Ok(Case { name, count: n as f64, work, bounds })
}

/// Plonky3's inverts no zeros, so there are none; its own function makes a new array each time.
fn inverse(name: String, digits: u32, bounds: Vec<Bound>) -> Result<Case, Failure> {
    let n = 1usize << digits;
    let (_, mut values) = elements::<BabyBear>(12, &[n as i64])?;
    values.iter_mut().filter(|v| v.is_zero()).for_each(|v| *v = BabyBear::ONE);
    let x = Tensor::from_plonky3(&values, [n as i64]);
    let lowered = jit(|x: &Tensor| x.reciprocal()).lower(&x)?;
    let wanted = batch_multiplicative_inverse(&values);
    let mut work = lawson(lowered, &[&x], &wanted, false)?;
    let mut out = BabyBear::zero_vec(n);
    packed::inverse(&values, &mut out);
    if out != wanted {
        return Err("the packed inverses differ".into());
    }
    let own = values.clone();
    let run = move || packed::inverse(black_box(&values), &mut out);
    work.push((Side::Plonky3, self::work(run)));
    let run = move || _ = black_box(batch_multiplicative_inverse(black_box(&own)));
    work.push((Side::Other, self::work(run)));
    Ok(Case { name, count: n as f64, work, bounds })
}

/// Plonky3 has columns beside each other; what a transform gives is what the next one takes, so that nothing is copied.
fn ntt(name: String) -> Result<Case, Failure> {
    let (columns, n) = (8usize, 1usize << 20);
    let (x, values) = elements::<BabyBear>(13, &[columns as i64, n as i64])?;
    let rows: Vec<BabyBear> = (0..columns * n).map(|i| values[i % columns * n + i / columns]).collect();
    let mut rows = RowMajorMatrix::new(rows, columns);
    let parallel = Radix2DitParallel::<BabyBear>::default();
    rows = parallel.dft_batch(rows).to_row_major_matrix();
    let wanted: Vec<BabyBear> = (0..columns * n).map(|i| rows.values[i % n * columns + i / n]).collect();
    let lowered = jit(|x: &Tensor| x.ntt()).lower(&x)?;
    let mut work = lawson(lowered, &[&x], &wanted, false)?;
    let recursive = RecursiveDft::<BabyBear>::new(n);
    let (mut first, mut second) = (Some(rows.clone()), Some(rows));
    let turn = move || first = first.take().map(|m| parallel.dft_batch(m).to_row_major_matrix());
    work.push((Side::Plonky3, self::work(turn)));
    let turn = move || second = second.take().map(|m| recursive.dft_batch(m).to_row_major_matrix());
    work.push((Side::Other, self::work(turn)));
    Ok(Case {
        name,
        count: (columns * n) as f64,
        work,
        bounds: vec![Bound(1.2, Side::Plonky3), Bound(1.2, Side::Other)],
    })
}

/// The words of 16 states in the lanes of a vector, on both sides.
fn poseidon2(name: String) -> Result<Case, Failure> {
    type Packed = <BabyBear as Field>::Packing;
    let n = 1usize << 14;
    let (states, values) = elements::<BabyBear>(14, &[16, n as i64])?;
    let permutation = p3_baby_bear::default_babybear_poseidon2_16();
    let run = move |out: &mut [BabyBear]| {
        let (from, to) = (Packed::pack_slice(&values), Packed::pack_slice_mut(out));
        let each = from.len() / 16;
        for i in 0..each {
            let state = permutation.permute(std::array::from_fn(|word| from[word * each + i]));
            state.iter().enumerate().for_each(|(word, &x)| to[word * each + i] = x);
        }
    };
    let mut out = BabyBear::zero_vec(16 * n);
    run(&mut out);
    let hash = Poseidon2::babybear();
    let lowered = jit(|x: &Tensor| hash.permute_columns(x)).lower(&states)?;
    let mut work = lawson(lowered, &[&states], &out, false)?;
    work.push((Side::Plonky3, self::work(move || run(black_box(&mut out)))));
    Ok(Case { name, count: n as f64, work, bounds: vec![Bound(1.0, Side::Plonky3)] })
}
