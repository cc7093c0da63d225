//! Code of kernels, for processors and devices, that is kept in a folder, between programs and processes (`LAWSON_CACHE`).
//!
//! A file holds one object, or what LLVM says of a processor: a mark, the key it is kept under, SHA-256 of the rest, the object. It is written whole under
//! another name and renamed, so that processes may share a folder; what is cut short, changed or of another key is as if
//! it were not there, and is replaced. When the files take more than the folder may hold, those that were used longest
//! ago go until three quarters are left. Machine code is executed as it is found, so the folder has to belong to the user
//! and be writable by nobody else.

use crate::error::{Error, ErrorCode, option_error};
use crate::output;
use lawson_cpu::{CodeCache, Key};
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File, FileTimes};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

/// The variable that names the folder.
pub(crate) const FOLDER: &str = "LAWSON_CACHE";
/// The variable that says how many MiB its files may take.
const SIZE: &str = "LAWSON_CACHE_MIB";
/// Bytes where [`SIZE`] does not say.
const DEFAULT_BYTES: u64 = 1 << 30;
const MARK: &[u8; 8] = b"lawsonO1";
const HEADER: usize = MARK.len() + 32 + 32;
/// No object is as large: a longer file is not read.
const MOST: u64 = 256 << 20;

/// A folder of compiled kernels.
///
/// ```
/// # use lawson::{Client, CodeFolder, Options, load};
/// # let folder = std::env::temp_dir().join(format!("lawson-doc-{}", std::process::id()));
/// let client = Client::cpu().with_code_folder(CodeFolder::open(&folder, 64 << 20)?);
/// let module = load::parse("ENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }")?;
/// let first = client.compile(&module, &Options::default())?;
/// let again = client.compile(&module, &Options::default())?;
/// assert_eq!([first, again].map(|e| e.codes()), [(1, 0), (1, 1)]);
/// # let _ = std::fs::remove_dir_all(folder);
/// # Ok::<(), lawson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CodeFolder {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    most: u64,
    /// What the files took when they were counted, and what was written since; `None` before the first is written.
    taken: Mutex<Option<u64>>,
}

impl CodeFolder {
    /// A folder that may hold so many bytes; it is made where it is missing.
    ///
    /// # Errors
    /// It cannot be made or read, is no folder, or others may write to it.
    pub fn open(folder: &Path, most: u64) -> Result<CodeFolder, Error> {
        let told = |what: String| Error::new(ErrorCode::File, format!("{}: {what}", folder.display()));
        make(folder).map_err(|e| told(e.to_string()))?;
        let found = fs::metadata(folder).map_err(|e| told(e.to_string()))?;
        if found.permissions().mode() & 0o022 != 0 {
            return Err(told(
                "others may write to this folder, and its files are executed; take the right away with \
                             `chmod go-w`"
                    .into(),
            ));
        }
        // A file of the process belongs to its user, which is asked of the system without code of ours.
        let own = fs::metadata("/proc/self").map_or(found.uid(), |me| me.uid());
        if found.uid() != own {
            return Err(told("this folder belongs to another user, and its files are executed".into()));
        }
        let inner = Inner { folder: folder.into(), most, taken: Mutex::new(None) };
        Ok(CodeFolder { inner: Arc::new(inner) })
    }

    /// The folder that `LAWSON_CACHE` names, if it does, with the limit that `LAWSON_CACHE_MIB` says (1,024). Read once in
    /// a process.
    ///
    /// # Errors
    /// Those of [`CodeFolder::open`], or the limit is no number.
    pub fn of_environment() -> Result<Option<CodeFolder>, Error> {
        static FOUND: OnceLock<Result<Option<CodeFolder>, Error>> = OnceLock::new();
        let open = || {
            let Some(folder) = std::env::var_os(FOLDER).filter(|f| !f.is_empty()) else { return Ok(None) };
            let most = match std::env::var(SIZE) {
                Err(_) => DEFAULT_BYTES,
                Ok(text) => {
                    let mib: u64 = text.trim().parse().map_err(|_| {
                        option_error(format!("{SIZE}={text}: expected a number of MiB, such as 1024"))
                    })?;
                    mib.saturating_mul(1 << 20)
                }
            };
            CodeFolder::open(Path::new(&folder), most)
                .map(Some)
                .map_err(|e| Error { message: format!("{FOLDER}: {}", e.message), ..e })
        };
        FOUND.get_or_init(open).clone()
    }

