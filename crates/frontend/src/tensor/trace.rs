//! Recording functions: what happens to tensors while one is traced becomes instructions.
//!
//! A thread traces one program at a time, its [`Graph`] and a stack of functions under construction in a [`Session`].
//! [`program`] begins one, [`function`] opens another function inside of it: the body of a loop, what `grad` takes. What is
//! recorded goes to the innermost function. A tensor of an outer function that an inner one uses becomes a parameter
//! of the inner one, after its own ([`Function::captured`]); a concrete array becomes a constant or, when it is large, a
//! parameter of the outermost.

use super::{Repr, Tensor};
use crate::error::{Error, Fault};
use crate::graph::{Emit, Graph};
use lawson_hlo::builder::Body;
use lawson_hlo::{ArrayShape, CompId, InstrId, Shape};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Larger concrete arrays are handed to the program instead of standing in it, in bytes.
const MAX_CONSTANT: i64 = 64;

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Numbers functions under construction, so that a tensor of one that is finished is known as such.
static NEXT_FUNCTION: AtomicU64 = AtomicU64::new(0);

struct Session {
    number: u64,
    graph: Graph,
    functions: Vec<Open>,
}

/// A function under construction.
struct Open {
    number: u64,
    body: Body,
    parameters: usize,
    captured: Vec<Tensor>,
    /// The instructions that stand for tensors from outside.
    lifted: FxHashMap<Outside, InstrId>,
}

#[derive(PartialEq, Eq, Hash)]
enum Outside {
    Traced(u64, InstrId),
    /// The address of its memory, which `captured` keeps alive.
    Array(usize),
}

/// A traced function: its computation takes its own parameters, then what it captured, and gives a tuple of results.
pub struct Function {
    /// In the graph of the program.
    pub comp: CompId,
    /// Tensors of the function around it, or concrete arrays, in the order of the parameters after its own.
    pub captured: Vec<Tensor>,
    /// The shapes of the results, and whether their types are weak.
    pub results: Vec<Spec>,
}

/// What is known of a tensor before its elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// Element type and dimensions.
    pub shape: ArrayShape,
    /// The element type gives way to others, as that of a Rust scalar does.
    pub weak: bool,
}

/// Whether a function is being traced on this thread.
pub fn active() -> bool {
    SESSION.with_borrow(Option::is_some)
}

/// Traces a program: its own parameters first, then those for large arrays that it uses.
///
/// # Errors
/// The first error of a result, or of `f`.
#[track_caller]
pub fn program(
    parameters: &[Spec],
    f: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>, Error>,
) -> Result<(Graph, Function), Error> {
    let number = NEXT_FUNCTION.fetch_add(1, Ordering::Relaxed);
    let outer = SESSION.replace(Some(Session { number, graph: Graph::new(), functions: Vec::new() }));
    // Puts the outer session back, also when `f` panics.
    struct Restore(Option<Session>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SESSION.set(self.0.take());
        }
    }
    let restore = Restore(outer);
    let traced = function("main", parameters, f);
    let session = SESSION.take().expect("the session lasts as long as the trace");
    drop(restore);
    Ok((session.graph, traced?))
}

/// Traces a function inside of the one that is being traced. Its results are tensors that it made, or from outside.
///
/// # Errors
/// The first error of a result, or of `f`.
///
/// # Panics
/// No function is being traced.
#[track_caller]
pub fn function(
    name: &str,
    parameters: &[Spec],
    f: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>, Error>,
) -> Result<Function, Error> {
    function_at(Location::caller(), name, parameters, f)
}

/// As [`function`], for the sake of that line of the user's program.
///
/// # Errors
/// As [`function`].
///
/// # Panics
/// As [`function`].
pub(crate) fn function_at(
    here: &'static Location<'static>,
    name: &str,
    parameters: &[Spec],
    f: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>, Error>,
) -> Result<Function, Error> {
    let number = NEXT_FUNCTION.fetch_add(1, Ordering::Relaxed);
    let tensors = open(here, number, parameters);
    struct Abandon(usize);
    impl Drop for Abandon {
        fn drop(&mut self) {
            with(|s| s.functions.truncate(self.0));
        }
    }
    let abandon = Abandon(with(|s| s.functions.len() - 1));
    let results = f(tensors)?;
    let specs = results.iter().map(Tensor::spec).collect::<Result<Vec<_>, _>>()?;
    let ids = with(|s| {
        let depth = s.functions.len() - 1;
        results.iter().map(|t| s.lift(depth, t, here)).collect::<Result<Vec<_>, _>>()
    })?;
    std::mem::forget(abandon);
    with(|s| {
        let mut open = s.functions.pop().expect("opened above");
        open.body.origin = s.graph.origin(here);
        let root = Emit { graph: &mut s.graph, body: &mut open.body }
            .tuple(&ids)
            .map_err(|e| Error::new(here, e.0))?;
        let comp = s.graph.close(name, open.body, root);
        Ok(Function { comp, captured: open.captured, results: specs })
    })
}

