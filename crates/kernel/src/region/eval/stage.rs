//! Stages: what is done at each point of a space, in the order of the language.

use super::expr::{Operations, Point, convert};
use super::memory::{Fault, Memory, Words, points};
use super::repeat;
use crate::region::{
    FoldOrder, Function, GROUP, Kind, NodeId, Region, ScanOrder, SelectAndScatter, Semiring, Stage, Stored,
    all_roots_of,
};
use lawson_hlo::eval::order::{self, fold, fold_rows, sorted};
use lawson_hlo::eval::scalar::{Value, ValueOp, ZERO, of_bits};
use lawson_hlo::index::Affine;

/// Evaluates stage `n`, whose results go to memory.
pub fn evaluate(
    region: &Region,
    operations: &Operations,
    n: usize,
    memory: &mut Memory,
) -> Result<(), Fault> {
    let stage = &region.stages[n];
    let roots = all_roots_of(region, stage);
    if let Some(id) = roots.iter().find(|id| id.0 as usize >= region.nodes.len()) {
        return Err(format!("there is no {id}"));
    }
    if let Kind::Loop(loop_stage) = &stage.kind {
        return repeat::evaluate(region, operations, (stage, loop_stage), memory);
    }
    let results = initial(region, n, memory);
    let mut e = Evaluation {
        region,
        stage,
        order: region.reachable(&roots),
        point: Point::new(region, operations, stage.space.len() + stage.inner.len()),
        memory: &*memory,
        results,
    };
    match &stage.kind {
        Kind::Map { values } => e.map(values)?,
        Kind::Pieces(stored) => e.store(0, stored)?,
        Kind::Reduce { values, inits, combiner, order, mask, stored } => {
            e.reduce((values, inits, combiner), *order, *mask)?;
            e.store(values.len(), stored)?
        }
        Kind::Contract { lhs, rhs, semiring, .. } => e.contract(*lhs, *rhs, semiring.as_ref())?,
        Kind::Update { values, offset, mask, combiner, .. } => {
            e.update(values, offset, *mask, combiner.as_ref())?
        }
        Kind::Scan { values, inits, combiner, order, position } => {
            e.scan((values, inits, combiner), *order, position)?
        }
        Kind::Sort { values, less, kept, position } => e.sort(values, less, (*kept, position))?,
        Kind::SelectAndScatter(s) => e.select_and_scatter(s)?,
        Kind::Loop(_) => {}
    }
    let results = e.results;
    for (o, &(stage, result)) in region.output_sources.iter().enumerate() {
        if stage as usize == n {
            // An output may be declared larger than what is made: then it is not written everywhere.
            let (from, to) = (&results[result as usize], &mut memory.outputs[o]);
            from.iter().zip(to.iter_mut()).for_each(|(word, to)| *to = *word);
        }
    }
    memory.results[n] = results;
    Ok(())
}

/// What the results of a stage hold before it: those that outputs hold start as these do.
fn initial(region: &Region, n: usize, memory: &Memory) -> Vec<Words> {
    let stage = &region.stages[n];
    let of = |result: usize| {
        let source = (n as u32, result as u32);
        let output = region.output_sources.iter().position(|&s| s == source);
        match (&stage.kind, output) {
            (Kind::Update { .. }, Some(o)) => memory.outputs[o].clone(),
            (Kind::Pieces(_), Some(o)) if region.starts_as_another(source) => memory.outputs[o].clone(),
            _ => vec![None; stage.elements_of(result).max(0) as usize],
        }
    };
    (0..stage.results.len()).map(of).collect()
}

struct Evaluation<'r> {
    region: &'r Region,
    stage: &'r Stage,
    /// Everything the stage evaluates, operands first.
    order: Vec<NodeId>,
    point: Point<'r>,
    memory: &'r Memory,
    results: Vec<Words>,
}

