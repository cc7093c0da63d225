//! What the emulator says of kernels that were broken on purpose: code of real plans, with one line of it changed. A test
//! that runs code by the emulator would not pass with any of these faults.

use crate::canonical::{full, map, softmax, transpose};
use crate::conv::{CONV, Conv};
use crate::emulate;
use crate::matrices;
use crate::planned::{Planned, TARGET};
use crate::products::product;
use lawson::options::Numerics;
use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::program;

/// The fault of a program whose code is changed, on so few blocks that each has several tasks.
fn fault(text: String, change: impl Fn(&str) -> String) -> String {
    fault_of(&Planned::of("broken", &text), change)
}

fn fault_of(planned: &Planned, change: impl Fn(&str) -> String) -> String {
    let run = |kernel: &Kernel, buffers: &mut [Vec<u8>]| {
        let code = emulate::code(kernel, TARGET)?;
        let broken = change(&code);
        assert_ne!(code, broken, "nothing was changed in\n{code}");
        emulate::launch(kernel, &broken, buffers, emulate::FEW_BLOCKS).map(drop)
    };
    let found = program::evaluate_by(&planned.program, &planned.bytes(), Default::default(), &mut { run });
    found.expect_err("the fault is not seen")
}

/// The text without the lines that fit.
fn without(code: &str, fits: impl Fn(&str) -> bool) -> String {
    code.lines().filter(|l| !fits(l.trim())).map(|l| format!("{l}\n")).collect()
}

#[track_caller]
fn is(fault: &str, name: &str) {
    assert!(fault.contains(name), "{fault}");
}

/// A row for each block: threads of several warps share it.
fn shared_row() -> String {
    softmax(20, 1024)
}

#[test]
fn a_dropped_barrier_of_a_warp_is_a_race() {
    is(&fault(transpose("f32", 64, 64), |code| without(code, |l| l.starts_with("bar.warp.sync"))), "race on");
}

#[test]
fn a_dropped_barrier_of_a_block_is_a_race_or_a_read_of_unwritten_memory() {
    let dropped = |code: &str| without(code, |l| l.starts_with("bar.sync"));
    // What a warp copied to shared memory is read by others before it is there.
    is(&fault(shared_row(), dropped), "was never written");
    // Partial sums are joined in the place of others.
    is(&fault(full(1 << 21), dropped), "race on");
}

#[test]
fn a_dropped_barrier_of_a_product_is_a_race_or_a_read_of_unwritten_memory() {
    let found =
        fault(product(64, 96, 64, (false, false)), |code| without(code, |l| l.starts_with("bar.sync")));
    assert!(found.contains("race on") || found.contains("was never written"), "{found}");
}

/// Without this wait, and without barriers.
fn dropped_waits(wait: &str, planned: &Planned) {
    for (dropped, faults) in
        [(wait, ["was never written", "was never written"]), ("bar.sync", ["race on", "was never written"])]
    {
        let found = fault_of(planned, |code| without(code, |l| l.starts_with(dropped)));
        assert!(faults.iter().any(|f| found.contains(f)), "{dropped}: {found}");
    }
}

#[test]
fn dropped_waits_of_matrices_are_seen() {
    let text = matrices::product(("bf16", "bf16", "f32"), (512, 520, 64), [false, false]);
    let planned = Planned::with(("broken", &text), Numerics::Standard, matrices::small);
    dropped_waits("cp.async.wait_group", &planned);
    // One group too many may be under way.
    let early = |code: &str| {
        let groups = |n: u32| format!("cp.async.wait_group {n};");
        let known = [0, 1, 2].into_iter().find(|&n| code.contains(&groups(n)));
        known.map_or_else(|| code.into(), |n| code.replace(&groups(n), &groups(n + 1)))
    };
    let found = fault_of(&planned, early);
    assert!(found.contains("was never written"), "{found}");
}

#[test]
fn dropped_waits_of_convolutions_are_seen() {
    let conv = Conv { image: [2, 16, 24], features: [64, 64], ..CONV };
    let planned = Planned::with(("broken", &conv.text()), Numerics::Standard, matrices::small);
    // The other operand is put together by the threads.
    dropped_waits("cp.async.wait_all", &planned);
}

#[test]
fn a_wrong_bound_is_an_access_out_of_bounds() {
    // Each task ends a vector later.
    let later = |code: &str| {
        let end = |line: &str| match line.trim().starts_with("add.s64") {
            true => line.replace(", 512;", ", 640;"),
            false => line.to_string(),
        };
        code.lines().map(|l| end(l) + "\n").collect::<String>()
    };
    is(&fault(map("f32", 32_768), later), "out of bounds");
}

#[test]
fn blocks_that_do_the_same_task_with_other_values_are_a_race() {
    // Every thread writes the number of its block where it should write an element.
    let number = |code: &str| {
        let mut changed = String::new();
        for line in code.lines() {
            match line.split_once("st.global.b32").or(line.split_once("st.global.f32")) {
                Some((before, _)) if !changed.contains("%who") => {
                    changed += "\t{ .reg .b32 %who; .reg .b64 %at;\n\tmov.u32 %who, %ctaid.x;\n\tld.param.u64 %at, [";
                    changed += &parameter(code);
                    changed += "+16];\n\tst.global.u32 [%at], %who; }\n";
                    changed += before;
                    changed += &line[before.len()..];
                }
                _ => changed += line,
            }
            changed.push('\n');
        }
        changed
    };
    is(&fault(transpose("f32", 64, 512), number), "race on");
}

/// The name of the first kernel's parameter.
fn parameter(code: &str) -> String {
    let at = code.find("_param_0").expect("a parameter");
    let start = code[..at].rfind(|c: char| !(c.is_alphanumeric() || "_$".contains(c))).map_or(0, |n| n + 1);
    format!("{}_param_0", &code[start..at])
}

#[test]
fn a_dropped_store_is_a_read_of_unwritten_memory() {
    let dropped = |code: &str| without(code, |l| l.starts_with("st.shared"));
    is(&fault(transpose("f32", 64, 64), dropped), "was never written");
}

#[test]
fn a_barrier_that_half_a_warp_reaches_is_divergent() {
    let half = |code: &str, barrier: &str| {
        let guarded = format!(
            "{{ .reg .pred %half; .reg .b32 %who;\n\tmov.u32 %who, %tid.x;\n\tand.b32 %who, %who, 16;\n\t\
             setp.eq.s32 %half, %who, 0;\n\t@%half {barrier}; }}"
        );
        code.replace(&format!("{barrier};"), &guarded)
    };
    let of_warp = fault(transpose("f32", 64, 64), |code| half(code, &line_of(code, "bar.warp.sync")));
    is(&of_warp, "are wanted");
    // Other warps of the block have ended.
    let of_block = fault(shared_row(), |code| {
        let ended = "{ .reg .pred %other; .reg .b32 %who;\n\tmov.u32 %who, %tid.x;\n\t\
                     setp.gt.u32 %other, %who, 127;\n\t@%other ret; }\n\tbar.sync";
        code.replacen("bar.sync", ended, 1)
    });
    is(&of_block, "divergent barrier");
}

/// The first statement that begins so, without its semicolon.
fn line_of(code: &str, begin: &str) -> String {
    let line = code.lines().map(str::trim).find(|l| l.starts_with(begin)).expect("a barrier");
    line.trim_end_matches(';').to_string()
}
