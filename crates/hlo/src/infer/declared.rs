//! Rules of the operations whose shape the text must state.

use super::ShapeError;
use super::args::{Site, fail, in_range, same_dtype};
use super::{collective, elementwise, movement};
use crate::attrs::Attrs;
use crate::opcode::{Class, Opcode};
use crate::shape::{ArrayShape, Shape};

/// Whether this operation's shape must be stated.
pub(super) fn covers(opcode: Opcode) -> bool {
    use Opcode::*;
    match opcode {
        Convert | StochasticConvert | BitcastConvert | Bitcast | Broadcast | Reshape | DynamicReshape => true,
        Parameter | CustomCall | RaggedDot | ScaledDot => true,
        AllReduce | CollectiveBroadcast | PartitionId | ReplicaId => false,
        op => matches!(op.class(), Class::Source | Class::Communication),
    }
}

/// Whether the declared shape is one the operation may have. Errors lack the opcode's name.
pub(super) fn rule(site: &Site, declared: &Shape) -> Result<(), ShapeError> {
    use Opcode::*;
    match site.opcode {
        Convert => elementwise::convert(site, array(declared)?),
        StochasticConvert => elementwise::stochastic_convert(site, array(declared)?),
        BitcastConvert => movement::bitcast_convert(site, array(declared)?),
        Bitcast => movement::bitcast(site, array(declared)?),
        Broadcast => movement::broadcast(site, array(declared)?),
        Reshape => {
            let [x] = site.arrays()?;
            movement::reshape(x, array(declared)?)
        }
        DynamicReshape => movement::dynamic_reshape(site, array(declared)?),
        Parameter => {
            site.operands::<0>()?;
            match site.attrs {
                Attrs::Parameter(_) => Ok(()),
                _ => site.wrong_attrs(),
            }
        }
        Constant => constant(site, declared),
        Iota => iota(site, array(declared)?),
        Rng => rng(site, array(declared)?),
        RngBitGenerator => rng_bit_generator(site, declared),
        RngGetAndUpdateState => rng_state(site, array(declared)?),
        RaggedDot | ScaledDot => array(declared).map(drop),
        AllGather | AllToAll | CollectivePermute | ReduceScatter => collective::rule(site, declared),
        // Custom calls and asynchronous operations may return anything.
        _ => Ok(()),
    }
}

/// An elided literal fits any array.
fn constant(site: &Site, declared: &Shape) -> Result<(), ShapeError> {
    site.operands::<0>()?;
    match site.attrs {
        Attrs::Constant(Some(value)) => {
            let shape = value.shape();
            if !shape.same(declared) {
                return fail!("holds {shape}, not {declared}");
            }
            Ok(())
        }
        Attrs::Constant(None) => Ok(()),
        _ => site.wrong_attrs(),
    }
}

fn iota(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    site.operands::<0>()?;
    let Attrs::Iota(dim) = *site.attrs else { return site.wrong_attrs() };
    if !declared.dtype.is_number() {
        return fail!("counts in numbers, not in pred");
    }
    in_range("iota_dimension", dim, declared.rank())
}

/// `rng(a, b)`: bounds, or mean and deviation, of the declared type.
fn rng(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let arguments: [&ArrayShape; 2] = site.arrays()?;
    let Attrs::Rng(_) = site.attrs else { return site.wrong_attrs() };
    for a in arguments {
        same_dtype(declared, a)?;
        if !a.is_scalar() {
            return fail!("needs scalar arguments, not {a}");
        }
    }
    Ok(())
}

/// `state → (state, bits)`, or the bits alone.
fn rng_bit_generator(site: &Site, declared: &Shape) -> Result<(), ShapeError> {
    let [state] = site.arrays()?;
    let Attrs::RngBitGenerator(_) = site.attrs else { return site.wrong_attrs() };
    if state.rank() > 1 || !(state.dtype.is_u32() || state.dtype.is_u64()) {
        return fail!("needs a state of u32 or u64, not {state}");
    }
    let bits = match declared {
        Shape::Tuple(parts) => match &parts[..] {
            [Shape::Array(new), Shape::Array(bits)] if new.same(state) => bits,
            _ => return fail!("gives the new state and bits, not {declared}"),
        },
        other => array(other)?,
    };
    if !bits.dtype.is_integer() {
        return fail!("makes integer bits, not {bits}");
    }
    Ok(())
}

fn rng_state(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    site.operands::<0>()?;
    if !declared.dtype.is_u64() {
        return fail!("gives u64, not {declared}");
    }
    Ok(())
}

fn array(declared: &Shape) -> Result<&ArrayShape, ShapeError> {
    match declared {
        Shape::Array(a) => Ok(a),
        other => fail!("gives an array, not {other}"),
    }
}
