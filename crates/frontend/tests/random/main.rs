//! Random numbers against those that JAX recorded in `values.txt`, which `scripts/record_random_values.py` writes.

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/recorded.rs"]
mod recorded;

use lawson_frontend::{DType, Tensor, random};
use recorded::{Close, difference, recorded, shape_of};
use support::values;

const SHAPES: [&[i64]; 7] = [&[], &[1], &[7], &[2, 3], &[3, 5, 2], &[0, 4], &[129]];

const VALUES: &str = include_str!("values.txt");

/// The tensor is what was recorded under that name.
#[track_caller]
fn same(name: &str, found: &Tensor, close: Close) {
    let difference = difference(found, &recorded(VALUES, name), close);
    assert!(difference.is_none(), "{name}: {}", difference.unwrap_or_default());
}

/// The words of a shape in the names of what is recorded.
fn label(dims: &[i64]) -> String {
    match dims {
        [] => "scalar".into(),
        _ => dims.iter().map(ToString::to_string).collect::<Vec<_>>().join("x"),
    }
}

fn key() -> Tensor {
    random::key(42)
}

fn many() -> Tensor {
    random::key(7)
}

#[test]
fn keys_are_those_of_jax() {
    for seed in [0i64, 1, 42, -1, 1 << 31, (1 << 32) - 1] {
        same(&format!("key/{seed}"), &random::key(seed), Close::Equal);
    }
    assert_eq!(values(&random::key(Tensor::new(&[42i64], []))), [0.0, 42.0]);
    for count in [1, 2, 3, 5] {
        same(&format!("split/{count}"), &random::split(&key(), count), Close::Equal);
    }
    for data in [0i64, 1, 7, 1 << 31] {
        same(&format!("fold_in/{data}"), &random::fold_in(&key(), data), Close::Equal);
    }
    let all = values(&random::split(&key(), 2));
    let (first, second) = random::split_pair(&key());
    assert_eq!([values(&first), values(&second)].concat(), all);
}

#[test]
fn bits_and_uniform_numbers_have_the_bits_of_jax() {
    for dims in SHAPES {
        for dtype in [DType::U8, DType::U16, DType::U32, DType::U64] {
            same(&format!("bits/{dtype}/{}", label(dims)), &random::bits(&key(), dims, dtype), Close::Equal);
        }
        for dtype in [DType::F16, DType::Bf16, DType::F32, DType::F64] {
            let name = format!("{dtype}/{}", label(dims));
            same(&format!("uniform/{name}"), &random::uniform(&key(), dims, dtype), Close::Equal);
            let between = random::uniform_between(&key(), dims, dtype, -2.0, 6.0);
            same(&format!("uniform_between/{name}"), &between, Close::Equal);
        }
    }
}

#[test]
fn integers_are_those_of_jax() {
    for dims in SHAPES {
        for (dtype, low, high) in [
            (DType::S32, -5i64, 17i64),
            (DType::S32, -(1 << 31), (1 << 31) - 1),
            (DType::S32, 3, 3),
            (DType::U8, 0, 256),
            (DType::S8, -100, 90),
            (DType::U16, 0, 1000),
            (DType::U32, 0, 77),
            (DType::S64, -5, 17),
        ] {
            let found = random::randint(&key(), dims, dtype, low, high);
            same(&format!("randint/{dtype}/{low}/{high}/{}", label(dims)), &found, Close::Equal);
        }
    }
    let low = Tensor::new(&[0i32, 10, 20], [3]);
    let found = values(&random::randint(&key(), [5, 3], DType::S32, &low, &(&low + 10)));
    assert!(found.iter().enumerate().all(|(i, &x)| (x / 10.0).floor() == (i % 3) as f64), "{found:?}");
}

/// Logarithms of XLA in f64 are some ulp from the exact ones.
fn close(dtype: DType) -> Close {
    if dtype.is_f64() { Close::Relative(1e-14) } else { Close::Ulp(4) }
}

#[test]
fn normal_numbers_are_within_four_ulp_of_jax() {
    for dims in SHAPES {
        for dtype in [DType::F16, DType::Bf16, DType::F32, DType::F64] {
            let found = random::normal(&key(), dims, dtype);
            same(&format!("normal/{dtype}/{}", label(dims)), &found, close(dtype));
        }
    }
    same("normal/f32/many", &random::normal(&many(), [600], DType::F32), Close::Ulp(4));
    same("normal/f64/many", &random::normal(&many(), [300], DType::F64), close(DType::F64));
}

#[test]
fn the_inverse_of_the_error_function_is_near_that_of_jax() {
    for dtype in [DType::F32, DType::F64] {
        let x = recorded(VALUES, &format!("erf_inv_x/{dtype}"));
        same(&format!("erf_inv/{dtype}"), &random::erf_inv(&x), close(dtype));
    }
    let outside = values(&random::erf_inv(Tensor::new(&[1.5f32, f32::NAN], [2])));
    assert!(outside.iter().all(|x| x.is_nan()), "{outside:?}");
}

