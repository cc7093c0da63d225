//! `--numerics fast` inside a kernel: each rule, what it must not touch, and that values stay close.

use crate::common::region::{agree, agree_closely, region_of, texts};
use lawson_kernel::region::as_products;
use lawson_kernel::region::fast_math::relax;
use lawson_kernel::target::Target;

/// What `fast` makes of the region.
fn relaxed(entry: &str) -> String {
    texts(entry)[1].clone()
}

const SUM_OF_PRODUCT: &str = "x = f32[40] parameter(0)\ny = f32[40] parameter(1)\nz = f32[40] parameter(2)\n\
    p = f32[40] multiply(x, y)\nROOT s = f32[40] add(p, z)";

#[test]
fn a_product_and_a_sum_are_one_operation_in_fast_only() {
    let [strict, fast] = texts(SUM_OF_PRODUCT);
    assert!(strict.contains("multiply") && !strict.contains("fma"), "{strict}");
    assert!(fast.contains("fma %0, %1, %2") && !fast.contains("multiply"), "{fast}");
    agree(SUM_OF_PRODUCT).expect("the same bits");
}

#[test]
fn differences_negate_what_is_taken_away() {
    let difference = |of: &str| SUM_OF_PRODUCT.replace("add(p, z)", of);
    for of in ["subtract(p, z)", "subtract(z, p)"] {
        let fast = relaxed(&difference(of));
        assert!(fast.contains("fma") && fast.contains("negate"), "{fast}");
    }
}

/// A sum of products that is computed like a product of matrices.
#[test]
fn products_of_pairs_are_multiply_adds() {
    let entry = "x = f32[32,16] parameter(0)\ny = f32[64,16] parameter(1)\n\
        a = f32[32,64,16] broadcast(x), dimensions={0,2}\nb = f32[32,64,16] broadcast(y), dimensions={1,2}\n\
        p = f32[32,64,16] multiply(a, b)\ni = f32[] constant(0)\n\
        ROOT z = f32[32,64] reduce(p, i), dimensions={2}, to_apply=add";
    let pairs = as_products(&region_of(entry), &Target::zen4()).expect("a product");
    assert!(pairs.to_string().contains("combine products"), "{pairs}");
    assert!(relax(&pairs).to_string().contains("-> sum of"), "{}", relax(&pairs));
    let beginning = as_products(&region_of(&entry.replace("constant(0)", "constant(1)")), &Target::zen4());
    assert!(!relax(&beginning.expect("a product")).to_string().contains("-> sum of"));
}

/// `p - floor(p)` is never negative, and `a·a - b·b` is zero where a is b.
#[test]
fn products_read_twice_and_differences_of_products_stay() {
    let twice =
        SUM_OF_PRODUCT.replace("add(p, z)", "subtract(p, f)").replace("ROOT", "f = f32[40] floor(p)\nROOT");
    let two = SUM_OF_PRODUCT
        .replace("add(p, z)", "subtract(p, q)")
        .replace("ROOT", "q = f32[40] multiply(z, z)\nROOT");
    for entry in [twice, two] {
        assert!(!relaxed(&entry).contains("fma"), "{}", relaxed(&entry));
    }
    let integers = SUM_OF_PRODUCT.replace("f32", "s32");
    assert!(!relaxed(&integers).contains("fma"));
}

const CHAIN: &str = "x = bf16[40] parameter(0)\ny = bf16[40] parameter(1)\nt = bf16[40] tanh(x)\n\
    d = bf16[40] subtract(t, y)\nw = f32[40] convert(d)\nn = f32[40] exponential(w)\n\
    b = bf16[40] convert(n)\nROOT s = bf16[40] multiply(b, y)";

#[test]
fn narrow_floats_stay_wide_between_operations() {
    let [strict, fast] = texts(CHAIN);
    let conversions = |text: &str| text.matches("convert").count();
    // Two loads go up, one result comes down.
    assert_eq!((conversions(&strict), conversions(&fast)), (2, 3), "{strict}{fast}");
    assert_eq!(fast.matches("= bf16").count(), strict.matches("in0[").count() + 2, "{fast}");
}

#[test]
fn what_is_compared_or_carries_bits_is_rounded_first() {
    let compared =
        CHAIN.replace("ROOT s = bf16[40] multiply(b, y)", "ROOT s = pred[40] compare(b, y), direction=EQ");
    assert!(relaxed(&compared).contains("= bf16 convert"), "{}", relaxed(&compared));
    agree(&compared).expect("as strict has it");
    let bits = CHAIN.replace("ROOT s = bf16[40] multiply(b, y)", "ROOT s = u16[40] bitcast-convert(b)");
    assert!(relaxed(&bits).contains("= bf16 convert"), "{}", relaxed(&bits));
    let cut = CHAIN.replace(
        "ROOT s = bf16[40] multiply(b, y)",
        "ROOT s = bf16[40] reduce-precision(b), exponent_bits=8, mantissa_bits=3",
    );
    assert!(relaxed(&cut).contains("reduce-precision"), "{}", relaxed(&cut));
}

#[test]
fn values_stay_close() {
    let reduced = "x = bf16[7,33] parameter(0)\ny = bf16[33] parameter(1)\ni = bf16[] constant(0)\n\
        w = bf16[7,33] broadcast(y), dimensions={1}\np = bf16[7,33] multiply(x, w)\n\
        r = bf16[7] reduce(p, i), dimensions={1}, to_apply=add_bf16\nROOT t = bf16[7] tanh(r)";
    let dotted = "x = f32[9,20] parameter(0)\nw = f32[20,17] parameter(1)\nb = f32[17] parameter(2)\n\
        z = f32[9,17] parameter(3)\nd = f32[9,17] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n\
        p = f32[9,17] multiply(d, z)\nc = f32[9,17] broadcast(b), dimensions={1}\nROOT s = f32[9,17] add(p, c)";
    let double = SUM_OF_PRODUCT.replace("f32", "f64");
    let half = SUM_OF_PRODUCT.replace("f32", "f16");
    for (entry, units) in [
        (SUM_OF_PRODUCT, 32.0),
        (CHAIN, 64.0),
        (reduced, 64.0),
        (dotted, 64.0),
        (&double, 32.0),
        (&half, 32.0),
    ] {
        agree_closely(entry, units).unwrap_or_else(|e| panic!("{e}\n{entry}"));
    }
}
