//! Texts that LLVM 19 wrote for the IR beside them (`scripts/record_ptx.sh`), for the oldest and newest targets.

use crate::common::Random;
use lawson_ptx::{Counters, Memory, Module, Options, Param};

const PROGRAMS: [&str; 3] = [
    include_str!("../texts/programs_sm_75.ptx"),
    include_str!("../texts/programs_sm_80.ptx"),
    include_str!("../texts/programs_sm_90.ptx"),
];
const FORMS: [&str; 4] = [
    include_str!("../texts/forms_sm_75.ptx"),
    include_str!("../texts/forms_sm_80.ptx"),
    include_str!("../texts/forms_sm_90.ptx"),
    include_str!("../texts/sm_90.ptx"),
];

#[test]
fn all_instructions_are_known() {
    for text in PROGRAMS.iter().chain(&FORMS) {
        let module = Module::parse(text).unwrap();
        assert_eq!(module.refused(), [], "{}", module.target());
        assert!(module.entries().count() > 1);
    }
}

/// A buffer for a kernel.
enum Buffer {
    In(Vec<u8>),
    Out(usize),
    Value(Param),
}

/// Runs a kernel of the programs for each target; gives the bytes of the last buffer that it writes.
fn execute(entry: &str, blocks: u32, threads: u32, buffers: &[Buffer]) -> (Vec<u8>, Counters) {
    let mut found: Option<(Vec<u8>, Counters)> = None;
    for (text, seed) in PROGRAMS.iter().flat_map(|text| (0..3).map(move |seed| (text, seed))) {
        let module = Module::parse(text).unwrap();
        let mut memory = Memory::new();
        let mut output = (0, 0);
        let params: Vec<Param> = buffers
            .iter()
            .map(|buffer| match buffer {
                Buffer::In(bytes) => {
                    let p = memory.alloc("in", bytes.len());
                    memory.write(p, bytes).unwrap();
                    Param::Pointer(p)
                }
                Buffer::Out(bytes) => {
                    output = (memory.alloc("out", *bytes), *bytes);
                    Param::Pointer(output.0)
                }
                Buffer::Value(value) => value.clone(),
            })
            .collect();
        let options = Options { seed, ..Options::default() };
        let counters = module
            .launch(entry, [blocks, 1, 1], [threads, 1, 1], &params, &mut memory, &options)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let bytes = memory.read(output.0, output.1).unwrap_or_else(|e| panic!("{entry}: {e}")).to_vec();
        if let Some((first, _)) = &found {
            assert_eq!(&bytes, first, "{entry} for {} with seed {seed}", module.target());
        }
        found = Some((bytes, counters));
    }
    found.unwrap()
}

fn floats(n: usize, seed: u64) -> Vec<f32> {
    let mut random = Random(seed);
    (0..n).map(|_| (random.below(2000) as f32 - 1000.0) / 64.0).collect()
}

fn bytes_of(values: &[f32]) -> Buffer {
    Buffer::In(values.iter().flat_map(|x| x.to_le_bytes()).collect())
}

