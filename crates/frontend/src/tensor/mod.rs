//! Tensors: arrays that are known, or stand for what a traced function will compute.
//!
//! Operations never panic. One that fails gives a tensor that carries the error, with the line of the program that asked for
//! it, and so does everything computed from it; `call`, `lower` and reading the elements give it.

mod arithmetic;
#[cfg(feature = "arkworks")]
mod arkworks;
#[cfg(feature = "ndarray")]
mod arrays;
pub mod axes;
mod cast;
mod compare;
mod complex;
mod contract;
pub mod convolve;
mod create;
mod cumulative;
pub mod custom;
mod division;
mod einsum;
pub(crate) mod elementwise;
mod extremes;
mod field;
#[cfg(any(feature = "arkworks", feature = "plonky3"))]
mod foreign;
mod fourier;
pub mod gather;
pub mod index;
mod join;
mod labelled;
pub mod linalg;
mod logarithms;
mod math;
mod nested;
pub(crate) mod operand;
mod operators;
#[cfg(feature = "plonky3")]
pub mod plonky3;
pub mod pool;
mod power;
pub mod promote;
mod rearrange;
mod reduce;
mod search;
mod shapes;
mod slices;
mod sort;
mod statistics;
pub mod trace;
mod transform;
mod window;

pub use axes::Axes;
pub use compare::where_;
pub use contract::DotDimensions;
pub use einsum::einsum;
pub(crate) use elementwise::{broadcast_dims, stretch};
pub use index::{Ellipsis, Index, NewAxis, Step};
pub use join::{concatenate, stack};
pub use nested::Nested;
pub use operand::{AsTensor, Operand};
pub use search::Side;
pub use sort::sort_by_keys;

use crate::array::{Array, Element};
use crate::backend;
use crate::error::{Error, Fault};
use crate::graph::{Emit, Graph};
use lawson_hlo::{ArrayShape, DType, InstrId, Literal, Shape};
use std::fmt;
use std::panic::Location;
use trace::Spec;

/// An array: concrete outside of traced functions, a promise inside. Cloning is cheap.
#[derive(Clone)]
pub struct Tensor {
    repr: Repr,
    weak: bool,
}

#[derive(Clone)]
pub(crate) enum Repr {
    Array(Array),
    Traced(Traced),
    Failed(Error),
}

/// What a function under construction computes.
#[derive(Clone)]
pub(crate) struct Traced {
    pub function: u64,
    pub id: InstrId,
    pub shape: ArrayShape,
    /// The line that made it.
    pub place: &'static Location<'static>,
}

impl Tensor {
    /// The array of these elements, row-major.
    ///
    /// The tensor carries an error where the number of elements is not that of the dimensions. `Tensor::from` takes nested
    /// arrays, which have their dimensions with them.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::new(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
    /// assert_eq!((x.dims(), x.rank()), (&[2, 3][..], 2));
    /// let same = Tensor::from([[1f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// assert_eq!(x.to_vec::<f32>(), same.to_vec());
    /// assert!(Tensor::new(&[1f32, 2.0], [3]).error().is_some());
    /// ```
    #[track_caller]
    pub fn new<T: Element>(elements: &[T], dims: impl AsRef<[i64]>) -> Tensor {
        let shape = ArrayShape::new(T::DTYPE, dims.as_ref());
        let wanted = shape.checked_elements().filter(|_| shape.dims.iter().all(|&d| d >= 0));
        if wanted != Some(elements.len() as i64) {
            let found = elements.len();
            return Tensor::failed(Error::new(
                Location::caller(),
                format!("{found} elements are given for {shape}"),
            ));
        }
        match backend::array(&shape, bytemuck::cast_slice(elements)) {
            Ok(array) => Tensor::from_array(array),
            Err(e) => Tensor::failed(Error::new(Location::caller(), e)),
        }
    }

    /// The tensor of a literal.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    /// use lawson_hlo::{Literal, Scalar};
    ///
    /// let literal = Literal::scalar(DType::F32, Scalar::Float(1.5));
    /// assert_eq!(Tensor::from_literal(literal).item(), Ok(1.5f32));
    /// ```
    pub fn from_literal(literal: Literal) -> Tensor {
        Tensor::from_array(Array::from_literal(literal))
    }

    /// The tensor of an array, in its memory.
    pub fn from_array(array: Array) -> Tensor {
        Tensor { repr: Repr::Array(array), weak: false }
    }

    /// A tensor that carries an error.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let first = Tensor::new(&[1f32], [2]).error().expect("too few elements").clone();
    /// let x = Tensor::failed(first.clone());
    /// assert_eq!((x + 1).sum().error(), Some(&first)); // it stays the first
    /// ```
    pub fn failed(error: Error) -> Tensor {
        Tensor { repr: Repr::Failed(error), weak: false }
    }

