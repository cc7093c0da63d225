//! Donations: results that may take over the memory of an argument the caller gives up.
//!
//! A donation holds for both ways of running: with the memory of the argument as that of the result, and with memory of
//! its own. So the argument is looked at as the last reader of its value: a result whose memory changes only after that
//! may take it. A copy from the one to the other before any change (an update in place starts with it) is none where
//! they are the same.
//!
//! ```text
//! copy  in0 → out0          nothing to do when in0 is donated to out0
//! update out0 (in1)         changes out0: from here on nobody may read in0
//! ```

use super::in_place::InPlace;
use lawson_hlo::{Module, Shape};
use lawson_kernel::program::Exchanges;
use lawson_kernel::program::walk::visit;
use lawson_kernel::program::{BufId, Donation, Place, Program, Step};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the header of a module asks for, by array leaves.
#[derive(Default)]
pub struct Wanted {
    /// `input_output_alias`.
    aliases: Vec<Donation>,
    /// `buffer_donor`: inputs that any output of their size may take.
    donors: Vec<usize>,
}

impl Wanted {
    /// The array leaves of the arguments that the module expects to be given up.
    pub fn inputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.aliases.iter().map(|d| d.input).chain(self.donors.iter().copied())
    }

    pub fn of(module: &Module) -> Wanted {
        let parameters = module.entry().parameter_shapes();
        let root = &module.entry().root().shape;
        let input = |number: usize, index: &[usize]| -> Option<Range<usize>> {
            let before: usize = parameters.iter().take(number).map(|p| p.leaves().len()).sum();
            leaves(parameters.get(number)?, index).map(|r| before + r.start..before + r.end)
        };
        let mut wanted = Wanted::default();
        for alias in &module.header.aliases {
            let (from, to) = (input(alias.parameter, &alias.parameter_index), leaves(root, &alias.output));
            let pairs = from.into_iter().flatten().zip(to.into_iter().flatten());
            wanted.aliases.extend(pairs.map(|(input, output)| Donation { input, output }));
        }
        for donor in &module.header.donors {
            wanted.donors.extend(input(donor.parameter, &donor.parameter_index).into_iter().flatten());
        }
        wanted
    }
}

/// The array leaves of the part of a shape at an index path.
fn leaves(shape: &Shape, path: &[usize]) -> Option<Range<usize>> {
    let Some((&first, rest)) = path.split_first() else { return Some(0..shape.leaves().len()) };
    let Shape::Tuple(parts) = shape else { return None };
    let before: usize = parts.iter().take(first).map(|p| p.leaves().len()).sum();
    leaves(parts.get(first)?, rest).map(|r| before + r.start..before + r.end)
}

/// Of what is wanted that which changes no value, each input and output once, in order.
pub fn allowed(program: &Program, wanted: &Wanted) -> Vec<Donation> {
    if wanted.aliases.is_empty() && wanted.donors.is_empty() {
        return Vec::new();
    }
    let moments = Moments::of(program);
    // Outputs that nobody has taken, by size.
    let mut free: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (output, o) in moments.outputs.iter().enumerate() {
        free.entry(o.bytes).or_default().push(output);
    }
    let mut given = vec![false; moments.inputs.len()];
    let mut found = Vec::new();
    let mut try_one = |donation: Donation, free: &mut Vec<usize>| {
        let at = free.iter().position(|&o| o == donation.output);
        let Some(at) = at.filter(|_| !given[donation.input] && moments.allow(donation)) else { return };
        free.remove(at);
        given[donation.input] = true;
        found.push(donation);
    };
    let size = |input: usize| moments.inputs.get(input).map(|i| i.bytes);
    for &donation in &wanted.aliases {
        if let Some(free) = size(donation.input).and_then(|bytes| free.get_mut(&bytes)) {
            try_one(donation, free);
        }
    }
    for &input in &wanted.donors {
        let Some(free) = size(input).and_then(|bytes| free.get_mut(&bytes)) else { continue };
        for output in free.clone() {
            try_one(Donation { input, output }, free);
        }
    }
    found.sort_unstable();
    found
}

