//! Programs as text: `Display` of a [`Program`](super::Program), and [`parse`], which reads what it prints.
//!
//! Buffers with their places and sizes, steps in order, then the Loop IR of each kernel: a planned kernel is lowered to
//! be printed, so that the text is all that a runtime gets. Of a routine there is the HLO it computes, and whether its
//! bits are those of the reference algorithm (`exact`) or may be rounded otherwise (`rounded`).
//!
//! ```text
//! program arena 64 {
//!   b0 = input 0 : 256 bytes
//!   b1 = output 0 : 256 bytes
//!   b2 = arena 0 : 1 bytes
//!   donate input 0 to output 0
//!   launch k0_double(b0, b1)
//!   while b2 trips 10 {
//!     launch k1_less(b1, b2)
//!   } do {
//!     copy b1 to b0
//!   }
//! }
//!
//! kernel k0_double (in x: f32[64], out y: f32[64]) {
//!   …
//! }
//!
//! library exact k2_cholesky {
//!   a0 = f32[1,8,8] parameter(0)
//!   ROOT cholesky = f32[1,8,8] cholesky(a0), lower=true
//! }
//! ```
//!
//! Printing what was parsed gives the text again.

mod parse;
mod print;

pub use parse::{ParseError, parse};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{Access, CodeBuilder, Elem};
    use crate::program::{
        BufId, BufferSlot, Donation, LibraryKernel, NamedKernel, Place, Program, Step, verify,
    };
    use lawson_hlo::attrs::{Transpose, TriangularSolve};
    use lawson_hlo::library::{Call, Routine};
    use lawson_hlo::{ArrayShape, DType, Literal, Scalar, Shape};

    fn kernel(name: &str) -> NamedKernel {
        let mut b = CodeBuilder::new(name);
        let x = b.buffer("x", Elem::F32, 4, Access::Read);
        let out = b.buffer("out", Elem::F32, 4, Access::Write);
        b.phase(4, |b, task| {
            let v = b.load(x, task, 1, None);
            b.store(out, task, v, None);
        });
        b.finish().into()
    }

    /// Every kind of place and step.
    fn program() -> Program {
        let slot = |place| BufferSlot { bytes: 16, place };
        let literal = Literal::splat(ArrayShape::new(DType::F32, [4]), Scalar::Float(1.5));
        let copy = |from, to| Step::Copy { from: BufId(from), to: BufId(to) };
        let shape = Shape::Tuple(vec![Shape::array(DType::F32, [2, 2]), Shape::scalar(DType::Pred)]);
        let launch = |kernel, a, b| Step::Launch { kernel, args: vec![BufId(a), BufId(b)] };
        let conditional =
            |predicated, branches| Step::Conditional { selector: BufId(3), predicated, branches };
        let how = TriangularSolve {
            left_side: true,
            lower: false,
            unit_diagonal: true,
            transpose_a: Transpose::Adjoint,
        };
        let routine = |name, routine, exact| {
            let call = Call { routine, dtype: DType::F32, batch: 1, rows: 2, columns: 2, reflectors: 0 };
            NamedKernel::library(name, LibraryKernel { call, exact })
        };
        Program {
            kernels: vec![
                kernel("a"),
                routine("c", Routine::Cholesky { lower: true }, true),
                kernel("b.1"),
                routine("d", Routine::TriangularSolve(how), false),
            ],
            buffers: [
                Place::Input(0),
                Place::Output(0),
                Place::Constant(literal),
                Place::Arena(0),
                Place::Arena(64),
            ]
            .map(slot)
            .into(),
            steps: vec![
                launch(0, 0, 1),
                Step::While {
                    cond: vec![copy(0, 3)],
                    pred: BufId(3),
                    body: vec![Step::Swap { a: BufId(3), b: BufId(4) }, launch(2, 2, 4), launch(1, 2, 4)],
                    trips: Some(3),
                },
                Step::While { cond: vec![], pred: BufId(3), body: vec![], trips: None },
                Step::Concatenate {
                    pieces: vec![(BufId(0), 4), (BufId(2), 2), (BufId(0), 2)],
                    rows: 2,
                    to: BufId(1),
                },
                conditional(true, vec![vec![copy(0, 1)], vec![]]),
                conditional(false, vec![vec![conditional(false, vec![vec![]])], vec![copy(2, 4)], vec![]]),
                Step::CustomCall {
                    target: "say \"hi\"\n{".into(),
                    args: vec![
                        (BufId(0), Shape::array(DType::F32, [4])),
                        (BufId(2), Shape::scalar(DType::F32)),
                    ],
                    results: vec![BufId(3), BufId(4)],
                    shape,
                },
            ],
            arena_bytes: 128,
            donations: vec![Donation { input: 0, output: 0 }],
        }
    }

    #[test]
    fn print_parse_print_is_the_identity() {
        let program = program();
        let text = program.to_string();
        let parsed = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(parsed.to_string(), text);
        assert_eq!((&parsed.steps, &parsed.buffers), (&program.steps, &program.buffers));
        assert_eq!(verify(&parsed), verify(&program));
        assert!(verify(&parsed).is_ok(), "{:?}", verify(&parsed));
    }

    #[test]
    fn reads_as_documented() {
        let text = program().to_string();
        for line in [
            "program arena 128 {",
            "  b0 = input 0 : 16 bytes",
            "  b2 = constant f32[4] 0000c03f0000c03f0000c03f0000c03f : 16 bytes",
            "  b4 = arena 64 : 16 bytes",
            "  launch a(b0, b1)",
            "  concatenate 2 rows of (b0: 4, b2: 2, b0: 2) to b1",
            "  while b3 trips 3 {",
            "    swap b3 and b4",
            "  if b3 {",
            "  switch b3 {",
            "  call \"say \\u{22}hi\\u{22}\\u{a}\\u{7b}\" (b0: f32[4], b2: f32[]) to (b3, b4): (f32[2,2], pred[])",
            "kernel b.1 (in x: f32[4], out out: f32[4]) {",
            "    launch c(b2, b4)",
            "library exact c {",
            "  ROOT cholesky = f32[1,2,2] cholesky(a0), lower=true",
            "library rounded d {",
            "  ROOT triangular-solve = f32[1,2,2] triangular-solve(a0, a1), left_side=true, unit_diagonal=true, transpose_a=ADJOINT",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let text = program().to_string();
        let line_of = |part: &str| text.lines().position(|l| l.contains(part)).expect("it is there") + 1;
        for (from, to, expected) in [
            ("launch a(b0", "launch e(b0", "a kernel's name"),
            ("library exact c", "library fast c", "`rounded`"),
            ("library exact c", "library exact c c", "HLO"),
            ("copy b0 to", "copy x to", "a buffer"),
            ("switch b3", "swatch b3", "a step"),
            ("load x[", "load z[", "the name of an array"),
        ] {
            let error = parse(&text.replacen(from, to, 1)).expect_err(to);
            assert_eq!((error.line, &*error.expected), (line_of(from), expected));
        }
    }

    #[test]
    fn cut_and_damaged_text_never_panics() {
        let text = program().to_string();
        for cut in 0..text.len() {
            if text.is_char_boundary(cut) {
                let _ = parse(&text[..cut]);
                let _ = parse(&format!("{}{}", &text[..cut], &text[(cut + 3).min(text.len())..]));
            }
        }
        assert!(parse(&text[..text.len() / 2]).is_err());
    }

    #[test]
    fn deep_text_is_an_error() {
        let deep = format!("program arena 0 {{\n{}", "if b0 {\n".repeat(100_000));
        // The deepest text that is read takes more than the stack of a test's thread in some builds.
        let parsed = std::thread::Builder::new().stack_size(32 << 20).spawn(move || parse(&deep).is_err());
        assert!(parsed.expect("a thread").join().expect("no overflow"));
    }
}
