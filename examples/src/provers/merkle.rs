//! Commitments to the columns of an array by a tree of hashes (Merkle, 1987): whoever knows the root can check a column and
//! its place by as many digests as the tree has levels.

use super::BASE;
use super::poseidon2::{Poseidon2, Program, RATE, program};
use lawson::tensor::concatenate;
use lawson::{Error, Tensor};
use std::sync::LazyLock;

/// A column of the array that was committed to, with the digests beside its way to the root.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The elements.
    pub column: Vec<u64>,
    /// From the leaves to the root.
    pub siblings: Vec<[u64; RATE]>,
}

static HASH: LazyLock<Program> = LazyLock::new(|| program(Poseidon2::hash_columns));
static PARENTS: LazyLock<Program> = LazyLock::new(|| program(parents));

/// Digests that are computed at once where there are many: programs work on blocks of columns, so that each is compiled for
/// two widths alone.
const BLOCK: usize = 1024;

/// The digests of an array's columns and of all nodes above them.
pub struct Tree {
    /// The array `[m, 2^k]`.
    values: Vec<u64>,
    columns: usize,
    /// Digests from the leaves to the root, `[8, 2^k]`, `[8, 2^(k − 1)]`, …
    levels: Vec<Vec<u64>>,
}

/// Commits to the columns of an array `[m, 2^k]` over the base field.
///
/// # Errors
/// Those of compiling and running.
pub fn commit(array: &Tensor) -> Result<Tree, Error> {
    let (values, columns) = (array.values()?, array.dims()[1] as usize);
    let mut levels = vec![by_blocks(&HASH, &values, columns, 1)?];
    let mut nodes = columns;
    while nodes > 1 {
        nodes /= 2;
        let above = by_blocks(&PARENTS, &levels[levels.len() - 1], nodes, 2)?;
        levels.push(above);
    }
    Ok(Tree { values, columns, levels })
}

/// Whether the column with that index of the array `[m, 2^depth]` with this root is the one that is opened. With fewer or more
/// digests, a node could pass for a column.
///
/// # Errors
/// Those of compiling and running.
pub fn check(root: &[u64], (index, depth): (usize, u32), opening: &Opening) -> Result<bool, Error> {
    if opening.siblings.len() != depth as usize || index >> depth != 0 {
        return Ok(false);
    }
    let column = Tensor::from_values(BASE, &opening.column, [opening.column.len() as i64, 1]);
    let mut digest = HASH(&column)?.values()?;
    for (level, sibling) in opening.siblings.iter().enumerate() {
        let (left, right) = match index >> level & 1 {
            0 => (&digest[..], &sibling[..]),
            _ => (&sibling[..], &digest[..]),
        };
        let pair: Vec<u64> = left.iter().zip(right).flat_map(|(&l, &r)| [l, r]).collect();
        digest = PARENTS(&Tensor::from_values(BASE, &pair, [RATE as i64, 2]))?.values()?;
    }
    Ok(digest == root)
}

impl Tree {
    /// The digest of everything.
    pub fn root(&self) -> &[u64] {
        self.levels.last().map_or(&[], |l| l)
    }

    /// The root as elements of the field.
    pub fn root_elements(&self) -> Tensor {
        Tensor::from_values(BASE, self.root(), [RATE as i64])
    }

    /// The column with that index and what shows that it is there.
    pub fn open(&self, index: usize) -> Opening {
        let sibling = |(level, digests): (usize, &Vec<u64>)| {
            let nodes = digests.len() / RATE;
            std::array::from_fn(|word| digests[word * nodes + (index >> level ^ 1)])
        };
        Opening {
            column: self.values.iter().skip(index).step_by(self.columns).copied().collect(),
            siblings: self.levels[..self.levels.len() - 1].iter().enumerate().map(sibling).collect(),
        }
    }
}

/// What a program makes of an array with so many times `each` columns, `[8, count]`: columns are handed to it in blocks, of
/// which the last one may end with zeros.
fn by_blocks(program: &Program, values: &[u64], count: usize, each: usize) -> Result<Vec<u64>, Error> {
    let block = if count == 1 { 1 } else { BLOCK };
    let rows = values.len() / (count * each);
    let mut made = vec![0; RATE * count];
    for first in (0..count).step_by(block) {
        let taken = block.min(count - first);
        let mut part = vec![0; rows * block * each];
        for (row, part) in part.chunks_exact_mut(block * each).enumerate() {
            let start = (row * count + first) * each;
            part[..taken * each].copy_from_slice(&values[start..start + taken * each]);
        }
        let part = Tensor::from_values(BASE, &part, [rows as i64, (block * each) as i64]);
        let digests = program(&part)?.values()?;
        for (to, from) in made.chunks_exact_mut(count).zip(digests.chunks_exact(block)) {
            to[first..first + taken].copy_from_slice(&from[..taken]);
        }
    }
    Ok(made)
}

/// The digests of neighbours: of `[8, 2n]` those of columns 2i and 2i + 1, `[8, n]`.
fn parents(hash: &Poseidon2, digests: &Tensor) -> Tensor {
    let pairs = digests.reshape([RATE as i64, -1, 2]);
    let side = |n: i64| pairs.index((.., .., n));
    hash.compress(&concatenate(&[side(0), side(1)], 0))
}
