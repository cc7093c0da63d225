//! Random elements: of every field and extension, uniform, the same for the same key.

use super::{extensions, fields, modulus, values};
use lawson_frontend::random::{field, key, split_pair};
use lawson_frontend::{DType, Tensor};

/// Elements of each sample: the mean of that many values is within six standard deviations of p/2, and none of 16 equal parts of the
/// range has less than half or more than twice its share.
const COUNT: i64 = 2048;

#[test]
fn elements_are_uniform() {
    for (n, dtype) in fields().chain(extensions()).enumerate() {
        let p = modulus(dtype) as f64;
        let drawn = values(&field(&key(n as u64), [2, COUNT / 2], dtype));
        let each = dtype.extension().map_or(1, |e| e.degree as usize);
        assert_eq!(drawn.len(), COUNT as usize * each);
        for c in 0..each {
            let sample: Vec<f64> = drawn.iter().skip(c).step_by(each).map(|&v| v as f64 / p).collect();
            let mean = sample.iter().sum::<f64>() / COUNT as f64;
            let deviation = (1.0 / 12.0 / COUNT as f64).sqrt();
            assert!((mean - 0.5).abs() < 6.0 * deviation, "{dtype}: {mean}");
            let mut parts = [0; 16];
            sample.iter().for_each(|v| parts[(v * 16.0) as usize] += 1);
            assert!(parts.iter().all(|&n| (64..256).contains(&n)), "{dtype}: {parts:?}");
        }
    }
}

#[test]
fn a_key_gives_the_same_values_whatever_the_storage() {
    let (first, second) = split_pair(&key(5));
    for (plain, montgomery) in [
        (DType::BabyBear, DType::BabyBearMont),
        (DType::Goldilocks, DType::GoldilocksMont),
        (DType::KoalaBearX4, DType::KoalaBearX4Mont),
    ] {
        let of = |k: &Tensor, dtype| values(&field(k, [8], dtype));
        assert_eq!(of(&first, plain), of(&first, montgomery));
        assert_ne!(of(&first, plain), of(&second, plain));
    }
}

#[test]
fn other_types_are_errors() {
    let error = field(&key(0), [2], DType::U32).error().expect("no field").to_string();
    assert!(error.contains("`field` gives elements of prime fields, not u32"), "{error}");
    assert!(field(&key(0), [-1], DType::BabyBear).error().is_some());
}
