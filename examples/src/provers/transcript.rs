//! A transcript of Fiat and Shamir: what the prover says goes in, challenges that depend on all of it come out. Prover and
//! verifier run the same one, so that no message from the verifier is needed.

use super::poseidon2::{Poseidon2, Program, RATE, WIDTH, program};
use super::{BASE, EXTENSION};
use lawson::{DType, Error, Tensor};
use std::sync::LazyLock;

static PERMUTE: LazyLock<Program> = LazyLock::new(|| program(Poseidon2::permute_columns));

/// The state of a sponge (Bertoni et al.: "Duplexing the sponge", 2011) whose permutation is Poseidon2 over BabyBear.
pub struct Transcript {
    state: [u64; WIDTH],
}

impl Transcript {
    /// A transcript of a protocol with this name.
    ///
    /// # Errors
    /// Those of compiling and running; so it is with everything here.
    pub fn new(protocol: &str) -> Result<Transcript, Error> {
        let mut made = Transcript { state: [0; WIDTH] };
        made.absorb(&protocol.bytes().map(u64::from).collect::<Vec<_>>())?;
        Ok(made)
    }

    /// Takes in the sizes that a statement is about.
    pub fn sizes(&mut self, sizes: &[usize]) -> Result<(), Error> {
        let p = modulus();
        self.absorb(&sizes.iter().flat_map(|&n| [n as u64 % p, n as u64 / p]).collect::<Vec<_>>())
    }

    /// Takes in elements of the field or of its extension.
    pub fn observe(&mut self, elements: &Tensor) -> Result<(), Error> {
        self.absorb(&elements.values()?)
    }

    /// Takes in how many values there are, and the values.
    fn absorb(&mut self, values: &[u64]) -> Result<(), Error> {
        self.state[RATE] = (self.state[RATE] + values.len() as u64) % modulus();
        for block in values.chunks(RATE) {
            self.state[..block.len()].copy_from_slice(block);
            self.step()?;
        }
        Ok(())
    }

    /// A challenge: an element of the extension.
    pub fn challenge(&mut self) -> Result<Tensor, Error> {
        self.step()?;
        Ok(Tensor::from_values(EXTENSION, &self.state[..4], []))
    }

    /// A random index below 2^digits.
    pub fn index(&mut self, digits: u32) -> Result<usize, Error> {
        self.step()?;
        Ok((self.state[0] & ((1 << digits) - 1)) as usize)
    }

    fn step(&mut self) -> Result<(), Error> {
        let state = Tensor::from_values(BASE, &self.state, [WIDTH as i64, 1]);
        self.state.copy_from_slice(&PERMUTE(&state)?.values()?);
        Ok(())
    }
}

fn modulus() -> u64 {
    DType::field(BASE).expect("a prime field").prime.modulus()
}
