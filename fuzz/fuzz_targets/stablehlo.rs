//! Reading StableHLO never panics: text, or an artifact, whose first bytes are added where they are missing.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let result = lawson_stablehlo::read(bytes);
    if let Ok(module) = result {
        // Whatever was read is well formed, and prints or says why not.
        lawson_hlo::verify::verify(&module).expect("a module that was read is well formed");
        let _ = lawson_stablehlo::print(&module);
    }
    if !lawson_stablehlo::is_artifact(bytes) {
        let artifact = [&b"ML\xefR\x0dStableHLO_v1.9.0\0"[..], bytes].concat();
        let _ = lawson_stablehlo::read(&artifact);
    }
});
