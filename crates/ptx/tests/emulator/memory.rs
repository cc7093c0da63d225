//! Loads and stores of every width and space, initial values, atomics, matrices.

use crate::common::{Random, evaluate, run, text};
use lawson_ptx::{Memory, MemoryError, Module, Options, Param};

/// Runs one block of `threads` with a pointer to `input` and one to `bytes` of output, which it gives.
fn through(declarations: &str, body: &str, threads: u32, input: &[u8], bytes: usize) -> Vec<u8> {
    let rest = format!(
        "{declarations}
.visible .entry k(.param .u64 a, .param .u64 b)
{{
    .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<40>, %t; .reg .b64 %a, %b, %q<8>; .reg .f32 %f<8>;
    ld.param.u64 %a, [a];
    ld.param.u64 %b, [b];
    mov.u32 %t, %tid.x;
{body}
    ret;
}}"
    );
    let mut memory = Memory::new();
    let a = memory.alloc("a", input.len());
    memory.write(a, input).unwrap();
    let b = memory.alloc("b", bytes);
    let params = [Param::Pointer(a), Param::Pointer(b)];
    run(&rest, 1, threads, &params, &mut memory, &Options::default())
        .unwrap_or_else(|f| panic!("{f}\n{rest}"));
    memory.read(b, bytes).unwrap().to_vec()
}

#[test]
fn narrow_loads_are_extended_and_narrow_stores_cut() {
    let input = [0x80, 0xff, 0x7f, 0x12, 0xfe, 0xff, 0x00, 0x80];
    let body = "ld.global.u8 %r0, [%a];
    st.global.b32 [%b], %r0;
    ld.global.s8 %r0, [%a];
    st.global.b32 [%b+4], %r0;
    ld.global.s16 %r0, [%a+4];
    st.global.b32 [%b+8], %r0;
    ld.global.u16 %r0, [%a+6];
    st.global.b32 [%b+12], %r0;
    ld.global.s8 %h0, [%a+1];
    st.global.b16 [%b+16], %h0;
    ld.global.s32 %q0, [%a+4];
    st.global.b64 [%b+24], %q0;
    mov.b32 %r1, 0x12345678;
    st.global.u8 [%b+18], %r1;
    st.global.u8 [%b+19], %h0;
    st.global.u16 [%b+20], %r1;
    st.global.v2.u8 [%b+22], {%r1, %r0};";
    let out = through("", body, 1, &input, 32);
    let word = |at: usize| u32::from_le_bytes(out[at..at + 4].try_into().unwrap());
    assert_eq!([word(0), word(4), word(8), word(12)], [0x80, 0xffff_ff80, 0xffff_fffe, 0x8000]);
    assert_eq!(out[16..24], [0xff, 0xff, 0x78, 0xff, 0x78, 0x56, 0x78, 0x00]);
    assert_eq!(out[24..32], 0xffff_ffff_8000_fffe_u64.to_le_bytes());
}

#[test]
fn vectors_of_all_widths() {
    let input: Vec<u8> = (0..64).collect();
    let body = "ld.global.v4.u32 {%r0, _, %r2, %r3}, [%a];
    st.global.v2.u32 [%b], {%r3, %r0};
    ld.global.v2.u64 {%q0, %q1}, [%a+16];
    st.global.v2.b64 [%b+16], {%q1, %q0};
    ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%a+32];
    st.global.v4.u8 [%b+8], {%h3, %h2, %h1, %h0};
    ld.global.v4.u16 {%h0, %h1, %h2, %h3}, [%a+40];
    st.global.v4.b16 [%b+32], {%h3, %h2, %h1, %h0};
    ld.v4.f32 {%f0, %f1, %f2, %f3}, [%a+48];
    st.v4.f32 [%b+48], {%f3, %f2, %f1, %f0};
    st.global.b32 [%b+12], %r2;
    st.global.b64 [%b+40], %q0;";
    let out = through("", body, 1, &input, 64);
    let expected = "0c0d0e0f 00010203 23222120 08090a0b 18191a1b 1c1d1e1f 10111213 14151617 \
                    2e2f2c2d 2a2b2829 10111213 14151617 3c3d3e3f 38393a3b 34353637 30313233";
    let hex: String =
        out.chunks(4).map(|c| c.iter().map(|b| format!("{b:02x}")).collect::<String>() + " ").collect();
    assert_eq!(hex.trim_end(), expected);
}

