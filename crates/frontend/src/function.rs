//! Functions of any number of arguments: what `grad`, `vmap` and `jit` take and give.

use crate::tree::Tree;

/// A Rust function of one to eight trees, each by reference, that gives a tree. `Args` is the tuple of the arguments.
pub trait Function<Args: Tree, Out> {
    /// A boxed function of the same arguments, with another result. It is called as Rust functions are: `grad(f)(&x)`.
    type Boxed<'f, R>
    where
        Args: 'f;

    /// Calls it.
    fn apply(&self, args: &Args) -> Out;

    /// A function of the same arguments that does something else with them.
    fn boxed<'f, R>(body: impl Fn(&Args) -> R + 'f) -> Self::Boxed<'f, R>
    where
        Args: 'f;
}

/// The arguments of a function: a tuple of trees.
pub trait Args: Tree {
    /// The type of the first argument.
    type First: Tree;

    /// The first argument, with regard to which functions are differentiated where nothing else is said.
    fn first(&self) -> &Self::First;

    /// The number of leaves of each argument.
    fn leaf_counts(&self) -> Vec<usize>;
}

macro_rules! functions {
    ($(($($name:ident $var:ident $n:tt),*);)*) => {$(
        impl<Func, Out, $($name: Tree),*> Function<($($name,)*), Out> for Func
        where
            Func: Fn($(&$name),*) -> Out,
        {
            type Boxed<'f, R>
                = Box<dyn Fn($(&$name),*) -> R + 'f>
            where
                ($($name,)*): 'f;

            fn apply(&self, args: &($($name,)*)) -> Out {
                self($(&args.$n),*)
            }

            fn boxed<'f, R>(body: impl Fn(&($($name,)*)) -> R + 'f) -> Self::Boxed<'f, R>
            where
                ($($name,)*): 'f,
            {
                Box::new(move |$($var: &$name),*| body(&($($var.clone(),)*)))
            }
        }

        impl<$($name: Tree),*> Args for ($($name,)*) {
            type First = A;

            fn first(&self) -> &A {
                &self.0
            }

            fn leaf_counts(&self) -> Vec<usize> {
                vec![$(crate::tree::leaves(&self.$n).len()),*]
            }
        }
    )*};
}

functions! {
    (A a 0);
    (A a 0, B b 1);
    (A a 0, B b 1, C c 2);
    (A a 0, B b 1, C c 2, D d 3);
    (A a 0, B b 1, C c 2, D d 3, E e 4);
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5);
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6);
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7);
}
