//! Derivatives over fields: those of polynomials and of rational functions.

use super::exact::{Modulo, Random};
use super::{extensions, fields, modulus, random, same, values};
use lawson_frontend::control::{fori_loop, scan};
use lawson_frontend::grad::{self, checkpoint, grad, hessian, jvp, vjp};
use lawson_frontend::tensor::{concatenate, einsum, sort_by_keys, where_};
use lawson_frontend::{DType, Tensor};
use lawson_hlo::{Module, Value, eval};

/// d/dx of a function of a scalar, by the rule on paper.
#[track_caller]
fn derivative(f: impl Fn(&Tensor) -> Tensor + Copy, wanted: impl Fn(Modulo, u64) -> u64) {
    for dtype in fields() {
        let m = Modulo(modulus(dtype));
        let mut rng = Random(41);
        for x in [0, 1, 2, m.0 - 1, rng.next() % m.0, rng.next() % m.0] {
            let at = Tensor::from_values(dtype, &[x], []);
            assert_eq!(values(&grad(f)(&at)), [wanted(m, x)], "{dtype} at {x}");
            let tangent = jvp(|x: &Tensor| f(x), &(at.clone(),), &(Tensor::ones([], dtype),)).1;
            assert_eq!(values(&tangent), [wanted(m, x)], "{dtype} at {x}, forward");
        }
    }
}

#[test]
fn polynomials() {
    derivative(|x| x * x * x - x, |m, x| m.add(m.multiply(3, m.multiply(x, x)), m.0 - 1));
    derivative(|x| x.pow(5) * 7 + 1, |m, x| m.multiply(35, m.power(x, 4)));
    derivative(|x| x.pow(0) + 3, |_, _| 0);
    derivative(|x| x.pow(Tensor::new(&[6u64], []).reshape([])), |m, x| m.multiply(6, m.power(x, 5)));
    for n in [0u8, 1, 2] {
        let by_tensor = move |x: &Tensor| x.pow(Tensor::new(&[n], []));
        derivative(
            by_tensor,
            move |m, x| if n == 0 { 0 } else { m.multiply(n.into(), m.power(x, u64::from(n) - 1)) },
        );
    }
}

/// The derivative of 1/x is −1/x² where x is not 0, and 0 there, since the inverse of 0 is.
#[test]
fn rational_functions() {
    let of_inverse = |m: Modulo, x| m.negate(m.inverse(m.multiply(x, x)));
    derivative(|x| x.reciprocal(), of_inverse);
    derivative(|x| 1 / x, of_inverse);
    derivative(|x| x.pow(-1), of_inverse);
    let below = |m: Modulo, x| m.add(m.multiply(x, x), 2);
    derivative(
        |x| x / (x * x + 2),
        move |m, x| {
            let inverse = m.inverse(below(m, x));
            let slope = m.multiply(m.multiply(2, m.multiply(x, x)), m.multiply(inverse, inverse));
            m.add(inverse, m.negate(slope))
        },
    );
}

#[test]
fn second_derivatives() {
    derivative(|x| grad(|x: &Tensor| x.pow(4) - x * 3)(x), |m, x| m.multiply(12, m.multiply(x, x)));
    derivative(
        |x| grad(|x: &Tensor| x.pow(Tensor::new(&[4u32], [])))(x),
        |m, x| m.multiply(12, m.multiply(x, x)),
    );
    derivative(|x| grad(|x: &Tensor| x.reciprocal())(x), |m, x| m.multiply(2, m.inverse(m.power(x, 3))));
    let x = Tensor::from_values(DType::GoldilocksMont, &[3u32, 5], [2]);
    let second = hessian(|x: &Tensor| x.index(0).pow(2) * x.index(1))(&x);
    assert_eq!(values(&second), [10, 6, 6, 0]);
}

/// A program over a field, of two vectors of four elements.
type Program = fn(&Tensor, &Tensor) -> Tensor;

const PROGRAMS: &[(&str, Program)] = &[
    ("arithmetic", |x, y| (x * y - x + 3) * (y + 1) - x / (y * y + 5)),
    ("inverse", |x, y| (x + y).reciprocal() * x),
    ("powers", |x, y| x.pow(5) - y.pow(-2) + x.pow(0)),
    ("dot", |x, y| x.dot(y) * x + y),
    ("matrices", |x, y| x.outer(y).matmul(x) + x.reshape([2, 2]).matmul(y.reshape([2, 2])).reshape([4])),
    ("einsum", |x, y| einsum("i,j,i->j", &[x, y, y])),
    ("sum", |x, y| (x * y).sum() * x),
    ("prod", |x, y| x.prod() * y + y.reshape([2, 2]).prod_axes(0).sum()),
    ("running", |x, y| (x * y).cumsum(0) + (x + y).cumprod(0)),
    ("select", |x, y| where_(x.greater(y), x * x, y * 3)),
    ("movement", |x, y| {
        let joined = concatenate(&[x, &y.flip(0)], 0).reshape([2, 4]).t();
        joined.pad([(1, 0), (0, 1)], 7).index(1..5).index((.., 0..1)).reshape([4]) * y
    }),
    ("indices", |x, y| {
        let at = Tensor::new(&[2i32, 0, 2, 1], [4]);
        x.take(&at, 0) * y + y.at_indices(&[&at]).add(x) - (x * x).at(1).multiply(5) + y.at(3).set(x.index(0))
    }),
    ("sorted by keys", |x, y| {
        let keys = Tensor::new(&[3i32, 1, 2, 0], [4]);
        sort_by_keys(&[&keys, &(x * y)], 0, 1).remove(1)
    }),
    ("loop", |x, y| fori_loop(0, 3, |_, z: &Tensor| z * x + y, y)),
    ("checkpoint", |x, y| checkpoint(|x: &Tensor, y: &Tensor| x * x * y + x.reciprocal())(x, y)),
    ("scan", |x, y| {
        let step = |c: &Tensor, r: &Tensor| (c * r + 2, c * c);
        let (last, all) = scan(step, &x.index(0), y);
        all + last
    }),
];