#[test]
fn variables_have_their_initial_values_and_keep_new_ones() {
    let rest = text(
        ".global .align 4 .u32 counter = 5;
.const .align 8 .b8 bytes[16] = {1, 2, 3, 4, 0xff};
.global .align 8 .u64 places[3] = {counter, bytes+8, 7};
.global .align 4 .f32 floats[2] = {0f3F800000, -2.5};
.global .align 2 .b16 zeros[4];
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %o, %q<4>; .reg .f32 %f;
    ld.param.u64 %o, [out];
    mov.u64 %q0, places;
    ld.global.u64 %q1, [%q0];
    atom.add.u32 %r0, [%q1], 1;
    st.global.u32 [%o], %r0;
    ld.const.u32 %r1, [bytes+4];
    st.global.u32 [%o+4], %r1;
    ld.global.u64 %q2, [places+8];
    ld.u64 %q2, [%q2];
    st.global.u64 [%o+8], %q2;
    ld.global.f32 %f, [floats+4];
    st.global.f32 [%o+16], %f;
    ld.global.u32 %r2, [zeros+4];
    st.global.u32 [%o+20], %r2;
    ret;
}",
    );
    let module = Module::parse(&rest).unwrap();
    let mut memory = Memory::new();
    let out = memory.alloc("out", 24);
    for trip in 0..3u32 {
        let params = [Param::Pointer(out)];
        module.launch("k", [1, 1, 1], [1, 1, 1], &params, &mut memory, &Options::default()).unwrap();
        let found = memory.read(out, 24).unwrap();
        assert_eq!(found[..4], (5 + trip).to_le_bytes());
        assert_eq!(found[4..8], [0xff, 0, 0, 0]);
        assert_eq!(found[8..16], [0; 8]);
        assert_eq!(found[16..20], (-2.5f32).to_le_bytes());
        assert_eq!(found[20..], [0; 4]);
    }
}

#[test]
fn parameters_of_all_sizes() {
    let rest = text(
        ".visible .entry k(.param .u8 a, .param .u16 b, .param .f32 c, .param .align 16 .b8 d[24], .param .f64 e, .param .u64 out)
{
    .reg .b16 %h<2>; .reg .b32 %r; .reg .b64 %o, %q<3>; .reg .f32 %f; .reg .f64 %d;
    ld.param.u64 %o, [out];
    ld.param.u8 %h0, [a];
    st.global.u8 [%o], %h0;
    ld.param.u16 %h1, [b];
    st.global.u16 [%o+2], %h1;
    ld.param.f32 %f, [c];
    st.global.f32 [%o+4], %f;
    ld.param.v2.u64 {%q0, %q1}, [d];
    st.global.u64 [%o+8], %q1;
    mov.b64 %q2, d;
    ld.param.u64 %q2, [%q2+16];
    st.global.u64 [%o+16], %q2;
    ld.param.f64 %d, [e];
    st.global.f64 [%o+24], %d;
    ret;
}",
    );
    let module = Module::parse(&rest).unwrap();
    assert_eq!(module.parameters("k").unwrap(), [1, 2, 4, 24, 8, 8]);
    let mut memory = Memory::new();
    let out = memory.alloc("out", 32);
    let params = [
        Param::U8(7),
        Param::U16(0x1234),
        Param::F32(1.5),
        Param::Bytes((0..24).collect()),
        Param::F64(-3.25),
        Param::Pointer(out),
    ];
    module
        .launch("k", [1, 1, 1], [2, 1, 1], &params, &mut memory, &Options::default())
        .unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(memory.read(out, 1).unwrap(), [7]);
    assert_eq!(memory.read(out, 2), Err(MemoryError::Unwritten { name: "out".into(), offset: 1 }));
    assert_eq!(memory.read(out + 2, 6).unwrap(), [0x34, 0x12, 0, 0, 0xc0, 0x3f]);
    assert_eq!(memory.read(out + 8, 16).unwrap(), (8..24).collect::<Vec<u8>>());
    assert_eq!(memory.read(out + 24, 8).unwrap(), (-3.25f64).to_le_bytes());
}

