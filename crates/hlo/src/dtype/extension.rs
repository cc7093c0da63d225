//! Extensions of prime fields: the polynomials that elements are reduced by.

/// The extension by a root u of an irreducible polynomial of this degree: u^degree = w, or u^degree = u + w.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extension {
    /// The number of coefficients, at most 4.
    pub degree: u32,
    /// The constant w, as the value of an element of the prime field.
    pub w: u64,
    /// Whether u^degree has u as a term beside w.
    pub trinomial: bool,
}

/// u^4 = 11.
pub const BABYBEAR_X4: Extension = binomial(4, 11);
/// u^4 = 3.
pub const KOALABEAR_X4: Extension = binomial(4, 3);
/// u² = −1.
pub const MERSENNE31_X2: Extension = binomial(2, (1 << 31) - 2);
/// u² = 7.
pub const GOLDILOCKS_X2: Extension = binomial(2, 7);
/// u³ = u + 1.
pub const GOLDILOCKS_X3: Extension = Extension { degree: 3, w: 1, trinomial: true };

const fn binomial(degree: u32, w: u64) -> Extension {
    Extension { degree, w, trinomial: false }
}
