//===- CheckOps.cpp - verifiers and folders of `mica_check` -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A predicate folds if its operands are constants; everything else is done by mica-check-prove.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mica::check;

//===------------------------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyAccess(Operation *op, Value buffer, OperandRange indices, OperandRange sizes) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  const size_t rank = type ? type.getRank() : 0;
  if (!type || indices.size() != rank)
    return op->emitOpError() << "(C1) gives " << indices.size() << " indices for a buffer of type " << buffer.getType();
  if (!sizes.empty() && sizes.size() != rank)
    return op->emitOpError() << "(C2) gives " << sizes.size() << " sizes for a buffer of " << rank << " dimensions";
  return success();
}

static LogicalResult verifySite(Operation *op, std::optional<uint64_t> site, StringRef label = "(C3)") {
  if (site && static_cast<int64_t>(*site) < 0)
    return op->emitOpError() << label << " has the site " << static_cast<int64_t>(*site) << ", which is negative";
  return success();
}

LogicalResult InBoundsOp::verify() { return verifyAccess(*this, getBuffer(), getIndices(), getSizes()); }

LogicalResult OutOfBoundsOp::verify() {
  if (failed(verifyAccess(*this, getBuffer(), getIndices(), getSizes())))
    return failure();
  return verifySite(*this, getSite());
}

static std::optional<int64_t> constantOf(Attribute attribute) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return integer.getInt();
  return std::nullopt;
}

/// The result for one dimension: true, false, or unknown.
static std::optional<bool> dimensionFits(std::optional<int64_t> index, std::optional<int64_t> size, int64_t extent) {
  if ((size && *size < 0) || (index && *index < 0))
    return false;
  const bool known = !ShapedType::isDynamic(extent);
  if (known && ((index && *index >= extent) || (size && *size > extent)))
    return false;
  if (!known || !index || !size)
    return std::nullopt;
  return *size <= extent - *index;
}

OpFoldResult InBoundsOp::fold(FoldAdaptor adaptor) {
  auto type = cast<MemRefType>(getBuffer().getType());
  SmallVector<std::optional<int64_t>> sizes(type.getRank(), 1);
  for (auto [size, attribute] : llvm::zip(sizes, adaptor.getSizes()))
    size = constantOf(attribute);
  Builder builder(getContext());
  if (llvm::is_contained(sizes, std::optional<int64_t>(0)))
    return builder.getBoolAttr(true);
  // As long as a size may be 0, the access may be empty and thus in bounds.
  const bool certain = llvm::all_of(sizes, [](std::optional<int64_t> size) { return size.has_value(); });
  bool all = true;
  for (auto [index, size, extent] : llvm::zip(adaptor.getIndices(), sizes, type.getShape())) {
    std::optional<bool> fits = dimensionFits(constantOf(index), size, extent);
    if (fits == false && certain)
      return builder.getBoolAttr(false);
    all &= fits == true;
  }
  return all ? OpFoldResult(builder.getBoolAttr(true)) : OpFoldResult();
}

//===------------------------------------------------------------------------------------------------------------===//
// Arithmetic
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `test` holds for every element of a constant; nothing if it is not constant.
static std::optional<bool> forAll(Attribute attribute, llvm::function_ref<bool(const APInt &)> test) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return test(integer.getValue());
  if (auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute))
    return llvm::all_of(elements.getValues<APInt>(), test);
  return std::nullopt;
}

OpFoldResult DivisibleOp::fold(FoldAdaptor adaptor) {
  Builder builder(getContext());
  const bool isSigned = getIsSigned();
  std::optional<bool> harmless =
      forAll(adaptor.getRhs(), [&](const APInt &value) { return !value.isZero() && !(isSigned && value.isAllOnes()); });
  if (harmless == true)
    return builder.getBoolAttr(true);
  if (std::optional<bool> nonZero = forAll(adaptor.getRhs(), [](const APInt &value) { return !value.isZero(); });
      nonZero == false)
    return builder.getBoolAttr(false);
  return {};
}

OpFoldResult ShiftableOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> inRange =
      forAll(adaptor.getAmount(), [](const APInt &value) { return value.ult(value.getBitWidth()); });
  return inRange ? OpFoldResult(Builder(getContext()).getBoolAttr(*inRange)) : OpFoldResult();
}

//===------------------------------------------------------------------------------------------------------------===//
// Shadows
//===------------------------------------------------------------------------------------------------------------===//

OpFoldResult InitializedOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> written = forAll(adaptor.getOrigins(), [](const APInt &value) { return value.isZero(); });
  return written ? OpFoldResult(Builder(getContext()).getBoolAttr(*written)) : OpFoldResult();
}

MemRefType ShadowOp::typeFor(MemRefType type) {
  return MemRefType::get(type.getShape(), IntegerType::get(type.getContext(), 16), type.getLayout(),
                         type.getMemorySpace());
}

LogicalResult ShadowOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands, DictionaryAttr,
                                         OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  auto type = operands.empty() ? nullptr : dyn_cast<MemRefType>(operands.front().getType());
  if (!type)
    return failure();
  types.push_back(typeFor(type));
  return success();
}

LogicalResult ShadowOp::verify() {
  if (getMemory())
    return getMemory().getType() == getShadow().getType() ? success()
                                                          : emitOpError("(C1) has memory of type ")
                                                                << getMemory().getType() << ", should be "
                                                                << getShadow().getType();
  auto argument = dyn_cast<BlockArgument>(getBuffer());
  if (!argument || !isa_and_nonnull<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return emitOpError("(C2) has no memory for the shadow of what is no argument of the function");
  return success();
}

/// An index for each dimension, or none.
template <typename Op> static LogicalResult verifyPlace(Op op) {
  const auto rank = static_cast<size_t>(cast<MemRefType>(op.getBuffer().getType()).getRank());
  if (!op.getIndices().empty() && op.getIndices().size() != rank)
    return op.emitOpError("(C1) gives ") << op.getIndices().size() << " indices for a buffer of type "
                                         << op.getBuffer().getType();
  return verifySite(op, op.getSite(), "(C2)");
}

LogicalResult UninitializedOp::verify() { return verifyPlace(*this); }

//===------------------------------------------------------------------------------------------------------------===//
// Reports
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult NotFiniteOp::verify() { return verifyPlace(*this); }

LogicalResult FailedOp::verify() {
  if (getMessage().empty())
    return emitOpError("(C1) has no message");
  auto report = getOperation()->getAttrOfType<StringAttr>(kReportAttr);
  if (getValues().size() > kMostValues && !(report && report.getValue() == kAccessReport))
    return emitOpError() << "(C2) has " << getValues().size() << " values; a report keeps " << kMostValues;
  return verifySite(*this, getSite());
}
