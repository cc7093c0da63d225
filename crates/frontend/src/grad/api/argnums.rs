//! Which arguments of a function derivatives are taken with regard to.

use crate::function::Args;
use crate::tree::Tree;

/// The argument of that number, from 0: `grad_argnums(f, Argnum::<1>)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Argnum<const N: usize>;

/// Arguments of functions that take `A`: [`Argnum`], or a tuple of several. A number without an argument does not compile.
pub trait Argnums<A: Args> {
    /// The tree of the argument, or the tuple of those of several.
    type Of: Tree;

    /// The numbers of the arguments, in their order here.
    fn numbers() -> Vec<usize>;

    /// These arguments.
    fn of(args: &A) -> Self::Of;
}

macro_rules! single {
    ($([$($all:ident)*] $n:tt $of:ident;)*) => {$(
        impl<$($all: Tree),*> Argnums<($($all,)*)> for Argnum<$n> {
            type Of = $of;

            fn numbers() -> Vec<usize> {
                vec![$n]
            }

            fn of(args: &($($all,)*)) -> $of {
                args.$n.clone()
            }
        }
    )*};
}

single! {
    [A] 0 A;
    [A B] 0 A; [A B] 1 B;
    [A B C] 0 A; [A B C] 1 B; [A B C] 2 C;
    [A B C D] 0 A; [A B C D] 1 B; [A B C D] 2 C; [A B C D] 3 D;
    [A B C D E] 0 A; [A B C D E] 1 B; [A B C D E] 2 C; [A B C D E] 3 D; [A B C D E] 4 E;
    [A B C D E F] 0 A; [A B C D E F] 1 B; [A B C D E F] 2 C; [A B C D E F] 3 D; [A B C D E F] 4 E;
    [A B C D E F] 5 F;
    [A B C D E F G] 0 A; [A B C D E F G] 1 B; [A B C D E F G] 2 C; [A B C D E F G] 3 D; [A B C D E F G] 4 E;
    [A B C D E F G] 5 F; [A B C D E F G] 6 G;
    [A B C D E F G H] 0 A; [A B C D E F G H] 1 B; [A B C D E F G H] 2 C; [A B C D E F G H] 3 D;
    [A B C D E F G H] 4 E; [A B C D E F G H] 5 F; [A B C D E F G H] 6 G; [A B C D E F G H] 7 H;
}

macro_rules! several {
    ($(($($name:ident)*);)*) => {$(
        impl<Z: Args, $($name: Argnums<Z>),*> Argnums<Z> for ($($name,)*) {
            type Of = ($($name::Of,)*);

            fn numbers() -> Vec<usize> {
                [$($name::numbers()),*].concat()
            }

            fn of(args: &Z) -> Self::Of {
                ($($name::of(args),)*)
            }
        }
    )*};
}

several! {
    (A);
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
    (A B C D E F G H);
}

/// The numbers of the leaves of these arguments, in the order of [`Argnums::of`].
pub(super) fn leaves_of<A: Args>(args: &A, numbers: &[usize]) -> Vec<usize> {
    let counts = args.leaf_counts();
    let first = |n: usize| counts[..n].iter().sum::<usize>();
    numbers.iter().flat_map(|&n| first(n)..first(n) + counts[n]).collect()
}
