//===- WithoutPass.cpp - a pass manager that leaves one pass out ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plugin for mica-opt (--load-dialect-plugin), by which tools/scripts/mutation_check.py asks which tests notice that
// a pass is missing. The pass whose argument is in the variable MICA_TEST_WITHOUT_PASS does nothing, in every pipeline
// of the call.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

#include <cstdlib>

using namespace mlir;

/// The builtin dialect is in every context, so its extension reaches every pass manager.
static void leaveOut(MLIRContext *context, BuiltinDialect *) {
  const char *name = std::getenv("MICA_TEST_WITHOUT_PASS");
  if (!name)
    return;
  context->registerActionHandler([name = StringRef(name)](function_ref<void()> run, const tracing::Action &action) {
    auto *execution = dyn_cast<PassExecutionAction>(&action);
    if (!execution || execution->getPass().getArgument() != name)
      run();
  });
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MicaWithoutPass", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) { registry->addExtension(leaveOut); }};
}
