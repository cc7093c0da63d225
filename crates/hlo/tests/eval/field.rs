//! Prime fields and their extensions.

use super::*;
use lawson_hlo::dtype::Extension;
use lawson_hlo::{ArrayShape, dtype::Field};

fn fields() -> impl Iterator<Item = (DType, Field)> {
    DType::ALL.iter().filter_map(|&d| Some((d, d.field()?)))
}

fn extensions() -> impl Iterator<Item = (DType, Extension)> {
    DType::ALL.iter().filter_map(|&d| Some((d, d.extension()?)))
}

#[test]
fn operations_are_those_of_integers_modulo_p() {
    for (dtype, field) in fields() {
        let p = field.prime.modulus() as u128;
        let edges = [0, 1, 2, p / 2, p / 2 + 1, p - 2, p - 1, 0x1234_5678_9abc % p];
        let pairs: Vec<(u128, u128)> = edges.iter().flat_map(|&x| edges.map(|y| (x, y))).collect();
        let column = |f: fn(&(u128, u128)) -> u128| {
            pairs.iter().map(|p| f(p).to_string()).collect::<Vec<_>>().join(", ")
        };
        let (x, y) = (column(|p| p.0), column(|p| p.1));
        let name = dtype.name();
        let check = |op: &str, expected: &dyn Fn(u128, u128) -> u128| {
            let expected: Vec<String> = pairs.iter().map(|&(x, y)| expected(x, y).to_string()).collect();
            assert_eq!(row(op, name, name, &[&x, &y]), expected.join(", "), "{op} of {name}");
        };
        let product = |x: u128, y: u128| x * y % p;
        let power = |x: u128, n: u128| {
            (0..128).rev().fold(1, |r, bit| {
                let square = product(r, r);
                if n >> bit & 1 == 1 { product(square, x) } else { square }
            })
        };
        check("add", &|x, y| (x + y) % p);
        check("subtract", &|x, y| (p + x - y) % p);
        check("multiply", &product);
        check("divide", &|x, y| product(x, power(y, p - 2)));
        check("maximum", &|x, y| x.max(y));
        check("minimum", &|x, y| x.min(y));
        let inverses: Vec<String> = edges.iter().map(|&x| power(x, p - 2).to_string()).collect();
        let edges: Vec<String> = edges.iter().map(u128::to_string).collect();
        assert_eq!(row("inverse", name, name, &[&edges.join(", ")]), inverses.join(", "));
    }
}

#[test]
fn powers_take_unsigned_exponents() {
    let of = |dtype: &str| {
        run(&format!(
            "x = {dtype}[4] constant({{0, 0, 3, 5}})\ne = u32[4] constant({{0, 5, 4, 4294967295}})\n\
             ROOT r = {dtype}[4] power(x, e)"
        ))
    };
    assert_eq!(of("babybear"), of("babybear_mont"));
    assert!(of("babybear").starts_with("1, 0, 81, "));
}

#[test]
fn integers_convert_modulo_p() {
    assert_eq!(row("convert", "s32", "babybear_mont", &["-1, 5, -2013265922"]), "2013265920, 5, 2013265920");
    assert_eq!(row("convert", "u32", "babybear", &["4294967295"]), "268435453");
    assert_eq!(row("convert", "u64", "mersenne31", &["18446744073709551615"]), "3");
    assert_eq!(row("convert", "pred", "goldilocks_mont", &["true, false"]), "1, 0");
    assert_eq!(row("convert", "babybear_mont", "u32", &["2013265920"]), "2013265920");
    assert_eq!(row("convert", "babybear_mont", "s8", &["255"]), "-1");
    assert_eq!(row("convert", "babybear_mont", "babybear", &["7"]), "7");
    assert_eq!(row("convert", "goldilocks", "pred", &["0, 9"]), "false, true");
}

#[test]
fn casts_read_storage_modulo_p() {
    assert_eq!(row("bitcast-convert", "u32", "babybear_mont", &["268435454, 2013265921"]), "1, 0");
    assert_eq!(row("bitcast-convert", "babybear_mont", "u32", &["1"]), "268435454");
}

#[test]
fn published_products() {
    let squares = row(
        "multiply",
        "babybearx4_mont",
        "babybearx4_mont",
        &["(4 5 6 7), (0 1 2 3)", "(4 5 6 7), (0 1 2 3)"],
    );
    assert_eq!(squares, "(1182 964 612 116), (110 132 100 4)");
}

