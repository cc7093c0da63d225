//! Deliberately broken kernels: each is caught, with its line, and the right one beside it is not.

use crate::common::{run, text};
use lawson_ptx::{Fault, FaultKind, Memory, Module, Options, Param, Space};

/// Runs `body` with pointers to `a` (1024 words, all written) and `b` (1024 words, not written).
fn try_body(declarations: &str, body: &str, blocks: u32, threads: u32, seed: u64) -> Result<Memory, Fault> {
    let rest = format!(
        "{declarations}
.visible .entry k(.param .u64 a, .param .u64 b)
{{
    .reg .pred %p<4>; .reg .b32 %r<10>, %t, %n; .reg .b64 %a, %b, %q<8>; .reg .b16 %h<4>;
    ld.param.u64 %a, [a];
    ld.param.u64 %b, [b];
    mov.u32 %t, %tid.x;
    mov.u32 %n, %ctaid.x;
    mul.wide.u32 %q0, %t, 4;
{body}
    ret;
}}"
    );
    let mut memory = Memory::new();
    let a = memory.alloc("a", 4096);
    memory.write(a, &[1; 4096]).unwrap();
    let b = memory.alloc("b", 4096);
    let options = Options { seed, max_steps: 100_000, ..Options::default() };
    run(&rest, blocks, threads, &[Param::Pointer(a), Param::Pointer(b)], &mut memory, &options)
        .map(|_| memory)
}

#[track_caller]
fn fault(declarations: &str, body: &str, blocks: u32, threads: u32) -> FaultKind {
    let mut kinds: Vec<FaultKind> = Vec::new();
    for seed in 0..4 {
        let found = try_body(declarations, body, blocks, threads, seed);
        let Err(found) = found else { panic!("seed {seed}: no fault in\n{body}") };
        assert!(found.line > 4 && !found.instruction.is_empty(), "{found}");
        kinds.push(found.kind);
    }
    kinds.swap_remove(0)
}

#[track_caller]
fn fine(declarations: &str, body: &str, blocks: u32, threads: u32) {
    for seed in 0..4 {
        if let Err(found) = try_body(declarations, body, blocks, threads, seed) {
            panic!("seed {seed}: {found}\n{body}");
        }
    }
}

const SHARED: &str = ".shared .align 4 .b8 tile[512];";

/// Each thread writes its word of shared memory and reads its neighbour's.
fn neighbours(between: &str) -> String {
    format!(
        "mov.u64 %q1, tile;
    add.s64 %q2, %q1, %q0;
    st.shared.u32 [%q2], %t;
    {between}
    xor.b32 %r0, %t, 1;
    mul.wide.u32 %q3, %r0, 4;
    add.s64 %q3, %q1, %q3;
    ld.shared.u32 %r1, [%q3];"
    )
}

#[test]
fn a_dropped_barrier_is_a_race() {
    fine(SHARED, &neighbours("bar.sync 0;"), 2, 128);
    // Lanes of one warp may be ordered by a barrier of the warp, but not by nothing.
    fine(SHARED, &neighbours("bar.warp.sync -1;"), 2, 128);
    for between in ["", "shfl.sync.idx.b32 %r0, %t, 0, 31, -1;"] {
        let kind = fault(SHARED, &neighbours(between), 2, 128);
        assert!(matches!(&kind, FaultKind::Race { what, .. } if what.contains("tile")), "{kind}");
    }
    // A barrier of the warp does not order other warps.
    let far = neighbours("bar.warp.sync -1;").replace("xor.b32 %r0, %t, 1", "xor.b32 %r0, %t, 32");
    let kind = fault(SHARED, &far, 1, 128);
    assert!(matches!(kind, FaultKind::Race { .. } | FaultKind::Unwritten { .. }), "{kind}");
    fine(SHARED, &far.replace("bar.warp.sync -1", "bar.sync 0"), 1, 128);
}

