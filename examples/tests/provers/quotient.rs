//! Tables that satisfy the constraints have a quotient; others have none.

use super::{tampered, values};
use lawson_examples::provers::quotient::{Proof, hlo, prove, table, verify};

const MACHINES: i64 = 20;
const ROWS: i64 = 128;

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
fn a_table_that_satisfies_the_constraints_has_a_quotient_and_another_has_none() {
    let table = table(MACHINES, ROWS, 2).expect("it runs");
    let proof = prove(&table).expect("it runs");
    assert!(proof.too_high == 0 && verify(&proof, ROWS).expect("it runs"));
    let wrong = Proof { quotient: tampered(&proof.quotient, 2), ..proof.clone() };
    assert!(!verify(&wrong, ROWS).expect("it runs"));

    let proof = prove(&tampered(&table, (ROWS * 7 + 50) as usize)).expect("it runs");
    assert!(proof.too_high > 0);
}

#[test]
fn the_quotient_is_lowered() {
    assert!(hlo(4, 16).expect("it is traced").contains("babybearx4_mont[64]"));
}
