//! Values that stand in the table pass, others do not.

use super::{tampered, values};
use lawson::Tensor;
use lawson_examples::provers::BASE;
use lawson_examples::provers::lookup::{Lookup, prove, verify};

const COUNT: usize = 256;

fn numbers() -> Tensor {
    let numbers: Vec<u64> = (0..COUNT as u64).map(|i| i * i % 251).collect();
    Tensor::from_values(BASE, &numbers, [COUNT as i64])
}

#[test]
fn values_of_the_table_pass() {
    let numbers = numbers();
    let lookup = prove(&numbers).expect("it runs");
    let mut counts = vec![0; COUNT];
    values(&numbers).iter().for_each(|&v| counts[v as usize] += 1);
    assert_eq!(values(&lookup.multiplicities), counts);
    assert!(verify(&numbers, &lookup).expect("it runs"));
    assert_eq!(values(&lookup.running.index(-1)), [0; 4]);
    for wrong in [
        Lookup { running: lookup.running.index(1..), ..lookup.clone() },
        Lookup { running: lookup.running.coefficients().index((.., 0)), ..lookup.clone() },
        Lookup { running: tampered(&lookup.running, 400), ..lookup.clone() },
        Lookup { multiplicities: tampered(&lookup.multiplicities, 9), ..lookup.clone() },
        Lookup { root: tampered(&lookup.root, 3), ..lookup.clone() },
    ] {
        assert!(!verify(&numbers, &wrong).expect("it runs"));
    }
}

#[test]
fn another_value_does_not() {
    let mut wrong = values(&numbers());
    wrong[100] = COUNT as u64;
    let wrong = Tensor::from_values(BASE, &wrong, [COUNT as i64]);
    let lookup = prove(&wrong).expect("it runs");
    assert!(!verify(&wrong, &lookup).expect("it runs"));
    assert_ne!(values(&lookup.running.index(-1)), [0; 4]);
}
