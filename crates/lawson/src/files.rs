//! Tensors in files: `.npy`, `.npz` and `.safetensors`.
//!
//! ```
//! use lawson::{Tensor, files};
//! use std::collections::BTreeMap;
//!
//! let folder = std::env::temp_dir().join(format!("lawson-files-{}", std::process::id()));
//! std::fs::create_dir_all(&folder).expect("a folder");
//! let x = Tensor::from([[1f32, 2.0], [3.0, 4.0]]);
//! files::save_npy(folder.join("x.npy"), &x)?;
//! assert_eq!(files::load_npy(folder.join("x.npy"))?.dims(), [2, 2]);
//!
//! let all = BTreeMap::from([("x".to_string(), x.clone()), ("y".to_string(), Tensor::from([5i32]))]);
//! files::save_npz(folder.join("all.npz"), &all)?;
//! assert_eq!(files::load_npz(folder.join("all.npz"))?["y"].item(), Ok(5i32));
//! files::save_safetensors(folder.join("all.safetensors"), &all)?;
//! assert_eq!(files::load_safetensors(folder.join("all.safetensors"))?["x"].to_vec::<f32>(), x.to_vec());
//! # std::fs::remove_dir_all(&folder).expect("it is ours");
//! # Ok::<(), lawson::Error>(())
//! ```

use crate::error::{Error, ErrorCode};
use crate::{memory, npz, output};
use lawson_frontend::{Array, Tensor};
use lawson_hlo::{ArrayShape, DType, Literal};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Reads the array of a `.npy` file.
///
/// # Errors
/// The file cannot be read, is damaged, of a type that Lawson does not know, or larger than 80 % of the memory.
pub fn load_npy(path: impl AsRef<Path>) -> Result<Tensor, Error> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|e| Error::file(path, "read", e))?;
    let array = npz::read_any(BufReader::new(file), memory::default_limit());
    let array = array.map_err(|e| Error::new(ErrorCode::Input, format!("{}: {e}", path.display())))?;
    Ok(Tensor::from_literal(array))
}

/// Writes a tensor as a `.npy` file, which appears whole or not at all.
///
/// # Errors
/// The tensor is not concrete, or the file cannot be written.
pub fn save_npy(path: impl AsRef<Path>, tensor: &Tensor) -> Result<(), Error> {
    let bytes = npz::to_npy(&tensor.array()?.to_literal());
    output::write(path.as_ref(), |sink| sink.write_all(&bytes))
}

/// Reads the arrays of a `.npz` file, by name.
///
/// # Errors
/// As [`load_npy`].
pub fn load_npz(path: impl AsRef<Path>) -> Result<BTreeMap<String, Tensor>, Error> {
    let arrays = npz::read_all(path.as_ref(), memory::default_limit())?;
    Ok(arrays.into_iter().map(|(name, array)| (name, Tensor::from_literal(array))).collect())
}

/// Writes tensors as a `.npz` file, which appears whole or not at all. bf16 travels as raw `uint16`.
///
/// # Errors
/// As [`save_npy`].
pub fn save_npz(path: impl AsRef<Path>, tensors: &BTreeMap<String, Tensor>) -> Result<(), Error> {
    let literals = concrete(tensors)?;
    let named: Vec<(&str, &Literal)> = literals.iter().map(|(name, array)| (*name, array)).collect();
    npz::write_all(path.as_ref(), &named)
}

/// Reads the tensors of a `.safetensors` file, by name.
///
/// # Errors
/// As [`load_npy`].
pub fn load_safetensors(path: impl AsRef<Path>) -> Result<BTreeMap<String, Tensor>, Error> {
    let path = path.as_ref();
    let damaged = |e: String| Error::new(ErrorCode::Input, format!("{}: {e}", path.display()));
    let size = std::fs::metadata(path).map_err(|e| Error::file(path, "read", e))?.len();
    if size > memory::default_limit() {
        return Err(damaged(format!("its {size} bytes are more than memory allows")));
    }
    let bytes = std::fs::read(path).map_err(|e| Error::file(path, "read", e))?;
    let file = SafeTensors::deserialize(&bytes).map_err(|e| damaged(e.to_string()))?;
    let tensor = |(name, view): (String, TensorView<'_>)| {
        let dtype = from_safetensors(view.dtype());
        let dtype =
            dtype.ok_or_else(|| damaged(format!("{name} is of {:?}, which no tensor is", view.dtype())))?;
        let dims: Vec<i64> = view.shape().iter().map(|&d| d as i64).collect();
        let literal = Literal::new(ArrayShape::new(dtype, dims), view.data());
        Ok((name, Tensor::from_array(Array::from_literal(literal))))
    };
    file.tensors().into_iter().map(tensor).collect()
}

