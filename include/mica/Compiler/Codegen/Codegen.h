//===- Codegen.h - from the LLVM dialect to files -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One module of the LLVM dialect becomes LLVM IR, assembly and an object file. The object is assembled from the text of
// the assembly, so what a user reads in kernel.s is what runs, and a hand-edited kernel.s goes the same way.
//
// Every function here may be called from several threads at once, on different modules.
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
  std::string llvmIR;   ///< after optimisation
  std::string assembly; ///< PTX, AMD's or SPIR-V's where the target is a GPU
  /// Bytes of an ELF object; of the module for SPIR-V; none for NVIDIA's GPUs.
  std::string object;
  LineTable llvmLines, assemblyLines;
  /// With a limit of passes: LLVM's optional passes in their order, those beyond the limit too: "sroa on mica_body_k".
  std::vector<std::string> passes;
};

struct CodegenOptions {
  int optLevel = 3;
  /// The file that debug lines point at; "" for none. The module's ops have their positions in it (SnapshotPrinter.h).
  std::string lineFile;
  /// How many of LLVM's optional passes run; nothing: all.
  std::optional<int64_t> passLimit = {};
  /// Files of LLVM pass plugins, whose passes run where they register themselves.
  std::vector<std::string> llvmPlugins = {};
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

/// Takes what a kernel's module (LLVM dialect) has for a GPU out of it, as a module of the kernel's name; null where it
/// has nothing.
mlir::OwningOpRef<mlir::ModuleOp> takeDeviceModule(mlir::ModuleOp kernel);

/// The object file of an assembly text; `name` is used in messages.
Result<std::string> assemble(llvm::StringRef assembly, const CodeTarget &target, llvm::StringRef name);

/// Whether an ELF object (its bytes) defines a symbol.
bool definesSymbol(llvm::StringRef object, llvm::StringRef symbol);

/// Links object files to a shared library that exports their mica_* symbols and needs libm, libc and `libraries`, which
/// the dynamic linker looks for where they lie now.
Status linkProgram(const std::vector<std::string> &objectFiles, const std::string &output,
                   const std::vector<std::string> &libraries = {});

/// Fails if `host` (LLVM dialect) calls a function without a body that neither libm, libc nor `libraries` have, with an
/// error at its declaration.
Status checkExternals(mlir::ModuleOp host, const std::vector<std::string> &libraries);

/// Links an object of AMD's, the bytes `object`, to a code object as its loaders take it, `output`. Not on several
/// threads at once.
Status linkCodeObject(llvm::StringRef object, const std::string &output);

} // namespace mica::compiler

#endif // MICA_COMPILER_CODEGEN_CODEGEN_H
