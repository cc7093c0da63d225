//! How the tasks of a kernel lie on a graphics processor: what code assumes, and a launch has to do.
//!
//! A task is a warp. A block has as many warps as [`block_warps`] says, which divide its shared memory for the arrays of
//! their tasks; where it has no room for those of one, they are in device memory. Any number of blocks does all tasks: a warp
//! begins with the task of its number in the grid and goes on by as many as there are warps.
//!
//! An entry ([`entry_symbol`]) is launched with words of 64 bits: the address of the byte that ends loops when it is set,
//! the addresses of all buffers, aligned to 64 bytes, and, where [`Blocks::scratch`] is not 0, the address of
//! [`Blocks::scratch_bytes`].

use lawson_kernel::loop_ir::Kernel;
use lawson_kernel::target;
use lawson_kernel::target::block_warps;

/// Threads of a warp.
pub(crate) const WARP: u32 = target::WARP as u32;
/// Words that a kernel is launched with, at most.
const MOST_WORDS: usize = 512;

/// The blocks of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// Warps of a block.
    pub warps: u32,
    /// Bytes of shared memory of a block.
    pub shared: i64,
    /// Bytes of device memory that each warp has for itself.
    pub scratch: i64,
    /// Words that each entry is launched with.
    pub words: u32,
}

impl Blocks {
    /// `None` where the kernel has more arrays than a launch can pass.
    pub fn of(kernel: &Kernel) -> Option<Blocks> {
        let (_, local) = kernel.local_layout();
        let (warps, shared, scratch) = match (block_warps(local), block_warps(0)) {
            (Some(warps), _) => (warps, warps * local, 0),
            (None, most) => (most.unwrap_or(1), 0, local),
        };
        let words = 1 + kernel.buffers.len() + (scratch > 0) as usize;
        (words <= MOST_WORDS).then_some(Blocks { warps: warps as u32, shared, scratch, words: words as u32 })
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.warps * WARP
    }

    /// Blocks of which each warp has one of so many tasks.
    pub fn grid(&self, tasks: i64) -> i64 {
        (tasks + self.warps as i64 - 1) / self.warps as i64
    }

    /// Bytes of scratch that so many blocks have.
    pub fn scratch_bytes(&self, grid: i64) -> i64 {
        grid * self.warps as i64 * self.scratch
    }
}

/// The name of the entry of a kernel's phase. A dot becomes `$$`, what else may not be in names a number.
pub fn entry_symbol(kernel: &str, phase: usize) -> String {
    let mut name = String::new();
    for c in kernel.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(c),
            '.' => name += "$$",
            c => name += &format!("${:x}_", c as u32),
        }
    }
    format!("{name}_{phase}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Elem, Local};

    fn blocks(bytes: i64) -> Blocks {
        let local = Local { name: "l".into(), elem: Elem::I8, len: bytes };
        Blocks::of(&Kernel { locals: vec![local], ..Kernel::default() }).unwrap()
    }

    #[test]
    fn as_many_warps_as_have_room() {
        assert_eq!(blocks(0), Blocks { warps: 8, shared: 0, scratch: 0, words: 1 });
        assert_eq!((blocks(6 << 10).warps, blocks(6 << 10).shared), (8, 48 << 10));
        assert_eq!((blocks(20 << 10).warps, blocks(20 << 10).shared), (2, 40 << 10));
        let large = blocks(100 << 10);
        assert_eq!((large.warps, large.shared, large.words), (8, 0, 2));
        assert_eq!((large.grid(17), large.scratch_bytes(3)), (3, 24 * (100 << 10)));
    }

    #[test]
    fn entries_have_names_of_ptx() {
        assert_eq!(entry_symbol("fusion.3", 1), "fusion$$3_1");
        assert_eq!(entry_symbol("a-b", 0), "a$2d_b_0");
    }
}
