//! Counters of kernels whose traffic is known.

use crate::common::run;
use lawson_ptx::{Class, Counters, Memory, Options, Param};

/// Runs a body in which `%i` is the number of the thread in the grid and `%a`, `%b` point to 64 KiB each.
fn count(declarations: &str, body: &str, blocks: u32, threads: u32) -> Counters {
    let rest = format!(
        "{declarations}
.visible .entry k(.param .u64 a, .param .u64 b)
{{
    .reg .pred %p<4>; .reg .b32 %r<10>, %t, %i, %n; .reg .b64 %a, %b, %q<8>; .reg .f32 %f<8>; .reg .f64 %d<4>;
    ld.param.u64 %a, [a];
    ld.param.u64 %b, [b];
    mov.u32 %t, %tid.x;
    mov.u32 %n, %ctaid.x;
    mov.u32 %i, %ntid.x;
    mad.lo.s32 %i, %n, %i, %t;
{body}
    ret;
}}"
    );
    let mut memory = Memory::new();
    let [a, b] = ["a", "b"].map(|name| {
        let p = memory.alloc(name, 1 << 16);
        memory.write(p, &vec![0; 1 << 16]).unwrap();
        p
    });
    let params = [Param::Pointer(a), Param::Pointer(b)];
    run(&rest, blocks, threads, &params, &mut memory, &Options::default()).unwrap_or_else(|f| panic!("{f}"))
}

/// Reads and writes one `f32` at `stride` times the number of the thread.
fn copy(stride: u32, offset: u32) -> String {
    format!(
        "mul.lo.s32 %r0, %i, {};
    cvt.u64.u32 %q0, %r0;
    add.s64 %q1, %a, %q0;
    add.s64 %q2, %b, %q0;
    ld.global.f32 %f0, [%q1+{offset}];
    st.global.f32 [%q2+{offset}], %f0;",
        4 * stride
    )
}

#[test]
fn coalesced_and_strided_accesses_in_sectors() {
    let sectors = |stride, offset| {
        let c = count("", &copy(stride, offset), 2, 128);
        assert_eq!((c.global.read.accesses, c.global.read.bytes), (8, 1024));
        assert_eq!(c.global.read, c.global.written);
        assert_eq!(c.allocation("a").unwrap().read, c.global.read);
        assert_eq!(c.allocation("b").unwrap().written, c.global.written);
        assert_eq!(c.allocation("a").unwrap().written.bytes, 0);
        (c.global.read.sectors, c.global.read.block_sectors)
    };
    // 8 warps of 128 bytes each.
    assert_eq!(sectors(1, 0), (32, 32));
    assert_eq!(sectors(2, 0), (64, 64));
    assert_eq!(sectors(8, 0), (256, 256));
    assert_eq!(sectors(16, 0), (256, 256));
    // Beginning within a sector: a fifth one for each warp, which the warps of a block share.
    assert_eq!(sectors(1, 4), (40, 34));
    assert_eq!(sectors(0, 0), (8, 2));
}

#[test]
fn vectors_move_more_bytes_with_the_same_sectors() {
    let body = "mul.wide.u32 %q0, %i, 16;
    add.s64 %q1, %a, %q0;
    ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%q1];
    add.s64 %q2, %b, %q0;
    st.global.v4.f32 [%q2], {%f0, %f1, %f2, %f3};";
    let c = count("", body, 1, 64);
    assert_eq!((c.global.read.accesses, c.global.read.bytes, c.global.read.sectors), (2, 1024, 32));
    assert_eq!((c.global.written.bytes, c.global.written.block_sectors), (1024, 32));
}

/// A store and a load of `size` bytes at `factor` times the lane.
fn banks(size: u32, factor: u32) -> (u64, u64) {
    let suffix = match size {
        4 => "f32 [%q1], %f0;\nld.shared.f32 %f0, [%q1];".to_string(),
        8 => "f64 [%q1], %d0;\nld.shared.f64 %d0, [%q1];".to_string(),
        _ => "v4.f32 [%q1], {%f0, %f1, %f2, %f3};\nld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%q1];".to_string(),
    };
    let body = format!(
        "mul.wide.u32 %q0, %t, {factor};
    mov.u64 %q1, tile;
    add.s64 %q1, %q1, %q0;
    st.shared.{suffix}"
    );
    let c = count(".shared .align 16 .b8 tile[8192];", &body, 1, 32);
    assert_eq!((c.shared.loads, c.shared.stores), (1, 1));
    (c.shared.passes, c.shared.conflicts)
}

