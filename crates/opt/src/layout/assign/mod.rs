//! Layout assignment: an array between kernels lies as suits the kernel that writes it and those that read it, together.
//!
//! ```text
//! y = f32[512,64] fusion(x), kind=kLoop, calls=fx         y = f32[64,512] fusion(x), kind=kLoop, calls=fx.1
//! s = f32[512] fusion(y), kind=kInput, calls=fy      →    s = f32[512] fusion(y), kind=kInput, calls=fy.1
//! ```
//!
//! Inside, every array is row-major, so a layout is an order of dimensions: the called computation that makes the array
//! ends with a transpose, or makes its values in that order, and those that read it begin with the inverse. A constant is
//! turned when the program is made. Parameters and results belong to the caller and
//! keep theirs, and so does what a loop carries. Kernels are quoted as for fusion; only where some element does not lie
//! as it is read or written is anything tried.

mod body;
mod emit;
mod kernels;
mod search;

use crate::dce::remove_uncalled;
use crate::effects::host_computations;
use crate::fusion::{multi_output, staged};
use crate::options::fusion::Strategy;
use crate::pass::{Changed, PassContext};
use crate::rebuild::each_computation;
use kernels::Kernels;
use lawson_hlo::{InstrId, Module};
use rustc_hash::FxHashMap;
use search::Search;

pub const NAME: &str = "layout-assignment";

/// For arrays whose order of dimensions is another than their shape says: the dimension that stands at each place.
type Orders = FxHashMap<InstrId, Vec<usize>>;

pub fn run(cx: &mut PassContext, module: &mut Module) -> Changed {
    if !cx.options.allows(Strategy::Layout) {
        return Changed::No;
    }
    let host = host_computations(module);
    let mut judge = std::mem::take(&mut cx.judge);
    judge.begin();
    let mut index = 0;
    let mut changed = Changed::from(each_computation(module, |rebuild, comp, _| {
        index += 1;
        if !host[index - 1] {
            return (comp, false);
        }
        let kernels = Kernels::of(rebuild.module, &comp);
        let orders = Search::new(rebuild.module, &comp, &kernels, &mut judge).run(cx, index as u64);
        match orders.is_empty() {
            true => (comp, false),
            false => (emit::emit(rebuild, &comp, &kernels, &orders), true),
        }
    }));
    cx.judge = judge;
    cx.fired_plans();
    if changed.any() {
        remove_uncalled(module);
        // Kernels that agree on an array may be one.
        changed = changed.or(multi_output::run(cx, module)).or(staged::run(cx, module));
    }
    changed
}
