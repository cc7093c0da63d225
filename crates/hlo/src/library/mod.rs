//! Routines: linear algebra and transforms that are called with whole matrices or rows, and so are part of no kernel.
//!
//! A [`Call`] is one such operation with its sizes: what it reads and makes, how many operations that takes, and its
//! meaning. Each [`Routine`] has a file with its algorithm, one fixed order of operations of which each is rounded by
//! itself: interpreter, program evaluator and compiled programs in `strict` share it, and so have the same bits. The next
//! routine is a variant of [`Routine`]; the compiler then names every place that has to know it.

mod cholesky;
mod complex;
mod fft;
mod real;
mod triangular_solve;

pub use cholesky::{cholesky, factor_upper, place, upper_of};
pub use fft::{fft, passes};
pub use real::Real;
pub use triangular_solve::{Coefficients, solve_left, triangular_solve};

use crate::attrs::{Attrs, FftKind, TriangularSolve};
use crate::dtype::DType;
use crate::ids::{CompId, InstrId};
use crate::instruction::{Instruction, Origin};
use crate::math::composite::part_count;
use crate::module::{Computation, Header, Module};
use crate::opcode::Opcode;
use crate::shape::{ArrayShape, Shape};
use crate::text::print_computation;

/// What is computed of each matrix of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Routine {
    /// The triangular factor of a positive definite matrix; `lower` tells which, and which triangle is read.
    Cholesky {
        lower: bool,
    },
    TriangularSolve(TriangularSolve),
    /// The Fourier transform of a row, which is a matrix of one row. Complex elements are two floats each.
    Fft {
        kind: FftKind,
        length: i64,
    },
}

/// A routine on a batch of matrices of one size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    pub routine: Routine,
    /// F32 or F64; of factors and equations C64 and C128 too.
    pub dtype: DType,
    pub batch: i64,
    /// Of each matrix of the result.
    pub rows: i64,
    pub columns: i64,
}

impl Call {
    /// The call that an instruction of a verified module stands for; `None` for other opcodes and element types.
    pub fn of(instr: &Instruction) -> Option<Call> {
        let routine = match (instr.opcode, &instr.attrs) {
            (Opcode::Cholesky, &Attrs::Cholesky(lower)) => Routine::Cholesky { lower },
            (Opcode::TriangularSolve, &Attrs::TriangularSolve(how)) => Routine::TriangularSolve(how),
            (Opcode::Fft, Attrs::Fft { kind, lengths }) => {
                let &[length] = &lengths[..] else { return None };
                return Call::of_rows(Routine::Fft { kind: *kind, length }, instr.shape.as_array()?);
            }
            _ => return None,
        };
        let shape = instr.shape.as_array().filter(|s| is_of_floats(s.dtype))?;
        let [batch @ .., rows, columns] = &shape.dims[..] else { return None };
        let batch = batch.iter().try_fold(1i64, |n, &d| n.checked_mul(d))?;
        Some(Call { routine, dtype: shape.dtype, batch, rows: *rows, columns: *columns })
    }

    /// A transform of each row of an array.
    fn of_rows(routine: Routine, shape: &ArrayShape) -> Option<Call> {
        let dtype = shape.dtype.part();
        let [batch @ .., columns] = &shape.dims[..] else { return None };
        let batch = batch.iter().try_fold(1i64, |n, &d| n.checked_mul(d))?;
        (dtype.is_f32() || dtype.is_f64()).then_some(Call {
            routine,
            dtype,
            batch,
            rows: 1,
            columns: *columns,
        })
    }

    pub fn opcode(&self) -> Opcode {
        match self.routine {
            Routine::Fft { .. } => Opcode::Fft,
            Routine::Cholesky { .. } => Opcode::Cholesky,
            Routine::TriangularSolve(_) => Opcode::TriangularSolve,
        }
    }

    fn attrs(&self) -> Attrs {
        match self.routine {
            Routine::Cholesky { lower } => Attrs::Cholesky(lower),
            Routine::TriangularSolve(how) => Attrs::TriangularSolve(how),
            Routine::Fft { kind, length } => Attrs::Fft { kind, lengths: vec![length] },
        }
    }

    /// `[batch, rows, columns]` of each operand.
    pub fn operands(&self) -> Vec<ArrayShape> {
        let result = self.array(self.rows, self.columns);
        match self.routine {
            Routine::Cholesky { .. } => vec![result],
            Routine::TriangularSolve(_) => vec![self.array(self.unknowns(), self.unknowns()), result],
            Routine::Fft { kind, length } => vec![
                self.row(kind != FftKind::Rfft, if kind == FftKind::Irfft { length / 2 + 1 } else { length }),
            ],
        }
    }

    /// `[batch, rows, columns]` of each result.
    pub fn results(&self) -> Vec<ArrayShape> {
        match self.routine {
            Routine::Cholesky { .. } | Routine::TriangularSolve(_) => {
                vec![self.array(self.rows, self.columns)]
            }
            Routine::Fft { kind, .. } => vec![self.row(kind != FftKind::Irfft, self.columns)],
        }
    }