#[test]
fn atomics_of_every_operation_in_any_order() {
    let cases: [(&str, &str, u32, u32); 12] = [
        ("add.u32", "%r1", 7, 7 + (0..64).sum::<u32>()),
        ("min.s32", "%r2", 5, (5 - 63i32) as u32),
        ("max.s32", "%r2", (-100i32) as u32, 5),
        ("min.u32", "%r1", 30, 0),
        ("max.u32", "%r1", 30, 63),
        ("and.b32", "%r3", u32::MAX, u32::MAX - 63),
        ("or.b32", "%r1", 0, 63),
        ("xor.b32", "%r1", 0, 0),
        ("inc.u32", "9", 3, (3 + 64) % 10),
        ("dec.u32", "9", 3, (3 + 100 - 64) % 10),
        ("add.s32", "-1", 3, (3 - 64i32) as u32),
        ("exch.b32", "77", 3, 77),
    ];
    for (op, operand, start, expected) in cases {
        let space = |name: &str| {
            format!(
                "mov.u32 %r1, %t; sub.s32 %r2, 5, %t; not.b32 %r3, %t;
            {name}"
            )
        };
        let global = space(&format!(
            "setp.ne.u32 %p0, %t, 0;
            @!%p0 st.global.u32 [%b], {start};
            bar.sync 0;
            atom.global.{op} %r4, [%b], {operand};"
        ));
        assert_eq!(through("", &global, 64, &[0], 4), expected.to_le_bytes(), "{op}");
        let shared = space(&format!(
            "setp.ne.u32 %p0, %t, 0;
            @!%p0 st.shared.u32 [s], {start};
            bar.sync 0;
            mov.u64 %q0, s;
            cvta.shared.u64 %q1, %q0;
            red.{op} [%q1], {operand};
            bar.sync 0;
            ld.shared.u32 %r5, [s];
            @!%p0 st.global.u32 [%b], %r5;"
        ));
        if op != "exch.b32" {
            assert_eq!(
                through(".shared .align 4 .u32 s;", &shared, 64, &[0], 4),
                expected.to_le_bytes(),
                "{op}"
            );
        }
    }
}

#[test]
fn a_loop_around_compare_and_swap_adds_floats() {
    let sum = 4560f32.to_le_bytes();
    let body = "setp.ne.u32 %p0, %t, 0;
    @!%p0 st.global.u32 [%b], 0;
    bar.sync 0;
    cvt.rn.f32.u32 %f0, %t;
    ld.volatile.global.u32 %r0, [%b];
LOOP:
    mov.b32 %f1, %r0;
    add.rn.f32 %f1, %f1, %f0;
    mov.b32 %r1, %f1;
    atom.global.cas.b32 %r2, [%b], %r0, %r1;
    setp.ne.s32 %p1, %r2, %r0;
    mov.u32 %r0, %r2;
    @%p1 bra LOOP;";
    assert_eq!(through("", body, 96, &[0], 4), sum);
    let added = "setp.ne.u32 %p0, %t, 0;
    @!%p0 st.global.u32 [%b], 0;
    bar.sync 0;
    cvt.rn.f32.u32 %f0, %t;
    red.global.add.f32 [%b], %f0;";
    assert_eq!(through("", added, 96, &[0], 4), sum);
}