/// Coefficients of x·y, by the definition: every product of two terms, reduced one power of u at a time.
fn product(e: Extension, p: u128, x: &[u128], y: &[u128]) -> Vec<u128> {
    let degree = e.degree as usize;
    let mut all = vec![0; 2 * degree - 1];
    for (i, a) in x.iter().enumerate() {
        for (j, b) in y.iter().enumerate() {
            all[i + j] = (all[i + j] + a * b) % p;
        }
    }
    for top in (degree..all.len()).rev() {
        let c = all[top];
        all[top - degree] = (all[top - degree] + c * e.w as u128) % p;
        if e.trinomial {
            all[top - degree + 1] = (all[top - degree + 1] + c) % p;
        }
    }
    all.truncate(degree);
    all
}

fn noise_of(dtype: DType, n: usize, seed: u64) -> Vec<Vec<u128>> {
    let (degree, p) =
        (dtype.extension().expect("an extension").degree, dtype.part().field().expect("a field"));
    let p = p.prime.modulus() as u128;
    let mut state = seed as u128;
    let mut next = || {
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64);
        (state >> 3) % p
    };
    (0..n)
        .map(|i| {
            (0..degree)
                .map(|c| {
                    if i == 0 {
                        0
                    } else if i == 1 {
                        (c == 0) as u128
                    } else {
                        next()
                    }
                })
                .collect()
        })
        .collect()
}

