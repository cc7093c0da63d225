//! The parts of an opcode between points, taken one by one; what is left at the end is unknown.

use crate::soft::Mode;
use crate::types::Type;

pub struct Modifiers<'a> {
    name: &'a str,
    parts: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub fn new(opcode: &'a str) -> Self {
        let mut parts = opcode.split('.');
        Self { name: parts.next().unwrap_or_default(), parts: parts.collect() }
    }

    pub fn name(&self) -> &'a str {
        self.name
    }

    pub fn is_done(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether that modifier is there, which is then taken.
    pub fn takes(&mut self, part: &str) -> bool {
        let at = self.parts.iter().position(|&p| p == part);
        at.map(|at| self.parts.remove(at)).is_some()
    }

    /// The first of these that is there.
    pub fn one_of(&mut self, choices: &[&'static str]) -> Option<&'static str> {
        choices.iter().find(|c| self.takes(c)).copied()
    }

    /// Takes the modifiers that begin like that.
    pub fn drop_prefixed(&mut self, prefix: &str) {
        self.parts.retain(|p| !p.starts_with(prefix));
    }

    /// The next modifier, whatever it is.
    pub fn first(&mut self) -> Option<&'a str> {
        (!self.parts.is_empty()).then(|| self.parts.remove(0))
    }

    /// The last modifier if it is a type.
    pub fn last_type(&mut self) -> Option<Type> {
        let t = Type::named(self.parts.last()?)?;
        self.parts.pop();
        Some(t)
    }

    /// The rounding mode of a float result.
    pub fn rounding(&mut self) -> Option<Mode> {
        const MODES: [(&str, Mode); 5] = [
            ("rn", Mode::Even),
            ("rz", Mode::Zero),
            ("rm", Mode::Down),
            ("rp", Mode::Up),
            ("rna", Mode::Away),
        ];
        MODES.iter().find(|(name, _)| self.takes(name)).map(|(_, mode)| *mode)
    }

    /// The rounding mode of an integral result.
    pub fn integral_rounding(&mut self) -> Option<Mode> {
        const MODES: [(&str, Mode); 4] =
            [("rni", Mode::Even), ("rzi", Mode::Zero), ("rmi", Mode::Down), ("rpi", Mode::Up)];
        MODES.iter().find(|(name, _)| self.takes(name)).map(|(_, mode)| *mode)
    }
}
