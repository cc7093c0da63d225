//! What makes a kernel legal; emitters and the evaluator rely on all of it.
//!
//! - Every value is defined once, before its uses, and seen only in its block and the blocks inside that.
//! - Every operation is in the table of [`legal`], its operands and result have the types it asks for, and vectors
//!   have lanes as there.
//! - Lane numbers, tables and arrays exist. Masks, offsets and values of an access have matching lanes.
//! - Matrices are multiplied by all threads of a task.
//! - An input is only read, an output only written; a streaming store has no mask and no scattered offset.
//! - The arrays of a column have one type and access; a written one is in no other column and used through it only.
//! - Blocks yield what their statement carries or defines; a condition is one I1.

use super::matrix::WARP_LANES;
use super::text::describe;
use super::*;

/// All that is wrong with a kernel, each with its phase and statement.
///
/// # Errors
/// The list, if there is anything.
pub fn verify(kernel: &Kernel) -> Result<(), Vec<String>> {
    let n = kernel.types.len();
    let mut v = Verifier {
        kernel,
        errors: Vec::new(),
        defined: vec![false; n],
        visible: vec![false; n],
        scope: Vec::new(),
        column_of: vec![None; kernel.buffers.len()],
        warps: 1,
        by_barriers: false,
    };
    v.arrays();
    for (i, phase) in kernel.phases.iter().enumerate() {
        let before = v.errors.len();
        v.phase(phase);
        for error in &mut v.errors[before..] {
            *error = format!("phase {i}: {error}");
        }
    }
    if v.errors.is_empty() { Ok(()) } else { Err(v.errors) }
}

const INDEX: Type = Type { elem: Elem::I64, lanes: 1 };
const CONDITION: Type = Type { elem: Elem::I1, lanes: 1 };

struct Verifier<'a> {
    kernel: &'a Kernel,
    errors: Vec<String>,
    /// Values defined so far, and those of them seen from here.
    defined: Vec<bool>,
    visible: Vec<bool>,
    /// The visible values in order of definition.
    scope: Vec<V>,
    /// The column of each buffer that is written.
    column_of: Vec<Option<usize>>,
    /// Those that share a task of the phase, and whether barriers alone order their accesses.
    warps: u32,
    by_barriers: bool,
}

/// What a statement's check found.
type Found = Result<(), String>;

/// `Err(message)` unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => { if !$holds { return Err(format!($($message)+)); } };
}

// It uses the macro above.
mod carry_chain;
mod matrices;

