//! Signatures of called computations, and the rules for reducers and comparators.

use super::ShapeError;
use super::args::{fail, plural, same_but_precision};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::ids::CompId;
use crate::module::Module;
use crate::shape::Shape;
use std::cell::RefCell;
use std::rc::Rc;

/// Looks up the signatures of computations.
pub(crate) struct Callees<'m> {
    module: &'m Module,
    /// One slot for each computation when signatures are kept, none at all otherwise.
    known: RefCell<Vec<Option<Rc<Signature<'m>>>>>,
}

/// Parameter shapes in number order, and the shape of the root.
pub(crate) struct Signature<'m> {
    pub name: &'m str,
    pub params: Vec<&'m Shape>,
    pub root: &'m Shape,
}

impl<'m> Callees<'m> {
    /// Reads each signature anew; costs nothing to make.
    pub fn on_demand(module: &'m Module) -> Callees<'m> {
        Callees { module, known: RefCell::default() }
    }

    /// Keeps each signature once read.
    pub fn cached(module: &'m Module) -> Callees<'m> {
        Callees { module, known: RefCell::new(vec![None; module.computations.len()]) }
    }

    /// The signature, if the computation exists and is well formed so far.
    pub fn signature(&self, id: CompId) -> Result<Rc<Signature<'m>>, ShapeError> {
        if let Some(Some(known)) = self.known.borrow().get(id.index()) {
            return Ok(known.clone());
        }
        let signature = Rc::new(self.read(id)?);
        if let Some(slot) = self.known.borrow_mut().get_mut(id.index()) {
            *slot = Some(signature.clone());
        }
        Ok(signature)
    }

    fn read(&self, id: CompId) -> Result<Signature<'m>, ShapeError> {
        let Some(comp) = self.module.computations.get(id.index()) else {
            return fail!("calls computation number {}, which does not exist", id.0);
        };
        let name = &*comp.name;
        let Some(root) = comp.instrs.get(comp.root.index()) else {
            return fail!("calls {name}, which has no root");
        };
        let mut params: Vec<(usize, &Shape)> = Vec::new();
        for instr in &comp.instrs {
            if let Attrs::Parameter(n) = instr.attrs {
                params.push((n, &instr.shape));
            }
        }
        params.sort_by_key(|(n, _)| *n);
        if params.iter().enumerate().any(|(i, (n, _))| i != *n) {
            return fail!("calls {name}, whose parameters are not numbered from 0 up");
        }
        Ok(Signature { name, params: params.into_iter().map(|(_, s)| s).collect(), root: &root.shape })
    }
}

impl Signature<'_> {
    /// Refuses another number of parameters.
    pub fn takes(&self, n: usize) -> Result<(), ShapeError> {
        if self.params.len() != n {
            let found = self.params.len();
            return fail!("needs {} to take {n} parameter{}, not {found}", self.name, plural(n));
        }
        Ok(())
    }

    /// Refuses arguments of other shapes than the parameters.
    pub fn accepts(&self, arguments: &[&Shape]) -> Result<(), ShapeError> {
        self.takes(arguments.len())?;
        for (i, (param, arg)) in self.params.iter().zip(arguments).enumerate() {
            if !param.same(arg) {
                return fail!("passes {arg} to parameter {i} of {}, which is {param}", self.name);
            }
        }
        Ok(())
    }

    /// Refuses another result.
    pub fn returns(&self, shape: &Shape) -> Result<(), ShapeError> {
        if !self.root.same(shape) {
            return fail!("needs {} to return {shape}, not {}", self.name, self.root);
        }
        Ok(())
    }

    /// The element types of the results, for a computation that returns `n` scalars (one bare, several as a tuple).
    pub fn scalar_results(&self, n: usize) -> Result<Vec<DType>, ShapeError> {
        let results: Vec<&Shape> = match self.root {
            Shape::Tuple(parts) => parts.iter().collect(),
            other => vec![other],
        };
        let scalars: Option<Vec<DType>> = results.iter().map(|s| scalar(s)).collect();
        match scalars {
            Some(scalars) if scalars.len() == n => Ok(scalars),
            _ => {
                let what = if n == 1 { "one scalar".into() } else { format!("a tuple of {n} scalars") };
                fail!("needs {} to return {what}, not {}", self.name, self.root)
            }
        }
    }

    /// The rule of reducers: 2n scalar parameters, accumulators first, and n scalar results of the accumulators'
    /// types. Inputs and initial values may differ from the accumulator in floating-point precision only.
    /// Gives the accumulator types.
    pub fn reduces(&self, inputs: &[DType], inits: &[DType]) -> Result<Vec<DType>, ShapeError> {
        let n = inputs.len();
        self.takes(2 * n)?;
        let accumulators = self.scalar_results(n)?;
        for (i, &acc) in accumulators.iter().enumerate() {
            if scalar(self.params[i]) != Some(acc) {
                return self.bad_parameter(i, acc);
            }
            let value = self.params[n + i];
            if !scalar(value).is_some_and(|v| same_but_precision(v, acc)) {
                return self.bad_parameter(n + i, acc);
            }
            for (what, dtype) in [("operands", inputs[i]), ("an initial value", inits[i])] {
                if !same_but_precision(dtype, acc) {
                    return fail!("has {what} of {dtype}, which {} takes as {acc}", self.name);
                }
            }
        }
        Ok(accumulators)
    }

    /// The rule of comparators: two scalars of each type, in pairs, and a pred result.
    pub fn compares(&self, dtypes: &[DType]) -> Result<(), ShapeError> {
        self.takes(2 * dtypes.len())?;
        for (i, &dtype) in dtypes.iter().enumerate() {
            for p in [2 * i, 2 * i + 1] {
                if scalar(self.params[p]) != Some(dtype) {
                    return self.bad_parameter(p, dtype);
                }
            }
        }
        self.returns(&Shape::scalar(DType::Pred))
    }

    fn bad_parameter<T>(&self, i: usize, wanted: DType) -> Result<T, ShapeError> {
        fail!("needs parameter {i} of {} to be {wanted}[], not {}", self.name, self.params[i])
    }
}

/// The element type, if this is a scalar.
pub(super) fn scalar(shape: &Shape) -> Option<DType> {
    shape.as_array().filter(|a| a.is_scalar()).map(|a| a.dtype)
}