#[test]
fn banks_of_shared_memory_conflict_by_their_stride() {
    assert_eq!(banks(4, 4), (2, 0));
    assert_eq!(banks(4, 8), (4, 2));
    assert_eq!(banks(4, 128), (64, 62));
    // A column of rows with one more word.
    assert_eq!(banks(4, 132), (2, 0));
    // Doubles: each half of a warp by itself; vectors of 16 bytes: each quarter.
    assert_eq!(banks(8, 8), (4, 0));
    assert_eq!(banks(8, 16), (8, 4));
    assert_eq!(banks(8, 128), (64, 60));
    assert_eq!(banks(16, 16), (8, 0));
    assert_eq!(banks(16, 128), (64, 56));
}

/// The passes of a load of `size` bytes by the lanes of a warp, each at `size` times (the lane shifted right, of which the lowest bits
/// count).
fn by_lanes(size: u32, shift: u32, mask: u32) -> (u64, u64) {
    let load = match size {
        8 => "ld.shared.f64 %d0, [%q1];",
        _ => "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%q1];",
    };
    let fill = "mul.wide.u32 %q0, %t, 16;
    mov.u64 %q1, tile;
    add.s64 %q0, %q1, %q0;
    st.shared.v4.f32 [%q0], {%f0, %f0, %f0, %f0};
    bar.sync 0;";
    let body = format!(
        "{fill}
    shr.u32 %r0, %t, {shift};
    and.b32 %r0, %r0, {mask};
    mul.wide.u32 %q0, %r0, {size};
    add.s64 %q1, %q1, %q0;
    {load}"
    );
    let c = count(".shared .align 16 .b8 tile[8192];", &body, 1, 32);
    (c.shared.passes - 4, c.shared.conflicts)
}

#[test]
fn lanes_in_pairs_load_at_once() {
    // 8 vectors of 16 bytes: neighbours have one, or each lane its own of 8; then a vector for each fourth lane.
    assert_eq!(by_lanes(16, 1, 7), (2, 0));
    assert_eq!(by_lanes(16, 0, 7), (4, 0));
    assert_eq!(by_lanes(16, 2, 7), (2, 0));
    // The next but one has the same.
    assert_eq!(by_lanes(16, 0, 1), (2, 0));
    assert_eq!(by_lanes(8, 1, 15), (1, 0));
    assert_eq!(by_lanes(8, 0, 15), (2, 0));
}

#[test]
fn one_word_for_all_lanes_is_one_pass() {
    let body = "setp.ne.u32 %p0, %t, 0;
    @%p0 bra S;
    st.shared.u32 [word], %t;
S:
    bar.sync 0;
    ld.shared.u32 %r0, [word];";
    let c = count(".shared .align 4 .u32 word;", body, 2, 64);
    assert_eq!((c.shared.loads, c.shared.passes, c.shared.conflicts), (4, 6, 0));
    assert_eq!((c.barriers, c.branches, c.divergent_branches), (2, 4, 2));
    assert_eq!((c.blocks, c.threads, c.shared_bytes), (2, 64, 4));
}

#[test]
fn instructions_are_counted_by_class() {
    let body = "cvt.rn.f32.u32 %f0, %t;
    add.rn.f32 %f1, %f0, %f0;
    mul.f32 %f1, %f1, %f0;
    add.f32 %f1, %f1, %f0;
    fma.rn.f32 %f1, %f1, %f0, %f1;
    shfl.sync.bfly.b32 %r0, %t, 1, 31, -1;
    setp.lt.u32 %p0, %t, 8;
    @%p0 add.s32 %r0, %r0, 1;
    vote.sync.any.pred %p1, %p0, -1;";
    let c = count("", body, 1, 64);
    assert_eq!(c.of(Class::Float32), 8);
    assert_eq!(c.of(Class::Convert), 2);
    assert_eq!(c.of(Class::Shuffle), 2);
    assert_eq!((c.shuffles, c.votes), (2, 2));
    // What an assembler may fuse.
    assert_eq!(c.contractible, 4);
    // Six instructions before, a return behind; one is for 8 threads only.
    assert_eq!(c.warp_instructions, 2 * (6 + 9 + 1));
    assert_eq!(c.thread_instructions, 64 * (6 + 8 + 1) + 8);
    assert_eq!(c.classes.iter().sum::<u64>(), c.warp_instructions);
    assert_eq!(Class::ALL.iter().map(|&class| c.of(class)).sum::<u64>(), c.warp_instructions);
}

#[test]
fn atomics_and_local_memory_count() {
    let body = ".local .align 4 .b8 depot[8];
    st.local.u32 [depot], %t;
    ld.local.u32 %r0, [depot];
    atom.global.add.u32 %r1, [%a], %r0;";
    let c = count("", body, 2, 32);
    assert_eq!((c.local_written, c.local_read), (256, 256));
    assert_eq!((c.global.read.sectors, c.global.written.sectors), (2, 2));
    assert_eq!(c.of(Class::Atomic), 2);
}
