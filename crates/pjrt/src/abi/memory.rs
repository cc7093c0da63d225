//! Memory that crosses the boundary: handles of our objects, and arrays that the other side lends.
//!
//! Values of these types come from two places only: from this crate, which makes them of what it owns, and from the caller
//! of an entry point, who promises by the C API that handles are those we gave and have not been destroyed, and that arrays
//! are as long as said. That promise is what every block of `unsafe` here rests on; null is checked.

use super::failure::Failure;

/// What the caller holds of an object of ours.
#[repr(transparent)]
pub struct Handle<T>(*const T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Handle<T> {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: a handle gives shared access only, and what it names may be shared.
unsafe impl<T: Sync> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Handle<T> {}

impl<T: Send + Sync> Handle<T> {
    /// No object.
    pub const NULL: Handle<T> = Handle(std::ptr::null());

    /// The object becomes the caller's, until [`Handle::destroy`].
    pub fn give(object: T) -> Handle<T> {
        Handle(Box::into_raw(Box::new(object)))
    }

    /// The object stays that of its owner, who outlives the use of the handle.
    pub fn lend(object: &T) -> Handle<T> {
        Handle(object)
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The object.
    ///
    /// # Errors
    /// The handle is null.
    pub fn get(&self) -> Result<&T, Failure> {
        // SAFETY: null, or a living object, by the promise of the module's header.
        let object = unsafe { self.0.as_ref() };
        object.ok_or_else(|| Failure::invalid("a handle is null"))
    }

    /// Ends an object that was given away; nothing, where the handle is null.
    pub fn destroy(self) {
        if !self.0.is_null() {
            // SAFETY: it came from `give`, and the caller destroys it once, by the promise of the module's header.
            drop(unsafe { Box::from_raw(self.0.cast_mut()) });
        }
    }
}

/// An array, as a pointer and a length that follows it.
#[repr(C)]
pub struct Slice<T> {
    start: Pointer<T>,
    len: usize,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Slice<T> {
        *self
    }
}

impl<T> Copy for Slice<T> {}

impl<T> Slice<T> {
    /// An array whose owner outlives its use.
    pub const fn lend(array: &[T]) -> Slice<T> {
        Slice { start: Pointer::lend(array), len: array.len() }
    }

    /// The elements; none where it is null.
    pub fn get(&self) -> &[T] {
        self.start.array(self.len)
    }
}

impl Slice<u8> {
    /// A text whose owner outlives its use.
    pub const fn text(text: &str) -> Slice<u8> {
        Slice::lend(text.as_bytes())
    }

    /// What it says, as far as it is text.
    pub fn to_text(self) -> String {
        String::from_utf8_lossy(self.get()).into_owned()
    }
}

/// Where an array begins whose length stands elsewhere.
#[repr(transparent)]
pub struct Pointer<T>(*const T);

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Pointer<T> {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

// SAFETY: it gives shared access only.
unsafe impl<T: Sync> Send for Pointer<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Pointer<T> {}

impl<T> Pointer<T> {
    /// An array whose owner outlives its use.
    pub const fn lend(array: &[T]) -> Pointer<T> {
        Pointer(array.as_ptr())
    }

    /// No array.
    pub const NULL: Pointer<T> = Pointer(std::ptr::null());

    /// The address.
    pub fn address(self) -> usize {
        self.0 as usize
    }

    /// So many elements; none where it is null.
    pub fn array(&self, len: usize) -> &[T] {
        if self.0.is_null() || len == 0 {
            return &[];
        }
        // SAFETY: the caller lends an array of this length, by the promise of the module's header.
        unsafe { std::slice::from_raw_parts(self.0, len) }
    }
}

impl Pointer<u8> {
    /// The bytes from `low` to `high` as seen from here, where a strided array has its elements.
    pub fn span(&self, low: isize, high: isize) -> &[u8] {
        if self.0.is_null() || high <= low {
            return &[];
        }
        // SAFETY: the caller lends an array that has these elements, by the promise of the module's header.
        unsafe { std::slice::from_raw_parts(self.0.offset(low), (high - low) as usize) }
    }
}

/// Where an array begins that the caller wants filled.
#[repr(transparent)]
pub struct Place<T>(*mut T);

impl<T> Clone for Place<T> {
    fn clone(&self) -> Place<T> {
        *self
    }
}

impl<T> Copy for Place<T> {}

// SAFETY: whoever gives it away has its array filled on another thread, once, while the caller waits.
unsafe impl<T: Send> Send for Place<T> {}

impl<T> Place<T> {
    /// An array whose owner outlives its use, and which is only read: for fields in which an array can be given or asked for.
    pub const fn lend(array: &[T]) -> Place<T> {
        Place(array.as_ptr().cast_mut())
    }
}

impl<T: Copy> Place<T> {
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Writes the elements to the start of the array; nothing, where it is null.
    pub fn fill(&self, elements: impl IntoIterator<Item = T>) {
        if self.0.is_null() {
            return;
        }
        for (n, element) in elements.into_iter().enumerate() {
            // SAFETY: the caller has room for as many elements as the C API says, by the promise of the module's header.
            unsafe { self.0.add(n).write(element) };
        }
    }
}

impl Place<u8> {
    /// So many bytes to write to.
    pub fn bytes(&mut self, len: usize) -> &mut [u8] {
        if self.0.is_null() {
            return &mut [];
        }
        // SAFETY: the caller has room for as many bytes, by the promise of the module's header.
        unsafe { std::slice::from_raw_parts_mut(self.0, len) }
    }
}

/// Memory of the caller that stays as it is until we say that we are done with it.
pub struct Lent {
    start: Pointer<u8>,
    len: usize,
}

impl Lent {
    /// So many bytes from here on, which by the C API stay unchanged as long as this value lives.
    pub fn new(start: Pointer<u8>, len: usize) -> Lent {
        Lent { start, len }
    }
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        self.start.array(self.len)
    }
}
