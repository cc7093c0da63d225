//! Places the nodes of a graph in layers, sources above targets, for pictures.
//!
//! Longest-path layers; edges over several layers bend at a waypoint in each; barycentres order each layer; then
//! nodes move towards the middle of their neighbours as far as their layer lets them. Near-linear in the number
//! of waypoints, and deterministic.

/// A box to place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// Where everything is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placed {
    pub width: f64,
    pub height: f64,
    /// Top left corners.
    pub nodes: Vec<(f64, f64)>,
    /// For each edge its points: bottom of the source, a waypoint for each layer between, top of the target.
    pub edges: Vec<Vec<(f64, f64)>>,
}

/// Between boxes of a layer, between layers, around a line.
const GAP: f64 = 18.0;
const RISE: f64 = 40.0;
const LINE: f64 = 10.0;
/// Rounds of ordering, and of moving.
const SWEEPS: usize = 6;

/// A node or a waypoint.
struct Slot {
    size: Size,
    above: Vec<usize>,
    below: Vec<usize>,
    x: f64,
}

/// Places boxes joined by `edges` (from, to); every source stands before its target in `sizes`.
pub fn place(sizes: &[Size], edges: &[(usize, usize)]) -> Placed {
    let layer_of = layers(sizes.len(), edges);
    let count = layer_of.iter().max().map_or(0, |l| l + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut slots: Vec<Slot> = Vec::new();
    for (n, &size) in sizes.iter().enumerate() {
        layers[layer_of[n]].push(n);
        slots.push(Slot { size, above: Vec::new(), below: Vec::new(), x: 0.0 });
    }
    let mut chains = Vec::new();
    for &(from, to) in edges {
        let mut chain = vec![from];
        for layer in &mut layers[layer_of[from] + 1..layer_of[to]] {
            layer.push(slots.len());
            chain.push(slots.len());
            let size = Size { width: LINE, height: 0.0 };
            slots.push(Slot { size, above: Vec::new(), below: Vec::new(), x: 0.0 });
        }
        chain.push(to);
        for pair in chain.windows(2) {
            slots[pair[0]].below.push(pair[1]);
            slots[pair[1]].above.push(pair[0]);
        }
        chains.push(chain);
    }
    order(&mut layers, &slots);
    align(&layers, &mut slots);
    finish(sizes, &layers, &slots, &chains, &layer_of)
}

/// The layer of each node: one below the lowest of its sources; sources without any stand right above their first
/// reader.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        incoming[to].push(from);
        outgoing[from].push(to);
    }
    let mut layer = vec![0usize; nodes];
    for n in 0..nodes {
        layer[n] = incoming[n].iter().map(|&f| layer[f] + 1).max().unwrap_or(0);
    }
    for n in 0..nodes {
        if incoming[n].is_empty()
            && let Some(first) = outgoing[n].iter().map(|&t| layer[t]).min()
        {
            layer[n] = first.saturating_sub(1);
        }
    }
    layer
}

/// Orders each layer by the mean position of its neighbours, down and up.
fn order(layers: &mut [Vec<usize>], slots: &[Slot]) {
    let mut position = vec![0.0; slots.len()];
    let settle = |layer: &[usize], position: &mut [f64]| {
        for (i, &s) in layer.iter().enumerate() {
            position[s] = i as f64;
        }
    };
    layers.iter().for_each(|l| settle(l, &mut position));
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let count = layers.len();
        for i in 0..count {
            let layer = &mut layers[if down { i } else { count - 1 - i }];
            let mut keyed: Vec<(f64, usize)> = layer
                .iter()
                .map(|&s| {
                    let near = if down { &slots[s].above } else { &slots[s].below };
                    (mean(near.iter().map(|&n| position[n])).unwrap_or(position[s]), s)
                })
                .collect();
            // Stable: what nothing pulls apart stays in order.
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *layer = keyed.into_iter().map(|(_, s)| s).collect();
            settle(layer, &mut position);
        }
    }
}

/// Gives each slot its middle: as near to its neighbours' as the order of its layer permits.
fn align(layers: &[Vec<usize>], slots: &mut [Slot]) {
    for layer in layers {
        let mut x = 0.0;
        for &s in layer {
            slots[s].x = x + slots[s].size.width / 2.0;
            x += slots[s].size.width + GAP;
        }
    }
    for sweep in 0..2 * SWEEPS {
        let down = sweep % 2 == 0;
        for i in 0..layers.len() {
            let layer = &layers[if down { i } else { layers.len() - 1 - i }];
            let wish: Vec<f64> = layer
                .iter()
                .map(|&s| {
                    let near = if down { &slots[s].above } else { &slots[s].below };
                    let near = if near.is_empty() { &slots[s].above } else { near };
                    mean(near.iter().map(|&n| slots[n].x)).unwrap_or(slots[s].x)
                })
                .collect();
            let room = |i: usize| {
                let (a, b) = (slots[layer[i]].size.width, slots[layer[i + 1]].size.width);
                (a + b) / 2.0 + GAP
            };
            let gaps: Vec<f64> = (0..layer.len().saturating_sub(1)).map(room).collect();
            for (&s, x) in layer.iter().zip(apart(&wish, &gaps)) {
                slots[s].x = x;
            }
        }
    }
}

