//! Operations of prime fields: the bits of the interpreter, and as few reductions as bounds allow.

use super::common::{Rng, random};
use super::{agree, pairs, singles, types};
use lawson_hlo::DType;
use lawson_hlo::dtype::{Field, Prime, Storage};
use lawson_hlo::math::field::Arithmetic;
use lawson_hlo::opcode::Opcode;
use lawson_kernel::loop_ir::{self, Access, Bin, CodeBuilder, Elem, Kernel, Op, Stmt, Type, V};
use lawson_kernel::lower::scalar::{self, ProductSum};

fn fields() -> impl Iterator<Item = DType> + Clone {
    DType::ALL.iter().copied().filter(|d| d.field().is_some() || d.wide_field().is_some())
}

#[test]
fn operations_of_fields() {
    let mut rng = Rng(10);
    for field in fields() {
        for op in ["add", "subtract", "multiply", "divide", "maximum", "minimum"] {
            let xy = pairs(&mut rng, field, 300);
            assert!(agree(op, "", field, &xy, &[field, field]), "{op}");
        }
        for op in ["negate", "inverse", "copy"] {
            let x = singles(&mut rng, field, 300);
            assert!(agree(op, "", field, &[x], &[field]), "{op}");
        }
        for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"] {
            let xy = pairs(&mut rng, field, 200);
            assert!(agree("compare", &format!(", direction={direction}"), DType::Pred, &xy, &[field, field]));
        }
        for exponent in [DType::U8, DType::U32, DType::U64] {
            let exponents = singles(&mut rng, exponent, 100);
            let x = (0..exponents.len()).map(|_| random(&mut rng, field)).collect();
            assert!(agree("power", "", field, &[x, exponents], &[field, exponent]));
        }
    }
}

#[test]
fn conversions_of_fields() {
    let mut rng = Rng(11);
    for field in fields() {
        for other in types().filter(|d| d.is_integer() || d.is_pred()) {
            let (x, y) = (singles(&mut rng, other, 300), singles(&mut rng, field, 300));
            assert!(agree("convert", "", field, &[x], &[other]));
            assert!(agree("convert", "", other, &[y], &[field]));
        }
        let same = |d: &DType| d.modulus() == field.modulus();
        for other in fields().filter(same) {
            let x = singles(&mut rng, other, 300);
            assert!(agree("convert", "", field, &[x], &[other]));
        }
        for other in types().filter(|d| d.is_integer() && d.bits() == field.bits()) {
            let (x, y) = (singles(&mut rng, other, 300), singles(&mut rng, field, 300));
            assert!(agree("bitcast-convert", "", field, &[x], &[other]));
            assert!(agree("bitcast-convert", "", other, &[y], &[field]));
        }
    }
}

/// A factor that is a sum or a difference need not be reduced before it is multiplied.
#[test]
fn factors_are_reduced_once() {
    for prime in [Prime::BabyBear, Prime::KoalaBear] {
        let (field, of) = (Field::montgomery(prime), Arithmetic::new(Field::montgomery(prime)));
        let p = prime.modulus();
        let edges = [0, 1, 2, p / 2, p - 2, p - 1];
        for opcode in [Opcode::Add, Opcode::Subtract] {
            let dtype = DType::ALL.iter().copied().find(|d| d.field() == Some(field)).expect("a type");
            let mut b = CodeBuilder::new("product");
            let n = edges.len().pow(3) as i64;
            let inputs = ["x", "y", "z"].map(|name| b.buffer(name, scalar::mem_elem(dtype), n, Access::Read));
            let output = b.buffer("r", scalar::mem_elem(dtype), n, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n));
                b.for_loop(lo, hi, 2, &[], |b, at, _| {
                    let [x, y, z] = inputs.map(|buf| b.load(buf, at, 2, None));
                    let sum = scalar::binary(b, opcode, dtype, x, y).expect("it has a meaning");
                    let product =
                        scalar::binary(b, Opcode::Multiply, dtype, sum, z).expect("it has a meaning");
                    b.store(output, at, product, None);
                    Vec::new()
                });
            });
            let kernel = b.finish();
            let all =
                || edges.iter().flat_map(|&x| edges.iter().flat_map(move |&y| edges.map(|z| (x, y, z))));
            let bytes = |f: fn((u64, u64, u64)) -> u64| -> Vec<u8> {
                all().flat_map(|t| (f(t) as u32).to_le_bytes()).collect()
            };
            let mut buffers = vec![bytes(|t| t.0), bytes(|t| t.1), bytes(|t| t.2), Vec::new()];
            loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
            let expected: Vec<u8> = all()
                .flat_map(|(x, y, z)| {
                    let sum = if opcode == Opcode::Add { of.add(x, y) } else { of.subtract(x, y) };
                    (of.multiply(sum, z) as u32).to_le_bytes()
                })
                .collect();
            assert_eq!(buffers[3], expected, "{opcode} in {prime:?}");
            assert_eq!(minima_in_use(&kernel), 1, "{opcode} in {prime:?}: {kernel}");
        }
    }
}

