//! Sums of one table, and of products of two and three: right proofs pass, wrong ones do not.

use super::{random_base, tampered, values};
use lawson::Tensor;
use lawson_examples::progress::Progress;
use lawson_examples::provers::EXTENSION;
use lawson_examples::provers::sumcheck::{Proof, Statement, have_values, prove, verify};

const VARIABLES: usize = 5;

fn tables(count: u64) -> Vec<Tensor> {
    (0..count).map(|n| random_base(n, &[1 << VARIABLES])).collect()
}

fn proven(tables: &[Tensor]) -> (Proof, Statement) {
    let statement = Statement::new(tables).expect("it runs");
    (prove(tables, &statement, &Progress::hidden()).expect("it runs"), statement)
}

fn passes(proof: &Proof, statement: &Statement) -> Option<Tensor> {
    verify(proof, statement).expect("it runs")
}

#[test]
fn right_proofs_pass() {
    for degree in 1..=3 {
        let tables = tables(degree);
        let (proof, statement) = proven(&tables);
        let product = tables[1..].iter().fold(tables[0].clone(), |p, t| p * t);
        assert_eq!(values(&proof.sum), values(&product.sum().astype(EXTENSION)));
        let point = passes(&proof, &statement).expect("it is right");
        assert_eq!(point.dims(), [VARIABLES as i64]);
        assert!(have_values(&tables, &point, &proof.values).expect("it runs"));
    }
}

#[test]
fn wrong_proofs_do_not() {
    let tables = tables(2);
    let (proof, statement) = proven(&tables);
    let with = |f: &dyn Fn(&mut Proof)| {
        let mut wrong = proof.clone();
        f(&mut wrong);
        passes(&wrong, &statement)
    };
    assert!(with(&|p| p.sum = tampered(&p.sum, 0)).is_none());
    assert!(with(&|p| p.values = tampered(&p.values, 5)).is_none());
    assert!(with(&|p| p.rounds[4] = tampered(&p.rounds[4], 9)).is_none());
    assert!(with(&|p| _ = p.rounds.pop()).is_none());
    assert!(with(&|p| p.values = p.values.broadcast_to([2, 2])).is_none());
    assert!(with(&|p| p.sum = p.sum.coefficients().index(0)).is_none());
    // A proof is one of its statement alone.
    let about = |f: &dyn Fn(&mut Statement)| {
        let mut other = statement.clone();
        f(&mut other);
        passes(&proof, &other)
    };
    assert!(about(&|_| ()).is_some());
    assert!(about(&|s| s.roots[1] = tampered(&s.roots[1], 2)).is_none());
    assert!(about(&|s| s.roots.swap(0, 1)).is_none());
    assert!(about(&|s| _ = s.roots.pop()).is_none());
    assert!(about(&|s| s.variables += 1).is_none());
    // A sum that is wrong from the start ends with values that the tables do not have.
    let mut other = tables.clone();
    other[0] = tampered(&tables[0], 27);
    let lie = prove(&other, &statement, &Progress::hidden()).expect("it runs");
    let point = passes(&lie, &statement).expect("it fits together");
    assert!(!have_values(&tables, &point, &lie.values).expect("it runs"));
}
