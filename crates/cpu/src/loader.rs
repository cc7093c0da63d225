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
pub type PhaseFn = unsafe extern "C" fn(buffers: *const *mut u8, begin: i64, end: i64, local: *mut u8);

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("not an ELF object: {0}")]
    Parse(#[from] object::Error),
    #[error("the object is for {found:?}, not for this machine")]
    Architecture { found: Architecture },
    #[error("section {0} needs writable memory")]
    Writable(String),
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
                memory[at..at + data.len()].copy_from_slice(data);
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
            if let Some(at) = symbol.section_index().and_then(|i| layout.offsets.get(&i)) {
                functions.insert(symbol.name()?.to_owned(), at + symbol.address() as usize);
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
                let at = layout.end.next_multiple_of(section.align().max(1) as usize);
                layout.offsets.insert(section.index(), at);
                layout.end = at + section.size() as usize;
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
        let target = base + home as u64 + symbol.address();
        let target = target.wrapping_add_signed(relocation.addend());
        let place = at + offset as usize;
        relocate::apply(object.architecture(), kind, memory, place, base + place as u64, target)
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
