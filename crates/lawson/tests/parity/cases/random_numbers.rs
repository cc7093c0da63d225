//! Random numbers: those without roundings are to be equal.

use super::{cases, pattern};
use crate::api::{DType, Tensor, nn::init, random, vmap};

cases! {
    random_numbers 1e-6 (random::key(3), pattern(1, &[4, 5])) |x| {
        let keys = random::split_array::<6>(&x[0]);
        vec![
            random::uniform(&keys[0], [3, 4], DType::F32),
            random::normal(&keys[1], [3, 4], DType::F32),
            random::randint(&keys[2], [9], DType::S32, -3, 11),
            random::bernoulli(&keys[3], [9], 0.4),
            random::permutation(&keys[4], 11),
            random::categorical(&keys[5], &x[1], -1),
            random::normal(&random::fold_in(&x[0], 5), [2], DType::Bf16),
        ]
    };
    random_numbers_of_a_batch 1e-6 (random::key(8)) |x| {
        vec![vmap(|key: &Tensor| random::normal(key, [3], DType::F32))(&random::split(&x[0], 4))]
    };
    first_weights 1e-6 (random::key(11)) |x| vec![
        init::glorot_uniform(&x[0], [4, 6], DType::F32),
        init::glorot_normal(&x[0], [4, 6], DType::F32),
        init::he_uniform(&x[0], [3, 3, 4, 6], DType::F32),
        init::he_normal(&x[0], [4, 6], DType::F32),
        init::lecun_uniform(&x[0], [4, 6], DType::F32),
        init::lecun_normal(&x[0], [4, 6], DType::F32),
    ];
}
