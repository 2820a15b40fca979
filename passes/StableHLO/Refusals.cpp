//===- Refusals.cpp - functions that are refused ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Refusals.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Refusals.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mica;

static void report(std::vector<Diagnostic> &diagnostics, DiagnosticSeverity severity, MLIRContext *context) {
  for (Diagnostic &diagnostic : diagnostics) {
    Diagnostic made(diagnostic.getLocation(),
                    diagnostic.getSeverity() == DiagnosticSeverity::Error ? severity : diagnostic.getSeverity());
    made << diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      made.attachNote(note.getLocation()) << note.str();
    context->getDiagEngine().emit(std::move(made));
  }
}

/// Adds the functions that call one of `functions`.
static void addCallers(ModuleOp module, llvm::SetVector<Operation *> &functions) {
  for (size_t i = 0; i < functions.size(); ++i)
    if (auto uses = SymbolTable::getSymbolUses(functions[i], module))
      for (SymbolTable::SymbolUse use : *uses)
        if (auto caller = use.getUser()->getParentOfType<func::FuncOp>())
          functions.insert(caller);
}

LogicalResult hlotomica::forEachFunction(ModuleOp module, llvm::function_ref<LogicalResult(Operation *)> convert) {
  llvm::SetVector<Operation *> refused;
  std::vector<Diagnostic> diagnostics;
  bool isFailed = false;
  {
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
      diagnostics.push_back(std::move(diagnostic));
      return success();
    });
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (failed(convert(&op))) {
        isFailed = true;
        if (isa<func::FuncOp>(op))
          refused.insert(&op);
      }
  }
  if (!isFailed) {
    report(diagnostics, DiagnosticSeverity::Error, module.getContext());
    return success();
  }
  addCallers(module, refused);
  const bool remains = !refused.empty() && llvm::any_of(module.getOps<func::FuncOp>(), [&](func::FuncOp function) {
    return function.isPublic() && !function.isExternal() && !refused.contains(function);
  });
  const bool isNeeded = llvm::any_of(refused, [](Operation *op) { return cast<func::FuncOp>(op).getName() == "main"; });
  if (!remains || isNeeded) {
    report(diagnostics, DiagnosticSeverity::Error, module.getContext());
    return failure();
  }
  report(diagnostics, DiagnosticSeverity::Warning, module.getContext());
  for (Operation *op : refused)
    op->dropAllReferences();
  for (Operation *op : refused) {
    if (cast<func::FuncOp>(op).isPublic())
      emitWarning(op->getLoc()) << "function '" << cast<func::FuncOp>(op).getName()
                                << "' is left out, because it is refused: see the warnings above";
    op->erase();
  }
  return success();
}
