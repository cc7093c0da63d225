//! Elements from and to values, and their arithmetic.

use super::exact::{Modulo, Random, product};
use super::{extensions, fields, modulus, random, same, text, values};
use lawson_frontend::{DType, Tensor};

#[test]
fn what_is_given_is_read() {
    let mut rng = Random(1);
    for dtype in fields().chain(extensions()) {
        let p = modulus(dtype);
        let each = dtype.extension().map_or(1, |e| e.degree) as usize;
        let mut given: Vec<u64> = (0..6 * each).map(|_| rng.next() % p).collect();
        (given[0], given[1]) = (p - 1, 0);
        let x = Tensor::from_values(dtype, &given, [2, 3]);
        assert_eq!((x.dtype(), x.dims()), (dtype, &[2, 3][..]));
        assert_eq!(values(&x), given);
        assert_eq!(values(&x.t().t()), given);
        assert_eq!(values(&Tensor::from_values(dtype, &[1u32; 4][..each], [])), [1u64; 4][..each]);
    }
}

#[test]
fn storage_is_not_taken_for_values() {
    let x = Tensor::from_values(DType::BabyBearMont, &[1u32, 2], [2]);
    assert_eq!(values(&x), [1, 2]);
    let r = (1u64 << 32) % modulus(x.dtype());
    assert_eq!(x.bitcast(DType::U32).to_vec::<u32>().unwrap(), [r as u32, 2 * r as u32]);
    let e = x.to_vec::<u32>().unwrap_err().to_string();
    assert!(e.contains("babybear_mont[2]") && e.contains("`values`"), "{e}");
    assert!(x.item::<u32>().is_err());
}

#[test]
fn casts_keep_values() {
    for dtype in fields() {
        let (p, n) = (modulus(dtype), Tensor::new(&[0i32, 1, -1, 7, -9], [5]));
        let x = n.astype(dtype);
        assert_eq!(values(&x), [0, 1, p - 1, 7, p - 9]);
        assert_eq!(x.astype(DType::U64).to_vec::<u64>().unwrap(), values(&x));
        assert_eq!(x.astype(DType::Pred).to_vec::<bool>().unwrap(), [false, true, true, true, true]);
        let big = Tensor::new(&[u64::MAX, p, p + 3], [3]).astype(dtype);
        assert_eq!(values(&big), [u64::MAX % p, 0, 3]);
    }
    let x = Tensor::from_values(DType::KoalaBear, &[3u32, 2_130_706_432], [2]);
    let there = x.astype(DType::KoalaBearMont);
    assert_eq!(values(&there), values(&x));
    same(&there.astype(DType::KoalaBear), &x);
    assert_eq!(values(&x.astype(DType::KoalaBearX4)), [3, 0, 0, 0, 2_130_706_432, 0, 0, 0]);
}

#[test]
fn arithmetic_is_modulo_p() {
    let mut rng = Random(2);
    for dtype in fields() {
        let m = Modulo(modulus(dtype));
        let (x, mut y) = (random(dtype, &[5], &mut rng), values(&random(dtype, &[5], &mut rng)));
        y[4] = 0;
        let (xs, y) = (values(&x), Tensor::from_values(dtype, &y, [5]));
        let ys = values(&y);
        let each = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
            xs.iter().zip(&ys).map(|(&x, &y)| f(x, y)).collect()
        };
        let one = |f: &dyn Fn(u64) -> u64| each(&|x, _| f(x));
        assert_eq!(values(&(&x + &y)), each(&|x, y| m.add(x, y)));
        assert_eq!(values(&(&x - &y)), each(&|x, y| m.add(x, m.negate(y))));
        assert_eq!(values(&(&x * &y)), each(&|x, y| m.multiply(x, y)));
        assert_eq!(values(&(&x / &y)), each(&|x, y| m.multiply(x, m.inverse(y))));
        assert_eq!(values(&y.reciprocal()), each(&|_, y| m.inverse(y)));
        assert_eq!(values(&-&x), one(&|x| m.negate(x)));
        assert_eq!(values(&x.square()), one(&|x| m.multiply(x, x)));
        for n in [0, 1, 2, 5, 31] {
            assert_eq!(values(&x.pow(n as i32)), one(&|x| m.power(x, n)));
        }
        assert_eq!(values(&x.pow(m.0 - 2)), one(&|x| m.inverse(x)));
        assert_eq!(values(&y.pow(-2)), each(&|_, y| m.inverse(m.multiply(y, y))));
        let exponents = Tensor::new(&[0u32, 1, 2, 7, u32::MAX], [5]);
        let powers: Vec<u64> =
            xs.iter().zip([0, 1, 2, 7, u64::from(u32::MAX)]).map(|(&x, n)| m.power(x, n)).collect();
        assert_eq!(values(&x.pow(&exponents)), powers);
    }
}

