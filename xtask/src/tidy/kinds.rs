//! Decisions by element type are complete: where one type is named, all are.
//!
//! In the syntax tree of every file but tests, of the names in [`TYPES`]:
//! - in a `match` with an arm that names a variant, no arm has a wildcard or a binding in that place;
//! - `matches!`, `if let`, `let … else`, `==` and `!=` with a variant stand in [`HOME`] only, behind a method with a name;
//! - variants are not imported by `*`, so that they are seen.
//!
//! A new variant then is a compile error wherever something is decided by it.

use super::source::Source;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, Pat, Path, UseTree};

/// The element types, their kinds and the parameters of those.
const TYPES: &[&str] = &["DType", "TypeKind", "Float", "Width", "Algebra"];

/// Where comparisons with variants stand.
const HOME: &str = "crates/hlo/src/dtype.rs";

/// The faults of one file.
pub fn check(source: &Source) -> Vec<String> {
    if source.is_test() {
        return Vec::new();
    }
    match syn::parse_file(&source.text) {
        Ok(file) => {
            let mut finder = Finder { path: &source.path, faults: Vec::new() };
            finder.visit_file(&file);
            finder.faults
        }
        Err(e) => vec![format!("{}:{}: {e}", source.path, e.span().start().line)],
    }
}

struct Finder<'s> {
    path: &'s str,
    faults: Vec<String>,
}

impl Finder<'_> {
    fn fault(&mut self, at: impl Spanned, what: &str) {
        self.faults.push(format!("{}:{}: {what}", self.path, at.span().start().line));
    }

    fn comparison(&mut self, at: impl Spanned, how: &str) {
        if self.path != HOME {
            self.fault(at, &format!("{how} of an element type or kind: give the question a name in {HOME}"));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !item.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let arms: Vec<&Pat> = expr.arms.iter().map(|arm| &arm.pat).collect();
        if let Some(open) = open_arm(&arms) {
            self.fault(open, "a wildcard or binding beside named element types or kinds: name them all");
        }
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        if names_variant(&expr.pat) {
            self.comparison(expr, "`let` with a variant");
        }
        visit::visit_expr_let(self, expr);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if local.init.as_ref().is_some_and(|i| i.diverge.is_some()) && names_variant(&local.pat) {
            self.comparison(local, "`let … else` with a variant");
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let equality = matches!(expr.op, BinOp::Eq(_) | BinOp::Ne(_));
        if equality && (is_variant_value(&expr.left) || is_variant_value(&expr.right)) {
            self.comparison(expr, "`==` with a variant");
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if mac.path.is_ident("matches") {
            let pattern = mac.parse_body_with(|input: syn::parse::ParseStream| {
                input.parse::<Expr>()?;
                input.parse::<syn::Token![,]>()?;
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                input.parse::<proc_macro2::TokenStream>()?;
                Ok(pattern)
            });
            if pattern.is_ok_and(|p| names_variant(&p)) {
                self.comparison(mac, "`matches!` with a variant");
            }
        } else if let Ok(arguments) =
            mac.parse_body_with(Punctuated::<Expr, syn::Token![,]>::parse_terminated)
        {
            arguments.iter().for_each(|a| self.visit_expr(a));
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if self.path != HOME && imports_variants(&item.tree) {
            self.fault(item, "variants of an element type or kind imported by `*`: write `DType::F32`");
        }
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
}

fn imports_variants(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => {
            let glob = matches!(*path.tree, UseTree::Glob(_));
            glob && TYPES.iter().any(|t| path.ident == t) || imports_variants(&path.tree)
        }
        UseTree::Group(group) => group.items.iter().any(imports_variants),
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => false,
    }
}

/// `DType::F32` and the like.
fn is_variant(path: &Path) -> bool {
    let mut segments = path.segments.iter().rev();
    let (last, owner) = (segments.next(), segments.next());
    // Constants are written in capitals throughout; variants are not.
    let variant = last.is_some_and(|l| l.ident.to_string().chars().next().is_some_and(char::is_uppercase));
    variant && owner.is_some_and(|o| TYPES.iter().any(|t| o.ident == t))
}

/// A variant, or `Some` of one.
fn is_variant_value(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => is_variant(&path.path),
        Expr::Reference(reference) => is_variant_value(&reference.expr),
        Expr::Paren(paren) => is_variant_value(&paren.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(is_variant_value),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(path) if is_variant(&path.path))
                || call.args.iter().any(|a| matches!(a, Expr::Path(path) if is_variant(&path.path)))
        }
        _ => false,
    }
}

fn names_variant(pat: &Pat) -> bool {
    let inside = |p: &Pat| children(p).iter().any(|(_, child)| names_variant(child));
    alternatives(pat).iter().any(|p| head(p).is_some_and(is_variant) || inside(p))
}

/// A pattern that stands for any value where another arm names a variant.
fn open_arm<'p>(arms: &[&'p Pat]) -> Option<&'p Pat> {
    let all: Vec<&Pat> = arms.iter().flat_map(|arm| alternatives(arm)).collect();
    let named = all.iter().any(|p| head(p).is_some_and(is_variant));
    let open = |p: &&&Pat| is_open(p);
    if named && let Some(any) = all.iter().find(open) {
        return Some(any);
    }
    // The same place in all arms that have it; what stands for the whole stands for each place.
    let mut places: Vec<(String, Vec<&Pat>)> = Vec::new();
    for pat in &all {
        for (place, child) in children(pat) {
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, pats)) => pats.push(child),
                None => places.push((place, vec![child])),
            }
        }
    }
    let whole: Vec<&Pat> = all.iter().filter(open).copied().collect();
    places.iter().find_map(|(_, pats)| open_arm(&[&pats[..], &whole[..]].concat()))
}

