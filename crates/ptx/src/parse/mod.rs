//! A whole text: variables, and functions with their code.

mod body;
mod graph;
mod variables;

use crate::decode::{Scope, Symbol};
use crate::error::{Error, Result};
use crate::lex::{self, Token};
use crate::program::{Function, Parameter, Space, Variable};
use crate::text::Cursor;
use rustc_hash::FxHashMap;
use variables::Declared;

/// What a text declares.
#[derive(Debug, Default)]
pub struct Parsed {
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    /// The line and opcode of each instruction that is not known.
    pub refused: Vec<(u32, String)>,
    pub target: String,
}

/// The state while a text is read.
#[derive(Default)]
struct Reader {
    parsed: Parsed,
    symbols: Scope,
    functions: FxHashMap<String, usize>,
}

pub fn parse(text: &str) -> Result<Parsed> {
    let mut cursor = Cursor::new(lex::tokens(text)?);
    let mut reader = Reader::default();
    while cursor.peek().is_some() {
        reader.directive(&mut cursor)?;
    }
    for f in &reader.parsed.functions {
        if !f.defined {
            return Err(Error::new(f.line, format!("`{}` is called and not defined", f.name)));
        }
    }
    variables::check_initial(&reader.parsed.variables, &reader.symbols)?;
    Ok(reader.parsed)
}

impl Reader {
    fn directive(&mut self, cursor: &mut Cursor) -> Result<()> {
        let line = cursor.line();
        let name = cursor.name()?;
        match name.as_str() {
            ".version" => drop(cursor.number()?),
            ".target" => {
                self.parsed.target = cursor.name()?;
                while cursor.takes(',') {
                    cursor.name()?;
                }
            }
            ".address_size" => {
                if cursor.integer()? != 64 {
                    return Err(Error::new(line, "addresses of 64 bits only"));
                }
            }
            ".visible" | ".weak" | ".common" => {}
            ".extern" => return self.external(cursor, line),
            ".file" | ".loc" => cursor.skip_line(),
            ".pragma" => {
                cursor.next();
                cursor.expect(';')?;
            }
            ".section" => self.section(cursor)?,
            ".entry" => self.function(cursor, line, true)?,
            ".func" => self.function(cursor, line, false)?,
            ".global" => self.variable(cursor, Space::Global, line)?,
            ".const" => self.variable(cursor, Space::Const, line)?,
            ".shared" => self.variable(cursor, Space::Shared, line)?,
            _ => return Err(Error::new(line, format!("unknown directive `{name}`"))),
        }
        Ok(())
    }

    /// Debug information, which nothing reads.
    fn section(&mut self, cursor: &mut Cursor) -> Result<()> {
        cursor.name()?;
        cursor.expect('{')?;
        while !cursor.takes('}') {
            if cursor.next().is_none() {
                return cursor.fail("a section without an end");
            }
        }
        Ok(())
    }

    fn external(&mut self, cursor: &mut Cursor, line: u32) -> Result<()> {
        match cursor.name()?.as_str() {
            ".shared" => self.variable(cursor, Space::Shared, line),
            ".func" => self.function(cursor, line, false),
            other => Err(Error::new(line, format!("`.extern {other}` needs another module"))),
        }
    }

    fn variable(&mut self, cursor: &mut Cursor, space: Space, line: u32) -> Result<()> {
        let declared = variables::declaration(cursor, true)?;
        cursor.expect(';')?;
        self.add_variable(declared, space, line).map(drop)
    }

    /// A new variable of the module; functions have shared ones too.
    fn add_variable(&mut self, d: Declared, space: Space, line: u32) -> Result<Symbol> {
        let dynamic = d.open && d.initial.is_empty();
        if dynamic && space != Space::Shared {
            return Err(Error::new(line, format!("`{}` has no size", d.name)));
        }
        if space == Space::Shared && !d.initial.is_empty() {
            return Err(Error::new(line, "shared variables have no initial values"));
        }
        let symbol = Symbol::Variable(self.parsed.variables.len(), space);
        self.parsed.variables.push(Variable {
            name: d.name.clone(),
            space,
            element: d.element,
            align: d.align,
            bytes: d.bytes,
            dynamic,
            initial: d.initial,
            line,
        });
        // Names of functions' own variables are looked up in the function first.
        if self.symbols.insert(d.name.clone(), symbol).is_some() {
            return Err(Error::new(line, format!("`{}` is declared twice", d.name)));
        }
        Ok(symbol)
    }

    fn function(&mut self, cursor: &mut Cursor, line: u32, entry: bool) -> Result<()> {
        let mut f = Function { entry, line, ..Function::default() };
        if !entry && cursor.is_mark('(') {
            f.results = parameters(cursor, &mut f.param_bytes)?;
        }
        f.name = cursor.name()?;
        if cursor.is_mark('(') {
            f.parameters = parameters(cursor, &mut f.param_bytes)?;
        }
        limits(cursor, &mut f)?;
        let number = match self.functions.get(&f.name) {
            Some(&n) if self.parsed.functions[n].defined => {
                return Err(Error::new(line, format!("`{}` is defined twice", f.name)));
            }
            Some(&n) => {
                let declared = &self.parsed.functions[n];
                let bytes = |all: &[Parameter]| all.iter().map(|p| p.bytes).collect::<Vec<_>>();
                if bytes(&declared.parameters) != bytes(&f.parameters)
                    || bytes(&declared.results) != bytes(&f.results)
                {
                    return Err(Error::new(line, format!("`{}` is declared otherwise before", f.name)));
                }
                n
            }
            None => {
                self.functions.insert(f.name.clone(), self.parsed.functions.len());
                self.parsed.functions.push(f.clone());
                self.parsed.functions.len() - 1
            }
        };
        if cursor.takes(';') {
            return Ok(());
        }
        cursor.expect('{')?;
        let mut f = self.body(cursor, f)?;
        f.defined = true;
        self.parsed.functions[number] = f;
        Ok(())
    }
}

/// `(.param .u64 a, .param .align 4 .b8 b[16])`, placed one after the other.
fn parameters(cursor: &mut Cursor, bytes: &mut u32) -> Result<Vec<Parameter>> {
    let mut found = Vec::new();
    cursor.expect('(')?;
    if cursor.takes(')') {
        return Ok(found);
    }
    loop {
        if !cursor.takes_name(".param") {
            return cursor.fail("a parameter expected");
        }
        let d = variables::declaration(cursor, false)?;
        let offset = variables::place(bytes, &d).or_else(|m| cursor.fail(m))?;
        found.push(Parameter { name: d.name, offset, bytes: d.bytes as u32 });
        if cursor.takes(')') {
            return Ok(found);
        }
        cursor.expect(',')?;
    }
}

/// What stands between the parameters and the body: how many threads there may be.
fn limits(cursor: &mut Cursor, f: &mut Function) -> Result<()> {
    while let Some(Token::Name(name)) = cursor.peek().cloned() {
        cursor.next();
        let mut counts = || -> Result<[u32; 3]> {
            let mut found = [1; 3];
            for (i, count) in found.iter_mut().enumerate() {
                if i == 0 || cursor.takes(',') {
                    *count = cursor.count()?;
                }
            }
            Ok(found)
        };
        match name.as_str() {
            ".maxntid" => f.most_threads = Some(counts()?),
            ".reqntid" => f.threads = Some(counts()?),
            ".minnctapersm" | ".maxnreg" | ".maxnctapersm" => drop(counts()?),
            ".noreturn" => {}
            _ => return cursor.fail(format!("unknown directive `{name}`")),
        }
    }
    Ok(())
}
