//! What programs did and when, for a profiler that listens: a line of compilations, one of runs and one of kernels, as the message in
//! protocol buffers that JAX's profiler joins to its own (`XSpace`).
//!
//! Nothing is kept while nobody listens: a run then asks one number.

use crate::program::Program;
use lawson_cpu::{Span, Traced};
use prost::Message;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Profiles that are being taken.
static LISTENERS: AtomicUsize = AtomicUsize::new(0);

/// What happened since the first of them began.
static EVENTS: Mutex<Vec<Event>> = Mutex::new(Vec::new());

/// What is kept at most: a profile that nobody ends must not fill the memory.
const MOST: usize = 1 << 18;

/// By the position of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    Compilations,
    Runs,
    Kernels,
}

const LINES: [(Line, &str); 3] =
    [(Line::Compilations, "Compilations"), (Line::Runs, "Runs"), (Line::Kernels, "Kernels")];

/// JAX's viewer shows planes whose names begin so.
const PLANE: &str = "/device:CUSTOM:Lawson";

struct Event {
    line: Line,
    name: String,
    /// Since 1970.
    start: Duration,
    took: Duration,
    words: Vec<(&'static str, String)>,
    numbers: Numbers,
}

/// Whether somebody listens.
pub fn is_on() -> bool {
    LISTENERS.load(Ordering::Relaxed) > 0
}

fn events() -> MutexGuard<'static, Vec<Event>> {
    EVENTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Something that takes place, from here on until it is [`Begun::ended`].
pub struct Begun(Duration);

impl Begun {
    /// It begins; nothing where nobody listens.
    pub fn now() -> Option<Begun> {
        is_on().then(|| Begun(now()))
    }

    /// A program of this name was compiled.
    pub fn compiled(self, name: &str) {
        self.ended(Line::Compilations, name);
    }

    /// The program ran, by these steps.
    pub fn ran(self, program: &Program, spans: &[Span]) {
        let start = self.0;
        self.ended(Line::Runs, &program.name);
        let kernels = spans.iter().map(|span| {
            let (name, category, numbers) = step(program, &span.what);
            let words = vec![("category", category.to_string()), ("program", program.name.clone())];
            Event { line: Line::Kernels, name, start: start + span.start, took: span.took, words, numbers }
        });
        let mut events = events();
        let room = MOST.saturating_sub(events.len());
        events.extend(kernels.take(room));
    }

    fn ended(self, line: Line, name: &str) {
        let took = now().saturating_sub(self.0);
        let event =
            Event { line, name: name.into(), start: self.0, took, words: Vec::new(), numbers: Vec::new() };
        let mut events = events();
        if events.len() < MOST {
            events.push(event);
        }
    }
}

type Numbers = Vec<(&'static str, u64)>;

/// The name of a step, its category, and what is known of it. Kernels have the names that `lawson explain` gives them.
fn step(program: &Program, what: &Traced) -> (String, &'static str, Numbers) {
    let kernel = match what {
        Traced::Launch(kernel) => *kernel,
        Traced::Copy(bytes) => return ("copy".into(), "copy", vec![("bytes_written", *bytes as u64)]),
        Traced::CustomCall(target) => return (target.clone(), "custom-call", Vec::new()),
    };
    // Sites of one kernel run the same code; the first one names it.
    let planned = program.code.native().map(|native| &native.planned);
    let found = planned.and_then(|p| Some((p, p.scheduled.sites.iter().find(|site| site.kernel == kernel)?)));
    let Some((planned, site)) = found else { return (format!("kernel {kernel}"), "kernel", Vec::new()) };
    let name = planned.module[site.computation][site.instruction].name.to_string();
    let figures = &site.figures;
    let numbers = [
        ("bytes_read", figures.bytes_read),
        ("bytes_written", figures.bytes_written),
        ("operations", figures.flops),
    ];
    (name, "kernel", numbers.map(|(name, n)| (name, n.max(0) as u64)).into())
}

/// A profile, as the caller holds it.
#[derive(Default)]
pub struct Profiler {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// When it began, as long as it listens.
    since: Option<Duration>,
    message: Box<[u8]>,
}

impl Profiler {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens.
    pub fn start(&self) {
        let mut state = self.state();
        if state.since.is_none() {
            let mut events = events();
            if LISTENERS.fetch_add(1, Ordering::Relaxed) == 0 {
                events.clear();
            }
            state.since = Some(now());
        }
    }

    /// Listens no longer.
    pub fn stop(&self) {
        let mut state = self.state();
        if let Some(since) = state.since.take() {
            let mut events = events();
            state.message = space(events.iter().filter(|e| e.start >= since)).encode_to_vec().into();
            if LISTENERS.fetch_sub(1, Ordering::Relaxed) == 1 {
                *events = Vec::new();
            }
        }
    }

    /// What it heard, where it has stopped. The bytes stay where they are until it starts again.
    pub fn with_message<T>(&self, f: impl FnOnce(&[u8]) -> T) -> T {
        f(&self.state().message)
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        self.stop();
    }
}

#[derive(Clone, PartialEq, Message)]
struct Space {
    #[prost(message, repeated, tag = "1")]
    planes: Vec<Plane>,
}

#[derive(Clone, PartialEq, Message)]
struct Plane {
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, repeated, tag = "3")]
    lines: Vec<LineOf>,
    #[prost(btree_map = "int64, message", tag = "4")]
    events: BTreeMap<i64, Named>,
    #[prost(btree_map = "int64, message", tag = "5")]
    properties: BTreeMap<i64, Named>,
}

