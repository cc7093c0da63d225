//! A caller of the C API that knows nothing of the crate: functions by their position in the table, arguments as words.
//!
//! Every field of the structs that are used here has a word of its own, so a struct is an array of words: its size, its
//! extension, and its fields. These positions are facts of the API, written down a second time on purpose.

use std::ffi::c_void;

/// Positions in the table of functions.
pub mod slot {
    pub const ERROR_DESTROY: usize = 0;
    pub const ERROR_MESSAGE: usize = 1;
    pub const ERROR_GET_CODE: usize = 2;
    pub const PLUGIN_ATTRIBUTES: usize = 4;
    pub const EVENT_DESTROY: usize = 5;
    pub const EVENT_IS_READY: usize = 6;
    pub const EVENT_ERROR: usize = 7;
    pub const EVENT_AWAIT: usize = 8;
    pub const EVENT_ON_READY: usize = 9;
    pub const CLIENT_CREATE: usize = 10;
    pub const CLIENT_DESTROY: usize = 11;
    pub const CLIENT_PLATFORM_NAME: usize = 12;
    pub const CLIENT_DEVICES: usize = 15;
    pub const CLIENT_COMPILE: usize = 20;
    pub const BUFFER_FROM_HOST: usize = 22;
    pub const EXECUTABLE_DESTROY: usize = 40;
    pub const NUM_OUTPUTS: usize = 44;
    pub const COST_ANALYSIS: usize = 46;
    pub const SERIALIZE: usize = 49;
    pub const LOADED_DESTROY: usize = 50;
    pub const GET_EXECUTABLE: usize = 51;
    pub const EXECUTE: usize = 55;
    pub const DESERIALIZE: usize = 56;
    pub const BUFFER_DESTROY: usize = 58;
    pub const ELEMENT_TYPE: usize = 59;
    pub const DIMENSIONS: usize = 60;
    pub const BUFFER_DEVICE: usize = 65;
    pub const BUFFER_DELETE: usize = 67;
    pub const IS_DELETED: usize = 68;
    pub const COPY_TO_DEVICE: usize = 69;
    pub const TO_HOST: usize = 70;
    pub const READY_EVENT: usize = 72;
    pub const UNSAFE_POINTER: usize = 73;
    pub const INCREASE_REFERENCES: usize = 74;
    pub const STREAM_ADD_CHUNK: usize = 78;
    pub const CREATE_VIEW: usize = 93;
    pub const DEVICE_ASSIGNMENT: usize = 117;
    pub const DEVICE_ATTRIBUTES: usize = 128;
}

#[derive(Debug)]
pub struct Failed {
    pub code: u32,
    pub message: String,
}

type Function = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

/// The table of the plugin: its size, its version, its functions.
pub fn table() -> (u64, [i32; 2], &'static [Function]) {
    let api = lawson_pjrt::GetPjrtApi().cast::<u64>();
    // SAFETY: a table begins with its size, its extension, and the struct of the version, whose last word is two numbers.
    unsafe {
        let size = *api;
        let version = *api.add(4).cast::<[i32; 2]>();
        (size, version, std::slice::from_raw_parts(api.add(5).cast::<Function>(), (size as usize - 40) / 8))
    }
}

/// Calls a function with these fields and gives them back with what it wrote.
pub fn call<const N: usize>(slot: usize, fields: [u64; N]) -> Result<[u64; N], Failed> {
    call_as(slot, fields, 8 * (N as u64 + 2))
}

/// The same as a caller that says its struct has this size.
pub fn call_as<const N: usize>(slot: usize, fields: [u64; N], size: u64) -> Result<[u64; N], Failed> {
    call_function(table().2[slot], fields, size)
}

/// The same for a function of an extension.
pub fn call_extension<const N: usize>(kind: u32, slot: usize, fields: [u64; N]) -> Result<[u64; N], Failed> {
    call_function(extension(kind)[slot], fields, 8 * (N as u64 + 2))
}

/// The same for a function of the profiler: its struct begins with its size alone, which callers do not always say.
pub fn call_profiler<const N: usize>(slot: usize, fields: [u64; N]) -> Result<[u64; N], Failed> {
    // SAFETY: the extension has the address of a table after its header, which begins with its size and a word of its own.
    let table: &[Function] = unsafe {
        let table = *extension_at(1).add(3).cast::<*const u64>();
        assert_eq!(*table, 80);
        std::slice::from_raw_parts(table.add(2).cast::<Function>(), 8)
    };
    let mut words: Vec<u64> = vec![0];
    words.extend(fields);
    // SAFETY: the struct of this function, which stays where it is.
    let error = unsafe { table[slot](words.as_mut_ptr().cast()) } as u64;
    if error != 0 {
        return Err(failed(error));
    }
    Ok(std::array::from_fn(|n| words[n + 1]))
}

