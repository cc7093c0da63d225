//! `#[derive(Tree)]`: structs of tensors as arguments and results of traced functions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Field, Fields, Index, Member, parse_macro_input, parse_quote};

/// Implements `lawson::Tree` for a struct whose fields are trees: tensors, nested structs, tuples, vectors, options.
///
/// A field marked `#[tree(fixed)]` is no tree: it is copied (`Clone`) and, as part of the structure, compared (`Hash`), so that
/// a function is compiled again where it differs: the number of heads, an activation.
#[proc_macro_derive(Tree, attributes(tree))]
pub fn derive_tree(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    tree(input).unwrap_or_else(|e| e.to_compile_error()).into()
}

fn tree(mut input: DeriveInput) -> Result<TokenStream, syn::Error> {
    let Data::Struct(data) = &input.data else {
        let message = "only structs are trees: an enum has leaves that come and go";
        return Err(syn::Error::new_spanned(&input.ident, message));
    };
    let (mut leaves, mut rebuilt, mut structure) = (Vec::new(), Vec::new(), Vec::new());
    for (n, field) in data.fields.iter().enumerate() {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index::from(n)),
        };
        if is_fixed(field)? {
            rebuilt.push(quote!(#member: ::core::clone::Clone::clone(&self.#member)));
            structure.push(quote!(::core::hash::Hash::hash(&self.#member, &mut state);));
        } else {
            leaves.push(quote!(::lawson::Tree::leaves(&self.#member, out);));
            rebuilt.push(quote!(#member: ::lawson::Tree::rebuild(&self.#member, leaves)));
            structure.push(quote!(::lawson::Tree::structure(&self.#member, state);));
        }
    }
    let built = match data.fields {
        Fields::Unit => quote!(Self),
        _ => quote!(Self { #(#rebuilt),* }),
    };
    let name = &input.ident;
    let text = name.to_string();
    for parameter in input.generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::lawson::Tree));
    }
    let (of, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        impl #of ::lawson::Tree for #name #arguments #bounds {
            #[allow(unused_variables)]
            fn leaves(&self, out: &mut ::std::vec::Vec<::lawson::Tensor>) {
                #(#leaves)*
            }

            #[allow(unused_variables)]
            fn rebuild(&self, leaves: &mut dyn ::core::iter::Iterator<Item = ::lawson::Tensor>) -> Self {
                #built
            }

            fn structure(&self, mut state: &mut dyn ::core::hash::Hasher) {
                ::core::hash::Hash::hash(#text, &mut state);
                #(#structure)*
            }
        }
    })
}

fn is_fixed(field: &Field) -> Result<bool, syn::Error> {
    let mut fixed = false;
    for attribute in field.attrs.iter().filter(|a| a.path().is_ident("tree")) {
        attribute.parse_nested_meta(|meta| {
            fixed = meta.path.is_ident("fixed");
            if fixed { Ok(()) } else { Err(meta.error("`fixed` is the only word here")) }
        })?;
    }
    Ok(fixed)
}
