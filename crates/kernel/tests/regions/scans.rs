//! Running combinations in free orders: blocked, the same on every machine, and closer to the exact values.

use crate::common::region::{all_agree, reassociated_results};
use lawson_hlo::Literal;

/// Running sums of an array of these dimensions along one of them.
fn cumulative(dtype: &str, dims: &[i64], dim: usize, combiner: &str) -> String {
    let shape = format!("{dtype}[{}]", dims.iter().map(i64::to_string).collect::<Vec<_>>().join(","));
    let by = |of: &dyn Fn(usize) -> String| (0..dims.len()).map(of).collect::<Vec<_>>().join("x");
    let sizes = by(&|d| if d == dim { dims[d].to_string() } else { "1".into() });
    let pads = by(&|d| if d == dim { format!("{}_0", dims[d] - 1) } else { "0_0".into() });
    format!(
        "x = {shape} parameter(0)\ni = {dtype}[] constant(0)\n\
         ROOT r = {shape} reduce-window(x, i), window={{size={sizes} pad={pads}}}, to_apply={combiner}"
    )
}

/// The largest difference to the sums in f64, in units in the last place of the largest sum.
fn error(entry: &str, dims: &[i64], dim: usize, unit: f64) -> f64 {
    let (args, found) = reassociated_results(entry).expect("agrees").expect("a free order");
    let values = |l: &Literal| l.scalars().map(|s| s.as_f64()).collect::<Vec<_>>();
    let (x, found) = (values(&args[0]), values(&found[0]));
    let stride: i64 = dims[dim + 1..].iter().product();
    let mut exact = x.clone();
    for n in 0..x.len() {
        if n as i64 / stride % dims[dim] > 0 {
            exact[n] += exact[n - stride as usize];
        }
    }
    let largest = exact.iter().fold(0f64, |m, e| m.max(e.abs()));
    let worst = exact.iter().zip(&found).fold(0f64, |m, (e, f)| m.max((e - f).abs()));
    worst / (unit * largest)
}

/// Lengths around groups, chunks and powers of two of chunks, along either kind of dimension.
#[test]
fn running_sums_are_close_to_those_in_f64() {
    let unit = f64::from(f32::EPSILON);
    for (dims, dim) in [
        (&[17][..], 0),
        (&[1024], 0),
        (&[1025], 0),
        (&[7000], 0),
        (&[3, 4099], 1),
        (&[2, 3, 40], 2),
        (&[700, 3], 0),
        (&[65, 40], 0),
        (&[64, 17], 0),
        (&[2, 130, 33], 1),
    ] {
        let error = error(&cumulative("f32", dims, dim, "add"), dims, dim, unit);
        assert!(error <= 4.0, "{dims:?}, {dim}: {error} units");
    }
    let error = error(&cumulative("f64", &[3000], 0, "add_f64"), &[3000], 0, f64::EPSILON);
    assert!(error <= 4.0, "f64: {error} units");
}

/// 2^18 elements, as long as where a chain of additions was wrong in the third digit.
#[test]
fn long_running_sums_lose_no_digits() {
    let dims = [1 << 18];
    let error = error(&cumulative("f32", &dims, 0, "add"), &dims, 0, f64::from(f32::EPSILON));
    assert!(error <= 8.0, "{error} units");
}

#[test]
fn other_operations_and_what_is_read_through_others() {
    for entry in [
        cumulative("f32", &[1300], 0, "mul"),
        cumulative("f32", &[3, 1300], 1, "max"),
        cumulative("s32", &[1300], 0, "add_s32"),
        cumulative("s8", &[130, 20], 0, "add_s8"),
        cumulative("bf16", &[2, 2100], 1, "add_bf16"),
        "p = f32[1200,5] parameter(0)\nt = f32[5,1200] transpose(p), dimensions={1,0}\n\
         x = f32[5,1200] exponential(t)\ni = f32[] parameter(1)\n\
         ROOT r = f32[5,1200] reduce-window(x, i), window={size=1x1200 pad=0_0x1199_0}, to_apply=add"
            .into(),
        "p = f32[40,30] parameter(0)\nx = f32[1200] reshape(p)\ni = f32[] parameter(1)\n\
         ROOT r = f32[1200] reduce-window(x, i), window={size=1200 pad=1199_0}, to_apply=add"
            .into(),
    ] {
        assert!(reassociated_results(&entry).unwrap_or_else(|e| panic!("{e}\n{entry}")).is_some(), "{entry}");
    }
}

/// What an operation of another kind combines, or a few elements, is left as it is.
#[test]
fn orders_that_are_not_free_stay() {
    for entry in [
        cumulative("f32", &[1300], 0, "sub"),
        cumulative("f32", &[1300], 0, "second"),
        cumulative("pred", &[1300], 0, "and"),
        cumulative("f32", &[16], 0, "add"),
    ] {
        assert!(reassociated_results(&entry).expect("agrees").is_none(), "{entry}");
    }
}

/// As they are built, which is what `strict` runs, sums go from left to right, as the interpreter's do.
#[test]
fn strict_sums_go_from_left_to_right() {
    all_agree(&[
        cumulative("f32", &[2100], 0, "add"),
        cumulative("f32", &[3, 1100], 1, "add"),
        cumulative("f32", &[200, 20], 0, "add"),
    ]);
}
