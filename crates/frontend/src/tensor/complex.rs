//! Complex numbers: their parts, and what is theirs alone. Arithmetic and elementary functions take them as any other number.

use super::Tensor;
use super::contract::conjugated;
use super::elementwise::{Types, elementwise};
use super::operand::AsTensor;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{DType, InstrId, Opcode};
use std::panic::Location;

/// i·x = −im + re·i, or −i·x = im − re·i.
pub(super) fn by_i(e: &mut Emit<'_>, x: InstrId, back: bool) -> Result<InstrId, Fault> {
    let (mut re, mut im) = (e.unary(Opcode::Real, x)?, e.unary(Opcode::Imag, x)?);
    let negative = if back { &mut re } else { &mut im };
    *negative = e.neg(*negative)?;
    e.binary(Opcode::Complex, im, re)
}

impl Tensor {
    /// re + im·i, of floats as c64 or of f64 as c128. Numbers of other types are taken as floats.
    ///
    /// Carries an error where an operand is complex already.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let z = Tensor::complex(Tensor::from([3f32, 0.0]), Tensor::from([4f32, -1.0]));
    /// assert_eq!(z.dtype(), DType::C64);
    /// assert_eq!(z.abs().to_vec(), Ok(vec![5f32, 1.0]));
    /// let w = &z * z.conj();
    /// assert_eq!(w.real().to_vec(), Ok(vec![25f32, 1.0]));
    /// assert_eq!(w.imag().to_vec(), Ok(vec![0f32, 0.0]));
    /// assert_eq!(Tensor::complex(1, 2).imag().item(), Ok(2f32));
    /// ```
    #[track_caller]
    pub fn complex(re: impl AsTensor, im: impl AsTensor) -> Tensor {
        let operands = [re.operand(), im.operand()];
        elementwise(Location::caller(), "complex", &operands, Types::Inexact, |e, ids| {
            let dtype = e.dtype(ids[0])?;
            if !dtype.is_float() {
                return fault!("`complex` of {dtype}: its parts are real numbers");
            }
            let part = if dtype.is_f64() { DType::F64 } else { DType::F32 };
            let (re, im) = (e.convert(ids[0], part)?, e.convert(ids[1], part)?);
            e.binary(Opcode::Complex, re, im)
        })
    }

    /// The real part; of real numbers themselves.
    #[track_caller]
    pub fn real(&self) -> Tensor {
        elementwise(Location::caller(), "real", &[self.operand()], Types::Any, |e, ids| {
            match e.dtype(ids[0])?.is_complex() {
                true => e.unary(Opcode::Real, ids[0]),
                false => Ok(ids[0]),
            }
        })
    }

    /// The imaginary part; of real numbers 0.
    #[track_caller]
    pub fn imag(&self) -> Tensor {
        elementwise(Location::caller(), "imag", &[self.operand()], Types::Any, |e, ids| {
            match e.dtype(ids[0])?.is_complex() {
                true => e.unary(Opcode::Imag, ids[0]),
                false => e.splat_like(ids[0], 0.0),
            }
        })
    }

    /// re − im·i; real numbers stay as they are.
    #[track_caller]
    pub fn conj(&self) -> Tensor {
        elementwise(Location::caller(), "conj", &[self.operand()], Types::Any, |e, ids| conjugated(e, ids[0]))
    }

    /// The angle in radians between −π and π, of a negative real number π.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let z = Tensor::complex(Tensor::from([0f32, -1.0]), Tensor::from([2f32, 0.0]));
    /// let turns = z.angle() / std::f32::consts::PI;
    /// assert_eq!(turns.to_vec(), Ok(vec![0.5f32, 1.0]));
    /// // The logarithm has the angle as its imaginary part.
    /// assert_eq!(z.log().imag().to_vec::<f32>(), z.angle().to_vec());
    /// ```
    #[track_caller]
    pub fn angle(&self) -> Tensor {
        self.imag().atan2(self.real())
    }
}
