//! Public functions that users of the front end meet stand in an example.
//!
//! In the files below [`FOLDERS`], of `pub fn`s in no module or in an `impl` of a public type or of `Tensor`, and of those
//! that a macro makes of a list of names. An example is a block of code in the documentation of any of these files, which
//! `cargo test --doc -p lawson-frontend` runs; one may show a family.

use super::source::Source;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{ImplItem, Item, Visibility};

/// Where functions for users are.
const FOLDERS: &[&str] = &[
    "crates/frontend/src/control/",
    "crates/frontend/src/grad/api/",
    "crates/frontend/src/nn/",
    "crates/frontend/src/optim/",
    "crates/frontend/src/random/",
    "crates/frontend/src/tensor/",
    "crates/frontend/src/tree.rs",
    "crates/frontend/src/vmap/api.rs",
    "crates/frontend/src/vmap/axes.rs",
];

/// What stands there for the front end itself.
const INTERNAL: &[&str] = &[
    "crates/frontend/src/tensor/axes.rs",
    "crates/frontend/src/tensor/operand.rs",
    "crates/frontend/src/tensor/trace.rs",
];

/// The other forms of a function, which its example stands for.
const FORMS: &[&str] = &["_axes", "_keepdims"];

/// The functions without an example.
pub fn check(sources: &[Source]) -> Vec<String> {
    let meant = |s: &&Source| FOLDERS.iter().any(|f| s.path.starts_with(f));
    let files: Vec<&Source> = sources.iter().filter(meant).collect();
    let shown: BTreeSet<String> = files.iter().flat_map(|s| identifiers(&s.text)).collect();
    let mut faults = Vec::new();
    for source in files.iter().filter(|s| !INTERNAL.contains(&&*s.path)) {
        let functions = syn::parse_file(&source.text).map_or(Vec::new(), |file| functions(&file.items));
        let is_shown = |name: &str| {
            let plain = FORMS.iter().find_map(|form| name.strip_suffix(form));
            shown.contains(name) || plain.is_some_and(|plain| shown.contains(plain))
        };
        for (line, name) in functions.into_iter().filter(|(_, name)| !is_shown(name)) {
            faults.push(format!("{}:{line}: `{name}` stands in no example of the front end", source.path));
        }
    }
    faults
}

/// The identifiers in blocks of code of documentation.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // Whether the block that is open is code.
    let mut block = None;
    for line in text.lines().map(str::trim) {
        let Some(line) = line.strip_prefix("///").or(line.strip_prefix("//!")) else { continue };
        match (line.trim().strip_prefix("```"), block) {
            (Some(kind), None) => block = Some(kind.is_empty()),
            (Some(_), Some(_)) => block = None,
            (None, Some(true)) => {
                let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                found.extend(words.map(str::to_string));
            }
            (None, _) => {}
        }
    }
    found
}

/// The public functions of a file, each with its line.
fn functions(items: &[Item]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Fn(f) if is_public(&f.vis) => found.push(named(&f.sig.ident)),
            Item::Impl(of) if of.trait_.is_none() && is_for_users(&of.self_ty, items) => {
                let public = of.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(f) if is_public(&f.vis) => Some(named(&f.sig.ident)),
                    _ => None,
                });
                found.extend(public);
            }
            Item::Macro(m) if m.ident.is_none() && makes_functions(&m.mac.path, items) => {
                found.extend(listed(m.mac.tokens.clone()));
            }
            _ => {}
        }
    }
    found
}

fn named(ident: &proc_macro2::Ident) -> (usize, String) {
    (ident.span().start().line, ident.to_string())
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an `impl` is of `Tensor`, or of a type that the file makes public.
fn is_for_users(of: &syn::Type, items: &[Item]) -> bool {
    let syn::Type::Path(path) = of else { return false };
    let Some(name) = path.path.segments.last() else { return false };
    let public = items.iter().any(|item| match item {
        Item::Struct(s) => s.ident == name.ident && is_public(&s.vis),
        Item::Enum(e) => e.ident == name.ident && is_public(&e.vis),
        _ => false,
    });
    public || name.ident == "Tensor"
}

/// Whether a macro of the file makes a `pub fn` of each name in a list.
fn makes_functions(path: &syn::Path, items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Macro(m) if m.ident.as_ref().is_some_and(|name| path.is_ident(name)) => {
            m.mac.tokens.to_string().contains("pub fn $")
        }
        _ => false,
    })
}

/// The names at the start of each entry `name … ;` of a list: identifiers in small letters.
fn listed(tokens: TokenStream) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open = true;
    for token in tokens {
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' => open = true,
            TokenTree::Punct(p) if p.as_char() == '=' => open = false,
            TokenTree::Ident(ident) if open && ident.to_string().starts_with(char::is_lowercase) => {
                found.push(named(&ident));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        check(&[Source::new("crates/frontend/src/nn/x.rs", text)])
    }

    #[test]
    fn a_function_without_an_example_is_named_with_its_line() {
        let text = "//! Header.\n/// ```\n/// f(1);\n/// ```\npub fn f() {}\n\n/// `g` in words.\npub fn g() {}\nfn h() {}\n";
        let found = faults(text);
        assert!(matches!(&found[..], [one] if one.contains(":8: `g`")), "{found:?}");
        assert!(check(&[Source::new("crates/frontend/src/graph/x.rs", text)]).is_empty());
    }

    #[test]
    fn methods_and_lists_of_macros_count() {
        let text = "macro_rules! make { ($($name:ident $op:ident;)*) => { $(pub fn $name() {})* }; }\n\
                    make! {\n /// Doc.\n a Add;\n b Sub;\n}\n\
                    pub struct S;\nimpl S { pub fn c() {} fn d() {} }\nstruct P;\nimpl P { pub fn e() {} }\n\
                    impl Tensor { pub fn t() {} }\n/// ```\n/// b();\n/// ```\npub fn b2() {}\n";
        let names: Vec<String> =
            faults(text).iter().map(|f| f.split('`').nth(1).unwrap_or("").into()).collect();
        assert_eq!(names, ["a", "c", "t", "b2"]);
    }

    #[test]
    fn text_blocks_are_no_examples() {
        let text = "//! ```text\n//! f()\n//! ```\n//! f, g\n//! ```\n//! g()\n//! ```\npub fn f() {}\npub fn g() {}\n";
        assert!(matches!(&faults(text)[..], [one] if one.contains("`f`")));
    }
}
