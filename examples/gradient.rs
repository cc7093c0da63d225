//! A function of tensors, its gradient, and a step of training compiled as one program.
//! `cargo run --release --example gradient`

use lawson::{Error, Tensor, grad, jit, random};

fn loss(w: &Tensor, x: &Tensor, y: &Tensor) -> Tensor {
    (x.dot(w).tanh() - y).square().mean()
}

pub fn main() -> Result<(), Error> {
    let x = random::normal(&random::key(0), [256, 8], lawson::hlo::DType::F32);
    let y = x.dot(Tensor::new(&[0.5f32, -1.0, 0.0, 0.3, 0.8, -0.2, 0.1, -0.6], [8])).tanh();

    let step = jit(|w: &Tensor, x: &Tensor, y: &Tensor| w - 0.5 * grad(loss)(w, x, y));
    let mut w = Tensor::zeros([8], lawson::hlo::DType::F32);
    println!("loss {:.5}", loss(&w, &x, &y).item::<f32>()?);
    for _ in 0..200 {
        w = step.call(&w, &x, &y)?; // traced and compiled on the first call
    }
    let end = loss(&w, &x, &y).item::<f32>()?;
    println!("loss {end:.5} after 200 steps");
    println!("{}", step.explain(&w, &x, &y)?); // kernels, bytes, decisions
    assert!(end < 1e-3);
    Ok(())
}
