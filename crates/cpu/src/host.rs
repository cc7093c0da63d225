//! The processor this runs on, as LLVM describes it. The description is kept beside the code, so that a program whose code
//! is all kept needs no LLVM. The processor is asked once: in a virtual machine each question takes a tenth of a
//! millisecond.

use crate::code_cache::{CodeCache, Key};
use lawson_llvm::{Error, TargetSpec};
use std::sync::OnceLock;

/// The processor this runs on, from the cache where it was kept for this processor, else from LLVM.
///
/// # Errors
/// The processor lacks what Lawson needs, or LLVM's library cannot be loaded.
pub fn host(cache: Option<&dyn CodeCache>) -> Result<TargetSpec, Error> {
    Ok(lent(described(cache)?))
}

/// Without registers that the system does not let this process use.
fn lent(spec: TargetSpec) -> TargetSpec {
    if spec.has_tiles() && !crate::tiles::available() { spec.without_tiles() } else { spec }
}

fn described(cache: Option<&dyn CodeCache>) -> Result<TargetSpec, Error> {
    static ANSWERS: OnceLock<Option<Vec<[u32; 4]>>> = OnceLock::new();
    let place = cache.and_then(|c| Some((c, Key::of_processor(ANSWERS.get_or_init(answers).as_ref()?))));
    if let Some(kept) = place.as_ref().and_then(|(cache, key)| parse(&cache.get(key)?)) {
        return Ok(kept);
    }
    static FOUND: OnceLock<TargetSpec> = OnceLock::new();
    let found = match FOUND.get() {
        Some(found) => found.clone(),
        None => {
            let found = TargetSpec::host()?;
            FOUND.get_or_init(|| found).clone()
        }
    };
    if let Some((cache, key)) = place {
        cache.keep(&key, print(&found).as_bytes());
    }
    Ok(found)
}

fn print(spec: &TargetSpec) -> String {
    [&spec.triple, &spec.cpu, &spec.features, &spec.lanes_hint.to_string()].map(String::as_str).join("\n")
}

fn parse(bytes: &[u8]) -> Option<TargetSpec> {
    let lines: Vec<&str> = std::str::from_utf8(bytes).ok()?.split('\n').collect();
    let [triple, cpu, features, lanes] = lines[..] else { return None };
    let lanes_hint = lanes.parse().ok()?;
    Some(TargetSpec { triple: triple.into(), cpu: cpu.into(), features: features.into(), lanes_hint })
}

/// What the processor answers where LLVM reads its name and features from, without what differs between its cores.
#[cfg(target_arch = "x86_64")]
fn answers() -> Option<Vec<[u32; 4]>> {
    // Leaf and subleaf: vendor, signature and features, state that the system saves, features of newer processors.
    const ASKED: [(u32, u32); 14] = [
        (0, 0),
        (1, 0),
        (7, 0),
        (7, 1),
        (7, 2),
        (0xd, 0),
        (0xd, 1),
        (0x14, 0),
        (0x19, 0),
        (0x1e, 1),
        (0x24, 0),
        (0x8000_0000, 0),
        (0x8000_0001, 0),
        (0x8000_0008, 0),
    ];
    let answer = |(leaf, subleaf): (u32, u32)| {
        // A leaf that the processor does not have answers as its last one does, which may number the core.
        if leaf > raw_cpuid::cpuid!(leaf & 0x8000_0000).eax {
            return [0; 4];
        }
        let r = raw_cpuid::cpuid!(leaf, subleaf);
        // Of the first leaf this register has the number of the core.
        [r.eax, if leaf == 1 { 0 } else { r.ebx }, r.ecx, r.edx]
    };
    Some(ASKED.map(answer).to_vec())
}

#[cfg(not(target_arch = "x86_64"))]
fn answers() -> Option<Vec<[u32; 4]>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::Mutex;

    #[derive(Debug, Default)]
    struct Kept(Mutex<HashMap<[u8; 32], Vec<u8>>>);

    impl CodeCache for Kept {
        fn get(&self, key: &Key) -> Option<Vec<u8>> {
            self.0.lock().unwrap().get(key.bytes()).cloned()
        }

        fn keep(&self, key: &Key, object: &[u8]) {
            self.0.lock().unwrap().insert(*key.bytes(), object.to_vec());
        }
    }

    #[test]
    fn a_description_that_was_kept_is_llvms() {
        let own = TargetSpec::host().unwrap();
        assert_eq!(parse(print(&own).as_bytes()), Some(own.clone()));
        assert_eq!(parse(b"x86_64\nzen"), None);
        let kept = Kept::default();
        for _ in 0..2 {
            assert_eq!(host(Some(&kept)).unwrap(), lent(own.clone()));
        }
        let known = answers().map_or(0, |_| 1);
        assert_eq!(kept.0.lock().unwrap().len(), known);
        // What is no description is asked for again.
        kept.0.lock().unwrap().values_mut().for_each(|v| v.truncate(3));
        assert_eq!(host(Some(&kept)).unwrap(), lent(own));
    }
}
