//! Vectors over axes that are shorter than they are: no element is loaded or stored by itself.

use super::common::region::{accesses_apart, agree_as_planned, chosen, chosen_plan_and_code};
use lawson_kernel::region::Kind;

fn code(entry: &str) -> String {
    let [_, code] = chosen_plan_and_code(entry);
    code
}

fn all_agree(entries: &[String]) {
    for entry in entries {
        agree_as_planned(entry).unwrap_or_else(|e| panic!("{e}\n{entry}"));
    }
}

/// Accesses whose lanes are found one by one.
fn apart(entry: &str) -> usize {
    accesses_apart(&code(entry))
}

/// A matrix of short rows, each column of which has a factor of its own.
fn weighted(dtype: &str, rows: i64, length: i64) -> String {
    format!(
        "x = {dtype}[{rows},{length}] parameter(0)\nw = {dtype}[{length}] parameter(1)\n\
         b = {dtype}[{rows},{length}] broadcast(w), dimensions={{1}}\nROOT r = {dtype}[{rows},{length}] multiply(x, b)"
    )
}

#[test]
fn points_of_short_last_axes_are_stored_together() {
    let mut all = Vec::new();
    for length in [2, 3, 4, 5, 6, 7] {
        for dtype in ["f32", "bf16", "f64", "s8"] {
            all.extend([9, 64, 70].map(|rows| weighted(dtype, rows, length)));
        }
    }
    let reversed = "x = f32[5,70,3] parameter(0)\nROOT r = f32[5,70,3] reverse(x), dimensions={1}";
    let shuffled =
        "x = f32[3,64,4,2,2] parameter(0)\nROOT r = f32[3,2,64,2,4] transpose(x), dimensions={0,3,1,4,2}";
    let repeated = "x = f32[7,64] parameter(0)\nROOT r = f32[7,2,64,2] broadcast(x), dimensions={0,2}";
    let entries = [reversed, shuffled, repeated].map(str::to_string);
    all.extend(entries.clone());
    all_agree(&all);
    for entry in
        [weighted("f32", 64, 3), weighted("f64", 64, 4), weighted("f32", 70, 7)].iter().chain(&entries[2..])
    {
        assert_eq!(apart(entry), 0, "{entry}\n{}", code(entry));
    }
}

#[test]
fn elements_a_few_apart_are_shuffled_from_whole_vectors_in_both_directions() {
    let mut all = Vec::new();
    for step in 2..=9 {
        let n = 64 * step;
        all.push(format!("x = f32[{n}] parameter(0)\nROOT r = f32[64] slice(x), slice={{[0:{n}:{step}]}}"));
        all.push(format!(
            "x = f32[{n}] parameter(0)\ns = f32[64] slice(x), slice={{[0:{n}:{step}]}}\n\
             ROOT r = f32[64] reverse(s), dimensions={{0}}"
        ));
    }
    all_agree(&all);
    let single: Vec<usize> = all.iter().map(|e| apart(e)).collect();
    assert!(single[..14].iter().all(|&n| n == 0) && single[14..].iter().all(|&n| n > 0), "{single:?}");
}

#[test]
fn lanes_cross_short_rows_in_runs() {
    // Groups of channels, and numbers that are repeated.
    let groups = |channels: i64| {
        format!(
            "x = f32[40,6,{channels}] parameter(0)\nz = f32[] constant(0)\n\
             ROOT r = f32[6] reduce(x, z), dimensions={{0,2}}, to_apply=add"
        )
    };
    let repeated = |times: i64| {
        format!(
            "x = f32[128] parameter(0)\nb = f32[128,{times}] broadcast(x), dimensions={{0}}\n\
             y = f32[{0}] parameter(1)\nf = f32[{0}] reshape(b)\nROOT r = f32[{0}] add(f, y)",
            128 * times
        )
    };
    let mut all: Vec<String> = [2, 3, 4, 8, 16, 24].map(groups).to_vec();
    all.extend([2, 3, 4, 8, 16].map(repeated));
    all_agree(&all);
    for entry in [groups(4), groups(8), groups(16), repeated(2), repeated(4)] {
        assert_eq!(apart(&entry), 0, "{entry}\n{}", code(&entry));
    }
}

