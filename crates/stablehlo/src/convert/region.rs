//! Regions that operations call, as computations of their own.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Op, Region, ValueId};
use lawson_hlo::{Attrs, CompId, Opcode};
use rustc_hash::FxHashSet;

impl<'p> Frame<'_, 'p> {
    /// The region of that number.
    pub fn region(&self, op: &'p Op, n: usize) -> Result<&'p Region> {
        op.regions.get(n).ok_or_else(|| self.wrong(op, format!("has {} regions", op.regions.len())))
    }

    /// A region whose arguments are parameters, one by one: reducers and comparators.
    pub fn applied(&mut self, op: &'p Op, n: usize) -> Result<CompId> {
        let region = self.region(op, n)?;
        self.cx.deeper(op.place)?;
        let mut frame = Frame::new(self.cx, self.function, self.constants.clone());
        frame.parameters(&region.args, op.place)?;
        let results = frame.ops(region)?;
        frame.cx.depth -= 1;
        Ok(frame.finish(op.short_name(), results))
    }

    /// A region with one parameter: its arguments and the values that it uses from outside, packed. It returns its
    /// results and, if `passed_on`, these values after them.
    pub fn state(
        &mut self,
        op: &'p Op,
        region: &'p Region,
        (name, captures, passed_on): (&str, &[ValueId], bool),
    ) -> Result<CompId> {
        let values = [&region.args, captures].concat();
        let shapes: std::result::Result<Vec<_>, String> =
            values.iter().map(|&v| self.declared(v).cloned()).collect();
        let shape = super::together(shapes.map_err(|why| self.unsupported(op, why))?);
        self.cx.deeper(op.place)?;
        let mut frame = Frame::new(self.cx, self.function, self.constants.clone());
        let state = frame.body.add_shaped(Opcode::Parameter, shape, &[], Attrs::Parameter(0));
        let parts = frame.unpack(op, state, values.len())?;
        values.iter().zip(&parts).for_each(|(&value, &part)| frame.know(value, part));
        let mut results = frame.ops(region)?;
        if passed_on {
            results.extend(&parts[region.args.len()..]);
        }
        frame.cx.depth -= 1;
        Ok(frame.finish(name, results))
    }

    /// The values that regions use from outside, in the order of their first use. Constants are none: each computation
    /// has its own.
    pub fn captures<'r>(&self, regions: impl IntoIterator<Item = &'r Region>) -> Vec<ValueId> {
        let mut walk = Walk::default();
        regions.into_iter().for_each(|r| walk.region(r));
        walk.used.retain(|v| !walk.defined.contains(v) && !self.constants.contains_key(v));
        walk.used
    }
}

#[derive(Default)]
struct Walk {
    defined: FxHashSet<ValueId>,
    seen: FxHashSet<ValueId>,
    used: Vec<ValueId>,
}

impl Walk {
    fn region(&mut self, region: &Region) {
        self.defined.extend(&region.args);
        for op in &region.ops {
            self.defined.extend(&op.results);
            for &operand in &op.operands {
                if self.seen.insert(operand) {
                    self.used.push(operand);
                }
            }
            op.regions.iter().for_each(|r| self.region(r));
        }
    }
}
