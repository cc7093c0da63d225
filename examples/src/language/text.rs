//! Text as numbers of characters.

use lawson::{DType, Error, Tensor, random};

/// Two comedies. The last tenth is kept for the test.
pub struct Text {
    /// The characters that occur, in order; their places are their numbers.
    pub alphabet: Vec<char>,
    pub training: Tensor,
    pub test: Tensor,
}

impl Text {
    pub fn load() -> Text {
        let text = include_str!("../../data/plays.txt");
        let mut alphabet: Vec<char> = text.chars().collect();
        alphabet.sort_unstable();
        alphabet.dedup();
        let numbers: Vec<i32> =
            text.chars().filter_map(|c| alphabet.binary_search(&c).ok()).map(|n| n as i32).collect();
        let (training, test) = numbers.split_at(numbers.len() / 10 * 9);
        let tensor = |part: &[i32]| Tensor::new(part, [part.len() as i64]);
        Text { training: tensor(training), test: tensor(test), alphabet }
    }

    /// The characters with these numbers.
    ///
    /// # Errors
    /// The numbers are not known.
    pub fn decode(&self, numbers: &Tensor) -> Result<String, Error> {
        let numbers = numbers.to_vec::<i32>()?;
        Ok(numbers.iter().filter_map(|&n| self.alphabet.get(n as usize)).collect())
    }
}

/// `count` windows of this length from anywhere in a text.
pub fn windows(text: &Tensor, key: &Tensor, count: i64, length: i64) -> Tensor {
    let starts = random::randint(key, [count, 1], DType::S32, 0, text.dims()[0] - length + 1);
    text.take(&(starts + Tensor::arange(0..length, DType::S32)), 0)
}

/// The windows of this length that lie one behind the other.
pub fn consecutive(text: &Tensor, length: i64) -> Tensor {
    let count = text.dims()[0] / length;
    text.index(..count * length).reshape([count, length])
}
