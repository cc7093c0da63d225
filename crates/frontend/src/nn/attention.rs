//! Attention: averages of values, weighted by how well queries and keys agree.

use super::softmax::softmax;
use crate::tensor::{Tensor, einsum, where_};
use crate::tree::Tree;
use lawson_hlo::DType;
use std::hash::Hasher;

/// How [`dot_product_attention`] weighs.
#[derive(Clone, Debug, Default)]
pub struct AttentionOptions {
    /// Added to the logits; broadcasts to `[batch, heads, queries, keys]`.
    pub bias: Option<Tensor>,
    /// Where it is false no key is looked at: pred that broadcasts to `[batch, heads, queries, keys]`. A query that may look at no key
    /// gets the mean of all values.
    pub mask: Option<Tensor>,
    /// Queries look at no keys after them.
    pub causal: bool,
    /// What products of queries and keys are multiplied by; 1/√features where it is not given.
    pub scale: Option<f64>,
}

/// softmax(scale · q · kᵀ + bias) · v for each head: queries `[batch, queries, heads, features]`, keys and values
/// `[batch, keys, heads, features]` give `[batch, queries, heads, features]`. Softmax is computed in f32 at least.
///
/// Vaswani et al., "Attention Is All You Need" (arXiv:1706.03762).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::nn::{AttentionOptions, dot_product_attention};
/// use lawson::{DType, Tensor};
///
/// let q = Tensor::ones([1, 3, 2, 4], DType::F32);
/// let v = Tensor::iota([1, 3, 2, 4], 1, DType::F32); // 0, 1 and 2 at the three places
/// let options = AttentionOptions { causal: true, ..AttentionOptions::default() };
/// let y = dot_product_attention(&q, &q, &v, &options);
/// assert_eq!(y.index((0, .., 0, 0)).to_vec(), Ok(vec![0f32, 0.5, 1.0]));
/// ```
#[track_caller]
pub fn dot_product_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    options: &AttentionOptions,
) -> Tensor {
    let features = query.dims().last().copied().unwrap_or(1);
    let scale = options.scale.unwrap_or(1.0 / (features as f64).sqrt());
    let mut logits = super::wide(&einsum("btnh,bsnh->bnts", &[query, key])) * scale;
    if let Some(bias) = &options.bias {
        logits += bias;
    }
    // Not −∞: a row of those alone would have no softmax.
    let least = -0.7 * f64::from(f32::MAX);
    if let Some(mask) = &options.mask {
        logits = where_(mask, &logits, least);
    }
    if options.causal && logits.rank() == 4 {
        let [queries, keys] = [2, 3].map(|d| logits.dims()[d]);
        logits = where_(causal_mask(queries, keys), &logits, least);
    }
    let weights = softmax(&logits, -1).astype(value.dtype());
    einsum("bnts,bsnh->btnh", &[&weights, value])
}

/// Whether a key is not after a query: pred `[queries, keys]`.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::nn;
///
/// assert_eq!(nn::causal_mask(2, 2).to_vec(), Ok(vec![true, false, true, true]));
/// ```
#[track_caller]
pub fn causal_mask(queries: i64, keys: i64) -> Tensor {
    Tensor::tri(queries, keys, 0, DType::Pred)
}

/// The weights of [`multi_head_attention`]: projections of inputs to heads, `[inputs, heads, features]`, and of heads to
/// outputs, `[heads, features, outputs]`.
#[derive(Clone, Debug)]
pub struct MultiHead {
    /// Of what asks, to heads.
    pub query: Tensor,
    /// Of what is looked at, to heads.
    pub key: Tensor,
    /// Of what is averaged, to heads.
    pub value: Tensor,
    /// Of all heads, to the result.
    pub out: Tensor,
}

impl Tree for MultiHead {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        out.extend([&self.query, &self.key, &self.value, &self.out].map(Clone::clone));
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> MultiHead {
        MultiHead {
            query: self.query.rebuild(leaves),
            key: self.key.rebuild(leaves),
            value: self.value.rebuild(leaves),
            out: self.out.rebuild(leaves),
        }
    }

    fn structure(&self, state: &mut dyn Hasher) {
        [&self.query, &self.key, &self.value, &self.out].map(Clone::clone).structure(state);
    }
}

/// Attention of `[batch, queries, inputs]` to `[batch, keys, inputs]` by several heads: `[batch, queries, outputs]`. Self-attention
/// passes the same tensor twice.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::nn::{AttentionOptions, MultiHead, multi_head_attention};
/// use lawson::{DType, Tensor, nn, random};
///
/// let keys = random::split_array::<4>(&random::key(0));
/// let weights = |key: &Tensor, dims| nn::init::glorot_uniform(key, dims, DType::F32);
/// let heads = MultiHead {
///     query: weights(&keys[0], [8, 2, 4]),
///     key: weights(&keys[1], [8, 2, 4]),
///     value: weights(&keys[2], [8, 2, 4]),
///     out: weights(&keys[3], [2, 4, 8]),
/// };
/// let x = Tensor::ones([1, 5, 8], DType::F32);
/// assert_eq!(multi_head_attention(&heads, &x, &x, &AttentionOptions::default()).dims(), [1, 5, 8]);
/// ```
#[track_caller]
pub fn multi_head_attention(
    weights: &MultiHead,
    queries: &Tensor,
    keys: &Tensor,
    options: &AttentionOptions,
) -> Tensor {
    let q = einsum("btd,dnh->btnh", &[queries, &weights.query]);
    let k = einsum("bsd,dnh->bsnh", &[keys, &weights.key]);
    let v = einsum("bsd,dnh->bsnh", &[keys, &weights.value]);
    let heads = dot_product_attention(&q, &k, &v, options);
    einsum("btnh,nho->bto", &[&heads, &weights.out])
}
