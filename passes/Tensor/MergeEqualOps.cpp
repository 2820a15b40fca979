//===- MergeEqualOps.cpp - common subexpression elimination for large programs ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See MergeEqualOps.h. A temporary attribute on the ops makes their hashes differ while upstream's driver runs:
//
//   %1 = scf.if %c { f(%x) }                      %1 = scf.if %c { f(%x) } {mica.apart = 17}
//   %2 = scf.if %c { g(%x) }          =>          %2 = scf.if %c { g(%x) } {mica.apart = 42}
//   ...                                           ...
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/MergeEqualOps.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/Hashing.h"

namespace mica {
#define GEN_PASS_DEF_MERGEEQUALOPS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Ops of one hash for which upstream's pairwise comparisons are acceptable.
static constexpr size_t kMostAlike = 16;
/// Ops of a region that are hashed, so that the cost for nested regions is linear.
static constexpr unsigned kMostHashed = 1024;

/// The hash that upstream's driver computes: without regions, results and locations.
static llvm::hash_code hashOf(Operation *op, llvm::function_ref<llvm::hash_code(Value)> hashOperand) {
  return OperationEquivalence::computeHash(op, hashOperand, OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

/// Equal for ops that are equal including their regions: values of the regions are numbered in order.
static int64_t hashOfRegions(Operation *op) {
  llvm::hash_code hash(0);
  llvm::DenseMap<Value, size_t> order;
  auto hashOperand = [&](Value value) -> llvm::hash_code {
    auto found = order.find(value);
    return found == order.end() ? llvm::hash_value(value.getAsOpaquePointer()) : llvm::hash_value(found->second);
  };
  auto number = [&](ValueRange values) {
    for (Value value : values)
      order.try_emplace(value, order.size());
  };
  unsigned ops = 0;
  for (Region &region : op->getRegions()) {
    for (Block &block : region)
      number(block.getArguments());
    region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
      hash = llvm::hash_combine(hash, hashOf(inner, hashOperand));
      number(inner->getResults());
      for (Region &nested : inner->getRegions())
        for (Block &block : nested)
          number(block.getArguments());
      return ++ops < kMostHashed ? WalkResult::advance() : WalkResult::interrupt();
    });
    hash = llvm::hash_combine(hash, ops);
  }
  return static_cast<int64_t>(static_cast<size_t>(hash));
}

void mica::mergeEqualOps(RewriterBase &rewriter, DominanceInfo &dominance, Operation *root) {
  llvm::DenseMap<size_t, SmallVector<Operation *, 2>> alike;
  root->walk([&](Operation *op) {
    if (op != root && op->getNumRegions() > 0 && !op->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
        !op->hasAttr(kApartAttr))
      alike[hashOf(op, OperationEquivalence::directHashValue)].push_back(op);
  });
  for (auto &[hash, ops] : alike)
    if (ops.size() > kMostAlike)
      for (Operation *op : ops)
        op->setDiscardableAttr(kApartAttr, rewriter.getI64IntegerAttr(hashOfRegions(op)));
  eliminateCommonSubExpressions(rewriter, dominance, root);
  root->walk([](Operation *op) { op->removeDiscardableAttr(kApartAttr); });
}

namespace {
class MergeEqualOps : public mica::impl::MergeEqualOpsBase<MergeEqualOps> {
public:
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    mergeEqualOps(rewriter, getAnalysis<DominanceInfo>(), getOperation());
  }
};
} // namespace