    pub(crate) fn traced(
        function: u64,
        id: InstrId,
        shape: ArrayShape,
        weak: bool,
        place: &'static Location<'static>,
    ) -> Tensor {
        Tensor { repr: Repr::Traced(Traced { function, id, shape, place }), weak }
    }

    pub(crate) fn repr(&self) -> &Repr {
        &self.repr
    }

    /// The same with another weakness of its type.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let half = Tensor::of(0.5);
    /// let x = Tensor::ones([2], DType::Bf16);
    /// assert_eq!((&half * &x).dtype(), DType::Bf16);
    /// assert_eq!((half.with_weak(false) * x).dtype(), DType::F32);
    /// ```
    #[must_use]
    pub fn with_weak(self, weak: bool) -> Tensor {
        Tensor { weak, ..self }
    }

    /// Element type and dimensions.
    ///
    /// # Errors
    /// The error that the tensor carries.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::zeros([2, 3], DType::F32);
    /// assert_eq!((x.dtype(), x.dims()), (DType::F32, &[2, 3][..]));
    /// assert_eq!(x.shape()?.to_string(), "f32[2,3]");
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    pub fn shape(&self) -> Result<&ArrayShape, Error> {
        match &self.repr {
            Repr::Array(array) => Ok(array.shape()),
            Repr::Traced(traced) => Ok(&traced.shape),
            Repr::Failed(e) => Err(e.clone()),
        }
    }

    /// The extents; none for a scalar, and for a tensor that carries an error.
    pub fn dims(&self) -> &[i64] {
        self.shape().map_or(&[], |s| &s.dims)
    }

    /// The number of dimensions; 0 for a tensor that carries an error.
    pub fn rank(&self) -> usize {
        self.dims().len()
    }

    /// The element type; f32 for a tensor that carries an error.
    pub fn dtype(&self) -> DType {
        self.shape().map_or(DType::F32, |s| s.dtype)
    }

    /// Whether the element type gives way to that of others, as that of a Rust scalar does.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let half = Tensor::of(0.5); // a weak f32
    /// let x = Tensor::ones([2], DType::F64);
    /// assert!(half.is_weak() && !x.is_weak());
    /// assert_eq!((half * x).dtype(), DType::F64);
    /// ```
    pub fn is_weak(&self) -> bool {
        self.weak
    }

    /// What is known before the elements.
    ///
    /// # Errors
    /// The error that the tensor carries.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let spec = Tensor::of(2).spec()?;
    /// assert_eq!((spec.shape.to_string(), spec.weak), ("s32[]".into(), true));
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    pub fn spec(&self) -> Result<Spec, Error> {
        Ok(Spec { shape: self.shape()?.clone(), weak: self.weak })
    }

    /// The error that the tensor carries, if it does.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let sum = (Tensor::from([1f32, 2.0]) + Tensor::from([1f32, 2.0, 3.0])).sum();
    /// let error = sum.error().expect("two and three elements");
    /// assert!(error.message().contains("f32[2]") && error.message().contains("f32[3]"));
    /// assert_eq!(error.place().line(), line!() - 3); // that of the addition
    /// ```
    pub fn error(&self) -> Option<&Error> {
        match &self.repr {
            Repr::Failed(e) => Some(e),
            _ => None,
        }
    }

    /// The elements, outside of traced functions.
    ///
    /// # Errors
    /// The error that the tensor carries, or that its elements are not known while a function is traced.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1i32, 2]);
    /// assert_eq!(x.array()?.elements(), Some(vec![1i32, 2]));
    /// let array = x.into_array()?;
    /// assert_eq!(array.bytes(), [1, 0, 0, 0, 2, 0, 0, 0]);
    /// assert_eq!(Tensor::from_array(array).to_vec(), Ok(vec![1i32, 2]));
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn array(&self) -> Result<&Array, Error> {
        match &self.repr {
            Repr::Array(array) => Ok(array),
            Repr::Failed(e) => Err(e.clone()),
            Repr::Traced(t) => {
                let message = format!(
                    "the elements of the tensor made at {}:{} are not known while the function is traced",
                    t.place.file(),
                    t.place.line()
                );
                Err(Error::new(Location::caller(), message))
            }
        }
    }

    /// As [`Tensor::array`], where the tensor is not needed any more: nobody else holds the memory if it was the only one.
    ///
    /// # Errors
    /// As [`Tensor::array`].
    #[track_caller]
    pub fn into_array(self) -> Result<Array, Error> {
        match self.repr {
            Repr::Array(array) => Ok(array),
            _ => self.array().cloned(),
        }
    }

