//! Every refusal is reached by a test: the one its entry in the catalogue names.

use lawson_hlo::Module;
use lawson_kernel::refusal::catalogue::CATALOGUE;
use lawson_kernel::target::Target;
use lawson_opt::{Numerics, schedule};
use std::path::Path;

#[test]
fn every_refusal_is_reached_by_the_test_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let folder = std::fs::read_dir(root.join("tests/hlo/fusion")).expect("the text tests of fusion");
    // `files.rs` runs them, so what they expect is what happens.
    let expected: String = folder.map(|e| read(&e.expect("an entry").path())).collect();
    let mut missing = Vec::new();
    for about in CATALOGUE {
        let reached = match about.test.split_once("::") {
            None => {
                let verdicts = [format!("kept, {}", about.name), format!(": {}", about.name)];
                expected.lines().any(|l| l.starts_with("// ") && verdicts.iter().any(|v| l.ends_with(v)))
            }
            Some((file, test)) => {
                let text = read(&root.join(file));
                let body = text.split(&format!("fn {test}(")).nth(1);
                body.and_then(|b| b.split("\n}").next()).is_some_and(|b| b.contains(about.name))
            }
        };
        if !reached {
            missing.push(format!("{}: not in {}", about.name, about.test));
        }
    }
    assert!(missing.is_empty(), "no test reaches\n{}", missing.join("\n"));
}

#[test]
fn every_refusal_is_made_in_the_file_its_entry_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // In code: neither in a comment nor in the tests of the file, nor as the beginning of a longer name.
    let made = |text: &str, name: &str| {
        let code = text.split("#[cfg(test)]").next().unwrap_or(text);
        let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        let mut after = lines.flat_map(|l| l.split("Refusal::").skip(1));
        after.any(|a| a.strip_prefix(name).is_some_and(|a| !a.starts_with(char::is_alphanumeric)))
    };
    let mut wrong = Vec::new();
    for about in CATALOGUE {
        match std::fs::read_to_string(root.join(about.code)) {
            Err(e) => wrong.push(format!("{}: {}: {e}", about.name, about.code)),
            Ok(text) if !made(&text, about.name) => {
                wrong.push(format!("{}: not made in {}", about.name, about.code))
            }
            Ok(_) => {}
        }
    }
    assert!(wrong.is_empty(), "mend `code` in crates/kernel/src/refusal/catalogue.rs:\n{}", wrong.join("\n"));
}

/// `Unsupported` is an error of the user, since without a kernel nothing runs.
#[test]
fn what_no_kernel_does_is_refused_by_name() {
    let text = "HloModule m\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
                ROOT s = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[4] parameter(0)\n  \
                ROOT r = f32[4] all-reduce(x), replica_groups={}, to_apply=add\n}\n";
    let module = Module::parse(text).expect("well formed");
    let refused = schedule::schedule(&module, &Target::zen4(), Numerics::Standard).expect_err("Unsupported");
    assert_eq!(refused.instruction.as_deref(), Some("e/r"));
    assert!(refused.message.starts_with("`all-reduce` is not supported"), "{}", refused.message);
}
