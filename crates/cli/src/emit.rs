//! `lawson opt --emit`: the kernels of a module in each of their representations, or the program that launches them.

use crate::args::EmitArg;
use lawson::compile::{self, Planned};
use lawson::hlo::Opcode;
use lawson::options::option_error;
use lawson::{Error, ErrorCode, Options};
use lawson_kernel::program::Code;
use lawson_llvm::Compiler;
use lawson_opt::schedule::LaunchSite;
use rustc_hash::FxHashSet;

/// The text of all kernels, or of the one that `wanted` names.
pub fn text(
    planned: &Planned,
    form: EmitArg,
    wanted: Option<&str>,
    options: &Options,
) -> Result<String, Error> {
    if form == EmitArg::Program {
        return match wanted {
            None => Ok(planned.scheduled.program.to_string()),
            Some(_) => Err(option_error("--kernel: a program is printed with all of its kernels")),
        };
    }
    let sites: Vec<&LaunchSite> =
        planned.scheduled.sites.iter().filter(|s| wanted.is_none_or(|w| is_named(planned, s, w))).collect();
    if let (Some(wanted), true) = (wanted, sites.is_empty()) {
        let names: Vec<&str> = planned.scheduled.sites.iter().map(|s| name(planned, s)).collect();
        return Err(option_error(format!(
            "--kernel: no kernel or instruction in one is called `{wanted}`; the kernels are {}",
            names.join(", ")
        )));
    }
    let compiler = match form {
        EmitArg::Llvm | EmitArg::Asm | EmitArg::Ptx => Some(compiler(options, form)?),
        _ => None,
    };
    let mut out = String::new();
    let mut done = FxHashSet::default();
    for site in sites {
        let kernel = &planned.scheduled.program.kernels[site.kernel];
        if let Code::Library(library) = &kernel.code {
            // No other form says more, since it is called and not compiled.
            out +=
                &format!("// {}, of the library\n{}\n", name(planned, site), library.call.text(&kernel.name));
            continue;
        }
        let text = match (form, kernel.source()) {
            (EmitArg::Region, Some(planned)) => planned.region.to_string(),
            (EmitArg::Plan, Some(planned)) => planned.plan.to_string(),
            _ => {
                let code = kernel.lowered().map_err(internal)?;
                if !done.insert(code.nameless()) {
                    // The same code at another place.
                    continue;
                }
                match (form, &compiler) {
                    (EmitArg::Llvm, Some(c)) => c.ir_text(&code).map_err(internal)?,
                    (EmitArg::Asm | EmitArg::Ptx, Some(c)) => c.asm_text(&code).map_err(internal)?,
                    _ => code.to_string(),
                }
            }
        };
        out += &format!("// {}\n{}\n\n", name(planned, site), text.trim_end());
    }
    out.truncate(out.trim_end().len());
    Ok(out + "\n")
}

fn compiler(options: &Options, form: EmitArg) -> Result<Compiler, Error> {
    // It is read, not run: it may be for another processor than this.
    let spec = options.machine()?.spec()?;
    if form == EmitArg::Ptx && !spec.is_gpu() {
        return Err(option_error(
            "--emit ptx: give a graphics processor to make code for, such as --target sm_90",
        ));
    }
    Compiler::new(&spec, compile::effort(options)).map_err(internal)
}

fn name<'p>(planned: &'p Planned, site: &LaunchSite) -> &'p str {
    &planned.module[site.computation][site.instruction].name
}

/// Whether the kernel has this name, or computes an instruction that has.
fn is_named(planned: &Planned, site: &LaunchSite, wanted: &str) -> bool {
    let comp = &planned.module[site.computation];
    let instr = &comp[site.instruction];
    let symbol = &planned.scheduled.program.kernels[site.kernel].name;
    let within = instr.attrs.called().into_iter().filter(|_| instr.opcode == Opcode::Fusion);
    let inside = within.flat_map(|c| {
        let called = &planned.module[c];
        std::iter::once(&called.name).chain(called.instrs.iter().map(|i| &i.name))
    });
    let sources = instr.origin.sources().iter().filter_map(|&s| planned.module.sources.get(s as usize));
    symbol == wanted
        || std::iter::once(&instr.name)
            .chain(inside)
            .chain(sources.map(|s| &s.name))
            .any(|name| &**name == wanted)
}

fn internal(e: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::Internal, e.to_string())
}
