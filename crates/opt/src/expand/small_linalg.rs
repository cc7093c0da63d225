//! Factors of matrices of at most four rows, and triangular equations of at most eight unknowns, become operations on elements.
//!
//! ```text
//! x = f32[n,2,m] triangular-solve(t, b), left_side=true, lower=true
//! →
//! x0 = b[:,0,:] / t[:,0,0]
//! x1 = (b[:,1,:] − t[:,1,0]·x0) / t[:,1,1]      each element of t broadcast to f32[n,m]
//! x = [x0, x1], side by side
//! ```
//!
//! The host computes such a matrix in hundreds of cycles, most of them for the call. As a map the matrices of a batch lie in the lanes,
//! what comes before and after joins it, and a loop around it can be one kernel. Order and roundings are those of
//! [`lawson_hlo::library`], to the bit.

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::attrs::{Direction, Transpose, TriangularSolve};
use lawson_hlo::builder::Builder;
use lawson_hlo::linalg::Linalg;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Scalar,
};

pub const EXPANDER: Expander =
    Expander { name: "small-linalg", purpose: Purpose::Form, applies, helpers: no_helpers, expand };

/// Rows of a matrix that is factored: its elements are all in registers at once, and its factors are stored as whole vectors.
const MOST: i64 = 4;
/// Unknowns of equations, of which each coefficient is read once.
const MOST_UNKNOWNS: i64 = 8;

fn applies(_: &Module, comp: &Computation, instr: &Instruction) -> bool {
    let routine = match instr.attrs {
        Attrs::Linalg(how) => how == Linalg::Lu,
        _ => matches!(instr.opcode, Opcode::Cholesky | Opcode::TriangularSolve),
    };
    let Some(matrix) = instr.operands.first().and_then(|&o| comp[o].shape.as_array()).filter(|_| routine)
    else {
        return false;
    };
    let [.., rows, columns] = matrix.dims[..] else { return false };
    let most = if instr.opcode == Opcode::TriangularSolve { MOST_UNKNOWNS } else { MOST };
    rows == columns && (1..=most).contains(&rows) && matrix.dtype.is_float()
}

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let matrix = Matrix::of(b, operands[0]);
    match &instr.attrs {
        Attrs::Cholesky(lower) => cholesky(b, matrix, *lower),
        Attrs::TriangularSolve(how) => triangular_solve(b, &matrix, operands[1], *how),
        _ => lu(b, matrix),
    }
}

/// The elements of the matrices of a batch: each an array with the dimensions of the batch.
struct Matrix {
    /// Row by row.
    elements: Vec<InstrId>,
    n: usize,
    batch: ArrayShape,
}

impl Matrix {
    fn of(b: &mut Builder<'_>, matrix: InstrId) -> Matrix {
        let shape = b.array(matrix).clone();
        let kept = shape.rank() - 2;
        let n = shape.dims[kept] as usize;
        let batch = ArrayShape::new(shape.dtype, &shape.dims[..kept]);
        let mut elements = Vec::with_capacity(n * n);
        for i in 0..n as i64 {
            let row = make::slice(b, matrix, kept, i, i + 1);
            for j in 0..n as i64 {
                let element = make::slice(b, row, kept + 1, j, j + 1);
                elements.push(b.reshape(element, &batch.dims));
            }
        }
        Matrix { elements, n, batch }
    }

    fn at(&self, i: usize, j: usize) -> InstrId {
        self.elements[i * self.n + j]
    }

    fn set(&mut self, i: usize, j: usize, element: InstrId) {
        self.elements[i * self.n + j] = element;
    }

    fn transposed(self) -> Matrix {
        let n = self.n;
        let elements = (0..n * n).map(|at| self.at(at % n, at / n)).collect();
        Matrix { elements, ..self }
    }

    /// The array that has the elements side by side.
    fn whole(&self, b: &mut Builder<'_>) -> InstrId {
        let all = make::stack(b, &self.elements, self.batch.rank());
        let dims = [&self.batch.dims[..], &[self.n as i64; 2]].concat();
        b.reshape(all, &dims)
    }
}

/// `x − factor·known`
fn minus_product(b: &mut Builder<'_>, x: InstrId, factor: InstrId, known: InstrId) -> InstrId {
    let product = b.binary(Opcode::Multiply, factor, known);
    b.binary(Opcode::Subtract, x, product)
}

