//! Tiles: the results that a task of a nest keeps for its later stages, and the memory they share.

use super::{Nest, Tile, dtype_of};
use crate::plan::schedule::Schedule;
use crate::region::Region;

/// A tile for each result that later stages read and that is not in a register. An output needs none, since it can be
/// read back from where it was stored; unless two tasks store the same rows, where one may read what the other is
/// writing.
pub(super) fn tiles(region: &Region, axes: &[Vec<usize>], nest: &Nest) -> Vec<Tile> {
    let (mut tiles, mut lives) = (Vec::new(), Vec::new());
    let maps = nest.members.iter().all(|m| matches!(m.schedule, Schedule::Map(_)));
    let together = nest.together();
    let overlaps = nest.lane.is_some() || together.is_some_and(|(row, n)| nest.rows[row] % n != 0);
    for (s, stage) in region.stages.iter().enumerate() {
        let free = |a: usize| !axes[s].contains(&a);
        let one_value = (0..stage.space.len()).all(|a| stage.space[a] == 1 || !free(a));
        for result in 0..stage.results.len() as u32 {
            let key = (s as u32, result);
            let is_output = region.output_sources.contains(&key);
            let in_register = one_value && (nest.block.is_none() || nest.stays_in_run(key));
            if !nest.is_read(key) || in_register || is_output && !overlaps {
                continue;
            }
            let mut strides = vec![0; stage.space.len()];
            let mut elements = nest.lane.map_or(1, |l| l.lanes as i64);
            for a in (0..stage.space.len()).rev().filter(|&a| free(a)) {
                strides[a] = elements;
                elements *= stage.space[a];
            }
            let mut row = nest.lane.map(|l| (l.row, 1));
            // A result that is read within its run of stages, which go row by row, is needed for one row at a time.
            if let Some(b) = nest.block.filter(|_| !nest.stays_in_run(key)) {
                row = Some((b.row, elements));
                elements *= b.rows;
            }
            if let Some((r, stride)) = row {
                strides[axes[s][r]] = stride;
            }
            let mut tile =
                Tile { stage: s as u32, result, strides, row, elements, whole: None, place: tiles.len() };
            let life = nest.life(&tile);
            tile.place = free_place(region, (&tiles, maps), &lives, (&tile, life));
            lives.push(life);
            tiles.push(tile);
        }
    }
    tiles
}

/// The place of an earlier tile that this one may share: of the same size and type, with rows that lie alike, and never
/// needed at the same time. Otherwise its own. Tiles of maps, as the steps of a stencil are, may be smaller than their place.
fn free_place(
    region: &Region,
    (tiles, maps): (&[Tile], bool),
    lives: &[(usize, usize)],
    (tile, (made, last)): (&Tile, (usize, usize)),
) -> usize {
    let alike = |t: &Tile| (t.row, dtype_of(region, t)) == (tile.row, dtype_of(region, tile));
    let apart = |(first, end): &(usize, usize)| *end < made || last < *first;
    let free = |place: &usize| {
        let mut sharing = tiles.iter().zip(lives).filter(|(t, _)| t.place == *place);
        let elements = tiles[*place].elements;
        let fits = elements == tile.elements || maps && elements > tile.elements;
        fits && sharing.all(|(t, life)| alike(t) && apart(life))
    };
    let owners = (0..tiles.len()).filter(|&n| tiles[n].place == n);
    owners.into_iter().find(free).unwrap_or(tile.place)
}