/// A launch that reads an input for the last time and is the first to change the output that should take its memory.
struct Meeting {
    /// The launch, by its position in the program.
    step: usize,
    donation: Donation,
}

/// Where what is wanted fails only because a launch both reads and writes, in order.
pub fn meetings(program: &Program, wanted: &Wanted) -> Vec<InPlace> {
    if wanted.aliases.is_empty() && wanted.donors.is_empty() {
        return Vec::new();
    }
    let moments = Moments::of(program);
    let (inputs, outputs) = (&moments.inputs, &moments.outputs);
    let of_donor = |&input: &usize| {
        let bytes = inputs.get(input).map(|i| i.bytes);
        let of_its_size = (0..outputs.len()).filter(move |&o| Some(outputs[o].bytes) == bytes);
        of_its_size.map(move |output| Donation { input, output })
    };
    let wanted = wanted.aliases.iter().copied().chain(wanted.donors.iter().flat_map(of_donor));
    let mut found: Vec<Meeting> = wanted
        .filter_map(|donation| {
            let (from, to) = (inputs.get(donation.input)?, outputs.get(donation.output)?);
            let step = to.first_change.filter(|&s| from.last_read == Some(s))?;
            let is_launch = matches!(program.steps[step], Step::Launch { .. });
            let copied = !from.copies.is_empty() || !to.copies.is_empty();
            (is_launch && !copied && from.bytes == to.bytes).then_some(Meeting { step, donation })
        })
        .collect();
    found.sort_by_key(|m| m.step);
    let launches_before = |step: usize| {
        let mut launches = 0;
        visit(&program.steps[..step], &mut |s| launches += usize::from(matches!(s, Step::Launch { .. })));
        launches
    };
    let by_launch = found.chunk_by(|a, b| a.step == b.step);
    by_launch
        .map(|met| {
            let step = met[0].step;
            let pairs = met.iter().filter_map(|m| pair(program, &program.steps[step], m.donation)).collect();
            InPlace { launch: launches_before(step), pairs }
        })
        .collect()
}

/// Where the kernel of a launch has what meets in it, if each is passed once.
fn pair(program: &Program, launch: &Step, donation: Donation) -> Option<(u32, u32)> {
    let Step::Launch { kernel, args } = launch else { return None };
    let region = &program.kernels[*kernel].source()?.region;
    let only = |place: Place| {
        let mut at = args.iter().enumerate().filter(|(_, id)| program.buffers[id.index()].place == place);
        let (first, _) = at.next()?;
        at.next().is_none().then_some(first)
    };
    let (input, output) = (only(Place::Input(donation.input))?, only(Place::Output(donation.output))?);
    let output = output.checked_sub(region.inputs.len()).filter(|&o| o < region.outputs.len())?;
    (input < region.inputs.len()).then_some((output as u32, input as u32))
}

/// When inputs are read and outputs changed. A step of the program is one moment: of a loop, what it reads it may read
/// in its last trip, and what it changes in its first.
struct Moments {
    inputs: Vec<Input>,
    outputs: Vec<Output>,
}

#[derive(Clone, Default)]
struct Input {
    bytes: i64,
    last_read: Option<usize>,
    /// Copies to the place of an output: when, and which.
    copies: Vec<(usize, usize)>,
}

#[derive(Clone, Default)]
struct Output {
    bytes: i64,
    first_change: Option<usize>,
    /// Copies from an input: when, and which.
    copies: Vec<(usize, usize)>,
}

impl Moments {
    fn of(program: &Program) -> Moments {
        let mut moments = Moments { inputs: Vec::new(), outputs: Vec::new() };
        for slot in &program.buffers {
            match slot.place {
                Place::Input(n) => at(&mut moments.inputs, n).bytes = slot.bytes,
                Place::Output(n) => at(&mut moments.outputs, n).bytes = slot.bytes,
                Place::Constant(_) | Place::Arena(_) => {}
            }
        }
        let memories = memories(program);
        for (now, step) in program.steps.iter().enumerate() {
            moments.step(program, &memories, (now, step));
        }
        moments
    }

