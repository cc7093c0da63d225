//! Runs a kernel slowly and exactly: what every statement means, with every precondition checked.
//!
//! Besides values it finds what compiled code would hide: accesses out of bounds in active lanes, divisions and shifts
//! and conversions outside their domain, streaming stores off their alignment, lanes of a scatter that write different values to one element, tasks of
//! one phase that read or change each other's elements, threads of a task that do so without a barrier in a phase that barriers order, and outputs not written everywhere. Undefined memory holds the poison pattern (all bits
//! set: NaN in every float type). Floats follow IEEE, `fma` rounds once.

mod memory;
mod ops;
mod tiles;

use super::verify::verify;
use super::*;
use memory::Memory;
use std::ops::Range;

/// Runs all phases. `buffers` are those of the kernel in order; outputs and scratch may have any length, they are
/// made anew.
///
/// # Errors
/// The kernel is not legal, an input has the wrong size, or one of the findings above.
pub fn evaluate(kernel: &Kernel, buffers: &mut [Vec<u8>]) -> Result<(), String> {
    evaluate_with(kernel, buffers, Options::default())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Runs the tasks of each phase from the last to the first.
    pub reverse: bool,
    /// Gives up after so many statements.
    pub max_steps: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { reverse: false, max_steps: 1 << 32 }
    }
}

/// As [`evaluate`], with options.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_with(kernel: &Kernel, buffers: &mut [Vec<u8>], options: Options) -> Result<(), String> {
    verify(kernel).map_err(|errors| errors.join("\n"))?;
    let mut memory = Memory::new(kernel, buffers)?;
    let mut words = 0;
    let place = |ty: &Type| {
        let first = words;
        words += ty.lanes as usize * ty.elem.words();
        first..words
    };
    let places: Vec<Range<usize>> = kernel.types.iter().map(place).collect();
    let mut machine =
        Machine { kernel, memory: &mut memory, places, words: vec![0; words], steps: options.max_steps };
    for (i, phase) in kernel.phases.iter().enumerate() {
        for n in 0..phase.tasks {
            let task = if options.reverse { phase.tasks - 1 - n } else { n };
            machine.memory.begin_task(i, task);
            machine.set_scalar(phase.task, task as u64);
            machine
                .stmts(&phase.body)
                .map_err(|e| format!("{}: phase {i}, task {task}: {e}", kernel.name))?;
        }
    }
    memory.all_outputs_written().map_err(|e| format!("{}: {e}", kernel.name))
}

type Found<T = ()> = Result<T, String>;

struct Machine<'a, 'b> {
    kernel: &'a Kernel,
    memory: &'b mut Memory<'a>,
    /// Where each value's lanes are in `words`.
    places: Vec<Range<usize>>,
    /// The lanes of all values: bits of the element type, those above its width zero; of I256 four words each.
    words: Vec<u64>,
    steps: u64,
}

