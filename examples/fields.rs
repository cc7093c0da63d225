//! A polynomial over a prime field, its formal derivative, and an element of an extension.
//! `cargo run --release --example fields`

use lawson::hlo::DType;
use lawson::{Error, Tensor, grad, jit};

fn polynomial(x: &Tensor) -> Tensor {
    x.pow(3) - x + 3
}

pub fn main() -> Result<(), Error> {
    let x = Tensor::from_values(DType::BabyBearMont, &[1u32, 2, 3, 4], [4]);
    let y = jit(polynomial).call(&x)?;
    assert_eq!(y.values()?, [3, 9, 27, 63]);
    assert_eq!((&y / &x * &x - 1).astype(DType::U32).to_vec::<u32>()?, [2, 8, 26, 62]);

    let slopes = jit(|x: &Tensor| grad(|x: &Tensor| polynomial(x).sum())(x)).call(&x)?;
    assert_eq!(slopes.values()?, [2, 11, 26, 47]); // 3x² − 1

    // Four coefficients an element; u⁴ is 11.
    let u = Tensor::from_values(DType::BabyBearX4Mont, &[0u32, 1, 0, 0], []);
    let powers = jit(|u: &Tensor, x: &Tensor| u.pow(4) * x + u).call(&u, &x)?;
    assert_eq!(powers.index(3).values()?, [44, 1, 0, 0]);

    println!("{}", jit(|x: &Tensor| x + 0.5).call(&x).expect_err("fields have no fractions"));
    Ok(())
}
