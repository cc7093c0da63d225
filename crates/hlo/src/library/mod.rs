//! Routines: linear algebra and transforms that are called with whole matrices or rows, and so are part of no kernel.
//!
//! A [`Call`] is one such operation with its sizes: what it reads and makes, how many operations that takes, and its
//! meaning. Each [`Routine`] has a file with its algorithm, one fixed order of operations of which each is rounded by
//! itself: interpreter, program evaluator and compiled programs in `strict` share it, and so have the same bits. The next
//! routine is a variant of [`Routine`]; the compiler then names every place that has to know it.

mod cholesky;
mod complex;
mod complex_eig;
mod complex_eigh;
mod complex_householder;
mod complex_residual;
mod complex_schur;
mod complex_svd;
mod complex_tridiagonal;
mod decompose;
mod eig;
mod eigh;
mod fft;
mod hessenberg;
mod householder;
mod lu;
mod number;
mod pair;
mod qr;
mod real;
mod residual;
mod schur;
mod small;
mod svd;
mod triangular_solve;
mod tridiagonal;

pub use cholesky::{cholesky, place, upper_of};
pub use eig::normal;
pub use fft::{fft, lines, passes, root_of_unity};
pub use householder::largest;
pub use lu::{lu, order};
pub use number::Number;
pub use real::Real;
pub use residual::residual;
pub use triangular_solve::{Coefficients, solve_left, triangular_solve};

use crate::attrs::{Attrs, FftKind, TriangularSolve};
use crate::dtype::DType;
use crate::ids::{CompId, InstrId};
use crate::instruction::{Instruction, Origin};
use crate::linalg::{Linalg, batched};
use crate::math::composite::part_count;
use crate::module::{Computation, Header, Module};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};
use crate::text::print_computation;

/// The order of a block of the algorithms by blocks.
pub const BLOCK: i64 = 32;

/// Rows or columns that are transformed together, and matrices that are computed side by side, where a routine does that: whole groups
/// are better than others.
pub const GROUP: usize = 16;

/// What is computed of each matrix of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Routine {
    /// The triangular factor of a positive definite matrix; `lower` tells which, and which triangle is read.
    Cholesky {
        lower: bool,
    },
    TriangularSolve(TriangularSolve),
    Linalg(Linalg),
    /// The Fourier transform of a row, which is a matrix of one row, or of each column of a matrix. Complex elements are two
    /// floats each.
    Fft {
        kind: FftKind,
        length: i64,
        columns: bool,
    },
}

/// A routine on a batch of matrices of one size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    pub routine: Routine,
    /// F32 or F64, C64 or C128; of transforms that of the parts.
    pub dtype: DType,
    pub batch: i64,
    /// Of each matrix of the result of `cholesky` and `triangular-solve`, of the first operand of others.
    pub rows: i64,
    pub columns: i64,
    /// Those that [`Linalg::HouseholderProduct`] multiplies; zero of other routines.
    pub reflectors: i64,
}

/// What a routine reads: one element of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a, T> {
    Elements(&'a [T]),
    /// Numbers of rows or columns, s32.
    Indices(&'a [i32]),
}

impl<'a, T> Input<'a, T> {
    /// The `n`-th of so many that follow each other.
    pub fn part(&self, n: usize, of: usize) -> Input<'a, T> {
        match self {
            Input::Elements(x) => Input::Elements(&x[n * (x.len() / of)..][..x.len() / of]),
            Input::Indices(x) => Input::Indices(&x[n * (x.len() / of)..][..x.len() / of]),
        }
    }
}

/// What a routine writes.
#[derive(Debug)]
pub enum Output<'a, T> {
    Elements(&'a mut [T]),
    Indices(&'a mut [i32]),
}

impl<T> Output<'_, T> {
    /// As [`Input::part`].
    pub fn part(&mut self, n: usize, of: usize) -> Output<'_, T> {
        let range = |len: usize| n * (len / of)..(n + 1) * (len / of);
        match self {
            Output::Elements(x) => {
                let range = range(x.len());
                Output::Elements(&mut x[range])
            }
            Output::Indices(x) => {
                let range = range(x.len());
                Output::Indices(&mut x[range])
            }
        }
    }
}

