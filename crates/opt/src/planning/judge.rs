//! Quotes: whether a computation is one kernel, and what that kernel costs. Equal computations are planned once,
//! whichever pass asks.

use super::legal::{planned, region};
use crate::numbers::Numbers;
use lawson_hlo::{Computation, Module, Opcode};
use lawson_kernel::cost::Cost;
use lawson_kernel::cost::figures::Strided;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::roots_of;
use lawson_kernel::region::{Kind, Node, Region, Source, Stage};
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a kernel is and costs.
#[derive(Clone, Debug)]
pub struct Quote {
    pub cost: Cost,
    /// The first pair of stages that only a row nest can hold in one kernel: the second reads the result of the first (a
    /// reduction or product) at more points, or to combine it again, as the quotient of a softmax reads the sum of its
    /// row. `None` where no two stages are such a pair.
    pub staged: Option<(Opcode, Opcode)>,
    /// A map and a reduction that share no rows, where the reduction stores the map on the way.
    pub stores: Option<(Opcode, Opcode)>,
    /// Results that are computed in the memory of an input.
    pub updates: usize,
    /// Operations of its code.
    pub operations: usize,
    /// The part of the cost's work that strided accesses to each array cost more than others: neighbouring lanes use elements
    /// that are not neighbours in memory.
    pub strided: Arc<[Strided]>,
}

/// Whether the kernel may have stages that need a row nest ([`Quote::staged`]), or a reduction that stores maps
/// ([`Quote::stores`]). The passes that join kernels before staged fusion refuse that, so that staged fusion alone decides
/// about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    Allowed,
    Refused,
}

/// What is known of computations as kernels, from the first pass that fuses to the last.
#[derive(Default)]
pub struct Judge {
    pub numbers: Numbers,
    /// By the numbers of their operations: see [`Numbers::code`].
    known: FxHashMap<Vec<u32>, Known>,
    /// Plans made since the running pass began.
    plans: u64,
}

impl Judge {
    /// Begins a pass.
    pub fn begin(&mut self) {
        self.numbers.forget_positions();
        self.plans = 0;
    }

    /// Plans made since then.
    pub fn plans(&self) -> u64 {
        self.plans
    }

    /// Plans the kernel of the computation that has this code, unless that is known. Parameters stand first, in their
    /// order, and are numbered by their shapes. Where stages are refused, what needs them is not planned.
    pub fn quote(
        &mut self,
        module: &Module,
        code: &[u32],
        write: impl FnOnce() -> Computation,
        (target, stages): (&Target, Stages),
    ) -> Result<Quote, Refusal> {
        let known = self.known.get(code);
        // `Staged` was found without making a plan, so where stages are allowed the kernel has yet to be planned.
        if let Some(known) = known.filter(|k| stages == Stages::Refused || !matches!(k, Known::Staged(_))) {
            return known.answer(stages);
        }
        let known = draft(module, &write(), (target, stages));
        self.plans += matches!(known, Known::Quoted(_)) as u64;
        let answer = known.answer(stages);
        self.known.insert(code.to_vec(), known);
        answer
    }
}

/// What is known of a kernel.
enum Known {
    Quoted(Result<Quote, Refusal>),
    /// It needs a row nest for these two stages. Asked where stages are refused, so no plan was made.
    Staged((Opcode, Opcode)),
}

impl Known {
    fn answer(&self, stages: Stages) -> Result<Quote, Refusal> {
        match *self {
            Known::Quoted(Ok(Quote { staged: Some((first, second)), .. })) if stages == Stages::Refused => {
                Err(Refusal::SecondHero { first, second })
            }
            Known::Quoted(Ok(Quote { stores: Some((producer, consumer)), .. }))
                if stages == Stages::Refused =>
            {
                Err(Refusal::OtherRows { producer, consumer })
            }
            Known::Staged((first, second)) => Err(Refusal::SecondHero { first, second }),
            Known::Quoted(ref quote) => quote.clone(),
        }
    }
}

fn draft(module: &Module, body: &Computation, (target, stages): (&Target, Stages)) -> Known {
    let region = match region(module, body) {
        Ok(region) => region,
        Err(refusal) => return Known::Quoted(Err(refusal)),
    };
    // A stage of any other kind is never part of a row nest. Planning refuses such a region, and its refusal names the
    // stage, which tells the user more than that two stages need a nest.
    let rows = |s: &Stage| matches!(s.kind, Kind::Map { .. } | Kind::Reduce { .. } | Kind::Contract { .. });
    if stages == Stages::Refused
        && region.stages.iter().all(rows)
        && let Some(heroes) = staged(&region)
    {
        return Known::Staged(heroes);
    }
    let map = region.stages.iter().find(|s| matches!(s.kind, Kind::Map { .. })).map(|s| s.opcode);
    Known::Quoted(planned(region, (module, body), target).map(|(region, figures)| Quote {
        cost: figures.cost(),
        staged: staged(&region),
        stores: stores(&region).and_then(|reduction| Some((map?, reduction))),
        updates: region.aliases.len(),
        operations: operations(body),
        strided: figures.strided.into(),
    }))
}

/// Instructions of a fused computation that become code.
pub fn operations(computation: &Computation) -> usize {
    computation.instrs.iter().filter(|i| !is_quiet(i.opcode)).count()
}

/// Whether an instruction becomes no code in a fused computation: it names an argument, a literal, or the results.
pub fn is_quiet(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Parameter | Opcode::Constant | Opcode::Tuple)
}

/// The first pair for [`Quote::staged`].
fn staged(region: &Region) -> Option<(Opcode, Opcode)> {
    let combines = |stage: &Stage| !matches!(stage.kind, Kind::Map { .. });
    region.stages.iter().find_map(|stage| {
        region.reachable(&roots_of(stage)).into_iter().find_map(|id| match region.node(id) {
            Node::Load { source: Source::Stage { stage: from, .. }, .. } => {
                let from = &region.stages[*from as usize];
                let again = combines(from) && (combines(stage) || from.space != stage.space);
                again.then_some((from.opcode, stage.opcode))
            }
            _ => None,
        })
    })
}

/// The first reduction that stores maps on the way.
fn stores(region: &Region) -> Option<Opcode> {
    let is_one = |s: &&Stage| matches!(&s.kind, Kind::Reduce { stored, .. } if !stored.is_empty());
    region.stages.iter().find(is_one).map(|s| s.opcode)
}

impl Quote {
    /// The time in µs that it would take less without so much of its work.
    pub fn saved_us(&self, work: i64, target: &Target) -> f64 {
        let contiguous = Cost { work: self.cost.work - work as f64, ..self.cost };
        self.cost.us(target) - contiguous.us(target)
    }
}

/// The time of kernels in µs, each priced as if all `working_set` bytes were in use while it runs.
pub fn us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.us_among(working_set, target)).sum()
}

/// The same without the cost of spilling registers.
pub fn unspilled_us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.unspilled().us_among(working_set, target)).sum()
}
