//! Where operations come from: the scope and the line of the user's program that MLIR locations tell.

use std::sync::Arc;

/// Of longer names of scopes and files so many characters are kept.
pub const MAX_NAME: usize = 1000;

/// The number of a location of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Loc(pub u32);

/// What is known of a place in the user's program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Location {
    /// `jit(f)/softmax/exp`
    pub scope: Option<Arc<str>>,
    /// The file and line of the innermost call.
    pub file: Option<(Arc<str>, u32)>,
}

impl Location {
    /// `"name"(child)`: the outermost name counts, and the file that is found within.
    pub fn named(name: Arc<str>, child: &Location) -> Location {
        Location { scope: Some(name), file: child.file.clone() }
    }

    /// `callsite(callee at caller)`: the callee is the inner one.
    pub fn call(callee: &Location, caller: &Location) -> Location {
        Location {
            scope: callee.scope.clone().or_else(|| caller.scope.clone()),
            file: callee.file.clone().or_else(|| caller.file.clone()),
        }
    }

    /// As [`Location::call`] for an operation of a function that is called there, with the scopes of both. A scope that begins
    /// with that of a whole program stays as it is.
    pub fn within(&self, call: &Location) -> Location {
        let scope = match (&self.scope, &call.scope) {
            (Some(own), Some(outer)) if !own.starts_with("jit(") => {
                let whole = format!("{outer}/{own}");
                Some(whole.chars().take(MAX_NAME).collect::<String>().into())
            }
            (own, outer) => own.clone().or_else(|| outer.clone()),
        };
        Location { scope, file: self.file.clone().or_else(|| call.file.clone()) }
    }

    /// `file:line`, if known.
    pub fn place(&self) -> Option<String> {
        let cut = |file: &str| file.chars().take(MAX_NAME).collect::<String>();
        self.file.as_ref().map(|(file, line)| format!("{}:{line}", cut(file)))
    }
}

/// The locations of a module. Number 0 is the unknown one.
#[derive(Clone, Debug)]
pub struct Locations(Vec<Location>);

impl Default for Locations {
    fn default() -> Locations {
        Locations(vec![Location::default()])
    }
}

impl Locations {
    pub fn add(&mut self, location: Location) -> Loc {
        if location == Location::default() {
            return Loc::default();
        }
        self.0.push(location);
        Loc(self.0.len() as u32 - 1)
    }

    pub fn get(&self, loc: Loc) -> &Location {
        &self.0[loc.0 as usize]
    }
}
