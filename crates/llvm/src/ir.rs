//! A thin layer over LLVM's C builder: one function for each kind of instruction Lawson emits.
//!
//! inkwell's builder types integers, floats and vectors of each apart, which a translator of already typed code
//! would only have to undo. Values carry no lifetime: they live as long as the module, and only [`crate::emit`]
//! holds them, while it borrows the module. That operands have the right types is the Loop IR verifier's promise,
//! checked again by LLVM's verifier before code generation.

use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMUnnamedAddr};
use inkwell::module::Module;
use lawson_kernel::loop_ir::{Elem, Type};
use std::ffi::c_uint;

pub use device::Space;

/// A value, type, block or metadata node of the module being built.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value(LLVMValueRef);
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ty(LLVMTypeRef);
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BasicBlock(LLVMBasicBlockRef);
#[derive(Clone, Copy, Debug)]
pub struct Meta(LLVMMetadataRef);

pub struct Ir<'c> {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: Builder<'c>,
}

/// An unnamed instruction: names would only cost time.
const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

// SAFETY, for every call below: all handles come from this context, module and builder, which outlive the `Ir`
// (a module borrows its context, the caller the module); arrays are passed with their lengths; the builder stands
// in a block before instructions are appended.
macro_rules! llvm {
    ($f:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: see above.
        unsafe { $f($($arg),*) }
    };
}

// It uses the macro above.
mod device;

