//! Products.

use crate::recorded::{indices, pattern, same};
use crate::{refused, support::values};
use lawson_frontend::tensor::{DotDimensions, einsum};
use lawson_frontend::{DType, Tensor};

#[test]
fn dot_has_numpys_dimensions() {
    let (a, b) = (pattern(1, &[3, 4]), pattern(2, &[4, 2]));
    same("dot_22", &a.dot(&b));
    same("dot_21", &a.dot(pattern(3, &[4])));
    same("dot_12", &pattern(3, &[4]).dot(&b));
    same("dot_11", &pattern(3, &[4]).dot(pattern(4, &[4])));
    same("dot_33", &pattern(5, &[2, 3, 4]).dot(pattern(6, &[2, 4, 3])));
    same("dot_20", &a.dot(2.5));
    same("inner_22", &a.inner(pattern(7, &[5, 4])));
    same("outer", &pattern(8, &[2, 2]).outer(pattern(9, &[3])));
    same("vdot", &a.vdot(pattern(2, &[12])));
    same("kron", &pattern(1, &[2, 3]).kron(pattern(2, &[2])));
    same("kron_22", &pattern(1, &[2, 3]).kron(pattern(2, &[3, 2])));
}

#[test]
fn matmul_broadcasts_batches() {
    same("matmul_22", &pattern(1, &[3, 4]).matmul(pattern(2, &[4, 2])));
    same("matmul_33", &pattern(1, &[2, 3, 4]).matmul(pattern(2, &[2, 4, 2])));
    same("matmul_43", &pattern(1, &[2, 1, 3, 4]).matmul(pattern(2, &[3, 4, 2])));
    same("matmul_13", &pattern(1, &[4]).matmul(pattern(2, &[3, 4, 2])));
    same("matmul_31", &pattern(1, &[3, 2, 4]).matmul(pattern(2, &[4])));
    same("matmul_11", &pattern(1, &[4]).matmul(pattern(2, &[4])));
    same("matmul_stretch", &pattern(1, &[1, 2, 3, 4]).matmul(pattern(2, &[5, 1, 4, 2])));
}

#[test]
fn products_have_jaxs_types() {
    let (a, b) = (pattern(1, &[3, 4]), indices(2, 9, &[4, 2]));
    same("dot_f32_s32", &a.matmul(&b));
    same("dot_s32", &indices(1, 7, &[3, 4]).matmul(&b));
    let (x, y) = (a.astype(DType::Bf16), pattern(2, &[4, 2]).astype(DType::Bf16));
    same("dot_bf16", &x.matmul(&y));
    let dims =
        DotDimensions { lhs_contracting: vec![1], rhs_contracting: vec![0], ..DotDimensions::default() };
    same("dot_bf16_f32", &x.dot_general(&y, &dims, Some(DType::F32)));
    let narrow = indices(1, 100, &[3, 4]).astype(DType::S8);
    same("dot_s8_s32", &narrow.dot_general(narrow.t(), &dims, Some(DType::S32)));
    let flags = |seed| indices(seed, 2, &[3, 3]).astype(DType::Pred);
    same("dot_pred", &flags(1).matmul(flags(2)));
    assert!(Tensor::of(2.0).dot(3.0).is_weak());
}

#[test]
fn tensordot_takes_axes() {
    let (a, b) = (pattern(1, &[2, 3, 4]), pattern(2, &[4, 3, 2]));
    same("tensordot_1", &a.tensordot(&b, 1));
    same("tensordot_0", &pattern(1, &[2]).tensordot(pattern(2, &[3]), 0));
    same("tensordot_2", &a.tensordot(pattern(2, &[3, 4, 5]), 2));
    same("tensordot_axes", &a.tensordot_axes(&b, &[0, -1], &[2, 0]));
}

