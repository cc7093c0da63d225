//! Appending Loop IR: typed helpers that keep values in SSA form and fold constants on the way.

mod arithmetic;
mod carry_chain;
mod interval;
mod known_lanes;
mod lanes;
mod locals;
mod matrices;
mod phases;
mod ranges;

use super::*;
use interval::Interval;
use lanes::Lanes;
use lawson_hlo::dtype::Prime;
use lawson_hlo::index::gcd;
use rustc_hash::FxHashMap;

/// Builds the phases of one kernel. Code goes to the innermost open block.
///
/// Identical operations within open blocks are reused, so that the emitted code has no common subexpressions.
pub struct CodeBuilder {
    kernel: Kernel,
    /// The part of the kernel that is being written, if it has several.
    part: Option<u32>,
    /// Tasks of the open phase.
    tasks: i64,
    /// Locals that code from here on may use for something else.
    given_back: Vec<u32>,
    /// Open blocks, innermost last.
    blocks: Vec<OpenBlock>,
    consts: Vec<Option<u64>>,
    /// By value what [`CodeBuilder::level`] gives.
    levels: Vec<usize>,
    /// By value where it lies.
    ranges: Vec<Interval>,
    /// By value a number that it is a multiple of.
    multiples: Vec<i64>,
    /// I64 vectors of which it is known how their lanes lie.
    lanes: FxHashMap<V, Lanes>,
    /// I64 scalars that are another value plus a constant.
    sums: FxHashMap<V, (V, i64)>,
    /// Other words of elements of fields.
    forms: FxHashMap<(V, Prime, Form), V>,
    /// The I64 vectors whose high halves are the even and the odd lanes of I32 vectors.
    high_halves: FxHashMap<V, [V; 2]>,
    /// The words that values of I256 were made of.
    joined: FxHashMap<V, [V; 4]>,
    /// What is best for vectors is not for the lanes of this code: each is a thread, which has instructions for words.
    pub lanes_are_threads: bool,
}

/// A word from which an element of a field differs by a multiple of the modulus p, or by its sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// From 0 to below 2·p.
    Unreduced,
    /// From −p to below p.
    Signed,
    /// From 0 to p.
    AtMostModulus,
    /// That of the opposite element, from 0 to p.
    Opposite,
}

/// A counted loop whose body is being written.
pub struct OpenFor {
    pub var: V,
    /// The carried values inside the loop.
    pub params: Vec<V>,
    /// `None` where it has one trip: then its body belongs to the block around it.
    of_trips: Option<OfTrips>,
}

/// What the statement of a loop has beside its body.
struct OfTrips {
    lo: V,
    hi: V,
    step: i64,
    carried: Vec<Carried>,
}

#[derive(Default)]
struct OpenBlock {
    stmts: Vec<Stmt>,
    known: FxHashMap<Op, V>,
}

impl CodeBuilder {
    pub fn new(name: impl Into<String>) -> CodeBuilder {
        let kernel = Kernel {
            name: name.into(),
            buffers: Vec::new(),
            locals: Vec::new(),
            tables: Vec::new(),
            columns: Vec::new(),
            phases: Vec::new(),
            types: Vec::new(),
        };
        CodeBuilder {
            kernel,
            part: None,
            tasks: 0,
            given_back: Vec::new(),
            blocks: Vec::new(),
            consts: Vec::new(),
            levels: Vec::new(),
            ranges: Vec::new(),
            multiples: Vec::new(),
            lanes: FxHashMap::default(),
            sums: FxHashMap::default(),
            forms: FxHashMap::default(),
            high_halves: FxHashMap::default(),
            joined: FxHashMap::default(),
            lanes_are_threads: false,
        }
    }