/// Writes tensors as a `.safetensors` file, which appears whole or not at all.
///
/// # Errors
/// As [`save_npy`], or a type that the format does not have.
pub fn save_safetensors(path: impl AsRef<Path>, tensors: &BTreeMap<String, Tensor>) -> Result<(), Error> {
    let literals = concrete(tensors)?;
    let refused = |e: String| Error::new(ErrorCode::Input, e);
    let view = |(name, array): &(&str, Literal)| {
        let dtype = to_safetensors(array.dtype())
            .ok_or_else(|| refused(format!("{name} is of {}, which safetensors have not", array.dtype())))?;
        let dims = array.dims().iter().map(|&d| d as usize).collect();
        Ok((name.to_string(), (dtype, dims, array.bytes().to_vec())))
    };
    let parts =
        literals.iter().map(view).collect::<Result<Vec<(String, (Dtype, Vec<usize>, Vec<u8>))>, Error>>()?;
    let views = parts.iter().map(|(name, (dtype, dims, bytes))| {
        let view = TensorView::new(*dtype, dims.clone(), bytes).map_err(|e| refused(e.to_string()))?;
        Ok((name.clone(), view))
    });
    let views = views.collect::<Result<Vec<_>, Error>>()?;
    let bytes = safetensors::serialize(views, None).map_err(|e| refused(e.to_string()))?;
    output::write(path.as_ref(), |sink| sink.write_all(&bytes))
}

fn concrete(tensors: &BTreeMap<String, Tensor>) -> Result<Vec<(&str, Literal)>, Error> {
    tensors.iter().map(|(name, t)| Ok((name.as_str(), t.array()?.to_literal()))).collect()
}

/// The types that both have.
const TYPES: [(DType, Dtype); 15] = [
    (DType::Pred, Dtype::BOOL),
    (DType::S8, Dtype::I8),
    (DType::S16, Dtype::I16),
    (DType::S32, Dtype::I32),
    (DType::S64, Dtype::I64),
    (DType::U8, Dtype::U8),
    (DType::U16, Dtype::U16),
    (DType::U32, Dtype::U32),
    (DType::U64, Dtype::U64),
    (DType::F16, Dtype::F16),
    (DType::Bf16, Dtype::BF16),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
    (DType::F8E4M3Fn, Dtype::F8_E4M3),
    (DType::F8E5M2, Dtype::F8_E5M2),
];

fn to_safetensors(dtype: DType) -> Option<Dtype> {
    TYPES.iter().find(|(ours, _)| *ours == dtype).map(|(_, theirs)| *theirs)
}

fn from_safetensors(dtype: Dtype) -> Option<DType> {
    TYPES.iter().find(|(_, theirs)| *theirs == dtype).map(|(ours, _)| *ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::bf16;

    fn tensors() -> BTreeMap<String, Tensor> {
        let floats = Tensor::new(&[1.5f32, -2.0, 3.0, 0.0, 4.0, 5.0], [2, 3]);
        let flags = Tensor::new(&[true, false], [2]);
        let doubles = Tensor::new(&[0.1f64], []);
        [("w".into(), floats), ("flags".into(), flags), ("x".into(), doubles)].into()
    }

    fn same(a: &BTreeMap<String, Tensor>, b: &BTreeMap<String, Tensor>) {
        let literals = |m: &BTreeMap<String, Tensor>| -> Vec<(String, Literal)> {
            m.iter().map(|(n, t)| (n.clone(), t.array().expect("concrete").to_literal())).collect()
        };
        assert_eq!(literals(a), literals(b));
    }

    #[test]
    fn tensors_come_back_from_files() {
        let folder = std::env::temp_dir().join(format!("lawson-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (npz, st, npy) = (folder.join("a.npz"), folder.join("a.safetensors"), folder.join("a.npy"));
        save_npz(&npz, &tensors()).expect("written");
        same(&load_npz(&npz).expect("read"), &tensors());
        let mut with_bf16 = tensors();
        with_bf16.insert("half".into(), Tensor::new(&[bf16::from_f32(1.5)], [1]));
        save_safetensors(&st, &with_bf16).expect("written");
        same(&load_safetensors(&st).expect("read"), &with_bf16);
        save_npy(&npy, &tensors()["w"]).expect("written");
        assert_eq!(load_npy(&npy).expect("read").to_vec::<f32>(), tensors()["w"].to_vec::<f32>());
        std::fs::write(&st, b"\xff\xff\xff\xff\xff\xff\xff\x7f{").expect("written");
        assert_eq!(load_safetensors(&st).err().map(|e| e.code), Some(ErrorCode::Input));
        std::fs::write(&npy, b"\x93NUMPY\x01\x00").expect("written");
        assert_eq!(load_npy(&npy).err().map(|e| e.code), Some(ErrorCode::Input));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
