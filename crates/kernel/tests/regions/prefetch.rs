//! What stages ask memory for ahead of their loads.

use super::common::region::{region_of, settled_plan_and_code};
use lawson_kernel::cost::figures;
use lawson_kernel::plan;
use lawson_kernel::target::Target;

/// The lines of a settled plan that say what is asked for ahead, and the prefetches of the code.
fn asked(entry: &str) -> (Vec<String>, usize) {
    let [plan, code] = settled_plan_and_code(entry);
    let lines = plan.lines().filter_map(|l| l.trim().strip_prefix("prefetch ")).map(String::from).collect();
    (lines, code.matches("prefetch x[").count())
}

fn map(x: &str, opcode: &str) -> String {
    format!("x = f32[{x}] parameter(0)\nROOT r = f32[{x}] {opcode}(x)")
}

#[test]
fn long_maps_of_large_arrays_ask_ahead() {
    let (lines, prefetches) = asked(&map("2048,4096", "exponential"));
    assert_eq!((lines, prefetches), (vec!["%0 of stage 0, 1024 elements ahead".to_string()], 1));
    // A copy waits for nothing, and the second-level cache holds the other array.
    for entry in [map("2048,4096", "negate"), map("256,512", "exponential")] {
        assert_eq!(asked(&entry), (vec![], 0), "{entry}");
    }
}

/// Pieces of 512 bytes 64 KiB apart: four of them.
#[test]
fn pieces_are_asked_for_some_pieces_ahead() {
    let entry = "x = f32[4,128,128,128] parameter(0)\nt = f32[4,128,128,128] transpose(x), dimensions={0,2,1,3}\n\
                 ROOT r = f32[4,128,128,128] exponential(t)";
    assert_eq!(asked(entry), (vec!["%0 of stage 0, 65536 elements ahead".to_string()], 1));
}

fn softmax(rows: i64, columns: i64) -> String {
    format!(
        "x = f32[{rows},{columns}] parameter(0)\ni = f32[] constant(-inf)\nz = f32[] constant(0)\n\
         m = f32[{rows}] reduce(x, i), dimensions={{1}}, to_apply=max\n\
         b = f32[{rows},{columns}] broadcast(m), dimensions={{0}}\nd = f32[{rows},{columns}] subtract(x, b)\n\
         e = f32[{rows},{columns}] exponential(d)\ns = f32[{rows}] reduce(e, z), dimensions={{1}}, to_apply=add\n\
         t = f32[{rows},{columns}] broadcast(s), dimensions={{0}}\n\
         ROOT r = f32[{rows},{columns}] divide(e, t)"
    )
}

/// The stage that takes longest asks for the next row, where its exponentials are computed.
#[test]
fn nests_ask_for_the_next_row() {
    let one = |rows, columns| {
        let (lines, prefetches) = asked(&softmax(rows, columns));
        assert!(lines.len() == 1 && prefetches > 0, "{lines:?}");
        lines[0].clone()
    };
    assert_eq!(one(4096, 1024), "%0 of stage 1, 1024 elements ahead");
    assert_eq!(one(8192, 256), "%0 of stage 1, 512 elements ahead");
    assert_eq!(one(64, 32768), "%0 of stage 1, 32768 elements ahead into the second level");
    // Longer rows would push out what is computed on: their first stage asks ahead within the row, if it is long.
    assert_eq!(asked(&softmax(16, 1 << 18)), (vec![], 0));
}

#[test]
fn empty_slices_of_large_arrays_ask_for_nothing() {
    for slice in ["[0:2048], [0:0]", "[0:0], [0:4096]"] {
        let dims = if slice.ends_with("[0:0]") { "2048,0" } else { "0,4096" };
        let entry = format!(
            "x = f32[2048,4096] parameter(0)\ns = f32[{dims}] slice(x), slice={{{slice}}}\n\
             ROOT r = f32[{dims}] exponential(s)"
        );
        assert_eq!(asked(&entry).1, 0, "{entry}");
    }
}

