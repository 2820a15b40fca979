//===- PlantedPasses.cpp - passes that go wrong -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plugin for mica-opt (--load-pass-plugin) with one pass for each way a pass can go wrong. An op with the attribute
// test.spare is left alone.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace mlir;

static bool isSpared(Operation *op) { return op->hasAttr("test.spare"); }

namespace {
struct AbortPass : PassWrapper<AbortPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AbortPass)
  StringRef getArgument() const final { return "test-abort"; }
  StringRef getDescription() const final { return "Calls abort"; }
  void runOnOperation() override {
    if (!isSpared(getOperation()))
      std::abort();
  }
};

struct AbortOnDotPass : PassWrapper<AbortOnDotPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AbortOnDotPass)
  StringRef getArgument() const final { return "test-abort-on-dot"; }
  StringRef getDescription() const final { return "Calls abort at a vector that a loop has summed up by vector.fma"; }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() != "vector.reduction")
        return;
      Operation *loop = op->getOperand(0).getDefiningOp();
      if (!loop || loop->getNumRegions() != 1 || loop->getNumResults() != 1 || loop->getRegion(0).empty())
        return;
      Operation *last = loop->getRegion(0).front().getTerminator()->getOperand(0).getDefiningOp();
      if (last && last->getName().getStringRef() == "vector.fma")
        std::abort();
    });
  }
};

/// What a pass that pairs the operands of a subtraction the wrong way does.
struct SwapSubtractionPass : PassWrapper<SwapSubtractionPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapSubtractionPass)
  StringRef getArgument() const final { return "test-swap-subtraction"; }
  StringRef getDescription() const final { return "Swaps the operands of a subtraction of which math.exp is taken"; }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() != "math.exp")
        return;
      Operation *difference = op->getOperand(0).getDefiningOp();
      if (difference && difference->getName().getStringRef() == "arith.subf")
        difference->setOperands({difference->getOperand(1), difference->getOperand(0)});
    });
  }
};

struct FailPass : PassWrapper<FailPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailPass)
  StringRef getArgument() const final { return "test-fail"; }
  StringRef getDescription() const final { return "Reports an error at an op that divides"; }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "arith.divsi" && !isSpared(getOperation())) {
        op->emitError("divides");
        signalPassFailure();
      }
    });
  }
};

struct FailOnNamePass : PassWrapper<FailOnNamePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailOnNamePass)
  StringRef getArgument() const final { return "test-fail-on-name"; }
  StringRef getDescription() const final { return "Reports an error at a symbol that ends in _model"; }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (auto name = op->getAttrOfType<StringAttr>("sym_name"); name && name.getValue().ends_with("_model")) {
        op->emitError("a name that this pass does not like");
        signalPassFailure();
      }
    });
  }
};

struct MiscompilePass : PassWrapper<MiscompilePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MiscompilePass)
  StringRef getArgument() const final { return "test-miscompile"; }
  StringRef getDescription() const final { return "Gives each addition its first operand twice"; }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "arith.addf" && !isSpared(getOperation()))
        op->setOperand(1, op->getOperand(0));
    });
  }
};

struct RefusePass : PassWrapper<RefusePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RefusePass)
  StringRef getArgument() const final { return "test-refuse"; }
  StringRef getDescription() const final { return "Refuses an op that divides, by name"; }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "arith.divsi") {
        op->emitOpError("is not taken by this pass");
        signalPassFailure();
      }
    });
  }
};

struct OverflowPass : PassWrapper<OverflowPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OverflowPass)
  StringRef getArgument() const final { return "test-overflow-stack"; }
  StringRef getDescription() const final { return "Calls itself until the stack ends"; }
  void runOnOperation() override {
    if (!isSpared(getOperation()))
      descend(0);
  }

private:
  // Through a volatile pointer, or the compiler makes a loop of it.
  static int descend(int depth) {
    int (*volatile next)(int) = descend;
    volatile char frame[4096] = {};
    return next(depth + 1) + frame[depth % 4096];
  }
};

struct LoopPass : PassWrapper<LoopPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopPass)
  StringRef getArgument() const final { return "test-loop"; }
  StringRef getDescription() const final { return "Never comes back"; }
  void runOnOperation() override {
    while (!isSpared(getOperation()))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MicaPlantedPasses", LLVM_VERSION_STRING, [] {
            PassRegistration<AbortPass>();
            PassRegistration<AbortOnDotPass>();
            PassRegistration<SwapSubtractionPass>();
            PassRegistration<FailPass>();
            PassRegistration<FailOnNamePass>();
            PassRegistration<MiscompilePass>();
            PassRegistration<OverflowPass>();
            PassRegistration<RefusePass>();
            PassRegistration<LoopPass>();
          }};
}
