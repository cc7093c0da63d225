//! Which file of a crate defines what a path names.

use super::file::{File, Mention};
use std::collections::{BTreeMap, BTreeSet};

/// The files of a crate by their module paths; the crate's root has the empty one.
#[derive(Default)]
pub struct Crate {
    pub files: BTreeMap<Vec<String>, (String, File)>,
}

/// What a path names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A module with a file of its own.
    Module(Vec<String>),
    /// Something that the file of this module defines.
    Item(Vec<String>),
}

impl Target {
    /// The module whose file holds it.
    pub fn module(&self) -> &[String] {
        match self {
            Target::Module(module) | Target::Item(module) => module,
        }
    }
}

/// Names that are being looked up: globs of each other ask for them again.
type Asked = BTreeSet<(Vec<String>, String)>;

impl Crate {
    /// The modules that a file imports from, each with the first line that does so.
    pub fn imports(&self, module: &[String]) -> BTreeMap<Vec<String>, usize> {
        let mut found = BTreeMap::new();
        let Some((_, file)) = self.files.get(module) else { return found };
        let mut import = |target: &[String], line: usize| {
            if target != module {
                let first = found.entry(target.to_vec()).or_insert(line);
                *first = line.min(*first);
            }
        };
        for u in file.uses.iter().filter(|u| !u.exported) {
            match self.resolve(module, &u.target.path) {
                // The glob of a module is no import by itself: the names it brings in are, where they are mentioned.
                Some(Target::Module(_)) if u.name.is_none() => {}
                Some(target) => import(target.module(), u.target.line),
                None => {}
            }
        }
        for Mention { path, line } in &file.mentions {
            match self.resolve(module, path) {
                // One name alone is a local variable that is called as a module is.
                Some(Target::Module(_)) if path.len() == 1 => {}
                Some(target) => import(target.module(), *line),
                None => {}
            }
        }
        found
    }

    /// What a path names that stands in the file of `module`; `None` for what is not of this crate, and for local
    /// names.
    pub fn resolve(&self, module: &[String], path: &[String]) -> Option<Target> {
        self.follow(module, path, &mut Asked::new())
    }

    fn follow(&self, module: &[String], path: &[String], asked: &mut Asked) -> Option<Target> {
        let mut at = module.to_vec();
        for (n, segment) in path.iter().enumerate() {
            match segment.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => {
                    at.pop()?;
                }
                _ => {
                    let child = [&at[..], std::slice::from_ref(segment)].concat();
                    if !self.files.contains_key(&child) {
                        return self.name(&at, segment, &path[n + 1..], asked);
                    }
                    at = child;
                }
            }
        }
        self.files.contains_key(&at).then_some(Target::Module(at))
    }

    /// A name that is no module of its own, looked up in the file of a module.
    fn name(&self, module: &[String], name: &str, rest: &[String], asked: &mut Asked) -> Option<Target> {
        let (_, file) = self.files.get(module)?;
        if !asked.insert((module.to_vec(), name.to_string())) {
            return None;
        }
        if file.items.contains(name) {
            return Some(Target::Item(module.to_vec()));
        }
        let named = |n: &Option<String>| n.as_deref() == Some(name);
        if let Some(u) = file.uses.iter().find(|u| named(&u.name)) {
            // `use name;` and `use name::…` of another crate lead to themselves.
            let leads_on = u.target.path.first().is_some_and(|first| first != name);
            return if leads_on {
                self.follow(module, &[&u.target.path, rest].concat(), asked)
            } else {
                None
            };
        }
        let globs = file.uses.iter().filter(|u| u.name.is_none());
        let mut through = globs.filter_map(|u| match self.follow(module, &u.target.path, asked)? {
            Target::Module(from) => self.follow(&from, &[&[name.to_string()], rest].concat(), asked),
            Target::Item(_) => None,
        });
        through.next()
    }
}