    fn place(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        // Two hundred folders or so: none has too many files.
        self.inner.folder.join(&name[..2]).join(&name[2..])
    }

    fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let place = self.place(key);
        let length = fs::metadata(&place).ok().filter(|m| m.is_file())?.len();
        if !(HEADER as u64..=MOST).contains(&length) {
            return None;
        }
        let bytes = fs::read(&place).ok()?;
        let (mark, rest) = bytes.split_at_checked(MARK.len())?;
        let (own, rest) = rest.split_at_checked(key.bytes().len())?;
        let (sum, object) = rest.split_at_checked(32)?;
        let whole = mark == MARK && own == key.bytes() && sum == Sha256::digest(object).as_slice();
        whole.then(|| object.to_vec())
    }

    fn write(&self, key: &Key, object: &[u8]) -> std::io::Result<()> {
        let place = self.place(key);
        if let Some(folder) = place.parent() {
            make(folder)?;
        }
        output::try_write(&place, |sink| {
            sink.write_all(MARK)?;
            sink.write_all(key.bytes())?;
            sink.write_all(Sha256::digest(object).as_slice())?;
            sink.write_all(object)
        })
    }

    /// Counts what was written, and makes room when it is too much.
    fn account(&self, bytes: u64) {
        // Where another thread panicked the count is as good as before.
        let mut taken = self.inner.taken.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = match *taken {
            Some(before) => before.saturating_add(bytes),
            None => self.files().iter().map(|f| f.bytes).sum(),
        };
        *taken = Some(if now > self.inner.most { self.make_room() } else { now });
    }

    /// Removes the files that were used longest ago; gives the bytes of those that are left.
    fn make_room(&self) -> u64 {
        let mut files = self.files();
        files.sort_by_key(|f| f.used);
        let mut left: u64 = files.iter().map(|f| f.bytes).sum();
        for file in files {
            if left <= self.inner.most / 4 * 3 {
                break;
            }
            if fs::remove_file(&file.path).is_ok() {
                left = left.saturating_sub(file.bytes);
            }
        }
        left
    }

    fn files(&self) -> Vec<Kept> {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        let folders = entries(&self.inner.folder).filter(|p| is_part(p));
        let kept = |path: PathBuf| {
            let found = fs::metadata(&path).ok().filter(|m| m.is_file())?;
            let used = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some(Kept { path, bytes: found.len(), used })
        };
        folders.flat_map(|f| entries(&f).collect::<Vec<_>>()).filter_map(kept).collect()
    }
}

/// Makes a folder that only the user may read, and those that it stands in.
pub(crate) fn make(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Whether it is one of the folders that [`CodeFolder::place`] makes: nothing else is counted or removed.
fn is_part(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

struct Kept {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl CodeCache for CodeFolder {
    fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let object = self.read(key)?;
        // The time of use; a folder on a file system without it forgets by the time of writing.
        let now = FileTimes::new().set_modified(SystemTime::now());
        let _ = File::options().append(true).open(self.place(key)).and_then(|f| f.set_times(now));
        Some(object)
    }

    fn keep(&self, key: &Key, object: &[u8]) {
        // A full disk or a folder that became unwritable costs a compilation next time, nothing now.
        if object.len() as u64 + HEADER as u64 <= self.inner.most && self.write(key, object).is_ok() {
            self.account((object.len() + HEADER) as u64);
        }
    }
}
