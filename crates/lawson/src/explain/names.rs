//! From instructions of the optimised module back to the names and lines of the input.

use super::Operation;
use crate::load::Loaded;
use lawson_hlo::module::Source;
use lawson_hlo::{Computation, InstrId, Module, Opcode, Origin};
use std::sync::Arc;

/// The input's instructions, by the number origins give them.
pub struct Names {
    /// The opcode of each; `None` where the number names no instruction of the module.
    opcodes: Vec<Option<Opcode>>,
    names: Vec<Arc<str>>,
    operations: Vec<Operation>,
}

impl Names {
    /// Of the module as it was read.
    pub fn new(loaded: &Loaded) -> Names {
        let input = &loaded.module;
        let lines: Vec<&str> = loaded.text.lines().collect();
        let mut opcodes = vec![None; input.sources.len()];
        let mut scopes: Vec<Option<String>> = vec![None; input.sources.len()];
        for instr in input.computations.iter().flat_map(|c| &c.instrs) {
            if let [source] = instr.origin.sources()
                && let Some(slot) = opcodes.get_mut(*source as usize)
            {
                *slot = Some(instr.opcode);
                let scope = instr.notes.as_ref().and_then(|n| n.metadata("op_name"));
                scopes[*source as usize] = scope.map(str::to_owned);
            }
        }
        let operation = |(s, scope): (&Source, Option<String>)| Operation {
            name: s.name.to_string(),
            text: lines.get((s.line as usize).wrapping_sub(1)).map_or(String::new(), |l| shown(l)),
            scope,
            place: s.location.as_ref().map_or_else(|| in_text(&loaded.file, &[s.line]), |l| l.to_string()),
        };
        let operations = input.sources.iter().zip(scopes).map(operation).collect();
        Names { opcodes, names: input.sources.iter().map(|s| s.name.clone()).collect(), operations }
    }

    /// The input instruction of that number.
    pub fn operation(&self, source: usize) -> Operation {
        self.operations[source].clone()
    }

    /// The numbers of the input instructions that do something, in the order of the text.
    pub fn all_working(&self, origin: &Origin) -> impl Iterator<Item = usize> {
        origin.sources().iter().map(|&s| s as usize).filter(|&s| self.works(s))
    }

    /// The number of the input instruction that `name`, which comes from `origin`, stands for best, of those that do
    /// something.
    pub fn working(&self, name: &str, origin: &Origin) -> Option<usize> {
        let named = self.all_working(origin).find(|&s| &*self.names[s] == name);
        named.or_else(|| self.all_working(origin).last())
    }

    /// The number of the input's constant that `name`, which comes from `origin`, stands for best.
    pub fn constant(&self, name: &str, origin: &Origin) -> Option<usize> {
        let is_constant = |s: &usize| self.opcodes.get(*s) == Some(&Some(Opcode::Constant));
        let mut all = origin.sources().iter().map(|&s| s as usize).filter(is_constant);
        let named = all.clone().find(|&s| &*self.names[s] == name);
        named.or_else(|| all.next_back())
    }

    /// The name of the one input instruction that `name`, which comes from `origin`, stands for best.
    pub fn best(&self, name: &str, origin: &Origin) -> String {
        let mut sources = origin.sources().iter().map(|&s| s as usize).filter(|&s| s < self.names.len());
        if sources.clone().any(|s| &*self.names[s] == name && !self.is_call(s)) {
            return name.into();
        }
        // The last one made the value; the others are what it was rewritten from.
        let last = sources.clone().rev().find(|&s| self.works(s)).or_else(|| sources.next_back());
        last.map_or(name.into(), |s| self.names[s].to_string())
    }

    /// Whether it is gone once its callee stands in its place, which then has its name.
    fn is_call(&self, source: usize) -> bool {
        matches!(self.opcodes.get(source), Some(Some(Opcode::Call | Opcode::Fusion)))
    }

    /// Neither structure nor a call that was inlined.
    pub fn works(&self, source: usize) -> bool {
        self.opcodes.get(source).copied().flatten().is_some_and(works)
    }

    /// Instructions of the entry and of what it calls that do something.
    pub fn count(input: &Module) -> u64 {
        let mut reached = vec![false; input.computations.len()];
        reached[input.entry.index()] = true;
        let mut count = 0;
        // Callers stand after what they call.
        for (id, comp) in input.iter().rev().filter(|(id, _)| id <= &input.entry) {
            if !reached[id.index()] {
                continue;
            }
            for instr in &comp.instrs {
                count += works(instr.opcode) as u64;
                if is_control(instr.opcode) {
                    instr.attrs.called().iter().for_each(|c| reached[c.index()] = true);
                }
            }
        }
        count
    }
}

pub fn is_control(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Call | Opcode::While | Opcode::Conditional | Opcode::Fusion)
}

fn works(opcode: Opcode) -> bool {
    use Opcode::*;
    !is_control(opcode)
        && !matches!(
            opcode,
            Parameter | Constant | Tuple | GetTupleElement | OptimizationBarrier | AfterAll | AddDependency
        )
}

