//! Host functions behind custom-calls: how a Rust function meets the arrays of a program.

use crate::element::{self, Element};
use crate::error::Error;
use lawson_cpu as cpu;
use lawson_frontend::tensor::custom;
use lawson_hlo::{ArrayShape, Literal, Shape, Value, eval};
use std::sync::Arc;

/// Why a host function failed; `?` makes one of any error, `"text".into()` of text.
pub type HostError = Box<dyn std::error::Error + Send + Sync>;

/// An operand of a custom-call: one array leaf, row-major.
#[derive(Clone, Copy)]
pub struct HostArray<'a> {
    shape: &'a ArrayShape,
    bytes: &'a [u8],
}

/// A result of a custom-call, to be written; it begins with unspecified elements.
pub struct HostArrayMut<'a> {
    shape: &'a ArrayShape,
    bytes: &'a mut [u8],
}

impl<'a> HostArray<'a> {
    /// Element type and dimensions.
    pub fn shape(&self) -> &'a ArrayShape {
        self.shape
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// # Errors
    /// The elements are of another type.
    pub fn as_slice<T: Element>(&self) -> Result<&'a [T], Error> {
        element::read(self.shape, self.bytes)
    }
}

impl HostArrayMut<'_> {
    /// Element type and dimensions.
    pub fn shape(&self) -> &ArrayShape {
        self.shape
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes
    }

    /// # Errors
    /// The elements are of another type.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T], Error> {
        element::write(self.shape, self.bytes)
    }
}

/// The function as the processor's runtime calls it.
pub(crate) fn native<F>(function: F) -> cpu::CustomCall
where
    F: Fn(&[HostArray<'_>], &mut [HostArrayMut<'_>]) -> Result<(), HostError> + Send + Sync + 'static,
{
    Arc::new(move |operands, results, shape| {
        let leaves =
            operands.iter().flat_map(|&(bytes, shape)| shape.leaves().into_iter().map(move |s| (s, bytes)));
        let operands: Vec<HostArray<'_>> = leaves.map(|(shape, bytes)| HostArray { shape, bytes }).collect();
        let leaves = shape.leaves().into_iter().zip(results.iter_mut());
        let mut results: Vec<HostArrayMut<'_>> =
            leaves.map(|(shape, bytes)| HostArrayMut { shape, bytes }).collect();
        function(&operands, &mut results).map_err(|e| e.to_string())
    })
}

/// What a client's programs may call: its own functions, and those that are registered for the whole process.
pub(crate) fn with_registered(own: &Arc<cpu::CustomCalls>) -> Arc<cpu::CustomCalls> {
    let registered = custom::registered();
    if registered.is_empty() {
        return own.clone();
    }
    let mut all = cpu::CustomCalls::clone(own);
    for (name, function) in registered {
        let adapted = move |operands: &[HostArray<'_>], results: &mut [HostArrayMut<'_>]| {
            let operands: Vec<_> =
                operands.iter().map(|a| custom::HostOperand { shape: a.shape, bytes: a.bytes }).collect();
            let mut results: Vec<_> = results
                .iter_mut()
                .map(|a| custom::HostResult { shape: a.shape, bytes: &mut *a.bytes })
                .collect();
            function(&operands, &mut results).map_err(HostError::from)
        };
        all.entry(name).or_insert_with(|| native(adapted));
    }
    Arc::new(all)
}

/// The same function as the interpreter calls it, on copies that begin where elements may begin.
pub(crate) fn interpreted(function: cpu::CustomCall) -> Arc<eval::CustomCallFn> {
    Arc::new(move |operands, shape| {
        let aligned = |bytes: &[u8]| cpu::Buffer::from_slice(bytes).map_err(|e| e.to_string());
        let leaves: Vec<&Literal> = operands.iter().flat_map(|o| o.leaves()).collect();
        let shapes: Vec<Shape> = leaves.iter().map(|l| Shape::Array(l.shape().clone())).collect();
        let read = leaves.iter().map(|l| aligned(l.bytes())).collect::<Result<Vec<_>, _>>()?;
        let read: Vec<(&[u8], &Shape)> = read.iter().map(|b| &b[..]).zip(&shapes).collect();
        let arrays = shape.leaves();
        let results = arrays.iter().map(|a| aligned(&vec![0; a.bytes() as usize]));
        let mut results = results.collect::<Result<Vec<_>, _>>()?;
        let mut written: Vec<&mut [u8]> = results.iter_mut().map(|r| &mut r[..]).collect();
        function(&read, &mut written, shape)?;
        let mut literals =
            arrays.into_iter().zip(&results).map(|(a, bytes)| Literal::new(a.clone(), &bytes[..]));
        Value::from_leaves(shape, &mut literals).ok_or_else(|| "its result has no arrays".to_string())
    })
}
