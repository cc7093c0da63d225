//! Loads of one array of which the row says which is taken.

use super::common::Rng;
use super::common::region::{all_agree, plan_and_code};

/// Of the sum of `r` and of `x` rolled along its first dimension: in how many loops it is done, each between two borders of
/// pieces along one dimension, how many loads of `x` they have, and how many of those have a mask.
fn loads(r: &str) -> (usize, usize, usize) {
    let entry = format!(
        "x = f32[10,6,32] parameter(0)\nu = f32[9,6,32] slice(x), slice={{[1:10],[0:6],[0:32]}}\n\
         v = f32[1,6,32] slice(x), slice={{[0:1],[0:6],[0:32]}}\nw = f32[10,6,32] concatenate(u, v), dimensions={{0}}\n\
         {r}\nROOT s = f32[10,6,32] add(w, r)"
    );
    all_agree(std::slice::from_ref(&entry));
    let [plan, code] = plan_and_code(&entry);
    let found: Vec<&str> = code.lines().filter(|l| l.contains("= load x[")).collect();
    let masked = found.iter().filter(|l| l.contains("mask")).count();
    (plan.matches(" map, ").count(), found.len(), masked)
}

/// The pieces of a roll by one along the second dimension.
const PIECES: &str = "a = f32[10,5,32] slice(x), slice={[0:10],[1:6],[0:32]}\n\
     b = f32[10,1,32] slice(x), slice={[0:10],[0:1],[0:32]}\n";

#[test]
fn a_roll_of_rows_is_one_load() {
    assert_eq!(loads(&format!("{PIECES}r = f32[10,6,32] concatenate(a, b), dimensions={{1}}")), (2, 4, 0));
}

#[test]
fn edges_that_repeat_are_one_load() {
    let edges = "a = f32[10,1,32] slice(x), slice={[0:10],[0:1],[0:32]}\n\
         c = f32[10,4,32] slice(x), slice={[0:10],[1:5],[0:32]}\nr = f32[10,6,32] concatenate(a, c, a), dimensions={1}";
    assert_eq!(loads(edges), (3, 6, 0));
}

#[test]
fn other_choices_keep_their_loads() {
    // Something is computed of the last row of the first dimension and of the second: of one of them the loop has a choice left.
    let computed = "a = f32[9,6,32] slice(x), slice={[0:9],[0:6],[0:32]}\nb = f32[1,6,32] slice(x), slice={[9:10],[0:6],[0:32]}\n\
         n = f32[1,6,32] negate(b)\nc = f32[10,6,32] concatenate(a, n), dimensions={0}\n\
         d = f32[10,5,32] slice(c), slice={[0:10],[1:6],[0:32]}\ne = f32[10,1,32] slice(x), slice={[0:10],[0:1],[0:32]}\n\
         m = f32[10,1,32] negate(e)\nr = f32[10,6,32] concatenate(d, m), dimensions={1}";
    assert!(loads(computed).2 > 0);
    // Lanes choose differently.
    let along_lanes = "a = f32[10,6,31] slice(x), slice={[0:10],[0:6],[1:32]}\n\
         b = f32[10,6,1] slice(x), slice={[0:10],[0:6],[0:1]}\nr = f32[10,6,32] concatenate(a, b), dimensions={2}";
    assert!(loads(along_lanes).1 > 4);
}

/// Rolls of each dimension, one within the other, of arrays whose edges repeat, at places of a window that is not full.
#[test]
fn random_choices_agree() {
    let mut rng = Rng(41);
    let mut entries = Vec::new();
    for _ in 0..60 {
        let dims: Vec<i64> = (0..3).map(|d| 1 + rng.below([7, 6, 40][d]) as i64).collect();
        let shape = |d: &[i64]| format!("f32[{},{},{}]", d[0], d[1], d[2]);
        let mut text = format!("x = {} parameter(0)\n", shape(&dims));
        let (mut last, mut now) = ("x".to_string(), dims);
        for step in 0..1 + rng.below(3) {
            let along = rng.below(3) as usize;
            let piece = |name: &str, from: i64, to: i64| {
                let mut of = now.clone();
                of[along] = to - from;
                let range =
                    |d: usize| if d == along { format!("[{from}:{to}]") } else { format!("[0:{}]", now[d]) };
                let ranges: Vec<String> = (0..3).map(range).collect();
                let slice =
                    format!("{name} = {} slice({last}), slice={{{}}}\n", shape(&of), ranges.join(","));
                (slice, to - from)
            };
            let n = now[along];
            let at = rng.below(n as u64 + 1) as i64;
            // A roll, or edges that repeat.
            let pieces = match rng.below(2) {
                0 => vec![piece(&format!("a{step}"), at, n), piece(&format!("b{step}"), 0, at)],
                _ => vec![
                    piece(&format!("a{step}"), 0, 1),
                    piece(&format!("b{step}"), 0, n),
                    piece(&format!("c{step}"), n - 1, n),
                ],
            };
            let names = ["a", "b", "c"].map(|p| format!("{p}{step}"));
            let all = names[..pieces.len()].join(", ");
            now[along] = pieces.iter().map(|p| p.1).sum();
            pieces.iter().for_each(|p| text += &p.0);
            text += &format!("r{step} = {} concatenate({all}), dimensions={{{along}}}\n", shape(&now));
            last = format!("r{step}");
        }
        entries.push(format!("{text}ROOT s = {} negate({last})", shape(&now)));
    }
    all_agree(&entries);
}