impl Call {
    /// The call that an instruction of a verified module stands for, on operands of these shapes; `None` for other opcodes
    /// and element types.
    pub fn of(instr: &Instruction, operands: &[&Shape]) -> Option<Call> {
        let array = |shape: &Shape| shape.as_array().cloned();
        let (routine, shape) = match (instr.opcode, &instr.attrs) {
            (Opcode::Cholesky, &Attrs::Cholesky(lower)) => {
                (Routine::Cholesky { lower }, array(&instr.shape)?)
            }
            (Opcode::TriangularSolve, &Attrs::TriangularSolve(how)) => {
                (Routine::TriangularSolve(how), array(&instr.shape)?)
            }
            (Opcode::Linalg, &Attrs::Linalg(how)) => (Routine::Linalg(how), array(operands.first()?)?),
            (Opcode::Fft, Attrs::Fft { kind, lengths, inner }) => {
                let &[length] = &lengths[..] else { return None };
                let routine = Routine::Fft { kind: *kind, length, columns: *inner > 0 };
                return Call::of_lines(routine, instr.shape.as_array()?, *inner);
            }
            _ => return None,
        };
        let ArrayShape { dtype, .. } = shape;
        let complex = dtype.is_complex() && !matches!(routine, Routine::Fft { .. });
        if !(dtype.is_f32() || dtype.is_f64() || complex) {
            return None;
        }
        let [batch @ .., rows, columns] = &shape.dims[..] else { return None };
        let batch = batch.iter().try_fold(1i64, |n, &d| n.checked_mul(d))?;
        let reflectors = match routine {
            Routine::Linalg(Linalg::HouseholderProduct) => *array(operands.get(1)?)?.dims.last()?,
            Routine::Linalg(_)
            | Routine::Cholesky { .. }
            | Routine::TriangularSolve(_)
            | Routine::Fft { .. } => 0,
        };
        Some(Call { routine, dtype, batch, rows: *rows, columns: *columns, reflectors })
    }

    /// As [`Call::of`], of an instruction of a computation.
    pub fn within(comp: &Computation, id: InstrId) -> Option<Call> {
        let instr = &comp[id];
        let operands: Vec<&Shape> = instr.operands.iter().map(|&o| &comp[o].shape).collect();
        Call::of(instr, &operands)
    }

