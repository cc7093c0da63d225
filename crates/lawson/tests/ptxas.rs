//! NVIDIA's assembler takes the code of every kernel of `tests/programs`, and keeps it in registers: of nine
//! in ten kernels in as many, give or take a quarter, as are predicted.
//!
//! `scripts/ptxas.sh` fetches the assembler; without it these tests say that they did not run. With `--nocapture` they
//! print the registers and spills of each kernel.

#[path = "common/conv.rs"]
mod conv;

use conv::{CONV, Conv};
use lawson::compile::{self, effort};
use lawson::load::Loaded;
use lawson::options::Numerics;
use lawson::{Options, load};
use lawson_kernel::program::Code;
use lawson_llvm::{Compiler, entry_symbol};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The assembler, if it has been fetched.
fn ptxas() -> Option<PathBuf> {
    let path = root().join("target/ptxas/ptxas");
    if !path.is_file() {
        eprintln!("not run: there is no assembler of PTX; scripts/ptxas.sh fetches it");
        return None;
    }
    Some(path)
}

/// What the assembler says of an entry.
#[derive(Default, Debug)]
struct Entry {
    name: String,
    registers: u64,
    stack: u64,
    stores: u64,
    loads: u64,
}

/// The number before or after a word of the assembler's.
fn number(line: &str, before: &str, after: &str) -> Option<u64> {
    let end = line.find(after)?;
    line[..end].rsplit(before).next()?.trim().parse().ok()
}

/// Assembles a text.
fn assemble(ptxas: &Path, name: &str, cpu: &str, text: &str) -> Result<Vec<Entry>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptxas");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let file = folder.join(format!("{name}.{cpu}.ptx"));
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(ptxas);
    command.args(["-v", "-O3", "-arch", cpu, "-o", "/dev/null"]).arg(&file);
    let output = command.output().map_err(|e| e.to_string())?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{}: {told}", file.display()));
    }
    let mut entries = Vec::new();
    for line in told.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default().to_string();
            entries.push(Entry { name, ..Entry::default() });
        }
        let Some(entry) = entries.last_mut() else { continue };
        if let Some(stack) = number(line, " ", " bytes stack frame") {
            entry.stack = stack;
            entry.stores = number(line, ", ", " bytes spill stores").unwrap_or(0);
            entry.loads = number(line, ", ", " bytes spill loads").unwrap_or(0);
        }
        if let Some(registers) = number(line, "Used ", " registers") {
            entry.registers = registers;
        }
    }
    Ok(entries)
}

/// The PTX of all kernels of a program for this processor, and the registers that are predicted for the entries of each kernel,
/// which begin alike.
fn code(loaded: &Loaded, cpu: &str, numerics: Numerics) -> Result<(String, BTreeMap<String, i64>), String> {
    let options = Options { target: Some(cpu.into()), threads: 1, numerics, ..Options::default() };
    let planned = compile::plan(&loaded.module, &options).map_err(|e| e.to_string())?;
    let spec = options.machine().and_then(|m| m.spec()).map_err(|e| e.to_string())?;
    let compiler = Compiler::new(&spec, effort(&options)).map_err(|e| e.to_string())?;
    let mut seen = std::collections::HashSet::new();
    let mut kernels = Vec::new();
    let mut predicted = BTreeMap::new();
    for (n, kernel) in planned.scheduled.program.kernels.iter().enumerate() {
        if !matches!(kernel.code, Code::Library(_)) {
            let code = kernel.lowered().map_err(|e| e.to_string())?.into_owned();
            if seen.insert(code.nameless()) {
                let site = planned.scheduled.sites.iter().find(|s| s.kernel == n);
                let registers = site.and_then(|s| planned.target.thread_registers(s.figures.live));
                // The phases of a kernel share one prediction, which is for the one that needs most.
                let phases = entry_symbol(&code.name, 0).trim_end_matches('0').to_string();
                predicted.extend(registers.map(|r| (phases, r)));
                kernels.push(code);
            }
        }
    }
    let kernels: Vec<_> = kernels.iter().collect();
    let text = compiler.compile(&kernels).map_err(|e| e.to_string())?;
    Ok((String::from_utf8(text).map_err(|e| e.to_string())?, predicted))
}

/// A module, with its name.
type Named = (String, Result<Loaded, String>);

/// The programs at full size.
fn programs() -> Vec<Named> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root().join("tests/programs"))
        .expect("programs")
        .flatten()
        .map(|e| e.path())
        .collect();
    folders.sort();
    let full = folders.iter().filter(|f| f.join("full.hlo").is_file());
    full.map(|folder| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, load::file(&folder.join("full.hlo")).map_err(|e| e.to_string()))
    })
    .collect()
}

/// Products by matrix units: of arrays as they are, of what is computed before, and of sides that are no multiple of a tile.
fn products() -> Vec<Named> {
    let product = |dtype: &str, size: i64| {
        let sum = if dtype == "s8" { "s32" } else { "f32" };
        for_each_way(dtype, sum, size)
    };
    [("bf16", 4096), ("f16", 1000), ("f16", 1001), ("f32", 2048), ("s8", 2048), ("u8", 333)]
        .into_iter()
        .flat_map(|(dtype, size)| product(dtype, size))
        .collect()
}

