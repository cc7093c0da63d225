//! Quotes: whether a computation is one kernel, and what that kernel costs. Equal computations are planned once,
//! whichever pass asks.

use super::legal::{planned, region};
use crate::numbers::Numbers;
use lawson_hlo::{Computation, Module, Opcode};
use lawson_kernel::cost::Cost;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::region::roots_of;
use lawson_kernel::region::{Kind, Node, Region, Source, Stage};
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;

/// What a kernel is and costs.
#[derive(Clone, Debug)]
pub struct Quote {
    pub cost: Cost,
    /// The first two stages of which one reads again the rows that the other combines, as the quotient of a softmax
    /// reads what was summed; `None` where no two do.
    pub staged: Option<(Opcode, Opcode)>,
    /// Arrays updated in place.
    pub updates: usize,
    /// Operations of its code.
    pub operations: usize,
    /// Whether some of its time goes into elements that are read or written one by one, since they do not lie in line.
    pub strided: bool,
}

/// Whether the kernel may have stages of which one reads again the rows that another combines. The passes that join
/// kernels before staged fusion refuse it, and so leave such kernels to that pass.
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
        // A refusal for needing stages does not answer whether the kernel with stages can be planned.
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
    /// That it needs stages, which were refused.
    Staged((Opcode, Opcode)),
}

impl Known {
    fn answer(&self, stages: Stages) -> Result<Quote, Refusal> {
        match *self {
            Known::Quoted(Ok(Quote { staged: Some((first, second)), .. })) if stages == Stages::Refused => {
                Err(Refusal::SecondHero { first, second })
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
    // Other kinds of stages share no rows: planning refuses those, and names the instruction.
    let rows = |s: &Stage| matches!(s.kind, Kind::Map { .. } | Kind::Reduce { .. } | Kind::Contract { .. });
    if stages == Stages::Refused
        && region.stages.iter().all(rows)
        && let Some(heroes) = staged(&region)
    {
        return Known::Staged(heroes);
    }
    Known::Quoted(planned(region, (module, body), target).map(|(region, figures)| Quote {
        cost: figures.cost(),
        staged: staged(&region),
        updates: region.aliases.len(),
        operations: operations(body),
        strided: figures.strided > 0,
    }))
}

/// Operations of the code of a fused computation.
pub fn operations(computation: &Computation) -> usize {
    computation.instrs.iter().filter(|i| !is_quiet(i.opcode)).count()
}

/// Whether an instruction of a fused computation is no code.
pub fn is_quiet(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Parameter | Opcode::Constant | Opcode::Tuple)
}

/// Two stages that share rows: one reads what the other combines, to combine it again or at points of another space.
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

/// The time of kernels that use the same memory together, in µs.
pub fn us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.us_among(working_set, target)).sum()
}

/// The same, if registers sufficed for all values.
pub fn unspilled_us(quotes: &[&Quote], working_set: i64, target: &Target) -> f64 {
    quotes.iter().map(|q| q.cost.unspilled().us_among(working_set, target)).sum()
}