impl Verifier<'_> {
    fn arrays(&mut self) {
        let k = self.kernel;
        let globals = k.buffers.iter().map(|b| (&b.name, b.elem, b.len));
        for (name, elem, len) in globals.chain(k.locals.iter().map(|l| (&l.name, l.elem, l.len))) {
            if elem == Elem::I1 {
                self.errors.push(format!("array {name} of masks"));
            }
            if len < 0 || len.checked_mul(elem.bytes()).is_none() {
                self.errors.push(format!("array {name} of {len} elements"));
            }
        }
        for (c, column) in k.columns.iter().enumerate() {
            if let Err(error) = self.column(c, column) {
                self.errors.push(format!("column c{c}: {error}"));
            }
        }
        for (i, ty) in k.types.iter().enumerate() {
            if !legal::lanes(ty.lanes) {
                self.errors.push(format!("%{i} of {} lanes", ty.lanes));
            }
        }
    }

    fn column(&mut self, number: usize, arrays: &[u32]) -> Found {
        let buffer = |i: &u32| self.kernel.buffers.get(*i as usize).ok_or(format!("no buffer {i}"));
        let Some(first) = arrays.first() else { return Err("no arrays".to_string()) };
        let like = buffer(first)?;
        for i in arrays {
            let b = buffer(i)?;
            ensure!((b.elem, b.access) == (like.elem, like.access), "{} is unlike {}", b.name, like.name);
            let taken = like.access != Access::Read && self.column_of[*i as usize].replace(number).is_some();
            ensure!(!taken, "{} is in a column already", b.name);
        }
        Ok(())
    }

    fn phase(&mut self, phase: &Phase) {
        if phase.tasks < 0 {
            self.errors.push(format!("{} tasks", phase.tasks));
        }
        if !legal::warps(phase.warps) {
            self.errors.push(format!("tasks of {} warps", phase.warps));
        }
        (self.warps, self.by_barriers) = (phase.warps, phase.by_barriers);
        let outside = self.scope.len();
        let task = self.define(phase.task, INDEX);
        self.note(task, "task index".to_string());
        self.stmts(&phase.body);
        self.leave(outside);
    }

    fn note(&mut self, found: Found, at: String) {
        if let Err(error) = found {
            self.errors.push(format!("{at}: {error}"));
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if let Err(error) = self.stmt(stmt) {
                self.errors.push(format!("{}: {error}", describe(self.kernel, stmt)));
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Found {
        match stmt {
            Stmt::Let(v, op) => {
                let ty = self.op(op);
                // Defined all the same, so that one error is not many.
                let own = self.kernel.types.get(v.0 as usize).copied().unwrap_or(INDEX);
                let defined = self.define(*v, ty.clone().unwrap_or(own));
                ty.and(defined)
            }
            Stmt::Store(store) => self.store(store),
            Stmt::Barrier => Ok(()),
            Stmt::LoadMatrices { buf, offset, transposed: _, results } => {
                let ty = MatrixProduct::word_type(self.warps * WARP_LANES);
                let checked = self.load_matrices(*buf, *offset);
                checked.and(results.iter().try_for_each(|&v| self.define(v, ty)))
            }
            Stmt::CopyAsync(copy) => self.copy_async(copy),
            Stmt::GroupCopies => self.by_barriers(),
            Stmt::AwaitCopies(but) => self.await_copies(*but),
            Stmt::MatrixProduct(product) => {
                let checked = self.matrix_product(product);
                let lanes = self.kernel.types.get(product.sums[0].0 as usize).map_or(0, |ty| ty.lanes);
                let ty = product.sum_type(lanes);
                let defined = product.results.iter().try_for_each(|&v| self.define(v, ty));
                checked.and(defined)
            }
            Stmt::TileProduct(product) => self.tile_product(product),
            Stmt::CarryChain(chain) => {
                let lanes = chain.results.first().and_then(|v| self.kernel.types.get(v.0 as usize));
                let ty = CarryChain::word_type(lanes.map_or(0, |ty| ty.lanes));
                let checked = self.carry_chain(chain, ty);
                checked.and(chain.results.iter().try_for_each(|&v| self.define(v, ty)))
            }
            Stmt::Prefetch { buf, offset, into: Cache::First | Cache::Second } => {
                self.array(*buf)?;
                self.expect(*offset, INDEX)
            }
            Stmt::For { var, lo, hi, step, carried, body, results } => {
                let bounds = self.expect(*lo, INDEX).and_then(|()| self.expect(*hi, INDEX));
                let inits = self.inits(carried);
                let outside = self.scope.len();
                let params = self.define(*var, INDEX).and_then(|()| self.params(carried));
                let yields = self.block(body, carried.iter().map(|c| c.param));
                self.leave(outside);
                let ends = self.results(results, carried.iter().map(|c| c.param).collect());
                ensure!(*step > 0, "step {step}");
                bounds.and(inits).and(params).and(yields).and(ends)
            }
            Stmt::If { cond, then, otherwise, results } => {
                let cond = self.expect(*cond, CONDITION);
                let mut yields = Ok(());
                for block in [then, otherwise] {
                    let outside = self.scope.len();
                    yields = yields.and(self.block(block, results.iter().copied()));
                    self.leave(outside);
                }
                cond.and(yields).and(self.results(results, then.yields.clone()))
            }
            Stmt::While { carried, cond, body, results } => {
                let inits = self.inits(carried);
                let outside = self.scope.len();
                let params = self.params(carried);
                self.stmts(&cond.stmts);
                let again = match cond.yields[..] {
                    [v] => self.expect(v, CONDITION),
                    _ => Err(format!("the condition yields {} values", cond.yields.len())),
                };
                let yields = self.block(body, carried.iter().map(|c| c.param));
                self.leave(outside);
                let ends = self.results(results, carried.iter().map(|c| c.param).collect());
                inits.and(params).and(again).and(yields).and(ends)
            }
        }
    }

    fn inits(&self, carried: &[Carried]) -> Found {
        carried.iter().try_for_each(|c| self.ty(c.init).map(|_| ()))
    }

    fn params(&mut self, carried: &[Carried]) -> Found {
        carried.iter().try_for_each(|c| {
            let ty = self.kernel.types.get(c.init.0 as usize).copied().unwrap_or(INDEX);
            self.define(c.param, ty)
        })
    }

    /// The statements of a block and its yields, typed like the values in `like`; the block stays open.
    fn block(&mut self, block: &Block, like: impl ExactSizeIterator<Item = V>) -> Found {
        self.stmts(&block.stmts);
        ensure!(
            block.yields.len() == like.len(),
            "a block yields {} values, not {}",
            block.yields.len(),
            like.len()
        );
        for (&v, like) in block.yields.iter().zip(like) {
            let Some(&ty) = self.kernel.types.get(like.0 as usize) else { continue };
            self.expect(v, ty).map_err(|e| format!("yields {e}"))?;
        }
        Ok(())
    }

    fn results(&mut self, results: &[V], like: Vec<V>) -> Found {
        ensure!(results.len() == like.len(), "{} results for {} values", results.len(), like.len());
        for (&v, &like) in results.iter().zip(&like) {
            let ty = self.kernel.types.get(like.0 as usize).copied().unwrap_or(INDEX);
            self.define(v, ty)?;
        }
        Ok(())
    }

    fn define(&mut self, v: V, ty: Type) -> Found {
        let i = v.0 as usize;
        ensure!(i < self.defined.len(), "%{i} has no type");
        let again = self.defined[i];
        self.defined[i] = true;
        self.visible[i] = true;
        self.scope.push(v);
        ensure!(!again, "%{i} is defined twice");
        let own = self.kernel.types[i];
        ensure!(own == ty, "%{i} is declared {own} but is {ty}");
        Ok(())
    }

    fn leave(&mut self, outside: usize) {
        for v in self.scope.drain(outside..) {
            self.visible[v.0 as usize] = false;
        }
    }

    /// The type of a value that is seen from here.
    fn ty(&self, v: V) -> Result<Type, String> {
        let i = v.0 as usize;
        ensure!(self.defined.get(i) == Some(&true), "%{i} is not defined");
        ensure!(self.visible[i], "%{i} is not seen here");
        Ok(self.kernel.types[i])
    }

    fn expect(&self, v: V, ty: Type) -> Found {
        let own = self.ty(v)?;
        ensure!(own == ty, "%{} is {own}, not {ty}", v.0);
        Ok(())
    }

    /// The common type of two operands.
    fn same(&self, a: V, b: V) -> Result<Type, String> {
        let ty = self.ty(a)?;
        self.expect(b, ty)?;
        Ok(ty)
    }

    /// Checks an operation; gives the type of its result.
    fn op(&self, op: &Op) -> Result<Type, String> {
        Ok(match op {
            Op::Const { ty, bits } => {
                let width = ty.elem.bits();
                ensure!(ty.elem != Elem::I256, "a constant of {ty}");
                ensure!(width == 64 || bits >> width == 0, "{bits:#x} is wider than {ty}");
                *ty
            }
            Op::Iota(ty) => {
                ensure!(legal::int(ty.elem), "{ty} is no integer");
                *ty
            }
            Op::Splat { scalar, lanes } => {
                let ty = self.ty(*scalar)?;
                ensure!(ty.lanes == 1, "%{} is {ty}, no scalar", scalar.0);
                Type { lanes: *lanes, ..ty }
            }
            Op::Bin(op, a, b) => {
                let ty = self.same(*a, *b)?;
                ensure!(legal::bin(*op, ty.elem), "{} of {ty}", op.name());
                ty
            }
            Op::WithCarry(op, a, b, carry) => {
                let ty = self.same(*a, *b)?;
                ensure!(legal::int(ty.elem), "{} of {ty}", op.name());
                self.expect(*carry, ty.with_elem(Elem::I1))?;
                ty.with_elem(op.result(ty.elem))
            }
            Op::Un(op, a) => {
                let ty = self.ty(*a)?;
                ensure!(legal::un(*op, ty.elem), "{} of {ty}", op.name());
                ty
            }
            Op::Fma(a, b, c) => {
                let ty = self.same(*a, *b)?;
                self.expect(*c, ty)?;
                ensure!(ty.elem.is_float(), "fma of {ty}");
                ty
            }
            Op::Scale(Scale { value, powers: [first, second], exponent, small }) => {
                let ty = self.same(*value, *first)?;
                self.expect(*second, ty)?;
                self.expect(*exponent, ty)?;
                self.expect(*small, ty.with_elem(Elem::I1))?;
                ensure!(ty.elem.is_float(), "scale of {ty}");
                ty
            }
            Op::Cmp(op, a, b) => {
                let ty = self.same(*a, *b)?;
                ensure!(legal::cmp(*op, ty.elem), "{} of {ty}", op.name());
                ty.with_elem(Elem::I1)
            }
            Op::Select(mask, a, b) => {
                let ty = self.same(*a, *b)?;
                if self.ty(*mask)? != CONDITION {
                    self.expect(*mask, ty.with_elem(Elem::I1))?;
                }
                ty
            }
            Op::Cast { op, value, to } => {
                let ty = self.ty(*value)?;
                ensure!(legal::cast(*op, ty.elem, *to), "{} of {ty} to {to}", op.name());
                ty.with_elem(*to)
            }
            Op::Load { buf, offset, ty, mask } => {
                self.access(*buf, *offset, *ty, *mask)?;
                ensure!(self.kernel.buf_access(*buf) != Some(Access::Write), "an output is read");
                *ty
            }
            Op::Extract(a, lane) => {
                let ty = self.moved(*a)?;
                ensure!(*lane < ty.lanes, "lane {lane} of {ty}");
                Type::scalar(ty.elem)
            }
            Op::Shuffle { a, b, lanes } => {
                let ty = self.same(*a, *b)?;
                self.moved(*a)?;
                let beyond = lanes.iter().find(|&&l| l >= 2 * ty.lanes);
                ensure!(beyond.is_none(), "lane {beyond:?} of two {ty}");
                let count = lanes.len() as u32;
                ensure!(count <= legal::MAX_MOVED, "a shuffle to {count} lanes");
                Type { lanes: count, ..ty }
            }
            Op::Pack(parts) => {
                let Some(&first) = parts.first() else { return Err("packs nothing".to_string()) };
                let ty = self.ty(first)?;
                ensure!(ty.lanes == 1, "%{} is {ty}, no scalar", first.0);
                parts.iter().try_for_each(|&p| self.expect(p, ty))?;
                let count = parts.len() as u32;
                ensure!(count <= legal::MAX_MOVED, "packs {count} lanes");
                Type { lanes: count, ..ty }
            }
            Op::Regroup { value, to } => {
                let ty = self.ty(*value)?;
                ensure!(legal::regroup(ty, *to), "regroup of {ty} to {to}");
                ty.regrouped(*to)
            }
            Op::Word(value, word) => {
                let ty = self.ty(*value)?;
                ensure!(ty.elem == Elem::I256 && *word < 4, "word {word} of {ty}");
                ty.with_elem(Elem::I64)
            }
            Op::Join(words) => {
                let ty = self.ty(words[0])?;
                ensure!(ty.elem == Elem::I64, "%{} is {ty}, no word", words[0].0);
                words.iter().try_for_each(|&w| self.expect(w, ty))?;
                ty.with_elem(Elem::I256)
            }
            Op::Madd52(half, a, b, c) => {
                let ty = self.same(*a, *b)?;
                self.expect(*c, ty)?;
                ensure!(ty.elem == Elem::I64, "{} of {ty}", half.name());
                ty
            }
            Op::DotBytes(a, b, c) => {
                let ty = self.same(*a, *b)?;
                self.expect(*c, ty)?;
                ensure!(ty.elem == Elem::I32, "bytes of {ty}");
                ty
            }
            Op::DotBf16(a, b, c) => {
                let ty = self.same(*a, *b)?;
                ensure!(ty.elem == Elem::I32, "pairs of {ty}");
                self.expect(*c, ty.with_elem(Elem::F32))?;
                ty.with_elem(Elem::F32)
            }
            Op::Any(mask) => {
                let ty = self.ty(*mask)?;
                ensure!(ty.elem == Elem::I1, "%{} is {ty}, no mask", mask.0);
                CONDITION
            }
            Op::First(mask) => {
                let ty = self.moved(*mask)?;
                ensure!(ty.elem == Elem::I1, "%{} is {ty}, no mask", mask.0);
                Type::scalar(Elem::I64)
            }
            Op::Table { table, index } => {
                let ty = self.ty(*index)?;
                ensure!(legal::int(ty.elem), "an index of {ty}");
                ensure!((*table as usize) < self.kernel.tables.len(), "table {table} does not exist");
                ty.with_elem(Elem::I64)
            }
        })
    }

    /// The type of a vector whose lanes are moved or told apart.
    fn moved(&self, v: V) -> Result<Type, String> {
        let ty = self.ty(v)?;
        ensure!(ty.lanes <= legal::MAX_MOVED, "lanes of {ty} are moved");
        Ok(ty)
    }

    fn store(&self, store: &Store) -> Found {
        let ty = self.ty(store.value)?;
        self.access(store.buf, store.offset, ty, store.mask)?;
        ensure!(self.kernel.buf_access(store.buf) != Some(Access::Read), "an input is written");
        if store.streaming {
            ensure!(store.mask.is_none(), "a streaming store has a mask");
            ensure!(self.ty(store.offset)?.lanes == 1, "a streaming store is scattered");
        }
        Ok(())
    }

    /// The array is there, and used the way it is declared.
    fn array(&self, buf: Buf) -> Found {
        let exists = match buf {
            Buf::Global(i) => (i as usize) < self.kernel.buffers.len(),
            Buf::Local(i) => (i as usize) < self.kernel.locals.len(),
            Buf::Cell { column, row } => {
                self.expect(row, INDEX)?;
                self.kernel.columns.get(column as usize).is_some_and(|c| !c.is_empty())
            }
        };
        ensure!(exists, "{buf:?} does not exist");
        if let Buf::Global(i) = buf {
            ensure!(self.column_of[i as usize].is_none(), "an array of a column is used by itself");
        }
        Ok(())
    }

    /// What loads and stores have in common; `ty` is the type of the value.
    fn access(&self, buf: Buf, offset: V, ty: Type, mask: Option<V>) -> Found {
        self.array(buf)?;
        let elem = self.kernel.buf_elem(buf);
        ensure!(elem == ty.elem, "{ty} in an array of {elem}");
        let at = self.ty(offset)?;
        ensure!(legal::offset(at.elem), "an offset of {at}");
        ensure!(at.lanes == 1 || at.lanes == ty.lanes, "an offset of {at} for {ty}");
        if let Some(mask) = mask {
            self.expect(mask, ty.with_elem(Elem::I1))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