fn triangular_solve(b: &mut Builder<'_>, t: &Matrix, sides: InstrId, how: TriangularSolve) -> InstrId {
    let transposed = how.transpose_a != Transpose::No;
    let lower = how.lower != transposed;
    let shape = b.array(sides).clone();
    let kept = shape.rank() - 2;
    // The unknowns lie along one dimension, the right-hand sides along the other.
    let along = if how.left_side { kept } else { kept + 1 };
    let mut dims = shape.dims.clone();
    let n = dims.remove(along) as usize;
    let batch: Vec<usize> = (0..kept).collect();
    let coefficient = |b: &mut Builder<'_>, i: usize, j: usize| {
        // x t = b is tᵀ xᵀ = bᵀ.
        let (i, j) = if transposed == how.left_side { (j, i) } else { (i, j) };
        b.broadcast(t.at(i, j), &dims, &batch)
    };
    let forward = lower == how.left_side;
    let mut x: Vec<InstrId> = (0..n as i64)
        .map(|i| {
            let part = make::slice(b, sides, along, i, i + 1);
            b.reshape(part, &dims)
        })
        .collect();
    let order: Vec<usize> = if forward { (0..n).collect() } else { (0..n).rev().collect() };
    for (step, &k) in order.iter().enumerate() {
        if !how.unit_diagonal {
            let diagonal = coefficient(b, k, k);
            x[k] = b.binary(Opcode::Divide, x[k], diagonal);
        }
        for &i in &order[step + 1..] {
            let factor = coefficient(b, i, k);
            x[i] = minus_product(b, x[i], factor, x[k]);
        }
    }
    make::stack(b, &x, along)
}

fn cholesky(b: &mut Builder<'_>, a: Matrix, lower: bool) -> InstrId {
    let (n, batch) = (a.n, a.batch.clone());
    let zero = make::splat(b, &batch, 0);
    // The factor is an upper triangle; that of `lower` is its transpose.
    let mut u = if lower { a.transposed() } else { a };
    let mut positive = Vec::with_capacity(n);
    for k in 0..n {
        let pivot = u.at(k, k);
        let above = make::compare(b, Direction::Gt, pivot, zero);
        let finite = b.unary(Opcode::IsFinite, pivot);
        positive.push(b.binary(Opcode::And, above, finite));
        let root = b.unary(Opcode::Sqrt, pivot);
        u.set(k, k, root);
        for j in k + 1..n {
            let quotient = b.binary(Opcode::Divide, u.at(k, j), root);
            u.set(k, j, quotient);
            u.set(j, k, zero);
        }
        for i in k + 1..n {
            for j in i..n {
                let rest = minus_product(b, u.at(i, j), u.at(k, i), u.at(k, j));
                u.set(i, j, rest);
            }
        }
    }
    let none = b.splat(&batch, Scalar::Float(f64::NAN));
    if let Some(all) = positive.into_iter().reduce(|x, y| b.binary(Opcode::And, x, y)) {
        for element in &mut u.elements {
            *element = make::select(b, all, *element, none);
        }
    }
    let factor = if lower { u.transposed() } else { u };
    factor.whole(b)
}

/// The factors, the exchanges, and the order of rows that they make.
fn lu(b: &mut Builder<'_>, mut a: Matrix) -> InstrId {
    let (n, batch) = (a.n, a.batch.clone());
    let indices = batch.with_dtype(DType::S32);
    let index = |b: &mut Builder<'_>, i: usize| make::splat(b, &indices, i as i64);
    let zero = make::splat(b, &batch, 0);
    let mut order: Vec<InstrId> = (0..n).map(|i| index(b, i)).collect();
    let mut pivots = Vec::with_capacity(n);
    for k in 0..n {
        let mut best = index(b, k);
        let mut most = b.unary(Opcode::Abs, a.at(k, k));
        for i in k + 1..n {
            let size = b.unary(Opcode::Abs, a.at(i, k));
            // What is no number counts as the greatest, the first of them.
            let is_number = make::compare(b, Direction::Eq, most, most);
            let is_none = make::compare(b, Direction::Ne, size, size);
            let greater = make::compare(b, Direction::Gt, size, most);
            let chosen = b.binary(Opcode::Or, greater, is_none);
            let chosen = b.binary(Opcode::And, is_number, chosen);
            let here = index(b, i);
            best = make::select(b, chosen, here, best);
            most = make::select(b, chosen, size, most);
        }
        pivots.push(best);
        for i in k + 1..n {
            let here = index(b, i);
            let exchanged = make::compare(b, Direction::Eq, best, here);
            let exchange = |b: &mut Builder<'_>, x: InstrId, y: InstrId| {
                (make::select(b, exchanged, y, x), make::select(b, exchanged, x, y))
            };
            for j in 0..n {
                let (upper, below) = exchange(b, a.at(k, j), a.at(i, j));
                a.set(k, j, upper);
                a.set(i, j, below);
            }
            (order[k], order[i]) = exchange(b, order[k], order[i]);
        }
        let pivot = a.at(k, k);
        let is_zero = make::compare(b, Direction::Eq, pivot, zero);
        for i in k + 1..n {
            let factor = b.binary(Opcode::Divide, a.at(i, k), pivot);
            let factor = make::select(b, is_zero, a.at(i, k), factor);
            a.set(i, k, factor);
            for j in k + 1..n {
                let rest = minus_product(b, a.at(i, j), factor, a.at(k, j));
                let rest = make::select(b, is_zero, a.at(i, j), rest);
                a.set(i, j, rest);
            }
        }
    }
    let factors = a.whole(b);
    let [pivots, order] = [pivots, order].map(|parts| make::stack(b, &parts, batch.rank()));
    make::tuple(b, &[factors, pivots, order])
}
