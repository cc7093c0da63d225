//! Devices: one driver, one stream, one pool of memory.
//!
//! All that is submitted to a device is done in that order, so memory can be handed out again as soon as nobody holds it, and
//! arrays can be passed on before they are there. A device that is lost stays lost: all that uses it says so.

#[cfg(feature = "emulated")]
use crate::driver::emulated::{self, Emulated};
use crate::driver::real::{self, Real};
use crate::driver::{Address, Driver, Properties, Rows, Stream};
use crate::error::Error;
use crate::pool::{Pool, Stats, block_bytes};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// A device. Clones are the same one.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    driver: Arc<dyn Driver>,
    /// Its number among those of the machine; `None` for one that is not of the machine.
    ordinal: Option<usize>,
    stream: Stream,
    /// Whether the stream is the caller's.
    is_lent: bool,
    pool: Mutex<Pool>,
    /// Why it is lost.
    lost: OnceLock<Error>,
    /// A byte that is 0: what loops of kernels look at that nobody ends.
    zero: Address,
}

/// What the devices of this machine are, in the order of their numbers.
///
/// # Errors
/// There is no driver, it is too old, or it finds no device.
pub fn list() -> Result<Vec<Properties>, Error> {
    real::list()
}

impl Device {
    /// The device of this number; the same one as long as somebody holds it. One that was lost is made anew.
    ///
    /// # Errors
    /// There is no driver, it is too old, or it has no such device.
    pub fn open(ordinal: usize) -> Result<Device, Error> {
        static OPEN: Mutex<BTreeMap<usize, Weak<Inner>>> = Mutex::new(BTreeMap::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = open.get(&ordinal).and_then(Weak::upgrade) {
            if inner.lost.get().is_none() {
                return Ok(Device(inner));
            }
            Real::reset(ordinal);
        }
        let device = Device::of(Arc::new(Real::open(ordinal)?), Some(ordinal), None)?;
        open.insert(ordinal, Arc::downgrade(&device.0));
        Ok(device)
    }

    /// The device of this number with a stream and a pool of memory of its own: nobody else's work is in their figures.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn open_apart(ordinal: usize) -> Result<Device, Error> {
        Device::of(Arc::new(Real::open(ordinal)?), Some(ordinal), None)
    }

    /// A device of its own that is emulated, and what shows what it does.
    ///
    /// # Errors
    /// It has no memory.
    #[cfg(feature = "emulated")]
    pub fn emulated(options: emulated::Options) -> Result<(Device, Arc<Emulated>), Error> {
        let driver = Arc::new(Emulated::new(options));
        Ok((Device::of(driver.clone(), None, None)?, driver))
    }

    /// A device with this driver, its number among those of the machine, and a stream if it is the caller's.
    ///
    /// # Errors
    /// Those of the driver.
    pub(crate) fn of(
        driver: Arc<dyn Driver>,
        ordinal: Option<usize>,
        lent: Option<Stream>,
    ) -> Result<Device, Error> {
        let stream = lent.map_or_else(|| driver.stream(), Ok)?;
        let (pool, lost) = (Mutex::default(), OnceLock::new());
        let mut inner = Inner { driver, ordinal, stream, is_lent: lent.is_some(), pool, lost, zero: 0 };
        let zero = inner.driver.allocate(stream, 1)?;
        inner.zero = zero;
        inner.driver.write(stream, zero, &[0])?;
        Ok(Device(Arc::new(inner)))
    }

    pub fn properties(&self) -> &Properties {
        self.0.driver.properties()
    }

    /// Its number among those of the machine; an emulated one has none.
    pub fn ordinal(&self) -> Option<usize> {
        self.0.ordinal
    }

    /// The number of the stream that all its work is submitted to, a `CUstream`: what others submit there is done in order with it.
    pub fn stream(&self) -> u64 {
        self.0.stream.number()
    }

