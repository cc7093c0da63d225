//! Operations of prime fields and their extensions give what Plonky3 gives, on random values and on the edges, in either
//! storage, fused and with a kernel for each operation, in vectors of this machine and of others; fields of 254 bits give
//! what arkworks gives.

use lawson::options::FusionSpec;
use lawson::tensor::plonky3::Plonky3Element;
use lawson::tensor::stack;
use lawson::{DType, Options, Tensor, jit, random};
use p3_baby_bear::BabyBear;
use p3_dft::{Radix2Dit, TwoAdicSubgroupDft};
use p3_field::extension::{BinomialExtensionField, Complex, CubicTrinomialExtensionField};
use p3_field::{Algebra, Field, PrimeCharacteristicRing, PrimeField64, TwoAdicField};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_mersenne_31::Mersenne31;

/// Elements of an array: pairs of edges first.
const COUNT: usize = 117;

/// The element type in its other storage, where it has one.
fn storages(dtype: DType) -> Vec<DType> {
    let plain = dtype.name().trim_end_matches("_mont").to_string();
    let both = [plain.clone(), plain + "_mont"];
    DType::ALL.iter().copied().filter(|d| both.iter().any(|name| d.name() == name)).collect()
}

/// Arrays of two operands: every pair of edges, and random elements.
fn operands<T: Plonky3Element + Field>(edges: &[T]) -> [Vec<T>; 2] {
    let drawn = |seed| {
        random::field(&random::key(seed), [COUNT as i64], T::DTYPE).to_plonky3::<T>().expect("elements")
    };
    let (mut x, mut y) = (drawn(1), drawn(2));
    for (i, &a) in edges.iter().enumerate() {
        for (j, &b) in edges.iter().enumerate() {
            (x[i * edges.len() + j], y[i * edges.len() + j]) = (a, b);
        }
    }
    [x, y]
}

/// What a function makes of arrays `[117]`, fused and not, in every storage.
#[track_caller]
fn gives<T: Plonky3Element + Field>(
    operands: &[Vec<T>; 2],
    f: impl Fn(&Tensor, &Tensor) -> Tensor + Copy,
    wanted: &[T],
    what: &str,
) {
    for dtype in storages(T::DTYPE) {
        let [x, y] = [0, 1].map(|n| Tensor::from_plonky3(&operands[n], [COUNT as i64]).astype(dtype));
        // Operations of extensions become those of fields, which have a test for vectors of all lengths of their own.
        let (fused, alone) = (FusionSpec::default(), FusionSpec::OFF);
        let mut forms = vec![(fused.clone(), None), (alone, None)];
        if T::DIMENSION > 1 {
            forms.push((fused, Some("haswell".into())));
        }
        for (fusion, target) in forms {
            let options = Options { fusion: fusion.clone(), target, ..Options::default() };
            let found =
                jit(f).options(options).call(&x, &y).unwrap_or_else(|e| panic!("{what}, {dtype}: {e}"));
            let found = found.to_plonky3::<T>().unwrap_or_else(|e| panic!("{what}, {dtype}: {e}"));
            assert!(found == wanted, "{what}, {dtype}, {fusion}");
        }
    }
}

fn inverse<T: Field>(x: T) -> T {
    x.try_inverse().unwrap_or(T::ZERO)
}

/// Operations that fields and extensions have, by one program that stacks the results of all.
fn arithmetic<T: Plonky3Element + Field>(edges: &[T]) {
    let both = operands(edges);
    let all = |x: &Tensor, y: &Tensor| {
        let list = [
            x + y,
            x - y,
            x * y,
            -x,
            x / y,
            x.reciprocal(),
            x.square(),
            x.pow(0),
            x.pow(7),
            x * y - x,
            (x - y) * (x + y) + 3,
            x.cumsum(0),
            x.cumprod(0),
            x.sum().broadcast_to([COUNT as i64]),
            x.prod().broadcast_to([COUNT as i64]),
            x.dot(y).broadcast_to([COUNT as i64]),
        ];
        stack(&list, 0)
    };
    let [xs, ys] = &both;
    let three = T::ONE + T::ONE + T::ONE;
    let pairs = || xs.iter().copied().zip(ys.iter().copied());
    let map = |f: &dyn Fn(T, T) -> T| pairs().map(|(x, y)| f(x, y)).collect::<Vec<T>>();
    let running = |f: &dyn Fn(T, T) -> T| {
        let next = |state: &mut Option<T>, x: T| {
            *state = Some(state.map_or(x, |s| f(s, x)));
            *state
        };
        xs.iter().copied().scan(None, next).collect::<Vec<T>>()
    };
    let all_equal = |x: T| vec![x; COUNT];
    let wanted = [
        map(&|x, y| x + y),
        map(&|x, y| x - y),
        map(&|x, y| x * y),
        map(&|x, _| -x),
        map(&|x, y| x * inverse(y)),
        map(&|x, _| inverse(x)),
        map(&|x, _| x.square()),
        map(&|_, _| T::ONE),
        map(&|x, _| x.exp_u64(7)),
        map(&|x, y| x * y - x),
        map(&|x, y| (x - y) * (x + y) + three),
        running(&|s, x| s + x),
        running(&|s, x| s * x),
        all_equal(xs.iter().copied().sum()),
        all_equal(xs.iter().copied().product()),
        all_equal(pairs().map(|(x, y)| x * y).sum()),
    ];
    gives(&both, all, &wanted.concat(), std::any::type_name::<T>());
}

