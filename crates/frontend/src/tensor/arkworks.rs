//! Tensors from and to elements of prime fields of arkworks, by their values: the feature `arkworks`.

use super::Tensor;
use super::foreign::{from_values, to_values};
use crate::error::{Error, Fault};
use crate::fault;
use ark_ff::PrimeField;
use lawson_hlo::DType;
use std::panic::Location;

impl Tensor {
    /// A tensor of this element type with these elements, row-major. The type has the modulus of the elements' field.
    ///
    /// The tensor carries an error where it has not, or the number of elements is not that of the dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use ark_ff::{Fp64, MontBackend, MontConfig};
    /// use lawson::{DType, Tensor};
    ///
    /// struct Parameters;
    /// impl MontConfig<1> for Parameters {
    ///     const MODULUS: ark_ff::BigInt<1> = ark_ff::BigInt([2013265921]);
    ///     const GENERATOR: BabyBear = BabyBear::new(ark_ff::BigInt([31]));
    ///     const TWO_ADIC_ROOT_OF_UNITY: BabyBear = BabyBear::new(ark_ff::BigInt([440564289]));
    /// }
    /// type BabyBear = Fp64<MontBackend<Parameters, 1>>;
    ///
    /// let x = Tensor::from_arkworks(DType::BabyBearMont, &[BabyBear::from(3), BabyBear::from(4)], [2]);
    /// assert_eq!((&x * &x).to_arkworks::<BabyBear>()?, [BabyBear::from(9), BabyBear::from(16)]);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn from_arkworks<F: PrimeField>(dtype: DType, elements: &[F], dims: impl AsRef<[i64]>) -> Tensor {
        let place = Location::caller();
        if let Err(e) = same_modulus::<F>("from_arkworks", dtype) {
            return Tensor::failed(Error::new(place, e.0));
        }
        if dtype.wide_field().is_some() {
            let words = elements.iter().flat_map(|x| x.into_bigint().as_ref().to_vec());
            return Tensor::from_values(dtype, &words.collect::<Vec<_>>(), dims);
        }
        let values = elements.iter().map(|x| x.into_bigint().as_ref()[0]);
        from_values(place, "from_arkworks", dtype, values, dims.as_ref())
    }

    /// The elements, row-major, of a tensor of the field with this modulus, in either storage.
    ///
    /// # Errors
    /// As [`Tensor::array`], or the elements are of another field.
    #[track_caller]
    pub fn to_arkworks<F: PrimeField>(&self) -> Result<Vec<F>, Error> {
        let dtype = self.array()?.shape().dtype;
        let place = Location::caller();
        same_modulus::<F>("to_arkworks", dtype).map_err(|e| Error::new(place, e.0))?;
        if dtype.wide_field().is_some() {
            let bytes: Vec<u8> = self.values()?.into_iter().flat_map(u64::to_le_bytes).collect();
            return Ok(bytes.chunks_exact(dtype.size()).map(F::from_le_bytes_mod_order).collect());
        }
        Ok(to_values(place, "to_arkworks", self, dtype)?.into_iter().map(F::from).collect())
    }
}

/// # Errors
/// The element type is no prime field with the modulus of F.
fn same_modulus<F: PrimeField>(name: &str, dtype: DType) -> Result<(), Fault> {
    let own = match (dtype.field(), dtype.wide_field()) {
        (Some(field), _) => vec![field.prime.modulus()],
        (_, Some(field)) => field.prime.modulus().0.to_vec(),
        (None, None) => Vec::new(),
    };
    match F::MODULUS.as_ref() == own {
        true => Ok(()),
        false => fault!("`{name}`: {dtype} has not the modulus {}", F::MODULUS),
    }
}
