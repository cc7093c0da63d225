//! What code for graphics processors has beside: address spaces, kernels with their block, shared memory.

use super::*;

/// Address spaces of NVPTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Memory of the host; all there is on a processor.
    Generic = 0,
    /// Memory of the device.
    Device = 1,
    /// Memory of a block.
    Shared = 3,
}

/// The calling convention of kernels.
const PTX_KERNEL: c_uint = 71;

impl Ir<'_> {
    /// An address in a space.
    pub fn ptr_in(&self, space: Space) -> Ty {
        Ty(llvm!(LLVMPointerTypeInContext(self.context, space as c_uint)))
    }

    /// Makes the function the builder stands in, whose one parameter is an address, a kernel that is launched with so many
    /// words, which are at that address, on blocks of so many threads.
    pub fn kernel_of_blocks(&self, words: u32, threads: u32) {
        let f = llvm!(LLVMGetBasicBlockParent(self.here().0));
        llvm!(LLVMSetFunctionCallConv(f, PTX_KERNEL));
        let kind = llvm!(LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5));
        let passed = self.array(self.int(64), words);
        let by_value = llvm!(LLVMCreateTypeAttribute(self.context, kind, passed.0));
        llvm!(LLVMAddAttributeAtIndex(f, 1, by_value));
        let kind = llvm!(LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5));
        let aligned = llvm!(LLVMCreateEnumAttribute(self.context, kind, 8));
        llvm!(LLVMAddAttributeAtIndex(f, 1, aligned));
        let function = Value(f);
        let parts = [
            self.meta_value(function),
            self.meta_string("reqntidx"),
            self.meta_value(self.i32(threads as i32)),
        ];
        let node = self.meta_node(&parts);
        let node = llvm!(LLVMMetadataAsValue(self.context, node.0));
        llvm!(LLVMAddNamedMetadataOperand(self.module, c"nvvm.annotations".as_ptr(), node));
    }

    /// Bits of an integer or a float.
    pub fn bits_of(&self, ty: Ty) -> u32 {
        use inkwell::llvm_sys::LLVMTypeKind::*;
        match llvm!(LLVMGetTypeKind(ty.0)) {
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            _ => llvm!(LLVMGetIntTypeWidth(ty.0)),
        }
    }

    /// An array of bytes in the shared memory of each block; without a size it is as large as a launch says.
    pub fn shared(&self, name: &str, bytes: Option<u64>) -> Value {
        let ty = llvm!(LLVMArrayType2(self.int(8).0, bytes.unwrap_or(0)));
        let name = c_string(name);
        let global =
            llvm!(LLVMAddGlobalInAddressSpace(self.module, ty, name.as_ptr(), Space::Shared as c_uint));
        if bytes.is_some() {
            let unwritten = llvm!(LLVMGetUndef(ty));
            llvm!(LLVMSetInitializer(global, unwritten));
            llvm!(LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage));
        }
        llvm!(LLVMSetAlignment(global, 64));
        Value(global)
    }
}
