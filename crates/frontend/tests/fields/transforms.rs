//! Transforms, roots of unity, powers and values of polynomials, by their definitions.

use super::exact::{Modulo, Random};
use super::{extensions, fields, modulus, random, same, text, values};
use lawson_frontend::{DType, Tensor, tensor::stack};

/// The values of polynomials, whose coefficients are the rows of `x`, at `coset` times the roots of unity.
fn evaluated(x: &Tensor, coset: u64) -> Tensor {
    let n = x.dims()[1];
    let roots = Tensor::roots_of_unity(n, x.dtype());
    let points = roots * Tensor::full([n], coset, x.dtype());
    let columns: Vec<Tensor> = (0..n).map(|i| (x * points.index(i).powers(n)).sum_axes(1)).collect();
    stack(&columns.iter().collect::<Vec<_>>(), 1)
}

#[test]
fn transforms_are_values_at_the_roots_of_unity() {
    let mut rng = Random(31);
    for dtype in fields().chain(extensions()) {
        let longest = dtype.part().field().unwrap().prime.parameters().two_adicity;
        for digits in 0..=longest.min(4) {
            let x = random(dtype, &[3, 1 << digits], &mut rng);
            same(&x.ntt(), &evaluated(&x, 1));
            same(&x.ntt_coset(31), &evaluated(&x, 31));
            same(&x.ntt().intt(), &x);
            same(&x.intt_coset(31).ntt_coset(31), &x);
        }
    }
}

#[test]
fn roots_have_their_order_and_powers_follow_each_other() {
    let mut rng = Random(32);
    for dtype in fields() {
        let p = modulus(dtype);
        let n = 1 << dtype.field().unwrap().prime.parameters().two_adicity.min(5);
        let roots = values(&Tensor::roots_of_unity(n, dtype));
        assert_eq!((roots[0], roots[n as usize / 2]), (1, p - 1));
        let m = Modulo(p);
        assert!(roots.windows(2).all(|w| w[1] == m.multiply(w[0], roots[1])));
    }
    for dtype in fields().chain(extensions()) {
        let x = random(dtype, &[2], &mut rng);
        for n in [0, 1, 2, 3, 7, 8] {
            let powers = x.powers(n);
            assert_eq!(powers.dims(), [2, n]);
            if n > 0 {
                same(
                    &powers,
                    &x.reshape([2, 1]).broadcast_to([2, n - 1]).pad([(0, 0), (1, 0)], 1).cumprod(1),
                );
            }
        }
        let c = random(dtype, &[2, 3], &mut rng);
        let [a, b, d] = [0, 1, 2].map(|i| c.index((.., i)));
        same(&c.evaluate(&x), &(&a + &x * (&b + &x * &d)));
    }
}

#[test]
fn bits_are_reversed_along_the_dimensions_that_are_named() {
    let x = Tensor::arange(0..32, DType::BabyBear).reshape([4, 8]);
    let of = |i: u64, digits: u32| i.reverse_bits() >> (64 - digits);
    let wanted = |rows: bool, columns: bool| -> Vec<u64> {
        let at = |i: u64, j: u64| 8 * if rows { of(i, 2) } else { i } + if columns { of(j, 3) } else { j };
        (0..32).map(|n| at(n / 8, n % 8)).collect()
    };
    assert_eq!(values(&x.bit_reverse(0)), wanted(true, false));
    assert_eq!(values(&x.bit_reverse(-1)), wanted(false, true));
    assert_eq!(values(&x.bit_reverse([0, 1])), wanted(true, true));
}

#[test]
fn what_is_traced_is_one_operation() {
    let t = text(&[(DType::BabyBear, &[2, 8])], |x| x[0].intt_coset(5).bit_reverse(1));
    assert!(t.contains("ntt_type=INTT, ntt_length={8}, coset=5"), "{t}");
    assert!(t.contains("bit-reverse(") && t.contains("dimensions={1}"), "{t}");
}

#[test]
fn mistakes_are_errors_with_their_line() {
    let x = Tensor::zeros([6], DType::BabyBear);
    let fails = |t: Tensor, line: u32, words: &str| {
        let e = t.error().expect("it fails").clone();
        assert!(e.message().contains(words), "{e}");
        assert_eq!((e.place().file(), e.place().line()), (file!(), line));
    };
    fails(x.ntt(), line!(), "power of two");
    fails(x.bit_reverse(0), line!(), "bit-reverse");
    fails(Tensor::zeros([4], DType::F32).ntt(), line!(), "prime field");
    fails(Tensor::zeros([4], DType::BabyBear).ntt_coset(0), line!(), "coset");
    fails(Tensor::zeros([4], DType::Mersenne31).ntt(), line!(), "up to 2");
    fails(Tensor::roots_of_unity(1 << 28, DType::BabyBear), line!(), "up to 134217728");
    fails(Tensor::roots_of_unity(4, DType::U32), line!(), "no prime field");
    fails(Tensor::zeros([], DType::BabyBear).evaluate(3), line!(), "no dimension of coefficients");
}