    /// A transform along the last dimension but `inner` ones; this is the shape of its result.
    fn of_lines(routine: Routine, shape: &ArrayShape, inner: usize) -> Option<Call> {
        let dtype = shape.dtype.part();
        let product = |dims: &[i64]| dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d));
        let (outer, inner_dims) = shape.dims.split_at_checked(shape.rank().checked_sub(inner)?)?;
        let [batch @ .., length] = outer else { return None };
        let (rows, columns) = if inner == 0 { (1, *length) } else { (*length, product(inner_dims)?) };
        let batch = product(batch)?;
        let found = Call { routine, dtype, batch, rows, columns, reflectors: 0 };
        (dtype.is_f32() || dtype.is_f64()).then_some(found)
    }

    pub fn opcode(&self) -> Opcode {
        match self.routine {
            Routine::Fft { .. } => Opcode::Fft,
            Routine::Cholesky { .. } => Opcode::Cholesky,
            Routine::TriangularSolve(_) => Opcode::TriangularSolve,
            Routine::Linalg(_) => Opcode::Linalg,
        }
    }

    /// What it is called in text.
    pub fn name(&self) -> &'static str {
        match self.routine {
            Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Fft { .. } => {
                self.opcode().name()
            }
            Routine::Linalg(how) => how.target(),
        }
    }

    fn attrs(&self) -> Attrs {
        match self.routine {
            Routine::Cholesky { lower } => Attrs::Cholesky(lower),
            Routine::TriangularSolve(how) => Attrs::TriangularSolve(how),
            Routine::Linalg(how) => Attrs::Linalg(how),
            Routine::Fft { kind, length, columns } => {
                Attrs::Fft { kind, lengths: vec![length], inner: columns.into() }
            }
        }
    }

    /// The operands, the batch as first dimension.
    pub fn operands(&self) -> Vec<ArrayShape> {
        let (m, n) = (self.rows, self.columns);
        match self.routine {
            Routine::Cholesky { .. } => vec![self.array([m, n])],
            Routine::TriangularSolve(_) => {
                vec![self.array([self.unknowns(), self.unknowns()]), self.array([m, n])]
            }
            Routine::Linalg(Linalg::HouseholderProduct) => {
                vec![self.array([m, n]), self.array([self.reflectors])]
            }
            Routine::Linalg(Linalg::PivotedQr) => vec![self.array([m, n]), self.indices(n)],
            Routine::Linalg(_) => vec![self.array([m, n])],
            Routine::Fft { kind, length, columns } => {
                let read = if kind == FftKind::Irfft { length / 2 + 1 } else { length };
                let size = if columns { (read, n) } else { (m, read) };
                vec![self.in_batch(self.lines(kind != FftKind::Rfft, size))]
            }
        }
    }

    /// The results, the batch as first dimension.
    pub fn results(&self) -> Vec<ArrayShape> {
        self.of_one().into_iter().map(|a| self.in_batch(a)).collect()
    }

    fn in_batch(&self, one: ArrayShape) -> ArrayShape {
        ArrayShape::new(one.dtype, [&[self.batch], &one.dims[..]].concat())
    }

    /// The results for one element of the batch.
    fn of_one(&self) -> Vec<ArrayShape> {
        let size = (self.rows, self.columns);
        match self.routine {
            Routine::Cholesky { .. } | Routine::TriangularSolve(_) => {
                vec![ArrayShape::new(self.dtype, [size.0, size.1])]
            }
            Routine::Linalg(how) => how.results(self.dtype, size),
            Routine::Fft { kind, .. } => vec![self.lines(kind != FftKind::Irfft, size)],
        }
    }

    /// A matrix that a transform reads or makes.
    fn lines(&self, complex: bool, (rows, columns): (i64, i64)) -> ArrayShape {
        let dtype = DType::complex_of(self.dtype).filter(|_| complex).unwrap_or(self.dtype);
        ArrayShape::new(dtype, [rows, columns])
    }

    fn array<const N: usize>(&self, dims: [i64; N]) -> ArrayShape {
        ArrayShape::new(self.dtype, [&[self.batch], &dims[..]].concat())
    }

    fn indices(&self, n: i64) -> ArrayShape {
        self.array([n]).with_dtype(DType::S32)
    }

    /// The order of the square matrix that is factored or solved with; of a transform its length.
    pub fn unknowns(&self) -> i64 {
        match self.routine {
            Routine::TriangularSolve(TriangularSolve { left_side: false, .. }) => self.columns,
            Routine::Cholesky { .. } | Routine::TriangularSolve(_) => self.rows,
            Routine::Linalg(_) => self.rows.min(self.columns),
            Routine::Fft { length, .. } => length,
        }
    }

    /// Arithmetic operations for one matrix of the batch, a multiplication and a subtraction counted apart; of what iterates a
    /// usual number.
    pub fn flops(&self) -> i64 {
        let n = self.unknowns() as i128;
        let all = self.rows as i128 * self.columns as i128;
        let flops = match self.routine {
            Routine::Cholesky { .. } => n * (n + 1) * (2 * n + 1) / 6,
            Routine::TriangularSolve(_) => n * all,
            Routine::Linalg(Linalg::Lu) => n * all,
            Routine::Linalg(Linalg::HouseholderProduct) => 2 * self.reflectors as i128 * all,
            Routine::Linalg(Linalg::Qr) => 2 * n * all,
            Routine::Linalg(Linalg::PivotedQr | Linalg::Tridiagonal { .. }) => 3 * n * all,
            Routine::Linalg(Linalg::Hessenberg) => 4 * n * all,
            Routine::Linalg(Linalg::Eigh { vectors: false, .. }) => 4 * n * all,
            Routine::Linalg(Linalg::Eigh { .. } | Linalg::Svd { vectors: false, .. }) => 9 * n * all,
            Routine::Linalg(Linalg::Svd { vectors: true, .. }) => 20 * n * all,
            Routine::Linalg(Linalg::Eig { .. } | Linalg::Schur { .. }) => 25 * n * all,
            Routine::Fft { kind, length, columns } => {
                fft::operations(kind, length) * if columns { self.columns.into() } else { 1 }
            }
        };
        // A product of complex numbers is four.
        let flops = if self.dtype.is_complex() { 4 * flops } else { flops };
        flops.min(i64::MAX as i128) as i64
    }

    /// Computes one matrix: the operands and results of one element of the batch, row by row.
    pub fn run<T: Real>(&self, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) {
        use Input::Elements as In;
        use Output::Elements as Out;
        let size = (self.rows as usize, self.columns as usize);
        match (self.routine, operands, results) {
            (Routine::Cholesky { lower }, [In(a)], [Out(l)]) => match self.dtype.is_complex() {
                true => complex::cholesky(a, l, size.0, lower),
                false => cholesky(a, l, size.0, lower),
            },
            (Routine::TriangularSolve(how), [In(a), In(b)], [Out(x)]) => {
                x.copy_from_slice(b);
                match self.dtype.is_complex() {
                    true => {
                        let ((a, _), (x, _)) = (a.as_chunks::<2>(), x.as_chunks_mut::<2>());
                        triangular_solve(a, x, size, how);
                    }
                    false => triangular_solve(a, x, size, how),
                }
            }
            (Routine::Fft { kind, length, columns: false }, [In(x)], [Out(y)]) => {
                fft(kind, x, y, length as usize);
            }
            (Routine::Fft { kind, length, columns: true }, [In(x)], [Out(y)]) => {
                fft::columns(kind, x, y, (length as usize, size.1));
            }
            (Routine::Linalg(how), operands, results) => match self.dtype.is_complex() {
                true => decompose::complex(how, size, operands, results),
                false => decompose::real(how, size, operands, results),
            },
            (
                Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Fft { .. },
                operands,
                results,
            ) => decompose::wrong(operands.len(), results.len()),
        }
    }

    /// Computes the batch on the bytes of arrays; `go_on` is asked before each matrix.
    ///
    /// # Errors
    /// Those of `go_on`, with which the evaluation ends.
    pub fn evaluate<E>(
        &self,
        operands: &[&[u8]],
        results: &mut [Vec<u8>],
        go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        match self.dtype.part().is_f64() {
            true => self.evaluate_in::<f64, E>(operands, results, go_on),
            false => self.evaluate_in::<f32, E>(operands, results, go_on),
        }
    }

    fn evaluate_in<T: Real, E>(
        &self,
        operands: &[&[u8]],
        results: &mut [Vec<u8>],
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let (inputs, outputs) = (self.operands(), self.results());
        for n in 0..self.batch as usize {
            go_on()?;
            let read: Vec<Owned<T>> =
                inputs.iter().zip(operands).map(|(s, b)| Owned::read(s, b, n)).collect();
            let mut made: Vec<Owned<T>> = outputs.iter().map(Owned::zeros).collect();
            let read: Vec<Input<'_, T>> = read.iter().map(Owned::input).collect();
            let mut slices: Vec<Output<'_, T>> = made.iter_mut().map(Owned::output).collect();
            self.run(&read, &mut slices);
            made.iter().zip(&mut *results).for_each(|(values, bytes)| values.write(bytes, n));
        }
        Ok(())
    }

    /// The text of a computation of this name that does the same: it says what the call is, and [`Call::of`] its root
    /// gives the call again.
    pub fn text(&self, name: &str) -> String {
        let computations = vec![self.computation(name)];
        let (name, header, sources) = (name.into(), Header::default(), Vec::new());
        let module = Module { name, computations, entry: CompId(0), header, sources };
        let text = print_computation(&module, module.entry());
        text.trim_start_matches("ENTRY ").into()
    }

    fn computation(&self, name: &str) -> Computation {
        let instr = |name: String, opcode, shape, attrs| {
            Instruction::new(name, opcode, shape, Vec::new(), attrs, Origin::default())
        };
        let parameter =
            |(n, shape)| instr(format!("a{n}"), Opcode::Parameter, Shape::Array(shape), Attrs::Parameter(n));
        let mut instrs: Vec<Instruction> = self.operands().into_iter().enumerate().map(parameter).collect();
        let operands = (0..instrs.len() as u32).map(InstrId).collect();
        let root = instr(self.opcode().name().into(), self.opcode(), self.shape(&[self.batch]), self.attrs());
        instrs.push(Instruction { operands, ..root });
        let root = InstrId(instrs.len() as u32 - 1);
        Computation { name: name.into(), instrs, root, execution_thread: None }
    }

    /// The shape of the result for a batch of these dimensions: a tuple of several results, which most routines have.
    pub fn shape(&self, batch: &[i64]) -> Shape {
        batched(self.of_one(), batch)
    }
}

