//! Reductions of the same elements that do not need each other become one stage, and so one loop that reads once.
//!
//! The sum and the maximum of an array are one reduction of two values, whose combiner adds one and compares the
//! other. Each result keeps the order of its reduction, and so its bits.

use super::{Function, Kind, Node, NodeId, Region, Source, Stage, all_roots_of};

/// More values in one loop would not stay in registers.
const VALUES: usize = 4;

/// Joins what can be joined.
pub(super) fn join(region: &mut Region) {
    let mut joined = false;
    let mut later = 1;
    let mut loads = Loads { all: vec![None; region.stages.len()], values: vec![None; region.stages.len()] };
    while later < region.stages.len() {
        let found =
            (0..later).find_map(|earlier| Some((earlier, place(region, &mut loads, earlier, later)?)));
        match found {
            Some((earlier, at)) => {
                let gone = pair(region, earlier, later, at);
                loads.moved(at, gone);
                joined = true;
            }
            None => later += 1,
        }
    }
    if joined {
        region.index_nodes();
    }
}

/// Loads of the stages that were asked about.
struct Loads {
    /// Of all that a stage reads.
    all: Vec<Option<Vec<NodeId>>>,
    /// Of the values that a reduction combines, and of those it stores on the way.
    values: Vec<Option<Vec<NodeId>>>,
}

impl Loads {
    /// After the stage `gone` became part of `at`: what others read are the same nodes.
    fn moved(&mut self, at: usize, gone: usize) {
        for known in [&mut self.all, &mut self.values] {
            known[at] = None;
            known.remove(gone);
        }
    }

    /// The stages that a stage reads.
    fn sources(&mut self, region: &Region, s: usize) -> impl Iterator<Item = usize> {
        let all = self.all[s].get_or_insert_with(|| region.loads(&all_roots_of(region, &region.stages[s])));
        all.iter().filter_map(|&id| match region.node(id) {
            Node::Load { source: Source::Stage { stage, .. }, .. } => Some(*stage as usize),
            _ => None,
        })
    }

    /// Whether two reductions evaluate values of the same load at each element.
    fn share(
        &mut self,
        region: &Region,
        (a, of_a): (usize, &[NodeId]),
        (b, of_b): (usize, &[NodeId]),
    ) -> bool {
        for (s, values) in [(a, of_a), (b, of_b)] {
            let stored = region.stages[s].stored().iter().flat_map(|s| &s.parts).map(|p| p.1);
            let evaluated = || values.iter().copied().chain(stored).collect::<Vec<_>>();
            self.values[s].get_or_insert_with(|| region.loads(&evaluated()));
        }
        let of = |s: usize| self.values[s].as_deref().unwrap_or_default();
        // Both in the order of the nodes.
        of(b).iter().any(|id| of(a).binary_search(id).is_ok())
    }
}

/// Where the reductions `a` and `b`, in this order, could both be computed.
fn place(region: &Region, loads: &mut Loads, a: usize, b: usize) -> Option<usize> {
    let (first, second) = (&region.stages[a], &region.stages[b]);
    let (
        Kind::Reduce { order, mask: None, values, .. },
        Kind::Reduce { order: other, mask: None, values: more, .. },
    ) = (&first.kind, &second.kind)
    else {
        return None;
    };
    let alike = order == other && first.space == second.space && first.inner == second.inner;
    if !alike || values.len() + more.len() > VALUES || !loads.share(region, (a, values), (b, more)) {
        return None;
    }
    if loads.sources(region, b).all(|s| s < a) {
        return Some(a);
    }
    (a + 1..=b).all(|s| loads.sources(region, s).all(|from| from != a)).then_some(b)
}

/// Makes one stage of `a` and `b` at the place of one of them; gives the other place, which is gone.
fn pair(region: &mut Region, a: usize, b: usize, at: usize) -> usize {
    let second = region.stages[b].clone();
    let counts = [&region.stages[a], &second].map(|s| (s.own_results().len() as u32, s.results.len() as u32));
    let [(own, all), (others, _)] = counts;
    let stage = both(region, a, second);
    region.stages[at] = stage;
    let gone = a + b - at;
    region.stages.remove(gone);
    let new = |s: u32| if s as usize > gone { s - 1 } else { s };
    let moved = |(s, r): (u32, u32)| match s as usize {
        s if s == a => (new(at as u32), if r < own { r } else { others + r }),
        s if s == b => (new(at as u32), if r < others { own + r } else { all + r }),
        _ => (new(s), r),
    };
    region.renumber_results(moved);
    gone
}

/// The stage of both reductions.
fn both(region: &mut Region, a: usize, second: Stage) -> Stage {
    let mut stage = region.stages[a].clone();
    let (
        Kind::Reduce { values, inits, combiner, stored, .. },
        Kind::Reduce { values: more, inits: others, combiner: other, stored: arrays, .. },
    ) = (&mut stage.kind, second.kind)
    else {
        return stage;
    };
    let (m, n) = (values.len(), more.len());
    values.extend(more);
    inits.extend(others);
    let (left, right) = (&combiner.arguments, &other.arguments);
    let arguments = [&left[..m], &right[..n], &left[m..], &right[n..]].concat();
    // Arguments are the running values, then the elements.
    let of_left = |k: u32| if k < m as u32 { k } else { k + n as u32 };
    let of_right = |k: u32| if k < n as u32 { k + m as u32 } else { k + 2 * m as u32 };
    let mut results = renumbered(region, combiner, &of_left);
    results.extend(renumbered(region, &other, &of_right));
    *combiner = Function { arguments, results };
    // Results are those of the values, then what is stored on the way.
    stored.extend(arrays);
    stage.results.splice(m..m, second.results[..n].iter().copied());
    stage.results.extend(&second.results[n..]);
    stage
}

/// The expressions with their arguments numbered anew.
fn renumbered(region: &mut Region, function: &Function, number: &dyn Fn(u32) -> u32) -> Vec<NodeId> {
    let types = &function.arguments;
    region.replaced(&function.results, &mut |region, k| {
        region.add(Node::Argument(number(k)), types[k as usize])
    })
}
