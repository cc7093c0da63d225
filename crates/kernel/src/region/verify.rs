//! The rules of a region, checked in about linear time: what planning, lowering and evaluation take for granted.
//!
//! Whether loads stay within their arrays is left to the evaluators: it rests on masks.

use super::reassociate::is_regrouped;
use super::{
    Array, Carried, FoldOrder, Function, Kind, LoopStage, Node, NodeId, ProductOrder, Region, ScanOrder,
    Semiring, Source, Stage, Stored, all_roots_of,
};
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, Atom};

/// Checks every rule.
///
/// # Errors
/// Each rule that is broken, with its place.
pub fn verify(region: &Region) -> Result<(), Vec<String>> {
    let mut v = Verifier { region, faults: Vec::new() };
    v.nodes();
    // What follows looks nodes up.
    if v.faults.is_empty() {
        v.arrays();
        v.stages();
        v.parts();
    }
    if v.faults.is_empty() { Ok(()) } else { Err(v.faults) }
}

struct Verifier<'r> {
    region: &'r Region,
    faults: Vec<String>,
}

impl Verifier<'_> {
    fn rule(&mut self, kept: bool, place: &str, fault: impl FnOnce() -> String) {
        if !kept {
            self.faults.push(format!("{place}: {}", fault()));
        }
    }

    fn nodes(&mut self) {
        let region = self.region;
        let (nodes, types) = (region.nodes.len(), region.types.len());
        self.rule(nodes == types, "nodes", || format!("{nodes} nodes have {types} types"));
        for (s, symbol) in region.symbols.iter().enumerate() {
            let known = region.types.get(symbol.node.0 as usize);
            self.rule(known == Some(&DType::S64), &format!("s{s}"), || format!("{} is no s64", symbol.node));
        }
        if !self.faults.is_empty() {
            return;
        }
        for n in 0..nodes as u32 {
            let id = NodeId(n);
            let place = id.to_string();
            let unknown = self.unknown(region.node(id));
            self.rule(unknown.is_none(), &place, || unknown.clone().unwrap_or_default());
            if unknown.is_some() {
                continue;
            }
            let mut late = None;
            region.operands(id, &mut |o| late = late.or(Some(o).filter(|o| o.0 >= n)));
            self.rule(late.is_none(), &place, || {
                format!("its operand {} does not come before it", late.unwrap_or(id))
            });
            if late.is_none() {
                let wrong = self.wrong_type(id);
                self.rule(wrong.is_none(), &place, || wrong.unwrap_or_default());
            }
        }
    }

    /// A symbol, loop or carry of the node that is not there.
    fn unknown(&self, node: &Node) -> Option<String> {
        let symbols = |e: &Affine| {
            let mut unknown = None;
            e.visit(&mut |a| match a {
                Atom::Symbol(s) if *s as usize >= self.region.symbols.len() => unknown = Some(*s),
                _ => {}
            });
            unknown.map(|s| format!("there is no s{s}"))
        };
        match node {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => symbols(e),
            Node::Carry(Carried { of, at, last }) => {
                let known = match of {
                    0 => self.region.stages.iter().any(|s| match &s.kind {
                        Kind::Loop(l) => (*at as usize) < l.carries.len() && !last,
                        _ => false,
                    }),
                    n => self
                        .region
                        .loops
                        .get(*n as usize - 1)
                        .is_some_and(|l| (*at as usize) < l.carries.len()),
                };
                (!known).then(|| "it is carried by no loop".to_string())
            }
            _ => None,
        }
    }

    /// An operand or a result whose type the operation does not have.
    fn wrong_type(&self, id: NodeId) -> Option<String> {
        let (region, own) = (self.region, self.region.dtype(id));
        let expect = |what: &str, found: DType, expected: DType| {
            (found != expected).then(|| format!("{what} is {found}, not {expected}"))
        };
        let operand = |o: NodeId, expected: DType| expect(&o.to_string(), region.dtype(o), expected);
        let all = |found: &[Option<String>]| found.iter().flatten().next().cloned();
        match *region.node(id) {
            Node::InRange { .. } => expect("it", own, DType::Pred),
            Node::Load { source, mask, .. } => {
                let array = match source {
                    Source::Input(n) => region.inputs.get(n as usize).map(|a| a.dtype),
                    Source::Stage { stage, output } => region
                        .stages
                        .get(stage as usize)
                        .and_then(|s| s.results.get(output as usize).copied()),
                    Source::Written { place, .. } => region.written(place).map(|a| a.dtype),
                };
                match array {
                    None => Some("it reads an array that is not there".into()),
                    Some(array) => {
                        all(&[expect("it", own, array), mask.and_then(|m| operand(m, DType::Pred))])
                    }
                }
            }
            Node::Unary { dtype, x, .. } => operand(x, dtype),
            Node::Binary { opcode: lawson_hlo::Opcode::Power, dtype, x, y } if dtype.is_field() => {
                let exponent = self.region.dtype(y);
                let signed =
                    (!exponent.is_unsigned()).then(|| format!("{y} is {exponent}, no exponent of {dtype}"));
                all(&[operand(x, dtype), signed, expect("it", own, dtype)])
            }
            Node::Binary { dtype, x, y, .. } => {
                all(&[operand(x, dtype), operand(y, dtype), expect("it", own, dtype)])
            }
            Node::Fma { x, y, z } => all(&[operand(x, own), operand(y, own), operand(z, own)]),
            Node::Compare { dtype, x, y, .. } => {
                all(&[operand(x, dtype), operand(y, dtype), expect("it", own, DType::Pred)])
            }
            Node::Select { mask, x, y } => {
                all(&[operand(mask, DType::Pred), operand(x, own), operand(y, own)])
            }
            Node::Convert { from, x } => operand(x, from),
            Node::Bits { from, x } => {
                let widths = (from.bits() != own.bits()).then(|| format!("{from} and {own} differ in width"));
                all(&[operand(x, from), widths])
            }
            Node::ReducePrecision { x, .. } => operand(x, own),
            Node::Constant { .. } | Node::Index(_) | Node::Argument(_) | Node::Carry(_) => None,
        }
    }

    fn arrays(&mut self) {
        let region = self.region;
        for (n, array) in region.inputs.iter().chain(&region.outputs).enumerate() {
            let place = format!("array {n} {}", array.name);
            self.rule(array.elements >= 0, &place, || format!("it has {} elements", array.elements));
        }
        let expected = if region.parts.is_empty() { region.outputs.len() } else { 0 };
        let sources = region.output_sources.len();
        self.rule(sources == expected, "outputs", || format!("{expected} have {sources} sources"));
        for (o, (&(stage, result), array)) in region.output_sources.iter().zip(&region.outputs).enumerate() {
            let place = format!("out{o}");
            let stage = region.stages.get(stage as usize);
            let Some((stage, &dtype)) = stage.and_then(|s| Some((s, s.results.get(result as usize)?))) else {
                self.rule(false, &place, || "no stage makes it".into());
                continue;
            };
            self.rule(dtype == array.dtype, &place, || {
                format!("its stage makes {dtype}, not {}", array.dtype)
            });
            // The elements of a loop's outputs are written one by one.
            let made = stage.elements_of(result as usize);
            let same = matches!(stage.kind, Kind::Loop(_)) || made == array.elements;
            self.rule(same, &place, || format!("its stage makes {made} elements, not {}", array.elements));
        }
        for &(o, i) in &region.aliases {
            let pair = region.outputs.get(o as usize).zip(region.inputs.get(i as usize));
            let alike = |(a, b): (&Array, &Array)| (a.dtype, a.elements) == (b.dtype, b.elements);
            self.rule(pair.is_some_and(alike), &format!("out{o}"), || format!("it cannot start as in{i}"));
        }
    }

    fn stages(&mut self) {
        let region = self.region;
        for (n, stage) in region.stages.iter().enumerate() {
            let place = format!("stage {n} {}", stage.name);
            let axes = stage.space.iter().chain(&stage.inner);
            self.rule(axes.clone().all(|&e| e >= 0), &place, || "an axis of less than no points".into());
            let before = self.faults.len();
            self.kind((n, stage), &place);
            // A node that is not there cannot be followed.
            if self.faults.len() == before {
                self.expressions(n, stage, &place);
            }
        }
        for (n, inner) in region.loops.iter().enumerate() {
            let place = format!("loop {}", n + 1);
            self.rule(inner.around as usize <= n, &place, || format!("loop {} is around it", inner.around));
            self.loop_stage(inner, n as u32 + 1, &place);
        }
        if let [Stage { kind: Kind::Loop(loop_stage), name, .. }] = &region.stages[..]
            && self.faults.is_empty()
        {
            let late = region.late_read(loop_stage);
            self.rule(late.is_none(), name, || {
                format!("{} reads what has changed meanwhile", late.unwrap_or(NodeId(0)))
            });
        }
    }

    /// What a stage evaluates: in its own axes, of what is made before it.
    fn expressions(&mut self, n: usize, stage: &Stage, place: &str) {
        let (region, axes) = (self.region, stage.space.len() + stage.inner.len());
        let mut beyond: Option<u32> = None;
        let mut within = |e: &Affine| {
            e.visit(&mut |a| match a {
                Atom::Axis(a) if *a as usize >= axes => beyond = Some(*a),
                _ => {}
            })
        };
        let (mut late, mut argument, mut stored) = (None, None, None);
        for id in region.reachable(&all_roots_of(region, stage)) {
            match region.node(id) {
                Node::Index(e) | Node::InRange { value: e, .. } => within(e),
                Node::Load { source, offset, .. } => {
                    within(offset);
                    match source {
                        Source::Stage { stage, .. } if *stage as usize >= n => late = Some(*stage),
                        Source::Stage { stage, output } => {
                            let from = region.stages[*stage as usize].own_results().len();
                            stored = stored.or((*output as usize >= from).then_some(*stage))
                        }
                        Source::Input(_) | Source::Written { .. } => {}
                    }
                }
                Node::Argument(a) => argument = Some(*a),
                _ => {}
            }
        }
        match &stage.kind {
            Kind::Update { offset: e, .. }
            | Kind::Scan { position: e, .. }
            | Kind::Sort { position: e, .. } => within(e),
            Kind::SelectAndScatter(s) => within(&s.offset),
            Kind::Loop(l) => l.all(region).flat_map(LoopStage::elements).for_each(|e| within(&e.offset)),
            Kind::Reduce { stored, .. } | Kind::Pieces(stored) => {
                stored.iter().flat_map(|s| &s.parts).for_each(|p| within(&p.0));
            }
            Kind::Map { .. } | Kind::Contract { .. } => {}
        }
        self.rule(beyond.is_none(), place, || format!("it has no axis d{}", beyond.unwrap_or_default()));
        self.rule(late.is_none(), place, || {
            format!("it reads stage {}, which is later", late.unwrap_or_default())
        });
        self.rule(stored.is_none(), place, || {
            format!("it reads what stage {} stores on the way", stored.unwrap_or_default())
        });
        self.rule(argument.is_none(), place, || {
            format!("a{} stands outside of a function", argument.unwrap_or_default())
        });
    }

    /// What a stage is made of fits together.
    fn kind(&mut self, (n, stage): (usize, &Stage), place: &str) {
        let results = stage.results.len();
        self.rule(results > 0 || matches!(stage.kind, Kind::Loop(_)), place, || "it has no results".into());
        let pointwise = matches!(stage.kind, Kind::Map { .. } | Kind::Reduce { .. } | Kind::Contract { .. });
        self.rule(!pointwise || stage.elements == stage.points(), place, || {
            format!("{} elements for {} points", stage.elements, stage.points())
        });
        match &stage.kind {
            Kind::Map { values } => self.typed(values, &stage.results, place),
            Kind::Pieces(stored) => {
                self.rule(results == stored.len(), place, || {
                    format!("{} arrays for {results} results", stored.len())
                });
                self.stored((n, stage), stored, place);
            }
            Kind::Reduce { values, inits, combiner, order, mask, stored } => {
                self.count(values, results - stored.len().min(results), place);
                self.stored((n, stage), stored, place);
                let accumulators = self.types(values);
                self.typed(inits, &accumulators, place);
                self.combiner(combiner, &accumulators, place);
                self.mask(*mask, place);
                let windows = *order == FoldOrder::Sequential;
                self.rule(mask.is_none() || windows, place, || {
                    "a mask where the order does not allow gaps".into()
                });
                // Windows may overlap.
                self.rule(stored.is_empty() || !windows, place, || "windows that store on the way".into());
            }
            Kind::Contract { lhs, rhs, accumulator, order, semiring } => {
                let free = *order == ProductOrder::Sequential || accumulator.is_f32() && semiring.is_none();
                self.rule(free, place, || "its order is free only for multiply-adds of f32".into());
                self.typed(&[*lhs, *rhs], &[*accumulator; 2], place);
                self.rule(results == 1, place, || format!("a contraction of {results} results"));
                if let Some(Semiring { multiply, add, .. }) = semiring {
                    self.combiner(multiply, &[*accumulator], place);
                    self.combiner(add, &[*accumulator], place);
                    self.rule(is_regrouped(self.region, add), place, || {
                        "its combiner may not be regrouped, as a product's is".into()
                    });
                }
            }
            Kind::Update { values, mask, combiner, .. } => {
                self.count(values, results, place);
                self.mask(*mask, place);
                match combiner {
                    Some(f) => self.combiner(f, &stage.results.clone(), place),
                    None => self.typed(values, &stage.results, place),
                }
            }
            Kind::Scan { values, inits, combiner, order, .. } => {
                let free = *order == ScanOrder::Sequential || is_regrouped(self.region, combiner);
                self.rule(free, place, || "its combiner may not be regrouped, as its order does".into());
                self.count(values, results, place);
                let accumulators = self.types(values);
                self.typed(inits, &accumulators, place);
                self.combiner(combiner, &accumulators, place);
                self.one_inner_axis(stage, place);
            }
            Kind::Sort { values, less, kept, .. } => {
                self.typed(values, &stage.results, place);
                let length = stage.inner_points();
                self.rule((0..=length).contains(kept), place, || format!("the first {kept} of {length}"));
                let pairs: Vec<DType> = stage.results.iter().flat_map(|&d| [d, d]).collect();
                self.function(less, &pairs, &[DType::Pred], place);
                self.one_inner_axis(stage, place);
            }
            Kind::SelectAndScatter(s) => {
                let dtype = stage.results[0];
                self.typed(&[s.operand, s.value, s.init], &[dtype; 3], place);
                self.mask(s.mask, place);
                self.function(&s.select, &[dtype; 2], &[DType::Pred], place);
                self.function(&s.scatter, &[dtype; 2], &[dtype], place);
                let elements: i64 = s.dims.iter().product();
                self.rule(elements == stage.elements, place, || {
                    format!("{elements} elements, not {}", stage.elements)
                });
            }
            Kind::Loop(loop_stage) => {
                let alone = self.region.stages.len() == 1;
                self.rule(alone, place, || "a loop beside other stages".into());
                self.loop_stage(loop_stage, 0, place);
            }
        }
    }

    /// What pieces store, or a reduction on the way: as many elements as there are, within the array.
    fn stored(&mut self, (n, stage): (usize, &Stage), stored: &[Stored], place: &str) {
        let points = stage.points().saturating_mul(stage.inner_points());
        let first = stage.results.len() - stored.len().min(stage.results.len());
        for ((result, &dtype), s) in stage.results.iter().enumerate().skip(first).zip(stored) {
            let values: Vec<NodeId> = s.parts.iter().map(|p| p.1).collect();
            self.typed(&values, &vec![dtype; values.len()], place);
            let parts = values.len() as i64;
            let made = points.saturating_mul(parts);
            let partly = made < s.elements && self.region.starts_as_another((n as u32, result as u32));
            self.rule(made == s.elements || partly, place, || {
                format!("{parts} elements stored at each of {points} points, {} in all", s.elements)
            });
            let space = self.region.space_of(&stage.ranges());
            let inside = |p: &(Affine, NodeId)| {
                let (lo, hi) = p.0.range(&space);
                lo >= 0 && hi < s.elements
            };
            self.rule(points == 0 || s.parts.iter().all(inside), place, || {
                "it stores beyond an array".into()
            });
        }
    }

    fn loop_stage(&mut self, loop_stage: &LoopStage, of: u32, place: &str) {
        let region = self.region;
        let once = !loop_stage.is_straight() || loop_stage.carries.is_empty() && loop_stage.trips == Some(1);
        self.rule(once, place, || "a loop without an end".into());
        for (at, c) in (0..).zip(&loop_stage.carries) {
            let known = self.there(&[c.node, c.init, c.next]);
            self.rule(known, place, || format!("carry {at} is of nodes that are not there"));
            if !known {
                continue;
            }
            let own = *region.node(c.node) == Node::Carry(Carried { of, at, last: false });
            self.rule(own, place, || format!("{} is not its carry {at}", c.node));
            let types = [c.node, c.init, c.next].map(|id| region.dtype(id));
            self.rule(types[1] == types[0] && types[2] == types[0], place, || {
                format!("carry {at} of {} starts as {} and goes on as {}", types[0], types[1], types[2])
            });
        }
        for mask in loop_stage.condition.iter().chain(&loop_stage.any) {
            self.mask(Some(*mask), place);
        }
        for e in loop_stage.elements() {
            let known = self.there(&e.roots().collect::<Vec<_>>());
            let fits = known && region.written(e.to).map(|a| a.dtype) == Some(region.dtype(e.value));
            if known {
                self.mask(e.mask, place);
            }
            self.rule(fits, place, || format!("{} cannot be written to {}", e.value, e.to));
        }
    }

    fn parts(&mut self) {
        let region = self.region;
        if region.parts.is_empty() {
            return;
        }
        self.rule(region.stages.is_empty(), "parts", || "stages beside them".into());
        let alike = |a: &Array, b: &Array| (a.dtype, a.elements) == (b.dtype, b.elements);
        let mut outputs = region.outputs.iter();
        for (n, part) in region.parts.iter().enumerate() {
            let place = format!("part {n}");
            let own = &part.region;
            let read = part.inputs.iter().map(|&i| region.inputs.get(i as usize));
            let inputs = own.inputs.len() == part.inputs.len()
                && own.inputs.iter().zip(read).all(|(a, b)| b.is_some_and(|b| alike(a, b)));
            self.rule(inputs, &place, || "its inputs are not those of the kernel".into());
            let made = own.outputs.iter().all(|a| outputs.next().is_some_and(|b| alike(a, b)));
            self.rule(made, &place, || "its outputs are not those of the kernel".into());
            let faults = verify(own).err().into_iter().flatten();
            self.faults.extend(faults.map(|f| format!("{place}: {f}")));
        }
        let left = outputs.count();
        self.rule(left == 0, "parts", || format!("{left} outputs are of none"));
    }

    fn there(&self, ids: &[NodeId]) -> bool {
        ids.iter().all(|id| (id.0 as usize) < self.region.nodes.len())
    }

    fn types(&self, ids: &[NodeId]) -> Vec<DType> {
        ids.iter().filter(|id| self.there(&[**id])).map(|&id| self.region.dtype(id)).collect()
    }

    fn count(&mut self, values: &[NodeId], results: usize, place: &str) {
        self.rule(values.len() == results, place, || {
            format!("{} values for {results} results", values.len())
        });
    }

    /// Nodes that are there, of these types.
    fn typed(&mut self, ids: &[NodeId], types: &[DType], place: &str) {
        self.rule(self.there(ids), place, || "it evaluates a node that is not there".into());
        let found = self.types(ids);
        self.rule(found == types, place, || format!("{found:?} instead of {types:?}"));
    }

    fn mask(&mut self, mask: Option<NodeId>, place: &str) {
        if let Some(mask) = mask {
            self.typed(&[mask], &[DType::Pred], place);
        }
    }

    fn combiner(&mut self, f: &Function, types: &[DType], place: &str) {
        let twice: Vec<DType> = types.iter().chain(types).copied().collect();
        self.function(f, &twice, types, place);
    }

    fn function(&mut self, f: &Function, arguments: &[DType], results: &[DType], place: &str) {
        self.rule(f.arguments == arguments, place, || {
            format!("a function of {:?}, not {arguments:?}", f.arguments)
        });
        self.typed(&f.results, results, place);
        if !self.there(&f.results) {
            return;
        }
        for id in self.region.reachable(&f.results) {
            if let Node::Argument(n) = *self.region.node(id) {
                let known = f.arguments.get(n as usize) == Some(&self.region.dtype(id));
                self.rule(known, place, || format!("{id} is not the function's argument {n}"));
            }
        }
    }

    fn one_inner_axis(&mut self, stage: &Stage, place: &str) {
        self.rule(stage.inner.len() == 1, place, || format!("{} inner axes", stage.inner.len()));
    }
}