#[test]
fn samples_of_other_distributions_are_those_of_jax() {
    let (dims, dtype) = ([200], DType::F32);
    same("exponential/f32/many", &random::exponential(&many(), dims, dtype), Close::Ulp(4));
    same("gumbel/f32/many", &random::gumbel(&many(), dims, dtype), Close::Absolute(1e-6));
    let found = random::truncated_normal(&many(), dims, dtype, -1.5, 0.75);
    same("truncated_normal/f32/many", &found, Close::Absolute(1e-6));
    let lower = Tensor::new(&[-2f32, 0.0, 1.0], [3]);
    let found = random::truncated_normal(&many(), [4, 3], dtype, &lower, 3.0);
    same("truncated_normal/f32/rows", &found, Close::Absolute(1e-6));
    same("bernoulli/0.3", &random::bernoulli(&many(), [100], 0.3), Close::Equal);
    let p = Tensor::new(&[0.1f32, 0.5, 0.9], [3]);
    same("bernoulli/rows", &random::bernoulli(&many(), [20, 3], &p), Close::Equal);
    let p = Tensor::new(&[0.1f32, 0.2, 0.3, 0.4, 0.7, 0.1, 0.1, 0.1], [2, 4]);
    let logits = p.log();
    same("categorical/last", &random::categorical(&many(), &logits, -1), Close::Equal);
    same("categorical/first", &random::categorical(&many(), &logits, 0), Close::Equal);
    let shaped = random::categorical_shaped(&many(), &logits, 1, [30, 2]);
    same("categorical/shaped", &shaped, Close::Equal);
}

#[test]
fn orders_are_those_of_jax() {
    for count in [1, 2, 13, 1000] {
        same(&format!("permutation/{count}"), &random::permutation(&many(), count), Close::Equal);
    }
    let table = Tensor::new(&(0..24).map(|i| i as f32).collect::<Vec<_>>(), [6, 4]);
    same("shuffle/0", &random::shuffle(&many(), &table, 0), Close::Equal);
    same("shuffle/1", &random::shuffle(&many(), &table, 1), Close::Equal);
    same("choice", &random::choice(&many(), &table, [2, 5]), Close::Equal);
    let few = random::choice_without_replacement(&many(), &table, [2, 2]);
    same("choice_without_replacement", &few, Close::Equal);
    let p = Tensor::new(&[0.25f32, 0.0, 0.125, 1.0, 0.5, 0.125], [6]);
    same("choice_weighted", &random::choice_weighted(&many(), &table, &p, [3, 5]), Close::Equal);
    let few = random::choice_weighted_without_replacement(&many(), &table, &p, [2, 2]);
    same("choice_weighted_without_replacement", &few, Close::Equal);
}

#[test]
fn orthogonal_matrices_are_those_of_jax() {
    for (rows, columns) in [(1, 1), (5, 5), (7, 3), (3, 7), (40, 40)] {
        let found = random::orthogonal(&many(), rows, columns, DType::F32);
        same(&format!("orthogonal/{rows}x{columns}"), &found, Close::Absolute(1e-5));
        let across = if rows < columns { found.matmul(found.t()) } else { found.t().matmul(&found) };
        let count = rows.min(columns);
        let off = values(&(across - Tensor::eye(count, count, 0, DType::F32)));
        assert!(off.iter().all(|x| x.abs() < 1e-6), "{rows}x{columns}: {off:?}");
    }
    assert_eq!(shape_of(&random::orthogonal(&many(), 0, 3, DType::F32)), "f32[0,3]");
    let found = lawson_frontend::nn::init::orthogonal(&many(), [2, 3, 4], DType::F32, 1.5);
    same("orthogonal_init", &found, Close::Absolute(1e-5));
}

#[test]
fn orthogonal_matrices_of_every_size_are_orthogonal() {
    for (seed, size) in [(0, 2), (1, 17), (2, 90)] {
        let found = random::orthogonal(&random::key(seed), size, size, DType::F64);
        let off = values(&(found.t().matmul(&found) - Tensor::eye(size, size, 0, DType::F64)));
        assert!(off.iter().all(|x| x.abs() < 1e-14), "{size}: {off:?}");
    }
}

#[test]
fn keys_of_a_batch_give_what_each_gives_alone() {
    let keys = random::split(&key(), 3);
    let batch = lawson_frontend::vmap::vmap(|key: &Tensor| random::normal(key, [5], DType::F32))(&keys);
    let alone: Vec<f64> =
        (0..3).flat_map(|i| values(&random::normal(&keys.index(i), [5], DType::F32))).collect();
    assert_eq!(shape_of(&batch), "f32[3,5]");
    assert_eq!(values(&batch), alone);
}

#[test]
fn mistakes_are_named_with_the_line_of_the_program() {
    let wrong = [
        (random::uniform(&Tensor::new(&[1u32], [1]), [2], DType::F32), "u32[2], not u32[1]"),
        (random::uniform(&key(), [2], DType::S32), "not s32"),
        (random::normal(&key(), [-1], DType::F32), "[-1]"),
        (random::bits(&key(), [2], DType::S8), "not s8"),
        (random::randint(&key(), [2], DType::F32, 0, 3), "not f32"),
        (random::randint(&key(), [2], DType::S32, 0.5, 3), "takes integers"),
        (random::uniform_between(&key(), [2], DType::F32, Tensor::new(&[0f32; 3], [3]), 1.0), "f32[3]"),
        (random::key(1.5), "an integer for a seed"),
        (random::split(&key(), -1), "-1 keys"),
        (random::permutation(&key(), -1), "-1 numbers"),
        (random::categorical(&key(), &Tensor::new(&[0f32; 3], [3]), 1), "no axis 1"),
        (random::choice_without_replacement(&key(), &Tensor::new(&[0f32; 3], [3]), [4]), "3 rows"),
        (random::choice_weighted(&key(), &Tensor::new(&[0f32; 3], [3]), &key(), [4]), "f32[3] by u32[2]"),
        (
            random::choice_weighted_without_replacement(&key(), &key(), &Tensor::new(&[1f32; 2], [2]), [3]),
            "[3] from 2 rows",
        ),
        (random::orthogonal(&key(), 2, 2, DType::S32), "not s32"),
    ];
    for (tensor, words) in wrong {
        let error = tensor.error().unwrap_or_else(|| panic!("{tensor:?} is no error")).clone();
        assert!(error.message().contains(words), "{error} lacks {words:?}");
        assert!(error.place().file().ends_with("random/main.rs"), "{error}");
    }
}