/// What is known of a word as an element of one field does not hold of it as an element of another.
#[test]
fn words_of_one_field_become_elements_of_another() {
    let small = |dtype: &DType| dtype.field().is_some_and(|f| f.prime.modulus() < 1 << 32);
    let all: Vec<DType> = DType::ALL.iter().copied().filter(small).collect();
    for (from, into) in all.iter().flat_map(|&from| all.iter().map(move |&into| (from, into))) {
        let [source, target] = [from, into].map(|d| d.field().expect("a field"));
        let (of, then) = (Arithmetic::new(source), Arithmetic::new(target));
        let p = source.prime.modulus();
        let edges = [0, 1, 2, p / 2 + 1, p - 2, p - 1];
        let n = (edges.len() * edges.len()) as i64;
        for (opcode, by_bits) in [Opcode::Add, Opcode::Subtract, Opcode::Multiply]
            .into_iter()
            .flat_map(|o| [(o, false), (o, true)])
        {
            let mut b = CodeBuilder::new("words");
            let inputs = ["x", "y"].map(|name| b.buffer(name, scalar::mem_elem(from), n, Access::Read));
            let output = b.buffer("r", scalar::mem_elem(into), n, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n));
                b.for_loop(lo, hi, 4, &[], |b, at, _| {
                    let [x, y] = inputs.map(|buf| b.load(buf, at, 4, None));
                    let made = scalar::binary(b, opcode, from, x, y).expect("a meaning");
                    let convert = if by_bits { scalar::bits } else { scalar::convert };
                    let word = convert(b, from, DType::U32, made).expect("words");
                    let element = convert(b, DType::U32, into, word).expect("elements");
                    let square =
                        scalar::binary(b, Opcode::Multiply, into, element, element).expect("a meaning");
                    let sum = scalar::binary(b, Opcode::Add, into, square, element).expect("a meaning");
                    b.store(output, at, sum, None);
                    Vec::new()
                });
            });
            let pairs = || edges.iter().flat_map(|&x| edges.map(|y| (x, y)));
            let bytes = |f: &dyn Fn((u64, u64)) -> u64| -> Vec<u8> {
                pairs().flat_map(|xy| (f(xy) as u32).to_le_bytes()).collect()
            };
            let mut buffers = vec![bytes(&|t| t.0), bytes(&|t| t.1), Vec::new()];
            loop_ir::evaluate(&b.finish(), &mut buffers).expect("it runs");
            let expected = bytes(&|(x, y)| {
                let made = match opcode {
                    Opcode::Add => of.add(x, y),
                    Opcode::Subtract => of.subtract(x, y),
                    _ => of.multiply(x, y),
                };
                let element = match by_bits {
                    true => made % target.prime.modulus(),
                    false => target.stored(of.value(made) % target.prime.modulus()),
                };
                then.add(then.multiply(element, element), element)
            });
            assert_eq!(buffers[2], expected, "{opcode} of {from}, as {into}");
        }
    }
}