/// The functions of the extension of this kind.
fn extension(kind: u32) -> &'static [Function] {
    let at = extension_at(kind);
    // SAFETY: it has its size, its kind and the next before its functions.
    unsafe { std::slice::from_raw_parts(at.add(3).cast::<Function>(), (*at as usize - 24) / 8) }
}

fn extension_at(kind: u32) -> *const u64 {
    // SAFETY: the extensions are a chain of tables, each with its size, its kind and the next.
    unsafe {
        let mut at = *lawson_pjrt::GetPjrtApi().cast::<*const u64>().add(1);
        while !at.is_null() {
            if *at.add(1) as u32 == kind {
                return at;
            }
            at = *at.add(2).cast::<*const u64>();
        }
    }
    panic!("there is no extension {kind}");
}

fn call_function<const N: usize>(
    function: Function,
    fields: [u64; N],
    size: u64,
) -> Result<[u64; N], Failed> {
    let mut words: Vec<u64> = vec![size, 0];
    words.extend(fields);
    // SAFETY: the struct of this function, which stays where it is.
    let error = unsafe { function(words.as_mut_ptr().cast()) } as u64;
    if error != 0 {
        return Err(failed(error));
    }
    Ok(std::array::from_fn(|n| words[n + 2]))
}

fn failed(error: u64) -> Failed {
    let of = |slot: usize| {
        let mut words = [40, 0, error, 0, 0];
        // SAFETY: the struct of a function of errors, which do not fail themselves.
        let none = unsafe { table().2[slot](words.as_mut_ptr().cast()) };
        assert!(none.is_null());
        words
    };
    let words = of(slot::ERROR_MESSAGE);
    let message = String::from_utf8_lossy(bytes(words[3], words[4])).into_owned();
    let code = of(slot::ERROR_GET_CODE)[3] as u32;
    of(slot::ERROR_DESTROY);
    Failed { code, message }
}

/// What the plugin lends.
pub fn bytes<'a>(start: u64, len: u64) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the plugin said so; tests use it while its owner lives.
    unsafe { std::slice::from_raw_parts(start as *const u8, len as usize) }
}

/// Words that the plugin lends.
pub fn words<'a>(start: u64, len: u64) -> &'a [u64] {
    // SAFETY: as above, aligned as pointers are.
    unsafe { std::slice::from_raw_parts(start as *const u64, len as usize) }
}

/// Calls the function that ends an object, which came with it.
pub fn delete(deleter: u64, object: u64) {
    // SAFETY: the plugin said so.
    unsafe { std::mem::transmute::<u64, unsafe extern "C" fn(u64)>(deleter)(object) }
}

pub fn address<T: ?Sized>(of: &T) -> u64 {
    std::ptr::from_ref(of).cast::<u8>() as u64
}

fn text_option(name: &str, value: &str) -> [u64; 7] {
    [56, 0, address(name), name.len() as u64, 0, address(value), value.len() as u64]
}

/// A client, destroyed with this value.
pub struct Client(pub u64);

impl Client {
    /// With so many devices.
    pub fn new(devices: u64) -> Client {
        Client::with("devices", devices)
    }

    /// With an option, and with runs that go on beside the caller, how many processors there may be.
    pub fn with(name: &str, value: u64) -> Client {
        Client::of(&[[56, 0, address(name), name.len() as u64, 1, value, 1], text_option("async", "on")])
    }

    /// With an option that is a text.
    pub fn with_text(name: &str, value: &str) -> Client {
        Client::of(&[text_option(name, value)])
    }

    fn of(options: &[[u64; 7]]) -> Client {
        let count = options.len() as u64;
        let made = call(slot::CLIENT_CREATE, [address(options), count, 0, 0, 0, 0, 0, 0, 0]);
        Client(made.expect("a client")[6])
    }

    pub fn devices(&self) -> &[u64] {
        let fields = call(slot::CLIENT_DEVICES, [self.0, 0, 0]).expect("devices");
        words(fields[1], fields[2])
    }

    pub fn compile(&self, program: &[u8], options: &[u8]) -> Result<Loaded, Failed> {
        self.compile_as("mlir", program, options)
    }

    pub fn compile_as(&self, format: &str, program: &[u8], options: &[u8]) -> Result<Loaded, Failed> {
        let place = [48, 0, address(program), program.len() as u64, address(format), format.len() as u64];
        let fields = [self.0, address(&place), address(options), options.len() as u64, 0];
        Ok(Loaded(call(slot::CLIENT_COMPILE, fields)?[4]))
    }

    pub fn buffer(&self, array: &Array) -> Result<Buffer, Failed> {
        let (buffer, event) = self.buffer_with(array, &[], 0, 0)?;
        call(slot::EVENT_DESTROY, [event]).expect("an event");
        Ok(buffer)
    }

