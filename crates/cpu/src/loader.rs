//! Loads object files: text becomes executable, constants read-only; no page is ever writable and executable at once.
//!
//! The objects come from `lawson-llvm`: position-independent, without writable data, calling nothing. Whatever else
//! an object asks for is refused.

use crate::mapping::{Mapping, PAGE};
use crate::relocate;
use object::read::elf::ElfFile64;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget};
use object::{SectionIndex, SectionKind};
use rustc_hash::FxHashMap;

/// A phase of a kernel: runs tasks `begin..end` of `buffers` with this thread's private block.
/// Before the addresses of the buffers lies that of the flag which ends loops (see `stop`).
pub type PhaseFn = unsafe extern "C" fn(buffers: *const *mut u8, begin: i64, end: i64, local: *mut u8);

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("not an ELF object: {0}")]
    Parse(#[from] object::Error),
    #[error("the object is for {found:?}, not for this machine")]
    Architecture { found: Architecture },
    #[error("section {0} needs writable memory")]
    Writable(String),
    #[error("section {0} is damaged or too large")]
    Section(String),
    #[error("undefined symbol {0}")]
    Undefined(String),
    #[error("relocation of kind {kind} in {section} cannot be applied")]
    Relocation { kind: u32, section: String },
    #[error("no memory for code: {0}")]
    Memory(#[from] std::io::Error),
    #[error("the object has no code for {0}")]
    Missing(String),
}

/// Code in memory, with the functions it defines. Unmapped on drop.
pub struct Code {
    mapping: Mapping,
    functions: FxHashMap<String, usize>,
}

impl Code {
    pub fn load(bytes: &[u8]) -> Result<Code, LoadError> {
        let object = ElfFile64::<object::Endianness>::parse(bytes)?;
        if object.architecture() != host() {
            return Err(LoadError::Architecture { found: object.architecture() });
        }
        let layout = Layout::of(&object)?;
        let mut mapping = Mapping::new(layout.end.max(1))?;
        let base = mapping.base() as u64;
        let memory = mapping.bytes_mut();
        for section in object.sections() {
            if let Some(&at) = layout.offsets.get(&section.index()) {
                let data = section.data()?;
                let place = at.checked_add(data.len()).and_then(|end| memory.get_mut(at..end));
                place.ok_or_else(|| Layout::too_large(&section))?.copy_from_slice(data);
            }
        }
        for section in object.sections() {
            if let Some(&at) = layout.offsets.get(&section.index()) {
                relocate_section(&object, &section, &layout, memory, base, at)?;
            }
        }
        mapping.protect(0..layout.text_end)?;
        flush_instructions(mapping.base(), layout.text_end);
        let mut functions = FxHashMap::default();
        for symbol in object.symbols().filter(|s| s.is_global() && s.is_definition()) {
            let Some(&at) = symbol.section_index().and_then(|i| layout.offsets.get(&i)) else { continue };
            let at = at.saturating_add(symbol.address() as usize);
            if at < layout.text_end {
                functions.insert(symbol.name()?.to_owned(), at);
            }
        }
        Ok(Code { mapping, functions })
    }

    /// The phase function of this name. It must not be called after the code is dropped.
    pub fn phase(&self, symbol: &str) -> Option<PhaseFn> {
        let at = *self.functions.get(symbol)?;
        // SAFETY: `at` is the start of a function in the mapping, which is executable; `lawson-llvm` gives all global
        // functions this signature. Calling it is the caller's own promise.
        Some(unsafe { std::mem::transmute::<*mut u8, PhaseFn>(self.mapping.base().add(at)) })
    }

    /// Bytes of code and constants, in whole pages.
    pub fn size(&self) -> usize {
        self.mapping.len()
    }
}

/// Where each section goes: text from 0, constants from `text_end`, a page boundary.
struct Layout {
    offsets: FxHashMap<SectionIndex, usize>,
    text_end: usize,
    end: usize,
}

impl Layout {
    fn of(object: &ElfFile64) -> Result<Layout, LoadError> {
        let mut layout = Layout { offsets: FxHashMap::default(), text_end: 0, end: 0 };
        let place = |layout: &mut Layout, kinds: &[SectionKind]| -> Result<(), LoadError> {
            for section in object.sections().filter(|s| kinds.contains(&s.kind()) && s.size() > 0) {
                if section.name()? == ".eh_frame" {
                    continue;
                }
                let align = section.align().clamp(1, PAGE as u64) as usize;
                let at = layout.end.next_multiple_of(align);
                layout.offsets.insert(section.index(), at);
                let end = at.checked_add(section.size() as usize).filter(|&end| end < 1 << 30);
                layout.end = end.ok_or_else(|| Layout::too_large(&section))?;
            }
            layout.end = layout.end.next_multiple_of(PAGE);
            Ok(())
        };
        place(&mut layout, &[SectionKind::Text])?;
        layout.text_end = layout.end;
        use SectionKind::*;
        place(&mut layout, &[ReadOnlyData, ReadOnlyString, ReadOnlyDataWithRel])?;
        let writable = [Data, UninitializedData, Tls, UninitializedTls];
        match object.sections().find(|s| writable.contains(&s.kind()) && s.size() > 0) {
            Some(section) => Err(LoadError::Writable(section.name()?.to_owned())),
            None => Ok(layout),
        }
    }

    fn too_large<'d>(section: &impl ObjectSection<'d>) -> LoadError {
        LoadError::Section(section.name().unwrap_or("?").to_owned())
    }
}