impl<'r> Evaluation<'r> {
    fn map(&mut self, values: &[NodeId]) -> Result<(), Fault> {
        for (n, at) in points(&self.stage.space).enumerate() {
            let words = self.at(&at, &[], values)?;
            self.write(n as i64, &words)?;
        }
        Ok(())
    }

    fn reduce(
        &mut self,
        (values, inits, combiner): (&[NodeId], &[NodeId], &Function),
        order: FoldOrder,
        mask: Option<NodeId>,
    ) -> Result<(), Fault> {
        let inner_points: Vec<Vec<i64>> = points(&self.stage.inner).collect();
        let rounding = self.rounding(values)?;
        for (n, at) in points(&self.stage.space).enumerate() {
            let inits = self.at_any(&at, inits)?;
            let mut elements = Vec::new();
            for inner in &inner_points {
                let takes_part = match mask {
                    Some(m) => self.at(&at, inner, &[m])? != [ZERO],
                    None => true,
                };
                if takes_part {
                    elements.push(self.at(&at, inner, values)?);
                }
            }
            let (count, element) = (elements.len(), |k: usize| elements[k].clone());
            let combine = |a: Vec<Value>, b: Vec<Value>| self.combine(combiner, &a, &b);
            let total = match order {
                FoldOrder::MinorReduced => {
                    fold(order::ReductionOrder::MinorReduced, count, inits, element, combine)?
                }
                FoldOrder::MinorFree => {
                    let sizes = (order.running() as usize, order.chunk() as usize);
                    fold_rows(sizes, count, inits, element, combine)?
                }
                FoldOrder::MinorKept => {
                    fold(order::ReductionOrder::MinorKept, count, inits, element, combine)?
                }
                FoldOrder::Sequential => {
                    elements.iter().try_fold(inits, |all, x| self.combine(combiner, &all, x))?
                }
            };
            let rounded: Vec<Value> = round(&rounding, &total);
            self.write(n as i64, &rounded)?;
        }
        Ok(())
    }

    /// What pieces store, or a reduction of so many values on the way.
    fn store(&mut self, values: usize, stored: &[Stored]) -> Result<(), Fault> {
        let inner_points: Vec<Vec<i64>> = points(&self.stage.inner).collect();
        for at in points(&self.stage.space) {
            for (inner, (n, stored)) in
                inner_points.iter().flat_map(|i| stored.iter().enumerate().map(move |s| (i, s)))
            {
                for (offset, value) in &stored.parts {
                    let word = self.at(&at, inner, &[*value])?[0];
                    let position = self.point.index(offset)?;
                    write_at(&mut self.results[values + n], position, word)?;
                }
            }
        }
        Ok(())
    }

    fn contract(&mut self, lhs: NodeId, rhs: NodeId, semiring: Option<&Semiring>) -> Result<(), Fault> {
        let inner_points: Vec<Vec<i64>> = points(&self.stage.inner).collect();
        let accumulator = self.region.dtype(lhs);
        let fma = ValueOp::fma(accumulator).map_err(|e| e.to_string())?;
        let rounding = self.rounding(&[lhs])?;
        for (n, at) in points(&self.stage.space).enumerate() {
            let mut sum = semiring.map_or(ZERO, |of| of_bits(accumulator, of.init));
            for inner in &inner_points {
                let [a, b] = self.at(&at, inner, &[lhs, rhs])?[..] else { continue };
                sum = match semiring {
                    Some(of) => {
                        let element = self.combine(&of.multiply, &[a], &[b])?;
                        self.combine(&of.add, &[sum], &element)?[0]
                    }
                    None => fma.apply([a, b, sum]),
                };
            }
            let rounded = round(&rounding, &[sum]);
            self.write(n as i64, &rounded)?;
        }
        Ok(())
    }

