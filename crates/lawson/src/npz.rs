//! `.npz` files: the inputs and outputs of a module as named numpy arrays.
//!
//! Arrays are `PREFIX0`, `PREFIX1`, … in order, one for each leaf. bf16 travels as raw `uint16`, pred as `bool`,
//! integers below a byte as `int8` or `uint8`, elements of a prime field as the values that they have, whatever their storage
//! (`uint32`, `uint64`), those of an extension with their coefficients along a last axis. Reading checks every name, type and extent against what the module
//! declares, reports all faults at once, and never reads more than the declared bytes, so no archive can fill the
//! memory.

use crate::error::{Error, ErrorCode};
use crate::npy::Header;
use crate::output;
use lawson_hlo::dtype::{Algebra, Composite, Float, TypeKind, U256, Width};
use lawson_hlo::math::composite::part_count;
use lawson_hlo::{ArrayShape, DType, Literal};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Reads the arrays `{prefix}0`, `{prefix}1`, … of exactly these shapes.
pub fn read(path: &Path, prefix: &str, shapes: &[&ArrayShape]) -> Result<Vec<Literal>, Error> {
    let file = File::open(path).map_err(|e| Error::file(path, "read", e))?;
    read_from(BufReader::new(file), prefix, shapes).map_err(|faults| {
        Error::new(ErrorCode::Input, format!("{}: {}", path.display(), faults.join("\n  ")))
    })
}

/// Writes the arrays as `{prefix}0`, `{prefix}1`, ….
pub fn write(path: &Path, prefix: &str, arrays: &[&Literal]) -> Result<(), Error> {
    output::write(path, |sink| Ok(write_to(sink, prefix, arrays)?))
}

/// Reads every array of an archive, by name, in the order of the archive; at most `limit` bytes.
///
/// # Errors
/// The file cannot be read, or an array is of a type that Lawson does not know.
pub fn read_all(path: &Path, limit: u64) -> Result<Vec<(String, Literal)>, Error> {
    let at_fault = |e: String| Error::new(ErrorCode::Input, format!("{}: {e}", path.display()));
    let file = File::open(path).map_err(|e| Error::file(path, "read", e))?;
    let mut archive = ZipArchive::new(BufReader::new(file))
        .map_err(|e| at_fault(format!("not a .npz archive, or truncated: {e}")))?;
    let mut left = limit;
    let mut arrays = Vec::new();
    for n in 0..archive.len() {
        let entry = archive.by_index(n).map_err(|e| at_fault(e.to_string()))?;
        let name = entry.name().map_err(|e| at_fault(e.to_string()))?.to_string();
        let array = read_any(entry, left).map_err(|e| at_fault(format!("array {name}: {e}")))?;
        left -= array.bytes().len() as u64;
        arrays.push((name.strip_suffix(".npy").unwrap_or(&name).to_string(), array));
    }
    Ok(arrays)
}

/// Writes arrays under their names.
///
/// # Errors
/// The file cannot be written.
pub fn write_all(path: &Path, arrays: &[(&str, &Literal)]) -> Result<(), Error> {
    output::write(path, |sink| Ok(write_named(sink, arrays)?))
}

