//! Reductions, products of matrices, order, and what moves elements.

use super::exact::{Modulo, Random};
use super::{extensions, fields, modulus, random, same, values};
use lawson_frontend::tensor::gather::segment_sum;
use lawson_frontend::tensor::{concatenate, einsum, sort_by_keys, stack, where_};
use lawson_frontend::{DType, Tensor};

#[test]
fn sums_and_products() {
    let mut rng = Random(11);
    for dtype in fields() {
        let m = Modulo(modulus(dtype));
        let x = random(dtype, &[3, 4], &mut rng);
        let xs = values(&x);
        let rows: Vec<&[u64]> = xs.chunks(4).collect();
        let sum = |x: &[u64]| x.iter().fold(0, |s, &x| m.add(s, x));
        let product = |x: &[u64]| x.iter().fold(1, |s, &x| m.multiply(s, x));
        assert_eq!(values(&x.sum()), [sum(&xs)]);
        assert_eq!(values(&x.prod()), [product(&xs)]);
        assert_eq!(values(&x.sum_axes(1)), rows.iter().map(|r| sum(r)).collect::<Vec<_>>());
        assert_eq!(values(&x.prod_axes(-1)), rows.iter().map(|r| product(r)).collect::<Vec<_>>());
        let running = |f: &dyn Fn(&[u64]) -> u64| -> Vec<u64> {
            rows.iter().flat_map(|r| (1..=4).map(|n| f(&r[..n])).collect::<Vec<_>>()).collect()
        };
        assert_eq!(values(&x.cumsum(1)), running(&sum));
        assert_eq!(values(&x.cumprod(1)), running(&product));
        assert_eq!((values(&x.index(0..0).sum())[0], values(&x.index(0..0).prod())[0]), (0, 1));
    }
    for dtype in extensions() {
        let z = random(dtype, &[3], &mut rng);
        let [a, b, c] = [0, 1, 2].map(|i| z.index(i));
        same(&z.sum(), &(&a + &b + &c));
        same(&z.prod(), &(&a * &b * &c));
        same(&z.cumsum(0), &stack(&[&a, &(&a + &b), &(&a + &b + &c)], 0));
        same(&z.cumprod(0), &stack(&[&a, &(&a * &b), &(&a * &b * &c)], 0));
        assert!(z.any().item::<bool>().unwrap() && !(&z - &z).any().item::<bool>().unwrap());
    }
}

#[test]
fn matrix_products() {
    let mut rng = Random(12);
    for dtype in fields() {
        let m = Modulo(modulus(dtype));
        let (a, b) = (random(dtype, &[2, 3], &mut rng), random(dtype, &[3, 4], &mut rng));
        let (xs, ys) = (values(&a), values(&b));
        let column = |j: usize| ys.iter().skip(j).step_by(4).copied();
        let wanted: Vec<u64> = (0..2)
            .flat_map(|i| (0..4).map(move |j| (i, j)))
            .map(|(i, j)| m.dot(xs[3 * i..3 * i + 3].to_vec(), column(j)))
            .collect();
        assert_eq!(values(&a.matmul(&b)), wanted);
        assert_eq!(values(&a.dot(&b)), wanted);
        assert_eq!(values(&einsum("ij,jk->ik", &[&a, &b])), wanted);
        let squares = einsum("ij,ij->", &[&a, &a]);
        assert_eq!(values(&squares), [m.dot(xs.clone(), xs.clone())]);
        assert_eq!(values(&a.vdot(&a)), values(&squares));
    }
}

