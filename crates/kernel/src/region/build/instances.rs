//! Which dimensions of a loop's state are lanes: those along which every trip stays at its own index.
//!
//! Dimensions that an operation keeps side by side form one class. A class is *crossed* where an operation leaves
//! its index: a slice, a concatenation, a reduction along it. The uncrossed dimensions of the largest part of the
//! state are the lanes; all other dimensions are components, to be unrolled. What is proposed here is checked when
//! the expressions are built: a read of the state off its lane is refused there.

use super::scatter_dims::operand_dims;
use super::while_loop::parts::{Part, Parts};
use super::while_loop::scopes::{OUTER, body};
use crate::refusal::Refusal;
use lawson_hlo::attrs::{DotDims, GatherDims, ScatterDims, WindowDim};
use lawson_hlo::index::common_factors;
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

/// Scalars of state that a lane may have.
pub(super) const MAX_STATE: i64 = 64;

/// The lane axes, and for each dimension of each value which of them it is.
pub(super) struct Instances {
    pub extents: Vec<i64>,
    axes: Vec<u32>,
    classes: Classes,
}

struct Classes {
    parent: Vec<u32>,
    /// The operation that crosses the class.
    crossed: Vec<Option<Opcode>>,
    extents: Vec<i64>,
    /// For each scope and instruction its first dimension.
    first: Vec<Vec<u32>>,
    /// For each loop and element of its state its first dimension.
    state: Vec<Vec<u32>>,
}

impl Instances {
    /// # Errors
    /// The operation that leaves too many scalars for each lane.
    pub fn find(parts: &Parts<'_>) -> Result<Instances, Refusal> {
        let mut classes = Classes::new(parts);
        for scope in parts.scopes() {
            let depends = parts.depends(scope);
            for (id, instr) in parts.comp(scope).iter() {
                if depends[id.index()] && parts.is_of_lanes(scope, id) {
                    classes.relate(parts, scope, id, instr, depends);
                }
            }
        }
        for (n, part) in parts.loops.iter().enumerate() {
            for element in (0..part.next.len()).filter(|&e| part.stacking[e].as_ref().is_none_or(|s| s.kept))
            {
                let (state, rank) = (classes.state[n][element], parts.dims(n, element).len());
                let (next, init) = (part.next[element].index(), part.inits[element].index());
                if part.changes[element] && parts.depends(body(n))[next] {
                    classes.join_all(state, classes.first[body(n)][next], rank);
                }
                if parts.depends(part.scope)[init] {
                    classes.join_all(state, classes.first[part.scope][init], rank);
                }
            }
        }
        classes.cross_repeated(parts);
        let carried: Vec<Vec<usize>> = parts
            .loops
            .iter()
            .map(|part| (0..part.next.len()).filter(|&e| part.has_lanes(e)).collect())
            .collect();
        let rests = |n: usize, e: usize| parts.depends(body(n))[parts.loops[n].next[e].index()];
        let mut best: Vec<u32> = Vec::new();
        let mut most = 1;
        // What rests on nothing that changes suits any lanes. A loop around others has the lanes, if it has any.
        for (n, suits_any) in (0..carried.len()).flat_map(|n| [(n, false), (n, true)]) {
            if !best.is_empty() {
                break;
            }
            for &element in carried[n].iter().filter(|&&e| rests(n, e) != suits_any) {
                let open = classes.open(classes.state[n][element], parts.dims(n, element).len());
                let elements: i64 = open.iter().map(|&d| classes.extents[d as usize]).product();
                if elements > most {
                    (best, most) = (open, elements);
                }
            }
        }
        for (n, elements) in carried.iter().enumerate() {
            for &element in elements {
                classes.adopt(classes.state[n][element], parts.dims(n, element).len(), &best);
            }
        }
        let extents = best.iter().map(|&d| classes.extents[d as usize]).collect();
        let axes = best.iter().map(|&d| classes.root(d)).collect();
        let lanes = Instances { extents, axes, classes };
        lanes.check_size(parts)?;
        Ok(lanes)
    }