#[test]
fn einsum_gives_what_jax_gives() {
    let (a, b, c) = (pattern(1, &[2, 3, 4]), pattern(2, &[2, 4, 5]), pattern(3, &[5, 3]));
    same("einsum_batch", &einsum("bij,bjk->bik", &[&a, &b]));
    same("einsum_implicit", &einsum("bij,bjk", &[&a, &b]));
    same("einsum_three", &einsum("bij,bjk,kl->lb", &[&a, &b, &c]));
    same("einsum_transpose", &einsum("abc->cab", &[&a]));
    same("einsum_implicit_transpose", &einsum("ba", &[&c]));
    same("einsum_sum", &einsum("abc->b", &[&a]));
    let square = pattern(4, &[3, 3]);
    same("einsum_trace", &einsum("ii", &[&square]));
    same("einsum_diagonal", &einsum("ii->i", &[&square]));
    same("einsum_diagonal_batch", &einsum("aibi->abi", &[&pattern(5, &[2, 3, 4, 3])]));
    same("einsum_ellipsis", &einsum("...ij,jk->...ik", &[&a, &pattern(6, &[4, 2])]));
    same("einsum_ellipsis_both", &einsum("...i,...i", &[&a, &pattern(7, &[3, 4])]));
    same("einsum_outer", &einsum("i,j->ji", &[&pattern(8, &[2]), &pattern(9, &[3])]));
    same("einsum_elementwise", &einsum("ij,ij->ij", &[&square, &square]));
    same("einsum_alone", &einsum("ij,k->k", &[&square, &pattern(9, &[2])]));
    same("einsum_stretch", &einsum("ij,ij->i", &[&pattern(1, &[3, 1]), &pattern(2, &[3, 4])]));
    let four = [pattern(1, &[2, 3]), pattern(2, &[3, 4]), pattern(3, &[4, 2]), pattern(4, &[2, 5])];
    same("einsum_chain", &einsum("ab,bc,cd,de->ae", &[&four[0], &four[1], &four[2], &four[3]]));
}

#[test]
fn shapes_that_do_not_fit_are_shown() {
    let (a, b) = (pattern(1, &[2, 3]), pattern(2, &[4, 5]));
    refused(&a.dot(&b), &["`dot`", "f32[2,3]", "f32[4,5]"]);
    refused(&a.matmul(&b), &["`matmul`", "f32[2,3]", "f32[4,5]"]);
    refused(&a.matmul(1.0), &["`matmul`", "f32[2,3]", "f32[]"]);
    refused(&pattern(1, &[2, 2, 3]).matmul(pattern(1, &[3, 3, 2])), &["f32[2,2,3]", "f32[3,3,2]"]);
    refused(&a.inner(&b), &["`inner`", "f32[2,3]", "f32[4,5]"]);
    refused(&a.vdot(&b), &["`vdot`", "f32[2,3]", "f32[4,5]"]);
    refused(&a.tensordot(&b, 3), &["`tensordot`", "f32[2,3]", "f32[4,5]"]);
    refused(&a.tensordot_axes(&b, &[0], &[7]), &["`tensordot`", "f32[2,3]", "f32[4,5]"]);
    refused(
        &a.dot_general(&b, &DotDimensions { lhs_batch: vec![0], ..DotDimensions::default() }, None),
        &["batch"],
    );
}

#[test]
fn subscripts_that_do_not_fit_are_shown() {
    let (a, b) = (pattern(1, &[2, 3]), pattern(2, &[4, 5]));
    refused(&einsum("ij,jk->ik", &[&a, &b]), &["`einsum`", "ij,jk->ik", "'j'", "f32[2,3]", "f32[4,5]"]);
    refused(&einsum("ij->ik", &[&a]), &["'k'", "alone"]);
    refused(&einsum("ij->ii", &[&a]), &["'i'", "twice"]);
    refused(&einsum("ijk->i", &[&a]), &["\"ijk\"", "2 dimensions"]);
    refused(&einsum("i->i", &[&a]), &["\"i\"", "2 dimensions"]);
    refused(&einsum("ij,jk", &[&a]), &["2 terms", "1 operand"]);
    refused(&einsum("i1->i", &[&a]), &["'1'"]);
    refused(&einsum("ii->i", &[&a]), &["f32[2,3]"]);
    assert!(einsum("", &[]).error().is_some());
}

#[test]
fn no_elements_sum_to_zero() {
    let (a, b) = (Tensor::new::<f32>(&[], [2, 0]), Tensor::new::<f32>(&[], [0, 3]));
    assert_eq!(values(&a.matmul(&b)), [0.0; 6]);
    assert_eq!(values(&einsum("ij,jk->", &[&a, &b])), [0.0]);
    assert_eq!(einsum("ij,ij->ij", &[&a, &a]).dims(), [2, 0]);
}
