//! A program's kernels to code: each is lowered, equal ones are compiled once, divided over threads, one LLVM module for
//! each.

use crate::Error;
use crate::code_cache::{CodeCache, Key};
use crate::threads::ThreadPool;
use lawson_kernel::loop_ir::{Access, Bin, Block, Kernel, Op, Stmt};
use lawson_kernel::program::{Code, NamedKernel, Program};
use lawson_llvm::{Compiler, Effort, TargetSpec, phase_symbol};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

/// What decides the code, beside the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileOptions {
    pub target: TargetSpec,
    pub effort: Effort,
}

/// The code of a program's kernels: it can be kept and loaded again.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    pub objects: Vec<Vec<u8>>,
    /// Kernels by their code, which the objects hold.
    pub codes: Vec<KernelCode>,
    /// For each kernel of the program its code, by position; a routine has none.
    pub code_of: Vec<Option<usize>>,
    /// How many of the codes were not made now: a cache had them.
    pub reused: usize,
}

/// What a launch needs to know of a kernel's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCode {
    pub phases: Vec<Phase>,
    /// Those of them that count as parallel regions.
    pub regions: u64,
    /// Bytes of each array that passes partial results between phases; they follow the parameters.
    pub scratch: Vec<i64>,
    /// Bytes of the block that each thread has for itself.
    pub local: i64,
    /// It has loops whose trips are not counted: they look at the flag that ends a run.
    pub open_loops: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The name of its function in the objects.
    pub symbol: String,
    pub tasks: i64,
}

/// The code of all kernels, whose names differ: what the cache has is taken from it, and what is made now is kept there.
///
/// # Errors
/// What LLVM cannot do, or a kernel that cannot be lowered: no planned one, since planning asks.
pub fn compile(
    program: &Program,
    options: &CompileOptions,
    cache: Option<&dyn CodeCache>,
    pool: &ThreadPool,
) -> Result<Compiled, Error> {
    let Some(cache) = cache else {
        let (distinct, code_of) = distinct_code(program)?;
        let groups = balance(&distinct, pool.threads(), options.target.vector_bits());
        let kernels = |group: &Vec<usize>| group.iter().map(|&k| &*distinct[k]).collect();
        let objects = objects(&groups.iter().map(kernels).collect::<Vec<_>>(), options, pool)?;
        let codes = distinct.iter().map(|k| KernelCode::of(k)).collect();
        return Ok(Compiled { objects, codes, code_of, reused: 0 });
    };
    let Separate { kernels, objects, code_of, reused } =
        compile_separately(program, options, Some(cache), pool)?;
    Ok(Compiled { objects, codes: kernels.iter().map(KernelCode::of).collect(), code_of, reused })
}

/// The code of a program's kernels, an object for each: other programs can use it too.
pub struct Separate {
    /// Kernels by their code, under names made of it.
    pub kernels: Vec<Kernel>,
    /// Their objects.
    pub objects: Vec<Vec<u8>>,
    /// For each kernel of the program its code, by position; a routine has none.
    pub code_of: Vec<Option<usize>>,
    /// How many of the codes the cache had.
    pub reused: usize,
}

/// As [`compile`], with an object for each kernel.
///
/// # Errors
/// As [`compile`].
pub fn compile_separately(
    program: &Program,
    options: &CompileOptions,
    cache: Option<&dyn CodeCache>,
    pool: &ThreadPool,
) -> Result<Separate, Error> {
    let (distinct, code_of) = distinct_code(program)?;
    let keys: Vec<Key> = distinct.iter().map(|k| Key::of(k, &options.target, options.effort)).collect();
    let named = distinct.iter().zip(&keys).map(|(k, key)| Kernel { name: format!("k{key}"), ..k.nameless() });
    let kernels: Vec<Kernel> = named.collect();
    let mut found: Vec<Option<Vec<u8>>> = keys.iter().map(|key| cache?.get(key)).collect();
    let missing: Vec<usize> = (0..found.len()).filter(|&n| found[n].is_none()).collect();
    let made = objects(&missing.iter().map(|&n| vec![&kernels[n]]).collect::<Vec<_>>(), options, pool)?;
    for (&n, object) in missing.iter().zip(made) {
        if let Some(cache) = cache {
            cache.keep(&keys[n], &object);
        }
        found[n] = Some(object);
    }
    let reused = kernels.len() - missing.len();
    Ok(Separate { kernels, objects: found.into_iter().flatten().collect(), code_of, reused })
}

