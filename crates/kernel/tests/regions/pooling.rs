//! Gradients of pooling: lanes along the channels, tasks along the images, and windows that overlap, leave gaps, or do neither.

use super::common::region::{all_agree, plan_of};

/// A select-and-scatter of these dimensions; each of the windows' has a size, a stride, and what is added before and behind.
fn pooling(dtype: &str, dims: &[i64], window: &[(i64, i64, i64, i64)]) -> String {
    let join = |parts: Vec<String>, by: &str| parts.join(by);
    let each = |of: &dyn Fn(&(i64, i64, i64, i64)) -> String| join(window.iter().map(of).collect(), "x");
    let shape = |dims: &[i64]| format!("{dtype}[{}]", join(dims.iter().map(i64::to_string).collect(), ","));
    let positions = |(&n, &(size, stride, before, behind)): (&i64, &(i64, i64, i64, i64))| {
        (n + before + behind - size) / stride + 1
    };
    let source: Vec<i64> = dims.iter().zip(window).map(positions).collect();
    let (sizes, strides) = (each(&|w| w.0.to_string()), each(&|w| w.1.to_string()));
    let pads = each(&|w| format!("{}_{}", w.2, w.3));
    let suffix = if dtype == "f32" { String::new() } else { format!("_{dtype}") };
    format!(
        "x = {0} parameter(0)\ns = {1} parameter(1)\ni = {dtype}[] parameter(2)\n\
         ROOT r = {0} select-and-scatter(x, s, i), window={{size={sizes} stride={strides} pad={pads}}}, \
         select=ge{suffix}, scatter=add{suffix}",
        shape(dims),
        shape(&source)
    )
}

const ONE: (i64, i64, i64, i64) = (1, 1, 0, 0);
const PAIRS: (i64, i64, i64, i64) = (2, 2, 0, 0);

#[test]
fn gradients_of_pooling() {
    let padded = (3, 2, 1, 1);
    let gaps = (2, 3, 0, 0);
    let mut all = Vec::new();
    for channels in [16, 20, 37, 3] {
        all.push(pooling("f32", &[3, 6, 6, channels], &[ONE, PAIRS, PAIRS, ONE]));
        all.push(pooling("f32", &[2, 7, 7, channels], &[ONE, padded, padded, ONE]));
        all.push(pooling("f32", &[2, 6, 6, channels], &[ONE, (3, 1, 0, 0), (3, 1, 0, 0), ONE]));
        all.push(pooling("f32", &[4, 10, channels], &[ONE, gaps, ONE]));
        // More elements than there is code for.
        all.push(pooling("f32", &[7, 6, channels], &[(5, 1, 2, 2), (5, 1, 2, 2), ONE]));
    }
    all.push(pooling("f32", &[2, 5, 8, 8], &[ONE, ONE, PAIRS, PAIRS]));
    all.push(pooling("f32", &[2, 3, 8, 8], &[ONE, ONE, (3, 2, 0, 1), (3, 2, 0, 1)]));
    // All windows reach the row before their own.
    all.push(pooling("f32", &[5, 33], &[(2, 2, 1, 0), ONE]));
    all_agree(&all);
}

#[test]
fn windows_that_share_no_element_are_in_different_tasks_and_lanes() {
    let plan = plan_of(&pooling("f32", &[8, 56, 56, 32], &[ONE, PAIRS, PAIRS, ONE]));
    let said = "lanes along loop 2, one window after the other, each element in one window, ";
    assert!(plan.contains(said) && plan.contains(" rows for each task"), "{plan}");
    // Padded windows leave elements out and overlap, but not from image to image.
    let plan = plan_of(&pooling("f32", &[8, 56, 56, 32], &[ONE, (3, 2, 1, 1), (3, 2, 1, 1), ONE]));
    assert!(plan.contains("lanes along loop 3, one window after the other, 1 rows for each task"), "{plan}");
    // Lanes of one row of windows, whose rows overlap.
    let plan = plan_of(&pooling("f32", &[56, 32], &[(3, 1, 0, 0), ONE]));
    assert!(plan.contains("lanes along loop 0, one window after the other\n"), "{plan}");
    // Lanes along the last dimension would share elements.
    let plan = plan_of(&pooling("f32", &[2, 16, 56, 56], &[ONE, ONE, PAIRS, PAIRS]));
    assert!(plan.contains("select and scatter, no lanes, one window after the other, "), "{plan}");
}
