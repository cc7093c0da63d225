//! Stages of the operations that combine many elements into one.

use super::builder::Builder;
use crate::refusal::Refusal;
use crate::region::{
    FoldOrder, Function, Kind, Node, NodeId, ProductOrder, ScanOrder, SelectAndScatter, Stage,
};
use lawson_hlo::attrs::{CompareOrder, ConvDims, Direction, DotDims, WindowDim};
use lawson_hlo::index::{Affine, linearize};
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Instruction, Opcode, Shape};

impl Builder<'_> {
    /// The stage of an operation that [`super::is_hero`].
    pub(super) fn hero(&mut self, id: InstrId) -> Result<Stage, Refusal> {
        let comp = self.comp;
        let instr = &comp[id];
        match &instr.attrs {
            Attrs::Reduce { dims, to_apply } => self.reduce(instr, dims, *to_apply),
            Attrs::ReduceWindow { window, to_apply } => self.reduce_window(instr, window, *to_apply),
            Attrs::Dot(dims) => self.dot(instr, dims),
            Attrs::Convolution(dims) => self.convolution(instr, dims),
            Attrs::SelectAndScatter { window, select, scatter } => {
                self.select_and_scatter(instr, window, *select, *scatter)
            }
            Attrs::Sort { dim, to_apply, .. } => self.sort(instr, *dim, *to_apply),
            Attrs::TopK { k, largest } => self.top_k(instr, *k, *largest),
            Attrs::Scatter(dims) => self.scatter(instr, dims),
            _ => Err(Refusal::Unsupported { opcode: instr.opcode }),
        }
    }

    fn stage(&self, instr: &Instruction, space: Vec<i64>, inner: Vec<i64>, kind: Kind) -> Stage {
        let leaves = instr.shape.leaves();
        let results = leaves.iter().map(|l| l.dtype).collect();
        let elements = leaves.first().map_or(0, |l| l.elements());
        let (name, opcode) = (instr.name.to_string(), instr.opcode);
        Stage { name, opcode, space, inner, kind, results, elements }
    }

    /// Elements of the operands at `index`, in accumulator types.
    pub(super) fn accumulated(
        &mut self,
        operands: &[InstrId],
        index: &[Affine],
    ) -> Result<Vec<NodeId>, Refusal> {
        operands
            .iter()
            .map(|&x| {
                let v = self.value(x, index)?;
                let accumulator = self.region.dtype(v).accumulator();
                Ok(self.convert(v, accumulator))
            })
            .collect()
    }

    fn reduce(&mut self, instr: &Instruction, dims: &[usize], to_apply: CompId) -> Result<Stage, Refusal> {
        let operand = self.shape(instr.operands[0])?.dims.clone();
        let kept: Vec<usize> = (0..operand.len()).filter(|d| !dims.contains(d)).collect();
        let reduced: Vec<usize> = (0..operand.len()).filter(|d| dims.contains(d)).collect();
        let space: Vec<i64> = kept.iter().map(|&d| operand[d]).collect();
        let inner: Vec<i64> = reduced.iter().map(|&d| operand[d]).collect();
        self.enter(&space, &inner);
        let mut index = vec![Affine::default(); operand.len()];
        kept.iter().chain(&reduced).enumerate().for_each(|(axis, &d)| index[d] = Affine::axis(axis));
        let (operands, inits) = instr.operands.split_at(instr.operands.len() / 2);
        let values = self.accumulated(operands, &index)?;
        let inits = self.accumulated(inits, &[])?;
        let minor = reduced.last().is_some_and(|&d| d + 1 == operand.len());
        let order = if minor { FoldOrder::MinorReduced } else { FoldOrder::MinorKept };
        let combiner = self.function(to_apply, true)?;
        let kind = Kind::Reduce { values, inits, combiner, order, mask: None, stored: Vec::new() };
        Ok(self.stage(instr, space, inner, kind))
    }

    /// The base position of a window position along one dimension, and whether it is an element of the base.
    fn window_position(
        &mut self,
        window: &WindowDim,
        output: &Affine,
        offset: &Affine,
        extent: i64,
    ) -> (Affine, Option<NodeId>) {
        let dilated =
            output.mul(window.stride).add(&offset.mul(window.window_dilation)).add_constant(-window.pad_low);
        let on_element = self.in_range(&dilated.rem(window.base_dilation, &self.space), 0, 1);
        let position = dilated.div(window.base_dilation, &self.space);
        let within = self.in_range(&position, 0, extent);
        let inside = self.and(on_element, within);
        (position, inside)
    }

    fn reduce_window(
        &mut self,
        instr: &Instruction,
        window: &[WindowDim],
        to_apply: CompId,
    ) -> Result<Stage, Refusal> {
        let operand = self.shape(instr.operands[0])?.dims.clone();
        if let Some(dim) = cumulative_dim(window, &operand) {
            return self.scan(instr, &operand, dim, to_apply);
        }
        let space = instr.shape.leaves()[0].dims.clone();
        let inner: Vec<i64> = window.iter().map(|w| w.size).collect();
        self.enter(&space, &inner);
        let mut mask = None;
        let mut index = Vec::new();
        for (d, w) in window.iter().enumerate() {
            let (output, offset) = (Affine::axis(d), Affine::axis(space.len() + d));
            let (position, inside) = self.window_position(w, &output, &offset, operand[d]);
            index.push(position);
            mask = self.and(mask, inside);
        }
        let (operands, inits) = instr.operands.split_at(instr.operands.len() / 2);
        self.guard = mask;
        let values = self.accumulated(operands, &index)?;
        self.guard = None;
        let inits = self.accumulated(inits, &[])?;
        let combiner = self.function(to_apply, true)?;
        let order = FoldOrder::Sequential;
        let kind = Kind::Reduce { values, inits, combiner, order, mask, stored: Vec::new() };
        Ok(self.stage(instr, space, inner, kind))
    }

    /// A window over everything up to each element is a running combination: the same folds, each begun where the
    /// one before ended.
    fn scan(
        &mut self,
        instr: &Instruction,
        dims: &[i64],
        dim: usize,
        to_apply: CompId,
    ) -> Result<Stage, Refusal> {
        let (space, inner, index) = self.enter_along(dims, dim);
        let (operands, inits) = instr.operands.split_at(instr.operands.len() / 2);
        let values = self.accumulated(operands, &index)?;
        let inits = self.accumulated(inits, &[])?;
        let combiner = self.function(to_apply, true)?;
        let kind = Kind::Scan {
            values,
            inits,
            combiner,
            order: ScanOrder::Sequential,
            position: linearize(&index, dims),
        };
        Ok(self.stage(instr, space, inner, kind))
    }

    /// Begins a stage whose inner axis is one dimension and whose space is the others; gives the element index.
    fn enter_along(&mut self, dims: &[i64], dim: usize) -> (Vec<i64>, Vec<i64>, Vec<Affine>) {
        let mut space = dims.to_vec();
        let inner = vec![space.remove(dim)];
        self.enter(&space, &inner);
        let index = (0..dims.len())
            .map(|d| match d.cmp(&dim) {
                std::cmp::Ordering::Less => Affine::axis(d),
                std::cmp::Ordering::Equal => Affine::axis(space.len()),
                std::cmp::Ordering::Greater => Affine::axis(d - 1),
            })
            .collect();
        (space, inner, index)
    }

    fn dot(&mut self, instr: &Instruction, dims: &DotDims) -> Result<Stage, Refusal> {
        let (lhs, rhs) = (instr.operands[0], instr.operands[1]);
        let (l, r) = (self.shape(lhs)?.dims.clone(), self.shape(rhs)?.dims.clone());
        let result = instr.shape.expect_array().clone();
        let free = |rank: usize, a: &[usize], b: &[usize]| -> Vec<usize> {
            (0..rank).filter(|d| !a.contains(d) && !b.contains(d)).collect()
        };
        let lhs_free = free(l.len(), &dims.lhs_batch, &dims.lhs_contracting);
        let rhs_free = free(r.len(), &dims.rhs_batch, &dims.rhs_contracting);
        let inner: Vec<i64> = dims.lhs_contracting.iter().map(|&d| l[d]).collect();
        self.enter(&result.dims, &inner);
        let (mut li, mut ri) = (vec![Affine::default(); l.len()], vec![Affine::default(); r.len()]);
        for (axis, (&a, &b)) in dims.lhs_batch.iter().zip(&dims.rhs_batch).enumerate() {
            (li[a], ri[b]) = (Affine::axis(axis), Affine::axis(axis));
        }
        let first = dims.lhs_batch.len();
        lhs_free.iter().enumerate().for_each(|(n, &d)| li[d] = Affine::axis(first + n));
        let first = first + lhs_free.len();
        rhs_free.iter().enumerate().for_each(|(n, &d)| ri[d] = Affine::axis(first + n));
        let first = result.dims.len();
        for (n, (&a, &b)) in dims.lhs_contracting.iter().zip(&dims.rhs_contracting).enumerate() {
            (li[a], ri[b]) = (Affine::axis(first + n), Affine::axis(first + n));
        }
        self.contract(instr, (lhs, li), (rhs, ri), None, inner)
    }

    fn contract(
        &mut self,
        instr: &Instruction,
        lhs: (InstrId, Vec<Affine>),
        rhs: (InstrId, Vec<Affine>),
        mask: Option<NodeId>,
        inner: Vec<i64>,
    ) -> Result<Stage, Refusal> {
        let result = instr.shape.expect_array().clone();
        let (dtype, other) = (self.shape(lhs.0)?.dtype, self.shape(rhs.0)?.dtype);
        let accumulator = DType::product_accumulator(dtype, other, result.dtype);
        let zero = self.constant(dtype, 0);
        // Padding is zeros, as the language says, not terms left out.
        let l = self.piece(mask, |cx| cx.value(lhs.0, &lhs.1), |_| Ok(zero))?;
        let l = self.convert(l, accumulator);
        let r = self.value(rhs.0, &rhs.1)?;
        let r = self.convert(r, accumulator);
        let order = ProductOrder::Sequential;
        let kind = Kind::Contract { lhs: l, rhs: r, accumulator, order, semiring: None };
        Ok(self.stage(instr, result.dims, inner, kind))
    }

    fn convolution(&mut self, instr: &Instruction, dims: &ConvDims) -> Result<Stage, Refusal> {
        let (lhs, rhs) = (instr.operands[0], instr.operands[1]);
        let (l, r) = (self.shape(lhs)?.dims.clone(), self.shape(rhs)?.dims.clone());
        let space = self.shape_of(&instr.shape)?.dims.clone();
        let features = r[dims.kernel_input_feature];
        let mut inner: Vec<i64> = dims.window.iter().map(|w| w.size).collect();
        inner.push(features);
        self.enter(&space, &inner);
        let feature = Affine::axis(space.len() + dims.window.len());
        let out_feature = Affine::axis(dims.output_feature);
        let outputs = space[dims.output_feature];
        let group = |groups: i64, cx: &Self| out_feature.div((outputs / groups.max(1)).max(1), &cx.space);
        let mut li = vec![Affine::default(); l.len()];
        let mut ri = vec![Affine::default(); r.len()];
        li[dims.input_feature] = group(dims.feature_group_count, self).mul(features).add(&feature);
        let batch = l[dims.input_batch] / dims.batch_group_count.max(1);
        li[dims.input_batch] = match dims.batch_group_count {
            1 => Affine::axis(dims.output_batch),
            groups => group(groups, self).mul(batch).add(&Affine::axis(dims.output_batch)),
        };
        ri[dims.kernel_input_feature] = feature;
        ri[dims.kernel_output_feature] = out_feature.clone();
        let mut mask = None;
        for (n, w) in dims.window.iter().enumerate() {
            let (output, offset) = (Affine::axis(dims.output_spatial[n]), Affine::axis(space.len() + n));
            let extent = l[dims.input_spatial[n]];
            let (position, inside) = self.window_position(w, &output, &offset, extent);
            li[dims.input_spatial[n]] = position;
            // Reversal turns the kernel: the position walks up, the kernel index down.
            ri[dims.kernel_spatial[n]] = match w.reversal {
                true => Affine::constant(w.size - 1).sub(&offset),
                false => offset,
            };
            mask = self.and(mask, inside);
        }
        self.contract(instr, (lhs, li), (rhs, ri), mask, inner)
    }

    pub(super) fn shape_of<'s>(&self, shape: &'s Shape) -> Result<&'s ArrayShape, Refusal> {
        shape.as_array().ok_or(Refusal::Host { opcode: Opcode::Tuple })
    }

    fn select_and_scatter(
        &mut self,
        instr: &Instruction,
        window: &[WindowDim],
        select: CompId,
        scatter: CompId,
    ) -> Result<Stage, Refusal> {
        let [operand, source, init] = instr.operands[..] else {
            return Err(Refusal::Unsupported { opcode: instr.opcode });
        };
        let dims = self.shape(operand)?.dims.clone();
        let space = self.shape(source)?.dims.clone();
        let inner: Vec<i64> = window.iter().map(|w| w.size).collect();
        self.enter(&space, &inner);
        let mut mask = None;
        let mut index = Vec::new();
        for (d, w) in window.iter().enumerate() {
            let (output, offset) = (Affine::axis(d), Affine::axis(space.len() + d));
            let (position, inside) = self.window_position(w, &output, &offset, dims[d]);
            index.push(position);
            mask = self.and(mask, inside);
        }
        self.guard = mask;
        let element = self.value(operand, &index)?;
        self.guard = None;
        let point: Vec<Affine> = (0..space.len()).map(Affine::axis).collect();
        let value = self.value(source, &point)?;
        let init = self.value(init, &[])?;

        let kind = Kind::SelectAndScatter(Box::new(SelectAndScatter {
            operand: element,
            mask,
            offset: linearize(&index, &dims),
            value,
            init,
            select: self.function(select, false)?,
            scatter: self.function(scatter, false)?,
            dims,
        }));
        Ok(self.stage(instr, space, inner, kind))
    }

    fn sort(&mut self, instr: &Instruction, dim: usize, to_apply: CompId) -> Result<Stage, Refusal> {
        let dims = self.shape(instr.operands[0])?.dims.clone();
        let (space, inner, index) = self.enter_along(&dims, dim);
        let values =
            instr.operands.iter().map(|&x| self.value(x, &index)).collect::<Result<Vec<_>, Refusal>>()?;
        let less = self.function(to_apply, false)?;
        let kind = Kind::Sort { values, less, kept: dims[dim], position: linearize(&index, &dims) };
        Ok(self.stage(instr, space, inner, kind))
    }

    /// Sorts the elements with their places by the elements alone, floats in total order, and keeps the first.
    fn top_k(&mut self, instr: &Instruction, k: i64, largest: bool) -> Result<Stage, Refusal> {
        let mut dims = self.shape(instr.operands[0])?.dims.clone();
        let dim = dims.len() - 1;
        let (space, inner, index) = self.enter_along(&dims, dim);
        let x = self.value(instr.operands[0], &index)?;
        let dtype = self.region.dtype(x);
        let place = self.region.add(Node::Index(index[dim].clone()), DType::S32);
        let [a, b] = [0, 1].map(|n| self.region.add(Node::Argument(n), dtype));
        let direction = if largest { Direction::Gt } else { Direction::Lt };
        let order = if dtype.is_float() { CompareOrder::TotalOrder } else { CompareOrder::Default };
        let before = self.region.add(Node::Compare { direction, order, dtype, x: a, y: b }, DType::Pred);
        let arguments = vec![dtype, dtype, DType::S32, DType::S32];
        let less = Function { arguments, results: vec![before] };
        dims[dim] = k;
        let position = linearize(&index, &dims);
        let kind = Kind::Sort { values: vec![x, place], less, kept: k, position };
        Ok(self.stage(instr, space, inner, kind))
    }
}

/// The dimension along which a window is everything up to each element, if it is no window elsewhere.
pub fn cumulative_dim(window: &[WindowDim], operand: &[i64]) -> Option<usize> {
    let mut long = (0..window.len()).filter(|&d| window[d].size > 1);
    let (dim, other) = (long.next()?, long.next());
    let w = &window[dim];
    let cumulative = WindowDim { pad_low: operand[dim] - 1, ..WindowDim::of_size(operand[dim]) };
    let plain = |d: usize| d == dim || window[d] == WindowDim::of_size(1);
    (other.is_none() && *w == cumulative && (0..window.len()).all(plain)).then_some(dim)
}
