//! The evaluator: order of tasks, bounds, masks, poison.

use super::*;

/// Runs a phase of 4 tasks over an input, an output and an in-place array of 8 words each.
fn run(lines: &[&str], options: Options) -> Result<[Vec<i64>; 2], String> {
    let head = "kernel k (in x: i64[8], out y: i64[8], inout z: i64[8]) {\nlocal l: i64[4]\n\
                table t0 = [0x5, 0x6]\nphase tasks=4 task=%0 {\n%99 = iota : i64x8\n%98 = const 2 : i64\n";
    let kernel = text::parse(&format!("{head}{}\n}}\n}}", lines.join("\n"))).unwrap();
    let words = |w: [i64; 8]| w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let mut buffers = [words([1, 2, 3, 4, 5, 6, 7, 8]), Vec::new(), words([0; 8])];
    evaluate_with(&kernel, &mut buffers, options)?;
    let back = |b: &Vec<u8>| b.as_chunks().0.iter().map(|&w| i64::from_le_bytes(w)).collect();
    Ok([back(&buffers[1]), back(&buffers[2])])
}

/// Task t owns elements 2t and 2t + 1.
const OWN: &str = "%1 = mul %0, %98 : i64\n%2 = load x[%1] : i64x2";

#[track_caller]
fn fails(lines: &[&str], message: &str) {
    let error = run(lines, Options::default()).unwrap_err();
    assert!(error.contains(message), "{error}");
}

#[test]
fn each_task_writes_its_part() {
    for reverse in [false, true] {
        let options = Options { reverse, ..Options::default() };
        let [y, _] = run(&[OWN, "%3 = add %2, %2 : i64x2", "store y[%1] = %3"], options).unwrap();
        assert_eq!(y, [2, 4, 6, 8, 10, 12, 14, 16]);
    }
}

#[test]
fn carried_values_change_together() {
    // Fibonacci: (a, b) becomes (b, a + b) six times, for task 3 from 3 to 9.
    let lines = [
        OWN,
        "store y[%1] = %2",
        "%3 = const 1 : i64",
        "%4 = const 9 : i64",
        "for %5 = %0 to %4 step 1 carry (%6 = %3, %7 = %3) {",
        "%8 = add %6, %7 : i64",
        "yield %7, %8",
        "} -> (%9, %10)",
        "store z[%0] = %9",
    ];
    let [_, z] = run(&lines, Options::default()).unwrap();
    assert_eq!(z[..4], [55, 34, 21, 13]);
}

#[test]
fn lanes_of_a_scatter_do_not_decide_by_their_order() {
    fails(
        &[OWN, "store y[%1] = %2", "%3 = const 1 : i64x2", "store z[%3] = %2"],
        "two lanes write different values to element 1",
    );
    let masked =
        ["%3 = const 1 : i64x2", "%4 = splat %0 : i64x2", "%5 = iota : i64x2", "%6 = eq %5, %3 : i1x2"];
    let lines = [&[OWN, "store y[%1] = %2"], &masked[..], &["store z[%4] = %2 mask %6"]].concat();
    let [_, z] = run(&lines, Options::default()).unwrap();
    assert_eq!(z[..4], [2, 4, 6, 8]);
}

#[test]
fn masked_lanes_touch_nothing() {
    let lines = [
        OWN,
        "store y[%1] = %2",
        "%3 = const 3 : i64x8",
        "%4 = slt %99, %3 : i1x8",
        "%5 = const 3 : i64",
        "%6 = eq %0, %5 : i1",
        "if %6 {",
        // Elements 3, 4, 5 are read; 6 to 10 are not looked at.
        "%7 = load x[%5] mask %4 : i64x8",
        "store z[%5] = %7 mask %4",
        "%8 = const 100 : i64",
        "%9 = const false : i1",
        "%10 = load x[%8] mask %9 : i64",
        "store z[%0] = %10 mask %9",
        "} else {",
        "}",
    ];
    let [_, z] = run(&lines, Options::default()).unwrap();
    assert_eq!(z, [0, 0, 0, 4, 5, 6, 0, 0]);
}