/// The code of all kernels that have some, equal ones once, and for each kernel of the program which it is.
#[allow(clippy::type_complexity)]
fn distinct_code(program: &Program) -> Result<(Vec<Cow<'_, Kernel>>, Vec<Option<usize>>), Error> {
    // Here, not on the pool's threads: lowering goes down as deep as expressions are nested, and the caller has the stack.
    let compiled = program.kernels.iter().filter(|k| !matches!(k.code, Code::Library(_)));
    let (distinct, code_of) = distinct(compiled.map(lowered).collect::<Result<Vec<_>, _>>()?);
    let mut codes = code_of.into_iter();
    let code_of = program.kernels.iter().map(|k| match k.code {
        Code::Library(_) => None,
        Code::Planned(_) | Code::Lowered(_) => codes.next(),
    });
    Ok((distinct, code_of.collect()))
}

/// An object for each group of kernels, divided over the threads.
fn objects(
    groups: &[Vec<&Kernel>],
    options: &CompileOptions,
    pool: &ThreadPool,
) -> Result<Vec<Vec<u8>>, Error> {
    let results: Vec<OnceLock<Result<Vec<u8>, Error>>> = groups.iter().map(|_| OnceLock::new()).collect();
    pool.session().run(groups.len() as i64, &|range, _| {
        for i in range {
            let object = with_compiler(options, |c| Ok(c.compile(&groups[i as usize])?));
            let _ = results[i as usize].set(object);
        }
    });
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn lowered(kernel: &NamedKernel) -> Result<Cow<'_, Kernel>, Error> {
    kernel.lowered().map_err(|refusal| Error::Lowering { kernel: kernel.name.clone(), refusal })
}

/// The kernels without those that do the same as an earlier one, and for each of all which it is.
fn distinct(all: Vec<Cow<'_, Kernel>>) -> (Vec<Cow<'_, Kernel>>, Vec<usize>) {
    let mut known: FxHashMap<Kernel, usize> = FxHashMap::default();
    let (mut kept, mut code_of) = (Vec::new(), Vec::new());
    for kernel in all {
        let next = kept.len();
        let code = *known.entry(kernel.nameless()).or_insert(next);
        kept.extend(Some(kernel).filter(|_| code == next));
        code_of.push(code);
    }
    (kept, code_of)
}

impl KernelCode {
    pub fn of(kernel: &Kernel) -> KernelCode {
        let phase = |(i, p): (usize, &lawson_kernel::loop_ir::Phase)| Phase {
            symbol: phase_symbol(&kernel.name, i),
            tasks: p.tasks,
        };
        let scratch = kernel.buffers.iter().filter(|b| b.access == Access::Scratch);
        KernelCode {
            phases: kernel.phases.iter().enumerate().map(phase).collect(),
            regions: kernel.parallel_regions(),
            scratch: scratch.map(|b| b.len * b.elem.bytes()).collect(),
            local: kernel.shared_layout().1,
            open_loops: kernel.phases.iter().any(|p| has_while(&p.body)),
        }
    }
}

fn has_while(stmts: &[Stmt]) -> bool {
    let is_while = |s: &Stmt| matches!(s, Stmt::While { .. });
    stmts.iter().any(|s| is_while(s) || s.blocks().any(|block| has_while(&block.stmts)))
}

/// Compilers that nobody uses, the last used last. Making one and its first use take a millisecond, and threads that compile
/// come and go.
static COMPILERS: Mutex<Vec<(CompileOptions, Compiler)>> = Mutex::new(Vec::new());
/// Compilers that are kept.
const MAX_COMPILERS: usize = 16;

/// Runs `f` with a compiler for these options: one that is kept, or a new one, which is kept afterwards.
fn with_compiler<R>(
    options: &CompileOptions,
    f: impl FnOnce(&Compiler) -> Result<R, Error>,
) -> Result<R, Error> {
    let kept = || COMPILERS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = {
        let mut kept = kept();
        kept.iter().rposition(|(o, _)| o == options).map(|n| kept.remove(n).1)
    };
    let compiler = match found {
        Some(compiler) => compiler,
        None => Compiler::new(&options.target, options.effort)?,
    };
    let result = f(&compiler);
    let mut kept = kept();
    kept.push((options.clone(), compiler));
    let spare = kept.len().saturating_sub(MAX_COMPILERS);
    kept.drain(..spare);
    result
}

/// A module's fixed cost, in instructions.
const MODULE_COST: u64 = 80;