#[test]
fn generic_addresses_reach_every_space() {
    let body = ".local .align 4 .b8 depot[8];
    mov.u64 %q0, depot;
    cvta.local.u64 %q1, %q0;
    add.s64 %q1, %q1, 4;
    st.u32 [%q1], %t;
    ld.local.u32 %r0, [depot+4];
    mov.u64 %q2, tile;
    cvta.shared.u64 %q3, %q2;
    mul.wide.u32 %q4, %t, 4;
    add.s64 %q5, %q3, %q4;
    st.u32 [%q5], %r0;
    isspacep.shared %p0, %q5;
    isspacep.global %p1, %b;
    isspacep.local %p2, %q1;
    and.pred %p0, %p0, %p1;
    and.pred %p0, %p0, %p2;
    isspacep.global %p1, %q5;
    not.pred %p1, %p1;
    and.pred %p0, %p0, %p1;
    cvta.to.shared.u64 %q6, %q5;
    ld.shared.u32 %r1, [%q6];
    selp.u32 %r2, 1000, 0, %p0;
    add.s32 %r1, %r1, %r2;
    add.s64 %q7, %b, %q4;
    st.u32 [%q7], %r1;";
    let out = through(".shared .align 4 .b8 tile[256];", body, 64, &[0], 256);
    for (i, word) in out.chunks(4).enumerate() {
        assert_eq!(word, (1000 + i as u32).to_le_bytes());
    }
}

#[test]
fn dynamic_shared_memory_has_the_size_of_the_launch() {
    let rest = text(
        ".extern .shared .align 16 .b8 dyn[];
.visible .entry k(.param .u32 at)
{
    .reg .b32 %r<3>; .reg .b64 %q<2>;
    ld.param.u32 %r0, [at];
    cvt.u64.u32 %q0, %r0;
    mov.u64 %q1, dyn;
    add.s64 %q1, %q1, %q0;
    mov.u32 %r1, %dynamic_smem_size;
    st.shared.u32 [%q1], %r1;
    ret;
}",
    );
    let module = Module::parse(&rest).unwrap();
    let launch = |at: u32, dynamic_shared: u32| {
        let options = Options { dynamic_shared, ..Options::default() };
        module.launch("k", [1, 1, 1], [1, 1, 1], &[Param::U32(at)], &mut Memory::new(), &options)
    };
    assert_eq!(launch(252, 256).unwrap().shared_bytes, 256);
    assert!(launch(256, 256).is_err());
    assert!(launch(0, 0).is_err());
    assert!(launch(0, 1 << 20).is_err());
}

#[test]
fn copies_bring_tiles_and_fill_with_zeros() {
    let body = "mul.wide.u32 %q0, %t, 16;
    add.s64 %q1, %a, %q0;
    mov.u64 %q2, tile;
    add.s64 %q3, %q2, %q0;
    mov.b32 %r0, 16;
    setp.eq.u32 %p0, %t, 3;
    @%p0 mov.b32 %r0, 4;
    cp.async.cg.shared.global [%q3], [%q1], 16, %r0;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    xor.b32 %r1, %t, 1;
    mul.wide.u32 %q4, %r1, 16;
    add.s64 %q4, %q2, %q4;
    ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%q4];
    add.s64 %q5, %b, %q0;
    st.global.v4.u32 [%q5], {%r2, %r3, %r4, %r5};";
    let input: Vec<u8> = (1..=64).collect();
    let out = through(".shared .align 16 .b8 tile[64];", body, 4, &input, 64);
    assert_eq!(out[..16], input[16..32]);
    assert_eq!(out[16..32], input[..16]);
    assert_eq!((&out[32..36], &out[36..48]), (&input[48..52], &[0; 12][..]));
    assert_eq!(out[48..], input[32..48]);
}

