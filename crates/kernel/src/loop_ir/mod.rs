//! Loop IR: the code of a kernel, as structured loops over typed scalar and vector values.
//!
//! A [`Kernel`] is a list of phases. A phase runs its body once for each task index in `0..tasks`, in any order
//! and on any number of threads; all tasks of a phase end before the next begins, so no task reads what another of
//! its phase writes, and if two write one element they write the same. Values are in static single
//! assignment form; loops carry values explicitly. Nothing here is implicit: emitters translate, they never choose.
//!
//! A kernel that does the same for many arrays has a *segment table*: its columns list the arrays of the segments, one
//! for each row, and constant tables hold the extents; code picks an array by the number of the row.
//!
//! [`build`] appends code, [`text`] prints it, [`verify`] lists what is legal, [`eval`] runs it slowly and exactly.

pub mod build;
mod carry_chain;
pub mod eval;
mod layout;
pub mod legal;
pub mod matrix;
mod names;
mod nested;
mod operators;
pub mod text;
pub mod tiles;
pub mod verify;

pub use build::{CodeBuilder, Form};
pub use eval::evaluate;
pub use operators::{Bin, Cast, Cmp, Half, Un, WithCarry};
pub use verify::verify;

use std::borrow::Cow;

/// The type of one lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Elem {
    /// A mask lane. Never in memory.
    I1,
    I8,
    I16,
    I32,
    I64,
    /// A number of four words, which is moved whole; what is computed, is computed on its words.
    I256,
    F32,
    F64,
}

impl Elem {
    pub fn bits(self) -> u32 {
        match self {
            Elem::I1 => 1,
            Elem::I8 => 8,
            Elem::I16 => 16,
            Elem::I32 | Elem::F32 => 32,
            Elem::I64 | Elem::F64 => 64,
            Elem::I256 => 256,
        }
    }

    /// 64-bit words that hold it.
    pub fn words(self) -> usize {
        self.bits().div_ceil(64) as usize
    }

    /// Bytes in memory; a mask is stored as I8.
    pub fn bytes(self) -> i64 {
        (self.bits() as i64 + 7) / 8
    }

    pub fn is_float(self) -> bool {
        matches!(self, Elem::F32 | Elem::F64)
    }

    /// The integer type of the same width.
    pub fn as_int(self) -> Elem {
        match self {
            Elem::F32 => Elem::I32,
            Elem::F64 => Elem::I64,
            other => other,
        }
    }
}

/// A scalar (`lanes == 1`) or vector type. Lanes are a power of two, at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Type {
    pub elem: Elem,
    pub lanes: u32,
}

impl Type {
    pub fn scalar(elem: Elem) -> Type {
        Type { elem, lanes: 1 }
    }

    pub fn vector(elem: Elem, lanes: u32) -> Type {
        Type { elem, lanes }
    }

    pub fn with_elem(self, elem: Elem) -> Type {
        Type { elem, ..self }
    }

    /// The same bits in lanes of another width.
    pub fn regrouped(self, elem: Elem) -> Type {
        Type { elem, lanes: self.lanes * self.elem.bits() / elem.bits() }
    }
}

/// A value; its type is `kernel.types[v.0]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct V(pub u32);

/// An array the kernel reads or writes, by its position in [`Kernel::buffers`], [`Kernel::locals`] or
/// [`Kernel::columns`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Buf {
    /// Passed by the caller.
    Global(u32),
    /// Private to the running task, shared by its lanes; undefined when the task starts.
    Local(u32),
    /// The array of a segment table in that column and row, the row an I64 scalar.
    Cell { column: u32, row: V },
}

/// What a kernel does with a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    Read,
    /// Every element is written, none read before.
    Write,
    /// Updated in place.
    ReadWrite,
    /// Allocated by the runtime for the call, to pass partial results between phases.
    Scratch,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Buffer {
    pub name: String,
    pub elem: Elem,
    /// In elements.
    pub len: i64,
    pub access: Access,
}