/// The positions nearest to `wish` (least squares) that keep the gaps: neighbours that collide move as one block.
fn apart(wish: &[f64], gaps: &[f64]) -> Vec<f64> {
    // With the gaps taken out, positions must only not fall.
    let mut shift = vec![0.0; wish.len()];
    for i in 1..wish.len() {
        shift[i] = shift[i - 1] + gaps[i - 1];
    }
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (i, &w) in wish.iter().enumerate() {
        blocks.push((w - shift[i], 1));
        while let [.., (a, n), (b, m)] = blocks[..]
            && a > b
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push(((a * n as f64 + b * m as f64) / (n + m) as f64, n + m));
        }
    }
    let flat = blocks.into_iter().flat_map(|(x, n)| std::iter::repeat_n(x, n));
    flat.zip(&shift).map(|(x, s)| x + s).collect()
}

fn finish(
    sizes: &[Size],
    layers: &[Vec<usize>],
    slots: &[Slot],
    chains: &[Vec<usize>],
    layer_of: &[usize],
) -> Placed {
    let left = slots.iter().map(|s| s.x - s.size.width / 2.0).fold(f64::INFINITY, f64::min);
    let left = if left.is_finite() { left } else { 0.0 };
    let mut tops = Vec::new();
    let mut y = 0.0;
    for layer in layers {
        tops.push(y);
        y += layer.iter().map(|&s| slots[s].size.height).fold(0.0, f64::max) + RISE;
    }
    let middle = |s: usize| slots[s].x - left;
    let nodes: Vec<(f64, f64)> =
        (0..sizes.len()).map(|n| (middle(n) - sizes[n].width / 2.0, tops[layer_of[n]])).collect();
    let edges = chains.iter().map(|chain| {
        let (from, to) = (chain[0], chain[chain.len() - 1]);
        let mut points = vec![(middle(from), nodes[from].1 + sizes[from].height)];
        for (i, &way) in chain[1..chain.len() - 1].iter().enumerate() {
            let top = tops[layer_of[from] + 1 + i];
            let bottom = tops[layer_of[from] + 2 + i] - RISE;
            points.extend([(middle(way), top), (middle(way), bottom)]);
        }
        points.push((middle(to), nodes[to].1));
        points
    });
    let edges: Vec<_> = edges.collect();
    let right = slots.iter().map(|s| s.x + s.size.width / 2.0).fold(left, f64::max);
    Placed { width: right - left, height: (y - RISE).max(0.0), nodes, edges }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0usize), |(s, n), v| (s + v, n + 1));
    (n > 0).then(|| sum / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Size = Size { width: 100.0, height: 30.0 };

    #[test]
    fn sources_stand_above_targets_and_nothing_overlaps() {
        // A diamond with a long edge beside it, and two parameters.
        let edges = [(0, 2), (2, 3), (2, 4), (3, 5), (4, 5), (0, 5), (1, 4)];
        let placed = place(&[BOX; 6], &edges);
        for (&(from, to), points) in edges.iter().zip(&placed.edges) {
            assert!(placed.nodes[from].1 + BOX.height < placed.nodes[to].1);
            assert!(points.windows(2).all(|p| p[0].1 <= p[1].1), "{points:?}");
        }
        for a in 0..6 {
            let (x, y) = placed.nodes[a];
            assert!(x >= 0.0 && x + BOX.width <= placed.width && y + BOX.height <= placed.height);
            for b in 0..a {
                let (u, v) = placed.nodes[b];
                assert!((x - u).abs() >= BOX.width || (y - v).abs() >= BOX.height, "{a} on {b}");
            }
        }
        // The second parameter stands right above its reader.
        assert_eq!(placed.nodes[1].1, placed.nodes[2].1);
    }

    #[test]
    fn colliding_wishes_share_the_way() {
        assert_eq!(apart(&[5.0, 5.0, 20.0], &[4.0, 4.0]), [3.0, 7.0, 20.0]);
        assert_eq!(apart(&[], &[]), Vec::<f64>::new());
    }

    #[test]
    fn a_chain_is_straight() {
        let edges: Vec<(usize, usize)> = (1..1000).map(|i| (i - 1, i)).collect();
        let placed = place(&[BOX; 1000], &edges);
        assert_eq!(placed.width, BOX.width);
        assert!(placed.nodes.iter().all(|n| n.0 == 0.0));
        assert_eq!(place(&[], &[]), Placed::default());
    }
}
