//! Nested structures of tensors: what functions take and give.

use crate::tensor::Tensor;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A structure whose leaves are tensors: tuples, vectors, options, maps by name, and structs by `#[derive(Tree)]`.
pub trait Tree: Clone {
    /// Appends the leaves, in a fixed order.
    fn leaves(&self, out: &mut Vec<Tensor>);

    /// The same structure with other leaves, in the order of [`Tree::leaves`].
    ///
    /// # Panics
    /// There are fewer.
    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> Self;

    /// Distinguishes structures: those that hash alike have leaves in the same places.
    fn structure(&self, state: &mut dyn Hasher);
}

/// The leaves of a tree.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, tree};
///
/// let params = (Tensor::from(1f32), vec![Tensor::from(2f32), Tensor::from(3f32)]);
/// assert_eq!(tree::leaves(&params).len(), 3);
/// let doubled = tree::map(&params, |leaf| leaf * 2);
/// assert_eq!(doubled.1[1].item(), Ok(6f32));
/// ```
pub fn leaves<T: Tree>(tree: &T) -> Vec<Tensor> {
    let mut out = Vec::new();
    tree.leaves(&mut out);
    out
}

/// The same structure with other leaves.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, tree};
///
/// let pair = (Tensor::from(1f32), Tensor::from(2f32));
/// let swapped = tree::rebuild(&pair, tree::leaves(&pair).into_iter().rev());
/// assert_eq!(swapped.0.item(), Ok(2f32));
/// ```
pub fn rebuild<T: Tree>(tree: &T, leaves: impl IntoIterator<Item = Tensor>) -> T {
    tree.rebuild(&mut leaves.into_iter())
}

/// The same structure with each leaf changed.
pub fn map<T: Tree>(tree: &T, f: impl FnMut(Tensor) -> Tensor) -> T {
    rebuild(tree, leaves(tree).into_iter().map(f))
}

impl Tree for Tensor {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        out.push(self.clone());
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> Tensor {
        leaves.next().expect("as many leaves as the tree has")
    }

    fn structure(&self, mut state: &mut dyn Hasher) {
        0u8.hash(&mut state);
    }
}

impl<T: Tree> Tree for Vec<T> {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        self.iter().for_each(|t| t.leaves(out));
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> Vec<T> {
        self.iter().map(|t| t.rebuild(leaves)).collect()
    }

    fn structure(&self, mut state: &mut dyn Hasher) {
        (1u8, self.len()).hash(&mut state);
        self.iter().for_each(|t| t.structure(state));
    }
}

impl<T: Tree, const N: usize> Tree for [T; N] {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        self.iter().for_each(|t| t.leaves(out));
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> [T; N] {
        std::array::from_fn(|i| self[i].rebuild(leaves))
    }

    fn structure(&self, mut state: &mut dyn Hasher) {
        (2u8, N).hash(&mut state);
        self.iter().for_each(|t| t.structure(state));
    }
}

impl<T: Tree> Tree for Option<T> {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        self.iter().for_each(|t| t.leaves(out));
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> Option<T> {
        self.as_ref().map(|t| t.rebuild(leaves))
    }

    fn structure(&self, mut state: &mut dyn Hasher) {
        (3u8, self.is_some()).hash(&mut state);
        self.iter().for_each(|t| t.structure(state));
    }
}

impl<T: Tree> Tree for BTreeMap<String, T> {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        self.values().for_each(|t| t.leaves(out));
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> BTreeMap<String, T> {
        self.iter().map(|(name, t)| (name.clone(), t.rebuild(leaves))).collect()
    }

    fn structure(&self, mut state: &mut dyn Hasher) {
        (4u8, self.len()).hash(&mut state);
        for (name, t) in self {
            name.hash(&mut state);
            t.structure(state);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $n:tt),*);)*) => {$(
        impl<$($name: Tree),*> Tree for ($($name,)*) {
            #[allow(unused_variables)]
            fn leaves(&self, out: &mut Vec<Tensor>) {
                $(self.$n.leaves(out);)*
            }

            #[allow(unused_variables, clippy::unused_unit)]
            fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> Self {
                ($(self.$n.rebuild(leaves),)*)
            }

            fn structure(&self, mut state: &mut dyn Hasher) {
                (5u8, [$($n as usize),*] as [usize; 0 $(+ { let _ = $n; 1 })*]).hash(&mut state);
                $(self.$n.structure(state);)*
            }
        }
    )*};
}

tuples! {
    ();
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}
