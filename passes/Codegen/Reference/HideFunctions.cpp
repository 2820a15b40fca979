//===- HideFunctions.cpp - hiding functions that cannot be entries -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Callers of an artifact pass tensors, contiguous buffers and scalars. A function with other types that the program
// itself calls was probably meant to be private.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SymbolUses.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/IR/SymbolTable.h"

namespace mica {
#define GEN_PASS_DEF_HIDEFUNCTIONS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether host arrays can have elements of `type`.
static bool isPassableElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return !integer.isUnsigned() && llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<IndexType, Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Whether a caller of the artifact can pass or receive a value of `type`.
static bool isPassable(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding() && isPassableElement(tensor.getElementType());
  if (auto buffer = dyn_cast<MemRefType>(type))
    return isPassableElement(buffer.getElementType());
  return isPassableElement(type);
}

namespace {
struct HideFunctions : mica::impl::HideFunctionsBase<HideFunctions> {
  using HideFunctionsBase::HideFunctionsBase;

  void runOnOperation() override {
    ModuleOp program = getOperation();
    auto main = program.lookupSymbol<func::FuncOp>("main");
    const bool isRun = main && main.isPublic() && main.getNumArguments() == 0;
    bool isRefused = false;
    const mica::SymbolUses uses(program);
    for (auto function : program.getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.isPublic() ||
          (!functions.empty() && !llvm::is_contained(functions, function.getName())))
        continue;
      FunctionType type = function.getFunctionType();
      auto types = llvm::concat<const Type>(type.getInputs(), type.getResults());
      auto bad = llvm::find_if_not(types, isPassable);
      if (bad == types.end())
        continue;
      // Only if the program itself calls it, or is run as a whole.
      if (isRun || uses.isUsed(function)) {
        function.setPrivate();
        continue;
      }
      function.emitError() << "entry '" << function.getName() << "' takes or returns a value of type " << *bad
                           << ", which callers cannot pass; give tensors, buffers and scalars of f64, f32, f16, bf16, "
                              "f8E4M3FN, f8E5M2, i1, i4, i8, i16, i32, i64 or index";
      isRefused = true;
    }
    if (isRefused)
      signalPassFailure();
  }
};
} // namespace
