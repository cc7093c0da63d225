//! From which level of memory each launch of a program reads and writes its arrays, as runs follow each other: an array is where it
//! was left, in a cache that what was moved since then has not filled.

use crate::compile::Planned;
use lawson_kernel::cost::Moved;
use lawson_kernel::loop_ir::{Access, Buffer};
use lawson_kernel::program::{BufId, Place, Program, Step};
use lawson_opt::schedule::LaunchSite;

/// Loops in so many loops are walked twice, to see what a trip finds that another has left; those within only once.
const DEEP: usize = 3;

/// For each site what its launch moves. Where there is no program, or on a graphics processor, each launch is taken by itself.
pub fn of(planned: &Planned) -> Vec<Vec<Moved>> {
    let (program, sites) = (&planned.scheduled.program, &planned.scheduled.sites);
    let mut moved: Vec<Vec<Moved>> = sites.iter().map(|s| s.figures.cost().alone().to_vec()).collect();
    if planned.target.gpu.is_some() {
        return moved;
    }
    // Launches of a kernel meet its sites in the order of the program.
    let mut of_kernel: Vec<Vec<usize>> = vec![Vec::new(); program.kernels.len()];
    for (n, site) in sites.iter().enumerate() {
        of_kernel[site.kernel].push(n);
    }
    of_kernel.iter_mut().for_each(|sites| sites.reverse());
    let mut order = Vec::new();
    launches(&program.steps, &mut |kernel| order.push(of_kernel[kernel].pop()));
    let mut walk = Walk {
        program,
        sites,
        order,
        next: 0,
        now: 0,
        left: vec![None; program.buffers.len()],
        arena: Vec::new(),
        moved: &mut moved,
    };
    for _ in 0..2 {
        walk.next = 0;
        walk.steps(&program.steps, 0);
    }
    moved
}

/// Calls `f` with the kernel of each launch, in the order in which they are written.
fn launches(steps: &[Step], f: &mut impl FnMut(usize)) {
    for step in steps {
        if let Step::Launch { kernel, .. } = step {
            f(*kernel);
        }
        step.lists().into_iter().for_each(|list| launches(list, f));
    }
}

/// When memory was used last.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// Bytes that had been moved when the step that used it was done.
    at: i64,
    /// Bytes that this step moved.
    with: i64,
}

/// Memory of the arena from one byte to another.
struct Span {
    from: i64,
    to: i64,
    left: Left,
}

struct Walk<'a> {
    program: &'a Program,
    sites: &'a [LaunchSite],
    /// The site of each launch, in the order in which they are written.
    order: Vec<Option<usize>>,
    /// The next of them.
    next: usize,
    /// Bytes moved so far.
    now: i64,
    /// Of each buffer that is not in the arena.
    left: Vec<Option<Left>>,
    arena: Vec<Span>,
    moved: &'a mut Vec<Vec<Moved>>,
}

