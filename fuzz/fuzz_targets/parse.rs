//! Parsing never panics; what parses prints as text that parses to the same module and prints the same again.

#![no_main]

use lawson_hlo::{Module, Origin};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let module = match Module::parse(text) {
        Ok(module) => module,
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error}");
            error.render("fuzzed.hlo", text);
            return;
        }
    };
    let printed = module.to_string();
    let again = Module::parse(&printed).unwrap_or_else(|e| panic!("{}", e.render("printed.hlo", &printed)));
    assert_eq!(again.to_string(), printed);
    assert!(placeless(again) == placeless(module), "another module was read from\n{printed}");
});

/// The module without what depends on the place of the text.
fn placeless(mut module: Module) -> Module {
    module.sources.clear();
    let instrs = module.computations.iter_mut().flat_map(|c| &mut c.instrs);
    instrs.for_each(|i| i.origin = Origin::default());
    module
}