#[test]
fn a_tile_that_is_filled_again_needs_a_second_barrier() {
    let again = |between: &str| {
        format!("{}\n{between}\nadd.s32 %r2, %t, %r1;\nst.shared.u32 [%q2], %r2;", neighbours("bar.sync 0;"))
    };
    fine(SHARED, &again("bar.sync 0;"), 1, 64);
    assert!(matches!(fault(SHARED, &again(""), 1, 64), FaultKind::Race { .. }));
}

#[test]
fn parts_of_a_warp_are_ordered_by_barriers_of_their_own() {
    let pairs =
        neighbours("mov.b32 %r5, 3;\nand.b32 %r6, %t, 30;\nshl.b32 %r5, %r5, %r6;\nbar.warp.sync %r5;");
    fine(SHARED, &pairs, 1, 64);
    let across = pairs.replace("xor.b32 %r0, %t, 1", "xor.b32 %r0, %t, 2");
    assert!(matches!(fault(SHARED, &across, 1, 64), FaultKind::Race { .. }));
}

#[test]
fn threads_may_write_the_same_value_and_no_others() {
    let write = |value: &str| format!("mov.b32 %r0, 5;\nst.global.u32 [%b+8], {value};");
    fine("", &write("%r0"), 3, 64);
    for (blocks, threads, value) in [(1, 64, "%t"), (3, 1, "%n")] {
        let kind = fault("", &write(value), blocks, threads);
        assert!(matches!(&kind, FaultKind::Race { what, .. } if what == "byte 8 of b"), "{kind}");
    }
    // Bytes of one word belong to different threads.
    fine("", "cvt.u64.u32 %q1, %t;\nadd.s64 %q1, %b, %q1;\nst.global.u8 [%q1], %t;", 1, 64);
    // What several threads wrote the same way is still not to be read by others without an order.
    let read = |between: &str| {
        format!(
            "setp.gt.u32 %p1, %t, 3;
    @%p1 bra READ;
    mov.b32 %r0, 5;
    st.global.u32 [%a+8], %r0;
READ:
    {between}
    ld.global.u32 %r1, [%a+8];"
        )
    };
    fine("", &read("bar.sync 0;"), 1, 64);
    assert!(matches!(fault("", &read(""), 1, 64), FaultKind::Race { .. }));
    // Their own value they may read back.
    let own = "mov.b32 %r0, 5;\nst.global.u32 [%a+8], %r0;\nld.global.u32 %r1, [%a+8];";
    fine("", own, 1, 64);
    fine("", own, 2, 32);
}

#[test]
fn blocks_are_ordered_by_atomics_with_fences_only() {
    // Each block writes a word; the last one that takes a ticket adds all of them up.
    let declarations = ".global .align 4 .u32 tickets;\n.shared .align 4 .u32 ticket;";
    let body = |fence: &str, second: &str| {
        format!(
            "mul.wide.u32 %q1, %n, 4;
    add.s64 %q1, %b, %q1;
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra WAIT;
    st.global.u32 [%q1], %n;
    {fence}
    mov.u64 %q2, tickets;
    atom.global.add.u32 %r0, [%q2], 1;
    {second}
    st.shared.u32 [ticket], %r0;
WAIT:
    bar.sync 0;
    ld.shared.u32 %r1, [ticket];
    mov.u32 %r2, %nctaid.x;
    add.s32 %r2, %r2, -1;
    setp.ne.u32 %p1, %r1, %r2;
    @%p1 bra END;
    mov.u32 %r3, 0;
ADD:
    mul.wide.u32 %q3, %r3, 4;
    add.s64 %q3, %b, %q3;
    ld.global.u32 %r4, [%q3];
    add.s32 %r3, %r3, 1;
    setp.le.u32 %p2, %r3, %r2;
    @%p2 bra ADD;
END:"
        )
    };
    fine(declarations, &body("membar.gl;", "membar.gl;"), 20, 64);
    fine(declarations, &body("fence.acq_rel.gpu;", "fence.acq_rel.gpu;"), 20, 64);
    for (first, second) in [("", "membar.gl;"), ("membar.gl;", ""), ("membar.cta;", "membar.cta;")] {
        let kind = fault(declarations, &body(first, second), 20, 64);
        assert!(matches!(kind, FaultKind::Race { .. }), "{kind}");
    }
}

