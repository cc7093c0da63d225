//! Clients: where programs are compiled and buffers are made.

use crate::backend::interpreter::Interpreted;
use crate::backend::{self, Backend};
use crate::buffer::{Buffer, Home};
use crate::code_folder::CodeFolder;
use crate::compile;
use crate::deep;
use crate::error::{Error, ErrorCode};
use crate::executable::{Executable, Native};
use crate::host_call::{self, HostFunctions};
use crate::memory;
use crate::options::{Device, Options};
use crate::repro;
use crate::tune::{self, Progress};
use lawson_frontend::Element;
use lawson_frontend::host::{self, HostArray, HostArrayMut, HostError};
use lawson_hlo::module::Source;
use lawson_hlo::verify::{Fault, supported, verify};
use lawson_hlo::{ArrayShape, Literal, Module, eval};
use std::sync::Arc;
use std::time::Instant;

/// A device with the host functions its programs may call. Cloning is cheap.
///
/// ```
/// use lawson::{Client, Options, load};
/// use lawson::hlo::{ArrayShape, DType};
///
/// let client = Client::cpu();
/// let module = load::parse("ENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }")?;
/// let double = client.compile(&module, &Options::default())?;
/// let x = client.buffer(&[1f32, 2.0], &[2])?;
/// assert_eq!(double.run([&x])?[0].to_vec(), Ok(vec![2f32, 4.0]));
///
/// // The same from bytes, and in memory of the caller's.
/// let shape = ArrayShape::new(DType::F32, [2]);
/// let bytes: Vec<u8> = [1f32, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
/// assert_eq!(client.buffer_from_bytes(&shape, &bytes)?.to_vec(), Ok(vec![1f32, 2.0]));
/// assert_eq!(client.buffer_from_owner(&shape, bytes)?.to_vec(), Ok(vec![1f32, 2.0]));
///
/// // Once, on literals, by the interpreter.
/// let outputs = Client::interpreter().execute(&module, &[x.to_literal()], &Options::default())?;
/// assert_eq!(outputs[0].get(1).as_f64(), 4.0);
/// # Ok::<(), lawson::Error>(())
/// ```
#[derive(Clone)]
pub struct Client {
    home: Home,
    calls: Arc<HostFunctions>,
    /// Where code is kept; by default what the environment names.
    folder: Option<CodeFolder>,
    /// Who is told how far measuring plans has come.
    watch: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl Client {
    /// Native code on the processor this runs on. Where the environment names a folder for code
    /// ([`CodeFolder::of_environment`]), it is used.
    pub fn cpu() -> Client {
        Client { home: Home::Host(Device::Cpu), calls: Arc::default(), folder: None, watch: None }
    }

    /// The reference interpreter: slow, and the meaning of every program.
    pub fn interpreter() -> Client {
        Client { home: Home::Host(Device::Interpreter), ..Client::cpu() }
    }

    /// A client of this device. Arrays that it makes are there, and stay there until somebody asks for their bytes.
    ///
    /// # Errors
    /// There is no such device here, with what is missing and how to mend it.
    pub fn new(device: Device) -> Result<Client, Error> {
        let home = match device {
            Device::Cpu | Device::Interpreter => Home::Host(device),
            Device::Cuda(_) | Device::CudaEmulated => Home::Cuda(device, backend::cuda::open(device)?),
        };
        Ok(Client { home, ..Client::cpu() })
    }

    /// A client of a device that the caller has opened.
    pub fn of_device(device: lawson_cuda::Device) -> Client {
        Client { home: Home::Cuda(backend::cuda::name_of(&device), device), ..Client::cpu() }
    }

    /// The same client, whose programs may call `function` as `custom-call` with that target: it reads the array leaves of
    /// its operands and writes those of its result.
    ///
    /// ```
    /// # use lawson::{Client, Options, load};
    /// let client = Client::cpu().with_custom_call("cumulative_max", |operands, results| {
    ///     let mut most = f32::NEG_INFINITY;
    ///     for (to, &x) in results[0].as_mut_slice::<f32>()?.iter_mut().zip(operands[0].as_slice::<f32>()?) {
    ///         most = most.max(x);
    ///         *to = most;
    ///     }
    ///     Ok(())
    /// });
    /// let module = load::parse(
    ///     "ENTRY e { x = f32[4] parameter(0)
    ///                ROOT m = f32[4] custom-call(x), custom_call_target=\"cumulative_max\" }",
    /// )?;
    /// let x = client.buffer(&[1f32, 3.0, 2.0, 4.0], &[4])?;
    /// let outputs = client.compile(&module, &Options::default())?.run([&x])?;
    /// assert_eq!(outputs[0].as_slice::<f32>()?, [1.0, 3.0, 3.0, 4.0]);
    /// # Ok::<(), lawson::Error>(())
    /// ```
    #[must_use]
    pub fn with_custom_call<F>(mut self, target: impl Into<String>, function: F) -> Client
    where
        F: Fn(&[HostArray<'_>], &mut [HostArrayMut<'_>]) -> Result<(), HostError> + Send + Sync + 'static,
    {
        Arc::make_mut(&mut self.calls).insert(target.into(), Arc::new(function));
        self
    }

    /// The same client, which takes code of kernels from this folder and keeps there what it makes.
    #[must_use]
    pub fn with_code_folder(self, folder: CodeFolder) -> Client {
        Client { folder: Some(folder), ..self }
    }

    /// The same client, which calls `watch` while it measures plans ([`Options::tune`]).
    ///
    /// ```
    /// # use lawson::{Client, Options, load, tune};
    /// let client = Client::cpu().with_progress(|p| eprintln!("kernel {} of {}", p.kernel, p.kernels));
    /// let module = load::parse("ENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] add(x, x) }")?;
    /// let options = Options { tune: Some(tune::DEFAULT_LIMIT), ..Options::default() };
    /// let double = client.compile(&module, &options)?;
    /// let tuning = double.native().and_then(|n| n.planned.tuning.as_ref());
    /// assert!(tuning.is_some_and(|t| t.kernels.is_empty() && t.single == 1)); // two elements: no choice
    /// # Ok::<(), lawson::Error>(())
    /// ```
    #[must_use]
    pub fn with_progress(self, watch: impl Fn(Progress) + Send + Sync + 'static) -> Client {
        Client { watch: Some(Arc::new(watch)), ..self }
    }

    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// What its programs run on.
    pub fn device(&self) -> Device {
        self.home.device()
    }

    /// The options as this client's programs are planned with them: on a graphics processor for one.
    ///
    /// # Errors
    /// They name a machine whose code does not run on the device.
    pub fn options_for(&self, options: &Options) -> Result<Options, Error> {
        match &self.home {
            Home::Host(_) => options.machine_that_runs().map(|_| options.clone()),
            Home::Cuda(_, device) => backend::cuda::options_for(options, device),
        }
    }

    /// Compiles a module. Planning has a large stack whatever the caller's is, and a panic is an error of this call. A
    /// fatal error of LLVM ends the process with exit code 3, after [`repro::report`] has written a file that replays it.
    ///
    /// # Errors
    /// The module breaks a rule, is not supported, or needs more than [`Options::max_memory`].
    pub fn compile(&self, module: &Module, options: &Options) -> Result<Executable, Error> {
        let module = Arc::new(module.clone());
        let _in_work = repro::begin(&module, self.device(), options);
        deep::run(|| {
            verify(&module).map_err(|faults| at_fault(ErrorCode::Verify, &module, &faults))?;
            supported(&module).map_err(|faults| at_fault(ErrorCode::Unsupported, &module, &faults))?;
            memory::check_interface(&module, options.max_memory)?;
            self.code(&module, options).map(|code| Executable::new(&module, self.device(), code))
        })
    }

    fn code(
        &self,
        module: &Arc<Module>,
        options: &Options,
    ) -> Result<(Option<Native>, Box<dyn Backend>), Error> {
        let calls = host_call::with_registered(&self.calls);
        tune::check(options, self.device())?;
        if self.device() == Device::Interpreter {
            memory::check_unfused(module, options.max_memory)?;
            let custom_calls = calls.into_iter().map(|(target, f)| (target, host::interpreted(f))).collect();
            let limits =
                eval::Options { custom_calls, max_bytes: options.max_memory, ..eval::Options::default() };
            return Ok((None, Box::new(Interpreted { module: module.clone(), limits })));
        }
        let options = &self.options_for(options)?;
        let mut planned = compile::plan(module, options)?;
        let folder = match &self.folder {
            Some(folder) => Some(folder.clone()),
            None => CodeFolder::of_environment()?,
        };
        let (folder, calls) = (folder.as_ref(), host_call::native(&calls));
        if let Some(limit) = options.tune {
            let tell = |progress| self.watch.iter().for_each(|watch| watch(progress));
            planned.tuning = Some(tune::tune(&mut planned, options, limit, folder, &tell)?);
        }
        let start = Instant::now();
        let backend: Box<dyn Backend> = match &self.home {
            Home::Host(_) => Box::new(compile::load(&planned, options, folder, &calls)?),
            Home::Cuda(device, at) => {
                let code = backend::cuda::load(&planned, options, folder, &calls, at)?;
                Box::new(backend::cuda::OnDevice { device: *device, code })
            }
        };
        let coding = start.elapsed();
        Ok((Some(Native { options: options.clone(), planned, coding }), backend))
    }

    /// Compiles a module and runs it once, on the array leaves of its arguments; gives those of its result.
    ///
    /// # Errors
    /// As [`Client::compile`] and [`Executable::run`].
    pub fn execute(
        &self,
        module: &Module,
        arguments: &[Literal],
        options: &Options,
    ) -> Result<Vec<Literal>, Error> {
        let executable = self.compile(module, options)?;
        let buffers = arguments.iter().map(|l| self.buffer_from_literal(l)).collect::<Result<Vec<_>, _>>()?;
        executable.run(buffers)?.iter().map(Buffer::literal).collect()
    }

    /// A buffer with a copy of these elements, row-major.
    ///
    /// # Errors
    /// Their number is not that of the dimensions, or memory is out.
    pub fn buffer<T: Element>(&self, elements: &[T], dims: &[i64]) -> Result<Buffer, Error> {
        Buffer::checked(&self.home, &ArrayShape::new(T::DTYPE, dims), bytemuck::cast_slice(elements))
    }

    /// A buffer with a copy of these bytes, row-major and little-endian.
    ///
    /// # Errors
    /// Their number is not that of the shape, elements of a prime field are not below its modulus, or memory is out.
    pub fn buffer_from_bytes(&self, shape: &ArrayShape, bytes: &[u8]) -> Result<Buffer, Error> {
        Buffer::checked(&self.home, shape, bytes)
    }

    /// A buffer whose bytes, row-major and little-endian, are written by a function; it finds them with unspecified content.
    ///
    /// # Errors
    /// Elements of a prime field are not below its modulus, memory is out, or the shape has too many elements.
    pub fn buffer_filled(&self, shape: &ArrayShape, fill: impl FnOnce(&mut [u8])) -> Result<Buffer, Error> {
        Buffer::filled(&self.home, shape, fill)
    }

    /// A buffer with a copy of a literal.
    ///
    /// # Errors
    /// Memory is out.
    pub fn buffer_from_literal(&self, literal: &Literal) -> Result<Buffer, Error> {
        Buffer::checked(&self.home, literal.shape(), literal.bytes())
    }

    /// A buffer in host memory that is its owner's, without a copy: a mapped file, an `Arc` of bytes. The bytes must stay
    /// as they are. Memory that does not begin at a multiple of 64 bytes is copied here, once; on the interpreter always.
    /// Where it is donated, no output takes it over.
    ///
    /// # Errors
    /// The number of bytes is not that of the shape, elements of a prime field are not below its modulus, or memory is out.
    pub fn buffer_from_owner<O>(&self, shape: &ArrayShape, owner: O) -> Result<Buffer, Error>
    where
        O: AsRef<[u8]> + Send + Sync + 'static,
    {
        Buffer::owned(&self.home, shape, owner)
    }
}

/// One message for the first faults of a module that came without its text, each with the line of the user's program.
fn at_fault(code: ErrorCode, module: &Module, faults: &[Fault]) -> Error {
    const SHOWN: usize = 20;
    let told = |fault: &Fault| {
        let at = |s: &&Source| (&s.computation, &s.name) == (&fault.computation, &fault.instruction);
        let source = module.sources.iter().find(at).filter(|s| s.line == 0);
        match source.and_then(|s| s.location.as_ref()) {
            Some(location) => format!("{location}: {fault}"),
            None => fault.to_string(),
        }
    };
    let mut lines: Vec<String> = faults.iter().take(SHOWN).map(told).collect();
    if faults.len() > SHOWN {
        lines.push(format!("… and {} more", faults.len() - SHOWN));
    }
    Error::new(code, lines.join("\n"))
}
