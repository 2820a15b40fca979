//===- Record.cpp - Mica's record, for pass managers of other compilers ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Record.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/Record.h"

#include "mica/Compiler/Program/Version.h"
#include "mica/Compiler/Record/PassRecorder.h"
#include "mica/Compiler/Record/RecordedConstants.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mica;

namespace {
/// Completes the record when the pass manager, which owns instrumentations, ends.
class RecordEnd : public PassInstrumentation {
public:
  RecordEnd(MLIRContext *context, compiler::RecorderOptions options) : context(context), recorder(std::move(options)) {}
  ~RecordEnd() override {
    if (failed(recorder.finish(context)))
      emitWarning(UnknownLoc::get(context)) << "the record is not complete: " << recorder.error();
  }

  MLIRContext *context;
  compiler::PassRecorder recorder;
};
} // namespace

void mica::record(PassManager &pm, llvm::StringRef folder, llvm::StringRef compiler) {
  compiler::RecorderOptions options;
  options.directory = folder.str();
  options.tool = compiler.empty() ? "mica::record " + compiler::versionText() : compiler.str();
  auto end = std::make_unique<RecordEnd>(pm.getContext(), std::move(options));
  RecordEnd &record = *end;
  pm.addInstrumentation(std::move(end));
  pm.addInstrumentation(compiler::createConstantsInstrumentation(folder.str()));
  record.recorder.attach(pm);
}
