//! The command line as scripts see it: exit codes, what goes to which stream, files, and every kind of bad input.

#[path = "cli/calibration.rs"]
mod calibration;
#[path = "cli/devices.rs"]
mod devices;
#[path = "cli/endless.rs"]
mod endless;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/library.rs"]
mod library;
#[path = "cli/mistakes.rs"]
mod mistakes;
#[path = "cli/stablehlo.rs"]
mod stablehlo;
#[path = "cli/transforms.rs"]
mod transforms;
#[path = "cli/tuning.rs"]
mod tuning;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("lawson-cli-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("written");
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn lawson(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lawson")).args(args).output().expect("lawson runs")
}

/// Runs on the interpreter, expecting an exit code; gives both streams together.
fn run(code: i32, args: &[&str]) -> String {
    let args: Vec<&str> = args.iter().copied().chain(["--device", "interpreter"]).collect();
    plain(code, &args)
}

fn plain(code: i32, args: &[&str]) -> String {
    let output = lawson(args);
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{text}");
    assert_eq!(text.contains("panic"), code == 3, "{args:?}\n{text}");
    text
}

/// The module is a user's mistake, and the message has all of `parts`.
fn refused(module: &str, parts: &[&str]) {
    let folder = Folder::new();
    let text = run(2, &["run", &folder.write("m.hlo", module)]);
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

fn program(name: &str, file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    root.join(name).join(file).display().to_string()
}

/// Two operations that become one kernel.
const CHAIN: &str = "HloModule m
ENTRY e {
  x = f32[4096] parameter(0)
  y = f32[4096] exponential(x)
  ROOT z = f32[4096] negate(y)
}
";

const NEGATE: &str = "HloModule m\nENTRY e {\n  a = f32[4] parameter(0)\n  ROOT b = f32[4] negate(a)\n}\n";

#[test]
fn help_version_and_completions() {
    let help = plain(0, &["--help"]);
    for command in ["run", "bench", "explain", "opt", "doctor", "completions"] {
        assert!(help.contains(command), "{help}");
    }
    assert!(plain(0, &["--version"]).contains("(LLVM 19."));
    assert!(plain(0, &["completions", "bash"]).contains("_lawson"));
    for shell in ["zsh", "fish"] {
        assert!(plain(0, &["completions", shell]).contains("lawson"));
    }
}

#[test]
fn usage_mistakes_exit_2() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    for args in [
        &["nonsense"][..],
        &[],
        &["run"],
        &["run", &m, "--threads", "0"],
        &["run", &m, "--fusion", "sometimes"],
        &["run", &m, "--fuel", "cse"],
        &["run", &m, "--rtol", "-1"],
        &["run", &m, "--max-mismatch", "2"],
        &["run", &m, "--max-memory", "much"],
        &["run", &m, "--inputs", "x.npz", "--random", "1"],
        &["run", &m, "--device", "abacus"],
    ] {
        plain(2, args);
    }
    run(2, &["run", &folder.path("absent.hlo")]);
    run(2, &["run", &folder.0.display().to_string()]);
    assert!(run(2, &["opt", &m, "--passes", "nonsense"]).contains("`nonsense`"));
}

#[test]
fn results_are_shown_written_and_compared() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    let out = folder.path("out.npz");
    assert!(run(0, &["run", &m]).starts_with("out0 f32[4] {"));
    run(0, &["run", &m, "--random", "7", "--output", &out]);
    assert!(run(0, &["run", &m, "--random", "7", "--expect", &out]).contains("agrees"));
    let text = run(1, &["run", &m, "--random", "8", "--expect", &out]);
    assert!(text.contains("DIFFERS, 4 of 4") && text.contains("|a-b|"), "{text}");
    run(0, &["run", &m, "--random", "8", "--expect", &out, "--max-mismatch", "1"]);
    run(0, &["run", &m, "--random", "8", "--expect", &out, "--atol", "10"]);
}

#[test]
fn a_program_agrees_with_xla() {
    let (m, i, o) = ("module.hlo", "inputs.npz", "outputs.npz");
    let [m, i, o] = [m, i, o].map(|f| program("softmax_4096x1024", f));
    assert!(run(0, &["run", &m, "--inputs", &i, "--expect", &o]).contains("out0 f32[64,256]: agrees"));
}

