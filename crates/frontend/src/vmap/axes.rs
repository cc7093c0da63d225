//! Along which dimensions of arguments and results the examples lie.

/// Where the examples lie: a dimension of each argument, or none where it is the same for all examples, and a dimension of
/// each result. Negative numbers count from the last dimension, which is -1.
///
/// Made of a number, `None`, or a list with one for each argument: `BatchAxes::from([Some(0), None])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchAxes {
    pub(super) inputs: Inputs,
    pub(super) outputs: Outputs,
    pub(super) size: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inputs {
    All(Option<i64>),
    Arguments(Vec<Option<i64>>),
    Leaves(Vec<Option<i64>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outputs {
    All(Option<i64>),
    Leaves(Vec<Option<i64>>),
}

impl BatchAxes {
    /// Axes of the leaves of all arguments, one for each, in order.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{BatchAxes, DType, Tensor, vmap_axes};
    ///
    /// let (a, b) = (Tensor::ones([3, 4], DType::F32), Tensor::ones([4], DType::F32));
    /// let axes = BatchAxes::leaves([Some(0), None]).out_leaves([Some(1), None]);
    /// let f = vmap_axes(|(a, b): &(Tensor, Tensor)| (a * b, b * 2), axes);
    /// let (product, twice) = f(&(a, b));
    /// assert_eq!((product.dims(), twice.dims()), (&[4, 3][..], &[4][..]));
    /// ```
    pub fn leaves(axes: impl IntoIterator<Item = Option<i64>>) -> BatchAxes {
        BatchAxes::of(Inputs::Leaves(axes.into_iter().collect()))
    }

    /// The dimension of every result along which its examples shall lie, 0 if nothing is said; `None` for results that are
    /// the same for all examples, which then have no dimension of examples.
    pub fn out(self, axis: impl Into<Option<i64>>) -> BatchAxes {
        BatchAxes { outputs: Outputs::All(axis.into()), ..self }
    }

    /// As [`BatchAxes::out`], for each leaf of the result, in order.
    pub fn out_leaves(self, axes: impl IntoIterator<Item = Option<i64>>) -> BatchAxes {
        BatchAxes { outputs: Outputs::Leaves(axes.into_iter().collect()), ..self }
    }

    /// The number of examples, which must be told where no argument has any.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{BatchAxes, Tensor, vmap_axes};
    ///
    /// let f = vmap_axes(|x: &Tensor| x * 2, BatchAxes::from(None).size(3));
    /// assert_eq!(f(&Tensor::from(1f32)).to_vec(), Ok(vec![2f32; 3]));
    /// ```
    pub fn size(self, examples: i64) -> BatchAxes {
        BatchAxes { size: Some(examples), ..self }
    }

    fn of(inputs: Inputs) -> BatchAxes {
        BatchAxes { inputs, outputs: Outputs::All(Some(0)), size: None }
    }
}

impl From<i64> for BatchAxes {
    fn from(axis: i64) -> BatchAxes {
        BatchAxes::of(Inputs::All(Some(axis)))
    }
}

impl From<Option<i64>> for BatchAxes {
    fn from(axis: Option<i64>) -> BatchAxes {
        BatchAxes::of(Inputs::All(axis))
    }
}

impl<const N: usize> From<[Option<i64>; N]> for BatchAxes {
    fn from(axes: [Option<i64>; N]) -> BatchAxes {
        BatchAxes::of(Inputs::Arguments(axes.into()))
    }
}

impl From<Vec<Option<i64>>> for BatchAxes {
    fn from(axes: Vec<Option<i64>>) -> BatchAxes {
        BatchAxes::of(Inputs::Arguments(axes))
    }
}

impl Inputs {
    /// The axis of each leaf, of arguments of so many leaves.
    pub(super) fn of_leaves(&self, counts: &[usize]) -> Result<Vec<Option<i64>>, String> {
        let total: usize = counts.iter().sum();
        match self {
            Inputs::All(axis) => Ok(vec![*axis; total]),
            Inputs::Arguments(axes) if axes.len() == counts.len() => {
                let leaves = axes.iter().zip(counts).flat_map(|(&axis, &n)| std::iter::repeat_n(axis, n));
                Ok(leaves.collect())
            }
            Inputs::Arguments(axes) => {
                Err(format!("{} axes are given for {} arguments", axes.len(), counts.len()))
            }
            Inputs::Leaves(axes) if axes.len() == total => Ok(axes.clone()),
            Inputs::Leaves(axes) => Err(format!("{} axes are given for {total} tensors", axes.len())),
        }
    }
}

impl Outputs {
    /// The axis of each of so many results.
    pub(super) fn of_leaves(&self, count: usize) -> Result<Vec<Option<i64>>, String> {
        match self {
            Outputs::All(axis) => Ok(vec![*axis; count]),
            Outputs::Leaves(axes) if axes.len() == count => Ok(axes.clone()),
            Outputs::Leaves(axes) => Err(format!("{} out axes are given for {count} results", axes.len())),
        }
    }
}

/// The dimension that a number means among `rank`, if there is one.
pub(super) fn dimension(axis: i64, rank: usize) -> Option<usize> {
    let rank = rank as i64;
    let from_front = if axis < 0 { axis + rank } else { axis };
    (0..rank).contains(&from_front).then_some(from_front as usize)
}
