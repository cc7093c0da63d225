//! Text to kernels: a line-keeping tokenizer and recursive descent.
//!
//! Accepts what is printed; whether the kernel is legal is the verifier's business. Never panics.

mod carry_chain;
mod matrices;

use super::is_name_char;
use crate::loop_ir::*;
use rustc_hash::FxHashMap;

/// Why text is no kernel.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct ParseError {
    pub line: usize,
    pub expected: String,
    pub found: String,
}

/// Reads one kernel.
///
/// # Errors
/// Text of another form.
pub fn parse(text: &str) -> Result<Kernel, ParseError> {
    let mut p =
        Parser { tokens: tokens(text), at: 0, kernel: Kernel::default(), names: FxHashMap::default() };
    p.kernel()?;
    match p.peek() {
        "" => Ok(p.kernel),
        _ => p.fail("the end"),
    }
}

/// No more values than this: a misread number must not fill the memory.
const MAX_VALUES: u32 = 1 << 24;

type Result<T, E = ParseError> = std::result::Result<T, E>;

struct Parser<'a> {
    /// Each with its line.
    tokens: Vec<(&'a str, usize)>,
    at: usize,
    kernel: Kernel,
    names: FxHashMap<&'a str, Buf>,
}

/// Words, numbers (with sign, point and exponent), `%12`, and single other characters.
fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = first == '%' || first == '+' || is_name_char(first);
            let len = match is_word && !rest.starts_with("->") {
                true => rest[1..].find(|c| !is_name_char(c) && c != '+').map_or(rest.len(), |n| n + 1),
                false if rest.starts_with("->") => 2,
                false => first.len_utf8(),
            };
            let (token, tail) = rest.split_at(len);
            tokens.push((token, i + 1));
            rest = tail.trim_start();
        }
    }
    tokens
}

