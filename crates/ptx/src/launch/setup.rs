//! What a launch begins with: checked sizes, parameters, places of variables, frames.

use super::traffic::Traffics;
use super::{Machine, Options, Param, Random};
use crate::counters::Counters;
use crate::memory::Memory;
use crate::module::Module;
use crate::program::{Constant, Function, Initial, Row, Space};
use crate::race::Shadow;
use rustc_hash::FxHashMap;

const MAX_THREADS: u64 = 1024;
/// Shared variables lie this far apart: what leaves one is in none.
const SHARED_GAP: u32 = 1024;

/// The registers of a function at its start: rows of 32 lanes.
pub struct Template {
    pub rows: Vec<[u64; 32]>,
    /// Rows with a place in the frame's local memory.
    pub locals: Vec<(Row, i64)>,
}

pub type Frames = Vec<Option<Template>>;

pub fn machine<'a>(
    module: &'a Module,
    entry: &str,
    grid: [u32; 3],
    dims: [u32; 3],
    params: &[Param],
    memory: &'a mut Memory,
    options: &'a Options,
) -> Result<Machine<'a>, String> {
    let found = module.functions.iter().position(|f| f.entry && f.name == entry);
    let entry = found.ok_or("there is no such kernel")?;
    let f = &module.functions[entry];
    check_dims(f, grid, dims)?;
    let params = parameter_bytes(f, params)?;
    let reached = reached(module, entry);
    let (shared_places, shared_bytes, used) = shared_places(module, &reached, options);
    if used > options.max_shared {
        return Err(format!("{used} bytes of shared memory, {} are there", options.max_shared));
    }
    load_variables(module, memory);
    let addresses = memory.module(module.number).unwrap_or_default().to_vec();
    let mut random = Random(options.seed);
    let mut frames: Frames = module.functions.iter().map(|_| None).collect();
    for &n in &reached {
        let place = |v: usize| match module.variables[v].space {
            Space::Shared => u64::from(shared_places[v].0),
            _ => addresses[v],
        };
        frames[n] = Some(template(&module.functions[n], place, random.next()));
    }
    let threads = dims.iter().map(|&n| u64::from(n)).product();
    let blocks = grid.iter().map(|&n| u64::from(n)).product();
    let counters = Counters {
        kernel: f.name.clone(),
        blocks,
        threads,
        shared_bytes: used.into(),
        ..Counters::default()
    };
    let shadows = (0..memory.count()).map(|_| Shadow::default()).collect();
    let traffic = Traffics::new(memory.count());
    Ok(Machine {
        module,
        memory,
        options,
        entry,
        grid,
        dims,
        frames,
        params,
        counters,
        traffic,
        shadows,
        released: FxHashMap::default(),
        random,
        shared_bytes,
        shared_places,
    })
}

fn check_dims(f: &Function, grid: [u32; 3], dims: [u32; 3]) -> Result<(), String> {
    let product = |d: [u32; 3]| d.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
    let threads = product(dims);
    if threads == 0 || product(grid) == 0 {
        return Err(format!("a grid of {grid:?} blocks of {dims:?} threads"));
    }
    if threads > MAX_THREADS || dims[2] > 64 {
        return Err(format!("{dims:?} threads are more than a block may have"));
    }
    if grid[0] > i32::MAX as u32 || grid[1] > 0xffff || grid[2] > 0xffff {
        return Err(format!("{grid:?} blocks are more than a grid may have"));
    }
    if f.most_threads.is_some_and(|most| threads > product(most)) {
        return Err(format!("{dims:?} threads, more than its `.maxntid`"));
    }
    if f.threads.is_some_and(|wanted| wanted != dims) {
        return Err(format!("{dims:?} threads, not those of its `.reqntid`"));
    }
    Ok(())
}

fn parameter_bytes(f: &Function, params: &[Param]) -> Result<Vec<u8>, String> {
    if params.len() != f.parameters.len() {
        return Err(format!("{} parameters instead of {}", params.len(), f.parameters.len()));
    }
    let mut bytes = vec![0; f.param_bytes as usize];
    for (i, (given, p)) in params.iter().zip(&f.parameters).enumerate() {
        let given = given.bytes();
        if given.len() != p.bytes as usize {
            return Err(format!("parameter {i} has {} bytes instead of {}", given.len(), p.bytes));
        }
        bytes[p.offset as usize..][..given.len()].copy_from_slice(&given);
    }
    Ok(bytes)
}

