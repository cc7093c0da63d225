//! A folder of compiled kernels: programs of another client find them, whatever their names, and nothing that stands in the
//! folder changes a result.

use lawson::hlo::Module;
use lawson::{Client, CodeFolder, ErrorCode, Options, load};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Two kernels: a row sum reads what a sort makes.
const PROGRAM: &str =
    "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT l = pred[] compare(a, b), direction=LT }
    add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
    ENTRY e {
      x = f32[4,8] parameter(0)
      y = f32[4,8] sort(x), dimensions={1}, to_apply=less
      t = f32[8,4] transpose(y), dimensions={1,0}
      z = f32[8,4] sort(t), dimensions={1}, to_apply=less
      zero = f32[] constant(0)
      ROOT r = f32[8] reduce(z, zero), dimensions={1}, to_apply=add
    }";

/// An empty folder that is this test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("code-{name}"));
    let _ = fs::remove_dir_all(&path);
    path
}

/// Files that say what the processor can do, beside those of code.
const PROCESSORS: usize = if cfg!(target_arch = "x86_64") { 1 } else { 0 };

fn program() -> Module {
    load::parse(PROGRAM).expect("a module")
}

/// Distinct codes, those that were in the folder, and the results.
fn run(folder: &CodeFolder, options: &Options) -> (usize, usize, Vec<f32>) {
    run_module(&program(), folder, options)
}

fn run_module(module: &Module, folder: &CodeFolder, options: &Options) -> (usize, usize, Vec<f32>) {
    let client = Client::cpu().with_code_folder(folder.clone());
    let executable = client.compile(module, options).expect("compiles");
    let elements: Vec<f32> = (0..32u16).map(|i| f32::from(i * 37 % 32)).collect();
    let x = client.buffer(&elements, &[4, 8]).expect("a buffer");
    let out = executable.run([&x]).expect("runs")[0].to_vec().expect("floats");
    let (codes, reused) = executable.codes();
    (codes, reused, out)
}

fn opened(path: &Path) -> CodeFolder {
    CodeFolder::open(path, 64 << 20).expect("a folder")
}

fn files(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in fs::read_dir(path).expect("a folder").flatten() {
        files.extend(fs::read_dir(folder.path()).expect("a folder").flatten().map(|e| e.path()));
    }
    files.sort();
    files
}

#[test]
fn code_is_made_once() {
    let path = folder("once");
    let (codes, reused, first) = run(&opened(&path), &Options::default());
    assert!(codes > 1 && reused == 0, "{codes} codes, {reused} reused");
    assert_eq!(files(&path).len(), codes + PROCESSORS);
    assert_eq!(run(&opened(&path), &Options::default()), (codes, codes, first.clone()));

    // Other names are no other code.
    let renamed = PROGRAM.replace("x = f32", "argument = f32").replace("(x)", "(argument)");
    let renamed = renamed.replace("y = f32", "sorted = f32").replace("(y)", "(sorted)");
    let renamed = load::parse(&renamed).expect("a module");
    assert_eq!(run_module(&renamed, &opened(&path), &Options::default()), (codes, codes, first.clone()));

    // Other code generation is.
    let fast = Options { effort: lawson::options::Effort::Fast, ..Options::default() };
    let (_, reused, out) = run(&opened(&path), &fast);
    assert_eq!((reused, out), (0, first));
}

#[test]
fn damaged_files_are_replaced() {
    let path = folder("damaged");
    let (codes, _, expected) = run(&opened(&path), &Options::default());
    // Objects follow a header of 72 bytes; the processor's file, which may sort before them, holds none.
    let read = |f: &PathBuf| fs::read(f).expect("a file");
    let objects: Vec<PathBuf> =
        files(&path).into_iter().filter(|f| read(f)[72..].starts_with(b"\x7fELF")).collect();
    let whole: Vec<Vec<u8>> = objects.iter().map(read).collect();
    assert_eq!(whole.len(), codes);
    let length = whole[0].len();
    let damages: Vec<Vec<u8>> = [0, 1, 7, 8, 40, 71, 72, 73, length / 2, length - 1]
        .into_iter()
        .flat_map(|at| {
            let mut flipped = whole[0].clone();
            flipped[at] ^= 0x10;
            [whole[0][..at].to_vec(), flipped]
        })
        // Another entry's file under this name, and one that is longer.
        .chain([whole[1].clone(), [&whole[0][..], b"x"].concat()])
        .collect();
    for damage in damages {
        fs::write(&objects[0], &damage).expect("written");
        let (_, reused, out) = run(&opened(&path), &Options::default());
        assert_eq!((reused, &out), (codes - 1, &expected), "{} of {length} bytes", damage.len());
        assert_eq!(read(&objects[0]), whole[0], "it was replaced");
    }
}

#[test]
fn what_cannot_be_written_is_compiled() {
    let path = folder("unwritable");
    let expected = run(&opened(&path), &Options::default()).2;
    // In the place of every folder of entries stands a file: as with a full disk, nothing can be kept.
    for entry in fs::read_dir(&path).expect("a folder").flatten() {
        fs::remove_dir_all(entry.path()).expect("removed");
        fs::write(entry.path(), b"").expect("written");
    }
    let (_, reused, out) = run(&opened(&path), &Options::default());
    assert_eq!((reused, out), (0, expected));
}

#[test]
fn it_stays_within_its_size() {
    let path = folder("size");
    let all = || files(&path).iter().map(|f| fs::metadata(f).expect("a file").len()).sum::<u64>();
    run(&opened(&path), &Options::default());
    let most = all();
    // Other lengths are other code; each is kept, and the oldest go.
    for n in 9..20 {
        let text = PROGRAM
            .replace("4,8", &format!("4,{n}"))
            .replace("8,4", &format!("{n},4"))
            .replace("[8]", &format!("[{n}]"));
        let client = Client::cpu().with_code_folder(CodeFolder::open(&path, most).expect("a folder"));
        client.compile(&load::parse(&text).expect("a module"), &Options::default()).expect("compiles");
        assert!(all() <= most, "{} bytes, at most {most}", all());
    }
    assert!(all() > 0);
}

#[test]
fn threads_share_it() {
    let path = folder("threads");
    let expected = run(&opened(&folder("threads-alone")), &Options::default()).2;
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| assert_eq!(run(&opened(&path), &Options::default()).2, expected));
        }
    });
    let (codes, reused, _) = run(&opened(&path), &Options::default());
    assert_eq!((codes, files(&path).len()), (reused, codes + PROCESSORS));
}

#[test]
fn a_folder_of_others_is_refused() {
    let path = folder("others");
    fs::create_dir(&path).expect("made");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).expect("set");
    let error = CodeFolder::open(&path, 1 << 20).expect_err("anyone may write to it");
    assert!(error.code == ErrorCode::File && error.message.contains("chmod go-w"), "{error}");
    let file = path.join("file");
    fs::write(&file, b"").expect("written");
    assert_eq!(CodeFolder::open(&file, 1 << 20).expect_err("no folder").code, ErrorCode::File);
}
