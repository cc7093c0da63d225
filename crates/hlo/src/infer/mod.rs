//! Shape rules: which operands and attributes each operation takes, and the shape of its result.
//!
//! Two questions, one set of rules. [`infer`] computes the result shape where operands and attributes determine
//! it; [`check`] also covers the operations whose text must state the shape (constant, reshape, broadcast …) and
//! says whether a stated shape is right. Rules never panic and never overflow, whatever module they are shown.
//! Messages start with the opcode and name the dimension, operand or attribute at fault.

mod args;
mod callee;
mod collective;
mod contraction;
mod control;
mod declared;
mod elementwise;
mod gather;
mod library;
mod movement;
mod reduction;
mod slicing;
mod window;

pub(crate) use callee::Callees;

use crate::attrs::Attrs;
use crate::limits;
use crate::module::Module;
use crate::opcode::{Class, Opcode};
use crate::shape::Shape;
use args::{Site, fail};

/// A broken shape rule, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShapeError(pub String);

/// The shape (without layout) of an operation whose operands and attributes determine it.
///
/// An operation whose shape must be stated (parameter, constant, iota, reshape, convert, broadcast …) is an error
/// that says so. A dot or convolution gets the element type of its operands; [`check`] accepts a wider one.
pub fn infer(
    module: &Module,
    opcode: Opcode,
    attrs: &Attrs,
    operands: &[&Shape],
) -> Result<Shape, ShapeError> {
    Site { callees: &Callees::on_demand(module), opcode, attrs, operands }.infer()
}

/// Whether `declared` is a right shape for the operation, and the operation itself is well formed.
pub fn check(
    module: &Module,
    opcode: Opcode,
    attrs: &Attrs,
    operands: &[&Shape],
    declared: &Shape,
) -> Result<(), ShapeError> {
    check_with(&Callees::on_demand(module), opcode, attrs, operands, declared)
}

/// Whether the text must state the shape of this operation, because operands and attributes do not determine it.
pub fn must_be_declared(opcode: Opcode) -> bool {
    declared::covers(opcode)
}

/// [`check`] with the signatures of called computations at hand: the verifier asks for each of them many times.
pub(crate) fn check_with(
    callees: &Callees,
    opcode: Opcode,
    attrs: &Attrs,
    operands: &[&Shape],
    declared: &Shape,
) -> Result<(), ShapeError> {
    Site { callees, opcode, attrs, operands }.check(declared)
}

impl Site<'_, '_> {
    fn infer(&self) -> Result<Shape, ShapeError> {
        if declared::covers(self.opcode) {
            return fail!("`{}` needs its shape stated", self.opcode);
        }
        let inferred = self.bounded().and_then(|()| self.rule()).map_err(|e| self.named(e))?;
        Ok(inferred.without_layout())
    }

    fn check(&self, declared: &Shape) -> Result<(), ShapeError> {
        if declared::covers(self.opcode) {
            return declared::rule(self, declared).map_err(|e| self.named(e));
        }
        let inferred = self.bounded().and_then(|()| self.rule()).map_err(|e| self.named(e))?;
        let fits = match self.opcode {
            Opcode::Dot | Opcode::Convolution => contraction::result_fits(&inferred, declared),
            Opcode::Scan => reduction::scan_fits(&inferred, declared),
            _ => inferred.same(declared),
        };
        if !fits {
            return fail!("`{}` gives {}, not {declared}", self.name(), inferred.without_layout());
        }
        Ok(())
    }

    fn named(&self, e: ShapeError) -> ShapeError {
        ShapeError(format!("`{}` {}", self.name(), e.0))
    }

    /// What the text calls the operation.
    fn name(&self) -> &'static str {
        match self.attrs {
            Attrs::Linalg(routine) => routine.target(),
            _ => self.opcode.name(),
        }
    }

    /// Refuses tuples that grow beyond all measure. Taking one element apart makes nothing larger and must stay
    /// cheap: there are as many of these instructions as elements.
    fn bounded(&self) -> Result<(), ShapeError> {
        if self.opcode == Opcode::GetTupleElement || self.operands.iter().all(|s| s.as_array().is_some()) {
            return Ok(());
        }
        limits::nesting(self.operands.iter().copied()).map_err(ShapeError)
    }

    /// The rule of each opcode that has one. Errors lack the opcode's name.
    fn rule(&self) -> Result<Shape, ShapeError> {
        use Opcode::*;
        match self.opcode {
            Compare => elementwise::compare(self),
            Complex => elementwise::complex(self),
            Clamp => elementwise::clamp(self),
            Select => elementwise::select(self),
            Map => elementwise::map(self),
            ReducePrecision => elementwise::reduce_precision(self),
            Copy => control::same_as_operand(self),

            Transpose => movement::transpose(self),
            Reverse => movement::reverse(self),
            BitReverse => movement::bit_reverse(self),
            Concatenate => movement::concatenate(self),
            GetDimensionSize => movement::get_dimension_size(self),
            SetDimensionSize => movement::set_dimension_size(self),
            Slice => slicing::slice(self),
            DynamicSlice => slicing::dynamic_slice(self),
            DynamicUpdateSlice => slicing::dynamic_update_slice(self),
            Pad => slicing::pad(self),
            Gather => gather::gather(self),
            Scatter => gather::scatter(self),

            Dot => contraction::dot(self),
            Convolution => contraction::convolution(self),
            Reduce => reduction::reduce(self),
            Sort => reduction::sort(self),
            TopK => reduction::top_k(self),
            Scan => reduction::scan(self),
            BatchNormTraining | BatchNormInference | BatchNormGrad => reduction::batch_norm(self),
            ReduceWindow => window::reduce_window(self),
            SelectAndScatter => window::select_and_scatter(self),

            Call | Fusion => control::call(self),
            While => control::while_loop(self),
            Conditional => control::conditional(self),
            Tuple => Ok(Shape::Tuple(self.operands.iter().map(|s| s.without_layout()).collect())),
            GetTupleElement => control::get_tuple_element(self),
            OptimizationBarrier => control::barrier(self),
            AddDependency => control::add_dependency(self),
            AfterAll => control::after_all(self),
            Domain => control::same_as_operand(self),

            Cholesky => library::cholesky(self),
            TriangularSolve => library::triangular_solve(self),
            Fft => library::fft(self),
            Linalg => library::linalg(self),
            Ntt => library::ntt(self),
            AllReduce | CollectiveBroadcast => control::barrier(self),
            PartitionId | ReplicaId => library::device_number(self),

            op => match op.class() {
                Class::Unary => elementwise::unary(self),
                Class::Binary => elementwise::binary(self),
                _ => fail!("needs its shape stated"),
            },
        }
    }
}

#[cfg(test)]
mod tests;
