//! The inverse of erf in single precision, divided by x: polynomials of M. Giles ("Approximating the erfinv function", GPU
//! Computing Gems, volume 2, 2010).

/// Terms in −ln(1 − x²) − 2.5 where that logarithm is below 5, the highest power first.
pub const NEAR: [f64; 9] = [
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
];
/// Terms in √(−ln(1 − x²)) − 3 elsewhere.
pub const FAR: [f64; 9] = [
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
];
