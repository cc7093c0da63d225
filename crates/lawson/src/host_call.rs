//! Host functions behind custom-calls, as the processor's runtime calls them.

use lawson_cpu as cpu;
use lawson_frontend::host::{self, HostArray, HostArrayMut, HostFunction};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Host functions by target.
pub(crate) type HostFunctions = BTreeMap<String, Arc<HostFunction>>;

/// The functions as the processor's runtime calls them.
pub(crate) fn native(functions: &HostFunctions) -> cpu::CustomCalls {
    functions.iter().map(|(target, function)| (target.clone(), native_function(function.clone()))).collect()
}

fn native_function(function: Arc<HostFunction>) -> cpu::CustomCall {
    Arc::new(move |operands, results, shape| {
        let leaves =
            operands.iter().flat_map(|&(bytes, shape)| shape.leaves().into_iter().map(move |s| (s, bytes)));
        let operands: Vec<HostArray<'_>> =
            leaves.map(|(shape, bytes)| HostArray::new(shape, bytes)).collect();
        let leaves = shape.leaves().into_iter().zip(results.iter_mut());
        let mut results: Vec<HostArrayMut<'_>> =
            leaves.map(|(shape, bytes)| HostArrayMut::new(shape, bytes)).collect();
        function(&operands, &mut results).map_err(|e| e.to_string())
    })
}

/// What a client's programs may call: its own functions, and those that are registered for the whole process.
pub(crate) fn with_registered(own: &HostFunctions) -> HostFunctions {
    let mut all: HostFunctions = host::registered().into_iter().collect();
    all.extend(own.iter().map(|(name, function)| (name.clone(), function.clone())));
    all
}