fn open(here: &'static Location<'static>, number: u64, parameters: &[Spec]) -> Vec<Tensor> {
    with(|s| {
        let mut body = Body::new(s.graph.origin(here));
        let tensor = |(n, spec): (usize, &Spec)| {
            let mut emit = Emit { graph: &mut s.graph, body: &mut body };
            let id = emit.parameter(n, Shape::Array(spec.shape.clone()));
            Tensor::traced(number, id, spec.shape.clone(), spec.weak, here)
        };
        let tensors = parameters.iter().enumerate().map(tensor).collect();
        let parameters = parameters.len();
        let (captured, lifted) = (Vec::new(), FxHashMap::default());
        s.functions.push(Open { number, body, parameters, captured, lifted });
        tensors
    })
}

fn with<R>(f: impl FnOnce(&mut Session) -> R) -> R {
    SESSION.with_borrow_mut(|s| f(s.as_mut().expect("a function is being traced")))
}

/// The number of the program that is being traced, if one is: computations are those of one program.
pub(crate) fn session() -> Option<u64> {
    SESSION.with_borrow(|s| s.as_ref().map(|s| s.number))
}

/// The number of the innermost function.
pub(crate) fn innermost() -> u64 {
    with(|s| s.functions.last().expect("a session has a function").number)
}

/// Appends instructions to the innermost function: `f` gets those of the operands. What it appends comes from `place`.
///
/// # Errors
/// An operand that cannot be used here, or what `f` says, with the place.
pub fn emit<R>(
    place: &'static Location<'static>,
    operands: &[&Tensor],
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<R, Fault>,
) -> Result<R, Error> {
    with(|s| {
        let depth = s.functions.len() - 1;
        let ids = operands.iter().map(|t| s.lift(depth, t, place)).collect::<Result<Vec<_>, _>>()?;
        let body = &mut s.functions[depth].body;
        body.origin = s.graph.origin(place);
        f(&mut Emit { graph: &mut s.graph, body }, &ids).map_err(|e| Error::new(place, e.0))
    })
}

impl Session {
    /// The instruction that stands for a tensor in the function of that depth.
    fn lift(
        &mut self,
        depth: usize,
        tensor: &Tensor,
        place: &'static Location<'static>,
    ) -> Result<InstrId, Error> {
        match tensor.repr() {
            Repr::Failed(e) => Err(e.clone()),
            Repr::Array(array) => {
                if array.shape().bytes() <= MAX_CONSTANT {
                    let literal = array.to_literal();
                    let open = &mut self.functions[depth];
                    open.body.origin = self.graph.origin(place);
                    return Ok(Emit { graph: &mut self.graph, body: &mut open.body }.constant(literal));
                }
                let address = Arc::as_ptr(array.memory()).cast::<()>() as usize;
                Ok(self.capture(depth, Outside::Array(address), tensor, array.shape(), place))
            }
            Repr::Traced(traced) => {
                let found = self.functions.iter().position(|f| f.number == traced.function);
                match found {
                    Some(at) if at == depth => Ok(traced.id),
                    Some(at) if at < depth => {
                        let key = Outside::Traced(traced.function, traced.id);
                        Ok(self.capture(depth, key, tensor, &traced.shape, place))
                    }
                    _ => Err(Error::new(place, stranger(traced.place))),
                }
            }
        }
    }

    fn capture(
        &mut self,
        depth: usize,
        key: Outside,
        tensor: &Tensor,
        shape: &ArrayShape,
        place: &'static Location<'static>,
    ) -> InstrId {
        let origin = self.graph.origin(place);
        let open = &mut self.functions[depth];
        if let Some(&id) = open.lifted.get(&key) {
            return id;
        }
        let number = open.parameters + open.captured.len();
        open.body.origin = origin;
        let id = Emit { graph: &mut self.graph, body: &mut open.body }
            .parameter(number, Shape::Array(shape.clone()));
        open.captured.push(tensor.clone());
        open.lifted.insert(key, id);
        id
    }
}

fn stranger(made: &Location<'_>) -> String {
    format!(
        "the tensor made at {}:{}:{} belongs to another function, which is not being traced here: tensors leave a \
         function as its results alone",
        made.file(),
        made.line(),
        made.column()
    )
}
