//! `docs/fusion.md`, made from the tables of passes, rules and refusals.

use crate::source::{self, link};
use lawson_kernel::refusal::catalogue::CATALOGUE;
use lawson_kernel::region::fast_math;
use lawson_opt::options::fusion::Strategy;
use lawson_opt::pipeline::{PIPELINE, PROGRAM, SIMPLIFICATION};
use lawson_opt::simplify::{On, rules};
use lawson_opt::{Pass, Status, expand};
use std::fmt::Write;
use std::path::Path;

pub fn text(root: &Path) -> String {
    let mut out = String::from(
        "<!-- Made from the code by `cargo xtask docs`; do not edit. -->\n\n# Fusion: passes, rules, refusals\n\n\
         What happens to a module between its text and its kernels, in order. `lawson explain` tells what each \
         of these did to yours, `lawson opt --print-after all` shows the module after each, and \
         [why-not-fused.md](why-not-fused.md) is the way in for someone with a question.\n\n",
    );
    out += "## Passes\n\n| pass | what it does | why it stands here | code, tests |\n|---|---|---|---|\n";
    let pipeline = std::fs::read_to_string(root.join("crates/opt/src/pipeline.rs")).unwrap_or_default();
    for pass in PIPELINE {
        out += &row(root, &pipeline, pass);
    }
    out += "\nThe group that `simplification` repeats until nothing changes:\n\n\
            | pass | what it does | why it stands here | code, tests |\n|---|---|---|---|\n";
    for pass in SIMPLIFICATION {
        out += &row(root, &pipeline, pass);
    }
    out += "\nThen the module becomes a program, in these stages:\n\n\
            | stage | what it does | why it stands here | code |\n|---|---|---|---|\n";
    for stage in PROGRAM {
        let file = format!("crates/opt/src/{}", stage.file);
        let what = cell(&source::header(root, &file));
        let _ = writeln!(out, "| `{}` | {what} | {} | {} |", stage.name, cell(stage.why), link(&file));
    }
    out += "\n## Kinds of fusion\n\nThe names that `--fusion only-NAME` and `--fusion no-NAME` take.\n\n\
            | name | what it does |\n|---|---|\n";
    for s in Strategy::ALL {
        let _ = writeln!(out, "| `{}` | {} |", s.name(), cell(s.what()));
    }
    out += &refusals();
    out += &rules_table(root);
    out += &inside_kernels();
    out += &expanders(root);
    out
}

fn row(root: &Path, pipeline: &str, pass: &Pass) -> String {
    if pass.status == Status::Later {
        return format!("| `{}` | later | {} | |\n", pass.name, cell(pass.why));
    }
    let function = source::function_of(pipeline, pass.name).unwrap_or_default();
    let file = source::file_of(root, &function);
    let what = file.as_ref().map_or(String::new(), |f| source::header(root, f));
    let mut places: Vec<String> = file.iter().map(|f| link(f)).collect();
    let parts: Vec<&str> = function.split("::").collect();
    let folders = parts.iter().map(|p| format!("tests/hlo/{p}")).chain([format!("tests/hlo/{}", pass.name)]);
    if let Some(tests) = folders.into_iter().find(|f| root.join(f).is_dir()) {
        places.push(link(&tests));
    }
    format!("| `{}` | {} | {} | {} |\n", pass.name, cell(&what), cell(pass.why), places.join("<br>"))
}

fn refusals() -> String {
    let mut out = String::from(
        "\n## Refusals\n\nWhy an edge between two operations was not fused. The names are stable: they stand in \
         reports, and tests may rely on them.\n",
    );
    for r in CATALOGUE {
        let path = r.test.split("::").next().unwrap_or(r.test);
        let _ = write!(
            out,
            "\n### {}\n\n{} {}\n\n**What to do:** {}\n\n**Ground:** {}: {}.\n\n**Decided in:** {}\n\n\
             **Test:** [`{}`](../{path})\n",
            r.name,
            r.what,
            r.why,
            r.cure,
            r.ground.name(),
            r.ground.because(),
            link(r.code),
            r.test
        );
    }
    out
}

