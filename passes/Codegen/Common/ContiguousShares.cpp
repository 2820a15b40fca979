//===- ContiguousShares.cpp - contiguous output of distributed loops -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Strategies give each iteration a slice of its outputs, and these slices are analyzed:
//
//   scf.forall (%i, %j) in (64, 8) { %s = memref.subview %out[%i, %j, 0] [1, 1, 512] [1, 1, 1] ... }    512 each
//
// The loop's induction variables must be the offsets of the leading dimensions, in order, and all except the last must
// have step 1 over the whole extent; then iterations are consecutive in the buffer.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/ContiguousShares.h"

#include "mica/Support/Checked.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

/// Whether `size` is at most `most`.
static bool isAtMost(OpFoldResult size, int64_t most) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant <= most;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, cast<Value>(size), /*stopCondition=*/nullptr, /*closedUB=*/true);
  return succeeded(bound) && *bound <= most;
}

/// The number of elements of `buffer` per iteration, if slices begin at its induction variables.
static std::optional<int64_t> elementsOf(scf::ForallOp loop, MemRefType buffer) {
  std::optional<SmallVector<int64_t>> lower = getConstantIntValues(loop.getMixedLowerBound()),
                                      upper = getConstantIntValues(loop.getMixedUpperBound()),
                                      steps = getConstantIntValues(loop.getMixedStep());
  const int64_t loops = loop.getRank();
  if (!lower || !upper || !steps || loops < 1 || loops > buffer.getRank())
    return std::nullopt;
  int64_t elements = steps->back();
  for (int64_t d = 0; d < buffer.getRank(); ++d) {
    const int64_t extent = buffer.getDimSize(d);
    if (d >= loops) {
      const std::optional<int64_t> more = mica::checkedMul(elements, extent);
      if (!more)
        return std::nullopt;
      elements = *more;
      continue;
    }
    const bool last = d + 1 == loops;
    // A partial last iteration is allowed only if nothing follows it.
    if ((*lower)[d] != 0 || (*upper)[d] != extent || (!last && (*steps)[d] != 1) ||
        (last && d > 0 && extent % (*steps)[d] != 0))
      return std::nullopt;
  }
  return elements > 0 ? std::optional(elements) : std::nullopt;
}

/// Whether `slice` begins at the loop's induction variables, and is no longer than a step.
static bool belongsToIteration(memref::SubViewOp slice, scf::ForallOp loop) {
  if (!loop->isProperAncestor(slice) ||
      !llvm::all_of(slice.getMixedStrides(), [](OpFoldResult stride) { return isConstantIntValue(stride, 1); }))
    return false;
  for (auto [iv, offset, size, step] :
       llvm::zip(loop.getInductionVars(), slice.getMixedOffsets(), slice.getMixedSizes(), loop.getMixedStep())) {
    std::optional<int64_t> most = getConstantIntValue(step);
    if (dyn_cast<Value>(offset) != iv || !most || !isAtMost(size, *most))
      return false;
  }
  return true;
}

std::optional<int64_t> mica::elementsPerIteration(scf::ForallOp loop, BlockArgument buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  for (Operation *user : buffer.getUsers()) {
    if (auto slice = dyn_cast<memref::SubViewOp>(user)) {
      if (!belongsToIteration(slice, loop))
        return std::nullopt;
      continue;
    }
    // Other users may only read.
    if (!isa<memref::DimOp>(user) && !(hasSingleEffect<MemoryEffects::Read>(user) && user->getNumResults() == 1 &&
                                       !isa<BaseMemRefType>(user->getResult(0).getType())))
      return std::nullopt;
  }
  return elementsOf(loop, type);
}
