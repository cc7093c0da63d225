//! The recorded cases: `case NAME`, then `in TYPE[DIMS] ELEMENTS` for each input and the same with `out`.

use lawson_frontend::Tensor;
use lawson_hlo::{ArrayShape, DType, Literal, Scalar};

pub struct Case {
    pub name: String,
    pub inputs: Vec<Tensor>,
    pub output: Literal,
}

pub fn all() -> Vec<Case> {
    let (mut cases, mut name, mut inputs) = (Vec::new(), String::new(), Vec::new());
    for line in include_str!("../data/tensor_values.txt").lines() {
        match line.split_once(' ') {
            Some(("case", rest)) => name = rest.to_string(),
            Some(("in", rest)) => inputs.push(Tensor::from_literal(literal(rest))),
            Some(("out", rest)) => {
                let (name, inputs) = (std::mem::take(&mut name), std::mem::take(&mut inputs));
                cases.push(Case { name, inputs, output: literal(rest) });
            }
            _ => assert!(line.starts_with('#'), "{line}"),
        }
    }
    cases
}

fn literal(text: &str) -> Literal {
    let (shape, elements) = text.split_once(' ').unwrap_or((text, ""));
    let (dtype, dims) = shape.trim_end_matches(']').split_once('[').expect(text);
    let dtype = DType::from_name(dtype).expect(text);
    let dims: Vec<i64> = dims.split(',').filter(|d| !d.is_empty()).map(|d| d.parse().expect(text)).collect();
    let element = |e: &str| match dtype.is_float() {
        true => Scalar::Float(e.parse().expect(e)),
        false => Scalar::Signed(e.parse().expect(e)),
    };
    let elements = elements.split(' ').filter(|e| !e.is_empty()).map(element);
    Literal::from_scalars(ArrayShape::new(dtype, dims), elements)
}
