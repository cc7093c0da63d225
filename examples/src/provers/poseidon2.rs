//! Poseidon2, a permutation of 16 elements that is cheap to prove, over BabyBear and KoalaBear (Grassi, Khovratovich,
//! Schofnegger: "Poseidon2: A faster version of the Poseidon hash function", 2023), applied to many states at once: word i
//! of all states is one array. Round constants are those of the paper's generator; the diagonals of the inner rounds are
//! Plonky3's.

use lawson::hlo::dtype::Prime;
use lawson::hlo::dtype::field::power;
use lawson::tensor::stack;
use lawson::{DType, Error, Tensor, jit};

/// Elements of a state.
pub const WIDTH: usize = 16;
/// Elements of a state that are read or written between permutations, and of a digest.
pub const RATE: usize = 8;
/// Outer rounds before the inner ones, and as many after.
const HALF: usize = 4;

/// The words of states.
pub type State = [Tensor; WIDTH];

/// The permutation over one field.
#[derive(Clone, Debug)]
pub struct Poseidon2 {
    /// The element type of states.
    pub dtype: DType,
    /// The power in each round: the least one that is a permutation of the field.
    exponent: i32,
    /// What outer rounds add to each word.
    pub outer: [[u64; WIDTH]; 2 * HALF],
    /// What inner rounds add to the first word.
    pub inner: Vec<u64>,
    /// Inner rounds multiply by the matrix of ones plus this diagonal.
    diagonal: [u64; WIDTH],
}

impl Poseidon2 {
    /// Over BabyBear: powers of 7, 13 inner rounds.
    pub fn babybear() -> Poseidon2 {
        let by = [(1, 8), (1, 2), (1, 3), (1, 27), (-1, 8), (-1, 4), (-1, 27)];
        Poseidon2::new(DType::BabyBearMont, 7, 13, by)
    }

    /// Over KoalaBear: powers of 3, 20 inner rounds.
    pub fn koalabear() -> Poseidon2 {
        let by = [(1, 8), (1, 3), (1, 24), (-1, 8), (-1, 3), (-1, 4), (-1, 24)];
        Poseidon2::new(DType::KoalaBearMont, 3, 20, by)
    }

    /// `halved` are the last entries of the diagonal: a sign, and how often 1 is halved.
    fn new(dtype: DType, exponent: i32, inner: usize, halved: [(i64, u64); 7]) -> Poseidon2 {
        let prime = dtype.field().expect("a prime field").prime;
        let mut constants = Grain::new(prime.modulus(), 2 * HALF, inner);
        let mut outer = [[0; WIDTH]; 2 * HALF];
        let (first, last) = outer.split_at_mut(HALF);
        let fill = |rounds: &mut [[u64; WIDTH]], constants: &mut Grain| {
            rounds.iter_mut().flatten().for_each(|c| *c = constants.element());
        };
        fill(first, &mut constants);
        let inner = (0..inner).map(|_| constants.element()).collect();
        fill(last, &mut constants);
        Poseidon2 { dtype, exponent, outer, inner, diagonal: diagonal(prime, halved) }
    }

    /// The states after the permutation. The words are arrays of equal dimensions.
    pub fn permute(&self, mut state: State) -> State {
        outer_matrix(&mut state);
        for round in &self.outer[..HALF] {
            self.outer_round(&mut state, round);
        }
        for &constant in &self.inner {
            state[0] = (&state[0] + constant).pow(self.exponent);
            // The first word is known last, so it is added last; of the diagonal it has −2.
            let rest = sum(&state[1..]);
            let all = &rest + &state[0];
            let first = &rest - &state[0];
            state = std::array::from_fn(|i| match i {
                0 => first.clone(),
                _ => &all + &state[i] * self.diagonal[i],
            });
        }
        for round in &self.outer[HALF..] {
            self.outer_round(&mut state, round);
        }
        state
    }

    fn outer_round(&self, state: &mut State, constants: &[u64; WIDTH]) {
        for (word, &constant) in state.iter_mut().zip(constants) {
            *word = (&*word + constant).pow(self.exponent);
        }
        outer_matrix(state);
    }

    /// The permutation of states that are the columns of an array `[16, n]`.
    pub fn permute_columns(&self, states: &Tensor) -> Tensor {
        stack(&self.permute(std::array::from_fn(|i| states.index(i as i64))), 0)
    }

    /// The digests `[8, n]` of the columns of an array `[m, n]`: a sponge takes 8 elements at a time, which replace the
    /// first words.
    pub fn hash_columns(&self, columns: &Tensor) -> Tensor {
        let dims = columns.dims();
        let (rows, zeros) = (dims[0], Tensor::zeros(&dims[1..], self.dtype));
        let mut state: State = std::array::from_fn(|_| zeros.clone());
        for first in (0..rows).step_by(RATE) {
            for row in first..rows.min(first + RATE as i64) {
                state[(row - first) as usize] = columns.index(row);
            }
            state = self.permute(state);
        }
        stack(&state[..RATE], 0)
    }

