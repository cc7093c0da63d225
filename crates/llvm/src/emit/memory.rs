//! Loads, stores and tables. Masked accesses never touch a lane whose mask is false.

use super::Emitter;
use crate::ir::{Meta, Value};
use inkwell::llvm_sys::LLVMOpcode::LLVMZExt;
use lawson_kernel::loop_ir::{Access, Buf, Cache, Elem, Op, Phase, Stmt, Store, Type, V};
use std::collections::BTreeSet;

/// Alignment of every buffer and local.
const BUFFER_ALIGN: u32 = 64;

/// From this size on, bypassing the caches is worth an instruction of its own.
const LEAST_STREAMED: u32 = 16;

/// Bytes of a word of a number of several.
const WORD: i32 = 8;

/// Most arrays whose addresses are loaded where a phase begins. All of them are live from there on, and LLVM takes time
/// that grows with their square to place them; the parts of a segment table, which have more arrays than any other
/// kernel, load an address where they use it.
const MAX_BASES: usize = 128;

/// What accesses may meet each other: those to one array, or to one column of a segment table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Alias {
    Array(Buf),
    Column(u32),
}

impl Alias {
    pub(super) fn of(buf: Buf) -> Alias {
        match buf {
            // Rows of a column may be the same at different places.
            Buf::Cell { column, .. } => Alias::Column(column),
            Buf::Global(_) | Buf::Local(_) => Alias::Array(buf),
        }
    }
}

