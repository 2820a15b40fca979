//===- StableHLOFuzzer.cpp - portable artifacts and text of StableHLO --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads a file of jax.export, a portable artifact, or a text, and converts it to Mica's dialects. It is refused with an
// error, or becomes a valid program that is the same after it was printed and parsed, before and after the conversion.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/FuzzPrograms.h"

#include "dialects/StableHLO/IR/VHLODialect.h"
#include "mica/Import/StableHLO/JaxExport.h"
#include "mica/Support/Nesting.h"
#include "passes/StableHLO/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Programs programs;
  llvm::StringRef bytes = fuzz::view(data, size);
  if (const std::optional<llvm::StringRef> module = importer::moduleOfJaxExport(bytes))
    bytes = *module;
  // As the tools do before MLIR's readers see the file.
  if (!checkNesting(bytes, "program"))
    return 0;
  // Of files, MLIR's lexer may look at the 0 behind the end.
  const std::string text = bytes.str();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&programs.context, /*verifyAfterParse=*/false));
  if (!module) {
    programs.checkRefused("a file that is not read");
    return 0;
  }
  if (programs.context.getLoadedDialect<vhlo::VHLODialect>() && failed(convertVHLOToStableHLO(*module))) {
    programs.checkRefused("an op of vhlo that is not read");
    return 0;
  }
  if (failed(verify(*module))) {
    programs.checkRefused("a program that is not valid");
    return 0;
  }
  programs.checkProgram(*module);
  PassManager manager(&programs.context);
  manager.addPass(createLegalizeStableHLOTypes());
  manager.addPass(createConvertStableHLOToMica());
  if (failed(manager.run(*module))) {
    programs.checkRefused("a program that is not converted");
    return 0;
  }
  programs.checkProgram(*module);
  return 0;
}