/// For a linear map and its transpose ⟨w, Jt⟩ = ⟨Jᵗw, t⟩; and the tangent is that of the same program written with dual
/// numbers: f(x + εt) to first order, by matrices whose square is zero.
#[track_caller]
fn transposed(name: &str, f: Program, dtype: DType, rng: &mut Random) {
    let [x, y, tx, ty, w] = [(); 5].map(|()| random(dtype, &[4], rng));
    let of = |x: &Tensor, y: &Tensor| f(x, y);
    let (value, tangent) = jvp(of, &(x.clone(), y.clone()), &(tx.clone(), ty.clone()));
    let (again, pull) = vjp(of, &(x.clone(), y.clone()));
    same(&value, &f(&x, &y));
    same(&again, &value);
    let (wx, wy) = pull(&w);
    assert_eq!(values(&w.dot(&tangent)), values(&(wx.dot(&tx) + wy.dot(&ty))), "{name} of {dtype}");
}

#[test]
fn backward_is_the_transpose_of_forward() {
    let mut rng = Random(42);
    for dtype in [DType::BabyBearMont, DType::Goldilocks, DType::Mersenne31] {
        for &(name, f) in PROGRAMS {
            transposed(name, f, dtype, &mut rng);
        }
    }
    for dtype in [DType::BabyBearX4Mont, DType::GoldilocksX3] {
        // The elements of an extension have no order.
        for &(name, f) in PROGRAMS.iter().filter(|(name, _)| *name != "select") {
            transposed(name, f, dtype, &mut rng);
        }
    }
}

/// A polynomial program along a line, x + s·t, is a polynomial in s; its derivative at 0 is what the values at as many
/// points as it has coefficients say, with no derivative taken.
#[test]
fn tangents_are_those_of_the_values() {
    const DEGREE: u64 = 12;
    let dtype = DType::GoldilocksMont;
    let m = Modulo(modulus(dtype));
    let mut rng = Random(43);
    let polynomials =
        ["dot", "matrices", "einsum", "sum", "prod", "running", "movement", "indices", "loop", "scan"];
    for &(name, f) in PROGRAMS.iter().filter(|(name, _)| polynomials.contains(name)) {
        let [x, y, tx, ty] = [(); 4].map(|()| random(dtype, &[4], &mut rng));
        let tangent =
            jvp(|x: &Tensor, y: &Tensor| f(x, y), &(x.clone(), y.clone()), &(tx.clone(), ty.clone())).1;
        let along = |s: u64| values(&f(&(&x + &tx * s), &(&y + &ty * s)));
        let points: Vec<Vec<u64>> = (0..=DEGREE).map(along).collect();
        let wanted: Vec<u64> = (0..4).map(|i| slope_at_zero(m, points.iter().map(|p| p[i]))).collect();
        assert_eq!(values(&tangent), wanted, "{name}");
    }
}

/// The derivative at 0 of the polynomial that has these values at 0, 1, 2 …: by Newton's forward differences.
fn slope_at_zero(m: Modulo, values: impl Iterator<Item = u64>) -> u64 {
    let mut differences: Vec<u64> = values.collect();
    let mut slope = 0;
    for k in 1..differences.len() as u64 {
        differences = differences.windows(2).map(|w| m.add(w[1], m.negate(w[0]))).collect();
        // The slope at 0 of s·(s − 1)···(s − k + 1) / k! is ±1/k.
        let term = m.multiply(differences[0], m.inverse(k));
        slope = m.add(slope, if k % 2 == 1 { term } else { m.negate(term) });
    }
    slope
}

#[test]
fn casts_between_forms_are_linear() {
    let x = Tensor::from_values(DType::KoalaBear, &[5u32, 7], [2]);
    let f = |x: &Tensor| {
        let y = x.astype(DType::KoalaBearMont);
        (&y * &y).astype(DType::KoalaBear).sum()
    };
    same(&grad(f)(&x), &(&x * 2));
}