/// What numpy's own types are read as.
const NATURAL: [DType; 14] = [
    DType::Pred,
    DType::S8,
    DType::S16,
    DType::S32,
    DType::S64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::F16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

/// Reads an array with its header, of at most `limit` bytes.
pub(crate) fn read_any(mut reader: impl Read, limit: u64) -> Result<Literal, String> {
    let header = Header::read(&mut reader)?;
    let found = NATURAL.iter().copied().find(|&d| check_type(&header.descr, d).is_some());
    let Some(dtype) = found else {
        return Err(format!("its type {} is none that Lawson knows", numpy_name(&header.descr)));
    };
    let dims = header.dims.iter().map(|&d| i64::try_from(d).ok()).collect::<Option<Vec<i64>>>();
    let shape = dims.map(|dims| ArrayShape::new(dtype, dims));
    let bytes = |s: &ArrayShape| s.checked_elements()?.checked_mul(dtype.size() as i64);
    match shape {
        Some(shape) if bytes(&shape).is_some_and(|n| n as u64 <= limit) => read_data(reader, &header, &shape),
        _ => Err(format!("its shape {:?} is above the limit of {limit} bytes", header.dims)),
    }
}

/// The bytes of a file with one array.
pub(crate) fn to_npy(array: &Literal) -> Vec<u8> {
    let dims = in_file(array.shape()).dims.iter().map(|&d| d as u64).collect();
    let header = Header { descr: descr_of(array.dtype()).into(), fortran_order: false, dims };
    let mut bytes = array.bytes().to_vec();
    if let Some(field) = array.dtype().part().field() {
        words(&mut bytes, array.dtype().part(), |word| Some(field.value(word)));
    }
    if let Some(field) = array.dtype().wide_field() {
        for element in bytes.as_chunks_mut::<32>().0 {
            *element = field.value(U256::from_bytes(*element)).to_bytes();
        }
    }
    [header.to_bytes(), bytes].concat()
}

fn read_from(
    source: impl Read + Seek,
    prefix: &str,
    shapes: &[&ArrayShape],
) -> Result<Vec<Literal>, Vec<String>> {
    let mut archive =
        ZipArchive::new(source).map_err(|e| vec![format!("not a .npz archive, or truncated: {e}")])?;
    let wanted: Vec<String> = (0..shapes.len()).map(|i| format!("{prefix}{i}")).collect();
    let known: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let mut faults = Vec::new();
    for name in archive.file_names() {
        match name.as_deref().map(|n| n.strip_suffix(".npy").unwrap_or(n)) {
            Ok(name) if known.contains(name) => {}
            Ok(name) => {
                let takes = describe_names(prefix, shapes.len());
                faults.push(format!("array {name} is extra: the module has {takes}"));
            }
            Err(e) => faults.push(format!("an array's name cannot be read: {e}")),
        }
    }
    faults.sort();
    let mut arrays = Vec::with_capacity(shapes.len());
    for (name, shape) in wanted.iter().zip(shapes) {
        let entry = match archive.by_name(&format!("{name}.npy")) {
            Ok(entry) => entry,
            Err(zip::result::ZipError::FileNotFound) => {
                faults.push(format!("array {name} is missing: the module declares {shape}"));
                continue;
            }
            Err(e) => {
                faults.push(format!("array {name}: {e}"));
                continue;
            }
        };
        match read_array(entry, shape) {
            Ok(array) => arrays.push(array),
            Err(e) => faults.push(format!("array {name}: {e}")),
        }
    }
    if faults.is_empty() { Ok(arrays) } else { Err(faults) }
}

fn describe_names(prefix: &str, count: usize) -> String {
    match count {
        0 => "no arrays".into(),
        1 => format!("only {prefix}0"),
        n => format!("{prefix}0 to {prefix}{}", n - 1),
    }
}

fn read_array(mut reader: impl Read, shape: &ArrayShape) -> Result<Literal, String> {
    let header = Header::read(&mut reader)?;
    let swap = check_type(&header.descr, shape.dtype).ok_or_else(|| {
        format!("its type is {}, the module declares {}", numpy_name(&header.descr), wants(shape))
    })?;
    let dims = in_file(shape).dims;
    if !header.dims.iter().map(|&d| d as i128).eq(dims.iter().map(|&d| d as i128)) {
        return Err(format!("its shape is {:?}, the module declares {dims:?}", header.dims));
    }
    read_elements(reader, &header, shape, swap)
}

fn read_data(reader: impl Read, header: &Header, shape: &ArrayShape) -> Result<Literal, String> {
    let swap = check_type(&header.descr, shape.dtype).ok_or("its type is not known")?;
    read_elements(reader, header, shape, swap)
}

fn read_elements(
    reader: impl Read,
    header: &Header,
    shape: &ArrayShape,
    swap: bool,
) -> Result<Literal, String> {
    let expected = shape.bytes() as u64;
    let mut bytes = Vec::with_capacity(expected as usize);
    // One byte more than declared tells a file that is too long, and makes the archive check its checksum.
    reader.take(expected + 1).read_to_end(&mut bytes).map_err(|e| format!("its data cannot be read: {e}"))?;
    if (bytes.len() as u64) < expected {
        return Err(format!("it is truncated: {} of {expected} bytes", bytes.len()));
    }
    if bytes.len() as u64 > expected {
        return Err(format!("it holds more than the {expected} bytes of {shape}"));
    }
    if swap {
        bytes.chunks_exact_mut(shape.dtype.part().size()).for_each(<[u8]>::reverse);
    }
    normalise(&mut bytes, shape.dtype)?;
    let filed = in_file(shape);
    if header.fortran_order && filed.rank() > 1 {
        bytes = row_major(&bytes, &filed);
    }
    Ok(Literal::new(ArrayShape { layout: None, ..shape.clone() }, bytes))
}

/// The array that stands in a file for one of this shape.
fn in_file(shape: &ArrayShape) -> ArrayShape {
    match shape.dtype.composite() {
        Some(Composite { part, algebra: Algebra::Extension(_) | Algebra::Words(_) }) => {
            let parts = part_count(shape.dtype) as i64;
            ArrayShape::new(part, [&shape.dims[..], &[parts]].concat())
        }
        Some(Composite { algebra: Algebra::Complex, .. }) | None => shape.clone(),
    }
}

/// Replaces each word of a field's elements; the first that is replaced by nothing is given back with its place.
fn words(bytes: &mut [u8], part: DType, f: impl Fn(u64) -> Option<u64>) -> Option<(usize, u64)> {
    let mut wide = [0; 8];
    for (i, word) in bytes.chunks_exact_mut(part.size()).enumerate() {
        wide[..word.len()].copy_from_slice(word);
        let old = u64::from_le_bytes(wide);
        let Some(new) = f(old) else { return Some((i, old)) };
        word.copy_from_slice(&new.to_le_bytes()[..word.len()]);
    }
    None
}

/// Whether the bytes must be swapped, if `descr` is a numpy type that `dtype` travels as.
fn check_type(descr: &str, dtype: DType) -> Option<bool> {
    let (order, kind) = descr.split_at_checked(1)?;
    let raw = !dtype.is_field() && kind == format!("V{}", dtype.size());
    // What numpy writes for float8_e5m2, and cannot read.
    let small = dtype.is_small_float() && kind == "f1";
    let known = kind == &descr_of(dtype)[1..] || raw || small;
    match order {
        "<" | "|" | "=" if known => Some(false),
        ">" if known => Some(dtype.part().size() > 1),
        _ => None,
    }
}

/// The numpy type an element type travels as.
fn descr_of(dtype: DType) -> &'static str {
    match dtype.kind() {
        TypeKind::Pred => "|b1",
        TypeKind::Signed(width) => match width {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 => "|i1",
            Width::W16 => "<i2",
            Width::W32 => "<i4",
            Width::W64 => "<i8",
        },
        TypeKind::Unsigned(width) => match width {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 => "|u1",
            Width::W16 => "<u2",
            Width::W32 => "<u4",
            Width::W64 => "<u8",
        },
        TypeKind::Float(float) => match float {
            Float::F16 => "<f2",
            Float::Bf16 => "<u2",
            Float::F32 => "<f4",
            Float::F64 => "<f8",
            Float::Small(_) => "|u1",
        },
        TypeKind::Field(field) => descr_of(field.prime.parameters().word.unsigned()),
        TypeKind::Composite(Composite { algebra: Algebra::Extension(_) | Algebra::Words(_), part }) => {
            descr_of(part)
        }
        TypeKind::Composite(Composite { algebra: Algebra::Complex, part }) => {
            if part.is_f64() {
                "<c16"
            } else {
                "<c8"
            }
        }
    }
}

