//! Select-and-scatter: the gradient of pooling, one source element after the other.

use super::emit::Emit;
use super::lowering::Lowering;
use super::point::Point;
use super::scalar;
use crate::loop_ir::Bin;
use crate::refusal::Refusal;
use crate::region::Kind;
use lawson_hlo::DType;

/// Fills the result with init; then for each source element finds the window element that `select` keeps and
/// scatters the source there. Runs in order, because windows may overlap.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>) -> Result<(), Refusal> {
    let Kind::SelectAndScatter(s) = &l.stage.kind else { return Ok(()) };
    let Some(&home) = cx.arrays.results.get(&(l.index, 0)) else { return Ok(()) };
    let buf = home.buf;
    let dtype = l.stage.results[0];
    let zero_at = |cx: &mut Emit<'r>| vec![cx.b.i64(0); l.axes.extents.len()];
    let task = cx.b.open_phase();
    let at = zero_at(cx);
    let mut point = Point::new(&l.axes, at);
    let init = cx.value(&mut point, s.init)?;
    let raw = scalar::to_memory(&mut cx.b, init, dtype);
    let (zero, elements) = (cx.b.i64(0), cx.b.i64(l.stage.elements));
    cx.for_loop((zero, elements, 1), &[], |cx, i, _| {
        cx.b.store(buf, i, raw, None);
        Ok(Vec::new())
    })?;
    if l.stage.points() == 0 || l.stage.inner_points() == 0 {
        cx.b.close_phase(1, task);
        return Ok(());
    }
    let space = l.axes.space_extents().to_vec();
    let inner = l.axes.inner_extents().to_vec();
    let window: i64 = inner.iter().product();
    cx.nest(&space, &mut Vec::new(), &mut |cx, at| {
        let mut base = at.to_vec();
        let zero = cx.b.i64(0);
        base.resize(l.axes.extents.len(), zero);
        let point = Point::new(&l.axes, base);
        // The best element so far: whether there is one, its value and where it stands.
        let none = cx.b.bool(false);
        let nothing = cx.literal(l.region.dtype(s.operand), blank(l.region.dtype(s.operand)));
        let end = cx.b.i64(window);
        let best = cx.for_loop((zero, end, 1), &[none, nothing, zero], |cx, k, best| {
            let mut p = point.clone();
            let indices = cx.delinearize(k, &inner);
            for (n, i) in indices.into_iter().enumerate() {
                p = p.moved(l.region, l.axes.space + n, i);
            }
            let inside = match s.mask {
                Some(m) => cx.value(&mut p, m)?,
                None => cx.b.bool(true),
            };
            let x = cx.value(&mut p, s.operand)?;
            let offset = cx.scalar_offset(&mut p, &s.offset)?;
            let keeps = cx.call(&p, &s.select, &[best[1], x])?[0];
            let not = cx.b.un(crate::loop_ir::Un::Not, keeps);
            let empty = cx.b.un(crate::loop_ir::Un::Not, best[0]);
            let replace = cx.b.bin(Bin::Or, not, empty);
            let replace = cx.b.bin(Bin::And, replace, inside);
            let any = cx.b.bin(Bin::Or, best[0], inside);
            Ok(vec![any, cx.b.select(replace, x, best[1]), cx.b.select(replace, offset, best[2])])
        })?;
        cx.if_else(
            best[0],
            |cx| {
                let mut p = point.clone();
                let value = cx.value(&mut p, s.value)?;
                let raw = cx.b.load(buf, best[2], 1, None);
                let old = scalar::from_memory(&mut cx.b, raw, dtype);
                let new = cx.call(&p, &s.scatter, &[old, value])?[0];
                let raw = scalar::to_memory(&mut cx.b, new, dtype);
                cx.b.store(buf, best[2], raw, None);
                Ok(Vec::new())
            },
            |_| Ok(Vec::new()),
        )?;
        Ok(())
    })?;
    cx.b.close_phase(1, task);
    Ok(())
}

fn blank(dtype: DType) -> lawson_hlo::Scalar {
    use lawson_hlo::Scalar;
    match dtype {
        DType::Pred => Scalar::Pred(false),
        d if d.is_float() => Scalar::Float(0.0),
        _ => Scalar::Signed(0),
    }
}
