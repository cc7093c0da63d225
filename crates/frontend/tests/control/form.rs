//! The form of loops in HLO: what the compiler and derivatives look for.

use crate::text;
use lawson_frontend::Tensor;
use lawson_frontend::control::{ScanOptions, fori_loop, scan, scan_with};

#[test]
fn a_scan_is_one_counted_loop_over_a_flat_state() {
    let found = text(&[5, 2], |x| {
        let (init, factor) = (Tensor::new(&[1f32, 1.0], [2]), x * x);
        let (last, ys) = scan(
            |c: &Tensor, row: &Tensor| {
                let (inner, _) = scan(|c: &Tensor, _: &Tensor| (c.clone(), ()), c, &factor);
                (inner, c * row)
            },
            &init,
            x,
        );
        vec![last, ys]
    });
    let state = "(s32[], f32[2], f32[5,2], f32[5,2], f32[5,2])";
    assert!(found.contains(&format!("while = {state} while(")), "{found}");
    assert!(found.contains("compare(get-tuple-element, constant), direction=LT"), "{found}");
    assert!(found.contains("dynamic_slice_sizes={1,2}"), "{found}");
    assert_eq!(found.matches(" while(").count(), 2, "{found}");
}

#[test]
fn reverse_loops_count_up_and_read_from_the_last_row() {
    let options = ScanOptions { reverse: true, ..ScanOptions::default() };
    let found = text(&[5], |x| {
        let init = Tensor::new(&[1f32], []);
        vec![scan_with(options, |c: &Tensor, x: &Tensor| (c * x, ()), &init, x).0]
    });
    assert!(found.contains("s32[] constant(4)"), "{found}");
    assert!(found.contains("subtract = s32[] subtract("), "{found}");
}

#[test]
fn a_loop_with_numbers_for_bounds_counts_from_the_lower_one() {
    let found = text(&[], |x| vec![fori_loop(3, 7, |_, c: &Tensor| c * x, x)]);
    assert!(found.contains("s32[] constant(3)") && found.contains("s32[] constant(7)"), "{found}");
    assert!(found.contains("while = (s32[], f32[], f32[]) while("), "{found}");
}