/// What a kernel's instruction comes from: of a fusion, all it computes.
pub fn origin_of(module: &Module, comp: &Computation, id: InstrId) -> Origin {
    let instr = &comp[id];
    if instr.opcode != Opcode::Fusion {
        return instr.origin.clone();
    }
    let mut all = vec![&instr.origin];
    let mut inside = instr.attrs.called().to_vec();
    while let Some(comp) = inside.pop() {
        for i in module[comp].instrs.iter().filter(|i| i.opcode != Opcode::Parameter) {
            all.push(&i.origin);
            inside.extend(if is_control(i.opcode) { i.attrs.called() } else { Default::default() });
        }
    }
    Origin::union_of(all)
}

/// Where an origin stands: in the user's program, else the lines of the text: `train.py:12`, `m.hlo:7,9-11`.
pub fn places(module: &Module, origin: &Origin, file: &str) -> Vec<String> {
    let told: Vec<String> = module.locations(origin).iter().map(|l| l.to_string()).collect();
    if !told.is_empty() {
        return told;
    }
    let sources = origin.sources().iter().filter_map(|&s| module.sources.get(s as usize));
    let mut lines: Vec<u32> = sources.map(|s| s.line).filter(|l| *l > 0).collect();
    lines.sort_unstable();
    lines.dedup();
    if lines.is_empty() { Vec::new() } else { vec![in_text(file, &lines)] }
}

/// Lines of the module's text.
fn in_text(file: &str, lines: &[u32]) -> String {
    let name = std::path::Path::new(file).file_name().map_or(file.into(), |n| n.to_string_lossy());
    format!("{name}:{}", ranges(lines))
}

/// A line of the text as reports show it: what says where it comes from, and long data, are left out.
fn shown(line: &str) -> String {
    const LENGTH: usize = 240;
    let line = line.trim();
    let line = line.strip_prefix("ROOT ").unwrap_or(line);
    let end = [", metadata={", ", backend_config=", ", sharding={"].iter().filter_map(|m| line.find(m)).min();
    let line = &line[..end.unwrap_or(line.len())];
    match line.char_indices().nth(LENGTH) {
        Some((at, _)) => format!("{} …", &line[..at]),
        None => line.to_owned(),
    }
}

/// `7,9-11`.
fn ranges(sorted: &[u32]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for &n in sorted {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => spans.push((n, n)),
        }
    }
    let one = |&(a, b): &(u32, u32)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    spans.iter().map(one).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined() {
        assert_eq!(ranges(&[7]), "7");
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
    }

    #[test]
    fn what_has_no_metadata_stands_in_the_text() {
        let text = "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  a = f32[2] negate(x)\n  \
             ROOT b = f32[2] abs(a), metadata={op_name=\"jit(f)/abs\" source_file=\"t.py\" source_line=12}\n}\n";
        let loaded = crate::load::text_of("some/m.hlo".into(), text.into()).expect("valid");
        let module = &loaded.module;
        let comp = module.entry();
        let of = |name: &str| comp[comp.find(name).expect("there")].origin.clone();
        assert_eq!(places(module, &of("a"), "some/m.hlo"), ["m.hlo:4"]);
        assert_eq!(places(module, &of("a").union(&of("b")), "m.hlo"), ["t.py:12"]);
        let names = Names::new(&loaded);
        let operation = |name: &str, text: &str, scope: Option<&str>, place: &str| Operation {
            name: name.into(),
            text: text.into(),
            scope: scope.map(str::to_owned),
            place: place.into(),
        };
        let [a, b] = [
            operation("a", "a = f32[2] negate(x)", None, "m.hlo:4"),
            operation("b", "b = f32[2] abs(a)", Some("jit(f)/abs"), "t.py:12"),
        ];
        let all = of("x").union(&of("a")).union(&of("b"));
        assert_eq!(names.all_working(&all).map(|s| names.operation(s)).collect::<Vec<_>>(), [a, b]);
        assert_eq!(names.working("a", &all).map(|s| names.operation(s).name), Some("a".into()));
        assert_eq!(names.best("new.1", &of("x").union(&of("a"))), "a");
        assert_eq!(names.best("x", &of("x").union(&of("a"))), "x");
        assert_eq!(Names::count(module), 2);
    }

    #[test]
    fn a_constant_is_found_by_its_name_and_else_is_the_last() {
        let text = "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  c = f32[2] constant({1, 1})\n  \
             d = f32[2] constant({1, 1})\n  a = f32[2] add(x, c)\n  ROOT b = f32[2] add(a, d)\n}\n";
        let loaded = crate::load::text_of("m.hlo".into(), text.into()).expect("valid");
        let comp = loaded.module.entry();
        let origins: Vec<&Origin> = comp.instrs.iter().map(|i| &i.origin).collect();
        let (names, all) = (Names::new(&loaded), Origin::union_of(origins.clone()));
        let constant = |name: &str, of: &Origin| names.constant(name, of).map(|s| names.operation(s).name);
        assert_eq!(constant("c", &all), Some("c".into()));
        assert_eq!(constant("new.1", &all), Some("d".into()));
        assert_eq!(constant("c", &origins[0].union(origins[3])), None);
    }
}
