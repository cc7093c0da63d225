//! The body of a function: declarations, labels, instructions, calls.

use super::{Reader, graph, variables};
use crate::counters::Class;
use crate::decode::{self, Builder, Scope, Symbol};
use crate::error::{Error, Result};
use crate::lex::Token;
use crate::program::{Call, Function, Guard, Inst, NOWHERE, Op, Parameter, Space};
use crate::text::{Cursor, Operand, operands};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Registers that one declaration may make, and instructions of a function.
const MAX_REGISTERS: u32 = 1 << 16;
const MAX_CODE: usize = 1 << 22;

/// Where a function jumps to before its labels are known.
struct Jumps {
    labels: FxHashMap<String, u32>,
    /// The instruction, its label, its line.
    pending: Vec<(usize, String, u32)>,
}

impl Reader {
    /// Everything up to the brace that ends the function.
    pub(super) fn body(&mut self, cursor: &mut Cursor, f: Function) -> Result<Function> {
        let module: Scope = self.symbols.clone();
        let named: Vec<Parameter> = f.results.iter().chain(&f.parameters).cloned().collect();
        let name = f.name.clone();
        let mut b = Builder::new(f, &module);
        for p in named {
            b.define(p.name, Symbol::Param(p.offset, p.bytes)).or_else(|m| cursor.fail(m))?;
        }
        let mut jumps = Jumps { labels: FxHashMap::default(), pending: Vec::new() };
        loop {
            if cursor.peek().is_none() {
                return cursor.fail(format!("`{name}` has no end"));
            }
            if cursor.takes('}') {
                if b.close() {
                    continue;
                }
                break;
            }
            self.statement(cursor, &mut b, &mut jumps)?;
            if b.function.code.len() > MAX_CODE {
                return cursor.fail(format!("`{name}` is too long"));
            }
        }
        let mut f = b.function;
        for (at, label, line) in jumps.pending {
            let target = jumps.labels.get(&label).copied();
            let target = target.ok_or_else(|| Error::new(line, format!("no label `{label}`")))?;
            f.code[at].op = Op::Branch { target };
        }
        // Running off the end is returning.
        let line = f.code.last().map_or(f.line, |i| i.line);
        f.code.push(plain(Op::Return, Class::Control, line));
        f.calls = f.code.iter().filter_map(called).collect();
        f.calls.sort_unstable();
        f.calls.dedup();
        graph::find_meets(&mut f);
        Ok(f)
    }

    fn statement(&mut self, cursor: &mut Cursor, b: &mut Builder, jumps: &mut Jumps) -> Result<()> {
        let line = cursor.line();
        let at = |message: String| Error::new(line, message);
        if cursor.takes('{') {
            b.open();
            return Ok(());
        }
        if cursor.takes(';') {
            return Ok(());
        }
        let guard = if cursor.takes('@') {
            let negated = cursor.takes('!');
            let by = b.pred(&cursor.name()?).map_err(at)?;
            Some(Guard { by, negated })
        } else {
            None
        };
        if guard.is_none() && cursor.peek_second() == Some(&Token::Mark(':')) {
            let label = cursor.name()?;
            cursor.expect(':')?;
            let here = b.function.code.len() as u32;
            return match jumps.labels.insert(label.clone(), here) {
                None => Ok(()),
                Some(_) => Err(at(format!("label `{label}` stands twice"))),
            };
        }
        let name = cursor.name()?;
        if let Some(directive) = name.strip_prefix('.') {
            if guard.is_some() {
                return Err(at("a guarded declaration".into()));
            }
            return self.declaration(cursor, b, directive, line);
        }
        let mut inst = match name.split('.').next() {
            Some("bra") => {
                let target = operands(cursor)?;
                let [Operand::Name(label)] = target.as_slice() else {
                    return Err(at("one label expected".into()));
                };
                jumps.pending.push((b.function.code.len(), label.clone(), line));
                plain(Op::Branch { target: NOWHERE }, Class::Control, line)
            }
            Some("call") => {
                let found = operands(cursor)?;
                plain(self.call(b, &found).map_err(at)?, Class::Control, line)
            }
            _ => {
                let found = operands(cursor)?;
                let d = decode::instruction(b, &name, &found).map_err(at)?;
                if let Op::Refused(opcode) = &d.op {
                    self.parsed.refused.push((line, opcode.to_string()));
                }
                Inst { contractible: d.contractible, ..plain(d.op, d.class, line) }
            }
        };
        inst.guard = guard;
        b.push(inst);
        Ok(())
    }

