//===- Codegen.h - code generation from the LLVM dialect ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Translates a module of the LLVM dialect to LLVM IR, assembly and an object file. The object is assembled from the
// assembly text, so kernel.s is exactly what runs, and a hand-edited kernel.s takes the same path.
//
// Every function here is thread-safe for different modules.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_CODEGEN_CODEGEN_H
#define MICA_COMPILER_CODEGEN_CODEGEN_H

#include "mica/Compiler/Targets/Target.h"
#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// (line in the text, line in kernel.mlir), ascending by the first.
using LineTable = std::vector<std::pair<unsigned, unsigned>>;

struct GeneratedCode {
  std::string llvmIR;   ///< after optimization
  std::string assembly; ///< PTX, AMD's or SPIR-V's where the target is a GPU
  /// Bytes of an ELF object, or of the module for SPIR-V; empty for NVIDIA's GPUs.
  std::string object;
  LineTable llvmLines, assemblyLines;
  /// With a limit of passes: LLVM's optional passes in their order, those beyond the limit too: "sroa on mica_body_k".
  std::vector<std::string> passes;
};

struct CodegenOptions {
  int optLevel = 3;
  /// The file that debug lines refer to; "" for none. The module's ops have their positions in it (SnapshotPrinter.h).
  std::string lineFile;
  /// How many of LLVM's optional passes run; nothing: all.
  std::optional<int64_t> passLimit = {};
  /// Files of LLVM pass plugins, whose passes run where they register themselves.
  std::vector<std::string> llvmPlugins = {};
};

/// Translates `module` (LLVM dialect; modified: its locations become debug lines). Errors are Internal.
Result<GeneratedCode> generateCode(mlir::ModuleOp module, const CodeTarget &target, const CodegenOptions &options);

/// The functions and globals outside of the kernels of a program of phase lowered, as a module named "host".
mlir::OwningOpRef<mlir::ModuleOp> hostModule(mlir::ModuleOp program);

/// Generates code from LLVM IR, without optimizing it again. Errors in the text are InvalidInput and name `file` and
/// line.
Result<GeneratedCode> generateCodeFromLlvm(llvm::StringRef text, llvm::StringRef file, const CodeTarget &target,
                                           const CodegenOptions &options);

/// The same from assembly, without LLVM IR. PTX is not checked here: the driver, or ptxas, reports its errors.
Result<GeneratedCode> generateCodeFromAssembly(llvm::StringRef text, llvm::StringRef file, const CodeTarget &target);

/// Moves the GPU code of a kernel's module (LLVM dialect) to a module of the kernel's name; null if it has none.
mlir::OwningOpRef<mlir::ModuleOp> takeDeviceModule(mlir::ModuleOp kernel);

/// Assembles a text to an object file; `name` is used in messages.
Result<std::string> assemble(llvm::StringRef assembly, const CodeTarget &target, llvm::StringRef name);

/// Whether an ELF object (its bytes) defines a symbol.
bool definesSymbol(llvm::StringRef object, llvm::StringRef symbol);

/// Links object files to a shared library that exports their mica_* symbols and depends on libm, libc and `libraries`,
/// which the dynamic linker looks up at their current paths.
Status linkProgram(const std::vector<std::string> &objectFiles, const std::string &output,
                   const std::vector<std::string> &libraries = {});

/// Fails if `host` (LLVM dialect) calls an external function that neither libm, libc nor `libraries` define; the error
/// is at its declaration.
Status checkExternals(mlir::ModuleOp host, const std::vector<std::string> &libraries);

/// Links an AMD object, the bytes `object`, to a code object that AMD's loaders accept, `output`. Not thread-safe.
Status linkCodeObject(llvm::StringRef object, const std::string &output);

} // namespace mica::compiler

#endif // MICA_COMPILER_CODEGEN_CODEGEN_H
