//! Low-degree extensions against Plonky3's, openings at a point, and FRI.

use super::{random_base, tampered, values};
use lawson::{Tensor, jit};
use lawson_examples::progress::Progress;
use lawson_examples::provers::commitment::{
    Opened, Proof, evaluate, extend, extend_bit_reversed, prove, verify,
};
use lawson_examples::provers::fri::{self, Parameters};
use lawson_examples::provers::transcript::Transcript;
use lawson_examples::provers::{EXTENSION, coset_shift};
use p3_baby_bear::BabyBear;
use p3_dft::{Radix2Dit, TwoAdicSubgroupDft};
use p3_field::{Field, PrimeCharacteristicRing};
use p3_matrix::Matrix;
use p3_matrix::bitrev::BitReversibleMatrix;
use p3_matrix::dense::RowMajorMatrix;

const OF: Parameters = Parameters { blowup: 2, queries: 8 };
const DIGITS: u32 = 6;

#[test]
fn extensions_are_those_of_plonky3() {
    let columns = random_base(1, &[5, 64]);
    let (natural, reversed) =
        jit(|x: &Tensor| (extend(x, 2), extend_bit_reversed(x, 2))).call(&columns).expect("it runs");
    let rows = RowMajorMatrix::new(columns.t().to_plonky3::<BabyBear>().expect("elements"), 5);
    assert_eq!(BabyBear::GENERATOR, BabyBear::from_u64(coset_shift()));
    let wanted = Radix2Dit::default().coset_lde_batch(rows, 2, BabyBear::GENERATOR).to_row_major_matrix();
    assert_eq!(natural.t().to_plonky3::<BabyBear>().expect("elements"), wanted.values);
    let wanted = wanted.bit_reverse_rows().to_row_major_matrix();
    assert_eq!(reversed.t().to_plonky3::<BabyBear>().expect("elements"), wanted.values);
}

#[test]
fn openings_that_are_right_pass_and_others_do_not() {
    let columns = random_base(2, &[3, 1 << DIGITS]);
    let proof = prove(&columns, OF, &Progress::hidden()).expect("it runs");
    let passes = |p: &Proof| verify(p, 3, DIGITS, OF).expect("it runs");
    let zeta = passes(&proof).expect("it is right");
    assert_eq!(values(&evaluate(&columns, &zeta)), values(&proof.opened.values[0][0]));

    let with = |f: &dyn Fn(&mut Proof)| {
        let mut wrong = proof.clone();
        f(&mut wrong);
        passes(&wrong)
    };
    assert!(with(&|p| p.root = tampered(&p.root, 3)).is_none());
    let with = |f: &dyn Fn(&mut Opened)| with(&|p| f(&mut p.opened));
    assert!(with(&|p| p.values[0][0] = tampered(&p.values[0][0], 0)).is_none());
    assert!(with(&|p| p.openings[0][5][1].column[2] ^= 1).is_none());
    assert!(with(&|p| _ = p.openings[0].pop()).is_none());
    assert!(with(&|p| p.low_degree.constant = tampered(&p.low_degree.constant, 1)).is_none());
    assert!(with(&|p| p.low_degree.constant = p.low_degree.constant.coefficients().index(0)).is_none());
    assert!(with(&|p| p.low_degree.constant = p.low_degree.constant.broadcast_to([8])).is_none());
    assert!(with(&|p| p.low_degree.openings[7][3].column[0] ^= 1).is_none());
    assert!(with(&|p| p.low_degree.roots[2] = tampered(&p.low_degree.roots[2], 0)).is_none());
    assert!(with(&|p| _ = p.low_degree.openings[0].pop()).is_none());
}

#[test]
fn values_of_no_polynomial_of_low_degree_are_found() {
    let passes = |values: Tensor| {
        let mut transcripts = [0, 1].map(|_| Transcript::new("fri").expect("it runs"));
        let [prover, verifier] = &mut transcripts;
        let (proof, places) = fri::prove(values, OF, prover, &Progress::hidden()).expect("it runs");
        let checked = fri::verify(&proof, DIGITS + OF.blowup, OF, verifier).expect("it runs");
        checked.is_some_and(|c| c.places == places)
    };
    let low = random_base(5, &[1, 1 << DIGITS]);
    let codeword = extend(&low, OF.blowup).index(0).astype(EXTENSION);
    assert!(passes(codeword));
    let one = fri::prove(
        Tensor::ones([1 << OF.blowup], EXTENSION),
        OF,
        &mut Transcript::new("fri").expect("it runs"),
        &Progress::hidden(),
    );
    let Err(error) = one else { panic!("one coefficient is a constant") };
    let error = error.to_string();
    assert!(error.contains("4 values are those of 1 coefficients"), "{error}");
    let high = random_base(6, &[1 << (DIGITS + OF.blowup)]).astype(EXTENSION);
    assert!(!passes(high));
}