/// A product of 16×k by k×8 by one warp: `a` by rows, `b` by columns, `c` and the result by rows.
fn product(name: &str, k: usize, bytes: usize, a: &[u8], b: &[u8], c: &[u8]) -> Vec<u8> {
    let registers = k / (16 / bytes);
    let halves = c.len() == 256;
    let mut body = "and.b32 %r30, %t, 3; shr.u32 %r31, %t, 2;\n".to_string();
    // The address of a register: rows lie `row` bytes apart, those of a group of four lanes `lane` bytes.
    let address = |base: &str, at: usize, row: usize, lane: usize| {
        format!(
            "mad.lo.s32 %r32, %r31, {row}, {at}; mad.lo.s32 %r32, %r30, {lane}, %r32; cvt.u64.u32 %q0, %r32; add.s64 %q0, {base}, %q0;\n"
        )
    };
    // Row lane / 4 and 8 below; then the next columns.
    for r in 0..2 * registers {
        body += &address("%a", r % 2 * 8 * k * bytes + r / 2 * 16, k * bytes, 4);
        body += &format!("ld.global.b32 %r{r}, [%q0];\n");
    }
    for r in 0..registers {
        body += &address("%a", a.len() + r * 16, k * bytes, 4);
        body += &format!("ld.global.b32 %r{}, [%q0];\n", 8 + r);
    }
    // Where the registers of the sums are: two columns each, or two halves in one.
    let (row, lane, sums) = if halves { (16, 4, vec![0, 128]) } else { (32, 8, vec![0, 4, 256, 260]) };
    for (r, at) in sums.iter().enumerate() {
        body += &address("%a", a.len() + b.len() + at, row, lane);
        body += &format!("ld.global.b32 %r{}, [%q0]; mov.b32 %f{r}, %r{};\n", 12 + r, 12 + r);
    }
    let list = |range: std::ops::Range<usize>, name: char| {
        let names: Vec<String> = range.map(|r| format!("%{name}{r}")).collect();
        format!("{{{}}}", names.join(", "))
    };
    let float = !halves && !name.contains("s32");
    let added = if float { list(0..4, 'f') } else { list(12..12 + sums.len(), 'r') };
    body += &format!(
        "mma.sync.aligned.{name} {added}, {}, {}, {added};\n",
        list(0..2 * registers, 'r'),
        list(8..8 + registers, 'r')
    );
    for (r, &at) in sums.iter().enumerate() {
        let value = if float { format!("%f{r}") } else { format!("%r{}", 12 + r) };
        body += &address("%b", at, row, lane);
        body += &format!("st.global.b32 [%q0], {value};\n");
    }
    through("", &body, 32, &[a, b, c].concat(), c.len())
}

#[test]
fn matrices_are_multiplied_by_a_warp() {
    let mut random = Random(11);
    // Small whole numbers: every sum is exact.
    let mut small = |n: usize| -> Vec<i32> { (0..n).map(|_| random.below(17) as i32 - 8).collect() };
    let f16 = |x: &i32| half::f16::from_f32(*x as f32).to_le_bytes().to_vec();
    let bf16 = |x: &i32| half::bf16::from_f32(*x as f32).to_le_bytes().to_vec();
    let f32 = |x: &i32| (*x as f32).to_le_bytes().to_vec();
    let s8 = |x: &i32| vec![*x as i8 as u8];
    let s32 = |x: &i32| x.to_le_bytes().to_vec();
    type Encode = fn(&i32) -> Vec<u8>;
    let cases: [(&str, usize, usize, Encode, Encode); 10] = [
        ("m16n8k16.row.col.f32.f16.f16.f32", 16, 2, f16, f32),
        ("m16n8k8.row.col.f32.f16.f16.f32", 8, 2, f16, f32),
        ("m16n8k16.row.col.f16.f16.f16.f16", 16, 2, f16, f16),
        ("m16n8k8.row.col.f16.f16.f16.f16", 8, 2, f16, f16),
        ("m16n8k16.row.col.f32.bf16.bf16.f32", 16, 2, bf16, f32),
        ("m16n8k8.row.col.f32.bf16.bf16.f32", 8, 2, bf16, f32),
        ("m16n8k8.row.col.f32.tf32.tf32.f32", 8, 4, f32, f32),
        ("m16n8k4.row.col.f32.tf32.tf32.f32", 4, 4, f32, f32),
        ("m16n8k32.row.col.s32.s8.s8.s32", 32, 1, s8, s32),
        ("m16n8k16.row.col.s32.s8.s8.s32", 16, 1, s8, s32),
    ];
    for (name, k, bytes, factor, sum) in cases {
        let (a, b, c) = (small(16 * k), small(8 * k), small(128));
        let encoded = |m: &[i32], f: Encode| m.iter().flat_map(f).collect::<Vec<u8>>();
        let found = product(name, k, bytes, &encoded(&a, factor), &encoded(&b, factor), &encoded(&c, sum));
        let element = |i: usize, j: usize| -> i32 { (0..k).map(|n| a[i * k + n] * b[j * k + n]).sum() };
        let expected: Vec<i32> = (0..128).map(|n| c[n] + element(n / 8, n % 8)).collect();
        assert_eq!(found, encoded(&expected, sum), "{name}");
    }
}

