//! The steps of a program as the host of a device goes through them: sequences in which only the device works, and between
//! them what needs the host.
//!
//! A loop whose trips are known is part of a sequence where it is short: nobody asks the device whether it goes on. So is a
//! longer one, trip by trip. (As in XLA the number of trips that a text states is believed.)

use crate::error::Error;
use crate::host::HostStep;
use lawson_cpu::{CustomCalls, ThreadPool};
use lawson_kernel::program::{BufId, Code, Program, Step};
use std::sync::Arc;

pub enum Node {
    Sequence(Sequence),
    Host(Box<HostStep>),
    While {
        cond: Vec<Node>,
        pred: BufId,
        body: Vec<Node>,
        trips: Option<i64>,
    },
    /// By a truth value, or by an index.
    Conditional {
        selector: BufId,
        predicated: bool,
        branches: Vec<Vec<Node>>,
    },
}

/// Work of the device alone.
pub struct Sequence {
    /// Its number in the program.
    pub id: usize,
    pub work: Vec<Work>,
    /// The buffers it names, each once.
    pub buffers: Vec<BufId>,
    /// What is submitted for it, without phases after the first.
    pub submissions: u64,
}

#[derive(Clone, Debug)]
pub enum Work {
    Launch { kernel: usize, args: Vec<BufId> },
    Copy { from: BufId, to: BufId },
    Concatenate { pieces: Vec<(BufId, i64)>, rows: i64, to: BufId },
    Swap { a: BufId, b: BufId },
    Repeat { cond: Vec<Work>, body: Vec<Work>, trips: u64 },
}

/// Loops that submit no more are submitted as a whole.
const MOST: u64 = 1024;

/// What it takes to make nodes of steps.
pub struct Planner<'p> {
    pub program: &'p Program,
    pub pool: &'p Arc<ThreadPool>,
    pub calls: &'p CustomCalls,
    pub sequences: usize,
}

impl Planner<'_> {
    pub fn nodes(&mut self, steps: &[Step]) -> Result<Vec<Node>, Error> {
        let (mut nodes, mut open) = (Vec::new(), Vec::new());
        for step in steps {
            match self.work(step) {
                Some(work) => open.push(work),
                None => {
                    self.close(&mut open, &mut nodes);
                    nodes.push(self.node(step)?);
                }
            }
        }
        self.close(&mut open, &mut nodes);
        Ok(nodes)
    }

    fn close(&mut self, open: &mut Vec<Work>, nodes: &mut Vec<Node>) {
        if open.is_empty() {
            return;
        }
        let work = std::mem::take(open);
        let mut buffers = Vec::new();
        name(&work, &mut buffers);
        buffers.sort();
        buffers.dedup();
        nodes.push(Node::Sequence(Sequence {
            id: self.sequences,
            submissions: submissions(&work),
            work,
            buffers,
        }));
        self.sequences += 1;
    }

    /// The step as work of the device alone, if it is that.
    fn work(&self, step: &Step) -> Option<Work> {
        let all = |steps: &[Step]| steps.iter().map(|s| self.work(s)).collect::<Option<Vec<_>>>();
        match step {
            Step::Launch { kernel, args } => match self.program.kernels[*kernel].code {
                Code::Library(_) => None,
                Code::Planned(_) | Code::Lowered(_) => {
                    Some(Work::Launch { kernel: *kernel, args: args.clone() })
                }
            },
            Step::Copy { from, to } => Some(Work::Copy { from: *from, to: *to }),
            Step::Concatenate { pieces, rows, to } => {
                Some(Work::Concatenate { pieces: pieces.clone(), rows: *rows, to: *to })
            }
            Step::Swap { a, b } => Some(Work::Swap { a: *a, b: *b }),
            Step::While { cond, body, trips: Some(trips), .. } => {
                let (cond, body) = (all(cond)?, all(body)?);
                let work = Work::Repeat { cond, body, trips: u64::try_from(*trips).unwrap_or(0) };
                Some(work).filter(|w| submissions(std::slice::from_ref(w)) <= MOST)
            }
            Step::While { .. } | Step::Conditional { .. } | Step::CustomCall { .. } => None,
        }
    }

    fn node(&mut self, step: &Step) -> Result<Node, Error> {
        Ok(match step {
            Step::While { cond, pred, body, trips } => {
                Node::While { cond: self.nodes(cond)?, pred: *pred, body: self.nodes(body)?, trips: *trips }
            }
            Step::Conditional { selector, predicated, branches } => Node::Conditional {
                selector: *selector,
                predicated: *predicated,
                branches: branches.iter().map(|b| self.nodes(b)).collect::<Result<_, _>>()?,
            },
            Step::Launch { kernel, args } => {
                let named = &self.program.kernels[*kernel];
                Node::Host(Box::new(HostStep::routine((*kernel, named), args, self.pool)?))
            }
            Step::CustomCall { .. } => {
                Node::Host(Box::new(HostStep::call(self.program, step, self.pool, self.calls)?))
            }
            Step::Copy { .. } | Step::Concatenate { .. } | Step::Swap { .. } => {
                return Err(Error::Program("a copy is work of the device".into()));
            }
        })
    }
}

fn name(work: &[Work], buffers: &mut Vec<BufId>) {
    for w in work {
        match w {
            Work::Launch { args, .. } => buffers.extend(args),
            Work::Copy { from: a, to: b } | Work::Swap { a, b } => buffers.extend([a, b]),
            Work::Concatenate { pieces, to, .. } => {
                buffers.extend(pieces.iter().map(|(b, _)| b).chain([to]));
            }
            Work::Repeat { cond, body, .. } => {
                name(cond, buffers);
                name(body, buffers);
            }
        }
    }
}

fn submissions(work: &[Work]) -> u64 {
    let one = |w: &Work| match w {
        Work::Launch { .. } | Work::Copy { .. } => 1,
        Work::Concatenate { pieces, .. } => pieces.len() as u64,
        Work::Swap { .. } => 0,
        Work::Repeat { cond, body, trips } => {
            let (cond, body) = (submissions(cond), submissions(body));
            trips.saturating_mul(body.saturating_add(cond)).saturating_add(cond)
        }
    };
    work.iter().map(one).fold(0, u64::saturating_add)
}
