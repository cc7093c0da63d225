//! The device that tests run on: one that is emulated, or of the machine where `LAWSON_TEST_DEVICE` names it (`make gpu-test`).

use lawson::Device;
use lawson_cuda as cuda;
use std::sync::OnceLock;

/// The variable that names it: `cuda`, `cuda:1`.
pub const NAME: &str = "LAWSON_TEST_DEVICE";

/// The device; each that is emulated is a new one.
///
/// # Errors
/// There is none of that name.
pub fn device() -> Result<cuda::Device, String> {
    let Ok(name) = std::env::var(NAME) else {
        let options = cuda::driver::emulated::Options::default();
        return cuda::Device::emulated(options).map(|(device, _)| device).map_err(|e| e.to_string());
    };
    let number = match Device::parse(&name)? {
        Device::Cuda(number) => usize::from(number),
        other => return Err(format!("{NAME}={other}: expected a graphics processor of this machine")),
    };
    // It stays open: the driver takes long to make a context anew, as for each test that finds it closed.
    static OPEN: OnceLock<Result<cuda::Device, cuda::Error>> = OnceLock::new();
    OPEN.get_or_init(|| cuda::Device::open(number)).clone().map_err(|e| e.to_string())
}
