//! What a region costs, counted: bytes of each array, operations.

use crate::plan::roots_of;
use crate::region::{Kind, Node, NodeId, Region, Source, Stage};
use lawson_hlo::Opcode;

/// Work of one launch of a region's kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Elements of inputs that are read, each once however often the code reads it, in bytes.
    pub bytes_read: i64,
    pub bytes_written: i64,
    /// Arithmetic operations; a multiply-add counts two, an elementary function one.
    pub flops: i64,
    /// Operations weighed by what they cost a vector unit, for predictions.
    pub work: i64,
}

/// Counts a region.
pub fn count(region: &Region) -> Figures {
    let mut read = vec![0i64; region.inputs.len()];
    let mut out = Figures::default();
    tally(region, &mut read, &mut out);
    for part in &region.parts {
        let mut of_part = vec![0i64; part.inputs.len()];
        tally(&part.region, &mut of_part, &mut out);
        for (&i, elements) in part.inputs.iter().zip(of_part) {
            let whole = region.inputs[i as usize].elements;
            read[i as usize] = whole.min(read[i as usize].saturating_add(elements));
        }
    }
    let inputs = read.iter().zip(&region.inputs);
    out.bytes_read = inputs.map(|(n, a)| n.saturating_mul(a.dtype.size() as i64)).sum();
    out
}

/// Counts the stages: elements read of each input, and the rest.
fn tally(region: &Region, read: &mut [i64], out: &mut Figures) {
    for (s, stage) in region.stages.iter().enumerate() {
        let roots = roots_of(stage);
        for id in region.reachable(&roots) {
            let points = points_of(region, stage, id);
            out.work = out.work.saturating_add(points.saturating_mul(node_work(region, id)));
            match region.node(id) {
                Node::Load { source: Source::Input(n), .. } => {
                    let elements = region.inputs[*n as usize].elements;
                    read[*n as usize] = elements.min(read[*n as usize].saturating_add(points));
                }
                Node::Unary { .. } | Node::Binary { .. } | Node::Compare { .. } | Node::Select { .. } => {
                    out.flops = out.flops.saturating_add(points)
                }
                _ => {}
            }
        }
        let all = stage.points().saturating_mul(stage.inner_points());
        let (flops, work) = match &stage.kind {
            Kind::Map { .. } => (0, 0),
            Kind::Reduce { values, .. } | Kind::Scan { values, .. } => {
                (values.len() as i64, values.len() as i64)
            }
            Kind::Contract { .. } => (2, 1),
            Kind::Update { combiner, .. } => (combiner.is_some() as i64, 1),
            Kind::Sort { values, .. } => {
                let depth = 64 - (stage.inner_points().max(1) as u64).leading_zeros() as i64;
                (depth, 4 * depth * values.len() as i64)
            }
            Kind::SelectAndScatter(_) => (1, 4),
        };
        out.flops = out.flops.saturating_add(all.saturating_mul(flops));
        out.work = out.work.saturating_add(all.saturating_mul(work));
        for (n, dtype) in stage.results.iter().enumerate() {
            if region.output_sources.contains(&(s as u32, n as u32)) {
                let elements = match stage.kind {
                    Kind::Update { .. } => stage.points().min(stage.elements),
                    _ => stage.elements,
                };
                out.bytes_written =
                    out.bytes_written.saturating_add(elements.saturating_mul(dtype.size() as i64));
            }
        }
    }
}

/// Points at which a node has values of its own: the extents of the axes it depends on.
fn points_of(region: &Region, stage: &Stage, id: NodeId) -> i64 {
    let extents: Vec<i64> = stage.space.iter().chain(&stage.inner).copied().collect();
    let mut used = vec![false; extents.len()];
    for node in region.reachable(&[id]) {
        if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } =
            region.node(node)
        {
            for (axis, used) in used.iter_mut().enumerate() {
                *used |= e.uses_axis(axis);
            }
        }
    }
    extents.iter().zip(used).filter(|(_, used)| *used).fold(1i64, |n, (&e, _)| n.saturating_mul(e))
}

/// The weight of a node: lanes of fused multiply-adds it is worth.
pub fn node_work(region: &Region, id: NodeId) -> i64 {
    match region.node(id) {
        Node::Constant { .. } | Node::Argument(_) | Node::Index(_) => 0,
        Node::Load { .. } => 1,
        Node::Unary { opcode, .. } | Node::Binary { opcode, .. } => opcode_work(*opcode),
        _ => 1,
    }
}

/// The weight of an elementwise operation, from the measured rates of vector code.
pub fn opcode_work(opcode: Opcode) -> i64 {
    use Opcode::*;
    match opcode {
        Exponential | ExponentialMinusOne | Logistic => 20,
        Log | LogPlusOne => 24,
        Tanh | Erf => 30,
        Sine | Cosine | Tan => 40,
        Power | Atan2 => 60,
        Divide | Sqrt => 8,
        Rsqrt | Cbrt => 16,
        Remainder => 40,
        op if op.is_transcendental() => 40,
        _ => 1,
    }
}