    fn step(&mut self, program: &Program, memories: &[Vec<usize>], (now, step): (usize, &Step)) {
        let place = |id: BufId| &program.buffers[id.index()].place;
        let mut copy = None;
        if let Step::Copy { from, to } = step
            && let (&Place::Input(input), &Place::Output(output)) = (place(*from), place(*to))
        {
            self.inputs[input].copies.push((now, output));
            self.outputs[output].copies.push((now, input));
            copy = Some(output);
        }
        visit(std::slice::from_ref(step), &mut |step| {
            step.uses(program, &mut |u| {
                if let (&Place::Input(n), None) = (place(u.buffer), copy) {
                    self.inputs[n].last_read = Some(now);
                }
                for &n in memories[u.buffer.index()].iter().filter(|&&n| u.writes && copy != Some(n)) {
                    self.outputs[n].first_change.get_or_insert(now);
                }
            });
        });
    }

    /// Whether the input is read for the last time before the output changes.
    fn allow(&self, Donation { input, output }: Donation) -> bool {
        let (from, to) = (&self.inputs[input], &self.outputs[output]);
        let other_copies = to.copies.iter().filter(|(_, i)| *i != input).map(|(now, _)| *now);
        let Some(change) = other_copies.chain(to.first_change).min() else { return true };
        let copied_before = from.copies.iter().all(|&(now, _)| now < change);
        copied_before && from.last_read.is_none_or(|read| read < change)
    }
}

fn at<T: Clone + Default>(list: &mut Vec<T>, n: usize) -> &mut T {
    if list.len() <= n {
        list.resize(n + 1, T::default());
    }
    &mut list[n]
}