#[test]
fn a_fence_covers_what_its_block_did_before_a_barrier() {
    // All threads write; one of the last block's threads learns that all blocks are done, all of them read.
    let declarations = ".global .align 4 .u32 tickets;\n.shared .align 4 .u32 ticket;";
    let body = |fence: &str, barrier: &str| {
        format!(
            "mul.wide.u32 %q1, %n, 256;
    add.s64 %q1, %q1, %q0;
    add.s64 %q1, %b, %q1;
    st.global.u32 [%q1], %t;
    {fence}
    {barrier}
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra WAIT;
    membar.gl;
    mov.u64 %q2, tickets;
    atom.global.add.u32 %r0, [%q2], 1;
    membar.gl;
    st.shared.u32 [ticket], %r0;
WAIT:
    bar.sync 0;
    ld.shared.u32 %r1, [ticket];
    setp.ne.u32 %p1, %r1, 9;
    @%p1 bra END;
    mov.u32 %r3, 0;
ADD:
    mul.wide.u32 %q3, %r3, 256;
    add.s64 %q3, %q3, %q0;
    add.s64 %q3, %b, %q3;
    ld.global.u32 %r4, [%q3];
    add.s32 %r3, %r3, 1;
    setp.lt.u32 %p2, %r3, 10;
    @%p2 bra ADD;
END:"
        )
    };
    fine(declarations, &body("", "bar.sync 0;"), 10, 64);
    fine(declarations, &body("membar.gl;", "bar.sync 0;"), 10, 64);
    let kind = fault(declarations, &body("membar.gl;", ""), 10, 64);
    assert!(matches!(kind, FaultKind::Race { .. }), "{kind}");
    // Fences of all threads before the barrier are enough.
    let before = body("membar.gl;", "bar.sync 0;").replacen("bra WAIT;\n    membar.gl;", "bra WAIT;", 1);
    fine(declarations, &before, 10, 64);
    let none = before.replacen("membar.gl;", "", 1);
    assert!(matches!(fault(declarations, &none, 10, 64), FaultKind::Race { .. }));
}

#[test]
fn blocks_may_wait_for_the_blocks_before_them() {
    // Running sums by looking back: blocks take tickets, wait for the flag of the one before, and add to its sum.
    let declarations = ".global .align 4 .u32 tickets;\n.global .align 4 .b8 flags[256];";
    let body = |fence: &str| {
        format!(
            "mov.u64 %q1, tickets;
    atom.global.add.u32 %r0, [%q1], 1;
    mov.b32 %r5, 1;
    mul.wide.u32 %q2, %r0, 4;
    mov.u64 %q3, flags;
    add.s64 %q3, %q3, %q2;
    add.s64 %q4, %b, %q2;
    mov.b32 %r1, 0;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra FIRST;
WAIT:
    ld.volatile.global.u32 %r2, [%q3+-4];
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra WAIT;
    {fence}
    ld.global.u32 %r1, [%q4+-4];
FIRST:
    add.s32 %r1, %r1, %r0;
    st.global.u32 [%q4], %r1;
    {fence}
    st.volatile.global.u32 [%q3], %r5;"
        )
    };
    for seed in 0..4 {
        let memory =
            try_body(declarations, &body("membar.gl;"), 50, 1, seed).unwrap_or_else(|f| panic!("{f}"));
        let sums = memory.read(memory.find("b").unwrap(), 200).unwrap();
        for (i, word) in (0u32..).zip(sums.chunks(4)) {
            assert_eq!(word, (i * (i + 1) / 2).to_le_bytes());
        }
    }
    assert!(matches!(fault(declarations, &body(""), 50, 1), FaultKind::Race { .. }));
}