fn rules_table(root: &Path) -> String {
    let mut out = String::from(
        "\n## Rules of simplification\n\nTried in this order on each instruction. No rule changes a value in the \
         mode it is for, nor in a stricter one. `crates/opt/tests/files.rs` fails for a rule that no file under \
         [tests/hlo](../tests/hlo) exercises.\n\n\
         | rule | before → after | on | from mode | code, tests |\n|---|---|---|---|---|\n",
    );
    for r in rules() {
        let on = match &r.on {
            On::Opcodes(list) => list.iter().map(|o| format!("`{}`", o.name())).collect::<Vec<_>>().join(" "),
            On::Elementwise => "elementwise".into(),
        };
        let file = source::holds(root, "crates/opt/src/simplify", &format!("\"{}\"", r.name));
        let mut places: Vec<String> = file.iter().map(|f| link(f)).collect();
        let topic = file.as_ref().and_then(|f| Path::new(f).file_stem()?.to_str().map(str::to_owned));
        if let Some(test) = topic.map(|t| format!("tests/hlo/simplify/{t}.hlo"))
            && root.join(&test).is_file()
        {
            places.push(link(&test));
        }
        let _ = writeln!(
            out,
            "| `{}` | `{}` | {on} | {} | {} |",
            r.name,
            cell(r.what),
            r.mode.name(),
            places.join("<br>")
        );
    }
    out
}

fn inside_kernels() -> String {
    let (code, test) = ("crates/kernel/src/region/fast_math.rs", "crates/kernel/tests/regions/relaxed.rs");
    let mut out = format!(
        "\n## Rules inside kernels\n\nOf `--numerics fast` alone: they act on the expressions of a kernel once it is \
         fused ({}, {}), and [numerics.md](numerics.md) says what they may change.\n\n\
         | rule | before → after |\n|---|---|\n",
        link(code),
        link(test)
    );
    for (name, what) in fast_math::RULES {
        let _ = writeln!(out, "| `{name}` | {} |", cell(what));
    }
    out
}

fn expanders(root: &Path) -> String {
    let mut out = String::from(
        "\n## Operations that stand for others\n\nRewritten into those others before simplification.\n\n\
         | expander | what it does | code |\n|---|---|---|\n",
    );
    for e in expand::EXPANDERS {
        let path = |stem: &str| format!("crates/opt/src/expand/{stem}");
        let stem = e.name.replace('-', "_");
        let files = [path(&format!("{stem}.rs")), path(&format!("{stem}/mod.rs"))];
        let file = files.into_iter().find(|f| root.join(f).is_file());
        let file = file.or_else(|| source::holds(root, "crates/opt/src/expand", &format!("\"{}\"", e.name)));
        let what = file.as_ref().map_or(String::new(), |f| source::header(root, f));
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            e.name,
            cell(&what),
            file.as_ref().map_or(String::new(), |f| link(f))
        );
    }
    out
}

/// Text inside a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stands_in_it_with_its_code() {
        let text = text(&crate::root());
        for pass in PIPELINE.iter().chain(SIMPLIFICATION) {
            let row = text.lines().find(|l| l.starts_with(&format!("| `{}` |", pass.name)));
            let row = row.unwrap_or_else(|| panic!("no row for {}", pass.name));
            let linked = row.contains("](../crates/opt/src/");
            assert!(linked || pass.status == Status::Later || pass.name == "simplification", "{row}");
        }
        for stage in PROGRAM {
            let row = text.lines().find(|l| l.starts_with(&format!("| `{}` |", stage.name)));
            assert!(row.is_some_and(|l| !l.contains("|  |")), "no header in {}", stage.file);
        }
        for r in rules() {
            let row = text.lines().find(|l| l.starts_with(&format!("| `{}` |", r.name)));
            assert!(row.is_some_and(|l| l.contains("crates/opt/src/simplify/")), "{}", r.name);
        }
        for r in CATALOGUE {
            assert!(text.contains(&format!("\n### {}\n", r.name)), "{}", r.name);
        }
    }
}