#[test]
fn numbers_of_rust_are_elements() {
    for dtype in fields().chain(extensions()) {
        let x = Tensor::ones([], dtype);
        let p = modulus(dtype);
        let first = |t: Tensor| {
            assert_eq!(t.dtype(), dtype, "{t:?}");
            values(&t)[0]
        };
        assert_eq!(first(&x * 3u32), 3);
        assert_eq!(first(&x - 2), p - 1);
        assert_eq!(first(5 - &x), 4);
        assert_eq!(first(-1 * &x), p - 1);
        assert_eq!(first(&x + (p - 1)), 0);
        assert_eq!(first(&x / 2 + &x / 2u8), 1);
        assert_eq!(first(1 / (&x * 4) * 8), 2);
        assert_eq!(first(&x + true), 2);
        assert_eq!(first(&x * Tensor::from(-3)), p - 3);
    }
}

#[test]
fn extensions_multiply_as_polynomials() {
    let mut rng = Random(3);
    for dtype in extensions() {
        let n = dtype.extension().unwrap().degree as usize;
        let (x, y) = (random(dtype, &[4], &mut rng), random(dtype, &[4], &mut rng));
        let (xs, ys) = (values(&x), values(&y));
        let rows = || xs.chunks(n).zip(ys.chunks(n));
        let wanted: Vec<u64> = rows().flat_map(|(x, y)| product(dtype, x, y)).collect();
        assert_eq!(values(&(&x * &y)), wanted);
        same(&(&x * &y / &y), &x);
        same(&(&x * x.reciprocal()), &Tensor::ones([4], dtype));
        same(&x.pow(3), &(&x * &x * &x));
        let dot = rows().fold(vec![0; n], |sum, (x, y)| {
            let m = Modulo(modulus(dtype));
            sum.iter().zip(product(dtype, x, y)).map(|(&s, p)| m.add(s, p)).collect()
        });
        assert_eq!(values(&x.dot(&y)), dot);
    }
}

#[test]
fn an_extension_meets_its_field() {
    let mut rng = Random(4);
    for dtype in extensions() {
        let base = dtype.part();
        let (z, x) = (random(dtype, &[2, 3], &mut rng), random(base, &[2, 3], &mut rng));
        let wide = x.astype(dtype);
        same(&(&z * &x), &(&z * &wide));
        same(&(&x * &z), &(&z * &wide));
        same(&(&z / &x), &(&z / &wide));
        same(&(&x / &z), &(&wide / &z));
        same(&(&x + &z), &(&wide + &z));
        same(&(&z - &x), &(&z - &wide));
        same(&z.matmul(x.t()), &z.matmul(wide.t()));
        same(&x.matmul(z.t()), &wide.matmul(z.t()));
        same(&lawson_frontend::tensor::concatenate(&[&x, &z], 0).index(0), &wide.index(0));
    }
}

/// Mixed products are cheaper than those of the extension, so nothing is converted for them.
#[test]
fn products_with_a_field_convert_nothing() {
    let types: &[(DType, &[i64])] = &[(DType::BabyBearX4Mont, &[3]), (DType::BabyBearMont, &[3])];
    let programs: &[fn(&[Tensor]) -> Tensor] = &[
        |x| &x[0] * &x[1],
        |x| &x[1] * &x[0],
        |x| &x[0] / &x[1],
        |x| &x[0] * 3,
        |x| x[0].dot(&x[1]),
        |x| x[1].outer(&x[0]),
        |x| lawson_frontend::tensor::einsum("i,i,j->j", &[&x[1], &x[1], &x[0]]),
    ];
    for (n, f) in programs.iter().enumerate() {
        let text = text(types, f);
        assert!(!text.contains("convert("), "{n}:\n{text}");
    }
    let sum = text(types, |x| &x[0] + &x[1]);
    assert!(sum.contains("convert("), "{sum}");
}

#[test]
fn coefficients_are_taken_apart_and_put_together() {
    let mut rng = Random(5);
    for dtype in extensions() {
        let n = i64::from(dtype.extension().unwrap().degree);
        let z = random(dtype, &[2, 3], &mut rng);
        let parts = z.coefficients();
        assert_eq!((parts.dtype(), parts.dims()), (dtype.part(), &[2, 3, n][..]));
        assert_eq!(values(&parts), values(&z));
        same(&parts.from_coefficients(dtype), &z);
    }
}
