//! What the verifier lets pass and refuses.

use super::*;

/// A kernel with these lines in its one phase; `%0` is the task.
fn check(lines: &[&str]) -> Result<(), Vec<String>> {
    let head = "kernel k (in x: f32[64], out y: f32[64], inout z: i64[64]) {\nphase tasks=4 task=%0 {\n";
    let text = format!("{head}{}\n}}\n}}", lines.join("\n"));
    verify(&text::parse(&text).unwrap())
}

#[track_caller]
fn refused(lines: &[&str], message: &str) {
    let errors = check(lines).unwrap_err();
    assert!(errors.iter().any(|e| e.contains(message)), "{errors:?}");
}

const LOAD: &str = "%1 = load x[%0] : f32x4";

#[test]
fn a_legal_kernel_passes() {
    let lines = [
        LOAD,
        "%2 = fadd %1, %1 : f32x4",
        "for %3 = %0 to %0 step 2 carry (%4 = %2) {",
        "%5 = fma %4, %4, %1 : f32x4",
        "yield %5",
        "} -> (%6)",
        "store y[%0] = %6 streaming",
    ];
    assert_eq!(check(&lines), Ok(()));
}

#[test]
fn matrices_are_multiplied_by_all_threads() {
    let product = |factors: [&str; 2], lanes: u32, sums: &str| {
        let [left, right] = factors;
        vec![
            format!("%1 = const 1 : i32x{lanes}"),
            format!("%2 = const 0 : {sums}x{lanes}"),
            format!(
                "matrix_product {left} (%1, %1, %1, %1), {right} (%1, %1) + (%2, %2, %2, %2) -> (%3, %4, %5, %6)"
            ),
            format!("%7 = {} %3, %6 : {sums}x{lanes}", if sums == "f32" { "fadd" } else { "add" }),
        ]
    };
    let found = |factors, lanes, sums| {
        let lines = product(factors, lanes, sums);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        check(&lines).map_err(|errors| errors.join("\n"))
    };
    assert_eq!(found(["bf16", "bf16"], 32, "f32"), Ok(()));
    assert_eq!(found(["u8", "s8"], 32, "i32"), Ok(()));
    for (factors, lanes, sums, message) in [
        (["bf16", "f16"], 32, "f32", "no product of bf16 and f16"),
        (["f16", "f16"], 64, "f32", "64 lanes of 32 threads multiply matrices"),
        (["s8", "s8"], 32, "f32", "%2 is f32x32, not i32x32"),
    ] {
        let error = found(factors, lanes, sums).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn copies_are_grouped_where_barriers_order_a_phase() {
    refused(&["group_copies"], "barriers do not order the phase");
    refused(&["await_copies but 1"], "barriers do not order the phase");
    let kernel = |but: u32| {
        let text = format!(
            "kernel k(in x: f32[1024], out y: f32[1024]) {{\n  phase tasks=1 task=%0 warps=8 by barriers {{\n    \
             group_copies\n    await_copies but {but}\n  }}\n}}\n"
        );
        crate::loop_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    };
    assert_eq!(verify(&kernel(3)), Ok(()));
    let errors = verify(&kernel(65)).unwrap_err();
    assert!(errors[0].contains("65 groups may be under way, 64 at most"), "{errors:?}");
}

#[test]
fn values_are_seen_in_their_block_only() {
    let branch = ["%1 = const true : i1", "if %1 {", "%2 = const 1 : i64", "} else {"];
    refused(&[&branch[..], &["%3 = add %2, %2 : i64", "}"]].concat(), "%2 is not seen here");
    refused(&[&branch[..], &["}", "%3 = add %2, %2 : i64"]].concat(), "%2 is not seen here");
    // The body of a loop runs after its condition, what follows the loop perhaps after neither.
    let while_loop = ["while {", "%1 = const true : i1", "yield %1", "} do {", "%2 = not %1 : i1", "}"];
    assert_eq!(check(&while_loop), Ok(()));
    for seen in ["%1", "%2"] {
        let after = format!("%3 = not {seen} : i1");
        refused(&[&while_loop[..], &[&after]].concat(), &format!("{seen} is not seen here"));
    }
    refused(&[LOAD, "%1 = load x[%0] : f32x4"], "%1 is defined twice");
}

#[test]
fn types_are_those_of_the_table() {
    refused(&[LOAD, "%2 = add %1, %1 : f32x4"], "add of f32x4");
    refused(&[LOAD, "%2 = fadd %1, %1 : f32x8"], "%2 is declared f32x8 but is f32x4");
    refused(&[LOAD, "%2 = fadd %1, %0 : f32x4"], "%0 is i64, not f32x4");
    refused(&["%1 = zext %0 : f64"], "zext of i64 to f64");
    refused(&["%1 = const true : i1x4", "%2 = popcnt %1 : i1x4"], "popcnt of i1x4");
    refused(&[LOAD, "%2 = select %0, %1, %1 : f32x4"], "%0 is i64, not i1x4");
    refused(&[LOAD, "%2 = any %1 : i1"], "no mask");
    refused(&[LOAD, "%2 = umulhi %1, %1 : f32x4"], "umulhi of f32x4");
}

#[test]
fn carries_are_masks_of_as_many_lanes() {
    let mask = "%1 = const true : i1";
    assert_eq!(check(&[mask, "%2 = add_carry %0, %0, %1 : i64", "%3 = carry_out %0, %0, %1 : i1"]), Ok(()));
    refused(&[mask, "%2 = borrow_out %0, %0, %1 : i64"], "%2 is declared i64 but is i1");
    refused(&[mask, "%2 = add_carry %0, %0, %0 : i64"], "%0 is i64, not i1");
    refused(&[mask, "%2 = iota : i64x4", "%3 = sub_borrow %2, %2, %1 : i64x4"], "%1 is i1, not i1x4");
    refused(&[mask, "%2 = add_carry %1, %1, %1 : i1"], "add_carry of i1");
}

#[test]
fn lanes_exist_and_match() {
    refused(&[LOAD, "%2 = extract %1[4] : f32"], "lane 4 of f32x4");
    refused(&[LOAD, "%2 = shuffle %1, %1 [0, 8] : f32x2"], "lane Some(8) of two f32x4");
    refused(&[LOAD, "%2 = shuffle %1, %1 [0, 1, 2] : f32x2"], "is declared f32x2 but is f32x3");
    refused(&["%1 = iota : i64x8", "%2 = load x[%1] : f32x4"], "an offset of i64x8 for f32x4");
    refused(&["%1 = const true : i1", "%2 = load x[%0] mask %1 : f32x4"], "%1 is i1, not i1x4");
}

#[test]
fn arrays_are_used_as_declared() {
    refused(&["%1 = load y[%0] : f32"], "an output is read");
    refused(&[LOAD, "store x[%0] = %1"], "an input is written");
    refused(&["%1 = load z[%0] : f32"], "f32 in an array of i64");
    refused(&["%1 = table t3[%0] : i64"], "table 3 does not exist");
    let masked = "store y[%0] = %1 mask %2 streaming";
    refused(&[LOAD, "%2 = const true : i1x4", masked], "a streaming store has a mask");
}

#[test]
fn columns_hold_arrays_that_are_alike_and_theirs_alone() {
    let text = |columns: &str, line: &str| {
        format!(
            "kernel k (in a: f32[8], in b: f32[4], in n: i64[4], out x: f32[8], out y: f32[4]) {{\n\
             {columns}\nphase tasks=2 task=%0 {{\n{line}\n%9 = const 0 : i64\n}}\n}}"
        )
    };
    let check = |columns: &str, line: &str| verify(&text::parse(&text(columns, line)).unwrap());
    let copy = "%1 = load c0{%0}[%0] : f32\nstore c1{%0}[%0] = %1";
    assert_eq!(check("column c0 = [a, b, a]\ncolumn c1 = [x, y]", copy), Ok(()));
    for (columns, line, message) in [
        ("column c0 = [a, n]", "", "n is unlike a"),
        ("column c0 = [x, a]", "", "a is unlike x"),
        ("column c0 = []", "", "no arrays"),
        ("column c0 = [x, x]", "", "x is in a column already"),
        ("column c0 = [a]\ncolumn c1 = [x]\ncolumn c2 = [y, x]", "", "x is in a column already"),
        ("", "%1 = load c0{%0}[%0] : f32", "does not exist"),
        ("column c0 = [x, y]", "%1 = load c0{%0}[%0] : f32", "an output is read"),
        ("column c0 = [a]", "%1 = load a[%0] : f32\nstore c0{%0}[%0] = %1", "an input is written"),
        ("column c0 = [x, y]", "%1 = load a[%0] : f32\nstore x[%0] = %1", "used by itself"),
        ("column c0 = [a]", "%1 = load a[%0] : f32\n%2 = load c0{%1}[%0] : f32", "%1 is f32, not i64"),
    ] {
        let errors = check(columns, line).unwrap_err();
        assert!(errors.iter().any(|e| e.contains(message)), "{columns} {line}: {errors:?}");
    }
}

#[test]
fn blocks_yield_what_is_carried() {
    let head = "for %3 = %0 to %0 step 1 carry (%4 = %0) {";
    refused(&[head, "} -> (%6)"], "a block yields 0 values, not 1");
    refused(&[LOAD, head, "yield %1", "} -> (%6)"], "yields %1 is f32x4, not i64");
    refused(&[head, "yield %4", "}"], "0 results for 1 values");
    refused(&[&head.replace("step 1", "step 0"), "yield %4", "} -> (%6)"], "step 0");
    refused(&["while {", "yield %0", "} do {", "}"], "%0 is i64, not i1");
}

#[test]
fn broken_numbers_are_errors() {
    let mut kernel = text::parse("kernel k (out y: f32[-1]) {\nphase tasks=1 task=%0 {\n}\n}").unwrap();
    kernel.types.push(Type { elem: Elem::F32, lanes: 3 });
    kernel.phases[0].body.push(Stmt::Let(V(9), Op::Un(Un::Not, V(8))));
    let errors = verify(&kernel).unwrap_err();
    for message in ["array y of -1 elements", "%1 of 3 lanes", "%8 is not defined"] {
        assert!(errors.iter().any(|e| e.contains(message)), "{errors:?}");
    }
}

#[test]
fn chains_carry_one_way_between_words_of_one_type() {
    let word = "%1 = trunc %0 : i32";
    assert_eq!(
        check(&[word, "carry_chain low (%1, %1, %1) high (%1, %1, %1) add (%1, %1) -> (%2, %3, %4)"]),
        Ok(())
    );
    assert_eq!(check(&[word, "carry_chain sub (%1, %1) sub (%1, %1) -> (%2, %3)"]), Ok(()));
    refused(
        &[word, "carry_chain add (%1, %1) sub (%1, %1) -> (%2, %3)"],
        "a carry is added and taken in one chain",
    );
    refused(&["carry_chain add (%0, %0) -> (%1)"], "%0 is i64, not i32");
    refused(&[word, "carry_chain add (%1, %0) -> (%2)"], "%0 is i64, not i32");
    refused(&[word, "carry_chain add (%1, %1) -> (%1)"], "%1 is defined twice");
}
