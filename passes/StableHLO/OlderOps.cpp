//===- OlderOps.cpp - ops that other ops replaced ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of the dialect that the specification does not have, or has no more, as those that it has instead:
//
//   %0 = stablehlo.einsum %a, %b, config = "ij,kj->ki" : ..
// becomes
//   %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : ..
//   %0 = stablehlo.transpose %1, dims = [1, 0] : ..
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/FoldIntegers.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

using Results = std::optional<SmallVector<Value>>;

//===------------------------------------------------------------------------------------------------------------===//
// einsum
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// A value with a label for each dimension.
struct Labelled {
  Value value;
  std::string labels;
};
} // namespace

/// Replaces "..." by labels of its own for `count` dimensions, which are counted from the last.
static std::optional<std::string> labelsOf(StringRef text, int64_t rank, int64_t *count) {
  std::string labels;
  bool hasMore = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      if (hasMore || text.substr(i, 3) != "...")
        return std::nullopt;
      hasMore = true;
      i += 2;
      const int64_t named = int64_t(text.size()) - 3;
      if (rank >= 0)
        *count = std::max(*count, rank - named);
      for (int64_t k = rank >= 0 ? rank - named : *count; k > 0; --k)
        labels += char(k); // no letter
    } else if (llvm::isAlpha(text[i])) {
      labels += text[i];
    } else if (text[i] != ' ') {
      return std::nullopt;
    }
  }
  // A label for each dimension, each once.
  if (rank >= 0 && int64_t(labels.size()) != rank)
    return std::nullopt;
  for (size_t i = 0; i < labels.size(); ++i)
    if (labels.find(labels[i], i + 1) != std::string::npos)
      return std::nullopt;
  return labels;
}

static int64_t sizeOfLabel(const Labelled &side, char label) {
  return tensorOf(side.value).getDimSize(int64_t(side.labels.find(label)));
}

static bool has(const std::string &labels, char label) { return labels.find(label) != std::string::npos; }

/// Sums over the labels that `isKept` does not hold for.
static Labelled summed(OpBuilder &builder, Location loc, Labelled side, llvm::function_ref<bool(char)> isKept) {
  const RankedTensorType type = tensorOf(side.value);
  SmallVector<int64_t> dims, shape;
  std::string labels;
  for (auto [dim, label] : llvm::enumerate(side.labels)) {
    if (isKept(label)) {
      labels += label;
      shape.push_back(type.getDimSize(dim));
    } else {
      dims.push_back(int64_t(dim));
    }
  }
  if (dims.empty())
    return side;
  return {Arith(builder, loc).sum(side.value, dims, shape), labels};
}

static Value ordered(OpBuilder &builder, Location loc, const Labelled &side, const std::string &labels, Type type) {
  SmallVector<int64_t> permutation;
  for (char label : labels)
    permutation.push_back(int64_t(side.labels.find(label)));
  return hlo::TransposeOp::create(builder, loc, type, side.value, permutation);
}

static Results expandEinsum(Operation *op, StringRef config, OpBuilder &builder) {
  const Location loc = op->getLoc();
  const std::string text = llvm::join(llvm::split(config, ' '), "");
  auto [from, to] = StringRef(text).split("->");
  SmallVector<StringRef> parts;
  from.split(parts, ',');
  if (parts.size() != op->getNumOperands() || !StringRef(text).contains("->"))
    return std::nullopt;
  int64_t more = 0;
  SmallVector<Labelled> sides;
  for (auto [part, operand] : llvm::zip_equal(parts, op->getOperands())) {
    const auto labels = labelsOf(part, tensorOf(operand).getRank(), &more);
    if (!labels)
      return std::nullopt;
    sides.push_back({operand, *labels});
  }
  const auto target = labelsOf(to, -1, &more);
  const RankedTensorType result = tensorOf(op->getResult(0));
  if (!target || int64_t(target->size()) != result.getRank())
    return std::nullopt;
  for (char label : *target)
    if (llvm::none_of(sides, [&](const Labelled &side) { return has(side.labels, label); }))
      return std::nullopt;
  if (sides.size() == 1) {
    Labelled side = summed(builder, loc, sides[0], [&](char label) { return has(*target, label); });
    return SmallVector<Value>{ordered(builder, loc, side, *target, result)};
  }
  for (size_t i : {0, 1})
    sides[i] = summed(builder, loc, sides[i],
                      [&](char label) { return has(*target, label) || has(sides[1 - i].labels, label); });
  SmallVector<int64_t> batch[2], sums[2], shape;
  Labelled product;
  const auto place = [&](size_t i, char label) { return int64_t(sides[i].labels.find(label)); };
  for (char label : sides[0].labels) {
    if (!has(sides[1].labels, label))
      continue;
    const int64_t size = sizeOfLabel(sides[0], label), other = sizeOfLabel(sides[1], label);
    if (size != other && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(other))
      return std::nullopt;
    for (size_t i : {0, 1})
      (has(*target, label) ? batch[i] : sums[i]).push_back(place(i, label));
    if (has(*target, label)) {
      product.labels += label;
      shape.push_back(size);
    }
  }
  for (size_t i : {0, 1})
    for (char label : sides[i].labels)
      if (!has(sides[1 - i].labels, label)) {
        product.labels += label;
        shape.push_back(sizeOfLabel(sides[i], label));
      }
  auto numbers = hlo::DotDimensionNumbersAttr::get(builder.getContext(), batch[0], batch[1], sums[0], sums[1]);
  product.value = hlo::DotGeneralOp::create(builder, loc, RankedTensorType::get(shape, result.getElementType()),
                                            sides[0].value, sides[1].value, numbers, ArrayAttr());
  return SmallVector<Value>{ordered(builder, loc, product, *target, result)};
}

