//! Places of temporaries in the arena, by liveness ([`Lives`]); [`super::pack`] finds offsets for these lives.

use super::pack::{Block, pack};
use lawson_kernel::program::{Lives, Place, Program};

/// Blocks start at multiples of a cache line.
const ALIGN: i64 = 64;

pub fn place(program: &mut Program) {
    let lives = Lives::of(program).of;
    let temporary = |b: &usize| matches!(program.buffers[*b].place, Place::Arena(_));
    let placed: Vec<(usize, Block)> = (0..program.buffers.len())
        .filter(temporary)
        .filter_map(|b| {
            let bytes = (program.buffers[b].bytes.max(1) + ALIGN - 1) / ALIGN * ALIGN;
            Some((b, Block { bytes, life: lives[b]? }))
        })
        .collect();
    let (at, end) = pack(&placed.iter().map(|(_, block)| *block).collect::<Vec<_>>());
    for ((b, _), at) in placed.into_iter().zip(at) {
        program.buffers[b].place = Place::Arena(at);
    }
    // What no step names still needs a valid place.
    for (b, slot) in program.buffers.iter_mut().enumerate() {
        if lives[b].is_none() && matches!(slot.place, Place::Arena(_)) {
            (slot.bytes, slot.place) = (0, Place::Arena(0));
        }
    }
    program.arena_bytes = end;
}