/// For each buffer the outputs whose memory it may be in: its own, and those of all buffers it may have exchanged
/// places with.
fn memories(program: &Program) -> Vec<Vec<usize>> {
    let exchanges = Exchanges::of(program);
    let mut of_class: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (id, slot) in program.buffers.iter().enumerate() {
        if let Place::Output(n) = slot.place {
            of_class.entry(exchanges.class(id)).or_default().push(n);
        }
    }
    let of = |id| of_class.get(&exchanges.class(id)).cloned().unwrap_or_default();
    (0..program.buffers.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem};
    use lawson_kernel::program::BufferSlot;

    #[test]
    fn headers_ask_in_array_leaves() {
        let text = "HloModule m, input_output_alias={ {1}: (0, {1}, may-alias) }, buffer_donor={ (1, {}) }\n\
            ENTRY e { p = (f32[], f32[4]) parameter(0) q = s32[4] parameter(1) a = f32[4] get-tuple-element(p), index=1 \
            b = f32[] get-tuple-element(p), index=0 ROOT t = (f32[], f32[4], s32[4]) tuple(b, a, q) }";
        let module = Module::parse(text).expect("well formed");
        let wanted = Wanted::of(&module);
        assert_eq!(wanted.aliases, [Donation { input: 1, output: 1 }]);
        assert_eq!(wanted.donors, [2]);
        assert_eq!(Module::parse(&module.to_string()).expect("printed").header, module.header);
    }

    /// Buffers: input 0, input 1, output 0, output 1, two temporaries. Kernel 0 reads its first and writes its second,
    /// kernel 1 updates its only one.
    fn program(steps: Vec<Step>) -> Program {
        let mut map = CodeBuilder::new("map");
        map.buffer("a", Elem::I32, 1, Access::Read);
        map.buffer("b", Elem::I32, 1, Access::Write);
        let mut update = CodeBuilder::new("update");
        update.buffer("a", Elem::I32, 1, Access::ReadWrite);
        let places = [
            Place::Input(0),
            Place::Input(1),
            Place::Output(0),
            Place::Output(1),
            Place::Arena(0),
            Place::Arena(64),
        ];
        let buffers = places.into_iter().map(|place| BufferSlot { bytes: 4, place }).collect();
        Program {
            kernels: vec![map.finish().into(), update.finish().into()],
            buffers,
            steps,
            ..Program::default()
        }
    }

    fn map(from: u32, to: u32) -> Step {
        Step::Launch { kernel: 0, args: vec![BufId(from), BufId(to)] }
    }

    fn update(id: u32) -> Step {
        Step::Launch { kernel: 1, args: vec![BufId(id)] }
    }

    fn copy(from: u32, to: u32) -> Step {
        Step::Copy { from: BufId(from), to: BufId(to) }
    }

    fn loop_of(body: Vec<Step>) -> Step {
        Step::While { cond: vec![], pred: BufId(4), body, trips: None }
    }

    const FIRST: Donation = Donation { input: 0, output: 0 };

    fn ask(program: &Program, aliases: &[Donation]) -> Vec<Donation> {
        allowed(program, &Wanted { aliases: aliases.to_vec(), donors: Vec::new() })
    }

    fn allows(steps: Vec<Step>) -> bool {
        ask(&program(steps), &[FIRST]) == [FIRST]
    }

    #[test]
    fn an_update_takes_the_memory_of_what_it_updates() {
        assert!(allows(vec![copy(0, 2), update(2)]));
        assert!(allows(vec![copy(0, 2), map(0, 3), update(2)]), "read before it changes");
        assert!(!allows(vec![copy(0, 2), update(2), map(0, 3)]), "read after it changes");
        assert!(!allows(vec![copy(0, 2), update(2), copy(0, 2)]), "its old value comes back");
    }

    #[test]
    fn a_result_waits_for_the_last_reader() {
        assert!(allows(vec![map(0, 4), map(4, 2)]));
        assert!(!allows(vec![map(1, 2), map(0, 3)]));
        assert!(!allows(vec![map(0, 2)]), "one kernel reads and writes");
    }

    #[test]
    fn a_loop_reads_in_each_trip() {
        assert!(allows(vec![copy(0, 2), loop_of(vec![update(2)])]));
        assert!(allows(vec![loop_of(vec![map(0, 4)]), map(4, 2)]));
        assert!(!allows(vec![loop_of(vec![map(0, 4), map(4, 2)])]));
        assert!(!allows(vec![loop_of(vec![copy(0, 2), update(2)])]));
    }

    #[test]
    fn what_exchanges_places_with_the_result_is_in_its_memory() {
        let swap = Step::Swap { a: BufId(4), b: BufId(2) };
        assert!(allows(vec![copy(0, 2), loop_of(vec![map(2, 4), swap.clone()])]));
        assert!(!allows(vec![map(1, 4), map(0, 3), loop_of(vec![swap])]), "the temporary may be the result");
    }

    #[test]
    fn each_array_is_donated_once_and_to_one_of_its_size() {
        let other = Donation { input: 0, output: 1 };
        let p = program(vec![copy(0, 2), copy(0, 3)]);
        assert_eq!(ask(&p, &[other, FIRST]), [other]);
        let mut p = program(vec![copy(0, 2)]);
        p.buffers[0].bytes = 8;
        assert_eq!(ask(&p, &[FIRST]), []);
    }

    #[test]
    fn a_donor_goes_to_the_first_output_that_can_take_it() {
        let wanted = Wanted { aliases: Vec::new(), donors: vec![0, 1] };
        let p = program(vec![map(0, 4), copy(4, 2), map(1, 3)]);
        assert_eq!(allowed(&p, &wanted), [FIRST]);
        let p = program(vec![map(1, 2), map(0, 4), copy(4, 3)]);
        assert_eq!(allowed(&p, &wanted), [Donation { input: 0, output: 1 }]);
    }
}
