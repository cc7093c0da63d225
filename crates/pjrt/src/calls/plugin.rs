//! What the plugin says of itself before there is a client.

use crate::abi::failure::Failure;
use crate::abi::memory::Slice;
use crate::abi::named::{Properties, Value};
use crate::args;
use std::sync::LazyLock;

/// The version of StableHLO that programs are written in for us, unless jaxlib's own is older. It is old, so that little depends on
/// jaxlib; it is the first in which a program can ask how precise a function is to be. The reader takes older and newer ones too.
const STABLEHLO: [i64; 3] = [1, 10, 0];

/// The oldest version that is read.
const OLDEST_STABLEHLO: [i64; 3] = [0, 9, 0];

pub fn initialize(_: &mut args::PluginInitialize) -> Result<(), Failure> {
    Ok(())
}

pub fn attributes(a: &mut args::PluginAttributes) -> Result<(), Failure> {
    static ATTRIBUTES: LazyLock<Properties> = LazyLock::new(|| {
        Properties::new(vec![
            ("stablehlo_current_version".into(), Value::Ints(STABLEHLO.into())),
            ("stablehlo_minimum_version".into(), Value::Ints(OLDEST_STABLEHLO.into())),
            ("lawson_version".into(), Value::Text(env!("CARGO_PKG_VERSION").into())),
        ])
    });
    a.attributes = Slice::lend(ATTRIBUTES.lent());
    Ok(())
}