    /// For each dimension of a value that does not rest on the loop a lane axis that is as long: any will do.
    pub fn of_free(&self, dims: &[i64]) -> Vec<Option<usize>> {
        let mut from = 0;
        let next = |&extent: &i64| {
            let found = (from..self.extents.len()).find(|&a| self.extents[a] == extent)?;
            from = found + 1;
            Some(found)
        };
        dims.iter().map(next).collect()
    }

    /// The scalars of a loop and those around it live at once.
    fn check_size(&self, parts: &Parts<'_>) -> Result<(), Refusal> {
        let mut of_loops: Vec<i64> = Vec::new();
        for (n, part) in parts.loops.iter().enumerate() {
            let mut scalars = if n == 0 { 0 } else { of_loops[part.around] };
            for element in (0..part.next.len()).filter(|&e| part.in_lanes(e)) {
                let dims = parts.dims(n, element);
                let axes = self.of_state(n, element, dims.len());
                let components = axes.iter().zip(dims).filter(|(a, _)| a.is_none());
                scalars = scalars.saturating_add(components.map(|(_, &e)| e).product::<i64>().max(1));
                if scalars <= MAX_STATE {
                    continue;
                }
                let first = self.classes.state[n][element];
                let roots = (0..dims.len() as u32).map(|d| self.classes.root(first + d));
                return Err(match roots.filter_map(|d| self.classes.crossed[d as usize]).next() {
                    Some(opcode) => Refusal::CrossLane { opcode },
                    None => Refusal::LargeState { scalars, limit: MAX_STATE },
                });
            }
            of_loops.push(scalars);
        }
        Ok(())
    }

    /// The elements that a lane has at most of one of the arrays that trips update where they lie; `None` if there are none.
    pub fn most_updated(&self, parts: &Parts<'_>) -> Option<i64> {
        let all = parts.loops.iter().enumerate().flat_map(|(n, part)| {
            part.updated.iter().enumerate().filter(|(_, u)| u.is_some()).map(move |(e, _)| (n, e))
        });
        let of = |(n, e)| {
            let dims = parts.dims(n, e);
            let axes = self.of_state(n, e, dims.len());
            let own = dims.iter().zip(axes).filter(|(_, axis)| axis.is_none());
            own.fold(1i64, |all, (&extent, _)| all.saturating_mul(extent))
        };
        all.map(of).max()
    }

    /// How many axes the lanes have.
    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// For each dimension of an element of the state of a loop the lane axis it is.
    pub fn of_state(&self, n: usize, element: usize, rank: usize) -> Vec<Option<usize>> {
        self.of_dims(self.classes.state[n][element], rank)
    }

    /// For each dimension of a value the lane axis it is.
    pub fn of(&self, scope: usize, id: InstrId, rank: usize) -> Vec<Option<usize>> {
        self.of_dims(self.classes.first[scope][id.index()], rank)
    }

    fn of_dims(&self, first: u32, rank: usize) -> Vec<Option<usize>> {
        let roots = (0..rank as u32).map(|d| self.classes.root(first + d));
        roots.map(|root| self.axes.iter().position(|&a| a == root)).collect()
    }
}

impl Classes {
    fn new(parts: &Parts<'_>) -> Classes {
        let mut extents = Vec::new();
        let mut add = |dims: &[i64]| {
            extents.extend(dims);
            (extents.len() - dims.len()) as u32
        };
        // The results of a reduction are of one size.
        let mut dims = |instr: &Instruction| match (&instr.shape, instr.opcode) {
            (Shape::Array(array), _) => add(&array.dims),
            (shape, Opcode::Reduce | Opcode::ReduceWindow) => {
                add(shape.leaves().first().map_or(&[], |l| &l.dims))
            }
            _ => add(&[]),
        };
        let first = parts.scopes().map(|s| parts.comp(s).instrs.iter().map(&mut dims).collect()).collect();
        let of_loop = |(n, part): (usize, &Part)| {
            (0..part.next.len()).map(|element| add(parts.dims(n, element))).collect()
        };
        let state = parts.loops.iter().enumerate().map(of_loop).collect();
        let parent = (0..extents.len() as u32).collect();
        let crossed = vec![None; extents.len()];
        Classes { parent, crossed, extents, first, state }
    }