/// A wildcard or a binding.
fn is_open(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => {
            let name = ident.ident.to_string();
            ident.subpat.is_none() && !name.starts_with(char::is_uppercase)
        }
        _ => false,
    }
}

/// The patterns joined by `|`, without parentheses, references and names of the whole.
fn alternatives(pat: &Pat) -> Vec<&Pat> {
    match pat {
        Pat::Or(or) => or.cases.iter().flat_map(alternatives).collect(),
        Pat::Paren(paren) => alternatives(&paren.pat),
        Pat::Reference(reference) => alternatives(&reference.pat),
        Pat::Ident(ident) => match &ident.subpat {
            Some((_, inner)) => alternatives(inner),
            None => vec![pat],
        },
        other => vec![other],
    }
}

/// What a pattern names.
fn head(pat: &Pat) -> Option<&Path> {
    match pat {
        Pat::Path(path) => Some(&path.path),
        Pat::TupleStruct(tuple) => Some(&tuple.path),
        Pat::Struct(fields) => Some(&fields.path),
        _ => None,
    }
}

/// The patterns inside of one, each with its place.
fn children(pat: &Pat) -> Vec<(String, &Pat)> {
    let name = head(pat).and_then(|p| p.segments.last()).map_or(String::new(), |s| s.ident.to_string());
    match pat {
        Pat::Tuple(tuple) => tuple.elems.iter().enumerate().map(|(i, p)| (format!("{i}"), p)).collect(),
        Pat::TupleStruct(tuple) => {
            tuple.elems.iter().enumerate().map(|(i, p)| (format!("{name}.{i}"), p)).collect()
        }
        Pat::Struct(fields) => fields
            .fields
            .iter()
            .map(|f| {
                let member = match &f.member {
                    syn::Member::Named(ident) => ident.to_string(),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                (format!("{name}.{member}"), &*f.pat)
            })
            .collect(),
        Pat::Slice(slice) => slice.elems.iter().enumerate().map(|(i, p)| (format!("[{i}]"), p)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(body: &str) -> usize {
        check(&Source::new("crates/kernel/src/x.rs", &format!("fn f() {{ {body} }}"))).len()
    }

    #[test]
    fn open_arms_are_faults() {
        assert_eq!(faults("match d { DType::F32 => 1, _ => 2 }"), 1);
        assert_eq!(faults("match d.kind() { TypeKind::Pred => 1, other => 2 }"), 1);
        assert_eq!(
            faults(
                "match d.kind() { TypeKind::Float(Float::F16) => 1, TypeKind::Float(_) => 2, TypeKind::Pred => 3 }"
            ),
            1
        );
        assert_eq!(faults("match (a, d) { (1, DType::F32) => 1, (_, d) => 2 }"), 1);
        assert_eq!(faults("match x { Some(DType::F32) => 1, _ => 2 }"), 1);
        assert_eq!(faults("match (a, d) { (1, DType::F32) => 1, _ => 2 }"), 1);
    }

    #[test]
    fn complete_matches_are_none() {
        assert_eq!(
            faults(
                "match d.kind() { TypeKind::Pred => 1, TypeKind::Signed(w) | TypeKind::Unsigned(w) => 2, TypeKind::Float(_) => 3 }"
            ),
            0
        );
        assert_eq!(
            faults(
                "match d.kind() { TypeKind::Signed(w @ (Width::W1 | Width::W8)) => 1, TypeKind::Signed(Width::W16) => 2 }"
            ),
            0
        );
        assert_eq!(
            faults(
                "match (op, d.kind()) { (Opcode::Add, TypeKind::Pred) => 1, (_, TypeKind::Signed(_)) => 2 }"
            ),
            0
        );
        assert_eq!(faults("match opcode { Opcode::Add => DType::F32, _ => DType::S32 }"), 0);
        assert_eq!(faults("match (op, d) { (Opcode::Add, d) if d.is_float() => 1, _ => 2 }"), 0);
    }

    #[test]
    fn comparisons_have_names() {
        for text in [
            "d == DType::Pred;",
            "Some(d) != Some(DType::Pred);",
            "matches!(d, DType::F32 | DType::F64);",
            "if let TypeKind::Float(f) = d.kind() {}",
            "let Some(Float::F32) = f else { return };",
            "assert!(d == DType::F32);",
        ] {
            assert_eq!(faults(text), 1, "{text}");
        }
        assert_eq!(faults("x.convert(DType::F32) == y; let d = DType::F32; f(DType::F32);"), 0);
        let home = Source::new(HOME, "fn f() { d == DType::Pred; match d { DType::F32 => 1, _ => 2 } }");
        assert_eq!(check(&home).len(), 1);
    }

    #[test]
    fn tests_may_pick() {
        let text = "#[cfg(test)] mod tests { fn f() { match d { DType::F32 => 1, _ => 2 } } }";
        assert!(check(&Source::new("crates/kernel/src/x.rs", text)).is_empty());
        assert_eq!(check(&Source::new("crates/kernel/src/x.rs", "use a::DType::*;")).len(), 1);
    }
}
