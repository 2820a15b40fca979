//===- Codegen.h - from the LLVM dialect to files ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One module of the LLVM dialect becomes LLVM IR, assembly and an object file. The object is assembled from the text of the
// assembly, so what a user reads in kernel.s is what runs, and a hand-edited kernel.s goes the same way.
//
// Every function here may be called from several threads at once, on different modules.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_CODEGEN_H
#define MICA_COMPILER_CODEGEN_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// What code is made for.
struct CodeTarget {
  std::string triple;
  std::string cpu;      ///< whose instructions may be used beyond the features: "x86-64"
  std::string tune;     ///< whose timings the code is arranged for: "znver5"
  std::string features; ///< LLVM's spelling: "+avx2,+fma"
  /// What of `features` a machine must have, as /proc/cpuinfo names it.
  std::vector<std::string> cpuinfoFeatures;
  int vectorBits = 128; ///< width of the vector registers the features give
  std::string device;   ///< of a GPU, as --target names it: "cuda:sm_80", "rocm:gfx90a", "spirv"; "" for a CPU
  bool isGpu() const { return !device.empty(); }
};

/// The machine this runs on. Only features that LLVM's code generator uses by itself are asked for, so that an artifact
/// runs on every machine that has these.
Result<CodeTarget> hostTarget();

/// Sizes in bytes of a core's first- and second-level data cache; 0 where the system does not tell.
std::pair<int64_t, int64_t> dataCacheSizes();

/// (line in the text, line in kernel.mlir), ascending by the first.
using LineTable = std::vector<std::pair<unsigned, unsigned>>;

struct GeneratedCode {
  std::string llvmIR;   ///< after optimisation
  std::string assembly; ///< PTX, AMD's or SPIR-V's where the target is a GPU
  /// Bytes of an ELF object; of the module for SPIR-V; none for NVIDIA's GPUs.
  std::string object;
  LineTable llvmLines, assemblyLines;
};

struct CodegenOptions {
  int optLevel = 3;
  /// The file that debug lines point at; "" for none. The module's ops have their positions in it (LayerPrinter.h).
  std::string lineFile;
};

/// Translates `module` (LLVM dialect; changed: its locations become debug lines). Errors are Internal.
Result<GeneratedCode> generateCode(mlir::ModuleOp module, const CodeTarget &target, const CodegenOptions &options);

/// The functions and globals that a program of phase lowered has beside its kernels, as a module named "host".
mlir::OwningOpRef<mlir::ModuleOp> hostModule(mlir::ModuleOp program);

/// Code of LLVM IR as it is, not optimised again. Errors in the text are InvalidInput and name `file` and line.
Result<GeneratedCode> generateCodeFromLlvm(llvm::StringRef text, llvm::StringRef file, const CodeTarget &target,
                                           const CodegenOptions &options);

/// The same of assembly; it has no LLVM IR. PTX is taken as it is: the driver, or ptxas, finds its errors.
Result<GeneratedCode> generateCodeFromAssembly(llvm::StringRef text, llvm::StringRef file, const CodeTarget &target);

/// Whether --target=`target` makes kernels for a GPU beside code of this machine: cuda, rocm, spirv, with or without a chip.
bool isDeviceTarget(llvm::StringRef target);

/// That GPU; without a chip sm_80 or gfx90a. InvalidInput for chips that LLVM does not know, or that are older than sm_70 or gfx900.
Result<CodeTarget> deviceTarget(llvm::StringRef target);

/// Takes what a kernel's module (LLVM dialect) has for a GPU out of it, as a module of the kernel's name; null where it has nothing.
mlir::OwningOpRef<mlir::ModuleOp> takeDeviceModule(mlir::ModuleOp kernel);

/// Registers LLVM's code generator, assembler and disassembler of this machine; once.
void initializeTarget();

/// The object file of an assembly text; `name` is used in messages.
Result<std::string> assemble(llvm::StringRef assembly, const CodeTarget &target, llvm::StringRef name);

/// Whether an ELF object (its bytes) defines a symbol.
bool definesSymbol(llvm::StringRef object, llvm::StringRef symbol);

/// Links object files to a shared library that exports their mica_* symbols and needs libm and libc.
Status linkProgram(const std::vector<std::string> &objectFiles, const std::string &output);

/// Links an object of AMD's, the bytes `object`, to a code object as its loaders take it, `output`. Not on several threads at once.
Status linkCodeObject(llvm::StringRef object, const std::string &output);

} // namespace mica::compiler

#endif // MICA_COMPILER_CODEGEN_H