    /// Every point in turn, on what the points before have left.
    fn update(
        &mut self,
        values: &[NodeId],
        offset: &Affine,
        mask: Option<NodeId>,
        combiner: Option<&Function>,
    ) -> Result<(), Fault> {
        for at in points(&self.stage.space) {
            let mut words = self.at(&at, &[], values)?;
            if mask.is_some_and(|m| self.point.known(m) == Some(ZERO)) {
                continue;
            }
            let position = self.point.index(offset)?;
            if let Some(f) = combiner {
                let old = self.read(position)?;
                words = self.combine(f, &old, &words)?;
            }
            self.write(position, &words)?;
        }
        Ok(())
    }

    fn scan(
        &mut self,
        (values, inits, combiner): (&[NodeId], &[NodeId], &Function),
        order: ScanOrder,
        position: &Affine,
    ) -> Result<(), Fault> {
        let inner_points: Vec<Vec<i64>> = points(&self.stage.inner).collect();
        let rounding = self.rounding(values)?;
        for at in points(&self.stage.space) {
            let init = self.at_any(&at, inits)?;
            let (mut elements, mut targets) = (Vec::new(), Vec::new());
            for inner in &inner_points {
                elements.push(self.at(&at, inner, values)?);
                targets.push(self.point.index(position)?);
            }
            let running = running(order, init, elements, |a, b| self.combine(combiner, a, b))?;
            for (target, words) in targets.into_iter().zip(running) {
                let rounded = round(&rounding, &words);
                self.write(target, &rounded)?;
            }
        }
        Ok(())
    }

    fn sort(
        &mut self,
        values: &[NodeId],
        less: &Function,
        (kept, position): (i64, &Affine),
    ) -> Result<(), Fault> {
        let inner_points: Vec<Vec<i64>> = points(&self.stage.inner).collect();
        for at in points(&self.stage.space) {
            let (mut row, mut targets) = (Vec::new(), Vec::new());
            for inner in &inner_points {
                row.push(self.at(&at, inner, values)?);
                targets.push(self.point.index(position)?);
            }
            let order = sorted(row.len(), |a, b| {
                let pairs: Vec<Value> = row[a].iter().zip(&row[b]).flat_map(|(&a, &b)| [a, b]).collect();
                Ok::<_, Fault>(self.point.call(self.memory, less, &pairs)? != [ZERO])
            })?;
            for (from, &target) in order.into_iter().zip(&targets).take(kept as usize) {
                self.write(target, &row[from])?;
            }
        }
        Ok(())
    }

    fn select_and_scatter(&mut self, s: &SelectAndScatter) -> Result<(), Fault> {
        let inner_points: Vec<Vec<i64>> = points(&self.stage.inner).collect();
        // It depends on no point: the origin stands for any.
        let init = self.at_any(&[], &[s.init])?;
        for position in 0..self.stage.elements {
            self.write(position, &init)?;
        }
        for at in points(&self.stage.space) {
            let mut best: Option<(i64, Value)> = None;
            for inner in &inner_points {
                let word = self.at(&at, inner, &[s.operand])?[0];
                if s.mask.is_some_and(|m| self.point.known(m) == Some(ZERO)) {
                    continue;
                }
                let position = self.point.index(&s.offset)?;
                let keeps = match best {
                    Some((_, kept)) => self.point.call(self.memory, &s.select, &[kept, word])? != [ZERO],
                    None => false,
                };
                if !keeps {
                    best = Some((position, word));
                }
            }
            if let Some((position, _)) = best {
                let source = self.at_any(&at, &[s.value])?;
                let old = self.read(position)?;
                let new = self.combine(&s.scatter, &old, &source)?;
                self.write(position, &new)?;
            }
        }
        Ok(())
    }

    /// The values of nodes at a point of the space and of the inner axes.
    fn at(&mut self, at: &[i64], inner: &[i64], wanted: &[NodeId]) -> Result<Vec<Value>, Fault> {
        self.point.move_to(at, inner);
        self.point.values(self.memory, &self.order, wanted)
    }

    /// The values of nodes that are the same along the inner axes, which may have no points.
    fn at_any(&mut self, at: &[i64], wanted: &[NodeId]) -> Result<Vec<Value>, Fault> {
        self.point.move_to(at, &[]);
        self.point.values(self.memory, &self.region.reachable(wanted), wanted)
    }