impl<'a> Parser<'a> {
    /// The next token; empty at the end.
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |t| t.0)
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn fail<T>(&self, expected: impl Into<String>) -> Result<T> {
        let last = self.tokens.last().map_or(1, |t| t.1);
        let line = self.tokens.get(self.at).map_or(last, |t| t.1);
        let found = match self.peek() {
            "" => "the end".to_string(),
            token => format!("`{token}`"),
        };
        Err(ParseError { line, expected: expected.into(), found })
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += found as usize;
        found
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        if self.take(token) { Ok(()) } else { self.fail(format!("`{token}`")) }
    }

    /// A token that `read` understands.
    fn read<T>(&mut self, expected: &str, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T> {
        match read(self.peek()) {
            Some(x) => {
                self.at += 1;
                Ok(x)
            }
            None => self.fail(expected),
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
        self.read("a number", |t| t.parse().ok())
    }

    fn kernel(&mut self) -> Result<()> {
        self.expect("kernel")?;
        self.kernel.name = self.name("the kernel's name")?.to_string();
        self.expect("(")?;
        while !self.take(")") {
            if !self.kernel.buffers.is_empty() {
                self.expect(",")?;
            }
            let access = self.read("`in`, `out`, `inout` or `scratch`", Access::from_name)?;
            let (name, elem, len) = self.array(Buf::Global(self.kernel.buffers.len() as u32))?;
            self.kernel.buffers.push(Buffer { name, elem, len, access });
        }
        self.expect("{")?;
        while self.take("local") {
            let (name, elem, len) = self.array(Buf::Local(self.kernel.locals.len() as u32))?;
            let part = if self.take("part") { Some(self.number()?) } else { None };
            self.kernel.locals.push(Local { name, elem, len, part });
        }
        while self.take("table") {
            self.table()?;
        }
        while self.take("column") {
            self.column()?;
        }
        while self.take("phase") {
            self.phase()?;
        }
        self.expect("}")
    }

    fn name(&mut self, expected: &str) -> Result<&'a str> {
        self.read(expected, |t| t.chars().next().is_some_and(is_name_char).then_some(t))
    }

    fn array(&mut self, buf: Buf) -> Result<(String, Elem, i64)> {
        let name = self.name("the name of an array")?;
        self.names.insert(name, buf);
        self.expect(":")?;
        let elem = self.read("an element type", Elem::from_name)?;
        self.expect("[")?;
        let len = self.number()?;
        self.expect("]")?;
        Ok((name.to_string(), elem, len))
    }

    fn table(&mut self) -> Result<()> {
        let expected = format!("`t{}`", self.kernel.tables.len());
        self.read(&expected, |t| (expected == format!("`{t}`")).then_some(()))?;
        self.expect("=")?;
        self.expect("[")?;
        let mut words = Vec::new();
        while !self.take("]") {
            if !words.is_empty() {
                self.expect(",")?;
            }
            words.push(self.read("a word in hexadecimal", hex)?);
        }
        self.kernel.tables.push(words.into());
        Ok(())
    }

    fn column(&mut self) -> Result<()> {
        let expected = format!("`c{}`", self.kernel.columns.len());
        self.read(&expected, |t| (expected == format!("`{t}`")).then_some(()))?;
        self.expect("=")?;
        self.expect("[")?;
        let mut arrays = Vec::new();
        while !self.take("]") {
            if !arrays.is_empty() {
                self.expect(",")?;
            }
            arrays.push(match self.named_array()? {
                Buf::Global(i) => i,
                _ => return self.fail("a buffer"),
            });
        }
        self.kernel.columns.push(arrays);
        Ok(())
    }

    /// `tasks=4 task=%0 { … }`
    fn phase(&mut self) -> Result<()> {
        self.expect("tasks")?;
        self.expect("=")?;
        let tasks = self.number()?;
        self.expect("task")?;
        self.expect("=")?;
        let task = self.define(Type::scalar(Elem::I64))?;
        let warps = match self.take("warps") {
            true => {
                self.expect("=")?;
                self.number()?
            }
            false => 1,
        };
        let by_barriers = self.take("by");
        if by_barriers {
            self.expect("barriers")?;
        }
        let halves = self.take("in");
        if halves {
            self.expect("halves")?;
        }
        self.expect("{")?;
        let body = self.block()?;
        self.expect("}")?;
        self.kernel.phases.push(Phase { tasks, task, warps, by_barriers, halves, body: body.stmts });
        Ok(())
    }

    /// Statements up to the closing brace, which stays.
    fn block(&mut self) -> Result<Block> {
        let mut block = Block::default();
        loop {
            match self.peek() {
                "}" => return Ok(block),
                "yield" => {
                    self.next();
                    block.yields = self.values()?;
                    return Ok(block);
                }
                "store" => {
                    self.next();
                    block.stmts.push(self.store()?);
                }
                "barrier" => {
                    self.next();
                    block.stmts.push(Stmt::Barrier);
                }
                "matrix_product" | "tile_product" | "load_matrices" | "copy_async" | "group_copies"
                | "await_copies" => {
                    let stmt = self.of_matrices()?;
                    block.stmts.push(stmt);
                }
                "carry_chain" => {
                    let stmt = self.carry_chain()?;
                    block.stmts.push(stmt);
                }
                "prefetch" => {
                    self.next();
                    let (buf, offset) = self.place()?;
                    let into = if self.take("second") { Cache::Second } else { Cache::First };
                    block.stmts.push(Stmt::Prefetch { buf, offset, into });
                }
                "for" => {
                    self.next();
                    block.stmts.push(self.for_loop()?);
                }
                "if" => {
                    self.next();
                    block.stmts.push(self.conditional()?);
                }
                "while" => {
                    self.next();
                    block.stmts.push(self.while_loop()?);
                }
                t if t.starts_with('%') => {
                    let v = self.read("a value", number_of)?;
                    self.expect("=")?;
                    let (op, ty) = self.op()?;
                    self.set_type(v, ty)?;
                    block.stmts.push(Stmt::Let(v, op));
                }
                _ => return self.fail("a statement"),
            }
        }
    }

    fn store(&mut self) -> Result<Stmt> {
        let (buf, offset) = self.place()?;
        self.expect("=")?;
        let value = self.value()?;
        let mask = self.mask()?;
        let streaming = self.take("streaming");
        Ok(Stmt::Store(Store { buf, offset, value, mask, streaming }))
    }

    fn for_loop(&mut self) -> Result<Stmt> {
        let var = self.define(Type::scalar(Elem::I64))?;
        self.expect("=")?;
        let lo = self.value()?;
        self.expect("to")?;
        let hi = self.value()?;
        self.expect("step")?;
        let step = self.number()?;
        let carried = self.carried()?;
        self.expect("{")?;
        let body = self.block()?;
        self.expect("}")?;
        let results = self.results(carried.iter().map(|c| c.init).collect())?;
        Ok(Stmt::For { var, lo, hi, step, carried, body, results })
    }

    fn conditional(&mut self) -> Result<Stmt> {
        let cond = self.value()?;
        self.expect("{")?;
        let then = self.block()?;
        self.expect("}")?;
        self.expect("else")?;
        self.expect("{")?;
        let otherwise = self.block()?;
        self.expect("}")?;
        let results = self.results(then.yields.clone())?;
        Ok(Stmt::If { cond, then, otherwise, results })
    }

    fn while_loop(&mut self) -> Result<Stmt> {
        let carried = self.carried()?;
        self.expect("{")?;
        let cond = self.block()?;
        self.expect("}")?;
        self.expect("do")?;
        self.expect("{")?;
        let body = self.block()?;
        self.expect("}")?;
        let results = self.results(carried.iter().map(|c| c.init).collect())?;
        Ok(Stmt::While { carried, cond, body, results })
    }

    /// `carry (%5 = %4, …)`, or nothing.
    fn carried(&mut self) -> Result<Vec<Carried>> {
        let mut carried = Vec::new();
        if !self.take("carry") {
            return Ok(carried);
        }
        self.expect("(")?;
        loop {
            let param = self.read("a value", number_of)?;
            self.expect("=")?;
            let init = self.value()?;
            self.set_type(param, self.kernel.ty(init))?;
            carried.push(Carried { param, init });
            if !self.take(",") {
                self.expect(")")?;
                return Ok(carried);
            }
        }
    }

    /// `-> (%7, …)`, each typed like the value at its place in `like`, or nothing.
    fn results(&mut self, like: Vec<V>) -> Result<Vec<V>> {
        let mut results = Vec::new();
        if !self.take("->") {
            return Ok(results);
        }
        self.expect("(")?;
        for (i, &v) in like.iter().enumerate() {
            if i > 0 {
                self.expect(",")?;
            }
            results.push(self.define(self.kernel.ty(v))?);
        }
        self.expect(")")?;
        Ok(results)
    }

    fn define(&mut self, ty: Type) -> Result<V> {
        let v = self.read("a value", number_of)?;
        self.set_type(v, ty)?;
        Ok(v)
    }

    fn set_type(&mut self, v: V, ty: Type) -> Result<()> {
        if v.0 >= MAX_VALUES {
            return self.fail("fewer values");
        }
        let n = v.0 as usize;
        if self.kernel.types.len() <= n {
            self.kernel.types.resize(n + 1, Type::scalar(Elem::I1));
        }
        self.kernel.types[n] = ty;
        Ok(())
    }

    /// A value that has a type by now.
    fn value(&mut self) -> Result<V> {
        let known = self.kernel.types.len();
        self.read("a value defined above", |t| number_of(t).filter(|v| (v.0 as usize) < known))
    }

    fn values(&mut self) -> Result<Vec<V>> {
        let mut values = vec![self.value()?];
        while self.take(",") {
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn two(&mut self) -> Result<(V, V)> {
        let a = self.value()?;
        self.expect(",")?;
        Ok((a, self.value()?))
    }

    fn place(&mut self) -> Result<(Buf, V)> {
        let is_cell = self.tokens.get(self.at + 1).is_some_and(|t| t.0 == "{");
        let buf = if is_cell { self.cell()? } else { self.named_array()? };
        self.expect("[")?;
        let offset = self.value()?;
        self.expect("]")?;
        Ok((buf, offset))
    }

    fn named_array(&mut self) -> Result<Buf> {
        let names = std::mem::take(&mut self.names);
        let buf = self.read("the name of an array", |t| names.get(t).copied());
        self.names = names;
        buf
    }

    /// `c0{%3}`
    fn cell(&mut self) -> Result<Buf> {
        let column = self.read("a column", |t| t.strip_prefix('c')?.parse().ok())?;
        self.expect("{")?;
        let row = self.value()?;
        self.expect("}")?;
        Ok(Buf::Cell { column, row })
    }

    fn mask(&mut self) -> Result<Option<V>> {
        if self.take("mask") { self.value().map(Some) } else { Ok(None) }
    }

    fn result_type(&mut self) -> Result<Type> {
        self.expect(":")?;
        self.read("a type", Type::from_name)
    }

    /// An operation and its result type.
    fn op(&mut self) -> Result<(Op, Type)> {
        let name = self.next();
        let op = match name {
            "const" => {
                let text = self.next();
                let ty = self.result_type()?;
                let Some(bits) = constant(ty.elem, text) else { return self.fail("a constant of the type") };
                return Ok((Op::Const { ty, bits }, ty));
            }
            "iota" => {
                let ty = self.result_type()?;
                return Ok((Op::Iota(ty), ty));
            }
            "splat" => {
                let scalar = self.value()?;
                let ty = self.result_type()?;
                return Ok((Op::Splat { scalar, lanes: ty.lanes }, ty));
            }
            "load" => {
                let (buf, offset) = self.place()?;
                let mask = self.mask()?;
                let ty = self.result_type()?;
                return Ok((Op::Load { buf, offset, ty, mask }, ty));
            }
            "fma" => {
                let (a, b) = self.two()?;
                self.expect(",")?;
                Op::Fma(a, b, self.value()?)
            }
            "scale" => {
                let mut operands = [self.value()?; 5];
                for operand in &mut operands[1..] {
                    self.expect(",")?;
                    *operand = self.value()?;
                }
                let [value, first, second, exponent, small] = operands;
                Op::Scale(Scale { value, powers: [first, second], exponent, small })
            }
            "select" => {
                let (m, a) = self.two()?;
                self.expect(",")?;
                Op::Select(m, a, self.value()?)
            }
            "extract" => {
                let a = self.value()?;
                self.expect("[")?;
                let lane = self.number()?;
                self.expect("]")?;
                Op::Extract(a, lane)
            }
            "shuffle" => {
                let (a, b) = self.two()?;
                self.expect("[")?;
                let mut lanes = vec![self.number()?];
                while self.take(",") {
                    lanes.push(self.number()?);
                }
                self.expect("]")?;
                Op::Shuffle { a, b, lanes }
            }
            "pack" => Op::Pack(self.values()?),
            "word" => {
                let a = self.value()?;
                self.expect("[")?;
                let word = self.number()?;
                self.expect("]")?;
                Op::Word(a, word)
            }
            "join" => match self.values()?[..] {
                [a, b, c, d] => Op::Join([a, b, c, d]),
                _ => return self.fail("four words"),
            },
            "dotbytes" => match self.values()?[..] {
                [a, b, c] => Op::DotBytes(a, b, c),
                _ => return self.fail("three values"),
            },
            "dotbf16" => match self.values()?[..] {
                [a, b, c] => Op::DotBf16(a, b, c),
                _ => return self.fail("three values"),
            },
            "any" => Op::Any(self.value()?),
            "first" => Op::First(self.value()?),
            "regroup" => {
                let value = self.value()?;
                let ty = self.result_type()?;
                return Ok((Op::Regroup { value, to: ty.elem }, ty));
            }
            "table" => {
                let table = self.read("a table", |t| t.strip_prefix('t')?.parse().ok())?;
                self.expect("[")?;
                let index = self.value()?;
                self.expect("]")?;
                Op::Table { table, index }
            }
            _ => return self.named(name),
        };
        Ok((op, self.result_type()?))
    }

    /// An operation of one of the enums.
    fn named(&mut self, name: &str) -> Result<(Op, Type)> {
        let op = if let Some(op) = Bin::from_name(name) {
            let (a, b) = self.two()?;
            Op::Bin(op, a, b)
        } else if let Some(op) = WithCarry::from_name(name) {
            let (a, b) = self.two()?;
            self.expect(",")?;
            Op::WithCarry(op, a, b, self.value()?)
        } else if let Some(half) = Half::from_name(name) {
            let (a, b) = self.two()?;
            self.expect(",")?;
            Op::Madd52(half, a, b, self.value()?)
        } else if let Some(op) = Cmp::from_name(name) {
            let (a, b) = self.two()?;
            Op::Cmp(op, a, b)
        } else if let Some(op) = Un::from_name(name) {
            Op::Un(op, self.value()?)
        } else if let Some(op) = Cast::from_name(name) {
            let value = self.value()?;
            let ty = self.result_type()?;
            return Ok((Op::Cast { op, value, to: ty.elem }, ty));
        } else {
            self.at -= 1;
            return self.fail("an operation");
        };
        Ok((op, self.result_type()?))
    }
}

/// `%12`
fn number_of(token: &str) -> Option<V> {
    token.strip_prefix('%')?.parse().ok().map(V)
}

fn hex(token: &str) -> Option<u64> {
    u64::from_str_radix(token.strip_prefix("0x")?, 16).ok()
}

/// The bits of a printed constant.
fn constant(elem: Elem, text: &str) -> Option<u64> {
    let wide = match elem {
        Elem::I1 => text.parse::<bool>().ok()? as u64,
        Elem::F32 => match text.strip_prefix("nan#") {
            Some(bits) => hex(bits)?,
            None => text.parse::<f32>().ok()?.to_bits() as u64,
        },
        Elem::F64 => match text.strip_prefix("nan#") {
            Some(bits) => hex(bits)?,
            None => text.parse::<f64>().ok()?.to_bits(),
        },
        Elem::I256 => return None,
        Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64 => text.parse::<i64>().ok()? as u64,
    };
    Some(if elem.bits() == 64 { wide } else { wide & ((1 << elem.bits()) - 1) })
}
