//! The called computation of units that share a kernel.
//!
//! ```text
//! a = f32[8] fusion(x), calls=fa                 f = (f32[8], f32[8]) fusion(x), calls=fused_…
//! b = f32[8] fusion(a, x), calls=fb        →     a = f32[8] get-tuple-element(f), index=0
//!                                                b = f32[8] get-tuple-element(f), index=1
//! ```
//!
//! A [`Body`] says which instructions there are, equal ones once; a join looks at hundreds of bodies for each one that
//! is written out.

use super::host::{ArrayId, Host, UnitId};
use crate::fusion::limits::MAX_ARRAYS;
use crate::numbers::{Numbers, OfComputation};
use crate::planning::cut::is_code;
use crate::planning::judge::is_quiet;
use lawson_hlo::builder::Builder;
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Origin, Shape,
};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// What units compute together, and what the host passes to it.
#[derive(Clone, Default)]
pub struct Body {
    /// For each instruction its number, how many operands it has, and these; then the root: equal for bodies that do the
    /// same, whatever their names.
    pub code: Vec<u32>,
    lines: Vec<Line>,
    /// Equal instructions that became one: that one, and another.
    united: Vec<(u32, Source)>,
    root: u32,
    /// The arrays behind its parameters.
    pub operands: Vec<ArrayId>,
    /// The arrays it makes: the root, or the elements of the root if there are several.
    pub outputs: Vec<ArrayId>,
}

/// An instruction of a body.
#[derive(Clone, Copy)]
struct Line {
    /// Its operands in the code.
    operands: (u32, u32),
    source: Source,
}

/// Which instruction a line is.
#[derive(Clone, Copy)]
enum Source {
    /// The parameter of that number, and the instruction outside of which it has name and shape.
    Parameter(u32, InstrId),
    /// A reshape to the shape that a reader knows an array by: that of an instruction outside.
    View(InstrId),
    /// An instruction of the host.
    Outside(InstrId),
    /// An instruction of a unit that is a fusion.
    Inside(CompId, InstrId),
    /// A result of a unit with several.
    Element(UnitId, u32),
    /// All results.
    Results(UnitId),
}

impl Body {
    pub fn arrays(&self) -> usize {
        self.operands.len() + self.outputs.len()
    }

    /// Operations of its code.
    pub fn operations(&self, module: &Module, host: &Host<'_>) -> usize {
        (0..self.lines.len()).filter(|&l| !is_quiet(self.operation(l, module, host).0)).count()
    }

    /// What a line does.
    pub fn operation<'a>(&self, line: usize, module: &'a Module, host: &'a Host<'_>) -> (Opcode, &'a Attrs) {
        let of = |instr: &'a Instruction| (instr.opcode, &instr.attrs);
        match self.lines[line].source {
            Source::Parameter(..) => (Opcode::Parameter, &Attrs::None),
            Source::View(_) => (Opcode::Reshape, &Attrs::None),
            Source::Outside(id) => of(&host.comp[id]),
            Source::Inside(body, id) => of(&module[body][id]),
            Source::Element(..) => (Opcode::GetTupleElement, &Attrs::None),
            Source::Results(_) => (Opcode::Tuple, &Attrs::None),
        }
    }

    /// The lines that a line reads.
    pub fn operands_of(&self, line: usize) -> &[u32] {
        let (first, last) = self.lines[line].operands;
        &self.code[first as usize..last as usize]
    }

    /// The lines of its results.
    pub fn results(&self) -> &[u32] {
        match self.lines[self.root as usize].source {
            Source::Results(_) => self.operands_of(self.root as usize),
            _ => std::slice::from_ref(&self.root),
        }
    }

    /// The shape of each line but that of all results, where it is an array.
    pub fn shapes<'a>(
        &'a self,
        module: &'a Module,
        host: &'a Host<'_>,
    ) -> impl Iterator<Item = Option<&'a ArrayShape>> {
        let single = self.lines.iter().filter(|l| !matches!(l.source, Source::Results(_)));
        single.map(|l| shape(l.source, module, host).as_array())
    }

    /// The computation as plans need it: names may repeat, and nobody asks where it comes from.
    pub fn sketch(&self, module: &Module, host: &Host<'_>) -> Computation {
        let instrs = self.lines.iter().map(|line| self.instruction(line, module, host)).collect();
        Computation { name: "fused".into(), instrs, root: InstrId(self.root), execution_thread: None }
    }

    /// The computation.
    pub fn write(&self, module: &Module, host: &Host<'_>) -> Computation {
        let mut b = Builder::with_capacity(module, self.lines.len());
        for line in &self.lines {
            b.push(self.instruction(line, module, host));
        }
        for (line, source) in &self.united {
            b.unite_origin(InstrId(*line), origin(*source, module, host));
        }
        b.finish("fused", InstrId(self.root))
    }

    fn instruction(&self, line: &Line, module: &Module, host: &Host<'_>) -> Instruction {
        let (first, last) = (line.operands.0 as usize, line.operands.1 as usize);
        let operands: Vec<InstrId> = self.code[first..last].iter().map(|&o| InstrId(o)).collect();
        let named = |like: &Instruction, opcode, operands, attrs| {
            Instruction::new(
                like.name.clone(),
                opcode,
                like.shape.clone(),
                operands,
                attrs,
                like.origin.clone(),
            )
        };
        match line.source {
            Source::Parameter(n, outer) => {
                let attrs = Attrs::Parameter(n as usize);
                named(&host.comp[outer], Opcode::Parameter, operands, attrs)
            }
            Source::View(outer) => named(&host.comp[outer], Opcode::Reshape, operands, Attrs::None),
            Source::Outside(id) => with_operands(&host.comp[id], operands),
            Source::Inside(body, id) => with_operands(&module[body][id], operands),
            Source::Element(unit, n) => {
                let (opcode, attrs) = (Opcode::GetTupleElement, Attrs::TupleIndex(n as usize));
                let shape = element(&host.instr(unit).shape, n).clone();
                let origin = origin(line.source, module, host).clone();
                Instruction::new(opcode.name(), opcode, shape, operands, attrs, origin)
            }
            Source::Results(_) => {
                let result = |o: &InstrId| shape(self.lines[o.index()].source, module, host).clone();
                let shape = Shape::Tuple(operands.iter().map(result).collect());
                let origin = origin(line.source, module, host).clone();
                Instruction::new(Opcode::Tuple.name(), Opcode::Tuple, shape, operands, Attrs::None, origin)
            }
        }
    }
}