    /// A row of a transform.
    fn row(&self, complex: bool, columns: i64) -> ArrayShape {
        let dtype = DType::complex_of(self.dtype).filter(|_| complex).unwrap_or(self.dtype);
        self.array(self.rows, columns).with_dtype(dtype)
    }

    /// The floats of one matrix of an operand or a result.
    pub fn floats(shape: &ArrayShape) -> usize {
        shape.dims[1..].iter().product::<i64>() as usize * part_count(shape.dtype)
    }

    fn array(&self, rows: i64, columns: i64) -> ArrayShape {
        ArrayShape::new(self.dtype, [self.batch, rows, columns])
    }

    /// The order of the square matrix that is factored or solved with; of a transform its length.
    pub fn unknowns(&self) -> i64 {
        match self.routine {
            Routine::TriangularSolve(TriangularSolve { left_side: false, .. }) => self.columns,
            Routine::Cholesky { .. } | Routine::TriangularSolve(_) => self.rows,
            Routine::Fft { length, .. } => length,
        }
    }

    /// Arithmetic operations for one matrix of the batch, a multiplication and a subtraction counted apart.
    pub fn flops(&self) -> i64 {
        let n = self.unknowns() as i128;
        let flops = match self.routine {
            Routine::Cholesky { .. } => n * (n + 1) * (2 * n + 1) / 6,
            Routine::TriangularSolve(_) => n * self.rows as i128 * self.columns as i128,
            Routine::Fft { kind, length } => fft::operations(kind, length),
        };
        // A product of complex numbers is four.
        let flops = if self.dtype.is_complex() { 4 * flops } else { flops };
        flops.min(i64::MAX as i128) as i64
    }

    /// Computes one matrix: the operands and results of one element of the batch, row by row.
    pub fn run<T: Real>(&self, operands: &[&[T]], results: &mut [&mut [T]]) {
        match (self.routine, operands, results) {
            (Routine::Cholesky { lower }, [a], [l]) => match self.dtype.is_complex() {
                true => complex::cholesky(a, l, self.rows as usize, lower),
                false => cholesky(a, l, self.rows as usize, lower),
            },
            (Routine::TriangularSolve(how), [a, b], [x]) => {
                let size = (self.rows as usize, self.columns as usize);
                x.copy_from_slice(b);
                match self.dtype.is_complex() {
                    true => complex::triangular_solve(a, x, size, how),
                    false => triangular_solve(a, x, size, how),
                }
            }
            (Routine::Fft { kind, length }, [x], [y]) => fft(kind, x, y, length as usize),
            (
                Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Fft { .. },
                operands,
                results,
            ) => {
                unreachable!("{} operands and {} results", operands.len(), results.len())
            }
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
        let read: Vec<usize> = self.operands().iter().map(Call::floats).collect();
        let mut made: Vec<Vec<T>> =
            self.results().iter().map(|shape| vec![T::ZERO; Call::floats(shape)]).collect();
        for n in 0..self.batch as usize {
            go_on()?;
            let one = |(bytes, &len): (&&[u8], &usize)| T::read(&bytes[n * len * T::SIZE..][..len * T::SIZE]);
            let inputs: Vec<Vec<T>> = operands.iter().zip(&read).map(one).collect();
            let inputs: Vec<&[T]> = inputs.iter().map(Vec::as_slice).collect();
            let mut outputs: Vec<&mut [T]> = made.iter_mut().map(Vec::as_mut_slice).collect();
            self.run(&inputs, &mut outputs);
            for (bytes, values) in results.iter_mut().zip(&made) {
                T::write(values, &mut bytes[n * values.len() * T::SIZE..][..values.len() * T::SIZE]);
            }
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
        let array = |name: String, opcode, shape, attrs| {
            let operands = Vec::new();
            Instruction::new(name, opcode, Shape::Array(shape), operands, attrs, Origin::default())
        };
        let parameter = |(n, shape)| array(format!("a{n}"), Opcode::Parameter, shape, Attrs::Parameter(n));
        let mut instrs: Vec<Instruction> = self.operands().into_iter().enumerate().map(parameter).collect();
        let operands = (0..instrs.len() as u32).map(InstrId).collect();
        let [result] = &self.results()[..] else { unreachable!("each routine has one result") };
        let root = array(self.opcode().name().into(), self.opcode(), result.clone(), self.attrs());
        instrs.push(Instruction { operands, ..root });
        let root = InstrId(instrs.len() as u32 - 1);
        Computation { name: name.into(), instrs, root, execution_thread: None }
    }
}

/// f32, f64, or complex numbers of them.
fn is_of_floats(dtype: DType) -> bool {
    dtype.part().is_f32() || dtype.part().is_f64()
}