#[test]
fn atomics_meet_atomics_but_not_plain_accesses() {
    let atomic = "atom.global.add.u32 %r0, [%a], 1;";
    fine("", atomic, 4, 64);
    fine("", "red.global.add.u32 [%a], 1;", 4, 64);
    let mixed = format!("{atomic}\nld.global.u32 %r1, [%a];");
    assert!(matches!(fault("", &mixed, 1, 64), FaultKind::Race { .. }));
    fine("", &format!("{atomic}\nbar.sync 0;\nld.global.u32 %r1, [%a];"), 1, 64);
    fine("", &format!("{atomic}\nld.volatile.global.u32 %r1, [%a];"), 2, 64);
}

#[test]
fn the_read_only_path_reads_what_nobody_writes() {
    let body = "ld.global.nc.u32 %r0, [%a];\nbar.sync 0;\nst.global.u32 [%a+4], %r0;\nbar.sync 0;\nld.global.nc.u32 %r0, [%a+";
    fine("", &format!("{body}8];"), 1, 32);
    assert!(matches!(fault("", &format!("{body}4];"), 1, 32), FaultKind::Race { .. }));
    let written = "ld.global.nc.u32 %r0, [%a];\nbar.sync 0;\nst.global.u32 [%a], %r0;";
    assert!(matches!(fault("", written, 1, 1), FaultKind::Race { .. }));
}

#[test]
fn a_wrong_bound_is_out_of_bounds() {
    let store = |offset: i64| format!("add.s64 %q1, %b, %q0;\nst.global.u32 [%q1+{offset}], %t;");
    fine("", &store(4096 - 256), 1, 64);
    let kind = fault("", &store(4096 - 252), 1, 64);
    let FaultKind::OutOfBounds { space: Space::Global, bytes: 4, near, .. } = &kind else { panic!("{kind}") };
    assert_eq!(near, ": byte 4096 of b, which has 4096");
    assert!(matches!(fault("", &store(-4), 1, 64), FaultKind::OutOfBounds { .. }));
    let shared = |t: u32| {
        fault(
            SHARED,
            &format!("mov.u64 %q1, tile;\nadd.s64 %q1, %q1, %q0;\nst.shared.u32 [%q1+{t}], %t;"),
            1,
            64,
        )
    };
    assert!(matches!(shared(512), FaultKind::OutOfBounds { space: Space::Shared, .. }));
    assert!(matches!(shared(260), FaultKind::OutOfBounds { space: Space::Shared, .. }));
    let generic = "ld.u32 %r0, [%q0];";
    assert!(matches!(fault("", generic, 1, 1), FaultKind::OutOfBounds { .. }));
    // A shared address is no global one.
    let confused = "mov.u64 %q1, tile;\nld.global.u32 %r0, [%q1];";
    assert!(matches!(fault(SHARED, confused, 1, 1), FaultKind::OutOfBounds { space: Space::Global, .. }));
    let local = ".local .align 4 .b8 depot[16];\nmov.u64 %q1, depot;\nst.local.u32 [%q1+";
    fine("", &format!("{local}12], %t;"), 1, 64);
    assert!(matches!(fault("", &format!("{local}16], %t;"), 1, 64), FaultKind::OutOfBounds { .. }));
}

