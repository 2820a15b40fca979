//===- ShareConstants.cpp - moving large constants to the runtime -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   arith.constant dense_resource<w> : tensor<..>  ->  mica_sched.constant, bufferization.to_tensor
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

namespace mica {
#define GEN_PASS_DEF_SHARECONSTANTS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Constants with more elements are not embedded in code.
static constexpr int64_t kMaxElementsInCode = 64;

namespace {

struct ShareConstants : mica::impl::ShareConstantsBase<ShareConstants> {
  void runOnOperation() override {
    if (hasLoweredHost(getOperation()))
      return;
    SmallVector<arith::ConstantOp> constants;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](arith::ConstantOp op) {
        auto value = dyn_cast<ElementsAttr>(op.getValue());
        bool isLarge = value && isa<RankedTensorType>(op.getType()) &&
                       (value.getNumElements() > kMaxElementsInCode || isa<DenseResourceElementsAttr>(value));
        // Elements are packed in the attribute, but have power-of-two sizes in memory.
        auto integer = value ? dyn_cast<IntegerType>(value.getElementType()) : IntegerType();
        const bool hasGaps = integer && integer.getWidth() > 8 && !llvm::isPowerOf2_64(integer.getWidth());
        // The runtime has no complex numbers.
        if (isLarge && !hasGaps && !isa<ComplexType>(value.getElementType()) &&
            sched::elementBytes(value.getElementType()))
          constants.push_back(op);
      });
    for (arith::ConstantOp op : constants) {
      OpBuilder builder(op);
      auto value = cast<ElementsAttr>(op.getValue());
      auto type = MemRefType::get(value.getShapedType().getShape(), value.getElementType());
      Value buffer = sched::ConstantOp::create(builder, op.getLoc(), type, value);
      Value tensor = bufferization::ToTensorOp::create(builder, op.getLoc(), op.getType(), buffer, /*restrict=*/true);
      op.replaceAllUsesWith(tensor);
      op.erase();
    }
  }
};

} // namespace
