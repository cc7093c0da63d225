//! Branches that diverge, loops, calls, barriers and what the lanes of a warp tell each other.

use crate::common::{module, run};
use lawson_ptx::{Memory, Options, Param};

/// Runs a text of which each thread stores one word at `[%o]` from `%v`; gives the words of all threads.
fn words(declarations: &str, body: &str, blocks: u32, threads: u32, seed: u64) -> Vec<u32> {
    let rest = format!(
        "{declarations}
.visible .entry k(.param .u64 out)
{{
    .reg .pred %p<8>; .reg .b32 %r<20>; .reg .b32 %t, %v, %n, %g; .reg .b64 %o, %q<4>; .reg .f32 %f<4>;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    mov.u32 %n, %ctaid.x;
    mov.u32 %g, %ntid.x;
    mad.lo.s32 %g, %n, %g, %t;
    mul.wide.u32 %q0, %g, 4;
    add.s64 %o, %o, %q0;
{body}
    st.global.u32 [%o], %v;
    ret;
}}"
    );
    let mut memory = Memory::new();
    let bytes = 4 * (blocks * threads) as usize;
    let out = memory.alloc("out", bytes);
    let options = Options { seed, ..Options::default() };
    let result = run(&rest, blocks, threads, &[Param::Pointer(out)], &mut memory, &options);
    result.unwrap_or_else(|f| panic!("{f}\n{rest}"));
    let read = memory.read(out, bytes).unwrap();
    read.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn loops_of_different_lengths_meet_again() {
    // The Collatz steps of each thread's number, and then how many lanes are together.
    let body = "
    add.s32 %r0, %t, 1;
    mov.b32 %v, 0;
LOOP:
    setp.eq.u32 %p0, %r0, 1;
    @%p0 bra DONE;
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra EVEN;
    mad.lo.s32 %r0, %r0, 3, 1;
    bra.uni NEXT;
EVEN:
    shr.u32 %r0, %r0, 1;
NEXT:
    add.s32 %v, %v, 1;
    bra.uni LOOP;
DONE:
    activemask.b32 %r2;
    popc.b32 %r2, %r2;
    mad.lo.s32 %v, %r2, 1000, %v;";
    for seed in 0..5 {
        let found = words("", body, 2, 64, seed);
        for (i, &v) in found.iter().enumerate() {
            let (mut n, mut steps) = (i as u32 % 64 + 1, 0);
            while n != 1 {
                n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            assert_eq!(v, 32_000 + steps, "thread {i}");
        }
    }
}

#[test]
fn a_loop_inside_a_branch_and_an_early_return_inside_a_loop() {
    let body = "
    mov.b32 %v, 7;
    st.global.u32 [%o], %v;
    and.b32 %r0, %t, 3;
    setp.eq.u32 %p0, %r0, 3;
    @%p0 ret;
    mov.b32 %r1, 0;
    mov.b32 %v, 0;
    setp.lt.u32 %p1, %r0, 2;
    @!%p1 bra SKIP;
INNER:
    add.s32 %v, %v, %r1;
    add.s32 %r1, %r1, 1;
    setp.gt.u32 %p2, %r1, 50;
    @%p2 exit;
    setp.le.u32 %p3, %r1, %t;
    @%p3 bra INNER;
SKIP:
    add.s32 %v, %v, 100;";
    for seed in 0..3 {
        for (i, v) in words("", body, 1, 64, seed).into_iter().enumerate() {
            let i = i as u32;
            let expected = match i & 3 {
                3 => 7,
                2 => 100,
                _ if i >= 50 => 7,
                _ => 100 + i * (i + 1) / 2,
            };
            assert_eq!(v, expected, "thread {i}");
        }
    }
}

#[test]
fn functions_call_functions_also_where_lanes_diverge() {
    let functions = "
.func (.param .b32 res) twice(.param .b32 x)
{
    .reg .b32 %a;
    ld.param.b32 %a, [x];
    add.s32 %a, %a, %a;
    st.param.b32 [res], %a;
    ret;
}
.func (.param .b32 res) power(.param .b32 x, .param .b32 n)
{
    .reg .b32 %a<4>; .reg .pred %p<2>;
    ld.param.b32 %a1, [n];
    ld.param.b32 %a0, [x];
    setp.eq.u32 %p0, %a1, 0;
    @%p0 bra BASE;
    add.s32 %a1, %a1, -1;
    {
    .param .b32 p0; st.param.b32 [p0+0], %a0;
    .param .b32 p1; st.param.b32 [p1+0], %a1;
    .param .b32 r0;
    call.uni (r0), power, (p0, p1);
    ld.param.b32 %a2, [r0+0];
    }
    {
    .param .b32 p0; st.param.b32 [p0+0], %a2;
    .param .b32 r0;
    call (r0), twice, (p0);
    ld.param.b32 %a2, [r0+0];
    }
    st.param.b32 [res+0], %a2;
    ret;
BASE:
    st.param.b32 [res+0], %a0;
    ret;
}";
    let body = "
    and.b32 %r0, %t, 7;
    mov.b32 %v, %t;
    setp.eq.u32 %p0, %r0, 5;
    @%p0 bra AWAY;
    {
    .param .b32 p0; st.param.b32 [p0+0], %t;
    .param .b32 p1; st.param.b32 [p1+0], %r0;
    .param .b32 r0;
    call.uni (r0), power, (p0, p1);
    ld.param.b32 %v, [r0+0];
    }
AWAY:";
    for (i, v) in words(functions, body, 1, 96, 3).into_iter().enumerate() {
        let i = i as u32;
        assert_eq!(v, if i & 7 == 5 { i } else { i << (i & 7) });
    }
}

#[test]
fn a_block_adds_up_through_shared_memory_in_any_order_of_warps() {
    let body = "
    mov.u64 %q1, buffer;
    mul.wide.u32 %q2, %t, 4;
    add.s64 %q1, %q1, %q2;
    st.shared.u32 [%q1], %g;
    mov.u32 %r0, %ntid.x;
HALVE:
    bar.sync 0;
    shr.u32 %r0, %r0, 1;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra DONE;
    setp.ge.u32 %p1, %t, %r0;
    @%p1 bra HALVE;
    mul.wide.u32 %q2, %r0, 4;
    add.s64 %q2, %q2, %q1;
    ld.shared.u32 %r1, [%q2];
    ld.shared.u32 %r2, [%q1];
    add.s32 %r1, %r1, %r2;
    st.shared.u32 [%q1], %r1;
    bra.uni HALVE;
DONE:
    ld.shared.u32 %v, [buffer];";
    // A loop whose parts of a warp come back to the barrier by two ways: they have to meet before it.
    let declarations = ".shared .align 4 .b8 buffer[1024];";
    for seed in 0..5 {
        let found = words(declarations, body, 3, 256, seed);
        for (b, block) in found.chunks(256).enumerate() {
            let first = 256 * b as u32;
            let sum: u32 = (first..first + 256).sum();
            assert!(block.iter().all(|&v| v == sum), "block {b}");
        }
    }
}

#[test]
fn shuffles_move_values_between_lanes() {
    let shuffle = |text: &str| words("", &format!("mov.b32 %r0, %t;\n{text}"), 1, 32, 0);
    let butterfly = shuffle("shfl.sync.bfly.b32 %v, %r0, 5, 31, -1;");
    let down = shuffle("shfl.sync.down.b32 %v|%p0, %r0, 3, 31, -1;\n@!%p0 add.s32 %v, %v, 100;");
    let up = shuffle("shfl.sync.up.b32 %v|%p0, %r0, 3, 0, -1;\n@!%p0 add.s32 %v, %v, 100;");
    let index = shuffle("shfl.sync.idx.b32 %v, %r0, %r0, 31, -1;\nshfl.sync.idx.b32 %v, %v, 9, 31, -1;");
    // Segments of 8 lanes: the mask of the segment in bits 8 to 12.
    let segment = shuffle("shfl.sync.down.b32 %v, %r0, 2, 6175, -1;");
    for l in 0..32u32 {
        let i = l as usize;
        assert_eq!(butterfly[i], l ^ 5);
        assert_eq!(down[i], if l + 3 < 32 { l + 3 } else { l + 100 });
        assert_eq!(up[i], if l >= 3 { l - 3 } else { l + 100 });
        assert_eq!(index[i], 9);
        assert_eq!(segment[i], if l % 8 + 2 < 8 { l + 2 } else { l });
    }
}

#[test]
fn votes_reductions_and_matches() {
    let vote = |text: &str| words("", &format!("setp.lt.u32 %p0, %t, 40;\n{text}"), 1, 64, 0);
    let ballot = vote("vote.sync.ballot.b32 %v, %p0, -1;");
    let all = vote("vote.sync.all.pred %p1, %p0, -1;\nselp.u32 %v, 1, 0, %p1;");
    let any = vote("vote.sync.any.pred %p1, !%p0, -1;\nselp.u32 %v, 1, 0, %p1;");
    let uniform = vote("vote.sync.uni.pred %p1, %p0, -1;\nselp.u32 %v, 1, 0, %p1;");
    let sum = vote("redux.sync.add.s32 %v, %t, -1;");
    let least = vote("sub.s32 %r0, 20, %t;\nredux.sync.min.s32 %v, %r0, -1;");
    let same = vote("and.b32 %r0, %t, 7;\nmatch.any.sync.b32 %v, %r0, -1;");
    let counted = vote("bar.red.popc.u32 %v, 0, %p0;");
    // The halves of a warp go different ways, each with a mask of its own.
    let halves = vote(
        "and.b32 %r0, %t, 16;
    setp.eq.u32 %p1, %r0, 0;
    @%p1 bra LOW;
    vote.sync.ballot.b32 %v, %p0, 0xffff0000;
    bra.uni BOTH;
LOW:
    vote.sync.ballot.b32 %v, %p0, 0x0000ffff;
BOTH:",
    );
    for (i, first) in [(0usize, true), (32, false)] {
        assert_eq!(ballot[i], if first { u32::MAX } else { 0xff });
        assert_eq!((all[i], any[i]), (u32::from(first), u32::from(!first)));
        assert_eq!(uniform[i], u32::from(first));
        assert_eq!(sum[i], (i as u32..i as u32 + 32).sum::<u32>());
        assert_eq!(least[i] as i32, 20 - (i as i32 + 31));
        assert_eq!(same[i + 3], 0x0808_0808);
        assert_eq!(counted[i], 40);
        assert_eq!(halves[i], if first { 0xffff } else { 0xff });
        assert_eq!(halves[i + 16], if first { 0xffff_0000 } else { 0 });
    }
}

#[test]
fn special_registers_tell_the_place_of_a_thread() {
    let rest = "
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<20>; .reg .b64 %o, %q;
    ld.param.u64 %o, [out];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;
    mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y; mov.u32 %r5, %ntid.z;
    mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %ctaid.z;
    mov.u32 %r9, %nctaid.x; mov.u32 %r10, %nctaid.y; mov.u32 %r11, %laneid;
    mad.lo.s32 %r12, %r2, %r4, %r1;
    mad.lo.s32 %r12, %r12, %r3, %r0;
    mad.lo.s32 %r13, %r8, %r10, %r7;
    mad.lo.s32 %r13, %r13, %r9, %r6;
    mad.lo.s32 %r13, %r13, 48, %r12;
    mul.wide.u32 %q, %r13, 4;
    add.s64 %o, %o, %q;
    mul.lo.s32 %r14, %r11, 1000;
    add.s32 %r14, %r14, %r12;
    st.global.u32 [%o], %r14;
    ret;
}";
    let mut memory = Memory::new();
    let out = memory.alloc("out", 4 * 48 * 12);
    let params = [Param::Pointer(out)];
    let result = module(rest).launch("k", [2, 3, 2], [4, 3, 4], &params, &mut memory, &Options::default());
    assert_eq!(result.unwrap().blocks, 12);
    let words = memory.read(out, 4 * 48 * 12).unwrap().chunks(4);
    for (i, word) in words.enumerate() {
        let i = i as u32 % 48;
        assert_eq!(u32::from_le_bytes(word.try_into().unwrap()), i % 32 * 1000 + i);
    }
}

#[test]
fn a_guarded_call_gives_its_results_to_its_lanes_only() {
    let functions = "
.func (.param .b32 res) seven()
{
    st.param.b32 [res], 7;
    ret;
}";
    let body = "
    {
    .param .b32 r0;
    st.param.b32 [r0], %t;
    setp.lt.u32 %p0, %t, 4;
    @%p0 call (r0), seven, ();
    ld.param.b32 %v, [r0];
    }";
    for (i, v) in words(functions, body, 1, 32, 0).into_iter().enumerate() {
        assert_eq!(v, if i < 4 { 7 } else { i as u32 });
    }
}
