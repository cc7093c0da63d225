//! Operations by number: equal ones have the same, whatever they are called and read.

use lawson_hlo::{Attrs, CompId, Instruction, Module, Opcode, Shape};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Numbers given in one walk over a module.
#[derive(Default)]
pub struct Numbers {
    /// By hash.
    known: FxHashMap<u64, Vec<(Opcode, Shape, Attrs, u32)>>,
    given: u32,
    bodies: FxHashMap<CompId, Arc<[u32]>>,
}

impl Numbers {
    /// The number of an operation.
    pub fn of(&mut self, instr: &Instruction) -> u32 {
        self.number(instr.opcode, &instr.shape, &instr.attrs)
    }

    /// The number of an operation of this shape.
    pub fn number(&mut self, opcode: Opcode, shape: &Shape, attrs: &Attrs) -> u32 {
        let mut hasher = FxHasher::default();
        (opcode, shape, attrs).hash(&mut hasher);
        let alike = self.known.entry(hasher.finish()).or_default();
        if let Some((.., number)) = alike.iter().find(|(o, s, a, _)| (*o, s, a) == (opcode, shape, attrs)) {
            return *number;
        }
        self.given += 1;
        alike.push((opcode, shape.clone(), attrs.clone(), self.given));
        self.given
    }

    /// What a called computation does: for each instruction its number, how many operands it has, and these; then the
    /// root. Equal for computations that do the same.
    pub fn code(&mut self, module: &Module, body: CompId) -> Vec<u32> {
        let numbers = self.of_body(module, body);
        let mut code = Vec::with_capacity(4 * numbers.len() + 1);
        for (instr, &number) in module[body].instrs.iter().zip(&*numbers) {
            code.extend([number, instr.operands.len() as u32]);
            code.extend(instr.operands.iter().map(|o| o.0));
        }
        code.push(module[body].root.0);
        code
    }

    /// The numbers of all instructions of a called computation.
    pub fn of_body(&mut self, module: &Module, body: CompId) -> Arc<[u32]> {
        if let Some(known) = self.bodies.get(&body) {
            return known.clone();
        }
        let numbers: Arc<[u32]> = module[body].instrs.iter().map(|i| self.of(i)).collect();
        self.bodies.insert(body, numbers.clone());
        numbers
    }
}
