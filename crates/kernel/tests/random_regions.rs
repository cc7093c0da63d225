//! Random graphs of a few operations as one region: what is not refused gives the bits of the reference interpreter.
//! `LAWSON_GRAPHS=5000` tries more of them.

mod common;

use common::Rng;
use common::region::agree;

#[test]
fn random_graphs_agree_with_the_interpreter() {
    let graphs = std::env::var("LAWSON_GRAPHS").ok().and_then(|n| n.parse().ok()).unwrap_or(250);
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for seed in 0..graphs {
        let entry = Graph::random(seed);
        match agree(&entry) {
            Ok(()) => {}
            Err(e) if e.contains(": region: ") || e.contains(": plan: ") => refused += 1,
            Err(e) => wrong.push(format!("seed {seed}: {e}\n{entry}\n")),
        }
    }
    println!("{refused} of {graphs} graphs were refused");
    assert!(wrong.is_empty(), "{} of {graphs} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused * 10 < graphs, "{refused} of {graphs} were refused");
}

#[derive(Clone)]
struct Array {
    name: String,
    dtype: &'static str,
    dims: Vec<i64>,
}

/// The text of an entry computation that grows by one instruction after the other.
struct Graph {
    rng: Rng,
    lines: Vec<String>,
    arrays: Vec<Array>,
    parameters: usize,
    names: usize,
}

/// An array of more elements is not made.
const LARGEST: i64 = 20_000;

impl Graph {
    fn random(seed: u64) -> String {
        let mut g = Graph { rng: Rng(seed), lines: Vec::new(), arrays: Vec::new(), parameters: 0, names: 0 };
        let rank = g.rng.below(4);
        let dims = (0..rank).map(|_| g.extent()).collect();
        g.parameter("f32", dims);
        for _ in 0..1 + g.rng.below(12) {
            g.step();
        }
        let roots = 1 + g.rng.below(2).min(g.arrays.len() as u64 - 1) as usize;
        let roots: Vec<Array> = g.arrays.iter().rev().take(roots).cloned().collect();
        let types: Vec<String> = roots.iter().map(text).collect();
        let names: Vec<&str> = roots.iter().map(|a| a.name.as_str()).collect();
        g.lines.push(format!("ROOT root = ({}) tuple({})", types.join(", "), names.join(", ")));
        g.lines.join("\n")
    }

    fn extent(&mut self) -> i64 {
        [1, 2, 3, 4, 5, 7, 8, 16, 17, 20, 33, 40, 64, 100][self.rng.below(14) as usize]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn parameter(&mut self, dtype: &'static str, dims: Vec<i64>) -> Array {
        let n = self.parameters;
        self.parameters += 1;
        let array = self.push(dtype, dims, &format!("parameter({n})"));
        // The first is what the graph grows from; others are operands, used once.
        if n > 0 {
            self.arrays.pop();
        }
        array
    }

    fn push(&mut self, dtype: &'static str, dims: Vec<i64>, call: &str) -> Array {
        let array = Array { name: self.name(), dtype, dims };
        self.lines.push(format!("{} = {} {call}", array.name, text(&array)));
        self.arrays.push(array.clone());
        array
    }

    /// Recent arrays are chosen more often, so that chains form.
    fn pick(&mut self) -> Array {
        let n = self.arrays.len() as u64;
        let back = self.rng.below(n).min(self.rng.below(n));
        self.arrays[(n - 1 - back) as usize].clone()
    }

    fn step(&mut self) {
        let x = self.pick();
        let (d, dims, rank) = (x.dtype, x.dims.clone(), x.dims.len());
        let axis = if rank == 0 { 0 } else { self.rng.below(rank as u64) as usize };
        let v = &x.name;
        match self.rng.below(18) {
            0 => {
                let op = ["negate", "abs", "sign"][self.rng.below(3) as usize];
                self.push(d, dims, &format!("{op}({v})"));
            }
            1 if d != "s32" => {
                self.push(d, dims, &format!("tanh({v})"));
            }
            2 => {
                let y = self.like(&x);
                let op = ["add", "subtract", "multiply", "maximum"][self.rng.below(4) as usize];
                self.push(d, dims, &format!("{op}({v}, {})", y.name));
            }
            3 => {
                let y = self.like(&x);
                let less =
                    self.push("pred", dims.clone(), &format!("compare({v}, {}), direction=LT", y.name));
                self.push(d, dims, &format!("select({}, {v}, {})", less.name, y.name));
                // Masks stay out of the arithmetic.
                self.arrays.retain(|a| a.dtype != "pred");
            }
            4 => {
                let to = ["f32", "bf16", "s32", "f64"][self.rng.below(4) as usize];
                self.push(to, dims, &format!("convert({v})"));
            }
            5 if rank < 4 => {
                let at = self.rng.below(rank as u64 + 1) as usize;
                let mut wide = dims;
                wide.insert(at, self.extent());
                let map: Vec<String> = (0..=rank).filter(|&i| i != at).map(|i| i.to_string()).collect();
                self.sized(d, wide, &format!("broadcast({v}), dimensions={{{}}}", map.join(",")));
            }
            6 if rank > 0 => {
                // One dimension joins the next, or splits in two.
                let mut other = dims.clone();
                if axis + 1 < rank {
                    let minor = other.remove(axis + 1);
                    other[axis] *= minor;
                } else {
                    let n = other[axis];
                    let minor = [2, 3, 4, 5, 8].into_iter().find(|m| n % m == 0).unwrap_or(1);
                    other[axis] = n / minor;
                    other.push(minor);
                }
                self.push(d, other, &format!("reshape({v})"));
            }
            7 if rank > 1 => {
                let mut permutation: Vec<usize> = (0..rank).collect();
                permutation.rotate_left(1 + axis.min(rank - 2));
                let list: Vec<String> = permutation.iter().map(|p| p.to_string()).collect();
                let moved = permutation.iter().map(|&p| dims[p]).collect();
                self.push(d, moved, &format!("transpose({v}), dimensions={{{}}}", list.join(",")));
            }
            8 if rank > 0 => {
                let n = dims[axis];
                let stride = 1 + self.rng.below(3) as i64;
                let start = self.rng.below(n as u64) as i64;
                let mut ranges: Vec<String> = dims.iter().map(|n| format!("[0:{n}]")).collect();
                ranges[axis] = format!("[{start}:{n}:{stride}]");
                let mut cut = dims;
                cut[axis] = (n - start + stride - 1) / stride;
                self.push(d, cut, &format!("slice({v}), slice={{{}}}", ranges.join(", ")));
            }
            9 if rank > 0 => {
                let (low, high) = (self.rng.below(5) as i64 - 1, self.rng.below(4) as i64);
                let interior = self.rng.below(3).saturating_sub(1) as i64;
                let n = dims[axis];
                let padded = low + n + (n - 1) * interior + high;
                if padded < 1 {
                    return;
                }
                let value = self.parameter(d, Vec::new());
                let mut wide = dims;
                wide[axis] = padded;
                let pads: Vec<String> = (0..rank)
                    .map(|a| if a == axis { format!("{low}_{high}_{interior}") } else { "0_0".to_string() })
                    .collect();
                self.sized(d, wide, &format!("pad({v}, {}), padding={}", value.name, pads.join("x")));
            }
            10 if rank > 0 => {
                self.push(d, dims, &format!("reverse({v}), dimensions={{{axis}}}"));
            }
            11 if rank > 0 => {
                let mut pieces = vec![v.clone()];
                let mut wide = dims;
                let own = wide[axis];
                for _ in 0..1 + self.rng.below(3) {
                    // Of the same size or another, and computed.
                    let mut piece = x.clone();
                    piece.dims[axis] = if self.rng.below(2) == 0 { own } else { self.extent() };
                    wide[axis] += piece.dims[axis];
                    let y = self.parameter(d, piece.dims);
                    let op = if d == "s32" { "negate" } else { "exponential" };
                    pieces.push(self.push(d, y.dims.clone(), &format!("{op}({})", y.name)).name);
                    self.arrays.pop();
                }
                self.sized(d, wide, &format!("concatenate({}), dimensions={{{axis}}}", pieces.join(", ")));
            }
            12 if rank > 0 => {
                let at: Vec<String> = (0..rank).map(|_| self.parameter("s32", Vec::new()).name).collect();
                let mut cut = dims;
                cut[axis] = 1 + self.rng.below(cut[axis] as u64) as i64;
                let sizes: Vec<String> = cut.iter().map(|n| n.to_string()).collect();
                let call = format!(
                    "dynamic-slice({v}, {}), dynamic_slice_sizes={{{}}}",
                    at.join(", "),
                    sizes.join(",")
                );
                self.push(d, cut, &call);
            }
            13 if rank > 0 => {
                let at: Vec<String> = (0..rank).map(|_| self.parameter("s32", Vec::new()).name).collect();
                let mut part = dims.clone();
                part[axis] = 1 + self.rng.below(part[axis] as u64) as i64;
                let update = self.parameter(d, part);
                self.push(d, dims, &format!("dynamic-update-slice({v}, {}, {})", update.name, at.join(", ")));
            }
            14 if rank > 0 => {
                let n = self.extent();
                let indices = self.parameter("s32", vec![n]);
                let offsets: Vec<String> = (1..rank).map(|o| o.to_string()).collect();
                let mut sizes: Vec<String> = dims.iter().map(|n| n.to_string()).collect();
                sizes[0] = "1".to_string();
                let mut rows = dims;
                rows[0] = n;
                let call = format!(
                    "gather({v}, {}), offset_dims={{{}}}, collapsed_slice_dims={{0}}, start_index_map={{0}}, \
                     index_vector_dim=1, slice_sizes={{{}}}",
                    indices.name,
                    offsets.join(","),
                    sizes.join(",")
                );
                self.sized(d, rows, &call);
            }
            15 if rank > 0 && d == "f32" => {
                let init = self.parameter(d, Vec::new());
                let both = rank > 1 && self.rng.below(3) == 0;
                let reduced: Vec<usize> =
                    (0..rank).filter(|&a| a == axis || both && a == (axis + 1) % rank).collect();
                let kept = (0..rank).filter(|a| !reduced.contains(a)).map(|a| dims[a]).collect();
                let list: Vec<String> = reduced.iter().map(|a| a.to_string()).collect();
                let function = ["add", "max"][self.rng.below(2) as usize];
                let call = format!(
                    "reduce({v}, {}), dimensions={{{}}}, to_apply={function}",
                    init.name,
                    list.join(",")
                );
                self.push(d, kept, &call);
            }
            16 if rank > 0 && d == "f32" => {
                let n = self.extent();
                let weights = self.parameter(d, vec![dims[axis], n]);
                let mut out: Vec<i64> = (0..rank).filter(|&a| a != axis).map(|a| dims[a]).collect();
                out.push(n);
                let call = format!(
                    "dot({v}, {}), lhs_contracting_dims={{{axis}}}, rhs_contracting_dims={{0}}",
                    weights.name
                );
                self.sized(d, out, &call);
            }
            17 if rank > 0 && d == "f32" && dims[axis] >= 3 => {
                let init = self.parameter(d, Vec::new());
                let sizes: Vec<&str> = (0..rank).map(|a| if a == axis { "3" } else { "1" }).collect();
                let pads: Vec<&str> = (0..rank).map(|a| if a == axis { "1_1" } else { "0_0" }).collect();
                let window = format!("size={} pad={}", sizes.join("x"), pads.join("x"));
                self.push(
                    d,
                    dims,
                    &format!("reduce-window({v}, {}), window={{{window}}}, to_apply=add", init.name),
                );
            }
            _ if rank > 0 => {
                let iota = self.push(d, dims.clone(), &format!("iota(), iota_dimension={axis}"));
                self.push(d, dims, &format!("multiply({v}, {})", iota.name));
            }
            _ => {}
        }
    }

    /// An array of the shape and type: one there is, or a parameter.
    fn like(&mut self, x: &Array) -> Array {
        let same = |a: &&Array| a.dtype == x.dtype && a.dims == x.dims;
        let found: Vec<Array> = self.arrays.iter().filter(same).cloned().collect();
        match self.rng.below(2) {
            0 => found[self.rng.below(found.len() as u64) as usize].clone(),
            _ => self.parameter(x.dtype, x.dims.clone()),
        }
    }

    /// Adds an array if it is not too large.
    fn sized(&mut self, dtype: &'static str, dims: Vec<i64>, call: &str) {
        if dims.iter().product::<i64>() <= LARGEST {
            self.push(dtype, dims, call);
        }
    }
}

fn text(a: &Array) -> String {
    let dims: Vec<String> = a.dims.iter().map(|n| n.to_string()).collect();
    format!("{}[{}]", a.dtype, dims.join(","))
}