#[test]
fn matrices_of_halves_come_from_shared_memory() {
    // Rows of 8 halves; lane l has the address of row l, and gets two halves of row l / 4 of each matrix.
    let body = |trans: &str| {
        format!(
            "mul.wide.u32 %q0, %t, 16;
    add.s64 %q1, %a, %q0;
    ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%q1];
    mov.u64 %q2, tile;
    add.s64 %q2, %q2, %q0;
    st.shared.v4.u32 [%q2], {{%r0, %r1, %r2, %r3}};
    bar.sync 0;
    ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{%r4, %r5, %r6, %r7}}, [%q2];
    add.s64 %q3, %b, %q0;
    st.global.v4.u32 [%q3], {{%r4, %r5, %r6, %r7}};"
        )
    };
    let input: Vec<u8> = (0..256u16).flat_map(|x| x.to_le_bytes()).collect();
    for (trans, transposed) in [("", false), (".trans", true)] {
        let out = through(".shared .align 16 .b8 tile[512];", &body(trans), 32, &input, 512);
        let half = |at: usize| u16::from_le_bytes([out[2 * at], out[2 * at + 1]]);
        for lane in 0..32u16 {
            for matrix in 0..4 {
                for part in 0..2 {
                    let (i, j) = (lane / 4, lane % 4 * 2 + part);
                    let (i, j) = if transposed { (j, i) } else { (i, j) };
                    let found = half(usize::from(lane * 8 + matrix * 2 + part));
                    assert_eq!(found, matrix * 64 + i * 8 + j, "lane {lane}, matrix {matrix}");
                }
            }
        }
    }
}

#[test]
fn memory_of_the_host_is_checked() {
    let mut memory = Memory::new();
    let a = memory.alloc("a", 8);
    let b = memory.alloc("b", 8);
    assert!(a.is_multiple_of(256) && b.abs_diff(a) > 1 << 30);
    memory.write(a, &[1; 8]).unwrap();
    assert_eq!(memory.write(a + 4, &[1; 5]), Err(MemoryError::OutOfBounds { pointer: a + 4, bytes: 5 }));
    assert!(memory.read(a, 9).is_err() && memory.read(0, 1).is_err() && memory.read(b, 1).is_err());
    memory.forget(a + 4, 2).unwrap();
    assert_eq!(memory.read(a, 8), Err(MemoryError::Unwritten { name: "a".into(), offset: 4 }));
    memory.free(a).unwrap();
    assert!(memory.read(a, 1).is_err() && memory.free(a).is_err());
    assert_eq!(evaluate("mov.b32 %d, 1;", &["b32"], &[vec![]]), [1]);
}
