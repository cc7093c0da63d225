//! Arrays that are shared by DLPack: with the processor's memory and with that of the emulated device.

use lawson::dlpack::{self, DlDevice, DlManagedTensor, DlTensor, DlType};
use lawson::{Argument, Client, Device, Options, RunOptions, load};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A tensor of another library: what it points to lives in its context.
struct Other {
    tensor: DlManagedTensor,
    /// Beyond the alignment of the processor's buffers.
    elements: Vec<f32>,
    dims: Vec<i64>,
    strides: Vec<i64>,
    ended: &'static AtomicUsize,
}

unsafe extern "C" fn end(tensor: *mut DlManagedTensor) {
    // SAFETY: it was made by `other`, and its context is the box that it lies in.
    let other = unsafe { Box::from_raw((*tensor).context.cast::<Other>()) };
    other.ended.fetch_add(1, Ordering::SeqCst);
}

const F32: DlType = DlType { code: 2, bits: 32, lanes: 1 };
const HOST: DlDevice = DlDevice { kind: 1, number: 0 };

/// A matrix of 2 × 3, which may be changed before it is given away.
fn other(ended: &'static AtomicUsize, change: impl FnOnce(&mut DlTensor)) -> *mut DlManagedTensor {
    let tensor = DlTensor {
        data: std::ptr::null_mut(),
        device: HOST,
        rank: 2,
        dtype: F32,
        dims: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    };
    let mut other = Box::new(Other {
        tensor: DlManagedTensor { tensor, context: std::ptr::null_mut(), deleter: Some(end) },
        elements: (0..8).map(|n| n as f32).collect(),
        dims: vec![2, 3],
        strides: vec![3, 1],
        ended,
    });
    other.tensor.tensor.data = other.elements.as_mut_ptr().cast::<c_void>();
    other.tensor.tensor.dims = other.dims.as_mut_ptr();
    other.tensor.tensor.strides = other.strides.as_mut_ptr();
    change(&mut other.tensor.tensor);
    let at = Box::into_raw(other);
    // SAFETY: it was just made.
    unsafe {
        (*at).tensor.context = at.cast();
        &raw mut (*at).tensor
    }
}

/// Twice the argument, which may be donated.
const DOUBLE: &str = "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n\
    ENTRY e { x = f32[2,3] parameter(0) ROOT y = f32[2,3] add(x, x) }";

#[test]
fn a_tensor_of_another_library_is_an_argument() {
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    let client = Client::cpu();
    let module = load::parse(DOUBLE).expect("it is one");
    let double = client.compile(&module, &Options::default()).expect("it is compiled");
    for offset in [0, 8] {
        let tensor = other(&ENDED, |t| t.byte_offset = offset);
        // SAFETY: it was just made, and nobody else has it.
        let x = unsafe { client.buffer_from_dlpack(tensor) }.expect("a buffer");
        assert_eq!(x.shape().to_string(), "f32[2,3]");
        let first = offset as f32 / 4.0;
        let expected: Vec<f32> = (0..6).map(|n| 2.0 * (n as f32 + first)).collect();
        assert_eq!(double.run([&x]).expect("it runs")[0].to_vec(), Ok(expected.clone()));
        // Given up, it is read all the same, and ended.
        let done = double.run_with([Argument::Donated(x)], &RunOptions::default()).expect("it runs");
        assert_eq!(done.outputs[0].to_vec(), Ok(expected));
    }
    assert_eq!(ENDED.load(Ordering::SeqCst), 2);
}

#[test]
fn what_does_not_fit_is_refused_and_ended() {
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    static MANY: [i64; 2] = [i64::MAX, 3];
    static TURNED: [i64; 2] = [1, 2];
    type Change = fn(&mut DlTensor);
    let cases: [(Change, &str); 6] = [
        (
            |t| t.device = DlDevice { kind: 2, number: 1 },
            "the tensor is on device DlDevice { kind: 2, number: 1 }",
        ),
        (|t| t.dtype.code = 9, "elements with code 9 and 32 bits"),
        (|t| t.dtype.lanes = 4, "4 at once"),
        (|t| t.rank = 65, "65 dimensions"),
        (|t| t.dims = MANY.as_ptr().cast_mut(), "a tensor of the dimensions"),
        (|t| t.strides = TURNED.as_ptr().cast_mut(), "the strides [1, 2]; make it contiguous"),
    ];
    for (n, (change, message)) in cases.into_iter().enumerate() {
        // SAFETY: as above, and what is wrong with it is seen before its memory is read.
        let error = unsafe { Client::cpu().buffer_from_dlpack(other(&ENDED, change)) }.expect_err(message);
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(ENDED.load(Ordering::SeqCst), n + 1, "{message}");
    }
    // SAFETY: there is none.
    let error = unsafe { Client::cpu().buffer_from_dlpack(std::ptr::null_mut()) }.expect_err("none");
    assert!(error.to_string().contains("there is no tensor"), "{error}");
}