#[test]
fn bounds_are_checked() {
    fails(&["%1 = load x[%0] : i64x8"], "task 1: %1 = load x[%0] : i64x8: element 8 of 8");
    fails(&["%1 = const -1 : i64", "%2 = load x[%1] : i64"], "element -1 of 8");
    fails(&["%1 = table t0[%0] : i64"], "word 2 of a table of 2");
}

#[test]
fn races_between_tasks_are_found() {
    fails(&["store z[%98] = %0"], "writes element 2 that another task of the phase uses");
    fails(&["%1 = load z[%98] : i64", "store z[%0] = %1"], "another task of the phase uses");
    // The same bits may be written by several.
    run(&[OWN, "store y[%1] = %2", "store z[%98] = %98"], Options::default()).unwrap();
    // Each task reads what the one before it wrote.
    let before = ["store z[%0] = %0", "%1 = const 1 : i64", "%2 = sub %0, %1 : i64", "%3 = const 0 : i64"];
    let read = ["%4 = smax %2, %3 : i64", "%5 = load z[%4] : i64"];
    fails(&[&before[..], &read].concat(), "reads element 0 that task 0 of the phase writes");
}

#[test]
fn outputs_are_written_everywhere_and_locals_start_undefined() {
    fails(&["store y[%0] = %0"], "element 4 of output y is never written");
    let lines = [OWN, "store y[%1] = %2", "%3 = load l[%0] : i64", "store z[%0] = %3", "store l[%0] = %0"];
    let [_, z] = run(&lines, Options::default()).unwrap();
    assert_eq!(z[..4], [-1; 4]);
}

#[test]
fn products_and_sums_of_several_words() {
    // Words are i8: 200 · 100 is 78 · 256 + 32, and −56 · 100 is −22 · 256 + 32.
    let lines = [
        OWN,
        "store y[%1] = %2",
        "%3 = const -56 : i8",
        "%4 = const 100 : i8",
        "%5 = umulhi %3, %4 : i8",
        "%6 = smulhi %3, %4 : i8",
        // 0x01ff + 0x0001, then 0x0200 − 0x0001 and − 0x0200.
        "%7 = const false : i1",
        "%8 = const -1 : i8",
        "%9 = const 1 : i8",
        "%10 = const 0 : i8",
        "%11 = add_carry %8, %9, %7 : i8",
        "%12 = carry_out %8, %9, %7 : i1",
        "%13 = add_carry %9, %10, %12 : i8",
        "%14 = sub_borrow %10, %9, %7 : i8",
        "%15 = borrow_out %10, %9, %7 : i1",
        "%16 = sub_borrow %9, %9, %15 : i8",
        "%17 = borrow_out %9, %9, %15 : i1",
        "%18 = zext %17 : i8",
        "%19 = pack %5, %6, %11, %13, %14, %16, %18, %10 : i8x8",
        "%20 = sext %19 : i64x8",
        "%21 = eq %0, %98 : i1",
        "%22 = const 0 : i64",
        "if %21 {",
        "store z[%22] = %20",
        "} else {",
        "}",
    ];
    let [_, z] = run(&lines, Options::default()).unwrap();
    assert_eq!(z, [78, -22, 0, 2, -1, -1, 1, 0]);
}

#[test]
fn operations_outside_their_domain_are_found() {
    let zero = "%1 = const 0 : i64";
    fails(&[zero, "%2 = sdiv %0, %1 : i64"], "0 divided by 0");
    let least = "%2 = const -9223372036854775808 : i64";
    fails(&["%1 = const -1 : i64", least, "%3 = srem %2, %1 : i64"], "divided by -1");
    fails(&["%1 = const 64 : i64", "%2 = shl %0, %1 : i64"], "a shift of i64 by 64");
    fails(&["%1 = const 128.0 : f32", "%2 = float_to_signed %1 : i8"], "128.0 to i8 is out of range");
    fails(&["%1 = const nan#0x7fc00000 : f32", "%2 = float_to_signed %1 : i64"], "out of range");
    fails(
        &["%1 = const 1 : i64", "%2 = load x[%1] : i64x2", "store y[%1] = %2 streaming"],
        "no multiple of 16",
    );
}