    /// The elements, row-major.
    ///
    /// # Errors
    /// As [`Tensor::array`], or they are of another type.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[1i32, 2], [3, 4]]);
    /// assert_eq!(x.t().to_vec(), Ok(vec![1i32, 3, 2, 4]));
    /// assert!(x.to_vec::<f32>().is_err());
    /// ```
    #[track_caller]
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, Error> {
        let array = self.array()?;
        let shape = array.shape();
        array.elements().ok_or_else(|| {
            let hint = if shape.dtype.is_field() { "; `values` reads elements of prime fields" } else { "" };
            Error::new(Location::caller(), format!("the array is {shape}, not of {}{hint}", T::DTYPE))
        })
    }

    /// The only element.
    ///
    /// # Errors
    /// As [`Tensor::to_vec`], or there is not exactly one.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([1f32, 2.0]).sum().item(), Ok(3f32));
    /// assert!(Tensor::from([1f32, 2.0]).item::<f32>().is_err());
    /// ```
    #[track_caller]
    pub fn item<T: Element>(&self) -> Result<T, Error> {
        match self.to_vec()?[..] {
            [one] => Ok(one),
            _ => Err(Error::new(Location::caller(), format!("{self:?} is not one element"))),
        }
    }

    /// The result of instructions that `f` makes: recorded while a function is traced, else run at once.
    pub(crate) fn apply(
        place: &'static Location<'static>,
        operands: &[&Tensor],
        f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
    ) -> Tensor {
        let one = Tensor::apply_many(place, operands, 1, |e, ids| Ok(vec![f(e, ids)?]));
        one.into_iter().next().expect("one result")
    }

    /// As [`Tensor::apply`], with `count` results.
    pub(crate) fn apply_many(
        place: &'static Location<'static>,
        operands: &[&Tensor],
        count: usize,
        f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<Vec<InstrId>, Fault>,
    ) -> Vec<Tensor> {
        if let Some(e) = operands.iter().find_map(|t| t.error()) {
            return vec![Tensor::failed(e.clone()); count];
        }
        let owned: Vec<Tensor> = operands.iter().map(|&t| t.clone()).collect();
        let record = move |operands: &[&Tensor]| {
            let specs = trace::emit(place, operands, |e, ids| {
                let results = f(e, ids)?;
                results
                    .into_iter()
                    .map(|id| Ok((id, e.array(id)?.clone())))
                    .collect::<Result<Vec<_>, Fault>>()
            })?;
            let function = trace::innermost();
            let tensor = |(id, shape)| Tensor::traced(function, id, shape, false, place);
            Ok(specs.into_iter().map(tensor).collect())
        };
        let results: Result<Vec<Tensor>, Error> = if trace::active() {
            record(operands)
        } else {
            staged(place, &owned, |tensors| record(&tensors.iter().collect::<Vec<_>>()))
                .map(|(found, _)| found)
        };
        match results {
            Ok(results) => results,
            Err(e) => vec![Tensor::failed(e); count],
        }
    }
}

/// Runs what `f` records, at once, on concrete tensors; gives the graph too that it was recorded in.
///
/// # Errors
/// One of the tensors is not concrete, what `f` says, or what running it says.
pub(crate) fn staged(
    place: &'static Location<'static>,
    tensors: &[Tensor],
    f: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>, Error>,
) -> Result<(Vec<Tensor>, Graph), Error> {
    let specs = tensors.iter().map(Tensor::spec).collect::<Result<Vec<_>, _>>()?;
    let mut arguments = tensors.iter().map(|t| t.array().cloned()).collect::<Result<Vec<Array>, _>>()?;
    let (graph, function) = trace::program(&specs, f)?;
    for captured in &function.captured {
        arguments.push(captured.array()?.clone());
    }
    let module = graph.finish(function.comp, "eager");
    let results = backend::run(&module, &arguments).map_err(|e| Error::new(place, e))?;
    let tensor = |(array, spec): (Array, &Spec)| Tensor::from_array(array).with_weak(spec.weak);
    Ok((results.into_iter().zip(&function.results).map(tensor).collect(), graph))
}

/// The array shape of an instruction's shape, for specs.
impl From<ArrayShape> for Spec {
    fn from(shape: ArrayShape) -> Spec {
        Spec { shape, weak: false }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.repr {
            Repr::Array(array) => write!(f, "Tensor({})", array.shape()),
            Repr::Traced(t) => write!(f, "Tensor({} of a function)", Shape::Array(t.shape.clone())),
            Repr::Failed(e) => write!(f, "Tensor({e})"),
        }
    }
}