    pub fn buffer(&mut self, name: impl Into<String>, elem: Elem, len: i64, access: Access) -> Buf {
        self.kernel.buffers.push(Buffer { name: name.into(), elem, len, access });
        Buf::Global(self.kernel.buffers.len() as u32 - 1)
    }

    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The finished kernel.
    pub fn finish(self) -> Kernel {
        debug_assert!(self.blocks.is_empty(), "an open block at the end of a kernel");
        self.kernel
    }

    fn fresh(&mut self, ty: Type) -> V {
        self.kernel.types.push(ty);
        self.consts.push(None);
        self.ranges.push(Interval::ALL);
        self.multiples.push(1);
        // What is no operation belongs to the block that is opened next, or is taken to: the variable of a loop, what it carries.
        self.levels.push(self.blocks.len());
        V(self.kernel.types.len() as u32 - 1)
    }

    /// Whether nothing writes to the array while the kernel runs.
    pub fn only_reads(&self, buf: Buf) -> bool {
        self.kernel.buf_access(buf) == Some(Access::Read)
    }

    /// What the elements of an array are.
    pub fn elem_of(&self, buf: Buf) -> Elem {
        self.kernel.buf_elem(buf)
    }

    pub fn ty_of(&self, v: V) -> Type {
        self.kernel.ty(v)
    }

    /// The bits of a value known to be constant in all lanes.
    pub fn const_bits(&self, v: V) -> Option<u64> {
        self.consts[v.0 as usize]
    }

    /// The value of an I64 scalar known to be constant.
    pub fn const_i64(&self, v: V) -> Option<i64> {
        (self.ty_of(v) == Type::scalar(Elem::I64)).then(|| self.const_bits(v)).flatten().map(|b| b as i64)
    }

    /// Remembers another word of an element of a field: what can do with that leaves the reduction unused. Forms are those
    /// of one prime: the same word may be an element of another field too.
    pub fn set_form(&mut self, (element, prime): (V, Prime), form: Form, word: V) {
        self.forms.insert((element, prime, form), word);
    }

    /// That word, if there is one.
    pub fn form(&self, (element, prime): (V, Prime), form: Form) -> Option<V> {
        self.forms.get(&(element, prime, form)).copied()
    }

    /// Remembers two I64 vectors whose high halves are the even and the odd lanes of an I32 vector.
    pub fn set_high_halves(&mut self, lanes: V, of: [V; 2]) {
        self.high_halves.insert(lanes, of);
    }

    /// Those vectors: what works on one half of the lanes at a time need not wait until they are put together.
    pub fn high_halves(&self, lanes: V) -> Option<[V; 2]> {
        self.high_halves.get(&lanes).copied()
    }

    /// Runs `body` into a block of its own.
    pub fn block(&mut self, body: impl FnOnce(&mut Self) -> Vec<V>) -> Block {
        self.open();
        let yields = body(self);
        self.close(yields)
    }

    fn append(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("code outside a phase").stmts.push(stmt);
    }

    /// Appends an operation, or finds it done already. Loads are never reused.
    pub fn op(&mut self, op: Op) -> V {
        let is_load = matches!(op, Op::Load { .. });
        if !is_load && let Some(v) = self.blocks.iter().rev().find_map(|b| b.known.get(&op)) {
            return *v;
        }
        let v = self.fresh(self.result_type(&op));
        if let Op::Const { bits, .. } = op {
            self.consts[v.0 as usize] = Some(bits);
        }
        if let Op::Splat { scalar, .. } = op {
            self.consts[v.0 as usize] = self.const_bits(scalar);
        }
        if self.ty_of(v) == Type::scalar(Elem::I64) {
            self.ranges[v.0 as usize] = self.range_of(&op);
            self.multiples[v.0 as usize] = self.multiple_of_op(&op);
        }
        if let Some(lanes) = self.lanes_of(&op, self.ty_of(v)) {
            self.lanes.insert(v, lanes);
        }
        let level = self.block_of(&op);
        self.levels[v.0 as usize] = level;
        let block = self.blocks.get_mut(level).expect("code outside a phase");
        if !is_load {
            block.known.insert(op.clone(), v);
        }
        block.stmts.push(Stmt::Let(v, op));
        v
    }

