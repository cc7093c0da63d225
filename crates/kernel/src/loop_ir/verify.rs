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
            Stmt::AwaitCopies => self.by_barriers(),
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
mod tests {
    use super::*;

    /// A kernel with these lines in its one phase; `%0` is the task.
    fn check(lines: &[&str]) -> Result<(), Vec<String>> {
        let head = "kernel k (in x: f32[64], out y: f32[64], inout z: i64[64]) {\nphase tasks=4 task=%0 {\n";
        let text = format!("{head}{}\n}}\n}}", lines.join("\n"));
        verify(&text::parse(&text).unwrap())
    }

    #[track_caller]
    fn refused(lines: &[&str], message: &str) {
        let errors = check(lines).unwrap_err();
        assert!(errors.iter().any(|e| e.contains(message)), "{errors:?}");
    }

    const LOAD: &str = "%1 = load x[%0] : f32x4";

    #[test]
    fn a_legal_kernel_passes() {
        let lines = [
            LOAD,
            "%2 = fadd %1, %1 : f32x4",
            "for %3 = %0 to %0 step 2 carry (%4 = %2) {",
            "%5 = fma %4, %4, %1 : f32x4",
            "yield %5",
            "} -> (%6)",
            "store y[%0] = %6 streaming",
        ];
        assert_eq!(check(&lines), Ok(()));
    }