fn relocate_section<'d>(
    object: &ElfFile64<'d>,
    section: &impl ObjectSection<'d>,
    layout: &Layout,
    memory: &mut [u8],
    base: u64,
    at: usize,
) -> Result<(), LoadError> {
    for (offset, relocation) in section.relocations() {
        let RelocationFlags::Elf { r_type: kind } = relocation.flags() else { continue };
        let refused = || LoadError::Relocation { kind, section: section.name().unwrap_or("?").to_owned() };
        let RelocationTarget::Symbol(index) = relocation.target() else { return Err(refused()) };
        let symbol = object.symbol_by_index(index)?;
        let home = symbol.section_index().and_then(|i| layout.offsets.get(&i));
        let Some(&home) = home else {
            return Err(LoadError::Undefined(symbol.name().unwrap_or("?").to_owned()));
        };
        let target = (base + home as u64).wrapping_add(symbol.address());
        let target = target.wrapping_add_signed(relocation.addend());
        let place = at.saturating_add(offset as usize);
        relocate::apply(object.architecture(), kind, memory, place, base.wrapping_add(place as u64), target)
            .ok_or_else(refused)?;
    }
    Ok(())
}

fn host() -> Architecture {
    if cfg!(target_arch = "aarch64") { Architecture::Aarch64 } else { Architecture::X86_64 }
}

/// Makes written code visible to instruction fetch where caches are not coherent.
#[cfg(target_arch = "aarch64")]
fn flush_instructions(base: *mut u8, len: usize) {
    // The smallest line any core has; flushing a line twice does no harm.
    const LINE: usize = 16;
    // SAFETY: cache maintenance on addresses of a live mapping.
    unsafe {
        for at in (0..len).step_by(LINE) {
            std::arch::asm!("dc cvau, {}", in(reg) base.add(at));
        }
        std::arch::asm!("dsb ish");
        for at in (0..len).step_by(LINE) {
            std::arch::asm!("ic ivau, {}", in(reg) base.add(at));
        }
        std::arch::asm!("dsb ish", "isb");
    }
}

#[cfg(not(target_arch = "aarch64"))]
fn flush_instructions(_base: *mut u8, _len: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, CodeBuilder, Elem, Op};
    use lawson_llvm::{Compiler, Effort, TargetSpec};

    static TABLE: [u64; 4] = [10, 20, 30, 40];

    /// `out[task] = TABLE[task]`
    fn object(target: &TargetSpec) -> Vec<u8> {
        let mut b = CodeBuilder::new("k");
        let out = b.buffer("out", Elem::I64, 4, Access::Write);
        let table = b.table(&TABLE);
        b.phase(4, |b, task| {
            let v = b.op(Op::Table { table, index: task });
            b.store(out, task, v, None);
        });
        Compiler::new(target, Effort::Full).unwrap().compile(&[&b.finish()]).unwrap()
    }

    /// The permissions of the page at an address, if it is mapped.
    #[cfg(target_os = "linux")]
    fn permissions(address: usize) -> Option<String> {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let permissions = |line: &str| {
            let (range, rest) = line.split_once(' ')?;
            let (from, to) = range.split_once('-')?;
            let end = |s| usize::from_str_radix(s, 16).ok();
            (end(from)?..end(to)?).contains(&address).then(|| rest[..4].to_owned())
        };
        maps.lines().find_map(permissions)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn code_runs_and_is_never_writable() {
        let code = Code::load(&object(&TargetSpec::host().unwrap())).unwrap();
        let phase = code.phase("k_p0").unwrap();
        assert!(code.phase("k_p1").is_none());
        let mut out = crate::Buffer::new(32).unwrap();
        let buffers = [out.as_mut_ptr()];
        // SAFETY: the kernel writes four words to its one buffer; it uses no private block.
        unsafe { phase(buffers.as_ptr(), 1, 4, std::ptr::null_mut()) };
        assert_eq!(out[..], [0u64, 20, 30, 40].map(u64::to_le_bytes).concat());
        let text = phase as usize;
        let constants = code.mapping.base() as usize + code.size() - PAGE;
        assert_eq!(permissions(text).as_deref(), Some("r-xp"));
        assert_eq!(permissions(constants).as_deref(), Some("r--p"));
    }

    #[test]
    fn damaged_objects_are_refused() {
        let object = object(&TargetSpec::host().unwrap());
        for len in (0..object.len()).step_by(7) {
            // Cutting only the padding at the end does no harm.
            if let Ok(code) = Code::load(&object[..len]) {
                assert!(code.phase("k_p0").is_some());
            }
        }
        for at in 0..object.len() {
            let mut damaged = object.clone();
            damaged[at] ^= 0xff;
            let _ = Code::load(&damaged);
        }
    }

    #[test]
    fn objects_for_other_machines_are_refused() {
        let other = if cfg!(target_arch = "aarch64") { "zen4" } else { "neoverse" };
        let object = object(&TargetSpec::named(other).unwrap());
        assert!(matches!(Code::load(&object), Err(LoadError::Architecture { .. })));
    }
}