#[test]
fn endless_loops_end() {
    let lines = ["while {", "%1 = const true : i1", "yield %1", "} do {", "}"];
    let error = run(&lines, Options { max_steps: 1000, ..Options::default() }).unwrap_err();
    assert!(error.contains("too many steps"), "{error}");
}

#[test]
fn cells_are_looked_up_by_row() {
    let text = "kernel k (in a: i64[1], in b: i64[2], out x: i64[1], out y: i64[2]) {\n\
                table t0 = [0x1, 0x2]\ncolumn c0 = [a, b]\ncolumn c1 = [x, y]\nphase tasks=2 task=%0 {\n\
                %1 = table t0[%0] : i64\n%2 = const 0 : i64\nfor %3 = %2 to %1 step 1 {\n\
                %4 = load c0{ROW}[%3] : i64\nstore c1{%0}[%3] = %4\n}\n}\n}";
    let run = |row: &str| {
        let kernel = text::parse(&text.replace("ROW", row)).unwrap();
        let bytes = |w: &[i64]| w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let mut buffers = [bytes(&[7]), bytes(&[8, 9]), Vec::new(), Vec::new()];
        evaluate(&kernel, &mut buffers).map(|()| assert_eq!(buffers[2..], [bytes(&[7]), bytes(&[8, 9])]))
    };
    assert_eq!(run("%0"), Ok(()));
    assert!(run("%1").unwrap_err().contains("row 2 of a column of 2"));
    assert!(run("%2").unwrap_err().contains("element 1 of 1"));
}

/// Each lane of a warp passes what it has to another one.
fn passed_on(between: &str, lanes: u32) -> Result<(), String> {
    let text = format!(
        "kernel k (out y: i64[32]) {{\nlocal l: i64[{lanes}]\nphase tasks=1 task=%0 by barriers {{\n\
         %1 = iota : i64x{lanes}\nstore l[%0] = %1\n{between}\n%2 = const 1 : i64x{lanes}\n%3 = xor %1, %2 : i64x{lanes}\n\
         %4 = load l[%3] : i64x{lanes}\nstore l[%3] = %4\n{between}\n%5 = const 0 : i64\n%6 = iota : i64x32\n\
         store y[%5] = %6\n}}\n}}"
    );
    evaluate(&text::parse(&text).unwrap(), &mut [Vec::new()])
}

#[test]
fn threads_of_a_task_meet_at_barriers_only() {
    assert_eq!(passed_on("barrier", 32), Ok(()));
    let error = passed_on("", 32).unwrap_err();
    assert!(error.contains("element 1 that another thread uses, and no barrier is between"), "{error}");
    // A thread has two neighbours, which it passes to itself.
    assert_eq!(passed_on("", 64), Ok(()));
}

/// Arrays of two parts lie in one place, so what one holds ends where the other is stored to.
#[test]
fn parts_do_not_keep_values_for_each_other() {
    let text = "kernel k (in x: i64[1], out y: i64[1], out z: i64[1]) {\nlocal c: i64[2]\nlocal a: i64[9] part 0\n\
                local b: i64[1] part 1\nlocal d: i64[1] part 1\nphase tasks=1 task=%0 {\n%1 = load x[%0] : i64\n\
                store c[%0] = %1\nstore a[%0] = %1\nstore b[%0] = %1\n%2 = load a[%0] : i64\n%3 = load c[%0] : i64\n\
                store y[%0] = %2\nstore z[%0] = %3\n}\n}";
    let kernel = text::parse(text).unwrap();
    assert!(kernel.to_string().contains("local b: i64[1] part 1"), "{kernel}");
    assert_eq!(kernel.local_layout(), (vec![0, 64, 192, 256], 320));
    assert_eq!(kernel.shared_layout(), (vec![0, 64, 64, 128], 192));
    let mut buffers = [7i64.to_le_bytes().to_vec(), Vec::new(), Vec::new()];
    evaluate(&kernel, &mut buffers).unwrap();
    assert_eq!(buffers[1], [0xff; 8]);
    assert_eq!(buffers[2], 7i64.to_le_bytes());
}