fn field_edges<T: PrimeField64>() -> Vec<T> {
    let p = T::ORDER_U64;
    [0, 1, 2, p / 2, p / 2 + 1, p - 2, p - 1].map(T::from_u64).to_vec()
}

fn extension_edges<T: Plonky3Element + Field>() -> Vec<T> {
    let coefficient = |n: usize, by: u64| {
        T::from_basis_coefficients_fn(|i| T::Coefficient::from_u64(u64::from(i == n) * by))
    };
    let last = T::Coefficient::ORDER_U64 - 1;
    let all = T::from_basis_coefficients_fn(|_| T::Coefficient::from_u64(last));
    vec![T::ZERO, T::ONE, coefficient(T::DIMENSION - 1, 1), coefficient(T::DIMENSION - 1, last), all]
}

/// Exponents that are tensors, order, and products of matrices.
fn of_fields<T: Plonky3Element + PrimeField64>() {
    arithmetic(&field_edges::<T>());
    let both = operands(&field_edges::<T>());
    let [xs, ys] = &both;
    let power = |x: &Tensor, _: &Tensor| x.pow(Tensor::iota([COUNT as i64], 0, DType::U32));
    let wanted: Vec<T> = xs.iter().enumerate().map(|(n, x)| x.exp_u64(n as u64)).collect();
    gives(&both, power, &wanted, "power");
    let greatest = |x: &Tensor, y: &Tensor| x.maximum(y);
    let larger = |(x, y): (&T, &T)| if x.as_canonical_u64() > y.as_canonical_u64() { *x } else { *y };
    gives(&both, greatest, &xs.iter().zip(ys).map(larger).collect::<Vec<_>>(), "maximum");
    let product = |x: &Tensor, y: &Tensor| x.reshape([9, 13]).matmul(y.reshape([13, 9])).flatten();
    let entry = |n: usize| (0..13).map(|k| xs[n / 9 * 13 + k] * ys[k * 9 + n % 9]).sum();
    gives(&both, product, &(0..81).map(entry).collect::<Vec<T>>(), "matmul");
}

/// Products with elements of the field below.
fn of_extensions<T: Plonky3Element + Field + Algebra<T::Coefficient>>()
where
    T::Coefficient: Plonky3Element<Coefficient = T::Coefficient>,
{
    arithmetic(&extension_edges::<T>());
    let both = operands(&extension_edges::<T>());
    let first = |x: &T| x.as_basis_coefficients_slice()[0];
    let mixed = |x: &Tensor, y: &Tensor| {
        let y = y.coefficients().index((.., 0));
        stack(&[x * &y, x + &y, x.dot(&y).broadcast_to([COUNT as i64])], 0)
    };
    let [xs, ys] = &both;
    let pairs = || xs.iter().zip(ys);
    let wanted = [
        pairs().map(|(&x, y)| x * first(y)).collect(),
        pairs().map(|(&x, y)| x + first(y)).collect(),
        vec![pairs().map(|(&x, y)| x * first(y)).sum(); COUNT],
    ];
    gives(&both, mixed, &wanted.concat(), "mixed operands");
}

#[test]
fn babybear() {
    of_fields::<BabyBear>();
    of_extensions::<BinomialExtensionField<BabyBear, 4>>();
}

#[test]
fn koalabear() {
    of_fields::<KoalaBear>();
    of_extensions::<BinomialExtensionField<KoalaBear, 4>>();
}

#[test]
fn mersenne31() {
    of_fields::<Mersenne31>();
    of_extensions::<Complex<Mersenne31>>();
}

#[test]
fn goldilocks() {
    of_fields::<Goldilocks>();
    of_extensions::<BinomialExtensionField<Goldilocks, 2>>();
    of_extensions::<CubicTrinomialExtensionField<Goldilocks>>();
}