/// An array of one element of a batch.
enum Owned<T> {
    Elements(Vec<T>),
    Indices(Vec<i32>),
}

impl<T: Real> Owned<T> {
    fn zeros(shape: &ArrayShape) -> Owned<T> {
        let len = elements(shape);
        match shape.dtype.is_s32() {
            true => Owned::Indices(vec![0; len]),
            false => Owned::Elements(vec![T::ZERO; len]),
        }
    }

    fn read(shape: &ArrayShape, bytes: &[u8], n: usize) -> Owned<T> {
        let len = elements(shape) * shape.dtype.part().size();
        let bytes = &bytes[n * len..][..len];
        match shape.dtype.is_s32() {
            true => Owned::Indices(bytes.as_chunks().0.iter().map(|&e| i32::from_le_bytes(e)).collect()),
            false => Owned::Elements(T::read(bytes)),
        }
    }

    fn write(&self, bytes: &mut [u8], n: usize) {
        match self {
            Owned::Elements(values) => {
                let len = values.len() * T::SIZE;
                T::write(values, &mut bytes[n * len..][..len]);
            }
            Owned::Indices(values) => {
                let (words, _) = bytes[n * values.len() * 4..].as_chunks_mut();
                words.iter_mut().zip(values).for_each(|(e, v)| *e = v.to_le_bytes());
            }
        }
    }

    fn input(&self) -> Input<'_, T> {
        match self {
            Owned::Elements(x) => Input::Elements(x),
            Owned::Indices(x) => Input::Indices(x),
        }
    }

    fn output(&mut self) -> Output<'_, T> {
        match self {
            Owned::Elements(x) => Output::Elements(x),
            Owned::Indices(x) => Output::Indices(x),
        }
    }
}

/// Numbers of each member of a batch, whose number is the first dimension; complex ones are two.
pub fn elements(shape: &ArrayShape) -> usize {
    shape.dims[1..].iter().product::<i64>() as usize * part_count(shape.dtype)
}
