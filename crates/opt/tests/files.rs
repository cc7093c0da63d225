//! Runs `tests/hlo/{simplify,inline,…}/*.hlo`: each file is a test.
//!
//! A file holds cases, separated by lines `// -----`. A case begins with `// run: PASS,PASS [OPTION…]`, then comes
//! a module, then `// expect:` and the expected text as comments; `BLESS=1` writes the latter. Options:
//! `numerics=strict|standard|fast` (default strict), `keep-fusions`, `fuel=PASS:N`, `fusion=SPEC`, `no-eval` (for
//! what the interpreter refuses), `decisions` (the verdicts on edges, and on kernels that might share a launch, follow
//! the module), `joins` (the verdict on each pair of kernels follows too). The
//! target is always the pinned Zen 4.
//!
//! Every case is also evaluated before and after on random inputs full of special values, and the results
//! compared: to the bit in strict (NaN payloads aside), else nearly. A last test checks that every named rule
//! and every expander is exercised by some file.

mod support;

use lawson_hlo::Module;
use lawson_opt::report::Firings;
use lawson_opt::{Numerics, Options, Pass, PassContext, expand, pipeline, simplify};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use support::values;

const AREAS: &[&str] = &[
    "simplify",
    "inline",
    "cse",
    "dce",
    "fold",
    "layout",
    "expand",
    "loops",
    "ranges",
    "progressions",
    "fusion",
];
const SEPARATOR: &str = "// -----";

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hlo");
    let files: Vec<PathBuf> = AREAS.iter().flat_map(|area| hlo_files(&root.join(area))).collect();
    let mut trials: Vec<Trial> = files
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&root).expect("found below").with_extension("");
            let path = path.clone();
            Trial::test(name.display().to_string(), move || run_file(&path).map(drop))
        })
        .collect();
    trials.push(Trial::test("every_rule_has_a_file", move || every_rule_has_a_file(&files)));
    libtest_mimic::run(&args, trials).exit();
}

fn hlo_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("a readable entry").path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "hlo"));
    files.sort();
    files
}

/// Runs every case of a file; the rules that fired.
fn run_file(path: &Path) -> Result<Firings, Failed> {
    let text = std::fs::read_to_string(path)?;
    let mut fired = Firings::new();
    let mut blessed = Vec::new();
    let mut failures = Vec::new();
    for case in text.split(&format!("{SEPARATOR}\n")) {
        let case = Case::read(case)?;
        let actual = case.run(&mut fired).map_err(|e| format!("{e}\nin the case\n{}", case.input))?;
        if actual != case.expected {
            failures.push(format!(
                "{}\nexpected:\n{}\nfound (BLESS=1 accepts it):\n{actual}",
                case.input, case.expected
            ));
        }
        blessed.push(case.with_expectation(&actual));
    }
    if failures.is_empty() {
        return Ok(fired);
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, blessed.join(&format!("{SEPARATOR}\n")))?;
        return Ok(fired);
    }
    Err(failures.join("\n").into())
}

struct Case {
    /// The text above the expectation.
    input: String,
    expected: String,
    passes: Vec<Pass>,
    options: Options,
    evaluated: bool,
    /// Show the verdicts on edges, and on kernels that might share a launch.
    decisions: bool,
    /// Show the verdicts on pairs of kernels.
    joins: bool,
}

impl Case {
    fn read(text: &str) -> Result<Case, Failed> {
        let (input, expected) = text.split_once("// expect:\n").unwrap_or((text, ""));
        let uncomment = |line: &str| line.strip_prefix("// ").or(line.strip_prefix("//")).map(str::to_owned);
        let expected: Vec<String> = expected.lines().filter_map(uncomment).collect();
        let first = input.lines().find_map(|l| l.strip_prefix("// run: "));
        let mut words = first.ok_or("a case begins with `// run: `")?.split_whitespace();
        let names = words.next().ok_or("no pass named")?;
        let find = |name: &str| pipeline::find(name).copied().ok_or(format!("there is no pass {name:?}"));
        let passes = names.split(',').map(find).collect::<Result<_, _>>()?;
        let mut options = Options { numerics: Numerics::Strict, ..Options::default() };
        let (mut evaluated, mut decisions, mut joins) = (true, false, false);
        for word in words {
            match word {
                "no-eval" => evaluated = false,
                "decisions" => decisions = true,
                "joins" => joins = true,
                _ => set(&mut options, word).ok_or(format!("unknown option {word:?}"))?,
            }
        }
        let (input, expected) = (input.to_owned(), expected.join("\n"));
        Ok(Case { input, expected, passes, options, evaluated, decisions, joins })
    }