/// `float32` for `<f4`; what is not known stays.
fn numpy_name(descr: &str) -> String {
    let Some((_, kind)) = descr.split_at_checked(1) else { return descr.into() };
    let Some((letter, size)) = kind.split_at_checked(1) else { return descr.into() };
    let class = match letter {
        "b" => return "bool".into(),
        "i" => "int",
        "u" => "uint",
        "f" => "float",
        "c" => "complex",
        _ => return descr.into(),
    };
    size.parse::<u32>().map_or_else(|_| descr.into(), |n| format!("{class}{}", n * 8))
}

fn wants(shape: &ArrayShape) -> String {
    let travels = numpy_name(descr_of(shape.dtype));
    format!("{} ({travels} in files)", shape.dtype)
}

/// Brings foreign bytes into the form of literals: pred is 0 or 1, narrow integers are in range, values of a field are
/// stored.
fn normalise(bytes: &mut [u8], dtype: DType) -> Result<(), String> {
    if let Some(field) = dtype.part().field() {
        let modulus = field.prime.modulus();
        let stored = |value| (value < modulus).then(|| field.stored(value));
        return match words(bytes, dtype.part(), stored) {
            Some((i, value)) => {
                Err(format!("element {i} is {value}, no value of {dtype}: they are below {modulus}"))
            }
            None => Ok(()),
        };
    }
    if let Some(field) = dtype.wide_field() {
        let modulus = field.prime.modulus();
        for (i, element) in bytes.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let value = U256::from_bytes(*element);
            if !value.is_below(modulus) {
                return Err(format!("element {i} is {value}, no value of {dtype}: they are below {modulus}"));
            }
            *element = field.stored(value).to_bytes();
        }
        return Ok(());
    }
    let (low, high) = match dtype.kind() {
        TypeKind::Pred => {
            bytes.iter_mut().for_each(|b| *b = (*b != 0) as u8);
            return Ok(());
        }
        TypeKind::Signed(width @ (Width::W1 | Width::W2 | Width::W4)) => {
            let (low, high) = width.signed_range();
            (low as i16, high as i16)
        }
        TypeKind::Unsigned(width @ (Width::W1 | Width::W2 | Width::W4)) => {
            (0, width.greatest_unsigned() as i16)
        }
        TypeKind::Signed(Width::W8 | Width::W16 | Width::W32 | Width::W64)
        | TypeKind::Unsigned(Width::W8 | Width::W16 | Width::W32 | Width::W64)
        | TypeKind::Float(_)
        | TypeKind::Field(_)
        | TypeKind::Composite(_) => return Ok(()),
    };
    let value = |b: u8| if dtype.is_signed() { b as i8 as i16 } else { b as i16 };
    match bytes.iter().position(|&b| !(low..=high).contains(&value(b))) {
        Some(i) => Err(format!("element {i} is {}, outside {dtype}'s {low} to {high}", value(bytes[i]))),
        None => Ok(()),
    }
}

