//===- Slice.h - the tree of what an element was computed from ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private. Elements are followed in the order of their share of the element that is asked about; those that disagree
// with the reference, and those that may hide such ones, come first. What is small is pruned and counted.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_WHY_SLICE_H
#define MICA_LIB_COMPILER_WHY_SLICE_H

#include "dialects/Mica/Reference/Influence.h"
#include "lib/Compiler/Why/CompiledValues.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <tuple>

namespace mica::compiler {

/// One element of the result of one step.
struct SliceNode {
  int64_t step = 0;
  unsigned result = 0;
  int64_t element = 0;

  std::string id, kind, source, name; ///< of the op; `name`: what the source calls the tensor; "" unknown
  double reference = 0, bound = 0;
  std::optional<double> compiled; ///< nothing: it stayed inside of a kernel
  bool differs = false;           ///< beyond what rounding explains

  struct Edge {
    /// Index: it says which element was taken; Condition: it says which branch was.
    enum class Kind { Value, Index, Condition };
    size_t node = 0;
    double share = 0; ///< of the weights of all influences
    Kind kind = Kind::Value;
  };
  std::vector<Edge> inputs;
  bool isExpanded = false, isFollowed = true, isComplete = true;
  int64_t pruned = 0; ///< influences that are not in `inputs`
  double prunedShare = 0;
};

struct Slice {
  std::vector<SliceNode> nodes; ///< the root first
  std::optional<size_t> firstDifference;
  /// Of the first difference: ops between it and values that agree, which stayed inside of its kernel.
  std::vector<size_t> unseen;
  int64_t pruned = 0; ///< in all
};

/// The descriptions of ops, by op.
struct OpNames {
  llvm::DenseMap<mlir::Operation *, std::string> ids;
};

/// The slice of element `element` of the value with `origin`. `root`: its value in the compiled program, if known.
Slice makeSlice(const reference::Tape &tape, reference::Tensor::Origin origin, int64_t element,
                std::optional<double> root, CompiledValues &compiled, const OpNames &names, int64_t maxNodes);

/// An element of a tensor of the evaluator as f64.
double valueOf(const reference::Tensor &tensor, int64_t element);
/// Whether `compiled` is further from `reference` than `bound` allows.
bool isBeyond(double compiled, double reference, double bound);
/// "model.mlir:3:8" of an op; "" unknown.
std::string sourceOf(mlir::Operation *op);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_WHY_SLICE_H
