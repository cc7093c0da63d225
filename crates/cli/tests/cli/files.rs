//! Paths of all kinds, and what becomes of files that are written.

use super::{CHAIN, Folder, NEGATE, plain, run};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output};

/// A name that is no text in any encoding.
const NAME: &[u8] = b"\xff\xfename";

fn odd(ending: &str) -> OsString {
    let mut name = OsStr::from_bytes(NAME).to_os_string();
    name.push(ending);
    name
}

fn within(folder: &Folder, words: &[&OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lawson"))
        .args(words)
        .current_dir(&folder.0)
        .output()
        .expect("lawson runs")
}

/// Ends well, in a folder whose files have odd names.
fn fine(folder: &Folder, words: &[&OsStr]) {
    let output = within(folder, words);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}\n{text}");
}

#[test]
fn paths_need_not_be_text() {
    let folder = Folder::new();
    let [module, data, target, page] = [".hlo", ".npz", ".json", ".html"].map(odd);
    std::fs::write(folder.0.join(&module), CHAIN).expect("written");
    std::fs::write(folder.0.join(&target), r#"{"base": "haswell"}"#).expect("written");
    let w = |word: &'static str| OsStr::new(word);
    fine(&folder, &[w("run"), &module, w("--output"), &data, w("--target"), &target]);
    // Named as the arguments are, the results are inputs.
    let mut bytes = std::fs::read(folder.0.join(&data)).expect("written");
    for at in 0..bytes.len() - 3 {
        if &bytes[at..at + 3] == b"out" {
            bytes[at..at + 3].copy_from_slice(b"arg");
        }
    }
    let inputs = odd(".in.npz");
    std::fs::write(folder.0.join(&inputs), bytes).expect("written");
    let mut joined = OsString::from("--inputs=");
    joined.push(&inputs);
    fine(&folder, &[w("run"), &module, &joined]);
    fine(&folder, &[w("explain"), &module, w("--html"), &page]);
    fine(&folder, &[w("bench"), &module, w("--max-runs"), w("1"), w("--profile"), &page]);
    let trace = std::fs::read_to_string(folder.0.join(&page)).expect("written");
    assert!(trace.contains("traceEvents") && trace.contains("\u{fffd}\u{fffd}name.hlo"), "{trace}");
    // What is told of them is told as well as it can be.
    let absent = odd(".absent");
    let output = within(&folder, &[w("run"), &absent]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.contains("\u{fffd}\u{fffd}name.absent"), "{text}");
    // A bug can be replayed: the shell reads the bytes of the name.
    let output = within(&folder, &[w("crash"), &module, w("--target"), &target]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let command = text.lines().find_map(|l| l.trim().strip_prefix("lawson crash ")).expect("a command");
    assert!(output.status.code() == Some(3) && command.contains(r"\xff\xfename.json'"), "{text}");
}

fn listed(folder: &Folder) -> Vec<String> {
    let all = std::fs::read_dir(&folder.0).expect("readable").flatten();
    let mut names: Vec<String> = all.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn outputs_that_cannot_be_completed_leave_what_was_there() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE.replace("[4]", "[400000]"));
    for (command, flag) in [("run", "--output"), ("explain", "--html")] {
        let out = folder.write("out", "what was there");
        // No file may be longer than a block, and the signal that tells so is not heard: writing fails half-way.
        let limited = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
        let words = [env!("CARGO_BIN_EXE_lawson"), command, &m, flag, &out];
        let output = Command::new("sh").args(["-c", limited, "sh"]).args(words).output().expect("a shell");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(&format!("cannot write {out}: ")) && !text.contains("Zip"), "{text}");
        assert_eq!(std::fs::read_to_string(&out).expect("it is there"), "what was there");
        assert_eq!(listed(&folder), ["m.hlo", "out"]);
    }
    let full = run(2, &["run", &m, "--output", "/dev/full"]);
    assert!(
        full.contains("cannot write /dev/full: no space left on device") && !full.contains("os error"),
        "{full}"
    );
    let page = plain(2, &["explain", &m, "--html", "/dev/full"]);
    assert!(page.contains("cannot write /dev/full: no space left on device"), "{page}");
}

#[test]
fn a_stream_is_an_output() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    let words = ["run", &m, "--output", "/dev/stdout", "--device", "interpreter"];
    let output = super::lawson(&words);
    assert!(output.status.success() && output.stdout.starts_with(b"PK"), "{output:?}");
    let expected = folder.write("piped.npz", &output.stdout);
    run(0, &["run", &m, "--expect", &expected]);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = Folder::new();
    let m = folder.write("m.hlo", NEGATE);
    let npz = folder.path("data.npz");
    run(0, &["run", &m, "--output", &npz]);
    let hard = folder.path("hard.npz");
    std::fs::hard_link(&npz, &hard).expect("linked");
    let before = std::fs::read(&npz).expect("there");
    for other in [&npz, &hard, &folder.path("./data.npz")] {
        let text = run(2, &["run", &m, "--expect", &npz, "--output", other]);
        assert!(text.contains("this file is the file of --expect"), "{text}");
        let text = run(2, &["run", &m, "--inputs", &npz, "--output", other]);
        assert!(text.contains("this file is the file of --inputs"), "{text}");
    }
    assert!(run(2, &["run", &m, "--output", &m]).contains("this file is the module"));
    assert!(plain(2, &["explain", &m, "--html", &m]).contains("this file is the module"));
    assert!(plain(2, &["bench", &m, "--profile", &m]).contains("this file is the module"));
    assert_eq!(std::fs::read(&npz).expect("there"), before);
    assert!(Path::new(&m).is_file());
}
