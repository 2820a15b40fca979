//===- ApplyTransforms.cpp - applying transform scripts in the program's file -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   module attributes {transform.with_named_sequence} {        module {
//     func.func @f(...) { linalg.matmul ... }             =>     func.func @f(...) { linalg.matmul ... }
//     transform.named_sequence @__transform_main(...)          }
//   }
//
// With the option `entry` the script runs on the program before it is erased, and the resulting loops and vectors are
// compiled.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"

namespace mica {
#define GEN_PASS_DEF_APPLYTRANSFORMS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Whether `op` is part of a script: a transform op, or a module that contains nothing else.
static bool isScript(Operation &op) {
  if (op.getName().getDialectNamespace() == transform::TransformDialect::getDialectNamespace())
    return true;
  auto module = dyn_cast<ModuleOp>(op);
  return module && !module.getBody()->empty() && llvm::all_of(*module.getBody(), isScript);
}

namespace {
class ApplyTransforms : public mica::impl::ApplyTransformsBase<ApplyTransforms> {
public:
  using ApplyTransformsBase::ApplyTransformsBase;

  void runOnOperation() override {
    ModuleOp program = getOperation();
    if (!entry.empty() && failed(run(program)))
      return signalPassFailure();
    for (Operation &op : llvm::make_early_inc_range(*program.getBody()))
      if (isScript(op))
        op.erase();
    program.walk([](Operation *op) {
      for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
        if (attribute.getName().getValue().starts_with("transform."))
          op->removeDiscardableAttr(attribute.getName());
    });
  }

private:
  LogicalResult run(ModuleOp program) {
    bool found = false;
    program.walk([&](transform::TransformOpInterface op) {
      if (auto symbol = dyn_cast<SymbolOpInterface>(op.getOperation()))
        found |= symbol.getName() == entry;
    });
    if (!found)
      return program.emitError() << "the transform script '@" << entry
                                 << "' is not in the file; a script is a transform.named_sequence of that name";
    transform::TransformOpInterface script = transform::detail::findTransformEntryPoint(program, ModuleOp(), entry);
    return script ? transform::applyTransformNamedSequence(program, script, ModuleOp(), transform::TransformOptions())
                  : failure();
  }
};
} // namespace
