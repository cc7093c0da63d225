//! The attributes of one instruction, taken one after another by whoever understands them.

use super::operands::Call;
use crate::ids::CompId;
use crate::opcode::Opcode;
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};
use std::ops::Range;

/// An attribute as it stands in the text.
pub(super) struct RawAttr<'t> {
    pub key: &'t str,
    pub key_span: Range<usize>,
    pub value: RawValue,
}

pub(super) enum RawValue {
    Text(Range<usize>),
    Computations(Vec<CompId>),
}

pub(super) struct Fields<'t> {
    cur: Cursor<'t>,
    attrs: Vec<RawAttr<'t>>,
    opcode: Opcode,
    /// The opcode as the text has it.
    pub word: &'t str,
    opcode_span: Range<usize>,
}

impl<'t> Fields<'t> {
    pub fn new(cur: &Cursor<'t>, call: &Call<'t>, attrs: Vec<RawAttr<'t>>) -> Fields<'t> {
        Fields {
            cur: cur.clone(),
            attrs,
            opcode: call.opcode,
            word: call.word,
            opcode_span: call.opcode_span.clone(),
        }
    }

    fn take(&mut self, key: &str) -> Option<RawAttr<'t>> {
        let at = self.attrs.iter().position(|a| a.key == key)?;
        Some(self.attrs.remove(at))
    }

    /// What `read` makes of the whole value of an attribute, if it is there.
    pub fn may<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Cursor<'t>) -> Parsed<T>,
    ) -> Parsed<Option<T>> {
        match self.take(key) {
            None => Ok(None),
            Some(RawAttr { value: RawValue::Text(span), .. }) => {
                let mut cur = self.cur.within(span);
                let value = read(&mut cur)?;
                cur.finish()?;
                Ok(Some(value))
            }
            Some(attr) => Err(self.unknown(&attr)),
        }
    }

    /// Like [`Fields::may`] for an attribute that must be there.
    pub fn need<T>(&mut self, key: &str, read: impl FnOnce(&mut Cursor<'t>) -> Parsed<T>) -> Parsed<T> {
        match self.may(key, read)? {
            Some(value) => Ok(value),
            None => Err(self.missing(key)),
        }
    }

    fn missing(&self, key: &str) -> Fault {
        Fault::new(self.opcode_span.clone(), format!("`{}` needs the attribute `{key}=`", self.opcode))
    }

    /// The computations an attribute names, if it is there.
    pub fn calls(&mut self, key: &str) -> Option<Vec<CompId>> {
        match self.take(key)?.value {
            RawValue::Computations(ids) => Some(ids),
            RawValue::Text(_) => None,
        }
    }

    /// The one computation an attribute must name.
    pub fn call(&mut self, key: &str) -> Parsed<CompId> {
        let span = self.attrs.iter().find(|a| a.key == key).map(|a| a.key_span.clone());
        match self.calls(key).as_deref() {
            Some(&[id]) => Ok(id),
            Some(_) => Err(Fault::new(span.unwrap_or_default(), format!("`{key}=` names one computation"))),
            None => Err(self.missing(key)),
        }
    }

    /// The next attribute not yet taken, with the text of its value.
    pub fn next_text(&mut self, wanted: impl Fn(&str) -> bool) -> Option<(String, String)> {
        let at = self.attrs.iter().position(|a| matches!(a.value, RawValue::Text(_)) && wanted(a.key))?;
        let attr = self.attrs.remove(at);
        match attr.value {
            RawValue::Text(span) => Some((attr.key.to_string(), self.cur.text(span).to_string())),
            RawValue::Computations(_) => None,
        }
    }

    /// The next attribute not yet taken that names computations.
    pub fn next_calls(&mut self) -> Option<(String, Vec<CompId>)> {
        let at = self.attrs.iter().position(|a| matches!(a.value, RawValue::Computations(_)))?;
        let attr = self.attrs.remove(at);
        match attr.value {
            RawValue::Computations(ids) => Some((attr.key.to_string(), ids)),
            RawValue::Text(_) => None,
        }
    }

    /// Every attribute must have been taken.
    pub fn finish(&self) -> Parsed<()> {
        match self.attrs.first() {
            None => Ok(()),
            Some(attr) => Err(self.unknown(attr)),
        }
    }

    fn unknown(&self, attr: &RawAttr<'_>) -> Fault {
        Fault::new(attr.key_span.clone(), format!("`{}` has no attribute `{}=`", self.word, attr.key))
    }
}