fn with_operands(instr: &Instruction, operands: Vec<InstrId>) -> Instruction {
    let mut copy = Instruction::new(
        instr.name.clone(),
        instr.opcode,
        instr.shape.clone(),
        operands,
        instr.attrs.clone(),
        instr.origin.clone(),
    );
    copy.notes = instr.notes.clone();
    copy
}

fn origin<'a>(source: Source, module: &'a Module, host: &'a Host<'_>) -> &'a Origin {
    match source {
        Source::Parameter(_, id) | Source::View(id) | Source::Outside(id) => &host.comp[id].origin,
        Source::Inside(body, id) => &module[body][id].origin,
        Source::Element(unit, _) | Source::Results(unit) => &host.instr(unit).origin,
    }
}

/// The shape of a line that is no tuple of results.
fn shape<'a>(source: Source, module: &'a Module, host: &'a Host<'_>) -> &'a Shape {
    match source {
        Source::Parameter(_, id) | Source::View(id) | Source::Outside(id) => &host.comp[id].shape,
        Source::Inside(body, id) => &module[body][id].shape,
        Source::Element(unit, n) => element(&host.instr(unit).shape, n),
        Source::Results(unit) => &host.instr(unit).shape,
    }
}

fn element(shape: &Shape, n: u32) -> &Shape {
    match shape {
        Shape::Tuple(parts) => &parts[n as usize],
        _ => shape,
    }
}

/// The arrays that members read and none of them makes, each with the operand that first reads it, in order.
pub fn operands(host: &Host<'_>, members: &[UnitId]) -> Vec<(ArrayId, InstrId)> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::with_capacity_and_hasher(MAX_ARRAYS, FxBuildHasher);
    for &member in members {
        let instr = host.instr(member);
        for &operand in &instr.operands {
            let Some(&array) = host.leaves[operand.index()].first() else { continue };
            let inside = || host.array(array).made_by.is_some_and(|m| members.binary_search(&m).is_ok());
            // A constant comes along, but a fusion has a parameter for each operand.
            let code = || instr.opcode != Opcode::Fusion && is_code(&host.comp[operand]);
            if !seen.contains(&array) && !inside() && !code() {
                seen.insert(array);
                out.push((array, operand));
            }
        }
    }
    out
}

/// The body of `members`, which are kernels in program order, with what they read ([`operands`]) and these results.
pub fn body(
    module: &Module,
    (numbers, of_host): (&mut Numbers, &mut OfComputation),
    host: &Host<'_>,
    members: &[UnitId],
    (reads, outputs): (Vec<(ArrayId, InstrId)>, Vec<ArrayId>),
) -> Body {
    let of = |&m: &UnitId| match host.instr(m).attrs {
        Attrs::Fusion { calls, .. } => module[calls].instrs.len(),
        _ => 1,
    };
    let lines = reads.len() + members.iter().map(of).sum::<usize>();
    let body =
        Body { lines: Vec::with_capacity(lines), code: Vec::with_capacity(4 * lines), ..Body::default() };
    let made = FxHashMap::default();
    let known = FxHashMap::with_capacity_and_hasher(lines, FxBuildHasher);
    let mut cx = Assembler { module, host, numbers, of_host, body, made, known };
    cx.parameters(reads);
    for &member in members {
        cx.member(member);
    }
    let results: Vec<u32> = outputs.iter().map(|o| cx.made[o]).collect();
    let root = match results[..] {
        [one] => one,
        _ => cx.append(RESULTS, &results, Source::Results(members[members.len() - 1])),
    };
    cx.body.code.push(root);
    Body { root, outputs, ..cx.body }
}

