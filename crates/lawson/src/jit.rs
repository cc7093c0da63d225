//! Compiled functions: traced and compiled once for each signature of their arguments.

mod cached;

use crate::client::Client;
use crate::error::{Error, ErrorCode};
use crate::explain::{self, Explanation};
use crate::load::{self, Loaded};
use crate::options::{Device, Options};
use cached::{Cache, Entry, Key};
use lawson_frontend::function::{Args, Function};
use lawson_frontend::tensor::Tensor;
use lawson_frontend::{Array, Tree, trace, tree};
use lawson_hlo::Module;
use lawson_hlo::module::Donor;
use std::marker::PhantomData;
use std::sync::Arc;

/// Compiles a function of one to eight trees of tensors. It is traced on the first call for each signature: the structure of
/// the arguments, and the element type and dimensions of each leaf. Values that it uses and that are no arguments are those of that
/// first call.
///
/// ```
/// use lawson::{Tensor, grad, jit};
///
/// fn loss(w: &Tensor, x: &Tensor) -> Tensor {
///     &(w * x) * w
/// }
/// let slope = jit(|w: &Tensor, x: &Tensor| grad(loss)(w, x));
/// let (w, x) = (Tensor::new(&[3f32], []), Tensor::new(&[2f32], []));
/// assert_eq!(slope.call(&w, &x)?.item::<f32>()?, 12.0);
/// # Ok::<(), lawson::Error>(())
/// ```
///
/// A compiled function is called by reference or gives up its arguments, shows its HLO, and explains itself:
///
/// ```
/// use lawson::options::Numerics;
/// use lawson::{DType, Options, Tensor, jit};
///
/// let step = jit(|w: &Tensor, g: &Tensor| w - 0.5 * g);
/// let (w, g) = (Tensor::ones([4], DType::F32), Tensor::ones([4], DType::F32));
/// assert_eq!(step.call(&w, &g)?.to_vec(), Ok(vec![0.5f32; 4]));
/// assert_eq!(step.compiled(), 1);
/// assert_eq!(step.call_owned(w, g.clone())?.to_vec(), Ok(vec![0.5f32; 4])); // in the memory of `w`, if nobody else holds it
///
/// let x = Tensor::ones([2], DType::F32);
/// assert!(step.lower(&x, &x)?.to_string().contains("f32[2]"));
/// assert_eq!(step.explain(&x, &x)?.totals.kernels, 1);
///
/// let strict = step.options(Options { numerics: Numerics::Strict, ..Options::default() });
/// assert_eq!(strict.call(&x, &x)?.to_vec(), Ok(vec![0.5f32; 2]));
/// let error = strict.call(&x, &g).expect_err("two and four elements");
/// assert!(error.message.contains("f32[2]") && error.message.contains("f32[4]"));
/// # Ok::<(), lawson::Error>(())
/// ```
pub fn jit<A, R, F>(f: F) -> Jit<F, A, R>
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    Jit { f, client: Client::cpu(), options: Options::default(), cache: Cache::default(), args: PhantomData }
}

/// A compiled function; see [`jit`].
pub struct Jit<F, A, R> {
    f: F,
    client: Client,
    options: Options,
    cache: Cache<R>,
    args: PhantomData<fn(A)>,
}

/// A function as HLO, for one signature.
#[derive(Clone, Debug)]
pub struct Lowered {
    module: Module,
    /// Large arrays that the function uses and that are no arguments: the last parameters of the module.
    captured: Vec<Array>,
}

impl Lowered {
    /// The module, verified.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Arrays that the function uses and that are no arguments: those of the module's parameters after its own.
    pub fn captured(&self) -> &[Array] {
        &self.captured
    }
}

/// The HLO text.
impl std::fmt::Display for Lowered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.module)
    }
}