    fn declaration(
        &mut self,
        cursor: &mut Cursor,
        b: &mut Builder,
        directive: &str,
        line: u32,
    ) -> Result<()> {
        let at = |message: String| Error::new(line, message);
        match directive {
            "reg" => registers(cursor, b)?,
            "param" => {
                let d = variables::declaration(cursor, false)?;
                let offset = variables::place(&mut b.param_end, &d).map_err(at)?;
                b.function.param_bytes = b.function.param_bytes.max(b.param_end);
                b.define(d.name, Symbol::Param(offset, d.bytes as u32)).map_err(at)?;
            }
            "local" => {
                let d = variables::declaration(cursor, false)?;
                let offset = variables::place(&mut b.function.local_bytes, &d).map_err(at)?;
                b.define(d.name, Symbol::Local(offset)).map_err(at)?;
            }
            "shared" => {
                let mut d = variables::declaration(cursor, false)?;
                let name = d.name.clone();
                // Variables of functions are told apart in the module by a name that no text can have.
                d.name = format!("{}:{name}", b.function.name);
                let symbol = self.add_variable(d, Space::Shared, line)?;
                b.define(name, symbol).map_err(at)?;
            }
            "pragma" => drop(cursor.next()),
            "loc" | "file" => {
                cursor.skip_line();
                return Ok(());
            }
            _ => return Err(at(format!("unknown directive `.{directive}`"))),
        }
        cursor.expect(';')
    }

    /// `call.uni (result), function, (arguments);`
    fn call(&mut self, b: &Builder, found: &[Operand]) -> std::result::Result<Op, String> {
        let (results, rest): (&[Operand], _) = match found {
            [Operand::List(results), rest @ ..] => (results, rest),
            rest => (&[], rest),
        };
        let (name, arguments): (_, &[Operand]) = match rest {
            [Operand::Name(name)] => (name, &[]),
            [Operand::Name(name), Operand::List(arguments)] => (name, arguments),
            _ => return Err("a call of a function by its name expected".into()),
        };
        let unknown = || format!("`{name}` is no function (calls by address are not known)");
        let &function = self.functions.get(name).ok_or_else(unknown)?;
        let callee = &self.parsed.functions[function];
        if callee.entry {
            return Err(format!("`{name}` is a kernel"));
        }
        let copies = |given: &[Operand], formal: &[Parameter], in_call: bool| {
            if given.len() != formal.len() {
                return Err(format!("`{name}` has {} parameters and results here", formal.len()));
            }
            let pairs = given.iter().zip(formal);
            pairs
                .map(|(operand, p)| {
                    let Operand::Name(place) = operand else {
                        return Err("a parameter expected".to_string());
                    };
                    let (at, bytes) = b.param(place)?;
                    if bytes != p.bytes {
                        return Err(format!("`{place}` has {bytes} bytes, `{}` has {}", p.name, p.bytes));
                    }
                    Ok(if in_call { (at, p.offset, bytes) } else { (p.offset, at, bytes) })
                })
                .collect::<std::result::Result<Vec<_>, String>>()
        };
        let arguments = copies(arguments, &callee.parameters, true)?;
        let results = copies(results, &callee.results, false)?;
        Ok(Op::Call(Box::new(Call { function, arguments, results })))
    }
}

fn called(inst: &Inst) -> Option<usize> {
    match &inst.op {
        Op::Call(call) => Some(call.function),
        _ => None,
    }
}

fn plain(op: Op, class: Class, line: u32) -> Inst {
    Inst { op, guard: None, line, class, contractible: false, meet: NOWHERE }
}

/// `.reg .b32 %r<18>, x;`
fn registers(cursor: &mut Cursor, b: &mut Builder) -> Result<()> {
    let line = cursor.line();
    let at = |message: String| Error::new(line, message);
    let t = cursor.name()?;
    let t = t.strip_prefix('.').and_then(Type::named);
    let Some(t) = t.filter(|t| t.bits != 8) else { return Err(at("a type of a register expected".into())) };
    loop {
        let name = cursor.name()?;
        if cursor.takes('<') {
            let count = cursor.count()?;
            if count > MAX_REGISTERS {
                return Err(at("too many registers".into()));
            }
            cursor.expect('>')?;
            for i in 0..count {
                b.define_register(format!("{name}{i}"), t).map_err(at)?;
            }
        } else {
            b.define_register(name, t).map_err(at)?;
        }
        if !cursor.takes(',') {
            return Ok(());
        }
    }
}
