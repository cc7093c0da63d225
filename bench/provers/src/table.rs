//! The table: nanoseconds for each element, by least times, and what Lawson's one pass is beside its bounds.

use crate::cases::{Bound, Side};
use lawson_peers::machine;
use lawson_peers::turns::Times;

/// The head of the second table.
pub fn article() {
    println!("\n# Fused against unfused\n");
    println!(
        "x² − x over 2^k elements by Lawson: as one kernel, and with a kernel for each operation; one thread, least times. The table of \
         the article on ZKX.\n"
    );
    println!("| field | k | fused, ms | unfused, ms | ratio |");
    println!("|---|---:|---:|---:|---:|");
}

pub fn article_row(field: &str, digits: u32, times: &[Times]) {
    let [fused, unfused] = [0, 1].map(|n| times[n].least() * 1e3);
    println!("| {field} | {digits} | {fused:.3} | {unfused:.3} | {:.2} |", unfused / fused);
}

pub fn introduction() {
    println!("<!-- Made by bench/provers (`make provers`). -->\n");
    println!("# Vector code of provers beside Plonky3's packed fields\n");
    println!("One thread of {}, Plonky3 0.6.\n", machine::named());
    println!(
        "Nanoseconds for each element (of a table, of a column, for each permutation), least of the times; all that stands in a line took turns \
         and gave equal results. *Lawson* is compiled from traced functions; *unfused* has a kernel for each operation. *Plonky3* is a loop \
         over packed elements, written by hand, that does everything in one pass, *other* the form that the line names. A bound says what \
         Lawson's time may be at most, as a multiple of another.\n"
    );
    println!("| case | Lawson | unfused | Plonky3 | other | Lawson / Plonky3 | bound |");
    println!("|---|---:|---:|---:|---:|---:|---|");
}

pub fn row(name: &str, count: f64, sides: &[Side], times: &[Times], bounds: &[Bound]) {
    let of = |side: Side| {
        let n = sides.iter().position(|&s| s == side)?;
        Some(times[n].least() * 1e9 / count)
    };
    let shown = |side| of(side).map_or(String::new(), |ns| format!("{ns:.3}"));
    let ours = of(Side::Lawson).unwrap_or(f64::NAN);
    let ratio = of(Side::Plonky3).map_or(String::new(), |p| format!("{:.2}", ours / p));
    let said = bounds.iter().filter_map(|&Bound(most, side)| {
        let found = ours / of(side)?;
        let holds = if found <= most { "met" } else { "missed" };
        let what = match side {
            Side::Plonky3 => String::new(),
            Side::Other => format!("other: {found:.2} "),
            Side::Unfused => format!("unfused: {found:.2} "),
            Side::Lawson => unreachable!("no case bounds a side by itself"),
        };
        Some(format!("{what}≤ {most:.2} {holds}"))
    });
    println!(
        "| {name} | {} | {} | {} | {} | {ratio} | {} |",
        shown(Side::Lawson),
        shown(Side::Unfused),
        shown(Side::Plonky3),
        shown(Side::Other),
        said.collect::<Vec<_>>().join(", ")
    );
}
