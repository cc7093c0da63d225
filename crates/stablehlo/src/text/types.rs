//! Types as MLIR prints them.

use super::{LEVELS_OF_ALIAS, Reader};
use crate::error::Result;
use crate::ir::{MAX_DEPTH, Signature, Type, dtype};
use lawson_hlo::Shape;
use std::sync::Arc;

impl Reader<'_> {
    /// `tensor<2x3xf32>`, `tuple<…>`, `!stablehlo.token`, `(…) -> …`, `i64`
    pub fn ty(&mut self) -> Result<Type> {
        let beside = self.deeper()?;
        let ty = self.one_type()?;
        self.higher(matches!(ty, Type::Function(_)), beside)?;
        Ok(ty)
    }

    fn one_type(&mut self) -> Result<Type> {
        let at = self.cursor.clone();
        if self.cursor.peek() == Some(b'(') {
            let inputs = self.types_in_parentheses()?;
            self.cursor.expect("->")?;
            let outputs = self.result_types()?;
            return Ok(Type::Function(Arc::new(Signature { inputs, outputs })));
        }
        if self.cursor.eat("!") {
            let name = self.cursor.suffix();
            let name = format!("!{name}");
            if self.cursor.peek() == Some(b'<') && !matches!(&*name, "!stablehlo.token" | "!mhlo.token") {
                self.cursor.balanced()?;
            }
            return Ok(match &*name {
                "!stablehlo.token" | "!mhlo.token" => Type::of(Shape::Token),
                _ => Type::refused(format!("the type {name}")),
            });
        }
        let Some(name) = self.cursor.word() else {
            return at.fail(format!("a type is expected, not {}", at.shown()));
        };
        match name {
            "tensor" => self.tensor(),
            "complex" => {
                self.cursor.expect("<")?;
                let part = self.ty()?;
                self.cursor.expect(">")?;
                Ok(Type::complex(&part))
            }
            "tuple" => {
                self.cursor.expect("<")?;
                let mut parts = Vec::new();
                while !self.cursor.eat(">") {
                    parts.push(self.ty()?);
                    self.cursor.eat(",");
                }
                Ok(Type::tuple(&parts))
            }
            "none" => Ok(Type::refused("nothing")),
            "memref" | "vector" => {
                self.cursor.balanced()?;
                Ok(Type::refused(format!("a {name}")))
            }
            name => match dtype(name) {
                Some(dtype) => Ok(Type::Element(dtype)),
                None => Ok(Type::refused(format!("the type {name}"))),
            },
        }
    }

    /// `<2x3xf32>`, `<*xf32>`, `<?xf32, #encoding>`
    fn tensor(&mut self) -> Result<Type> {
        self.cursor.expect("<")?;
        let mut dims = Vec::new();
        let mut refused = None;
        loop {
            match self.cursor.peek() {
                Some(b'?') => {
                    self.cursor.eat("?");
                    dims.push(-1);
                }
                Some(b'*') => {
                    self.cursor.eat("*");
                    refused = Some("an array of unknown rank: shapes must be static");
                }
                Some(b'0'..=b'9') => {
                    let at = self.cursor.clone();
                    let rest = self.cursor.rest();
                    let len = rest.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
                    self.cursor.pos += len;
                    match rest[..len].parse() {
                        Ok(dim) => dims.push(dim),
                        Err(_) => return at.fail("an extent is beyond all numbers"),
                    }
                }
                _ => break,
            }
            self.cursor.expect("x")?;
        }
        let element = self.ty()?;
        if self.cursor.eat(",") {
            let bounds = self.cursor.rest().starts_with("#stablehlo.bounds");
            self.attr()?;
            if bounds {
                refused = Some("a bounded dynamic shape: shapes must be static");
            }
        }
        self.cursor.expect(">")?;
        Ok(refused.map_or_else(|| Type::tensor(&element, dims), Type::refused))
    }

    pub fn types_in_parentheses(&mut self) -> Result<Vec<Type>> {
        self.cursor.expect("(")?;
        let mut types = Vec::new();
        while !self.cursor.eat(")") {
            types.push(self.ty()?);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b')') {
                self.cursor.expect(")")?;
            }
        }
        Ok(types)
    }

    /// One type, or several in parentheses.
    pub fn result_types(&mut self) -> Result<Vec<Type>> {
        match self.cursor.peek() {
            Some(b'(') => self.types_in_parentheses(),
            _ => Ok(vec![self.ty()?]),
        }
    }

    /// Begins something that may hold others; the height of what stands beside it.
    pub fn deeper(&mut self) -> Result<usize> {
        self.depth += 1;
        match self.depth > MAX_DEPTH + LEVELS_OF_ALIAS * self.open_aliases {
            true => self.cursor.fail(format!("brackets and regions nest more than {MAX_DEPTH} deep")),
            false => Ok(std::mem::take(&mut self.below)),
        }
    }

    /// Ends an attribute or a type: what is made of others, by aliases too, is no higher than brackets may nest.
    pub fn higher(&mut self, made_of_others: bool, beside: usize) -> Result<()> {
        self.depth -= 1;
        let height = if made_of_others { self.below + 1 } else { 1 };
        if height > MAX_DEPTH {
            return self.cursor.fail(format!("what aliases stand for nests more than {MAX_DEPTH} deep"));
        }
        self.below = beside.max(height);
        Ok(())
    }
}
