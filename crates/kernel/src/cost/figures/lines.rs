//! What cache lines bring beside the elements that are read: whole lines come from memory, however few of their elements are used.

use crate::target::LINE;
use lawson_hlo::index::{Affine, Atom};

/// For each element that is read at this offset over axes of these extents, of so many bytes, the elements of the lines that are
/// fetched for it, at least.
pub(super) fn of_each(extents: &[i64], offset: &Affine, size: i64) -> i64 {
    let per_line = (LINE / size.max(1)).max(1);
    if extents.contains(&0) {
        return 1;
    }
    let fills_lines = |(atom, step): &(Atom, i64)| match atom {
        Atom::Axis(axis) => step.abs() == 1 && extents[*axis as usize] >= per_line,
        Atom::Symbol(_) | Atom::Div(..) | Atom::Mod(..) => false,
    };
    if offset.terms.iter().any(fills_lines) {
        return 1;
    }
    // Axes by the distance of their steps. Data chooses anywhere; quotients and remainders are mostly those of a neighbour.
    let mut steps: Vec<(i64, i64)> = Vec::with_capacity(offset.terms.len());
    let mut chosen = false;
    for (atom, step) in &offset.terms {
        match atom {
            Atom::Axis(axis) => steps.push((step.abs(), extents[*axis as usize])),
            Atom::Symbol(_) => chosen = true,
            Atom::Div(..) | Atom::Mod(..) => return 1,
        }
    }
    steps.sort_unstable();
    // Elements that follow each other.
    let mut run = 1i64;
    for (step, extent) in steps {
        if step > run {
            return (step.min(per_line) / run).max(1);
        }
        run = run.saturating_add(step.saturating_mul(extent - 1));
        if run >= per_line {
            return 1;
        }
    }
    if chosen { per_line / run } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_which_a_part_is_read() {
        let of = |row: i64, column: i64| {
            let offset = Affine::axis(0).mul(row).add(&Affine::axis(1).mul(column));
            of_each(&[8, 32], &offset, 4)
        };
        assert_eq!(of(32, 1), 1, "in line");
        assert_eq!(of(1, 8), 1, "turned");
        assert_eq!(of(96, 3), 3, "each third");
        assert_eq!(of(0, 4096), 16, "a line for each");
        assert_eq!(of(1, 100), 2, "eight in line");
        let chosen = |column: i64| Affine::axis(1).mul(column).add(&Affine::symbol(0).mul(32));
        assert_eq!(of_each(&[8, 32], &chosen(1), 4), 1, "whole rows");
        assert_eq!(of_each(&[8, 32], &chosen(0), 4), 16, "elements anywhere");
        assert_eq!(of_each(&[8, 32], &chosen(0), 64), 1, "lines");
        assert_eq!(of_each(&[8, 0], &chosen(1), 4), 1, "nothing");
    }
}
