//! No circles of imports: between the files of `crates/kernel`, and between the folders of any crate.
//!
//! A file imports from the file that defines what it names, in a `use` declaration or in a path anywhere in its code,
//! macros included. Re-exports and globs are followed to the definition: `use super::*` imports from those files whose
//! names are mentioned, and a name that the parent re-exports from a child is imported from the child. These are no
//! imports: `mod` declarations, a re-export that its file does not use itself, calls of methods, doc links, tests.
//!
//! Files are nodes of one graph. Folders are compared with those beside them: at the root of a crate each file and each
//! folder with all that is in it is a node, deeper each folder among the folders of one folder.

mod circles;
mod file;
mod resolve;

use super::allowed;
use super::source::Source;
use circles::{Graph, Place};
use file::File;
use resolve::Crate;
use std::collections::{BTreeMap, BTreeSet};

/// Crates whose files may not import in circles.
const BY_FILE: &[&str] = &["crates/kernel/src/"];

/// The circles of all crates, and exceptions that nothing needs any more.
pub fn check(sources: &[Source]) -> Vec<String> {
    check_with(sources, allowed::CIRCLES)
}

fn check_with(sources: &[Source], allowed: &[(&str, &str, &str)]) -> Vec<String> {
    let (crates, mut faults) = parse(sources);
    let mut needed = BTreeSet::new();
    for (root, krate) in &crates {
        let files = by_file(krate);
        let mut graphs = by_folder(root, &files);
        if BY_FILE.contains(&root.as_str()) {
            graphs.push(("files".into(), files));
        }
        for (what, mut graph) in graphs {
            for &(from, to, _) in allowed {
                let within = |node: &str| graph.contains_key(node);
                if within(from) && within(to) && strike(&mut graph, from, to) {
                    needed.insert((from, to));
                }
            }
            faults.extend(circles::circles(&graph).iter().map(|circle| {
                let at = &graph[&circle[0]][&circle[1 % circle.len()]];
                let circle = circles::describe(&graph, circle);
                format!("{}:{}: circle of imports between {what}: {circle}", at.path, at.line)
            }));
        }
    }
    let stale = allowed.iter().filter(|(from, to, _)| !needed.contains(&(*from, *to)));
    faults.extend(stale.map(|(from, to, _)| {
        format!("{from}: its import from {to} closes no circle; strike it from the list of circles")
    }));
    faults
}

/// Takes an import that is allowed out of the graph; gives whether it is part of a circle.
fn strike(graph: &mut Graph, from: &str, to: &str) -> bool {
    let Some(place) = graph.get_mut(from).and_then(|edges| edges.remove(to)) else { return false };
    // Alone with this import the way back closes a circle.
    let mut only = graph.clone();
    only.insert(from.to_string(), BTreeMap::from([(to.to_string(), place)]));
    circles::through(&only, from).is_some()
}

/// The crates by the folders of their roots, and the files that are not Rust.
fn parse(sources: &[Source]) -> (BTreeMap<String, Crate>, Vec<String>) {
    let (mut crates, mut faults) = (BTreeMap::<String, Crate>::new(), Vec::new());
    for s in sources.iter().filter(|s| !s.is_test()) {
        let Some((root, module)) = place(&s.path) else { continue };
        match File::parse(&s.text) {
            Ok(file) => {
                let files = &mut crates.entry(root).or_default().files;
                files.insert(module, (s.path.clone(), file));
            }
            Err(e) => faults.push(format!("{}:{}: {e}", s.path, e.span().start().line)),
        }
    }
    (crates, faults)
}

/// The root folder of a file's crate, and its module path. Each program below `src/bin` is a crate.
fn place(path: &str) -> Option<(String, Vec<String>)> {
    let (krate, rest) = path.split_once("/src/")?;
    let bin = rest.strip_prefix("bin/").and_then(|r| r.split_once('/'));
    let (root, rest) = match bin {
        Some((name, rest)) => (format!("{krate}/src/bin/{name}/"), rest),
        None => (format!("{krate}/src/"), rest),
    };
    let mut module: Vec<String> = rest.strip_suffix(".rs")?.split('/').map(String::from).collect();
    match (module.len(), module.last().map(String::as_str)) {
        (1, Some("lib" | "main")) | (_, Some("mod")) => drop(module.pop()),
        _ => {}
    }
    Some((root, module))
}

/// The imports between files.
fn by_file(krate: &Crate) -> Graph {
    let mut graph = Graph::new();
    for (module, (path, _)) in &krate.files {
        let edges = graph.entry(path.clone()).or_default();
        for (target, line) in krate.imports(module) {
            let (to, _) = &krate.files[&target];
            edges.insert(to.clone(), Place { path: path.clone(), line });
        }
    }
    graph
}

