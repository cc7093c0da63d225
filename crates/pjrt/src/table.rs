//! The table of functions that callers get, in the order of PJRT 0.93.
//!
//! The version is old on purpose. Callers take plugins of any version from 0.29 on, and what an old version asks for is
//! known for good; of a newer one, more is expected with every release. It is the first whose callers take the layouts of arguments
//! from an extension: of older ones they ask for the whole program, several times after each compilation. Functions without an
//! entry of ours answer that they are not there.

use crate::abi::entry::Entry;
use crate::allocator;
use crate::calls::{
    buffer, client, device, error, event, executable, execute, host_buffer, memory, plugin, serialized,
    topology,
};
use crate::extensions::{self, entry};
use std::ffi::c_void;

/// What callers get.
#[repr(C)]
pub struct Api {
    struct_size: usize,
    extension: *const c_void,
    version: Version,
    functions: [Entry; NAMES.len()],
}

// SAFETY: it never changes.
unsafe impl Sync for Api {}

#[repr(C)]
struct Version {
    struct_size: usize,
    extension: *const c_void,
    major: i32,
    minor: i32,
}

macro_rules! table {
    ($($name:ident $(= $function:path)?;)*) => {
        /// The functions' names, without `PJRT_`.
        pub const NAMES: &[&str] = &[$(stringify!($name),)*];

        const FUNCTIONS: [Entry; NAMES.len()] = [$(entry!($name $(= $function)?),)*];
    };
}

