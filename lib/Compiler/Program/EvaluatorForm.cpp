//===- EvaluatorForm.cpp - what the reference evaluator gets of a program ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EvaluatorForm.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Program/EvaluatorForm.h"

#include "dialects/Mica/IR/SignlessTypes.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/StableHLO/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Whether the program reads or prints how a sparse tensor is stored; else it is evaluated as a dense one.
static bool readsSparseStorage(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        const bool isOfStorage =
            isa_and_present<sparse_tensor::SparseTensorDialect>(op->getDialect()) && !isa<sparse_tensor::ConvertOp>(op);
        return isOfStorage ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a result, an argument or a signature has an element type that `is`.
static bool hasTypes(ModuleOp module, llvm::function_ref<bool(Type)> is) {
  auto isOne = [&](Type type) { return is(getElementTypeOrSelf(type)); };
  return module
      .walk([&](Operation *op) {
        bool has = llvm::any_of(op->getResultTypes(), isOne);
        for (Region &region : op->getRegions())
          for (Block &block : region)
            has |= llvm::any_of(block.getArgumentTypes(), isOne);
        return has ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Writes a shift of 128 bits by shifts of 64 bits, and by 64. Upstream's emulation has no defined result for a shift
/// by 0 (docs/UpstreamFindings.md).
static void splitShift(Operation *shift) {
  OpBuilder builder(shift);
  const Location loc = shift->getLoc();
  Value value = shift->getOperand(0), amount = shift->getOperand(1);
  const Type wide = value.getType();
  auto withElement = [&](Type element) {
    auto shaped = dyn_cast<ShapedType>(wide);
    return shaped ? Type(shaped.clone(element)) : element;
  };
  const Type half = withElement(builder.getI64Type());
  auto constant = [&](Type type, int64_t number) -> Value {
    TypedAttr attribute = builder.getIntegerAttr(getElementTypeOrSelf(type), number);
    if (auto shaped = dyn_cast<ShapedType>(type))
      attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
    return arith::ConstantOp::create(builder, loc, type, attribute);
  };
  auto left = [&](Value a, Value b) -> Value { return arith::ShLIOp::create(builder, loc, a, b); };
  auto right = [&](Value a, Value b) -> Value { return arith::ShRUIOp::create(builder, loc, a, b); };
  auto rightSigned = [&](Value a, Value b) -> Value { return arith::ShRSIOp::create(builder, loc, a, b); };
  auto either = [&](Value a, Value b) -> Value { return arith::OrIOp::create(builder, loc, a, b); };
  auto choose = [&](Value is, Value a, Value b) -> Value { return arith::SelectOp::create(builder, loc, is, a, b); };
  auto isAtLeast = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, a, b);
  };
  auto cut = [&](Value a) -> Value { return arith::TruncIOp::create(builder, loc, half, a); };
  auto extend = [&](Value a) -> Value { return arith::ExtUIOp::create(builder, loc, wide, a); };
  const Value zero = constant(half, 0), one = constant(half, 1), last = constant(half, 63), width = constant(half, 64);
  const Value wideHalf = constant(wide, 64);
  const Value low = cut(value), high = cut(right(value, wideHalf)), by = cut(amount);
  const Value within = arith::AndIOp::create(builder, loc, by, last);
  const Value rest = arith::XOrIOp::create(builder, loc, within, last);
  const Value isFar = isAtLeast(by, width);
  Value newLow, newHigh;
  if (isa<arith::ShLIOp>(shift)) {
    newLow = choose(isFar, zero, left(low, within));
    newHigh = choose(isFar, left(low, within), either(left(high, within), right(right(low, one), rest)));
  } else {
    const bool isSigned = isa<arith::ShRSIOp>(shift);
    const Value moved = isSigned ? rightSigned(high, within) : right(high, within);
    newLow = choose(isFar, moved, either(right(low, within), left(left(high, one), rest)));
    newHigh = choose(isFar, isSigned ? rightSigned(high, last) : zero, moved);
  }
  // Poison where the amount is too large, as the op says.
  const Value tooFar = choose(isAtLeast(amount, constant(wide, 128)), width, zero);
  newLow = either(newLow, right(zero, tooFar));
  shift->getResult(0).replaceAllUsesWith(either(extend(newLow), left(extend(newHigh), wideHalf)));
  shift->erase();
}

static void splitShifts(ModuleOp module) {
  SmallVector<Operation *> shifts;
  module.walk([&](Operation *op) {
    if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) && getElementTypeOrSelf(op->getResult(0)).isInteger(128))
      shifts.push_back(op);
  });
  llvm::for_each(shifts, splitShift);
}

LogicalResult compiler::convertForEvaluator(ModuleOp module) {
  const bool usesStableHLO = module->getContext()->getLoadedDialect("stablehlo");
  PassManager manager = PassManager::on<ModuleOp>(module.getContext());
  manager.enableVerifier(false); // the program was verified when it was read
  if (usesStableHLO)
    manager.addPass(createLegalizeStableHLOTypes());
  if (hasTypes(module, hasSignedness))
    manager.addPass(createLegalizeSignedness());
  if (usesStableHLO || hasTypes(module, [](Type type) { return isa<ComplexType>(type); }))
    manager.addPass(createSplitComplex());
  if (usesStableHLO) {
    manager.addPass(createAssignIds()); // as phase tensor does: ids are those of the program as it was written
    manager.addPass(createConvertStableHLOToMica());
  }
  if (module.getContext()->getLoadedDialect("shard"))
    manager.addPass(createEraseShardings());
  if (readsSparseStorage(module))
    manager.addPass(createLowerSparseTensors());
  // Two elements of 64 bits represent such an integer in the evaluator.
  if (hasTypes(module, [](Type type) { return type.isInteger(128); })) {
    splitShifts(module);
    manager.addPass(arith::createArithEmulateWideInt({/*widestIntSupported=*/64}));
  }
  return manager.empty() ? success() : manager.run(module);
}
