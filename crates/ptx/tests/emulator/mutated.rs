//! Damaged texts: an error or a fault, never a panic.

use crate::common::{Random, text};
use lawson_ptx::{Memory, Module, Options, Param};

const TEXTS: [&str; 3] = [
    include_str!("../texts/programs_sm_80.ptx"),
    include_str!("../texts/forms_sm_75.ptx"),
    include_str!("../texts/sm_90.ptx"),
];

/// Parses a text and runs each kernel of it that there is for a while.
fn try_text(text: &str, seed: u64) -> bool {
    let Ok(module) = Module::parse(text) else { return false };
    for entry in module.entries() {
        let mut memory = Memory::new();
        let params: Vec<Param> = module
            .parameters(entry)
            .unwrap()
            .into_iter()
            .map(|bytes| match bytes {
                8 => {
                    let p = memory.alloc("p", 4096);
                    memory.write(p, &[1; 4096]).unwrap();
                    Param::Pointer(p)
                }
                n => Param::Bytes(vec![3; n as usize]),
            })
            .collect();
        let options =
            Options { seed, max_steps: 500, dynamic_shared: 64, resident_blocks: 2, ..Options::default() };
        // Whatever comes out, it comes out.
        let _ = module.launch(entry, [2, 1, 1], [33, 1, 1], &params, &mut memory, &options);
    }
    true
}

#[test]
fn damaged_texts_never_panic() {
    let mut random = Random(77);
    let (mut read, mut refused) = (0, 0);
    for trip in 0..600 {
        let whole = TEXTS[trip % TEXTS.len()];
        let mut lines: Vec<String> = whole.lines().map(str::to_string).collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(lines.len());
            let other = lines[random.below(lines.len())].clone();
            let words: Vec<&str> = lines[at].split(' ').collect();
            let word = random.below(words.len());
            let swap = |new: &str| {
                let mut words = words.clone();
                words[word] = new;
                words.join(" ")
            };
            let line = match random.below(10) {
                0 => String::new(),
                1 => other,
                2 => swap(""),
                3 => swap("%r1"),
                4 => swap("-9223372036854775808"),
                5 => lines[at].replace("32", "64"),
                6 => lines[at].replace(',', ""),
                7 => {
                    let cut = random.below(lines[at].len() + 1);
                    lines[at].chars().take(cut).collect()
                }
                8 => {
                    const NEW: [char; 8] = ['"', '/', '*', '{', '\u{a0}', 'é', '.', '-'];
                    let cut = random.below(lines[at].len() + 1);
                    let (new, rest) = (NEW[random.below(8)], lines[at].chars().skip(cut + 1));
                    lines[at].chars().take(cut).chain([new]).chain(rest).collect()
                }
                _ => lines[at].replace(|c: char| c.is_ascii_digit(), "9"),
            };
            lines[at] = line;
        }
        if try_text(&lines.join("\n"), trip as u64) {
            read += 1;
        } else {
            refused += 1;
        }
    }
    assert!(read > 50 && refused > 50, "{read} texts were read, {refused} refused");
}

#[test]
fn texts_that_end_anywhere_never_panic() {
    let whole = TEXTS[0];
    for end in (0..whole.len()).step_by(97) {
        try_text(&whole[..end], 0);
    }
}

#[test]
fn mistakes_have_a_line_and_a_cause() {
    let body = |line: &str| {
        text(&format!(
            ".visible .entry k(.param .u32 n)\n{{\n.reg .b32 %r<3>;\n.reg .f32 %f<3>;\n.reg .pred %p;\n{line}\nret;\n}}"
        ))
    };
    for (line, cause) in [
        ("add.s32 %r0, %r1;", "3 operands expected, found 2"),
        ("add.s32 %r0, %r1, %r7;", "`%r7` is not declared"),
        ("add.s32 %r0, %r1, %f1;", "`%f1` (float of 32 bits) where signed of 32 bits is wanted"),
        ("add.s64 %r0, %r1, %r1;", "`%r0` (bits of 32 bits) where signed of 64 bits is wanted"),
        ("add.s32 %r0, %r1 0;", "`,` expected"),
        ("ld.param.u32 %r0, [m];", "`m` is not declared"),
        ("ld.global.u32 %r0, [n];", "another state space"),
        ("bra NOWHERE;", "no label `NOWHERE`"),
        ("@%r0 ret;", "`%r0` is no predicate"),
        ("call foo;", "`foo` is no function"),
        (".reg .b32 %r<2>;", "`%r0` is declared twice"),
        ("L: L:", "label `L` stands twice"),
        ("mov.b32 %r0, \"x\";", "a number expected, found a string"),
        ("mov.b32 %r0, 0x1g;", "`0x1g` is no number"),
        ("/* mov", "a comment without an end"),
        (".reg .b32 %x<9999999>;", "too many registers"),
        ("ld.global.v2.u32 %r0, [%r1];", "a vector of 2 elements expected"),
        (".local .b8 x[1000000];", "no place for `x`"),
        ("mov.u32 %r0, %r77;", "`%r77` is not declared"),
    ] {
        let error = Module::parse(&body(line)).unwrap_err();
        assert!(error.message.contains(cause), "{line}: {error}");
        assert_eq!(error.line, 9, "{line}: {error}");
    }
    for (text, cause) in [
        ("kernel", "unknown directive `kernel`"),
        (".address_size 32", "64 bits only"),
        (".extern .global .u32 x;", "needs another module"),
        (".global .u32 x; .global .u32 x;", "declared twice"),
        (".global .align 3 .u32 x;", "an alignment of 3"),
        (".global .u32 x[2] = {1, 2, 3};", "more values than elements"),
        (".entry k() { ret;", "`k` has no end"),
        (".entry k() { } .entry k() { }", "defined twice"),
    ] {
        let error = Module::parse(text).unwrap_err();
        assert!(error.message.contains(cause), "{text}: {error}");
    }
}

#[test]
fn forms_that_no_instruction_has_are_not_half_read() {
    for line in [
        "mul.s32 %r0, %r1, %r1;",
        "add.wide.s32 %r0, %r1, %r1;",
        "add.rz.f32 %f0, %f1, %f1;",
        "div.f32 %f0, %f1, %f1;",
        "ex2.f32 %f0, %f1;",
        "fma.f32 %f0, %f1, %f1, %f1;",
        "cvt.f32.s32 %f0, %r1;",
        "cvt.s32.f32 %r0, %f1;",
        "setp.lt.b32 %p, %r0, %r1;",
        "setp.lo.s32 %p, %r0, %r1;",
        "setp.lt.s16x2 %p, %r0, %r1;",
        "set.lt.u32.f16x2 %r0, %r1, %r1;",
        "min.relu.s32 %r0, %r1, %r1;",
        "shfl.down.b32 %r0, %r1, 1, 31;",
        "atom.global.min.s16x2 %r0, [%r1], %r1;",
        "ld.global.v4.u32.strange %r0, [%r1];",
        "fence.proxy.async;",
        "bar.arrive 0, 32;",
        "mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 %f0, %r0, %r0, %f0;",
    ] {
        let whole = text(&format!(
            ".visible .entry k()\n{{\n.reg .b32 %r<3>;\n.reg .f32 %f<3>;\n.reg .pred %p;\n{line}\nret;\n}}"
        ));
        let module = Module::parse(&whole).unwrap_or_else(|e| panic!("{line}: {e}"));
        let opcode = line.split(' ').next().unwrap().trim_end_matches(';');
        assert_eq!(module.refused(), [(9, opcode.to_string())]);
    }
}