#[test]
fn rows_of_half_a_vector_share_one() {
    let exchanged = |rows: i64, columns: i64| {
        format!(
            "x = f32[5,{rows},3,{columns}] parameter(0)\n\
             ROOT r = f32[5,3,{rows},{columns}] transpose(x), dimensions={{0,2,1,3}}"
        )
    };
    all_agree(&[exchanged(2, 8), exchanged(3, 8), exchanged(6, 8), exchanged(4, 4), exchanged(64, 8)]);
    let text = code(&exchanged(6, 8));
    let whole = text.lines().filter(|line| line.contains("store r[")).count();
    assert!(whole == 1 && text.contains(": f32x16") && apart(&exchanged(6, 8)) == 0, "{text}");
}

#[test]
fn rows_that_are_added_have_no_masks() {
    for length in [3, 5, 7, 20, 33] {
        let entry = format!(
            "x = f32[40,{length}] parameter(0)\ni = s32[90] parameter(1)\nu = f32[90,{length}] parameter(2)\n\
             ROOT r = f32[40,{length}] scatter(x, i, u), update_window_dims={{1}}, inserted_window_dims={{0}}, \
             scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add"
        );
        agree_as_planned(&entry).unwrap_or_else(|e| panic!("{length}: {e}"));
        let code = code(&entry);
        assert!(!code.contains("mask"), "{code}");
    }
}

#[test]
fn channels_of_elements_that_data_chooses_are_loaded_together() {
    // Rows of three channels, at positions that are another for each point.
    let gather = |channels: i64| {
        format!(
            "x = f32[50,{channels}] parameter(0)\ni = s32[40] parameter(1)\nw = f32[40] parameter(2)\n\
             e = f32[40] exponential(w)\neb = f32[40,{channels}] broadcast(e), dimensions={{0}}\n\
             g = f32[40,{channels}] gather(x, i), offset_dims={{1}}, collapsed_slice_dims={{0}}, start_index_map={{0}}, \
             index_vector_dim=1, slice_sizes={{1,{channels}}}\nROOT r = f32[40,{channels}] multiply(g, eb)"
        )
    };
    let entry = gather(3);
    assert_eq!(agree_as_planned(&entry), Ok(()));
    let in_pieces = |entry: &str| matches!(chosen(entry).unwrap().0.stages[0].kind, Kind::Pieces(_));
    assert!(in_pieces(&entry));
    // Where data chooses the channel, its points have nothing in common.
    let channels = "x = f32[50] parameter(0)\ni = s32[40,3] parameter(1)\nr = f32[40,3] gather(x, i), offset_dims={}, \
         collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1}\nROOT n = f32[40,3] negate(r)";
    assert_eq!(agree_as_planned(channels), Ok(()));
    assert!(!in_pieces(channels));
}

#[test]
fn short_rows_are_read_whole_and_their_elements_stored_apart() {
    let turned = |dtype: &str, rows: i64, length: i64, operation: &str| {
        format!(
            "x = {dtype}[{rows},{length}] parameter(0)\ny = {dtype}[{rows},{length}] {operation}\n\
             ROOT r = {dtype}[{length},{rows}] transpose(y), dimensions={{1,0}}"
        )
    };
    let mut all = Vec::new();
    for length in [2, 3, 5, 7, 8, 11] {
        for dtype in ["f32", "bf16", "f64", "s8"] {
            all.push(turned(dtype, 70, length, "add(x, x)"));
        }
    }
    let channels = "x = f32[9,20,3] parameter(0)\nw = f32[9,20] parameter(1)\nb = f32[9,20,3] broadcast(w), dimensions={0,1}\n\
         y = f32[9,20,3] multiply(x, b)\nROOT r = f32[3,9,20] transpose(y), dimensions={2,0,1}";
    all.push(channels.into());
    all_agree(&all);
    for entry in [&turned("f32", 70, 7, "add(x, x)"), &channels.to_string()] {
        assert_eq!(apart(entry), 0, "{entry}\n{}", code(entry));
    }
}