#[test]
fn what_was_never_written_is_not_read() {
    let kind = fault("", "ld.global.u32 %r0, [%b];", 1, 1);
    assert!(matches!(&kind, FaultKind::Unwritten { what, .. } if what == "byte 0 of b"), "{kind}");
    let part = "st.global.u16 [%b], %h0;\nld.global.u32 %r0, [%b];";
    let kind = fault("", part, 1, 1);
    assert!(matches!(&kind, FaultKind::Unwritten { what, .. } if what == "byte 2 of b"), "{kind}");
    let kind = fault(SHARED, "mov.u64 %q1, tile;\nld.shared.u32 %r0, [%q1];", 1, 1);
    assert!(matches!(kind, FaultKind::Unwritten { space: Space::Shared, .. }), "{kind}");
    let local = ".local .align 4 .b8 depot[16];\nld.local.u32 %r0, [depot];";
    assert!(matches!(fault("", local, 1, 1), FaultKind::Unwritten { space: Space::Local, .. }));
    // The next block finds nothing in shared memory either.
    let once =
        "setp.ne.u32 %p0, %n, 0;\n@%p0 bra R;\nst.shared.u32 [tile], %t;\nR:\nld.shared.u32 %r0, [tile];";
    assert!(matches!(fault(SHARED, once, 2, 1), FaultKind::Unwritten { .. }));
}

#[test]
fn addresses_have_the_alignment_of_the_access() {
    let kind = fault("", "ld.global.u32 %r0, [%a+2];", 1, 1);
    assert!(matches!(kind, FaultKind::Misaligned { bytes: 4, .. }), "{kind}");
    let vector = "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a+";
    fine("", &format!("{vector}16];"), 1, 1);
    assert!(matches!(fault("", &format!("{vector}8];"), 1, 1), FaultKind::Misaligned { bytes: 16, .. }));
}

#[test]
fn a_barrier_is_for_all_threads() {
    let half = "setp.lt.u32 %p0, %t, 20;\n@%p0 bra END;\nbar.sync 0;\nEND:";
    assert!(matches!(fault("", half, 1, 64), FaultKind::DivergentBarrier(_)));
    // One warp does not come at all.
    let warp = "setp.lt.u32 %p0, %t, 32;\n@%p0 bra END;\nbar.sync 0;\nEND:";
    assert!(matches!(fault("", warp, 1, 64), FaultKind::DivergentBarrier(_)));
    let ways = "setp.lt.u32 %p0, %t, 32;\n@%p0 bra LOW;\nbar.sync 0;\nbra END;\nLOW:\nbar.sync 0;\nEND:";
    assert!(matches!(fault("", ways, 1, 64), FaultKind::DivergentBarrier(_)));
    let two = ways.replacen("bar.sync 0", "bar.sync 1", 1);
    assert!(matches!(fault("", &two, 1, 64), FaultKind::Deadlock(_)));
}

#[test]
fn lanes_of_a_mask_have_to_be_there() {
    let half = "setp.lt.u32 %p0, %t, 20;\n@%p0 bra END;\nshfl.sync.bfly.b32 %r0, %t, 1, 31, -1;\nEND:";
    let kind = fault("", half, 1, 32);
    let wanted = FaultKind::MissingLanes { wanted: u32::MAX, present: 0xfff0_0000 };
    assert_eq!(kind, wanted);
    fine("", &half.replace(", -1;", ", 0xfff00000;"), 1, 32);
    let outside = "shfl.sync.idx.b32 %r0, %t, 20, 31, 0xffff;";
    assert!(matches!(fault("", outside, 1, 16), FaultKind::MissingLanes { .. }));
    assert!(matches!(
        fault("", &half.replace("shfl.sync.bfly.b32 %r0, %t, 1, 31, -1", "bar.warp.sync -1"), 1, 32),
        FaultKind::MissingLanes { .. }
    ));
}

#[test]
fn a_kernel_that_never_ends_is_stopped() {
    assert_eq!(fault("", "LOOP:\nbra.uni LOOP;", 1, 32), FaultKind::StepLimit);
    assert_eq!(fault("", "trap;", 1, 32), FaultKind::Trap);
}

#[test]
fn constants_are_not_written() {
    let declarations = ".const .align 4 .b8 table[8] = {1, 2, 3, 4, 5};";
    fine(declarations, "ld.const.u32 %r0, [table+4];", 1, 32);
    let write = "mov.u64 %q1, table;\ncvta.const.u64 %q1, %q1;\nst.u32 [%q1], %t;";
    assert!(matches!(fault(declarations, write, 1, 1), FaultKind::ReadOnly { .. }));
}

