//! How the tasks of a kernel lie on a graphics processor: what code assumes, and a launch has to do.
//!
//! A task is done by a team: a warp, or as many warps as the phase says. A block has as many warps as [`block_warps`] says,
//! or those of one team where it has several; its teams divide its shared memory for the arrays of
//! their tasks; where it has no room for those of one, they are in device memory. Where a block has more of it than any has
//! without asking ([`Blocks::asked`]), the launch says how much. Any number of blocks does all tasks: a team
//! begins with the task of its number in the grid and goes on by as many as there are teams.
//!
//! Each phase has blocks of its own. An entry ([`entry_symbol`]) is launched with words of 64 bits: the address of the byte that ends loops when it is set,
//! the addresses of all buffers, aligned to 64 bytes, and, where [`Blocks::scratch`] is not 0, the address of
//! [`Blocks::scratch_bytes`].

use lawson_kernel::loop_ir::{Kernel, Phase};
use lawson_kernel::target;
use lawson_kernel::target::{ASKED_SHARED, BLOCK_SHARED, block_warps};

/// Threads of a warp.
pub(crate) const WARP: u32 = target::WARP as u32;
/// Words that a kernel is launched with, at most.
const MOST_WORDS: usize = 512;

/// The blocks of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// Warps of a block.
    pub warps: u32,
    /// Those that share a task: one, or all of the block.
    pub team: u32,
    /// Bytes of shared memory of a block.
    pub shared: i64,
    /// Bytes of device memory that each team has for itself.
    pub scratch: i64,
    /// Words that each entry is launched with.
    pub words: u32,
}

impl Blocks {
    /// `None` where the kernel has more arrays than a launch can pass.
    pub fn of(kernel: &Kernel, phase: &Phase) -> Option<Blocks> {
        let (_, local) = kernel.local_layout();
        let team = phase.warps;
        let asks = kernel.needs_matrix_units() && local <= ASKED_SHARED;
        let (warps, shared, scratch) = match (block_warps(local), block_warps(0)) {
            _ if team > 1 && asks => (team, local, 0),
            (Some(_), _) if team > 1 => (team, local, 0),
            (Some(warps), _) => (warps as u32, warps * local, 0),
            (None, _) if team > 1 => (team, 0, local),
            (None, most) => (most.unwrap_or(1) as u32, 0, local),
        };
        let words = 1 + kernel.buffers.len() + (scratch > 0) as usize;
        (words <= MOST_WORDS).then_some(Blocks { warps, team, shared, scratch, words: words as u32 })
    }

    /// Bytes of shared memory that a launch asks for: all, where it is more than blocks have without.
    pub fn asked(&self) -> i64 {
        if self.shared > BLOCK_SHARED { self.shared } else { 0 }
    }

    /// Teams of a block.
    pub fn teams(&self) -> u32 {
        self.warps / self.team
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.warps * WARP
    }

    /// Blocks of which each team has one of so many tasks.
    pub fn grid(&self, tasks: i64) -> i64 {
        (tasks + self.teams() as i64 - 1) / self.teams() as i64
    }

    /// Bytes of scratch that so many blocks have.
    pub fn scratch_bytes(&self, grid: i64) -> i64 {
        grid * self.teams() as i64 * self.scratch
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
    use lawson_kernel::loop_ir::{Elem, Local, V};

    fn blocks(bytes: i64, warps: u32) -> Blocks {
        let local = Local { name: "l".into(), elem: Elem::I8, len: bytes, part: None };
        let kernel = Kernel { locals: vec![local], ..Kernel::default() };
        Blocks::of(
            &kernel,
            &Phase { tasks: 1, task: V(0), warps, by_barriers: false, halves: false, body: Vec::new() },
        )
        .unwrap()
    }

    #[test]
    fn as_many_warps_as_have_room() {
        assert_eq!(blocks(0, 1), Blocks { warps: 8, team: 1, shared: 0, scratch: 0, words: 1 });
        assert_eq!((blocks(6 << 10, 1).warps, blocks(6 << 10, 1).shared), (8, 48 << 10));
        assert_eq!((blocks(20 << 10, 1).warps, blocks(20 << 10, 1).shared), (2, 40 << 10));
        let large = blocks(100 << 10, 1);
        assert_eq!((large.warps, large.shared, large.words), (8, 0, 2));
        assert_eq!((large.grid(17), large.scratch_bytes(3)), (3, 24 * (100 << 10)));
    }

    #[test]
    fn warps_that_share_a_task_are_a_block() {
        let small = blocks(20 << 10, 8);
        assert_eq!((small.warps, small.shared, small.scratch), (8, 20 << 10, 0));
        let large = blocks(100 << 10, 4);
        assert_eq!((large.threads(), large.shared, large.grid(17)), (128, 0, 17));
        assert_eq!(large.scratch_bytes(3), 3 * (100 << 10));
    }

    #[test]
    fn entries_have_names_of_ptx() {
        assert_eq!(entry_symbol("fusion.3", 1), "fusion$$3_1");
        assert_eq!(entry_symbol("a-b", 0), "a$2d_b_0");
    }
}
