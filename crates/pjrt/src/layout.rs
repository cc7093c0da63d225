//! Layouts of arrays, as objects that callers hold.

use crate::abi::memory::Handle;

/// The one layout of arrays of this rank.
pub struct RowMajor {
    pub rank: usize,
}

impl RowMajor {
    /// As XLA writes layouts: the dimensions from the minor one on.
    pub fn serialized(&self) -> Vec<u8> {
        let dims: Vec<String> = (0..self.rank).rev().map(|d| d.to_string()).collect();
        format!("{{{}}}", dims.join(",")).into_bytes()
    }
}

/// Layouts that are lent.
pub struct Layouts {
    /// What the handles name.
    _own: Box<[RowMajor]>,
    handles: Box<[Handle<RowMajor>]>,
}

impl Layouts {
    /// Those of arrays of these ranks.
    pub fn new(ranks: impl IntoIterator<Item = usize>) -> Layouts {
        let own: Box<[RowMajor]> = ranks.into_iter().map(|rank| RowMajor { rank }).collect();
        let handles = own.iter().map(Handle::lend).collect();
        Layouts { _own: own, handles }
    }

    pub fn handles(&self) -> &[Handle<RowMajor>] {
        &self.handles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_dimension_is_the_minor_one() {
        assert_eq!(RowMajor { rank: 3 }.serialized(), b"{2,1,0}");
        assert_eq!(RowMajor { rank: 0 }.serialized(), b"{}");
    }
}
