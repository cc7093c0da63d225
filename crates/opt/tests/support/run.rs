//! Runs the pipeline on a module as tests of fusion want it.

use lawson_hlo::Module;
use lawson_opt::options::fusion::FusionSpec;
use lawson_opt::{Numerics, Options, PassContext, pipeline};

/// The module after all passes that keep its bits, with what `fusion` allows, and what they reported. The fusions it
/// has stay with `given` alone.
#[track_caller]
pub fn run(module: &Module, fusion: &str) -> (Module, PassContext) {
    let fusion: FusionSpec = fusion.parse().expect("a specification");
    let keep_fusions = fusion == "given".parse().expect("a specification");
    let options = Options { numerics: Numerics::Strict, fusion, keep_fusions, ..Options::default() };
    let (mut module, mut cx) = (module.clone(), PassContext::new(options));
    if let Err(e) = pipeline::run(&mut cx, &mut module, pipeline::PIPELINE) {
        panic!("{}\n{module}", e[0]);
    }
    (module, cx)
}