impl Emitter<'_> {
    /// Loads the address of each array the phase uses, once, unless there are very many.
    pub(super) fn load_bases(&mut self, phase: &Phase, buffers: Value, local: Value) {
        let ir = self.ir;
        self.bases.clear();
        self.cells.clear();
        self.buffers = Some(buffers);
        let mut used = BTreeSet::new();
        arrays(&phase.body, &mut used);
        let several = self.warp.is_some();
        let (offsets, _) = if several { self.kernel.local_layout() } else { self.kernel.shared_layout() };
        let at_use = used.iter().filter(|b| matches!(b, Buf::Global(_))).count() > MAX_BASES;
        for buf in used {
            let base = match buf {
                Buf::Global(_) if at_use => continue,
                Buf::Global(i) => self.base(buffers, ir.i64(i as i64)),
                Buf::Local(i) => ir.address(ir.int(8), local, ir.i64(offsets[i as usize])),
                Buf::Cell { column, row } => {
                    self.cells.entry(row).or_default().push(column);
                    continue;
                }
            };
            self.bases.insert(buf, base);
        }
    }

    /// The address of the flag that ends loops: it lies before those of the buffers.
    pub(super) fn stop_flag(&self) -> Value {
        self.base(self.buffers.expect("a phase"), self.ir.i64(-1))
    }

    /// Loads the addresses in these columns of a row that is known from here on, once.
    pub(super) fn load_row(&mut self, row: V, columns: &[u32]) {
        let ir = self.ir;
        let buffers = self.buffers.expect("a phase");
        for &column in columns {
            let cell = ir.address(ir.int(64), self.columns[column as usize], self.get(row));
            let position = ir.load(ir.int(64), cell, 8);
            ir.attach(position, "invariant.load", ir.meta_node(&[]));
            let base = self.base(buffers, position);
            self.bases.insert(Buf::Cell { column, row }, base);
        }
    }

    /// The address of the buffer in this position.
    fn base(&self, buffers: Value, position: Value) -> Value {
        let ir = self.ir;
        let address = ir.ptr_in(self.space());
        let slot = ir.address(address, buffers, position);
        let base = ir.load(address, slot, 8);
        ir.attach(base, "invariant.load", ir.meta_node(&[]));
        base
    }

    pub(super) fn load(&mut self, buf: Buf, offset: V, ty: Type, mask: Option<V>) -> Value {
        let ir = self.ir;
        if self.warp.is_some() {
            return self.warp_load(buf, offset, ty, mask);
        }
        let (llvm_ty, align) = (ir.ty(ty), ty.elem.bytes() as u32);
        let address = self.address(buf, offset);
        let mask = mask.map(|m| self.get(m));
        let gathers = self.kernel.ty(offset).lanes > 1;
        if ty.elem == Elem::I256 {
            return self.load_wide(buf, address, ty, mask, gathers);
        }
        if let (Some(mask), 1) = (mask, ty.lanes) {
            let tagged = |e: &mut Self| {
                let value = ir.load(llvm_ty, address, align);
                e.tag(value, buf);
                vec![value]
            };
            return self.branch(mask, tagged, |_| vec![ir.zero(llvm_ty)])[0];
        }
        if gathers && let Some(found) = self.looked_up(buf, offset, ty) {
            return mask.map_or(found, |mask| ir.select(mask, found, ir.zero(llvm_ty)));
        }
        if gathers
            && mask.is_none()
            && let Some(loaded) = self.loaded_apart(buf, offset, ty)
        {
            return loaded;
        }
        let value = if gathers {
            let mask = mask.unwrap_or_else(|| self.all_true(ty.lanes));
            let overloads = [llvm_ty, ir.type_of(address)];
            let args = [address, ir.i32(align as i32), mask, ir.zero(llvm_ty)];
            ir.intrinsic("llvm.masked.gather", &overloads, &args)
        } else if let Some(mask) = mask {
            let args = [address, ir.i32(align as i32), mask, ir.zero(llvm_ty)];
            ir.intrinsic("llvm.masked.load", &[llvm_ty, ir.ptr()], &args)
        } else {
            ir.load(llvm_ty, address, align)
        };
        self.tag(value, buf);
        value
    }

    /// Numbers of several words: what lies side by side is loaded row by row, what does not word by word.
    fn load_wide(&mut self, buf: Buf, address: Value, ty: Type, mask: Option<Value>, gathers: bool) -> Value {
        let ir = self.ir;
        if let (Some(mask), 1) = (mask, ty.lanes) {
            let loaded = |e: &mut Self| vec![e.load_wide(buf, address, ty, None, false)];
            return self.branch(mask, loaded, |_| vec![ir.zero(ir.ty(ty))])[0];
        }
        let row = ir.lanes(ir.int(64), ty.lanes);
        let rows = std::array::from_fn(|n| {
            let n = n as u32;
            let loaded = if gathers {
                let address = ir.address(ir.int(64), address, ir.i64(n.into()));
                let mask = mask.unwrap_or_else(|| self.all_true(ty.lanes));
                let args = [address, ir.i32(WORD), mask, ir.zero(row)];
                ir.intrinsic("llvm.masked.gather", &[row, ir.type_of(address)], &args)
            } else {
                let address = ir.address(ir.int(64), address, ir.i64((n * ty.lanes).into()));
                match mask {
                    Some(mask) => {
                        let mask = self.mask_of_row(mask, n, ty.lanes);
                        let args = [address, ir.i32(WORD), mask, ir.zero(row)];
                        ir.intrinsic("llvm.masked.load", &[row, ir.ptr()], &args)
                    }
                    None => ir.load(row, address, WORD as u32),
                }
            };
            self.tag(loaded, buf);
            loaded
        });
        if gathers { self.joined(rows) } else { self.of_rows(rows, ty.lanes) }
    }

    /// As [`Emitter::load_wide`].
    fn store_wide(&mut self, store: &Store, value: Value, address: Value, mask: Option<Value>) {
        let ir = self.ir;
        let lanes = self.kernel.ty(store.value).lanes;
        if let (Some(mask), 1) = (mask, lanes) {
            let stored = |e: &mut Self| {
                e.store_wide(store, value, address, None);
                Vec::new()
            };
            self.branch(mask, stored, |_| Vec::new());
            return;
        }
        let scatters = self.kernel.ty(store.offset).lanes > 1;
        let rows = if scatters { self.words(value) } else { self.rows(value, lanes) };
        for (n, row) in (0..).zip(rows) {
            let ty = ir.type_of(row);
            let stored = if scatters {
                let address = ir.address(ir.int(64), address, ir.i64(n.into()));
                let mask = mask.unwrap_or_else(|| self.all_true(lanes));
                let overloads = [ty, ir.type_of(address)];
                ir.intrinsic("llvm.masked.scatter", &overloads, &[row, address, ir.i32(WORD), mask])
            } else {
                let address = ir.address(ir.int(64), address, ir.i64((n * lanes).into()));
                match mask {
                    Some(mask) => {
                        let args = [row, address, ir.i32(WORD), self.mask_of_row(mask, n, lanes)];
                        ir.intrinsic("llvm.masked.store", &[ty, ir.ptr()], &args)
                    }
                    None => self.plain_store(store.streaming, row, address, (WORD as u32, lanes)),
                }
            };
            self.tag(stored, store.buf);
        }
    }

    pub(super) fn store(&mut self, store: &Store) {
        let ir = self.ir;
        if self.warp.is_some() {
            return self.warp_store(store);
        }
        let ty = self.kernel.ty(store.value);
        let (value, address) = (self.get(store.value), self.address(store.buf, store.offset));
        let align = ty.elem.bytes() as u32;
        let mask = store.mask.map(|m| self.get(m));
        if ty.elem == Elem::I256 {
            return self.store_wide(store, value, address, mask);
        }
        let scatters = self.kernel.ty(store.offset).lanes > 1;
        if let (Some(mask), 1) = (mask, ty.lanes) {
            let tagged = |e: &mut Self| {
                let stored = ir.store(value, address, align);
                e.tag(stored, store.buf);
                Vec::new()
            };
            self.branch(mask, tagged, |_| Vec::new());
            return;
        }
        if scatters && mask.is_none() && self.stored_apart((store.buf, store.offset), value, ty) {
            return;
        }
        let stored = if scatters {
            let mask = mask.unwrap_or_else(|| self.all_true(ty.lanes));
            let overloads = [ir.type_of(value), ir.type_of(address)];
            ir.intrinsic("llvm.masked.scatter", &overloads, &[value, address, ir.i32(align as i32), mask])
        } else if let Some(mask) = mask {
            let overloads = [ir.type_of(value), ir.ptr()];
            ir.intrinsic("llvm.masked.store", &overloads, &[value, address, ir.i32(align as i32), mask])
        } else {
            self.plain_store(store.streaming, value, address, (align, ty.lanes))
        };
        self.tag(stored, store.buf);
    }

    /// `bytes` are those of one of so many lanes.
    fn plain_store(
        &mut self,
        streaming: bool,
        value: Value,
        address: Value,
        (bytes, lanes): (u32, u32),
    ) -> Value {
        let ir = self.ir;
        let size = bytes * lanes;
        if !streaming || size < LEAST_STREAMED {
            return ir.store(value, address, bytes);
        }
        self.streamed = true;
        let stored = ir.store(value, address, size.min(BUFFER_ALIGN));
        ir.attach(stored, "nontemporal", ir.meta_node(&[ir.meta_value(ir.i32(1))]));
        stored
    }

    /// For reading; other warps hide the latency of memory from one.
    pub(super) fn prefetch(&mut self, buf: Buf, offset: V, into: Cache) {
        let ir = self.ir;
        if self.warp.is_some() {
            return;
        }
        let address = self.address(buf, offset);
        let locality = match into {
            Cache::First => 3,
            Cache::Second => 2,
        };
        let args = [address, ir.i32(0), ir.i32(locality), ir.i32(1)];
        ir.intrinsic("llvm.prefetch", &[ir.ptr()], &args);
    }

    /// `tables[table][index]`, lane by lane.
    pub(super) fn table_lookup(&mut self, table: u32, index: V) -> Value {
        let ir = self.ir;
        if self.warp.is_some() {
            return self.warp_table(table, index);
        }
        let ty = self.kernel.ty(index);
        let mut at = self.get(index);
        // Addresses take signed indices; a narrow one may have its top bit set.
        if ty.elem.bits() < 32 {
            at = ir.cast(LLVMZExt, at, ir.lanes(ir.int(32), ty.lanes));
        }
        let address = ir.address(ir.int(64), self.tables[table as usize], at);
        let result = ir.ty(ty.with_elem(Elem::I64));
        let value = if ty.lanes == 1 {
            ir.load(result, address, 8)
        } else {
            let args = [address, ir.i32(8), self.all_true(ty.lanes), ir.poison(result)];
            ir.intrinsic("llvm.masked.gather", &[result, ir.type_of(address)], &args)
        };
        ir.attach(value, "invariant.load", ir.meta_node(&[]));
        value
    }

    pub(super) fn address(&mut self, buf: Buf, offset: V) -> Value {
        let elem = self.ir.elem(self.kernel.buf_elem(buf));
        let (from, distance) = self.offset_from(offset);
        let address = self.ir.address(elem, self.start_of(buf), self.get(from));
        if distance == 0 { address } else { self.ir.address(elem, address, self.ir.i64(distance)) }
    }

    /// The address of the first element.
    pub(super) fn start_of(&self, buf: Buf) -> Value {
        match (self.bases.get(&buf), buf) {
            (Some(&base), _) => base,
            (None, Buf::Global(i)) => self.base(self.buffers.expect("a phase"), self.ir.i64(i as i64)),
            (None, _) => unreachable!("the addresses of a task's own arrays and of rows are loaded"),
        }
    }

    fn all_true(&self, lanes: u32) -> Value {
        let yes = self.ir.const_int(self.ir.int(1), 1);
        self.ir.const_lanes(&vec![yes; lanes as usize])
    }

    /// Tells LLVM what an access to `buf` can meet: nothing of other arrays, and no store at all where the kernel
    /// only reads.
    pub(super) fn tag(&mut self, access: Value, buf: Buf) {
        let ir = self.ir;
        if self.kernel.buf_access(buf) == Some(Access::Read) {
            ir.attach(access, "invariant.load", ir.meta_node(&[]));
            return;
        }
        let alias = Alias::of(buf);
        let tag = *self.alias_tags.entry(alias).or_insert_with(|| alias_tag(ir, alias));
        ir.attach(access, "tbaa", tag);
    }
}