impl Machine<'_, '_> {
    fn stmts(&mut self, stmts: &[Stmt]) -> Found {
        for stmt in stmts {
            self.steps = self.steps.checked_sub(1).ok_or("too many steps")?;
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Found {
        match stmt {
            Stmt::Let(v, op) => self.op(*v, op).map_err(|e| self.at(stmt, e)),
            Stmt::Store(store) => self.store(store).map_err(|e| self.at(stmt, e)),
            Stmt::Prefetch { .. } => Ok(()),
            Stmt::Barrier => {
                self.memory.barrier();
                Ok(())
            }
            Stmt::LoadMatrices { buf, offset, transposed, results } => {
                self.load_matrices(*buf, *offset, *transposed, results).map_err(|e| self.at(stmt, e))
            }
            Stmt::CopyAsync(copy) => self.copy_async(copy).map_err(|e| self.at(stmt, e)),
            Stmt::GroupCopies => {
                self.memory.group_copies();
                Ok(())
            }
            Stmt::AwaitCopies(but) => self.memory.await_copies(*but).map_err(|e| self.at(stmt, e)),
            Stmt::MatrixProduct(product) => {
                let lanes = self.lanes(product.sums[0]).len();
                let values = product.values(lanes, |v, lane| self.lanes(v)[lane]);
                for (&v, values) in product.results.iter().zip(&values) {
                    self.lanes_mut(v).copy_from_slice(values);
                }
                Ok(())
            }
            Stmt::CarryChain(chain) => {
                for lane in 0..self.lanes(chain.results[0]).len() {
                    let words = chain.values(|v| self.lanes(v)[lane]);
                    for (&v, word) in chain.results.iter().zip(words) {
                        self.lanes_mut(v)[lane] = word;
                    }
                }
                Ok(())
            }
            Stmt::TileProduct(product) => self.tile_product(product).map_err(|e| self.at(stmt, e)),
            Stmt::For { var, lo, hi, step, carried, body, results } => {
                self.enter(carried);
                let (mut i, hi) = (self.scalar(*lo) as i64, self.scalar(*hi) as i64);
                while i < hi {
                    self.steps = self.steps.checked_sub(1).ok_or("too many steps")?;
                    self.set_scalar(*var, i as u64);
                    self.stmts(&body.stmts)?;
                    self.next_trip(carried, &body.yields);
                    i = i
                        .checked_add(*step)
                        .ok_or_else(|| self.at(stmt, "the index overflows".to_string()))?;
                }
                self.leave(carried, results);
                Ok(())
            }
            Stmt::If { cond, then, otherwise, results } => {
                let block = if self.scalar(*cond) != 0 { then } else { otherwise };
                self.stmts(&block.stmts)?;
                results.iter().zip(&block.yields).for_each(|(&r, &y)| self.copy(r, y));
                Ok(())
            }
            Stmt::While { carried, cond, body, results } => {
                self.enter(carried);
                loop {
                    self.steps = self.steps.checked_sub(1).ok_or("too many steps")?;
                    self.stmts(&cond.stmts)?;
                    if self.scalar(cond.yields[0]) == 0 {
                        break;
                    }
                    self.stmts(&body.stmts)?;
                    self.next_trip(carried, &body.yields);
                }
                self.leave(carried, results);
                Ok(())
            }
        }
    }

    #[cold]
    fn at(&self, stmt: &Stmt, error: String) -> String {
        format!("{}: {error}", text::describe(self.kernel, stmt))
    }

    fn enter(&mut self, carried: &[Carried]) {
        carried.iter().for_each(|c| self.copy(c.param, c.init));
    }

    fn leave(&mut self, carried: &[Carried], results: &[V]) {
        carried.iter().zip(results).for_each(|(c, &r)| self.copy(r, c.param));
    }

    /// The yields become the carried values, all at once.
    fn next_trip(&mut self, carried: &[Carried], yields: &[V]) {
        let next: Vec<u64> = yields.iter().flat_map(|&y| self.lanes(y).to_vec()).collect();
        let mut from = 0;
        for c in carried {
            let n = self.places[c.param.0 as usize].len();
            self.lanes_mut(c.param).copy_from_slice(&next[from..from + n]);
            from += n;
        }
    }

    fn copy(&mut self, to: V, from: V) {
        let to = self.first(to);
        self.words.copy_within(self.places[from.0 as usize].clone(), to);
    }

    fn lanes(&self, v: V) -> &[u64] {
        &self.words[self.places[v.0 as usize].clone()]
    }

    fn lanes_mut(&mut self, v: V) -> &mut [u64] {
        &mut self.words[self.places[v.0 as usize].clone()]
    }

    /// Where the words of a value begin.
    fn first(&self, v: V) -> usize {
        self.places[v.0 as usize].start
    }

    /// One of the words of a value, as many as it has lanes unless each takes several. The verifier has counted lanes.
    fn word(&self, v: V, n: usize) -> u64 {
        self.words[self.first(v) + n]
    }

    fn scalar(&self, v: V) -> u64 {
        self.word(v, 0)
    }

    fn set_scalar(&mut self, v: V, bits: u64) {
        let at = self.first(v);
        self.words[at] = bits;
    }

    /// The array in a cell of a segment table; any other is itself.
    fn array(&self, buf: Buf) -> Found<Buf> {
        let Buf::Cell { column, row } = buf else { return Ok(buf) };
        let (arrays, row) = (&self.kernel.columns[column as usize], self.scalar(row));
        let found = usize::try_from(row).ok().and_then(|row| arrays.get(row));
        found.map(|&i| Buf::Global(i)).ok_or_else(|| format!("row {row} of a column of {}", arrays.len()))
    }

    /// The element offset of each lane of an access, `None` for masked lanes.
    fn place(&self, offset: V, mask: Option<V>, lane: usize) -> Option<i64> {
        if let Some(mask) = mask
            && self.word(mask, lane) == 0
        {
            return None;
        }
        let signed = |bits: u64| match self.kernel.ty(offset).elem {
            Elem::I32 => bits as i32 as i64,
            _ => bits as i64,
        };
        let at = self.lanes(offset);
        // Beyond the integers is beyond the array.
        let scalar = || signed(at[0]).checked_add(lane as i64).unwrap_or(i64::MAX);
        Some(if at.len() == 1 { scalar() } else { signed(at[lane]) })
    }

    fn store(&mut self, store: &Store) -> Found {
        let buf = self.array(store.buf)?;
        let ty = self.kernel.ty(store.value);
        let (n, words) = (ty.lanes as usize, ty.elem.words());
        if store.streaming {
            let elem = self.kernel.buf_elem(store.buf);
            let align = (elem.bytes() * n as i64).min(64);
            let at = self.place(store.offset, None, 0).unwrap_or(0).wrapping_mul(elem.bytes());
            if at % align != 0 {
                return Err(format!("byte {at} is no multiple of {align}"));
            }
        }
        let scatters = self.kernel.ty(store.offset).lanes > 1;
        let mut written: Vec<(i64, usize)> = Vec::new();
        for lane in 0..n {
            if let Some(i) = self.place(store.offset, store.mask, lane) {
                let value = self.first(store.value) + lane * words;
                if scatters {
                    let same = |&(at, other): &(i64, usize)| {
                        at != i || self.words[other..other + words] == self.words[value..value + words]
                    };
                    if !written.iter().all(same) {
                        return Err(format!("two lanes write different values to element {i}"));
                    }
                    written.push((i, value));
                }
                self.memory.write(buf, i, &self.words[value..value + words], (lane, n))?;
            }
        }
        Ok(())
    }

    fn load_matrices(&mut self, buf: Buf, offset: V, transposed: bool, results: &[V; 4]) -> Found {
        let lanes = self.lanes(offset).len();
        for (lane, (n, &result)) in (0..lanes).flat_map(|l| results.iter().enumerate().map(move |r| (l, r))) {
            let (group, t) = (lane % 32 / 4, lane % 4);
            let mut word = 0;
            for i in 0..2 {
                let (row, column) = if transposed { (2 * t + i, group) } else { (group, 2 * t + i) };
                let first = self.lanes(offset)[lane / 32 * 32 + 8 * n + row] as i64;
                if first % 8 != 0 {
                    return Err(format!("element {first} begins a row, and is no multiple of 8"));
                }
                let mut element = [0];
                self.memory.read(buf, first.saturating_add(column as i64), &mut element, (lane, lanes))?;
                word |= element[0] << (16 * i);
            }
            self.lanes_mut(result)[lane] = word;
        }
        Ok(())
    }

    fn copy_async(&mut self, copy: &CopyAsync) -> Found {
        let lanes = self.lanes(copy.to_offset).len();
        for lane in 0..lanes {
            let at = |v: V| self.lanes(v)[lane] as i64;
            let (to, from, n) = (at(copy.to_offset), at(copy.from_offset), i64::from(copy.elements));
            let unaligned = |at: i64| at % n != 0;
            if unaligned(to) || unaligned(from) {
                return Err(format!("element {from} is copied to {to}, and one is no multiple of {n}"));
            }
            let reads = copy.mask.is_none_or(|mask| self.lanes(mask)[lane] != 0);
            for i in 0..n {
                let from = reads.then(|| (copy.from, from.saturating_add(i)));
                self.memory.copy_async((copy.to, to.saturating_add(i)), from, (lane, lanes))?;
            }
        }
        Ok(())
    }

    fn load(&mut self, v: V, buf: Buf, offset: V, mask: Option<V>) -> Found {
        let buf = self.array(buf)?;
        let ty = self.kernel.ty(v);
        let words = ty.elem.words();
        for lane in 0..ty.lanes as usize {
            let place = self.place(offset, mask, lane);
            let value = self.first(v) + lane * words;
            let into = &mut self.words[value..value + words];
            match place {
                Some(i) => self.memory.read(buf, i, into, (lane, ty.lanes as usize))?,
                None => into.fill(0),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
