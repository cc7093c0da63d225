//! Entry points: what every function of the table does before and after its own work.
//!
//! The caller's arguments are copied in and out, as far as both sides know them, so a caller that is older or newer is no
//! danger: fields it does not know are null, those we do not know stay as they were. A panic becomes an error of the call.

use super::callback::{Callback, Deleter, OnDelete};
use super::failure::{Code, Failure};
use super::memory::{Handle, Place, Pointer, Slice};
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::{MaybeUninit, size_of};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function of the table. Those without a result, `PJRT_Error_Destroy` and `PJRT_Error_Message`, give null.
pub type Entry = unsafe extern "C" fn(*mut c_void) -> Handle<Failure>;

/// What all structs of the API begin with.
#[repr(C)]
pub struct Header {
    /// In bytes, as far as its maker knows the struct.
    pub struct_size: usize,
    pub extension: *const c_void,
}

/// The fields of a struct that follow its header.
///
/// # Safety
/// `repr(C)`, aligned to at most 8 bytes, and each field is [`AnyBytes`].
pub unsafe trait Fields: Sized {}

/// A field of a struct: a value, whatever a caller left in its place.
///
/// # Safety
/// Any bytes are a value of it: not so of `bool` and of enums.
pub unsafe trait AnyBytes {}

/// Compiles for such fields only.
pub const fn any_bytes<T: AnyBytes>() {}

macro_rules! any_bytes {
    ($($type:ty),*) => {
        $(
            // SAFETY: a number, or a pointer that may be anything until it is used.
            unsafe impl AnyBytes for $type {}
        )*
    };
}

any_bytes!(u8, u32, i32, i64, usize, isize, *const c_void);

// SAFETY: a pointer.
unsafe impl<T> AnyBytes for Handle<T> {}
// SAFETY: a pointer.
unsafe impl<T> AnyBytes for Pointer<T> {}
// SAFETY: a pointer.
unsafe impl<T> AnyBytes for Place<T> {}
// SAFETY: a pointer and a length.
unsafe impl<T> AnyBytes for Slice<T> {}
// SAFETY: a pointer.
unsafe impl<F> AnyBytes for Struct<F> {}
// SAFETY: two pointers.
unsafe impl AnyBytes for Callback {}
// SAFETY: two pointers.
unsafe impl AnyBytes for OnDelete {}
// SAFETY: a pointer.
unsafe impl<T> AnyBytes for Deleter<T> {}

#[repr(C)]
struct Args<F> {
    header: Header,
    fields: F,
}

/// A struct of the caller's.
#[repr(transparent)]
pub struct Struct<F>(*const Header, PhantomData<F>);

impl<F: Fields> Struct<F> {
    /// Its fields, as far as both sides know them, the rest zero; nothing, where it is null.
    pub fn read(&self) -> Option<F> {
        // SAFETY: null or a struct that begins with its size, by the promise of `memory`'s header.
        let size = unsafe { self.0.as_ref() }?.struct_size;
        // SAFETY: as many bytes are readable.
        Some(unsafe { copy_in::<F>(self.0.cast(), size) }.fields)
    }

    /// Its fields, whatever size it says it has: for a struct that has never changed, of which jaxlib does not always tell.
    pub fn read_whole(&self) -> Option<F> {
        // SAFETY: null or a whole struct, by the promise of `memory`'s header.
        (!self.0.is_null()).then(|| unsafe { copy_in::<F>(self.0.cast(), size_of::<Args<F>>()) }.fields)
    }

    /// Puts fields in their place, as far as both sides know them; nothing, where it is null.
    pub fn write(&self, fields: &F) {
        // SAFETY: null or a struct that begins with its size, by the promise of `memory`'s header.
        if let Some(header) = unsafe { self.0.as_ref() } {
            // SAFETY: as many bytes are the caller's to be written.
            unsafe { copy_out(fields, self.0.cast_mut().cast(), header.struct_size) }
        }
    }
}

/// # Safety
/// `size` bytes are readable.
unsafe fn copy_in<F: Fields>(from: *const c_void, size: usize) -> Args<F> {
    let mut args = MaybeUninit::<Args<F>>::zeroed();
    let known = size.min(size_of::<Args<F>>());
    // SAFETY: within both structs; fields are values whatever the caller left there.
    unsafe {
        std::ptr::copy_nonoverlapping(from.cast::<u8>(), args.as_mut_ptr().cast::<u8>(), known);
        args.assume_init()
    }
}

