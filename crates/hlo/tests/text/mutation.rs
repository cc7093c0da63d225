//! Damaged text: whatever is cut, doubled or swapped, reading never panics, and what is read prints and reads
//! back as itself. The fuzz target (`fuzz/`) does the same for longer.

use crate::placeless;
use lawson_hlo::Module;

/// Texts with much of the grammar in few bytes.
const SEEDS: &[&str] = &[
    include_str!("../../../../fuzz/seeds/parse/dump.hlo"),
    include_str!("../../../../fuzz/seeds/parse/jax.hlo"),
    include_str!("../../../../fuzz/seeds/parse/nested.hlo"),
    include_str!("../../../../fuzz/seeds/parse/communication.hlo"),
    include_str!("../../../../fuzz/seeds/parse/single.hlo"),
];

/// Replacements that get past the first check of a number, a shape or a name.
const WORDS: &[&str] = &[
    "",
    "0",
    "-1",
    "9223372036854775807",
    "f32",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ",",
    "%",
    "#1",
    "\"",
    "/*",
    "*/",
    "//",
    "ROOT ",
    "ENTRY ",
    "<=",
    "->",
    "x",
    "nan",
    "-inf",
    "{...}",
    "é",
    "f32[1]",
    "to_apply={",
    "tuple(",
    "\n",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// A place in the text, mostly where a word begins or ends.
fn place(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    if random.below(4) > 0 {
        let word = |b: u8| b.is_ascii_alphanumeric();
        while at > 0 && at < text.len() && word(text.as_bytes()[at]) && word(text.as_bytes()[at - 1]) {
            at -= 1;
        }
    }
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(random: &mut Random, text: &str, other: &str) -> String {
    let (a, b) = (place(random, text), place(random, text));
    let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 200));
    let b = (b..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len());
    let (from, to) = (place(random, other), place(random, other));
    let (from, to) = (from.min(to), from.max(to));
    match random.below(5) {
        0 => format!("{}{}", &text[..a], &text[b..]),
        1 => format!("{}{}", &text[..b], &text[a..]),
        2 => format!("{}{}{}", &text[..a], &other[from..to], &text[a..]),
        3 => {
            let end = text[a..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(text.len(), |i| a + i);
            format!("{}{}{}", &text[..a], WORDS[random.below(WORDS.len())], &text[end..])
        }
        _ => format!("{}{}{}", &text[..a], WORDS[random.below(WORDS.len())], &text[a..]),
    }
}

fn check(text: &str) -> bool {
    let module = match Module::parse(text) {
        Ok(module) => module,
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error}\n{text}");
            error.render("mutated", text);
            return false;
        }
    };
    let printed = module.to_string();
    let again =
        Module::parse(&printed).unwrap_or_else(|e| panic!("{}\nfrom\n{text}", e.render("printed", &printed)));
    assert!(placeless(&module) == placeless(&again), "not the same module:\n{text}\nprinted as\n{printed}");
    assert_eq!(again.to_string(), printed);
    true
}

#[test]
fn damaged_text_never_panics() {
    let mut random = Random(20230130);
    let rounds = 4000;
    let mut read = 0;
    for round in 0..rounds {
        let mut text = SEEDS[round % SEEDS.len()].to_string();
        for _ in 0..=random.below(3) {
            let other = SEEDS[random.below(SEEDS.len())];
            text = mutate(&mut random, &text, other);
        }
        read += check(&text) as usize;
    }
    // Both outcomes must be common, or this tests little.
    assert!(read > rounds / 50 && read < rounds, "{read} of {rounds} were read");
}

#[test]
fn the_seeds_are_sound() {
    assert!(SEEDS.iter().all(|s| check(s)));
}