/// Transforms of three columns: there, back, on a coset, with bits reversed.
fn transforms<T: Plonky3Element<Coefficient = T> + PrimeField64 + TwoAdicField>() {
    for digits in [0u32, 1, 5, 10] {
        let n = 1usize << digits;
        let shift = T::GENERATOR;
        let coset = shift.as_canonical_u64();
        let x = random::field(&random::key(u64::from(digits)), [3, n as i64], T::DTYPE);
        let columns = x.to_plonky3::<T>().expect("elements");
        let rows = || RowMajorMatrix::new((0..3 * n).map(|i| columns[i % 3 * n + i / 3]).collect(), 3);
        let dft = Radix2Dit::default();
        let reversed: Vec<T> = (0..n)
            .flat_map(|i| {
                let at = p3_util::reverse_bits(i, n);
                (0..3).map(move |c| (c, at))
            })
            .map(|(c, at)| columns[c * n + at])
            .collect();
        let wanted: [(&str, Vec<T>); 5] = [
            ("ntt", dft.dft_batch(rows()).to_row_major_matrix().values),
            ("intt", dft.idft_batch(rows()).values),
            ("ntt_coset", dft.coset_dft_batch(rows(), shift).to_row_major_matrix().values),
            ("intt_coset", dft.coset_idft_batch(rows(), shift).values),
            ("bit_reverse", reversed),
        ];
        for dtype in storages(T::DTYPE) {
            let x = x.astype(dtype);
            for fusion in [FusionSpec::default(), FusionSpec::OFF] {
                let options = Options { fusion: fusion.clone(), ..Options::default() };
                let all = |x: &Tensor| {
                    stack(&[x.ntt(), x.intt(), x.ntt_coset(coset), x.intt_coset(coset), x.bit_reverse(1)], 0)
                };
                let found = jit(all).options(options).call(&x).unwrap_or_else(|e| panic!("{e}"));
                for (i, (name, wanted)) in wanted.iter().enumerate() {
                    let rows = found.index(i as i64).t().to_plonky3::<T>().expect("elements");
                    assert!(rows == *wanted, "{name} of 2^{digits}, {dtype}, {fusion}");
                }
            }
        }
    }
}

#[test]
fn transforms_and_roots_of_unity() {
    transforms::<BabyBear>();
    transforms::<KoalaBear>();
    transforms::<Goldilocks>();
    fn roots<T: Plonky3Element + TwoAdicField>() {
        for digits in 0..=10 {
            let ours = Tensor::roots_of_unity(1 << digits, T::DTYPE).to_plonky3::<T>().expect("elements");
            assert!(ours.into_iter().eq(T::two_adic_generator(digits).powers().take(1 << digits)));
        }
    }
    roots::<BabyBear>();
    roots::<KoalaBear>();
    roots::<Goldilocks>();
}

