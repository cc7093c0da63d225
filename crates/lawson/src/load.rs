//! Reading a module: file, text, rules. Errors show the guilty line with a caret.
//!
//! HLO text, StableHLO text and portable artifacts of StableHLO are told apart by what is in them.

use crate::error::{Error, ErrorCode};
use crate::stablehlo;
use lawson_hlo::verify::{self, Fault};
use lawson_hlo::{Module, text};
use std::io::Read;
use std::path::Path;

/// A verified module with the text it came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The name of the file as the user gave it.
    pub file: String,
    /// The text it came from.
    pub text: String,
    /// The module, verified.
    pub module: Module,
}

/// More faults than this are counted, not shown.
const SHOWN_FAULTS: usize = 20;

/// Reads and verifies the module of a file; `-` is standard input.
pub fn file(path: &Path) -> Result<Loaded, Error> {
    let name = path.display().to_string();
    let bytes = if path == Path::new("-") { standard_input() } else { std::fs::read(path) };
    let bytes = bytes.map_err(|e| Error::file(path, "read", e))?;
    of_bytes(name, bytes)
}

/// Reads and verifies a module in any of the forms that files may have.
///
/// # Errors
/// What is wrong, with its line, or its offset where there are none.
pub fn of_bytes(name: String, bytes: Vec<u8>) -> Result<Loaded, Error> {
    if lawson_stablehlo::is_artifact(&bytes) {
        let module = lawson_stablehlo::read_artifact(&bytes).map_err(|e| stablehlo::error(&name, "", e))?;
        // Reports quote lines: those of the module as HLO text.
        return text_of(format!("{name} as HLO"), text::print(&module));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let what = match e.as_bytes() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text, not UTF-8",
            _ => "not UTF-8 text",
        };
        let forms = "Lawson reads HLO text, StableHLO text and portable artifacts of StableHLO";
        Error::new(ErrorCode::Parse, format!("{name}: {what}; {forms}"))
    })?;
    if !lawson_stablehlo::is_text(&text) {
        return text_of(name, text);
    }
    let module = lawson_stablehlo::read_text(&text).map_err(|e| stablehlo::error(&name, &text, e))?;
    Ok(Loaded { file: name, text, module })
}

/// Parses and verifies the text of a module that is in no file.
///
/// # Errors
/// The line, with the guilty part underlined.
pub fn parse(text: &str) -> Result<Module, Error> {
    Ok(text_of("module".into(), text.into())?.module)
}

/// Parses and verifies a module's text.
pub fn text_of(file: String, text: String) -> Result<Loaded, Error> {
    let text = text.strip_prefix(text::BYTE_ORDER_MARK).map(str::to_string).unwrap_or(text);
    let module = text::parse(&text).map_err(|e| {
        let rendered = e.render(&file, &text);
        let message = rendered.trim_end().trim_start_matches("error: ").to_string();
        Error::new(ErrorCode::Parse, message)
    })?;
    let loaded = Loaded { file, text, module };
    verify::verify(&loaded.module).map_err(|f| loaded.faults(ErrorCode::Verify, &f))?;
    Ok(loaded)
}

impl Loaded {
    /// Checks that every device could run the module; what cannot run is named with its line.
    pub fn check_supported(&self) -> Result<(), Error> {
        verify::supported(&self.module).map_err(|f| self.faults(ErrorCode::Unsupported, &f))
    }

    /// One message for all faults, each with its line.
    pub(crate) fn faults(&self, code: ErrorCode, faults: &[Fault]) -> Error {
        let mut parts: Vec<String> = faults.iter().take(SHOWN_FAULTS).map(|f| self.render(f)).collect();
        if faults.len() > SHOWN_FAULTS {
            parts.push(format!("… and {} more", faults.len() - SHOWN_FAULTS));
        }
        Error::new(code, parts.join("\n"))
    }

    fn render(&self, fault: &Fault) -> String {
        let line = self.text.lines().nth(fault.line.saturating_sub(1) as usize);
        let Some(line) = line.filter(|_| fault.line > 0) else {
            return format!("{}\n --> {}", fault, self.file);
        };
        let place = Fault { line: 0, ..fault.clone() };
        excerpt(&place.to_string(), &self.file, fault.line, line, &fault.instruction)
    }
}

