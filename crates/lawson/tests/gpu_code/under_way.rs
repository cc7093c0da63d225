//! Loads that are under way together change no bit: groups of partial results that are joined in registers, vectors of a stencil,
//! lines of a transpose.

use crate::canonical::{full, reduction};
use crate::counters::run;
use crate::planned::Planned;

#[track_caller]
fn check(name: &str, text: &str) {
    let planned = Planned::of(name, text);
    let (_, found) = run(&planned, 0);
    assert_eq!(found[0], planned.expected[0].bytes(), "{name}");
}

#[test]
fn chunks_are_joined_by_the_same_pairs_in_groups() {
    // Of 256 elements each: less than a group, one with a rest, several.
    for rows in [5 * 256, 17 * 256 + 3, 37 * 256, 48 * 256 + 1] {
        check(&format!("columns of {rows}"), &reduction(rows, 40, 0));
    }
    // Of 4,096: the last of a group, an odd one alone, a second round.
    for n in [16 * 4096, 17 * 4096 + 9, 35 * 4096 - 1] {
        check(&format!("all {n}"), &full(n));
    }
}

#[test]
fn a_stencil_has_the_same_bits_in_any_columns() {
    for (rows, columns) in [(37, 300), (9, 512), (64, 129)] {
        let (r, c) = (rows - 1, columns - 1);
        let text = format!(
            "HloModule stencil
ENTRY e {{
  x = f32[{rows},{columns}] parameter(0)
  last = f32[1,{columns}] slice(x), slice={{[{r}:{rows}], [0:{columns}]}}
  above = f32[{r},{columns}] slice(x), slice={{[0:{r}], [0:{columns}]}}
  down = f32[{rows},{columns}] concatenate(last, above), dimensions={{0}}
  right = f32[{rows},{c}] slice(x), slice={{[0:{rows}], [1:{columns}]}}
  first = f32[{rows},1] slice(x), slice={{[0:{rows}], [0:1]}}
  left = f32[{rows},{columns}] concatenate(right, first), dimensions={{1}}
  two = f32[{rows},{columns}] add(down, left)
  ROOT sum = f32[{rows},{columns}] add(two, x)
}}"
        );
        check(&format!("stencil of {rows} x {columns}"), &text);
    }
}

#[test]
fn lines_of_a_transpose_have_what_is_read_beside_them() {
    for (rows, columns) in [(64, 96), (45, 70), (33, 32)] {
        let text = format!(
            "HloModule beside
ENTRY e {{
  x = f32[{rows},{columns}] parameter(0)
  y = f32[{columns},{rows}] parameter(1)
  t = f32[{columns},{rows}] transpose(x), dimensions={{1,0}}
  ROOT sum = f32[{columns},{rows}] add(t, y)
}}"
        );
        check(&format!("transpose of {rows} x {columns}"), &text);
    }
}
