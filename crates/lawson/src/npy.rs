//! Headers of `.npy` arrays, versions 1 to 3.
//!
//! A header is a Python dictionary literal with exactly the keys `descr`, `fortran_order` and `shape`. Reading
//! never panics, never recurses, and never allocates more than [`MAX_HEADER`] bytes, whatever the file says.

use std::io::Read;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// No array of numbers needs a longer header.
const MAX_HEADER: usize = 1 << 16;

/// What a `.npy` file says about its array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The element type as numpy writes it: `<f4`, `|b1`.
    pub descr: String,
    /// The first dimension varies fastest.
    pub fortran_order: bool,
    /// The extents.
    pub dims: Vec<u64>,
}

impl Header {
    /// Reads a header and leaves the reader at the first element. The error is the cause, in words.
    pub fn read(reader: &mut impl Read) -> Result<Header, String> {
        let mut start = [0u8; 8];
        fill(reader, &mut start)?;
        if &start[..6] != MAGIC {
            return Err("it is not a .npy array".into());
        }
        let length = match start[6] {
            1 => {
                let mut bytes = [0u8; 2];
                fill(reader, &mut bytes)?;
                u16::from_le_bytes(bytes) as usize
            }
            2 | 3 => {
                let mut bytes = [0u8; 4];
                fill(reader, &mut bytes)?;
                u32::from_le_bytes(bytes) as usize
            }
            version => return Err(format!("its .npy version {version} is not known")),
        };
        if length > MAX_HEADER {
            return Err(format!("its header of {length} bytes is too long for an array of numbers"));
        }
        let mut text = vec![0u8; length];
        fill(reader, &mut text)?;
        let text = std::str::from_utf8(&text).map_err(|_| "its header is not text".to_string())?;
        Cursor(text).header().ok_or_else(|| format!("its header is not understood: {}", text.trim()))
    }

    /// The bytes of a version 1 file up to the first element, padded to a multiple of 64.
    pub fn to_bytes(&self) -> Vec<u8> {
        let dims: String = self.dims.iter().map(|d| format!("{d}, ")).collect();
        let dims = if self.dims.len() == 1 { dims.trim_end() } else { dims.trim_end_matches(", ") };
        let order = if self.fortran_order { "True" } else { "False" };
        let text = format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': ({dims}), }}", self.descr);
        let padded = (10 + text.len() + 1).next_multiple_of(64) - 10;
        let mut out = MAGIC.to_vec();
        out.extend([1, 0]);
        out.extend((padded as u16).to_le_bytes());
        out.extend(text.as_bytes());
        out.resize(10 + padded - 1, b' ');
        out.push(b'\n');
        out
    }
}

fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> Result<(), String> {
    reader.read_exact(buffer).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => "it is truncated".to_string(),
        _ => e.to_string(),
    })
}

/// The rest of a header's text.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn header(&mut self) -> Option<Header> {
        let (mut descr, mut fortran_order, mut dims) = (None, None, None);
        self.eat("{")?;
        while self.eat("}").is_none() {
            let key = self.string()?;
            self.eat(":")?;
            match key {
                "descr" => descr = Some(self.string()?.to_string()),
                "fortran_order" => fortran_order = Some(self.boolean()?),
                "shape" => dims = Some(self.tuple()?),
                _ => return None,
            }
            if self.eat(",").is_none() {
                self.eat("}")?;
                break;
            }
        }
        if !self.0.trim().is_empty() {
            return None;
        }
        Some(Header { descr: descr?, fortran_order: fortran_order?, dims: dims? })
    }

    fn eat(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(token)?;
        Some(())
    }

    fn string(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (text, rest) = rest[1..].split_once(quote)?;
        self.0 = rest;
        Some(text)
    }

    fn boolean(&mut self) -> Option<bool> {
        if self.eat("True").is_some() { Some(true) } else { self.eat("False").map(|()| false) }
    }

    fn tuple(&mut self) -> Option<Vec<u64>> {
        let mut dims = Vec::new();
        self.eat("(")?;
        while self.eat(")").is_none() {
            let rest = self.0.trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            dims.push(rest[..end].parse().ok()?);
            // Python 2 wrote long integers with an L.
            self.0 = rest[end..].strip_prefix('L').unwrap_or(&rest[end..]);
            if self.eat(",").is_none() {
                self.eat(")")?;
                break;
            }
        }
        Some(dims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Header> {
        Cursor(text).header()
    }

    #[test]
    fn headers_round_trip() {
        for dims in [vec![], vec![7], vec![2, 3], vec![0, 1 << 40]] {
            let header = Header { descr: "<f4".into(), fortran_order: dims.len() == 2, dims };
            let bytes = header.to_bytes();
            assert_eq!(bytes.len() % 64, 0);
            let mut reader = bytes.as_slice();
            assert_eq!(Header::read(&mut reader), Ok(header));
            assert!(reader.is_empty());
        }
    }

    #[test]
    fn writers_differ_in_spacing_and_order() {
        let header = parse("{\"shape\":(3,),'fortran_order':True,'descr':'|b1'}  \n").expect("header");
        assert_eq!(header, Header { descr: "|b1".into(), fortran_order: true, dims: vec![3] });
        assert!(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L), }").is_some());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '<f4'}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(Header::read(&mut &b"\x93NUMPY\x02\0\xff\xff\xff\xff"[..]).unwrap_err().contains("too long"));
        assert!(Header::read(&mut &b"\x93NUMPY\x01\0\xff\0{"[..]).unwrap_err().contains("truncated"));
        assert!(Header::read(&mut &b"PK\x03\x04 not an array"[..]).unwrap_err().contains("not a .npy"));
    }
}