    /// The type an operation's result has.
    pub fn result_type(&self, op: &Op) -> Type {
        let ty = |v: V| self.ty_of(v);
        match op {
            Op::Const { ty, .. } | Op::Iota(ty) => *ty,
            Op::Splat { scalar, lanes } => Type { lanes: *lanes, ..ty(*scalar) },
            Op::Bin(_, a, _)
            | Op::Un(_, a)
            | Op::Fma(a, ..)
            | Op::Scale(Scale { value: a, .. })
            | Op::Select(_, a, _) => ty(*a),
            Op::WithCarry(op, a, ..) => ty(*a).with_elem(op.result(ty(*a).elem)),
            Op::Cmp(_, a, _) => ty(*a).with_elem(Elem::I1),
            Op::Cast { value, to, .. } => ty(*value).with_elem(*to),
            Op::Load { ty, .. } => *ty,
            Op::Extract(v, _) => Type::scalar(ty(*v).elem),
            Op::Shuffle { a, lanes, .. } => Type { lanes: lanes.len() as u32, ..ty(*a) },
            Op::Pack(vs) => Type { lanes: vs.len() as u32, ..ty(vs[0]) },
            Op::Regroup { value, to } => ty(*value).regrouped(*to),
            Op::Word(v, _) => ty(*v).with_elem(Elem::I64),
            Op::Join(words) => ty(words[0]).with_elem(Elem::I256),
            Op::Madd52(_, a, ..) | Op::DotBytes(a, ..) => ty(*a),
            Op::DotBf16(_, _, sum) => ty(*sum),
            Op::Any(_) => Type::scalar(Elem::I1),
            Op::First(_) => Type::scalar(Elem::I64),
            Op::Table { index, .. } => ty(*index).with_elem(Elem::I64),
        }
    }

    pub fn constant(&mut self, ty: Type, bits: u64) -> V {
        let bits = if ty.elem.bits() == 64 { bits } else { bits & ((1u64 << ty.elem.bits()) - 1) };
        self.op(Op::Const { ty, bits })
    }

    /// An I64 scalar constant.
    pub fn i64(&mut self, value: i64) -> V {
        self.constant(Type::scalar(Elem::I64), value as u64)
    }

    /// A mask scalar constant.
    pub fn bool(&mut self, value: bool) -> V {
        self.constant(Type::scalar(Elem::I1), value as u64)
    }

    /// The value in `lanes` lanes: splats a scalar, leaves a vector of that width.
    pub fn widen_to(&mut self, v: V, lanes: u32) -> V {
        let ty = self.ty_of(v);
        if ty.lanes == lanes {
            v
        } else if let Some(bits) = self.const_bits(v) {
            self.constant(Type { lanes, ..ty }, bits)
        } else if let Some(words) = self.joined.get(&v).copied() {
            let words = words.map(|word| self.widen_to(word, lanes));
            self.join(words)
        } else {
            self.op(Op::Splat { scalar: v, lanes })
        }
    }

    pub fn bin(&mut self, op: Bin, a: V, b: V) -> V {
        let ty = self.ty_of(a);
        if ty.elem == Elem::I64
            && let Some(v) = self.fold_i64(op, a, b)
        {
            return v;
        }
        if ty.elem == Elem::I1
            && let Some(v) = self.fold_mask(op, a, b)
        {
            return v;
        }
        self.op(Op::Bin(op, a, b))
    }

    /// a + b + carry: the word, and the carry out of it.
    pub fn add_carry(&mut self, a: V, b: V, carry: V) -> (V, V) {
        let word = self.op(Op::WithCarry(WithCarry::Add, a, b, carry));
        (word, self.op(Op::WithCarry(WithCarry::CarryOut, a, b, carry)))
    }