    fn root(&self, mut d: u32) -> u32 {
        while self.parent[d as usize] != d {
            d = self.parent[d as usize];
        }
        d
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent[a as usize] = b;
            self.crossed[b as usize] = self.crossed[b as usize].or(self.crossed[a as usize]);
        }
    }

    fn join_all(&mut self, a: u32, b: u32, rank: usize) {
        (0..rank as u32).for_each(|d| self.join(a + d, b + d));
    }

    /// Gives open dimensions that no lane is related to the lane of their length, which suits them as well as any.
    fn adopt(&mut self, first: u32, rank: usize, lanes: &[u32]) {
        let mut free: Vec<u32> = lanes.to_vec();
        let open = self.open(first, rank);
        free.retain(|&l| open.iter().all(|&d| self.root(d) != self.root(l)));
        for d in open {
            let same = free.iter().position(|&l| self.extents[l as usize] == self.extents[d as usize]);
            if lanes.iter().all(|&l| self.root(l) != self.root(d))
                && let Some(at) = same
            {
                self.join(d, free.remove(at));
            }
        }
    }

    fn cross(&mut self, d: u32, opcode: Opcode) {
        let root = self.root(d) as usize;
        self.crossed[root] = self.crossed[root].or(Some(opcode));
    }

    /// The dimensions that are longer than one and not crossed.
    fn open(&self, first: u32, rank: usize) -> Vec<u32> {
        let dims = (0..rank as u32).map(|d| first + d).filter(|&d| self.extents[d as usize] > 1);
        dims.filter(|&d| self.crossed[self.root(d) as usize].is_none()).collect()
    }

    /// A lane stands once in each value.
    fn cross_repeated(&mut self, parts: &Parts<'_>) {
        let mut values: Vec<(u32, usize, Opcode)> = Vec::new();
        for scope in parts.scopes().filter(|&s| s != OUTER) {
            let depends = parts.depends(scope);
            for (id, instr) in parts.comp(scope).iter().filter(|(id, _)| depends[id.index()]) {
                let rank = instr.shape.as_array().map_or(0, |a| a.rank());
                values.push((self.first[scope][id.index()], rank, instr.opcode));
            }
        }
        for (first, rank, opcode) in values {
            for (a, b) in (0..rank as u32).flat_map(|a| (0..a).map(move |b| (first + a, first + b))) {
                if self.root(a) == self.root(b) {
                    self.cross(a, opcode);
                }
            }
        }
    }

    /// Joins the dimensions an operation keeps side by side, crosses those it does not.
    fn relate(
        &mut self,
        parts: &Parts<'_>,
        scope: usize,
        id: InstrId,
        instr: &Instruction,
        depends: &[bool],
    ) {
        let leaves = instr.shape.leaves();
        let result = match (instr.opcode, leaves.first()) {
            (Opcode::Reduce | Opcode::ReduceWindow, Some(first)) => *first,
            _ if instr.shape.as_array().is_none() => return,
            (_, first) => first.expect("an array"),
        };
        let to = self.first[scope][id.index()];
        if let Some((n, element)) = parts.element_read(scope, id) {
            return self.join_all(self.state[n][element], to, result.rank());
        }
        let comp = parts.comp(scope);
        let opcode = instr.opcode;
        for (position, &operand) in instr.operands.iter().enumerate() {
            if opcode == Opcode::GetTupleElement {
                let from = self.first[scope][operand.index()];
                self.join_all(from, to, result.rank());
                continue;
            }
            let Some(array) = comp[operand].shape.as_array() else { continue };
            let rank = array.rank();
            if !depends[operand.index()] || rank == 0 {
                continue;
            }
            let from = self.first[scope][operand.index()];
            match &instr.attrs {
                _ if is_elementwise(opcode) && rank == result.rank() => self.join_all(from, to, rank),
                Attrs::Dims(dims) if opcode == Opcode::Broadcast => {
                    dims.iter().enumerate().for_each(|(n, &d)| self.join(from + n as u32, to + d as u32))
                }
                Attrs::Dims(dims) if opcode == Opcode::Transpose => {
                    dims.iter().enumerate().for_each(|(n, &d)| self.join(from + d as u32, to + n as u32))
                }
                Attrs::Dims(dims) if matches!(opcode, Opcode::Concatenate | Opcode::Reverse) => {
                    self.side_by_side(from, to, rank, opcode, |d| !dims.contains(&d))
                }
                Attrs::Slice(_) | Attrs::DynamicSlice(_) if position == 0 => {
                    let whole: Vec<bool> = array.dims.iter().zip(&result.dims).map(|(a, b)| a == b).collect();
                    self.side_by_side(from, to, rank, opcode, |d| whole[d])
                }
                Attrs::Pad(dims) if position == 0 => {
                    let plain = |d: usize| (dims[d].low, dims[d].high, dims[d].interior) == (0, 0, 0);
                    self.side_by_side(from, to, rank, opcode, plain)
                }
                Attrs::ReduceWindow { window, .. } => {
                    self.side_by_side(from, to, rank, opcode, |d| window[d] == WindowDim::of_size(1))
                }
                Attrs::Dot(dims) => self.dot(dims, (position == 1, from, rank), (to, result.rank())),
                Attrs::Reduce { dims, .. } => {
                    let mut kept = 0;
                    for d in 0..rank {
                        match dims.contains(&d) {
                            true if parts.is_any(scope, id) => {}
                            true => self.cross(from + d as u32, opcode),
                            false => {
                                self.join(from + d as u32, to + kept);
                                kept += 1;
                            }
                        }
                    }
                }
                // Each lane changes its own elements.
                Attrs::Scatter(dims) => self.scatter(dims, (position, from, rank), (to, result.rank())),
                // Each lane looks up its own elements, of an array of its own or of all.
                Attrs::Gather(dims) if position == 0 => {
                    self.gathered(dims, (from, &array.dims), (to, result.rank()))
                }
                Attrs::Gather(dims) => {
                    let mut batch = (0..result.rank()).filter(|d| !dims.offset_dims.contains(d));
                    for d in 0..rank {
                        let side = if d == dims.index_vector_dim { None } else { batch.next() };
                        match side {
                            Some(b) => self.join(from + d as u32, to + b as u32),
                            None => self.cross(from + d as u32, opcode),
                        }
                    }
                }
                _ if opcode == Opcode::DynamicUpdateSlice && position < 2 => {
                    let update = &comp[instr.operands[1]].shape.expect_array().dims;
                    let whole: Vec<bool> = update.iter().zip(&result.dims).map(|(a, b)| a == b).collect();
                    self.side_by_side(from, to, rank, opcode, |d| whole[d])
                }
                _ if matches!(opcode, Opcode::Reshape | Opcode::Bitcast) => {
                    self.reshape((from, &array.dims), (to, &result.dims), opcode)
                }
                _ => {
                    (0..rank as u32).for_each(|d| self.cross(from + d, opcode));
                    (0..result.rank() as u32).for_each(|d| self.cross(to + d, opcode));
                }
            }
        }
    }

    /// Batch dimensions of the operand stand side by side with those of the result, and so do those that are taken whole.
    fn gathered(&mut self, dims: &GatherDims, (from, extents): (u32, &[i64]), (to, results): (u32, usize)) {
        let batch: Vec<usize> = (0..results).filter(|d| !dims.offset_dims.contains(d)).collect();
        let mut offsets = dims.offset_dims.iter();
        for (d, &extent) in extents.iter().enumerate() {
            let batching = dims.operand_batching_dims.iter().position(|&b| b == d);
            let kept = match batching {
                Some(n) => {
                    let b = dims.start_indices_batching_dims[n];
                    batch.get(if b > dims.index_vector_dim { b - 1 } else { b })
                }
                None if dims.collapsed_slice_dims.contains(&d) => None,
                None => {
                    let offset = offsets.next();
                    let whole = dims.slice_sizes[d] == extent;
                    offset
                        .iter()
                        .filter(|_| !whole)
                        .for_each(|&&o| self.cross(to + o as u32, Opcode::Gather));
                    offset.filter(|_| whole)
                }
            };
            match kept {
                Some(&kept) => self.join(from + d as u32, to + kept as u32),
                None => self.cross(from + d as u32, Opcode::Gather),
            }
        }
    }

    /// Batch dimensions stand side by side, and those of a window that is as wide as the array.
    fn scatter(
        &mut self,
        dims: &ScatterDims,
        (position, from, rank): (usize, u32, usize),
        (to, results): (u32, usize),
    ) {
        let starts = &dims.scatter_dims_to_operand_dims;
        let of_updates = if position == 2 { operand_dims(dims, rank, results) } else { Vec::new() };
        let batch = |d: usize| {
            let n = dims.scatter_indices_batching_dims.iter().position(|&b| b == d)?;
            Some(dims.input_batching_dims[n])
        };
        for d in 0..rank {
            let operand = match position {
                0 => Some(d).filter(|d| !starts.contains(d)),
                1 => batch(d),
                _ => of_updates.get(d).copied().flatten().filter(|d| !starts.contains(d)),
            };
            match operand {
                Some(operand) => self.join(from + d as u32, to + operand as u32),
                None => self.cross(from + d as u32, Opcode::Scatter),
            }
        }
        starts.iter().for_each(|&d| self.cross(to + d as u32, Opcode::Scatter));
    }

    /// Batch and free dimensions of an operand stand in the result, the others are combined.
    fn dot(&mut self, dims: &DotDims, (right, from, rank): (bool, u32, usize), (to, results): (u32, usize)) {
        let (batch, contracting) = match right {
            false => (&dims.lhs_batch, &dims.lhs_contracting),
            true => (&dims.rhs_batch, &dims.rhs_contracting),
        };
        let free: Vec<usize> = (0..rank).filter(|d| !batch.contains(d) && !contracting.contains(d)).collect();
        contracting.iter().for_each(|&d| self.cross(from + d as u32, Opcode::Dot));
        batch.iter().enumerate().for_each(|(n, &d)| self.join(from + d as u32, to + n as u32));
        let first = if right { results - free.len() } else { batch.len() };
        free.iter().enumerate().for_each(|(n, &d)| self.join(from + d as u32, to + (first + n) as u32));
    }

    fn side_by_side(
        &mut self,
        from: u32,
        to: u32,
        rank: usize,
        opcode: Opcode,
        keeps: impl Fn(usize) -> bool,
    ) {
        for d in 0..rank {
            let (a, b) = (from + d as u32, to + d as u32);
            match keeps(d) {
                true => self.join(a, b),
                false => [a, b].into_iter().for_each(|d| self.cross(d, opcode)),
            }
        }
    }

    /// Dimensions that a reshape keeps whole.
    fn reshape(&mut self, (from, old): (u32, &[i64]), (to, new): (u32, &[i64]), opcode: Opcode) {
        let whole = || vec![(0..old.len(), 0..new.len())];
        for (ours, theirs) in common_factors(old, new).unwrap_or_else(whole) {
            let long = |dims: &[i64], run: std::ops::Range<usize>| -> Vec<u32> {
                run.filter(|&d| dims[d] != 1).map(|d| d as u32).collect()
            };
            match (&long(old, ours)[..], &long(new, theirs)[..]) {
                ([d], [e]) => self.join(from + d, to + e),
                (ds, es) => {
                    ds.iter().for_each(|d| self.cross(from + d, opcode));
                    es.iter().for_each(|e| self.cross(to + e, opcode));
                }
            }
        }
    }
}

fn is_elementwise(opcode: Opcode) -> bool {
    matches!(opcode.class(), Class::Unary | Class::Binary | Class::Elementwise)
        || opcode == Opcode::BitcastConvert
}
