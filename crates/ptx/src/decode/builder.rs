//! The function that is being read: its registers, constants and names.

use crate::lex::Number;
use crate::program::{Address, Constant, Function, Inst, Pred, Row, Space};
use crate::soft::{self, Mode};
use crate::text::Operand;
use crate::types::{B32, B64, Kind, Type};
use rustc_hash::FxHashMap;

/// Registers and constants of one function, at most.
const MAX_ROWS: usize = 1 << 16;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    Register(Row, Type),
    Predicate(Pred),
    /// A variable of the module, by its number.
    Variable(usize, Space),
    /// A place in the frame's local memory.
    Local(u32),
    /// A place in the frame's parameter memory, with its bytes.
    Param(u32, u32),
}

/// The names of one pair of braces.
pub type Scope = FxHashMap<String, Symbol>;

pub struct Builder<'m> {
    pub function: Function,
    module: &'m Scope,
    scopes: Vec<Scope>,
    constants: FxHashMap<Constant, Row>,
    /// Where the next parameter of a call goes; those of braces give their place back.
    pub param_end: u32,
    param_ends: Vec<u32>,
}

impl<'m> Builder<'m> {
    pub fn new(function: Function, module: &'m Scope) -> Self {
        let param_end = function.param_bytes;
        let (scopes, constants) = (vec![Scope::default()], FxHashMap::default());
        Self { function, module, scopes, constants, param_end, param_ends: Vec::new() }
    }

    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
        self.param_ends.push(self.param_end);
    }

    /// Leaves the innermost braces; false for those of the function itself.
    pub fn close(&mut self) -> bool {
        self.scopes.pop();
        self.param_end = self.param_ends.pop().unwrap_or(self.param_end);
        !self.scopes.is_empty()
    }

    pub fn push(&mut self, inst: Inst) {
        self.function.code.push(inst);
    }

    pub fn define(&mut self, name: String, symbol: Symbol) -> Result<(), String> {
        let scope = self.scopes.last_mut().ok_or("a declaration outside of a function")?;
        match scope.insert(name.clone(), symbol) {
            None => Ok(()),
            Some(_) => Err(format!("`{name}` is declared twice")),
        }
    }

    pub fn define_register(&mut self, name: String, t: Type) -> Result<(), String> {
        let symbol = if t.kind == Kind::Predicate {
            if self.function.predicates as usize >= MAX_ROWS {
                return Err("too many predicates".into());
            }
            self.function.predicates += 1;
            Symbol::Predicate(self.function.predicates - 1)
        } else {
            Symbol::Register(self.row(t.mask(), Constant::Bits(0))?, t)
        };
        self.define(name, symbol)
    }

    /// A new row. That of a register has the constant 0, which nothing reads.
    fn row(&mut self, width: u64, constant: Constant) -> Result<Row, String> {
        if self.function.widths.len() >= MAX_ROWS {
            return Err("too many registers".into());
        }
        self.function.widths.push(width);
        self.function.constants.push(constant);
        Ok(self.function.widths.len() as Row - 1)
    }

    /// The row that holds a constant.
    pub fn constant(&mut self, constant: Constant) -> Result<Row, String> {
        if let Some(&row) = self.constants.get(&constant) {
            return Ok(row);
        }
        let row = self.row(0, constant)?;
        self.constants.insert(constant, row);
        Ok(row)
    }

    pub fn bits(&mut self, bits: u64) -> Result<Row, String> {
        self.constant(Constant::Bits(bits))
    }

    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        found.or_else(|| self.module.get(name)).copied()
    }

    fn register(&self, name: &str) -> Result<(Row, Type), String> {
        match self.lookup(name) {
            Some(Symbol::Register(row, t)) => Ok((row, t)),
            Some(_) => Err(format!("`{name}` is no register of this kind")),
            None => Err(format!("`{name}` is not declared")),
        }
    }

    /// The row of a register or a literal of exactly that type.
    pub fn source(&mut self, operand: &Operand, t: Type) -> Result<Row, String> {
        match operand {
            Operand::Name(name) => {
                let (row, register) = self.register(name)?;
                fits(t.accepts(register), name, register, t)?;
                Ok(row)
            }
            Operand::Number(number) => self.literal(*number, t),
            _ => Err("a register or a number expected".into()),
        }
    }

    /// The same, of a register that may be wider than the type.
    pub fn source_wide(&mut self, operand: &Operand, t: Type) -> Result<Row, String> {
        match operand {
            Operand::Name(name) => {
                let (row, register) = self.register(name)?;
                fits(wide(t, register), name, register, t)?;
                Ok(row)
            }
            _ => self.source(operand, t),
        }
    }

    /// The register of exactly that type that an instruction writes.
    pub fn target(&self, operand: &Operand, t: Type) -> Result<Row, String> {
        let Operand::Name(name) = operand else { return Err("a register expected".into()) };
        let (row, register) = self.register(name)?;
        fits(t.accepts(register), name, register, t)?;
        Ok(row)
    }

    /// The same, of a register that may be wider than the type, with its bits.
    pub fn target_wide(&self, operand: &Operand, t: Type) -> Result<(Row, u32), String> {
        let Operand::Name(name) = operand else { return Err("a register expected".into()) };
        let (row, register) = self.register(name)?;
        fits(wide(t, register), name, register, t)?;
        Ok((row, register.bits))
    }

    /// A target, or none for `_`.
    pub fn target_or_sink(&self, operand: &Operand, t: Type) -> Result<Option<Row>, String> {
        if is_sink(operand) { Ok(None) } else { self.target(operand, t).map(Some) }
    }

    pub fn pred(&self, name: &str) -> Result<Pred, String> {
        match self.lookup(name) {
            Some(Symbol::Predicate(p)) => Ok(p),
            _ => Err(format!("`{name}` is no predicate")),
        }
    }

    pub fn pred_target(&self, operand: &Operand) -> Result<Pred, String> {
        match operand {
            Operand::Name(name) => self.pred(name),
            _ => Err("a predicate expected".into()),
        }
    }

    /// A predicate that may be negated.
    pub fn pred_source(&self, operand: &Operand) -> Result<(Pred, bool), String> {
        match operand {
            Operand::Name(name) => Ok((self.pred(name)?, false)),
            Operand::Not(name) => Ok((self.pred(name)?, true)),
            _ => Err("a predicate expected".into()),
        }
    }

    /// The bits of a literal in a type.
    pub fn literal(&mut self, number: Number, t: Type) -> Result<Row, String> {
        let bits = literal_bits(number, t).ok_or("a literal of another type")?;
        self.bits(bits)
    }

    /// `[base+offset]` in a space.
    pub fn address(&mut self, operand: &Operand, space: Space) -> Result<Address, String> {
        let Operand::Address(base, offset) = operand else { return Err("an address expected".into()) };
        let Some(name) = base else {
            let base = self.bits(0)?;
            return Ok(Address { space, base, offset: *offset });
        };
        let symbol = self.lookup(name).ok_or_else(|| format!("`{name}` is not declared"))?;
        let base = match symbol {
            Symbol::Register(row, t) => {
                fits(t.is_integer() && matches!(t.bits, 32 | 64), name, t, B64)?;
                row
            }
            _ => self.place(name, space)?,
        };
        Ok(Address { space, base, offset: *offset })
    }

    /// The row with the address of a variable, which has to be in the space if that is not generic.
    fn place(&mut self, name: &str, space: Space) -> Result<Row, String> {
        let (constant, at) = self.symbol_address(name, 0)?;
        if space != at && space != Space::Generic || space == Space::Generic && at == Space::Param {
            return Err(format!("`{name}` is a variable of another state space"));
        }
        self.constant(constant)
    }

    /// The address of a variable in its own space.
    pub fn symbol_address(&mut self, name: &str, offset: i64) -> Result<(Constant, Space), String> {
        match self.lookup(name) {
            Some(Symbol::Variable(v, space)) => {
                if space == Space::Shared && !self.function.shared.contains(&v) {
                    self.function.shared.push(v);
                }
                Ok((Constant::Variable(v, offset), space))
            }
            Some(Symbol::Local(at)) => Ok((Constant::Local(i64::from(at) + offset), Space::Local)),
            Some(Symbol::Param(at, _)) => Ok((Constant::Param(i64::from(at) + offset), Space::Param)),
            Some(_) => Err(format!("`{name}` has no address")),
            None => Err(format!("`{name}` is not declared")),
        }
    }

    /// The place of a parameter in the frame.
    pub fn param(&self, name: &str) -> Result<(u32, u32), String> {
        match self.lookup(name) {
            Some(Symbol::Param(at, bytes)) => Ok((at, bytes)),
            _ => Err(format!("`{name}` is no parameter")),
        }
    }
}

