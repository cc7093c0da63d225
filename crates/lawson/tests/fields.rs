//! The example `examples/fields.rs` runs: compiled programs over prime fields give the values that it asserts. And what
//! buffers take of fields.

use lawson::Client;
use lawson::hlo::{ArrayShape, DType};
use std::sync::Arc;

#[path = "../../../examples/fields.rs"]
mod example;

#[test]
fn the_example_runs() {
    example::main().unwrap_or_else(|e| panic!("{e}"));
}

/// Words that no element is stored as are refused at the door, with their place.
#[test]
fn storage_is_below_the_modulus() {
    let client = Client::cpu();
    let bytes = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let p = (15 << 27) + 1;
    for dtype in [DType::BabyBear, DType::BabyBearMont] {
        let shape = ArrayShape::new(dtype, [3]);
        assert!(client.buffer_from_bytes(&shape, &bytes(&[0, 1, p - 1])).is_ok());
        let error = client.buffer_from_bytes(&shape, &bytes(&[0, p, u32::MAX])).expect_err("p is no element");
        assert!(error.to_string().contains("element 1 is stored as 2013265921"), "{error}");
        let owner = Arc::new(bytes(&[0, 0, p + 5]));
        struct Owner(Arc<Vec<u8>>);
        impl AsRef<[u8]> for Owner {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }
        assert!(client.buffer_from_owner(&shape, Owner(owner)).is_err());
    }
    let pairs = ArrayShape::new(DType::GoldilocksX2, [2]);
    let words = [0u64, 1, 2, u64::MAX].map(u64::to_le_bytes).concat();
    let error = client.buffer_from_bytes(&pairs, &words).expect_err("no element");
    assert!(error.to_string().contains("coefficient 1 of element 1"), "{error}");
    let wide = ArrayShape::new(DType::Bn254Sf, [2]);
    let mut words = [0u8; 64];
    assert!(client.buffer_from_bytes(&wide, &words).is_ok());
    words[32..].fill(0xff);
    let error = client.buffer_from_bytes(&wide, &words).expect_err("no element");
    assert!(error.to_string().contains("element 1 is stored as"), "{error}");
}
