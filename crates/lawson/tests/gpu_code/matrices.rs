//! Products that matrix units multiply: of all types, with what is computed before and after them, and sides that are no multiple
//! of a tile. Sums of small whole numbers are exact, so the order of the units changes no bit.

use crate::counters::ONE;
use crate::planned::{Planned, TARGET};
use crate::products::launched_as;
use lawson::hlo::{ArrayShape, Literal, Scalar};
use lawson::options::Numerics;
use lawson_kernel::loop_ir::Kernel;
use lawson_llvm::Blocks;
use lawson_ptx::Counters;

/// Whole numbers from -3 to 3, or from 0 to 6.
pub fn small(shapes: &[&ArrayShape]) -> Vec<Literal> {
    let of = |(n, shape): (usize, &&ArrayShape)| {
        let number = |i: i64| {
            let n = (i * 40_503 + n as i64 * 77) % 101 % 7;
            match () {
                () if shape.dtype.is_float() => Scalar::Float(n as f64 - 3.0),
                () if shape.dtype.is_signed() => Scalar::Signed(n - 3),
                () => Scalar::Unsigned(n as u64),
            }
        };
        Literal::from_scalars((**shape).clone(), (0..shape.elements()).map(number))
    };
    shapes.iter().enumerate().map(of).collect()
}

/// A product with a bias for each column; operands lie as their dimensions say.
pub fn product(
    (left, right, sum): (&str, &str, &str),
    (rows, columns, k): (i64, i64, i64),
    turned: [bool; 2],
) -> String {
    let of = |turned: bool, a: i64, b: i64| if turned { format!("{b},{a}") } else { format!("{a},{b}") };
    let (x, y) = (of(turned[0], rows, k), of(turned[1], k, columns));
    format!(
        "HloModule m\nENTRY e {{\n  x = {left}[{x}] parameter(0)\n  y = {right}[{y}] parameter(1)\n  \
         b = {sum}[{columns}] parameter(2)\n  d = {sum}[{rows},{columns}] dot(x, y), lhs_contracting_dims={{{}}}, \
         rhs_contracting_dims={{{}}}\n  bb = {sum}[{rows},{columns}] broadcast(b), dimensions={{1}}\n  \
         ROOT s = {sum}[{rows},{columns}] add(d, bb)\n}}\n",
        !turned[0] as u8, turned[1] as u8
    )
}

fn launched(name: &str, text: &str, numerics: Numerics) -> (Counters, Kernel) {
    launched_as(name, &planned((name, text), numerics), i64::MAX)
}

/// A product whose operands are small whole numbers. One multiprocessor has as many tiles as leave units no time to wait; small
/// products of f32 are multiplied by threads where there are more.
pub fn planned(named: (&str, &str), numerics: Numerics) -> Planned {
    let machine = if numerics == Numerics::Fast { ONE } else { TARGET };
    Planned::for_target(named, machine.as_ref(), numerics, small)
}

#[test]
fn small_products_of_f32_are_left_to_threads() {
    let text = product(("f32", "f32", "f32"), (64, 96, 128), [false; 2]);
    let planned = Planned::with(("small", &text), Numerics::Fast, small);
    let (_, kernel) = launched_as("small", &planned, i64::MAX);
    assert!(!kernel.needs_matrix_units(), "{kernel}");
}

const TYPES: [(&str, &str, &str, Numerics); 8] = [
    ("bf16", "bf16", "f32", Numerics::Standard),
    ("f16", "f16", "f32", Numerics::Standard),
    ("bf16", "bf16", "bf16", Numerics::Standard),
    ("f32", "f32", "f32", Numerics::Fast),
    ("s8", "s8", "s32", Numerics::Strict),
    ("u8", "u8", "s32", Numerics::Strict),
    ("s8", "u8", "s32", Numerics::Strict),
    ("f16", "f16", "f16", Numerics::Fast),
];