#[test]
fn copies_have_to_be_waited_for() {
    let copy = |wait: &str| {
        format!(
            "mov.u64 %q1, tile;
    add.s64 %q2, %q1, %q0;
    add.s64 %q3, %a, %q0;
    cp.async.ca.shared.global [%q2], [%q3], 4;
    cp.async.commit_group;
    {wait}
    xor.b32 %r0, %t, 1;
    mul.wide.u32 %q3, %r0, 4;
    add.s64 %q3, %q1, %q3;
    ld.shared.u32 %r1, [%q3];"
        )
    };
    fine(SHARED, &copy("cp.async.wait_group 0;\nbar.sync 0;"), 1, 128);
    fine(SHARED, &copy("cp.async.wait_all;\nbar.sync 0;"), 1, 128);
    for wait in ["bar.sync 0;", "cp.async.wait_group 1;\nbar.sync 0;"] {
        assert!(matches!(fault(SHARED, &copy(wait), 1, 128), FaultKind::Unwritten { .. }));
    }
    assert!(matches!(
        fault(SHARED, &copy("cp.async.wait_all;"), 1, 128),
        FaultKind::Race { .. } | FaultKind::Unwritten { .. }
    ));
}

#[test]
fn what_is_not_known_is_named_and_stops_only_who_runs_it() {
    let rest = text(
        ".visible .entry good(.param .u64 p)\n{\n.reg .b64 %r;\nld.param.u64 %r, [p];\nst.global.u64 [%r], %r;\nret;\n}
.extern .func f();\n.visible .entry bad()\n{\n.reg .b32 %r;\nwgmma.fence.sync.aligned;\nmov.u32 %r, %clock;\ncall f;\nret;\n}",
    );
    let module = Module::parse(&rest).unwrap();
    assert_eq!(
        module.refused(),
        [(15, "wgmma.fence.sync.aligned"), (16, "mov of %clock"), (17, "call of f")]
            .map(|(line, what)| (line, what.to_string()))
    );
    assert_eq!(module.entries().collect::<Vec<_>>(), ["good", "bad"]);
    let mut memory = Memory::new();
    let p = memory.alloc("p", 8);
    let options = Options::default();
    let params = [Param::Pointer(p)];
    module.launch("good", [1, 1, 1], [1, 1, 1], &params, &mut memory, &options).unwrap();
    let fault = module.launch("bad", [1, 1, 1], [1, 1, 1], &[], &mut memory, &options).unwrap_err();
    assert_eq!((fault.line, fault.kind), (15, FaultKind::Unknown("wgmma.fence.sync.aligned".into())));
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let rest = text(".visible .entry k(.param .u32 n)\n.maxntid 128, 1, 1\n{\nret;\n}");
    let module = Module::parse(&rest).unwrap();
    let mut memory = Memory::new();
    let mut launch = |name: &str, grid, block, params: &[Param]| {
        module.launch(name, grid, block, params, &mut memory, &Options::default())
    };
    let one = [Param::U32(0)];
    assert!(launch("k", [1, 1, 1], [128, 1, 1], &one).is_ok());
    for (name, grid, block, params) in [
        ("other", [1, 1, 1], [1, 1, 1], &one[..]),
        ("k", [1, 1, 1], [256, 1, 1], &one),
        ("k", [1, 1, 1], [0, 1, 1], &one),
        ("k", [1, 0, 1], [1, 1, 1], &one),
        ("k", [1, 1, 1], [1, 1, 1], &[]),
        ("k", [1, 1, 1], [1, 1, 1], &[Param::U64(0)]),
    ] {
        let fault = launch(name, grid, block, params).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Launch(_)), "{fault}");
    }
}
