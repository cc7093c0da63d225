//! Text to programs, line by line.
//!
//! Accepts what is printed; whether the program keeps the rules is the verifier's business. Never panics.

use crate::loop_ir::text as loop_text;
use crate::program::{BufId, BufferSlot, Donation, LibraryKernel, NamedKernel, Place, Program, Step};
use lawson_hlo::library::Call;
use lawson_hlo::verify::verify;
use lawson_hlo::{Literal, Module, Shape};
use rustc_hash::FxHashMap;
use std::str::FromStr;

pub use crate::loop_ir::text::ParseError;

/// Steps may hold others so deep: deeper than that no module is read.
const MAX_DEPTH: usize = 1100;

/// Reads one program.
///
/// # Errors
/// Text of another form.
pub fn parse(text: &str) -> Result<Program> {
    let lines: Vec<&str> = text.lines().collect();
    let kernels_at = lines.iter().position(|l| begins_kernel(l)).unwrap_or(lines.len());
    let kernels = kernels(&lines, kernels_at)?;
    let positions = kernels.iter().enumerate().map(|(n, k)| (k.name.as_str(), n)).collect();
    let mut p = Parser { lines: &lines[..kernels_at], at: 0, positions };
    let mut program = p.program()?;
    program.kernels = kernels;
    Ok(program)
}

type Result<T, E = ParseError> = std::result::Result<T, E>;

fn begins_kernel(line: &str) -> bool {
    line.starts_with("kernel ") || line.starts_with(LIBRARY)
}

/// What a routine's text begins with.
const LIBRARY: &str = "library ";

/// The kernels from this line on, each beginning with one of the words.
fn kernels(lines: &[&str], first: usize) -> Result<Vec<NamedKernel>> {
    let mut starts: Vec<usize> = (first..lines.len()).filter(|&n| begins_kernel(lines[n])).collect();
    starts.push(lines.len());
    let read = |range: &[usize]| {
        if lines[range[0]].starts_with(LIBRARY) {
            return library(&lines[range[0]..range[1]], range[0]);
        }
        let kernel = loop_text::parse(&lines[range[0]..range[1]].join("\n"));
        kernel.map(NamedKernel::from).map_err(|e| ParseError { line: e.line + range[0], ..e })
    };
    starts.windows(2).map(read).collect()
}

/// A routine, whose text begins after so many lines.
fn library(lines: &[&str], before: usize) -> Result<NamedKernel> {
    let mut first = Line { rest: lines[0], number: before + 1 };
    first.expect(LIBRARY)?;
    let exact = first.take("exact ");
    if !exact {
        first.expect("rounded ")?;
    }
    let text = [&[first.rest], &lines[1..]].concat().join("\n");
    let module = Module::parse(&text).map_err(|e| {
        let number = before + e.line as usize;
        ParseError { line: number, expected: e.expected.unwrap_or("HLO".into()), found: e.message }
    })?;
    let call = verify(&module).ok().and_then(|()| Call::within(module.entry(), module.entry().root));
    match call.filter(|c| c.text(&module.entry().name).trim() == text.trim()) {
        Some(call) => Ok(NamedKernel::library(&*module.entry().name, LibraryKernel { call, exact })),
        None => first.fail("a routine on its parameters"),
    }
}

struct Parser<'a> {
    lines: &'a [&'a str],
    at: usize,
    /// Kernels by name.
    positions: FxHashMap<&'a str, usize>,
}