    /// The module's text after the passes.
    fn run(&self, fired: &mut Firings) -> Result<String, String> {
        let before = Module::parse(&self.input).map_err(|e| e.to_string())?;
        if let Err(faults) = lawson_hlo::verify::verify(&before) {
            return Err(format!("the input is ill-formed: {}", faults[0]));
        }
        let mut after = before.clone();
        let mut cx = PassContext::new(self.options.clone());
        pipeline::run(&mut cx, &mut after, &self.passes).map_err(|e| e[0].to_string())?;
        for (rule, n) in cx.report.rules() {
            *fired.entry(rule).or_default() += n;
        }
        if self.evaluated {
            values::same_results(&before, &after, self.options.numerics)?;
        }
        let text = after.to_string();
        // A header nobody wrote is not shown.
        let text = match self.input.contains("HloModule") {
            true => &text,
            false => text.split_once("\n\n").map_or(&*text, |(_, rest)| rest),
        };
        let mut text = text.trim_end().to_owned();
        if self.decisions {
            text.push('\n');
            for d in &cx.report.decisions {
                let verdict =
                    d.refusal.as_ref().map_or("fused".to_owned(), |r| format!("kept, {}", r.name()));
                text += &format!("\n{} -> {}: {verdict}", d.producer, d.consumer);
            }
            for c in &cx.report.candidates {
                let verdict = c
                    .refusal
                    .as_ref()
                    .map_or("shares a launch".to_owned(), |r| format!("alone, {}", r.name()));
                text += &format!("\n{}: {verdict}", c.kernel);
            }
        }
        if self.joins {
            text.push('\n');
            for j in &cx.report.joins {
                let verdict = j.verdict.as_ref().map_or_else(|r| r.name(), |()| "joined");
                text += &format!("\n{} + {}: {verdict}", j.kernels[0], j.kernels[1]);
            }
        }
        // A list without entries leaves no line.
        Ok(text.trim_end().to_owned())
    }

    fn with_expectation(&self, text: &str) -> String {
        let comment = |line: &str| format!("// {line}").trim_end().to_owned() + "\n";
        format!("{}// expect:\n{}", self.input, text.lines().map(comment).collect::<String>())
    }
}

fn set(options: &mut Options, word: &str) -> Option<()> {
    match word.split_once('=').unwrap_or((word, "")) {
        ("numerics", "strict") => options.numerics = Numerics::Strict,
        ("numerics", "standard") => options.numerics = Numerics::Standard,
        ("numerics", "fast") => options.numerics = Numerics::Fast,
        ("keep-fusions", "") => options.keep_fusions = true,
        ("fusion", spec) => options.fusion = spec.parse().ok()?,
        ("fuel", rest) => {
            let (pass, n) = rest.split_once(':')?;
            options.fuel.insert(pass.to_owned(), n.parse().ok()?);
        }
        _ => return None,
    }
    Some(())
}

fn every_rule_has_a_file(files: &[PathBuf]) -> Result<(), Failed> {
    let mut fired = Firings::new();
    for path in files {
        for (rule, n) in run_file(path)? {
            *fired.entry(rule).or_default() += n;
        }
    }
    let names = simplify::rules().map(|r| r.name).chain(expand::EXPANDERS.iter().map(|e| e.name));
    let missing: Vec<&str> = names.filter(|n| !fired.contains_key(n)).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("no file under tests/hlo exercises {}", missing.join(", ")).into()),
    }
}