/// The message, the place, and the line with `name` underlined.
fn excerpt(message: &str, file: &str, number: u32, line: &str, name: &str) -> String {
    const WIDTH: usize = 110;
    let start = line.find(name).filter(|_| !name.is_empty());
    let start = start.unwrap_or(line.len() - line.trim_start().len());
    let column = line[..start].chars().count();
    let shown: String = line.chars().take(WIDTH.max(column + 20)).collect();
    let more = if shown.len() < line.len() { " …" } else { "" };
    let gutter = " ".repeat(number.to_string().len());
    let marks = "^".repeat(name.chars().count().max(1));
    format!(
        "{message}\n{gutter}--> {file}:{number}:{}\n{gutter} |\n{number} | {shown}{more}\n{gutter} | {}{marks}",
        column + 1,
        " ".repeat(column),
    )
}

fn standard_input() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The array leaves of the entry's parameters, in the order of `arg0`, `arg1`, ….
pub fn parameter_leaves(module: &Module) -> Vec<&lawson_hlo::ArrayShape> {
    module.entry().parameter_shapes().into_iter().flat_map(|s| s.leaves()).collect()
}

/// The array leaves of the entry's result, in the order of `out0`, `out1`, ….
pub fn result_leaves(module: &Module) -> Vec<&lawson_hlo::ArrayShape> {
    module.entry().root().shape.leaves()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Error {
        text_of("m.hlo".into(), text.into()).and_then(|l| l.check_supported()).expect_err("an error")
    }

    #[test]
    fn a_parse_error_shows_its_place() {
        let e = error("HloModule m\nENTRY e {\n  ROOT a = f32[2] frobnicate()\n}\n");
        assert_eq!(e.code, ErrorCode::Parse);
        assert!(e.message.contains("m.hlo:3:") && e.message.contains("^"), "{e}");
    }

    #[test]
    fn a_broken_rule_shows_its_place() {
        let e = error(
            "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[3] parameter(1)\n  ROOT c = f32[2] add(a, b)\n}\n",
        );
        assert_eq!(e.code, ErrorCode::Verify);
        assert!(e.message.contains("m.hlo:5:8\n"), "{e}");
        assert!(e.message.ends_with("  |        ^"), "{e}");
    }

    #[test]
    fn what_no_device_runs_is_named() {
        let e = error(
            "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT c = f32[8] rng(a, a), distribution=rng_uniform\n}\n",
        );
        assert_eq!(e.code, ErrorCode::Unsupported);
        assert!(e.message.contains("`rng` is not supported"), "{e}");
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let text = "\u{feff}HloModule m\nENTRY e {\n  ROOT a = f32[2] parameter(0)\n}\n";
        assert!(Module::parse(text).is_ok());
        assert!(text_of("m.hlo".into(), text.into()).is_ok_and(|l| l.text.starts_with("HloModule")));
        let e = error("\u{feff}HloModule m%\n");
        assert!(e.message.contains("m.hlo:1:12"), "{e}");
    }

    const STABLEHLO: &str = "module @m {\n  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n    %0 = stablehlo.OP %x, %x : tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n}\n";

    #[test]
    fn stablehlo_is_told_by_what_is_in_it() {
        let loaded = of_bytes("f.mlir".into(), STABLEHLO.replace("OP", "add").into()).expect("a module");
        assert_eq!(loaded.module.sources.iter().map(|s| s.line).max(), Some(3));
        assert!(loaded.check_supported().is_ok());
    }

    #[test]
    fn errors_in_stablehlo_show_their_place() {
        let of =
            |op: &str| of_bytes("f.mlir".into(), STABLEHLO.replace("OP", op).into()).expect_err("an error");
        let e = of("uniform_quantize");
        assert_eq!(e.code, ErrorCode::Unsupported);
        assert!(e.message.contains("f.mlir:3:10\n"), "{e}");
        assert_eq!(of("add %y,").code, ErrorCode::Parse);
        let e =
            of_bytes("f.mlir.bc".into(), b"ML\xefR\x0dStableHLO_v1.9.0\0".to_vec()).expect_err("an error");
        assert_eq!(e.message, "f.mlir.bc: byte 22: the section of texts is missing");
    }
}
