//===- Foreign.cpp - programs in files of other formats -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Import/Foreign.h"

#include "mica/Import/ONNX/Import.h"
#include "mica/Import/StableHLO/JaxExport.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;

Result<std::unique_ptr<llvm::MemoryBuffer>> importer::asMlir(std::unique_ptr<llvm::MemoryBuffer> input,
                                                             const std::string &file, const DialectRegistry &registry) {
  const llvm::StringRef name = input->getBufferIdentifier();
  if (const std::optional<llvm::StringRef> module = moduleOfJaxExport(input->getBuffer()))
    return llvm::MemoryBuffer::getMemBufferCopy(*module, name);
  if (!looksLikeOnnx(file, input->getBuffer()))
    return input;
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  MICA_ASSIGN_OR_RETURN(OwningOpRef<ModuleOp> module, importOnnx(file, input->getBuffer(), context, sources));
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (failed(verify(*module)) || failed(writeBytecodeToFile(*module, out)))
    return Error{ErrorCode::InvalidInput, file + " is not imported: see the errors above", ""};
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, name);
}
