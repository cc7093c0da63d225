//! Tensors from and to elements of Plonky3's fields and extensions: the feature `plonky3`.
//!
//! A tensor has the storage that Plonky3 has: Montgomery for BabyBear and KoalaBear, values for Goldilocks and Mersenne31.
//! Extensions are those with the same polynomial.

use super::Tensor;
use super::foreign::{from_values, to_values};
use crate::error::Error;
use lawson_hlo::DType;
use p3_baby_bear::BabyBear;
use p3_field::extension::{BinomialExtensionField, Complex, CubicTrinomialExtensionField};
use p3_field::{BasedVectorSpace, PrimeCharacteristicRing, PrimeField64};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_mersenne_31::Mersenne31;
use std::panic::Location;

/// A type of Plonky3 that is the element of tensors.
pub trait Plonky3Element: BasedVectorSpace<Self::Coefficient> + Copy + sealed::Sealed {
    /// The field of its coefficients; of a field itself.
    type Coefficient: PrimeField64;
    /// The element type of tensors of it.
    const DTYPE: DType;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($element:ty, $coefficient:ty => $dtype:ident;)*) => {$(
        impl sealed::Sealed for $element {}
        impl Plonky3Element for $element {
            type Coefficient = $coefficient;
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}

elements! {
    BabyBear, BabyBear => BabyBearMont;
    KoalaBear, KoalaBear => KoalaBearMont;
    Mersenne31, Mersenne31 => Mersenne31;
    Goldilocks, Goldilocks => Goldilocks;
    BinomialExtensionField<BabyBear, 4>, BabyBear => BabyBearX4Mont;
    BinomialExtensionField<KoalaBear, 4>, KoalaBear => KoalaBearX4Mont;
    Complex<Mersenne31>, Mersenne31 => Mersenne31X2;
    BinomialExtensionField<Goldilocks, 2>, Goldilocks => GoldilocksX2;
    CubicTrinomialExtensionField<Goldilocks>, Goldilocks => GoldilocksX3;
}

impl Tensor {
    /// A tensor with these elements, row-major.
    ///
    /// The tensor carries an error where the number of elements is not that of the dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    /// use p3_baby_bear::BabyBear;
    /// use p3_field::{Field, PrimeCharacteristicRing};
    ///
    /// let x = [BabyBear::TWO, BabyBear::TWO.inverse()];
    /// let y = Tensor::from_plonky3(&x, [2]);
    /// assert_eq!(y.dtype(), DType::BabyBearMont);
    /// assert_eq!((&y * y.flip(0)).to_plonky3::<BabyBear>()?, [BabyBear::ONE; 2]);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn from_plonky3<T: Plonky3Element>(elements: &[T], dims: impl AsRef<[i64]>) -> Tensor {
        let coefficients = elements.iter().flat_map(|x| x.as_basis_coefficients_slice());
        let values = coefficients.map(|c| c.as_canonical_u64());
        from_values(Location::caller(), "from_plonky3", T::DTYPE, values, dims.as_ref())
    }

    /// The elements, row-major, of a tensor with that field or extension, in either storage.
    ///
    /// # Errors
    /// As [`Tensor::array`], or the elements are of another field.
    #[track_caller]
    pub fn to_plonky3<T: Plonky3Element>(&self) -> Result<Vec<T>, Error> {
        let values = to_values(Location::caller(), "to_plonky3", self, T::DTYPE)?;
        let element = |row: &[u64]| T::from_basis_coefficients_fn(|i| T::Coefficient::from_u64(row[i]));
        Ok(values.chunks_exact(T::DIMENSION).map(element).collect())
    }
}