    /// a − b − borrow: the word, and the borrow out of it.
    pub fn sub_borrow(&mut self, a: V, b: V, borrow: V) -> (V, V) {
        let word = self.op(Op::WithCarry(WithCarry::Sub, a, b, borrow));
        (word, self.op(Op::WithCarry(WithCarry::BorrowOut, a, b, borrow)))
    }

    /// The words of an I256, the least significant first.
    pub fn words(&mut self, value: V) -> [V; 4] {
        if let Some(&words) = self.joined.get(&value) {
            return words;
        }
        std::array::from_fn(|n| self.op(Op::Word(value, n as u32)))
    }

    /// The I256 of these words.
    pub fn join(&mut self, words: [V; 4]) -> V {
        let value = self.op(Op::Join(words));
        self.joined.insert(value, words);
        value
    }

    pub fn un(&mut self, op: Un, a: V) -> V {
        if op == Un::Not
            && self.ty_of(a).elem == Elem::I1
            && let Some(bits) = self.const_bits(a)
        {
            let ty = self.ty_of(a);
            return self.constant(ty, bits ^ 1);
        }
        self.op(Op::Un(op, a))
    }

    /// Whether some lane of a mask holds.
    pub fn any(&mut self, mask: V) -> V {
        if self.ty_of(mask).lanes == 1 { mask } else { self.op(Op::Any(mask)) }
    }

    pub fn cmp(&mut self, op: Cmp, a: V, b: V) -> V {
        let ty = self.ty_of(a);
        if let Some(value) = self.compared(op, a, b) {
            return self.constant(ty.with_elem(Elem::I1), value as u64);
        }
        if let (Some(x), Some(y)) = (self.const_bits(a), self.const_bits(b)) {
            let above = 64u32.saturating_sub(ty.elem.bits());
            let signed = |bits: u64| ((bits << above) as i64) >> above;
            let value = match op {
                Cmp::Eq => x == y,
                Cmp::Ne => x != y,
                Cmp::Slt => signed(x) < signed(y),
                Cmp::Sle => signed(x) <= signed(y),
                Cmp::Ult => x < y,
                Cmp::Ule => x <= y,
                Cmp::FEq | Cmp::FNe | Cmp::FLt | Cmp::FLe => return self.op(Op::Cmp(op, a, b)),
            };
            return self.constant(ty.with_elem(Elem::I1), value as u64);
        }
        self.op(Op::Cmp(op, a, b))
    }

    pub fn select(&mut self, mask: V, a: V, b: V) -> V {
        match self.const_bits(mask) {
            _ if a == b => a,
            Some(1) => a,
            Some(_) => b,
            None => self.op(Op::Select(mask, a, b)),
        }
    }

    pub fn cast(&mut self, op: Cast, value: V, to: Elem) -> V {
        match self.const_i64(value) {
            _ if self.ty_of(value).elem == to => value,
            Some(c) if op == Cast::Trunc => self.constant(Type::scalar(to), c as u64),
            _ => self.op(Op::Cast { op, value, to }),
        }
    }

    pub fn load(&mut self, buf: Buf, offset: V, lanes: u32, mask: Option<V>) -> V {
        let elem = self.kernel.buf_elem(buf);
        self.op(Op::Load { buf, offset, ty: Type { elem, lanes }, mask })
    }

    /// Where a masked vector begins: at its place if that has a lane in the array, else, when all of its lanes are off, at the first
    /// element. Processors take hundreds of cycles for a vector on a page that is not there, although no lane of it is on. Where few
    /// places lie outside, as around a padded array, they are left alone.
    pub fn start_of_masked(&mut self, buf: Buf, first: V, lanes: u32) -> V {
        let len = match buf {
            Buf::Global(n) => self.kernel.buffers[n as usize].len,
            // Those of a task are near each other, and those of a column are not all as long.
            Buf::Local(_) | Buf::Cell { .. } => return first,
        };
        const FEW: i64 = 16;
        let Interval { least, greatest } = self.range(first);
        if least.saturating_neg().max(0).saturating_add(greatest.saturating_sub(len).max(0)) <= len / FEW {
            return first;
        }
        let [none, before, len] = [0, -(lanes as i64), len].map(|n| self.i64(n));
        let (begins, ends) = (self.cmp(Cmp::Slt, before, first), self.cmp(Cmp::Slt, first, len));
        let touches = self.bin(Bin::And, begins, ends);
        self.select(touches, first, none)
    }