fn words(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn a_map_by_vectors_moves_each_byte_once() {
    let n = 1000;
    let (x, y) = (floats(n, 1), floats(n, 2));
    let buffers = [bytes_of(&x), bytes_of(&y), Buffer::Out(4 * n), Buffer::Value(Param::U64(n as u64))];
    let (out, c) = execute("map4", 3, 128, &buffers);
    for (i, found) in words(&out).into_iter().enumerate() {
        assert_eq!(found.to_bits(), (x[i] * y[i] + 1.0).to_bits());
    }
    assert_eq!((c.global.read.bytes, c.global.read.sectors, c.global.read.block_sectors), (8000, 250, 250));
    assert_eq!((c.global.written.bytes, c.global.written.sectors), (4000, 125));
}

#[test]
fn a_sum_goes_through_lanes_and_shared_memory() {
    let x = floats(1024, 3);
    let (out, c) = execute("sum", 4, 256, &[bytes_of(&x), Buffer::Out(16)]);
    for (block, found) in x.chunks(256).zip(words(&out)) {
        // Sums of these numbers are exact in any order.
        assert_eq!(found, block.iter().sum::<f32>());
    }
    assert_eq!((c.shuffles, c.barriers, c.shared.conflicts), (4 * 8 * 5, 4, 0));
}

#[test]
fn a_transpose_goes_through_rows_with_one_more_word() {
    let x = floats(256, 4);
    let (out, c) = execute("transpose", 1, 256, &[bytes_of(&x), Buffer::Out(1024)]);
    let out = words(&out);
    assert!((0..256).all(|i| out[i] == x[i % 16 * 16 + i / 16]));
    // A warp has two rows of 17 words: the first of one and the last of the other are 32 words apart.
    assert_eq!((c.shared.loads, c.shared.stores), (8, 8));
    assert_eq!((c.shared.passes, c.shared.conflicts), (32, 16));
}

#[test]
fn numbers_of_256_bits_are_multiplied() {
    let mut random = Random(5);
    let n = 64;
    let mut number = || -> Vec<u64> {
        (0..4 * n).map(|_| if random.below(4) == 0 { u64::MAX } else { random.next() }).collect()
    };
    let (x, y) = (number(), number());
    let bytes = |v: &[u64]| Buffer::In(v.iter().flat_map(|x| x.to_le_bytes()).collect());
    let (out, _) = execute("wide", 1, n as u32, &[bytes(&x), bytes(&y), Buffer::Out(32 * n)]);
    for (i, found) in out.chunks(32).enumerate() {
        let (a, b) = (&x[4 * i..][..4], &y[4 * i..][..4]);
        let mut product = [0u64; 4];
        for j in 0..4 {
            let mut carry = 0u128;
            for k in 0..4 - j {
                let sum = u128::from(a[j]) * u128::from(b[k]) + u128::from(product[j + k]) + carry;
                product[j + k] = sum as u64;
                carry = sum >> 64;
            }
        }
        let mut borrow = false;
        for (p, &a) in product.iter_mut().zip(a) {
            let (first, one) = p.overflowing_sub(a);
            let (second, two) = first.overflowing_sub(borrow.into());
            (*p, borrow) = (second, one | two);
        }
        let found: Vec<u64> = found.chunks(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())).collect();
        assert_eq!(found, product, "number {i}");
    }
}

#[test]
fn functions_work_on_arrays_of_their_callers() {
    let n = 64;
    let buffers = [Buffer::Out(8 * n), Buffer::Value(Param::F64(0.5)), Buffer::Value(Param::U8(3))];
    let (out, c) = execute("local", 2, 32, &buffers);
    let table = [1.0, -2.5, 3.0, 0.0, 5.0];
    for (i, found) in out.chunks(8).enumerate() {
        let mut array: Vec<f64> = (0..5).map(|j| f64::from(j) * 0.5).collect();
        let mut pick = |i: usize| {
            array[i % 5] += table[i % 5];
            array[i % 5]
        };
        let expected = pick(i) - pick(i + 3);
        assert_eq!(f64::from_le_bytes(found.try_into().unwrap()), expected, "thread {i}");
    }
    assert!(c.local_written >= 64 * 5 * 8, "{}", c.local_written);
}

#[test]
fn bytes_by_generic_addresses() {
    let x: Vec<u8> = (0..=255).chain(0..=44).collect();
    let n = x.len();
    let buffers = [Buffer::In(x.clone()), Buffer::Out(n), Buffer::Value(Param::U32(n as u32))];
    let (out, c) = execute("bytes", 3, 128, &buffers);
    for (x, found) in x.iter().zip(out) {
        assert_eq!(found as i8, (*x as i8).saturating_add(100));
    }
    assert_eq!((c.global.read.bytes, c.global.written.bytes), (301, 301));
}

#[test]
fn halves_become_bfloats() {
    let mut random = Random(8);
    let x: Vec<half::f16> =
        (0..128).map(|_| half::f16::from_f32(random.below(4000) as f32 / 7.0 - 300.0)).collect();
    let k = half::f16::from_f32(0.37);
    let input = Buffer::In(x.iter().flat_map(|x| x.to_le_bytes()).collect());
    let value = Buffer::Value(Param::Bytes(k.to_le_bytes().into()));
    let (out, _) = execute("halves", 2, 64, &[input, Buffer::Out(256), value]);
    for (x, found) in x.iter().zip(out.chunks(2)) {
        // Products and sums of halves are exact in f64; from_f32 is given what f32 holds exactly.
        let product = half::f16::from_f32((x.to_f64() * k.to_f64()) as f32);
        let sum = half::f16::from_f32((product.to_f64() + 1.5) as f32);
        assert_eq!(
            u16::from_le_bytes(found.try_into().unwrap()),
            half::bf16::from_f32(sum.to_f32()).to_bits()
        );
    }
}