    /// The results of a function on two tuples.
    fn combine(&mut self, f: &Function, a: &[Value], b: &[Value]) -> Result<Vec<Value>, Fault> {
        let arguments: Vec<Value> = a.iter().chain(b).copied().collect();
        self.point.call(self.memory, f, &arguments)
    }

    /// The conversions from accumulators to results.
    fn rounding(&self, values: &[NodeId]) -> Result<Vec<ValueOp>, Fault> {
        let pairs = values.iter().zip(&self.stage.results);
        pairs.map(|(&v, &to)| convert(self.region.dtype(v), to).map_err(|e| e.to_string())).collect()
    }

    fn read(&self, position: i64) -> Result<Vec<Value>, Fault> {
        let of = |words: &Words| {
            let element = usize::try_from(position).ok().and_then(|p| words.get(p)).copied();
            let element =
                element.ok_or_else(|| format!("element {position} of {} is updated", words.len()))?;
            element.ok_or_else(|| format!("element {position} is updated before it is written"))
        };
        self.results.iter().map(of).collect()
    }

    /// Writes an element of each result.
    fn write(&mut self, position: i64, words: &[Value]) -> Result<(), Fault> {
        self.results.iter_mut().zip(words).try_for_each(|(result, &word)| write_at(result, position, word))
    }
}

fn write_at(result: &mut Words, position: i64, word: Value) -> Result<(), Fault> {
    let len = result.len();
    let element = usize::try_from(position).ok().and_then(|p| result.get_mut(p));
    *element.ok_or_else(|| format!("element {position} of {len} is written"))? = Some(word);
    Ok(())
}

fn round(rounding: &[ValueOp], words: &[Value]) -> Vec<Value> {
    rounding.iter().zip(words).map(|(op, &w)| op.apply([w, ZERO, ZERO])).collect()
}

/// The running combinations of init and elements, in their order.
fn running<T: Clone>(
    order: ScanOrder,
    init: T,
    mut elements: Vec<T>,
    mut combine: impl FnMut(&T, &T) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let length = elements.len().max(1);
    let size = usize::try_from(order.chunk()).map_or(length, |n| n.min(length));
    // By their lengths in chunks, powers of two: of the runs that end with the last chunk.
    let mut totals: Vec<Option<T>> = Vec::new();
    for chunk in elements.chunks_mut(size) {
        let before = totals.iter().rev().flatten().try_fold(init.clone(), |all, run| combine(&all, run))?;
        match order {
            ScanOrder::Sequential => {
                let mut last = before;
                for x in chunk {
                    last = combine(&last, x)?;
                    *x = last.clone();
                }
                continue;
            }
            ScanOrder::KeptBlocked => {
                for i in 1..chunk.len() {
                    chunk[i] = combine(&chunk[i - 1], &chunk[i])?;
                }
            }
            ScanOrder::MinorBlocked => {
                let mut carry: Option<T> = None;
                for group in chunk.chunks_mut(GROUP as usize) {
                    for distance in [1, 2, 4, 8] {
                        for i in (distance..group.len()).rev() {
                            group[i] = combine(&group[i - distance], &group[i])?;
                        }
                    }
                    if let Some(carry) = &carry {
                        for x in &mut *group {
                            *x = combine(carry, x)?;
                        }
                    }
                    carry = group.last().cloned();
                }
            }
        }
        let mut total = chunk[chunk.len() - 1].clone();
        for x in chunk {
            *x = combine(&before, x)?;
        }
        let mut run = totals.iter_mut();
        loop {
            match run.next() {
                Some(shorter) => match shorter.take() {
                    Some(first) => total = combine(&first, &total)?,
                    None => break *shorter = Some(total),
                },
                None => break totals.push(Some(total)),
            }
        }
    }
    Ok(elements)
}