impl<F, A, R> Jit<F, A, R>
where
    A: Args,
    R: Tree,
    F: Function<A, R>,
{
    /// The same function, compiled with other options. What is compiled already is forgotten.
    #[must_use]
    pub fn options(self, options: Options) -> Jit<F, A, R> {
        Jit { options, cache: Cache::default(), ..self }
    }

    /// The same function, compiled by another client: one that knows custom calls, or the interpreter.
    #[must_use]
    pub fn client(self, client: Client) -> Jit<F, A, R> {
        Jit { client, cache: Cache::default(), ..self }
    }

    /// How many signatures are compiled; one whose arguments are given up counts by itself.
    pub fn compiled(&self) -> usize {
        self.cache.len()
    }

    /// As the `call` of its number of arguments, which are given as a tuple.
    ///
    /// # Errors
    /// An operation of the function that does not fit its operands; those of compiling and running.
    pub fn call_tuple(&self, args: &A) -> Result<R, Error> {
        if trace::active() {
            return Ok(self.f.apply(args));
        }
        let leaves = tree::leaves(args);
        let entry = self.entry(args, &leaves, false)?;
        let mut arrays = leaves.into_iter().map(Tensor::into_array).collect::<Result<Vec<_>, _>>()?;
        arrays.extend(entry.captured.iter().cloned());
        let results = crate::eager::run(&entry.executable, &arrays)?;
        Ok(entry.result(results))
    }

    /// As the `call_owned` of its number of arguments, which are given as a tuple.
    ///
    /// # Errors
    /// As [`Jit::call_tuple`].
    pub fn call_tuple_owned(&self, args: A) -> Result<R, Error> {
        if trace::active() {
            return Ok(self.f.apply(&args));
        }
        let leaves = tree::leaves(&args);
        let entry = self.entry(&args, &leaves, true)?;
        drop(args);
        let mut arrays = leaves.into_iter().map(Tensor::into_array).collect::<Result<Vec<_>, _>>()?;
        arrays.extend(entry.captured.iter().cloned());
        let results = crate::eager::run_owned(&entry.executable, arrays)?;
        Ok(entry.result(results))
    }

    /// The HLO of the function for arguments like these, given as a tuple.
    ///
    /// # Errors
    /// An operation of the function that does not fit its operands.
    pub fn lower_tuple(&self, args: &A) -> Result<Lowered, Error> {
        let (module, _, captured) = self.trace(args, &tree::leaves(args))?;
        Ok(Lowered { module, captured })
    }

    /// What becomes of the function for arguments like these, given as a tuple: kernels, bytes, decisions.
    ///
    /// # Errors
    /// An operation of the function that does not fit its operands; those of planning.
    pub fn explain_tuple(&self, args: &A) -> Result<Explanation, Error> {
        let text = self.lower_tuple(args)?.to_string();
        let loaded: Loaded = load::text_of(name_of::<F>(), text)?;
        explain::explain(&loaded, &self.options)
    }

    fn entry(&self, args: &A, leaves: &[Tensor], donated: bool) -> Result<Arc<Entry<R>>, Error> {
        let key = Key::of(args, leaves, donated)?;
        if let Some(known) = self.cache.get(&key) {
            return Ok(known);
        }
        let (mut module, result, captured) = self.trace(args, leaves)?;
        if donated && self.client.device() != Device::Interpreter {
            let donor = |parameter| Donor { parameter, parameter_index: Vec::new() };
            module.header.donors = (0..leaves.len()).map(donor).collect();
        }
        let executable = self.client.compile(&module, &self.options)?;
        let weak = tree::leaves(&result).iter().map(Tensor::is_weak).collect();
        Ok(self.cache.insert(key, Entry { executable, result, weak, captured }))
    }

    fn trace(&self, args: &A, leaves: &[Tensor]) -> Result<(Module, R, Vec<Array>), Error> {
        let specs = leaves.iter().map(Tensor::spec).collect::<Result<Vec<_>, _>>()?;
        let mut result = None;
        let (graph, function) = trace::program(&specs, |tensors| {
            let found = self.f.apply(&tree::rebuild(args, tensors));
            let leaves = tree::leaves(&found);
            result = Some(found);
            Ok(leaves)
        })?;
        let captured = function.captured.iter().map(|t| t.array().cloned()).collect::<Result<Vec<_>, _>>()?;
        let Some(result) = result else {
            return Err(Error::new(ErrorCode::Internal, "a function was traced without being called"));
        };
        Ok((graph.finish(function.comp, name_of::<F>()), result, captured))
    }
}

/// The name of a Rust function; of a closure that of the function it stands in.
fn name_of<F>() -> String {
    let path = std::any::type_name::<F>().split('<').next().unwrap_or_default();
    let parts = path.split("::").filter(|p| !p.contains('{') && !p.is_empty());
    let last = parts.last().unwrap_or("function");
    last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

macro_rules! arities {
    ($(($($name:ident $var:ident),*);)*) => {$(
        impl<F, R: Tree, $($name: Tree),*> Jit<F, ($($name,)*), R>
        where
            F: Fn($(&$name),*) -> R,
        {
            /// Runs the function, compiled on the first call for each signature.
            ///
            /// # Errors
            /// An operation of the function that does not fit its operands, with its line; those of compiling and running.
            #[allow(clippy::too_many_arguments)]
            pub fn call(&self, $($var: &$name),*) -> Result<R, Error> {
                self.call_tuple(&($($var.clone(),)*))
            }

            /// As `call`, with arguments that are given up: results take over memory that nobody else holds, so that a state
            /// that goes round needs no second one.
            ///
            /// # Errors
            /// As `call`.
            #[allow(clippy::too_many_arguments)]
            pub fn call_owned(&self, $($var: $name),*) -> Result<R, Error> {
                self.call_tuple_owned(($($var,)*))
            }

            /// The HLO of the function for arguments like these.
            ///
            /// # Errors
            /// An operation of the function that does not fit its operands, with its line.
            #[allow(clippy::too_many_arguments)]
            pub fn lower(&self, $($var: &$name),*) -> Result<Lowered, Error> {
                self.lower_tuple(&($($var.clone(),)*))
            }

            /// What becomes of the function for arguments like these: kernels, bytes, decisions.
            ///
            /// # Errors
            /// As `lower`, and those of planning.
            #[allow(clippy::too_many_arguments)]
            pub fn explain(&self, $($var: &$name),*) -> Result<Explanation, Error> {
                self.explain_tuple(&($($var.clone(),)*))
            }
        }
    )*};
}

arities! {
    (A a);
    (A a, B b);
    (A a, B b, C c);
    (A a, B b, C c, D d);
    (A a, B b, C c, D d, E e);
    (A a, B b, C c, D d, E e, G g);
    (A a, B b, C c, D d, E e, G g, H h);
    (A a, B b, C c, D d, E e, G g, H h, I i);
}
