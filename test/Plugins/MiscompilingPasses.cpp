//===- MiscompilingPasses.cpp - passes that change what a program computes ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plugin with slips that a compiler writer makes, in each phase, to see whether tools find the pass. Each is made
// once per function or kernel, and leaves valid IR.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

using namespace mlir;

/// Calls `change` on ops until it says that it changed one.
static void changeFirst(Operation *root, llvm::function_ref<bool(Operation *)> change) {
  root->walk([&](Operation *op) { return change(op) ? WalkResult::interrupt() : WalkResult::advance(); });
}

namespace {
/// Phase tensor: a - b becomes b - a, in the program's own dialect.
struct SwapOperands : PassWrapper<SwapOperands, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapOperands)
  StringRef getArgument() const final { return "test-swap-subtraction"; }
  StringRef getDescription() const final { return "Swaps the operands of a subtraction"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      if (op->getName().getStringRef() != "mica.sub")
        return false;
      Value first = op->getOperand(0);
      op->setOperand(0, op->getOperand(1));
      op->setOperand(1, first);
      return true;
    });
  }
};

/// Phase dispatch: a reduction does not start from zero.
struct WrongFill : PassWrapper<WrongFill, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongFill)
  StringRef getArgument() const final { return "test-wrong-fill"; }
  StringRef getDescription() const final { return "Fills an accumulator with one instead of zero"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      auto fill = dyn_cast<linalg::FillOp>(op);
      if (!fill || !isa<FloatType>(fill.getInputs()[0].getType()))
        return false;
      OpBuilder builder(op);
      Type type = fill.getInputs()[0].getType();
      Value one = arith::ConstantOp::create(builder, op->getLoc(), builder.getFloatAttr(type, 1.0));
      op->setOperand(0, one);
      return true;
    });
  }
};

/// Phase schedule: a task reads the buffer of another.
struct SwapBuffers : PassWrapper<SwapBuffers, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapBuffers)
  StringRef getArgument() const final { return "test-swap-buffers"; }
  StringRef getDescription() const final { return "Swaps two buffers of one type that a task reads"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      if (op->getName().getStringRef() != "mica_sched.task" || op->getNumOperands() < 3)
        return false;
      Value first = op->getOperand(0), second = op->getOperand(1);
      if (first == second || first.getType() != second.getType())
        return false;
      op->setOperand(0, second);
      op->setOperand(1, first);
      return true;
    });
  }
};

/// Phase schedule: a task does not wait for the one whose result it reads.
struct DropDependency : PassWrapper<DropDependency, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropDependency)
  StringRef getArgument() const final { return "test-drop-dependency"; }
  StringRef getDescription() const final { return "Lets a task begin before those that it depends on"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      if (op->getName().getStringRef() != "mica_sched.task")
        return false;
      // Tokens are the last operands.
      auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
      if (!sizes || sizes.asArrayRef().back() == 0)
        return false;
      SmallVector<int32_t> left(sizes.asArrayRef());
      op->eraseOperands(op->getNumOperands() - left.back(), left.back());
      left.back() = 0;
      op->setAttr("operandSegmentSizes", DenseI32ArrayAttr::get(op->getContext(), left));
      return true;
    });
  }
};

/// Phase schedule: two buffers of the arena lie at one place.
struct OverlapArena : PassWrapper<OverlapArena, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OverlapArena)
  StringRef getArgument() const final { return "test-overlap-arena"; }
  StringRef getDescription() const final { return "Places a buffer of the arena where another one is"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      auto offset = op->getAttrOfType<IntegerAttr>("offset");
      if (op->getName().getStringRef() != "mica_sched.arena" || !offset || offset.getInt() == 0)
        return false;
      op->setAttr("offset", IntegerAttr::get(offset.getType(), 0));
      return true;
    });
  }
};

