//! Operations by number: equal ones have the same, whatever they are called and read.

use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_kernel::region::build::known_trips;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Numbers given while a module is planned. They outlive passes: called computations are numbered by what they do.
#[derive(Default)]
pub struct Numbers {
    /// By hash.
    known: FxHashMap<u64, Vec<(Operation, u32)>>,
    given: u32,
    /// Called computations by their code.
    computations: FxHashMap<Vec<u32>, u32>,
    /// The same by their position in the module, as long as nothing moves.
    at: FxHashMap<CompId, u32>,
    /// The numbers of their instructions.
    bodies: FxHashMap<CompId, Arc<[u32]>>,
}

/// What an operation does. Of a loop also how often, where that is noted.
type Operation = (Opcode, Shape, Attrs, Option<i64>);

impl Numbers {
    /// Forgets where computations stand: a pass may have moved them.
    pub fn forget_positions(&mut self) {
        self.at.clear();
        self.bodies.clear();
    }

    /// The number of an operation.
    pub fn of(&mut self, module: &Module, instr: &Instruction) -> u32 {
        let trips = || known_trips(instr).filter(|_| instr.opcode == Opcode::While);
        if instr.attrs.called().is_empty() {
            return self.number(instr.opcode, &instr.shape, &instr.attrs);
        }
        let mut attrs = instr.attrs.clone();
        attrs.map_called(|c| CompId(self.of_computation(module, c)));
        self.numbered((instr.opcode, &instr.shape, &attrs, trips()))
    }

    /// The number of an operation of this shape that calls nothing.
    pub fn number(&mut self, opcode: Opcode, shape: &Shape, attrs: &Attrs) -> u32 {
        self.numbered((opcode, shape, attrs, None))
    }

    fn numbered(&mut self, operation: (Opcode, &Shape, &Attrs, Option<i64>)) -> u32 {
        let mut hasher = FxHasher::default();
        operation.hash(&mut hasher);
        let alike = self.known.entry(hasher.finish()).or_default();
        if let Some((_, number)) = alike.iter().find(|((o, s, a, t), _)| (*o, s, a, *t) == operation) {
            return *number;
        }
        self.given += 1;
        let (opcode, shape, attrs, trips) = operation;
        alike.push(((opcode, shape.clone(), attrs.clone(), trips), self.given));
        self.given
    }

    /// The number of a called computation.
    fn of_computation(&mut self, module: &Module, id: CompId) -> u32 {
        if let Some(&known) = self.at.get(&id) {
            return known;
        }
        let code = self.code(module, id);
        let next = self.computations.len() as u32;
        let number = *self.computations.entry(code).or_insert(next);
        self.at.insert(id, number);
        number
    }

    /// What a called computation does: for each instruction its number, how many operands it has, and these; then the
    /// root. Equal for computations that do the same.
    pub fn code(&mut self, module: &Module, body: CompId) -> Vec<u32> {
        let numbers = self.of_body(module, body);
        coded(&module[body], numbers.iter().copied())
    }

    /// The same of a computation that stands nowhere yet: its parameters are numbered by their shapes.
    pub fn code_of(&mut self, module: &Module, body: &Computation) -> Vec<u32> {
        let number = |instr: &Instruction| match instr.opcode {
            Opcode::Parameter => self.number(instr.opcode, &instr.shape, &Attrs::None),
            _ => self.of(module, instr),
        };
        coded(body, body.instrs.iter().map(number))
    }

    /// The numbers of all instructions of a called computation.
    pub fn of_body(&mut self, module: &Module, body: CompId) -> Arc<[u32]> {
        if let Some(known) = self.bodies.get(&body) {
            return known.clone();
        }
        let numbers: Arc<[u32]> = module[body].instrs.iter().map(|i| self.of(module, i)).collect();
        self.bodies.insert(body, numbers.clone());
        numbers
    }
}

/// The code of a computation whose instructions have these numbers.
fn coded(body: &Computation, numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut code = Vec::with_capacity(4 * body.instrs.len() + 1);
    for (instr, number) in body.instrs.iter().zip(numbers) {
        code.extend([number, instr.operands.len() as u32]);
        code.extend(instr.operands.iter().map(|o| o.0));
    }
    code.push(body.root.0);
    code
}

/// Numbers of the instructions of one computation, as they are asked for.
pub struct OfComputation {
    /// Of each instruction by itself, and as a parameter; 0 is not asked for yet.
    own: Vec<u32>,
    parameters: Vec<u32>,
}

impl OfComputation {
    pub fn new(comp: &Computation) -> OfComputation {
        let none = vec![0; comp.instrs.len()];
        OfComputation { own: none.clone(), parameters: none }
    }

    /// The number of an instruction.
    pub fn of(&mut self, numbers: &mut Numbers, (module, comp): (&Module, &Computation), id: InstrId) -> u32 {
        let known = &mut self.own[id.index()];
        if *known == 0 {
            *known = numbers.of(module, &comp[id]);
        }
        *known
    }

    /// The number of a parameter of that shape.
    pub fn parameter(&mut self, numbers: &mut Numbers, comp: &Computation, id: InstrId) -> u32 {
        let known = &mut self.parameters[id.index()];
        if *known == 0 {
            *known = numbers.number(Opcode::Parameter, &comp[id].shape, &Attrs::None);
        }
        *known
    }
}