/// Of the rows that a point of a stencil reads, the last one; of the halves of a row, each.
#[test]
fn what_is_read_again_is_asked_for_once() {
    let slices = |dims: &str, slices: &[&str]| {
        let line = |(n, s): (usize, &&str)| format!("s{n} = f32[{dims}] slice(x), slice={{{s}}}\n");
        let all: String = slices.iter().enumerate().map(line).collect();
        let more = (1..slices.len()).map(|n| format!("a{n} = f32[{dims}] add(a{}, s{n})\n", n - 1));
        let sum: String = more.collect::<String>().replace("(a0,", "(s0,");
        let last = slices.len() - 1;
        format!("x = f32[1026,2048] parameter(0)\n{all}{sum}ROOT r = f32[{dims}] exponential(a{last})")
    };
    let stencil = slices("1024,2048", &["[0:1024], [0:2048]", "[1:1025], [0:2048]", "[2:1026], [0:2048]"]);
    let (lines, _) = asked(&stencil);
    assert!(lines.len() == 1 && lines[0].ends_with("1024 elements ahead"), "{lines:?}");
    let halves = slices("1026,1024", &["[0:1026], [0:1024]", "[0:1026], [1024:2048]"]);
    let (lines, _) = asked(&halves);
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn graphics_processors_ask_for_nothing() {
    let region = region_of(&map("2048,4096", "exponential"));
    let target = Target::h100();
    let plan = plan::plan(&region, &target, figures::work).expect("a plan");
    let plan = plan::settled(&region, plan, &target);
    assert!(plan.prefetch.is_empty() && !plan.groups.is_empty(), "{plan}");
}

/// Rows of ten lines, of which the next has eight more, then a quotient of neighbours: `first` is the row of `x` that a row begins with.
fn tiles(rows: i64, columns: i64, length: i64) -> String {
    let (kept, last) = (columns - 16, columns - 8);
    format!(
        "x = f32[{length},{columns}] parameter(0)\ni = s32[{rows},10] iota(), iota_dimension=0\n\
         j = s32[{rows},10] iota(), iota_dimension=1\nc8 = s32[] constant(8)\n\
         b8 = s32[{rows},10] broadcast(c8), dimensions={{}}\nm = s32[{rows},10] multiply(i, b8)\n\
         a = s32[{rows},10] add(m, j)\nc = s32[] constant({length})\n\
         b = s32[{rows},10] broadcast(c), dimensions={{}}\nn = s32[{rows},10] remainder(a, b)\n\
         g = f32[{rows},10,{columns}] gather(x, n), offset_dims={{2}}, collapsed_slice_dims={{0}}, \
         start_index_map={{0}}, index_vector_dim=2, slice_sizes={{1,{columns}}}\n\
         e = f32[{rows},10,{columns}] exponential(g)\n\
         u = f32[{rows},8,{kept}] slice(e), slice={{[0:{rows}],[0:8],[0:{kept}]}}\n\
         v = f32[{rows},8,{kept}] slice(e), slice={{[0:{rows}],[1:9],[8:{last}]}}\n\
         w = f32[{rows},8,{kept}] slice(e), slice={{[0:{rows}],[2:10],[16:{columns}]}}\n\
         s = f32[{rows},8,{kept}] add(u, w)\nROOT r = f32[{rows},8,{kept}] divide(s, v)"
    )
}

/// While the quotients are computed of what is near, the lines of the next row come from memory.
#[test]
fn a_later_stage_asks_for_the_next_row() {
    let plan = |rows, columns, length| settled_plan_and_code(&tiles(rows, columns, length));
    let [text, code] = plan(64, 4096, 512);
    let (before, after) = text.split_once("stage 1 of the row").expect("a nest");
    assert!(
        after.contains("the next row of input 0 in the second-level cache, 16 elements for each vector"),
        "{text}"
    );
    assert!(!before.contains("next row") && !text.contains("  prefetch "), "{text}");
    assert_eq!(code.matches(" second").count(), 1, "{code}");
    // An array that the second-level cache holds needs none.
    assert!(!plan(4, 4096, 32)[0].contains("next row"));
    super::common::region::all_agree(&[tiles(3, 48, 24), tiles(9, 80, 40)]);
}