#[test]
fn order_is_that_of_values() {
    for dtype in fields() {
        let x = Tensor::from_values(dtype, &[5u32, 0, 9, 3, 9], [5]);
        assert_eq!((values(&x.max()), values(&x.min())), (vec![9], vec![0]));
        assert_eq!(values(&x.maximum(4)), [5, 4, 9, 4, 9]);
        assert_eq!(values(&x.minimum(4)), [4, 0, 4, 3, 4]);
        assert_eq!(values(&x.clip(1, 6)), [5, 1, 6, 3, 6]);
        assert_eq!(values(&x.clamp(1, 6)), [5, 1, 6, 3, 6]);
        assert_eq!(values(&x.sort(0)), [0, 3, 5, 9, 9]);
        assert_eq!(values(&x.sort_descending(0)), [9, 9, 5, 3, 0]);
        assert_eq!(x.argsort(0).to_vec::<i32>().unwrap(), [1, 3, 0, 2, 4]);
        assert_eq!((x.argmax().item::<i32>().unwrap(), x.argmin().item::<i32>().unwrap()), (2, 1));
        assert_eq!(x.less(5).to_vec::<bool>().unwrap(), [false, true, false, true, false]);
        assert_eq!(x.equal(9).to_vec::<bool>().unwrap(), [false, false, true, false, true]);
        assert_eq!(values(&x.cummax(0)), [5, 5, 9, 9, 9]);
        let negative = -&x;
        assert!(negative.index(0).greater(x.index(0)).item::<bool>().unwrap());
        let keys = Tensor::new(&[3i32, 1, 2, 5, 4], [5]);
        assert_eq!(values(&sort_by_keys(&[&keys, &x], 0, 1)[1]), [0, 9, 5, 9, 3]);
        assert_eq!(values(&where_(x.greater(4), &x, -1)), {
            let last = modulus(dtype) - 1;
            [5, last, 9, last, 9]
        });
    }
}

#[test]
fn what_moves_elements() {
    let mut rng = Random(13);
    for dtype in fields().chain(extensions()) {
        let x = random(dtype, &[4, 3], &mut rng);
        let row = |i: i64| x.index(i);
        let at = Tensor::new(&[2i32, 0, 2], [3]);
        same(&x.take(&at, 0), &stack(&[row(2), row(0), row(2)], 0));
        let added = Tensor::zeros([4, 3], dtype).at_indices(&[&at]).add(x.index(0..3));
        let zeros = Tensor::zeros([3], dtype);
        same(&added, &stack(&[row(1), zeros.clone(), row(0) + row(2), zeros], 0));
        let multiplied = x.at(1).multiply(3);
        same(&multiplied, &stack(&[row(0), row(1) * 3, row(2), row(3)], 0));
        same(&x.at(0).set(row(3)), &stack(&[row(3), row(1), row(2), row(3)], 0));
        same(&x.reshape([2, 6]).reshape([4, 3]), &x);
        same(&x.flip(0).flip(0), &x);
        let halves = [x.index(0..2), x.index(2..4)];
        same(&concatenate(&halves, 0), &x);
        same(&x.pad([(1, 0), (0, 0)], 7).index(1..5), &x);
        same(&x.pad([(1, 0), (0, 0)], 7).index(0), &Tensor::full([3], 7, dtype));
        same(&x.broadcast_to([2, 4, 3]).index(1), &x);
        same(&Tensor::ones([4, 3], dtype), &Tensor::full([4, 3], 1u64, dtype));
        same(&Tensor::eye(4, 4, 0, dtype).matmul(&x), &x);
    }
    for dtype in fields() {
        let p = modulus(dtype);
        assert_eq!(values(&Tensor::arange(-2..3, dtype)), [p - 2, p - 1, 0, 1, 2]);
        assert_eq!(values(&Tensor::iota([2, 2], 0, dtype)), [0, 0, 1, 1]);
        let far = (1i64 << 60) + 1;
        assert_eq!(values(&Tensor::arange(far..far + 2, dtype)), [far as u64 % p, (far as u64 + 1) % p]);
    }
    assert_eq!(Tensor::full([2], 3, DType::BabyBear).dtype(), DType::BabyBear);
}

#[test]
fn segments_are_summed() {
    for dtype in fields() {
        let p = modulus(dtype);
        let (x, ids) =
            (Tensor::from_values(dtype, &[p - 1, 2, 5, 7], [4]), Tensor::new(&[1i32, 1, 0, 2], [4]));
        assert_eq!(values(&segment_sum(&x, &ids, 3)), [5, 1, 7]);
    }
}
