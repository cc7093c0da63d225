//! Who may depend on whom: the rule that keeps each crate about one thing.

/// Each crate with the crates of ours it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("crates/hlo", &[]),
    ("crates/frontend", &["lawson-hlo"]),
    ("crates/stablehlo", &["lawson-hlo"]),
    ("crates/derive", &[]),
    ("crates/kernel", &["lawson-hlo"]),
    ("crates/opt", &["lawson-hlo", "lawson-kernel"]),
    ("crates/llvm", &["lawson-hlo", "lawson-kernel", "lawson-ptx"]),
    ("crates/routines", &["lawson-hlo"]),
    ("crates/cpu", &["lawson-hlo", "lawson-kernel", "lawson-llvm", "lawson-routines"]),
    ("crates/cuda", &["lawson-hlo", "lawson-kernel", "lawson-llvm", "lawson-cpu", "lawson-ptx"]),
    ("crates/ptx", &[]),
    (
        "crates/lawson",
        &[
            "lawson-hlo",
            "lawson-frontend",
            "lawson-stablehlo",
            "lawson-derive",
            "lawson-kernel",
            "lawson-opt",
            "lawson-llvm",
            "lawson-cpu",
            "lawson-cuda",
            "lawson-ptx",
        ],
    ),
    ("crates/cli", &["lawson", "lawson-kernel", "lawson-opt", "lawson-llvm", "lawson-cpu"]),
    ("crates/pjrt", &["lawson", "lawson-cpu"]),
    ("examples", &["lawson"]),
    ("xtask", &[]),
    ("fuzz", &["lawson-hlo", "lawson-stablehlo", "lawson"]),
    ("bench/peers-rust", &["lawson"]),
    ("bench/provers", &["lawson", "lawson-examples", "lawson-peers"]),
];

/// The only crate that may name LLVM's bindings.
const INKWELL_USER: &str = "crates/llvm";

/// The only crates that may use what a command needs and a program that embeds Lawson does not.
const COMMANDS: &[&str] = &["crates/cli", "examples"];

/// Arguments and terminals.
const OF_COMMANDS: &[&str] = &["clap", "clap_complete", "indicatif"];

/// The only crates that may choose an allocator: what is linked last, programs and the plugin.
const LINKED_LAST: &[&str] = &["crates/cli", "crates/pjrt", "examples"];

const ALLOCATORS: &[&str] = &["mimalloc", "libmimalloc-sys"];

/// The faults of one `Cargo.toml`. Development dependencies obey the same rule.
pub fn check(path: &str, text: &str) -> Vec<String> {
    let Some(krate) = path.strip_suffix("/Cargo.toml") else { return Vec::new() };
    let Some((_, may_use)) = MAY_USE.iter().find(|(name, _)| *name == krate) else {
        return vec![format!("{path}: a new crate: say in xtask/src/tidy/deps.rs what it may use")];
    };
    let mut faults = Vec::new();
    for (line, name) in dependencies(text) {
        let ours = name == "lawson" || name.starts_with("lawson-");
        if ours && !may_use.contains(&name) {
            faults.push(format!("{path}:{line}: {krate} must not depend on {name}"));
        }
        if name == "inkwell" && krate != INKWELL_USER {
            faults.push(format!("{path}:{line}: only {INKWELL_USER} may depend on inkwell"));
        }
        if OF_COMMANDS.contains(&name) && !COMMANDS.contains(&krate) {
            faults
                .push(format!("{path}:{line}: only commands may depend on {name}: {}", COMMANDS.join(", ")));
        }
        if ALLOCATORS.contains(&name) && !LINKED_LAST.contains(&krate) {
            let which = LINKED_LAST.join(", ");
            faults.push(format!("{path}:{line}: only what is linked last may depend on {name}: {which}"));
        }
    }
    faults
}

/// The dependencies of a manifest, of any kind, with their lines.
fn dependencies(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            let (table, name) = section.rsplit_once("dependencies.").unwrap_or((section, ""));
            inside = section.ends_with("dependencies");
            if !name.is_empty() && (table.is_empty() || table.ends_with(['-', '.'])) {
                found.push((i + 1, name));
            }
        } else if inside && !line.starts_with('#') {
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            if !name.is_empty() && line.contains('=') {
                found.push((i + 1, name));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_against_the_direction_is_seen() {
        let manifest =
            "[package]\nname = \"lawson-hlo\"\n[dependencies]\nhalf = \"2\"\nlawson-opt.workspace = true\n";
        assert_eq!(
            check("crates/hlo/Cargo.toml", manifest),
            ["crates/hlo/Cargo.toml:5: crates/hlo must not depend on lawson-opt"]
        );
        assert!(check("crates/lawson/Cargo.toml", manifest).is_empty());
    }

    #[test]
    fn development_and_table_dependencies_count() {
        let dev = "[dev-dependencies]\nlawson = { path = \"../lawson\" }\n";
        assert_eq!(check("crates/kernel/Cargo.toml", dev).len(), 1);
        let table = "[target.'cfg(unix)'.dependencies.lawson-cpu]\nworkspace = true\n";
        assert_eq!(check("crates/opt/Cargo.toml", table).len(), 1);
        assert_eq!(check("crates/opt/Cargo.toml", "[dependencies.inkwell]\nversion = \"0\"\n").len(), 1);
    }

    #[test]
    fn what_commands_need_is_not_for_the_library_nor_for_what_it_uses() {
        for name in OF_COMMANDS {
            let manifest = format!("[dependencies]\nhalf = \"2\"\n{name} = \"1\"\n");
            for krate in ["crates/lawson", "crates/hlo", "crates/frontend"] {
                let fault =
                    format!("{krate}/Cargo.toml:3: only commands may depend on {name}: crates/cli, examples");
                assert_eq!(check(&format!("{krate}/Cargo.toml"), &manifest), [fault]);
            }
            COMMANDS.iter().for_each(|krate| {
                assert!(check(&format!("{krate}/Cargo.toml"), &manifest).is_empty());
            });
        }
    }

    #[test]
    fn an_allocator_is_for_what_is_linked_last() {
        for name in ALLOCATORS {
            let manifest = format!("[dependencies]\n{name} = \"1\"\n");
            assert_eq!(check("crates/lawson/Cargo.toml", &manifest).len(), 1);
            assert!(LINKED_LAST.iter().all(|k| check(&format!("{k}/Cargo.toml"), &manifest).is_empty()));
        }
    }

    #[test]
    fn the_library_uses_the_frontend_and_its_macros_and_these_know_little_of_ours() {
        let both = "[dependencies]\nlawson-frontend.workspace = true\nlawson-derive.workspace = true\n";
        assert!(check("crates/lawson/Cargo.toml", both).is_empty());
        assert_eq!(check("crates/opt/Cargo.toml", both).len(), 2);
        let hlo = "[dependencies]\nlawson-hlo.workspace = true\n";
        assert!(check("crates/frontend/Cargo.toml", hlo).is_empty());
        assert_eq!(
            check("crates/derive/Cargo.toml", hlo),
            ["crates/derive/Cargo.toml:2: crates/derive must not depend on lawson-hlo"]
        );
    }

    #[test]
    fn an_unknown_crate_is_a_fault() {
        assert_eq!(check("crates/new/Cargo.toml", "").len(), 1);
        assert!(check("Cargo.toml", "[workspace]\n").is_empty());
    }
}
