//! Reading numbers and bytes, each error with its offset in the artifact.

use crate::error::{Error, Place, Result};

/// A part of the artifact that is being read.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// Where the next byte stands in the artifact.
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], offset: usize) -> Cursor<'a> {
        Cursor { bytes, offset }
    }

    pub fn place(&self) -> Place {
        Place::Byte(self.offset)
    }

    pub fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::malformed(self.place(), message))
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// The next so many bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        if n > self.bytes.len() {
            let left = self.bytes.len();
            return self.fail(format!("the artifact ends too early: {n} bytes are wanted, {left} are left"));
        }
        let (head, tail) = self.bytes.split_at(n);
        self.bytes = tail;
        self.offset += n;
        Ok(head)
    }

    /// The next so many bytes as a part of their own.
    pub fn part(&mut self, n: usize) -> Result<Cursor<'a>> {
        let offset = self.offset;
        Ok(Cursor { bytes: self.take(n)?, offset })
    }

    /// Skips up to the next multiple of a power of two, counted from the start of the artifact.
    pub fn align(&mut self, alignment: u64) -> Result<()> {
        let padding = (self.offset as u64).wrapping_neg() & (alignment - 1);
        self.take(usize::try_from(padding).unwrap_or(usize::MAX))?;
        Ok(())
    }

    pub fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// A number of up to 64 bits: the zeros at the end of the first byte count the bytes that follow it.
    pub fn varint(&mut self) -> Result<u64> {
        let first = self.byte()?;
        let more = first.trailing_zeros() as usize;
        if more >= 8 {
            return Ok(u64::from_le_bytes(self.take(8)?.try_into().expect("eight bytes")));
        }
        let mut word = [0; 8];
        word[0] = first;
        word[1..=more].copy_from_slice(self.take(more)?);
        Ok(u64::from_le_bytes(word) >> (more + 1))
    }

    /// A signed number: its sign is the lowest bit.
    pub fn signed(&mut self) -> Result<i64> {
        let n = self.varint()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// A number with a flag in its lowest bit.
    pub fn flagged(&mut self) -> Result<(u64, bool)> {
        let n = self.varint()?;
        Ok((n >> 1, n & 1 == 1))
    }

    /// The length of a list whose elements take at least one byte each: never more than there are bytes.
    pub fn count(&mut self) -> Result<usize> {
        let at = *self;
        let n = self.varint()?;
        at.bounded(n, self.remaining())
    }

    /// As [`Cursor::count`], with a flag.
    pub fn flagged_count(&mut self) -> Result<(usize, bool)> {
        let at = *self;
        let (n, flag) = self.flagged()?;
        Ok((at.bounded(n, self.remaining())?, flag))
    }

    /// A number that must be below `len`: what it counts in.
    pub fn index(&mut self, what: &str, len: usize) -> Result<usize> {
        let at = *self;
        let n = self.varint()?;
        at.in_range(what, n, len)
    }

    pub fn in_range(&self, what: &str, n: u64, len: usize) -> Result<usize> {
        match usize::try_from(n) {
            Ok(n) if n < len => Ok(n),
            _ => self.fail(format!("{what} {n} is named, and there are {len}")),
        }
    }

    fn bounded(&self, n: u64, limit: usize) -> Result<usize> {
        match usize::try_from(n) {
            Ok(n) if n <= limit => Ok(n),
            _ => self.fail(format!("{n} elements are announced in {limit} bytes")),
        }
    }

    pub fn signed_list(&mut self) -> Result<Vec<i64>> {
        let n = self.count()?;
        (0..n).map(|_| self.signed()).collect()
    }

    /// Bytes with their number before them.
    pub fn blob(&mut self) -> Result<&'a [u8]> {
        let n = self.count()?;
        self.take(n)
    }

    /// Bytes up to a zero.
    pub fn zero_terminated(&mut self) -> Result<&'a [u8]> {
        let Some(n) = self.bytes.iter().position(|&b| b == 0) else {
            return self.fail("a text has no end");
        };
        let text = self.take(n)?;
        self.byte()?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths() {
        let of = |bytes: &[u8]| Cursor::new(bytes, 0).varint();
        assert_eq!(of(&[0x0d]).ok(), Some(6));
        assert_eq!(of(&[0x02, 0x01]).ok(), Some(64));
        assert_eq!(of(&[0, 1, 2, 3, 4, 5, 6, 7, 8]).ok(), Some(0x0807_0605_0403_0201));
        assert_eq!(of(&[0x80, 1, 2, 3, 4, 5, 6, 7]).ok(), Some(0x0007_0605_0403_0201));
        assert_eq!(of(&[0x02]).unwrap_err().place, Place::Byte(1));
        assert_eq!(Cursor::new(&[0x07], 0).signed().ok(), Some(-2));
    }

    #[test]
    fn lists_are_no_longer_than_their_bytes() {
        let mut cursor = Cursor::new(&[0xff, 1, 2], 40);
        let error = cursor.count().unwrap_err();
        assert_eq!(
            (error.place, &*error.message),
            (Place::Byte(40), "127 elements are announced in 2 bytes")
        );
    }
}
