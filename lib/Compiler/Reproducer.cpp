//===- Reproducer.cpp - a folder that shows one pass ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Reproducer.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Reproducer.h"

#include "lib/Compiler/RecordPaths.h"
#include "mica/Compiler/Constants.h"
#include "mica/Compiler/RecordIndex.h"
#include "mica/Compiler/RecordedState.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// The op at `path` of `program` as a program; null where it is none: a function may call others, or belong into an op of
/// another kind.
static OwningOpRef<ModuleOp> cutOut(ModuleOp program, llvm::StringRef path) {
  Operation *op = path.empty() ? nullptr : opAt(program, path);
  if (!op)
    return nullptr;
  OwningOpRef<ModuleOp> result;
  if (auto module = dyn_cast<ModuleOp>(op)) {
    result = module.clone();
  } else {
    result = ModuleOp::create(program.getLoc());
    result->getBody()->push_back(op->clone());
  }
  ScopedDiagnosticHandler silence(program.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(*result)) ? std::move(result) : nullptr;
}

ReproducerFiles compiler::writeReproducer(const ReproducerSource &source, llvm::StringRef folder,
                                          MLIRContext *context) {
  ReproducerFiles result;
  std::optional<RecordedState> state = loadRecordedState(source.record, source.position, context, result.error);
  if (!state)
    return result;
  OwningOpRef<ModuleOp> module = cutOut(*state->module, source.path);
  result.arguments = module ? source.pathArguments : source.arguments;
  if (!module)
    module = std::move(state->module);
  llvm::SmallString<256> directory(source.record);
  llvm::sys::path::append(directory, folder);
  auto write = [&](const char *name, llvm::StringRef text) {
    if (result.error.empty())
      result.error = writeRecordFile(directory, name, text);
    result.files.push_back(name);
  };
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo().elideLargeResourceString(0));
  os << "\n";
  write("input.mlir", text);
  write("run.sh",
        "#!/bin/sh\nexec \"${MICA_OPT:-mica-opt}\" \"$(dirname \"$0\")/input.mlir\"" + result.arguments + " \"$@\"\n");
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, "run.sh");
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::perms(0755));

  std::vector<PlacedConstant> constants;
  for (DenseResourceElementsAttr attr : collectResources(*module))
    if (AsmResourceBlob *blob = attr.getRawHandle().getBlob())
      constants.push_back({attr.getRawHandle().getKey().str(), attr, blob->getData(), 0});
  if (constants.empty())
    return result;
  placeConstants(constants);
  write("constants.json", printConstantsIndex("constants.bin", constants));
  path = directory;
  llvm::sys::path::append(path, "constants.bin");
  if (result.error.empty())
    result.error = writeConstants(path, constants);
  result.files.push_back("constants.bin");
  return result;
}
