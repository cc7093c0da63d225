//! When the threads of a warp must wait for each other: before one may read what another stored, or store what another
//! reads or stored.
//!
//! Which thread stores an element is not followed, so all accesses to one array of which some are stores count.
//! Between two of them lies a wait unless both are reads; loops count as if every trip came after another.

use crate::emit::memory::Alias;
use lawson_kernel::loop_ir::{Op, Stmt, Store};
use std::collections::BTreeSet;

/// What has been accessed since the threads last waited.
#[derive(Clone, Default, Debug)]
pub(in crate::emit) struct Order {
    /// The arrays that the phase stores to: no others matter.
    changing: BTreeSet<Alias>,
    stored: BTreeSet<Alias>,
    loaded: BTreeSet<Alias>,
}

impl Order {
    pub fn of(body: &[Stmt]) -> Order {
        let mut all = Order::default();
        all.add(body);
        Order { changing: all.stored, ..Order::default() }
    }

    /// Notes a load; whether the threads must wait before it.
    pub fn load(&mut self, from: Alias) -> bool {
        if !self.changing.contains(&from) {
            return false;
        }
        let waits = self.stored.contains(&from);
        if waits {
            self.clear();
        }
        self.loaded.insert(from);
        waits
    }

    /// Notes a store; whether the threads must wait before it.
    pub fn store(&mut self, to: Alias) -> bool {
        let waits = self.stored.contains(&to) || self.loaded.contains(&to);
        if waits {
            self.clear();
        }
        self.stored.insert(to);
        waits
    }

    /// These statements may have run just before the first of them.
    pub fn enter_loop(&mut self, bodies: &[&[Stmt]]) {
        if !self.changing.is_empty() {
            bodies.iter().for_each(|body| self.add(body));
        }
    }

    /// What holds after either.
    pub fn merge(&mut self, other: &Order) {
        self.stored.extend(&other.stored);
        self.loaded.extend(&other.loaded);
    }

    fn clear(&mut self) {
        self.stored.clear();
        self.loaded.clear();
    }

    fn add(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(_, Op::Load { buf, .. }) => {
                    self.loaded.insert(Alias::of(*buf));
                }
                Stmt::Store(Store { buf, .. }) => {
                    self.stored.insert(Alias::of(*buf));
                }
                Stmt::Let(..) | Stmt::Prefetch { .. } => {}
                Stmt::For { body, .. } => self.add(&body.stmts),
                Stmt::If { then: a, otherwise: b, .. } | Stmt::While { cond: a, body: b, .. } => {
                    self.add(&a.stmts);
                    self.add(&b.stmts);
                }
            }
        }
    }
}