    /// What its pool of memory holds.
    pub fn pool(&self) -> Stats {
        self.blocks().stats()
    }

    /// Bytes of its memory that nobody has taken.
    ///
    /// # Errors
    /// The device is lost.
    pub fn free_bytes(&self) -> Result<u64, Error> {
        self.checked(|driver, _| driver.free_bytes())
    }

    /// What copies within the device move at best, in GB/s, read and written bytes counted: between arrays of so many bytes.
    ///
    /// # Errors
    /// Memory is out, or the device is lost.
    pub fn copy_bandwidth(&self, bytes: usize) -> Result<f64, Error> {
        const TIMES: u32 = 8;
        const TRIES: usize = 5;
        let [(from, n), (to, m)] = [self.allocate(bytes)?, self.allocate(bytes)?];
        let copies = Rows::whole(from, to, bytes);
        let measured = self.checked(|driver, stream| {
            // It is to have a content.
            driver.write(stream, from, &vec![0; bytes])?;
            let mut least = f64::INFINITY;
            for _ in 0..TRIES {
                driver.wait(stream)?;
                let start = Instant::now();
                (0..TIMES).try_for_each(|_| driver.copy(stream, &copies))?;
                driver.wait(stream)?;
                least = least.min(start.elapsed().as_secs_f64() / f64::from(TIMES));
            }
            Ok(2.0 * bytes as f64 / least / 1e9)
        });
        self.give(from, n);
        self.give(to, m);
        measured
    }

    /// Waits until all that was submitted is done.
    ///
    /// # Errors
    /// What went wrong with it, or the device is lost.
    pub fn wait(&self) -> Result<(), Error> {
        self.checked(|driver, stream| driver.wait(stream))
    }

    /// Whether both are the same.
    pub fn is(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn driver(&self) -> &dyn Driver {
        &*self.0.driver
    }

    pub(crate) fn zero(&self) -> Address {
        self.0.zero
    }

    /// Does something with the driver and the stream; afterwards the device may be lost.
    pub(crate) fn checked<T>(
        &self,
        f: impl FnOnce(&dyn Driver, Stream) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(e) = self.0.lost.get() {
            return Err(Error::Lost { why: e.to_string() });
        }
        let done = f(&*self.0.driver, self.0.stream);
        if let Err(e) = &done
            && e.is_final()
        {
            let _ = self.0.lost.set(e.clone());
        }
        done
    }

    /// A block of at least so many bytes, and its size. What lies in it means nothing.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<(Address, usize), Error> {
        let size = block_bytes(bytes);
        self.checked(|driver, stream| {
            let mut pool = self.blocks();
            if let Some((at, size)) = pool.take(size) {
                driver.forget(at, size);
                return Ok((at, size));
            }
            let at = match driver.allocate(stream, size) {
                Err(Error::OutOfMemory { .. }) => {
                    // What is kept may be in the way.
                    pool.release().into_iter().for_each(|at| driver.free(stream, at));
                    driver.wait(stream)?;
                    driver.allocate(stream, size)
                }
                other => other,
            };
            let at = at?;
            pool.add(size);
            Ok((at, size))
        })
    }

    pub(crate) fn give(&self, at: Address, size: usize) {
        let too_many = self.blocks().give(at, size);
        // The memory of a device that is lost is gone.
        let _ = self.checked(|driver, stream| {
            too_many.into_iter().for_each(|at| driver.free(stream, at));
            Ok(())
        });
    }

    fn blocks(&self) -> MutexGuard<'_, Pool> {
        self.0.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.properties().name)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.lost.get().is_some() {
            return;
        }
        let pool = self.pool.get_mut().unwrap_or_else(PoisonError::into_inner);
        for at in pool.release().into_iter().chain([self.zero]) {
            self.driver.free(self.stream, at);
        }
        let _ = self.driver.wait(self.stream);
        if !self.is_lent {
            self.driver.end_stream(self.stream);
        }
    }
}
