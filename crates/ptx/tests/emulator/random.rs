//! Random programs with branches and loops that depend on the thread, against a model that runs each thread alone.

use crate::common::{Random, run};
use lawson_ptx::{Memory, Options, Param};

const WORDS: usize = 6;

/// A program over `WORDS` words.
enum Statement {
    /// Which operation, and the words that it writes and reads.
    Op(usize, usize, usize, usize),
    /// If a bit of a word is set.
    If(usize, u32, Vec<Statement>, Vec<Statement>),
    /// As often as the lowest bits of a word say, at the beginning.
    Loop(usize, Vec<Statement>),
    /// Only for threads with a bit of a word set.
    Guarded(usize, u32, usize, usize, usize, usize),
    /// Ends the thread if the word is below a bound.
    Leave(usize, u32),
}

type Model = fn(u32, u32) -> u32;

/// PTX for `%d`, `%a`, `%b`, and what it means.
const OPS: [(&str, Model); 19] = [
    ("add.s32 D, A, B;", |a, b| a.wrapping_add(b)),
    ("sub.s32 D, A, B;", |a, b| a.wrapping_sub(b)),
    ("mul.lo.s32 D, A, B;", |a, b| a.wrapping_mul(b)),
    ("mul.hi.u32 D, A, B;", |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
    ("xor.b32 D, A, B;", |a, b| a ^ b),
    ("and.b32 D, A, B;", |a, b| a & b),
    ("shl.b32 D, A, 3;", |a, _| a << 3),
    ("shr.s32 D, A, B;", |a, b| ((a as i32) >> b.min(31)) as u32),
    ("shf.l.wrap.b32 D, A, A, B;", |a, b| a.rotate_left(b & 31)),
    ("min.s32 D, A, B;", |a, b| (a as i32).min(b as i32) as u32),
    ("max.u32 D, A, B;", |a, b| a.max(b)),
    ("mad.lo.s32 D, A, B, 12345;", |a, b| a.wrapping_mul(b).wrapping_add(12345)),
    ("popc.b32 D, A;", |a, _| a.count_ones()),
    ("prmt.b32 D, A, 0, 291;", |a, _| a.swap_bytes()),
    ("selp.b32 D, A, B, %alt;", |a, b| if a < b { a } else { b }),
    ("cvt.rn.f32.u32 %x, A; mul.rn.f32 %x, %x, 0f3f4ccccd; cvt.rzi.u32.f32 D, %x;", |a, _| {
        (a as f32 * 0.8) as u32
    }),
    ("cvt.u64.u32 %l, A; mul.wide.u32 %m, B, 77; add.s64 %l, %l, %m; cvt.u32.u64 D, %l;", |a, b| {
        a.wrapping_add(b.wrapping_mul(77))
    }),
    ("bfe.u32 D, A, 4, 9;", |a, _| a >> 4 & 0x1ff),
    ("add.cc.u32 %c, A, B; addc.u32 D, A, 0;", |a, b| a.wrapping_add(u32::from(a.overflowing_add(b).1))),
];

fn generate(random: &mut Random, depth: u32, leaves: bool) -> Vec<Statement> {
    let n = 1 + random.below(4);
    (0..n)
        .map(|_| {
            let mut word = || random.below(WORDS);
            let (d, a, b) = (word(), word(), word());
            let bit = random.below(8) as u32;
            match random.below(12) {
                0 | 1 if depth > 0 => {
                    let then = generate(random, depth - 1, leaves);
                    let or =
                        if random.below(2) == 0 { Vec::new() } else { generate(random, depth - 1, leaves) };
                    Statement::If(a, bit, then, or)
                }
                2 if depth > 0 => Statement::Loop(a, generate(random, depth - 1, leaves)),
                3 => Statement::Guarded(a, bit, random.below(OPS.len()), d, a, b),
                4 if leaves => Statement::Leave(a, random.next() as u32 >> 6),
                _ => Statement::Op(random.below(OPS.len()), d, a, b),
            }
        })
        .collect()
}

/// The text of a program; labels and counters are numbered.
fn write(program: &[Statement], text: &mut String, number: &mut usize) {
    let op = |op: usize, d: usize, a: usize, b: usize, guard: &str| {
        let form = OPS[op].0.replace('D', &format!("%w{d}")).replace('A', &format!("%w{a}"));
        let form = form.replace('B', &format!("%w{b}"));
        let compare = format!("setp.lt.u32 %alt, %w{a}, %w{b}; ");
        let parts = form.split_inclusive(';').map(|part| format!("{guard}{} ", part.trim()));
        compare + &parts.collect::<String>() + "\n"
    };
    for statement in program {
        *number += 1;
        let n = *number;
        match statement {
            Statement::Op(f, d, a, b) => *text += &op(*f, *d, *a, *b, ""),
            Statement::Guarded(w, bit, f, d, a, b) => {
                *text += &format!("and.b32 %c, %w{w}, {}; setp.ne.u32 %g, %c, 0;\n", 1 << bit);
                *text += &op(*f, *d, *a, *b, "@%g ");
            }
            Statement::Leave(w, bound) => {
                *text += &format!("setp.lt.u32 %g, %w{w}, {bound};\n@%g bra DONE;\n");
            }
            Statement::If(w, bit, then, or) => {
                *text += &format!("and.b32 %c, %w{w}, {}; setp.eq.u32 %g, %c, 0;\n@%g bra E{n};\n", 1 << bit);
                write(then, text, number);
                *text += &format!("bra.uni F{n};\nE{n}:\n");
                write(or, text, number);
                *text += &format!("F{n}:\n");
            }
            Statement::Loop(w, body) => {
                *text += &format!(
                    "{{ .reg .b32 %n; and.b32 %n, %w{w}, 3;\nL{n}:\nsetp.eq.u32 %g, %n, 0;\n@%g bra M{n};\n"
                );
                write(body, text, number);
                *text += &format!("add.s32 %n, %n, -1;\nbra.uni L{n};\nM{n}: }}\n");
            }
        }
    }
}

/// Runs a thread alone; false where it leaves.
fn model(program: &[Statement], words: &mut [u32; WORDS]) -> bool {
    program.iter().all(|statement| match statement {
        Statement::Op(f, d, a, b) => {
            words[*d] = OPS[*f].1(words[*a], words[*b]);
            true
        }
        Statement::Guarded(w, bit, f, d, a, b) => {
            if words[*w] >> bit & 1 == 1 {
                words[*d] = OPS[*f].1(words[*a], words[*b]);
            }
            true
        }
        Statement::Leave(w, bound) => words[*w] >= *bound,
        Statement::If(w, bit, then, or) => model(if words[*w] >> bit & 1 == 1 { then } else { or }, words),
        Statement::Loop(w, body) => (0..words[*w] & 3).all(|_| model(body, words)),
    })
}

#[test]
fn threads_compute_what_they_compute_alone() {
    let mut random = Random(2024);
    for trip in 0..150 {
        let leaves = trip % 3 == 0;
        let program = generate(&mut random, 3, leaves);
        let mut body = String::new();
        write(&program, &mut body, &mut 0);
        // Behind the program all lanes are together again, whatever way they went.
        let text = format!(
            ".visible .entry k(.param .u64 out)
{{
    .reg .pred %g, %alt; .reg .b32 %w<{WORDS}>, %c, %t; .reg .b64 %o, %l, %m; .reg .f32 %x;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    mul.wide.u32 %l, %t, {};
    add.s64 %o, %o, %l;
    mul.lo.s32 %w0, %t, 0x9e3779b1;
    xor.b32 %w1, %w0, 0x5bd1e995;
    mov.b32 %w2, %t;
    shr.u32 %w3, %w0, 7;
    mov.b32 %w4, {};
    not.b32 %w5, %w1;
{body}
DONE:
    vote.sync.ballot.b32 %c, %alt, -1;
    st.global.v2.b32 [%o], {{%w0, %w1}};
    st.global.v2.b32 [%o+8], {{%w2, %w3}};
    st.global.v2.b32 [%o+16], {{%w4, %w5}};
    ret;
}}",
            4 * WORDS,
            trip + 1
        );
        let threads = 64;
        let mut memory = Memory::new();
        let bytes = 4 * WORDS * threads;
        let out = memory.alloc("out", bytes);
        let options = Options { seed: trip.into(), ..Options::default() };
        run(&text, 1, threads as u32, &[Param::Pointer(out)], &mut memory, &options)
            .unwrap_or_else(|f| panic!("{f}\n{text}"));
        let found = memory.read(out, bytes).unwrap();
        for (t, found) in found.chunks(4 * WORDS).enumerate() {
            let t = t as u32;
            let start = t.wrapping_mul(0x9e37_79b1);
            let mut words = [start, start ^ 0x5bd1_e995, t, start >> 7, trip + 1, !(start ^ 0x5bd1_e995)];
            model(&program, &mut words);
            let found: Vec<u32> =
                found.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
            assert_eq!(found, words, "program {trip}, thread {t}\n{text}");
        }
    }
}