/// What is left of a line.
#[derive(Clone, Copy)]
struct Line<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Parser<'a> {
    /// The next line that is not blank.
    fn line(&mut self) -> Line<'a> {
        while self.lines.get(self.at).is_some_and(|l| l.trim().is_empty()) {
            self.at += 1;
        }
        let rest = self.lines.get(self.at).map_or("", |l| l.trim());
        self.at += 1;
        Line { rest, number: self.at.min(self.lines.len().max(1)) }
    }

    fn program(&mut self) -> Result<Program> {
        let mut program = Program::default();
        let mut first = self.line();
        first.expect("program arena ")?;
        program.arena_bytes = first.number_of("bytes")?;
        first.end(" {")?;
        let mut line = self.line();
        while let Some(slot) = self.buffer(line, program.buffers.len())? {
            program.buffers.push(slot);
            line = self.line();
        }
        while line.take("donate input ") {
            let input = line.number_of("the input's number")?;
            line.expect(" to output ")?;
            let output = line.number_of("the output's number")?;
            line.end("")?;
            program.donations.push(Donation { input, output });
            line = self.line();
        }
        let end;
        (program.steps, end) = self.steps(line, 0)?;
        end.end("}")?;
        match self.line() {
            Line { rest: "", .. } => Ok(program),
            other => other.fail("the end"),
        }
    }

    /// `b0 = input 0 : 16 bytes`; nothing where a step begins.
    fn buffer(&self, mut line: Line<'a>, n: usize) -> Result<Option<BufferSlot>> {
        if !line.take(&format!("b{n} = ")) {
            return Ok(None);
        }
        let place = match () {
            _ if line.take("input ") => Place::Input(line.number_of("the input's number")?),
            _ if line.take("output ") => Place::Output(line.number_of("the output's number")?),
            _ if line.take("arena ") => Place::Arena(line.number_of("an offset")?),
            _ => {
                line.expect("constant ")?;
                let shape = line.shape(' ')?;
                let digits = line.until(" :");
                line.constant(shape, digits)?
            }
        };
        line.expect(" : ")?;
        let bytes = line.number_of("bytes")?;
        line.end(" bytes")?;
        Ok(Some(BufferSlot { bytes, place }))
    }

    /// The steps from a line on; gives the line that ends them.
    fn steps(&mut self, mut line: Line<'a>, depth: usize) -> Result<(Vec<Step>, Line<'a>)> {
        let mut steps = Vec::new();
        while !line.rest.starts_with('}') {
            if depth == MAX_DEPTH {
                return line.fail("fewer steps within each other");
            }
            steps.push(self.step(line, depth)?);
            line = self.line();
        }
        Ok((steps, line))
    }

    fn step(&mut self, mut line: Line<'a>, depth: usize) -> Result<Step> {
        if line.take("launch ") {
            let name = line.until("(");
            let kernel = self.positions.get(name).copied();
            let kernel = kernel.map_or_else(|| line.fail("a kernel's name"), Ok)?;
            line.expect("(")?;
            let args = line.list(")", Line::buffer)?;
            line.end("")?;
            return Ok(Step::Launch { kernel, args });
        }
        if line.take("copy ") {
            let from = line.buffer()?;
            line.expect(" to ")?;
            let to = line.buffer()?;
            line.end("")?;
            return Ok(Step::Copy { from, to });
        }
        if line.take("concatenate ") {
            let rows = line.number_of("rows")?;
            line.expect(" rows of (")?;
            let pieces = line.list(")", |line| {
                let id = line.buffer()?;
                line.expect(": ")?;
                Ok((id, line.number_of("bytes")?))
            })?;
            line.expect(" to ")?;
            let to = line.buffer()?;
            line.end("")?;
            return Ok(Step::Concatenate { pieces, rows, to });
        }
        if line.take("swap ") {
            let a = line.buffer()?;
            line.expect(" and ")?;
            let b = line.buffer()?;
            line.end("")?;
            return Ok(Step::Swap { a, b });
        }
        if line.take("while ") {
            let pred = line.buffer()?;
            let trips = if line.take(" trips ") { Some(line.number_of("trips")?) } else { None };
            line.end(" {")?;
            let (cond, end) = self.block(depth)?;
            end.end("} do {")?;
            let (body, end) = self.block(depth)?;
            end.end("}")?;
            return Ok(Step::While { cond, pred, body, trips });
        }
        let predicated = line.rest.starts_with("if ");
        if line.take("if ") || line.take("switch ") {
            let selector = line.buffer()?;
            line.end(" {")?;
            let mut branches = Vec::new();
            loop {
                let (branch, end) = self.block(depth)?;
                branches.push(branch);
                if end.rest != "} else {" {
                    end.end("}")?;
                    return Ok(Step::Conditional { selector, predicated, branches });
                }
            }
        }
        if line.take("call ") {
            let target = line.quoted()?;
            line.expect(" (")?;
            let args = line.list(")", |line| {
                let id = line.buffer()?;
                line.expect(": ")?;
                Ok((id, line.shape(',')?))
            })?;
            line.expect(" to (")?;
            let results = line.list(")", Line::buffer)?;
            line.expect(": ")?;
            let shape = Shape::parse(line.rest).or_else(|_| line.fail("a shape"))?;
            return Ok(Step::CustomCall { target, args, results, shape });
        }
        line.fail("a step")
    }

    fn block(&mut self, depth: usize) -> Result<(Vec<Step>, Line<'a>)> {
        let line = self.line();
        self.steps(line, depth + 1)
    }
}