/// Type-based alias information with a type of its own for each array: linear in the number of arrays, where scopes
/// would be quadratic.
fn alias_tag(ir: &crate::ir::Ir, alias: Alias) -> Meta {
    let zero = ir.meta_value(ir.i64(0));
    let root = ir.meta_node(&[ir.meta_string("lawson")]);
    let ty = ir.meta_node(&[ir.meta_string(&format!("{alias:?}")), root, zero]);
    ir.meta_node(&[ty, ty, zero])
}

/// The arrays that statements read or write.
fn arrays(stmts: &[Stmt], used: &mut BTreeSet<Buf>) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(_, Op::Load { buf, .. })
            | Stmt::Store(Store { buf, .. })
            | Stmt::Prefetch { buf, .. }
            | Stmt::LoadMatrices { buf, .. } => {
                used.insert(*buf);
            }
            Stmt::CopyAsync(copy) => used.extend([copy.to, copy.from]),
            Stmt::TileProduct(product) => used.extend(product.matrices().map(|m| m.buf)),
            Stmt::Let(..)
            | Stmt::Barrier
            | Stmt::MatrixProduct(_)
            | Stmt::CarryChain(_)
            | Stmt::GroupCopies
            | Stmt::AwaitCopies(_) => {}
            Stmt::For { body, .. } => arrays(&body.stmts, used),
            Stmt::If { then: a, otherwise: b, .. } | Stmt::While { cond: a, body: b, .. } => {
                arrays(&a.stmts, used);
                arrays(&b.stmts, used);
            }
        }
    }
}