#[test]
fn an_extension_with_constants_of_its_field() {
    let mut rng = Random(44);
    for dtype in extensions() {
        let (z, x) = (random(dtype, &[3], &mut rng), random(dtype.part(), &[3], &mut rng));
        same(&grad(|z: &Tensor| z.dot(&x) + (z / &x).sum())(&z), &(x.astype(dtype) + x.reciprocal()));
        let of_x = jvp(|x: &Tensor| x * &z, &(x.clone(),), &(Tensor::ones([3], x.dtype()),)).1;
        same(&of_x, &z);
        let e = grad(|x: &Tensor| (x * &z).sum())(&x).error().expect("an error").to_string();
        assert!(e.contains("of the extension") && e.contains("multiply"), "{e}");
        let e = grad(|x: &Tensor| (x.astype(dtype) * &z).sum())(&x).error().expect("an error").to_string();
        assert!(e.contains("of the extension") && e.contains("convert"), "{e}");
    }
}

#[test]
fn order_has_no_derivative() {
    let x = Tensor::from_values(DType::BabyBearMont, &[5u32, 7, 2], [3]);
    let programs: &[(&str, fn(&Tensor) -> Tensor)] = &[
        ("maximum", |x| x.maximum(3).sum()),
        ("minimum", |x| x.minimum(3).sum()),
        ("clamp", |x| x.clamp(1, 3).sum()),
        ("reduce", |x| x.max()),
        ("reduce-window", |x| x.cummin(0).sum()),
        ("sort", |x| x.sort(0).index(0)),
    ];
    for (name, f) in programs {
        let e = grad(f)(&x).error().unwrap_or_else(|| panic!("`{name}` has a derivative")).to_string();
        assert!(
            e.contains(&format!("`{name}`")) && e.contains("no derivative") && e.contains("derivatives.rs"),
            "{e}"
        );
    }
    // What decides by order is no obstacle.
    let chosen = grad(|x: &Tensor| x.take(&x.argmax(), 0) * 3);
    assert_eq!(values(&chosen(&x)), [0, 3, 0]);
}

/// The gradient of a module by its first argument, and the value.
fn of_text(text: &str, arguments: &[&Tensor]) -> [Tensor; 2] {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let made = grad::module(&module, &[0], true).unwrap_or_else(|e| panic!("{e}"));
    let arguments: Vec<Value> =
        arguments.iter().map(|t| Value::Array(t.array().unwrap().to_literal())).collect();
    let found = eval::evaluate(&made, &arguments, &eval::Options::default()).unwrap();
    [1, 0].map(|n| Tensor::from_literal(found.leaves()[n].clone()))
}

#[test]
fn gradients_of_text() {
    let text = "
HloModule cubes
add { a = koalabear[] parameter(0)\n b = koalabear[] parameter(1)\n ROOT r = koalabear[] add(a, b) }
ENTRY main {
  x = koalabear[3] parameter(0)
  n = u32[] constant(3)
  exponents = u32[3] broadcast(n), dimensions={}
  cubes = koalabear[3] power(x, exponents)
  zero = koalabear[] constant(0)
  ROOT s = koalabear[] reduce(cubes, zero), dimensions={0}, to_apply=add
}";
    let x = Tensor::from_values(DType::KoalaBear, &[1u32, 2, 5], [3]);
    assert_eq!(values(&of_text(text, &[&x])[0]), [3, 12, 75]);
}

/// ⟨w, A·x⟩ is linear in x, so its gradient Aᵀ·w gives it back as ⟨Aᵀ·w, x⟩, and depends on w alone.
#[test]
fn transforms_are_linear() {
    let mut rng = Random(45);
    for dtype in [DType::BabyBearMont, DType::Goldilocks, DType::GoldilocksX2Mont, DType::KoalaBearX4] {
        for transform in [
            "ntt(x), ntt_type=NTT, ntt_length={8}",
            "ntt(x), ntt_type=NTT, ntt_length={8}, coset=31",
            "ntt(x), ntt_type=INTT, ntt_length={8}",
            "ntt(x), ntt_type=INTT, ntt_length={8}, coset=31",
            "bit-reverse(x), dimensions={0,1}",
        ] {
            let text = format!(
                "HloModule transform
add {{ a = T[] parameter(0)\n b = T[] parameter(1)\n ROOT r = T[] add(a, b) }}
ENTRY main {{
  x = T[2,8] parameter(0)
  w = T[2,8] parameter(1)
  y = T[2,8] {transform}
  products = T[2,8] multiply(y, w)
  none = s32[] constant(0)
  zero = T[] convert(none)
  ROOT s = T[] reduce(products, zero), dimensions={{0,1}}, to_apply=add
}}"
            )
            .replace("T[", &format!("{dtype}["));
            let [x, other, w] = [(); 3].map(|()| random(dtype, &[2, 8], &mut rng));
            let [gradient, value] = of_text(&text, &[&x, &w]);
            same(&(&gradient * &x).sum(), &value);
            same(&of_text(&text, &[&other, &w])[0], &gradient);
            same(&(&gradient * &other).sum(), &of_text(&text, &[&other, &w])[1]);
        }
    }
}
