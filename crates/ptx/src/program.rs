//! What a text becomes: functions of decoded instructions over dense registers.
//!
//! A row is one register of all 32 lanes. Constants, addresses of variables included, are rows behind those of the
//! registers, so that every operand is the number of a row. Predicates are masks of lanes.

use crate::counters::Class;
use crate::lex::Number;
use crate::types::Type;

/// The number of a row.
pub type Row = u32;
/// The number of a predicate.
pub type Pred = u32;

/// An operation on the values of one lane, the result not yet cut to the width of its register.
pub type Lane = fn(u64, u64, u64, u64) -> u64;
/// The same with the carry flag going in and coming out.
pub type Carry = fn(u64, u64, u64, bool) -> (u64, bool);
pub type Test = fn(u64, u64) -> bool;

/// Where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Const,
    Param,
}

/// How an access takes part in the order of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Strength {
    /// Volatile, relaxed, acquire, release: never a race with another of these.
    pub strong: bool,
    pub acquire: bool,
    pub release: bool,
    /// Through the read-only path: no thread may write the location during the launch.
    pub constant: bool,
}

/// An address: the value of a row and an offset.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub space: Space,
    pub base: Row,
    pub offset: i64,
}

#[derive(Clone, Debug)]
pub struct Load {
    pub from: Address,
    /// Bytes of one element.
    pub size: u32,
    /// Elements smaller than their register are extended by their sign.
    pub signed: bool,
    /// A row for each element; none where the text says `_`.
    pub to: Vec<Option<Row>>,
    pub strength: Strength,
}

#[derive(Clone, Debug)]
pub struct Store {
    pub to: Address,
    pub size: u32,
    pub from: Vec<Row>,
    pub strength: Strength,
}

#[derive(Clone, Debug)]
pub struct Atomic {
    pub at: Address,
    pub size: u32,
    /// The new value of the old one and the operands.
    pub update: Lane,
    pub to: Option<Row>,
    pub b: Row,
    pub c: Row,
    pub acquire: bool,
    pub release: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
    Warp,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    DynamicShared,
}

/// What a logical instruction makes of two predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    And,
    Or,
    Xor,
    Not,
    Copy,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub function: usize,
    /// From, to and bytes in the parameter memory of caller and callee.
    pub arguments: Vec<(u32, u32, u32)>,
    /// From the callee's to the caller's.
    pub results: Vec<(u32, u32, u32)>,
}

/// How many of the same predicate, or all or any, at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierVote {
    Count { to: Row },
    All { to: Pred },
    Any { to: Pred },
}

