//! What runs operations at once is found when the program is linked; without it they would be interpreted, slowly.

use lawson::Tensor;
use lawson::frontend::backend::BACKENDS;

#[test]
fn a_program_that_names_only_tensors_has_the_native_back_end() {
    assert_eq!(BACKENDS.len(), 1);
    assert_eq!((Tensor::from([1f32, 2.0]) * 3.0).to_vec(), Ok(vec![3f32, 6.0]));
}
