//! Reading a module: file, text, rules. Errors show the guilty line with a caret.

use crate::error::{Error, ErrorCode};
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
    let text = String::from_utf8(bytes).map_err(|e| {
        let what = match e.as_bytes() {
            [b'M', b'L', 0xef, b'R', ..] => "MLIR bytecode",
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text, not UTF-8",
            _ => "not UTF-8 text",
        };
        Error::new(ErrorCode::Parse, format!("{name}: {what}; Lawson reads HLO text"))
    })?;
    text_of(name, text)
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
        Error::new(ErrorCode::Parse, message + mlir_hint(&text))
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

fn mlir_hint(text: &str) -> &'static str {
    if text.trim_start().starts_with("module @") || text.contains("stablehlo.") {
        "\nthis looks like MLIR; get HLO text with compiler_ir('hlo').as_hlo_text(print_large_constants=True)"
    } else {
        ""
    }
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
        let e = error("HloModule m\nENTRY e {\n  a = c64[2] parameter(0)\n  ROOT c = c64[2] tanh(a)\n}\n");
        assert_eq!(e.code, ErrorCode::Unsupported);
        assert!(e.message.contains("c64"), "{e}");
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let text = "\u{feff}HloModule m\nENTRY e {\n  ROOT a = f32[2] parameter(0)\n}\n";
        assert!(Module::parse(text).is_ok());
        assert!(text_of("m.hlo".into(), text.into()).is_ok_and(|l| l.text.starts_with("HloModule")));
        let e = error("\u{feff}HloModule m%\n");
        assert!(e.message.contains("m.hlo:1:12"), "{e}");
    }

    #[test]
    fn mlir_is_recognised() {
        assert!(error("module @jit_f {\n}\n").message.contains("as_hlo_text"));
    }
}