/// Reorders an array whose first dimension varies fastest.
fn row_major(bytes: &[u8], shape: &ArrayShape) -> Vec<u8> {
    let size = shape.dtype.size();
    let mut strides = vec![1usize; shape.rank()];
    for i in 1..shape.rank() {
        strides[i] = strides[i - 1] * shape.dims[i - 1] as usize;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0i64; shape.rank()];
    for _ in 0..shape.elements() {
        let at: usize = index.iter().zip(&strides).map(|(&i, &s)| i as usize * s).sum();
        out.extend_from_slice(&bytes[at * size..(at + 1) * size]);
        for d in (0..shape.rank()).rev() {
            index[d] += 1;
            if index[d] < shape.dims[d] {
                break;
            }
            index[d] = 0;
        }
    }
    out
}

fn write_to(target: impl Write + Seek, prefix: &str, arrays: &[&Literal]) -> zip::result::ZipResult<()> {
    let names: Vec<String> = (0..arrays.len()).map(|i| format!("{prefix}{i}")).collect();
    let named: Vec<(&str, &Literal)> = names.iter().map(String::as_str).zip(arrays.iter().copied()).collect();
    write_named(target, &named)
}

fn write_named(target: impl Write + Seek, arrays: &[(&str, &Literal)]) -> zip::result::ZipResult<()> {
    let mut archive = ZipWriter::new(target);
    for (name, array) in arrays {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(array.bytes().len() > u32::MAX as usize / 2);
        archive.start_file(format!("{name}.npy"), options)?;
        archive.write_all(&to_npy(array))?;
    }
    archive.finish()?.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_hlo::Scalar;
    use std::io::Cursor;

    fn shape(dtype: DType, dims: &[i64]) -> ArrayShape {
        ArrayShape::new(dtype, dims)
    }

    fn archive(arrays: &[(&str, Header, Vec<u8>)]) -> Cursor<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, header, data) in arrays {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            zip.start_file(format!("{name}.npy"), options).expect("start");
            zip.write_all(&header.to_bytes()).expect("header");
            zip.write_all(data).expect("data");
        }
        zip.finish().expect("finish")
    }

    fn header(descr: &str, dims: &[u64]) -> Header {
        Header { descr: descr.into(), fortran_order: false, dims: dims.to_vec() }
    }

    fn faults(archive: Cursor<Vec<u8>>, shapes: &[&ArrayShape]) -> String {
        read_from(archive, "arg", shapes).expect_err("faults").join("\n")
    }

    #[test]
    fn every_type_round_trips() {
        let literals: Vec<Literal> = DType::ALL
            .iter()
            .map(|&d| Literal::splat(shape(d, &[2, 3]), Scalar::Unsigned(1)))
            .chain([
                Literal::scalar(DType::F32, Scalar::Float(-0.0)),
                Literal::new(shape(DType::F64, &[0, 4]), []),
            ])
            .collect();
        let mut file = Cursor::new(Vec::new());
        write_to(&mut file, "out", &literals.iter().collect::<Vec<_>>()).expect("write");
        let shapes: Vec<&ArrayShape> = literals.iter().map(Literal::shape).collect();
        assert_eq!(read_from(file, "out", &shapes).expect("read"), literals);
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let file = archive(&[
            ("arg0", header("<f8", &[2]), vec![0; 16]),
            ("arg1", header("<f4", &[3]), vec![0; 12]),
            ("x", header("<f4", &[1]), vec![0; 4]),
        ]);
        let f = shape(DType::F32, &[2]);
        let text = faults(file, &[&f, &f, &f]);
        assert!(text.contains("array x is extra: the module has arg0 to arg2"), "{text}");
        assert!(text.contains("arg0: its type is float64, the module declares f32"), "{text}");
        assert!(text.contains("arg1: its shape is [3], the module declares [2]"), "{text}");
        assert!(text.contains("arg2 is missing"), "{text}");
    }

    #[test]
    fn bf16_travels_as_raw_bits() {
        let s = shape(DType::Bf16, &[2]);
        for descr in ["<u2", "|V2"] {
            let file = archive(&[("arg0", header(descr, &[2]), vec![0x80, 0x3f, 0, 0xc0])]);
            let read = read_from(file, "arg", &[&s]).expect("read");
            assert_eq!(read[0].scalars().collect::<Vec<_>>(), [Scalar::Float(1.0), Scalar::Float(-2.0)]);
        }
    }

    #[test]
    fn big_endian_and_fortran_order_are_understood() {
        let s = shape(DType::S16, &[2, 3]);
        let data: Vec<u8> = [1i16, 4, 2, 5, 3, 6].iter().flat_map(|v| v.to_be_bytes()).collect();
        let h = Header { fortran_order: true, ..header(">i2", &[2, 3]) };
        let read = read_from(archive(&[("arg0", h, data)]), "arg", &[&s]).expect("read");
        assert_eq!(read[0].scalars().collect::<Vec<_>>(), (1..=6).map(Scalar::Signed).collect::<Vec<_>>());
    }

    #[test]
    fn narrow_integers_are_range_checked() {
        let s4 = shape(DType::S4, &[2]);
        assert!(read_from(archive(&[("arg0", header("|i1", &[2]), vec![0xf8, 7])]), "arg", &[&s4]).is_ok());
        let text = faults(archive(&[("arg0", header("|i1", &[2]), vec![0, 8])]), &[&s4]);
        assert!(text.contains("element 1 is 8, outside s4's -8 to 7"), "{text}");
        let u4 = shape(DType::U4, &[1]);
        let text = faults(archive(&[("arg0", header("|u1", &[1]), vec![16])]), &[&u4]);
        assert!(text.contains("outside u4's 0 to 15"), "{text}");
    }

    #[test]
    fn a_bomb_is_cut_off_and_short_data_is_seen() {
        let s = shape(DType::F32, &[2]);
        let text = faults(archive(&[("arg0", header("<f4", &[2]), vec![0; 1 << 24])]), &[&s]);
        assert!(text.contains("more than the 8 bytes"), "{text}");
        let text = faults(archive(&[("arg0", header("<f4", &[2]), vec![0; 7])]), &[&s]);
        assert!(text.contains("truncated: 7 of 8 bytes"), "{text}");
    }

    #[test]
    fn damaged_archives_are_errors() {
        let s = shape(DType::F32, &[64]);
        let data: Vec<u8> = (0..=255).collect();
        let whole = archive(&[("arg0", header("<f4", &[64]), data)]).into_inner();
        for cut in 0..whole.len() {
            let text = faults(Cursor::new(whole[..cut].to_vec()), &[&s]);
            assert!(!text.is_empty());
        }
        // Any one damaged byte gives an array or an error, never a panic.
        for i in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[i] ^= 0x55;
            let _ = read_from(Cursor::new(damaged), "arg", &[&s]);
        }
    }
}