/// # Safety
/// `to` is a struct of `size` bytes that may be written.
unsafe fn copy_out<F: Fields>(fields: &F, to: *mut c_void, size: usize) {
    let (start, known) = (size_of::<Header>(), size.min(size_of::<Args<F>>()));
    if known > start {
        // SAFETY: within both structs; fields begin right after the header, since they are aligned to at most its size.
        unsafe {
            let from = std::ptr::from_ref(fields).cast::<u8>();
            std::ptr::copy_nonoverlapping(from, to.cast::<u8>().add(start), known - start);
        }
    }
}

/// Calls a function with the caller's arguments.
///
/// # Safety
/// `args` is what the C API says of this function.
pub unsafe fn enter<F: Fields>(
    args: *mut c_void,
    function: impl FnOnce(&mut F) -> Result<(), Failure>,
) -> Handle<Failure> {
    // SAFETY: arguments begin with their size.
    let Some(size) = (unsafe { args.cast::<Header>().as_ref() }).map(|h| h.struct_size) else {
        return Handle::give(Failure::invalid("the arguments are null"));
    };
    // SAFETY: the caller has that many bytes.
    let mut own = unsafe { copy_in::<F>(args, size) };
    let result = guarded(|| function(&mut own.fields));
    // SAFETY: the caller has that many bytes.
    unsafe { copy_out(&own.fields, args, size) }
    match result {
        Ok(()) => Handle::NULL,
        Err(failure) => Handle::give(failure),
    }
}

/// A struct of the profiler's, which begins with its size alone.
#[repr(C)]
struct Whole<F> {
    struct_size: usize,
    fields: F,
}

/// As [`enter`], for functions of the profiler: their structs have never changed, and callers do not always say their sizes.
///
/// # Safety
/// `args` is what the profiler's C API says of this function, with all its fields.
pub unsafe fn enter_whole<F: Fields>(
    args: *mut c_void,
    function: impl FnOnce(&mut F) -> Result<(), Failure>,
) -> Handle<Failure> {
    let args = args.cast::<Whole<F>>();
    if args.is_null() {
        return Handle::give(Failure::invalid("the arguments are null"));
    }
    // SAFETY: the caller has the whole struct, whose fields are values whatever it left there, and have nothing to drop.
    let mut fields = unsafe { (&raw const (*args).fields).read() };
    let result = guarded(|| function(&mut fields));
    // SAFETY: as above; the struct may be written.
    unsafe { (&raw mut (*args).fields).write(fields) };
    result.map_or_else(Handle::give, |()| Handle::NULL)
}

/// Does the work; a panic becomes an error.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What a panic leaves half done is behind a lock that is looked through, or never seen again.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(panicked(&*payload)))
}

fn panicked(payload: &(dyn Any + Send)) -> Failure {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Failure::new(Code::Internal, format!("[internal] this is a bug of Lawson: panic: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    struct Number {
        number: u64,
    }

    // SAFETY: a number.
    unsafe impl Fields for Number {}

    /// As entries of the table are.
    unsafe extern "C" fn entry(args: *mut c_void) -> Handle<Failure> {
        // SAFETY: the test gives the arguments.
        unsafe {
            enter(args, |a: &mut Number| {
                a.number += 1;
                assert!(a.number < 10, "the number is {}", a.number);
                Ok(())
            })
        }
    }

    #[test]
    fn a_panic_is_an_error_of_the_call() {
        for (given, failed) in [(1, false), (9, true)] {
            let mut args = [24u64, 0, given];
            // SAFETY: a struct of that size.
            let error = unsafe { entry(args.as_mut_ptr().cast()) };
            assert_eq!(args[2], given + 1);
            assert_eq!(!error.is_null(), failed);
            if failed {
                let failure = error.get().expect("an error");
                assert_eq!(failure.code, Code::Internal);
                assert_eq!(failure.message, "[internal] this is a bug of Lawson: panic: the number is 10");
            }
            error.destroy();
        }
        // SAFETY: null is seen.
        let error = unsafe { entry(std::ptr::null_mut()) };
        assert_eq!(error.get().map(|f| f.code), Ok(Code::InvalidArgument));
        error.destroy();
    }
}