/// Sums of any number of products of the largest and other words, of either sign, with one reduction.
#[test]
fn products_are_summed_before_they_are_reduced() {
    let mut rng = Rng(11);
    for dtype in fields().filter(|&d| ProductSum::of(d).is_some()) {
        let field = dtype.field().expect("a field");
        let (p, of) = (field.prime.modulus(), Arithmetic::new(field));
        let edges = [p - 1, p - 1, p - 2, p / 2, 1, 0];
        for (products, lanes) in (1..=7).flat_map(|n| [1, 2, 16].map(|lanes| (n, lanes))) {
            let n = 32;
            let mut words = |_| -> Vec<u64> {
                (0..n).map(|i| if i == 0 { p - 1 } else { edges[rng.below(6) as usize] }).collect()
            };
            let columns: Vec<Vec<u64>> = (0..2 * products).map(&mut words).collect();
            let negative = |k: usize| k % 3 == 2;
            let mut b = CodeBuilder::new("sum");
            let inputs: Vec<_> = (0..2 * products)
                .map(|k| b.buffer(format!("p{k}"), scalar::mem_elem(dtype), n as i64, Access::Read))
                .collect();
            let output = b.buffer("r", scalar::mem_elem(dtype), n as i64, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n as i64));
                b.for_loop(lo, hi, lanes as i64, &[], |b, at, _| {
                    let mut sum = ProductSum::of(dtype).expect("a field that has them");
                    for k in 0..products {
                        let [x, y] = [2 * k, 2 * k + 1].map(|i| b.load(inputs[i], at, lanes, None));
                        sum.add(b, x, y, negative(k));
                    }
                    let total = sum.total(b).expect("products");
                    b.store(output, at, total, None);
                    Vec::new()
                });
            });
            let kernel = b.finish();
            let bytes =
                |words: &[u64]| words.iter().flat_map(|&w| (w as u32).to_le_bytes()).collect::<Vec<u8>>();
            let mut buffers: Vec<Vec<u8>> = columns.iter().map(|c| bytes(c)).chain([Vec::new()]).collect();
            loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
            let expected = (0..n).map(|i| {
                (0..products).fold(0, |sum, k| {
                    let product = of.multiply(columns[2 * k][i], columns[2 * k + 1][i]);
                    if negative(k) { of.subtract(sum, product) } else { of.add(sum, product) }
                })
            });
            let expected: Vec<u64> = expected.collect();
            assert_eq!(buffers[2 * products], bytes(&expected), "{products} products of {dtype}: {kernel}");
            let halves = if lanes == 1 { 1 } else { 2 };
            let reductions = if field.storage == Storage::Plain { 2 } else { 1 };
            let plain = usize::from(reductions == 2);
            let text = kernel.to_string();
            let found = text.matches("mulwide").count();
            assert_eq!(found, halves * (products + plain + 2 * reductions), "{text}");
        }
    }
}

/// Products, differences and sums as factors of products, squares too, of the words at the borders.
#[test]
fn chains_of_products_are_reduced_at_their_end() {
    for dtype in [DType::BabyBearMont, DType::KoalaBearMont] {
        let field = dtype.field().expect("a field");
        let (p, of) = (field.prime.modulus(), Arithmetic::new(field));
        let edges = [0, 1, 2, p / 2, p / 2 + 1, p - 2, p - 1];
        for lanes in [1, 16] {
            let n = edges.len().pow(3).next_multiple_of(lanes);
            let mut b = CodeBuilder::new("chain");
            let inputs =
                ["x", "y", "z"].map(|name| b.buffer(name, scalar::mem_elem(dtype), n as i64, Access::Read));
            let output = b.buffer("r", scalar::mem_elem(dtype), n as i64, Access::Write);
            b.phase(1, |b, _| {
                let (lo, hi) = (b.i64(0), b.i64(n as i64));
                b.for_loop(lo, hi, lanes as i64, &[], |b, at, _| {
                    let [x, y, z] = inputs.map(|buf| b.load(buf, at, lanes as u32, None));
                    let mut op = |opcode, x, y| scalar::binary(b, opcode, dtype, x, y).expect("a meaning");
                    let xy = op(Opcode::Multiply, x, y);
                    let square = op(Opcode::Multiply, xy, xy);
                    let (sum, difference) = (op(Opcode::Add, x, z), op(Opcode::Subtract, y, z));
                    let left = op(Opcode::Multiply, square, difference);
                    let right = op(Opcode::Multiply, sum, sum);
                    let all = op(Opcode::Multiply, left, right);
                    b.store(output, at, all, None);
                    Vec::new()
                });
            });
            let kernel = b.finish();
            let all: Vec<[u64; 3]> = (0..n).map(|i| [i, i / 7, i / 49].map(|i| edges[i % 7])).collect();
            let bytes = |words: Vec<u64>| -> Vec<u8> {
                words.into_iter().flat_map(|w| (w as u32).to_le_bytes()).collect()
            };
            let mut buffers: Vec<Vec<u8>> =
                (0..3).map(|k| bytes(all.iter().map(|t| t[k]).collect())).chain([Vec::new()]).collect();
            loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
            let expected = all.iter().map(|&[x, y, z]| {
                let (xy, sum) = (of.multiply(x, y), of.add(x, z));
                let left = of.multiply(of.multiply(xy, xy), of.subtract(y, z));
                of.multiply(left, of.multiply(sum, sum))
            });
            assert_eq!(buffers[3], bytes(expected.collect()), "{dtype}: {kernel}");
            if lanes > 1 {
                assert_eq!(minima_in_use(&kernel), 1, "{dtype}: {kernel}");
            }
        }
    }
}