    /// The digests `[8, n]` of pairs of digests, which stand above each other in `[16, n]`.
    pub fn compress(&self, pairs: &Tensor) -> Tensor {
        self.permute_columns(pairs).index(..RATE as i64)
    }
}

/// A function of arrays, compiled once for each of their dimensions.
pub type Program = Box<dyn Fn(&Tensor) -> Result<Tensor, Error> + Send + Sync>;

/// The program of a function of arrays by Poseidon2 over BabyBear: what trees and transcripts keep for the whole process.
pub fn program(f: fn(&Poseidon2, &Tensor) -> Tensor) -> Program {
    let hash = Poseidon2::babybear();
    let compiled = jit(move |x: &Tensor| f(&hash, x));
    Box::new(move |x| compiled.call(x))
}

/// Multiplies by the circulant of 2M, M, M, M, where M is that of 2, 3, 1, 1.
fn outer_matrix(state: &mut State) {
    for four in state.chunks_exact_mut(4) {
        let [a, b, c, d] = std::array::from_fn(|i| four[i].clone());
        let sum = (&a + &b) + (&c + &d);
        four[0] = (&sum + &b) + (&a + &b);
        four[1] = (&sum + &b) + (&c + &c);
        four[2] = (&sum + &d) + (&c + &d);
        four[3] = (&sum + &d) + (&a + &a);
    }
    let sums: [Tensor; 4] =
        std::array::from_fn(|i| (&state[i] + &state[i + 4]) + (&state[i + 8] + &state[i + 12]));
    for (i, word) in state.iter_mut().enumerate() {
        *word = &*word + &sums[i % 4];
    }
}

/// The sum of all words, by pairs.
fn sum(words: &[Tensor]) -> Tensor {
    match words {
        [one] => one.clone(),
        _ => {
            let (first, second) = words.split_at(words.len() / 2);
            sum(first) + sum(second)
        }
    }
}

/// −2, 1, 2, 1/2, 3, 4, −1/2, −3, −4, and signed powers of 1/2.
fn diagonal(prime: Prime, halved: [(i64, u64); 7]) -> [u64; WIDTH] {
    let p = prime.modulus();
    let half = power(prime, 2, p - 2);
    let signed = |(sign, value): (i64, u64)| if sign < 0 { p - value } else { value };
    let small = [(-1, 2), (1, 1), (1, 2), (1, half), (1, 3), (1, 4), (-1, half), (-1, 3), (-1, 4)];
    let powers = halved.map(|(sign, times)| (sign, power(prime, half, times)));
    let mut all = small.into_iter().chain(powers).map(signed);
    std::array::from_fn(|_| all.next().expect("nine and seven"))
}

/// The generator of constants of the paper "Poseidon" (Grassi et al., 2021, appendix E): a shift register of 80 bits that is
/// filled with the parameters, of whose bits every second one counts if the one before it is set.
struct Grain {
    /// Bit n of the register is bit 79 − n of the number.
    register: u128,
    modulus: u64,
}

impl Grain {
    fn new(modulus: u64, outer: usize, inner: usize) -> Grain {
        let bits = u64::from(64 - modulus.leading_zeros());
        // A prime field; powers; bits of an element; width; rounds of each kind; ones.
        let parts = [
            (1, 2),
            (0, 4),
            (bits, 12),
            (WIDTH as u64, 12),
            (outer as u64, 10),
            (inner as u64, 10),
            (0x3fff_ffff, 30),
        ];
        let register = parts.iter().fold(0, |r, &(value, width)| r << width | u128::from(value));
        let mut grain = Grain { register, modulus };
        (0..160).for_each(|_| _ = grain.step());
        grain
    }

    fn step(&mut self) -> bool {
        let bit = [62, 51, 38, 23, 13, 0].iter().fold(0, |b, &n| b ^ self.register >> (79 - n) & 1);
        self.register = (self.register << 1 | bit) & ((1 << 80) - 1);
        bit == 1
    }

    fn bit(&mut self) -> bool {
        loop {
            let (counts, bit) = (self.step(), self.step());
            if counts {
                return bit;
            }
        }
    }

    /// The next number of as many bits as the modulus has that is below it.
    fn element(&mut self) -> u64 {
        let bits = 64 - self.modulus.leading_zeros();
        loop {
            let number = (0..bits).fold(0, |n, _| n << 1 | u64::from(self.bit()));
            if number < self.modulus {
                return number;
            }
        }
    }
}
