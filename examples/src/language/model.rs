//! The transformer: blocks of causal attention and two dense layers, each around a residual connection.

use lawson::nn::{self, AttentionOptions, MultiHead, init};
use lawson::{DType, Tensor, Tree, random};

/// Extents of a model.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Size {
    /// How many characters it sees at most.
    pub context: i64,
    pub blocks: i64,
    pub heads: i64,
    /// Features of a character.
    pub width: i64,
}

impl Default for Size {
    fn default() -> Size {
        Size { context: 64, blocks: 3, heads: 4, width: 96 }
    }
}

/// Parameters of the model.
#[derive(Clone, Tree)]
pub struct Transformer {
    characters: Tensor,
    places: Tensor,
    blocks: Vec<Block>,
    norm: Tensor,
    head: Tensor,
}

/// Parameters of a block.
#[derive(Clone, Tree)]
struct Block {
    norms: [Tensor; 2],
    attention: MultiHead,
    up: Tensor,
    down: Tensor,
}

impl Transformer {
    pub fn new(key: &Tensor, size: &Size, characters: i64) -> Transformer {
        let Size { context, blocks, width, .. } = *size;
        let [a, b, c, rest] = random::split_array(key);
        let normal = |key: &Tensor, dims: [i64; 2], scale| init::normal(key, dims, DType::F32, scale);
        let block = |n: i64| Block::new(&random::fold_in(&rest, n), size);
        Transformer {
            characters: normal(&a, [characters, width], 0.5),
            places: normal(&b, [context, width], 0.25),
            blocks: (0..blocks).map(block).collect(),
            norm: Tensor::ones([width], DType::F32),
            head: normal(&c, [width, characters], 0.02),
        }
    }

    /// For each of the characters `s32[batch, n]` a number for each that may follow.
    pub fn logits(&self, characters: &Tensor) -> Tensor {
        let length = characters.dims()[1];
        let mut x = nn::embedding(&self.characters, characters) + self.places.index(..length);
        for block in &self.blocks {
            x = block.apply(&x);
        }
        nn::rms_norm(&x, Some(&self.norm), -1, 1e-5).dot(&self.head)
    }

    /// The mean of −log p over windows of text: each character but the first is to be foreseen from those before it.
    pub fn loss(&self, windows: &Tensor) -> Tensor {
        let (before, after) = (windows.index((.., ..-1)), windows.index((.., 1..)));
        nn::softmax_cross_entropy_with_integer_labels(&self.logits(&before), &after).mean()
    }
}

impl Block {
    fn new(key: &Tensor, size: &Size) -> Block {
        let Size { blocks, heads, width, .. } = *size;
        let [q, k, v, o, up, down] = random::split_array(key);
        let scale = 1.0 / (width as f64).sqrt();
        let normal = |key: &Tensor, dims: &[i64], scale: f64| init::normal(key, dims, DType::F32, scale);
        // What is added to the residual starts small, the smaller the more blocks there are.
        let last = scale / (2.0 * blocks as f64).sqrt();
        let features = width / heads;
        Block {
            norms: [(); 2].map(|()| Tensor::ones([width], DType::F32)),
            attention: MultiHead {
                query: normal(&q, &[width, heads, features], scale),
                key: normal(&k, &[width, heads, features], scale),
                value: normal(&v, &[width, heads, features], scale),
                out: normal(&o, &[heads, features, width], last),
            },
            up: normal(&up, &[width, 4 * width], scale),
            down: normal(&down, &[4 * width, width], last / 2.0),
        }
    }

    fn apply(&self, x: &Tensor) -> Tensor {
        let [before_attention, before_dense] = &self.norms;
        let causal = AttentionOptions { causal: true, ..AttentionOptions::default() };
        let h = nn::rms_norm(x, Some(before_attention), -1, 1e-5);
        let x = x + nn::multi_head_attention(&self.attention, &h, &h, &causal);
        let h = nn::rms_norm(&x, Some(before_dense), -1, 1e-5);
        &x + nn::gelu_tanh(&h.dot(&self.up)).dot(&self.down)
    }
}