/// The imports between what lies in one folder, for each folder: at the root files and folders, deeper folders.
fn by_folder(root: &str, files: &Graph) -> Vec<(String, Graph)> {
    let mut levels: BTreeMap<String, Graph> = BTreeMap::new();
    for (from, edges) in files {
        for (to, place) in edges {
            let common = from.split('/').zip(to.split('/')).take_while(|(a, b)| a == b);
            let folder: String = common.map(|(name, _)| format!("{name}/")).collect();
            // `x.rs` beside the folder `x` is its head.
            let node = |path: &str| {
                let name = path[folder.len()..].split('/').next().unwrap_or_default();
                let is_folder = path[folder.len()..].contains('/');
                let name = name.strip_suffix(".rs").unwrap_or(name);
                let node = format!("{folder}{name}");
                let below = format!("{node}/");
                let has_folder = is_folder || files.keys().any(|f| f.starts_with(&below));
                (has_folder || folder == root).then_some(node)
            };
            if let (Some(a), Some(b)) = (node(from), node(to))
                && a != b
            {
                let graph = levels.entry(folder).or_default();
                graph.entry(b.clone()).or_default();
                graph.entry(a).or_default().entry(b).or_insert_with(|| place.clone());
            }
        }
    }
    levels.into_iter().map(|(folder, graph)| (format!("folders of {folder}"), graph)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(files: &[(&str, &str)], allowed: &[(&str, &str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
        check_with(&sources, allowed)
    }

    #[test]
    fn a_circle_of_files_is_named_with_its_lines() {
        let files = [
            ("crates/kernel/src/lib.rs", "pub mod plan;\n"),
            ("crates/kernel/src/plan/mod.rs", "mod a;\nmod b;\npub use a::A;\npub use b::B;\n"),
            ("crates/kernel/src/plan/a.rs", "//! A\nuse super::B;\npub struct A(B);\n"),
            ("crates/kernel/src/plan/b.rs", "use super::*;\n\n\npub enum B { X(Box<A>) }\n"),
        ];
        let circle =
            "crates/kernel/src/plan/a.rs:2 → crates/kernel/src/plan/b.rs:4 → crates/kernel/src/plan/a.rs";
        let fault = format!("crates/kernel/src/plan/a.rs:2: circle of imports between files: {circle}");
        assert_eq!(faults(&files, &[]), [fault]);
        // Other crates may do so within one folder.
        let elsewhere = files.map(|(path, text)| (path.replace("kernel", "opt"), text));
        let elsewhere = elsewhere.each_ref().map(|(path, text)| (path.as_str(), *text));
        assert_eq!(faults(&elsewhere, &[]), [""; 0]);
    }

    #[test]
    fn a_circle_of_folders_is_found_at_each_depth() {
        let at_root = [
            ("crates/opt/src/lib.rs", "mod pass;\nmod fusion;\n"),
            ("crates/opt/src/pass.rs", "pub struct Pass;\nfn f() { crate::fusion::join::g() }\n"),
            ("crates/opt/src/fusion/mod.rs", "pub mod join;\n"),
            ("crates/opt/src/fusion/join.rs", "use crate::pass::Pass;\npub fn g() {}\n"),
        ];
        let fault = "crates/opt/src/fusion/join.rs:1: circle of imports between folders of crates/opt/src/: \
                     crates/opt/src/fusion (crates/opt/src/fusion/join.rs:1) → \
                     crates/opt/src/pass (crates/opt/src/pass.rs:2) → crates/opt/src/fusion";
        assert_eq!(faults(&at_root, &[]), [fault]);
        let deeper = [
            ("crates/opt/src/lib.rs", "mod x;\n"),
            ("crates/opt/src/x/mod.rs", "mod a;\nmod b;\n"),
            ("crates/opt/src/x/a/mod.rs", "mod c;\npub struct A;\n"),
            ("crates/opt/src/x/a/c.rs", "fn c() -> Vec<u8> { vec![super::super::b::B] }\n"),
            ("crates/opt/src/x/b.rs", "pub const B: u8 = 0;\n"),
            ("crates/opt/src/x/b/d.rs", "use crate::x::a::A;\n"),
        ];
        let found = faults(&deeper, &[]);
        assert!(found.len() == 1 && found[0].contains("folders of crates/opt/src/x/"), "{found:?}");
    }

    #[test]
    fn what_is_no_import_closes_no_circle() {
        let files = [
            ("crates/kernel/src/lib.rs", "pub mod a;\n"),
            // It re-exports from its child, shadows its name and tests against it.
            (
                "crates/kernel/src/a.rs",
                "mod child;\npub use child::f;\npub struct A;\nfn g(child: u8) -> u8 { child }\n\
                 #[cfg(test)]\nmod tests {\n use super::child::f;\n}\n",
            ),
            ("crates/kernel/src/a/child.rs", "use super::A;\npub(in crate::a) fn f(_: A) { mem::swap() }\n"),
        ];
        assert_eq!(faults(&files, &[]), [""; 0]);
    }

    #[test]
    fn variants_are_imported_with_their_enum() {
        let files = [
            ("crates/kernel/src/lib.rs", "pub mod a;\npub mod b;\n"),
            ("crates/kernel/src/a.rs", "pub enum A { X }\nfn f(_: crate::b::B) {}\n"),
            ("crates/kernel/src/b.rs", "pub struct B;\nfn g() { use crate::a::A::*;\n let _ = X; }\n"),
        ];
        let found = faults(&files, &[]);
        assert!(found.len() == 2 && found[1].contains("a.rs:2 → crates/kernel/src/b.rs:2"), "{found:?}");
    }

    #[test]
    fn exceptions_count_until_nothing_needs_them() {
        let (a, b) = ("crates/kernel/src/a.rs", "crates/kernel/src/b.rs");
        let circle = [
            ("crates/kernel/src/lib.rs", ""),
            (a, "use crate::b::B;\npub struct A;"),
            (b, "use crate::a::A;\npub struct B;"),
        ];
        let folders = ("crates/kernel/src/a", "crates/kernel/src/b", "for the test");
        assert_eq!(faults(&circle, &[(a, b, "for the test"), folders]), [""; 0]);
        let line = [circle[0], circle[1], (b, "pub struct B;")];
        assert_eq!(faults(&line, &[(a, b, "for the test")]).len(), 1);
    }
}
