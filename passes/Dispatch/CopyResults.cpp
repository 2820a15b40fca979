//===- CopyResults.cpp - results that no kernel writes get a copy -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel writes each result of a host function straight to the result's memory. Where no kernel can, because the result is
// an argument, a constant, comes out of control flow or is returned before, this pass puts a copy.
//
//   func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
//     return %x
//   =>
//     %0 = linalg.generic {identity} ins(%x) outs(%empty) {mica_sched.group = 0 : i64}
//     return %0
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

namespace mica {
#define GEN_PASS_DEF_COPYRESULTS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// The value whose memory `tensor` is, through reshapes and casts.
static Value rootOf(Value tensor) {
  while (Operation *def = tensor.getDefiningOp()) {
    if (!isTensorView(def))
      break;
    tensor = def->getOperand(0);
  }
  return tensor;
}

/// `tensor`, copied element by element.
static Value copyOf(OpBuilder &builder, Location loc, Value tensor, int64_t group) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(builder, loc, type, tensor, empty, maps, iterators,
                                        [](OpBuilder &inner, Location innerLoc, ValueRange args) {
                                          linalg::YieldOp::create(inner, innerLoc, args.front());
                                        });
  copy->setAttr(sched::kGroupAttr, builder.getI64IntegerAttr(group));
  return copy.getResult(0);
}

namespace {
class CopyResults : public mica::impl::CopyResultsBase<CopyResults> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    auto terminator = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
    if (!terminator)
      return;
    llvm::DenseSet<Value> taken;
    OpBuilder builder(terminator);
    int64_t group = 0;
    function.walk([&](Operation *op) {
      if (auto marked = op->getAttrOfType<IntegerAttr>(sched::kGroupAttr))
        group = std::max(group, marked.getInt() + 1);
    });
    for (OpOperand &operand : terminator->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type)
        continue;
      Value root = rootOf(operand.get());
      Operation *def = root.getDefiningOp();
      bool written = isa_and_nonnull<sched::DispatchOp>(def) && def->getBlock() == terminator->getBlock() &&
                     (root == operand.get() || type.hasStaticShape());
      if (written && taken.insert(root).second)
        continue;
      // The return itself has no id: the copy is located where the value was made, or at the return.
      Location loc = def ? def->getLoc() : terminator.getLoc();
      operand.set(copyOf(builder, loc, operand.get(), group++));
    }
  }
};
} // namespace
