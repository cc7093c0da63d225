//! The arguments of each function, as PJRT 0.93 has them: fields in their order, after the header that all share.
//!
//! Results stand in the same struct as what is given, and callers leave anything in their place: so truth values are numbers here,
//! and no field is of a type that some bytes are no value of. Fields that later versions add at the end of a struct are unknown here,
//! and stay as the caller left them.

use crate::abi::callback::{Callback, Deleter, OnDelete};
use crate::abi::entry::{AnyBytes, Fields, Struct, any_bytes};
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Place, Pointer, Slice};
use crate::abi::named::NamedValue;
use crate::buffer::Buffer;
use crate::device::{Description, Device, Memory, Topology};
use crate::event::Event;
use crate::executable::{Executable, Loaded, Serialized};
use crate::layout::RowMajor;
use crate::platform::Client;
use crate::profile::Profiler;
use std::ffi::c_void;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            pub struct $name {
                $(pub $field: $type,)*
            }

            const _: () = {
                $(any_bytes::<$type>();)*
            };

            // SAFETY: in C's layout, and of fields that are values whatever their bytes, as the lines before say.
            unsafe impl Fields for $name {}
        )*
    };
}

fields! {
    ErrorDestroy { error: Handle<Failure>, }
    ErrorMessage { error: Handle<Failure>, message: Slice<u8>, }
    ErrorGetCode { error: Handle<Failure>, code: u32, }

    PluginInitialize {}
    PluginAttributes { attributes: Slice<NamedValue>, }

    EventOnly { event: Handle<Event>, }
    EventIsReady { event: Handle<Event>, is_ready: u8, }
    EventOnReady { event: Handle<Event>, callback: Callback, }

    ClientCreate {
        options: Slice<NamedValue>,
        kv_get_callback: *const c_void,
        kv_get_user_arg: *const c_void,
        kv_put_callback: *const c_void,
        kv_put_user_arg: *const c_void,
        client: Handle<Client>,
    }
    ClientOnly { client: Handle<Client>, }
    ClientText { client: Handle<Client>, text: Slice<u8>, }
    ClientProcessIndex { client: Handle<Client>, process_index: i32, }
    ClientDevices { client: Handle<Client>, devices: Slice<Handle<Device>>, }
    ClientMemories { client: Handle<Client>, memories: Slice<Handle<Memory>>, }
    ClientLookup { client: Handle<Client>, id: i32, device: Handle<Device>, }
    ClientTopology { client: Handle<Client>, topology: Handle<Topology>, }
    ClientCompile {
        client: Handle<Client>,
        program: Struct<Program>,
        options: Slice<u8>,
        executable: Handle<Loaded>,
    }
    ClientDefaultDeviceAssignment {
        client: Handle<Client>,
        num_replicas: i32,
        num_partitions: i32,
        size: usize,
        assignment: Place<i32>,
    }
    ClientBufferFromHostBuffer {
        client: Handle<Client>,
        data: Pointer<u8>,
        element_type: u32,
        dims: Slice<i64>,
        byte_strides: Slice<i64>,
        semantics: u32,
        device: Handle<Device>,
        memory: Handle<Memory>,
        device_layout: Struct<LayoutFields>,
        done_with_host_buffer: Handle<Event>,
        buffer: Handle<Buffer>,
    }
    ClientCreateView {
        client: Handle<Client>,
        data: Pointer<u8>,
        dims: Slice<i64>,
        element_type: u32,
        layout: Struct<LayoutFields>,
        device: Handle<Device>,
        on_delete: OnDelete,
        stream: isize,
        buffer: Handle<Buffer>,
        memory: Handle<Memory>,
    }

    DescriptionNumber { description: Handle<Description>, number: i32, }
    DescriptionAttributes { description: Handle<Description>, count: usize, attributes: Pointer<NamedValue>, }
    DescriptionText { description: Handle<Description>, text: Slice<u8>, }

    DeviceDescription { device: Handle<Device>, description: Handle<Description>, }
    DeviceIsAddressable { device: Handle<Device>, is_addressable: u8, }
    DeviceLocalHardwareId { device: Handle<Device>, id: i32, }
    DeviceMemories { device: Handle<Device>, memories: Slice<Handle<Memory>>, }
    DeviceDefaultMemory { device: Handle<Device>, memory: Handle<Memory>, }
    DeviceMemoryStats {
        device: Handle<Device>,
        bytes_in_use: i64,
        peak_bytes_in_use: i64,
        peak_bytes_in_use_is_set: u8,
        num_allocs: i64,
        num_allocs_is_set: u8,
        largest_alloc_size: i64,
        largest_alloc_size_is_set: u8,
        bytes_limit: i64,
        bytes_limit_is_set: u8,
        bytes_reserved: i64,
        bytes_reserved_is_set: u8,
        peak_bytes_reserved: i64,
        peak_bytes_reserved_is_set: u8,
        bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: u8,
        largest_free_block_bytes: i64,
        largest_free_block_bytes_is_set: u8,
        pool_bytes: i64,
        pool_bytes_is_set: u8,
        peak_pool_bytes: i64,
        peak_pool_bytes_is_set: u8,
    }

    DeviceAttributes {
        device: Handle<Device>,
        attributes: Slice<NamedValue>,
        owner: Handle<Serialized>,
        deleter: Deleter<Serialized>,
    }

    MemoryNumber { memory: Handle<Memory>, number: i32, }
    MemoryText { memory: Handle<Memory>, text: Slice<u8>, }
    MemoryDevices { memory: Handle<Memory>, devices: Slice<Handle<Device>>, }

    ExecutableOnly { executable: Handle<Executable>, }
    ExecutableText { executable: Handle<Executable>, text: Slice<u8>, }
    ExecutableCount { executable: Handle<Executable>, count: usize, }
    ExecutableBytes { executable: Handle<Executable>, bytes: i64, }
    ExecutableCost { executable: Handle<Executable>, count: usize, properties: Pointer<NamedValue>, }
    ExecutableMemoryKinds {
        executable: Handle<Executable>,
        count: usize,
        kinds: Pointer<Pointer<u8>>,
        sizes: Pointer<usize>,
    }
    ExecutableProgram { executable: Handle<Executable>, program: Struct<ProgramPlace>, }
    ExecutableOutputTypes { executable: Handle<Executable>, types: Slice<u32>, }
    ExecutableOutputDimensions {
        executable: Handle<Executable>,
        count: usize,
        dims: Pointer<i64>,
        ranks: Pointer<usize>,
    }
    ExecutableMemoryStats {
        executable: Handle<Executable>,
        code: i64,
        arguments: i64,
        outputs: i64,
        aliased: i64,
        temporaries: i64,
        host_code: i64,
        host_arguments: i64,
        host_outputs: i64,
        host_aliased: i64,
        host_temporaries: i64,
        peak: i64,
        total: i64,
    }
    ExecutableSerialize {
        executable: Handle<Executable>,
        bytes: Slice<u8>,
        serialized: Handle<Serialized>,
        deleter: Deleter<Serialized>,
    }
    ExecutableDeserialize {
        client: Handle<Client>,
        bytes: Slice<u8>,
        loaded: Handle<Loaded>,
        options: Slice<u8>,
    }

    LoadedOnly { loaded: Handle<Loaded>, }
    LoadedExecutable { loaded: Handle<Loaded>, executable: Handle<Executable>, }
    LoadedDevices { loaded: Handle<Loaded>, devices: Slice<Handle<Device>>, }
    LoadedDeviceAssignment {
        loaded: Handle<Loaded>,
        bytes: Slice<u8>,
        serialized: Handle<Serialized>,
        deleter: Deleter<Serialized>,
    }
    LoadedIsDeleted { loaded: Handle<Loaded>, is_deleted: u8, }
    LoadedExecute {
        loaded: Handle<Loaded>,
        options: Struct<ExecuteOptions>,
        arguments: Pointer<Pointer<Handle<Buffer>>>,
        num_devices: usize,
        num_args: usize,
        outputs: Pointer<Place<Handle<Buffer>>>,
        complete: Place<Handle<Event>>,
        device: Handle<Device>,
    }

    BufferOnly { buffer: Handle<Buffer>, }
    BufferElementType { buffer: Handle<Buffer>, element_type: u32, }
    BufferDimensions { buffer: Handle<Buffer>, dims: Slice<i64>, }
    BufferDynamicDimensions { buffer: Handle<Buffer>, indices: Slice<usize>, }
    BufferLayout { buffer: Handle<Buffer>, layout: Layout, }
    BufferSize { buffer: Handle<Buffer>, bytes: usize, }
    BufferDevice { buffer: Handle<Buffer>, device: Handle<Device>, }
    BufferMemory { buffer: Handle<Buffer>, memory: Handle<Memory>, }
    BufferFlag { buffer: Handle<Buffer>, flag: u8, }
    BufferCopyToDevice { buffer: Handle<Buffer>, device: Handle<Device>, copy: Handle<Buffer>, }
    BufferCopyToMemory { buffer: Handle<Buffer>, memory: Handle<Memory>, copy: Handle<Buffer>, }
    BufferToHostBuffer {
        source: Handle<Buffer>,
        host_layout: Struct<LayoutFields>,
        destination: Place<u8>,
        size: usize,
        event: Handle<Event>,
    }
    BufferReadyEvent { buffer: Handle<Buffer>, event: Handle<Event>, }
    BufferPointer { buffer: Handle<Buffer>, pointer: Pointer<u8>, }

    TopologyText { topology: Handle<Topology>, text: Slice<u8>, }
    TopologyDescriptions { topology: Handle<Topology>, descriptions: Slice<Handle<Description>>, }
    TopologySerialize {
        topology: Handle<Topology>,
        bytes: Slice<u8>,
        serialized: Handle<Serialized>,
        deleter: Deleter<Serialized>,
    }
    TopologyAttributes { topology: Handle<Topology>, attributes: Slice<NamedValue>, }

    LayoutOnly { layout: Handle<RowMajor>, }
    LayoutSerialize {
        layout: Handle<RowMajor>,
        bytes: Slice<u8>,
        serialized: Handle<Serialized>,
        deleter: Deleter<Serialized>,
    }
    ClientDefaultLayout {
        client: Handle<Client>,
        element_type: u32,
        dims: Slice<i64>,
        layout: Handle<RowMajor>,
    }
    TopologyDefaultLayout {
        topology: Handle<Topology>,
        element_type: u32,
        dims: Slice<i64>,
        layout: Handle<RowMajor>,
    }
    BufferMemoryLayout { buffer: Handle<Buffer>, layout: Handle<RowMajor>, }
    ExecutableLayouts {
        executable: Handle<Executable>,
        count: usize,
        layouts: Pointer<Handle<RowMajor>>,
    }
    ExecutableShardings {
        executable: Handle<Executable>,
        count: usize,
        shardings: Pointer<Pointer<u8>>,
        sizes: Pointer<usize>,
    }

    ProfilerErrorDestroy { private: *const c_void, error: Handle<Failure>, }
    ProfilerErrorMessage { private: *const c_void, error: Handle<Failure>, message: Slice<u8>, }
    ProfilerErrorGetCode { private: *const c_void, error: Handle<Failure>, code: u32, }
    ProfilerCreate { options: Slice<u8>, profiler: Handle<Profiler>, }
    ProfilerOnly { profiler: Handle<Profiler>, }
    ProfilerCollect { profiler: Handle<Profiler>, place: Place<u8>, size: usize, }

    /// A program as it is given to be compiled.
    Program { code: Slice<u8>, format: Slice<u8>, }
    /// Where a program is wanted. Without a place its size is told.
    ProgramPlace { code: Place<u8>, size: usize, format: Slice<u8>, }
    /// How a program is run. What the host and a running program would send each other is not looked at.
    ExecuteOptions {
        send_callbacks: *const c_void,
        recv_callbacks: *const c_void,
        num_send_ops: usize,
        num_recv_ops: usize,
        launch_id: i32,
        not_donated: Slice<i64>,
    }
    /// How the elements of an array lie in memory, without the header of its struct.
    LayoutFields {
        of: LayoutOf,
        kind: u32,
    }
}

/// The two forms of a layout share their memory. Of the strided one the first two words are used.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LayoutOf {
    pub struct_size: usize,
    pub extension: *const c_void,
    /// Dimensions from minor to major of the tiled form, strides in bytes of the other.
    pub numbers: Slice<i64>,
    pub tile_dims: Pointer<i64>,
    pub tile_ranks: Pointer<usize>,
    pub tiles: usize,
}

// SAFETY: numbers and pointers.
unsafe impl AnyBytes for LayoutOf {}

/// A layout as a value in the arguments.
#[repr(C)]
pub struct Layout {
    pub struct_size: usize,
    pub extension: *const c_void,
    pub of: LayoutOf,
    pub kind: u32,
}

// SAFETY: numbers and pointers.
unsafe impl AnyBytes for Layout {}

/// The forms of layouts.
pub const TILED: u32 = 0;
/// By strides in bytes.
pub const STRIDED: u32 = 1;