/// The number of the tuple of all results.
const RESULTS: u32 = 0;

struct Assembler<'a> {
    module: &'a Module,
    host: &'a Host<'a>,
    numbers: &'a mut Numbers,
    of_host: &'a mut OfComputation,
    body: Body,
    /// The line of each array.
    made: FxHashMap<ArrayId, u32>,
    /// Lines by their numbers and the hash of their operands.
    known: FxHashMap<(u32, u64), u32>,
}

impl Assembler<'_> {
    fn parameters(&mut self, reads: Vec<(ArrayId, InstrId)>) {
        for (array, operand) in reads {
            let outer = self.host.array(array).instr.unwrap_or(operand);
            let number = self.of_host.parameter(self.numbers, self.host.comp, outer);
            let line = self.append(number, &[], Source::Parameter(self.body.operands.len() as u32, outer));
            self.made.insert(array, line);
            self.body.operands.push(array);
        }
    }

    fn shape(&self, line: u32) -> &Shape {
        shape(self.body.lines[line as usize].source, self.module, self.host)
    }

    fn append(&mut self, number: u32, operands: &[u32], source: Source) -> u32 {
        let code = &mut self.body.code;
        code.extend([number, operands.len() as u32]);
        let first = code.len() as u32;
        code.extend(operands);
        self.body.lines.push(Line { operands: (first, code.len() as u32), source });
        self.body.lines.len() as u32 - 1
    }

    /// Appends an instruction, or finds the equal one.
    fn add(&mut self, number: u32, operands: &[u32], source: Source) -> u32 {
        let mut hasher = FxHasher::default();
        operands.hash(&mut hasher);
        let key = (number, hasher.finish());
        if let Some(&known) = self.known.get(&key) {
            let (first, last) = self.body.lines[known as usize].operands;
            if self.body.code[first as usize..last as usize].iter().eq(operands) {
                self.body.united.push((known, source));
                return known;
            }
        }
        let line = self.append(number, operands, source);
        self.known.insert(key, line);
        line
    }

    /// The value of a host-level operand, in the shape the reader knows.
    fn operand(&mut self, operand: InstrId) -> u32 {
        let outer = &self.host.comp[operand];
        let array = self.host.leaves[operand.index()].first();
        if let Some(&line) = array.and_then(|a| self.made.get(a)) {
            if self.shape(line).expect_array().same_dims(outer.shape.expect_array()) {
                return line;
            }
            let number = self.numbers.number(Opcode::Reshape, &outer.shape, &Attrs::None);
            return self.add(number, &[line], Source::View(operand));
        }
        let number = self.of_host.of(self.numbers, (self.module, self.host.comp), operand);
        self.add(number, &[], Source::Outside(operand))
    }

    fn member(&mut self, member: UnitId) {
        let instr = self.host.instr(member);
        let outer: Vec<u32> = instr.operands.iter().map(|&o| self.operand(o)).collect();
        let defines = &self.host.unit(member).defines;
        let results = match instr.attrs {
            Attrs::Fusion { calls, .. } => self.inline(calls, &outer),
            _ => {
                let id = self.host.unit(member).instr;
                let number = self.of_host.of(self.numbers, (self.module, self.host.comp), id);
                vec![self.add(number, &outer, Source::Outside(id))]
            }
        };
        let is_array = |&line: &u32| self.shape(line).as_array().is_some();
        if defines.len() == results.len() && results.iter().all(is_array) {
            self.made.extend(defines.iter().copied().zip(results));
            return;
        }
        // One operation with a tuple of results, if only of one.
        for (n, &array) in defines.iter().enumerate() {
            let attrs = Attrs::TupleIndex(n);
            let number =
                self.numbers.number(Opcode::GetTupleElement, element(&instr.shape, n as u32), &attrs);
            let line = self.append(number, &results, Source::Element(member, n as u32));
            self.made.insert(array, line);
        }
    }

    /// Copies a fused computation; gives its results.
    fn inline(&mut self, calls: CompId, outer: &[u32]) -> Vec<u32> {
        let (inner, numbers) = (&self.module[calls], self.numbers.of_body(self.module, calls));
        let mut map: Vec<u32> = Vec::with_capacity(inner.instrs.len());
        let mut operands: Vec<u32> = Vec::new();
        for (id, instr) in inner.iter() {
            operands.clear();
            operands.extend(instr.operands.iter().map(|o| map[o.index()]));
            if id == inner.root && instr.opcode == Opcode::Tuple {
                return operands;
            }
            map.push(match instr.attrs {
                Attrs::Parameter(n) => outer[n],
                _ => self.add(numbers[id.index()], &operands, Source::Inside(calls, id)),
            });
        }
        vec![map[inner.root.index()]]
    }
}