    pub fn store(&mut self, buf: Buf, offset: V, value: V, mask: Option<V>) {
        self.append(Stmt::Store(Store { buf, offset, value, mask, streaming: false }));
    }

    /// A store that bypasses the caches; the address is a multiple of the vector's size.
    pub fn store_streaming(&mut self, buf: Buf, offset: V, value: V) {
        self.append(Stmt::Store(Store { buf, offset, value, mask: None, streaming: true }));
    }

    /// Brings the line of an element near, which may lie outside of the array.
    pub fn prefetch(&mut self, buf: Buf, offset: V, into: Cache) {
        self.append(Stmt::Prefetch { buf, offset, into });
    }

    /// The threads of the task wait for each other.
    pub fn barrier(&mut self) {
        self.append(Stmt::Barrier);
    }

    /// Opens a block of its own; code goes there until [`CodeBuilder::close`].
    pub fn open(&mut self) {
        self.blocks.push(OpenBlock::default());
    }

    /// Closes the innermost block.
    pub fn close(&mut self, yields: Vec<V>) -> Block {
        let open = self.blocks.pop().expect("an open block");
        Block { stmts: open.stmts, yields }
    }

    /// Opens a counted loop; gives its index and the carried values. One that is known to run once is no loop.
    pub fn open_for(&mut self, lo: V, hi: V, step: i64, inits: &[V]) -> OpenFor {
        if self.has_one_trip(lo, hi, step) {
            return OpenFor { var: lo, params: inits.to_vec(), of_trips: None };
        }
        let var = self.fresh(Type::scalar(Elem::I64));
        self.ranges[var.0 as usize] = self.between(lo, hi);
        self.multiples[var.0 as usize] = gcd(self.multiple_of(lo), step);
        let carried = self.carry(inits);
        self.open();
        let params = carried.iter().map(|c| c.param).collect();
        OpenFor { var, params, of_trips: Some(OfTrips { lo, hi, step, carried }) }
    }

    /// Closes a counted loop whose next carried values are `yields`; gives the final ones.
    pub fn close_for(&mut self, open: OpenFor, yields: Vec<V>) -> Vec<V> {
        let OpenFor { var, of_trips: Some(OfTrips { lo, hi, step, carried }), .. } = open else {
            return yields;
        };
        let body = self.close(yields);
        let results = self.results_of(&carried);
        self.append(Stmt::For { var, lo, hi, step, carried, body, results: results.clone() });
        results
    }

    fn carry(&mut self, inits: &[V]) -> Vec<Carried> {
        inits.iter().map(|&init| Carried { param: self.fresh(self.ty_of(init)), init }).collect()
    }

    fn results_of(&mut self, carried: &[Carried]) -> Vec<V> {
        carried.iter().map(|c| self.fresh(self.ty_of(c.init))).collect()
    }

    /// A conditional on closed blocks that yield values of the same types.
    pub fn push_if(&mut self, cond: V, then: Block, otherwise: Block) -> Vec<V> {
        let results: Vec<V> = then.yields.iter().map(|&y| self.fresh(self.ty_of(y))).collect();
        self.append(Stmt::If { cond, then, otherwise, results: results.clone() });
        results
    }