/// A task-private array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    pub name: String,
    pub elem: Elem,
    /// In elements.
    pub len: i64,
    /// The part of the kernel that it belongs to, if it has several: a store to it ends what arrays of other parts hold.
    pub part: Option<u32>,
}

/// The code of one kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kernel {
    pub name: String,
    pub buffers: Vec<Buffer>,
    pub locals: Vec<Local>,
    /// Constant tables: of the elementary functions, and what a segment table has beside arrays.
    pub tables: Vec<Cow<'static, [u64]>>,
    /// Columns of segment tables: buffers of one type and access, one for each row.
    pub columns: Vec<Vec<u32>>,
    pub phases: Vec<Phase>,
    /// The type of each value.
    pub types: Vec<Type>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Phase {
    /// Number of tasks.
    pub tasks: i64,
    /// The task index, an I64 scalar in `0..tasks`.
    pub task: V,
    /// Warps that share each task on a graphics processor. Vectors with a lane for each of their threads are spread over
    /// all of them, and arrays of the task are theirs together; anything narrower every warp has for itself. It changes no
    /// value, and means nothing on a processor.
    pub warps: u32,
    /// Whether barriers alone order what the threads of a task do to arrays. Else whoever makes code finds where they wait.
    pub by_barriers: bool,
    /// Whether code has two vectors of half the machine's width in the place of each of its widest. It changes no value, and
    /// means nothing where vectors are spread over threads.
    pub halves: bool,
    pub body: Vec<Stmt>,
}

/// Where a prefetch brings a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cache {
    /// Into all caches: it is used soon.
    First,
    /// Into the second level: more is used before it than the first one holds.
    Second,
}

/// A statement. Structured statements define `results` from the values their blocks yield.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    Let(V, Op),
    Store(Store),
    /// Brings the line that holds element `offset` (an I64 scalar) near; it may lie outside of the array, and nothing
    /// is read then. Changes no value.
    Prefetch {
        buf: Buf,
        offset: V,
        into: Cache,
    },
    /// Matrices are multiplied by the units of some graphics processors. Code for other machines is refused, of this and the next four.
    MatrixProduct(Box<MatrixProduct>),
    /// Four matrices of 8 rows of 8 elements of 16 bits: lane 8·i + r of a warp has the offset of row r of matrix i. Lane
    /// 4·g + t gets elements 2t and 2t + 1 of row g of each, as a word; if `transposed`, those of column g.
    LoadMatrices {
        buf: Buf,
        offset: V,
        transposed: bool,
        results: [V; 4],
    },
    /// Begins to copy elements to an array of the task, which has them when the thread has waited.
    CopyAsync(CopyAsync),
    /// What the thread has begun to copy, and is in no group yet, is a group, be it an empty one.
    GroupCopies,
    /// The thread waits for what it has begun to copy, or only for its groups but so many of the last ones.
    AwaitCopies(Option<u32>),
    /// A product of matrices in memory, as some processors have registers for ([`tiles`]). Others multiply vectors; code for
    /// graphics processors is refused.
    TileProduct(Box<TileProduct>),
    /// Words with carries between them ([`carry_chain`]).
    CarryChain(Box<CarryChain>),
    /// All threads of the task wait for each other: what one of them stored, others may read now. Conditions are scalars, so
    /// all of them come here. Means nothing on a processor, where a task has one thread.
    Barrier,
    /// `for var in lo..hi step s`: `results` are the carried values after the last trip (the inits after none).
    For {
        var: V,
        lo: V,
        hi: V,
        /// Positive.
        step: i64,
        carried: Vec<Carried>,
        body: Block,
        results: Vec<V>,
    },
    If {
        cond: V,
        then: Block,
        otherwise: Block,
        results: Vec<V>,
    },
    /// Repeats: runs `cond` (yielding an I1 scalar), leaves when it is false, else runs `body`, which sees the
    /// values of `cond`.
    While {
        carried: Vec<Carried>,
        cond: Block,
        body: Block,
        results: Vec<V>,
    },
}

