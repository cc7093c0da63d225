//! Loop IR as text: `Display` of a [`Kernel`], and [`parse`], which reads what it prints.
//!
//! One statement to a line, blocks indented by two, arrays by name, the type of a result after a colon:
//!
//! ```text
//! kernel double (in x: f32[64], out y: f32[64]) {
//!   phase tasks=4 task=%0 {
//!     %1 = const 16 : i64
//!     %2 = mul %0, %1 : i64
//!     %3 = load x[%2] : f32x16
//!     %4 = fadd %3, %3 : f32x16
//!     store y[%2] = %4
//!   }
//! }
//! ```
//!
//! Printing what was parsed gives the text again.

mod parse;
mod print;

pub use parse::{ParseError, parse};
pub(super) use print::describe;

use super::{Buf, Kernel};

/// The names of arrays in text: their own, made distinct by a number where they are not.
fn array_names(kernel: &Kernel) -> Vec<(Buf, String)> {
    let globals = kernel.buffers.iter().enumerate().map(|(i, b)| (Buf::Global(i as u32), &b.name));
    let locals = kernel.locals.iter().enumerate().map(|(i, l)| (Buf::Local(i as u32), &l.name));
    let mut names: Vec<(Buf, String)> = Vec::new();
    for (buf, name) in globals.chain(locals) {
        let own: String = name.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect();
        let mut candidate = if own.is_empty() { "_".to_string() } else { own.clone() };
        let mut n = 1;
        while names.iter().any(|(_, taken)| *taken == candidate) {
            n += 1;
            candidate = format!("{own}#{n}");
        }
        names.push((buf, candidate));
    }
    names
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.-#".contains(c)
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    /// Every kind of statement and operation.
    fn kernel() -> Kernel {
        static TABLE: [u64; 6] = [0, 1, 2, 3, u64::MAX, 0x3ff0_0000_0000_0000];
        let mut b = CodeBuilder::new("all.1");
        let x = b.buffer("x", Elem::F32, 64, Access::Read);
        let y = b.buffer("x", Elem::F32, 64, Access::ReadWrite);
        let s = b.buffer("s", Elem::I16, 64, Access::Scratch);
        let l = b.local("acc (odd)", Elem::F32, 64);
        let of_words = b.local("words", Elem::I32, 64);
        b.begin_part();
        b.local("of a part", Elem::F32, 4);
        let table = b.table(&TABLE[..]);
        let column = b.column(vec![0, 0, 0]);
        b.phase(4, |b, task| {
            let v = b.load(x, task, 4, None);
            let lanes = b.op(Op::Iota(Type::vector(Elem::I64, 4)));
            let four = b.constant(Type::vector(Elem::I64, 4), 4);
            let mask = b.cmp(Cmp::Slt, lanes, four);
            let g =
                b.op(Op::Load { buf: x, offset: lanes, ty: Type::vector(Elem::F32, 4), mask: Some(mask) });
            let nan = b.constant(Type::vector(Elem::F32, 4), 0x7fc0_0001);
            let f = b.op(Op::Fma(v, g, nan));
            let f = b.op(Op::Scale(Scale { value: f, powers: [v, g], exponent: nan, small: mask }));
            let f = b.un(Un::Sqrt, f);
            let lo = b.i64(-1);
            let hi = b.i64(5);
            let sum = b.for_loop(lo, hi, 2, &[f, v], |b, i, c| {
                b.store_streaming(y, i, c[1]);
                vec![c[1], c[0]]
            });
            let any = b.op(Op::Any(mask));
            b.op(Op::First(mask));
            let chosen = b.if_else(any, |_| vec![sum[0]], |_| vec![sum[1]]);
            let last = b.while_loop(
                &[chosen[0]],
                |b, c| {
                    let m = b.cmp(Cmp::FLt, c[0], nan);
                    b.op(Op::Any(m))
                },
                |b, c| vec![b.bin(Bin::FAdd, c[0], c[0])],
            )[0];
            let looked = b.op(Op::Table { table, index: lanes });
            let looked = b.cast(Cast::Bits, looked, Elem::F64);
            let looked = b.cast(Cast::Narrow, looked, Elem::F32);
            let both = b.op(Op::Shuffle { a: last, b: looked, lanes: vec![7, 0, 1, 4] });
            let both = b.select(mask, both, v);
            let one = b.op(Op::Extract(both, 3));
            let packed = b.op(Op::Pack(vec![one, one]));
            b.store(l, task, packed, None);
            b.prefetch(x, lo, Cache::First);
            b.prefetch(x, lo, Cache::Second);
            b.barrier();
            let words = b.constant(Type::vector(Elem::I32, 32), 7);
            let sums = b.constant(Type::vector(Elem::F32, 32), 0x3f80_0000);
            b.matrix_product([Factor::Bf16; 2], [words; 4], [words; 2], [sums; 4]);
            let left = Matrix { buf: of_words, offset: lo, line: 16 };
            let [right, sums] = [Matrix { offset: hi, ..left }, Matrix { line: 32, ..left }];
            let factors = [Factor::U8, Factor::S8];
            b.tile_product(TileProduct { factors, tiles: [1, 2], words: hi, left, right, sums });
            let words = b.carry_chain(vec![Link::Low(words, words, words), Link::High(words, words, words)]);
            b.carry_chain(vec![Link::Add(words[0], words[1])]);
            b.carry_chain(vec![Link::Sub(words[0], words[1]), Link::Sub(words[1], words[0])]);
            let wide = b.op(Op::Splat { scalar: one, lanes: 4 });
            let picked = b.load(Buf::Cell { column, row: task }, task, 4, None);
            let wide = b.bin(Bin::FAdd, wide, picked);
            let (sum, carry) = b.add_carry(lanes, four, mask);
            let (difference, _) = b.sub_borrow(sum, lanes, carry);
            b.bin(Bin::UMulHi, difference, four);
            let words = b.op(Op::Join([sum, four, lanes, difference]));
            let word = b.op(Op::Word(words, 2));
            b.op(Op::Madd52(Half::High, word, four, lanes));
            let bytes = b.cast(Cast::Trunc, lanes, Elem::I32);
            b.op(Op::DotBytes(bytes, bytes, bytes));
            b.op(Op::DotBf16(bytes, bytes, looked));
            let half = b.cast(Cast::FloatToHalf, wide, Elem::I16);
            b.store(s, task, half, Some(mask));
        });
        b.order_by_barriers();
        b.finish()
    }

    #[test]
    fn print_parse_print_is_the_identity() {
        let kernel = kernel();
        assert_eq!(verify(&kernel), Ok(()));
        let text = kernel.to_string();
        let parsed = parse(&text).unwrap();
        assert_eq!(parsed.to_string(), text);
        assert_eq!(verify(&parsed), Ok(()));
        assert_eq!((parsed.phases, parsed.types), (kernel.phases, kernel.types));
    }

    #[test]
    fn reads_as_documented() {
        let text = kernel().to_string();
        for line in [
            "kernel all.1 (in x: f32[64], inout x#2: f32[64], scratch s: i16[64]) {",
            "  local acc__odd_: f32[64]",
            "    barrier",
            "    matrix_product bf16 (%",
            " -> (%",
            "    carry_chain low (%",
            "  phase tasks=4 task=%0 by barriers {",
            "  column c0 = [x, x, x]",
            "    %1 = load x[%0] : f32x4",
            "load c0{%0}[%0] : f32x4",
            "const nan#0x7fc00001 : f32x4",
            "%8 = scale %7, %1, %5, %6, %4 : f32x4",
            "store x#2[%12] = %14 streaming",
            "prefetch x[%10]\n",
            "prefetch x[%10] second\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let text = kernel().to_string();
        let broken = text.replace("load x[%0]", "load z[%0]");
        let error = parse(&broken).unwrap_err();
        let line = broken.lines().position(|l| l.contains("load z")).unwrap() + 1;
        assert_eq!(error.to_string(), format!("line {line}: expected the name of an array, found `z`"));
        // Without the newline at the end it is whole.
        for cut in (0..text.trim_end().len()).step_by(7) {
            assert!(parse(&text[..cut]).is_err(), "{}", &text[..cut]);
        }
    }
}
