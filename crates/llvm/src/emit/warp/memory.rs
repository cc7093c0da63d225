//! Loads and stores of the threads of a task: neighbours in memory by neighbouring threads, all else thread by thread. No thread touches
//! an element whose mask is false.

use crate::blocks::WARP;
use crate::emit::Emitter;
use crate::emit::memory::Alias;
use crate::ir::Value;
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use inkwell::llvm_sys::LLVMOpcode::{LLVMAnd, LLVMZExt};
use lawson_kernel::loop_ir::{Buf, Elem, Store, Type, V};

/// Bytes of the widest access.
const WIDEST: u32 = 16;

impl Emitter<'_> {
    pub(in crate::emit) fn warp_load(&mut self, buf: Buf, offset: V, ty: Type, mask: Option<V>) -> Value {
        let owner = self.owners.lanes(self.kernel, offset, ty.lanes);
        if self.order.load(Alias::of(buf), owner) {
            self.wait();
        }
        let each = self.per_thread(ty.lanes);
        let masks = mask.map(|m| self.apart(self.get(m), ty.lanes));
        let addresses = self.addresses(buf, offset, ty);
        if addresses.len() == 1 && each > 1 && masks.is_none() && ty.elem != Elem::I256 {
            let align = self.alignment(offset, ty.elem, each);
            let value = self.ir.load(self.ir.ty(self.held(ty)), addresses[0], align);
            self.tag(value, buf);
            return value;
        }
        let one = Type::scalar(ty.elem);
        let align = self.alignment_apart(offset, ty.elem);
        let place = |e: &mut Self, n: usize| {
            let address = e.place_address(&addresses, n, ty.elem);
            match &masks {
                None => e.load_place(buf, (address, align), one),
                Some(masks) => {
                    let zero = e.ir.zero(e.ir.ty(one));
                    e.branch(masks[n], |e| vec![e.load_place(buf, (address, align), one)], |_| vec![zero])[0]
                }
            }
        };
        let places: Vec<Value> = (0..each as usize).map(|n| place(self, n)).collect();
        if ty.elem != Elem::I256 {
            return self.together(places);
        }
        let words: Vec<[Value; 4]> = places.iter().map(|&p| self.words(p)).collect();
        self.joined(std::array::from_fn(|n| self.together(words.iter().map(|words| words[n]).collect())))
    }

    pub(in crate::emit) fn warp_store(&mut self, store: &Store) {
        let ty = self.kernel.ty(store.value);
        let owner = self.owners.lanes(self.kernel, store.offset, ty.lanes);
        if self.order.store(Alias::of(store.buf), owner) {
            self.wait();
        }
        let ir = self.ir;
        let each = self.per_thread(ty.lanes);
        let value = self.get(store.value);
        let addresses = self.addresses(store.buf, store.offset, ty);
        // Threads that hold the same lane as another one leave it to the first.
        let own = match self.is_spread(ty.lanes) {
            true => None,
            false => {
                let own = (ty.lanes < WARP).then(|| self.is_one_of((1 << ty.lanes) - 1));
                own.into_iter().chain(self.is_of_first_warp()).reduce(|a, b| ir.bin(LLVMAnd, a, b))
            }
        };
        if addresses.len() == 1 && each > 1 && own.is_none() && store.mask.is_none() && ty.elem != Elem::I256
        {
            // The address of a streamed vector is a multiple of its size.
            let whole = (ty.elem.bytes() as u32 * each).min(WIDEST);
            let align = if store.streaming { whole } else { self.alignment(store.offset, ty.elem, each) };
            let stored = ir.store(value, addresses[0], align);
            self.tag(stored, store.buf);
            return;
        }
        let places = match ty.elem {
            Elem::I256 => {
                let words = self.words(value).map(|word| self.apart(word, ty.lanes));
                (0..each as usize).map(|n| self.joined(std::array::from_fn(|w| words[w][n]))).collect()
            }
            _ => self.apart(value, ty.lanes),
        };
        let masks = store.mask.map(|m| self.apart(self.get(m), ty.lanes));
        let align = self.alignment_apart(store.offset, ty.elem);
        for (n, value) in places.into_iter().enumerate() {
            let address = self.place_address(&addresses, n, ty.elem);
            let mask = masks.as_ref().map(|masks| masks[n]);
            let all = own.into_iter().chain(mask).reduce(|a, b| ir.bin(LLVMAnd, a, b));
            match all {
                None => self.store_place(store.buf, (address, align), value, ty.elem),
                Some(condition) => {
                    let stored = |e: &mut Self| {
                        e.store_place(store.buf, (address, align), value, ty.elem);
                        Vec::new()
                    };
                    self.branch(condition, stored, |_| Vec::new());
                }
            }
        }
    }

    /// `tables[table][index]`, lane by lane.
    pub(in crate::emit) fn warp_table(&mut self, table: u32, index: V) -> Value {
        let ir = self.ir;
        let ty = self.kernel.ty(index);
        let looked_up = |index: Value| {
            let index = if ty.elem.bits() < 64 { ir.cast(LLVMZExt, index, ir.int(64)) } else { index };
            let value = ir.load(ir.int(64), ir.address(ir.int(64), self.tables[table as usize], index), 8);
            ir.attach(value, "invariant.load", ir.meta_node(&[]));
            value
        };
        self.together(self.apart(self.get(index), ty.lanes).into_iter().map(looked_up).collect())
    }

    /// Whether the flag that ends loops is not set; the same for all threads.
    pub(in crate::emit) fn goes_on(&self, flag: Value) -> Value {
        let ir = self.ir;
        let clear = ir.icmp(LLVMIntEQ, ir.load_flag(flag), ir.const_int(ir.int(8), 0));
        ir.not(self.any_thread(ir.not(clear)))
    }

    /// Of what addresses are multiples where each thread has so many elements from an offset on: arrays begin at multiples of
    /// more than the widest access.
    fn alignment(&self, offset: V, elem: Elem, each: u32) -> u32 {
        let bytes = elem.bytes() as u32;
        (bytes * each.min(self.owners.multiple(offset))).min(WIDEST.max(bytes))
    }

    /// The same where each lane has an offset of its own: LLVM makes one access of a thread's that turn out to be neighbours.
    fn alignment_apart(&self, offset: V, elem: Elem) -> u32 {
        match self.kernel.ty(offset).lanes {
            1 => elem.bytes() as u32,
            _ => self.alignment(offset, elem, WIDEST),
        }
    }

    /// The address of a thread's first element where all of its own lie side by side, else of each.
    fn addresses(&mut self, buf: Buf, offset: V, ty: Type) -> Vec<Value> {
        let ir = self.ir;
        let at = self.kernel.ty(offset);
        if at.lanes > 1 {
            let offset = self.address(buf, offset);
            return self.apart(offset, at.lanes);
        }
        let address = self.address(buf, offset);
        if ty.lanes == 1 {
            return vec![address];
        }
        let first = ir.cast(LLVMZExt, self.first_lane_held(ty.lanes), ir.int(64));
        vec![ir.address(ir.elem(ty.elem), address, first)]
    }

    fn place_address(&self, addresses: &[Value], place: usize, elem: Elem) -> Value {
        let ir = self.ir;
        match addresses {
            [first] => ir.address(ir.elem(elem), *first, ir.i64(place as i64)),
            each => each[place],
        }
    }

    fn load_place(&mut self, buf: Buf, (address, align): (Value, u32), ty: Type) -> Value {
        let ir = self.ir;
        if ty.elem != Elem::I256 {
            let value = ir.load(ir.ty(ty), address, align);
            self.tag(value, buf);
            return value;
        }
        // Two accesses of 16 bytes: numbers begin at multiples of their size.
        let words = ir.load(ir.lanes(ir.int(64), 4), address, WIDEST);
        self.tag(words, buf);
        self.joined(std::array::from_fn(|n| ir.extract(words, n as u32)))
    }

    fn store_place(&mut self, buf: Buf, (address, align): (Value, u32), value: Value, elem: Elem) {
        let ir = self.ir;
        let stored = if elem == Elem::I256 {
            let words = self.words(value);
            let none = ir.poison(ir.lanes(ir.int(64), 4));
            let row = (0..).zip(words).fold(none, |row, (n, word)| ir.insert(row, n, word));
            ir.store(row, address, WIDEST)
        } else {
            ir.store(value, address, align)
        };
        self.tag(stored, buf);
    }
}