/// A loop-carried value: `param` is `init` in the first trip and what the body yielded after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Carried {
    pub param: V,
    pub init: V,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub yields: Vec<V>,
}

/// Writes `value` to `buf` at element `offset`.
///
/// A scalar offset addresses consecutive elements, one for each lane; a vector offset one element for each lane
/// (a scatter), all of them different, since lanes have no order. Lanes whose mask is false write nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Store {
    pub buf: Buf,
    pub offset: V,
    pub value: V,
    pub mask: Option<V>,
    /// Bypass the caches; the address is a multiple of the vector's size.
    pub streaming: bool,
}

/// The type of the factors in a word of a matrix ([`matrix`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Factor {
    F16,
    Bf16,
    /// An F32 of which the lowest 13 bits are ignored.
    Tf32,
    S8,
    U8,
}

/// A product of matrices, added to `sums` ([`matrix`]). Factors are vectors of I32, sums and results of [`Factor::sum`], all with a lane for each thread
/// of the task.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MatrixProduct {
    /// Of the left and of the right matrix: alike, or both of eight bits.
    pub factors: [Factor; 2],
    pub left: [V; 4],
    pub right: [V; 2],
    pub sums: [V; 4],
    pub results: [V; 4],
}

/// Writes the product of `left` and `right` to `sums`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileProduct {
    /// Of the left and of the right matrix: both BF16, or both of eight bits.
    pub factors: [Factor; 2],
    /// Tiles of rows and of columns; registers hold the sums of all, and the factors of each.
    pub tiles: [i64; 2],
    /// Words of the summed dimension, an I64 scalar: a multiple of [`tiles::SIDE`].
    pub words: V,
    /// A row for each of the product: of I32, or of integers as wide as factors.
    pub left: Matrix,
    /// I32, a row for each word, in an array of the task.
    pub right: Matrix,
    /// Of the type of the sums, in an array of the task.
    pub sums: Matrix,
}

/// Words of I32, the least significant first: each link makes one of `results`. All are of one type, also what they are made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CarryChain {
    pub links: Vec<Link>,
    pub results: Vec<V>,
}

/// A word, with the carry of the link before; nothing is carried into the first one. Words are unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Link {
    /// a + b + carry
    Add(V, V),
    /// a − b − carry: what it carries is a borrow, so that such links make chains of their own.
    Sub(V, V),
    /// The low half of a·b, + c + carry
    Low(V, V, V),
    /// The high half of a·b, + c + carry
    High(V, V, V),
}

/// A matrix in an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Matrix {
    pub buf: Buf,
    /// Its first element, an I64 scalar.
    pub offset: V,
    /// Elements from one row to the next.
    pub line: i64,
}

/// A float times two powers of two, which are normal numbers or zero: two products, of which at most the second rounds.
///
/// The rest lets machines do it in another way: the product of the powers is two to the integral `exponent`, a float too, and
/// where `small` is true the result is less than the least normal number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scale {
    pub value: V,
    pub powers: [V; 2],
    pub exponent: V,
    pub small: V,
}

/// Each lane copies so many neighbouring elements, 16 bytes, which begin at multiples of that. Lanes whose mask is false read
/// nothing and copy zeros.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CopyAsync {
    pub to: Buf,
    pub to_offset: V,
    pub from: Buf,
    pub from_offset: V,
    pub elements: u32,
    pub mask: Option<V>,
}

