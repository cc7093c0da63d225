//! Sums of one table, and of products of two and three: right proofs pass, wrong ones do not.

use super::{random_base, tampered, values};
use lawson::Tensor;
use lawson_examples::progress::Progress;
use lawson_examples::provers::EXTENSION;
use lawson_examples::provers::sumcheck::{Proof, have_values, prove, verify};

const VARIABLES: usize = 5;

fn tables(count: u64) -> Vec<Tensor> {
    (0..count).map(|n| random_base(n, &[1 << VARIABLES])).collect()
}

fn passes(proof: &Proof, degree: i64) -> Option<Tensor> {
    verify(proof, degree, VARIABLES).expect("it runs")
}

#[test]
fn right_proofs_pass() {
    for degree in 1..=3 {
        let tables = tables(degree);
        let proof = prove(&tables, &Progress::hidden()).expect("it runs");
        let product = tables[1..].iter().fold(tables[0].clone(), |p, t| p * t);
        assert_eq!(values(&proof.sum), values(&product.sum().astype(EXTENSION)));
        let point = passes(&proof, degree as i64).expect("it is right");
        assert_eq!(point.dims(), [VARIABLES as i64]);
        assert!(have_values(&tables, &point, &proof.values).expect("it runs"));
    }
}

#[test]
fn wrong_proofs_do_not() {
    let tables = tables(2);
    let proof = prove(&tables, &Progress::hidden()).expect("it runs");
    let with = |f: &dyn Fn(&mut Proof)| {
        let mut wrong = proof.clone();
        f(&mut wrong);
        passes(&wrong, 2)
    };
    assert!(with(&|p| p.sum = tampered(&p.sum, 0)).is_none());
    assert!(with(&|p| p.values = tampered(&p.values, 5)).is_none());
    assert!(with(&|p| p.rounds[4] = tampered(&p.rounds[4], 9)).is_none());
    assert!(with(&|p| _ = p.rounds.pop()).is_none());
    // A sum that is wrong from the start ends with values that the tables do not have.
    let mut other = tables.clone();
    other[0] = tampered(&tables[0], 27);
    let lie = prove(&other, &Progress::hidden()).expect("it runs");
    let point = passes(&lie, 2).expect("it fits together");
    assert!(!have_values(&tables, &point, &lie.values).expect("it runs"));
}
