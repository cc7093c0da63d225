//! A minimum cut of a network: the edges of least capacity that part the sink from the source.
//!
//! Dinic's algorithm: shortest augmenting paths level by level, in whole numbers.

use std::collections::VecDeque;

/// More than every sum of capacities.
pub const UNCUTTABLE: i64 = i64::MAX / 4;

pub struct Network {
    /// For each node its edges, by their positions.
    edges_of: Vec<Vec<u32>>,
    /// Target and what is left of the capacity; the edge back stands at the position with the last bit turned.
    edges: Vec<(u32, i64)>,
}

impl Network {
    pub const SOURCE: u32 = 0;
    pub const SINK: u32 = 1;

    /// Source and sink, and no edge.
    pub fn new() -> Network {
        Network { edges_of: vec![Vec::new(); 2], edges: Vec::new() }
    }

    pub fn node(&mut self) -> u32 {
        self.edges_of.push(Vec::new());
        self.edges_of.len() as u32 - 1
    }

    pub fn edge(&mut self, from: u32, to: u32, capacity: i64) {
        for (from, to, capacity) in [(from, to, capacity), (to, from, 0)] {
            self.edges_of[from as usize].push(self.edges.len() as u32);
            self.edges.push((to, capacity));
        }
    }

    /// For each node whether it stays on the side of the source when the cut is least.
    pub fn cut(mut self) -> Vec<bool> {
        loop {
            let levels = self.levels();
            if levels[Self::SINK as usize].is_none() {
                return levels.into_iter().map(|l| l.is_some()).collect();
            }
            let mut next = vec![0; self.edges_of.len()];
            while self.augment(&levels, &mut next) > 0 {}
        }
    }

    /// Edges from the source to each node that still takes something.
    fn levels(&self) -> Vec<Option<u32>> {
        let mut levels = vec![None; self.edges_of.len()];
        levels[Self::SOURCE as usize] = Some(0);
        let mut queue = VecDeque::from([(Self::SOURCE, 0)]);
        while let Some((node, level)) = queue.pop_front() {
            for &e in &self.edges_of[node as usize] {
                let (to, left) = self.edges[e as usize];
                if left > 0 && levels[to as usize].is_none() {
                    levels[to as usize] = Some(level + 1);
                    queue.push_back((to, level + 1));
                }
            }
        }
        levels
    }

    /// Sends as much as one path takes; 0 where there is none. `next` are the edges of each node that are not exhausted.
    fn augment(&mut self, levels: &[Option<u32>], next: &mut [usize]) -> i64 {
        let mut path: Vec<u32> = Vec::new();
        let mut at = Self::SOURCE;
        while at != Self::SINK {
            let Some(&e) = self.edges_of[at as usize].get(next[at as usize]) else {
                // A dead end: one step back, and not this way again.
                let Some(back) = path.pop() else { return 0 };
                at = self.edges[back as usize ^ 1].0;
                next[at as usize] += 1;
                continue;
            };
            let (to, left) = self.edges[e as usize];
            let closer =
                levels[to as usize].is_some() && levels[to as usize] == levels[at as usize].map(|l| l + 1);
            if left > 0 && closer {
                path.push(e);
                at = to;
            } else {
                next[at as usize] += 1;
            }
        }
        let flow = path.iter().map(|&e| self.edges[e as usize].1).min().unwrap_or(0);
        for e in path {
            self.edges[e as usize].1 -= flow;
            self.edges[e as usize ^ 1].1 += flow;
        }
        flow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_edges_are_cut() {
        // Two values lead to the sink; one of them is made of the other, cheaply.
        let mut network = Network::new();
        let [a, b, c] = [(); 3].map(|()| network.node());
        network.edge(Network::SOURCE, a, UNCUTTABLE);
        network.edge(a, b, 5);
        network.edge(a, c, 3);
        network.edge(b, c, 1);
        network.edge(c, Network::SINK, 9);
        assert_eq!(network.cut(), [true, false, true, true, false]);
    }

    #[test]
    fn a_cut_is_as_cheap_as_the_best_of_all() {
        let mut random = 7u64;
        for _ in 0..200 {
            let mut next = |n: u64| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (random >> 33) % n
            };
            let edges: Vec<(u32, u32, i64)> =
                (0..12).map(|_| (next(6) as u32, next(6) as u32, next(10) as i64)).collect();
            let mut network = Network::new();
            (0..4).for_each(|_| _ = network.node());
            edges.iter().for_each(|&(a, b, c)| network.edge(a, b, c));
            let price = |side: &dyn Fn(u32) -> bool| {
                edges.iter().filter(|(a, b, _)| side(*a) && !side(*b)).map(|e| e.2).sum::<i64>()
            };
            let best = (0..16u32).map(|set| price(&|n| n == 0 || n > 1 && set >> (n - 2) & 1 == 1)).min();
            let found = network.cut();
            assert_eq!(Some(price(&|n| found[n as usize])), best);
        }
    }
}
