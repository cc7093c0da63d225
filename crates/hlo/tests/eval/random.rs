//! Random bits: published vectors, counters, narrow types.

use super::run;

fn bits(algorithm: &str, state: &str, shape: &str) -> String {
    let words = state.split(',').count();
    run(&format!(
        "s = u64[{words}] constant({{{state}}})
         ROOT r = (u64[{words}], {shape}) rng-bit-generator(s), algorithm={algorithm}"
    ))
}

#[test]
fn the_default_is_philox() {
    let philox = bits("rng_philox", "1, 2", "u32[5]");
    assert_eq!(bits("rng_default", "1, 2", "u32[5]"), philox);
    assert_ne!(bits("rng_three_fry", "1, 2", "u32[5]"), philox);
}

#[test]
fn counters_advance_by_the_blocks_used() {
    assert!(bits("rng_philox", "7, 2", "u32[5]").starts_with("(7, 4; "));
    assert!(bits("rng_philox", "7, 2", "u64[5]").starts_with("(7, 5; "));
    assert!(bits("rng_philox", "7, 18446744073709551615, 3", "u32[4]").starts_with("(7, 0, 4; "));
    assert!(bits("rng_three_fry", "7, 2", "u32[5]").starts_with("(7, 5; "));
    assert!(bits("rng_three_fry", "7, 2", "u32[3,4]").starts_with("(7, 8; "));
    assert!(bits("rng_three_fry", "7, 2", "u64[5]").starts_with("(7, 7; "));
    assert!(bits("rng_three_fry", "7, 2", "u8[]").starts_with("(7, 3; "));
}

#[test]
fn published_vectors() {
    // Threefry-2x32-20 and Philox-4x32-10 of key and counter 0.
    assert_eq!(bits("rng_three_fry", "0, 0", "u32[2]"), "(0, 1; 1797259609, 2579123966)");
    assert_eq!(
        bits("rng_philox", "0, 0", "u32[4]"),
        format!("(0, 1; {}, {}, {}, {})", 0x6627_e8d5u32, 0xe169_c58du32, 0xbc57_ac4cu32, 0x9b00_dbd8u32)
    );
}

#[test]
fn narrow_types_take_the_low_bits() {
    assert_eq!(bits("rng_three_fry", "0, 0", "u8[2]"), format!("(0, 1; {}, {})", 0x59, 0xfe));
    assert_eq!(bits("rng_three_fry", "0, 0", "u64[1]"), format!("(0, 1; {})", 0x99ba_4efe_6b20_0159u64));
}
