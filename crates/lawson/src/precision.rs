//! How near the results of a module can be expected to be to those of another compiler.
//!
//! Both round differently: they sum in another order, fuse multiplications and additions, and have other elementary
//! functions. The error of a sum grows with its terms, for pairwise and blocked sums as their logarithm (Higham, "The
//! accuracy of floating point summation", SIAM J. Sci. Comput. 14, 1993), and is relative to what is summed, not to what
//! is left of it when terms cancel: so what is allowed is a part of an array's largest value.

use lawson_hlo::dtype::Float;
use lawson_hlo::{Attrs, Computation, DType, Instruction, Module, Shape};

/// What decides how exact results are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Precision {
    /// Something is computed in a type of at most 16 bits, so wider results are no better.
    pub is_half: bool,
    /// The binary logarithm of the terms of the longest reduction, those of loops around it included.
    pub doublings: f64,
}

/// A loop counts as so many doublings: the number of its trips is often not known.
const LOOP_DOUBLINGS: f64 = 10.0;

impl Precision {
    /// What results of the module can be expected to have.
    pub fn of(module: &Module) -> Precision {
        let float = |i: &Instruction| i.shape.leaves().into_iter().any(|a| is_half(a.dtype));
        let is_half = module.computations.iter().any(|c| c.instrs.iter().any(float));
        // Computations stand after those they call.
        let mut doublings: Vec<f64> = Vec::with_capacity(module.computations.len());
        for (_, comp) in module.iter() {
            let longest = comp.instrs.iter().map(|i| {
                let called = i.attrs.called().iter().map(|c| doublings[c.index()]).fold(0.0, f64::max);
                terms(comp, i).max(1.0).log2() + called
            });
            let longest = longest.fold(0.0, f64::max);
            doublings.push(longest);
        }
        Precision { is_half, doublings: doublings[module.entry.index()] }
    }

    /// The relative tolerance of an array of this type.
    pub fn rtol(&self, dtype: DType) -> f64 {
        if self.is_half || is_half(dtype) { 2e-2 } else { 1e-4 }
    }

    /// The part of an array's largest value by which each of its elements may differ: less than a hundredth, but for types
    /// of at most 16 bits.
    pub fn of_largest(&self, dtype: DType) -> f64 {
        let (unit, most) = if self.is_half || is_half(dtype) { (4e-3, 5e-2) } else { (1e-4, 5e-3) };
        (unit * (1.0 + self.doublings)).min(most)
    }
}

/// How many terms of a sum an element of the result has, at most; 2^10 for a loop.
fn terms(comp: &Computation, instr: &Instruction) -> f64 {
    let elements = |shape: &Shape| {
        let all = shape.leaves().into_iter().map(|a| a.checked_elements().unwrap_or(i64::MAX) as f64);
        all.fold(0.0, f64::max)
    };
    let operand = |n: usize| &comp.operand(instr, n).shape;
    let last = |shape: &Shape| shape.as_array().map_or(0, |a| a.rank().saturating_sub(1));
    let extent = |shape: &Shape, d: usize| shape.leaves().first().map_or(1.0, |a| a.dims[d] as f64);
    match &instr.attrs {
        Attrs::Reduce { dims, .. } => dims.iter().map(|&d| extent(operand(0), d)).product(),
        Attrs::Dot(dims) => dims.lhs_contracting.iter().map(|&d| extent(operand(0), d)).product(),
        Attrs::Convolution(_) => elements(operand(1)),
        Attrs::ReduceWindow { window, .. } | Attrs::SelectAndScatter { window, .. } => {
            window.iter().map(|w| w.size as f64).product()
        }
        Attrs::Scan { dim, .. } => extent(operand(0), *dim),
        Attrs::Cholesky(_) | Attrs::Linalg(_) | Attrs::TriangularSolve(_) => {
            extent(operand(0), last(operand(0)))
        }
        Attrs::Fft { lengths, .. } => lengths.iter().map(|&n| n.max(1) as f64).product(),
        Attrs::Scatter(_) => elements(operand(instr.operands.len() - 1)),
        Attrs::While { .. } => LOOP_DOUBLINGS.exp2(),
        _ => 1.0,
    }
}

fn is_half(dtype: DType) -> bool {
    match dtype.part().float() {
        Some(Float::F16 | Float::Bf16 | Float::Small(_)) => true,
        Some(Float::F32 | Float::F64) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Precision {
        Precision::of(&Module::parse(text).expect("well formed"))
    }

    #[test]
    fn reductions_and_loops_around_them_count() {
        let plain = of("ENTRY e { x = f32[64,64] parameter(0) ROOT y = f32[64,64] negate(x) }");
        assert_eq!(plain, Precision::default());
        let dot = "ENTRY e { x = f32[8,64] parameter(0) y = f32[64,8] parameter(1)
            ROOT d = f32[8,8] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
        assert_eq!(of(dot).doublings, 6.0);
        let looping = "s { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
            c { p = f32[4,32] parameter(0) ROOT t = pred[] constant(false) }
            b { p = f32[4,32] parameter(0) z = f32[] constant(0) r = f32[4] reduce(p, z), dimensions={1}, to_apply=s
                ROOT q = f32[4,32] broadcast(r), dimensions={0} }
            ENTRY e { x = f32[4,32] parameter(0) ROOT w = f32[4,32] while(x), condition=c, body=b }";
        assert_eq!(of(looping).doublings, LOOP_DOUBLINGS + 5.0);
    }

    #[test]
    fn half_precision_anywhere_is_the_precision_of_all() {
        let mixed =
            of("ENTRY e { x = f32[4] parameter(0) h = bf16[4] convert(x) ROOT y = f32[4] convert(h) }");
        assert!(mixed.is_half && mixed.rtol(DType::F32) == 2e-2);
        assert_eq!(Precision::default().rtol(DType::F16), 2e-2);
    }
}
