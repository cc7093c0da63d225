//! Runs `tests/hlo/run/*.hlo`: every device gives the bits that the interpreter gives.
//!
//! A file holds modules, separated by lines `// -----`. Each runs on random inputs under every line of [`RUNS`], in
//! strict numerics, where nothing may change a bit (NaN payloads aside). A line `// gives: 1, 2` says what the
//! interpreter's first arrays hold, separated by `;`, where the parameters do not matter.

#[path = "common/device.rs"]
mod device;

use lawson::hlo::{Literal, Module, Scalar};
use lawson::options::Numerics;
use lawson::{Buffer, Client, Options, load, random_inputs};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Fusion, threads, and the machine that is planned for: the host, or one with less.
const RUNS: &[(&str, usize, &str)] = &[
    ("off", 1, "host"),
    ("on", 1, "host"),
    ("on", 3, "host"),
    ("max", 2, "host"),
    ("on", 2, "neon"),
    ("on", 2, SMALL_CACHES),
];
/// The host with caches of which arrays of some KiB are the multiple, and slow memory behind them.
const SMALL_CACHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/targets/small_caches.json");
/// The same on a graphics processor, which is emulated where there is none.
const EMULATED: (&str, usize, &str) = ("on", 1, "sm_90");
const SEEDS: std::ops::Range<u64> = 0..2;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hlo/run");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&root).expect("tests/hlo/run").flatten().map(|e| e.path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "hlo"));
    files.sort();
    assert!(!files.is_empty(), "no file in {}", root.display());
    let trials = files.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || file(&path))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn file(path: &Path) -> Result<(), Failed> {
    for case in std::fs::read_to_string(path)?.split("// -----\n") {
        module(case).map_err(|e| format!("{e}\nin the case\n{case}"))?;
    }
    Ok(())
}

fn module(text: &str) -> Result<(), String> {
    let told = |e: lawson::Error| e.to_string();
    let loaded = load::text_of("case".into(), text.into()).map_err(told)?;
    loaded.check_supported().map_err(told)?;
    let module = &loaded.module;
    let arguments: Vec<Vec<Literal>> =
        SEEDS.map(|seed| random_inputs::literals(seed, &load::parameter_leaves(module))).collect();
    let interpreted = results(Client::interpreter(), module, ("on", 1, "host"), &arguments)?;
    if let Some(wanted) = text.lines().find_map(|l| l.strip_prefix("// gives: ")) {
        let found = shown(&interpreted[0]);
        let count = wanted.split("; ").count();
        if !found.split("; ").take(count).eq(wanted.split("; ")) {
            return Err(format!("the interpreter gives {found}"));
        }
    }
    let device = device::device()?;
    let everywhere = RUNS.iter().map(|how| (Client::cpu(), *how));
    for (client, how) in everywhere.chain([(Client::of_device(device), EMULATED)]) {
        let native = results(client, module, how, &arguments)?;
        for (n, (x, y)) in interpreted.iter().flatten().zip(native.iter().flatten()).enumerate() {
            if let Some(i) = difference(x, y) {
                let ((x, y), (fusion, threads, target)) = ((x.get(i), y.get(i)), how);
                let n = n % interpreted[0].len();
                return Err(format!(
                    "output {n}, element {i}: {x:?} interpreted, {y:?} with fusion {fusion}, {threads} threads, {target}"
                ));
            }
        }
    }
    Ok(())
}

/// What the module, compiled once, gives for each of these arguments.
fn results(
    client: Client,
    module: &Module,
    (fusion, threads, target): (&str, usize, &str),
    arguments: &[Vec<Literal>],
) -> Result<Vec<Vec<Literal>>, String> {
    let told = |e: lawson::Error| e.to_string();
    let (fusion, target, numerics) = (fusion.parse()?, Some(target.into()), Numerics::Strict);
    let options = Options { fusion, threads, numerics, target, ..Options::default() };
    let executable = client.compile(module, &options).map_err(told)?;
    let once = |literals: &Vec<Literal>| {
        let buffers =
            literals.iter().map(|l| client.buffer_from_literal(l)).collect::<Result<Vec<_>, _>>()?;
        Ok(executable.run(buffers)?.iter().map(Buffer::to_literal).collect())
    };
    arguments.iter().map(once).collect::<Result<_, _>>().map_err(told)
}

/// The first element whose bits differ; one NaN is like another.
fn difference(x: &Literal, y: &Literal) -> Option<usize> {
    assert_eq!(x.shape(), y.shape());
    (0..x.elements()).find(|&i| match (x.get(i), y.get(i)) {
        (Scalar::Float(a), Scalar::Float(b)) => floats_differ(a, b),
        (Scalar::Complex(a, b), Scalar::Complex(c, d)) => floats_differ(a, c) || floats_differ(b, d),
        (a, b) => a != b,
    })
}

/// In any bit, but that all not-a-numbers are one.
fn floats_differ(a: f64, b: f64) -> bool {
    a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
}

fn shown(arrays: &[Literal]) -> String {
    let show = |s: Scalar| match s {
        Scalar::Pred(b) => b.to_string(),
        Scalar::Signed(i) => i.to_string(),
        Scalar::Unsigned(u) => u.to_string(),
        Scalar::Float(f) => f.to_string(),
        Scalar::Complex(re, im) => format!("({re}, {im})"),
        Scalar::Extension(_) | Scalar::Wide(_) => s.to_string(),
    };
    let all = arrays.iter().map(|x| x.scalars().map(show).collect::<Vec<_>>().join(", "));
    all.collect::<Vec<_>>().join("; ")
}