#[derive(Clone, Debug)]
pub enum Op {
    Lanes {
        f: Lane,
        to: Row,
        a: Row,
        b: Row,
        c: Row,
        d: Row,
    },
    Carried {
        f: Carry,
        to: Row,
        a: Row,
        b: Row,
        c: Row,
        writes: bool,
    },
    Test {
        f: Test,
        to: Option<Pred>,
        inverse: Option<Pred>,
        a: Row,
        b: Row,
        with: Option<(Combine, Pred, bool)>,
    },
    /// `to` is all ones (or 1.0) where the test holds.
    Set {
        f: Test,
        to: Row,
        one: u64,
        a: Row,
        b: Row,
    },
    Logic {
        f: Logic,
        to: Pred,
        a: Pred,
        b: Pred,
    },
    PredConst {
        to: Pred,
        value: bool,
    },
    Select {
        to: Row,
        a: Row,
        b: Row,
        by: Pred,
    },
    SelectPred {
        to: Pred,
        a: Pred,
        b: Pred,
        by: Pred,
    },
    Special {
        to: Row,
        what: Special,
    },
    Pack {
        to: Row,
        from: Vec<Row>,
        bits: u32,
    },
    Unpack {
        to: Vec<Option<Row>>,
        from: Row,
        bits: u32,
    },
    Load(Box<Load>),
    Store(Box<Store>),
    Atomic(Box<Atomic>),
    /// Adds the base of a window where an address is, takes it away where not.
    Convert {
        to: Row,
        from: Row,
        space: Space,
        to_generic: bool,
    },
    IsSpace {
        to: Pred,
        from: Row,
        space: Space,
    },
    Branch {
        target: u32,
    },
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Barrier {
        id: Row,
        threads: Option<Row>,
        vote: Option<(BarrierVote, Pred, bool)>,
    },
    WarpBarrier {
        mask: Row,
    },
    Shuffle {
        mode: ShuffleMode,
        to: Option<Row>,
        valid: Option<Pred>,
        a: Row,
        b: Row,
        c: Row,
        mask: Row,
    },
    Vote {
        mode: Vote,
        to: Option<Row>,
        to_pred: Option<Pred>,
        a: Pred,
        negated: bool,
        mask: Row,
    },
    Match {
        all: bool,
        to: Row,
        valid: Option<Pred>,
        a: Row,
        mask: Row,
    },
    Reduce {
        f: Lane,
        to: Row,
        a: Row,
        mask: Row,
    },
    ActiveMask {
        to: Row,
    },
    Fence {
        device: bool,
    },
    CopyAsync {
        to: Address,
        from: Address,
        size: u32,
        source: Option<Row>,
    },
    CopyCommit,
    CopyWait {
        pending: Option<u32>,
    },
    Matrix(Box<crate::matrix::Matrix>),
    LoadMatrix {
        from: Address,
        to: Vec<Row>,
        transposed: bool,
    },
    /// Does nothing that can be seen: hints, sleeping.
    Nothing,
    /// An instruction that the emulator does not know; running into it is a fault.
    Refused(Box<str>),
}

/// When an instruction is executed: for the lanes whose predicate is set, or is not.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    pub by: Pred,
    pub negated: bool,
}

#[derive(Clone, Debug)]
pub struct Inst {
    pub op: Op,
    pub guard: Option<Guard>,
    pub line: u32,
    pub class: Class,
    /// Without a rounding mode: the assembler may fuse it with another.
    pub contractible: bool,
    /// For a branch: where its lanes meet again.
    pub meet: u32,
}

/// A position that no instruction has: the end of a function.
pub const NOWHERE: u32 = u32::MAX;

/// What a row of constants holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    Bits(u64),
    /// The address of a variable in its own space, and an offset.
    Variable(usize, i64),
    /// A place in the local memory of the function's frame.
    Local(i64),
    /// A place in its parameter memory.
    Param(i64),
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub offset: u32,
    pub bytes: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Function {
    pub name: String,
    pub entry: bool,
    pub line: u32,
    pub code: Vec<Inst>,
    /// The masks of the registers' widths; constants are the rows behind them.
    pub widths: Vec<u64>,
    pub constants: Vec<Constant>,
    pub predicates: u32,
    pub parameters: Vec<Parameter>,
    pub results: Vec<Parameter>,
    pub param_bytes: u32,
    pub local_bytes: u32,
    /// The shared variables it names.
    pub shared: Vec<usize>,
    /// The functions it calls.
    pub calls: Vec<usize>,
    /// The most threads of a block (`.maxntid`), and exactly how many (`.reqntid`).
    pub most_threads: Option<[u32; 3]>,
    pub threads: Option<[u32; 3]>,
    pub defined: bool,
}

/// A part of what a variable holds at first.
#[derive(Clone, Debug)]
pub enum Initial {
    Number(Number),
    /// The address of a variable in global or constant memory, which is its generic address too.
    Address {
        variable: String,
        offset: i64,
        line: u32,
    },
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub space: Space,
    pub element: Type,
    pub align: u32,
    pub bytes: u64,
    /// Of a size that the launch tells.
    pub dynamic: bool,
    pub initial: Vec<Initial>,
    pub line: u32,
}
