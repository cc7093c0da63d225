//! Maps and sums whose lanes lie along a short last axis and the one before, in the order of memory.

use super::common::region::{
    accesses_apart, agree_as_planned, agree_in_place, all_agree, chosen_plan_and_code,
};

/// A sum of a matrix of short rows, and of what its columns, its rows, or both in reverse have.
fn sums(dtype: &str, rows: i64, length: i64) -> Vec<String> {
    let all = format!("{dtype}[{rows},{length}]");
    let x = format!("x = {all} parameter(0)\n");
    vec![
        format!(
            "{x}w = {dtype}[{length}] parameter(1)\nb = {all} broadcast(w), dimensions={{1}}\nROOT r = {all} add(x, b)"
        ),
        format!(
            "{x}w = {dtype}[{rows}] parameter(1)\nb = {all} broadcast(w), dimensions={{0}}\nROOT r = {all} add(x, b)"
        ),
        format!("{x}b = {all} reverse(x), dimensions={{1}}\nROOT r = {all} add(x, b)"),
        format!("{x}b = {all} iota(), iota_dimension=1\nROOT r = {all} add(x, b)"),
        format!("{x}b = {all} iota(), iota_dimension=0\nROOT r = {all} add(x, b)"),
    ]
}

/// Columns before and after, elements of a column left out, and rows one after the other.
fn moves(dtype: &str, rows: i64, length: i64) -> Vec<String> {
    let x = format!("x = {dtype}[{rows},{length}] parameter(0)\n");
    let (wider, less) = (length + 3, length - 1);
    vec![
        format!("{x}z = {dtype}[] constant(3)\nROOT r = {dtype}[{rows},{wider}] pad(x, z), padding=0_0x1_2"),
        format!("{x}ROOT r = {dtype}[{rows},{less}] slice(x), slice={{[0:{rows}], [1:{length}]}}"),
        format!(
            "{x}a = {dtype}[{rows},1] slice(x), slice={{[0:{rows}], [{less}:{length}]}}\n\
             b = {dtype}[{rows},{less}] slice(x), slice={{[0:{rows}], [0:{less}]}}\n\
             ROOT r = {dtype}[{rows},{length}] concatenate(a, b), dimensions={{1}}"
        ),
    ]
}

#[test]
fn lanes_along_short_axes_mean_the_same() {
    let mut entries = Vec::new();
    // Periods that divide the rows and that do not, rows of a vector and more, the most vectors of a period and one more.
    for (rows, length) in [(128, 3), (134, 7), (130, 12), (133, 16), (130, 20), (135, 25), (135, 27)] {
        for dtype in ["f32", "bf16", "f64", "s8"] {
            entries.extend(sums(dtype, rows, length));
            entries.extend(moves(dtype, rows, length));
        }
    }
    for dtype in ["f32", "s16", "f64"] {
        for (shape, result, order) in [
            ("130,20,2", "20,130,2", "1,0,2"),
            ("130,3,3", "130,3,3", "0,2,1"),
            ("70,4,4", "70,4,4", "0,2,1"),
            ("2,3,50,5,5", "2,3,50,5,5", "0,1,2,4,3"),
            ("70,2,3,4", "70,4,3,2", "0,3,2,1"),
            ("3,3,130", "130,3,3", "2,1,0"),
        ] {
            entries.push(format!(
                "x = {dtype}[{shape}] parameter(0)\nROOT r = {dtype}[{result}] transpose(x), dimensions={{{order}}}"
            ));
        }
    }
    // A border along the rows too, and rows that data chooses.
    entries.push(
        "x = f32[160,5] parameter(0)\nz = f32[] constant(0)\nROOT r = f32[163,7] pad(x, z), padding=1_2x1_1"
            .into(),
    );
    entries.push(
        "x = f32[60,5] parameter(0)\ni = s32[190,1] parameter(1)\nROOT r = f32[190,5] gather(x, i), offset_dims={1}, \
         collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}"
            .into(),
    );
    all_agree(&entries);
    for entry in &entries {
        agree_as_planned(entry).unwrap_or_else(|e| panic!("{e}\n{entry}"));
    }
}

#[test]
fn elements_in_order_are_found_without_a_place_for_each_lane() {
    let transposed = |rows: i64, n: i64| {
        format!(
            "x = f32[{rows},{n},{n}] parameter(0)\nROOT r = f32[{rows},{n},{n}] transpose(x), dimensions={{0,2,1}}"
        )
    };
    let [broadcast, of_rows, reversed, ..] = &sums("f32", 700, 7)[..] else { unreachable!() };
    let [padded, _, rotated] = &moves("f32", 500, 11)[..] else { unreachable!() };
    let (pairs, fives) = (transposed(400, 4), transposed(200, 5));
    // A transpose of pairs of eight bytes, as complex numbers are: each pair has a load of its own.
    let wide =
        "x = f64[64,400,2] parameter(0)\nROOT r = f64[400,64,2] transpose(x), dimensions={1,0,2}".to_string();
    for (entry, vectors) in [
        (broadcast, 7),
        (of_rows, 7),
        (reversed, 7),
        (padded, 7),
        (rotated, 11),
        (&pairs, 1),
        (&fives, 25),
        (&wide, 1),
    ] {
        let [plan, code] = chosen_plan_and_code(entry);
        assert!(plan.contains(&format!("in order by periods of {vectors} vectors")), "{entry}\n{plan}");
        assert_eq!(accesses_apart(&code), 0, "{entry}\n{code}");
    }
}

