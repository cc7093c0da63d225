//! `lawson explain`: what was fused, and why. Plans only; no code is generated.

use crate::args::ExplainArgs;
use crate::{data, term};
use lawson::Error;
use lawson::explain::{explain, json, text};

pub fn run(args: &ExplainArgs) -> Result<(), Error> {
    let options = args.module.common.options();
    let loaded = data::module(&args.module)?;
    loaded.check_supported()?;
    if args.module.data.inputs.is_some() {
        // The plan does not depend on them, but wrong ones are told as everywhere.
        data::arguments(&loaded.module, &args.module.data, &options)?;
    }
    let explanation = explain(&loaded, &options)?;
    term::print(&if args.json {
        format!("{}\n", json::render(&explanation))
    } else {
        text::render(&explanation)
    })
}
