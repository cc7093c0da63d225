// The passes that make an object of a module, kept for the modules that follow. LLVM's C interface makes them anew for each
// one, which is a third of the time that a small module takes.
//
// LLVM's library is loaded after this code (src/library.rs), so only its functions are named here, none of its data: no type
// information, no exceptions, no table of virtual functions but our own. `build/stubs.rs` refuses anything else.

#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

// A stream into memory that is emptied for each object.
class Bytes final : public llvm::raw_pwrite_stream {
    llvm::SmallVector<char, 0> bytes;

    void write_impl(const char *from, size_t size) override { bytes.append(from, from + size); }
    void pwrite_impl(const char *from, size_t size, uint64_t at) override { std::memcpy(bytes.data() + at, from, size); }
    uint64_t current_pos() const override { return bytes.size(); }

  public:
    Bytes() : raw_pwrite_stream(/*Unbuffered=*/true) {}
    // Not called: that of the base names LLVM's table of virtual functions. Without a buffer a stream holds nothing.
    ~Bytes() override { std::abort(); }
    static void operator delete(void *) {}

    void clear() { bytes.clear(); }
    void free() { llvm::SmallVector<char, 0>().swap(bytes); }
    const char *data() const { return bytes.data(); }
    size_t size() const { return bytes.size(); }
};

} // namespace

struct Passes {
    Bytes object;
    llvm::legacy::PassManager manager;
};

extern "C" {

// Null where the machine makes no objects, or where there is no memory. The machine has to outlive what this gives.
Passes *lawson_passes_new(LLVMTargetMachineRef machine) {
    void *memory = std::malloc(sizeof(Passes));
    if (!memory)
        return nullptr;
    auto *passes = new (memory) Passes;
    auto *target = reinterpret_cast<llvm::TargetMachine *>(machine);
    if (!target->addPassesToEmitFile(passes->manager, passes->object, nullptr, llvm::CodeGenFileType::ObjectFile))
        return passes;
    passes->manager.~PassManager();
    std::free(memory);
    return nullptr;
}

// Makes an object of the module: `*bytes` and as many as this returns, until the next call.
size_t lawson_passes_run(Passes *passes, LLVMModuleRef module, const char **bytes) {
    passes->object.clear();
    passes->manager.run(*llvm::unwrap(module));
    *bytes = passes->object.data();
    return passes->object.size();
}

void lawson_passes_delete(Passes *passes) {
    passes->manager.~PassManager();
    passes->object.free();
    std::free(passes);
}
}