    #[test]
    fn matrices_are_multiplied_by_all_threads() {
        let product = |factors: [&str; 2], lanes: u32, sums: &str| {
            let [left, right] = factors;
            vec![
                format!("%1 = const 1 : i32x{lanes}"),
                format!("%2 = const 0 : {sums}x{lanes}"),
                format!(
                    "matrix_product {left} (%1, %1, %1, %1), {right} (%1, %1) + (%2, %2, %2, %2) -> (%3, %4, %5, %6)"
                ),
                format!("%7 = {} %3, %6 : {sums}x{lanes}", if sums == "f32" { "fadd" } else { "add" }),
            ]
        };
        let found = |factors, lanes, sums| {
            let lines = product(factors, lanes, sums);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            check(&lines).map_err(|errors| errors.join("\n"))
        };
        assert_eq!(found(["bf16", "bf16"], 32, "f32"), Ok(()));
        assert_eq!(found(["u8", "s8"], 32, "i32"), Ok(()));
        for (factors, lanes, sums, message) in [
            (["bf16", "f16"], 32, "f32", "no product of bf16 and f16"),
            (["f16", "f16"], 64, "f32", "64 lanes of 32 threads multiply matrices"),
            (["s8", "s8"], 32, "f32", "%2 is f32x32, not i32x32"),
        ] {
            let error = found(factors, lanes, sums).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn values_are_seen_in_their_block_only() {
        let branch = ["%1 = const true : i1", "if %1 {", "%2 = const 1 : i64", "} else {"];
        refused(&[&branch[..], &["%3 = add %2, %2 : i64", "}"]].concat(), "%2 is not seen here");
        refused(&[&branch[..], &["}", "%3 = add %2, %2 : i64"]].concat(), "%2 is not seen here");
        // The body of a loop runs after its condition, what follows the loop perhaps after neither.
        let while_loop = ["while {", "%1 = const true : i1", "yield %1", "} do {", "%2 = not %1 : i1", "}"];
        assert_eq!(check(&while_loop), Ok(()));
        for seen in ["%1", "%2"] {
            let after = format!("%3 = not {seen} : i1");
            refused(&[&while_loop[..], &[&after]].concat(), &format!("{seen} is not seen here"));
        }
        refused(&[LOAD, "%1 = load x[%0] : f32x4"], "%1 is defined twice");
    }

    #[test]
    fn types_are_those_of_the_table() {
        refused(&[LOAD, "%2 = add %1, %1 : f32x4"], "add of f32x4");
        refused(&[LOAD, "%2 = fadd %1, %1 : f32x8"], "%2 is declared f32x8 but is f32x4");
        refused(&[LOAD, "%2 = fadd %1, %0 : f32x4"], "%0 is i64, not f32x4");
        refused(&["%1 = zext %0 : f64"], "zext of i64 to f64");
        refused(&["%1 = const true : i1x4", "%2 = popcnt %1 : i1x4"], "popcnt of i1x4");
        refused(&[LOAD, "%2 = select %0, %1, %1 : f32x4"], "%0 is i64, not i1x4");
        refused(&[LOAD, "%2 = any %1 : i1"], "no mask");
        refused(&[LOAD, "%2 = umulhi %1, %1 : f32x4"], "umulhi of f32x4");
    }

    #[test]
    fn carries_are_masks_of_as_many_lanes() {
        let mask = "%1 = const true : i1";
        assert_eq!(
            check(&[mask, "%2 = add_carry %0, %0, %1 : i64", "%3 = carry_out %0, %0, %1 : i1"]),
            Ok(())
        );
        refused(&[mask, "%2 = borrow_out %0, %0, %1 : i64"], "%2 is declared i64 but is i1");
        refused(&[mask, "%2 = add_carry %0, %0, %0 : i64"], "%0 is i64, not i1");
        refused(&[mask, "%2 = iota : i64x4", "%3 = sub_borrow %2, %2, %1 : i64x4"], "%1 is i1, not i1x4");
        refused(&[mask, "%2 = add_carry %1, %1, %1 : i1"], "add_carry of i1");
    }

    #[test]
    fn lanes_exist_and_match() {
        refused(&[LOAD, "%2 = extract %1[4] : f32"], "lane 4 of f32x4");
        refused(&[LOAD, "%2 = shuffle %1, %1 [0, 8] : f32x2"], "lane Some(8) of two f32x4");
        refused(&[LOAD, "%2 = shuffle %1, %1 [0, 1, 2] : f32x2"], "is declared f32x2 but is f32x3");
        refused(&["%1 = iota : i64x8", "%2 = load x[%1] : f32x4"], "an offset of i64x8 for f32x4");
        refused(&["%1 = const true : i1", "%2 = load x[%0] mask %1 : f32x4"], "%1 is i1, not i1x4");
    }

    #[test]
    fn arrays_are_used_as_declared() {
        refused(&["%1 = load y[%0] : f32"], "an output is read");
        refused(&[LOAD, "store x[%0] = %1"], "an input is written");
        refused(&["%1 = load z[%0] : f32"], "f32 in an array of i64");
        refused(&["%1 = table t3[%0] : i64"], "table 3 does not exist");
        let masked = "store y[%0] = %1 mask %2 streaming";
        refused(&[LOAD, "%2 = const true : i1x4", masked], "a streaming store has a mask");
    }

    #[test]
    fn columns_hold_arrays_that_are_alike_and_theirs_alone() {
        let text = |columns: &str, line: &str| {
            format!(
                "kernel k (in a: f32[8], in b: f32[4], in n: i64[4], out x: f32[8], out y: f32[4]) {{\n\
                 {columns}\nphase tasks=2 task=%0 {{\n{line}\n%9 = const 0 : i64\n}}\n}}"
            )
        };
        let check = |columns: &str, line: &str| verify(&text::parse(&text(columns, line)).unwrap());
        let copy = "%1 = load c0{%0}[%0] : f32\nstore c1{%0}[%0] = %1";
        assert_eq!(check("column c0 = [a, b, a]\ncolumn c1 = [x, y]", copy), Ok(()));
        for (columns, line, message) in [
            ("column c0 = [a, n]", "", "n is unlike a"),
            ("column c0 = [x, a]", "", "a is unlike x"),
            ("column c0 = []", "", "no arrays"),
            ("column c0 = [x, x]", "", "x is in a column already"),
            ("column c0 = [a]\ncolumn c1 = [x]\ncolumn c2 = [y, x]", "", "x is in a column already"),
            ("", "%1 = load c0{%0}[%0] : f32", "does not exist"),
            ("column c0 = [x, y]", "%1 = load c0{%0}[%0] : f32", "an output is read"),
            ("column c0 = [a]", "%1 = load a[%0] : f32\nstore c0{%0}[%0] = %1", "an input is written"),
            ("column c0 = [x, y]", "%1 = load a[%0] : f32\nstore x[%0] = %1", "used by itself"),
            ("column c0 = [a]", "%1 = load a[%0] : f32\n%2 = load c0{%1}[%0] : f32", "%1 is f32, not i64"),
        ] {
            let errors = check(columns, line).unwrap_err();
            assert!(errors.iter().any(|e| e.contains(message)), "{columns} {line}: {errors:?}");
        }
    }

    #[test]
    fn blocks_yield_what_is_carried() {
        let head = "for %3 = %0 to %0 step 1 carry (%4 = %0) {";
        refused(&[head, "} -> (%6)"], "a block yields 0 values, not 1");
        refused(&[LOAD, head, "yield %1", "} -> (%6)"], "yields %1 is f32x4, not i64");
        refused(&[head, "yield %4", "}"], "0 results for 1 values");
        refused(&[&head.replace("step 1", "step 0"), "yield %4", "} -> (%6)"], "step 0");
        refused(&["while {", "yield %0", "} do {", "}"], "%0 is i64, not i1");
    }

    #[test]
    fn broken_numbers_are_errors() {
        let mut kernel = text::parse("kernel k (out y: f32[-1]) {\nphase tasks=1 task=%0 {\n}\n}").unwrap();
        kernel.types.push(Type { elem: Elem::F32, lanes: 3 });
        kernel.phases[0].body.push(Stmt::Let(V(9), Op::Un(Un::Not, V(8))));
        let errors = verify(&kernel).unwrap_err();
        for message in ["array y of -1 elements", "%1 of 3 lanes", "%8 is not defined"] {
            assert!(errors.iter().any(|e| e.contains(message)), "{errors:?}");
        }
    }
}