/// Divides kernels, by position, into at most `threads` groups of similar cost; heaviest first, to the lightest group.
fn balance(kernels: &[Cow<'_, Kernel>], threads: usize, vector_bits: u32) -> Vec<Vec<usize>> {
    let mut costs: Vec<(u64, usize)> =
        kernels.iter().enumerate().map(|(i, k)| (kernel_cost(k, vector_bits), i)).collect();
    let total: u64 = costs.iter().map(|c| c.0).sum();
    let groups = (total.div_ceil(MODULE_COST) as usize).clamp(1, threads).min(kernels.len());
    costs.sort_by_key(|&(cost, i)| (std::cmp::Reverse(cost), i));
    let mut sums = vec![0u64; groups];
    let mut result = vec![Vec::new(); groups];
    for (cost, i) in costs {
        let lightest = (0..groups).min_by_key(|&g| (sums[g], g)).expect("a group for each kernel");
        sums[lightest] += cost;
        result[lightest].push(i);
    }
    result
}

/// About how many instructions a kernel becomes.
fn kernel_cost(kernel: &Kernel, vector_bits: u32) -> u64 {
    kernel.phases.iter().map(|p| 10 + stmts_cost(kernel, &p.body, vector_bits)).sum()
}

fn stmts_cost(kernel: &Kernel, stmts: &[Stmt], vector_bits: u32) -> u64 {
    let block = |b: &Block| stmts_cost(kernel, &b.stmts, vector_bits);
    let cost = |stmt: &Stmt| match stmt {
        Stmt::Let(_, Op::Const { .. }) => 0,
        Stmt::Let(v, op) => {
            let (ty, instructions) = match op {
                // On vectors there is no instruction for them.
                Op::Bin(Bin::SMulHi | Bin::UMulHi, ..) if kernel.ty(*v).lanes > 1 => (kernel.ty(*v), 12),
                // The word or the carry: the type of a mask does not tell the width.
                Op::WithCarry(_, a, ..) => (kernel.ty(*a), 3),
                // It overwrites one of what it takes elements from, which is copied before.
                Op::Shuffle { .. } => (kernel.ty(*v), 3),
                _ => (kernel.ty(*v), 1),
            };
            instructions * (ty.lanes * ty.elem.bits()).div_ceil(vector_bits) as u64
        }
        Stmt::Store(_)
        | Stmt::Prefetch { .. }
        | Stmt::MatrixProduct(_)
        | Stmt::LoadMatrices { .. }
        | Stmt::CopyAsync(_)
        | Stmt::GroupCopies
        | Stmt::AwaitCopies(_) => 1,
        Stmt::CarryChain(chain) => 3 * chain.links.len() as u64,
        Stmt::TileProduct(product) => (product.tiles[0] * product.tiles[1]).unsigned_abs() * 4,
        Stmt::Barrier => 0,
        Stmt::For { body, .. } => 4 + block(body),
        Stmt::If { then: a, otherwise: b, .. } | Stmt::While { cond: a, body: b, .. } => {
            4 + block(a) + block(b)
        }
    };
    stmts.iter().map(cost).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, Bin, CodeBuilder, Elem};

    fn kernel(ops: i64) -> Kernel {
        let mut b = CodeBuilder::new(format!("k{ops}"));
        let out = b.buffer("out", Elem::I64, 1, Access::Write);
        b.phase(2, |b, task| {
            let v = (0..ops).fold(task, |v, i| {
                let c = b.i64(i + 1);
                b.bin(Bin::Xor, v, c)
            });
            b.store(out, task, v, None);
        });
        b.finish()
    }

    #[test]
    fn groups_are_balanced_and_cover() {
        let kernels = [100, 10, 60, 30, 5].map(|n| Cow::Owned(kernel(n)));
        let groups = balance(&kernels, 2, 512);
        let mut all: Vec<usize> = groups.concat();
        all.sort();
        assert_eq!(all, [0, 1, 2, 3, 4]);
        assert_eq!((groups[0][0], groups[1][0]), (0, 2));
        assert_eq!(balance(&kernels[1..2], 8, 512), [[0]]);
        assert!(balance(&[], 8, 512).is_empty());
    }

    #[test]
    fn equal_code_is_compiled_once() {
        let named = |name: &str, ops| Cow::Owned(Kernel { name: name.into(), ..kernel(ops) });
        let (kept, code_of) = distinct(vec![named("a", 3), named("b", 4), named("c", 3)]);
        assert_eq!(kept.iter().map(|k| &*k.name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(code_of, [0, 1, 0]);
    }
}
