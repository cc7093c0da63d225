//! What counting alone achieves: the loss on the text for the test, by frequencies in the text to learn from. Each count is
//! larger by one, so that nothing is impossible.

use super::text::Text;
use lawson::{DType, Tensor};

/// By the frequency of each character.
pub fn unigram(text: &Text) -> Tensor {
    let counts = Tensor::ones([text.alphabet.len() as i64], DType::F32);
    let counts = counts.at_indices(&[&text.training]).add(1.0);
    -(&counts / counts.sum()).log().take(&text.test, 0).mean()
}

/// By the frequency of each character after the one before it.
pub fn bigram(text: &Text) -> Tensor {
    let pairs = |t: &Tensor| (t.index(..-1), t.index(1..));
    let (before, after) = pairs(&text.training);
    let counts = Tensor::ones([text.alphabet.len() as i64; 2], DType::F32);
    let counts = counts.at_indices(&[&before, &after]).add(1.0);
    let log_p = (&counts / counts.sum_keepdims(-1)).log();
    let (before, after) = pairs(&text.test);
    -log_p.at_indices(&[&before, &after]).get().mean()
}