#[test]
fn all_types_have_the_values_of_the_interpreter() {
    let sizes = [(64, 96, 128), (72, 104, 96), (130, 200, 83), (512, 520, 72)];
    let mut in_pieces: [Vec<[bool; 2]>; 2] = Default::default();
    let lies = [[false, false], [true, false], [false, true], [true, true]];
    for (n, (left, right, sum, numerics)) in TYPES.into_iter().enumerate() {
        let ways = |i: usize| match (left, i) {
            // The only type of f32: each way in which the operands of the tiles that are copied in pieces lie.
            ("f32", 3) => lies.to_vec(),
            _ => vec![lies[(i + n) % 4]],
        };
        let all = sizes.into_iter().enumerate().flat_map(|(i, s)| ways(i).into_iter().map(move |w| (s, w)));
        for (size, turned) in all {
            let name = format!("{left} x {right} -> {sum} {size:?} {turned:?}");
            let (c, kernel) = launched(&name, &product((left, right, sum), size, turned), numerics);
            assert!(kernel.needs_matrix_units(), "{name}\n{kernel}");
            let loads: Vec<String> =
                ["copy_async rows", "copy_async columns", "load_matrices rows", "load_matrices columns"]
                    .into_iter()
                    .filter(|part| kernel.to_string().contains(part))
                    .map(String::from)
                    .collect();
            // Halves and f32 of large tiles whose rows begin at multiples of a piece are copied in pieces, and halves loaded as
            // matrices.
            let (are_halves, are_words) = (left.contains("f16"), left == "f32");
            assert!(are_halves || are_words || loads.is_empty(), "{name}: {loads:?}\n{kernel}");
            if size.0 == 512 && (are_halves || are_words) {
                assert_eq!(loads.len(), if are_halves { 4 } else { 2 }, "{name}: {loads:?}\n{kernel}");
                in_pieces[usize::from(are_words)].push(turned);
            }
            let conflicts = c.shared.conflicts as f64 / (c.shared.passes - c.shared.conflicts) as f64;
            assert!(conflicts <= 0.05, "{name}: {conflicts}");
            assert_eq!(c.divergent_branches, 0, "{name}");
        }
    }
    for mut ways in in_pieces {
        ways.sort_unstable();
        ways.dedup();
        assert_eq!(ways.len(), 4, "not all ways in which operands lie: {ways:?}");
    }
}

/// Halves in pieces: up to four blocks of k are on their way, in more shared memory than blocks have without asking; of f32, whose words
/// are rounded when they are loaded, two. Lengths are such that the last block is whole, and not, and that there are fewer blocks.
#[test]
fn blocks_of_k_are_copied_ahead_and_tiles_are_wide() {
    for (k, stages) in [(40, 2), (96, 3), (128, 4), (136, 4), (200, 4)] {
        for (types, numerics) in [(TYPES[0], Numerics::Standard), (TYPES[3], Numerics::Fast)] {
            let (left, right, sum, _) = types;
            let (text, name) =
                (product((left, right, sum), (256, 512, k), [false; 2]), format!("{left} {k}"));
            let planned = Planned::for_target((&name, &text), ONE.as_ref(), numerics, small);
            let (c, kernel) = launched_as(&name, &planned, i64::MAX);
            // Of two blocks of halves alone nothing would hide that the second one is waited for.
            let wide = if left == "f32" || stages > 2 { 256 } else { 128 };
            assert_eq!(kernel.phases[0].tasks, 2 * 512 / wide, "{name}: tiles of 128 x {wide}\n{kernel}");
            let parts = if left == "f32" { 2 } else { stages };
            let asked = Blocks::of(&kernel, &kernel.phases[0]).expect("few arrays").asked();
            let bytes = parts * (128 + wide) * 64;
            assert_eq!(asked, if bytes > 48 << 10 { bytes } else { 0 }, "{name}");
            let groups = format!("await_copies but {}", stages - 2);
            assert_eq!(kernel.to_string().contains(&groups), left != "f32", "{name}\n{kernel}");
            assert_eq!(c.shared.conflicts, 0, "{name}");
            // One barrier for each tile, and one for each block of k.
            let of_block = if left == "f32" { 16 } else { 32 };
            let blocks = (k + of_block - 1) / of_block;
            assert_eq!(c.barriers as i64, kernel.phases[0].tasks * (1 + blocks), "{name}");
        }
    }
}