/// An operation that defines one value. Operands of one operation have one type unless said otherwise.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// All lanes have these bits (of an integer or IEEE float of the type's width).
    Const {
        ty: Type,
        bits: u64,
    },
    /// 0, 1, 2 … of an integer type.
    Iota(Type),
    /// A scalar in every lane.
    Splat {
        scalar: V,
        lanes: u32,
    },
    Bin(Bin, V, V),
    /// An operation on two operands and a carry, a mask with as many lanes.
    WithCarry(WithCarry, V, V, V),
    Un(Un, V),
    /// a·b + c, rounded once.
    Fma(V, V, V),
    Scale(Scale),
    Cmp(Cmp, V, V),
    /// `mask ? a : b`; the mask has as many lanes, or is one scalar for all.
    Select(V, V, V),
    Cast {
        op: Cast,
        value: V,
        to: Elem,
    },
    /// Reads `ty.lanes` elements at element `offset`; a scalar offset addresses consecutive elements, a vector
    /// offset one for each lane (a gather). Lanes whose mask is false read nothing and are zero.
    Load {
        buf: Buf,
        offset: V,
        ty: Type,
        mask: Option<V>,
    },
    /// One lane as a scalar.
    Extract(V, u32),
    /// Lanes of the concatenation of two vectors.
    Shuffle {
        a: V,
        b: V,
        lanes: Vec<u32>,
    },
    /// Scalars as the lanes of a vector.
    Pack(Vec<V>),
    /// The bits of an I32 vector as half as many lanes of I64, the even lane below, or the other way; of vectors of I8 and
    /// of I16 as a fourth and half as many lanes of I32, the first lane lowest.
    Regroup {
        value: V,
        to: Elem,
    },
    /// Word `n` of an I256, the least significant first, as I64.
    Word(V, u32),
    /// The I256 of four words of I64.
    Join([V; 4]),
    /// Half of the product of the low 52 bits of two I64, unsigned, added to a third, wrapping: one limb of a product.
    Madd52(Half, V, V, V),
    /// The products of the four bytes in each lane of two I32, those of the first unsigned, of the second signed, added to a
    /// third, wrapping.
    DotBytes(V, V, V),
    /// The products of the two BF16 in each lane of two I32, added to an F32: that of the upper ones, rounded, then that of
    /// the lower ones. Machines that do both at once take numbers below the normal ones for zero.
    DotBf16(V, V, V),
    /// Some lane of the mask is true.
    Any(V),
    /// The number of the first lane of the mask that is true, as I64; as many as there are lanes where none is.
    First(V),
    /// `tables[table][index]` as I64, lane by lane; the index is in range.
    Table {
        table: u32,
        index: V,
    },
}

impl Kernel {
    /// The code without names: kernels that do the same are equal then.
    pub fn nameless(&self) -> Kernel {
        let mut code = self.clone();
        code.name.clear();
        code.buffers.iter_mut().for_each(|b| b.name.clear());
        code.locals.iter_mut().for_each(|l| l.name.clear());
        code
    }

    /// Parallel regions: phases of more than one task, and one where there is none such.
    pub fn parallel_regions(&self) -> u64 {
        self.phases.iter().filter(|p| p.tasks > 1).count().max(1) as u64
    }

    pub fn ty(&self, v: V) -> Type {
        self.types[v.0 as usize]
    }

    /// The array's element type.
    pub fn buf_elem(&self, buf: Buf) -> Elem {
        match buf {
            Buf::Global(i) => self.buffers[i as usize].elem,
            Buf::Local(i) => self.locals[i as usize].elem,
            Buf::Cell { column, .. } => self.column_buffer(column).elem,
        }
    }

    /// What the kernel may do with the array; `None` for its own.
    pub fn buf_access(&self, buf: Buf) -> Option<Access> {
        match buf {
            Buf::Global(i) => Some(self.buffers[i as usize].access),
            Buf::Local(_) => None,
            Buf::Cell { column, .. } => Some(self.column_buffer(column).access),
        }
    }

    /// The first array of a column, which all of it are like.
    fn column_buffer(&self, column: u32) -> &Buffer {
        &self.buffers[self.columns[column as usize][0] as usize]
    }
}
