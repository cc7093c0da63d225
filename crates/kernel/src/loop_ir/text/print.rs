//! Kernels to text.

use super::array_names;
use crate::loop_ir::*;
use std::fmt;
use std::fmt::Write;

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut p = Printer { kernel: self, names: array_names(self), out: String::new(), depth: 1 };
        p.kernel();
        f.write_str(&p.out)
    }
}

/// One statement without its blocks, for messages; of illegal kernels too.
pub fn describe(kernel: &Kernel, stmt: &Stmt) -> String {
    let mut p = Printer { kernel, names: array_names(kernel), out: String::new(), depth: 0 };
    p.head(stmt);
    p.out
}

struct Printer<'a> {
    kernel: &'a Kernel,
    names: Vec<(Buf, String)>,
    out: String,
    depth: usize,
}

/// Appends formatted text; writing to a string cannot fail.
macro_rules! put {
    ($p:expr, $($arg:tt)*) => { let _ = write!($p.out, $($arg)*); };
}

impl Printer<'_> {
    fn kernel(&mut self) {
        let k = self.kernel;
        put!(self, "kernel {} (", k.name);
        for (i, b) in k.buffers.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            put!(self, "{comma}{} {}: {}[{}]", b.access.name(), self.names[i].1, b.elem, b.len);
        }
        put!(self, ") {{");
        for (i, l) in k.locals.iter().enumerate() {
            self.line();
            put!(self, "local {}: {}[{}]", self.names[k.buffers.len() + i].1, l.elem, l.len);
            if let Some(part) = l.part {
                put!(self, " part {part}");
            }
        }
        for (i, t) in k.tables.iter().enumerate() {
            self.line();
            put!(self, "table t{i} = [");
            for (j, word) in t.iter().enumerate() {
                let gap = ["", ", ", ",\n      "][(j > 0) as usize + (j > 0 && j % 6 == 0) as usize];
                put!(self, "{gap}{word:#018x}");
            }
            put!(self, "]");
        }
        for (i, c) in k.columns.iter().enumerate() {
            self.line();
            put!(self, "column c{i} = [");
            for (j, &array) in c.iter().enumerate() {
                let gap = ["", ", ", ",\n      "][(j > 0) as usize + (j > 0 && j % 6 == 0) as usize];
                put!(self, "{gap}{}", self.names.get(array as usize).map_or("?", |(_, name)| name));
            }
            put!(self, "]");
        }
        for phase in &k.phases {
            self.line();
            put!(self, "phase tasks={} task={} ", phase.tasks, v(phase.task));
            if phase.warps != 1 {
                put!(self, "warps={} ", phase.warps);
            }
            if phase.by_barriers {
                put!(self, "by barriers ");
            }
            if phase.halves {
                put!(self, "in halves ");
            }
            put!(self, "{{");
            self.stmts(&phase.body);
            self.line();
            put!(self, "}}");
        }
        put!(self, "\n}}\n");
    }

    fn line(&mut self) {
        put!(self, "\n{:1$}", "", 2 * self.depth);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        for stmt in stmts {
            self.line();
            self.head(stmt);
            match stmt {
                Stmt::For { body, results, .. } => {
                    self.block(body);
                    self.results(results);
                }
                Stmt::If { then, otherwise, results, .. } => {
                    self.block(then);
                    put!(self, "}} else {{");
                    self.block(otherwise);
                    self.results(results);
                }
                Stmt::While { cond, body, results, .. } => {
                    self.block(cond);
                    put!(self, "}} do {{");
                    self.block(body);
                    self.results(results);
                }
                // Of others the first line is all.
                _ => {}
            }
        }
        self.depth -= 1;
    }

    /// The statement's first line.
    fn head(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(value, op) => {
                put!(self, "{} = ", v(*value));
                self.op(op);
                if let Some(ty) = self.kernel.types.get(value.0 as usize) {
                    put!(self, " : {ty}");
                }
            }
            Stmt::Store(s) => {
                put!(self, "store ");
                self.place(s.buf, s.offset);
                put!(self, " = {}", v(s.value));
                self.mask(s.mask);
                if s.streaming {
                    put!(self, " streaming");
                }
            }
            Stmt::Barrier => {
                put!(self, "barrier");
            }
            Stmt::LoadMatrices { buf, offset, transposed, results } => {
                put!(self, "load_matrices ");
                self.place(*buf, *offset);
                put!(self, "{} -> ({})", if *transposed { " transposed" } else { "" }, list(results));
            }
            Stmt::CopyAsync(c) => {
                put!(self, "copy_async ");
                self.place(c.to, c.to_offset);
                put!(self, " = ");
                self.place(c.from, c.from_offset);
                put!(self, ", {}", c.elements);
                self.mask(c.mask);
            }
            Stmt::GroupCopies => {
                put!(self, "group_copies");
            }
            Stmt::AwaitCopies(but) => {
                put!(self, "await_copies");
                if let Some(groups) = but {
                    put!(self, " but {groups}");
                }
            }
            Stmt::MatrixProduct(p) => {
                let [left, right] = p.factors.map(Factor::name);
                put!(self, "matrix_product {left} ({}), {right} ({})", list(&p.left), list(&p.right));
                put!(self, " + ({}) -> ({})", list(&p.sums), list(&p.results));
            }
            Stmt::CarryChain(chain) => {
                put!(self, "carry_chain");
                for link in &chain.links {
                    let operands: Vec<V> = link.operands().collect();
                    put!(self, " {} ({})", link.name(), list(&operands));
                }
                put!(self, " -> ({})", list(&chain.results));
            }
            Stmt::TileProduct(p) => {
                let ([left, right], [rows, columns]) = (p.factors.map(Factor::name), p.tiles);
                put!(self, "tile_product {rows} by {columns} ");
                self.matrix(&p.sums);
                put!(self, " = {left} ");
                self.matrix(&p.left);
                put!(self, " * {right} ");
                self.matrix(&p.right);
                put!(self, " over {}", v(p.words));
            }
            Stmt::Prefetch { buf, offset, into } => {
                put!(self, "prefetch ");
                self.place(*buf, *offset);
                if *into == Cache::Second {
                    put!(self, " second");
                }
            }
            Stmt::For { var, lo, hi, step, carried, .. } => {
                put!(self, "for {} = {} to {} step {step}", v(*var), v(*lo), v(*hi));
                self.carried(carried);
                put!(self, " {{");
            }
            Stmt::If { cond, .. } => {
                put!(self, "if {} {{", v(*cond));
            }
            Stmt::While { carried, .. } => {
                put!(self, "while");
                self.carried(carried);
                put!(self, " {{");
            }
        }
    }

    /// The inside of a block, up to its closing brace.
    fn block(&mut self, block: &Block) {
        self.stmts(&block.stmts);
        if !block.yields.is_empty() {
            self.depth += 1;
            self.line();
            put!(self, "yield {}", list(&block.yields));
            self.depth -= 1;
        }
        self.line();
    }

    fn results(&mut self, results: &[V]) {
        put!(self, "}}");
        if !results.is_empty() {
            put!(self, " -> ({})", list(results));
        }
    }

    fn carried(&mut self, carried: &[Carried]) {
        if !carried.is_empty() {
            let pairs: Vec<String> =
                carried.iter().map(|c| format!("{} = {}", v(c.param), v(c.init))).collect();
            put!(self, " carry ({})", pairs.join(", "));
        }
    }

    fn mask(&mut self, mask: Option<V>) {
        if let Some(m) = mask {
            put!(self, " mask {}", v(m));
        }
    }

    fn matrix(&mut self, matrix: &Matrix) {
        self.place(matrix.buf, matrix.offset);
        put!(self, " line {}", matrix.line);
    }

    fn place(&mut self, buf: Buf, offset: V) {
        match buf {
            Buf::Cell { column, row } => {
                put!(self, "c{column}{{{}}}", v(row));
            }
            _ => {
                let name = self.names.iter().find(|(b, _)| *b == buf).map_or("?", |(_, name)| name);
                put!(self, "{name}");
            }
        }
        put!(self, "[{}]", v(offset));
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Const { ty, bits } => {
                put!(self, "const {}", constant(ty.elem, *bits));
            }
            Op::Iota(_) => self.out.push_str("iota"),
            Op::Splat { scalar, .. } => self.call("splat", &[*scalar]),
            Op::Bin(op, a, b) => self.call(op.name(), &[*a, *b]),
            Op::WithCarry(op, a, b, carry) => self.call(op.name(), &[*a, *b, *carry]),
            Op::Un(op, a) => self.call(op.name(), &[*a]),
            Op::Fma(a, b, c) => self.call("fma", &[*a, *b, *c]),
            Op::Scale(Scale { value, powers: [first, second], exponent, small }) => {
                self.call("scale", &[*value, *first, *second, *exponent, *small]);
            }
            Op::Cmp(op, a, b) => self.call(op.name(), &[*a, *b]),
            Op::Select(m, a, b) => self.call("select", &[*m, *a, *b]),
            Op::Cast { op, value, .. } => self.call(op.name(), &[*value]),
            Op::Load { buf, offset, mask, .. } => {
                put!(self, "load ");
                self.place(*buf, *offset);
                self.mask(*mask);
            }
            Op::Extract(a, lane) => {
                put!(self, "extract {}[{lane}]", v(*a));
            }
            Op::Shuffle { a, b, lanes } => {
                put!(self, "shuffle {}, {} {lanes:?}", v(*a), v(*b));
            }
            Op::Pack(parts) => self.call("pack", parts),
            Op::Regroup { value, .. } => self.call("regroup", &[*value]),
            Op::Word(a, word) => {
                put!(self, "word {}[{word}]", v(*a));
            }
            Op::Join(words) => self.call("join", words),
            Op::Madd52(half, a, b, c) => self.call(half.name(), &[*a, *b, *c]),
            Op::DotBytes(a, b, c) => self.call("dotbytes", &[*a, *b, *c]),
            Op::DotBf16(a, b, c) => self.call("dotbf16", &[*a, *b, *c]),
            Op::Any(m) => self.call("any", &[*m]),
            Op::First(m) => self.call("first", &[*m]),
            Op::Table { table, index } => {
                put!(self, "table t{table}[{}]", v(*index));
            }
        }
    }

    fn call(&mut self, name: &str, args: &[V]) {
        put!(self, "{name} {}", list(args));
    }
}

fn v(value: V) -> String {
    format!("%{}", value.0)
}

fn list(values: &[V]) -> String {
    values.iter().map(|&x| v(x)).collect::<Vec<_>>().join(", ")
}

/// Integers as signed numbers; floats as the shortest decimal that means them, NaN with its bits.
fn constant(elem: Elem, bits: u64) -> String {
    match elem {
        Elem::I1 => (bits != 0).to_string(),
        Elem::I8 => (bits as i8).to_string(),
        Elem::I16 => (bits as i16).to_string(),
        Elem::I32 => (bits as i32).to_string(),
        // Of I256 there are no constants; a damaged kernel prints all the same.
        Elem::I64 | Elem::I256 => (bits as i64).to_string(),
        Elem::F32 => match f32::from_bits(bits as u32) {
            x if x.is_nan() => format!("nan#{bits:#x}"),
            x => format!("{x:?}"),
        },
        Elem::F64 => match f64::from_bits(bits) {
            x if x.is_nan() => format!("nan#{bits:#x}"),
            x => format!("{x:?}"),
        },
    }
}
