//===- AnnotateKinds.cpp - annotating linalg ops with their kinds -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %1 = linalg.generic {...a product of matrices...} ins(%a, %b) outs(%c) { ... }
//   =>
//   %1 = linalg.generic {...a product of matrices...} ins(%a, %b) outs(%c) attrs = {mica.kind = "matmul"} { ... }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/OpKinds.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mica {
#define GEN_PASS_DEF_ANNOTATEKINDS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
class AnnotateKinds : public mica::impl::AnnotateKindsBase<AnnotateKinds> {
public:
  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([](Operation *op) {
      if (!isa_and_present<linalg::LinalgDialect>(op->getDialect()))
        return WalkResult::advance();
      if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
        op->setDiscardableAttr(kKindAttr, StringAttr::get(op->getContext(), kindOf(op)));
      // Nested ops are the op's own computation.
      return WalkResult::skip();
    });
  }
};
} // namespace