/// Products by ±2^−n and by small constants are shifts and sums, whatever the storage; what is added to an opposite is a
/// difference.
#[test]
fn products_by_constants() {
    for dtype in fields() {
        // Fields of several words have neither.
        let Some(field) = dtype.field() else { continue };
        let (p, of) = (field.prime.modulus(), Arithmetic::new(field));
        let halved = (1..32u64).map(|n| of.power(of.inverse(field.stored(2)), n));
        for size in halved.chain((1..6).map(|n| field.stored(n))) {
            for factor in [size, of.subtract(0, size)] {
                let mut b = CodeBuilder::new("product");
                let input = b.buffer("x", scalar::mem_elem(dtype), 32, Access::Read);
                let output = b.buffer("r", scalar::mem_elem(dtype), 160, Access::Write);
                b.phase(1, |b, zero| {
                    let x = b.load(input, zero, 32, None);
                    let ty = b.ty_of(x);
                    let by = b.constant(ty, factor);
                    let product = scalar::binary(b, Opcode::Multiply, dtype, x, by).expect("a meaning");
                    let mut binary =
                        |opcode, x, y| scalar::binary(b, opcode, dtype, x, y).expect("a meaning");
                    let more = binary(Opcode::Add, product, x);
                    let less = binary(Opcode::Subtract, x, product);
                    let twice = binary(Opcode::Add, product, product);
                    let square = binary(Opcode::Multiply, product, product);
                    for (n, value) in [product, more, less, twice, square].into_iter().enumerate() {
                        let at = b.i64(32 * n as i64);
                        b.store(output, at, value, None);
                    }
                });
                let kernel = b.finish();
                let bytes = |word: u64| word.to_le_bytes()[..dtype.size()].to_vec();
                let words: Vec<u64> = (0..32)
                    .map(|i| [0, 1, 2, p / 2, p - 2, p - 1, 1 << i, p - (1 << i) % p][i % 8] % p)
                    .collect();
                let mut buffers = vec![words.iter().flat_map(|&w| bytes(w)).collect(), Vec::new()];
                loop_ir::evaluate(&kernel, &mut buffers).expect("it runs");
                let expected = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u8> {
                    words.iter().flat_map(|&w| bytes(f(w, of.multiply(w, factor)))).collect()
                };
                let expected = [
                    expected(&|_, xc| xc),
                    expected(&|x, xc| of.add(x, xc)),
                    expected(&|x, xc| of.subtract(x, xc)),
                    expected(&|_, xc| of.add(xc, xc)),
                    expected(&|_, xc| of.multiply(xc, xc)),
                ];
                assert_eq!(buffers[1], expected.concat(), "{dtype} by {factor}: {kernel}");
            }
        }
    }
    let mut b = CodeBuilder::new("half");
    b.phase(1, |b, _| {
        let x = b.op(Op::Iota(Type::vector(Elem::I32, 16)));
        let half = b.constant(Type::vector(Elem::I32, 16), (15 << 27 | 1) / 2 + 1);
        scalar::binary(b, Opcode::Multiply, DType::BabyBear, x, half).expect("a meaning");
    });
    assert!(!b.finish().to_string().contains("wide"));
}

/// The minima that the stored value is made of.
fn minima_in_use(kernel: &Kernel) -> usize {
    let loops = kernel.phases[0].body.iter().find_map(|s| match s {
        Stmt::For { body, .. } => Some(body),
        _ => None,
    });
    let body = loops.expect("a loop");
    let made = |v: V| {
        body.stmts.iter().find_map(|s| match s {
            Stmt::Let(found, op) if *found == v => Some(op),
            _ => None,
        })
    };
    let mut left: Vec<V> = body
        .stmts
        .iter()
        .filter_map(|s| if let Stmt::Store(store) = s { Some(store.value) } else { None })
        .collect();
    let (mut seen, mut count) = (Vec::new(), 0);
    while let Some(v) = left.pop() {
        if seen.contains(&v) {
            continue;
        }
        seen.push(v);
        match made(v) {
            Some(Op::Bin(op, x, y)) => {
                count += (*op == Bin::UMin) as usize;
                left.extend([*x, *y]);
            }
            Some(Op::Regroup { value, .. }) => left.push(*value),
            Some(Op::Shuffle { a, b, .. }) => left.extend([*a, *b]),
            _ => {}
        }
    }
    count
}
