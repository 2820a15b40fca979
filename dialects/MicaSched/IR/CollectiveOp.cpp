//===- CollectiveOp.cpp - op mica_sched.collective --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The verifier of the exchange between ranks, and its effects.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mica::sched;

int64_t CollectiveOp::groupSize() {
  int64_t size = 1;
  for (int64_t axis : getAxes())
    size *= getGrid()[axis];
  return size;
}

void CollectiveOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getSource())
    effects.emplace_back(MemoryEffects::Read::get(), &getOperation()->getOpOperand(0));
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

/// Where the table of the op's description names an attribute.
static bool hasReduction(CollectiveKind kind) {
  return llvm::is_contained({CollectiveKind::AllReduce, CollectiveKind::Reduce, CollectiveKind::ReduceScatter}, kind);
}
static bool hasDim(CollectiveKind kind) {
  return llvm::is_contained({CollectiveKind::AllGather, CollectiveKind::AllSlice, CollectiveKind::AllToAll,
                             CollectiveKind::Gather, CollectiveKind::ReduceScatter, CollectiveKind::Scatter},
                            kind);
}
static bool hasPeer(CollectiveKind kind) {
  return llvm::is_contained({CollectiveKind::Broadcast, CollectiveKind::Gather, CollectiveKind::Reduce,
                             CollectiveKind::Scatter, CollectiveKind::Send, CollectiveKind::Recv},
                            kind);
}

LogicalResult CollectiveOp::verify() {
  const ArrayRef<int64_t> grid = getGrid(), axes = getAxes();
  llvm::SmallSet<int64_t, 4> distinct(axes.begin(), axes.end());
  if (llvm::any_of(grid, [](int64_t size) { return size < 1; }) || distinct.size() != axes.size() ||
      llvm::any_of(axes, [&](int64_t axis) { return axis < 0 || axis >= int64_t(grid.size()); }))
    return emitOpError() << "(C1) needs positive sizes of a grid and different axes of it, got the grid [" << grid
                         << "] and the axes [" << axes << "]";
  const CollectiveKind kind = getKind();
  const StringRef name = stringifyCollectiveKind(kind);
  auto target = cast<MemRefType>(getTarget().getType());
  auto source = getSource() ? cast<MemRefType>(getSource().getType()) : MemRefType();
  if (kind == CollectiveKind::Index) {
    if (source || target.getNumElements() != 1 || !target.getElementType().isIntOrIndex())
      return emitOpError() << "(C2) '" << name << "' has no source, and one i64 or index element to write";
  } else if (!source || source.getElementType() != target.getElementType()) {
    return emitOpError() << "(C2) '" << name << "' needs a source with elements of type " << target.getElementType();
  }
  auto verifyPresence = [&](StringRef constraint, StringRef attribute, bool isThere, bool belongs) -> LogicalResult {
    if (isThere == belongs)
      return success();
    return emitOpError() << "(" << constraint << ") '" << name << "' has " << (belongs ? "a" : "no") << " '"
                         << attribute << "'";
  };
  const bool isShift = kind == CollectiveKind::Shift, isAllToAll = kind == CollectiveKind::AllToAll;
  if (failed(verifyPresence("C3", "reduction", getReduction().has_value(), hasReduction(kind))) ||
      failed(verifyPresence("C4", "dim", getDim().has_value(), hasDim(kind))) ||
      failed(verifyPresence("C4", "concat_dim", getConcatDim().has_value(), isAllToAll)) ||
      failed(verifyPresence("C5", "peer", getPeer().has_value(), hasPeer(kind))) ||
      failed(verifyPresence("C6", "shift_axis", getShiftAxis().has_value(), isShift)) ||
      failed(verifyPresence("C6", "offset", getOffset().has_value(), isShift)))
    return failure();
  if (getRotate() && !isShift)
    return emitOpError() << "(C6) '" << name << "' has no 'rotate'";
  for (std::optional<uint64_t> dim : {getDim(), getConcatDim()})
    if (dim && int64_t(*dim) >= target.getRank())
      return emitOpError() << "(C4) names dimension " << int64_t(*dim) << " of " << target;
  const int64_t members = groupSize();
  if (getPeer() && int64_t(*getPeer()) >= members)
    return emitOpError() << "(C5) names member " << int64_t(*getPeer()) << " of " << members;
  if (isShift && !distinct.contains(int64_t(*getShiftAxis())))
    return emitOpError() << "(C6) shifts along axis " << int64_t(*getShiftAxis()) << ", which is not in [" << axes
                         << "]";
  if (!source)
    return success();
  if (source.getRank() != target.getRank())
    return emitOpError() << "(C7) gives " << source << " for " << target;
  SmallVector<int64_t> expected(source.getShape());
  auto scale = [&](int64_t dim, bool grows) -> bool {
    int64_t &size = expected[dim];
    if (ShapedType::isDynamic(size))
      return true;
    if (!grows && size % members != 0)
      return false;
    size = grows ? size * members : size / members;
    return true;
  };
  bool divides = true;
  if (kind == CollectiveKind::AllGather || kind == CollectiveKind::Gather) {
    scale(*getDim(), /*grows=*/true);
  } else if (hasDim(kind)) {
    divides = scale(*getDim(), /*grows=*/false);
    if (isAllToAll)
      scale(*getConcatDim(), /*grows=*/true);
  }
  if (!divides || failed(verifyCompatibleShape(expected, target.getShape())))
    return emitOpError() << "(C7) makes " << target << " of " << source << " among " << members << " ranks";
  return success();
}
