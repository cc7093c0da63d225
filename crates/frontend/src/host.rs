//! Functions of the host behind `custom-call`s: what they read and write, which are registered, how the interpreter calls
//! them.
//!
//! A registered function is data: whoever runs programs reads [`registered`] when it compiles.

use crate::array::{self, Element, ElementError};
use crate::error::Error;
use lawson_hlo::eval::CustomCallFn;
use lawson_hlo::{ArrayShape, Literal, Value};
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

/// Reads the operands and writes the results, or says what went wrong. Of equal operands it makes equal results:
/// programs call it as often as they need, perhaps not at all.
pub type HostFunction =
    dyn Fn(&[HostArray<'_>], &mut [HostArrayMut<'_>]) -> Result<(), HostError> + Send + Sync;

/// Why a host function failed; `?` makes one of any error, `"text".into()` of text.
pub type HostError = Box<dyn std::error::Error + Send + Sync>;

/// An operand of a custom-call: one array leaf, row-major.
#[derive(Clone, Copy, Debug)]
pub struct HostArray<'a> {
    shape: &'a ArrayShape,
    bytes: &'a [u8],
}

/// A result of a custom-call, to be written; it begins with unspecified elements.
#[derive(Debug)]
pub struct HostArrayMut<'a> {
    shape: &'a ArrayShape,
    bytes: &'a mut [u8],
}

impl<'a> HostArray<'a> {
    /// An array in these bytes, which begin where its elements may begin.
    pub fn new(shape: &'a ArrayShape, bytes: &'a [u8]) -> HostArray<'a> {
        HostArray { shape, bytes }
    }

    /// Element type and dimensions.
    pub fn shape(&self) -> &'a ArrayShape {
        self.shape
    }

    /// The elements as bytes, little-endian.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The elements.
    ///
    /// # Errors
    /// They are of another type.
    pub fn as_slice<T: Element>(&self) -> Result<&'a [T], ElementError> {
        array::elements(self.shape, self.bytes)
    }
}

impl<'a> HostArrayMut<'a> {
    /// An array in these bytes, which begin where its elements may begin.
    pub fn new(shape: &'a ArrayShape, bytes: &'a mut [u8]) -> HostArrayMut<'a> {
        HostArrayMut { shape, bytes }
    }

    /// Element type and dimensions.
    pub fn shape(&self) -> &ArrayShape {
        self.shape
    }

    /// The elements as bytes, little-endian.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes
    }

    /// The elements.
    ///
    /// # Errors
    /// They are of another type.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T], ElementError> {
        array::elements_mut(self.shape, self.bytes)
    }
}

static REGISTERED: Mutex<BTreeMap<String, Arc<HostFunction>>> = Mutex::new(BTreeMap::new());

/// Registers a function under a name, for the whole process.
///
/// # Errors
/// The name is taken, is empty, or begins with `lawson.`, as those of the front end itself do.
#[track_caller]
pub fn register(
    name: &str,
    function: impl Fn(&[HostArray<'_>], &mut [HostArrayMut<'_>]) -> Result<(), HostError> + Send + Sync + 'static,
) -> Result<(), Error> {
    let mut known = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    if !is_name(name) || known.contains_key(name) {
        return Err(Error::new(Location::caller(), format!("no function can be registered as {name:?}")));
    }
    known.insert(name.to_string(), Arc::new(function));
    Ok(())
}

/// Whether a function can have that name: those that begin with `lawson.` are the front end's marks.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with("lawson.")
}

/// All functions that are registered, by name.
pub fn registered() -> Vec<(String, Arc<HostFunction>)> {
    let known = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().map(|(name, f)| (name.clone(), f.clone())).collect()
}

/// The function as the interpreter calls it: on copies that begin where elements may begin.
pub fn interpreted(function: Arc<HostFunction>) -> Arc<CustomCallFn> {
    Arc::new(move |operands, shape| {
        let leaves: Vec<&Literal> = operands.iter().flat_map(Value::leaves).collect();
        let copies: Vec<Aligned> = leaves.iter().map(|l| Aligned::copy(l.bytes())).collect();
        let read = leaves.iter().zip(&copies).map(|(l, copy)| HostArray::new(l.shape(), copy.bytes()));
        let shapes = shape.leaves();
        let mut made: Vec<Aligned> =
            shapes.iter().map(|s| Aligned::copy(&vec![0; s.bytes() as usize])).collect();
        let written = shapes.iter().zip(&mut made).map(|(s, to)| HostArrayMut::new(s, to.bytes_mut()));
        function(&read.collect::<Vec<_>>(), &mut written.collect::<Vec<_>>()).map_err(|e| e.to_string())?;
        let mut literals =
            shapes.into_iter().zip(&made).map(|(s, made)| Literal::new(s.clone(), made.bytes()));
        Value::from_leaves(shape, &mut literals).ok_or_else(|| "its result has no arrays".to_string())
    })
}

/// Bytes that begin where an element of any type may begin.
struct Aligned {
    words: Vec<u64>,
    len: usize,
}

impl Aligned {
    fn copy(bytes: &[u8]) -> Aligned {
        let mut copy = Aligned { words: vec![0; bytes.len().div_ceil(8)], len: bytes.len() };
        copy.bytes_mut().copy_from_slice(bytes);
        copy
    }

    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.len]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.len]
    }
}