/// Phase kernel: the last turn of a loop is missing.
struct ShortenLoop : PassWrapper<ShortenLoop, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShortenLoop)
  StringRef getArgument() const final { return "test-shorten-loop"; }
  StringRef getDescription() const final { return "Lets a loop end one turn early"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop)
        return false;
      OpBuilder builder(op);
      loop.setUpperBound(
          arith::SubIOp::create(builder, op->getLoc(), loop.getUpperBound(), loop.getStep()).getResult());
      return true;
    });
  }
};

static void swapFirstSubtraction(Operation *root) {
  changeFirst(root, [](Operation *op) {
    auto difference = dyn_cast<arith::SubFOp>(op);
    if (difference)
      op->setOperands({difference.getRhs(), difference.getLhs()});
    return static_cast<bool>(difference);
  });
}

/// Phase kernel: a - b becomes b - a in the kernel that has one; all kernels change.
struct SwapFloats : PassWrapper<SwapFloats, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapFloats)
  StringRef getArgument() const final { return "test-swap-floats"; }
  StringRef getDescription() const final { return "Marks each function, and swaps the operands of a subtraction"; }
  void runOnOperation() override {
    getOperation()->walk([](FunctionOpInterface function) {
      function->setDiscardableAttr("test.seen", UnitAttr::get(function->getContext()));
    });
    swapFirstSubtraction(getOperation());
  }
};

/// Phase kernel, of kernels for a GPU alone.
struct SwapOnDevice : PassWrapper<SwapOnDevice, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapOnDevice)
  StringRef getArgument() const final { return "test-swap-on-device"; }
  StringRef getDescription() const final { return "Swaps the operands of a subtraction in a gpu.module"; }
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (op->getName().getStringRef() == "gpu.module")
        swapFirstSubtraction(op);
    });
  }
};

/// Phase kernel, when part and parts are arguments: of two parts the first is done twice.
struct RepeatPart : PassWrapper<RepeatPart, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RepeatPart)
  StringRef getArgument() const final { return "test-repeat-part"; }
  StringRef getDescription() const final { return "Halves the number of the part of work that a kernel does"; }
  void runOnOperation() override {
    getOperation()->walk([](FunctionOpInterface function) {
      if (!function->hasAttr("mica_sched.grid") || function.getNumArguments() < 2 || function.isExternal())
        return;
      Value part = function.getArgument(function.getNumArguments() - 2);
      if (!part.getType().isIndex() || part.use_empty())
        return;
      OpBuilder builder = OpBuilder::atBlockBegin(&function.getFunctionBody().front());
      Value two = arith::ConstantIndexOp::create(builder, function.getLoc(), 2);
      Value half = arith::DivUIOp::create(builder, function.getLoc(), part, two);
      part.replaceAllUsesExcept(half, half.getDefiningOp());
    });
  }
};

/// Phase lowered: an addition is a subtraction.
struct SubtractInstead : PassWrapper<SubtractInstead, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SubtractInstead)
  StringRef getArgument() const final { return "test-subtract-instead"; }
  StringRef getDescription() const final { return "Makes a subtraction of an addition of floats"; }
  void runOnOperation() override {
    changeFirst(getOperation(), [](Operation *op) {
      auto add = dyn_cast<LLVM::FAddOp>(op);
      if (!add)
        return false;
      OpBuilder builder(op);
      Value difference = LLVM::FSubOp::create(builder, op->getLoc(), add.getLhs(), add.getRhs());
      add.replaceAllUsesWith(difference);
      add.erase();
      return true;
    });
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MicaMiscompilingPasses", LLVM_VERSION_STRING, [] {
            PassRegistration<SwapOperands>();
            PassRegistration<WrongFill>();
            PassRegistration<SwapBuffers>();
            PassRegistration<DropDependency>();
            PassRegistration<OverlapArena>();
            PassRegistration<ShortenLoop>();
            PassRegistration<SwapFloats>();
            PassRegistration<SwapOnDevice>();
            PassRegistration<RepeatPart>();
            PassRegistration<SubtractInstead>();
          }};
}