pub fn is_sink(operand: &Operand) -> bool {
    matches!(operand, Operand::Name(name) if name == "_")
}

fn wide(t: Type, register: Type) -> bool {
    let float = |t: Type| t.is_float() && !t.packed;
    t.accepts_kind(register) && register.bits >= t.bits && !(float(register) && register.bits != t.bits)
}

fn fits(ok: bool, name: &str, register: Type, t: Type) -> Result<(), String> {
    if ok {
        return Ok(());
    }
    let kind = |t: Type| format!("{:?} of {} bits", t.kind, t.bits).to_lowercase();
    Err(format!("`{name}` ({}) where {} is wanted", kind(register), kind(t)))
}

/// The bits of a literal in a type; none where the kinds do not go together.
pub fn literal_bits(number: Number, t: Type) -> Option<u64> {
    match (number, t.kind, t.bits) {
        (Number::Integer(x), Kind::Bits | Kind::Unsigned | Kind::Signed, _) => Some(x & t.mask()),
        // Halves are written by their bits.
        (Number::Integer(x), Kind::Float | Kind::Bfloat, 16) => Some(x & t.mask()),
        (Number::Integer(x), _, 32) if t.packed => Some(x & t.mask()),
        (Number::Single(x), Kind::Float, 64) => Some(f64::from(f32::from_bits(x)).to_bits()),
        (Number::Single(x), ..) if t.bits == B32.bits => Some(x.into()),
        (Number::Double(x), Kind::Float, 32) => Some((f64::from_bits(x) as f32).to_bits().into()),
        (Number::Double(x), ..) if t.bits == B64.bits => Some(x),
        (Number::Float(x), Kind::Float, 64) => Some(x.to_bits()),
        (Number::Float(x), Kind::Float, 32) => Some(soft::from_f64(x, soft::F32, Mode::Even)),
        _ => None,
    }
}