    /// With the event that says that the array is no longer needed.
    pub fn buffer_with(
        &self,
        array: &Array,
        strides: &[i64],
        semantics: u64,
        device: u64,
    ) -> Result<(Buffer, u64), Failed> {
        let fields = call(
            slot::BUFFER_FROM_HOST,
            [
                self.0,
                array.start,
                array.element_type,
                address(&array.dims[..]),
                array.dims.len() as u64,
                address(strides),
                strides.len() as u64,
                semantics,
                device,
                0,
                0,
                0,
                0,
            ],
        )?;
        Ok((Buffer(fields[12]), fields[11]))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        call(slot::CLIENT_DESTROY, [self.0]).expect("a client");
    }
}

/// An array in memory of the test's.
pub struct Array {
    pub start: u64,
    pub element_type: u64,
    pub dims: Vec<i64>,
}

pub const F32: u64 = 11;
pub const S32: u64 = 4;

impl Array {
    /// Of elements of 4 bytes.
    pub fn of<T>(element_type: u64, elements: &[T], dims: &[i64]) -> Array {
        Array { start: address(elements), element_type, dims: dims.into() }
    }
}

/// A buffer, destroyed with this value.
pub struct Buffer(pub u64);

impl Buffer {
    pub fn floats(&self) -> Result<Vec<f32>, Failed> {
        let size = call(slot::TO_HOST, [self.0, 0, 0, 0, 0])?[3];
        let mut to = vec![0f32; size as usize / 4];
        let event = call(slot::TO_HOST, [self.0, 0, to.as_mut_ptr() as u64, size, 0])?[4];
        call(slot::EVENT_AWAIT, [event])?;
        call(slot::EVENT_DESTROY, [event])?;
        Ok(to)
    }

    pub fn is_deleted(&self) -> bool {
        call(slot::IS_DELETED, [self.0, 0]).expect("a buffer")[1] & 1 == 1
    }

    pub fn pointer(&self) -> u64 {
        call(slot::UNSAFE_POINTER, [self.0, 0]).expect("a buffer")[1]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        call(slot::BUFFER_DESTROY, [self.0]).expect("a buffer");
    }
}

/// The message of compile options with one option, a text.
pub fn chosen(key: &str, value: &str) -> Vec<u8> {
    // Field 7, a map: the name to field 1, a text.
    let mut option = vec![0x0a, key.len() as u8];
    option.extend(key.bytes());
    option.extend([0x12, value.len() as u8 + 2, 0x0a, value.len() as u8]);
    option.extend(value.bytes());
    [&[0x3a, option.len() as u8], &option[..]].concat()
}

/// A program, destroyed with this value.
pub struct Loaded(pub u64);

impl Loaded {
    pub fn executable(&self) -> u64 {
        call(slot::GET_EXECUTABLE, [self.0, 0]).expect("an executable")[1]
    }

    /// What it says of its cost: a text.
    pub fn property(&self, name: &str) -> String {
        let executable = self.executable();
        let cost = call(slot::COST_ANALYSIS, [executable, 0, 0]).expect("a cost");
        let mut all = words(cost[2], 7 * cost[1]).chunks(7);
        let found = all.find(|value| bytes(value[2], value[3]) == name.as_bytes()).expect(name);
        let text = String::from_utf8_lossy(bytes(found[5], found[6])).into_owned();
        call(slot::EXECUTABLE_DESTROY, [executable]).expect("an executable");
        text
    }

    pub fn run(&self, arguments: &[&Buffer]) -> Result<Vec<Buffer>, Failed> {
        self.run_keeping(arguments, &[])
    }

    /// Runs, and does not give up the arguments of these numbers.
    pub fn run_keeping(&self, arguments: &[&Buffer], kept: &[i64]) -> Result<Vec<Buffer>, Failed> {
        let (outputs, complete) = self.start(arguments, kept)?;
        call(slot::EVENT_DESTROY, [complete])?;
        Ok(outputs)
    }

    /// As [`Loaded::run_keeping`], with the event that says that the run is over.
    pub fn start(&self, arguments: &[&Buffer], kept: &[i64]) -> Result<(Vec<Buffer>, u64), Failed> {
        let executable = self.executable();
        let count = call(slot::NUM_OUTPUTS, [executable, 0])?[1] as usize;
        call(slot::EXECUTABLE_DESTROY, [executable])?;
        let options = [72, 0, 0, 0, 0, 0, 0, address(kept), kept.len() as u64];
        let handles: Vec<u64> = arguments.iter().map(|b| b.0).collect();
        let mut outputs = vec![0u64; count];
        let (given, wanted) = ([handles.as_ptr() as u64], [outputs.as_mut_ptr() as u64]);
        let mut complete = [0u64];
        let fields = [
            self.0,
            address(&options),
            address(&given),
            1,
            handles.len() as u64,
            address(&wanted),
            complete.as_mut_ptr() as u64,
            0,
        ];
        call(slot::EXECUTE, fields)?;
        Ok((outputs.into_iter().map(Buffer).collect(), complete[0]))
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        call(slot::LOADED_DESTROY, [self.0]).expect("a program");
    }
}
