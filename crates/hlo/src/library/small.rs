//! Matrices for which no library is faster than the reference algorithm.

use super::{BLOCK, Call, Routine};
use crate::linalg::Linalg;

impl Call {
    /// Whether the reference algorithm is as fast as any: it is then taken whatever libraries a device has. Measured on f32 and c64,
    /// on square matrices of 4 to 96 rows and on those of 1 to 20 columns.
    pub fn is_small(&self) -> bool {
        let (n, rows, complex) = (self.unknowns(), self.rows, self.dtype.is_complex());
        let elements = rows.saturating_mul(self.columns);
        match self.routine {
            Routine::Fft { .. } => false,
            Routine::Cholesky { .. } => n <= if complex { 64 } else { 12 },
            Routine::TriangularSolve(_) => n <= if complex { 0 } else { BLOCK },
            Routine::Linalg(Linalg::Lu) if complex => elements <= 144,
            Routine::Linalg(Linalg::Lu) => rows <= 48,
            Routine::Linalg(Linalg::Qr | Linalg::HouseholderProduct) if complex => rows <= 24,
            Routine::Linalg(Linalg::Qr) => rows <= 12 || elements <= 64,
            Routine::Linalg(Linalg::HouseholderProduct) => rows <= 16 || elements <= 128,
            Routine::Linalg(Linalg::Eigh { .. }) => n <= if complex { 8 } else { 64 },
            Routine::Linalg(Linalg::Eig { .. }) => n <= if complex { 8 } else { 16 },
            Routine::Linalg(Linalg::Svd { .. }) if complex => elements <= 32,
            Routine::Linalg(Linalg::Svd { full: true, vectors: true }) => n < 4 || elements <= 64,
            Routine::Linalg(Linalg::Svd { .. }) => {
                elements <= if rows.max(self.columns) >= 2 * n { 128 } else { 64 }
            }
            Routine::Linalg(Linalg::Tridiagonal { .. }) => complex || n <= 16,
            Routine::Linalg(Linalg::PivotedQr | Linalg::Hessenberg | Linalg::Schur { .. }) => true,
        }
    }
}
