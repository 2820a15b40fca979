//===- ConvertExpm1Log1p.cpp - converting expm1 and log1p to libm calls -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %0 = math.expm1 %x : f64   =>   %0 = func.call @expm1(%x) : (f64) -> f64
//   %0 = math.log1p %x : f32   =>   %0 = func.call @log1pf(%x) : (f32) -> f32
//
// Upstream's convert-math-to-llvm computes exp(x) - 1 and log(1 + x), which are 0 for |x| < 1e-8 in f32 although the
// functions are about x there (docs/UpstreamFindings.md). Its conversion to libm is correct; it is applied to these two
// ops alone, since it would also convert ops with native instructions to calls. Vectors become one call per element.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTEXPM1LOG1PPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ConvertExpm1Log1pPass : mica::impl::ConvertExpm1Log1pPassBase<ConvertExpm1Log1pPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    // Nested modules are kernels, which have their own pipelines.
    target.addDynamicallyLegalOp<math::ExpM1Op, math::Log1pOp>(
        [program = getOperation()](Operation *op) { return op->getParentOfType<ModuleOp>() != program; });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