fn texts(all: &[Vec<u128>]) -> String {
    let one = |x: &Vec<u128>| format!("({})", x.iter().map(u128::to_string).collect::<Vec<_>>().join(" "));
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn extensions_multiply_as_polynomials() {
    for (dtype, e) in extensions() {
        let p = dtype.part().field().expect("a field").prime.modulus() as u128;
        let (x, y) = (noise_of(dtype, 40, 1), noise_of(dtype, 40, 7));
        let name = dtype.name();
        let expected: Vec<Vec<u128>> = x.iter().zip(&y).map(|(x, y)| product(e, p, x, y)).collect();
        assert_eq!(row("multiply", name, name, &[&texts(&x), &texts(&y)]), texts(&expected), "{name}");
        let sums: Vec<Vec<u128>> =
            x.iter().zip(&y).map(|(x, y)| x.iter().zip(y).map(|(x, y)| (x + y) % p).collect()).collect();
        assert_eq!(row("add", name, name, &[&texts(&x), &texts(&y)]), texts(&sums), "{name}");
    }
}

#[test]
fn inverses_in_extensions_multiply_to_one() {
    for (dtype, e) in extensions() {
        let name = dtype.name();
        let p = dtype.part().field().expect("a field").prime.modulus() as u128;
        let x = noise_of(dtype, 40, 3);
        let found = row("inverse", name, name, &[&texts(&x)]);
        let found: Vec<Vec<u128>> = found
            .split(", ")
            .map(|t| t.trim_matches(['(', ')']).split(' ').map(|c| c.parse().expect("a number")).collect())
            .collect();
        assert!(found[0].iter().all(|&c| c == 0), "the inverse of 0 is 0 in {name}");
        let mut one = vec![0; e.degree as usize];
        one[0] = 1;
        for (x, y) in x.iter().zip(&found).skip(1) {
            assert_eq!(product(e, p, x, y), one, "{name}");
        }
        let quotient = row("divide", name, name, &[&texts(&x), &texts(&x)]);
        assert!(quotient.starts_with(&texts(&[vec![0; e.degree as usize], one])), "{quotient}");
    }
}

#[test]
fn an_extension_and_its_field_multiply_and_divide() {
    let lines = "x = koalabearx4[] constant((1 2 3 4))\nb = koalabear[] constant(5)\n";
    let of = |last: &str| run(&format!("{lines}ROOT r = koalabearx4[] {last}"));
    assert_eq!(of("multiply(x, b)"), "(5 10 15 20)");
    assert_eq!(of("multiply(b, x)"), "(5 10 15 20)");
    let twice = run(&format!("{lines}y = koalabearx4[] multiply(x, b)\nROOT r = koalabearx4[] divide(y, b)"));
    assert_eq!(twice, "(1 2 3 4)");
}

#[test]
fn coefficients_are_a_last_dimension_for_casts() {
    let there = "w = u32[2,4] constant({{1, 2, 3, 4}, {5, 6, 7, 8}})\nx = babybearx4[2] bitcast-convert(w)\n";
    assert_eq!(run(&format!("{there}ROOT r = babybearx4[2] add(x, x)")), "(2 4 6 8), (10 12 14 16)");
    assert_eq!(run(&format!("{there}ROOT r = u32[2,4] bitcast-convert(x)")), "1, 2, 3, 4, 5, 6, 7, 8");
    assert_eq!(run(&format!("{there}ROOT r = babybear[2,4] bitcast-convert(x)")), "1, 2, 3, 4, 5, 6, 7, 8");
}

#[test]
fn sums_of_products_in_extensions() {
    let text = "x = babybearx4[2] constant({(1 2 3 4), (5 6 7 8)})\ny = babybearx4[2] constant({(4 3 2 1), (1 0 0 0)})\n\
                ROOT r = babybearx4[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
    // (1 2 3 4)·(4 3 2 1) = (4 + 11·(2 + 6 + 12 … )), by the definition; the other summand is its first factor.
    let first = product(
        DType::BabyBearX4.extension().expect("an extension"),
        2013265921,
        &[1, 2, 3, 4],
        &[4, 3, 2, 1],
    );
    let expected: Vec<u128> = first.iter().zip([5, 6, 7, 8]).map(|(a, b)| a + b).collect();
    assert_eq!(run(text), texts(&[expected]));
    let mixed = "x = babybearx4[2] constant({(1 2 3 4), (5 6 7 8)})\ny = babybear[2] constant({10, 1})\n\
                 ROOT r = babybearx4[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
    assert_eq!(run(mixed), "(15 26 37 48)");
}

#[test]
fn reductions_and_products_of_matrices() {
    let text = "x = goldilocks_mont[2,2] constant({{18446744069414584320, 2}, {3, 4}})\n\
                ROOT r = goldilocks_mont[2,2] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    assert_eq!(run(text), "7, 6, 9, 22");
    let sum = "sum {\na = mersenne31[] parameter(0)\nb = mersenne31[] parameter(1)\nROOT s = mersenne31[] add(a, b)\n}\n\
               ENTRY main {\nx = mersenne31[3] constant({2147483646, 2147483646, 5})\nz = mersenne31[] constant(0)\n\
               ROOT r = mersenne31[] reduce(x, z), dimensions={0}, to_apply=sum\n}";
    assert_eq!(run(sum), "3");
}

#[test]
fn arrays_of_values_round_trip_as_text() {
    let shape = ArrayShape::new(DType::GoldilocksX3Mont, [1]);
    let literal = Literal::from_scalars(shape, [Scalar::Unsigned(9)]);
    let text = format!("ROOT c = goldilocksx3_mont[1] constant({{{}}})", literal.get(0));
    assert_eq!(run(&text), "(9 0 0)");
    assert_eq!(run("ROOT c = babybear_std[] constant(9)"), "9");
}

#[test]
fn transforms_are_values_at_powers_of_a_root() {
    let of = |attrs: &str, x: &str| row(&format!("ntt {attrs}"), "babybear", "babybear", &[x]);
    let there = "ntt_type=NTT, ntt_length={4}";
    assert_eq!(of(there, "0, 1, 2, 3"), "6, 569722814, 2013265919, 1443543103");
    assert_eq!(of("ntt_type=INTT, ntt_length={4}", &of(there, "9, 1, 2, 30")), "9, 1, 2, 30");
    let coset = |kind: &str| format!("ntt_type={kind}, ntt_length={{4}}, coset=31");
    assert_eq!(of(&coset("INTT"), &of(&coset("NTT"), "9, 1, 2, 30")), "9, 1, 2, 30");
    // The first point of the coset is 31 itself.
    let first: u64 = 9 + 31 + 2 * 31 * 31 + 30 * 31 * 31 * 31;
    assert!(of(&coset("NTT"), "9, 1, 2, 30").starts_with(&format!("{first}, ")));
    assert_eq!(row("ntt ntt_type=NTT, ntt_length={1}", "goldilocks_mont", "goldilocks_mont", &["7"]), "7");
}

#[test]
fn transforms_of_extensions_go_by_coefficients() {
    let x = "(1 2 3 4), (5 6 7 8)";
    let found = row("ntt ntt_type=NTT, ntt_length={2}", "koalabearx4_mont", "koalabearx4_mont", &[x]);
    assert_eq!(found, "(6 8 10 12), (2130706429 2130706429 2130706429 2130706429)");
}

#[test]
fn binary_digits_of_indices_in_reverse() {
    assert_eq!(
        row("bit-reverse dimensions={0}", "s32", "s32", &["0, 1, 2, 3, 4, 5, 6, 7"]),
        "0, 4, 2, 6, 1, 5, 3, 7"
    );
    let text =
        "x = s32[2,4] constant({{0, 1, 2, 3}, {4, 5, 6, 7}})\nROOT r = s32[2,4] bit-reverse(x), dimensions=";
    assert_eq!(run(&format!("{text}{{1}}")), "0, 2, 1, 3, 4, 6, 5, 7");
    assert_eq!(run(&format!("{text}{{0,1}}")), "0, 2, 1, 3, 4, 6, 5, 7");
}
