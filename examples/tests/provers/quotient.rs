//! Tables that satisfy the constraints have a quotient; others have none.

use super::{tampered, values};
use lawson::Tensor;
use lawson_examples::progress::Progress;
use lawson_examples::provers::quotient::{Proof, hlo, prove, table, verify};

const MACHINES: i64 = 20;
const ROWS: i64 = 128;
const QUERIES: usize = 4;

#[test]
fn rows_follow_from_each_other() {
    let (table, p) = (values(&table(MACHINES, ROWS, 1).expect("it runs")), 2013265921);
    let at = |part: i64, machine: i64, row: i64| table[((part * MACHINES + machine) * ROWS + row) as usize];
    for machine in 0..MACHINES {
        for row in 0..ROWS - 1 {
            let [a, b, c] = [0, 1, 2].map(|part| at(part, machine, row));
            let wanted = [(a * b % p * c + machine as u64) % p, a, b];
            assert_eq!([0, 1, 2].map(|part| at(part, machine, row + 1)), wanted);
        }
    }
}

#[test]
fn a_table_that_satisfies_the_constraints_passes_and_another_does_not() {
    let table = table(MACHINES, ROWS, 2).expect("it runs");
    let proven = |table: &Tensor| prove(table, QUERIES, &Progress::hidden()).expect("it runs");
    let passes = |p: &Proof| verify(p, MACHINES, ROWS.trailing_zeros(), QUERIES).expect("it runs");
    let proof = proven(&table);
    assert!(passes(&proof));

    let with = |f: &dyn Fn(&mut Proof)| {
        let mut wrong = proof.clone();
        f(&mut wrong);
        passes(&wrong)
    };
    // Commitments: the challenges become others, too.
    assert!(!with(&|p| p.roots[0] = tampered(&p.roots[0], 1)));
    assert!(!with(&|p| p.roots[1] = tampered(&p.roots[1], 5)));
    // What is said of them.
    assert!(!with(&|p| p.opened.values[0][1] = tampered(&p.opened.values[0][1], 7)));
    assert!(!with(&|p| p.opened.values[1][0] = tampered(&p.opened.values[1][0], 2)));
    assert!(!with(&|p| p.opened.openings[1][2][0].column[3] ^= 1));

    assert!(!passes(&proven(&tampered(&table, (ROWS * 7 + 50) as usize))));
}

#[test]
fn the_quotient_is_lowered() {
    assert!(hlo(4, 16).expect("it is traced").contains("babybearx4_mont[64]"));
}
