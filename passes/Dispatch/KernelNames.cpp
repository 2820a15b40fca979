//===- KernelNames.cpp - names of kernels -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See KernelNames.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/KernelNames.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/OpClasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mica;

/// Maximum number of parts of the name for fused ops.
static constexpr size_t kMaxParts = 5;
/// Leaves space for `_<number>`.
static constexpr size_t kMaxBase = sched::kMaxKernelName - 8;

/// "256x1024xdxf32": the iteration space of the root, d for a dynamic size, and its element type.
static std::string shapeSuffix(Operation *root) {
  SmallVector<int64_t> sizes;
  Type element;
  if (auto op = dyn_cast<linalg::LinalgOp>(root))
    sizes = op.getStaticLoopRanges();
  if (root->getNumResults() > 0)
    if (auto type = dyn_cast<RankedTensorType>(root->getResult(0).getType())) {
      if (sizes.empty())
        sizes.assign(type.getShape().begin(), type.getShape().end());
      element = type.getElementType();
    }
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size))
      os << "dx";
    else
      os << size << 'x';
  if (element)
    os << element;
  return llvm::StringRef(text).lower();
}

/// `text` with characters that are invalid in kernel names replaced.
static std::string sanitized(StringRef text) {
  std::string result = text.lower();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  return result;
}

/// Whether some op of `ops` computes an `OpT` in its body.
template <typename... OpT> static bool computes(ArrayRef<Operation *> ops) {
  return llvm::any_of(ops, [](Operation *op) {
    return op
        ->walk([](Operation *inner) { return isa<OpT...>(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  });
}

std::string mica::kernelKind(ArrayRef<Operation *> ops, Operation *root) {
  const auto isProduct = [](Operation *op) { return classify(op) == OpClass::Contraction; };
  if (llvm::count_if(ops, isProduct) == 2 && computes<math::ExpOp>(ops))
    return "attention";
  if (classify(root) != OpClass::Reduction)
    return wordFor(root);
  size_t sums = 0, maxima = 0;
  for (Operation *op : ops)
    if (classify(op) == OpClass::Reduction) {
      std::string kind = wordFor(op);
      sums += kind == "reduce_sum";
      maxima += kind == "reduce_max";
    }
  if (maxima == 1 && sums == 1 && computes<math::ExpOp>(ops) && computes<arith::DivFOp, arith::MulFOp>(ops))
    return "softmax";
  if (maxima == 0 && computes<math::RsqrtOp, math::SqrtOp>(ops)) {
    if (sums == 2)
      return "layer_norm";
    if (sums == 1 && computes<arith::MulFOp, math::FPowIOp, math::PowFOp>(ops))
      return "rms_norm";
  }
  return wordFor(root);
}

std::string mica::kernelName(ArrayRef<Operation *> ops, Operation *root) {
  SmallVector<std::string> parts{kernelKind(ops, root)};
  bool composite = parts.front() != wordFor(root);
  for (Operation *op : ops) {
    if (composite || op == root || classify(op) == OpClass::Fill || parts.size() > kMaxParts)
      continue;
    std::string kind = wordFor(op);
    if (!llvm::is_contained(parts, kind))
      parts.push_back(kind);
  }
  std::string suffix = sanitized(shapeSuffix(root));
  std::string name = sanitized(llvm::join(parts, "_"));
  size_t room = kMaxBase > suffix.size() + 1 ? kMaxBase - suffix.size() - 1 : 0;
  if (name.size() > room)
    name = StringRef(name).take_front(room).rtrim('_').str();
  if (suffix.empty())
    return name;
  return (name.empty() ? suffix : name + "_" + suffix).substr(0, kMaxBase);
}

std::string mica::uniqueKernelName(StringRef name, SymbolTable &symbols) {
  std::string unique = name.str();
  for (unsigned number = 1; symbols.lookup(unique); ++number)
    unique = (name + "_" + Twine(number)).str();
  return unique;
}
