//! Elements of prime fields and of their extensions, from and to the values that they are.
//!
//! A value is an integer below the modulus p, whatever the element type stores for it. An element of an extension is the row of
//! its coefficients, the constant one first; a value of more than 64 bits is four words, the least significant first.

use super::Tensor;
use super::elementwise::Place;
use crate::error::{Error, Fault};
use crate::fault;
use lawson_hlo::dtype::U256;
use lawson_hlo::scalar::Coefficients;
use lawson_hlo::{ArrayShape, Attrs, DType, Literal, Opcode, Scalar, Shape};
use std::panic::Location;

impl Tensor {
    /// The array of elements of a prime field that have these values, row-major; of an extension as many values for each
    /// element as it has coefficients, of a field of more than 64 bits four words for each value, the least significant first.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::from_values(DType::BabyBearMont, &[1u32, 2, 3, 4], [4]);
    /// assert_eq!((&x * &x - 1).values()?, [0, 3, 8, 15]);
    /// let z = Tensor::from_values(DType::GoldilocksX2, &[0u32, 1], []);
    /// assert_eq!((&z * &z).values()?, [7, 0]);
    /// let w = Tensor::from_values(DType::Bn254Sf, &[0u32, 0, 1, 0], []); // 2^128
    /// assert_eq!((&w - 1).values()?, [u64::MAX, u64::MAX, 0, 0]);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    ///
    /// The tensor carries an error where the type is no field, the values are not as many as the dimensions say, or one is p or
    /// more.
    #[track_caller]
    pub fn from_values<T: Copy + Into<u64>>(dtype: DType, values: &[T], dims: impl AsRef<[i64]>) -> Tensor {
        let values: Vec<u64> = values.iter().map(|&v| v.into()).collect();
        match literal(dtype, &values, dims.as_ref()) {
            Ok(literal) => Tensor::from_literal(literal),
            Err(e) => Tensor::failed(Error::new(Location::caller(), e.0)),
        }
    }

    /// The values of elements of a prime field, row-major; of an extension all coefficients of one element, then those of the
    /// next; of a field of more than 64 bits four words of each value, the least significant first.
    ///
    /// # Errors
    /// As [`Tensor::array`], or the elements are of no prime field.
    #[track_caller]
    pub fn values(&self) -> Result<Vec<u64>, Error> {
        let array = self.array()?;
        if !array.shape().dtype.is_field() {
            let message = format!("`values` of {}, whose elements are of no prime field", array.shape());
            return Err(Error::new(Location::caller(), message));
        }
        let mut values = Vec::new();
        for scalar in array.to_literal().scalars() {
            match scalar {
                Scalar::Extension(coefficients) => values.extend_from_slice(coefficients.values()),
                Scalar::Unsigned(value) => values.push(value),
                Scalar::Wide(value) => values.extend_from_slice(&value.0),
                other => unreachable!("{other:?} is no element of a prime field"),
            }
        }
        Ok(values)
    }

    /// The coefficients of elements of an extension as elements of its prime field, along a new last dimension. They have no
    /// derivative.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let z = Tensor::from_values(DType::Mersenne31X2, &[3u32, 4], []); // 3 + 4i
    /// assert_eq!(z.coefficients().square().sum().values().unwrap(), [25]);
    /// ```
    #[track_caller]
    pub fn coefficients(&self) -> Tensor {
        regrouped(Location::caller(), self, |shape| match shape.dtype.extension() {
            Some(extension) => {
                let dims = [&shape.dims[..], &[extension.degree as i64]].concat();
                Ok(ArrayShape::new(shape.dtype.part(), dims))
            }
            None => fault!("`coefficients` of {shape}, whose elements are of no extension of a prime field"),
        })
    }

    /// The elements of an extension whose coefficients stand along the last dimension, which goes: what
    /// [`Tensor::coefficients`] takes apart.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let parts = Tensor::from_values(DType::Mersenne31, &[0u32, 1], [2]);
    /// let i = parts.from_coefficients(DType::Mersenne31X2);
    /// assert_eq!((&i * &i + 1).values().unwrap(), [0, 0]);
    /// ```
    #[track_caller]
    pub fn from_coefficients(&self, dtype: DType) -> Tensor {
        regrouped(Location::caller(), self, |shape| match (dtype.extension(), &shape.dims[..]) {
            (Some(extension), [dims @ .., last])
                if *last == extension.degree as i64 && dtype.part() == shape.dtype =>
            {
                Ok(ArrayShape::new(dtype, dims))
            }
            _ => fault!(
                "`from_coefficients` of {shape} as {dtype}: their coefficients are no last dimension of it"
            ),
        })
    }
}

/// The same words under another type.
fn regrouped(place: Place, x: &Tensor, to: impl FnOnce(&ArrayShape) -> Result<ArrayShape, Fault>) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let shape = to(e.array(ids[0])?)?;
        e.op_shaped(Opcode::BitcastConvert, Shape::Array(shape), ids, Attrs::None)
    })
}

fn literal(dtype: DType, values: &[u64], dims: &[i64]) -> Result<Literal, Fault> {
    let shape = ArrayShape::new(dtype, dims);
    let Some(p) = dtype.modulus() else {
        return fault!("`from_values` of {shape}, whose elements are of no prime field: use `new`");
    };
    let number = |words: &[u64]| U256(std::array::from_fn(|n| words.get(n).copied().unwrap_or(0)));
    let words = if dtype.wide_field().is_some() { 4 } else { 1 };
    if let Some(wrong) = values.chunks(words).map(number).find(|v| !v.is_below(p)) {
        return fault!("the value {wrong} is no {dtype}, whose greatest value is {}", p.minus(U256::ONE).0);
    }
    let each = dtype.extension().map_or(words as u32, |e| e.degree);
    let elements = shape.checked_elements().filter(|_| dims.iter().all(|&d| d >= 0));
    if elements.and_then(|n| n.checked_mul(each.into())) != Some(values.len() as i64) {
        return fault!("{} values are given for {shape}, whose elements have {each} each", values.len());
    }
    let scalar = |row: &[u64]| match dtype.extension() {
        Some(extension) => Scalar::Extension(Coefficients::new(extension.degree, row.iter().copied())),
        None => Scalar::Wide(number(row)),
    };
    Ok(Literal::from_scalars(shape, values.chunks_exact(each as usize).map(scalar)))
}
