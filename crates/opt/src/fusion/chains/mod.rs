//! Long chains: maps over the same elements that are too many for one kernel are cut into kernels where the fewest values
//! cross.
//!
//! ```text
//! a = f32[n] add(x, y)                        p = (f32[n], f32[n]) fusion(x, y), kind=kLoop, calls=chain
//! …    thousands of maps                 →    …    a few kernels, each reads what crosses from those before
//! z = f32[n] multiply(v, w)                   z = f32[n] fusion(p#0, p#1), kind=kLoop, calls=chain.7
//! ```
//!
//! A kernel computes a piece of the chain with all results that later pieces and others need, so nothing is computed twice;
//! the last one also concatenates its results, where that is what they are for ([`end`]).
//! Where the elements together are more than a core's cache holds, they are computed block by block instead, in a `while`
//! whose body has the kernels ([`blocks`]): what crosses between kernels, and what several of them read, stays in cache.

mod blocks;
mod decide;
mod end;
mod find;
mod leaf;
mod order;
mod piece;

use crate::effects::{host_computations, pinned};
use crate::fusion::limits::MAX_NODES;
use crate::fusion::role::{Role, role};
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use crate::planning::legal;
use crate::rebuild::{Rebuild, each_computation};
use blocks::Blocks;
use find::{Chain, Piece};
use lawson_hlo::builder::Builder;
use lawson_hlo::{CompId, Computation, InstrId, Module};
use lawson_kernel::region::{Kind, Region};
use lawson_kernel::target::Target;
use piece::Extent;

pub const NAME: &str = "long-chains";

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if !cx.options.fusion.allows(Strategy::Instruction) {
        return Changed::No;
    }
    let host = host_computations(module);
    let mut index = 0;
    let changed = each_computation(module, |rebuild, comp, _| {
        index += 1;
        // Shorter ones have no chain that is too long.
        if !host[index - 1] || comp.instrs.len() <= MAX_NODES {
            return (comp, false);
        }
        let chains = chains(cx, rebuild.module, &comp);
        if chains.is_empty() {
            return (comp, false);
        }
        let written = chains.iter().map(|c| Written::new(cx, rebuild, &comp, c)).collect::<Vec<_>>();
        (write(rebuild, &comp, &chains, &written), true)
    });
    Changed::from(changed)
}

/// The chains that are cut.
fn chains(cx: &mut PassContext, module: &Module, comp: &Computation) -> Vec<Chain> {
    let pinned = pinned(comp);
    let roles: Vec<Role> = comp.iter().map(|(id, _)| role(comp, id, pinned.contains(&id))).collect();
    let users = comp.users();
    let mut chains = find::chains(comp, &roles, &users);
    let mut number = 0;
    chains.retain_mut(|chain| {
        number += 1;
        let wanted = cx.options.fusion.base.coin(number) != Some(false);
        let cut = wanted && is_legal(module, comp, chain, &cx.options.target) && cx.fuel(NAME);
        if cut {
            let target = &cx.options.target;
            if !Blocks::apply(comp, chain, target) {
                let one_pass =
                    |chain: &Chain, piece: &Piece| stores_pieces(module, comp, chain, piece, target);
                end::take_in(comp, &roles, &users, chain, one_pass);
            }
            cx.fired("chain");
            cx.report.decisions.extend(decide::decisions(comp, &roles, &users, chain));
        }
        cut
    });
    chains
}

/// Whether every piece is one kernel.
fn is_legal(module: &Module, comp: &Computation, chain: &Chain, target: &Target) -> bool {
    chain.pieces.iter().all(|piece| planned(module, comp, chain, piece, target).is_some())
}

/// The region of a piece that is one kernel.
fn planned(
    module: &Module,
    comp: &Computation,
    chain: &Chain,
    piece: &Piece,
    target: &Target,
) -> Option<Region> {
    let (body, _) = piece::body(module, comp, chain, piece, &Extent::Whole);
    let region = legal::region(module, &body).ok()?;
    Some(legal::planned(region, (module, &body), target).ok()?.0)
}

/// Whether a piece is one kernel that evaluates the parts of what it concatenates together.
fn stores_pieces(module: &Module, comp: &Computation, chain: &Chain, piece: &Piece, target: &Target) -> bool {
    let region = planned(module, comp, chain, piece, target);
    region.is_some_and(|region| region.stages.iter().all(|stage| matches!(stage.kind, Kind::Pieces(_))))
}

/// The computations of a chain.
enum Written {
    /// Of each piece, with what it reads.
    Whole(Vec<(CompId, Vec<InstrId>)>),
    Blocks(Blocks),
}

impl Written {
    fn new(cx: &PassContext, rebuild: &mut Rebuild<'_>, comp: &Computation, chain: &Chain) -> Written {
        if let Some(blocks) = Blocks::new(cx, rebuild, comp, chain) {
            return Written::Blocks(blocks);
        }
        let piece = |piece| {
            let (body, reads) = piece::body(rebuild.module, comp, chain, piece, &Extent::Whole);
            (rebuild.add(body), reads)
        };
        Written::Whole(chain.pieces.iter().map(piece).collect())
    }
}

/// Writes the computation anew: each chain where the first of its values is needed, and what it reads before it.
fn write(rebuild: &Rebuild<'_>, comp: &Computation, chains: &[Chain], written: &[Written]) -> Computation {
    let mut chain_of: Vec<Option<usize>> = vec![None; comp.instrs.len()];
    for (n, chain) in chains.iter().enumerate() {
        chain.pieces.iter().flat_map(|p| &p.members).for_each(|m| chain_of[m.index()] = Some(n));
    }
    let mut b = Builder::with_capacity(rebuild.module, comp.instrs.len());
    let mut map: Vec<Option<InstrId>> = vec![None; comp.instrs.len()];
    let mut done = vec![false; comp.instrs.len()];
    let mut stack: Vec<InstrId> = (0..comp.instrs.len() as u32).rev().map(InstrId).collect();
    while let Some(&id) = stack.last() {
        if done[id.index()] {
            stack.pop();
            continue;
        }
        let chain = chain_of[id.index()].map(|n| (&chains[n], &written[n]));
        let before = stack.len();
        match chain {
            Some((chain, _)) => stack.extend(chain.reads.iter().filter(|r| !done[r.index()])),
            None => {
                let predecessors = comp[id].notes.iter().flat_map(|n| &n.control_predecessors);
                let needs = comp[id].operands.iter().chain(predecessors);
                stack.extend(needs.filter(|r| !done[r.index()]));
            }
        }
        if stack.len() > before {
            continue;
        }
        match chain {
            Some((chain, Written::Blocks(blocks))) => blocks.call(&mut b, comp, chain, &mut map),
            Some((chain, Written::Whole(calls))) => {
                for (piece, (called, reads)) in chain.pieces.iter().zip(calls) {
                    piece::call(&mut b, comp, piece, (*called, reads), &mut map);
                }
            }
            None => map[id.index()] = Some(b.clone_instr(&comp[id], &map)),
        }
        match chain {
            Some((chain, _)) => {
                chain.pieces.iter().flat_map(|p| &p.members).for_each(|m| done[m.index()] = true)
            }
            None => done[id.index()] = true,
        }
    }
    let root = map[comp.root.index()].expect("the root is kept");
    let mut new = b.finish(comp.name.clone(), root);
    new.execution_thread = comp.execution_thread.clone();
    new
}
