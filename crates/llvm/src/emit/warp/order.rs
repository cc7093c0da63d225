//! When the threads of a task must wait for each other: before one may read what another stored, or store what another
//! reads or stored.
//!
//! Accesses to one array of which some are stores may meet, unless the offset alone decides which thread has an element, for
//! all of them the same one (`owners`). Between two that may meet lies a wait unless both are reads; loops count as if every
//! trip came after another. Phases that barriers order (`Phase::by_barriers`) say it themselves.

use super::owners::Owners;
use crate::emit::memory::Alias;
use lawson_kernel::loop_ir::{Kernel, Op, Phase, Stmt, Store};
use std::collections::{BTreeMap, BTreeSet};

/// Arrays, each with the lanes that decide the thread of all accesses to it.
type Accesses = BTreeMap<Alias, Option<u32>>;

/// What has been accessed since the threads last waited.
#[derive(Clone, Default)]
pub(in crate::emit) struct Order {
    /// The arrays that the phase stores to, none where barriers order it: no others matter.
    changing: BTreeSet<Alias>,
    stored: Accesses,
    loaded: Accesses,
}

impl Order {
    pub fn of(kernel: &Kernel, owners: &Owners, phase: &Phase) -> Order {
        let mut all = Order::default();
        if !phase.by_barriers {
            all.add(kernel, owners, &phase.body);
        }
        Order { changing: all.stored.into_keys().collect(), ..Order::default() }
    }

    /// Notes a load; whether the threads must wait before it.
    pub fn load(&mut self, from: Alias, lanes: Option<u32>) -> bool {
        if !self.changing.contains(&from) {
            return false;
        }
        let waits = meets(&self.stored, from, lanes);
        if waits {
            self.clear();
        }
        note(&mut self.loaded, from, lanes);
        waits
    }

    /// Notes a store; whether the threads must wait before it.
    pub fn store(&mut self, to: Alias, lanes: Option<u32>) -> bool {
        if !self.changing.contains(&to) {
            return false;
        }
        let waits = meets(&self.stored, to, lanes) || meets(&self.loaded, to, lanes);
        if waits {
            self.clear();
        }
        note(&mut self.stored, to, lanes);
        waits
    }

    /// These statements may have run just before the first of them. Whether the threads must wait before the loop: then
    /// they need not wait in each trip for what was before it.
    pub fn enter_loop(&mut self, kernel: &Kernel, owners: &Owners, bodies: &[&[Stmt]]) -> bool {
        if self.changing.is_empty() {
            return false;
        }
        let mut own = Order::default();
        bodies.iter().for_each(|body| own.add(kernel, owners, body));
        let waits = own.loaded.iter().any(|(&array, &lanes)| meets(&self.stored, array, lanes))
            || own.stored.iter().any(|(&array, &lanes)| {
                meets(&self.stored, array, lanes) || meets(&self.loaded, array, lanes)
            });
        if waits {
            self.clear();
        }
        self.merge(&own);
        waits
    }

    /// What holds after either.
    pub fn merge(&mut self, other: &Order) {
        other.stored.iter().for_each(|(&alias, &lanes)| note(&mut self.stored, alias, lanes));
        other.loaded.iter().for_each(|(&alias, &lanes)| note(&mut self.loaded, alias, lanes));
    }

    /// All threads are here.
    pub fn clear(&mut self) {
        self.stored.clear();
        self.loaded.clear();
    }

    fn add(&mut self, kernel: &Kernel, owners: &Owners, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(_, Op::Load { buf, offset, ty, .. }) => {
                    note(&mut self.loaded, Alias::of(*buf), owners.lanes(kernel, *offset, ty.lanes));
                }
                Stmt::Store(Store { buf, offset, value, .. }) => {
                    let lanes = owners.lanes(kernel, *offset, kernel.ty(*value).lanes);
                    note(&mut self.stored, Alias::of(*buf), lanes);
                }
                // Asynchronous copies and loads of matrices are in phases that barriers order.
                other => other.blocks().for_each(|block| self.add(kernel, owners, &block.stmts)),
            }
        }
    }
}

/// Whether an access may meet an earlier one in another thread.
fn meets(earlier: &Accesses, array: Alias, lanes: Option<u32>) -> bool {
    earlier.get(&array).is_some_and(|&known| known.is_none() || known != lanes)
}

fn note(accesses: &mut Accesses, array: Alias, lanes: Option<u32>) {
    let known = accesses.entry(array).or_insert(lanes);
    if *known != lanes {
        *known = None;
    }
}