#[test]
fn opt_prints_text_that_runs_the_same() {
    let folder = Folder::new();
    let m = program("gelu_bias", "module.hlo");
    let out = folder.path("out.npz");
    run(0, &["run", &m, "--output", &out]);
    let optimised = lawson(&["opt", &m]);
    assert!(optimised.status.success());
    let rewritten = folder.write("opt.hlo", &optimised.stdout);
    run(0, &["run", &rewritten, "--expect", &out]);
    assert!(plain(0, &["opt", &m, "--print-after", "all"]).contains("// after inline"));
}

#[test]
fn bench_prints_the_contract_fields() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    let output = lawson(&["bench", &m, "--device", "interpreter", "--vs", "off,on+no-dot", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let keys: Vec<&str> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(
        keys.join(" "),
        "module device threads compile_ms compile_cold_ms first_call_us run_us kernels launches phases copies \
         bytes_moved bytes_unfused flops temp_bytes peak_bytes predicted_us gbps limit_us variants compile"
    );
    assert!(json["run_us"]["runs"].as_u64() >= Some(5) && json["run_us"]["median"].is_number());
    assert!(json["variants"]["off"]["run_us"]["min"].is_number());
    assert!(json["variants"]["on+no-dot"].is_object());
    assert!(run(0, &["bench", &m]).contains("first call"));
}

#[test]
fn compile_modes_are_compared_by_bench_and_explain() {
    let m = program("gelu_bias", "module.hlo");
    let bench = ["bench", &m, "--vs", "compile-fast,numerics-fast", "--max-runs", "3", "--threads", "1"];
    let text = plain(0, &bench);
    assert!(text.contains("--compile full;") && text.contains("\n  compile-fast "), "{text}");
    let output = lawson(&[&bench[..], &["--json", "--compile", "fast"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(json["compile"]["mode"], "fast");
    for part in [&json["compile"], &json["variants"]["compile-fast"]] {
        assert!(part["planning_ms"].is_number() && part["code_ms"].is_number(), "{part}");
    }
    let explained = plain(0, &["explain", &m, "--compile", "fast"]);
    assert!(explained.contains(", compiled fast"), "{explained}");
    let measured = plain(0, &["explain", &m, "--measure"]);
    assert!(measured.contains("  compiled   full in ") && measured.contains("; fast in "), "{measured}");
}

#[test]
fn bench_of_a_fused_program_fills_every_field() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", CHAIN);
    let trace = folder.path("trace.json");
    let bench =
        ["bench", &m, "--vs", "off", "--json", "--threads", "2", "--max-runs", "5", "--profile", &trace];
    let output = lawson(&bench);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    for (key, value) in json.as_object().expect("an object") {
        assert!(!value.is_null(), "{key}");
    }
    assert_eq!((&json["kernels"], &json["launches"], &json["copies"]), (&1.into(), &1.into(), &0.into()));
    assert_eq!((&json["bytes_moved"], &json["bytes_unfused"]), (&32768.into(), &65536.into()));
    assert_eq!((&json["variants"]["off"]["kernels"], &json["temp_bytes"]), (&2.into(), &0.into()));
    let trace = std::fs::read_to_string(trace).expect("a trace");
    let trace: serde_json::Value = serde_json::from_str(&trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    assert_eq!((events.len(), &events[0]["ph"]), (1, &"X".into()));
    assert_eq!(events[0]["args"]["instructions"], serde_json::json!(["y", "z"]));
    let text = plain(0, &["bench", &m, "--vs", "off", "--max-runs", "5"]);
    assert!(text.lines().skip(1).all(|l| l.chars().count() <= 80), "{text}");
    assert!(run(2, &["bench", &m, "--profile", &folder.path("t.json")]).contains("--device cpu"));
}

#[test]
fn one_run_of_bench_is_the_ablation_table() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", CHAIN);
    let specs = "off,only-instruction,no-merger,no-multi-output,no-horizontal,no-staged,no-loop";
    let bench = ["bench", &m, "--vs", specs, "--max-runs", "3", "--threads", "1"];
    let text = plain(0, &bench);
    assert!(text.lines().skip(1).all(|l| l.chars().count() <= 80), "{text}");
    let output = lawson(&[&bench[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let variants = json["variants"].as_object().expect("an object");
    assert_eq!(variants.keys().map(String::as_str).collect::<Vec<_>>().join(","), specs);
    for (name, v) in variants {
        assert!(text.contains(&format!("\n  {name} ")), "{name}: {text}");
        let (kernels, bytes) = if name == "off" { (2, 65536) } else { (1, 32768) };
        assert_eq!((&v["kernels"], &v["bytes_moved"]), (&kernels.into(), &bytes.into()), "{name}");
        assert!(v["run_us"]["median"].is_number() && v["phases"].is_u64(), "{name}");
    }
}

#[test]
fn a_profile_has_every_launch_in_order() {
    let folder = Folder::new();
    let m = program("mlp_train_step", "module.hlo");
    let trace = folder.path("trace.json");
    let output = lawson(&["bench", &m, "--json", "--max-runs", "1", "--threads", "1", "--profile", &trace]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let trace = std::fs::read_to_string(trace).expect("a trace");
    let trace: serde_json::Value = serde_json::from_str(&trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let launches: Vec<_> = events.iter().filter(|e| e["cat"] == "kernel").collect();
    assert_eq!(Some(launches.len() as u64), json["launches"].as_u64());
    let start = |e: &serde_json::Value| e["ts"].as_f64().expect("a start");
    assert!(
        events.windows(2).all(|e| start(&e[0]) + e[0]["dur"].as_f64().expect("µs") <= start(&e[1]) + 1e-3)
    );
    for e in launches {
        let args = &e["args"];
        assert!(args["instructions"].as_array().is_some_and(|i| !i.is_empty()), "{e}");
        assert!(args["places"].as_array().is_some_and(|p| !p.is_empty()), "{e}");
        assert!(
            args["bytes_read"].is_u64() && args["bytes_written"].is_u64() && args["gbps"].is_f64(),
            "{e}"
        );
    }
}

#[test]
fn explain_writes_a_page_and_a_graph() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", CHAIN);
    let page = folder.path("page.html");
    assert_eq!(plain(0, &["explain", &m, "--html", &page]), "");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("y = f32[4096] exponential(x)"));
    assert!(plain(0, &["explain", &m, "--dot"]).starts_with("digraph"));
    plain(2, &["explain", &m, "--html", &folder.path("no/such/folder/page.html")]);
}

#[test]
fn kernels_print_in_every_form() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", CHAIN);
    let emit = |form: &str| plain(0, &["opt", &m, "--emit", form, "--target", "haswell"]);
    assert!(emit("region").contains("f32 exponential"));
    assert!(emit("plan").contains("8 lanes along loop 0"));
    assert!(emit("loop").contains("store z") && emit("loop").contains("f32x8"));
    assert!(emit("llvm").contains("define void @"));
    assert!(emit("asm").contains("ymm") && !emit("asm").contains("zmm"));
    let program = lawson_kernel::program::text::parse(&emit("program")).expect("it is read back");
    assert!(program.to_string() == emit("program") && program.kernels.len() == 1);
    assert!(plain(2, &["opt", &m, "--emit", "program", "--kernel", "y"]).contains("all of its kernels"));
    let named = ["opt", &m, "--emit", "region", "--fusion", "off", "--kernel"];
    let one = |name: &'static str, code| plain(code, &[&named[..], &[name]].concat());
    assert!(one("y", 0).contains("region y") && !one("y", 0).contains("region z"));
    assert!(one("nothing", 2).contains("the kernels are y, z"));
    plain(2, &["opt", &m, "--kernel", "y"]);
}

#[test]
fn code_for_a_graphics_processor_is_read_not_run() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", CHAIN);
    let ptx = plain(0, &["opt", &m, "--emit", "ptx", "--target", "sm_90"]);
    assert!(
        ptx.contains(".target sm_90") && ptx.contains(".visible .entry") && ptx.contains(".rn.f32"),
        "{ptx}"
    );
    for (target, cause) in [("haswell", "such as --target sm_90"), ("sm_100", "the newest of sm_75")] {
        let text = plain(2, &["opt", &m, "--emit", "ptx", "--target", target]);
        assert!(text.contains(cause), "{text}");
    }
    assert!(plain(2, &["run", &m, "--target", "sm_90"]).contains("--emit ptx"));
}

#[test]
fn targets_come_from_files_too() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", CHAIN);
    let target = folder.write("t.json", r#"{"base": "zen4", "name": "mine", "vector_bytes": 16}"#);
    let plan = plain(0, &["opt", &m, "--emit", "plan", "--target", &target]);
    assert!(plan.contains("4 lanes"), "{plan}");
    assert!(plain(0, &["explain", &m, "--target", &target]).contains("cpu mine"));
    assert!(plain(2, &["explain", &m, "--target", "abacus"]).contains("zen4"));
    let wrong = folder.write("w.json", r#"{"vector_bytes": 7}"#);
    assert!(plain(2, &["run", &m, "--target", &wrong]).contains("vector_bytes"));
}

#[test]
fn malformed_text_has_a_place() {
    refused("", &["m.hlo"]);
    refused("HloModule m\nENTRY e {\n  ROOT a = f32[4] parameter(0\n", &["m.hlo:", "^"]);
    refused("HloModule m\nENTRY e {\n  ROOT a = f32[4] frobnicate()\n}\n", &["m.hlo:3:", "frobnicate", "^"]);
    refused("HloModule m\nENTRY e {\n  ROOT a = f33[4] parameter(0)\n}\n", &["m.hlo:3:", "f33"]);
    refused(
        "HloModule m\nENTRY e {\n  ROOT a = f32[4] parameter(0), colour=blue\n}\n",
        &["m.hlo:3:", "colour"],
    );
    refused("HloModule m\nENTRY e {\n  ROOT a = f32[4] negate(z)\n}\n", &["m.hlo:3:", "z"]);
    let folder = Folder::new();
    assert!(run(2, &["run", &folder.write("b.hlo", b"HloModule \xff\xfe")]).contains("UTF-8"));
    assert!(run(2, &["run", &folder.write("b.mlir", b"ML\xefR\x0d")]).contains("byte 5"));
}

#[test]
fn broken_rules_have_a_place() {
    refused(
        "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[3] parameter(1)\n  ROOT c = f32[2] add(a, b)\n}\n",
        &["m.hlo:5:", "add"],
    );
    refused("HloModule m\nENTRY e {\n  ROOT a = f32[2] parameter(1)\n}\n", &["parameter"]);
    refused(
        "HloModule m\nf {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=f\n}\nENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=f\n}\n",
        &["f"],
    );
}

#[test]
fn what_is_not_supported_is_named() {
    refused(
        "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[8] rng(a, b), distribution=rng_uniform\n}\n",
        &["m.hlo:5:", "rng"],
    );
    let map = "f {\n  p = c64[] parameter(0)\n  ROOT n = c64[] negate(p)\n}\n";
    refused(
        &format!(
            "HloModule m\n{map}ENTRY e {{\n  a = c64[2] parameter(0)\n  ROOT c = c64[2] map(a), dimensions={{0}}, to_apply=f\n}}\n"
        ),
        &["c64"],
    );
}

#[test]
fn huge_shapes_are_refused_without_allocating() {
    refused(
        "HloModule m\nENTRY e {\n  ROOT a = f32[1000000000,1000000000] iota(), iota_dimension=0\n}\n",
        &["m.hlo:3:"],
    );
    refused("HloModule m\nENTRY e {\n  ROOT a = f32[1000000000000000000] parameter(0)\n}\n", &[]);
    refused("HloModule m\nENTRY e {\n  ROOT a = f32[99999999999999999999] parameter(0)\n}\n", &[]);
    refused(
        "HloModule m\nENTRY e {\n  ROOT a = f64[1000000000000] iota(), iota_dimension=0\n}\n",
        &["--max-memory", "TiB"],
    );
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    assert!(run(2, &["run", &m, "--max-memory", "31"]).contains("limit"));
    run(0, &["run", &m, "--max-memory", "64"]);
}

#[test]
fn deep_nesting_is_refused() {
    const DEEP: usize = 20_000;
    let shape = format!("{}f32[]{}", "(".repeat(DEEP), ")".repeat(DEEP));
    refused(&format!("HloModule m\nENTRY e {{\n  ROOT a = {shape} parameter(0)\n}}\n"), &["m.hlo:3:"]);
    let literal = format!("{}1{}", "{".repeat(DEEP), "}".repeat(DEEP));
    refused(&format!("HloModule m\nENTRY e {{\n  ROOT a = f32[1] constant({literal})\n}}\n"), &["m.hlo:3:"]);
    let operand = format!("{}p{}", "negate(".repeat(DEEP), ")".repeat(DEEP));
    refused(
        &format!(
            "HloModule m\nENTRY e {{\n  p = f32[] parameter(0)\n  ROOT a = f32[] negate({operand})\n}}\n"
        ),
        &["m.hlo:4:"],
    );
    let mut calls = String::from("HloModule m\nf0 {\n  ROOT p = f32[] parameter(0)\n}\n");
    for i in 1..DEEP {
        let callee = i - 1;
        calls +=
            &format!("f{i} {{\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=f{callee}\n}}\n");
    }
    calls += "ENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=f19999\n}\n";
    refused(&calls, &["nest"]);
}

#[test]
fn wrong_arrays_are_named() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    let two = folder.write(
        "two.hlo",
        "HloModule m\nENTRY e {\n  a = f32[4] parameter(0)\n  b = s32[4] parameter(1)\n  ROOT t = (f32[4], s32[4]) tuple(a, b)\n}\n",
    );
    let as_inputs = |outputs: &str, name: &str| {
        // The stored names are as long, so out0 can be renamed to arg0 in place.
        let mut bytes = std::fs::read(outputs).expect("an archive");
        for i in 0..bytes.len().saturating_sub(3) {
            if &bytes[i..i + 3] == b"out" {
                bytes[i..i + 3].copy_from_slice(b"arg");
            }
        }
        folder.write(name, bytes)
    };
    let (one_out, two_out) = (folder.path("one_out.npz"), folder.path("two_out.npz"));
    run(0, &["run", &m, "--output", &one_out]);
    run(0, &["run", &two, "--output", &two_out]);
    let (one_in, two_in) = (as_inputs(&one_out, "one.npz"), as_inputs(&two_out, "two.npz"));

    run(0, &["run", &m, "--inputs", &one_in]);
    run(0, &["run", &two, "--inputs", &two_in]);
    assert!(run(2, &["run", &two, "--inputs", &one_in]).contains("arg1 is missing"));
    assert!(run(2, &["run", &m, "--inputs", &two_in]).contains("arg1 is extra"));
    assert!(run(2, &["run", &m, "--expect", &two_out]).contains("out1 is extra"));
    let wide = folder.write("wide.hlo", NEGATE.replace("[4]", "[5]"));
    assert!(run(2, &["run", &wide, "--inputs", &one_in]).contains("shape is [4]"));
    let double = folder.write("double.hlo", NEGATE.replace("f32", "f64"));
    assert!(run(2, &["run", &double, "--inputs", &one_in]).contains("type is float32"));

    let bytes = std::fs::read(&one_in).expect("an archive");
    for cut in [0, 1, 30, bytes.len() / 2, bytes.len() - 1] {
        let short = folder.write("short.npz", &bytes[..cut]);
        run(2, &["run", &m, "--inputs", &short]);
    }
    run(2, &["run", &m, "--inputs", &folder.path("absent.npz")]);
    run(2, &["run", &m, "--output", &folder.path("no/such/folder/out.npz")]);
}

#[test]
fn a_bug_writes_a_file_that_replays_it() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    let crash = |module: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_lawson"))
            .args(["crash", module, "--fusion", "off"])
            .current_dir(&folder.0)
            .output()
            .expect("lawson runs");
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = crash(&m);
    assert!(text.contains("a bug of Lawson"), "{text}");
    let command = text.lines().find_map(|l| l.trim().strip_prefix("lawson crash ")).expect("a command");
    let (repro, flags) = command.split_once(' ').expect("a path and flags");
    assert_eq!(flags, "--fusion off");
    // The file stands for itself: it crashes the same way.
    assert!(crash(repro).contains("asked to crash on a module of 2 instructions"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let m = program("adam_64", "module.hlo");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lawson"))
        .args(["opt", &m, "--passes", "dce"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lawson runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn doctor_tells_the_machine() {
    let text = plain(0, &["doctor", "--quick"]);
    for part in ["processor", "threads", "memory", "LLVM"] {
        assert!(text.contains(part), "{text}");
    }
}
