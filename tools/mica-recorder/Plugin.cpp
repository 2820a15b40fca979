//===- Plugin.cpp - a pass plugin that records pipelines ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pass mica-record, and the entry point that mlir-opt looks up in a plugin.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/Record.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {
#define GEN_PASS_DEF_RECORDPASS
#define GEN_PASS_DECL
#include "tools/mica-recorder/Passes.h.inc"

class RecordPass : public impl::RecordPassBase<RecordPass> {
public:
  using RecordPassBase::RecordPassBase;

  /// What the recorded passes need is loaded before the first pass of the outer pipeline runs.
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager recorded;
    if (succeeded(parsePassPipeline(passes, recorded, llvm::nulls())))
      recorded.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    if (folder.empty() || passes.empty())
      return emitError(UnknownLoc::get(context)) << "mica-record: " << (folder.empty() ? "folder" : "passes")
                                                 << " is not given: mica-record{folder=record passes=\"cse\"}";
    OpPassManager recorded;
    std::string problem;
    llvm::raw_string_ostream os(problem);
    if (failed(parsePassPipeline(passes, recorded, os)))
      return emitError(UnknownLoc::get(context)) << "mica-record: " << llvm::StringRef(problem).trim();
    return success();
  }

  void runOnOperation() override {
    PassManager pm(&getContext(), getOperation()->getName().getStringRef());
    if (failed(parsePassPipeline(passes, pm)))
      return signalPassFailure();
    mica::record(pm, folder, "mlir-opt");
    if (failed(pm.run(getOperation())))
      signalPassFailure();
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MicaRecorder", LLVM_VERSION_STRING,
          [] { registerPass([] { return std::make_unique<RecordPass>(); }); }};
}
