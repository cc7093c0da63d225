//! ELF relocations: patches one place of the code with an address, for the kinds LLVM emits in position-independent
//! code without external symbols.

use object::Architecture;
use object::elf::*;

/// Patches `bytes` at `at`, which will run at address `place`, to refer to the address `target` (addend included).
/// `None` when the kind is not known, or the distance does not fit it.
pub fn apply(
    arch: Architecture,
    kind: u32,
    bytes: &mut [u8],
    at: usize,
    place: u64,
    target: u64,
) -> Option<()> {
    match arch {
        Architecture::X86_64 => x86_64(kind, bytes, at, place, target),
        Architecture::Aarch64 => aarch64(kind, bytes, at, place, target),
        _ => None,
    }
}

fn x86_64(kind: u32, bytes: &mut [u8], at: usize, place: u64, target: u64) -> Option<()> {
    let distance = target.wrapping_sub(place);
    match kind {
        R_X86_64_PC32 | R_X86_64_PLT32 => put(bytes, at, i32::try_from(distance as i64).ok()?.to_le_bytes()),
        R_X86_64_PC64 => put(bytes, at, distance.to_le_bytes()),
        R_X86_64_64 => put(bytes, at, target.to_le_bytes()),
        R_X86_64_32 => put(bytes, at, u32::try_from(target).ok()?.to_le_bytes()),
        R_X86_64_32S => put(bytes, at, i32::try_from(target as i64).ok()?.to_le_bytes()),
        _ => None,
    }
}

fn aarch64(kind: u32, bytes: &mut [u8], at: usize, place: u64, target: u64) -> Option<()> {
    let distance = target.wrapping_sub(place);
    match kind {
        R_AARCH64_ABS64 => return put(bytes, at, target.to_le_bytes()),
        R_AARCH64_PREL32 => return put(bytes, at, i32::try_from(distance as i64).ok()?.to_le_bytes()),
        R_AARCH64_PREL64 => return put(bytes, at, distance.to_le_bytes()),
        _ => {}
    }
    // The rest sets fields of an instruction.
    let old = u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?);
    let low12 = |shift: u32| Some(((target & 0xfff) as u32 >> shift) << 10);
    let (mask, field) = match kind {
        R_AARCH64_ADR_PREL_PG_HI21 => {
            let pages = (target >> 12).wrapping_sub(place >> 12) as i64;
            let pages = i32::try_from(pages).ok().filter(|p| (-(1 << 20)..1 << 20).contains(p))? as u32;
            (0x60ff_ffe0, (pages & 3) << 29 | (pages >> 2 & 0x7_ffff) << 5)
        }
        R_AARCH64_CALL26 | R_AARCH64_JUMP26 => {
            let words = (distance as i64) >> 2;
            let words = i32::try_from(words).ok().filter(|w| (-(1 << 25)..1 << 25).contains(w))? as u32;
            (0x03ff_ffff, words & 0x03ff_ffff)
        }
        R_AARCH64_ADD_ABS_LO12_NC | R_AARCH64_LDST8_ABS_LO12_NC => (0x003f_fc00, low12(0)?),
        R_AARCH64_LDST16_ABS_LO12_NC => (0x003f_fc00, low12(1)?),
        R_AARCH64_LDST32_ABS_LO12_NC => (0x003f_fc00, low12(2)?),
        R_AARCH64_LDST64_ABS_LO12_NC => (0x003f_fc00, low12(3)?),
        R_AARCH64_LDST128_ABS_LO12_NC => (0x003f_fc00, low12(4)?),
        _ => return None,
    };
    put(bytes, at, (old & !mask | field).to_le_bytes())
}

fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) -> Option<()> {
    bytes.get_mut(at..at + N)?.copy_from_slice(&value);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(arch: Architecture, kind: u32, old: u32, place: u64, target: u64) -> Option<u32> {
        let mut bytes = old.to_le_bytes();
        apply(arch, kind, &mut bytes, 0, place, target)?;
        Some(u32::from_le_bytes(bytes))
    }

    #[test]
    fn x86_distances() {
        let x86 = |kind, place, target| patched(Architecture::X86_64, kind, 0, place, target);
        assert_eq!(x86(R_X86_64_PC32, 0x1000, 0x0ff0), Some(-16i32 as u32));
        assert_eq!(x86(R_X86_64_PC32, 0, 1 << 31), None);
        assert_eq!(x86(R_X86_64_32S, 0, 1 << 40), None);
        assert_eq!(x86(R_X86_64_GOTPCREL, 0, 0), None);
    }

    #[test]
    fn arm_instructions() {
        let arm = |kind, old, place, target| patched(Architecture::Aarch64, kind, old, place, target);
        // adrp x0, 2 pages on; add x0, x0, #0x234; ldr q0, [x0, #0x230]; bl +8
        assert_eq!(arm(R_AARCH64_ADR_PREL_PG_HI21, 0x9000_0000, 0x1ff8, 0x3234), Some(0xd000_0000));
        assert_eq!(arm(R_AARCH64_ADD_ABS_LO12_NC, 0x9100_0000, 0, 0x3234), Some(0x9108_d000));
        assert_eq!(arm(R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc0_0000, 0, 0x3230), Some(0x3dc0_8c00));
        assert_eq!(arm(R_AARCH64_CALL26, 0x9400_0000, 0x1000, 0x1008), Some(0x9400_0002));
        assert_eq!(arm(R_AARCH64_CALL26, 0x9400_0000, 0, 1 << 30), None);
    }

    #[test]
    fn places_outside_are_refused() {
        assert_eq!(apply(Architecture::X86_64, R_X86_64_64, &mut [0; 4], 0, 0, 0), None);
        assert_eq!(apply(Architecture::Aarch64, R_AARCH64_CALL26, &mut [0; 4], 2, 0, 0), None);
    }
}