/// Values in, values out, of another library with elements of its own.
#[test]
fn arkworks() {
    use ark_ff::{AdditiveGroup, BigInt, Field, Fp64, MontBackend, MontConfig};
    struct Parameters;
    impl MontConfig<1> for Parameters {
        const MODULUS: BigInt<1> = BigInt([2013265921]);
        const GENERATOR: F = F::new(BigInt([31]));
        const TWO_ADIC_ROOT_OF_UNITY: F = F::new(BigInt([440564289]));
    }
    type F = Fp64<MontBackend<Parameters, 1>>;
    let mut x: Vec<F> = (1..=100u64).map(|n| F::from(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    x[..3].copy_from_slice(&[F::ZERO, F::ONE, -F::ONE]);
    for dtype in [DType::BabyBear, DType::BabyBearMont] {
        let t = Tensor::from_arkworks(dtype, &x, [100]);
        assert_eq!(t.to_arkworks::<F>().expect("elements"), x);
        let found = (&t * &t - t.reciprocal()).to_arkworks::<F>().expect("elements");
        let wanted: Vec<F> = x.iter().map(|x| x.square() - x.inverse().unwrap_or(F::ZERO)).collect();
        assert_eq!(found, wanted);
    }
    let error =
        Tensor::from_arkworks(DType::Goldilocks, &x, [100]).error().expect("another field").to_string();
    assert!(error.contains("goldilocks has not the modulus 2013265921"), "{error}");
    assert!(Tensor::from_arkworks(DType::BabyBear, &x, [99]).error().is_some());
}

/// Operations of elements of more than 64 bits.
fn of_wide(x: &Tensor, y: &Tensor) -> Tensor {
    let list = [
        x + y,
        x - y,
        x * y,
        -x,
        x / y,
        x.reciprocal(),
        x.pow(7),
        (x - y) * (x + y) + 3,
        x.cumsum(0),
        x.sum().broadcast_to([50]),
        x.prod().broadcast_to([50]),
        x.dot(y).broadcast_to([50]),
    ];
    stack(&list, 0)
}

/// What those give.
fn wide_wanted<F: ark_ff::Field>(x: &[F], y: &[F]) -> Vec<F> {
    let inverse = |x: F| x.inverse().unwrap_or(F::ZERO);
    let map = |f: &dyn Fn(F, F) -> F| x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect::<Vec<F>>();
    let sums = x.iter().scan(F::ZERO, |sum, &x| {
        *sum += x;
        Some(*sum)
    });
    [
        map(&|x, y| x + y),
        map(&|x, y| x - y),
        map(&|x, y| x * y),
        map(&|x, _| -x),
        map(&|x, y| x * inverse(y)),
        map(&|x, _| inverse(x)),
        map(&|x, _| x.pow([7])),
        map(&|x, y| (x - y) * (x + y) + F::from(3u64)),
        sums.collect(),
        vec![x.iter().sum(); 50],
        vec![x.iter().product(); 50],
        vec![map(&|x, y| x * y).iter().sum(); 50],
    ]
    .concat()
}

/// Elements of more than 64 bits, and their roots of unity.
#[test]
fn arkworks_of_bn254() {
    use ark_ff::{AdditiveGroup, BigInt, FftField, Field, Fp256, MontBackend, MontConfig};
    use lawson::hlo::dtype::WidePrime;
    struct Parameters;
    impl MontConfig<4> for Parameters {
        const MODULUS: BigInt<4> = BigInt(WidePrime::Bn254Scalar.modulus().0);
        const GENERATOR: F = F::new(BigInt([5, 0, 0, 0]));
        const TWO_ADIC_ROOT_OF_UNITY: F = F::new(BigInt(WidePrime::Bn254Scalar.parameters().two_adic_root.0));
    }
    type F = Fp256<MontBackend<Parameters, 4>>;
    let mut x: Vec<F> = vec![F::ZERO, F::ONE, -F::ONE, F::from(3u64)];
    (4..50).for_each(|n| x.push(x[n - 1].square() - x[n - 2]));
    for dtype in [DType::Bn254Sf, DType::Bn254SfMont] {
        let t = Tensor::from_arkworks(dtype, &x, [50]);
        assert_eq!(t.to_arkworks::<F>().expect("elements"), x);
        let y: Vec<F> = x.iter().rev().copied().collect();
        let other = Tensor::from_arkworks(dtype, &y, [50]);
        // Numbers of 52 bits side by side, and words of 64 bits one by one.
        for (target, fusion) in [
            (None, FusionSpec::default()),
            (None, FusionSpec::OFF),
            (Some("avx512-ifma"), FusionSpec::default()),
            (Some("avx512"), FusionSpec::default()),
            (Some("haswell"), FusionSpec::default()),
        ] {
            let options = Options { target: target.map(Into::into), fusion, ..Options::default() };
            let found = jit(of_wide).options(options).call(&t, &other).expect("it runs");
            assert_eq!(
                found.to_arkworks::<F>().expect("elements"),
                wide_wanted(&x, &y),
                "{dtype}, {target:?}"
            );
        }
        for n in [1, 8, 64] {
            let root = F::get_root_of_unity(n).expect("a power of two");
            let wanted: Vec<F> = (0..n).map(|k| root.pow([k])).collect();
            let found = Tensor::roots_of_unity(n as i64, dtype).to_arkworks::<F>().expect("elements");
            assert_eq!(found, wanted);
        }
        assert!(Tensor::from_arkworks(dtype, &x, [49]).error().is_some());
    }
    let error = Tensor::from_arkworks(DType::BabyBear, &x, [50]).error().expect("another field").to_string();
    assert!(error.contains("babybear has not the modulus 218882428"), "{error}");
    let error = Tensor::roots_of_unity(1 << 29, DType::Bn254Sf).error().expect("too many").to_string();
    assert!(error.contains("up to 268435456, not 536870912"), "{error}");
}

#[test]
fn elements_of_another_field_are_errors() {
    let x = Tensor::from_plonky3(&[BabyBear::new(3)], [1]);
    let error = x.to_plonky3::<KoalaBear>().expect_err("another field").to_string();
    assert!(error.contains("the array is babybear_mont[1], not of koalabear_mont"), "{error}");
    assert!(x.to_plonky3::<BinomialExtensionField<BabyBear, 4>>().is_err());
    let error = Tensor::from_plonky3(&[BabyBear::new(3)], [2]).error().expect("one element").to_string();
    assert!(error.contains("not as many as the dimensions [2] say"), "{error}");
}
