//! What flows where: the operations that fusion saw and the kernels it left, as graphs for pictures.
//!
//! One graph for each computation the host runs: the entry, and the bodies of its loops and branches. What only
//! renames bytes (tuples, reshapes) is seen through, and constants that stand in code are left out.

use super::names::Names;
use crate::compile::Planned;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode, Shape};
use lawson_opt::effects::Effects;
use lawson_opt::planning::cut::is_code;
use std::collections::{BTreeMap, BTreeSet};

/// One computation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// The computation's name; of the entry `ENTRY`.
    pub title: String,
    /// Sources before targets.
    pub nodes: Vec<Node>,
    /// What flows between them.
    pub edges: Vec<Edge>,
}

/// A box of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it is called.
    pub name: String,
    /// What it stands for.
    pub kind: NodeKind,
    /// The opcode, or the kind of a fusion.
    pub opcode: String,
    /// `f32[64,64]`.
    pub shape: String,
    /// The kernels that compute it, by position in the explanation.
    pub kernels: Vec<usize>,
}

/// What a box stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A parameter of the computation.
    Parameter,
    /// An array that is data.
    Constant,
    /// Computed by kernels.
    Kernel,
    /// A loop, branch or call on the host.
    Host,
    /// The root.
    Result,
}

/// A value on its way from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The node that makes it, by position.
    pub from: usize,
    /// The node that reads it.
    pub to: usize,
    /// Its size.
    pub bytes: u64,
}

/// The kernels of a plan, and what flows between them.
pub fn after(planned: &Planned) -> Vec<Graph> {
    let sites = planned.scheduled.sites.iter().enumerate();
    let mut at: BTreeMap<(CompId, InstrId), Vec<usize>> = BTreeMap::new();
    for (n, site) in sites {
        at.entry((site.computation, site.instruction)).or_default().push(n);
    }
    let label = |comp: CompId, id: InstrId, instr: &Instruction| {
        let kernels = at.get(&(comp, id)).cloned().unwrap_or_default();
        (instr.name.to_string(), kernels)
    };
    graphs(&planned.module, label)
}

/// The operations of the plan that fuses nothing, each with the kernels of `planned` that compute it.
pub fn before(unfused: &Planned, planned: &Planned, names: &Names) -> Vec<Graph> {
    // Names are distinct within a computation only; with the origin they nearly always are.
    let mut exact: BTreeMap<(&str, &[u32]), BTreeSet<usize>> = BTreeMap::new();
    let mut by_name: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (n, site) in planned.scheduled.sites.iter().enumerate() {
        let mut waiting = vec![&planned.module[site.computation][site.instruction]];
        while let Some(instr) = waiting.pop() {
            if instr.opcode == Opcode::Parameter {
                continue;
            }
            exact.entry((&instr.name, instr.origin.sources())).or_default().insert(n);
            by_name.entry(&instr.name).or_default().insert(n);
            if instr.opcode == Opcode::Fusion || on_host(instr.opcode) {
                waiting.extend(instr.attrs.called().iter().flat_map(|&c| &planned.module[c].instrs));
            }
        }
    }
    let label = |_: CompId, _: InstrId, instr: &Instruction| {
        let found = exact.get(&(&*instr.name, instr.origin.sources())).or_else(|| by_name.get(&*instr.name));
        (names.best(&instr.name, &instr.origin), found.map_or(Vec::new(), |k| k.iter().copied().collect()))
    };
    graphs(&unfused.module, label)
}

/// The graphs of a module's host computations, the entry first. `label` gives an instruction's name and kernels.
fn graphs(
    module: &Module,
    label: impl Fn(CompId, InstrId, &Instruction) -> (String, Vec<usize>),
) -> Vec<Graph> {
    let effects = Effects::of(module);
    let mut out = Vec::new();
    let mut waiting = vec![module.entry];
    while let Some(id) = waiting.pop() {
        let comp = &module[id];
        let title = if id == module.entry { "ENTRY".into() } else { comp.name.to_string() };
        out.push(Walk::new(comp, &effects, &|i, instr| label(id, i, instr)).graph(title));
        for instr in comp.instrs.iter().rev().filter(|i| on_host(i.opcode)) {
            waiting.extend(instr.attrs.called().iter().rev());
        }
    }
    out
}

struct Walk<'a> {
    comp: &'a Computation,
    effects: &'a Effects,
    label: &'a dyn Fn(InstrId, &Instruction) -> (String, Vec<usize>),
    graph: Graph,
    /// The node of each instruction that has one.
    node: Vec<Option<usize>>,
}

