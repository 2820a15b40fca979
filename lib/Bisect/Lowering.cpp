//===- Lowering.cpp - what lowers the rest of a program -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Lowering.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mica;

bool bisect::isLowered(ModuleOp program) {
  return program.walk([](LLVM::LLVMFuncOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

namespace {
/// A part of the lowering, and the dialects that it is for; "": any but those of the LLVM dialect. What an earlier part
/// leaves is among what a later one takes.
struct Part {
  llvm::StringLiteral passes;
  std::initializer_list<llvm::StringLiteral> dialects;
};
} // namespace

static const Part kParts[] = {
    {"func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor)", {"tosa"}},
    {"one-shot-bufferize{bufferize-function-boundaries=1}", {"tensor", "tosa", "bufferization"}},
    {"func.func(convert-linalg-to-loops)", {"linalg", "tensor", "tosa"}},
    {"convert-complex-to-standard", {"complex"}},
    {"convert-vector-to-scf", {"vector"}},
    {"func.func(scf-forall-to-for)", {"scf"}},
    {"lower-affine", {"affine"}},
    {"convert-scf-to-cf", {"scf", "affine", "vector", "linalg", "tensor", "tosa"}},
    {"convert-vector-to-llvm", {"vector"}},
    {"expand-strided-metadata,lower-affine", {"memref", "tensor", "tosa", "linalg", "bufferization"}},
    {"convert-math-to-llvm,convert-math-to-libm", {"math", "tosa", "complex", "linalg"}},
    {"convert-complex-to-llvm", {"complex"}},
    {"finalize-memref-to-llvm", {"memref", "affine", "tensor", "tosa", "linalg", "bufferization"}},
    {"convert-func-to-llvm", {"func"}},
    {"convert-index-to-llvm", {"index"}},
    {"convert-ub-to-llvm", {"ub"}},
    {"convert-arith-to-llvm,convert-cf-to-llvm", {}},
    {"reconcile-unrealized-casts", {}},
};

std::string bisect::restOfLowering(ModuleOp program) {
  llvm::StringSet<> dialects;
  program.walk([&](Operation *op) {
    if (op != program)
      dialects.insert(op->getName().getDialectNamespace());
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    if (llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor))
      dialects.insert("tensor");
  });
  const bool isLeft = llvm::any_of(dialects.keys(), [](StringRef name) { return name != "llvm"; });
  std::string passes;
  for (const Part &part : kParts)
    if (part.dialects.size() == 0 ? isLeft : llvm::any_of(part.dialects, [&](StringRef name) {
          return dialects.contains(name);
        }))
      passes += (passes.empty() ? "" : ",") + part.passes.str();
  // What nothing is left of may have unused parts.
  return "builtin.module(" + (passes.empty() ? "canonicalize" : passes) + ")";
}
