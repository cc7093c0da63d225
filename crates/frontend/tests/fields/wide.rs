//! Elements of a field of more than 64 bits: from and to values, operations, derivatives and batches.

use super::values;
use lawson_frontend::control::fori_loop;
use lawson_frontend::grad::{grad, jvp};
use lawson_frontend::tensor::stack;
use lawson_frontend::vmap::vmap;
use lawson_frontend::{DType, Tensor};

const FIELDS: [DType; 2] = [DType::Bn254Sf, DType::Bn254SfMont];
/// The words of p.
const P: [u64; 4] = [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];

/// Elements of numbers of 64 bits.
fn of(dtype: DType, numbers: &[u64]) -> Tensor {
    let words: Vec<u64> = numbers.iter().flat_map(|&n| [n, 0, 0, 0]).collect();
    Tensor::from_values(dtype, &words, [numbers.len() as i64])
}

/// The words of −n, for small n.
fn minus(n: u64) -> [u64; 4] {
    [P[0] - n, P[1], P[2], P[3]]
}

#[test]
fn values_are_four_words() {
    for dtype in FIELDS {
        let given = [&minus(1)[..], &[0, 1, 0, 0], &[7, 0, 0, 1]].concat();
        let x = Tensor::from_values(dtype, &given, [3]);
        assert_eq!(values(&x), given);
        assert_eq!(values(&x.astype(FIELDS[0]).astype(FIELDS[1])), given);
        assert_eq!(x.astype(DType::U64).to_vec::<u64>().unwrap(), [P[0] - 1, 0, 7]);
        let n = Tensor::new(&[-1i64, 3], [2]).astype(dtype);
        assert_eq!(values(&n), [&minus(1)[..], &[3, 0, 0, 0]].concat());
        assert_eq!(values(&x.bitcast(DType::U64).bitcast(dtype)), given);
    }
}

#[test]
fn mistakes_are_errors() {
    for dtype in FIELDS {
        let told = |t: Tensor| t.error().expect("an error").to_string();
        let e = told(Tensor::from_values(dtype, &P, []));
        assert!(
            e.contains("2188824287183927522224640574525727508854836440041603434369820418657580849561"),
            "{e}"
        );
        assert!(told(Tensor::from_values(dtype, &[1u64], [])).contains("4 each"));
        assert!(told(of(dtype, &[1]) + 0.5).contains("whole numbers"));
        assert!(told(of(dtype, &[1]) + Tensor::new(&[1u64], [1])).contains("`astype`"));
    }
}

#[test]
fn arithmetic_is_modulo_p() {
    for dtype in FIELDS {
        let (x, y) = (of(dtype, &[5, u64::MAX]), of(dtype, &[7, u64::MAX]));
        // (2^64 − 1)² = 2^128 − 2^65 + 1
        assert_eq!(values(&(&x * &y)), [35, 0, 0, 0, 1, u64::MAX - 1, 0, 0]);
        assert_eq!(values(&(&x - &y)), [minus(2), [0; 4]].concat());
        assert_eq!(values(&(&x / &y * &y)), values(&x));
        assert_eq!(values(&(of(dtype, &[1]) / of(dtype, &[0]))), [0; 4]);
        assert_eq!(values(&(x.pow(3) * x.pow(-2) + 1 - &x)), [1, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(values(&x.dot(&y)), values(&(&x * &y).sum()));
    }
}

#[test]
fn derivatives_and_batches() {
    for dtype in FIELDS {
        let f = |x: &Tensor| (x.pow(3) - x * 5).sum();
        assert_eq!(values(&grad(f)(&of(dtype, &[2, 0]))), [&[7, 0, 0, 0][..], &minus(5)].concat());
        let (x, one) = (of(dtype, &[4]), of(dtype, &[1]));
        let tangent = jvp(|x: &Tensor| x.reciprocal(), &(x.clone(),), &(one,)).1;
        assert_eq!(values(&(tangent * &x * &x)), minus(1));
        let step = |x: &Tensor| fori_loop(0, 3, |_, z: &Tensor| z * x + 1, x);
        let rows = Tensor::from_values(dtype, &[&[2, 0, 0, 0][..], &minus(1)].concat(), [2, 1]);
        let each: Vec<Tensor> = (0..2).map(|i| step(&rows.index(i))).collect();
        assert_eq!(values(&vmap(step)(&rows)), values(&stack(&each, 0)));
    }
}