    /// A counted loop; `body` gets the index and the carried values and returns the next ones.
    pub fn for_loop(
        &mut self,
        lo: V,
        hi: V,
        step: i64,
        inits: &[V],
        body: impl FnOnce(&mut Self, V, &[V]) -> Vec<V>,
    ) -> Vec<V> {
        let open = self.open_for(lo, hi, step, inits);
        let yields = body(self, open.var, &open.params);
        self.close_for(open, yields)
    }

    /// A conditional; both sides yield values of the same types. Folds away for a constant condition.
    pub fn if_else(
        &mut self,
        cond: V,
        then: impl FnOnce(&mut Self) -> Vec<V>,
        otherwise: impl FnOnce(&mut Self) -> Vec<V>,
    ) -> Vec<V> {
        match self.const_bits(cond) {
            Some(1) => return then(self),
            Some(_) => return otherwise(self),
            None => {}
        }
        let then = self.block(then);
        let otherwise = self.block(otherwise);
        self.push_if(cond, then, otherwise)
    }

    /// Opens a loop that runs while its condition holds; the condition's code comes first.
    pub fn open_while(&mut self, inits: &[V]) -> Vec<Carried> {
        let carried = self.carry(inits);
        self.open();
        carried
    }

    /// Closes the condition of a loop ([`CodeBuilder::open_while`]) and opens its body, where its values are known.
    pub fn close_condition(&mut self, cond: V) -> Block {
        let OpenBlock { stmts, known } = self.blocks.pop().expect("an open block");
        self.blocks.push(OpenBlock { stmts: Vec::new(), known });
        Block { stmts, yields: vec![cond] }
    }

    /// Closes the body of a conditional loop; gives the final carried values.
    pub fn close_while(&mut self, carried: Vec<Carried>, cond: Block, yields: Vec<V>) -> Vec<V> {
        let body = self.close(yields);
        let results = self.results_of(&carried);
        self.append(Stmt::While { carried, cond, body, results: results.clone() });
        results
    }

    /// A loop that runs while `cond` yields true.
    pub fn while_loop(
        &mut self,
        inits: &[V],
        cond: impl FnOnce(&mut Self, &[V]) -> V,
        body: impl FnOnce(&mut Self, &[V]) -> Vec<V>,
    ) -> Vec<V> {
        let carried = self.open_while(inits);
        let params: Vec<V> = carried.iter().map(|c| c.param).collect();
        let cond = cond(self, &params);
        let cond = self.close_condition(cond);
        let yields = body(self, &params);
        self.close_while(carried, cond, yields)
    }

    /// The index of a constant table in the kernel.
    pub fn table(&mut self, table: impl Into<Cow<'static, [u64]>>) -> u32 {
        let table = table.into();
        let found = self.kernel.tables.iter().position(|t| *t == table);
        found.unwrap_or_else(|| {
            self.kernel.tables.push(table);
            self.kernel.tables.len() - 1
        }) as u32
    }

    /// A column of a segment table, with these buffers in its rows.
    pub fn column(&mut self, arrays: Vec<u32>) -> u32 {
        self.kernel.columns.push(arrays);
        self.kernel.columns.len() as u32 - 1
    }

    /// A value that gets its definition later, by [`CodeBuilder::define`].
    pub fn reserve(&mut self, ty: Type) -> V {
        let v = self.fresh(ty);
        // It may be defined in any block, so nothing that needs it moves to an outer one.
        self.levels[v.0 as usize] = usize::MAX;
        v
    }

    /// Defines a reserved value here.
    pub fn define(&mut self, reserved: V, op: Op) {
        debug_assert_eq!(self.ty_of(reserved), self.result_type(&op));
        self.append(Stmt::Let(reserved, op));
    }

    /// Takes out the phases that were closed so far.
    pub fn take_phases(&mut self) -> Vec<Phase> {
        std::mem::take(&mut self.kernel.phases)
    }

    /// Appends statements whose values this builder made.
    pub fn splice(&mut self, stmts: Vec<Stmt>) {
        self.blocks.last_mut().expect("code outside a phase").stmts.extend(stmts);
    }
}
