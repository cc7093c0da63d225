//! One operation: its results, its name, and the rest in one of two forms.

use super::Reader;
use crate::error::Result;
use crate::ir::{Attr, Loc, Op, Type, ValueId};
use lawson_hlo::Shape;

/// A name on the left of an operation, and how many results it stands for.
pub type Names<'a> = Vec<(&'a str, usize)>;

impl<'a> Reader<'a> {
    /// One operation with its results and its location.
    pub fn operation(&mut self) -> Result<Op> {
        self.deeper()?;
        let names = self.result_names()?;
        let place = self.place();
        let mut op = match self.cursor.peek() {
            Some(b'"') => self.generic(&names)?,
            _ => self.custom(&names)?,
        };
        op.place = place;
        op.loc = self.trailing_location()?.unwrap_or_default();
        self.depth -= 1;
        Ok(op)
    }

    /// `%a, %b:2 =`
    fn result_names(&mut self) -> Result<Names<'a>> {
        let mut names = Names::new();
        if self.cursor.peek() != Some(b'%') {
            return Ok(names);
        }
        loop {
            let at = self.cursor.clone();
            self.cursor.expect("%")?;
            let name = self.cursor.suffix();
            let count = if self.cursor.eat(":") { self.cursor.integer()? } else { 1 };
            match usize::try_from(count) {
                Ok(count) if (1..1 << 16).contains(&count) => names.push((name, count)),
                _ => return at.fail(format!("an operation of {count} results")),
            }
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect("=")?;
        Ok(names)
    }

    /// `"name"(operands) <{properties}> ({regions}) {attributes} : (types) -> types`
    fn generic(&mut self, names: &Names<'a>) -> Result<Op> {
        let name = self.cursor.string()?;
        let mut op = Op::named(&name);
        self.cursor.expect("(")?;
        while !self.cursor.eat(")") {
            op.operands.push(self.operand()?);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        if self.cursor.peek() == Some(b'[') {
            return self.cursor.fail("jumps between blocks are not supported");
        }
        let mut attrs = Vec::new();
        if self.cursor.eat("<{") {
            attrs = self.entries("}")?;
            self.cursor.expect(">")?;
        }
        if self.cursor.eat("(") {
            self.generic_regions(&mut op)?;
        }
        if self.cursor.peek() == Some(b'{') {
            attrs.extend(self.dictionary()?);
        }
        self.cursor.expect(":")?;
        self.types_in_parentheses()?;
        self.cursor.expect("->")?;
        let types = self.result_types()?;
        op.attrs = super::forms::flat(attrs);
        op.results = self.results(names, types)?;
        Ok(op)
    }

    /// `name items : types`, with the forms of their own that some operations have.
    fn custom(&mut self, names: &Names<'a>) -> Result<Op> {
        let at = self.cursor.clone();
        let Some(name) = self.cursor.word() else {
            return at.fail(format!("an operation is expected, not {}", at.shown()));
        };
        match name {
            "module" | "builtin.module" => return self.module_op(),
            "func.func" => return self.function_op(),
            "stablehlo.reduce" => return self.reduce(names),
            "stablehlo.while" => return self.while_loop(names),
            "chlo.scan" => return self.scan(names),
            "sdy.manual_computation" => return self.manual_computation(names),
            "sdy.mesh" => return self.mesh(),
            _ => {}
        }
        let items = self.items()?;
        let types = match &items.value {
            // Its elements have the type.
            Some(Attr::Dense(dense)) => vec![Type::of(Shape::Array(dense.shape.clone()))],
            Some(Attr::Other(text)) => vec![Type::refused(text.clone())],
            _ => self.types_of_custom(names)?,
        };
        let mut op = Op::named(match name {
            "call" => "func.call",
            "return" => "func.return",
            name => name,
        });
        op.operands = items.operands.clone();
        op.attrs = super::forms::attributes(op.short_name(), items)
            .or_else(|message| at.fail(format!("{} {message}", op.name)))?;
        op.results = self.results(names, types)?;
        Ok(op)
    }

    /// `: type`, `: type, type`, `: (types) -> types`, `: type, type -> type`: those of the results.
    pub fn types_of_custom(&mut self, names: &Names<'a>) -> Result<Vec<Type>> {
        let wanted: usize = names.iter().map(|(_, n)| n).sum();
        if !self.cursor.eat(":") {
            return Ok(Vec::new());
        }
        let mut listed = match self.cursor.peek() {
            Some(b'(') => self.types_in_parentheses()?,
            _ => {
                let mut types = vec![self.ty()?];
                while self.cursor.eat(",") {
                    types.push(self.ty()?);
                }
                types
            }
        };
        if self.cursor.eat("->") {
            return self.result_types();
        }
        Ok(match wanted {
            0 => Vec::new(),
            // The type of the result is the last that is said.
            1 => listed.split_off(listed.len().saturating_sub(1)),
            _ => listed,
        })
    }

    /// Gives the results their names and types.
    pub fn results(&mut self, names: &Names<'a>, types: Vec<Type>) -> Result<Vec<ValueId>> {
        let wanted: usize = names.iter().map(|(_, n)| n).sum();
        if names.is_empty() {
            // Nobody uses them; they are there all the same.
            let first = self.types.len();
            self.types.extend(types);
            return Ok((first..self.types.len()).map(|i| ValueId(i as u32)).collect());
        }
        if wanted != types.len() {
            return self.cursor.fail(format!("{wanted} results are named, and {} types given", types.len()));
        }
        let mut types = types.into_iter();
        Ok(names.iter().flat_map(|&(name, n)| self.define(name, types.by_ref().take(n))).collect())
    }

    /// `sdy.mesh @mesh = <["i"=1]> {…}`: there is one device.
    fn mesh(&mut self) -> Result<Op> {
        self.symbol()?;
        self.cursor.expect("=")?;
        self.cursor.balanced()?;
        if self.cursor.peek() == Some(b'{') {
            self.cursor.balanced()?;
        }
        Ok(Op::named("sdy.mesh"))
    }
}

impl Op {
    /// An operation of that name with nothing in it.
    pub fn named(name: &str) -> Op {
        Op {
            name: name.into(),
            operands: Vec::new(),
            results: Vec::new(),
            attrs: Vec::new(),
            dict: None,
            regions: Vec::new(),
            loc: Loc::default(),
            place: crate::error::Place::Unknown,
        }
    }
}