impl Walk<'_> {
    fn steps(&mut self, steps: &[Step], depth: usize) {
        steps.iter().for_each(|step| self.step(step, depth));
    }

    fn step(&mut self, step: &Step, depth: usize) {
        match step {
            Step::Launch { kernel, args } => self.launch(*kernel, args),
            Step::While { cond, body, .. } => {
                let first = self.next;
                for _ in 0..if depth < DEEP { 2 } else { 1 } {
                    self.next = first;
                    self.steps(cond, depth + 1);
                    self.steps(body, depth + 1);
                }
            }
            Step::Conditional { branches, .. } => {
                branches.iter().for_each(|branch| self.steps(branch, depth));
            }
            Step::Copy { .. } | Step::Concatenate { .. } | Step::Swap { .. } | Step::CustomCall { .. } => {
                let mut used = Vec::new();
                step.uses(self.program, &mut |u| used.push(u.buffer));
                let bytes = used.iter().fold(0i64, |sum, &b| sum.saturating_add(self.bytes(b)));
                let left = self.done(bytes);
                used.into_iter().for_each(|b| self.leave(b, left));
            }
        }
    }

    fn launch(&mut self, kernel: usize, args: &[BufId]) {
        let site = self.order.get(self.next).copied().flatten();
        self.next += 1;
        let Some(site) = site else { return };
        let (sites, program) = (self.sites, self.program);
        let cost = sites[site].figures.cost();
        let parameters = &program.kernels[kernel].parameters;
        let is_used = |p: &Buffer| p.len > 0 && p.access != Access::Scratch;
        let given = parameters.iter().zip(args).filter(|(p, _)| is_used(p));
        let used: Vec<(BufId, Access)> = given.map(|(p, &buffer)| (buffer, p.access)).collect();
        let side = |is_written: bool| {
            let unused = if is_written { Access::Read } else { Access::Write };
            used.iter().filter(move |(_, access)| *access != unused).map(|(buffer, _)| *buffer)
        };
        let mut moved = Vec::with_capacity(used.len());
        for (is_written, bytes) in [(false, cost.bytes_read), (true, cost.bytes_written)] {
            // What of an array is moved is taken to be its share of all that the kernel is given.
            let all: i64 = side(is_written).fold(0, |sum, b| sum.saturating_add(self.bytes(b)));
            for buffer in side(is_written) {
                let share = self.bytes(buffer) as f64 / all.max(1) as f64;
                let reach = self.reach(buffer, cost.bytes());
                moved.push(Moved { bytes: (bytes as f64 * share) as i64, is_written, reach });
            }
        }
        let left = self.done(cost.bytes());
        used.iter().for_each(|&(buffer, _)| self.leave(buffer, left));
        if !moved.is_empty() {
            self.moved[site] = moved;
        }
    }

    fn bytes(&self, buffer: BufId) -> i64 {
        self.program.buffers[buffer.index()].bytes
    }

    /// Bytes that are moved between two uses of the same byte: those between the two steps, and of the larger of the steps as much
    /// as the byte stands later in one than in the other, at most.
    fn reach(&self, buffer: BufId, own: i64) -> i64 {
        let since = |left: Left| (self.now - left.at).saturating_add(left.with.max(own));
        let last = match self.program.buffers[buffer.index()].place {
            Place::Arena(from) => {
                let to = from.saturating_add(self.bytes(buffer));
                let spans = self.arena.iter().filter(|s| s.from < to && from < s.to);
                spans.map(|s| since(s.left)).max()
            }
            Place::Input(_) | Place::Output(_) | Place::Constant(_) => self.left[buffer.index()].map(since),
        };
        last.unwrap_or(own)
    }

    /// Counts the bytes of a step that is done.
    fn done(&mut self, bytes: i64) -> Left {
        self.now = self.now.saturating_add(bytes);
        Left { at: self.now, with: bytes }
    }

    fn leave(&mut self, buffer: BufId, left: Left) {
        let Place::Arena(from) = self.program.buffers[buffer.index()].place else {
            self.left[buffer.index()] = Some(left);
            return;
        };
        let to = from.saturating_add(self.bytes(buffer));
        let mut kept = Vec::with_capacity(self.arena.len() + 2);
        for span in self.arena.drain(..) {
            // What of it lies before and behind.
            for (from, to) in [(span.from, span.to.min(from)), (span.from.max(to), span.to)] {
                if from < to {
                    kept.push(Span { from, to, left: span.left });
                }
            }
        }
        kept.push(Span { from, to, left });
        self.arena = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use crate::load;
    use crate::options::{FusionSpec, Options};

    /// What each launch of a module moves when each operation is a kernel.
    fn moved(entry: &str) -> Vec<Vec<Moved>> {
        let text = format!("HloModule m\n{entry}");
        let loaded = load::text_of("m.hlo".into(), text).expect("it parses");
        let options = Options { fusion: FusionSpec::OFF, ..Options::default() };
        of(&compile::plan(&loaded.module, &options).expect("it is planned"))
    }

    #[test]
    fn an_array_is_where_later_launches_have_left_it() {
        let all = moved(
            "ENTRY e {\n  x = f32[1000] parameter(0)\n  y = f32[1000000] parameter(1)\n  \
             a = f32[1000] exponential(x)\n  b = f32[1000000] exponential(y)\n  c = f32[1000] add(a, x)\n  \
             d = f32[1000] tanh(c)\n  ROOT r = (f32[1000], f32[1000000]) tuple(d, b)\n}\n",
        );
        let reaches: Vec<Vec<i64>> = all.iter().map(|m| m.iter().map(|m| m.reach).collect()).collect();
        let bytes: i64 = all.iter().flatten().map(|m| m.bytes).sum();
        assert_eq!(bytes, 8 * 1_000_000 + (2 + 3 + 2) * 4000, "{all:?}");
        let long = |reach: &i64| *reach >= 8_000_000;
        let [a, b, c, d] = &reaches[..] else { panic!("{reaches:?}") };
        assert_eq!(a[..], [20_000, 20_000], "the run before ended with both");
        assert!(b.iter().all(long), "{b:?}");
        // Both operands were used before the long kernel.
        assert!(c[..2].iter().all(long), "{c:?}");
        assert_eq!(d[0], 12_000, "what the launch before has moved");
    }

    #[test]
    fn what_is_not_divided_is_predicted_as_on_one_thread() {
        let us = |rows: usize| {
            let entry = format!(
                "less {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
                 ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER\n}}\n\
                 ENTRY e {{\n  x = f32[{rows},8192] parameter(0)\n  \
                 ROOT s = f32[{rows},8192] sort(x), dimensions={{1}}, to_apply=less\n}}\n"
            );
            let loaded = load::text_of("m.hlo".into(), format!("HloModule m\n{entry}")).expect("it parses");
            let planned = compile::plan(&loaded.module, &Options::default()).expect("it is planned");
            let cost = planned.scheduled.sites[0].figures.cost();
            [1, 2].map(|threads| cost.us_on(threads, &planned.prices))
        };
        let ([one, two], [all, halves]) = (us(1), us(64));
        assert_eq!(one, two, "one row");
        assert!(halves < 0.6 * all, "rows are divided: {all} and {halves} us");
    }

    #[test]
    fn trips_find_what_trips_have_left() {
        let all = moved(
            "body {\n  s = (s32[], f32[1000]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             v = f32[1000] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  n = s32[] add(i, one)\n  \
             w = f32[1000] tanh(v)\n  u = f32[1000] cosine(w)\n  ROOT t = (s32[], f32[1000]) tuple(n, u)\n}\n\
             cond {\n  s = (s32[], f32[1000]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             ten = s32[] constant(10)\n  ROOT c = pred[] compare(i, ten), direction=LT\n}\n\
             ENTRY e {\n  x = f32[1000] parameter(0)\n  y = f32[1000000] parameter(1)\n  \
             z = s32[] constant(0)\n  t = (s32[], f32[1000]) tuple(z, x)\n  \
             l = (s32[], f32[1000]) while(t), condition=cond, body=body\n  \
             g = f32[1000] get-tuple-element(l), index=1\n  b = f32[1000000] exponential(y)\n  \
             ROOT r = (f32[1000], f32[1000000]) tuple(g, b)\n}\n",
        );
        let in_loop = all.iter().filter(|m| m.iter().any(|m| m.bytes == 4000 && !m.is_written));
        let reaches: Vec<i64> = in_loop.map(|m| m[0].reach).collect();
        assert_eq!(reaches.len(), 2, "{all:?}");
        assert!(reaches.iter().all(|&reach| reach < 20_000), "{reaches:?}");
    }
}