/// Convolutions by matrix units, of channels that are neighbours and of such that are not, of three channels, with strides, dilations
/// and groups.
fn convolutions() -> Vec<Named> {
    let bf16 = Conv { image: [32, 56, 56], features: [64, 64], ..CONV };
    let types = |types| Conv { types, ..bf16 };
    let all = [
        bf16,
        Conv { image: [32, 28, 28], features: [128, 128], stride: 2, ..bf16 },
        Conv { channels_first: true, ..bf16 },
        Conv { image: [32, 224, 224], features: [3, 64], size: 7, stride: 2, padding: 3, ..bf16 },
        Conv { features: [128, 256], groups: 2, dilation: 2, padding: 2, ..types(("f16", "f16", "f16")) },
        Conv { image: [64, 14, 14], features: [256, 256], ..bf16 },
        Conv { padding: 0, ..bf16 },
        types(("s8", "s8", "s32")),
        Conv { channels_first: true, ..types(("s8", "u8", "s32")) },
        types(("f32", "f32", "f32")),
        Conv { channels_first: true, size: 5, padding: 2, ..types(("f32", "f32", "f32")) },
    ];
    let named = |(n, conv): (usize, Conv)| {
        let name = format!("conv_{n}_{}", conv.types.0);
        (name.clone(), load::text_of(name, conv.text()).map_err(|e| e.to_string()))
    };
    all.into_iter().enumerate().map(named).collect()
}

/// A product of two matrices, the second transposed or not, the first as it is or doubled.
fn for_each_way(dtype: &str, sum: &str, n: i64) -> Vec<Named> {
    let text = |doubled: bool, turned: bool| {
        let (left, k) = (if doubled { "z" } else { "x" }, turned as u8);
        format!(
            "HloModule m\nENTRY e {{\n  x = {dtype}[{n},{n}] parameter(0)\n  y = {dtype}[{n},{n}] parameter(1)\n  \
             z = {dtype}[{n},{n}] add(x, x)\n  d = {sum}[{n},{n}] dot({left}, y), lhs_contracting_dims={{1}}, \
             rhs_contracting_dims={{{k}}}\n  ROOT t = {sum}[{n},{n}] maximum(d, d)\n}}\n"
        )
    };
    let ways = [(false, false), (false, true), (true, false)];
    let named = |(doubled, turned)| {
        let name = format!(
            "{dtype}_{n}{}{}",
            if doubled { "_doubled" } else { "" },
            if turned { "_turned" } else { "" }
        );
        (name.clone(), load::text_of(name, text(doubled, turned)).map_err(|e| e.to_string()))
    };
    ways.map(named).into()
}

fn check(modules: Vec<Named>, cpu: &str, numerics: Numerics) {
    let Some(ptxas) = ptxas() else { return };
    let (mut table, mut wrong, mut shares) = (String::new(), Vec::new(), (0, 0));
    for (name, loaded) in modules {
        let made = loaded.and_then(|loaded| code(&loaded, cpu, numerics));
        let entries =
            made.and_then(|(text, predicted)| Ok((assemble(&ptxas, &name, cpu, &text)?, predicted)));
        match entries {
            Err(e) => wrong.push(format!("{name}: {e}")),
            Ok((entries, predicted)) => {
                for (phases, predicted) in predicted {
                    let is_phase = |e: &&Entry| {
                        e.name.strip_prefix(&phases).is_some_and(|number| number.parse::<u32>().is_ok())
                    };
                    let most = entries.iter().filter(is_phase).map(|e| e.registers as i64).max().unwrap_or(0);
                    let near = 4 * (predicted - most).abs() <= most;
                    let _ = writeln!(
                        table,
                        "{name:28} {phases:36} {predicted:4} predicted, {most:4} used{}",
                        if near { "" } else { " !" }
                    );
                    shares.0 += near as usize;
                    shares.1 += 1;
                }
                for Entry { name: entry, registers, stack, stores, loads } in entries {
                    let _ = writeln!(
                        table,
                        "{name:28} {entry:36} {registers:4} registers, {stack} stack, {stores} + {loads} spilled"
                    );
                    if stack + stores + loads > 0 {
                        wrong.push(format!("{name}: {entry} spills {stores} + {loads} bytes, stack {stack}"));
                    }
                }
            }
        }
    }
    println!("{table}");
    println!("{} of {} kernels use registers within a quarter of what is predicted", shares.0, shares.1);
    assert!(10 * shares.0 >= 9 * shares.1, "{} of {} kernels use registers as predicted", shares.0, shares.1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ampere_keeps_all_kernels_in_registers() {
    check(programs(), "sm_80", Numerics::Standard);
}

#[test]
fn hopper_keeps_all_kernels_in_registers() {
    check(programs(), "sm_90", Numerics::Standard);
}

#[test]
fn products_of_matrices_stay_in_registers() {
    check(products(), "sm_80", Numerics::Fast);
    check(products(), "sm_90", Numerics::Standard);
}

#[test]
fn convolutions_of_matrices_stay_in_registers() {
    check(convolutions(), "sm_80", Numerics::Fast);
    check(convolutions(), "sm_90", Numerics::Fast);
}
