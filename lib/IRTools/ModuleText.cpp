//===- ModuleText.cpp - modules that are written and read again ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ModuleText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/ModuleText.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;

static std::string print(ModuleOp module, OpPrintingFlags flags, bool withLocations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (withLocations)
    flags.enableDebugInfo().useLocalScope();
  module->print(os, flags);
  os << "\n";
  return text;
}

std::string irtools::printModule(ModuleOp module, bool withLocations) {
  return print(module, OpPrintingFlags(), withLocations);
}

std::string irtools::printParseable(ModuleOp module, bool withLocations) {
  std::string text = printModule(module, withLocations);
  if (readModule(text, module.getContext()))
    return text;
  std::string generic = print(module, OpPrintingFlags().printGenericOpForm(), withLocations);
  return readModule(generic, module.getContext()) ? generic : text;
}

std::string irtools::serializeModule(ModuleOp module, bool withLocations) {
  std::string text = printModule(module, withLocations);
  if (readModule(text, module.getContext()))
    return text;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  return succeeded(writeBytecodeToFile(module, os)) ? bytes : text;
}

OwningOpRef<ModuleOp> irtools::readModule(llvm::StringRef contents, MLIRContext *context) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  return contents.empty() ? nullptr : parseSourceString<ModuleOp>(contents, context);
}
