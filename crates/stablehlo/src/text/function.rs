//! Modules and functions.

use super::Reader;
use crate::error::Result;
use crate::ir::{Attr, Op, Region, Signature, Type};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// What follows `module`: `@name attributes {…} { operations }`.
    pub fn module_op(&mut self) -> Result<Op> {
        let mut op = Op::named("builtin.module");
        if self.cursor.peek() == Some(b'@') {
            op.attrs.push(("sym_name".into(), Attr::String(self.symbol()?)));
        }
        if self.cursor.eat_word("attributes") {
            op.attrs.extend(self.dictionary()?);
        }
        self.cursor.expect("{")?;
        let mut region = Region::default();
        while !self.cursor.eat("}") {
            if self.cursor.peek().is_none() {
                return self.cursor.fail("`}` is expected, not the end of the text");
            }
            region.ops.push(self.operation()?);
        }
        op.regions.push(region);
        Ok(op)
    }

    /// What follows `func.func`: `public @name(%a: type {…} loc(…)) -> (type {…}) attributes {…} { operations }`.
    pub fn function_op(&mut self) -> Result<Op> {
        let mut op = Op::named("func.func");
        while self.cursor.peek() != Some(b'@') {
            if self.cursor.word().is_none() {
                let shown = self.cursor.shown();
                return self.cursor.fail(format!("the name of a function is expected, not {shown}"));
            }
        }
        op.attrs.push(("sym_name".into(), Attr::String(self.symbol()?)));
        let (mut arguments, mut said) = (Vec::new(), Vec::new());
        self.cursor.expect("(")?;
        while !self.cursor.eat(")") {
            self.cursor.expect("%")?;
            let name = self.cursor.suffix();
            self.cursor.expect(":")?;
            arguments.push((name, self.ty()?));
            said.push(match self.cursor.peek() {
                Some(b'{') => Attr::Dict(self.dictionary()?.into()),
                _ => Attr::Unit,
            });
            self.trailing_location()?;
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        let outputs = if self.cursor.eat("->") { self.function_results()? } else { Vec::new() };
        if self.cursor.eat_word("attributes") {
            op.attrs.extend(self.dictionary()?);
        }
        let inputs = arguments.iter().map(|(_, ty)| ty.clone()).collect();
        let signature = Type::Function(Arc::new(Signature { inputs, outputs }));
        op.attrs.push(("function_type".into(), Attr::Type(signature)));
        op.attrs.push(("arg_attrs".into(), Attr::Array(said.into())));
        if self.cursor.peek() != Some(b'{') {
            return self.cursor.fail("a function without a body is not supported");
        }
        op.regions.push(self.isolated(|reader| reader.region(arguments))?);
        Ok(op)
    }

    /// `type`, `(type {…}, type)`
    fn function_results(&mut self) -> Result<Vec<Type>> {
        if self.cursor.peek() != Some(b'(') {
            return Ok(vec![self.ty()?]);
        }
        self.cursor.expect("(")?;
        let mut types = Vec::new();
        while !self.cursor.eat(")") {
            types.push(self.ty()?);
            if self.cursor.peek() == Some(b'{') {
                self.dictionary()?;
            }
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        Ok(types)
    }
}