#[derive(Clone, PartialEq, Message)]
struct LineOf {
    #[prost(int64, tag = "1")]
    id: i64,
    #[prost(string, tag = "2")]
    name: String,
    /// Since 1970.
    #[prost(int64, tag = "3")]
    start_ns: i64,
    #[prost(message, repeated, tag = "4")]
    events: Vec<EventOf>,
}

#[derive(Clone, PartialEq, Message)]
struct EventOf {
    #[prost(int64, tag = "1")]
    name: i64,
    /// From the start of its line.
    #[prost(int64, tag = "2")]
    offset_ps: i64,
    #[prost(int64, tag = "3")]
    took_ps: i64,
    #[prost(message, repeated, tag = "4")]
    properties: Vec<Property>,
}

#[derive(Clone, PartialEq, Message)]
struct Property {
    #[prost(int64, tag = "1")]
    name: i64,
    #[prost(oneof = "PropertyValue", tags = "3, 5")]
    value: Option<PropertyValue>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum PropertyValue {
    #[prost(uint64, tag = "3")]
    Number(u64),
    #[prost(string, tag = "5")]
    Text(String),
}

#[derive(Clone, PartialEq, Message)]
struct Named {
    #[prost(int64, tag = "1")]
    id: i64,
    #[prost(string, tag = "2")]
    name: String,
}

/// Names by numbers, each once, from 1 on.
#[derive(Default)]
struct Names<'e>(BTreeMap<&'e str, i64>);

impl<'e> Names<'e> {
    fn number(&mut self, name: &'e str) -> i64 {
        let next = self.0.len() as i64 + 1;
        *self.0.entry(name).or_insert(next)
    }

    fn table(self) -> BTreeMap<i64, Named> {
        self.0.into_iter().map(|(name, id)| (id, Named { id, name: name.into() })).collect()
    }
}

fn space<'e>(events: impl Iterator<Item = &'e Event>) -> Space {
    let events: Vec<&Event> = events.collect();
    let Some(first) = events.iter().map(|e| e.start).min() else { return Space::default() };
    let (mut names, mut properties) = (Names::default(), Names::default());
    let ps = |d: Duration| i64::try_from(d.as_nanos()).unwrap_or(i64::MAX).saturating_mul(1000);
    let lines = LINES.iter().map(|&(line, name)| {
        let of = events.iter().filter(|e| e.line == line);
        let events = of.map(|e| {
            let numbers = e.numbers.iter().map(|&(name, n)| (name, PropertyValue::Number(n)));
            let all = e.words.iter().map(|(name, w)| (*name, PropertyValue::Text(w.clone()))).chain(numbers);
            EventOf {
                name: names.number(&e.name),
                offset_ps: ps(e.start - first),
                took_ps: ps(e.took),
                properties: all
                    .map(|(name, v)| Property { name: properties.number(name), value: Some(v) })
                    .collect(),
            }
        });
        LineOf {
            id: line as i64 + 1,
            name: name.into(),
            start_ns: i64::try_from(first.as_nanos()).unwrap_or(i64::MAX),
            events: events.collect(),
        }
    });
    let lines = lines.collect();
    let plane = Plane { name: PLANE.into(), lines, events: names.table(), properties: properties.table() };
    Space { planes: vec![plane] }
}
