//! Locations: `loc("jit(f)/sin"(callsite(…)))`, mostly through aliases that stand at the end of the text.

use super::Reader;
use crate::error::Result;
use crate::ir::{Loc, Location};

impl Reader<'_> {
    /// A location, if one comes next.
    pub fn trailing_location(&mut self) -> Result<Option<Loc>> {
        let rest = self.cursor.rest();
        let follows = rest.strip_prefix("loc").is_some_and(|r| r.trim_start().starts_with('('));
        follows.then(|| self.location()).transpose()
    }

    /// `loc(…)`
    pub fn location(&mut self) -> Result<Loc> {
        self.cursor.expect("loc")?;
        self.cursor.expect("(")?;
        let loc = self.location_value()?;
        self.cursor.expect(")")?;
        Ok(loc)
    }

    fn location_value(&mut self) -> Result<Loc> {
        self.deeper()?;
        let loc = self.one_location();
        self.depth -= 1;
        loc
    }

    fn one_location(&mut self) -> Result<Loc> {
        let at = self.cursor.clone();
        match self.cursor.peek() {
            Some(b'#') => {
                self.cursor.expect("#")?;
                let name = self.cursor.suffix();
                Ok(self.location_alias(name))
            }
            Some(b'"') => {
                let text = self.cursor.string()?;
                if self.cursor.eat(":") {
                    let line = self.cursor.integer()?;
                    self.range()?;
                    let file = Some((text.into(), u32::try_from(line).unwrap_or(0)));
                    return Ok(self.module.locations.add(Location { scope: None, file }));
                }
                let child = match self.cursor.eat("(") {
                    true => {
                        let child = self.location_value()?;
                        self.cursor.expect(")")?;
                        child
                    }
                    false => Loc::default(),
                };
                let location = Location::named(text.into(), self.module.locations.get(child));
                Ok(self.module.locations.add(location))
            }
            _ => match self.cursor.word() {
                Some("unknown") => Ok(Loc::default()),
                Some("callsite") => {
                    self.cursor.expect("(")?;
                    let callee = self.location_value()?;
                    self.cursor.expect("at")?;
                    let caller = self.location_value()?;
                    self.cursor.expect(")")?;
                    Ok(self.joined(callee, caller))
                }
                Some("fused") => {
                    if self.cursor.peek() == Some(b'<') {
                        self.cursor.balanced()?;
                    }
                    self.cursor.expect("[")?;
                    let mut fused = Loc::default();
                    while !self.cursor.eat("]") {
                        let next = self.location_value()?;
                        fused = self.joined(fused, next);
                        self.cursor.eat(",");
                    }
                    Ok(fused)
                }
                _ => at.fail(format!("a location is expected, not {}", at.shown())),
            },
        }
    }

    fn joined(&mut self, inner: Loc, outer: Loc) -> Loc {
        let locations = &self.module.locations;
        let joined = Location::call(locations.get(inner), locations.get(outer));
        self.module.locations.add(joined)
    }

    /// What may follow a line: `:3`, `:3 to :7`, `:3 to 4:7`.
    fn range(&mut self) -> Result<()> {
        if self.cursor.eat(":") {
            self.cursor.integer()?;
        }
        if self.cursor.eat_word("to") {
            if self.cursor.peek() != Some(b':') {
                self.cursor.integer()?;
            }
            self.cursor.expect(":")?;
            self.cursor.integer()?;
        }
        Ok(())
    }
}
