//! Declaring the arrays of a task's own.

use super::CodeBuilder;
use crate::loop_ir::{Buf, Elem, Local};

impl CodeBuilder {
    pub fn local(&mut self, name: impl Into<String>, elem: Elem, len: i64) -> Buf {
        self.kernel.locals.push(Local { name: name.into(), elem, len, part: self.part });
        Buf::Local(self.kernel.locals.len() as u32 - 1)
    }

    /// As [`CodeBuilder::local`]; it may be one of this name that was given back.
    pub fn local_again(&mut self, name: &str, elem: Elem, len: i64) -> Buf {
        let part = self.part;
        let fits = |l: &Local| l.name == name && l.elem == elem && l.part == part;
        let known = self.given_back.iter().position(|&i| fits(&self.kernel.locals[i as usize]));
        let Some(known) = known else { return self.local(name, elem, len) };
        let i = self.given_back.swap_remove(known);
        let array = &mut self.kernel.locals[i as usize];
        array.len = array.len.max(len);
        Buf::Local(i)
    }

    /// No code from here on needs what the array holds.
    pub fn give_back(&mut self, array: Buf) {
        if let Buf::Local(i) = array {
            self.given_back.push(i);
        }
    }

    /// Begins another part of the kernel, which knows nothing of the arrays of those before.
    pub fn begin_part(&mut self) {
        self.part = Some(self.part.map_or(0, |p| p + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_that_were_given_back_are_used_again_in_their_part() {
        let mut b = CodeBuilder::new("k");
        let first = b.local_again("packed", Elem::F32, 16);
        assert_ne!(b.local_again("packed", Elem::F32, 16), first, "it is in use");
        b.give_back(first);
        assert_ne!(b.local_again("packed", Elem::F64, 16), first);
        assert_ne!(b.local_again("ahead", Elem::F32, 16), first);
        assert_eq!(b.local_again("packed", Elem::F32, 64), first);
        assert_eq!(b.kernel().locals[0].len, 64);
        b.give_back(first);
        b.begin_part();
        assert_ne!(b.local_again("packed", Elem::F32, 16), first);
        assert_eq!(b.kernel().locals.last().and_then(|l| l.part), Some(0));
    }
}