/// Sums of `rows` whose operands repeat every element `times` times, and of bytes of which each has that many numbers.
fn repeated_sums((dtype, add): (&str, &str), rows: i64, length: i64, times: i64) -> Vec<String> {
    let (all, wide) = (length * times, format!("{dtype}[{rows},{}]", length * times));
    let sum = format!(
        "z = {dtype}[] constant(0)\nROOT r = {dtype}[{rows}] reduce(p, z), dimensions={{1}}, to_apply={add}"
    );
    let bits = 8 / times;
    let number = |n: i64| {
        format!(
            "s{n} = u8[] constant({})\nb{n} = u8[{rows},{length}] broadcast(s{n}), dimensions={{}}\n\
             h{n} = u8[{rows},{length}] shift-right-logical(x, b{n})\nl{n} = u8[{rows},{length}] and(h{n}, mask)\n\
             n{n} = u8[{rows},{length},1] reshape(l{n})\n",
            n * bits
        )
    };
    let numbers: String = (0..times).map(number).collect();
    let names: Vec<String> = (0..times).map(|n| format!("n{n}")).collect();
    vec![
        format!(
            "x = {dtype}[{rows},{length}] parameter(0)\ny = {wide} parameter(1)\n\
             b = {dtype}[{rows},{length},{times}] broadcast(x), dimensions={{0,1}}\nw = {wide} reshape(b)\n\
             p = {wide} multiply(w, y)\n{sum}"
        ),
        format!(
            "x = u8[{rows},{length}] parameter(0)\ny = {dtype}[{all}] parameter(1)\n\
             m = u8[] constant({})\nmask = u8[{rows},{length}] broadcast(m), dimensions={{}}\n{numbers}\
             c = u8[{rows},{length},{times}] concatenate({}), dimensions={{2}}\nw = u8[{rows},{all}] reshape(c)\n\
             f = {wide} convert(w)\nv = {wide} broadcast(y), dimensions={{1}}\np = {wide} multiply(f, v)\n{sum}",
            (1 << bits) - 1,
            names.join(", ")
        ),
    ]
}

#[test]
fn sums_along_short_lines_mean_the_same() {
    let mut entries = Vec::new();
    // Rows without elements among them.
    for (rows, length, times) in
        [(3, 0, 2), (3, 64, 2), (5, 40, 2), (20, 48, 4), (2, 4200, 2), (70, 16, 4), (4, 9, 2)]
    {
        for sum in
            [("f32", "add"), ("bf16", "add_bf16"), ("f64", "add_f64"), ("s32", "add_s32"), ("s8", "add_s8")]
        {
            entries.extend(repeated_sums(sum, rows, length, times));
        }
    }
    // Lines without elements, which are no line with those beside them.
    entries.push(
        "a = f32[4,6,0] iota(), iota_dimension=1\nb = f32[4,6,0] iota(), iota_dimension=2\n\
         p = f32[4,6,0] multiply(a, b)\nz = f32[] constant(0)\n\
         ROOT r = f32[4] reduce(p, z), dimensions={1,2}, to_apply=add"
            .into(),
    );
    all_agree(&entries);
}

#[test]
fn elements_of_short_lines_are_found_without_a_place_for_each_lane() {
    for times in [2, 4] {
        for entry in repeated_sums(("f32", "add"), 100, 512, times) {
            let [plan, code] = chosen_plan_and_code(&entry);
            assert!(plan.contains("in order"), "{entry}\n{plan}");
            assert_eq!(accesses_apart(&code), 0, "{entry}\n{code}");
        }
    }
}

#[test]
fn rows_with_much_in_common_are_pieces() {
    // An exponential of the row, which pieces compute once for all columns.
    let entry = "x = f32[700,3] parameter(0)\nw = f32[700] parameter(1)\ne = f32[700] tanh(w)\n\
         b = f32[700,3] broadcast(e), dimensions={0}\nROOT r = f32[700,3] multiply(x, b)";
    let [plan, _] = chosen_plan_and_code(entry);
    assert!(!plan.contains("in order"), "{plan}");
}

#[test]
fn few_periods_are_no_code() {
    let [entry, ..] = &sums("f32", 100, 3)[..] else { unreachable!() };
    let [plan, _] = chosen_plan_and_code(entry);
    assert!(!plan.contains("in order"), "{plan}");
}

#[test]
fn what_takes_the_place_of_its_operand_is_computed_once() {
    // No whole number of periods: the last one must not begin before its first element.
    for (rows, length) in [(134, 7), (150, 3), (128, 3)] {
        for entry in &sums("f32", rows, length)[..2] {
            agree_in_place(entry, &[(0, 0)]).unwrap_or_else(|e| panic!("{e}\n{entry}"));
        }
    }
}
