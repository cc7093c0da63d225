//! What one file defines, which names it brings in, and which paths it mentions, from its syntax tree.
//!
//! Code under `#[cfg(test)]` is left out.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// A path as it is written, in segments, and its line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mention {
    pub path: Vec<String>,
    pub line: usize,
}

/// One name of a `use` declaration.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name it has in this file; `None` for a glob.
    pub name: Option<String>,
    pub target: Mention,
    /// It is visible outside the file: a re-export.
    pub exported: bool,
}

/// The part of a file's syntax tree that imports depend on.
#[derive(Default, Debug)]
pub struct File {
    /// Functions, types, traits, constants and macros.
    pub items: BTreeSet<String>,
    pub uses: Vec<Use>,
    pub mentions: BTreeSet<Mention>,
    /// Names alone that are no call: where the file has a variable of that name, they are taken to be it.
    lone: BTreeSet<Mention>,
    variables: BTreeSet<String>,
    /// Depth of inline modules around what is being read.
    inline: usize,
}

impl File {
    /// # Errors
    /// Where the text is not Rust.
    pub fn parse(text: &str) -> syn::Result<File> {
        let mut file = File::default();
        file.visit_file(&syn::parse_file(text)?);
        let lone = std::mem::take(&mut file.lone).into_iter();
        file.mentions.extend(lone.filter(|m| !file.variables.contains(&m.path[0])));
        Ok(file)
    }

    fn define(&mut self, ident: &syn::Ident) {
        self.items.insert(ident.to_string());
    }

    fn mention(&mut self, path: Vec<String>, line: usize, is_call: bool) {
        let path = self.of_file(path);
        let mentions = if path.len() == 1 && !is_call { &mut self.lone } else { &mut self.mentions };
        mentions.insert(Mention { path, line });
    }

    /// A path inside inline modules as one of the file: the modules it leaves with `super` are part of the file.
    fn of_file(&self, mut path: Vec<String>) -> Vec<String> {
        let leaves = path.iter().take(self.inline).take_while(|s| *s == "super").count();
        path.drain(..leaves);
        path
    }

    fn add_use(&mut self, tree: &syn::UseTree, prefix: &[String], exported: bool) {
        let with = |ident: &syn::Ident| [prefix, &[ident.to_string()]].concat();
        let (name, path, span) = match tree {
            syn::UseTree::Path(p) => return self.add_use(&p.tree, &with(&p.ident), exported),
            syn::UseTree::Group(g) => {
                return g.items.iter().for_each(|tree| self.add_use(tree, prefix, exported));
            }
            syn::UseTree::Name(n) if n.ident == "self" => {
                (prefix.last().cloned(), prefix.to_vec(), n.ident.span())
            }
            syn::UseTree::Name(n) => (Some(n.ident.to_string()), with(&n.ident), n.ident.span()),
            syn::UseTree::Rename(r) if r.ident == "self" => {
                (Some(r.rename.to_string()), prefix.to_vec(), r.ident.span())
            }
            syn::UseTree::Rename(r) => (Some(r.rename.to_string()), with(&r.ident), r.ident.span()),
            syn::UseTree::Glob(g) => (None, prefix.to_vec(), g.star_token.spans[0]),
        };
        let target = Mention { path: self.of_file(path), line: span.start().line };
        self.uses.push(Use { name, target, exported });
    }

    /// Paths among the tokens of a macro, whose syntax only the macro knows.
    fn mention_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_colon = |i: usize| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
        let is_dot = |i: usize| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == '.');
        let mut i = 0;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(g) => self.mention_tokens(g.stream()),
                TokenTree::Ident(first) if i == 0 || !is_dot(i - 1) || i > 1 && is_dot(i - 2) => {
                    let mut path = vec![first.to_string()];
                    while is_colon(i + 1)
                        && is_colon(i + 2)
                        && let Some(TokenTree::Ident(next)) = tokens.get(i + 3)
                    {
                        path.push(next.to_string());
                        i += 3;
                    }
                    let is_call = matches!(tokens.get(i + 1), Some(TokenTree::Group(_)));
                    self.mention(path, first.span().start().line, is_call);
                }
                _ => {}
            }
            i += 1;
        }
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item;
        match item {
            Item::Const(i) => self.define(&i.ident),
            Item::Enum(i) => self.define(&i.ident),
            Item::Fn(i) => self.define(&i.sig.ident),
            Item::Static(i) => self.define(&i.ident),
            Item::Struct(i) => self.define(&i.ident),
            Item::Trait(i) => self.define(&i.ident),
            Item::TraitAlias(i) => self.define(&i.ident),
            Item::Type(i) => self.define(&i.ident),
            Item::Union(i) => self.define(&i.ident),
            Item::Macro(i) => i.ident.iter().for_each(|ident| self.define(ident)),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.content.is_some() && !is_test(&module.attrs) {
            self.define(&module.ident);
            self.inline += 1;
            visit::visit_item_mod(self, module);
            self.inline -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            let exported = !matches!(item.vis, syn::Visibility::Inherited);
            self.add_use(&item.tree, &[], exported);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    // Neither is an import: who may see an item, and attributes.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let line = path.segments.first().map_or(0, |s| s.ident.span().start().line);
        if path.leading_colon.is_none() {
            self.mention(segments, line, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.variables.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(function) = &*call.func
            && let Some(name) = function.path.get_ident()
        {
            self.mention(vec![name.to_string()], name.span().start().line, true);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        visit::visit_macro(self, mac);
        self.mention_tokens(mac.tokens.clone());
    }
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| {
        a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
    })
}