impl<'a> Walk<'a> {
    fn new(
        comp: &'a Computation,
        effects: &'a Effects,
        label: &'a dyn Fn(InstrId, &Instruction) -> (String, Vec<usize>),
    ) -> Walk<'a> {
        Walk { comp, effects, label, graph: Graph::default(), node: vec![None; comp.instrs.len()] }
    }

    fn graph(mut self, title: String) -> Graph {
        let live = live(self.comp, self.effects);
        for (id, instr) in self.comp.iter().filter(|(id, _)| live[id.index()]) {
            if !is_free(instr) && !is_code(instr) {
                self.add(id, instr);
            }
        }
        let root = self.comp.root;
        let result = self.push(Node {
            name: "result".into(),
            kind: NodeKind::Result,
            opcode: "ROOT".into(),
            shape: shape(&self.comp[root].shape),
            kernels: Vec::new(),
        });
        self.connect(root, result);
        self.graph.title = title;
        self.graph
    }

    fn add(&mut self, id: InstrId, instr: &Instruction) {
        let kind = match instr.opcode {
            Opcode::Parameter => NodeKind::Parameter,
            Opcode::Constant => NodeKind::Constant,
            opcode if on_host(opcode) || opcode == Opcode::CustomCall => NodeKind::Host,
            _ => NodeKind::Kernel,
        };
        let (name, kernels) = (self.label)(id, instr);
        let opcode = match &instr.attrs {
            Attrs::Fusion { kind, .. } => kind.name(),
            _ => instr.opcode.name(),
        };
        let node = Node { name, kind, opcode: opcode.into(), shape: shape(&instr.shape), kernels };
        let at = self.push(node);
        self.node[id.index()] = Some(at);
        for &operand in &instr.operands {
            self.connect(operand, at);
        }
    }

    fn push(&mut self, node: Node) -> usize {
        self.graph.nodes.push(node);
        self.graph.nodes.len() - 1
    }

    /// Edges from the nodes that make a value; each pair once.
    fn connect(&mut self, value: InstrId, to: usize) {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![value];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let instr = &self.comp[id];
            let Some(from) = self.node[id.index()] else {
                if !is_code(instr) {
                    waiting.extend(self.behind(instr));
                }
                continue;
            };
            let known = self.graph.edges.iter().rev().take_while(|e| e.to == to).any(|e| e.from == from);
            if !known {
                let bytes = crate::memory::bytes(&instr.shape);
                self.graph.edges.push(Edge { from, to, bytes });
            }
        }
    }

    /// The operands that make the value of an instruction that costs nothing.
    fn behind(&self, instr: &Instruction) -> Vec<InstrId> {
        if let Attrs::TupleIndex(n) = instr.attrs
            && let whole = &self.comp[instr.operands[0]]
            && whole.opcode == Opcode::Tuple
        {
            return vec![whole.operands[n]];
        }
        instr.operands.clone()
    }
}

/// What a result or a side effect needs, also one in the body of a loop.
fn live(comp: &Computation, effects: &Effects) -> Vec<bool> {
    let mut live = vec![false; comp.instrs.len()];
    live[comp.root.index()] = true;
    for (id, instr) in comp.iter().rev() {
        live[id.index()] |= effects.has(instr);
        if live[id.index()] {
            instr.operands.iter().for_each(|o| live[o.index()] = true);
        }
    }
    live
}

fn on_host(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::While | Opcode::Conditional | Opcode::Call)
}

/// Renames bytes or groups values.
fn is_free(instr: &Instruction) -> bool {
    use Opcode::*;
    matches!(
        instr.opcode,
        Tuple | GetTupleElement | Reshape | Bitcast | Copy | OptimizationBarrier | AddDependency | AfterAll
    )
}

fn shape(shape: &Shape) -> String {
    super::build::shapes(&shape.leaves())
}

/// A small graph for tests of the renderings.
#[cfg(test)]
pub(crate) fn example(after: bool) -> Graph {
    let node = |name: &str, kind, kernels: &[usize]| Node {
        name: name.into(),
        kind,
        opcode: if after { "kCustom".into() } else { name.split('.').next().unwrap_or("").into() },
        shape: "f32[4096,1024]".into(),
        kernels: kernels.into(),
    };
    let edge = |from, to| Edge { from, to, bytes: 16 << 20 };
    let (x, out) = (node("x", NodeKind::Parameter, &[]), node("result", NodeKind::Result, &[]));
    let (nodes, edges) = if after {
        let k = node("fused_exp_divide", NodeKind::Kernel, &[0]);
        (vec![x, k, out], vec![edge(0, 1), edge(1, 2)])
    } else {
        let [e, s, d] = ["exp.1", "sum.2", "div.3"].map(|n| node(n, NodeKind::Kernel, &[0]));
        (vec![x, e, s, d, out], vec![edge(0, 1), edge(1, 2), edge(1, 3), edge(2, 3), edge(3, 4)])
    };
    Graph { title: "ENTRY".into(), nodes, edges }
}