table! {
    Error_Destroy = error::destroy;
    Error_Message = error::message;
    Error_GetCode = error::code;
    Plugin_Initialize = plugin::initialize;
    Plugin_Attributes = plugin::attributes;
    Event_Destroy = event::destroy;
    Event_IsReady = event::is_ready;
    Event_Error = event::error;
    Event_Await = event::await_;
    Event_OnReady = event::on_ready;
    Client_Create = client::create;
    Client_Destroy = client::destroy;
    Client_PlatformName = client::platform_name;
    Client_ProcessIndex = client::process_index;
    Client_PlatformVersion = client::platform_version;
    Client_Devices = client::devices;
    Client_AddressableDevices = client::devices;
    Client_LookupDevice = client::lookup_device;
    Client_LookupAddressableDevice = client::lookup_device;
    Client_AddressableMemories = client::memories;
    Client_Compile = executable::compile;
    Client_DefaultDeviceAssignment = client::default_device_assignment;
    Client_BufferFromHostBuffer = host_buffer::from_host_buffer;
    DeviceDescription_Id = device::id;
    DeviceDescription_ProcessIndex = device::process_index;
    DeviceDescription_Attributes = device::attributes;
    DeviceDescription_Kind = device::kind;
    DeviceDescription_DebugString = device::debug_text;
    DeviceDescription_ToString = device::text;
    Device_GetDescription = device::description;
    Device_IsAddressable = device::is_addressable;
    Device_LocalHardwareId = device::local_hardware_id;
    Device_AddressableMemories = device::memories;
    Device_DefaultMemory = device::default_memory;
    Device_MemoryStats = device::memory_stats;
    Memory_Id = memory::id;
    Memory_Kind = memory::kind;
    Memory_DebugString = memory::text;
    Memory_ToString = memory::text;
    Memory_AddressableByDevices = memory::devices;
    Executable_Destroy = executable::destroy;
    Executable_Name = executable::name;
    Executable_NumReplicas = executable::one;
    Executable_NumPartitions = executable::one;
    Executable_NumOutputs = executable::num_outputs;
    Executable_SizeOfGeneratedCodeInBytes = executable::code_size;
    Executable_GetCostAnalysis = executable::cost_analysis;
    Executable_OutputMemoryKinds = executable::output_memory_kinds;
    Executable_OptimizedProgram = executable::optimized_program;
    Executable_Serialize = serialized::serialize;
    LoadedExecutable_Destroy = executable::destroy_loaded;
    LoadedExecutable_GetExecutable = executable::of_loaded;
    LoadedExecutable_AddressableDevices = executable::devices;
    LoadedExecutable_Delete = executable::delete_loaded;
    LoadedExecutable_IsDeleted = executable::is_deleted;
    LoadedExecutable_Execute = execute::execute;
    Executable_DeserializeAndLoad = serialized::deserialize_and_load;
    LoadedExecutable_Fingerprint;
    Buffer_Destroy = buffer::destroy;
    Buffer_ElementType = buffer::element_type;
    Buffer_Dimensions = buffer::dimensions;
    Buffer_UnpaddedDimensions = buffer::dimensions;
    Buffer_DynamicDimensionIndices = buffer::dynamic_dimensions;
    Buffer_GetMemoryLayout = buffer::layout;
    Buffer_OnDeviceSizeInBytes = buffer::size;
    Buffer_Device = buffer::device;
    Buffer_Memory = buffer::memory;
    Buffer_Delete = buffer::delete;
    Buffer_IsDeleted = buffer::is_deleted;
    Buffer_CopyToDevice = buffer::copy_to_device;
    Buffer_ToHostBuffer = buffer::to_host_buffer;
    Buffer_IsOnCpu = buffer::is_on_cpu;
    Buffer_ReadyEvent = buffer::ready_event;
    Buffer_UnsafePointer = buffer::pointer;
    Buffer_IncreaseExternalReferenceCount = buffer::increase_external_references;
    Buffer_DecreaseExternalReferenceCount = buffer::decrease_external_references;
    Buffer_OpaqueDeviceMemoryDataPointer = buffer::pointer;
    CopyToDeviceStream_Destroy;
    CopyToDeviceStream_AddChunk;
    CopyToDeviceStream_TotalBytes;
    CopyToDeviceStream_GranuleSize;
    CopyToDeviceStream_CurrentBytes;
    TopologyDescription_Create;
    TopologyDescription_Destroy;
    TopologyDescription_PlatformName = topology::platform_name;
    TopologyDescription_PlatformVersion = topology::platform_version;
    TopologyDescription_GetDeviceDescriptions = topology::device_descriptions;
    TopologyDescription_Serialize = topology::serialize;
    TopologyDescription_Attributes = topology::attributes;
    Compile;
    Executable_OutputElementTypes = executable::output_types;
    Executable_OutputDimensions = executable::output_dimensions;
    Buffer_CopyToMemory = buffer::copy_to_memory;
    Client_CreateViewOfDeviceBuffer = host_buffer::create_view;
    Executable_Fingerprint;
    Client_TopologyDescription = client::topology;
    Executable_GetCompiledMemoryStats = executable::memory_stats;
    Memory_Kind_Id = memory::kind_id;
    ExecuteContext_Create;
    ExecuteContext_Destroy;
    Buffer_CopyRawToHost;
    AsyncHostToDeviceTransferManager_Destroy;
    AsyncHostToDeviceTransferManager_TransferData;
    Client_CreateBuffersForAsyncHostToDevice;
    AsyncHostToDeviceTransferManager_RetrieveBuffer;
    AsyncHostToDeviceTransferManager_Device;
    AsyncHostToDeviceTransferManager_BufferCount;
    AsyncHostToDeviceTransferManager_BufferSize;
    AsyncHostToDeviceTransferManager_SetBufferError;
    AsyncHostToDeviceTransferManager_AddMetadata;
    Client_DmaMap;
    Client_DmaUnmap;
    Client_CreateUninitializedBuffer;
    Client_UpdateGlobalProcessInfo;
    TopologyDescription_Deserialize;
    Client_CreateAliasBuffer;
    Client_FulfillAliasBuffer;
    LoadedExecutable_GetDeviceAssignment = executable::device_assignment;
    Client_CreateErrorBuffer;
    AsyncHostToDeviceTransferManager_TransferLiteral;
    Buffer_CopyRawToHostFuture;
    Device_PoisonExecution;
    Device_CreateAsyncTrackingEvent;
    AsyncTrackingEvent_Destroy;
    Executable_GetCompileOptions;
    Buffer_DonateWithControlDependency;
    Event_Create;
    Event_Set;
    Device_GetAttributes = device::own_attributes;
}

static API: Api = Api {
    struct_size: size_of::<Api>(),
    extension: extensions::first(),
    version: Version { struct_size: size_of::<Version>(), extension: std::ptr::null(), major: 0, minor: 93 },
    functions: FUNCTIONS,
};

/// The table, which lives as long as the process: what a caller looks for in a plugin.
// SAFETY: no other symbol of this name is linked into the plugin.
#[unsafe(no_mangle)]
pub extern "C" fn GetPjrtApi() -> *const Api {
    allocator::commit_when_needed();
    &API
}
