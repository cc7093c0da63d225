//! Attributes as MLIR prints them.

use super::Reader;
use super::cursor::int;
use crate::error::Result;
use crate::ir::{Attr, Type};
use lawson_hlo::DType;
use std::sync::Arc;

impl Reader<'_> {
    /// Any attribute.
    pub fn attr(&mut self) -> Result<Attr> {
        let beside = self.deeper()?;
        let attr = self.one_attr()?;
        self.higher(attr.is_made_of_others(), beside)?;
        Ok(attr)
    }

    fn one_attr(&mut self) -> Result<Attr> {
        let at = self.cursor.clone();
        match self.cursor.peek() {
            Some(b'"') => {
                let text = self.cursor.string()?;
                if self.cursor.eat(":") {
                    self.ty()?;
                }
                Ok(Attr::string(text))
            }
            Some(b'@') => Ok(Attr::Symbol(self.symbol()?)),
            Some(b'[') => self.list().map(|list| Attr::Array(list.into())),
            Some(b'{') => self.dictionary().map(|entries| Attr::Dict(entries.into())),
            Some(b'<') => self.named_in_angles(),
            Some(b'#') => self.dialect_attr(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'!' | b'(') => Ok(Attr::Type(self.ty()?)),
            _ => match self.cursor.word() {
                Some("true") => Ok(Attr::Bool(true)),
                Some("false") => Ok(Attr::Bool(false)),
                Some("unit") => Ok(Attr::Unit),
                Some("dense") => self.dense(),
                Some("dense_resource") => self.dense_resource(),
                Some("array") => self.array(),
                Some("loc") => {
                    self.cursor = at;
                    Ok(Attr::Location(self.location()?))
                }
                Some("affine_map" | "affine_set" | "sparse" | "distinct" | "strided") => {
                    self.cursor.balanced()?;
                    Ok(Attr::Other("an attribute of another kind".into()))
                }
                Some("tensor" | "tuple" | "complex" | "memref" | "vector" | "none") => {
                    self.cursor = at;
                    Ok(Attr::Type(self.ty()?))
                }
                Some(name) => Ok(match crate::ir::dtype(name) {
                    Some(dtype) => Attr::Type(Type::Element(dtype)),
                    None => Attr::string(name),
                }),
                None => at.fail(format!("an attribute is expected, not {}", at.shown())),
            },
        }
    }

    /// `@name`, `@"a name"`; what is within another thing by the name of that.
    pub fn symbol(&mut self) -> Result<Arc<str>> {
        let name = self.one_symbol()?;
        while self.cursor.text[self.cursor.pos..].starts_with("::@") {
            self.cursor.pos += 2;
            self.one_symbol()?;
        }
        Ok(name)
    }

    fn one_symbol(&mut self) -> Result<Arc<str>> {
        self.cursor.expect("@")?;
        Ok(match self.cursor.text.as_bytes().get(self.cursor.pos) {
            Some(b'"') => self.cursor.string()?.into(),
            _ => self.cursor.suffix().into(),
        })
    }

    /// Attributes between brackets.
    fn list(&mut self) -> Result<Vec<Attr>> {
        self.cursor.expect("[")?;
        let mut list = Vec::new();
        while !self.cursor.eat("]") {
            list.push(self.attr()?);
            if !self.cursor.eat(",") && self.cursor.peek() != Some(b']') {
                self.cursor.expect("]")?;
            }
        }
        Ok(list)
    }

    /// `{a = 1, b}`
    pub fn dictionary(&mut self) -> Result<Vec<(Arc<str>, Attr)>> {
        self.cursor.expect("{")?;
        self.entries("}")
    }

    /// Names with values, and names alone, up to a bracket.
    pub fn entries(&mut self, close: &str) -> Result<Vec<(Arc<str>, Attr)>> {
        let mut entries = Vec::new();
        while !self.cursor.eat(close) {
            let at = self.cursor.clone();
            let name: Arc<str> = match self.cursor.peek() {
                Some(b'"') => self.cursor.string()?.into(),
                _ => match self.cursor.word() {
                    Some(name) => name.into(),
                    None => return at.fail(format!("a name is expected, not {}", at.shown())),
                },
            };
            let value = if self.cursor.eat("=") { self.attr()? } else { Attr::Unit };
            entries.push((name, value));
            if !self.cursor.eat(",") && !self.cursor.rest().starts_with(close) {
                self.cursor.expect(close)?;
            }
        }
        Ok(entries)
    }

    /// `1`, `1 : i64`, `1.0 : f32`, `0x7F800000 : f32`, `-1`
    fn number(&mut self) -> Result<Attr> {
        let at = self.cursor.clone();
        let Some(text) = self.cursor.number() else {
            return at.fail(format!("a number is expected, not {}", at.shown()));
        };
        let dtype = match self.cursor.eat(":") {
            true => match self.ty()? {
                Type::Element(dtype) => Some(dtype),
                _ => None,
            },
            false => None,
        };
        let float = dtype.filter(|d: &DType| d.is_float());
        match (int(text), float) {
            (Some(bits), Some(dtype)) if text.starts_with("0x") => {
                Ok(Attr::Float(lawson_hlo::Scalar::from_bits(dtype, [bits as u64, 0, 0, 0]).as_f64()))
            }
            (Some(value), None) => Ok(Attr::Int(value as i64)),
            _ => match text.parse() {
                Ok(value) => Ok(Attr::Float(value)),
                Err(_) => at.fail(format!("a number is expected, not {}", at.shown())),
            },
        }
    }

    /// What follows `array`: `<i64: 1, 2>`.
    fn array(&mut self) -> Result<Attr> {
        self.cursor.expect("<")?;
        self.ty()?;
        let mut values = Vec::new();
        if self.cursor.eat(":") {
            while self.cursor.peek() != Some(b'>') {
                let at = self.cursor.clone();
                values.push(match self.attr()? {
                    Attr::Int(value) => value,
                    Attr::Bool(value) => value as i64,
                    _ => return at.fail("an integer is expected here"),
                });
                self.cursor.eat(",");
            }
        }
        self.cursor.expect(">")?;
        Ok(Attr::Ints(values.into()))
    }

    /// `<a = 1, b = f32>`: names with values; anything else between angles is kept as text.
    fn named_in_angles(&mut self) -> Result<Attr> {
        let before = self.cursor.clone();
        self.cursor.expect("<")?;
        let mut ahead = self.cursor.clone();
        let named = ahead.eat(">") || ahead.word().is_some() && ahead.eat("=");
        if named {
            return Ok(Attr::Dict(self.entries(">")?.into()));
        }
        self.cursor = before;
        Ok(Attr::Other(self.cursor.balanced()?.into()))
    }

    /// `#alias`, `#stablehlo<precision HIGH>`, `#stablehlo.gather<…>`, `#other.thing<…>`
    fn dialect_attr(&mut self) -> Result<Attr> {
        self.cursor.expect("#")?;
        let name = self.cursor.suffix();
        let angles = self.cursor.text[self.cursor.pos..].starts_with('<');
        match name {
            "stablehlo" | "chlo" | "vhlo" if angles => {
                let text = self.cursor.balanced()?;
                Ok(Attr::string(text.split_whitespace().next_back().unwrap_or("")))
            }
            "stablehlo.conv" if angles => {
                self.cursor.expect("<")?;
                let dims = self.convolution_dims()?;
                self.cursor.expect(">")?;
                Ok(Attr::Dict(dims.into()))
            }
            _ if angles && (name.starts_with("stablehlo.") || name.starts_with("chlo.")) => {
                self.named_in_angles()
            }
            _ if angles => Ok(Attr::Other(self.cursor.balanced()?.into())),
            alias => Ok(self.alias(alias)),
        }
    }
}