impl<'a> Line<'a> {
    fn fail<T>(&self, expected: impl Into<String>) -> Result<T> {
        let found = match self.rest {
            "" => "the end".to_string(),
            rest => format!("`{}`", rest.chars().take(40).collect::<String>()),
        };
        Err(ParseError { line: self.number, expected: expected.into(), found })
    }

    fn take(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.take(word) { Ok(()) } else { self.fail(format!("`{}`", word.trim())) }
    }

    /// Nothing but these characters is left.
    fn end(&self, word: &str) -> Result<()> {
        if self.rest == word {
            Ok(())
        } else {
            self.fail(format!("`{}` and the end of the line", word.trim()))
        }
    }

    /// What stands before a mark, or all that is left.
    fn until(&mut self, mark: &str) -> &'a str {
        let (text, rest) = self.rest.split_at(self.rest.find(mark).unwrap_or(self.rest.len()));
        self.rest = rest;
        text
    }

    fn number_of<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let digits = self.rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(digits);
        match text.parse() {
            Ok(n) => {
                self.rest = rest;
                Ok(n)
            }
            Err(_) => self.fail(what),
        }
    }

    fn buffer(&mut self) -> Result<BufId> {
        if self.take("b") { Ok(BufId(self.number_of("a buffer's number")?)) } else { self.fail("a buffer") }
    }

    /// Values between commas, up to a mark.
    fn list<T>(&mut self, end: &str, mut read: impl FnMut(&mut Line<'a>) -> Result<T>) -> Result<Vec<T>> {
        let mut out = Vec::new();
        while !self.take(end) {
            if !out.is_empty() {
                self.expect(", ")?;
            }
            out.push(read(self)?);
        }
        Ok(out)
    }

    /// An array's shape; `after` or a closing bracket follows the last `]` or `}` of it.
    fn shape(&mut self, after: char) -> Result<Shape> {
        let bytes = self.rest.as_bytes();
        let closes = |n: usize| matches!(bytes[n], b']' | b'}');
        let follows = |n: usize| bytes.get(n + 1).is_none_or(|&b| b == after as u8 || b == b')');
        let end = (0..bytes.len()).find(|&n| closes(n) && follows(n)).map_or(bytes.len(), |n| n + 1);
        // A shape's text is ASCII up to here or there is none.
        let Some((text, rest)) = self.rest.split_at_checked(end) else { return self.fail("a shape") };
        let shape = Shape::parse(text).or_else(|_| self.fail("a shape"))?;
        self.rest = rest;
        self.take(" ");
        Ok(shape)
    }

    fn constant(&self, shape: Shape, digits: &str) -> Result<Place> {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
        match (shape, bytes) {
            (Shape::Array(array), Some(bytes))
                if array.checked_elements().is_some() && array.bytes() == bytes.len() as i64 =>
            {
                Ok(Place::Constant(Literal::new(array, bytes)))
            }
            _ => self.fail("the bytes of a constant"),
        }
    }

    /// Text between quotation marks.
    fn quoted(&mut self) -> Result<String> {
        self.expect("\"")?;
        let (mut out, mut text) = (String::new(), self.until("\""));
        while let Some((plain, escaped)) = text.split_once("\\u{") {
            out += plain;
            let character = escaped
                .split_once('}')
                .and_then(|(code, rest)| Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest)));
            let Some((c, rest)) = character else { return self.fail("a character") };
            out.push(c);
            text = rest;
        }
        out += text;
        self.expect("\"")?;
        Ok(out)
    }
}