/// The kernel and all functions that it may call.
fn reached(module: &Module, entry: usize) -> Vec<usize> {
    let mut found = vec![entry];
    let mut at = 0;
    while at < found.len() {
        for &callee in &module.functions[found[at]].calls {
            if !found.contains(&callee) {
                found.push(callee);
            }
        }
        at += 1;
    }
    found
}

/// Start and bytes of each shared variable that the kernel reaches, the bytes that hold them all, and the bytes that a
/// device would need.
fn shared_places(module: &Module, reached: &[usize], options: &Options) -> (Vec<(u32, u32)>, u32, u32) {
    let mut places = vec![(0, 0); module.variables.len()];
    let (mut end, mut used) = (0u32, 0u32);
    let mut wanted: Vec<usize> = reached.iter().flat_map(|&n| &module.functions[n].shared).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let (dynamic, fixed): (Vec<usize>, Vec<usize>) =
        wanted.into_iter().partition(|&v| module.variables[v].dynamic);
    for v in fixed {
        let variable = &module.variables[v];
        let bytes = variable.bytes as u32;
        places[v] = (end, bytes);
        end = end.saturating_add(bytes).saturating_add(SHARED_GAP).next_multiple_of(SHARED_GAP);
        used = used.next_multiple_of(variable.align).saturating_add(bytes);
    }
    // All variables without a size are the same memory.
    if options.dynamic_shared > 0 || !dynamic.is_empty() {
        dynamic.iter().for_each(|&v| places[v] = (end, options.dynamic_shared));
        end = end.saturating_add(options.dynamic_shared);
        used = used.next_multiple_of(16).saturating_add(options.dynamic_shared);
    }
    (places, end, used)
}

/// Gives the module's global and constant variables a place and their values, the first time.
fn load_variables(module: &Module, memory: &mut Memory) {
    if memory.module(module.number).is_some() {
        return;
    }
    let in_memory = |space| matches!(space, Space::Global | Space::Const);
    let addresses: Vec<u64> = module
        .variables
        .iter()
        .map(|v| if in_memory(v.space) { memory.alloc(&v.name, v.bytes as usize) } else { 0 })
        .collect();
    for (v, &address) in module.variables.iter().zip(&addresses) {
        let Some((index, _)) = memory.locate(address, v.bytes as usize) else { continue };
        let size = v.element.bytes() as usize;
        let values: Vec<u64> = v
            .initial
            .iter()
            .map(|initial| match initial {
                Initial::Number(number) => crate::decode::literal(*number, v.element).unwrap_or(0),
                Initial::Address { variable, offset, .. } => {
                    let target = module.variables.iter().position(|other| other.name == *variable);
                    target.map_or(0, |t| addresses[t].wrapping_add(*offset as u64))
                }
            })
            .collect();
        let a = memory.get_mut(index);
        // What has no value is zero.
        a.written.fill(true);
        for (i, value) in values.iter().enumerate() {
            a.data[i * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        a.constant = v.space == Space::Const;
    }
    memory.add_module(module.number, addresses);
}

/// Registers that nothing has written hold a pattern of the seed, so that code that reads them does not look right.
fn template(f: &Function, place: impl Fn(usize) -> u64, pattern: u64) -> Template {
    let mut locals = Vec::new();
    let mut rows = Vec::with_capacity(f.widths.len());
    for (row, (&width, constant)) in f.widths.iter().zip(&f.constants).enumerate() {
        let value = match *constant {
            _ if width != 0 => pattern & width,
            Constant::Bits(bits) => bits,
            Constant::Variable(v, offset) => place(v).wrapping_add(offset as u64),
            Constant::Param(at) => at as u64,
            Constant::Local(at) => {
                locals.push((row as Row, at));
                0
            }
        };
        rows.push([value; 32]);
    }
    Template { rows, locals }
}
