//! Products on blocks: tiles that all warps of a block share.
//!
//! Lanes are the threads of the task. While one block of k is multiplied, the next is loaded; it is stored to the other part of
//! the operands' arrays afterwards (or copied there meanwhile), so one barrier for each block orders all. Either the threads
//! multiply, in a rectangle, each with rows and columns of its own, and every accumulator is one chain in increasing k; or matrix
//! units do ([`super::matrices`]).

use super::block_of_k::BlockOfK;
use super::contraction::Contraction;
use super::matrices::Own;
use super::operand::{Copied, Element, ReadAt};
use super::places::Pieces;
use crate::loop_ir::{Bin, Buf, Elem, Factor, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::within;
use crate::lower::scalar;
use crate::plan::{BlockTile, Matrices};
use crate::refusal::Refusal;
use crate::target::WARP;

/// What multiplies.
enum Units {
    /// The threads: each has `together` rows, and columns, from its `own` on, and as many each `by` further.
    Threads {
        own: [V; 2],
        by: [i64; 2],
        together: [i64; 2],
    },
    Matrices(Matrices, Own),
}

/// Steps of k that a thread does in one trip, of so many, each of so many products: what a trip costs beside is shared by them.
fn steps_written_out(count: i64, products: i64) -> i64 {
    /// Products of a trip, at most, but where a thread has many sums: from one step to the next no registers are left to load factors
    /// ahead then, and a trip that is a whole block has the fewest ends where they are waited for.
    const MOST: i64 = 256;
    const MANY: i64 = 64;
    let most = if products < MANY { (MOST / products.max(1)).clamp(1, 16) } else { 16 };
    // The greatest power of two that divides both.
    let steps = 1 << most.ilog2();
    steps.min(1 << count.trailing_zeros().min(MOST.ilog2()))
}

/// How far the n-th of a thread's rows or columns lies beyond its first.
fn beyond(n: i64, by: i64, together: i64) -> i64 {
    n / together * by + n % together
}

impl<'r> Contraction<'r> {
    pub(super) fn tiles_of_blocks(&self, cx: &mut Emit<'r>, team: &BlockTile) -> Result<(), Refusal> {
        let (Some(row), Some(lane)) = (self.s.row, self.s.lane) else { return Ok(()) };
        let (tall, wide) = (self.s.rows_per_task, self.s.columns_per_task);
        let (down, across) = ((self.rows + tall - 1) / tall, (self.columns + wide - 1) / wide);
        let [of_rows, of_columns] = self.arrays(cx, team);
        let outer = self.outer.count();
        let task = cx.b.open_phase(outer * down * across);
        let at = cx.delinearize(task, &[outer, down, across]);
        let mut start = Point::new(&self.l.axes, self.outer.at(cx, at[0]));
        // The last tiles overlap those before them: what both compute is the same.
        for (axis, n, side, extent) in [(row, at[1], tall, self.rows), (lane, at[2], wide, self.columns)] {
            let size = cx.b.i64(side);
            let first = cx.b.mul(n, size);
            start.at[axis] = within(cx, first, side, extent);
        }
        self.l.hoist_epilogue(cx, &mut start)?;
        let copied = [
            self.copied(cx, &start, (0, row), (of_rows, tall), team)?,
            self.copied(cx, &start, (1, lane), (of_columns, wide), team)?,
        ];
        let units = self.units(cx, team, &copied);
        let sums = match &units {
            Units::Matrices(m, own) if m.are_halves_in_pieces() => self.in_stages(cx, &copied, (m, own))?,
            units => self.multiplied(cx, &copied, units)?,
        };
        for (n, &sum) in sums.iter().enumerate() {
            let mut point = start.clone();
            point.lanes = self.s.lanes;
            let place = self.place(cx, &units, n as i64);
            for (d, axis) in [row, lane].into_iter().enumerate() {
                let at = self.offset(cx, place[d], start.at[axis], 0);
                point = point.moved(self.l.region, axis, at);
            }
            let rounded = self.rounded(cx, sum)?;
            self.l.finish(cx, &mut point, &[rounded], false)?;
        }
        cx.b.close_phase(task);
        cx.b.share_tasks(team.warps());
        cx.b.order_by_barriers();
        Ok(())
    }

    /// The arrays of the operands.
    fn arrays(&self, cx: &mut Emit<'r>, team: &BlockTile) -> [Buf; 2] {
        let elements = team.elements((self.s.rows_per_task, self.s.columns_per_task), self.s.block);
        std::array::from_fn(|d| {
            let (elem, in_word) = match team.matrices {
                None => (scalar::mem_elem(self.sums.accumulator), 1),
                Some(m) if m.pieces[d] => (if m.in_word() == 2 { Elem::I16 } else { Elem::F32 }, m.in_word()),
                Some(_) => (Elem::I32, 1),
            };
            cx.b.local(["rows", "columns"][d], elem, in_word * elements[d])
        })
    }

    fn units(&self, cx: &mut Emit<'r>, team: &BlockTile, copied: &[Copied<'r>; 2]) -> Units {
        if let Some(m) = team.matrices {
            return Units::Matrices(m, self.own_fragments(cx, &m, copied));
        }
        let together = [self.s.rows, self.s.tile as i64].map(BlockTile::together);
        let at = self.of_rectangle(cx, team);
        let own = std::array::from_fn(|d| self.scaled(cx, at[d], together[d]));
        Units::Threads { own, by: [team.rows * together[0], team.columns * together[1]], together }
    }

    /// The row and the column of each thread in the rectangle of all.
    fn of_rectangle(&self, cx: &mut Emit<'r>, team: &BlockTile) -> [V; 2] {
        let thread = self.threads(cx);
        let [down, across] = team.of_warp();
        let (warp, lane) = (self.shifted_right(cx, thread, WARP), self.low_bits(cx, thread, WARP));
        let beside = team.columns / across;
        let warps = [self.shifted_right(cx, warp, beside), self.low_bits(cx, warp, beside)];
        // Neighbouring lanes have rows that follow each other, and one column: shared memory serves twice as many of them at once then.
        let by = down.min(2);
        let (low, high) = (self.low_bits(cx, lane, by), self.shifted_right(cx, lane, by * across));
        let high = self.scaled(cx, high, by);
        let column = self.shifted_right(cx, lane, by);
        let lanes = [cx.b.add(low, high), self.low_bits(cx, column, across)];
        std::array::from_fn(|d| {
            let first = self.scaled(cx, warps[d], [down, across][d]);
            cx.b.add(first, lanes[d])
        })
    }

    /// The row and the column of a thread's sum in the tile.
    fn place(&self, cx: &mut Emit<'r>, units: &Units, n: i64) -> [V; 2] {
        match units {
            Units::Matrices(m, own) => self.place_of_sum(cx, m, own, n),
            Units::Threads { own, by, together } => {
                let (zero, tile) = (cx.b.i64(0), self.s.tile as i64);
                let at = [n / tile, n % tile];
                std::array::from_fn(|d| self.offset(cx, own[d], zero, beyond(at[d], by[d], together[d])))
            }
        }
    }

    /// The sums of a tile that a thread has.
    fn multiplied(
        &self,
        cx: &mut Emit<'r>,
        copied: &[Copied<'r>; 2],
        units: &Units,
    ) -> Result<Vec<V>, Refusal> {
        let zero = cx.b.i64(0);
        let whole = (self.length - 1) / self.s.block;
        for operand in copied {
            let block = self.block_of_k(cx, zero, zero, self.length < self.s.block);
            let first = self.loaded(cx, operand, &block)?;
            self.stored(cx, operand, zero, &first);
        }
        self.all_copied(cx, copied);
        let inits = vec![self.sums.initial(cx, self.s.lanes); (self.s.rows * self.s.tile as i64) as usize];
        // A last block that is not whole is copied by code of its own.
        let has_rest = whole > 0 && self.length % self.s.block != 0;
        let end = cx.b.i64(whole - has_rest as i64);
        let mut sums = cx.for_loop((zero, end, 1), &inits, |cx, block, sums| {
            self.step(cx, (copied, units), (block, false), sums)
        })?;
        if has_rest {
            sums = self.step(cx, (copied, units), (end, true), &sums)?;
        }
        let part = cx.b.i64(whole & 1);
        self.of_block(cx, copied, units, (part, self.length - whole * self.s.block), &sums)
    }

    /// The sums after a block of k, while the next one is copied, which may be the rest.
    fn step(
        &self,
        cx: &mut Emit<'r>,
        (copied, units): (&[Copied<'r>; 2], &Units),
        (block, is_rest): (V, bool),
        sums: &[V],
    ) -> Result<Vec<V>, Refusal> {
        let (one, size) = (cx.b.i64(1), cx.b.i64(self.s.block));
        let after = cx.b.add(block, one);
        let k = cx.b.mul(after, size);
        let [part, other] = [block, after].map(|n| cx.b.bin(Bin::And, n, one));
        let following = self.block_of_k(cx, k, other, is_rest);
        let mut next = Vec::new();
        for operand in copied {
            next.push(self.loaded(cx, operand, &following)?);
        }
        let sums = self.of_block(cx, copied, units, (part, self.s.block), sums)?;
        for (operand, next) in copied.iter().zip(&next) {
            self.stored(cx, operand, other, next);
        }
        self.all_copied(cx, copied);
        Ok(sums)
    }

    /// The sums after so many elements of k, which are in this part of the arrays.
    fn of_block(
        &self,
        cx: &mut Emit<'r>,
        copied: &[Copied<'r>; 2],
        units: &Units,
        (part, count): (V, i64),
        sums: &[V],
    ) -> Result<Vec<V>, Refusal> {
        let (own, by, together) = match units {
            Units::Matrices(m, own) => {
                let steps = 0..self.steps_of_units(m, count);
                return Ok(self.of_words(cx, copied, (m, own), (part, steps), sums));
            }
            Units::Threads { own, by, together } => (*own, by, together),
        };
        let each = [self.s.rows, self.s.tile as i64];
        let mut first = own;
        for (first, operand) in first.iter_mut().zip(copied) {
            let skipped = self.start_of_part(cx, operand, part);
            *first = self.offset(cx, *first, skipped, 0);
        }
        let (zero, end) = (cx.b.i64(0), cx.b.i64(count));
        let steps = steps_written_out(count, each[0] * each[1]);
        cx.for_loop((zero, end, steps), sums, |cx, k, sums| {
            let mut sums = sums.to_vec();
            for step in 0..steps {
                let mut factors = [Vec::new(), Vec::new()];
                for (d, operand) in copied.iter().enumerate() {
                    let line = cx.b.i64(operand.line);
                    let skipped = cx.b.mul(k, line);
                    let line = self.offset(cx, first[d], skipped, step * operand.line);
                    for n in 0..each[d] {
                        let zero = cx.b.i64(0);
                        let at = self.offset(cx, line, zero, beyond(n, by[d], together[d]));
                        factors[d].push(self.load(cx, operand.buf, at, self.s.lanes));
                    }
                }
                let [rows, columns] = &factors;
                let pairs = rows.iter().flat_map(|&a| columns.iter().map(move |&b| (a, b)));
                let next = pairs.zip(&sums).map(|((a, b), &sum)| self.accumulate(cx, a, b, sum));
                sums = next.collect::<Result<_, Refusal>>()?;
            }
            Ok(sums)
        })
    }

    /// An operand of a tile, the one of its rows or of its columns (`d`), with the elements of it that each thread copies:
    /// neighbouring threads have neighbours along k, or along the other axis.
    fn copied(
        &self,
        cx: &mut Emit<'r>,
        start: &Point<'r>,
        (d, axis): (usize, usize),
        (buf, side): (Buf, i64),
        team: &BlockTile,
    ) -> Result<Copied<'r>, Refusal> {
        let (operands, factor) = match team.matrices {
            Some(m) => (m.operands, Some(m.factors[d])),
            None => ([self.scalar, self.vector], None),
        };
        let (operand, along_k) = (operands[d], team.along_k[d]);
        let pieces =
            team.matrices.filter(|m| m.pieces[d]).map(|m| Pieces::of(&m, along_k, (side, self.s.block)));
        let are_windows = pieces.is_some() || team.windows[d].is_some();
        let windows = if are_windows { self.windows(cx, operand) } else { None };
        if let (Some(of), Some(pieces)) = (&windows, pieces) {
            let elements = self.in_pieces(cx, (start, axis), side, (of, &pieces))?;
            let (pieces, part, line) = (Some(pieces), side * self.s.block, side);
            return Ok(Copied { operand, factor, pieces, windows, buf, line, part, elements });
        }
        let steps = team.steps(self.s.block);
        let share = self.share(cx, d, side, team);
        let line = team.line(d, side);
        let zero = cx.b.i64(0);
        let first = self.scaled(cx, share.k, line);
        let first = cx.b.add(first, share.line);
        let mut elements = Vec::new();
        for n in 0..side * steps / self.s.lanes as i64 {
            let [by_k, by_lines] = share.beyond(n);
            let (k, along) =
                (self.offset(cx, share.k, zero, by_k), self.offset(cx, share.line, zero, by_lines));
            let place = match factor {
                Some(_) => self.word_place(cx, along, k),
                None => self.offset(cx, first, zero, by_k * line + by_lines),
            };
            let each = cx.b.i64(factor.map_or(1, Factor::in_word));
            let each = cx.b.widen_to(each, self.s.lanes);
            let k = cx.b.mul(k, each);
            let at = self.offset(cx, along, start.at[axis], 0);
            let mut point = start.moved(self.l.region, axis, at);
            point.lanes = self.s.lanes;
            let from = match &windows {
                Some(windows) => ReadAt::Window(self.window(cx, windows, point, k)?),
                None => {
                    self.hoist(cx, &mut point, operand)?;
                    ReadAt::Point(point, k)
                }
            };
            elements.push(Element { from, place });
        }
        let part = team.part(d, side, self.s.block);
        Ok(Copied { operand, factor, pieces: None, windows, buf, line, part, elements })
    }

    /// What each thread copies of a block of k; of the rest, beyond the last element, the last one again.
    ///
    /// What is copied in pieces is on its way to this part of the array then.
    pub(super) fn loaded(
        &self,
        cx: &mut Emit<'r>,
        copied: &Copied<'r>,
        block: &BlockOfK,
    ) -> Result<Vec<V>, Refusal> {
        let mut values = Vec::new();
        for Element { from, place } in &copied.elements {
            match (from, &copied.windows, copied.factor) {
                (ReadAt::Window(window), Some(windows), _) if copied.pieces.is_some() => {
                    let skipped = self.start_of_part(cx, copied, block.part);
                    let to = self.offset(cx, *place, skipped, 0);
                    let (offset, mask) = self.windows_at(cx, (windows, window), block, 0)?;
                    cx.b.copy_async((copied.buf, to), (windows.array, offset), mask);
                }
                (ReadAt::Window(window), Some(windows), Some(factor)) => {
                    values.push(self.word_of_array(cx, (windows, window), block, factor)?);
                }
                (ReadAt::Window(window), Some(windows), None) => {
                    let (place, inside) = self.windows_at(cx, (windows, window), block, 0)?;
                    let value = self.read(cx, windows.gathered.load, (windows.array, place), inside);
                    values.push(scalar::to_memory(&mut cx.b, value, self.sums.accumulator));
                }
                (ReadAt::Point(point, within), _, Some(factor)) => {
                    values.push(self.word(cx, point, (block, *within), (copied.operand, factor))?);
                }
                (ReadAt::Point(point, within), _, None) => {
                    let mut point = self.in_block(cx, point, (block, *within), 1);
                    self.read_all(cx, &mut point, copied.operand)?;
                    let value = cx.vector(&mut point, copied.operand)?;
                    values.push(scalar::to_memory(&mut cx.b, value, self.sums.accumulator));
                }
                (ReadAt::Window(_), None, _) => {}
            }
        }
        Ok(values)
    }

    /// What all threads have copied is there for all.
    fn all_copied(&self, cx: &mut Emit<'r>, copied: &[Copied<'r>; 2]) {
        if copied.iter().any(|operand| operand.pieces.is_some()) {
            cx.b.await_copies(None);
        }
        cx.b.barrier();
    }

    fn stored(&self, cx: &mut Emit<'r>, copied: &Copied<'r>, part: V, values: &[V]) {
        let skipped = self.start_of_part(cx, copied, part);
        for (Element { place, .. }, &value) in copied.elements.iter().zip(values) {
            let at = self.offset(cx, *place, skipped, 0);
            cx.b.store(copied.buf, at, value, None);
        }
    }
}
