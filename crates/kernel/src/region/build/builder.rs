//! Building the expressions of a stage: loads, constants and operations that every kind of instruction needs.

use super::memo::Memo;
use super::while_loop::state::State;
use crate::refusal::Refusal;
use crate::region::{Array, Function, Node, NodeId, Region, Source};
use lawson_hlo::index::{Affine, Space, linearize};
use lawson_hlo::{ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode};
use rustc_hash::FxHashMap;

/// An output: an instruction, and which of its results.
pub(super) type Output = (InstrId, u32);

pub(super) struct Builder<'a> {
    pub(super) module: &'a Module,
    pub(super) comp: &'a Computation,
    pub(super) region: &'a mut Region,
    pub(super) inputs: FxHashMap<InstrId, u32>,
    pub(super) stages: FxHashMap<InstrId, u32>,
    /// Expressions of the stage being built.
    pub(super) memo: Memo,
    /// Axes of the stage being built, and all symbols.
    pub(super) space: Space,
    /// Where this does not hold, nothing is loaded: the element lies outside its array.
    pub(super) guard: Option<NodeId>,
    /// Whether f16 and bf16 are computed in f32, as combiners of reductions are.
    pub(super) promote: bool,
    /// Whether this is the body of a combiner, whose parameters are its arguments.
    pub(super) in_function: bool,
    /// Whether values that several stages need are computed in each of them.
    pub(super) repeats: bool,
    /// Choices between pieces by an index, so far.
    pub(super) pieces: usize,
    /// Inside a loop kernel, its loops.
    pub(super) state: Option<Box<State<'a>>>,
}

pub(super) fn array_of(name: &str, shape: &ArrayShape) -> Array {
    Array { name: name.to_string(), dtype: shape.dtype, elements: shape.elements() }
}

pub(super) fn host(instr: &Instruction) -> Refusal {
    match instr.opcode {
        Opcode::OptimizationBarrier => Refusal::Barrier,
        opcode => Refusal::Host { opcode },
    }
}

/// Up to so many instructions a dense table over the computation is faster than a hash map.
pub(super) const SMALL: usize = 1024;

/// Operations that become stages of their own.
pub fn is_hero(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Reduce
            | ReduceWindow
            | Dot
            | Convolution
            | Scatter
            | Sort
            | TopK
            | SelectAndScatter
            | DynamicUpdateSlice
    )
}

impl Builder<'_> {
    /// The type in which values of `dtype` are computed here.
    pub(super) fn working(&self, dtype: DType) -> DType {
        if self.promote { dtype.accumulator() } else { dtype }
    }

    pub(super) fn outputs(&self, roots: &[InstrId]) -> Result<Vec<Output>, Refusal> {
        let mut outputs = Vec::new();
        for &root in roots {
            let instr = &self.comp[root];
            if instr.opcode == Opcode::Tuple {
                outputs.extend(self.outputs(&instr.operands)?);
            } else {
                let results = instr.shape.leaves().len() as u32;
                outputs.extend((0..results).map(|r| (root, r)));
            }
        }
        Ok(outputs)
    }

    /// The stage result an instruction is, directly or as the element of a multi-result operation.
    pub(super) fn stage_result(&self, id: InstrId, result: u32) -> Option<(u32, u32)> {
        let instr = &self.comp[id];
        if self.inputs.contains_key(&id) {
            return None;
        }
        if let (Opcode::GetTupleElement, Attrs::TupleIndex(i)) = (instr.opcode, &instr.attrs) {
            return Some((*self.stages.get(&instr.operands[0])?, *i as u32));
        }
        Some((*self.stages.get(&id)?, result))
    }

    /// Begins a stage over these axes.
    pub(super) fn enter(&mut self, space: &[i64], inner: &[i64]) {
        self.memo.clear();
        self.guard = None;
        self.space.axes = space.iter().chain(inner).map(|&n| (0, (n - 1).max(0))).collect();
    }

    pub(super) fn shape(&self, id: InstrId) -> Result<&ArrayShape, Refusal> {
        let instr = &self.comp[id];
        instr.shape.as_array().ok_or_else(|| host(instr))
    }

    /// A load of the element at `index`, guarded unless the index is always in range.
    pub(super) fn load(&mut self, source: Source, dtype: DType, dims: &[i64], index: &[Affine]) -> NodeId {
        let inside = |(i, &n): (&Affine, &i64)| {
            let (lo, hi) = i.range(&self.space);
            lo >= 0 && hi < n
        };
        let mask = if index.iter().zip(dims).all(inside) { None } else { self.guard };
        let offset = linearize(index, dims);
        let node = self.region.add(Node::Load { source, offset, mask }, dtype);
        let working = self.working(dtype);
        self.convert(node, working)
    }

    pub(super) fn constant(&mut self, dtype: DType, bits: u64) -> NodeId {
        self.region.add(Node::Constant { bits: [bits, 0, 0, 0] }, dtype)
    }

    pub(super) fn binary(&mut self, opcode: Opcode, x: NodeId, y: NodeId) -> NodeId {
        let dtype = self.region.dtype(x);
        self.region.add(Node::Binary { opcode, dtype, x, y }, dtype)
    }

    pub(super) fn convert(&mut self, x: NodeId, to: DType) -> NodeId {
        let from = self.region.dtype(x);
        if from == to { x } else { self.region.add(Node::Convert { from, x }, to) }
    }

    /// The conjunction of two conditions; `None` is true.
    pub(super) fn not(&mut self, x: NodeId) -> NodeId {
        self.region.add(Node::Unary { opcode: Opcode::Not, dtype: DType::Pred, x }, DType::Pred)
    }

    pub(super) fn and(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        match (a, b) {
            (Some(a), _) if self.never_holds(a) => Some(a),
            (_, Some(b)) if self.never_holds(b) => Some(b),
            (Some(a), Some(b)) if a != b => Some(self.binary(Opcode::And, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// `lo <= value < hi`, or `None` where it always holds.
    pub(super) fn in_range(&mut self, value: &Affine, lo: i64, hi: i64) -> Option<NodeId> {
        let (min, max) = value.range(&self.space);
        if min >= hi || max < lo {
            return Some(self.constant(DType::Pred, 0));
        }
        (min < lo || max >= hi)
            .then(|| self.region.add(Node::InRange { value: value.clone(), lo, hi }, DType::Pred))
    }

    /// Whether a condition is the constant `false`.
    pub(super) fn never_holds(&self, condition: NodeId) -> bool {
        *self.region.node(condition) == Node::Constant { bits: [0; 4] }
    }

    /// The function of a called computation, with f16 and bf16 in f32 if `promote`.
    pub(super) fn function(&mut self, computation: CompId, promote: bool) -> Result<Function, Refusal> {
        let comp = &self.module[computation];
        let mut cx = Builder {
            module: self.module,
            comp,
            region: self.region,
            inputs: FxHashMap::default(),
            stages: FxHashMap::default(),
            memo: Memo::default(),
            space: Space::default(),
            guard: None,
            promote,
            in_function: true,
            repeats: false,
            pieces: 0,
            state: None,
        };
        let mut arguments = Vec::new();
        for shape in comp.parameter_shapes() {
            let array = shape.as_array().ok_or(Refusal::Host { opcode: Opcode::Tuple })?;
            arguments.push(cx.working(array.dtype));
        }
        let outputs = cx.outputs(&[comp.root])?;
        let mut results = Vec::new();
        for (id, _) in outputs {
            let index = vec![Affine::constant(0); cx.shape(id)?.rank()];
            results.push(cx.value(id, &index)?);
        }
        Ok(Function { arguments, results })
    }
}