impl<'c> Ir<'c> {
    pub fn new(context: &'c Context, module: &Module<'c>) -> Ir<'c> {
        Ir { context: context.raw(), module: module.as_mut_ptr(), builder: context.create_builder() }
    }

    fn b(&self) -> LLVMBuilderRef {
        self.builder.as_mut_ptr()
    }

    // Types

    pub fn int(&self, bits: u32) -> Ty {
        Ty(llvm!(LLVMIntTypeInContext(self.context, bits)))
    }

    pub fn ptr(&self) -> Ty {
        Ty(llvm!(LLVMPointerTypeInContext(self.context, 0)))
    }

    pub fn half(&self) -> Ty {
        Ty(llvm!(LLVMHalfTypeInContext(self.context)))
    }

    pub fn float(&self) -> Ty {
        Ty(llvm!(LLVMFloatTypeInContext(self.context)))
    }

    pub fn bfloat(&self) -> Ty {
        Ty(llvm!(LLVMBFloatTypeInContext(self.context)))
    }

    pub fn elem(&self, elem: Elem) -> Ty {
        match elem {
            Elem::F32 => self.float(),
            Elem::F64 => Ty(llvm!(LLVMDoubleTypeInContext(self.context))),
            Elem::I256 => self.array(self.int(64), 4),
            Elem::I1 | Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64 => self.int(elem.bits()),
        }
    }

    /// The scalar for one lane, a vector for more.
    pub fn lanes(&self, elem: Ty, lanes: u32) -> Ty {
        if lanes == 1 { elem } else { Ty(llvm!(LLVMVectorType(elem.0, lanes))) }
    }

    pub fn structure(&self, members: &[Ty]) -> Ty {
        let mut members: Vec<LLVMTypeRef> = members.iter().map(|ty| ty.0).collect();
        Ty(llvm!(LLVMStructTypeInContext(self.context, members.as_mut_ptr(), members.len() as c_uint, 0)))
    }

    /// An array of so many values of one type.
    pub fn array(&self, of: Ty, count: u32) -> Ty {
        Ty(llvm!(LLVMArrayType2(of.0, count.into())))
    }

    /// A number of several words is an array of them, each in all lanes.
    pub fn ty(&self, ty: Type) -> Ty {
        match ty.elem {
            Elem::I256 => self.array(self.lanes(self.int(64), ty.lanes), 4),
            _ => self.lanes(self.elem(ty.elem), ty.lanes),
        }
    }

    // Constants

    pub fn const_int(&self, ty: Ty, bits: u64) -> Value {
        Value(llvm!(LLVMConstInt(ty.0, bits, 0)))
    }

    pub fn i64(&self, value: i64) -> Value {
        self.const_int(self.int(64), value as u64)
    }

    pub fn i32(&self, value: i32) -> Value {
        self.const_int(self.int(32), value as u32 as u64)
    }

    pub fn zero(&self, ty: Ty) -> Value {
        Value(llvm!(LLVMConstNull(ty.0)))
    }

    pub fn poison(&self, ty: Ty) -> Value {
        Value(llvm!(LLVMGetPoison(ty.0)))
    }

    /// A vector of constants; a single one is itself.
    pub fn const_lanes(&self, parts: &[Value]) -> Value {
        if let [one] = parts {
            return *one;
        }
        let mut parts: Vec<LLVMValueRef> = parts.iter().map(|v| v.0).collect();
        Value(llvm!(LLVMConstVector(parts.as_mut_ptr(), parts.len() as c_uint)))
    }

    /// A constant with the same bits and another type.
    pub fn const_bits(&self, value: Value, ty: Ty) -> Value {
        Value(llvm!(LLVMConstBitCast(value.0, ty.0)))
    }

    /// The value of a constant integer of at most 64 bits.
    pub fn as_const(&self, value: Value) -> Option<i64> {
        let found = llvm!(LLVMIsAConstantInt(value.0));
        (!found.is_null()).then(|| llvm!(LLVMConstIntGetSExtValue(found)))
    }

    /// What all lanes of a constant vector of integers are.
    pub fn as_const_lanes(&self, value: Value, lanes: u32) -> Option<i64> {
        if llvm!(LLVMIsConstant(value.0)) == 0 {
            return None;
        }
        let lane = |n| self.as_const(Value(llvm!(LLVMGetAggregateElement(value.0, n))));
        let first = lane(0)?;
        (1..lanes).all(|n| lane(n) == Some(first)).then_some(first)
    }

    /// A read-only array of the module's own, in this address space.
    pub fn table(&self, name: &str, words: &[u64], space: Space) -> Value {
        let i64_ty = self.int(64);
        let mut parts: Vec<LLVMValueRef> = words.iter().map(|&w| self.const_int(i64_ty, w).0).collect();
        let init = llvm!(LLVMConstArray2(i64_ty.0, parts.as_mut_ptr(), parts.len() as u64));
        let name = c_string(name);
        let ty = llvm!(LLVMTypeOf(init));
        let global = llvm!(LLVMAddGlobalInAddressSpace(self.module, ty, name.as_ptr(), space as c_uint));
        llvm!(LLVMSetInitializer(global, init));
        llvm!(LLVMSetGlobalConstant(global, 1));
        llvm!(LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage));
        llvm!(LLVMSetUnnamedAddress(global, LLVMUnnamedAddr::LLVMGlobalUnnamedAddr));
        llvm!(LLVMSetAlignment(global, 64));
        Value(global)
    }

    // Functions and control flow

    /// A function without result, with these string attributes, that does not unwind; stands in its entry block.
    pub fn function(&self, name: &str, params: &[Ty], attributes: &[(&str, &str)]) -> Vec<Value> {
        let name = c_string(name);
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|t| t.0).collect();
        let void = llvm!(LLVMVoidTypeInContext(self.context));
        let ty = llvm!(LLVMFunctionType(void, params.as_mut_ptr(), params.len() as c_uint, 0));
        let f = llvm!(LLVMAddFunction(self.module, name.as_ptr(), ty));
        let kind = llvm!(LLVMGetEnumAttributeKindForName(c"nounwind".as_ptr(), 8));
        let nounwind = llvm!(LLVMCreateEnumAttribute(self.context, kind, 0));
        let at_function = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        llvm!(LLVMAddAttributeAtIndex(f, at_function, nounwind));
        for (key, value) in attributes {
            let attribute = llvm!(LLVMCreateStringAttribute(
                self.context,
                key.as_ptr().cast(),
                key.len() as c_uint,
                value.as_ptr().cast(),
                value.len() as c_uint,
            ));
            llvm!(LLVMAddAttributeAtIndex(f, at_function, attribute));
        }
        let entry = llvm!(LLVMAppendBasicBlockInContext(self.context, f, NO_NAME));
        self.position(BasicBlock(entry));
        (0..params.len()).map(|i| Value(llvm!(LLVMGetParam(f, i as c_uint)))).collect()
    }

    /// A new block; it joins the function where [`Ir::position`] first enters it, so blocks stay in textual order.
    pub fn block(&self) -> BasicBlock {
        BasicBlock(llvm!(LLVMCreateBasicBlockInContext(self.context, NO_NAME)))
    }

    /// Appends what follows to `block`.
    pub fn position(&self, block: BasicBlock) {
        if llvm!(LLVMGetBasicBlockParent(block.0)).is_null() {
            llvm!(LLVMAppendExistingBasicBlock(LLVMGetBasicBlockParent(self.here().0), block.0));
        }
        llvm!(LLVMPositionBuilderAtEnd(self.b(), block.0));
    }

    /// What `f` builds, at the beginning of the function.
    pub fn at_entry(&self, f: impl FnOnce() -> Value) -> Value {
        let here = self.here();
        let entry = llvm!(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here.0)));
        let first = llvm!(LLVMGetFirstInstruction(entry));
        llvm!(LLVMPositionBuilder(self.b(), entry, first));
        let value = f();
        llvm!(LLVMPositionBuilderAtEnd(self.b(), here.0));
        value
    }

    /// The block the builder stands in.
    pub fn here(&self) -> BasicBlock {
        BasicBlock(llvm!(LLVMGetInsertBlock(self.b())))
    }

    pub fn br(&self, to: BasicBlock) {
        llvm!(LLVMBuildBr(self.b(), to.0));
    }

    pub fn cond_br(&self, cond: Value, then: BasicBlock, otherwise: BasicBlock) {
        llvm!(LLVMBuildCondBr(self.b(), cond.0, then.0, otherwise.0));
    }

    pub fn ret(&self) {
        llvm!(LLVMBuildRetVoid(self.b()));
    }

    pub fn phi(&self, ty: Ty, incoming: &[(Value, BasicBlock)]) -> Value {
        let phi = Value(llvm!(LLVMBuildPhi(self.b(), ty.0, NO_NAME)));
        for &(value, from) in incoming {
            self.add_incoming(phi, value, from);
        }
        phi
    }

    pub fn add_incoming(&self, phi: Value, value: Value, from: BasicBlock) {
        let (mut values, mut blocks) = ([value.0], [from.0]);
        llvm!(LLVMAddIncoming(phi.0, values.as_mut_ptr(), blocks.as_mut_ptr(), 1));
    }

    // Arithmetic

    pub fn type_of(&self, value: Value) -> Ty {
        Ty(llvm!(LLVMTypeOf(value.0)))
    }

    pub fn bin(&self, op: LLVMOpcode, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildBinOp(self.b(), op, a.0, b.0, NO_NAME)))
    }

    pub fn fneg(&self, a: Value) -> Value {
        Value(llvm!(LLVMBuildFNeg(self.b(), a.0, NO_NAME)))
    }

    pub fn not(&self, a: Value) -> Value {
        Value(llvm!(LLVMBuildNot(self.b(), a.0, NO_NAME)))
    }

    pub fn cast(&self, op: LLVMOpcode, value: Value, to: Ty) -> Value {
        Value(llvm!(LLVMBuildCast(self.b(), op, value.0, to.0, NO_NAME)))
    }

    pub fn icmp(&self, op: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildICmp(self.b(), op, a.0, b.0, NO_NAME)))
    }

    pub fn fcmp(&self, op: LLVMRealPredicate, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildFCmp(self.b(), op, a.0, b.0, NO_NAME)))
    }

    pub fn select(&self, mask: Value, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildSelect(self.b(), mask.0, a.0, b.0, NO_NAME)))
    }

    /// Calls the intrinsic `name` in the variant for these types.
    pub fn intrinsic(&self, name: &str, overloads: &[Ty], args: &[Value]) -> Value {
        let id = llvm!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        debug_assert_ne!(id, 0, "{name} is not an intrinsic");
        let mut overloads: Vec<LLVMTypeRef> = overloads.iter().map(|t| t.0).collect();
        let f = llvm!(LLVMGetIntrinsicDeclaration(self.module, id, overloads.as_mut_ptr(), overloads.len()));
        let mut args: Vec<LLVMValueRef> = args.iter().map(|v| v.0).collect();
        let ty = llvm!(LLVMGlobalGetValueType(f));
        Value(llvm!(LLVMBuildCall2(self.b(), ty, f, args.as_mut_ptr(), args.len() as c_uint, NO_NAME)))
    }

    /// The value unchanged, by an empty piece of assembly that optimisations cannot see through. The constraints say in
    /// which registers.
    pub fn opaque(&self, value: Value, constraints: &str) -> Value {
        self.assembly("", constraints, self.type_of(value), &[value])
    }

    /// What a piece of assembly makes of values: a structure where it makes several. The text has its results and then the
    /// values as $0, $1 … in registers that the constraints name.
    pub fn assembly(&self, text: &str, constraints: &str, result: Ty, args: &[Value]) -> Value {
        let mut types: Vec<LLVMTypeRef> = args.iter().map(|&v| self.type_of(v).0).collect();
        let function = llvm!(LLVMFunctionType(result.0, types.as_mut_ptr(), types.len() as c_uint, 0));
        let assembly = llvm!(LLVMGetInlineAsm(
            function,
            text.as_ptr().cast_mut().cast(),
            text.len(),
            constraints.as_ptr().cast_mut().cast(),
            constraints.len(),
            0,
            0,
            inkwell::llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
            0,
        ));
        let mut args: Vec<LLVMValueRef> = args.iter().map(|v| v.0).collect();
        let count = args.len() as c_uint;
        Value(llvm!(LLVMBuildCall2(self.b(), function, assembly, args.as_mut_ptr(), count, NO_NAME)))
    }

    /// A member of a structure, as intrinsics with several results give.
    pub fn member(&self, structure: Value, index: u32) -> Value {
        Value(llvm!(LLVMBuildExtractValue(self.b(), structure.0, index, NO_NAME)))
    }

    /// The structure or array with another member in this place.
    pub fn with_member(&self, structure: Value, index: u32, member: Value) -> Value {
        Value(llvm!(LLVMBuildInsertValue(self.b(), structure.0, member.0, index, NO_NAME)))
    }

    // Lanes

    pub fn extract(&self, vector: Value, lane: u32) -> Value {
        Value(llvm!(LLVMBuildExtractElement(self.b(), vector.0, self.i32(lane as i32).0, NO_NAME)))
    }

    pub fn insert(&self, vector: Value, lane: u32, value: Value) -> Value {
        let lane = self.i32(lane as i32);
        Value(llvm!(LLVMBuildInsertElement(self.b(), vector.0, value.0, lane.0, NO_NAME)))
    }

    pub fn shuffle(&self, a: Value, b: Value, lanes: &[u32]) -> Value {
        let lanes: Vec<Value> = lanes.iter().map(|&l| self.i32(l as i32)).collect();
        let mut lanes: Vec<LLVMValueRef> = lanes.iter().map(|v| v.0).collect();
        let mask = llvm!(LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as c_uint));
        Value(llvm!(LLVMBuildShuffleVector(self.b(), a.0, b.0, mask, NO_NAME)))
    }

    /// What a shuffle takes elements from.
    pub fn shuffle_operands(&self, value: Value) -> Option<[Value; 2]> {
        let found = llvm!(LLVMIsAShuffleVectorInst(value.0));
        (!found.is_null()).then(|| [0, 1].map(|n| Value(llvm!(LLVMGetOperand(found, n)))))
    }

    pub fn splat(&self, scalar: Value, lanes: u32) -> Value {
        if lanes == 1 {
            return scalar;
        }
        let none = self.poison(self.lanes(self.type_of(scalar), lanes));
        let first = self.insert(none, 0, scalar);
        self.shuffle(first, none, &vec![0; lanes as usize])
    }

    // Memory

    /// The address of element `index` of an array of `elem` at `base`; a vector of indices gives one of addresses.
    pub fn address(&self, elem: Ty, base: Value, index: Value) -> Value {
        let mut indices = [index.0];
        Value(llvm!(LLVMBuildGEP2(self.b(), elem.0, base.0, indices.as_mut_ptr(), 1, NO_NAME)))
    }

    /// A load of a byte that other threads may change at any time.
    pub fn load_flag(&self, address: Value) -> Value {
        let v = self.load(self.int(8), address, 1);
        llvm!(LLVMSetVolatile(v.0, 1));
        v
    }

    pub fn load(&self, ty: Ty, address: Value, align: u32) -> Value {
        let v = llvm!(LLVMBuildLoad2(self.b(), ty.0, address.0, NO_NAME));
        llvm!(LLVMSetAlignment(v, align));
        Value(v)
    }

    pub fn store(&self, value: Value, address: Value, align: u32) -> Value {
        let v = llvm!(LLVMBuildStore(self.b(), value.0, address.0));
        llvm!(LLVMSetAlignment(v, align));
        Value(v)
    }

    // Metadata

    pub fn meta_string(&self, text: &str) -> Meta {
        Meta(llvm!(LLVMMDStringInContext2(self.context, text.as_ptr().cast(), text.len())))
    }

    pub fn meta_value(&self, value: Value) -> Meta {
        Meta(llvm!(LLVMValueAsMetadata(value.0)))
    }

    pub fn meta_node(&self, parts: &[Meta]) -> Meta {
        let mut parts: Vec<LLVMMetadataRef> = parts.iter().map(|m| m.0).collect();
        Meta(llvm!(LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len())))
    }

    pub fn attach(&self, instruction: Value, kind: &str, node: Meta) {
        let kind = llvm!(LLVMGetMDKindIDInContext(self.context, kind.as_ptr().cast(), kind.len() as c_uint));
        let node = llvm!(LLVMMetadataAsValue(self.context, node.0));
        llvm!(LLVMSetMetadata(instruction.0, kind, node));
    }
}

/// A name as a C string; a kernel's name holds no NUL.
fn c_string(name: &str) -> std::ffi::CString {
    std::ffi::CString::new(name.replace('\0', "_")).expect("no NUL left")
}