//===------------------------------------------------------------------------------------------------------------===//
// Parts of a dimension
//===------------------------------------------------------------------------------------------------------------===//

/// Elements `index` of dimension `dim`, for each batch.
static Results expandIndexSelect(hlo::TorchIndexSelectOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType operand = tensorOf(op.getOperand()), index = tensorOf(op.getIndex());
  const int64_t rank = operand.getRank(), given = int64_t(op.getDim()), dim = given < 0 ? given + rank : given;
  const int64_t givenBatch = int64_t(op.getBatchDims()),
                batch = givenBatch < 0 ? givenBatch + index.getRank() : givenBatch;
  if (dim < 0 || dim >= rank || batch < 0 || batch > dim || batch > index.getRank() ||
      tensorOf(op).getRank() != rank - 1 + index.getRank() - batch)
    return std::nullopt;
  SmallVector<int64_t> batchDims = llvm::to_vector(llvm::seq<int64_t>(0, batch)), offsets;
  for (int64_t i = batch; i < rank; ++i)
    if (i != dim)
      offsets.push_back(i < dim ? i : i - 1 + index.getRank() - batch);
  auto numbers = hlo::GatherDimensionNumbersAttr::get(builder.getContext(), offsets, {dim}, batchDims, batchDims, {dim},
                                                      index.getRank());
  Arith arith(builder, loc);
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < rank; ++i)
    sizes.push_back(i < batch || i == dim ? arith.integer(1) : arith.sizeOf(op.getOperand(), i));
  return SmallVector<Value>{hlo::DynamicGatherOp::create(builder, loc, op.getType(), op.getOperand(), op.getIndex(),
                                                         arith.list(sizes), numbers, false)};
}

static Results expandSetDimensionSize(hlo::SetDimensionSizeOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType operand = tensorOf(op.getOperand());
  const int64_t dim = int64_t(op.getDimension());
  const auto constant = constantOf(op.getSize());
  const int64_t known = constant ? (*constant.getValues<APInt>().begin()).getSExtValue() : ShapedType::kDynamic;
  if (constant && known == operand.getDimSize(dim) && op.getType() == operand)
    return SmallVector<Value>{op.getOperand()};
  // A type of static sizes does not say how many elements there are.
  if (!tensorOf(op).isDynamicDim(dim) && tensorOf(op).getDimSize(dim) != known)
    return std::nullopt;
  Arith arith(builder, loc);
  SmallVector<Value> starts(operand.getRank(), arith.integer(0)), strides(operand.getRank(), arith.integer(1)), limits;
  for (int64_t i = 0; i < operand.getRank(); ++i)
    limits.push_back(i == dim ? arith.as(op.getSize(), builder.getI64Type()) : arith.sizeOf(op.getOperand(), i));
  return SmallVector<Value>{hlo::RealDynamicSliceOp::create(
      builder, loc, op.getType(), op.getOperand(), arith.list(starts), arith.list(limits), arith.list(strides))};
}

Results hlotypes::expandOlderOp(Operation *op, OpBuilder &builder) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](hlo::EinsumOp einsum) { return expandEinsum(op, einsum.getEinsumConfig(), builder); })
      .Case([&](hlo::UnaryEinsumOp einsum) { return expandEinsum(op, einsum.getEinsumConfig(), builder); })
      .Case([&](hlo::TorchIndexSelectOp select) { return expandIndexSelect(select, builder); })
      .Case([&](hlo::SetDimensionSizeOp set) { return expandSetDimensionSize(set, builder); })
      .Case([&](hlo::CrossReplicaSumOp sum) -> Results {
        const bool isAlone = sum.getReplicaGroups().getNumElements() <= 1;
        return isAlone ? Results(SmallVector<Value>{sum.getOperand()}) : std::nullopt;
      })
      .Case([&](hlo::TraceOp) { return SmallVector<Value>(); })
      .Default([](Operation *) { return std::nullopt; });
}
