//! The types that sums and products are accumulated in (`docs/numerics.md`).

use super::{DType, Float};

impl Float {
    /// The type its sums and products are accumulated in; `None` where none is needed: the type's own.
    const fn accumulator(self) -> Option<DType> {
        match self {
            Float::F16 | Float::Bf16 | Float::Small(_) => Some(DType::F32),
            Float::F32 | Float::F64 => None,
        }
    }
}

impl DType {
    /// The type that sums and products of this type are accumulated in: f32 for narrower floats (`docs/numerics.md`).
    pub const fn accumulator(self) -> DType {
        match self.float() {
            Some(float) => match float.accumulator() {
                Some(wide) => wide,
                None => self,
            },
            None => self,
        }
    }

    /// The type in which products of `lhs` and `rhs` elements are summed to become a `result`: the widest float
    /// taking part (f32 at least), else the result's own type.
    pub fn product_accumulator(lhs: DType, rhs: DType, result: DType) -> DType {
        let all = [lhs, rhs, result];
        if all.contains(&DType::F64) {
            DType::F64
        } else if all.iter().any(|d| d.is_float()) {
            DType::F32
        } else {
            result
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_summed_in_the_widest_float() {
        use DType::*;
        for (lhs, rhs, result, sum) in [
            (Bf16, Bf16, Bf16, F32),
            (S8, Bf16, Bf16, F32),
            (F32, F32, S32, F32),
            (F64, F32, F32, F64),
            (F16, F16, F64, F64),
            (S8, U8, S32, S32),
            (Pred, Pred, Pred, Pred),
        ] {
            assert_eq!(DType::product_accumulator(lhs, rhs, result), sum, "{lhs} {rhs} {result}");
        }
    }
}
