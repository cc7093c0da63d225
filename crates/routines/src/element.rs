//! The types of elements, f32 and f64, and what each thread keeps for transforms of one.

#[cfg(target_arch = "x86_64")]
use crate::instructions::{Avx2, Avx512, Instructions};
use bytemuck::Pod;
use faer::traits::RealField;
use lawson_hlo::library::Real;
use ndarray::LinalgScalar;
use realfft::RealFftPlanner;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftNum, FftPlanner};
use std::cell::RefCell;
use std::sync::Arc;

/// f32 or f64, which the libraries compute with too.
pub trait Element: Real + LinalgScalar + RealField + FftNum + Pod {
    /// What transforms of this type are planned by; plans are kept.
    fn with_planners<R>(f: impl FnOnce(&mut Planners<Self>) -> R) -> R;

    /// The widest vectors that there is code for.
    #[cfg(target_arch = "x86_64")]
    type Wide: Instructions<Float = Self>;
    /// Those of other processors.
    #[cfg(target_arch = "x86_64")]
    type Narrow: Instructions<Float = Self>;
}

macro_rules! element {
    ($t:ident) => {
        impl Element for $t {
            fn with_planners<R>(f: impl FnOnce(&mut Planners<$t>) -> R) -> R {
                thread_local! {
                    static PLANNERS: RefCell<Planners<$t>> = RefCell::default();
                }
                PLANNERS.with_borrow_mut(f)
            }

            #[cfg(target_arch = "x86_64")]
            type Wide = Avx512<$t>;
            #[cfg(target_arch = "x86_64")]
            type Narrow = Avx2<$t>;
        }
    };
}

element!(f32);
element!(f64);

/// What a thread keeps of one element type.
pub struct Planners<T: Element> {
    pub(crate) complex: FftPlanner<T>,
    pub(crate) real: RealFftPlanner<T>,
    /// That of the row before, whose like most rows are: finding a plan takes as long as a short transform.
    pub(crate) last: Option<Arc<dyn Fft<T>>>,
    /// Those that there are plans for.
    pub(crate) lengths: Vec<usize>,
    pub(crate) scratch: Vec<Complex<T>>,
    pub(crate) row: Vec<T>,
    /// Columns that are transformed, one after the other, and their transforms.
    pub(crate) columns: [Vec<T>; 2],
}

impl<T: Element> Default for Planners<T> {
    fn default() -> Planners<T> {
        Planners {
            complex: FftPlanner::new(),
            real: RealFftPlanner::new(),
            last: None,
            lengths: Vec::new(),
            scratch: Vec::new(),
            row: Vec::new(),
            columns: [Vec::new(), Vec::new()],
        }
    }
}
