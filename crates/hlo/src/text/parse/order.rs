//! The order in which to read computations when one is named before it is defined.

use super::{Parser, begins_computation};
use crate::text::cursor::Cursor;
use crate::text::error::{Fault, Parsed};
use crate::text::names_computations;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A computation seen from outside.
struct Item<'t> {
    name: &'t str,
    start: usize,
    /// The computations it names, and where.
    callees: Vec<(&'t str, Range<usize>)>,
}

/// Where each computation begins, callees before callers. A cycle is an error.
pub(super) fn callees_first(text: &str) -> Parsed<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let items = Parser::new(text).outline()?;
    let index: FxHashMap<&str, usize> = items.iter().enumerate().map(|(i, item)| (item.name, i)).collect();
    let mut state = vec![State::New; items.len()];
    let mut order = Vec::with_capacity(items.len());
    for first in 0..items.len() {
        // Depth first; the path holds how many callees of each computation on it have been followed.
        let mut path = vec![(first, 0)];
        while let Some((at, followed)) = path.last_mut() {
            let at = *at;
            let next = items[at].callees.get(*followed);
            *followed += 1;
            if state[at] == State::Done {
                path.pop();
            } else if let Some((callee, span)) = next {
                state[at] = State::Open;
                match index.get(callee) {
                    Some(&i) if state[i] == State::Open => {
                        return Err(Fault::new(span.clone(), format!("`{callee}` would call itself")));
                    }
                    Some(&i) => path.push((i, 0)),
                    None => {}
                }
            } else {
                state[at] = State::Done;
                order.push(items[at].start);
                path.pop();
            }
        }
    }
    Ok(order)
}

impl<'t> Parser<'t> {
    /// The computations in the order of the text, their bodies skipped.
    fn outline(mut self) -> Parsed<Vec<Item<'t>>> {
        self.header()?;
        let mut items = Vec::new();
        while begins_computation(&self.cur) {
            self.cur.blank();
            let start = self.cur.pos;
            self.cur.eat_word("ENTRY");
            let (name, _) = self.cur.name("the name of a computation")?;
            if self.cur.peek() == Some(b'(') {
                self.signature()?;
            }
            let body = self.cur.value("the body of the computation")?;
            let callees = callees(self.cur.within(body));
            items.push(Item { name, start, callees });
            if self.cur.eat(b',') {
                self.cur.value("an attribute")?;
            }
        }
        Ok(items)
    }
}

/// The computations that attributes name anywhere in a body.
fn callees<'t>(mut cur: Cursor<'t>) -> Vec<(&'t str, Range<usize>)> {
    let mut out = Vec::new();
    while let Some(b) = cur.peek() {
        if b == b'"' && cur.string().is_ok() {
            continue;
        }
        let Some(word) = cur.word() else {
            cur.skip_char();
            continue;
        };
        if !names_computations(word) || !cur.eat_here(b'=') {
            continue;
        }
        let braced = cur.eat(b'{');
        loop {
            let mut ahead = cur.clone();
            let Ok((name, span)) = ahead.name("") else { break };
            if braced && !matches!(ahead.peek(), Some(b',' | b'}')) {
                // An inline body: its own attributes are found in turn.
                break;
            }
            out.push((name, span));
            cur = ahead;
            if !braced || !cur.eat(b',') {
                break;
            }
        }
    }
    out
}
