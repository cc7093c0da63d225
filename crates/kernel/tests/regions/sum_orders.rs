//! Sums of products in the order of memory, and what follows of it for their loops.

use crate::common::region::{all_agree, plan_on, region_of, results_in_memory_order};
use lawson_kernel::region::in_memory_order;
use lawson_kernel::target::Target;

/// The gradient of the kernel of a convolution with features last: a batch is summed over, and a picture.
fn gradient_of_kernel(batch: i64, side: i64, features: i64) -> String {
    format!(
        "x = f32[{batch},{side},{side},{features}] parameter(0)\n\
         ROOT r = f32[3,3,{features},{features}] convolution(x, x), window={{size={side}x{side} pad=1_1x1_1}}, \
         dim_labels=f01b_i01o->01bf"
    )
}

/// A convolution with features first.
fn features_first(features: i64, side: i64, padded: bool) -> String {
    let (out, pad) = if padded { (side, " pad=1_1x1_1") } else { (side - 2, "") };
    format!(
        "x = f32[2,{features},{side},{side}] parameter(0)\nw = f32[{features},{features},3,3] parameter(1)\n\
         ROOT r = f32[2,{features},{out},{out}] convolution(x, w), window={{size=3x3{pad}}}, \
         dim_labels=bf01_oi01->bf01"
    )
}

fn dot(dims: &str, y: &str, contracting: &str) -> String {
    format!(
        "x = f32[{dims}] parameter(0)\ny = f32[{y}] parameter(1)\nROOT r = f32[9,11] dot(x, y), {contracting}"
    )
}

/// The extents of the sum, and whether the results are the bits of the evaluator on all machines.
fn inner(entry: &str) -> Option<Vec<i64>> {
    let results = results_in_memory_order(entry).unwrap_or_else(|e| panic!("{e}\n{entry}"));
    let free = in_memory_order(&region_of(entry))?;
    assert!(results.is_some());
    Some(free.stages[0].inner.clone())
}

#[test]
fn sums_take_the_order_of_memory() {
    assert_eq!(inner(&gradient_of_kernel(3, 7, 5)), Some(vec![3, 7, 7]));
    assert_eq!(inner(&features_first(4, 9, true)), Some(vec![4, 3, 3]));
    // Both operands have the second of these dimensions outside.
    let swapped = dot("9,3,5", "3,5,11", "lhs_contracting_dims={2,1}, rhs_contracting_dims={1,0}");
    assert_eq!(inner(&swapped), Some(vec![3, 5]));
}

#[test]
fn orders_of_memory_stay() {
    let last = "x = f32[2,8,9,3] parameter(0)\nw = f32[3,3,3,20] parameter(1)\n\
                ROOT r = f32[2,6,7,20] convolution(x, w), window={size=3x3}, dim_labels=b01f_01io->b01f";
    assert_eq!(inner(last), None);
    let apart = dot("9,3,5", "5,3,11", "lhs_contracting_dims={2,1}, rhs_contracting_dims={0,1}");
    assert_eq!(inner(&apart), None, "each order suits one of the operands alone");
    let spread = "x = f32[2,3,9] parameter(0)\nw = f32[4,3,3] parameter(1)\n\
                  ROOT r = f32[2,4,19] convolution(x, w), window={size=3 pad=2_2 lhs_dilate=2}, dim_labels=bf0_oi0->bf0";
    assert_eq!(inner(spread), None, "places between elements are no steps");
}

/// Rows of the other operand that lie in near lines are read in blocks of k, of whole runs of its innermost axis, instead of
/// being copied.
#[test]
fn near_lines_are_read_in_blocks() {
    let entry = "x = f32[3,22,22,32] parameter(0)\ny = f32[3,20,20,32] parameter(1)\n\
                 ROOT r = f32[3,3,32,32] convolution(x, y), window={size=20x20}, dim_labels=f01b_i01o->01bf";
    let region = in_memory_order(&region_of(entry)).expect("another order");
    let plan = plan_on(&region, &Target { l1: 16 << 10, ..Target::zen4() });
    assert!(plan.contains("k in blocks of 120"), "{plan}");
    assert!(!plan.contains("ahead"), "{plan}");
    all_agree(&[gradient_of_kernel(2, 9, 20), gradient_of_kernel(3, 5, 17)]);
    // Rows that are as far apart as pages are copied.
    let far = "x = f32[900,1024] parameter(0)\ny = f32[900,64] parameter(1)\n\
               ROOT r = f32[1024,64] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
    let plan = plan_on(&region_of(far), &Target::zen4());
    assert!(plan.contains("lhs ahead"), "{plan}");
}

/// Windows that overlap are read where they are; with steps between their columns they are packed.
#[test]
fn windows_in_line_are_not_packed() {
    let plan_of = |entry: &str| {
        let region = region_of(entry);
        plan_on(&in_memory_order(&region).unwrap_or(region), &Target::zen4())
    };
    let plan = plan_of(&features_first(32, 34, false));
    assert!(!plan.contains("packed"), "{plan}");
    let stride = "x = f32[2,32,65,65] parameter(0)\nw = f32[24,32,3,3] parameter(1)\n\
                  ROOT r = f32[2,24,32,32] convolution(x, w), window={size=3x3 stride=2x2}, dim_labels=bf01_oi01->bf01";
    let plan = plan_of(stride);
    assert!(plan.contains("lhs packed"), "{plan}");
    all_agree(&[features_first(16, 19, false)]);
}
