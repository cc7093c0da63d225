//! A small net, compiled once and called a thousand times: its weights stay where they are, each call brings other rows.
//! `cargo run --release --example embed`

use lawson::{Client, Error, Options, load};

const NET: &str = "HloModule net
ENTRY net {
  x = f32[64,784] parameter(0)
  w = f32[784,256] parameter(1)
  v = f32[256,32] parameter(2)
  h = f32[64,256] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[64,256] tanh(h)
  ROOT y = f32[64,32] dot(t, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}";

pub fn main() -> Result<(), Error> {
    let client = Client::cpu();
    let net = client.compile(&load::parse(NET)?, &Options::default())?;
    let w = client.buffer(&[0.01f32; 784 * 256], &[784, 256])?;
    let v = client.buffer(&[0.1f32; 256 * 32], &[256, 32])?;
    let mut x = client.buffer(&[0f32; 64 * 784], &[64, 784])?;
    for i in 0..1000 {
        x.copy_from_slice(&[i as f32 * 1e-4; 64 * 784])?;
        let y = &net.run([&x, &w, &v])?[0];
        let expected = 25.6 * (7.84 * i as f32 * 1e-4).tanh();
        assert!((y.as_slice::<f32>()?[0] - expected).abs() < 1e-3);
    }
    let wrong = client.buffer(&[1i32; 64 * 784], &[64, 784])?;
    println!("{}", net.run([&wrong, &w, &v]).expect_err("whole numbers for floats"));
    Ok(())
}
