//! Circles in a graph of imports, each as short as it can be.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each node those it imports from, and where it does so.
pub type Graph = BTreeMap<String, BTreeMap<String, Place>>;

/// A file and a line of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub path: String,
    pub line: usize,
}

/// One shortest circle through each node that is on one, those that share an import with an earlier one left out.
pub fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let mut taken = BTreeSet::new();
    let mut found = Vec::new();
    for node in graph.keys() {
        let Some(circle) = through(graph, node) else { continue };
        let edges = |c: &[String]| -> Vec<(String, String)> {
            (0..c.len()).map(|i| (c[i].clone(), c[(i + 1) % c.len()].clone())).collect()
        };
        let edges = edges(&circle);
        if edges.iter().all(|e| !taken.contains(e)) {
            taken.extend(edges);
            found.push(circle);
        }
    }
    found
}

/// A shortest circle through a node, which comes first.
pub fn through(graph: &Graph, node: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = VecDeque::from([node]);
    while let Some(at) = next.pop_front() {
        for to in graph.get(at).into_iter().flat_map(BTreeMap::keys) {
            if to == node {
                let mut circle = vec![at.to_string()];
                while let Some(&from) = before.get(circle[0].as_str()) {
                    circle.insert(0, from.to_string());
                }
                return Some(circle);
            }
            if !before.contains_key(to.as_str()) {
                before.insert(to, at);
                next.push_back(to);
            }
        }
    }
    None
}

/// The imports of a circle: `a.rs:7 → b.rs:3 → a.rs`. Folders are named, with the file whose line it is.
pub fn describe(graph: &Graph, circle: &[String]) -> String {
    let step = |i: usize| {
        let (from, to) = (&circle[i], &circle[(i + 1) % circle.len()]);
        let place = &graph[from][to];
        if *from == place.path {
            format!("{from}:{} → ", place.line)
        } else {
            format!("{from} ({}:{}) → ", place.path, place.line)
        }
    };
    let steps: String = (0..circle.len()).map(step).collect();
    format!("{steps}{}", circle[0])
}
