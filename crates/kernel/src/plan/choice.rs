//! Choices: what planning decides by a model or a threshold where several answers are right, as values.
//!
//! Each answer gives the same results, in `strict` the same bits; they differ in time. [`super::alternatives`] makes the
//! plans of other answers.

use super::sort_method::SortMethod;
use std::fmt;

/// One decision of a plan, answered otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The register tile of products.
    Tile { vectors: u32, rows: u32 },
    /// Whether the operand of products that lanes run along is packed.
    Packed(bool),
    /// Elements of k of one pass of a product.
    Pass(i64),
    /// Rows of a product that share what is packed, at most.
    SharedRows(i64),
    /// The loop axis of a map, or of the results of a reduction, along which lanes run.
    LanesAlong(usize),
    /// Whether stores of a map bypass the caches.
    Streaming(bool),
    /// Whether each vector is two.
    Halves(bool),
    /// Rows, or chunks of columns, that a reduction folds side by side.
    Together(i64),
    /// Vectors of columns that a reduction has running values of.
    Columns(u32),
    /// Whether blocks of rows are copied to tiles before they are reduced.
    Staged(bool),
    /// Rows of a nest that products compute together.
    BlockRows(i64),
    /// Rows of a nest in the lanes of a vector.
    RowsInLanes(u32),
    /// How rows are sorted.
    Sort(SortMethod),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Tile { vectors, rows } => write!(f, "tile of {rows} rows x {vectors} vectors"),
            Choice::Packed(true) => f.write_str("operand packed"),
            Choice::Packed(false) => f.write_str("operand read where it is"),
            Choice::Pass(k) => write!(f, "passes over {k} of k"),
            Choice::SharedRows(rows) => write!(f, "tasks of at most {rows} rows"),
            Choice::LanesAlong(axis) => write!(f, "lanes along loop {axis}"),
            Choice::Streaming(true) => f.write_str("stores past the caches"),
            Choice::Streaming(false) => f.write_str("stores to the caches"),
            Choice::Halves(true) => f.write_str("vectors in halves"),
            Choice::Halves(false) => f.write_str("whole vectors"),
            Choice::Together(1) => f.write_str("one row after the other"),
            Choice::Together(n) => write!(f, "{n} rows side by side"),
            Choice::Columns(1) => f.write_str("one vector of columns"),
            Choice::Columns(n) => write!(f, "{n} vectors of columns"),
            Choice::Staged(true) => f.write_str("rows copied to tiles"),
            Choice::Staged(false) => f.write_str("rows read where they are"),
            Choice::BlockRows(n) => write!(f, "blocks of {n} rows"),
            Choice::RowsInLanes(n) => write!(f, "{n} rows in the lanes"),
            Choice::Sort(method) => f.write_str(match method {
                SortMethod::Merge => "sorted by merging",
                SortMethod::Vectors(_) => "sorted in vectors",
                SortMethod::Select => "selection along rows",
                SortMethod::SelectInLanes(_) => "selection in lanes",
                SortMethod::Turned(..) => "sorted in vectors, turned",
                SortMethod::SortInLanes(..) => "sorted by a network in lanes",
                SortMethod::Threshold { .. } => "selection by counting",
            }),
        }
    }
}
