//! Poseidon2 and what is made of it, value by value as Plonky3 has them.

use super::random_base;
use lawson::frontend::tensor::plonky3::Plonky3Element;
use lawson::{Tensor, jit, random};
use lawson_examples::provers::merkle::{self, Opening};
use lawson_examples::provers::poseidon2::Poseidon2;
use p3_baby_bear::BabyBear;
use p3_field::PrimeField64;
use p3_symmetric::{
    CryptographicHasher, PaddingFreeSponge, Permutation, PseudoCompressionFunction, TruncatedPermutation,
};

const STATES: i64 = 37;

/// Round constants, and states after the permutation.
fn same<F: PrimeField64 + Plonky3Element>(
    ours: &Poseidon2,
    outer: [&[[F; 16]; 4]; 2],
    inner: &[F],
    theirs: impl Permutation<[F; 16]>,
) {
    let number = |f: &F| f.as_canonical_u64();
    let theirs_outer: Vec<u64> = outer.into_iter().flatten().flatten().map(number).collect();
    assert_eq!(ours.outer.as_flattened(), theirs_outer);
    assert_eq!(ours.inner, inner.iter().map(number).collect::<Vec<_>>());

    let p = F::ORDER_U64;
    let random = random::field(&random::key(3), [16, STATES - 3], ours.dtype);
    let edges = [0, 1, p - 1].map(|v| Tensor::full([16, 1], v, ours.dtype));
    let states = lawson::tensor::concatenate(&[&random, &edges[0], &edges[1], &edges[2]], 1);
    let permute = jit(|states: &Tensor| ours.permute_columns(states));
    let found = permute.call(&states).expect("it runs").t().to_plonky3::<F>().expect("elements");
    let states = states.t().to_plonky3::<F>().expect("elements");
    for (state, found) in states.chunks_exact(16).zip(found.chunks_exact(16)) {
        let wanted = theirs.permute(state.try_into().expect("16 elements"));
        assert_eq!(wanted, found);
    }
}

#[test]
fn babybear_is_that_of_plonky3() {
    use p3_baby_bear::*;
    same(
        &Poseidon2::babybear(),
        [&BABYBEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL, &BABYBEAR_POSEIDON2_RC_16_EXTERNAL_FINAL],
        &BABYBEAR_POSEIDON2_RC_16_INTERNAL,
        default_babybear_poseidon2_16(),
    );
}

#[test]
fn koalabear_is_that_of_plonky3() {
    use p3_koala_bear::*;
    same(
        &Poseidon2::koalabear(),
        [&KOALABEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL, &KOALABEAR_POSEIDON2_RC_16_EXTERNAL_FINAL],
        &KOALABEAR_POSEIDON2_RC_16_INTERNAL,
        default_koalabear_poseidon2_16(),
    );
}

#[test]
fn trees_have_plonky3s_roots_and_open_every_column() {
    let permutation = p3_baby_bear::default_babybear_poseidon2_16();
    let sponge = PaddingFreeSponge::<_, 16, 8, 8>::new(permutation.clone());
    let compress = TruncatedPermutation::<_, 2, 8, 16>::new(permutation);
    for (rows, columns) in [(11, 8), (8, 1)] {
        let array = random_base(4, &[rows, columns]);
        let tree = merkle::commit(&array).expect("it runs");
        let elements = array.t().to_plonky3::<BabyBear>().expect("elements");
        let mut level: Vec<[BabyBear; 8]> =
            elements.chunks_exact(rows as usize).map(|c| sponge.hash_iter(c.iter().copied())).collect();
        while level.len() > 1 {
            level = level.chunks_exact(2).map(|pair| compress.compress([pair[0], pair[1]])).collect();
        }
        assert_eq!(tree.root(), level[0].map(|x| x.as_canonical_u64()));
        let depth = columns.trailing_zeros();
        let right = |at: usize, o: &Opening| merkle::check(tree.root(), (at, depth), o).expect("it runs");
        for at in 0..columns as usize {
            let opening = tree.open(at);
            assert!(right(at, &opening));
            assert!(!right(at + 1, &opening) && !right(at + columns as usize, &opening));
            let mut wrong = opening.clone();
            wrong.column[1] ^= 1;
            assert!(!right(at, &wrong));
            // A tree of more or fewer levels is another one.
            let of_depth = |depth| merkle::check(tree.root(), (at, depth), &opening).expect("it runs");
            assert!(!of_depth(depth + 1) && (depth == 0 || !of_depth(depth - 1)));
            let mut longer = opening.clone();
            longer.siblings.push([0; 8]);
            assert!(!right(at, &longer));
            let mut shorter = opening.clone();
            if shorter.siblings.pop().is_some() {
                assert!(!right(at, &shorter));
            }
            if let Some(last) = opening.siblings.last() {
                let mut wrong = opening.clone();
                *wrong.siblings.last_mut().expect("a level") = [last[0] ^ 1; 8];
                assert!(!right(at, &wrong));
            }
        }
    }
}