#[test]
fn buffers_are_exported_as_they_lie() {
    let client = Client::cpu();
    let x = client.buffer(&[1i32, 2, 3, 4, 5, 6], &[3, 2]).expect("a buffer");
    let at = x.bytes().as_ptr();
    let tensor = dlpack::export(x).expect("a tensor");
    // SAFETY: it was just made.
    let seen = unsafe { &(*tensor).tensor };
    assert_eq!((seen.data.cast_const().cast(), seen.device, seen.rank), (at, HOST, 2));
    assert_eq!(seen.dtype, DlType { code: 0, bits: 32, lanes: 1 });
    // SAFETY: it has as many.
    let (dims, strides) =
        unsafe { (std::slice::from_raw_parts(seen.dims, 2), std::slice::from_raw_parts(seen.strides, 2)) };
    assert_eq!((dims, strides), (&[3, 2][..], &[2, 1][..]));
    // SAFETY: nobody else has it.
    unsafe { (*tensor).deleter.expect("one")(tensor) };
    let fields = client
        .buffer_filled(&lawson::hlo::ArrayShape::new(lawson::hlo::DType::BabyBear, [2]), |bytes| {
            bytes.fill(0)
        });
    let error = dlpack::export(fields.expect("a buffer")).expect_err("no such type");
    assert!(error.to_string().contains("DLPack has no elements of type"), "{error}");
}

#[test]
fn memory_of_a_device_is_shared_and_stays_its_owners() {
    let client = Client::new(Device::CudaEmulated).expect("a device");
    let module = load::parse(DOUBLE).expect("it is one");
    let double = client.compile(&module, &Options::default()).expect("it is compiled");
    let x = client.buffer(&[1f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).expect("a buffer");
    let tensor = dlpack::export(x).expect("a tensor");
    // SAFETY: it was just made.
    let at = unsafe { (*tensor).tensor.data };
    // SAFETY: nobody else has it.
    let x = unsafe { client.buffer_from_dlpack(tensor) }.expect("a buffer");
    let expected = Ok(vec![2f32, 4.0, 6.0, 8.0, 10.0, 12.0]);
    assert_eq!(double.run([&x]).expect("it runs")[0].to_vec(), expected);
    // Given up, its memory is not that of the result.
    let done = double.run_with([Argument::Donated(x)], &RunOptions::default()).expect("it runs");
    let result = dlpack::export(done.outputs.into_iter().next().expect("a result")).expect("a tensor");
    // SAFETY: it was just made.
    assert_ne!(unsafe { (*result).tensor.data }, at);
    // A run may write to memory that was lent where it is told to.
    // SAFETY: nobody else has it.
    let mut lent = vec![unsafe { client.buffer_from_dlpack(result) }.expect("a buffer")];
    assert_eq!(lent[0].to_vec(), expected);
    let ones = client.buffer(&[1f32; 6], &[2, 3]).expect("a buffer");
    double.run_into([&ones], &mut lent, &RunOptions::default()).expect("it runs");
    assert_eq!(lent[0].to_vec(), Ok(vec![2f32; 6]));
    // What lies between the multiples that kernels take arrays to begin at is copied.
    let long = client.buffer(&(0..8).map(|n| n as f32).collect::<Vec<_>>(), &[8]).expect("a buffer");
    let tensor = dlpack::export(long).expect("a tensor");
    let mut dims = [2, 3];
    // SAFETY: it was just made; the dimensions live as long as they are read.
    let part = unsafe {
        ((*tensor).tensor.byte_offset, (*tensor).tensor.rank) = (8, 2);
        ((*tensor).tensor.dims, (*tensor).tensor.strides) = (dims.as_mut_ptr(), std::ptr::null_mut());
        client.buffer_from_dlpack(tensor)
    };
    assert_eq!(part.expect("a buffer").to_vec(), Ok(vec![2f32, 3.0, 4.0, 5.0, 6.0, 7.0]));
}
